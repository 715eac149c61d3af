//! One run of a plan: fires nodes whose inputs are ready, until the fetches are filled.

use crate::activation::Activation;
use crate::plan::{FETCH, NodeIx, NodeKind, ONE_DEAD, Plan, PlanFeed, PlanNames, PlanNode, SHAREABLE, WORTH_THREADS};
use crate::record;
use crate::sharing::{self, Give, LOOKED_AT, WORTH_SHARING};
use crossbeam::deque::{Injector, Steal};
use levada_graph::{Code, DType, Error, Result, Tensor};
use levada_kernel::cancel::is_consequence;
use levada_kernel::io::Deferred;
use levada_kernel::watch::{ParkedNode, Sleeper};
use levada_kernel::{CancelToken, Completion, Entry, Env, Io, Parker, Scope, StateScope, StepCx, Tracing, Wait, lane};
use levada_stall::{Activity, Listing, Sleeps};
use levada_trace::{NodeEvent, Recorder, StepTrace};
use parking_lot::{Condvar, Mutex};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// A backlog of [`SHAREABLE`] nodes that all together take at least this many nanoseconds is shared.
const BACKLOG_TOTAL: u64 = 200_000;
/// The first steps of a plan are measured, and then one of so many.
const MEASURE_FIRST: u32 = 2;
const MEASURE_EVERY: u32 = 256;
/// Of a loop, iterations before this one are measured.
const MEASURE_ITERATIONS: u64 = 4;
/// Before one of so many cheap nodes it is looked whether the step was cancelled or is late.
const LOOK_EVERY: u32 = 16;
/// How long a caller spins for helpers to finish before it sleeps.
const SPIN: Duration = Duration::from_micros(30);

/// How long a traced step that failed waits for its devices.
const SETTLE_FAILED: Duration = Duration::from_secs(1);

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

/// Work that any thread of the step may take up.
enum Work {
    Nodes(Vec<Ready>),
    /// A deferred node that has finished.
    Resumed(Ready, Result<Vec<Entry>>),
}

/// The parts of a step that are used again by the next one.
pub(crate) struct StepState {
    root: Activation,
    local: Vec<Ready>,
}

/// Called with the fetched tensors, or why there are none.
pub type OnDone = Box<dyn FnOnce(Result<Vec<Tensor>>, Option<StepTrace>) + Send>;

#[derive(Default)]
struct Status {
    error: Option<Error>,
    done: bool,
    on_done: Option<OnDone>,
}

/// One run of a plan.
pub(crate) struct Step {
    pub(crate) plan: Arc<Plan>,
    pub(crate) cx: StepCx,
    pub(crate) root: Activation,
    /// Work that is not in one thread's own list.
    shared: Injector<Work>,
    /// Tokens: one for each piece of shared work, each thread that works off its list, and each deferred node. The step
    /// is done when the last one goes.
    tokens: AtomicUsize,
    /// Who works on the step, and which deferred nodes are sure to be finished.
    activity: Activity,
    /// The most threads that may work on it.
    max_drains: usize,
    /// Set on the first error: nodes not yet started are dropped.
    aborted: AtomicBool,
    /// Protects the outcome.
    status: Mutex<Status>,
    done: Condvar,
    /// Held while a merge with control inputs gets one of its inputs: value and count must change together.
    pub(crate) merging: Mutex<()>,
    /// Nodes that were deferred. The lock protects the map.
    parked: Mutex<ParkedNodes>,
    /// True for the step of a function, which is a part of another step.
    is_part: bool,
    /// Done once the step of a function is among its scope's members. Threads that come to it meanwhile wait until it is.
    joined: Once,
    /// Where the step has no caller, whether it is on the watch's list.
    listing: Listing,
    measure: bool,
}

/// A node that was deferred.
struct Parked {
    node: NodeIx,
    since: Instant,
    wait: Wait,
}

/// Nodes that were deferred, by number.
#[derive(Default)]
struct ParkedNodes {
    next: u64,
    nodes: HashMap<u64, Parked>,
}

thread_local! {
    /// True while this thread works on a step.
    static DRAINING: Cell<bool> = const { Cell::new(false) };
    /// True while this thread works off what was postponed.
    static WORKING_OFF: Cell<bool> = const { Cell::new(false) };
    /// What came to this thread while a kernel of another step was waiting on it inside rayon.
    static POSTPONED: RefCell<Vec<Postponed>> = const { RefCell::new(Vec::new()) };
}

/// Work for a thread that is free.
enum Postponed {
    /// A step that asked for help.
    Step(Arc<Step>),
    Job(Box<dyn FnOnce() + Send>),
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
    let outcome = step.outcome();
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
            step.status.lock().on_done = Some(on_done);
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
            step.status.lock().on_done = Some(on_done);
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

/// Runs `job` on one of the pool's threads, never within a node of a step, as a job that the pool itself is given may.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` where the system gives no threads; `job` is dropped.
pub fn spawn(env: &Env, job: impl FnOnce() + Send + 'static) -> Result<()> {
    env.pool.spawn(move || {
        if DRAINING.get() {
            POSTPONED.with_borrow_mut(|p| p.push(Postponed::Job(Box::new(job))));
        } else {
            job();
        }
    })
}

/// Does what came to this thread while it was busy. What it does may be busy itself; the outermost call sees to all.
fn work_off_postponed() {
    if WORKING_OFF.replace(true) {
        return;
    }
    while let Some(postponed) = POSTPONED.with_borrow_mut(Vec::pop) {
        match postponed {
            Postponed::Step(step) => drop(step.drain(step.worker(), Vec::new(), false)),
            Postponed::Job(job) => job(),
        }
    }
    WORKING_OFF.set(false);
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
                env: env.clone(),
            },
            root,
            shared: Injector::new(),
            tokens: AtomicUsize::new(1),
            activity: Activity::of_one_thread(),
            max_drains: if worth_it { threads } else { 1 },
            aborted: AtomicBool::new(false),
            status: Mutex::default(),
            done: Condvar::new(),
            merging: Mutex::new(()),
            parked: Mutex::default(),
            is_part: options.resources.is_some(),
            joined: Once::new(),
            listing: Listing::default(),
            measure: number < MEASURE_FIRST || number.is_multiple_of(MEASURE_EVERY),
        };
        Ok((Arc::new(step), local))
    }

    /// Lets the pool's threads run it.
    fn start(self: &Arc<Self>, local: Vec<Ready>, on_done: OnDone) {
        let env = &self.cx.env;
        self.status.lock().on_done = Some(on_done);
        self.listing.list(|| env.watch.enter(self.clone(), false));
        let helper = self.clone();
        let started = env.pool.spawn(move || {
            if DRAINING.get() {
                // The list must not be lost: hand it over as shared work and let the outer loop come back to it.
                helper.shared.push(Work::Nodes(local));
                POSTPONED.with_borrow_mut(|p| p.push(Postponed::Step(helper)));
            } else {
                helper.drain(helper.worker(), local, true);
            }
        });
        if let Err(error) = started {
            self.fail(error);
            self.release();
        }
    }

    /// True where only one thread at a time works on this step.
    #[inline]
    pub(crate) fn exclusive(&self) -> bool {
        self.max_drains == 1
    }

    #[inline]
    pub(crate) fn act<'a>(&'a self, act: &'a Option<Arc<Activation>>) -> &'a Activation {
        act.as_deref().unwrap_or(&self.root)
    }

    /// Number of this thread in traces: 0 for callers, from 1 for the pool's threads.
    fn worker(&self) -> u32 {
        self.cx.env.pool.worker().map_or(0, |w| w as u32 + 1)
    }

    /// Works off `local` and then shared work until there is none. `holding`: the caller's list comes with a token.
    /// Returns the emptied list.
    fn drain(self: &Arc<Self>, worker: u32, mut local: Vec<Ready>, mut holding: bool) -> Vec<Ready> {
        let outer = DRAINING.replace(true);
        let entered = lane::enter(Some(self.cx.resources.clone()));
        let mut lane = Lane { worker, fired: LOOK_EVERY - 1, unshared: 0, outputs: Vec::new() };
        loop {
            if holding {
                self.work_off(&mut local, &mut lane);
                holding = false;
                if self.release() {
                    // Only now does the step not run any more: its end has been told.
                    self.activity.leave();
                    break;
                }
            }
            match self.shared.steal() {
                Steal::Success(Work::Nodes(nodes)) => {
                    local = nodes;
                    holding = true;
                }
                Steal::Success(Work::Resumed(ready, outputs)) => {
                    self.resume(ready, outputs, &mut local, &mut lane);
                    holding = true;
                }
                Steal::Retry => {}
                Steal::Empty => {
                    if self.is_part {
                        self.joined.call_once(|| {
                            let this: Arc<dyn Sleeper> = self.clone();
                            self.cx.resources.join(Arc::downgrade(&this));
                        });
                    }
                    let last = self.activity.leave();
                    // Work that was shared before that was seen would wait for ever: look once more.
                    if self.shared.is_empty() || !self.activity.join(self.max_drains) {
                        if last {
                            self.cx.env.watch.check();
                        }
                        break;
                    }
                }
            }
        }
        drop(entered);
        DRAINING.set(outer);
        if !outer {
            work_off_postponed();
        }
        local
    }

    /// Gives a token back; true where it was the last one and the step is done.
    fn release(&self) -> bool {
        let last = self.tokens.fetch_sub(1, Ordering::AcqRel) == 1;
        if last {
            self.finish();
        }
        last
    }

    /// Fires nodes of `local` until it is empty. A panic of a kernel fails the step only.
    fn work_off(self: &Arc<Self>, local: &mut Vec<Ready>, lane: &mut Lane) {
        let current = Cell::new(FETCH);
        while !local.is_empty() {
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                while let Some(ready) = local.pop() {
                    current.set(ready.node);
                    let left = local.len();
                    self.fire(ready, local, lane);
                    if self.max_drains > 1 && local.len() > 1 {
                        // Where a look found nothing to share, there is nothing to share until nodes are added or many are
                        // done.
                        lane.unshared = if local.len() > left { 0 } else { lane.unshared.saturating_sub(1) };
                        if lane.unshared == 0 && !self.share(local) {
                            lane.unshared = LOOKED_AT as u32 / 2;
                        }
                    }
                }
            }));
            if let Err(panic) = outcome {
                let node = self.plan.meta(current.get());
                let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                self.fail(Error::internal(format!("the kernel panicked: {text}")).at_node(&node.name, node.op));
            }
        }
    }

    /// Hands part of the list to other threads where that is worth it; false where it is not whatever they do.
    fn share(self: &Arc<Self>, local: &mut Vec<Ready>) -> bool {
        let free = self.max_drains.saturating_sub(self.activity.threads());
        if free == 0 {
            return true;
        }
        let cost = |r: &Ready| self.plan.nodes[r.node as usize].cost.nanos();
        let give = self.plan.ranks().map_or_else(Give::default, |ranks| sharing::choose(ranks, local, free, cost));
        if !give.each.is_empty() || !give.together.is_empty() {
            let lists = give.each.into_iter().map(|ready| vec![ready]).chain([give.together]);
            for list in lists.filter(|list| !list.is_empty()) {
                self.hand_over(list);
            }
            return true;
        }
        if local.len() as u64 * SHAREABLE < BACKLOG_TOTAL {
            return false;
        }
        let sample = local.len() / 16;
        let total: u64 = local.iter().step_by(sample.max(1)).map(|r| u64::from(cost(r))).sum();
        if total / 16 < SHAREABLE {
            return false;
        }
        let half = local.drain(..local.len() / 2).collect();
        self.hand_over(half);
        true
    }

    /// Lets another thread work off a list.
    fn hand_over(self: &Arc<Self>, list: Vec<Ready>) {
        self.tokens.fetch_add(1, Ordering::Relaxed);
        self.shared.push(Work::Nodes(list));
        self.call_helper();
    }

    /// Sees to it that shared work is looked at.
    fn call_helper(self: &Arc<Self>) {
        if !self.activity.join(self.max_drains) {
            return;
        }
        let helper = self.clone();
        let called = self.cx.env.pool.spawn(move || {
            if DRAINING.get() {
                POSTPONED.with_borrow_mut(|p| p.push(Postponed::Step(helper)));
            } else {
                helper.drain(helper.worker(), Vec::new(), false);
            }
        });
        if let Err(error) = called {
            self.activity.leave();
            self.fail(error);
        }
    }

    /// True once nodes that have not started yet are to be dropped.
    #[inline]
    fn is_over(&self, node: &PlanNode, lane: &mut Lane) -> bool {
        if self.aborted.load(Ordering::Relaxed) {
            return true;
        }
        // Reading the clock takes longer than a cheap node.
        lane.fired = lane.fired.wrapping_add(1);
        if !lane.fired.is_multiple_of(LOOK_EVERY) && node.cost.nanos() < WORTH_SHARING {
            return false;
        }
        if self.cx.cancel.is_cancelled() {
            self.fail(self.cx.cancel.reason().unwrap_or_else(|| Error::cancelled("the run was cancelled")));
            return true;
        }
        if self.cx.deadline.is_some_and(|d| Instant::now() >= d) {
            self.fail(Error::deadline_exceeded("the run passed its deadline"));
            return true;
        }
        false
    }

    fn fire(self: &Arc<Self>, mut ready: Ready, local: &mut Vec<Ready>, lane: &mut Lane) {
        let node = &self.plan.nodes[ready.node as usize];
        if self.is_over(node, lane) {
            return;
        }
        let act = self.act(&ready.act);
        // SAFETY: this thread took the node off the list of those that are ready, so it alone runs it.
        #[allow(unsafe_code)]
        let inputs = unsafe { act.inputs(node.inputs) };
        let outputs = &mut lane.outputs;
        outputs.clear();
        outputs.resize_with(node.outputs as usize, Entry::default);
        let names = &self.plan.names[ready.node as usize];
        let meta = &names.meta;
        let dead = ready.dead && node.kind != NodeKind::Transfer;
        if dead {
            if let Some(tracing) = &self.cx.tracing {
                let event = record::begin(tracing, names, &ready, lane.worker, &[]);
                tracing.recorder.record(NodeEvent { dead: true, end_ns: event.start_ns, ..event });
            }
            clear(inputs);
            self.propagate(&mut ready, node, true, outputs, local);
            return;
        }
        if node.reads_refs
            && let Err(error) = read_refs(names, inputs)
        {
            return self.fail(error.at_node(&meta.name, meta.op));
        }
        if self.cx.tracing.is_none() && self.move_value(node, inputs, outputs) {
            self.propagate(&mut ready, node, false, outputs, local);
            return;
        }
        let event = self.cx.tracing.as_ref().map(|t| (t, record::begin(t, names, &ready, lane.worker, inputs)));
        // Of a loop the first iterations tell enough.
        let early = |act: &Activation| act.place.as_ref().is_none_or(|p| p.iteration < MEASURE_ITERATIONS);
        let timer = (self.measure && ready.act.as_deref().is_none_or(early)).then(Instant::now);
        let mut parker = NodeParker { step: self, ready: &ready, deferral: None };
        let entered = event.as_ref().map(|(tracing, event)| record::enter(tracing, event));
        let result = node.kernel.compute(&mut Io::new(inputs, outputs, meta, &self.cx, &mut parker));
        drop(entered);
        if let Some(timer) = timer {
            node.cost.observe(timer.elapsed().as_nanos() as u64);
        }
        let result = match parker.deferral {
            None => result,
            Some(deferral) => match deferral.returned() {
                Some(finished) => {
                    self.unpark(deferral.id);
                    self.tokens.fetch_sub(1, Ordering::AcqRel);
                    result.and(finished).map(|entries| *outputs = entries)
                }
                // Whoever finishes the node brings it back.
                None => {
                    clear(inputs);
                    if let Err(error) = result {
                        self.fail(error.at_node(&meta.name, meta.op));
                    }
                    return;
                }
            },
        };
        clear(inputs);
        if let Some((tracing, event)) = event {
            record::end(tracing, event, outputs, result.as_ref().err());
        }
        match result.and_then(|()| check_outputs(node, outputs)) {
            Ok(()) => self.propagate(&mut ready, node, false, outputs, local),
            Err(error) => self.fail(error.at_node(&meta.name, meta.op)),
        }
    }

    /// Does without their kernels what the nodes of control flow do, which is to move a value; false for all others.
    #[inline]
    pub(crate) fn move_value(&self, node: &PlanNode, inputs: &mut [Entry], outputs: &mut [Entry]) -> bool {
        fn pass(input: &mut Entry) -> Option<Entry> {
            match input {
                Entry::Constant(tensor) => Some(Entry::Value(tensor.clone())),
                // Kernels see to it that the variable has a value.
                Entry::Ref(_) => None,
                entry => Some(std::mem::take(entry)),
            }
        }
        match (node.kind, inputs) {
            (NodeKind::Enter(_) | NodeKind::Exit | NodeKind::NextIteration, [input]) => {
                let Some(value) = pass(input) else { return false };
                outputs[0] = value;
            }
            (NodeKind::Merge, inputs) => {
                // Which input it was, the kernel says to those who ask.
                let asked = self.plan.edges[node.edges.range()].last().is_some_and(|e| e.output > 0);
                let arrived = inputs.iter_mut().find(|i| !matches!(i, Entry::Empty | Entry::Dead));
                let (false, Some(input)) = (asked, arrived) else { return false };
                let Some(value) = pass(input) else { return false };
                outputs[0] = value;
            }
            (NodeKind::Switch, [input, pred]) => {
                let taken = match pred.tensor().map(|p| (p.shape().is_scalar(), p.slice::<bool>())) {
                    Some((true, Ok([taken]))) => usize::from(*taken),
                    _ => return false,
                };
                let Some(value) = pass(input) else { return false };
                outputs[taken] = value;
                outputs[1 - taken] = Entry::Dead;
                if !matches!(pred, Entry::Constant(_)) {
                    *pred = Entry::Empty;
                }
            }
            _ => return false,
        }
        true
    }

    /// Takes up a deferred node that has finished.
    fn resume(
        self: &Arc<Self>,
        mut ready: Ready,
        outputs: Result<Vec<Entry>>,
        local: &mut Vec<Ready>,
        lane: &mut Lane,
    ) {
        let node = &self.plan.nodes[ready.node as usize];
        let names = &self.plan.names[ready.node as usize];
        let meta = &names.meta;
        if self.aborted.load(Ordering::Relaxed) {
            return;
        }
        if let Some(tracing) = &self.cx.tracing {
            let event = record::begin(tracing, names, &ready, lane.worker, &[]);
            record::end(tracing, event, outputs.as_deref().unwrap_or(&[]), outputs.as_ref().err());
        }
        match outputs.and_then(|mut entries| check_outputs(node, &mut entries).map(|()| entries)) {
            Ok(mut entries) => self.propagate(&mut ready, node, false, &mut entries, local),
            Err(error) => self.fail(error.at_node(&meta.name, meta.op)),
        }
    }

    /// Hands a node's outputs to their consumers and adds those that become ready to `local`.
    fn propagate(
        self: &Arc<Self>,
        ready: &mut Ready,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        let first = local.len();
        if self.plan.has_control_flow {
            self.propagate_in_frames(ready, node, dead, outputs, local);
        } else {
            self.propagate_plainly(node, outputs, local);
        }
        if self.max_drains > 1 {
            self.plan.prioritize(&mut local[first..]);
        }
        if let Some(Tracing { recorder, .. }) = &self.cx.tracing {
            let now = recorder.now();
            local[first..].iter_mut().for_each(|r| r.since = now);
        }
    }

    fn propagate_plainly(&self, node: &PlanNode, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        let exclusive = self.exclusive();
        for edge in &self.plan.edges[node.edges.range()] {
            let output = &mut outputs[edge.output as usize];
            let value = if edge.last { std::mem::take(output) } else { output.clone() };
            // SAFETY: this edge is the only one that ends in the slot, and its consumer waits for it still.
            #[allow(unsafe_code)]
            unsafe {
                self.root.put(edge.slot, value);
            }
            if edge.node != FETCH {
                self.arrive(edge.node, exclusive, local);
            }
        }
        for &to in &self.plan.controls[node.controls.range()] {
            self.arrive(to, exclusive, local);
        }
    }

    /// One more input of a node is there. In plans without control flow a node's count is found under its own number.
    #[inline]
    fn arrive(&self, node: NodeIx, exclusive: bool, local: &mut Vec<Ready>) {
        if self.root.arrive(node, exclusive) {
            local.push(Ready { node, dead: false, act: None, since: 0 });
        }
    }

    /// Ends the step with this error unless it has one already.
    pub(crate) fn fail(&self, error: Error) {
        let error = match self.cx.cancel.reason() {
            Some(reason) if is_consequence(&error) && !is_consequence(&reason) => reason,
            _ => error,
        };
        {
            let mut status = self.status.lock();
            match &status.error {
                // What was cancelled because of another failure is not the root cause.
                Some(first) if !is_consequence(first) || is_consequence(&error) => {}
                Some(_) if self.cx.cancel.reason().is_some() => {}
                _ => status.error = Some(error),
            }
            self.aborted.store(true, Ordering::Release);
        }
        self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));
    }

    fn finish(&self) {
        let on_done = {
            let mut status = self.status.lock();
            status.done = true;
            status.on_done.take()
        };
        self.done.notify_all();
        if let Some(on_done) = on_done {
            let (result, trace) = self.outcome();
            on_done(result, trace);
        }
        // Whoever goes on because of the step's end vouches for itself by now. It may have looked for sleepers while the step
        // was on the list still.
        if let Some(id) = self.listing.over() {
            self.cx.env.watch.leave(id);
            self.cx.env.watch.check();
        }
    }

    /// The nodes that wait for something like this.
    fn parked_for(&self, is_it: impl Fn(&Wait) -> bool) -> Vec<usize> {
        let parked = self.parked.lock();
        parked.nodes.values().filter(|p| is_it(&p.wait)).map(|p| p.node as usize).collect()
    }

    /// Forgets a node that was deferred.
    fn unpark(&self, id: u64) {
        let parked = self.parked.lock().nodes.remove(&id);
        if parked.is_some_and(|p| matches!(p.wait, Wait::Sure)) {
            self.activity.expect_no_more();
        }
    }

    /// Waits for the end, or for the deadline and then for the end.
    fn wait(self: &Arc<Self>) {
        let spin_until = Instant::now() + SPIN;
        while self.activity.threads() > 0 && Instant::now() < spin_until {
            if self.status.lock().done {
                return;
            }
            std::hint::spin_loop();
        }
        if self.status.lock().done {
            return;
        }
        let watch = &self.cx.env.watch;
        let id = watch.enter(self.clone(), true);
        watch.check();
        let in_time = self.sleep();
        watch.leave(id);
        if !in_time {
            // Whoever waits is cancelled and fails the step. Where the last one to wait was served just now the step has
            // done everything, and what was taken out of a queue must not be lost.
            self.cx.cancel.cancel_with(Error::deadline_exceeded("the run passed its deadline"));
            let mut status = self.status.lock();
            while !status.done {
                self.done.wait(&mut status);
            }
        }
    }

    /// Sleeps until the end; false where the deadline passed before.
    fn sleep(&self) -> bool {
        let mut status = self.status.lock();
        let mut report = self.cx.env.watch.report_after().and_then(|after| Instant::now().checked_add(after));
        while !status.done {
            let Some(until) = self.cx.deadline.into_iter().chain(report).min() else {
                self.done.wait(&mut status);
                continue;
            };
            if self.done.wait_until(&mut status, until).timed_out() && !status.done {
                if self.cx.deadline == Some(until) {
                    return false;
                }
                report = None;
                drop(status);
                self.cx.env.watch.report();
                status = self.status.lock();
            }
        }
        true
    }

    fn outcome(&self) -> (Result<Vec<Tensor>>, Option<StepTrace>) {
        let error = self.status.lock().error.take();
        // A function's events are its caller's to collect.
        let own = self.cx.tracing.as_ref().filter(|tracing| tracing.function.is_empty());
        let trace = own.map(|tracing| {
            self.settle(tracing, error.as_ref());
            tracing.recorder.finish_with(|| record::edges(&self.plan))
        });
        if let Some(error) = error {
            self.dismantle();
            // What the slots hold ends with the step, before anybody is told: others may wait for that.
            let all = crate::plan::Span { start: 0, end: self.plan.frames[0].slots };
            // SAFETY: as below.
            #[allow(unsafe_code)]
            clear(unsafe { self.root.inputs(all) });
            return (Err(error), trace);
        }
        // SAFETY: the step is done: nobody writes to the fetches' slots any more, and only its owner asks for them.
        #[allow(unsafe_code)]
        let slots = unsafe { self.root.inputs(self.plan.fetches) };
        let names = &self.plan.fetch_names;
        let fetched = slots.iter_mut().zip(names).map(|(slot, name)| fetched(slot, name)).collect();
        (fetched, trace)
    }

    /// Waits for devices to say when they did what the step queued. A step that failed shows what is known by then.
    fn settle(&self, tracing: &Tracing, error: Option<&Error>) {
        let recorder = &tracing.recorder;
        match error.map(Error::code) {
            None => {
                let waiting = recorder.clone();
                let _listening = self.cx.cancel.on_cancel(move |_| waiting.give_up());
                recorder.settle(self.cx.deadline);
            }
            Some(Code::Cancelled | Code::DeadlineExceeded) => recorder.settle(Some(Instant::now())),
            Some(_) => {
                let limit = Instant::now() + SETTLE_FAILED;
                recorder.settle(Some(self.cx.deadline.map_or(limit, |d| d.min(limit))));
            }
        }
    }

    /// Breaks the circles of frames and iterations that an aborted step leaves behind.
    fn dismantle(&self) {
        let children = std::mem::take(&mut *self.root.children.lock());
        children.iter().for_each(|(_, frame)| frame.dismantle());
    }

    /// Keeps the step's memory for the next one.
    fn recycle(mut self, mut local: Vec<Ready>) {
        let clean = !*self.aborted.get_mut() && !self.plan.has_control_flow;
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

/// What one thread keeps while it works on a step.
struct Lane {
    worker: u32,
    /// Nodes fired.
    fired: u32,
    /// Nodes to fire before it is worth looking for some to share again.
    unshared: u32,
    outputs: Vec<Entry>,
}

/// A node that finishes later: who comes second, the kernel's return or the completion, carries on.
struct Deferral {
    step: Arc<Step>,
    /// Its number among the step's deferred nodes.
    id: u64,
    ready: Mutex<Option<Ready>>,
    /// Protects which of the two came first.
    state: Mutex<DeferralState>,
}

#[derive(Default)]
struct DeferralState {
    returned: bool,
    result: Option<Result<Vec<Entry>>>,
}

impl Deferral {
    /// The kernel has returned. The result, where it is there already.
    fn returned(&self) -> Option<Result<Vec<Entry>>> {
        let mut state = self.state.lock();
        state.returned = true;
        state.result.take()
    }
}

impl Deferred for Deferral {
    fn wait_for(&self, wait: Wait) {
        let is_sure = |wait: &Wait| matches!(wait, Wait::Sure);
        let mut parked = self.step.parked.lock();
        let Some(parked) = parked.nodes.get_mut(&self.id) else { return };
        // Counted before and uncounted after, so that the step never seems to sleep in between.
        if is_sure(&wait) {
            self.step.activity.expect();
            self.step.cx.resources.wake();
        }
        let before = std::mem::replace(&mut parked.wait, wait);
        if is_sure(&before) {
            self.step.activity.expect_no_more();
        }
    }

    fn finish(&self, result: Result<Vec<Entry>>) {
        let mut state = self.state.lock();
        if !state.returned {
            state.result = Some(result);
            return;
        }
        drop(state);
        let ready = self.ready.lock().take();
        if let Some(ready) = ready {
            self.step.cx.resources.wake();
            self.step.shared.push(Work::Resumed(ready, result));
            self.step.call_helper();
            self.step.unpark(self.id);
        }
    }
}

struct NodeParker<'a> {
    step: &'a Arc<Step>,
    ready: &'a Ready,
    deferral: Option<Arc<Deferral>>,
}

impl Parker for NodeParker<'_> {
    fn park(&mut self, wait: Wait) -> Completion {
        self.step.tokens.fetch_add(1, Ordering::Relaxed);
        if matches!(wait, Wait::Sure) {
            self.step.activity.expect();
        }
        let r = self.ready;
        let id = {
            let mut parked = self.step.parked.lock();
            parked.next += 1;
            let id = parked.next;
            parked.nodes.insert(id, Parked { node: r.node, since: Instant::now(), wait });
            id
        };
        let ready = Ready { node: r.node, dead: r.dead, act: r.act.clone(), since: r.since };
        let deferral =
            Arc::new(Deferral { step: self.step.clone(), id, ready: Mutex::new(Some(ready)), state: Mutex::default() });
        self.deferral = Some(deferral.clone());
        Completion::of(deferral)
    }

    fn iteration(&self) -> u64 {
        crate::frames::iteration_number(&self.ready.act)
    }
}

impl Sleeps for Step {
    fn sleeps(&self) -> Option<u64> {
        let wakes = self.cx.resources.wakes();
        let idle = self.activity.is_idle() && self.shared.is_empty() && !self.aborted.load(Ordering::SeqCst);
        if !idle || (self.tokens.load(Ordering::SeqCst) == 0 && !self.is_part) {
            return None;
        }
        let asleep = self.is_part || self.cx.resources.members().iter().all(|member| member.sleeps().is_some());
        asleep.then_some(wakes)
    }
}

impl Sleeper for Step {
    fn number(&self) -> u64 {
        self.cx.id
    }

    fn parked(&self) -> Vec<ParkedNode> {
        let own = |parked: &Parked| match &parked.wait {
            Wait::At(place, waiter) => {
                let meta = self.plan.meta(parked.node);
                Some(ParkedNode {
                    node: meta.name.clone(),
                    op: meta.op,
                    step: self.cx.id,
                    since: parked.since,
                    place: place.clone(),
                    waiter: *waiter,
                })
            }
            Wait::Sure | Wait::Call | Wait::Send | Wait::Feed => None,
        };
        let mut nodes: Vec<ParkedNode> = self.parked.lock().nodes.values().filter_map(own).collect();
        if !self.is_part {
            nodes.extend(self.cx.resources.members().iter().flat_map(|member| member.parked()));
        }
        nodes.sort_by(|a, b| (a.since, &a.node).cmp(&(b.since, &b.node)));
        nodes
    }

    fn calling(&self) -> Vec<Arc<str>> {
        let calls = self.parked_for(|wait| matches!(wait, Wait::Call));
        calls.into_iter().map(|node| self.plan.meta(node as NodeIx).name.clone()).collect()
    }

    fn unfed(&self) -> Vec<Arc<str>> {
        let feeds = self.parked_for(|wait| matches!(wait, Wait::Feed));
        feeds.into_iter().map(|node| self.plan.meta(node as NodeIx).name.clone()).collect()
    }

    fn behind(&self, node: &str) -> Vec<Arc<str>> {
        let plan = &self.plan;
        let mut found = vec![false; plan.nodes.len()];
        let mut open: Vec<usize> = match plan.names.iter().position(|n| n.all().iter().any(|name| **name == *node)) {
            Some(first) => vec![first],
            None => self.parked_for(|wait| matches!(wait, Wait::Call)),
        };
        // What another device is to be sent comes after what this one waits for.
        open.extend(self.parked_for(|wait| matches!(wait, Wait::Send)));
        while let Some(at) = open.pop() {
            let node = &plan.nodes[at];
            let data = plan.edges[node.edges.range()].iter().map(|e| e.node).filter(|&to| to != FETCH);
            for to in data.chain(plan.controls[node.controls.range()].iter().copied()) {
                if !std::mem::replace(&mut found[to as usize], true) {
                    open.push(to as usize);
                }
            }
        }
        plan.names.iter().zip(found).filter(|(_, found)| *found).flat_map(|(n, _)| n.all()).cloned().collect()
    }

    fn nodes(&self) -> Vec<Arc<str>> {
        self.plan.names.iter().flat_map(PlanNames::all).cloned().collect()
    }

    fn fail(&self, error: Error) {
        Step::fail(self, error);
    }

    fn has_deadline(&self) -> bool {
        self.cx.deadline.is_some()
    }
}

fn clear(inputs: &mut [Entry]) {
    for input in inputs {
        if !matches!(input, Entry::Constant(_) | Entry::Empty) {
            *input = Entry::Empty;
        }
    }
}

/// Replaces references by the values of their variables, for a kernel that asks for values.
fn read_refs(node: &PlanNames, inputs: &mut [Entry]) -> Result<()> {
    for &i in &node.reads_refs {
        let Some(input) = inputs.get_mut(i as usize) else { continue };
        if let Entry::Ref(cell) = input {
            let value = cell.value.read().clone();
            let value = value.ok_or_else(|| {
                Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name))
                    .help("run the variable's initializer first, for instance with --init")
            })?;
            *input = Entry::Value(value);
        }
    }
    Ok(())
}

/// Every output of a plain node must have been set.
fn check_outputs(node: &PlanNode, outputs: &mut [Entry]) -> Result<()> {
    if outputs.len() != node.outputs as usize {
        return Err(Error::internal(format!("expected {} outputs, got {}", node.outputs, outputs.len())));
    }
    match outputs.iter().position(|o| matches!(o, Entry::Empty)) {
        Some(i) => Err(Error::internal(format!("the kernel did not set output {i}"))),
        None => Ok(()),
    }
}

/// Takes a fetched value out of its slot.
pub(crate) fn fetched(slot: &mut Entry, name: &str) -> Result<Tensor> {
    match slot {
        Entry::Constant(tensor) => Ok(tensor.clone()),
        _ => match std::mem::take(slot) {
            Entry::Value(tensor) => Ok(tensor),
            Entry::Ref(cell) => cell.value.read().clone().ok_or_else(|| {
                Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name))
            }),
            _ => Err(Error::invalid(format!("Retval for {name} does not have value"))
                .help("it lies on a branch of a conditional that was not taken")),
        },
    }
}

fn check_feeds(plan: &Plan, feeds: &[Tensor]) -> Result<()> {
    if feeds.len() != plan.feeds.len() {
        return Err(Error::invalid("the number of feeds is wrong")
            .expected(format!("{} feeds", plan.feeds.len()))
            .found(format!("{} feeds", feeds.len())));
    }
    plan.feeds.iter().zip(feeds).try_for_each(|(feed, tensor)| check_feed(feed, tensor))
}

/// Checks a value for a feed.
pub(crate) fn check_feed(feed: &PlanFeed, tensor: &Tensor) -> Result<()> {
    let name = &feed.name;
    if feed.dtype != tensor.dtype() {
        let wrong = |text: String| Error::invalid(text).node(name).expected(feed.dtype).found(tensor.dtype());
        return Err(match feed.dtype {
            DType::Resource | DType::Variant => wrong(format!("{name} is a handle, which cannot be fed a value"))
                .help("feed what reads the value, such as the output of a ReadVariableOp, or assign to the variable"),
            _ => wrong(format!("the tensor fed to {name} has the wrong type")),
        });
    }
    if !feed.shape.accepts(tensor.shape()) {
        let (expected, found) = (&feed.shape, tensor.shape());
        return Err(Error::invalid(format!(
            "Cannot feed value of shape {found} for Tensor {name}, which has shape {expected}"
        ))
        .node(name)
        .expected(format!("shape {expected}"))
        .found(format!("shape {found}")));
    }
    Ok(())
}

/// The awaited inputs of a packed pending count.
#[inline]
pub(crate) fn awaited(pending: u64) -> u32 {
    pending as u32
}

/// The dead inputs of a packed pending count.
#[inline]
pub(crate) fn dead_inputs(pending: u64) -> u32 {
    (pending / ONE_DEAD) as u32
}
