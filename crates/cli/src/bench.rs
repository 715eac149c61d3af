//! `levada bench`: times steps of one caller, or of several concurrent ones.

mod callers;
mod requests;
mod times;

use crate::args::BenchArgs;
use crate::feed::write_file;
use crate::prepare::{Prepared, prepare};
use crate::runners::Runners;
use crate::{model, npy, print, show};
use levada::trace::{self, report};
use levada::{Code, Error, Result, StepTrace, Tensor};
use requests::Requests;
use serde_json::{Map, Value, json};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use times::Times;

/// How long to warm up: caches, the allocator, measured costs of nodes, the processor's clock.
const WARM_UP: Duration = Duration::from_millis(300);
/// How long to measure if the number of runs is not given.
const MEASURE: Duration = Duration::from_secs(2);
const LEAST_RUNS: usize = 10;
const MOST_RUNS: usize = 1_000_000;
/// Maximum number of events and of steps in a trace.
const MOST_EVENTS: usize = 200_000;
const MOST_TRACED: usize = 9;

/// Whether the input of queue runners has ended, which is not a fault.
pub struct Ending {
    runners: Option<Runners>,
    /// True once a run has reached the end of the input. It protects nothing.
    seen: AtomicBool,
}

impl Ending {
    /// True if a run failed only because the input has ended.
    pub fn is_end(&self, error: &Error) -> bool {
        let runners = self.runners.as_ref().filter(|_| error.code() == Code::OutOfRange);
        let ended = runners.is_some_and(|runners| runners.fault().is_none());
        self.seen.fetch_or(ended, Ordering::Relaxed);
        ended
    }

    /// True once that has happened.
    pub fn reached(&self) -> bool {
        self.seen.load(Ordering::Relaxed)
    }

    /// The error to report for a failed run: the runner's fault if that is the cause.
    fn cause(&self, error: Error) -> Error {
        self.runners.as_ref().and_then(Runners::fault).unwrap_or(error)
    }
}

/// Times the prepared callable.
///
/// # Errors
/// What is wrong with the graph, a feed or a run.
pub fn bench(args: &BenchArgs) -> Result<ExitCode> {
    let by_signature = args.step.signature.is_some() || model::has_signatures(&args.step.graph);
    if args.step.fetch.is_empty() && args.step.target.is_empty() && !by_signature {
        return Err(Error::invalid("nothing to time").help("name something with --fetch or --target"));
    }
    // A caller between two runs may produce what the runs of the others wait for, which the session cannot know.
    let concurrent = args.callers.is_some_and(|n| n > 1);
    let prepared = prepare(&args.step, args.trace.is_some(), concurrent)?;
    let requests = Requests::of(args, &prepared)?;
    let start = || Runners::start(&prepared, &args.step.init, || Ok(()));
    let runners = if args.queue_runners { Some(start()?) } else { None };
    let ending = Ending { runners, seen: AtomicBool::new(false) };
    let measured = measure(args, &prepared, &requests, &ending).map_err(|e| ending.cause(e));
    let stopped = ending.runners.map_or(Ok(()), Runners::stop);
    let fetched = measured?;
    stopped?;
    if let Some(path) = &args.out {
        write_file(path, &npy::write_npz(&prepared.named(fetched))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Warms up, measures, prints and writes the trace; returns the values that the last run fetched.
fn measure(args: &BenchArgs, prepared: &Prepared, requests: &Requests, ending: &Ending) -> Result<Vec<Tensor>> {
    let start = Instant::now();
    let mut fetched = Vec::new();
    let mut warm_ups = 0;
    // A finite input is not consumed more than needed.
    let endless = ending.runners.is_none();
    while match args.warm_up {
        Some(n) => warm_ups < n as usize,
        None => warm_ups < 3 || (endless && start.elapsed() < WARM_UP && warm_ups < MOST_RUNS),
    } {
        fetched = match requests.round() {
            Ok(round) => round.fetched,
            Err(error) if ending.is_end(&error) => {
                return Err(Error::new(Code::OutOfRange, "the input ended while warming up")
                    .found(show::count(warm_ups, "run"))
                    .help("give the queue more input, such as more epochs"));
            }
            Err(error) => return Err(error),
        };
        warm_ups += 1;
    }
    let mut object = Map::new();
    if let Some(most) = args.callers {
        let levels = callers::measure(requests, most.into(), args.steps, ending)?;
        let threads = prepared.callable.session().env().pool.threads();
        let advice = callers::advice(&levels, threads);
        if args.json {
            object.insert("callers".to_owned(), callers::json(&levels));
            object.insert("best_callers".to_owned(), callers::best(&levels).map(|l| l.callers).into());
            object.insert("advice".to_owned(), advice.into());
        } else {
            print(&format!("{}\n{advice}\n\n", callers::table(&levels)));
        }
    } else {
        let last = one_caller(args, requests, ending, &mut object)?;
        fetched = last.unwrap_or(fetched);
    }
    about(args, prepared, object);
    if ending.reached() && !args.json {
        print("the input ended\n");
    }
    write_trace(args, prepared, ending)?;
    Ok(fetched)
}

/// Measures one caller; prints, or fills in the object. Returns the values that the last run fetched.
fn one_caller(
    args: &BenchArgs,
    requests: &Requests,
    ending: &Ending,
    object: &mut Map<String, Value>,
) -> Result<Option<Vec<Tensor>>> {
    let room = args.steps.map_or(1 << 16, |n| n.min(1 << 20) as usize);
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(room); requests.len()];
    let mut fetched = None;
    let start = Instant::now();
    let mut done = 0;
    while match args.steps {
        Some(n) => (done as u64) < n,
        None => done < LEAST_RUNS || (start.elapsed() < MEASURE && done < MOST_RUNS),
    } {
        // The last results are dropped before the clock starts, as in a caller's loop.
        drop(fetched.take());
        let round = match requests.round() {
            Ok(round) => round,
            Err(error) if ending.is_end(&error) => break,
            Err(error) => return Err(error),
        };
        times.iter_mut().zip(&round.times).for_each(|(times, &time)| times.push(time));
        fetched = Some(round.fetched);
        done += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    let rounds = Times::new((0..done).map(|i| times.iter().map(|t| t[i]).sum()).collect());
    let parts: Vec<Times> = times.into_iter().map(Times::new).collect();
    let per_second = done as f64 / seconds.max(1e-9);
    if args.json {
        object.extend(parts[0].json());
        object.insert("runs_per_s".to_owned(), json!((per_second * 1e3).round() / 1e3));
        if let Some(also) = parts.get(1) {
            object.insert("also".to_owned(), also.json().into());
            object.insert("both".to_owned(), rounds.json().into());
        }
        return Ok(fetched);
    }
    let row = |name: &str, times: &Times| {
        let shares = [0.5, 0.9, 0.99, 0.0, 1.0].map(|share| show::time(times.at(share)));
        let [median, p90, p99, min, max] = shares;
        [name.to_owned(), median, p90, p99, min, max]
    };
    let mut rows = vec![["", "median", "p90", "p99", "min", "max"].map(str::to_owned)];
    match &parts[..] {
        [step, also] => rows.extend([row("step", step), row("also", also), row("both", &rounds)]),
        _ => rows.push(row("step", &rounds)),
    }
    print(&format!("{}\n", show::table("lrrrrr", &rows)));
    print(&show::table("ll", &[["runs".to_owned(), format!("{done}, {} a second", callers::rate(per_second))]]));
    Ok(fetched)
}

/// Prints the facts that do not depend on the measured runs.
fn about(args: &BenchArgs, prepared: &Prepared, mut object: Map<String, Value>) {
    let nodes = prepared.callable.plan().nodes.len();
    let memory = peak_rss_mb();
    if args.json {
        object.insert("nodes".to_owned(), nodes.into());
        object.insert("load_ms".to_owned(), millis(prepared.load).into());
        object.insert("compile_ms".to_owned(), millis(prepared.compile).into());
        object.insert("peak_rss_mb".to_owned(), memory.into());
        print(&format!("{}\n", Value::Object(object)));
        return;
    }
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row("nodes", format!("{nodes} of {}", prepared.graph_nodes)),
        row("threads", prepared.callable.session().env().pool.threads().to_string()),
        row("load", show::time(prepared.load.as_nanos() as f64)),
        row("compile", show::time(prepared.compile.as_nanos() as f64)),
    ];
    rows.extend(memory.map(|mb| row("peak memory", format!("{mb:.1} MB"))));
    print(&show::table("ll", &rows));
}

fn write_trace(args: &BenchArgs, prepared: &Prepared, ending: &Ending) -> Result<()> {
    let Some(path) = &args.trace else { return Ok(()) };
    let session = prepared.callable.session();
    session.trace_queue_runners(MOST_EVENTS);
    let steps = match traced(prepared) {
        // The queues are of interest even if there is no input left for another step.
        Err(error) if ending.is_end(&error) => Vec::new(),
        steps => steps?,
    };
    let devices = report::devices_text(&steps);
    if !args.json && !devices.is_empty() {
        print(&format!("\nin {} with a trace:\n{devices}", show::count(steps.len(), "step")));
    }
    let steps = (1..).zip(steps).map(|(step_id, step)| StepTrace { step_id, ..step }).collect();
    let trace = session.trace_with(steps);
    write_file(path, trace::file::write(&trace).as_bytes())
}

/// Traces some steps, more of them the fewer nodes they have. The first one, which warms up the recorder, is not kept.
fn traced(prepared: &Prepared) -> Result<Vec<StepTrace>> {
    let step = || -> Result<StepTrace> {
        let (result, step) = prepared.traced();
        result?;
        step.ok_or_else(|| Error::internal("a traced step has no trace"))
    };
    let events = step()?.events.len();
    (0..(MOST_EVENTS / events.max(1)).clamp(1, MOST_TRACED)).map(|_| step()).collect()
}

/// Milliseconds with three digits after the point.
fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// The peak memory of this process, if the system reports it.
fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kib * 1024.0 / 1e5).round() / 10.0)
}
