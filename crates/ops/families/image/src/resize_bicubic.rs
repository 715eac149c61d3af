//! `ResizeBicubic` and its gradient.

use super::scale::{
    GRADIENTS, IMAGES, OUTPUT, RESIZED, Resize, Resizing, Scale, gradient_of_gradient, original_shape, resized_shape,
};
use super::taps::{Taps, for_channels, gather};
use crate::prelude::*;
use crate::rules::{first, never};

pub static RESIZE_BICUBIC: Def<Resizing> = op::<Resizing>("ResizeBicubic")
    .doc("Resizes images by bicubic interpolation: every pixel is a weighted sum of the 16 nearest input pixels.")
    .inputs(IMAGES)
    .outputs(RESIZED)
    .shape(resized_shape)
    .host_inputs(&[1])
    .gradient(|op, g| match op.dtype {
        DType::F32 | DType::F64 => first(g, RESIZE_BICUBIC_GRAD.node(g, op, &[g.dy(0), g.input(0)])),
        // As in TensorFlow, other types have no gradient.
        _ => never(g),
    })
    .kernel(resize_bicubic)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static RESIZE_BICUBIC_GRAD: Def<Resizing> = op::<Resizing>("ResizeBicubicGrad")
    .doc("The gradient of `ResizeBicubic`.")
    .attrs(&[Attr::dtype("T", &[DType::F32, DType::F64])])
    .inputs(GRADIENTS)
    .outputs(OUTPUT)
    .shape(original_shape)
    .gradient(|op, g| gradient_of_gradient(&RESIZE_BICUBIC, op, g))
    .kernel(resize_bicubic_grad)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1]));

/// Number of distances for which weights are tabulated; others are rounded to the nearest.
const STEPS: usize = 1024;

/// The cubic convolution kernel at distance `x`, up to 1 (`near`) or beyond.
fn kernel(a: f64, step: usize, near: bool) -> f32 {
    let x = step as f64 / STEPS as f64;
    let weight = if near {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else {
        let x = x + 1.0;
        ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    };
    weight as f32
}

/// The input pixels and weights of every output pixel.
fn weights(scale: &Scale, half_pixel: bool) -> Vec<Taps<4>> {
    // With half-pixel centers it is Keys' kernel, and pixels outside of the image have no weight.
    let a = if half_pixel { -0.5 } else { -0.75 };
    let last = scale.input as i64 - 1;
    let four = |i: usize| {
        let place = scale.place(i);
        let floor = place.floor();
        let step = (((place - floor) * STEPS as f32).round_ties_even() as usize).min(STEPS);
        let places = [-1, 0, 1, 2].map(|d| floor as i64 + d);
        let at = places.map(|p| p.clamp(0, last) as usize);
        let mut weights = [
            kernel(a, step, false),
            kernel(a, step, true),
            kernel(a, STEPS - step, true),
            kernel(a, STEPS - step, false),
        ];
        if half_pixel {
            for (weight, place) in weights.iter_mut().zip(places) {
                if !(0..=last).contains(&place) {
                    *weight = 0.0;
                }
            }
            let sum: f32 = weights.iter().sum();
            if sum.abs() >= 1000.0 * f32::MIN_POSITIVE {
                weights = weights.map(|w| w * sum.recip());
            }
        }
        Taps { at, weights }
    };
    (0..scale.output).map(four).collect()
}

fn resize_bicubic(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    resize.check_lines(&cx.device.arena)?;
    let shape = resize.output_shape()?;
    let Resize { channels, height, width, .. } = resize;
    let [rows, columns] = [height, width].map(|scale| weights(&scale, op.half_pixel_centers));
    let (line, from_line) = (width.output * channels, width.input * channels);
    dispatch!(op.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
        let input = cx.input(0)?.slice::<T>()?;
        cx.pool().for_chunks(out, line, line as f64 * 0.8 + from_line as f64 * 0.5, |first, piece| {
            let mut summed = vec![0f32; from_line];
            vectorized_for!(T, {
                for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                    let (n, y) = ((first + i) / height.output, (first + i) % height.output);
                    let lines = rows[y].at.map(|y| &input[(n * height.input + y) * from_line..][..from_line]);
                    weigh(lines, rows[y].weights, &mut summed);
                    for_channels!(channels, {
                        for (column, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                            let pixels = column.at.map(|x| &summed[x * channels..][..channels]);
                            weigh(pixels, column.weights, out);
                        }
                    });
                }
            });
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

/// Writes the weighted sum of four slices to `out`.
#[inline(always)]
fn weigh<T: Real>([a, b, c, d]: [&[T]; 4], weights: [f32; 4], out: &mut [f32]) {
    let parts = a.iter().zip(b).zip(c.iter().zip(d));
    for (o, ((a, b), (c, d))) in out.iter_mut().zip(parts) {
        let [a, b, c, d] = [a, b, c, d].map(|v| v.to_f64() as f32);
        *o = a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
    }
}

fn resize_bicubic_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_gradient(cx, op.alignment())?;
    let shape = cx.input(1)?.shape().clone();
    if shape.num_elements() == 0 {
        // The rows and columns of an empty batch may have any length.
        let zeros = cx.zeros(op.dtype, &shape)?;
        cx.set(0, zeros);
        return Ok(());
    }
    let [rows, columns] = [resize.height, resize.width].map(|scale| weights(&scale, op.half_pixel_centers));
    dispatch!(op.dtype, floats, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let gradient = cx.input(0)?.slice::<f32>()?;
        let part = |w: f32| T::from_f64(f64::from(w));
        gather(cx.pool(), &resize, [&rows, &columns], gradient, out, |g, v, h| part(g).mul(part(v)).mul(part(h)));
        Ok(())
    }), else unsupported(cx, op.dtype))
}
