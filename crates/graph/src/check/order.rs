//! A topological order of the nodes, and the cycles that prevent one.

use super::links::{Links, Source};
use super::{Faults, Known};
use crate::def::GraphDef;
use crate::error::Error;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// All nodes in topological order; edges that close a loop do not count. Nodes on other cycles are faults and come in
/// an arbitrary order.
pub(crate) fn order(def: &GraphDef, links: &Links<'_>, ops: &[Known<'_>], faults: &mut Faults<'_>) -> Vec<usize> {
    let n = def.nodes.len();
    let mut pending: Vec<u32> = vec![0; n];
    let mut starts: Vec<u32> = vec![0; n + 1];
    let each_edge = |visit: &mut dyn FnMut(usize, usize)| {
        for node in 0..n {
            let merge = ops[node].role() == Some(crate::spec::Role::Merge);
            for (input, source) in links.data(node).iter().enumerate() {
                if let Source::Inside { node: from, .. } = *source
                    && !(merge && links.is_back_edge(node, input, ops))
                {
                    visit(from as usize, node);
                }
            }
            links.control(node).for_each(|from| visit(from, node));
        }
    };
    each_edge(&mut |from, to| {
        pending[to] += 1;
        starts[from + 1] += 1;
    });
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut targets = vec![0u32; starts[n] as usize];
    let mut next = starts.clone();
    each_edge(&mut |from, to| {
        targets[next[from] as usize] = to as u32;
        next[from] += 1;
    });
    let outgoing = |node: usize| &targets[starts[node] as usize..starts[node + 1] as usize];
    let mut order: Vec<usize> = (0..n).filter(|&i| pending[i] == 0).collect();
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for &to in outgoing(node) {
            pending[to as usize] -= 1;
            if pending[to as usize] == 0 {
                order.push(to as usize);
            }
        }
    }
    if order.len() < n {
        cycles(def, ops, &pending, outgoing, &mut order, faults);
    }
    order
}

/// Appends the nodes that are on or after a cycle, and reports each cycle once.
fn cycles<'t>(
    def: &GraphDef,
    ops: &[Known<'_>],
    pending: &[u32],
    outgoing: impl Fn(usize) -> &'t [u32],
    order: &mut Vec<usize>,
    faults: &mut Faults<'_>,
) {
    let left: Vec<usize> = (0..pending.len()).filter(|&i| pending[i] > 0).collect();
    let mut graph: DiGraph<usize, ()> = DiGraph::with_capacity(left.len(), left.len());
    let mut index = vec![None; pending.len()];
    for &node in &left {
        index[node] = Some(graph.add_node(node));
    }
    for &node in &left {
        for &to in outgoing(node) {
            if let (Some(a), Some(b)) = (index[node], index[to as usize]) {
                graph.add_edge(a, b, ());
            }
        }
    }
    for component in kosaraju_scc(&graph).into_iter().rev() {
        let mut nodes: Vec<usize> = component.iter().map(|&i| graph[i]).collect();
        nodes.sort_unstable();
        let cyclic = nodes.len() > 1 || graph.contains_edge(component[0], component[0]);
        // A node with an unknown op may close a loop like any other.
        let unknown = nodes.iter().any(|&i| matches!(ops[i], Known::Not));
        if cyclic && !unknown {
            let path = cycle(&nodes, &outgoing);
            let names =
                |nodes: &[usize]| nodes.iter().map(|&i| def.nodes[i].name.as_str()).collect::<Vec<_>>().join(" -> ");
            let shown = match path.len() {
                0..=8 => format!("{} -> {}", names(&path), def.nodes[path[0]].name),
                n => format!("{} -> ({} more) -> {}", names(&path[..6]), n - 6, def.nodes[path[0]].name),
            };
            let error = Error::invalid("the nodes form a cycle that no loop closes")
                .found(shown)
                .help("only the edge from a NextIteration to a Merge may lead back");
            faults.push(path[0], error);
        }
        order.extend(nodes);
    }
}

/// The shortest cycle through the first of these nodes, which all reach each other.
fn cycle<'t>(nodes: &[usize], outgoing: &impl Fn(usize) -> &'t [u32]) -> Vec<usize> {
    let start = nodes[0];
    let mut from: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        for &to in outgoing(node) {
            let to = to as usize;
            if to == start {
                let mut path = vec![node];
                while let Some(&before) = path.last().filter(|n| **n != start).and_then(|n| from.get(n)) {
                    path.push(before);
                }
                path.reverse();
                return path;
            }
            if nodes.binary_search(&to).is_ok() && !from.contains_key(&to) {
                from.insert(to, node);
                queue.push(to);
            }
        }
    }
    vec![start]
}
