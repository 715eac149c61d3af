//! Nodes that call functions: calls, conditionals and loops.

use super::functions::{Call, Made, batched as function};
use super::partition;
use super::walk::{Stop, Walk};
use levada_graph::attr::AttrList;
use levada_graph::batch::Lanes;
use levada_graph::grad::V;
use levada_graph::graph::Node;
use levada_graph::op::FromAttr;
use levada_graph::{AttrValue, Endpoint, Func, Graph, NodeId, PartialShape};

/// The inputs of a node, as they are in the batched graph.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    pub(super) lanes: Vec<Lanes>,
    /// Their shapes for one example, as far as known.
    pub(super) shapes: Vec<PartialShape>,
}

pub(super) fn inputs(walk: &Walk<'_>, node: &Node) -> Inputs {
    let (lanes, shapes) = node.inputs.iter().map(|&at| (walk.lanes(at), walk.shape(at))).unzip();
    Inputs { lanes, shapes }
}

/// The batched outputs of a node that calls functions, with these inputs; `None` if it must run example by example.
pub(super) fn batched(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    inputs: &Inputs,
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    match (branches_of(node), node.op_name()) {
        (Some((names, first)), _) => branches(walk, graph, id, inputs, (names, first)),
        (None, "While" | "_While" | "StatelessWhile") => repeat(walk, graph, id, inputs, &["cond", "body"], 0),
        (None, "For") => repeat(walk, graph, id, inputs, &["body"], 3),
        _ => Ok(None),
    }
}

/// For a node that runs one of several functions once: the attrs that name them, and the index of its first argument
/// input.
fn branches_of(node: &Node) -> Option<(&'static [&'static str], usize)> {
    Some(match node.op_name() {
        "PartitionedCall" | "StatefulPartitionedCall" => (&["f"], 0),
        "If" | "_If" | "StatelessIf" => (&["then_branch", "else_branch"], 1),
        "Case" | "StatelessCase" => (&["branches"], 1),
        _ => return None,
    })
}

/// The functions of a node that runs one of them once.
pub(super) fn functions(node: &Node) -> Option<Vec<Func>> {
    let (names, _) = branches_of(node)?;
    Some(names.iter().flat_map(|name| named(node, name)).collect())
}

/// The functions that an attr names.
fn named(node: &Node, name: &str) -> Vec<Func> {
    let attrs = node.op.encode();
    match attrs.get(name).or_else(|| node.attrs.get(name)) {
        Some(AttrValue::Func(function)) => vec![function.clone()],
        Some(AttrValue::List(AttrList::Func(all))) => all.clone(),
        _ => Vec::new(),
    }
}

/// The arguments of a node's functions: which vary, and the shapes for one example.
fn arguments(inputs: &Inputs, first: usize) -> (Vec<bool>, Vec<PartialShape>) {
    (inputs.lanes[first..].iter().map(|lanes| lanes.varies).collect(), inputs.shapes[first..].to_vec())
}

/// Adds a node like this one, with these inputs and attrs; `varies` says which of its outputs vary.
fn again(
    walk: &Walk<'_>,
    (id, node): (NodeId, &Node),
    inputs: &[Endpoint],
    attrs: &[(&'static str, AttrValue)],
    varies: &[bool],
) -> Result<Vec<Lanes>, Stop> {
    let made = walk.cx.visit(id, &format!("{}/batch", node.name), |g| {
        let inputs: Vec<V<'_>> = inputs.iter().map(|&at| g.value(at)).collect();
        g.again(&inputs, attrs).at
    })?;
    let lanes = |(i, &varies): (usize, &bool)| Lanes { at: Endpoint::new(made.node, i as u32), varies };
    Ok(varies.iter().enumerate().map(lanes).collect())
}

/// One of several functions, selected by the first input if there is more than one.
fn branches(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    inputs: &Inputs,
    (names, first): (&'static [&'static str], usize),
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    let functions: Vec<Func> = names.iter().flat_map(|name| named(node, name)).collect();
    if first == 1 && inputs.lanes[0].varies {
        return partition::by_branches(walk, graph, id, inputs, &functions);
    }
    let (varies, shapes) = arguments(inputs, first);
    let mut call = Call { varies, shapes, forced: vec![false; node.output_types.len()] };
    let mut made: Vec<Made> = Vec::new();
    // A result varies if it does in any branch.
    for _ in 0..2 {
        made.clear();
        for one in &functions {
            match function(walk.scope, one, &call)? {
                Some(one) => made.push(one),
                None => return Ok(None),
            }
        }
        let any = |i: usize| made.iter().any(|one| one.varies.get(i) == Some(&true));
        let union: Vec<bool> = (0..call.forced.len()).map(any).collect();
        if made.iter().all(|one| one.varies == union) {
            break;
        }
        call.forced = union;
    }
    let Some(one) = made.first() else { return Ok(None) };
    let varies = one.varies.clone();
    for i in 0..varies.len() {
        let shape = walk.scope.in_all(made.iter().map(|one| &one.shapes[i]));
        walk.know(Endpoint::new(id, i as u32), shape);
    }
    walk.one_by_one.extend(made.iter().flat_map(|one| one.one_by_one.clone()));
    let functions = made.into_iter().map(|one| one.function);
    let mut attrs: Vec<(&'static str, AttrValue)> = match names {
        ["branches"] => vec![("branches", AttrValue::List(AttrList::Func(functions.collect())))],
        _ => names.iter().copied().zip(functions.map(AttrValue::Func)).collect(),
    };
    if first == 1 {
        attrs.push(("output_shapes", AttrValue::List(AttrList::Empty)));
    }
    let inputs: Vec<Endpoint> = inputs.lanes.iter().map(|lanes| lanes.at).collect();
    again(walk, (id, node), &inputs, &attrs, &varies).map(Some)
}

/// A loop: a variable varies from the start if it does after any iteration.
fn repeat(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    given: &Inputs,
    names: &'static [&'static str],
    first: usize,
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    let functions: Option<Vec<Func>> = names.iter().map(|name| named(node, name).pop()).collect();
    let Some(functions) = functions else { return Ok(None) };
    let Some(step) = functions.last() else { return Ok(None) };
    if given.lanes[..first].iter().any(|lanes| lanes.varies) {
        return Ok(None);
    }
    // The body of `For` has the iteration number as its first argument.
    let counts = usize::from(first > 0);
    let (mut varies, mut shapes) = arguments(given, first);
    let declared = node.attrs.get("output_shapes").and_then(Vec::<PartialShape>::from_attr).unwrap_or_default();
    for (shape, declared) in shapes.iter_mut().zip(&declared) {
        *shape = shape.relax(declared);
    }
    let with_count = |values: &[bool]| [&vec![false; counts][..], values].concat();
    let with_scalar = |values: &[PartialShape]| [&vec![PartialShape::scalar(); counts][..], values].concat();
    let body = loop {
        let call = Call { varies: with_count(&varies), shapes: with_scalar(&shapes), forced: varies.clone() };
        let Some(made) = function(walk.scope, step, &call)? else { return Ok(None) };
        if made.varies.len() != varies.len() {
            return Err(Stop::Refuse(format!("the results of {} do not match the loop's variables", step.name)));
        }
        let relaxed: Vec<PartialShape> = shapes.iter().zip(&made.shapes).map(|(all, next)| all.relax(next)).collect();
        if made.varies == varies && relaxed == shapes {
            break made;
        }
        (varies, shapes) = (made.varies, relaxed);
    };
    walk.one_by_one.extend(body.one_by_one);
    let mut attrs = vec![("body", AttrValue::Func(body.function))];
    if counts == 0 {
        let call = Call { varies: varies.clone(), shapes: shapes.clone(), forced: Vec::new() };
        let Some(cond) = function(walk.scope, &functions[0], &call)? else { return Ok(None) };
        if cond.varies.contains(&true) {
            return Ok(None);
        }
        attrs.push(("cond", AttrValue::Func(cond.function)));
        attrs.push(("output_shapes", AttrValue::List(AttrList::Empty)));
    }
    let mut inputs = Vec::new();
    for (i, &lanes) in given.lanes.iter().enumerate() {
        let repeated = i >= first && varies[i - first] && !lanes.varies;
        inputs.push(if repeated { walk.repeated(id, lanes.at, &node.name)? } else { lanes.at });
    }
    for (i, shape) in shapes.into_iter().enumerate() {
        walk.know(Endpoint::new(id, i as u32), shape);
    }
    again(walk, (id, node), &inputs, &attrs, &varies).map(Some)
}
