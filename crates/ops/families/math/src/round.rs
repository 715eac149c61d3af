//! Rounding.

use crate::elementwise::{Elementwise, FLOATS, unary};
use crate::prelude::*;
use crate::rules::never;

pub static CEIL: Def<Elementwise> =
    unary("Ceil", FLOATS, |op, cx| unary::floats(&map1! { [f32, f64] |x| x.ceil(); }, op.dtype, cx))
        .keeps_finite()
        .spreads()
        .doc("The smallest integer that is not less than `x`.")
        .gradient(|_, g| never(g));

pub static FLOOR: Def<Elementwise> =
    unary("Floor", FLOATS, |op, cx| unary::floats(&map1! { [f32, f64] |x| x.floor(); }, op.dtype, cx))
        .keeps_finite()
        .spreads()
        .doc("The largest integer that is not greater than `x`.")
        .gradient(|_, g| never(g));

pub static RINT: Def<Elementwise> =
    unary("Rint", FLOATS, |op, cx| unary::floats(&map1! { [f32, f64] |x| x.round_ties_even(); }, op.dtype, cx))
        .keeps_finite()
        .spreads()
        .doc("The integer nearest to `x`; halfway cases round to even.")
        .gradient(|_, g| never(g));

pub static ROUND: Def<Elementwise> = unary(
    "Round",
    &[Attr::dtype("T", {
        use DType::*;
        &[BF16, F16, F32, F64, I8, I16, I32, I64, C64, C128]
    })],
    |op, cx| {
        let round = map1! {
            [f32, f64] |x| x.round_ties_even();
            [i8, i16, i32, i64] |x| x;
        };
        unary::signed_reals(&round, op.dtype, cx)
    },
)
.doc("The integer nearest to `x`; halfway cases round to even.")
.gradient(|_, g| never(g))
.supports(|op| sets::REALS.contains(&op.dtype));
