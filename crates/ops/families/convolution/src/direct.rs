//! In-place convolution: pads the images once, packs the weights by panels of channels, and reads windows directly from
//! the images with [`levada_gemm::tile`].

use super::gather::{Images, Taps, Weights, Windows};
use super::product::Operand;
use crate::prelude::*;
use levada_gemm::tile::{Aligned, Lanes, Line, Panels, Piece, Sums, pieces};
use levada_gemm::{Finisher, windows};
use levada_ops_core::constant::Cache;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// Number of windows computed before moving on to the next weights.
const WINDOWS: usize = 240;
/// Number of windows summed over before moving on to the next element, so that their values stay in the cache.
pub(crate) const SUMMED: usize = 64;
/// Approximate number of windows in a tile of the innermost loop.
const TILE: usize = 6;
/// Passing over the weights for a class of windows costs as much as this many additional windows.
const PASS: usize = 4;
/// Results with fewer windows per thread than this are divided among threads by channel, so that each thread reads only
/// its part of the weights.
const FEW_WINDOWS: usize = 192;
/// Results of at most this many channels are computed as sums over vectors of elements.
pub(crate) const FEW: usize = 4;
/// Number of windows computed in the wide type before they are narrowed.
const NARROWED: usize = 8192;
/// Maximum number of window classes in a series.
const MOST_CLASSES: f64 = 4096.0;

/// Layout of images padded such that all windows lie inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padded {
    /// Padding before each axis.
    before: [usize; 3],
    /// Padded sizes, as far as windows reach.
    size: [usize; 3],
}

impl Padded {
    /// Returns the padding for these series over images of `channels` channels; `None` if it would be out of
    /// proportion.
    pub(crate) fn new<'a>(
        input: [usize; 3],
        channels: usize,
        batch: usize,
        series: impl Iterator<Item = &'a Windows> + Clone,
    ) -> Option<Padded> {
        let (mut before, mut size) = ([0; 3], [1; 3]);
        for axis in 0..3 {
            let (mut low, mut high) = (0, 0);
            for windows in series.clone() {
                let taps = &windows.taps[axis];
                let n = taps.count(windows.size[axis]);
                if let (Some(first), Some(last), 1..) = (taps.taps.first(), taps.taps.last(), n) {
                    low = low.min(first.1);
                    high = high.max(last.1 + ((n - 1) * taps.step) as isize);
                }
            }
            before[axis] = low.unsigned_abs();
            size[axis] = (high - low) as usize + 1;
        }
        if before == [0; 3] && size.iter().zip(input).all(|(&s, i)| s <= i) {
            // Strides may leave rows at the end unused, which is harmless.
            size = input;
        }
        let elements = |size: &[usize]| size.iter().try_fold(batch * channels, |n, &s| n.checked_mul(s));
        let fits = elements(&size)? <= elements(&input)?.saturating_mul(4).saturating_add(1 << 16);
        fits.then_some(Padded { before, size })
    }

    /// No padding: images of size `input` as they are, with windows reaching outside.
    pub(crate) fn none(input: [usize; 3]) -> Padded {
        Padded { before: [0; 3], size: input }
    }

    /// Whether the images need no padding.
    fn is_plain(&self, input: [usize; 3]) -> bool {
        self.before == [0; 3] && self.size == input
    }

    /// Returns the padded images in the wide type. `buffer` holds the copy if one is needed.
    pub(crate) fn pad<'a, T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        images: Images<'a, T>,
        buffer: &'a mut Option<Tensor>,
    ) -> Result<&'a [T::Wide]> {
        if self.is_plain(images.size)
            && let Some(wide) = T::as_wide(images.data)
        {
            return Ok(wide);
        }
        let image: usize = images.size.iter().product::<usize>() * images.channels;
        let batch = images.data.len() / image;
        let [depth, height, width] = self.size;
        let line = width * images.channels;
        let shape = Shape::new([batch, depth, height, line])?;
        let padded = buffer.insert(cx.alloc(<T::Wide as Element>::DTYPE, &shape)?);
        let [from_d, from_h, from_w] = images.size;
        let start = self.before[2] * images.channels;
        let count = from_w.min(width.saturating_sub(self.before[2])) * images.channels;
        cx.pool().for_chunks(padded.slice_mut::<T::Wide>()?, line, line as f64 * 0.3, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (rest, h) = ((first + i) / height, (first + i) % height);
                let (n, d) = (rest / depth, rest % depth);
                let inside =
                    |at: usize, axis: usize, size: usize| at.checked_sub(self.before[axis]).filter(|&a| a < size);
                let (Some(d), Some(h)) = (inside(d, 0, from_d), inside(h, 1, from_h)) else {
                    out.fill(<T::Wide>::zero());
                    continue;
                };
                let from = &images.data[((n * from_d + d) * from_h + h) * from_w * images.channels..][..count];
                out[..start.min(line)].fill(<T::Wide>::zero());
                T::widen_all(from, &mut out[start.min(line)..]);
                out[(start + count).min(line)..].fill(<T::Wide>::zero());
            }
        });
        padded.slice()
    }

    /// Returns the runs of windows of a series along an axis.
    fn runs(&self, windows: &Windows, axis: usize) -> Vec<Run> {
        let taps = &windows.taps[axis];
        let (count, size) = (taps.count(windows.size[axis]), self.size[axis] as isize);
        let place = |tap: isize, i: usize| tap + (self.before[axis] + i * taps.step) as isize;
        // The first window whose tap lies at `at` or after it.
        let reaches = |tap: isize, at: isize| {
            let short = usize::try_from(at - place(tap, 0)).unwrap_or(0);
            short.div_ceil(taps.step.max(1)).min(count)
        };
        let mut cuts: SmallVec<[usize; 16]> = SmallVec::from_slice(&[0, count]);
        cuts.extend(taps.taps.iter().flat_map(|&(_, tap)| [reaches(tap, 0), reaches(tap, size)]));
        cuts.sort_unstable();
        cuts.dedup();
        let mut runs: Vec<Run> = Vec::new();
        for windows in cuts.windows(2).map(|pair| pair[0]..pair[1]) {
            let first = taps.taps.partition_point(|t| place(t.1, windows.start) < 0);
            let end = taps.taps.partition_point(|t| place(t.1, windows.start) < size).max(first);
            match runs.last_mut() {
                Some(last) if last.taps == (first..end) => last.windows.end = windows.end,
                _ => runs.push(Run { windows, taps: first..end }),
            }
        }
        runs
    }

    /// Estimates the cost of the windows of a series divided among `parts` threads, as a number of products, counting
    /// those wasted in partial tiles. Infinite if the number of classes would be out of proportion.
    pub(crate) fn cost(&self, windows: &Windows, batch: usize, parts: usize) -> f64 {
        let runs = [0, 1, 2].map(|axis| self.runs(windows, axis));
        if runs.iter().map(|runs| runs.len() as f64).product::<f64>() > MOST_CLASSES {
            return f64::INFINITY;
        }
        let mut cost = 0.0;
        for d in &runs[0] {
            for h in &runs[1] {
                for w in &runs[2] {
                    let of = |f: fn(&Run) -> usize| (f(d) * f(h) * f(w)) as f64;
                    let (windows, taps) = (of(|r| r.windows.len()) * batch as f64, of(|r| r.taps.len()));
                    let tiles = (windows / (parts * TILE) as f64).ceil() * parts as f64;
                    cost += (tiles * TILE as f64 + (parts * PASS) as f64) * taps;
                }
            }
        }
        cost
    }

    /// Returns the classes of a series over images of `channels` channels, of which `each` take part.
    fn classes(&self, windows: &Windows, channels: usize, each: usize) -> Vec<Class> {
        let [ds, hs, ws] = [0, 1, 2].map(|axis| self.runs(windows, axis));
        let mut classes = Vec::with_capacity(ds.len() * hs.len() * ws.len());
        for d in &ds {
            for h in &hs {
                for w in &ws {
                    let runs = [d.clone(), h.clone(), w.clone()];
                    let lines = self.lines(windows, &runs, channels, each);
                    classes.push(Class { pieces: pieces(&lines), lines, runs });
                }
            }
        }
        classes
    }

    /// Returns the lines of elements of the windows of these runs.
    fn lines(&self, windows: &Windows, runs: &[Run; 3], channels: usize, each: usize) -> Vec<Line> {
        let [td, th, tw] = &windows.taps;
        let [d, h, w] = runs.each_ref().map(|run| run.taps.clone());
        let from = |taps: &Taps, run: &Range<usize>, i: usize| (taps.taps[i].1 - taps.taps[run.start].1) as usize;
        let mut lines: Vec<Line> = Vec::new();
        for i in d.clone() {
            for j in h.clone() {
                for k in w.clone() {
                    let pixel = (from(td, &d, i) * self.size[1] + from(th, &h, j)) * self.size[2] + from(tw, &w, k);
                    let offset = pixel * channels;
                    let number = ((i * th.taps.len() + j) * tw.taps.len() + k) * each;
                    match lines.last_mut() {
                        // Adjacent taps form one longer line.
                        Some(last) if last.offset + last.len == offset && last.number + last.len == number => {
                            last.len += each;
                        }
                        _ => lines.push(Line { offset, number, len: each }),
                    }
                }
            }
        }
        lines
    }

    /// Whether tiles of `rows` windows of one class each, computed by `parts` threads independently, are mostly full.
    pub(crate) fn fills_tiles(&self, windows: &Windows, batch: usize, parts: usize, rows: usize) -> bool {
        let runs = [0, 1, 2].map(|axis| self.runs(windows, axis));
        let (mut needed, mut spent) = (0.0, 0.0);
        for d in &runs[0] {
            for h in &runs[1] {
                for w in &runs[2] {
                    let of = |f: fn(&Run) -> usize| (f(d) * f(h) * f(w)) as f64;
                    let (windows, taps) = (of(|r| r.windows.len()) * batch as f64, of(|r| r.taps.len()));
                    let tiles = (windows / (parts * rows) as f64).ceil() * parts as f64;
                    needed += windows * taps;
                    spent += tiles * rows as f64 * taps;
                }
            }
        }
        spent <= 1.3 * needed
    }

    /// Calls `f` with at most `most` windows of a class within `range` at a time: their offsets in the images, and
    /// their indices relative to the start of `range`.
    fn blocks(
        &self,
        windows: &Windows,
        class: &Class,
        channels: usize,
        range: Range<usize>,
        most: usize,
        mut f: impl FnMut(&[usize], &[usize]),
    ) {
        let [depth, height, width] = windows.size;
        let [rd, rh, rw] = &class.runs;
        let number = |axis: usize, i: usize| windows.taps[axis].first + i * windows.taps[axis].every;
        // Position along an axis of the first tap of window `i` that lies inside; arbitrary if there is none.
        let place = |axis: usize, i: usize| {
            let (taps, run) = (&windows.taps[axis], &class.runs[axis]);
            let first = taps.taps.get(run.taps.start).filter(|_| !run.taps.is_empty());
            first.map_or(0, |t| (t.1 + (self.before[axis] + i * taps.step) as isize) as usize)
        };
        let (mut starts, mut numbers) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let image = (depth * height * width).max(1);
        for n in range.start / image..range.end.div_ceil(image) {
            for d in rd.windows.clone() {
                for h in rh.windows.clone() {
                    let line = ((n * depth + number(0, d)) * height + number(1, h)) * width;
                    if line >= range.end || line + width <= range.start {
                        continue;
                    }
                    let row = ((n * self.size[0] + place(0, d)) * self.size[1] + place(1, h)) * self.size[2];
                    for w in rw.windows.clone() {
                        let window = line + number(2, w);
                        if !range.contains(&window) {
                            continue;
                        }
                        starts.push((row + place(2, w)) * channels);
                        numbers.push(window - range.start);
                        if starts.len() == most {
                            f(&starts, &numbers);
                            starts.clear();
                            numbers.clear();
                        }
                    }
                }
            }
        }
        if !starts.is_empty() {
            f(&starts, &numbers);
        }
    }
}

/// Adjacent windows along an axis that have the same taps inside the images.
#[derive(Clone, Debug)]
struct Run {
    windows: Range<usize>,
    taps: Range<usize>,
}

/// Windows with the same elements inside the images.
#[derive(Clone, Debug)]
struct Class {
    runs: [Run; 3],
    lines: Vec<Line>,
    pieces: Vec<Piece>,
}

/// Packs the weights of a series for [`Sums`]: by group, panel, element.
fn pack<T: Lanes>(
    cx: &Cx<'_, '_>,
    panels: Panels,
    depth: usize,
    weights: Weights<'_, T>,
    groups: usize,
    each_out: usize,
) -> Aligned<T> {
    let mut packed = Aligned::zeros(groups * depth * panels.width(each_out));
    // One piece for each panel: they are contiguous.
    let (mut rest, mut pieces) = (packed.slice_mut(), Vec::new());
    for group in 0..groups {
        let mut first = 0;
        for vectors in panels.split(each_out) {
            let width = vectors * panels.lanes;
            let (piece, more) = rest.split_at_mut(depth * width);
            pieces.push((group * weights.group + first, width.min(each_out - first), width, piece));
            (rest, first) = (more, first + width);
        }
    }
    let nanos = (depth * panels.lanes * panels.most) as f64 * 0.2;
    cx.pool().for_chunks(&mut pieces, 1, nanos, |_, pieces| {
        for (from, some, width, piece) in pieces {
            for (k, row) in piece.chunks_exact_mut(*width).enumerate() {
                row[..*some].copy_from_slice(&weights.data[*from + k * weights.row..][..*some]);
            }
        }
    });
    packed
}

/// Packs the weights of a series for [`windows::Dots`]: by group, channel, element.
fn pack_few<T: Lanes>(depth: usize, weights: Weights<'_, T>, groups: usize, each_out: usize) -> Aligned<T> {
    let mut packed = Aligned::zeros(groups * depth * each_out);
    for (i, row) in packed.slice_mut().chunks_exact_mut(depth.max(1)).enumerate() {
        let from = &weights.data[i / each_out * weights.group + i % each_out..];
        row.iter_mut().zip(from.iter().step_by(weights.row)).for_each(|(o, &w)| *o = w);
    }
    packed
}

/// Whether a result has so few channels that it is computed as sums over vectors of elements.
pub(crate) fn is_few<T: Operand>(each_in: usize, each_out: usize) -> bool {
    each_out <= FEW && each_in >= Panels::of::<T::Wide>().lanes
}

/// Whether threads divide the channels of a convolution rather than its windows.
pub(crate) fn by_channels<T: Operand>(
    threads: usize,
    windows: usize,
    (each_in, each_out): (usize, usize),
    groups: usize,
) -> bool {
    let panels = Panels::of::<T::Wide>().split(each_out).count() * groups;
    threads > 1 && windows < FEW_WINDOWS * threads && panels >= threads && !is_few::<T>(each_in, each_out)
}

/// A series of windows, ready for summation.
struct Prepared<'a, W> {
    windows: &'a Windows,
    classes: Vec<Class>,
    weights: Arc<Aligned<W>>,
    depth: usize,
}

/// A convolution with padded images and packed weights.
struct Packing<'a, T: Operand> {
    padded: Padded,
    images: &'a [T::Wide],
    series: Vec<Prepared<'a, T::Wide>>,
    panels: Panels,
    groups: usize,
    in_channels: usize,
    channels: usize,
    /// Whether a single series covers every window.
    every: bool,
    finisher: Option<&'a Finisher<'a>>,
}

/// Channels of a result computed by one thread.
struct Strip<'a, W> {
    group: usize,
    /// The first channel, counted within the group.
    first: usize,
    width: usize,
    /// A row for each window.
    out: &'a mut [W],
}

/// Options of a convolution.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options<'a> {
    /// Caches the packed weights of a constant filter; there is only one series then.
    pub cache: Option<(&'a Cache, &'a Tensor)>,
    /// The epilogue after the sums, for `f32`.
    pub finisher: Option<&'a Finisher<'a>>,
}

/// Applies the finisher to the windows with these indices, which are in ascending order; `out` begins with window
/// `first`.
fn finish<T: Lanes>(finisher: &Finisher<'_>, first: usize, numbers: &[usize], channels: usize, out: &mut [T]) {
    let Some(out) = T::singles(out) else { return };
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        finisher.rows(first + run[0], &mut out[run[0] * channels..][..run.len() * channels]);
    }
}

impl<T: Operand> Packing<'_, T> {
    /// Computes the sums of the windows `range`.
    fn windows(&self, range: Range<usize>, out: &mut [T::Wide]) {
        let (each_in, each_out) = (self.in_channels / self.groups, self.channels / self.groups);
        let few = is_few::<T>(each_in, each_out);
        let mut places = Vec::with_capacity(WINDOWS);
        if !self.every {
            out.fill(<T::Wide>::zero());
        }
        for Prepared { windows, classes, weights, depth } in &self.series {
            let (weights, depth, panels) = (weights.slice(), *depth, self.panels);
            for class in classes {
                // If a tile's sums are complete, they can be finished in registers.
                let is_whole = self.every && !few && class.pieces.len() == 1;
                let ending = self.finisher.filter(|_| is_whole).and_then(Finisher::ending);
                let ending = ending.and_then(<T::Wide as Lanes>::ending);
                self.padded.blocks(windows, class, self.in_channels, range.clone(), WINDOWS, |starts, numbers| {
                    for group in 0..self.groups {
                        places.clear();
                        places.extend(numbers.iter().map(|n| n * self.channels + group * each_out));
                        let size = weights.len() / self.groups;
                        let weights = &weights[group * size..][..size];
                        let (images, places, channels) = (&self.images[group * each_in..], &places[..], each_out);
                        if few {
                            let lines = &class.lines[..];
                            windows::Dots { images, starts, lines, weights, depth, channels, out, places }.run();
                            continue;
                        }
                        let pieces = &class.pieces[..];
                        Sums {
                            from: images,
                            starts,
                            pieces,
                            weights,
                            depth,
                            panels,
                            columns: channels,
                            out: (&mut *out).into(),
                            places,
                            add: false,
                            ahead: None,
                            ending: ending.map(|ending| ending.of(group * each_out..(group + 1) * each_out)),
                        }
                        .run();
                    }
                    if let Some(finisher) = self.finisher.filter(|_| self.every && ending.is_none()) {
                        finish(finisher, range.start, numbers, self.channels, out);
                    }
                });
            }
        }
        if let (Some(finisher), false, Some(out)) = (self.finisher, self.every, <T::Wide as Lanes>::singles(out)) {
            finisher.rows(range.start, out);
        }
    }

    /// Computes the sums of the windows in `range` for some channels.
    fn strip(&self, range: Range<usize>, strip: &mut Strip<'_, T::Wide>) {
        let (each_in, each_out) = (self.in_channels / self.groups, self.channels / self.groups);
        let (out, channels) = (&mut *strip.out, strip.width);
        let mut places = Vec::with_capacity(WINDOWS);
        if !self.every {
            out.fill(<T::Wide>::zero());
        }
        for Prepared { windows, classes, weights, depth } in &self.series {
            let (depth, panels) = (*depth, self.panels);
            let start = (strip.group * panels.width(each_out) + strip.first) * depth;
            let weights = &weights.slice()[start..][..panels.width(channels) * depth];
            for class in classes {
                self.padded.blocks(windows, class, self.in_channels, range.clone(), WINDOWS, |starts, numbers| {
                    places.clear();
                    places.extend(numbers.iter().map(|n| n * channels));
                    let (images, places) = (&self.images[strip.group * each_in..], &places[..]);
                    let pieces = &class.pieces[..];
                    Sums {
                        from: images,
                        starts,
                        pieces,
                        weights,
                        depth,
                        panels,
                        columns: channels,
                        out: (&mut *out).into(),
                        places,
                        add: false,
                        ahead: None,
                        ending: None,
                    }
                    .run();
                });
            }
        }
    }

    /// Computes the sums of all windows with threads dividing the channels, via an intermediate strip for each panel.
    fn by_channels(&self, cx: &Cx<'_, '_>, windows: usize, nanos: f64, out: &mut [T]) -> Result<()> {
        let each_out = self.channels / self.groups;
        let mut sums = cx.alloc(<T::Wide as Element>::DTYPE, &Shape::new([out.len()])?)?;
        let (mut rest, mut strips) = (sums.slice_mut::<T::Wide>()?, Vec::new());
        for group in 0..self.groups {
            let mut first = 0;
            for vectors in self.panels.split(each_out) {
                let width = (vectors * self.panels.lanes).min(each_out - first);
                let (out, more) = rest.split_at_mut(windows * width);
                strips.push(Strip { group, first, width, out });
                (rest, first) = (more, first + width);
            }
        }
        let each = nanos * windows as f64 / strips.len() as f64;
        cx.pool().for_chunks(&mut strips, 1, each, |_, strips| {
            strips.iter_mut().for_each(|strip| self.strip(0..windows, strip));
        });
        cx.pool().for_chunks(out, self.channels, self.channels as f64 * 0.3, |first, piece| {
            for (i, row) in piece.chunks_exact_mut(self.channels).enumerate() {
                for Strip { group, first: channel, width, out } in &strips {
                    let from = &out[(first + i) * width..][..*width];
                    let to = &mut row[group * each_out + channel..][..*width];
                    T::narrow_all(from, to);
                }
            }
            if let Some(finisher) = self.finisher {
                T::finish(finisher, first, piece);
            }
        });
        Ok(())
    }
}

/// Like [`super::gather::convolve`], reading windows in place.
pub(crate) fn convolve<T: Operand>(
    cx: &Cx<'_, '_>,
    padded: Padded,
    images: Images<'_, T>,
    series: &[(Windows, Weights<'_, T::Wide>)],
    groups: usize,
    Options { cache, finisher }: Options<'_>,
    (out, channels): (&mut [T], usize),
) -> Result<()> {
    let mut buffer = None;
    let data = padded.pad(cx, images, &mut buffer)?;
    let (each_in, each_out) = (images.channels / groups, channels / groups);
    let panels = Panels::of_columns::<T::Wide>(each_out);
    let few = is_few::<T>(each_in, each_out);
    let mut prepared = Vec::with_capacity(series.len());
    for (windows, weights) in series {
        let depth = windows.num_taps() * each_in;
        let pack = || match few {
            true => pack_few(depth, *weights, groups, each_out),
            false => pack(cx, panels, depth, *weights, groups, each_out),
        };
        let weights = match cache {
            Some((cache, filter)) => cache.get(filter, groups, || Ok(pack()))?,
            None => Arc::new(pack()),
        };
        let classes = padded.classes(windows, images.channels, each_in);
        prepared.push(Prepared { windows, classes, weights, depth });
    }
    let taps: usize = series.iter().map(|(windows, _)| windows.num_taps()).sum();
    let nanos = (taps / series.len().max(1)) as f64 * each_in as f64 * channels as f64 / 50.0 + 1.0;
    // Windows that no series covers are zero.
    let every = matches!(series, [(windows, _)] if windows.is_dense() && windows.num_taps() > 0);
    let in_channels = images.channels;
    let series = prepared;
    let packing = Packing::<T> { padded, images: data, series, panels, groups, in_channels, channels, every, finisher };
    let windows = out.len() / channels;
    if by_channels::<T>(cx.pool().shares(), windows, (each_in, each_out), groups) {
        return packing.by_channels(cx, windows, nanos, out);
    }
    cx.pool().for_chunks(out, channels, nanos, |first, piece| {
        let mut wide = Vec::new();
        for (i, piece) in piece.chunks_mut(NARROWED * channels).enumerate() {
            let first = first + i * NARROWED;
            let range = first..first + piece.len() / channels;
            T::fill_wide(piece, &mut wide, |out| packing.windows(range, out));
        }
    });
    Ok(())
}

/// Like [`super::gather::correlate`], for images that are worth padding or have enough windows of every class.
pub(crate) struct Correlation<'a, T: Operand> {
    padded: Padded,
    data: &'a [T::Wide],
    windows: &'a Windows,
    classes: Vec<Class>,
    in_channels: usize,
    groups: usize,
    channels: usize,
    other: &'a [T],
}

impl<'a, T: Operand> Correlation<'a, T> {
    /// Pads the images. `other` has `channels` values for each window.
    pub(crate) fn new(
        cx: &Cx<'_, '_>,
        padded: Padded,
        images: Images<'a, T>,
        windows: &'a Windows,
        groups: usize,
        (other, channels): (&'a [T], usize),
        buffer: &'a mut Option<Tensor>,
    ) -> Result<Correlation<'a, T>> {
        let data = padded.pad(cx, images, buffer)?;
        let classes = padded.classes(windows, images.channels, images.channels / groups);
        let in_channels = images.channels;
        Ok(Correlation { padded, data, windows, classes, in_channels, groups, channels, other })
    }

    /// Adds the sums over the windows `range` to `out`, which holds the rows `rows`, one per tap and input channel.
    pub(crate) fn add(&self, range: Range<usize>, rows: Range<usize>, out: &mut [T::Wide]) {
        let (each_in, each_out) = (self.in_channels / self.groups, self.channels / self.groups);
        let panels = Panels::of_columns::<T::Wide>(each_out);
        let mut packed = Aligned::zeros(SUMMED * panels.width(each_out));
        for class in &self.classes {
            let elements = class.lines.iter().flat_map(|l| (l.offset..l.offset + l.len).zip(l.number..));
            let elements = elements.filter(|(_, number)| rows.contains(number));
            let place = |(offset, number)| (offset, (number - rows.start) * self.channels);
            let (offsets, rows): (Vec<usize>, Vec<usize>) = elements.map(place).unzip();
            self.padded.blocks(self.windows, class, self.in_channels, range.clone(), SUMMED, |starts, numbers| {
                for group in 0..self.groups {
                    let mut at = group * each_out;
                    let end = at + each_out;
                    let mut rest = packed.slice_mut();
                    for vectors in panels.split(each_out) {
                        let width = vectors * panels.lanes;
                        let some = width.min(end - at);
                        let (panel, after) = rest.split_at_mut(numbers.len() * width);
                        for (to, number) in panel.chunks_exact_mut(width).zip(numbers) {
                            let row = &self.other[(range.start + number) * self.channels + at..][..some];
                            to.iter_mut().zip(row).for_each(|(t, v)| *t = v.widen());
                        }
                        (rest, at) = (after, at + some);
                    }
                    windows::Elements {
                        images: &self.data[group * each_in..],
                        starts,
                        offsets: &offsets,
                        rows: &rows,
                        other: packed.slice(),
                        panels,
                        channels: each_out,
                        out: &mut out[group * each_out..],
                    }
                    .run();
                }
            });
        }
    }
}
