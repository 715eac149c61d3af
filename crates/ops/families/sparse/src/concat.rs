//! `SparseConcat`: concatenates sparse tensors.

use crate::coo::{self, Coo};
use crate::prelude::*;
use crate::rows;
use crate::rules::never;

attrs! {
    /// Concatenates sparse tensors along axis `concat_dim`. The elements of the result are in row-major order.
    pub struct SparseConcat {
        /// The axis; a negative one counts from the end.
        axis: i64 = Attr::int("concat_dim"),
        /// Number of tensors.
        n: i64 = Attr::int("N").at_least(2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_CONCAT: Def<SparseConcat> = op("SparseConcat")
    .inputs(&[
        arg("indices", is(DType::I64)).times("N"),
        arg("values", of("T")).times("N"),
        arg("shapes", is(DType::I64)).times("N"),
    ])
    .outputs(&[
        arg("output_indices", is(DType::I64)),
        arg("output_values", of("T")),
        arg("output_shape", is(DType::I64)),
    ])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(sparse_concat)
    .heavy();

fn shape(op: &SparseConcat, cx: &mut ShapeCx<'_>) -> Result<()> {
    let n = usize::try_from(op.n).unwrap_or(0);
    let (mut total, mut rank) = (Some(0usize), PartialShape::vector(None));
    for i in 0..n {
        let (len, r) = coo::infer(cx, [i, n + i, 2 * n + i])?;
        total = total.zip(len).and_then(|(t, l)| t.checked_add(l));
        rank = rank.merge(&PartialShape::vector(r))?;
    }
    cx.output(0, PartialShape::new([total, rank.dim(0)]));
    cx.output_vector(1, total);
    cx.output(2, rank);
    Ok(())
}

fn sparse_concat(op: &SparseConcat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = cx.num_inputs() / 3;
    let parts: Vec<Coo> = (0..n).map(|i| Coo::inputs(cx, [i, n + i, 2 * n + i])).collect::<Result<_>>()?;
    let Some(first) = parts.first() else { return Err(Error::invalid("there is nothing to concatenate")) };
    let (rank, mut shape) = (first.rank, first.shape.to_vec());
    check(first)?;
    let axis = if op.axis < 0 { op.axis.saturating_add(rank as i64) } else { op.axis };
    let axis = usize::try_from(axis).ok().filter(|&a| a < rank).ok_or_else(|| {
        let found = op.axis;
        Error::invalid(format!("Concat dimension must be in range [-{rank}, {rank}), got {found}"))
    })?;
    let mut indices = first.indices.to_vec();
    for (at, part) in parts.iter().enumerate().skip(1) {
        if part.rank != rank {
            return Err(Error::invalid(format!(
                "Ranks of all input tensors must match: expected {rank} but got {} at position {at}",
                part.rank
            )));
        }
        check(part)?;
        for d in (0..rank).filter(|&d| d != axis) {
            if part.shape[d] != shape[d] {
                return Err(Error::invalid(format!(
                    "Input shapes must match: expected {} for dimension {d} but got {} at position {at}",
                    shape[d], part.shape[d]
                )));
            }
        }
        let moved = part.indices.iter().enumerate().map(
            |(i, &x)| {
                if i % rank == axis { x.wrapping_add(shape[axis]) } else { x }
            },
        );
        indices.extend(moved);
        shape[axis] = shape[axis].checked_add(part.shape[axis]).ok_or_else(overflow)?;
    }
    Shape::from_signed(&shape).map_err(|_| overflow())?;
    let total: usize = parts.iter().map(|p| p.len).sum();
    let values = rows::join(&cx.device.arena, op.dtype, Shape::vector(total), parts.iter().map(|p| p.values))?;
    let index = |i: usize| &indices[i * rank..(i + 1) * rank];
    let mut order: Vec<usize> = (0..total).collect();
    order.sort_by(|&a, &b| index(a).cmp(index(b)));
    let values = coo::pick(cx, &values, &order)?;
    let sorted = order.iter().flat_map(|&i| index(i)).copied().collect();
    cx.set(0, coo::indices(rank, total, sorted)?);
    cx.set(1, values);
    cx.set(2, Tensor::vector(shape));
    Ok(())
}

// As in TensorFlow, the code differs from that for sizes that overflow elsewhere.
#[cold]
fn overflow() -> Error {
    Error::internal("Encountered overflow from large input shape.")
}

fn check(part: &Coo<'_>) -> Result<()> {
    match part.shape.iter().any(|&d| d < 0) {
        true => part.dense_shape().map(|_| ()),
        false => Shape::from_signed(part.shape).map(|_| ()).map_err(|_| overflow()),
    }
}
