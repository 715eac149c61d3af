//! `Sub`, `Mul`, `MulNoNan` and `SquaredDifference`.

use crate::elementwise::{Elementwise, FLOATS_COMPLEX, NUMBERS, basic, binary};
use crate::prelude::*;
use crate::rules::two;

pub static SUB: Def<Elementwise> =
    binary("Sub", NUMBERS, |op, cx| binary::numbers(&map2! { [T: Number] |x, y| x.sub(y); }, op.dtype, cx))
        .spreads()
        .strip(|op| basic(op, Basic::Sub))
        .doc("`x - y`.")
        .counts("T")
        .primitive(Primitive::Sub)
        .gradient(|_, g| two(g, |dy, _, _| (dy, -dy)));

pub static MUL: Def<Elementwise> =
    binary("Mul", NUMBERS, |op, cx| binary::numbers(&map2! { [T: Number] |x, y| x.mul(y); }, op.dtype, cx))
        .spreads()
        .strip(|op| basic(op, Basic::Mul))
        .doc("`x * y`.")
        .epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Mul))
        .counts("T")
        .primitive(Primitive::Mul)
        .gradient(|_, g| two(g, |dy, x, y| (dy * y.conj(), x.conj() * dy)));

pub static MUL_NO_NAN: Def<Elementwise> = binary("MulNoNan", FLOATS_COMPLEX, |op, cx| {
    let product = map2! {
        [T: Number] |x, y| if y == T::zero() { y } else { x.mul(y) };
    };
    binary::floats_complex(&product, op.dtype, cx)
})
.doc("`x * y`, but 0 where `y` is 0, even if `x` is infinite or NaN.")
.gradient(|_, g| two(g, |dy, x, y| (MUL_NO_NAN.call([dy, y]), MUL_NO_NAN.call([x, dy]))));

pub static SQUARED_DIFFERENCE: Def<Elementwise> = binary(
    "SquaredDifference",
    &[Attr::dtype("T", {
        use DType::*;
        &[BF16, F16, F32, F64, I32, I64, C64, C128]
    })],
    |op, cx| {
        let square = map2! {
            [T: Number] |x, y| {
                let difference = x.sub(y);
                difference.conj().mul(difference)
            };
        };
        binary::numbers(&square, op.dtype, cx)
    },
)
.spreads()
.strip(|op| basic(op, Basic::SquaredDifference))
.doc("`conj(x - y) * (x - y)`.")
.gradient(|_, g| {
    two(g, |dy, x, y| {
        let dx = (dy * 2.0) * (x - y);
        (dx, -dx)
    })
});
