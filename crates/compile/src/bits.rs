//! Partial runs: a node for each feed, which waits for its value, and one for each fetch, which lays its value up.

use crate::prune::{Pruned, stands_for_its_feed};
use levada_executor::partial::{FEED_OP, FETCH_OP, FeedKernel, FetchKernel};
use levada_executor::{NodeCost, NodeIx, NodeKind, Plan, PlanNames, PlanNode, Span};
use levada_graph::{DType, Endpoint, Graph, NodeId};
use levada_kernel::{AnyKernel, NodeMeta};
use std::sync::Arc;

/// The numbers in the plan of the nodes for feeds and fetches: those of the feeds come first.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub(crate) first: NodeIx,
    pub(crate) feeds: usize,
}

impl Bits {
    /// The node of a feed.
    pub(crate) fn feed(self, feed: usize) -> NodeIx {
        self.first + feed as NodeIx
    }

    /// The node of a fetch.
    pub(crate) fn fetch(self, fetch: usize) -> NodeIx {
        self.feed(self.feeds + fetch)
    }

    /// The nodes of the fed placeholders that a node has as control inputs.
    pub(crate) fn before(self, graph: &Graph, pruned: &Pruned, node: NodeId) -> Vec<NodeIx> {
        let fed = graph.node(node).control_inputs.iter().filter(|&&c| stands_for_its_feed(graph, c, &pruned.feeds));
        fed.filter_map(|&c| Some(self.feed(*pruned.feeds.get(&Endpoint::from(c))?))).collect()
    }
}

/// Appends the node of a feed.
pub(crate) fn push_feed(plan: &mut Plan, feed: usize, name: &Arc<str>, dtype: DType, device: &Arc<str>) {
    let meta = NodeMeta { name: name.clone(), op: FEED_OP, device: device.clone(), outputs: [dtype].into() };
    let at = push(plan, Arc::new(FeedKernel(feed)), meta, Span::default(), 0, NodeKind::Plain);
    plan.roots.push(at);
}

/// Appends the node of a fetch; `waits` where its value is not known before the run.
pub(crate) fn push_fetch(plan: &mut Plan, fetch: usize, name: &Arc<str>, slot: u32, waits: bool, device: &Arc<str>) {
    let meta = NodeMeta { name: name.clone(), op: FETCH_OP, device: device.clone(), outputs: [].into() };
    let kernel = Arc::new(FetchKernel { fetch, name: name.clone() });
    let slots = Span { start: slot, end: slot + 1 };
    // As a transfer it runs also when its input is dead, to say so.
    let at = push(plan, kernel, meta, slots, u64::from(waits), NodeKind::Transfer);
    if !waits {
        plan.roots.push(at);
    }
}

fn push(
    plan: &mut Plan,
    kernel: Arc<dyn AnyKernel>,
    meta: NodeMeta,
    inputs: Span,
    waits: u64,
    kind: NodeKind,
) -> NodeIx {
    let at = plan.nodes.len() as NodeIx;
    let root = &mut plan.frames[0];
    let pending = root.pending.len() as u32;
    root.pending.push(waits);
    root.nodes.push(at);
    plan.nodes.push(PlanNode {
        kernel,
        inputs,
        edges: Span::default(),
        controls: Span::default(),
        outputs: meta.outputs.len() as u32,
        frame: 0,
        pending,
        cost: NodeCost::new(60),
        kind,
        reads_refs: false,
    });
    plan.names.push(PlanNames { meta, reads_refs: Box::default(), fused: Box::default() });
    at
}
