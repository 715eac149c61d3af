//! `levada trace`

mod chrome;

use crate::args::{Exports, TraceArgs};
use crate::feed::{read_input, write_file};
use crate::fit::fit;
use crate::{print, show};
use levada::trace::{Trace, export, file, report};
use levada::{Error, Result, StepTrace};
use serde_json::Value;
use std::process::ExitCode;

/// Reads a trace and prints what was asked for; without flags the times by op and a summary.
///
/// # Errors
/// A file that is not a trace.
pub fn trace(args: &TraceArgs) -> Result<ExitCode> {
    let Trace { mut steps, queues, pipelines } =
        load(&read_input(&args.file)?).map_err(|e| e.file(args.file.display()))?;
    if steps.is_empty() && queues.is_empty() && pipelines.is_empty() {
        return Err(Error::invalid("the trace holds no step").file(args.file.display()));
    }
    if let Some(id) = args.step {
        steps = vec![one(steps, id).map_err(|e| e.file(args.file.display()))?];
    }
    let mut sections: Vec<String> = Vec::new();
    for step in &steps {
        if args.order {
            sections.push(if args.json { export::json_lines(step) } else { report::order(step) });
            if args.devices && !args.json {
                sections.push(report::device_order(step));
            }
        }
        if args.critical_path && has_no_edges(step) {
            return Err(Error::invalid("the trace does not say which nodes depend on which")
                .file(args.file.display())
                .help("a trace that `levada run --trace` writes does"));
        }
        if args.critical_path {
            sections.push(report::critical_path_table(step, &step.edges));
        }
    }
    if args.by_op {
        sections.push(report::by_op_table(&steps));
    }
    if args.queues {
        sections.push(match queues.as_slice() {
            [] => "no queue was used\n".to_owned(),
            queues => report::queues_text(queues),
        });
    }
    if args.pipeline {
        sections.push(match pipelines.as_slice() {
            pipelines if args.json => report::pipelines_json(pipelines),
            [] => "no input pipeline was used\n".to_owned(),
            pipelines => report::pipelines_text(pipelines),
        });
        if !args.json && !args.queues && !queues.is_empty() {
            sections.push(report::queues_text(&queues));
        }
    }
    if args.devices && !args.order {
        sections.push(match report::devices_text(&steps) {
            text if text.is_empty() => "no device with a queue of its own was used\n".to_owned(),
            text => text,
        });
    }
    let Exports(exports) = &args.exports;
    if sections.is_empty() && exports.is_empty() {
        sections.extend(steps.iter().map(summary));
        sections.extend(Some(report::devices_text(&steps)).filter(|text| !text.is_empty()));
        sections.push(report::by_op_table(&steps));
    }
    let trace = Trace { steps, queues, pipelines };
    for (exporter, path) in exports {
        write_file(path, (exporter.write)(&trace).as_bytes())?;
    }
    let text = sections.join("\n");
    print(&if args.json { text } else { fit(&text) });
    Ok(ExitCode::SUCCESS)
}

/// A trace of ours, or what any Chrome trace shows, as one step.
///
/// # Errors
/// For what is not a trace, with what it is where that can be seen.
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

/// The step with this number.
///
/// # Errors
/// `NOT_FOUND` if there is none, with those that there are.
fn one(steps: Vec<StepTrace>, id: u64) -> Result<StepTrace> {
    let ids: Vec<u64> = steps.iter().map(|step| step.step_id).collect();
    steps.into_iter().find(|step| step.step_id == id).ok_or_else(|| {
        let error = Error::not_found(format!("the trace has no step {id}"));
        match ids[..] {
            [] => error.found("queues alone"),
            [only] => error.help(format!("it has step {only} alone")),
            [first, .., last] => error.help(format!("it has {} steps, from {first} to {last}", ids.len())),
        }
    })
}

/// True if nothing is known of who waits for whom.
fn has_no_edges(step: &StepTrace) -> bool {
    step.edges.is_empty() && step.events.len() > 1
}

fn summary(step: &StepTrace) -> String {
    let path = report::critical_path(step, &step.edges);
    let busy: u64 = step.events.iter().map(levada::trace::NodeEvent::duration_ns).sum();
    let on_path: u64 = path.iter().map(|e| e.duration_ns()).sum();
    let failed = step.events.iter().filter_map(|e| Some(format!("failed: {}: {}\n", e.node, e.error.as_ref()?)));
    if has_no_edges(step) {
        return format!(
            "step {} took {}: {} on {}, {} in kernels\n{}",
            step.step_id,
            show::time(step.wall_ns as f64),
            show::count(step.num_nodes(), "node"),
            show::count(step.threads as usize, "track"),
            show::time(busy as f64),
            failed.collect::<String>()
        );
    }
    format!(
        "step {} took {}: {} on {}, {} in kernels, {} of it on the critical path of {}\n{}",
        step.step_id,
        show::time(step.wall_ns as f64),
        show::count(step.num_nodes(), "node"),
        show::count(step.threads as usize, "thread"),
        show::time(busy as f64),
        show::time(on_path as f64),
        show::count(path.len(), "node"),
        failed.collect::<String>()
    )
}
