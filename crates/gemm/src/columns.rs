//! Innermost loops of depthwise convolutions with windows of 3, 5 or 7 lines, for `f32`.
//!
//! A column of windows, one above the other, is computed at a time: a vector of channels is read once for all windows
//! of the column that contain it, and the weights of a column of taps stay in registers meanwhile. So loops are limited
//! by multiplications rather than by reading, which is slow if channels do not begin at multiples of a vector's size.

use super::tile::{Lanes, Panels, Strided, dispatch, write};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// A window, or adjacent windows with the same weights, in each line of a column.
#[derive(Clone, Debug)]
pub struct Place {
    /// Offset of the first tap in a line.
    pub image: usize,
    /// The taps of a line that are inside the images.
    pub taps: Range<usize>,
    /// Offset of the results in a row.
    pub out: usize,
    /// Number of results.
    pub len: usize,
}

/// Computes for each window and each channel the sum over taps of their products with the channel's weights.
pub struct Columns<'a> {
    /// The images, from the first line under the windows that exists.
    pub images: &'a [f32],
    /// Distance between lines.
    pub line: usize,
    /// Which of the lines under the windows exist.
    pub inside: Range<usize>,
    /// Distance between adjacent taps of a line.
    pub tap: usize,
    /// For each tap, a weight for each result of a place.
    pub weights: &'a [f32],
    /// Number of weights for each tap.
    pub each: usize,
    /// Number of lines under a window, and number of taps in each.
    pub window: [usize; 2],
    /// Number of lines between windows.
    pub stride: usize,
    /// Number of windows above each other: one of [`Columns::ROWS`].
    pub rows: usize,
    /// The columns.
    pub places: &'a [Place],
    /// Distance between rows of results.
    pub row: usize,
    /// The results.
    pub out: &'a mut [f32],
}

/// [`Columns`] with windows of `TALL` lines.
struct Tall<'a, const TALL: usize>(Columns<'a>);

/// `$line` for each of the numbers of lines that a column may have, so that sums have constant indices.
macro_rules! each_line {
    ($line:ident) => {
        each_line!($line 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18)
    };
    ($line:ident $($y:literal)*) => { $($line!($y);)* };
}

impl Columns<'_> {
    /// Heights of columns, in descending order.
    pub const ROWS: [usize; 4] = [7, 4, 2, 1];

    /// True if windows of this many lines, with this many lines between them, are among those computed here.
    pub fn supports(tall: usize, stride: usize) -> bool {
        matches!((tall, stride), (3 | 5 | 7, 1 | 2)) && Panels::of::<f32>().lanes > 1
    }

    /// Computes the sums.
    ///
    /// # Panics
    /// For sizes that [`Columns::supports`] excludes, and if anything is outside the slices.
    pub fn run(self) {
        match self.window[0] {
            3 => dispatch::<f32, _>(Tall::<3>(self)),
            5 => dispatch::<f32, _>(Tall::<5>(self)),
            7 => dispatch::<f32, _>(Tall::<7>(self)),
            tall => panic!("windows of {tall} lines"),
        }
    }
}

impl<const TALL: usize> Tall<'_, TALL> {
    #[inline(always)]
    fn columns<S: Simd, const STRIDE: usize, const ROWS: usize>(&mut self, simd: S) {
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        for i in 0..self.0.places.len() {
            let (mut first, len) = (0, self.0.places[i].len);
            // Vectors at the end overlap results that are already done, and compute the same sums again.
            if S::REGISTER_COUNT >= 32 && len >= 2 * lanes {
                while first + lanes < len {
                    self.tile::<S, STRIDE, ROWS, 2>(simd, i, first.min(len - 2 * lanes));
                    first += 2 * lanes;
                }
            }
            while first < len {
                self.tile::<S, STRIDE, ROWS, 1>(simd, i, first.min(len.saturating_sub(lanes)));
                first += lanes;
            }
        }
    }

    /// Computes the sums of a column for `N` vectors of results.
    #[inline(always)]
    fn tile<S: Simd, const STRIDE: usize, const ROWS: usize, const N: usize>(
        &mut self,
        simd: S,
        place: usize,
        first: usize,
    ) {
        let this = &mut self.0;
        let place = &this.places[place];
        let width = N * size_of::<S::f32s>() / size_of::<f32>();
        let Range { start, end } = this.inside;
        let mut sums = [[simd.splat_f32s(0.0); N]; ROWS];
        let mut images = this.images.get(place.image + first..).unwrap_or_default();
        for tap in place.taps.clone() {
            let mut weights = [[simd.splat_f32s(0.0); N]; TALL];
            for (k, weights) in weights.iter_mut().enumerate() {
                let at = (k * this.window[1] + tap) * this.each + first;
                weights.copy_from_slice(<f32 as Lanes>::vectors::<S>(&this.weights[at..][..width]));
            }
            let lines = Strided::new(images, end - start, this.line, width);
            macro_rules! line {
                ($y:literal) => {
                    if $y < (ROWS - 1) * STRIDE + TALL && ($y >= start && $y < end) {
                        let x = <f32 as Lanes>::vectors::<S>(lines.row($y - start));
                        for k in 0..TALL {
                            if $y >= k && ($y - k) % STRIDE == 0 && ($y - k) / STRIDE < ROWS {
                                let sums = &mut sums[($y - k) / STRIDE];
                                for n in 0..N {
                                    sums[n] = simd.mul_add_e_f32s(x[n], weights[k][n], sums[n]);
                                }
                            }
                        }
                    }
                };
            }
            each_line!(line);
            // After the last tap, nothing may be left.
            images = images.get(this.tap..).unwrap_or_default();
        }
        let places: [usize; ROWS] = std::array::from_fn(|i| i * this.row);
        let to = (place.out + first, &places[..], width.min(place.len));
        write::<f32, S, ROWS, N>(simd, sums, &mut (&mut *this.out).into(), to, |_, s| s);
    }
}

impl<const TALL: usize> WithSimd for Tall<'_, TALL> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        if size_of::<S::f32s>() == size_of::<f32>() {
            panic!("columns are for vectors");
        }
        match (self.0.stride, self.0.rows) {
            (1, 7) => self.columns::<S, 1, 7>(simd),
            (1, 4) => self.columns::<S, 1, 4>(simd),
            (1, 2) => self.columns::<S, 1, 2>(simd),
            (1, 1) => self.columns::<S, 1, 1>(simd),
            (2, 7) => self.columns::<S, 2, 7>(simd),
            (2, 4) => self.columns::<S, 2, 4>(simd),
            (2, 2) => self.columns::<S, 2, 2>(simd),
            (2, 1) => self.columns::<S, 2, 1>(simd),
            (stride, rows) => panic!("columns of {rows} windows, {stride} lines apart"),
        }
    }
}
