//! The graph and the functions of its library, in the form that a page shows.

use crate::View;
use levada_graph::attr::{AttrList, AttrValue, Attrs, Func};
use levada_graph::def::{FunctionDef, Library};
use levada_graph::function::instantiate;
use levada_graph::graph::split_endpoint;
use levada_graph::spec::Spec;
use levada_graph::{Graph, Registry, Tensor};
use std::collections::HashMap;
use std::sync::Arc;

/// A node of a graph or a function.
pub struct Shown {
    pub name: Arc<str>,
    pub op: String,
    pub device: String,
    pub attrs: Attrs,
    /// The source of each input: node and output number.
    pub inputs: Vec<(u32, u32)>,
    pub controls: Vec<u32>,
    /// Dtype and shape of each output.
    pub outputs: Vec<String>,
    /// The total size of its outputs in bytes, if the shapes are known.
    pub bytes: Option<u64>,
    /// Floating-point operations of one run.
    pub flops: Option<f64>,
    pub spec: Option<&'static Spec>,
    pub constant: Option<Tensor>,
    /// True if its output is a handle or a reference and it has no inputs.
    pub is_state: bool,
    /// True if output 0 is a reference, whose target is not its own.
    pub is_reference: bool,
}

/// A graph, or the body of a function.
pub struct Body {
    /// Name of the function; empty for the graph.
    pub name: String,
    pub nodes: Vec<Shown>,
}

/// The graph first, then the functions in the order of the library.
pub fn bodies(view: &View<'_>) -> Vec<Body> {
    let graph = view.graph;
    let shape = |endpoint| (view.knowledge.shape)(endpoint);
    let mut bodies = vec![Body { name: String::new(), nodes: of_graph(graph, &shape) }];
    let calls = calls(graph);
    let registry = view.knowledge.registry;
    for function in &graph.library.functions {
        let name = function.signature.name.clone();
        let call = calls.get(&name).cloned().unwrap_or_else(|| Func::from(name.as_str()));
        let nodes = match instantiate(&graph.library, &call, registry) {
            Ok(instance) => of_graph(&instance.graph, &|_| Default::default()),
            Err(_) => of_function(function, registry),
        };
        bodies.push(Body { name, nodes });
    }
    bodies
}

/// The first call of each called function.
fn calls(graph: &Graph) -> HashMap<String, Func> {
    let mut calls = HashMap::new();
    let mut add = |attrs: &Attrs| {
        for (_, func) in functions(attrs) {
            calls.entry(func.name.clone()).or_insert_with(|| func.clone());
        }
    };
    graph.nodes().for_each(|(_, node)| add(&node.attrs));
    let library: &Library = &graph.library;
    library.functions.iter().flat_map(|f| &f.nodes).for_each(|node| add(&node.attrs));
    calls
}

/// The functions that attrs refer to, with the names of these attrs.
pub fn functions(attrs: &Attrs) -> Vec<(&str, &Func)> {
    let mut functions = Vec::new();
    for (name, value) in attrs.iter() {
        match value {
            AttrValue::Func(func) => functions.push((&**name, func)),
            AttrValue::List(AttrList::Func(list)) => functions.extend(list.iter().map(|func| (&**name, func))),
            _ => {}
        }
    }
    functions
}

fn of_graph(graph: &Graph, shape: &dyn Fn(levada_graph::Endpoint) -> levada_graph::PartialShape) -> Vec<Shown> {
    let describe = |(id, node): (levada_graph::NodeId, &levada_graph::graph::Node)| {
        let shapes: Vec<_> =
            (0..node.output_types.len() as u32).map(|i| shape(levada_graph::Endpoint::new(id, i))).collect();
        let typed = || node.output_types.iter().zip(&shapes);
        let bytes = |(ty, shape): (&levada_graph::dtype::EdgeType, &levada_graph::PartialShape)| {
            (shape.num_elements()? as u64).checked_mul(ty.dtype.size() as u64)
        };
        let inputs: Vec<_> = node.inputs.iter().map(|&e| shape(e)).collect();
        // Unknown dimensions count as one, so the count would be meaningless.
        let known = inputs.iter().chain(&shapes).all(|shape| shape.known().is_some());
        let handle = node.output_types.first().is_some_and(|t| t.is_ref || t.dtype == levada_graph::DType::Resource);
        Shown {
            name: node.name.clone(),
            op: node.op_name().to_owned(),
            device: node.device.clone(),
            attrs: node.attrs.clone(),
            inputs: node.inputs.iter().map(|e| (e.node.index() as u32, e.output)).collect(),
            controls: node.control_inputs.iter().map(|n| n.index() as u32).collect(),
            outputs: typed().map(|(ty, shape)| typed_shape(&ty.to_string(), &shape.to_string())).collect(),
            bytes: typed().try_fold(0u64, |sum, each| sum.checked_add(bytes(each)?)),
            flops: known.then(|| node.op.flops(&inputs, &shapes)).flatten().filter(|f| f.is_finite()),
            spec: Some(node.spec()),
            constant: node.op.constant().cloned(),
            is_reference: node.output_types.first().is_some_and(|t| t.is_ref),
            is_state: handle && node.inputs.is_empty() && node.spec().stateful,
        }
    };
    graph.nodes().map(describe).collect()
}

fn typed_shape(dtype: &str, shape: &str) -> String {
    format!("{dtype}{shape}")
}

/// The body as stored in the file, for a function that cannot be instantiated.
fn of_function(function: &FunctionDef, registry: &Registry) -> Vec<Shown> {
    let args = function.signature.inputs.iter().map(|arg| arg.name.as_str());
    let names: HashMap<&str, u32> = args.chain(function.nodes.iter().map(|node| node.name.as_str())).zip(0..).collect();
    let plain = |name: &str, op: &str| Shown {
        name: name.into(),
        op: op.to_owned(),
        device: String::new(),
        attrs: Attrs::new(),
        inputs: Vec::new(),
        controls: Vec::new(),
        outputs: Vec::new(),
        bytes: None,
        flops: None,
        spec: registry.get(op).map(|def| def.spec),
        constant: None,
        is_state: false,
        is_reference: false,
    };
    let source = |text: &str| {
        let output = split_endpoint(text).1;
        Some((*names.get(text.split(':').next()?)?, output))
    };
    let mut nodes: Vec<Shown> = function.signature.inputs.iter().map(|arg| plain(&arg.name, "_Arg")).collect();
    for def in &function.nodes {
        let mut node = plain(&def.name, &def.op);
        node.device.clone_from(&def.device);
        node.attrs = def.attrs.clone();
        if let Some(AttrValue::Tensor(value)) = def.attrs.get("value") {
            node.constant = Some(value.clone());
        }
        for input in &def.inputs {
            match input.strip_prefix('^') {
                Some(control) => node.controls.extend(names.get(control)),
                None => node.inputs.extend(source(input)),
            }
        }
        nodes.push(node);
    }
    for (name, from) in &function.ret {
        let taken = nodes.iter().any(|node| *node.name == **name);
        let mut node = plain(&if taken { format!("{name} (result)") } else { name.clone() }, "_Retval");
        node.inputs.extend(source(from));
        nodes.push(node);
    }
    nodes
}
