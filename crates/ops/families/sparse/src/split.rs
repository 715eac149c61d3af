//! `SparseSplit`: splits a sparse tensor along an axis.

use crate::coo::{self, Coo};
use crate::prelude::*;

attrs! {
    /// Splits a sparse tensor into `num_split` parts along axis `split_dim`; if the split is uneven, the first parts
    /// are one larger.
    pub struct SparseSplit {
        /// Number of parts.
        num_split: i64 = Attr::int("num_split").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_SPLIT: Def<SparseSplit> = op("SparseSplit")
    .inputs(&[
        arg("split_dim", is(DType::I64)),
        arg("indices", is(DType::I64)),
        arg("values", of("T")),
        arg("shape", is(DType::I64)),
    ])
    .outputs(&[
        arg("output_indices", is(DType::I64)).times("num_split"),
        arg("output_values", of("T")).times("num_split"),
        arg("output_shape", is(DType::I64)).times("num_split"),
    ])
    .shape(shape)
    .kernel(sparse_split);

fn shape(_: &SparseSplit, cx: &mut ShapeCx<'_>) -> Result<()> {
    let rank = cx.with_rank(3, 1)?.dim(0);
    let n = cx.num_outputs() / 3;
    for i in 0..n {
        cx.output(i, PartialShape::new([None, rank]));
        cx.output_vector(n + i, None);
        cx.output_vector(2 * n + i, rank);
    }
    Ok(())
}

fn sparse_split(op: &SparseSplit, cx: &mut Cx<'_, '_>) -> Result<()> {
    let axis = cx.input(0)?;
    if !axis.shape().is_scalar() {
        return Err(Error::invalid(format!("Input axis should be a scalar but received shape {}", axis.shape())));
    }
    let axis = axis.item::<i64>()?;
    let sparse = Coo::input(cx, 1)?;
    let rank = sparse.rank;
    let at = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
    let at = usize::try_from(at)
        .ok()
        .filter(|&a| a < rank)
        .ok_or_else(|| Error::invalid(format!("Input axis should be in range [-{rank}, {rank}), got {axis}")))?;
    sparse.dense_shape()?;
    sparse.check_bounds()?;
    let size = sparse.shape[at];
    if op.num_split < 1 || op.num_split > size {
        return Err(Error::invalid(format!(
            "Input num_split should be between 1 and the splitting dimension size ({size}), got {}",
            op.num_split
        )));
    }
    let n = cx.num_outputs() / 3;
    let (each, larger) = (size / n as i64, size % n as i64);
    let edge = larger * (each + 1);
    let part_of = |i: i64| if i < edge { i / (each + 1) } else { larger + (i - edge) / each };
    let start_of = |part: i64| part * each + part.min(larger);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n];
    for i in 0..sparse.len {
        members[part_of(sparse.row(i)[at]) as usize].push(i);
    }
    let mut made = Vec::with_capacity(n);
    for (part, members) in members.iter().enumerate() {
        let start = start_of(part as i64);
        let mut indices = Vec::with_capacity(members.len() * rank);
        for &i in members {
            indices.extend_from_slice(sparse.row(i));
            let last = indices.len() - rank + at;
            indices[last] -= start;
        }
        let mut shape = sparse.shape.to_vec();
        shape[at] = each + i64::from((part as i64) < larger);
        let indices = coo::indices(rank, members.len(), indices)?;
        made.push((indices, coo::pick(cx, sparse.values, members)?, Tensor::vector(shape)));
    }
    for (part, (indices, values, shape)) in made.into_iter().enumerate() {
        cx.set(part, indices);
        cx.set(n + part, values);
        cx.set(2 * n + part, shape);
    }
    Ok(())
}
