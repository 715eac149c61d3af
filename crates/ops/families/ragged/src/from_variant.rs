//! `RaggedTensorFromVariant`: one ragged tensor from the ragged tensors in variants.

use super::rows;
use super::to_variant::{RAGGED_TENSOR_TO_VARIANT, RaggedTensorToVariant};
use super::variant::{self, Ragged};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Stacks the ragged tensors in variants along the axes of the variants.
    pub struct RaggedTensorFromVariant {
        /// Number of ragged axes of each; -1 to infer it.
        rank: i64 = Attr::int("input_ragged_rank").at_least(-1),
        /// Number of ragged axes of the result.
        out_rank: i64 = Attr::int("output_ragged_rank").at_least(0),
        /// Element type.
        dtype: DType = Attr::dtype("Tvalues", sets::ANY),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

pub static RAGGED_TENSOR_FROM_VARIANT: Def<RaggedTensorFromVariant> = op("RaggedTensorFromVariant")
    .inputs(&[arg("encoded_ragged", is(DType::Variant))])
    .outputs(&[
        arg("output_nested_splits", of("Tsplits")).times("output_ragged_rank"),
        arg("output_dense_values", of("Tvalues")),
    ])
    .shape(shape)
    .gradient(gradient)
    .kernel(ragged_tensor_from_variant)
    .heavy();

fn shape(op: &RaggedTensorFromVariant, cx: &mut ShapeCx<'_>) -> Result<()> {
    if let Some(axes) = cx.input(0).rank() {
        op.own_rank(axes)?;
    }
    for i in 0..cx.num_outputs() - 1 {
        cx.output_vector(i, None);
    }
    Ok(())
}

fn ragged_tensor_from_variant(op: &RaggedTensorFromVariant, cx: &mut Cx<'_, '_>) -> Result<()> {
    let encoded = cx.input(0)?;
    let axes = encoded.shape().dims().to_vec();
    let rank = op.own_rank(axes.len())?;
    let parts = variant::all(encoded)?;
    parts.iter().try_for_each(|part| op.check(part, rank))?;
    if axes.is_empty() {
        let Ragged { splits, values } = parts[0].clone();
        let n = splits.len();
        splits.into_iter().enumerate().for_each(|(i, splits)| cx.set(i, splits));
        cx.set(n, values);
        return Ok(());
    }
    // The axes of the variants come first; all but the last have rows of uniform size.
    let mut made: Vec<Vec<i64>> = Vec::new();
    let mut count = 1usize;
    for pair in axes.windows(2) {
        count *= pair[0];
        cx.device.arena.check(count.saturating_mul(8))?;
        made.push((0..=count).map(|row| (row * pair[1]) as i64).collect());
    }
    let shape_of = |part: &Ragged| match (rank, part.values.shape().split_first()) {
        (-1, _) => Ok(part.values.shape().dims().to_vec()),
        (_, Some((_, row))) => Ok(row.to_vec()),
        (_, None) => Err(Error::invalid("a part of a ragged tensor must have at least one axis")),
    };
    let row = parts.first().map_or(Ok(Vec::new()), |part| shape_of(part))?;
    for (i, part) in parts.iter().enumerate() {
        if shape_of(part)? != row {
            return Err(Error::invalid(format!(
                "All flat_values must have compatible shapes.  Shape at index 0: {}.  Shape at index {i}: {}.",
                parts[0].values.shape(),
                part.values.shape()
            )));
        }
    }
    if rank >= 0 {
        let mut levels: Vec<Vec<i64>> = vec![vec![0]; rank as usize + 1];
        for part in &parts {
            let rows = part.splits.first().map_or(part.values.shape()[0], |s| s.num_elements().saturating_sub(1));
            let end = levels[0][levels[0].len() - 1];
            levels[0].push(end + rows as i64);
            for (level, splits) in levels[1..].iter_mut().zip(&part.splits) {
                let end = level[level.len() - 1];
                level.extend(splits.to_i64s()?.iter().skip(1).map(|s| end + s));
            }
        }
        made.extend(levels);
    }
    let first = match rank {
        -1 => parts.len(),
        _ => parts.iter().map(|part| part.values.shape()[0]).sum(),
    };
    let shape = Shape::new(std::iter::once(first).chain(row))?;
    let values = parts.iter().map(|part| &part.values);
    let values = levada_ops_core::rows::join(&cx.device.arena, op.dtype, shape, values)?;
    let n = made.len();
    for (i, splits) in made.into_iter().enumerate() {
        cx.set(i, rows::splits(op.splits, splits)?);
    }
    cx.set(n, values);
    Ok(())
}

impl RaggedTensorFromVariant {
    /// Returns the number of ragged axes of each part, given the number of axes of the variants; -1 for parts that
    /// become rows of the values.
    fn own_rank(&self, axes: usize) -> Result<i64> {
        let inferred = self.out_rank - axes as i64;
        if self.rank == -1 {
            if inferred < -1 {
                return Err(Error::invalid(format!(
                    "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= -1, found: \
                     {inferred}"
                )));
            }
            return Ok(inferred);
        }
        if self.rank != inferred {
            return Err(Error::invalid(format!(
                "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(): output_ragged_rank: {}, \
                 input_ragged_rank: {}, encoded_ragged.dims(): {axes}",
                self.out_rank, self.rank
            )));
        }
        Ok(inferred)
    }

    fn check(&self, part: &Ragged, rank: i64) -> Result<()> {
        if part.splits.len() as i64 != rank.max(0) {
            return Err(Error::invalid(format!(
                "Encoded input RaggedTensorVariant has ragged_rank={}.  Expected ragged_rank={}.",
                part.splits.len(),
                rank.max(0)
            )));
        }
        if part.values.dtype() != self.dtype {
            return Err(Error::invalid(format!(
                "Expected values Tensor dtype: {}, found: {}",
                self.dtype,
                part.values.dtype()
            )));
        }
        match part.splits.iter().find(|splits| splits.dtype() != self.splits) {
            Some(splits) => Err(Error::invalid(format!(
                "Expected row_splits Tensor dtype: {}, found: {}",
                self.splits,
                splits.dtype()
            ))),
            None => Ok(()),
        }
    }
}

fn gradient(op: &RaggedTensorFromVariant, g: &GradCx) -> Grads {
    let n = g.num_outputs() - 1;
    let batched = match g.input(0).rank() {
        Some(0) => false,
        Some(1) => true,
        None => n > 0,
        Some(_) => {
            g.fail(Error::unimplemented("the gradient of RaggedTensorFromVariant of more than one axis"));
            return vec![None];
        }
    };
    let mut inputs: Vec<V<'_>> = (0..n).map(|i| g.output(i)).collect();
    inputs.push(g.dy(n));
    let back = RaggedTensorToVariant { rank: n as i64, dtype: op.dtype, splits: op.splits, batched };
    first(g, RAGGED_TENSOR_TO_VARIANT.node(g, &back, &inputs))
}
