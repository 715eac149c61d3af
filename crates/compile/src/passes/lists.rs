//! Bypasses nodes that only forward several values, such as those that end functions with custom gradients: a value
//! that is listed there and not used elsewhere would keep the node that computes it from being fused.

use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use std::collections::{HashMap, HashSet};

pub(crate) const PASS: Pass = Pass {
    name: "lists",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    // All outputs of a list are dead if one of its inputs is: with control flow it may not be bypassed.
    if draft.has_control_flow {
        return Ok(false);
    }
    let inputs_of = |at| (at, draft.node(at).inputs.to_vec());
    let lists: HashMap<NodeIx, Vec<Port>> =
        draft.existing().filter(|&at| passes_all_on(draft, at)).map(inputs_of).collect();
    if lists.is_empty() {
        return Ok(false);
    }
    let source = |mut port: Port| {
        while let Some(&given) = lists.get(&port.node).and_then(|inputs| inputs.get(port.output as usize)) {
            port = given;
        }
        port
    };
    draft.redirect(source, |before| before);
    let awaited: HashSet<NodeIx> = draft.nodes.iter().flat_map(|n| n.controls.iter().copied()).collect();
    for &at in lists.keys().filter(|at| !awaited.contains(at)) {
        draft.remove(at);
    }
    Ok(true)
}

fn passes_all_on(draft: &Draft<'_>, at: NodeIx) -> bool {
    let node = draft.node(at);
    let is_value = |port: &Port| {
        let source = draft.node(port.node);
        !source.is_feed()
            && source.device == node.device
            && source.output_types.get(port.output as usize).is_some_and(|ty| !ty.is_ref)
    };
    node.graph_node().is_some_and(|n| n.spec().forwards_all)
        && node.values.is_none()
        && !node.is_pinned
        && node.controls.is_empty()
        && node.inputs.len() == node.output_types.len()
        && node.inputs.iter().all(is_value)
}
