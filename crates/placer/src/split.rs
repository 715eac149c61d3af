//! Partitions a placed graph: a GraphDef for each device, with sends and receives, as TensorFlow's graph partitioning
//! does.
//!
//! A tensor is sent once to each device that needs it; a control edge is carried by an empty tensor. A value that
//! enters a loop, or goes to its next iteration, for another device is transferred first and enters there. Every
//! partition with receives in a loop gets a copy of the loop's control, which starts the receives of each iteration and
//! ends with the loop.

use crate::first_fit::Placement;
use crate::order::{is_back_edge, topological};
use crate::target::Targets;
use levada_graph::attr::Attrs;
use levada_graph::def::{GraphDef, NodeDef};
use levada_graph::spec::Role;
use levada_graph::{AttrValue, Bytes, DType, Error, Graph, NodeId, Result, Shape, Tensor};
use std::collections::{BTreeMap, HashMap};

/// A loop: its name, its parent, and a node that enters it.
struct Frame {
    name: AttrValue,
    parent: usize,
    parallel: AttrValue,
    /// The node whose output says whether the loop continues.
    cond: Option<NodeId>,
}

/// Returns the partition of every device that has nodes, by full device name.
///
/// # Errors
/// `INVALID_ARGUMENT` for a loop without a LoopCond that crosses devices, and for an Exit outside a loop.
pub fn split(graph: &Graph, targets: &Targets, placement: &Placement) -> Result<Vec<(String, GraphDef)>> {
    let (frames, of_output) = frames(graph)?;
    let mut cut = Cut {
        graph,
        targets,
        device: &placement.device,
        frames,
        of_output,
        out: BTreeMap::new(),
        known: HashMap::new(),
        clones: HashMap::new(),
        loops: HashMap::new(),
        count: 0,
    };
    for (id, node) in graph.nodes() {
        let here = placement.device[id.index()];
        let def = cut.rewired(id, here, node.name.to_string())?;
        cut.add(here, def);
    }
    let library = (*graph.library).clone();
    Ok(cut
        .out
        .into_iter()
        .map(|(device, nodes)| {
            let (versions, library) = (graph.versions.clone(), library.clone());
            let def = GraphDef { nodes, versions, library, ..GraphDef::default() };
            (targets.get(device).text.to_string(), def)
        })
        .collect())
}

/// The loops of a graph, and for every node the loop that its outputs are seen in; 0 outside loops.
fn frames(graph: &Graph) -> Result<(Vec<Frame>, Vec<usize>)> {
    let root = Frame { name: AttrValue::B(false), parent: 0, parallel: AttrValue::I(1), cond: None };
    let mut frames = vec![root];
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    let mut of_output = vec![0; graph.len()];
    for id in topological(graph) {
        let node = graph.node(id);
        let sources = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        let own = sources.filter(|&s| !is_back_edge(graph, s, id)).map(|s| of_output[s.index()]).max().unwrap_or(0);
        of_output[id.index()] = match node.spec().role {
            Role::Enter => {
                let name = node.attrs.get("frame_name").cloned().unwrap_or(AttrValue::S(Bytes::new()));
                let parallel = node.attrs.get("parallel_iterations").cloned().unwrap_or(AttrValue::I(10));
                let next = frames.len();
                let child = *known.entry((own, format!("{name:?}"))).or_insert(next);
                if child == next {
                    frames.push(Frame { name, parent: own, parallel, cond: None });
                }
                child
            }
            Role::Exit if own == 0 => {
                return Err(Error::invalid("an Exit outside of a loop").at_node(&node.name, node.op_name()));
            }
            Role::Exit => frames[own].parent,
            Role::LoopCond => {
                frames[own].cond = Some(id);
                own
            }
            _ => own,
        };
    }
    Ok((frames, of_output))
}

struct Cut<'a> {
    graph: &'a Graph,
    targets: &'a Targets,
    device: &'a [u32],
    frames: Vec<Frame>,
    of_output: Vec<usize>,
    out: BTreeMap<u32, Vec<NodeDef>>,
    /// The receive for a tensor (by node and output; `None` for the node's completion) on a device.
    known: HashMap<(NodeId, Option<u32>, u32), String>,
    /// Copies of Enter and NextIteration nodes on other devices.
    clones: HashMap<(NodeId, u32), String>,
    /// The merge of the control loop of a frame on a device.
    loops: HashMap<(usize, u32), String>,
    count: usize,
}

impl Cut<'_> {
    fn add(&mut self, device: u32, mut def: NodeDef) {
        def.device = self.targets.get(device).text.to_string();
        self.out.entry(device).or_default().push(def);
    }

    fn fresh(&mut self, base: &str) -> String {
        loop {
            let name = format!("{base}/_{}", self.count);
            self.count += 1;
            if self.graph.find(&name).is_none() {
                return name;
            }
        }
    }

    /// The node as it appears on device `here`, under a new name.
    fn rewired(&mut self, id: NodeId, here: u32, name: String) -> Result<NodeDef> {
        let graph = self.graph;
        let node = graph.node(id);
        let mut inputs = Vec::new();
        for &input in &node.inputs {
            inputs.push(self.value(input.node, input.output, here)?);
        }
        for &control in &node.control_inputs {
            inputs.push(format!("^{}", self.control(control, here)?));
        }
        let mut attrs: Attrs = node.attrs.clone();
        // Colocation constraints have been applied, and may name nodes of other partitions.
        attrs = attrs.iter().filter(|(n, _)| &***n != "_class").map(|(n, v)| (n.clone(), v.clone())).collect();
        Ok(NodeDef { name, op: node.op_name().to_owned(), inputs, device: String::new(), attrs })
    }

    fn moves(&self, id: NodeId) -> bool {
        matches!(self.graph.node(id).spec().role, Role::Enter | Role::NextIteration)
    }

    /// The copy of an Enter or NextIteration on a device.
    fn copy(&mut self, id: NodeId, here: u32) -> Result<String> {
        if let Some(name) = self.clones.get(&(id, here)) {
            return Ok(name.clone());
        }
        let base = self.graph.node(id).name.to_string();
        let name = self.fresh(&base);
        self.clones.insert((id, here), name.clone());
        let def = self.rewired(id, here, name.clone())?;
        self.add(here, def);
        Ok(name)
    }

    /// The name of an output on device `here`.
    fn value(&mut self, from: NodeId, output: u32, here: u32) -> Result<String> {
        let there = self.device[from.index()];
        let plain = |name: &str| if output == 0 { name.to_owned() } else { format!("{name}:{output}") };
        let graph = self.graph;
        if there == here {
            return Ok(plain(&graph.node(from).name));
        }
        if self.moves(from) {
            return Ok(plain(&self.copy(from, here)?));
        }
        if let Some(name) = self.known.get(&(from, Some(output), here)) {
            return Ok(name.clone());
        }
        let node = graph.node(from);
        let dtype = node.output_types[output as usize].dtype;
        let name = self.pair(&plain(&node.name), dtype, from, there, here)?;
        self.known.insert((from, Some(output), here), name.clone());
        Ok(name)
    }

    /// A node on device `here` that runs after `from` has run.
    fn control(&mut self, from: NodeId, here: u32) -> Result<String> {
        let there = self.device[from.index()];
        let graph = self.graph;
        if there == here {
            return Ok(graph.node(from).name.to_string());
        }
        if self.moves(from) {
            return self.copy(from, here);
        }
        if let Some(name) = self.known.get(&(from, None, here)) {
            return Ok(name.clone());
        }
        let source = graph.node(from).name.to_string();
        let empty = self.fresh(&source);
        let mut attrs = Attrs::new();
        attrs.set("dtype", AttrValue::Type(DType::F32.value()));
        attrs.set("value", AttrValue::Tensor(Tensor::zeros(DType::F32, Shape::vector(0))));
        let inputs = vec![format!("^{source}")];
        self.add(there, NodeDef { name: empty.clone(), op: "Const".to_owned(), inputs, device: String::new(), attrs });
        let name = self.pair(&empty, DType::F32, from, there, here)?;
        self.known.insert((from, None, here), name.clone());
        Ok(name)
    }

    /// A send of `input` on one device and its receive on the other; returns the receive's name.
    fn pair(&mut self, input: &str, dtype: DType, from: NodeId, there: u32, here: u32) -> Result<String> {
        let base = self.graph.node(from).name.to_string();
        let (send, recv) = (self.fresh(&base), self.fresh(&base));
        let text = |t: &str| AttrValue::S(Bytes::copy_from_slice(t.as_bytes()));
        let attrs = |ty: &str, targets: &Targets| {
            let mut attrs = Attrs::new();
            attrs.set(ty, AttrValue::Type(dtype.value()));
            attrs.set("tensor_name", text(&format!("edge_{send}")));
            attrs.set("send_device", text(&targets.get(there).text));
            attrs.set("send_device_incarnation", AttrValue::I(1));
            attrs.set("recv_device", text(&targets.get(here).text));
            attrs.set("client_terminated", AttrValue::B(false));
            attrs
        };
        let (send_attrs, recv_attrs) = (attrs("T", self.targets), attrs("tensor_type", self.targets));
        let op = |op: &str, name: &str, inputs, attrs| NodeDef {
            name: name.to_owned(),
            op: op.to_owned(),
            inputs,
            device: String::new(),
            attrs,
        };
        self.add(there, op("_Send", &send, vec![input.to_owned()], send_attrs));
        let frame = self.of_output[from.index()];
        let starts = if frame == 0 { Vec::new() } else { vec![format!("^{}", self.control_loop(frame, here)?)] };
        self.add(here, op("_Recv", &recv, starts, recv_attrs));
        Ok(recv)
    }

    /// The merge that runs once in each iteration of a frame on a device.
    fn control_loop(&mut self, frame: usize, here: u32) -> Result<String> {
        if let Some(merge) = self.loops.get(&(frame, here)) {
            return Ok(merge.clone());
        }
        let Frame { name, parent, parallel, cond } = &self.frames[frame];
        let (frame_name, parent, parallel) = (name.clone(), *parent, parallel.clone());
        let cond = cond.ok_or_else(|| {
            Error::invalid("a loop that crosses devices needs a LoopCond").found(format!("the loop {frame_name:?}"))
        })?;
        let names: Vec<String> = (0..5).map(|_| self.fresh("cloop")).collect();
        let [start, enter, merge, switch, next] = &names[..] else { return Err(Error::internal("no names")) };
        self.loops.insert((frame, here), merge.clone());
        let bool_type = AttrValue::Type(DType::Bool.value());
        let mut value = Attrs::new();
        value.set("dtype", bool_type.clone());
        value.set("value", AttrValue::Tensor(Tensor::scalar(false)));
        let around = if parent == 0 { Vec::new() } else { vec![format!("^{}", self.control_loop(parent, here)?)] };
        let typed = || {
            let mut attrs = Attrs::new();
            attrs.set("T", bool_type.clone());
            attrs
        };
        let mut entering = typed();
        entering.set("frame_name", frame_name);
        entering.set("parallel_iterations", parallel);
        entering.set("is_constant", AttrValue::B(false));
        let mut merging = typed();
        merging.set("N", AttrValue::I(2));
        let goes_on = self.value(cond, 0, here)?;
        let node = |name: &str, op: &str, inputs: Vec<String>, attrs: Attrs| NodeDef {
            name: name.to_owned(),
            op: op.to_owned(),
            inputs,
            device: String::new(),
            attrs,
        };
        self.add(here, node(start, "Const", around, value));
        self.add(here, node(enter, "Enter", vec![start.clone()], entering));
        self.add(here, node(merge, "Merge", vec![enter.clone(), next.clone()], merging));
        self.add(here, node(switch, "Switch", vec![merge.clone(), goes_on], typed()));
        self.add(here, node(next, "NextIteration", vec![format!("{switch}:1")], typed()));
        Ok(merge.clone())
    }
}
