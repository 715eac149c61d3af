//! Keeps the nodes that fetches and targets need, in an order in which inputs come first.

use crate::Signature;
use crate::by_node::ByNode;
use levada_graph::graph::Edge;
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Error, Graph, NodeId, Result};
use petgraph::Direction;
use petgraph::graph::EdgeIndex;
use petgraph::visit::EdgeRef;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The nodes of a graph that a signature needs.
#[derive(Clone, Debug, Default)]
pub struct Pruned {
    /// The nodes, inputs before consumers except for the back edges of loops.
    pub order: Vec<NodeId>,
    /// The position in `order` of each needed node.
    pub(crate) position: ByNode<u32>,
    /// The number of the feed for each fed endpoint.
    pub feeds: HashMap<Endpoint, usize>,
}

impl Pruned {
    /// True if the node is needed.
    pub fn contains(&self, node: NodeId) -> bool {
        self.position.contains_key(&node)
    }

    /// Position of the node in the order, if it is needed.
    pub fn position(&self, node: NodeId) -> Option<u32> {
        self.position.get(&node).copied()
    }
}

/// Finds what a signature needs: everything that the fetches and targets depend on, except what lies behind a feed. The
/// time is proportional to the needed part, not to the graph.
///
/// # Errors
/// `INVALID_ARGUMENT` for a cycle that is not a loop.
pub fn prune(graph: &Graph, signature: &Signature) -> Result<Pruned> {
    let feeds: HashMap<Endpoint, usize> = signature.feeds.iter().copied().zip(0..).collect();
    let needed = Needed::find(graph, signature, &feeds);
    let order = needed.order();
    if order.len() < needed.nodes.len() {
        return Err(cycle(graph, needed.nodes, &order));
    }
    let mut position = needed.numbers;
    for (&node, at) in order.iter().zip(0..) {
        position.insert(node, at);
    }
    Ok(Pruned { order, position, feeds })
}

/// The nodes that a signature needs, in no particular order.
struct Needed {
    nodes: Vec<NodeId>,
    /// The local numbers of the nodes.
    numbers: ByNode<u32>,
    /// The edges among them except those that close a loop: source, the number of the edge in the graph, target.
    edges: Vec<(u32, Reverse<EdgeIndex>, u32)>,
}

impl Needed {
    fn find(graph: &Graph, signature: &Signature, feeds: &HashMap<Endpoint, usize>) -> Needed {
        let mut found = Needed { nodes: Vec::new(), numbers: ByNode::default(), edges: Vec::new() };
        let fetched = signature.fetches.iter().filter(|e| !feeds.contains_key(e)).map(|e| e.node);
        for start in fetched.chain(signature.targets.iter().copied()) {
            found.number(start);
        }
        let mut at = 0;
        while let Some(&node) = found.nodes.get(at) {
            for edge in graph.dag().edges_directed(node, Direction::Incoming) {
                let source = edge.source();
                let is_needed = match edge.weight() {
                    Edge::Data { output, .. } => {
                        feeds.is_empty() || !feeds.contains_key(&Endpoint::new(source, *output))
                    }
                    Edge::Control => !stands_for_its_feed(graph, source, feeds),
                };
                if is_needed {
                    let from = found.number(source);
                    if !is_back_edge(graph, source, node) {
                        found.edges.push((from, Reverse(edge.id()), at as u32));
                    }
                }
            }
            at += 1;
        }
        found.edges.sort_unstable();
        found
    }

    fn number(&mut self, node: NodeId) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    /// The nodes, inputs before consumers; nodes that cannot be ordered because of a cycle are missing. The nodes added
    /// to the graph last come first, as far as the inputs allow, followed by their consumers.
    fn order(&self) -> Vec<NodeId> {
        let mut pending = vec![0u32; self.nodes.len()];
        let mut first = vec![0u32; self.nodes.len() + 1];
        for &(from, _, to) in &self.edges {
            pending[to as usize] += 1;
            first[from as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut ready: Vec<u32> = (0..).zip(&pending).filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
        ready.sort_unstable_by_key(|&at| self.nodes[at as usize]);
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(at) = ready.pop() {
            order.push(self.nodes[at as usize]);
            for &(_, _, to) in &self.edges[first[at as usize] as usize..first[at as usize + 1] as usize] {
                pending[to as usize] -= 1;
                if pending[to as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        order
    }
}

/// True for a placeholder or parameter that is fed: its feed is present before anything runs, so nothing needs to wait
/// for it. Any other node runs if others wait for it, even when it is fed.
pub(crate) fn stands_for_its_feed(graph: &Graph, node: NodeId, feeds: &HashMap<Endpoint, usize>) -> bool {
    let source = graph.node(node);
    matches!(source.spec().role, Role::Placeholder | Role::Arg)
        && source.inputs.is_empty()
        && feeds.contains_key(&Endpoint::from(node))
}

/// True for the edge that closes a loop.
fn is_back_edge(graph: &Graph, from: NodeId, to: NodeId) -> bool {
    graph.node(to).spec().role == Role::Merge && graph.node(from).spec().role == Role::NextIteration
}

fn cycle(graph: &Graph, needed: Vec<NodeId>, order: &[NodeId]) -> Error {
    let ordered: std::collections::HashSet<NodeId> = order.iter().copied().collect();
    let mut stuck = needed;
    stuck.retain(|id| !ordered.contains(id));
    stuck.sort_unstable();
    // A cycle may be a loop built from an unsupported op.
    if let Some(error) = graph.unsupported_among(stuck.iter().copied()) {
        return error;
    }
    let names: Vec<&str> = stuck.iter().take(8).map(|id| &*graph.node(*id).name).collect();
    Error::invalid("the graph has a cycle")
        .found(names.join(", "))
        .help("only edges from a NextIteration to a Merge may close a loop")
}
