//! Fuses epilogues into products: replaces a product and the biases, normalizations, sums and activations after it by
//! one node, which applies them to each part of the result while it is in cache.
//!
//! A chain is a product followed by nodes each of which is the only consumer, by data or control, of the one before.
//! The invariants of [`fuse`](super::fuse) groups hold for chains: only the last node's result is visible outside, and
//! all nodes are dead together.

use super::deadness::Deadness;
use crate::draft::{Draft, DraftNode, NodeIx, Port, cost};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::spec::Role;
use levada_graph::{EdgeType, Result};
use levada_kernel::group::Origin;
use levada_kernel::{AnyDevice, AnyKernel, Epilogue, Function, Group};
use smallvec::SmallVec;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "finish",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

/// The maximum number of nodes after a product: a few per-channel vectors, a sum and an activation of two nodes.
const MOST: usize = 8;

/// A product and the nodes after it.
struct Chain {
    nodes: Vec<NodeIx>,
    /// Lengths at which the chain may end.
    ends: Vec<usize>,
}

/// By node number, the consumers of output 0; `None` if the node is also seen by anything else.
pub(super) type Consumers = Vec<Option<SmallVec<[NodeIx; 2]>>>;

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let products: Vec<NodeIx> = draft.existing().filter(|&at| is_product(draft.node(at))).collect();
    if products.is_empty() {
        return Ok(false);
    }
    let consumers = consumers(draft);
    let running = draft.running();
    let deadness = Deadness::find(draft, &running);
    let mut changed = false;
    for product in products {
        let chain = chain(draft, product, &consumers, &deadness);
        let longest = chain.ends.iter().rev().map(|&end| &chain.nodes[..end]);
        let found = longest.into_iter().find_map(|nodes| Some((nodes, finished(draft, cx, nodes)?)));
        if let Some((nodes, node)) = found {
            draft.replace(nodes, node);
            changed = true;
        }
    }
    Ok(changed)
}

pub(super) fn consumers(draft: &Draft<'_>) -> Consumers {
    let mut consumers: Consumers = vec![Some(SmallVec::new()); draft.nodes.len()];
    for at in draft.existing() {
        let node = draft.node(at);
        node.controls.iter().for_each(|&before| consumers[before as usize] = None);
        for port in &node.inputs {
            let seen = &mut consumers[port.node as usize];
            match seen {
                Some(all) if port.output == 0 && !node.is_fetch() => all.push(at),
                _ => *seen = None,
            }
        }
        if node.is_pinned {
            consumers[at as usize] = None;
        }
    }
    consumers
}

/// True for a node that can be in a chain if its kernel supports it.
pub(super) fn is_plain(node: &DraftNode<'_>) -> bool {
    node.values.is_none()
        && node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful())
        && !node.inputs.is_empty()
        && node.output_types.first().is_some_and(|t| !t.is_ref && Epilogue::is_for(t.dtype))
}

fn is_product(node: &DraftNode<'_>) -> bool {
    node.exists() && is_plain(node) && node.kernel.as_ref().is_some_and(|k| k.finishes())
}

/// The product and the nodes after it that may be computed with it.
fn chain(draft: &Draft<'_>, product: NodeIx, consumers: &Consumers, deadness: &Deadness) -> Chain {
    let mut chain = Chain { nodes: vec![product], ends: Vec::new() };
    let (mut last, first) = (product, draft.node(product));
    let is_ref = |node: &DraftNode<'_>| node.inputs.iter().any(|port| draft.ref_ports.contains(port));
    // In a loop a consumer may come before its input.
    let follows = |at: NodeIx, before: NodeIx| {
        let node = draft.node(at);
        let alike = (node.device, node.frame) == (first.device, first.frame)
            && deadness.of(at) == deadness.of(product)
            && !is_ref(node)
            && at > before;
        if alike && node.exists() && is_plain(node) { node.kernel.as_ref()?.epilogue() } else { None }
    };
    if is_ref(first) || first.output_types.len() != 1 || !first.exists() {
        return chain;
    }
    while chain.nodes.len() <= MOST {
        let Some(after) = &consumers[last as usize] else { break };
        match after[..] {
            [next] if follows(next, last).is_some() => {
                chain.nodes.push(next);
                last = next;
            }
            [a, b] => {
                let (inner, outer) = if a < b { (a, b) } else { (b, a) };
                let only = |at: NodeIx| match consumers[at as usize].as_deref() {
                    Some(&[next]) => Some((next, follows(next, at)?)),
                    _ => None,
                };
                // The factor in x * sigmoid(x) and in x * (relu6(x + 3) / 6).
                let factor: Option<SmallVec<[NodeIx; 3]>> = match follows(inner, last) {
                    Some(Epilogue::Function(Function::Sigmoid)) => Some(SmallVec::from_slice(&[inner])),
                    Some(Epilogue::Add) => match only(inner) {
                        Some((clipped, Epilogue::Function(Function::Relu6))) => match only(clipped) {
                            Some((quotient, Epilogue::Div)) => Some(SmallVec::from_slice(&[inner, clipped, quotient])),
                            _ => None,
                        },
                        _ => None,
                    },
                    _ => None,
                };
                let Some(factor) = factor else { break };
                if factor.last().and_then(|&at| only(at)) != Some((outer, Epilogue::Mul)) {
                    break;
                }
                chain.nodes.extend(factor);
                chain.nodes.push(outer);
                last = outer;
            }
            _ => break,
        }
        chain.ends.push(chain.nodes.len());
    }
    chain
}

/// The node that computes a chain; `None` if the device has none.
fn finished<'g>(draft: &Draft<'g>, cx: &PassCx<'_>, chain: &[NodeIx]) -> Option<DraftNode<'g>> {
    joined(draft, cx, chain, |device, group| device.finish(group))
}

/// The node that computes these nodes with the kernel that `make` gives, each after those whose output it takes; `None` if there
/// is none.
pub(super) fn joined<'g>(
    draft: &Draft<'g>,
    cx: &PassCx<'_>,
    chain: &[NodeIx],
    make: impl Fn(&dyn AnyDevice, &Arc<Group>) -> Option<Arc<dyn AnyKernel>>,
) -> Option<DraftNode<'g>> {
    let last = draft.node(*chain.last()?);
    let device = &cx.placement.devices[last.device as usize];
    let mut inputs: SmallVec<[Port; 2]> = SmallVec::new();
    let mut types: Vec<EdgeType> = Vec::new();
    let mut parts = Vec::with_capacity(chain.len());
    for &at in chain {
        let node = draft.node(at);
        let origins = node.inputs.iter().zip(&*node.input_types).map(|(source, ty)| {
            if let Some(part) = chain.iter().position(|&member| member == source.node) {
                return Origin::Part(part);
            }
            inputs.push(*source);
            types.push(*ty);
            Origin::Input(inputs.len() - 1)
        });
        let origins = origins.collect();
        parts.push((node.graph_node()?.op.clone(), node.kernel.clone()?, node.meta(device.name().clone()), origins));
    }
    let known = inputs.iter().map(|port| draft.value(*port).cloned()).collect();
    let group = Arc::new(Group::new(parts, known));
    let kernel = make(&**device, &group)?;
    Some(DraftNode {
        inputs,
        input_types: types.into(),
        output_types: vec![*last.output_types.first()?].into(),
        device: last.device,
        frame: last.frame,
        join: last.join,
        cost: cost(&*kernel, chain.len()),
        members: chain.iter().flat_map(|&at| draft.node(at).computes()).cloned().collect(),
        group: Some(group),
        member_ops: chain.iter().flat_map(|&at| draft.node(at).computes_ops()).copied().collect(),
        ..DraftNode::new(last.name.clone(), last.op, Some(kernel))
    })
}
