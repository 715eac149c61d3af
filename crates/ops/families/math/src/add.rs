//! `Add` and `AddV2`: addition of two tensors.

use crate::elementwise::{Elementwise, NUMBERS, basic, binary};
use crate::prelude::*;
use crate::rules::two;

const ADD: &[DType] = {
    use DType::*;
    &[BF16, F16, F32, F64, U8, I8, I16, I32, I64, C64, C128, Str]
};

pub static ADD_V2: Def<Elementwise> = binary("AddV2", NUMBERS, |op, cx| match op.dtype {
    DType::Str => binary::objects(cx, |x: &Bytes, y: &Bytes| Bytes::from([&x[..], &y[..]].concat())),
    dtype => binary::numbers(&map2! { [T: Number] |x, y| x.add(y); }, dtype, cx),
})
.spreads()
.strip(|op| basic(op, Basic::Add))
.doc("`x + y`.")
.also(&[form("Add").doc("`x + y`; strings are concatenated.").attrs(&[Attr::dtype("T", ADD)])])
.counts("T")
.primitive(Primitive::Add)
.gradient(|_, g| two(g, |dy, _, _| (dy, dy)))
.piecewise(|op| if op.dtype == DType::Str { Piecewise::No } else { Piecewise::Broadcast })
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Add));
