//! A checked graph: every node's attrs are decoded, its inputs exist and have the right types. Unsupported nodes are
//! kept as nodes too: see [`unsupported`](crate::unsupported).

use crate::attr::{AttrList, AttrValue, Attrs};
use crate::collections::Collections;
use crate::def::{GraphDef, Library, NodeDef, Versions};
use crate::dtype::EdgeType;
use crate::error::{Error, Result};
pub use crate::known_ops::unknown_op;
use crate::meta::Meta;
use crate::op::{AnyOp, Registry};
pub use crate::resolve::{Resolved, resolve};
use crate::spec::Spec;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Number of a node in a [`Graph`].
pub type NodeId = NodeIndex<u32>;

/// An output of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Endpoint {
    /// The node.
    pub node: NodeId,
    /// Number of its output.
    pub output: u32,
}

impl Endpoint {
    /// Output `output` of `node`.
    pub fn new(node: NodeId, output: u32) -> Endpoint {
        Endpoint { node, output }
    }
}

impl From<NodeId> for Endpoint {
    /// The first output.
    fn from(node: NodeId) -> Endpoint {
        Endpoint { node, output: 0 }
    }
}

/// The type of an output whose type is unknown: one of an unsupported node that no consumer determines.
pub(crate) const UNKNOWN_TYPE: EdgeType = EdgeType { dtype: crate::DType::Variant, is_ref: false };

/// A node of a checked graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Unique name.
    pub name: Arc<str>,
    /// The op with its attrs decoded.
    pub op: Arc<dyn AnyOp>,
    /// The attrs as in the file, plus inferred ones; `_underscore` attrs and unknown ones are kept.
    pub attrs: Attrs,
    /// Requested device; empty for any.
    pub device: String,
    /// Data inputs in order.
    pub inputs: Vec<Endpoint>,
    /// Nodes that must run before this one.
    pub control_inputs: Vec<NodeId>,
    /// Types of the inputs, as the op asks for them.
    pub input_types: SmallVec<[EdgeType; 2]>,
    /// Types of the outputs.
    pub output_types: SmallVec<[EdgeType; 2]>,
}

impl Node {
    /// The spec of the op.
    pub fn spec(&self) -> &'static Spec {
        self.op.spec()
    }

    /// Name of the op.
    pub fn op_name(&self) -> &str {
        self.op.name()
    }

    /// Names of the nodes that it asks to be colocated with.
    pub fn colocation(&self) -> impl Iterator<Item = &str> {
        let classes = match self.attrs.get("_class") {
            Some(AttrValue::List(AttrList::S(classes))) => &classes[..],
            _ => &[],
        };
        classes.iter().filter_map(|class| std::str::from_utf8(class.strip_prefix(b"loc:@")?).ok())
    }
}

/// An edge of a checked graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// A tensor from an output to an input.
    Data {
        /// Index of the source's output.
        output: u32,
        /// Index of the target's input.
        input: u32,
    },
    /// Order only.
    Control,
}

/// A checked graph. Node numbers are stable; nodes are only ever added.
#[derive(Clone, Default)]
pub struct Graph {
    dag: DiGraph<Node, Edge>,
    names: HashMap<Arc<str>, NodeId>,
    /// Functions that nodes call.
    pub library: Arc<Library>,
    /// Data stored with the graph in a file, such as queue runners.
    pub collections: Collections,
    /// Signatures and saver.
    pub meta: Meta,
    /// Versions of the writer.
    pub versions: Versions,
}

impl Graph {
    /// A graph without nodes.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.dag.node_count()
    }

    /// True for no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node with this number.
    ///
    /// # Panics
    /// For a number that is not of this graph.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.dag[id]
    }

    /// The node with this number, mutable, to change parts that do not depend on its name (device, attrs).
    ///
    /// # Panics
    /// For a number that is not of this graph.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.dag[id]
    }

    /// Numbers of all nodes, in the order in which they were added.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        self.dag.node_indices()
    }

    /// All nodes with their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.dag.node_references_with_ids()
    }

    /// The node named `name`.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }

    /// Names of all nodes, in arbitrary order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|n| &**n)
    }

    /// The graph as a petgraph graph, for its algorithms.
    pub fn dag(&self) -> &DiGraph<Node, Edge> {
        &self.dag
    }

    /// The type of an endpoint; `None` also if it is unknown because its node is unsupported.
    pub fn endpoint_type(&self, endpoint: Endpoint) -> Option<EdgeType> {
        let node = self.dag.node_weight(endpoint.node)?;
        let ty = node.output_types.get(endpoint.output as usize).copied()?;
        (ty != UNKNOWN_TYPE || node.unsupported().is_none()).then_some(ty)
    }

    /// `node` for output 0, else `node:output`.
    pub fn endpoint_name(&self, endpoint: Endpoint) -> String {
        let name = &self.node(endpoint.node).name;
        if endpoint.output == 0 { name.to_string() } else { format!("{name}:{}", endpoint.output) }
    }

    /// The endpoint that `text` names: `node` or `node:output`.
    ///
    /// # Errors
    /// `NOT_FOUND` for a node that does not exist, `INVALID_ARGUMENT` for an output that does not exist.
    pub fn endpoint(&self, text: &str) -> Result<Endpoint> {
        let (name, output) = split_endpoint(text);
        let node = self.find(name).ok_or_else(|| self.unknown_node(text, name))?;
        let outputs = self.node(node).output_types.len();
        if output as usize >= outputs {
            if let Some(unsupported) = self.node(node).unsupported() {
                return Err(unsupported.error());
            }
            return Err(self.no_output(node, output).found(text));
        }
        Ok(Endpoint { node, output })
    }

    /// The error for an output that a node does not have.
    fn no_output(&self, id: NodeId, output: u32) -> Error {
        let node = self.node(id);
        let (name, op) = (&*node.name, node.op_name());
        let error = match node.output_types.len() {
            0 => {
                return Error::invalid(format!("{name} is an operation without outputs"))
                    .at_node(name, op)
                    .help(format!("to run it, name it without an output: {name}"));
            }
            1 => Error::invalid(format!("the node {name} has no output {output}"))
                .expected(format!("{name}, its only output")),
            n => Error::invalid(format!("the node {name} has no output {output}"))
                .expected(format!("one of its {n} outputs, {name}:0 to {name}:{}", n - 1)),
        };
        error.at_node(name, op)
    }

    /// The GraphDef of this graph, including inferred attrs.
    pub fn to_def(&self) -> GraphDef {
        let node = |(_, node): (NodeId, &Node)| {
            let data = node.inputs.iter().map(|&e| self.endpoint_name(e));
            let control = node.control_inputs.iter().map(|&c| format!("^{}", self.node(c).name));
            NodeDef {
                name: node.name.to_string(),
                op: node.op_name().to_owned(),
                inputs: data.chain(control).collect(),
                device: node.device.clone(),
                attrs: node.attrs.clone(),
            }
        };
        GraphDef {
            nodes: self.nodes().map(node).collect(),
            versions: self.versions.clone(),
            library: (*self.library).clone(),
            collections: self.collections.clone(),
            meta: self.meta.clone(),
        }
    }

    /// The error for a name that no node has.
    pub fn unknown_node(&self, text: &str, name: &str) -> Error {
        let error = Error::not_found(format!("{text} is not in the graph"));
        if let Some(near) = crate::op::nearest(name, self.names()) {
            return error.help(format!("did you mean {near:?}?"));
        }
        if self.is_empty() {
            return error.help("the graph has no nodes");
        }
        error.help(format!("the graph has {} nodes and ends in {}", self.len(), self.ends(5).join(", ")))
    }

    /// Names of some of the nodes that no other node depends on, the most recently added first.
    fn ends(&self, most: usize) -> Vec<&str> {
        let is_end = |id: &NodeId| self.dag.neighbors_directed(*id, petgraph::Direction::Outgoing).next().is_none();
        self.ids().rev().filter(is_end).take(most).map(|id| &*self.node(id).name).collect()
    }

    /// Adds a node whose inputs exist already. Attrs that follow from the inputs are inferred.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` for a name in use, and every fault of the node in one error.
    pub fn add(&mut self, registry: &Registry, def: &NodeDef) -> Result<NodeId> {
        let mut inputs = Vec::new();
        let mut control_inputs = Vec::new();
        for text in &def.inputs {
            match text.strip_prefix('^') {
                Some(name) => control_inputs.push(self.find(name).ok_or_else(|| self.unknown_node(text, name))?),
                None => inputs.push(self.endpoint(text)?),
            }
        }
        self.add_with(registry, def, inputs, control_inputs)
    }

    /// As [`Graph::add`], with the inputs given as endpoints; those in `def` are ignored.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub fn add_with(
        &mut self,
        registry: &Registry,
        def: &NodeDef,
        inputs: Vec<Endpoint>,
        control_inputs: Vec<NodeId>,
    ) -> Result<NodeId> {
        if self.names.contains_key(def.name.as_str()) {
            return Err(Error::already_exists(format!("two nodes are named {}", def.name)).at_node(&def.name, &def.op));
        }
        let op = registry.get(&def.op).ok_or_else(|| unknown_op(registry, &def.op).node(&def.name))?;
        let types: Vec<Option<EdgeType>> = inputs.iter().map(|&e| self.endpoint_type(e)).collect();
        // Paths are for files; here the names give the location.
        let named = |mut error: Error| {
            error.fault_mut().path = None;
            error.at_node(&def.name, &def.op)
        };
        let resolved = resolve(op, &def.attrs, &types)
            .map_err(|faults| faults.into_iter().map(named).collect())
            .map_err(|faults| Error::join(faults).expect("resolve fails with at least one fault"))?;
        Ok(self.insert(Node {
            name: def.name.as_str().into(),
            op: resolved.op,
            attrs: resolved.attrs,
            device: def.device.clone(),
            inputs,
            control_inputs,
            input_types: resolved.input_types,
            output_types: resolved.output_types,
        }))
    }

    /// Makes `node` run only after `before`. The caller ensures that `before` does not depend on `node`.
    pub fn add_control(&mut self, before: NodeId, node: NodeId) {
        let inputs = &mut self.dag[node].control_inputs;
        if !inputs.contains(&before) {
            inputs.push(before);
            self.dag.add_edge(before, node, Edge::Control);
        }
    }

    /// Connects input `i` of `node` to another endpoint of the same type.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for another type, `INTERNAL` for an input that does not exist.
    pub fn set_input(&mut self, node: NodeId, i: usize, from: Endpoint) -> Result<()> {
        let found = self.endpoint_type(from);
        let consumer = &mut self.dag[node];
        let expected = consumer.input_types.get(i).copied();
        let wrong = |e: Error| e.at_node(&consumer.name, consumer.op_name());
        let (Some(expected), Some(found)) = (expected, found) else {
            return Err(wrong(Error::internal(format!("there is no input {i} to set"))));
        };
        if expected.dtype != found.dtype {
            let error = Error::invalid(format!("input {i} has another type"));
            return Err(wrong(error.expected(expected.dtype).found(found.dtype)));
        }
        consumer.inputs[i] = from;
        let number = i as u32;
        let old = self.dag.edges_directed(node, Direction::Incoming);
        let old = old.filter(|e| matches!(e.weight(), Edge::Data { input, .. } if *input == number)).map(|e| e.id());
        if let Some(old) = old.collect::<SmallVec<[_; 1]>>().first() {
            self.dag.remove_edge(*old);
        }
        self.dag.add_edge(from.node, node, Edge::Data { output: from.output, input: number });
        Ok(())
    }

    /// Replaces the attrs, the inputs and the op of a node by those of `def`; its name, device and control inputs stay.
    /// Its existing outputs keep their types; more may follow them. The caller ensures that the inputs do not depend on
    /// the node.
    ///
    /// # Errors
    /// As [`Graph::add_with`]; `INTERNAL` if an existing output would change.
    pub fn replace(&mut self, registry: &Registry, id: NodeId, def: &NodeDef, inputs: Vec<Endpoint>) -> Result<()> {
        let op = registry.get(&def.op).ok_or_else(|| unknown_op(registry, &def.op).node(&def.name))?;
        let types: Vec<Option<EdgeType>> = inputs.iter().map(|&e| self.endpoint_type(e)).collect();
        let resolved = resolve(op, &def.attrs, &types)
            .map_err(|faults| Error::join(faults).expect("resolve fails with at least one fault"))?;
        let node = &mut self.dag[id];
        if !resolved.output_types.starts_with(&node.output_types) {
            return Err(Error::internal("a node's outputs would change").at_node(&node.name, node.op_name()));
        }
        (node.op, node.attrs, node.inputs) = (resolved.op, resolved.attrs, inputs);
        (node.input_types, node.output_types) = (resolved.input_types, resolved.output_types);
        let mut edges: Vec<_> = self.dag.edges_directed(id, Direction::Incoming).map(|e| e.id()).collect();
        // Removing an edge gives its index to the last one.
        edges.sort_unstable();
        for edge in edges.into_iter().rev() {
            self.dag.remove_edge(edge);
        }
        self.connect(id);
        Ok(())
    }

    /// Inserts a resolved node; [`Graph::connect`] must follow once its inputs exist.
    fn insert_unconnected(&mut self, node: Node) -> NodeId {
        let name = node.name.clone();
        let id = self.dag.add_node(node);
        self.names.insert(name, id);
        id
    }

    /// Adds the edges that a node's inputs describe.
    fn connect(&mut self, id: NodeId) {
        let node = &self.dag[id];
        let data =
            node.inputs.iter().enumerate().map(|(i, e)| (e.node, Edge::Data { output: e.output, input: i as u32 }));
        let control = node.control_inputs.iter().map(|&c| (c, Edge::Control));
        let edges: SmallVec<[(NodeId, Edge); 4]> = data.chain(control).collect();
        for i in 0..self.dag[id].inputs.len() {
            self.note_output(id, i);
        }
        for (from, edge) in edges {
            self.dag.add_edge(from, id, edge);
        }
    }

    /// Infers the type of an output of an unsupported node from the type that input `i` of `node` expects.
    fn note_output(&mut self, node: NodeId, i: usize) {
        let consumer = &self.dag[node];
        let Endpoint { node: from, output } = consumer.inputs[i];
        if self.dag[from].unsupported().is_none() {
            return;
        }
        let wanted = consumer.unsupported().is_none().then(|| consumer.input_types.get(i).copied()).flatten();
        let types = &mut self.dag[from].output_types;
        let output = output as usize;
        if types.len() <= output {
            types.resize(output + 1, UNKNOWN_TYPE);
        }
        if let Some(wanted) = wanted.filter(|_| types[output] == UNKNOWN_TYPE) {
            types[output] = wanted;
        }
    }

    /// Adds checked nodes, whose inputs may be among them.
    pub(crate) fn append(&mut self, nodes: Vec<Node>) -> Vec<NodeId> {
        self.reserve(nodes.len(), nodes.iter().map(|n| n.inputs.len() + n.control_inputs.len()).sum());
        let ids: Vec<NodeId> = nodes.into_iter().map(|node| self.insert_unconnected(node)).collect();
        ids.iter().for_each(|&id| self.connect(id));
        ids
    }

    /// A graph of the nodes from number `first` on, in order, preceded by the nodes that they depend on or are
    /// colocated with. Those have no inputs and no colocation attrs, and ask for the device that `place` names. Also
    /// returns the original number of each node.
    pub fn tail(&self, first: usize, place: impl Fn(NodeId) -> String) -> (Graph, Vec<NodeId>) {
        let new = || (first..self.len()).map(NodeId::new);
        let mut numbers: HashMap<NodeId, NodeId> = HashMap::new();
        let mut all: Vec<NodeId> = Vec::new();
        for id in new() {
            let node = self.node(id);
            let classes = node.colocation().filter_map(|name| self.find(name));
            let near = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied()).chain(classes);
            for old in near.filter(|old| old.index() < first) {
                numbers.entry(old).or_insert_with(|| {
                    all.push(old);
                    NodeId::new(all.len() - 1)
                });
            }
        }
        for id in new() {
            numbers.insert(id, NodeId::new(all.len()));
            all.push(id);
        }
        let copy = |id: &NodeId| {
            let mut node = self.node(*id).clone();
            if id.index() < first {
                node.inputs.clear();
                node.control_inputs.clear();
                node.input_types.clear();
                node.attrs.remove("_class");
                node.device = place(*id);
            }
            node.inputs.iter_mut().for_each(|e| e.node = numbers[&e.node]);
            node.control_inputs.iter_mut().for_each(|c| *c = numbers[c]);
            node
        };
        let mut graph = Graph { library: self.library.clone(), ..Graph::new() };
        graph.append(all.iter().map(copy).collect());
        (graph, all)
    }

    /// Removes the nodes from number `nodes` on, on which no earlier node depends.
    pub fn truncate(&mut self, nodes: usize) {
        for last in (nodes..self.len()).rev().map(NodeId::new) {
            if let Some(node) = self.dag.remove_node(last) {
                self.names.remove(&node.name);
            }
        }
    }

    fn insert(&mut self, node: Node) -> NodeId {
        let id = self.insert_unconnected(node);
        self.connect(id);
        id
    }

    /// Reserves space for `nodes` more nodes and `edges` more edges.
    fn reserve(&mut self, nodes: usize, edges: usize) {
        self.dag.reserve_nodes(nodes);
        self.dag.reserve_edges(edges);
        self.names.reserve(nodes);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} nodes)", self.len())
    }
}

trait NodesWithIds {
    fn node_references_with_ids(&self) -> impl Iterator<Item = (NodeId, &Node)>;
}

impl NodesWithIds for DiGraph<Node, Edge> {
    fn node_references_with_ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.node_indices().zip(self.node_weights())
    }
}

/// Splits `node:output` into its parts; without a number the output is 0.
pub fn split_endpoint(text: &str) -> (&str, u32) {
    match text.rsplit_once(':') {
        Some((name, digits)) => match digits.parse() {
            Ok(output) if !digits.starts_with('+') => (name, output),
            _ => (text, 0),
        },
        None => (text, 0),
    }
}
