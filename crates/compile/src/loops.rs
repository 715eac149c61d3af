//! Takes work out of control flow: constants that wait for a branch or an iteration only so as to be dead with it, and
//! nodes in loops that pass on what they get.

use crate::flow::Flow;
use crate::prune::Pruned;
use crate::rewrite::Rewritten;
use crate::{Places, Signature};
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Graph, NodeId};
use std::collections::{HashMap, HashSet};

/// How far back it is looked for what a consumer depends on.
const DEPTH: u32 = 4;

pub(crate) fn simplify(
    graph: &Graph,
    signature: &Signature,
    pruned: &Pruned,
    flow: &Flow,
    places: &Places<'_>,
    rewritten: &mut Rewritten,
) {
    if !flow.has_control_flow {
        return;
    }
    let mut kept: HashSet<NodeId> = signature.targets.iter().copied().collect();
    kept.extend(signature.fetches.iter().chain(&signature.feeds).map(|e| e.node));
    constants(graph, pruned, rewritten, &kept);
    let waited_for = waited_for(graph, pruned, rewritten);
    for (&id, &frame) in pruned.order.iter().zip(&flow.frame) {
        let node = graph.node(id);
        let given = node.inputs.first().filter(|e| !pruned.feeds.contains_key(e));
        let plain = |e: &Endpoint| graph.endpoint_type(*e).is_some_and(|t| !t.is_ref);
        let passes = node.spec().forwards
            && frame != 0
            && rewritten.runs_as(id) == id
            && !rewritten.is_constant(id)
            && !kept.contains(&id)
            && node.control_inputs.iter().all(|&c| rewritten.is_constant(c))
            && given.is_some_and(|e| plain(e) && places.number(e.node) == places.number(id));
        if let (true, Some(&given)) = (passes, given) {
            rewritten.forward(id, given, waited_for.contains(&id));
        }
    }
}

/// The nodes that others wait for.
fn waited_for(graph: &Graph, pruned: &Pruned, rewritten: &Rewritten) -> HashSet<NodeId> {
    let running = pruned.order.iter().filter(|&&id| !rewritten.is_constant(id) && rewritten.runs_as(id) == id);
    running.flat_map(|&id| &graph.node(id).control_inputs).map(|&c| rewritten.runs_as(c)).collect()
}

/// A constant with control inputs is dead where one of these is. Where its consumers depend on them all in another way
/// too, that makes no difference, and it need not run.
fn constants(graph: &Graph, pruned: &Pruned, rewritten: &mut Rewritten, kept: &HashSet<NodeId>) {
    let is_candidate = |id: NodeId| {
        let node = graph.node(id);
        node.spec().role == Role::Const
            && !node.control_inputs.is_empty()
            && !rewritten.is_constant(id)
            && !kept.contains(&id)
            && node.op.constant().is_some_and(|v| v.dtype() == node.output_types[0].dtype)
    };
    let candidates: HashSet<NodeId> = pruned.order.iter().copied().filter(|&id| is_candidate(id)).collect();
    if candidates.is_empty() {
        return;
    }
    let mut consumers: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut others_wait: HashSet<NodeId> = HashSet::new();
    for &id in &pruned.order {
        let node = graph.node(id);
        for input in node.inputs.iter().filter(|e| candidates.contains(&e.node)) {
            consumers.entry(input.node).or_default().push(id);
        }
        others_wait.extend(node.control_inputs.iter().filter(|c| candidates.contains(c)));
    }
    for &id in pruned.order.iter().filter(|&&id| candidates.contains(&id) && !others_wait.contains(&id)) {
        let awaited = graph.node(id).control_inputs.iter().filter(|&&c| !rewritten.is_constant(c));
        let awaited: Vec<NodeId> = awaited.map(|&c| rewritten.runs_as(c)).collect();
        let used_by = consumers.get(&id).map_or(&[][..], Vec::as_slice);
        let look = Look { graph, pruned, rewritten };
        let is_free = used_by.iter().all(|&c| {
            let role = graph.node(c).spec().role;
            matches!(role, Role::Plain | Role::Switch | Role::Call)
                && awaited.iter().all(|&a| look.depends(c, a, DEPTH))
        });
        if is_free && let Some(value) = graph.node(id).op.constant() {
            let value = value.clone();
            rewritten.set_constant(id, value);
        }
    }
}

struct Look<'a> {
    graph: &'a Graph,
    pruned: &'a Pruned,
    rewritten: &'a Rewritten,
}

impl Look<'_> {
    /// True where `node` runs after `on`, in the same iteration, and is dead where that is.
    fn depends(&self, node: NodeId, on: NodeId, depth: u32) -> bool {
        let from = self.graph.node(node);
        let data =
            from.inputs.iter().filter(|e| !self.pruned.feeds.contains_key(e)).map(|e| self.rewritten.source(*e).node);
        let control = from.control_inputs.iter().map(|&c| self.rewritten.runs_as(c));
        data.chain(control).any(|source| {
            source == on
                || (depth > 0
                    && matches!(self.graph.node(source).spec().role, Role::Plain | Role::Switch | Role::LoopCond)
                    && self.depends(source, on, depth - 1))
        })
    }
}
