//! `StridedSlice`: a slice of a tensor, with Python's indexing rules.

use super::strided_slice_grad::STRIDED_SLICE_GRAD;
pub use crate::moves::StridedSlice;
use crate::moves::{Mover, Slices, rearrange};
use crate::prelude::*;
use crate::rules::{Handles, first};

pub static STRIDED_SLICE: Def<StridedSlice> = op::<StridedSlice>("StridedSlice")
    .views()
    .doc("Returns the elements of `input` from `begin` to `end` in steps of `strides` along each axis.")
    .inputs(&[arg("input", of("T")), arg("begin", of("Index")), arg("end", of("Index")), arg("strides", of("Index"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|op, cx| {
        let shape = Slices::infer(cx, &cx.input(0), 1, op.masks())?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let shape = g.input(0).dims().cast(op.index);
        let inputs = [shape, g.input(1), g.input(2), g.input(3), g.dy(0)];
        first(g, STRIDED_SLICE_GRAD.node(g, op, &inputs))
    })
    .kernel(strided_slice::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2, 3])
    .batch(|op, b| {
        if b.any_varies(1..4) {
            return None;
        }
        let [begin, end, strides] = op.behind(b, 1);
        b.one(b.again_with(&[b.input(0), begin, end, strides], &op.masks_behind()))
    });

/// The kernel of `StridedSlice`, on any device that moves elements.
pub fn strided_slice<D: Mover>(op: &StridedSlice, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let slices = Slices::new(input.shape(), cx.input(1)?, cx.input(2)?, cx.input(3)?, op.masks())?;
    let out = match slices.rows(input.shape()) {
        Some(rows) if rows == (0..input.shape()[0]) => cx.take(0)?.reshaped(slices.shape)?,
        Some(rows) => input.rows(rows)?.reshaped(slices.shape)?,
        None => rearrange(cx, input, &slices.layout(input.shape()), &slices.shape, None)?,
    };
    cx.set(0, out);
    Ok(())
}

/// Slices per example.
pub(super) trait Behind {
    /// Begin, end and strides, the inputs starting at number `first`, prefixed with those of the example axis.
    fn behind<'g>(&self, b: &BatchCx<'g>, first: usize) -> [V<'g>; 3];
    /// The corresponding masks.
    fn masks_behind(&self) -> Vec<(&'static str, AttrValue)>;
}

impl Behind for StridedSlice {
    fn behind<'g>(&self, b: &BatchCx<'g>, first: usize) -> [V<'g>; 3] {
        [0, 0, 1].map({
            let mut input = first;
            move |value| {
                let all = b.concat(&[b.g().ints(&[value]).cast(self.index), b.input(input)]);
                input += 1;
                all
            }
        })
    }

    fn masks_behind(&self) -> Vec<(&'static str, AttrValue)> {
        let mask = |name, mask: i64, own: i64| (name, AttrValue::I(mask << 1 | own));
        vec![
            mask("begin_mask", self.begin_mask, 1),
            mask("end_mask", self.end_mask, 1),
            mask("ellipsis_mask", self.ellipsis_mask, 0),
            mask("new_axis_mask", self.new_axis_mask, 0),
            mask("shrink_axis_mask", self.shrink_axis_mask, 0),
        ]
    }
}
