//! Gradient clipping.

use super::optimizer::Gradient;
use levada_builder::{Builder, Output};
use levada_graph::{DType, Tensor};

impl Gradient {
    /// The tensor whose norm is the gradient's: for slices, the rows without adding up duplicates.
    fn values(self) -> Output {
        match self {
            Gradient::Dense(values) | Gradient::Slices { values, .. } => values,
        }
    }

    fn with_values(self, values: Output) -> Gradient {
        match self {
            Gradient::Dense(_) => Gradient::Dense(values),
            Gradient::Slices { indices, shape, .. } => Gradient::Slices { values, indices, shape },
        }
    }
}

/// The global norm of the gradients: the root of the sum of all squares.
pub fn global_norm(b: &mut Builder, gradients: &[Gradient]) -> Output {
    b.new_scope("global_norm", |b, _| {
        let halves: Vec<Output> = gradients.iter().map(|g| b.op("L2Loss", &[g.values()])).collect();
        let total = b.node("AddN").inputs(halves).add();
        let two = b.op("OnesLike", &[total]);
        let two = b.add(two, two);
        let squares = b.mul(total, two);
        b.op("Sqrt", &[squares])
    })
}

/// The gradients, scaled down together if their global norm exceeds `clip_norm` (a scalar), and that norm. All become
/// NaN if it is not finite.
pub fn clip_by_global_norm(b: &mut Builder, gradients: &[Gradient], clip_norm: Output) -> (Vec<Gradient>, Output) {
    if gradients.is_empty() {
        let zero = b.constant(Tensor::scalar(0f32));
        return (Vec::new(), zero);
    }
    b.new_scope("clip_by_global_norm", |b, _| {
        let norm = global_norm(b, gradients);
        let dtype = b.dtype(norm).unwrap_or(DType::F32);
        let limit = b.node("Cast").input(clip_norm).attr("DstT", dtype).add();
        let one = b.op("OnesLike", &[norm]);
        let inverse = b.op("RealDiv", &[one, norm]);
        let share = b.op("RealDiv", &[one, limit]);
        let least = b.op("Minimum", &[inverse, share]);
        let scale = b.mul(limit, least);
        // Infinity minus infinity is NaN, which makes the scale NaN too.
        let zero = b.sub(norm, norm);
        let scale = b.add(scale, zero);
        let clipped = gradients.iter().map(|gradient| {
            let own = b.dtype(gradient.values()).unwrap_or(dtype);
            let scale = if own == dtype { scale } else { b.node("Cast").input(scale).attr("DstT", own).add() };
            gradient.with_values(b.mul(gradient.values(), scale))
        });
        (clipped.collect(), norm)
    })
}

/// A tensor, scaled down if its own norm exceeds `clip_norm`.
pub fn clip_by_norm(b: &mut Builder, values: Output, clip_norm: Output) -> Output {
    b.new_scope("clip_by_norm", |b, _| {
        let half = b.op("L2Loss", &[values]);
        let squares = b.add(half, half);
        let norm = b.op("Sqrt", &[squares]);
        let larger = b.op("Maximum", &[norm, clip_norm]);
        let scaled = b.mul(values, clip_norm);
        b.op("RealDiv", &[scaled, larger])
    })
}
