//! A step: one run of a plan. What it consists of, how it begins, and how its memory is used again.

use crate::activation::Activation;
use crate::feeds::check_feeds;
use crate::outcome::{OnDone, Outcome};
use crate::park::ParkedNodes;
use crate::plan::{NodeIx, NodeKind, Plan, WORTH_THREADS};
use crate::schedule::SharedWork;
use levada_graph::{Result, Tensor};
use levada_kernel::{CancelToken, Entry, Env, Poll, Scope, StateScope, StepCx, Tracing};
use levada_stall::Listing;
use levada_trace::{Recorder, StepTrace};
use parking_lot::Mutex;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Once};
use std::time::Instant;

/// The first steps of a plan are measured, and then one of so many.
const MEASURE_FIRST: u32 = 2;

const MEASURE_EVERY: u32 = 256;

/// How to run a step.
#[derive(Clone, Default)]
pub struct StepOptions {
    /// Number of the step in its session.
    pub id: u64,
    /// Cancels the step when it is cancelled.
    pub cancel: CancelToken,
    /// When the step fails with `DEADLINE_EXCEEDED`.
    pub deadline: Option<Instant>,
    /// True to record what ran when.
    pub trace: bool,
    /// What it shares with the step that it is a part of; `None` for a step of its own.
    pub resources: Option<Arc<Scope>>,
    /// How many calls of functions it is inside of.
    pub depth: u32,
    /// Where a traced step that this is a part of collects events; `None` for a step of its own.
    pub tracing: Option<Tracing>,
    /// Where its nodes keep their state; `None` for a run of the session's graph.
    pub scope: Option<StateScope>,
    /// Asks the thread that waits for the step whether to go on.
    pub poll: Option<Arc<Poll>>,
}

/// A node that may run now.
pub(crate) struct Ready {
    pub(crate) node: NodeIx,
    /// True where an input is dead: the node is passed over and its outputs are dead too.
    pub(crate) dead: bool,
    /// The iteration it belongs to; `None` for the root frame.
    pub(crate) act: Option<Arc<Activation>>,
    /// When it became ready, in traced steps.
    pub(crate) since: u64,
}

/// The parts of a step that are used again by the next one.
pub(crate) struct StepState {
    root: Activation,
    local: Vec<Ready>,
}

/// One run of a plan.
pub(crate) struct Step {
    pub(crate) plan: Arc<Plan>,
    pub(crate) cx: StepCx,
    pub(crate) root: Activation,
    /// What its threads have to do.
    pub(crate) work: SharedWork,
    /// How it ends.
    pub(crate) outcome: Outcome,
    /// Held while a merge with control inputs gets one of its inputs: value and count must change together.
    pub(crate) merging: Mutex<()>,
    /// Nodes that were deferred. The lock protects the map.
    pub(crate) parked: Mutex<ParkedNodes>,
    /// True for the step of a function, which is a part of another step.
    pub(crate) is_part: bool,
    /// Done once the step of a function is among its scope's members. Threads that come to it meanwhile wait until it is.
    pub(crate) joined: Once,
    /// Where the step has no caller, whether it is on the watch's list.
    pub(crate) listing: Listing,
    /// True where the time that its nodes take is measured.
    pub(crate) measure: bool,
}

/// Runs a step on the calling thread and, where it is worth it, on the pool's.
///
/// # Errors
/// `INVALID_ARGUMENT` for feeds that do not fit, else the first error of a node, with the node's name; `CANCELLED` or
/// `DEADLINE_EXCEEDED` where that came first.
pub fn run(
    plan: &Arc<Plan>,
    env: &Arc<Env>,
    feeds: Vec<Tensor>,
    options: &StepOptions,
) -> (Result<Vec<Tensor>>, Option<StepTrace>) {
    let (step, local) = match Step::new(plan, env, feeds, options) {
        Ok(made) => made,
        Err(error) => return (Err(error), None),
    };
    let local = step.drain(0, local, true);
    step.wait();
    let outcome = step.take_outcome();
    if step.measure {
        step.plan.add_up();
    }
    if let Ok(step) = Arc::try_unwrap(step) {
        step.recycle(local);
    }
    outcome
}

/// Runs a step as far as it goes on the calling thread; `on_done` is called before this returns, or later from another
/// thread where nodes of the step wait for something.
pub fn call(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    match Step::new(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok((step, local)) => {
            step.outcome.status.lock().on_done = Some(on_done);
            let local = step.drain(step.worker(), local, true);
            if let Ok(step) = Arc::try_unwrap(step) {
                step.recycle(local);
            }
        }
    }
}

/// As [`call`], for a step that is nobody's part: where it comes to wait, it is on the watch's list when this returns.
pub fn begin(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    match Step::new(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok((step, local)) => {
            step.outcome.status.lock().on_done = Some(on_done);
            let local = step.drain(step.worker(), local, true);
            step.listing.list(|| env.watch.enter(step.clone(), false));
            if let Ok(step) = Arc::try_unwrap(step) {
                step.recycle(local);
            }
        }
    }
}

/// Starts a step that runs on the pool's threads only and calls `on_done` when it has ended.
pub fn start(plan: &Arc<Plan>, env: &Arc<Env>, feeds: Vec<Tensor>, options: &StepOptions, on_done: OnDone) {
    match Step::new(plan, env, feeds, options) {
        Err(error) => on_done(Err(error), None),
        Ok((step, local)) => step.start(local, on_done),
    }
}

/// As [`start`], for a step that is fed later: `set_up` gets it before anything runs.
pub(crate) fn start_with(
    plan: &Arc<Plan>,
    env: &Arc<Env>,
    options: &StepOptions,
    on_done: OnDone,
    set_up: impl FnOnce(&Step),
) -> Result<Arc<Step>> {
    let (step, local) = Step::new(plan, env, Vec::new(), options)?;
    set_up(&step);
    step.start(local, on_done);
    Ok(step)
}

impl Step {
    fn new(
        plan: &Arc<Plan>,
        env: &Arc<Env>,
        feeds: Vec<Tensor>,
        options: &StepOptions,
    ) -> Result<(Arc<Step>, Vec<Ready>)> {
        check_feeds(plan, &feeds)?;
        let scope = options.scope.unwrap_or_else(|| StateScope::of_plan(plan.id));
        let is_traced = options.trace || options.tracing.is_some();
        let plan = plan.condensed.as_ref().filter(|_| !is_traced).unwrap_or(plan);
        let recycled = plan.idle.lock().pop();
        let StepState { mut root, mut local } = recycled.unwrap_or_else(|| StepState::new(plan));
        let number = plan.steps.fetch_add(1, Ordering::Relaxed);
        let threads = env.pool.threads();
        let worth_it = threads > 1 && plan.shareable_cost() >= WORTH_THREADS;
        for (feed, tensor) in plan.feeds.iter().zip(feeds) {
            let mut tensor = Some(tensor);
            for edge in &plan.edges[feed.edges.range()] {
                let value = if edge.last { tensor.take() } else { tensor.clone() };
                root.set(edge.slot, value.map_or(Entry::Empty, Entry::Value));
                // A merge must see what arrives first.
                let target = plan.nodes.get(edge.node as usize).filter(|n| n.kind == NodeKind::Merge);
                if target.is_some_and(|n| root.mark_live(n.pending, true) == 1) {
                    local.push(Ready { node: edge.node, dead: false, act: None, since: 0 });
                }
            }
        }
        local.extend(plan.roots.iter().map(|&node| Ready { node, dead: false, act: None, since: 0 }));
        if worth_it {
            plan.prioritize(&mut local);
        }
        let step = Step {
            plan: plan.clone(),
            cx: StepCx {
                id: options.id,
                cancel: options.cancel.child(),
                deadline: options.deadline,
                resources: options.resources.clone().unwrap_or_default(),
                depth: options.depth,
                tracing: match &options.tracing {
                    None if options.trace => {
                        let recorder = Arc::new(Recorder::new(options.id, threads));
                        Some(Tracing { recorder, function: "".into() })
                    }
                    tracing => tracing.clone(),
                },
                scope,
                poll: options.poll.clone(),
                env: env.clone(),
            },
            root,
            work: SharedWork::new(if worth_it { threads } else { 1 }),
            outcome: Outcome::default(),
            merging: Mutex::new(()),
            parked: Mutex::default(),
            is_part: options.resources.is_some(),
            joined: Once::new(),
            listing: Listing::default(),
            measure: number < MEASURE_FIRST || number.is_multiple_of(MEASURE_EVERY),
        };
        Ok((Arc::new(step), local))
    }

    /// True where only one thread at a time works on this step.
    #[inline]
    pub(crate) fn exclusive(&self) -> bool {
        self.work.max_threads == 1
    }

    #[inline]
    pub(crate) fn act<'a>(&'a self, act: &'a Option<Arc<Activation>>) -> &'a Activation {
        act.as_deref().unwrap_or(&self.root)
    }

    /// Keeps the step's memory for the next one.
    fn recycle(mut self, mut local: Vec<Ready>) {
        let clean = !*self.outcome.aborted.get_mut() && !self.plan.has_control_flow;
        if !clean {
            self.root.reset();
        }
        local.clear();
        let mut idle = self.plan.idle.lock();
        if idle.len() < 16 {
            idle.push(StepState { root: self.root, local });
        }
    }
}

impl StepState {
    fn new(plan: &Plan) -> StepState {
        StepState { root: Activation::new(&plan.frames[0]), local: Vec::new() }
    }
}
