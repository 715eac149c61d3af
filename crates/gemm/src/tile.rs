//! The innermost loop of products and convolutions: sums of products for a few rows and a few vectors of columns, held
//! in registers.
//!
//! One factor is read in place, as elements at arbitrary distances from the start of each row; the other is packed by
//! panels of columns.

pub use super::out::Out;
pub use super::strided::Strided;
use super::windows;
use super::{Ending, Gemm};
use levada_kernel::stream::{line, prefetch_later};
use pulp::{Arch, Scalar, Simd, WithSimd};
use std::ops::Range;

/// Maximum number of vectors of columns in a tile.
pub const VECTORS: usize = 4;

/// Elements aligned to a cache line, as vectors should be.
pub struct Aligned<T> {
    numbers: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Lanes> Aligned<T> {
    const BYTES: usize = 64;

    /// A slice of zeros.
    pub fn zeros(len: usize) -> Aligned<T> {
        Self::within(vec![T::zero(); len + Self::BYTES / size_of::<T>()], len)
    }

    /// A slice of zeros; `None` if there is not enough memory.
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

    /// The elements.
    pub fn slice(&self) -> &[T] {
        &self.numbers[self.start..][..self.len]
    }

    /// The elements, mutable.
    pub fn slice_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.start..][..self.len]
    }
}

/// Contiguous elements that belong to every window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Distance of the first from the start of the window.
    pub offset: usize,
    /// Number of the first among the elements that have weights.
    pub number: usize,
    /// Number of elements.
    pub len: usize,
}

/// An element type with vector multiplication and addition.
pub trait Lanes: Gemm {
    /// A vector of these elements.
    type V<S: Simd>: Copy;
    /// True if loops are compiled for every vector width.
    const WIDE: bool = true;
    /// A vector of equal elements.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::V<S>;
    /// `a * b + c`
    fn multiply_add<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>, c: Self::V<S>) -> Self::V<S>;
    /// `a + b`
    fn add_vectors<S: Simd>(simd: S, a: Self::V<S>, b: Self::V<S>) -> Self::V<S>;
    /// The sum of a vector's elements.
    fn sum<S: Simd>(simd: S, a: Self::V<S>) -> Self;
    /// The slice as vectors; elements past the last whole vector are left out.
    fn vectors<S: Simd>(slice: &[Self]) -> &[Self::V<S>];
    /// Same as [`Lanes::vectors`], mutable.
    fn vectors_mut<S: Simd>(slice: &mut [Self]) -> &mut [Self::V<S>];
    /// A vector of the elements of a slice, which are fewer, and others.
    fn load_part<S: Simd>(simd: S, slice: &[Self]) -> Self::V<S>;
    /// Writes the first elements of a vector to a slice, which has fewer.
    fn store_part<S: Simd>(simd: S, slice: &mut [Self], a: Self::V<S>);
    /// True for a type that may have an [`Ending`]; the next four are for such types.
    const ENDS: bool = false;
    /// `a * b`
    fn multiply_vectors<S: Simd>(_: S, a: Self::V<S>, _: Self::V<S>) -> Self::V<S> {
        a
    }
    /// `least` where `a` is less, else `a`.
    fn at_least<S: Simd>(_: S, a: Self::V<S>, _: Self::V<S>) -> Self::V<S> {
        a
    }
    /// `most` where `a` is greater, else `a`.
    fn at_most<S: Simd>(_: S, a: Self::V<S>, _: Self::V<S>) -> Self::V<S> {
        a
    }
    /// `a` where that is positive, else `slope * a`.
    fn leaky<S: Simd>(_: S, a: Self::V<S>, _: Self::V<S>) -> Self::V<S> {
        a
    }
    /// An ending of this type, if it may have one.
    fn ending(_: Ending<'_, f32>) -> Option<Ending<'_, Self>> {
        None
    }
    /// The elements as `f32` if that is their type.
    fn singles(_: &mut [Self]) -> Option<&mut [f32]> {
        None
    }
    /// Same as [`Lanes::singles`], read-only.
    fn as_singles(_: &[Self]) -> Option<&[f32]> {
        None
    }
    /// Runs the loops of [`Sums::run`], as the next ones do those of [`windows`]. They are methods of the type so that they
    /// are compiled in this crate, once, and not in those that call them.
    fn sums(work: Sums<'_, Self>);
    /// See [`Lanes::sums`].
    fn dots(work: windows::Dots<'_, Self>);
    /// See [`Lanes::sums`].
    fn elements(work: windows::Elements<'_, Self>);
    /// See [`Lanes::sums`].
    fn channels(work: windows::Channels<'_, Self>);
    /// See [`Lanes::sums`].
    fn spread(work: windows::Spread<'_, Self>);
    /// See [`Lanes::sums`].
    fn filters(work: windows::Filters<'_, Self>);
}

/// Runs `work` on elements of type `T` with the machine's vectors, or one by one if the type has no vector loops.
pub fn dispatch<T: Lanes, W: WithSimd>(work: W) -> W::Output {
    if const { T::WIDE } { Arch::new().dispatch(work) } else { work.with_simd(Scalar::new()) }
}

/// Same as [`dispatch`], with vectors of as many elements as those of `panels`.
pub fn dispatch_for<T: Lanes, W: WithSimd>(panels: Panels, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if panels.lanes * size_of::<T>() == HALF
        && let Some(simd) = pulp::x86::V3::try_new()
    {
        return Simd::vectorize(simd, work);
    }
    dispatch::<T, _>(work)
}

/// The loops for one type.
macro_rules! loops {
    ($ty:ty) => {
        fn sums(work: Sums<'_, $ty>) {
            dispatch_for::<$ty, _>(work.panels, work);
        }
        fn dots(work: windows::Dots<'_, $ty>) {
            dispatch::<$ty, _>(work);
        }
        fn elements(work: windows::Elements<'_, $ty>) {
            dispatch_for::<$ty, _>(work.panels, work);
        }
        fn channels(work: windows::Channels<'_, $ty>) {
            dispatch::<$ty, _>(work);
        }
        fn spread(work: windows::Spread<'_, $ty>) {
            dispatch::<$ty, _>(work);
        }
        fn filters(work: windows::Filters<'_, $ty>) {
            dispatch::<$ty, _>(work);
        }
    };
}

/// True if the vector maximum and minimum of this architecture return their second operand unless the first one is greater,
/// or less: of zeros of both signs and of NaN they return the second.
const COMPARES: bool = cfg!(target_arch = "x86_64");

macro_rules! floats {
    ($($ty:ty, [$($singles:tt)*], $v:ident, $splat:ident, $mul_add:ident, $add:ident, $sum:ident, $vectors:ident, $vectors_mut:ident, $load_part:ident,
        $store_part:ident;)*) => {$(
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
            #[inline(always)]
            fn load_part<S: Simd>(simd: S, slice: &[Self]) -> S::$v { simd.$load_part(slice) }
            #[inline(always)]
            fn store_part<S: Simd>(simd: S, slice: &mut [Self], a: S::$v) { simd.$store_part(slice, a) }
            $($singles)*
            loops!($ty);
        }
    )*};
}

floats! {
    f32, [
        fn singles(slice: &mut [f32]) -> Option<&mut [f32]> { Some(slice) }
        fn as_singles(slice: &[f32]) -> Option<&[f32]> { Some(slice) }
        const ENDS: bool = true;
        #[inline(always)]
        fn multiply_vectors<S: Simd>(simd: S, a: S::f32s, b: S::f32s) -> S::f32s { simd.mul_f32s(a, b) }
        #[inline(always)]
        fn at_least<S: Simd>(simd: S, a: S::f32s, least: S::f32s) -> S::f32s {
            match const { COMPARES && !S::IS_SCALAR } {
                true => simd.max_f32s(least, a),
                false => simd.select_f32s(simd.less_than_f32s(a, least), least, a),
            }
        }
        #[inline(always)]
        fn at_most<S: Simd>(simd: S, a: S::f32s, most: S::f32s) -> S::f32s {
            match const { COMPARES && !S::IS_SCALAR } {
                true => simd.min_f32s(most, a),
                false => simd.select_f32s(simd.greater_than_f32s(a, most), most, a),
            }
        }
        #[inline(always)]
        fn leaky<S: Simd>(simd: S, a: S::f32s, slope: S::f32s) -> S::f32s {
            simd.select_f32s(simd.greater_than_f32s(a, simd.splat_f32s(0.0)), a, simd.mul_f32s(slope, a))
        }
        fn ending(ending: Ending<'_, f32>) -> Option<Ending<'_, f32>> { Some(ending) }
    ], f32s, splat_f32s, mul_add_e_f32s, add_f32s, reduce_sum_f32s, as_simd_f32s, as_mut_simd_f32s, partial_load_f32s,
    partial_store_f32s;
    f64, [], f64s, splat_f64s, mul_add_e_f64s, add_f64s, reduce_sum_f64s, as_simd_f64s, as_mut_simd_f64s, partial_load_f64s,
    partial_store_f64s;
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
        // Only unsigned vectors have addition, which is the same operation.
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
    #[inline(always)]
    fn load_part<S: Simd>(simd: S, slice: &[i32]) -> S::i32s {
        simd.partial_load_i32s(slice)
    }
    #[inline(always)]
    fn store_part<S: Simd>(simd: S, slice: &mut [i32], a: S::i32s) {
        simd.partial_store_i32s(slice, a);
    }
    loops!(i32);
}

/// Bytes of a vector half as large as the largest ones.
const HALF: usize = 32;

/// How columns are divided into the machine's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// Elements per vector.
    pub lanes: usize,
    /// Maximum number of vectors in a panel.
    pub most: usize,
}

impl Panels {
    /// The division for `T` on this machine.
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

    /// The division for `T` on this machine for a few columns: half-size vectors if these hold them all. Processors
    /// compute at the same rate with these, and no lanes are wasted.
    pub fn of_columns<T: Lanes>(columns: usize) -> Panels {
        let panels = Panels::of::<T>();
        if panels.lanes * size_of::<T>() == 2 * HALF && 2 * columns <= panels.lanes {
            return Panels { lanes: panels.lanes / 2, most: 2 };
        }
        panels
    }

    /// The number of vectors of each panel for this many columns.
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

    /// The number of columns, padded to whole vectors.
    pub fn width(self, columns: usize) -> usize {
        columns.next_multiple_of(self.lanes)
    }
}

/// Elements of a line for which it pays to begin a loop.
const LINE: usize = 12;
/// Elements whose weights a panel's tiles share before the next ones: these weights then stay in the nearest caches.
const SHARED: usize = 1024;

/// Some of the elements of windows.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// The distance of each from the start of a window, and its number among those that have weights.
    elements: Vec<(usize, usize)>,
    /// An upper bound of all distances.
    extent: usize,
    /// The elements again, if they are equally spaced.
    spaced: Option<Spaced>,
    /// The elements again, if they are a few lines of adjacent ones.
    lines: Vec<Spaced>,
}

/// Equally spaced elements with consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Spaced {
    offset: usize,
    step: usize,
    number: usize,
    len: usize,
}

impl Piece {
    fn new(elements: Vec<(usize, usize)>) -> Piece {
        let extent = elements.iter().map(|&(offset, _)| offset + 1).max().unwrap_or(0);
        let spaced = match elements[..] {
            [(offset, number), (next, _), ..] if next >= offset => {
                let step = next - offset;
                let is_next = |(i, &at): (usize, &(usize, usize))| at == (offset + i * step, number + i);
                let len = elements.len();
                elements.iter().enumerate().all(is_next).then_some(Spaced { offset, step, number, len })
            }
            _ => None,
        };
        let mut lines: Vec<Spaced> = Vec::new();
        for &(offset, number) in &elements {
            match lines.last_mut() {
                Some(line) if (offset, number) == (line.offset + line.len, line.number + line.len) => line.len += 1,
                _ => lines.push(Spaced { offset, step: 1, number, len: 1 }),
            }
        }
        if lines.len() * LINE > elements.len() {
            lines.clear();
        }
        Piece { elements, extent, spaced, lines }
    }
}

/// Divides the elements of lines into pieces whose weights stay in the first-level cache; there is at least one piece.
pub fn pieces(lines: &[Line]) -> Vec<Piece> {
    let total: usize = lines.iter().map(|line| line.len).sum();
    let each = total.div_ceil(total.div_ceil(SHARED).max(1)).max(1);
    let of_line = |line: &Line| (line.offset..line.offset + line.len).zip(line.number..);
    let elements: Vec<(usize, usize)> = lines.iter().flat_map(of_line).collect();
    if total == 0 {
        return vec![Piece::default()];
    }
    elements.chunks(each).map(|elements| Piece::new(elements.to_vec())).collect()
}

/// Same as [`pieces`], for one line of `len` elements that are `step` apart.
pub fn strided(len: usize, step: usize) -> Vec<Piece> {
    let spread = |piece: Piece| match step {
        1 => piece,
        step => Piece::new(piece.elements.into_iter().map(|(offset, number)| (offset * step, number)).collect()),
    };
    pieces(&[Line { offset: 0, number: 0, len }]).into_iter().map(spread).collect()
}

/// For each row and column, the sum of the products of the row's elements and their weights.
pub struct Sums<'a, T> {
    /// The memory that contains the rows.
    pub from: &'a [T],
    /// Where each row starts.
    pub starts: &'a [usize],
    /// The elements, divided by [`pieces`].
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
    /// True to add to the existing values.
    pub add: bool,
    /// Memory that is read next and is to be prefetched.
    pub ahead: Option<Ahead<'a, T>>,
    /// What the sums go through before they are written; only for a single piece and without `add`.
    pub ending: Option<Ending<'a, T>>,
}

/// Rows of a matrix that are prefetched into the second-level cache, one line for every element of a tile's sums.
#[derive(Clone, Copy)]
pub struct Ahead<'a, T> {
    /// The elements, starting with the first row.
    pub numbers: &'a [T],
    /// Elements from row to row.
    pub row: usize,
    /// Rows still to be prefetched.
    pub rows: usize,
}

impl<T> Ahead<'_, T> {
    /// Cache lines of a row.
    pub const LINES: usize = 4;

    /// Contiguous elements.
    fn of_all(numbers: &[T]) -> Ahead<'_, T> {
        let row = Self::LINES * line::<T>();
        Ahead { numbers, row, rows: numbers.len().div_ceil(row) }
    }

    /// Advances past what `elements` elements of a tile have time to prefetch.
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
        T::sums(self);
    }

    /// True if the rows follow each other in memory that is too large for the caches, so that those of the next
    /// tile are worth prefetching: the processor itself does not see that the rows of a tile go on in the next one.
    fn is_far(&self) -> bool {
        let [Piece { extent, spaced: Some(Spaced { step: 1, .. }), .. }] = self.pieces else { return false };
        self.ahead.is_none()
            && self.from.len() >= FAR
            && self.starts.windows(2).all(|pair| pair[0] + *extent == pair[1])
    }

    /// The panel that starts at column `first`: in tiles of `ROWS` rows, the last ones of `SOME` or `FEW` if those are
    /// enough.
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

    /// The sums of a tile over a piece. The loop is not nested in another one over the same sums: the compiler would
    /// spill these to memory in every iteration.
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

    /// Same as [`Sums::sums`], for equally spaced elements: looking up where each one is would take a considerable part of
    /// the time.
    #[inline(always)]
    fn sums_of_spaced<S: Simd, const ROWS: usize, const N: usize, const AHEAD: bool>(
        simd: S,
        rows: [&[T]; ROWS],
        at: Spaced,
        weights: &[[T::V<S>; N]],
        ahead: Ahead<'_, T>,
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        let rows = rows.map(|row| Strided::new(&row[at.offset..], at.len, at.step, 1));
        for (element, w) in weights[at.number..][..at.len].iter().enumerate() {
            if AHEAD {
                ahead.fetch(element);
            }
            let x = std::array::from_fn(|i| rows[i].row(element)[0]);
            Self::add_products(simd, x, w, &mut sums);
        }
        sums
    }

    /// Same as [`Sums::sums`], for lines of adjacent elements, `UNROLLED` of which are multiplied before the loop goes on.
    #[inline(always)]
    fn sums_of_lines<S: Simd, const ROWS: usize, const N: usize, const UNROLLED: usize, const AHEAD: bool>(
        simd: S,
        rows: [&[T]; ROWS],
        lines: &[Spaced],
        weights: &[[T::V<S>; N]],
        ahead: Ahead<'_, T>,
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for line in lines {
            let (blocks, rest) = weights[line.number..][..line.len].as_chunks::<UNROLLED>();
            let mut heads: [&[[T; UNROLLED]]; ROWS] = [&[]; ROWS];
            let mut tails: [&[T]; ROWS] = [&[]; ROWS];
            for i in 0..ROWS {
                let (head, tail) = rows[i][line.offset..][..line.len].as_chunks::<UNROLLED>();
                (heads[i], tails[i]) = (&head[..blocks.len()], &tail[..rest.len()]);
            }
            for (block, weights) in blocks.iter().enumerate() {
                if AHEAD {
                    (0..UNROLLED).for_each(|j| ahead.fetch(line.number + block * UNROLLED + j));
                }
                for (j, w) in weights.iter().enumerate() {
                    let x = std::array::from_fn(|i| heads[i][block][j]);
                    Self::add_products(simd, x, w, &mut sums);
                }
            }
            for (j, w) in rest.iter().enumerate() {
                Self::add_products(simd, std::array::from_fn(|i| tails[i][j]), w, &mut sums);
            }
        }
        sums
    }

    /// Same as [`Sums::sums_of_spaced`], for rows that are packed next to each other: each of these arrays has an element
    /// of every row.
    #[inline(always)]
    fn sums_of_slab<S: Simd, const ROWS: usize, const N: usize, const AHEAD: bool>(
        simd: S,
        slab: &[[T; ROWS]],
        weights: &[[T::V<S>; N]],
        ahead: Ahead<'_, T>,
    ) -> [[T::V<S>; N]; ROWS] {
        let mut sums = [[T::splat(simd, T::zero()); N]; ROWS];
        for (element, (x, w)) in slab.iter().zip(weights).enumerate() {
            if AHEAD {
                ahead.fetch(element);
            }
            Self::add_products(simd, *x, w, &mut sums);
        }
        sums
    }

    /// Adds the products of an element of each row and its weights.
    #[inline(always)]
    fn add_products<S: Simd, const ROWS: usize, const N: usize>(
        simd: S,
        x: [T; ROWS],
        w: &[T::V<S>; N],
        sums: &mut [[T::V<S>; N]; ROWS],
    ) {
        for i in 0..ROWS {
            let x = T::splat(simd, x[i]);
            for v in 0..N {
                sums[i][v] = T::multiply_add(simd, x, w[v], sums[i][v]);
            }
        }
    }

    /// Sums over a piece, added to those of the pieces before.
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
        let Piece { elements, extent, spaced, lines } = &self.pieces[piece];
        let extent = *extent;
        let followers = starts.iter().skip(ROWS).step_by(ROWS).map(Some).chain(std::iter::repeat(None));
        for ((starts, places), next) in starts.chunks(ROWS).zip(places.chunks(ROWS)).zip(followers) {
            // Rows past the last one repeat it; their sums are discarded.
            let mut at = [0; ROWS];
            for (i, at) in at.iter_mut().enumerate() {
                *at = starts[i.min(starts.len() - 1)];
            }
            let mut rows: [&[T]; ROWS] = [&[]; ROWS];
            for i in 0..ROWS {
                rows[i] = &self.from[at[i]..][..extent];
            }
            // It may have left the nearest caches since it was last written.
            if piece > 0 || self.add {
                for &place in places {
                    (0..channels).step_by(line::<T>()).for_each(|at| self.out.prefetch(first + place + at));
                }
            }
            let nothing = Ahead { numbers: &[], row: 0, rows: 0 };
            let mut ahead = match (self.ahead, next) {
                (Some(ahead), _) => ahead,
                (None, Some(&next)) if AHEAD => {
                    let rest = &self.from[next..];
                    Ahead::of_all(&rest[..rest.len().min(ROWS * extent)])
                }
                _ => nothing,
            };
            let is_slab = || at.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let sums = match spaced {
                _ if const { S::IS_SCALAR } => Self::sums::<S, ROWS, N, AHEAD>(simd, rows, elements, weights, ahead),
                // The compiler would spill sums of the largest tiles to have the weights of several elements in registers.
                _ if !lines.is_empty() && const { S::REGISTER_COUNT >= 32 && (ROWS + 4) * N > 28 } => {
                    Self::sums_of_lines::<S, ROWS, N, 1, AHEAD>(simd, rows, lines, weights, ahead)
                }
                _ if !lines.is_empty() => {
                    Self::sums_of_lines::<S, ROWS, N, 4, AHEAD>(simd, rows, lines, weights, ahead)
                }
                Some(spaced) if spaced.step == ROWS && is_slab() => {
                    let slab = self.from[at[0] + spaced.offset..].as_chunks().0;
                    let weights = &weights[spaced.number..][..spaced.len];
                    Self::sums_of_slab::<S, ROWS, N, AHEAD>(simd, &slab[..spaced.len], weights, ahead)
                }
                Some(at) => Self::sums_of_spaced::<S, ROWS, N, AHEAD>(simd, rows, *at, weights, ahead),
                None => Self::sums::<S, ROWS, N, AHEAD>(simd, rows, elements, weights, ahead),
            };
            if AHEAD && self.ahead.is_some() {
                ahead.advance(elements.len());
                self.ahead = Some(ahead);
            }
            let at = (first, places, channels);
            let sums = match &self.ending {
                Some(ending) if const { T::ENDS } => ending.apply(simd, first, sums),
                _ => sums,
            };
            if piece == 0 && !self.add {
                write::<T, S, ROWS, N>(simd, sums, &mut self.out, at, |_, s| s);
            } else {
                let add = |o, s| T::add_vectors(simd, o, s);
                write::<T, S, ROWS, N>(simd, sums, &mut self.out, at, add);
            }
        }
    }
}

/// Elements that do not stay in any cache.
const FAR: usize = 1 << 21;

/// Maximum number of elements in a tile.
const SPARE: usize = 512;

/// Writes or adds the sums of a tile to `channels` channels, starting at `first`, of the rows of `out` that start at
/// `places`. There may be fewer rows, and fewer channels, than sums.
#[inline(always)]
pub fn write<T: Lanes, S: Simd, const ROWS: usize, const N: usize>(
    simd: S,
    sums: [[T::V<S>; N]; ROWS],
    out: &mut Out<'_, T>,
    (first, places, channels): (usize, &[usize], usize),
    put: impl Fn(T::V<S>, T::V<S>) -> T::V<S>,
) {
    let width = N * size_of::<T::V<S>>() / size_of::<T>();
    // Indices of sums have to be constants so that the sums stay in registers. Only the last vector of a row may be
    // written in part.
    let lanes = width / N;
    let is_last_whole = channels == width;
    if places.len() == ROWS && channels + lanes > width {
        for i in 0..ROWS {
            let (vectors, rest) = out.row(first + places[i], channels).split_at_mut(width - lanes);
            let vectors = T::vectors_mut::<S>(vectors);
            for v in 0..N - 1 {
                vectors[v] = put(vectors[v], sums[i][v]);
            }
            if is_last_whole {
                let last = &mut T::vectors_mut::<S>(rest)[0];
                *last = put(*last, sums[i][N - 1]);
            } else {
                let last = put(T::load_part(simd, rest), sums[i][N - 1]);
                T::store_part(simd, rest, last);
            }
        }
        return;
    }
    let mut spare = [T::zero(); SPARE];
    for (spare, sums) in T::vectors_mut::<S>(&mut spare).chunks_exact_mut(N).zip(sums) {
        spare.copy_from_slice(&sums);
    }
    let whole = channels - channels % lanes;
    for (sums, &place) in T::vectors::<S>(&spare).chunks_exact(N).zip(places) {
        let (vectors, rest) = out.row(first + place, channels).split_at_mut(whole);
        let vectors = T::vectors_mut::<S>(vectors);
        for (o, &s) in vectors.iter_mut().zip(sums) {
            *o = put(*o, s);
        }
        if !rest.is_empty() {
            let last = put(T::load_part(simd, rest), sums[vectors.len()]);
            T::store_part(simd, rest, last);
        }
    }
}

impl<T: Lanes> WithSimd for Sums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (lanes, depth) = (self.panels.lanes, self.depth);
        let (mut first, mut weights) = (0, self.weights);
        let is_far = self.is_far();
        for vectors in self.panels.split(self.columns) {
            let (now, rest) = weights.split_at(vectors * lanes * depth);
            // Without many registers a panel has at most two vectors, and nothing else is compiled.
            if const { S::REGISTER_COUNT >= 32 } {
                match vectors {
                    1 if first == 0 && is_far => self.panel::<S, 8, 4, 2, 1, true>(simd, first, now),
                    2 if first == 0 && is_far => self.panel::<S, 8, 4, 2, 2, true>(simd, first, now),
                    3 if first == 0 && is_far => self.panel::<S, 8, 4, 2, 3, true>(simd, first, now),
                    _ if first == 0 && is_far => self.panel::<S, 6, 4, 2, 4, true>(simd, first, now),
                    1 => self.panel::<S, 8, 4, 2, 1, false>(simd, first, now),
                    2 => self.panel::<S, 8, 4, 2, 2, false>(simd, first, now),
                    3 => self.panel::<S, 8, 4, 2, 3, false>(simd, first, now),
                    _ if self.ahead.is_some() => self.panel::<S, 6, 4, 2, 4, true>(simd, first, now),
                    _ => self.panel::<S, 6, 4, 2, 4, false>(simd, first, now),
                }
            } else {
                match vectors {
                    1 => self.panel::<S, 8, 4, 2, 1, false>(simd, first, now),
                    _ => self.panel::<S, 6, 3, 1, 2, false>(simd, first, now),
                }
            }
            weights = rest;
            first += vectors * lanes;
        }
    }
}
