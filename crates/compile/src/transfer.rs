//! Sends and receives at the borders of devices: one pair for a tensor and destination, however many consumers it has
//! there. Both are nodes of the same plan, tied by an edge, so that a step across devices is one step: loops, dead values
//! and errors cross a border as they cross any edge.

use crate::Places;
use crate::refs::Refs;
use crate::regions::Trait;
use levada_executor::{NodeCost, NodeKind, Plan, PlanEdge, PlanNames, PlanNode, Span};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{DType, EdgeType, Endpoint, Graph, NodeId, Result, Tensor};
use levada_kernel::kernel::is_listed;
use levada_kernel::transfer::{Memory, RECV, Recv, SEND, Send, transfer_now};
use levada_kernel::{AnyKernel, Join, NodeMeta};
use std::collections::HashMap;
use std::sync::Arc;

/// A first guess of what a hand-over takes, in nanoseconds.
const HAND_OVER: u32 = 30;

/// A device, and whether its own memory is meant where it has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) device: u32,
    pub(crate) own: bool,
}

/// What crosses a border: an output of a node, a feed, or that a node has run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cargo {
    Value(Endpoint),
    Control(NodeId),
}

/// The sends and receives of a plan.
pub(crate) struct Transfers<'a> {
    graph: &'a Graph,
    places: Places<'a>,
    refs: &'a Refs,
    /// Plan numbers of the receives.
    pairs: HashMap<(Cargo, Place), u32>,
    /// Plan number of the first transfer.
    base: u32,
    nodes: Vec<(PlanNode, PlanNames)>,
    /// Outgoing data edges and control edges of each.
    edges: Vec<(Vec<PlanEdge>, Vec<u32>)>,
    traits: Vec<Trait>,
    constants: HashMap<(Endpoint, u32), Tensor>,
}

impl<'a> Transfers<'a> {
    pub(crate) fn new(graph: &'a Graph, places: &Places<'a>, base: usize, refs: &'a Refs) -> Transfers<'a> {
        Transfers {
            graph,
            places: *places,
            refs,
            pairs: HashMap::new(),
            base: base as u32,
            nodes: Vec::new(),
            edges: Vec::new(),
            traits: Vec::new(),
            constants: HashMap::new(),
        }
    }

    /// True for plans in which nothing can cross a border.
    pub(crate) fn is_trivial(&self) -> bool {
        self.places.devices.len() == 1 && self.places.devices[0].memory().is_none()
    }

    /// Where the node puts an output.
    pub(crate) fn source_place(&self, endpoint: Endpoint, kernel: Option<&Arc<dyn AnyKernel>>) -> Place {
        let node = self.graph.node(endpoint.node);
        let ty = node.output_types[endpoint.output as usize];
        let device = self.places.number(endpoint.node);
        let on_host =
            |k: &Arc<dyn AnyKernel>| is_listed(k.host_outputs(), endpoint.output as usize, node.output_types.len());
        let own = self.holds(device, ty) && !kernel.is_some_and(on_host);
        Place { device, own }
    }

    /// Where the node wants an input.
    pub(crate) fn target_place(
        &self,
        id: NodeId,
        node: &Node,
        input: usize,
        kernel: Option<&Arc<dyn AnyKernel>>,
    ) -> Place {
        let on_host = |k: &Arc<dyn AnyKernel>| is_listed(k.host_inputs(), input, node.inputs.len());
        self.place_of(id, node.input_types[input], kernel.is_some_and(on_host))
    }

    /// Where the node wants an input of this type.
    pub(crate) fn place_of(&self, id: NodeId, ty: EdgeType, on_host: bool) -> Place {
        let device = self.places.number(id);
        let own = self.holds(device, ty) && !on_host;
        Place { device, own }
    }

    /// Where a control edge starts and ends; `None` where it stays on a device that runs nodes in order of arrival.
    pub(crate) fn control_places(&self, source: NodeId, target: NodeId) -> Option<(Place, Place)> {
        let (from, to) = (self.places.number(source), self.places.number(target));
        (from != to).then_some((Place { device: from, own: false }, Place { device: to, own: false }))
    }

    /// True for a device that keeps arguments of this type in memory of its own.
    fn holds(&self, device: u32, ty: EdgeType) -> bool {
        self.places.devices[device as usize].memory().is_some_and(|memory| match ty.dtype {
            DType::Variant => !ty.is_ref && memory.holds_objects(),
            dtype => dtype.is_plain() && (!ty.is_ref || memory.holds_objects()),
        })
    }

    fn has_memory(&self, device: u32) -> bool {
        self.places.devices[device as usize].memory().is_some()
    }

    fn memory(&self, place: Place) -> Memory {
        place.own.then(|| self.places.devices[place.device as usize].clone())
    }

    /// A value that is known before the run, in the memory where it is wanted.
    pub(crate) fn constant(&mut self, source: Endpoint, value: &Tensor, to: Place) -> Result<Tensor> {
        if !to.own {
            return Ok(value.clone());
        }
        if let Some(there) = self.constants.get(&(source, to.device)) {
            return Ok(there.clone());
        }
        let there = transfer_now(None, Some(&self.places.devices[to.device as usize]), value.clone())?;
        self.constants.insert((source, to.device), there.clone());
        Ok(there)
    }

    /// The receive that brings `cargo` from one place to another, made where there is none. Returns its plan number, and
    /// the plan number and slot of what the source must feed where the pair is new.
    pub(crate) fn receive(
        &mut self,
        plan: &mut Plan,
        cargo: Cargo,
        from: Place,
        to: Place,
        frame: u32,
        send: bool,
    ) -> (u32, Option<(u32, u32)>) {
        if let Some(&recv) = self.pairs.get(&(cargo, to)) {
            return (recv, None);
        }
        let graph = self.graph;
        let source = graph.node(match cargo {
            Cargo::Value(endpoint) => endpoint.node,
            Cargo::Control(node) => node,
        });
        let (dtype, is_ref) = match cargo {
            Cargo::Value(e) => (source.output_types[e.output as usize].dtype, self.refs.carries(e)),
            Cargo::Control(_) => (DType::F32, false),
        };
        let is_control = matches!(cargo, Cargo::Control(_));
        let kind = if source.spec().role == Role::Enter { NodeKind::Relay } else { NodeKind::Plain };
        let first = self.base + self.nodes.len() as u32;
        let mut first_slot = None;
        if send {
            let slots = u32::from(!is_control);
            let node = self.add(plan, source, SEND, from, Arc::new(Send), NodeKind::Plain, dtype, frame, slots, is_ref);
            first_slot = Some(self.nodes[(node - self.base) as usize].0.inputs.start);
        }
        let kernel = Arc::new(Recv {
            from: match is_control {
                true => self.has_memory(from.device).then(|| self.places.devices[from.device as usize].clone()),
                false => self.memory(from),
            },
            to: if is_control { None } else { self.memory(to) },
            control: is_control,
        });
        let recv = self.add(plan, source, RECV, to, kernel, kind, dtype, frame, 1, is_ref && !send);
        let recv_slot = self.nodes[(recv - self.base) as usize].0.inputs.start;
        if send {
            let edge = PlanEdge { output: 0, slot: recv_slot, node: recv, last: false };
            self.edges[(first - self.base) as usize].0.push(edge);
        }
        // From the host's memory to that of the same device a region can bring it too.
        let within = send && !is_control && from.device == to.device && to.own && kind == NodeKind::Plain && !is_ref;
        for _ in 0..1 + u32::from(send) {
            self.traits.push(Trait {
                device: to.device,
                join: if within { Join::Reads } else { Join::Never },
                is_cause: kind != NodeKind::Plain,
            });
        }
        self.pairs.insert((cargo, to), recv);
        (recv, Some((first, first_slot.unwrap_or(recv_slot))))
    }

    fn add(
        &mut self,
        plan: &mut Plan,
        source: &Node,
        op: &'static str,
        place: Place,
        kernel: Arc<dyn AnyKernel>,
        kind: NodeKind,
        dtype: DType,
        frame: u32,
        slots: u32,
        reads_ref: bool,
    ) -> u32 {
        let number = self.nodes.len() as u32;
        let layout = &mut plan.frames[frame as usize];
        let start = layout.slots;
        layout.slots += slots;
        let meta = NodeMeta {
            name: format!("{}/_{number}", source.name).into(),
            op,
            device: self.places.devices[place.device as usize].name().clone(),
            outputs: [dtype].into(),
        };
        let node = PlanNode {
            kernel,
            inputs: Span { start, end: start + slots },
            edges: Span::default(),
            controls: Span::default(),
            outputs: 1,
            frame,
            // Known once the nodes before it have theirs.
            pending: u32::MAX,
            cost: NodeCost::new(HAND_OVER),
            kind,
            reads_refs: reads_ref,
        };
        let reads_refs: Box<[u32]> = if reads_ref { [0].into() } else { [].into() };
        self.nodes.push((node, PlanNames { meta, reads_refs, fused: Box::default() }));
        self.edges.push((Vec::new(), Vec::new()));
        self.base + number
    }

    /// The outgoing edges of a transfer.
    pub(crate) fn edges_of(&mut self, number: u32) -> Option<&mut (Vec<PlanEdge>, Vec<u32>)> {
        self.edges.get_mut(number.checked_sub(self.base)? as usize)
    }

    /// Puts the transfers into the plan, behind all other nodes.
    pub(crate) fn finish(self, plan: &mut Plan) -> (Vec<(Vec<PlanEdge>, Vec<u32>)>, Vec<Trait>) {
        for (number, (mut node, names)) in self.nodes.into_iter().enumerate() {
            let layout = &mut plan.frames[node.frame as usize];
            node.pending = layout.pending.len() as u32;
            layout.pending.push(1);
            layout.nodes.push(self.base + number as u32);
            plan.nodes.push(node);
            plan.names.push(names);
        }
        (self.edges, self.traits)
    }
}
