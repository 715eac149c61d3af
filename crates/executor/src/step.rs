//! A step: one run of a plan. Its parts, how it begins, and how its memory is reused.

use crate::activation::{Activation, Idle};
use crate::feeds::{check_feeds, count_feeds};
use crate::holds::Hold;
use crate::outcome::{OnDone, Outcome};
use crate::park::ParkedNodes;
use crate::plan::{Plan, WORTH_THREADS};
use crate::schedule::{Lists, SharedWork, Work};
use crate::trial::Trial;
use levada_graph::{Result, Tensor};
use levada_kernel::observe::line_of;
use levada_kernel::{CancelToken, Env, Poll, Scope, StateScope, StepCx, Tracing};
use levada_stall::Listing;
use levada_sync::{Injector, Mutex, Once};
use levada_trace::{Recorder, StepTrace};
use std::sync::Arc;
use std::time::Instant;

/// The first steps of a plan are measured, and then one in every [`MEASURE_EVERY`].
pub(crate) const MEASURE_FIRST: u32 = 2;

const MEASURE_EVERY: u32 = 256;

/// How to run a step.
#[derive(Clone)]
pub struct StepOptions {
    /// Number of the step in its session.
    pub id: u64,
    /// Cancels the step when it is cancelled.
    pub cancel: CancelToken,
    /// When the step fails with `DEADLINE_EXCEEDED`.
    pub deadline: Option<Instant>,
    /// True to record what ran when.
    pub trace: bool,
    /// The state shared with the step that it is part of; `None` for a top-level step.
    pub resources: Option<Arc<Scope>>,
    /// Nesting depth of function calls.
    pub depth: u32,
    /// The events of the traced step that this is part of; `None` for a top-level step.
    pub tracing: Option<Tracing>,
    /// The functions that it is nested in, if nodes are observed.
    pub within: Option<Arc<str>>,
    /// Where its nodes keep their state; `None` for a run of the session's graph.
    pub scope: Option<StateScope>,
    /// [`StepCx::line`]; `None` to derive it from the step's number.
    pub line: Option<u64>,
    /// Called by the thread that waits for the step; an error ends the step.
    pub poll: Option<Arc<Poll>>,
}

impl StepOptions {
    /// A top-level step with this number that this token cancels.
    pub fn new(id: u64, cancel: CancelToken) -> StepOptions {
        StepOptions {
            id,
            cancel,
            deadline: None,
            trace: false,
            resources: None,
            depth: 0,
            tracing: None,
            within: None,
            scope: None,
            line: None,
            poll: None,
        }
    }
}

impl Default for StepOptions {
    fn default() -> StepOptions {
        StepOptions::new(0, CancelToken::new())
    }
}

/// The parts of a step that the next one reuses.
pub(crate) struct StepState {
    root: Idle,
    lists: Lists,
    shared: Box<Injector<Work>>,
}

/// What the parts of a step are while it runs.
struct Memory {
    root: Box<Activation>,
    shared: Box<Injector<Work>>,
}

impl StepState {
    pub(crate) fn new(plan: &Plan) -> StepState {
        StepState { root: Idle::new(plan), lists: Lists::default(), shared: Box::new(Injector::new()) }
    }
}

/// A step that begins: the list of ready nodes, and the hold on the step that comes with it.
struct Begun {
    step: Arc<Step>,
    lists: Lists,
    hold: Hold,
}

/// One run of a plan.
pub(crate) struct Step {
    pub(crate) plan: Arc<Plan>,
    pub(crate) cx: StepCx,
    /// `None` once the next step may have it.
    memory: Option<Memory>,
    /// The work of its threads.
    pub(crate) work: SharedWork,
    /// How it ends.
    pub(crate) outcome: Outcome,
    /// Nodes that were deferred. The lock protects the map.
    pub(crate) parked: Mutex<ParkedNodes>,
    /// True for the step of a function, which is a part of another step.
    pub(crate) is_part: bool,
    /// Done once the step of a function is among its scope's members. Threads that reach it meanwhile wait until it is.
    pub(crate) joined: Once,
    /// If the step has no caller, whether it is on the watch's list.
    pub(crate) listing: Listing,
    /// True if the time that its nodes take is measured.
    pub(crate) measure: bool,
    /// Its number among the plan's steps and when it began, if it is timed.
    timed: Option<(u32, Instant)>,
    /// True if anything else is recorded for each node that runs: a trace, its resource use, what an observer wants.
    pub(crate) is_watched: bool,
}

/// Runs a step on the calling thread and, if worthwhile, on the pool's threads.
///
/// # Errors
/// `INVALID_ARGUMENT` for feeds that do not fit, else the first error of a node, with the node's name; `CANCELLED` or
/// `DEADLINE_EXCEEDED` if that came first.
pub fn run(
    plan: &Arc<Plan>,
    env: &Arc<Env>,
    feeds: Vec<Tensor>,
    options: &StepOptions,
) -> (Result<Vec<Tensor>>, Option<Box<StepTrace>>) {
    let Begun { step, lists, hold } = match Step::begin(plan, env, feeds, options) {
        Ok(begun) => begun,
        Err(error) => return (Err(error), None),
    };
    let (mut lists, ended) = step.drain_as_caller(lists, Some(hold));
    let ended = ended.unwrap_or_else(|| step.wait(&mut lists));
    step.note_time();
    let outcome = step.take_outcome(ended);
    if step.measure {
        step.plan.add_up();
    }
    step.rest(lists);
    outcome
}

/// Runs a step as far as possible on the calling thread; `on_done` is called before this returns, or later from another
/// thread if nodes of the step wait for something.
pub fn call(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    begin_with(plan, env, feeds, options, on_done, |_| {});
}

/// As [`call`], but on the pool's threads: the stack of the calling thread is free again.
pub fn call_aside(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    match Step::begin(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok(Begun { step, lists, hold }) => {
            // The caller may fall asleep before a thread comes to this step.
            step.join_scope();
            step.hand_to_pool(lists.ready, hold, on_done);
        }
    }
}

/// As [`call`], for a step of its own: if it has to wait, it is on the watch's list when this returns.
pub fn begin(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    begin_with(plan, env, feeds, options, on_done, |step| {
        step.listing.list(|| env.watch.enter(step.clone(), false));
    });
}

fn begin_with(
    plan: &Arc<Plan>,
    env: &Arc<Env>,
    feeds: Vec<Tensor>,
    options: &StepOptions,
    on_done: OnDone,
    then: impl FnOnce(&Arc<Step>),
) {
    match Step::begin(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok(Begun { step, lists, hold }) => {
            step.outcome.status.lock().on_done = Some(on_done);
            let lists = step.drain(step.worker(), lists, Some(hold));
            then(&step);
            step.rest(lists);
        }
    }
}

/// Starts a step that runs on the pool's threads only and calls `on_done` when it has ended.
pub fn start(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    match Step::begin(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok(Begun { step, lists, hold }) => step.start(lists.ready, hold, on_done),
    }
}

/// As [`start`], for a step that is fed later: `set_up` is called with it before anything runs.
pub(crate) fn start_with(
    plan: &Arc<Plan>,
    env: &Arc<Env>,
    options: &StepOptions,
    on_done: OnDone,
    set_up: impl FnOnce(&Step),
) -> Result<Arc<Step>> {
    let Begun { step, lists, hold } = Step::begin(plan, env, Vec::new(), options)?;
    set_up(&step);
    step.start(lists.ready, hold, on_done);
    Ok(step)
}

impl Step {
    fn begin(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions) -> Result<Begun> {
        check_feeds(plan, &feeds)?;
        let scope = options.scope.unwrap_or_else(|| StateScope::of_plan(plan.id));
        let is_traced = options.trace || options.tracing.is_some();
        let plan = plan.condensed.as_ref().filter(|_| !is_traced).unwrap_or(plan);
        let cancel = options.cancel.child();
        let resources = match &options.resources {
            Some(of_caller) => of_caller.clone(),
            None => Arc::new(env.scope_of_run(options.deadline, &cancel)),
        };
        if let Some(meter) = resources.meter().filter(|_| options.resources.is_none()) {
            count_feeds(plan, &feeds, meter)?;
        }
        let number = plan.count_step();
        let threads = env.pool.threads();
        // The steps of functions are not added up when they end.
        let cost = if number == MEASURE_FIRST { plan.add_up() } else { plan.shareable_cost() };
        let is_tried = threads > 1 && Trial::is_for(cost) && env.disorder.is_none();
        let worth_it = threads > 1
            && (env.disorder.is_some() || cost >= WORTH_THREADS)
            && (!is_tried || plan.trial.shares(number));
        let StepState { root, mut lists, shared } = plan.take_state();
        let root = root.begin(plan, feeds, !worth_it, &mut lists.ready);
        if worth_it {
            plan.prioritize(&mut lists.ready);
        }
        let (work, hold) = SharedWork::new(if worth_it { threads } else { 1 });
        let tracing = match &options.tracing {
            None if options.trace => {
                let recorder = Arc::new(Recorder::new(options.id, threads));
                Some(Tracing { recorder, function: "".into() })
            }
            tracing => tracing.clone(),
        };
        if let Some(tracing) = &tracing {
            let now = tracing.recorder.now();
            lists.ready.iter_mut().for_each(|ready| ready.stamp(now, None));
        }
        let is_watched = tracing.is_some()
            || env.observer.is_some()
            || env.chooser.is_some()
            || env.outside.is_some()
            || resources.meter().is_some();
        let step = Step {
            plan: plan.clone(),
            cx: StepCx {
                id: options.id,
                cancel,
                deadline: options.deadline,
                resources,
                depth: options.depth,
                tracing,
                within: options.within.clone(),
                scope,
                line: options.line.unwrap_or_else(|| line_of(0, &options.id)),
                poll: options.poll.clone(),
                env: env.clone(),
            },
            memory: Some(Memory { root, shared }),
            work,
            outcome: Outcome::default(),
            parked: Mutex::default(),
            is_part: options.resources.is_some(),
            joined: Once::new(),
            listing: Listing::default(),
            measure: number < MEASURE_FIRST || number.is_multiple_of(MEASURE_EVERY),
            timed: (is_tried && cost >= WORTH_THREADS && !is_watched && Trial::times(number))
                .then(|| (number, levada_sync::now())),
            is_watched,
        };
        Ok(Begun { step: Arc::new(step), lists, hold })
    }

    /// Takes note of its time at its end.
    pub(crate) fn note_time(&self) {
        if let Some((number, began)) = self.timed {
            self.plan.trial.took(number, began.elapsed().as_nanos() as u64);
        }
    }

    /// True if only one thread at a time works on this step.
    #[inline]
    pub(crate) fn exclusive(&self) -> bool {
        self.work.max_threads == 1
    }

    #[inline]
    pub(crate) fn act<'a>(&'a self, act: &'a Option<Arc<Activation>>) -> &'a Activation {
        act.as_deref().unwrap_or_else(|| self.root())
    }

    #[inline]
    fn memory(&self) -> &Memory {
        self.memory.as_ref().expect("a step has its memory until nobody knows it")
    }

    /// The root frame.
    #[inline]
    pub(crate) fn root(&self) -> &Activation {
        &self.memory().root
    }

    /// The work that any thread of the step may take.
    #[inline]
    pub(crate) fn shared(&self) -> &Injector<Work> {
        &self.memory().shared
    }

    /// Keeps the step's memory for the next one, if nobody else holds the step.
    fn rest(mut self: Arc<Self>, lists: Lists) {
        if let Some(step) = Arc::get_mut(&mut self) {
            step.recycle(lists);
        } else if let Ok(mut step) = Arc::try_unwrap(self) {
            // Its scope still lists it.
            step.recycle(lists);
        }
    }

    fn recycle(&mut self, mut lists: Lists) {
        let is_clean = !self.outcome.is_cut() && !self.plan.has_control_flow;
        let Some(Memory { root, shared }) = self.memory.take() else { return };
        lists.ready.clear();
        debug_assert!(shared.is_empty(), "work is left at the end of a step");
        self.plan.keep_state(StepState { root: root.rest(is_clean), lists, shared });
    }
}
