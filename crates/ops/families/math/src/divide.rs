//! Division ops.

use crate::elementwise::{Elementwise, FLOATS_COMPLEX, NUMBERS, basic, binary};
use crate::prelude::*;
use crate::rules::{never, two};
use levada_ops_core::quotient::Quotient;

pub static DIV: Def<Elementwise> = binary("Div", NUMBERS, |op, cx| {
    divisors_are_not_zero(op.dtype, cx)?;
    let quotient = map2! {
        [f32, f64] |x, y| x / y;
        [Complex32, Complex64] |x, y| x.over(y);
        [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
    };
    binary::numbers(&quotient, op.dtype, cx)
})
.strip(|op| basic(op, Basic::Div))
.doc("`x / y`; integer quotients are rounded toward zero.")
.gradient(|_, g| two(g, quotient));

pub static REAL_DIV: Def<Elementwise> = binary("RealDiv", NUMBERS, |op, cx| {
    let quotient = map2! {
        [f32, f64] |x, y| x / y;
        [Complex32, Complex64] |x, y| x.over(y);
    };
    binary::floats_complex(&quotient, op.dtype, cx)
})
.strip(|op| basic(op, Basic::Div))
.doc("`x / y`.")
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Div))
.primitive(Primitive::Div)
.gradient(|_, g| two(g, quotient))
.supports(|op| sets::FLOATS_COMPLEX.contains(&op.dtype));

/// The gradients of `x / y`.
fn quotient<'g>(dy: V<'g>, x: V<'g>, y: V<'g>) -> (V<'g>, V<'g>) {
    let (x, y) = (x.conj(), y.conj());
    (dy / y, dy * ((-x / y) / y))
}

pub static DIV_NO_NAN: Def<Elementwise> = binary("DivNoNan", FLOATS_COMPLEX, |op, cx| {
    let quotient = map2! {
        [f32, f64] |x, y| if y == 0.0 { 0.0 } else { x / y };
        [Complex32, Complex64] |x, y| if y.re == 0.0 && y.im == 0.0 { y } else { x.over(y) };
    };
    binary::floats_complex(&quotient, op.dtype, cx)
})
.doc("`x / y`, but 0 where `y` is 0.")
.gradient(|_, g| {
    two(g, |dy, x, y| {
        let (x, y) = (x.conj(), y.conj());
        let over = |a, b| DIV_NO_NAN.call([a, b]);
        (over(dy, y), dy * over(over(-x, y), y))
    })
});

pub static FLOOR_DIV: Def<Elementwise> = binary("FloorDiv", NUMBERS, |op, cx| {
    divisors_are_not_zero(op.dtype, cx)?;
    let quotient = map2! {
        [f32, f64] |x, y| (x / y).floor();
        [u8, u16, u32, u64] @ 2.0 |x, y| x.checked_div(y).unwrap_or(0);
        [i8, i16, i32, i64] @ 2.0 |x, y| {
            if y == 0 {
                return 0;
            }
            let quotient = x.wrapping_div(y);
            if (x < 0) != (y < 0) && x.wrapping_rem(y) != 0 { quotient - 1 } else { quotient }
        };
    };
    binary::reals(&quotient, op.dtype, cx)
})
.doc("`x / y`, rounded down.")
.counts("T")
.gradient(|_, g| never(g))
.supports(|op| sets::REALS.contains(&op.dtype));

pub static TRUNCATE_DIV: Def<Elementwise> = binary("TruncateDiv", NUMBERS, |op, cx| {
    divisors_are_not_zero(op.dtype, cx)?;
    let quotient = map2! {
        [f32, f64] |x, y| (x / y).trunc();
        [i8, i16, i32, i64, u8, u16, u32, u64] @ 2.0 |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
    };
    binary::reals(&quotient, op.dtype, cx)
})
.doc("`x / y`, rounded toward zero.")
.gradient(|_, g| never(g))
.supports(|op| sets::REALS.contains(&op.dtype));

/// Fails if an integer would be divided by zero. The elementwise functions return 0 for it, which is never visible.
pub(super) fn divisors_are_not_zero(dtype: DType, cx: &Cx<'_, '_>) -> Result<()> {
    let found = dispatch!(dtype, integers, |T| cx.slice::<T>(1)?.contains(&0), else false);
    if found && cx.input(0)?.num_elements() > 0 {
        return Err(Error::invalid("Integer division by zero"));
    }
    Ok(())
}
