//! Nodes that call functions: calls, conditionals and loops.

use super::functions::{Call, Made, batched as function};
use super::walk::{Stop, Walk};
use levada_graph::attr::AttrList;
use levada_graph::batch::Lanes;
use levada_graph::grad::V;
use levada_graph::graph::Node;
use levada_graph::op::FromAttr;
use levada_graph::{AttrValue, Endpoint, Func, Graph, NodeId, PartialShape};

/// What stands for the outputs of a node that calls functions; `None` where it must be run example by example.
pub(super) fn batched(walk: &mut Walk<'_>, graph: &Graph, id: NodeId) -> Result<Option<Vec<Lanes>>, Stop> {
    match graph.node(id).op_name() {
        "PartitionedCall" | "StatefulPartitionedCall" => branches(walk, graph, id, &["f"], 0),
        "If" | "StatelessIf" => branches(walk, graph, id, &["then_branch", "else_branch"], 1),
        "Case" | "StatelessCase" => branches(walk, graph, id, &["branches"], 1),
        "While" | "StatelessWhile" => repeat(walk, graph, id, &["cond", "body"], 0),
        "For" => repeat(walk, graph, id, &["body"], 3),
        _ => Ok(None),
    }
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
fn arguments(walk: &Walk<'_>, node: &Node, first: usize) -> (Vec<bool>, Vec<PartialShape>) {
    node.inputs[first..].iter().map(|&at| (walk.lanes(at).varies, walk.shape(at))).unzip()
}

/// Adds a node like this one, with these inputs and attrs; its outputs vary as `varies` says.
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

/// One of several functions, by the first input where there is more than one.
fn branches(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    names: &'static [&'static str],
    first: usize,
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    if first == 1 && walk.lanes(node.inputs[0]).varies {
        return Ok(None);
    }
    let functions: Vec<Func> = names.iter().flat_map(|name| named(node, name)).collect();
    let (varies, shapes) = arguments(walk, node, first);
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
        let shape = made.iter().skip(1).fold(one.shapes[i].clone(), |all, other| all.relax(&other.shapes[i]));
        walk.know(Endpoint::new(id, i as u32), shape);
    }
    let functions = made.into_iter().map(|one| one.function);
    let mut attrs: Vec<(&'static str, AttrValue)> = match names {
        ["branches"] => vec![("branches", AttrValue::List(AttrList::Func(functions.collect())))],
        _ => names.iter().copied().zip(functions.map(AttrValue::Func)).collect(),
    };
    if first == 1 {
        attrs.push(("output_shapes", AttrValue::List(AttrList::Empty)));
    }
    let inputs: Vec<Endpoint> = node.inputs.iter().map(|&at| walk.lanes(at).at).collect();
    again(walk, (id, node), &inputs, &attrs, &varies).map(Some)
}

/// A loop: its variables vary from the start where they do after any iteration.
fn repeat(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    names: &'static [&'static str],
    first: usize,
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    let functions: Option<Vec<Func>> = names.iter().map(|name| named(node, name).pop()).collect();
    let Some(functions) = functions else { return Ok(None) };
    let Some(step) = functions.last() else { return Ok(None) };
    if node.inputs[..first].iter().any(|&at| walk.lanes(at).varies) {
        return Ok(None);
    }
    // The body of `For` has the number of the iteration as its first argument.
    let counts = usize::from(first > 0);
    let (mut varies, mut shapes) = arguments(walk, node, first);
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
            return Err(Stop::Refuse(format!("{} gives other results than the loop has variables", step.name)));
        }
        let relaxed: Vec<PartialShape> = shapes.iter().zip(&made.shapes).map(|(all, next)| all.relax(next)).collect();
        if made.varies == varies && relaxed == shapes {
            break made;
        }
        (varies, shapes) = (made.varies, relaxed);
    };
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
    for (i, &at) in node.inputs.iter().enumerate() {
        let lanes = walk.lanes(at);
        let repeated = i >= first && varies[i - first] && !lanes.varies;
        inputs.push(if repeated { walk.repeated(id, lanes.at, &node.name)? } else { lanes.at });
    }
    for (i, shape) in shapes.into_iter().enumerate() {
        walk.know(Endpoint::new(id, i as u32), shape);
    }
    again(walk, (id, node), &inputs, &attrs, &varies).map(Some)
}
