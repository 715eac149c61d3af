//! Squares, square roots and reciprocals.

use super::complex_functions as complex;
use crate::elementwise::Map1;
use crate::prelude::*;

const SQUARE: &[DType] = sets::NUMBERS;
const RECIPROCAL: &[DType] = &[
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::C64,
    DType::C128,
];

unary_ops! {
    /// `1 / x`.
    Inv(x) -> y: RECIPROCAL, floats_complex FLOATS_COMPLEX;
    /// `1 / x`.
    Reciprocal(x) -> y: RECIPROCAL, floats_complex FLOATS_COMPLEX;
    /// `1 / sqrt(x)`.
    Rsqrt(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The square root.
    Sqrt(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `x * x`.
    Square(x) -> y: SQUARE, numbers NUMBERS;
}

impl<T: Number> Map1<T> for Square {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T) -> T {
        x.mul(x)
    }
}

map1! {
    Inv: [f32, f64] |x| 1.0 / x;
    Inv: [Complex32, Complex64] |x| x.inv();
    Reciprocal: [f32, f64] |x| 1.0 / x;
    Reciprocal: [Complex32, Complex64] |x| x.inv();
    Rsqrt: [f32, f64] |x| 1.0 / x.sqrt();
    Rsqrt: [Complex32, Complex64] @ 20.0 |x| complex::by64(x, |x| x.sqrt().inv());
    Sqrt: [f32, f64] |x| x.sqrt();
    Sqrt: [Complex32, Complex64] @ 20.0 |x| complex::by64(x, |x| x.sqrt());
}
