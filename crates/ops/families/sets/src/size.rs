//! `SetSize`: the number of distinct values of each set.

use super::values::{Sets, TYPES, members};
use crate::coo;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the number of distinct values along the last axis of a sparse tensor.
    pub struct SetSize {
        /// Whether to check that the indices are sorted and in bounds.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

pub static SET_SIZE: Def<SetSize> = op("SetSize")
    .inputs(&[arg("set_indices", is(DType::I64)), arg("set_values", of("T")), arg("set_shape", is(DType::I64))])
    .outputs(&[arg("size", is(DType::I32))])
    .shape(|_, cx| {
        if let Some([kept @ .., _]) = cx.constant_shape(2).dims() {
            cx.output(0, PartialShape::new(kept.iter().copied()));
        }
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &SetSize, cx| members!(op.dtype, |T| size::<T>(cx, op.validate), else Err(coo::unsupported("SetSize", op.dtype))))
    .heavy();

fn size<T: Element + Ord>(cx: &mut Cx<'_, '_>, validate: bool) -> Result<()> {
    let sets = Sets::<T>::input(cx, 0, validate)?;
    let shape = sets.shape()?;
    let mut sizes = cx.zeros(DType::I32, &shape)?;
    let out = sizes.slice_mut::<i32>()?;
    for group in sets.groups() {
        let (place, values) = group?;
        if let Some(at) = coo::place(place, &shape) {
            out[at] = i32::try_from(values.len()).unwrap_or(i32::MAX);
        }
    }
    cx.set(0, sizes);
    Ok(())
}
