//! Post-training quantization: convolutions and matrix products in 8-bit integers.
//!
//! [`quantize`] finds layers ([`layers`]): a convolution or product whose weights are constants, with the bias, batch
//! norm, sum and activation that follow it. It runs the graph with the feeds of [`Feeds`] to measure the ranges of
//! their inputs and outputs ([`ranges`]), and replaces each layer by one op on codes ([`emit`]). Between layers, values
//! stay codes ([`flow`]). All other nodes compute in floats as before. [`report`] measures the loss of each layer.

mod emit;
mod flow;
mod layers;
mod ranges;
pub mod report;

pub use report::{Loss, Report};

use levada_graph::attr::AttrValue;
use levada_graph::{Endpoint, Error, Graph, GraphDef, NodeId, Result, Shape, Tensor};
use levada_session::Session;
use std::collections::{HashMap, HashSet};

/// The feeds of one run, by endpoint.
pub type Feeds = Vec<(String, Tensor)>;

/// How the range of codes is chosen from the measured values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ranges {
    /// The full range of the values.
    #[default]
    MinMax,
    /// This percentage of the values; those furthest from zero are clipped, on both sides if the values have both
    /// signs.
    Percentile(f64),
    /// The range that minimizes the sum of squared quantization errors.
    LeastSquares,
}

/// Options for quantization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How the ranges of activations are chosen.
    pub ranges: Ranges,
    /// Nodes that stay in floats: the convolutions or products of layers.
    pub keep: Vec<String>,
}

/// A quantized graph.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// The graph: the nodes that the fetches need. Fetches and feeds keep their names.
    pub def: GraphDef,
    /// The loss of the layers.
    pub report: Report,
}

/// Quantizes the part of a graph that `fetches` need. `calibration` has the feeds of at least one run. `open` opens a
/// session on a graph; `levada::opener` returns such functions.
///
/// # Errors
/// `INVALID_ARGUMENT` without feeds, for invalid percentiles, for values that are not finite, and if no layer can be
/// quantized, with the reasons; `NOT_FOUND` for names that the graph lacks; the errors of running the graph.
pub fn quantize(
    graph: &Graph,
    calibration: &[Feeds],
    fetches: &[&str],
    options: &Options,
    open: &dyn Fn(Graph) -> Result<Session>,
) -> Result<Quantized> {
    check(graph, calibration, options)?;
    let session = open(graph.clone())?;
    let scope = Scope::new(graph, calibration, fetches)?;
    let known = Known::new(&scope, &session, calibration)?;
    let found = layers::find(&scope, &known, &options.keep);
    if found.layers.is_empty() {
        return Err(nothing(&found.left));
    }
    let flow = flow::Flow::of(&scope, &known, &found.layers);
    let scales = ranges::measure(&scope, &session, calibration, &flow.measured(), options.ranges)?;
    let made = emit::emit(&scope, &known, &found.layers, &flow, &scales)?;
    let quantized = open(Graph::from_def(made.def.clone(), session.registry())?)?;
    let report = report::compare(&scope, &session, &quantized, calibration, &made.shown, found.left)?;
    Ok(Quantized { def: made.def, report })
}

fn check(graph: &Graph, calibration: &[Feeds], options: &Options) -> Result<()> {
    if calibration.is_empty() {
        return Err(Error::invalid("there are no feeds to calibrate with").expected("the feeds of one run at least"));
    }
    if let Ranges::Percentile(p) = options.ranges
        && !(p > 50.0 && p <= 100.0)
    {
        return Err(Error::invalid("not a percentile").expected("above 50, at most 100").found(p));
    }
    let unknown = options.keep.iter().filter(|name| graph.find(name).is_none());
    Error::join(unknown.map(|name| graph.unknown_node(name, name)).collect()).map_or(Ok(()), Err)
}

fn nothing(left: &[report::Left]) -> Error {
    let mut error = Error::invalid("no layer of the graph can be quantized")
        .expected("a Conv2D, DepthwiseConv2dNative, MatMul or BatchMatMulV2 of float32 with constant weights");
    if !left.is_empty() {
        let reasons: Vec<String> = left.iter().take(5).map(|left| format!("{}: {}", left.node, left.reason)).collect();
        error = error.found(reasons.join("; "));
    }
    error.help("freeze a model with variables first: levada freeze")
}

/// The part of a graph that fetches need, and the dependencies of its nodes.
struct Scope<'g> {
    graph: &'g Graph,
    fetches: Vec<String>,
    fetched: HashSet<Endpoint>,
    /// Nodes that are fetched as operations.
    targets: Vec<NodeId>,
    fed: HashSet<Endpoint>,
    /// Nodes that the fetches need, with the feeds.
    needed: HashSet<NodeId>,
    /// The inputs of needed nodes that read an endpoint.
    consumers: HashMap<Endpoint, Vec<(NodeId, usize)>>,
    /// Nodes that are control inputs of others.
    awaited: HashSet<NodeId>,
    /// Nodes of branches and loops of version 1: they may be dead, or run several times.
    conditional: HashSet<NodeId>,
}

impl<'g> Scope<'g> {
    fn new(graph: &'g Graph, calibration: &[Feeds], fetches: &[&str]) -> Result<Scope<'g>> {
        let (mut fetched, mut targets, mut faults) = (HashSet::new(), Vec::new(), Vec::new());
        for name in fetches {
            match (graph.endpoint(name), graph.find(name)) {
                (Ok(endpoint), _) => _ = fetched.insert(endpoint),
                (Err(_), Some(node)) => targets.push(node),
                (Err(error), None) => faults.push(error),
            }
        }
        let mut fed = HashSet::new();
        for (name, _) in calibration.iter().flatten() {
            match graph.endpoint(name) {
                Ok(endpoint) => _ = fed.insert(endpoint),
                Err(error) => faults.push(error),
            }
        }
        if let Some(error) = Error::join(faults) {
            return Err(error);
        }
        let mut scope = Scope {
            graph,
            fetches: fetches.iter().map(|&name| name.to_owned()).collect(),
            targets,
            needed: HashSet::new(),
            consumers: HashMap::new(),
            awaited: HashSet::new(),
            conditional: HashSet::new(),
            fetched,
            fed,
        };
        scope.follow();
        Ok(scope)
    }

    fn follow(&mut self) {
        let graph = self.graph;
        let roots = self.fetched.iter().map(|e| e.node).chain(self.targets.iter().copied());
        let mut open: Vec<NodeId> = roots.chain(self.fed.iter().map(|e| e.node)).collect();
        while let Some(id) = open.pop() {
            if !self.needed.insert(id) {
                continue;
            }
            let node = graph.node(id);
            // A node all of whose outputs are fed does not run.
            let outputs = node.output_types.len() as u32;
            if outputs > 0 && (0..outputs).all(|i| self.fed.contains(&Endpoint::new(id, i))) {
                continue;
            }
            for (i, &input) in node.inputs.iter().enumerate() {
                self.consumers.entry(input).or_default().push((id, i));
                open.push(input.node);
            }
            self.awaited.extend(&node.control_inputs);
            open.extend(&node.control_inputs);
        }
        let starts = |id: &&NodeId| {
            matches!(graph.node(**id).op_name(), "Switch" | "RefSwitch" | "Enter" | "RefEnter" | "_SwitchN")
        };
        let mut open: Vec<NodeId> = self.needed.iter().filter(starts).copied().collect();
        let mut after: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &id in &self.needed {
            let node = graph.node(id);
            for before in node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied()) {
                after.entry(before).or_default().push(id);
            }
        }
        while let Some(id) = open.pop() {
            if self.conditional.insert(id) {
                open.extend(after.get(&id).into_iter().flatten());
            }
        }
    }

    /// The only input that reads an endpoint, if nothing else uses it or depends on its node.
    fn only_consumer(&self, endpoint: Endpoint) -> Option<(NodeId, usize)> {
        let node = self.graph.node(endpoint.node);
        let others = (0..node.output_types.len() as u32).map(|i| Endpoint::new(endpoint.node, i));
        let unseen = !self.awaited.contains(&endpoint.node)
            && !self.targets.contains(&endpoint.node)
            && others.clone().all(|e| !self.fetched.contains(&e) && !self.fed.contains(&e))
            && others.filter(|&e| e != endpoint).all(|e| !self.consumers.contains_key(&e));
        match self.consumers.get(&endpoint).map(Vec::as_slice) {
            Some(&[consumer]) if unseen => Some(consumer),
            _ => None,
        }
    }

    fn op(&self, id: NodeId) -> &str {
        self.graph.node(id).op_name()
    }

    fn name(&self, id: NodeId) -> &str {
        &self.graph.node(id).name
    }

    fn attr(&self, id: NodeId, name: &str) -> Option<&AttrValue> {
        self.graph.node(id).attrs.get(name)
    }

    /// A string attr, or the default if the node has none.
    fn text(&self, id: NodeId, name: &str, default: &str) -> String {
        match self.attr(id, name) {
            Some(AttrValue::S(text)) => String::from_utf8_lossy(text).into_owned(),
            _ => default.to_owned(),
        }
    }

    fn flag(&self, id: NodeId, name: &str, default: bool) -> bool {
        match self.attr(id, name) {
            Some(&AttrValue::B(value)) => value,
            _ => default,
        }
    }

    /// The needed nodes in the order of the graph.
    fn nodes(&self) -> impl Iterator<Item = NodeId> + use<'_> {
        self.graph.ids().filter(|id| self.needed.contains(id))
    }
}

/// Facts known before the quantization: constants that layers read, and shapes of the operands of additions.
struct Known {
    /// Nodes whose outputs are the same in every run. Control dependencies on them can be dropped.
    fixed: HashSet<NodeId>,
    constants: HashMap<Endpoint, Tensor>,
    shapes: HashMap<Endpoint, Shape>,
}

impl Known {
    fn new(scope: &Scope<'_>, session: &Session, calibration: &[Feeds]) -> Result<Known> {
        let fixed = fixed(scope);
        let (mut constants, mut computed, mut sums) = (HashMap::new(), Vec::new(), Vec::new());
        for id in scope.nodes().filter(|id| layers::reads_constants(scope.op(*id))) {
            let mut other = Vec::new();
            for &input in &scope.graph.node(id).inputs {
                // A constant with control inputs is still a constant.
                match (scope.op(input.node), scope.attr(input.node, "value")) {
                    _ if scope.fed.contains(&input) => other.push(input),
                    ("Const", Some(AttrValue::Tensor(value))) => _ = constants.insert(input, value.clone()),
                    _ if fixed.contains(&input.node) => computed.push(input),
                    _ => other.push(input),
                }
            }
            if other.len() == 2 && matches!(scope.op(id), "Add" | "AddV2") && !scope.conditional.contains(&id) {
                sums.extend(other);
            }
        }
        let fetch = |endpoints: &mut Vec<Endpoint>, feeds: &Feeds| -> Result<Vec<(Endpoint, Tensor)>> {
            endpoints.sort_unstable_by_key(|e| (e.node.index(), e.output));
            endpoints.dedup();
            let tensors = scope.run(session, feeds, endpoints)?;
            Ok(endpoints.iter().copied().zip(tensors).collect())
        };
        constants.extend(fetch(&mut computed, &Vec::new())?);
        let sums = fetch(&mut sums, &calibration[0])?;
        let shapes = sums.into_iter().map(|(endpoint, tensor)| (endpoint, tensor.shape().clone())).collect();
        Ok(Known { fixed, constants, shapes })
    }
}

impl Known {
    /// Nodes that a node must run after.
    fn waits<'a>(&'a self, scope: &'a Scope<'_>, id: NodeId) -> impl Iterator<Item = NodeId> + 'a {
        scope.graph.node(id).control_inputs.iter().copied().filter(|before| !self.fixed.contains(before))
    }
}

impl Scope<'_> {
    /// The values of endpoints.
    fn run(&self, session: &Session, feeds: &Feeds, endpoints: &[Endpoint]) -> Result<Vec<Tensor>> {
        if endpoints.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = endpoints.iter().map(|&e| self.graph.endpoint_name(e)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        run(session, feeds, &names)
    }
}

/// The values of fetches.
fn run(session: &Session, feeds: &Feeds, fetches: &[&str]) -> Result<Vec<Tensor>> {
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
    session.run(&feeds, fetches, &[])
}

/// Nodes whose outputs are the same in every run: constants and nodes that depend only on them.
fn fixed(scope: &Scope<'_>) -> HashSet<NodeId> {
    let mut after: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut missing: HashMap<NodeId, usize> = HashMap::new();
    let mut open = Vec::new();
    for id in scope.nodes() {
        let node = scope.graph.node(id);
        if !node.control_inputs.is_empty() || node.op.is_stateful() || scope.conditional.contains(&id) {
            continue;
        }
        if node.op_name() == "Const" {
            open.push(id);
        } else if !node.inputs.is_empty() {
            missing.insert(id, node.inputs.len());
            node.inputs.iter().for_each(|e| after.entry(e.node).or_default().push(id));
        }
    }
    let mut fixed = HashSet::new();
    while let Some(id) = open.pop() {
        let node = scope.graph.node(id);
        let outputs = node.output_types.len() as u32;
        if (0..outputs).any(|i| scope.fed.contains(&Endpoint::new(id, i))) || !fixed.insert(id) {
            continue;
        }
        for next in after.remove(&id).unwrap_or_default() {
            let left = missing.get_mut(&next).expect("only nodes that miss inputs come after others");
            *left -= 1;
            if *left == 0 {
                open.push(next);
            }
        }
    }
    fixed
}
