//! `levada place`: where the nodes of a graph, or of a step, go.

mod measured;
mod step;

use crate::args::PlaceArgs;
use crate::feed::write_file;
use crate::fit::fit;
use crate::{prepare, print, show};
use levada::graph::{DType, Graph};
use levada::placer::report;
use levada::placer::{
    Cluster, Costs, Kinds, NOWHERE, Placed, Placer, Problem, Refusal, Request, conflicts, place_by, place_step,
    refusal_error,
};
use levada::{Error, Result};
pub use measured::{measure_copies, measured, measured_hop};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use step::unknown;
pub use step::{ShapeSource, ShapedFeed, Step, shapes, zeros};

/// Places a graph and shows where its nodes go; exit code 1 if it cannot be placed.
///
/// # Errors
/// What is wrong with the graph, the cluster or the trace.
pub fn place(args: &PlaceArgs) -> Result<ExitCode> {
    let graph = prepare::graph(&args.graph, args.strict)?;
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
        // For a device type that this build lacks, all kernels are assumed to exist except those on strings.
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
    let needed =
        simulated || args.costs.is_some() || args.placer != Placer::FirstFit || args.diff.as_ref().is_some_and(looks);
    let step = Step::of((&args.fetch, &args.target, &args.feed), &graph, &devices)?;
    let mut costs = match &step {
        _ if !needed => Costs::default(),
        Some(step) => step.costs(&graph),
        None => levada::session::estimate(&graph, &devices),
    };
    if let Some(path) = &args.costs {
        let trace = levada::trace::file::read(text(path)?.as_bytes());
        let steps = trace.map_err(|e| e.in_file(&path.display().to_string()))?.steps;
        costs.measure(&graph, &cluster, &measured(&steps));
        if let Some(nanos) = measured_hop(&steps) {
            cluster.measure_hop(nanos);
        }
        measure_copies(&mut cluster, &steps);
    }
    let whole = Whole { request: &request, cluster: &cluster, costs: &costs, step: step.as_ref() };
    let mut placed = match whole.place(args.placer) {
        Ok(placed) => placed,
        Err(refusal) => return refused(args, &request, refusal.error),
    };
    let problem = match simulated {
        true => Some(whole.problem()?),
        false => None,
    };
    if let Some(problem) = &problem {
        placed.simulated(problem);
    }
    present(args, &whole, &placed, problem.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

/// What is placed, on what.
struct Whole<'a> {
    request: &'a Request<'a>,
    cluster: &'a Cluster,
    costs: &'a Costs,
    /// The nodes that run, if not all.
    step: Option<&'a Step>,
}

impl<'a> Whole<'a> {
    fn place(&self, placer: Placer) -> Result<Placed, Refusal> {
        match self.step {
            Some(step) => place_step(placer, self.request, self.cluster, self.costs, &step.nodes),
            None => place_by(placer, self.request, self.cluster, self.costs),
        }
    }

    fn problem(&self) -> Result<Problem<'a>> {
        let problem = match self.step {
            Some(step) => Problem::of_step(self.request, self.cluster, self.costs, step.nodes.clone()),
            None => Problem::of_graph(self.request, self.cluster, self.costs),
        };
        Ok(problem.map_err(|refusal| refusal.error)?.0)
    }
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|e| Error::not_found(format!("the file cannot be read: {e}")).file(path.display()))
}

fn present(args: &PlaceArgs, whole: &Whole<'_>, placed: &Placed, problem: Option<&Problem<'_>>) -> Result<()> {
    let (request, cluster) = (whole.request, whole.cluster);
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
        if placed.placement.device[id.index()] == NOWHERE {
            let node = graph.node(id);
            return Err(Error::not_found("the step does not run this node")
                .at_node(&node.name, node.op_name())
                .help("leave out --fetch and --target to place the whole graph"));
        }
        if args.json {
            let explanation = levada::placer::explain(request, &placed.placement, &placed.groups, id);
            print(&(serde_json::to_string_pretty(&explanation).unwrap_or_default() + "\n"));
        } else {
            print(&report::explanation(request, placed, id));
        }
        return Ok(());
    }
    if let Some(other) = &args.diff {
        let there = other_placement(other, whole)?;
        print(&fit(&report::diff(request, &placed.placement, &there)));
        return Ok(());
    }
    if args.json {
        let value = report::placement_json(request, placed, args.placer.name(), problem);
        print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
        return Ok(());
    }
    if let Some(problem) = problem {
        if let Some(simulation) = &placed.simulation {
            print(&format!("placer: {}\n{}", args.placer, about(whole)));
            print(&fit(&report::simulation_text(request, problem, simulation)));
        }
        let mut others: Vec<Option<Placed>> = Placer::ALL.iter().map(|&p| whole.place(p).ok()).collect();
        others.iter_mut().flatten().for_each(|placed| {
            placed.simulated(problem);
        });
        let names: Vec<&str> = Placer::ALL.iter().map(|p| p.name()).collect();
        let simulations: Vec<_> = others.iter().map(|p| p.as_ref().and_then(|p| p.simulation.as_ref())).collect();
        print(&format!("\n{}", fit(&report::side_by_side(&names, &simulations, cluster))));
        return Ok(());
    }
    print(&fit(&report::placement_table(request, placed)));
    Ok(())
}

/// Notes on ways in which the simulated step may not be as expected.
fn about(whole: &Whole<'_>) -> String {
    let graph = whole.request.graph;
    let (mut text, unknown, how) = match whole.step {
        Some(step) => {
            (format!("{} of {} run\n", step.nodes.len(), show::count(graph.len(), "node")), step.unknown(graph), "")
        }
        None => {
            let all = "every node of the graph runs once, including initializers; --fetch and --target name a step\n";
            (all.to_owned(), unknown(graph), " with --fetch or --target")
        }
    };
    if let [first, ..] = unknown[..] {
        text.push_str(&format!(
            "the size of {} is not known, so the times are too short: --feed {first}=SIZExSIZE{how} sets it\n",
            unknown.join(", ")
        ));
    }
    text
}

/// A partition for each device that has nodes, as `DEVICE.json`.
fn write_partitions(dir: &Path, request: &Request<'_>, placed: &Placed) -> Result<()> {
    std::fs::create_dir_all(dir)
        .map_err(|e| Error::not_found(format!("the folder cannot be created: {e}")).file(dir.display()))?;
    for (device, def) in levada::placer::split(request.graph, request.targets, &placed.placement)? {
        let name = device.trim_start_matches('/').replace(['/', ':'], "_");
        write_file(&dir.join(format!("{name}.json")), levada::graph::write::json(&def)?.as_bytes())?;
    }
    Ok(())
}

/// The placement that `--diff` names: a placer, or a file written by `--json`.
fn other_placement(other: &str, whole: &Whole<'_>) -> Result<BTreeMap<String, String>> {
    let request = whole.request;
    if let Ok(placer) = other.parse::<Placer>() {
        let placed = whole.place(placer).map_err(|r| r.error)?;
        let device =
            |id: levada::graph::NodeId| request.targets.get(placed.placement.device[id.index()]).text.to_string();
        let nodes = request.graph.nodes().filter(|(id, _)| placed.placement.device[id.index()] != NOWHERE);
        return Ok(nodes.map(|(id, node)| (node.name.to_string(), device(id))).collect());
    }
    let value: Value = serde_json::from_str(&text(Path::new(other))?).map_err(|e| {
        Error::invalid(format!("this is not a placement: {e}")).file(other).help("`levada place --json` writes one")
    })?;
    let nodes = value["nodes"].as_array().into_iter().flatten();
    let pairs = nodes.filter_map(|n| Some((n["name"].as_str()?.to_owned(), n["device"].as_str()?.to_owned())));
    Ok(pairs.collect())
}

/// Reports the conflicts and the edits that resolve them.
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
                    "same": c.same.iter().map(|&id| &*request.graph.node(id).name).collect::<Vec<_>>(),
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
        let sentences = conflict.describe(request.graph);
        let what = if sentences.len() == 1 { "this cannot be met" } else { "these cannot all be met" };
        out += &format!("conflict {} of {}: {what}\n", i + 1, found.len());
        for sentence in sentences {
            out += &format!("  - {sentence}\n");
        }
        if !conflict.edits.is_empty() {
            out += if found.len() > 1 {
                "any of these resolves it:\n"
            } else {
                "any of these makes the graph placeable:\n"
            };
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
    let set = |ids: &[levada::graph::NodeId], device: &str| {
        let mut value = json!({"edit": "set-device", "node": name(ids[0]), "device": device, "text": text});
        if ids.len() > 1 {
            value["nodes"] = ids.iter().map(|&id| name(id)).collect();
        }
        value
    };
    match edit {
        Edit::DropDevice(ids) => set(ids, ""),
        Edit::SetDevice(ids, device) => set(ids, device),
        Edit::DropClass(id, class) => json!({"edit": "drop-class", "node": name(*id), "index": class, "text": text}),
        Edit::Soft => json!({"edit": "soft", "text": text}),
        Edit::AddDevice(device) => json!({"edit": "add-device", "device": device, "text": text}),
    }
}
