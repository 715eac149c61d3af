//! Conversions of slices between `f32` and the 16-bit floats, with the machine's instructions if it has them.

use crate::number::Number;
use crate::vectorized;
use levada_graph::{bf16, f16};

/// A 16-bit float, for which computations use `f32`.
pub trait Half: Number<Wide = f32> {
    /// Converts to `f32`, up to the shorter length of both slices.
    fn to_singles(from: &[Self], to: &mut [f32]);

    /// Converts from `f32`, rounding to the nearest value, up to the shorter length of both slices.
    fn from_singles(from: &[f32], to: &mut [Self]);

    /// Like [`Half::to_singles`], into a new vector.
    fn singles(from: &[Self]) -> Vec<f32> {
        let mut to = vec![0.0; from.len()];
        Self::to_singles(from, &mut to);
        to
    }
}

impl Half for bf16 {
    fn to_singles(from: &[bf16], to: &mut [f32]) {
        vectorized!(to.iter_mut().zip(from).for_each(|(t, f)| *t = f32::from_bits(u32::from(f.to_bits()) << 16)));
    }

    fn from_singles(from: &[f32], to: &mut [bf16]) {
        vectorized!(to.iter_mut().zip(from).for_each(|(t, f)| {
            let bits = f.to_bits();
            let rounded = (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16;
            // Rounding could turn NaN into infinity.
            let quiet = (bits >> 16) as u16 | 0x40;
            *t = bf16::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 { quiet } else { rounded });
        }));
    }
}

impl Half for f16 {
    fn to_singles(from: &[f16], to: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if x86::to_singles(from, to) {
            return;
        }
        to.iter_mut().zip(from).for_each(|(t, f)| *t = f.to_f32());
    }

    fn from_singles(from: &[f32], to: &mut [f16]) {
        #[cfg(target_arch = "x86_64")]
        if x86::from_singles(from, to) {
            return;
        }
        to.iter_mut().zip(from).for_each(|(t, f)| *t = f16::from_f32(*f));
    }
}

/// The instructions that convert float16.
#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]

    use levada_graph::f16;
    use std::arch::x86_64::{
        __m128i, __m256i, _MM_FROUND_TO_NEAREST_INT, _mm_loadu_si128, _mm_storeu_si128, _mm256_cvtph_ps,
        _mm256_cvtps_ph, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_storeu_ps, _mm256_storeu_si256, _mm512_cvtph_ps,
        _mm512_cvtps_ph, _mm512_loadu_ps, _mm512_storeu_ps,
    };

    /// Defines the conversions of slices with vectors of a given number of lanes.
    macro_rules! by_vectors {
        ($features:literal, $lanes:literal, $to:ident, $from:ident,
         |$half:ident, $single:ident| $to_body:expr, |$single2:ident, $half2:ident| $from_body:expr) => {
            #[target_feature(enable = $features)]
            fn $to(from: &[f16], to: &mut [f32]) {
                let one = |from: &[f16; $lanes], to: &mut [f32; $lanes]| {
                    let ($half, $single) = (from.as_ptr(), to.as_mut_ptr());
                    // SAFETY: both arrays are as long as the vectors.
                    unsafe { $to_body }
                };
                let n = from.len().min(to.len());
                let ((from, from_rest), (to, to_rest)) = (from[..n].as_chunks(), to[..n].as_chunks_mut());
                from.iter().zip(to).for_each(|(from, to)| one(from, to));
                if !from_rest.is_empty() {
                    let (mut last, mut made) = ([f16::ZERO; $lanes], [0f32; $lanes]);
                    last[..from_rest.len()].copy_from_slice(from_rest);
                    one(&last, &mut made);
                    to_rest.copy_from_slice(&made[..from_rest.len()]);
                }
            }

            #[target_feature(enable = $features)]
            fn $from(from: &[f32], to: &mut [f16]) {
                let one = |from: &[f32; $lanes], to: &mut [f16; $lanes]| {
                    let ($single2, $half2) = (from.as_ptr(), to.as_mut_ptr());
                    // SAFETY: both arrays are as long as the vectors.
                    unsafe { $from_body }
                };
                let n = from.len().min(to.len());
                let ((from, from_rest), (to, to_rest)) = (from[..n].as_chunks(), to[..n].as_chunks_mut());
                from.iter().zip(to).for_each(|(from, to)| one(from, to));
                if !from_rest.is_empty() {
                    let (mut last, mut made) = ([0f32; $lanes], [f16::ZERO; $lanes]);
                    last[..from_rest.len()].copy_from_slice(from_rest);
                    one(&last, &mut made);
                    to_rest.copy_from_slice(&made[..from_rest.len()]);
                }
            }
        };
    }

    by_vectors! {
        "avx512f", 16, to_singles_512, from_singles_512,
        |half, single| _mm512_storeu_ps(single, _mm512_cvtph_ps(_mm256_loadu_si256(half.cast::<__m256i>()))),
        |single, half| _mm256_storeu_si256(
            half.cast::<__m256i>(),
            _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_loadu_ps(single)),
        )
    }

    by_vectors! {
        "avx,f16c", 8, to_singles_256, from_singles_256,
        |half, single| _mm256_storeu_ps(single, _mm256_cvtph_ps(_mm_loadu_si128(half.cast::<__m128i>()))),
        |single, half| _mm_storeu_si128(
            half.cast::<__m128i>(),
            _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_loadu_ps(single)),
        )
    }

    /// Returns false, with nothing done, on a machine without these instructions.
    pub(super) fn to_singles(from: &[f16], to: &mut [f32]) -> bool {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions.
            unsafe { to_singles_512(from, to) }
        } else if is_x86_feature_detected!("avx") && is_x86_feature_detected!("f16c") {
            // SAFETY: as above.
            unsafe { to_singles_256(from, to) }
        } else {
            return false;
        }
        true
    }

    /// Like [`to_singles`].
    pub(super) fn from_singles(from: &[f32], to: &mut [f16]) -> bool {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions.
            unsafe { from_singles_512(from, to) }
        } else if is_x86_feature_detected!("avx") && is_x86_feature_detected!("f16c") {
            // SAFETY: as above.
            unsafe { from_singles_256(from, to) }
        } else {
            return false;
        }
        true
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn narrow_vectors_give_the_same() {
            if !is_x86_feature_detected!("f16c") || !is_x86_feature_detected!("avx") {
                return;
            }
            let all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
            let (mut wide, mut back) = (vec![0f32; all.len() - 3], vec![f16::ZERO; all.len() - 3]);
            // SAFETY: the machine has the instructions.
            unsafe {
                to_singles_256(&all, &mut wide);
                from_singles_256(&wide, &mut back);
            }
            for (i, (wide, back)) in wide.iter().zip(&back).enumerate() {
                assert!(wide.to_bits() == all[i].to_f32().to_bits() || wide.is_nan() && all[i].is_nan());
                assert!(*back == all[i] || back.is_nan() && all[i].is_nan());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<H: Half + PartialEq + std::fmt::Debug>(of: fn(u16) -> H, one: fn(f32) -> H, bits: fn(H) -> u16) {
        let all: Vec<H> = (0..=u16::MAX).map(of).collect();
        let wide = H::singles(&all);
        for (wide, half) in wide.iter().zip(&all) {
            assert!(*wide == half.widen() || wide.is_nan() && half.widen().is_nan());
        }
        // At two adjacent values, halfway between them, and slightly to both sides of that.
        let mut numbers = Vec::new();
        for pair in wide.windows(2) {
            let middle = ((f64::from(pair[0]) + f64::from(pair[1])) / 2.0) as f32;
            let step = |by: u32| f32::from_bits(middle.to_bits().wrapping_add(by));
            numbers.extend([pair[0], middle, step(1), step(u32::MAX), step(12_345)]);
        }
        numbers.extend([f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.0, 1e-45]);
        for count in [numbers.len(), 0, 1, 7, 17] {
            let mut out = vec![H::zero(); count];
            H::from_singles(&numbers, &mut out);
            for (out, &number) in out.iter().zip(&numbers) {
                assert!(bits(*out) == bits(one(number)) || number.is_nan() && out.widen().is_nan(), "{number}");
            }
        }
    }

    #[test]
    fn slices_are_converted_as_single_numbers_are() {
        check(f16::from_bits, f16::from_f32, f16::to_bits);
        check(bf16::from_bits, bf16::from_f32, bf16::to_bits);
    }
}
