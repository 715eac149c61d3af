//! Decodes JPEG, PNG, GIF and BMP bytes into rows of samples.

use super::jpeg;
use crate::prelude::*;
use levada_kernel::Arena;
use std::io::Cursor;

/// An image file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileType {
    Jpeg,
    Png,
    Gif,
    Bmp,
}

impl FileType {
    /// Detects the format from the leading bytes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for unknown formats, `UNIMPLEMENTED` for known ones that cannot be decoded.
    pub(super) fn of(bytes: &[u8]) -> Result<FileType> {
        match bytes {
            [] => Err(Error::invalid("Input is empty.")),
            [0xff, 0xd8, 0xff, ..] => Ok(FileType::Jpeg),
            [0x89, b'P', b'N', b'G', ..] => Ok(FileType::Png),
            [b'G', b'I', b'F', b'8', ..] => Ok(FileType::Gif),
            [b'B', b'M', ..] => Ok(FileType::Bmp),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
                Err(Error::unimplemented("decoding WebP images is not supported"))
            }
            [0xff, 0x0a, ..] | [0, 0, 0, 0x0c, b'J', b'X', b'L', b' ', ..] => {
                Err(Error::unimplemented("decoding JPEG XL images is not supported"))
            }
            _ => Err(Error::invalid("Unknown image file format. One of JPEG, PNG, GIF, BMP required.")),
        }
    }
}

/// Samples of one or more images.
pub(super) enum Samples {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

/// Frames of equal size, stored one after another.
pub(super) struct Pictures {
    pub(super) frames: usize,
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) channels: usize,
    pub(super) samples: Samples,
}

/// The size of an image in bytes, checked against the memory limit.
fn size(arena: &Arena, dims: [usize; 4]) -> Result<usize> {
    let size = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d)).filter(|n| *n < 1 << 30);
    let size = size.ok_or_else(|| Error::invalid(format!("an image of {dims:?} samples is too large")))?;
    arena.check(size)?;
    Ok(size)
}

fn vector(n: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(n)
        .map_err(|_| Error::resource_exhausted(format!("no memory for an image of {n} bytes")))?;
    bytes.resize(n, 0);
    Ok(bytes)
}

/// Decodes a JPEG.
pub(super) fn jpeg(arena: &Arena, bytes: &[u8], options: jpeg::Options) -> Result<Pictures> {
    let jpeg::Image { height, width, channels, samples } = jpeg::decode(arena, bytes, options, |_, _| Ok(None))?;
    Ok(Pictures { frames: 1, height, width, channels, samples: Samples::Bytes(samples) })
}

/// Decodes a PNG. `channels` is from 1 to 4, or 0 for as many as the file has.
pub(super) fn png(arena: &Arena, bytes: &[u8], channels: usize) -> Result<Pictures> {
    let failed = || Error::invalid(format!("Invalid PNG data, size {}", bytes.len()));
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().map_err(|e| failed().found(e))?;
    let (height, width) = (reader.info().height as usize, reader.info().width as usize);
    let own = match (reader.info().color_type, reader.info().trns.is_some()) {
        (png::ColorType::Grayscale, _) => 1,
        (png::ColorType::GrayscaleAlpha, _) => 2,
        (png::ColorType::Indexed, true) | (png::ColorType::Rgba, _) => 4,
        (png::ColorType::Indexed, false) | (png::ColorType::Rgb, _) => 3,
    };
    let (color, depth) = reader.output_color_type();
    let wide = depth == png::BitDepth::Sixteen;
    let found = color.samples();
    size(arena, [1 + usize::from(wide), height, width, found.max(4)])?;
    let mut raw = vector(reader.output_buffer_size().ok_or_else(failed)?)?;
    reader.next_frame(&mut raw).and_then(|_| reader.finish()).map_err(|e| failed().found(e))?;
    let channels = if channels == 0 { own } else { channels };
    let samples = match wide {
        false => Samples::Bytes(convert(&raw, found, channels, 255, gray)),
        true => {
            let words: Vec<u16> = raw.as_chunks::<2>().0.iter().map(|b| u16::from_be_bytes(*b)).collect();
            Samples::Words(convert(&words, found, channels, 65_535, gray_wide))
        }
    };
    Ok(Pictures { frames: 1, height, width, channels, samples })
}

/// libpng's weights for red, green and blue.
const WEIGHTS: [u32; 3] = [9797, 19234, 3737];

fn gray([r, g, b]: [u8; 3]) -> u8 {
    if r == g && g == b {
        return r;
    }
    ((WEIGHTS[0] * u32::from(r) + WEIGHTS[1] * u32::from(g) + WEIGHTS[2] * u32::from(b)) >> 15) as u8
}

fn gray_wide([r, g, b]: [u16; 3]) -> u16 {
    if r == g && g == b {
        return r;
    }
    let sum = WEIGHTS.iter().zip([r, g, b]).map(|(w, v)| u64::from(*w) * u64::from(v)).sum::<u64>();
    ((sum + 16_384) >> 15) as u16
}

/// Converts pixels of `from` samples to pixels of `to`: gray, gray with alpha, color, color with alpha.
fn convert<T: Copy>(pixels: &[T], from: usize, to: usize, opaque: T, gray: fn([T; 3]) -> T) -> Vec<T> {
    if from == to {
        return pixels.to_vec();
    }
    let mut out = Vec::with_capacity(pixels.len() / from * to);
    for pixel in pixels.chunks_exact(from) {
        let color = if from >= 3 { [pixel[0], pixel[1], pixel[2]] } else { [pixel[0]; 3] };
        match to {
            1 | 2 => out.push(if from >= 3 { gray(color) } else { pixel[0] }),
            _ => out.extend(color),
        }
        if to.is_multiple_of(2) {
            out.push(if from.is_multiple_of(2) { pixel[from - 1] } else { opaque });
        }
    }
    out
}

/// Decodes the frames of a GIF in color, each drawn over the preceding ones. `first` decodes only the first.
pub(super) fn gif(arena: &Arena, bytes: &[u8], first: bool) -> Result<Pictures> {
    let failed = |e: gif::DecodingError| Error::invalid("Invalid GIF data").found(e);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let (mut height, mut width) = (0, 0);
    // The canvas is no larger than the largest frame, whatever the file says. Finding that needs no decoding.
    let mut sizes = gif::DecodeOptions::new();
    sizes.skip_frame_decoding(true);
    let mut decoder = sizes.read_info(Cursor::new(bytes)).map_err(failed)?;
    let screen = (usize::from(decoder.height()), usize::from(decoder.width()));
    while let Some(frame) = decoder.next_frame_info().map_err(failed)? {
        (height, width) = (height.max(usize::from(frame.height)), width.max(usize::from(frame.width)));
        if first {
            break;
        }
    }
    (height, width) = (height.min(screen.0), width.min(screen.1));
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(failed)?;
    let one = size(arena, [1, height, width, 3])?;
    let global = decoder.global_palette().map(<[u8]>::to_vec);
    let (mut samples, mut frames): (Vec<u8>, usize) = (Vec::new(), 0);
    while let Some(frame) = decoder.read_next_frame().map_err(failed)? {
        size(arena, [frames + 1, height, width, 3])?;
        let before = samples.len().checked_sub(one);
        samples.try_reserve(one).map_err(|_| Error::resource_exhausted("no memory for the pictures of a GIF"))?;
        match before {
            Some(before) => samples.extend_from_within(before..),
            None => samples.resize(one, 0),
        }
        let palette = frame.palette.as_deref().or(global.as_deref());
        let palette = palette.ok_or_else(|| Error::invalid("missing color map in a picture of a GIF"))?;
        let canvas = samples.len() - one;
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let columns = usize::from(frame.width);
        for (y, line) in frame.buffer.chunks_exact(columns.max(1)).enumerate() {
            let visible = if top + y < height { width.saturating_sub(left).min(columns) } else { 0 };
            for (x, &index) in line[..visible].iter().enumerate() {
                if frame.transparent == Some(index) {
                    continue;
                }
                let at = 3 * usize::from(index);
                let color = palette.get(at..at + 3).ok_or_else(|| {
                    Error::invalid(format!(
                        "found color index {index} outside of color map range {}",
                        palette.len() / 3
                    ))
                })?;
                let to = canvas + 3 * ((top + y) * width + left + x);
                samples[to..to + 3].copy_from_slice(color);
            }
        }
        frames += 1;
        if first {
            break;
        }
    }
    if frames == 0 {
        return Err(Error::invalid("Invalid GIF data: it has no pictures"));
    }
    Ok(Pictures { frames, height, width, channels: 3, samples: Samples::Bytes(samples) })
}

/// Decodes an uncompressed BMP. `channels` is 3 or 4, or 0 for as many as the file has.
pub(super) fn bmp(arena: &Arena, bytes: &[u8], channels: usize) -> Result<Pictures> {
    let int = |at: usize| bytes.get(at..at + 4).map(|b| i32::from_le_bytes(b.try_into().unwrap_or_default()));
    let short = |at: usize| bytes.get(at..at + 2).map(|b| u16::from_le_bytes(b.try_into().unwrap_or_default()));
    let (Some(start), Some(width), Some(height), Some(bits), Some(_)) = (int(10), int(18), int(22), short(28), int(28))
    else {
        return Err(Error::invalid(format!(
            "Incomplete bmp content, requires at least 32 bytes to find the header size, \
             width, height, and bpp, got {} bytes",
            bytes.len()
        )));
    };
    let found = usize::from(bits) / 8;
    if channels == 1 {
        return Err(Error::invalid("`channels` must be 0, 3 or 4 for BMP, but got 1"));
    }
    if !matches!(bits, 8 | 24 | 32) {
        return Err(Error::invalid(format!("Number of channels inherent in the image must be 1, 3 or 4, was {found}")));
    }
    let (top_down, rows) = (height < 0, height.unsigned_abs() as usize);
    let Some(columns) = usize::try_from(width).ok().filter(|w| *w > 0 && rows > 0) else {
        return Err(Error::invalid(format!("a bmp of {width} times {height} pixels")));
    };
    let n = size(arena, [1, rows, columns, found])?;
    let stride = (found * columns).div_ceil(4) * 4;
    let pixels = usize::try_from(start).ok().and_then(|s| bytes.get(s..)).unwrap_or_default();
    if pixels.len() != stride * rows {
        return Err(Error::invalid("a bmp whose size is not that of its header and rows")
            .expected(format!("{} bytes for the pixels", stride * rows))
            .found(format!("{} bytes", pixels.len())));
    }
    let mut samples = vector(n)?;
    for (y, line) in samples.chunks_exact_mut(found * columns).enumerate() {
        let from = stride * if top_down { y } else { rows - 1 - y };
        line.copy_from_slice(&pixels[from..from + line.len()]);
        if found >= 3 {
            line.chunks_exact_mut(found).for_each(|pixel| pixel.swap(0, 2));
        }
    }
    let channels = if channels == 0 { found } else { channels };
    size(arena, [1, rows, columns, channels])?;
    let samples = Samples::Bytes(convert(&samples, found, channels, 255, gray));
    Ok(Pictures { frames: 1, height: rows, width: columns, channels, samples })
}
