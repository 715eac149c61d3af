//! `StridedSliceAssign` and `ResourceStridedSliceAssign`: a part of a variable replaced.

use crate::variable::{Target, check_dtype};
use crate::moves::{Cell, Masks, Slices, mask_attrs};
use crate::prelude::*;

fn assign(cx: &mut Cx<'_, '_>, masks: Masks) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let new = cx.input(4)?;
    target.update(|value| {
        check_dtype("assign", value.dtype(), new.dtype())?;
        let slices = Slices::new(value.shape(), cx.input(1)?, cx.input(2)?, cx.input(3)?, masks)?;
        let from = slices.source(new.shape())?;
        let place = slices.target(value.shape());
        cells!(value.dtype(), |T| place.assign(T::cells_mut(value)?, T::cells(new)?, &from));
        Ok(())
    })?;
    target.forward(cx);
    Ok(())
}

macro_rules! assigns {
    ($($name:ident, $target:expr, [$($output:expr)?];)*) => {$(
        mask_attrs! {
            /// Replaces the slice of a variable by `value`, broadcast.
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// Element type of `begin`, `end` and `strides`.
                index: DType = Attr::dtype("Index", sets::INDEX),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    $target,
                    arg("begin", of("Index")),
                    arg("end", of("Index")),
                    arg("strides", of("Index")),
                    arg("value", of("T")),
                ],
                outputs: &[$($output)?],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                assign(cx, self.masks())
            }
        }
    )*};
}

assigns! {
    ResourceStridedSliceAssign, arg("ref", is(DType::Resource)), [];
    StridedSliceAssign, arg("ref", of("T")).by_ref(), [arg("output_ref", of("T")).by_ref()];
}
