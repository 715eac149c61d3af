//! Finds the endpoint of the graph that corresponds to an object that a function captures.
//!
//! The file does not say so directly; it follows from other parts: a variable's path in the object graph is its name in
//! the checkpoint, whose value the function that restores the variables assigns to the variable's handle; and nodes
//! that call a function pass its captures.

use crate::proto::{Child, Kind, ObjectGraph};
use levada_graph::attr::Attrs;
use levada_graph::def::{FunctionDef, Library, NodeDef};
use levada_graph::graph::split_endpoint;
use levada_graph::{AttrList, AttrValue, Bytes, DType, Error, Func, Graph, Result, Tensor};
use std::collections::HashMap;

/// The suffix that a checkpoint appends to an object's path for the value of a variable.
const VALUE: &str = "/.ATTRIBUTES/VARIABLE_VALUE";

/// Endpoints by the number of the corresponding object.
pub(crate) struct Bound<'m> {
    objects: &'m ObjectGraph,
    graph: &'m Graph,
    assets: &'m [crate::Asset],
    known: HashMap<i32, String>,
}

impl<'m> Bound<'m> {
    pub fn new(objects: &'m ObjectGraph, graph: &'m Graph, assets: &'m [crate::Asset]) -> Bound<'m> {
        let mut bound = Bound { objects, graph, assets, known: HashMap::new() };
        bound.restored();
        bound.called();
        bound
    }

    /// Variables: the names that the restoring function assigns to each handle.
    fn restored(&mut self) {
        let Some(saver) = &self.graph.meta.saver else { return };
        let Some(id) = self.graph.find(split_endpoint(&saver.restore).0) else { return };
        let node = self.graph.node(id);
        let Some(AttrValue::Func(function)) = node.attrs.get("f") else { return };
        let Some(def) = self.graph.library.function(&function.name) else { return };
        for (argument, key) in assigned(def, &self.graph.library) {
            if let (Some(&handle), Some(object)) = (node.inputs.get(argument), self.object(&key)) {
                self.known.insert(object, self.graph.endpoint_name(handle));
            }
        }
    }

    /// The object with a variable's name in a checkpoint.
    fn object(&self, key: &str) -> Option<i32> {
        let mut number = 0;
        for part in key.strip_suffix(VALUE)?.split('/') {
            let name = part.replace(".S", "/").replace("..", ".");
            let children = &self.objects.nodes.get(usize::try_from(number).ok()?)?.children;
            number = children.iter().find(|Child { name: known, .. }| *known == name)?.node;
        }
        Some(number)
    }

    /// The endpoints that nodes of the graph pass to functions that capture objects.
    fn called(&mut self) {
        for (_, node) in self.graph.nodes() {
            let Some(AttrValue::Func(function)) = node.attrs.get("f") else { continue };
            let Some(saved) = self.objects.concrete_functions.get(&function.name) else { continue };
            let Some(first) = node.inputs.len().checked_sub(saved.bound_inputs.len()) else { continue };
            for (&object, &endpoint) in saved.bound_inputs.iter().zip(&node.inputs[first..]) {
                self.known.entry(object).or_insert_with(|| self.graph.endpoint_name(endpoint));
            }
        }
    }

    /// The endpoint for an object; adds a node for it if the graph has none.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for an object that no endpoint can represent.
    pub fn endpoint(&mut self, object: i32, scope: &str, nodes: &mut Vec<NodeDef>) -> Result<String> {
        if let Some(known) = self.known.get(&object) {
            return Ok(known.clone());
        }
        let unknown = |what: &str| {
            Error::unimplemented(format!("a function captures {what}, for which the graph has no node"))
                .found(format!("the object with number {object}"))
        };
        let node = usize::try_from(object).ok().and_then(|i| self.objects.nodes.get(i));
        let node = node.ok_or_else(|| unknown("an object that does not exist"))?;
        let name = format!("{scope}/capture_{object}");
        let endpoint = match &node.kind {
            Some(Kind::Constant(constant)) => {
                self.graph.endpoint(&constant.operation)?;
                constant.operation.clone()
            }
            Some(Kind::Asset(asset)) => {
                let asset = usize::try_from(asset.index).ok().and_then(|i| self.assets.get(i));
                let asset = asset.ok_or_else(|| unknown("an asset that is not listed"))?;
                nodes.push(path_constant(&name, &asset.path.to_string_lossy()));
                name
            }
            Some(Kind::Variable(variable)) => self
                .variable(&variable.name, variable.dtype)
                .ok_or_else(|| unknown(&format!("the variable {}", variable.name)))?,
            Some(Kind::Resource(_)) => {
                let creator = self.creator(&node.children).ok_or_else(|| unknown("a resource that nothing creates"))?;
                nodes.push(call(&name, &creator, Vec::new(), &[], &[DType::Resource.value()]));
                name
            }
            Some(Kind::Captured(captured)) => {
                return Err(unknown(&format!("the value {} of the function {}", captured.name, captured.concrete)));
            }
            Some(Kind::Function(_) | Kind::Bare(_)) | None => return Err(unknown("an object that is not a value")),
        };
        self.known.insert(object, endpoint.clone());
        Ok(endpoint)
    }

    /// The only variable with this name and dtype.
    fn variable(&self, name: &str, dtype: i32) -> Option<String> {
        let mut found = self.graph.nodes().map(|(_, node)| node).filter(|node| {
            let shared =
                matches!(node.attrs.get("shared_name"), Some(AttrValue::S(shared)) if **shared == *name.as_bytes());
            let same = matches!(node.attrs.get("dtype"), Some(AttrValue::Type(ty)) if ty.number() == dtype);
            node.op_name() == "VarHandleOp" && shared && same
        });
        found.next().filter(|_| found.next().is_none()).map(|node| node.name.to_string())
    }

    /// The function that makes a resource.
    fn creator(&self, children: &[Child]) -> Option<String> {
        let child = children.iter().find(|child| child.name == "_create_resource")?;
        match &self.objects.nodes.get(usize::try_from(child.node).ok()?)?.kind {
            Some(Kind::Function(function)) => function.concrete.first().cloned(),
            Some(Kind::Bare(bare)) => Some(bare.concrete.clone()),
            _ => None,
        }
        .filter(|name| self.graph.library.function(name).is_some())
    }
}

/// A node with a path.
pub(crate) fn path_constant(name: &str, path: &str) -> NodeDef {
    let mut attrs = Attrs::new();
    attrs.set("dtype", AttrValue::Type(DType::Str.value()));
    attrs.set("value", AttrValue::Tensor(Tensor::string(path)));
    NodeDef { name: name.to_owned(), op: "Const".to_owned(), attrs, ..NodeDef::default() }
}

/// A node that calls a function.
pub(crate) fn call(
    name: &str,
    function: &str,
    inputs: Vec<String>,
    takes: &[levada_graph::EdgeType],
    gives: &[levada_graph::EdgeType],
) -> NodeDef {
    let list = |types: &[levada_graph::EdgeType]| match types {
        [] => AttrValue::List(AttrList::Empty),
        types => AttrValue::List(AttrList::Type(types.to_vec())),
    };
    let mut attrs = Attrs::new();
    attrs.set("f", AttrValue::Func(Func { name: function.to_owned(), attrs: Attrs::new() }));
    attrs.set("Tin", list(takes));
    attrs.set("Tout", list(gives));
    NodeDef { name: name.to_owned(), op: "StatefulPartitionedCall".to_owned(), inputs, attrs, ..NodeDef::default() }
}

/// Indices of the arguments of a restoring function that are handles of variables, and the checkpoint names of the
/// values assigned to them.
fn assigned(def: &FunctionDef, library: &Library) -> Vec<(usize, String)> {
    let nodes: HashMap<&str, &NodeDef> = def.nodes.iter().map(|node| (node.name.as_str(), node)).collect();
    let arguments: HashMap<&str, usize> =
        def.signature.inputs.iter().enumerate().map(|(i, arg)| (arg.name.as_str(), i)).collect();
    let mut found = Vec::new();
    for node in &def.nodes {
        match (node.op.as_str(), node.inputs.as_slice()) {
            ("AssignVariableOp", [handle, value, ..]) => {
                if let (Some(&argument), Some(key)) = (arguments.get(handle.as_str()), restored_key(&nodes, value)) {
                    found.push((argument, key));
                }
            }
            ("PartitionedCall" | "StatefulPartitionedCall", inputs) => {
                // TensorFlow nests them one level deep, one function for each device.
                let Some(AttrValue::Func(function)) = node.attrs.get("f") else { continue };
                let Some(inner) = library.function(&function.name).filter(|inner| !std::ptr::eq(*inner, def)) else {
                    continue;
                };
                let of_inner = if inner.nodes.iter().any(|n| n.op.ends_with("PartitionedCall")) {
                    Vec::new()
                } else {
                    assigned(inner, library)
                };
                for (argument, key) in of_inner {
                    let outer = inputs.get(argument).and_then(|input| arguments.get(input.as_str()));
                    found.extend(outer.map(|&outer| (outer, key)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The checkpoint name of a value that `RestoreV2` reads, possibly through nodes with one input.
fn restored_key(nodes: &HashMap<&str, &NodeDef>, value: &str) -> Option<String> {
    let mut value = value;
    // No graph has more nodes than these between the two.
    for _ in 0..8 {
        let mut parts = value.split(':');
        let node = nodes.get(parts.next()?)?;
        if node.op != "RestoreV2" {
            value = node.inputs.first()?;
            continue;
        }
        let output: usize = parts.next_back()?.parse().ok()?;
        let names = nodes.get(node.inputs.get(1)?.split(':').next()?)?;
        let Some(AttrValue::Tensor(names)) = names.attrs.get("value") else { return None };
        let name = names.slice::<Bytes>().ok()?.get(output)?;
        return String::from_utf8(name.to_vec()).ok();
    }
    None
}
