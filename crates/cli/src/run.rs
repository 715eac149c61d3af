//! `levada run`

use crate::args::RunArgs;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{self, Format, write_file};
use crate::prepare::{Prepared, Spread, Then, prepare_run};
use crate::restore::Checkpoints;
use crate::results::{self, Results};
use crate::runners::Runners;
use crate::steps::Steps;
use crate::summaries::Summaries;
use crate::{elements, model, nan, plain, show, term};
use levada::recording::Recorder;
use levada::session::Session;
use levada::trace;
use levada::{Callable, Code, DType, Error, Result, RunOptions, StepTrace, Tensor};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Maximum number of events and edges in a trace, not counting the last step.
const MOST_EVENTS: usize = 1_000_000;

/// Runs the steps and the run after them; shows the values fetched in the last step and afterwards.
///
/// # Errors
/// What is wrong with the graph, a feed or the run.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    with(args, None)
}

/// The recorder of a run, and a function that is called with the session afterwards.
pub type Recording<'a> = (&'a Recorder, &'a dyn Fn(&Session) -> Result<String>);

/// As [`run`]; `record` records it.
///
/// # Errors
/// As [`run`], and the errors of the function of `record`.
pub fn with(args: &RunArgs, record: Option<Recording<'_>>) -> Result<ExitCode> {
    let then = &args.then;
    let asked = [&args.step.fetch, &args.step.target, &args.step.init, &then.then_fetch, &then.then_target];
    let by_signature = args.step.signature.is_some() || model::has_signatures(&args.step.graph);
    let copies = args.checkpoints.restore.is_some() && args.checkpoints.save.is_some();
    if asked.iter().all(|names| names.is_empty()) && !by_signature && !copies {
        return Err(Error::invalid("nothing to run")
            .help("name something with --fetch or --target; `levada inspect` lists what there is"));
    }
    let interrupt = Interrupt::listen()?;
    let (format, faults) = check_files(args);
    let (mut prepared, then) = prepare_run(args, record.map(|(recorder, _)| recorder), interrupt.token(), faults)?;
    let summaries =
        args.summaries.as_deref().map(|directory| Summaries::begin(directory, &mut prepared)).transpose()?;
    let checkpoints = Checkpoints::prepare(&args.checkpoints, &prepared.callable.session())?;
    let traces = Traces::default();
    let mut run = Run { args, prepared, interrupt, traces, results: None, summaries, checkpoints };
    if let (Some(path), Some(format)) = (&args.out, format) {
        run.results = Some(run.results(path, format, then.as_ref())?);
    }
    let done = run.all(then.as_ref()).map_err(|e| nan::keep(args, run.prepared.advise(e, &args.step)));
    match record.map(|(_, keep)| keep(&run.prepared.callable.session())) {
        None => done,
        Some(Ok(text)) => {
            match done.is_ok() {
                true => run.say(&text),
                false => term::note(&format!("before the error below: {text}")),
            }
            done
        }
        // The error of the run comes first.
        Some(Err(error)) => done.and(Err(error)),
    }
}

/// The format of `--out`, and what is wrong with the output files.
fn check_files(args: &RunArgs) -> (Option<Format>, Vec<Error>) {
    let files = [("--out", &args.out), ("--trace", &args.trace), ("--waiting", &args.step.waiting)];
    let files: Vec<(&str, &Path)> = files.iter().filter_map(|(flag, path)| Some((*flag, path.as_deref()?))).collect();
    let mut faults = output::check_all(&files, &args.step.graph);
    faults.extend(nan::check(args).err());
    let format = args.out.as_deref().and_then(|path| Format::of(path, "--out").map_err(|e| faults.push(e)).ok());
    (format, faults)
}

/// A run, from the first step to the files written after the last.
struct Run<'a> {
    args: &'a RunArgs,
    prepared: Prepared,
    interrupt: Interrupt,
    traces: Traces,
    results: Option<Results>,
    summaries: Option<Summaries>,
    checkpoints: Option<Checkpoints>,
}

/// How the steps ended.
struct Ended {
    /// Their times in nanoseconds.
    times: Vec<f64>,
    /// The values fetched in the last step.
    fetched: Vec<Tensor>,
    /// Why there were fewer than requested.
    early: Option<String>,
    /// The error of a failed step.
    fault: Option<Error>,
}

impl Run<'_> {
    fn results(&self, path: &Path, format: Format, then: Option<&Then>) -> Result<Results> {
        let results = Results::new(path, format, self.args.out_all, &self.prepared.fetches);
        let afterwards = then.map_or(&[][..], |then| &then.fetches);
        let mut dtypes = dtypes(&self.prepared.callable, &self.prepared.fetches);
        dtypes.extend(then.map(dtypes_of).unwrap_or_default());
        results.check(afterwards, &dtypes)?;
        Ok(results)
    }

    fn all(&mut self, then: Option<&Then>) -> Result<ExitCode> {
        let started = self.start();
        let (ended, runners) = match started {
            Ok(Some(runners)) => (self.steps(runners.as_ref()), runners),
            // A run that is interrupted before the first step has no results.
            Ok(None) => return Ok(self.nothing_ran()),
            Err(_) if self.interrupt.asked() => return Ok(self.nothing_ran()),
            Err(error) => return Err(error),
        };
        let saved = self.save(&ended);
        let afterwards = match (&ended.fault, then) {
            (None, Some(then)) => {
                let options = RunOptions { cancel: None, ..self.prepared.options.clone() };
                then.run(&options)
            }
            _ => Ok(Vec::new()),
        };
        // An error that stopped a runner is the cause of later failures.
        let stopped = runners.map_or(Ok(()), Runners::stop);
        let (afterwards, late) = match afterwards {
            Ok(afterwards) => (afterwards, stopped.err()),
            Err(error) => (Vec::new(), Some(stopped.err().unwrap_or(error))),
        };
        // The existing results are written in any case: they may have taken long to compute.
        let fault = ended.fault.clone().or(late);
        let ran = ended.times.len();
        if fault.is_none() {
            self.show(&ended, &afterwards, then);
        }
        let mut faults: Vec<Error> = fault.into_iter().collect();
        match saved {
            Ok(text) => self.say(&text),
            Err(error) => faults.push(error),
        }
        let failed = !faults.is_empty();
        match self.write_trace() {
            Ok(Some(text)) if !failed => self.say(&text),
            Ok(_) => {}
            Err(error) => faults.push(error),
        }
        if let Some(results) = self.results.take().filter(|_| ran > 0 || !failed) {
            match results.write(&afterwards) {
                Ok(text) if failed => term::note(&format!("before the error below: {text}")),
                Ok(text) => self.say(&text),
                Err(error) => faults.push(error),
            }
        }
        match self.summaries.take().map(Summaries::finish).transpose() {
            Ok(Some(text)) if !failed => self.say(&text),
            Ok(_) => {}
            Err(error) => faults.push(error),
        }
        match Error::join(faults) {
            Some(error) => Err(error),
            None if self.interrupt.asked() => Ok(INTERRUPTED.into()),
            None => Ok(ExitCode::SUCCESS),
        }
    }

    /// Initializes, and starts the queue runners if requested. `None` if that was interrupted.
    fn start(&self) -> Result<Option<Option<Runners>>> {
        if self.interrupt.asked() {
            return Ok(None);
        }
        self.prepared.initialize()?;
        let restore = || match &self.checkpoints {
            Some(checkpoints) => checkpoints.restore(&self.prepared.callable.session()).map(|text| self.say(&text)),
            None => Ok(()),
        };
        if self.args.trace.is_some() {
            self.prepared.callable.session().trace_queue_runners(MOST_EVENTS);
        }
        let runners = match self.args.queue_runners {
            true => Some(Runners::start(&self.prepared, &self.args.step.init, restore)?),
            false => restore().map(|()| None)?,
        };
        Ok(Some(runners))
    }

    /// Saves the variables after the last step, if requested, unless a step failed: it may have left them half changed.
    fn save(&self, ended: &Ended) -> Result<String> {
        let Some(checkpoints) = &self.checkpoints else { return Ok(String::new()) };
        match ended.fault {
            Some(_) => checkpoints.wait().map(|()| String::new()),
            None => checkpoints.finish(&self.prepared.callable.session(), ended.times.len() as u64),
        }
    }

    fn nothing_ran(&self) -> ExitCode {
        term::note("interrupted before the first step\n");
        INTERRUPTED.into()
    }

    fn steps(&mut self, runners: Option<&Runners>) -> Ended {
        let mut ended = Ended { times: Vec::new(), fetched: Vec::new(), early: None, fault: None };
        if self.prepared.fetches.is_empty() && self.args.step.fetch.is_empty() && self.args.step.target.is_empty() {
            return ended;
        }
        let mut batches = self.prepared.batches.take();
        let open = runners.is_some();
        let of_batches = batches.as_ref().map(|b| b.count());
        let asked = self.args.steps.or(of_batches.flatten());
        let steps = asked.or(if open { None } else { Some(1) });
        let shown = Steps::new(self.args, steps);
        let mut feeds = self.prepared.feeds.clone();
        for step in 1..=steps.unwrap_or(u64::MAX) {
            if self.interrupt.asked() {
                ended.early = Some("interrupted".to_owned());
                break;
            }
            let writes = self.results.is_some() || self.args.trace.is_some() || self.summaries.is_some();
            if term::reader_is_gone() && !writes {
                break;
            }
            if let Some(batches) = &mut batches {
                match batches.next(&self.prepared.feeds) {
                    Ok(Some(batch)) => feeds = batch,
                    Ok(None) => {
                        ended.early = Some(format!("{} ended", batches.describe()));
                        break;
                    }
                    Err(error) => {
                        ended.fault = Some(error);
                        break;
                    }
                }
            }
            let start = Instant::now();
            let (result, recorded) = self.prepared.step(&feeds, self.args.trace.is_some());
            let time = start.elapsed();
            let kept = match result {
                Ok(mut values) => {
                    let written = match &mut self.summaries {
                        Some(summaries) => summaries.add(step, &self.prepared, &values, recorded.as_ref()),
                        None => Ok(()),
                    };
                    values.truncate(self.prepared.fetches.len());
                    ended.fetched = values;
                    let session = self.prepared.callable.session();
                    let saved = self.checkpoints.as_mut().map_or(Ok(()), |c| c.after_step(&session, step));
                    let kept = self.results.as_mut().map_or(Ok(()), |results| results.add(&ended.fetched));
                    written.and(saved).and(kept)
                }
                Err(error) => Err(error),
            };
            self.traces.add(recorded.map(|trace| StepTrace { step_id: step, ..trace }));
            if let Err(error) = kept {
                let cause = runners.and_then(Runners::fault);
                if self.interrupt.asked() && error.code() == Code::Cancelled {
                    ended.early = Some(format!("interrupted; step {step} was cancelled"));
                } else if step > 1 && error.code() == Code::OutOfRange && cause.is_none() {
                    ended.early = Some("the input ended".to_owned());
                } else {
                    ended.fault = Some(cause.unwrap_or(error));
                }
                break;
            }
            ended.times.push(time.as_nanos() as f64);
            shown.done(step, &self.prepared, &ended.fetched);
        }
        shown.finish();
        // Without a number of steps the end of the input is the requested end; an interrupt is not.
        if ended.early.is_some() && self.args.steps.is_none() && !self.interrupt.asked() {
            ended.early = None;
        }
        ended
    }

    /// Prints the fetched values and a summary of the steps.
    fn show(&self, ended: &Ended, afterwards: &[(String, Tensor)], then: Option<&Then>) {
        let then_ran = then.map_or(&[][..], |then| &then.ran);
        if self.args.json {
            if let Some(then) = then {
                let mut text = "{\"then\": ".to_owned();
                let values = afterwards.iter().map(|(name, tensor)| (name.as_str(), Some(tensor)));
                plain::object(values.chain(then.ran.iter().map(|name| (name.as_str(), None))), &mut text);
                term::print(&(text + "}\n"));
            }
        } else {
            let mut named = self.prepared.named(ended.fetched.clone());
            named.retain(|(name, _)| afterwards.iter().all(|(later, _)| later != name));
            named.extend(afterwards.iter().cloned());
            let mut text = elements::tensors(&named, term::width());
            // Without a step, only the initialization ran.
            let before = if ended.times.is_empty() { &self.args.step.init[..] } else { &[] };
            for name in before.iter().chain(&self.prepared.ran).chain(then_ran) {
                text.push_str(&format!("{name}  ran\n"));
            }
            self.say(&text);
            if !text.is_empty() {
                self.say("\n");
            }
        }
        self.say(&self.summary(ended));
    }

    /// `1 step in 3.21 ms; 27 nodes on 2 threads; graph loaded in 5.12 ms, compiled in 1.03 ms`.
    fn summary(&self, ended: &Ended) -> String {
        let steps = ended.times.len();
        let spread = Spread::of(ended.times.clone());
        let took = match steps {
            0 => String::new(),
            1 => format!(" in {}", show::time(spread.median)),
            _ => format!(
                ", each in {} (median; {} to {})",
                show::time(spread.median),
                show::time(spread.min),
                show::time(spread.max)
            ),
        };
        let count = match (&ended.early, self.args.steps) {
            (Some(why), Some(asked)) => format!("{steps} of {}: {why}", show::count(asked as usize, "step")),
            (Some(why), None) => format!("{}: {why}", show::count(steps, "step")),
            (None, _) => show::count(steps, "step"),
        };
        let text = match &ended.early {
            Some(_) if steps > 0 => {
                format!("{count}; a step took{}", took.replace(", each in", "").replace(" in ", " "))
            }
            _ => format!("{count}{took}"),
        };
        let prepared = &self.prepared;
        format!(
            "{text}; {} on {}; loaded in {}, compiled in {}\n",
            show::count(prepared.callable.plan().nodes.len(), "node"),
            show::count(prepared.callable.session().env().pool.threads(), "thread"),
            show::time(prepared.load.as_nanos() as f64),
            show::time(prepared.compile.as_nanos() as f64)
        )
    }

    /// Prints text for users: on standard output, with `--json` on standard error, with `--quiet` nowhere.
    fn say(&self, text: &str) {
        match (self.args.quiet, self.args.json) {
            (true, _) => {}
            (false, true) => term::note(text),
            (false, false) => term::print(text),
        }
    }

    fn write_trace(&mut self) -> Result<Option<String>> {
        let Some(path) = &self.args.trace else { return Ok(None) };
        let Traces { mut steps, last, left_out, .. } = std::mem::take(&mut self.traces);
        steps.extend(last);
        let trace = self.prepared.callable.session().trace_with(steps);
        write_file(path, trace::file::write(&trace).as_bytes())?;
        let path = path.display();
        let nodes = trace.callers().map(StepTrace::num_nodes).sum();
        let mut what = show::count(nodes, "node");
        let steps = trace.callers().count();
        if steps > 1 {
            what.push_str(&format!(" in {}", show::count(steps, "step")));
        }
        let of_runners = trace.steps.len() - steps;
        if of_runners > 0 {
            what.push_str(&format!(" and {} of queue runners", show::count(of_runners, "step")));
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
}

/// Names and dtypes of a run's fetches.
fn dtypes(callable: &Callable, fetches: &[String]) -> Vec<(String, DType)> {
    let graph = callable.session().graph();
    let dtype = |name: &String| Some((name.clone(), graph.endpoint_type(graph.endpoint(name).ok()?)?.dtype));
    fetches.iter().filter_map(dtype).collect()
}

fn dtypes_of(then: &Then) -> Vec<(String, DType)> {
    dtypes(then.callable(), &then.fetches)
}

/// The traces of the steps; of very many only the first ones and the last.
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

/// The line that `--json` prints for a step.
pub fn json_line(step: u64, prepared: &Prepared, values: &[Tensor]) -> String {
    let mut text = String::new();
    let fetched = prepared.fetches.iter().zip(values).map(|(name, tensor)| (name.as_str(), Some(tensor)));
    let ran = prepared.ran.iter().map(|name| (name.as_str(), None));
    results::line(step, fetched.chain(ran), &mut text);
    text + "\n"
}
