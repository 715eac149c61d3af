//! Functions defined by integrals.

use super::exponential::{EXP, LOG};
use super::roots::SQUARE;
use super::special::{in_f64, integrals};
use super::trigonometric::{COS, SIN};
use crate::elementwise::{Elementwise, FLOATS, unary};
use crate::prelude::*;
use crate::rules::{Handles, one};
use std::f64::consts::FRAC_PI_2;

pub static DAWSN: Def<Elementwise> =
    unary("Dawsn", FLOATS, |op, cx| unary::floats(&in_f64::<80, _>(integrals::dawson), op.dtype, cx))
        .doc("Dawson's integral.")
        .gradient(|_, g| one(g, |dy, x, y| dy * (-(x * y * 2.0) + 1.0)));

pub static EXPINT: Def<Elementwise> =
    unary("Expint", FLOATS, |op, cx| unary::floats(&in_f64::<80, _>(integrals::expint), op.dtype, cx))
        .doc("The exponential integral `Ei`.")
        .gradient(|_, g| one(g, |dy, x, _| dy * EXP.call([x]) / x));

pub static FRESNEL_COS: Def<Elementwise> =
    unary("FresnelCos", FLOATS, |op, cx| unary::floats(&in_f64::<80, _>(integrals::fresnel_cos), op.dtype, cx))
        .doc("The Fresnel cosine integral.")
        .gradient(|_, g| one(g, |dy, x, _| dy * COS.call([SQUARE.call([x]) * FRAC_PI_2])));

pub static FRESNEL_SIN: Def<Elementwise> =
    unary("FresnelSin", FLOATS, |op, cx| unary::floats(&in_f64::<80, _>(integrals::fresnel_sin), op.dtype, cx))
        .doc("The Fresnel sine integral.")
        .gradient(|_, g| one(g, |dy, x, _| dy * SIN.call([SQUARE.call([x]) * FRAC_PI_2])));

pub static SPENCE: Def<Elementwise> =
    unary("Spence", FLOATS, |op, cx| unary::floats(&in_f64::<80, _>(integrals::spence), op.dtype, cx))
        .doc("The dilogarithm of `1 - x`.")
        .gradient(|_, g| {
            one(g, |dy, x, _| {
                let inner = LOG.call([x]) / (-x + 1.0);
                let at_one = x.equal(x.like(1.0));
                dy * (-x.ones_like()).select(at_one, inner)
            })
        });
