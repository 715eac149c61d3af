//! Batching: concatenates the tensors of several runs, and splits them again.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rows, variable};

mod batcher;
mod pending;
mod timer;

family! {
    batch = BATCH;
    batch_function = BATCH_FUNCTION;
    unbatch = UNBATCH, UNBATCH_GRAD;
}

/// The name in the container of the resource that a node's runs share.
fn resource_of(cx: &crate::prelude::Cx<'_, '_>, shared_name: &str) -> String {
    let node = &cx.node().name;
    if shared_name.is_empty() { node.to_string() } else { format!("{shared_name}/{node}") }
}
