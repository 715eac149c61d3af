//! Gradients of `While`, `StatelessWhile` and `For`.
//!
//! The loop is extended to count its iterations and to push the values of each that its body's gradient needs to lists.
//! A second loop runs the iterations in reverse: it pops from the lists and passes the variables' gradients from each
//! iteration to the one before. Loop invariants are not pushed.

use super::call_node::{Special, check_repeatable, special};
use super::parts::{Differentiated, Parts, Writer, add_function, all_attrs, function_name, types};
use levada_graph::attr::AttrValue;
use levada_graph::def::{ArgDef, FunctionDef, Library};
use levada_graph::function::{Instance, instantiate};
use levada_graph::grad::{Grad, GradCx, attr, is_differentiable};
use levada_graph::op::FromAttr;
use levada_graph::{DType, Endpoint, Error, Func, Graph, NodeDef, NodeId, PartialShape, Registry, Result, Tensor};
use std::collections::BTreeMap;
use std::sync::Arc;

/// True for the supported ops.
pub(super) fn is_while(op: &str) -> bool {
    matches!(op, "While" | "_While" | "StatelessWhile" | "For")
}

/// The gradients of a loop's inputs, from those of its outputs. `bring` makes a value from outside of all loops of
/// version 1 available at the node.
pub(super) fn gradient(
    cx: &GradCx,
    registry: &Arc<Registry>,
    id: NodeId,
    dys: &[Option<Endpoint>],
    scope: &str,
    bring: &dyn Fn(Endpoint) -> Endpoint,
) -> Result<Vec<Option<Grad>>> {
    let mut node = cx.look(|graph| Loop::of(graph, id))?;
    let library = cx.look(|graph| graph.library.clone());
    if let Some(special) = special(&library, &node.body) {
        if special == Special::Recursive {
            check_repeatable(&library, registry, &node.body)?;
        }
        let call = node.calling(&library)?;
        node.body = Func::from(cx.change(|graph| add_function(graph, call))?.as_str());
    }
    let library = cx.look(|graph| graph.library.clone());
    let mut body = instantiate(&library, &node.body, registry)?;
    let m = node.inputs.len();
    if body.args.len() != m + usize::from(node.counts()) || body.rets.len() != m {
        return Err(Error::invalid("the signature of the loop's body does not match the loop's variables"));
    }
    // The iteration number is not a variable.
    let number = node.counts().then(|| body.args.remove(0));
    // The variables that carry a gradient from iteration to iteration, and its type.
    let mut carried: BTreeMap<usize, DType> = BTreeMap::new();
    for (i, dy) in dys.iter().enumerate() {
        let dtype = node.types[i];
        match dy {
            Some(dy) => drop(carried.insert(i, cx.value(*dy).dtype())),
            // As in TensorFlow, a variable without a gradient at the end has zeros.
            None if is_differentiable(dtype) && !matches!(dtype, DType::Resource | DType::Variant) => {
                carried.insert(i, dtype);
            }
            None => {}
        }
    }
    let differentiated = loop {
        let differentiated = Differentiated::new(&body, registry, &carried)?;
        let before = carried.len();
        for i in 0..m {
            if let Some(dtype) = differentiated.grad_type(i) {
                carried.entry(i).or_insert(dtype);
            }
        }
        if carried.len() == before {
            break differentiated;
        }
    };
    let wanted: Vec<usize> = carried.keys().copied().collect();
    let typed: Vec<(usize, DType)> = carried.iter().map(|(&i, &dtype)| (i, dtype)).collect();
    let parts = differentiated.parts(&body, registry, &typed)?;
    cx.change(|graph| graph.library = parts.graph.library.clone());
    // Loop invariants need not be saved.
    let same: Vec<bool> = (0..m).map(|i| is_passed_on(&body, i)).collect();
    let fixed = |at: &Endpoint| body.args.iter().position(|arg| arg == at).filter(|&i| same[i]);
    let captured: Vec<usize> = parts.saved.iter().filter_map(fixed).collect();
    let kept: Vec<Endpoint> = parts.saved.iter().copied().filter(|at| fixed(at).is_none()).collect();
    let kept = SavedValues { body: &body, number, parts: &parts, values: &kept };
    node.keep(cx, registry, &kept, scope, bring)?;
    let kept = kept.values;

    let back = Backward { wanted: &wanted, carried: &carried, captured: &captured, kept, parts: &parts };
    let (cond, step) = back.functions(cx, &body, &node)?;
    let output = |i: usize| Endpoint::new(id, i as u32);
    let loop_ = cx.build(scope, |cx| {
        let mut inputs = vec![cx.constant(Tensor::scalar(0i32)), cx.value(output(m))];
        for &i in &wanted {
            let zeros = || match cx.value(output(i)).dtype() {
                DType::Resource => {
                    let read = [attr("dtype", carried[&i])];
                    cx.node("ReadVariableOp", &[cx.value(node.inputs[i])], &read).zeros_like()
                }
                _ => cx.value(output(i)).zeros_like(),
            };
            inputs.push(dys[i].map_or_else(zeros, |dy| cx.value(dy)));
        }
        inputs.extend((0..kept.len()).map(|j| cx.value(output(m + 1 + j))));
        inputs.extend(captured.iter().map(|&i| cx.value(node.inputs[i])));
        let attrs = [
            ("T", types(&inputs.iter().map(|v| v.dtype()).collect::<Vec<_>>())),
            attr("cond", Func { name: cond, attrs: Default::default() }),
            attr("body", Func { name: step, attrs: Default::default() }),
            attr("parallel_iterations", node.parallel_iterations),
        ];
        cx.node(if node.counts() { "While" } else { node.op }, &inputs, &attrs).at
    })?;
    let first = node.leading.len();
    let mut grads = vec![None; first + m];
    for (j, &i) in wanted.iter().enumerate() {
        grads[first + i] = Some(Grad::Dense(Endpoint::new(loop_.node, 2 + j as u32)));
    }
    Ok(grads)
}

/// True if the body returns a variable unchanged.
fn is_passed_on(body: &Instance, i: usize) -> bool {
    let mut at = body.rets[i];
    // At most as many steps as there are nodes.
    for _ in 0..body.graph.len() {
        if at == body.args[i] {
            return true;
        }
        let node = body.graph.node(at.node);
        match (node.op_name(), node.inputs.first()) {
            ("Identity", Some(&input)) => at = input,
            _ => return false,
        }
    }
    false
}

/// The values of each iteration that the forward loop saves.
struct SavedValues<'a> {
    body: &'a Instance,
    /// The iteration number, if the body takes it.
    number: Option<Endpoint>,
    parts: &'a Parts,
    values: &'a [Endpoint],
}

/// The node that is differentiated.
struct Loop {
    id: NodeId,
    op: &'static str,
    name: String,
    /// The condition; a `For` counts.
    cond: Option<Func>,
    body: Func,
    /// The inputs before the variables: for a `For`, its start, limit and step.
    leading: Vec<Endpoint>,
    inputs: Vec<Endpoint>,
    types: Vec<DType>,
    parallel_iterations: i64,
    device: String,
}

impl Loop {
    fn of(graph: &Graph, id: NodeId) -> Result<Loop> {
        let node = graph.node(id);
        let attrs = all_attrs(node);
        let function = |name: &str| {
            let found = attrs.get(name).and_then(Func::from_attr);
            found.ok_or_else(|| Error::internal(format!("a loop without the attr {name}")))
        };
        let counts = node.spec().name == "For";
        let (leading, inputs) = node.inputs.split_at(if counts { 3.min(node.inputs.len()) } else { 0 });
        Ok(Loop {
            id,
            op: node.spec().name,
            name: node.name.to_string(),
            cond: if counts { None } else { Some(function("cond")?) },
            body: function("body")?,
            leading: leading.to_vec(),
            inputs: inputs.to_vec(),
            types: node.output_types.iter().map(|ty| ty.dtype).collect(),
            parallel_iterations: attrs.get("parallel_iterations").and_then(i64::from_attr).unwrap_or(10),
            device: node.device.clone(),
        })
    }

    /// True for a loop whose body takes the iteration number.
    fn counts(&self) -> bool {
        self.cond.is_none()
    }

    /// A function that only calls the body.
    fn calling(&self, library: &Library) -> Result<FunctionDef> {
        let found = library.function(&self.body.name);
        let body = found.ok_or_else(|| Error::not_found(format!("no function {}", self.body.name)))?;
        let mut taken: Vec<DType> = if self.counts() { vec![DType::I32] } else { Vec::new() };
        taken.extend(&self.types);
        let mut graph = Graph::new();
        graph.library = Arc::new(library.clone());
        let mut to = Writer::new(&graph, function_name(&graph, &self.body.name, "called"));
        let args: Vec<String> = taken.iter().map(|&dtype| to.arg("argument", dtype)).collect();
        let f = AttrValue::Func(self.body.clone());
        let attrs = vec![("f", f), ("Tin", types(&taken)), ("Tout", types(&self.types))];
        let call = to.node("StatefulPartitionedCall", args, attrs);
        self.types.iter().enumerate().for_each(|(i, &dtype)| to.ret(format!("{call}:output:{i}"), dtype));
        to.def.signature.is_stateful = body.signature.is_stateful;
        Ok(to.def)
    }

    /// Makes the loop count its iterations, and save values of each.
    fn keep(
        &mut self,
        cx: &GradCx,
        registry: &Arc<Registry>,
        kept: &SavedValues<'_>,
        scope: &str,
        bring: &dyn Fn(Endpoint) -> Endpoint,
    ) -> Result<()> {
        let (m, n) = (self.inputs.len(), kept.values.len());
        let forward = cx.look(|graph| self.forward(graph, kept));
        let forward = cx.change(|graph| add_function(graph, forward))?;
        let added = cx.build(scope, |cx| {
            let constant = |value: Tensor| cx.add("Const", &[], &[attr("dtype", DType::I32), attr("value", value)]);
            let any = constant(Tensor::scalar(-1i32));
            let mut added = vec![constant(Tensor::scalar(0i32))];
            for &at in kept.values {
                added.push(cx.add("EmptyTensorList", &[any, any], &[attr("element_dtype", kept.parts.dtype(at))]));
            }
            added.into_iter().map(bring).collect::<Vec<_>>()
        })?;
        let mut all = self.types.clone();
        all.push(DType::I32);
        all.resize(m + 1 + n, DType::Variant);
        let mut attrs = cx.look(|graph| all_attrs(graph.node(self.id)));
        attrs.set("T", types(&all));
        attrs.set("body", AttrValue::Func(Func { name: forward, attrs: Default::default() }));
        if let Some(cond) = &self.cond {
            let longer = cx.look(|graph| longer_cond(graph, cond, n))?;
            let name = cx.change(|graph| add_function(graph, longer))?;
            attrs.set("cond", AttrValue::Func(Func { name, attrs: cond.attrs.clone() }));
        }
        let shapes = attrs.get("output_shapes").and_then(Vec::<PartialShape>::from_attr).unwrap_or_default();
        if shapes.len() == m && m > 0 {
            let scalars = (m..all.len()).map(|_| PartialShape::scalar());
            attrs.set("output_shapes", shapes.into_iter().chain(scalars).collect::<Vec<_>>().to_attr());
        }
        let def = NodeDef {
            name: self.name.clone(),
            op: self.op.to_owned(),
            inputs: Vec::new(),
            device: self.device.clone(),
            attrs,
        };
        let inputs = self.leading.iter().chain(&self.inputs).copied().chain(added).collect();
        cx.change(|graph| graph.replace(registry, self.id, &def, inputs))
    }

    /// The body that also counts and saves.
    fn forward(&self, graph: &Graph, kept: &SavedValues<'_>) -> FunctionDef {
        let SavedValues { body, number, parts, values } = kept;
        let mut to = Writer::new(&parts.graph, function_name(graph, &self.body.name, "keeping"));
        if let Some(number) = number {
            let name = to.arg("number", DType::I32);
            to.give(*number, name);
        }
        for (&arg, &dtype) in body.args.iter().zip(&self.types) {
            let name = to.arg("variable", dtype);
            to.give(arg, name);
        }
        let count = to.arg("count", DType::I32);
        let lists: Vec<String> = values.iter().map(|_| to.arg("list", DType::Variant)).collect();
        parts.forward(&mut to);
        for (&ret, &dtype) in body.rets.iter().zip(&self.types) {
            let reference = to.reference(ret);
            to.ret(reference, dtype);
        }
        let next = to.successor(&count);
        to.ret(next, DType::I32);
        for (&at, list) in values.iter().zip(lists) {
            let value = to.reference(at);
            let push = to.node("TensorListPushBack", vec![list, value], vec![attr("element_dtype", parts.dtype(at))]);
            to.ret(format!("{push}:output_handle:0"), DType::Variant);
        }
        to.keep_side_effects(graph, &self.body.name);
        to.def
    }
}

/// A loop's condition, with additional arguments for the count and the saved values.
fn longer_cond(graph: &Graph, cond: &Func, kept: usize) -> Result<FunctionDef> {
    let found = graph.library.function(&cond.name);
    let mut longer = found.cloned().ok_or_else(|| Error::not_found(format!("no function {}", cond.name)))?;
    longer.signature.name = function_name(graph, &cond.name, "counted");
    for i in 0..=kept {
        let mut name = format!("kept_{i}");
        while longer.nodes.iter().any(|n| n.name == name) || longer.signature.inputs.iter().any(|a| a.name == name) {
            name.push('_');
        }
        let dtype = if i == 0 { DType::I32 } else { DType::Variant };
        longer.signature.inputs.push(ArgDef { name, ty: Some(dtype.value()), ..ArgDef::default() });
    }
    Ok(longer)
}

/// The backward loop.
struct Backward<'a> {
    /// The variables whose gradients it computes.
    wanted: &'a [usize],
    carried: &'a BTreeMap<usize, DType>,
    /// The loop's variables that it needs and no iteration changes.
    captured: &'a [usize],
    /// The values that it pops for each iteration.
    kept: &'a [Endpoint],
    parts: &'a Parts,
}

impl Backward<'_> {
    /// Adds its condition and its body, and returns their names.
    fn functions(&self, cx: &GradCx, body: &Instance, node: &Loop) -> Result<(String, String)> {
        let step = cx.look(|graph| self.step(graph, body, node));
        let step = cx.change(|graph| add_function(graph, step))?;
        let cond = cx.look(|graph| {
            let mut to = Writer::new(&self.parts.graph, function_name(graph, &node.body.name, "gradient_cond"));
            let (at, end) = self.args(&mut to, node);
            let less = to.node("Less", vec![at, end], vec![attr("T", DType::I32)]);
            to.ret(format!("{less}:z:0"), DType::Bool);
            to.def
        });
        Ok((cx.change(|graph| add_function(graph, cond))?, step))
    }

    /// Adds the arguments, and returns those for the iteration number and the number of iterations.
    fn args(&self, to: &mut Writer<'_>, node: &Loop) -> (String, String) {
        let (at, end) = (to.arg("iteration", DType::I32), to.arg("iterations", DType::I32));
        for i in self.wanted {
            let name = to.arg("gradient", self.carried[i]);
            to.give(self.parts.dys[i], name);
        }
        self.kept.iter().for_each(|_| drop(to.arg("list", DType::Variant)));
        self.captured.iter().for_each(|&i| drop(to.arg("captured", node.types[i])));
        (at, end)
    }

    fn step(&self, graph: &Graph, body: &Instance, node: &Loop) -> FunctionDef {
        let mut to = Writer::new(&self.parts.graph, function_name(graph, &node.body.name, "gradient"));
        let (at, end) = self.args(&mut to, node);
        let names: Vec<String> = to.def.signature.inputs.iter().map(|arg| arg.name.clone()).collect();
        let (lists, captured) = names[2 + self.wanted.len()..].split_at(self.kept.len());
        for (&i, name) in self.captured.iter().zip(captured) {
            to.give(body.args[i], name.clone());
        }
        let any = to.int(-1);
        let mut rest = Vec::new();
        for (&value, list) in self.kept.iter().zip(lists) {
            let dtype = attr("element_dtype", self.parts.dtype(value));
            let pop = to.node("TensorListPopBack", vec![list.clone(), any.clone()], vec![dtype]);
            to.give(value, format!("{pop}:tensor:0"));
            rest.push(format!("{pop}:output_handle:0"));
        }
        self.parts.backward(&mut to);
        let next = to.successor(&at);
        to.ret(next, DType::I32);
        to.ret(end, DType::I32);
        for (i, &result) in self.wanted.iter().zip(&self.parts.results) {
            let reference = to.reference(result);
            to.ret(reference, self.carried[i]);
        }
        rest.into_iter().for_each(|list| to.ret(list, DType::Variant));
        for (&i, name) in self.captured.iter().zip(captured) {
            to.ret(name.clone(), node.types[i]);
        }
        to.def
    }
}
