//! Who waits for what, and whether anybody is left who could end the waiting.
//!
//! A node that was deferred waits for something that is sure to come, for what its own step does, or at a place such
//! as a queue for what another node does there ([`Wait`]). A step in which nothing runs and every node waits at a place
//! sleeps. Callers of sleeping steps, and steps that have no caller, are on the [`Watch`]'s list. When all of them sleep
//! and nobody else holds the session, none will ever wake, and the [`Judge`] says why. Those with a deadline would wake
//! their callers, who may act again, so that then only they are ended. Who is counted when is the business of
//! [`levada_stall`].

use levada_graph::{Act, Error};
use levada_stall::{Roll, Sleeps};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

/// What will finish a deferred node.
#[derive(Clone)]
pub enum Wait {
    /// Something outside of the step that is sure to: a timer, a device, a thread.
    Sure,
    /// A function that the node called in the same step.
    Call,
    /// What another node of the same step sends.
    Send,
    /// A value that the caller of a partial run has not fed yet.
    Feed,
    /// What another node does at a place. The number is the waiter's there.
    At(Arc<dyn Place>, u64),
}

/// A resource at which ops wait.
pub trait Place: Send + Sync {
    /// What it is and holds now.
    fn state(&self) -> PlaceState;
    /// What a waiter needs; `None` where it does not wait here (any more).
    fn need(&self, waiter: u64) -> Option<Need>;
    /// How full it was over time, where telemetry is on.
    fn usage(&self) -> Option<Usage>;
}

/// What a place is and holds.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaceState {
    /// `FIFOQueue`, `Barrier`, ...
    pub kind: &'static str,
    /// Its name; empty where it knows none.
    pub name: String,
    /// Elements in it.
    pub size: usize,
    /// The most elements in it; `None` for no limit.
    pub capacity: Option<usize>,
    /// True where nothing more may be put into it.
    pub closed: bool,
    /// Elements that must stay in it as long as it is not closed.
    pub min_after_dequeue: usize,
    /// Elements of which a part is there only, and which nobody can take yet.
    pub incomplete: usize,
}

/// What a waiter needs of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// What it does there.
    pub act: Act,
    /// How many elements it puts or takes in all.
    pub elements: usize,
    /// How many of them it has put or got already.
    pub so_far: usize,
    /// The key of the only one that will do.
    pub key: Option<i64>,
}

/// A node that waits at a place.
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
    /// Where.
    pub place: Arc<dyn Place>,
    /// Its number there.
    pub waiter: u64,
}

/// A step that may sleep.
pub trait Sleeper: Sleeps + Send + Sync {
    /// Its number in its session.
    fn number(&self) -> u64;
    /// The nodes that wait at places, those in functions too.
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
    /// True where it has to end by some time.
    fn has_deadline(&self) -> bool;
}

/// Knows what the watch does not: who else may still act, and how to put what happened into words.
pub trait Judge: Send + Sync {
    /// True where somebody besides `callers` callers that sleep, and besides the steps on the list, may still act.
    fn outside(&self, callers: usize) -> bool;
    /// The error of a sleeping step that none of the sleepers will ever wake.
    fn verdict(&self, step: &Arc<dyn Sleeper>, sleepers: &[Arc<dyn Sleeper>]) -> Error;
}

/// The steps of a session that somebody waits for.
#[derive(Default)]
pub struct Watch {
    roll: Roll<dyn Sleeper>,
    judge: OnceLock<Weak<dyn Judge>>,
    /// When and how callers that sleep for long tell about it.
    report: OnceLock<(Duration, Box<dyn Fn() + Send + Sync>)>,
}

impl Watch {
    /// Says what a caller does, once, that has slept for `after`.
    pub fn set_report(&self, after: Duration, report: impl Fn() + Send + Sync + 'static) {
        let _ = self.report.set((after, Box::new(report)));
    }

    /// After how long a caller reports.
    pub fn report_after(&self) -> Option<Duration> {
        self.report.get().map(|(after, _)| *after)
    }

    /// Reports.
    pub fn report(&self) {
        if let Some((_, report)) = self.report.get() {
            report();
        }
    }

    /// Says who judges; the first one stays.
    pub fn set_judge(&self, judge: Weak<dyn Judge>) {
        let _ = self.judge.set(judge);
    }

    /// Puts a step on the list; `caller` where a thread sleeps until it ends. Returns its number there.
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

    /// Looks whether all sleep for ever, and if so ends those that have callers. To be called whenever a step on the list
    /// may have fallen asleep or left, or somebody who could have woken one has gone.
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
        // Who has a deadline will be awake again in any case, and may then wake others: only they are told, and early.
        let timed = all.iter().zip(&callers).any(|(step, caller)| *caller && step.has_deadline());
        let is_told = |step: &Arc<dyn Sleeper>, caller: bool| caller && (!timed || step.has_deadline());
        // All verdicts first: ending one step changes what the others wait for.
        let verdicts: Vec<Option<Error>> = all
            .iter()
            .zip(callers)
            .map(|(step, caller)| is_told(step, caller).then(|| judge.verdict(step, &all)))
            .collect();
        for (step, verdict) in all.iter().zip(verdicts) {
            if let Some(error) = verdict {
                step.fail(error);
            }
        }
    }
}

/// Collects how full places are.
#[derive(Default)]
pub struct Telemetry {
    /// The lock protects the list.
    places: Mutex<Vec<Weak<dyn Place>>>,
}

impl Telemetry {
    /// Adds a place.
    pub fn add(&self, place: Weak<dyn Place>) {
        self.places.lock().push(place);
    }

    /// How full the places were, each with its state now.
    pub fn usage(&self) -> Vec<(PlaceState, Usage)> {
        let places: Vec<Arc<dyn Place>> = self.places.lock().iter().filter_map(Weak::upgrade).collect();
        places.iter().filter_map(|place| Some((place.state(), place.usage()?))).collect()
    }
}

/// The waiting that the nodes of one name did at a place.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Waited {
    /// Name of the node.
    pub node: String,
    /// How often it acted there, waiting or not.
    pub times: u64,
    /// How often it had to wait.
    pub waits: u64,
    /// How long in all.
    pub total: Duration,
    /// The longest time.
    pub longest: Duration,
}

/// How full a place was over time.
#[derive(Clone, Debug)]
pub struct Usage {
    /// Since when it is observed.
    pub since: Instant,
    /// Until when.
    pub until: Instant,
    /// The time that it was full.
    pub full: Duration,
    /// The time that it was empty.
    pub empty: Duration,
    /// Its size, multiplied with the seconds that it had it.
    pub element_seconds: f64,
    /// The largest size.
    pub largest: usize,
    /// Time and size, as often as it changed; of a long time only every so many changes.
    pub samples: Vec<(Instant, usize)>,
    /// Who waited.
    pub waited: Vec<Waited>,
    size: usize,
    /// One of so many changes is kept.
    every: u32,
    skipped: u32,
}

/// The most samples that are kept of one place.
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

    /// The size is this from now on.
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

    /// A node acted, after this time of waiting.
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
