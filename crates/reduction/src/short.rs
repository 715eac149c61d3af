//! Short runs of `f32` in vectors. The compiler unrolls loops over few lanes before it could vectorize them.

#![allow(unsafe_code)]

use crate::Reduce;
use pulp::Simd;
use std::any::{Any, TypeId};

/// How values are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// Added.
    Sum,
    /// The minimum, or the first that is NaN.
    Min,
    /// The maximum, or the first that is NaN.
    Max,
}

/// Number of lanes that accumulate.
pub(crate) const LANES: usize = 16;

/// Accumulates every sixteenth of these values. `None` if this machine or the type has no vectors for it.
#[inline(always)]
pub(crate) fn lanes<S: Simd, T: Copy + 'static, R: Reduce<T>>(simd: S, x: &[T]) -> Option<[R::Acc; LANES]> {
    let merge = const { R::SINGLES }?;
    if const { S::F32_LANES < 4 || S::F32_LANES > LANES } {
        return None;
    }
    same(&accumulated(simd, merge, as_singles(x)?, same(&R::start())?))
}

#[inline(always)]
fn accumulated<S: Simd>(simd: S, merge: Merge, x: &[f32], start: f32) -> [f32; LANES] {
    let count = const { LANES / S::F32_LANES };
    let mut accs = [simd.splat_f32s(start); 4];
    let (x, rest) = x.split_at(x.len() / LANES * LANES);
    let (mut vectors, _) = S::as_simd_f32s(x);
    // In any order, so several at a time: each takes a while.
    if merge != Merge::Sum && vectors.len() >= SEVERAL {
        let fours = vectors.chunks_exact(4);
        vectors = fours.remainder();
        for four in fours {
            for i in 0..4 {
                accs[i] = merged(simd, merge, accs[i], four[i]);
            }
        }
        for i in count..4 {
            accs[i % count] = merged(simd, merge, accs[i % count], accs[i]);
        }
    }
    for vectors in vectors.chunks_exact(count) {
        for i in 0..count {
            accs[i] = merged(simd, merge, accs[i], vectors[i]);
        }
    }
    if !rest.is_empty() {
        for (i, acc) in accs[..count].iter_mut().enumerate() {
            let rest = rest.get(i * S::F32_LANES..).unwrap_or_default();
            let rest = &rest[..rest.len().min(S::F32_LANES)];
            let numbers = S::as_simd_u32s(&NUMBERS[..S::F32_LANES]).0[0];
            let is_there = simd.less_than_u32s(numbers, simd.splat_u32s(rest.len() as u32));
            let more = merged(simd, merge, *acc, simd.partial_load_f32s(rest));
            *acc = simd.select_f32s(is_there, more, *acc);
        }
    }
    let mut lanes = [start; LANES];
    S::as_mut_simd_f32s(&mut lanes).0.copy_from_slice(&accs[..count]);
    lanes
}

/// Vectors that are merged several at a time, at least.
const SEVERAL: usize = 8;

/// The numbers of the lanes.
const NUMBERS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

#[inline(always)]
fn merged<S: Simd>(simd: S, merge: Merge, a: S::f32s, b: S::f32s) -> S::f32s {
    let is_first = match merge {
        Merge::Sum => return simd.add_f32s(a, b),
        Merge::Min => simd.less_than_f32s(a, b),
        Merge::Max => simd.less_than_f32s(b, a),
    };
    let of_numbers = simd.select_f32s(is_first, a, b);
    simd.select_f32s(simd.equal_f32s(a, a), of_numbers, a)
}

/// The same values, if they are `f32`.
#[inline(always)]
fn as_singles<T: 'static>(x: &[T]) -> Option<&[f32]> {
    // SAFETY: `T` is `f32`.
    (TypeId::of::<T>() == TypeId::of::<f32>())
        .then(|| unsafe { std::slice::from_raw_parts(x.as_ptr().cast(), x.len()) })
}

/// The same value, if it is of that type.
#[inline(always)]
fn same<A: Copy + 'static, B: Copy + 'static>(value: &A) -> Option<B> {
    (value as &dyn Any).downcast_ref().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SumOf;
    use pulp::WithSimd;
    use std::marker::PhantomData;

    struct Extreme<const IS_MAX: bool>;

    impl<const IS_MAX: bool> Reduce<f32> for Extreme<IS_MAX> {
        type Acc = f32;
        type Out = f32;
        const VECTOR: bool = true;
        const EXACT: bool = false;
        const SINGLES: Option<Merge> = Some(if IS_MAX { Merge::Max } else { Merge::Min });
        fn start() -> f32 {
            if IS_MAX { f32::NEG_INFINITY } else { f32::INFINITY }
        }
        fn lift(x: f32) -> f32 {
            x
        }
        fn merge(a: f32, b: f32) -> f32 {
            if (if IS_MAX { a > b } else { a < b }) || a.is_nan() { a } else { b }
        }
        fn finish(acc: f32, _: usize) -> f32 {
            acc
        }
    }

    /// Checks the lanes against a loop; true if there were some.
    struct Check<'a, R>(&'a [f32], PhantomData<R>);

    impl<R: Reduce<f32, Acc = f32>> WithSimd for Check<'_, R> {
        type Output = bool;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> bool {
            let x = self.0;
            let Some(accs) = lanes::<S, f32, R>(simd, x) else { return false };
            let mut expected = [R::start(); LANES];
            x.iter().enumerate().for_each(|(i, &x)| expected[i % LANES] = R::merge(expected[i % LANES], x));
            // It is unspecified which NaN a sum of infinities is.
            let bits = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
            assert_eq!(accs.map(bits), expected.map(bits));
            true
        }
    }

    #[test]
    fn lanes_have_the_bits_of_loops() {
        let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0];
        let number = |i: usize| special.get(i % 97).copied().unwrap_or((i as f32).sin() * 1e3);
        let x: Vec<f32> = (0..2000).map(number).collect();
        for len in (0..300).step_by(7) {
            for x in [&x[len..2 * len], &x[5..5 + len]] {
                let arch = pulp::Arch::new();
                let are_vectors = arch.dispatch(Check::<SumOf<f32>>(x, PhantomData));
                assert_eq!(arch.dispatch(Check::<Extreme<true>>(x, PhantomData)), are_vectors);
                assert_eq!(arch.dispatch(Check::<Extreme<false>>(x, PhantomData)), are_vectors);
                assert!(!pulp::Scalar::new().vectorize(Check::<SumOf<f32>>(x, PhantomData)));
                #[cfg(target_arch = "x86_64")]
                if let Some(narrower) = pulp::x86::V3::try_new() {
                    assert!(Simd::vectorize(narrower, Check::<SumOf<f32>>(x, PhantomData)));
                    assert!(Simd::vectorize(narrower, Check::<Extreme<true>>(x, PhantomData)));
                    assert!(Simd::vectorize(narrower, Check::<Extreme<false>>(x, PhantomData)));
                }
            }
        }
        assert!(as_singles(&[1.0f64]).is_none() && same::<f32, f64>(&1.0).is_none());
    }
}
