//! The order in which nodes are visited.

use levada_graph::spec::Role;
use levada_graph::{Graph, NodeId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Every node, inputs first except for the back edges of loops; ties are broken by the order in the graph. Nodes on a
/// cycle that is not a loop come last.
pub fn topological(graph: &Graph) -> Vec<NodeId> {
    let mut waits = vec![0u32; graph.len()];
    for (id, node) in graph.nodes() {
        let sources = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        waits[id.index()] = sources.filter(|&s| !is_back_edge(graph, s, id)).count() as u32;
    }
    let mut ready: BinaryHeap<Reverse<u32>> =
        graph.ids().filter(|id| waits[id.index()] == 0).map(|id| Reverse(id.index() as u32)).collect();
    let mut order = Vec::with_capacity(graph.len());
    while let Some(Reverse(next)) = ready.pop() {
        let id = NodeId::new(next as usize);
        order.push(id);
        for to in graph.dag().neighbors(id) {
            if is_back_edge(graph, id, to) {
                continue;
            }
            let waits = &mut waits[to.index()];
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                ready.push(Reverse(to.index() as u32));
            }
        }
    }
    if order.len() < graph.len() {
        let seen: std::collections::HashSet<NodeId> = order.iter().copied().collect();
        order.extend(graph.ids().filter(|id| !seen.contains(id)));
    }
    order
}

/// True for the edge that closes a loop.
pub fn is_back_edge(graph: &Graph, from: NodeId, to: NodeId) -> bool {
    graph.node(to).spec().role == Role::Merge && graph.node(from).spec().role == Role::NextIteration
}
