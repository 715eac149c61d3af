//! `NextAfter`: adjacent floats.

use crate::elementwise::{Elementwise, binary};
use crate::prelude::*;
use crate::rules::two;

pub static NEXT_AFTER: Def<Elementwise> =
    binary("NextAfter", &[Attr::dtype("T", &[DType::F32, DType::F64]).or_type(DType::F32)], |op, cx| {
        let next = map2! {
            [f32, f64] @ 1.0 |x, y| {
                if x == y {
                    y
                } else if x < y {
                    x.next_up()
                } else if x > y {
                    x.next_down()
                } else {
                    x + y
                }
            };
        };
        binary::floats(&next, op.dtype, cx)
    })
    .doc("The next representable float after `x1` in the direction of `x2`.")
    .inputs(&[arg("x1", of("T")), arg("x2", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .gradient(|_, g| two(g, |dy, _, _| (dy, dy.zeros_like())));
