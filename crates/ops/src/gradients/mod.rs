//! Gradient rules, by op. Facts about which formula belongs to which op are from the documentation and the behaviour of
//! TensorFlow's `tf.gradients`; a rule gives the same gradient that gives.
//!
//! An op that is in no list here has no gradient, and asking for one is an error. An op whose outputs do not change with
//! small changes of its inputs has a rule that says so: [`never`].

mod calls;
mod constant;
mod nn;
mod sparse;
mod state;

use levada_graph::grad::{Grads, Rule};
use levada_ops_core::rules::{NONE, concat, expand, kept_shape, never, pass, range};

/// The rule of an op.
pub(crate) fn rule(op: &str) -> Option<Rule> {
    let families = [calls::rule, nn::rule, sparse::rule, state::rule, constant::rule];
    families.iter().find_map(|family| family(op))
}
