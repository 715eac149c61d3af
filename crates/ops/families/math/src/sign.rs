//! `Abs`, `Neg` and `Sign`.

use crate::elementwise::{Elementwise, basic, unary};
use crate::prelude::*;
use crate::rules::one;

const SIGNED: &[AttrSpec] = &[Attr::dtype("T", {
    use DType::*;
    &[BF16, F16, F32, F64, I8, I16, I32, I64, C64, C128]
})];

pub static ABS: Def<Elementwise> = unary(
    "Abs",
    &[Attr::dtype("T", {
        use DType::*;
        &[BF16, F16, F32, F64, I8, I16, I32, I64]
    })],
    |op, cx| {
        let abs = map1! {
            [f32, f64] |x| x.abs();
            [i8, i16, i32, i64] |x| x.wrapping_abs();
        };
        unary::signed_reals(&abs, op.dtype, cx)
    },
)
.keeps_finite()
.spreads()
.strip(|op| basic(op, Basic::Abs))
.doc("The absolute value; that of the minimum integer is itself.")
.gradient(|_, g| one(g, |dy, x, _| dy * SIGN.call([x])));

pub static NEG: Def<Elementwise> = unary("Neg", SIGNED, |op, cx| {
    let neg = map1! {
        [f32, f64, Complex32, Complex64] |x| -x;
        [i8, i16, i32, i64] |x| x.wrapping_neg();
    };
    unary::signed(&neg, op.dtype, cx)
})
.keeps_finite()
.spreads()
.strip(|op| basic(op, Basic::Neg))
.doc("`-x`.")
.counts("T")
.primitive(Primitive::Neg)
.gradient(|_, g| one(g, |dy, _, _| -dy));

pub static SIGN: Def<Elementwise> = unary("Sign", SIGNED, |op, cx| {
    let sign = map1! {
        [f32, f64] |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else if x == 0.0 { 0.0 } else { x };
        [i8, i16, i32, i64] |x| x.signum();
        [Complex32, Complex64] |x| {
            let size = x.norm();
            if size == 0.0 { x } else { x / size }
        };
    };
    unary::signed(&sign, op.dtype, cx)
})
.keeps_finite()
.doc("The sign of `x`: -1, 0 or 1; for complex numbers `x / |x|`, or 0.")
.gradient(|_, g| one(g, |dy, _, _| dy.zeros_like()));
