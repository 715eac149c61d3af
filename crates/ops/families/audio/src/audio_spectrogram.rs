//! `AudioSpectrogram`: the magnitude of each frequency, window by window.

use crate::fourier::Fourier;
use crate::prelude::*;
use std::f64::consts::TAU;

attrs! {
    /// Computes the magnitudes of the Fourier transform of each window of each column of samples, weighted by a Hann
    /// window.
    pub struct AudioSpectrogram {
        /// Number of samples in a window.
        window_size: i64 = Attr::int("window_size"),
        /// Number of samples between the starts of adjacent windows.
        stride: i64 = Attr::int("stride"),
        /// Whether to return the squares of the magnitudes.
        magnitude_squared: bool = Attr::bool("magnitude_squared").or_bool(false),
    }
}

pub static AUDIO_SPECTROGRAM: Def<AudioSpectrogram> = op("AudioSpectrogram")
    .inputs(&[arg("input", is(DType::F32))])
    .outputs(&[arg("spectrogram", is(DType::F32))])
    .shape(|op: &AudioSpectrogram, cx| {
        let input = cx.with_rank(0, 2)?;
        let windows = op.check()?;
        cx.output(
            0,
            PartialShape::new([input.dim(1), input.dim(0).map(|n| windows.count(n)), Some(windows.frequencies())]),
        );
        Ok(())
    })
    .kernel(spectrogram)
    .heavy();

/// How the samples are split into windows.
#[derive(Clone, Copy)]
struct Windows {
    size: usize,
    stride: usize,
}

impl AudioSpectrogram {
    fn check(&self) -> Result<Windows> {
        let int = |value: i64, least: i64, name: &'static str| match i32::try_from(value) {
            Ok(_) if value >= least => Ok(value as usize),
            _ => Err(Error::invalid(format!("{name} must be at least {least} and fit into int32"))
                .attr(name)
                .found(value)),
        };
        Ok(Windows { size: int(self.window_size, 2, "window_size")?, stride: int(self.stride, 1, "stride")? })
    }
}

impl Windows {
    /// Number of windows in `samples` samples.
    fn count(&self, samples: usize) -> usize {
        samples.checked_sub(self.size).map_or(0, |rest| 1 + rest / self.stride)
    }

    /// Length of the transform: a window padded with zeros.
    fn padded(&self) -> usize {
        self.size.next_power_of_two()
    }

    fn frequencies(&self) -> usize {
        1 + self.padded() / 2
    }
}

fn spectrogram(op: &AudioSpectrogram, cx: &mut Cx<'_, '_>) -> Result<()> {
    let windows = op.check()?;
    let input = cx.input(0)?.shape().clone();
    let &[samples, channels] = input.dims() else {
        return Err(Error::invalid(format!("input must be 2-dimensional, got shape {input}")));
    };
    let (count, width) = (windows.count(samples), windows.frequencies());
    cx.produce::<f32>(0, &Shape::new([channels, count, width])?, |cx, out| {
        if out.is_empty() {
            return Ok(());
        }
        let size = windows.padded();
        cx.device.arena.check(Fourier::bytes(size))?;
        let fourier = Fourier::new(size);
        let hann = |i: usize| 0.5 - 0.5 * (TAU * i as f64 / windows.size as f64).cos();
        let weights: Vec<f64> = (0..windows.size).map(hann).collect();
        let input = cx.slice::<f32>(0)?;
        cx.pool().for_chunks(out, width, size as f64 * 20.0, |first, out| {
            let mut numbers = vec![[0.0; 2]; size];
            for (i, out) in out.chunks_exact_mut(width).enumerate() {
                let (channel, window) = ((first + i) / count, (first + i) % count);
                let samples = input[window * windows.stride * channels + channel..].iter().step_by(channels);
                numbers.fill([0.0; 2]);
                for (number, (sample, weight)) in numbers.iter_mut().zip(samples.zip(&weights)) {
                    number[0] = f64::from(*sample) * weight;
                }
                fourier.transform(&mut numbers);
                for (out, [real, imaginary]) in out.iter_mut().zip(&numbers) {
                    let squared = (real * real + imaginary * imaginary) as f32;
                    *out = if op.magnitude_squared { squared } else { squared.sqrt() };
                }
            }
        });
        Ok(())
    })
}
