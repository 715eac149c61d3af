//! `EncodeWav`: encodes samples as a WAV file.

use crate::prelude::*;

attrs! {
    /// Encodes samples between -1 and 1, one column per channel, as a WAV file of 16-bit samples.
    pub struct EncodeWav {}
}

pub static ENCODE_WAV: Def<EncodeWav> = op("EncodeWav")
    .inputs(&[arg("audio", is(DType::F32)), arg("sample_rate", is(DType::I32))])
    .outputs(&[arg("contents", is(DType::Str))])
    .shape(|_, cx| {
        cx.with_rank(0, 2)?;
        cx.with_rank(1, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(encode)
    .heavy();

/// Size of the header before the samples, in bytes.
const HEADER: usize = 44;

fn encode(_: &EncodeWav, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (audio, rate) = (cx.input(0)?, cx.input(1)?);
    let &[_, channels] = audio.shape().dims() else {
        return Err(Error::invalid(format!("audio must be 2-dimensional, got shape {}", audio.shape())));
    };
    if !rate.shape().is_scalar() {
        return Err(Error::invalid(format!("Input sample_rate should be a scalar tensor, got shape {}", rate.shape())));
    }
    let rate = rate.item::<i32>()?;
    let Some(rate) = u32::try_from(rate).ok().filter(|rate| *rate > 0) else {
        return Err(Error::invalid("sample_rate must be positive").found(rate));
    };
    let Some(channels) = u16::try_from(channels).ok().filter(|channels| *channels > 0) else {
        return Err(Error::invalid("there must be between 1 and 65535 channels").found(channels));
    };
    let samples = audio.slice::<f32>()?;
    let size = samples.len().saturating_mul(2);
    let (Ok(data), Ok(file)) = (u32::try_from(size), u32::try_from(size.saturating_add(HEADER))) else {
        return Err(Error::invalid("a WAV file has at most 4294967295 bytes").found(size));
    };
    cx.device.arena.check(size)?;
    let per_sample = channels.wrapping_mul(2);
    let mut wav = Vec::with_capacity(HEADER + size);
    wav.extend_from_slice(b"RIFF");
    wav.extend(file.wrapping_sub(8).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend(16u32.to_le_bytes());
    wav.extend(1u16.to_le_bytes());
    wav.extend(channels.to_le_bytes());
    wav.extend(rate.to_le_bytes());
    wav.extend(rate.wrapping_mul(2).wrapping_mul(channels.into()).to_le_bytes());
    wav.extend(per_sample.to_le_bytes());
    wav.extend(16u16.to_le_bytes());
    wav.extend_from_slice(b"data");
    wav.extend(data.to_le_bytes());
    // The conversion saturates.
    wav.extend(samples.iter().flat_map(|sample| ((sample * 32_768.0).round() as i16).to_le_bytes()));
    cx.set(0, Tensor::scalar(Bytes::from(wav)));
    Ok(())
}
