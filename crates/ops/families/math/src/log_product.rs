//! Products and quotients that are 0 wherever the first factor is 0.

use super::complex_functions as complex;
use super::equal::{Equality, NOT_EQUAL};
use super::roots::SQUARE;
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS_COMPLEX, binary};
use crate::prelude::*;
use crate::rules::two;

pub static XDIVY: Def<Elementwise> = binary("Xdivy", FLOATS_COMPLEX, |op, cx| {
    let quotient = map2! {
        [f32, f64] |x, y| if x == 0.0 { 0.0 } else { x / y };
        [Complex32, Complex64] |x, y| if x.re == 0.0 && x.im == 0.0 { x } else { x / y };
    };
    binary::floats_complex(&quotient, op.dtype, cx)
})
.doc("`x / y`, but 0 where `x` is 0.")
.gradient(|_, g| two(g, |dy, x, y| (dy * XDIVY.call([not_zero(x), y]), dy * XDIVY.call([-x, SQUARE.call([y])]))));

pub static XLOG1PY: Def<Elementwise> = binary("Xlog1py", FLOATS_COMPLEX, |op, cx| {
    let product = map2! {
        [f32] @ 1.2, wide |x, y| if x == 0.0 { 0.0 } else { x * vector::ln_1p(y) };
        [f64] @ 2.5, wide |x, y| if x == 0.0 { 0.0 } else { x * wide::ln_1p(y) };
        [Complex32, Complex64] @ 40.0 |x, y| {
            if x.re == 0.0 && x.im == 0.0 { x } else { x * complex::by64(y, complex::ln_1p) }
        };
    };
    binary::floats_complex(&product, op.dtype, cx)
})
.doc("`x * log(1 + y)`, but 0 where `x` is 0.")
.gradient(|_, g| two(g, |dy, x, y| (dy * XLOG1PY.call([not_zero(x), y]), dy * XDIVY.call([x, y + 1.0]))));

pub static XLOGY: Def<Elementwise> = binary("Xlogy", FLOATS_COMPLEX, |op, cx| {
    let product = map2! {
        [f32] @ 0.8, wide |x, y| if x == 0.0 { 0.0 } else { x * vector::ln(y) };
        [f64] @ 2.0, wide |x, y| if x == 0.0 { 0.0 } else { x * wide::ln(y) };
        [Complex32, Complex64] @ 40.0 |x, y| {
            if x.re == 0.0 && x.im == 0.0 { x } else { x * complex::by64(y, complex::ln) }
        };
    };
    binary::floats_complex(&product, op.dtype, cx)
})
.doc("`x * log(y)`, but 0 where `x` is 0.")
.gradient(|_, g| two(g, |dy, x, y| (dy * XLOGY.call([not_zero(x), y]), dy * XDIVY.call([x, y]))));

/// 1 where `x` is not 0, otherwise 0.
fn not_zero(x: V<'_>) -> V<'_> {
    Equality::compare(&NOT_EQUAL, x, x.like(0.0)).cast(x.dtype())
}
