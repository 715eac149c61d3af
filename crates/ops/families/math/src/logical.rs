//! `LogicalAnd`, `LogicalOr` and `LogicalNot`.

use crate::elementwise::{Map1, Map2, binary, unary};
use crate::prelude::*;

macro_rules! logical_ops {
    ($($(#[doc = $doc:literal])* $name:ident: $op:tt;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("x", is(DType::Bool)), arg("y", is(DType::Bool))],
                outputs: &[arg("z", is(DType::Bool))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.broadcast()
            }
        }

        impl Map2<bool> for $name {
            type Out = bool;
            #[inline(always)]
            fn call(&self, x: bool, y: bool) -> bool {
                x $op y
            }
        }

        impl Kernel<Cpu> for $name {
            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                binary::same::<bool, _>(self, cx)
            }
        }
    )*};
}

logical_ops! {
    /// True where both are.
    LogicalAnd: &;
    /// True where one is, or both are.
    LogicalOr: |;
}

attrs! {
    /// True where `x` is not.
    pub struct LogicalNot {}
}

impl Op for LogicalNot {
    const SPEC: Spec = Spec {
        name: "LogicalNot",
        inputs: &[arg("x", is(DType::Bool))],
        outputs: &[arg("y", is(DType::Bool))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Map1<bool> for LogicalNot {
    type Out = bool;
    #[inline(always)]
    fn call(&self, x: bool) -> bool {
        !x
    }
}

impl Kernel<Cpu> for LogicalNot {
    fn piecewise(&self) -> Piecewise {
        Piecewise::Broadcast
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        unary::same::<bool, _>(self, cx)
    }
}
