//! Convolutions in float16 and bfloat16: products of windows, read in place from padded images, with packed filters.

use super::convolution::Convolution;
use super::product::Operand;
use crate::prelude::*;
use levada_gemm::halves::{HalfFactor, Lines, Packed, Place, multiply};
use levada_gemm::{Finisher, Mat};
use levada_ops_core::constant::Cache;
use levada_ops_core::images::window::Axis;
use std::sync::Arc;

/// Minimum number of channels that a group must produce: fewer would not fill vectors.
const NARROWEST: usize = 8;
/// Images are padded to at most this many times their size plus this many elements.
const MOST: usize = 4;
const SPARE: usize = 1 << 16;

/// A convolution as a matrix product for each group of channels, with one row per window.
struct Windows<'a> {
    convolution: &'a Convolution,
    /// Padded depth, height and width, as far as windows reach.
    size: [usize; 3],
    is_padded: bool,
    /// Whether the taps of a row of a window are contiguous in memory.
    merged: bool,
}

/// Computes a convolution of channels-last images into `out`. Returns false, having done nothing, if that is better
/// done in float32.
///
/// # Errors
/// If memory runs out.
pub(super) fn forward<T: Operand + HalfFactor>(
    convolution: &Convolution,
    cx: &Cx<'_, '_>,
    (input, filter): (&Tensor, &Tensor),
    cache: Option<&Cache>,
    finisher: Option<&Finisher<'_>>,
    out: &mut [T],
) -> Result<bool> {
    let Some(windows) = Windows::of(convolution) else { return Ok(false) };
    let pack = || windows.pack(cx, filter.slice::<T>()?);
    let weights = match cache {
        Some(cache) => cache.get(filter, convolution.groups, pack)?,
        None => Arc::new(pack()?),
    };
    let padded = if windows.is_padded { Some(windows.padded(cx, input.slice::<T>()?)?) } else { None };
    let images = padded.as_ref().unwrap_or(input).slice::<T>()?;
    windows.run(cx, images, &weights, finisher, out)?;
    Ok(true)
}

impl<'a> Windows<'a> {
    fn of(convolution: &'a Convolution) -> Option<Windows<'a>> {
        let Convolution { batch, channels, filters, groups, .. } = *convolution;
        if groups == 0 || (groups > 1 && filters / groups < NARROWEST) {
            return None;
        }
        let axes = &convolution.axes;
        let inputs = axes.map(|a| a.input);
        let reach = |a: &Axis| {
            let taps = a.window.saturating_sub(1).saturating_mul(a.dilation);
            a.output.saturating_sub(1).saturating_mul(a.stride).saturating_add(taps).saturating_add(1)
        };
        let is_padded = axes.iter().any(|a| a.before > 0 || reach(a) > a.input);
        // Without padding, strides may leave elements at the end unused.
        let size = if is_padded { [reach(&axes[0]), reach(&axes[1]), reach(&axes[2])] } else { inputs };
        let elements = |size: &[usize; 3]| size.iter().try_fold(batch.checked_mul(channels)?, |n, &s| n.checked_mul(s));
        let most = elements(&inputs)?.saturating_mul(MOST).saturating_add(SPARE);
        if elements(&size)? > most {
            return None;
        }
        let merged = groups == 1 && (axes[2].dilation == 1 || axes[2].window == 1);
        Some(Windows { convolution, size, is_padded, merged })
    }

    /// Number of pieces of a row, and number of elements of each.
    fn pieces(&self) -> [usize; 2] {
        let [d, h, w] = &self.convolution.axes;
        let each = self.convolution.channels / self.convolution.groups;
        let rows = d.window * h.window;
        if self.merged { [rows, w.window * each] } else { [rows * w.window, each] }
    }

    fn pack<T: HalfFactor>(&self, cx: &Cx<'_, '_>, filter: &[T]) -> Result<Vec<Packed<T>>> {
        let [pieces, depth] = self.pieces();
        let Convolution { filters, groups, .. } = *self.convolution;
        let each = filters / groups;
        let group =
            |g: usize| Packed::new(Some(cx.pool()), Mat::new(&filter[g * each..], filters), [pieces, depth, each]);
        (0..groups).map(group).collect()
    }

    /// Returns the padded images.
    fn padded<T: Operand>(&self, cx: &Cx<'_, '_>, images: &[T]) -> Result<Tensor> {
        let [d, h, w] = &self.convolution.axes;
        let Convolution { batch, channels, .. } = *self.convolution;
        let [depth, height, width] = self.size;
        let line = width * channels;
        let mut padded = cx.alloc(T::DTYPE, &Shape::new([batch, depth, height, line])?)?;
        let start = w.before.min(width) * channels;
        let count = w.input.min(width.saturating_sub(w.before)) * channels;
        cx.pool().for_chunks(padded.slice_mut::<T>()?, line, line as f64 * 0.1 + 10.0, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (rest, y) = ((first + i) / height, (first + i) % height);
                let (image, z) = (rest / depth, rest % depth);
                let inside = |at: usize, axis: &Axis| at.checked_sub(axis.before).filter(|&at| at < axis.input);
                let (Some(z), Some(y)) = (inside(z, d), inside(y, h)) else {
                    out.fill(T::zero());
                    continue;
                };
                let from = ((image * d.input + z) * h.input + y) * w.input * channels;
                out[..start].fill(T::zero());
                out[start..start + count].copy_from_slice(&images[from..][..count]);
                out[start + count..].fill(T::zero());
            }
        });
        Ok(padded)
    }

    fn run<T: HalfFactor>(
        &self,
        cx: &Cx<'_, '_>,
        images: &[T],
        weights: &[Packed<T>],
        finisher: Option<&Finisher<'_>>,
        out: &mut [T],
    ) -> Result<()> {
        let Convolution { batch, channels, groups, filters, .. } = *self.convolution;
        let [d, h, w] = self.convolution.axes;
        let [depth, height, width] = self.size;
        let taps = if self.merged { 1 } else { w.window };
        for (group, weights) in weights.iter().enumerate() {
            let starts = |row: usize, starts: &mut [usize]| {
                let (x, rest) = (row % w.output, row / w.output);
                let (y, rest) = (rest % h.output, rest / h.output);
                let (z, image) = (rest % d.output, rest / d.output);
                let base = ((image * depth + z * d.stride) * height + y * h.stride) * width + x * w.stride;
                for (i, start) in starts.iter_mut().enumerate() {
                    let (x, rest) = (i % taps * w.dilation, i / taps);
                    let (y, z) = (rest % h.window * h.dilation, rest / h.window * d.dilation);
                    *start = (base + (z * height + y) * width + x) * channels + group * (channels / groups);
                }
            };
            let rows = batch * d.output * h.output * w.output;
            let column = group * (filters / groups);
            let place = Place { out: &mut *out, width: filters, column, add: false, finisher };
            multiply(Some(cx.pool()), &Lines { elements: images, rows, starts }, weights, place)?;
        }
        Ok(())
    }
}
