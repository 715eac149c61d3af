//! Loops over the half types: blocks are widened to `f32`, computed, and rounded once.

use super::BLOCK;
use half::slice::HalfFloatSliceExt;
use levada_graph::{Element, bf16, f16};

/// A 16-bit float.
pub trait Half: Element + Copy {
    fn widen(from: &[Self], to: &mut [f32]);
    fn narrow(from: &[f32], to: &mut [Self]);
}

macro_rules! halves {
    ($($ty:ty),*) => {$(
        impl Half for $ty {
            fn widen(from: &[Self], to: &mut [f32]) {
                from.convert_to_f32_slice(to);
            }
            fn narrow(from: &[f32], to: &mut [Self]) {
                to.convert_from_f32_slice(from);
            }
        }
    )*};
}

halves!(f16, bf16);

/// Computes `out` from `a` by a loop over `f32`.
pub fn one_to_half<H: Half>(a: &[H], out: &mut [H], loop_: impl Fn(&[f32], &mut [f32])) {
    let mut wide = [0f32; BLOCK];
    one_to(a, out, |a, out| {
        loop_(a, &mut wide[..a.len()]);
        H::narrow(&wide[..a.len()], out);
    });
}

/// Computes `out`, of any type, from `a` by a loop over `f32`.
pub fn one_to<H: Half, R>(a: &[H], out: &mut [R], mut loop_: impl FnMut(&[f32], &mut [R])) {
    let mut x = [0f32; BLOCK];
    for (a, out) in a.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        H::widen(a, &mut x[..a.len()]);
        loop_(&x[..a.len()], out);
    }
}

/// Computes `out` from `a` and `b` by a loop over `f32`.
pub fn two_to_half<H: Half>(a: &[H], b: &[H], out: &mut [H], loop_: impl Fn(&[f32], &[f32], &mut [f32])) {
    let mut wide = [0f32; BLOCK];
    two_to(a, b, out, |a, b, out| {
        loop_(a, b, &mut wide[..a.len()]);
        H::narrow(&wide[..a.len()], out);
    });
}

/// Computes `out`, of any type, from `a` and `b` by a loop over `f32`.
pub fn two_to<H: Half, R>(a: &[H], b: &[H], out: &mut [R], mut loop_: impl FnMut(&[f32], &[f32], &mut [R])) {
    let (mut x, mut y) = ([0f32; BLOCK], [0f32; BLOCK]);
    for ((a, b), out) in a.chunks(BLOCK).zip(b.chunks(BLOCK)).zip(out.chunks_mut(BLOCK)) {
        H::widen(a, &mut x[..a.len()]);
        H::widen(b, &mut y[..b.len()]);
        loop_(&x[..a.len()], &y[..b.len()], out);
    }
}
