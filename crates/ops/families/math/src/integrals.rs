//! Functions defined by integrals.

use super::special::integrals;
use crate::prelude::*;

unary_ops! {
    /// Dawson's integral.
    Dawsn(x) -> y: sets::FLOATS, floats FLOATS;
    /// The exponential integral.
    Expint(x) -> y: sets::FLOATS, floats FLOATS;
    /// Fresnel's cosine integral.
    FresnelCos(x) -> y: sets::FLOATS, floats FLOATS;
    /// Fresnel's sine integral.
    FresnelSin(x) -> y: sets::FLOATS, floats FLOATS;
    /// The dilogarithm of `1 - x`.
    Spence(x) -> y: sets::FLOATS, floats FLOATS;
}

macro_rules! functions {
    ($($name:ident: $function:ident;)*) => {
        map1! {$(
            $name: [f32] @ 80.0 |x| integrals::$function(x.into()) as f32;
            $name: [f64] @ 80.0 |x| integrals::$function(x);
        )*}
    };
}

functions! {
    Dawsn: dawson;
    Expint: expint;
    FresnelCos: fresnel_cos;
    FresnelSin: fresnel_sin;
    Spence: spence;
}
