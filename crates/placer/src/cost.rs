//! The cost of nodes: estimated from shapes, or measured.

use crate::cluster::{Cluster, DeviceSpec};
use levada_graph::graph::Node;
use levada_graph::spec::{Effect, Role};
use levada_graph::{AttrValue, DType, Endpoint, Graph, NodeId, PartialShape};
use std::collections::HashMap;

/// The assumed number of elements along an unknown dimension, or in a tensor of unknown rank.
const UNKNOWN_ELEMENTS: f64 = 1.0;

/// The measurements of a node in one step.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The total time of all its runs, in nanoseconds.
    pub nanos: f64,
    /// How often it ran.
    pub runs: f64,
    /// True if it was long enough to be split over all threads of its pool; [`Measured::nanos`] is then its time with
    /// the whole pool to itself.
    pub wide: bool,
    /// Full name of the device that it ran on.
    pub device: String,
    /// The size of each output in its last run, in bytes.
    pub outputs: Vec<u64>,
}

/// The cost of a node.
#[derive(Clone, Debug, Default)]
pub struct NodeCosts {
    flops: f64,
    moved: f64,
    measured: Option<(f64, Option<u32>)>,
    /// How often it runs in a step.
    runs: f64,
    /// True if it uses all threads of a pool.
    wide: bool,
    /// True for a node whose outputs exist before a step starts: a constant, or a node that did not run when the step
    /// was measured. It takes no time, and its outputs are copied to where they are needed once.
    ready: bool,
    /// True if its outputs are its persistent state, so that they take no further memory on its own device.
    kept: bool,
    /// The size of each output in bytes.
    pub outputs: Vec<f64>,
    /// Bytes that it holds across steps: a constant, a variable.
    pub resident: f64,
}

/// The cost of every node, by node number.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    nodes: Vec<NodeCosts>,
}

/// The maximum length of a chain of nodes that forward a constant; such chains are short.
const MOST_PASSED: usize = 8;

fn elements(shape: &PartialShape) -> f64 {
    match shape.rank() {
        Some(rank) => (0..rank).map(|i| shape.dim(i as isize).map_or(UNKNOWN_ELEMENTS, |d| d as f64)).product(),
        None => UNKNOWN_ELEMENTS,
    }
}

fn size(dtype: DType) -> f64 {
    if dtype.is_plain() { dtype.size() as f64 } else { 32.0 }
}

/// The size in bytes of the variable whose handle a node makes, if its attrs determine it.
fn behind_handle(node: &Node) -> f64 {
    let makes_handle = node.output_types.first().is_some_and(|ty| ty.dtype == DType::Resource);
    match (node.attrs.get("dtype"), node.attrs.get("shape")) {
        (Some(AttrValue::Type(ty)), Some(AttrValue::Shape(shape))) if makes_handle => elements(shape) * size(ty.dtype),
        _ => 0.0,
    }
}

/// True for a node that returns the value of a variable, which stays in place.
fn reads_variable(node: &Node) -> bool {
    let ([from], [_]) = (&node.input_types[..], &node.output_types[..]) else { return false };
    match from.dtype {
        DType::Resource => node.spec().effect == Some(Effect::Reads) && node.attrs.get("dtype").is_some(),
        _ => from.is_ref && node.spec().forwards,
    }
}

/// True for a node that returns a constant or the value of a variable, or forwards one; the value stays in place.
fn gives_kept<'a>(graph: &'a Graph, mut node: &'a Node) -> bool {
    for _ in 0..MOST_PASSED {
        if node.spec().role == Role::Const || reads_variable(node) {
            return true;
        }
        let Some(&input) = node.inputs.first().filter(|_| node.spec().forwards) else { return false };
        node = graph.node(input.node);
    }
    false
}

impl Costs {
    /// Estimates costs from the shape of every endpoint, as far as `shape` knows it.
    pub fn estimate(graph: &Graph, shape: &dyn Fn(Endpoint) -> PartialShape) -> Costs {
        let cost = |(id, node): (NodeId, &Node)| {
            let inputs: Vec<PartialShape> = node.inputs.iter().map(|&e| shape(e)).collect();
            let outputs: Vec<PartialShape> =
                (0..node.output_types.len() as u32).map(|i| shape(Endpoint::new(id, i))).collect();
            let bytes = |shapes: &[PartialShape], types: &[levada_graph::EdgeType]| -> Vec<f64> {
                shapes.iter().zip(types).map(|(s, t)| elements(s) * size(t.dtype)).collect()
            };
            let read: f64 = bytes(&inputs, &node.input_types).iter().sum();
            let written = bytes(&outputs, &node.output_types);
            let flops = node.op.flops(&inputs, &outputs);
            let made: f64 = outputs.iter().map(elements).sum();
            let makes_state = node.inputs.is_empty() && node.op.is_stateful();
            let role = node.spec().role;
            let resident = match node.op.constant() {
                Some(value) => value.num_bytes() as f64,
                None if makes_state => written.iter().sum::<f64>() + behind_handle(node),
                None => 0.0,
            };
            // A reference is the variable itself, returned by its maker and by the nodes that assign to it or update
            // it.
            let is_reference = !node.output_types.is_empty() && node.output_types.iter().all(|ty| ty.is_ref);
            let facts = node.spec();
            let passes = !matches!(role, Role::Plain | Role::Call)
                || facts.metadata
                || facts.forwards
                || facts.forwards_all
                || reads_variable(node);
            NodeCosts {
                flops: if passes { 0.0 } else { flops.unwrap_or(made) },
                moved: if passes { 0.0 } else { read + written.iter().sum::<f64>() },
                measured: None,
                runs: 1.0,
                wide: false,
                ready: role == Role::Const,
                kept: is_reference || gives_kept(graph, node),
                resident,
                outputs: match node.op.constant() {
                    Some(value) => vec![value.num_bytes() as f64],
                    None => written,
                },
            }
        };
        Costs { nodes: graph.nodes().map(cost).collect() }
    }

    /// Marks a node as fed: its value exists when the step starts and only has to be transferred.
    pub fn feed(&mut self, node: NodeId) {
        let cost = &mut self.nodes[node.index()];
        (cost.flops, cost.moved, cost.measured, cost.resident, cost.kept) = (0.0, 0.0, None, 0.0, false);
    }

    /// Replaces estimates by measurements, by node name. A node that was not measured did not run.
    pub fn measure(&mut self, graph: &Graph, cluster: &Cluster, measured: &HashMap<String, Measured>) {
        for (id, node) in graph.nodes() {
            let cost = &mut self.nodes[id.index()];
            let Some(m) = measured.get(&*node.name) else {
                // A fed node does not run either, but its value has to be transferred.
                cost.ready = node.spec().role != Role::Placeholder;
                continue;
            };
            let name = levada_graph::device::DeviceName::parse(&m.device).unwrap_or_default();
            cost.ready = false;
            cost.measured = Some((m.nanos, cluster.targets.find(&name)));
            cost.runs = m.runs.max(1.0);
            cost.wide = m.wide;
            if m.outputs.len() == cost.outputs.len() && cost.resident == 0.0 {
                cost.outputs = m.outputs.iter().map(|&b| b as f64).collect();
            }
        }
    }

    /// The cost of a node.
    pub fn of(&self, node: NodeId) -> &NodeCosts {
        &self.nodes[node.index()]
    }
}

impl NodeCosts {
    /// Explicit costs, for problems that do not come from a graph.
    pub fn given(flops: f64, outputs: Vec<f64>, resident: f64) -> NodeCosts {
        NodeCosts {
            flops,
            moved: 0.0,
            measured: None,
            runs: 1.0,
            wide: false,
            ready: false,
            kept: false,
            outputs,
            resident,
        }
    }

    /// Nanoseconds on a device.
    pub fn nanos(&self, cluster: &Cluster, device: u32) -> f64 {
        let spec = &cluster.devices[device as usize];
        if self.ready {
            return 0.0;
        }
        match self.measured {
            // Measured on an unknown device: treated as if it had been this one.
            Some((nanos, from)) => {
                let from = from.map_or(spec, |f| &cluster.devices[f as usize]);
                spec.overhead_ns * self.runs + nanos * self.work(spec, from)
            }
            None => spec.overhead_ns + self.estimated(spec),
        }
    }

    /// True if it uses all threads of a pool, so that such nodes in one pool run one after the other.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Bytes that it holds on its device while its outputs are in use.
    pub fn held(&self) -> f64 {
        self.resident + if self.kept { 0.0 } else { self.outputs.iter().sum() }
    }

    /// True if its outputs are its persistent state.
    pub fn is_kept(&self) -> bool {
        self.kept
    }

    /// True if its outputs exist before a step starts.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    fn estimated(&self, spec: &DeviceSpec) -> f64 {
        (self.flops / spec.flops).max(self.moved / spec.bandwidth) * 1e9
    }

    /// The ratio of its time on `spec` to that on `from`.
    fn work(&self, spec: &DeviceSpec, from: &DeviceSpec) -> f64 {
        let (here, there) = (self.estimated(spec), self.estimated(from));
        if there > 0.0 { here / there } else { from.flops / spec.flops }
    }
}
