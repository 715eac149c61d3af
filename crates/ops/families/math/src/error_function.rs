//! The error function, its complement and their inverses.

use super::exponential::EXP;
use super::roots::SQUARE;
use super::special::{error_function as special, singles};
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS, each, unary, vector_math};
use crate::prelude::*;
use crate::rules::one;
use std::f64::consts::PI;

pub static ERF: Def<Elementwise> = unary("Erf", FLOATS, |op, cx| {
    let erf = map1! {
        [f32] @ 0.7, wide |x| wide::erf(x);
        [f64] @ 5.0, wide |x| wide::erf_64(x);
    };
    unary::floats(&erf, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| wide::erf(x); }, x, out)))
.doc("The error function.")
.gradient(|_, g| one(g, |dy, x, _| dy * (EXP.call([-SQUARE.call([x])]) * (2.0 / PI.sqrt()))));

pub static ERFC: Def<Elementwise> = unary("Erfc", FLOATS, |op, cx| {
    let erfc = map1! {
        [f32] @ 0.5, wide |x| vector_math::erfc(x);
        [f64] @ 4.0, wide |x| wide::erfc(x);
    };
    unary::floats(&erfc, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector_math::erfc(x); }, x, out)))
.doc("The complementary error function `1 - erf(x)`.")
.gradient(|_, g| one(g, |dy, x, _| dy * (EXP.call([-SQUARE.call([x])]) * (-2.0 / PI.sqrt()))));

pub static ERFINV: Def<Elementwise> = unary("Erfinv", FLOATS, |op, cx| {
    let inverse = map1! {
        [f32] @ 2.0, wide |x| singles::erfinv(x);
        [f64] @ 200.0 |x| special::erfinv(x);
    };
    unary::floats(&inverse, op.dtype, cx)
})
.doc("The inverse of the error function.")
.gradient(|_, g| one(g, |dy, _, y| dy * (EXP.call([SQUARE.call([y])]) * (PI.sqrt() / 2.0))));

pub static NDTRI: Def<Elementwise> = unary("Ndtri", FLOATS, |op, cx| {
    let inverse = map1! {
        [f32] @ 2.0, wide |x| singles::ndtri(x);
        [f64] @ 200.0 |x| special::ndtri(x);
    };
    unary::floats(&inverse, op.dtype, cx)
})
.doc("The quantile function of the standard normal distribution.")
.gradient(|_, g| one(g, |dy, _, y| dy * (EXP.call([SQUARE.call([y]) * 0.5]) * (2.0 * PI).sqrt())));
