//! Which variables of a graph are saved, and under which names: as specified by the nodes of its own saver, otherwise
//! by the graph's collection of variables.

use super::variable::{GLOBAL_VARIABLES, LOCAL_VARIABLES, Variable};
use levada_checkpoint::{Partition, Slice};
use levada_graph::collections::variables;
use levada_graph::graph::{Node, split_endpoint};
use levada_graph::{AttrValue, Bytes, Collection, Graph, NodeId, Result, Shape, Tensor};
use std::collections::{HashMap, HashSet};

/// How a variable is saved.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SavedAs {
    /// Name of the node that makes the variable.
    pub variable: String,
    /// Name in the checkpoint.
    pub name: String,
    /// For a part of a variable, the shape of the whole and the part.
    pub part: Option<(Shape, Slice)>,
}

/// The variables to save, in the order of the graph.
pub(super) fn saved(graph: &Graph) -> Result<Vec<SavedAs>> {
    let by_saver = of_saver(graph)?;
    if !by_saver.is_empty() {
        return Ok(by_saver);
    }
    let local = variables(&graph.collections, LOCAL_VARIABLES)?;
    let local: HashSet<&str> = local.iter().map(|v| split_endpoint(&v.variable).0).collect();
    let mut partitions = HashMap::new();
    if let Some(Collection::Bytes(defs)) = graph.collections.get(GLOBAL_VARIABLES) {
        for def in defs {
            if let Some(partition) = Partition::decode(def)? {
                partitions.insert(split_endpoint(&partition.variable).0.to_owned(), partition);
            }
        }
    }
    let is_saved = |node: &Node| Variable::is_made_by(node.spec().name) && !local.contains(&*node.name);
    let as_saved = |node: &Node| match partitions.get(&*node.name) {
        Some(whole) => SavedAs {
            variable: node.name.to_string(),
            name: whole.name.clone(),
            part: Some((whole.shape.clone(), whole.slice.clone())),
        },
        None => SavedAs { variable: node.name.to_string(), name: node.name.to_string(), part: None },
    };
    Ok(graph.nodes().map(|(_, node)| node).filter(|node| is_saved(node)).map(as_saved).collect())
}

/// The variables that the graph's own saver restores, and the names they are restored from.
fn of_saver(graph: &Graph) -> Result<Vec<SavedAs>> {
    let restore = graph.meta.saver.as_ref().and_then(|saver| graph.find(split_endpoint(&saver.restore).0));
    let Some(restore) = restore else { return Ok(Vec::new()) };
    let (mut seen, mut found) = (HashSet::from([restore]), Vec::new());
    let mut open = vec![restore];
    while let Some(id) = open.pop() {
        let node = graph.node(id);
        match node.spec().name {
            "Assign" | "AssignVariableOp" => found.extend(assigned(graph, node)?),
            _ => open.extend(node.control_inputs.iter().filter(|before| seen.insert(**before))),
        }
    }
    found.sort_by_key(|saved| graph.find(&saved.variable));
    Ok(found)
}

/// The variable that a node sets to a restored value; `None` if it sets it to something else.
fn assigned(graph: &Graph, assign: &Node) -> Result<Option<SavedAs>> {
    let [variable, value] = assign.inputs[..] else { return Ok(None) };
    let variable = graph.node(variable.node);
    let mut from = value;
    let read = loop {
        let node = graph.node(from.node);
        match (node.spec().name, node.inputs.first()) {
            ("Identity", Some(before)) => from = *before,
            _ => break node,
        }
    };
    // The index of the output selects one of several names.
    let at = match read.spec().name {
        "RestoreV2" => from.output as usize,
        "Restore" | "RestoreSlice" => 0,
        _ => return Ok(None),
    };
    let text = |input: usize| read.inputs.get(input).and_then(|e| constant(graph, e.node)).and_then(|t| text_of(t, at));
    let Some(name) = text(1).filter(|_| Variable::is_made_by(variable.spec().name)) else { return Ok(None) };
    let part = match text(2).filter(|part| !part.is_empty()) {
        Some(part) => Some(Slice::parse_with_shape(&part)?),
        None => None,
    };
    Ok(Some(SavedAs { variable: variable.name.to_string(), name, part }))
}

fn constant(graph: &Graph, id: NodeId) -> Option<&Tensor> {
    let node = graph.node(id);
    match node.attrs.get("value") {
        Some(AttrValue::Tensor(tensor)) if node.spec().name == "Const" => Some(tensor),
        _ => None,
    }
}

fn text_of(tensor: &Tensor, at: usize) -> Option<String> {
    let text: &Bytes = tensor.slice::<Bytes>().ok()?.get(at)?;
    Some(String::from_utf8_lossy(text).into_owned())
}
