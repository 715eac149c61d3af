//! Systems of equations, inverses and determinants of square matrices, from their factors.

use super::lu::{factor, invertible};
use super::matrix::{Field, MATRIX, Matrices, infer_solve, infer_square, matrix_dims, pieces, room, same, with_dims, with_field};
use super::triangular::Triangle;
use crate::prelude::*;
use levada_kernel::Pool;

/// Solves `a x = b` (with the conjugate transpose where `adjoint`) for an `n` x `n` matrix and `k` columns, which replace
/// `b`'s in `x`; `a` is replaced by its factors. `singular` is the message for a matrix that has no inverse.
pub(super) fn solve<T: Field>(
    pool: &Pool,
    (a, n): (&mut [T], usize),
    (b, k): (&[T], usize),
    adjoint: bool,
    x: &mut [T],
    singular: &str,
) -> Result<()> {
    let mut rows = room(n, 0usize)?;
    factor(pool, a, n, &mut rows)?;
    if !invertible(a, n) {
        return Err(Error::invalid(singular.to_owned()));
    }
    let lower = Triangle { data: a, row: n, n, lower: true, adjoint, unit: true };
    let upper = Triangle { lower: false, unit: false, ..lower };
    if adjoint {
        let mut found = room(b.len(), T::zero())?;
        found.copy_from_slice(b);
        upper.solve(pool, &mut found, k)?;
        lower.solve(pool, &mut found, k)?;
        for (i, &row) in rows.iter().enumerate() {
            x[row * k..][..k].copy_from_slice(&found[i * k..][..k]);
        }
        return Ok(());
    }
    for (i, &row) in rows.iter().enumerate() {
        x[i * k..][..k].copy_from_slice(&b[row * k..][..k]);
    }
    lower.solve(pool, x, k)?;
    upper.solve(pool, x, k)
}

macro_rules! solves {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Solves with the conjugate transposes.
                adjoint: bool = Attr::bool("adjoint").or_bool(false),
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("matrix", of("T")), arg("rhs", of("T"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer_solve(cx, true, false)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype != DType::F16
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                solve_all(cx, self.dtype, self.adjoint)
            }
        }
    )*};
}

solves! {
    /// Solves `matrix * output = rhs` for square matrices.
    MatrixSolve, MATRIX;
    /// The name of `MatrixSolve` in old graphs.
    BatchMatrixSolve, &[DType::F64, DType::F32];
}

fn solve_all(cx: &mut Cx<'_, '_>, dtype: DType, adjoint: bool) -> Result<()> {
    let all = Matrices::of(cx, 0)?;
    let right = all.beside(cx, 1)?;
    let (n, k) = (all.rows, right.cols);
    if n != all.cols {
        return Err(Error::invalid("First input (lhs) must be a square matrix."));
    }
    if right.rows != n {
        return Err(Error::invalid("Input matrix and rhs are incompatible."));
    }
    let shape = cx.input(1)?.shape().clone();
    let mut out = cx.alloc(dtype, &shape)?;
    if shape.num_elements() > 0 {
        with_field!(dtype, |T| {
            let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
            let out = pieces(out.slice_mut::<T>()?, all.count);
            all.each(cx.pool(), all.cubic() * 0.5, &|i, pool| {
                let mut factors = room(n * n, T::zero())?;
                factors.copy_from_slice(&a[i * n * n..][..n * n]);
                let (b, singular) = (&b[i * n * k..][..n * k], "Input matrix is not invertible.");
                solve(pool, (&mut factors, n), (b, k), adjoint, &mut out[i].lock(), singular)
            })
        })?;
    }
    cx.set(0, out);
    Ok(())
}

macro_rules! inverses {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Gives the conjugate transposes of the inverses.
                adjoint: bool = Attr::bool("adjoint").or_bool(false),
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer_square(cx)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                invert(cx, self.dtype, self.adjoint)
            }
        }
    )*};
}

inverses! {
    /// The inverses of square matrices.
    MatrixInverse, MATRIX;
    /// The name of `MatrixInverse` in old graphs.
    BatchMatrixInverse, &[DType::F64, DType::F32];
}

/// The inverses of `from`'s matrices in `out`.
fn invert_into<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, adjoint: bool, from: &[T], out: &mut [T]) -> Result<()> {
    let n = all.rows;
    let out = pieces(out, all.count);
    all.each(cx.pool(), all.cubic() * 1.5, &|i, pool| {
        let mut factors = room(n * n, T::zero())?;
        factors.copy_from_slice(&from[i * n * n..][..n * n]);
        let eye = super::matrix::identity(n)?;
        solve(pool, (&mut factors, n), (&eye, n), adjoint, &mut out[i].lock(), "Input is not invertible.")
    })
}

fn invert(cx: &mut Cx<'_, '_>, dtype: DType, adjoint: bool) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let shape = cx.input(0)?.shape().clone();
    let mut out = cx.alloc(dtype, &shape)?;
    if dtype == DType::F16 {
        let wide: Vec<f32> = cx.slice::<f16>(0)?.iter().map(|v| v.to_f32()).collect();
        let mut found = room(wide.len(), 0f32)?;
        invert_into(cx, &all, adjoint, &wide, &mut found)?;
        out.slice_mut::<f16>()?.iter_mut().zip(found).for_each(|(o, v)| *o = f16::from_f32(v));
    } else {
        with_field!(dtype, |T| invert_into(cx, &all, adjoint, cx.slice::<T>(0)?, out.slice_mut::<T>()?))?;
    }
    cx.set(0, out);
    Ok(())
}

/// Sign and logarithm of the absolute value of the determinant of each matrix of input 0.
fn log_determinants<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, signs: &mut [T], logs: &mut [f64]) -> Result<()> {
    let (n, from) = (all.rows, cx.slice::<T>(0)?);
    let (signs, logs) = (pieces(signs, all.count), pieces(logs, all.count));
    all.each(cx.pool(), all.cubic() * 0.5, &|i, pool| {
        let mut factors = room(n * n, T::zero())?;
        factors.copy_from_slice(&from[i * n * n..][..n * n]);
        let mut rows = room(n, 0usize)?;
        let odd = factor(pool, &mut factors, n, &mut rows)?;
        let (mut sign, mut log) = (T::of(if odd { -1.0 } else { 1.0 }, 0.0), 0.0);
        for &pivot in factors.iter().step_by(n + 1) {
            let size = pivot.modulus();
            log += size.ln();
            sign *= match pivot.im() == 0.0 && !size.is_nan() {
                true if size == 0.0 => T::zero(),
                true => T::of(pivot.re().signum(), 0.0),
                false => pivot / T::of(size, 0.0),
            };
        }
        signs[i].lock()[0] = sign;
        logs[i].lock()[0] = log;
        Ok(())
    })
}

macro_rules! determinants {
    ($($(#[doc = $doc:literal])* $name:ident, $outputs:expr, $dtypes:expr, $compute:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T"))],
                outputs: $outputs,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                if let Some((batch, rows, cols)) = matrix_dims(cx, 0)? {
                    same(rows, cols)?;
                    for i in 0..cx.num_outputs() {
                        cx.output(i, with_dims(&batch, &[]));
                    }
                }
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype != DType::F16
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $compute(cx, self.dtype)
            }
        }
    )*};
}

const NUMBER: &[Arg] = &[arg("output", of("T"))];
const SIGN_AND_LOG: &[Arg] = &[arg("sign", of("T")), arg("log_abs_determinant", of("T"))];

determinants! {
    /// The determinants of square matrices.
    MatrixDeterminant, NUMBER, MATRIX, determinant;
    /// The name of `MatrixDeterminant` in old graphs.
    BatchMatrixDeterminant, NUMBER, &[DType::F32, DType::F64, DType::C64, DType::C128], determinant;
    /// The sign of the determinants of square matrices, and the logarithm of their absolute value.
    LogMatrixDeterminant, SIGN_AND_LOG, MATRIX, log_determinant;
}

fn determinant(cx: &mut Cx<'_, '_>, dtype: DType) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let shape = all.shape(&[])?;
    let mut logs = room(all.count, 0.0)?;
    with_field!(dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        log_determinants(cx, &all, out, &mut logs)?;
        out.iter_mut().zip(&logs).for_each(|(o, log)| *o *= T::of(log.exp(), 0.0));
        Ok(())
    }))
}

fn log_determinant(cx: &mut Cx<'_, '_>, dtype: DType) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let shape = all.shape(&[])?;
    let mut logs = room(all.count, 0.0)?;
    with_field!(dtype, |T| {
        cx.produce::<T>(0, &shape, |cx, out| log_determinants(cx, &all, out, &mut logs))?;
        cx.produce::<T>(1, &shape, |_, out| {
            out.iter_mut().zip(&logs).for_each(|(o, &log)| *o = T::of(log, 0.0));
            Ok(())
        })
    })
}
