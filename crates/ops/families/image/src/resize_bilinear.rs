//! `ResizeBilinear` and its gradient.

use super::scale::{Between, Resize, resize_op, resized_shape};
use crate::prelude::*;

resize_op! {
    /// Resizes images; every pixel is a mean of the four around its place, weighted by distance.
    ResizeBilinear("images": of("T"), "size": is(DType::I32)) -> "resized_images": is(DType::F32), sets::REALS,
    half_pixel_centers
}

impl Op for ResizeBilinear {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        resized_shape(cx)
    }
}

impl Kernel<Cpu> for ResizeBilinear {
    const COST: Cost = Cost::Heavy;
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let resize = Resize::of_inputs(cx, self.alignment())?;
        let shape = resize.output_shape()?;
        dispatch!(self.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
            interpolate::<T>(cx, &resize, cx.input(0)?.slice()?, out);
            Ok(())
        }), else Err(Error::unimplemented(format!("resizing images of {} is not supported", self.dtype))))
    }
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

resize_op! {
    /// The gradient of a `ResizeBilinear`.
    ResizeBilinearGrad("grads": is(DType::F32), "original_image": of("T")) -> "output": of("T"), sets::FLOATS,
    half_pixel_centers
}

impl Op for ResizeBilinearGrad {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 4)?;
        let shape = cx.with_rank(1, 4)?;
        cx.output(0, shape);
        Ok(())
    }
}

impl Kernel<Cpu> for ResizeBilinearGrad {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let resize = Resize::of_gradient(cx, self.alignment())?;
        let Resize { channels, height, width, .. } = resize;
        let mut out = cx.zeros(self.dtype, cx.input(1)?.shape())?;
        let gradient = cx.input(0)?.slice::<f32>()?;
        let (image, resized) = (resize.image(), resize.resized());
        dispatch!(self.dtype, floats, |T| {
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
        }, else Err(Error::unimplemented(format!("resizing images of {} is not supported", self.dtype))))?;
        cx.set(0, out);
        Ok(())
    }
}
