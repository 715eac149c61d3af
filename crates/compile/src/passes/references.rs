//! Finds the values that may be references to variables although their types do not say so.
//!
//! If a reference is passed to an op that takes a value, TensorFlow hands the op a tensor that shares the variable's
//! memory. Ops that forward their input share it too, so that the op that finally reads the value sees what was written
//! to the variable in between. Here such ops forward the reference itself, and the ops that use the value read it.

use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_graph::spec::Role;

pub(crate) const PASS: Pass = Pass {
    name: "references",
    is_on: |_| true,
    needs: &[],
    keeps: ALL,
    gives: &[Fact::References],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    draft.ref_ports.clear();
    for at in 0..draft.first_feed {
        for (output, ty) in (0..).zip(&*draft.nodes[at as usize].output_types) {
            if ty.is_ref && draft.nodes[at as usize].exists() {
                draft.ref_ports.insert(Port { node: at, output });
            }
        }
    }
    // Graphs without reference variables need a single sweep over their edges; others need one more for every level of
    // nested loops.
    let mut known = 0;
    while draft.ref_ports.len() != known {
        known = draft.ref_ports.len();
        for at in 0..draft.first_feed {
            pass_on(draft, cx, at);
        }
    }
    if known > 0 {
        for at in 0..draft.first_feed {
            draft.nodes[at as usize].reads_refs = reads(draft, cx, at);
        }
    }
    Ok(false)
}

/// Lets a node's outputs carry the reference that it forwards.
fn pass_on(draft: &mut Draft<'_>, cx: &PassCx<'_>, at: NodeIx) {
    let node = draft.node(at);
    let inputs = (0..).zip(&node.inputs);
    if !inputs.into_iter().any(|(i, port)| passes(draft, cx, at, i) && draft.ref_ports.contains(port)) {
        return;
    }
    // The second output of a merge is the index of its input.
    let outputs = if node.role() == Some(Role::Merge) { 1 } else { node.output_types.len() as u32 };
    draft.ref_ports.extend((0..outputs).map(|output| Port { node: at, output }));
}

/// The inputs that may carry references although the node must be given values.
fn reads(draft: &Draft<'_>, cx: &PassCx<'_>, at: NodeIx) -> Box<[u32]> {
    let node = draft.node(at);
    let reads = |i: usize, port: &Port| {
        draft.ref_ports.contains(port) && !node.input_types[i].is_ref && !passes(draft, cx, at, i)
    };
    (0..).zip(&node.inputs).filter(|(i, port)| reads(*i as usize, port)).map(|(i, _)| i).collect()
}

/// True for inputs that the node forwards without reading them.
fn passes(draft: &Draft<'_>, cx: &PassCx<'_>, at: NodeIx, input: usize) -> bool {
    let node = draft.node(at);
    let Some(of_graph) = node.graph_node() else { return false };
    let moves = match of_graph.spec().role {
        Role::Merge => true,
        Role::Switch | Role::Enter | Role::Exit | Role::NextIteration => input == 0,
        _ => of_graph.spec().forwards && input == 0,
    };
    moves && !node.input_types[input].is_ref && cx.placement.devices[node.device as usize].memory().is_none()
}
