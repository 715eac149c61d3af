//! The error function, its complement and their inverses.

use super::special::error_function as special;
use crate::elementwise::vector_math as vector;
use crate::prelude::*;

unary_ops! {
    /// The error function.
    Erf(x) -> y: sets::FLOATS, floats FLOATS;
    /// 1 less the error function.
    Erfc(x) -> y: sets::FLOATS, floats FLOATS;
    /// The inverse of the error function.
    Erfinv(x) -> y: sets::FLOATS, floats FLOATS;
    /// The quantile function of the standard normal distribution.
    Ndtri(x) -> y: sets::FLOATS, floats FLOATS;
}

map1! {
    Erf: [f32] |x| vector::erf(x);
    Erf: [f64] @ 15.0 |x| libm::erf(x);
    Erfc: [f32] @ 15.0 |x| libm::erfcf(x);
    Erfc: [f64] @ 15.0 |x| libm::erfc(x);
    Erfinv: [f32] @ 200.0 |x| special::erfinv(x.into()) as f32;
    Erfinv: [f64] @ 200.0 |x| special::erfinv(x);
    Ndtri: [f32] @ 200.0 |x| special::ndtri(x.into()) as f32;
    Ndtri: [f64] @ 200.0 |x| special::ndtri(x);
}
