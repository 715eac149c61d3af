//! Loops compiled for the vector instructions of the machine they run on.

use crate::elementwise::vector_math;
use levada_graph::{DType, Element};

/// Runs `f`, which must be `#[inline(always)]`, compiled for the widest vectors this machine has: see [`vectorized!`].
#[inline(always)]
pub fn dispatch<R>(f: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(f)
}

/// Evaluates an expression compiled for the widest vectors that this machine has. The functions it calls must be
/// `#[inline(always)]` to benefit: a function that is not inlined is compiled for the baseline vectors.
///
/// A macro, so that callers cannot forget the attribute, without which the expression itself would be such a function.
#[macro_export]
macro_rules! vectorized {
    ($body:expr) => {
        $crate::simd::dispatch(
            #[inline(always)]
            || $body,
        )
    };
}

/// Like [`vectorized!`] if the element type, the first argument, is common ([`simd::is_common`]); loops over other
/// types are compiled once.
///
/// [`simd::is_common`]: $crate::simd::is_common
#[macro_export]
macro_rules! vectorized_for {
    ($element:ty, $body:expr) => {
        if const { $crate::simd::is_common::<$element>() } { $crate::vectorized!($body) } else { $body }
    };
}

/// Returns whether this is one of the element types that models mostly use, whose loops are worth compiling for every
/// vector width.
pub const fn is_common<T: Element>() -> bool {
    matches!(T::DTYPE, DType::F32 | DType::F64 | DType::I32)
}

/// The exponential function without branches or calls, so that loops over it are vectorized. Within two units in the
/// last place; overflow, underflow, infinities and NaN as in the standard library.
pub trait Exp {
    /// Returns e to the power of this number.
    fn fast_exp(self) -> Self;

    /// Returns e to the power of this number, which must not be positive. It is faster, and may be 0 for subnormal
    /// results.
    #[inline(always)]
    fn fast_exp_below_zero(self) -> Self
    where
        Self: Sized,
    {
        self.fast_exp()
    }
}

impl Exp for f32 {
    #[inline(always)]
    fn fast_exp(self) -> f32 {
        vector_math::exp(self)
    }

    #[inline(always)]
    fn fast_exp_below_zero(self) -> f32 {
        vector_math::exp_below_zero(self)
    }
}

impl Exp for f64 {
    #[inline(always)]
    fn fast_exp(self) -> f64 {
        const ROUND: f64 = 6_755_399_441_055_744.0;
        let x = if self < -746.0 { -746.0 } else { self };
        let x = if x > 710.0 { 710.0 } else { x };
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = x - n * 0.693_147_180_369_123_8 - n * 1.908_214_929_270_587_7e-10;
        let mut p = 1.0 / 6_227_020_800.0;
        for c in [479_001_600.0, 39_916_800.0, 3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0]
        {
            p = p * r + 1.0 / c;
        }
        let p = p * (r * r) + r + 1.0;
        let n = (shifted.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
        let half = n >> 1;
        let power = |n: i64| f64::from_bits((n.wrapping_add(1023) as u64) << 52);
        p * power(half) * power(n.wrapping_sub(half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate() {
        for i in -110_000..100_000 {
            let x = i as f32 * 1e-3;
            let (fast, exact) = (x.fast_exp(), f64::from(x).exp());
            let step = f64::from(fast.to_bits().abs_diff((exact as f32).to_bits()));
            assert!(step <= 2.0, "exp({x}) = {fast}, not {exact}");
            if x <= 0.0 {
                let below = x.fast_exp_below_zero();
                assert!(below == fast || (below == 0.0 && fast < 1.2 * f32::MIN_POSITIVE), "exp({x}) = {below}");
            }
        }
        for i in -80_000..75_000 {
            let x = i as f64 * 1e-2;
            let (fast, exact) = (x.fast_exp(), x.exp());
            assert!(fast.to_bits().abs_diff(exact.to_bits()) <= 3, "exp({x}) = {fast}, not {exact}");
        }
    }

    #[test]
    fn exp_of_special_values() {
        assert_eq!(f32::INFINITY.fast_exp(), f32::INFINITY);
        assert_eq!(f32::NEG_INFINITY.fast_exp(), 0.0);
        assert_eq!(0f32.fast_exp(), 1.0);
        assert!(f32::NAN.fast_exp_below_zero().is_nan());
        assert_eq!([f32::NEG_INFINITY, -1e30, -1e4].map(f32::fast_exp_below_zero), [0.0; 3]);
        assert!(f32::NAN.fast_exp().is_nan() && f64::NAN.fast_exp().is_nan());
        assert_eq!(f64::INFINITY.fast_exp(), f64::INFINITY);
        assert_eq!(f64::NEG_INFINITY.fast_exp(), 0.0);
        assert_eq!(f64::MAX.fast_exp(), f64::INFINITY);
    }
}
