//! Reductions of whole rows: each result is made of elements that lie a row's width apart.

use super::{Finish, Loops, PIECE, Reduce, compiled};
use levada_kernel::Pool;

/// Rows that are accumulated one after the other before sums are added pairwise.
const LEAF: usize = 128;
/// Columns processed at a time: their accumulators stay in the first-level cache.
const COLUMNS: usize = 4096;
/// Rows narrower than this are accumulated several at a time, in parallel.
const NARROW: usize = 32;
/// Matrices that are enough work for all threads.
const MANY: usize = 32;

/// `x` is made of matrices of `size` rows and `width` columns. Reduces the rows of each to one row of `out`.
pub(super) fn reduce<T, A, O>(
    pool: &Pool,
    x: &[T],
    size: usize,
    width: usize,
    loops: &Loops<T, A>,
    out: &mut [O],
    finish: Finish<'_, A, O>,
) where
    T: Copy + Send + Sync + 'static,
    A: Copy + Send + Sync,
    O: Send + Sync,
{
    let nanos = 0.05 * size_of::<T>() as f64;
    let (matrix, matrices) = (size * width, out.len() / width);
    let pieces = if matrices >= MANY { 1 } else { (matrix / PIECE).min(size / LEAF).min(64) };
    if width >= NARROW && pieces < 2 {
        pool.for_chunks(out, 1, nanos * size as f64, |first, out| {
            let mut at = 0;
            let mut accs = vec![loops.start; width.min(COLUMNS).min(out.len())];
            while at < out.len() {
                let (i, column) = ((first + at) / width, (first + at) % width);
                let n = (width - column).min(out.len() - at).min(accs.len());
                let accs = &mut accs[..n];
                accs.fill(loops.start);
                accumulate(&x[i * matrix + column..(i + 1) * matrix], size, width, loops, accs);
                finish(accs, &mut out[at..at + n]);
                at += n;
            }
        });
        return;
    }
    // Few matrices: their rows are also cut into pieces, each of which yields a row. Unlike some columns of all rows,
    // whole rows are read at the speed of the memory.
    let (pieces, narrow) = (pieces.max(1), width < NARROW);
    let length = size.div_ceil(pieces);
    let mut partial = vec![loops.start; out.len() * pieces];
    pool.for_chunks(&mut partial, width, nanos * (length * width) as f64, |first, partial| {
        for (p, row) in partial.chunks_exact_mut(width).enumerate() {
            let (i, piece) = ((first + p) / pieces, (first + p) % pieces);
            let (from, to) = ((piece * length).min(size), ((piece + 1) * length).min(size));
            let x = &x[i * matrix + from * width..i * matrix + to * width];
            if narrow {
                accumulate_narrow(x, width, loops, row);
                continue;
            }
            for (block, accs) in row.chunks_mut(COLUMNS).enumerate() {
                // A piece past the end has no rows.
                let x = x.get(block * COLUMNS..).unwrap_or_default();
                accumulate(x, to - from, width, loops, accs);
            }
        }
    });
    let groups = [(matrices, false), (pieces, true)];
    super::merge_groups(&mut partial, &groups, width, loops.merge);
    finish(&partial[..out.len()], out);
}

/// Accumulates the first `accs.len()` elements of each of `rows` rows, which start `stride` apart, pairwise in leaves.
/// `accs` must hold the start values.
fn accumulate<T, A: Copy>(x: &[T], rows: usize, stride: usize, loops: &Loops<T, A>, accs: &mut [A]) {
    if rows <= LEAF {
        return (loops.rows)(x, rows, stride, accs);
    }
    let half = rows.div_ceil(2).next_multiple_of(LEAF);
    accumulate(x, half, stride, loops, accs);
    if half < rows {
        let mut others = vec![loops.start; accs.len()];
        accumulate(&x[half * stride..], rows - half, stride, loops, &mut others);
        (loops.merge)(accs, &others);
    }
}

/// Accumulates the rows of a leaf.
pub(super) fn leaf<T: Copy, R: Reduce<T>>(x: &[T], rows: usize, stride: usize, accs: &mut [R::Acc]) {
    compiled::<T, R, _>(
        #[inline(always)]
        || add_rows::<T, R>(x, rows, stride, accs),
    );
}

#[inline(always)]
fn add_rows<T: Copy, R: Reduce<T>>(x: &[T], rows: usize, stride: usize, accs: &mut [R::Acc]) {
    let n = accs.len();
    let row = |i: usize| &x[i * stride..i * stride + n];
    let mut i = 0;
    // Four rows at a time, so that accumulators are loaded and stored less often.
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
fn accumulate_narrow<T, A: Copy>(x: &[T], width: usize, loops: &Loops<T, A>, accs: &mut [A]) {
    let together = (2 * NARROW).div_ceil(width);
    let wide = together * width;
    let rows = x.len() / wide;
    let mut wide_accs = vec![loops.start; wide];
    accumulate(x, rows, wide, loops, &mut wide_accs);
    for row in x[rows * wide..].chunks_exact(width) {
        (loops.lift)(&mut wide_accs, row);
    }
    for row in wide_accs.chunks_exact(width) {
        (loops.merge)(accs, row);
    }
}
