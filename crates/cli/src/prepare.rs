//! What `run` and `bench` do before the first step: load the graph, open the session, load the feeds, prepare the run.

use crate::advice;
use crate::args::{AlsoArgs, BatchArgs, RunArgs, StepArgs, ThenArgs};
use crate::batches::Batches;
use crate::checks::{self, Flags, RunRequest};
use crate::feed::{self, Feed, NamedTensors};
use crate::model::{self, Named};
use crate::nan::Watch;
use levada::recording::Recorder;
use levada::session::NanWatch;
use levada::{
    Callable, CallableOptions, CancelToken, Error, Files, Graph, Limits, PartialShape, Result, RunOptions, Session,
    SessionOptions, Tensor,
};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time after which a waiting run is reported on a terminal.
const REPORT_WAITS: Duration = Duration::from_secs(10);

/// Everything that a step needs.
pub struct Prepared {
    /// The run.
    pub callable: Callable,
    /// Its feeds, in order.
    pub feeds: Vec<Tensor>,
    /// The names of its fetches, as requested.
    pub fetches: Vec<String>,
    /// Operations that it fetches: they run and have no value.
    pub ran: Vec<String>,
    /// The batches that feeds are split into.
    pub batches: Option<Batches>,
    /// Options of every step.
    pub options: RunOptions,
    /// Number of nodes in the graph.
    pub graph_nodes: usize,
    /// Time to read and check the graph.
    pub load: Duration,
    /// Time to make the plan.
    pub compile: Duration,
    /// The SavedModel that initializes the variables.
    saved: Option<levada::saved_model::Model>,
    /// The run before the first step.
    init: Option<(Callable, Vec<Tensor>)>,
    /// Names and values of all feeds.
    given: NamedTensors,
    /// The feeds, fetches and targets of the run.
    signature: CallableOptions,
}

/// Prepares a step, and runs the initialization. `telemetry` records how full queues are; `concurrent` means that
/// several threads run steps, so that what a run waits for may come from one that has not begun.
///
/// # Errors
/// What is wrong with the graph, the names or the feeds.
pub fn prepare(args: &StepArgs, telemetry: bool, concurrent: bool) -> Result<Prepared> {
    let prepared = Prepared::new(args, &Extra { concurrent, ..Extra::default() }, telemetry)?;
    prepared.initialize().map_err(|e| prepared.advise(e, args))?;
    Ok(prepared)
}

/// As [`prepare`], for `run`, but runs nothing yet; also prepares what runs after the steps.
///
/// # Errors
/// Everything that is wrong and can be detected before anything runs: `faults`, and what is wrong with the graph, the
/// names or the feeds.
pub fn prepare_run(
    args: &RunArgs,
    recorder: Option<&Recorder>,
    cancel: CancelToken,
    mut faults: Vec<Error>,
) -> Result<(Prepared, Option<Then>)> {
    let telemetry = args.trace.is_some();
    let extra = Extra {
        whole: &args.feed_whole,
        batches: args.batches.clone(),
        steps: args.steps,
        then: Some(&args.then),
        cancel: Some(cancel),
        concurrent: false,
        watch: args.watch.map(|Watch(watch)| watch),
        recorder,
    };
    let prepared = Prepared::new(&args.step, &extra, telemetry);
    let prepared = prepared.and_then(|prepared| {
        let then = Then::prepare(&args.then, &prepared, args.step.cast)?;
        Ok((prepared, then))
    });
    match prepared {
        Ok(done) if faults.is_empty() => Ok(done),
        Ok(_) => Err(joined(faults)),
        Err(error) => {
            faults.push(error);
            Err(joined(faults))
        }
    }
}

/// The arguments of `run` beyond those of a step.
#[derive(Default)]
struct Extra<'a> {
    whole: &'a [Feed],
    batches: BatchArgs,
    steps: Option<u64>,
    then: Option<&'a ThenArgs>,
    cancel: Option<CancelToken>,
    concurrent: bool,
    watch: Option<NanWatch>,
    recorder: Option<&'a Recorder>,
}

fn joined(faults: Vec<Error>) -> Error {
    Error::join(faults).unwrap_or_else(|| Error::internal("an error without a fault"))
}

/// Reads a graph; `-` from standard input.
///
/// # Errors
/// What is wrong with the file or the graph.
pub fn graph(path: &Path, strict: bool) -> Result<Graph> {
    Ok(model::open(path, strict, &[])?.graph)
}

/// The signature of a run, and the values of the feeds that it needs.
fn signature(asked: &RunRequest, feeds: &[(String, Tensor)], all: bool) -> (CallableOptions, Vec<Tensor>) {
    let wanted = (0..feeds.len()).filter(|i| all || asked.needed.contains(i));
    let (names, values) = wanted.map(|i| feeds[i].clone()).unzip();
    (CallableOptions { feeds: names, fetches: asked.fetches.clone(), targets: asked.targets.clone() }, values)
}

/// The feeds that do not have the shape of their endpoint.
fn misshapen(callable: &Callable, feeds: &[Tensor], flag: &str) -> Vec<Error> {
    let wrong = callable.plan().feeds.iter().zip(feeds).filter(|(fed, tensor)| !fed.shape.accepts(tensor.shape()));
    wrong
        .map(|(fed, tensor)| {
            let error = Error::invalid(format!("{flag} {} has the wrong shape", fed.name))
                .node(&fed.name)
                .expected(format!("shape {}", fed.shape))
                .found(format!("shape {}", tensor.shape()));
            let rank = fed.shape.rank();
            match rank {
                Some(rank) if rank == tensor.shape().rank() + 1 => {
                    error.help("for a batch of one, wrap the value in one more pair of brackets")
                }
                Some(rank) if flag == "--feed" && rank == tensor.shape().rank() && only_first(&fed.shape, tensor) => {
                    error.help("--batch N gives each step the next N rows of an array")
                }
                _ => error,
            }
        })
        .collect()
}

/// True if sizes differ along the first axis only.
fn only_first(shape: &PartialShape, tensor: &Tensor) -> bool {
    let sizes = shape.dims().unwrap_or_default().iter().zip(tensor.shape().dims());
    let mut rest = sizes.skip(1);
    tensor.shape().rank() > 0 && rest.all(|(known, &size)| known.is_none_or(|known| known == size))
}

/// What runs once after the steps.
pub struct Then {
    callable: Callable,
    feeds: Vec<Tensor>,
    /// What it fetches.
    pub fetches: Vec<String>,
    /// Operations that it fetches.
    pub ran: Vec<String>,
}

impl Then {
    /// Prepares it before the first step, so that errors in it do not show only after the last one. `None` if nothing
    /// is requested.
    ///
    /// # Errors
    /// What is wrong with the names or the feeds.
    fn prepare(args: &ThenArgs, prepared: &Prepared, cast: bool) -> Result<Option<Then>> {
        if args.then_fetch.is_empty() && args.then_target.is_empty() {
            return match args.then_feed.first() {
                None => Ok(None),
                Some(feed) => Err(Error::invalid(format!("--then-feed {} feeds nothing that runs", feed.name))
                    .help("name something with --then-fetch or --then-target")),
            };
        }
        let session = prepared.callable.session();
        let graph = session.graph();
        let checked = look_up(&graph, checks::THEN, &[&args.then_feed], cast, &args.then_fetch, &args.then_target);
        let (asked, feeds) = checked.map_err(joined)?;
        let (signature, feeds) = signature(&asked, &feeds, true);
        let callable = session.callable(&signature)?;
        match Error::join(misshapen(&callable, &feeds, checks::THEN.feed)) {
            Some(error) => Err(error),
            None => Ok(Some(Then { callable, feeds, fetches: asked.fetches, ran: asked.ran })),
        }
    }

    /// Runs it; returns names and values of its fetches.
    ///
    /// # Errors
    /// What is wrong with the run.
    pub fn run(&self, options: &RunOptions) -> Result<NamedTensors> {
        let values = self.callable.run_with(options, &self.feeds).0?;
        Ok(self.fetches.iter().cloned().zip(values).collect())
    }

    /// The run.
    pub fn callable(&self) -> &Callable {
        &self.callable
    }
}

/// Resolves the names in flags and loads the values of feeds.
fn look_up(
    graph: &Graph,
    flags: Flags,
    feeds: &[&[Feed]],
    cast: bool,
    fetches: &[String],
    targets: &[String],
) -> Result<(RunRequest, NamedTensors), Vec<Error>> {
    let feeds = feeds.concat();
    let loaded = feed::load(&feeds, graph, flags.feed, cast);
    let names: Vec<&str> = feeds.iter().map(|f| f.name.as_str()).collect();
    match (checks::check(graph, flags, &names, fetches, targets), loaded) {
        (Ok(asked), Ok(loaded)) => Ok((asked, loaded)),
        (Err(mut faults), Err(more)) => {
            faults.extend(more);
            Err(faults)
        }
        (Err(faults), _) | (_, Err(faults)) => Err(faults),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

impl Prepared {
    /// Lets each step also fetch these, behind the requested fetches.
    ///
    /// # Errors
    /// If they cannot be fetched; nothing has changed then.
    pub fn also_fetch(&mut self, more: &[String]) -> Result<()> {
        let mut signature = self.signature.clone();
        signature.fetches.extend_from_slice(more);
        self.callable = self.callable.session().callable(&signature)?;
        Ok(())
    }

    /// Names of the feeds.
    pub fn fed(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(|(name, _)| name.as_str())
    }

    /// A second signature of the same session, with the values of its feeds.
    ///
    /// # Errors
    /// What is wrong with the names or the feeds.
    pub fn second(&self, args: &AlsoArgs, cast: bool) -> Result<(Callable, Vec<Tensor>)> {
        let session = self.callable.session();
        let graph = session.graph();
        let checked = look_up(&graph, checks::ALSO, &[&args.also_feed], cast, &args.also_fetch, &args.also_target);
        let (asked, feeds) = checked.map_err(joined)?;
        let (signature, feeds) = signature(&asked, &feeds, true);
        let callable = session.callable(&signature)?;
        match Error::join(misshapen(&callable, &feeds, checks::ALSO.feed)) {
            Some(error) => Err(error),
            None => Ok((callable, feeds)),
        }
    }

    /// Loads the graph, opens the session, loads the feeds, and compiles the step and the initialization.
    fn new(args: &StepArgs, extra: &Extra<'_>, telemetry: bool) -> Result<Prepared> {
        let (model, load) = timed(|| model::open(&args.graph, args.strict, &args.tag));
        let mut model = model?;
        let named = Named::of(args, extra.whole, &mut model)?;
        let whole = &named.whole;
        let (graph, saved) = (model.graph, model.saved);
        let graph = if args.ordered { levada::train::order_queues(graph, &levada::registry())? } else { graph };
        let graph_nodes = graph.len();
        let mut faults = Vec::new();
        let checked = look_up(&graph, checks::STEP, &[&named.feed, whole], args.cast, &named.fetch, &args.target);
        let checked = checked.map_err(|more| faults.extend(more)).ok();
        let names: Vec<&str> = named.feed.iter().chain(whole).map(|f| f.name.as_str()).collect();
        let init = checks::check(&graph, checks::INIT, &names, &[], &args.init);
        let init = init.map_err(|more| faults.extend(more)).ok();
        let files = Files::under(&args.allow_files).map_err(|e| faults.push(e.help("--allow-files DIR"))).ok();
        let files = match &saved {
            Some(saved) => files.map(|files| saved.files(files)).transpose()?,
            None => files,
        };
        let base =
            if args.untrusted { SessionOptions::untrusted(Limits::default()) } else { SessionOptions::default() };
        let options = SessionOptions {
            threads: args.threads.map_or(0, usize::from),
            cpus: args.devices.cpus,
            gpus: args.devices.gpus,
            gpu_memory_limit: args.gpu_memory.unwrap_or(base.gpu_memory_limit),
            gpu_tf32: args.tf32,
            placer: args.placer,
            allow_soft_placement: args.soft,
            no_fusion: args.no_fusion,
            watch: extra.watch,
            files: files.unwrap_or_default(),
            // Nothing else uses this session.
            closed_world: !extra.concurrent,
            report_waits_after: args.report_waits.or(std::io::stderr().is_terminal().then_some(REPORT_WAITS)),
            telemetry,
            ..base
        };
        // Under soft placement nodes go elsewhere if there are no GPUs.
        if !args.soft {
            faults.extend(levada::gpus::check(&options).err());
        }
        let (Some((asked, given)), Some(init), true) = (checked, init, faults.is_empty()) else {
            // What is wrong with the run after the steps is reported with the rest, here or when it is prepared.
            if let Some(then) = extra.then {
                let checked =
                    look_up(&graph, checks::THEN, &[&then.then_feed], args.cast, &then.then_fetch, &then.then_target);
                faults.extend(checked.err().unwrap_or_default());
            }
            faults.dedup();
            return Err(joined(faults));
        };
        let options = match extra.recorder {
            Some(recorder) => recorder.attach(options),
            None => options,
        };
        let session = Session::new(graph, options)?;
        let options = RunOptions { timeout: args.timeout, cancel: extra.cancel.clone(), ..RunOptions::default() };
        let init = match init.targets.is_empty() {
            true => None,
            false => {
                let (signature, values) = signature(&init, &given, false);
                Some((session.callable(&signature)?, values))
            }
        };
        let (signature, feeds) = signature(&asked, &given, true);
        let (callable, compile) = timed(|| session.callable(&signature));
        let callable = callable?;
        let batches = Batches::new(&extra.batches, extra.steps, &callable.plan().feeds, &feeds, whole.len())?;
        // Batches have checked the shapes of the feeds that they split.
        let mut faults = if batches.is_none() { misshapen(&callable, &feeds, checks::STEP.feed) } else { Vec::new() };
        if let Some((callable, values)) = &init {
            faults.extend(misshapen(callable, values, checks::INIT.feed));
        }
        match Error::join(faults) {
            Some(error) => Err(error),
            None => Ok(Prepared {
                callable,
                feeds,
                fetches: named.labels(&asked.ran),
                ran: asked.ran,
                batches,
                options,
                graph_nodes,
                load,
                compile,
                saved,
                init,
                given,
                signature,
            }),
        }
    }

    /// Runs the initialization.
    ///
    /// # Errors
    /// What is wrong with that run.
    pub fn initialize(&self) -> Result<()> {
        if let Some(saved) = &self.saved {
            saved.initialize(&self.callable.session(), &self.options)?;
        }
        let Some((callable, feeds)) = &self.init else { return Ok(()) };
        callable.run_with(&self.options, feeds).0.map(drop)
    }

    /// Runs these nodes once, with the feeds that they need.
    ///
    /// # Errors
    /// What is wrong with that run.
    pub fn run_once(&self, nodes: &[String]) -> Result<()> {
        let session = self.callable.session();
        let names: Vec<&str> = self.given.iter().map(|(name, _)| name.as_str()).collect();
        let asked = checks::check(&session.graph(), checks::INIT, &names, &[], nodes).map_err(joined)?;
        let (signature, values) = signature(&asked, &self.given, false);
        session.callable(&signature)?.run_with(&self.options, &values).0.map(drop)
    }

    /// Returns the error with help derived from the graph.
    pub fn advise(&self, error: Error, args: &StepArgs) -> Error {
        advice::advise(error, &self.callable.session().graph(), args)
    }

    /// Runs a step with a trace, which is returned even if the step fails.
    pub fn traced(&self) -> (Result<Vec<Tensor>>, Option<levada::StepTrace>) {
        self.step(&self.feeds, true)
    }

    /// Runs a step with these feeds.
    pub fn step(&self, feeds: &[Tensor], trace: bool) -> (Result<Vec<Tensor>>, Option<levada::StepTrace>) {
        let options = RunOptions { trace, ..self.options.clone() };
        let (result, metadata) = self.callable.run_with(&options, feeds);
        (result, metadata.trace)
    }

    /// Names and values of the fetches.
    pub fn named(&self, values: Vec<Tensor>) -> NamedTensors {
        self.fetches.iter().cloned().zip(values).collect()
    }
}

/// Median, minimum and maximum of some times in nanoseconds.
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// Of these times; zeros if there are none.
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
