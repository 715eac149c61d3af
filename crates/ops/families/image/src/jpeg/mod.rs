//! A JPEG decoder that matches libjpeg bit for bit, for sequential and progressive 8-bit files with Huffman coding.
//!
//! `file` reads the markers, `entropy` decodes scans to coefficients, `transform` converts those to samples, and
//! `color` interpolates samples and converts them to pixels.

mod color;
mod entropy;
mod file;
mod transform;

use crate::prelude::*;
use levada_kernel::Arena;

/// Decoding options.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// 1 or 3, or 0 for as many as the file has.
    pub(super) channels: usize,
    /// Downscaling ratio: 1, 2, 4 or 8.
    pub(super) ratio: usize,
    /// If true, chroma is interpolated, otherwise repeated.
    pub(super) fancy: bool,
    /// Whether to recover truncated files by filling in the missing end.
    pub(super) recover: bool,
    /// Minimum fraction of the lines that must be present.
    pub(super) fraction: f32,
    /// Whether to use the accurate inverse DCT rather than the fast one.
    pub(super) accurate: bool,
}

impl Options {
    /// The options of ops that decode any format.
    pub(super) fn of_channels(channels: usize) -> Options {
        Options { channels, ratio: 1, fancy: true, recover: false, fraction: 1.0, accurate: false }
    }
}

/// A rectangular part of an image.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) y: usize,
    pub(super) x: usize,
    pub(super) height: usize,
    pub(super) width: usize,
}

/// The decoded pixels of a JPEG.
pub(super) struct Image {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) channels: usize,
    pub(super) samples: Vec<u8>,
}

/// The error for an invalid file.
fn failed(why: impl Into<String>) -> Error {
    Error::invalid("jpeg::Uncompress failed. Invalid JPEG data or crop window.").found(why.into())
}

/// A vector of `n` zeros.
fn zeros<T: Copy + Default>(n: usize) -> Result<Vec<T>> {
    let mut zeros = Vec::new();
    let refused = |_| Error::resource_exhausted(format!("no memory for {n} samples of an image"));
    zeros.try_reserve_exact(n).map_err(refused)?;
    zeros.resize(n, T::default());
    Ok(zeros)
}

/// Decodes a file, or the part of it that `window` returns for its height and width, which must lie within the image.
///
/// # Errors
/// `INVALID_ARGUMENT` if the file is invalid, `UNIMPLEMENTED` if its kind is not supported.
pub(super) fn decode(
    arena: &Arena,
    bytes: &[u8],
    options: Options,
    window: impl FnOnce(usize, usize) -> Result<Option<Window>>,
) -> Result<Image> {
    let mut file = file::File::new(bytes, options.recover);
    file.read_header()?;
    let plan = color::Plan::new(&file, options)?;
    let window = window(plan.height, plan.width)?;
    file.read_scans(arena)?;
    let planes = plan.planes(&mut file, arena)?;
    let mut image = plan.pixels(&planes, window)?;
    if let Some(rows) = file.rows {
        let first = window.map_or(0, |w| w.y);
        let lines = plan.lines(rows).saturating_sub(first).min(image.height);
        if (lines as f32 / image.height as f32) < options.fraction.min(1.0) {
            return Err(failed(format!("the file ends after {lines} of {} lines", image.height)));
        }
        image.samples[lines * image.width * image.channels..].fill(0);
    }
    Ok(image)
}

/// Height, width and channels of a JPEG; CMYK files have four channels.
///
/// # Errors
/// `INVALID_ARGUMENT` if it has no valid header.
pub(super) fn shape(bytes: &[u8]) -> Result<[usize; 3]> {
    let mut file = file::File::new(bytes, false);
    file.read_header().map_err(|e| Error::invalid("Invalid JPEG data").found(e.message()))?;
    let channels = match file.space() {
        file::Space::Gray => 1,
        file::Space::Cmyk | file::Space::Ycck => 4,
        file::Space::Unknown => file.frame.components.len(),
        file::Space::Rgb | file::Space::Ycc => 3,
    };
    Ok([file.frame.height, file.frame.width, channels])
}
