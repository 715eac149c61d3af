//! Exponentials and logarithms.

use super::complex_functions as complex;
use super::gradients::SIGMOID_GRAD;
use super::roots::RECIPROCAL;
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, each, unary};
use crate::prelude::*;
use crate::rules::one;

pub static EXP: Def<Elementwise> = unary("Exp", FLOATS_COMPLEX, |op, cx| {
    let exp = map1! {
        [f32] @ 0.4, wide |x| vector::exp(x);
        [f64] @ 1.0, wide |x| wide::exp(x);
        [Complex32] @ 4.0, wide |x| complex::exp32(x),
            usually complex::exp_of_usual(x), unless complex::is_special_exponent(x);
        [Complex64] @ 30.0 |x| complex::exp(x);
    };
    unary::floats_complex(&exp, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::exp(x); }, x, out)))
.doc("`e` to the power of `x`.")
.gradient(|_, g| one(g, |dy, _, y| dy * y.conj()));

pub static EXPM1: Def<Elementwise> = unary("Expm1", FLOATS_COMPLEX, |op, cx| {
    let exp_m1 = map1! {
        [f32] @ 0.4, wide |x| vector::exp_m1(x);
        [f64] @ 1.0, wide |x| wide::exp_m1(x);
        [Complex32, Complex64] @ 40.0 |x| complex::by64(x, complex::exp_m1);
    };
    unary::floats_complex(&exp_m1, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::exp_m1(x); }, x, out)))
.doc("`exp(x) - 1`, accurate near 0.")
.gradient(|_, g| one(g, |dy, x, _| dy * EXP.call([x.conj()])));

pub static LOG: Def<Elementwise> = unary("Log", FLOATS_COMPLEX, |op, cx| {
    let ln = map1! {
        [f32] @ 0.6, wide |x| vector::ln(x);
        [f64] @ 1.5, wide |x| wide::ln(x);
        [Complex32] @ 4.0, wide |x| complex::ln32(x),
            usually complex::ln_of_usual(x), unless complex::is_special_argument(x);
        [Complex64] @ 30.0 |x| complex::ln(x);
    };
    unary::floats_complex(&ln, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::ln(x); }, x, out)))
.doc("The natural logarithm.")
.gradient(|_, g| one(g, |dy, x, _| dy * RECIPROCAL.call([x.conj()])));

pub static LOG1P: Def<Elementwise> = unary("Log1p", FLOATS_COMPLEX, |op, cx| {
    let ln_1p = map1! {
        [f32] @ 0.6, wide |x| vector::ln_1p(x);
        [f64] @ 2.5, wide |x| wide::ln_1p(x);
        [Complex32, Complex64] @ 40.0 |x| complex::by64(x, complex::ln_1p);
    };
    unary::floats_complex(&ln_1p, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::ln_1p(x); }, x, out)))
.doc("`log(1 + x)`, accurate near 0.")
.gradient(|_, g| one(g, |dy, x, _| dy * RECIPROCAL.call([x.conj() + 1.0])));

pub static SIGMOID: Def<Elementwise> = unary("Sigmoid", FLOATS_COMPLEX, |op, cx| {
    let sigmoid = map1! {
        [f32] @ 0.4, wide |x| vector::sigmoid(x);
        [f64] @ 1.5, wide |x| wide::sigmoid(x);
        [Complex32, Complex64] @ 50.0 |x| complex::by64(x, |x| (complex::exp(-x) + 1.0).inv());
    };
    unary::floats_complex(&sigmoid, op.dtype, cx)
})
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::Sigmoid)))
.keeps_finite()
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::sigmoid(x); }, x, out)))
.doc("The logistic sigmoid `1 / (1 + exp(-x))`.")
.gradient(|_, g| one(g, |dy, _, y| SIGMOID_GRAD.call([y.conj(), dy])));
