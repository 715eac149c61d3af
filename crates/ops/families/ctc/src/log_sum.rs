//! Probabilities represented by their logarithms.

use crate::prelude::*;

/// The float types that the ops compute in.
pub(crate) trait Log: Element + num_traits::Float {
    /// The logarithm of zero.
    const ZERO: Self;

    /// Returns the logarithm of the sum of two values given by their logarithms.
    fn log_sum(self, other: Self) -> Self {
        let (less, more) = if self > other { (other, self) } else { (self, other) };
        if less == Self::ZERO { more } else { more + (less - more).exp().ln_1p() }
    }
}

impl Log for f32 {
    const ZERO: f32 = f32::NEG_INFINITY;
}

impl Log for f64 {
    const ZERO: f64 = f64::NEG_INFINITY;
}

/// The float types that the ops support.
pub(crate) const FLOATS: &[DType] = &[DType::F32, DType::F64];
