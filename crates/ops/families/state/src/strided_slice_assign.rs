//! `StridedSliceAssign` and `ResourceStridedSliceAssign`: replace a slice of a variable.

use crate::moves::{Cell, Slices, mask_attrs};
use crate::prelude::*;
use crate::variable::{Target, check_dtype};

mask_attrs! {
    /// Replaces a slice of a variable by `value`, which is broadcast.
    pub struct StridedSliceAssign {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `begin`, `end` and `strides`.
        index: DType = Attr::dtype("Index", sets::INDEX),
    }
}

const BEGIN: Arg = arg("begin", of("Index"));
const END: Arg = arg("end", of("Index"));
const STRIDES: Arg = arg("strides", of("Index"));
const VALUE: Arg = arg("value", of("T"));

pub static STRIDED_SLICE_ASSIGN: Def<StridedSliceAssign> = op("StridedSliceAssign")
    .inputs(&[arg("ref", of("T")).by_ref(), BEGIN, END, STRIDES, VALUE])
    .outputs(&[arg("output_ref", of("T")).by_ref()])
    .also(&[form("ResourceStridedSliceAssign")
        .inputs(&[arg("ref", is(DType::Resource)), BEGIN, END, STRIDES, VALUE])
        .outputs(&[])])
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(assign);

fn assign(op: &StridedSliceAssign, cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let new = cx.input(4)?;
    target.update(|value| {
        check_dtype("assign", value.dtype(), new.dtype())?;
        let slices = Slices::new(value.shape(), cx.input(1)?, cx.input(2)?, cx.input(3)?, op.masks())?;
        let from = slices.source(new.shape())?;
        let place = slices.target(value.shape());
        cells!(value.dtype(), |T| place.assign(T::cells_mut(value)?, T::cells(new)?, &from));
        Ok(())
    })?;
    target.forward(cx);
    Ok(())
}
