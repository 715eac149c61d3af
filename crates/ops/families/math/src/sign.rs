//! `Abs`, `Neg` and `Sign`.

use crate::prelude::*;

const SIGNED: &[DType] = &[
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

const SIGNED_REALS: &[DType] =
    &[DType::BF16, DType::F16, DType::F32, DType::F64, DType::I8, DType::I16, DType::I32, DType::I64];

unary_ops! {
    /// The absolute value; that of the lowest integer is itself.
    Abs(x) -> y: SIGNED_REALS, signed_reals REALS;
    /// `-x`
    Neg(x) -> y: SIGNED, signed NUMBERS;
    /// -1, 0 or 1 by the sign of `x`; `x / |x|` or 0 for complex numbers.
    Sign(x) -> y: SIGNED, signed NUMBERS;
}

map1! {
    Abs: [f32, f64] |x| x.abs();
    Abs: [i8, i16, i32, i64] |x| x.wrapping_abs();
    Neg: [f32, f64, Complex32, Complex64] |x| -x;
    Neg: [i8, i16, i32, i64] |x| x.wrapping_neg();
    Sign: [f32, f64] |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else if x == 0.0 { 0.0 } else { x };
    Sign: [i8, i16, i32, i64] |x| x.signum();
    Sign: [Complex32, Complex64] |x| {
        let size = x.norm();
        if size == 0.0 { x } else { x / size }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn lowest_integer_wraps() {
        let x = Tensor::vector(vec![i8::MIN, -1, 0, 5]);
        assert_eq!(run(Abs { dtype: DType::I8 }, vec![x.clone()], &[DType::I8]).unwrap()[0].slice::<i8>().unwrap(), [
            -128, 1, 0, 5
        ]);
        assert_eq!(run(Neg { dtype: DType::I8 }, vec![x], &[DType::I8]).unwrap()[0].slice::<i8>().unwrap(), [
            -128, 1, 0, -5
        ]);
    }
}
