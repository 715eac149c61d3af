//! `QuantizedInstanceNorm`: instance normalization of quantized images.

use crate::code::{FromFloat, greatest, least};
use crate::prelude::*;
use crate::{QUANTIZED, range, same_and_range, set_range};

attrs! {
    /// Normalizes each channel of each quantized image in `x` to mean 0 and variance 1.
    pub struct QuantizedInstanceNorm {
        /// Quantized type.
        dtype: DType = Attr::dtype("T", QUANTIZED),
        /// Whether the output range is given; otherwise it is computed from the results.
        given: bool = Attr::bool("output_range_given").or_bool(false),
        /// Minimum of the given output range.
        min: f32 = Attr::float("given_y_min").or_float(0.0),
        /// Maximum of the given output range.
        max: f32 = Attr::float("given_y_max").or_float(0.0),
        /// Added to the variance to avoid division by zero.
        epsilon: f32 = Attr::float("variance_epsilon").or_float(1e-5),
        /// Minimum width of the output range.
        separation: f32 = Attr::float("min_separation").or_float(1e-3),
    }
}

pub static QUANTIZED_INSTANCE_NORM: Def<QuantizedInstanceNorm> = op::<QuantizedInstanceNorm>("QuantizedInstanceNorm")
    .inputs(&[arg("x", of("T")), arg("x_min", is(DType::F32)), arg("x_max", is(DType::F32))])
    .outputs(&[arg("y", of("T")), arg("y_min", is(DType::F32)), arg("y_max", is(DType::F32))])
    .shape(|op, cx| {
        cx.with_rank(0, 4)?;
        same_and_range(op, cx)
    })
    .kernel(normalize)
    .heavy()
    .supports(|op| op.dtype == DType::QU8);

fn normalize(op: &QuantizedInstanceNorm, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.given && !(op.min < op.max) {
        return Err(
            Error::invalid("given_y_min must be less than given_y_max").found(format!("{} to {}", op.min, op.max))
        );
    }
    let (min, max) = range(cx, 1)?;
    if !(min < max) {
        return Err(Error::invalid("input_min must be less than input_max").found(format!("{min} to {max}")));
    }
    let scale = (max - min) / 255.0;
    let shape = cx.input(0)?.shape().clone();
    let &[_, height, width, channels] = shape.dims() else {
        return Err(Error::invalid("input must be 4-dimensional").found(shape));
    };
    let codes = cx.slice::<u8>(0)?;
    let pixels = height * width;
    let mut normed = Vec::with_capacity(codes.len());
    for image in codes.chunks_exact((pixels * channels).max(1)) {
        let mean_of = |value: &dyn Fn(usize, f32) -> f32| -> Vec<f32> {
            let mut sums = vec![0f32; channels];
            for pixel in image.chunks_exact(channels) {
                sums.iter_mut().zip(pixel).enumerate().for_each(|(c, (sum, &code))| *sum += value(c, code.into()));
            }
            sums.iter().map(|sum| sum / pixels as f32).collect()
        };
        let mean = mean_of(&|_, code| code);
        let variance = mean_of(&|c, code| {
            let difference = scale * (code - mean[c]);
            difference * difference
        });
        for pixel in image.chunks_exact(channels) {
            for (c, &code) in pixel.iter().enumerate() {
                normed.push(scale * (f32::from(code) - mean[c]) * (1.0 / (variance[c] + op.epsilon).sqrt()));
            }
        }
    }
    let (low, mut high) = match op.given {
        true => (op.min, op.max),
        false => {
            normed.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| (least(low, v), greatest(high, v)))
        }
    };
    if high - low < op.separation {
        high = low + op.separation;
    }
    let from = FromFloat::new::<u8>((low, high));
    cx.produce::<u8>(0, &shape, |_, out| {
        out.iter_mut().zip(&normed).for_each(|(out, &value)| *out = from.call(value));
        Ok(())
    })?;
    set_range(cx, (low, high));
    Ok(())
}
