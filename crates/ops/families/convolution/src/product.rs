//! The types that convolutions compute in, and their matrix products.

use super::convolution::Convolution;
use super::halves;
use crate::prelude::*;
use levada_gemm::tile::Lanes;
use levada_gemm::{Finisher, Gemm, Mat, Size, multiply_here};
use levada_ops_core::constant::Cache;
use levada_ops_core::halves::Half;

/// Computes `dst = a b`, or `dst += a b` if `add`, on this thread: `m` rows of `n` elements, `width` apart.
pub(crate) fn product<T: Gemm>(size: Size, dst: &mut [T], width: usize, add: bool, a: Mat<'_, T>, b: Mat<'_, T>) {
    multiply_here(size, a, b, dst, width, add).expect("the caller's slices hold matrices of the given sizes");
}

/// A dtype that convolutions support; they compute in [`Number::Wide`].
pub(crate) trait Operand: Number<Wide: Lanes> {
    /// Returns these elements in the wide type, stored in `buffer` if that is a different type.
    fn wide<'a>(elements: &'a [Self], buffer: &'a mut Vec<Self::Wide>) -> &'a [Self::Wide];

    /// Returns these elements if they are already in the wide type.
    fn as_wide(elements: &[Self]) -> Option<&[Self::Wide]>;

    /// Mutable version of [`Operand::as_wide`].
    fn as_wide_mut(elements: &mut [Self]) -> Option<&mut [Self::Wide]>;

    /// Lets `fill` write all of `out` in the wide type, via `buffer` if that is a different type.
    fn fill_wide(out: &mut [Self], buffer: &mut Vec<Self::Wide>, fill: impl FnOnce(&mut [Self::Wide]));

    /// Widens as many elements as both slices have.
    fn widen_all(from: &[Self], to: &mut [Self::Wide]) {
        to.iter_mut().zip(from).for_each(|(t, f)| *t = f.widen());
    }

    /// Narrows as many elements as both slices have.
    fn narrow_all(from: &[Self::Wide], to: &mut [Self]) {
        to.iter_mut().zip(from).for_each(|(t, &f)| *t = Self::narrow(f));
    }

    /// Applies the finisher to rows of channels, starting at row `first` of a result; a no-op for dtypes without a
    /// finisher.
    fn finish(finisher: &Finisher<'_>, first: usize, rows: &mut [Self]) {
        let _ = (finisher, first, rows);
    }

    /// Computes a convolution of channels-last images as a product of elements that are not widened first. Returns
    /// false, having done nothing, if there is no such product.
    ///
    /// # Errors
    /// If memory runs out.
    fn convolve_narrow(
        convolution: &Convolution,
        cx: &Cx<'_, '_>,
        factors: (&Tensor, &Tensor),
        cache: Option<&Cache>,
        finisher: Option<&Finisher<'_>>,
        out: &mut [Self],
    ) -> Result<bool> {
        let _ = (convolution, cx, factors, cache, finisher, out);
        Ok(false)
    }
}

macro_rules! as_they_are {
    ($($ty:ty: [$($finish:tt)*];)*) => {$(
        impl Operand for $ty {
            $($finish)*
            fn wide<'a>(elements: &'a [Self], _: &'a mut Vec<Self>) -> &'a [Self] {
                elements
            }
            fn as_wide(elements: &[Self]) -> Option<&[Self]> {
                Some(elements)
            }
            fn as_wide_mut(elements: &mut [Self]) -> Option<&mut [Self]> {
                Some(elements)
            }
            fn fill_wide(out: &mut [Self], _: &mut Vec<Self>, fill: impl FnOnce(&mut [Self])) {
                fill(out);
            }
        }
    )*};
}

macro_rules! through_f32 {
    ($($ty:ty),*) => {$(
        impl Operand for $ty {
            fn wide<'a>(elements: &'a [Self], buffer: &'a mut Vec<f32>) -> &'a [f32] {
                buffer.resize(elements.len(), 0.0);
                Self::to_singles(elements, buffer);
                buffer
            }
            fn as_wide(_: &[Self]) -> Option<&[f32]> {
                None
            }
            fn as_wide_mut(_: &mut [Self]) -> Option<&mut [f32]> {
                None
            }
            fn fill_wide(out: &mut [Self], buffer: &mut Vec<f32>, fill: impl FnOnce(&mut [f32])) {
                buffer.resize(out.len(), 0.0);
                fill(&mut buffer[..out.len()]);
                Self::from_singles(buffer, out);
            }
            fn widen_all(from: &[Self], to: &mut [f32]) {
                Self::to_singles(from, to);
            }
            fn narrow_all(from: &[f32], to: &mut [Self]) {
                Self::from_singles(from, to);
            }
            fn finish(finisher: &Finisher<'_>, first: usize, rows: &mut [Self]) {
                let mut wide = Self::singles(rows);
                finisher.rows(first, &mut wide);
                Self::from_singles(&wide, rows);
            }
            fn convolve_narrow(
                convolution: &Convolution,
                cx: &Cx<'_, '_>,
                factors: (&Tensor, &Tensor),
                cache: Option<&Cache>,
                finisher: Option<&Finisher<'_>>,
                out: &mut [Self],
            ) -> Result<bool> {
                halves::forward(convolution, cx, factors, cache, finisher, out)
            }
        }
    )*};
}

as_they_are! {
    f32: [
        fn finish(finisher: &Finisher<'_>, first: usize, rows: &mut [f32]) {
            finisher.rows(first, rows);
        }
    ];
    f64: [];
    i32: [];
}
through_f32!(f16, bf16);

/// Runs `$body` with `$T` bound to the Rust type of `$dtype`, for the dtypes that convolutions support.
macro_rules! dispatch_operand {
    ($dtype:expr, |$T:ident| $body:expr) => {
        match $dtype {
            DType::F32 => {
                type $T = f32;
                $body
            }
            DType::F64 => {
                type $T = f64;
                $body
            }
            DType::F16 => {
                type $T = f16;
                $body
            }
            DType::BF16 => {
                type $T = bf16;
                $body
            }
            DType::I32 => {
                type $T = i32;
                $body
            }
            other => Err(Error::unimplemented(format!("convolutions of {other} are not supported"))),
        }
    };
}
pub(crate) use dispatch_operand;
