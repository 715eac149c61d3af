//! `ResizeBilinear` and its gradient.

use super::scale::{
    Between, GRADIENTS, IMAGES, OUTPUT, RESIZED, Resize, Resizing, Scale, gradient_of_gradient, original_shape,
    resized_shape,
};
use super::taps::{Taps, for_channels, gather};
use crate::prelude::*;
use crate::rules::first;

pub static RESIZE_BILINEAR: Def<Resizing> = op::<Resizing>("ResizeBilinear")
    .doc("Resizes images by bilinear interpolation of the four nearest input pixels.")
    .inputs(IMAGES)
    .outputs(RESIZED)
    .shape(resized_shape)
    .host_inputs(&[1])
    .gradient(|op, g| first(g, RESIZE_BILINEAR_GRAD.node(g, op, &[g.dy(0), g.input(0)])))
    .kernel(resize_bilinear)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static RESIZE_BILINEAR_GRAD: Def<Resizing> = op::<Resizing>("ResizeBilinearGrad")
    .doc("The gradient of `ResizeBilinear`.")
    .attrs(&[Attr::dtype("T", sets::FLOATS)])
    .inputs(GRADIENTS)
    .outputs(OUTPUT)
    .shape(original_shape)
    .gradient(|op, g| gradient_of_gradient(&RESIZE_BILINEAR, op, g))
    .kernel(resize_bilinear_grad)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1]));

fn resize_bilinear(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    resize.check_lines(&cx.device.arena)?;
    let shape = resize.output_shape()?;
    dispatch!(op.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
        interpolate::<T>(cx, &resize, cx.input(0)?.slice()?, out);
        Ok(())
    }), else unsupported(cx, op.dtype))
}

fn interpolate<T: Real>(cx: &Cx<'_, '_>, resize: &Resize, input: &[T], out: &mut [f32]) {
    let &Resize { channels, height, width, .. } = resize;
    let columns: Vec<Between> = (0..width.output).map(|x| width.between(x)).collect();
    let (line, from_line) = (width.output * channels, width.input * channels);
    cx.pool().for_chunks(out, line, line as f64 * 0.5, |first, piece| {
        // Two horizontally resized input lines. The next output lines mostly reuse them.
        let mut lines = [usize::MAX; 2].map(|number| (number, vec![0f32; line]));
        vectorized_for!(T, {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (n, y) = ((first + i) / height.output, (first + i) % height.output);
                let Between { lower, upper, part } = height.between(y);
                let [lower, upper] = [lower, upper].map(|y| n * height.input + y);
                if lines[1].0 == lower {
                    lines.swap(0, 1);
                }
                let wanted = if lower == upper { &[lower][..] } else { &[lower, upper] };
                for ((number, resized), &wanted) in lines.iter_mut().zip(wanted) {
                    if *number != wanted {
                        *number = wanted;
                        resize_line(&input[wanted * from_line..][..from_line], &columns, channels, resized);
                    }
                }
                let (top, bottom) = (&lines[0].1, &lines[wanted.len() - 1].1);
                for (o, (&t, &b)) in out.iter_mut().zip(top.iter().zip(bottom)) {
                    *o = t + (b - t) * part;
                }
            }
        });
    });
}

#[inline(always)]
fn resize_line<T: Real>(input: &[T], columns: &[Between], channels: usize, out: &mut [f32]) {
    for_channels!(channels, {
        for (at, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
            let [left, right] = [at.lower, at.upper].map(|x| &input[x * channels..][..channels]);
            for (o, (l, r)) in out.iter_mut().zip(left.iter().zip(right)) {
                let (l, r) = (l.to_f64() as f32, r.to_f64() as f32);
                *o = l + (r - l) * at.part;
            }
        }
    });
}

/// The input pixels and weights of every output pixel.
fn taps(scale: Scale) -> Vec<Taps<2>> {
    let two = |i| {
        let Between { lower, upper, part } = scale.between(i);
        Taps { at: [lower, upper], weights: [1.0 - part, part] }
    };
    (0..scale.output).map(two).collect()
}

fn resize_bilinear_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_gradient(cx, op.alignment())?;
    let shape = cx.input(1)?.shape().clone();
    if shape.num_elements() == 0 {
        // The rows and columns of an empty batch may have any length.
        let zeros = cx.zeros(op.dtype, &shape)?;
        cx.set(0, zeros);
        return Ok(());
    }
    let [rows, columns] = [resize.height, resize.width].map(taps);
    dispatch!(op.dtype, floats, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let gradient = cx.input(0)?.slice::<f32>()?;
        gather(cx.pool(), &resize, [&rows, &columns], gradient, out, |g, v, h| T::from_f64(f64::from(g * v * h)));
        Ok(())
    }), else unsupported(cx, op.dtype))
}
