//! `levada place`

use crate::args::PlaceArgs;
use crate::feed::write_file;
use crate::print;
use levada::compile::{Signature, infer::infer, prune};
use levada::graph::{DType, Graph, read};
use levada::kernel::transfer::{RECV, SEND};
use levada::placer::report;
use levada::placer::{
    Cluster, Costs, Kinds, Measured, Placed, Placer, Problem, Request, conflicts, place_by, refusal_error,
};
use levada::trace::{NodeEvent, Work};
use levada::{Error, Result, StepTrace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::process::ExitCode;

/// Places a graph and shows where its nodes go; exit code 1 where that cannot be.
///
/// # Errors
/// What is wrong with the graph, the cluster or the trace.
pub fn place(args: &PlaceArgs) -> Result<ExitCode> {
    let graph = read::file(&args.graph, &levada::registry())?;
    let devices = args.devices.open(args.soft || args.cluster.is_some())?;
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let mut cluster = match &args.cluster {
        Some(path) => Cluster::read(&text(path)?).map_err(|e| e.in_file(&path.display().to_string()))?,
        None => Cluster::of(&devices, threads)?,
    };
    let targets = cluster.targets.clone();
    let real: Vec<bool> = targets.kinds().iter().map(|kind| devices.iter().any(|d| d.kind() == kind)).collect();
    let supports = |node: &levada::graph::graph::Node| {
        let here = targets.supporting(&devices, node);
        // Of a type that this build does not have, every kernel that does not work on strings is taken to exist.
        let described = node.input_types.iter().chain(&node.output_types).all(|t| t.dtype != DType::Str);
        let kinds = real
            .iter()
            .enumerate()
            .map(|(i, &real)| u32::from(if real { here.contains(i as u32) } else { described }) << i);
        let kinds = Kinds(kinds.sum());
        if kinds.is_empty() { Kinds::ALL } else { kinds }
    };
    let default = targets.iter().position(|t| t.name.kind.as_deref() == Some("CPU")).unwrap_or(0) as u32;
    let request = Request { graph: &graph, targets: &targets, supports: &supports, soft: args.soft, default };
    let simulated = args.cluster.is_some() || args.simulate || args.trace.is_some();
    let looks = |other: &String| !matches!(other.parse(), Ok(Placer::FirstFit) | Err(_));
    let needed = simulated || args.placer != Placer::FirstFit || args.diff.as_ref().is_some_and(looks);
    let mut costs = if needed { estimate(&graph) } else { Costs::default() };
    if let Some(path) = &args.costs {
        let trace = levada::trace::file::read(text(path)?.as_bytes());
        let steps = trace.map_err(|e| e.in_file(&path.display().to_string()))?.steps;
        costs.measure(&graph, &cluster, &measured(&steps));
        if let Some(nanos) = measured_hop(&steps) {
            cluster.measure_hop(nanos);
        }
        measure_copies(&mut cluster, &steps);
    }
    let mut placed = match place_by(args.placer, &request, &cluster, &costs) {
        Ok(placed) => placed,
        Err(refusal) => return refused(args, &request, refusal.error),
    };
    let problem = match simulated {
        true => Some(Problem::of_graph(&request, &cluster, &costs).map_err(|r| r.error)?.0),
        false => None,
    };
    if let Some(problem) = &problem {
        placed.simulated(problem);
    }
    show(args, &request, &cluster, &costs, &placed, problem.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|e| Error::not_found(format!("the file cannot be read: {e}")).file(path.display()))
}

/// Estimates from what shape inference knows of the whole graph.
fn estimate(graph: &Graph) -> Costs {
    let signature = Signature { targets: graph.ids().collect(), ..Signature::default() };
    let shapes = prune(graph, &signature).map(|pruned| infer(graph, &pruned).0).unwrap_or_default();
    Costs::estimate(graph, &|endpoint| shapes.get(endpoint))
}

/// What a send and its receive took as a rule, without what reading the clock took; `None` where there were none.
fn measured_hop(steps: &[StepTrace]) -> Option<f64> {
    let median = |op: &str| -> Option<f64> {
        let events =
            steps.iter().flat_map(|s| s.events.iter().map(|e| (e, e.duration_ns().saturating_sub(s.clock_ns))));
        let mut times: Vec<u64> = events.filter(|(e, _)| &*e.op == op).map(|(_, ns)| ns).collect();
        times.sort_unstable();
        times.get(times.len() / 2).map(|&ns| ns as f64)
    };
    Some(median(SEND)? + median(RECV)?)
}

/// Copies up to this many bytes tell what a copy takes besides its bytes, and those from that many on how fast bytes are.
const SMALL_COPY: u64 = 4 << 10;
const LARGE_COPY: u64 = 1 << 20;

/// Takes over what copies to and from devices with memory of their own took as a rule.
fn measure_copies(cluster: &mut Cluster, steps: &[StepTrace]) {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let events = || steps.iter().flat_map(|s| &s.device_events);
    let names: BTreeSet<&str> = events().map(|e| &*e.device).collect();
    for name in names {
        let parsed = levada::graph::device::DeviceName::parse(name).unwrap_or_default();
        let Some(device) = cluster.targets.find(&parsed) else { continue };
        for to_it in [true, false] {
            let copies: Vec<(u64, f64)> = events()
                .filter(|e| &*e.device == name && e.duration_ns() > 0)
                .filter_map(|e| match e.work {
                    Work::CopyIn { bytes } if to_it => Some((bytes, e.duration_ns() as f64)),
                    Work::CopyOut { bytes } if !to_it => Some((bytes, e.duration_ns() as f64)),
                    _ => None,
                })
                .collect();
            let latency = median(copies.iter().filter(|c| c.0 <= SMALL_COPY).map(|c| c.1).collect());
            let rates = copies.iter().filter(|c| c.0 >= LARGE_COPY).map(|c| c.0 as f64 * 1e9 / c.1);
            cluster.measure_copies(device, to_it, latency, median(rates.collect()));
        }
    }
}

/// Nodes of at least this many nanoseconds are taken to be split over all threads.
const WIDE_NS: u64 = 50_000;

/// How long each node would have taken with the threads for itself, without what reading the clock took. Long nodes that
/// ran at the same time have shared the threads.
fn alone(step: &StepTrace) -> Vec<f64> {
    let mut nanos: Vec<f64> =
        step.events.iter().map(|e| e.duration_ns().saturating_sub(step.clock_ns) as f64).collect();
    let wide: Vec<usize> = (0..nanos.len()).filter(|&i| step.events[i].duration_ns() >= WIDE_NS).collect();
    let mut edges: Vec<(u64, usize, bool)> = Vec::new();
    for &i in &wide {
        nanos[i] = 0.0;
        edges.extend([(step.events[i].start_ns, i, true), (step.events[i].end_ns, i, false)]);
    }
    edges.sort_unstable();
    let mut running: Vec<usize> = Vec::new();
    let mut before = 0;
    for (at, i, starts) in edges {
        let share = (at - before) as f64 / running.len().max(1) as f64;
        running.iter().for_each(|&r| nanos[r] += share);
        before = at;
        if starts {
            running.push(i);
        } else {
            running.retain(|&r| r != i);
        }
    }
    nanos
}

/// How long devices with queues of their own computed for each node.
fn on_devices(step: &StepTrace) -> HashMap<&str, f64> {
    let mut nanos: HashMap<&str, f64> = HashMap::new();
    for event in &step.device_events {
        if matches!(event.work, Work::Kernel { .. } | Work::Copy { .. }) {
            *nanos.entry(&event.node).or_default() += event.duration_ns() as f64;
        }
    }
    nanos
}

/// What traced steps measured: the median over the later half of the steps, since the first ones warm up, without what
/// reading the clock took.
fn measured(steps: &[StepTrace]) -> HashMap<String, Measured> {
    let steps = &steps[steps.len() / 2..];
    let mut all: HashMap<String, Measured> = HashMap::new();
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for (i, step) in steps.iter().enumerate() {
        for (event, nanos) in step.events.iter().zip(alone(step)) {
            // Nodes that were computed as one share the time, and their outputs are taken to be of one size.
            for node in event.nodes() {
                let entry = all.entry(node.to_string()).or_default();
                entry.device = event.device.to_string();
                entry.outputs = event.outputs.iter().map(|o| o.as_ref().map_or(0, |t| t.bytes)).collect();
                entry.runs += 1.0 / steps.len() as f64;
                let times = times.entry(node).or_default();
                times.resize(steps.len(), 0.0);
                times[i] += nanos / event.nodes().len() as f64;
                entry.wide |= step.threads > 1 && event.duration_ns() >= WIDE_NS;
            }
        }
        // A node that only queues work costs what the device takes for it.
        let groups: HashMap<&str, &NodeEvent> = step.events.iter().map(|e| (&*e.node, e)).collect();
        for (node, nanos) in on_devices(step) {
            let nodes = groups.get(node).map_or(&[][..], |event| event.nodes());
            for node in nodes {
                if let (Some(times), Some(entry)) = (times.get_mut(&**node), all.get_mut(&**node)) {
                    times[i] = nanos / nodes.len() as f64;
                    entry.wide = false;
                }
            }
        }
    }
    for (node, mut times) in times {
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let median = if times.len() % 2 == 0 { (times[middle - 1] + times[middle]) / 2.0 } else { times[middle] };
        all.entry(node.to_owned()).and_modify(|m| m.nanos = median);
    }
    all
}

fn show(
    args: &PlaceArgs,
    request: &Request<'_>,
    cluster: &Cluster,
    costs: &Costs,
    placed: &Placed,
    problem: Option<&Problem<'_>>,
) -> Result<()> {
    let graph = request.graph;
    if let Some(path) = &args.dot {
        write_file(path, report::dot(request, &placed.placement).as_bytes())?;
    }
    if let Some(path) = &args.svg {
        write_file(path, report::svg(request, &placed.placement).as_bytes())?;
    }
    if let (Some(path), Some(simulation), Some(problem)) = (&args.trace, &placed.simulation, problem) {
        let device: Vec<u32> = problem.nodes.iter().map(|id| placed.placement.device[id.index()]).collect();
        let trace = report::simulation_chrome(graph, problem, simulation, &device);
        write_file(path, trace.to_string().as_bytes())?;
    }
    if let Some(dir) = &args.partitions {
        write_partitions(dir, request, placed)?;
    }
    if let Some(name) = &args.explain {
        let id = graph.find(name).ok_or_else(|| graph.unknown_node(name, name))?;
        if args.json {
            let explanation = levada::placer::explain(request, &placed.placement, &placed.groups, id);
            print(&(serde_json::to_string_pretty(&explanation).unwrap_or_default() + "\n"));
        } else {
            print(&report::explanation(request, placed, id));
        }
        return Ok(());
    }
    if let Some(other) = &args.diff {
        let there = other_placement(other, request, cluster, costs)?;
        print(&report::diff(request, &placed.placement, &there));
        return Ok(());
    }
    if args.json {
        let value = report::placement_json(request, placed, args.placer.name(), problem);
        print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
        return Ok(());
    }
    if let Some(problem) = problem {
        if let Some(simulation) = &placed.simulation {
            print(&format!("placer: {}\n", args.placer));
            print(&report::simulation_text(request, problem, simulation));
        }
        let mut others: Vec<Option<Placed>> =
            Placer::ALL.iter().map(|&p| place_by(p, request, cluster, costs).ok()).collect();
        others.iter_mut().flatten().for_each(|placed| {
            placed.simulated(problem);
        });
        let names: Vec<&str> = Placer::ALL.iter().map(|p| p.name()).collect();
        let simulations: Vec<_> = others.iter().map(|p| p.as_ref().and_then(|p| p.simulation.as_ref())).collect();
        print(&format!("\n{}", report::side_by_side(&names, &simulations, cluster)));
        return Ok(());
    }
    print(&report::placement_table(request, placed));
    Ok(())
}

/// A partition for each device that has nodes, as `DEVICE.json`.
fn write_partitions(dir: &Path, request: &Request<'_>, placed: &Placed) -> Result<()> {
    std::fs::create_dir_all(dir)
        .map_err(|e| Error::not_found(format!("the folder cannot be made: {e}")).file(dir.display()))?;
    for (device, def) in levada::placer::split(request.graph, request.targets, &placed.placement)? {
        let name = device.trim_start_matches('/').replace(['/', ':'], "_");
        write_file(&dir.join(format!("{name}.json")), levada::graph::write::json(&def)?.as_bytes())?;
    }
    Ok(())
}

/// The placement that `--diff` names: a placer, or a file that `--json` wrote.
fn other_placement(
    other: &str,
    request: &Request<'_>,
    cluster: &Cluster,
    costs: &Costs,
) -> Result<BTreeMap<String, String>> {
    if let Ok(placer) = other.parse::<Placer>() {
        let placed = place_by(placer, request, cluster, costs).map_err(|r| r.error)?;
        let device =
            |id: levada::graph::NodeId| request.targets.get(placed.placement.device[id.index()]).text.to_string();
        return Ok(request.graph.nodes().map(|(id, node)| (node.name.to_string(), device(id))).collect());
    }
    let value: Value = serde_json::from_str(&text(Path::new(other))?).map_err(|e| {
        Error::invalid(format!("this is not a placement: {e}")).file(other).help("`levada place --json` writes one")
    })?;
    let nodes = value["nodes"].as_array().into_iter().flatten();
    let pairs = nodes.filter_map(|n| Some((n["name"].as_str()?.to_owned(), n["device"].as_str()?.to_owned())));
    Ok(pairs.collect())
}

/// Says what contradicts what, and what would cure it.
fn refused(args: &PlaceArgs, request: &Request<'_>, error: Error) -> Result<ExitCode> {
    if error.code() == levada::Code::ResourceExhausted {
        return Err(error);
    }
    let found = conflicts(request);
    if args.json {
        let sets: Vec<Value> = found
            .iter()
            .map(|c| {
                json!({
                    "message": c.message,
                    "constraints": c.constraints.iter().map(|k| constraint(request.graph, *k)).collect::<Vec<_>>(),
                    "edits": c.edits.iter().map(|e| edit(request.graph, e)).collect::<Vec<_>>(),
                })
            })
            .collect();
        let value = json!({"version": 1, "error": error.code().name(), "message": error.message(), "conflicts": sets});
        print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
        return Ok(ExitCode::FAILURE);
    }
    let mut out = String::new();
    for (i, conflict) in found.iter().enumerate() {
        out += &format!("conflict {} of {}: these cannot all be met\n", i + 1, found.len());
        for constraint in &conflict.constraints {
            out += &format!("  - {}\n", constraint.describe(request.graph));
        }
        if !conflict.edits.is_empty() {
            out +=
                if found.len() > 1 { "one of these cures it:\n" } else { "any of these makes the graph placeable:\n" };
            for edit in &conflict.edits {
                out += &format!("  - {}\n", edit.describe(request.graph));
            }
        }
        out.push('\n');
    }
    print(&out);
    Err(refusal_error(request, error, &[]))
}

fn constraint(graph: &Graph, constraint: levada::placer::Constraint) -> Value {
    use levada::placer::Constraint;
    let node = &*graph.node(constraint.node()).name;
    let text = constraint.describe(graph);
    match constraint {
        Constraint::Device(id) => {
            json!({"kind": "device", "node": node, "device": graph.node(id).device, "text": text})
        }
        Constraint::Class { class, .. } => {
            json!({"kind": "class", "node": node, "index": class, "class": constraint.class_text(graph), "text": text})
        }
        Constraint::Edge { input, .. } => json!({"kind": "edge", "node": node, "input": input, "text": text}),
        Constraint::Name(_) => json!({"kind": "name", "node": node, "text": text}),
    }
}

fn edit(graph: &Graph, edit: &levada::placer::Edit) -> Value {
    use levada::placer::Edit;
    let text = edit.describe(graph);
    let name = |id: levada::graph::NodeId| graph.node(id).name.to_string();
    match edit {
        Edit::DropDevice(id) => json!({"edit": "set-device", "node": name(*id), "device": "", "text": text}),
        Edit::SetDevice(id, device) => json!({"edit": "set-device", "node": name(*id), "device": device, "text": text}),
        Edit::DropClass(id, class) => json!({"edit": "drop-class", "node": name(*id), "index": class, "text": text}),
        Edit::Soft => json!({"edit": "soft", "text": text}),
        Edit::AddDevice(device) => json!({"edit": "add-device", "device": device, "text": text}),
    }
}
