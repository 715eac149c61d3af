//! Remainders of divisions.

use super::divide::divisors_are_not_zero;
use crate::prelude::*;

const FLOOR_MOD: &[DType] = sets::REALS;
const TRUNCATE_MOD: &[DType] = &[DType::I32, DType::I64, DType::BF16, DType::F16, DType::F32, DType::F64];

binary_ops! {
    /// The remainder of `x / y` rounded down: it has the sign of `y`.
    FloorMod(x, y) -> z: FLOOR_MOD, reals REALS, divisors_are_not_zero;
    /// The remainder of `x / y` rounded toward zero: it has the sign of `x`.
    Mod(x, y) -> z: TRUNCATE_MOD, reals REALS, divisors_are_not_zero;
    /// The remainder of `x / y` rounded toward zero: it has the sign of `x`.
    TruncateMod(x, y) -> z: TRUNCATE_MOD, reals REALS, divisors_are_not_zero;
}

map2! {
    FloorMod: [f32, f64] @ 5.0 |x, y| {
        let rest = x % y;
        if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
    };
    FloorMod: [u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x % y };
    FloorMod: [i8, i16, i32, i64] @ 2.0 |x, y| {
        if y == 0 {
            return 0;
        }
        let rest = x.wrapping_rem(y);
        if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }
    };
    Mod: [f32, f64] @ 5.0 |x, y| x % y;
    Mod: [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) };
    TruncateMod: [f32, f64] @ 5.0 |x, y| x % y;
    TruncateMod: [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) };
}
