//! Convolutions whose groups have fewer channels than a vector has lanes.
//!
//! A vector of results spans several groups. Images are spread so that each lane finds its own input: for channel `i`
//! of the groups' inputs, a vector holds in every lane channel `i` of the group that the lane's result belongs to.
//! Results are then sums over taps and over `i` of products of these vectors with vectors of weights. Only the rows
//! that the windows of a line read are spread at a time, for one vector of channels of some adjacent windows, in a ring
//! buffer that stays in the L1 cache.
//!
//! If there are fewer channels in total than lanes, a vector spans several adjacent windows: a line of results is one
//! run of values, whose weights repeat after as many vectors as hold whole windows.

use super::gather::{Images, Taps, Weights, Windows};
use crate::prelude::*;
use levada_gemm::tile::{Aligned, Lanes, Panels, Strided, dispatch};
use levada_gemm::windows::{Channels, Filters, Spread};
use levada_kernel::Pool;
use levada_kernel::stream::{line, prefetch};
use levada_ops_core::constant::Cache;
use pulp::{Simd, WithSimd};
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of input channels per group.
const DEEPEST: usize = 16;
/// Maximum size of a ring, in bytes.
const RING: usize = 1 << 20;
/// Size of a ring that stays in the L1 cache together with weights and results, in bytes.
const NEAR: usize = 1 << 15;
/// Minimum number of adjacent windows that are worth a ring of their own: the pixels that they share with the next ones
/// are spread twice.
const SIDE_BY_SIDE: usize = 6;

/// Approximate size of the results per block of lines, in bytes.
const BAND: usize = 1 << 18;
/// Minimum number of lines per block: the rows that the first of them read are spread again.
const FEWEST: usize = 6;

/// The computation of one series of windows.
pub(crate) struct Grouped<'a, W> {
    images: &'a [W],
    /// Height and width.
    size: [usize; 2],
    in_channels: usize,
    channels: usize,
    each_in: usize,
    each_out: usize,
    windows: &'a Windows,
    /// The groups of each block.
    groups: Vec<Range<usize>>,
    /// Whether vectors span adjacent windows.
    is_run: bool,
    /// Number of windows of a line per block.
    side_by_side: usize,
    /// Number of lanes with weights: those of a block, or of whole windows.
    wide: usize,
    /// Number of rows of weights for each block: one for each tap and input channel.
    depth: usize,
}

/// For each block, for each tap and input channel: a weight for each lane.
struct Packed<W>(Aligned<W>);

/// Adjacent windows of a line, for one block.
struct Piece {
    block: usize,
    line: usize,
    windows: Range<usize>,
}

/// The greatest common divisor.
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the first position that the taps read for windows 0 to `n`, and the number of positions from there to the
/// last one.
fn reach(taps: &Taps, n: usize) -> (isize, usize) {
    match (taps.taps.first(), taps.taps.last()) {
        (Some(first), Some(last)) if n > 0 => {
            (first.1, (last.1 - first.1 + ((n - 1) * taps.step) as isize) as usize + 1)
        }
        _ => (0, 0),
    }
}

impl<'a, W: Lanes> Grouped<'a, W> {
    /// Returns the computation for groups of these windows; `None` if other loops are better.
    pub(crate) fn new(
        images: Images<'a, W>,
        windows: &'a Windows,
        groups: usize,
        channels: usize,
    ) -> Option<Grouped<'a, W>> {
        let (each_in, each_out) = (images.channels.checked_div(groups)?, channels.checked_div(groups)?);
        let [td, th, tw] = &windows.taps;
        let is_flat = images.size[0] == 1 && windows.size[0] == 1 && td.taps.len() == 1 && td.taps[0].1 == 0;
        let lanes = Panels::of::<W>().lanes;
        let is_run = channels < lanes;
        let is_wide = !is_run && 4 * each_out > lanes;
        if groups < 2 || !is_flat || images.data.is_empty() || each_out == 0 || each_in > DEEPEST || is_wide {
            return None;
        }
        let across = tw.count(windows.size[2]);
        if is_run && (tw.step, tw.every, tw.first) != (1, 1, 0) {
            return None;
        }
        let wide = match is_run {
            true => channels / gcd(channels, lanes) * lanes,
            false => lanes,
        };
        if is_run && across * channels < wide {
            return None;
        }
        let of_block = if is_run { groups } else { wide / each_out };
        let blocks: Vec<Range<usize>> =
            (0..groups).step_by(of_block).map(|first| first..(first + of_block).min(groups)).collect();
        let rows = reach(th, 1).1;
        let ring = |windows: usize| {
            let ring = [rows, reach(tw, windows).1, each_in, if is_run { channels } else { wide }, size_of::<W>()];
            ring.iter().try_fold(1usize, |n, &m| n.checked_mul(m))
        };
        let side_by_side = if is_run {
            across
        } else {
            let near = (SIDE_BY_SIDE..across).rev().find(|&windows| ring(windows).is_some_and(|bytes| bytes <= NEAR));
            let most = near.unwrap_or(SIDE_BY_SIDE.min(across)).max(1);
            across.div_ceil(across.div_ceil(most).max(1))
        };
        if ring(side_by_side)? > RING {
            return None;
        }
        Some(Grouped {
            images: images.data,
            size: [images.size[1], images.size[2]],
            in_channels: images.channels,
            channels,
            each_in,
            each_out,
            windows,
            groups: blocks,
            is_run,
            side_by_side,
            wide,
            depth: th.taps.len() * tw.taps.len() * each_in,
        })
    }

    /// Packs the weights for each lane.
    fn pack(&self, weights: Weights<'_, W>) -> Packed<W> {
        let (each_out, wide) = (self.each_out, self.wide);
        let mut packed = Aligned::zeros(self.groups.len() * self.depth * wide);
        let mut rest = packed.slice_mut().chunks_exact_mut(wide);
        for block in &self.groups {
            for (row, to) in (0..self.depth).zip(&mut rest) {
                let group = |g: usize| &weights.data[g * weights.group + row * weights.row..][..each_out];
                for window in to.chunks_exact_mut(block.len() * each_out).take(if self.is_run { wide } else { 1 }) {
                    for (g, to) in block.clone().zip(window.chunks_exact_mut(each_out)) {
                        to.copy_from_slice(group(g));
                    }
                }
            }
        }
        Packed(packed)
    }

    /// Estimated cost of a line of results, in nanoseconds.
    pub(crate) fn nanos(&self) -> f64 {
        (self.windows.size[2] * self.channels * self.windows.num_taps() * self.each_in) as f64 * 0.04
    }

    /// Calls `f` for each block and each of these lines that has windows, a few adjacent windows at a time: with the
    /// spread rows that they read, and for each tap and input channel its offset for the first window and the start of
    /// its row of weights.
    fn walk(&self, lines: Range<usize>, mut f: impl FnMut(Piece, &[W], &[(usize, usize)])) {
        let [_, th, tw] = &self.windows.taps;
        let [_, height, width] = self.windows.size;
        let across = tw.count(width);
        let ((low, rows), (left, columns)) = (reach(th, 1), reach(tw, self.side_by_side));
        if across == 0 || rows == 0 || columns == 0 {
            return;
        }
        // Distances in the ring between adjacent pixels, input channels and lines.
        let pixel = if self.is_run { self.channels } else { self.wide };
        let plane = columns * pixel;
        let line = self.each_in * plane;
        let mut ring = Aligned::zeros(rows * line);
        let ring = ring.slice_mut();
        let mut held: Vec<Option<usize>> = vec![None; rows];
        // Caches the tap offsets for each set of rows that lines have read so far, given as tap indices and slots in
        // the ring.
        let mut known: Vec<[Vec<(usize, usize)>; 2]> = Vec::new();
        let mut slots = Vec::new();
        let starts = (0..across).step_by(self.side_by_side);
        for (block, start) in (0..self.groups.len()).flat_map(|b| starts.clone().map(move |start| (b, start))) {
            let windows = start..(start + self.side_by_side).min(across);
            let first_column = left + (start * tw.step) as isize;
            held.fill(None);
            for number in lines.clone() {
                let (n, h) = (number / height, number % height);
                if h < th.first || !(h - th.first).is_multiple_of(th.every) {
                    continue;
                }
                let at = ((h - th.first) / th.every * th.step) as isize;
                slots.clear();
                for (j, &(_, y)) in th.taps.iter().enumerate() {
                    let Some(y) = usize::try_from(at + y).ok().filter(|&y| y < self.size[0]) else { continue };
                    let slot = (y as isize - low).rem_euclid(rows as isize) as usize;
                    let row = n * self.size[0] + y;
                    if held[slot].replace(row) != Some(row) {
                        let out = &mut ring[slot * line..][..line];
                        self.spread(row, first_column, &self.groups[block], pixel, out);
                    }
                    slots.push((j, slot));
                }
                let place = known.iter().position(|[of, _]| *of == slots).unwrap_or_else(|| {
                    let tap = |(j, slot): (usize, usize), k: usize, c: usize| {
                        let at = slot * line + (tw.taps[k].1 - left) as usize * pixel + c * plane;
                        (at, ((j * tw.taps.len() + k) * self.each_in + c) * self.wide)
                    };
                    let columns = (0..tw.taps.len()).flat_map(|k| (0..self.each_in).map(move |c| (k, c)));
                    let taps = slots.iter().flat_map(|&row| columns.clone().map(move |(k, c)| tap(row, k, c)));
                    known.push([slots.clone(), taps.collect()]);
                    known.len() - 1
                });
                let taps = &known[place][1];
                f(Piece { block, line: number, windows: windows.clone() }, ring, taps);
            }
        }
    }

    /// Writes the results of the windows in the lines from `first` on; lines without windows are left unchanged.
    pub(crate) fn lines(&self, weights: &[W], first: usize, out: &mut [W]) {
        let width = self.windows.size[2];
        let (tw, row) = (&self.windows.taps[2], width * self.channels);
        let each = self.depth * self.wide;
        if self.groups.len() > 1 {
            self.fetch(first, out);
        }
        self.walk(first..first + out.len() / row, |piece, ring, taps| {
            let (block, weights) = (&self.groups[piece.block], &weights[piece.block * each..][..each]);
            let out = &mut out[(piece.line - first) * row..][..row];
            let out =
                &mut out[(tw.first + piece.windows.start * tw.every) * self.channels + block.start * self.each_out..];
            self.row(piece.windows.len(), block.len() * self.each_out, ring, taps, weights, out);
        });
    }

    /// Adds to `sums`, laid out like packed weights, the sums over the windows in these lines of the products of the
    /// elements under them with `gradient`, which has a value for each channel of each window.
    fn add_lines(&self, gradient: &[W], lines: Range<usize>, sums: &mut [W]) {
        let (wide, each, channels) = (self.wide, self.depth * self.wide, self.channels);
        let width = self.windows.size[2];
        // Lanes without a channel have sums that are never read.
        let mut other = Aligned::zeros(self.side_by_side * wide);
        self.walk(lines, |Piece { block, line, windows }, ring, taps| {
            let of_block = self.groups[block].start * self.each_out..self.groups[block].end * self.each_out;
            let gradient = &gradient[(line * width + windows.start) * channels + of_block.start..];
            let (other, row) = if of_block.len() == wide {
                (&gradient[..(windows.len() - 1) * channels + wide], channels)
            } else {
                let other = &mut other.slice_mut()[..windows.len() * wide];
                for (to, pixel) in other.chunks_exact_mut(wide).zip(gradient.chunks(channels)) {
                    to[..of_block.len()].copy_from_slice(&pixel[..of_block.len()]);
                }
                (&*other, wide)
            };
            let step = self.windows.taps[2].step * wide;
            let out = &mut sums[block * each..][..each];
            Filters { images: ring, step, taps, other, row, channels: wide, out }.run();
        });
    }

    /// Prefetches the rows that lines read and those written to, in order, since each block accesses only pieces of
    /// them.
    fn fetch(&self, first: usize, out: &[W]) {
        let th = &self.windows.taps[1];
        let [_, height, width] = self.windows.size;
        let row = self.size[1] * self.in_channels;
        let place = |line: usize| {
            let at = (line % height).saturating_sub(th.first) / th.every * th.step;
            let last = th.taps.last().map_or(0, |tap| tap.1);
            (line / height * self.size[0] + (at as isize + last).clamp(0, self.size[0] as isize - 1) as usize) * row
        };
        let lines = out.len() / (width * self.channels);
        let images = &self.images[place(first).min(place(first + lines - 1))..place(first + lines - 1) + row];
        (0..images.len()).step_by(line::<W>()).for_each(|at| prefetch(images, at));
        (0..out.len()).step_by(line::<W>()).for_each(|at| prefetch(out, at));
    }

    /// Computes the results of a line of windows for a block of channels.
    fn row(&self, windows: usize, channels: usize, ring: &[W], taps: &[(usize, usize)], weights: &[W], out: &mut [W]) {
        let (tw, wide) = (&self.windows.taps[2], self.wide);
        if !self.is_run {
            let (step, row) = (tw.step * wide, tw.every * self.channels);
            return Spread { some: Channels { images: ring, step, taps, weights, channels, row, out }, count: windows }
                .run();
        }
        let out = &mut out[..windows * channels];
        let mut some = |first: usize, count: usize| {
            let (images, out) = (&ring[first..], &mut out[first..]);
            Spread { some: Channels { images, step: wide, taps, weights, channels: wide, row: wide, out }, count }
                .run();
        };
        some(0, windows * channels / wide);
        if !(windows * channels).is_multiple_of(wide) {
            // The last vectors overlap windows that are already done, and compute the same results again.
            some(windows * channels - wide, 1);
        }
    }

    /// Spreads a row of the images from column `left` on, for a block of groups; `pixel` is the distance between
    /// pixels.
    fn spread(&self, row: usize, left: isize, block: &Range<usize>, pixel: usize, out: &mut [W]) {
        let (width, each_in, each_out) = (self.size[1], self.each_in, self.each_out);
        let from = &self.images[row * width * self.in_channels..][..width * self.in_channels];
        let inputs = block.start * each_in..block.end * each_in;
        let plane = out.len() / each_in;
        let columns = plane / pixel;
        // The range of columns that lie inside the images.
        let begin = left.min(0).unsigned_abs().min(columns);
        let end = width.saturating_add_signed(-left).clamp(begin, columns);
        let channels = block.len() * each_out;
        for p in (0..begin).chain(end..columns) {
            (0..each_in).for_each(|i| out[p * pixel + i * plane..][..channels].fill(W::zero()));
        }
        if begin == end {
            return;
        }
        let some = Spreading {
            pixels: &from[left.saturating_add_unsigned(begin) as usize * self.in_channels + inputs.start..],
            in_channels: self.in_channels,
            count: end - begin,
            groups: block.len(),
            each_in,
            each_out,
            pixel,
            plane,
            out: &mut out[begin * pixel..],
        };
        dispatch::<W, _>(some);
    }
}

/// Repeats each element of some pixels as often as its group has results: element `i` of every group goes to plane `i`.
struct Spreading<'a, W> {
    /// Starts at the first element of the first pixel.
    pixels: &'a [W],
    in_channels: usize,
    count: usize,
    groups: usize,
    each_in: usize,
    each_out: usize,
    /// Distances between pixels and planes.
    pixel: usize,
    plane: usize,
    out: &'a mut [W],
}

impl<W: Lanes> Spreading<'_, W> {
    /// Spreads `GROUPS` groups of `OUT` results each.
    #[inline(always)]
    fn groups<const GROUPS: usize, const OUT: usize>(self) {
        for (i, plane) in self.out.chunks_mut(self.plane).take(self.each_in).enumerate() {
            let inputs: [Strided<'_, W>; GROUPS] = std::array::from_fn(|g| {
                Strided::new(&self.pixels[g * self.each_in + i..], self.count, self.in_channels, 1)
            });
            for (p, out) in plane.chunks_exact_mut(GROUPS * OUT).take(self.count).enumerate() {
                for g in 0..GROUPS {
                    out[g * OUT..][..OUT].copy_from_slice(&[inputs[g].row(p)[0]; OUT]);
                }
            }
        }
    }

    #[inline(always)]
    fn any(self) {
        let each_out = self.each_out;
        for (p, pixel) in self.pixels.chunks(self.in_channels).take(self.count).enumerate() {
            let out = &mut self.out[p * self.pixel..];
            for (g, inputs) in pixel[..self.groups * self.each_in].chunks_exact(self.each_in).enumerate() {
                for (i, &x) in inputs.iter().enumerate() {
                    let out = &mut out[i * self.plane + g * each_out..][..each_out];
                    match each_out {
                        1 => out[0] = x,
                        2 => out[..2].copy_from_slice(&[x; 2]),
                        4 => out[..4].copy_from_slice(&[x; 4]),
                        _ => out.fill(x),
                    }
                }
            }
        }
    }
}

impl<W: Lanes> WithSimd for Spreading<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        match (self.groups, self.each_out) {
            _ if self.groups * self.each_out != self.pixel => self.any(),
            (16, 1) => self.groups::<16, 1>(),
            (8, 1) => self.groups::<8, 1>(),
            (8, 2) => self.groups::<8, 2>(),
            (4, 2) => self.groups::<4, 2>(),
            (4, 4) => self.groups::<4, 4>(),
            (2, 4) => self.groups::<2, 4>(),
            _ => self.any(),
        }
    }
}

/// Convolves `images` by these series into `out`. Returns false if other loops are better; the contents of `out` are
/// then unspecified.
///
/// # Errors
/// As [`Cache::get`].
pub(crate) fn convolve<W: Lanes>(
    pool: &Pool,
    images: Images<'_, W>,
    series: &[(Windows, Weights<'_, W>)],
    groups: usize,
    cache: Option<(&Cache, &Tensor)>,
    (out, channels): (&mut [W], usize),
    finish: impl Fn(usize, &mut [W]) + Sync,
) -> Result<bool> {
    let mut grouped = Vec::with_capacity(series.len());
    for (windows, weights) in series {
        let Some(series) = Grouped::new(images, windows, groups, channels) else { return Ok(false) };
        let pack = || series.pack(*weights);
        let packed = match cache {
            Some((cache, filter)) => cache.get(filter, groups, || Ok(pack()))?,
            None => Arc::new(pack()),
        };
        grouped.push((series, packed));
    }
    if grouped.is_empty() {
        return Ok(false);
    }
    // Windows that no series covers are zero.
    let every = matches!(series, [(windows, _)] if windows.is_dense() && windows.num_taps() > 0);
    let width = series[0].0.size[2];
    let nanos = grouped.iter().map(|(grouped, _)| grouped.nanos()).sum::<f64>() / grouped.len() as f64 + 10.0;
    let line = width * channels;
    pool.for_chunks(out, line, nanos, |first, lines| {
        if !every {
            lines.fill(W::zero());
        }
        // A few lines at a time, so that their values stay in the cache for all blocks.
        for (i, lines) in lines.chunks_mut(band::<W>(line) * line).enumerate() {
            let first = first + i * band::<W>(line);
            grouped.iter().for_each(|(series, weights)| series.lines(weights.0.slice(), first, lines));
            finish(first * width, lines);
        }
    });
    Ok(true)
}

/// Number of lines per block, for lines of `line` values.
fn band<W>(line: usize) -> usize {
    (BAND / (line * size_of::<W>())).max(FEWEST)
}

/// Computes the gradient of the weights from the gradient of the sums over `windows`. Returns false if other loops are
/// better; the contents of `out` are then unspecified.
///
/// # Errors
/// If memory runs out.
pub(crate) fn correlate<W: Lanes + Element>(
    cx: &Cx<'_, '_>,
    images: Images<'_, W>,
    windows: &Windows,
    groups: usize,
    (gradient, channels): (&[W], usize),
    out: &mut [W],
) -> Result<bool> {
    let grouped = Grouped::new(images, windows, groups, channels).filter(|g| !g.is_run && windows.is_dense());
    let Some(grouped) = grouped else { return Ok(false) };
    let line = windows.size[2] * channels;
    let (lines, size) = (gradient.len() / line, grouped.groups.len() * grouped.depth * grouped.wide);
    let nanos = grouped.nanos();
    let pool = cx.pool();
    let parts = pool.parts(lines, nanos).min(pool.shares());
    let each = lines.div_ceil(parts);
    // Each part has sums of its own, which are added in a fixed order.
    let mut sums = cx.zeros(W::DTYPE, &Shape::new([parts, size])?)?;
    let sums = sums.slice_mut::<W>()?;
    pool.for_chunks(sums, size, nanos * each as f64, |first, sums| {
        for (part, sums) in (first..).zip(sums.chunks_exact_mut(size)) {
            let end = ((part + 1) * each).min(lines);
            for first in (part * each..end).step_by(band::<W>(line)) {
                grouped.add_lines(gradient, first..(first + band::<W>(line)).min(end), sums);
            }
        }
    });
    let (total, rest) = sums.split_at_mut(size);
    for sum in rest.chunks_exact(size) {
        total.iter_mut().zip(sum).for_each(|(t, &s)| *t = t.add(s));
    }
    for (block, sums) in grouped.groups.iter().zip(total.chunks_exact(grouped.depth * grouped.wide)) {
        let of_block = block.start * grouped.each_out..block.end * grouped.each_out;
        for (row, sums) in out.chunks_exact_mut(channels).zip(sums.chunks_exact(grouped.wide)) {
            row[of_block.clone()].copy_from_slice(&sums[..of_block.len()]);
        }
    }
    Ok(true)
}
