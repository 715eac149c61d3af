//! What a file holds beside its nodes: signatures, the saver, what to run first, collections, functions.

use super::section::Section;
use super::state::{described, shape_json};
use crate::runners::INIT;
use crate::show;
use levada::graph::collections::{self, Collection};
use levada::graph::def::{ArgDef, FunctionDef};
use levada::graph::graph::split_endpoint;
use levada::graph::meta::TensorDef;
use levada::{Graph, GraphDef};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Signatures: each with its inputs and outputs.
pub fn signatures(def: &GraphDef) -> Section {
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for (name, signature) in &def.meta.signatures {
        rows.push([name.clone(), signature.method.clone(), String::new()]);
        for (what, tensors) in [("feed", &signature.inputs), ("fetch", &signature.outputs)] {
            rows.extend(tensors.iter().map(|(name, t)| [format!("  {what} {name}"), tensor(t), t.endpoint.clone()]));
        }
        json.push(json!({
            "name": name, "method": signature.method,
            "inputs": tensors_json(&signature.inputs), "outputs": tensors_json(&signature.outputs),
        }));
    }
    Section { key: "signatures", title: "signatures".to_owned(), rows, json: json.into() }
}

pub fn tensor(def: &TensorDef) -> String {
    match def.dtype {
        Some(dtype) => format!("{dtype}{}", def.shape),
        None => def.shape.to_string(),
    }
}

fn tensors_json(tensors: &BTreeMap<String, TensorDef>) -> Vec<Value> {
    let one = |(name, t): (&String, &TensorDef)| {
        let dtype = t.dtype.map(|dtype| dtype.to_string());
        json!({"name": name, "endpoint": t.endpoint, "dtype": dtype, "shape": shape_json(&t.shape)})
    };
    tensors.iter().map(one).collect()
}

/// Nodes that save and restore the variables.
pub fn saver(def: &GraphDef) -> Section {
    let Some(saver) = &def.meta.saver else {
        return Section { key: "saver", title: String::new(), rows: Vec::new(), json: Value::Null };
    };
    let parts = [("save", "fetch", &saver.save), ("restore", "run", &saver.restore), ("path", "feed", &saver.filename)];
    let rows = parts.iter().filter(|(.., name)| !name.is_empty());
    let rows = rows.map(|(what, how, name)| [(*what).to_owned(), (*name).clone(), (*how).to_owned()]).collect();
    let json = json!({"save": saver.save, "restore": saver.restore, "filename": saver.filename});
    Section { key: "saver", title: "saver".to_owned(), rows, json }
}

/// What to run once before everything else: nodes named by collections, and nodes that only group initializers of
/// variables.
pub fn init(graph: &Graph) -> Section {
    let mut items: Vec<([String; 3], Value)> = Vec::new();
    for collection in INIT {
        for name in collections::nodes(&graph.collections, collection) {
            let row = [name.clone(), format!("in the collection {collection}"), String::new()];
            items.push((row, json!({"name": name, "collection": collection})));
        }
    }
    let known: BTreeSet<String> = items.iter().map(|(row, _)| row[0].clone()).collect();
    let described = described(graph);
    let initializers: BTreeSet<&str> = described.values().map(|v| split_endpoint(&v.initializer).0).collect();
    for (_, node) in graph.nodes().filter(|(_, n)| n.inputs.is_empty() && n.output_types.is_empty()) {
        let sets = |id: &levada::graph::NodeId| initializers.contains(&*graph.node(*id).name);
        if node.control_inputs.is_empty() || !node.control_inputs.iter().all(sets) || known.contains(&*node.name) {
            continue;
        }
        let all = format!("sets {} of {}", node.control_inputs.len(), show::count(described.len(), "variable"));
        items.push(([node.name.to_string(), all, String::new()], json!({"name": &*node.name, "collection": null})));
    }
    Section::list("init", "to run first (--init)", items)
}

/// Collections with their contents.
pub fn all_collections(graph: &Graph) -> Section {
    let items = graph.collections.iter().map(|(name, collection)| {
        let (kind, values): (&str, Vec<String>) = match collection {
            Collection::Nodes(names) => ("names", names.clone()),
            Collection::Ints(values) => ("ints", values.iter().map(ToString::to_string).collect()),
            Collection::Floats(values) => ("floats", values.iter().map(ToString::to_string).collect()),
            Collection::Bytes(messages) => ("messages", titles(graph, name, messages.len())),
        };
        let size = match collection {
            Collection::Bytes(messages) => messages.len(),
            _ => values.len(),
        };
        let row = [name.clone(), show::count(size, kind.trim_end_matches('s')), shortened(&values)];
        (row, json!({"name": name, "kind": kind, "size": size, "values": values}))
    });
    Section::list("collections", "collections", items.collect())
}

/// The subjects of the messages of a collection, if known.
fn titles(graph: &Graph, name: &str, size: usize) -> Vec<String> {
    let runners = || collections::queue_runners(&graph.collections).ok().filter(|_| name == collections::QUEUE_RUNNERS);
    if let Some(runners) = runners() {
        return runners.into_iter().map(|runner| runner.queue).collect();
    }
    // Messages of another kind may be read as variables, which then lack a name.
    match collections::variables(&graph.collections, name) {
        Ok(variables) if size > 0 && variables.iter().all(|v| graph.endpoint(&v.variable).is_ok()) => {
            variables.into_iter().map(|v| v.variable).collect()
        }
        _ => Vec::new(),
    }
}

/// The first few values, and how many more there are.
fn shortened(values: &[String]) -> String {
    const NAMED: usize = 4;
    let first = values.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if values.len() > NAMED { format!("{first} and {} more", values.len() - NAMED) } else { first }
}

/// Functions with their inputs and outputs.
pub fn functions(def: &GraphDef) -> Section {
    let items = def.library.functions.iter().map(|f| {
        let signature = &f.signature;
        let text = format!("({}) -> ({})", args(&signature.inputs), args(&signature.outputs));
        let stateful = if signature.is_stateful { ", stateful" } else { "" };
        let row = [signature.name.clone(), text, show::count(f.nodes.len(), "node") + stateful];
        (row, function_json(f, &def.library.gradients))
    });
    Section::list("functions", "functions", items.collect())
}

fn function_json(function: &FunctionDef, gradients: &[(String, String)]) -> Value {
    let arg = |arg: &ArgDef| json!({"name": arg.name, "type": arg_type(arg)});
    let signature = &function.signature;
    json!({
        "name": signature.name,
        "inputs": signature.inputs.iter().map(arg).collect::<Vec<_>>(),
        "outputs": signature.outputs.iter().map(arg).collect::<Vec<_>>(),
        "nodes": function.nodes.len(),
        "stateful": signature.is_stateful,
        "gradient": gradients.iter().find(|(of, _)| *of == signature.name).map(|(_, by)| by),
    })
}

fn args(defs: &[ArgDef]) -> String {
    defs.iter().map(|arg| format!("{}: {}", arg.name, arg_type(arg))).collect::<Vec<_>>().join(", ")
}

/// `float32`, `T`, `N * T`, `Tin` for a list of types.
fn arg_type(arg: &ArgDef) -> String {
    let one = match arg.ty {
        Some(ty) => ty.to_string(),
        None if !arg.type_list_attr.is_empty() => arg.type_list_attr.clone(),
        None => arg.type_attr.clone(),
    };
    if arg.number_attr.is_empty() { one } else { format!("{} * {one}", arg.number_attr) }
}
