//! Loops that await their own results: a value that is brought into the loop depends on one that leaves it.
//!
//! Gradients make such loops. Under control dependencies on what depends on a loop's result, the nodes that they add to
//! its body wait for that result, which an `Enter` brings into the same loop. The first iterations are not done before
//! the last one has begun.

use crate::plan::{NodeIx, NodeKind, PlanTables};

/// For each frame, whether it awaits its own results, or lies between frames that do.
///
/// A frame is a vertex among the nodes of the frame around it. What is not on a cycle, nor between two cycles, goes when
/// sources, and then sinks, are taken away for as long as there are any.
pub(crate) fn find(tables: &PlanTables) -> Vec<bool> {
    let count = tables.nodes.len() as NodeIx;
    // What another device receives may come back.
    let outside = count + tables.frames.len() as NodeIx;
    let frame_of = |at: NodeIx| tables.nodes[at as usize].frame;
    let mut edges = Vec::new();
    for (at, node) in (0..).zip(&tables.nodes) {
        // Without the edges from one iteration to the next, the nodes of a frame have no cycles.
        if node.kind == NodeKind::NextIteration {
            continue;
        }
        if node.kind == NodeKind::Transfer {
            edges.extend([(at, outside), (outside, at)]);
        }
        edges.extend(tables.after(node).map(|to| match node.kind {
            NodeKind::Enter(_) => (at, count + frame_of(to)),
            NodeKind::Exit => (count + node.frame, to),
            _ => (at, to),
        }));
    }
    for _ in 0..2 {
        edges = without_sources(edges, outside as usize + 1);
        edges.iter_mut().for_each(|edge| *edge = (edge.1, edge.0));
    }
    let mut found = vec![false; tables.frames.len()];
    for (_, vertex) in edges {
        if let Some(found) = vertex.checked_sub(count).and_then(|frame| found.get_mut(frame as usize)) {
            *found = true;
        }
    }
    found
}

/// The edges that remain when vertices without incoming edges are removed for as long as there are any.
fn without_sources(mut edges: Vec<(NodeIx, NodeIx)>, vertices: usize) -> Vec<(NodeIx, NodeIx)> {
    let mut incoming = vec![0u32; vertices];
    edges.iter().for_each(|&(_, to)| incoming[to as usize] += 1);
    edges.sort_unstable();
    let mut sources: Vec<NodeIx> =
        edges.iter().map(|&(from, _)| from).filter(|&from| incoming[from as usize] == 0).collect();
    sources.dedup();
    let mut is_removed = vec![false; vertices];
    while let Some(from) = sources.pop() {
        is_removed[from as usize] = true;
        let first = edges.partition_point(|edge| edge.0 < from);
        for &(_, to) in edges[first..].iter().take_while(|edge| edge.0 == from) {
            incoming[to as usize] -= 1;
            if incoming[to as usize] == 0 {
                sources.push(to);
            }
        }
    }
    edges.retain(|&(from, _)| !is_removed[from as usize]);
    edges
}
