//! `Maximum` and `Minimum`.

use crate::elementwise::Map2;
use crate::prelude::*;

binary_ops! {
    /// The greater of `x` and `y`; NaN where either is NaN.
    Maximum(x, y) -> z: sets::REALS, reals REALS;
    /// The lesser of `x` and `y`; NaN where either is NaN.
    Minimum(x, y) -> z: sets::REALS, reals REALS;
}

impl<T: Real> Map2<T> for Maximum {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        if x.is_nan() || x > y { x } else { y }
    }
}

impl<T: Real> Map2<T> for Minimum {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        if x.is_nan() || x < y { x } else { y }
    }
}
