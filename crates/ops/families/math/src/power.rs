//! `Pow`: exponentiation.

use super::compare::GREATER;
use super::complex_functions as complex;
use super::equal::{Equality, NOT_EQUAL};
use super::exponential::LOG;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Elementwise, binary, unary};
use crate::prelude::*;
use crate::rules::Handles;
use num_traits::{PrimInt, WrappingMul};

pub static POW: Def<Elementwise> = binary(
    "Pow",
    &[Attr::dtype("T", {
        use DType::*;
        &[BF16, F32, F16, F64, I8, I16, I32, I64, C64, C128]
    })],
    |op, cx| {
        exponents_are_not_negative(op.dtype, cx)?;
        if op.dtype == DType::F32
            && let Some(special) = cx.input(1).ok().and_then(special)
        {
            return by_scalar(special, cx);
        }
        let power = map2! {
            [f32] @ 2.0, wide |x, y| wide::pow(x, y);
            [f64] @ 10.0 |x, y| x.powf(y);
            [i8, i16, i32, i64, u8, u16, u32, u64] @ 3.0 |x, y| integer_power(x, y);
            [Complex32, Complex64] @ 60.0 |x, y| complex::by64(x, |x| complex::power(x, complex::widen(y)));
        };
        binary::numbers(&power, op.dtype, cx)
    },
)
.strip_by_second(|op, y| {
    let special = special(y).filter(|_| op.dtype == DType::F32)?;
    Some(match special {
        Special::Itself => Strip::Each(|x, out| out.copy_from_slice(x)),
        Special::Square => Strip::Basic(Basic::Square),
        Special::Cube => Strip::Each(|x, out| unary::each(&map1! { [f32] |x| wide::cube(x); }, x, out)),
    })
})
.doc("`x` raised to the power of `y`. Integers wrap and cannot be raised to a negative power.")
.gradient(|_, g| {
    let (x, y, z, dy) = (g.input(0).conj(), g.input(1).conj(), g.output(0).conj(), g.dy(0));
    let dx = dy * y * POW.call([x, y - 1.0]);
    let zero = x.like(0.0);
    let mask = if x.dtype().is_complex() { Equality::compare(&NOT_EQUAL, x, zero) } else { GREATER.call([x, zero]) };
    let safe = x.select(mask, x.ones_like());
    g.unbroadcast(dx, dy * z * LOG.call([safe]).where_true(mask))
});

/// float32 powers with a scalar exponent that take one or two products.
#[derive(Clone, Copy)]
enum Special {
    Itself,
    Square,
    Cube,
}

fn special(exponent: &Tensor) -> Option<Special> {
    let exponent = exponent.shape().is_scalar().then(|| exponent.item::<f32>().ok())??;
    [(1.0, Special::Itself), (2.0, Special::Square), (3.0, Special::Cube)]
        .into_iter()
        .find_map(|(y, special)| (exponent == y).then_some(special))
}

fn by_scalar(special: Special, cx: &mut Cx<'_, '_>) -> Result<()> {
    match special {
        Special::Itself => unary::same(&map1! { [f32] |x| x; }, cx),
        Special::Square => unary::same(&map1! { [f32] |x| x * x; }, cx),
        Special::Cube => unary::same(&map1! { [f32] |x| wide::cube(x); }, cx),
    }
}

fn exponents_are_not_negative(dtype: DType, cx: &Cx<'_, '_>) -> Result<()> {
    #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
    let found = dispatch!(dtype, integers, |T| cx.slice::<T>(1)?.iter().any(|&y| y < 0), else false);
    if found && cx.input(0)?.num_elements() > 0 {
        return Err(Error::invalid("Integers to negative integer powers are not allowed"));
    }
    Ok(())
}

/// `x` raised to the power of `y`, by squaring; 1 for a negative `y`.
fn integer_power<T: PrimInt + WrappingMul>(x: T, y: T) -> T {
    let (mut result, mut square, mut rest) = (T::one(), x, y);
    while rest > T::zero() {
        if rest & T::one() == T::one() {
            result = square.wrapping_mul(&result);
        }
        square = square.wrapping_mul(&square);
        rest = rest >> 1;
    }
    result
}
