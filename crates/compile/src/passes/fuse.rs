//! Fuses elementwise nodes: replaces groups of them by one node each, so that their intermediate results do not go
//! through memory.
//!
//! If all nodes of a group compute float32 by rows ([`strip`](levada_kernel::AnyKernel::strip)), the group may also
//! contain reductions of the innermost axes, whose results are broadcast back over the rows, and nodes that only
//! forward their input: a layer norm is one group.
//!
//! A group is a node and those nodes before it whose only consumers, by data or control, are in the group. So no node
//! outside the group lies between two of its nodes, and waiting for all inputs of the group delays only its last node,
//! which needs them anyway. All its nodes are dead together: otherwise a node could run, and fail, although the last
//! one is dead.

use super::deadness::Deadness;
use crate::draft::{Draft, DraftNode, NodeIx, Port, cost};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::spec::Role;
use levada_graph::{EdgeType, Result};
use levada_kernel::group::{FuseLimits, Origin};
use levada_kernel::{Basic, Group, Piecewise, Strip, strips};
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "fuse",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

/// A group under construction.
struct Growing {
    /// In reverse order.
    members: Vec<NodeIx>,
    /// The inputs from outside the group, each once.
    inputs: Vec<Port>,
    /// True if some nodes compute by rows, so that all must.
    has_rows: bool,
    /// True if all nodes can compute by rows.
    by_strips: bool,
}

/// The group that contains all consumers of a node seen so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Consumers {
    None,
    Group(usize),
    /// They are not all in one group.
    Mixed,
}

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let mut changed = false;
    for group in find(draft, cx) {
        let Some(node) = fused(draft, cx, &group) else { continue };
        draft.replace(&group.members, node);
        changed = true;
    }
    Ok(changed)
}

/// The groups of more than one node.
fn find(draft: &Draft<'_>, cx: &PassCx<'_>) -> Vec<Growing> {
    let limits: Vec<Option<FuseLimits>> = cx.placement.devices.iter().map(|d| d.fuses()).collect();
    let running = draft.running();
    let mut groups: Vec<Growing> = Vec::new();
    let mut consumers = vec![Consumers::None; draft.nodes.len()];
    for at in draft.existing() {
        draft.node(at).controls.iter().for_each(|&before| consumers[before as usize] = Consumers::Mixed);
        if draft.node(at).is_fetch() || draft.node(at).is_pinned {
            let seen = draft.node(at).inputs.iter().map(|p| p.node).filter(|_| draft.node(at).is_fetch());
            seen.chain([at]).for_each(|at| consumers[at as usize] = Consumers::Mixed);
        }
    }
    let deadness = Deadness::find(draft, &running);
    // From the end, so that a node's consumers come before it.
    for at in (0..draft.nodes.len() as NodeIx).rev().filter(|&at| running[at as usize]) {
        let node = draft.node(at);
        let mut own = Consumers::Mixed;
        if let Some(limits) = limits[node.device as usize].filter(|_| can_fuse(draft, node)) {
            let joined = match consumers[at as usize] {
                Consumers::Group(g) if fits(draft, &groups[g], at, limits, &deadness) => Some(g),
                // An identity alone computes nothing.
                _ if is_identity(draft, node) => None,
                _ => {
                    groups.push(Growing { members: Vec::new(), inputs: Vec::new(), has_rows: false, by_strips: true });
                    Some(groups.len() - 1)
                }
            };
            if let Some(joined) = joined {
                groups[joined].join(draft, at);
                own = Consumers::Group(joined);
            }
        }
        for source in &node.inputs {
            let seen = &mut consumers[source.node as usize];
            *seen = if *seen == Consumers::None || *seen == own { own } else { Consumers::Mixed };
        }
    }
    groups
        .retain(|g| g.members.len() > 1 && (!g.has_rows || g.members.iter().any(|&at| is_elementwise(draft.node(at)))));
    groups
}

impl Growing {
    fn join(&mut self, draft: &Draft<'_>, at: NodeIx) {
        let node = draft.node(at);
        self.inputs.retain(|port| port.node != at);
        for input in &node.inputs {
            if !self.inputs.contains(input) {
                self.inputs.push(*input);
            }
        }
        self.members.push(at);
        let strip = strip(draft, node);
        self.by_strips &= strip.is_some();
        self.has_rows |= matches!(strip, Some(Strip::Row(_)));
    }
}

/// True for a node that computes element by element.
fn is_elementwise(node: &DraftNode<'_>) -> bool {
    node.kernel.as_ref().is_some_and(|k| k.piecewise() != Piecewise::No)
}

/// The strip form of the node's kernel.
pub(super) fn strip(draft: &Draft<'_>, node: &DraftNode<'_>) -> Option<Strip> {
    node.kernel.as_ref()?.strip(node.inputs.get(1).and_then(|&port| draft.value(port)))
}

/// True for a node that only forwards its input.
fn is_identity(draft: &Draft<'_>, node: &DraftNode<'_>) -> bool {
    matches!(strip(draft, node), Some(Strip::Basic(Basic::Identity)))
}

/// True for a reduction along axes that may be the innermost ones.
fn is_by_rows(draft: &Draft<'_>, node: &DraftNode<'_>) -> bool {
    let axes = || node.inputs.get(1).and_then(|&port| draft.value(port)?.to_i64s().ok());
    matches!(strip(draft, node), Some(Strip::Row(_))) && axes().is_some_and(|axes| strips::Row::may_take(&axes))
}

/// True for a node that can be in a group.
fn can_fuse(draft: &Draft<'_>, node: &DraftNode<'_>) -> bool {
    let is_plain = |t: &EdgeType| !t.is_ref && t.dtype.is_plain();
    node.values.is_none()
        && (is_elementwise(node) || is_identity(draft, node) || is_by_rows(draft, node))
        && node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful())
        && node.output_types.len() == 1
        && !node.inputs.is_empty()
        && node.output_types.iter().chain(&*node.input_types).all(is_plain)
        && !node.inputs.iter().any(|port| draft.ref_ports.contains(port))
}

/// True if a node can join a group that all its consumers are in.
fn fits(draft: &Draft<'_>, group: &Growing, at: NodeIx, limits: FuseLimits, deadness: &Deadness) -> bool {
    let node = draft.node(at);
    let fits = match strip(draft, node) {
        // Without `keep_dims` the result would be broadcast along other axes.
        Some(Strip::Row(row)) => group.by_strips && row.keep_dims,
        Some(Strip::Basic(Basic::Identity)) => group.has_rows,
        Some(_) => true,
        None => !group.has_rows,
    };
    if !fits {
        return false;
    }
    // Scalars that are known before the run need not be copied to a device as tensors.
    let counts = |port: &&Port| !draft.value(**port).is_some_and(|t| t.num_elements() == 1 && t.dtype().size() <= 4);
    let kept = group.inputs.iter().filter(|port| port.node != at).filter(counts).count();
    let new = node.inputs.iter().filter(|port| !group.inputs.contains(port)).filter(counts).count();
    group.members.len() < limits.parts
        && kept + new <= limits.inputs
        && group.members.first().is_some_and(|&last| {
            let other = draft.node(last);
            (node.device, node.frame) == (other.device, other.frame) && deadness.of(last) == deadness.of(at)
        })
}

/// The node that computes a group; `None` if the device has none.
fn fused<'g>(draft: &Draft<'g>, cx: &PassCx<'_>, group: &Growing) -> Option<DraftNode<'g>> {
    let mut members = group.members.clone();
    members.reverse();
    // In draft order, so that inputs come first.
    let last = *members.last()?;
    members.sort_unstable();
    if members.last() != Some(&last) {
        return None;
    }
    let device = &cx.placement.devices[draft.node(last).device as usize];
    let part: HashMap<NodeIx, usize> = members.iter().copied().zip(0..).collect();
    let input: HashMap<Port, usize> = group.inputs.iter().copied().zip(0..).collect();
    let mut types: Vec<Option<EdgeType>> = vec![None; group.inputs.len()];
    let mut parts = Vec::with_capacity(members.len());
    for &at in &members {
        let node = draft.node(at);
        let mut origins = Vec::with_capacity(node.inputs.len());
        for (source, ty) in node.inputs.iter().zip(&*node.input_types) {
            origins.push(match input.get(source) {
                Some(&i) => {
                    types[i] = Some(*ty);
                    Origin::Input(i)
                }
                None => Origin::Part(*part.get(&source.node)?),
            });
        }
        let op = node.graph_node()?.op.clone();
        parts.push((op, node.kernel.clone()?, node.meta(device.name().clone()), origins));
    }
    let known = group.inputs.iter().map(|port| draft.value(*port).cloned()).collect();
    let fused = Arc::new(Group::new(parts, known));
    let kernel = device.fuse(&fused)?;
    let last = draft.node(last);
    Some(DraftNode {
        inputs: group.inputs.iter().copied().collect(),
        input_types: types.into_iter().collect::<Option<Vec<_>>>()?.into(),
        output_types: last.output_types.clone(),
        device: last.device,
        frame: last.frame,
        join: last.join,
        cost: cost(&*kernel, members.len()),
        members: members.iter().map(|&at| draft.node(at).name.clone()).collect(),
        group: Some(fused),
        member_ops: members.iter().map(|&at| draft.node(at).op).collect(),
        ..DraftNode::new(last.name.clone(), last.op, Some(kernel))
    })
}
