//! The gamma function and related functions.

use super::exponential::{EXP, LOG};
use super::special::{gamma, in_f64, incomplete_gamma, singles, zeta};
use crate::elementwise::{Elementwise, FLOATS, binary, unary};
use crate::prelude::*;
use crate::rules::{NONE, one, two};

const SINGLE_DOUBLE: &[AttrSpec] = &[Attr::dtype("T", &[DType::F32, DType::F64])];

pub static DIGAMMA: Def<Elementwise> = unary("Digamma", FLOATS, |op, cx| {
    let digamma = map1! {
        [f32] @ 4.0, wide |x| singles::digamma(x);
        [f64] @ 30.0 |x| gamma::digamma(x);
    };
    unary::floats(&digamma, op.dtype, cx)
})
.doc("The digamma function: the derivative of [`Lgamma`].")
.gradient(|_, g| one(g, |dy, x, _| dy * POLYGAMMA.call([x.ones_like(), x])));

pub static LGAMMA: Def<Elementwise> = unary("Lgamma", FLOATS, |op, cx| {
    let lgamma = map1! {
        [f32] @ 5.0, wide |x| singles::lgamma(x);
        [f64] @ 20.0 |x| gamma::lgamma(x);
    };
    unary::floats(&lgamma, op.dtype, cx)
})
.doc("The logarithm of the absolute value of the gamma function.")
.gradient(|_, g| one(g, |dy, x, _| dy * DIGAMMA.call([x])));

pub static IGAMMA: Def<Elementwise> = binary("Igamma", FLOATS, |op, cx| {
    let incomplete = map2! {
        [f32] @ 60.0 |a, x| incomplete_gamma::igamma_single(a, x);
        [f64] @ 200.0 |a, x| incomplete_gamma::igamma(a, x);
    };
    binary::floats(&incomplete, op.dtype, cx)
})
.doc("The lower regularized incomplete gamma function.")
.inputs(AX)
.gradient(|_, g| two(g, |dy, a, x| (dy * IGAMMA_GRAD_A.call([a, x]), dy * density(a, x))));

pub static IGAMMA_GRAD_A: Def<Elementwise> = binary("IgammaGradA", SINGLE_DOUBLE, |op, cx| {
    binary::floats(&in_f64::<400, _>(incomplete_gamma::igamma_grad_a), op.dtype, cx)
})
.doc("The derivative of [`Igamma`] with respect to `a`.")
.inputs(AX);

pub static IGAMMAC: Def<Elementwise> = binary("Igammac", FLOATS, |op, cx| {
    let incomplete = map2! {
        [f32] @ 60.0 |a, x| incomplete_gamma::igammac_single(a, x);
        [f64] @ 200.0 |a, x| incomplete_gamma::igammac(a, x);
    };
    binary::floats(&incomplete, op.dtype, cx)
})
.doc("The upper regularized incomplete gamma function.")
.inputs(AX)
.gradient(|_, g| two(g, |dy, a, x| (-(dy * IGAMMA_GRAD_A.call([a, x])), -(dy * density(a, x)))));

const AX: &[Arg] = &[arg("a", of("T")), arg("x", of("T"))];

/// The derivative of [`IGAMMA`] with respect to `x`.
fn density<'g>(a: V<'g>, x: V<'g>) -> V<'g> {
    EXP.call([(-x) + (a - 1.0) * LOG.call([x]) - LGAMMA.call([a])])
}

pub static POLYGAMMA: Def<Elementwise> =
    binary("Polygamma", SINGLE_DOUBLE, |op, cx| binary::floats(&in_f64::<200, _>(zeta::polygamma), op.dtype, cx))
        .doc("The polygamma function: the `a`-th derivative of [`Digamma`].")
        .inputs(AX)
        .gradient(|_, g| {
            let (n, x) = (g.input(0), g.input(1));
            let dx = g.dy(0) * POLYGAMMA.call([n + 1.0, x]);
            vec![NONE, g.unbroadcast(dx, dx)[1]]
        });

pub static RANDOM_GAMMA_GRAD: Def<Elementwise> = binary("RandomGammaGrad", SINGLE_DOUBLE, |op, cx| {
    binary::floats(&in_f64::<400, _>(incomplete_gamma::sample_grad_a), op.dtype, cx)
})
.doc("The derivative of a gamma-distributed sample with respect to the shape parameter `alpha`.")
.inputs(&[arg("alpha", of("T")), arg("sample", of("T"))])
.outputs(&[arg("output", of("T"))]);

pub static ZETA: Def<Elementwise> =
    binary("Zeta", SINGLE_DOUBLE, |op, cx| binary::floats(&in_f64::<200, _>(zeta::zeta), op.dtype, cx))
        .doc("The Hurwitz zeta function.")
        .inputs(&[arg("x", of("T")), arg("q", of("T"))])
        .gradient(|_, g| {
            let (x, q) = (g.input(0), g.input(1));
            let dq = g.dy(0) * (-x * ZETA.call([x + 1.0, q]));
            vec![NONE, g.unbroadcast(dq, dq)[1]]
        });
