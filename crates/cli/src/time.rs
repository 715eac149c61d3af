//! `levada time`: predicts the time of a step on other thread counts.

use crate::args::TimeArgs;
use crate::fit::fit;
use crate::place::{ShapeSource, Step, measure_copies, measured, measured_hop, zeros};
use crate::{feed, prepare, print, show};
use levada::kernel::AnyDevice;
use levada::placer::{Cluster, Measured, Placer, Problem, Request, place_step};
use levada::{CallableOptions, Error, Files, Graph, Result, RunOptions, Session, SessionOptions, StepTrace, Tensor};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Warm-up steps, and traced steps.
const WARM: usize = 3;
const TRACED: usize = 5;

/// The time of a step on a number of threads.
struct Row {
    threads: usize,
    expected: f64,
    measured: Option<f64>,
}

/// Predicts the time of a step for each thread count.
///
/// # Errors
/// What is wrong with the graph, the names, the feeds or the trace, and errors of runs.
pub fn time(args: &TimeArgs) -> Result<ExitCode> {
    let graph = prepare::graph(&args.graph, false)?;
    let devices = args.devices.open(args.soft)?;
    let step = Step::of((&args.fetch, &args.target, &args.feed), &graph, &devices)?;
    let step = step.ok_or_else(|| {
        Error::invalid("there is no step to predict").help("name what it fetches or runs with --fetch or --target")
    })?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (steps, mut known) = match &args.trace {
        Some(path) => {
            let read = levada::trace::file::read(&feed::read_file(path)?);
            (read.map_err(|e| e.in_file(&path.display().to_string()))?.steps, HashMap::new())
        }
        None => {
            let (steps, nanos) = profile(args, &graph, &devices, cores, TRACED)?;
            (steps, HashMap::from([(cores, nanos)]))
        }
    };
    let present = present(&steps);
    if present == 0 {
        return Err(Error::invalid("the trace has no steps").help("levada run --trace FILE writes one"));
    }
    let mut rows = Vec::new();
    for threads in counts(args.threads.iter().map(|&n| usize::from(n)), present) {
        if args.check && !known.contains_key(&threads) {
            known.insert(threads, profile(args, &graph, &devices, threads, 0)?.1);
        }
        let expected = predict(&graph, &devices, (&step, &steps), (present, threads), args.soft)?;
        rows.push(Row { threads, expected, measured: known.get(&threads).copied() });
    }
    if args.json {
        let mut json = as_json(present, &rows);
        json["version"] = 1.into();
        json["file"] = args.graph.display().to_string().into();
        print(&format!("{json:#}\n"));
    } else {
        print(&fit(&as_text(present, &rows)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of threads that the steps were run on; 0 without a step.
fn present(steps: &[StepTrace]) -> usize {
    steps.iter().map(|step| step.threads as usize).max().unwrap_or(0)
}

/// The thread counts to predict for.
fn counts(asked: impl Iterator<Item = usize>, present: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = asked.chain([present]).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The times of a step on other thread counts as JSON and as text, from traces of it and the nanoseconds that it took.
///
/// # Errors
/// What is wrong with the step, and nodes that no device can run.
pub fn expected(
    (graph, devices): (&Graph, &[Arc<dyn AnyDevice>]),
    (step, steps, nanos): (&Step, &[StepTrace], f64),
    threads: &[usize],
    soft: bool,
) -> Result<(Value, String)> {
    let present = present(steps);
    let row = |threads| {
        let expected = predict(graph, devices, (step, steps), (present, threads), soft)?;
        Ok(Row { threads, expected, measured: (threads == present).then_some(nanos) })
    };
    let rows = counts(threads.iter().copied(), present).into_iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok((as_json(present, &rows), as_text(present, &rows)))
}

/// Runs steps on this number of threads; returns traces of some, and the median time of others in nanoseconds.
fn profile(
    args: &TimeArgs,
    graph: &Graph,
    devices: &[Arc<dyn AnyDevice>],
    threads: usize,
    traced: usize,
) -> Result<(Vec<StepTrace>, f64)> {
    let options = SessionOptions {
        threads,
        allow_soft_placement: args.soft,
        closed_world: true,
        files: Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?,
        ..SessionOptions::default()
    };
    let session = Session::with_devices(graph.clone(), devices.to_vec(), options)?;
    if !args.init.is_empty() {
        let init: Vec<&str> = args.init.iter().map(String::as_str).collect();
        session.run(&[], &[], &init)?;
    }
    let known = crate::place::shapes(graph);
    let mut feeds: Vec<Tensor> = Vec::with_capacity(args.feed.len());
    for shaped in &args.feed {
        let shape = shaped.checked(graph, &known.get(graph.endpoint(&shaped.name)?))?;
        feeds.push(match &shaped.shape {
            ShapeSource::File(path) => feed::file(path)?,
            _ => zeros(graph, &shaped.name, &shape)?,
        });
    }
    let names = args.feed.iter().map(|f| f.name.clone()).collect();
    let (fetches, targets) = (args.fetch.clone(), args.target.clone());
    let callable = session.callable(&CallableOptions { feeds: names, fetches, targets })?;
    for _ in 0..WARM {
        callable.run(&feeds)?;
    }
    let mut times = Vec::new();
    for _ in 0..args.steps.max(1) {
        let clock = Instant::now();
        callable.run(&feeds)?;
        times.push(clock.elapsed().as_nanos() as f64);
    }
    times.sort_by(f64::total_cmp);
    let mut steps = Vec::new();
    let options = RunOptions { trace: true, ..RunOptions::default() };
    for _ in 0..traced {
        let (result, metadata) = callable.run_with(&options, &feeds);
        result?;
        steps.extend(metadata.trace);
    }
    Ok((steps, times[times.len() / 2]))
}

/// The simulated step on `threads` threads, in nanoseconds, from traces on `present` threads.
fn predict(
    graph: &Graph,
    devices: &[Arc<dyn AnyDevice>],
    (step, steps): (&Step, &[StepTrace]),
    (present, threads): (usize, usize),
    soft: bool,
) -> Result<f64> {
    let mut cluster = Cluster::of(devices, threads)?;
    let targets = cluster.targets.clone();
    let supports = |node: &levada::graph::graph::Node| targets.supporting(devices, node);
    let default = targets.iter().position(|t| t.name.kind.as_deref() == Some("CPU")).unwrap_or(0) as u32;
    let request = Request { graph, targets: &targets, supports: &supports, soft, default };
    let mut nodes = measured(steps);
    for node in nodes.values_mut().filter(|node| node.wide) {
        // A node that was split over all threads is split over more or fewer.
        *node = Measured { nanos: node.nanos * present as f64 / threads as f64, ..node.clone() };
    }
    let mut costs = step.costs(graph);
    costs.measure(graph, &cluster, &nodes);
    if let Some(nanos) = measured_hop(steps) {
        cluster.measure_hop(nanos);
    }
    measure_copies(&mut cluster, steps);
    let mut placed = place_step(Placer::FirstFit, &request, &cluster, &costs, &step.nodes).map_err(|r| r.error)?;
    let problem = Problem::of_step(&request, &cluster, &costs, step.nodes.clone()).map_err(|r| r.error)?.0;
    Ok(placed.simulated(&problem).makespan)
}

/// The error of a prediction, as a fraction of the measured time.
fn error(row: &Row) -> Option<f64> {
    row.measured.map(|measured| row.expected / measured - 1.0)
}

fn as_text(present: usize, rows: &[Row]) -> String {
    let now = rows.iter().find(|row| row.threads == present).map_or(1.0, |row| row.expected);
    let heading = ["threads", "expected", "speed", "measured", "error"].map(str::to_owned);
    let row = |row: &Row| {
        [
            row.threads.to_string(),
            show::time(row.expected),
            format!("{:.2}x", now / row.expected.max(1.0)),
            row.measured.map(show::time).unwrap_or_default(),
            error(row).map(|error| format!("{:+.0}%", error * 100.0)).unwrap_or_default(),
        ]
    };
    let table: Vec<[String; 5]> = [heading].into_iter().chain(rows.iter().map(row)).collect();
    let mut text = show::table("rrrrr", &table);
    text.push_str(&format!("costs of nodes from steps on {}\n", show::count(present, "thread")));
    if rows.iter().all(|row| row.measured.is_none()) {
        text.push_str("nothing was run to compare with: --check runs steps\n");
    }
    text
}

fn as_json(present: usize, rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "threads": row.threads,
            "expected_ns": row.expected,
            "measured_ns": row.measured,
            "error": error(row),
        })
    };
    json!({
        "costs_from_threads": present,
        "steps": rows.iter().map(row).collect::<Vec<_>>(),
    })
}
