//! `levada run`

use crate::args::RunArgs;
use crate::feed::write_file;
use crate::prepare::{Prepared, Spread, Then, prepare};
use crate::runners::Runners;
use crate::{npy, print, show};
use indicatif::{ProgressBar, ProgressStyle};
use levada::trace::{self, Trace};
use levada::{Code, Error, Result, StepTrace, Tensor};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Events and edges that a trace holds, at most, the last step aside.
const MOST_EVENTS: usize = 1_000_000;
/// Lines that tell about steps under way, at most.
const REPORTS: u64 = 20;

/// Runs the steps and what is to run after them; shows what was fetched in the last step and afterwards.
///
/// # Errors
/// What is wrong with the graph, a feed or the run.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    if args.step.fetch.is_empty() && args.step.target.is_empty() && args.step.init.is_empty() {
        return Err(Error::invalid("nothing to run")
            .help("name something with --fetch or --target; `levada inspect` lists what there is"));
    }
    let prepared = prepare(&args.step, args.trace.is_some())?;
    let then = Then::prepare(&args.then, &prepared)?;
    let runners = if args.queue_runners { Some(Runners::start(&prepared, &args.step.init)?) } else { None };
    let steps = args.steps.or(if runners.is_some() { None } else { Some(1) });
    let bar = progress(steps);
    let mut times = Vec::new();
    let mut fetched = Vec::new();
    let mut steps_traced = Traces::default();
    for step in 1..=steps.unwrap_or(u64::MAX) {
        let start = Instant::now();
        let (result, recorded) = match args.trace {
            Some(_) => prepared.traced(),
            None => (prepared.callable.run_with(&prepared.options, &prepared.feeds).0, None),
        };
        match result {
            Ok(values) => {
                fetched = values;
                steps_traced.add(recorded);
            }
            Err(error) => {
                let at_end = runners.is_some() && step > 1 && error.code() == Code::OutOfRange;
                let cause = runners.as_ref().and_then(Runners::fault);
                if at_end && cause.is_none() {
                    break;
                }
                bar.finish_and_clear();
                // The trace of a failed step shows how far it got.
                steps_traced.add(recorded);
                write_trace(args, &prepared, steps_traced)?;
                return Err(cause.unwrap_or(error));
            }
        }
        times.push(start.elapsed().as_nanos() as f64);
        bar.inc(1);
        report(steps, step, &prepared, &fetched, &bar);
    }
    bar.finish_and_clear();
    let afterwards = then.map_or(Ok(Vec::new()), |then| then.run(&prepared.options));
    if let Some(runners) = runners {
        // What stopped a runner is the cause of what fails afterwards.
        runners.stop()?;
    }
    let afterwards = afterwards?;

    let mut named = prepared.named(fetched);
    named.retain(|(name, _)| afterwards.iter().all(|(later, _)| later != name));
    named.extend(afterwards);
    print(&show::tensors(&named));
    if !named.is_empty() {
        print("\n");
    }
    print(&summary(&prepared, times));
    if let Some(text) = write_trace(args, &prepared, steps_traced)? {
        print(&text);
    }
    if let Some(path) = &args.out {
        write_file(path, &npy::write_npz(&named)?)?;
        print(&format!("{} in {}\n", show::count(named.len(), "array"), path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// `1 step in 3.21 ms; 27 nodes on 2 threads; graph loaded in 5.12 ms, compiled in 1.03 ms`.
fn summary(prepared: &Prepared, times: Vec<f64>) -> String {
    let steps = times.len();
    let spread = Spread::of(times);
    let time = match steps {
        1 => format!("1 step in {}", show::time(spread.median)),
        n => format!(
            "{n} steps, each in {} (median; {} to {})",
            show::time(spread.median),
            show::time(spread.min),
            show::time(spread.max)
        ),
    };
    format!(
        "{time}; {} on {}; loaded in {}, compiled in {}\n",
        show::count(prepared.callable.plan().nodes.len(), "node"),
        show::count(prepared.callable.session().env().pool.threads(), "thread"),
        show::time(prepared.load.as_nanos() as f64),
        show::time(prepared.compile.as_nanos() as f64)
    )
}

/// The traces of the steps, of very many only those of the first ones and the last.
#[derive(Default)]
struct Traces {
    steps: Vec<StepTrace>,
    held: usize,
    last: Option<StepTrace>,
    left_out: usize,
}

impl Traces {
    fn add(&mut self, step: Option<StepTrace>) {
        let Some(step) = step else { return };
        self.held += step.events.len() + step.edges.len();
        if self.held <= MOST_EVENTS {
            self.steps.push(step);
        } else if self.last.replace(step).is_some() {
            self.left_out += 1;
        }
    }
}

fn write_trace(args: &RunArgs, prepared: &Prepared, traces: Traces) -> Result<Option<String>> {
    let Some(path) = &args.trace else { return Ok(None) };
    let Traces { mut steps, last, left_out, .. } = traces;
    steps.extend(last);
    let trace = Trace { steps, queues: prepared.callable.session().queue_traces() };
    write_file(path, trace::file::write(&trace).as_bytes())?;
    let path = path.display();
    let nodes = trace.steps.iter().map(StepTrace::num_nodes).sum();
    let mut what = show::count(nodes, "node");
    if trace.steps.len() > 1 {
        what.push_str(&format!(" in {}", show::count(trace.steps.len(), "step")));
    }
    if left_out > 0 {
        what.push_str(&format!(" ({} before the last left out)", show::count(left_out, "step")));
    }
    let (verb, queues) = match trace.queues.len() {
        0 => ("--order", String::new()),
        n => ("--queues", format!(" and {}", show::count(n, "queue"))),
    };
    Ok(Some(format!(
        "trace of {what}{queues} in {path}: `levada trace {path} {verb}`, or open it in ui.perfetto.dev\n"
    )))
}

/// In a long run now and then a line with the scalars that are fetched, so that a loss can be seen to fall.
fn report(steps: Option<u64>, step: u64, prepared: &Prepared, values: &[Tensor], bar: &ProgressBar) {
    let shown = match steps {
        Some(1) => false,
        Some(steps) => step == 1 || step == steps || step.is_multiple_of(steps.div_ceil(REPORTS)),
        // 1 to 10, 20, 30 and so on to 100, 200 ...
        None => step.is_multiple_of(10u64.pow(step.saturating_sub(1).max(1).ilog10())),
    };
    if !shown {
        return;
    }
    let scalars = prepared.fetches.iter().zip(values).filter(|(_, v)| v.shape().is_scalar());
    let text: Vec<String> = scalars.map(|(name, v)| format!("{name} {}", show::value(v))).collect();
    if !text.is_empty() {
        let width = steps.map_or(6, |steps| steps.to_string().len());
        bar.suspend(|| print(&format!("step {step:>width$}  {}\n", text.join("  "))));
    }
}

/// A bar on a terminal once a run takes long; nothing in a pipe.
fn progress(steps: Option<u64>) -> ProgressBar {
    let (bar, style) = match steps {
        Some(1) => return ProgressBar::hidden(),
        Some(steps) => (ProgressBar::new(steps), "{bar:30} step {pos}/{len}  {per_sec}  {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} step {pos}  {per_sec}"),
    };
    let style = ProgressStyle::with_template(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
