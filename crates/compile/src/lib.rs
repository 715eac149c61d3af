//! Turns a graph, a signature and devices into a [`Plan`].
//!
//! In: a checked [`Graph`], a [`Signature`] and a device for every node ([`Placement`]). Out: a plan, as plain data.
//! This crate runs no step and knows no op by name: the passes look at roles, types and edges.
//!
//! [`prune`](fn@prune) keeps what the fetches and targets need; `draft` is the resulting graph, on which the passes
//! work; `pass` defines what a pass is, and `passes` lists them, one file each; `lower` writes the plan from the final
//! draft. [`infer`] finds shapes, and [`known`] derives further shapes and the values of small tensors from the shapes
//! of the feeds: these two are not stages of the compiler, but use the same node order.
//!
//! To add a pass, write a file in `passes` with a `PASS` and add a line to `passes/mod.rs`. A pass may change the
//! `Draft` in any way: mark nodes as known, redirect edges, append nodes, or replace several nodes by one. It declares
//! what it needs and what it keeps, and its tests compare drafts as text, before and after.

mod by_node;
mod draft;
mod evaluate;
pub mod infer;
pub mod known;
mod lower;
mod pass;
mod passes;
mod prune;
#[cfg(test)]
mod tests;
mod text;

pub use prune::{Pruned, prune};

use draft::Draft;
use levada_executor::Plan;
use levada_graph::{Endpoint, Graph, NodeId, Result};
use levada_kernel::{AnyDevice, Env};
use pass::PassCx;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The feeds, fetches and targets of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Endpoints that are fed, in order.
    pub feeds: Vec<Endpoint>,
    /// Endpoints that are fetched, in order.
    pub fetches: Vec<Endpoint>,
    /// Nodes to run.
    pub targets: Vec<NodeId>,
    /// True for a partial run, which is fed and fetched one by one while it is in progress.
    pub partial: bool,
    /// True for the body of a function. Elsewhere a node that the run names runs as a whole, however few of its outputs
    /// are used.
    pub of_function: bool,
}

/// How to compile.
#[derive(Clone, Copy, Debug)]
pub struct CompileOptions {
    /// Computes nodes whose inputs are all constant, before the first run.
    pub fold_constants: bool,
    /// Merges stateless nodes that compute the same value.
    pub merge_duplicates: bool,
    /// Removes nodes in loops and conditionals that only forward their input.
    pub simplify_loops: bool,
    /// Removes nodes that only order others, if the order can be kept without them.
    pub bypass_no_ops: bool,
    /// Computes chains and trees of elementwise nodes as one node each.
    pub fuse: bool,
    /// Forms regions on devices that can run several nodes as one.
    pub regions: bool,
    /// For a run that checks for NaNs and infinities: keeps the nodes that produce one, instead of folding them.
    pub watched: bool,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions {
            fold_constants: true,
            merge_duplicates: true,
            simplify_loops: true,
            bypass_no_ops: true,
            fuse: true,
            regions: true,
            watched: false,
        }
    }
}

/// Compiles the plan for a signature. `env` is used to fold constants.
///
/// # Errors
/// `INVALID_ARGUMENT` if the graph has a cycle or loops are malformed; `UNIMPLEMENTED` for nodes without a kernel,
/// all of them in one error.
pub fn compile(
    graph: &Graph,
    signature: &Signature,
    placement: &Placement<'_>,
    env: &Arc<Env>,
    options: &CompileOptions,
) -> Result<Plan> {
    let pruned = prune(graph, signature)?;
    let mut draft = Draft::new(graph, signature, &pruned, placement)?;
    let cx = PassCx { graph, placement: *placement, env, options, partial: signature.partial };
    let mut facts = Vec::new();
    pass::run(&mut draft, &cx, &mut facts, |pass| pass.for_traces)?;
    let lower = |draft: &Draft<'_>| {
        let mut tables = lower::lower(draft, placement, signature.partial);
        tables.id = id(signature);
        tables
    };
    let mut tables = lower(&draft);
    let is_changed = if passes::joins::may_free(&draft, &cx) {
        // Passes for traces can use the freed nodes too: they run again, on the whole draft.
        draft = Draft::new(graph, signature, &pruned, placement)?;
        facts.clear();
        pass::run(&mut draft, &cx, &mut facts, |_| true)?
    } else {
        pass::run(&mut draft, &cx, &mut facts, |pass| !pass.for_traces)?
    };
    if is_changed {
        tables.condensed = Some(Arc::new(Plan::new(lower(&draft))?));
    }
    Plan::new(tables)
}

/// The number of a plan: the same every time the same run is compiled, since the hasher's keys are fixed.
fn id(signature: &Signature) -> u64 {
    let mut hasher = DefaultHasher::new();
    signature.hash(&mut hasher);
    hasher.finish() | 1
}

/// The devices, and the device of each node.
#[derive(Clone, Copy)]
pub struct Placement<'a> {
    /// The devices.
    pub devices: &'a [Arc<dyn AnyDevice>],
    /// Device number by node number; empty if every node is on the first device.
    pub device: &'a [u32],
}

impl<'a> Placement<'a> {
    /// Number of the node's device.
    pub fn number(&self, node: NodeId) -> u32 {
        let number = self.device.get(node.index()).copied().unwrap_or(0);
        number.min((self.devices.len() as u32).saturating_sub(1))
    }

    /// The node's device.
    pub fn of(&self, node: NodeId) -> &'a Arc<dyn AnyDevice> {
        &self.devices[self.number(node) as usize]
    }
}
