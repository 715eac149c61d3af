//! `RaggedGather`: gathers rows of a ragged tensor.

use super::range::RAGGED_RANGE;
use super::rows;
use crate::moves::positions;
use crate::prelude::*;
use crate::rules::{Handles, never};

attrs! {
    /// Gathers the rows of a ragged tensor at `indices`.
    pub struct RaggedGather {
        /// Element type.
        dtype: DType = Attr::dtype("Tvalues", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
        /// Number of ragged axes.
        rank: i64 = Attr::int("PARAMS_RAGGED_RANK").at_least(1),
        /// Number of ragged axes of the result.
        out_rank: i64 = Attr::int("OUTPUT_RAGGED_RANK").at_least(0),
    }
}

pub static RAGGED_GATHER: Def<RaggedGather> = op("RaggedGather")
    .inputs(&[
        arg("params_nested_splits", of("Tsplits")).times("PARAMS_RAGGED_RANK"),
        arg("params_dense_values", of("Tvalues")),
        arg("indices", of("Tindices")),
    ])
    .outputs(&[
        arg("output_nested_splits", of("Tsplits")).times("OUTPUT_RAGGED_RANK"),
        arg("output_dense_values", of("Tvalues")),
    ])
    .shape(shape)
    .gradient(|_, g| gradient(g))
    .kernel(ragged_gather)
    .heavy();

fn shape(op: &RaggedGather, cx: &mut ShapeCx<'_>) -> Result<()> {
    let n = cx.num_inputs().saturating_sub(2);
    for i in 0..n {
        cx.with_rank(i, 1)?;
    }
    let values = cx.rank_at_least(n, 1)?;
    if let Some(dims) = cx.input(n + 1).dims() {
        op.check_rank(n, dims.len())?;
    }
    for i in 0..cx.num_outputs().saturating_sub(1) {
        cx.output_vector(i, None);
    }
    if let Some(dims) = values.dims() {
        let out = std::iter::once(None).chain(dims[1..].iter().copied());
        cx.output(cx.num_outputs() - 1, PartialShape::new(out));
    }
    Ok(())
}

fn ragged_gather(op: &RaggedGather, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = cx.num_inputs() - 2;
    let (values, indices) = (cx.input(n)?, cx.input(n + 1)?);
    if values.shape().is_scalar() {
        return Err(Error::invalid("params.rank must be nonzero"));
    }
    let nested: Vec<Vec<i64>> = (0..n).map(|i| rows::read(cx, i)).collect::<Result<_>>()?;
    for (i, splits) in nested.iter().enumerate() {
        let below = nested.get(i + 1).map_or(values.shape()[0], |next| next.len() - 1);
        if splits[0] < 0 {
            return Err(Error::invalid("Ragged splits must be non-negative"));
        }
        if splits.is_sorted() {
            if splits[splits.len() - 1] > below as i64 {
                return Err(Error::invalid("Ragged splits must not point past values"));
            }
        } else {
            return Err(Error::invalid("Ragged splits must be sorted"));
        }
    }
    let dims = indices.shape().dims().to_vec();
    op.check_rank(n, dims.len())?;
    let picked = positions(indices, nested[0].len() - 1)?;
    // The axes of `indices` come first; all but the last have rows of uniform size.
    let mut made: Vec<Vec<i64>> = Vec::new();
    let mut count = 1usize;
    for pair in dims.windows(2) {
        count *= pair[0];
        made.push((0..=count).map(|row| (row * pair[1]) as i64).collect());
    }
    let first = if dims.is_empty() { 1 } else { 0 };
    let mut levels: Vec<Vec<i64>> = vec![vec![0]; n];
    let mut parts = Vec::with_capacity(picked.len());
    for &row in &picked {
        let mut range = row..row + 1;
        for (level, splits) in levels.iter_mut().zip(&nested) {
            let end = level[level.len() - 1];
            let start = splits[range.start];
            level.extend(splits[range.start + 1..=range.end].iter().map(|s| end + s - start));
            range = start as usize..splits[range.end] as usize;
        }
        parts.push(range);
    }
    let values = rows::take(cx, values, &parts)?;
    made.extend(levels.into_iter().skip(first));
    for (i, splits) in made.into_iter().enumerate() {
        cx.set(i, rows::splits(op.splits, splits)?);
    }
    let last = cx.num_outputs() - 1;
    cx.set(last, values);
    Ok(())
}

impl RaggedGather {
    /// Checks that the result has as many ragged axes as declared.
    fn check_rank(&self, params: usize, indices: usize) -> Result<()> {
        if self.out_rank + 1 == (params + indices) as i64 {
            return Ok(());
        }
        Err(Error::invalid("OUTPUT_RAGGED_RANK must be equal to PARAMS_RAGGED_RANK + indices.rank - 1")
            .found(format!("{} for {params} ragged axes and indices of rank {indices}", self.out_rank)))
    }
}

fn gradient(g: &GradCx) -> Grads {
    let inputs = g.inputs();
    let n = inputs.len() - 2;
    let mut ends = inputs[0];
    for &splits in &inputs[1..n] {
        ends = splits.gather(ends);
    }
    let picked = inputs[n + 1].reshape(g.ints(&[-1]));
    let (starts, limits) = (ends.gather(picked), ends.slice1(1, -1).gather(picked));
    let numbers = RAGGED_RANGE.call([starts, limits, starts.like(1.0)]).out(1);
    let shape = inputs[n].dims();
    let mut grads = never(g);
    grads[n] = Some(Grad::Slices { values: g.dy(g.num_outputs() - 1).at, indices: numbers.at, shape: shape.at });
    grads
}
