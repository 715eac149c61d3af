//! The events of a step, as plain data.

use crate::device::DeviceEvent;
use levada_graph::{DType, Shape, Tensor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// An edge of a graph, data or control: the names of its source and target nodes.
pub type Edge = (Arc<str>, Arc<str>);

/// Element type, shape and size of a node's input or output tensor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TensorDescription {
    /// Element type.
    #[serde(with = "dtype")]
    pub dtype: DType,
    /// Sizes of the axes.
    #[serde(with = "shape")]
    pub shape: Shape,
    /// Size of the elements in bytes.
    pub bytes: u64,
}

impl TensorDescription {
    /// Describes `tensor`.
    pub fn of(tensor: &Tensor) -> TensorDescription {
        TensorDescription { dtype: tensor.dtype(), shape: tensor.shape().clone(), bytes: tensor.num_bytes() as u64 }
    }
}

impl std::fmt::Display for TensorDescription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}

/// The loop iteration that a node ran in.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Name of the frame.
    #[serde(with = "text")]
    pub frame: Arc<str>,
    /// Iteration, from 0.
    pub number: u64,
}

/// What a started node waited for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Awaited {
    /// Another node's use of a queue or similar resource.
    Resource,
    /// A function that it called.
    Call,
    /// A value from another device.
    Send,
    /// A value that the caller of a partial run had to feed.
    Feed,
    /// A timer, a device, or a thread other than the workers.
    #[default]
    External,
}

/// The time between two parts of a node's run: its kernel had returned, but its outputs were not available.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Pause {
    /// Number of the worker that ran the first part.
    pub worker: u32,
    /// When the first part ended.
    pub from_ns: u64,
    /// When what it waited for was available; after that it waited for a worker.
    pub served_ns: u64,
    /// When the second part started.
    pub to_ns: u64,
    /// What it waited for.
    pub awaited: Awaited,
    /// What it waited at, such as ``FIFOQueue `q` ``; empty if that has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// Name of the node that ended the wait; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// True if that node ran in another step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

/// One run of one node. Times are nanoseconds since the start of the step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NodeEvent {
    /// Name of the node.
    #[serde(with = "text")]
    pub node: Arc<str>,
    /// Name of its op.
    pub op: Cow<'static, str>,
    /// Full name of the device.
    #[serde(with = "text", default = "no_text", skip_serializing_if = "str::is_empty")]
    pub device: Arc<str>,
    /// Number of the worker that ran it, from 0; 0 is the calling thread.
    pub worker: u32,
    /// When its last input arrived.
    pub ready_ns: u64,
    /// Name of the node whose output, or completion, arrived last; empty if there was none or it is unknown.
    #[serde(with = "text", default = "no_text", skip_serializing_if = "str::is_empty")]
    pub released_by: Arc<str>,
    /// When its kernel started.
    pub start_ns: u64,
    /// When its outputs were available.
    pub end_ns: u64,
    /// Input tensors, in order; `None` for an input without a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Option<TensorDescription>>,
    /// Output tensors, in order; `None` for an output without a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Option<TensorDescription>>,
    /// True if it was on a branch not taken, so that its kernel did not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dead: bool,
    /// The functions that it ran in, such as `outer/inner`, which its name then begins with; empty for a node of the
    /// graph itself.
    #[serde(with = "text", default = "no_text", skip_serializing_if = "str::is_empty")]
    pub function: Arc<str>,
    /// If several nodes were fused, the names of all of them, its own last; empty otherwise.
    #[serde(with = "texts", default, skip_serializing_if = "Vec::is_empty")]
    pub fused: Vec<Arc<str>>,
    /// The ops of these nodes, in the same order; empty in traces of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fused_ops: Vec<Cow<'static, str>>,
    /// The pause between start and end; `None` if it ran without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<Box<Pause>>,
    /// The error that it failed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The loop iteration that it ran in; `None` outside loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<Iteration>,
}

impl NodeEvent {
    /// True for a node that each run of the graph runs at most once: outside loops and functions.
    pub fn is_single(&self) -> bool {
        self.iteration.is_none() && self.function.is_empty()
    }

    /// The names of the nodes that it represents: its own, or those of all fused nodes.
    pub fn nodes(&self) -> &[Arc<str>] {
        if self.fused.is_empty() { std::slice::from_ref(&self.node) } else { &self.fused }
    }

    /// An event of this node with all other fields zero or empty.
    pub fn new(node: Arc<str>, op: &'static str) -> NodeEvent {
        NodeEvent {
            node,
            op: Cow::Borrowed(op),
            device: no_text(),
            worker: 0,
            ready_ns: 0,
            released_by: no_text(),
            start_ns: 0,
            end_ns: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            dead: false,
            function: no_text(),
            fused: Vec::new(),
            fused_ops: Vec::new(),
            pause: None,
            error: None,
            iteration: None,
        }
    }

    /// Nanoseconds from start to end.
    pub fn span_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Nanoseconds that it was paused between start and end.
    pub fn pause_ns(&self) -> u64 {
        self.pause.as_ref().map_or(0, |p| p.to_ns.saturating_sub(p.from_ns)).min(self.span_ns())
    }

    /// Nanoseconds that it ran.
    pub fn duration_ns(&self) -> u64 {
        self.span_ns() - self.pause_ns()
    }

    /// Nanoseconds from ready to start.
    pub fn wait_ns(&self) -> u64 {
        self.start_ns.saturating_sub(self.ready_ns)
    }

    /// The parts of its run: worker, start and end. There are two if it paused.
    pub fn parts(&self) -> impl Iterator<Item = (u32, u64, u64)> + use<> {
        let whole = (self.worker, self.start_ns, self.end_ns);
        let (first, second) = match &self.pause {
            None => (whole, None),
            Some(p) => ((p.worker, self.start_ns, p.from_ns), Some((self.worker, p.to_ns, self.end_ns))),
        };
        std::iter::once(first).chain(second)
    }

    /// Its op; for fused nodes all ops, such as `Conv2D+BiasAdd+Relu`, with the middle left out if there are many.
    pub fn op_label(&self) -> String {
        /// With more ops than this, only the first and the last are named.
        const MOST: usize = 5;
        match &self.fused_ops[..] {
            [] if self.fused.is_empty() => self.op.to_string(),
            [] => format!("{} and others", self.op),
            few if few.len() <= MOST => few.join("+"),
            [first, second, between @ .., last] => format!("{first}+{second}+({} more)+{last}", between.len()),
            few => few.join("+"),
        }
    }

    /// Bytes of all outputs.
    pub fn output_bytes(&self) -> u64 {
        self.outputs.iter().flatten().map(|t| t.bytes).sum()
    }
}

/// Everything that was recorded in one step.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StepTrace {
    /// Number of the step, from 1: within its session, within the run for `levada run`, or within the steps of the same
    /// enqueue for a queue runner.
    pub step_id: u64,
    /// For a step of a queue runner, the node that the runner runs; empty for the step of a caller.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
    /// When the step started, in microseconds since 1970.
    pub start_unix_us: u64,
    /// Nanoseconds, below 1000, to add to that time.
    #[serde(default, skip_serializing_if = "is_none")]
    pub start_rest_ns: u32,
    /// Duration of the step in nanoseconds, until devices had done all queued work.
    pub wall_ns: u64,
    /// Number of threads that could run nodes.
    pub threads: u32,
    /// The cost of reading the clock in nanoseconds, which is part of the duration of every event; 0 if unknown.
    #[serde(default)]
    pub clock_ns: u64,
    /// The nodes that ran, sorted by start.
    pub events: Vec<NodeEvent>,
    /// The work of devices with queues of their own, sorted by start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_events: Vec<DeviceEvent>,
    /// The number of pieces of device work whose times are unknown: the step did not wait for them, or the device did
    /// not report them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub device_events_lost: u64,
    /// Data and control edges between these nodes, as in the plan; empty if they were not kept.
    #[serde(with = "edges", default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
}

pub(crate) fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_none(n: &u32) -> bool {
    *n == 0
}

impl StepTrace {
    /// When it started, in nanoseconds since 1970.
    pub fn start_unix_ns(&self) -> u64 {
        self.start_unix_us.saturating_mul(1000).saturating_add(u64::from(self.start_rest_ns))
    }

    /// `step 3`, or ``step 3 of the runner of `enqueue` ``.
    pub fn label(&self) -> String {
        match &*self.runner {
            "" => format!("step {}", self.step_id),
            runner => format!("step {} of the runner of `{runner}`", self.step_id),
        }
    }

    /// The number of graph nodes that ran, counting each fused node.
    pub fn num_nodes(&self) -> usize {
        self.events.iter().map(|e| e.nodes().len()).sum()
    }
}

pub(crate) fn no_text() -> Arc<str> {
    Arc::from("")
}

pub(crate) mod text {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(text: &Arc<str>, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(d).map(Arc::from)
    }
}

mod texts {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(texts: &[Arc<str>], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(texts.iter().map(|text| &**text))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Arc<str>>, D::Error> {
        Ok(Vec::<String>::deserialize(d)?.into_iter().map(Arc::from).collect())
    }
}

mod dtype {
    use levada_graph::DType;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(dtype: &DType, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(dtype.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<DType, D::Error> {
        let name = String::deserialize(d)?;
        DType::parse(&name).ok_or_else(|| de::Error::custom(format!("{name:?} is not a dtype")))
    }
}

mod shape {
    use levada_graph::Shape;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(shape: &Shape, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(shape.dims())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Shape, D::Error> {
        Shape::new(Vec::<usize>::deserialize(d)?).map_err(|e| de::Error::custom(e.message()))
    }
}

mod edges {
    use super::Edge;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::HashMap;
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(edges: &[Edge], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(edges.iter().map(|(from, to)| (&**from, &**to)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Edge>, D::Error> {
        let mut names: HashMap<String, Arc<str>> = HashMap::new();
        let mut intern = |name: String| names.entry(name).or_insert_with_key(|n| n.as_str().into()).clone();
        let pairs = Vec::<(String, String)>::deserialize(d)?;
        Ok(pairs.into_iter().map(|(from, to)| (intern(from), intern(to))).collect())
    }
}
