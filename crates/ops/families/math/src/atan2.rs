//! `Atan2`: the two-argument arctangent.

use super::roots::SQUARE;
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, FLOATS, binary};
use crate::prelude::*;
use crate::rules::two;

pub static ATAN2: Def<Elementwise> = binary("Atan2", FLOATS, |op, cx| {
    let atan2 = map2! {
        [f32] @ 0.8, wide |y, x| vector::atan2(y, x);
        [f64] @ 3.0, wide |y, x| wide::atan2(y, x);
    };
    binary::floats(&atan2, op.dtype, cx)
})
.doc("The angle between the positive x axis and the point `(x, y)`, in [-pi, pi].")
.inputs(&[arg("y", of("T")), arg("x", of("T"))])
.gradient(|_, g| {
    two(g, |dy, y, x| {
        let over = dy / (SQUARE.call([x]) + SQUARE.call([y]));
        (x * over, -y * over)
    })
});
