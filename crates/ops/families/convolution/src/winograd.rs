//! Winograd convolutions (minimal filtering) with 3 x 3 and 5 x 5 windows: fewer products, at the cost of sums before
//! and after them.
//!
//! A tile of `M` x `M` results of `R` x `R` windows depends on `T` x `T` values of a channel, `T = M + R - 1`. Both
//! these and the weights are transformed (`B^T d B` and `G g G^T`), so that the sums over channels become `T * T`
//! matrix products, and `A^T m A` of these are the results. 3 x 3 windows take 16 products for 4 results or 36 for 16,
//! where direct sums take 36 and 144; 5 x 5 windows take 36 for 4 rather than 100. S. Winograd, "Arithmetic Complexity
//! of Computations" (1980); A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural Networks" (2015). For `T` =
//! 6 the interpolation points are 0, ±1/√2, ±√2 and infinity rather than 0, ±1, ±2 and infinity, which reduces the
//! rounding error to less than half.
//!
//! The root mean square error is 1.8 times that of direct sums for `T` = 4 and 5 times for `T` = 6: below 1e-6 of the
//! results' root mean square. Non-finite values and intermediate overflow would spread over whole tiles, so if a result
//! is not finite, [`convolve`] gives up and the windows are summed directly.

use super::gather::{Weights, Windows};
use crate::prelude::*;
use levada_gemm::Finisher;
use levada_gemm::tile::{Aligned, Line, Panels, Piece, Sums, pieces};
use levada_ops_core::constant::Cache;
use parking_lot::Mutex;
use pulp::{Arch, Simd, WithSimd};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of products that take as long as reading a weight from memory.
const READ: usize = 36;
/// Size of weights that fit in a last-level cache.
const LAST_LEVEL: usize = 6 << 20;
/// Size of weights that fit in an L2 cache together with tiles.
const SECOND_LEVEL: usize = 1 << 20;
/// Number of products that take as long as transforming a non-constant weight, for each of its `T * T` values.
const TRANSFORMED: usize = 6;
/// Bytes of an L2 cache that a thread's tiles may take.
const NEAR: usize = 640 << 10;
/// Minimum number of tiles per thread at a time, so that each weight is reused often enough.
const FEWEST: usize = 24;
const MOST: usize = 96;
/// With fewer tiles than this per thread, tiles are not divided among threads: each thread computes some channels of
/// all tiles and reads the weights of these once.
const FEW: usize = 72;

/// Number of results of a tile along an axis, and number of taps of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiles {
    /// 2 x 2 results of 3 x 3 taps.
    TwoOfThree,
    /// 4 x 4 results of 3 x 3 taps.
    FourOfThree,
    /// 2 x 2 results of 5 x 5 taps.
    TwoOfFive,
}

impl Tiles {
    /// Number of results and of taps along an axis.
    fn sizes(self) -> (usize, usize) {
        match self {
            Tiles::TwoOfThree => (2, 3),
            Tiles::FourOfThree => (4, 3),
            Tiles::TwoOfFive => (2, 5),
        }
    }

    /// Number of values of a tile.
    fn numbers(self) -> usize {
        let (results, taps) = self.sizes();
        (results + taps - 1).pow(2)
    }

    /// Estimated cost, in multiplications.
    fn cost(self, sizes: &Sizes, constant: bool) -> usize {
        let numbers = self.numbers();
        let tiles = sizes.tiles(self);
        // Transforms of a tile, per channel of the images and per channel of the results.
        let (before, after) = match self {
            Tiles::TwoOfThree => (60, 50),
            Tiles::FourOfThree => (240, 200),
            Tiles::TwoOfFive => (240, 120),
        };
        let again = match numbers * sizes.channels * sizes.filters > LAST_LEVEL {
            true => tiles / MOST * READ,
            false => 0,
        };
        let weights = READ + again + if constant { 0 } else { TRANSFORMED };
        let transforms = tiles * (before * sizes.channels + after * sizes.filters);
        numbers * sizes.channels * sizes.filters * (tiles.next_multiple_of(6) + weights) + transforms
    }
}

/// The sizes of a convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    batch: usize,
    /// Height and width of the images.
    input: [usize; 2],
    /// Height and width of the results.
    output: [usize; 2],
    /// Position of the first window: at or before the first row and column.
    origin: [isize; 2],
    /// Height and width of windows.
    taps: usize,
    channels: usize,
    filters: usize,
}

impl Sizes {
    /// Returns the sizes for square windows with stride 1; `None` for others.
    pub(crate) fn of(
        windows: &Windows,
        images: [usize; 3],
        batch: usize,
        [channels, filters]: [usize; 2],
    ) -> Option<Sizes> {
        let [depth, height, width] = &windows.taps;
        let flat = windows.size[0] == 1 && images[0] == 1 && depth.taps.len() == 1 && depth.taps[0].1 == 0;
        let taps = width.taps.len();
        let side_by_side = |t: &[(usize, isize)]| t.len() == taps && t.windows(2).all(|t| t[1].1 == t[0].1 + 1);
        let dense = [height, width].iter().all(|t| t.every == 1 && t.step == 1 && side_by_side(&t.taps));
        (flat && dense && windows.is_dense()).then(|| Sizes {
            batch,
            input: [images[1], images[2]],
            output: [windows.size[1], windows.size[2]],
            origin: [height.taps[0].1, width.taps[0].1],
            taps,
            channels,
            filters,
        })
    }

    /// Number of tiles along the height and width of an image.
    fn grid(&self, results: usize) -> [usize; 2] {
        self.output.map(|n| n.div_ceil(results))
    }

    fn tiles(&self, tiles: Tiles) -> usize {
        self.batch * self.grid(tiles.sizes().0).iter().product::<usize>()
    }

    /// Returns the cheapest tile size; `None` if direct sums are cheaper.
    pub(crate) fn best(&self, constant: bool) -> Option<Tiles> {
        let windows = self.batch * self.output[0] * self.output[1];
        if self.channels < 8 || self.filters < 8 || windows == 0 {
            return None;
        }
        let least = self.taps.pow(2) * self.channels * self.filters * (windows.next_multiple_of(6) + READ);
        [Tiles::TwoOfThree, Tiles::FourOfThree, Tiles::TwoOfFive]
            .into_iter()
            .filter(|tiles| tiles.sizes().1 == self.taps)
            .map(|tiles| (tiles.cost(self, constant), tiles))
            .filter(|(cost, _)| cost * 10 < least * 9)
            .min_by_key(|(cost, _)| *cost)
            .map(|(_, tiles)| tiles)
    }

    /// Number of values of transformed images and of products that one thread handles at a time with `count` tiles.
    fn scratch(&self, tiles: Tiles, count: usize) -> (usize, usize) {
        let (numbers, panels) = (tiles.numbers(), Panels::of::<f32>());
        let border = numbers * panels.width(self.channels);
        (border * (count + 1), numbers * count * panels.lanes * panels.most)
    }

    /// Number of tiles that one thread computes at a time if tiles are divided among threads.
    fn tiles_at_once(&self, tiles: Tiles) -> usize {
        let (channels, results) = self.scratch(tiles, 1);
        (NEAR / 4 / (channels / 2 + results)).clamp(FEWEST, MOST) / 6 * 6
    }

    /// Whether all tiles are computed for one panel of channels before the next, rather than some tiles for all
    /// channels.
    fn by_channels(&self, tiles: Tiles, threads: usize) -> bool {
        let count = self.tiles(tiles);
        let is_read_once =
            tiles.numbers() * self.channels * self.filters > SECOND_LEVEL && count > self.tiles_at_once(tiles);
        count < FEW * threads && self.panels().count() >= threads && (threads > 1 || is_read_once)
    }

    /// Returns the first channel of each panel of channels and its number of vectors.
    fn panels(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let panels = Panels::of::<f32>();
        panels.split(self.filters).scan(0, move |first, vectors| {
            let at = *first;
            *first += vectors * panels.lanes;
            Some((at, vectors))
        })
    }

    /// Memory that the convolution takes on `threads` threads in addition to its result, in bytes.
    pub(crate) fn workspace(&self, tiles: Tiles, threads: usize) -> usize {
        let numbers = match self.by_channels(tiles, threads) {
            true => {
                let (channels, results) = self.scratch(tiles, self.tiles(tiles));
                let strips = self.batch * self.output[0] * self.output[1] * Panels::of::<f32>().width(self.filters);
                channels + threads * results + strips
            }
            false => {
                let (channels, results) = self.scratch(tiles, self.tiles_at_once(tiles));
                threads.max(1) * (channels + results)
            }
        };
        4 * numbers
    }
}

/// The transforms for one tile size along one axis.
trait Filtering<const T: usize, const M: usize, const R: usize> {
    const TILES: Tiles;
    /// `G`.
    const WEIGHTS: [[f64; R]; T];
    /// `B^T d`.
    fn before<S: Simd>(simd: S, d: [S::f32s; T]) -> [S::f32s; T];
    /// `A^T m`.
    fn after<S: Simd>(simd: S, m: [S::f32s; T]) -> [S::f32s; M];
}

struct TwoOfThree;

impl Filtering<4, 2, 3> for TwoOfThree {
    const TILES: Tiles = Tiles::TwoOfThree;
    const WEIGHTS: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];

    #[inline(always)]
    fn before<S: Simd>(simd: S, [d0, d1, d2, d3]: [S::f32s; 4]) -> [S::f32s; 4] {
        [simd.sub_f32s(d0, d2), simd.add_f32s(d1, d2), simd.sub_f32s(d2, d1), simd.sub_f32s(d3, d1)]
    }

    #[inline(always)]
    fn after<S: Simd>(simd: S, [m0, m1, m2, m3]: [S::f32s; 4]) -> [S::f32s; 2] {
        let first = simd.add_f32s(m0, simd.add_f32s(m1, m2));
        [first, simd.add_f32s(m3, simd.sub_f32s(m1, m2))]
    }
}

const A: f32 = std::f32::consts::FRAC_1_SQRT_2;
const B: f32 = std::f32::consts::SQRT_2;
const WIDE_A: f64 = std::f64::consts::FRAC_1_SQRT_2;
const WIDE_B: f64 = std::f64::consts::SQRT_2;

/// `B^T d` for the points 0, ±[`A`], ±[`B`] and infinity.
#[inline(always)]
fn before_of_six<S: Simd>(simd: S, [d0, d1, d2, d3, d4, d5]: [S::f32s; 6]) -> [S::f32s; 6] {
    let splat = |x| simd.splat_f32s(x);
    let add = |x, y, z| simd.mul_add_e_f32s(splat(x), y, z);
    let (even, odd) = (add(-2.0, d2, d4), add(A, d3, simd.mul_f32s(splat(-B), d1)));
    let (even_b, odd_b) = (add(-0.5, d2, d4), add(B, d3, simd.mul_f32s(splat(-A), d1)));
    [
        add(-2.5, d2, simd.add_f32s(d0, d4)),
        simd.add_f32s(even, odd),
        simd.sub_f32s(even, odd),
        simd.add_f32s(even_b, odd_b),
        simd.sub_f32s(even_b, odd_b),
        add(-2.5, d3, simd.add_f32s(d1, d5)),
    ]
}

struct FourOfThree;

impl Filtering<6, 4, 3> for FourOfThree {
    const TILES: Tiles = Tiles::FourOfThree;
    const WEIGHTS: [[f64; 3]; 6] = [
        [1.0, 0.0, 0.0],
        [-2.0 / 3.0, -2.0 / 3.0 * WIDE_A, -1.0 / 3.0],
        [-2.0 / 3.0, 2.0 / 3.0 * WIDE_A, -1.0 / 3.0],
        [1.0 / 6.0, WIDE_B / 6.0, 1.0 / 3.0],
        [1.0 / 6.0, -WIDE_B / 6.0, 1.0 / 3.0],
        [0.0, 0.0, 1.0],
    ];

    #[inline(always)]
    fn before<S: Simd>(simd: S, d: [S::f32s; 6]) -> [S::f32s; 6] {
        before_of_six(simd, d)
    }

    #[inline(always)]
    fn after<S: Simd>(simd: S, [m0, m1, m2, m3, m4, m5]: [S::f32s; 6]) -> [S::f32s; 4] {
        let splat = |x| simd.splat_f32s(x);
        let add = |x, y, z| simd.mul_add_e_f32s(splat(x), y, z);
        let (even, odd) = (simd.add_f32s(m1, m2), simd.sub_f32s(m1, m2));
        let (even_b, odd_b) = (simd.add_f32s(m3, m4), simd.sub_f32s(m3, m4));
        [
            simd.add_f32s(m0, simd.add_f32s(even, even_b)),
            add(A, odd, simd.mul_f32s(splat(B), odd_b)),
            add(0.5, even, simd.add_f32s(even_b, even_b)),
            add(A / 2.0, odd, add(2.0 * B, odd_b, m5)),
        ]
    }
}

struct TwoOfFive;

impl Filtering<6, 2, 5> for TwoOfFive {
    const TILES: Tiles = Tiles::TwoOfFive;
    const WEIGHTS: [[f64; 5]; 6] = [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [-2.0 / 3.0, -2.0 / 3.0 * WIDE_A, -1.0 / 3.0, -1.0 / 3.0 * WIDE_A, -1.0 / 6.0],
        [-2.0 / 3.0, 2.0 / 3.0 * WIDE_A, -1.0 / 3.0, 1.0 / 3.0 * WIDE_A, -1.0 / 6.0],
        [1.0 / 6.0, WIDE_B / 6.0, 1.0 / 3.0, WIDE_B / 3.0, 2.0 / 3.0],
        [1.0 / 6.0, -WIDE_B / 6.0, 1.0 / 3.0, -WIDE_B / 3.0, 2.0 / 3.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ];

    #[inline(always)]
    fn before<S: Simd>(simd: S, d: [S::f32s; 6]) -> [S::f32s; 6] {
        before_of_six(simd, d)
    }

    #[inline(always)]
    fn after<S: Simd>(simd: S, [m0, m1, m2, m3, m4, m5]: [S::f32s; 6]) -> [S::f32s; 2] {
        let splat = |x| simd.splat_f32s(x);
        let add = |x, y, z| simd.mul_add_e_f32s(splat(x), y, z);
        let even = simd.add_f32s(simd.add_f32s(m1, m2), simd.add_f32s(m3, m4));
        let (odd, odd_b) = (simd.sub_f32s(m1, m2), simd.sub_f32s(m3, m4));
        [simd.add_f32s(m0, even), add(A, odd, add(B, odd_b, m5))]
    }
}

/// Weights of `R` x `R` taps transformed for tiles of `T` x `T` values, indexed by panel of channels, position in the
/// tile, channel of the images.
struct Packed<const T: usize, const R: usize>(Aligned<f32>);

impl<const T: usize, const R: usize> Packed<T, R> {
    fn new<F: Filtering<T, M, R>, const M: usize>(cx: &Cx<'_, '_>, sizes: &Sizes, weights: Weights<'_, f32>) -> Self {
        let lanes = Panels::of::<f32>().lanes;
        let Sizes { channels, filters, .. } = *sizes;
        let mut packed = Aligned::zeros(T * T * channels * Panels::of::<f32>().width(filters));
        let (mut rest, mut pieces) = (packed.slice_mut(), Vec::new());
        for (first, vectors) in sizes.panels() {
            let (piece, more) = rest.split_at_mut(T * T * channels * vectors * lanes);
            pieces.push((first, vectors * lanes, piece));
            rest = more;
        }
        let nanos = (T * T * channels * lanes) as f64;
        cx.pool().for_chunks(&mut pieces, 1, nanos, |_, pieces| {
            for (first, width, piece) in pieces {
                let some = *first..filters.min(*first + *width);
                for c in 0..channels {
                    let taps: [[&[f32]; R]; R] = std::array::from_fn(|y| {
                        let tap = |x| (y * R + x) * channels + c;
                        std::array::from_fn(|x| &weights.data[tap(x) * weights.row..][some.clone()])
                    });
                    vectorized!(transform::<F, T, M, R>(&taps, piece, c, channels, *width));
                }
            }
        });
        Packed(packed)
    }
}

/// `G g G^T` for a channel of the images and a panel of channels of results.
#[inline(always)]
fn transform<F: Filtering<T, M, R>, const T: usize, const M: usize, const R: usize>(
    taps: &[[&[f32]; R]; R],
    out: &mut [f32],
    c: usize,
    channels: usize,
    width: usize,
) {
    const LANES: usize = 8;
    for k in (0..taps[0][0].len()).step_by(LANES) {
        let some = LANES.min(taps[0][0].len() - k);
        let mut g = [[[0.0; LANES]; R]; R];
        for (g, taps) in g.as_flattened_mut().iter_mut().zip(taps.as_flattened()) {
            g.iter_mut().zip(&taps[k..][..some]).for_each(|(g, &tap)| *g = f64::from(tap));
        }
        for i in 0..T {
            let mut row = [[0.0; LANES]; R];
            for (g, weight) in g.iter().zip(F::WEIGHTS[i]) {
                for (row, g) in row.as_flattened_mut().iter_mut().zip(g.as_flattened()) {
                    *row += weight * g;
                }
            }
            for j in 0..T {
                let mut sums = [0.0; LANES];
                for (row, weight) in row.iter().zip(F::WEIGHTS[j]) {
                    sums.iter_mut().zip(row).for_each(|(sum, r)| *sum += weight * r);
                }
                let out = &mut out[((i * T + j) * channels + c) * width + k..][..some];
                out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum as f32);
            }
        }
    }
}

/// A convolution with transformed weights.
struct Filter<'a, const T: usize> {
    sizes: Sizes,
    images: &'a [f32],
    weights: &'a [f32],
    /// The channels of a transformed pixel, as elements to sum over.
    pieces: Vec<Piece>,
    /// Number of values of a transformed pixel of a tile.
    depth: usize,
    finisher: Option<&'a Finisher<'a>>,
    /// Set if a result is not finite.
    spoilt: AtomicBool,
}

impl<const T: usize> Filter<'_, T> {
    /// Returns the weights of the panel starting at channel `first`.
    fn weights(&self, first: usize, vectors: usize) -> &[f32] {
        let each = T * T * self.sizes.channels;
        &self.weights[each * first..][..each * vectors * Panels::of::<f32>().lanes]
    }

    /// Computes the products of transformed tiles with the weights of a panel: for each position in a tile and each of
    /// `tiles`, a value for each channel of the panel.
    fn products(&self, transformed: &[f32], (first, vectors): (usize, usize), tiles: usize, out: &mut [f32]) {
        let panels = Panels::of::<f32>();
        let (width, channels) = (vectors * panels.lanes, self.sizes.channels);
        let starts: Vec<usize> = (0..tiles).map(|t| t * self.depth).collect();
        let places: Vec<usize> = (0..tiles).map(|t| t * width).collect();
        let weights = self.weights(first, vectors).chunks_exact(channels * width);
        let images = transformed.chunks_exact(tiles * self.depth);
        for ((weights, images), out) in weights.zip(images).zip(out.chunks_exact_mut(tiles * width)) {
            let (starts, pieces, places) = (&starts[..], &self.pieces[..], &places[..]);
            Sums {
                from: images,
                starts,
                pieces,
                weights,
                depth: channels,
                panels,
                columns: width,
                out: out.into(),
                places,
                add: false,
                ahead: None,
                ending: None,
            }
            .run();
        }
    }

    /// Transforms tiles: `out` has, for each position in a tile, a value for each tile and channel. `border` is a
    /// buffer for the values of one tile.
    fn before<F: Filtering<T, M, R>, const M: usize, const R: usize>(
        &self,
        tiles: Range<usize>,
        out: Vec<&mut [f32]>,
        border: &mut [f32],
    ) {
        Arch::new().dispatch(Before::<'_, F, T, M, R> { filter: self, tiles, out, border, of: PhantomData });
    }

    /// Transforms all tiles, divided among threads.
    fn before_all<F: Filtering<T, M, R>, const M: usize, const R: usize>(
        &self,
        cx: &Cx<'_, '_>,
        tiles: usize,
        out: &mut [f32],
    ) {
        let parts = (4 * cx.pool().shares()).min(tiles);
        let range = |part: usize| part * tiles / parts..(part + 1) * tiles / parts;
        let mut pieces: Vec<(Range<usize>, Vec<&mut [f32]>)> = (0..parts).map(|p| (range(p), Vec::new())).collect();
        for mut rest in out.chunks_exact_mut(tiles * self.depth) {
            for (range, piece) in &mut pieces {
                let (now, more) = rest.split_at_mut(range.len() * self.depth);
                piece.push(now);
                rest = more;
            }
        }
        let nanos = (T * T * self.depth * tiles / parts) as f64 / 4.0;
        cx.pool().for_chunks(&mut pieces, 1, nanos, |_, pieces| {
            let mut border = vec![0.0; T * T * self.depth];
            for (range, piece) in pieces {
                self.before::<F, M, R>(range.clone(), std::mem::take(piece), &mut border);
            }
        });
    }

    /// Computes the results of tiles for the channels of a panel. `to` describes where they go.
    fn after<F: Filtering<T, M, R>, const M: usize, const R: usize>(
        &self,
        tiles: Range<usize>,
        products: &[f32],
        (first, vectors): (usize, usize),
        to: To<'_>,
    ) {
        let channels = (self.sizes.filters - first).min(vectors * Panels::of::<f32>().lanes);
        let after =
            After::<'_, F, T, M, R> { sizes: &self.sizes, tiles, products, vectors, channels, to, of: PhantomData };
        if !Arch::new().dispatch(after) {
            self.spoilt.store(true, Ordering::Relaxed);
        }
    }

    /// Computes results by rows of tiles, divided among threads.
    fn by_rows<F: Filtering<T, M, R>, const M: usize, const R: usize>(
        &self,
        cx: &Cx<'_, '_>,
        out: &mut [f32],
        nanos: f64,
    ) -> Result<()> {
        let (sizes, threads) = (&self.sizes, cx.pool().shares());
        let ([height, width], filters) = (sizes.output, sizes.filters);
        let [lines, across] = sizes.grid(M);
        let at_once = sizes.tiles_at_once(F::TILES);
        let (transformed, products) = sizes.scratch(F::TILES, at_once);
        let mut scratch = cx.alloc(DType::F32, &Shape::new([threads, transformed + products])?)?;
        let spare: Mutex<Vec<&mut [f32]>> =
            Mutex::new(scratch.slice_mut::<f32>()?.chunks_exact_mut(transformed + products).collect());
        // Parts whose numbers of rows of tiles differ by at most one.
        let all = sizes.batch * lines;
        let parts = (4 * threads).max(all * across / (4 * at_once)).min(all);
        let row_of = |line: usize| line / lines * height + (line % lines * M).min(height);
        let (mut rest, mut pieces) = (out, Vec::with_capacity(parts));
        for part in 0..parts {
            let lines = part * all / parts..(part + 1) * all / parts;
            let rows = row_of(lines.start)..row_of(lines.end);
            let (piece, more) = rest.split_at_mut(rows.len() * width * filters);
            pieces.push((lines, rows.start, piece));
            rest = more;
        }
        cx.pool().for_chunks(&mut pieces, 1, nanos * (all * across) as f64 / parts as f64, |_, pieces| {
            let mut own = Scratch::of(&spare, transformed + products);
            let scratch = own.numbers();
            let (transformed, products) = scratch.split_at_mut(transformed);
            let (transformed, border) = transformed.split_at_mut(T * T * self.depth * at_once);
            for (lines, first_row, out) in pieces {
                let tiles = lines.start * across..lines.end * across;
                let count = tiles.len().div_ceil(tiles.len().div_ceil(at_once));
                let mut finished = 0;
                for first in tiles.clone().step_by(count) {
                    let some = first..(first + count).min(tiles.end);
                    let transformed = &mut transformed[..T * T * self.depth * some.len()];
                    let parts = transformed.chunks_exact_mut(self.depth * some.len()).collect();
                    self.before::<F, M, R>(some.clone(), parts, border);
                    for panel in sizes.panels() {
                        let products = &mut products[..T * T * some.len() * panel.1 * Panels::of::<f32>().lanes];
                        self.products(transformed, panel, some.len(), products);
                        let to = To { out, first_row: *first_row, channel: panel.0, channels: filters };
                        self.after::<F, M, R>(some.clone(), products, panel, to);
                    }
                    // Rows with all tiles computed are finished while they are in the cache.
                    if let Some(finisher) = self.finisher {
                        let end = (row_of(some.end / across) - *first_row) * width * filters;
                        finisher.rows(*first_row * width + finished / filters, &mut out[finished..end]);
                        finished = end;
                    }
                }
            }
        });
        Ok(())
    }

    /// Computes the results of all tiles for some channels, with threads dividing the panels of channels.
    fn by_channels<F: Filtering<T, M, R>, const M: usize, const R: usize>(
        &self,
        cx: &Cx<'_, '_>,
        out: &mut [f32],
        nanos: f64,
    ) -> Result<()> {
        let sizes = &self.sizes;
        let lanes = Panels::of::<f32>().lanes;
        let (tiles, filters) = (sizes.tiles(F::TILES), sizes.filters);
        let pixels = out.len() / filters;
        let mut transformed = cx.alloc(DType::F32, &Shape::new([T * T * self.depth * tiles])?)?;
        self.before_all::<F, M, R>(cx, tiles, transformed.slice_mut()?);
        let transformed = transformed.slice::<f32>()?;
        let panels: Vec<(usize, usize)> = sizes.panels().collect();
        let vectors: usize = panels.iter().map(|p| p.1).sum();
        let mut strips = cx.alloc(DType::F32, &Shape::new([pixels * vectors * lanes])?)?;
        let each = T * T * tiles * lanes * Panels::of::<f32>().most;
        let threads = cx.pool().shares();
        let mut products = cx.alloc(DType::F32, &Shape::new([threads, each])?)?;
        let spare: Mutex<Vec<&mut [f32]>> = Mutex::new(products.slice_mut::<f32>()?.chunks_exact_mut(each).collect());
        let (mut rest, mut pieces) = (strips.slice_mut::<f32>()?, Vec::with_capacity(panels.len()));
        for &panel in &panels {
            let (piece, more) = rest.split_at_mut(pixels * panel.1 * lanes);
            pieces.push((panel, piece));
            rest = more;
        }
        cx.pool().for_chunks(&mut pieces, 1, nanos * tiles as f64 / panels.len() as f64, |_, pieces| {
            let mut own = Scratch::of(&spare, each);
            let products = own.numbers();
            for (panel, strip) in pieces {
                let width = panel.1 * lanes;
                let products = &mut products[..T * T * tiles * width];
                self.products(transformed, *panel, tiles, products);
                self.after::<F, M, R>(
                    0..tiles,
                    products,
                    *panel,
                    To { out: strip, first_row: 0, channel: 0, channels: width },
                );
            }
        });
        let strips = &pieces;
        cx.pool().for_chunks(out, filters, filters as f64 * 0.3, |first, piece| {
            for (i, row) in piece.chunks_exact_mut(filters).enumerate() {
                for ((channel, vectors), strip) in strips {
                    let some = (vectors * lanes).min(filters - channel);
                    row[*channel..][..some].copy_from_slice(&strip[(first + i) * vectors * lanes..][..some]);
                }
            }
            if let Some(finisher) = self.finisher {
                finisher.rows(first, piece);
            }
        });
        Ok(())
    }
}

/// Scratch memory of a thread: taken from what was allocated up front, or newly allocated if more threads take part
/// than the work was divided for.
struct Scratch<'a, 'b> {
    spare: &'a Mutex<Vec<&'b mut [f32]>>,
    own: Option<&'b mut [f32]>,
    more: Vec<f32>,
}

impl<'a, 'b> Scratch<'a, 'b> {
    fn of(spare: &'a Mutex<Vec<&'b mut [f32]>>, len: usize) -> Scratch<'a, 'b> {
        let own = spare.lock().pop();
        let more = if own.is_some() { Vec::new() } else { vec![0.0; len] };
        Scratch { spare, own, more }
    }

    fn numbers(&mut self) -> &mut [f32] {
        self.own.as_deref_mut().unwrap_or(&mut self.more)
    }
}

impl Drop for Scratch<'_, '_> {
    fn drop(&mut self) {
        self.spare.lock().extend(self.own.take());
    }
}

/// Transforms tiles of images.
struct Before<'a, F, const T: usize, const M: usize, const R: usize> {
    filter: &'a Filter<'a, T>,
    tiles: Range<usize>,
    out: Vec<&'a mut [f32]>,
    border: &'a mut [f32],
    of: PhantomData<F>,
}

impl<F: Filtering<T, M, R>, const T: usize, const M: usize, const R: usize> Before<'_, F, T, M, R> {
    /// Copies the values of a tile that crosses an edge, or of channels that do not fill vectors, padded with zeros.
    fn copy(&mut self, image: &[f32], [top, left]: [isize; 2]) {
        let Sizes { input: [height, width], channels, .. } = self.filter.sizes;
        self.border.fill(0.0);
        let (first, last) = ((-left).max(0), (width as isize - left).min(T as isize));
        for (row, to) in self.border.chunks_exact_mut(T * self.filter.depth).enumerate() {
            let y = top + row as isize;
            if y < 0 || y >= height as isize {
                continue;
            }
            for x in first..last {
                let from = (y as usize * width + (left + x) as usize) * channels;
                to[x as usize * self.filter.depth..][..channels].copy_from_slice(&image[from..][..channels]);
            }
        }
    }
}

impl<F: Filtering<T, M, R>, const T: usize, const M: usize, const R: usize> WithSimd for Before<'_, F, T, M, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (sizes, depth) = (self.filter.sizes, self.filter.depth);
        let ([lines, across], [height, width], channels) = (sizes.grid(M), sizes.input, sizes.channels);
        let vectors = S::as_simd_f32s(&self.border[..depth]).0.len();
        let mut out = std::mem::take(&mut self.out);
        let mut out: Vec<&mut [S::f32s]> = out.iter_mut().map(|out| S::as_mut_simd_f32s(out).0).collect();
        for (i, tile) in self.tiles.clone().enumerate() {
            let (n, y, x) = (tile / (lines * across), tile / across % lines, tile % across);
            let corner @ [top, left] = [(y * M) as isize + sizes.origin[0], (x * M) as isize + sizes.origin[1]];
            let image = &self.filter.images[n * height * width * channels..][..height * width * channels];
            let within = |first: isize, size: usize| first >= 0 && first as usize + T <= size;
            let (from, stride) = match within(top, height) && within(left, width) && channels == depth {
                true => (&image[(top as usize * width + left as usize) * channels..], width * channels),
                false => {
                    self.copy(image, corner);
                    (&self.border[..], T * depth)
                }
            };
            let rows: [&[S::f32s]; T] = std::array::from_fn(|r| S::as_simd_f32s(&from[r * stride..][..T * depth]).0);
            for v in 0..vectors {
                let d: [[S::f32s; T]; T] =
                    rows.map(|row| F::before(simd, std::array::from_fn(|j| row[j * vectors + v])));
                for j in 0..T {
                    let column = F::before(simd, std::array::from_fn(|r| d[r][j]));
                    for r in 0..T {
                        out[r * T + j][i * vectors + v] = column[r];
                    }
                }
            }
        }
    }
}

/// Destination of results: `out` begins with row `first_row` of all images' rows; the channels start at `channel` of
/// `channels` per pixel.
struct To<'a> {
    out: &'a mut [f32],
    first_row: usize,
    channel: usize,
    channels: usize,
}

/// Computes the results of tiles. Returns whether all of them are finite.
struct After<'a, F, const T: usize, const M: usize, const R: usize> {
    sizes: &'a Sizes,
    tiles: Range<usize>,
    /// For each position in a tile, a value for each tile and channel.
    products: &'a [f32],
    vectors: usize,
    /// Number of channels among these that exist.
    channels: usize,
    to: To<'a>,
    of: PhantomData<F>,
}

impl<F: Filtering<T, M, R>, const T: usize, const M: usize, const R: usize> WithSimd for After<'_, F, T, M, R> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let ([lines, across], [height, width], vectors) = (self.sizes.grid(M), self.sizes.output, self.vectors);
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        let products = S::as_simd_f32s(self.products).0;
        let each = self.tiles.len() * vectors;
        let products: [&[S::f32s]; T] = std::array::from_fn(|r| &products[r * T * each..][..T * each]);
        let zero = simd.splat_f32s(0.0);
        // Stays zero as long as every result is finite.
        let mut check = zero;
        for (i, tile) in self.tiles.clone().enumerate() {
            let (n, y, x) = (tile / (lines * across), tile / across % lines * M, tile % across * M);
            let (rows, columns) = (M.min(height - y), M.min(width - x));
            for v in 0..vectors {
                let at = i * vectors + v;
                let m: [[S::f32s; M]; T] =
                    products.map(|row| F::after(simd, std::array::from_fn(|j| row[j * each + at])));
                let some = lanes.min(self.channels - v * lanes);
                for j in 0..columns {
                    let column = F::after(simd, m.map(|row| row[j]));
                    for (r, &result) in column[..rows].iter().enumerate() {
                        let pixel = (n * height + y + r - self.to.first_row) * width + x + j;
                        let out = &mut self.to.out[pixel * self.to.channels + self.to.channel + v * lanes..][..some];
                        check = simd.mul_add_e_f32s(result, zero, check);
                        match some == lanes {
                            true => S::as_mut_simd_f32s(out).0[0] = result,
                            false => {
                                let mut spare = [0.0; 64];
                                S::as_mut_simd_f32s(&mut spare).0[0] = result;
                                out.copy_from_slice(&spare[..some]);
                            }
                        }
                    }
                }
            }
        }
        simd.reduce_sum_f32s(check) == 0.0
    }
}

/// The operands of [`convolve`].
pub(crate) struct Operands<'a> {
    pub sizes: Sizes,
    pub images: &'a [f32],
    pub weights: Weights<'a, f32>,
    /// Caches the transformed weights of a constant filter.
    pub cache: Option<(&'a Cache, &'a Tensor)>,
    pub finisher: Option<&'a Finisher<'a>>,
}

/// Convolves with tiles of this size. Returns false if a result is not finite; the contents of `out` must not be used
/// then.
///
/// # Errors
/// If memory runs out.
pub(crate) fn convolve(cx: &Cx<'_, '_>, tiles: Tiles, operands: &Operands<'_>, out: &mut [f32]) -> Result<bool> {
    match tiles {
        Tiles::TwoOfThree => by::<TwoOfThree, 4, 2, 3>(cx, operands, out),
        Tiles::FourOfThree => by::<FourOfThree, 6, 4, 3>(cx, operands, out),
        Tiles::TwoOfFive => by::<TwoOfFive, 6, 2, 5>(cx, operands, out),
    }
}

fn by<F: Filtering<T, M, R>, const T: usize, const M: usize, const R: usize>(
    cx: &Cx<'_, '_>,
    operands: &Operands<'_>,
    out: &mut [f32],
) -> Result<bool> {
    let Operands { sizes, images, weights, cache, finisher } = *operands;
    let pack = || Ok(Packed::<T, R>::new::<F, M>(cx, &sizes, weights));
    let packed = match cache {
        Some((cache, filter)) => cache.get(filter, 1, pack)?,
        None => Arc::new(pack()?),
    };
    let depth = Panels::of::<f32>().width(sizes.channels);
    let pieces = pieces(&[Line { offset: 0, number: 0, len: sizes.channels }]);
    let spoilt = AtomicBool::new(false);
    let filter = Filter::<T> { sizes, images, weights: packed.0.slice(), pieces, depth, finisher, spoilt };
    let nanos = (T * T * sizes.channels * sizes.filters) as f64 / 50.0;
    match sizes.by_channels(F::TILES, cx.pool().shares()) {
        true => filter.by_channels::<F, M, R>(cx, out, nanos)?,
        false => filter.by_rows::<F, M, R>(cx, out, nanos)?,
    }
    Ok(!filter.spoilt.into_inner())
}
