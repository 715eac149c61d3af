//! `Qr`: QR decomposition.

use super::matrix::{
    Field, MATRIX, Matrices, dot, matrix_dims, narrow, pieces, room, transpose, widened, with_dims, with_field,
};
use super::nodes::{
    adjoint, adjoint_times, band, diagonal, is_complex, matrix, part, sizes, solve_triangle, times, times_adjoint,
    unable,
};
use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::rules::{concat, real};
use levada_ops_core::vectorized_for;
use std::ops::Range;
use std::sync::OnceLock;

/// A Householder reflection `1 - tau v v^H` that maps `x` to a multiple of its first axis: returns `tau` and that
/// multiple, and replaces the rest of `x` with `v` without its first element, which is 1. Signs match Eigen's.
pub(super) fn reflection<T: Field>(x: &mut [T]) -> (T, f64) {
    let tail: f64 = x[1..].iter().map(|v| v.square()).sum();
    let head = x[0];
    if tail <= T::TINY && head.im() * head.im() <= T::TINY {
        x[1..].fill(T::zero());
        return (T::zero(), head.re());
    }
    let size = (head.square() + tail).sqrt();
    let beta = T::of(if head.re() >= 0.0 { -size } else { size }, 0.0);
    let over = head - beta;
    x[1..].iter_mut().for_each(|v| *v /= over);
    (((beta - head) / beta).conj(), beta.re())
}

/// Applies `1 - tau v v^H` to a column whose first element corresponds to the 1 in `v`.
#[inline(always)]
pub(super) fn reflect<T: Field>(tau: T, v: &[T], column: &mut [T]) {
    if tau.is_zero() {
        return;
    }
    let factor = tau * (column[0] + dot(&column[1..], v));
    column[0] -= factor;
    column[1..].iter_mut().zip(v).for_each(|(c, v)| *c -= factor * *v);
}

/// Applies a reflection to the elements from `first` on of columns of `rows` elements.
fn reflect_all<T: Field>(tau: T, v: &[T], columns: &mut [T], rows: usize, first: usize) {
    vectorized_for!(T, {
        for column in columns.chunks_exact_mut(rows) {
            reflect(tau, v, &mut column[first..]);
        }
    });
}

/// Number of reflections applied together.
const PANEL: usize = 16;

/// Successive reflections applied as matrix products. `1 - tau v v^H` subtracts `f v`, where `f` is `tau v^H x` for the
/// `x` left by the preceding reflections: all the `f` of a column are a linear function of its products with the `v`
/// (Bischof and Van Loan, "The WY representation for products of Householder matrices", 1987).
struct Reflections<T> {
    /// One `v` per row, all as long as the first.
    vectors: Vec<T>,
    /// Maps a row of products of a column with the `v` to one of `-f`.
    weights: Vec<T>,
    count: usize,
}

impl<T: Field> Reflections<T> {
    /// The reflections stored in `work` below the diagonal of these columns of `rows` elements; with `back` their
    /// inverses in reverse order.
    fn of(work: &[T], taus: &[T], rows: usize, columns: Range<usize>, back: bool) -> Result<Reflections<T>> {
        let (count, len) = (columns.len(), rows - columns.start);
        let column = |i: usize| if back { columns.end - 1 - i } else { columns.start + i };
        let mut vectors = room(count * len, T::zero())?;
        for (i, vector) in vectors.chunks_exact_mut(len).enumerate() {
            let k = column(i);
            let vector = &mut vector[k - columns.start..];
            vector[0] = T::one();
            vector[1..].copy_from_slice(&work[k * rows + k + 1..][..rows - k - 1]);
        }
        // Products of each row's `v` with the conjugate of each column's.
        let mut gram = room(count * count, T::zero())?;
        let v = Mat::new(&vectors, len);
        gemm::multiply_here(Size { m: count, n: count, k: len }, v, v.adjoint_if(true), &mut gram, count, false)?;
        let mut weights = room(count * count, T::zero())?;
        for (at, row) in weights.chunks_exact_mut(count).enumerate() {
            for j in at..count {
                let tau = taus[column(j)];
                let tau = if back { tau.conj() } else { tau };
                let taken = (at..j).fold(T::zero(), |sum, i| sum + row[i] * gram[i * count + j]);
                row[j] = -(tau * (if j == at { T::one() } else { taken }));
            }
        }
        Ok(Reflections { vectors, weights, count })
    }

    /// Applies the reflections to the elements from `first` on of columns of `rows` elements.
    fn apply(&self, pool: &Pool, columns: &mut [T], rows: usize, first: usize) -> Result<()> {
        let (count, len) = (self.count, rows - first);
        let (vectors, weights) = (Mat::new(&self.vectors, len), Mat::new(&self.weights, count));
        let nanos = (count * len) as f64 * 0.1;
        let failed = OnceLock::new();
        let one = |piece: &mut [T]| {
            let m = piece.len() / rows;
            let (mut products, mut factors) = (room(m * count, T::zero())?, room(m * count, T::zero())?);
            let size = Size { m, n: count, k: len };
            gemm::multiply_here(
                size,
                Mat::new(&piece[first..], rows),
                vectors.adjoint_if(true),
                &mut products,
                count,
                false,
            )?;
            let size = Size { m, n: count, k: count };
            gemm::multiply_here(size, Mat::new(&products, count), weights, &mut factors, count, false)?;
            let size = Size { m, n: len, k: count };
            gemm::multiply_here(size, Mat::new(&factors, count), vectors, &mut piece[first..], rows, true)
        };
        pool.for_chunks(columns, rows, nanos, |_, piece| {
            one(piece).unwrap_or_else(|error| drop(failed.set(error)));
        });
        failed.into_inner().map_or(Ok(()), Err)
    }
}

/// `q` (rows x `wide`) and `r` (`wide` x cols) of a matrix, all row-major.
pub(super) fn factor<T: Field>(
    pool: &Pool,
    a: &[T],
    rows: usize,
    cols: usize,
    wide: usize,
    q: &mut [T],
    r: &mut [T],
) -> Result<()> {
    // Column-major.
    let mut work = room(rows * cols, T::zero())?;
    transpose(a, cols, &mut work);
    let steps = rows.min(cols);
    let mut taus = room(steps, T::zero())?;
    for begin in (0..steps).step_by(PANEL) {
        let end = steps.min(begin + PANEL);
        let (panel, rest) = work.split_at_mut(end * rows);
        for k in begin..end {
            let (head, others) = panel.split_at_mut((k + 1) * rows);
            let column = &mut head[k * rows + k..];
            let (factor, beta) = reflection(column);
            (taus[k], column[0]) = (factor, T::of(beta, 0.0));
            let (v, nanos) = (&column[1..], (rows - k) as f64);
            pool.for_chunks(others, rows, nanos, |_, columns| reflect_all(factor, v, columns, rows, k));
        }
        if !rest.is_empty() {
            Reflections::of(&work, &taus, rows, begin..end, false)?.apply(
                pool,
                &mut work[end * rows..],
                rows,
                begin,
            )?;
        }
    }
    for (i, row) in r.chunks_exact_mut(cols.max(1)).enumerate() {
        for (j, out) in row.iter_mut().enumerate() {
            *out = if i <= j { work[j * rows + i] } else { T::zero() };
        }
    }
    let mut columns = room(rows * wide, T::zero())?;
    columns.iter_mut().step_by(rows + 1).take(wide).for_each(|v| *v = T::one());
    for begin in (0..steps).step_by(PANEL).rev() {
        let end = steps.min(begin + PANEL);
        // Columns before these are still those of the identity, and zero where the reflections act.
        if wide <= end {
            for k in (begin..end).rev() {
                let (tau, v) = (taus[k].conj(), &work[k * rows + k + 1..(k + 1) * rows]);
                let nanos = (rows - k) as f64;
                pool.for_chunks(&mut columns[k * rows..], rows, nanos, |_, columns| {
                    reflect_all(tau, v, columns, rows, k);
                });
            }
            continue;
        }
        Reflections::of(&work, &taus, rows, begin..end, true)?.apply(
            pool,
            &mut columns[begin * rows..],
            rows,
            begin,
        )?;
    }
    transpose(&columns, rows.max(1), q);
    Ok(())
}

attrs! {
    /// Computes the QR decomposition of matrices: `q` has orthonormal columns, `r` is upper triangular.
    pub struct Qr {
        /// If true, `q` is square.
        full_matrices: bool = Attr::bool("full_matrices").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static QR: Def<Qr> = op::<Qr>("Qr")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("q", of("T")), arg("r", of("T"))])
    .shape(|op, cx| {
        if let Some((batch, rows, cols)) = matrix_dims(cx, 0)? {
            let wide = if op.full_matrices { rows } else { rows.zip(cols).map(|(m, n)| m.min(n)) };
            cx.output(0, with_dims(&batch, &[rows, wide]));
            cx.output(1, with_dims(&batch, &[wide, cols]));
        }
        Ok(())
    })
    .gradient(|_, g| {
        let (a, q, r) = (g.input(0), g.output(0), g.output(1));
        let (dq, dr) = (g.dy(0), g.dy(1));
        let (Some((q_rows, q_cols)), Some((r_rows, r_cols))) = (sizes(q), sizes(r)) else {
            return unable(g, "of matrices of unknown sizes");
        };
        if r_rows > r_cols && q_rows == q_cols {
            return unable(g, "with full_matrices of matrices with more rows than columns");
        }
        if q_rows >= r_cols {
            return vec![of_deep(q, r, dq, dr).into()];
        }
        let m = Some(q_rows as i32);
        let (y, u) = (part(a, -1, m, None), part(r, -1, None, m));
        let (dv, du) = (part(dr, -1, m, None), part(dr, -1, None, m));
        let dx = of_deep(q, u, dq + times_adjoint(y, dv), du);
        vec![concat(g, &[dx, times(q, dv)], -1).into()]
    })
    .kernel(qr)
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

/// The gradient of matrices with at least as many rows as columns.
fn of_deep<'g>(q: V<'g>, r: V<'g>, dq: V<'g>, dr: V<'g>) -> V<'g> {
    let (qdq, rdr) = (adjoint_times(q, dq), times_adjoint(r, dr));
    let lower = band((qdq - adjoint(qdq)) + (rdr - adjoint(rdr)), -1, 0);
    let from_r = times(q, dr + over_adjoint(lower, r));
    let from_q = over_adjoint(dq - times(q, qdq), r);
    let sum = from_r + from_q;
    if !is_complex(q) {
        return sum;
    }
    let m = diagonal(rdr - adjoint(qdq));
    let imaginary = m - real(m).cast(q.dtype());
    sum + over_adjoint(times(q, matrix(imaginary.conj())), r)
}

/// `x r^-H` for upper triangular `r`.
fn over_adjoint<'g>(x: V<'g>, r: V<'g>) -> V<'g> {
    adjoint(solve_triangle(r, adjoint(x), false, false))
}

fn qr(op: &Qr, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::of(cx, 0)?;
    let wide = if op.full_matrices { all.rows } else { all.rows.min(all.cols) };
    let mut q = cx.alloc(op.dtype, &all.shape(&[all.rows, wide])?)?;
    let mut r = cx.alloc(op.dtype, &all.shape(&[wide, all.cols])?)?;
    if op.dtype == DType::F16 {
        let a = widened(cx.slice::<f16>(0)?)?;
        let (mut wide_q, mut wide_r) = (room(q.num_elements(), 0f32)?, room(r.num_elements(), 0f32)?);
        factor_all(cx, &all, wide, &a, &mut wide_q, &mut wide_r)?;
        narrow(&wide_q, q.slice_mut()?);
        narrow(&wide_r, r.slice_mut()?);
    } else {
        with_field!(op.dtype, |T| factor_all(cx, &all, wide, cx.slice::<T>(0)?, q.slice_mut()?, r.slice_mut()?))?;
    }
    cx.set(0, q);
    cx.set(1, r);
    Ok(())
}

fn factor_all<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, wide: usize, a: &[T], q: &mut [T], r: &mut [T]) -> Result<()> {
    let (q, r) = (pieces(q, all.count), pieces(r, all.count));
    all.each(cx.pool(), all.cubic() * 3.0, &|i, pool| {
        factor(pool, all.matrix(a, i), all.rows, all.cols, wide, &mut q[i].lock(), &mut r[i].lock())
    })
}
