//! Bitwise operations on integers.

use crate::elementwise::{Elementwise, INTEGERS, binary, unary};
use crate::prelude::*;
use crate::rules::never;
use num_traits::PrimInt;

pub static BITWISE_AND: Def<Elementwise> =
    binary("BitwiseAnd", INTEGERS, |op, cx| binary::integers(&map2! { [T: PrimInt] |x, y| x & y; }, op.dtype, cx))
        .doc("Bitwise AND of `x` and `y`.")
        .gradient(|_, g| never(g));

pub static BITWISE_OR: Def<Elementwise> =
    binary("BitwiseOr", INTEGERS, |op, cx| binary::integers(&map2! { [T: PrimInt] |x, y| x | y; }, op.dtype, cx))
        .doc("Bitwise OR of `x` and `y`.")
        .gradient(|_, g| never(g));

pub static BITWISE_XOR: Def<Elementwise> =
    binary("BitwiseXor", INTEGERS, |op, cx| binary::integers(&map2! { [T: PrimInt] |x, y| x ^ y; }, op.dtype, cx))
        .doc("Bitwise XOR of `x` and `y`.")
        .gradient(|_, g| never(g));

pub static LEFT_SHIFT: Def<Elementwise> =
    binary("LeftShift", INTEGERS, |op, cx| binary::integers(&map2! { [T: Shift] |x, y| x.left(y); }, op.dtype, cx))
        .doc("`x` shifted left by `y` bits; `y` is clamped to [0, bit width - 1].")
        .gradient(|_, g| never(g));

pub static RIGHT_SHIFT: Def<Elementwise> =
    binary("RightShift", INTEGERS, |op, cx| binary::integers(&map2! { [T: Shift] |x, y| x.right(y); }, op.dtype, cx))
        .doc("`x` shifted right by `y` bits, arithmetically for signed types; `y` is clamped to [0, bit width - 1].")
        .gradient(|_, g| never(g));

pub static INVERT: Def<Elementwise> =
    unary("Invert", INTEGERS, |op, cx| unary::integers(&map1! { [T: PrimInt] |x| !x; }, op.dtype, cx))
        .doc("Bitwise NOT of `x`.")
        .gradient(|_, g| never(g));

pub static POPULATION_COUNT: Def<Elementwise> = unary("PopulationCount", INTEGERS, |op, cx| {
    unary::count_integers(&map1! { [T: PrimInt] |x| -> u8 { x.count_ones() as u8 }; }, op.dtype, cx)
})
.doc("Number of bits set in `x`.")
.outputs(&[arg("y", is(DType::U8))])
.gradient(|_, g| never(g));

/// Shifts by a value of the same type, clamped to the valid shift counts.
trait Shift: Copy {
    fn left(self, bits: Self) -> Self;
    fn right(self, bits: Self) -> Self;
}

macro_rules! shifts {
    ($($ty:ty),*) => {$(
        impl Shift for $ty {
            #[inline(always)]
            fn left(self, bits: $ty) -> $ty {
                self << bits.clamp(0, <$ty>::BITS as $ty - 1)
            }
            #[inline(always)]
            fn right(self, bits: $ty) -> $ty {
                self >> bits.clamp(0, <$ty>::BITS as $ty - 1)
            }
        }
    )*};
}

shifts!(i8, i16, i32, i64, u8, u16, u32, u64);
