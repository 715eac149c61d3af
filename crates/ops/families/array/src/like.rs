//! `ZerosLike` and `OnesLike`: zeros or ones in the shape of another tensor.

use crate::elementwise::Elementwise;
use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::never;

const X: &[Arg] = &[arg("x", of("T"))];
const Y: &[Arg] = &[arg("y", of("T"))];

pub static ZEROS_LIKE: Def<Elementwise> = op::<Elementwise>("ZerosLike")
    .keeps_finite()
    .doc("Returns zeros in the shape of `x`; for variants, the zero of each one's kind.")
    .inputs(X)
    .outputs(Y)
    .primitive(Primitive::ZerosLike)
    .shape(same_as_input)
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let shape = cx.input(0)?.shape().clone();
        let out = if op.dtype == DType::Variant {
            crate::variant_tensors::zeros_like(cx.input(0)?)?
        } else {
            match cx.forward(0, op.dtype, &shape) {
                Some(mut out) => {
                    cells!(op.dtype, |T| T::cells_mut(&mut out)?.fill(T::default()));
                    out
                }
                None => cx.zeros(op.dtype, &shape)?,
            }
        };
        cx.set(0, out);
        Ok(())
    })
    .heavy()
    .piecewise(|op| if op.dtype.is_plain() { Piecewise::Broadcast } else { Piecewise::No })
    .batch(elementwise);

pub static ONES_LIKE: Def<Elementwise> = op::<Elementwise>("OnesLike")
    .keeps_finite()
    .doc("Returns ones in the shape of `x`.")
    .attrs(&[Attr::dtype("T", {
        use DType::*;
        &[BF16, F16, F32, F64, I8, U8, I16, U16, I32, U32, I64, U64, C64, C128, Bool]
    })])
    .inputs(X)
    .outputs(Y)
    .primitive(Primitive::OnesLike)
    .shape(same_as_input)
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let shape = cx.input(0)?.shape().clone();
        let (mut out, _) = cx.forward_or_alloc(0, op.dtype, &shape)?;
        if op.dtype == DType::Bool {
            out.slice_mut::<bool>()?.fill(true);
        } else {
            dispatch!(op.dtype, numbers, |T| out.slice_mut::<T>()?.fill(T::one()), else return unsupported(cx, op.dtype));
        }
        cx.set(0, out);
        Ok(())
    })
    .heavy()
    .piecewise(|_| Piecewise::Broadcast)
    .batch(elementwise);
