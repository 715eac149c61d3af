//! Upper bounds on the memory that convolutions take in addition to their results: padded copies of images, images in
//! another layout, and sums.

use super::convolution::Convolution;
use super::direct::by_channels;
use super::parameters::Parameters;
use super::product::dispatch_operand;
use crate::prelude::*;
use levada_ops_core::images::window::{Axis, Layout};

/// What a convolution computes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Its result.
    Result,
    /// The gradient of its images.
    Images,
    /// The gradient of its filter.
    Filter,
}

/// Padded images have at most this many times the elements of the images, plus [`SPARE`].
const MOST_PADDING: usize = 4;
const SPARE: usize = 1 << 16;

/// Memory that a convolution takes, in bytes; `None` if a size is not known.
pub(super) fn of_convolution(
    parameters: &Parameters<'_>,
    (dtype, of): (DType, Of),
    (images, filter): (Option<&PartialShape>, Option<&PartialShape>),
    threads: usize,
) -> Option<f64> {
    let (images, filter) = (images?.known()?, filter?.known()?);
    let convolution = Convolution::new(parameters, &images, &filter).ok()?;
    convolution.workspace((dtype, of), filter.num_elements(), threads)
}

/// Number of elements that the windows of an axis reach.
fn reach(axis: &Axis) -> usize {
    let windows = axis.output.saturating_sub(1).saturating_mul(axis.stride);
    let taps = axis.window.saturating_sub(1).saturating_mul(axis.dilation);
    axis.input.max(windows.saturating_add(taps).saturating_add(1))
}

/// Number of gradient elements that the windows of a transposed axis reach.
fn reach_back(axis: &Axis) -> usize {
    let taps = axis.window.saturating_sub(1).saturating_mul(axis.dilation) / axis.stride.max(1);
    axis.output.saturating_add(2 * (taps + 1))
}

impl Convolution {
    /// Memory taken with a filter of `filter` elements, in bytes; `None` for an unsupported dtype.
    pub(super) fn workspace(&self, (dtype, of): (DType, Of), filter: usize, threads: usize) -> Option<f64> {
        let wide = size_of_sums(dtype)?;
        let product = |channels: usize, size: &dyn Fn(&Axis) -> usize| {
            self.axes.iter().fold(self.batch as f64 * channels as f64, |n, axis| n * size(axis) as f64)
        };
        let images = product(self.channels, &|a| a.input);
        let result = product(self.filters, &|a| a.output);
        let is_depthwise = self.groups == self.channels && self.groups > 1;
        // Without padding, and if elements are summed in their own type, the images are read in place.
        let is_plain = dtype.size() == wide && self.axes.iter().all(|a| a.before == 0 && reach(a) <= a.input);
        let most = |elements: f64| (MOST_PADDING as f64 * elements + SPARE as f64) * wide as f64;
        let padded = match of {
            _ if is_depthwise && dtype.size() == wide => 0.0,
            Of::Result if is_depthwise => images * wide as f64,
            Of::Images if is_depthwise => result * wide as f64,
            Of::Filter if is_depthwise => (images + result) * wide as f64,
            Of::Result if is_plain => 0.0,
            Of::Result | Of::Filter => (product(self.channels, &reach) * wide as f64).min(most(images)),
            Of::Images => (product(self.filters, &reach_back) * wide as f64).min(most(result)),
        };
        let each = |from: usize, to: usize| (from / self.groups.max(1), to / self.groups.max(1));
        let by_channels =
            |windows: f64, each: (usize, usize)| shares_channels(dtype, threads, windows as usize, each, self.groups);
        let sums = match of {
            Of::Result => {
                let windows = product(1, &|a| a.output);
                if by_channels(windows, each(self.channels, self.filters)) { result * wide as f64 } else { 0.0 }
            }
            Of::Images => {
                let windows = product(1, &|a| a.input);
                if by_channels(windows, each(self.filters, self.channels)) { images * wide as f64 } else { 0.0 }
            }
            // With a single part, its sums are the result.
            Of::Filter if threads <= 1 && dtype.size() == wide => 0.0,
            Of::Filter => (threads.max(1) * filter * wide) as f64,
        };
        let filtered = match of {
            Of::Filter => None,
            Of::Result => Some((self.windows(), self.spatial_sizes(|a| a.input), [self.channels, self.filters])),
            Of::Images => match &self.transposed()[..] {
                [windows] => Some((windows.clone(), self.spatial_sizes(|a| a.output), [self.filters, self.channels])),
                _ => None,
            },
        };
        let tiles = |constant| {
            let (windows, size, channels) = filtered.as_ref().filter(|_| dtype == DType::F32)?;
            let (sizes, tiles) = self.tiles(windows, *size, *channels, constant)?;
            Some(sizes.workspace(tiles, threads) as f64)
        };
        let filtered = [true, false].into_iter().filter_map(tiles).fold(0.0, f64::max);
        let moved = if self.layout == Layout::ChannelsLast { 0.0 } else { (images + result) * dtype.size() as f64 };
        Some((padded + sums).max(filtered) + moved)
    }
}

/// Size of the values in which elements are summed, in bytes.
fn size_of_sums(dtype: DType) -> Option<usize> {
    match dtype {
        DType::F16 | DType::BF16 | DType::F32 | DType::I32 => Some(4),
        DType::F64 => Some(8),
        _ => None,
    }
}

fn shares_channels(dtype: DType, threads: usize, windows: usize, each: (usize, usize), groups: usize) -> bool {
    dispatch_operand!(dtype, |T| Ok(by_channels::<T>(threads, windows, each, groups))).unwrap_or(true)
}
