//! The innermost loop of products and convolutions: sums of products for a few rows and a few vectors of columns, in registers.
//!
//! One factor is read where it lies, as elements at any distances from where each row starts; the other is packed by panels of
//! columns.

use super::Gemm;
pub use super::out::Out;
pub use super::strided::Strided;
use levada_kernel::stream::{line, prefetch_later};
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::ops::Range;

/// Vectors of columns in a tile, at most.
pub const VECTORS: usize = 4;

/// Numbers that start where a line of the cache does, as vectors should.
pub struct Aligned<T> {
    numbers: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Lanes> Aligned<T> {
    const BYTES: usize = 64;

    /// Zeros.
    pub fn zeros(len: usize) -> Aligned<T> {
        Self::within(vec![T::zero(); len + Self::BYTES / size_of::<T>()], len)
    }

    /// Zeros; `None` where the system has no memory for them.
    pub fn try_zeros(len: usize) -> Option<Aligned<T>> {
        let all = len.checked_add(Self::BYTES / size_of::<T>())?;
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(all).ok()?;
        numbers.resize(all, T::zero());
        Some(Self::within(numbers, len))
    }

    fn within(numbers: Vec<T>, len: usize) -> Aligned<T> {
        let spare = Self::BYTES / size_of::<T>();
        let start = numbers.as_ptr().align_offset(Self::BYTES).min(spare);
        Aligned { numbers, start, len }
    }

    /// The numbers.
    pub fn slice(&self) -> &[T] {
        &self.numbers[self.start..][..self.len]
    }

    /// The numbers, to change.
    pub fn slice_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.start..][..self.len]
    }
}

/// Elements side by side that belong to every window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Distance of the first from the start of the window.
    pub offset: usize,
    /// Number of the first among the elements that have weights.
    pub number: usize,
    /// Number of elements.
    pub len: usize,
}

/// A number of which vectors can be multiplied and added.
pub trait Lanes: Gemm {
    /// A vector of these numbers.
    type V<S: Simd>: Copy;
    /// True where loops are compiled for every width of vectors.
    const WIDE: bool = true;
    /// A vector of equal numbers.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::V<S>;
    /// `a * b + c`
    fn multiply_add<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>, c: Self::V<S>) -> Self::V<S>;
    /// `a + b`
    fn add_vectors<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>) -> Self::V<S>;
    /// The sum of a vector's numbers.
    fn sum<S: Simd>(simd: S, a: Self::V<S>) -> Self;
    /// The whole vectors that the numbers make.
    fn vectors<S: Simd>(slice: &[Self]) -> &[Self::V<S>];
    /// As [`Lanes::vectors`], to change.
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
pub fn dispatch<T: Lanes, W: WithSimd>(work: W) -> W::Output {
    if const { T::WIDE } { Arch::new().dispatch(work) } else { work.with_simd(Scalar::new()) }
}

/// As [`dispatch`], with vectors of as many numbers as those of `panels`.
pub fn dispatch_for<T: Lanes, W: WithSimd>(panels: Panels, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if panels.lanes * size_of::<T>() == HALF
        && let Some(simd) = pulp::x86::V3::try_new()
    {
        return Simd::vectorize(simd, work);
    }
    dispatch::<T, _>(work)
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

/// Bytes of a vector that is half as large as the largest ones.
const HALF: usize = 32;

/// How the machine's vectors divide columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// Numbers in a vector.
    pub lanes: usize,
    /// Vectors in a panel, at most.
    pub most: usize,
}

impl Panels {
    /// Those of `T` on this machine.
    pub fn of<T: Lanes>() -> Panels {
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

    /// Those of `T` on this machine for so few columns: in vectors of half the size where these hold them all. Processors compute as many
    /// numbers in that time with these, and none for nothing.
    pub fn of_columns<T: Lanes>(columns: usize) -> Panels {
        let panels = Panels::of::<T>();
        if panels.lanes * size_of::<T>() == 2 * HALF && 2 * columns <= panels.lanes {
            return Panels { lanes: panels.lanes / 2, most: 2 };
        }
        panels
    }

    /// The number of vectors of each panel for so many columns.
    pub fn split(self, columns: usize) -> impl Iterator<Item = usize> + Clone {
        let mut rest = columns.div_ceil(self.lanes);
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
    pub fn width(self, columns: usize) -> usize {
        columns.next_multiple_of(self.lanes)
    }
}

/// Elements whose weights a panel's tiles share before the next ones: those weights then stay in the nearest caches.
const SHARED: usize = 1024;

/// Some of the elements of windows.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// Distance of each from the start of a window, and its number among those that have weights.
    elements: Vec<(usize, usize)>,
    /// Above all distances.
    extent: usize,
}

/// Divides the elements of lines into pieces whose weights stay in the first-level cache; there is at least one piece.
pub fn pieces(lines: &[Line]) -> Vec<Piece> {
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

/// As [`pieces`] of one line of `len` elements that are `step` apart.
pub fn strided(len: usize, step: usize) -> Vec<Piece> {
    let mut pieces = pieces(&[Line { offset: 0, number: 0, len }]);
    for Piece { elements, extent } in pieces.iter_mut().filter(|_| step != 1) {
        elements.iter_mut().for_each(|(offset, _)| *offset *= step);
        *extent = elements.iter().map(|&(offset, _)| offset + 1).max().unwrap_or(0);
    }
    pieces
}

/// For each row and column the sum over the row's elements of their products with weights.
pub struct Sums<'a, T> {
    /// What holds the rows.
    pub from: &'a [T],
    /// Where each row starts.
    pub starts: &'a [usize],
    /// The elements, as [`pieces`] divides them.
    pub pieces: &'a [Piece],
    /// For each panel of columns, for each element: a weight for each column of the panel.
    pub weights: &'a [T],
    /// Number of elements that have weights.
    pub depth: usize,
    /// How the columns are divided.
    pub panels: Panels,
    /// Number of columns.
    pub columns: usize,
    /// The sums.
    pub out: Out<'a, T>,
    /// Where the sums of each row begin.
    pub places: &'a [usize],
    /// Adds to what is there.
    pub add: bool,
    /// What is read after this, and comes from far memory.
    pub ahead: Option<Ahead<'a, T>>,
}

/// Rows of a matrix that are brought to the second cache, a line at every element of a tile's sums.
#[derive(Clone, Copy)]
pub struct Ahead<'a, T> {
    /// From the first number of the first row on.
    pub numbers: &'a [T],
    /// Numbers from row to row.
    pub row: usize,
    /// Rows that are not yet brought.
    pub rows: usize,
}

impl<T> Ahead<'_, T> {
    /// Cache lines of a row.
    pub const LINES: usize = 4;

    /// Brings what `elements` elements of a tile have time for: the next ones bring what comes after that.
    #[inline(always)]
    fn advance(&mut self, elements: usize) {
        let rows = elements / Self::LINES;
        self.rows = self.rows.saturating_sub(rows);
        self.numbers = self.numbers.get(rows * self.row..).unwrap_or_default();
    }

    #[inline(always)]
    fn fetch(&self, element: usize) {
        let (row, line_at) = (element / Self::LINES, element % Self::LINES);
        if row < self.rows {
            prefetch_later(self.numbers, row * self.row + line_at * line::<T>());
        }
    }
}

impl<T: Lanes> Sums<'_, T> {
    /// Computes the sums.
    pub fn run(self) {
        dispatch_for::<T, _>(self.panels, self);
    }

    /// The panel from column `first` on: in tiles of `ROWS` rows, the last ones of `SOME` or `FEW` where those are enough.
    #[inline(always)]
    fn panel<S: Simd, const ROWS: usize, const SOME: usize, const FEW: usize, const N: usize, const AHEAD: bool>(
        &mut self,
        simd: S,
        first: usize,
        weights: &[T],
    ) {
        let weights = T::vectors::<S>(weights).as_chunks().0;
        let rest = self.starts.len() % ROWS;
        let full = self.starts.len() - if rest > SOME { 0 } else { rest };
        for piece in 0..self.pieces.len() {
            self.tiles::<S, ROWS, N, AHEAD>(simd, first, weights, piece, 0..full);
            match full..self.starts.len() {
                rest if rest.len() > FEW => self.tiles::<S, SOME, N, AHEAD>(simd, first, weights, piece, rest),
                rest => self.tiles::<S, FEW, N, AHEAD>(simd, first, weights, piece, rest),
            }
        }
    }

    /// The sums of a tile over a piece. A loop that is not within another one over the same sums: the compiler would
    /// move these to memory and back at every turn.
    #[inline(always)]
    fn sums<S: Simd, const ROWS: usize, const N: usize, const AHEAD: bool>(
        simd: S,
        rows: [&[T]; ROWS],
        elements: &[(usize, usize)],
        weights: &[[T::V<S>; N]],
        ahead: Ahead<'_, T>,
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for (at, &(offset, number)) in elements.iter().enumerate() {
            if AHEAD {
                ahead.fetch(at);
            }
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
    fn tiles<S: Simd, const ROWS: usize, const N: usize, const AHEAD: bool>(
        &mut self,
        simd: S,
        first: usize,
        weights: &[[T::V<S>; N]],
        piece: usize,
        range: Range<usize>,
    ) {
        let channels = (self.columns - first).min(N * self.panels.lanes);
        let (starts, places) = (&self.starts[range.clone()], &self.places[range]);
        let Piece { elements, extent } = &self.pieces[piece];
        let extent = *extent;
        for (starts, places) in starts.chunks(ROWS).zip(places.chunks(ROWS)) {
            // Rows past the last one repeat it; their sums go nowhere.
            let mut at = [0; ROWS];
            for (i, at) in at.iter_mut().enumerate() {
                *at = starts[i.min(starts.len() - 1)];
            }
            let mut rows: [&[T]; ROWS] = [&[]; ROWS];
            for i in 0..ROWS {
                rows[i] = &self.from[at[i]..][..extent];
            }
            let mut ahead = self.ahead.unwrap_or(Ahead { numbers: &[], row: 0, rows: 0 });
            let sums = Self::sums::<S, ROWS, N, AHEAD>(simd, rows, elements, weights, ahead);
            if AHEAD {
                ahead.advance(elements.len());
                self.ahead = Some(ahead);
            }
            let at = (first, places, channels);
            if piece == 0 && !self.add {
                write::<T, S, ROWS, N>(sums, &mut self.out, at, |_, s| s, |_, s| s);
            } else {
                let add = |o, s| T::add_vectors(simd, o, s);
                write::<T, S, ROWS, N>(sums, &mut self.out, at, add, T::add);
            }
        }
    }
}

/// Numbers in a tile, at most.
const SPARE: usize = 512;

/// Writes or adds the sums of a tile to so many channels, from channel `first` on, of the rows of `out` that start at `places`. There
/// may be fewer rows than sums, of fewer than all channels.
#[inline(always)]
pub fn write<T: Lanes, S: Simd, const ROWS: usize, const N: usize>(
    sums: [[T::V<S>; N]; ROWS],
    out: &mut Out<'_, T>,
    (first, places, channels): (usize, &[usize], usize),
    put: impl Fn(T::V<S>, T::V<S>) -> T::V<S>,
    put_one: impl Fn(T, T) -> T,
) {
    let width = N * size_of::<T::V<S>>() / size_of::<T>();
    // Indices of sums have to be constants for sums to be in registers.
    if channels == width && places.len() == ROWS {
        for i in 0..ROWS {
            let row = T::vectors_mut::<S>(out.row(first + places[i], width));
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
        out.row(first + place, channels).iter_mut().zip(sums).for_each(|(o, &s)| *o = put_one(*o, s));
    }
}

impl<T: Lanes> WithSimd for Sums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (lanes, depth) = (self.panels.lanes, self.depth);
        let (mut first, mut weights) = (0, self.weights);
        for vectors in self.panels.split(self.columns) {
            let (now, rest) = weights.split_at(vectors * lanes * depth);
            match vectors {
                1 => self.panel::<S, 8, 4, 2, 1, false>(simd, first, now),
                2 if self.panels.most == 2 => self.panel::<S, 5, 3, 1, 2, false>(simd, first, now),
                2 => self.panel::<S, 8, 4, 2, 2, false>(simd, first, now),
                3 => self.panel::<S, 8, 4, 2, 3, false>(simd, first, now),
                _ if self.ahead.is_some() => self.panel::<S, 6, 4, 2, 4, true>(simd, first, now),
                _ => self.panel::<S, 6, 4, 2, 4, false>(simd, first, now),
            }
            weights = rest;
            first += vectors * lanes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_cover_the_columns() {
        for most in [2, VECTORS] {
            for lanes in [1, 4, 16] {
                let panels = Panels { lanes, most };
                for columns in 1..200 {
                    let split: Vec<usize> = panels.split(columns).collect();
                    assert!(split.iter().all(|&n| (1..=most).contains(&n)));
                    assert_eq!(split.iter().sum::<usize>() * lanes, panels.width(columns));
                }
            }
        }
    }
}
