//! Measurements of input pipeline stages, as plain data, and a model that predicts rates from them.
//!
//! Stages that one thread works through in sequence are a segment: it ends at a stage that is computed ahead by jobs of
//! its own. A pipeline is as fast as its slowest segment, its slowest set of parallel calls, or its threads.
//!
//! ```
//! use levada_trace::pipeline::{Change, Limit, PipelineTrace, StageTrace};
//! // Two stages one after the other, each taking a microsecond for an element.
//! let range = StageTrace { kind: "Range".into(), parent: Some(0), elements: 10, own_ns: 10_000, ..StageTrace::default() };
//! let map = StageTrace { kind: "Map".into(), parent: None, ..range.clone() };
//! let trace = PipelineTrace { threads: 2, cores: 2, elements: 10, stages: vec![map, range], ..PipelineTrace::default() };
//! let model = trace.model();
//! assert_eq!(model.rate().round(), 500_000.0);
//! assert_eq!(model.with(Change::Ahead(0, 1)).rate().round(), 500_000.0);
//! assert_eq!(model.with(Change::Ahead(1, 1)).rate().round(), 1_000_000.0);
//! assert_eq!(model.limit(), Limit::Stage(0));
//! ```

use serde::{Deserialize, Serialize};

/// Measurements of a pipeline: an iterator and the datasets that it is made of.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PipelineTrace {
    /// Name of the iterator.
    pub name: String,
    /// Threads of the session.
    pub threads: u32,
    /// Cores that the process may use.
    pub cores: u32,
    /// The observed time: from the first requested element to the last one returned.
    pub span_ns: u64,
    /// Number of elements that it returned.
    pub elements: u64,
    /// How often a requested element was not available.
    pub waits: u64,
    /// Total time that the consumer waited.
    pub waited_ns: u64,
    /// Total time between an element being returned and the next being requested.
    pub between_ns: u64,
    /// Its stages, each after the one that consumes its elements.
    pub stages: Vec<StageTrace>,
}

/// Measurements of a stage: one dataset of a pipeline. With many elements, times are estimated from a sample.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StageTrace {
    /// Its kind: `Map`, `Prefetch`.
    pub kind: String,
    /// What distinguishes it from others, such as its position among several inputs; empty if it is the only one.
    pub label: String,
    /// The stage that consumes its elements; `None` for the last one.
    pub parent: Option<usize>,
    /// Number of elements that it returned.
    pub elements: u64,
    /// Time that it occupied a thread itself, excluding the stages before it and calls that ran in parallel.
    pub own_ns: u64,
    /// Total time that requested elements were not available.
    pub waited_ns: u64,
    /// How often a requested element was not available.
    pub waits: u64,
    /// The function that it calls; empty if there is none.
    pub function: String,
    /// Number of function calls.
    pub calls: u64,
    /// Total time from start to end of the calls.
    pub call_ns: u64,
    /// Total time that they occupied the calling thread.
    pub call_thread_ns: u64,
    /// Number of calls that ran on a thread other than the one that started them.
    pub aside: u64,
    /// Number of calls that ran on the thread that requested an element, although several may be in progress.
    #[serde(default)]
    pub here: u64,
    /// The maximum number of concurrent calls; 0 if there is one at a time, within the stage.
    pub parallelism: u64,
    /// The number of jobs that compute its elements ahead; 0 if it works on demand.
    pub ahead: u64,
    /// True if its parallelism or buffer size is tuned by measurement.
    pub tuned: bool,
    /// The maximum number of buffered elements; 0 for no buffer.
    pub capacity: u64,
    /// Mean number of buffered elements.
    pub buffered: f64,
    /// How often its buffer was empty when an element was requested.
    pub empty: u64,
    /// How often an element was requested from its buffer.
    pub asked: u64,
    /// Approximate size of an element in bytes.
    pub element_bytes: u64,
}

impl StageTrace {
    /// Its name in tables.
    pub fn name(&self) -> String {
        let function = if self.function.is_empty() { String::new() } else { format!(" {}", self.function) };
        format!("{}{}{function}", self.kind, self.label)
    }
}

/// What limits a rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A stage.
    Stage(usize),
    /// The threads: the total time of all stages.
    Threads,
    /// The consumer of the elements.
    Consumer,
    /// Nothing was observed.
    Nothing,
}

/// A change of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// This many concurrent calls of its function.
    Calls(usize, u64),
    /// Its elements computed ahead by this many jobs.
    Ahead(usize, u64),
    /// This many threads.
    Threads(u32),
}

/// A call that occupies its thread for this many nanoseconds is worth another thread.
pub const WORTH_A_THREAD: f64 = 50_000.0;

/// A stage in the model. Times are nanoseconds per element of the pipeline.
#[derive(Clone, Debug)]
struct Part {
    parent: Option<usize>,
    /// Its own time, without calls.
    own: f64,
    /// Time of its calls from start to end.
    call: f64,
    /// The part of that time that occupies a thread.
    call_thread: f64,
    /// The time that a single call occupies a thread.
    one_call: f64,
    /// The fraction of the calls that run on the requesting thread, within the stage.
    here: f64,
    /// The maximum number of concurrent calls; 0 for one at a time within the stage.
    parallelism: u64,
    ahead: u64,
}

impl Part {
    /// True if calls run on threads other than those that start them.
    fn calls_aside(&self) -> bool {
        self.parallelism > 0
            && self.here < 0.5
            && (self.one_call >= WORTH_A_THREAD || self.call > 2.0 * self.call_thread)
    }

    /// The time that it adds to the segment that requests its elements, and to the one that starts its calls.
    fn serial(&self) -> (f64, f64) {
        match self.parallelism {
            0 => (self.own + self.call.max(self.call_thread), 0.0),
            _ if self.calls_aside() => (self.own, 0.0),
            _ => (self.own + self.here * self.call_thread, (1.0 - self.here) * self.call_thread),
        }
    }

    fn thread(&self) -> f64 {
        self.own + self.call_thread
    }
}

/// A model of a pipeline: its rate, what limits it, and the effect of other settings.
#[derive(Clone, Debug)]
pub struct Model {
    parts: Vec<Part>,
    threads: f64,
    cores: f64,
    /// The consumer's time.
    between: f64,
}

impl PipelineTrace {
    /// The measured rate, in elements per second.
    pub fn measured(&self) -> f64 {
        if self.span_ns == 0 { 0.0 } else { self.elements as f64 * 1e9 / self.span_ns as f64 }
    }

    /// How long consumers waited for a stage that works on demand, excluding its waits for inputs: for its calls, and
    /// until a thread resumed after them.
    fn own_wait(&self, stage: usize) -> u64 {
        let seen = &self.stages[stage];
        let inputs = || self.stages.iter().filter(|input| input.parent == Some(stage));
        if seen.parallelism > 0 || inputs().any(|input| input.ahead > 0) {
            return 0;
        }
        seen.waited_ns.saturating_sub(inputs().map(|input| input.waited_ns).sum())
    }

    /// The model of these measurements.
    pub fn model(&self) -> Model {
        let n = self.elements.max(1) as f64;
        let part = |(i, stage): (usize, &StageTrace)| {
            let of = |ns: u64| ns as f64 / n;
            // If calls run within the stage, its time includes theirs.
            let here = if stage.parallelism == 0 { 1.0 } else { stage.here as f64 / stage.calls.max(1) as f64 };
            let inside = here * of(stage.call_thread_ns);
            Part {
                parent: stage.parent,
                own: (of(stage.own_ns) - inside).max(0.0),
                call: of(stage.call_ns).max(of(stage.call_thread_ns) + of(self.own_wait(i))),
                call_thread: of(stage.call_thread_ns),
                one_call: stage.call_thread_ns as f64 / stage.calls.max(1) as f64,
                here,
                parallelism: stage.parallelism,
                ahead: stage.ahead,
            }
        };
        Model {
            parts: self.stages.iter().enumerate().map(part).collect(),
            threads: f64::from(self.threads.max(1)),
            cores: f64::from(self.cores.max(1)),
            between: self.between_ns as f64 / n,
        }
    }
}

/// A bound: nanoseconds per element, and what takes them.
type Bound = (f64, Limit);

impl Model {
    /// The same model with a changed setting.
    #[must_use]
    pub fn with(&self, change: Change) -> Model {
        let mut model = self.clone();
        match change {
            Change::Calls(stage, calls) => {
                if model.parts[stage].parallelism == 0 {
                    model.parts[stage].here = 0.0;
                }
                model.parts[stage].parallelism = calls;
                // Its input is then computed ahead.
                let input = |part: &&mut Part| part.parent == Some(stage) && part.ahead == 0;
                model.parts.iter_mut().filter(input).for_each(|part| part.ahead = 1);
            }
            Change::Ahead(stage, jobs) => model.parts[stage].ahead = jobs,
            Change::Threads(threads) => model.threads = f64::from(threads.max(1)),
        }
        model
    }

    /// The same model without the consumer's time: the maximum rate of the elements.
    #[must_use]
    pub fn unconsumed(&self) -> Model {
        Model { between: 0.0, ..self.clone() }
    }

    /// The head of the segment that contains a stage: the stage itself if it is computed ahead; `None` for the
    /// consumer's segment.
    fn segment(&self, mut stage: usize) -> Option<usize> {
        // Parents come first, so this terminates.
        while self.parts[stage].ahead == 0 {
            stage = self.parts[stage].parent?;
        }
        Some(stage)
    }

    /// The segment that starts a stage's calls: that of its input.
    fn starts(&self, stage: usize) -> Option<usize> {
        let input = self.parts.iter().position(|part| part.parent == Some(stage));
        input.map_or_else(|| self.segment(stage), |input| self.segment(input))
    }

    /// All bounds.
    fn bounds(&self) -> Vec<Bound> {
        let heads = std::iter::once(None).chain((0..self.parts.len()).filter(|&i| self.parts[i].ahead > 0).map(Some));
        let mut bounds: Vec<Bound> = heads.map(|head| self.segment_bound(head)).collect();
        for (i, part) in self.parts.iter().enumerate().filter(|(_, part)| part.calls_aside()) {
            bounds.push((part.call.max(part.call_thread) / part.parallelism as f64, Limit::Stage(i)));
        }
        let threads: f64 = self.parts.iter().map(Part::thread).sum();
        // Calls on other threads are not part of the segment.
        let own = |part: &Part| if part.calls_aside() { part.own } else { part.thread() };
        let first: f64 =
            (0..self.parts.len()).filter(|&i| self.segment(i).is_none()).map(|i| own(&self.parts[i])).sum();
        // The consumer runs the first segment on its own thread.
        bounds.push(((threads - first) / self.threads, Limit::Threads));
        bounds.push((threads / self.cores.min(self.threads + 1.0), Limit::Threads));
        bounds
    }

    /// The time of a segment, and what takes most of it.
    fn segment_bound(&self, head: Option<usize>) -> Bound {
        let mut total = if head.is_none() { self.between } else { 0.0 };
        let mut most = (total, if head.is_none() { Limit::Consumer } else { Limit::Nothing });
        for (i, part) in self.parts.iter().enumerate() {
            let (own, starts) = part.serial();
            let time = if self.segment(i) == head { own } else { 0.0 }
                + if starts > 0.0 && self.starts(i) == head { starts } else { 0.0 };
            total += time;
            if time > most.0 {
                most = (time, Limit::Stage(i));
            }
        }
        let jobs = head.map_or(1, |head| self.parts[head].ahead);
        (total / jobs as f64, most.1)
    }

    fn slowest(&self) -> Bound {
        self.bounds().into_iter().fold((0.0, Limit::Nothing), |most, b| if b.0 > most.0 { b } else { most })
    }

    /// The predicted rate, in elements per second.
    pub fn rate(&self) -> f64 {
        let (ns, _) = self.slowest();
        if ns > 0.0 { 1e9 / ns } else { 0.0 }
    }

    /// What limits the rate. If it is the threads, the stage that takes most of their time already has all of them.
    pub fn limit(&self) -> Limit {
        self.slowest().1
    }

    /// The stage that occupies threads longest.
    pub fn costliest(&self) -> Option<usize> {
        (0..self.parts.len()).max_by(|&a, &b| self.parts[a].thread().total_cmp(&self.parts[b].thread()))
    }

    /// The number of useful concurrent calls of stage `i`, at most `most`.
    pub fn calls_of_use(&self, i: usize, most: u64) -> u64 {
        let part = &self.parts[i];
        let work = part.call.max(part.call_thread);
        if part.parallelism == 0 || work <= 0.0 {
            return 1;
        }
        // With this many, the calls do not limit the rate.
        let many = self.with(Change::Calls(i, u64::from(u32::MAX)));
        let others = many.slowest().0.max(f64::MIN_POSITIVE);
        // One more, so that another is ready when one ends.
        ((work / others * 1.1).ceil() as u64).saturating_add(1).clamp(1, most.max(1))
    }

    /// Changes that make it faster by more than 5%, best first, with the resulting rates. `has_function` says whether a
    /// stage's function may be called concurrently.
    pub fn changes(&self, has_function: impl Fn(usize) -> bool) -> Vec<(Change, f64)> {
        let now = self.rate();
        let mut changes = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            if has_function(i) {
                let many = self.with(Change::Calls(i, u64::from(u32::MAX)));
                let n = many.with(Change::Calls(i, part.parallelism.max(1))).calls_of_use(i, 1024).max(2);
                if n > part.parallelism {
                    changes.push(Change::Calls(i, n));
                }
            }
            if part.ahead == 0 {
                changes.push(Change::Ahead(i, 1));
            }
        }
        changes.push(Change::Threads(self.threads as u32 + 1));
        let mut found: Vec<(Change, f64)> = changes.into_iter().map(|c| (c, self.with(c).rate())).collect();
        found.retain(|(_, rate)| *rate > 1.05 * now);
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stage with this many microseconds per element of its own, or in its calls.
    fn stage(kind: &str, parent: Option<usize>, own: u64, call: u64, parallelism: u64) -> StageTrace {
        StageTrace {
            kind: kind.into(),
            parent,
            elements: 100,
            own_ns: (own + if parallelism == 0 { call } else { 0 }) * 100_000,
            calls: if call > 0 { 100 } else { 0 },
            call_ns: call * 100_000,
            call_thread_ns: call * 100_000,
            parallelism,
            ..StageTrace::default()
        }
    }

    fn model(threads: u32, stages: Vec<StageTrace>) -> Model {
        PipelineTrace { threads, cores: threads, elements: 100, stages, ..PipelineTrace::default() }.model()
    }

    #[test]
    fn the_slowest_segment_limits() {
        let ahead = |stage: StageTrace| StageTrace { ahead: 1, ..stage };
        let stages = vec![
            stage("Prefetch", None, 0, 0, 0),
            ahead(stage("Batch", Some(0), 10, 0, 0)),
            stage("Map", Some(1), 5, 200, 0),
            stage("Range", Some(2), 5, 0, 0),
        ];
        let model = model(4, stages);
        assert_eq!(model.limit(), Limit::Stage(2));
        assert_eq!(model.rate().round(), 4545.0);
        // Four calls at a time, which occupy the threads for 55 of 220 microseconds each.
        assert_eq!(model.with(Change::Calls(2, 4)).rate().round(), 18182.0);
        assert_eq!(model.with(Change::Calls(2, 2)).limit(), Limit::Stage(2));
        assert_eq!(model.with(Change::Calls(2, 64)).limit(), Limit::Threads);
        assert!(matches!(model.changes(|i| i == 2)[0], (Change::Calls(2, n), _) if n >= 4));
    }

    #[test]
    fn calls_that_wait_need_no_threads() {
        let mut waiting = stage("ParallelMap", None, 0, 1000, 8);
        waiting.call_thread_ns /= 100;
        let model = model(2, vec![waiting, StageTrace { ahead: 1, ..stage("Range", Some(0), 20, 0, 0) }]);
        assert_eq!((model.rate().round(), model.limit()), (8000.0, Limit::Stage(0)));
        assert_eq!(model.with(Change::Calls(0, 64)).rate().round(), 50_000.0);
        assert!((56..=57).contains(&model.calls_of_use(0, 1024)));
        assert_eq!(model.calls_of_use(0, 16), 16);
    }

    #[test]
    fn whoever_asks_may_be_the_slow_one() {
        let trace = PipelineTrace {
            threads: 2,
            cores: 2,
            elements: 100,
            between_ns: 100 * 50_000,
            stages: vec![stage("Range", None, 10, 0, 0)],
            ..PipelineTrace::default()
        };
        assert_eq!(trace.model().limit(), Limit::Consumer);
        assert_eq!(trace.model().unconsumed().limit(), Limit::Stage(0));
        assert_eq!(PipelineTrace::default().model().limit(), Limit::Nothing);
    }
}
