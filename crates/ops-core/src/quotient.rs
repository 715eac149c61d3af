//! Division of numbers of any type, for complex ones as exact as for real ones.

use levada_graph::{Complex32, Complex64};

/// Division without overflow or underflow of the square of the divisor's size.
pub trait Quotient {
    /// The quotient of this number and `divisor`.
    #[must_use]
    fn over(self, divisor: Self) -> Self;
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl Quotient for $ty {
            #[inline(always)]
            fn over(self, divisor: $ty) -> $ty {
                self / divisor
            }
        }
    )*};
}

plain!(f32, f64, half::f16, half::bf16);

impl Quotient for Complex32 {
    #[inline(always)]
    fn over(self, divisor: Complex32) -> Complex32 {
        let wide = |x: Complex32| Complex64::new(x.re.into(), x.im.into());
        let quotient = wide(self) / wide(divisor);
        Complex32::new(quotient.re as f32, quotient.im as f32)
    }
}

impl Quotient for Complex64 {
    #[inline(always)]
    fn over(self, divisor: Complex64) -> Complex64 {
        let (own, other) = (moderation(self), moderation(divisor));
        if own == 1.0 && other == 1.0 {
            return self / divisor;
        }
        let quotient = (self * own) / (divisor * other);
        if own == other { quotient } else { quotient * other / own }
    }
}

/// A power of 2, so that nothing is rounded, by which the square of the number's size neither overflows nor underflows.
#[inline(always)]
fn moderation(x: Complex64) -> f64 {
    const USUAL: std::ops::Range<f64> = 1e-140..1e140;
    let size = x.re.abs().max(x.im.abs());
    if USUAL.contains(&size) || size == 0.0 || !size.is_finite() {
        return 1.0;
    }
    f64::from_bits(if size > 1.0 { 1023 - 540 } else { 1023 + 540 } << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_of_any_size_are_exact_to_a_few_bits() {
        for (a, b) in [(1e-300, 1e300), (1e300, 1e300), (1e300, 1.0), (1e-300, 1e-290), (3.0, 1e-170), (1e200, 1e150)] {
            let quotient = Complex64::new(a, 2.0 * a).over(Complex64::new(2.0 * b, -b));
            let expected = a / b;
            assert!((quotient.im - expected).abs() <= 1e-14 * expected, "{a} over {b}: {quotient}");
            assert!(quotient.re.abs() <= 1e-14 * expected, "{a} over {b}: {quotient}");
        }
        let quotient = Complex32::new(1e30, 2e30).over(Complex32::new(2e30, -1e30));
        assert_eq!(quotient, Complex32::new(0.0, 1.0));
    }
}
