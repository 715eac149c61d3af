//! Linear systems, inverses and determinants of square matrices, from their LU factors.

use super::lu::{factor, invertible};
use super::matrix::{
    Field, INPUT, MATRIX, Matrices, OLD, OUTPUT, Square, copied, identity, infer_solve, infer_square, narrow, pieces,
    room, square_dims, widened, with_dims, with_field,
};
use super::nodes;
use super::triangular::Triangle;
use crate::prelude::*;
use levada_kernel::Pool;
use levada_ops_core::rules::expand;

/// Solves `a x = b` (with the conjugate transpose of `a` if `adjoint`) for an `n` x `n` matrix and `k` columns, storing
/// the solutions in `x`; `a` is replaced by its factors. `singular` is the error message for a singular matrix.
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
        let mut found = copied(b)?;
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

attrs! {
    /// Solves the linear systems `matrix * output = rhs` for square matrices.
    pub struct MatrixSolve {
        /// If true, solves with the conjugate transpose.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static MATRIX_SOLVE: Def<MatrixSolve> = op::<MatrixSolve>("MatrixSolve")
    .inputs(&[arg("matrix", of("T")), arg("rhs", of("T"))])
    .outputs(OUTPUT)
    .also(&[form("BatchMatrixSolve").doc("Legacy name of `MatrixSolve`.").attrs(OLD).not_differentiable()])
    .shape(|_, cx| infer_solve(cx, true, false))
    .gradient(|op, g| {
        let db = nodes::solve(g.input(0), g.dy(0), !op.adjoint);
        vec![nodes::of_system(g, op.adjoint, db).into(), db.into()]
    })
    .kernel(matrix_solve)
    .heavy()
    .supports(|op| op.dtype != DType::F16)
    .batch(|op, b| if b.rank(0)? < 2 || b.rank(0)? != b.rank(1)? { None } else { leading(op, b) });

fn matrix_solve(op: &MatrixSolve, cx: &mut Cx<'_, '_>) -> Result<()> {
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
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        if out.is_empty() {
            return Ok(());
        }
        all.fill(cx.pool(), out, all.cubic() * 0.5, &|i, pool, out| {
            let mut factors = copied(all.matrix(a, i))?;
            let (b, singular) = (right.matrix(b, i), "Input matrix is not invertible.");
            solve(pool, (&mut factors, n), (b, k), op.adjoint, out, singular)
        })
    }))
}

attrs! {
    /// The inverses of square matrices.
    pub struct MatrixInverse {
        /// If true, returns the conjugate transposes of the inverses.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static MATRIX_INVERSE: Def<MatrixInverse> = op::<MatrixInverse>("MatrixInverse")
    .inputs(INPUT)
    .outputs(OUTPUT)
    .also(&[form("BatchMatrixInverse").doc("Legacy name of `MatrixInverse`.").attrs(OLD).not_differentiable()])
    .shape(|_, cx| infer_square(cx))
    .gradient(|op, g| {
        let y = g.output(0);
        let inner = nodes::product(g.dy(0), y, [op.adjoint, !op.adjoint]);
        vec![(-nodes::product(y, inner, [!op.adjoint, false])).into()]
    })
    .kernel(matrix_inverse)
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn matrix_inverse(op: &MatrixInverse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let shape = cx.input(0)?.shape().clone();
    if op.dtype == DType::F16 {
        let from = widened(cx.slice::<f16>(0)?)?;
        return cx.produce::<f16>(0, &shape, |cx, out| {
            let mut found = room(from.len(), 0f32)?;
            invert(cx, &all, op.adjoint, &from, &mut found)?;
            narrow(&found, out);
            Ok(())
        });
    }
    with_field!(op.dtype, |T| cx
        .produce::<T>(0, &shape, |cx, out| { invert(cx, &all, op.adjoint, cx.slice::<T>(0)?, out) }))
}

/// Writes the inverses of `from`'s matrices to `out`.
fn invert<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, adjoint: bool, from: &[T], out: &mut [T]) -> Result<()> {
    let n = all.rows;
    all.fill(cx.pool(), out, all.cubic() * 1.5, &|i, pool, out| {
        let (mut factors, eye) = (copied(all.matrix(from, i))?, identity(n)?);
        solve(pool, (&mut factors, n), (&eye, n), adjoint, out, "Input is not invertible.")
    })
}

/// The sign and the logarithm of the absolute value of the determinant of each matrix of input 0.
fn log_determinants<T: Field>(cx: &Cx<'_, '_>, all: &Matrices, signs: &mut [T], logs: &mut [f64]) -> Result<()> {
    let (n, from) = (all.rows, cx.slice::<T>(0)?);
    let (signs, logs) = (pieces(signs, all.count), pieces(logs, all.count));
    all.each(cx.pool(), all.cubic() * 0.5, &|i, pool| {
        let mut factors = copied(all.matrix(from, i))?;
        let mut rows = room(n, 0usize)?;
        let odd = factor(pool, &mut factors, n, &mut rows)?;
        let (mut sign, mut log) = (T::of(if odd { -1.0 } else { 1.0 }, 0.0), 0.0);
        for &pivot in factors.iter().step_by(n + 1) {
            let size = pivot.modulus();
            log += size.ln();
            sign *= match pivot.im() == 0.0 && !size.is_nan() {
                true if size == 0.0 => T::zero(),
                true => T::of(pivot.re().signum(), 0.0),
                false => pivot.over(T::of(size, 0.0)),
            };
        }
        signs[i].lock()[0] = sign;
        logs[i].lock()[0] = log;
        Ok(())
    })
}

/// An op that computes determinants of square matrices.
const fn determinant(name: &'static str, kernel: fn(&Square, &mut Cx<'_, '_>) -> Result<()>) -> Def<Square> {
    op(name)
        .inputs(INPUT)
        .shape(|_, cx| {
            if let Some((batch, _)) = square_dims(cx)? {
                (0..cx.num_outputs()).for_each(|i| cx.output(i, with_dims(&batch, &[])));
            }
            Ok(())
        })
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype != DType::F16)
}

pub static MATRIX_DETERMINANT: Def<Square> = determinant("MatrixDeterminant", |op, cx| {
    let all = Matrices::square(cx, 0)?;
    let shape = all.shape(&[])?;
    let mut logs = room(all.count, 0.0)?;
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        log_determinants(cx, &all, out, &mut logs)?;
        out.iter_mut().zip(&logs).for_each(|(o, log)| *o *= T::of(log.exp(), 0.0));
        Ok(())
    }))
})
.doc("The determinants of square matrices.")
.outputs(OUTPUT)
.also(&[form("BatchMatrixDeterminant")
    .doc("Legacy name of `MatrixDeterminant`.")
    .attrs(&[Attr::dtype("T", &[DType::F32, DType::F64, DType::C64, DType::C128])])
    .not_differentiable()])
.gradient(|op, g| by_determinant(op, g, g.dy(0) * g.output(0)))
.batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

pub static LOG_MATRIX_DETERMINANT: Def<Square> = determinant("LogMatrixDeterminant", |op, cx| {
    let all = Matrices::square(cx, 0)?;
    let shape = all.shape(&[])?;
    let mut logs = room(all.count, 0.0)?;
    with_field!(op.dtype, |T| {
        cx.produce::<T>(0, &shape, |cx, out| log_determinants(cx, &all, out, &mut logs))?;
        cx.produce::<T>(1, &shape, |_, out| {
            out.iter_mut().zip(&logs).for_each(|(o, &log)| *o = T::of(log, 0.0));
            Ok(())
        })
    })
})
.doc("The sign and the logarithm of the absolute value of the determinants of square matrices.")
.outputs(&[arg("sign", of("T")), arg("log_abs_determinant", of("T"))])
.gradient(|op, g| by_determinant(op, g, g.dy(1)))
.batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

/// The gradient of matrices from that of the log-determinants.
fn by_determinant(op: &Square, g: &GradCx, log: V<'_>) -> Grads {
    let inverse = MATRIX_INVERSE.node(g, &MatrixInverse { adjoint: true, dtype: op.dtype }, &[g.input(0)]);
    vec![(expand(g, expand(g, g.value(log.at), -1), -1) * inverse).into()]
}
