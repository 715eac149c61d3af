//! `ResizeBilinear` and its gradient.

use super::scale::{
    Between, GRADIENTS, IMAGES, OUTPUT, RESIZED, Resize, Resizing, gradient_of_gradient, original_shape, resized_shape,
};
use crate::prelude::*;
use crate::rules::first;

pub static RESIZE_BILINEAR: Def<Resizing> = op::<Resizing>("ResizeBilinear")
    .doc("Resizes images; every pixel is a mean of the four around its place, weighted by distance.")
    .inputs(IMAGES)
    .outputs(RESIZED)
    .shape(resized_shape)
    .host_inputs(&[1])
    .gradient(|op, g| first(g, RESIZE_BILINEAR_GRAD.node(g, op, &[g.dy(0), g.input(0)])))
    .kernel(resize_bilinear)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static RESIZE_BILINEAR_GRAD: Def<Resizing> = op::<Resizing>("ResizeBilinearGrad")
    .doc("The gradient of a `ResizeBilinear`.")
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
    let line = width.output * channels;
    cx.pool().for_chunks(out, line, line as f64 * 1.5, |first, piece| {
        vectorized_for!(T, {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (n, y) = ((first + i) / height.output, (first + i) % height.output);
                let Between { lower, upper, part } = height.between(y);
                let row = |y: usize| &input[(n * height.input + y) * width.input * channels..];
                let (top, bottom) = (row(lower), row(upper));
                for (at, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                    let (left, right) = (at.lower * channels, at.upper * channels);
                    let tops = top[left..left + channels].iter().zip(&top[right..right + channels]);
                    let bottoms = bottom[left..left + channels].iter().zip(&bottom[right..right + channels]);
                    for (o, ((tl, tr), (bl, br))) in out.iter_mut().zip(tops.zip(bottoms)) {
                        let [tl, tr, bl, br] = [tl, tr, bl, br].map(|v| v.to_f64() as f32);
                        let t = tl + (tr - tl) * at.part;
                        let b = bl + (br - bl) * at.part;
                        *o = t + (b - t) * part;
                    }
                }
            }
        });
    });
}

fn resize_bilinear_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_gradient(cx, op.alignment())?;
    let Resize { channels, height, width, .. } = resize;
    let mut out = cx.zeros(op.dtype, cx.input(1)?.shape())?;
    let gradient = cx.input(0)?.slice::<f32>()?;
    let (image, resized) = (resize.image(), resize.resized());
    dispatch!(op.dtype, floats, |T| {
        cx.pool().for_chunks(out.slice_mut::<T>()?, image, resized as f64 * 4.0, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(image).enumerate() {
                let pixels = gradient[(first + i) * resized..][..resized].chunks_exact(channels);
                for (p, grads) in pixels.enumerate() {
                    let (v, h) = (height.between(p / width.output), width.between(p % width.output));
                    for (y, part) in [(v.lower, 1.0 - v.part), (v.upper, v.part)] {
                        for (x, across) in [(h.lower, 1.0 - h.part), (h.upper, h.part)] {
                            let to = &mut out[(y * width.input + x) * channels..][..channels];
                            let pairs = to.iter_mut().zip(grads);
                            pairs.for_each(|(o, g)| *o = o.add(T::from_f64(f64::from(g * part * across))));
                        }
                    }
                }
            }
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}
