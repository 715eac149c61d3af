//! Frees nodes of loops that pass on one of several values once all of them are there, as `tuple` makes them for gradients: each
//! passes on its value at once. Only where all of it is stateless and dead together, so that what is computed stays the same.

use super::deadness::Deadness;
use super::no_ops::only_orders;
use crate::draft::{Draft, NodeIx};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_graph::spec::Role;

pub(crate) const PASS: Pass = Pass {
    name: "joins",
    is_on: |cx| cx.options.bypass_no_ops && !cx.partial,
    needs: &[Fact::Frames],
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let candidates: Vec<NodeIx> = draft.existing().filter(|&at| is_candidate(draft, at)).collect();
    if candidates.is_empty() {
        return Ok(false);
    }
    let deadness = Deadness::find(draft, &draft.running());
    let mut awaited = vec![0usize; draft.nodes.len()];
    for before in draft.existing().flat_map(|at| &draft.node(at).controls) {
        awaited[*before as usize] += 1;
    }
    let mut changed = false;
    for at in candidates {
        if deadness.of(at) != deadness.of(draft.node(at).inputs[0].node) {
            continue;
        }
        changed = true;
        for before in std::mem::take(&mut draft.nodes[at as usize].controls) {
            awaited[before as usize] -= 1;
            if awaited[before as usize] == 0 {
                draft.remove(before);
            }
        }
    }
    Ok(changed)
}

/// True for a node of a loop that passes on its only input and waits for nodes that only join it with others.
fn is_candidate(draft: &Draft<'_>, at: NodeIx) -> bool {
    let node = draft.node(at);
    let [given] = node.inputs[..] else { return false };
    let is_stateless = |at: NodeIx| {
        let node = draft.node(at);
        node.graph_node().is_some_and(|node| node.spec().role == Role::Plain && !node.op.is_stateful())
    };
    let joins = |at: NodeIx| {
        let join = draft.node(at);
        only_orders(join)
            && join.frame == node.frame
            && join.controls.contains(&given.node)
            && join.controls.iter().all(|&before| is_stateless(before))
    };
    node.frame != 0
        && !node.controls.is_empty()
        && !node.is_pinned
        && node.graph_node().is_some_and(|node| node.spec().forwards)
        && node.controls.iter().all(|&before| joins(before))
}
