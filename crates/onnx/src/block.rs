//! A graph or function body under construction: nodes with the known properties of their outputs.

use crate::known;
use crate::types::{Elem, Type};
use levada_graph::attr::Attrs;
use levada_graph::def::{ArgDef, FunctionDef, NodeDef, Signature};
use levada_graph::graph::{resolve, unknown_op};
use levada_graph::infer::ShapeCx;
use levada_graph::op::AnyOp;
use levada_graph::{AttrValue, DType, EdgeType, Error, PartialShape, Registry, Result, Tensor};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// An output of a node of the innermost [`Block`], and its ONNX type.
#[derive(Clone, PartialEq, Debug)]
pub struct Val {
    pub(crate) node: usize,
    pub(crate) output: u32,
    /// Its type.
    pub ty: Type,
}

impl Val {
    /// The same value, with another ONNX type that the same dtype represents.
    #[must_use]
    pub fn typed(mut self, ty: Type) -> Val {
        self.ty = ty;
        self
    }

    /// The same value, with another element type that the same dtype represents.
    #[must_use]
    pub fn of_elem(self, elem: Elem) -> Val {
        self.typed(Type::Tensor(elem))
    }

    /// The same value, with the type of `other`, whose elements it holds in another arrangement.
    #[must_use]
    pub fn like(self, other: &Val) -> Val {
        self.typed(other.ty.clone())
    }

    pub(crate) fn at(&self) -> (usize, u32) {
        (self.node, self.output)
    }
}

/// A node of a block.
#[derive(Clone)]
pub(crate) struct Built {
    /// Empty until the conversion that adds it is complete.
    pub name: String,
    pub op_name: String,
    op: Option<Arc<dyn AnyOp>>,
    attrs: Attrs,
    inputs: Vec<(usize, u32)>,
    controls: Vec<usize>,
    outputs: Vec<EdgeType>,
    shapes: Vec<PartialShape>,
    known: Option<Tensor>,
}

/// A graph, or the body of a function, that is being built.
#[derive(Default)]
pub(crate) struct Block {
    pub nodes: Vec<Built>,
    names: HashSet<String>,
    /// The next suffix for each name that was requested before.
    numbers: HashMap<String, usize>,
    /// Names that are reserved for inputs and outputs.
    reserved: HashSet<String>,
    /// Captured values of the enclosing block, each with the index of its parameter's node.
    pub captured: Vec<(Val, usize)>,
    by_outer: HashMap<(usize, u32), usize>,
    /// The images that nodes after them take channels last, and their ranks.
    pub images: HashMap<(usize, u32), usize>,
    /// Values with their channels moved to the end.
    pub last: HashMap<(usize, u32), Val>,
    /// The ops and inputs that some values of the model come from, whatever the order of their axes.
    pub sources: HashMap<(usize, u32), (&'static str, Vec<Val>)>,
    /// True if a node has state or side effects.
    pub stateful: bool,
}

impl Block {
    /// Adds a node without a name.
    ///
    /// # Errors
    /// Every fault of the node.
    pub fn add(&mut self, registry: &Registry, op_name: &str, attrs: Attrs, inputs: &[&Val]) -> Result<Val> {
        let op = registry.get(op_name).ok_or_else(|| unknown_op(registry, op_name))?;
        let types: Vec<Option<EdgeType>> = inputs.iter().map(|v| Some(self.edge(v))).collect();
        let resolved = resolve(op, &attrs, &types).map_err(|faults| {
            Error::join(faults).unwrap_or_else(|| Error::internal("a node has faults without an error"))
        })?;
        let at: Vec<(usize, u32)> = inputs.iter().map(|v| v.at()).collect();
        let shapes: Vec<PartialShape> = inputs.iter().map(|v| self.shape(v)).collect();
        let values: Vec<Option<&Tensor>> = inputs.iter().map(|v| self.known(v)).collect();
        let mut outputs = vec![PartialShape::Unknown; resolved.output_types.len()];
        resolved.op.shape(&mut ShapeCx::new(&shapes, &values, &mut outputs))?;
        let known = match resolved.op.constant() {
            Some(_) => None,
            None => known::value(op_name, &resolved.attrs, &shapes, &values),
        };
        self.stateful |= resolved.op.is_stateful();
        let ty = match (resolved.output_types.first(), inputs.first()) {
            // Ops that only move elements keep their type.
            (Some(out), Some(input)) if Some(*out) == types[0] => input.ty.clone(),
            (Some(out), _) => Type::Tensor(Elem::of(out.dtype)),
            (None, _) => Type::Tensor(Elem(0)),
        };
        self.nodes.push(Built {
            name: String::new(),
            op_name: op_name.to_owned(),
            op: Some(resolved.op),
            attrs: resolved.attrs,
            inputs: at,
            controls: Vec::new(),
            outputs: resolved.output_types.to_vec(),
            shapes: outputs,
            known,
        });
        Ok(Val { node: self.nodes.len() - 1, output: 0, ty })
    }

    /// Adds a parameter of a function.
    pub fn parameter(&mut self, ty: Type, dtype: DType, shape: PartialShape) -> Val {
        let name = format!("arg_{}", self.nodes.iter().filter(|n| n.op.is_none()).count());
        self.names.insert(name.clone());
        self.nodes.push(Built {
            name,
            op_name: "_Arg".to_owned(),
            op: None,
            attrs: Attrs::new(),
            inputs: Vec::new(),
            controls: Vec::new(),
            outputs: vec![dtype.value()],
            shapes: vec![shape],
            known: None,
        });
        Val { node: self.nodes.len() - 1, output: 0, ty }
    }

    /// The value in this block that represents `outer`, a value of the enclosing block, if there is one already.
    pub fn captured(&self, outer: &Val) -> Option<Val> {
        let node = *self.by_outer.get(&outer.at())?;
        Some(Val { node, output: 0, ty: outer.ty.clone() })
    }

    /// Makes `parameter` represent a value of the enclosing block.
    pub fn capture(&mut self, outer: Val, parameter: &Val) {
        self.by_outer.insert(outer.at(), parameter.node);
        self.captured.push((outer, parameter.node));
    }

    fn edge(&self, val: &Val) -> EdgeType {
        self.nodes[val.node].outputs[val.output as usize]
    }

    /// The dtype of a value.
    pub fn dtype(&self, val: &Val) -> DType {
        self.edge(val).dtype
    }

    /// The known part of a value's shape.
    pub fn shape(&self, val: &Val) -> PartialShape {
        self.nodes[val.node].shapes[val.output as usize].clone()
    }

    /// Records the known part of a value's shape.
    pub fn set_shape(&mut self, val: &Val, shape: PartialShape) {
        self.nodes[val.node].shapes[val.output as usize] = shape;
    }

    /// Number of outputs of the node of a value.
    pub fn outputs(&self, val: &Val) -> usize {
        self.nodes[val.node].outputs.len()
    }

    /// The value as a tensor, if it is known.
    pub fn known(&self, val: &Val) -> Option<&Tensor> {
        let node = &self.nodes[val.node];
        match &node.op {
            Some(op) if val.output == 0 => op.constant().or(node.known.as_ref()),
            _ => None,
        }
    }

    /// Makes a node run only after another.
    pub fn control(&mut self, before: usize, node: usize) {
        self.nodes[node].controls.push(before);
    }

    /// Reserves a name for an input or output.
    pub fn reserve(&mut self, name: &str) {
        self.reserved.insert(name.to_owned());
    }

    /// Gives a node this name or a similar unused one; a reserved name only if `kept` is set.
    pub fn name(&mut self, node: usize, wish: &str, kept: bool) {
        let free = |block: &Block, name: &str| !block.names.contains(name) && (kept || !block.reserved.contains(name));
        let mut name = wish.to_owned();
        let mut number = self.numbers.get(wish).copied().unwrap_or(1);
        while !free(self, &name) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        if number > 1 {
            self.numbers.insert(wish.to_owned(), number);
        }
        self.names.insert(name.clone());
        self.nodes[node].name = name;
    }

    /// Names the unnamed nodes from index `first` on: `main` as `wish`, others after it and their op.
    pub fn name_from(&mut self, first: usize, main: Option<usize>, wish: &str, kept: bool) {
        if let Some(main) = main.filter(|&main| main >= first && self.nodes[main].name.is_empty()) {
            self.name(main, wish, kept);
        }
        for node in first..self.nodes.len() {
            if self.nodes[node].name.is_empty() {
                let inner = format!("{wish}/{}", self.nodes[node].op_name);
                self.name(node, &inner, false);
            }
        }
    }

    /// The name of an endpoint in a graph: `node` or `node:1`.
    pub fn endpoint(&self, (node, output): (usize, u32)) -> String {
        let name = &self.nodes[node].name;
        if output == 0 { name.clone() } else { format!("{name}:{output}") }
    }

    /// A copy of the nodes that compute `output` from `inputs`, which become its parameters, and the copied output.
    /// Nodes get their own names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it depends on another fed value.
    pub fn between(&self, inputs: &[Val], output: &Val) -> Result<(Block, Val)> {
        let mut needed = vec![false; output.node + 1];
        let is_input = |at: (usize, u32)| inputs.iter().any(|val| val.at() == at);
        let mut open = if is_input(output.at()) { Vec::new() } else { vec![output.node] };
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut needed[node], true) {
                open.extend(self.nodes[node].inputs.iter().filter(|at| !is_input(**at)).map(|at| at.0));
                open.extend(&self.nodes[node].controls);
            }
        }
        let mut copy = Block::default();
        for val in inputs {
            copy.parameter(val.ty.clone(), self.dtype(val), self.shape(val));
        }
        let mut places: HashMap<usize, usize> = HashMap::new();
        let place =
            |places: &HashMap<usize, usize>, at: (usize, u32)| match inputs.iter().position(|val| val.at() == at) {
                Some(parameter) => (parameter, 0),
                None => (places[&at.0], at.1),
            };
        // Nodes come after their inputs.
        for (i, node) in self.nodes.iter().enumerate().take(output.node + 1).filter(|(i, _)| needed[*i]) {
            if node.op.is_none() || node.op_name == "Placeholder" {
                return Err(Error::invalid(format!("the result also depends on {}", node.name)));
            }
            let inputs = node.inputs.iter().map(|&at| place(&places, at)).collect();
            let controls = node.controls.iter().map(|before| places[before]).collect();
            copy.nodes.push(Built { name: String::new(), inputs, controls, ..node.clone() });
            copy.stateful |= node.op.as_ref().is_some_and(|op| op.is_stateful());
            places.insert(i, copy.nodes.len() - 1);
        }
        let (node, number) = place(&places, output.at());
        copy.name_from(0, None, "body", false);
        Ok((copy, Val { node, output: number, ty: output.ty.clone() }))
    }

    /// The nodes as graph nodes.
    pub fn into_nodes(self) -> Vec<NodeDef> {
        let endpoints: Vec<Vec<String>> =
            self.nodes.iter().map(|node| node.inputs.iter().map(|&at| self.endpoint(at)).collect()).collect();
        self.defs(endpoints)
    }

    fn defs(self, inputs: Vec<Vec<String>>) -> Vec<NodeDef> {
        let names: Vec<String> = self.nodes.iter().map(|node| node.name.clone()).collect();
        let def = |(node, mut inputs): (Built, Vec<String>)| {
            inputs.extend(node.controls.iter().map(|&before| format!("^{}", names[before])));
            let def = NodeDef { name: node.name, op: node.op_name, inputs, device: String::new(), attrs: node.attrs };
            node.op.is_some().then_some(def)
        };
        self.nodes.into_iter().zip(inputs).filter_map(def).collect()
    }

    /// The name of an endpoint in a function's body: a parameter, or `node:argument:index`.
    fn inner_endpoint(&self, registry: &Registry, (node, output): (usize, u32)) -> String {
        let built = &self.nodes[node];
        if built.op.is_none() {
            return built.name.clone();
        }
        let Some(op) = registry.get(&built.op_name) else { return format!("{}:{output}", built.name) };
        let mut first = 0;
        for arg in op.spec.outputs {
            let count = match (arg.times.and_then(|times| built.attrs.get(times)), arg.ty) {
                (Some(AttrValue::I(n)), _) => usize::try_from(*n).unwrap_or(0),
                (_, levada_graph::spec::Ty::Each(list)) => match built.attrs.get(list) {
                    Some(AttrValue::List(list)) => list.len(),
                    _ => 0,
                },
                _ => 1,
            };
            if (output as usize) < first + count {
                return format!("{}:{}:{}", built.name, arg.name, output as usize - first);
            }
            first += count;
        }
        format!("{}:{output}", built.name)
    }

    /// The function with this block as its body: these parameters, given by their nodes, then these results.
    pub fn into_function(self, registry: &Registry, name: &str, parameters: &[usize], results: &[Val]) -> FunctionDef {
        let arg = |name: String, ty: EdgeType| ArgDef { name, ty: Some(ty), ..ArgDef::default() };
        let inputs: Vec<ArgDef> =
            parameters.iter().map(|&p| arg(self.nodes[p].name.clone(), self.nodes[p].outputs[0])).collect();
        let result = |i: usize| format!("result_{i}");
        let outputs = results.iter().enumerate().map(|(i, val)| arg(result(i), self.edge(val))).collect();
        let ret = results.iter().enumerate().map(|(i, val)| (result(i), self.inner_endpoint(registry, val.at())));
        let ret = ret.collect();
        let is_stateful = self.stateful;
        let endpoints: Vec<Vec<String>> = self
            .nodes
            .iter()
            .map(|node| node.inputs.iter().map(|&at| self.inner_endpoint(registry, at)).collect())
            .collect();
        let control = self.nodes.iter().filter(|n| n.op.as_ref().is_some_and(|op| op.is_stateful()));
        let control_ret: BTreeMap<String, String> = control.map(|n| (n.name.clone(), n.name.clone())).collect();
        FunctionDef {
            signature: Signature {
                name: name.to_owned(),
                inputs,
                outputs,
                control_outputs: control_ret.keys().cloned().collect(),
                is_stateful,
                ..Signature::default()
            },
            nodes: self.defs(endpoints),
            ret,
            control_ret,
            ..FunctionDef::default()
        }
    }
}
