//! `Mfcc`: mel-frequency cepstral coefficients.

use crate::prelude::*;
use std::f64::consts::PI;

attrs! {
    /// Computes the mel-frequency cepstral coefficients of the squared magnitudes that `AudioSpectrogram` returns.
    pub struct Mfcc {
        /// Upper frequency limit, in hertz.
        upper: f32 = Attr::float("upper_frequency_limit").or_float(4000.0),
        /// Lower frequency limit, in hertz.
        lower: f32 = Attr::float("lower_frequency_limit").or_float(20.0),
        /// Number of mel filter bands.
        bands: i64 = Attr::int("filterbank_channel_count").or_int(40),
        /// Number of coefficients per window.
        coefficients: i64 = Attr::int("dct_coefficient_count").or_int(13),
    }
}

pub static MFCC: Def<Mfcc> = op("Mfcc")
    .inputs(&[arg("spectrogram", is(DType::F32)), arg("sample_rate", is(DType::I32))])
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|op: &Mfcc, cx| {
        let spectrogram = cx.with_rank(0, 3)?;
        cx.with_rank(1, 0)?;
        let coefficients = usize::try_from(op.coefficients).ok();
        cx.output(0, PartialShape::new([spectrogram.dim(0), spectrogram.dim(1), coefficients]));
        Ok(())
    })
    .kernel(mfcc)
    .heavy();

/// Lower bound on the energy of a band.
const FLOOR: f64 = 1e-12;

fn mel(frequency: f64) -> f64 {
    1127.0 * (frequency / 700.0).ln_1p()
}

/// The mel filter bank: how much of each frequency of a spectrum goes to which band.
struct Bank {
    /// Index of the first frequency used.
    start: usize,
    /// For each frequency from `start` on, the number of bands centred below it, and the share that goes to the last of
    /// these; the rest goes to the next band.
    shares: Vec<(usize, f64)>,
    bands: usize,
}

impl Bank {
    fn new(op: &Mfcc, frequencies: usize, rate: i32, bands: usize) -> Result<Bank> {
        let (lower, upper) = (f64::from(op.lower), f64::from(op.upper));
        if rate <= 0 || frequencies < 2 {
            return Err(Error::invalid("a spectrum must have a positive sample rate and at least two frequencies")
                .found(format!("sample rate {rate} and {frequencies} frequencies")));
        }
        if !(lower >= 0.0 && upper > lower) {
            return Err(Error::invalid(
                "upper_frequency_limit must be above lower_frequency_limit, which must not be negative",
            )
            .found(format!("{lower} to {upper}")));
        }
        let (low, spacing) = (mel(lower), (mel(upper) - mel(lower)) / (bands + 1) as f64);
        let centre = |band: usize| low + spacing * (band + 1) as f64;
        let step = 0.5 * f64::from(rate) / (frequencies - 1) as f64;
        let (start, end) = ((1.5 + lower / step) as i32 as usize, (upper / step) as i32 as usize);
        let mut band = 0;
        let share = |i: usize| {
            let at = mel(i as f64 * step);
            while band < bands && centre(band) < at {
                band += 1;
            }
            let below = if band == 0 { low } else { centre(band - 1) };
            (band, (centre(band) - at) / (centre(band) - below))
        };
        // A spectrum that is too short has no bands.
        let shares = if end < frequencies { (start..=end).map(share).collect() } else { Vec::new() };
        let bands = if end < frequencies { bands } else { 0 };
        Ok(Bank { start, shares, bands })
    }

    /// Computes the logarithms of the energies of all bands.
    fn loudness(&self, spectrum: &[f32], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.bands, 0.0);
        for (&(band, share), &squared) in self.shares.iter().zip(spectrum.iter().skip(self.start)) {
            let magnitude = f64::from(squared).sqrt();
            let weighted = magnitude * share;
            if band > 0 {
                out[band - 1] += weighted;
            }
            if band < self.bands {
                out[band] += magnitude - weighted;
            }
        }
        // NaN is kept.
        out.iter_mut().for_each(|v| *v = if *v < FLOOR { FLOOR } else { *v }.ln());
    }
}

fn mfcc(op: &Mfcc, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, rate) = (cx.input(0)?.shape().clone(), cx.input(1)?);
    let &[channels, windows, frequencies] = shape.dims() else {
        return Err(Error::invalid(format!("spectrogram must be 3-dimensional, got shape {shape}")));
    };
    if !rate.shape().is_scalar() {
        return Err(Error::invalid(format!("Input sample_rate should be a scalar tensor, got shape {}", rate.shape())));
    }
    let rate = rate.item::<i32>()?;
    if op.bands < 1 || op.coefficients < 1 || op.coefficients > op.bands || i32::try_from(op.bands).is_err() {
        return Err(Error::invalid("there must be at least one coefficient, and at least as many bands")
            .found(format!("{} coefficients and {} bands", op.coefficients, op.bands)));
    }
    let (bands, coefficients) = (op.bands as usize, op.coefficients as usize);
    let bank = Bank::new(op, frequencies, rate, bands)?;
    cx.produce::<f32>(0, &Shape::new([channels, windows, coefficients])?, |cx, out| {
        if out.is_empty() {
            return Ok(());
        }
        cx.device.arena.check(coefficients.saturating_mul(bands).saturating_mul(size_of::<f64>()))?;
        let norm = (2.0 / bands as f64).sqrt();
        let cosine = |k: usize| norm * ((k / bands) as f64 * (PI / bands as f64) * ((k % bands) as f64 + 0.5)).cos();
        let cosines: Vec<f64> = (0..coefficients * bands).map(cosine).collect();
        let spectra = cx.slice::<f32>(0)?;
        cx.pool().for_chunks(out, coefficients, (frequencies * 10 + cosines.len()) as f64, |first, out| {
            let mut loudness = Vec::new();
            let spectra = spectra[first * frequencies..].chunks_exact(frequencies);
            for (spectrum, out) in spectra.zip(out.chunks_exact_mut(coefficients)) {
                bank.loudness(spectrum, &mut loudness);
                for (out, cosines) in out.iter_mut().zip(cosines.chunks_exact(bands)) {
                    *out = cosines.iter().zip(&loudness).map(|(c, v)| c * v).sum::<f64>() as f32;
                }
            }
        });
        Ok(())
    })
}
