//! Innermost loops of convolutions besides [`super::tile`], without gathering: windows are read in place from the
//! (padded) images, as lines of contiguous elements.

use super::tile::{Lanes, Line, Panels, Strided, write};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Computes for each window and each of at most four channels the sum over the lines' elements of their products with
/// weights. The vectors run over elements, since there are too few channels for vectors of these.
pub struct Dots<'a, T> {
    /// The (padded) images.
    pub images: &'a [T],
    /// Offset of each window in the images.
    pub starts: &'a [usize],
    /// The lines of a window.
    pub lines: &'a [Line],
    /// For each channel, a weight for each element.
    pub weights: &'a [T],
    /// Number of elements with weights.
    pub depth: usize,
    /// Number of channels.
    pub channels: usize,
    /// The results.
    pub out: &'a mut [T],
    /// Offset of each window's result.
    pub places: &'a [usize],
}

impl<T: Lanes> Dots<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        T::dots(self);
    }

    #[inline(always)]
    fn tiles<S: Simd, const ROWS: usize, const C: usize>(&mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        for (starts, places) in self.starts.chunks(ROWS).zip(self.places.chunks(ROWS)) {
            // Rows past the last window repeat it; their sums are discarded.
            let mut at = [0; ROWS];
            for (i, at) in at.iter_mut().enumerate() {
                *at = starts[i.min(starts.len() - 1)];
            }
            let mut sums = [[T::splat(simd, T::zero()); C]; ROWS];
            let mut rest = [[T::zero(); C]; ROWS];
            for line in self.lines {
                let full = line.len / lanes;
                let mut rows: [&[T]; ROWS] = [&[]; ROWS];
                let mut vectors: [&[T::V<S>]; ROWS] = [&[]; ROWS];
                for i in 0..ROWS {
                    rows[i] = &self.images[at[i] + line.offset..][..line.len];
                    vectors[i] = &T::vectors::<S>(rows[i])[..full];
                }
                let mut weights: [&[T]; C] = [&[]; C];
                let mut weight_vectors: [&[T::V<S>]; C] = [&[]; C];
                for c in 0..C {
                    weights[c] = &self.weights[c * self.depth + line.number..][..line.len];
                    weight_vectors[c] = &T::vectors::<S>(weights[c])[..full];
                }
                for j in 0..full {
                    for i in 0..ROWS {
                        for c in 0..C {
                            sums[i][c] = T::multiply_add(simd, vectors[i][j], weight_vectors[c][j], sums[i][c]);
                        }
                    }
                }
                for j in full * lanes..line.len {
                    for i in 0..ROWS {
                        for c in 0..C {
                            rest[i][c] = rest[i][c].add(rows[i][j].mul(weights[c][j]));
                        }
                    }
                }
            }
            for i in 0..ROWS {
                if let Some(&place) = places.get(i) {
                    let out = &mut self.out[place..][..C];
                    for c in 0..C {
                        out[c] = T::sum(simd, sums[i][c]).add(rest[i][c]);
                    }
                }
            }
        }
    }
}

impl<T: Lanes> WithSimd for Dots<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        match self.channels {
            1 => self.tiles::<S, 8, 1>(simd),
            2 => self.tiles::<S, 4, 2>(simd),
            3 => self.tiles::<S, 4, 3>(simd),
            _ => self.tiles::<S, 2, 4>(simd),
        }
    }
}

/// Computes for each of some elements of the windows and each channel the sum over windows of the products of the
/// element and the value in `other` for the window; adds it to a row of `out` for each element.
pub struct Elements<'a, T> {
    /// The (padded) images.
    pub images: &'a [T],
    /// Offset of each window in the images.
    pub starts: &'a [usize],
    /// Offsets of the elements within a window.
    pub offsets: &'a [usize],
    /// Start of each element's row in `out`.
    pub rows: &'a [usize],
    /// For each panel of channels and each window, a value for each channel of the panel.
    pub other: &'a [T],
    /// How the channels are divided.
    pub panels: Panels,
    /// Number of channels.
    pub channels: usize,
    /// The results.
    pub out: &'a mut [T],
}

impl<T: Lanes> Elements<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        T::elements(self);
    }

    #[inline(always)]
    fn panel<S: Simd, const ROWS: usize, const N: usize>(&mut self, simd: S, first: usize, other: &[T]) {
        let other = T::vectors::<S>(other);
        let channels = (self.channels - first).min(N * self.panels.lanes);
        for (offsets, rows) in self.offsets.chunks(ROWS).zip(self.rows.chunks(ROWS)) {
            let mut at = [0; ROWS];
            for (i, at) in at.iter_mut().enumerate() {
                *at = offsets[i.min(offsets.len() - 1)];
            }
            let side_by_side = (1..ROWS).all(|i| at[i] == at[0] + i);
            let sums = match side_by_side {
                true => self.sums_side_by_side::<S, ROWS, N>(simd, other, at[0]),
                false => self.sums::<S, ROWS, N>(simd, other, at),
            };
            let add = |o, s| T::add_vectors(simd, o, s);
            write::<T, S, ROWS, N>(simd, sums, &mut (&mut *self.out).into(), (first, rows, channels), add);
        }
    }

    #[inline(always)]
    fn sums_side_by_side<S: Simd, const ROWS: usize, const N: usize>(
        &self,
        simd: S,
        other: &[T::V<S>],
        at: usize,
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        let images = &self.images[at..];
        for (&start, y) in self.starts.iter().zip(other.chunks_exact(N)) {
            let x = &images[start..][..ROWS];
            for i in 0..ROWS {
                let x = T::splat(simd, x[i]);
                for v in 0..N {
                    sums[i][v] = T::multiply_add(simd, x, y[v], sums[i][v]);
                }
            }
        }
        sums
    }
    #[inline(always)]
    fn sums<S: Simd, const ROWS: usize, const N: usize>(
        &self,
        simd: S,
        other: &[T::V<S>],
        at: [usize; ROWS],
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for (&start, y) in self.starts.iter().zip(other.chunks_exact(N)) {
            let x = &self.images[start..];
            for i in 0..ROWS {
                let x = T::splat(simd, x[at[i]]);
                for v in 0..N {
                    sums[i][v] = T::multiply_add(simd, x, y[v], sums[i][v]);
                }
            }
        }
        sums
    }
}

impl<T: Lanes> WithSimd for Elements<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (lanes, windows) = (self.panels.lanes, self.starts.len());
        let (mut first, mut other) = (0, self.other);
        for vectors in self.panels.split(self.channels) {
            let (now, rest) = other.split_at(vectors * lanes * windows);
            match vectors {
                1 => self.panel::<S, 8, 1>(simd, first, now),
                2 if self.panels.most == 2 => self.panel::<S, 5, 2>(simd, first, now),
                2 => self.panel::<S, 8, 2>(simd, first, now),
                3 => self.panel::<S, 8, 3>(simd, first, now),
                _ => self.panel::<S, 6, 4>(simd, first, now),
            }
            other = rest;
            first += vectors * lanes;
        }
    }
}

/// Number of adjacent windows that are computed for all channels before the next ones, in depthwise convolutions.
pub const SHARING: usize = 12;

/// Computes for each of some adjacent windows and each channel the sum over taps of their products with the channel's
/// weights.
pub struct Channels<'a, T> {
    /// The (padded) images.
    pub images: &'a [T],
    /// Distance between windows.
    pub step: usize,
    /// For each tap, its offset for the first window and the offset of its weights.
    pub taps: &'a [(usize, usize)],
    /// For each tap, a weight for each channel.
    pub weights: &'a [T],
    /// Number of channels.
    pub channels: usize,
    /// Distance between the results of windows.
    pub row: usize,
    /// The channels of each window.
    pub out: &'a mut [T],
}

impl<T: Lanes> Channels<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        T::channels(self);
    }

    fn windows(&self) -> usize {
        self.out.len().div_ceil(self.row)
    }

    /// Computes the sums of some windows for `N` vectors of channels.
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S, first: usize, windows: Range<usize>) {
        let mut from = windows.start;
        while from < windows.end {
            // Windows at the edges of images come one at a time, and rows are seldom multiples of six.
            let rows = match windows.end - from {
                1 => self.tile::<S, 1, N>(simd, first, from),
                2 => self.tile::<S, 2, N>(simd, first, from),
                3 => self.tile::<S, 3, N>(simd, first, from),
                4 | 7 | 8 => self.tile::<S, 4, N>(simd, first, from),
                5 | 9 | 10 => self.tile::<S, 5, N>(simd, first, from),
                _ => self.tile::<S, 6, N>(simd, first, from),
            };
            from += rows;
        }
    }

    /// Computes the sums of `ROWS` windows for `N` vectors of channels. Returns the number of windows.
    #[inline(always)]
    fn tile<S: Simd, const ROWS: usize, const N: usize>(&mut self, simd: S, first: usize, from: usize) -> usize {
        let width = N * size_of::<T::V<S>>() / size_of::<T>();
        let channels = width.min(self.channels - first);
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for &(tap, weights) in self.taps {
            let w = T::vectors::<S>(&self.weights[weights + first..][..width]);
            let windows = Strided::new(&self.images[tap + from * self.step + first..], ROWS, self.step, width);
            for (i, sums) in sums.iter_mut().enumerate() {
                let x = T::vectors::<S>(windows.row(i));
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = T::multiply_add(simd, x[v], w[v], *sum);
                }
            }
        }
        let places: [usize; ROWS] = std::array::from_fn(|i| (from + i) * self.row);
        write::<T, S, ROWS, N>(simd, sums, &mut (&mut *self.out).into(), (first, &places, channels), |_, s| s);
        ROWS
    }

    /// Computes the sums if there are fewer channels than a vector has lanes: the elements after them in the images are
    /// multiplied by zeros. Returns the number of windows done; the vectors of the remaining ones would reach past the
    /// end of the images.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, lanes: usize) -> usize {
        let furthest = self.taps.iter().map(|&(tap, _)| tap + lanes).max().unwrap_or(0);
        let Some(room) = self.images.len().checked_sub(furthest) else { return 0 };
        let windows = (room / self.step + 1).min(self.windows());
        let mut weights = vec![T::zero(); self.taps.len() * lanes];
        let mut taps = Vec::with_capacity(self.taps.len());
        for (i, (&(tap, from), to)) in self.taps.iter().zip(weights.chunks_exact_mut(lanes)).enumerate() {
            to[..self.channels].copy_from_slice(&self.weights[from..][..self.channels]);
            taps.push((tap, i * lanes));
        }
        let (images, step, channels, row, out) = (self.images, self.step, self.channels, self.row, &mut *self.out);
        let padded = Channels { images, step, taps: &taps, weights: &weights, channels, row, out };
        { padded }.panel::<S, 1>(simd, 0, 0..windows);
        windows
    }
}

impl<T: Lanes> WithSimd for Channels<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let windows = self.windows();
        if self.channels < lanes {
            let done = self.narrow(simd, lanes);
            return self.one_by_one(done);
        }
        // All channels of some windows before the next ones: the pixels that these windows share then stay in the L1
        // cache.
        for from in (0..windows).step_by(SHARING) {
            let some = from..(from + SHARING).min(windows);
            let mut first = 0;
            if some.len() < 3 {
                // Few windows need more vectors for the same number of independent sums.
                while first + 4 * lanes <= self.channels {
                    match some.len() {
                        1 => self.tile::<S, 1, 4>(simd, first, from),
                        _ => self.tile::<S, 2, 4>(simd, first, from),
                    };
                    first += 4 * lanes;
                }
            }
            while first + 2 * lanes <= self.channels {
                self.panel::<S, 2>(simd, first, some.clone());
                first += 2 * lanes;
            }
            if first + lanes <= self.channels {
                self.panel::<S, 1>(simd, first, some.clone());
                first += lanes;
            }
            if first < self.channels {
                // The last vector overlaps channels that are already done, and computes the same sums again.
                self.panel::<S, 1>(simd, self.channels - lanes, some);
            }
        }
    }
}

impl<T: Lanes> Channels<'_, T> {
    /// Computes the sums of the windows from `first` on.
    #[inline(always)]
    fn one_by_one(&mut self, first: usize) {
        for (i, row) in self.out.chunks_mut(self.row).enumerate().skip(first) {
            for (c, o) in row.iter_mut().take(self.channels).enumerate() {
                let product = |&(tap, weights): &(usize, usize)| {
                    self.images[tap + i * self.step + c].mul(self.weights[weights + c])
                };
                *o = self.taps.iter().map(product).fold(T::zero(), T::add);
            }
        }
    }
}

/// Computes the sums of windows for whole vectors of values, all of which lie within the images and the weights.
pub struct Spread<'a, T> {
    /// The channels that are spread.
    pub some: Channels<'a, T>,
    /// Number of windows.
    pub count: usize,
}

impl<T: Lanes> Spread<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        T::spread(self);
    }
}

impl<T: Lanes> WithSimd for Spread<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let (mut first, count) = (0, self.count);
        while first + lanes < self.some.channels {
            self.some.panel::<S, 2>(simd, first, 0..count);
            first += 2 * lanes;
        }
        if first < self.some.channels {
            let rest = match self.some.step / lanes {
                1 if first == 0 => self.adjacent::<S, 1>(simd),
                2 if first == 0 => self.adjacent::<S, 2>(simd),
                _ => 0,
            };
            self.some.panel::<S, 1>(simd, first, rest..count);
        }
    }
}

impl<T: Lanes> Spread<'_, T> {
    /// Computes the sums of windows for one vector of channels, where each pixel of the images is one vector and
    /// windows are `STEP` vectors apart. Returns the number of windows done.
    #[inline(always)]
    fn adjacent<S: Simd, const STEP: usize>(&mut self, simd: S) -> usize {
        let mut from = 0;
        // A single vector of channels leaves registers for many windows, which share one load of the weights.
        loop {
            from += match self.count - from {
                7 => self.some.adjacent::<S, STEP, 7>(simd, from),
                12 | 20.. => self.some.adjacent::<S, STEP, 12>(simd, from),
                8 | 11.. => self.some.adjacent::<S, STEP, 8>(simd, from),
                6 | 9..=10 => self.some.adjacent::<S, STEP, 6>(simd, from),
                _ => return from,
            };
        }
    }
}

impl<T: Lanes> Channels<'_, T> {
    /// Like [`Channels::tile`] for one vector of channels, with windows `STEP` vectors apart.
    #[inline(always)]
    fn adjacent<S: Simd, const STEP: usize, const ROWS: usize>(&mut self, simd: S, from: usize) -> usize {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let mut sums = [[T::splat(simd, T::zero()); 1]; ROWS];
        for &(tap, weights) in self.taps {
            let w = T::vectors::<S>(&self.weights[weights..][..lanes])[0];
            let images = &self.images[tap + from * STEP * lanes..][..((ROWS - 1) * STEP + 1) * lanes];
            let images = T::vectors::<S>(images);
            for (i, sum) in sums.iter_mut().enumerate() {
                sum[0] = T::multiply_add(simd, images[i * STEP], w, sum[0]);
            }
        }
        let places: [usize; ROWS] = std::array::from_fn(|i| (from + i) * self.row);
        let channels = self.channels;
        write::<T, S, ROWS, 1>(simd, sums, &mut (&mut *self.out).into(), (0, &places, channels), |_, s| s);
        ROWS
    }
}

/// Computes for each of some taps and each channel the sum over adjacent windows of the products of the element under
/// the tap and the value in `other` for the window; adds it to `out`.
pub struct Filters<'a, T> {
    /// The (padded) images.
    pub images: &'a [T],
    /// Distance between windows.
    pub step: usize,
    /// For each tap, its offset for the first window and the offset of its sums.
    pub taps: &'a [(usize, usize)],
    /// A row of channels for each window.
    pub other: &'a [T],
    /// Distance between rows.
    pub row: usize,
    /// Number of channels.
    pub channels: usize,
    /// The results.
    pub out: &'a mut [T],
}

impl<T: Lanes> Filters<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        T::filters(self);
    }

    /// Computes the sums over the first `windows` windows for `N` vectors of channels; those in `keep` are added.
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S, first: usize, windows: usize, keep: Range<usize>) {
        if windows == 0 {
            return;
        }
        let mut rest = self.taps;
        while !rest.is_empty() {
            let (taps, more) = rest.split_at(rest.len().div_ceil(rest.len().div_ceil(9)));
            match taps.len() {
                1 => self.tile::<S, 1, N>(simd, taps, first, windows, keep.clone()),
                2..=3 => self.tile::<S, 3, N>(simd, taps, first, windows, keep.clone()),
                4..=6 => self.tile::<S, 6, N>(simd, taps, first, windows, keep.clone()),
                _ => self.tile::<S, 9, N>(simd, taps, first, windows, keep.clone()),
            }
            rest = more;
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const TAPS: usize, const N: usize>(
        &mut self,
        simd: S,
        taps: &[(usize, usize)],
        first: usize,
        windows: usize,
        keep: Range<usize>,
    ) {
        let width = N * size_of::<T::V<S>>() / size_of::<T>();
        // Taps past the last one repeat it; their sums are discarded.
        let mut rows = [Strided::new(&[], 0, 0, width); TAPS];
        for (i, row) in rows.iter_mut().enumerate() {
            let images = &self.images[taps[i.min(taps.len() - 1)].0 + first..];
            *row = Strided::new(images, windows, self.step, width);
        }
        let mut sums = [[T::splat(simd, T::zero()); N]; TAPS];
        let other = Strided::new(&self.other[first..], windows, self.row, width);
        for i in 0..windows {
            let y = T::vectors::<S>(other.row(i));
            for t in 0..TAPS {
                let x = T::vectors::<S>(rows[t].row(i));
                for v in 0..N {
                    sums[t][v] = T::multiply_add(simd, x[v], y[v], sums[t][v]);
                }
            }
        }
        for t in 0..TAPS {
            if t == taps.len() {
                return;
            }
            let out = &mut self.out[taps[t].1 + first..];
            if keep.len() == width {
                let out = T::vectors_mut::<S>(&mut out[..width]);
                for v in 0..N {
                    out[v] = T::add_vectors(simd, out[v], sums[t][v]);
                }
            } else {
                let mut spare = [T::zero(); 64];
                T::vectors_mut::<S>(&mut spare)[..N].copy_from_slice(&sums[t]);
                out[keep.clone()].iter_mut().zip(&spare[keep.clone()]).for_each(|(o, &s)| *o = o.add(s));
            }
        }
    }

    /// Computes the sums if there are fewer channels than a vector has lanes: the elements after them take part, but
    /// their sums are discarded. Returns the number of windows done; the vectors of the remaining ones would reach past
    /// the end of the images.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, lanes: usize) -> usize {
        let count = |len: usize, at: usize, step: usize| len.checked_sub(at + lanes).map_or(0, |room| room / step + 1);
        let within = self.taps.iter().map(|&(tap, _)| count(self.images.len(), tap, self.step)).min().unwrap_or(0);
        let windows = within.min(count(self.other.len(), 0, self.row));
        self.panel::<S, 1>(simd, 0, windows, 0..self.channels);
        windows
    }
}

impl<T: Lanes> WithSimd for Filters<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let (channels, windows) = (self.channels, self.other.len().div_ceil(self.row));
        if channels < lanes {
            let done = self.narrow(simd, lanes);
            for (i, y) in self.other.chunks(self.row).map(|row| &row[..channels]).enumerate().skip(done) {
                for &(tap, place) in self.taps {
                    let terms = self.images[tap + i * self.step..].iter().zip(y);
                    self.out[place..].iter_mut().zip(terms).for_each(|(o, (x, &y))| *o = o.add(x.mul(y)));
                }
            }
            return;
        }
        let mut first = 0;
        while S::REGISTER_COUNT >= 32 && first + 2 * lanes <= channels {
            self.panel::<S, 2>(simd, first, windows, 0..2 * lanes);
            first += 2 * lanes;
        }
        while first + lanes <= channels {
            self.panel::<S, 1>(simd, first, windows, 0..lanes);
            first += lanes;
        }
        if first < channels {
            // The last vector overlaps channels that are already done.
            self.panel::<S, 1>(simd, channels - lanes, windows, first + lanes - channels..lanes);
        }
    }
}
