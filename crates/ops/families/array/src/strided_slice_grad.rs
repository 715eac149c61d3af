//! `StridedSliceGrad`: scatters the gradient of a slice back to its positions.

use super::strided_slice::Behind;
use super::strided_slice::STRIDED_SLICE;
use crate::moves::{Axis, Layout, Mover, Slices, StridedSlice, rearrange, shape_of_dims};
use crate::prelude::*;
use crate::rules::NONE;

pub static STRIDED_SLICE_GRAD: Def<StridedSlice> = op::<StridedSlice>("StridedSliceGrad")
    .doc("Returns a tensor of shape `shape` that holds `dy` at the positions of the slice, and 0 elsewhere.")
    .attrs(&[Attr::dtype("Index", sets::INDEX)])
    .inputs(&[
        arg("shape", of("Index")),
        arg("begin", of("Index")),
        arg("end", of("Index")),
        arg("strides", of("Index")),
        arg("dy", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.output(0, cx.constant_shape(0));
        Ok(())
    })
    .gradient(|op, g| {
        let inputs = [g.dy(0), g.input(1), g.input(2), g.input(3)];
        vec![NONE, NONE, NONE, NONE, STRIDED_SLICE.node(g, op, &inputs).into()]
    })
    .kernel(strided_slice_grad::<Cpu>)
    .heavy()
    .host_inputs(&[0, 1, 2, 3])
    .batch(|op, b| {
        if b.any_varies(0..4) {
            return None;
        }
        let [begin, end, strides] = op.behind(b, 1);
        let shape = b.concat(&[b.size1().cast(op.index), b.input(0)]);
        b.one(b.again_with(&[shape, begin, end, strides, b.input(4)], &op.masks_behind()))
    });

/// The kernel of `StridedSliceGrad`, on any device that moves elements.
pub fn strided_slice_grad<D: Mover>(op: &StridedSlice, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    if cx.input(0)?.shape().rank() != 1 {
        return Err(Error::invalid(format!("shape must be 1-D, got shape.shape = {}", cx.input(0)?.shape())));
    }
    let shape = shape_of_dims(cx.input(0)?, "shape")?;
    let slices = Slices::new(&shape, cx.input(1)?, cx.input(2)?, cx.input(3)?, op.masks())?;
    let dy = cx.input(4)?;
    if slices.shape != *dy.shape() {
        return Err(Error::invalid(format!("shape of dy was {} instead of {}", dy.shape(), slices.shape)));
    }
    // The strides of `dy` before axes are added or dropped.
    let strides = Shape::new(slices.picks.iter().map(|p| p.len))?.strides();
    let axes = slices.picks.iter().zip(strides).zip(shape.iter());
    let layout = Layout::new(axes.map(|((pick, stride), &dim)| {
        let (stride, distance) = (stride as isize, pick.stride.unsigned_abs() as usize);
        // In the order of the output, ascending from its lowest index.
        let span = pick.len.saturating_sub(1).saturating_mul(distance);
        let (lowest, from, step) = match pick.stride > 0 {
            true => (pick.begin, 0, stride),
            false => (pick.begin - span as i64, (pick.len as isize - 1) * stride, -stride),
        };
        if pick.len == 0 {
            return Axis::default().fill(dim);
        }
        let before = Axis::default().fill(lowest as usize);
        let body = match distance {
            1 => before.copy(pick.len, from, step),
            _ => (0..pick.len as isize).fold(before, |axis, i| {
                let axis = axis.copy(1, from + i * step, 0);
                if i + 1 < pick.len as isize { axis.fill(distance - 1) } else { axis }
            }),
        };
        body.fill(dim - lowest as usize - span - 1)
    }));
    let out = rearrange(cx, dy, &layout, &shape, None)?;
    cx.set(0, out);
    Ok(())
}
