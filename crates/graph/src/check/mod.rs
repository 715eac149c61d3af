//! Builds a checked graph from a GraphDef, or reports all of its faults.
//!
//! A node at fault has outputs of unknown type, and unknown types are not checked: every fault is reported, and no
//! consequential ones.

mod links;
mod names;
mod order;
mod references;

pub(crate) use links::{InputMap, Outside};
pub(crate) use names::legal_name;

use crate::attr::Attrs;
use crate::def::{GraphDef, NodeDef};
use crate::dtype::EdgeType;
use crate::error::{Code, Error, Result};
use crate::graph::{Endpoint, Graph, Node, NodeId, UNKNOWN_TYPE};
use crate::known_ops::unknown_op;
use crate::op::{OpDef, Registry};
use crate::read::SourceMap;
use crate::resolve::{Resolved, Types, examine};
use crate::spec::Role;
use crate::unsupported::Unsupported;
use links::{Links, Source};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The GraphDef version that this reader understands.
pub const CONSUMER_VERSION: i32 = 2474;

/// A fault with its location in a GraphDef.
pub(crate) struct Fault {
    /// Number of the node.
    pub node: Option<usize>,
    /// Path within the node, or within the graph.
    pub path: String,
    pub error: Error,
    /// True for an unsupported feature, which concerns only runs that reach the node.
    pub lack: bool,
}

/// The unreadable parts of a node, which must not be reported as missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Broken {
    pub name: bool,
    pub op: bool,
    pub inputs: bool,
    pub all_attrs: bool,
    pub attrs: Vec<Arc<str>>,
}

/// Nodes with unreadable parts.
pub(crate) type Suspects = HashMap<usize, Broken>;

impl Graph {
    /// Checks a GraphDef and builds the graph it describes. Nodes keep their order. Attrs that follow from the inputs
    /// are inferred.
    ///
    /// Unsupported ops, dtypes and attrs are not faults of the graph: see [`Graph::unsupported`].
    ///
    /// # Errors
    /// Every fault in one error, followed by the unsupported features.
    pub fn from_def(def: GraphDef, registry: &Registry) -> Result<Graph> {
        Graph::from_def_with(def, registry, None)
    }

    /// [`Graph::from_def`] for a GraphDef that [`read::parse_json`](crate::read::parse_json) returned with this map, so
    /// that faults have line numbers.
    ///
    /// # Errors
    /// As [`Graph::from_def`].
    pub fn from_def_with(def: GraphDef, registry: &Registry, map: Option<&SourceMap<'_>>) -> Result<Graph> {
        let checked = check(def, registry, &Suspects::new(), Outside::default());
        crate::read::settle(checked, Vec::new(), map, false).map(Checked::into_graph)
    }

    /// [`Graph::from_def`] for a function's body, which lacks the library that contains the functions it calls.
    pub(crate) fn from_body(def: GraphDef, registry: &Registry) -> Result<Graph> {
        let outside = Outside { any_function: true, ..Outside::default() };
        let checked = check(def, registry, &Suspects::new(), outside);
        crate::read::settle(checked, Vec::new(), None, false).map(Checked::into_graph)
    }
}

/// Nodes with numbers that follow those of the graph they were checked against. Unsupported ones have [`Unsupported`]
/// ops without errors until [`Checked::attach`].
pub(crate) struct Checked {
    pub nodes: Vec<Node>,
    /// The checked GraphDef, without its nodes.
    pub def: GraphDef,
    /// Unsupported features of the nodes.
    pub lacks: Vec<Fault>,
    /// Nodes whose types are unknown because of another node: their numbers, and the cause.
    blames: Vec<(usize, Blame)>,
}

/// The cause of a node's unknown types.
enum Blame {
    /// This node is unsupported.
    Inside(usize),
    /// A node of the outside graph is unsupported.
    Outside(Arc<[Error]>),
}

impl Checked {
    /// The graph of these nodes.
    pub fn into_graph(self) -> Graph {
        let mut graph = Graph::new();
        graph.library = Arc::new(self.def.library);
        graph.versions = self.def.versions;
        graph.collections = self.def.collections;
        graph.meta = self.def.meta;
        graph.append(self.nodes);
        graph
    }

    /// Sets the errors of unsupported nodes, with their locations, by the number of the node.
    pub fn attach(&mut self, errors: HashMap<usize, Vec<Error>>) {
        let mut shared: HashMap<usize, Arc<[Error]>> = HashMap::new();
        for (i, errors) in errors {
            let errors: Arc<[Error]> = errors.into();
            shared.insert(i, errors.clone());
            if let Some(node) = self.nodes.get_mut(i) {
                node.op = Arc::new(Unsupported::new(node.op.name(), errors, true));
            }
        }
        for (i, blame) in self.blames.drain(..) {
            let errors = match blame {
                Blame::Inside(root) => shared.get(&root).cloned().unwrap_or_default(),
                Blame::Outside(errors) => errors,
            };
            let node = &mut self.nodes[i];
            node.op = Arc::new(Unsupported::new(node.op.name(), errors, false));
        }
    }
}

/// Checks nodes that are to be added to the outside graph. Unsupported features are in [`Checked::lacks`], unless there
/// are other faults.
pub(crate) fn check(
    mut def: GraphDef,
    registry: &Registry,
    suspects: &Suspects,
    outside: Outside<'_>,
) -> Result<Checked, Vec<Fault>> {
    crate::function::name_calls(&mut def);
    let refused = refused_calls(&def);
    let attrs: Vec<Attrs> = def.nodes.iter_mut().map(|node| std::mem::take(&mut node.attrs)).collect();
    let mut faults = Faults { def: &def, list: Vec::new() };
    versions(&mut faults);
    let ops = find_ops(&mut faults, registry, suspects, refused);
    let links = Links::of(&def, suspects, outside, &mut faults);
    names::colocation(&attrs, &links, &mut faults);
    references::devices(&mut faults);
    if !outside.any_function {
        references::functions(&attrs, registry, &mut faults);
        faults.list.extend(references::bodies(&def, registry));
    }
    let order = order::order(&def, &links, &ops, &mut faults);
    let mut check = Check {
        ops: &ops,
        links: &links,
        suspects,
        resolved: Vec::new(),
        partly: HashMap::new(),
        attrs: HashMap::new(),
        outputs_left: MOST_OUTPUTS,
    };
    check.resolved.resize_with(def.nodes.len(), || None);
    let mut attrs: Vec<Option<Attrs>> = attrs.into_iter().map(Some).collect();
    for &i in &order {
        check.node(i, attrs[i].take().unwrap_or_default(), &mut faults);
    }
    for i in 0..def.nodes.len() {
        check.back_edges(i, &mut faults);
    }
    let (resolved, lacks, mut unresolved) = (check.resolved, faults.list, check.attrs);
    if lacks.iter().any(|fault| !fault.lack) {
        return Err(lacks);
    }
    let blames = blames(&order, &links, &resolved, &lacks, suspects);
    let mut stand_in = |i: usize, node: &NodeDef| -> Resolved {
        let unknown =
            |types: Option<Types>| types.unwrap_or_default().into_iter().map(|ty| ty.unwrap_or(UNKNOWN_TYPE)).collect();
        Resolved {
            op: Arc::new(Unsupported::new(&node.op, Arc::default(), true)),
            attrs: unresolved.remove(&i).unwrap_or_default(),
            input_types: smallvec::SmallVec::from_elem(UNKNOWN_TYPE, links.data(i).len()),
            output_types: unknown(check.partly.remove(&i)),
        }
    };
    let parts: Vec<(Resolved, Wiring)> = resolved
        .into_iter()
        .enumerate()
        .map(|(i, resolved)| (resolved.unwrap_or_else(|| stand_in(i, &def.nodes[i])), links.wiring(i)))
        .collect();
    drop(links);
    let nodes = std::mem::take(&mut def.nodes);
    let mut checked = Checked { nodes: Vec::with_capacity(nodes.len()), def, lacks, blames };
    for (node, (resolved, (inputs, control_inputs))) in nodes.into_iter().zip(parts) {
        let Resolved { op, attrs, input_types, output_types } = resolved;
        let (name, device) = (node.name.into(), node.device);
        checked.nodes.push(Node { name, op, attrs, device, inputs, control_inputs, input_types, output_types });
    }
    Ok(checked)
}

type Wiring = (Vec<Endpoint>, Vec<NodeId>);

/// For each node with unknown types that is not unsupported itself, the input that is.
fn blames(
    order: &[usize],
    links: &Links<'_>,
    resolved: &[Option<Resolved>],
    lacks: &[Fault],
    suspects: &Suspects,
) -> Vec<(usize, Blame)> {
    let own: HashSet<usize> = lacks.iter().filter_map(|fault| fault.node).chain(suspects.keys().copied()).collect();
    let mut roots: HashMap<usize, Blame> = HashMap::new();
    let first = own.iter().min().copied();
    for &i in order.iter().filter(|&&i| resolved[i].is_none() && !own.contains(&i)) {
        let blame = links.data(i).iter().find_map(|source| match *source {
            Source::Inside { node, .. } => {
                let node = node as usize;
                match roots.get(&node) {
                    Some(Blame::Inside(root)) => Some(Blame::Inside(*root)),
                    Some(Blame::Outside(errors)) => Some(Blame::Outside(errors.clone())),
                    None => own.contains(&node).then_some(Blame::Inside(node)),
                }
            }
            Source::Outside(endpoint) => {
                let from = links.outside_node(endpoint.node)?.unsupported()?;
                Some(Blame::Outside(from.errors().into()))
            }
            Source::Unknown => None,
        });
        // In a loop the cause may come later in the order.
        if let Some(blame) = blame.or(first.map(Blame::Inside)) {
            roots.insert(i, blame);
        }
    }
    roots.into_iter().collect()
}

/// Collects faults of the nodes of one GraphDef.
pub(crate) struct Faults<'d> {
    pub def: &'d GraphDef,
    list: Vec<Fault>,
}

impl Faults<'_> {
    /// Records a fault of a node; the error's path is relative to the node.
    pub fn push(&mut self, node: usize, error: Error) {
        self.note(node, error, false);
    }

    /// Records an unsupported feature of a node, as [`Faults::push`] records a fault.
    pub fn lack(&mut self, node: usize, error: Error) {
        self.note(node, error, true);
    }

    fn note(&mut self, node: usize, mut error: Error, lack: bool) {
        let path = error.fault_mut().path.take().unwrap_or_default();
        let def = &self.def.nodes[node];
        let error = if def.name.is_empty() { error } else { error.at_node(&def.name, &def.op) };
        self.list.push(Fault { node: Some(node), path, error, lack });
    }
}

fn versions(faults: &mut Faults<'_>) {
    let versions = &faults.def.versions;
    let mut refuse = |path: &str, error: Error| {
        faults.list.push(Fault { node: None, path: path.to_owned(), error, lack: false });
    };
    if versions.min_consumer > CONSUMER_VERSION {
        let error = Error::invalid("the graph needs a newer reader")
            .expected(format!("minConsumer at most {CONSUMER_VERSION}"))
            .found(versions.min_consumer);
        refuse("versions.minConsumer", error);
    }
    if versions.bad_consumers.contains(&CONSUMER_VERSION) {
        let error = Error::invalid("the graph says that readers of this version must not read it")
            .found(format!("{CONSUMER_VERSION} among badConsumers"));
        refuse("versions.badConsumers", error);
    }
}

/// The op of a node, as far as known.
#[derive(Clone, Copy)]
pub(crate) enum Known<'r> {
    Op(&'r OpDef),
    /// Unsupported, a function, or unreadable.
    Not,
}

impl Known<'_> {
    pub fn role(&self) -> Option<Role> {
        match self {
            Known::Op(op) => Some(op.spec.role),
            Known::Not => None,
        }
    }
}

/// The op of every node; one fault for each node without one.
fn find_ops<'r>(
    faults: &mut Faults<'_>,
    registry: &'r Registry,
    suspects: &Suspects,
    mut refused_calls: HashMap<usize, Error>,
) -> Vec<Known<'r>> {
    let def = faults.def;
    let mut refused: HashMap<&str, Error> = HashMap::new();
    let mut ops = Vec::with_capacity(def.nodes.len());
    for (i, node) in def.nodes.iter().enumerate() {
        if let Some(op) = registry.get(&node.op) {
            ops.push(Known::Op(op));
            continue;
        }
        ops.push(Known::Not);
        if suspects.get(&i).is_some_and(|b| b.op) {
            continue;
        }
        if let Some(error) = refused_calls.remove(&i) {
            match error.code() {
                Code::Unimplemented => faults.lack(i, error),
                _ => faults.push(i, error),
            }
            continue;
        }
        let error = refused.entry(&node.op).or_insert_with(|| match node.op.as_str() {
            "" => Error::invalid("the node has no op").help("add the name of an op such as \"MatMul\""),
            name => unknown_op(registry, name).path("op"),
        });
        match node.op.is_empty() {
            true => faults.push(i, error.clone()),
            false => faults.lack(i, error.clone()),
        }
    }
    ops
}

/// Nodes whose op is a function that they cannot call.
fn refused_calls(def: &GraphDef) -> HashMap<usize, Error> {
    if def.library.functions.is_empty() {
        return HashMap::new();
    }
    let functions: HashMap<&str, _> = def.library.functions.iter().map(|f| (f.signature.name.as_str(), f)).collect();
    let call = |(i, node): (usize, &NodeDef)| {
        functions.get(node.op.as_str()).map(|f| (i, crate::function::refused_call(f, node).path("op")))
    };
    def.nodes.iter().enumerate().filter_map(call).collect()
}

struct Check<'a> {
    ops: &'a [Known<'a>],
    links: &'a Links<'a>,
    suspects: &'a Suspects,
    resolved: Vec<Option<Resolved>>,
    /// The known output types of nodes that are not resolved.
    partly: HashMap<usize, Types>,
    /// Attrs of the nodes that are not resolved.
    attrs: HashMap<usize, Attrs>,
    /// The remaining limit on the total number of outputs.
    outputs_left: usize,
}

/// More outputs than any real graph has in total.
const MOST_OUTPUTS: usize = 1 << 26;

impl Check<'_> {
    fn node(&mut self, i: usize, attrs: Attrs, faults: &mut Faults<'_>) {
        let broken = self.suspects.get(&i);
        let op = match self.ops[i] {
            Known::Op(op) if broken.is_none_or(|b| !b.all_attrs) => op,
            _ => {
                self.attrs.insert(i, attrs);
                return;
            }
        };
        let mut types = Types::new();
        for (input, source) in self.links.data(i).iter().enumerate() {
            types.push(self.source_type(i, input, *source, faults));
        }
        let inputs = if broken.is_some_and(|b| b.inputs) { None } else { Some(&types[..]) };
        let examined = examine(op, attrs, inputs, broken.map_or(&[], |b| &b.attrs));
        for error in examined.faults {
            faults.push(i, error);
        }
        for error in examined.lacks {
            faults.lack(i, error);
        }
        let outputs = examined.result.as_ref().map_or(0, |resolved| resolved.output_types.len());
        match self.outputs_left.checked_sub(outputs) {
            Some(left) => self.outputs_left = left,
            None => {
                let error = Error::new(crate::Code::ResourceExhausted, "the nodes of the graph have too many outputs");
                faults.push(i, error.expected(format!("at most {MOST_OUTPUTS} in all")));
                return;
            }
        }
        match examined.result {
            Ok(resolved) => self.resolved[i] = Some(resolved),
            Err(attrs) => drop(self.attrs.insert(i, attrs)),
        }
        if let Some(outputs) = examined.outputs {
            self.partly.insert(i, outputs);
        }
    }

    /// The type of an input. A wrong output index is a fault of the consuming node.
    fn source_type(&self, i: usize, input: usize, source: Source, faults: &mut Faults<'_>) -> Option<EdgeType> {
        let (name, op, count, ty) = match source {
            Source::Unknown => return None,
            Source::Inside { node, output } => {
                let from: &NodeDef = &faults.def.nodes[node as usize];
                let (count, ty) = match &self.resolved[node as usize] {
                    Some(resolved) => {
                        let types = &resolved.output_types;
                        (types.len(), types.get(output as usize).copied().map(Some))
                    }
                    None => {
                        let types = self.partly.get(&(node as usize))?;
                        (types.len(), types.get(output as usize).copied())
                    }
                };
                (&*from.name, &*from.op, count, ty)
            }
            Source::Outside(endpoint) => {
                let from = self.links.outside_node(endpoint.node)?;
                let outputs = &from.output_types;
                let given = outputs.get(endpoint.output as usize);
                if from.unsupported().is_some() && given.is_none_or(|ty| *ty == UNKNOWN_TYPE) {
                    return None;
                }
                (&*from.name, from.op_name(), outputs.len(), given.copied().map(Some))
            }
        };
        if ty.is_none() {
            let count = match count {
                0 => "no outputs".to_owned(),
                1 => format!("1 output, {name}:0"),
                n => format!("{n} outputs, {name}:0 to {name}:{}", n - 1),
            };
            let position = self.links.position(i, input);
            let text = &faults.def.nodes[i].inputs[position];
            let error = Error::invalid(format!("{name} has no such output"))
                .path(format!("input[{position}]"))
                .expected(format!("{name} ({op}) has {count}"))
                .found(format!("{text:?}"));
            faults.push(i, error);
        }
        ty.flatten()
    }

    /// Checks the inputs that were still unknown when their node was checked: those that close a loop.
    fn back_edges(&self, i: usize, faults: &mut Faults<'_>) {
        if self.ops[i].role() != Some(Role::Merge) {
            return;
        }
        let Some(resolved) = &self.resolved[i] else { return };
        for (input, source) in self.links.data(i).iter().enumerate() {
            if !self.links.is_back_edge(i, input, self.ops) {
                continue;
            }
            let Some(want) = resolved.input_types.get(input).copied() else { continue };
            let Some(have) = self.source_type(i, input, *source, faults) else { continue };
            if want.dtype != have.dtype || (want.is_ref && !have.is_ref) {
                let error = Error::invalid(format!("input {input} of {} has the wrong type", faults.def.nodes[i].op))
                    .path(format!("input[{}]", self.links.position(i, input)))
                    .expected(want)
                    .found(have);
                faults.push(i, error);
            }
        }
    }
}
