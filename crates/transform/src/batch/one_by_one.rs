//! Nodes that run example by example, as the function of a `MapDefun`.

use super::walk::{Stop, Walk};
use levada_graph::attr::{AttrList, Attrs};
use levada_graph::batch::Lanes;
use levada_graph::def::Library;
use levada_graph::function::define;
use levada_graph::grad::{V, attr};
use levada_graph::graph::Node;
use levada_graph::spec::{Effect, Role, Ty};
use levada_graph::{AttrValue, DType, Endpoint, Func, Graph, GraphDef, NodeDef, NodeId, Registry, Result};
use std::collections::BTreeSet;

/// A list of types as an attr.
pub(super) fn types(all: impl IntoIterator<Item = DType>) -> AttrValue {
    let all: Vec<_> = all.into_iter().map(DType::value).collect();
    AttrValue::List(if all.is_empty() { AttrList::Empty } else { AttrList::Type(all) })
}

/// Runs a node example by example.
pub(super) fn run(walk: &mut Walk<'_>, graph: &Graph, id: NodeId) -> Result<Vec<Lanes>, Stop> {
    let node = graph.node(id);
    if let Some(reason) = refused(walk, node) {
        return Err(Stop::Refuse(reason));
    }
    let lanes: Vec<Lanes> = node.inputs.iter().map(|&at| walk.lanes(at)).collect();
    // The arguments come first, then the inputs that all calls share.
    let (rows, shared): (Vec<usize>, Vec<usize>) = (0..lanes.len()).partition(|&i| lanes[i].varies);
    let order: Vec<usize> = rows.iter().chain(&shared).copied().collect();
    let dtype = |i: &usize| node.input_types[*i].dtype;
    let function = function(walk, node, &order)?;
    let shapes: Vec<_> = (0..node.output_types.len() as u32).map(|i| walk.shape(Endpoint::new(id, i))).collect();
    let attrs = [
        ("Targuments", types(rows.iter().map(dtype))),
        ("Tcaptured", types(shared.iter().map(dtype))),
        ("output_types", types(node.output_types.iter().map(|ty| ty.dtype))),
        attr("output_shapes", shapes),
        ("f", AttrValue::Func(Func { name: function, ..Func::default() })),
    ];
    let made = walk.cx.visit(id, &format!("{}/batch", node.name), |g| {
        let inputs: Vec<V<'_>> = order.iter().map(|&i| g.value(lanes[i].at)).collect();
        g.node("MapDefun", &inputs, &attrs).at
    })?;
    walk.one_by_one.push((node.name.to_string(), node.op_name().to_owned()));
    let outputs = 0..node.output_types.len() as u32;
    Ok(outputs.map(|i| Lanes { at: Endpoint::new(made.node, i), varies: true }).collect())
}

/// The reason why a node cannot run example by example.
pub(super) fn refused(walk: &Walk<'_>, node: &Node) -> Option<String> {
    let refs = |types: &[levada_graph::EdgeType]| types.iter().any(|ty| ty.is_ref);
    if refs(&node.input_types) || refs(&node.output_types) {
        return Some("it changes or refers to a variable, with values that differ between examples".to_owned());
    }
    if node.output_types.is_empty() {
        return Some("it has side effects that differ between examples".to_owned());
    }
    if matches!(node.spec().role, Role::Send | Role::Recv | Role::Arg | Role::Retval | Role::Placeholder) {
        return Some("its op does not compute values".to_owned());
    }
    if !node.op.is_stateful() {
        return None;
    }
    let library = walk.scope.library();
    if node.spec().role == Role::Call {
        let found = changes(&library, &walk.scope.registry, &node.op.encode())?;
        return Some(format!("for each example its functions would change state: {found}"));
    }
    match node.spec().effect {
        Some(Effect::Reads) => None,
        _ => Some("it has state or side effects, with values that differ between examples".to_owned()),
    }
}

/// A node with side effects in the functions that attrs name.
fn changes(library: &Library, registry: &Registry, attrs: &Attrs) -> Option<String> {
    let mut open: Vec<String> = functions(attrs);
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        for node in library.function(&name).map_or(&[][..], |f| &f.nodes) {
            open.extend(functions(&node.attrs));
            if library.function(&node.op).is_some() {
                open.push(node.op.clone());
            }
            let Some(spec) = registry.get(&node.op).map(|def| def.spec) else { continue };
            let gives_handles =
                !spec.outputs.is_empty() && spec.outputs.iter().all(|o| o.ty == Ty::Is(DType::Resource));
            let only_checks = spec.outputs.is_empty() && spec.act.is_none() && spec.effect.is_none();
            let harmless =
                spec.role == Role::Call || spec.effect == Some(Effect::Reads) || gives_handles || only_checks;
            if spec.stateful && !harmless {
                return Some(format!("{} ({}) of {name}", node.name, node.op));
            }
        }
    }
    None
}

/// The functions that attrs name.
pub(super) fn functions(attrs: &Attrs) -> Vec<String> {
    let names = attrs.iter().flat_map(|(_, value)| match value {
        AttrValue::Func(function) => vec![function.name.clone()],
        AttrValue::List(AttrList::Func(all)) => all.iter().map(|f| f.name.clone()).collect(),
        _ => Vec::new(),
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// Adds the function that runs a node, with the node's inputs as arguments in this order; returns its name.
fn function(walk: &Walk<'_>, node: &Node, order: &[usize]) -> Result<String> {
    // The node keeps its name, which some ops write into their results.
    let name = |i: usize| format!("{}/input_{i}", node.name);
    let mut nodes: Vec<NodeDef> = Vec::new();
    for &i in order {
        let mut attrs = Attrs::new();
        attrs.set("dtype", AttrValue::Type(node.input_types[i].dtype.value()));
        nodes.push(NodeDef { name: name(i), op: "Placeholder".to_owned(), attrs, ..NodeDef::default() });
    }
    let mut attrs = node.attrs.clone();
    node.op.encode().iter().for_each(|(name, value)| drop(attrs.set(name.clone(), value.clone())));
    attrs.remove("_class");
    let inputs = (0..order.len()).map(name).collect();
    let (op, device) = (node.op_name().to_owned(), node.device.clone());
    nodes.push(NodeDef { name: node.name.to_string(), op, inputs, device, attrs });
    let def = GraphDef { nodes, library: (*walk.scope.library()).clone(), ..GraphDef::default() };
    let graph = Graph::from_def(def, &walk.scope.registry)?;
    let args = order.iter().map(|&i| graph.endpoint(&name(i))).collect::<Result<Vec<_>>>()?;
    let example = graph.endpoint(&node.name)?.node;
    let rets: Vec<Endpoint> = (0..node.output_types.len() as u32).map(|i| Endpoint::new(example, i)).collect();
    let base: String = node.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Ok(walk.scope.add(&format!("{base}_of_one_example"), |name| define(&graph, name, &args, &rets)))
}
