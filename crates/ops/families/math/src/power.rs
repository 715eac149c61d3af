//! `Pow`: powers.

use super::complex_functions as complex;
use crate::prelude::*;

const POW: &[DType] = &[
    DType::BF16,
    DType::F32,
    DType::F16,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::C64,
    DType::C128,
];

binary_ops! {
    /// `x` to the power of `y`. Integers wrap and cannot be raised to a negative power.
    Pow(x, y) -> z: POW, numbers NUMBERS, exponents_are_not_negative;
}

fn exponents_are_not_negative(dtype: DType, cx: &Cx<'_, '_>) -> Result<()> {
    #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
    let found = dispatch!(dtype, integers, |T| cx.slice::<T>(1)?.iter().any(|&y| y < 0), else false);
    if found && cx.input(0)?.num_elements() > 0 {
        return Err(Error::invalid("Integers to negative integer powers are not allowed"));
    }
    Ok(())
}

macro_rules! integer_power {
    ($x:ident, $y:ident) => {{
        let (mut result, mut square, mut rest) = (1, $x, $y);
        while rest > 0 {
            if rest & 1 == 1 {
                result = square.wrapping_mul(result);
            }
            square = square.wrapping_mul(square);
            rest >>= 1;
        }
        result
    }};
}

map2! {
    Pow: [f32, f64] @ 10.0 |x, y| x.powf(y);
    Pow: [i8, i16, i32, i64, u8, u16, u32, u64] @ 3.0 |x, y| integer_power!(x, y);
    Pow: [Complex32, Complex64] @ 60.0 |x, y| complex::by64(x, |x| complex::power(x, complex::widen(y)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn integers() {
        let pow = |x: Vec<i32>, y: Vec<i32>| {
            let z = run(Pow { dtype: DType::I32 }, vec![Tensor::vector(x), Tensor::vector(y)], &[DType::I32])?;
            Ok::<_, Error>(z[0].slice::<i32>()?.to_vec())
        };
        assert_eq!(pow(vec![-2, 0, 3, 2, 2], vec![3, 0, 2, 31, 33]).unwrap(), [-8, 1, 9, i32::MIN, 0]);
        assert_eq!(pow(vec![1], vec![-1]).unwrap_err().code(), Code::InvalidArgument);
    }
}
