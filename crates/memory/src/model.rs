//! A step as nodes and the tensors passed between them, with the memory that each takes, where, and for how long.

use crate::instances::{Instance, Instances, Source, instances};
use crate::{Alive, Fixed, Unknown, Why, trips};
use levada_compile::known::{Known, maker_of_store};
use levada_executor::{NodeIx, NodeKind, Plan};
use levada_graph::graph::Node;
use levada_graph::op::FromAttr;
use levada_graph::spec::{Act, Effect, Primitive, Role, Store};
use levada_graph::{AttrValue, DType, Endpoint, Error, Graph, Handle, NodeId, PartialShape, Result, Shape};
use levada_kernel::accumulate::most_kept;
use levada_kernel::arena::footprint;
use levada_kernel::group::Part;
use levada_kernel::transfer::SEND;
use levada_kernel::{AnyDevice, Epilogue, Piecewise, Stage, tiles};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Bytes of a piece of a fused group's tensors, and the output size from which a group is computed in pieces.
const PIECE: usize = 16 << 10;
const WORTH_CUTTING: usize = 8 * PIECE;

/// A tensor that is made in the step, or memory that a node needs while it runs.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) place: u32,
    pub(crate) bytes: u64,
    /// The instance that makes it, and those that use it.
    pub(crate) from: u32,
    pub(crate) until: Vec<u32>,
    /// True if it stays until the end of the step.
    pub(crate) stays: bool,
    pub(crate) node: Arc<str>,
    pub(crate) output: Option<u32>,
    pub(crate) dtype: Option<DType>,
    pub(crate) shape: Option<Shape>,
    pub(crate) why: Why,
}

/// The model of a step.
pub(crate) struct Model {
    pub(crate) instances: Vec<Instance>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) unknown: Vec<Unknown>,
    /// Names of the devices whose memory tensors are in.
    pub(crate) places: Vec<String>,
}

/// The inputs of a model.
pub(crate) struct Given<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) plan: &'a Plan,
    pub(crate) known: &'a Known,
    pub(crate) devices: &'a [Arc<dyn AnyDevice>],
    /// Shapes of the feeds, in the order of the plan.
    pub(crate) feeds: &'a [PartialShape],
    pub(crate) threads: usize,
}

/// A tensor, as inputs see it.
#[derive(Clone, Debug, Default)]
struct Value {
    /// The buffers that it may be in.
    buffers: Vec<u32>,
    shape: PartialShape,
    dtype: Option<DType>,
    /// True if nothing else holds it when its only consumer runs.
    own: bool,
}

/// Facts about a node of the plan.
struct About<'a> {
    of_graph: Option<(NodeId, &'a Node)>,
    /// The other nodes that it computes, if it is fused.
    members: Vec<&'a Node>,
    /// Shapes of its outputs.
    shapes: Vec<PartialShape>,
    /// The nodes whose outputs these are, if it is fused and has several.
    outputs: Vec<Arc<str>>,
    place: u32,
    is_elementwise: bool,
    /// True for a chain of products that may be computed tile by tile.
    is_tiled: bool,
}

struct Builder<'a> {
    given: &'a Given<'a>,
    about: Vec<About<'a>>,
    /// By instance and output.
    values: Vec<Vec<Value>>,
    feeds: Vec<Value>,
    model: Model,
    missing: HashSet<(Arc<str>, u32)>,
    /// Nodes that put newly made tensors into stores each time.
    puts: HashSet<NodeIx>,
    /// The nodes of the calls that are not analysed.
    calls: HashSet<Arc<str>>,
}

impl Model {
    /// The model of a plan.
    ///
    /// # Errors
    /// `INTERNAL` for a plan with a cycle.
    pub(crate) fn new(given: &Given<'_>) -> Result<Model> {
        let mut builder = Builder {
            given,
            about: Vec::new(),
            values: Vec::new(),
            feeds: Vec::new(),
            model: Model {
                instances: Vec::new(),
                buffers: Vec::new(),
                fixed: Vec::new(),
                unknown: Vec::new(),
                places: given.devices.iter().map(|d| d.name().to_string()).collect(),
            },
            missing: HashSet::new(),
            puts: HashSet::new(),
            calls: HashSet::new(),
        };
        builder.look();
        let heavy: Vec<bool> = (0..given.plan.nodes.len()).map(|n| builder.is_heavy(n)).collect();
        let found =
            instances(given.plan, &heavy, given.threads).ok_or_else(|| Error::internal("the plan has a cycle"))?;
        builder.resident();
        builder.fill(&found);
        builder.stores(&found);
        builder.kept_factors(&found);
        builder.updates(&found);
        builder.model.instances = found.all;
        Ok(builder.model)
    }

    /// Describes a buffer for the report.
    pub(crate) fn alive(&self, buffer: &Buffer) -> Alive {
        Alive {
            node: buffer.node.clone(),
            output: buffer.output,
            dtype: buffer.dtype,
            shape: buffer.shape.clone(),
            copies: 1,
            bytes: buffer.bytes,
            why: buffer.why,
        }
    }
}

fn plain_bytes(dtype: DType, shape: &Shape) -> u64 {
    shape.num_elements().checked_mul(dtype.size()).map_or(u64::MAX / 1024, |bytes| bytes as u64)
}

/// The size of a tensor that is made in a step; `None` if it depends on its elements.
fn taken(dtype: DType, shape: &Shape) -> Option<u64> {
    match dtype {
        DType::Resource => Some(shape.num_elements() as u64 * size_of::<Handle>() as u64),
        _ if !dtype.is_plain() => None,
        _ => {
            let bytes = plain_bytes(dtype, shape);
            Some(usize::try_from(bytes).map_or(bytes, |b| footprint(b.min(usize::MAX / 8)) as u64))
        }
    }
}

impl<'a> Builder<'a> {
    /// Collects the facts about every node of the plan.
    fn look(&mut self) {
        let Given { graph, plan, known, devices, .. } = *self.given;
        let number: HashMap<&str, u32> = devices.iter().map(|d| &**d.name()).zip(0..).collect();
        let cpu = devices.iter().find(|d| d.memory().is_none());
        let is_piecewise = |node: &Node| {
            cpu.and_then(|d| d.kernel(&node.op)).is_some_and(|kernel| kernel.piecewise() != Piecewise::No)
        };
        let stage = |node: &Node| cpu.and_then(|d| d.kernel(&node.op)).and_then(|kernel| kernel.stage());
        for names in &plan.names {
            let of_graph = graph.find(&names.meta.name).map(|id| (id, graph.node(id)));
            let of_graph = of_graph.filter(|(_, node)| node.spec().name == names.meta.op);
            let members: Vec<&Node> =
                names.fused.iter().filter_map(|name| Some(graph.node(graph.find(name)?))).collect();
            let group = names.nature.group.as_ref();
            let is_cell = group.is_some_and(|group| {
                let is_whole = |part: &Part| part.kernel.piecewise() == Piecewise::No;
                group.outputs.len() > 1 || group.parts.iter().any(is_whole)
            });
            let cell = group.filter(|group| group.outputs.len() > 1);
            let outputs: Vec<Arc<str>> = cell
                .iter()
                .flat_map(|cell| cell.outputs.iter().map(|&part| cell.parts[part].meta.name.clone()))
                .collect();
            let shapes = match of_graph {
                _ if !outputs.is_empty() => {
                    let shape = |name: &Arc<str>| graph.find(name).map(|id| known.shape(Endpoint::from(id)));
                    outputs.iter().map(|name| shape(name).unwrap_or_default()).collect()
                }
                Some((id, _)) => {
                    (0..names.meta.outputs.len() as u32).map(|o| known.shape(Endpoint::new(id, o))).collect()
                }
                None => vec![PartialShape::Unknown; names.meta.outputs.len()],
            };
            self.about.push(About {
                of_graph,
                outputs,
                is_elementwise: members.len() > 1 && !is_cell && members.iter().all(|m| is_piecewise(m)),
                is_tiled: members.len() > 1 && members.iter().any(|m| stage(m) == Some(Stage::Product)),
                members,
                shapes,
                place: number.get(&*names.meta.device).copied().unwrap_or(0),
            });
        }
    }

    fn is_heavy(&self, node: usize) -> bool {
        let outputs = &self.given.plan.names[node].meta.outputs;
        let light = |(dtype, shape): (&DType, &PartialShape)| {
            shape.known().and_then(|shape| taken(*dtype, &shape)).is_some_and(|bytes| bytes == 0)
        };
        !outputs.iter().zip(&self.about[node].shapes).all(light) && !self.passes(node as NodeIx)
    }

    /// True for nodes that forward their first input.
    fn passes(&self, node: NodeIx) -> bool {
        let kind = self.given.plan.nodes[node as usize].kind;
        let of_graph = self.about[node as usize].of_graph.map(|(_, node)| node.spec());
        matches!(
            kind,
            NodeKind::Switch | NodeKind::Merge | NodeKind::Enter(_) | NodeKind::Exit | NodeKind::NextIteration
        ) || self.given.plan.names[node as usize].meta.op == SEND
            || of_graph.is_some_and(|spec| {
                spec.forwards || spec.role == Role::LoopCond || spec.primitive == Some(Primitive::Reshape)
            })
    }

    /// The first place in the host's memory.
    fn host(&self) -> u32 {
        self.given.devices.iter().position(|d| d.memory().is_none()).unwrap_or(0) as u32
    }

    fn unknown(&mut self, node: &Arc<str>, output: u32, what: String) {
        if self.missing.insert((node.clone(), output)) {
            self.model.unknown.push(Unknown { node: node.clone(), output, what });
        }
    }

    /// What exists before the step and stays: constants, variables, queues, feeds.
    fn resident(&mut self) {
        let Given { graph, plan, feeds, .. } = *self.given;
        let host = self.host();
        let mut seen: HashSet<usize> = HashSet::new();
        let mut is_new =
            |tensor: &levada_graph::Tensor| tensor.bytes().is_none_or(|b| seen.insert(b.as_ptr() as usize));
        for (_, node) in graph.nodes() {
            if let Some(value) = node.op.constant().filter(|value| is_new(value)) {
                let row = Fixed::new(host, &node.name, value.num_bytes() as u64, Why::Constant);
                self.model.fixed.push(row.of(value.dtype(), Some(value.shape().clone())));
            }
        }
        for frame in &plan.frames {
            for (_, value) in frame.constants.iter().filter(|(_, value)| is_new(value)) {
                // They were made by kernels, in the arena's memory.
                let bytes = footprint(value.num_bytes()).max(value.num_bytes());
                let row = Fixed::new(host, &"computed before the run".into(), bytes as u64, Why::Constant);
                self.model.fixed.push(row.of(value.dtype(), Some(value.shape().clone())));
            }
        }
        let places: HashMap<&str, u32> =
            plan.names.iter().zip(&self.about).map(|(n, a)| (&*n.meta.name, a.place)).collect();
        for (id, node) in graph.nodes() {
            let place = places.get(&*node.name).copied().unwrap_or(host);
            self.variable(id, node, place);
            self.queue(node, host);
        }
        for (feed, shape) in plan.feeds.iter().zip(feeds) {
            let known = shape.known().filter(|_| feed.dtype.is_plain() || feed.dtype == DType::Resource);
            match &known {
                Some(shape) => {
                    let bytes = if feed.dtype.is_plain() { plain_bytes(feed.dtype, shape) } else { 0 };
                    let row = Fixed::new(host, &feed.name, bytes, Why::Feed);
                    self.model.fixed.push(row.of(feed.dtype, Some(shape.clone())));
                }
                None => self.unknown(&feed.name, 0, format!("a feed, {} of shape {shape}", feed.dtype)),
            }
            self.feeds.push(Value { shape: shape.clone(), dtype: Some(feed.dtype), ..Value::default() });
        }
        let slots = plan.bytes_of_step() as u64;
        self.model.fixed.push(Fixed::new(host, &"input slots and counts of the step".into(), slots, Why::Step));
    }

    /// A variable, which persists across steps.
    fn variable(&mut self, id: NodeId, node: &Node, place: u32) {
        let is_state = node.inputs.is_empty() && node.op.is_stateful() && node.spec().act.is_none();
        let Some(first) = node.output_types.first().filter(|_| is_state) else { return };
        let shape = match node.attrs.get("shape") {
            Some(AttrValue::Shape(shape)) => shape.clone(),
            _ => return,
        };
        let dtype = match (first.is_ref, node.attrs.get("dtype")) {
            (true, _) => first.dtype,
            (false, Some(AttrValue::Type(ty))) if first.dtype == DType::Resource => ty.dtype,
            _ => return,
        };
        // A variable that the step does not use still takes memory.
        match shape.known().and_then(|shape| Some((taken(dtype, &shape)?, shape))) {
            Some((bytes, shape)) => {
                let row = Fixed::new(place, &node.name, bytes, Why::Variable);
                self.model.fixed.push(row.of(dtype, Some(shape)));
            }
            None if self.is_used(id) => self.unknown(&node.name, 0, format!("a variable, {dtype} of shape {shape}")),
            None => {}
        }
    }

    fn is_used(&self, id: NodeId) -> bool {
        self.about.iter().any(|about| about.of_graph.is_some_and(|(own, _)| own == id))
    }

    /// A queue, at its fullest.
    fn queue(&mut self, node: &Node, place: u32) {
        if node.spec().act != Some(Act::Make) {
            return;
        }
        let capacity = match node.attrs.get("capacity") {
            Some(AttrValue::I(capacity)) => *capacity,
            _ => return,
        };
        let shapes = node.attrs.get("shapes").and_then(Vec::<PartialShape>::from_attr).unwrap_or_default();
        let types = node.attrs.get("component_types").and_then(Vec::<DType>::from_attr).unwrap_or_default();
        let element = shapes.iter().zip(&types).map(|(shape, ty)| taken(*ty, &shape.known()?)).sum::<Option<u64>>();
        match element.filter(|_| shapes.len() == types.len()) {
            Some(0) => {}
            Some(_) if capacity < 0 || capacity == i64::from(i32::MAX) => {
                self.unknown(&node.name, 0, "a queue without a limit".to_owned());
            }
            Some(bytes) => {
                let all = bytes.saturating_mul(capacity as u64);
                self.model.fixed.push(Fixed::new(place, &node.name, all, Why::Queue));
            }
            None => self.unknown(&node.name, 0, "a queue of elements whose size is not known".to_owned()),
        }
    }

    fn value(&self, source: Source) -> Value {
        match source {
            Source::Node(v, output) => self.values[v as usize].get(output as usize).cloned().unwrap_or_default(),
            Source::Feed(i) => self.feeds.get(i as usize).cloned().unwrap_or_default(),
        }
    }

    /// Follows the tensors through the step.
    fn fill(&mut self, found: &Instances) {
        for (v, instance) in (0u32..).zip(&found.all) {
            if instance.node == NodeIx::MAX {
                self.values.push(Vec::new());
                continue;
            }
            let values = self.node(v, instance, found);
            self.values.push(values);
        }
        for &source in &found.fetched {
            for b in self.value(source).buffers {
                let buffer = &mut self.model.buffers[b as usize];
                (buffer.stays, buffer.why) = (true, Why::Fetch);
            }
        }
    }

    /// The outputs of a node, which starts to use its inputs.
    fn node(&mut self, v: u32, instance: &Instance, found: &Instances) -> Vec<Value> {
        let Given { plan, .. } = *self.given;
        let at = instance.node as usize;
        let names = &plan.names[at];
        let inputs: BTreeMap<u32, Value> = instance.inputs.iter().map(|&(i, s)| (i, self.value(s))).collect();
        let once = |source: &Source| match *source {
            Source::Node(from, output) => found.all[from as usize].uses.get(output as usize) == Some(&1),
            Source::Feed(_) => false,
        };
        let moved: HashSet<u32> = instance.inputs.iter().filter(|(_, s)| once(s)).map(|(i, _)| *i).collect();
        for b in inputs.values().flat_map(|value| &value.buffers) {
            self.model.buffers[*b as usize].until.push(v);
        }
        let factor = found.factor[plan.nodes[at].frame as usize];
        self.workspace(v, instance, factor);
        if let Some(Store::PutRows(i)) = self.about[at].of_graph.and_then(|(_, node)| node.spec().store) {
            for b in inputs.get(&(i as u32)).into_iter().flat_map(|value| &value.buffers) {
                let buffer = &mut self.model.buffers[*b as usize];
                (buffer.stays, buffer.why) = (true, Why::Stored);
            }
        }
        if self.passes(instance.node) {
            return self.passed(instance, &inputs, &moved);
        }
        let spec = self.about[at].of_graph.map(|(_, node)| node.spec());
        if let Some(value) = self.put(v, instance, &inputs, found) {
            return vec![value];
        }
        let is_taken = spec.is_some_and(|spec| spec.store == Some(Store::Take));
        let is_read = spec.is_some_and(|spec| spec.effect == Some(Effect::Reads))
            && names.meta.outputs.len() == 1
            && plan.nodes[at].inputs.len() == 1;
        let is_call = spec.is_some_and(|spec| spec.role == Role::Call);
        if is_call && self.calls.insert(names.meta.name.clone()) {
            let what = format!("a call of a function ({}), whose own tensors are not counted", names.meta.op);
            self.unknown(&names.meta.name, u32::MAX, what);
        }
        let mut values = Vec::with_capacity(names.meta.outputs.len());
        for (output, &dtype) in (0u32..).zip(&*names.meta.outputs) {
            let shape = match self.about[at].of_graph {
                None => inputs.values().next().map(|v| v.shape.clone()).unwrap_or_default(),
                Some(_) => self.about[at].shapes[output as usize].clone(),
            };
            let is_ref = self.about[at]
                .of_graph
                .is_some_and(|(_, n)| n.output_types.get(output as usize).is_some_and(|t| t.is_ref));
            let mut value = Value { shape, dtype: Some(dtype), ..Value::default() };
            if is_ref || is_taken || is_read {
                values.push(value);
                continue;
            }
            if let Some(b) = self.in_place(at, (dtype, &value.shape), &inputs, &moved) {
                (value.buffers, value.own) = (vec![b], true);
                values.push(value);
                continue;
            }
            let is_unused = instance.uses.get(output as usize) == Some(&0);
            let (of, output) = match self.about[at].outputs.get(output as usize) {
                Some(member) => (member.clone(), 0),
                None => (names.meta.name.clone(), output),
            };
            match value.shape.known().and_then(|shape| Some((taken(dtype, &shape)?, shape))) {
                None => self.unknown(&of, output, format!("{dtype} of shape {}", value.shape)),
                Some((0, _)) => {}
                Some((bytes, shape)) => {
                    value.buffers.push(self.model.buffers.len() as u32);
                    self.model.buffers.push(Buffer {
                        place: self.place(at, output),
                        bytes: bytes.saturating_mul(factor),
                        from: v,
                        until: if is_unused { vec![v] } else { Vec::new() },
                        stays: false,
                        node: of,
                        output: Some(output),
                        dtype: Some(dtype),
                        shape: Some(shape),
                        why: Why::Tensor,
                    });
                }
            }
            value.own = true;
            if spec.is_some_and(|spec| spec.views) {
                let wholes = inputs.values().filter(|input| may_be_part(&value, input));
                let held: Vec<u32> = wholes.flat_map(|input| input.buffers.iter().copied()).collect();
                value.own = held.is_empty();
                value.buffers.extend(held);
            }
            values.push(value);
        }
        values
    }

    /// Records what a node puts into a store; returns the element if the node also outputs it.
    fn put(&mut self, v: u32, instance: &Instance, inputs: &BTreeMap<u32, Value>, found: &Instances) -> Option<Value> {
        let plan = self.given.plan;
        let (_, node) = self.about[instance.node as usize].of_graph?;
        let Some(Store::Put(i)) = node.spec().store else { return None };
        let element = inputs.get(&(i as u32)).cloned().unwrap_or_default();
        let frame = |v: u32| plan.nodes.get(found.all[v as usize].node as usize).map(|node| node.frame);
        let is_new = |&b: &u32| frame(self.model.buffers[b as usize].from) == frame(v);
        if element.buffers.iter().any(is_new) {
            self.puts.insert(instance.node);
        } else {
            // The same tensor is put in each time.
            for &b in &element.buffers {
                let buffer = &mut self.model.buffers[b as usize];
                (buffer.stays, buffer.why) = (true, Why::Stored);
            }
        }
        let gives_it = node.output_types.len() == 1
            && node.output_types.first().map(|t| t.dtype) == node.input_types.get(i).map(|t| t.dtype)
            && node.spec().inputs.len() == 2;
        gives_it.then_some(Value { own: false, ..element })
    }

    /// The place of an output: the host, also if a device with its own memory leaves the output there.
    fn place(&self, node: usize, output: u32) -> u32 {
        let place = self.about[node].place;
        let Some(device) = self.given.devices.get(place as usize).filter(|d| d.memory().is_some()) else {
            return place;
        };
        let plan = self.given.plan;
        let kernel = match self.about[node].of_graph {
            Some((_, of_graph)) => device.kernel(&of_graph.op),
            None => None,
        };
        let host = kernel.map_or(&[][..], |kernel| kernel.host_outputs());
        let count = plan.names[node].meta.outputs.len();
        match levada_kernel::kernel::is_listed(host, output as usize, count) {
            true => self.host(),
            false => place,
        }
    }

    /// The outputs of a node that forwards its inputs.
    fn passed(&self, instance: &Instance, inputs: &BTreeMap<u32, Value>, moved: &HashSet<u32>) -> Vec<Value> {
        let plan = self.given.plan;
        let at = instance.node as usize;
        let kind = plan.nodes[at].kind;
        let mut value = inputs.get(&0).cloned().unwrap_or_default();
        value.own &= moved.contains(&0) && !matches!(kind, NodeKind::Enter(true));
        if kind == NodeKind::Merge {
            value = Value {
                dtype: value.dtype,
                shape: self.about[at].shapes.first().cloned().unwrap_or_default(),
                ..Value::default()
            };
            value.buffers = inputs.values().flat_map(|v| v.buffers.iter().copied()).collect();
            value.buffers.sort_unstable();
            value.buffers.dedup();
            value.own = inputs.len() == 1 && inputs.values().all(|v| v.own) && moved.len() == 1;
        }
        let outputs = plan.nodes[at].outputs as usize;
        if self.about[at].of_graph.is_some_and(|(_, node)| node.spec().primitive == Some(Primitive::Reshape)) {
            value.shape = self.about[at].shapes[0].clone();
        }
        (0..outputs)
            .map(|output| match kind {
                NodeKind::Merge if output > 0 => Value::default(),
                _ => value.clone(),
            })
            .collect()
    }

    /// The input buffer in which the kernel is certain to put its output.
    fn in_place(
        &self,
        node: usize,
        (dtype, shape): (DType, &PartialShape),
        inputs: &BTreeMap<u32, Value>,
        moved: &HashSet<u32>,
    ) -> Option<u32> {
        let about = &self.about[node];
        let device = self.given.devices.get(about.place as usize)?;
        let is_simple = about.members.is_empty()
            && about.of_graph.is_some_and(|(_, node)| {
                matches!(
                    node.spec().primitive,
                    Some(Primitive::Add | Primitive::Sub | Primitive::Mul | Primitive::Div | Primitive::Neg)
                )
            });
        if device.memory().is_some() || !(is_simple || about.is_elementwise && self.is_cut(node)) {
            return None;
        }
        let shape = shape.known()?;
        let fits = |(i, value): (&u32, &Value)| {
            let [buffer] = value.buffers[..] else { return None };
            let fits = value.own && moved.contains(i) && value.dtype == Some(dtype) && value.shape.known()? == shape;
            (fits && self.model.buffers[buffer as usize].place == about.place).then_some(buffer)
        };
        inputs.iter().find_map(fits)
    }

    /// True for a group that is computed in pieces.
    fn is_cut(&self, node: usize) -> bool {
        let about = &self.about[node];
        let widest = about.members.iter().flat_map(|m| &m.output_types).map(|t| t.dtype.size()).max().unwrap_or(1);
        let elements = about.shapes.first().and_then(PartialShape::num_elements);
        elements.is_some_and(|n| n >= 1024 && n.saturating_mul(widest) >= WORTH_CUTTING)
    }

    /// The memory that the node needs while it runs.
    fn workspace(&mut self, v: u32, instance: &Instance, factor: u64) {
        let Given { graph, plan, known, devices, threads, .. } = *self.given;
        let at = instance.node as usize;
        let about = &self.about[at];
        if devices.get(about.place as usize).is_some_and(|d| d.memory().is_some()) {
            return;
        }
        let own = about.of_graph.map(|(_, node)| node).filter(|_| about.members.is_empty());
        let mut bytes = 0u64;
        for node in about.members.iter().copied().chain(own) {
            let inputs: Vec<PartialShape> = node.inputs.iter().map(|&e| known.shape(e)).collect();
            let Some(id) = graph.find(&node.name) else { continue };
            let outputs: Vec<PartialShape> =
                (0..node.output_types.len() as u32).map(|o| known.shape(Endpoint::new(id, o))).collect();
            let takes = node.op.workspace(&inputs, &outputs, threads).unwrap_or(0.0);
            // Sizes are rounded up by at most a quarter, for each of two or three tensors.
            bytes += (takes * 1.25) as u64;
        }
        if about.is_elementwise {
            let values = about.members.len() as u64 + 1;
            bytes += match self.is_cut(at) {
                true => footprint(PIECE) as u64 * (values * threads as u64 + 1),
                false => self.one_by_one(&about.members),
            };
        }
        if !about.outputs.is_empty() {
            bytes += footprint(PIECE / 2) as u64 * (about.members.len() * threads) as u64;
        }
        if about.is_tiled {
            let each = self.tiles(&about.members).map(|bytes| footprint(bytes) as u64 * threads as u64);
            bytes += each.unwrap_or_else(|| self.one_by_one(&about.members));
        }
        if bytes == 0 {
            return;
        }
        self.model.buffers.push(Buffer {
            place: about.place,
            bytes: bytes.saturating_mul(factor),
            from: v,
            until: vec![v],
            stays: false,
            node: plan.names[at].meta.name.clone(),
            output: None,
            dtype: None,
            shape: None,
            why: Why::Workspace,
        });
    }

    /// The factors of products that a sum in a loop keeps until several are added to it at a time.
    fn kept_factors(&mut self, found: &Instances) {
        let mut seen = HashSet::new();
        for (v, instance) in (0u32..).zip(&found.all) {
            if let Some(frame) = self.given.plan.nodes.get(instance.node as usize).map(|node| node.frame)
                && frame > 0
                && let Some(bytes) = self.kept_by(instance.node as usize)
                && seen.insert(instance.node)
            {
                let about = &self.about[instance.node as usize];
                let parent = self.given.plan.frames[frame as usize].parent as usize;
                self.model.buffers.push(Buffer {
                    place: about.place,
                    bytes: bytes.saturating_mul(found.factor[parent]),
                    from: v,
                    until: Vec::new(),
                    stays: true,
                    node: self.given.plan.names[instance.node as usize].meta.name.clone(),
                    output: None,
                    dtype: None,
                    shape: None,
                    why: Why::Workspace,
                });
            }
        }
    }

    /// The size of the factors that a node in a loop keeps; `None` if it does not add products to a sum that the loop carries.
    fn kept_by(&self, at: usize) -> Option<u64> {
        let Given { graph, known, devices, .. } = *self.given;
        let (id, node) = self.about[at].of_graph?;
        let device = devices.get(self.about[at].place as usize).filter(|d| d.memory().is_none())?;
        let is_sum = matches!(device.kernel(&node.op)?.epilogue(), Some(Epilogue::Add | Epilogue::Sum));
        // The node behind those that only forward its output.
        let source = |input: &Endpoint| {
            let mut node = graph.node(input.node);
            while let Some(input) = node.inputs.first().filter(|_| node.spec().forwards) {
                node = graph.node(input.node);
            }
            node
        };
        let is_carried = node.inputs.iter().any(|input| source(input).spec().role == Role::Switch);
        if !is_sum || !is_carried {
            return None;
        }
        let bytes = |of: Endpoint| known.shape(of).known().map_or(0, |shape| plain_bytes(DType::F32, &shape));
        let is_product = |node: &&Node| device.kernel(&node.op).is_some_and(|kernel| kernel.accumulates().is_some());
        let kept = node.inputs.iter().map(source).filter(is_product).map(|product| {
            let factors: u64 = product.inputs.iter().map(|&input| bytes(input)).sum();
            most_kept(bytes(Endpoint::from(id)) as usize, factors as usize) as u64 * factors
        });
        kept.max().filter(|&kept| kept > 0)
    }

    /// The intermediate memory that each thread needs for a chain that is computed tile by tile; `None` if it is not, or its sizes are
    /// unknown.
    fn tiles(&self, members: &[&Node]) -> Option<usize> {
        let Given { graph, known, devices, .. } = *self.given;
        let cpu = devices.iter().find(|d| d.memory().is_none())?;
        let ids: Vec<NodeId> = members.iter().map(|m| graph.find(&m.name)).collect::<Option<_>>()?;
        let (mut largest, mut row, mut factor) = (0, 0, 0);
        for node in members {
            let is_factor = cpu.kernel(&node.op)?.stage().is_some();
            for (input, ty) in node.inputs.iter().zip(&node.input_types) {
                let shape = known.shape(*input).known()?;
                let bytes = shape.num_elements() * ty.dtype.size();
                match ids.contains(&input.node) {
                    true if bytes > largest => (largest, row) = (bytes, shape.last()? * ty.dtype.size()),
                    false if is_factor => factor = factor.max(bytes),
                    _ => {}
                }
            }
        }
        tiles::workspace(largest, row, factor)
    }

    /// The intermediate memory of a group's nodes if they are computed one after the other, without the last one's
    /// output.
    fn one_by_one(&self, members: &[&Node]) -> u64 {
        let Given { graph, known, .. } = *self.given;
        let ids: Vec<Option<NodeId>> = members.iter().map(|m| graph.find(&m.name)).collect();
        let bytes = |i: usize| {
            let dtype = members[i].output_types.first().map(|t| t.dtype)?;
            taken(dtype, &known.shape(Endpoint::from(ids[i]?)).known()?)
        };
        let last_use = |i: usize| {
            let uses = |m: &&Node| m.inputs.iter().any(|e| Some(e.node) == ids[i]);
            members.iter().rposition(uses).unwrap_or(i)
        };
        let (mut live, mut most): (Vec<(usize, u64)>, u64) = (Vec::new(), 0);
        for i in 0..members.len() {
            let made = if i + 1 == members.len() { 0 } else { bytes(i).unwrap_or(0) };
            most = most.max(live.iter().map(|(_, b)| b).sum::<u64>() + made);
            live.push((last_use(i), made));
            live.retain(|(until, _)| *until > i);
        }
        most
    }

    /// The contents of tensor arrays and stacks when they are full.
    fn stores(&mut self, found: &Instances) {
        let Given { graph, plan, known, .. } = *self.given;
        let mut makers: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for (at, about) in self.about.iter().enumerate() {
            let Some((_, node)) = about.of_graph else { continue };
            if let (Some(Store::Put(_)), Some(&handle)) = (node.spec().store, node.inputs.first())
                && self.puts.contains(&(at as NodeIx))
                && let Some(maker) = maker_of_store(graph, handle)
            {
                makers.entry(maker).or_default().push(at);
            }
        }
        for (v, instance) in (0u32..).zip(&found.all) {
            let Some(about) = self.about.get(instance.node as usize) else { continue };
            let Some((id, node)) = about.of_graph else { continue };
            let Some(puts) = makers.get(&id) else { continue };
            let dtype = puts.iter().find_map(|&p| {
                let (_, put) = self.about[p].of_graph?;
                let Some(Store::Put(input)) = put.spec().store else { return None };
                put.input_types.get(input).map(|t| t.dtype)
            });
            let (element, place) = (known.element(id), about.place);
            let each = dtype.and_then(|dtype| taken(dtype, &element.known()?));
            if each == Some(0) {
                continue;
            }
            let count = self
                .capacity(id)
                .or_else(|| puts.iter().map(|&p| self.times(plan.nodes[p].frame)).sum::<Option<u64>>());
            match (each, count) {
                (Some(each), Some(count)) => self.model.buffers.push(Buffer {
                    place,
                    bytes: each.saturating_mul(count),
                    from: v,
                    until: Vec::new(),
                    stays: true,
                    node: node.name.clone(),
                    output: None,
                    dtype,
                    shape: element.known(),
                    why: Why::Stored,
                }),
                (None, _) => self.unknown(&node.name, 0, format!("{} elements of shape {element}", node.op_name())),
                (_, None) => {
                    let what =
                        format!("{} that grows with a loop whose number of iterations is not known", node.op_name());
                    self.unknown(&node.name, 0, what);
                }
            }
        }
    }

    /// The maximum number of elements of a tensor array.
    fn capacity(&self, maker: NodeId) -> Option<u64> {
        let Given { graph, known, .. } = *self.given;
        let mut at = maker;
        for _ in 0..graph.len() {
            let node = graph.node(at);
            let first = *node.inputs.first()?;
            match node.spec().store? {
                Store::Make => {
                    let is_dynamic = matches!(node.attrs.get("dynamic_size"), Some(AttrValue::B(true)));
                    let value = graph.node(first.node).op.constant().or_else(|| known.value(first))?;
                    let size = value.to_i64s().ok()?.first().copied()?;
                    // An unbounded stack has size -1.
                    return u64::try_from(size).ok().filter(|_| !is_dynamic);
                }
                Store::Like => at = maker_of_store(graph, first)?,
                _ => return None,
            }
        }
        None
    }

    /// The maximum number of runs of a frame's nodes.
    fn times(&self, frame: u32) -> Option<u64> {
        let Given { graph, plan, known, .. } = *self.given;
        let (mut times, mut at) = (1u64, frame);
        while at != 0 {
            // The condition itself may not be in the plan, but the switches that use it are.
            let condition = |&n: &NodeIx| {
                let (_, node) = self.about[n as usize].of_graph.filter(|(_, node)| node.spec().role == Role::Switch)?;
                let condition = node.inputs.get(1)?.node;
                (graph.node(condition).spec().role == Role::LoopCond).then_some(condition)
            };
            let condition = plan.frames[at as usize].nodes.iter().find_map(condition)?;
            times = times.saturating_mul(trips::of_loop(graph, known, condition)?);
            at = plan.frames[at as usize].parent;
        }
        Some(times)
    }

    /// The extra memory of a variable that changes while its old value is still read.
    fn updates(&mut self, found: &Instances) {
        let graph = self.given.graph;
        let bytes: HashMap<Arc<str>, (u64, u32)> = self
            .model
            .fixed
            .iter()
            .filter(|f| f.alive.why == Why::Variable)
            .map(|f| (f.alive.node.clone(), (f.alive.bytes, f.place)))
            .collect();
        let variable = |endpoint: Endpoint| {
            let mut at = endpoint;
            for _ in 0..graph.len() {
                let node = graph.node(at.node);
                let passes =
                    node.spec().forwards || matches!(node.spec().role, Role::Enter | Role::Switch | Role::Merge);
                match node.inputs.first() {
                    Some(&from) if passes => at = from,
                    _ => break,
                }
            }
            bytes.get(&graph.node(at.node).name).map(|&(bytes, place)| (at.node, bytes, place))
        };
        // By variable: the holders of its value, and the nodes that change it.
        let mut readers: HashMap<NodeId, Vec<u32>> = HashMap::new();
        let mut writers: Vec<(u32, NodeId, u64, u32)> = Vec::new();
        for (v, instance) in (0u32..).zip(&found.all) {
            let Some((_, node)) = self.about.get(instance.node as usize).and_then(|a| a.of_graph) else { continue };
            for (&input, ty) in node.inputs.iter().zip(&node.input_types) {
                let Some((id, size, place)) = variable(input) else { continue };
                match node.spec().effect {
                    Some(Effect::Changes) => writers.push((v, id, size, place)),
                    Some(Effect::Reads) => {
                        readers.entry(id).or_default().push(v);
                        readers.entry(id).or_default().extend(&instance.after);
                    }
                    _ if ty.dtype != DType::Resource => readers.entry(id).or_default().push(v),
                    _ => {}
                }
            }
        }
        for (v, id, size, place) in writers {
            let mut late: Vec<u32> = readers.get(&id).into_iter().flatten().copied().filter(|&r| r != v).collect();
            late.sort_unstable();
            late.dedup();
            let ordered = ancestors(&found.all, v, &late);
            late.retain(|r| !ordered.contains(r));
            if late.is_empty() || size == 0 {
                continue;
            }
            late.push(v);
            let name = graph.node(id).name.clone();
            self.model.buffers.push(Buffer {
                place,
                bytes: size,
                from: v,
                until: late,
                stays: false,
                node: name,
                output: None,
                dtype: None,
                shape: None,
                why: Why::OldValue,
            });
        }
    }
}

/// Those of `nodes` that come before node `v`.
fn ancestors(all: &[Instance], v: u32, nodes: &[u32]) -> HashSet<u32> {
    let Some(&least) = nodes.first() else { return HashSet::new() };
    let mut seen: HashSet<u32> = HashSet::new();
    let mut stack = vec![v];
    while let Some(at) = stack.pop() {
        for &u in all[at as usize].before.iter().filter(|&&u| u >= least) {
            if seen.insert(u) {
                stack.push(u);
            }
        }
    }
    seen.retain(|u| nodes.binary_search(u).is_ok());
    seen
}

/// True if a value may be a contiguous part of an input and share its memory.
fn may_be_part(value: &Value, input: &Value) -> bool {
    if value.dtype != input.dtype || input.buffers.is_empty() {
        return false;
    }
    let (Some(part), Some(whole)) = (value.shape.known(), input.shape.known()) else { return true };
    let long = |shape: &Shape| shape.iter().copied().filter(|&d| d != 1).collect::<Vec<usize>>();
    let (part, whole) = (long(&part), long(&whole));
    // Rows of the whole: its last axes, and a range of the axis before them.
    let same = part.iter().rev().zip(whole.iter().rev()).take_while(|(a, b)| a == b).count();
    part != whole && part.len() <= whole.len() && part.len() - same <= 1
}
