//! `DecodeWav`: decodes a WAV file.

use crate::prelude::*;

attrs! {
    /// Decodes a WAV file of 16-bit samples: the samples scaled to between -1 and 1, one column per channel, and the
    /// sample rate in hertz.
    pub struct DecodeWav {
        /// Number of channels to return: surplus channels are dropped, missing ones repeat the last channel; -1 for
        /// those of the file.
        channels: i64 = Attr::int("desired_channels").or_int(-1),
        /// Number of samples to return: surplus samples are dropped, missing ones are zero; -1 for those of the file.
        samples: i64 = Attr::int("desired_samples").or_int(-1),
    }
}

pub static DECODE_WAV: Def<DecodeWav> = op("DecodeWav")
    .inputs(&[arg("contents", is(DType::Str))])
    .outputs(&[arg("audio", is(DType::F32)), arg("sample_rate", is(DType::I32))])
    .shape(|op: &DecodeWav, cx| {
        cx.with_rank(0, 0)?;
        cx.output(0, PartialShape::new([op.wanted(op.samples)?, op.wanted(op.channels)?]));
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(decode)
    .heavy();

impl DecodeWav {
    fn wanted(&self, size: i64) -> Result<Dim> {
        match i32::try_from(size) {
            Ok(-1) => Ok(None),
            Ok(size) if size >= 0 => Ok(Some(size as usize)),
            _ => Err(Error::invalid("desired_channels and desired_samples must be at least -1 and fit into int32")
                .found(size)),
        }
    }
}

/// The unread rest of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8]> {
        let (taken, rest) =
            self.0.split_at_checked(size).ok_or_else(|| Error::invalid("the WAV file ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn expect(&mut self, name: &[u8; 4]) -> Result<()> {
        let found = self.array::<4>()?;
        if found == *name { Ok(()) } else { Err(unexpected(&found).expected(String::from_utf8_lossy(name))) }
    }
}

fn unexpected(found: &[u8]) -> Error {
    Error::invalid("unexpected chunk in a WAV file").found(String::from_utf8_lossy(found))
}

/// Chunks that may precede the format chunk.
const SKIPPED: [&[u8; 4]; 8] = [b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml"];

/// The contents of a WAV file.
struct Wav<'a> {
    channels: usize,
    rate: u32,
    /// 16-bit samples, two bytes each.
    samples: &'a [u8],
}

impl<'a> Wav<'a> {
    fn read(file: &'a [u8]) -> Result<Wav<'a>> {
        let mut reader = Reader(file);
        reader.expect(b"RIFF")?;
        reader.u32()?;
        reader.expect(b"WAVE")?;
        loop {
            let name = reader.array::<4>()?;
            if name == *b"fmt " {
                break;
            }
            if !SKIPPED.contains(&&name) {
                return Err(unexpected(&name));
            }
            let size = reader.u32()?;
            reader.take(size as usize)?;
        }
        let format_size = reader.u32()?;
        let wrong =
            |what: &str, found: &dyn std::fmt::Display| Error::invalid(format!("{what} in a WAV file")).found(found);
        if !matches!(format_size, 16 | 18) {
            return Err(wrong("a format chunk has 16 or 18 bytes", &format_size));
        }
        let format = reader.u16()?;
        if format != 1 {
            return Err(wrong("only the audio format 1 (PCM) can be read", &format));
        }
        let channels = reader.u16()?;
        if channels < 1 {
            return Err(wrong("there must be at least one channel", &channels));
        }
        let (rate, per_second, per_sample, bits) = (reader.u32()?, reader.u32()?, reader.u16()?, reader.u16()?);
        if bits != 16 {
            return Err(wrong("only samples of 16 bits can be read", &bits));
        }
        if u32::from(per_sample) != 2 * u32::from(channels) {
            return Err(wrong("wrong bytes per sample", &per_sample));
        }
        if u64::from(per_second) != u64::from(rate) * u64::from(per_sample) {
            return Err(wrong("wrong bytes per second", &per_second));
        }
        if format_size == 18 {
            reader.0 = reader.0.get(2..).unwrap_or_default();
        }
        let mut samples = None;
        while !reader.0.is_empty() {
            let (name, size) = (reader.array::<4>()?, reader.u32()?);
            if i32::try_from(size).is_err() {
                return Err(wrong("a chunk is too large", &size));
            }
            if name == *b"data" {
                let whole = size / u32::from(per_sample) * u32::from(per_sample);
                if samples.replace(reader.take(whole as usize)?).is_some() {
                    return Err(Error::invalid("more than one data chunk in a WAV file"));
                }
            } else {
                reader.0 = reader.0.get(size as usize..).unwrap_or_default();
            }
        }
        let samples = samples.ok_or_else(|| Error::invalid("no data chunk in a WAV file"))?;
        Ok(Wav { channels: channels.into(), rate, samples })
    }
}

fn decode(op: &DecodeWav, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (samples, channels) = (op.wanted(op.samples)?, op.wanted(op.channels)?);
    let contents = cx.input(0)?;
    if !contents.shape().is_scalar() {
        return Err(Error::invalid(format!("contents must be scalar, got shape {}", contents.shape())));
    }
    let file = contents.item::<Bytes>()?;
    let wav = Wav::read(&file)?;
    let per_sample = 2 * wav.channels;
    let (samples, channels) = (samples.unwrap_or(wav.samples.len() / per_sample), channels.unwrap_or(wav.channels));
    cx.produce::<f32>(0, &Shape::new([samples, channels])?, |_, out| {
        if out.is_empty() {
            return Ok(());
        }
        let mut rows = out.chunks_exact_mut(channels);
        for (sample, out) in wav.samples.chunks_exact(per_sample).zip(&mut rows) {
            for (channel, out) in out.iter_mut().enumerate() {
                let at = 2 * channel.min(wav.channels - 1);
                *out = f32::from(i16::from_le_bytes([sample[at], sample[at + 1]])) / 32_768.0;
            }
        }
        rows.for_each(|out| out.fill(0.0));
        Ok(())
    })?;
    cx.set(1, Tensor::scalar(wav.rate as i32));
    Ok(())
}
