//! What surrounds a kernel: the session's state and services ([`Env`]) and the step it belongs to ([`StepCx`]).

use crate::cancel::CancelToken;
use crate::disorder::Disorder;
use crate::files::Files;
use crate::host::Host;
use crate::io::Used;
use crate::limits::Policy;
use crate::observe::{Chooser, Observer};
use crate::outside::Outside;
use crate::pool::Pool;
use crate::resources::{Resources, Scope};
use crate::tensors::SessionTensors;
use crate::watch::{Telemetry, Watch};
use levada_graph::def::{FunctionDef, Library};
use levada_graph::{Error, Func, Limit, Result, Tensor};
use levada_trace::Recorder;
use parking_lot::Mutex;
use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The output of ops such as `Print`.
pub type Log = dyn Fn(&str) + Send + Sync;

/// The states of nodes by name.
type NodeStates = HashMap<Arc<str>, Arc<dyn Any + Send + Sync>>;

/// State and services of a session, shared by all its steps.
pub struct Env {
    /// The session's thread pool.
    pub pool: Arc<Pool>,
    /// Variables, queues and the like.
    pub resources: Arc<Resources>,
    /// Where `Print` and failed assertions write; standard error by default.
    pub log: Arc<Log>,
    /// The files that ops may access; none by default.
    pub files: Files,
    /// Functions of the program around the session that nodes may call.
    pub host: Arc<Host>,
    /// Functions that kernels may call; set once by the session.
    pub functions: OnceLock<Arc<dyn Functions>>,
    /// Computes convolutions directly from their windows, without algorithms that use fewer products but round
    /// differently.
    pub direct_convolutions: bool,
    /// Tracks the steps that wait, and detects stalls.
    pub watch: Watch,
    /// Cancelled when the session is closed.
    pub closed: CancelToken,
    /// Tensors that are kept between runs, by handle.
    pub tensors: SessionTensors,
    /// Limits of what runs may use; `None` for no limits.
    pub policy: Option<Arc<Policy>>,
    /// For tests: the order in which ready nodes run.
    pub disorder: Option<Arc<Disorder>>,
    /// Observes nodes as they run.
    pub observer: Option<Arc<dyn Observer>>,
    /// Chooses which of the ready nodes runs next.
    pub chooser: Option<Arc<dyn Chooser>>,
    /// Records values that come from outside, or supplies recorded ones.
    pub outside: Option<Arc<dyn Outside>>,
    /// Collects how full queues are, if telemetry is on.
    pub telemetry: Option<Arc<Telemetry>>,
    /// State of single nodes by the owner and the id of their [`StateScope`] and by node name, such as the position in a
    /// random stream. The lock protects the maps only.
    nodes: Mutex<HashMap<u64, HashMap<u64, NodeStates>>>,
}

/// A scope of its own for the state of the functions that a pipeline calls, which is dropped with this.
pub struct OwnState {
    scope: StateScope,
    env: Weak<Env>,
}

impl OwnState {
    /// A new scope in the session of `env`.
    pub fn new(env: &Arc<Env>) -> OwnState {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let owner = NEXT.fetch_add(1, Ordering::Relaxed);
        OwnState { scope: StateScope { id: owner, plan: owner, is_closed: true, owner }, env: Arc::downgrade(env) }
    }

    /// The scope.
    pub fn scope(&self) -> StateScope {
        self.scope
    }
}

impl Drop for OwnState {
    fn drop(&mut self) {
        if let Some(env) = self.env.upgrade() {
            let states = env.nodes.lock().remove(&self.scope.owner);
            drop(states);
        }
    }
}

impl Env {
    /// A session's environment with these threads and resources.
    pub fn new(pool: Arc<Pool>, resources: Arc<Resources>) -> Env {
        Env {
            pool,
            resources,
            log: Arc::new(|text| eprintln!("{text}")),
            files: Files::none(),
            host: Arc::default(),
            functions: OnceLock::new(),
            direct_convolutions: false,
            watch: Watch::default(),
            closed: CancelToken::new(),
            tensors: SessionTensors::default(),
            policy: None,
            disorder: None,
            observer: None,
            chooser: None,
            outside: None,
            telemetry: None,
            nodes: Mutex::default(),
        }
    }

    /// The scope that a new step shares with the functions it calls.
    pub fn scope(&self) -> Scope {
        Scope::metered(self.policy.as_ref())
    }

    /// As [`Env::scope`], for a run with this deadline that this token cancels.
    #[inline]
    pub fn scope_of_run(&self, deadline: Option<Instant>, cancel: &CancelToken) -> Scope {
        Scope::of_run(self.policy.as_ref(), deadline, cancel)
    }

    pub(crate) fn node_state<T: Any + Send + Sync>(
        &self,
        scope: StateScope,
        node: &Arc<str>,
        make: impl FnOnce() -> T,
    ) -> Result<Arc<T>> {
        let found = {
            let mut scopes = self.nodes.lock();
            let nodes = scopes.entry(scope.owner).or_default().entry(scope.id).or_default();
            match nodes.get(node) {
                Some(found) => found.clone(),
                None => {
                    let made: Arc<dyn Any + Send + Sync> = Arc::new(make());
                    nodes.insert(node.clone(), made.clone());
                    made
                }
            }
        };
        found.downcast().map_err(|_| Error::internal(format!("the state of {node} is of another type")))
    }
}

/// One step: what all its kernels share.
#[derive(Clone)]
pub struct StepCx {
    /// Number of the step in its session, from 1.
    pub id: u64,
    /// Cancels the step.
    pub cancel: CancelToken,
    /// When the run is out of time.
    pub deadline: Option<Instant>,
    /// Resources that live as long as the step, such as TensorArrays. Functions share those of the step that calls
    /// them.
    pub resources: Arc<Scope>,
    /// Nesting depth of function calls of this step.
    pub depth: u32,
    /// Where the step is traced.
    pub tracing: Option<Tracing>,
    /// The functions that it is nested in, such as `outer/inner`, if nodes are observed.
    pub within: Option<Arc<str>>,
    /// Where its nodes keep their state.
    pub scope: StateScope,
    /// A number that is the same for this step in every session that does the same: that of its run, or of the node
    /// that calls its function.
    pub line: u64,
    /// Asks the thread that waits for the run whether to continue.
    pub poll: Option<Arc<Poll>>,
    /// The session's state and services.
    pub env: Arc<Env>,
}

impl StepCx {
    /// Returns an error once the step is cancelled or out of time; for loops that run many steps of functions.
    ///
    /// # Errors
    /// The reason of the cancellation, or `DEADLINE_EXCEEDED`.
    pub fn check(&self) -> Result<()> {
        self.cancel.check()?;
        match self.deadline {
            Some(deadline) if levada_sync::now() >= deadline => Err(self.past_deadline()),
            _ => Ok(()),
        }
    }

    /// The error for a step that is out of time.
    pub fn past_deadline(&self) -> Error {
        let error = Error::deadline_exceeded("the run passed its deadline");
        if self.resources.meter().is_some() { error.limit(Limit::Time) } else { error }
    }

    /// A step that belongs to no run.
    pub fn alone(env: Arc<Env>) -> StepCx {
        StepCx {
            id: 0,
            cancel: CancelToken::new(),
            deadline: env.policy.as_ref().and_then(|policy| levada_sync::now().checked_add(policy.limits.time)),
            resources: Arc::new(env.scope()),
            depth: 0,
            tracing: None,
            within: None,
            scope: StateScope::default(),
            line: 0,
            poll: None,
            env,
        }
    }
}

/// Decides, now and then, whether a run continues: an error ends it.
pub type Ask = dyn Fn() -> Result<()> + Send + Sync;

/// Asks the thread that waits for a run, now and then, whether to continue: for programs that must check for signals
/// while they wait, for instance.
pub struct Poll {
    thread: ThreadId,
    since: Instant,
    /// When to ask again, in milliseconds.
    due: AtomicU64,
    ask: Arc<Ask>,
}

impl Poll {
    /// The time between two calls.
    pub const EVERY: Duration = Duration::from_millis(50);

    /// Asks on the current thread, for the first time after [`Poll::EVERY`].
    pub fn new(ask: Arc<Ask>) -> Poll {
        let due = AtomicU64::new(Poll::EVERY.as_millis() as u64);
        Poll { thread: thread::current().id(), since: Instant::now(), due, ask }
    }

    /// Asks if this is the thread to ask and the time has come.
    ///
    /// # Errors
    /// The reason to end the run.
    pub fn look(&self) -> Result<()> {
        if thread::current().id() != self.thread {
            return Ok(());
        }
        // Only this thread reads and writes the time.
        let now = self.since.elapsed().as_millis() as u64;
        if now < self.due.load(Ordering::Relaxed) {
            return Ok(());
        }
        let answer = (self.ask)();
        self.due.store((self.since.elapsed() + Poll::EVERY).as_millis() as u64, Ordering::Relaxed);
        answer
    }

    /// When to ask again.
    pub fn due(&self) -> Instant {
        self.since + Duration::from_millis(self.due.load(Ordering::Relaxed))
    }
}

/// Where the nodes of a step keep their state from step to step: those of the session's graph by their names, those of
/// a function that is inlined into the graph around it by the calling node's name as well. All other functions have one
/// state for each plan of the session, wherever they are called in it, as in TensorFlow, unless [`Site::caller`] tells
/// their callers apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateScope {
    /// 0 for the session's graph.
    pub id: u64,
    /// The plan of the run.
    pub plan: u64,
    /// True in functions whose nodes are never inlined into the graph around them.
    pub is_closed: bool,
    /// The number of the [`OwnState`] that it is dropped with; 0 if the session keeps it.
    pub owner: u64,
}

impl StateScope {
    /// The scope of the session's graph in runs of this plan.
    pub fn of_plan(plan: u64) -> StateScope {
        StateScope { plan, ..StateScope::default() }
    }

    /// The scope of `function`, called at `site`.
    pub fn of_call(self, function: &Func, site: &Site) -> StateScope {
        // The hasher's keys are fixed; only equality counts.
        let mut hasher = DefaultHasher::new();
        match &site.inlined {
            Some(node) => (self.id, &**node).hash(&mut hasher),
            None => {
                (self.plan, site.all, site.caller, &*function.name).hash(&mut hasher);
                if !function.attrs.is_empty() {
                    format!("{:?}", function.attrs).hash(&mut hasher);
                }
            }
        }
        StateScope { id: hasher.finish() | 1, is_closed: self.is_closed || site.all, ..self }
    }
}

/// Where the nodes of a step, and of the functions that it calls, record events.
#[derive(Clone)]
pub struct Tracing {
    /// Takes the events.
    pub recorder: Arc<Recorder>,
    /// The functions that the step is nested in, such as `outer/inner`; empty for a step of its own.
    pub function: Arc<str>,
}

/// Receives a function's results.
pub type OnReturn = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Where the nodes of a called function run.
#[derive(Clone, Debug)]
pub struct Site {
    /// Name of the device, usually that of the calling node; may be partial.
    pub device: Arc<str>,
    /// True if all nodes run there, whatever they request; false if only those without a device request do.
    pub all: bool,
    /// The calling node if the function is inlined into the graph around that node, as branches and loops that
    /// TensorFlow lowers are: only the nodes that its results and its control outputs need run.
    pub inlined: Option<Arc<str>>,
    /// The part of the function that is requested, if not all: the call returns only the results that are used.
    pub used: Option<Arc<Used>>,
    /// Tells callers apart that do not share the state of the function's nodes; 0 for all others.
    pub caller: u64,
}

/// A function that was looked up once for many calls.
pub trait Callee: Send + Sync {
    /// As [`Functions::call`].
    fn call(&self, args: Vec<Tensor>, caller: &StepCx, on_return: OnReturn);
}

/// Runs functions of a graph's library.
pub trait Functions: Send + Sync {
    /// Looks up `function`, to be run at `site` many times.
    ///
    /// # Errors
    /// If it cannot be run.
    fn find(&self, function: &Func, site: &Site) -> Result<Arc<dyn Callee>>;

    /// Runs `function` at `site` on `args` within the step `caller` and hands its results to `on_return`, before this
    /// returns or later from another thread. Never blocks.
    fn call(&self, function: &Func, site: &Site, args: Vec<Tensor>, caller: &StepCx, on_return: OnReturn);

    /// Returns which variables of a loop have to be computed if those that `used` requests are: also those that `cond`
    /// and the control outputs of `body` depend on, and those that any of them depends on in a later iteration.
    ///
    /// # Errors
    /// If the functions cannot be run.
    fn variables(&self, cond: &Func, body: &Func, used: &Arc<Used>) -> Result<Arc<Used>>;

    /// All functions that can be called.
    fn library(&self) -> Arc<Library>;

    /// Adds functions that can be called from then on. Those that already exist must be the same.
    ///
    /// # Errors
    /// `ALREADY_EXISTS` if another function has the name of one of them; then none is added.
    fn add(&self, functions: Vec<FunctionDef>) -> Result<()>;

    /// Runs `job` on one of the pool's threads, never inside a node of a step. It must not block.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the system cannot start threads; `job` is dropped.
    fn spawn(&self, job: Box<dyn FnOnce() + Send>) -> Result<()>;
}
