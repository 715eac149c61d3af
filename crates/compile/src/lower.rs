//! Writes the tables of a plan from a draft: numbers, slots, edges and counts as flat arrays.

use crate::Placement;
use crate::draft::{Draft, DraftNode, NodeIx, Port};
use levada_executor::{
    FETCH, FrameLayout, NodeCost, NodeKind, PlanEdge, PlanFeed, PlanNames, PlanNode, PlanTables, Span,
};
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::graph::Node;
use levada_graph::spec::{Act, Effect, Role};
use levada_graph::{DType, EdgeType};
use levada_kernel::transfer::RECV;
use levada_kernel::{Nature, NodeMeta, Used, Uses, finite, group};
use std::collections::HashMap;
use std::sync::Arc;

/// Stands for a number: the node is not in the plan.
const ABSENT: u32 = u32::MAX;

/// Writes the tables. `partial`: for a partial run, whose feeds and fetches are nodes.
pub(crate) fn lower(draft: &Draft<'_>, placement: &Placement<'_>, partial: bool) -> PlanTables {
    let running = draft.running();
    let listed: Vec<NodeIx> = (0..draft.nodes.len() as NodeIx).filter(|&at| running[at as usize]).collect();
    let mut numbers = vec![ABSENT; draft.nodes.len()];
    (0..).zip(&listed).for_each(|(number, &at)| numbers[at as usize] = number);
    let mut plan = PlanTables::default();
    plan.nodes.reserve_exact(listed.len());
    plan.names.reserve_exact(listed.len());
    plan.has_control_flow = draft.has_control_flow;
    plan.frames.extend(draft.frames.iter().map(|frame| FrameLayout {
        name: frame.name.clone(),
        parent: frame.parent,
        parallel_iterations: frame.parallel_iterations,
        ..FrameLayout::default()
    }));
    let used = draft.used();
    let mut writer = Writer { draft, plan, numbers, listed, used, edges: Vec::new(), controls: Vec::new() };
    for number in 0..writer.listed.len() as u32 {
        writer.node(number, placement);
    }
    writer.frames();
    writer.roots();
    writer.feeds_and_fetches(partial);
    writer.finish()
}

struct Writer<'d, 'g> {
    draft: &'d Draft<'g>,
    plan: PlanTables,
    /// Plan numbers by draft number, and the reverse.
    numbers: Vec<u32>,
    listed: Vec<NodeIx>,
    /// Which outputs of the nodes that call functions are used.
    used: HashMap<NodeIx, Arc<Used>>,
    /// Data edges with their sources: the plan's nodes, then its feeds.
    edges: Vec<(u32, PlanEdge)>,
    /// Control edges: source and target.
    controls: Vec<(u32, u32)>,
}

impl Writer<'_, '_> {
    /// Writes a node and its incoming edges.
    fn node(&mut self, number: u32, placement: &Placement<'_>) {
        let draft = self.draft;
        let at = self.listed[number as usize];
        let node = draft.node(at);
        let start = self.plan.frames[node.frame as usize].slots;
        let inputs = Span { start, end: start + node.inputs.len() as u32 };
        self.plan.frames[node.frame as usize].slots = inputs.end;
        let mut data = 0;
        for (slot, &port) in (start..).zip(&node.inputs) {
            data += u64::from(self.input(node, port, slot, number));
        }
        let awaited = node.controls.iter().map(|&before| self.numbers[before as usize]).filter(|&n| n != ABSENT);
        let edges = self.controls.len();
        self.controls.extend(awaited.map(|before| (before, number)));
        let control = (self.controls.len() - edges) as u64;
        let layout = &mut self.plan.frames[node.frame as usize];
        let pending = layout.pending.len() as u32;
        layout.pending.push(if node.kind == NodeKind::Merge { 1 + 2 * control } else { data + control });
        layout.nodes.push(number);
        if node.kind == NodeKind::Exit {
            layout.exits.push(number);
        }
        let device = &placement.devices[node.device as usize];
        let runs_on_host = device.memory().is_none();
        // A receive only starts the copy.
        let cost = match runs_on_host && node.op != RECV {
            true => NodeCost::new(node.cost),
            false => NodeCost::of_queueing(node.cost),
        };
        let device = device.name().clone();
        self.plan.nodes.push(PlanNode {
            kernel: node.kernel.clone().expect("a node that runs has a kernel"),
            inputs,
            edges: Span::default(),
            controls: Span::default(),
            outputs: node.output_types.len() as u32,
            frame: node.frame,
            pending,
            cost,
            kind: node.kind,
            reads_refs: !node.reads_refs.is_empty(),
        });
        self.plan.names.push(PlanNames {
            meta: NodeMeta { used: self.used.get(&at).cloned(), ..node.meta(device) },
            reads_refs: node.reads_refs.clone(),
            fused: node.members.clone(),
            nature: nature(node),
            is_synchronous: runs_on_host && is_synchronous(node),
            fused_ops: node.member_ops.clone(),
        });
    }

    /// Marks the frames in which no node waits.
    fn frames(&mut self) {
        let plan = &mut self.plan;
        plan.frames.iter_mut().for_each(|frame| frame.runs_at_once = true);
        for (node, names) in plan.nodes.iter().zip(&plan.names) {
            let runs_at_once = match node.kind {
                NodeKind::Plain => names.is_synchronous,
                NodeKind::Transfer | NodeKind::Relay => false,
                _ => true,
            };
            let mut frame = node.frame as usize;
            while !runs_at_once && std::mem::replace(&mut plan.frames[frame].runs_at_once, false) {
                frame = plan.frames[frame].parent as usize;
            }
        }
    }

    /// Adds an edge to a slot of the target, which is `node`; true if the target waits for it.
    fn input(&mut self, node: &DraftNode<'_>, port: Port, slot: u32, target: u32) -> bool {
        if let Some(value) = self.draft.value(port).filter(|_| node.kind != NodeKind::Merge) {
            self.plan.frames[node.frame as usize].constants.push((slot, value.clone()));
            return false;
        }
        let edge = PlanEdge { output: port.output, slot, node: target, last: false };
        let number = self.numbers[port.node as usize];
        // Feeds that are not nodes of the plan are present before anything runs.
        let is_fed = number == ABSENT;
        let feed = || self.listed.len() as u32 + port.node - self.draft.first_feed;
        self.edges.push((if is_fed { feed() } else { number }, edge));
        !is_fed
    }

    /// Lists the nodes that wait for nothing. The executor takes them from the end: first the nodes that passes
    /// appended, such as receives of feeds, then the nodes of the graph in depth-first order from the first.
    fn roots(&mut self) {
        let plan = &mut self.plan;
        let pending = |n: &PlanNode| plan.frames[n.frame as usize].pending[n.pending as usize];
        let roots = (0..).zip(&plan.nodes).filter(|(_, node)| pending(node) == 0).map(|(number, _)| number);
        let mut roots: Vec<u32> = roots.collect();
        let of_graph = roots.partition_point(|&number| self.listed[number as usize] < self.draft.first_feed);
        roots[..of_graph].reverse();
        plan.roots = roots;
    }

    fn feeds_and_fetches(&mut self, partial: bool) {
        let feeds = self.draft.feeds.iter().map(|feed| PlanFeed {
            name: feed.name.clone(),
            dtype: feed.dtype,
            shape: feed.shape.clone(),
            edges: Span::default(),
        });
        let first = self.plan.frames[0].slots;
        self.plan.fetches = Span { start: first, end: first };
        self.plan.fetch_names = self.draft.fetch_names().cloned().collect();
        if partial {
            self.plan.later = feeds.collect();
            let nodes_of_graph = self.listed.partition_point(|&at| at < self.draft.first_feed);
            self.plan.first_partial = nodes_of_graph as u32;
            return;
        }
        self.plan.feeds = feeds.collect();
        let draft = self.draft;
        for fetch in draft.nodes[draft.first_fetch() as usize..].iter().take_while(|n| n.is_fetch()) {
            for &port in &fetch.inputs {
                self.input(fetch, port, self.plan.fetches.end, FETCH);
                self.plan.fetches.end += 1;
            }
        }
        self.plan.frames[0].slots = self.plan.fetches.end;
    }

    /// Sorts the edges into the plan.
    fn finish(mut self) -> PlanTables {
        let sources = self.listed.len() + self.plan.feeds.len();
        let spans = group(&mut self.edges, sources, |(source, edge)| (*source, edge.output));
        self.plan.edges = self.edges.into_iter().map(|(_, edge)| edge).collect();
        for span in &spans {
            let edges = &mut self.plan.edges[span.range()];
            for i in 0..edges.len() {
                edges[i].last = edges.get(i + 1).is_none_or(|next| next.output != edges[i].output);
            }
        }
        let of_controls = group(&mut self.controls, self.listed.len(), |(source, _)| (*source, 0));
        self.plan.controls = self.controls.into_iter().map(|(_, target)| target).collect();
        for ((node, &edges), controls) in self.plan.nodes.iter_mut().zip(&spans).zip(of_controls) {
            (node.edges, node.controls) = (edges, controls);
        }
        for (feed, &edges) in self.plan.feeds.iter_mut().zip(&spans[self.listed.len()..]) {
            feed.edges = edges;
        }
        self.plan
    }
}

/// The nature of a node, for observers of the run.
fn nature(node: &DraftNode<'_>) -> Nature {
    let group = node.group.clone();
    let Some(of_graph) = node.graph_node() else {
        let computes = group.iter().flat_map(|group| group.parts.iter()).any(|part| part.is_looked_at);
        return Nature { computes, group, ..Nature::default() };
    };
    let spec = of_graph.spec();
    let is_opaque = |ty: &EdgeType| ty.is_ref || matches!(ty.dtype, DType::Resource | DType::Variant | DType::Str);
    let takes_opaque = of_graph.input_types.iter().any(is_opaque);
    let acts = spec.role == Role::Plain && !spec.forwards;
    let is_float = |ty: &EdgeType| finite::can_hold(ty.dtype);
    let gives_floats = of_graph.output_types.iter().any(is_float);
    let keeps = group::keeps_finite(spec, of_graph.output_types.iter().map(|ty| ty.dtype));
    // A variable that is accessed by reference.
    let is_cell = of_graph.inputs.is_empty() && of_graph.output_types.iter().any(|ty| ty.is_ref);
    let by_ref = of_graph.input_types.iter().any(|ty| ty.is_ref) && spec.effect != Some(Effect::Own);
    Nature {
        computes: acts && gives_floats && !keeps && spec.act.is_none() && !takes_opaque && !is_cell,
        brings: acts && gives_floats && (takes_opaque || is_cell),
        changes: acts && spec.act.is_none() && (by_ref || spec.effect == Some(Effect::Changes)),
        is_stateful: of_graph.op.is_stateful()
            || !node.reads_refs.is_empty()
            || of_graph.input_types.iter().chain(&of_graph.output_types).any(|ty| ty.is_ref),
        uses: uses(node, of_graph),
        calls: spec.role == Role::Call,
        group,
    }
}

/// Whether the node's kernel on the host has finished its work when it returns.
fn is_synchronous(node: &DraftNode<'_>) -> bool {
    let Some(node) = node.graph_node() else { return node.group.is_some() };
    let spec = node.spec();
    let is_handle = |ty: &EdgeType| matches!(ty.dtype, DType::Resource | DType::Variant);
    // Kernels that access variables, draw random numbers or keep tensors for a step do so before they return.
    let at_once = spec.effect.is_some() || spec.store.is_some();
    matches!(spec.role, Role::Plain | Role::Const | Role::LoopCond)
        && spec.act.is_none()
        && (at_once || !(node.op.is_stateful() || node.input_types.iter().any(is_handle)))
}

/// The state that a node uses.
fn uses(node: &DraftNode<'_>, of_graph: &Node) -> Uses {
    let spec = of_graph.spec();
    let types = || of_graph.input_types.iter();
    if !matches!(spec.role, Role::Plain | Role::Call) {
        return Uses::Nothing;
    }
    // A node that runs functions leaves state to the functions' nodes.
    let is_function = |value: &AttrValue| matches!(value, AttrValue::Func(_) | AttrValue::List(AttrList::Func(_)));
    if spec.role == Role::Call && of_graph.attrs.iter().any(|(_, value)| is_function(value)) {
        return Uses::Nothing;
    }
    let reads_refs = !node.reads_refs.is_empty() || types().any(|ty| ty.is_ref);
    match of_graph.op.is_stateful() {
        _ if reads_refs => Uses::Inputs,
        false => Uses::Nothing,
        true if spec.effect == Some(Effect::Own) => Uses::Own,
        true if types().any(|ty| ty.dtype == DType::Resource) => Uses::Inputs,
        true if of_graph.inputs.is_empty() && matches!(spec.act, None | Some(Act::Make)) => Uses::Own,
        true => Uses::Anything,
    }
}

/// Sorts edges by source, and within a source by output; the sort is stable. Returns the span of each source's edges.
fn group<T>(edges: &mut [T], sources: usize, key: impl Fn(&T) -> (u32, u32)) -> Vec<Span> {
    edges.sort_by_key(&key);
    let mut spans = vec![Span::default(); sources];
    let mut start = 0;
    for run in edges.chunk_by(|a, b| key(a).0 == key(b).0) {
        let end = start + run.len() as u32;
        spans[key(&run[0]).0 as usize] = Span { start, end };
        start = end;
    }
    spans
}
