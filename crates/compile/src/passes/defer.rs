//! Adds products to sums that loops carry, such as gradients of weights, several at a time.
//!
//! A sum goes from a `Merge` by a `Switch` to the node that adds a product to it, and from there by a `NextIteration` back to the
//! `Merge`; after the last iteration it leaves by an `Exit`. If nothing else sees it within the loop, it may stay incomplete there: a
//! kernel of the device keeps the factors of a few products with it, and a node after the `Exit` adds what is left.

use crate::draft::{Draft, DraftNode, NodeIx, Port, cost};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_executor::NodeKind;
use levada_graph::Result;
use levada_kernel::Carried;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    name: "defer",
    is_on: |cx| cx.options.fuse && !cx.partial,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

/// A sum that a loop carries.
struct Ring {
    /// The node that adds a product to it.
    adds: NodeIx,
    exit: NodeIx,
    kernels: Carried,
}

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let nexts: Vec<NodeIx> = draft.existing().filter(|&at| draft.node(at).kind == NodeKind::NextIteration).collect();
    if nexts.is_empty() {
        return Ok(false);
    }
    let uses = Uses::of(draft);
    let rings: Vec<Ring> = nexts.into_iter().filter_map(|next| ring(draft, cx, &uses, next)).collect();
    let mut settled: HashMap<Port, Port> = HashMap::new();
    let (first, count) = (draft.nodes.len() as NodeIx, rings.len() as NodeIx);
    settled.extend((first..first + count).zip(&rings).map(|(at, ring)| (output(ring.exit), output(at))));
    draft.redirect(|port| settled.get(&port).copied().unwrap_or(port), |before| before);
    for Ring { adds, exit, kernels } in rings {
        draft.nodes[adds as usize].kernel = Some(kernels.accumulate);
        let (adds, exit_node) = (draft.node(adds), draft.node(exit));
        let types = exit_node.output_types.clone();
        let node = DraftNode {
            inputs: [output(exit)].into_iter().collect(),
            input_types: types.clone(),
            output_types: types,
            device: exit_node.device,
            frame: draft.frames[exit_node.frame as usize].parent,
            join: adds.join,
            cost: cost(&*kernels.settle, 1),
            ..DraftNode::new(format!("{}/settle", adds.name).into(), "Settle", Some(kernels.settle))
        };
        draft.append(node);
    }
    Ok(count > 0)
}

fn output(node: NodeIx) -> Port {
    Port { node, output: 0 }
}

/// The ring of the sum that a `NextIteration` hands on, if there is one that may stay incomplete within the loop.
fn ring(draft: &Draft<'_>, cx: &PassCx<'_>, uses: &Uses, next: NodeIx) -> Option<Ring> {
    let adds = draft.node(next).inputs.first()?.node;
    let merge = uses.only(output(next))?;
    let switch = uses.only(output(merge))?;
    let exit = uses.only(output(switch))?;
    let kinds = [next, merge, switch, exit].map(|at| draft.node(at).kind);
    if kinds != [NodeKind::NextIteration, NodeKind::Merge, NodeKind::Switch, NodeKind::Exit] {
        return None;
    }
    let (sum, node) = (Port { node: switch, output: 1 }, draft.node(adds));
    let is_ring = uses.only(output(adds)) == Some(next)
        && uses.only(sum) == Some(adds)
        && !uses.is_used(Port { node: merge, output: 1 })
        && draft.node(switch).inputs.first() == Some(&output(merge));
    let ring = [next, merge, switch, adds];
    let is_plain = |&at: &NodeIx| {
        let node = draft.node(at);
        let is_ref = node.inputs.iter().any(|port| draft.ref_ports.contains(port));
        !node.is_pinned && !is_ref && !uses.orders(at) && node.device == draft.node(exit).device
    };
    if !is_ring || !ring.iter().all(is_plain) || draft.node(exit).is_pinned {
        return None;
    }
    let kernels = cx.placement.devices[node.device as usize].carry(node.group.as_ref()?)?;
    (node.inputs.get(kernels.sum) == Some(&sum)).then_some(Ring { adds, exit, kernels })
}

/// What uses each output, and which nodes others wait for.
struct Uses {
    ports: HashMap<Port, Vec<NodeIx>>,
    controls: Vec<bool>,
}

impl Uses {
    fn of(draft: &Draft<'_>) -> Uses {
        let mut uses = Uses { ports: HashMap::new(), controls: vec![false; draft.nodes.len()] };
        for at in draft.existing() {
            let node = draft.node(at);
            node.controls.iter().for_each(|&before| uses.controls[before as usize] = true);
            node.inputs.iter().for_each(|&port| uses.ports.entry(port).or_default().push(at));
        }
        uses
    }

    /// The node that uses an output, if there is exactly one and it does so once.
    fn only(&self, port: Port) -> Option<NodeIx> {
        match self.ports.get(&port)?[..] {
            [at] => Some(at),
            _ => None,
        }
    }

    fn is_used(&self, port: Port) -> bool {
        self.ports.contains_key(&port)
    }

    /// True if other nodes wait for this one.
    fn orders(&self, at: NodeIx) -> bool {
        self.controls[at as usize]
    }
}
