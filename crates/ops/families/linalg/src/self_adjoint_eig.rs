//! `SelfAdjointEigV2` and its older forms: eigenvalues and eigenvectors of matrices that equal their conjugate transpose.

use super::matrix::{Field, MATRIX, Matrices, matrix_dims, same, with_dims};
use super::svd::Wide;
use crate::prelude::*;

macro_rules! second_versions {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Gives the vectors too.
                compute_v: bool = Attr::bool("compute_v").or_bool(true),
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T"))],
                outputs: &[arg("e", of("T")), arg("v", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                if let Some((batch, rows, cols)) = matrix_dims(cx, 0)? {
                    let n = same(rows, cols)?;
                    cx.output(0, with_dims(&batch, &[n]));
                    match self.compute_v {
                        true => cx.output(1, with_dims(&batch, &[n, n])),
                        false => cx.output_vector(1, Some(0)),
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
                let all = Matrices::square(cx, 0)?;
                let n = all.rows;
                let mut e = cx.alloc(self.dtype, &all.shape(&[n])?)?;
                let shape = if self.compute_v { all.shape(&[n, n])? } else { Shape::vector(0) };
                let mut v = cx.alloc(self.dtype, &shape)?;
                decompose(cx, self.dtype, &all, self.compute_v, &mut e, &mut v)?;
                cx.set(0, e);
                cx.set(1, v);
                Ok(())
            }
        }
    )*};
}

second_versions! {
    /// Eigenvalues of self-adjoint matrices, of which the lower triangles count, the least first, and the vectors that
    /// belong to them as columns.
    SelfAdjointEigV2, MATRIX;
    /// The name of `SelfAdjointEigV2` in old graphs.
    BatchSelfAdjointEigV2, &[DType::F64, DType::F32];
}

macro_rules! first_versions {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
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
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                if let Some((batch, rows, cols)) = matrix_dims(cx, 0)? {
                    let n = same(rows, cols)?;
                    cx.output(0, with_dims(&batch, &[n.map(|n| n + 1), n]));
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
                let all = Matrices::square(cx, 0)?;
                let n = all.rows;
                let mut out = cx.alloc(self.dtype, &all.shape(&[n + 1, n])?)?;
                let mut e = cx.alloc(self.dtype, &all.shape(&[n])?)?;
                let mut v = cx.alloc(self.dtype, &all.shape(&[n, n])?)?;
                decompose(cx, self.dtype, &all, true, &mut e, &mut v)?;
                let size = n * self.dtype.size();
                if let (Some(out), Some(e), Some(v)) = (out.bytes_mut(), e.bytes(), v.bytes())
                    && size > 0
                {
                    for (i, out) in out.chunks_exact_mut((n + 1) * size).enumerate() {
                        out[..size].copy_from_slice(&e[i * size..][..size]);
                        out[size..].copy_from_slice(&v[i * n * size..][..n * size]);
                    }
                }
                cx.set(0, out);
                Ok(())
            }
        }
    )*};
}

first_versions! {
    /// Eigenvalues of self-adjoint matrices in the first row, the vectors that belong to them below.
    SelfAdjointEig, &[DType::F64, DType::F32, DType::F16];
    /// The name of `SelfAdjointEig` in old graphs.
    BatchSelfAdjointEig, &[DType::F64, DType::F32];
}

fn decompose(
    cx: &Cx<'_, '_>,
    dtype: DType,
    all: &Matrices,
    vectors: bool,
    e: &mut Tensor,
    v: &mut Tensor,
) -> Result<()> {
    match dtype {
        DType::F32 => fill::<f32, f64>(cx, all, vectors, e, v),
        DType::F64 => fill::<f64, f64>(cx, all, vectors, e, v),
        DType::C64 => fill::<Complex32, Complex64>(cx, all, vectors, e, v),
        DType::C128 => fill::<Complex64, Complex64>(cx, all, vectors, e, v),
        other => Err(Error::unimplemented(format!("eigenvalues of {other}"))),
    }
}

fn fill<T: Field, W: Wide>(cx: &Cx<'_, '_>, all: &Matrices, vectors: bool, e: &mut Tensor, v: &mut Tensor) -> Result<()> {
    use super::matrix::{converted, pieces, write};
    let (n, from) = (all.rows, cx.slice::<T>(0)?);
    let (e, v) = (pieces(e.slice_mut::<T>()?, all.count), pieces(v.slice_mut::<T>()?, all.count));
    all.each(cx.pool(), all.cubic() * 10.0, &|i, _| {
        if n == 0 {
            return Ok(());
        }
        let mut wide = converted::<T, W>(&from[i * n * n..][..n * n])?;
        let mut finite = true;
        for r in 0..n {
            finite &= wide[r * n..=r * n + r].iter().all(|v| v.finite());
            wide[r * n + r] = W::of(wide[r * n + r].re(), 0.0);
            wide[r * n + r + 1..(r + 1) * n].fill(W::zero());
        }
        let found = if finite { W::self_adjoint(&wide, n, vectors) } else { None };
        let (values, found) = found.ok_or_else(|| {
            Error::invalid("Self-adjoint eigen decomposition was not successful. The input might not be valid.")
        })?;
        e[i].lock().iter_mut().zip(&values).for_each(|(e, &value)| *e = T::of(value, 0.0));
        if vectors {
            write(&found, &mut v[i].lock());
        }
        Ok(())
    })
}
