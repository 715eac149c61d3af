//! `AdjustContrastv2` and the legacy op `AdjustContrast`.

use super::hsv::{check_images, factor};
use crate::prelude::*;

attrs! {
    /// Scales every channel of every image around its mean: `(x - mean) * contrast_factor + mean`.
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

attrs! {
    /// Legacy form of `AdjustContrastv2`; the result is clipped to the range from `min_value` to `max_value`.
    pub struct AdjustContrast {
        /// Element type of the images.
        dtype: DType = Attr::dtype(
            "T",
            &[DType::U8, DType::I8, DType::I16, DType::I32, DType::I64, DType::F32, DType::F64],
        ),
    }
}

pub static ADJUST_CONTRAST_V1: Def<AdjustContrast> = op::<AdjustContrast>("AdjustContrast")
    .inputs(&[
        arg("images", of("T")),
        arg("contrast_factor", is(DType::F32)),
        arg("min_value", is(DType::F32)),
        arg("max_value", is(DType::F32)),
    ])
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|_, cx| {
        let images = cx.rank_at_least(0, 3)?;
        (1..4).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
        cx.output(0, images);
        Ok(())
    })
    .kernel(adjust_contrast_v1)
    .heavy()
    .host_inputs(&[1, 2, 3])
    .supports(|op| op.dtype != DType::I64);

fn adjust_contrast_v1(op: &AdjustContrast, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let scalar = |i: usize, name: &str| factor(cx.input(i)?, name);
    let by = scalar(1, "contrast_factor")?;
    let (least, greatest) = (scalar(2, "min_value")?, scalar(3, "max_value")?);
    let [.., height, width, channels] = shape.dims() else {
        return Err(Error::invalid(format!("input must be at least 3-D, got shape {shape}")));
    };
    let (channels, image) = (*channels, height * width * channels);
    dispatch!(op.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
        if image == 0 {
            return Ok(());
        }
        let images = out.chunks_exact_mut(image).zip(cx.slice::<T>(0)?.chunks_exact(image));
        for (out, image) in images {
            let values: Vec<f32> = image.iter().map(|value| value.to_f64() as f32).collect();
            adjust(&values, out, channels, by);
            out.iter_mut().for_each(|value| *value = greatest.min(*value).max(least));
        }
        Ok(())
    }), else unsupported(cx, op.dtype))
}

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
            images.for_each(|(out, image)| match channels {
                1 => adjust_pixels::<T, 1>(image, out, factor),
                3 => adjust_pixels::<T, 3>(image, out, factor),
                4 => adjust_pixels::<T, 4>(image, out, factor),
                _ => adjust(image, out, channels, factor),
            });
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

/// Channels whose means are computed together.
const BLOCK: usize = 16;
/// Pixels that are summed side by side.
const PIXELS: usize = 8;

/// Moves a value away from the mean.
#[inline(always)]
fn stretched<T: Float>(value: T, mean: T, factor: f32) -> T {
    mean.add(T::from_f64(f64::from(value.sub(mean).to_f64() as f32 * factor)))
}

/// Adds pixels to their sums.
#[inline(always)]
fn add<T: Float, const CHANNELS: usize>(sums: &mut [[f64; CHANNELS]; PIXELS], pixels: &[[T; CHANNELS]]) {
    for (sums, pixel) in sums.iter_mut().zip(pixels) {
        sums.iter_mut().zip(pixel).for_each(|(sum, v)| *sum += v.to_f64());
    }
}

/// Adjusts one image with a common number of channels.
fn adjust_pixels<T: Float, const CHANNELS: usize>(image: &[T], out: &mut [T], factor: f32) {
    vectorized_for!(T, {
        let (pixels, _) = image.as_chunks::<CHANNELS>();
        let (groups, rest) = pixels.as_chunks::<PIXELS>();
        let mut sums = [[0.0; CHANNELS]; PIXELS];
        groups.iter().for_each(|group| add(&mut sums, group));
        add(&mut sums, rest);
        let mean = |channel: usize| {
            let sum: f64 = sums.iter().map(|sums| sums[channel]).sum();
            T::from_f64(sum / pixels.len() as f64)
        };
        let means: [T; CHANNELS] = std::array::from_fn(mean);
        for (out, pixel) in out.as_chunks_mut::<CHANNELS>().0.iter_mut().zip(pixels) {
            for ((out, v), mean) in out.iter_mut().zip(pixel).zip(means) {
                *out = stretched(*v, mean, factor);
            }
        }
    });
}

/// Adjusts one image.
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
                *o = stretched(*v, *mean, factor);
            }
        }
    }
}
