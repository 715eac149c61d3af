//! `IsNan`, `IsInf` and `IsFinite`.

use crate::elementwise::{Map1, unary};
use crate::prelude::*;

macro_rules! tests {
    ($($(#[doc = $doc:literal])* $name:ident: $test:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::FLOATS),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("x", of("T"))],
                outputs: &[arg("y", is(DType::Bool))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl<T: num_traits::Float> Map1<T> for $name {
            type Out = bool;
            #[inline(always)]
            fn call(&self, x: T) -> bool {
                x.$test()
            }
        }

        impl Kernel<Cpu> for $name {
            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                unary::test_floats(self, self.dtype, cx)
            }
        }
    )*};
}

tests! {
    /// True for numbers, false for infinities and NaN.
    IsFinite: is_finite;
    /// True for both infinities.
    IsInf: is_infinite;
    /// True for NaN.
    IsNan: is_nan;
}
