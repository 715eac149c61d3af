//! `ResourceGather` and `ResourceGatherNd`: gather slices of a variable.

use super::var_handle::{VARIABLE_SHAPE, VariableShape};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, concat, first, gathered, int};
use crate::variable::{Target, check_dtype};
use levada_kernel::Io;
use levada_ops_array::types::SCATTER_ND;
use levada_ops_array::{gather_along, gather_slices};

/// Returns the value of the variable in input 0, which must have this dtype.
fn value(cx: &Io<'_>, dtype: DType) -> Result<Tensor> {
    let value = Target::of(cx, 0)?.read()?;
    check_dtype("read", dtype, value.dtype())?;
    Ok(value)
}

attrs! {
    /// Gathers the rows of a variable at `indices`; the first `batch_dims` axes are batch axes.
    pub struct ResourceGather {
        /// Number of leading axes that the variable and `indices` share.
        batch_dims: i64 = Attr::int("batch_dims").or_int(0),
        /// Has no effect: indices are always checked.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static RESOURCE_GATHER: Def<ResourceGather> = op::<ResourceGather>("ResourceGather")
    .inputs(&[arg("resource", is(DType::Resource)), arg("indices", of("Tindices"))])
    .outputs(&[arg("output", of("dtype"))])
    .effect(Effect::Reads)
    .gradient(|op: &ResourceGather, g| {
        let (handle, indices, dy) = (g.input(0), g.input(1), g.dy(0));
        let shape = VARIABLE_SHAPE.call([handle]);
        if op.batch_dims != 0 {
            let axis = op.batch_dims as i32;
            return first(g, gathered(g, shape, int(g, axis), axis));
        }
        let count = indices.size().reshape(g.ints(&[1]));
        let values = dy.reshape(concat(g, &[count, shape.slice1(1, -1)], 0));
        let indices = indices.reshape(g.ints(&[-1]));
        vec![Some(Grad::Slices { values: values.at, indices: indices.at, shape: shape.at }), NONE]
    })
    .kernel(resource_gather::<Cpu>)
    .heavy()
    .batch(|op, b| if b.varies(0) || op.batch_dims != 0 { None } else { b.one(b.again(&b.inputs())) });

/// The kernel of `ResourceGather`, on any device that moves elements.
pub fn resource_gather<D: Mover>(op: &ResourceGather, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let value = value(cx, op.dtype)?;
    // Also if there is nothing to copy.
    if let Some(&limit) = value.shape().get(usize::try_from(op.batch_dims).unwrap_or(0))
        && value.num_elements() == 0
    {
        D::check_indices(cx, cx.input(1)?, limit)?;
    }
    // The gather axis is the first that is not shared.
    let out = gather_along(cx, &value, cx.input(1)?, op.batch_dims, op.batch_dims)?;
    cx.set(0, out);
    Ok(())
}

attrs! {
    /// Gathers the slices of a variable at the index tuples in the last axis of `indices`.
    pub struct ResourceGatherNd {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static RESOURCE_GATHER_ND: Def<ResourceGatherNd> = op::<ResourceGatherNd>("ResourceGatherNd")
    .inputs(&[arg("resource", is(DType::Resource)), arg("indices", of("Tindices"))])
    .outputs(&[arg("output", of("dtype"))])
    .effect(Effect::Reads)
    .gradient(|op: &ResourceGatherNd, g| {
        let (handle, indices, dy) = (g.input(0), g.input(1), g.dy(0));
        let found = indices.shape();
        if found.rank() == Some(2) && found.dim(1) == Some(1) {
            let shape = VARIABLE_SHAPE.call([handle]);
            let indices = indices.reshape(g.ints(&[-1]));
            return vec![Some(Grad::Slices { values: dy.at, indices: indices.at, shape: shape.at }), NONE];
        }
        let shape = VARIABLE_SHAPE.node(g, &VariableShape { output: op.index }, &[handle]);
        first(g, SCATTER_ND.call([indices, dy, shape]))
    })
    .kernel(resource_gather_nd::<Cpu>)
    .heavy();

/// The kernel of `ResourceGatherNd`, on any device that moves elements.
pub fn resource_gather_nd<D: Mover>(op: &ResourceGatherNd, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let value = value(cx, op.dtype)?;
    let out = gather_slices(cx, &value, cx.input(1)?, false)?;
    cx.set(0, out);
    Ok(())
}
