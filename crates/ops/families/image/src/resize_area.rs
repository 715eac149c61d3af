//! `ResizeArea`.

use super::scale::{Resize, Scale, resize_op, resized_shape};
use crate::prelude::*;

resize_op! {
    /// Resizes images; every pixel is the mean of the area that it covers.
    ResizeArea("images": of("T"), "size": is(DType::I32)) -> "resized_images": is(DType::F32), sets::REALS
}

impl Op for ResizeArea {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        resized_shape(cx)
    }
}

/// The pixels that pixel `i` of the result covers, and how much of each.
fn covered(scale: &Scale, i: usize) -> Vec<(usize, f32)> {
    let (start, end) = (i as f32 * scale.factor(), (i as f32 + 1.0) * scale.factor());
    let mut pixels = Vec::new();
    let mut at = start.floor();
    while at < end {
        let part = match (at < start, at + 1.0 > end) {
            (true, true) => scale.factor(),
            (true, false) => at + 1.0 - start,
            (false, true) => end - at,
            (false, false) => 1.0,
        };
        pixels.push(((at.max(0.0) as usize).min(scale.input - 1), part));
        at += 1.0;
    }
    pixels
}

impl Kernel<Cpu> for ResizeArea {
    const COST: Cost = Cost::Heavy;
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let resize = Resize::of_inputs(cx, self.alignment())?;
        let shape = resize.output_shape()?;
        let Resize { channels, height, width, .. } = resize;
        let columns: Vec<Vec<(usize, f32)>> = (0..width.output).map(|x| covered(&width, x)).collect();
        let share = 1.0 / (height.factor() * width.factor());
        let line = width.output * channels;
        let nanos = line as f64 * f64::from(share.recip().max(1.0)) * 2.0;
        dispatch!(self.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
            let input = cx.input(0)?.slice::<T>()?;
            cx.pool().for_chunks(out, line, nanos, |first, piece| {
                for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                    let (n, y) = ((first + i) / height.output, (first + i) % height.output);
                    let rows = covered(&height, y);
                    for (column, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                        out.fill(0.0);
                        for &(y, v) in &rows {
                            for &(x, h) in column {
                                let at = ((n * height.input + y) * width.input + x) * channels;
                                let pairs = out.iter_mut().zip(&input[at..at + channels]);
                                pairs.for_each(|(o, p)| *o += p.to_f64() as f32 * (v * h * share));
                            }
                        }
                    }
                }
            });
            Ok(())
        }), else Err(Error::unimplemented(format!("resizing images of {} is not supported", self.dtype))))
    }
}
