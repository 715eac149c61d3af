//! Squares, square roots and reciprocals.

use super::complex_functions as complex;
use super::gradients::{RECIPROCAL_GRAD, RSQRT_GRAD, SQRT_GRAD};
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, NUMBERS, basic, unary};
use crate::prelude::*;
use crate::rules::one;
use levada_ops_core::quotient::Quotient;

pub static RECIPROCAL: Def<Elementwise> = unary(
    "Reciprocal",
    &[Attr::dtype("T", {
        use DType::*;
        &[BF16, F16, F32, F64, I8, I16, I32, I64, C64, C128]
    })],
    |op, cx| {
        let inverse = map1! {
            [f32, f64] |x| 1.0 / x;
            [Complex32, Complex64] |x| num_complex::Complex::from(1.0).over(x);
        };
        unary::floats_complex(&inverse, op.dtype, cx)
    },
)
.strip(|op| basic(op, Basic::Reciprocal))
.doc("`1 / x`.")
.also(&[form("Inv")])
.gradient(|_, g| one(g, |dy, _, y| RECIPROCAL_GRAD.call([y, dy])))
.supports(|op| sets::FLOATS_COMPLEX.contains(&op.dtype));

pub static RSQRT: Def<Elementwise> = unary("Rsqrt", FLOATS_COMPLEX, |op, cx| {
    let rsqrt = map1! {
        [f32, f64] |x| 1.0 / x.sqrt();
        [Complex32] @ 3.0, wide |x| complex::rsqrt32(x),
            usually complex::rsqrt_of_usual(x), unless complex::is_special_radicand(x);
        [Complex64] @ 20.0 |x| complex::sqrt(x).inv();
    };
    unary::floats_complex(&rsqrt, op.dtype, cx)
})
.strip(|op| basic(op, Basic::Rsqrt))
.doc("`1 / sqrt(x)`.")
.gradient(|_, g| one(g, |dy, _, y| RSQRT_GRAD.call([y, dy])));

pub static SQRT: Def<Elementwise> = unary("Sqrt", FLOATS_COMPLEX, |op, cx| {
    let sqrt = map1! {
        [f32, f64] |x| x.sqrt();
        [Complex32] @ 3.0, wide |x| complex::sqrt32(x),
            usually complex::sqrt_of_usual(x), unless complex::is_special_radicand(x);
        [Complex64] @ 20.0 |x| complex::sqrt(x);
    };
    unary::floats_complex(&sqrt, op.dtype, cx)
})
.spreads()
.strip(|op| basic(op, Basic::Sqrt))
.doc("The square root.")
.gradient(|_, g| one(g, |dy, _, y| SQRT_GRAD.call([y, dy])));

pub static SQUARE: Def<Elementwise> =
    unary("Square", NUMBERS, |op, cx| unary::numbers(&map1! { [T: Number] |x| x.mul(x); }, op.dtype, cx))
        .spreads()
        .strip(|op| basic(op, Basic::Square))
        .doc("`x * x`.")
        .gradient(|_, g| one(g, |dy, x, _| dy * (x.conj() * 2.0)));
