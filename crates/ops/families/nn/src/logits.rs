//! Parts that functions of rows of logits share.

use crate::prelude::*;
use crate::simd::Exp;
use levada_kernel::stream::{line, prefetch};
use levada_ops_core::halves::Half;

/// A float type whose rows are worked on in its base type.
pub(crate) trait Rows: Float<Base: Element + Copy> {
    /// Calls `f` with `x` and `out` in the base type.
    fn map(x: &[Self], out: &mut [Self], f: impl FnOnce(&[Self::Base], &mut [Self::Base]));
}

macro_rules! bases {
    ($($ty:ty),*) => {$(
        impl Rows for $ty {
            fn map(x: &[$ty], out: &mut [$ty], f: impl FnOnce(&[$ty], &mut [$ty])) {
                f(x, out);
            }
        }
    )*};
}

bases!(f32, f64);

macro_rules! halves {
    ($($ty:ty),*) => {$(
        impl Rows for $ty {
            fn map(x: &[$ty], out: &mut [$ty], f: impl FnOnce(&[f32], &mut [f32])) {
                let wide = <$ty>::singles(x);
                let mut wide_out = vec![0f32; out.len()];
                f(&wide, &mut wide_out);
                <$ty>::from_singles(&wide_out, out);
            }
        }
    )*};
}

halves!(f16, bf16);

pub(crate) const LANES: usize = 32;

/// The greatest element; NaN may be left out. Minus infinity of nothing.
#[inline(always)]
pub(crate) fn greatest<B: num_traits::Float>(x: &[B]) -> B {
    let mut lanes = [B::neg_infinity(); LANES];
    let pieces = x.chunks_exact(LANES);
    let rest = pieces.remainder();
    // New arrays stay in registers.
    for piece in pieces {
        let mut next = lanes;
        for i in 0..LANES {
            next[i] = if piece[i] > lanes[i] { piece[i] } else { lanes[i] };
        }
        lanes = next;
    }
    for (lane, &x) in lanes.iter_mut().zip(rest) {
        *lane = if x > *lane { x } else { *lane };
    }
    let mut n = LANES / 2;
    while n > 0 {
        for i in 0..n {
            lanes[i] = if lanes[i + n] > lanes[i] { lanes[i + n] } else { lanes[i] };
        }
        n /= 2;
    }
    lanes[0]
}

/// Rows of fewer elements are not fetched ahead.
const SHORT: usize = 256;

/// Writes `exp(x - max)` and gives its sum. Meanwhile the next row, which is assumed to follow this one, is brought near.
#[inline(always)]
pub(crate) fn exp_sum<B: num_traits::Float + Number + Exp>(x: &[B], max: B, out: &mut [B]) -> B {
    let mut lanes = [<B as Number>::zero(); LANES];
    let (pieces, mut outs) = (x.chunks_exact(LANES), out.chunks_exact_mut(LANES));
    let rest = pieces.remainder();
    for (piece, out) in pieces.zip(&mut outs) {
        if x.len() >= SHORT {
            (0..LANES).step_by(line::<B>()).for_each(|at| prefetch(piece, x.len() + at));
        }
        let mut exponentials = [<B as Number>::zero(); LANES];
        for i in 0..LANES {
            exponentials[i] = (piece[i] - max).fast_exp();
        }
        out.copy_from_slice(&exponentials);
        let mut next = lanes;
        for i in 0..LANES {
            next[i] = lanes[i] + exponentials[i];
        }
        lanes = next;
    }
    for ((&x, out), lane) in rest.iter().zip(outs.into_remainder()).zip(&mut lanes) {
        let e = (x - max).fast_exp();
        *out = e;
        *lane = *lane + e;
    }
    let mut n = LANES / 2;
    while n > 0 {
        for i in 0..n {
            lanes[i] = lanes[i] + lanes[i + n];
        }
        n /= 2;
    }
    lanes[0]
}
