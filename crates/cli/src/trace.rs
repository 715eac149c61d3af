//! `levada trace`

mod chrome;

use crate::args::{Exports, TraceArgs};
use crate::feed::{read_input, write_file};
use crate::fit::fit;
use crate::{print, show};
use levada::trace::{NodeEvent, Trace, export, file, report};
use levada::{Error, Result, StepTrace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Reads a trace and prints the requested reports; without flags a summary and the times by op.
///
/// # Errors
/// A file that is not a trace.
pub fn trace(args: &TraceArgs) -> Result<ExitCode> {
    let mut trace = load(&read_input(&args.file)?).map_err(|e| e.file(args.file.display()))?;
    if trace.steps.is_empty() && trace.queues.is_empty() && trace.pipelines.is_empty() {
        return Err(Error::invalid("the trace holds no step").file(args.file.display()));
    }
    // A critical path also shows what else the workers did, so it needs all steps even if only one is requested.
    let mut paths = if args.critical_path { report::critical_paths(&trace.steps) } else { Vec::new() };
    if let Some(id) = args.step {
        paths.retain(|path| path.step.step_id == id && path.step.runner.is_empty());
        if !trace.callers().any(|step| step.step_id == id) {
            return Err(one(trace.steps, id)
                .err()
                .map_or_else(|| Error::not_found("no such step"), |e| e.file(args.file.display())));
        }
    }
    let mut sections: Vec<String> = Vec::new();
    if args.critical_path {
        if paths.iter().all(|path| has_no_causes(path.step)) && paths.iter().any(|path| path.step.events.len() > 1) {
            return Err(Error::invalid("the trace does not say which nodes depend on which")
                .file(args.file.display())
                .help("traces written by `levada run --trace` do"));
        }
        sections.push(match &paths[..] {
            paths if args.json => report::critical_paths_json(paths),
            [only] => report::critical_path_table(only),
            paths => {
                let one = "`--step N` shows the path of one step\n";
                format!("{}\n{one}", report::critical_paths_text(paths))
            }
        });
    }
    let critical_path = sections.pop();
    drop(paths);
    if let Some(id) = args.step {
        trace.steps = vec![one(trace.steps, id).map_err(|e| e.file(args.file.display()))?];
    }
    let Trace { steps, queues, pipelines, workers, .. } = &trace;
    if args.order {
        let many = steps.len() > 1;
        let order = |step: &StepTrace| {
            if args.json {
                return export::json_lines(step);
            }
            let mut text = if many { format!("{}\n", step.label()) } else { String::new() };
            text.push_str(&report::order(step));
            if args.devices {
                text.push_str(&format!("\n{}", report::device_order(step)));
            }
            text
        };
        let texts: Vec<String> = steps.iter().map(order).collect();
        sections.push(texts.join(if args.json { "" } else { "\n" }));
    }
    sections.extend(critical_path);
    if args.by_op {
        sections.push(report::by_op_table(steps));
    }
    if args.queues {
        sections.push(match queues.as_slice() {
            queues if args.json => report::queues_json(queues, workers.as_ref()),
            [] => "no queue was used\n".to_owned(),
            queues => report::queues_text(queues, workers.as_ref()),
        });
    }
    if args.pipeline {
        sections.push(match pipelines.as_slice() {
            pipelines if args.json => report::pipelines_json(pipelines),
            [] => "no input pipeline was used\n".to_owned(),
            pipelines => report::pipelines_text(pipelines),
        });
        if !args.json && !args.queues && !queues.is_empty() {
            sections.push(report::queues_text(queues, workers.as_ref()));
        }
    }
    // The device work of runners' steps counts; their time overlaps with that of the callers' steps.
    let with_devices: Vec<StepTrace> =
        steps.iter().filter(|s| s.runner.is_empty() || !s.device_events.is_empty()).cloned().collect();
    if args.devices && !args.order {
        sections.push(match report::devices_text(&with_devices) {
            text if text.is_empty() => "no device with a queue of its own was used\n".to_owned(),
            text => text,
        });
    }
    let Exports(exports) = &args.exports;
    if sections.is_empty() && exports.is_empty() {
        sections.extend(trace.callers().map(summary));
        sections.extend(runners(&trace));
        sections.extend(Some(report::devices_text(&with_devices)).filter(|text| !text.is_empty()));
        sections.push(report::by_op_table(steps));
    }
    for (exporter, path) in exports {
        write_file(path, (exporter.write)(&trace).as_bytes())?;
    }
    let text = sections.join(if args.json { "" } else { "\n" });
    print(&if args.json { text } else { fit(&text) });
    Ok(ExitCode::SUCCESS)
}

/// The activity of queue runners, one line for each node that one runs.
fn runners(trace: &Trace) -> Option<String> {
    let mut runners: BTreeMap<&str, (usize, usize, u64)> = BTreeMap::new();
    for step in trace.steps.iter().filter(|step| !step.runner.is_empty()) {
        let (steps, nodes, busy) = runners.entry(&step.runner).or_default();
        *steps += 1;
        *nodes += step.num_nodes();
        *busy += busy_ns(step);
    }
    let line = |(runner, (steps, nodes, busy)): (&str, (usize, usize, u64))| {
        let (steps, nodes) = (show::count(steps, "step"), show::count(nodes, "node"));
        format!("queue runner of {runner}: {steps} with {nodes}, {} in kernels\n", show::time(busy as f64))
    };
    let mut text: String = runners.into_iter().map(line).collect();
    if trace.steps_left_out > 0 {
        let left_out = show::count(trace.steps_left_out as usize, "step");
        text.push_str(&format!("{left_out} of queue runners, between the first and the last, are not in the trace\n"));
    }
    Some(text).filter(|text| !text.is_empty())
}

fn busy_ns(step: &StepTrace) -> u64 {
    step.events.iter().map(NodeEvent::duration_ns).sum()
}

/// Reads one of our traces, or any Chrome trace as a single step.
///
/// # Errors
/// If it is not a trace, with what it is instead if that can be recognized.
pub fn load(bytes: &[u8]) -> Result<Trace> {
    let error = match file::read(bytes) {
        Ok(trace) => return Ok(trace),
        Err(error) => error,
    };
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else {
        return Err(match bytes {
            [0x1f, 0x8b, ..] => error.help("the file is compressed: gunzip it first"),
            [] => Error::invalid("the file is empty").help(WHENCE),
            _ => error,
        });
    };
    if json.get("levada").is_some() {
        return Err(error);
    }
    if let Some(events) = chrome::events(&json) {
        return Ok(Trace { steps: vec![chrome::step(events)?], ..Trace::default() });
    }
    let has = |key: &str| json.get(key).is_some();
    let (what, help) = if has("node") || has("graphDef") || has("graph_def") {
        ("a graph", "`levada inspect` shows what is in it; `levada run GRAPH --trace FILE.json` writes a trace")
    } else if has("placer") && has("nodes") {
        ("a placement", "`levada place --trace FILE.json` writes the simulated step as a trace")
    } else if has("devStats") || has("dev_stats") || has("stepStats") {
        ("TensorFlow's StepStats", "a Chrome trace of its timeline can be read: `generate_chrome_trace_format()`")
    } else {
        ("JSON of another kind", WHENCE)
    };
    Err(Error::invalid("this is not a trace").expected("an object with \"traceEvents\"").found(what).help(help))
}

const WHENCE: &str = "`levada run GRAPH --trace FILE.json` writes a trace";

/// The caller's step with this number.
///
/// # Errors
/// `NOT_FOUND` if there is none, with the existing ones.
fn one(steps: Vec<StepTrace>, id: u64) -> Result<StepTrace> {
    let (steps, runners): (Vec<StepTrace>, Vec<StepTrace>) = steps.into_iter().partition(|s| s.runner.is_empty());
    let ids: Vec<u64> = steps.iter().map(|step| step.step_id).collect();
    steps.into_iter().find(|step| step.step_id == id).ok_or_else(|| {
        let error = Error::not_found(format!("the trace has no step {id}"));
        match ids[..] {
            [] if runners.is_empty() => error.found("only queues"),
            [] => error.found("only steps of queue runners"),
            [only] => error.help(format!("it has only step {only}")),
            [first, .., last] => error.help(format!("it has {} steps, from {first} to {last}", ids.len())),
        }
    })
}

/// True if the trace does not record which node waits for which.
fn has_no_causes(step: &StepTrace) -> bool {
    step.edges.is_empty() && step.events.iter().all(|e| e.released_by.is_empty())
}

fn summary(step: &StepTrace) -> String {
    let failed = step.events.iter().filter_map(|e| Some(format!("failed: {}: {}\n", e.node, e.error.as_ref()?)));
    let failed: String = failed.collect();
    let (took, nodes) = (show::time(step.wall_ns as f64), show::count(step.num_nodes(), "node"));
    let busy = show::time(busy_ns(step) as f64);
    if has_no_causes(step) && step.events.len() > 1 {
        let tracks = show::count(step.threads as usize, "track");
        return format!("step {} took {took}: {nodes} on {tracks}, {busy} in kernels\n{failed}", step.step_id);
    }
    let path = report::critical_path(step);
    format!(
        "step {} took {took}: {nodes} on {}, {busy} in kernels, {} of it on the critical path of {}\n{failed}",
        step.step_id,
        show::count(step.threads as usize, "thread"),
        show::time(path.spent().kernel_ns as f64),
        show::count(path.nodes.len(), "node"),
    )
}
