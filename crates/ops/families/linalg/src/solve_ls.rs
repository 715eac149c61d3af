//! `MatrixSolveLs`: systems of equations with more or fewer equations than unknowns.

use super::cholesky::factor;
use levada_gemm::{self as gemm, Mat, Size};
use super::matrix::{Field, MATRIX, Matrices, converted, infer_solve, pieces, room, with_field};
use super::svd::Wide;
use super::triangular::Triangle;
use crate::prelude::*;
use levada_kernel::Pool;

macro_rules! solves {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
                /// Solves the normal equations, which takes matrices of full rank.
                fast: bool = Attr::bool("fast").or_bool(true),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("matrix", of("T")), arg("rhs", of("T")), arg("l2_regularizer", is(DType::F64))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(2, 0)?;
                infer_solve(cx, false, false)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype != DType::F16
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                compute(cx, self.dtype, self.fast)
            }
        }
    )*};
}

solves! {
    /// Solves systems so that the sum of the squares of what is left is least, plus `l2_regularizer` times that of the
    /// solution; where there is more than one such solution the one with least squares.
    MatrixSolveLs, MATRIX;
    /// The name of `MatrixSolveLs` in old graphs.
    BatchMatrixSolveLs, &[DType::F64, DType::F32];
}

/// The shape of one system: `m` equations, `n` unknowns, `k` right-hand sides.
#[derive(Clone, Copy)]
struct System {
    m: usize,
    n: usize,
    k: usize,
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, fast: bool) -> Result<()> {
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
    let mut out = cx.zeros(dtype, &shape)?;
    if shape.num_elements() > 0 && system.m > 0 {
        with_field!(dtype, |T| {
            let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
            let out = pieces(out.slice_mut::<T>()?, all.count);
            all.each(cx.pool(), all.cubic() * if fast { 1.0 } else { 20.0 }, &|i, pool| {
                let a = &a[i * all.size()..][..all.size()];
                let b = &b[i * right.size()..][..right.size()];
                match fast {
                    true => normal_equations(pool, system, a, b, weight, &mut out[i].lock()),
                    false => least(system, dtype, a, b, &mut out[i].lock()),
                }
            })
        })?;
    }
    cx.set(0, out);
    Ok(())
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
    let mut y = room(b.len(), T::zero())?;
    y.copy_from_slice(b);
    l.solve(pool, &mut y, k)?;
    Triangle { adjoint: true, ..l }.solve(pool, &mut y, k)?;
    gemm::multiply(pool, Size { m: n, n: k, k: m }, adjoint, Mat::new(&y, k), x)
}

/// The solution with least squares from the singular values, of which those next to zero are left out.
fn least<T: Field>(system: System, dtype: DType, a: &[T], b: &[T], x: &mut [T]) -> Result<()> {
    let found = match dtype {
        DType::F32 | DType::F64 => pseudo::<T, f64>(system, a, b, x)?,
        _ => pseudo::<T, Complex64>(system, a, b, x)?,
    };
    if !found {
        x.fill(T::of(f64::NAN, 0.0));
    }
    Ok(())
}

fn pseudo<T: Field, W: Wide>(system: System, a: &[T], b: &[T], x: &mut [T]) -> Result<bool> {
    let System { m, n, k } = system;
    if !a.iter().all(|v| v.finite()) {
        return Ok(false);
    }
    let Some(svd) = W::svd(&converted::<T, W>(a)?, m, n, Some(false)) else { return Ok(false) };
    let size = m.min(n);
    let limit = svd.values.first().copied().unwrap_or(0.0) * T::EPSILON * size as f64;
    let b: Vec<W> = converted(b)?;
    let mut y = room(size * k, W::zero())?;
    for (j, &value) in svd.values.iter().enumerate().filter(|(_, value)| **value > limit) {
        let row = &mut y[j * k..][..k];
        for i in 0..m {
            let u = svd.left[i * size + j].conj() / W::of(value, 0.0);
            row.iter_mut().zip(&b[i * k..][..k]).for_each(|(y, b)| *y += u * *b);
        }
    }
    let mut found = room(n * k, W::zero())?;
    for (i, row) in found.chunks_exact_mut(k).enumerate() {
        for j in 0..size {
            let v = svd.right[i * size + j];
            row.iter_mut().zip(&y[j * k..][..k]).for_each(|(x, y)| *x += v * *y);
        }
    }
    super::matrix::write(&found, x);
    Ok(true)
}
