//! `MatrixSolveLs`: over- and underdetermined linear systems.

use super::cholesky::{CHOLESKY, factor};
use super::matrix::{
    Field, MATRIX, Matrices, OLD, converted, copied, decomposed, infer_solve, room, with_field, write,
};
use super::nodes::{adjoint_times, eye_like, product, sizes, solve_triangle, times, times_adjoint, transpose, unable};
use super::triangular::Triangle;
use crate::prelude::*;
use levada_decompose::Decompose;
use levada_gemm::{self as gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::rules::NONE;

attrs! {
    /// Solves linear systems in the least-squares sense, minimizing the squared residual plus `l2_regularizer` times
    /// the squared norm of the solution; of several minimizers returns the one with the least norm.
    pub struct MatrixSolveLs {
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
        /// If true, solves the normal equations, which requires matrices of full rank.
        fast: bool = Attr::bool("fast").or_bool(true),
    }
}

pub static MATRIX_SOLVE_LS: Def<MatrixSolveLs> = op("MatrixSolveLs")
    .inputs(&[arg("matrix", of("T")), arg("rhs", of("T")), arg("l2_regularizer", is(DType::F64))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("BatchMatrixSolveLs").doc("Legacy name of `MatrixSolveLs`.").attrs(OLD).not_differentiable()])
    .shape(|_, cx| {
        cx.with_rank(2, 0)?;
        infer_solve(cx, false, false)
    })
    .gradient(gradient)
    .kernel(matrix_solve_ls)
    .heavy()
    .supports(|op| op.dtype != DType::F16);

fn gradient(op: &MatrixSolveLs, g: &GradCx) -> Grads {
    if !op.fast {
        return unable(g, "without fast");
    }
    let (a, b, dy, x) = (g.input(0), g.input(1), g.dy(0), g.output(0));
    let Some((rows, cols)) = sizes(a) else { return unable(g, "of matrices of unknown sizes") };
    let over = rows >= cols;
    let gram = product(a, a, [over, !over]);
    let gram = gram + eye_like(gram) * g.input(2).cast(op.dtype);
    let l = CHOLESKY.call([gram]);
    if over {
        let z = solved(l, dy);
        let xz = times_adjoint(x, z);
        let da = times_adjoint(b, z) - times(a, xz + transpose(xz));
        return vec![da.into(), times(a, z).into(), NONE];
    }
    let db = solved(l, times(a, dy));
    let inner = solved(l, b);
    let one = -times(db, adjoint_times(inner, a));
    let two = times_adjoint(inner, dy - adjoint_times(a, db));
    vec![(one + two).into(), db.into(), NONE]
}

/// The solutions of `l l^H x = b`.
fn solved<'g>(l: V<'g>, b: V<'g>) -> V<'g> {
    solve_triangle(l, solve_triangle(l, b, true, false), true, true)
}

/// The dimensions of one system: `m` equations, `n` unknowns, `k` right-hand sides.
#[derive(Clone, Copy)]
struct System {
    m: usize,
    n: usize,
    k: usize,
}

fn matrix_solve_ls(op: &MatrixSolveLs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::of(cx, 0)?;
    let right = all.beside(cx, 1)?;
    let weight = cx.input(2)?;
    if !weight.shape().is_scalar() {
        return Err(Error::invalid(format!("l2_regularizer must be scalar, got shape {}", weight.shape())));
    }
    let weight = cx.scalar::<f64>(2)?;
    if weight < 0.0 {
        return Err(Error::invalid("l2_regularizer must be >= 0."));
    }
    if all.rows != right.rows {
        return Err(Error::invalid("Input matrix and rhs are incompatible."));
    }
    let system = System { m: all.rows, n: all.cols, k: right.cols };
    let shape = all.shape(&[system.n, system.k])?;
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        out.fill(T::zero());
        if out.is_empty() || system.m == 0 {
            return Ok(());
        }
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        all.fill(cx.pool(), out, all.cubic() * if op.fast { 1.0 } else { 20.0 }, &|i, pool, out| {
            let (a, b) = (all.matrix(a, i), right.matrix(b, i));
            match op.fast {
                true => normal_equations(pool, system, a, b, weight, out),
                false => least(system, a, b, out),
            }
        })
    }))
}

fn normal_equations<T: Field>(pool: &Pool, system: System, a: &[T], b: &[T], weight: f64, x: &mut [T]) -> Result<()> {
    let System { m, n, k } = system;
    let (size, over) = (m.min(n), m >= n);
    let (plain, adjoint) = (Mat::new(a, n), Mat::new(a, n).adjoint_if(true));
    let (left, right) = if over { (adjoint, plain) } else { (plain, adjoint) };
    let mut gram = room(size * size, T::zero())?;
    gemm::multiply(pool, Size { m: size, n: size, k: m.max(n) }, left, right, &mut gram)?;
    gram.iter_mut().step_by(size + 1).for_each(|v| *v += T::of(weight, 0.0));
    if !factor(pool, &mut gram, size)? {
        return Err(Error::invalid(
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide a larger \
             l2_regularizer > 0.",
        ));
    }
    let l = Triangle { data: &gram, row: size, n: size, lower: true, adjoint: false, unit: false };
    if over {
        gemm::multiply(pool, Size { m: n, n: k, k: m }, adjoint, Mat::new(b, k), x)?;
        l.solve(pool, x, k)?;
        return Triangle { adjoint: true, ..l }.solve(pool, x, k);
    }
    let mut y = copied(b)?;
    l.solve(pool, &mut y, k)?;
    Triangle { adjoint: true, ..l }.solve(pool, &mut y, k)?;
    gemm::multiply(pool, Size { m: n, n: k, k: m }, adjoint, Mat::new(&y, k), x)
}

/// The minimum-norm solution from the SVD, without singular values close to zero; NaN if the SVD fails.
fn least<T: Field<Double: Decompose>>(system: System, a: &[T], b: &[T], x: &mut [T]) -> Result<()> {
    if !pseudo(system, a, b, x)? {
        x.fill(T::of(f64::NAN, 0.0));
    }
    Ok(())
}

fn pseudo<T: Field<Double: Decompose>>(system: System, a: &[T], b: &[T], x: &mut [T]) -> Result<bool> {
    let System { m, n, k } = system;
    if !a.iter().all(|v| v.finite()) {
        return Ok(false);
    }
    let wide = converted::<T, T::Double>(a)?;
    let Some(svd) = decomposed(|| T::Double::svd(&wide, m, n, Some(false))) else { return Ok(false) };
    let size = m.min(n);
    let limit = svd.values.first().copied().unwrap_or(0.0) * T::EPSILON * size as f64;
    let b: Vec<T::Double> = converted(b)?;
    let mut y = room(size * k, T::Double::zero())?;
    for (j, &value) in svd.values.iter().enumerate().filter(|(_, value)| **value > limit) {
        let row = &mut y[j * k..][..k];
        for i in 0..m {
            let u = svd.left[i * size + j].conj() / T::Double::of(value, 0.0);
            row.iter_mut().zip(&b[i * k..][..k]).for_each(|(y, b)| *y += u * *b);
        }
    }
    let mut found = room(n * k, T::Double::zero())?;
    for (i, row) in found.chunks_exact_mut(k).enumerate() {
        for j in 0..size {
            let v = svd.right[i * size + j];
            row.iter_mut().zip(&y[j * k..][..k]).for_each(|(x, y)| *x += v * *y);
        }
    }
    write(&found, x);
    Ok(true)
}
