//! Independent calls of the same functions, such as those for the children of a node of a tree: one call for the
//! examples of all of them.

use super::calls::{self, Inputs};
use super::one_by_one::refused;
use super::walk::{Stop, Walk};
use levada_graph::batch::Lanes;
use levada_graph::grad::{V, attr};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{DType, Endpoint, Graph, NodeId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The nodes of a walk in topological order; calls that may be merged are grouped.
pub(super) fn units(graph: &Graph, order: &[NodeId]) -> Vec<Vec<NodeId>> {
    let singles = || order.iter().map(|&id| vec![id]).collect();
    if order.iter().any(|&id| matches!(graph.node(id).spec().role, Role::Merge | Role::NextIteration | Role::Enter)) {
        return singles();
    }
    // The length of the longest chain of calls before a node: two nodes at the same depth do not depend on each other.
    let mut depths: HashMap<NodeId, usize> = HashMap::new();
    let mut alike: HashMap<(String, usize), Vec<NodeId>> = HashMap::new();
    for &id in order {
        let depth = before(graph, id).map(|id| depths.get(&id).copied().unwrap_or(0)).max().unwrap_or(0);
        let functions = functions(graph.node(id));
        depths.insert(id, depth + usize::from(functions.is_some()));
        if let Some(functions) = functions {
            alike.entry((functions, depth)).or_default().push(id);
        }
    }
    let groups: Vec<Vec<NodeId>> = alike.into_values().filter(|group| group.len() > 1).collect();
    if groups.is_empty() {
        return singles();
    }
    let group_of: HashMap<NodeId, usize> =
        groups.iter().enumerate().flat_map(|(i, group)| group.iter().map(move |&id| (id, i))).collect();
    let mut units: Vec<Vec<NodeId>> = groups;
    let mut unit_of = group_of;
    for &id in order {
        unit_of.entry(id).or_insert_with(|| {
            units.push(vec![id]);
            units.len() - 1
        });
    }
    sorted(graph, order, units, &unit_of)
}

fn before(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let node = graph.node(id);
    node.inputs.iter().map(|at| at.node).chain(node.control_inputs.iter().copied())
}

/// The units in topological order, otherwise in the order of the nodes.
fn sorted(
    graph: &Graph,
    order: &[NodeId],
    units: Vec<Vec<NodeId>>,
    unit_of: &HashMap<NodeId, usize>,
) -> Vec<Vec<NodeId>> {
    let mut waits = vec![0usize; units.len()];
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    let mut place = vec![usize::MAX; units.len()];
    for (at, &id) in order.iter().enumerate() {
        let Some(&unit) = unit_of.get(&id) else { continue };
        place[unit] = place[unit].min(at);
        for first in before(graph, id).filter_map(|id| unit_of.get(&id).copied()) {
            waits[unit] += 1;
            after[first].push(unit);
        }
    }
    let mut ready: BinaryHeap<Reverse<(usize, usize)>> =
        (0..units.len()).filter(|&unit| waits[unit] == 0).map(|unit| Reverse((place[unit], unit))).collect();
    let mut units: Vec<Option<Vec<NodeId>>> = units.into_iter().map(Some).collect();
    let mut out = Vec::new();
    while let Some(Reverse((_, unit))) = ready.pop() {
        out.extend(units[unit].take());
        for &next in &after[unit] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(Reverse((place[next], next)));
            }
        }
    }
    out
}

/// The key that two calls must share to be merged; `None` for other nodes.
fn functions(node: &Node) -> Option<String> {
    let called = calls::functions(node)?;
    let types = |types: &[levada_graph::EdgeType]| types.iter().map(|ty| ty.dtype).collect::<Vec<DType>>();
    let op = node.op_name();
    Some(format!("{op} {called:?} {:?} {:?} {}", types(&node.input_types), types(&node.output_types), node.device))
}

/// Calls of the same functions; those that agree in the values shared by all examples are merged.
pub(super) fn visit(walk: &mut Walk<'_>, graph: &Graph, ids: &[NodeId]) -> Result<(), Stop> {
    let mut alike: Vec<(Vec<Option<Endpoint>>, Vec<NodeId>)> = Vec::new();
    for &id in ids {
        if !walk.begin(graph, id) {
            continue;
        }
        if refused(walk, graph.node(id)).is_some() {
            // A node that draws a number for all examples draws another for each call.
            walk.advance(graph, id)?;
            continue;
        }
        let inputs = calls::inputs(walk, graph.node(id));
        let shared: Vec<Option<Endpoint>> =
            inputs.lanes.iter().map(|lanes| (!lanes.varies).then_some(lanes.at)).collect();
        match alike.iter_mut().find(|(other, first)| *other == shared && same_sizes(walk, graph, first[0], &inputs)) {
            Some((_, ids)) => ids.push(id),
            None => alike.push((shared, vec![id])),
        }
    }
    for (_, ids) in alike {
        if ids.len() < 2 || !together(walk, graph, &ids)? {
            for id in ids {
                walk.advance(graph, id)?;
            }
        }
    }
    Ok(())
}

/// True if all values that differ between examples have known sizes, equal to those of the inputs of `id`.
fn same_sizes(walk: &Walk<'_>, graph: &Graph, id: NodeId, inputs: &Inputs) -> bool {
    let others = calls::inputs(walk, graph.node(id)).shapes;
    let each = inputs.lanes.iter().zip(inputs.shapes.iter().zip(&others));
    each.filter(|(lanes, _)| lanes.varies).all(|(_, (a, b))| a.known().is_some() && a == b)
}

/// Merges all of these calls into one; false, with nothing changed, if that is impossible.
fn together(walk: &mut Walk<'_>, graph: &Graph, ids: &[NodeId]) -> Result<bool, Stop> {
    let (id, node) = (ids[0], graph.node(ids[0]));
    let all: Vec<Inputs> = ids.iter().map(|&id| calls::inputs(walk, graph.node(id))).collect();
    let first = walk.cx.look(Graph::len);
    let scope = format!("{}/batch", node.name);
    let count = ids.len() as i64;
    let lanes = walk.cx.visit(id, &scope, |g| {
        let joined = |i: usize| {
            let mut parts: Vec<V<'_>> = all.iter().map(|inputs| g.value(inputs.lanes[i].at)).collect();
            parts.push(g.scalar(DType::I32, 0.0));
            g.node("ConcatV2", &parts, &[attr("N", count)]).at
        };
        let one =
            |(i, lanes): (usize, &Lanes)| if lanes.varies { Lanes { at: joined(i), varies: true } } else { *lanes };
        all[0].lanes.iter().enumerate().map(one).collect::<Vec<Lanes>>()
    })?;
    let shape = |i: usize| all[1..].iter().fold(all[0].shapes[i].clone(), |shape, other| shape.relax(&other.shapes[i]));
    let inputs = Inputs { lanes, shapes: (0..node.inputs.len()).map(shape).collect() };
    let outputs = match calls::batched(walk, graph, id, &inputs) {
        Ok(Some(outputs)) => outputs,
        Ok(None) | Err(Stop::Refuse(_)) => {
            walk.cx.change(|graph| graph.truncate(first));
            return Ok(false);
        }
        Err(stop) => return Err(stop),
    };
    let parts = walk.cx.visit(id, &scope, |g| {
        let part = |lanes: &Lanes| match lanes.varies {
            true => g.node("Split", &[g.scalar(DType::I32, 0.0), g.value(lanes.at)], &[attr("num_split", count)]).at,
            false => lanes.at,
        };
        outputs.iter().map(part).collect::<Vec<Endpoint>>()
    })?;
    let shapes: Vec<_> = (0..outputs.len() as u32).map(|i| walk.shape(Endpoint::new(id, i))).collect();
    for (i, &id) in ids.iter().enumerate() {
        walk.attach(graph, id, first);
        for (output, shape) in shapes.iter().enumerate() {
            walk.know(Endpoint::new(id, output as u32), shape.clone());
        }
        let part = |(lanes, part): (&Lanes, &Endpoint)| match lanes.varies {
            true => Lanes { at: Endpoint::new(part.node, i as u32), varies: true },
            false => *lanes,
        };
        walk.replace(id, outputs.iter().zip(&parts).map(part).collect(), None);
    }
    Ok(true)
}
