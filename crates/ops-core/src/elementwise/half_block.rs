//! Loops over the half types: blocks are widened to `f32`, computed, and rounded once.

use super::BLOCK;
use crate::halves::Half;

/// Computes `out` from `a` with a loop over `f32`.
pub fn one_to_half<H: Half>(a: &[H], out: &mut [H], loop_: impl Fn(&[f32], &mut [f32])) {
    let mut wide = [0f32; BLOCK];
    one_to(a, out, |a, out| {
        loop_(a, &mut wide[..a.len()]);
        H::from_singles(&wide[..a.len()], out);
    });
}

/// Computes `out`, of any type, from `a` with a loop over `f32`.
pub fn one_to<H: Half, R>(a: &[H], out: &mut [R], mut loop_: impl FnMut(&[f32], &mut [R])) {
    let mut x = [0f32; BLOCK];
    for (a, out) in a.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        H::to_singles(a, &mut x[..a.len()]);
        loop_(&x[..a.len()], out);
    }
}

/// Computes `out` from `a` and `b` with a loop over `f32`.
pub fn two_to_half<H: Half>(a: &[H], b: &[H], out: &mut [H], loop_: impl Fn(&[f32], &[f32], &mut [f32])) {
    let mut wide = [0f32; BLOCK];
    two_to(a, b, out, |a, b, out| {
        loop_(a, b, &mut wide[..a.len()]);
        H::from_singles(&wide[..a.len()], out);
    });
}

/// Computes `out`, of any type, from `a` and `b` with a loop over `f32`.
pub fn two_to<H: Half, R>(a: &[H], b: &[H], out: &mut [R], mut loop_: impl FnMut(&[f32], &[f32], &mut [R])) {
    let (mut x, mut y) = ([0f32; BLOCK], [0f32; BLOCK]);
    for ((a, b), out) in a.chunks(BLOCK).zip(b.chunks(BLOCK)).zip(out.chunks_mut(BLOCK)) {
        H::to_singles(a, &mut x[..a.len()]);
        H::to_singles(b, &mut y[..b.len()]);
        loop_(&x[..a.len()], &y[..b.len()], out);
    }
}
