//! The end of `levada inspect`: the unsupported parts of a graph, and its faults.

use crate::show;
use levada::graph::graph::Node;
use levada::kernel::device::no_kernel;
use levada::{Code, Error, Graph, GraphDef, Registry, Result, SessionOptions};
use std::collections::{BTreeMap, BTreeSet};

/// Everything of a graph, or of a file that is none, that a run would fail with: its faults, then what is not
/// supported.
pub fn find(def: &GraphDef, graph: &Result<Graph>, registry: &Registry) -> Vec<Error> {
    let mut found: Vec<Error> = match graph {
        Ok(graph) => graph.unsupported().iter().flat_map(Error::all).cloned().chain(without_kernel(graph)).collect(),
        Err(error) => error.all().cloned().collect(),
    };
    found.extend(in_functions(def, registry));
    found
}

/// Nodes whose op is known, but that no device has a kernel for with their attrs.
fn without_kernel(graph: &Graph) -> Vec<Error> {
    let devices = levada::devices(&SessionOptions::default());
    let lacks = |node: &&Node| node.unsupported().is_none() && !devices.iter().any(|d| d.kernel(&node.op).is_some());
    let nodes = graph.nodes().map(|(_, node)| node).filter(lacks);
    nodes.map(|n| no_kernel(n.op_name(), "the CPU").at_node(&n.name, n.op_name())).collect()
}

/// Nodes in functions whose ops are neither in the registry nor functions themselves.
fn in_functions(def: &GraphDef, registry: &Registry) -> Vec<Error> {
    let functions = def.library.functions.iter();
    let nodes = functions.flat_map(|f| f.nodes.iter().map(move |n| (&f.signature.name, n)));
    let unknown = nodes.filter(|(_, n)| registry.get(&n.op).is_none() && def.library.function(&n.op).is_none());
    unknown
        .map(|(f, n)| levada::graph::graph::unknown_op(registry, &n.op).node(format!("{f}/{}", n.name)).op(&n.op))
        .collect()
}

/// What is not supported, by what it is, with the number of nodes that lack it and the first of them; then every other
/// fault.
pub fn text(found: &[Error], is_graph: bool) -> String {
    let (missing, wrong): (Vec<&Error>, Vec<&Error>) = found.iter().partition(|e| e.code() == Code::Unimplemented);
    let mut out = String::new();
    if !missing.is_empty() {
        let mut kinds: BTreeMap<(&str, &str), Vec<&Error>> = BTreeMap::new();
        for error in &missing {
            kinds.entry((error.fault().op.as_deref().unwrap_or_default(), error.message())).or_default().push(error);
        }
        let mut advice: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut rows = Vec::new();
        for ((op, message), errors) in &kinds {
            let nodes: BTreeSet<&str> = errors.iter().filter_map(|e| e.fault().node.as_deref()).collect();
            let first = errors[0].fault();
            let line = first.line.map_or_else(String::new, |line| format!(", line {line}"));
            rows.push([
                format!("  {message}"),
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
