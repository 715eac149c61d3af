//! Decides which thread fires which nodes: each thread has its own list and shares part of it if that pays.

use crate::activation::Ready;
use crate::fire::LOOK_EVERY;
use crate::holds::{Ended, Hold, Holds};
use crate::outcome::OnDone;
use crate::park::Deferral;
use crate::plan::{FETCH, SHAREABLE};
use crate::sharing::{self, Give, LOOKED_AT};
use crate::step::Step;
use crate::straight::StraightRun;
use levada_graph::{Error, Result};
use levada_kernel::observe::{Candidate, Kept};
use levada_kernel::watch::Sleeper;
use levada_kernel::{Entry, Env, lane, share};
use levada_stall::Activity;
use levada_sync::atomic::{AtomicU8, Ordering};
use levada_sync::{Mutex, Steal};
use levada_trace::NodeEvent;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A backlog of [`SHAREABLE`] nodes is shared once their total cost reaches this many nanoseconds.
const BACKLOG_TOTAL: u64 = 200_000;

/// Work that any thread of the step may take.
pub(crate) enum Work {
    Nodes(Vec<Ready>, Hold),
    Resumed(Box<Resumed>, Hold),
    Straight(StraightRun, Hold),
    /// A node has failed with this error, and its turn to report it has come.
    Failed(Box<Error>, Hold),
}

/// A deferred node that has finished.
pub(crate) struct Resumed {
    pub(crate) ready: Ready,
    pub(crate) outputs: Result<Vec<Entry>>,
    /// In traced steps, its event so far, and the deferral that recorded the wait.
    pub(crate) event: Option<(Box<NodeEvent>, Arc<Deferral>)>,
    pub(crate) aside: Option<Aside>,
    /// What an observer keeps of it.
    pub(crate) kept: Option<Kept>,
}

/// Where and when a deferred node was computed outside the pool, in traced steps.
#[derive(Clone, Copy)]
pub(crate) struct Aside {
    pub(crate) worker: u32,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
}

/// The work of a step that no thread has in its own list, and the threads that work on the step.
pub(crate) struct SharedWork {
    /// Loops that run straight once the list of the thread that found them is empty. A thread that adds one looks here
    /// before it gives up its hold.
    pub(crate) straight: Mutex<Vec<StraightRun>>,
    /// What keeps the step from ending.
    pub(crate) holds: Holds,
    /// Counts the threads that work on the step and the deferred nodes that are certain to finish.
    pub(crate) activity: Activity,
    /// Maximum number of threads that may work on it.
    pub(crate) max_threads: usize,
    /// Whether the caller, which waits for the end, is awake.
    pub(crate) caller: Caller,
}

/// The thread that waits for the end of a step: while it is awake, it is called for shared work in preference to a
/// sleeping one.
#[derive(Default)]
pub(crate) struct Caller(AtomicU8);

/// It sleeps, or works on the step.
const AWAY: u8 = 0;
/// It checks whether it is called.
const AWAKE: u8 = 1;
/// It is called, and counts among the threads that work on the step.
const CALLED: u8 = 2;

impl Caller {
    /// From here on it checks whether it is called.
    pub(crate) fn attend(&self) {
        self.0.store(AWAKE, Ordering::SeqCst);
    }

    /// True if it is called; then it no longer attends.
    pub(crate) fn is_called(&self) -> bool {
        self.0.load(Ordering::Relaxed) == CALLED && self.leave()
    }

    /// From here on it does not check; returns true if it was called before.
    pub(crate) fn leave(&self) -> bool {
        self.0.swap(AWAY, Ordering::SeqCst) == CALLED
    }

    /// Calls it, counted as a thread that works on the step; false if it does not check.
    fn call(&self) -> bool {
        self.0.compare_exchange(AWAKE, CALLED, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

impl SharedWork {
    /// No shared work yet. The thread that makes the step works on it and gets the first hold.
    pub(crate) fn new(max_threads: usize) -> (SharedWork, Hold) {
        let (holds, hold) = Holds::new();
        let (straight, activity) = (Mutex::default(), Activity::of_one_thread());
        (SharedWork { straight, holds, activity, max_threads, caller: Caller::default() }, hold)
    }
}

levada_sync::thread_local! {
    /// True while this thread works on a step.
    static DRAINING: Cell<bool> = const { Cell::new(false) };
    /// True while this thread runs postponed work.
    static WORKING_OFF: Cell<bool> = const { Cell::new(false) };
    /// Work that rayon gave this thread while a kernel of another step was waiting on it.
    static POSTPONED: RefCell<Vec<Postponed>> = const { RefCell::new(Vec::new()) };
}

/// Work for a free thread.
enum Postponed {
    /// A step that asked for help.
    Step(Arc<Step>),
    Job(Box<dyn FnOnce() + Send>),
}

/// The state of one thread while it works on a step.
pub(crate) struct Lane<'a> {
    pub(crate) worker: u32,
    /// Shows that the thread works for the session.
    pub(crate) entered: Option<share::Entered<'a>>,
    /// Number of nodes fired.
    pub(crate) fired: u32,
    /// Number of nodes to fire before it is worth looking again for some to share.
    unshared: u32,
    pub(crate) outputs: Vec<Entry>,
}

/// The empty lists that a thread works with, reused for their memory.
#[derive(Default)]
pub(crate) struct Lists {
    pub(crate) ready: Vec<Ready>,
    pub(crate) outputs: Vec<Entry>,
}

impl<'a> Lane<'a> {
    fn new(worker: u32, entered: Option<share::Entered<'a>>, outputs: Vec<Entry>) -> Lane<'a> {
        // The first node checks for cancellation.
        Lane { worker, entered, fired: LOOK_EVERY - 1, unshared: 0, outputs }
    }
}

/// Runs `job` on one of the pool's threads, never inside a node of a step, where rayon might run a job given to it
/// directly.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if the system cannot start threads; `job` is dropped.
pub fn spawn(env: &Env, job: impl FnOnce() + Send + 'static) -> Result<()> {
    env.pool.spawn(move || {
        if DRAINING.with(Cell::get) {
            POSTPONED.with(|p| p.borrow_mut().push(Postponed::Job(Box::new(job))));
        } else {
            job();
        }
    })
}

/// Runs the work that came to this thread while it was busy. That work may postpone more; the outermost call runs all
/// of it.
fn work_off_postponed() {
    if WORKING_OFF.with(|w| w.replace(true)) {
        return;
    }
    while let Some(postponed) = POSTPONED.with(|p| p.borrow_mut().pop()) {
        match postponed {
            Postponed::Step(step) => drop(step.drain(step.worker(), Lists::default(), None)),
            Postponed::Job(job) => job(),
        }
    }
    WORKING_OFF.with(|w| w.set(false));
}

impl Step {
    /// Lets the pool's threads run it.
    pub(crate) fn start(self: &Arc<Self>, local: Vec<Ready>, hold: Hold, on_done: OnDone) {
        let env = &self.cx.env;
        self.listing.list(|| env.watch.enter(self.clone(), false));
        self.hand_to_pool(local, hold, on_done);
    }

    /// Lets the pool's threads run it, from the first node on.
    pub(crate) fn hand_to_pool(self: &Arc<Self>, local: Vec<Ready>, hold: Hold, on_done: OnDone) {
        self.outcome.status.lock().on_done = Some(on_done);
        self.shared().push(Work::Nodes(local, hold));
        if let Err(error) = self.spawn_helper() {
            self.fail(error);
            // No other thread knows the step: this one works off the list, which drops the nodes.
            self.drain(self.worker(), Lists::default(), None);
        }
    }

    /// Number of this thread in traces: 0 for callers, from 1 for the pool's threads.
    pub(crate) fn worker(&self) -> u32 {
        self.cx.env.pool.worker().map_or(0, |w| w as u32 + 1)
    }

    /// Works off the ready nodes, which come with a hold unless there are none, and then shared work until none is
    /// left. Reports the end of the step if it comes meanwhile. Returns the emptied lists.
    pub(crate) fn drain(self: &Arc<Self>, worker: u32, lists: Lists, hold: Option<Hold>) -> Lists {
        self.work_until_done(worker, lists, hold, |ended| self.finish(ended))
    }

    /// As [`Step::drain`], by the thread that waits for the end: if it comes meanwhile, it is returned.
    pub(crate) fn drain_as_caller(self: &Arc<Self>, lists: Lists, hold: Option<Hold>) -> (Lists, Option<Ended>) {
        let mut end = None;
        let lists = self.work_until_done(0, lists, hold, |ended| end = Some(ended));
        (lists, end)
    }

    #[inline]
    fn work_until_done(
        self: &Arc<Self>,
        worker: u32,
        lists: Lists,
        mut hold: Option<Hold>,
        finish: impl FnOnce(Ended),
    ) -> Lists {
        let Lists { ready: mut local, outputs } = lists;
        let outer = DRAINING.with(|d| d.replace(true));
        let entered = lane::enter(Some(self.cx.resources.clone()));
        let mut lane = Lane::new(worker, self.cx.env.pool.share().enter(), outputs);
        loop {
            if let Some(hold) = hold.take() {
                self.work_off(&mut local, &hold, &mut lane);
                if let Some(ended) = self.work.holds.give_back(hold, &local) {
                    finish(ended);
                    // The thread counts as active until the end has been reported.
                    self.work.activity.leave();
                    break;
                }
            }
            match self.shared().steal() {
                Steal::Success(Work::Nodes(nodes, of_nodes)) => {
                    local = nodes;
                    hold = Some(of_nodes);
                }
                Steal::Success(Work::Resumed(resumed, of_node)) => {
                    self.resume(*resumed, &of_node, &mut local, &mut lane);
                    hold = Some(of_node);
                }
                Steal::Success(Work::Failed(error, of_node)) => {
                    self.fail(*error);
                    hold = Some(of_node);
                }
                Steal::Success(Work::Straight(run, of_loop)) => {
                    self.work.straight.lock().push(run);
                    hold = Some(of_loop);
                }
                Steal::Retry => {}
                Steal::Empty => {
                    if self.is_part {
                        self.join_scope();
                    }
                    let last = self.work.activity.leave();
                    // Work shared before this thread left would wait forever: check once more.
                    if self.shared().is_empty() || !self.work.activity.join(self.work.max_threads) {
                        if last {
                            self.cx.env.watch.check();
                        }
                        break;
                    }
                }
            }
        }
        let Lane { entered: turn, mut outputs, .. } = lane;
        outputs.clear();
        drop((entered, turn));
        DRAINING.with(|d| d.set(outer));
        if !outer {
            work_off_postponed();
        }
        Lists { ready: local, outputs }
    }

    /// Adds the step of a function to those that may sleep.
    pub(crate) fn join_scope(self: &Arc<Self>) {
        self.joined.call_once(|| {
            let this: Arc<dyn Sleeper> = self.clone();
            self.cx.resources.join(Arc::downgrade(&this));
        });
    }

    /// Fires nodes of `local` until it is empty. A panic of a kernel only fails the step.
    fn work_off(self: &Arc<Self>, local: &mut Vec<Ready>, hold: &Hold, lane: &mut Lane<'_>) {
        let current = Cell::new(FETCH);
        loop {
            let straight = if local.is_empty() { self.next_straight(hold) } else { None };
            if local.is_empty() && straight.is_none() {
                break;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                if let Some(run) = straight {
                    self.work_straight(run, &current, local, lane);
                }
                while let Some(ready) = self.next(local) {
                    current.set(ready.node);
                    let left = local.len();
                    self.fire(ready, hold, local, lane);
                    if self.work.max_threads > 1 && local.len() > 1 {
                        // If a search found nothing to share, there is nothing to share until nodes are added or many
                        // are done.
                        lane.unshared = if local.len() > left { 0 } else { lane.unshared.saturating_sub(1) };
                        if lane.unshared == 0 && !self.share(local, hold) {
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

    /// The loop to run straight next; the others go to free threads.
    fn next_straight(self: &Arc<Self>, hold: &Hold) -> Option<StraightRun> {
        if !self.plan.has_straight() {
            return None;
        }
        let (next, others) = {
            let mut runs = self.work.straight.lock();
            let next = runs.pop()?;
            let free = self.max_threads().saturating_sub(self.work.activity.threads()).min(runs.len());
            (next, runs.drain(..free).collect::<Vec<_>>())
        };
        for run in others {
            self.shared().push(Work::Straight(run, self.work.holds.another(hold)));
            self.call_helper();
        }
        Some(next)
    }

    /// The node to fire next: the last one, or in a loop a cheap one instead of an expensive one; any in a session whose
    /// order is chosen or random.
    #[inline]
    fn next(&self, local: &mut Vec<Ready>) -> Option<Ready> {
        if let Some(chooser) = self.cx.env.chooser.as_ref().filter(|_| local.len() > 1) {
            let mut ready = local.iter().map(|ready| {
                let names = &self.plan.names[ready.node as usize];
                Candidate {
                    name: &names.meta.name,
                    function: self.cx.within.as_ref(),
                    is_stateful: names.nature.is_stateful,
                }
            });
            let last = local.len() - 1;
            if let Some(chosen) = chooser.choose(&mut ready) {
                return Some(local.remove(chosen.min(last)));
            }
        }
        match &self.cx.env.disorder {
            Some(disorder) if !local.is_empty() => {
                disorder.hold_up();
                Some(local.swap_remove(disorder.below(local.len())))
            }
            _ => {
                let node = |r: &Ready| &self.plan.nodes[r.node as usize];
                if self.work.max_threads > 1 && local.last().is_some_and(|last| node(last).frame != 0) {
                    sharing::cheap_last(local, |r| node(r).cost.shareable());
                }
                local.pop()
            }
        }
    }

    /// Hands part of the list to other threads if it is worth it; false if it is not, whatever other threads do.
    fn share(self: &Arc<Self>, local: &mut Vec<Ready>, hold: &Hold) -> bool {
        let free = self.max_threads().saturating_sub(self.work.activity.threads());
        if free == 0 {
            return true;
        }
        if let Some(disorder) = &self.cx.env.disorder {
            let part = local.drain(..disorder.below(local.len())).collect::<Vec<_>>();
            if !part.is_empty() {
                self.hand_over(part, hold);
            }
            return true;
        }
        let cost = |r: &Ready| self.plan.nodes[r.node as usize].cost.shareable();
        let give = self.plan.ranks().map_or_else(Give::default, |ranks| sharing::choose(ranks, local, free, cost));
        if !give.each.is_empty() || !give.together.is_empty() {
            let lists = give.each.into_iter().map(|ready| vec![ready]).chain([give.together]);
            for list in lists.filter(|list| !list.is_empty()) {
                self.hand_over(list, hold);
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
        self.hand_over(half, hold);
        true
    }

    /// Lets another thread work off a list.
    fn hand_over(self: &Arc<Self>, list: Vec<Ready>, hold: &Hold) {
        self.shared().push(Work::Nodes(list, self.work.holds.another(hold)));
        self.call_helper();
    }

    /// Maximum number of threads that may work on it now.
    fn max_threads(&self) -> usize {
        self.work.max_threads.min(self.cx.env.pool.free())
    }

    /// Calls another thread to help with shared work, unless the maximum number already work on the step.
    pub(crate) fn call_helper(self: &Arc<Self>) {
        if !self.work.activity.join(self.max_threads()) || self.work.caller.call() {
            return;
        }
        if let Err(error) = self.spawn_helper() {
            self.fail(error);
            // There may be no other thread that knows of the shared work: this one takes the helper's place, and drops
            // the nodes.
            self.drain(self.worker(), Lists::default(), None);
        }
    }

    /// Lets one of the pool's threads work on the step.
    fn spawn_helper(self: &Arc<Self>) -> Result<()> {
        let helper = self.clone();
        self.cx.env.pool.spawn(move || {
            if DRAINING.with(Cell::get) {
                POSTPONED.with(|p| p.borrow_mut().push(Postponed::Step(helper)));
            } else {
                helper.drain(helper.worker(), Lists::default(), None);
            }
        })
    }
}
