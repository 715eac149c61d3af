//! Code shared by the ops on rows of logits.

use crate::prelude::*;
use crate::simd::Exp;
use levada_kernel::stream::{line, prefetch};
use levada_ops_core::halves::Half;

/// A float type whose rows are processed in its base type.
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

/// The maximum element; NaN may be ignored. Negative infinity for an empty slice.
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
    if !rest.is_empty() {
        lanes = match x.last_chunk::<LANES>() {
            // Elements that are seen twice change nothing.
            Some(last) => greater(last, lanes),
            None => greater(&padded(rest), lanes),
        };
    }
    let lanes = halved::<B, 16, true>(&lanes);
    let lanes = halved::<B, 8, true>(&lanes);
    let lanes = halved::<B, 4, true>(&lanes);
    let lanes = halved::<B, 2, true>(&lanes);
    halved::<B, 1, true>(&lanes)[0]
}

/// The greater of each pair. A new array stays in registers.
#[inline(always)]
fn greater<B: num_traits::Float>(x: &[B; LANES], lanes: [B; LANES]) -> [B; LANES] {
    let mut next = lanes;
    for i in 0..LANES {
        next[i] = if x[i] > lanes[i] { x[i] } else { lanes[i] };
    }
    next
}

/// Fewer than [`LANES`] elements, and negative infinities.
#[inline(always)]
fn padded<B: num_traits::Float>(x: &[B]) -> [B; LANES] {
    let mut piece = [B::neg_infinity(); LANES];
    piece[..x.len()].copy_from_slice(x);
    piece
}

/// Combines each of the first half of `2 N` elements with its counterpart in the second half: the maximum of both, or
/// the sum.
#[inline(always)]
fn halved<B: num_traits::Float, const N: usize, const GREATEST: bool>(x: &[B]) -> [B; N] {
    let (first, second) = (&x[..N], &x[N..2 * N]);
    // A new array stays in registers.
    let mut half = [B::zero(); N];
    for i in 0..N {
        half[i] = match GREATEST {
            true if second[i] > first[i] => second[i],
            true => first[i],
            false => first[i] + second[i],
        };
    }
    half
}

/// Shorter rows are not prefetched.
const SHORT: usize = 256;

/// Writes `exp(x - max)` and returns its sum, while prefetching the next row, which is assumed to follow this one.
#[inline(always)]
pub(crate) fn exp_sum<B: num_traits::Float + Number + Exp>(x: &[B], max: B, out: &mut [B]) -> B {
    let mut lanes = [<B as Number>::zero(); LANES];
    let pieces = x.chunks_exact(LANES);
    let rest = pieces.remainder();
    for (piece, out) in pieces.zip(out.chunks_exact_mut(LANES)) {
        if x.len() >= SHORT {
            (0..LANES).step_by(line::<B>()).for_each(|at| prefetch(piece, x.len() + at));
        }
        let mut exponentials = [<B as Number>::zero(); LANES];
        for i in 0..LANES {
            exponentials[i] = (piece[i] - max).fast_exp_below_zero();
        }
        out.copy_from_slice(&exponentials);
        let mut next = lanes;
        for i in 0..LANES {
            next[i] = lanes[i] + exponentials[i];
        }
        lanes = next;
    }
    if !rest.is_empty() {
        match (x.last_chunk::<LANES>(), out.last_chunk_mut::<LANES>()) {
            // The first of these are computed again, but not added.
            (Some(last), Some(out)) => {
                let made = exponentials(last, max);
                lanes = sums(lanes, made, LANES - rest.len());
                *out = made;
            }
            // Padded with values that contribute zero.
            _ => {
                let made = exponentials(&padded(rest), max);
                lanes = sums(lanes, made, 0);
                out.copy_from_slice(&made[..rest.len()]);
            }
        }
    }
    let lanes = halved::<B, 16, false>(&lanes);
    let lanes = halved::<B, 8, false>(&lanes);
    let lanes = halved::<B, 4, false>(&lanes);
    let lanes = halved::<B, 2, false>(&lanes);
    halved::<B, 1, false>(&lanes)[0]
}

/// `exp(x - max)`
#[inline(always)]
fn exponentials<B: num_traits::Float + Number + Exp>(x: &[B; LANES], max: B) -> [B; LANES] {
    let mut made = [<B as Number>::zero(); LANES];
    for i in 0..LANES {
        made[i] = (x[i] - max).fast_exp_below_zero();
    }
    made
}

/// The sums of the lanes and these, from number `from` on.
#[inline(always)]
fn sums<B: num_traits::Float>(lanes: [B; LANES], more: [B; LANES], from: usize) -> [B; LANES] {
    let mut next = lanes;
    for i in 0..LANES {
        next[i] = if i < from { lanes[i] } else { lanes[i] + more[i] };
    }
    next
}
