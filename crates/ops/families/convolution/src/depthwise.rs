//! Depthwise convolutions: loops over channels instead of matrix products.
//!
//! The layout is channels-last. Filter `m` of channel `c` produces channel `c * multiplier + m` of the result. If there
//! are several filters per channel, filters, gradients and sums are split into planes: element `j * multiplier + m` is
//! element `j` of plane `m`.

use super::product::Operand;
use levada_gemm::columns::{Columns, Place};
use levada_gemm::tile::{Lanes, Panels};
use levada_gemm::{Finisher, windows};
use levada_kernel::Pool;
use levada_ops_core::images::window::Axis;
use levada_ops_core::number::Number;
use smallvec::SmallVec;
use std::ops::Range;

/// Maximum number of windows per block: what they read then stays in the lower-level caches for all their channels.
const LONGEST: usize = 64;

/// Maximum size of weights that are repeated for each window of a run, so that large filters do not take many times
/// their memory.
const MOST_REPEATED: usize = 1024;

/// Elements of lines with margins that a thread keeps: they stay in its second-level cache.
const MOST_KEPT: usize = 1 << 16;

/// Elements of weights that are repeated for the windows of a strip, so that they stay in the nearest cache.
const NEAR: usize = 1 << 12;

/// Number of rows of a strip that are worth copying lines.
const FEWEST_ROWS: usize = 4;

/// Elements after the last line with margins, which the vectors of the last windows may reach.
const SPARE: usize = 64;

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

/// How windows one element apart are computed: a strip of adjacent windows of several rows at a time, whose channels
/// are like those of one window, on copies of the lines with zeros around them.
#[derive(Clone, Copy)]
struct Strips {
    /// Windows of a strip: their channels fill whole vectors.
    windows: usize,
    /// Number of rows at a time.
    rows: usize,
    /// Elements of a line with its margins.
    width: usize,
    /// Lines under a window.
    tall: usize,
}

/// Lines of one image.
#[derive(Clone, Copy)]
struct Lines<'a> {
    images: &'a [f32],
    /// Distance between lines.
    line: usize,
    /// Number of the line that is the first under the windows; negative in the padding.
    at: isize,
    /// Number of lines.
    count: usize,
}

/// Divides adjacent rows into groups with heights that columns of windows may have. A group may begin within the one
/// before it.
fn heights(all: usize) -> impl Iterator<Item = Range<usize>> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let smaller = Columns::ROWS.into_iter().skip(1).chain([0]);
        let mut sizes = Columns::ROWS.into_iter().zip(smaller);
        let (rows, _) = sizes.find(|&(rows, smaller)| rows <= all && all - done > smaller)?;
        done = (done + rows).min(all);
        Some(done - rows..done)
    })
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

    /// Whether windows have no depth.
    fn is_flat(&self) -> bool {
        let ad = self.axes[0];
        ad.window == 1 && ad.before == 0 && ad.output == ad.input
    }

    /// Whether columns of windows have loops of their own.
    fn has_columns(&self) -> bool {
        let ah = self.axes[1];
        self.is_flat() && self.multiplier == 1 && ah.dilation == 1 && Columns::supports(ah.window, ah.stride)
    }

    /// Whether columns are computed on the images themselves: few channels leave lanes of their last vector idle, and
    /// are computed by strips.
    fn reads_columns<W: Lanes>(&self) -> bool {
        let lanes = Panels::of::<W>().lanes;
        self.has_columns() && (self.channels >= 2 * lanes || self.channels.is_multiple_of(lanes))
    }

    /// Computes adjacent rows of the results of one image by columns of windows. `lines` begins with line `at` of the
    /// image, which may be before the first one that exists; `places` says what lies in a line. The first row in `out`
    /// has number `first` among the rows of all images.
    fn columns<T: Operand>(
        &self,
        lines: Lines<'_>,
        (weights, each): (&[f32], usize),
        places: &[Place],
        (first, out): (usize, &mut [T]),
        (wide, finisher): (&mut Vec<T::Wide>, Option<&Finisher<'_>>),
    ) {
        let (channels, [_, ah, aw]) = (self.channels, *self.axes);
        let row = aw.output * channels;
        for rows in heights(out.len() / row) {
            let now = &mut out[rows.start * row..rows.end * row];
            let top = lines.at + (rows.start * ah.stride) as isize;
            let under = (rows.len() - 1) * ah.stride + ah.window;
            let start = top.min(0).unsigned_abs().min(under);
            let end = (lines.count as isize - top).clamp(start as isize, under as isize) as usize;
            // Windows may lie in the padding.
            let images = match start < end {
                true => &lines.images[(top + start as isize) as usize * lines.line..],
                false => &[],
            };
            T::fill_wide(now, wide, |out| {
                let Some(out) = Lanes::singles(out) else { return };
                Columns {
                    images,
                    line: lines.line,
                    inside: start..end,
                    tap: aw.dilation * channels,
                    weights,
                    each,
                    window: [ah.window, aw.window],
                    stride: ah.stride,
                    rows: rows.len(),
                    places,
                    row,
                    out,
                }
                .run();
            });
            if let Some(finisher) = finisher {
                T::finish(finisher, (first + rows.start) * aw.output, now);
            }
        }
    }

    /// Computes the convolution by columns of windows.
    fn forward_columns<T: Operand>(
        &self,
        pool: &Pool,
        (input, filter): (&[f32], &[f32]),
        out: &mut [T],
        finisher: Option<&Finisher<'_>>,
    ) {
        let (channels, [_, ah, aw]) = (self.channels, *self.axes);
        let (line, row) = (aw.input * channels, aw.output * channels);
        let place = |w: usize| {
            let taps = aw.taps(w);
            let image = aw.start(w) + (taps.start * aw.dilation) as isize;
            let image = if taps.is_empty() { 0 } else { image as usize * channels };
            Place { image, taps, out: w * channels, len: channels }
        };
        let places: Vec<Place> = (0..aw.output).map(place).collect();
        pool.for_chunks(out, row, self.nanos() * aw.output as f64, |first, mut rest| {
            let (mut wide, mut first) = (Vec::new(), first);
            while !rest.is_empty() {
                let (image, h) = (first / ah.output, first % ah.output);
                let rows = (ah.output - h).min(rest.len() / row);
                let (now, more) = std::mem::take(&mut rest).split_at_mut(rows * row);
                let images = &input[image * ah.input * line..][..ah.input * line];
                let lines = Lines { images, line, at: ah.start(h), count: ah.input };
                self.columns(lines, (filter, channels), &places, (first, now), (&mut wide, finisher));
                (rest, first) = (more, first + rows);
            }
        });
    }

    /// How it is computed by strips, if it can be.
    fn strips<W: Lanes>(&self) -> Option<Strips> {
        let [_, ah, aw] = *self.axes;
        let is_flat = self.is_flat();
        // More channels, or channels of pairs of vectors, take less time window by window, without copies.
        let lanes = Panels::of::<W>().lanes;
        let is_few = !self.channels.is_multiple_of(2 * lanes) && self.channels < 6 * lanes;
        if !is_flat || !is_few || aw.stride != 1 || self.multiplier != 1 {
            return None;
        }
        let reach = |axis: Axis| axis.window.checked_sub(1)?.checked_mul(axis.dilation)?.checked_add(1);
        let (tall, wide) = (reach(ah)?, reach(aw)?);
        // Windows may end before the margin does.
        let width = (aw.output + wide - 1).max(aw.before.checked_add(aw.input)?).checked_mul(self.channels)?;
        let most_lines = MOST_KEPT.checked_div(width)?;
        let rows = (most_lines.checked_sub(tall)? / ah.stride + 1).min(ah.output);
        // The fewest windows whose channels fill whole vectors.
        let fewest = (1..lanes).find(|n| (n * self.channels).is_multiple_of(lanes)).unwrap_or(lanes);
        let near = NEAR / (ah.window * aw.window).max(1) / (fewest * self.channels);
        // Rows share the weights that are loaded for them.
        (rows >= FEWEST_ROWS.min(ah.output)).then_some(Strips {
            windows: (fewest * near.max(1)).min(aw.output),
            rows,
            width,
            tall,
        })
    }

    /// True if [`Depthwise::forward`] computes it well for few channels, too.
    pub(crate) fn has_strips<W: Lanes>(&self) -> bool {
        self.strips::<W>().is_some()
    }

    /// Computes the convolution by strips.
    fn forward_strips<T: Operand>(
        &self,
        pool: &Pool,
        input: &[T::Wide],
        filter: &[T::Wide],
        strips: Strips,
        out: &mut [T],
        finisher: Option<&Finisher<'_>>,
    ) {
        let (channels, [_, ah, aw], lanes) = (self.channels, *self.axes, Panels::of::<T::Wide>().lanes);
        let Strips { windows: most, rows: most_rows, width, tall } = strips;
        let (line, row) = (aw.input * channels, aw.output * channels);
        let weights: Vec<T::Wide> = filter.chunks_exact(channels).flat_map(|weights| weights.repeat(most)).collect();
        let tap = |kh: usize, kw: usize| {
            let pixel = kh * ah.dilation * width + kw * aw.dilation * channels;
            (pixel, (kh * aw.window + kw) * most * channels)
        };
        let taps: Taps = (0..ah.window).flat_map(|kh| (0..aw.window).map(move |kw| tap(kh, kw))).collect();
        let strip = |w: usize| (w * channels, most.min(aw.output - w) * channels);
        let strips = (0..aw.output).step_by(most).map(strip);
        let place = |(start, len)| Place { image: start, taps: 0..aw.window, out: start, len };
        let places: Vec<Place> = strips.clone().map(place).collect();
        let columns = T::Wide::as_singles(&weights).filter(|_| self.has_columns() && most * channels >= lanes);
        pool.for_chunks(out, row, self.nanos() * aw.output as f64, |first, mut rest| {
            let mut wide = Vec::new();
            let mut lines = vec![<T::Wide as Number>::zero(); ((most_rows - 1) * ah.stride + tall) * width + SPARE];
            let mut at = first;
            while !rest.is_empty() {
                let (image, h) = (at / ah.output, at % ah.output);
                let rows = most_rows.min(ah.output - h).min(rest.len() / row);
                let (now, more) = std::mem::take(&mut rest).split_at_mut(rows * row);
                let count = (rows - 1) * ah.stride + tall;
                for (y, to) in (ah.start(h)..).zip(lines.chunks_exact_mut(width).take(count)) {
                    let to = &mut to[aw.before * channels..][..line];
                    match usize::try_from(y).ok().filter(|&y| y < ah.input) {
                        Some(y) => to.copy_from_slice(&input[(image * ah.input + y) * line..][..line]),
                        None => to.fill(T::Wide::zero()),
                    }
                }
                if let (Some(weights), Some(images)) = (columns, T::Wide::as_singles(&lines)) {
                    let lines = Lines { images, line: width, at: 0, count };
                    self.columns(lines, (weights, most * channels), &places, (at, now), (&mut wide, finisher));
                    (rest, at) = (more, at + rows);
                    continue;
                }
                T::fill_wide(now, &mut wide, |out| {
                    for (start, len) in strips.clone() {
                        let out = &mut out[start..(rows - 1) * row + start + len];
                        let (images, step) = (&lines[start..], ah.stride * width);
                        let (taps, weights) = (&taps[..], &weights[..]);
                        windows::Channels { images, step, taps, weights, channels: len, row, out }.run();
                    }
                });
                if let Some(finisher) = finisher {
                    T::finish(finisher, at * aw.output, now);
                }
                at += rows;
                rest = more;
            }
        });
    }

    /// The convolution with one filter per channel.
    fn single(&self) -> Depthwise<'_> {
        Depthwise { multiplier: 1, ..*self }
    }

    /// Whether planes are computed well as convolutions of their own.
    pub(crate) fn has_single_planes<W: Lanes>(&self) -> bool {
        self.multiplier > 1 && (self.single().reads_columns::<W>() || self.single().has_strips::<W>())
    }

    /// Computes the convolution plane by plane; `planes` has room for all of them.
    fn forward_planes<T: Operand>(
        &self,
        pool: &Pool,
        (input, filter): (&[T], &[T::Wide]),
        planes: &mut [T],
        out: &mut [T],
        finisher: Option<&Finisher<'_>>,
    ) {
        let (channels, filters) = (self.channels, self.filters());
        for (m, made) in planes.chunks_exact_mut(out.len() / self.multiplier).enumerate() {
            let weights: Vec<T::Wide> = plane(filter, self.multiplier, m).copied().collect();
            self.single().forward(pool, input, &weights, made, None);
        }
        let planes: Vec<&[T]> = planes.chunks_exact(out.len() / self.multiplier).collect();
        pool.for_chunks(out, filters, filters as f64 * 0.5, |first, piece| {
            match planes[..] {
                [a, b] => {
                    let both = a[first * channels..].iter().zip(&b[first * channels..]);
                    for (out, (&a, &b)) in piece.as_chunks_mut::<2>().0.iter_mut().zip(both) {
                        *out = [a, b];
                    }
                }
                _ => {
                    for (m, made) in planes.iter().enumerate() {
                        plane_mut(piece, self.multiplier, m)
                            .zip(&made[first * channels..])
                            .for_each(|(o, &sum)| *o = sum);
                    }
                }
            }
            if let Some(finisher) = finisher {
                T::finish(finisher, first, piece);
            }
        });
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
        let given = input;
        let input = T::wide(input, &mut buffer);
        if self.reads_columns::<T::Wide>()
            && let (Some(input), Some(filter)) = (T::Wide::as_singles(input), T::Wide::as_singles(filter))
        {
            return self.forward_columns(pool, (input, filter), out, finisher);
        }
        // The zeros around images are not multiplied with weights that would make NaNs of them.
        let is_finite = || filter.iter().all(|&weight| weight.sub(weight).is_zero());
        if let Some(strips) = self.strips::<T::Wide>().filter(|_| is_finite()) {
            return self.forward_strips(pool, input, filter, strips, out, finisher);
        }
        // What is rounded is finished before.
        let is_wide = size_of::<T>() == size_of::<T::Wide>();
        let mut made = Vec::new();
        if self.has_single_planes::<T::Wide>()
            && (is_wide || finisher.is_none())
            && is_finite()
            && made.try_reserve_exact(out.len()).is_ok()
        {
            made.resize(out.len(), T::zero());
            return self.forward_planes(pool, (given, filter), &mut made, out, finisher);
        }
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

    /// The axes of the convolution of the gradient with the filter turned around, which is the gradient of the input
    /// if windows are one element apart.
    fn turned(&self) -> Option<[Axis; 3]> {
        let turn = |axis: &Axis| {
            let before = (axis.window.checked_sub(1)? * axis.dilation).checked_sub(axis.before)?;
            (axis.stride == 1).then_some(Axis { input: axis.output, output: axis.input, before, ..*axis })
        };
        let [ad, ah, aw] = self.axes;
        Some([turn(ad)?, turn(ah)?, turn(aw)?])
    }

    /// Computes the gradient of the input.
    pub(crate) fn backward_input<T: Operand>(&self, pool: &Pool, gradient: &[T], filter: &[T::Wide], out: &mut [T]) {
        let mut buffer = Vec::new();
        let gradient = T::wide(gradient, &mut buffer);
        let [ad, ah, aw] = *self.axes;
        if let Some(axes) = self.turned()
            && let (Some(gradient), Some(filter)) = (T::Wide::as_singles(gradient), T::Wide::as_singles(filter))
        {
            let turned = Depthwise { axes: &axes, ..*self };
            if turned.reads_columns::<T::Wide>() {
                let filter: Vec<f32> = filter.chunks_exact(self.channels).rev().flatten().copied().collect();
                return turned.forward_columns(pool, (gradient, &filter), out, None);
            }
        }
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
