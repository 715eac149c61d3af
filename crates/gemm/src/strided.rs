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
