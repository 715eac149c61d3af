//! The source of each element of an output, axis by axis.

use super::{Cell, turn};
use levada_kernel::{Pool, Stream};
use smallvec::SmallVec;
use std::array::from_fn;
use std::ops::Range;

/// A run of positions on an output axis: `len` positions starting at `start`, of which the first is read at offset
/// `from` and each further one `step` later. Without `from`, they are filled.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The first position.
    pub start: usize,
    /// Number of positions.
    pub len: usize,
    /// Offset of the first one in the source; `None` for filled positions.
    pub from: Option<isize>,
    /// Distance between consecutive elements in the source.
    pub step: isize,
}

impl Run {
    fn at(&self, i: usize) -> Option<isize> {
        self.from.map(|from| from + (i - self.start) as isize * self.step)
    }
}

/// The source offsets for the positions of one output axis, to be added to those of the other axes.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    runs: SmallVec<[Run; 1]>,
    len: usize,
}

impl Axis {
    /// Returns an axis of `len` positions, the first at offset `from`, each further one `step` later.
    pub fn strided(len: usize, from: isize, step: isize) -> Axis {
        Axis::default().copy(len, from, step)
    }

    /// Appends `len` positions, the first at offset `from`, each further one `step` later.
    #[must_use]
    pub fn copy(mut self, len: usize, from: isize, step: isize) -> Axis {
        if len == 0 {
            return self;
        }
        if let Some(last @ Run { from: Some(_), .. }) = self.runs.last_mut() {
            let first = last.from.unwrap_or(0);
            let gap = if last.len == 1 { from - first } else { last.step };
            if from == first + last.len as isize * gap && (len == 1 || step == gap) {
                last.step = gap;
                last.len += len;
                self.len += len;
                return self;
            }
        }
        self.runs.push(Run { start: self.len, len, from: Some(from), step });
        self.len += len;
        self
    }

    /// Appends `len` filled positions.
    #[must_use]
    pub fn fill(mut self, len: usize) -> Axis {
        match self.runs.last_mut() {
            _ if len == 0 => return self,
            Some(last) if last.from.is_none() => last.len += len,
            _ => self.runs.push(Run { start: self.len, len, from: None, step: 0 }),
        }
        self.len += len;
        self
    }

    /// Returns the runs of the axis.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the number of positions.
    pub fn size(&self) -> usize {
        self.len
    }

    /// Returns the source offset of position `i`; `None` if it is filled.
    pub fn at(&self, i: usize) -> Option<isize> {
        let run = match self.runs.as_slice() {
            [run] => run,
            runs => &runs[runs.partition_point(|r| r.start + r.len <= i)],
        };
        run.at(i)
    }

    /// Returns the offset and step of the only run, if there is one run and it copies.
    fn single(&self) -> Option<(isize, isize)> {
        match self.runs.as_slice() {
            [Run { from: Some(from), step, .. }] => Some((*from, *step)),
            _ => None,
        }
    }

    /// Merges this axis with the next inner one, if both traverse the source like a single axis except for at most
    /// `apart` positions of this axis, which become separate runs.
    fn joined(&self, inner: &Axis, apart: usize) -> Option<Axis> {
        let (from, step) = inner.single()?;
        let stride = inner.len as isize * step;
        let is_whole = |r: &Run| r.from.is_none() || r.len == 1 || r.step == stride;
        if self.runs.iter().filter(|r| !is_whole(r)).map(|r| r.len).sum::<usize>() > apart {
            return None;
        }
        let mut axis = Axis::default();
        for run in &self.runs {
            let (pieces, len) = if is_whole(run) { (1, run.len) } else { (run.len, 1) };
            for i in 0..pieces as isize {
                axis = match run.from {
                    Some(outer) => axis.copy(len * inner.len, outer + i * run.step + from, step),
                    None => axis.fill(len * inner.len),
                };
            }
        }
        Some(axis)
    }
}

/// Row length in elements below which finding a row takes longer than copying it.
const SHORT: usize = 32;

/// Maximum number of rows of an axis that become separate runs.
const MOST_APART: usize = 256;

/// Maximum number of elements of a block that is transposed without a buffer: it and its source stay in the nearest
/// cache.
const SMALL: usize = 1024;

/// The source of every element of an output: the sum of one offset per axis.
#[derive(Clone, Debug)]
pub struct Layout {
    axes: SmallVec<[Axis; 4]>,
}

impl Layout {
    /// Returns the layout with these axes, outermost first.
    pub fn new(axes: impl IntoIterator<Item = Axis>) -> Layout {
        Layout { axes: axes.into_iter().collect() }
    }

    /// Returns the nontrivial axes and the offset common to all elements; `None` if every element is filled.
    pub fn simplified(&self) -> Option<(isize, SmallVec<[Axis; 4]>)> {
        let mut base = 0;
        let mut axes: SmallVec<[Axis; 4]> = SmallVec::new();
        for axis in &self.axes {
            if axis.runs.iter().all(|r| r.from.is_none()) {
                return None;
            }
            if axis.len == 1 {
                base += axis.at(0)?;
                continue;
            }
            match axes.last().and_then(|outer| outer.joined(axis, 0)) {
                Some(joined) => *axes.last_mut()? = joined,
                None => axes.push(axis.clone()),
            }
        }
        Some((base, axes))
    }

    /// Writes every element of `out`, copied from `src` or filled with `pad`.
    pub fn copy<T: Cell>(&self, pool: &Pool, src: &[T], pad: &T, out: &mut [T]) {
        if out.is_empty() {
            return;
        }
        let nanos = 0.1 + size_of::<T>() as f64 / 8.0;
        let Some((base, mut axes)) = self.simplified() else {
            return pool.for_chunks(out, 1, nanos, |_, piece| piece.fill(pad.clone()));
        };
        // Mainly for mirror padding: all pixels but those at the edges are copied as one run.
        if let [.., rows, cols] = axes.as_mut_slice()
            && rows.single().is_none()
            && cols.len <= SHORT
            && let Some(joined) = rows.joined(cols, MOST_APART)
        {
            *rows = joined;
            axes.pop();
        }
        match axes.as_slice() {
            [] => out[0] = src[base as usize].clone(),
            [axis] => {
                for run in &axis.runs {
                    let piece = &mut out[run.start..run.start + run.len];
                    pool.for_chunks(piece, 1, nanos, |first, piece| match run.at(run.start + first) {
                        Some(from) => copy_run(src, base + from, run.step, piece),
                        None => piece.fill(pad.clone()),
                    });
                }
            }
            [outer @ .., rows, cols] => {
                let strided = if cols.single().is_some_and(|(_, step)| step.abs() <= 1) { 1.0 } else { 4.0 };
                pool.for_chunks(out, cols.len, cols.len as f64 * nanos * strided, |first, piece| {
                    copy_rows(src, base, (outer, rows, cols), first, pad, piece);
                });
            }
        }
    }
}

/// Returns the source offset of element number `index` of the axes `outer`, in row-major order.
fn offset_of(outer: &[Axis], mut index: usize) -> Option<isize> {
    let mut offset = 0;
    for axis in outer.iter().rev() {
        offset += axis.at(index % axis.len)?;
        index /= axis.len;
    }
    Some(offset)
}

/// Copies whole rows of the last axis, starting at row number `first`, as many as `out` holds.
fn copy_rows<T: Cell>(
    src: &[T],
    base: isize,
    (outer, rows, cols): (&[Axis], &Axis, &Axis),
    first: usize,
    pad: &T,
    mut out: &mut [T],
) {
    let (mut block, mut row) = (first / rows.len, first % rows.len);
    while !out.is_empty() {
        let count = (rows.len - row).min(out.len() / cols.len);
        let (now, rest) = out.split_at_mut(count * cols.len);
        match offset_of(outer, block) {
            Some(offset) => copy_block(src, base + offset, rows, row..row + count, cols, pad, now),
            None => now.fill(pad.clone()),
        }
        (out, block, row) = (rest, block + 1, 0);
    }
}

fn copy_block<T: Cell>(src: &[T], base: isize, rows: &Axis, range: Range<usize>, cols: &Axis, pad: &T, out: &mut [T]) {
    if let (Some((row_from, row_step)), Some((col_from, col_step))) = (rows.single(), cols.single()) {
        let start = base + row_from + col_from + range.start as isize * row_step;
        let side = range.len().min(cols.len);
        if let (1, Ok(step @ 2..)) = (row_step, usize::try_from(col_step))
            && side > 1
            && (side <= 4 || out.len() <= SMALL)
        {
            return transpose_small(&src[start as usize..], step, cols.len, out);
        }
        if row_step.abs() < col_step.abs() && row_step != 0 && side >= 4 {
            return transpose(src, start, row_step, col_step, cols.len, out);
        }
        // Mainly for the color channels of pixels.
        return match (cols.len, col_step) {
            (2, 1) => copy_pieces::<T, 2>(src, start, row_step, out),
            (3, 1) => copy_pieces::<T, 3>(src, start, row_step, out),
            (4, 1) => copy_pieces::<T, 4>(src, start, row_step, out),
            _ => {
                let mut from = start;
                for row in out.chunks_exact_mut(cols.len) {
                    copy_run(src, from, col_step, row);
                    from += row_step;
                }
            }
        };
    }
    for (i, row) in range.zip(out.chunks_exact_mut(cols.len)) {
        let Some(from) = rows.at(i) else {
            row.fill(pad.clone());
            continue;
        };
        for run in &cols.runs {
            let piece = &mut row[run.start..run.start + run.len];
            match run.from {
                Some(col) => copy_run(src, base + from + col, run.step, piece),
                None => piece.fill(pad.clone()),
            }
        }
    }
}

/// Copies adjacent pieces of `N` elements, the first from `from`, each further one `step` later.
fn copy_pieces<T: Cell, const N: usize>(src: &[T], mut from: isize, step: isize, out: &mut [T]) {
    for piece in out.chunks_exact_mut(N) {
        piece.clone_from_slice(&src[from as usize..][..N]);
        from += step;
    }
}

/// Like [`transpose`], for small or narrow blocks whose columns are runs of `src`, `step` apart.
fn transpose_small<T: Cell>(src: &[T], step: usize, width: usize, out: &mut [T]) {
    if width >= turn::SIDE
        && let (Some(words), Some(out)) = (T::words(src), T::words_mut(out))
        && turn::turn(words, (0, step), (out.len() / width, width), out, width)
    {
        return;
    }
    // With a width known at compile time, the loop is vectorized.
    match width {
        2 => interleave::<T, 2>(src, step, 2, out),
        3 => interleave::<T, 3>(src, step, 3, out),
        4 => interleave::<T, 4>(src, step, 4, out),
        _ => interleave::<T, 4>(src, step, width, out),
    }
}

/// Like [`transpose_small`], `N` columns at a time; the last group may overlap the one before.
#[inline(always)]
fn interleave<T: Cell, const N: usize>(src: &[T], step: usize, width: usize, out: &mut [T]) {
    let height = out.len() / width;
    for left in (0..width).step_by(N) {
        let left = left.min(width - N);
        let columns: [&[T]; N] = from_fn(|i| &src[(left + i) * step..][..height]);
        for (row, to) in (0..height).zip(out.chunks_exact_mut(width)) {
            let to = to[left..].first_chunk_mut().expect("rows are no shorter");
            *to = from_fn::<T, N, _>(|i| columns[i][row].clone());
        }
    }
}

/// Copies a block whose rows are close together in the source and whose columns are far apart.
fn transpose<T: Cell>(src: &[T], start: isize, row_step: isize, col_step: isize, width: usize, out: &mut [T]) {
    if let (1, Ok(from), Ok(step), Some(words)) = (row_step, start.try_into(), col_step.try_into(), T::words(src))
        && let Some(out) = T::words_mut(out)
    {
        return transpose_words(words, from, step, width, out);
    }
    match size_of::<T>() {
        ..=4 => transpose_by::<T, 64>(src, start, row_step, col_step, width, out),
        5..=8 => transpose_by::<T, 32>(src, start, row_step, col_step, width, out),
        _ => transpose_by::<T, 16>(src, start, row_step, col_step, width, out),
    }
}

/// Like [`transpose`], for runs of 4-byte words, tile by tile: each is transposed into a buffer and written row by
/// row. Tiles of large results are tall, because long runs are read faster, and as wide as two cache lines, which are
/// written past the caches.
fn transpose_words(src: &[u32], start: usize, step: usize, width: usize, out: &mut [u32]) {
    let height = out.len() / width;
    // This is one of several parts of the whole result.
    let mut stream = Stream::to(4 * size_of_val(out));
    let (tall, wide) = if stream.is_some() { (256, 32) } else { (64, 64) };
    let (tall, wide) = (tall.min(height), wide.min(width));
    let mut part = vec![0; tall * wide];
    for top in (0..height).step_by(tall) {
        let rows = tall.min(height - top);
        for left in (0..width).step_by(wide) {
            let cols = wide.min(width - left);
            let from = start + top + left * step;
            let mut turned = (rows - rows % turn::SIDE, cols - cols % turn::SIDE);
            if !turn::turn(src, (from, step), turned, &mut part, wide) {
                turned = (0, 0);
            }
            for row in 0..rows {
                let done = if row < turned.0 { turned.1 } else { 0 };
                for col in done..cols {
                    part[row * wide + col] = src[from + row + col * step];
                }
                let to = &mut out[(top + row) * width + left..][..cols];
                let row = &part[row * wide..][..cols];
                match &mut stream {
                    Some(stream) => stream.copy(row, to),
                    None => to.copy_from_slice(row),
                }
            }
        }
    }
}

/// Like [`transpose`], in square tiles: each is read column by column into a buffer and written row by row, so that
/// every cache line is touched once.
fn transpose_by<T: Cell, const SIDE: usize>(
    src: &[T],
    start: isize,
    row_step: isize,
    col_step: isize,
    width: usize,
    out: &mut [T],
) {
    let height = out.len() / width;
    let mut square = vec![T::default(); SIDE * SIDE];
    for top in (0..height).step_by(SIDE) {
        let rows = SIDE.min(height - top);
        for left in (0..width).step_by(SIDE) {
            let cols = SIDE.min(width - left);
            let from = start + top as isize * row_step + left as isize * col_step;
            for col in 0..cols {
                let column = &mut square[col * SIDE..col * SIDE + rows];
                copy_run(src, from + col as isize * col_step, row_step, column);
            }
            for row in 0..rows {
                let to = &mut out[(top + row) * width + left..][..cols];
                for (col, o) in to.iter_mut().enumerate() {
                    *o = square[col * SIDE + row].clone();
                }
            }
        }
    }
}

/// Copies elements of `src` starting at `from`, `step` apart, as many as `out` holds.
#[inline]
fn copy_run<T: Cell>(src: &[T], from: isize, step: isize, out: &mut [T]) {
    let Some(last) = out.len().checked_sub(1) else { return };
    let end = (from + last as isize * step) as usize;
    let from = from as usize;
    match step {
        1 if out.len() == 1 => out[0] = src[from].clone(),
        1 => out.clone_from_slice(&src[from..=end]),
        0 => out.fill(src[from].clone()),
        -1 => {
            // By groups, so that the compiler turns whole vectors around.
            let (groups, rest) = out.as_chunks_mut::<8>();
            let (first, picked) = src[end..=from].as_rchunks::<8>();
            for (group, picked) in groups.iter_mut().zip(picked.iter().rev()) {
                group.iter_mut().zip(picked.iter().rev()).for_each(|(o, v)| *o = v.clone());
            }
            rest.iter_mut().zip(first.iter().rev()).for_each(|(o, v)| *o = v.clone());
        }
        step if step > 0 => {
            let picked = src[from..=end].iter().step_by(step as usize);
            out.iter_mut().zip(picked).for_each(|(o, v)| *o = v.clone());
        }
        step => {
            let picked = src[end..=from].iter().rev().step_by(step.unsigned_abs());
            out.iter_mut().zip(picked).for_each(|(o, v)| *o = v.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::Bytes;

    fn copied(threads: usize, layout: &Layout, src: &[u32], len: usize) -> Vec<u32> {
        let mut out = vec![99; len];
        layout.copy(&Pool::new(threads), src, &7, &mut out);
        out
    }

    #[test]
    fn runs_that_go_on_are_joined() {
        let axis = Axis::default().copy(2, 4, 2).copy(3, 8, 2).fill(1).fill(2);
        assert_eq!(axis.runs.len(), 2);
        assert_eq!((0..8).map(|i| axis.at(i)).collect::<Vec<_>>()[3..6], [Some(10), Some(12), None]);
    }

    #[test]
    fn axes_that_walk_like_one_are_joined() {
        let whole = Layout::new([Axis::strided(3, 0, 20), Axis::strided(4, 0, 5), Axis::strided(5, 0, 1)]);
        assert_eq!(whole.simplified().unwrap().1.len(), 1);
        let padded =
            Layout::new([Axis::default().fill(1).copy(3, 0, 20), Axis::strided(4, 0, 5), Axis::strided(5, 0, 1)]);
        assert_eq!(padded.simplified().unwrap().1.len(), 1);
    }

    #[test]
    fn pads_reverses_and_transposes() {
        let src: Vec<u32> = (0..6).collect();
        let layout = Layout::new([Axis::default().fill(1).copy(2, 3, -3), Axis::default().copy(3, 2, -1).fill(1)]);
        assert_eq!(copied(1, &layout, &src, 12), [7, 7, 7, 7, 5, 4, 3, 7, 2, 1, 0, 7]);
        let turned = Layout::new([Axis::strided(3, 0, 1), Axis::strided(2, 0, 3)]);
        assert_eq!(copied(1, &turned, &src, 6), [0, 3, 1, 4, 2, 5]);
    }

    /// Compares the layout of `axes` with the sources of single elements.
    fn check<T: Cell + PartialEq + std::fmt::Debug>(pools: &[Pool], axes: &[Axis], src: &[T], pad: &T) {
        let mut expected = vec![Some(0)];
        for axis in axes {
            let places = expected.iter().flat_map(|at| (0..axis.len).map(move |i| Some((*at)? + axis.at(i)?)));
            expected = places.collect();
        }
        let expected: Vec<T> =
            expected.iter().map(|at| at.map_or(pad.clone(), |at: isize| src[at as usize].clone())).collect();
        for pool in pools {
            let mut out = vec![pad.clone(); expected.len()];
            Layout::new(axes.iter().cloned()).copy(pool, src, pad, &mut out);
            assert!(out == expected, "{axes:?}");
        }
    }

    /// Like [`check`], for elements of every size.
    fn check_all(pools: &[Pool], axes: &[Axis], len: usize) {
        let numbers = 0..len as u64;
        check::<u8>(pools, axes, &numbers.clone().map(|i| i as u8).collect::<Vec<_>>(), &7);
        check::<u16>(pools, axes, &numbers.clone().map(|i| i as u16).collect::<Vec<_>>(), &7);
        check::<u32>(pools, axes, &numbers.clone().map(|i| i as u32).collect::<Vec<_>>(), &7);
        check::<u64>(pools, axes, &numbers.clone().collect::<Vec<_>>(), &7);
        check::<[u64; 2]>(pools, axes, &numbers.clone().map(|i| [i, !i]).collect::<Vec<_>>(), &[7; 2]);
        let strings: Vec<Bytes> = numbers.map(|i| i.to_string().into_bytes().into()).collect();
        check::<Bytes>(pools, axes, &strings, &Bytes::default());
    }

    #[test]
    fn small_transposes_agree_with_the_places_of_single_elements() {
        let pools = [1, 3].map(Pool::new);
        let sides = [0, 1, 2, 3, 4, 5, 8, 9, 16, 24, 33];
        for (rows, cols) in sides.iter().flat_map(|&rows| sides.map(|cols| (rows, cols))) {
            for (outer, gap) in [(1, 0), (3, 0), (2, 3)] {
                // Rows of the source are `gap` elements longer than the part used.
                let (step, plane) = (rows + gap, cols * (rows + gap));
                let axes = [(outer, plane), (rows, 1), (cols, step)].map(|(n, s)| Axis::strided(n, 0, s as isize));
                check_all(&pools, &axes, outer * plane);
            }
        }
        for (rows, cols) in [(700, 2), (3000, 3), (1100, 4), (2, 3000), (3, 1100), (40, 130)] {
            let axes = [(5, rows * cols), (rows, 1), (cols, rows)].map(|(n, s)| Axis::strided(n, 0, s as isize));
            check_all(&pools, &axes, 5 * rows * cols);
        }
    }

    #[test]
    fn mirrored_margins_agree_with_the_places_of_single_elements() {
        let pools = [1, 3].map(Pool::new);
        for (size, margin) in [(0, 0), (1, 1), (2, 1), (5, 4), (7, 0), (60, 9), (400, 200)] {
            for (channels, offset) in [0, 1, 2, 3, 5, 40].into_iter().flat_map(|c| [(c, 0), (c, 1)]) {
                let mirrored = |size: usize, step: isize, margin: usize| {
                    let margin = margin.min(size.saturating_sub(offset));
                    let first = (margin as isize - 1 + offset as isize) * step;
                    let last = (size as isize - 1 - offset as isize) * step;
                    Axis::default().copy(margin, first, -step).copy(size, 0, step).copy(margin, last, -step)
                };
                let step = channels as isize;
                let (x, c) = (mirrored(size, step, margin), Axis::strided(channels, 0, 1));
                let y = mirrored(3, step * size as isize, margin);
                check_all(&pools, &[x.clone(), c.clone()], size * channels);
                check_all(&pools, &[y, x.clone(), c.clone()], 3 * size * channels);
                check_all(&pools, &[Axis::default().fill(1).copy(2, 0, 0), x, c], size * channels);
            }
        }
    }

    #[test]
    fn large_transposes_agree_with_the_plain_loop() {
        let (a, b, c) = (37usize, 90usize, 71usize);
        let src: Vec<u32> = (0..(a * b * c) as u32).collect();
        let axes = [(c, 1), (a, b * c), (b, c)].map(|(n, s)| Axis::strided(n, 0, s as isize));
        let mut expected = Vec::new();
        for k in 0..c {
            for i in 0..a {
                expected.extend((0..b).map(|j| src[(i * b + j) * c + k]));
            }
        }
        for threads in [1, 3] {
            assert_eq!(copied(threads, &Layout::new(axes.clone()), &src, src.len()), expected);
        }
    }
}
