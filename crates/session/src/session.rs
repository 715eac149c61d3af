//! The session.

use crate::callable::{Callable, CallableOptions};
use crate::finite;
use crate::finite::Locate;
use crate::holder::Holder;
use crate::library::Library;
use crate::names::{self, RunRequest};
use crate::options::{RunMetadata, RunOptions, SessionOptions};
use crate::placing::{Devices, Placing};
use crate::plans::Plans;
use crate::queue_runner::{Gate, Runners};
use crate::scribe::Begun;
use crate::telemetry::RunnerTraces;
use crate::waiting::Waiting;
use levada_compile::{CompileOptions, Signature, compile};
use levada_executor::{Plan, StepOptions};
use levada_graph::{Error, Graph, GraphDef, Registry, Result, Tensor};
use levada_kernel::cancel::Registration;
use levada_kernel::pool::threads_besides;
use levada_kernel::watch::{Judge, Sleeper, Usage, WaitableState};
use levada_kernel::{AnyDevice, CancelToken, Disorder, Env, Host, Policy, Poll, Pool, Resources};
use levada_sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use levada_sync::{Mutex, RwLock};
use levada_trace::StepTrace;

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// Runs a graph, any number of times and from any number of threads; keeps the state of its variables and queues from
/// run to run. Clones share everything.
///
/// Give each thread its own clone. The session then knows which callers could still act on its queues: a run in which
/// everything waits fails as soon as nothing is left that could wake it, and reports what it waits for; see
/// [`Waiting`]. If one value must be reached from many threads, as in a `static`, use [`Session::share`].
#[derive(Clone)]
pub struct Session {
    pub(crate) inner: Holder,
    one_thread: PhantomData<Cell<()>>,
}

/// A session that any number of threads can reach through one value. As long as one exists, the session assumes that
/// another thread may act on its queues at any time.
#[derive(Clone)]
pub struct SharedSession {
    inner: Holder,
}

impl SharedSession {
    /// The session, for one thread.
    pub fn session(&self) -> Session {
        Session::held(self.inner.clone())
    }
}

/// How long nothing must happen before a run counts as stalled if only a callable could wake it that was made from the
/// sleeping caller's session, and no other thread exists to which that callable could have been moved.
const GRACE: Duration = Duration::from_secs(2);

/// What a run leaves.
pub(crate) struct Ran {
    pub(crate) result: Result<Vec<Tensor>>,
    /// Number of its step; 0 if none began.
    pub(crate) step_id: u64,
    pub(crate) trace: Option<Box<StepTrace>>,
}

/// Counts something as active that is certain to continue although it may not be in a step at the moment.
pub(crate) struct Active(Arc<Inner>);

impl Active {
    pub(crate) fn of(inner: &Arc<Inner>) -> Active {
        inner.handles.fetch_add(1, Ordering::SeqCst);
        inner.running.fetch_add(1, Ordering::SeqCst);
        Active(inner.clone())
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.0.handles.fetch_sub(1, Ordering::SeqCst);
        self.0.running.fetch_sub(1, Ordering::SeqCst);
        self.0.env.watch.check();
    }
}

pub(crate) struct Inner {
    /// The graph. It grows in place unless another reference to it exists, which then keeps the old one.
    graph: Arc<RwLock<Arc<Graph>>>,
    registry: Arc<Registry>,
    placing: Arc<Placing>,
    pub(crate) env: Arc<Env>,
    options: SessionOptions,
    /// Plans by signature. The lock protects the map.
    plans: Mutex<Plans>,
    /// The placement of the graph's nodes, and how many nodes it covers.
    placed: Mutex<Option<(usize, Devices)>>,
    steps: AtomicU64,
    /// Number of handles that can run steps, not counting those that share a [`Place`](crate::holder).
    pub(crate) handles: AtomicUsize,
    /// Number of handles that share a [`Place`](crate::holder) with another.
    pub(crate) beside: AtomicUsize,
    /// The time since which no step has begun, and the number of steps at that time, as observed. The lock protects
    /// both.
    quiet: Mutex<Option<(u64, Instant)>>,
    /// Number of steps in progress; callers' are counted only in a closed world.
    pub(crate) running: AtomicUsize,
    /// Keeps the judge alive for the watch.
    judge: OnceLock<Arc<dyn Judge>>,
    pub(crate) closed: CancelToken,
    /// Queue runners that this session started.
    pub(crate) runners: Runners,
    pub(crate) gate: Gate,
    /// The traces of the steps of queue runners.
    pub(crate) runner_traces: RunnerTraces,
}

impl Session {
    /// A session on `graph` with these ops and devices; nodes without a device request run on the first CPU.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if there is no device or if two have the same name.
    pub fn with_devices(
        graph: Graph,
        registry: Arc<Registry>,
        devices: Vec<Arc<dyn AnyDevice>>,
        mut options: SessionOptions,
    ) -> Result<Session> {
        let placing = Arc::new(Placing::new(devices, &options)?);
        let resources = options.resources.take().unwrap_or_else(|| Arc::new(Resources::new()));
        let pool = if options.telemetry { Pool::watched(options.threads) } else { Pool::new(options.threads) };
        let pool = if options.limits.is_some() { pool.limited() } else { pool };
        let pool = Arc::new(pool.divided_for(options.divided_for));
        let graph = Arc::new(RwLock::new(Arc::new(graph)));
        let mut env = Env::new(pool, resources);
        if let Some(log) = &options.log {
            env.log = log.clone();
        }
        env.files = options.files.clone();
        env.direct_convolutions = options.plain || options.no_fusion;
        env.disorder = options.disorder.map(Disorder::new);
        env.policy = options.limits.clone().map(Policy::new);
        if let Some(host) = options.host.as_ref().filter(|_| env.policy.is_none()) {
            env.host = host.clone();
        }
        env.observer = match (&options.watch, &options.observer) {
            (Some(_), Some(_)) => {
                return Err(Error::invalid("SessionOptions::watch and SessionOptions::observer cannot both be set"));
            }
            (Some(watch), None) => Some(finite::observer(*watch, &placing.devices)?),
            (None, observer) => observer.clone(),
        };
        env.chooser = options.chooser.clone();
        env.outside = options.values.clone();
        if let Some(outside) = &options.values {
            env.files = env.files.watched(outside.clone());
        }
        env.telemetry = options.telemetry.then(Arc::default);
        let env = Arc::new(env);
        let functions = Library::new(graph.clone(), registry.clone(), placing.clone(), Arc::downgrade(&env), &options);
        // The cell is new, so it is empty.
        let _ = env.functions.set(Arc::new(functions));
        let plans = Mutex::new(Plans::new(options.plan_limit));
        let inner = Inner {
            graph,
            registry,
            placing,
            closed: env.closed.clone(),
            env,
            options,
            plans,
            placed: Mutex::default(),
            steps: AtomicU64::new(0),
            handles: AtomicUsize::new(1),
            beside: AtomicUsize::new(0),
            quiet: Mutex::default(),
            running: AtomicUsize::new(0),
            judge: OnceLock::new(),
            runners: Runners::default(),
            gate: Gate::default(),
            runner_traces: RunnerTraces::default(),
        };
        let inner = Arc::new(inner);
        let judge: Arc<dyn Judge> = Arc::new(Observer(Arc::downgrade(&inner)));
        inner.env.watch.set_judge(Arc::downgrade(&judge));
        // The cell is new, so it is empty.
        let _ = inner.judge.set(judge);
        if let Some(after) = inner.options.report_waits_after {
            let (weak, log) = (Arc::downgrade(&inner), inner.env.log.clone());
            inner.env.watch.set_report(after, move || {
                if let Some(inner) = weak.upgrade() {
                    log(&inner.waiting().to_string());
                }
            });
        }
        Ok(Session::held(Holder::new(inner)))
    }

    pub(crate) fn held(inner: Holder) -> Session {
        Session { inner, one_thread: PhantomData }
    }

    /// The same session for any number of threads.
    pub fn share(&self) -> SharedSession {
        SharedSession { inner: self.inner.clone() }
    }

    /// The nodes of runs in progress that wait, what they wait for, and the nodes that could end the wait.
    pub fn waiting(&self) -> Waiting {
        self.inner.waiting()
    }

    /// Queue occupancy over time, if [`SessionOptions::telemetry`] is set.
    pub fn queue_usage(&self) -> Vec<(WaitableState, Usage)> {
        self.inner.env.telemetry.as_ref().map(|t| t.usage()).unwrap_or_default()
    }

    /// Runs the nodes that the fetches and targets need. Feeds and fetches are endpoints (`node` or `node:output`),
    /// targets nodes. Any endpoint may be fed, fetched or both. A fetch may also name an operation, which is run: a
    /// node without outputs by its name, any other node with `^` before its name. Its value is an empty tensor, so that
    /// the tensors are always in the order of the fetches:
    ///
    /// ```
    /// # use levada_session::Session;
    /// # use levada_graph::{Error, Tensor};
    /// # fn step(session: &Session, x: Tensor) -> Result<f32, Error> {
    /// let fetched = session.run(&[("x", x)], &["train_op", "loss"], &[])?;
    /// # let loss =
    /// fetched[1].item::<f32>()
    /// # ; loss
    /// # }
    /// ```
    ///
    /// # Errors
    /// `NOT_FOUND` and `INVALID_ARGUMENT` for wrong names, dtypes and shapes; else the first error of a node, which
    /// names it. The session stays usable.
    pub fn run(&self, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
        self.run_with(&RunOptions::default(), feeds, fetches, targets).map(|(tensors, _)| tensors)
    }

    /// As [`Session::run`], with options; also returns the metadata of the run.
    ///
    /// # Errors
    /// As [`Session::run`]; `CANCELLED` and `DEADLINE_EXCEEDED` as the options say.
    pub fn run_with(
        &self,
        options: &RunOptions,
        feeds: &[(&str, Tensor)],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<(Vec<Tensor>, RunMetadata)> {
        let names: Vec<&str> = feeds.iter().map(|(name, _)| *name).collect();
        let (plan, operations) = self.inner.prepare(&names, fetches, targets)?;
        let values = feeds.iter().map(|(_, tensor)| tensor.clone()).collect();
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let asked = || CallableOptions { feeds: owned(&names), fetches: owned(fetches), targets: owned(targets) };
        let Ran { result, step_id, trace } = self.inner.on_this_thread().step(&plan, values, options, &asked);
        let metadata = RunMetadata { step_id, trace: trace.map(|trace| *trace) };
        result.map(|tensors| (names::spread(tensors, &operations), metadata))
    }

    /// Prepares a run that is called often.
    ///
    /// # Errors
    /// As [`Session::run`], for the names.
    pub fn callable(&self, options: &CallableOptions) -> Result<Callable> {
        fn texts(names: &[String]) -> Vec<&str> {
            names.iter().map(String::as_str).collect()
        }
        let (feeds, fetches, targets) = (texts(&options.feeds), texts(&options.fetches), texts(&options.targets));
        let (plan, operations) = self.inner.prepare(&feeds, &fetches, &targets)?;
        Ok(Callable {
            session: self.inner.beside(),
            plan,
            operations: operations.into(),
            asked: Arc::new(options.clone()),
            one_thread: PhantomData,
        })
    }

    /// The endpoints and nodes that the names of a run mean.
    ///
    /// # Errors
    /// As [`Session::run`], for the names.
    pub fn signature(&self, options: &CallableOptions) -> Result<Signature> {
        fn texts(names: &[String]) -> Vec<&str> {
            names.iter().map(String::as_str).collect()
        }
        let (feeds, fetches, targets) = (texts(&options.feeds), texts(&options.fetches), texts(&options.targets));
        Ok(names::find(&self.inner.graph.read(), &feeds, &fetches, &targets)?.signature)
    }

    /// Adds nodes and functions to the graph, as TensorFlow's `Session::Extend` does. Inputs may name existing nodes.
    /// Runs in progress, callables and plans stay as they are. The time depends on the new nodes only, unless a result
    /// of [`Session::graph`] is still held: the graph is then copied.
    ///
    /// # Errors
    /// Every fault of the new nodes; `INVALID_ARGUMENT` if one has the name of an existing node or cannot be placed.
    /// The graph is unchanged then.
    pub fn extend(&self, def: GraphDef) -> Result<()> {
        let mut graph = self.inner.graph.write();
        let before = (graph.len(), graph.library.clone(), graph.versions.clone());
        let graph = Arc::make_mut(&mut *graph);
        graph.extend(def, &self.inner.registry)?;
        self.inner.place_new(graph).inspect_err(|_| {
            graph.truncate(before.0);
            (graph.library, graph.versions) = (before.1, before.2);
        })
    }

    /// Changes the graph by adding nodes: `grow` gets the graph and returns it with more nodes. Runs in progress
    /// continue with the graph they have. [`Session::extend`] costs less for a large graph.
    ///
    /// # Errors
    /// Any error of `grow`; `INVALID_ARGUMENT` if nodes are missing. The graph is unchanged then.
    pub fn grow(&self, grow: impl FnOnce(&Graph, &Registry) -> Result<Graph>) -> Result<()> {
        let mut graph = self.inner.graph.write();
        let grown = grow(&graph, &self.inner.registry)?;
        let kept = graph.nodes().all(|(id, node)| id.index() < grown.len() && grown.node(id).name == node.name);
        if !kept {
            return Err(Error::invalid(
                "a session's graph can only grow, but the new graph lacks nodes of the old one",
            ));
        }
        self.inner.place_new(&grown)?;
        *graph = Arc::new(grown);
        Ok(())
    }

    /// The current graph.
    pub fn graph(&self) -> Arc<Graph> {
        self.inner.graph()
    }

    /// The ops that nodes may use.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.inner.registry
    }

    /// State and services that kernels see.
    pub fn env(&self) -> &Arc<Env> {
        &self.inner.env
    }

    /// The devices.
    pub fn devices(&self) -> &[Arc<dyn AnyDevice>] {
        &self.inner.placing.devices
    }

    /// The functions of the program that nodes may call.
    pub fn host(&self) -> &Arc<Host> {
        &self.inner.env.host
    }

    /// Cancels all runs and refuses new ones.
    pub fn close(&self) {
        self.inner.closed.cancel_with(Error::cancelled("the session has been closed"));
    }
}

/// While this exists, closing the session cancels the step, and the chooser is notified of a cancellation.
#[derive(Default)]
pub(crate) struct Ending {
    _closed: Option<Registration>,
    _telling: Option<Registration>,
}

/// Answers the watch's questions about the session.
struct Observer(Weak<Inner>);

impl Judge for Observer {
    fn outside(&self, callers: usize) -> bool {
        let Some(inner) = self.0.upgrade() else { return true };
        let others = match inner.options.closed_world {
            true => inner.running.load(Ordering::SeqCst),
            false => inner.handles.load(Ordering::SeqCst),
        };
        // One is the environment's own; any other holder of the resources can run other sessions on them.
        others > callers
            || Arc::strong_count(&inner.env.resources) > 1
            || inner.options.outside.as_ref().is_some_and(|outside| outside(callers))
            || inner.may_be_elsewhere(others, callers)
    }

    fn asks_again(&self) -> Option<Duration> {
        let inner = self.0.upgrade()?;
        (!inner.options.closed_world && inner.beside.load(Ordering::SeqCst) > 0).then_some(GRACE)
    }

    fn verdict(&self, step: &Arc<dyn Sleeper>, sleepers: &[Arc<dyn Sleeper>]) -> Error {
        match self.0.upgrade() {
            Some(inner) => {
                let stuck = inner.env.chooser.as_ref().and_then(|chooser| chooser.stuck());
                stuck.unwrap_or_else(|| inner.waiting_in(sleepers).stall(&**step))
            }
            None => Error::cancelled("the session has ended"),
        }
    }
}

impl Drop for Inner {
    /// Releases the contents of the session while a session still exists in which to finalize it.
    fn drop(&mut self) {
        if Arc::strong_count(&self.env.resources) == 1 {
            self.env.resources.clear_container("");
        }
    }
}

impl Inner {
    /// True if some of the handles that count as one may be on threads other than those of the sleeping callers, as far
    /// as is known.
    fn may_be_elsewhere(&self, handles: usize, callers: usize) -> bool {
        if self.options.closed_world || handles + self.beside.load(Ordering::SeqCst) <= callers {
            return false;
        }
        // A thread that has not used its callable yet may be any thread.
        if threads_besides().is_none_or(|threads| threads > callers) {
            return true;
        }
        let (steps, now) = (self.steps.load(Ordering::SeqCst), levada_sync::now());
        let mut quiet = self.quiet.lock();
        match *quiet {
            Some((seen, since)) if seen == steps => now.saturating_duration_since(since) < GRACE,
            _ => {
                *quiet = Some((steps, now));
                true
            }
        }
    }

    pub(crate) fn waiting(&self) -> Waiting {
        self.waiting_in(&self.env.watch.steps())
    }

    fn waiting_in(&self, steps: &[Arc<dyn Sleeper>]) -> Waiting {
        let runners = self.runners.lock().iter().map(|runner| runner.status()).collect();
        Waiting::of(&self.graph.read(), steps, &self.registry, runners)
    }

    /// Runs a step of this target without a caller, as far as it gets on this thread. With a runner, the step belongs
    /// to the queue runner that runs this node and may be traced.
    pub(crate) fn begin(
        self: &Arc<Self>,
        plan: &Arc<Plan>,
        (target, runner): (&str, Option<&Arc<str>>),
        cancel: CancelToken,
        on_done: impl FnOnce(Result<()>) + Send + 'static,
    ) {
        if let Some(reason) = self.closed.reason() {
            return on_done(Err(reason));
        }
        let id = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(scribe) = &self.options.scribe {
            let asked = CallableOptions { targets: vec![target.to_owned()], ..CallableOptions::default() };
            if let Err(error) = scribe.begins(&Begun { id, asked: &asked, feeds: &[], runner: Some(target) }) {
                return on_done(Err(error));
            }
        }
        let telling = self.tells_of_end(id, &cancel);
        let number = runner.and_then(|runner| Some((runner.clone(), self.runner_traces.begin(runner)?)));
        let trace = number.is_some();
        let options = StepOptions { trace, ..StepOptions::new(id, cancel) };
        let inner = self.clone();
        let located = self.locates(plan);
        let on_done = Box::new(move |result: Result<Vec<Tensor>>, trace: Option<Box<StepTrace>>| {
            inner.env.tensors.end(id);
            drop(telling);
            if let Some(scribe) = &inner.options.scribe {
                scribe.ended(id, &result);
            }
            if let (Some((runner, step_id)), Some(trace)) = (number, trace) {
                inner.runner_traces.add(StepTrace { step_id, runner: runner.to_string(), ..*trace });
            }
            on_done(result.map(drop).map_err(|error| located.map_or(error.clone(), |locate| locate.located(error))));
        });
        levada_executor::begin(plan, &self.env, Vec::new(), &options, on_done);
    }

    /// The plan for a run of targets.
    pub(crate) fn plan(&self, targets: &[&str]) -> Result<Arc<Plan>> {
        Ok(self.prepare(&[], &[], targets)?.0)
    }

    /// The plan for a run, and which of its fetches are operations.
    pub(crate) fn prepare(
        &self,
        feeds: &[&str],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<(Arc<Plan>, Box<[usize]>)> {
        let RunRequest { signature, operations } = names::find(&self.graph.read(), feeds, fetches, targets)?;
        Ok((self.plan_for(signature)?, operations))
    }

    /// The plan for a partial run, and its signature.
    pub(crate) fn partial_plan(
        &self,
        feeds: &[&str],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<(Arc<Plan>, Signature)> {
        let asked = names::find(&self.graph.read(), feeds, fetches, targets)?;
        let signature = Signature { partial: true, ..asked.signature };
        Ok((self.plan_for(signature.clone())?, signature))
    }

    fn plan_for(&self, signature: Signature) -> Result<Arc<Plan>> {
        if let Some(plan) = self.plans.lock().get(&signature) {
            return Ok(plan);
        }
        // Two threads may compile the same plan concurrently; one of the two is kept.
        let graph = self.graph();
        let rewrite = !self.options.plain;
        let fuse = rewrite && !self.options.no_fusion;
        let options = CompileOptions {
            fold_constants: rewrite,
            merge_duplicates: rewrite,
            simplify_loops: rewrite,
            bypass_no_ops: rewrite && !self.options.separate_nodes,
            fuse,
            regions: rewrite && !self.options.separate_nodes,
            watched: self.options.watch.is_some(),
        };
        let devices = self.devices(&graph)?;
        if let Some(watch) = self.options.watch.filter(|watch| watch.brought) {
            finite::check_constants(watch, &graph, &signature)?;
        }
        let plan = Arc::new(compile(&graph, &signature, &self.placing.placement(&devices), &self.env, &options)?);
        let (plan, dropped) = self.plans.lock().insert(signature, plan);
        drop(dropped);
        Ok(plan)
    }

    pub(crate) fn graph(&self) -> Arc<Graph> {
        self.graph.read().clone()
    }

    pub(crate) fn is_recorded(&self) -> bool {
        self.options.scribe.is_some()
    }

    pub(crate) fn is_closed_world(&self) -> bool {
        self.options.closed_world
    }

    /// How long a run may take.
    pub(crate) fn timeout(&self, options: &RunOptions) -> Option<Duration> {
        let most = self.options.limits.as_ref().map(|limits| limits.time);
        options.timeout.or(self.options.timeout).into_iter().chain(most).min()
    }

    /// The devices of the graph's nodes.
    fn devices(&self, graph: &Graph) -> Result<Devices> {
        let mut placed = self.placed.lock();
        match &mut *placed {
            Some((nodes, devices)) => {
                if *nodes < graph.len() {
                    self.placing.place_more(graph, *nodes, devices)?;
                    *nodes = graph.len();
                }
                Ok(devices.clone())
            }
            None => {
                let devices = self.placing.place(graph)?;
                *placed = Some((graph.len(), devices.clone()));
                Ok(devices)
            }
        }
    }

    /// Places the nodes added to a graph whose other nodes have been placed.
    fn place_new(&self, graph: &Graph) -> Result<()> {
        let is_placed = self.placed.lock().is_some();
        if is_placed { self.devices(graph).map(drop) } else { Ok(()) }
    }

    pub(crate) fn step(
        &self,
        plan: &Arc<Plan>,
        feeds: Vec<Tensor>,
        options: &RunOptions,
        asked: &dyn Fn() -> CallableOptions,
    ) -> Ran {
        let mut feeds = feeds;
        let failed = |step_id: u64, error: Error| Ran { result: Err(error), step_id, trace: None };
        let (step, _ending) = match self.step_options(options) {
            Ok(begins) => begins,
            Err(refused) => return failed(0, refused),
        };
        if let Err(error) = self.values_of_handles(&mut feeds) {
            return failed(step.id, error);
        }
        if let Some(watch) = self.options.watch.filter(|watch| watch.brought)
            && let Err(error) = finite::check_feeds(watch, plan, &feeds, step.id)
        {
            return failed(step.id, error);
        }
        if let Some(scribe) = &self.options.scribe {
            let asked = asked();
            if let Err(error) = scribe.begins(&Begun { id: step.id, asked: &asked, feeds: &feeds, runner: None }) {
                return failed(step.id, error);
            }
            // A cancellation before the run began could not be reported then.
            if let (Some(chooser), Some(reason)) = (&self.env.chooser, step.cancel.reason()) {
                chooser.cut(step.id, &reason);
            }
        }
        let counted = self.options.closed_world;
        if counted {
            self.running.fetch_add(1, Ordering::SeqCst);
        }
        let (result, trace) = levada_executor::run(plan, &self.env, feeds, &step);
        if let Some(scribe) = &self.options.scribe {
            scribe.ended(step.id, &result);
        }
        if counted {
            self.running.fetch_sub(1, Ordering::SeqCst);
            self.env.watch.check();
        }
        if result.is_ok() {
            self.env.tensors.keep(step.id, |node| plan.fetch_names.iter().any(|fetched| **fetched == *node));
        }
        self.env.tensors.end(step.id);
        let result = result.map_err(|error| match self.locates(plan) {
            Some(locate) => locate.located(error),
            None => error,
        });
        Ran { result: result.and_then(|tensors| self.check_results(plan, tensors)), step_id: step.id, trace }
    }

    /// Locates values in the graph, if NaNs are watched for.
    fn locates(&self, plan: &Arc<Plan>) -> Option<Locate> {
        let graph = self.options.watch.map(|_| self.graph())?;
        Some(Locate { graph, registry: self.registry.clone(), plan: plan.clone() })
    }

    /// Returns the results of a run if they are within the limit.
    fn check_results(&self, plan: &Plan, results: Vec<Tensor>) -> Result<Vec<Tensor>> {
        if let Some(policy) = &self.env.policy {
            policy.check_results(plan.fetch_names.iter().map(|name| &**name).zip(&results))?;
        }
        Ok(results)
    }

    /// Notifies the chooser of the order of nodes when a run is cancelled from outside.
    fn tells_of_end(&self, id: u64, cancel: &CancelToken) -> Option<Registration> {
        let chooser = self.env.chooser.clone()?;
        Some(cancel.on_cancel(move |reason| chooser.cut(id, reason)))
    }

    /// The options of a new step, and the guard that cancels it when the session ends.
    ///
    /// # Errors
    /// `CANCELLED` once the session has been closed.
    pub(crate) fn step_options(&self, options: &RunOptions) -> Result<(StepOptions, Ending)> {
        let id = match options.number {
            Some(number) => number,
            None => self.steps.fetch_add(1, Ordering::Relaxed) + 1,
        };
        if let Some(reason) = self.closed.reason() {
            return Err(reason.help("open a new session; this one accepts no more runs"));
        }
        let timeout = self.timeout(options);
        // The session's end cancels the caller's token too while this run lasts.
        let (cancel, ending) = match &options.cancel {
            None if self.env.chooser.is_none() => (self.closed.clone(), Ending::default()),
            None => {
                let cancel = self.closed.child();
                let telling = self.tells_of_end(id, &cancel);
                (cancel, Ending { _closed: None, _telling: telling })
            }
            Some(token) => {
                let cancel = token.child();
                let told = cancel.clone();
                let closed = self.closed.on_cancel(move |reason| told.cancel_with(reason.clone()));
                let telling = self.tells_of_end(id, &cancel);
                (cancel, Ending { _closed: Some(closed), _telling: telling })
            }
        };
        let step = StepOptions {
            deadline: timeout.and_then(|t| levada_sync::now().checked_add(t)),
            trace: options.trace,
            poll: options.poll.clone().map(|ask| Arc::new(Poll::new(ask))),
            ..StepOptions::new(id, cancel)
        };
        Ok((step, ending))
    }
}
