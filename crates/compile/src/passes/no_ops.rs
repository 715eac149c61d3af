//! Bypasses nodes that only order others: their successors wait for their predecessors directly, if that takes no more
//! edges, or for nothing if there are none.

use crate::draft::{Draft, DraftNode, NodeIx};
use crate::pass::{ALL, Pass, PassCx};
use levada_graph::Result;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use smallvec::SmallVec;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    name: "no_ops",
    is_on: |cx| cx.options.bypass_no_ops && !cx.partial,
    needs: &[],
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    // In control flow a node that orders others also makes them dead.
    if draft.has_control_flow || !draft.existing().any(|at| only_orders(draft.node(at))) {
        return Ok(false);
    }
    let mut after = vec![0usize; draft.nodes.len()];
    for at in draft.existing() {
        draft.node(at).controls.iter().for_each(|&before| after[before as usize] += 1);
    }
    // What the successors of each bypassed node wait for instead.
    let mut bypassed: HashMap<NodeIx, SmallVec<[NodeIx; 4]>> = HashMap::new();
    let nodes: Vec<NodeIx> = draft.existing().collect();
    for at in nodes {
        let node = &mut draft.nodes[at as usize];
        if node.controls.iter().any(|before| bypassed.contains_key(before)) {
            let awaited = node.controls.iter().flat_map(|before| match bypassed.get(before) {
                Some(instead) => instead.as_slice(),
                None => std::slice::from_ref(before),
            });
            node.controls = awaited.copied().collect();
            node.controls.sort_unstable();
            node.controls.dedup();
        }
        let (before, after) = (node.controls.len(), after[at as usize]);
        let is_worth_it = before.saturating_mul(after) <= before + after;
        if is_worth_it && only_orders(node) && node.controls.iter().all(|&b| b < at) {
            bypassed.insert(at, node.controls.iter().copied().collect());
        }
    }
    bypassed.keys().for_each(|&at| draft.remove(at));
    Ok(!bypassed.is_empty())
}

/// True for a node that does nothing but wait: it has neither inputs nor outputs, and running it has no effect.
pub(super) fn only_orders(node: &DraftNode<'_>) -> bool {
    let does_nothing = |node: &Node| {
        node.spec().role == Role::Plain
            && !node.op.is_stateful()
            && node.input_types.is_empty()
            && node.output_types.is_empty()
    };
    node.graph_node().is_some_and(does_nothing) && !node.is_pinned && node.values.is_none()
}
