//! `levada inspect`: a [`Section`] for each kind of thing in a graph, then its unsupported parts.

mod beside;
#[cfg(feature = "onnx")]
mod onnx;
mod saved;
mod section;
mod state;

use crate::args::InspectArgs;
use crate::feed::standard_input;
use crate::{lacking, print, show};
use levada::graph::graph::split_endpoint;
#[cfg(feature = "onnx")]
use levada::graph::read::Kind;
use levada::graph::{AttrValue, read};
use levada::kernel::AnyDevice;
use levada::memory::{Asked, OfDevice, analyse};
use levada::{Error, Graph, GraphDef, Limits, NodeDef, Result, SessionOptions};
use section::Section;
pub use section::bytes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Shows the contents of a graph, its faults and its unsupported parts; exit code 1 if there are any.
///
/// # Errors
/// If the file cannot be read as a graph at all.
pub fn inspect(args: &InspectArgs) -> Result<ExitCode> {
    let registry = levada::registry();
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let mut beside = Vec::new();
    let (def, graph) = match saved::survey(&args.graph, &args.tag)? {
        Some(survey) => {
            beside = saved::sections(&survey)?;
            (survey.def, survey.graph)
        }
        None if args.graph == Path::new("-") => read::survey(&standard_input()?, &registry).map_err(named)?,
        #[cfg(feature = "onnx")]
        None if matches!(Kind::of(&args.graph), Ok(Kind::Onnx)) => {
            let model = levada::onnx::Model::open(&args.graph)?;
            beside = onnx::sections(&model);
            match model.graph(&registry) {
                Ok(imported) => (imported.graph.to_def(), Ok(imported.graph)),
                Err(error) => (GraphDef::default(), Err(error)),
            }
        }
        None => read::survey_file(&args.graph, &registry)?,
    };
    let edges: usize = def.nodes.iter().map(|n| n.inputs.len()).sum();
    let mut sections = beside;
    sections.extend(contents(&def, graph.as_ref().ok()));
    if let Ok(graph) = &graph {
        sections.extend(peak(graph));
    }
    if let (Ok(graph), true) = (&graph, args.devices.gpus > 0) {
        sections.push(without_gpu_kernel(graph, &args.devices.open(false)?));
    }
    let found: Vec<Error> = lacking::find(&def, &graph, &registry).into_iter().map(named).collect();
    let code = if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.json {
        let mut object = section::json(sections);
        object.insert("version".to_owned(), 1.into());
        object.insert("file".to_owned(), args.graph.display().to_string().into());
        object.insert("nodes".to_owned(), def.nodes.len().into());
        object.insert("edges".to_owned(), edges.into());
        let (missing, wrong): (Vec<&Error>, Vec<&Error>) =
            found.iter().partition(|e| e.code() == levada::Code::Unimplemented);
        object.insert("unsupported".to_owned(), missing.into_iter().map(fault).collect());
        object.insert("faults".to_owned(), wrong.into_iter().map(fault).collect());
        print(&format!("{:#}\n", Value::Object(object)));
        return Ok(code);
    }
    let most = if args.all || !std::io::stdout().is_terminal() { usize::MAX } else { SHOWN };
    print(&format!(
        "{}: {}, {}, {}\n{}",
        args.graph.display(),
        show::count(def.nodes.len(), "node"),
        show::count(edges, "edge"),
        show::count(def.library.functions.len(), "function"),
        section::text(&sections, most)
    ));
    if !found.is_empty() {
        print(&lacking::text(&found, graph.is_ok()));
    }
    Ok(code)
}

/// At most this many rows of a list are shown on a terminal.
const SHOWN: usize = 40;

/// Everything in a graph; for a faulty one, what can be seen without checking it.
fn contents(def: &GraphDef, graph: Option<&Graph>) -> Vec<Section> {
    let consumed: HashSet<&str> =
        def.nodes.iter().flat_map(|n| &n.inputs).map(|i| split_endpoint(i.trim_start_matches('^')).0).collect();
    let inputs = def.nodes.iter().filter(|n| n.op.starts_with("Placeholder")).map(input).collect();
    let outputs = def.nodes.iter().filter(|n| !consumed.contains(n.name.as_str())).map(|n| output(n, graph)).collect();
    let mut sections = vec![
        Section::list("inputs", "inputs", inputs),
        Section::list("outputs", "outputs (nothing in the graph uses them)", outputs),
        beside::signatures(def),
    ];
    if let Some(graph) = graph {
        sections.push(beside::init(graph));
        sections.extend(state::sections(graph));
        let stateful = graph.nodes().filter(|(_, n)| n.op.is_stateful()).map(|(_, n)| {
            let row = [n.name.to_string(), n.op_name().to_owned(), String::new()];
            (row, json!({"name": &*n.name, "op": n.op_name()}))
        });
        sections.push(Section::list("stateful", "nodes with state or side effects", stateful.collect()));
        sections.push(beside::all_collections(graph));
    }
    sections.push(beside::saver(def));
    sections.push(beside::functions(def));
    sections.push(counts("ops", "ops", "op", def.nodes.iter().map(|n| n.op.as_str())));
    let devices = def.nodes.iter().map(|n| n.device.as_str()).filter(|d| !d.is_empty());
    sections.push(counts("devices", "devices asked for", "device", devices));
    sections
}

/// The peak memory of a step that computes all outputs; `None` for a graph that cannot run as a whole.
fn peak(graph: &Graph) -> Option<Section> {
    if graph.is_empty() {
        return None;
    }
    // This folds constants, which a graph may make expensive.
    let limits = Limits { time: Duration::from_secs(5), processor_time: Duration::from_secs(10), ..Limits::default() };
    let options = SessionOptions { limits: Some(limits), ..SessionOptions::default() };
    let session = levada::Session::new(graph.clone(), options).ok()?;
    let mut asked = Asked::default();
    asked.complete(&session).ok()?;
    let report = analyse(&session, &asked).ok()?;
    let of_device = |device: &OfDevice| {
        let at_least = if report.unknown.is_empty() { "at most " } else { "at least " };
        let what = match report.unknown.len() {
            0 => "in any order".to_owned(),
            n => format!("the size of {} is not known: levada memory", show::count(n, "tensor")),
        };
        let row = [device.name.clone(), format!("{at_least}{}", bytes(device.bound.bytes)), what];
        let json = json!({"device": device.name, "bytes": device.bound.bytes, "unknown": report.unknown.len()});
        (row, json)
    };
    let rows = report.devices.iter().map(of_device).collect();
    Some(Section::list("memory", "memory of a step that runs everything", rows))
}

/// Counts of each text, the most frequent first.
fn counts<'a>(key: &'static str, title: &str, what: &str, texts: impl Iterator<Item = &'a str>) -> Section {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let item =
        |(text, n): (&str, usize)| ([text.to_owned(), n.to_string(), String::new()], json!({what: text, "nodes": n}));
    Section::list(key, title, counts.into_iter().map(item).collect())
}

/// A fault as JSON; unknown parts are omitted.
fn fault(error: &Error) -> Value {
    let fault = error.fault();
    let parts = [
        ("node", &fault.node),
        ("op", &fault.op),
        ("attr", &fault.attr),
        ("path", &fault.path),
        ("expected", &fault.expected),
        ("found", &fault.found),
        ("help", &fault.help),
    ];
    let mut json = json!({"code": error.code().name(), "message": error.message()});
    for (key, text) in parts {
        if let Some(text) = text {
            json[key] = text.as_str().into();
        }
    }
    if let Some(line) = fault.line {
        json["line"] = line.into();
    }
    json
}

fn input(node: &NodeDef) -> ([String; 3], Value) {
    let dtype = match node.attrs.get("dtype") {
        Some(AttrValue::Type(t)) => Some(t.to_string()),
        _ => None,
    };
    let shape = match node.attrs.get("shape") {
        Some(AttrValue::Shape(shape)) => Some(shape),
        _ => None,
    };
    let text = format!(
        "{}{}",
        dtype.as_deref().unwrap_or_default(),
        shape.map_or_else(|| "<unknown>".to_owned(), ToString::to_string)
    );
    let json = json!({"name": node.name, "op": node.op, "dtype": dtype, "shape": shape.map(state::shape_json)});
    ([node.name.clone(), text, String::new()], json)
}

fn output(node: &NodeDef, graph: Option<&Graph>) -> ([String; 3], Value) {
    let types = graph.and_then(|g| Some(&g.node(g.find(&node.name)?).output_types));
    let types: Vec<String> = types.map(|t| t.iter().map(ToString::to_string).collect()).unwrap_or_default();
    let text = if types.is_empty() { format!("({})", node.op) } else { format!("{} ({})", types.join(" "), node.op) };
    ([node.name.clone(), text, String::new()], json!({"name": node.name, "op": node.op, "dtypes": types}))
}

/// Ops that no GPU among the devices has a kernel for, with the number of their nodes and the first node.
fn without_gpu_kernel(graph: &Graph, devices: &[Arc<dyn AnyDevice>]) -> Section {
    let mut ops: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    let gpus: Vec<_> = devices.iter().filter(|d| d.kind() == "GPU").collect();
    for (_, node) in graph.nodes() {
        if !gpus.iter().any(|d| d.kernel(&node.op).is_some()) {
            ops.entry(node.op_name()).or_insert((0, &node.name)).0 += 1;
        }
    }
    let item = |(op, (n, first)): (&str, (usize, &str))| {
        let row = [op.to_owned(), show::count(n, "node"), first.to_owned()];
        (row, json!({"op": op, "nodes": n, "first": first}))
    };
    let items = ops.into_iter().map(item).collect();
    Section::list("without_gpu_kernel", "no kernel on a GPU (soft placement takes the CPU)", items)
}
