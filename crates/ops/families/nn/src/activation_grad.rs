//! Gradients of the activation functions.

use super::activation::{SELU_SCALE, SELU_SCALE_ALPHA};
use crate::elementwise::{Map2, binary};
use crate::prelude::*;

/// Fails where gradient and forward value are of different shapes.
fn same_shape(cx: &Cx<'_, '_>) -> Result<()> {
    let (gradients, value) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if gradients == value {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "Inputs must have the same size and shape. Input 0: {gradients} != input 1: {value}"
    )))
}

macro_rules! gradients {
    ($($(#[doc = $doc:literal])* $name:ident(gradients, $value:ident): $set:expr, $run:ident
       $(, $field:ident: $ty:ty = $attr:expr)?;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                $(#[doc = "Slope for negative inputs."] $field: $ty = $attr,)?
                /// Element type.
                dtype: DType = Attr::dtype("T", $set),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("gradients", of("T")), arg(stringify!($value), of("T"))],
                outputs: &[arg("backprops", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let merged = cx.input(0).merge(&cx.input(1))?;
                cx.output(0, merged);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn piecewise(&self) -> Piecewise {
                Piecewise::Alike
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                same_shape(cx)?;
                binary::$run(self, self.dtype, cx)
            }
        }
    )*};
}

gradients! {
    /// The gradient of `Elu`, by its output.
    EluGrad(gradients, outputs): sets::FLOATS, floats;
    /// The gradient of `LeakyRelu`, by its input.
    LeakyReluGrad(gradients, features): sets::FLOATS, floats,
        alpha: f32 = Attr::float("alpha").or_float(0.2);
    /// The gradient of `Relu6`, by its input or output.
    Relu6Grad(gradients, features): sets::REALS, reals;
    /// The gradient of `Relu`, by its input or output.
    ReluGrad(gradients, features): sets::REALS, reals;
    /// The gradient of `Selu`, by its output.
    SeluGrad(gradients, outputs): sets::FLOATS, floats;
    /// The gradient of `Softplus`, by its input.
    SoftplusGrad(gradients, features): sets::FLOATS, floats;
    /// The gradient of `Softsign`, by its input.
    SoftsignGrad(gradients, features): sets::FLOATS, floats;
}

// A product rather than a choice, so that an infinite gradient of an inactive unit gives NaN, as in TensorFlow.
impl<T: Real> Map2<T> for ReluGrad {
    type Out = T;
    #[inline(always)]
    fn call(&self, gradient: T, x: T) -> T {
        gradient.mul(if x > T::zero() { T::one() } else { T::zero() })
    }
}

impl<T: Real> Map2<T> for Relu6Grad {
    type Out = T;
    #[inline(always)]
    fn call(&self, gradient: T, x: T) -> T {
        gradient.mul(if x > T::zero() && x < T::from_usize(6) { T::one() } else { T::zero() })
    }
}

map2! {
    EluGrad: [f32, f64] |gradient, y| if y < 0.0 { (y + 1.0) * gradient } else { gradient };
    SeluGrad: [f32] |gradient, y| {
        gradient * if y < 0.0 { y + SELU_SCALE_ALPHA as f32 } else { SELU_SCALE as f32 }
    };
    SeluGrad: [f64] |gradient, y| gradient * if y < 0.0 { y + SELU_SCALE_ALPHA } else { SELU_SCALE };
    SoftplusGrad: [f32, f64] @ 5.0 |gradient, x| gradient / ((-x).exp() + 1.0);
    SoftsignGrad: [f32, f64] |gradient, x| {
        let size = 1.0 + x.abs();
        gradient / (size * size)
    };
}

impl Map2<f32> for LeakyReluGrad {
    type Out = f32;
    #[inline(always)]
    fn call(&self, gradient: f32, x: f32) -> f32 {
        if x > 0.0 { gradient } else { self.alpha * gradient }
    }
}

impl Map2<f64> for LeakyReluGrad {
    type Out = f64;
    #[inline(always)]
    fn call(&self, gradient: f64, x: f64) -> f64 {
        if x > 0.0 { gradient } else { f64::from(self.alpha) * gradient }
    }
}
