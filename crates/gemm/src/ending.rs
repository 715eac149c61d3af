//! What sums go through while a tile has them in registers.

use super::tile::Lanes;
use pulp::Simd;
use std::ops::Range;

/// `sum * scale + shift`, then limits or a slope; parts that are absent are left out. NaN propagates.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a, T> {
    /// A factor for each column; empty if there are none.
    pub scale: &'a [T],
    /// A term for each column; empty if there are none.
    pub shift: &'a [T],
    /// The least result.
    pub least: Option<T>,
    /// The greatest result.
    pub most: Option<T>,
    /// The factor for what is not positive.
    pub slope: Option<T>,
}

impl<'a, T: Lanes> Ending<'a, T> {
    /// That of some of the columns.
    pub fn of(self, columns: Range<usize>) -> Ending<'a, T> {
        let of = |all: &'a [T]| if all.is_empty() { all } else { &all[columns.clone()] };
        Ending { scale: of(self.scale), shift: of(self.shift), ..self }
    }

    /// Applies it to the sums of a tile whose first column is `first`.
    #[expect(clippy::needless_range_loop, reason = "with constant indices the sums stay in registers")]
    #[inline(always)]
    pub(super) fn apply<S: Simd, const ROWS: usize, const N: usize>(
        &self,
        simd: S,
        first: usize,
        mut sums: [[T::V<S>; N]; ROWS],
    ) -> [[T::V<S>; N]; ROWS] {
        if let Some(scale) = self.scale.get(first..).filter(|scale| !scale.is_empty()) {
            for v in 0..N {
                let scale = Self::vector(simd, scale, v);
                for i in 0..ROWS {
                    sums[i][v] = T::multiply_vectors(simd, sums[i][v], scale);
                }
            }
        }
        if let Some(shift) = self.shift.get(first..).filter(|shift| !shift.is_empty()) {
            for v in 0..N {
                let shift = Self::vector(simd, shift, v);
                for i in 0..ROWS {
                    sums[i][v] = T::add_vectors(simd, sums[i][v], shift);
                }
            }
        }
        if let Some(least) = self.least {
            let least = T::splat(simd, least);
            for i in 0..ROWS {
                for v in 0..N {
                    sums[i][v] = T::at_least(simd, sums[i][v], least);
                }
            }
        }
        if let Some(most) = self.most {
            let most = T::splat(simd, most);
            for i in 0..ROWS {
                for v in 0..N {
                    sums[i][v] = T::at_most(simd, sums[i][v], most);
                }
            }
        }
        if let Some(slope) = self.slope {
            let slope = T::splat(simd, slope);
            for i in 0..ROWS {
                for v in 0..N {
                    sums[i][v] = T::leaky(simd, sums[i][v], slope);
                }
            }
        }
        sums
    }

    /// Vector `v` of numbers of columns, of which the last may be a part.
    #[inline(always)]
    fn vector<S: Simd>(simd: S, numbers: &[T], v: usize) -> T::V<S> {
        let lanes = size_of::<T::V<S>>() / size_of::<T>();
        let numbers = numbers.get(v * lanes..).unwrap_or_default();
        match T::vectors::<S>(numbers) {
            [first, ..] => *first,
            [] => T::load_part(simd, numbers),
        }
    }
}
