//! Turns the variables that some outputs need into constants and removes all other nodes.
//!
//! Handles of variables pass through calls, branches and loops into functions. Such a function gets a copy that takes
//! values instead of handles: a node that reads a variable becomes an `Identity` of its value.

use levada_builder::Builder;
use levada_graph::attr::Attrs;
use levada_graph::def::{FunctionDef, GraphDef, Library, NodeDef};
use levada_graph::graph::split_endpoint;
use levada_graph::{AttrList, AttrValue, DType, Endpoint, Error, Func, Graph, NodeId, Result, Tensor};
use levada_session::Session;
use levada_train::Variable;
use std::collections::{HashMap, HashSet};

/// Maximum size in bytes of a graph's file: protobuf's limit.
const MOST_BYTES: usize = i32::MAX as usize;
/// The maximum depth of nested function calls.
const MAX_DEPTH: usize = 64;

/// A graph without variables.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The graph: the nodes that the outputs need.
    pub def: GraphDef,
    /// The op to run once before everything else, if the outputs need tables that it fills.
    pub init: Option<String>,
    /// Number of variables that became constants.
    pub variables: usize,
}

/// Freezes the part of a session's graph that `outputs` need, with the current values of its variables. The nodes of
/// `inputs` are kept even if nothing needs them. `init` is the op that initializes tables.
///
/// # Errors
/// `NOT_FOUND` for outputs that the graph lacks; `FAILED_PRECONDITION` for a variable without a value; `UNIMPLEMENTED`
/// for an op that does more than read a variable, with the op's name.
pub fn freeze(session: &Session, inputs: &[String], outputs: &[String], init: Option<&str>) -> Result<Frozen> {
    let graph = session.graph();
    let node = |name: &String| {
        let name = split_endpoint(name).0;
        graph.find(name).ok_or_else(|| graph.unknown_node(name, name))
    };
    let roots = inputs.iter().chain(outputs).map(node).collect::<Result<Vec<_>>>()?;
    let mut kept = reached(&graph, &roots);
    let mut first = HashSet::new();
    let mut init_op = None;
    if let Some(init) = init {
        let init = split_endpoint(init.trim_start_matches('^')).0;
        let id = graph.find(init).ok_or_else(|| graph.unknown_node(init, init))?;
        let before = reached(&graph, &[id]);
        let shared = |id: &&NodeId| {
            let node = graph.node(**id);
            node.op.is_stateful() && !is_variable(node.op_name()) && node.op_name() != "Placeholder"
        };
        if kept.intersection(&before).any(|id| shared(&id)) {
            first = before.difference(&kept).copied().collect();
            kept.extend(before);
            init_op = Some(init.to_owned());
        }
    }
    let values = values(session, &graph, &kept)?;
    let total = values.values().try_fold(0usize, |sum, v| sum.checked_add(v.bytes().map_or(0, <[u8]>::len)));
    if total.is_none_or(|total| total > MOST_BYTES) {
        return Err(Error::resource_exhausted("the variables are too large for the file of a graph")
            .expected(format!("at most {MOST_BYTES} bytes"))
            .help("keep the SavedModel, whose variables are in files of their own"));
    }
    let mut def = graph.to_def();
    let ids: Vec<NodeId> = graph.ids().collect();
    let mut wanted = ids.iter().map(|id| kept.contains(id));
    def.nodes.retain(|_| wanted.next().unwrap_or(false));
    def.collections.clear();
    def.meta = levada_graph::meta::Meta::default();
    let written: HashSet<String> = first.iter().map(|&id| graph.node(id).name.to_string()).collect();
    let variables = values.len();
    let mut freezer = Freezer { library: &graph.library, known: HashMap::new(), made: Vec::new(), depth: 0 };
    let start =
        values.iter().filter(|(name, _)| graph.find(name).is_some_and(|id| graph.node(id).op_name() == "VarHandleOp"));
    let start = start.map(|(name, value)| (name.clone(), vec![Some(value.dtype())])).collect();
    let mut body = Body { nodes: def.nodes, frozen: start, in_function: false, written, renamed: HashMap::new() };
    freezer.body(&mut body)?;
    def.nodes = body.nodes;
    for node in &mut def.nodes {
        if let Some(value) = values.get(&node.name) {
            let mut attrs = Attrs::new();
            attrs.set("dtype", AttrValue::Type(value.dtype().value()));
            attrs.set("value", AttrValue::Tensor(value.clone()));
            (node.op, node.attrs) = ("Const".to_owned(), attrs);
        }
    }
    let made = freezer.made;
    def.library = needed(&def.nodes, &graph.library, made)?;
    Ok(Frozen { def, init: init_op, variables })
}

fn is_variable(op: &str) -> bool {
    matches!(op, "VarHandleOp" | "VariableV2" | "Variable")
}

/// These nodes and the nodes that they need.
fn reached(graph: &Graph, roots: &[NodeId]) -> HashSet<NodeId> {
    let mut found: HashSet<NodeId> = roots.iter().copied().collect();
    let mut open: Vec<NodeId> = roots.to_vec();
    while let Some(id) = open.pop() {
        let node = graph.node(id);
        for before in node.inputs.iter().map(|e: &Endpoint| e.node).chain(node.control_inputs.iter().copied()) {
            if found.insert(before) {
                open.push(before);
            }
        }
    }
    found
}

/// The values of the variables among these nodes, by node. A node that gets a reference to a variable may change it.
fn values(session: &Session, graph: &Graph, kept: &HashSet<NodeId>) -> Result<HashMap<String, Tensor>> {
    let mut names = Vec::new();
    for &id in kept {
        let node = graph.node(id);
        if is_variable(node.op_name()) {
            names.push(node.name.to_string());
        }
        for (input, ty) in node.inputs.iter().zip(&node.input_types) {
            if ty.is_ref && is_variable(graph.node(input.node).op_name()) {
                return Err(changes(&node.name, node.op_name()));
            }
        }
    }
    names.sort_unstable();
    let mut reads = Vec::new();
    let registry = session.registry().clone();
    session.grow(|graph, _| {
        let mut b = Builder::on(graph.clone(), registry);
        for name in &names {
            let variable = b.scope("freeze", |b| Variable::find(b, name))?;
            reads.push(b.name(variable.value));
        }
        b.finish()
    })?;
    let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
    let values = session.run(&[], &reads, &[])?;
    Ok(names.into_iter().zip(values).collect())
}

fn changes(node: &str, op: &str) -> Error {
    Error::unimplemented("a graph that changes its variables cannot be frozen")
        .at_node(node, op)
        .help("freeze outputs that do not need this node")
}

/// For each argument or result, the dtype if it became a variable's value.
type Pattern = Vec<Option<DType>>;

/// Nodes to rewrite.
struct Body {
    nodes: Vec<NodeDef>,
    /// Outputs that were handles and became values, by node or argument.
    frozen: HashMap<String, Pattern>,
    in_function: bool,
    /// Nodes that may assign to variables; assignments are dropped.
    written: HashSet<String>,
    /// Nodes whose output had a different name before.
    renamed: HashMap<String, &'static str>,
}

impl Body {
    fn pattern(&self, node: &NodeDef) -> Pattern {
        node.inputs.iter().filter(|input| !input.starts_with('^')).map(|input| self.of(input)).collect()
    }

    fn of(&self, input: &str) -> Option<DType> {
        let (node, output) = if self.in_function {
            let mut parts = input.split(':');
            (parts.next().unwrap_or_default(), parts.nth(1).and_then(|i| i.parse().ok()).unwrap_or(0))
        } else {
            let (node, output) = split_endpoint(input);
            (node, output as usize)
        };
        self.frozen.get(node)?.get(output).copied().flatten()
    }
}

struct Freezer<'l> {
    library: &'l Library,
    /// Functions with values instead of handles: their names, and which of their results were handles.
    known: HashMap<(String, Pattern), (String, Pattern)>,
    made: Vec<FunctionDef>,
    depth: usize,
}

fn any(pattern: &[Option<DType>]) -> bool {
    pattern.iter().any(Option::is_some)
}

/// Ops that return their inputs.
fn passes(op: &str) -> bool {
    matches!(op, "Identity" | "IdentityN" | "Enter" | "Exit" | "NextIteration" | "Switch" | "Merge")
}

fn func(node: &NodeDef, attr: &str) -> Result<Func> {
    match node.attrs.get(attr) {
        Some(AttrValue::Func(func)) => Ok(func.clone()),
        _ => Err(Error::invalid(format!("the node has no function {attr}")).at_node(&node.name, &node.op)),
    }
}

/// Replaces the types of handles by dtypes.
fn set_types(node: &mut NodeDef, attr: &str, pattern: &[Option<DType>]) {
    if let Some(AttrValue::List(AttrList::Type(types))) = node.attrs.get(attr) {
        let mut types = types.clone();
        for (ty, frozen) in types.iter_mut().zip(pattern) {
            *ty = frozen.map_or(*ty, DType::value);
        }
        node.attrs.set(attr, AttrValue::List(AttrList::Type(types)));
    }
}

impl Freezer<'_> {
    fn body(&mut self, body: &mut Body) -> Result<()> {
        // Handles may go around loops, so a finding about one node may affect earlier ones.
        loop {
            let mut changed = false;
            for i in 0..body.nodes.len() {
                let pattern = body.pattern(&body.nodes[i]);
                if !any(&pattern) {
                    continue;
                }
                let outputs = self.outputs(&body.nodes[i], &pattern)?;
                if any(&outputs) && body.frozen.get(&body.nodes[i].name) != Some(&outputs) {
                    body.frozen.insert(body.nodes[i].name.clone(), outputs);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut nodes = Vec::with_capacity(body.nodes.len());
        for node in std::mem::take(&mut body.nodes) {
            let pattern = body.pattern(&node);
            if any(&pattern) {
                self.rewrite(node, &pattern, body, &mut nodes)?;
            } else {
                nodes.push(node);
            }
        }
        if body.in_function {
            for node in &mut nodes {
                node.inputs.iter_mut().for_each(|input| rename(input, &body.renamed));
            }
        }
        body.nodes = nodes;
        Ok(())
    }

    /// Which outputs of a node were handles of frozen variables.
    fn outputs(&mut self, node: &NodeDef, pattern: &[Option<DType>]) -> Result<Pattern> {
        Ok(match node.op.as_str() {
            "Switch" => vec![pattern[0]; 2],
            "Merge" => vec![pattern.iter().copied().flatten().next()],
            op if passes(op) => pattern.to_vec(),
            "While" | "_While" | "StatelessWhile" => pattern.to_vec(),
            "PartitionedCall" | "StatefulPartitionedCall" => self.function(&func(node, "f")?, pattern)?.1,
            "If" | "_If" | "StatelessIf" => self.function(&func(node, "then_branch")?, &pattern[1..])?.1,
            "Case" | "StatelessCase" => match node.attrs.get("branches") {
                Some(AttrValue::List(AttrList::Func(branches))) if !branches.is_empty() => {
                    self.function(&branches[0], &pattern[1..])?.1
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        })
    }

    /// Rewrites a node that gets handles of frozen variables.
    fn rewrite(
        &mut self,
        mut node: NodeDef,
        pattern: &[Option<DType>],
        body: &mut Body,
        nodes: &mut Vec<NodeDef>,
    ) -> Result<()> {
        let dtype = pattern.iter().copied().flatten().next().unwrap_or(DType::F32);
        let ty = AttrValue::Type(dtype.value());
        let replace = |node: &mut NodeDef, op: &str, keep: &[(&str, &str)], own: &[(&'static str, AttrValue)]| {
            let mut attrs: Attrs =
                node.attrs.iter().filter(|(n, _)| n.starts_with('_')).map(|(n, v)| (n.clone(), v.clone())).collect();
            for (from, to) in keep {
                if let Some(value) = node.attrs.get(from) {
                    attrs.set(*to, value.clone());
                }
            }
            own.iter().for_each(|(name, value)| drop(attrs.set(*name, value.clone())));
            (node.op, node.attrs) = (op.to_owned(), attrs);
        };
        match node.op.as_str() {
            "ReadVariableOp" => {
                replace(&mut node, "Identity", &[], &[("T", ty)]);
                body.renamed.insert(node.name.clone(), "value");
            }
            "ResourceGather" => {
                let batch = match node.attrs.get("batch_dims") {
                    Some(AttrValue::I(n)) => *n,
                    _ => 0,
                };
                let axis = format!("{}/axis", node.name);
                let mut attrs = Attrs::new();
                attrs.set("dtype", AttrValue::Type(DType::I32.value()));
                attrs.set("value", AttrValue::Tensor(Tensor::scalar(i32::try_from(batch).unwrap_or(0))));
                nodes.push(NodeDef { name: axis.clone(), op: "Const".to_owned(), attrs, ..NodeDef::default() });
                let at = node.inputs.len().min(2);
                node.inputs.insert(at, if body.in_function { format!("{axis}:output:0") } else { axis });
                let keep = [("Tindices", "Tindices"), ("batch_dims", "batch_dims")];
                replace(
                    &mut node,
                    "GatherV2",
                    &keep,
                    &[("Tparams", ty), ("Taxis", AttrValue::Type(DType::I32.value()))],
                );
            }
            "ResourceGatherNd" => replace(&mut node, "GatherNd", &[("Tindices", "Tindices")], &[("Tparams", ty)]),
            "VariableShape" => replace(&mut node, "Shape", &[("out_type", "out_type")], &[("T", ty)]),
            "VarIsInitializedOp" => {
                node.inputs.retain(|input| input.starts_with('^'));
                let own = [
                    ("dtype", AttrValue::Type(DType::Bool.value())),
                    ("value", AttrValue::Tensor(Tensor::scalar(true))),
                ];
                replace(&mut node, "Const", &[], &own);
                body.renamed.insert(node.name.clone(), "is_initialized");
            }
            "AssignVariableOp" if body.written.contains(&node.name) => {
                for input in &mut node.inputs {
                    if !input.starts_with('^') {
                        *input = format!("^{}", split_endpoint(input).0);
                    }
                }
                replace(&mut node, "NoOp", &[], &[]);
            }
            "IdentityN" => set_types(&mut node, "T", pattern),
            op if passes(op) => drop(node.attrs.set("T", ty)),
            "PartitionedCall" | "StatefulPartitionedCall" => {
                let function = func(&node, "f")?;
                let (name, outputs) = self.function(&function, pattern)?;
                node.attrs.set("f", AttrValue::Func(Func { name, ..function }));
                set_types(&mut node, "Tin", pattern);
                set_types(&mut node, "Tout", &outputs);
            }
            "While" | "_While" | "StatelessWhile" => {
                for attr in ["cond", "body"] {
                    let function = func(&node, attr)?;
                    let (name, outputs) = self.function(&function, pattern)?;
                    if attr == "body" && outputs != pattern {
                        return Err(Error::unimplemented("a loop that switches between variables cannot be frozen")
                            .at_node(&node.name, &node.op));
                    }
                    node.attrs.set(attr, AttrValue::Func(Func { name, ..function }));
                }
                set_types(&mut node, "T", pattern);
            }
            "If" | "_If" | "StatelessIf" | "Case" | "StatelessCase" => {
                let one = |freezer: &mut Self, function: Func| -> Result<(Func, Pattern)> {
                    let (name, outputs) = freezer.function(&function, &pattern[1..])?;
                    Ok((Func { name, ..function }, outputs))
                };
                let mut results: Vec<Pattern> = Vec::new();
                for attr in ["then_branch", "else_branch"] {
                    if let Some(AttrValue::Func(function)) = node.attrs.get(attr).cloned() {
                        let (function, outputs) = one(self, function)?;
                        node.attrs.set(attr, AttrValue::Func(function));
                        results.push(outputs);
                    }
                }
                if let Some(AttrValue::List(AttrList::Func(branches))) = node.attrs.get("branches").cloned() {
                    let made = branches.into_iter().map(|f| one(self, f)).collect::<Result<Vec<_>>>()?;
                    let (branches, outputs): (Vec<Func>, Vec<Pattern>) = made.into_iter().unzip();
                    node.attrs.set("branches", AttrValue::List(AttrList::Func(branches)));
                    results.extend(outputs);
                }
                if results.windows(2).any(|pair| pair[0] != pair[1]) {
                    return Err(Error::unimplemented("branches only some of which return a variable cannot be frozen")
                        .at_node(&node.name, &node.op));
                }
                set_types(&mut node, "Tin", &pattern[1..]);
                set_types(&mut node, "Tout", results.first().map_or(&[][..], Vec::as_slice));
            }
            op => return Err(changes(&node.name, op)),
        }
        nodes.push(node);
        Ok(())
    }

    /// The function with values in place of some arguments: its name, and which of its results were handles.
    fn function(&mut self, function: &Func, pattern: &[Option<DType>]) -> Result<(String, Pattern)> {
        if !any(pattern) {
            return Ok((function.name.clone(), Vec::new()));
        }
        let key = (function.name.clone(), pattern.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let def = self
            .library
            .function(&function.name)
            .ok_or_else(|| Error::not_found(format!("the function {} is not in the library", function.name)))?;
        if self.depth >= MAX_DEPTH {
            return Err(Error::resource_exhausted(format!("functions call each other more than {MAX_DEPTH} deep"))
                .found(&function.name));
        }
        let mut def = def.clone();
        let free = |name: &String| {
            self.library.function(name).is_none() && self.made.iter().all(|f| f.signature.name != *name)
        };
        let mut names = (0u64..).map(|i| format!("{}_frozen_{i}", function.name));
        def.signature.name = names.find(free).unwrap_or_default();
        // A recursive function finds itself; its results are then assumed not to be handles.
        self.known.insert(key.clone(), (def.signature.name.clone(), Vec::new()));
        let mut frozen = HashMap::new();
        for (i, (arg, dtype)) in def.signature.inputs.iter_mut().zip(pattern).enumerate() {
            if let Some(dtype) = dtype {
                arg.ty = Some(dtype.value());
                frozen.insert(arg.name.clone(), vec![Some(*dtype)]);
                if let Ok(i) = u32::try_from(i) {
                    def.arg_attrs.remove(&i);
                    def.resource_arg_unique_ids.remove(&i);
                }
            }
        }
        let nodes = std::mem::take(&mut def.nodes);
        let mut body = Body { nodes, frozen, in_function: true, written: HashSet::new(), renamed: HashMap::new() };
        self.depth += 1;
        let done = self.body(&mut body);
        self.depth -= 1;
        done.map_err(|e| e.in_file(&format!("function {}", function.name)))?;
        let mut outputs = Vec::new();
        for arg in &mut def.signature.outputs {
            let dtype = def.ret.get(&arg.name).and_then(|source| body.of(source));
            arg.ty = dtype.map_or(arg.ty, |dtype| Some(dtype.value()));
            outputs.push(dtype);
        }
        def.ret.values_mut().for_each(|source| rename(source, &body.renamed));
        def.nodes = body.nodes;
        let done = (def.signature.name.clone(), outputs);
        self.made.push(def);
        self.known.insert(key, done.clone());
        Ok(done)
    }
}

/// Outputs of rewritten ops may have other names.
fn rename(input: &mut String, renamed: &HashMap<String, &'static str>) {
    let mut parts = input.split(':');
    if let (Some(node), Some(argument), Some(index)) = (parts.next(), parts.next(), parts.next())
        && renamed.get(node).is_some_and(|old| *old == argument)
    {
        *input = format!("{node}:output:{index}");
    }
}

/// The library functions that these nodes need, and the new functions.
fn needed(nodes: &[NodeDef], library: &Library, made: Vec<FunctionDef>) -> Result<Library> {
    let all: HashMap<&str, &FunctionDef> =
        library.functions.iter().chain(&made).map(|f| (f.signature.name.as_str(), f)).collect();
    let mut kept: HashSet<&str> = HashSet::new();
    let mut open: Vec<&NodeDef> = nodes.iter().collect();
    while let Some(node) = open.pop() {
        let mut names: Vec<&str> = vec![&node.op];
        for (_, value) in node.attrs.iter() {
            match value {
                AttrValue::Func(func) => names.push(&func.name),
                AttrValue::List(AttrList::Func(list)) => names.extend(list.iter().map(|f| f.name.as_str())),
                _ => {}
            }
        }
        for name in names {
            let gradient = library.gradients.iter().find(|(of, _)| of == name).map(|(_, gradient)| gradient.as_str());
            for name in [Some(name), gradient].into_iter().flatten() {
                if let Some(function) = all.get(name)
                    && kept.insert(&function.signature.name)
                {
                    if let Some(variable) = function.nodes.iter().find(|n| is_variable(&n.op)) {
                        return Err(Error::unimplemented("a variable that a function creates cannot be frozen")
                            .at_node(&variable.name, &variable.op)
                            .in_file(&format!("function {name}")));
                    }
                    open.extend(&function.nodes);
                }
            }
        }
    }
    let functions: Vec<FunctionDef> = {
        let known = library.functions.iter().chain(&made);
        known.filter(|f| kept.contains(f.signature.name.as_str())).cloned().collect()
    };
    let gradients = library.gradients.iter().filter(|(of, _)| kept.contains(of.as_str())).cloned().collect();
    Ok(Library { functions, gradients, registered_gradients: Vec::new() })
}
