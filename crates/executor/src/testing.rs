//! Small plans for tests.

use crate::plan::{FETCH, FrameLayout, NodeCost, NodeIx, NodeKind, Plan, PlanEdge, PlanNames, PlanNode, Span};
use crate::step::Ready;
use levada_graph::{DType, Result, Tensor};
use levada_kernel::kernel::Cost;
use levada_kernel::{AnyKernel, Io, NodeMeta};
use std::collections::HashMap;
use std::sync::Arc;

/// A plan of nodes with one output each (a switch has two), all in the root frame.
pub(crate) struct Sketch {
    costs: Vec<u32>,
    edges: Vec<(NodeIx, u32, NodeIx)>,
    controls: Vec<(NodeIx, NodeIx)>,
    kinds: HashMap<NodeIx, NodeKind>,
    kernels: HashMap<NodeIx, Arc<dyn AnyKernel>>,
    fetches: Vec<(NodeIx, u32)>,
}

/// A kernel that is a closure.
struct Act<F>(F);

impl<F: Fn(&mut Io<'_>) -> Result<()> + Send + Sync> AnyKernel for Act<F> {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        (self.0)(io)
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

/// One more than the sum of the inputs.
fn count(io: &mut Io<'_>) -> Result<()> {
    let mut sum = 1;
    for i in 0..io.num_inputs() {
        sum += io.slice::<i64>(i)?[0];
    }
    io.set(0, Tensor::scalar(sum));
    Ok(())
}

/// What a merge's kernel does: passes the input on that has arrived.
fn merge(io: &mut Io<'_>) -> Result<()> {
    for i in 0..io.num_inputs() {
        if let Ok(tensor) = io.input(i) {
            let tensor = tensor.clone();
            io.set(0, tensor);
            break;
        }
    }
    Ok(())
}

impl Sketch {
    /// Nodes that take so many nanoseconds.
    pub(crate) fn of(costs: &[u32]) -> Sketch {
        Sketch {
            costs: costs.to_vec(),
            edges: Vec::new(),
            controls: Vec::new(),
            kinds: HashMap::new(),
            kernels: HashMap::new(),
            fetches: Vec::new(),
        }
    }

    /// Data edges from first outputs.
    pub(crate) fn edges(mut self, edges: &[(NodeIx, NodeIx)]) -> Sketch {
        self.edges.extend(edges.iter().map(|&(from, to)| (from, 0, to)));
        self
    }

    /// A data edge.
    pub(crate) fn edge(mut self, from: NodeIx, output: u32, to: NodeIx) -> Sketch {
        self.edges.push((from, output, to));
        self
    }

    /// Control edges.
    pub(crate) fn controls(mut self, controls: &[(NodeIx, NodeIx)]) -> Sketch {
        self.controls.extend(controls);
        self
    }

    /// Another kind for a node than plain.
    pub(crate) fn kind(mut self, node: NodeIx, kind: NodeKind) -> Sketch {
        self.kinds.insert(node, kind);
        self
    }

    /// What a node does, in place of counting.
    pub(crate) fn acts(
        mut self,
        node: NodeIx,
        act: impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static,
    ) -> Sketch {
        self.kernels.insert(node, Arc::new(Act(act)));
        self
    }

    /// Fetches a node's output.
    pub(crate) fn fetch(mut self, node: NodeIx, output: u32) -> Sketch {
        self.fetches.push((node, output));
        self
    }

    /// The plan.
    pub(crate) fn plan(&self) -> Arc<Plan> {
        let mut plan = Plan { has_control_flow: !self.kinds.is_empty(), ..Plan::default() };
        let mut root = FrameLayout::default();
        let mut inputs: Vec<Vec<(NodeIx, u32)>> = vec![Vec::new(); self.costs.len()];
        self.edges.iter().for_each(|&(from, output, to)| inputs[to as usize].push((from, output)));
        // Where each node's outputs go.
        let mut outgoing: Vec<Vec<PlanEdge>> = vec![Vec::new(); self.costs.len()];
        let edge = |output, slot, node| PlanEdge { output, slot, node, last: false };
        let mut spans = Vec::new();
        for (node, inputs) in inputs.iter().enumerate() {
            let start = root.slots;
            for &(from, output) in inputs {
                outgoing[from as usize].push(edge(output, root.slots, node as NodeIx));
                root.slots += 1;
            }
            spans.push(Span { start, end: root.slots });
        }
        let start = root.slots;
        for &(from, output) in &self.fetches {
            outgoing[from as usize].push(edge(output, root.slots, FETCH));
            plan.fetch_names.push(format!("{from}:{output}").into());
            root.slots += 1;
        }
        plan.fetches = Span { start, end: root.slots };
        let mut after: Vec<Vec<NodeIx>> = vec![Vec::new(); self.costs.len()];
        let mut waits = vec![0u64; self.costs.len()];
        for &(from, to) in &self.controls {
            after[from as usize].push(to);
            waits[to as usize] += 1;
        }
        for (i, &cost) in self.costs.iter().enumerate() {
            let node = i as NodeIx;
            let kind = self.kinds.get(&node).copied().unwrap_or(NodeKind::Plain);
            let pending = match kind {
                NodeKind::Merge => 1 + 2 * waits[i],
                _ => inputs[i].len() as u64 + waits[i],
            };
            if pending == 0 {
                plan.roots.push(node);
            }
            root.pending.push(pending);
            root.nodes.push(node);
            let mut edges = std::mem::take(&mut outgoing[i]);
            edges.sort_by_key(|e| e.output);
            for at in 0..edges.len() {
                edges[at].last = edges.get(at + 1).is_none_or(|next| next.output != edges[at].output);
            }
            let (first, first_control) = (plan.edges.len() as u32, plan.controls.len() as u32);
            plan.edges.extend(edges);
            plan.controls.extend(&after[i]);
            let kernel = match (self.kernels.get(&node), kind) {
                (Some(kernel), _) => kernel.clone(),
                (None, NodeKind::Merge) => Arc::new(Act(merge)),
                (None, _) => Arc::new(Act(count)),
            };
            let outputs = if kind == NodeKind::Switch { 2 } else { 1 };
            plan.nodes.push(PlanNode {
                kernel,
                inputs: spans[i],
                edges: Span { start: first, end: plan.edges.len() as u32 },
                controls: Span { start: first_control, end: plan.controls.len() as u32 },
                outputs,
                frame: 0,
                pending: node,
                cost: NodeCost::new(cost),
                kind,
                reads_refs: false,
            });
            let meta = NodeMeta {
                name: format!("n{i}").into(),
                op: "Test",
                device: "/device:CPU:0".into(),
                outputs: vec![DType::I64; outputs as usize].into(),
            };
            plan.names.push(PlanNames { meta, reads_refs: Box::default(), fused: Box::default() });
        }
        plan.frames.push(root);
        Arc::new(plan)
    }
}

impl Ready {
    /// A live node of the root frame.
    pub(crate) fn of(node: NodeIx) -> Ready {
        Ready { node, dead: false, act: None, since: 0 }
    }
}
