//! What `run` and `bench` do before the first step: load the graph, open the session, load the feeds, prepare the run.

use crate::args::{StepArgs, ThenArgs};
use crate::feed;
use levada::graph::read;
use levada::{Callable, CallableOptions, Error, Files, Graph, Result, RunOptions, Session, SessionOptions, Tensor};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// After how long a run that waits says so on a terminal.
const REPORT_WAITS: Duration = Duration::from_secs(10);

/// Everything that a step needs.
pub struct Prepared {
    /// The run.
    pub callable: Callable,
    /// Its feeds, in order.
    pub feeds: Vec<Tensor>,
    /// What it fetches, as it was asked for.
    pub fetches: Vec<String>,
    /// Options of every step.
    pub options: RunOptions,
    /// Number of nodes in the graph.
    pub graph_nodes: usize,
    /// Time to read and check the graph.
    pub load: Duration,
    /// Time to make the plan.
    pub compile: Duration,
}

/// Prepares, and runs what is to be run once before; `telemetry` to record how full queues are.
///
/// # Errors
/// What is wrong with the graph, the names or the feeds.
pub fn prepare(args: &StepArgs, telemetry: bool) -> Result<Prepared> {
    let (graph, load) = timed(|| read::file(&args.graph, &levada::registry()));
    let graph: Graph = graph?;
    let graph_nodes = graph.len();
    let feeds = feed::load(&args.feed, &graph)?;
    let options = SessionOptions {
        threads: args.threads.map_or(0, usize::from),
        cpus: args.devices.cpus,
        gpus: args.devices.gpus,
        gpu_memory_limit: args.gpu_memory.unwrap_or(0),
        placer: args.placer,
        allow_soft_placement: args.soft,
        no_fusion: args.no_fusion,
        files: Files::under(&args.allow_files)?,
        // Nobody else has this session.
        closed_world: true,
        report_waits_after: args.report_waits.or(std::io::stderr().is_terminal().then_some(REPORT_WAITS)),
        telemetry,
        ..SessionOptions::default()
    };
    // Under soft placement nodes go elsewhere where there are no GPUs.
    if !args.soft {
        levada::gpus::check(&options)?;
    }
    let session = Session::new(graph, options)?;
    let options = RunOptions { timeout: args.timeout, ..RunOptions::default() };
    if !args.init.is_empty() {
        let init: Vec<&str> = args.init.iter().map(String::as_str).collect();
        session.run_with(&options, &[], &[], &init)?;
    }
    let (names, feeds): (Vec<String>, Vec<Tensor>) = feeds.into_iter().unzip();
    let signature = CallableOptions { feeds: names, fetches: args.fetch.clone(), targets: args.target.clone() };
    let (callable, compile) = timed(|| session.callable(&signature));
    Ok(Prepared { callable: callable?, feeds, fetches: signature.fetches, options, graph_nodes, load, compile })
}

/// What runs once after the steps.
pub struct Then {
    callable: Callable,
    feeds: Vec<Tensor>,
    fetches: Vec<String>,
}

impl Then {
    /// Prepares it before the first step, so that what is wrong with it does not show after the last one. `None` where
    /// nothing is asked for.
    ///
    /// # Errors
    /// What is wrong with the names or the feeds.
    pub fn prepare(args: &ThenArgs, prepared: &Prepared) -> Result<Option<Then>> {
        if args.then_fetch.is_empty() && args.then_target.is_empty() {
            return match args.then_feed.first() {
                None => Ok(None),
                Some(feed) => Err(Error::invalid(format!("--then-feed {} feeds nothing that runs", feed.name))
                    .help("name something with --then-fetch or --then-target")),
            };
        }
        let session = prepared.callable.session();
        let (names, feeds) = feed::load(&args.then_feed, &session.graph())?.into_iter().unzip();
        let fetches = args.then_fetch.clone();
        let signature = CallableOptions { feeds: names, fetches: fetches.clone(), targets: args.then_target.clone() };
        Ok(Some(Then { callable: session.callable(&signature)?, feeds, fetches }))
    }

    /// Runs it: names and values of what it fetches.
    ///
    /// # Errors
    /// What is wrong with the run.
    pub fn run(self, options: &RunOptions) -> Result<Vec<(String, Tensor)>> {
        let values = self.callable.run_with(options, &self.feeds).0?;
        Ok(self.fetches.into_iter().zip(values).collect())
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

impl Prepared {
    /// Runs a step with a trace, whatever comes of it.
    pub fn traced(&self) -> (Result<Vec<Tensor>>, Option<levada::StepTrace>) {
        let options = RunOptions { trace: true, ..self.options.clone() };
        let (result, metadata) = self.callable.run_with(&options, &self.feeds);
        (result, metadata.trace)
    }

    /// Names and values of what was fetched.
    pub fn named(&self, values: Vec<Tensor>) -> Vec<(String, Tensor)> {
        self.fetches.iter().cloned().zip(values).collect()
    }
}

/// Median, least and greatest of some times in nanoseconds.
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// Of at least one time.
    pub fn of(mut times: Vec<f64>) -> Spread {
        times.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (times.first(), times.last()) else {
            return Spread { median: 0.0, min: 0.0, max: 0.0 };
        };
        let middle = times.len() / 2;
        let median = if times.len() % 2 == 1 { times[middle] } else { (times[middle - 1] + times[middle]) / 2.0 };
        Spread { median, min, max }
    }
}
