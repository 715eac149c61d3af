//! `TensorStridedSliceUpdate`: a tensor with a slice of it replaced.

use crate::moves::{Cell, Slices, mask_attrs, owned};
use crate::prelude::*;

mask_attrs! {
    /// `input` with `value`, broadcast, in place of the slice.
    pub struct TensorStridedSliceUpdate {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `begin`, `end` and `strides`.
        index: DType = Attr::dtype("Index", sets::INDEX),
    }
}

pub static TENSOR_STRIDED_SLICE_UPDATE: Def<TensorStridedSliceUpdate> = op("TensorStridedSliceUpdate")
    .inputs(&[
            arg("input", of("T")),
            arg("begin", of("Index")),
            arg("end", of("Index")),
            arg("strides", of("Index")),
            arg("value", of("T")),
        ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(tensor_strided_slice_update)
    .heavy();

fn tensor_strided_slice_update(op: &TensorStridedSliceUpdate, cx: &mut Cx<'_, '_>) -> Result<()> {
    let slices = Slices::new(cx.input(0)?.shape(), cx.input(1)?, cx.input(2)?, cx.input(3)?, op.masks())?;
    let mut out = owned(cx, 0)?;
    let value = cx.input(4)?;
    if slices.shape.num_elements() == 0 {
        cx.set(0, out);
        return Ok(());
    }
    let from = slices.source(value.shape())?;
    let target = slices.target(out.shape());
    cells!(op.dtype, |T| target.assign(T::cells_mut(&mut out)?, T::cells(value)?, &from));
    cx.set(0, out);
    Ok(())
}

