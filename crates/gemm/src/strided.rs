//! Rows of equal length at equal distances, bounds-checked once for all of them.

#![allow(unsafe_code)]

/// Equally spaced rows of a slice.
#[derive(Clone, Copy)]
pub struct Strided<'a, T> {
    /// From the start of the first row to the end of the last one.
    elements: &'a [T],
    count: usize,
    step: usize,
    len: usize,
}

impl<'a, T> Strided<'a, T> {
    /// `count` rows of `len` elements, the first at the start of `elements`, each `step` elements after the one before.
    ///
    /// # Panics
    /// If `elements` does not contain them all.
    #[inline(always)]
    pub fn new(elements: &'a [T], count: usize, step: usize, len: usize) -> Strided<'a, T> {
        let reach = match count.checked_sub(1) {
            Some(last) => last.checked_mul(step).and_then(|last| last.checked_add(len)),
            None => Some(0),
        };
        let reach = reach.expect("rows lie within memory");
        Strided { elements: &elements[..reach], count, step, len }
    }

    /// A row.
    ///
    /// # Panics
    /// If the row does not exist.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &'a [T] {
        assert!(i < self.count, "there is such a row");
        // SAFETY: `i` is at most `count - 1`, so the row ends at or before the last one does, which is where `elements`
        // ends; none of this overflows, as `new` has checked for the last row.
        unsafe { self.elements.get_unchecked(i * self.step..i * self.step + self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::Strided;

    #[test]
    fn rows_lie_at_equal_distances_and_may_overlap() {
        let elements: Vec<usize> = (0..11).collect();
        for (count, step, len) in [(4, 3, 2), (5, 2, 3), (3, 4, 3), (1, usize::MAX, 11), (2, 0, 5), (0, 7, 100)] {
            let rows = Strided::new(&elements, count, step, len);
            for i in 0..count {
                assert_eq!(rows.row(i), &elements[i * step..][..len], "{count} {step} {len}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn rows_end_within_the_elements() {
        Strided::new(&[0; 10], 4, 3, 2);
    }

    #[test]
    #[should_panic(expected = "rows lie within memory")]
    fn distances_may_not_overflow() {
        Strided::new(&[0; 10], 3, usize::MAX / 2 + 1, 2);
    }

    #[test]
    #[should_panic(expected = "there is such a row")]
    fn only_rows_that_there_are() {
        Strided::new(&[0; 10], 3, 3, 2).row(3);
    }
}
