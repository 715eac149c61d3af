//! `RaggedTensorToVariant` and its gradient: a ragged tensor, or each of its rows, as a variant.

use super::rows;
use super::variant::{self, Ragged};
use crate::prelude::*;
use crate::rules::{Handles, int, never};
use levada_graph::Variant;

attrs! {
    /// Encodes a ragged tensor as a variant, or each of its rows as one.
    pub struct RaggedTensorToVariant {
        /// Number of ragged axes.
        rank: i64 = Attr::int("RAGGED_RANK").at_least(0),
        /// Element type.
        dtype: DType = Attr::dtype("Tvalues", sets::ANY),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
        /// Whether to encode each row as a variant.
        batched: bool = Attr::bool("batched_input"),
    }
}

pub static RAGGED_TENSOR_TO_VARIANT: Def<RaggedTensorToVariant> = op("RaggedTensorToVariant")
    .inputs(&[arg("rt_nested_splits", of("Tsplits")).times("RAGGED_RANK"), arg("rt_dense_values", of("Tvalues"))])
    .outputs(&[arg("encoded_ragged", is(DType::Variant))])
    .shape(ragged_tensor_to_variant_shape)
    .gradient(|op, g| {
        let n = g.num_inputs() - 1;
        let values = g.input(n);
        let splits = if n == 0 { int(g, 0) } else { g.input(0) };
        let mut grads = never(g);
        if let Some(dy) = g.known_dy(0) {
            let attrs = RaggedTensorToVariantGradient { dtype: op.dtype, splits: splits.dtype() };
            grads[n] = RAGGED_TENSOR_TO_VARIANT_GRADIENT.node(g, &attrs, &[dy, splits, values.dims()]).into();
        }
        grads
    })
    .kernel(ragged_tensor_to_variant)
    .heavy();

fn ragged_tensor_to_variant_shape(op: &RaggedTensorToVariant, cx: &mut ShapeCx<'_>) -> Result<()> {
    let n = cx.num_inputs() - 1;
    for i in 0..n {
        cx.with_rank(i, 1)?;
    }
    if !op.batched {
        cx.output_scalar(0);
        return Ok(());
    }
    cx.rank_at_least(n, 1)?;
    match (n, cx.input(0).dim(0)) {
        (0, rows) => cx.output_vector(0, rows),
        (_, Some(0)) => return Err(Error::invalid("ragged splits may not be empty.")),
        (_, rows) => cx.output_vector(0, rows.map(|n| n - 1)),
    }
    Ok(())
}

fn ragged_tensor_to_variant(op: &RaggedTensorToVariant, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = cx.num_inputs() - 1;
    let nested: Vec<Vec<i64>> = (0..n).map(|i| rows::read(cx, i)).collect::<Result<_>>()?;
    let values = cx.input(n)?.clone();
    if (n > 0 || op.batched) && values.shape().is_scalar() {
        return Err(Error::invalid("the values of a ragged tensor must have at least one axis"));
    }
    for (i, splits) in nested.iter().enumerate() {
        rows::check(splits, nested.get(i + 1).map_or_else(|| values.shape()[0], |next| next.len() - 1))?;
    }
    if !op.batched {
        let splits = (0..n).map(|i| cx.input(i).cloned()).collect::<Result<_>>()?;
        cx.set(0, Tensor::scalar(Variant::new(Ragged { splits, values })));
        return Ok(());
    }
    let mut made = Vec::new();
    for row in 0..nested.first().map_or_else(|| values.shape()[0], |splits| splits.len() - 1) {
        let Some((outer, inner)) = nested.split_first() else {
            made.push(Variant::new(Ragged { splits: Vec::new(), values: values.row(row)? }));
            continue;
        };
        let mut range = outer[row] as usize..outer[row + 1] as usize;
        let mut splits = Vec::with_capacity(inner.len());
        for level in inner {
            let start = level[range.start];
            let own = level[range.start..=range.end].iter().map(|s| s - start).collect();
            splits.push(rows::splits(op.splits, own)?);
            range = start as usize..level[range.end] as usize;
        }
        made.push(Variant::new(Ragged { splits, values: values.rows(range)? }));
    }
    cx.set(0, Tensor::vector(made));
    Ok(())
}

attrs! {
    /// Computes the gradient of `RaggedTensorToVariant` with respect to the values.
    pub struct RaggedTensorToVariantGradient {
        /// Element type.
        dtype: DType = Attr::dtype("Tvalues", sets::ANY),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

pub static RAGGED_TENSOR_TO_VARIANT_GRADIENT: Def<RaggedTensorToVariantGradient> = op("RaggedTensorToVariantGradient")
    .inputs(&[
        arg("encoded_ragged_grad", is(DType::Variant)),
        arg("row_splits", of("Tsplits")),
        arg("dense_values_shape", is(DType::I32)),
    ])
    .outputs(&[arg("dense_values_grad", of("Tvalues"))])
    .shape(|_, cx| {
        let shape = cx.constant_shape(2);
        cx.output(0, shape);
        Ok(())
    })
    .kernel(ragged_tensor_to_variant_gradient)
    .heavy();

fn ragged_tensor_to_variant_gradient(op: &RaggedTensorToVariantGradient, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = Shape::from_signed(&cx.i64s(2)?)?;
    let encoded = cx.input(0)?;
    let parts = variant::all(encoded)?;
    if let Some(other) = parts.iter().find(|part| part.values.dtype() != op.dtype) {
        return Err(Error::invalid(format!(
            "Expected values Tensor dtype: {}, found: {}",
            op.dtype,
            other.values.dtype()
        )));
    }
    let total = parts.iter().try_fold(0usize, |n, part| n.checked_add(part.values.num_elements()));
    if total != Some(shape.num_elements()) {
        return Err(Error::invalid(format!("the gradients of the rows do not fill the shape {shape}")));
    }
    let values = parts.iter().map(|part| &part.values);
    let grad = levada_ops_core::rows::join(&cx.device.arena, op.dtype, shape, values)?;
    cx.set(0, grad);
    Ok(())
}
