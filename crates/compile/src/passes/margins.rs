//! Moves zero padding into convolutions: a convolution after a node that only pads its images does the padding itself,
//! so that the images are not copied. The weights must be known and finite.

use super::deadness::Deadness;
use crate::draft::{Draft, NodeIx};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_graph::spec::Role;
use levada_kernel::finite::{self, Sought};
use levada_kernel::{AnyKernel, Pool};
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "margins",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let pads = |at: NodeIx| draft.node(at).kernel.as_ref().is_some_and(|kernel| kernel.margin_input().is_some());
    if !draft.existing().any(pads) {
        return Ok(false);
    }
    let mut consumers = vec![0u32; draft.nodes.len()];
    for at in draft.existing() {
        let node = draft.node(at);
        let before = node.inputs.iter().map(|port| port.node).chain(node.controls.iter().copied());
        before.for_each(|before| consumers[before as usize] += 1);
    }
    let deadness = Deadness::find(draft, &draft.running());
    let nodes: Vec<NodeIx> = draft.existing().collect();
    let mut changed = false;
    for at in nodes {
        let Some((pad, kernel)) = with_margin(draft, at, &consumers, &deadness, &cx.env.pool) else { continue };
        let (margin, node) = (draft.node(pad), draft.node(at));
        let members: Box<[Arc<str>]> = margin.computes().iter().chain(node.computes()).cloned().collect();
        let member_ops = margin.computes_ops().iter().chain(node.computes_ops()).copied().collect();
        let (input, controls) = (margin.inputs[0], margin.controls.clone());
        let node = &mut draft.nodes[at as usize];
        node.inputs[0] = input;
        node.controls.extend(controls);
        node.controls.sort_unstable();
        node.controls.dedup();
        (node.kernel, node.members, node.member_ops) = (Some(kernel), members, member_ops);
        draft.remove(pad);
        changed = true;
    }
    Ok(changed)
}

/// The preceding node that only pads this one's input, and the kernel that works without it.
fn with_margin(
    draft: &Draft<'_>,
    at: NodeIx,
    consumers: &[u32],
    deadness: &Deadness,
    pool: &Pool,
) -> Option<(NodeIx, Arc<dyn AnyKernel>)> {
    let node = draft.node(at);
    let is_plain = |at: NodeIx| {
        let node = draft.node(at);
        node.values.is_none() && node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful())
    };
    let port = node.inputs.first()?;
    let (pad, margin) = (port.node, draft.node(port.node));
    let input = margin.kernel.as_ref()?.margin_input()?;
    let alike = (margin.device, margin.frame) == (node.device, node.frame) && deadness.of(pad) == deadness.of(at);
    let is_ref = margin.inputs.iter().any(|port| draft.ref_ports.contains(port));
    if !alike || is_ref || margin.is_pinned || consumers[pad as usize] != 1 || !is_plain(pad) || !is_plain(at) {
        return None;
    }
    // The product of a padding zero and a weight that is not finite is NaN, which the convolution would miss.
    let weights = draft.value(*node.inputs.get(1)?)?;
    if finite::holds(weights, Sought::NonFinite, pool) {
        return None;
    }
    let paddings = draft.value(*margin.inputs.get(input)?)?;
    if paddings.shape().rank() != 2 || paddings.shape()[1] != 2 {
        return None;
    }
    let sizes: Option<Vec<usize>> = paddings.to_i64s().ok()?.iter().map(|&n| usize::try_from(n).ok()).collect();
    let margins: Vec<(usize, usize)> = sizes?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    Some((pad, node.kernel.as_ref()?.with_margin(&margins)?))
}
