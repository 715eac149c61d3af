//! `SelfAdjointEigV2` and its older forms: eigendecomposition of self-adjoint matrices.

use super::matrix::{
    Field, MATRIX, Matrices, OLD, Square, XLA, converted, decomposed, infer_eigen, pieces, square, square_dims,
    with_dims, with_field, write,
};
use super::nodes::{adjoint, adjoint_times, band, diagonal, differences, matrix, times, times_adjoint, with_diagonal};
use crate::prelude::*;
use levada_decompose::Decompose;

attrs! {
    /// Computes the eigenvalues of self-adjoint matrices in ascending order and the corresponding eigenvectors as
    /// columns. Only the lower triangles are read.
    pub struct SelfAdjointEig {
        /// If true, eigenvectors are computed as well.
        compute_v: bool = Attr::bool("compute_v").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub static SELF_ADJOINT_EIG_V2: Def<SelfAdjointEig> = op::<SelfAdjointEig>("SelfAdjointEigV2")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("e", of("T")), arg("v", of("T"))])
    .also(&[form("BatchSelfAdjointEigV2").doc("Legacy name of `SelfAdjointEigV2`.").attrs(OLD).not_differentiable()])
    .shape(|op, cx| infer_eigen(cx, op.compute_v))
    .gradient(gradient)
    .kernel(|op, cx| {
        let all = Matrices::square(cx, 0)?;
        let (e, v) = with_field!(op.dtype, |T| decompose::<T>(cx, op.dtype, &all, op.compute_v, Half::Lower))?;
        cx.set(0, e);
        cx.set(1, v);
        Ok(())
    })
    .heavy()
    .supports(|op| op.dtype != DType::F16)
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn gradient(op: &SelfAdjointEig, g: &GradCx) -> Grads {
    let mid = matrix(g.dy(0));
    let (v, mid) = if op.compute_v {
        let v = g.output(1);
        (v, mid + differences(g, g.output(0)) * adjoint_times(v, g.dy(1)))
    } else {
        let with_vectors = SelfAdjointEig { compute_v: true, dtype: op.dtype };
        (SELF_ADJOINT_EIG_V2.node(g, &with_vectors, &[g.input(0)]).out(1), mid)
    };
    let da = times(v, times_adjoint(mid, v));
    // Only the lower triangle is read.
    let da = band(da + adjoint(da), -1, 0);
    vec![with_diagonal(da, diagonal(da) * 0.5).into()]
}

attrs! {
    /// Computes the eigenvalues of self-adjoint matrices in ascending order and the corresponding eigenvectors as
    /// columns.
    pub struct XlaSelfAdjointEig {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// If true, the lower triangles are read, otherwise the upper ones.
        lower: bool = Attr::bool("lower"),
        /// XLA's iteration limit; ignored.
        max_iter: i64 = Attr::int("max_iter"),
        /// XLA's tolerance; ignored.
        epsilon: f32 = Attr::float("epsilon"),
    }
}

pub static XLA_SELF_ADJOINT_EIG: Def<XlaSelfAdjointEig> = op::<XlaSelfAdjointEig>("XlaSelfAdjointEig")
    .inputs(&[arg("a", of("T"))])
    .outputs(&[arg("w", of("T")), arg("v", of("T"))])
    .shape(|_, cx| infer_eigen(cx, true))
    .kernel(|op, cx| {
        let all = Matrices::square(cx, 0)?;
        let half = if op.lower { Half::Lower } else { Half::Upper };
        let (e, v) = with_field!(op.dtype, |T| decompose::<T>(cx, op.dtype, &all, true, half))?;
        cx.set(0, e);
        cx.set(1, v);
        Ok(())
    })
    .heavy()
    .supports(|op| XLA.contains(&op.dtype))
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

pub static SELF_ADJOINT_EIG: Def<Square> = square(
    "SelfAdjointEig",
    "Computes the eigenvalues of self-adjoint matrices in the first row of the output and the eigenvectors below it.",
    self_adjoint_eig,
)
.attrs(&[Attr::dtype("T", &[DType::F64, DType::F32, DType::F16])])
.also(&[form("BatchSelfAdjointEig").doc("Legacy name of `SelfAdjointEig`.").attrs(OLD)])
.shape(|_, cx| {
    if let Some((batch, n)) = square_dims(cx)? {
        cx.output(0, with_dims(&batch, &[n.map(|n| n + 1), n]));
    }
    Ok(())
})
.batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn self_adjoint_eig(op: &Square, cx: &mut Cx<'_, '_>) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let n = all.rows;
    let shape = all.shape(&[n + 1, n])?;
    with_field!(op.dtype, |T| {
        let (e, v) = decompose::<T>(cx, op.dtype, &all, true, Half::Lower)?;
        cx.produce::<T>(0, &shape, |_, out| {
            let (e, v) = (e.slice::<T>()?, v.slice::<T>()?);
            for (i, out) in out.chunks_exact_mut(((n + 1) * n).max(1)).enumerate() {
                out[..n].copy_from_slice(&e[i * n..][..n]);
                out[n..].copy_from_slice(all.matrix(v, i));
            }
            Ok(())
        })
    })
}

/// The triangle of a matrix that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Lower,
    Upper,
}

/// The eigenvalues, and the eigenvectors if `vectors`.
fn decompose<T: Field<Double: Decompose>>(
    cx: &Cx<'_, '_>,
    dtype: DType,
    all: &Matrices,
    vectors: bool,
    half: Half,
) -> Result<(Tensor, Tensor)> {
    let n = all.rows;
    let mut e = cx.alloc(dtype, &all.shape(&[n])?)?;
    let mut v = cx.alloc(dtype, &if vectors { all.shape(&[n, n])? } else { Shape::vector(0) })?;
    let from = cx.slice::<T>(0)?;
    let (values, columns) = (pieces(e.slice_mut::<T>()?, all.count), pieces(v.slice_mut::<T>()?, all.count));
    all.each(cx.pool(), all.cubic() * 10.0, &|i, _| {
        if n == 0 {
            return Ok(());
        }
        let mut wide = converted::<T, T::Double>(all.matrix(from, i))?;
        if half == Half::Upper {
            for r in 0..n {
                for c in 0..r {
                    let above = wide[c * n + r];
                    wide[r * n + c] = T::Double::of(above.re(), -above.im());
                }
            }
        }
        let mut finite = true;
        for r in 0..n {
            finite &= wide[r * n..=r * n + r].iter().all(|v| v.finite());
            wide[r * n + r] = T::Double::of(wide[r * n + r].re(), 0.0);
            wide[r * n + r + 1..(r + 1) * n].fill(T::Double::zero());
        }
        let found = match n {
            // One number is its own eigenvalue, even if it is not finite.
            1 => Some((vec![wide[0].re()], vec![T::Double::of(1.0, 0.0)])),
            _ if finite => decomposed(|| T::Double::self_adjoint(&wide, n, vectors)),
            _ => None,
        };
        let (found, turned) = found.ok_or_else(|| {
            Error::invalid("Self-adjoint eigen decomposition was not successful. The input might not be valid.")
        })?;
        values[i].lock().iter_mut().zip(&found).for_each(|(e, &value)| *e = T::of(value, 0.0));
        if vectors {
            write(&turned, &mut columns[i].lock());
        }
        Ok(())
    })?;
    Ok((e, v))
}
