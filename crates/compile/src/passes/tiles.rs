//! Computes attention tile by tile: replaces a product, the nodes that scale and mask its result, their `Softmax` and the product that
//! takes it by one node, which never has all of that result in memory.
//!
//! Transposes of what the products take and of the result are part of that node. What holds for chains of [`finish`](super::finish) holds here: only the
//! last node's result is seen from outside, and all nodes are dead together.

use super::deadness::Deadness;
use super::finish::{Consumers, consumers, is_plain, joined};
use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_kernel::{Piecewise, Stage};

pub(crate) const PASS: Pass = Pass {
    name: "tiles",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

/// Nodes between two products, at most.
const MOST: usize = 12;

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let products: Vec<NodeIx> =
        draft.existing().filter(|&at| draft.node(at).exists() && stage(draft, at) == Some(Stage::Product)).collect();
    if products.len() < 2 {
        return Ok(false);
    }
    let (consumers, running) = (consumers(draft), draft.running());
    let deadness = Deadness::find(draft, &running);
    let mut changed = false;
    for second in products {
        let Some(chain) = (Finder { draft, consumers: &consumers, deadness: &deadness, second }).chain() else {
            continue;
        };
        if let Some(node) = joined(draft, cx, &chain, |device, group| device.tile(group)) {
            draft.replace(&chain, node);
            changed = true;
        }
    }
    Ok(changed)
}

/// The part that a node may play in a chain.
fn stage(draft: &Draft<'_>, at: NodeIx) -> Option<Stage> {
    let node = draft.node(at);
    node.kernel.as_ref().filter(|_| is_plain(node))?.stage()
}

/// What finds the chain that ends with a product.
struct Finder<'a, 'g> {
    draft: &'a Draft<'g>,
    consumers: &'a Consumers,
    deadness: &'a Deadness,
    second: NodeIx,
}

impl Finder<'_, '_> {
    /// The nodes of the chain, each after those whose output it takes.
    fn chain(&self) -> Option<Vec<NodeIx>> {
        let second = self.draft.node(self.second);
        if !self.fits(self.second) {
            return None;
        }
        let (taken, mut chain) = second
            .inputs
            .iter()
            .enumerate()
            .find_map(|(i, port)| Some((i, self.back(*port, self.second, false, MOST)?)))?;
        let first = *chain.first()?;
        let others =
            second.inputs.iter().enumerate().filter(|(i, _)| *i != taken).map(|(_, port)| (*port, self.second));
        let moved = self.draft.node(first).inputs.iter().map(|port| (*port, first)).chain(others);
        let moved = moved
            .filter_map(|(port, by)| self.only(port, by).filter(|&at| stage(self.draft, at) == Some(Stage::Moves)));
        let moved: Vec<NodeIx> = moved.collect();
        chain.push(self.second);
        chain.extend(moved);
        if let Some(&[next]) = self.consumers[self.second as usize].as_deref()
            && next > self.second
            && self.fits(next)
            && stage(self.draft, next) == Some(Stage::Moves)
            && self.draft.node(next).inputs.first() == Some(&Port { node: self.second, output: 0 })
        {
            chain.push(next);
        }
        chain.sort_unstable();
        Some(chain)
    }

    /// The nodes from a product to the one that this port is of, by way of a softmax, which is one of the nodes after the port if it
    /// `is_normal`.
    fn back(&self, port: Port, by: NodeIx, is_normal: bool, most: usize) -> Option<Vec<NodeIx>> {
        let (at, most) = (self.only(port, by)?, most.checked_sub(1)?);
        let node = self.draft.node(at);
        let kernel = node.kernel.as_ref()?;
        let mut chain = match kernel.stage() {
            Some(Stage::Product) if is_normal => return Some(vec![at]),
            Some(Stage::Rows) if !is_normal => self.back(*node.inputs.first()?, at, true, most)?,
            None if kernel.piecewise() != Piecewise::No => {
                node.inputs.iter().find_map(|&port| self.back(port, at, is_normal, most))?
            }
            _ => return None,
        };
        chain.push(at);
        Some(chain)
    }

    /// The node that a port is of, where nothing but `by` sees it and it can be in the chain.
    fn only(&self, port: Port, by: NodeIx) -> Option<NodeIx> {
        let is_seen = self.consumers[port.node as usize].as_deref() != Some(&[by]);
        // A loop's consumer comes before what it consumes.
        (!is_seen && port.node < by && self.fits(port.node)).then_some(port.node)
    }

    /// True where a node can be in one chain with the second product.
    fn fits(&self, at: NodeIx) -> bool {
        let (node, second) = (self.draft.node(at), self.draft.node(self.second));
        let is_ref = node.inputs.iter().any(|port| self.draft.ref_ports.contains(port));
        node.exists()
            && is_plain(node)
            && !is_ref
            && node.output_types.len() == 1
            && (node.device, node.frame) == (second.device, second.frame)
            && self.deadness.of(at) == self.deadness.of(self.second)
    }
}
