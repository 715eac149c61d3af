//! `SparseReduceSum`, `SparseReduceMax` and their versions with a sparse result.

use crate::coo::{self, Coo, unsupported};
use super::groups::runs;
use crate::prelude::*;

/// What to make of the elements that become one; there is at least one.
type Fold<T> = fn(&mut dyn Iterator<Item = T>) -> T;

fn sum<T: Number>(all: &mut dyn Iterator<Item = T>) -> T {
    T::narrow(all.fold(T::Wide::zero(), |sum, v| sum.add(v.widen())))
}

fn max<T: Real>(all: &mut dyn Iterator<Item = T>) -> T {
    all.fold(T::MINUS_INFINITY, |max, v| if max < v { v } else { max })
}

macro_rules! reductions {
    ($($(#[doc = $doc:literal])* $name:ident ($sparse:literal, $types:ident, $set:expr, $fold:ident, $outputs:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// True to keep the axes that are reduced, with size 1.
                keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
                /// Element type.
                dtype: DType = Attr::dtype("T", $set),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    arg("input_indices", is(DType::I64)),
                    arg("input_values", of("T")),
                    arg("input_shape", is(DType::I64)),
                    arg("reduction_axes", is(DType::I32)),
                ],
                outputs: $outputs,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, self.keep_dims, $sparse)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                dispatch!(self.dtype, $types, |T| reduce::<T>(cx, self.keep_dims, $sparse, $fold::<T>), else {
                    Err(unsupported(stringify!($name), self.dtype))
                })
            }
        }
    )*};
}

const DENSE: &[Arg] = &[arg("output", of("T"))];
const SPARSE: &[Arg] =
    &[arg("output_indices", is(DType::I64)), arg("output_values", of("T")), arg("output_shape", is(DType::I64))];

reductions! {
    /// The largest elements along axes, of those that are there; 0 where none is.
    SparseReduceMax(false, reals, sets::REALS, max, DENSE);
    /// The largest elements along axes, of those that are there, as a sparse tensor.
    SparseReduceMaxSparse(true, reals, sets::REALS, max, SPARSE);
    /// The sums of the elements along axes.
    SparseReduceSum(false, numbers, sets::NUMBERTYPE, sum, DENSE);
    /// The sums of the elements along axes, as a sparse tensor.
    SparseReduceSumSparse(true, numbers, sets::NUMBERTYPE, sum, SPARSE);
}

/// Which axes are reduced, of a tensor of this rank.
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

fn infer(cx: &mut ShapeCx<'_>, keep_dims: bool, sparse: bool) -> Result<()> {
    let shape = match (cx.constant_shape(2), cx.constant_i64s(3)) {
        (PartialShape::Ranked(dims), Some(found)) => {
            let reduced = axes(&found, dims.len())?;
            let kept = dims.iter().zip(&reduced).filter(|(_, r)| keep_dims || !**r);
            PartialShape::new(kept.map(|(&d, &r)| if r { Some(1) } else { d }))
        }
        (shape, None) if keep_dims => shape.rank().map_or(PartialShape::Unknown, PartialShape::of_rank),
        _ => PartialShape::Unknown,
    };
    if !sparse {
        cx.output(0, shape);
        return Ok(());
    }
    let rank = shape.rank();
    cx.output(0, PartialShape::new([None, rank]));
    cx.output_vector(1, None);
    cx.output_vector(2, rank);
    Ok(())
}

fn reduce<T: Number>(cx: &mut Cx<'_, '_>, keep_dims: bool, is_sparse: bool, fold: Fold<T>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    let found = cx.input(3)?;
    if found.shape().rank() > 1 {
        return Err(Error::invalid(format!("Expected reduction_axes to be a scalar or vector; got shape: {}", found.shape())));
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
    if !is_sparse {
        let mut out = cx.zeros(T::DTYPE, &shape)?;
        let to = out.slice_mut::<T>()?;
        for run in &groups {
            let index = group(order[run.start]).zip(&kept);
            let at = index.clone().try_fold(0usize, |at, (i, &d)| {
                let i = usize::try_from(i).ok().filter(|&i| i < whole[d])?;
                Some(at * whole[d] + i)
            });
            // As in TensorFlow the code is another than that for bad indices elsewhere.
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
