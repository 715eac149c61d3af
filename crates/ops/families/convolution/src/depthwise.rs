//! Convolutions of each channel with filters of its own: loops over channels in place of products of matrices.
//!
//! Channels are last. Filter `m` of channel `c` makes channel `c * multiplier + m` of the result.

use super::convolution::finish_all;
use super::product::Operand;
use super::tile;
use crate::prelude::*;
use levada_gemm::Finisher;
use levada_gemm::tile::Lanes;
use levada_kernel::Pool;
use levada_ops_core::images::window::Axis;
use smallvec::SmallVec;

/// Channels whose sums are kept in registers.
const LANES: usize = 32;

/// The sizes of a depthwise convolution.
#[derive(Clone, Copy)]
pub(crate) struct Depthwise<'a> {
    pub axes: &'a [Axis; 3],
    pub channels: usize,
    /// Filters of each channel.
    pub multiplier: usize,
}

/// Splits the number of a pixel of images of this size: image, depth, height, width.
#[inline(always)]
fn split(pixel: usize, size: [usize; 3]) -> (usize, [usize; 3]) {
    let (rest, w) = (pixel / size[2], pixel % size[2]);
    let (rest, h) = (rest / size[1], rest % size[1]);
    (rest / size[0], [rest % size[0], h, w])
}

impl Depthwise<'_> {
    fn filters(&self) -> usize {
        self.channels * self.multiplier
    }

    fn nanos(&self) -> f64 {
        let taps: usize = self.axes.iter().map(|a| a.window).product();
        (taps * self.filters()) as f64 * 0.1 + 10.0
    }

    /// The convolution's result.
    pub(crate) fn forward<T: Operand>(
        &self,
        pool: &Pool,
        input: &[T],
        filter: &[T::Wide],
        out: &mut [T],
        finisher: Option<&Finisher<'_>>,
    ) {
        if let (1, Some(input)) = (self.multiplier, T::as_wide(input)) {
            if let Some(out) = T::as_wide_mut(out) {
                self.rows(pool, input, filter, out, finisher);
            }
            return;
        }
        self.by_pixels(pool, input, filter, out);
        if let Some(finisher) = finisher {
            finish_all(pool, finisher, out, self.filters());
        }
    }

    /// The convolution pixel by pixel.
    fn by_pixels<T: Operand>(&self, pool: &Pool, input: &[T], filter: &[T::Wide], out: &mut [T]) {
        let filters = self.filters();
        let [ad, ah, aw] = *self.axes;
        let size = self.axes.map(|a| a.output);
        pool.for_chunks(out, filters, self.nanos(), |first, piece| {
            vectorized_for!(T, {
                let mut pairs: SmallVec<[(usize, usize); 32]> = SmallVec::new();
                for (i, out) in piece.chunks_exact_mut(filters).enumerate() {
                    let (n, [d, h, w]) = split(first + i, size);
                    pairs.clear();
                    for kd in ad.taps(d) {
                        let at_d = n * ad.input + (ad.start(d) + (kd * ad.dilation) as isize) as usize;
                        for kh in ah.taps(h) {
                            let at_h = at_d * ah.input + (ah.start(h) + (kh * ah.dilation) as isize) as usize;
                            for kw in aw.taps(w) {
                                let at = at_h * aw.input + (aw.start(w) + (kw * aw.dilation) as isize) as usize;
                                pairs.push((at, (kd * ah.window + kh) * aw.window + kw));
                            }
                        }
                    }
                    if self.multiplier == 1 {
                        sum_products(&pairs, input, filter, out);
                    } else {
                        self.sum_multiplied(&pairs, input, filter, out);
                    }
                }
            });
        });
    }

    /// One filter for each channel, a row of windows at a time: those in the middle have all taps of the row.
    fn rows<T: Lanes>(&self, pool: &Pool, input: &[T], filter: &[T], out: &mut [T], finisher: Option<&Finisher<'_>>) {
        let channels = self.channels;
        let [ad, ah, aw] = *self.axes;
        let size = self.axes.map(|a| a.output);
        let all = |w: usize| aw.taps(w) == (0..aw.window);
        let middle = (0..aw.output).find(|&w| all(w)).unwrap_or(aw.output);
        let middle = middle..(middle..aw.output).rfind(|&w| all(w)).map_or(middle, |w| w + 1);
        pool.for_chunks(out, channels, self.nanos(), |first, piece| {
            let (mut rest, mut window) = (piece, first);
            let mut taps: SmallVec<[(usize, usize); 32]> = SmallVec::new();
            while !rest.is_empty() {
                let (n, [d, h, w]) = split(window, size);
                let end = if middle.contains(&w) { middle.end } else { w + 1 };
                let count = (end - w).min(rest.len() / channels);
                let (now, more) = std::mem::take(&mut rest).split_at_mut(count * channels);
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
                let step = aw.stride * channels;
                tile::Channels { images: input, step, taps: &taps, weights: filter, channels, out: now }.run();
                if let (Some(finisher), Some(now)) = (finisher, T::singles(now)) {
                    finisher.rows(window, now);
                }
                (rest, window) = (more, window + count);
            }
        });
    }

    #[inline(always)]
    fn sum_multiplied<T: Operand>(&self, pairs: &[(usize, usize)], input: &[T], filter: &[T::Wide], out: &mut [T]) {
        let filters = self.filters();
        for (c, out) in out.chunks_exact_mut(self.multiplier).enumerate() {
            let at = c * self.multiplier;
            for (m, o) in out.iter_mut().enumerate() {
                let mut sum = <T::Wide>::zero();
                for &(pixel, tap) in pairs {
                    sum = sum.add(input[pixel * self.channels + c].widen().mul(filter[tap * filters + at + m]));
                }
                *o = T::narrow(sum);
            }
        }
    }

    /// The windows that lie over each element of the input, where windows are next to each other.
    fn mirrored(&self) -> Option<[Axis; 3]> {
        let mut axes = *self.axes;
        for axis in &mut axes {
            let before = ((axis.window - 1) * axis.dilation).checked_sub(axis.before)?;
            if axis.stride != 1 {
                return None;
            }
            *axis = Axis { input: axis.output, output: axis.input, before, ..*axis };
        }
        Some(axes)
    }

    /// The gradient of the input.
    pub(crate) fn backward_input<T: Operand>(&self, pool: &Pool, gradient: &[T], filter: &[T::Wide], out: &mut [T]) {
        if let (1, Some(axes)) = (self.multiplier, self.mirrored()) {
            // With the filter the other way round it is a convolution of the gradient.
            let taps: Vec<T::Wide> = filter.chunks_exact(self.channels).rev().flatten().copied().collect();
            return Depthwise { axes: &axes, ..*self }.forward(pool, gradient, &taps, out, None);
        }
        let (filters, multiplier) = (self.filters(), self.multiplier);
        let [ad, ah, aw] = *self.axes;
        let size = self.axes.map(|a| a.input);
        pool.for_chunks(out, self.channels, self.nanos(), |first, piece| {
            vectorized_for!(T, {
                let mut pairs: SmallVec<[(usize, usize); 32]> = SmallVec::new();
                for (i, out) in piece.chunks_exact_mut(self.channels).enumerate() {
                    let (n, [d, h, w]) = split(first + i, size);
                    pairs.clear();
                    for (kd, od) in ad.windows_over(d) {
                        for (kh, oh) in ah.windows_over(h) {
                            for (kw, ow) in aw.windows_over(w) {
                                let window = ((n * ad.output + od) * ah.output + oh) * aw.output + ow;
                                pairs.push((window, (kd * ah.window + kh) * aw.window + kw));
                            }
                        }
                    }
                    if multiplier == 1 {
                        sum_products(&pairs, gradient, filter, out);
                        continue;
                    }
                    for (c, o) in out.iter_mut().enumerate() {
                        let mut sum = <T::Wide>::zero();
                        for &(window, tap) in &pairs {
                            let dy = &gradient[window * filters + c * multiplier..][..multiplier];
                            let f = &filter[tap * filters + c * multiplier..][..multiplier];
                            dy.iter().zip(f).for_each(|(a, &b)| sum = sum.add(a.widen().mul(b)));
                        }
                        *o = T::narrow(sum);
                    }
                }
            });
        });
    }

    /// Adds the gradient of the filter by the windows `range` to `sums`.
    pub(crate) fn backward_filter<T: Operand>(
        &self,
        input: &[T],
        gradient: &[T],
        range: std::ops::Range<usize>,
        sums: &mut [T::Wide],
    ) {
        let (filters, multiplier) = (self.filters(), self.multiplier);
        let [ad, ah, aw] = *self.axes;
        let size = self.axes.map(|a| a.output);
        vectorized_for!(T, {
            for window in range {
                let (n, [d, h, w]) = split(window, size);
                let dy = &gradient[window * filters..][..filters];
                for kd in ad.taps(d) {
                    let at_d = n * ad.input + (ad.start(d) + (kd * ad.dilation) as isize) as usize;
                    for kh in ah.taps(h) {
                        let at_h = at_d * ah.input + (ah.start(h) + (kh * ah.dilation) as isize) as usize;
                        for kw in aw.taps(w) {
                            let at = at_h * aw.input + (aw.start(w) + (kw * aw.dilation) as isize) as usize;
                            let x = &input[at * self.channels..][..self.channels];
                            let tap = (kd * ah.window + kh) * aw.window + kw;
                            let sums = &mut sums[tap * filters..][..filters];
                            if multiplier == 1 {
                                let terms = x.iter().zip(dy);
                                sums.iter_mut().zip(terms).for_each(|(s, (x, y))| {
                                    *s = s.add(x.widen().mul(y.widen()));
                                });
                            } else {
                                let sums = sums.chunks_exact_mut(multiplier);
                                for ((x, dy), sums) in x.iter().zip(dy.chunks_exact(multiplier)).zip(sums) {
                                    let x = x.widen();
                                    sums.iter_mut().zip(dy).for_each(|(s, y)| *s = s.add(x.mul(y.widen())));
                                }
                            }
                        }
                    }
                }
            }
        });
    }
}

/// For every channel the sum over pairs of pixel and tap of their products.
#[inline(always)]
fn sum_products<T: Operand>(pairs: &[(usize, usize)], pixels: &[T], taps: &[T::Wide], out: &mut [T]) {
    let channels = out.len();
    let mut blocks = out.chunks_exact_mut(LANES);
    for (b, out) in blocks.by_ref().enumerate() {
        let mut sums = [<T::Wide>::zero(); LANES];
        for &(pixel, tap) in pairs {
            let x = &pixels[pixel * channels + b * LANES..][..LANES];
            let f = &taps[tap * channels + b * LANES..][..LANES];
            for i in 0..LANES {
                sums[i] = sums[i].add(x[i].widen().mul(f[i]));
            }
        }
        out.iter_mut().zip(sums).for_each(|(o, s)| *o = T::narrow(s));
    }
    let rest = blocks.into_remainder();
    let (start, n) = (channels - rest.len(), rest.len());
    let mut sums = [<T::Wide>::zero(); LANES];
    for &(pixel, tap) in pairs {
        let x = &pixels[pixel * channels + start..][..n];
        let f = &taps[tap * channels + start..][..n];
        sums.iter_mut().zip(x.iter().zip(f)).for_each(|(s, (x, &f))| *s = s.add(x.widen().mul(f)));
    }
    rest.iter_mut().zip(sums).for_each(|(o, s)| *o = T::narrow(s));
}
