//! `Svd`: singular values and vectors of matrices.

use super::matrix::{Field, MATRIX, Matrices, matrix_dims, with_dims};
use crate::prelude::*;

macro_rules! svds {
    ($($(#[doc = $doc:literal])* $name:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Gives the vectors too.
                compute_uv: bool = Attr::bool("compute_uv").or_bool(true),
                /// Makes the matrices of vectors square.
                full_matrices: bool = Attr::bool("full_matrices").or_bool(false),
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T"))],
                outputs: &[arg("s", of("T")), arg("u", of("T")), arg("v", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let Some((batch, m, n)) = matrix_dims(cx, 0)? else { return Ok(()) };
                let least = m.zip(n).map(|(m, n)| m.min(n));
                cx.output(0, with_dims(&batch, &[least]));
                for (i, rows) in [(1, m), (2, n)] {
                    match self.compute_uv {
                        true => cx.output(i, with_dims(&batch, &[rows, if self.full_matrices { rows } else { least }])),
                        false => cx.output_vector(i, Some(0)),
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
                compute(cx, self.dtype, self.compute_uv.then_some(self.full_matrices))
            }
        }
    )*};
}

svds! {
    /// Factors matrices as `u * diagonal(s) * v^H`, the largest of `s` first.
    Svd, MATRIX;
    /// The name of `Svd` in old graphs.
    BatchSvd, &[DType::F64, DType::F32, DType::C64, DType::C128];
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, vectors: Option<bool>) -> Result<()> {
    let all = Matrices::of(cx, 0)?;
    let (m, n) = (all.rows, all.cols);
    let least = m.min(n);
    let (wide, tall) = if vectors == Some(true) { (m, n) } else { (least, least) };
    let mut s = cx.alloc(dtype, &all.shape(&[least])?)?;
    let vector_shapes = match vectors {
        Some(_) => [all.shape(&[m, wide])?, all.shape(&[n, tall])?],
        None => [Shape::vector(0), Shape::vector(0)],
    };
    let mut u = cx.alloc(dtype, &vector_shapes[0])?;
    let mut v = cx.alloc(dtype, &vector_shapes[1])?;
    match dtype {
        DType::F32 => fill::<f32, f64>(cx, &all, vectors, &mut s, &mut u, &mut v)?,
        DType::F64 => fill::<f64, f64>(cx, &all, vectors, &mut s, &mut u, &mut v)?,
        DType::C64 => fill::<Complex32, Complex64>(cx, &all, vectors, &mut s, &mut u, &mut v)?,
        DType::C128 => fill::<Complex64, Complex64>(cx, &all, vectors, &mut s, &mut u, &mut v)?,
        other => return Err(Error::unimplemented(format!("Svd of {other}"))),
    }
    cx.set(0, s);
    cx.set(1, u);
    cx.set(2, v);
    Ok(())
}

pub(super) trait Wide: Field + levada_decompose::Decompose {}
impl<T: Field + levada_decompose::Decompose> Wide for T {}

/// Decomposes matrices of `T` as such of `W`.
fn fill<T: Field, W: Wide>(
    cx: &Cx<'_, '_>,
    all: &Matrices,
    vectors: Option<bool>,
    s: &mut Tensor,
    u: &mut Tensor,
    v: &mut Tensor,
) -> Result<()> {
    use super::matrix::{converted, pieces, write};
    let (m, n, from) = (all.rows, all.cols, cx.slice::<T>(0)?);
    let (u, v) = (u.slice_mut::<T>()?, v.slice_mut::<T>()?);
    let (s, u, v) = (pieces(s.slice_mut::<T>()?, all.count), pieces(u, all.count), pieces(v, all.count));
    all.each(cx.pool(), all.cubic() * 20.0, &|i, _| {
        let from = &from[i * m * n..][..m * n];
        let (mut s, mut u, mut v) = (s[i].lock(), u[i].lock(), v[i].lock());
        if from.is_empty() {
            for (out, n) in [(&mut u, m), (&mut v, n)] {
                out.fill(T::zero());
                out.iter_mut().step_by(n + 1).for_each(|v| *v = T::one());
            }
            return Ok(());
        }
        let found = match from.iter().all(|v| v.finite()) {
            true => W::svd(&converted::<T, W>(from)?, m, n, vectors),
            false => None,
        };
        let Some(found) = found else {
            [&mut s, &mut u, &mut v].into_iter().for_each(|out| out.fill(T::of(f64::NAN, 0.0)));
            return Ok(());
        };
        s.iter_mut().zip(&found.values).for_each(|(s, &value)| *s = T::of(value, 0.0));
        write(&found.left, &mut u);
        write(&found.right, &mut v);
        Ok(())
    })
}
