//! Functions: instantiates a [`FunctionDef`] with values for its attrs as a graph with parameters and results.

use crate::attr::{AttrList, AttrValue, Attrs, Func};
use crate::def::{ArgDef, FunctionDef, GraphDef, Library, NodeDef, Signature};
use crate::dtype::EdgeType;
use crate::error::{Error, Result};
use crate::graph::{Endpoint, Graph, NodeId};
use crate::op::Registry;
use crate::spec::Ty;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Arc;

/// An instantiated function: a graph whose parameters are fed and whose results are fetched.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The body.
    pub graph: Graph,
    /// Endpoints to feed, one for each tensor argument.
    pub args: Vec<Endpoint>,
    /// Endpoints to fetch, one for each tensor result.
    pub rets: Vec<Endpoint>,
    /// The control outputs: nodes that run whether or not a result needs them.
    pub controls: Vec<NodeId>,
    /// The control outputs and all nodes with state or side effects, which also run if the function is not part of a
    /// larger graph.
    pub targets: Vec<NodeId>,
}

/// Instantiates the function that `call` names.
///
/// # Errors
/// `NOT_FOUND` for a function that is not in the library; `INVALID_ARGUMENT` for missing attrs and invalid bodies. Ops
/// in the body that the registry lacks are not errors: see [`Graph::unsupported`].
pub fn instantiate(library: &Arc<Library>, call: &Func, registry: &Registry) -> Result<Instance> {
    let function = library.function(&call.name).ok_or_else(|| unknown(library, &call.name))?;
    let context = |mut error: Error| {
        let fault = error.fault_mut();
        fault.file.get_or_insert_with(|| place_of(&call.name));
        error
    };
    Body::new(library, function, call, registry).and_then(Body::build).map_err(context)
}

/// The location of faults in a function's body.
fn place_of(function: &str) -> String {
    format!("function {function}")
}

fn unknown(library: &Library, name: &str) -> Error {
    let error = Error::not_found(format!("the function {name} is not in the library"));
    match crate::op::nearest(name, library.functions.iter().map(|f| f.signature.name.as_str())) {
        Some(near) => error.help(format!("did you mean {near:?}?")),
        None => error,
    }
}

/// How nodes of a function whose body is `graph` refer to one of its values: by node, output argument and position in
/// it.
pub fn reference(graph: &Graph, at: Endpoint) -> String {
    let node = graph.node(at.node);
    let attrs = node.op.encode();
    let value = |name: &str| attrs.get(name).or_else(|| node.attrs.get(name));
    let mut first = 0;
    for arg in node.spec().outputs {
        let count = match (arg.times.and_then(value), arg.ty) {
            (Some(AttrValue::I(n)), _) => usize::try_from(*n).unwrap_or(0),
            (_, Ty::Each(list)) => match value(list) {
                Some(AttrValue::List(list)) => list.len(),
                _ => 0,
            },
            _ => 1,
        };
        let i = at.output as usize;
        if i < first + count {
            return format!("{}:{}:{}", node.name, arg.name, i - first);
        }
        first += count;
    }
    format!("{}:{}", node.name, at.output)
}

/// A graph as a function with this name: the nodes of `args` become its parameters, `rets` are its results. It is
/// stateful if one of its nodes is.
pub fn define(graph: &Graph, name: impl Into<String>, args: &[Endpoint], rets: &[Endpoint]) -> FunctionDef {
    let parameter = |i: usize| {
        let mut name = format!("argument_{i}");
        while graph.find(&name).is_some() {
            name.push('_');
        }
        name
    };
    let given: HashMap<NodeId, String> = args.iter().enumerate().map(|(i, arg)| (arg.node, parameter(i))).collect();
    let endpoint = |at: Endpoint| given.get(&at.node).cloned().unwrap_or_else(|| reference(graph, at));
    let argument = |name: String, at: Endpoint| ArgDef { name, ty: graph.endpoint_type(at), ..ArgDef::default() };
    let result = |i: usize| format!("result_{i}");
    let own = || graph.nodes().filter(|(id, _)| !given.contains_key(id));
    let nodes = own().map(|(_, node)| {
        let data = node.inputs.iter().map(|&at| endpoint(at));
        // An argument is available before anything runs.
        let waits = node.control_inputs.iter().filter(|before| !given.contains_key(before));
        let waits = waits.map(|&before| format!("^{}", graph.node(before).name));
        NodeDef {
            name: node.name.to_string(),
            op: node.op_name().to_owned(),
            inputs: data.chain(waits).collect(),
            device: node.device.clone(),
            attrs: node.attrs.clone(),
        }
    });
    FunctionDef {
        signature: Signature {
            name: name.into(),
            inputs: args.iter().map(|&at| argument(given[&at.node].clone(), at)).collect(),
            outputs: rets.iter().enumerate().map(|(i, &at)| argument(result(i), at)).collect(),
            is_stateful: own().any(|(_, node)| node.op.is_stateful()),
            ..Signature::default()
        },
        nodes: nodes.collect(),
        ret: rets.iter().enumerate().map(|(i, &at)| (result(i), endpoint(at))).collect(),
        ..FunctionDef::default()
    }
}

/// Rewrites nodes whose op is the name of a function into call nodes.
pub(crate) fn name_calls(def: &mut GraphDef) {
    if def.library.functions.is_empty() {
        return;
    }
    let functions: HashMap<&str, &FunctionDef> =
        def.library.functions.iter().map(|f| (f.signature.name.as_str(), f)).collect();
    for node in &mut def.nodes {
        if let Some(function) = functions.get(node.op.as_str()) {
            name_call(function, node);
        }
    }
}

fn name_call(function: &FunctionDef, node: &mut NodeDef) {
    let Ok((given, inputs, outputs)) = call_types(function, node) else { return };
    let own: Vec<(Arc<str>, AttrValue)> = node
        .attrs
        .iter()
        .filter(|(name, _)| name.starts_with('_'))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let call = Func { name: std::mem::take(&mut node.op), attrs: given };
    node.op = if function.signature.is_stateful { "StatefulPartitionedCall" } else { "PartitionedCall" }.to_owned();
    node.attrs = own.into_iter().collect();
    node.attrs.set("f", AttrValue::Func(call));
    node.attrs.set("_by_name", AttrValue::B(true));
    node.attrs.set("Tin", inputs);
    node.attrs.set("Tout", outputs);
}

/// The reason why a node whose op is this function cannot call it.
pub(crate) fn refused_call(function: &FunctionDef, node: &NodeDef) -> Error {
    match call_types(function, node) {
        Err(error) => error,
        Ok(_) => Error::unimplemented(format!("calls of the function {} are not supported", node.op)),
    }
}

/// The values that a call sets for the function's attrs, and the types of its inputs and outputs.
fn call_types(function: &FunctionDef, node: &NodeDef) -> Result<(Attrs, AttrValue, AttrValue)> {
    let attrs = &function.signature.attrs;
    let given: Attrs = node
        .attrs
        .iter()
        .filter(|(name, _)| attrs.iter().any(|a| a.name == ***name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let scope = Scope::new(function, &given);
    let types = |args: &[ArgDef]| -> Result<AttrValue> {
        let all: Result<Vec<Vec<EdgeType>>> = args.iter().map(|arg| scope.types(arg)).collect();
        let all: Vec<EdgeType> = all?.into_iter().flatten().map(|t| t.dtype.value()).collect();
        Ok(AttrValue::List(if all.is_empty() { AttrList::Empty } else { AttrList::Type(all) }))
    };
    let (inputs, outputs) = (types(&function.signature.inputs)?, types(&function.signature.outputs)?);
    Ok((given, inputs, outputs))
}

/// The values of a function's attrs.
struct Scope {
    values: Attrs,
}

impl Scope {
    fn new(function: &FunctionDef, given: &Attrs) -> Scope {
        let mut values = Attrs::new();
        for attr in &function.signature.attrs {
            if let Some(value) = given.get(&attr.name).or(attr.default.as_ref()) {
                values.set(attr.name.as_str(), value.clone());
            }
        }
        Scope { values }
    }

    fn value(&self, name: &str) -> Result<&AttrValue> {
        self.values.get(name).ok_or_else(|| {
            Error::invalid(format!("the function's attr {name} has no value"))
                .attr(name)
                .help("set it where the function is called")
        })
    }

    /// The type of each tensor of an argument.
    fn types(&self, arg: &ArgDef) -> Result<Vec<EdgeType>> {
        let wrong = |name: &str| Error::invalid(format!("the function's attr {name} is of the wrong kind")).attr(name);
        let one = match (&arg.ty, arg.type_attr.as_str(), arg.type_list_attr.as_str()) {
            (_, _, list) if !list.is_empty() => {
                return match self.value(list)? {
                    AttrValue::List(AttrList::Type(types)) => Ok(types.clone()),
                    AttrValue::List(AttrList::Empty) => Ok(Vec::new()),
                    _ => Err(wrong(list)),
                };
            }
            (_, attr, _) if !attr.is_empty() => match self.value(attr)? {
                AttrValue::Type(ty) => *ty,
                _ => return Err(wrong(attr)),
            },
            (Some(ty), _, _) => *ty,
            (None, _, _) => return Err(Error::invalid(format!("the function's argument {} has no type", arg.name))),
        };
        let one = EdgeType { is_ref: one.is_ref || arg.is_ref, ..one };
        match arg.number_attr.as_str() {
            "" => Ok(vec![one]),
            attr => match self.value(attr)? {
                AttrValue::I(n) if (0..1 << 20).contains(n) => Ok(vec![one; *n as usize]),
                _ => Err(wrong(attr)),
            },
        }
    }

    /// `value` with placeholders replaced by the values of the function's attrs.
    fn fill(&self, value: &AttrValue) -> Result<AttrValue> {
        let fill_func = |f: &Func| -> Result<Func> {
            let attrs: Result<Vec<(Arc<str>, AttrValue)>> =
                f.attrs.iter().map(|(n, v)| Ok((n.clone(), self.fill(v)?))).collect();
            Ok(Func { name: f.name.clone(), attrs: attrs?.into_iter().collect() })
        };
        Ok(match value {
            AttrValue::Placeholder(name) => self.value(name)?.clone(),
            AttrValue::Func(f) => AttrValue::Func(fill_func(f)?),
            AttrValue::List(AttrList::Func(list)) => {
                AttrValue::List(AttrList::Func(list.iter().map(fill_func).collect::<Result<_>>()?))
            }
            other => other.clone(),
        })
    }
}

/// The outputs that a name in a function's body stands for, as endpoints in the plain form `node:output`.
#[derive(Default)]
struct Outputs {
    /// Every output, in order.
    all: Vec<String>,
    /// Output arguments: name, first output, number of outputs.
    args: Vec<(String, usize, usize)>,
}

struct Body<'a> {
    function: &'a FunctionDef,
    registry: &'a Registry,
    library: &'a Arc<Library>,
    scope: Scope,
    nodes: Vec<NodeDef>,
    names: HashMap<String, Outputs>,
    args: Vec<String>,
}

impl<'a> Body<'a> {
    fn new(
        library: &'a Arc<Library>,
        function: &'a FunctionDef,
        call: &Func,
        registry: &'a Registry,
    ) -> Result<Body<'a>> {
        let scope = Scope::new(function, &call.attrs);
        let mut body =
            Body { function, registry, library, scope, nodes: Vec::new(), names: HashMap::new(), args: Vec::new() };
        for arg in &function.signature.inputs {
            let types = body.scope.types(arg)?;
            let mut outputs = Outputs::default();
            for (i, ty) in types.iter().enumerate() {
                let name = if types.len() == 1 { arg.name.clone() } else { format!("{}/{i}", arg.name) };
                let mut node = NodeDef { name: name.clone(), op: "_Arg".to_owned(), ..NodeDef::default() };
                node.attrs.set("T", AttrValue::Type(ty.dtype.value()));
                node.attrs.set("index", AttrValue::I(body.args.len() as i64));
                body.nodes.push(node);
                body.args.push(name.clone());
                outputs.all.push(name);
            }
            body.names.insert(arg.name.clone(), outputs);
        }
        Ok(body)
    }

    fn build(mut self) -> Result<Instance> {
        let mut nodes = Vec::new();
        for node in &self.function.nodes {
            let attrs: Result<Vec<(Arc<str>, AttrValue)>> = node
                .attrs
                .iter()
                .map(|(name, value)| {
                    Ok((name.clone(), self.scope.fill(value).map_err(|e| e.at_node(&node.name, &node.op))?))
                })
                .collect();
            let mut node = NodeDef { attrs: attrs?.into_iter().collect(), ..node.clone() };
            if let Some(function) = self.library.function(&node.op) {
                name_call(function, &mut node);
            }
            let outputs = self.outputs_of(&node)?;
            self.names.insert(node.name.clone(), outputs);
            nodes.push(node);
        }
        for mut node in nodes {
            let mut inputs = Vec::new();
            for input in &node.inputs {
                match input.strip_prefix('^') {
                    Some(name) => {
                        let plain = self.names.get(name).and_then(|o| o.all.first());
                        // A list parameter stands for several nodes; one is enough for the order.
                        let name = plain.map_or(name, |p| crate::graph::split_endpoint(p).0);
                        inputs.push(format!("^{name}"));
                    }
                    None => inputs.extend(self.endpoints(input).map_err(|e| e.at_node(&node.name, &node.op))?),
                }
            }
            node.inputs = inputs;
            self.keep_classes(&mut node);
            self.nodes.push(node);
        }
        let mut rets = Vec::new();
        for arg in &self.function.signature.outputs {
            let source = self.function.ret.get(&arg.name).ok_or_else(|| {
                Error::invalid(format!("the function's result {} has no source", arg.name)).help("add it to \"ret\"")
            })?;
            rets.extend(self.endpoints(source)?);
        }
        let def = GraphDef { nodes: std::mem::take(&mut self.nodes), ..GraphDef::default() };
        let mut graph = Graph::from_body(def, self.registry)?;
        graph.name_file(&place_of(&self.function.signature.name));
        graph.library = self.library.clone();
        let find = |names: &[String]| names.iter().map(|name| graph.endpoint(name)).collect::<Result<Vec<_>>>();
        let (args, rets) = (find(&self.args)?, find(&rets)?);
        let mut controls: Vec<NodeId> =
            self.function.control_ret.values().filter_map(|name| graph.find(name)).collect();
        controls.sort_unstable();
        controls.dedup();
        let mut targets = controls.clone();
        targets.extend(graph.nodes().filter(|(_, node)| node.op.is_stateful()).map(|(id, _)| id));
        targets.sort_unstable();
        targets.dedup();
        Ok(Instance { graph, args, rets, controls, targets })
    }

    /// Drops colocations with nodes that are not in the body: gradient functions name nodes around their calls.
    fn keep_classes(&self, node: &mut NodeDef) {
        let Some(AttrValue::List(AttrList::S(classes))) = node.attrs.get("_class") else { return };
        let is_here = |class: &Bytes| match class.strip_prefix(b"loc:@") {
            Some(name) => std::str::from_utf8(name).is_ok_and(|name| self.names.contains_key(name)),
            None => true,
        };
        if classes.iter().all(is_here) {
            return;
        }
        let kept: Vec<Bytes> = classes.iter().filter(|class| is_here(class)).cloned().collect();
        let kept = if kept.is_empty() { AttrList::Empty } else { AttrList::S(kept) };
        node.attrs.set("_class", AttrValue::List(kept));
    }

    /// The output arguments of a body node.
    fn outputs_of(&self, node: &NodeDef) -> Result<Outputs> {
        let mut outputs = Outputs::default();
        let Some(op) = self.registry.get(&node.op) else { return Ok(self.outputs_used(&node.name)) };
        let value = |name: &str| {
            node.attrs
                .get(name)
                .cloned()
                .or_else(|| op.attr(name).and_then(|a| a.default).map(crate::spec::AttrDefault::value))
        };
        for arg in op.spec.outputs {
            let count = match (arg.times.and_then(value), arg.ty) {
                (Some(AttrValue::I(n)), _) => usize::try_from(n).unwrap_or(0).min(1 << 20),
                (_, Ty::Each(list)) => match value(list) {
                    Some(AttrValue::List(list)) => list.len(),
                    _ => 0,
                },
                _ => 1,
            };
            let first = outputs.all.len();
            outputs.args.push((arg.name.to_owned(), first, count));
            outputs.all.extend((first..first + count).map(|i| format!("{}:{i}", node.name)));
        }
        // A call by name has the function's own names for its outputs.
        if let Some(AttrValue::Func(f)) = node.attrs.get("f")
            && let Some(called) = self.library.function(&f.name)
        {
            let scope = Scope::new(called, &f.attrs);
            let mut first = 0;
            for arg in &called.signature.outputs {
                let count = scope.types(arg).map_or(1, |t| t.len());
                outputs.args.push((arg.name.clone(), first, count));
                first += count;
            }
        }
        Ok(outputs)
    }

    /// The outputs of a node with an unknown op that the body uses, in some order: the node cannot run.
    fn outputs_used(&self, node: &str) -> Outputs {
        let mut args: Vec<(&str, usize)> = Vec::new();
        let mut plain = 0;
        let inputs = self.function.nodes.iter().flat_map(|n| &n.inputs);
        for text in inputs.chain(self.function.ret.values()) {
            let mut parts = text.split(':');
            if parts.next() != Some(node) {
                continue;
            }
            // No real node has anywhere near this many outputs.
            let number = |digits: &str| digits.parse::<usize>().ok().filter(|n| *n < 1 << 16);
            match (parts.next(), parts.next().and_then(number)) {
                (Some(argument), index) if number(argument).is_none() => {
                    let count = index.unwrap_or(0) + 1;
                    match args.iter_mut().find(|(name, _)| *name == argument) {
                        Some((_, most)) => *most = count.max(*most),
                        None => args.push((argument, count)),
                    }
                }
                (digits, _) => plain = plain.max(digits.and_then(number).unwrap_or(0) + 1),
            }
        }
        let mut outputs = Outputs::default();
        let mut count = 0;
        for (name, n) in args {
            outputs.args.push((name.to_owned(), count, n));
            count += n;
        }
        outputs.all.extend((0..count.max(plain)).map(|i| format!("{node}:{i}")));
        outputs
    }

    /// The plain endpoints that `name`, `node:argument` or `node:argument:index` stands for.
    fn endpoints(&self, text: &str) -> Result<Vec<String>> {
        let wrong = || {
            Error::invalid(format!("{text} is not in the function's body"))
                .expected("a parameter, or node:argument:index")
                .found(text)
        };
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let outputs = self.names.get(name).ok_or_else(wrong)?;
        let (argument, index) = (parts.next(), parts.next());
        let number = |digits: &str| digits.parse::<usize>().ok();
        match (argument, index) {
            (None, _) => Ok(outputs.all.clone()),
            (Some(first), None) if number(first).is_some() => {
                Ok(vec![outputs.all.get(number(first).unwrap_or(usize::MAX)).ok_or_else(wrong)?.clone()])
            }
            (Some(argument), index) => {
                let (_, first, count) = outputs.args.iter().find(|(n, _, _)| n == argument).ok_or_else(wrong)?;
                match index {
                    None => Ok(outputs.all.get(*first..first + count).ok_or_else(wrong)?.to_vec()),
                    Some(digits) => {
                        let i = number(digits).filter(|i| i < count).ok_or_else(wrong)?;
                        Ok(vec![outputs.all.get(first + i).ok_or_else(wrong)?.clone()])
                    }
                }
            }
        }
    }
}
