//! Depthwise convolutions: loops over channels instead of matrix products.
//!
//! The layout is channels-last. Filter `m` of channel `c` produces channel `c * multiplier + m` of the result. If there
//! are several filters per channel, filters, gradients and sums are split into planes: element `j * multiplier + m` is
//! element `j` of plane `m`.

use super::product::Operand;
use levada_gemm::tile::Lanes;
use levada_gemm::{Finisher, windows};
use levada_kernel::Pool;
use levada_ops_core::images::window::Axis;
use smallvec::SmallVec;
use std::ops::Range;

/// Maximum number of windows per block: what they read then stays in the lower-level caches for all their channels.
const LONGEST: usize = 64;

/// Maximum size of weights that are repeated for each window of a run, so that large filters do not take many times
/// their memory.
const MOST_REPEATED: usize = 1024;

/// For each tap, the offset of the pixel under it and that of its weights.
type Taps = SmallVec<[(usize, usize); 16]>;

/// The sizes of a depthwise convolution.
#[derive(Clone, Copy)]
pub(crate) struct Depthwise<'a> {
    pub axes: &'a [Axis; 3],
    pub channels: usize,
    /// Number of filters per channel.
    pub multiplier: usize,
}

/// Splits the flat index of a pixel of images of this size into image, depth, height and width.
#[inline(always)]
fn split(pixel: usize, size: [usize; 3]) -> (usize, [usize; 3]) {
    let (rest, w) = (pixel / size[2], pixel % size[2]);
    let (rest, h) = (rest / size[1], rest % size[1]);
    (rest / size[0], [rest % size[0], h, w])
}

/// Iterates over the elements of plane `m` out of `multiplier`.
fn plane<T>(numbers: &[T], multiplier: usize, m: usize) -> impl Iterator<Item = &T> {
    numbers.chunks_exact(multiplier).map(move |numbers| &numbers[m])
}

/// Mutable version of [`plane`].
fn plane_mut<T>(numbers: &mut [T], multiplier: usize, m: usize) -> impl Iterator<Item = &mut T> {
    numbers.chunks_exact_mut(multiplier).map(move |numbers| &mut numbers[m])
}

/// Writes the planes of `numbers` one after the other.
fn take_apart<T: Copy>(numbers: &[T], multiplier: usize, planes: &mut Vec<T>) {
    planes.clear();
    (0..multiplier).for_each(|m| planes.extend(plane(numbers, multiplier, m)));
}

impl Depthwise<'_> {
    fn filters(&self) -> usize {
        self.channels * self.multiplier
    }

    fn nanos(&self) -> f64 {
        let taps: usize = self.axes.iter().map(|a| a.window).product();
        (taps * self.filters()) as f64 * 0.1 + 10.0
    }

    /// Whether adjacent windows are treated like channels: all have the same weights, which are repeated for each of
    /// them.
    pub(crate) fn is_single(&self) -> bool {
        let taps: usize = self.axes.iter().map(|a| a.window).product();
        self.filters() == 1 && self.axes[2].stride == 1 && taps <= MOST_REPEATED
    }

    /// Distance between adjacent windows.
    fn step(&self) -> usize {
        self.axes[2].stride * self.channels
    }

    /// Calls `f` for each run of adjacent windows in `range` that have the same taps inside the images: with the
    /// windows' indices and, for each tap, the offset in the images for the first window and the offset in a filter (or
    /// plane of filters).
    fn runs(&self, range: Range<usize>, mut f: impl FnMut(Range<usize>, &[(usize, usize)])) {
        let (channels, [ad, ah, aw]) = (self.channels, *self.axes);
        let size = self.axes.map(|a| a.output);
        let all = |w: usize| aw.taps(w) == (0..aw.window);
        let middle = (0..aw.output).find(|&w| all(w)).unwrap_or(aw.output);
        let middle = middle..(middle..aw.output).rfind(|&w| all(w)).map_or(middle, |w| w + 1);
        let mut taps = Taps::new();
        let mut window = range.start;
        while window < range.end {
            let (n, [d, h, w]) = split(window, size);
            let count = if middle.contains(&w) { (middle.end - w).min(LONGEST) } else { 1 };
            let windows = window..(window + count).min(range.end);
            taps.clear();
            for kd in ad.taps(d) {
                let at_d = n * ad.input + (ad.start(d) + (kd * ad.dilation) as isize) as usize;
                for kh in ah.taps(h) {
                    let at_h = at_d * ah.input + (ah.start(h) + (kh * ah.dilation) as isize) as usize;
                    for kw in aw.taps(w) {
                        let at = at_h * aw.input + (aw.start(w) + (kw * aw.dilation) as isize) as usize;
                        taps.push((at * channels, ((kd * ah.window + kh) * aw.window + kw) * channels));
                    }
                }
            }
            window = windows.end;
            f(windows, &taps);
        }
    }

    /// Computes the convolution.
    pub(crate) fn forward<T: Operand>(
        &self,
        pool: &Pool,
        input: &[T],
        filter: &[T::Wide],
        out: &mut [T],
        finisher: Option<&Finisher<'_>>,
    ) {
        let (mut buffer, mut planes) = (Vec::new(), Vec::new());
        let input = T::wide(input, &mut buffer);
        match self.is_single() {
            true => filter.iter().for_each(|&weight| planes.extend([weight; LONGEST])),
            false => take_apart(filter, self.multiplier, &mut planes),
        }
        let filters = self.filters();
        pool.for_chunks(out, filters, self.nanos(), |first, mut rest| {
            let (mut wide, mut sums) = (Vec::new(), Vec::new());
            self.runs(first..first + rest.len() / filters, |windows, taps| {
                let (now, more) = std::mem::take(&mut rest).split_at_mut(windows.len() * filters);
                T::fill_wide(now, &mut wide, |out| self.sum(input, taps, &planes, out, &mut sums));
                if let Some(finisher) = finisher {
                    T::finish(finisher, windows.start, now);
                }
                rest = more;
            });
        });
    }

    /// Computes the results of adjacent windows. `sums` is the buffer for those of single planes of filters.
    fn sum<W: Lanes>(&self, input: &[W], taps: &[(usize, usize)], planes: &[W], out: &mut [W], sums: &mut Vec<W>) {
        let (channels, step, multiplier) = (self.channels, self.step(), self.multiplier);
        if self.is_single() {
            let taps: Taps = taps.iter().map(|&(tap, weight)| (tap, weight * LONGEST)).collect();
            let (taps, weights, count) = (&taps[..], planes, out.len());
            return windows::Channels { images: input, step: count, taps, weights, channels: count, row: count, out }
                .run();
        }
        if multiplier == 1 {
            return windows::Channels { images: input, step, taps, weights: planes, channels, row: channels, out }
                .run();
        }
        for (i, out) in out.chunks_mut(windows::SHARING * self.filters()).enumerate() {
            // The images do not matter for windows without taps.
            let images = input.get(i * windows::SHARING * step..).unwrap_or_default();
            sums.resize(out.len() / multiplier, W::zero());
            for (m, weights) in planes.chunks_exact(planes.len() / multiplier).enumerate() {
                windows::Channels { images, step, taps, weights, channels, row: channels, out: &mut *sums }.run();
                plane_mut(out, multiplier, m).zip(&*sums).for_each(|(o, &s)| *o = s);
            }
        }
    }

    /// Computes the gradient of the input.
    pub(crate) fn backward_input<T: Operand>(&self, pool: &Pool, gradient: &[T], filter: &[T::Wide], out: &mut [T]) {
        let mut buffer = Vec::new();
        let gradient = T::wide(gradient, &mut buffer);
        let [ad, ah, aw] = *self.axes;
        let size = self.axes.map(|a| a.input);
        let columns: Vec<Taps> = (0..aw.input).map(|w| aw.windows_over(w).collect()).collect();
        pool.for_chunks(out, self.channels, self.nanos(), |first, mut rest| {
            let (mut wide, mut sums, mut lines) = (Vec::new(), Vec::new(), Taps::new());
            let mut pixel = first;
            while !rest.is_empty() {
                let (n, [d, h, w]) = split(pixel, size);
                let count = (aw.input - w).min(rest.len() / self.channels);
                let (row, more) = rest.split_at_mut(count * self.channels);
                lines.clear();
                for (kd, od) in ad.windows_over(d) {
                    for (kh, oh) in ah.windows_over(h) {
                        let line = ((n * ad.output + od) * ah.output + oh) * aw.output;
                        lines.push((line, (kd * ah.window + kh) * aw.window));
                    }
                }
                let columns = &columns[w..][..count];
                T::fill_wide(row, &mut wide, |row| self.sum_back(gradient, (&lines, columns), filter, row, &mut sums));
                (rest, pixel) = (more, pixel + count);
            }
        });
    }

    /// Computes the gradient of adjacent pixels. `lines` and `columns` give the windows and taps that cover them.
    fn sum_back<W: Lanes>(
        &self,
        gradient: &[W],
        (lines, columns): (&[(usize, usize)], &[Taps]),
        filter: &[W],
        out: &mut [W],
        sums: &mut Vec<W>,
    ) {
        let (channels, filters, stride) = (self.channels, self.filters(), self.axes[2].stride);
        let mut taps = Taps::new();
        // Pixels that are a stride apart are covered by windows in the same way.
        for first in 0..stride.min(columns.len()) {
            let mut at = first;
            while let Some(column) = columns.get(at) {
                let is_alike = |i: usize| {
                    let other = columns.get(at + i * stride);
                    other.is_some_and(|other| column.iter().map(|&(k, o)| (k, o + i)).eq(other.iter().copied()))
                };
                let count = 1 + (1..LONGEST).take_while(|&i| is_alike(i)).count();
                taps.clear();
                for (line, row) in lines {
                    taps.extend(column.iter().map(|(k, o)| ((line + o) * filters, (row + k) * filters)));
                }
                let sum = |out| {
                    windows::Channels {
                        images: gradient,
                        step: filters,
                        taps: &taps,
                        weights: filter,
                        channels: filters,
                        row: filters,
                        out,
                    }
                    .run();
                };
                if self.multiplier == 1 && stride == 1 {
                    sum(&mut out[at * channels..][..count * channels]);
                } else {
                    sums.resize(count * filters, W::zero());
                    sum(&mut *sums);
                    let pixels = out[at * channels..].chunks_mut(channels).step_by(stride);
                    for (pixel, sums) in pixels.zip(sums.chunks_exact(filters)) {
                        let sums = sums.chunks_exact(self.multiplier);
                        pixel.iter_mut().zip(sums).for_each(|(o, s)| *o = s.iter().copied().fold(W::zero(), W::add));
                    }
                }
                at += count * stride;
            }
        }
    }

    /// Adds the contribution of the windows `range` to the filter's gradient in `sums`.
    pub(crate) fn backward_filter<W: Lanes>(&self, input: &[W], gradient: &[W], range: Range<usize>, sums: &mut [W]) {
        let (channels, filters, multiplier, step) = (self.channels, self.filters(), self.multiplier, self.step());
        let of = |windows: Range<usize>| &gradient[windows.start * filters..windows.end * filters];
        if multiplier == 1 {
            return self.runs(range, |windows, taps| {
                windows::Filters {
                    images: input,
                    step,
                    taps,
                    other: of(windows),
                    row: filters,
                    channels,
                    out: &mut *sums,
                }
                .run();
            });
        }
        let each = sums.len() / multiplier;
        let (mut planes, mut others) = (vec![W::zero(); sums.len()], Vec::new());
        self.runs(range, |windows, taps| {
            let size = windows.len() * channels;
            take_apart(of(windows), multiplier, &mut others);
            for (out, other) in planes.chunks_exact_mut(each).zip(others.chunks_exact(size)) {
                windows::Filters { images: input, step, taps, other, row: channels, channels, out }.run();
            }
        });
        for (m, sum) in planes.chunks_exact(each).enumerate() {
            plane_mut(sums, multiplier, m).zip(sum).for_each(|(o, &s)| *o = o.add(s));
        }
    }
}
