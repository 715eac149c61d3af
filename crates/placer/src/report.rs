//! Placements as text, JSON, DOT and SVG; simulations as text and as a Chrome trace.

use crate::cluster::Cluster;
use crate::cost_based::Placed;
use crate::explain::{explain, unmet};
use crate::first_fit::{NOWHERE, Placement};
use crate::groups::Request;
pub use crate::picture::svg;
use crate::problem::{CONTROL, Problem};
use crate::simulate::Simulation;
use levada_graph::graph::Node;
use levada_graph::{Graph, NodeId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Formats rows as left-aligned columns.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(t, &w)| format!("{t:<w$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// Nodes that have a device: all nodes of a graph, or those that a step runs.
fn placed_nodes<'g>(graph: &'g Graph, placement: &'g Placement) -> impl Iterator<Item = (NodeId, &'g Node)> {
    graph.nodes().filter(|(id, _)| placement.device[id.index()] != NOWHERE)
}

/// The short form of a device's name: without job, replica and task if all devices share these.
pub fn short<'a>(request: &'a Request<'_>, device: u32) -> &'a str {
    if device == NOWHERE {
        return "-";
    }
    let name = &*request.targets.get(device).text;
    let one_task = request.targets.iter().all(|t| t.name.any_of_task() == request.targets.get(0).name.any_of_task());
    match name.find("/device:") {
        Some(at) if one_task => &name[at..],
        _ => name,
    }
}

/// A line for every node: name, op, device, and the rule that put it there; then the number of nodes on each device.
pub fn placement_table(request: &Request<'_>, placed: &Placed) -> String {
    let graph = request.graph;
    let mut rows = vec![["node", "op", "device", "why"].map(str::to_owned).to_vec()];
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut in_vain: Vec<&str> = Vec::new();
    for (id, node) in placed_nodes(graph, &placed.placement) {
        let device = placed.placement.device[id.index()];
        *counts.entry(device).or_default() += 1;
        let why = rule_words(request, placed, id);
        if !unmet(request, &placed.placement, &placed.groups, id).is_empty() {
            in_vain.push(&*node.name);
        }
        rows.push(vec![node.name.to_string(), node.op_name().to_owned(), short(request, device).to_owned(), why]);
    }
    let mut out = table(&rows);
    out.push('\n');
    for (device, count) in counts {
        let _ = writeln!(out, "{}: {count} node{}", short(request, device), if count == 1 { "" } else { "s" });
    }
    if !in_vain.is_empty() {
        let more = in_vain.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first = in_vain[..in_vain.len().min(NAMED)].join(", ");
        let _ = writeln!(out, "not placed as requested: {first}{more} (--explain NODE says why)");
    }
    out
}

/// The maximum number of nodes that are named in a list.
const NAMED: usize = 8;

fn rule_words(request: &Request<'_>, placed: &Placed, id: NodeId) -> String {
    use crate::first_fit::Rule;
    let (graph, placement) = (request.graph, &placed.placement);
    let name = |id: NodeId| &graph.node(id).name;
    if let Some(first) = unmet(request, placement, &placed.groups, id).first() {
        return first.clone();
    }
    match placement.rule[id.index()] {
        Some(Rule::Group(first)) => format!("with {}", name(first)),
        Some(Rule::WithInput(input)) => format!("looks at the shape of {}", name(input)),
        Some(Rule::WithControls(before)) => format!("orders what follows {}", name(before)),
        Some(Rule::WithConsumers(user)) => format!("with its consumer {}", name(user)),
        Some(Rule::Cost(1) | Rule::First(1)) if graph.node(id).device.is_empty() => "the only one that fits".to_owned(),
        Some(Rule::Cost(1) | Rule::First(1)) => format!("asked for {}", graph.node(id).device),
        Some(Rule::Cost(n)) => format!("chosen among {n}"),
        Some(Rule::First(n)) => format!("first of {n}"),
        None => String::new(),
    }
}

/// The placement as JSON; `docs/placement.md` has the schema.
pub fn placement_json(request: &Request<'_>, placed: &Placed, placer: &str, problem: Option<&Problem<'_>>) -> Value {
    let graph = request.graph;
    let nodes: Vec<Value> = placed_nodes(graph, &placed.placement)
        .map(|(id, node)| {
            let device = placed.placement.device[id.index()];
            let mut value = json!({
                "name": &*node.name,
                "op": node.op_name(),
                "requested": node.device,
                "device": &*request.targets.get(device).text,
                "why": rule_words(request, placed, id),
            });
            let unmet = unmet(request, &placed.placement, &placed.groups, id);
            if !unmet.is_empty() {
                value["unmet"] = unmet.into();
            }
            value
        })
        .collect();
    let mut out = json!({
        "version": 1,
        "placer": placer,
        "soft": request.soft,
        "devices": request.targets.names().collect::<Vec<_>>(),
        "nodes": nodes,
    });
    if let (Some(simulation), Some(problem)) = (&placed.simulation, problem) {
        out["simulation"] = simulation_json(graph, problem, simulation);
    }
    out
}

/// The explanation of a node as text.
pub fn explanation(request: &Request<'_>, placed: &Placed, id: NodeId) -> String {
    let e = explain(request, &placed.placement, &placed.groups, id);
    let mut out = format!("{} ({}) is on {}\n", e.node, e.op, e.device);
    for because in &e.because {
        let _ = writeln!(out, "  {because}");
    }
    out
}

/// The nodes that two placements put on different devices. `other`: device by node name.
pub fn diff(request: &Request<'_>, placement: &Placement, other: &BTreeMap<String, String>) -> String {
    let mut rows = vec![["node", "op", "here", "there"].map(str::to_owned).to_vec()];
    let mut looked_at = 0;
    for (id, node) in placed_nodes(request.graph, placement) {
        looked_at += 1;
        let here = &*request.targets.get(placement.device[id.index()]).text;
        let there = other.get(&*node.name).map_or("-", String::as_str);
        if here != there {
            rows.push(vec![node.name.to_string(), node.op_name().to_owned(), here.to_owned(), there.to_owned()]);
        }
    }
    let differing = rows.len() - 1;
    let gone = other.keys().filter(|n| request.graph.find(n).is_none()).count();
    let mut out = if differing > 0 { table(&rows) + "\n" } else { String::new() };
    let _ = writeln!(out, "{differing} of {looked_at} nodes differ");
    if gone > 0 {
        let _ = writeln!(out, "{gone} nodes are only in the other placement");
    }
    out
}

/// Colours that can be distinguished even in greyscale.
const COLOURS: [&str; 12] = [
    "#8dd3c7", "#fdb462", "#bebada", "#fb8072", "#80b1d3", "#b3de69", "#fccde5", "#d9d9d9", "#ffffb3", "#bc80bd",
    "#ccebc5", "#ffed6f",
];

pub(crate) fn colour(device: u32) -> &'static str {
    COLOURS[device as usize % COLOURS.len()]
}

/// The graph in Graphviz's language, with a colour for each device; edges that cross devices are bold.
pub fn dot(request: &Request<'_>, placement: &Placement) -> String {
    let graph = request.graph;
    let mut out = String::from("digraph placement {\n  rankdir=TB;\n  node [shape=box, style=filled, fontsize=10];\n");
    for i in 0..request.targets.len() as u32 {
        let _ = writeln!(
            out,
            "  {} [label={}, fillcolor=\"{}\", shape=note];",
            quoted(&format!("device {i}")),
            quoted(short(request, i)),
            colour(i)
        );
    }
    for (id, node) in placed_nodes(graph, placement) {
        let device = placement.device[id.index()];
        let label = format!("{}\n{}", node.name, node.op_name());
        let _ = writeln!(out, "  n{} [label={}, fillcolor=\"{}\"];", id.index(), quoted(&label), colour(device));
    }
    for (id, node) in placed_nodes(graph, placement) {
        let crosses = |from: NodeId| placement.device[from.index()] != placement.device[id.index()];
        let sources = node.inputs.iter().map(|e| (e.node, false));
        let sources = sources.chain(node.control_inputs.iter().map(|&c| (c, true)));
        for (from, control) in sources.filter(|(from, _)| placement.device[from.index()] != NOWHERE) {
            let mut style = Vec::new();
            if control {
                style.push("style=dashed");
            }
            if crosses(from) {
                style.push("penwidth=2.5");
            }
            let _ = writeln!(out, "  n{} -> n{} [{}];", from.index(), id.index(), style.join(", "));
        }
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn micros(nanos: f64) -> String {
    format!("{:.1}", nanos / 1e3)
}

fn bytes(n: f64) -> String {
    // An empty sum is negative zero.
    let n = n + 0.0;
    match n {
        n if n < 10e3 => format!("{n:.0} B"),
        n if n < 10e6 => format!("{:.1} kB", n / 1e3),
        n if n < 10e9 => format!("{:.1} MB", n / 1e6),
        n => format!("{:.2} GB", n / 1e9),
    }
}

/// The simulated step: time, devices, links, the critical path.
pub fn simulation_text(request: &Request<'_>, problem: &Problem<'_>, simulation: &Simulation) -> String {
    let mut out = format!("step: {} us\n\n", micros(simulation.makespan));
    let mut rows = vec![["device", "busy us", "busy %", "peak", "limit"].map(str::to_owned).to_vec()];
    for (i, spec) in problem.cluster.devices.iter().enumerate() {
        let percent = if simulation.makespan > 0.0 { 100.0 * simulation.busy[i] / simulation.makespan } else { 0.0 };
        let limit = if spec.memory.is_finite() { bytes(spec.memory) } else { "-".to_owned() };
        rows.push(vec![
            short(request, i as u32).to_owned(),
            micros(simulation.busy[i]),
            format!("{percent:.1}"),
            bytes(simulation.peak[i]),
            limit,
        ]);
    }
    out += &table(&rows);
    let links = simulation.links();
    if !links.is_empty() {
        out.push('\n');
        let mut rows = vec![["from", "to", "transfers", "bytes"].map(str::to_owned).to_vec()];
        for (from, to, count, amount) in links {
            let (from, to) = (short(request, from).to_owned(), short(request, to).to_owned());
            rows.push(vec![from, to, count.to_string(), bytes(amount)]);
        }
        out += &table(&rows);
    }
    let path = simulation.critical_path();
    let _ = writeln!(out, "\ncritical path: {} nodes", path.len());
    let mut rows = Vec::new();
    for &task in path.iter().take(30) {
        let (node, span) = (request.graph.node(problem.nodes[task as usize]), simulation.spans[task as usize]);
        rows.push(vec![
            format!("  {}", micros(span.start)),
            micros(span.end - span.start),
            node.name.to_string(),
            node.op_name().to_owned(),
        ]);
    }
    out += &table(&rows);
    if path.len() > 30 {
        let _ = writeln!(out, "  ... and {} more", path.len() - 30);
    }
    out
}

/// One line for each of several placements.
pub fn side_by_side(names: &[&str], simulations: &[Option<&Simulation>], cluster: &Cluster) -> String {
    let mut rows =
        vec![["placer", "step us", "transfers", "bytes moved", "highest peak", "fits"].map(str::to_owned).to_vec()];
    for (name, simulation) in names.iter().zip(simulations) {
        let Some(s) = simulation else {
            rows.push(vec![(*name).to_owned(), "does not fit".to_owned()]);
            continue;
        };
        let moved: f64 = s.transfers.iter().map(|t| t.bytes).sum();
        let fits = s.peak.iter().zip(&cluster.devices).all(|(p, d)| *p <= d.memory);
        rows.push(vec![
            (*name).to_owned(),
            micros(s.makespan),
            s.transfers.len().to_string(),
            bytes(moved),
            bytes(s.peak.iter().copied().fold(0.0, f64::max)),
            if fits { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table(&rows)
}

/// A simulation as JSON.
pub fn simulation_json(graph: &Graph, problem: &Problem<'_>, simulation: &Simulation) -> Value {
    let name = |d: u32| problem.cluster.targets.get(d).text.to_string();
    let devices: Vec<Value> = (0..problem.cluster.len())
        .map(|i| {
            json!({"device": name(i as u32), "busy_us": simulation.busy[i] / 1e3, "peak_bytes": simulation.peak[i]})
        })
        .collect();
    let links: Vec<Value> = simulation
        .links()
        .into_iter()
        .map(|(a, b, n, bytes)| json!({"from": name(a), "to": name(b), "transfers": n, "bytes": bytes}))
        .collect();
    let path: Vec<String> =
        simulation.critical_path().iter().map(|&t| graph.node(problem.nodes[t as usize]).name.to_string()).collect();
    json!({"step_us": simulation.makespan / 1e3, "devices": devices, "links": links, "critical_path": path})
}

/// A simulation as a Chrome trace: a process for each device with a thread for each of its threads, and a thread for
/// transfers from each other device.
pub fn simulation_chrome(graph: &Graph, problem: &Problem<'_>, simulation: &Simulation, device: &[u32]) -> Value {
    let mut events = Vec::new();
    for (i, target) in problem.cluster.targets.iter().enumerate() {
        events
            .push(json!({"ph": "M", "name": "process_name", "pid": i + 1, "tid": 0, "args": {"name": &*target.text}}));
    }
    for (task, span) in simulation.spans.iter().enumerate() {
        let node = graph.node(problem.nodes[task]);
        events.push(json!({
            "ph": "X", "name": &*node.name, "cat": node.op_name(), "pid": device[task] + 1, "tid": span.thread,
            "ts": span.start / 1e3, "dur": (span.end - span.start) / 1e3, "args": {"op": node.op_name()},
        }));
    }
    for t in &simulation.transfers {
        let node = graph.node(problem.nodes[t.task as usize]);
        let what = if t.output == CONTROL { format!("^{}", node.name) } else { format!("{}:{}", node.name, t.output) };
        events.push(json!({
            "ph": "X", "name": what, "cat": "transfer", "pid": t.to + 1, "tid": 1000 + t.from,
            "ts": t.start / 1e3, "dur": (t.end - t.start) / 1e3,
            "args": {"bytes": t.bytes, "from": &*problem.cluster.targets.get(t.from).text},
        }));
    }
    json!({"displayTimeUnit": "ns", "traceEvents": events})
}
