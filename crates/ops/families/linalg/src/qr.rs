//! `Qr`: matrices as products of one with orthonormal columns and an upper triangular one.

use super::matrix::{Field, MATRIX, Matrices, matrix_dims, pieces, room, transpose, with_dims, with_field};
use crate::prelude::*;
use levada_kernel::Pool;

/// A reflection `1 - tau v v^H` that takes `x` to a multiple of its first axis: its `tau`, that multiple, and `v` without
/// its first element, which is 1, in place of the rest of `x`. Signs are those of Eigen.
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

/// Applies `1 - tau v v^H` to a column whose first element is that of `v`'s 1.
#[inline]
pub(super) fn reflect<T: Field>(tau: T, v: &[T], column: &mut [T]) {
    if tau.is_zero() {
        return;
    }
    let dot = column[1..].iter().zip(v).fold(column[0], |sum, (c, v)| sum + v.conj() * *c);
    let factor = tau * dot;
    column[0] -= factor;
    column[1..].iter_mut().zip(v).for_each(|(c, v)| *c -= factor * *v);
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
    // Columns one after the other.
    let mut work = room(rows * cols, T::zero())?;
    transpose(a, cols, &mut work);
    let steps = rows.min(cols);
    let mut taus = room(steps, T::zero())?;
    for (k, tau) in taus.iter_mut().enumerate() {
        let (head, rest) = work.split_at_mut((k + 1) * rows);
        let column = &mut head[k * rows + k..];
        let (factor, beta) = reflection(column);
        (*tau, column[0]) = (factor, T::of(beta, 0.0));
        let v = &column[1..];
        pool.for_chunks(rest, rows, (rows - k) as f64, |_, columns| {
            columns.chunks_exact_mut(rows).for_each(|c| reflect(factor, v, &mut c[k..]));
        });
    }
    for (i, row) in r.chunks_exact_mut(cols.max(1)).enumerate() {
        for (j, out) in row.iter_mut().enumerate() {
            *out = if i <= j { work[j * rows + i] } else { T::zero() };
        }
    }
    let mut columns = room(rows * wide, T::zero())?;
    columns.iter_mut().step_by(rows + 1).take(wide).for_each(|v| *v = T::one());
    for k in (0..steps).rev() {
        let (tau, v) = (taus[k].conj(), &work[k * rows + k + 1..(k + 1) * rows]);
        // Columns before `k` are still those of the identity, zero where this would change them.
        pool.for_chunks(&mut columns[k * rows..], rows, (rows - k) as f64, |_, columns| {
            columns.chunks_exact_mut(rows).for_each(|c| reflect(tau, v, &mut c[k..]));
        });
    }
    transpose(&columns, rows.max(1), q);
    Ok(())
}

attrs! {
    /// Factors matrices: `q` has orthonormal columns, `r` is upper triangular.
    pub struct Qr {
        /// Makes `q` square.
        full_matrices: bool = Attr::bool("full_matrices").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static QR: Def<Qr> = op("Qr")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("q", of("T")), arg("r", of("T"))])
    .shape(shape)
    .kernel(qr)
    .heavy();

fn shape(op: &Qr, cx: &mut ShapeCx<'_>) -> Result<()> {
    if let Some((batch, rows, cols)) = matrix_dims(cx, 0)? {
        let wide = if op.full_matrices { rows } else { rows.zip(cols).map(|(m, n)| m.min(n)) };
        cx.output(0, with_dims(&batch, &[rows, wide]));
        cx.output(1, with_dims(&batch, &[wide, cols]));
    }
    Ok(())
}

fn qr(op: &Qr, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::of(cx, 0)?;
    let wide = if op.full_matrices { all.rows } else { all.rows.min(all.cols) };
    let mut q = cx.alloc(op.dtype, &all.shape(&[all.rows, wide])?)?;
    let mut r = cx.alloc(op.dtype, &all.shape(&[wide, all.cols])?)?;
    if op.dtype == DType::F16 {
        let a: Vec<f32> = cx.slice::<f16>(0)?.iter().map(|v| v.to_f32()).collect();
        let (mut wide_q, mut wide_r) = (room(q.num_elements(), 0f32)?, room(r.num_elements(), 0f32)?);
        factor_all(cx, &all, wide, &a, &mut wide_q, &mut wide_r)?;
        for (to, from) in [(&mut q, wide_q), (&mut r, wide_r)] {
            to.slice_mut::<f16>()?.iter_mut().zip(from).for_each(|(o, v)| *o = f16::from_f32(v));
        }
    } else {
        with_field!(op.dtype, |T| {
            factor_all(cx, &all, wide, cx.slice::<T>(0)?, q.slice_mut()?, r.slice_mut()?)
        })?;
    }
    cx.set(0, q);
    cx.set(1, r);
    Ok(())
}

fn factor_all<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, wide: usize, a: &[T], q: &mut [T], r: &mut [T]) -> Result<()> {
    let (q, r) = (pieces(q, all.count), pieces(r, all.count));
    all.each(cx.pool(), all.cubic() * 3.0, &|i, pool| {
        let a = &a[i * all.size()..][..all.size()];
        factor(pool, a, all.rows, all.cols, wide, &mut q[i].lock(), &mut r[i].lock())
    })
}

