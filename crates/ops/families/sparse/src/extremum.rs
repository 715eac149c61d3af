//! `SparseSparseMaximum` and `SparseSparseMinimum`: element-wise maximum and minimum of two sparse tensors.

use super::add::{check_shapes, merge};
use crate::coo::{self, Coo};
use crate::prelude::*;

attrs! {
    /// The attrs of the extrema of two sparse tensors.
    pub struct SparseExtremum {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

const INPUTS: &[Arg] = &[
    arg("a_indices", is(DType::I64)),
    arg("a_values", of("T")),
    arg("a_shape", is(DType::I64)),
    arg("b_indices", is(DType::I64)),
    arg("b_values", of("T")),
    arg("b_shape", is(DType::I64)),
];
const OUTPUTS: &[Arg] = &[arg("output_indices", is(DType::I64)), arg("output_values", of("T"))];

const fn extremum(
    name: &'static str,
    kernel: fn(&SparseExtremum, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<SparseExtremum> {
    op::<SparseExtremum>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            let (_, rank) = coo::infer(cx, [0, 1, 2])?;
            coo::infer(cx, [3, 4, 5])?;
            cx.output(0, PartialShape::new([None, rank]));
            cx.output_vector(1, None);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static SPARSE_SPARSE_MAXIMUM: Def<SparseExtremum> = extremum("SparseSparseMaximum", |op, cx| {
    dispatch!(op.dtype, reals, |T| compute::<T>(cx, |x, y| if x < y { y } else { x }), else unsupported(cx, op.dtype))
})
.doc("Returns the element-wise maximum of two sparse tensors; missing elements count as 0.");

pub static SPARSE_SPARSE_MINIMUM: Def<SparseExtremum> = extremum("SparseSparseMinimum", |op, cx| {
    dispatch!(op.dtype, reals, |T| compute::<T>(cx, |x, y| if y < x { y } else { x }), else unsupported(cx, op.dtype))
})
.doc("Returns the element-wise minimum of two sparse tensors; missing elements count as 0.");

fn compute<T: Real>(cx: &mut Cx<'_, '_>, choose: fn(T, T) -> T) -> Result<()> {
    let (a, b) = (Coo::input(cx, 0)?, Coo::input(cx, 3)?);
    check_shapes(&a, &b)?;
    a.dense_shape()?;
    a.check_bounds()?;
    b.check_bounds()?;
    let (x, y) = (a.values.slice::<T>()?, b.values.slice::<T>()?);
    let pairs = merge(&a, &b);
    let mut indices = Vec::with_capacity(pairs.len() * a.rank);
    let mut values = Vec::with_capacity(pairs.len());
    for (i, j) in pairs {
        indices.extend_from_slice(match (i, j) {
            (Some(i), _) => a.row(i),
            (None, Some(j)) => b.row(j),
            (None, None) => continue,
        });
        values.push(choose(i.map_or(T::zero(), |i| x[i]), j.map_or(T::zero(), |j| y[j])));
    }
    let indices = coo::indices(a.rank, values.len(), indices)?;
    cx.set(0, indices);
    cx.set(1, Tensor::vector(values));
    Ok(())
}
