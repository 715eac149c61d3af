//! Small plans for tests.
#![cfg_attr(any(loom, shuttle), allow(dead_code))]

use crate::partial::{FeedKernel, FetchKernel};
use crate::plan::{
    FETCH, FrameLayout, NodeCost, NodeIx, NodeKind, Plan, PlanEdge, PlanFeed, PlanNames, PlanNode, PlanTables, Span,
};
use crate::step::MEASURE_FIRST;
use levada_graph::{DType, PartialShape, Result, Tensor};
use levada_kernel::kernel::Cost;
use levada_kernel::{AnyKernel, Io, Nature, NodeMeta};
use std::collections::HashMap;
use std::sync::Arc;

/// A plan of nodes with one output each (a switch has two).
pub(crate) struct Sketch {
    costs: Vec<u32>,
    edges: Vec<(NodeIx, u32, NodeIx)>,
    controls: Vec<(NodeIx, NodeIx)>,
    kinds: HashMap<NodeIx, NodeKind>,
    kernels: HashMap<NodeIx, Arc<dyn AnyKernel>>,
    /// Number of the frame of nodes that are not in the root frame.
    frame_of: HashMap<NodeIx, u32>,
    /// The frame around each frame, and its maximum number of concurrent iterations; without the root.
    frames: Vec<(u32, u32)>,
    feeds: Vec<NodeIx>,
    fetches: Vec<(NodeIx, u32)>,
    /// Numbers of the feeds and of the fetches that are nodes, the last ones of the plan.
    partial: (u32, u32),
    /// True if kernels are marked as done when they return.
    is_synchronous: bool,
    /// True if the first steps are not measured.
    is_known: bool,
    nature: Nature,
}

/// A kernel that is a closure.
struct Closure<F>(F);

impl<F: Fn(&mut Io<'_>) -> Result<()> + Send + Sync> AnyKernel for Closure<F> {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        (self.0)(io)
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

/// One more than the sum of the inputs.
fn count_inputs(io: &mut Io<'_>) -> Result<()> {
    let mut sum = 1;
    for i in 0..io.num_inputs() {
        sum += io.slice::<i64>(i)?[0];
    }
    io.set(0, Tensor::scalar(sum));
    Ok(())
}

/// The kernel of a merge: passes on the input that has arrived.
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
    /// Nodes with these costs in nanoseconds.
    pub(crate) fn of(costs: &[u32]) -> Sketch {
        Sketch {
            costs: costs.to_vec(),
            edges: Vec::new(),
            controls: Vec::new(),
            kinds: HashMap::new(),
            kernels: HashMap::new(),
            frame_of: HashMap::new(),
            frames: Vec::new(),
            feeds: Vec::new(),
            fetches: Vec::new(),
            partial: (0, 0),
            is_synchronous: false,
            is_known: false,
            nature: Nature::default(),
        }
    }

    #[cfg(any(loom, shuttle))]
    /// The first steps are not measured, as if others had been.
    pub(crate) fn known(mut self) -> Sketch {
        self.is_known = true;
        self
    }

    #[cfg(any(loom, shuttle))]
    /// What the nodes do, for observers and choosers.
    pub(crate) fn nature(mut self, nature: Nature) -> Sketch {
        self.nature = nature;
        self
    }

    /// Other costs for the first nodes.
    pub(crate) fn cost(mut self, costs: &[u32]) -> Sketch {
        self.costs[..costs.len()].copy_from_slice(costs);
        self
    }

    /// Sets whether the kernels are done when they return.
    pub(crate) fn synchronous(mut self, is_synchronous: bool) -> Sketch {
        self.is_synchronous = is_synchronous;
        self
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

    /// Sets the kind of a node that is not plain.
    pub(crate) fn kind(mut self, node: NodeIx, kind: NodeKind) -> Sketch {
        self.kinds.insert(node, kind);
        self
    }

    /// Sets what a node does, in place of counting.
    pub(crate) fn acts(
        mut self,
        node: NodeIx,
        act: impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static,
    ) -> Sketch {
        self.kernels.insert(node, Arc::new(Closure(act)));
        self
    }

    /// A new frame in frame `parent`, with these nodes and this many concurrent iterations.
    pub(crate) fn frame(mut self, parent: u32, parallel_iterations: u32, nodes: &[NodeIx]) -> Sketch {
        self.frames.push((parent, parallel_iterations));
        let number = self.frames.len() as u32;
        self.frame_of.extend(nodes.iter().map(|&node| (node, number)));
        self
    }

    #[cfg(any(loom, shuttle))]
    /// More nodes of a frame.
    pub(crate) fn with_frame(mut self, frame: u32, nodes: &[NodeIx]) -> Sketch {
        self.frame_of.extend(nodes.iter().map(|&node| (node, frame)));
        self
    }

    #[cfg(shuttle)]
    /// Nests a frame in another.
    pub(crate) fn nested(mut self, frame: u32, parent: u32) -> Sketch {
        self.frames[frame as usize - 1].0 = parent;
        self
    }

    /// One more input of a node, an int64 scalar, which is fed.
    pub(crate) fn feed(mut self, node: NodeIx) -> Sketch {
        self.feeds.push(node);
        self
    }

    /// For a partial run: the last nodes are this many feeds and fetches.
    pub(crate) fn partial(mut self, feeds: u32, fetches: u32) -> Sketch {
        self.partial = (feeds, fetches);
        let first = self.costs.len() as u32 - feeds - fetches;
        for feed in 0..feeds {
            self.kernels.insert(first + feed, Arc::new(FeedKernel(feed as usize)));
        }
        for fetch in 0..fetches {
            let kernel = FetchKernel { fetch: fetch as usize, name: format!("fetch {fetch}").into() };
            self.kernels.insert(first + feeds + fetch, Arc::new(kernel));
        }
        self
    }

    /// Fetches a node's output.
    pub(crate) fn fetch(mut self, node: NodeIx, output: u32) -> Sketch {
        self.fetches.push((node, output));
        self
    }

    /// The plan.
    pub(crate) fn plan(&self) -> Arc<Plan> {
        let plan = Plan::new(self.tables()).expect("the tables of a sketch fit together");
        if self.is_known {
            for _ in 0..MEASURE_FIRST {
                plan.count_step();
            }
        }
        Arc::new(plan)
    }

    /// The tables of the plan.
    pub(crate) fn tables(&self) -> PlanTables {
        let count = self.costs.len();
        let mut plan = PlanTables { has_control_flow: !self.kinds.is_empty(), ..PlanTables::default() };
        let frames = std::iter::once(&(0, 1)).chain(&self.frames);
        plan.frames = frames
            .map(|&(parent, parallel_iterations)| FrameLayout { parent, parallel_iterations, ..FrameLayout::default() })
            .collect();
        let frame_of = |node: NodeIx| self.frame_of.get(&node).copied().unwrap_or(0);
        let mut inputs: Vec<Vec<(NodeIx, u32)>> = vec![Vec::new(); count];
        self.edges.iter().for_each(|&(from, output, to)| inputs[to as usize].push((from, output)));
        // Where the outputs of each node, and then each feed, go.
        let mut outgoing: Vec<Vec<PlanEdge>> = vec![Vec::new(); count + self.feeds.len()];
        let edge = |output, slot, node| PlanEdge { output, slot, node, last: false };
        let mut spans = Vec::new();
        for (node, inputs) in (0..).zip(&inputs) {
            let slots = &mut plan.frames[frame_of(node) as usize].slots;
            let start = *slots;
            let feeds = (count..).zip(&self.feeds).filter(|(_, to)| **to == node).map(|(feed, _)| (feed as NodeIx, 0));
            for (from, output) in inputs.iter().copied().chain(feeds) {
                outgoing[from as usize].push(edge(output, *slots, node));
                *slots += 1;
            }
            spans.push(Span { start, end: *slots });
        }
        let root = &mut plan.frames[0];
        let start = root.slots;
        for &(from, output) in &self.fetches {
            outgoing[from as usize].push(edge(output, root.slots, FETCH));
            plan.fetch_names.push(format!("{from}:{output}").into());
            root.slots += 1;
        }
        plan.fetches = Span { start, end: root.slots };
        let mut after: Vec<Vec<NodeIx>> = vec![Vec::new(); count];
        let mut waits = vec![0u64; count];
        for &(from, to) in &self.controls {
            after[from as usize].push(to);
            waits[to as usize] += 1;
        }
        let mut edge_spans = Vec::new();
        for mut edges in outgoing {
            edges.sort_by_key(|e| e.output);
            for at in 0..edges.len() {
                edges[at].last = edges.get(at + 1).is_none_or(|next| next.output != edges[at].output);
            }
            let start = plan.edges.len() as u32;
            plan.edges.extend(edges);
            edge_spans.push(Span { start, end: plan.edges.len() as u32 });
        }
        for (i, &cost) in self.costs.iter().enumerate() {
            let node = i as NodeIx;
            let kind = self.kinds.get(&node).copied().unwrap_or(NodeKind::Plain);
            let frame = &mut plan.frames[frame_of(node) as usize];
            let pending = frame.pending.len() as u32;
            frame.pending.push(match kind {
                NodeKind::Merge => 1 + 2 * waits[i],
                _ => inputs[i].len() as u64 + waits[i],
            });
            frame.nodes.push(node);
            if kind == NodeKind::Exit {
                frame.exits.push(node);
            }
            if frame.pending[pending as usize] == 0 {
                plan.roots.push(node);
            }
            let first_control = plan.controls.len() as u32;
            plan.controls.extend(&after[i]);
            let kernel = match (self.kernels.get(&node), kind) {
                (Some(kernel), _) => kernel.clone(),
                (None, NodeKind::Merge) => Arc::new(Closure(merge)),
                (None, _) => Arc::new(Closure(count_inputs)),
            };
            let is_fetch = i + (self.partial.1 as usize) >= count;
            let outputs = match kind {
                NodeKind::Switch => 2,
                _ if is_fetch => 0,
                _ => 1,
            };
            plan.nodes.push(PlanNode {
                kernel,
                inputs: spans[i],
                edges: edge_spans[i],
                controls: Span { start: first_control, end: plan.controls.len() as u32 },
                outputs,
                frame: frame_of(node),
                pending,
                cost: NodeCost::new(cost),
                kind,
                reads_refs: false,
            });
            let meta = NodeMeta {
                name: format!("n{i}").into(),
                op: "Test",
                device: "/device:CPU:0".into(),
                outputs: vec![DType::I64; outputs as usize].into(),
                used: None,
                in_loop: false,
            };
            let (reads_refs, fused, fused_ops) = (Box::default(), Box::default(), Box::default());
            let (nature, is_synchronous) = (self.nature.clone(), self.is_synchronous);
            plan.names.push(PlanNames { meta, reads_refs, fused, nature, is_synchronous, fused_ops });
        }
        let feed = |(i, edges): (usize, &Span)| PlanFeed {
            name: format!("feed {i}").into(),
            dtype: DType::I64,
            shape: PartialShape::scalar(),
            edges: *edges,
        };
        plan.feeds = edge_spans[count..].iter().enumerate().map(feed).collect();
        let (feeds, fetches) = self.partial;
        plan.later = (0..feeds as usize).map(|i| feed((i, &Span::default()))).collect();
        plan.first_partial = count as u32 - feeds - fetches;
        plan.fetch_names.extend((0..fetches).map(|i| format!("fetch {i}").into()));
        plan
    }
}
