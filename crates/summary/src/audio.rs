//! Sound, as WAV with 16 bits per sample.

use crate::message::Message;
use levada_graph::{Error, Result, Tensor};

/// The messages of the first `max` clips of a batch: `[clips, frames]` or `[clips, frames, channels]`.
pub(crate) fn clips(batch: &Tensor, rate: f32, max: usize) -> Result<Vec<Message>> {
    let (count, frames, channels) = match *batch.shape().dims() {
        [count, frames] => (count, frames, 1),
        [count, frames, channels] => (count, frames, channels),
        _ => return Err(Error::invalid(format!("Tensor must be 3-D or 2-D, got: {}", batch.shape()))),
    };
    if rate.is_nan() || rate <= 0.0 {
        return Err(Error::invalid("sample_rate must be > 0").found(rate));
    }
    let (size, samples) = (frames * channels, batch.slice::<f32>()?);
    let clip = |i: usize| {
        let mut message = Message::default();
        message.float(1, rate);
        message.int(2, channels as i64);
        message.int(3, frames as i64);
        message.bytes(4, &wav(&samples[i * size..(i + 1) * size], channels, rate as u32)?);
        message.bytes(5, b"audio/wav");
        Ok(message)
    };
    (0..count.min(max)).map(clip).collect()
}

fn wav(samples: &[f32], channels: usize, rate: u32) -> Result<Vec<u8>> {
    let failed = || Error::invalid("the sound is too large for a WAV file").found(format!("{channels} channels"));
    let short = u16::try_from(channels).ok().filter(|n| *n > 0).ok_or_else(failed)?;
    let width = short.checked_mul(2).ok_or_else(failed)?;
    let length = u32::try_from(2 * samples.len()).ok().filter(|n| *n < u32::MAX - 36).ok_or_else(failed)?;
    let second = rate.checked_mul(u32::from(width)).ok_or_else(failed)?;
    let mut out = Vec::with_capacity(44 + 2 * samples.len());
    out.extend(b"RIFF");
    out.extend((36 + length).to_le_bytes());
    out.extend(b"WAVEfmt ");
    out.extend(16u32.to_le_bytes());
    out.extend(1u16.to_le_bytes());
    out.extend(short.to_le_bytes());
    out.extend(rate.to_le_bytes());
    out.extend(second.to_le_bytes());
    out.extend(width.to_le_bytes());
    out.extend(16u16.to_le_bytes());
    out.extend(b"data");
    out.extend(length.to_le_bytes());
    // The conversion saturates.
    out.extend(samples.iter().flat_map(|v| ((v * 32_768.0).round() as i16).to_le_bytes()));
    Ok(out)
}
