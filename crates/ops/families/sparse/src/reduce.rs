//! `SparseReduceSum`, `SparseReduceMax` and their versions with a sparse result.

use super::groups::runs;
use super::values_only;
use crate::coo::{self, Coo};
use crate::prelude::*;
use crate::rules::{GATHER_ND, Handles, kept_shape};

/// The reduction of a nonempty group of elements.
type Fold<T> = fn(&mut dyn Iterator<Item = T>) -> T;

fn sum<T: Number>(all: &mut dyn Iterator<Item = T>) -> T {
    T::narrow(all.fold(T::Wide::zero(), |sum, v| sum.add(v.widen())))
}

fn max<T: Real>(all: &mut dyn Iterator<Item = T>) -> T {
    all.fold(T::MINUS_INFINITY, |max, v| if max < v { v } else { max })
}

attrs! {
    /// The attrs of reductions of sparse tensors.
    pub struct SparseReduction {
        /// Whether to keep the reduced axes, with size 1.
        keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

const INPUTS: &[Arg] = &[
    arg("input_indices", is(DType::I64)),
    arg("input_values", of("T")),
    arg("input_shape", is(DType::I64)),
    arg("reduction_axes", is(DType::I32)),
];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn reduction(
    name: &'static str,
    kernel: fn(&SparseReduction, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<SparseReduction> {
    op::<SparseReduction>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|op, cx| infer(cx, op.keep_dims))
        .kernel(kernel)
        .heavy()
}

const SPARSE: &[Arg] =
    &[arg("output_indices", is(DType::I64)), arg("output_values", of("T")), arg("output_shape", is(DType::I64))];

pub static SPARSE_REDUCE_MAX: Def<SparseReduction> = reduction(
    "SparseReduceMax",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T>(cx, op.keep_dims, max), else unsupported(cx, op.dtype)),
)
.doc("Returns the maximum of the stored elements along axes; 0 if there are none.")
.attrs(&[Attr::dtype("T", sets::REALS)])
.also(&[form("SparseReduceMaxSparse")
    .outputs(SPARSE)
    .doc("Returns the maximum of the stored elements along axes, as a sparse tensor.")]);

pub static SPARSE_REDUCE_SUM: Def<SparseReduction> = reduction(
    "SparseReduceSum",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T>(cx, op.keep_dims, sum), else unsupported(cx, op.dtype)),
)
.doc("Returns the sum of the elements along axes.")
.also(&[form("SparseReduceSumSparse")
    .outputs(SPARSE)
    .not_differentiable()
    .doc("Returns the sum of the elements along axes, as a sparse tensor.")])
.gradient(|_, g| {
    let (indices, shape, axes) = (g.input(0), g.input(2), g.input(3));
    let kept = kept_shape(g, shape.cast(DType::I32), axes);
    let dy = g.dy(0).reshape(kept);
    let scale = shape.floor_div(kept.cast(DType::I64));
    values_only(g, 1, GATHER_ND.call([dy, indices.floor_div(scale)]))
});

/// Returns whether each axis of a tensor of this rank is reduced.
fn axes(found: &[i64], rank: usize) -> Result<Vec<bool>> {
    let mut reduced = vec![false; rank];
    for &axis in found {
        let at = crate::moves::axis_of(axis, rank).ok_or_else(|| {
            Error::invalid(format!("Invalid reduction dimension {axis}, for input with {rank} dimensions."))
        })?;
        reduced[at] = true;
    }
    Ok(reduced)
}

fn infer(cx: &mut ShapeCx<'_>, keep_dims: bool) -> Result<()> {
    let shape = match (cx.constant_shape(2), cx.constant_i64s(3)) {
        (PartialShape::Ranked(dims), Some(found)) => {
            let reduced = axes(&found, dims.len())?;
            let kept = dims.iter().zip(&reduced).filter(|(_, r)| keep_dims || !**r);
            PartialShape::new(kept.map(|(&d, &r)| if r { Some(1) } else { d }))
        }
        (shape, None) if keep_dims => shape.rank().map_or(PartialShape::Unknown, PartialShape::of_rank),
        _ => PartialShape::Unknown,
    };
    if cx.num_outputs() == 1 {
        cx.output(0, shape);
        return Ok(());
    }
    let rank = shape.rank();
    cx.output(0, PartialShape::new([None, rank]));
    cx.output_vector(1, None);
    cx.output_vector(2, rank);
    Ok(())
}

fn reduce<T: Number>(cx: &mut Cx<'_, '_>, keep_dims: bool, fold: Fold<T>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    let found = cx.input(3)?;
    if found.shape().rank() > 1 {
        return Err(Error::invalid(format!(
            "Expected reduction_axes to be a scalar or vector; got shape: {}",
            found.shape()
        )));
    }
    let reduced = axes(&found.to_i64s()?, sparse.rank)?;
    let whole = sparse.dense_shape()?;
    let kept: Vec<usize> = (0..sparse.rank).filter(|&d| !reduced[d]).collect();
    let turn: Vec<usize> = kept.iter().copied().chain((0..sparse.rank).filter(|&d| reduced[d])).collect();
    let whole_of = &sparse;
    let key = |i: usize| turn.iter().map(move |&d| whole_of.row(i)[d]);
    let mut order: Vec<usize> = (0..sparse.len).collect();
    order.sort_by(|&a, &b| key(a).cmp(key(b)));
    let group = |i: usize| key(i).take(kept.len());
    let groups = runs(order.len(), |a, b| group(order[a]).eq(group(order[b])));
    let shape = match keep_dims {
        true => Shape::new(whole.iter().zip(&reduced).map(|(&d, &r)| if r { 1 } else { d }))?,
        false => Shape::new(kept.iter().map(|&d| whole[d]))?,
    };
    let values = sparse.values.slice::<T>()?;
    let of = |run: &std::ops::Range<usize>| fold(&mut order[run.clone()].iter().map(|&i| values[i]));
    if cx.num_outputs() == 1 {
        let mut out = cx.zeros(T::DTYPE, &shape)?;
        let to = out.slice_mut::<T>()?;
        for run in &groups {
            let index = group(order[run.start]).zip(&kept);
            let at = index.clone().try_fold(0usize, |at, (i, &d)| {
                let i = usize::try_from(i).ok().filter(|&i| i < whole[d])?;
                Some(at * whole[d] + i)
            });
            // As in TensorFlow, the code differs from that for bad indices elsewhere.
            let at = at.ok_or_else(|| {
                let place = index.fold(0i64, |at, (i, &d)| at.wrapping_mul(whole[d] as i64).wrapping_add(i));
                Error::internal(format!(
                    "Obtained a write index of {place} which is outside of bounds of [0, {})",
                    shape.num_elements()
                ))
            })?;
            to[at] = of(run);
        }
        cx.set(0, out);
        return Ok(());
    }
    let mut indices = Vec::with_capacity(groups.len() * shape.rank());
    for run in &groups {
        let index = sparse.row(order[run.start]).iter().zip(&reduced);
        indices.extend(index.filter(|(_, r)| keep_dims || !**r).map(|(&i, &r)| if r { 0 } else { i }));
    }
    let sums: Vec<T> = groups.iter().map(of).collect();
    let indices = coo::indices(shape.rank(), groups.len(), indices)?;
    cx.set(0, indices);
    cx.set(1, Tensor::vector(sums));
    cx.set(2, Tensor::vector(shape.to_signed()));
    Ok(())
}
