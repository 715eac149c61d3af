//! `levada inspect`

use crate::args::InspectArgs;
use crate::feed::read_file;
use crate::{print, show};
use levada::graph::graph::{Node, split_endpoint, unknown_op};
use levada::graph::{AttrValue, read};
use levada::kernel::AnyDevice;
use levada::kernel::device::no_kernel;
use levada::{Error, Graph, GraphDef, NodeDef, Registry, Result, SessionOptions};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::process::ExitCode;
use std::sync::Arc;

/// Shows what is in a graph, and all that is wrong with it or not supported; exit code 1 where there is such.
///
/// # Errors
/// A file that cannot be read as a graph at all.
pub fn inspect(args: &InspectArgs) -> Result<ExitCode> {
    let registry = levada::registry();
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let (def, graph) = read::survey(&read_file(&args.graph)?, &registry).map_err(named)?;
    let graph = graph.map_err(named);
    let consumed: HashSet<&str> =
        def.nodes.iter().flat_map(|n| &n.inputs).map(|i| split_endpoint(i.trim_start_matches('^')).0).collect();
    let edges: usize = def.nodes.iter().map(|n| n.inputs.len()).sum();

    let mut out = format!(
        "{}: {}, {}, {}\n",
        args.graph.display(),
        show::count(def.nodes.len(), "node"),
        show::count(edges, "edge"),
        show::count(def.library.functions.len(), "function")
    );
    let inputs: Vec<&NodeDef> = def.nodes.iter().filter(|n| n.op.starts_with("Placeholder")).collect();
    section(&mut out, "inputs", inputs.iter().map(|n| [n.name.clone(), input_type(n)]).collect());
    let outputs = def.nodes.iter().filter(|n| !consumed.contains(n.name.as_str()));
    let outputs = outputs.map(|n| [n.name.clone(), output_types(n, graph.as_ref().ok())]).collect();
    section(&mut out, "outputs (nothing in the graph uses them)", outputs);
    section(&mut out, "ops", counts(def.nodes.iter().map(|n| n.op.as_str())));
    if let Ok(graph) = &graph {
        let stateful = graph.nodes().filter(|(_, n)| n.op.is_stateful());
        let stateful = stateful.map(|(_, n)| [n.name.to_string(), n.op_name().to_owned()]).collect();
        section(&mut out, "nodes with state or side effects", stateful);
    }
    let devices = def.nodes.iter().map(|n| n.device.as_str()).filter(|d| !d.is_empty());
    section(&mut out, "devices asked for", counts(devices));
    if let (Ok(graph), true) = (&graph, args.devices.gpus > 0) {
        let devices = args.devices.open(false)?;
        section(&mut out, "no kernel on a GPU (soft placement takes the CPU)", without_gpu_kernel(graph, &devices));
    }
    print(&out);

    let mut found: Vec<Error> = match &graph {
        Ok(graph) => without_kernel(graph),
        Err(error) => error.all().cloned().collect(),
    };
    found.extend(in_functions(&def, &registry));
    if found.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    print(&faults(&def, &found));
    Ok(ExitCode::FAILURE)
}

/// At most this many rows of a section are shown.
const SHOWN: usize = 40;

fn section(out: &mut String, title: &str, rows: Vec<[String; 2]>) {
    if rows.is_empty() {
        return;
    }
    let all = rows.len();
    let shown: Vec<[String; 2]> = rows.into_iter().take(SHOWN).map(|[a, b]| [format!("  {a}"), b]).collect();
    out.push_str(&format!("\n{title}\n{}", show::table("ll", &shown)));
    if all > SHOWN {
        out.push_str(&format!("  ... and {} more\n", all - SHOWN));
    }
}

/// How often each text is there, the commonest first.
fn counts<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<[String; 2]> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts.into_iter().map(|(text, n)| [text.to_owned(), n.to_string()]).collect()
}

fn input_type(node: &NodeDef) -> String {
    let dtype = match node.attrs.get("dtype") {
        Some(AttrValue::Type(t)) => t.to_string(),
        _ => String::new(),
    };
    let shape = match node.attrs.get("shape") {
        Some(AttrValue::Shape(shape)) => shape.to_string(),
        _ => "<unknown>".to_owned(),
    };
    format!("{dtype}{shape}")
}

fn output_types(node: &NodeDef, graph: Option<&Graph>) -> String {
    let types = graph.and_then(|g| Some(&g.node(g.find(&node.name)?).output_types));
    let types = types.map(|t| t.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    match types {
        Some(types) if !types.is_empty() => format!("{types} ({})", node.op),
        _ => format!("({})", node.op),
    }
}

/// Nodes whose op is known, but that no device has a kernel for with their attrs.
fn without_kernel(graph: &Graph) -> Vec<Error> {
    let devices = levada::devices(&SessionOptions::default());
    let lacks = |node: &&Node| !devices.iter().any(|d| d.kernel(&node.op).is_some());
    let nodes = graph.nodes().map(|(_, node)| node).filter(lacks);
    nodes.map(|n| no_kernel(n.op_name(), "the CPU").at_node(&n.name, n.op_name())).collect()
}

/// Ops of nodes that no GPU among the devices has a kernel for, with their number and the first of them.
fn without_gpu_kernel(graph: &Graph, devices: &[Arc<dyn AnyDevice>]) -> Vec<[String; 2]> {
    let mut ops: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    let gpus: Vec<_> = devices.iter().filter(|d| d.kind() == "GPU").collect();
    for (_, node) in graph.nodes() {
        if !gpus.iter().any(|d| d.kernel(&node.op).is_some()) {
            ops.entry(node.op_name()).or_insert((0, &node.name)).0 += 1;
        }
    }
    let row =
        |(op, (n, first)): (&str, (usize, &str))| [format!("{op} ({})", show::count(n, "node")), first.to_owned()];
    ops.into_iter().map(row).collect()
}

/// Ops in functions that are neither in the library nor functions themselves.
fn in_functions(def: &GraphDef, registry: &Registry) -> Vec<Error> {
    let functions = def.library.functions.iter();
    let nodes = functions.flat_map(|f| f.nodes.iter().map(move |n| (&f.signature.name, n)));
    let unknown = nodes.filter(|(_, n)| registry.get(&n.op).is_none() && def.library.function(&n.op).is_none());
    unknown.map(|(f, n)| unknown_op(registry, &n.op).node(format!("{f}/{}", n.name))).collect()
}

/// What is not supported, ops first, then every other fault.
fn faults(def: &GraphDef, found: &[Error]) -> String {
    let (missing, wrong): (Vec<&Error>, Vec<&Error>) =
        found.iter().partition(|e| e.code() == levada::Code::Unimplemented);
    let all_nodes = || def.nodes.iter().chain(def.library.functions.iter().flat_map(|f| &f.nodes));
    let mut out = String::new();
    let ops: BTreeSet<&str> = missing.iter().filter_map(|e| e.fault().op.as_deref()).collect();
    let mut rows = Vec::new();
    for op in ops {
        let of_op: Vec<&&Error> = missing.iter().filter(|e| e.fault().op.as_deref() == Some(op)).collect();
        let texts: BTreeSet<&str> = of_op.iter().map(|e| e.message()).collect();
        let nodes = all_nodes().filter(|n| n.op == op).count();
        for text in texts {
            let first = of_op.iter().find(|e| e.message() == text).and_then(|e| e.fault().node.clone());
            rows.push([format!("{text} ({})", show::count(nodes, "node")), first.unwrap_or_default()]);
        }
    }
    rows.extend(missing.iter().filter(|e| e.fault().op.is_none()).map(|e| [e.message().to_owned(), String::new()]));
    section(&mut out, "not supported (and the first node of each)", rows);
    if !wrong.is_empty() {
        out.push_str(&format!("\n{}\n", show::count(wrong.len(), "fault")));
        out.push_str(&wrong.iter().map(|e| format!("\n{e}\n")).collect::<String>());
    }
    out
}
