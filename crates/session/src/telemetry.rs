//! Data recorded for trace files besides the steps of callers: queue occupancy over time, the steps of queue runners,
//! thread utilization.

use crate::session::Session;
use crate::waiting::waitable_name;
use levada_graph::{Act, Graph};
use levada_kernel::watch::{Usage, WaitableState, Waited};
use levada_trace::{PipelineTrace, QueueAct, QueueActor, QueueTrace, StepTrace, Trace, Workers, unix_ns};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The traces of the steps of queue runners: the first and the last ones if there are too many.
#[derive(Default)]
pub(crate) struct RunnerTraces {
    /// The maximum number of events to keep; 0 while none are requested.
    most: AtomicUsize,
    /// The lock protects all of it.
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// How many steps each node's runner has begun.
    begun: HashMap<Arc<str>, u64>,
    first: Vec<StepTrace>,
    first_size: usize,
    last: VecDeque<StepTrace>,
    last_size: usize,
    left_out: u64,
}

/// The size of a trace, in events.
fn size(step: &StepTrace) -> usize {
    1 + step.events.len() + step.edges.len() + step.device_events.len()
}

impl RunnerTraces {
    /// The number of the step that this runner begins, if it is to be traced.
    pub(crate) fn begin(&self, runner: &Arc<str>) -> Option<u64> {
        if self.most.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut kept = self.kept.lock();
        let begun = kept.begun.entry(runner.clone()).or_default();
        *begun += 1;
        Some(*begun)
    }

    /// Keeps the trace of a step.
    pub(crate) fn add(&self, step: StepTrace) {
        let half = self.most.load(Ordering::Relaxed) / 2;
        let kept = &mut *self.kept.lock();
        let size_of = size(&step);
        if kept.last.is_empty() && kept.first_size + size_of <= half {
            kept.first_size += size_of;
            return kept.first.push(step);
        }
        kept.last_size += size_of;
        kept.last.push_back(step);
        while kept.last_size > half
            && let Some(oldest) = kept.last.pop_front()
        {
            kept.last_size -= size(&oldest);
            kept.left_out += 1;
        }
    }
}

impl Session {
    /// Records the steps of queue runners that begin from now on, up to this many events, for [`Session::trace_with`];
    /// 0 for none. Beyond that, steps between the first and the last ones are dropped. Costs as much as tracing a step.
    pub fn trace_queue_runners(&self, events: usize) {
        self.inner.runner_traces.most.store(events, Ordering::Relaxed);
    }

    /// The contents of a trace file: these steps, those of queue runners since the last call, and if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set the queues, the input pipelines and the
    /// thread utilization.
    pub fn trace_with(&self, mut steps: Vec<StepTrace>) -> Trace {
        let kept = {
            let mut kept = self.inner.runner_traces.kept.lock();
            let begun = kept.begun.clone();
            std::mem::replace(&mut *kept, Kept { begun, ..Kept::default() })
        };
        let mut of_runners: Vec<StepTrace> = kept.first.into_iter().chain(kept.last).collect();
        of_runners.sort_by_key(StepTrace::start_unix_ns);
        steps.extend(of_runners);
        Trace {
            steps,
            queues: self.queue_traces(),
            pipelines: self.pipeline_traces(),
            workers: self.workers(),
            steps_left_out: kept.left_out,
        }
    }

    /// How busy the threads were since the first had work, if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set.
    pub fn workers(&self) -> Option<Workers> {
        self.env().pool.workers()
    }

    /// The work of the stages of input pipelines, in the order in which they began, if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set.
    pub fn pipeline_traces(&self) -> Vec<PipelineTrace> {
        self.env().telemetry.as_ref().map(|telemetry| telemetry.pipelines()).unwrap_or_default()
    }

    /// Queue occupancy and the nodes that waited, by name, if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set.
    pub fn queue_traces(&self) -> Vec<QueueTrace> {
        let graph = self.graph();
        let usage = self.queue_usage();
        if usage.is_empty() {
            return Vec::new();
        }
        let runners = self.nodes_of_runners();
        let mut traces: Vec<QueueTrace> =
            usage.iter().map(|(state, usage)| trace(&graph, &runners, state, usage)).collect();
        traces.sort_by(|a, b| (&a.name, &a.kind).cmp(&(&b.name, &b.kind)));
        traces
    }

    /// For each node that queue runners run, the node that its runner was started with, and the runner's number of
    /// threads.
    fn nodes_of_runners(&self) -> RunnerOf {
        let mut threads: HashMap<String, u32> = HashMap::new();
        for runner in self.queue_runners() {
            for name in runner.def.enqueue {
                *threads.entry(name).or_default() += 1;
            }
        }
        let mut nodes = HashMap::new();
        for (runner, threads) in threads {
            // A started runner has a plan.
            let Ok(plan) = self.inner.plan(&[&runner]) else { continue };
            let names = plan.names.iter().flat_map(|names| names.all());
            nodes.extend(names.map(|name| (name.clone(), (runner.clone(), threads))));
        }
        nodes
    }
}

type RunnerOf = HashMap<Arc<str>, (String, u32)>;

fn trace(graph: &Graph, runners: &RunnerOf, state: &WaitableState, usage: &Usage) -> QueueTrace {
    let ns = |d: Duration| d.as_nanos() as u64;
    let since = |at: Instant| ns(at.saturating_duration_since(usage.since));
    let span = usage.until.saturating_duration_since(usage.since);
    // Staging areas do not know their names; the nodes that use them do.
    let name = usage.waited.iter().find_map(|w| waitable_name(graph, graph.find(&w.node)?));
    QueueTrace {
        name: name.filter(|_| state.name.is_empty()).unwrap_or_else(|| match state.name.as_str() {
            "" => state.kind.to_owned(),
            name => name.to_owned(),
        }),
        kind: state.kind.to_owned(),
        capacity: state.capacity.map(|c| c as u64),
        start_unix_us: unix_ns(usage.since) / 1000,
        span_ns: ns(span),
        full_ns: ns(usage.full),
        empty_ns: ns(usage.empty),
        mean_size: if span.is_zero() { 0.0 } else { usage.element_seconds / span.as_secs_f64() },
        largest: usage.largest as u64,
        sizes: usage.samples.iter().map(|&(at, size)| (since(at), size as u64)).collect(),
        actors: usage.waited.iter().map(|w| actor(graph, runners, w)).collect(),
    }
}

fn actor(graph: &Graph, runners: &RunnerOf, waited: &Waited) -> QueueActor {
    let (runner, runner_threads) = runners.get(&*waited.node).cloned().unwrap_or_default();
    let node = graph.find(&waited.node).map(|id| graph.node(id));
    QueueActor {
        node: waited.node.clone(),
        op: node.map_or_else(String::new, |n| n.op_name().to_owned()),
        act: match node.and_then(|n| n.spec().act) {
            Some(Act::Put) => QueueAct::Put,
            Some(Act::Take) => QueueAct::Take,
            _ => QueueAct::Other,
        },
        runner,
        runner_threads,
        times: waited.times,
        waits: waited.waits,
        total_ns: waited.total.as_nanos() as u64,
        longest_ns: waited.longest.as_nanos() as u64,
    }
}
