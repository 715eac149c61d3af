//! Divisions.

use crate::prelude::*;

binary_ops! {
    /// `x / y`; integers are rounded toward zero.
    Div(x, y) -> z: sets::NUMBERS, numbers NUMBERS, divisors_are_not_zero;
    /// `x / y`, and 0 where `y` is 0.
    DivNoNan(x, y) -> z: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `x / y` rounded down.
    FloorDiv(x, y) -> z: sets::NUMBERS, reals REALS, divisors_are_not_zero;
    /// `x / y`.
    RealDiv(x, y) -> z: sets::NUMBERS, floats_complex FLOATS_COMPLEX;
    /// `x / y` rounded toward zero.
    TruncateDiv(x, y) -> z: sets::NUMBERS, reals REALS, divisors_are_not_zero;
}

/// Fails where an integer would be divided by zero. The functions below give 0 for it, which nobody sees.
pub(super) fn divisors_are_not_zero(dtype: DType, cx: &Cx<'_, '_>) -> Result<()> {
    let found = dispatch!(dtype, integers, |T| cx.slice::<T>(1)?.contains(&0), else false);
    if found && cx.input(0)?.num_elements() > 0 {
        return Err(Error::invalid("Integer division by zero"));
    }
    Ok(())
}

map2! {
    Div: [f32, f64, Complex32, Complex64] |x, y| x / y;
    Div: [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
    DivNoNan: [f32, f64] |x, y| if y == 0.0 { 0.0 } else { x / y };
    DivNoNan: [Complex32, Complex64] |x, y| if y.re == 0.0 && y.im == 0.0 { y } else { x / y };
    FloorDiv: [f32, f64] |x, y| (x / y).floor();
    FloorDiv: [u8, u16, u32, u64] @ 2.0 |x, y| x.checked_div(y).unwrap_or(0);
    FloorDiv: [i8, i16, i32, i64] @ 2.0 |x, y| {
        if y == 0 {
            return 0;
        }
        let quotient = x.wrapping_div(y);
        if (x < 0) != (y < 0) && x.wrapping_rem(y) != 0 { quotient - 1 } else { quotient }
    };
    RealDiv: [f32, f64, Complex32, Complex64] |x, y| x / y;
    TruncateDiv: [f32, f64] |x, y| (x / y).trunc();
    TruncateDiv: [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn integers() {
        let divide = |x: Vec<i32>, y: Vec<i32>| {
            let z = run(FloorDiv { dtype: DType::I32 }, vec![Tensor::vector(x), Tensor::vector(y)], &[DType::I32])?;
            Ok::<_, Error>(z[0].slice::<i32>()?.to_vec())
        };
        assert_eq!(divide(vec![7, -7, 7, -7, i32::MIN, -6], vec![2, 2, -2, -2, -1, 3]).unwrap(), [
            3, -4, -4, 3, i32::MIN, -2
        ]);
        assert_eq!(divide(vec![1, 1], vec![1, 0]).unwrap_err().code(), Code::InvalidArgument);
        assert!(divide(vec![], vec![0]).unwrap().is_empty());
    }
}
