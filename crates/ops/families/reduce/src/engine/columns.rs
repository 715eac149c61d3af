//! Reductions of whole rows: each result is made of elements that lie a row's width apart.

use super::{Finish, PIECE, Reduce, compiled};
use levada_kernel::Pool;

/// Rows that are accumulated one after the other before sums are added pairwise.
const LEAF: usize = 128;
/// Columns worked on at a time: what they accumulate stays in the first-level cache.
const COLUMNS: usize = 4096;
/// Rows narrower than this are accumulated several at a time, side by side.
const NARROW: usize = 32;

/// `x` is made of matrices of `size` rows and `width` columns. Reduces the rows of each to one row of `out`.
pub(super) fn reduce<T, R, O>(
    pool: &Pool,
    x: &[T],
    size: usize,
    width: usize,
    out: &mut [O],
    finish: Finish<'_, R::Acc, O>,
) where
    T: Copy + Send + Sync + 'static,
    R: Reduce<T>,
    O: Send + Sync,
{
    let nanos = 0.05 * size_of::<T>() as f64;
    let matrix = size * width;
    let pieces = (matrix / PIECE).min(size / LEAF).min(64);
    if width >= NARROW && (out.len() >= COLUMNS || pieces < 2) {
        pool.for_chunks(out, 1, nanos * size as f64, |first, out| {
            let mut at = 0;
            let mut accs = vec![R::start(); width.min(COLUMNS).min(out.len())];
            while at < out.len() {
                let (i, column) = ((first + at) / width, (first + at) % width);
                let n = (width - column).min(out.len() - at).min(accs.len());
                let accs = &mut accs[..n];
                accs.fill(R::start());
                accumulate::<T, R>(&x[i * matrix + column..(i + 1) * matrix], size, width, accs);
                finish(accs, &mut out[at..at + n]);
                at += n;
            }
        });
        return;
    }
    // Few columns: the rows are cut into pieces as well, of which each gives a row.
    let (pieces, narrow) = (pieces.max(1), width < NARROW);
    let length = size.div_ceil(pieces);
    let mut partial = vec![R::start(); out.len() * pieces];
    pool.for_chunks(&mut partial, width, nanos * (length * width) as f64, |first, partial| {
        for (p, row) in partial.chunks_exact_mut(width).enumerate() {
            let (i, piece) = ((first + p) / pieces, (first + p) % pieces);
            let (from, to) = ((piece * length).min(size), ((piece + 1) * length).min(size));
            let x = &x[i * matrix + from * width..i * matrix + to * width];
            if narrow {
                accumulate_narrow::<T, R>(x, width, row);
            } else {
                accumulate::<T, R>(x, to - from, width, row);
            }
        }
    });
    let groups = [(out.len() / width, false), (pieces, true)];
    super::merge_groups::<T, R>(&mut partial, &groups, width);
    finish(&partial[..out.len()], out);
}

/// Accumulates the first `accs.len()` elements of each of `rows` rows, which start `stride` apart, pairwise in leaves.
/// `accs` must hold the start values.
fn accumulate<T: Copy, R: Reduce<T>>(x: &[T], rows: usize, stride: usize, accs: &mut [R::Acc]) {
    if rows <= LEAF {
        return compiled::<T, R, _>(|| leaf::<T, R>(x, rows, stride, accs));
    }
    let half = rows.div_ceil(2).next_multiple_of(LEAF);
    accumulate::<T, R>(x, half, stride, accs);
    if half < rows {
        let mut others = vec![R::start(); accs.len()];
        accumulate::<T, R>(&x[half * stride..], rows - half, stride, &mut others);
        accs.iter_mut().zip(&others).for_each(|(a, &b)| *a = R::merge(*a, b));
    }
}

#[inline(always)]
fn leaf<T: Copy, R: Reduce<T>>(x: &[T], rows: usize, stride: usize, accs: &mut [R::Acc]) {
    let n = accs.len();
    let row = |i: usize| &x[i * stride..i * stride + n];
    let mut i = 0;
    // Four rows at a time, so that what is accumulated is loaded and stored less often.
    while i + 4 <= rows {
        let (a, b, c, d) = (row(i), row(i + 1), row(i + 2), row(i + 3));
        for j in 0..n {
            let left = R::merge(R::lift(a[j]), R::lift(b[j]));
            let right = R::merge(R::lift(c[j]), R::lift(d[j]));
            accs[j] = R::merge(accs[j], R::merge(left, right));
        }
        i += 4;
    }
    for i in i..rows {
        accs.iter_mut().zip(row(i)).for_each(|(acc, &x)| *acc = R::merge(*acc, R::lift(x)));
    }
}

/// As [`accumulate`] for narrow, contiguous rows: several of them make one wide row.
fn accumulate_narrow<T: Copy, R: Reduce<T>>(x: &[T], width: usize, accs: &mut [R::Acc]) {
    let together = (2 * NARROW).div_ceil(width);
    let wide = together * width;
    let rows = x.len() / wide;
    let mut wide_accs = vec![R::start(); wide];
    accumulate::<T, R>(x, rows, wide, &mut wide_accs);
    for row in x[rows * wide..].chunks_exact(width) {
        wide_accs.iter_mut().zip(row).for_each(|(acc, &x)| *acc = R::merge(*acc, R::lift(x)));
    }
    for row in wide_accs.chunks_exact(width) {
        accs.iter_mut().zip(row).for_each(|(acc, &other)| *acc = R::merge(*acc, other));
    }
}
