//! Writes the plan: kernels, slots, edges, counts.

use crate::bits::{self, Bits};
use crate::flow::Flow;
use crate::fuse::{self, Fused, Look};
use crate::infer::{Shapes, infer};
use crate::prune::{Pruned, prune};
use crate::refs::Refs;
use crate::regions::Trait;
use crate::rewrite::{Rewritten, meta};
use crate::transfer::{Cargo, Place, Transfers};
use crate::{CompileOptions, Places, Signature};
use levada_executor::{FETCH, FrameLayout, NodeCost, NodeKind, Plan, PlanEdge, PlanFeed, PlanNames, PlanNode, Span};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{AttrValue, Endpoint, Error, Graph, NodeId, PartialShape, Result};
use levada_kernel::{AnyKernel, Cost, Join, device::no_kernel};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// First guesses in nanoseconds, until a kernel has been measured.
const CHEAP: u32 = 60;
const HEAVY: u32 = 30_000;

/// The kernel of every needed node, by node number.
///
/// # Errors
/// `UNIMPLEMENTED`, naming every node that has none, and everything that is not supported among them.
pub(crate) fn kernels(graph: &Graph, pruned: &Pruned, places: &Places<'_>) -> Result<Vec<Option<Arc<dyn AnyKernel>>>> {
    if places.devices.is_empty() {
        return Err(Error::internal("there is no device"));
    }
    let mut kernels: Vec<Option<Arc<dyn AnyKernel>>> = vec![None; graph.len()];
    let unsupported = graph.unsupported_among(pruned.order.iter().copied());
    let mut faults: Vec<Error> = unsupported.iter().flat_map(Error::all).cloned().collect();
    for &id in &pruned.order {
        let (node, device) = (graph.node(id), places.of(id));
        if node.unsupported().is_some() {
            continue;
        }
        match device.kernel(&node.op) {
            Some(kernel) => match unknown_label(node, &*kernel) {
                Some(error) => faults.push(error.at_node(&node.name, node.op_name())),
                None => kernels[id.index()] = Some(kernel),
            },
            None => faults.push(no_kernel(node.op_name(), device.name()).at_node(&node.name, node.op_name())),
        }
    }
    match Error::join(faults) {
        Some(error) => Err(error),
        None => Ok(kernels),
    }
}

/// The error for a node whose attr `_kernel` asks for another kernel than this.
fn unknown_label(node: &Node, kernel: &dyn AnyKernel) -> Option<Error> {
    let Some(AttrValue::S(label)) = node.attrs.get("_kernel") else { return None };
    if label.is_empty() || kernel.labels().iter().any(|l| l.as_bytes() == &label[..]) {
        return None;
    }
    let label = String::from_utf8_lossy(label);
    let error = Error::invalid(format!("no kernel of {} has the label {label:?}", node.op_name())).attr("_kernel");
    Some(error.help("leave the attr _kernel out"))
}

/// Writes the plan.
///
/// # Errors
/// What bringing constants to where they are wanted fails with.
pub(crate) fn lower(
    graph: &Graph,
    signature: &Signature,
    pruned: &Pruned,
    rewritten: &Rewritten,
    flow: &Flow,
    mut kernels: Vec<Option<Arc<dyn AnyKernel>>>,
    places: &Places<'_>,
    options: &CompileOptions,
) -> Result<(Plan, Vec<Trait>)> {
    // Nodes that run: those that nothing stands for, and constants only where a merge must see them arrive.
    let mut number = vec![u32::MAX; graph.len()];
    let mut running: Vec<NodeId> = Vec::new();
    let for_merges = constants_for_merges(graph, pruned, rewritten);
    let seen_from_outside = |id: NodeId| !rewritten.is_constant(id) || for_merges.contains_key(&id);
    let all: Vec<NodeId> =
        pruned.order.iter().copied().filter(|&id| rewritten.runs(id) && seen_from_outside(id)).collect();
    let refs = Refs::find(graph, pruned, places);
    let mut groups = HashMap::new();
    if options.fuse {
        let look = Look { graph, signature, pruned, rewritten, flow, refs: &refs, places, kernels: &kernels };
        groups = fuse::find(&look, &all);
    }
    let inside: HashSet<NodeId> = groups.values().flat_map(|g: &Fused| g.inside().iter().copied()).collect();
    for id in all {
        if !inside.contains(&id) {
            number[id.index()] = running.len() as u32;
            running.push(id);
        }
    }
    for (id, fused) in &groups {
        kernels[id.index()] = Some(fused.kernel.clone());
    }
    let mut traits = Vec::with_capacity(running.len());
    let mut plan = Plan::default();
    plan.has_control_flow = flow.has_control_flow;
    plan.frames = flow
        .frames
        .iter()
        .map(|f| FrameLayout {
            name: f.name.clone(),
            parent: f.parent,
            parallel_iterations: f.parallel_iterations,
            enters: f.enters,
            ..FrameLayout::default()
        })
        .collect();
    let bits = signature.partial.then_some(Bits { first: running.len() as u32, feeds: signature.feeds.len() });
    let nodes = running.len() + bits.map_or(0, |_| signature.feeds.len() + signature.fetches.len());
    let mut draft = Draft {
        number: &number,
        edges: vec![Vec::new(); nodes],
        controls: vec![Vec::new(); nodes],
        feeds: vec![Vec::new(); signature.feeds.len()],
        transfers: Transfers::new(graph, places, nodes, &refs),
        pruned,
        rewritten,
        bits,
    };
    let one_place = draft.transfers.is_trivial();
    for (at, &id) in running.iter().enumerate() {
        let node = graph.node(id);
        let frame = flow.frame[pruned.position[id.index()] as usize];
        let is_merge = node.spec().role == Role::Merge;
        let start = plan.frames[frame as usize].slots;
        let fused = groups.get(&id);
        let inputs = fused.map_or(&node.inputs[..], |f| &f.inputs);
        plan.frames[frame as usize].slots += inputs.len() as u32;
        let mut data = 0u64;
        for (i, &input) in inputs.iter().enumerate() {
            let place = (!one_place).then(|| match fused {
                Some(fused) => draft.transfers.place_of(id, fused.types[i], false),
                None => draft.transfers.target_place(id, node, i, kernels[id.index()].as_ref()),
            });
            let end = End { slot: start + i as u32, node: at as u32, to_merge: is_merge, frame, place };
            data += u64::from(draft.connect(&mut plan, input, end, &kernels)?);
        }
        let members = fused.map_or(std::slice::from_ref(&id), |f| &f.members);
        let mut before: Vec<(u32, NodeId)> = members
            .iter()
            .flat_map(|&m| &graph.node(m).control_inputs)
            .map(|&c| rewritten.runs_as(c))
            .filter(|&c| !rewritten.is_constant(c) || for_merges.contains_key(&c))
            .map(|c| (number[c.index()], c))
            .filter(|&(n, _)| n != u32::MAX)
            .collect();
        before.sort_unstable();
        before.dedup();
        for &(_, source) in &before {
            draft.connect_control(&mut plan, source, id, at as u32, frame);
        }
        let mut fed: Vec<u32> = match bits {
            Some(bits) if frame == 0 => members.iter().flat_map(|&m| bits.before(graph, pruned, m)).collect(),
            _ => Vec::new(),
        };
        fed.sort_unstable();
        fed.dedup();
        for &feed in &fed {
            draft.controls[feed as usize].push(at as u32);
        }
        let control = (before.len() + fed.len()) as u64;
        let waits = if is_merge { 1 + 2 * control } else { data + control };
        let layout = &mut plan.frames[frame as usize];
        let pending = layout.pending.len() as u32;
        layout.pending.push(waits);
        layout.nodes.push(at as u32);
        if node.spec().role == Role::Exit {
            layout.exits.push(at as u32);
        }
        if waits == 0 {
            plan.roots.push(at as u32);
        }
        let names = PlanNames {
            meta: meta(node, places.of(id).name().clone()),
            reads_refs: refs.read_by(graph, places, id),
            fused: fused.iter().flat_map(|f| f.members.iter().map(|&m| graph.node(m).name.clone())).collect(),
        };
        let slots = Span { start, end: start + inputs.len() as u32 };
        plan.nodes.push(plan_node(node, kernels[id.index()].clone(), &names, frame, pending, slots));
        plan.names.push(names);
        traits.push(node_trait(graph, id, places, &plan.nodes[at]));
    }
    // Depth first from the first root: the list of ready nodes is taken from its end.
    plan.roots.reverse();
    let shapes = fed_shapes(graph, signature);
    let fed = signature.feeds.iter().zip(shapes).map(|(&endpoint, shape)| PlanFeed {
        name: graph.endpoint_name(endpoint).into(),
        dtype: graph.node(endpoint.node).output_types[endpoint.output as usize].dtype,
        shape,
        edges: Span::default(),
    });
    let mut fed: Vec<PlanFeed> = fed.collect();
    let host = places.devices[0].name();
    if let Some(bits) = bits {
        plan.first_partial = bits.first;
        plan.later = std::mem::take(&mut fed);
        for i in 0..plan.later.len() {
            let (name, dtype) = (plan.later[i].name.clone(), plan.later[i].dtype);
            bits::push_feed(&mut plan, i, &name, dtype, host);
        }
    }
    let first_fetch = plan.frames[0].slots;
    plan.frames[0].slots += signature.fetches.len() as u32;
    plan.fetches = Span { start: first_fetch, end: if bits.is_some() { first_fetch } else { plan.frames[0].slots } };
    for (i, &fetch) in signature.fetches.iter().enumerate() {
        let (slot, name) = (first_fetch + i as u32, Arc::<str>::from(graph.endpoint_name(fetch)));
        let node = bits.map_or(FETCH, |bits| bits.fetch(i));
        let waits =
            draft.fetch(&mut plan, fetch, End { slot, node, to_merge: false, frame: 0, place: None }, &kernels)?;
        if bits.is_some() {
            bits::push_fetch(&mut plan, i, &name, slot, waits, host);
        }
        plan.fetch_names.push(name);
    }
    kernels.clear();
    let Draft { mut edges, mut controls, feeds, transfers, .. } = draft;
    let (outgoing, of_transfers) = transfers.finish(&mut plan);
    traits.extend(of_transfers);
    for (out, control) in outgoing {
        edges.push(out);
        controls.push(control);
    }
    for (node, (edges, controls)) in edges.into_iter().zip(controls).enumerate() {
        plan.nodes[node].edges = append(&mut plan.edges, edges);
        let start = plan.controls.len() as u32;
        plan.controls.extend(controls);
        plan.nodes[node].controls = Span { start, end: plan.controls.len() as u32 };
    }
    for (feed, edges) in fed.into_iter().zip(feeds) {
        let edges = append(&mut plan.edges, edges);
        // Receives of feeds have no other input, so they are ready with the feed.
        let transfers = plan.edges[edges.range()].iter().filter(|e| e.node != FETCH && e.node >= running.len() as u32);
        plan.roots.extend(transfers.map(|e| e.node).collect::<Vec<_>>());
        plan.feeds.push(PlanFeed { edges, ..feed });
    }
    Ok((plan, traits))
}

/// What is to be known of a node when nodes are put together.
fn node_trait(graph: &Graph, id: NodeId, places: &Places<'_>, planned: &PlanNode) -> Trait {
    let node = graph.node(id);
    let join = places.of(id).joins(&node.op);
    let is_plain = planned.kind == NodeKind::Plain && matches!(node.spec().role, Role::Plain | Role::Const);
    let has_refs = planned.reads_refs || node.input_types.iter().chain(&node.output_types).any(|t| t.is_ref);
    let waits = node.op.is_stateful() && join == Join::Never;
    Trait {
        device: places.number(id),
        join: if is_plain && !has_refs { join } else { Join::Never },
        is_cause: waits || !(is_plain || node.spec().role == Role::Placeholder),
    }
}

/// Where an edge ends.
#[derive(Clone, Copy)]
struct End {
    slot: u32,
    /// The plan node, or [`FETCH`].
    node: u32,
    to_merge: bool,
    frame: u32,
    /// Where the value is wanted; `None` in plans on one device, and for fetches.
    place: Option<Place>,
}

/// The edges of a plan before they are sorted into it.
struct Draft<'a> {
    /// Plan numbers by node number.
    number: &'a [u32],
    edges: Vec<Vec<PlanEdge>>,
    controls: Vec<Vec<u32>>,
    feeds: Vec<Vec<PlanEdge>>,
    transfers: Transfers<'a>,
    pruned: &'a Pruned,
    rewritten: &'a Rewritten,
    /// The nodes of a partial run's feeds and fetches.
    bits: Option<Bits>,
}

impl Draft<'_> {
    /// Lets an edge end in a node's slot; true where the node waits for it.
    fn connect(
        &mut self,
        plan: &mut Plan,
        source: Endpoint,
        end: End,
        kernels: &[Option<Arc<dyn AnyKernel>>],
    ) -> Result<bool> {
        let edge = |output| PlanEdge { output, slot: end.slot, node: end.node, last: false };
        let feed = self.pruned.feeds.get(&source).copied();
        if let (Some(feed), Some(bits)) = (feed, self.bits) {
            let mut at = bits.feed(feed);
            if let Some(to) = end.place.filter(|p| p.own) {
                let from = Place { device: to.device, own: false };
                let (recv, new) = self.transfers.receive(plan, Cargo::Value(source), from, to, end.frame, true);
                if let Some((node, slot)) = new {
                    self.leave(at).push(PlanEdge { output: 0, slot, node, last: false });
                }
                at = recv;
            }
            self.leave(at).push(edge(0));
            return Ok(true);
        }
        if let Some(feed) = feed {
            return Ok(match end.place.filter(|p| p.own) {
                None => {
                    self.feeds[feed].push(edge(0));
                    false
                }
                Some(to) => {
                    let from = Place { device: to.device, own: false };
                    let (recv, new) = self.transfers.receive(plan, Cargo::Value(source), from, to, end.frame, false);
                    if let Some((node, slot)) = new {
                        self.feeds[feed].push(PlanEdge { output: 0, slot, node, last: false });
                    }
                    self.leave(recv).push(edge(0));
                    true
                }
            });
        }
        let source = self.rewritten.source(source);
        if let Some(value) = self.rewritten.constant(source).filter(|_| !end.to_merge) {
            let value = match end.place {
                Some(to) => self.transfers.constant(source, value, to)?,
                None => value.clone(),
            };
            plan.frames[end.frame as usize].constants.push((end.slot, value));
            return Ok(false);
        }
        let at = self.number[source.node.index()];
        if let Some(to) = end.place {
            let from = self.transfers.source_place(source, kernels[source.node.index()].as_ref());
            if from != to {
                let (recv, new) = self.transfers.receive(plan, Cargo::Value(source), from, to, end.frame, true);
                if let Some((node, slot)) = new {
                    self.leave(at).push(PlanEdge { output: source.output, slot, node, last: false });
                }
                self.leave(recv).push(edge(0));
                return Ok(true);
            }
        }
        self.leave(at).push(edge(source.output));
        Ok(true)
    }

    /// Lets an edge end in a fetch, true where it waits for it. What is in the host's memory is at hand, whichever device
    /// it belongs to.
    fn fetch(
        &mut self,
        plan: &mut Plan,
        fetch: Endpoint,
        end: End,
        kernels: &[Option<Arc<dyn AnyKernel>>],
    ) -> Result<bool> {
        let source = self.rewritten.source(fetch);
        let mut place = None;
        if !self.pruned.feeds.contains_key(&fetch) && self.rewritten.constant(source).is_none() {
            let from = self.transfers.source_place(source, kernels[source.node.index()].as_ref());
            place = from.own.then_some(Place { own: false, ..from });
        }
        self.connect(plan, fetch, End { place, ..end }, kernels)
    }

    fn connect_control(&mut self, plan: &mut Plan, source: NodeId, target: NodeId, at: u32, frame: u32) {
        let mut from = self.number[source.index()];
        if let Some((from_place, to)) = self.transfers.control_places(source, target) {
            let (recv, new) = self.transfers.receive(plan, Cargo::Control(source), from_place, to, frame, true);
            if let Some((send, _)) = new {
                self.controls[from as usize].push(send);
            }
            from = recv;
        }
        match self.transfers.edges_of(from) {
            Some((_, controls)) => controls.push(at),
            None => self.controls[from as usize].push(at),
        }
    }

    /// The outgoing data edges of a plan node.
    fn leave(&mut self, node: u32) -> &mut Vec<PlanEdge> {
        match self.transfers.edges_of(node) {
            Some((edges, _)) => edges,
            None => &mut self.edges[node as usize],
        }
    }
}

/// What is known of the shapes of the endpoints that are fed, whatever else is fed: what the graph says without a run.
fn fed_shapes(graph: &Graph, signature: &Signature) -> Vec<PartialShape> {
    let is_placeholder = |id: NodeId| graph.node(id).spec().role == Role::Placeholder;
    let alone = |id: NodeId| Pruned { order: vec![id], position: Vec::new(), feeds: HashMap::new() };
    let computed: Vec<Endpoint> = signature.feeds.iter().copied().filter(|e| !is_placeholder(e.node)).collect();
    // Most runs feed placeholders only, which say themselves what they take.
    let shapes = match computed.is_empty() {
        true => Shapes::default(),
        false => {
            let ancestors = prune(graph, &Signature { fetches: computed, ..Signature::default() });
            ancestors.map(|pruned| infer(graph, &pruned).0).unwrap_or_default()
        }
    };
    let shape = |&endpoint: &Endpoint| match is_placeholder(endpoint.node) {
        true => infer(graph, &alone(endpoint.node)).0.get(endpoint),
        false => shapes.get(endpoint),
    };
    signature.feeds.iter().map(shape).collect()
}

/// Constants that a merge takes: these run as nodes, for a merge must see its inputs arrive.
fn constants_for_merges(graph: &Graph, pruned: &Pruned, rewritten: &Rewritten) -> HashMap<NodeId, ()> {
    let merges = pruned.order.iter().map(|&id| graph.node(id)).filter(|n| n.spec().role == Role::Merge);
    let inputs = merges.flat_map(|n| n.inputs.iter()).filter(|e| !pruned.feeds.contains_key(e));
    let sources = inputs.map(|&e| rewritten.source(e).node).filter(|&n| rewritten.is_constant(n));
    sources.map(|n| (n, ())).collect()
}

fn plan_node(
    node: &Node,
    kernel: Option<Arc<dyn AnyKernel>>,
    names: &PlanNames,
    frame: u32,
    pending: u32,
    inputs: Span,
) -> PlanNode {
    let kernel = kernel.expect("every needed node got a kernel");
    let flag = |name: &str| matches!(node.attrs.get(name), Some(AttrValue::B(true)));
    let kind = match node.spec().role {
        Role::Merge => NodeKind::Merge,
        Role::Switch if node.output_types.len() == 2 => NodeKind::Switch,
        Role::Enter => NodeKind::Enter(flag("is_constant")),
        Role::Exit => NodeKind::Exit,
        Role::NextIteration => NodeKind::NextIteration,
        Role::ControlTrigger => NodeKind::ControlTrigger,
        Role::Send | Role::Recv => NodeKind::Transfer,
        _ => NodeKind::Plain,
    };
    let cost = if kernel.cost() == Cost::Heavy { HEAVY } else { CHEAP * names.all().len() as u32 };
    let cost = NodeCost::new(cost);
    PlanNode {
        kernel,
        inputs,
        edges: Span::default(),
        controls: Span::default(),
        outputs: node.output_types.len() as u32,
        frame,
        pending,
        cost,
        kind,
        reads_refs: !names.reads_refs.is_empty(),
    }
}

/// Appends the edges of one node, sorted by output, and marks the last of each output.
pub(crate) fn append(all: &mut Vec<PlanEdge>, mut edges: Vec<PlanEdge>) -> Span {
    edges.sort_by_key(|e| e.output);
    let start = all.len() as u32;
    for i in 0..edges.len() {
        edges[i].last = edges.get(i + 1).is_none_or(|next| next.output != edges[i].output);
    }
    all.extend(edges);
    Span { start, end: all.len() as u32 }
}
