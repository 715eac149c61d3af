//! The gamma function and its kin.

use super::special::{gamma, incomplete_gamma, zeta};
use crate::prelude::*;

const REAL: &[DType] = &[DType::F32, DType::F64];

unary_ops! {
    /// The derivative of [`Lgamma`].
    Digamma(x) -> y: sets::FLOATS, floats FLOATS;
    /// The logarithm of the absolute value of the gamma function.
    Lgamma(x) -> y: sets::FLOATS, floats FLOATS;
}

binary_ops! {
    /// The lower regularized incomplete gamma function.
    Igamma(a, x) -> z: sets::FLOATS, floats FLOATS;
    /// The derivative of [`Igamma`] by `a`.
    IgammaGradA(a, x) -> z: REAL, floats FLOATS;
    /// The upper regularized incomplete gamma function.
    Igammac(a, x) -> z: sets::FLOATS, floats FLOATS;
    /// Derivative number `a` of [`Digamma`].
    Polygamma(a, x) -> z: REAL, floats FLOATS;
    /// The derivative of a sample of the gamma distribution by its parameter.
    RandomGammaGrad(alpha, sample) -> output: REAL, floats FLOATS;
    /// Hurwitz's zeta function.
    Zeta(x, q) -> z: REAL, floats FLOATS;
}

map1! {
    Digamma: [f32] @ 30.0 |x| gamma::digamma(x.into()) as f32;
    Digamma: [f64] @ 30.0 |x| gamma::digamma(x);
    Lgamma: [f32] @ 20.0 |x| gamma::lgamma(x.into()) as f32;
    Lgamma: [f64] @ 20.0 |x| gamma::lgamma(x);
}

map2! {
    Igamma: [f32] @ 200.0 |a, x| incomplete_gamma::igamma(a.into(), x.into()) as f32;
    Igamma: [f64] @ 200.0 |a, x| incomplete_gamma::igamma(a, x);
    IgammaGradA: [f32] @ 400.0 |a, x| incomplete_gamma::igamma_grad_a(a.into(), x.into()) as f32;
    IgammaGradA: [f64] @ 400.0 |a, x| incomplete_gamma::igamma_grad_a(a, x);
    Igammac: [f32] @ 200.0 |a, x| incomplete_gamma::igammac(a.into(), x.into()) as f32;
    Igammac: [f64] @ 200.0 |a, x| incomplete_gamma::igammac(a, x);
    Polygamma: [f32] @ 200.0 |n, x| zeta::polygamma(n.into(), x.into()) as f32;
    Polygamma: [f64] @ 200.0 |n, x| zeta::polygamma(n, x);
    RandomGammaGrad: [f32] @ 400.0 |a, x| incomplete_gamma::sample_grad_a(a.into(), x.into()) as f32;
    RandomGammaGrad: [f64] @ 400.0 |a, x| incomplete_gamma::sample_grad_a(a, x);
    Zeta: [f32] @ 200.0 |x, q| zeta::zeta(x.into(), q.into()) as f32;
    Zeta: [f64] @ 200.0 |x, q| zeta::zeta(x, q);
}
