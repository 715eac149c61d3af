//! `levada bench`

use crate::args::BenchArgs;
use crate::feed::write_file;
use crate::prepare::{Prepared, Spread, prepare};
use crate::{npy, print, show};
use levada::trace::{self, Trace, report};
use levada::{Error, Result, StepTrace};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long to warm up: caches, the allocator, measured costs of nodes, the processor's clock.
const WARM_UP: Duration = Duration::from_millis(300);
/// How long to measure where the number of runs is not given.
const MEASURE: Duration = Duration::from_secs(2);
const LEAST_RUNS: usize = 10;
const MOST_RUNS: usize = 1_000_000;
/// Events that a trace holds, and steps.
const MOST_EVENTS: usize = 200_000;
const MOST_TRACED: usize = 9;

/// Times the prepared callable.
///
/// # Errors
/// What is wrong with the graph, a feed or a run.
pub fn bench(args: &BenchArgs) -> Result<ExitCode> {
    if args.step.fetch.is_empty() && args.step.target.is_empty() {
        return Err(Error::invalid("nothing to time").help("name something with --fetch or --target"));
    }
    let prepared = prepare(&args.step, args.trace.is_some())?;
    let step = || prepared.callable.run_with(&prepared.options, &prepared.feeds).0;
    let start = Instant::now();
    let mut warm_ups = 0;
    while warm_ups < 3 || (start.elapsed() < WARM_UP && warm_ups < MOST_RUNS) {
        step()?;
        warm_ups += 1;
    }
    let mut times: Vec<f64> = Vec::with_capacity(args.steps.map_or(1 << 16, |n| n.min(1 << 20) as usize));
    let mut fetched = Vec::new();
    let start = Instant::now();
    while match args.steps {
        Some(n) => (times.len() as u64) < n,
        None => times.len() < LEAST_RUNS || (start.elapsed() < MEASURE && times.len() < MOST_RUNS),
    } {
        // The last results are given back before the clock starts, as a caller's loop would.
        drop(std::mem::take(&mut fetched));
        let start = Instant::now();
        fetched = step()?;
        times.push(start.elapsed().as_nanos() as f64);
    }
    let runs = times.len();
    let spread = Spread::of(times);
    let nodes = prepared.callable.plan().nodes.len();
    let memory = peak_rss_mb();
    if args.json {
        let object = serde_json::json!({
            "median_us": micros(spread.median),
            "min_us": micros(spread.min),
            "max_us": micros(spread.max),
            "runs": runs,
            "nodes": nodes,
            "load_ms": millis(prepared.load),
            "compile_ms": millis(prepared.compile),
            "peak_rss_mb": memory,
        });
        print(&format!("{object}\n"));
    } else {
        let row = |name: &str, value: String| [name.to_owned(), value];
        let mut rows = vec![
            row("median", show::time(spread.median)),
            row("min", show::time(spread.min)),
            row("max", show::time(spread.max)),
            row("runs", runs.to_string()),
            row("nodes", format!("{nodes} of {}", prepared.graph_nodes)),
            row("threads", prepared.callable.session().env().pool.threads().to_string()),
            row("load", show::time(prepared.load.as_nanos() as f64)),
            row("compile", show::time(prepared.compile.as_nanos() as f64)),
        ];
        rows.extend(memory.map(|mb| row("peak memory", format!("{mb:.1} MB"))));
        print(&show::table("ll", &rows));
    }
    if let Some(path) = &args.trace {
        let steps = traced(&prepared)?;
        let devices = report::devices_text(&steps);
        if !args.json && !devices.is_empty() {
            print(&format!("\nin {} with a trace:\n{devices}", show::count(steps.len(), "step")));
        }
        let trace = Trace { steps, queues: prepared.callable.session().queue_traces() };
        write_file(path, trace::file::write(&trace).as_bytes())?;
    }
    if let Some(path) = &args.out {
        write_file(path, &npy::write_npz(&prepared.named(fetched))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Traces of some steps: the more, the fewer nodes they have. The first one, which warms up the recorder, is not kept.
fn traced(prepared: &Prepared) -> Result<Vec<StepTrace>> {
    let step = || -> Result<StepTrace> {
        let (result, step) = prepared.traced();
        result?;
        step.ok_or_else(|| Error::internal("a traced step has no trace"))
    };
    let events = step()?.events.len();
    (0..(MOST_EVENTS / events.max(1)).clamp(1, MOST_TRACED)).map(|_| step()).collect()
}

/// Microseconds with three digits after the point.
fn micros(ns: f64) -> f64 {
    ns.round() / 1e3
}

/// Milliseconds with three digits after the point.
fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// The most memory that this process has had, where the system says so.
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kib * 1024.0 / 1e5).round() / 10.0)
}
