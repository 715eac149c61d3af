//! The generic convolution loop: gathers the elements under a block of windows into a matrix and multiplies it by the
//! weights.
//!
//! Images are `[batch, depth, height, width, channels]` here; missing spatial dimensions are leading ones of size 1.

use super::product::{Operand, product};
use crate::prelude::*;
use levada_gemm::{Mat, Size};
use levada_kernel::Pool;

/// Maximum number of matrix rows gathered at a time.
const ROWS: usize = 384;
/// Maximum number of matrix elements gathered at a time, if that is at least one row.
const ELEMENTS: usize = 1 << 18;

/// The images to gather from.
#[derive(Clone, Copy)]
pub(crate) struct Images<'a, T> {
    pub data: &'a [T],
    /// Depth, height, width.
    pub size: [usize; 3],
    pub channels: usize,
}

/// The taps of a window along an axis, and their positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taps {
    /// These taps belong to the windows `first`, `first + every`, ...
    pub first: usize,
    pub every: usize,
    /// Distance between two windows of this series in the source images.
    pub step: usize,
    /// Index of the tap in the weights, and its position for the first window of the series; sorted by position.
    pub taps: Vec<(usize, isize)>,
}

impl Taps {
    /// Number of windows of the series along an axis of `size` windows.
    pub(crate) fn count(&self, size: usize) -> usize {
        if self.first >= size { 0 } else { (size - 1 - self.first) / self.every + 1 }
    }
}

/// Weights as a matrix for each group: a row for each tap and input channel, a column for each output channel.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a, W> {
    pub data: &'a [W],
    /// Distance between the matrices of two groups.
    pub group: usize,
    /// Distance between rows.
    pub row: usize,
}

/// The windows of a series along each axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// Number of windows along depth, height and width, over all series.
    pub size: [usize; 3],
    pub taps: [Taps; 3],
}

impl Windows {
    /// Number of taps.
    pub(crate) fn num_taps(&self) -> usize {
        self.taps.iter().map(|t| t.taps.len()).product()
    }

    /// Whether the series contains every window.
    pub(crate) fn is_dense(&self) -> bool {
        self.taps.iter().all(|t| t.every == 1)
    }

    /// Number of rows to gather at a time, for rows of `k` elements.
    fn rows(k: usize) -> usize {
        (ELEMENTS / k.max(1)).clamp(1, ROWS)
    }

    /// Calls `f` with the indices of the windows of this series within `range`, a few at a time.
    fn blocks(&self, range: std::ops::Range<usize>, rows: usize, mut f: impl FnMut(&[usize])) {
        let [_, height, width] = self.size;
        let mut block: Vec<usize> = Vec::with_capacity(rows);
        let mut at = range.start;
        let on = |t: &Taps, i: usize| i >= t.first && (i - t.first).is_multiple_of(t.every);
        while at < range.end {
            let (line, w) = (at / width, at % width);
            let end = (line + 1) * width;
            if on(&self.taps[1], line % height) && on(&self.taps[0], line / height % self.size[0]) {
                let t = &self.taps[2];
                let first = if w <= t.first { t.first } else { t.first + (w - t.first).div_ceil(t.every) * t.every };
                let mut x = line * width + first;
                while x < end.min(range.end) {
                    block.push(x);
                    if block.len() == rows {
                        f(&block);
                        block.clear();
                    }
                    x += t.every;
                }
            }
            at = end;
        }
        if !block.is_empty() {
            f(&block);
        }
    }

    /// Writes the elements under these windows: a row for each window, with the channels `channels` of each tap; zero
    /// outside the images.
    fn gather<T: Operand>(
        &self,
        images: Images<'_, T>,
        windows: &[usize],
        channels: std::ops::Range<usize>,
        out: &mut [T::Wide],
    ) {
        let [depth, height, width] = self.size;
        let [from_d, from_h, from_w] = images.size;
        let [td, th, tw] = &self.taps;
        let (each, line) = (channels.len(), channels.len() * tw.taps.len());
        let first_w = tw.taps.first().map_or(0, |t| t.1);
        // Taps are adjacent and all channels take part: a line of taps is contiguous in memory.
        let whole = each == images.channels && tw.taps.iter().enumerate().all(|(i, t)| t.1 == first_w + i as isize);
        let inside = |at: isize, size: usize| usize::try_from(at).ok().filter(|&at| at < size);
        let mut lines = out.chunks_exact_mut(line.max(1));
        for &window in windows {
            let (w, rest) = (window % width, window / width);
            let (h, rest) = (rest % height, rest / height);
            let (d, n) = (rest % depth, rest / depth);
            let start = |t: &Taps, i: usize| ((i - t.first) / t.every * t.step) as isize;
            let (d, h, w) = (start(td, d), start(th, h), start(tw, w));
            for &(_, at_d) in &td.taps {
                for &(_, at_h) in &th.taps {
                    let Some(out) = lines.next() else { return };
                    let (Some(d), Some(h)) = (inside(d + at_d, from_d), inside(h + at_h, from_h)) else {
                        out.fill(<T::Wide>::zero());
                        continue;
                    };
                    let base = ((n * from_d + d) * from_h + h) * from_w;
                    if whole {
                        let at = w + first_w;
                        let skip = at.min(0).unsigned_abs().min(tw.taps.len());
                        let at = at.max(0) as usize;
                        let count = from_w.saturating_sub(at).min(tw.taps.len() - skip);
                        let (head, rest) = out.split_at_mut(skip * each);
                        let (body, tail) = rest.split_at_mut(count * each);
                        head.fill(<T::Wide>::zero());
                        tail.fill(<T::Wide>::zero());
                        if count > 0 {
                            widen(&images.data[(base + at) * each..][..count * each], body);
                        }
                    } else {
                        for (&(_, at_w), out) in tw.taps.iter().zip(out.chunks_exact_mut(each)) {
                            match inside(w + at_w, from_w) {
                                Some(w) => {
                                    let pixel = &images.data[(base + w) * images.channels..][..images.channels];
                                    widen(&pixel[channels.clone()], out);
                                }
                                None => out.fill(<T::Wide>::zero()),
                            }
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn widen<T: Number>(from: &[T], to: &mut [T::Wide]) {
    to.iter_mut().zip(from).for_each(|(o, i)| *o = i.widen());
}

/// Buffers of one thread.
struct Scratch<W> {
    gathered: Vec<W>,
    out: Vec<W>,
    wide: Vec<W>,
}

/// Computes for every window of each series the gathered elements times the series' weights. `out` has `channels`
/// elements for each window; those of windows in no series, or in one without taps, become zero.
pub(crate) fn convolve<T: Operand>(
    pool: &Pool,
    images: Images<'_, T>,
    series: &[(Windows, Weights<'_, T::Wide>)],
    groups: usize,
    out: &mut [T],
    channels: usize,
) {
    let (each_in, each_out) = (images.channels / groups, channels / groups);
    let (mut taps, mut k) = (0, 0);
    for (windows, _) in series {
        taps += windows.num_taps();
        k = k.max(windows.num_taps() * each_in);
    }
    let nanos = (taps / series.len().max(1)) as f64 * each_in as f64 * channels as f64 / 30.0 + 1.0;
    let dense = matches!(series, [(windows, _)] if windows.is_dense() && windows.num_taps() > 0);
    pool.for_chunks(out, channels, nanos, |first, piece| {
        let mut scratch = Scratch { gathered: Vec::new(), out: Vec::new(), wide: Vec::new() };
        if !dense {
            piece.fill(T::zero());
        }
        let range = first..first + piece.len() / channels;
        for (windows, weights) in series {
            let k = windows.num_taps() * each_in;
            if k == 0 {
                continue;
            }
            let rows = Windows::rows(k);
            windows.blocks(range.clone(), rows, |block| {
                let size = Size { m: block.len(), n: each_out, k };
                let multiply = |dst: &mut [T::Wide], gathered: &mut Vec<T::Wide>, wide: &mut Vec<T::Wide>| {
                    for group in 0..groups {
                        let b = Mat::new(&weights.data[group * weights.group..], weights.row);
                        let a = match pointwise(windows, images, block) {
                            Some(pixels) => {
                                let data = &T::wide(pixels, wide)[group * each_in..];
                                Mat::new(data, images.channels)
                            }
                            None => {
                                gathered.resize(rows * k, <T::Wide>::zero());
                                let channels = group * each_in..(group + 1) * each_in;
                                windows.gather(images, block, channels, &mut gathered[..block.len() * k]);
                                Mat::new(&gathered[..], k)
                            }
                        };
                        product(size, &mut dst[group * each_out..], channels, false, a, b);
                    }
                };
                if dense {
                    let at = (block[0] - range.start) * channels;
                    T::fill_wide(&mut piece[at..][..block.len() * channels], &mut scratch.out, |dst| {
                        multiply(dst, &mut scratch.gathered, &mut scratch.wide);
                    });
                } else {
                    scratch.out.resize(rows * channels, <T::Wide>::zero());
                    multiply(&mut scratch.out, &mut scratch.gathered, &mut scratch.wide);
                    for (&window, from) in block.iter().zip(scratch.out.chunks_exact(channels)) {
                        let to = &mut piece[(window - range.start) * channels..][..channels];
                        to.iter_mut().zip(from).for_each(|(o, &v)| *o = T::narrow(v));
                    }
                }
            });
        }
    });
}

/// Returns the pixels under a block of windows, if each window is just the pixel with its own index.
fn pointwise<'a, T>(windows: &Windows, images: Images<'a, T>, block: &[usize]) -> Option<&'a [T]> {
    let alone = |t: &Taps| t.every == 1 && t.step == 1 && matches!(t.taps[..], [(_, 0)]);
    if windows.size != images.size || !windows.taps.iter().all(alone) {
        return None;
    }
    Some(&images.data[block[0] * images.channels..][..block.len() * images.channels])
}

/// Computes for each tap, input channel and output channel the sum over all windows of the element under the tap times
/// the element of `other` for the window. Adds to `out`, which has a row of `channels` elements for each tap and input
/// channel of a group.
pub(crate) fn correlate<T: Operand>(
    images: Images<'_, T>,
    windows: &Windows,
    range: std::ops::Range<usize>,
    other: &[T],
    groups: usize,
    out: &mut [T::Wide],
    channels: usize,
) {
    let (each_in, each_out) = (images.channels / groups, channels / groups);
    let k = windows.num_taps() * each_in;
    if k == 0 || channels == 0 {
        return;
    }
    let rows = Windows::rows(k);
    let mut gathered = vec![<T::Wide>::zero(); rows * k];
    let mut wide = Vec::new();
    windows.blocks(range, rows, |block| {
        let other = &other[block[0] * channels..][..block.len() * channels];
        let other = T::wide(other, &mut wide);
        for group in 0..groups {
            windows.gather(images, block, group * each_in..(group + 1) * each_in, &mut gathered[..block.len() * k]);
            let a = Mat::new(&gathered[..], k).t();
            let b = Mat::new(&other[group * each_out..], channels);
            let size = Size { m: k, n: each_out, k: block.len() };
            product(size, &mut out[group * each_out..], channels, true, a, b);
        }
    });
}
