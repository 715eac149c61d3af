//! `IsNan`, `IsInf` and `IsFinite`.

use crate::elementwise::{Compute, Elementwise, FLOATS, unary};
use crate::prelude::*;
use crate::rules::never;
use num_traits::Float;

const BOOLS: &[Arg] = &[arg("y", is(DType::Bool))];

const fn test(name: &'static str, kernel: Compute) -> Def<Elementwise> {
    unary(name, FLOATS, kernel).outputs(BOOLS).gradient(|_, g| never(g))
}

pub static IS_FINITE: Def<Elementwise> =
    test("IsFinite", |op, cx| unary::test_floats(&map1! { [T: Float] |x| -> bool { x.is_finite() }; }, op.dtype, cx))
        .doc("True for finite values, false for infinities and NaN.");

pub static IS_INF: Def<Elementwise> =
    test("IsInf", |op, cx| unary::test_floats(&map1! { [T: Float] |x| -> bool { x.is_infinite() }; }, op.dtype, cx))
        .doc("True for positive and negative infinity.");

pub static IS_NAN: Def<Elementwise> =
    test("IsNan", |op, cx| unary::test_floats(&map1! { [T: Float] |x| -> bool { x.is_nan() }; }, op.dtype, cx))
        .doc("True for NaN.");
