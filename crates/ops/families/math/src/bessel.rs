//! Bessel functions.

use super::special::bessel;
use crate::prelude::*;

unary_ops! {
    /// The modified Bessel function of the first kind of order 0.
    BesselI0(x) -> y: sets::FLOATS, floats FLOATS;
    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
    BesselI0e(x) -> y: sets::FLOATS, floats FLOATS;
    /// The modified Bessel function of the first kind of order 1.
    BesselI1(x) -> y: sets::FLOATS, floats FLOATS;
    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
    BesselI1e(x) -> y: sets::FLOATS, floats FLOATS;
    /// The Bessel function of the first kind of order 0.
    BesselJ0(x) -> y: sets::FLOATS, floats FLOATS;
    /// The Bessel function of the first kind of order 1.
    BesselJ1(x) -> y: sets::FLOATS, floats FLOATS;
    /// The modified Bessel function of the second kind of order 0.
    BesselK0(x) -> y: sets::FLOATS, floats FLOATS;
    /// `exp(x)` times the modified Bessel function of the second kind of order 0.
    BesselK0e(x) -> y: sets::FLOATS, floats FLOATS;
    /// The modified Bessel function of the second kind of order 1.
    BesselK1(x) -> y: sets::FLOATS, floats FLOATS;
    /// `exp(x)` times the modified Bessel function of the second kind of order 1.
    BesselK1e(x) -> y: sets::FLOATS, floats FLOATS;
    /// The Bessel function of the second kind of order 0.
    BesselY0(x) -> y: sets::FLOATS, floats FLOATS;
    /// The Bessel function of the second kind of order 1.
    BesselY1(x) -> y: sets::FLOATS, floats FLOATS;
}

macro_rules! functions {
    ($($name:ident: $function:ident;)*) => {
        map1! {$(
            $name: [f32] @ 40.0 |x| bessel::$function(x.into()) as f32;
            $name: [f64] @ 40.0 |x| bessel::$function(x);
        )*}
    };
}

functions! {
    BesselI0: i0;
    BesselI0e: i0e;
    BesselI1: i1;
    BesselI1e: i1e;
    BesselJ0: j0;
    BesselJ1: j1;
    BesselK0: k0;
    BesselK0e: k0e;
    BesselK1: k1;
    BesselK1e: k1e;
    BesselY0: y0;
    BesselY1: y1;
}
