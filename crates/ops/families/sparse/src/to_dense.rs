//! `SparseToDense`: builds a dense tensor from indices and values.

use crate::coo::{self, Words};
use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::{GATHER_ND, Handles, NONE, concat, range};

attrs! {
    /// Returns a tensor filled with `default_value` that holds `sparse_values` at `sparse_indices`; for duplicate
    /// indices, the last value wins.
    pub struct SparseToDense {
        /// Whether to require sorted indices without duplicates.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the indices and of the shape.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static SPARSE_TO_DENSE: Def<SparseToDense> = op("SparseToDense")
    .inputs(&[
        arg("sparse_indices", of("Tindices")),
        arg("output_shape", of("Tindices")),
        arg("sparse_values", of("T")),
        arg("default_value", of("T")),
    ])
    .outputs(&[arg("dense", of("T"))])
    .shape(|_, cx| {
        let shape = cx.constant_shape(1);
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| gradient(g))
    .kernel(sparse_to_dense);

fn sparse_to_dense(op: &SparseToDense, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (indices, dims, values, default) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?);
    let (len, rank) = match indices.shape().dims() {
        [] => (1, 1),
        &[n] => (n, 1),
        &[n, rank] => (n, rank),
        _ => {
            return Err(Error::invalid(format!(
                "sparse_indices should be a scalar, vector, or matrix, got shape {}",
                indices.shape()
            )));
        }
    };
    if dims.shape().rank() != 1 {
        return Err(Error::invalid(format!("output_shape must be rank 1, got shape {}", dims.shape())));
    }
    if dims.num_elements() != rank {
        return Err(Error::invalid(format!(
            "output_shape has incorrect number of elements: {} should be: {rank}",
            dims.num_elements()
        )));
    }
    let fits = values.shape().is_scalar() || (values.shape().rank() == 1 && values.num_elements() == len);
    if !fits {
        return Err(Error::invalid(format!(
            "sparse_values has incorrect shape {}, should be [] or [{len}]",
            values.shape()
        )));
    }
    if !default.shape().is_scalar() {
        return Err(Error::invalid("default_value should be a scalar."));
    }
    let (indices, dims) = (indices.to_i64s()?, dims.to_i64s()?);
    let shape = Shape::from_signed(&dims)?;
    let mut dense = cx.alloc(op.dtype, &shape)?;
    if op.validate {
        coo::check_sorted(&indices, rank, len, &dims)?;
    }
    let outside = || Error::invalid(format!("Indices are not valid (out of bounds).  Shape: [{}]", Words(&dims, ",")));
    cells!(op.dtype, |T| {
        let (values, default) = (T::cells(values)?, &T::cells(default)?[0]);
        let dense = T::cells_mut(&mut dense)?;
        dense.fill(default.clone());
        for i in 0..len {
            let at = coo::place(&indices[i * rank..(i + 1) * rank], &shape).ok_or_else(outside)?;
            let value = if values.len() == len { &values[i] } else { &values[0] };
            *dense.get_mut(at).ok_or_else(outside)? = value.clone();
        }
    });
    cx.set(0, dense);
    Ok(())
}

fn gradient(g: &GradCx) -> Grads {
    let (indices, shape, values, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
    let rank = shape.size().reshape(g.ints(&[1]));
    let indices = indices.reshape(concat(g, &[g.ints(&[-1]), rank], 0));
    let each = GATHER_ND.call([dy, indices]);
    let all = |v: V<'_>| {
        let v = g.value(v.at);
        v.sum(range(g, v.rank_found()))
    };
    let sum = all(each);
    let default = all(dy) - sum;
    let values = if values.rank() == Some(0) { sum } else { each };
    vec![NONE, NONE, values.into(), default.into()]
}
