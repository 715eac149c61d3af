//! Sines, cosines, tangents and their inverses.

use super::complex_functions as complex;
use super::roots::{RECIPROCAL, SQRT, SQUARE};
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, each, unary};
use crate::prelude::*;
use crate::rules::one;

pub static ACOS: Def<Elementwise> = unary("Acos", FLOATS_COMPLEX, |op, cx| {
    let acos = map1! {
        [f32] @ 0.5, wide |x| vector::acos(x);
        [f64] @ 8.0 |x| x.acos();
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::acos);
    };
    unary::floats_complex(&acos, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::acos(x); }, x, out)))
.doc("The inverse cosine.")
.gradient(|_, g| one(g, |dy, x, _| -(dy * slope(x.conj()))));

pub static ASIN: Def<Elementwise> = unary("Asin", FLOATS_COMPLEX, |op, cx| {
    let asin = map1! {
        [f32] @ 0.5, wide |x| vector::asin(x);
        [f64] @ 8.0 |x| x.asin();
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::asin);
    };
    unary::floats_complex(&asin, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::asin(x); }, x, out)))
.doc("The inverse sine.")
.gradient(|_, g| one(g, |dy, x, _| dy * slope(x.conj())));

/// The derivative of [`ASIN`].
fn slope(x: V<'_>) -> V<'_> {
    RECIPROCAL.call([SQRT.call([-SQUARE.call([x]) + 1.0])])
}

pub static ATAN: Def<Elementwise> = unary("Atan", FLOATS_COMPLEX, |op, cx| {
    let atan = map1! {
        [f32] @ 0.5, wide |x| vector::atan(x);
        [f64] @ 2.5, wide |x| wide::atan(x);
        [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::atan);
    };
    unary::floats_complex(&atan, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::atan(x); }, x, out)))
.doc("The inverse tangent.")
.gradient(|_, g| one(g, |dy, x, _| dy * RECIPROCAL.call([SQUARE.call([x.conj()]) + 1.0])));

pub static COS: Def<Elementwise> = unary("Cos", FLOATS_COMPLEX, |op, cx| {
    let cos = map1! {
        [f32] @ 1.0, wide |x| wide::cos(x), usually wide::cos_of_usual(x), unless wide::is_large_angle(x);
        [f64] @ 6.0 |x| x.cos();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::cos);
    };
    unary::floats_complex(&cos, op.dtype, cx)
})
.strip(|op| {
    each(op, |x, out| {
        unary::each(
            &map1! { [f32] |x| wide::cos(x), usually wide::cos_of_usual(x), unless wide::is_large_angle(x); },
            x,
            out,
        )
    })
})
.doc("The cosine.")
.gradient(|_, g| one(g, |dy, x, _| -dy * SIN.call([x.conj()])));

pub static SIN: Def<Elementwise> = unary("Sin", FLOATS_COMPLEX, |op, cx| {
    let sin = map1! {
        [f32] @ 1.0, wide |x| wide::sin(x), usually wide::sin_of_usual(x), unless wide::is_large_angle(x);
        [f64] @ 6.0 |x| x.sin();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::sin);
    };
    unary::floats_complex(&sin, op.dtype, cx)
})
.strip(|op| {
    each(op, |x, out| {
        unary::each(
            &map1! { [f32] |x| wide::sin(x), usually wide::sin_of_usual(x), unless wide::is_large_angle(x); },
            x,
            out,
        )
    })
})
.doc("The sine.")
.gradient(|_, g| one(g, |dy, x, _| dy * COS.call([x.conj()])));

pub static TAN: Def<Elementwise> = unary("Tan", FLOATS_COMPLEX, |op, cx| {
    let tan = map1! {
        [f32] @ 1.5, wide |x| wide::tan(x), usually wide::tan_of_usual(x), unless wide::is_large_angle(x);
        [f64] @ 10.0 |x| x.tan();
        [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::tan);
    };
    unary::floats_complex(&tan, op.dtype, cx)
})
.strip(|op| {
    each(op, |x, out| {
        unary::each(
            &map1! { [f32] |x| wide::tan(x), usually wide::tan_of_usual(x), unless wide::is_large_angle(x); },
            x,
            out,
        )
    })
})
.doc("The tangent.")
.gradient(|_, g| one(g, |dy, x, _| dy * SQUARE.call([RECIPROCAL.call([COS.call([x.conj()])])])));
