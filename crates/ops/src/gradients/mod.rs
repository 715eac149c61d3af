//! Gradient rules, by op. Facts about which formula belongs to which op are from the documentation and the behaviour of
//! TensorFlow's `tf.gradients`; a rule gives the same gradient that gives.
//!
//! An op that is in no list here has no gradient, and asking for one is an error. An op whose outputs do not change with
//! small changes of its inputs has a rule that says so: [`never`].

mod array;
mod decompositions;
mod fourier;
mod linalg;
mod math;
mod nn;
mod reduce;
mod sparse;
mod state;
mod variants;

use levada_graph::grad::{Grad, GradCx, Rule, V, attr};

/// What a rule gives.
type Grads = Vec<Option<Grad>>;

/// No gradient.
const NONE: Option<Grad> = None;

/// The rule of an op.
pub(crate) fn rule(op: &str) -> Option<Rule> {
    let families = [
        math::rule,
        array::rule,
        reduce::rule,
        linalg::rule,
        decompositions::rule,
        fourier::rule,
        nn::rule,
        sparse::rule,
        state::rule,
        variants::rule,
    ];
    families.iter().find_map(|family| family(op))
}

/// Nothing flows through.
fn never(g: &GradCx) -> Grads {
    vec![NONE; g.num_inputs()]
}

/// The gradient is passed on.
fn pass(g: &GradCx) -> Grads {
    let mut grads = never(g);
    if let Some(first) = grads.first_mut() {
        *first = g.dy(0).into();
    }
    grads
}

/// `shape` with the sizes of `axes` replaced by 1; both are vectors of int32.
fn kept_shape<'g>(g: &'g GradCx, shape: V<'g>, axes: V<'g>) -> V<'g> {
    let rank = g.op("Size", &[shape]);
    let axes = g.op("FloorMod", &[g.op("AddV2", &[axes, rank]), rank]).reshape(g.ints(&[-1]));
    let all = range(g, rank);
    g.op("DynamicStitch", &[all, axes, shape, axes.ones_like()])
}

/// The integers below `n`.
fn range<'g>(g: &'g GradCx, n: V<'g>) -> V<'g> {
    let (zero, one) = (n.like(0.0), n.like(1.0));
    g.op("Range", &[zero, n, one])
}

fn concat<'g>(g: &'g GradCx, values: &[V<'g>], axis: i32) -> V<'g> {
    let mut inputs = values.to_vec();
    inputs.push(g.constant(levada_graph::Tensor::scalar(axis)));
    if values.len() == 1 { values[0] } else { g.op("ConcatV2", &inputs) }
}

/// `x` with one more axis of size 1 at `axis`.
fn expand<'g>(g: &'g GradCx, x: V<'g>, axis: i32) -> V<'g> {
    let axis = g.constant(levada_graph::Tensor::scalar(axis));
    g.op("ExpandDims", &[x, axis])
}
