//! `levada replay`

use crate::args::ReplayArgs;
use crate::npy::Archive;
use crate::{elements, model, output, print, show, term};
use levada::recording::{Change, Recording, Replay, Report, Stop, file, replay as repeat};
use levada::{Error, Files, Graph, Result, Session, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Maximum number of differences listed.
const MOST_TOLD: usize = 20;

/// Replays recordings; exit code 1 if a result differs.
///
/// # Errors
/// What is wrong with a recording or the graph, and a node to stop at that does not run.
pub fn replay(args: &ReplayArgs) -> Result<ExitCode> {
    if let Some(path) = &args.out {
        if args.recordings.len() > 1 {
            return Err(Error::invalid("--out takes the results of one recording").help("replay one at a time"));
        }
        output::check("--out", path)?;
    }
    let files = Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?;
    let mut same = true;
    for path in &args.recordings {
        let recording = file::read(path)?;
        let report = one(args, &recording, &files).map_err(|e| e.in_file(&path.display().to_string()))?;
        same &= report.changes.is_empty();
        match args.json {
            true => print(&format!("{}\n", as_json(path, &report))),
            false => print(&text(path, &report)),
        }
        if let Some(out) = &args.out {
            write(out, &recording, &report)?;
        }
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(args: &ReplayArgs, recording: &Recording, files: &Files) -> Result<Report> {
    let graph = args.graph.as_deref().map(|path| Ok(model::open(path, false, &[])?.graph)).transpose()?;
    let request = Replay {
        threads: args.threads.map_or(0, usize::from),
        until: args.until.clone(),
        run: args.run,
        files: files.clone(),
    };
    let open = |graph: Graph, options: SessionOptions| Session::new(graph, options).map(|session| (*session).clone());
    repeat(recording, graph, &levada::registry(), &request, &open)
}

fn text(path: &Path, report: &Report) -> String {
    let path = path.display();
    if let Some(stop) = &report.stopped {
        return format!("{path}: {}", stopped(stop));
    }
    let mut text: String =
        report.changes.iter().take(MOST_TOLD).map(|change| format!("{}\n", sentence(change))).collect();
    if report.changes.len() > MOST_TOLD {
        text.push_str(&format!("... and {} more\n", report.changes.len() - MOST_TOLD));
    }
    let runs = show::count(report.runs, "run");
    let turns = show::count(report.turns, "use");
    let same = match report.changes.len() {
        0 => format!("{} with the same bits", show::count(report.compared, "tensor")),
        n => show::count(n, "difference"),
    };
    text.push_str(&format!("{path}: {runs}, {turns} of state in the recorded order, {same}\n"));
    text
}

fn sentence(change: &Change) -> String {
    match &change.fetch {
        Some(fetch) => format!("run {}: {fetch} {}", change.run, change.what),
        None => format!("run {} {}", change.run, change.what),
    }
}

fn names(stop: &Stop) -> impl Iterator<Item = (String, Option<&Tensor>)> {
    let inputs = stop.inputs.iter().enumerate().map(|(i, t)| (format!("input {i}"), t.as_ref()));
    inputs.chain(stop.outputs.iter().enumerate().map(|(i, t)| (format!("output {i}"), t.as_ref())))
}

fn stopped(stop: &Stop) -> String {
    let mut text = format!("stopped at {} ({}) in run {}", stop.node, stop.op, stop.run);
    for (frame, iteration) in &stop.iterations {
        text.push_str(&format!(", in iteration {iteration} of {frame}"));
    }
    if let Some(function) = &stop.function {
        text.push_str(&format!(", in the function {function}"));
    }
    text.push('\n');
    let known: Vec<(String, Tensor)> = names(stop).filter_map(|(name, t)| Some((name, t?.clone()))).collect();
    text.push_str(&elements::tensors(&known, term::width()));
    for (name, _) in names(stop).filter(|(_, tensor)| tensor.is_none()) {
        text.push_str(&format!("{name}  not a tensor\n"));
    }
    text
}

fn write(path: &Path, recording: &Recording, report: &Report) -> Result<()> {
    output::write(path, |out| {
        let mut archive = Archive::new(out);
        if let Some(stop) = &report.stopped {
            for (name, tensor) in names(stop) {
                if let Some(tensor) = tensor {
                    archive.array(&name, tensor)?;
                }
            }
        }
        for (number, tensors) in &report.fetched {
            let fetches = recording.runs.get(number).map(|run| &run.fetches[..]).unwrap_or_default();
            for (name, tensor) in fetches.iter().zip(tensors) {
                archive.array(&format!("{number}/{name}"), tensor)?;
            }
        }
        archive.finish()
    })
}

fn as_json(path: &Path, report: &Report) -> Value {
    let changes = report.changes.iter().map(|c| json!({"run": c.run, "fetch": c.fetch, "what": c.what}));
    let stopped = report.stopped.as_ref().map(|stop| {
        let tensors = |all: &[Option<Tensor>]| -> Vec<Value> {
            let one = |t: &Tensor| json!({"dtype": t.dtype().name(), "shape": t.shape().dims()});
            all.iter().map(|t| t.as_ref().map_or(Value::Null, one)).collect()
        };
        let iterations = stop.iterations.iter().map(|(frame, n)| json!({"frame": frame, "iteration": n}));
        json!({
            "node": stop.node,
            "op": stop.op,
            "run": stop.run,
            "function": stop.function,
            "iterations": iterations.collect::<Vec<_>>(),
            "inputs": tensors(&stop.inputs),
            "outputs": tensors(&stop.outputs),
        })
    });
    json!({
        "version": 1,
        "file": path.display().to_string(),
        "runs": report.runs,
        "turns": report.turns,
        "turns_left": report.turns_left,
        "compared": report.compared,
        "same": report.changes.is_empty(),
        "changes": changes.collect::<Vec<_>>(),
        "stopped": stopped,
    })
}
