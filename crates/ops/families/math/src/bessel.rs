//! Bessel functions.

use super::roots::RECIPROCAL;
use super::sign::SIGN;
use super::special::{bessel, in_f64, singles};
use crate::elementwise::{Elementwise, FLOATS, unary};
use crate::prelude::*;
use crate::rules::{Handles, one};

pub static BESSEL_I0: Def<Elementwise> = unary("BesselI0", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 2.0, wide |x| singles::i0(x);
        [f64] @ 40.0 |x| bessel::i0(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("The modified Bessel function of the first kind of order 0.")
.gradient(|_, g| one(g, |dy, x, _| dy * BESSEL_I1.call([x])));

pub static BESSEL_I0E: Def<Elementwise> = unary("BesselI0e", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 2.0, wide |x| singles::i0e(x);
        [f64] @ 40.0 |x| bessel::i0e(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("`exp(-|x|)` times the modified Bessel function of the first kind of order 0.")
.gradient(|_, g| one(g, |dy, x, y| dy * (BESSEL_I1E.call([x]) - SIGN.call([x]) * y)));

pub static BESSEL_I1: Def<Elementwise> = unary("BesselI1", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 2.0, wide |x| singles::i1(x);
        [f64] @ 40.0 |x| bessel::i1(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("The modified Bessel function of the first kind of order 1.")
.gradient(|_, g| one(g, |dy, x, y| dy * unless_zero(x, 1.0, BESSEL_I0.call([x]) - y / x)));

pub static BESSEL_I1E: Def<Elementwise> = unary("BesselI1e", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 2.0, wide |x| singles::i1e(x);
        [f64] @ 40.0 |x| bessel::i1e(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("`exp(-|x|)` times the modified Bessel function of the first kind of order 1.")
.gradient(|_, g| {
    one(g, |dy, x, y| {
        let inner = BESSEL_I0E.call([x]) - y * (SIGN.call([x]) + RECIPROCAL.call([x]));
        dy * unless_zero(x, 0.5, inner)
    })
});

pub static BESSEL_J0: Def<Elementwise> =
    unary("BesselJ0", FLOATS, |op, cx| unary::floats(&in_f64::<40, _>(bessel::j0), op.dtype, cx))
        .doc("The Bessel function of the first kind of order 0.")
        .gradient(|_, g| one(g, |dy, x, _| -dy * BESSEL_J1.call([x])));

pub static BESSEL_J1: Def<Elementwise> =
    unary("BesselJ1", FLOATS, |op, cx| unary::floats(&in_f64::<40, _>(bessel::j1), op.dtype, cx))
        .doc("The Bessel function of the first kind of order 1.")
        .gradient(|_, g| one(g, |dy, x, y| dy * unless_zero(x, 0.5, BESSEL_J0.call([x]) - y / x)));

pub static BESSEL_K0: Def<Elementwise> = unary("BesselK0", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 3.0, wide |x| singles::k0(x);
        [f64] @ 40.0 |x| bessel::k0(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("The modified Bessel function of the second kind of order 0.")
.gradient(|_, g| one(g, |dy, x, _| -dy * BESSEL_K1.call([x])));

pub static BESSEL_K0E: Def<Elementwise> = unary("BesselK0e", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 3.0, wide |x| singles::k0e(x);
        [f64] @ 40.0 |x| bessel::k0e(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("`exp(x)` times the modified Bessel function of the second kind of order 0.")
.gradient(|_, g| one(g, |dy, x, y| dy * (y - BESSEL_K1E.call([x]))));

pub static BESSEL_K1: Def<Elementwise> = unary("BesselK1", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 3.0, wide |x| singles::k1(x);
        [f64] @ 40.0 |x| bessel::k1(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("The modified Bessel function of the second kind of order 1.")
.gradient(|_, g| one(g, |dy, x, y| dy * (-BESSEL_K0.call([x]) - y / x)));

pub static BESSEL_K1E: Def<Elementwise> = unary("BesselK1e", FLOATS, |op, cx| {
    let bessel = map1! {
        [f32] @ 3.0, wide |x| singles::k1e(x);
        [f64] @ 40.0 |x| bessel::k1e(x);
    };
    unary::floats(&bessel, op.dtype, cx)
})
.doc("`exp(x)` times the modified Bessel function of the second kind of order 1.")
.gradient(|_, g| one(g, |dy, x, y| dy * (y * (-RECIPROCAL.call([x]) + 1.0) - BESSEL_K0E.call([x]))));

pub static BESSEL_Y0: Def<Elementwise> =
    unary("BesselY0", FLOATS, |op, cx| unary::floats(&in_f64::<40, _>(bessel::y0), op.dtype, cx))
        .doc("The Bessel function of the second kind of order 0.")
        .gradient(|_, g| one(g, |dy, x, _| -dy * BESSEL_Y1.call([x])));

pub static BESSEL_Y1: Def<Elementwise> =
    unary("BesselY1", FLOATS, |op, cx| unary::floats(&in_f64::<40, _>(bessel::y1), op.dtype, cx))
        .doc("The Bessel function of the second kind of order 1.")
        .gradient(|_, g| one(g, |dy, x, y| dy * (BESSEL_Y0.call([x]) - y / x)));

/// `slope`, but `limit` where `x` is 0 and the slope is NaN.
fn unless_zero<'g>(x: V<'g>, limit: f64, slope: V<'g>) -> V<'g> {
    let at_zero = x.equal(x.like(0.0));
    x.like(limit).select(at_zero, slope)
}
