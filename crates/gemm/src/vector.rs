//! Products in which a factor is a vector, bound by memory rather than arithmetic; and products of integers.

use super::{Mat, Size, Then, rows_of};
use levada_kernel::Pool;
use levada_ops_core::number::Number;
use levada_ops_core::vectorized_for;
use std::ops::Range;

/// Columns worked on at a time: a piece of the result stays in the first-level cache.
const COLUMNS: usize = 2048;

/// Multiplies where one factor is a vector and the layout is one that is faster here than in general. False where not.
pub(super) fn product<T: Number>(
    pool: Option<&Pool>,
    size: Size,
    a: Mat<'_, T>,
    b: Mat<'_, T>,
    c: &mut [T],
    width: usize,
    then: Then<'_, T>,
) -> bool {
    let Size { m, n, k } = size;
    if const { T::DTYPE.is_complex() } || a.conj || b.conj {
        return false;
    }
    if m == 1 {
        return times_matrix(pool, a, b, (n, k), &mut c[..n], then);
    }
    if n == 1 && width == 1 {
        // The result's rows are of one column each.
        let each = |_, first: usize, part: &mut [T]| {
            if let Some(then) = then {
                part.chunks_mut(1).enumerate().for_each(|(i, one)| then(first + i, 0, one));
            }
        };
        return times_matrix(pool, b.t(), a.t(), (m, k), &mut c[..m], Some(&each));
    }
    false
}

/// `y = x b` for a row vector `x` of `k` elements and a matrix of `n` columns.
fn times_matrix<T: Number>(
    pool: Option<&Pool>,
    x: Mat<'_, T>,
    b: Mat<'_, T>,
    (n, k): (usize, usize),
    y: &mut [T],
    then: Then<'_, T>,
) -> bool {
    if b.col != 1 && b.row != 1 {
        return false;
    }
    let x = rows_of(Mat { row: k, ..x }, 1, k);
    let x = &x[..];
    let fill = |first: usize, y: &mut [T]| {
        if b.col == 1 {
            y.fill(T::zero());
            add_rows(x, b, first..first + y.len(), y);
        } else {
            vectorized_for!(T, dot_columns(x, &b.data[first * b.col..], b.col, y));
        }
        if let Some(then) = then {
            then(0, first, y);
        }
    };
    match pool {
        // Memory gives a core some 20 bytes a nanosecond.
        Some(pool) => pool.for_chunks(&mut y[..n], 1, (k * size_of::<T>()) as f64 * 0.05, fill),
        None => fill(0, &mut y[..n]),
    }
    true
}

/// `y[j] += sum over p of x[p] b[p, j]` for the columns of `range`, where the rows of `b` are contiguous.
fn add_rows<T: Number>(x: &[T], b: Mat<'_, T>, range: Range<usize>, y: &mut [T]) {
    for (piece, y) in y.chunks_mut(COLUMNS).enumerate() {
        let first = range.start + piece * COLUMNS;
        vectorized_for!(T, add_rows_piece(x, &b.data[first..], b.row, y));
    }
}

#[inline(always)]
pub(super) fn add_rows_piece<T: Number>(x: &[T], b: &[T], stride: usize, y: &mut [T]) {
    let n = y.len();
    let mut p = 0;
    // Several rows at a time, so that a load and a store of `y` serve as many loads of `b`.
    while p + 8 <= x.len() {
        let row = |i: usize| &b[(p + i) * stride..(p + i) * stride + n];
        let rows = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
        let v: &[T; 8] = x[p..p + 8].try_into().expect("eight elements");
        for j in 0..n {
            let left =
                v[0].mul(rows[0][j]).add(v[1].mul(rows[1][j])).add(v[2].mul(rows[2][j]).add(v[3].mul(rows[3][j])));
            let right =
                v[4].mul(rows[4][j]).add(v[5].mul(rows[5][j])).add(v[6].mul(rows[6][j]).add(v[7].mul(rows[7][j])));
            y[j] = y[j].add(left.add(right));
        }
        p += 8;
    }
    for p in p..x.len() {
        let row = &b[p * stride..p * stride + n];
        let v = x[p];
        y.iter_mut().zip(row).for_each(|(y, &b)| *y = y.add(v.mul(b)));
    }
}

/// `y[j] = sum over p of x[p] b[p + j * stride]`.
#[inline(always)]
fn dot_columns<T: Number>(x: &[T], b: &[T], stride: usize, y: &mut [T]) {
    for (j, y) in y.iter_mut().enumerate() {
        *y = dot(x, &b[j * stride..j * stride + x.len()]);
    }
}

#[inline(always)]
pub(super) fn dot<T: Number>(x: &[T], b: &[T]) -> T {
    const LANES: usize = 64;
    let mut sums = [T::zero(); LANES];
    let (xs, bs) = (x.chunks_exact(LANES), b.chunks_exact(LANES));
    let (x_rest, b_rest) = (xs.remainder(), bs.remainder());
    for (x, b) in xs.zip(bs) {
        for i in 0..LANES {
            sums[i] = sums[i].add(x[i].mul(b[i]));
        }
    }
    for (s, (&x, &b)) in sums.iter_mut().zip(x_rest.iter().zip(b_rest)) {
        *s = s.add(x.mul(b));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            sums[i] = sums[i].add(sums[i + width]);
        }
        width /= 2;
    }
    sums[0]
}

/// A product for types that the `gemm` crate does not know: every row of the result is a sum of rows of `b`.
pub(super) fn by_rows<T: Number>(size: Size, a: Mat<'_, T>, b: Mat<'_, T>, c: &mut [T], width: usize, add: bool) {
    let Size { m, n, k } = size;
    let packed;
    let b = if b.col == 1 {
        b
    } else {
        packed = rows_of(b, k, n);
        Mat::new(&packed[..], n)
    };
    for i in 0..m {
        let y = &mut c[i * width..i * width + n];
        if !add {
            y.fill(T::zero());
        }
        let x = rows_of(Mat { data: &a.data[i * a.row..], row: k, ..a }, 1, k);
        add_rows(&x, b, 0..n, y);
    }
}
