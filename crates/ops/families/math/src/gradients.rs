//! Gradients of functions that are written in the function's own value `y`.

use crate::elementwise::{Map2, binary};
use crate::prelude::*;

macro_rules! gradients {
    ($($(#[doc = $doc:literal])* $name:ident: |$y:ident, $dy:ident, $one:ident, $half:ident| $body:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::FLOATS_COMPLEX),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("y", of("T")), arg("dy", of("T"))],
                outputs: &[arg("z", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        gradients!(@function $name, $y, $dy, $one, $half, $body,
            [f32: (1.0, 0.5), f64: (1.0, 0.5), Complex32: (Complex32::new(1.0, 0.0), Complex32::new(0.5, 0.0)),
             Complex64: (Complex64::new(1.0, 0.0), Complex64::new(0.5, 0.0))]);

        impl Kernel<Cpu> for $name {
            fn piecewise(&self) -> Piecewise {
                Piecewise::Alike
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                same_size(cx)?;
                binary::floats_complex(self, self.dtype, cx)
            }
        }
    )*};
    (@function $name:ident, $y:ident, $dy:ident, $one:ident, $half:ident, $body:expr, [$($ty:ty: $numbers:expr),*]) => {$(
        impl Map2<$ty> for $name {
            type Out = $ty;
            #[inline(always)]
            fn call(&self, $y: $ty, $dy: $ty) -> $ty {
                #[allow(unused_variables)]
                let ($one, $half): ($ty, $ty) = $numbers;
                $body
            }
        }
    )*};
}

/// Gives both inputs the shape of the first, which has as many elements.
fn same_size(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (y, dy) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if y == dy {
        return Ok(());
    }
    if y.num_elements() != dy.num_elements() {
        return Err(Error::invalid(format!(
            "The two arguments to a cwise op must have same number of elements, got {} and {}",
            y.num_elements(),
            dy.num_elements()
        )));
    }
    let shape = y.clone();
    let dy = cx.take(1)?.reshaped(shape)?;
    cx.replace(1, dy);
    Ok(())
}

gradients! {
    /// The gradient of `1 / x` where that is `y`.
    InvGrad: |y, dy, one, half| -(Number::conj(y) * Number::conj(y)) * dy;
    /// The gradient of `1 / x` where that is `y`.
    ReciprocalGrad: |y, dy, one, half| -(Number::conj(y) * Number::conj(y)) * dy;
    /// The gradient of `1 / sqrt(x)` where that is `y`.
    RsqrtGrad: |y, dy, one, half| {
        let y = Number::conj(y);
        if Number::is_zero(dy) { dy } else { -half * (dy * y) * (y * y) }
    };
    /// The gradient of `sigmoid(x)` where that is `y`.
    SigmoidGrad: |y, dy, one, half| dy * (y * (one - y));
    /// The gradient of `sqrt(x)` where that is `y`.
    SqrtGrad: |y, dy, one, half| if Number::is_zero(dy) { dy } else { half * dy / Number::conj(y) };
    /// The gradient of `tanh(x)` where that is `y`.
    TanhGrad: |y, dy, one, half| dy * (one - y * y);
}
