//! Rounding.

use crate::prelude::*;

const ROUND: &[DType] = &[
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::C64,
    DType::C128,
];

unary_ops! {
    /// The least integer that is not less.
    Ceil(x) -> y: sets::FLOATS, floats FLOATS;
    /// The greatest integer that is not greater.
    Floor(x) -> y: sets::FLOATS, floats FLOATS;
    /// The nearest integer, the even one of two.
    Rint(x) -> y: sets::FLOATS, floats FLOATS;
    /// The nearest integer, the even one of two.
    Round(x) -> y: ROUND, signed_reals REALS;
}

map1! {
    Ceil: [f32, f64] |x| x.ceil();
    Floor: [f32, f64] |x| x.floor();
    Rint: [f32, f64] |x| x.round_ties_even();
    Round: [f32, f64] |x| x.round_ties_even();
    Round: [i8, i16, i32, i64] |x| x;
}
