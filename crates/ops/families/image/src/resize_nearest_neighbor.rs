//! `ResizeNearestNeighbor` and its gradient.

use super::scale::{IMAGES, OUTPUT, Resize, Resizing, check_images, resized_shape, size_from};
use crate::prelude::*;
use crate::rules::first;

pub static RESIZE_NEAREST_NEIGHBOR: Def<Resizing> = op::<Resizing>("ResizeNearestNeighbor")
    .doc("Resizes images; every pixel is the nearest one of the image.")
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
    .doc("The gradient of a `ResizeNearestNeighbor`.")
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
        let columns: Vec<usize> = (0..width.output).map(|x| width.nearest(x, corners) * channels).collect();
        let line = width.output * channels;
        cx.pool().for_chunks(out, line, line as f64 * 0.5, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (n, y) = ((first + i) / height.output, (first + i) % height.output);
                let row = (n * height.input + height.nearest(y, corners)) * width.input * channels;
                for (&column, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                    out.copy_from_slice(&input[row + column..][..channels]);
                }
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
    let (channels, corners) = (grads[3], op.align_corners);
    let shape = Shape::new([grads[0], h, w, channels])?;
    let (image, from_image) = (h * w * channels, grads[1] * grads[2] * channels);
    let mut out = cx.zeros(op.dtype, &shape)?;
    dispatch!(op.dtype, reals, |T| {
        let grads = cx.input(0)?.slice::<T>()?;
        cx.pool().for_chunks(out.slice_mut::<T>()?, image, from_image as f64, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(image).enumerate() {
                for y in 0..height.output {
                    for x in 0..width.output {
                        let at = (height.nearest(y, corners) * w + width.nearest(x, corners)) * channels;
                        let from = (first + i) * from_image + (y * width.output + x) * channels;
                        let pairs = out[at..at + channels].iter_mut().zip(&grads[from..from + channels]);
                        pairs.for_each(|(o, &g)| *o = o.add(g));
                    }
                }
            }
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn gradients_come_back_where_pixels_came_from() {
        let images =
            |h: usize, w: usize, values: Vec<i32>| Tensor::from_vec(Shape::new([1, h, w, 1]).unwrap(), values).unwrap();
        let attrs =
            |align_corners, half_pixel_centers| Resizing { dtype: DType::I32, align_corners, half_pixel_centers };
        let op = |corners, half| RESIZE_NEAREST_NEIGHBOR.of(attrs(corners, half));
        let size = || Tensor::vector(vec![2, 4]);
        let resize = |corners, half| {
            let out = run(op(corners, half), vec![images(2, 3, (1..7).collect()), size()], &[DType::I32]).unwrap();
            out[0].slice::<i32>().unwrap().to_vec()
        };
        assert_eq!(resize(false, false), [1, 1, 2, 3, 4, 4, 5, 6]);
        assert_eq!(resize(true, false), [1, 2, 2, 3, 4, 5, 5, 6]);
        assert_eq!(resize(false, true), [1, 2, 2, 3, 4, 5, 5, 6]);
        let grad = RESIZE_NEAREST_NEIGHBOR_GRAD.of(attrs(false, false));
        let back = run(grad, vec![images(2, 4, (1..9).collect()), Tensor::vector(vec![2, 3])], &[DType::I32]).unwrap();
        assert_eq!(back[0].slice::<i32>().unwrap(), [3, 3, 4, 11, 7, 8]);
        for wrong in [Tensor::vector(vec![0, 4]), Tensor::vector(vec![2]), Tensor::vector(vec![-1, 2])] {
            let error = run(op(false, false), vec![images(2, 3, (1..7).collect()), wrong], &[DType::I32]).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument);
        }
    }
}
