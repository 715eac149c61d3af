//! `ResizeArea`.

use super::scale::{IMAGES, RESIZED, Resize, Resizing, Scale, resized_shape};
use crate::prelude::*;

pub static RESIZE_AREA: Def<Resizing> = op::<Resizing>("ResizeArea")
    .doc("Resizes images by area interpolation: every pixel is the mean of the input area it covers.")
    .inputs(IMAGES)
    .outputs(RESIZED)
    .without(&["half_pixel_centers"])
    .shape(resized_shape)
    .host_inputs(&[1])
    .kernel(resize_area)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

/// Distance between two output pixels in input pixels, which is positive: of one pixel stretched between aligned corners
/// every output pixel covers a small part.
fn distance(scale: &Scale) -> f32 {
    scale.factor().max(f32::EPSILON)
}

/// The input pixels that output pixel `i` covers, and the covered fraction of each.
fn covered(scale: &Scale, i: usize) -> Vec<(usize, f32)> {
    let (start, end) = (i as f32 * distance(scale), (i as f32 + 1.0) * distance(scale));
    let mut pixels = Vec::new();
    let mut at = start.floor();
    while at < end {
        let part = match (at < start, at + 1.0 > end) {
            (true, true) => distance(scale),
            (true, false) => at + 1.0 - start,
            (false, true) => end - at,
            (false, false) => 1.0,
        };
        pixels.push(((at.max(0.0) as usize).min(scale.input - 1), part));
        at += 1.0;
    }
    pixels
}

fn resize_area(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    resize.check_lines(&cx.device.arena)?;
    let shape = resize.output_shape()?;
    if shape.num_elements() == 0 {
        // The rows and columns of an empty batch may have any length.
        return cx.produce::<f32>(0, &shape, |_, _| Ok(()));
    }
    let Resize { channels, height, width, .. } = resize;
    let columns: Vec<Vec<(usize, f32)>> = (0..width.output).map(|x| covered(&width, x)).collect();
    let share = 1.0 / (distance(&height) * distance(&width));
    let line = width.output * channels;
    let nanos = line as f64 * f64::from(share.recip().max(1.0)) * 2.0;
    dispatch!(op.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
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
    }), else unsupported(cx, op.dtype))
}
