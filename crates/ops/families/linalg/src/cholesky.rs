//! `Cholesky` and the legacy op for its gradient.

use super::matrix::{Field, Matrices, OLD, dot, identity, room, square, with_field};
use super::nodes::{adjoint, adjoint_times, band, diagonal, eye_like, solve_triangle, times, with_diagonal};
use super::triangular::Triangle;
use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::vectorized_for;
use std::ops::Range;

pub use super::matrix::Square;

/// Columns factored before they are applied to the rest of the matrix.
const BLOCK: usize = 64;

/// Factors the self-adjoint matrix whose lower triangle is in `a` as `l l^H`; `l` replaces that triangle. Returns false
/// if the matrix is not positive definite. NaN propagates.
pub(super) fn factor<T: Field>(pool: &Pool, a: &mut [T], n: usize) -> Result<bool> {
    let mut begin = 0;
    while begin < n {
        let size = BLOCK.min(n - begin);
        let end = begin + size;
        for j in begin..end {
            let row = &a[j * n + begin..j * n + j];
            let rest = (a[j * n + j] - dot(row, row)).re();
            if rest <= 0.0 {
                return Ok(false);
            }
            let diagonal = T::of(rest.sqrt(), 0.0);
            a[j * n + j] = diagonal;
            for i in j + 1..end {
                let known = dot(&a[i * n + begin..i * n + j], &a[j * n + begin..j * n + j]);
                a[i * n + j] = (a[i * n + j] - known).over(diagonal);
            }
        }
        if end == n {
            break;
        }
        let (head, below) = a.split_at_mut(end * n);
        let head = &head[begin * n..];
        let nanos = (size * size * BLOCK) as f64 * 0.1;
        pool.for_chunks(&mut below.chunks_mut(BLOCK * n).collect::<Vec<_>>(), 1, nanos, |_, parts| {
            parts.iter_mut().for_each(|rows| solve_rows(&head[begin..], rows, n, begin..end));
        });
        let mut left = room((n - end) * size, T::zero())?;
        for (to, row) in left.chunks_exact_mut(size).zip(below.chunks_exact(n)) {
            to.copy_from_slice(&row[begin..end]);
        }
        let negative: Vec<T> = left.iter().map(|&v| -v).collect();
        pool.for_chunks(below, n, ((n - end) * size) as f64 * 0.1, |first, rows| {
            let m = rows.len() / n;
            // The columns of the triangle that these rows reach.
            let size3 = Size { m, n: first + m, k: size };
            let right = Mat::new(&left, size).adjoint_if(true);
            let _ =
                gemm::multiply_here(size3, Mat::new(&negative[first * size..], size), right, &mut rows[end..], n, true);
        });
        begin = end;
    }
    Ok(true)
}

/// Divides the columns `block` of rows, at most [`BLOCK`] of them, by the adjoint of the triangle that `l` begins with;
/// rows are `n` apart. The columns are solved for one after the other, for all rows at once.
fn solve_rows<T: Field>(l: &[T], rows: &mut [T], n: usize, block: Range<usize>) {
    let (size, count) = (block.len(), rows.len() / n);
    let mut columns = [T::zero(); BLOCK * BLOCK];
    for (i, row) in rows.chunks_exact(n).enumerate() {
        row[block.clone()].iter().enumerate().for_each(|(j, &value)| columns[j * BLOCK + i] = value);
    }
    vectorized_for!(T, {
        for j in 0..size {
            let (solved, rest) = columns.split_at_mut(j * BLOCK);
            let column = &mut rest[..BLOCK];
            for (solved, factor) in solved.as_chunks::<BLOCK>().0.iter().zip(&l[j * n..]) {
                let factor = factor.conj();
                column.iter_mut().zip(solved).for_each(|(x, s)| *x -= factor * *s);
            }
            let diagonal = l[j * n + j];
            column.iter_mut().for_each(|x| *x = x.over(diagonal));
        }
    });
    for (i, row) in rows.chunks_exact_mut(n).take(count).enumerate() {
        row[block.clone()].iter_mut().enumerate().for_each(|(j, value)| *value = columns[j * BLOCK + i]);
    }
}

pub static CHOLESKY: Def<Square> = square(
    "Cholesky",
    "The Cholesky factor: the lower triangular `l` of `input = l l^H`; NaN for a matrix that is not positive definite.",
    cholesky,
)
.also(&[form("BatchCholesky").doc("Legacy name of `Cholesky`.").attrs(OLD).not_differentiable()])
.gradient(|_, g| {
    let (l, dy) = (g.output(0), g.dy(0));
    let inverse = solve_triangle(l, eye_like(l), true, false);
    let middle = adjoint_times(l, dy);
    let middle = band(with_diagonal(middle, diagonal(middle) * 0.5), -1, 0);
    let da = times(adjoint_times(inverse, middle), inverse);
    vec![((da + adjoint(da)) * 0.5).into()]
})
.batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn cholesky(op: &Square, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let (n, shape) = (all.rows, cx.input(0)?.shape().clone());
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let from = cx.slice::<T>(0)?;
        // TensorFlow's standard NaN of a complex type is zero.
        let none = if op.dtype.is_complex() { T::zero() } else { T::of(f64::NAN, 0.0) };
        all.fill(cx.pool(), out, all.cubic() * 0.3, &|i, pool, out| {
            out.copy_from_slice(all.matrix(from, i));
            let found = factor(pool, out, n)?;
            for (r, row) in out.chunks_exact_mut(n.max(1)).enumerate() {
                if !found {
                    row[..=r].fill(none);
                }
                row[r + 1..].fill(T::zero());
            }
            Ok(())
        })
    }))
}

pub static CHOLESKY_GRAD: Def<Square> = square(
    "CholeskyGrad",
    "The gradient of `Cholesky` with respect to its input, from its output and the output's gradient.",
    cholesky_grad,
)
.inputs(&[arg("l", of("T")), arg("grad", of("T"))])
.attrs(&[Attr::dtype("T", &[DType::F16, DType::F32, DType::F64])])
.also(&[form("BatchCholeskyGrad")
    .doc("Legacy name of `CholeskyGrad`.")
    .attrs(&[Attr::dtype("T", &[DType::F32, DType::F64])])])
.batch(|op, b| if b.rank(0)? < 2 || b.rank(1)? < 2 { None } else { leading(op, b) });

fn cholesky_grad(op: &Square, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let given = all.beside(cx, 1)?;
    if (given.rows, given.cols) != (all.rows, all.cols) {
        return Err(Error::invalid("Inputs (L and grad) must have the same shape."));
    }
    let (n, shape) = (all.rows, cx.input(0)?.shape().clone());
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (l, dl) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        all.fill(cx.pool(), out, all.cubic() * 2.0, &|b, pool, out| {
            let whole = Size { m: n, n, k: n };
            // Only the lower triangles of both are used.
            let lower = |of: &[T]| -> Result<Vec<T>> {
                let mut to = room(n * n, T::zero())?;
                for i in 0..n {
                    to[i * n..=i * n + i].copy_from_slice(&of[i * n..=i * n + i]);
                }
                Ok(to)
            };
            let (l, dl) = (lower(all.matrix(l, b))?, lower(all.matrix(dl, b))?);
            let mut middle = room(n * n, T::zero())?;
            gemm::multiply(pool, whole, Mat::new(&l, n).adjoint_if(true), Mat::new(&dl, n), &mut middle)?;
            for i in 0..n {
                middle[i * n + i] *= T::of(0.5, 0.0);
                middle[i * n + i + 1..(i + 1) * n].fill(T::zero());
            }
            let mut inverse = identity(n)?;
            let l = Triangle { data: &l, row: n, n, lower: true, adjoint: false, unit: false };
            l.solve(pool, &mut inverse, n)?;
            Triangle { adjoint: true, ..l }.solve(pool, &mut middle, n)?;
            gemm::multiply(pool, whole, Mat::new(&middle, n), Mat::new(&inverse, n), out)?;
            for i in 0..n {
                for j in 0..=i {
                    let mean = (out[i * n + j] + out[j * n + i].conj()) * T::of(0.5, 0.0);
                    (out[i * n + j], out[j * n + i]) = (mean, mean.conj());
                }
            }
            Ok(())
        })
    }))
}
