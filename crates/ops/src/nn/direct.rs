//! Convolution in place: pads the images once, packs the weights by panels of channels, and lets [`super::tile`] read
//! windows where they lie.

use super::gather::{Images, Taps, Weights, Windows};
use super::product::Operand;
use super::tile::{self, Lanes, Line, Panels};
use crate::prelude::*;
use parking_lot::Mutex;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// Windows whose sums are computed before the weights change.
const WINDOWS: usize = 192;
/// Elements of a window whose weights stay in the cache meanwhile.
const DEPTH: usize = 512;
/// Windows that are computed in the wide type before they are narrowed.
const NARROWED: usize = 8192;

/// The windows of a series along an axis.
fn count(size: usize, taps: &Taps) -> usize {
    if taps.first >= size { 0 } else { (size - 1 - taps.first) / taps.every + 1 }
}

/// Where windows lie in images that are padded so that all of them are inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padded {
    /// Padding before each axis.
    before: [usize; 3],
    /// Sizes with padding, as far as windows reach.
    size: [usize; 3],
}

impl Padded {
    /// For these series over images of `channels` channels; `None` where padding would be out of proportion.
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
                let n = count(windows.size[axis], taps);
                if let (Some(first), Some(last), 1..) = (taps.taps.first(), taps.taps.last(), n) {
                    low = low.min(first.1);
                    high = high.max(last.1 + ((n - 1) * taps.step) as isize);
                }
            }
            before[axis] = low.unsigned_abs();
            size[axis] = (high - low) as usize + 1;
        }
        if before == [0; 3] && size.iter().zip(input).all(|(&s, i)| s <= i) {
            // Strides may leave rows out at the end, which do no harm.
            size = input;
        }
        let elements = |size: &[usize]| size.iter().try_fold(batch * channels, |n, &s| n.checked_mul(s));
        let fits = elements(&size)? <= elements(&input)?.saturating_mul(4).saturating_add(1 << 16);
        fits.then_some(Padded { before, size })
    }

    /// True where the images need no padding.
    fn is_plain(&self, input: [usize; 3]) -> bool {
        self.before == [0; 3] && self.size == input
    }

    /// The images with their padding, in the wide type. `buffer` holds them where they had to be copied.
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
                out[start.min(line)..].iter_mut().zip(from).for_each(|(o, v)| *o = v.widen());
                out[(start + count).min(line)..].fill(<T::Wide>::zero());
            }
        });
        padded.slice()
    }

    /// The lines of elements of a window, for the first `each` channels of `channels`.
    fn lines(&self, taps: &[Taps; 3], channels: usize, each: usize) -> Vec<Line> {
        let [td, th, tw] = taps;
        let at = |axis: usize, tap: isize| (tap + self.before[axis] as isize) as usize;
        let mut lines: Vec<Line> = Vec::new();
        for d in &td.taps {
            for h in &th.taps {
                for w in &tw.taps {
                    let pixel = (at(0, d.1) * self.size[1] + at(1, h.1)) * self.size[2] + at(2, w.1);
                    let offset = pixel * channels;
                    match lines.last_mut() {
                        // Taps side by side make a longer line.
                        Some(last) if last.offset + last.len == offset => last.len += each,
                        _ => lines.push(Line { offset, len: each }),
                    }
                }
            }
        }
        lines
    }

    /// Calls `f` with some windows of a series among `range` at a time: where they start in the images, and their
    /// numbers from the start of `range` on.
    fn blocks(&self, windows: &Windows, channels: usize, range: Range<usize>, mut f: impl FnMut(&[usize], &[usize])) {
        let [depth, height, width] = windows.size;
        let [td, th, tw] = &windows.taps;
        let (mut starts, mut numbers) = (Vec::with_capacity(WINDOWS), Vec::with_capacity(WINDOWS));
        let turn = |t: &Taps, i: usize| {
            let past = i.checked_sub(t.first)?;
            past.is_multiple_of(t.every).then(|| past / t.every * t.step)
        };
        let mut at = range.start;
        while at < range.end {
            let (line, from) = (at / width, at % width);
            let end = ((line + 1) * width).min(range.end);
            let (h, d, n) = (line % height, line / height % depth, line / height / depth);
            if let (Some(d), Some(h)) = (turn(td, d), turn(th, h)) {
                let row = ((n * self.size[0] + d) * self.size[1] + h) * self.size[2];
                // The first window of the series in this row.
                let t = from.saturating_sub(tw.first).div_ceil(tw.every);
                let mut window = line * width + tw.first + t * tw.every;
                let mut start = (row + t * tw.step) * channels;
                while window < end {
                    starts.push(start);
                    numbers.push(window - range.start);
                    if starts.len() == WINDOWS {
                        f(&starts, &numbers);
                        starts.clear();
                        numbers.clear();
                    }
                    window += tw.every;
                    start += tw.step * channels;
                }
            }
            at = (line + 1) * width;
        }
        if !starts.is_empty() {
            f(&starts, &numbers);
        }
    }
}

/// Lines whose weights are used together.
#[derive(Clone, Debug)]
struct Block {
    lines: Vec<Line>,
    /// Elements of a window before these.
    start: usize,
    depth: usize,
}

/// Splits lines into blocks of at most [`DEPTH`] elements.
fn blocks_of(lines: &[Line]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut start = 0;
    for line in lines {
        let mut line = *line;
        while line.len > 0 {
            let room = blocks.last().map_or(0, |b| DEPTH - b.depth);
            if room == 0 {
                blocks.push(Block { lines: Vec::new(), start, depth: 0 });
                continue;
            }
            let now = line.len.min(room);
            if let Some(block) = blocks.last_mut() {
                block.lines.push(Line { offset: line.offset, len: now });
                block.depth += now;
            }
            start += now;
            line = Line { offset: line.offset + now, len: line.len - now };
        }
    }
    blocks
}

/// The packed weights of a node whose filter stays the same from step to step.
#[derive(Default)]
pub(crate) struct Cache {
    /// Protects what is packed: the filter, the number of groups, the weights. The filter is held, so that its elements
    /// cannot change without being in another place.
    packed: Mutex<Option<(Tensor, usize, Arc<dyn Any + Send + Sync>)>>,
}

impl Cache {
    /// The cache of the node in `cx`, where input `i` is a constant.
    ///
    /// # Errors
    /// As [`levada_kernel::Io::node_state`].
    pub(crate) fn of_constant(cx: &mut Cx<'_, '_>, i: usize) -> Result<Option<Arc<Cache>>> {
        match cx.entry(i) {
            Some(Entry::Constant(_)) => cx.node_state(Cache::default).map(Some),
            _ => Ok(None),
        }
    }

    fn get<T: Lanes>(&self, filter: &Tensor, groups: usize, pack: impl FnOnce() -> Vec<T>) -> Arc<Vec<T>> {
        let place = |t: &Tensor| t.bytes().map(|b| (b.as_ptr() as usize, b.len()));
        let same = |held: &Tensor| held.shape() == filter.shape() && place(held) == place(filter);
        let mut packed = self.packed.lock();
        if let Some((held, held_groups, weights)) = &*packed
            && same(held)
            && *held_groups == groups
            && let Ok(weights) = weights.clone().downcast::<Vec<T>>()
        {
            return weights;
        }
        let weights = Arc::new(pack());
        // Tensors that are so small that they hold their elements themselves have no place.
        if filter.num_bytes() >= 1024 {
            *packed = Some((filter.clone(), groups, weights.clone()));
        }
        weights
    }
}

/// Weights of a series as [`super::tile`] reads them: by group, block, panel, element.
fn pack<T: Lanes>(
    cx: &Cx<'_, '_>,
    panels: Panels,
    blocks: &[Block],
    weights: Weights<'_, T>,
    groups: usize,
    each_out: usize,
) -> Vec<T> {
    let depth: usize = blocks.iter().map(|b| b.depth).sum();
    let width = panels.width(each_out);
    let mut packed = vec![T::zero(); groups * depth * width];
    // One piece for each group and block: they lie one after the other.
    let mut rest = &mut packed[..];
    let mut pieces = Vec::with_capacity(groups * blocks.len());
    for group in 0..groups {
        for block in blocks {
            let (piece, more) = rest.split_at_mut(block.depth * width);
            pieces.push((group, block, piece));
            rest = more;
        }
    }
    let nanos = (depth * width) as f64 / blocks.len().max(1) as f64 * 0.4;
    cx.pool().for_chunks(&mut pieces, 1, nanos, |_, pieces| {
        for (group, block, piece) in pieces {
            let (mut first, mut piece) = (0, &mut piece[..]);
            for vectors in panels.split(each_out) {
                let wide = vectors * panels.lanes;
                let (now, more) = std::mem::take(&mut piece).split_at_mut(block.depth * wide);
                let some = wide.min(each_out - first);
                for (k, row) in now.chunks_exact_mut(wide).enumerate() {
                    let from = *group * weights.group + (block.start + k) * weights.row + first;
                    row[..some].copy_from_slice(&weights.data[from..from + some]);
                }
                (piece, first) = (more, first + wide);
            }
        }
    });
    packed
}

/// As [`super::gather::convolve`], for images that are worth padding. `cache` may keep the packed weights of a filter that
/// does not change; there is one series then.
pub(crate) fn convolve<T: Operand>(
    cx: &Cx<'_, '_>,
    padded: Padded,
    images: Images<'_, T>,
    series: &[(Windows, Weights<'_, T::Wide>)],
    groups: usize,
    cache: Option<(&Cache, &Tensor)>,
    out: &mut [T],
    channels: usize,
) -> Result<()> {
    let mut buffer = None;
    let data = padded.pad(cx, images, &mut buffer)?;
    let (each_in, each_out) = (images.channels / groups, channels / groups);
    let panels = Panels::of::<T::Wide>();
    let mut packed = Vec::with_capacity(series.len());
    for (windows, weights) in series {
        let blocks = blocks_of(&padded.lines(&windows.taps, images.channels, each_in));
        let pack = || pack(cx, panels, &blocks, *weights, groups, each_out);
        let weights = match cache {
            Some((cache, filter)) => cache.get(filter, groups, pack),
            None => Arc::new(pack()),
        };
        packed.push((weights, blocks));
    }
    let taps: usize = series.iter().map(|(windows, _)| windows.num_taps()).sum();
    let nanos = (taps / series.len().max(1)) as f64 * each_in as f64 * channels as f64 / 50.0 + 1.0;
    // Where series leave windows out, those are zeros.
    let every = matches!(series, [(windows, _)] if windows.is_dense() && windows.num_taps() > 0);
    let width = panels.width(each_out);
    cx.pool().for_chunks(out, channels, nanos, |first, piece| {
        let (mut wide, mut places) = (Vec::new(), Vec::with_capacity(WINDOWS));
        for (i, piece) in piece.chunks_mut(NARROWED * channels).enumerate() {
            let first = first + i * NARROWED;
            let range = first..first + piece.len() / channels;
            T::fill_wide(piece, &mut wide, |out| {
                if !every {
                    out.fill(<T::Wide>::zero());
                }
                for ((windows, _), (weights, blocks)) in series.iter().zip(&packed) {
                    padded.blocks(windows, images.channels, range.clone(), |starts, numbers| {
                        let mut weights = &weights[..];
                        for group in 0..groups {
                            places.clear();
                            places.extend(numbers.iter().map(|n| n * channels + group * each_out));
                            for block in blocks {
                                let (now, rest) = weights.split_at(block.depth * width);
                                weights = rest;
                                tile::Windows {
                                    images: &data[group * each_in..],
                                    starts,
                                    lines: &block.lines,
                                    weights: now,
                                    depth: block.depth,
                                    panels,
                                    channels: each_out,
                                    out,
                                    places: &places,
                                    add: block.start > 0,
                                }
                                .run();
                            }
                        }
                    });
                }
            });
        }
    });
    Ok(())
}

/// As [`super::gather::correlate`] over all windows, for images that are worth padding: the sums for elements `rows` of
/// the windows, added to `out`.
pub(crate) struct Correlation<'a, T: Operand> {
    padded: Padded,
    data: &'a [T::Wide],
    windows: &'a Windows,
    offsets: Vec<usize>,
    in_channels: usize,
    groups: usize,
    channels: usize,
    other: &'a [T],
}

impl<'a, T: Operand> Correlation<'a, T> {
    /// Pads the images. `other` has `channels` numbers for each window.
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
        let lines = padded.lines(&windows.taps, images.channels, images.channels / groups);
        let offsets = lines.iter().flat_map(|l| l.offset..l.offset + l.len).collect();
        let in_channels = images.channels;
        Ok(Correlation { padded, data, windows, offsets, in_channels, groups, channels, other })
    }

    /// Adds the sums over the windows `range` for the elements `rows` to `out`.
    pub(crate) fn add(&self, range: Range<usize>, rows: Range<usize>, out: &mut [T::Wide]) {
        let (each_in, each_out) = (self.in_channels / self.groups, self.channels / self.groups);
        let panels = Panels::of::<T::Wide>();
        let (mut packed, mut wide) = (Vec::new(), Vec::new());
        let first = range.start;
        self.padded.blocks(self.windows, self.in_channels, range, |starts, numbers| {
            let here = (first + numbers[0]) * self.channels;
            let other = T::wide(&self.other[here..here + numbers.len() * self.channels], &mut wide);
            for group in 0..self.groups {
                let mut at = group * each_out;
                let end = at + each_out;
                packed.clear();
                for vectors in panels.split(each_out) {
                    let width = vectors * panels.lanes;
                    let some = width.min(end - at);
                    for row in other.chunks_exact(self.channels) {
                        packed.extend_from_slice(&row[at..at + some]);
                        packed.extend(std::iter::repeat_n(<T::Wide>::zero(), width - some));
                    }
                    at += some;
                }
                tile::Elements {
                    images: &self.data[group * each_in..],
                    starts,
                    offsets: &self.offsets[rows.clone()],
                    other: &packed,
                    panels,
                    channels: each_out,
                    out: &mut out[group * each_out..],
                    width: self.channels,
                }
                .run();
            }
        });
    }
}
