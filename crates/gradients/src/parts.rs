//! Splits a function and its gradient into a forward and a backward part, and the forward values that the backward part
//! needs.

use super::{GradientOptions, dense, gradients};
use levada_graph::attr::{AttrList, AttrValue, Attrs};
use levada_graph::def::{ArgDef, FunctionDef, Signature};
use levada_graph::function::{self, Instance};
use levada_graph::grad::{Grad, GradCx, attr, is_differentiable};
use levada_graph::graph::Node;
use levada_graph::{DType, Endpoint, Error, Graph, NodeDef, NodeId, PartialShape, Registry, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Ops whose results are small although their inputs may be large: they belong to the forward part, so that only the
/// results are saved.
const SMALL: &[&str] = &[
    "Shape",
    "ShapeN",
    "Size",
    "Rank",
    "TensorListLength",
    "TensorListElementShape",
    "VariableShape",
    "BroadcastGradientArgs",
];

/// A function's graph with the nodes of its gradient added.
pub(super) struct Differentiated {
    pub(super) graph: Graph,
    /// The number of the function's own nodes.
    own: usize,
    /// The placeholders for the gradients of results, by index.
    pub(super) dys: BTreeMap<usize, Endpoint>,
    /// The gradients of the arguments.
    pub(super) grads: Vec<Option<Grad>>,
}

impl Differentiated {
    /// Differentiates a function, given gradients of these types for these results.
    pub(super) fn new(
        instance: &Instance,
        registry: &Arc<Registry>,
        types: &BTreeMap<usize, DType>,
    ) -> Result<Differentiated> {
        let mut graph = instance.graph.clone();
        let own = graph.len();
        let mut dys = BTreeMap::new();
        for (&i, &dtype) in types {
            let name = fresh(&graph, &format!("gradient_of_result_{i}"));
            let attrs = [attr("dtype", dtype)].into_iter().collect();
            let def = NodeDef { name, op: "Placeholder".to_owned(), attrs, ..NodeDef::default() };
            dys.insert(i, Endpoint::from(graph.add(registry, &def)?));
        }
        let flows = |e: &Endpoint| graph.endpoint_type(*e).is_some_and(|ty| is_differentiable(ty.dtype));
        let wanted: Vec<usize> = (0..instance.args.len()).filter(|&i| flows(&instance.args[i])).collect();
        let xs: Vec<Endpoint> = wanted.iter().map(|&i| instance.args[i]).collect();
        let ys: Vec<Endpoint> = types.keys().map(|&i| instance.rets[i]).collect();
        let options =
            GradientOptions { grad_ys: dys.values().map(|&dy| Some(dy)).collect(), ..GradientOptions::default() };
        let (graph, found) = gradients(graph, registry, &ys, &xs, &options)?;
        let mut grads = vec![None; instance.args.len()];
        wanted.into_iter().zip(found).for_each(|(i, grad)| grads[i] = grad);
        Ok(Differentiated { graph, own, dys, grads })
    }

    /// The type of an argument's gradient.
    pub(super) fn grad_type(&self, i: usize) -> Option<DType> {
        let at = match self.grads.get(i).copied().flatten()? {
            Grad::Dense(at) => at,
            Grad::Slices { values, .. } => values,
        };
        self.graph.endpoint_type(at).map(|ty| ty.dtype)
    }

    /// Splits the graph, with the gradients of these arguments, of these types, as results of the backward part: zeros
    /// if there is no gradient.
    pub(super) fn parts(
        mut self,
        instance: &Instance,
        registry: &Arc<Registry>,
        wanted: &[(usize, DType)],
    ) -> Result<Parts> {
        let cx = GradCx::new(self.graph, registry.clone(), |_| PartialShape::Unknown);
        let grads = &self.grads;
        let results = cx.build("results", |cx| {
            let result = |&(i, dtype): &(usize, DType)| {
                let arg = cx.value(instance.args[i]);
                match grads[i] {
                    Some(grad) => dense(cx, grad),
                    // The zeros for a variable have its value's shape.
                    None if arg.dtype() == DType::Resource => {
                        cx.node("ReadVariableOp", &[arg], &[attr("dtype", dtype)]).zeros_like().at
                    }
                    None => arg.zeros_like().at,
                }
            };
            wanted.iter().map(result).collect::<Vec<Endpoint>>()
        })?;
        self.graph = cx.finish();
        let graph = &self.graph;
        // The forward part: the function's own nodes, and their dependencies added since.
        let mut is_forward = vec![false; graph.len()];
        let mut open: Vec<NodeId> = graph.ids().take(self.own).collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_forward[id.index()], true) {
                let node = graph.node(id);
                open.extend(node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied()));
            }
        }
        for id in graph.ids().skip(self.own) {
            let node = graph.node(id);
            if SMALL.contains(&node.op_name()) && node.inputs.iter().all(|e| is_forward[e.node.index()]) {
                is_forward[id.index()] = true;
            }
        }
        // The backward part, and the values it needs.
        let mut backward = BTreeSet::new();
        let mut saved = BTreeSet::new();
        let mut open = results.clone();
        while let Some(at) = open.pop() {
            let node = graph.node(at.node);
            let runs_forward = is_forward[at.node.index()] && !is_constant(node);
            if runs_forward {
                saved.insert(at);
            } else if !self.dys.values().any(|dy| dy.node == at.node) && backward.insert(at.node) {
                open.extend(node.inputs.iter().copied());
            }
        }
        let saved: Vec<Endpoint> = saved.into_iter().collect();
        Ok(Parts { graph: self.graph, dys: self.dys, is_forward, backward, saved, results })
    }
}

fn is_constant(node: &Node) -> bool {
    node.inputs.is_empty() && node.op.constant().is_some()
}

/// The forward and the backward part.
pub(super) struct Parts {
    pub(super) graph: Graph,
    /// The placeholders for the gradients of results, by index.
    pub(super) dys: BTreeMap<usize, Endpoint>,
    is_forward: Vec<bool>,
    backward: BTreeSet<NodeId>,
    /// The forward values that the backward part needs.
    pub(super) saved: Vec<Endpoint>,
    /// The requested gradients.
    pub(super) results: Vec<Endpoint>,
}

impl Parts {
    /// The type of a value.
    pub(super) fn dtype(&self, at: Endpoint) -> DType {
        self.graph.endpoint_type(at).map_or(DType::F32, |ty| ty.dtype)
    }

    /// Writes the forward part into a function whose arguments have been added.
    pub(super) fn forward(&self, to: &mut Writer<'_>) {
        for (id, node) in self.graph.nodes() {
            if self.is_forward[id.index()] && !to.given.contains_key(&id.into()) {
                to.copy(&self.graph, node, |_| true);
            }
        }
    }

    /// Writes the backward part into a function.
    pub(super) fn backward(&self, to: &mut Writer<'_>) {
        for &id in &self.backward {
            to.copy(&self.graph, self.graph.node(id), |c| self.backward.contains(&c));
        }
    }
}

/// A name that no node of the graph has.
pub(super) fn fresh(graph: &Graph, base: &str) -> String {
    let mut name = base.to_owned();
    for i in 1.. {
        if graph.find(&name).is_none() {
            break;
        }
        name = format!("{base}_{i}");
    }
    name
}

/// Writes a function.
pub(super) struct Writer<'a> {
    graph: &'a Graph,
    pub(super) def: FunctionDef,
    /// References for values of the graph that the function does not compute.
    given: HashMap<Endpoint, String>,
    names: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    /// A function with nodes of `graph`.
    pub(super) fn new(graph: &'a Graph, name: String) -> Writer<'a> {
        let def = FunctionDef { signature: Signature { name, ..Signature::default() }, ..FunctionDef::default() };
        Writer { graph, def, given: HashMap::new(), names: BTreeSet::new() }
    }

    fn name(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        for i in 1.. {
            if self.graph.find(&name).is_none() && !self.names.contains(&name) {
                break;
            }
            name = format!("{base}_{i}");
        }
        self.names.insert(name.clone());
        name
    }

    /// Adds an argument, and returns its reference.
    pub(super) fn arg(&mut self, base: &str, dtype: DType) -> String {
        let name = self.name(base);
        self.def.signature.inputs.push(argument(&name, dtype));
        name
    }

    /// Makes `reference` represent a value of the graph from now on.
    pub(super) fn give(&mut self, at: Endpoint, reference: String) {
        self.given.insert(at, reference);
    }

    /// Adds a new node, and returns its name.
    pub(super) fn node(&mut self, op: &str, inputs: Vec<String>, attrs: Vec<(&'static str, AttrValue)>) -> String {
        let name = self.name(&format!("kept/{op}"));
        let attrs = attrs.into_iter().collect();
        self.def.nodes.push(NodeDef { name: name.clone(), op: op.to_owned(), inputs, attrs, ..NodeDef::default() });
        name
    }

    /// A scalar of int32.
    pub(super) fn int(&mut self, value: i32) -> String {
        let value = levada_graph::Tensor::scalar(value);
        format!("{}:output:0", self.node("Const", Vec::new(), vec![attr("dtype", DType::I32), attr("value", value)]))
    }

    /// One more than an int32.
    pub(super) fn successor(&mut self, of: &str) -> String {
        let one = self.int(1);
        format!("{}:z:0", self.node("AddV2", vec![of.to_owned(), one], vec![attr("T", DType::I32)]))
    }

    /// Copies a node of the graph, with those control inputs that `waits` accepts.
    fn copy(&mut self, graph: &Graph, node: &Node, waits: impl Fn(NodeId) -> bool) {
        let data = node.inputs.iter().map(|&e| self.reference(e));
        let control = node.control_inputs.iter().filter(|&&c| waits(c));
        // An argument is available before anything runs.
        let control = control.filter(|&&c| graph.node(c).op_name() != "_Arg");
        let control = control.map(|&c| format!("^{}", graph.node(c).name));
        let inputs = data.chain(control).collect();
        self.def.nodes.push(NodeDef {
            name: node.name.to_string(),
            op: node.op_name().to_owned(),
            inputs,
            device: node.device.clone(),
            attrs: node.attrs.clone(),
        });
    }

    /// How the function's nodes refer to a value of the graph.
    pub(super) fn reference(&self, at: Endpoint) -> String {
        if let Some(given) = self.given.get(&at) {
            return given.clone();
        }
        function::reference(self.graph, at)
    }

    /// Copies the side effects of function `name`.
    pub(super) fn keep_side_effects(&mut self, graph: &Graph, name: &str) {
        if let Some(own) = graph.library.function(name) {
            self.def.control_ret = own.control_ret.clone();
            self.def.signature.control_outputs = own.signature.control_outputs.clone();
            self.def.signature.is_stateful = own.signature.is_stateful;
        }
    }

    /// Adds a result.
    pub(super) fn ret(&mut self, reference: String, dtype: DType) {
        let name = format!("result_{}", self.def.signature.outputs.len());
        self.def.signature.outputs.push(argument(&name, dtype));
        self.def.ret.insert(name, reference);
    }
}

fn argument(name: &str, dtype: DType) -> ArgDef {
    ArgDef { name: name.to_owned(), ty: Some(dtype.value()), ..ArgDef::default() }
}

/// A list of types as an attr.
pub(super) fn types(all: &[DType]) -> AttrValue {
    let all: Vec<_> = all.iter().map(|dtype| dtype.value()).collect();
    AttrValue::List(if all.is_empty() { AttrList::Empty } else { AttrList::Type(all) })
}

/// All attrs of a node, including defaults.
pub(super) fn all_attrs(node: &Node) -> Attrs {
    let mut attrs = node.attrs.clone();
    for (name, value) in node.op.encode().iter() {
        attrs.set(name.clone(), value.clone());
    }
    attrs
}

/// An unused function name derived from `base`.
pub(super) fn function_name(graph: &Graph, base: &str, what: &str) -> String {
    let taken = |name: &str| graph.library.function(name).is_some();
    let mut name = format!("{base}_{what}");
    for i in 1.. {
        if !taken(&name) {
            break;
        }
        name = format!("{base}_{what}_{i}");
    }
    name
}

/// Adds a function to a graph's library.
pub(super) fn add_function(graph: &mut Graph, def: FunctionDef) -> Result<String> {
    let name = def.signature.name.clone();
    if graph.library.function(&name).is_some() {
        return Err(Error::already_exists(format!("two functions are named {name}")));
    }
    Arc::make_mut(&mut graph.library).functions.push(def);
    Ok(name)
}
