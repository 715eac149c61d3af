//! Shared parts of batch rules: rules for whole kinds of op, and ways to bring values into the shape that a rule
//! needs.

use crate::rules::{Handles, LESS, int};
use levada_graph::batch::{BatchCx, Batched, Lanes};
use levada_graph::grad::V;
use levada_graph::{DType, Tensor};

/// The rule of an element-wise function: inputs of different ranks are broadcast together within each example.
pub fn elementwise<A>(_: &A, b: &BatchCx<'_>) -> Batched {
    b.all(b.again(&broadcast_together(b)))
}

/// Returns the inputs with the axes that broadcasting adds, inserted after the example axis.
pub fn broadcast_together<'g>(b: &BatchCx<'g>) -> Vec<V<'g>> {
    let count = b.num_inputs();
    if count == 1 {
        return b.inputs();
    }
    let ranks: Option<Vec<usize>> = (0..count).map(|i| b.rank(i)).collect();
    if let Some(ranks) = ranks {
        let most = ranks.iter().copied().max().unwrap_or(0);
        return (0..count).map(|i| b.widened(i, most - ranks[i])).collect();
    }
    let dims: Vec<V<'_>> = (0..count).map(|i| b.example_dims(i)).collect();
    let most = dims.iter().skip(1).fold(dims[0].size(), |most, dims| most.maximum(dims.size()));
    let wide = |(i, dims): (usize, &V<'g>)| match b.varies(i) {
        true => {
            let ones = int(b.g(), 1).fill((most - dims.size()).reshape(b.g().ints(&[1])));
            b.input(i).reshape(b.concat(&[b.size1(), ones, *dims]))
        }
        false => b.input(i),
    };
    dims.iter().enumerate().map(wide).collect()
}

/// The rule of an op that works on the last axes of its inputs, separately for each example, or element-wise on inputs
/// of the same shape.
pub fn leading<A>(_: &A, b: &BatchCx<'_>) -> Batched {
    let inputs: Vec<V<'_>> = (0..b.num_inputs()).map(|i| b.each(i)).collect();
    b.all(b.again(&inputs))
}

/// Like [`leading`], with examples only in the first `count` inputs; the others must be the same for all.
pub fn leading_first(b: &BatchCx<'_>, count: usize) -> Batched {
    if b.any_varies(count..b.num_inputs()) {
        return None;
    }
    let inputs: Vec<V<'_>> = (0..b.num_inputs()).map(|i| if i < count { b.each(i) } else { b.input(i) }).collect();
    b.all(b.again(&inputs))
}

/// The rule of an op that leaves the leading axes of its first input alone; only that input varies.
pub fn first_alone<A>(_: &A, b: &BatchCx<'_>) -> Batched {
    leading_first(b, 1)
}

/// Merges the example axis and the first axis of a value.
pub fn folded<'g>(b: &BatchCx<'g>, value: V<'g>) -> V<'g> {
    let dims = b.dims(value);
    let rows = dims.slice1(0, 2).prod().reshape(b.g().ints(&[1]));
    value.reshape(b.concat(&[rows, dims.slice1(2, -1)]))
}

/// Returns the reverse of [`folded`]; `rows`, a vector of one int32, is the size of the first axis of one example.
pub fn unfolded<'g>(b: &BatchCx<'g>, value: V<'g>, rows: V<'g>) -> V<'g> {
    value.reshape(b.concat(&[b.size1(), rows, b.dims(value).slice1(1, -1)]))
}

/// The rule of an op whose inputs `folds` and all outputs have independent rows along their first axis, such as
/// images: the rows of all examples are concatenated. The other inputs must be the same for all.
pub fn fold_rows(b: &BatchCx<'_>, folds: &[usize]) -> Batched {
    let rest = (0..b.num_inputs()).filter(|i| !folds.contains(i));
    if b.any_varies(rest) {
        return None;
    }
    let (&first, g) = (folds.first()?, b.g());
    let input = |i: usize| if folds.contains(&i) { folded(b, b.each(i)) } else { b.input(i) };
    let inputs: Vec<V<'_>> = (0..b.num_inputs()).map(input).collect();
    let rows = match b.shape(first).dim(0).and_then(|n| i32::try_from(n).ok()) {
        Some(rows) => g.ints(&[rows]),
        None => b.example_dims(first).slice1(0, 1),
    };
    let value = b.again(&inputs);
    Some((0..b.num_outputs()).map(|i| Lanes::each(unfolded(b, value.out(i), rows))).collect())
}

/// The rule of [`fold_rows`] for the first input.
pub fn images<A>(_: &A, b: &BatchCx<'_>) -> Batched {
    fold_rows(b, &[0])
}

/// Returns the axis given by an attr, for a tensor of this rank, shifted past the example axis; `None` if there is no
/// such axis.
pub fn axis_behind(axis: i64, rank: Option<usize>) -> Option<i64> {
    match (axis, rank) {
        (_, Some(rank)) => {
            let rank = rank as i64;
            let axis = if axis < 0 { axis + rank } else { axis };
            (0..rank).contains(&axis).then_some(axis + 1)
        }
        (0.., None) => Some(axis + 1),
        _ => None,
    }
}

/// An axis that no tensor has.
const NO_AXIS: f64 = -1_000_000.0;

/// Returns input `axes`, the axes of a tensor with `extra` more axes than input `of`, shifted past the example axis;
/// `None` if they vary or the tensor lacks one of them.
pub fn axes_behind<'g>(b: &BatchCx<'g>, axes: usize, of: usize, extra: usize) -> Option<V<'g>> {
    if b.varies(axes) {
        return None;
    }
    let input = b.input(axes);
    if let (Some(fixed), Some(rank)) = (input.fixed(), b.rank(of)) {
        let all: Option<Vec<i64>> =
            fixed.to_i64s().ok()?.into_iter().map(|axis| axis_behind(axis, Some(rank + extra))).collect();
        let all = all?;
        let tensor = match input.dtype() {
            DType::I64 => Tensor::from_vec(fixed.shape().clone(), all),
            DType::I32 => Tensor::from_vec(fixed.shape().clone(), all.into_iter().map(|axis| axis as i32).collect()),
            _ => return None,
        };
        return tensor.ok().map(|tensor| b.g().constant(tensor));
    }
    let rank = b.example_dims(of).size().cast(input.dtype()) + extra as f64;
    let zero = input.like(0.0);
    let counted = (input + rank).select(LESS.call([input, zero]), input);
    let (behind, none) = (counted + 1.0, counted.zeros_like() + NO_AXIS);
    Some(none.select(LESS.call([counted, zero]), behind))
}

/// The rule of a reduction of the first input along the axes in the second, and of operations along an axis.
pub fn along_axes<A>(_: &A, b: &BatchCx<'_>) -> Batched {
    if b.any_varies(2..b.num_inputs()) {
        return None;
    }
    let mut inputs = b.inputs();
    inputs[1] = axes_behind(b, 1, 0, 0)?;
    b.all(b.again(&inputs))
}
