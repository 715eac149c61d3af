//! Images, as PNG.

use crate::message::Message;
use levada_graph::{DType, Error, Result, Tensor, f16};

/// The maximum absolute value at which an image counts as zero.
const ZERO: f32 = 1e-6;

/// The messages of the first `max` images of a batch. Pixels that are not finite become `bad_color`.
pub(crate) fn images(batch: &Tensor, max: usize, bad_color: &[u8]) -> Result<Vec<Message>> {
    let &[count, height, width, channels @ (1 | 3 | 4)] = batch.shape().dims() else {
        return Err(Error::invalid(format!("Tensor must be 4-D with last dim 1, 3, or 4, not {}", batch.shape())));
    };
    if bad_color.len() < channels {
        return Err(Error::invalid(format!("expected bad_color to have {channels} channels, got {}", bad_color.len())));
    }
    let size = height * width * channels;
    let pixels = |i: usize| -> Result<Vec<u8>> {
        let range = i * size..(i + 1) * size;
        Ok(match batch.dtype() {
            DType::U8 => batch.slice::<u8>()?[range].to_vec(),
            DType::F16 => {
                let values: Vec<f64> = batch.slice::<f16>()?[range].iter().map(|v| f64::from(v.to_f32())).collect();
                bytes(&values, channels, bad_color, |v, scale, offset| {
                    let scaled = f16::from_f32(v as f32 * f16::from_f32(scale).to_f32()).to_f32();
                    f16::from_f32(scaled + offset).to_f32() as u8
                })
            }
            DType::F64 => bytes(&batch.slice::<f64>()?[range], channels, bad_color, |v, scale, offset| {
                (v * f64::from(scale) + f64::from(offset)) as u8
            }),
            _ => {
                let values: Vec<f64> = batch.slice::<f32>()?[range].iter().map(|v| f64::from(*v)).collect();
                bytes(&values, channels, bad_color, |v, scale, offset| (v as f32 * scale + offset) as u8)
            }
        })
    };
    (0..count.min(max)).map(|i| image(&pixels(i)?, height, width, channels)).collect()
}

/// Values as bytes: if none is negative, the largest becomes 255, otherwise zero becomes 128.
fn bytes(values: &[f64], channels: usize, bad_color: &[u8], byte: impl Fn(f64, f32, f32) -> u8) -> Vec<u8> {
    let is_finite = |pixel: &&[f64]| pixel.iter().all(|v| v.is_finite());
    // As in TensorFlow, limits are computed in float32 even if the pixels are not.
    let finite = || values.chunks_exact(channels).filter(is_finite).flatten().map(|v| *v as f32);
    let (min, max) = (finite().fold(f32::INFINITY, f32::min), finite().fold(f32::NEG_INFINITY, f32::max));
    let (top, offset) = if min < 0.0 { (127.0, 128.0) } else { (255.0, 0.0) };
    let largest = if min < 0.0 { min.abs().max(max.abs()) } else { max };
    let scale = if largest < ZERO { 0.0 } else { top / largest };
    let pixel = |pixel: &[f64]| match is_finite(&pixel) {
        true => pixel.iter().map(|v| byte(*v, scale, offset)).collect::<Vec<u8>>(),
        false => bad_color[..channels].to_vec(),
    };
    values.chunks_exact(channels).flat_map(pixel).collect()
}

fn image(pixels: &[u8], height: usize, width: usize, channels: usize) -> Result<Message> {
    let failed = |what: String| Error::invalid(format!("an image of {width} times {height} pixels: {what}"));
    let side = |n: usize| u32::try_from(n).ok().filter(|n| *n > 0).ok_or_else(|| failed("no PNG has this size".into()));
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side(width)?, side(height)?);
    encoder.set_color(match channels {
        1 => png::ColorType::Grayscale,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.map_err(|e| failed(e.to_string()))?;
    let mut message = Message::default();
    for (number, value) in [(1, height), (2, width), (3, channels)] {
        message.int(number, value as i64);
    }
    message.bytes(4, &file);
    Ok(message)
}
