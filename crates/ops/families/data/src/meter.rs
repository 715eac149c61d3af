//! Measures the cost of each stage of a pipeline, and tunes the parameters that a pipeline chooses itself.
//!
//! A pipeline is metered if telemetry is on or one of its parameters is tuned ([`Meter::tune`]); others have no
//! overhead. Counts are exact. Of cheap elements only one in [`EVERY`] is timed, since reading the clock costs more
//! than they do.

use crate::dataset::Tuple;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::arena::total_memory;
use levada_kernel::pipeline::{Change, Model, PipelineTrace, StageTrace};
use levada_kernel::watch::Watched;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

/// One in this many elements is timed.
pub(crate) const EVERY: u64 = 16;
/// Elements that take longer than this many nanoseconds are always timed.
pub(crate) const SLOW: u64 = 10_000;
/// Interval between tuning decisions.
const PERIOD: Duration = Duration::from_millis(30);
/// Maximum number of elements in progress or buffered in a tuned stage.
pub(crate) const MOST_BUFFERED: u64 = 64;

/// The label of many datasets that share a stage.
pub(crate) const MANY: &str = "[..]";

/// A counter or a value that is replaced as a whole. Relaxed: it is not ordered with other memory.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, n: u64) -> u64 {
        self.0.fetch_add(n, Ordering::Relaxed)
    }

    pub(crate) fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Statistics of a stage. The iterators for one place in the pipeline share it: those of each repetition, or of an
/// interleave.
#[derive(Default)]
pub(crate) struct Stage {
    kind: &'static str,
    label: String,
    parent: Option<usize>,
    function: Mutex<String>,
    ahead: Count,
    elements: Count,
    polls: Count,
    timed_polls: Count,
    own_ns: Count,
    waits: Count,
    waited_ns: Count,
    pub(crate) calls: Count,
    timed_calls: Count,
    call_ns: Count,
    call_thread_ns: Count,
    pub(crate) aside: Count,
    pub(crate) here: Count,
    parallelism: Count,
    /// Maximum number of datasets worked on concurrently, in a stage whose parallelism is that number.
    most: Count,
    tuned: AtomicBool,
    capacity: Count,
    buffered: Count,
    asked: Count,
    empty: Count,
    /// Total size of the elements that were weighed.
    bytes: Count,
    weighed: Count,
}

impl Stage {
    /// Sets the maximum number of concurrent calls of its function.
    pub(crate) fn set_parallelism(&self, calls: u64, tuned: bool) {
        self.parallelism.set(calls);
        self.tuned.store(tuned, Ordering::Relaxed);
    }

    /// Makes its parallelism the number of datasets worked on concurrently, at most `datasets`.
    pub(crate) fn set_most(&self, datasets: u64) {
        self.most.set(datasets);
    }

    /// The maximum number of concurrent calls of its function.
    pub(crate) fn parallelism(&self) -> u64 {
        self.parallelism.get()
    }

    /// Sets the maximum number of buffered elements.
    pub(crate) fn set_capacity(&self, elements: u64, tuned: bool) {
        self.capacity.set(elements);
        if tuned {
            self.tuned.store(true, Ordering::Relaxed);
        }
    }

    /// Records that an element was requested when `buffered` were available.
    pub(crate) fn asked(&self, buffered: usize) {
        self.asked.add(1);
        self.buffered.add(buffered as u64);
        if buffered == 0 {
            self.empty.add(1);
        }
    }

    /// Sets the name of the function that it calls.
    pub(crate) fn set_function(&self, name: &str) {
        let mut function = self.function.lock();
        if function.is_empty() {
            name.clone_into(&mut function);
        }
    }

    /// Records how long a call occupied its thread.
    pub(crate) fn called(&self, thread: Duration) {
        self.timed_calls.add(1);
        self.call_thread_ns.add(thread.as_nanos() as u64);
    }

    /// Records that a timed call has returned.
    pub(crate) fn returned(&self, after: Duration) {
        self.call_ns.add(after.as_nanos() as u64);
    }

    /// Average size of an element in bytes; 0 before any was weighed.
    fn element_bytes(&self) -> u64 {
        self.bytes.get().checked_div(self.weighed.get()).unwrap_or(0)
    }

    fn trace(&self) -> StageTrace {
        let (polls, timed) = (self.polls.get(), self.timed_polls.get().max(1));
        let scaled = |ns: u64, of: u64, timed: u64| (ns as f64 * of as f64 / timed.max(1) as f64) as u64;
        let (calls, timed_calls) = (self.calls.get(), self.timed_calls.get());
        let asked = self.asked.get();
        StageTrace {
            kind: self.kind.to_owned(),
            label: self.label.clone(),
            parent: self.parent,
            elements: self.elements.get(),
            own_ns: scaled(self.own_ns.get(), polls, timed),
            waited_ns: self.waited_ns.get(),
            waits: self.waits.get(),
            function: self.function.lock().clone(),
            calls,
            call_ns: scaled(self.call_ns.get(), calls, timed_calls),
            call_thread_ns: scaled(self.call_thread_ns.get(), calls, timed_calls),
            aside: self.aside.get(),
            here: self.here.get(),
            parallelism: self.parallelism.get(),
            ahead: self.ahead.get(),
            tuned: self.tuned.load(Ordering::Relaxed),
            capacity: self.capacity.get(),
            buffered: if asked == 0 { 0.0 } else { self.buffered.get() as f64 / asked as f64 },
            empty: self.empty.get(),
            asked,
            element_bytes: self.element_bytes(),
        }
    }
}

/// Resources that a pipeline may use when tuning its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// If false, parameters that are not given have fixed values.
    pub(crate) tunes: bool,
    /// Number of threads; 0 for those of the session.
    pub(crate) threads: u64,
    /// Memory for buffered elements, in bytes.
    pub(crate) bytes: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        // Half of the memory, as in TensorFlow.
        Budget { tunes: true, threads: 0, bytes: total_memory().map_or(1 << 30, |bytes| bytes as u64 / 2) }
    }
}

/// The stages of a pipeline, and statistics of the pipeline as a whole.
pub(crate) struct Meter {
    name: String,
    threads: u64,
    budget: Budget,
    /// Cost of reading the clock.
    clock_ns: u64,
    stages: Mutex<Vec<Arc<Stage>>>,
    /// Protects the times of requests. Held only briefly.
    times: Mutex<Times>,
    /// Time of the next tuning decision, in nanoseconds since the start.
    due: Count,
    /// Whether there is anything to tune.
    tunes: AtomicBool,
    began: Instant,
}

#[derive(Default)]
struct Times {
    first: Option<Instant>,
    last: Option<Instant>,
    between: Duration,
    /// Number of elements that the times cover.
    elements: u64,
    waits: u64,
    waited: Duration,
}

impl Meter {
    pub(crate) fn new(name: &str, threads: usize, budget: Budget) -> Arc<Meter> {
        let mut readings = [0; 16];
        let began = Instant::now();
        readings.iter_mut().for_each(|r| *r = began.elapsed().as_nanos() as u64);
        let clock_ns = readings.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(0);
        Arc::new(Meter {
            name: name.to_owned(),
            threads: threads as u64,
            budget,
            clock_ns,
            stages: Mutex::default(),
            times: Mutex::default(),
            due: Count::default(),
            tunes: AtomicBool::new(false),
            began,
        })
    }

    /// Returns the stage of this kind and label whose elements go to `parent`.
    pub(crate) fn stage(
        &self,
        kind: &'static str,
        label: &str,
        parent: Option<usize>,
        ahead: u64,
    ) -> (usize, Arc<Stage>) {
        let mut stages = self.stages.lock();
        let found = stages.iter().position(|s| s.parent == parent && s.kind == kind && s.label == label);
        let at = found.unwrap_or_else(|| {
            stages.push(Arc::new(Stage { kind, label: label.to_owned(), parent, ..Stage::default() }));
            stages.len() - 1
        });
        stages[at].ahead.set(ahead);
        (at, stages[at].clone())
    }

    /// Records that an element was requested.
    pub(crate) fn asks(&self) -> Instant {
        let now = Instant::now();
        let mut times = self.times.lock();
        times.first.get_or_insert(now);
        if let Some(last) = times.last {
            times.between += now.saturating_duration_since(last);
        }
        now
    }

    /// Records that the element requested at this time was returned; `waited` if it was not ready.
    pub(crate) fn gives(&self, asked: Instant, waited: bool) {
        let now = Instant::now();
        let mut times = self.times.lock();
        times.last = Some(now);
        times.elements += 1;
        if waited {
            times.waits += 1;
            times.waited += now.saturating_duration_since(asked);
        }
        drop(times);
        self.choose(now);
    }

    /// Records that there is something to tune.
    pub(crate) fn tune(&self) {
        self.tunes.store(true, Ordering::Relaxed);
    }

    /// The budget for tuning.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// Tunes the parameters periodically.
    fn choose(&self, now: Instant) {
        if !self.tunes.load(Ordering::Relaxed) {
            return;
        }
        let at = now.saturating_duration_since(self.began).as_nanos() as u64;
        if at < self.due.get() {
            return;
        }
        self.due.set(at + PERIOD.as_nanos() as u64);
        let trace = self.trace();
        let stages = self.stages.lock().clone();
        let threads = if self.budget.threads == 0 { self.threads } else { self.budget.threads };
        let mut model = trace.model();
        let mut left = self.budget.bytes;
        for (i, (stage, seen)) in stages.iter().zip(&trace.stages).enumerate() {
            if !seen.tuned || seen.parallelism == 0 {
                continue;
            }
            let most = stage.most.get();
            if most > 0 {
                // Its inputs are the datasets of its elements.
                for at in
                    (0..stages.len()).filter(|&at| trace.stages[at].parent == Some(i) && trace.stages[at].ahead > 0)
                {
                    if trace.stages[at].label == MANY && trace.stages[at].elements >= EVERY {
                        let jobs = jobs_of_use(&model, at, most);
                        stage.parallelism.set(jobs);
                        stages[at].ahead.set(jobs);
                        model = model.with(Change::Ahead(at, jobs));
                    }
                }
                continue;
            }
            if seen.calls < EVERY {
                continue;
            }
            // Calls that wait do not occupy a thread, so more of them than there are threads may be in progress.
            let busy = seen.call_thread_ns.max(1) as f64 / seen.call_ns.max(seen.call_thread_ns).max(1) as f64;
            let most = ((threads as f64 / busy).ceil() as u64).clamp(threads, MOST_BUFFERED.max(threads));
            let affordable = left.checked_div(seen.element_bytes).unwrap_or(most).max(1);
            let calls = model.calls_of_use(i, most.min(affordable));
            left = left.saturating_sub(calls * seen.element_bytes);
            stage.parallelism.set(calls);
            model = model.with(Change::Calls(i, calls));
        }
    }

    /// Returns the capacity of a buffer that ran empty at capacity `now`: doubled if that helps and memory allows.
    pub(crate) fn larger(&self, stage: &Stage, now: u64) -> u64 {
        // If most elements are not ready when requested, computing them is the bottleneck, and a larger buffer does not
        // help.
        let (asked, empty) = (stage.asked.get(), stage.empty.get());
        if asked > 4 * MOST_BUFFERED && 2 * empty > asked {
            return now;
        }
        let held: u64 = self.stages.lock().iter().map(|stage| stage.capacity.get() * stage.element_bytes()).sum();
        let more = held.saturating_add(now * stage.element_bytes());
        if more > self.budget.bytes { now } else { (now * 2).clamp(1, MOST_BUFFERED) }
    }
}

/// Returns how many jobs are useful for stage `at`, at most `most`: the smallest number whose rate is within a
/// twentieth of the best, plus one so that another job is ready when one ends.
fn jobs_of_use(model: &Model, at: usize, most: u64) -> u64 {
    let rate = |jobs: u64| model.with(Change::Ahead(at, jobs)).rate();
    let best = rate(most);
    let enough = (1..most).find(|&jobs| rate(jobs) * 1.05 >= best);
    enough.map_or(most, |jobs| (jobs + 1).min(most))
}

impl Watched for Meter {
    fn trace(&self) -> PipelineTrace {
        let stages = self.stages.lock().iter().map(|stage| stage.trace()).collect();
        let times = self.times.lock();
        let span = times.first.zip(times.last).map_or(Duration::ZERO, |(a, b)| b.saturating_duration_since(a));
        PipelineTrace {
            name: self.name.clone(),
            threads: self.threads as u32,
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
            span_ns: span.as_nanos() as u64,
            elements: times.elements,
            waits: times.waits,
            waited_ns: times.waited.as_nanos() as u64,
            between_ns: times.between.as_nanos() as u64,
            stages,
        }
    }
}

/// An iterator whose elements are counted and timed.
pub(crate) struct Metered {
    iter: Box<dyn Iter>,
    stage: Arc<Stage>,
    clock_ns: u64,
    /// Number of polls until the next timed one.
    left: u64,
    /// When the pending element was first polled.
    waits: Option<Instant>,
}

impl Metered {
    pub(crate) fn new(iter: Box<dyn Iter>, stage: Arc<Stage>, meter: &Meter) -> Metered {
        Metered { iter, stage, clock_ns: meter.clock_ns, left: 0, waits: None }
    }

    fn timed(&mut self, turn: &mut Turn<'_>) -> Next {
        let before = std::mem::take(&mut turn.inner_ns);
        let began = Instant::now();
        let next = self.iter.poll(turn);
        let took = began.elapsed().as_nanos() as u64;
        // Clock readings are part of what they measure: about one of them here, and one in the polling stage.
        let own = took.saturating_sub(turn.inner_ns + self.clock_ns);
        turn.inner_ns = before + took + self.clock_ns;
        self.stage.timed_polls.add(1);
        self.stage.own_ns.add(own);
        self.left = if took > SLOW { 0 } else { EVERY - 1 };
        if let Poll::Ready(Ok(Some(element))) = &next {
            self.stage.weighed.add(1);
            self.stage.bytes.add(weight(element));
        }
        next
    }
}

/// Size of an element in bytes.
fn weight(element: &Tuple) -> u64 {
    element.iter().map(|component| component.num_bytes() as u64).sum()
}

impl Iter for Metered {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        // The first stage that a thread polls decides for all of them, so that each stage's own time is known.
        let decides = turn.timed.is_none();
        if decides {
            turn.timed = Some(self.left == 0);
            self.left = self.left.saturating_sub(1);
        }
        self.stage.polls.add(1);
        let next = if turn.timed == Some(true) { self.timed(turn) } else { self.iter.poll(turn) };
        if decides {
            turn.timed = None;
            turn.inner_ns = 0;
        }
        match &next {
            Poll::Pending => {
                if self.waits.is_none() {
                    self.stage.waits.add(1);
                    self.waits = Some(Instant::now());
                }
            }
            Poll::Ready(given) => {
                if let Some(since) = self.waits.take() {
                    self.stage.waited_ns.add(since.elapsed().as_nanos() as u64);
                }
                if matches!(given, Ok(Some(_))) {
                    self.stage.elements.add(1);
                }
            }
        }
        next
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.iter.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.iter.restore(from)
    }
}
