//! `Unique` and its siblings: distinct values.

use super::keys::{Key, keyed};
use crate::moves::{Cell, axis_of};
use crate::prelude::*;
use crate::rules::never;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::Hash;

attrs! {
    /// Returns the distinct values of `x` in order of first occurrence, and for each element the index of its value.
    pub struct Unique {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `axis`.
        axis: DType = Attr::dtype("Taxis", sets::INDEX).or_type(DType::I64),
        /// Element type of the indices and counts.
        index: DType = Attr::dtype("out_idx", sets::INDEX).or_type(DType::I32),
    }
}

const X_AXIS: &[Arg] = &[arg("x", of("T")), arg("axis", of("Taxis"))];
const Y_IDX_COUNT: &[Arg] = &[arg("y", of("T")), arg("idx", of("out_idx")), arg("count", of("out_idx"))];

pub static UNIQUE: Def<Unique> = op("Unique")
    .inputs(&[arg("x", of("T"))])
    .outputs(&[arg("y", of("T")), arg("idx", of("out_idx"))])
    .without(&["Taxis"])
    .also(&[
        form("UniqueV2").doc("Returns the distinct slices along `axis`, and for each slice its index.").inputs(X_AXIS),
        form("UniqueWithCounts")
            .doc("Like `Unique`, with the number of occurrences of each value.")
            .outputs(Y_IDX_COUNT)
            .without(&["Taxis"]),
        form("UniqueWithCountsV2")
            .doc("Like `UniqueV2`, with the number of occurrences of each slice.")
            .inputs(X_AXIS)
            .outputs(Y_IDX_COUNT)
            .not_differentiable(),
    ])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(unique)
    .heavy();

/// Returns for each item the index of its group, and for each group its first item. An item without a key forms a group
/// of its own.
fn groups<K: Hash + Eq>(keys: impl Iterator<Item = Option<K>>) -> (Vec<usize>, Vec<usize>) {
    let (mut found, mut firsts) = (HashMap::with_hasher(RandomState::default()), Vec::new());
    let mut of = Vec::with_capacity(keys.size_hint().0);
    for (i, key) in keys.enumerate() {
        let next = firsts.len();
        let group = key.map_or(next, |key| *found.entry(key).or_insert(next));
        if group == next {
            firsts.push(i);
        }
        of.push(group);
    }
    (of, firsts)
}

/// Groups the slices of `x` along an axis of size `size`, with `inner` contiguous elements each.
fn slices<T: Key>(x: &[T], size: usize, inner: usize) -> (Vec<usize>, Vec<usize>) {
    if size * inner == x.len() && inner == 1 {
        return groups(x.iter().map(T::key));
    }
    let outer = x.len().checked_div(size * inner).unwrap_or(0);
    groups((0..size).map(|i| {
        let rows = (0..outer).flat_map(|o| &x[(o * size + i) * inner..(o * size + i + 1) * inner]);
        rows.map(T::key).collect::<Option<Vec<_>>>()
    }))
}

/// Returns the axis given by the second input; if it is empty, axis 0, which requires a vector.
fn find_axis(axis: &Tensor, shape: &Shape) -> Result<usize> {
    if axis.shape().rank() != 1 {
        return Err(Error::invalid("axis expects a 1D vector."));
    }
    match axis.to_i64s()?[..] {
        [] if shape.rank() == 1 => Ok(0),
        [] => Err(Error::invalid("unique expects a 1D vector.")),
        [axis] => axis_of(axis, shape.rank())
            .ok_or_else(|| Error::invalid(format!("axis has to be between [0, {})", shape.rank()))),
        _ => Err(Error::invalid("axis does not support input tensors larger than 1 elements")),
    }
}

fn vector(dtype: DType, numbers: &[usize]) -> Tensor {
    match dtype {
        DType::I32 => Tensor::vector(numbers.iter().map(|&n| n as i32).collect()),
        _ => Tensor::vector(numbers.iter().map(|&n| n as i64).collect()),
    }
}

fn unique(op: &Unique, cx: &mut Cx<'_, '_>) -> Result<()> {
    let x = cx.input(0)?;
    let shape = x.shape();
    if x.num_elements() > i32::MAX as usize {
        return Err(Error::invalid("unique does not support input tensors larger than 2147483647 elements"));
    }
    let axis = match cx.num_inputs() {
        2 => find_axis(cx.input(1)?, shape)?,
        _ if shape.rank() == 1 => 0,
        _ => return Err(Error::invalid("unique expects a 1D vector.")),
    };
    let size = shape[axis];
    let inner: usize = shape[axis + 1..].iter().product();
    let (of, firsts) = keyed!(op.dtype, |T| slices::<T>(x.slice()?, size, inner),
        else return unsupported(cx, op.dtype));
    let kept = Shape::new(shape.iter().enumerate().map(|(i, &d)| if i == axis { firsts.len() } else { d }))?;
    let mut y = cx.alloc(op.dtype, &kept)?;
    if y.num_elements() > 0 {
        cells!(op.dtype, |T| {
            let src = T::cells(x)?;
            for (row, to) in T::cells_mut(&mut y)?.chunks_exact_mut(inner).enumerate() {
                let at = (row / firsts.len() * size + firsts[row % firsts.len()]) * inner;
                to.clone_from_slice(&src[at..at + inner]);
            }
        });
    }
    cx.set(0, y);
    cx.set(1, vector(op.index, &of));
    if cx.num_outputs() > 2 {
        let mut counts = vec![0; firsts.len()];
        of.iter().for_each(|&g| counts[g] += 1);
        cx.set(2, vector(op.index, &counts));
    }
    Ok(())
}

fn shape(_: &Unique, cx: &mut ShapeCx<'_>) -> Result<()> {
    let x = cx.input(0);
    let axis = if cx.num_inputs() == 2 { cx.constant_i64s(1) } else { Some(Vec::new()) };
    let counts = PartialShape::vector(None);
    let (y, idx) = match (x.dims(), axis.as_deref()) {
        (Some([size]), _) => (PartialShape::vector(None), PartialShape::vector(*size)),
        (Some(dims), Some([axis])) => {
            let at = axis_of(*axis, dims.len()).ok_or_else(|| Error::invalid(format!("there is no axis {axis}")))?;
            let kept = dims.iter().enumerate().map(|(i, &d)| if i == at { None } else { d });
            (PartialShape::new(kept), PartialShape::vector(dims[at]))
        }
        (Some(_), Some([])) => return Err(Error::invalid("unique expects a 1D vector.")),
        (Some(dims), _) => (PartialShape::of_rank(dims.len()), PartialShape::vector(None)),
        (None, _) => (PartialShape::Unknown, PartialShape::vector(None)),
    };
    cx.output(0, y);
    cx.output(1, idx);
    cx.output(2, counts);
    Ok(())
}
