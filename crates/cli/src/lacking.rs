//! The end of `levada inspect`: the unsupported parts of a graph, and its faults.

use crate::show;
use levada::graph::attr::Attrs;
use levada::graph::def::{FunctionDef, Library};
use levada::graph::function::instantiate;
use levada::graph::graph::Node;
use levada::graph::{AttrValue, Func};
use levada::kernel::AnyDevice;
use levada::kernel::device::no_kernel;
use levada::{Code, Error, Graph, GraphDef, Registry, Result, SessionOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Everything in a graph, or in a file that is not a valid graph, that a run would fail with: its faults, then its
/// unsupported parts.
pub fn find(def: &GraphDef, graph: &Result<Graph>, registry: &Registry) -> Vec<Error> {
    let devices = levada::devices(&SessionOptions::default());
    let mut found: Vec<Error> = match graph {
        Ok(graph) => lacking(graph, registry, &devices),
        Err(error) => error.separate(),
    };
    let library = Arc::new(def.library.clone());
    found.extend(def.library.functions.iter().flat_map(|function| in_function(function, &library, registry, &devices)));
    found
}

/// What nodes of a graph lack: an op, an attr or a dtype, or a kernel.
fn lacking(graph: &Graph, registry: &Registry, devices: &[Arc<dyn AnyDevice>]) -> Vec<Error> {
    let lacks = |node: &&Node| node.unsupported().is_none() && !devices.iter().any(|d| d.kernel(&node.op).is_some());
    let without_kernel = graph.nodes().map(|(_, node)| node).filter(lacks).map(|node| {
        let error = no_kernel(node.op_name(), "the CPU").at_node(&node.name, node.op_name());
        error.found(attrs(node, registry))
    });
    graph.unsupported().iter().flat_map(Error::separate).chain(without_kernel).collect()
}

/// The attrs that a kernel may depend on: dtypes, and strings that differ from the default.
fn attrs(node: &Node, registry: &Registry) -> String {
    let op = registry.get(node.op_name());
    let default = |name: &str| Some(op?.attr(name)?.default?.value());
    let shown = node.attrs.iter().filter(|(name, value)| match value {
        AttrValue::Type(_) => true,
        AttrValue::S(_) => !name.starts_with('_') && default(name).as_ref() != Some(value),
        _ => false,
    });
    let text = |(name, value): (&Arc<str>, &AttrValue)| match value {
        AttrValue::Type(ty) => format!("{name} = {ty}"),
        AttrValue::S(text) => format!("{name} = {:?}", String::from_utf8_lossy(text)),
        _ => name.to_string(),
    };
    shown.map(text).collect::<Vec<_>>().join(", ")
}

/// What nodes of a function lack, and what is wrong with it. For a function with attrs, which differs for each of their
/// values, only ops that are neither in the registry nor functions themselves.
fn in_function(
    function: &FunctionDef,
    library: &Arc<Library>,
    registry: &Registry,
    devices: &[Arc<dyn AnyDevice>],
) -> Vec<Error> {
    let name = &function.signature.name;
    let here = |node: &str| format!("{name}/{node}");
    if function.signature.attrs.is_empty() {
        let call = Func { name: name.clone(), attrs: Attrs::new() };
        let found = match instantiate(library, &call, registry) {
            Ok(instance) => lacking(&instance.graph, registry, devices),
            Err(error) => error.separate(),
        };
        let placed = |mut error: Error| {
            let fault = error.fault_mut();
            fault.node = fault.node.as_deref().map(here);
            fault.file = None;
            error
        };
        return found.into_iter().map(placed).collect();
    }
    let unknown = function.nodes.iter().filter(|n| registry.get(&n.op).is_none() && library.function(&n.op).is_none());
    unknown.map(|n| levada::graph::graph::unknown_op(registry, &n.op).node(here(&n.name)).op(&n.op)).collect()
}

/// The unsupported parts by kind, with the number of affected nodes and the first of them; then all other faults.
pub fn text(found: &[Error], is_graph: bool) -> String {
    let (missing, wrong): (Vec<&Error>, Vec<&Error>) = found.iter().partition(|e| e.code() == Code::Unimplemented);
    let mut out = String::new();
    if !missing.is_empty() {
        let mut kinds: BTreeMap<(&str, &str, &str), Vec<&Error>> = BTreeMap::new();
        for error in &missing {
            let [op, found] = [&error.fault().op, &error.fault().found].map(|text| text.as_deref().unwrap_or_default());
            kinds.entry((op, error.message(), found)).or_default().push(error);
        }
        let mut advice: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut rows = Vec::new();
        for ((op, message, found), errors) in &kinds {
            let nodes: BTreeSet<&str> = errors.iter().filter_map(|e| e.fault().node.as_deref()).collect();
            let first = errors[0].fault();
            let line = first.line.map_or_else(String::new, |line| format!(", line {line}"));
            rows.push([
                if found.is_empty() { format!("  {message}") } else { format!("  {message}: {found}") },
                show::count(nodes.len().max(1), "node"),
                format!("{}{line}", first.node.as_deref().unwrap_or_default()),
            ]);
            if let Some(help) = &first.help {
                advice.entry(help).or_default().insert(if op.is_empty() { message } else { op });
            }
        }
        let nodes: BTreeSet<&str> = missing.iter().filter_map(|e| e.fault().node.as_deref()).collect();
        out.push_str(&format!(
            "\nnot supported: {}{} (and the first node of each)\n{}",
            show::count(nodes.len().max(1), "node"),
            if is_graph { "; runs that do not reach them work" } else { "" },
            show::table("lrl", &rows)
        ));
        for (help, ops) in advice {
            let ops = ops.into_iter().collect::<Vec<_>>().join(", ");
            out.push_str(&format!("  {ops}:\n    {help}\n"));
        }
    }
    if !wrong.is_empty() {
        out.push_str(&format!("\n{}\n", show::count(wrong.len(), "fault")));
        out.push_str(&wrong.iter().map(|e| format!("\n{e}\n")).collect::<String>());
    }
    out
}
