//! Which nodes wait for what, and whether anything can still wake them.
//!
//! A deferred node waits for an external event such as a timer, for its own step, or on a resource such as a queue for
//! another node to use it ([`Wait`]). A step sleeps when nothing in it runs and every node waits on a resource. The
//! [`Watch`] lists the callers of sleeping steps and the steps without a caller. When all of them sleep and no other
//! handle to the session is in use, none will ever wake: the session is stalled, and the [`Judge`] says why. If a
//! listed step has a deadline, its caller will return and may act again, so only steps with deadlines are failed. The
//! protocol is in [`levada_stall`].

use levada_graph::{Act, Error};
use levada_stall::{Roll, Sleeps};
use levada_trace::PipelineTrace;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// What will finish a deferred node.
#[derive(Clone)]
pub enum Wait {
    /// An event outside the step that is certain to happen: a timer, a device, a thread.
    External,
    /// A function that the node called in the same step.
    Call,
    /// What another node of the same step sends.
    Send,
    /// A value that the caller of a partial run has not fed yet.
    Feed,
    /// A resource that another node must use first. The number identifies the waiter there.
    On(Arc<dyn Waitable>, u64),
}

/// A resource that ops wait on, such as a queue.
pub trait Waitable: Send + Sync {
    /// Its description and current contents.
    fn state(&self) -> WaitableState;
    /// What a waiter needs; `None` if it does not wait here, or no longer does.
    fn need(&self, waiter: u64) -> Option<Need>;
    /// What comes before a waiter; `None` if it would be served as soon as the resource has what it needs.
    fn ahead(&self, waiter: u64) -> Option<Ahead> {
        let _ = waiter;
        None
    }
    /// What about the resource itself prevents a waiter from being served, as the end of a sentence.
    fn obstacle(&self, waiter: u64) -> Option<String> {
        let _ = waiter;
        None
    }
    /// How full it was over time, if telemetry is on.
    fn usage(&self) -> Option<Usage>;
}

/// What comes before a waiter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ahead {
    /// The node.
    pub node: Arc<str>,
    /// The number of its step; `None` if only the session knows it.
    pub step: Option<u64>,
    /// True if it has what the waiter needs, or is inside; false if it waits too and came first.
    pub has_it: bool,
}

/// The description and contents of a [`Waitable`].
#[derive(Clone, PartialEq, Debug)]
pub struct WaitableState {
    /// `FIFOQueue`, `Barrier`, ...
    pub kind: &'static str,
    /// Its name; empty if it has none.
    pub name: String,
    /// Number of elements in it.
    pub size: usize,
    /// Maximum number of elements; `None` for no limit.
    pub capacity: Option<usize>,
    /// True if it accepts no more elements.
    pub closed: bool,
    /// Number of elements that must stay in it until it is closed.
    pub min_after_dequeue: usize,
    /// Number of elements that have arrived in part and cannot be taken yet.
    pub incomplete: usize,
}

/// What a waiter needs from a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// What it does to the resource.
    pub act: Act,
    /// Total number of elements it puts or takes.
    pub elements: usize,
    /// How many of them it has already put or taken.
    pub so_far: usize,
    /// The key of the element it needs, if it needs a particular one.
    pub key: Option<i64>,
    /// True if it waits for its turn rather than for elements.
    pub turn: bool,
}

/// A node that waits on a resource.
#[derive(Clone)]
pub struct ParkedNode {
    /// Name of the node.
    pub node: Arc<str>,
    /// Its op.
    pub op: &'static str,
    /// Number of the step.
    pub step: u64,
    /// Since when it waits.
    pub since: Instant,
    /// The resource it waits on.
    pub resource: Arc<dyn Waitable>,
    /// Its number as a waiter there.
    pub waiter: u64,
}

/// A step that may sleep.
pub trait Sleeper: Sleeps + Send + Sync {
    /// Its number in its session.
    fn number(&self) -> u64;
    /// The nodes that wait on resources, including those in functions.
    fn parked(&self) -> Vec<ParkedNode>;
    /// The nodes that wait for functions they called.
    fn calling(&self) -> Vec<Arc<str>>;
    /// The endpoints of a partial run that have not been fed yet.
    fn unfed(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
    /// The nodes of the step that cannot run before `node` has; before calls return, for a node of a function.
    fn behind(&self, node: &str) -> Vec<Arc<str>>;
    /// The nodes that the step was to run.
    fn nodes(&self) -> Vec<Arc<str>>;
    /// Ends the step with this error.
    fn fail(&self, error: Error);
    /// True if it has a deadline.
    fn has_deadline(&self) -> bool;
}

/// Knows what the watch does not: what else may still act, and how to describe a stall.
pub trait Judge: Send + Sync {
    /// True if anything besides `callers` sleeping callers and the listed steps may still act.
    fn outside(&self, callers: usize) -> bool;
    /// How long a caller sleeps before it asks again, if the judge may know too little before that.
    fn asks_again(&self) -> Option<Duration> {
        None
    }
    /// The error of a sleeping step that will never wake.
    fn verdict(&self, step: &Arc<dyn Sleeper>, sleepers: &[Arc<dyn Sleeper>]) -> Error;
}

/// The steps of a session that may sleep.
#[derive(Default)]
pub struct Watch {
    roll: Roll<dyn Sleeper>,
    judge: OnceLock<Weak<dyn Judge>>,
    /// How long a caller sleeps before it reports, and what it does then.
    report: OnceLock<(Duration, Box<dyn Fn() + Send + Sync>)>,
}

impl Watch {
    /// Sets what a caller does once it has slept for `after`.
    pub fn set_report(&self, after: Duration, report: impl Fn() + Send + Sync + 'static) {
        let _ = self.report.set((after, Box::new(report)));
    }

    /// How long a caller sleeps before it reports.
    pub fn report_after(&self) -> Option<Duration> {
        self.report.get().map(|(after, _)| *after)
    }

    /// How long a caller sleeps before it calls [`Watch::check`] once more.
    pub fn asks_again(&self) -> Option<Duration> {
        self.judge.get()?.upgrade()?.asks_again()
    }

    /// Reports.
    pub fn report(&self) {
        if let Some((_, report)) = self.report.get() {
            report();
        }
    }

    /// Sets the judge; later calls have no effect.
    pub fn set_judge(&self, judge: Weak<dyn Judge>) {
        let _ = self.judge.set(judge);
    }

    /// Puts a step on the list; `caller` is true if a thread sleeps until it ends. Returns its number there.
    pub fn enter(&self, step: Arc<dyn Sleeper>, caller: bool) -> u64 {
        self.roll.enter(step, caller)
    }

    /// Takes a step off the list.
    pub fn leave(&self, id: u64) {
        self.roll.leave(id);
    }

    /// The steps on the list.
    pub fn steps(&self) -> Vec<Arc<dyn Sleeper>> {
        self.roll.steps()
    }

    /// Checks for a stall, and if there is one fails the steps that have callers. Call it whenever a listed step may
    /// have fallen asleep or left the list, or something that could have woken one is gone.
    #[inline]
    pub fn check(&self) {
        if !self.roll.is_empty() {
            self.look();
        }
    }

    fn look(&self) {
        let Some(judge) = self.judge.get().and_then(Weak::upgrade) else { return };
        let Some(stalled) = self.roll.stalled(|callers| judge.outside(callers)) else { return };
        let (all, callers): (Vec<Arc<dyn Sleeper>>, Vec<bool>) = stalled.into_iter().unzip();
        // A caller with a deadline will wake in any case and may then wake others: fail only those, and fail them
        // early.
        let timed = all.iter().zip(&callers).any(|(step, caller)| *caller && step.has_deadline());
        let is_told = |step: &Arc<dyn Sleeper>, caller: bool| caller && (!timed || step.has_deadline());
        // Collect all verdicts first: failing one step changes what the others wait for.
        let verdicts: Vec<Option<(Option<u64>, Error)>> = all
            .iter()
            .zip(callers)
            .map(|(step, caller)| is_told(step, caller).then(|| (step.sleeps(), judge.verdict(step, &all))))
            .collect();
        for (step, verdict) in all.iter().zip(verdicts) {
            // A step that fails, or is cancelled meanwhile, may wake the next one by what it releases; that one checks
            // again when it falls asleep.
            let is_served = || step.parked().iter().any(|parked| parked.resource.need(parked.waiter).is_none());
            if let Some((asleep, error)) = verdict
                && asleep.is_some()
                && step.sleeps() == asleep
                && !is_served()
            {
                step.fail(error);
            }
        }
    }
}

/// Collects how full resources were over time.
#[derive(Default)]
pub struct Telemetry {
    /// The lock protects the list.
    resources: Mutex<Vec<Weak<dyn Waitable>>>,
    /// The lock protects the list.
    pipelines: Mutex<VecDeque<Arc<dyn Watched>>>,
}

/// An input pipeline that reports what its stages did.
pub trait Watched: Send + Sync {
    /// What they did so far.
    fn trace(&self) -> PipelineTrace;
}

/// Maximum number of input pipelines whose stages are remembered.
const MOST_PIPELINES: usize = 256;

impl Telemetry {
    /// Adds a resource.
    pub fn add(&self, resource: Weak<dyn Waitable>) {
        self.resources.lock().push(resource);
    }

    /// Adds an input pipeline. It is remembered after it has ended; the oldest are dropped first.
    pub fn add_pipeline(&self, pipeline: Arc<dyn Watched>) {
        let mut pipelines = self.pipelines.lock();
        if pipelines.len() >= MOST_PIPELINES {
            pipelines.pop_front();
        }
        pipelines.push_back(pipeline);
    }

    /// What the stages of input pipelines did, ordered by when the pipelines began.
    pub fn pipelines(&self) -> Vec<PipelineTrace> {
        let pipelines: Vec<Arc<dyn Watched>> = self.pipelines.lock().iter().cloned().collect();
        pipelines.iter().map(|pipeline| pipeline.trace()).collect()
    }

    /// How full each resource was, and its current state.
    pub fn usage(&self) -> Vec<(WaitableState, Usage)> {
        let resources: Vec<Arc<dyn Waitable>> = self.resources.lock().iter().filter_map(Weak::upgrade).collect();
        resources.iter().filter_map(|resource| Some((resource.state(), resource.usage()?))).collect()
    }
}

/// How long the nodes of one name waited on a resource.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Waited {
    /// Name of the node.
    pub node: String,
    /// How often it used the resource, waiting or not.
    pub times: u64,
    /// How often it had to wait.
    pub waits: u64,
    /// Total time waited.
    pub total: Duration,
    /// Longest wait.
    pub longest: Duration,
}

/// How full a resource was over time.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Start of the observation.
    pub since: Instant,
    /// End of the observation.
    pub until: Instant,
    /// Time for which it was full.
    pub full: Duration,
    /// Time for which it was empty.
    pub empty: Duration,
    /// Its size integrated over time, in element seconds.
    pub element_seconds: f64,
    /// Largest size.
    pub largest: usize,
    /// Time and size at each change; over a long time only a sample of the changes.
    pub samples: Vec<(Instant, usize)>,
    /// The nodes that waited.
    pub waited: Vec<Waited>,
    size: usize,
    /// One of this many changes is kept.
    every: u32,
    skipped: u32,
}

/// Maximum number of samples kept for a resource.
const MOST_SAMPLES: usize = 4096;

impl Usage {
    /// Starts now.
    pub fn new(size: usize) -> Usage {
        let now = Instant::now();
        Usage {
            since: now,
            until: now,
            full: Duration::ZERO,
            empty: Duration::ZERO,
            element_seconds: 0.0,
            largest: size,
            samples: vec![(now, size)],
            waited: Vec::new(),
            size,
            every: 1,
            skipped: 0,
        }
    }

    /// Records that the size has changed.
    pub fn resize(&mut self, now: Instant, size: usize, capacity: Option<usize>) {
        let span = now.saturating_duration_since(self.until);
        self.until = now;
        if self.size == 0 {
            self.empty += span;
        }
        if capacity.is_some_and(|c| self.size >= c) {
            self.full += span;
        }
        self.element_seconds += span.as_secs_f64() * self.size as f64;
        self.largest = self.largest.max(size);
        if size == self.size {
            return;
        }
        self.size = size;
        self.skipped += 1;
        if self.skipped < self.every {
            return;
        }
        self.skipped = 0;
        if self.samples.len() >= MOST_SAMPLES {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
            self.every *= 2;
        }
        self.samples.push((now, size));
    }

    /// Records that a node used the resource after waiting this long.
    pub fn acted(&mut self, node: &str, waited: Duration) {
        let at = match self.waited.iter().position(|w| w.node == node) {
            Some(at) => at,
            None => {
                self.waited.push(Waited { node: node.to_owned(), ..Waited::default() });
                self.waited.len() - 1
            }
        };
        let entry = &mut self.waited[at];
        entry.times += 1;
        if waited > Duration::ZERO {
            entry.waits += 1;
            entry.total += waited;
            entry.longest = entry.longest.max(waited);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_adds_up_and_stays_small() {
        let mut usage = Usage::new(0);
        let start = usage.since;
        let at = |ms: u64| start + Duration::from_millis(ms);
        usage.resize(at(10), 2, Some(2));
        usage.resize(at(30), 1, Some(2));
        usage.resize(at(40), 0, Some(2));
        usage.resize(at(45), 0, Some(2));
        assert_eq!((usage.empty, usage.full), (Duration::from_millis(15), Duration::from_millis(20)));
        assert!((usage.element_seconds - 0.05).abs() < 1e-9);
        assert_eq!((usage.largest, usage.samples.len()), (2, 4));
        for i in 0..100_000u64 {
            usage.resize(at(50 + i), (i % 2) as usize + 1, None);
        }
        assert!(usage.samples.len() <= MOST_SAMPLES && usage.samples.len() > MOST_SAMPLES / 4);
        usage.acted("a", Duration::ZERO);
        usage.acted("a", Duration::from_millis(3));
        assert_eq!((usage.waited[0].times, usage.waited[0].waits), (2, 1));
    }
}
