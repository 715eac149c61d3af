//! `Sub`, `Mul`, `MulNoNan` and `SquaredDifference`.

use crate::elementwise::Map2;
use crate::prelude::*;

const SQUARED_DIFFERENCE: &[DType] =
    &[DType::BF16, DType::F16, DType::F32, DType::F64, DType::I32, DType::I64, DType::C64, DType::C128];

binary_ops! {
    /// `x - y`.
    Sub(x, y) -> z: sets::NUMBERS, numbers NUMBERS;
    /// `x * y`.
    Mul(x, y) -> z: sets::NUMBERS, numbers NUMBERS;
    /// `x * y`, and 0 where `y` is 0, even for an infinite or undefined `x`.
    MulNoNan(x, y) -> z: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `conj(x - y) * (x - y)`.
    SquaredDifference(x, y) -> z: SQUARED_DIFFERENCE, numbers NUMBERS;
}

impl<T: Number> Map2<T> for Sub {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        x.sub(y)
    }
}

impl<T: Number> Map2<T> for Mul {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        x.mul(y)
    }
}

impl<T: Number> Map2<T> for MulNoNan {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        if y == T::zero() { y } else { x.mul(y) }
    }
}

impl<T: Number> Map2<T> for SquaredDifference {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        let difference = x.sub(y);
        difference.conj().mul(difference)
    }
}
