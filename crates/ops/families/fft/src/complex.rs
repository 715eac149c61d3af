//! `FFT`, `IFFT` and those of two and three axes: transforms of complex numbers along the last axes.

use super::axes::{Part, along};
use crate::moves::owned;
use crate::prelude::*;
use num_complex::Complex;

fn check(shape: &Shape, axes: usize) -> Result<()> {
    if shape.rank() < axes {
        return Err(Error::invalid(format!("Input must have rank of at least {axes} but got: {shape}")));
    }
    Ok(())
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, axes: usize, inverse: bool) -> Result<()> {
    check(cx.input(0)?.shape(), axes)?;
    let mut out = owned(cx, 0)?;
    match dtype {
        DType::C64 => transform::<f32>(cx, &mut out, axes, inverse)?,
        _ => transform::<f64>(cx, &mut out, axes, inverse)?,
    }
    cx.set(0, out);
    Ok(())
}

fn transform<T: Part>(cx: &Cx<'_, '_>, out: &mut Tensor, axes: usize, inverse: bool) -> Result<()>
where
    Complex<T>: Element,
{
    let shape = out.shape().clone();
    let data = out.slice_mut::<Complex<T>>()?;
    if data.is_empty() {
        return Ok(());
    }
    let (mut inner, mut size) = (1, 1.0);
    for &n in shape.iter().rev().take(axes) {
        along(cx.pool(), data, n, inner, inverse)?;
        inner *= n;
        size *= n as f64;
    }
    if inverse {
        scale(cx, data, T::of(1.0 / size));
    }
    Ok(())
}

/// Multiplies all elements with a number.
pub(super) fn scale<E: Copy + Send + std::ops::Mul<T, Output = E>, T: Copy + Sync + Send>(
    cx: &Cx<'_, '_>,
    data: &mut [E],
    by: T,
) {
    cx.pool().for_chunks(data, 1, 0.5, |_, data| data.iter_mut().for_each(|v| *v = *v * by));
}

macro_rules! transforms {
    ($($(#[doc = $doc:literal])* $name:ident, $axes:literal, $inverse:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("Tcomplex"))],
                outputs: &[arg("output", of("Tcomplex"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.rank_at_least(0, $axes)?;
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                compute(cx, self.dtype, $axes, $inverse)
            }
        }
    )*};
}

transforms! {
    /// Transforms along the last axis.
    FFT, 1, false;
    /// Transforms along the last two axes.
    FFT2D, 2, false;
    /// Transforms along the last three axes.
    FFT3D, 3, false;
    /// The inverse of `FFT`.
    IFFT, 1, true;
    /// The inverse of `FFT2D`.
    IFFT2D, 2, true;
    /// The inverse of `FFT3D`.
    IFFT3D, 3, true;
}

macro_rules! old_names {
    ($($(#[doc = $doc:literal])* $name:ident, $axes:literal, $inverse:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", is(DType::C64))],
                outputs: &[arg("output", is(DType::C64))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.rank_at_least(0, $axes)?;
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                compute(cx, DType::C64, $axes, $inverse)
            }
        }
    )*};
}

old_names! {
    /// The name of `FFT` in old graphs.
    BatchFFT, 1, false;
    /// The name of `FFT2D` in old graphs.
    BatchFFT2D, 2, false;
    /// The name of `FFT3D` in old graphs.
    BatchFFT3D, 3, false;
    /// The name of `IFFT` in old graphs.
    BatchIFFT, 1, true;
    /// The name of `IFFT2D` in old graphs.
    BatchIFFT2D, 2, true;
    /// The name of `IFFT3D` in old graphs.
    BatchIFFT3D, 3, true;
}
