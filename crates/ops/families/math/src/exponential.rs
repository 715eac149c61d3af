//! Exponentials and logarithms.

use super::complex_functions as complex;
use crate::elementwise::vector_math as vector;
use crate::prelude::*;

unary_ops! {
    /// `e` to the power of `x`.
    Exp(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `exp(x) - 1`, precise near 0.
    Expm1(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The natural logarithm.
    Log(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `log(1 + x)`, precise near 0.
    Log1p(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `1 / (1 + exp(-x))`.
    Sigmoid(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
}

map1! {
    Exp: [f32] |x| vector::exp(x);
    Exp: [f64] @ 4.0 |x| x.exp();
    Exp: [Complex32, Complex64] @ 30.0 |x| complex::by64(x, complex::exp);
    Expm1: [f32] |x| vector::exp_m1(x);
    Expm1: [f64] @ 8.0 |x| x.exp_m1();
    Expm1: [Complex32, Complex64] @ 40.0 |x| complex::by64(x, complex::exp_m1);
    Log: [f32] |x| vector::ln(x);
    Log: [f64] @ 5.0 |x| x.ln();
    Log: [Complex32, Complex64] @ 30.0 |x| complex::by64(x, complex::ln);
    Log1p: [f32] |x| vector::ln_1p(x);
    Log1p: [f64] @ 8.0 |x| x.ln_1p();
    Log1p: [Complex32, Complex64] @ 40.0 |x| complex::by64(x, complex::ln_1p);
    Sigmoid: [f32] |x| vector::sigmoid(x);
    Sigmoid: [f64] @ 5.0 |x| {
        let small = (-x.abs()).exp();
        if x < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
    };
    Sigmoid: [Complex32, Complex64] @ 50.0 |x| complex::by64(x, |x| (complex::exp(-x) + 1.0).inv());
}
