//! Order comparisons: `Less`, `LessEqual`, `Greater`, `GreaterEqual`.

use crate::elementwise::{Compute, Elementwise, REALS, basic, binary, comparison};
use crate::prelude::*;
use crate::rules::never;

const fn order(name: &'static str, kernel: Compute) -> Def<Elementwise> {
    comparison(name, REALS, kernel).counts("T").gradient(|_, g| never(g))
}

pub static LESS: Def<Elementwise> =
    order("Less", |op, cx| binary::compare_reals(&map2! { [T: Real] |x, y| -> bool { x < y }; }, op.dtype, cx))
        .doc("`x < y`.")
        .strip(|op| basic(op, Basic::Less));

pub static LESS_EQUAL: Def<Elementwise> =
    order("LessEqual", |op, cx| binary::compare_reals(&map2! { [T: Real] |x, y| -> bool { x <= y }; }, op.dtype, cx))
        .doc("`x <= y`.")
        .strip(|op| basic(op, Basic::LessEqual));

pub static GREATER: Def<Elementwise> =
    order("Greater", |op, cx| binary::compare_reals(&map2! { [T: Real] |x, y| -> bool { x > y }; }, op.dtype, cx))
        .doc("`x > y`.")
        .strip(|op| basic(op, Basic::Greater));

pub static GREATER_EQUAL: Def<Elementwise> = order("GreaterEqual", |op, cx| {
    binary::compare_reals(&map2! { [T: Real] |x, y| -> bool { x >= y }; }, op.dtype, cx)
})
.doc("`x >= y`.")
.strip(|op| basic(op, Basic::GreaterEqual));
