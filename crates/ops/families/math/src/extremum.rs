//! `Maximum` and `Minimum`.

use super::compare::{GREATER_EQUAL, LESS_EQUAL};
use crate::elementwise::{Elementwise, REALS, basic, binary};
use crate::prelude::*;
use crate::rules::{Handles, two};

pub static MAXIMUM: Def<Elementwise> = binary("Maximum", REALS, |op, cx| {
    let maximum = map2! {
        [T: Real] |x, y| if x.is_nan() || x > y { x } else { y };
    };
    binary::reals(&maximum, op.dtype, cx)
})
.keeps_finite()
.strip(|op| basic(op, Basic::Maximum))
.doc("The elementwise maximum of `x` and `y`; NaN if either is NaN.")
.counts("T")
.gradient(|_, g| taken(g, &GREATER_EQUAL));

pub static MINIMUM: Def<Elementwise> = binary("Minimum", REALS, |op, cx| {
    let minimum = map2! {
        [T: Real] |x, y| if x.is_nan() || x < y { x } else { y };
    };
    binary::reals(&minimum, op.dtype, cx)
})
.keeps_finite()
.strip(|op| basic(op, Basic::Minimum))
.doc("The elementwise minimum of `x` and `y`; NaN if either is NaN.")
.counts("T")
.gradient(|_, g| taken(g, &LESS_EQUAL));

/// Routes the gradient to the input that was selected: the first where `test` holds.
fn taken(g: &GradCx, test: &'static Def<Elementwise>) -> Grads {
    two(g, |dy, x, y| {
        let first = test.call([x, y]);
        (dy.where_true(first), dy.zeros_like().select(first, dy))
    })
}
