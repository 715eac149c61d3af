//! The innermost loops of convolutions: sums of products for a few windows and a few vectors of channels, in registers.
//!
//! Nothing is gathered: windows are read where they lie in the (padded) images, as lines of elements side by side.

use levada_gemm::Gemm;
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::ops::Range;

/// Vectors of channels in a tile, at most.
pub(crate) const VECTORS: usize = 4;

/// Numbers that start where a line of the cache does, as vectors should.
pub(crate) struct Aligned<T> {
    numbers: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Lanes> Aligned<T> {
    const BYTES: usize = 64;

    /// Zeros.
    pub(crate) fn zeros(len: usize) -> Aligned<T> {
        let spare = Self::BYTES / size_of::<T>();
        let numbers = vec![T::zero(); len + spare];
        let start = numbers.as_ptr().align_offset(Self::BYTES).min(spare);
        Aligned { numbers, start, len }
    }

    pub(crate) fn slice(&self) -> &[T] {
        &self.numbers[self.start..][..self.len]
    }

    pub(crate) fn slice_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.start..][..self.len]
    }
}

/// Elements side by side that belong to every window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Distance of the first from the start of the window.
    pub offset: usize,
    /// Number of the first among the elements that have weights.
    pub number: usize,
    pub len: usize,
}

/// A number of which vectors can be multiplied and added.
pub(crate) trait Lanes: Gemm {
    type V<S: Simd>: Copy;
    /// True where loops are compiled for every width of vectors.
    const WIDE: bool = true;
    fn splat<S: Simd>(simd: S, value: Self) -> Self::V<S>;
    /// `a * b + c`
    fn multiply_add<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>, c: Self::V<S>) -> Self::V<S>;
    fn add_vectors<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>) -> Self::V<S>;
    /// The sum of a vector's numbers.
    fn sum<S: Simd>(simd: S, a: Self::V<S>) -> Self;
    fn vectors<S: Simd>(slice: &[Self]) -> &[Self::V<S>];
    fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [Self::V<S>];
    /// The numbers, where they are of `f32`.
    fn singles(_: &mut [Self]) -> Option<&mut [f32]> {
        None
    }
    /// As [`Lanes::singles`], to read.
    fn as_singles(_: &[Self]) -> Option<&[f32]> {
        None
    }
}

/// Does `work` on numbers of type `T` with the machine's vectors, or one by one where that type has no loops for vectors.
fn dispatch<T: Lanes, W: WithSimd>(work: W) -> W::Output {
    if const { T::WIDE } { Arch::new().dispatch(work) } else { work.with_simd(Scalar::new()) }
}

macro_rules! floats {
    ($($ty:ty, [$($singles:tt)*], $v:ident, $splat:ident, $mul_add:ident, $add:ident, $sum:ident, $vectors:ident, $vectors_mut:ident;)*) => {$(
        impl Lanes for $ty {
            type V<S: Simd> = S::$v;
            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: Self) -> S::$v { simd.$splat(value) }
            #[inline(always)]
            fn multiply_add<S: Simd>(simd: S, a: S::$v, b: S::$v, c: S::$v) -> S::$v { simd.$mul_add(a, b, c) }
            #[inline(always)]
            fn add_vectors<S: Simd>(simd: S, a: S::$v, b: S::$v) -> S::$v { simd.$add(a, b) }
            #[inline(always)]
            fn sum<S: Simd>(simd: S, a: S::$v) -> Self { simd.$sum(a) }
            #[inline(always)]
            fn vectors<S: Simd>(slice: &[Self]) -> &[S::$v] { S::$vectors(slice).0 }
            #[inline(always)]
            fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [S::$v] { S::$vectors_mut(slice).0 }
            $($singles)*
        }
    )*};
}

floats! {
    f32, [
        fn singles(slice: &mut [f32]) -> Option<&mut [f32]> { Some(slice) }
        fn as_singles(slice: &[f32]) -> Option<&[f32]> { Some(slice) }
    ], f32s, splat_f32s, mul_add_e_f32s, add_f32s, reduce_sum_f32s, as_simd_f32s, as_mut_simd_f32s;
    f64, [], f64s, splat_f64s, mul_add_e_f64s, add_f64s, reduce_sum_f64s, as_simd_f64s, as_mut_simd_f64s;
}

impl Lanes for i32 {
    type V<S: Simd> = S::i32s;
    const WIDE: bool = false;
    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: i32) -> S::i32s {
        simd.splat_i32s(value)
    }
    #[inline(always)]
    fn multiply_add<S: Simd>(simd: S, a: S::i32s, b: S::i32s, c: S::i32s) -> S::i32s {
        Self::add_vectors(simd, simd.mul_i32s(a, b), c)
    }
    #[inline(always)]
    fn add_vectors<S: Simd>(simd: S, a: S::i32s, b: S::i32s) -> S::i32s {
        // Only unsigned vectors have addition, which is the same one.
        simd.transmute_i32s_u32s(simd.add_u32s(simd.transmute_u32s_i32s(a), simd.transmute_u32s_i32s(b)))
    }
    #[inline(always)]
    fn sum<S: Simd>(_: S, a: S::i32s) -> i32 {
        let mut numbers = [0; 16];
        S::as_mut_simd_i32s(&mut numbers).0[0] = a;
        numbers.iter().fold(0, |sum, &n| sum.wrapping_add(n))
    }
    #[inline(always)]
    fn vectors<S: Simd>(slice: &[i32]) -> &[S::i32s] {
        S::as_simd_i32s(slice).0
    }
    #[inline(always)]
    fn vectors_mut<S: Simd>(slice: &mut [i32]) -> &mut [S::i32s] {
        S::as_mut_simd_i32s(slice).0
    }
}

/// How the machine's vectors divide channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panels {
    /// Numbers in a vector.
    pub lanes: usize,
    /// Vectors in a panel, at most.
    pub most: usize,
}

impl Panels {
    /// Those of `T` on this machine.
    pub(crate) fn of<T: Lanes>() -> Panels {
        struct Ask<T>(std::marker::PhantomData<T>);
        impl<T: Lanes> WithSimd for Ask<T> {
            type Output = Panels;
            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> Panels {
                let lanes = size_of::<T::V<S>>() / size_of::<T>();
                Panels { lanes, most: if S::REGISTER_COUNT >= 32 { VECTORS } else { 2 } }
            }
        }
        dispatch::<T, _>(Ask::<T>(std::marker::PhantomData))
    }

    /// The number of vectors of each panel for so many channels.
    pub(crate) fn split(self, channels: usize) -> impl Iterator<Item = usize> + Clone {
        let mut rest = channels.div_ceil(self.lanes);
        let most = self.most;
        std::iter::from_fn(move || {
            // Two panels of about the same size are faster than a full and a narrow one.
            let now = match rest {
                0 => return None,
                rest if rest > most && rest < 2 * most => rest.div_ceil(2),
                rest => rest.min(most),
            };
            rest -= now;
            Some(now)
        })
    }

    /// Channels with those that fill up the last vector.
    pub(crate) fn width(self, channels: usize) -> usize {
        channels.next_multiple_of(self.lanes)
    }
}

/// Elements whose weights a panel's tiles share before the next ones: those weights then stay in the first-level cache.
const SHARED: usize = 128;

/// Some of the elements of windows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    /// Distance of each from the start of a window, and its number among those that have weights.
    elements: Vec<(usize, usize)>,
    /// Above all distances.
    extent: usize,
}

/// Divides the elements of lines into pieces whose weights stay in the first-level cache; there is at least one piece.
pub(crate) fn pieces(lines: &[Line]) -> Vec<Piece> {
    let total: usize = lines.iter().map(|line| line.len).sum();
    let each = total.div_ceil(total.div_ceil(SHARED).max(1)).max(1);
    let of_line = |line: &Line| (line.offset..line.offset + line.len).zip(line.number..);
    let elements: Vec<(usize, usize)> = lines.iter().flat_map(of_line).collect();
    let piece = |elements: &[(usize, usize)]| {
        let extent = elements.iter().map(|&(offset, _)| offset + 1).max().unwrap_or(0);
        Piece { elements: elements.to_vec(), extent }
    };
    if total == 0 { vec![Piece::default()] } else { elements.chunks(each).map(piece).collect() }
}

/// For each window and channel the sum over the lines' elements of their products with weights.
pub(crate) struct Windows<'a, T> {
    pub images: &'a [T],
    /// Where each window starts in the images.
    pub starts: &'a [usize],
    /// The elements, as [`pieces`] divides them.
    pub pieces: &'a [Piece],
    /// For each panel of channels, for each element: a weight for each channel of the panel.
    pub weights: &'a [T],
    /// Number of elements that have weights.
    pub depth: usize,
    pub panels: Panels,
    pub channels: usize,
    pub out: &'a mut [T],
    /// Where each window's result goes.
    pub places: &'a [usize],
}

impl<T: Lanes> Windows<'_, T> {
    /// Computes the sums.
    pub(crate) fn run(self) {
        dispatch::<T, _>(self);
    }

    /// The panel from channel `first` on: in tiles of `ROWS` windows, the last ones of `FEW` where that is enough.
    #[inline(always)]
    fn panel<S: Simd, const ROWS: usize, const FEW: usize, const N: usize>(
        &mut self,
        simd: S,
        first: usize,
        weights: &[T],
    ) {
        let weights = T::vectors::<S>(weights).as_chunks().0;
        let rest = self.starts.len() % ROWS;
        let full = self.starts.len() - if rest > FEW { 0 } else { rest };
        for piece in 0..self.pieces.len() {
            self.tiles::<S, ROWS, N>(simd, first, weights, piece, 0..full);
            self.tiles::<S, FEW, N>(simd, first, weights, piece, full..self.starts.len());
        }
    }

    /// The sums of a tile over a piece. A loop that is not within another one over the same sums: the compiler would
    /// move these to memory and back at every turn.
    #[inline(always)]
    fn sums<S: Simd, const ROWS: usize, const N: usize>(
        simd: S,
        rows: [&[T]; ROWS],
        elements: &[(usize, usize)],
        weights: &[[T::V<S>; N]],
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for &(offset, number) in elements {
            let w = &weights[number];
            for i in 0..ROWS {
                let x = T::splat(simd, rows[i][offset]);
                for v in 0..N {
                    sums[i][v] = T::multiply_add(simd, x, w[v], sums[i][v]);
                }
            }
        }
        sums
    }

    /// Sums over a piece, added to what those before have written.
    #[inline(always)]
    fn tiles<S: Simd, const ROWS: usize, const N: usize>(
        &mut self,
        simd: S,
        first: usize,
        weights: &[[T::V<S>; N]],
        piece: usize,
        range: Range<usize>,
    ) {
        let channels = (self.channels - first).min(N * self.panels.lanes);
        let (starts, places) = (&self.starts[range.clone()], &self.places[range]);
        let Piece { elements, extent } = &self.pieces[piece];
        let extent = *extent;
        for (starts, places) in starts.chunks(ROWS).zip(places.chunks(ROWS)) {
            // Rows past the last window repeat it; their sums go nowhere.
            let mut at = [0; ROWS];
            for (i, at) in at.iter_mut().enumerate() {
                *at = starts[i.min(starts.len() - 1)];
            }
            let mut rows: [&[T]; ROWS] = [&[]; ROWS];
            for i in 0..ROWS {
                rows[i] = &self.images[at[i]..][..extent];
            }
            let sums = Self::sums(simd, rows, elements, weights);
            let out = &mut self.out[first..];
            if piece == 0 {
                write::<T, S, ROWS, N>(sums, out, places, channels, |_, s| s, |_, s| s);
            } else {
                let add = |o, s| T::add_vectors(simd, o, s);
                write::<T, S, ROWS, N>(sums, out, places, channels, add, T::add);
            }
        }
    }
}

/// For each window and each of at most four channels the sum over the lines' elements of their products with weights:
/// with vectors of elements, as there are too few channels for vectors of these.
pub(crate) struct Dots<'a, T> {
    pub images: &'a [T],
    /// Where each window starts in the images.
    pub starts: &'a [usize],
    pub lines: &'a [Line],
    /// For each channel, for each element: a weight.
    pub weights: &'a [T],
    /// Number of elements that have weights.
    pub depth: usize,
    pub channels: usize,
    pub out: &'a mut [T],
    /// Where each window's result goes.
    pub places: &'a [usize],
}

impl<T: Lanes> Dots<'_, T> {
    /// Computes the sums.
    pub(crate) fn run(self) {
        dispatch::<T, _>(self);
    }

    #[inline(always)]
    fn tiles<S: Simd, const ROWS: usize, const C: usize>(&mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        for (starts, places) in self.starts.chunks(ROWS).zip(self.places.chunks(ROWS)) {
            // Rows past the last window repeat it; their sums go nowhere.
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

/// Numbers in a tile, at most.
const SPARE: usize = 512;

/// Writes or adds the sums of a tile to the rows of `out` that start at `places`. There may be fewer rows than sums, of
/// fewer than all channels.
#[inline(always)]
fn write<T: Lanes, S: Simd, const ROWS: usize, const N: usize>(
    sums: [[T::V<S>; N]; ROWS],
    out: &mut [T],
    places: &[usize],
    channels: usize,
    put: impl Fn(T::V<S>, T::V<S>) -> T::V<S>,
    put_one: impl Fn(T, T) -> T,
) {
    let width = N * size_of::<T::V<S>>() / size_of::<T>();
    // Indices of sums have to be constants for sums to be in registers.
    if channels == width && places.len() == ROWS {
        for i in 0..ROWS {
            let row = T::vectors_mut::<S>(&mut out[places[i]..][..width]);
            for v in 0..N {
                row[v] = put(row[v], sums[i][v]);
            }
        }
        return;
    }
    let mut spare = [T::zero(); SPARE];
    for (spare, sums) in T::vectors_mut::<S>(&mut spare).chunks_exact_mut(N).zip(sums) {
        spare.copy_from_slice(&sums);
    }
    for (sums, &place) in spare.chunks_exact(width).zip(places) {
        out[place..][..channels].iter_mut().zip(sums).for_each(|(o, &s)| *o = put_one(*o, s));
    }
}

impl<T: Lanes> WithSimd for Windows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (lanes, depth) = (self.panels.lanes, self.depth);
        let (mut first, mut weights) = (0, self.weights);
        for vectors in self.panels.split(self.channels) {
            let (now, rest) = weights.split_at(vectors * lanes * depth);
            match vectors {
                1 => self.panel::<S, 8, 4, 1>(simd, first, now),
                2 if self.panels.most == 2 => self.panel::<S, 5, 2, 2>(simd, first, now),
                2 => self.panel::<S, 8, 4, 2>(simd, first, now),
                3 => self.panel::<S, 8, 4, 3>(simd, first, now),
                _ => self.panel::<S, 6, 3, 4>(simd, first, now),
            }
            weights = rest;
            first += vectors * lanes;
        }
    }
}

/// For each of some elements of the windows and each channel the sum over windows of the element's products with what
/// `other` has for the window; added to a row of `out` for each element.
pub(crate) struct Elements<'a, T> {
    pub images: &'a [T],
    /// Where each window starts in the images.
    pub starts: &'a [usize],
    /// Distances of the elements from the start of a window.
    pub offsets: &'a [usize],
    /// Where each element's row of `out` starts.
    pub rows: &'a [usize],
    /// For each panel of channels, for each window: a number for each channel of the panel.
    pub other: &'a [T],
    pub panels: Panels,
    pub channels: usize,
    pub out: &'a mut [T],
}

impl<T: Lanes> Elements<'_, T> {
    /// Computes the sums.
    pub(crate) fn run(self) {
        dispatch::<T, _>(self);
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
            write::<T, S, ROWS, N>(sums, &mut self.out[first..], rows, channels, add, T::add);
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

/// Windows side by side that are computed for all channels before the next ones, in convolutions of single channels.
const SHARING: usize = 12;

/// For each of some windows in a row and each channel the sum over taps of their products with the channel's weights.
pub(crate) struct Channels<'a, T> {
    pub images: &'a [T],
    /// Distance between windows.
    pub step: usize,
    /// For each tap where it lies for the first window, and where its weights are.
    pub taps: &'a [(usize, usize)],
    pub weights: &'a [T],
    pub channels: usize,
    /// A row of channels for each window.
    pub out: &'a mut [T],
}

impl<T: Lanes> Channels<'_, T> {
    /// Computes the sums.
    pub(crate) fn run(self) {
        dispatch::<T, _>(self);
    }

    /// The sums of some windows for `N` vectors of channels.
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S, first: usize, windows: Range<usize>) {
        let mut from = windows.start;
        while from < windows.end {
            // Windows at the edges of images come alone, and rows are seldom multiples of six.
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

    /// The sums of `ROWS` windows for `N` vectors of channels. Returns the number of windows.
    #[inline(always)]
    fn tile<S: Simd, const ROWS: usize, const N: usize>(&mut self, simd: S, first: usize, from: usize) -> usize {
        let width = N * size_of::<T::V<S>>() / size_of::<T>();
        let channels = width.min(self.channels - first);
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for &(tap, weights) in self.taps {
            let w = T::vectors::<S>(&self.weights[weights + first..][..width]);
            for (i, sums) in sums.iter_mut().enumerate() {
                let at = tap + (from + i) * self.step + first;
                let x = T::vectors::<S>(&self.images[at..][..width]);
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = T::multiply_add(simd, x[v], w[v], *sum);
                }
            }
        }
        let places: [usize; ROWS] = std::array::from_fn(|i| (from + i) * self.channels);
        write::<T, S, ROWS, N>(sums, &mut self.out[first..], &places, channels, |_, s| s, |_, s| s);
        ROWS
    }

    /// The sums of fewer channels than a vector has numbers: what follows them in the images is multiplied by zeros. Returns the
    /// number of windows that this has been done for; vectors of the others would reach beyond the images.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, lanes: usize) -> usize {
        let furthest = self.taps.iter().map(|&(tap, _)| tap + lanes).max().unwrap_or(0);
        let Some(room) = self.images.len().checked_sub(furthest) else { return 0 };
        let windows = (room / self.step + 1).min(self.out.len() / self.channels);
        let mut weights = vec![T::zero(); self.taps.len() * lanes];
        let mut taps = Vec::with_capacity(self.taps.len());
        for (i, (&(tap, from), to)) in self.taps.iter().zip(weights.chunks_exact_mut(lanes)).enumerate() {
            to[..self.channels].copy_from_slice(&self.weights[from..][..self.channels]);
            taps.push((tap, i * lanes));
        }
        let (images, step, channels, out) = (self.images, self.step, self.channels, &mut *self.out);
        Channels { images, step, taps: &taps, weights: &weights, channels, out }.panel::<S, 1>(simd, 0, 0..windows);
        windows
    }
}

impl<T: Lanes> WithSimd for Channels<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let windows = self.out.len() / self.channels;
        if self.channels < lanes {
            let done = self.narrow(simd, lanes);
            return self.one_by_one(done);
        }
        // All channels of some windows before the next ones: what these share of the images then is in the nearest cache.
        for from in (0..windows).step_by(SHARING) {
            let some = from..(from + SHARING).min(windows);
            let mut first = 0;
            if some.len() < 3 {
                // Few windows need more vectors for as many sums that do not wait for each other.
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
                // The last vector begins among channels that are done: these get the same sums again.
                self.panel::<S, 1>(simd, self.channels - lanes, some);
            }
        }
    }
}

impl<T: Lanes> Channels<'_, T> {
    /// The sums of the windows from `first` on.
    #[inline(always)]
    fn one_by_one(&mut self, first: usize) {
        for (i, row) in self.out.chunks_exact_mut(self.channels).enumerate().skip(first) {
            for (c, o) in row.iter_mut().enumerate() {
                let product = |&(tap, weights): &(usize, usize)| {
                    self.images[tap + i * self.step + c].mul(self.weights[weights + c])
                };
                *o = self.taps.iter().map(product).fold(T::zero(), T::add);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_cover_the_channels() {
        for most in [2, VECTORS] {
            for lanes in [1, 4, 16] {
                let panels = Panels { lanes, most };
                for channels in 1..200 {
                    let split: Vec<usize> = panels.split(channels).collect();
                    assert!(split.iter().all(|&n| (1..=most).contains(&n)));
                    assert_eq!(split.iter().sum::<usize>() * lanes, panels.width(channels));
                }
            }
        }
    }
}
