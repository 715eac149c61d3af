//! Turns a graph, a signature and devices into a [`Plan`]: prune, infer, rewrite, lower.
//!
//! In: a checked [`Graph`], a [`Signature`] and a device for every node ([`Places`]). Out: a plan, as plain data. Nothing here runs a step, and no op is known
//! by its name: the passes look at roles, types and edges.
//!
//! The passes in order: [`prune`](fn@prune) keeps what the fetches and targets need; [`infer`] finds shapes; `rewrite` folds
//! constants and merges nodes that compute the same; `flow` finds the frames of loops; `loops` takes work out of these;
//! `fuse` finds nodes to compute as one; `lower` writes the plan, `bits` the nodes for the feeds and fetches of partial runs and `transfer` the sends and receives at the borders of devices;
//! `regions` puts nodes of a device together that can run as one.

mod bits;
mod deaths;
mod flow;
mod fuse;
pub mod infer;
mod loops;
mod lower;
mod prune;
mod refs;
mod regions;
mod rewrite;
mod transfer;

pub use prune::{Pruned, prune};

use levada_executor::Plan;
use levada_graph::{Endpoint, Graph, NodeId, Result};
use levada_kernel::{AnyDevice, Env};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What a run gives and asks for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Endpoints that are given values, in order.
    pub feeds: Vec<Endpoint>,
    /// Endpoints whose values are asked for, in order.
    pub fetches: Vec<Endpoint>,
    /// Nodes that are to run.
    pub targets: Vec<NodeId>,
    /// True for a partial run: the feeds come, and the fetches are asked for, one by one while it is under way.
    pub partial: bool,
}

/// How to compile.
#[derive(Clone, Copy, Debug)]
pub struct CompileOptions {
    /// Computes nodes whose inputs are all constant before the first run.
    pub fold_constants: bool,
    /// Runs stateless nodes that compute the same only once.
    pub merge_duplicates: bool,
    /// Leaves out nodes in loops and conditionals that only pass on what they get.
    pub simplify_loops: bool,
    /// Computes chains and trees of elementwise nodes as one node each.
    pub fuse: bool,
    /// Puts nodes of devices that allow it together, so that they run as one.
    pub regions: bool,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions { fold_constants: true, merge_duplicates: true, simplify_loops: true, fuse: true, regions: true }
    }
}

/// Makes the plan for a signature. `env` is where constants are folded.
///
/// # Errors
/// `INVALID_ARGUMENT` where nodes wait for each other or loops are malformed; `UNIMPLEMENTED` for nodes without a kernel,
/// all of them in one error.
pub fn compile(
    graph: &Graph,
    signature: &Signature,
    places: &Places<'_>,
    env: &Arc<Env>,
    options: &CompileOptions,
) -> Result<Plan> {
    let pruned = prune(graph, signature)?;
    let kernels = lower::kernels(graph, &pruned, places)?;
    let mut rewritten = rewrite::rewrite(graph, signature, &pruned, &kernels, places, env, options);
    let flow = flow::find(graph, signature, &pruned, &rewritten)?;
    if options.simplify_loops {
        loops::simplify(graph, signature, &pruned, &flow, places, &mut rewritten);
    }
    let (mut plan, traits) = lower::lower(graph, signature, &pruned, &rewritten, &flow, kernels, places, options)?;
    plan.id = {
        // The hasher's keys are fixed, so that the same run has the same number whenever it is compiled.
        let mut hasher = DefaultHasher::new();
        signature.hash(&mut hasher);
        hasher.finish() | 1
    };
    // What runs as one needs all its inputs at once.
    if options.regions && !signature.partial {
        plan.condensed = regions::condense(&plan, &traits, places).map(Arc::new);
    }
    Ok(plan)
}

/// The devices, and which of them each node goes to.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The devices.
    pub devices: &'a [Arc<dyn AnyDevice>],
    /// Number of the device by node number; empty where every node goes to the first.
    pub device: &'a [u32],
}

impl<'a> Places<'a> {
    /// Number of the node's device.
    pub fn number(&self, node: NodeId) -> u32 {
        self.device.get(node.index()).copied().unwrap_or(0)
    }

    /// The node's device.
    pub fn of(&self, node: NodeId) -> &'a Arc<dyn AnyDevice> {
        &self.devices[(self.number(node) as usize).min(self.devices.len() - 1)]
    }
}
