//! Ops on the bits of integers.

use crate::elementwise::{Map1, Map2, unary};
use crate::prelude::*;

binary_ops! {
    /// The bits that are set in `x` and in `y`.
    BitwiseAnd(x, y) -> z: sets::INTEGERS, integers INTEGERS;
    /// The bits that are set in `x`, in `y` or in both.
    BitwiseOr(x, y) -> z: sets::INTEGERS, integers INTEGERS;
    /// The bits that are set in `x` or in `y`, but not in both.
    BitwiseXor(x, y) -> z: sets::INTEGERS, integers INTEGERS;
    /// `x` shifted to the left by `y` bits, at least by none and at most by all but one.
    LeftShift(x, y) -> z: sets::INTEGERS, integers INTEGERS;
    /// `x` shifted to the right by `y` bits, at least by none and at most by all but one; negative numbers stay negative.
    RightShift(x, y) -> z: sets::INTEGERS, integers INTEGERS;
}

unary_ops! {
    /// The bits that are not set in `x`.
    Invert(x) -> y: sets::INTEGERS, integers INTEGERS;
}

attrs! {
    /// Number of bits that are set in `x`.
    pub struct PopulationCount {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::INTEGERS),
    }
}

pub static POPULATION_COUNT: Def<PopulationCount> = op("PopulationCount")
    .inputs(&[arg("x", of("T"))])
    .outputs(&[arg("y", is(DType::U8))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|op: &PopulationCount, cx| unary::count_integers(op, op.dtype, cx))
    .piecewise(|_| Piecewise::Broadcast);

macro_rules! functions {
    ($($ty:ty),*) => {
        map2! {
            BitwiseAnd: [$($ty),*] |x, y| x & y;
            BitwiseOr: [$($ty),*] |x, y| x | y;
            BitwiseXor: [$($ty),*] |x, y| x ^ y;
        }
        map1! {
            Invert: [$($ty),*] |x| !x;
        }
        $(
            impl Map2<$ty> for LeftShift {
                type Out = $ty;
                #[inline(always)]
                fn call(&self, x: $ty, y: $ty) -> $ty {
                    x << y.clamp(0, <$ty>::BITS as $ty - 1)
                }
            }
            impl Map2<$ty> for RightShift {
                type Out = $ty;
                #[inline(always)]
                fn call(&self, x: $ty, y: $ty) -> $ty {
                    x >> y.clamp(0, <$ty>::BITS as $ty - 1)
                }
            }
            impl Map1<$ty> for PopulationCount {
                type Out = u8;
                #[inline(always)]
                fn call(&self, x: $ty) -> u8 {
                    x.count_ones() as u8
                }
            }
        )*
    };
}

functions!(i8, i16, i32, i64, u8, u16, u32, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn shifts_are_clamped() {
        let shift = |x: Vec<i8>, y: Vec<i8>| {
            let inputs = || vec![Tensor::vector(x.clone()), Tensor::vector(y.clone())];
            let left = run(LeftShift { dtype: DType::I8 }, inputs(), &[DType::I8]).unwrap().remove(0);
            let right = run(RightShift { dtype: DType::I8 }, inputs(), &[DType::I8]).unwrap().remove(0);
            (left.slice::<i8>().unwrap().to_vec(), right.slice::<i8>().unwrap().to_vec())
        };
        assert_eq!(shift(vec![1, 1, -100, 5], vec![3, 100, 100, -3]), (vec![8, -128, 0, 5], vec![0, 0, -1, 5]));
    }
}
