//! Gradients of nodes that call a function once: `PartitionedCall`, `If`, `Case` and their siblings.
//!
//! The function also returns the values that its gradient needs, so that nothing is computed, drawn or read twice. If a
//! node has several functions, only one runs: each returns its own values as optional values, and none for the others.

use super::parts::{Differentiated, Parts, Writer, add_function, all_attrs, function_name, types};
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::def::{FunctionDef, Library};
use levada_graph::function::{Instance, instantiate};
use levada_graph::grad::{GRADIENT, Grad, GradCx, attr};
use levada_graph::op::FromAttr;
use levada_graph::spec::{Effect, Role, Ty};
use levada_graph::{DType, Endpoint, Error, Func, Graph, NodeDef, NodeId, PartialShape, Registry, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The attrs that name the functions of a supported op, and the number of inputs before the arguments.
fn functions_of(op: &str) -> Option<(&'static [&'static str], usize)> {
    Some(match op {
        "PartitionedCall" | "StatefulPartitionedCall" => (&["f"], 0),
        "If" | "_If" | "StatelessIf" => (&["then_branch", "else_branch"], 1),
        "Case" | "StatelessCase" => (&["branches"], 1),
        _ => return None,
    })
}

/// The functions that an attr names.
fn named(value: &AttrValue) -> Vec<&Func> {
    match value {
        AttrValue::Func(function) => vec![function],
        AttrValue::List(AttrList::Func(all)) => all.iter().collect(),
        _ => Vec::new(),
    }
}

/// The reason why a function is not differentiated at the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// It is recursive: its gradient is made when it is called, and runs the function again.
    Recursive,
    /// The library defines its gradient.
    OwnGradient,
}

/// The special case of a function, if any.
pub(super) fn special(library: &Library, function: &Func) -> Option<Special> {
    if function.attrs.get(GRADIENT).is_some() || library.gradients.iter().any(|(of, _)| *of == function.name) {
        return Some(Special::OwnGradient);
    }
    called(library, function).contains(function.name.as_str()).then_some(Special::Recursive)
}

/// The names of all functions that a function calls.
fn called<'a>(library: &'a Library, function: &'a Func) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![function.name.as_str()];
    while let Some(name) = open.pop() {
        let nodes = library.function(name).map_or(&[][..], |f| &f.nodes);
        for node in nodes {
            let called = node.attrs.iter().flat_map(|(_, value)| named(value)).map(|f| f.name.as_str());
            for name in called.chain(library.function(&node.op).map(|f| f.signature.name.as_str())) {
                if seen.insert(name) {
                    open.push(name);
                }
            }
        }
    }
    seen
}

/// Checks that a function which the gradient runs again returns the same values: it may read variables, but not draw
/// random numbers or change state.
///
/// # Errors
/// `UNIMPLEMENTED`, with the op at fault.
pub(super) fn check_repeatable(library: &Library, registry: &Registry, function: &Func) -> Result<()> {
    for name in called(library, function).into_iter().chain([function.name.as_str()]) {
        let nodes = library.function(name).map_or(&[][..], |f| &f.nodes);
        for node in nodes {
            let Some(def) = registry.get(&node.op) else { continue };
            let spec = def.spec;
            let only_checks = spec.outputs.is_empty() && spec.act.is_none() && spec.effect.is_none();
            let gives_handles =
                !spec.outputs.is_empty() && spec.outputs.iter().all(|o| o.ty == Ty::Is(DType::Resource));
            let repeatable = !spec.stateful
                || spec.role == Role::Call
                || spec.effect == Some(Effect::Reads)
                || only_checks
                || gives_handles;
            if !repeatable {
                return Err(Error::unimplemented(
                    "the gradient of a function that calls itself would run it again, and the second run would not do the same",
                )
                .found(format!("the node {} ({}) in {name}", node.name, node.op))
                .help("give the function what it draws or changes as an argument, or register a gradient for it"));
            }
        }
    }
    Ok(())
}

struct Branch {
    function: Func,
    instance: Instance,
    parts: Parts,
    /// The values that it returns for the gradient.
    kept: Vec<Endpoint>,
}

/// The gradients of a node's inputs, from those of its outputs. `None` for other ops, or if a function's gradient must
/// be made when it is called.
pub(super) fn gradient(
    cx: &GradCx,
    registry: &Arc<Registry>,
    id: NodeId,
    dys: &[Option<Endpoint>],
    scope: &str,
) -> Result<Option<Vec<Option<Grad>>>> {
    let (op, name, device, attrs, inputs, outputs) = cx.look(|graph| {
        let node = graph.node(id);
        let outputs: Vec<DType> = node.output_types.iter().map(|ty| ty.dtype).collect();
        (node.spec().name, node.name.to_string(), node.device.clone(), all_attrs(node), node.inputs.clone(), outputs)
    });
    let Some((names, first)) = functions_of(op) else { return Ok(None) };
    let functions: Vec<Func> = names.iter().filter_map(|name| attrs.get(name)).flat_map(named).cloned().collect();
    let library = cx.look(|graph| graph.library.clone());
    let special: Vec<Special> = functions.iter().filter_map(|f| special(&library, f)).collect();
    if functions.is_empty() || !special.is_empty() {
        if special.contains(&Special::Recursive) {
            functions.iter().try_for_each(|f| check_repeatable(&library, registry, f))?;
        }
        return Ok(None);
    }
    let mut given = BTreeMap::new();
    for (i, dy) in dys.iter().enumerate() {
        if let Some(dy) = dy {
            given.insert(i, cx.value(*dy).dtype());
        }
    }
    let mut differentiated = Vec::new();
    for function in functions {
        let library = cx.look(|graph| graph.library.clone());
        let instance = instantiate(&library, &function, registry)?;
        if instance.args.len() + first != inputs.len() || instance.rets.len() != outputs.len() {
            return Err(Error::invalid(format!("the signature of {} does not match the node", function.name)));
        }
        let found = Differentiated::new(&instance, registry, &given)?;
        cx.change(|graph| graph.library = found.graph.library.clone());
        differentiated.push((function, instance, found));
    }
    let wanted: Vec<(usize, DType)> = (0..inputs.len() - first)
        .filter_map(|i| Some((i, differentiated.iter().find_map(|(_, _, found)| found.grad_type(i))?)))
        .collect();
    let mut grads = vec![None; inputs.len()];
    if wanted.is_empty() {
        return Ok(Some(grads));
    }
    let mut branches = Vec::new();
    let mut captured = BTreeSet::new();
    for (function, instance, found) in differentiated {
        let parts = found.parts(&instance, registry, &wanted)?;
        let argument = |at: &Endpoint| instance.args.iter().position(|arg| arg == at);
        captured.extend(parts.saved.iter().filter_map(argument));
        let kept = parts.saved.iter().copied().filter(|at| argument(at).is_none()).collect();
        branches.push(Branch { function, instance, parts, kept });
    }
    let call = Call { first, captured: captured.into_iter().collect(), wanted, branches };

    // The forward part.
    let mut forward = Vec::new();
    for i in 0..call.branches.len() {
        let def = cx.look(|graph| call.forward(graph, i, &outputs));
        forward.push(cx.change(|graph| add_function(graph, def))?);
    }
    let extra = call.extra();
    let mut longer = attrs.clone();
    set_functions(&mut longer, names, forward);
    longer.set("Tout", types(&outputs.iter().chain(&extra).copied().collect::<Vec<_>>()));
    let shapes = attrs.get("output_shapes").and_then(Vec::<PartialShape>::from_attr).unwrap_or_default();
    if shapes.len() == outputs.len() && !shapes.is_empty() {
        let more = extra.iter().map(|_| PartialShape::Unknown);
        longer.set("output_shapes", shapes.into_iter().chain(more).collect::<Vec<_>>().to_attr());
    }
    let def = NodeDef { name, op: op.to_owned(), inputs: Vec::new(), device, attrs: longer };
    cx.change(|graph| graph.replace(registry, id, &def, inputs.clone()))?;

    // The backward part.
    let mut backward = Vec::new();
    for i in 0..call.branches.len() {
        let def = cx.look(|graph| call.backward(graph, i));
        backward.push(cx.change(|graph| add_function(graph, def))?);
    }
    let called = cx.build(scope, |cx| {
        let leading = inputs[..first].iter().map(|&at| cx.value(at));
        let args = call.captured.iter().map(|&i| cx.value(inputs[first + i]));
        let kept = (0..extra.len()).map(|j| cx.value(Endpoint::new(id, (outputs.len() + j) as u32)));
        let dys = dys.iter().flatten().map(|&dy| cx.value(dy));
        let all: Vec<_> = leading.chain(args).chain(kept).chain(dys).collect();
        let found: Vec<DType> = all[first..].iter().map(|v| v.dtype()).collect();
        let results: Vec<DType> = call.wanted.iter().map(|(_, dtype)| *dtype).collect();
        let mut attrs: Vec<(&'static str, AttrValue)> = vec![("Tin", types(&found)), ("Tout", types(&results))];
        let mut functions = levada_graph::attr::Attrs::new();
        set_functions(&mut functions, names, backward);
        attrs.extend(names.iter().filter_map(|&name| Some((name, functions.get(name)?.clone()))));
        cx.node(op, &all, &attrs).at
    })?;
    for (j, (i, _)) in call.wanted.iter().enumerate() {
        grads[first + i] = Some(Grad::Dense(Endpoint::new(called.node, j as u32)));
    }
    Ok(Some(grads))
}

/// Sets the attrs that name a node's functions.
fn set_functions(attrs: &mut levada_graph::attr::Attrs, names: &[&'static str], functions: Vec<String>) {
    let mut all = functions.into_iter().map(|name| Func { name, attrs: Default::default() });
    if names == ["branches"] {
        attrs.set("branches", AttrValue::List(AttrList::Func(all.collect())));
        return;
    }
    for &name in names {
        if let Some(function) = all.next() {
            attrs.set(name, AttrValue::Func(function));
        }
    }
}

/// A node's functions and their common properties.
struct Call {
    first: usize,
    /// The arguments that the backward part needs.
    captured: Vec<usize>,
    /// The arguments whose gradients are computed.
    wanted: Vec<(usize, DType)>,
    branches: Vec<Branch>,
}

impl Call {
    /// True if there is only one function, which needs no optional values.
    fn is_single(&self) -> bool {
        self.first == 0
    }

    /// Types of the additional results.
    fn extra(&self) -> Vec<DType> {
        match self.is_single() {
            true => self.branches[0].kept.iter().map(|&at| self.branches[0].parts.dtype(at)).collect(),
            false => self.keeping().map(|_| DType::Variant).collect(),
        }
    }

    /// The functions that save values.
    fn keeping(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.branches.len()).filter(|&b| !self.branches[b].kept.is_empty())
    }

    /// Function `b` with its saved values as additional results.
    fn forward(&self, graph: &Graph, b: usize, outputs: &[DType]) -> FunctionDef {
        let Branch { function, instance, parts, kept } = &self.branches[b];
        let mut to = Writer::new(&parts.graph, function_name(graph, &function.name, "keeping"));
        for &arg in &instance.args {
            let name = to.arg("argument", parts.dtype(arg));
            to.give(arg, name);
        }
        parts.forward(&mut to);
        for (&ret, &dtype) in instance.rets.iter().zip(outputs) {
            let reference = to.reference(ret);
            to.ret(reference, dtype);
        }
        let values: Vec<String> = kept.iter().map(|&at| to.reference(at)).collect();
        let found: Vec<DType> = kept.iter().map(|&at| parts.dtype(at)).collect();
        if self.is_single() {
            values.into_iter().zip(found).for_each(|(value, dtype)| to.ret(value, dtype));
        } else {
            for slot in self.keeping() {
                let node = match slot == b {
                    true => to.node("OptionalFromValue", values.clone(), vec![("Toutput_types", types(&found))]),
                    false => to.node("OptionalNone", Vec::new(), Vec::new()),
                };
                to.ret(format!("{node}:optional:0"), DType::Variant);
            }
        }
        to.keep_side_effects(graph, &function.name);
        to.def
    }

    /// The function that computes the gradients of function `b`.
    fn backward(&self, graph: &Graph, b: usize) -> FunctionDef {
        let Branch { function, instance, parts, kept } = &self.branches[b];
        let mut to = Writer::new(&parts.graph, function_name(graph, &function.name, "gradient"));
        for &i in &self.captured {
            let name = to.arg("argument", parts.dtype(instance.args[i]));
            to.give(instance.args[i], name);
        }
        let found: Vec<DType> = kept.iter().map(|&at| parts.dtype(at)).collect();
        if self.is_single() {
            for (&at, &dtype) in kept.iter().zip(&found) {
                let name = to.arg("kept", dtype);
                to.give(at, name);
            }
        } else {
            for slot in self.keeping() {
                let name = to.arg("kept", DType::Variant);
                if slot == b {
                    let shapes = vec![PartialShape::Unknown; kept.len()];
                    let attrs = vec![("output_types", types(&found)), attr("output_shapes", shapes)];
                    let node = to.node("OptionalGetValue", vec![name], attrs);
                    kept.iter().enumerate().for_each(|(i, &at)| to.give(at, format!("{node}:components:{i}")));
                }
            }
        }
        for &dy in parts.dys.values() {
            let name = to.arg("gradient", parts.dtype(dy));
            to.give(dy, name);
        }
        parts.backward(&mut to);
        for (&result, (_, dtype)) in parts.results.iter().zip(&self.wanted) {
            let reference = to.reference(result);
            to.ret(reference, *dtype);
        }
        to.def
    }
}
