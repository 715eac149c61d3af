//! Hyperbolic sines, cosines, tangents and their inverses.

use super::complex_functions as complex;
use super::gradients::TANH_GRAD;
use super::roots::{RECIPROCAL, SQUARE};
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, each, unary};
use crate::prelude::*;
use crate::rules::one;

pub static ACOSH: Def<Elementwise> = unary("Acosh", FLOATS_COMPLEX, |op, cx| {
    let acosh = map1! {
        [f32] @ 10.0 |x| f64::from(x).acosh() as f32;
        [f64] @ 20.0 |x| libm::acosh(x);
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::acosh);
    };
    unary::floats_complex(&acosh, op.dtype, cx)
})
.doc("The inverse hyperbolic cosine.")
.gradient(|_, g| one(g, |dy, _, y| dy / SINH.call([y.conj()])));

pub static ASINH: Def<Elementwise> = unary("Asinh", FLOATS_COMPLEX, |op, cx| {
    let asinh = map1! {
        [f32] @ 10.0 |x| libm::asinh(x.into()) as f32;
        [f64] @ 20.0 |x| libm::asinh(x);
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::asinh);
    };
    unary::floats_complex(&asinh, op.dtype, cx)
})
.doc("The inverse hyperbolic sine.")
.gradient(|_, g| one(g, |dy, _, y| dy / COSH.call([y.conj()])));

pub static ATANH: Def<Elementwise> = unary("Atanh", FLOATS_COMPLEX, |op, cx| {
    let atanh = map1! {
        [f32] @ 2.5, wide |x| wide::atanh(x.into()) as f32;
        [f64] @ 2.5, wide |x| wide::atanh(x);
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::atanh);
    };
    unary::floats_complex(&atanh, op.dtype, cx)
})
.doc("The inverse hyperbolic tangent.")
.gradient(|_, g| one(g, |dy, x, _| dy * RECIPROCAL.call([-SQUARE.call([x.conj()]) + 1.0])));

pub static COSH: Def<Elementwise> = unary("Cosh", FLOATS_COMPLEX, |op, cx| {
    let cosh = map1! {
        [f32] @ 1.0, wide |x| wide::cosh(x);
        [f64] @ 10.0 |x| x.cosh();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::cosh);
    };
    unary::floats_complex(&cosh, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| wide::cosh(x); }, x, out)))
.doc("The hyperbolic cosine.")
.gradient(|_, g| one(g, |dy, x, _| dy * SINH.call([x.conj()])));

pub static SINH: Def<Elementwise> = unary("Sinh", FLOATS_COMPLEX, |op, cx| {
    let sinh = map1! {
        [f32] @ 1.0, wide |x| wide::sinh(x);
        [f64] @ 10.0 |x| x.sinh();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::sinh);
    };
    unary::floats_complex(&sinh, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| wide::sinh(x); }, x, out)))
.doc("The hyperbolic sine.")
.gradient(|_, g| one(g, |dy, x, _| dy * COSH.call([x.conj()])));

pub static TANH: Def<Elementwise> = unary("Tanh", FLOATS_COMPLEX, |op, cx| {
    let tanh = map1! {
        [f32] @ 0.4, wide |x| vector::tanh(x);
        [f64] @ 1.5, wide |x| wide::tanh(x);
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::tanh);
    };
    unary::floats_complex(&tanh, op.dtype, cx)
})
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::Tanh)))
.keeps_finite()
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::tanh(x); }, x, out)))
.doc("The hyperbolic tangent.")
.gradient(|_, g| one(g, |dy, _, y| TANH_GRAD.call([y.conj(), dy])));
