//! Remainders of divisions.

use super::divide::{FLOOR_DIV, TRUNCATE_DIV, divisors_are_not_zero};
use crate::elementwise::{Compute, Elementwise, REALS, binary};
use crate::prelude::*;
use crate::rules::two;

pub static FLOOR_MOD: Def<Elementwise> = binary("FloorMod", REALS, |op, cx| {
    divisors_are_not_zero(op.dtype, cx)?;
    let rest = map2! {
        [f32, f64] @ 5.0 |x, y| {
            let rest = x % y;
            if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
        };
        [u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x % y };
        [i32] @ 0.8, wide |x, y| {
            let rest = rest(x, y);
            if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }
        };
        [i8, i16, i64] @ 2.0 |x, y| {
            if y == 0 {
                return 0;
            }
            let rest = x.wrapping_rem(y);
            if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }
        };
    };
    binary::reals(&rest, op.dtype, cx)
})
.doc("The remainder of floored division `x / y`; it has the sign of `y`.")
.counts("T")
.gradient(|_, g| two(g, |dy, x, y| (dy, dy * -FLOOR_DIV.call([x, y]))));

/// The remainder of truncated division `x / y`, without branches; 0 for division by 0.
#[inline(always)]
fn rest(x: i32, y: i32) -> i32 {
    // The quotient of two such integers is exact enough in f64, except that of the minimum by -1.
    let quotient = (f64::from(x) / f64::from(y)) as i32;
    if y == 0 || y == -1 { 0 } else { x.wrapping_sub(quotient.wrapping_mul(y)) }
}

const TRUNCATED: &[AttrSpec] = &[Attr::dtype("T", {
    use DType::*;
    &[I32, I64, BF16, F16, F32, F64]
})];

const fn truncated(name: &'static str) -> Def<Elementwise> {
    const REST: Compute = |op, cx| {
        divisors_are_not_zero(op.dtype, cx)?;
        let rest = map2! {
            [f32, f64] @ 5.0 |x, y| x % y;
            [i32] @ 0.8, wide |x, y| rest(x, y);
            [i8, i16, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) };
        };
        binary::reals(&rest, op.dtype, cx)
    };
    binary(name, TRUNCATED, REST).doc("The remainder of truncated division `x / y`; it has the sign of `x`.")
}

// TensorFlow's gradient of `Mod` is that of `FloorMod`.
pub static MOD: Def<Elementwise> =
    truncated("Mod").counts("T").gradient(|_, g| two(g, |dy, x, y| (dy, dy * -FLOOR_DIV.call([x, y]))));

pub static TRUNCATE_MOD: Def<Elementwise> =
    truncated("TruncateMod").gradient(|_, g| two(g, |dy, x, y| (dy, dy * -TRUNCATE_DIV.call([x, y]))));
