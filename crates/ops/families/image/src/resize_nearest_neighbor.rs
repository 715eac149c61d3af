//! `ResizeNearestNeighbor` and its gradient.

use super::scale::{IMAGES, OUTPUT, Resize, Resizing, check_images, resized_shape, size_from};
use super::taps::{Taps, for_channels, gather};
use crate::prelude::*;
use crate::rules::first;

pub static RESIZE_NEAREST_NEIGHBOR: Def<Resizing> = op::<Resizing>("ResizeNearestNeighbor")
    .doc("Resizes images by nearest-neighbor interpolation.")
    .inputs(IMAGES)
    .outputs(&[arg("resized_images", of("T"))])
    .shape(resized_shape)
    .host_inputs(&[1])
    .gradient(|op, g| {
        let size = g.input(0).shape_value().slice1(1, 2);
        first(g, RESIZE_NEAREST_NEIGHBOR_GRAD.node(g, op, &[g.dy(0), size]))
    })
    .kernel(resize_nearest_neighbor)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static RESIZE_NEAREST_NEIGHBOR_GRAD: Def<Resizing> = op::<Resizing>("ResizeNearestNeighborGrad")
    .doc("The gradient of `ResizeNearestNeighbor`.")
    .inputs(&[arg("grads", of("T")), arg("size", is(DType::I32))])
    .outputs(OUTPUT)
    .shape(resized_shape)
    .host_inputs(&[1])
    .gradient(|op, g| {
        let size = g.input(0).shape_value().slice1(1, 2);
        first(g, RESIZE_NEAREST_NEIGHBOR.node(g, op, &[g.dy(0), size]))
    })
    .kernel(resize_nearest_neighbor_grad)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

fn resize_nearest_neighbor(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    resize.check_lines(&cx.device.arena)?;
    let shape = resize.output_shape()?;
    let Resize { channels, height, width, .. } = resize;
    let corners = op.align_corners;
    dispatch!(op.dtype, reals, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let input = cx.input(0)?.slice::<T>()?;
        let columns: Vec<usize> = (0..width.output).map(|x| width.nearest(x, corners)).collect();
        let (line, from_line) = (width.output * channels, width.input * channels);
        cx.pool().for_chunks(out, line, line as f64 * 0.2, |first, piece| {
            let place = |i: usize| (i / height.output * height.input + height.nearest(i % height.output, corners)) * from_line;
            for i in 0..piece.len() / line {
                let (before, out) = piece.split_at_mut(i * line);
                let from = place(first + i);
                if i > 0 && place(first + i - 1) == from {
                    out[..line].copy_from_slice(&before[(i - 1) * line..]);
                    continue;
                }
                let from = &input[from..][..from_line];
                for_channels!(channels, {
                    for (&x, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                        out.copy_from_slice(&from[x * channels..][..channels]);
                    }
                });
            }
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

fn resize_nearest_neighbor_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let alignment = op.alignment().check()?;
    let grads = cx.input(0)?.shape().clone();
    check_images(&grads, "grads")?;
    let [h, w] = size_from(cx.input(1)?, "shape_t's elements")?;
    let (height, width) = (alignment.scale(h, grads[1]), alignment.scale(w, grads[2]));
    let resize = Resize { batch: grads[0], channels: grads[3], height, width };
    let shape = Shape::new([grads[0], h, w, grads[3]])?;
    if grads.num_elements() == 0 {
        // The rows and columns of an empty batch may have any length.
        let zeros = cx.zeros(op.dtype, &shape)?;
        cx.set(0, zeros);
        return Ok(());
    }
    let [rows, columns] = [height, width].map(|scale| {
        let nearest = |i| Taps { at: [scale.nearest(i, op.align_corners)], weights: [1.0] };
        (0..scale.output).map(nearest).collect::<Vec<_>>()
    });
    dispatch!(op.dtype, reals, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let grads = cx.input(0)?.slice::<T>()?;
        gather(cx.pool(), &resize, [&rows, &columns], grads, out, |g, _, _| g);
        Ok(())
    }), else unsupported(cx, op.dtype))
}
