//! Convolutions whose groups have fewer channels than a vector has numbers.
//!
//! A vector of results belongs to several groups. Images are spread so that each of its lanes finds its own input: for channel `i` of the
//! groups' inputs a vector has, in every lane, channel `i` of the group that the lane's result belongs to. Results then are sums over
//! taps and over `i` of vectors times vectors of weights. Only the rows that the windows of a line read are spread at a time, for a
//! block of results, in a ring that stays in the cache.
//!
//! Where all channels are fewer than a vector has numbers, a vector belongs to several windows side by side: a line of results is one
//! run of numbers, whose weights repeat after as many vectors as hold whole windows.

use super::gather::{Images, Taps, Weights, Windows};
use super::tile::{Channels, Spread};
use levada_gemm::tile::{Aligned, Lanes, Panels};
use levada_kernel::Pool;
use levada_kernel::stream::{line, prefetch};
use std::ops::Range;

/// Input channels of a group, at most.
const DEEPEST: usize = 16;
/// Bytes of a ring, at most.
const RING: usize = 1 << 20;

/// Bytes of results that are computed before the next ones, about.
const BAND: usize = 1 << 17;
/// Lines that are computed before the next ones, at least: the rows that the first of them read are spread anew.
const FEWEST: usize = 6;

/// How one series of windows is computed.
pub(crate) struct Grouped<'a, W> {
    images: &'a [W],
    /// Height and width.
    size: [usize; 2],
    in_channels: usize,
    channels: usize,
    each_in: usize,
    each_out: usize,
    windows: &'a Windows,
    /// Groups of a block.
    groups: Vec<Range<usize>>,
    /// True where vectors belong to windows side by side.
    is_run: bool,
    /// Numbers for which there are weights: those of a block, or of whole windows.
    wide: usize,
    /// For each block, for each tap and input channel: a number for each lane.
    weights: Aligned<W>,
}

/// The greatest number that divides both.
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The first place that the taps read, and the number of places from there to the last one, for windows 0 to `n`.
fn reach(taps: &Taps, n: usize) -> (isize, usize) {
    match (taps.taps.first(), taps.taps.last()) {
        (Some(first), Some(last)) if n > 0 => {
            (first.1, (last.1 - first.1 + ((n - 1) * taps.step) as isize) as usize + 1)
        }
        _ => (0, 0),
    }
}

impl<'a, W: Lanes> Grouped<'a, W> {
    /// For groups of these windows; `None` where other loops are better.
    pub(crate) fn new(
        images: Images<'a, W>,
        windows: &'a Windows,
        weights: Weights<'_, W>,
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
            false if channels == lanes => lanes,
            false => 2 * lanes,
        };
        if is_run && across * channels < wide {
            return None;
        }
        let of_block = if is_run { groups } else { wide / each_out };
        let blocks: Vec<Range<usize>> =
            (0..groups).step_by(of_block).map(|first| first..(first + of_block).min(groups)).collect();
        let (rows, columns) = (reach(th, 1).1, reach(tw, across).1);
        let ring = [rows, columns, each_in, if is_run { channels } else { wide }, size_of::<W>()];
        if ring.iter().try_fold(1usize, |n, &m| n.checked_mul(m))? > RING {
            return None;
        }
        let depth = th.taps.len() * tw.taps.len() * each_in;
        let mut packed = Aligned::zeros(blocks.len() * depth * wide);
        let mut rest = packed.slice_mut().chunks_exact_mut(wide);
        for block in &blocks {
            for (row, to) in (0..depth).zip(&mut rest) {
                let group = |g: usize| &weights.data[g * weights.group + row * weights.row..][..each_out];
                for window in to.chunks_exact_mut(block.len() * each_out).take(if is_run { wide } else { 1 }) {
                    for (g, to) in block.clone().zip(window.chunks_exact_mut(each_out)) {
                        to.copy_from_slice(group(g));
                    }
                }
            }
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
            wide,
            weights: packed,
        })
    }

    /// What a line of results costs, in nanoseconds.
    pub(crate) fn nanos(&self) -> f64 {
        (self.windows.size[2] * self.channels * self.windows.num_taps() * self.each_in) as f64 * 0.04
    }

    /// Writes the results of the windows in the lines from `first` on; lines without any stay as they are.
    pub(crate) fn lines(&self, first: usize, out: &mut [W]) {
        let [_, th, tw] = &self.windows.taps;
        let [_, height, width] = self.windows.size;
        let across = tw.count(width);
        let ((low, rows), (left, columns)) = (reach(th, 1), reach(tw, across));
        if across == 0 || rows == 0 || columns == 0 {
            return;
        }
        // Distances in the ring of pixels side by side, input channels and lines.
        let (pixel, plane) = match self.is_run {
            true => (self.channels, columns * self.channels),
            false => (self.each_in * self.wide, self.wide),
        };
        let line = columns * self.each_in * if self.is_run { self.channels } else { self.wide };
        let mut ring = Aligned::zeros(rows * line);
        let ring = ring.slice_mut();
        let mut held: Vec<Option<usize>> = vec![None; rows];
        let mut taps = Vec::new();
        if self.groups.len() > 1 {
            self.fetch(first, out);
        }
        let weights = self.weights.slice();
        let weights = weights.chunks_exact((weights.len() / self.groups.len()).max(1));
        for (block, weights) in self.groups.iter().zip(weights) {
            held.fill(None);
            for (i, out) in out.chunks_exact_mut(width * self.channels).enumerate() {
                let (n, h) = ((first + i) / height, (first + i) % height);
                if h < th.first || !(h - th.first).is_multiple_of(th.every) {
                    continue;
                }
                let at = ((h - th.first) / th.every * th.step) as isize;
                taps.clear();
                for (j, &(_, y)) in th.taps.iter().enumerate() {
                    let Some(y) = usize::try_from(at + y).ok().filter(|&y| y < self.size[0]) else { continue };
                    let slot = (y as isize - low).rem_euclid(rows as isize) as usize;
                    let row = n * self.size[0] + y;
                    if held[slot].replace(row) != Some(row) {
                        self.spread(row, left, block, (pixel, plane), &mut ring[slot * line..][..line]);
                    }
                    for (k, &(_, x)) in tw.taps.iter().enumerate() {
                        for c in 0..self.each_in {
                            let number = (j * tw.taps.len() + k) * self.each_in + c;
                            taps.push((slot * line + (x - left) as usize * pixel + c * plane, number * self.wide));
                        }
                    }
                }
                let out = &mut out[tw.first * self.channels + block.start * self.each_out..];
                self.row(across, block.len() * self.each_out, ring, &taps, weights, out);
            }
        }
    }

    /// Asks for the rows that lines read and for where they are written, in order: blocks take pieces of them.
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

    /// The results of a line of windows for a block of channels.
    fn row(&self, windows: usize, channels: usize, ring: &[W], taps: &[(usize, usize)], weights: &[W], out: &mut [W]) {
        let (tw, wide) = (&self.windows.taps[2], self.wide);
        if !self.is_run {
            let (step, row) = (tw.step * self.each_in * wide, tw.every * self.channels);
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
            // The last ones begin among windows that are done: these get the same results again.
            some(windows * channels - wide, 1);
        }
    }

    /// Spreads a row of the images from column `left` on, for a block of groups; pixels and input channels lie this far apart.
    fn spread(&self, row: usize, left: isize, block: &Range<usize>, (pixel, plane): (usize, usize), out: &mut [W]) {
        let (width, each_in, each_out) = (self.size[1], self.each_in, self.each_out);
        let from = &self.images[row * width * self.in_channels..][..width * self.in_channels];
        let inputs = block.start * each_in..block.end * each_in;
        let columns = if self.is_run { plane } else { out.len() } / pixel;
        for p in 0..columns {
            let x = usize::try_from(left + p as isize).ok().filter(|&x| x < width);
            let out = &mut out[p * pixel..];
            let Some(inputs) = x.map(|x| &from[x * self.in_channels..][inputs.clone()]) else {
                (0..each_in).for_each(|i| out[i * plane..][..block.len() * each_out].fill(W::zero()));
                continue;
            };
            match each_out {
                1 => place::<W, 1>(inputs, each_in, plane, out),
                2 => place::<W, 2>(inputs, each_in, plane, out),
                4 => place::<W, 4>(inputs, each_in, plane, out),
                _ => {
                    for (g, inputs) in inputs.chunks_exact(each_in).enumerate() {
                        for (i, &x) in inputs.iter().enumerate() {
                            out[i * plane + g * each_out..][..each_out].fill(x);
                        }
                    }
                }
            }
        }
    }
}

/// Writes each number of a pixel `OUT` times: number `i` of every group to plane `i`.
#[inline(always)]
fn place<W: Copy, const OUT: usize>(inputs: &[W], each_in: usize, plane: usize, out: &mut [W]) {
    for (g, inputs) in inputs.chunks_exact(each_in).enumerate() {
        for (i, &x) in inputs.iter().enumerate() {
            out[i * plane + g * OUT..][..OUT].copy_from_slice(&[x; OUT]);
        }
    }
}

/// Convolves `images` by these series into `out`; false, with nothing in it that counts, where other loops are better.
pub(crate) fn convolve<W: Lanes>(
    pool: &Pool,
    images: Images<'_, W>,
    series: &[(Windows, Weights<'_, W>)],
    groups: usize,
    (out, channels): (&mut [W], usize),
    finish: impl Fn(usize, &mut [W]) + Sync,
) -> bool {
    let grouped = series.iter().map(|(windows, weights)| Grouped::new(images, windows, *weights, groups, channels));
    let Some(grouped) = grouped.collect::<Option<Vec<_>>>().filter(|series| !series.is_empty()) else { return false };
    // Where series leave windows out, those are zeros.
    let every = matches!(series, [(windows, _)] if windows.is_dense() && windows.num_taps() > 0);
    let width = series[0].0.size[2];
    let nanos = grouped.iter().map(Grouped::nanos).sum::<f64>() / grouped.len() as f64 + 10.0;
    let line = width * channels;
    pool.for_chunks(out, line, nanos, |first, lines| {
        if !every {
            lines.fill(W::zero());
        }
        // A few at a time, whose numbers stay in the cache for all blocks.
        let band = (BAND / (line * size_of::<W>())).max(FEWEST);
        for (i, lines) in lines.chunks_mut(band * line).enumerate() {
            let first = first + i * band;
            grouped.iter().for_each(|series| series.lines(first, lines));
            finish(first * width, lines);
        }
    });
    true
}
