//! Finds the first node that makes a NaN or an infinity out of finite inputs.
//!
//! A floating or complex output that may hold such a value although the inputs do not is checked as soon as it is
//! computed, while it is in the cache. If it holds one, its node's inputs, which are kept until then, are checked too:
//! if they hold none, the node is the origin.

use levada_compile::{Signature, prune};
use levada_executor::Plan;
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::error::Report;
use levada_graph::function::instantiate;
use levada_graph::spec::{Effect, Role};
use levada_graph::{DType, Endpoint, Error, Func, Graph, NodeId, Registry, Result, Shape, Tensor};
use levada_kernel::finite::{self, Found, Sought};
use levada_kernel::io::Variable;
use levada_kernel::observe::{Before, Kept, Ran, variable};
use levada_kernel::{AnyDevice, Entry, Nature, NodeMeta, Observer, Pool, StepCx};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::sync::{Arc, Weak};

/// Old values of variables of at most this many bytes are kept while a node changes them. Larger ones would have to be
/// copied.
const MOST_KEPT: usize = 1 << 14;

/// What to look for: [`SessionOptions::watch`](crate::SessionOptions::watch).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NanWatch {
    /// Infinities, besides NaNs.
    pub infinities: bool,
    /// Also values that no node makes: those from feeds, constants, variables and files.
    pub brought: bool,
}

impl Default for NanWatch {
    /// NaNs and infinities that nodes make.
    fn default() -> NanWatch {
        NanWatch { infinities: true, brought: false }
    }
}

impl NanWatch {
    fn sought(self) -> Sought {
        if self.infinities { Sought::NonFinite } else { Sought::NaN }
    }
}

/// Where a non-finite value was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    /// In the output with this index.
    Output(usize),
    /// In the variable with this name, which the node changed.
    Variable(String),
    /// In a feed.
    Feed,
    /// In a constant of the graph.
    Constant,
}

/// An input of the node.
#[derive(Clone, PartialEq, Debug)]
pub struct NanInput {
    /// The endpoint that it comes from, if the graph shows it; for a variable that the node changed, its name.
    pub name: String,
    /// Its value; of a variable, the value before the change.
    pub value: Tensor,
}

/// The first node that made a NaN or an infinity.
#[derive(Clone, Debug)]
pub struct NanOrigin {
    /// Number of the step.
    pub step: u64,
    /// Name of the node.
    pub node: String,
    /// Its op.
    pub op: String,
    /// Name of its device; empty for feeds and constants.
    pub device: String,
    /// The enclosing functions, such as `outer/inner`.
    pub function: Option<String>,
    /// The enclosing loops and their iterations, from 0, the outermost first.
    pub iterations: Vec<(String, u64)>,
    /// Which of its results holds the value.
    pub made: Made,
    /// False if the value came from outside: a feed, a constant, a variable or a file.
    pub is_computed: bool,
    /// Dtype of that result.
    pub dtype: DType,
    /// Shape of that result.
    pub shape: Shape,
    /// The non-finite values in it.
    pub found: Found,
    /// Its floating and complex inputs. The old value of a variable of more than 16 KiB that the node changed is not
    /// kept.
    pub inputs: Vec<NanInput>,
    /// The result itself.
    pub result: Tensor,
    /// The nodes from a feed, a variable or another source to this one.
    pub path: Vec<String>,
}

impl NanOrigin {
    /// The kind of value: `NaN`, `an infinity`.
    pub fn what(&self) -> &'static str {
        if self.found.nans > 0 { "NaN" } else { "an infinity" }
    }

    /// The first element that is not finite, by its index along each axis.
    pub fn index(&self) -> Vec<usize> {
        let mut rest = self.found.first;
        let mut index: Vec<usize> =
            self.shape.iter().rev().map(|&size| (rest % size.max(1), rest /= size.max(1)).0).collect();
        index.reverse();
        index
    }

    /// The value of that element: `NaN`, `-inf`, `1+NaNi`.
    pub fn value(&self) -> String {
        match self.found.value {
            (real, None) => real.to_string(),
            (real, Some(imaginary)) => format!("{real}{imaginary:+}i"),
        }
    }

    /// `output 0, float32 [2,3]: 2 of 6 elements, the first at [0, 1]: NaN`
    pub fn details(&self) -> String {
        let place = match &self.made {
            Made::Output(i) => format!("output {i}, "),
            Made::Variable(name) => format!("the variable {name}, "),
            Made::Feed | Made::Constant => String::new(),
        };
        let count = self.found.nans + self.found.infinities;
        let all = self.shape.num_elements();
        format!(
            "{place}{} {}: {count} of {all} elements, the first at {:?}: {}",
            self.dtype,
            self.shape,
            self.index(),
            self.value()
        )
    }

    fn sentence(&self) -> String {
        let mut text = match (&self.made, self.is_computed) {
            (Made::Feed, _) => format!("the feed {} holds {}", self.node, self.what()),
            (Made::Constant, _) => format!("the constant {} holds {}", self.node, self.what()),
            (_, true) => format!("{} made {} out of {}", self.node, self.what(), self.inputs_were()),
            (_, false) => format!("{} brought {}", self.node, self.what()),
        };
        for (frame, iteration) in &self.iterations {
            // Writing to a string cannot fail.
            let _ = write!(text, ", in iteration {iteration} of {frame}");
        }
        if let Some(function) = &self.function {
            let _ = write!(text, ", in the function {function}");
        }
        text
    }

    fn inputs_were(&self) -> &'static str {
        let is_finite = |input: &NanInput| finite::find(&input.value, Sought::NonFinite).is_none();
        if self.inputs.iter().all(is_finite) { "finite inputs" } else { "inputs without NaN" }
    }

    fn error(self) -> Error {
        let error = Error::invalid(self.sentence()).at_node(&self.node, &self.op).found(self.details());
        error.with_report(Arc::new(self))
    }
}

impl Report for NanOrigin {
    fn text(&self) -> String {
        let inputs = self.inputs.iter().map(|input| format!("{} was {:?}", input.name, input.value));
        inputs.collect::<Vec<_>>().join("\n")
    }
}

/// Watches the nodes of a session.
struct Watcher {
    watch: NanWatch,
    /// Whether variables were finite when a node last changed them. The lock protects the map.
    variables: Mutex<HashMap<usize, (Weak<Variable>, bool)>>,
}

/// The observer that watches a session's nodes.
///
/// # Errors
/// `UNIMPLEMENTED` for devices with memory that the host cannot read.
pub(crate) fn observer(watch: NanWatch, devices: &[Arc<dyn AnyDevice>]) -> Result<Arc<dyn Observer>> {
    match devices.iter().find(|device| device.memory().is_some()) {
        Some(device) => Err(Error::unimplemented("NaNs are looked for on the CPU only")
            .found(format!("the device {}", device.name()))
            .help("run the graph on the CPU, without GPUs")),
        None => Ok(Arc::new(Watcher { watch, variables: Mutex::default() })),
    }
}

/// Tensors, and where they come from.
type Given<'a> = &'a mut dyn Iterator<Item = &'a Tensor>;

impl Watcher {
    /// True if the node with these inputs is the origin of the non-finite values in the result.
    fn is_origin(&self, result: &Tensor, inputs: Given<'_>, pool: &Pool) -> bool {
        let nan = finite::holds(result, Sought::NaN, pool);
        let (mut any_nan, mut any) = (false, false);
        for input in inputs {
            any_nan |= finite::holds(input, Sought::NaN, pool);
            any |= finite::holds(input, Sought::NonFinite, pool);
        }
        (nan && !any_nan) || (self.watch.infinities && !any)
    }

    fn is_good(&self, value: &Tensor, pool: &Pool) -> bool {
        !finite::holds(value, self.watch.sought(), pool)
    }

    /// Whether a variable was finite before a node changes it.
    fn was_good(&self, cell: &Arc<Variable>, value: Option<&Tensor>, pool: &Pool) -> bool {
        let known = self.variables.lock().get(&(Arc::as_ptr(cell) as usize)).cloned();
        match known.filter(|(weak, _)| weak.strong_count() > 0) {
            Some((_, good)) => good,
            None => value.is_none_or(|value| self.is_good(value, pool)),
        }
    }

    fn remember(&self, cell: &Arc<Variable>, good: bool) {
        let mut variables = self.variables.lock();
        if variables.len() == variables.capacity() {
            variables.retain(|_, (weak, _)| weak.strong_count() > 0);
        }
        variables.insert(Arc::as_ptr(cell) as usize, (Arc::downgrade(cell), good));
    }

    /// Checks a result of a node; returns the origin if it is this node.
    fn look(&self, ran: &Ran<'_>, made: Made, result: &Tensor, is_computed: bool) -> Option<NanOrigin> {
        let pool = &ran.step.env.pool;
        let inputs = ran.kept.inputs.iter().enumerate().filter_map(|(i, entry)| Some((i, entry.tensor()?)));
        if let (Some(group), true) = (&ran.nature.group, is_computed) {
            let mut origin = None;
            group.walk(&ran.kept.inputs, ran.step, &mut |part, given, value| {
                if !self.is_good(value, pool) && self.is_origin(value, &mut given.iter(), pool) {
                    let given = given.iter().enumerate();
                    origin = self.origin(ran, (&part.meta, Made::Output(0)), value, given, true);
                }
                origin.is_some()
            });
            if origin.is_some() {
                return origin;
            }
        }
        let before = ran.kept.variables.iter().filter_map(|before| Some((before.input, before.value.as_ref()?)));
        self.is_origin(result, &mut inputs.clone().map(|(_, tensor)| tensor), pool).then_some(())?;
        self.origin(ran, (ran.node, made), result, inputs.chain(before), is_computed)
    }

    fn origin<'a>(
        &self,
        ran: &Ran<'_>,
        (node, made): (&NodeMeta, Made),
        result: &Tensor,
        inputs: impl Iterator<Item = (usize, &'a Tensor)>,
        is_computed: bool,
    ) -> Option<NanOrigin> {
        let inputs = inputs.filter(|(_, tensor)| finite::can_hold(tensor.dtype()));
        let inputs = inputs.map(|(i, tensor)| NanInput { name: format!("input {i}"), value: tensor.clone() });
        Some(NanOrigin {
            step: ran.step.id,
            node: node.name.to_string(),
            op: node.op.to_owned(),
            device: node.device.to_string(),
            function: ran.step.within.as_ref().map(|within| within.to_string()),
            iterations: (ran.iterations)().into_iter().map(|(frame, n)| (frame.to_string(), n)).collect(),
            made,
            is_computed,
            dtype: result.dtype(),
            shape: result.shape().clone(),
            found: finite::find(result, self.watch.sought())?,
            inputs: inputs.collect(),
            result: result.clone(),
            path: Vec::new(),
        })
    }
}

impl Observer for Watcher {
    fn starts(&self, nature: &Nature, inputs: &[Entry], step: &StepCx) -> Option<Kept> {
        if !(nature.computes || nature.changes || (nature.brings && self.watch.brought)) {
            return None;
        }
        let mut kept = Kept::default();
        for (i, input) in inputs.iter().enumerate() {
            let keeps = nature.group.is_some() || input.tensor().is_some_and(|t| finite::can_hold(t.dtype()));
            kept.inputs.push(if keeps { input.clone() } else { Entry::Empty });
            if let Some(cell) = nature.changes.then(|| variable(input)).flatten() {
                let value = cell.value.read().clone();
                let value = value.filter(|value| finite::can_hold(value.dtype()));
                let was_good = self.was_good(&cell, value.as_ref(), &step.env.pool);
                let value = value.filter(|value| value.num_bytes() <= MOST_KEPT);
                kept.variables.push(Before { input: i, cell, value, was_good });
            }
        }
        Some(kept)
    }

    fn seeks(&self) -> Option<Sought> {
        Some(self.watch.sought())
    }

    fn ran(&self, ran: &Ran<'_>) -> Result<()> {
        let pool = &ran.step.env.pool;
        let of_input =
            |value: &Tensor| ran.kept.inputs.iter().filter_map(Entry::tensor).any(|input| shares(input, value));
        for before in &ran.kept.variables {
            if ran.looked == Some(false) {
                self.remember(&before.cell, true);
                continue;
            }
            let value = before.cell.value.read().clone();
            let Some(value) = value.filter(|value| finite::can_hold(value.dtype())) else { continue };
            let good = self.is_good(&value, pool);
            self.remember(&before.cell, good);
            if good || !before.was_good || of_input(&value) {
                continue;
            }
            let name = before.cell.name.clone();
            if let Some(origin) = self.look(ran, Made::Variable(name), &value, true) {
                return Err(origin.error());
            }
        }
        let is_computed = ran.nature.computes;
        if !(is_computed || ran.nature.brings && self.watch.brought) {
            return Ok(());
        }
        for (i, output) in ran.outputs.iter().enumerate() {
            let cell;
            let value = match output {
                Entry::Ref(of) if !is_computed => {
                    cell = of.value.read().clone();
                    cell.as_ref()
                }
                entry => entry.tensor(),
            };
            let Some(value) = value.filter(|value| finite::can_hold(value.dtype()) && !of_input(value)) else {
                continue;
            };
            if !ran.looked.unwrap_or_else(|| !self.is_good(value, pool)) {
                continue;
            }
            if let Some(origin) = self.look(ran, Made::Output(i), value, is_computed) {
                return Err(origin.error());
            }
        }
        Ok(())
    }
}

/// True if two tensors have the same bytes at the same address.
fn shares(a: &Tensor, b: &Tensor) -> bool {
    let place = |t: &Tensor| t.bytes().map(|bytes| (bytes.as_ptr() as usize, bytes.len()));
    place(a) == place(b)
}

/// The error for a non-finite value that is brought into a run.
fn brought(watch: NanWatch, step: u64, (name, op, made): (&str, &str, Made), value: &Tensor) -> Result<()> {
    let Some(found) = finite::find(value, watch.sought()) else { return Ok(()) };
    let origin = NanOrigin {
        step,
        node: name.to_owned(),
        op: op.to_owned(),
        device: String::new(),
        function: None,
        iterations: Vec::new(),
        made,
        is_computed: false,
        dtype: value.dtype(),
        shape: value.shape().clone(),
        found,
        inputs: Vec::new(),
        result: value.clone(),
        path: vec![name.to_owned()],
    };
    Err(origin.error())
}

/// Checks the feeds.
pub(crate) fn check_feeds(watch: NanWatch, plan: &Plan, feeds: &[Tensor], step: u64) -> Result<()> {
    let mut named = plan.feeds.iter().zip(feeds);
    named.try_for_each(|(feed, value)| brought(watch, step, (&feed.name, "", Made::Feed), value))
}

/// Checks the constants that a run needs.
pub(crate) fn check_constants(watch: NanWatch, graph: &Graph, signature: &Signature) -> Result<()> {
    for id in prune(graph, signature)?.order {
        let node = graph.node(id);
        if let (Role::Const, Some(value)) = (node.spec().role, node.op.constant()) {
            brought(watch, 0, (&node.name, node.op_name(), Made::Constant), value)?;
        }
    }
    Ok(())
}

/// Finds where in a graph a value comes from.
pub(crate) struct Locate {
    pub(crate) graph: Arc<Graph>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) plan: Arc<Plan>,
}

impl Locate {
    /// The error; for a [`NanOrigin`] with the names of its inputs and the path to it.
    pub(crate) fn located(&self, error: Error) -> Error {
        let Some(mut origin) = error.report::<NanOrigin>().cloned() else { return error };
        if matches!(origin.made, Made::Feed | Made::Constant) {
            return error;
        }
        let fed: HashSet<Endpoint> =
            self.plan.feeds.iter().chain(&self.plan.later).filter_map(|f| self.graph.endpoint(&f.name).ok()).collect();
        let mut graph = self.graph.clone();
        let mut path = Vec::new();
        for function in origin.function.iter().flat_map(|within| within.split('/')) {
            let found =
                graph.nodes().find_map(|(id, node)| Some((id, called(node.attrs.iter().map(|(_, v)| v), function)?)));
            let Some((id, call)) = found else { return error };
            path.extend(self::path(&graph, id, &fed));
            let Ok(body) = instantiate(&self.graph.library, &call, &self.registry) else { return error };
            graph = Arc::new(body.graph);
        }
        let Some(id) = graph.find(&origin.node) else { return error };
        let node = graph.node(id);
        for input in &mut origin.inputs {
            let number = input.name.strip_prefix("input ").and_then(|n| n.parse::<usize>().ok());
            if let Some(endpoint) = number.and_then(|n| node.inputs.get(n)) {
                input.name = graph.endpoint_name(*endpoint);
            }
        }
        path.extend(self::path(&graph, id, &fed));
        origin.path = path;
        let text = format!("it comes from {}", origin.path.join(" -> "));
        error.help(text).with_report(Arc::new(origin))
    }
}

/// The function with this name among those that a node's attrs name.
fn called<'a>(attrs: impl Iterator<Item = &'a AttrValue>, function: &str) -> Option<Func> {
    let functions = attrs.flat_map(|value| match value {
        AttrValue::Func(function) => std::slice::from_ref(function),
        AttrValue::List(AttrList::Func(all)) => all,
        _ => &[],
    });
    functions.into_iter().find(|func| func.name == function).cloned()
}

/// The shortest path to a node: from a feed, if one leads to it, else from a variable, an argument, another source or a
/// constant.
fn path(graph: &Graph, to: NodeId, fed: &HashSet<Endpoint>) -> Vec<String> {
    let mut next: HashMap<NodeId, Option<NodeId>> = HashMap::from([(to, None)]);
    let mut open = VecDeque::from([to]);
    // The rank of a source, the best first, and the path from it.
    let mut best: Option<(u8, Vec<String>)> = None;
    let mut consider = |rank: u8, first: Option<String>, at: NodeId, next: &HashMap<NodeId, Option<NodeId>>| {
        if best.as_ref().is_some_and(|(known, _)| *known <= rank) {
            return;
        }
        let mut way: Vec<String> = first.into_iter().collect();
        let mut here = Some(at);
        while let Some(at) = here {
            way.push(graph.node(at).name.to_string());
            here = next.get(&at).copied().flatten();
        }
        best = Some((rank, way));
    };
    while let Some(at) = open.pop_front() {
        let node = graph.node(at);
        for input in &node.inputs {
            if fed.contains(input) {
                consider(0, Some(graph.endpoint_name(*input)), at, &next);
            } else if let std::collections::hash_map::Entry::Vacant(reached) = next.entry(input.node) {
                reached.insert(Some(at));
                open.push_back(input.node);
            }
        }
        if node.inputs.is_empty() && at != to {
            let spec = node.spec();
            let is_variable = node.output_types.iter().any(|ty| ty.is_ref || ty.dtype == DType::Resource);
            consider(
                match spec.role {
                    Role::Const => 5,
                    Role::Arg => 1,
                    Role::Placeholder => 2,
                    _ if is_variable && spec.effect != Some(Effect::Reads) => 3,
                    _ => 4,
                },
                None,
                at,
                &next,
            );
        }
    }
    best.map_or_else(|| vec![graph.node(to).name.to_string()], |(_, way)| way)
}
