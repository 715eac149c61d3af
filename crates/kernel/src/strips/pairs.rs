//! Elementwise functions of two rows, whose values are then reduced, for many pairs of rows: distances and inner products.

use super::chain::Basic;
use pulp::{Simd, WithSimd};

/// A function of an element of each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OfPair {
    /// `(x - y) * (x - y)`
    Square,
    /// The absolute value of `x - y`.
    Absolute,
    /// `x * y`
    Product,
}

impl OfPair {
    /// The function that these are one after the other, the first of two values.
    pub fn of(functions: &[Basic]) -> Option<OfPair> {
        match functions {
            [Basic::SquaredDifference] | [Basic::Sub, Basic::Square] => Some(OfPair::Square),
            [Basic::Sub, Basic::Abs] => Some(OfPair::Absolute),
            [Basic::Mul] => Some(OfPair::Product),
            _ => None,
        }
    }
}

/// Pairs of rows of `size` elements, whose values are written one row after the other.
pub(super) struct Pairs<'a> {
    pub function: OfPair,
    pub size: usize,
    pub rows: &'a [(&'a [f32], &'a [f32])],
    pub out: &'a mut [f32],
}

impl WithSimd for Pairs<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let s = simd;
        match self.function {
            OfPair::Square => self.each(
                s,
                #[inline(always)]
                |x, y| {
                    let apart = s.sub_f32s(x, y);
                    s.mul_f32s(apart, apart)
                },
            ),
            OfPair::Absolute => self.each(
                s,
                #[inline(always)]
                |x, y| s.abs_f32s(s.sub_f32s(x, y)),
            ),
            OfPair::Product => self.each(
                s,
                #[inline(always)]
                |x, y| s.mul_f32s(x, y),
            ),
        }
    }
}

impl Pairs<'_> {
    #[inline(always)]
    fn each<S: Simd>(self, simd: S, f: impl Fn(S::f32s, S::f32s) -> S::f32s) {
        let whole = self.size / S::F32_LANES * S::F32_LANES;
        for (out, &(x, y)) in self.out.chunks_exact_mut(self.size).zip(self.rows) {
            let ((x, x_rest), (y, y_rest)) = (x.split_at(whole), y.split_at(whole));
            let (to, to_rest) = out.split_at_mut(whole);
            let (xs, ys) = (S::as_simd_f32s(x).0, S::as_simd_f32s(y).0);
            for ((to, &x), &y) in S::as_mut_simd_f32s(to).0.iter_mut().zip(xs).zip(ys) {
                *to = f(x, y);
            }
            if !to_rest.is_empty() {
                let made = f(simd.partial_load_f32s(x_rest), simd.partial_load_f32s(y_rest));
                simd.partial_store_f32s(to_rest, made);
            }
        }
    }
}
