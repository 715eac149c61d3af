//! `InplaceUpdate`, `InplaceAdd`, `InplaceSub`: update rows of a tensor. Tensors are immutable values, so `x` itself is
//! left unchanged.

use crate::moves::{Cell, owned};
use crate::prelude::*;

attrs! {
    /// The attrs of ops that update rows.
    pub struct Inplace {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

const INPUTS: &[Arg] = &[arg("x", of("T")), arg("i", is(DType::I32)), arg("v", of("T"))];
const OUTPUTS: &[Arg] = &[arg("y", of("T"))];

const fn inplace(name: &'static str, kernel: fn(&Inplace, &mut Cx<'_, '_>) -> Result<()>) -> Def<Inplace> {
    op(name).inputs(INPUTS).outputs(OUTPUTS).shape(same_as_input).kernel(kernel)
}

pub static INPLACE_ADD: Def<Inplace> = inplace("InplaceAdd", |op, cx| update(cx, op.dtype, Update::Add))
    .doc("Returns `x` with the rows `v` added to the rows `i`.");

pub static INPLACE_SUB: Def<Inplace> = inplace("InplaceSub", |op, cx| update(cx, op.dtype, Update::Subtract))
    .doc("Returns `x` with the rows `v` subtracted from the rows `i`.");

pub static INPLACE_UPDATE: Def<Inplace> = inplace("InplaceUpdate", |op, cx| update(cx, op.dtype, Update::Replace))
    .doc("Returns `x` with the rows `i` replaced by `v`.");

#[derive(Clone, Copy, PartialEq)]
enum Update {
    Replace,
    Add,
    Subtract,
}

fn update(cx: &mut Cx<'_, '_>, dtype: DType, update: Update) -> Result<()> {
    let (x, i, v) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?.shape());
    if i.rank() != 1 {
        return Err(Error::invalid(format!("i must be a vector. {i}")));
    }
    if x.rank() != v.rank() || x.is_scalar() {
        return Err(Error::invalid(format!("x and v shape doesn't match (ranks differ): {x} vs. {v}")));
    }
    if x[1..] != v[1..] {
        return Err(Error::invalid(format!("x and v shape doesn't match: {x} vs. {v}")));
    }
    if i[0] != v[0] {
        return Err(Error::invalid(format!("i and x shape doesn't match at index 0: {} vs {}", i[0], v[0])));
    }
    let (count, width) = (x[0] as i64, x[1..].iter().product::<usize>());
    if count == 0 && v.num_elements() > 0 {
        return Err(Error::invalid("x has no rows to update"));
    }
    // Row indices wrap around at both ends.
    let rows: Vec<usize> =
        cx.slice::<i32>(1)?.iter().map(|&i| i64::from(i).rem_euclid(count.max(1)) as usize * width).collect();
    let mut out = owned(cx, 0)?;
    let v = cx.input(2)?;
    if v.num_elements() > 0 {
        match update {
            Update::Replace => cells!(dtype, |T| {
                let to = T::cells_mut(&mut out)?;
                for (&at, row) in rows.iter().zip(T::cells(v)?.chunks_exact(width)) {
                    to[at..at + width].clone_from_slice(row);
                }
            }),
            _ => dispatch!(dtype, numbers, |T| {
                let to = out.slice_mut::<T>()?;
                let subtract = update == Update::Subtract;
                for (&at, row) in rows.iter().zip(v.slice::<T>()?.chunks_exact(width)) {
                    let change = |(o, v): (&mut T, &T)| *o = if subtract { Number::sub(*o, *v) } else { Number::add(*o, *v) };
                    to[at..at + width].iter_mut().zip(row).for_each(change);
                }
            }, else return Err(Error::invalid(format!("Unsupported data type: {dtype}")))),
        }
    }
    cx.set(0, out);
    Ok(())
}
