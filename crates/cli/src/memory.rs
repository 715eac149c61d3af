//! `levada memory`: the memory of a step, before it runs.

use crate::args::MemoryArgs;
use crate::feed::{self, write_file};
use crate::fit::fit;
use crate::inspect::bytes;
use crate::place::{ShapeSource, shapes, zeros};
use crate::term::{Style, styled};
use crate::{model, output, print, show};
use levada::graph::write;
use levada::memory::{Alive, Asked, ControlEdge, OfDevice, Peak, Report, Why, analyse, measure, within};
use levada::{CallableOptions, Error, Files, Graph, GraphDef, Limits, Result, Session, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::time::Duration;

/// Maximum number of live tensors shown.
const SHOWN: usize = 20;

/// Predicts and bounds the memory of a step; exit code 1 if it may take more than the limit.
///
/// # Errors
/// What is wrong with the graph, the names or the feeds, and with --run what the run fails with.
pub fn memory(args: &MemoryArgs) -> Result<ExitCode> {
    let outs: Vec<_> = args.out.iter().map(|path| ("--out", path.as_path())).collect();
    if let Some(error) = Error::join(output::check_all(&outs, &args.graph)) {
        return Err(error);
    }
    let graph = model::open(&args.graph, false, &args.tag)?.graph;
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let def = args.limit.map(|_| graph.to_def());
    let given = Given::new(args, &graph)?;
    let session = open(args, graph)?;
    let mut asked = given.asked.clone();
    asked.complete(&session).map_err(named)?;
    let report = analyse(&session, &asked).map_err(named)?;
    let measured = match args.run {
        true => given.measure(args, &session, &asked).map_err(named)?,
        false => None,
    };
    let refused = match args.limit {
        Some(limit) => refuse(args, &session, &asked, &report, def.unwrap_or_default(), limit as u64)?,
        None => None,
    };
    if args.json {
        print(&format!("{:#}\n", with_flags(as_json(&report), args, measured, refused.as_ref())));
    } else {
        let measured = measured.map(|bytes| (bytes, args.steps as usize));
        print(&fit(&as_text(&report, measured, args.all)));
        if let Some(refused) = &refused {
            print(&refused.text(&report));
        }
    }
    Ok(if refused.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Opens a session; with --run one that accounts for memory, without limits.
fn open(args: &MemoryArgs, graph: Graph) -> Result<Session> {
    let unlimited = Limits {
        memory: usize::MAX,
        memory_of_step: usize::MAX,
        time: Duration::MAX,
        processor_time: Duration::MAX,
        nodes: u64::MAX,
        iterations: u64::MAX,
        depth: u32::MAX,
        queue_elements: usize::MAX,
        string_bytes: usize::MAX,
        output_bytes: usize::MAX,
    };
    let options = SessionOptions {
        threads: args.threads.map_or(0, usize::from),
        cpus: args.devices.cpus,
        gpus: args.devices.gpus,
        allow_soft_placement: args.soft,
        limits: args.run.then_some(unlimited),
        files: Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?,
        closed_world: true,
        ..SessionOptions::default()
    };
    Session::with_devices(graph, args.devices.open(args.soft)?, options)
}

/// The step that the flags describe.
struct Given {
    asked: Asked,
    /// For each feed that the flags name: its value, if it comes from a file.
    values: Vec<Option<Tensor>>,
}

impl Given {
    fn new(args: &MemoryArgs, graph: &Graph) -> Result<Given> {
        let known = shapes(graph);
        let mut given = Given {
            asked: Asked { fetches: args.fetch.clone(), targets: args.target.clone(), ..Asked::default() },
            values: Vec::new(),
        };
        given.asked.threads = args.threads.map_or(0, usize::from);
        for shaped in &args.feed {
            let endpoint = graph.endpoint(&shaped.name)?;
            given.asked.feeds.push((shaped.name.clone(), shaped.checked(graph, &known.get(endpoint))?));
            let value = match &shaped.shape {
                ShapeSource::File(path) if args.run => Some(feed::file(path)?),
                _ => None,
            };
            given.values.push(value);
        }
        Ok(given)
    }

    /// The measured peak memory of some steps.
    fn measure(&self, args: &MemoryArgs, session: &Session, asked: &Asked) -> Result<Option<u64>> {
        let graph = session.graph();
        if !args.init.is_empty() {
            let init: Vec<&str> = args.init.iter().map(String::as_str).collect();
            session.run(&[], &[], &init)?;
        }
        let mut feeds = Vec::with_capacity(asked.feeds.len());
        for (i, fed) in asked.feeds.iter().enumerate() {
            feeds.push(match self.values.get(i).cloned().flatten() {
                Some(value) => value,
                None => zeros(&graph, &fed.0, &fed.1)?,
            });
        }
        let names = asked.feeds.iter().map(|(name, _)| name.clone()).collect();
        let (fetches, targets) = (asked.fetches.clone(), asked.targets.clone());
        let callable = session.callable(&CallableOptions { feeds: names, fetches, targets })?;
        let mut most = None;
        for _ in 0..args.steps.max(1) {
            most = most.max(measure(&callable, &feeds)?);
        }
        Ok(most)
    }
}

/// A step that may exceed the limit.
struct Refused {
    device: String,
    limit: u64,
    /// Number of tensors of unknown size, because of which no limit is certain.
    unknown: usize,
    /// Control edges and the bound with them, which was computed for the changed graph.
    cure: Option<(Vec<ControlEdge>, u64)>,
    /// Where the changed graph was written.
    out: Option<String>,
}

/// Checks the limit; if it may be exceeded, searches for control edges that prevent it.
fn refuse(
    args: &MemoryArgs,
    session: &Session,
    asked: &Asked,
    report: &Report,
    def: GraphDef,
    limit: u64,
) -> Result<Option<Refused>> {
    let unknown = report.unknown.len();
    let over = report.devices.iter().filter(|d| d.bound.bytes > limit).max_by_key(|d| d.bound.bytes);
    let Some(over) = over.or(report.devices.first().filter(|_| unknown > 0)) else { return Ok(None) };
    let mut refused = Refused { device: over.name.clone(), limit, unknown, cure: None, out: None };
    if over.bound.bytes <= limit {
        return Ok(Some(refused));
    }
    let Some(plan) = within(session, asked, &over.name, limit)? else { return Ok(Some(refused)) };
    let def = with_edges(def, &plan.edges);
    let mut changed = Graph::new();
    changed.extend(def.clone(), &levada::registry())?;
    let again = analyse(&*open(args, changed)?, asked)?;
    let bytes = again.devices.iter().find(|d| d.name == over.name).map_or(0, |d| d.bound.bytes);
    if bytes > limit {
        return Ok(Some(refused));
    }
    if let Some(path) = &args.out {
        let json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        let bytes = if json { write::json(&def)?.into_bytes() } else { write::pb(&def)? };
        write_file(path, &bytes)?;
        refused.out = Some(path.display().to_string());
    }
    refused.cure = Some((plan.edges, bytes));
    Ok(Some(refused))
}

/// The graph with more control edges.
fn with_edges(mut def: GraphDef, edges: &[ControlEdge]) -> GraphDef {
    for edge in edges {
        let input = format!("^{}", edge.after);
        if let Some(node) = def.nodes.iter_mut().find(|n| *n.name == *edge.node).filter(|n| !n.inputs.contains(&input))
        {
            node.inputs.push(input);
        }
    }
    def
}

impl Refused {
    fn text(&self, report: &Report) -> String {
        let mut text = String::new();
        let bound = report.devices.iter().find(|d| d.name == self.device).map_or(0, |d| d.bound.bytes);
        if bound <= self.limit {
            return format!(
                "\n{}the limit of {} cannot be guaranteed: the size of {} is not known\n",
                styled(Style::Error, "refused: "),
                bytes(self.limit),
                show::count(self.unknown, "tensor"),
            );
        }
        text.push_str(&format!(
            "\n{}the step may take {} on {}, more than {}\n",
            styled(Style::Error, "refused: "),
            bytes(bound),
            self.device,
            bytes(self.limit)
        ));
        match &self.cure {
            Some((edges, less)) => {
                let those = show::count(edges.len(), "control edge");
                text.push_str(&format!("with {those} no order takes more than {}:\n", bytes(*less)));
                for edge in edges {
                    text.push_str(&format!("  add \"^{}\" to the inputs of {}\n", edge.after, edge.node));
                }
                if let Some(out) = &self.out {
                    text.push_str(&format!("{out} has these edges\n"));
                }
            }
            None => text.push_str("no order was found that takes less\n"),
        }
        text
    }
}

/// The report as text, with the peak measured in a number of steps, and with all tensors or only the large ones.
pub fn as_text(report: &Report, measured: Option<(u64, usize)>, all: bool) -> String {
    let at_least = if report.unknown.is_empty() { "" } else { "at least " };
    let mut text = String::new();
    for device in &report.devices {
        text.push_str(&format!("{}\n", device.name));
        let mut rows: Vec<[String; 3]> = Vec::new();
        let parts: Vec<String> = [Why::Constant, Why::Variable, Why::Queue, Why::Feed, Why::Step]
            .into_iter()
            .map(|why| (why, device.fixed_bytes(Some(why))))
            .filter(|(_, n)| *n > 0)
            .map(|(why, n)| format!("{} {}", names(why), bytes(n)))
            .collect();
        rows.push(["  all the time".to_owned(), bytes(device.fixed_bytes(None)), parts.join(", ")]);
        rows.push([
            "  expected peak".to_owned(),
            format!("{at_least}{}", bytes(device.expected.bytes)),
            format!("on {}{}", show::count(report.threads, "thread"), running(&device.expected)),
        ]);
        let exact = if device.bound.is_exact { "some order takes that much" } else { "no order takes more" };
        rows.push([
            "  any order".to_owned(),
            format!("{at_least}{}", bytes(device.bound.bytes)),
            format!("{exact}{}", running(&device.bound)),
        ]);
        if let Some((measured, steps)) = measured.filter(|_| device.name.contains("CPU:0")) {
            let ratio = device.bound.bytes as f64 / measured.max(1) as f64;
            rows.push([
                "  measured peak".to_owned(),
                bytes(measured),
                format!("of {}; the bound is {ratio:.2} times that", show::count(steps, "step")),
            ]);
        }
        text.push_str(&show::table("lrl", &rows));
        text.push_str(&alive(
            all,
            "alive at the peak of any order, besides what is alive all the time",
            &device.bound.alive,
        ));
        if all {
            text.push_str(&alive(all, "alive at the expected peak", &device.expected.alive));
            text.push_str(&alive(all, "alive all the time", &device.fixed));
        }
        text.push('\n');
    }
    if !report.unknown.is_empty() {
        text.push_str("not counted, because the size is not known before the run:\n");
        let shown = if all { usize::MAX } else { SHOWN };
        for unknown in report.unknown.iter().take(shown) {
            text.push_str(&format!("  {unknown}\n"));
        }
        if report.unknown.len() > shown {
            text.push_str(&format!("  and {} more: --all\n", report.unknown.len() - shown));
        }
    }
    text
}

fn names(why: Why) -> &'static str {
    match why {
        Why::Constant => "constants",
        Why::Variable => "variables",
        Why::Queue => "full queues",
        Why::Feed => "feeds",
        _ => "the step itself",
    }
}

fn running(peak: &Peak) -> String {
    match &peak.running[..] {
        [] => String::new(),
        [one] => format!(", while {one} runs"),
        [first, rest @ ..] => format!(", while {first} and {} run", show::count(rest.len(), "other")),
    }
}

fn alive(all: bool, title: &str, rows: &[Alive]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let shown = if all { rows.len() } else { rows.len().min(SHOWN) };
    let row = |alive: &Alive| {
        let name = match alive.output {
            Some(output) if output > 0 => format!("    {}:{output}", alive.node),
            _ => format!("    {}", alive.node),
        };
        let ty = alive.dtype.map(|d| d.to_string()).unwrap_or_default();
        let shape = alive.shape.as_ref().map(ToString::to_string).unwrap_or_default();
        let name = if alive.copies > 1 { format!("{name}, in {} iterations", alive.copies) } else { name };
        [name, ty, shape, bytes(alive.bytes), alive.why.text().to_owned()]
    };
    let table: Vec<[String; 5]> = rows[..shown].iter().map(row).collect();
    let mut text = format!("  {title}\n{}", show::table("lllrl", &table));
    if shown < rows.len() {
        let rest: u64 = rows[shown..].iter().map(|row| row.bytes).sum();
        text.push_str(&format!("    and {} more, {}: --all\n", rows.len() - shown, bytes(rest)));
    }
    text
}

/// The report as `--json` prints it.
pub fn as_json(report: &Report) -> Value {
    let tensor = |a: &Alive| {
        json!({
            "node": &*a.node,
            "output": a.output,
            "dtype": a.dtype.map(|d| d.to_string()),
            "shape": a.shape.as_ref().map(|s| s.dims().to_vec()),
            "iterations": a.copies,
            "bytes": a.bytes,
            "why": a.why.text(),
        })
    };
    let moment = |peak: &Peak| {
        json!({
            "bytes": peak.bytes,
            "exact": peak.is_exact,
            "running": peak.running.iter().map(|n| &**n).collect::<Vec<_>>(),
            "alive": peak.alive.iter().map(tensor).collect::<Vec<_>>(),
        })
    };
    let device = |d: &OfDevice| {
        json!({
            "device": d.name,
            "all_the_time": {"bytes": d.fixed_bytes(None), "alive": d.fixed.iter().map(tensor).collect::<Vec<_>>()},
            "expected": moment(&d.expected),
            "any_order": moment(&d.bound),
        })
    };
    json!({
        "threads": report.threads,
        "devices": report.devices.iter().map(device).collect::<Vec<_>>(),
        "unknown": report.unknown.iter()
            .map(|u| json!({"node": &*u.node, "output": (u.output != u32::MAX).then_some(u.output), "what": u.what}))
            .collect::<Vec<_>>(),
    })
}

/// Adds the parts that flags ask for.
fn with_flags(mut value: Value, args: &MemoryArgs, measured: Option<u64>, refused: Option<&Refused>) -> Value {
    value["version"] = 1.into();
    value["file"] = args.graph.display().to_string().into();
    if let Some(measured) = measured {
        value["measured"] = json!({"bytes": measured, "steps": args.steps});
    }
    if let Some(limit) = args.limit {
        let edges = refused.and_then(|r| r.cure.as_ref());
        value["limit"] = json!({
            "bytes": limit,
            "refused": refused.is_some(),
            "device": refused.map(|r| &r.device),
            "control_edges": edges.map(|(edges, _)| {
                edges.iter().map(|e| json!({"node": &*e.node, "input": format!("^{}", e.after)})).collect::<Vec<_>>()
            }),
            "with_them": edges.map(|(_, bytes)| bytes),
        });
    }
    value
}
