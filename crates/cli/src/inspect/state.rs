//! State that persists from run to run: variables, queues, tables. They are distinguished by their attrs, since any op
//! may create state.

use super::section::{Section, bytes};
use crate::show;
use levada::graph::collections::{self, VariableDef};
use levada::graph::graph::{Node, split_endpoint};
use levada::graph::{AttrList, EdgeType};
use levada::{AttrValue, Graph, PartialShape, QueueRunnerDef};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// Collections of variables.
const VARIABLES: [&str; 4] = ["variables", "local_variables", "metric_variables", "trainable_variables"];

/// The collections' descriptions of variables, by the name of the variable's node.
pub fn described(graph: &Graph) -> BTreeMap<String, VariableDef> {
    let defs = VARIABLES.iter().flat_map(|name| collections::variables(&graph.collections, name).unwrap_or_default());
    defs.map(|def| (split_endpoint(&def.variable).0.to_owned(), def)).collect()
}

/// Nodes that create state: they return a reference or a handle without taking one.
fn makers(graph: &Graph) -> impl Iterator<Item = &Node> {
    let makes = |node: &&Node| {
        let handle = |t: &EdgeType| t.is_ref || t.dtype == levada::DType::Resource;
        node.inputs.is_empty() && node.op.is_stateful() && node.output_types.first().is_some_and(handle)
    };
    graph.nodes().map(|(_, node)| node).filter(makes)
}

fn dtype(node: &Node, attr: &str) -> Option<EdgeType> {
    match node.attrs.get(attr) {
        Some(AttrValue::Type(ty)) => Some(*ty),
        _ => None,
    }
}

fn shape(node: &Node) -> Option<PartialShape> {
    match node.attrs.get("shape") {
        Some(AttrValue::Shape(shape)) => Some(shape.clone()),
        _ => None,
    }
}

fn int(node: &Node, attr: &str) -> Option<i64> {
    match node.attrs.get(attr) {
        Some(AttrValue::I(value)) => Some(*value),
        _ => None,
    }
}

fn text(node: &Node, attr: &str) -> String {
    match node.attrs.get(attr) {
        Some(AttrValue::S(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    }
}

/// A shape as JSON: a list in which null is an unknown size, or null for an unknown rank.
pub fn shape_json(shape: &PartialShape) -> Value {
    shape.dims().map_or(Value::Null, |dims| dims.iter().map(|dim| dim.map_or(Value::Null, Value::from)).collect())
}

/// Bytes of a tensor whose size is known before the run.
fn size(ty: EdgeType, shape: &PartialShape) -> Option<u64> {
    let elements = shape.num_elements().filter(|_| ty.dtype.is_plain())?;
    (elements as u64).checked_mul(ty.dtype.size() as u64)
}

/// Variables with their types and sizes, and everything else that creates state.
pub fn sections(graph: &Graph) -> Vec<Section> {
    let described = described(graph);
    let mut lists: [Vec<([String; 3], Value)>; 3] = Default::default();
    let mut queues = Vec::new();
    let mut total = 0u64;
    for node in makers(graph) {
        if node.attrs.get("component_types").is_some() {
            queues.push(node);
        } else if let (Some(ty), Some(shape)) = (dtype(node, "dtype"), shape(node)) {
            let size = size(ty, &shape);
            total = total.saturating_add(size.unwrap_or(0));
            lists[0].push(variable(node, ty, &shape, size, described.get(&*node.name)));
        } else if let (Some(key), Some(value)) = (dtype(node, "key_dtype"), dtype(node, "value_dtype")) {
            let row = [node.name.to_string(), format!("{key} -> {value}"), node.op_name().to_owned()];
            let json = json!({
                "name": &*node.name, "op": node.op_name(), "key_dtype": key.to_string(),
                "value_dtype": value.to_string(), "shared_name": text(node, "shared_name"),
            });
            lists[1].push((row, json));
        } else {
            let row = [node.name.to_string(), node.op_name().to_owned(), String::new()];
            lists[2].push((row, json!({"name": &*node.name, "op": node.op_name()})));
        }
    }
    let [variables, tables, others] = lists;
    let title = format!("variables: {}, {}", variables.len(), bytes(total));
    vec![
        Section::list("variables", title, variables),
        queue_section(graph, &queues),
        Section::list("tables", "tables", tables),
        Section::list("other_state", "other state", others),
    ]
}

fn variable(
    node: &Node,
    ty: EdgeType,
    shape: &PartialShape,
    size: Option<u64>,
    def: Option<&VariableDef>,
) -> ([String; 3], Value) {
    let mut about: Vec<String> = vec![size.map_or_else(|| "size unknown".to_owned(), bytes)];
    if let Some(def) = def {
        about.extend(def.trainable.then(|| "trainable".to_owned()));
        about.extend(Some(format!("set by {}", def.initializer)).filter(|_| !def.initializer.is_empty()));
    }
    let json = json!({
        "name": &*node.name,
        "op": node.op_name(),
        "dtype": ty.to_string(),
        "shape": shape_json(shape),
        "bytes": size,
        "resource": !node.output_types.iter().any(|t| t.is_ref),
        "trainable": def.map(|d| d.trainable),
        "initializer": def.map(|d| d.initializer.as_str()).filter(|name| !name.is_empty()),
        "shared_name": text(node, "shared_name"),
    });
    ([node.name.to_string(), format!("{ty}{shape}"), about.join(", ")], json)
}

/// Queues and the like, each followed by its runners.
fn queue_section(graph: &Graph, queues: &[&Node]) -> Section {
    let runners = collections::queue_runners(&graph.collections).unwrap_or_default();
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for node in queues {
        let own: Vec<&QueueRunnerDef> = runners.iter().filter(|r| split_endpoint(&r.queue).0 == &*node.name).collect();
        let components = components(node);
        let capacity = int(node, "capacity").filter(|&n| n >= 0);
        let mut about = vec![capacity.map_or_else(|| "any number".to_owned(), |n| format!("capacity {n}"))];
        about.extend(int(node, "min_after_dequeue").map(|n| format!("keeps {n}")));
        let types: Vec<String> = components.iter().map(|(ty, shape)| format!("{ty}{shape}")).collect();
        rows.push([node.name.to_string(), types.join(", "), format!("{}, {}", node.op_name(), about.join(", "))]);
        for runner in &own {
            let threads = show::count(runner.enqueue.len(), "thread");
            rows.push([format!("  filled by {}", counted(&runner.enqueue)), threads, closing(runner)]);
        }
        if own.is_empty() {
            rows.push(["  no runner fills it".to_owned(), String::new(), String::new()]);
        }
        json.push(json!({
            "name": &*node.name,
            "op": node.op_name(),
            "capacity": capacity,
            "min_after_dequeue": int(node, "min_after_dequeue"),
            "components": components.iter()
                .map(|(ty, shape)| json!({"dtype": ty.to_string(), "shape": shape_json(shape)}))
                .collect::<Vec<_>>(),
            "shared_name": text(node, "shared_name"),
            "runners": own.iter()
                .map(|r| json!({
                    "enqueue": r.enqueue, "close": r.close, "cancel": r.cancel,
                    "closed_by": r.closed_by.iter().map(|c| c.name()).collect::<Vec<_>>(),
                }))
                .collect::<Vec<_>>(),
        }));
    }
    Section { key: "queues", title: format!("queues: {}", queues.len()), rows, json: json.into() }
}

fn closing(runner: &QueueRunnerDef) -> String {
    if runner.close.is_empty() { String::new() } else { format!("then {}", runner.close) }
}

/// Types and shapes of a queue's components; shapes that the node does not specify are unknown.
fn components(node: &Node) -> Vec<(EdgeType, PartialShape)> {
    let types = match node.attrs.get("component_types") {
        Some(AttrValue::List(AttrList::Type(types))) => types.clone(),
        _ => Vec::new(),
    };
    let shapes = match node.attrs.get("shapes") {
        Some(AttrValue::List(AttrList::Shape(shapes))) => shapes.clone(),
        _ => Vec::new(),
    };
    types.into_iter().enumerate().map(|(i, ty)| (ty, shapes.get(i).cloned().unwrap_or_default())).collect()
}

/// `enqueue`, `enqueue (4 times)`, in the order of first appearance.
fn counted(names: &[String]) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    for name in names {
        let n = counts.entry(name).or_insert(0);
        if *n == 0 {
            order.push(name);
        }
        *n += 1;
    }
    let text = |name: &&str| match counts[*name] {
        1 => (*name).to_owned(),
        n => format!("{name} ({n} times)"),
    };
    order.iter().map(text).collect::<Vec<_>>().join(", ")
}
