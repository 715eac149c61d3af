//! `ExtractGlimpse` and `ExtractGlimpseV2`: a window from each image.

use crate::philox::{Philox, Singles, entropy};
use crate::prelude::*;
use crate::rules::never;
use std::f32::consts::TAU;

attrs! {
    /// Extracts a window of `size` pixels (rows, columns) from each image at its row of `offsets`. Pixels outside of an
    /// image are filled with noise.
    pub struct ExtractGlimpse {
        /// If true, offsets are relative to the center of an image, and range from -1 to 1 if normalized; if false,
        /// they are relative to its first pixel.
        centered: bool = Attr::bool("centered").or_bool(true),
        /// If true, offsets are fractions of the image size; if false, pixels.
        normalized: bool = Attr::bool("normalized").or_bool(true),
        /// If `noise` is empty: true for uniform noise, false for normal noise.
        uniform_noise: bool = Attr::bool("uniform_noise").or_bool(true),
        /// Noise distribution: `uniform`, `gaussian`, `zero` or empty.
        noise: Bytes = Attr::string("noise").or_str("uniform"),
        /// If true, windows are always centered at the offset.
        around: bool = Attr::bool("around").or_bool(true),
    }
}

pub static EXTRACT_GLIMPSE: Def<ExtractGlimpse> = op("ExtractGlimpse")
    .inputs(&[arg("input", is(DType::F32)), arg("size", is(DType::I32)), arg("offsets", is(DType::F32))])
    .outputs(&[arg("glimpse", is(DType::F32))])
    .fixed(&[("around", AttrDefault::Bool(true))])
    .also(&[form("ExtractGlimpseV2")
        .doc("As `ExtractGlimpse`, but offsets that are not both centered and normalized give a window's first pixel.")
        .fixed(&[("around", AttrDefault::Bool(false))])
        .not_differentiable()])
    .host_inputs(&[1])
    .stateful_if(|op: &ExtractGlimpse| &op.noise[..] != b"zero")
    .shape(|_, cx| {
        let images = cx.with_rank(0, 4)?;
        let size = cx.constant_shape(1).merge(&PartialShape::of_rank(2))?;
        let offsets = cx.input(2).merge(&PartialShape::new([images.dim(0), Some(2)]))?;
        cx.output(0, PartialShape::new([offsets.dim(0), size.dim(0), size.dim(1), images.dim(3)]));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(glimpse)
    .heavy();

/// How pixels outside of an image are filled.
#[derive(Clone, Copy, PartialEq)]
enum Noise {
    Uniform,
    Normal,
    Zero,
}

impl ExtractGlimpse {
    fn noise(&self) -> Result<Noise> {
        if self.uniform_noise && !self.noise.is_empty() && &self.noise[..] != b"uniform" {
            return Err(
                Error::invalid("The uniform_noise and noise could not be specified at the same time").attr("noise")
            );
        }
        match &self.noise[..] {
            b"" if self.uniform_noise => Ok(Noise::Uniform),
            b"uniform" => Ok(Noise::Uniform),
            b"" | b"gaussian" => Ok(Noise::Normal),
            b"zero" => Ok(Noise::Zero),
            other => Err(Error::invalid("The noise could only be uniform, gaussian, or zero")
                .attr("noise")
                .found(String::from_utf8_lossy(other))),
        }
    }

    /// The first pixel of a window of `window` pixels on an axis of `size` pixels.
    fn start(&self, offset: f32, size: usize, window: usize) -> i64 {
        let (size, half) = (size as f32, window as f32 / 2.0);
        let mut at = if self.normalized { offset * size } else { offset };
        if self.centered && (self.normalized || self.around) {
            at /= 2.0;
        }
        if self.centered {
            at += size / 2.0;
        }
        if self.around || self.centered && self.normalized {
            at -= half;
        }
        // Clamping is safe because no image extends this far; NaN counts as far outside.
        if at.is_nan() { -FAR } else { at.clamp(-FAR as f32, FAR as f32) as i64 }
    }
}

/// Larger than any image.
const FAR: i64 = 1 << 40;

/// The part of an axis that a window covers: image pixels from `from` on, at window position `to`.
struct Shown {
    from: usize,
    to: usize,
    count: usize,
    is_whole: bool,
}

impl Shown {
    fn new(start: i64, size: usize, window: usize) -> Shown {
        let (size_signed, window_signed) = (size as i64, window as i64);
        if start < 0 {
            let left = (window_signed + start).max(0) as usize;
            return Shown { from: 0, to: window - left, count: left.min(size), is_whole: false };
        }
        if start + window_signed >= size_signed {
            let left = (size_signed - start).max(0) as usize;
            let is_whole = left >= window;
            return Shown { from: (start as usize).min(size), to: 0, count: left.min(size).min(window), is_whole };
        }
        Shown { from: start as usize, to: 0, count: window, is_whole: true }
    }
}

fn glimpse(op: &ExtractGlimpse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let noise = op.noise()?;
    let (images, offsets) = (cx.input(0)?.shape().clone(), cx.input(2)?.shape());
    let &[batch, height, width, channels] = images.dims() else {
        return Err(Error::invalid(format!(
            "input must be 4-dimensional (batch_size, height, width, depth), got shape {images}"
        )));
    };
    let size = cx.input(1)?;
    if size.shape().dims() != [2] {
        return Err(Error::invalid(format!(
            "input must be a vector of size 2 (height, width), got shape {}",
            size.shape()
        )));
    }
    if offsets.dims() != [batch, 2] {
        return Err(Error::invalid(format!(
            "offsets must be a matrix with a row of 2 for each image, got shape {offsets}"
        )));
    }
    let size = Shape::from_signed(&size.to_i64s()?)?;
    let (rows, columns) = (size[0], size[1]);
    let shape = Shape::new([batch, rows, columns, channels])?;
    let mut lots = Philox::seeded(entropy(), entropy()).singles();
    cx.produce::<f32>(0, &shape, |cx, out| {
        if out.is_empty() {
            return Ok(());
        }
        let (images, offsets) = (cx.slice::<f32>(0)?, cx.slice::<f32>(2)?);
        for (n, out) in out.chunks_exact_mut(rows * columns * channels).enumerate() {
            let image = &images[n * height * width * channels..(n + 1) * height * width * channels];
            let vertical = Shown::new(op.start(offsets[2 * n], height, rows), height, rows);
            let horizontal = Shown::new(op.start(offsets[2 * n + 1], width, columns), width, columns);
            if !vertical.is_whole || !horizontal.is_whole {
                fill(out, image, channels, noise, &mut lots);
            }
            for row in 0..vertical.count {
                let from = ((vertical.from + row) * width + horizontal.from) * channels;
                let to = ((vertical.to + row) * columns + horizontal.to) * channels;
                let line = horizontal.count * channels;
                out[to..to + line].copy_from_slice(&image[from..from + line]);
            }
        }
        Ok(())
    })
}

/// Fills a window with noise distributed like its image.
fn fill(out: &mut [f32], image: &[f32], channels: usize, noise: Noise, lots: &mut Singles) {
    let range = |values: &mut dyn Iterator<Item = &f32>| {
        values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
    };
    if noise == Noise::Zero || image.is_empty() {
        out.fill(0.0);
    } else if noise == Noise::Uniform {
        let (low, high) = range(&mut image.iter());
        out.fill_with(|| low + lots.unit_f32() * (high - low));
    } else {
        let count = (image.len() / channels) as f32;
        for c in 0..channels {
            let values = || image.iter().skip(c).step_by(channels);
            let (low, high) = range(&mut values());
            let mean = values().sum::<f32>() / count;
            let deviation = (values().map(|v| (v - mean) * (v - mean)).sum::<f32>() / count).sqrt();
            for out in out.iter_mut().skip(c).step_by(channels) {
                let radius = (-2.0 * (1.0 - lots.unit_f32()).ln()).sqrt();
                let normal = radius * (TAU * lots.unit_f32()).cos();
                *out = (mean + normal * deviation).min(high).max(low);
            }
        }
    }
}
