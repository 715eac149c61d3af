//! `AdjustContrastv2`.

use super::hsv::{check_images, factor};
use crate::prelude::*;

attrs! {
    /// Moves the values of every channel of every image away from their mean, or towards it: `(x - mean) * contrast_factor +
    /// mean`.
    pub struct AdjustContrastv2 {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32]).or_type(DType::F32),
    }
}

pub static ADJUST_CONTRAST: Def<AdjustContrastv2> = op::<AdjustContrastv2>("AdjustContrastv2")
    .inputs(&[arg("images", of("T")), arg("contrast_factor", is(DType::F32))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let images = cx.rank_at_least(0, 3)?;
        cx.with_rank(1, 0)?;
        cx.output(0, images);
        Ok(())
    })
    .kernel(adjust_contrast)
    .heavy()
    .host_inputs(&[1])
    .batch(|_, b| if b.rank(0)? < 3 { None } else { levada_ops_core::batch::leading_first(b, 1) });

fn adjust_contrast(op: &AdjustContrastv2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    check_images(&shape)?;
    let factor = factor(cx.input(1)?, "contrast_factor")?;
    let [.., height, width, channels] = shape.dims() else {
        return Err(Error::invalid(format!("input must be at least 3-D, got shape {shape}")));
    };
    let (channels, image) = (*channels, height * width * channels);
    dispatch!(op.dtype, floats, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let input = cx.slice::<T>(0)?;
        cx.pool().for_chunks(out, image, image as f64 * 1.5, |first, piece| {
            let images = piece.chunks_exact_mut(image).zip(input[first * image..].chunks_exact(image));
            images.for_each(|(out, image)| adjust(image, out, channels, factor));
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

/// Channels whose means are computed together.
const BLOCK: usize = 16;

/// One image.
fn adjust<T: Float>(image: &[T], out: &mut [T], channels: usize, factor: f32) {
    let count = (image.len() / channels) as f64;
    for start in (0..channels).step_by(BLOCK) {
        let block = start..channels.min(start + BLOCK);
        let mut sums = [0.0; BLOCK];
        for pixel in image.chunks_exact(channels) {
            sums.iter_mut().zip(&pixel[block.clone()]).for_each(|(sum, v)| *sum += v.to_f64());
        }
        let means = sums.map(|sum| T::from_f64(sum / count));
        for (out, pixel) in out.chunks_exact_mut(channels).zip(image.chunks_exact(channels)) {
            let values = pixel[block.clone()].iter().zip(&means);
            for (o, (v, mean)) in out[block.clone()].iter_mut().zip(values) {
                *o = mean.add(T::from_f64(f64::from(v.sub(*mean).to_f64() as f32 * factor)));
            }
        }
    }
}
