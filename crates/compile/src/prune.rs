//! Keeps the nodes that fetches and targets need, in an order in which inputs come first.

use crate::Signature;
use levada_graph::graph::Edge;
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Error, Graph, NodeId, Result};
use petgraph::visit::{Dfs, Reversed};
use petgraph::visit::{EdgeFiltered, EdgeRef, NodeFiltered, Visitable, Walker};
use std::collections::HashMap;

/// The nodes of a graph that a signature needs.
#[derive(Clone, Debug, Default)]
pub struct Pruned {
    /// The nodes, inputs before consumers but for the back edges of loops.
    pub order: Vec<NodeId>,
    /// Position in `order` by node number; `u32::MAX` for nodes that are not needed.
    pub position: Vec<u32>,
    /// Number of the feed for each endpoint that is fed.
    pub feeds: HashMap<Endpoint, usize>,
}

impl Pruned {
    /// True if the node is needed.
    pub fn contains(&self, node: NodeId) -> bool {
        self.position[node.index()] != u32::MAX
    }
}

/// Finds what a signature needs: everything that the fetches and targets depend on, but not what lies behind a feed.
///
/// # Errors
/// `INVALID_ARGUMENT` for a cycle that is not a loop.
pub fn prune(graph: &Graph, signature: &Signature) -> Result<Pruned> {
    let feeds: HashMap<Endpoint, usize> = signature.feeds.iter().copied().zip(0..).collect();
    let needed = EdgeFiltered::from_fn(graph.dag(), |edge| match edge.weight() {
        Edge::Data { output, .. } => feeds.is_empty() || !feeds.contains_key(&Endpoint::new(edge.source(), *output)),
        Edge::Control => !stands_for_its_feed(graph, edge.source(), &feeds),
    });
    let mut keep = vec![false; graph.len()];
    let fetched = signature.fetches.iter().filter(|e| !feeds.contains_key(e)).map(|e| e.node);
    let backwards = Reversed(&needed);
    let mut search = Dfs::from_parts(Vec::new(), backwards.visit_map());
    for start in fetched.chain(signature.targets.iter().copied()) {
        search.move_to(start);
        while let Some(node) = search.next(backwards) {
            keep[node.index()] = true;
        }
    }
    let kept = NodeFiltered::from_fn(&needed, |node| keep[node.index()]);
    let forward = EdgeFiltered::from_fn(&kept, |edge| !is_back_edge(graph, edge.source(), edge.target()));
    let order: Vec<NodeId> = match petgraph::visit::Topo::new(&forward).iter(&forward).collect::<Vec<_>>() {
        order if order.len() == keep.iter().filter(|&&k| k).count() => order,
        order => return Err(cycle(graph, &keep, &order)),
    };
    let mut position = vec![u32::MAX; graph.len()];
    for (i, node) in order.iter().enumerate() {
        position[node.index()] = i as u32;
    }
    Ok(Pruned { order, position, feeds })
}

/// True for a placeholder or parameter that is fed: its feed is there before anything runs, so nothing needs to wait
/// for it. Any other node runs for those that wait for it, also when it is fed.
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

fn cycle(graph: &Graph, keep: &[bool], order: &[NodeId]) -> Error {
    let ordered: std::collections::HashSet<NodeId> = order.iter().copied().collect();
    let stuck: Vec<NodeId> = graph.ids().filter(|id| keep[id.index()] && !ordered.contains(id)).collect();
    // What takes part in a cycle may be a loop of an op that is not supported.
    if let Some(error) = graph.unsupported_among(stuck.iter().copied()) {
        return error;
    }
    let names: Vec<&str> = stuck.iter().take(8).map(|id| &*graph.node(*id).name).collect();
    Error::invalid("the graph has a cycle")
        .found(names.join(", "))
        .help("only edges from a NextIteration to a Merge may close a loop")
}
