//! `SparseTensorDenseAdd`: adds a sparse tensor to a dense one.

use crate::coo::{self, Words, unsupported};
use crate::moves::owned;
use crate::prelude::*;
use crate::rules::{GATHER_ND, NONE};

attrs! {
    /// Returns the sum of a sparse tensor and a dense one of the same shape.
    pub struct SparseTensorDenseAdd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of the indices and of the shape.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static SPARSE_TENSOR_DENSE_ADD: Def<SparseTensorDenseAdd> = op("SparseTensorDenseAdd")
    .inputs(&[
        arg("a_indices", of("Tindices")),
        arg("a_values", of("T")),
        arg("a_shape", of("Tindices")),
        arg("b", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        coo::infer(cx, [0, 1, 2])?;
        let shape = cx.input(3);
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| {
        let dy = g.dy(0);
        vec![NONE, GATHER_ND.call([dy, g.input(0)]).into(), NONE, dy.into()]
    })
    .kernel(sparse_tensor_dense_add);

fn sparse_tensor_dense_add(op: &SparseTensorDenseAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (len, rank) = coo::matrix(cx.input(0)?, "a_indices")?;
    let (values, dims) = (coo::vector(cx.input(1)?, "a_values")?, coo::vector(cx.input(2)?, "a_shape")?);
    let dense = cx.input(3)?.shape().clone();
    if dims != dense.rank() {
        return Err(Error::invalid(format!(
            "Two operands have different ranks; received: {dims} and {}",
            dense.rank()
        )));
    }
    for (d, (&a, &b)) in cx.i64s(2)?.iter().zip(dense.iter()).enumerate() {
        if a != b as i64 {
            return Err(Error::invalid(format!(
                "Dimension {d} does not equal (no broadcasting is supported): sparse side {a} vs dense side {b}"
            )));
        }
    }
    if values != len || rank != dims {
        return Err(Error::invalid(format!("Dimensions {len} and {values} are not compatible"))
            .found(format!("indices of shape [{len},{rank}], {values} values, {dims} sizes")));
    }
    if !(1..=5).contains(&rank) {
        return Err(Error::invalid(format!(
            "Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: {rank}"
        )));
    }
    let indices = cx.i64s(0)?;
    let mut places = Vec::with_capacity(len);
    for i in 0..len {
        let index = &indices[i * rank..(i + 1) * rank];
        places.push(coo::place(index, &dense).ok_or_else(|| {
            let d = index.iter().zip(dense.iter()).position(|(&i, &d)| i < 0 || i >= d as i64).unwrap_or(0);
            Error::invalid(format!(
                "Sparse tensor has an invalid index on dimension {d}: a_indices({i},{d}) = {}, dense tensor shape: {}",
                index[d],
                Words(&dense.to_signed(), " ")
            ))
        })?);
    }
    let mut sum = owned(cx, 3)?;
    dispatch!(op.dtype, numbers, |T| {
        let (sum, values) = (sum.slice_mut::<T>()?, cx.slice::<T>(1)?);
        places.iter().zip(values).for_each(|(&at, &v)| sum[at] = Number::add(sum[at], v));
    }, else return Err(unsupported("SparseTensorDenseAdd", op.dtype)));
    cx.set(0, sum);
    Ok(())
}
