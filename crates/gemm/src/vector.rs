//! Products in which a factor is a vector, bound by memory rather than arithmetic; products of very small matrices; and
//! products of integers.

use super::{Mat, Size, Then, rows_of};
use levada_kernel::Pool;
use levada_ops_core::number::Number;
use levada_ops_core::vectorized_for;
use std::ops::Range;

/// Columns processed at a time: a piece of the result stays in the first-level cache.
const COLUMNS: usize = 2048;

/// Matrices of at most this many rows and columns are multiplied element by element.
const FEW: usize = 4;

/// A product of matrices of a few elements, such as rotations.
fn small<T: Number>(
    Size { m, n, k }: Size,
    a: Mat<'_, T>,
    b: Mat<'_, T>,
    (c, width): (&mut [T], usize),
    then: Then<'_, T>,
) {
    for (i, row) in c.chunks_mut(width).take(m).enumerate() {
        for (j, c) in row[..n].iter_mut().enumerate() {
            let term = |p: usize| a.data[i * a.row + p * a.col].mul(b.data[p * b.row + j * b.col]);
            *c = (1..k).fold(term(0), |sum, p| sum.add(term(p)));
        }
        if let Some(then) = then {
            then(i, 0, &mut row[..n]);
        }
    }
}

/// Rows that are multiplied together.
const ROWS: usize = 16;

/// A product of many rows with a matrix of a few elements, such as points that are rotated.
fn tall<T: Number>(
    pool: Option<&Pool>,
    Size { m, n, k }: Size,
    a: &[T],
    b: Mat<'_, T>,
    c: &mut [T],
    then: Then<'_, T>,
) {
    let fill = |first: usize, c: &mut [T]| {
        let a = &a[first * k..];
        vectorized_for!(T, tall_rows(a, b, k, n, c));
        if let Some(then) = then {
            then(first, 0, c);
        }
    };
    match pool {
        Some(pool) => pool.for_chunks(&mut c[..m * n], n, 0.5 * (n + k) as f64, fill),
        None => fill(0, &mut c[..m * n]),
    }
}

#[inline(always)]
fn tall_rows<T: Number>(a: &[T], b: Mat<'_, T>, k: usize, n: usize, c: &mut [T]) {
    let (mut columns, mut sums) = ([[T::zero(); ROWS]; FEW], [T::zero(); ROWS]);
    for (a, c) in a.chunks(ROWS * k).zip(c.chunks_mut(ROWS * n)) {
        for (i, row) in a.chunks_exact(k).enumerate() {
            for (column, &x) in columns.iter_mut().zip(row) {
                column[i] = x;
            }
        }
        for j in 0..n {
            for (p, column) in columns[..k].iter().enumerate() {
                let factor = b.data[p * b.row + j * b.col];
                for i in 0..ROWS {
                    let term = column[i].mul(factor);
                    sums[i] = if p == 0 { term } else { sums[i].add(term) };
                }
            }
            for (c, &sum) in c[j..].iter_mut().step_by(n).zip(&sums) {
                *c = sum;
            }
        }
    }
}

/// Multiplies if one factor is a vector and this is faster than the general algorithm for the layout, or if all
/// matrices are small. Otherwise returns false.
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
    if m.max(n).max(k) <= FEW {
        small(size, a, b, (c, width), then);
        return true;
    }
    if m == 1 {
        return times_matrix(pool, a, b, (n, k), &mut c[..n], then);
    }
    if n.max(k) <= FEW && a.col == 1 && a.row == k && width == n {
        tall(pool, size, a.data, b, c, then);
        return true;
    }
    if n == 1 && width == 1 {
        // The rows of the result are one column.
        let each = |_, first: usize, part: &mut [T]| then.into_iter().for_each(|then| then(first, 0, part));
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
        // Memory bandwidth is about 20 bytes per nanosecond and core.
        Some(pool) => pool.for_chunks(&mut y[..n], 1, (k * size_of::<T>()) as f64 * 0.05, fill),
        None => fill(0, &mut y[..n]),
    }
    true
}

/// `y[j] += sum over p of x[p] b[p, j]` for the columns in `range`, if the rows of `b` are contiguous.
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
    // Several rows at a time, so that one load and one store of `y` serve several loads of `b`.
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
    match (x.len(), x.len() == stride) {
        (2, true) => few::<T, 2>(x, b, y),
        (3, true) => few::<T, 3>(x, b, y),
        (4, true) => few::<T, 4>(x, b, y),
        (len, _) => {
            let column = |j: usize| &b[j * stride..j * stride + len];
            let (fours, rest) = y.as_chunks_mut::<4>();
            let done = 4 * fours.len();
            for (j, four) in fours.iter_mut().enumerate() {
                *four = dots(x, [column(4 * j), column(4 * j + 1), column(4 * j + 2), column(4 * j + 3)]);
            }
            for (j, y) in (done..).zip(rest) {
                *y = dot(x, column(j));
            }
        }
    }
}

/// [`dot_columns`] for consecutive columns of `K` elements: channels of pixels.
#[inline(always)]
fn few<T: Number, const K: usize>(x: &[T], b: &[T], y: &mut [T]) {
    let Some(x) = x.first_chunk::<K>() else { return };
    for (y, b) in y.iter_mut().zip(b.as_chunks::<K>().0) {
        let mut sum = x[0].mul(b[0]);
        for p in 1..K {
            sum = sum.add(x[p].mul(b[p]));
        }
        *y = sum;
    }
}

/// The sum of the products of two vectors of equal length, with as many partial sums as pay.
#[inline(always)]
pub(super) fn dot<T: Number>(x: &[T], b: &[T]) -> T {
    dots(x, [b])[0]
}

/// [`dot`] of a vector with each of several, which hides the latency of short sums.
#[inline(always)]
fn dots<T: Number, const N: usize>(x: &[T], b: [&[T]; N]) -> [T; N] {
    match x.len() {
        0..16 => dots_in::<T, 4, N>(x, b),
        16..128 => dots_in::<T, 16, N>(x, b),
        _ => b.map(|b| dots_in::<T, 64, 1>(x, [b])[0]),
    }
}

/// Adds the products of `SOME` elements at a time, from `from` on, to the first of the sums, and returns where it ended.
#[inline(always)]
fn add_chunks<T: Number, const LANES: usize, const SOME: usize, const N: usize>(
    x: &[T],
    b: &[&[T]; N],
    from: usize,
    mut sums: [[T; LANES]; N],
) -> (usize, [[T; LANES]; N]) {
    let (xs, _) = x[from..].as_chunks::<SOME>();
    let bs = b.map(|b| b[from..].as_chunks::<SOME>().0);
    for (p, x) in xs.iter().enumerate() {
        for (sums, b) in sums.iter_mut().zip(&bs) {
            for i in 0..SOME {
                sums[i] = sums[i].add(x[i].mul(b[p][i]));
            }
        }
    }
    (from + SOME * xs.len(), sums)
}

#[inline(always)]
fn dots_in<T: Number, const LANES: usize, const N: usize>(x: &[T], b: [&[T]; N]) -> [T; N] {
    let b = b.map(|b| &b[..x.len()]);
    let (mut at, mut sums) = add_chunks::<T, LANES, LANES, N>(x, &b, 0, [[T::zero(); LANES]; N]);
    if const { LANES > 16 } {
        (at, sums) = add_chunks::<T, LANES, 16, N>(x, &b, at, sums);
    }
    if const { LANES > 4 } {
        (at, sums) = add_chunks::<T, LANES, 4, N>(x, &b, at, sums);
    }
    let mut found = [T::zero(); N];
    for ((found, sums), b) in found.iter_mut().zip(&sums).zip(&b) {
        // A separate sum for the rest, so that those above stay in registers; and steps of constant length, which
        // become vector additions.
        let rest = x[at..].iter().zip(&b[at..]).fold(T::zero(), |rest, (x, &b)| rest.add(x.mul(b)));
        let mut few = [T::zero(); 4];
        for sums in sums.as_chunks::<4>().0 {
            for i in 0..4 {
                few[i] = few[i].add(sums[i]);
            }
        }
        *found = few[0].add(few[2]).add(few[1].add(few[3])).add(rest);
    }
    found
}

/// A product for types that the `gemm` crate does not support: every row of the result is a sum of rows of `b`.
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
