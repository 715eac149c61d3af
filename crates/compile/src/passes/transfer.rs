//! Inserts transfers: a send and a receive for every edge that crosses devices, one pair for each value and
//! destination, however many consumers it has there. Both are nodes of the same plan, connected by an edge, so that a
//! step across devices is one step: loops, dead values and errors cross devices as they cross any edge.

use crate::draft::{Draft, DraftNode, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_executor::NodeKind;
use levada_graph::spec::Role;
use levada_graph::{DType, EdgeType, Result};
use levada_kernel::kernel::is_listed;
use levada_kernel::transfer::{Memory, RECV, RecvKernel, SEND, SendKernel, transfer_now};
use levada_kernel::{AnyKernel, Join};
use std::collections::HashMap;
use std::sync::Arc;

/// A first estimate of the cost of a transfer, in nanoseconds.
const HAND_OVER: u32 = 30;

pub(crate) const PASS: Pass = Pass {
    name: "transfer",
    is_on: |_| true,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[Fact::Transfers],
    for_traces: true,
    run,
};

/// The location of a value: a device, and either that device's own memory or the host's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Location {
    device: u32,
    own_memory: bool,
}

/// What a transfer carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Payload {
    Value(Port),
    /// The completion of a node.
    Control(NodeIx),
}

struct Transfers<'d, 'g, 'a> {
    draft: &'d mut Draft<'g>,
    cx: PassCx<'a>,
    /// The receives.
    receives: HashMap<(Payload, Location), NodeIx>,
    /// Constants in the memory of a device.
    constants: HashMap<(Port, u32), NodeIx>,
    /// The number of transfers so far, used in their names.
    count: usize,
}

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    if let [only] = cx.placement.devices
        && only.memory().is_none()
    {
        return Ok(false);
    }
    let before = draft.nodes.len();
    let running = draft.running();
    let mut transfers = Transfers { draft, cx: *cx, receives: HashMap::new(), constants: HashMap::new(), count: 0 };
    for (at, runs) in (0..).zip(running) {
        if runs || transfers.draft.node(at).is_fetch() {
            transfers.bring_inputs(at)?;
            transfers.bring_controls(at);
        }
    }
    Ok(draft.nodes.len() > before)
}

impl Transfers<'_, '_, '_> {
    fn bring_inputs(&mut self, at: NodeIx) -> Result<()> {
        let is_merge = self.draft.node(at).kind == NodeKind::Merge;
        for i in 0..self.draft.node(at).inputs.len() {
            let port = self.draft.node(at).inputs[i];
            let is_constant = self.draft.value(port).is_some() && !is_merge;
            let Some((from, to)) = self.border(port, at, i) else { continue };
            let brought = match is_constant {
                true if to.own_memory => Port { node: self.constant(port, to.device)?, output: 0 },
                true => port,
                false if from == to => port,
                false => Port { node: self.receive(Payload::Value(port), from, to, at), output: 0 },
            };
            self.draft.nodes[at as usize].inputs[i] = brought;
        }
        Ok(())
    }

    /// Where a value is, and where an input needs it; `None` if these cannot differ.
    fn border(&self, port: Port, at: NodeIx, input: usize) -> Option<(Location, Location)> {
        let (source, target) = (self.draft.node(port.node), self.draft.node(at));
        // Feeds and fetches are in host memory, which every device can access.
        let on_host = |location: Location| Location { own_memory: false, ..location };
        match (source.is_feed(), target.is_fetch()) {
            (true, true) => None,
            (true, false) => {
                let to = self.of_input(target, input);
                Some((on_host(to), to))
            }
            (false, true) => {
                let from = self.of_output(source, port.output);
                Some((from, on_host(from)))
            }
            (false, false) => Some((self.of_output(source, port.output), self.of_input(target, input))),
        }
    }

    fn bring_controls(&mut self, at: NodeIx) {
        let host = |device: u32| Location { device, own_memory: false };
        for i in 0..self.draft.node(at).controls.len() {
            let before = self.draft.node(at).controls[i];
            let (source, to) = (self.draft.node(before), self.draft.node(at).device);
            // On one device, nodes run in order of arrival.
            if source.device != to && !source.is_feed() && source.values.is_none() {
                let from = host(source.device);
                let received = self.receive(Payload::Control(before), from, host(to), at);
                self.draft.nodes[at as usize].controls[i] = received;
            }
        }
    }

    /// Where a node puts an output.
    fn of_output(&self, node: &DraftNode<'_>, output: u32) -> Location {
        let is_on_host = |k: &Arc<dyn AnyKernel>| is_listed(k.host_outputs(), output as usize, node.output_types.len());
        let own_memory = self.holds(node.device, node.output_types[output as usize])
            && !node.kernel.as_ref().is_some_and(is_on_host);
        Location { device: node.device, own_memory }
    }

    /// Where a node needs an input.
    fn of_input(&self, node: &DraftNode<'_>, input: usize) -> Location {
        let is_on_host = |k: &Arc<dyn AnyKernel>| is_listed(k.host_inputs(), input, node.inputs.len());
        let own_memory =
            self.holds(node.device, node.input_types[input]) && !node.kernel.as_ref().is_some_and(is_on_host);
        Location { device: node.device, own_memory }
    }

    /// True for a device that keeps values of this type in its own memory.
    fn holds(&self, device: u32, ty: EdgeType) -> bool {
        self.cx.placement.devices[device as usize].memory().is_some_and(|memory| match ty.dtype {
            DType::Variant => !ty.is_ref && memory.holds_objects(),
            dtype => dtype.is_plain() && (!ty.is_ref || memory.holds_objects()),
        })
    }

    fn memory(&self, at: Location) -> Memory {
        at.own_memory.then(|| self.cx.placement.devices[at.device as usize].clone())
    }

    /// The node for a constant in the memory of a device.
    fn constant(&mut self, port: Port, device: u32) -> Result<NodeIx> {
        if let Some(&there) = self.constants.get(&(port, device)) {
            return Ok(there);
        }
        let source = self.draft.node(port.node);
        let mut node = DraftNode::new(source.name.clone(), source.op, None);
        node.output_types = vec![source.output_types[port.output as usize]].into();
        node.device = device;
        if let Some(value) = self.draft.value(port) {
            let there = transfer_now(None, Some(&self.cx.placement.devices[device as usize]), value.clone())?;
            node.values = Some([there].into());
        }
        let at = self.draft.append(node);
        self.constants.insert((port, device), at);
        Ok(at)
    }

    /// The receive that brings a payload from one location to another, created if there is none yet. `consumer` is a
    /// node that needs it.
    fn receive(&mut self, payload: Payload, from: Location, to: Location, consumer: NodeIx) -> NodeIx {
        if let Some(&receive) = self.receives.get(&(payload, to)) {
            return receive;
        }
        let (source, is_control) = match payload {
            Payload::Value(port) => (port.node, false),
            Payload::Control(node) => (node, true),
        };
        let is_feed = self.draft.node(source).is_feed();
        // A feed is present before anything runs: nothing sends it, except in a partial run.
        let has_send = !is_feed || self.cx.partial;
        let (dtype, is_ref) = match payload {
            Payload::Value(port) => {
                let ty = self.draft.node(source).output_types[port.output as usize];
                (ty.dtype, self.draft.ref_ports.contains(&port))
            }
            Payload::Control(_) => (DType::F32, false),
        };
        let is_enter = self.draft.node(source).role() == Some(Role::Enter);
        let kind = if is_enter { NodeKind::Relay } else { NodeKind::Plain };
        // A region can also copy it from host memory to the memory of the same device.
        let is_within = has_send && !is_control && from.device == to.device && to.own_memory && !is_enter && !is_ref;
        let control_from = Location { own_memory: self.has_memory(from.device), ..from };
        let recv = RecvKernel {
            from: self.memory(if is_control { control_from } else { from }),
            to: if is_control { None } else { self.memory(to) },
            control: is_control,
        };
        let join = if is_within { Join::Reads } else { Join::Never };
        let frame = self.draft.node(consumer).frame;
        let mut port = Port { node: source, output: 0 };
        if let Payload::Value(value) = payload {
            port = value;
        }
        let mut reads_ref = is_ref;
        if has_send {
            let mut send = self.node(source, SEND, Arc::new(SendKernel));
            (send.device, send.frame, send.join) = (from.device, frame, join);
            send.output_types = vec![EdgeType { dtype, is_ref: false }].into();
            match payload {
                Payload::Value(_) => {
                    send.inputs.push(port);
                    send.input_types = vec![EdgeType { dtype, is_ref: false }].into();
                    send.reads_refs = if reads_ref { [0].into() } else { [].into() };
                }
                Payload::Control(before) => send.controls.push(before),
            }
            reads_ref = false;
            port = Port { node: self.draft.append(send), output: 0 };
        }
        let mut receive = self.node(source, RECV, Arc::new(recv));
        (receive.device, receive.frame, receive.join, receive.kind) = (to.device, frame, join, kind);
        receive.inputs.push(port);
        receive.input_types = vec![EdgeType { dtype, is_ref: false }].into();
        receive.output_types = receive.input_types.clone();
        receive.reads_refs = if reads_ref { [0].into() } else { [].into() };
        let at = self.draft.append(receive);
        self.receives.insert((payload, to), at);
        at
    }

    fn has_memory(&self, device: u32) -> bool {
        self.cx.placement.devices[device as usize].memory().is_some()
    }

    /// A transfer of an output of `source`.
    fn node<'g>(&mut self, source: NodeIx, op: &'static str, kernel: Arc<dyn AnyKernel>) -> DraftNode<'g> {
        let name = format!("{}/_{}", self.draft.node(source).name, self.count);
        self.count += 1;
        DraftNode { cost: HAND_OVER, ..DraftNode::new(name.into(), op, Some(kernel)) }
    }
}
