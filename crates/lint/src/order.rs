//! The order of nodes.

use levada_compile::{Signature, prune};
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Graph, NodeId, Result};
use std::collections::BTreeSet;

/// The nodes that may run, each after those that it waits for.
pub struct Order {
    /// In a possible execution order.
    pub nodes: Vec<NodeId>,
    /// For each node of the graph, the outputs of conditionals that it depends on; empty if the graph has none.
    branches: Vec<BTreeSet<(Endpoint, u32)>>,
}

/// True for an edge that leads into the next iteration of a loop.
pub fn back_edge(graph: &Graph, from: NodeId, to: NodeId) -> bool {
    graph.node(to).spec().role == Role::Merge && graph.node(from).spec().role == Role::NextIteration
}

/// The nodes that a node waits for within one iteration.
pub fn before(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    let node = graph.node(id);
    let data = node.inputs.iter().map(|from| from.node).filter(move |from| !back_edge(graph, *from, id));
    data.chain(node.control_inputs.iter().copied())
}

impl Order {
    /// The order of the nodes that the signature needs; without one, of the whole graph.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a cycle that is not a loop.
    pub fn of(graph: &Graph, run: Option<&Signature>) -> Result<Order> {
        let all = Signature { targets: graph.ids().collect(), ..Signature::default() };
        let nodes = prune(graph, run.unwrap_or(&all))?.order;
        let branches = branches(graph, &nodes);
        Ok(Order { nodes, branches })
    }

    /// The outputs of conditionals that a node depends on: the predicate, and 1 for the branch where it is true.
    pub fn around(&self, id: NodeId) -> impl Iterator<Item = &(Endpoint, u32)> {
        self.branches.get(id.index()).into_iter().flatten()
    }

    /// True if two nodes are in different branches of the same conditional.
    pub fn exclude(&self, a: NodeId, b: NodeId) -> bool {
        let (Some(a), Some(b)) = (self.branches.get(a.index()), self.branches.get(b.index())) else { return false };
        a.iter().any(|(predicate, branch)| b.contains(&(*predicate, 1 - branch)))
    }
}

/// The maximum number of conditionals around a node that are tracked.
const MOST_BRANCHES: usize = 32;

fn branches(graph: &Graph, nodes: &[NodeId]) -> Vec<BTreeSet<(Endpoint, u32)>> {
    // The switches of loops are not branches: the nodes after a loop run, and so does its body.
    let conditional = |id: NodeId| {
        let node = graph.node(id);
        let predicate = *node.inputs.get(1).filter(|_| node.spec().role == Role::Switch)?;
        (graph.node(predicate.node).spec().role != Role::LoopCond).then_some(predicate)
    };
    if !nodes.iter().any(|id| conditional(*id).is_some()) {
        return Vec::new();
    }
    let mut found: Vec<BTreeSet<(Endpoint, u32)>> = vec![BTreeSet::new(); graph.len()];
    for &id in nodes {
        let node = graph.node(id);
        let data = node.inputs.iter().filter(|from| !back_edge(graph, from.node, id));
        let of_input = |from: &Endpoint| {
            let mut all = found[from.node.index()].clone();
            if let Some(predicate) = conditional(from.node).filter(|_| from.output < 2) {
                all.insert((predicate, from.output));
            }
            all
        };
        let mut own: BTreeSet<(Endpoint, u32)> = match node.spec().role {
            // One live input is enough.
            Role::Merge => data.map(of_input).reduce(|a, b| &a & &b).unwrap_or_default(),
            _ => data.flat_map(of_input).collect(),
        };
        for before in &node.control_inputs {
            own.extend(&found[before.index()]);
        }
        if own.len() <= MOST_BRANCHES {
            found[id.index()] = own;
        }
    }
    found
}

/// For each node, the members of a group that it waits for, itself included.
pub struct Reach {
    words: usize,
    bits: Vec<u64>,
}

impl Reach {
    /// The reachability of a group of nodes.
    pub fn of(graph: &Graph, order: &Order, group: &[NodeId]) -> Reach {
        let words = group.len().div_ceil(64);
        let mut bits = vec![0u64; graph.len() * words];
        for (i, id) in group.iter().enumerate() {
            bits[id.index() * words + i / 64] |= 1 << (i % 64);
        }
        for &id in &order.nodes {
            let to = id.index() * words;
            for from in before(graph, id) {
                let from = from.index() * words;
                for word in 0..words {
                    let more = bits[from + word];
                    bits[to + word] |= more;
                }
            }
        }
        Reach { words, bits }
    }

    /// True if `node` waits for member `i` of the group, or is it.
    pub fn has(&self, node: NodeId, i: usize) -> bool {
        self.bits[node.index() * self.words + i / 64] >> (i % 64) & 1 == 1
    }
}
