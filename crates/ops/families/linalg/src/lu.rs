//! `Lu`: LU decomposition with row exchanges.

use super::matrix::{Field, MATRIX, Matrices, infer_square, pieces, room, square_dims, with_dims, with_field};
use super::triangular::Triangle;
use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_kernel::Pool;

/// Columns factored before they are applied to the rest of the matrix.
const BLOCK: usize = 64;

/// Replaces `a` by its factors, a unit lower and an upper triangle, and records the row permutation in `rows`. Returns
/// true if the number of exchanges was odd.
pub(super) fn factor<T: Field>(pool: &Pool, a: &mut [T], n: usize, rows: &mut [usize]) -> Result<bool> {
    rows.iter_mut().enumerate().for_each(|(i, row)| *row = i);
    let mut odd = false;
    let mut begin = 0;
    while begin < n {
        let end = (begin + BLOCK).min(n);
        for j in begin..end {
            let (mut pivot, mut most) = (j, a[j * n + j].square());
            for i in j + 1..n {
                let size = a[i * n + j].square();
                if size > most {
                    (pivot, most) = (i, size);
                }
            }
            if pivot != j {
                let (head, tail) = a.split_at_mut(pivot * n);
                head[j * n..][..n].swap_with_slice(&mut tail[..n]);
                rows.swap(j, pivot);
                odd = !odd;
            }
            if a[j * n + j].is_zero() {
                continue;
            }
            let (head, below) = a.split_at_mut((j + 1) * n);
            let row = &head[j * n..];
            for line in below.chunks_exact_mut(n) {
                let factor = line[j].over(row[j]);
                line[j] = factor;
                line[j + 1..end].iter_mut().zip(&row[j + 1..end]).for_each(|(x, r)| *x -= factor * *r);
            }
        }
        if end == n {
            break;
        }
        let (size, width) = (end - begin, n - end);
        let mut right = room(size * width, T::zero())?;
        let mut left = room((n - end) * size, T::zero())?;
        for (to, row) in right.chunks_exact_mut(width).zip(a[begin * n..].chunks_exact(n)) {
            to.copy_from_slice(&row[end..]);
        }
        let corner =
            Triangle { data: &a[begin * n + begin..], row: n, n: size, lower: true, adjoint: false, unit: true };
        corner.solve(pool, &mut right, width)?;
        let (head, below) = a.split_at_mut(end * n);
        for (from, row) in right.chunks_exact(width).zip(head[begin * n..].chunks_exact_mut(n)) {
            row[end..].copy_from_slice(from);
        }
        for (to, row) in left.chunks_exact_mut(size).zip(below.chunks_exact(n)) {
            to.iter_mut().zip(&row[begin..end]).for_each(|(to, v)| *to = -*v);
        }
        pool.for_chunks(below, n, (size * width) as f64 * 0.1, |first, rows| {
            let size3 = Size { m: rows.len() / n, n: width, k: size };
            let left = Mat::new(&left[first * size..], size);
            let _ = gemm::multiply_here(size3, left, Mat::new(&right, width), &mut rows[end..], n, true);
        });
        begin = end;
    }
    Ok(odd)
}

/// True if no pivot of the factors is zero or NaN.
pub(super) fn invertible<T: Field>(factors: &[T], n: usize) -> bool {
    factors.iter().step_by(n + 1).all(|pivot| pivot.modulus() > 0.0)
}

attrs! {
    /// Computes the LU decomposition of square matrices: `lu` holds a unit lower and an upper triangle whose product is
    /// the matrix with its rows in the order `p`.
    pub struct Lu {
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
        /// Element type of `p`.
        index: DType = Attr::dtype("output_idx_type", sets::INDEX).or_type(DType::I32),
    }
}

pub static LU: Def<Lu> = op::<Lu>("Lu")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("lu", of("T")), arg("p", of("output_idx_type"))])
    .shape(|_, cx| {
        infer_square(cx)?;
        if let Some((batch, n)) = square_dims(cx)? {
            cx.output(1, with_dims(&batch, &[n]));
        }
        Ok(())
    })
    .kernel(lu)
    .heavy()
    .supports(|op| op.dtype != DType::F16)
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn lu(op: &Lu, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::square(cx, 0).map_err(|error| match cx.input(0) {
        Ok(t) if t.shape().rank() < 2 => {
            Error::invalid(format!("Input tensor must have rank >= 2, got {}", t.shape().rank()))
        }
        _ => error,
    })?;
    let (n, shape) = (all.rows, cx.input(0)?.shape().clone());
    let order = all.shape(&[n])?;
    let mut rows = room(order.num_elements(), 0usize)?;
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let from = cx.slice::<T>(0)?;
        let rows = pieces(&mut rows, all.count);
        all.fill(cx.pool(), out, all.cubic() * 0.5, &|i, pool, out| {
            out.copy_from_slice(all.matrix(from, i));
            factor(pool, out, n, &mut rows[i].lock())?;
            if invertible(out, n) { Ok(()) } else { Err(Error::invalid("Input is not invertible.")) }
        })
    }))?;
    match op.index {
        DType::I64 => cx.produce::<i64>(1, &order, |_, out| {
            out.iter_mut().zip(&rows).for_each(|(o, &r)| *o = r as i64);
            Ok(())
        }),
        _ => cx.produce::<i32>(1, &order, |_, out| {
            out.iter_mut().zip(&rows).for_each(|(o, &r)| *o = r as i32);
            Ok(())
        }),
    }
}
