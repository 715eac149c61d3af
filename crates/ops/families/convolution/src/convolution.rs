//! Convolutions over up to three spatial dimensions, with groups.

use super::depthwise::Depthwise;
use super::direct::{self, Options, Padded};
use super::gather::{Images, Taps, Weights, Windows, convolve};
use super::grouped;
use super::parameters::{Parameters, groups_of};
use super::product::{Operand, dispatch_operand};
use super::winograd::{self, Operands, Sizes, Tiles};
use crate::prelude::*;
use levada_gemm::tile::{Lanes, Panels};
use levada_gemm::{Finisher, Mat, Size, multiply, multiply_finished};
use levada_kernel::Pool;
use levada_ops_core::constant::Cache;
use levada_ops_core::images::swap;
use levada_ops_core::images::window::{Axis, Layout};
use std::ops::Range;

/// Windows of at most this many elements are summed directly; for larger ones, gathering them for a matrix product pays
/// off.
const SHALLOW: usize = 64;

/// The maximum number of filters of images of one channel that are applied one after the other.
const MOST_PLANES: usize = 4;

/// Convolves images, in channels-last layout, with filters at all positions where these lie completely inside.
///
/// # Errors
/// `INVALID_ARGUMENT` if the shapes do not match, `UNIMPLEMENTED` for unsupported dtypes.
pub fn convolve_inside(
    cx: &Cx<'_, '_>,
    images: &Tensor,
    filter: &Tensor,
    strides: &[i64],
    dilations: &[i64],
) -> Result<Tensor> {
    let all = |each: &[i64]| [&[1], each, &[1]].concat();
    let (strides, dilations) = (all(strides), all(dilations));
    let parameters = Parameters {
        spatial: strides.len() - 2,
        strides: &strides,
        dilations: &dilations,
        padding: b"VALID",
        explicit_paddings: &[],
        data_format: b"NHWC",
    };
    let sizes = Convolution::new(&parameters, images.shape(), filter.shape())?;
    dispatch_operand!(images.dtype(), |T| sizes.forward::<T>(cx, images, filter, None, None))
}

/// A convolution with all sizes known and checked.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// Number of images.
    pub batch: usize,
    /// Depth, height and width; missing ones have size 1 and a window of size 1.
    pub axes: [Axis; 3],
    /// Channels of the images.
    pub channels: usize,
    /// Channels of the result.
    pub filters: usize,
    /// Number of channel groups; each produces the same number of result channels.
    pub groups: usize,
    /// Position of the channel axis.
    pub layout: Layout,
    /// Number of spatial dimensions.
    pub(super) spatial: usize,
}

impl Convolution {
    /// Returns the convolution of images of shape `input` with `filter`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they do not match.
    pub(crate) fn new(parameters: &Parameters<'_>, input: &Shape, filter: &Shape) -> Result<Convolution> {
        let (spatial, layout, slides) = (parameters.spatial, parameters.layout()?, parameters.slides()?);
        let rank = spatial + 2;
        for (what, shape) in [("input", input), ("filter", filter)] {
            if shape.rank() != rank {
                return Err(Error::invalid(format!("convolution {what} must be {rank}-dimensional: {shape}")));
            }
        }
        let (channels, filters) = (input[layout.channel(rank)], filter[rank - 1]);
        let groups = groups_of(channels, filter[rank - 2])?;
        if groups > 0 && filters % groups != 0 {
            return Err(Error::invalid(format!(
                "output depth must be evenly divisible by number of groups: {filters} vs {groups}"
            )));
        }
        let mut axes = [Axis::UNIT; 3];
        for i in 0..spatial {
            let (stride, dilation, pad) = slides[3 - spatial + i];
            axes[3 - spatial + i] = Axis::new(input[layout.spatial(i)], filter[i], stride, dilation, pad)?;
        }
        Ok(Convolution { batch: input[0], axes, channels, filters, groups, layout, spatial })
    }

    pub(super) fn spatial_sizes(&self, size: impl Fn(&Axis) -> usize) -> [usize; 3] {
        [size(&self.axes[0]), size(&self.axes[1]), size(&self.axes[2])]
    }

    /// Returns the shape of the result.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub fn output_shape(&self) -> Result<Shape> {
        let sizes = self.spatial_sizes(|a| a.output);
        self.layout.shape(self.batch, &sizes[3 - self.spatial..], self.filters)
    }

    /// Returns the tensor in channels-last layout.
    pub(super) fn channels_last<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        tensor: &Tensor,
        channels: usize,
    ) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor.clone());
        }
        let mut out = cx.alloc(tensor.dtype(), tensor.shape())?;
        let pixels = tensor.num_elements() / (self.batch * channels);
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, channels, pixels);
        Ok(out)
    }

    /// Inverse of [`Convolution::channels_last`].
    pub(super) fn as_laid_out<T: Operand>(&self, cx: &Cx<'_, '_>, tensor: Tensor, channels: usize) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor);
        }
        let mut out = cx.alloc(tensor.dtype(), tensor.shape())?;
        let pixels = tensor.num_elements() / (self.batch * channels);
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, pixels, channels);
        Ok(out)
    }

    /// Returns the windows of the convolution itself.
    pub(super) fn windows(&self) -> Windows {
        let taps = self.axes.map(|a| Taps {
            first: 0,
            every: 1,
            step: a.stride,
            taps: (0..a.window).map(|k| (k, (k * a.dilation) as isize - a.before as isize)).collect(),
        });
        Windows { size: self.spatial_sizes(|a| a.output), taps }
    }

    /// Returns the convolution as a depthwise one, if it is one and looping over channels, or over adjacent windows,
    /// pays off.
    pub(super) fn depthwise(&self) -> Option<Depthwise<'_>> {
        let multiplier = self.filters.checked_div(self.groups)?;
        let depthwise = Depthwise { axes: &self.axes, channels: self.channels, multiplier };
        (self.groups == self.channels && (self.groups > 1 || depthwise.is_single())).then_some(depthwise)
    }

    /// Returns the convolution of images of one channel with so few filters that most lanes of a vector of filters would
    /// be idle as a depthwise one.
    fn few_planes<T: Operand>(&self) -> Option<Depthwise<'_>> {
        let depthwise = Depthwise { axes: &self.axes, channels: 1, multiplier: self.filters };
        let is_one = self.channels == 1 && self.filters <= MOST_PLANES && size_of::<T>() == size_of::<T::Wide>();
        (is_one && depthwise.has_single_planes::<T::Wide>()).then_some(depthwise)
    }

    /// Computes the result. `cache` is for constant filters. `finisher` requires `f32` and the channels-last layout.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty filter; otherwise if memory runs out.
    pub(crate) fn forward<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        input: &Tensor,
        filter: &Tensor,
        cache: Option<&Cache>,
        finisher: Option<&Finisher<'_>>,
    ) -> Result<Tensor> {
        let mut out = cx.alloc(input.dtype(), &self.output_shape()?)?;
        if out.num_elements() == 0 {
            return Ok(out);
        }
        check_filter(filter.shape())?;
        if input.num_elements() == 0 {
            // All windows contain only padding.
            let mut out = cx.zeros(input.dtype(), out.shape())?;
            if let Some(finisher) = finisher {
                finish_all::<T>(cx.pool(), finisher, out.slice_mut()?, self.filters);
            }
            return Ok(out);
        }
        let input = self.channels_last::<T>(cx, input, self.channels)?;
        let factors = (&input, filter);
        if self.depthwise().is_none() && T::convolve_narrow(self, cx, factors, cache, finisher, out.slice_mut()?)? {
            return self.as_laid_out::<T>(cx, out, self.filters);
        }
        let mut buffer = Vec::new();
        let data = T::wide(filter.slice()?, &mut buffer);
        let images =
            Images { data: input.slice::<T>()?, size: self.spatial_sizes(|a| a.input), channels: self.channels };
        let weights = Weights { data, group: self.filters / self.groups, row: self.filters };
        if let Some(rows) = self.one_window()
            && self.as_row(cx.pool(), images.data, data, rows, finisher, out.slice_mut()?)?
        {
            return self.as_laid_out::<T>(cx, out, self.filters);
        }
        let more = Options { cache: cache.map(|cache| (cache, filter)), finisher };
        if let Some(depthwise) = self.depthwise().or_else(|| self.few_planes::<T>()) {
            let out_slice = out.slice_mut()?;
            let is_narrow = (2..Panels::of::<T::Wide>().lanes).contains(&self.channels);
            let series = [(self.windows(), weights)];
            let to = (&mut *out_slice, self.filters);
            let is_good = !is_narrow || depthwise.has_strips::<T::Wide>();
            if is_good || !self.by_lanes(cx.pool(), &images, &series, more, to)? {
                depthwise.forward::<T>(cx.pool(), images.data, data, out_slice, finisher);
            }
            return self.as_laid_out::<T>(cx, out, self.filters);
        }
        self.convolve(cx, images, &[(self.windows(), weights)], more, (out.slice_mut()?, self.filters))?;
        self.as_laid_out::<T>(cx, out, self.filters)
    }

    /// If there is one window, whose elements lie one after the other from the first on: the rows of the weights, one for
    /// each tap and channel, that are not for padding.
    fn one_window(&self) -> Option<Range<usize>> {
        let outer = self.axes.iter().position(|axis| axis.window > 1).unwrap_or(0);
        let axis = &self.axes[outer];
        let is_whole = |(i, axis): (usize, &Axis)| {
            i == outer || axis.output == 1 && axis.before == 0 && axis.window == if i < outer { 1 } else { axis.input }
        };
        let is_dense = |axis: &Axis| axis.dilation == 1 || axis.window == 1;
        if self.batch != 1 || self.groups != 1 || axis.output != 1 {
            return None;
        }
        if !self.axes.iter().enumerate().all(is_whole) || !self.axes.iter().all(is_dense) {
            return None;
        }
        let inner = self.axes[outer + 1..].iter().map(|axis| axis.window).product::<usize>() * self.channels;
        let end = axis.window.min(axis.before + axis.input);
        (axis.before < end).then(|| axis.before * inner..end * inner)
    }

    /// Computes one window as the product of a row and the weights. Returns false if the elements are not `f32`.
    fn as_row<T: Operand>(
        &self,
        pool: &Pool,
        images: &[T],
        weights: &[T::Wide],
        rows: Range<usize>,
        finisher: Option<&Finisher<'_>>,
        out: &mut [T],
    ) -> Result<bool> {
        let singles = |numbers| <T::Wide as Lanes>::as_singles(numbers);
        let (Some(images), Some(weights), Some(out)) = (
            T::as_wide(images).and_then(singles),
            singles(weights),
            T::as_wide_mut(out).and_then(<T::Wide as Lanes>::singles),
        ) else {
            return Ok(false);
        };
        let (k, n) = (rows.len(), self.filters);
        let (size, factors) = (Size { m: 1, n, k }, (Mat::new(images, k), Mat::new(&weights[rows.start * n..], n)));
        match finisher {
            Some(finisher) => multiply_finished(pool, size, factors, out, finisher)?,
            None => multiply(pool, size, factors.0, factors.1, out)?,
        }
        Ok(true)
    }

    /// Decides how to read windows in place: with padding if that costs less. `None` if gathering them costs less.
    fn padded<'a, T: Operand>(
        &self,
        pool: &Pool,
        images: &Images<'_, T>,
        series: impl Iterator<Item = &'a Windows> + Clone,
        channels: usize,
    ) -> Option<Padded> {
        let each = (images.channels / self.groups, channels / self.groups);
        let windows = |w: &Windows| w.size.iter().product::<usize>() * self.batch;
        let most = series.clone().map(windows).max().unwrap_or(0);
        let by_channels = direct::by_channels::<T>(pool.shares(), most, each, self.groups);
        let parts = if by_channels { 1 } else { 4 * pool.shares() };
        let cost = |p: &Padded| series.clone().map(|w| p.cost(w, self.batch, parts)).sum::<f64>();
        let none = Padded::none(images.size);
        let costs = cost(&none);
        match Padded::new(images.size, images.channels, self.batch, series.clone()) {
            // Padding requires a copy of the images.
            Some(padded) if cost(&padded) * 1.05 < costs => Some(padded),
            None if costs > 1.5 * series.map(|w| (windows(w) * w.num_taps()) as f64).sum::<f64>() => None,
            _ => costs.is_finite().then_some(none),
        }
    }

    /// Like [`Convolution::padded`], for sums over windows; `by_rows` if each thread sums over all of them.
    pub(super) fn padded_sums(
        &self,
        pool: &Pool,
        images: [usize; 3],
        windows: &Windows,
        by_rows: bool,
    ) -> Option<Padded> {
        let none = Padded::none(images);
        if by_rows {
            let padded = Padded::new(images, self.channels, self.batch, std::iter::once(windows));
            return padded.or(none.cost(windows, self.batch, 1).is_finite().then_some(none));
        }
        let shallow = windows.num_taps() * self.channels / self.groups <= SHALLOW;
        let fills = none.fills_tiles(windows, self.batch, 4 * pool.shares(), direct::SUMMED / 4);
        if fills && (shallow || windows.num_taps() > 1) {
            return Some(none);
        }
        let padded = || Padded::new(images, self.channels, self.batch, std::iter::once(windows));
        shallow.then(padded).flatten()
    }

    /// Convolves by [`winograd`] if that costs less. Returns false otherwise, and the contents of `out` are then
    /// unspecified.
    fn by_winograd<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        images: &Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        Options { cache, finisher }: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<bool> {
        let [(windows, weights)] = series else { return Ok(false) };
        if cx.env().direct_convolutions {
            return Ok(false);
        }
        let Some((sizes, tiles)) = self.tiles(windows, images.size, [images.channels, channels], cache.is_some())
        else {
            return Ok(false);
        };
        let singles = |numbers| <T::Wide as Lanes>::as_singles(numbers);
        let (Some(images), Some(data), Some(out)) = (
            T::as_wide(images.data).and_then(singles),
            singles(weights.data),
            T::as_wide_mut(out).and_then(<T::Wide as Lanes>::singles),
        ) else {
            return Ok(false);
        };
        let weights = Weights { data, group: weights.group, row: weights.row };
        winograd::convolve(cx, tiles, &Operands { sizes, images, weights, cache, finisher }, out)
    }

    /// Returns the best tile size for these windows; `None` if direct sums are better.
    pub(super) fn tiles(
        &self,
        windows: &Windows,
        images: [usize; 3],
        channels: [usize; 2],
        constant: bool,
    ) -> Option<(Sizes, Tiles)> {
        let sizes = Sizes::of(windows, images, self.batch, channels).filter(|_| self.groups == 1)?;
        Some((sizes, sizes.best(constant)?))
    }

    /// Returns the tiles of the Winograd algorithm that computes it in `f32`, for a filter that is `constant` or not; `None`
    /// if it sums over windows.
    pub fn winograd(&self, constant: bool) -> Option<Tiles> {
        let (images, channels) = (self.spatial_sizes(|a| a.input), [self.channels, self.filters]);
        Some(self.tiles(&self.windows(), images, channels, constant)?.1)
    }

    /// Convolves by [`grouped`] if the groups have few channels. Returns false otherwise, and the contents of `out` are
    /// then unspecified.
    fn by_lanes<T: Operand>(
        &self,
        pool: &Pool,
        images: &Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        Options { cache, finisher }: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<bool> {
        let (Some(data), Some(out)) = (T::as_wide(images.data), T::as_wide_mut(out)) else { return Ok(false) };
        let images = Images { data, size: images.size, channels: images.channels };
        grouped::convolve(pool, images, series, self.groups, cache, (out, channels), |first, rows| {
            if let (Some(finisher), Some(rows)) = (finisher, <T::Wide as Lanes>::singles(rows)) {
                finisher.rows(first, rows);
            }
        })
    }

    pub(super) fn convolve<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        images: Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        more: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<()> {
        if self.by_winograd(cx, &images, series, more, (&mut *out, channels))? {
            return Ok(());
        }
        if self.by_lanes(cx.pool(), &images, series, more, (&mut *out, channels))? {
            return Ok(());
        }
        let windows = series.iter().map(|(windows, _)| windows);
        let padded = self.padded(cx.pool(), &images, windows, channels);
        match padded {
            Some(padded) => direct::convolve(cx, padded, images, series, self.groups, more, (out, channels)),
            None => {
                convolve(cx.pool(), images, series, self.groups, out, channels);
                if let Some(finisher) = more.finisher {
                    finish_all(cx.pool(), finisher, out, channels);
                }
                Ok(())
            }
        }
    }
}

/// Applies the finisher to a whole result.
pub(super) fn finish_all<T: Operand>(pool: &Pool, finisher: &Finisher<'_>, out: &mut [T], channels: usize) {
    pool.for_chunks(out, channels, channels as f64 * 0.3, |first, piece| T::finish(finisher, first, piece));
}

/// Checks the shape of the filter of a convolution with a nonempty result.
///
/// # Errors
/// `INVALID_ARGUMENT` if the filter is empty.
pub fn check_filter(filter: &Shape) -> Result<()> {
    if filter.num_elements() == 0 {
        return Err(Error::invalid("filter must not have zero elements (i.e. all dimensions must be non-zero)"));
    }
    Ok(())
}
