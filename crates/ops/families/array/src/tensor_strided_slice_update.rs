//! `TensorStridedSliceUpdate`: replaces a slice of a tensor.

use super::strided_slice::STRIDED_SLICE;
use crate::moves::{Cell, Slices, StridedSlice, owned};
use crate::prelude::*;
use crate::rules::{NONE, reduce_to};

pub static TENSOR_STRIDED_SLICE_UPDATE: Def<StridedSlice> = op("TensorStridedSliceUpdate")
    .doc("Returns `input` with the slice replaced by `value`, which is broadcast.")
    .attrs(&[Attr::dtype("Index", sets::INDEX)])
    .inputs(&[
        arg("input", of("T")),
        arg("begin", of("Index")),
        arg("end", of("Index")),
        arg("strides", of("Index")),
        arg("value", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .gradient(|op, g| {
        let (begin, end, strides, value, dy) = (g.input(1), g.input(2), g.input(3), g.input(4), g.dy(0));
        let part = STRIDED_SLICE.node(g, op, &[dy, begin, end, strides]);
        let rest = TENSOR_STRIDED_SLICE_UPDATE.node(g, op, &[dy, begin, end, strides, part.zeros_like()]);
        // The value may have been broadcast.
        vec![rest.into(), NONE, NONE, NONE, reduce_to(part, value).into()]
    })
    .kernel(tensor_strided_slice_update)
    .heavy();

fn tensor_strided_slice_update(op: &StridedSlice, cx: &mut Cx<'_, '_>) -> Result<()> {
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
