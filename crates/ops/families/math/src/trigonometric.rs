//! Sines, cosines, tangents and their inverses.

use super::complex_functions as complex;
use super::roots::{RECIPROCAL, SQRT, SQUARE};
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, unary};
use crate::prelude::*;
use crate::rules::one;

pub static ACOS: Def<Elementwise> = unary("Acos", FLOATS_COMPLEX, |op, cx| {
    let acos = map1! {
        [f32, f64] @ 8.0 |x| x.acos();
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::acos);
    };
    unary::floats_complex(&acos, op.dtype, cx)
})
.doc("The inverse cosine.")
.gradient(|_, g| one(g, |dy, x, _| -(dy * slope(x.conj()))));

pub static ASIN: Def<Elementwise> = unary("Asin", FLOATS_COMPLEX, |op, cx| {
    let asin = map1! {
        [f32, f64] @ 8.0 |x| x.asin();
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::asin);
    };
    unary::floats_complex(&asin, op.dtype, cx)
})
.doc("The inverse sine.")
.gradient(|_, g| one(g, |dy, x, _| dy * slope(x.conj())));

/// The derivative of [`ASIN`].
fn slope(x: V<'_>) -> V<'_> {
    RECIPROCAL.call([SQRT.call([-SQUARE.call([x]) + 1.0])])
}

pub static ATAN: Def<Elementwise> = unary("Atan", FLOATS_COMPLEX, |op, cx| {
    let atan = map1! {
        [f32, f64] @ 8.0 |x| x.atan();
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::atan);
    };
    unary::floats_complex(&atan, op.dtype, cx)
})
.doc("The inverse tangent.")
.gradient(|_, g| one(g, |dy, x, _| dy * RECIPROCAL.call([SQUARE.call([x.conj()]) + 1.0])));

pub static COS: Def<Elementwise> = unary("Cos", FLOATS_COMPLEX, |op, cx| {
    let cos = map1! {
        [f32, f64] @ 6.0 |x| x.cos();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::cos);
    };
    unary::floats_complex(&cos, op.dtype, cx)
})
.doc("The cosine.")
.gradient(|_, g| one(g, |dy, x, _| -dy * SIN.call([x.conj()])));

pub static SIN: Def<Elementwise> = unary("Sin", FLOATS_COMPLEX, |op, cx| {
    let sin = map1! {
        [f32, f64] @ 6.0 |x| x.sin();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::sin);
    };
    unary::floats_complex(&sin, op.dtype, cx)
})
.doc("The sine.")
.gradient(|_, g| one(g, |dy, x, _| dy * COS.call([x.conj()])));

pub static TAN: Def<Elementwise> = unary("Tan", FLOATS_COMPLEX, |op, cx| {
    let tan = map1! {
        [f32, f64] @ 10.0 |x| x.tan();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::tan);
    };
    unary::floats_complex(&tan, op.dtype, cx)
})
.doc("The tangent.")
.gradient(|_, g| one(g, |dy, x, _| dy * SQUARE.call([RECIPROCAL.call([COS.call([x.conj()])])])));
