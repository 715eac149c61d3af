//! Merges duplicates: stateless nodes that compute the same value become one.

use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Pass, PassCx};
use levada_graph::Result;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Constants above this many bytes are not compared with each other.
const MAX_COMPARED: usize = 4096;

pub(crate) const PASS: Pass = Pass {
    name: "merge",
    is_on: |cx| cx.options.merge_duplicates,
    needs: &[],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let mut kept: Vec<NodeIx> = (0..draft.nodes.len() as NodeIx).collect();
    let mut seen: HashMap<u64, SmallVec<[NodeIx; 1]>> = HashMap::new();
    let mut changed = false;
    for at in 0..draft.nodes.len() {
        let Some(node) = mergeable(draft, at) else { continue };
        draft.nodes[at].inputs.iter_mut().for_each(|input| input.node = kept[input.node as usize]);
        let candidates = seen.entry(hash(node, &draft.nodes[at].inputs)).or_default();
        match candidates.iter().find(|&&other| is_same(draft, other, at as NodeIx)) {
            Some(&first) => {
                kept[at] = first;
                changed = true;
            }
            None => candidates.push(at as NodeIx),
        }
    }
    if changed {
        draft.redirect(|port| Port { node: kept[port.node as usize], ..port }, |before| kept[before as usize]);
        (0..).zip(&kept).filter(|(at, kept)| at != *kept).for_each(|(at, _)| draft.remove(at));
    }
    Ok(changed)
}

/// The graph node, if it may be merged with others.
fn mergeable<'g>(draft: &Draft<'g>, at: usize) -> Option<&'g Node> {
    let draft = &draft.nodes[at];
    let node = draft.graph_node()?;
    let role = node.spec().role;
    let is_pure = role == Role::Const || role == Role::Plain && !node.op.is_stateful();
    let has_values = !node.output_types.is_empty() && !node.output_types.iter().any(|t| t.is_ref);
    (draft.exists() && !draft.is_pinned && draft.controls.is_empty() && is_pure && has_values).then_some(node)
}

fn hash(node: &Node, inputs: &[Port]) -> u64 {
    let mut hasher = DefaultHasher::new();
    node.op_name().hash(&mut hasher);
    node.device.hash(&mut hasher);
    inputs.hash(&mut hasher);
    if let Some(value) = node.op.constant() {
        value.shape().hash(&mut hasher);
        value.bytes().map(|b| &b[..b.len().min(64)]).hash(&mut hasher);
    }
    hasher.finish()
}

/// True if two nodes are certain to compute the same value.
fn is_same(draft: &Draft<'_>, a: NodeIx, b: NodeIx) -> bool {
    let (a, b) = (draft.node(a), draft.node(b));
    let (Some(x), Some(y)) = (a.graph_node(), b.graph_node()) else { return false };
    let is_small = |n: &Node| n.op.constant().is_none_or(|v| v.num_bytes() <= MAX_COMPARED);
    a.device == b.device
        && a.inputs == b.inputs
        && a.output_types == b.output_types
        && x.op_name() == y.op_name()
        && x.device == y.device
        && is_small(x)
        && is_small(y)
        && x.op.encode() == y.op.encode()
}
