//! The one place that calls the `gemm` crate, whose interface is raw pointers.

#![allow(unsafe_code)]

use super::{Mat, Size, Then};
use levada_graph::{Complex32, Complex64};
use levada_kernel::Pool;
use std::ops::Range;

/// Widths and heights of the parts that a product is split into are multiples of this, so that no part ends inside a
/// register tile of another.
const TILE: usize = 16;

/// Results of at most this many rows are computed by columns if the other factor is stored by columns: it then need not
/// be packed.
const ROWS: usize = 128;

/// Columns of a result that are computed at a time in that case.
const COLUMNS: usize = 512;

/// The types that the `gemm` crate multiplies.
pub(super) trait Native: Copy + Send + Sync + 'static {
    const ZERO: Self;
    const ONE: Self;
}

impl Native for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}

impl Native for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

impl Native for Complex32 {
    const ZERO: Complex32 = Complex32::new(0.0, 0.0);
    const ONE: Complex32 = Complex32::new(1.0, 0.0);
}

impl Native for Complex64 {
    const ZERO: Complex64 = Complex64::new(0.0, 0.0);
    const ONE: Complex64 = Complex64::new(1.0, 0.0);
}

/// The start of the result, which the parts of a product share; each writes a rectangle of its own.
struct Start<T>(*mut T);

// SAFETY: it is only used within `gemm` below, where no two parts touch the same element, and the parts end before the
// exclusive borrow that the pointer comes from.
unsafe impl<T: Send> Send for Start<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Start<T> {}

/// `c = a b`, or `c += a b` if `add`. Row `i` of `c` starts at `i * width`. If there is a pool, the work is split over
/// its threads. `then` is called with each finished part of a row.
///
/// # Panics
/// If a matrix does not lie within its slice.
pub(super) fn gemm<T: Native>(
    pool: Option<&Pool>,
    size: Size,
    a: Mat<'_, T>,
    b: Mat<'_, T>,
    (c, width): (&mut [T], usize),
    add: bool,
    then: Then<'_, T>,
) {
    let Size { m, n, k } = size;
    if m == 0 || n == 0 {
        return;
    }
    // These make the pointer arithmetic below sound.
    assert!(a.holds(m, k) && b.holds(k, n), "a factor lies within its slice");
    assert!(width >= n, "rows of the result do not overlap");
    let last = (m - 1).checked_mul(width).and_then(|x| x.checked_add(n));
    assert!(last.is_some_and(|last| last <= c.len()), "the result lies within its slice");
    assert!(k > 0, "an empty sum is not a product");
    assert!([a.row, a.col, b.row, b.col, width].iter().all(|&s| s <= isize::MAX as usize), "strides are not negative");

    let start = Start(c.as_mut_ptr());
    // Multiplies rows of `a` and columns of `b` into the memory at `to`, whose rows and columns are this far apart.
    let multiply = |rows: &Range<usize>, cols: &Range<usize>, to: *mut T, row: usize, col: usize| {
        // SAFETY: every element of the factors that is read is (i, p) or (p, j) with i < m, j < n and p < k in matrices
        // that lie within live slices, as asserted above, and all are initialised. The callers below ensure that the
        // memory written is theirs.
        unsafe {
            gemm::gemm(
                rows.len(),
                cols.len(),
                k,
                to,
                col as isize,
                row as isize,
                add,
                a.data.as_ptr().add(rows.start * a.row),
                a.col as isize,
                a.row as isize,
                b.data.as_ptr().add(cols.start * b.col),
                b.col as isize,
                b.row as isize,
                if add { T::ONE } else { T::ZERO },
                T::ONE,
                false,
                a.conj,
                b.conj,
                gemm::Parallelism::None,
            );
        }
    };
    let by_columns = !add && b.row == 1 && b.col > 1 && m <= ROWS && k >= 2 * m;
    let product = |rows: Range<usize>, cols: Range<usize>| {
        if rows.is_empty() || cols.is_empty() {
            return;
        }
        let start = &start;
        // SAFETY: (i, j) with i < m and j < n lies within `c`, as asserted above. `c` is borrowed mutably for this
        // whole function, and the rectangles given to different calls are disjoint.
        let at = |i: usize, j: usize| unsafe { start.0.add(i * width + j) };
        if !by_columns {
            return multiply(&rows, &cols, at(rows.start, cols.start), width, 1);
        }
        let mut buffer = vec![T::ZERO; rows.len() * cols.len().min(COLUMNS)];
        for first in cols.clone().step_by(COLUMNS) {
            let some = first..(first + COLUMNS).min(cols.end);
            multiply(&rows, &some, buffer.as_mut_ptr(), 1, rows.len());
            for i in 0..rows.len() {
                // SAFETY: as above, for the elements of a row from `first` on.
                let to = unsafe { std::slice::from_raw_parts_mut(at(rows.start + i, first), some.len()) };
                to.iter_mut().zip(buffer[i..].iter().step_by(rows.len())).for_each(|(t, &v)| *t = v);
            }
        }
    };
    let part = |rows: Range<usize>, cols: Range<usize>| {
        product(rows.clone(), cols.clone());
        let Some(then) = then.filter(|_| !cols.is_empty()) else { return };
        let start = &start;
        for i in rows {
            // SAFETY: as above, for the elements of a row of this part's rectangle.
            let row = unsafe { std::slice::from_raw_parts_mut(start.0.add(i * width + cols.start), cols.len()) };
            then(i, cols.start, row);
        }
    };
    let Some(pool) = pool else { return part(0..m, 0..n) };
    // Only the longer side is split: each part packs the other factor again, which by columns takes as long as many
    // products.
    let tile = if by_columns { COLUMNS / 2 } else { TILE };
    let tiles = m.max(n).div_ceil(tile);
    pool.for_ranges(tiles, size.nanos::<T>() / tiles as f64, |range| {
        if m >= n {
            part((range.start * tile).min(m)..(range.end * tile).min(m), 0..n);
        } else {
            part(0..m, (range.start * tile).min(n)..(range.end * tile).min(n));
        }
    });
}
