//! Queue occupancy over time, as recorded in trace files.

use crate::session::Session;
use crate::waiting::waitable_name;
use levada_graph::{Act, Graph};
use levada_kernel::watch::{Usage, WaitableState, Waited};
use levada_trace::{PipelineTrace, QueueAct, QueueActor, QueueTrace};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

impl Session {
    /// What the stages of input pipelines did, in the order in which these began, if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set.
    pub fn pipeline_traces(&self) -> Vec<PipelineTrace> {
        self.env().telemetry.as_ref().map(|telemetry| telemetry.pipelines()).unwrap_or_default()
    }

    /// Queue occupancy and the nodes that waited, by name, if
    /// [`SessionOptions::telemetry`](crate::SessionOptions::telemetry) is set.
    pub fn queue_traces(&self) -> Vec<QueueTrace> {
        let graph = self.graph();
        let (now, clock) = (Instant::now(), SystemTime::now());
        let since_1970 = |at: Instant| {
            let then = clock.checked_sub(now.saturating_duration_since(at)).unwrap_or(clock);
            then.duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64
        };
        let usage = self.queue_usage();
        let mut traces: Vec<QueueTrace> =
            usage.iter().map(|(state, usage)| trace(&graph, state, usage, since_1970(usage.since))).collect();
        traces.sort_by(|a, b| (&a.name, &a.kind).cmp(&(&b.name, &b.kind)));
        traces
    }
}

fn trace(graph: &Graph, state: &WaitableState, usage: &Usage, start_unix_us: u64) -> QueueTrace {
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
        start_unix_us,
        span_ns: ns(span),
        full_ns: ns(usage.full),
        empty_ns: ns(usage.empty),
        mean_size: if span.is_zero() { 0.0 } else { usage.element_seconds / span.as_secs_f64() },
        largest: usage.largest as u64,
        sizes: usage.samples.iter().map(|&(at, size)| (since(at), size as u64)).collect(),
        actors: usage.waited.iter().map(|w| actor(graph, w)).collect(),
    }
}

fn actor(graph: &Graph, waited: &Waited) -> QueueActor {
    let node = graph.find(&waited.node).map(|id| graph.node(id));
    QueueActor {
        node: waited.node.clone(),
        op: node.map_or_else(String::new, |n| n.op_name().to_owned()),
        act: match node.and_then(|n| n.spec().act) {
            Some(Act::Put) => QueueAct::Put,
            Some(Act::Take) => QueueAct::Take,
            _ => QueueAct::Other,
        },
        times: waited.times,
        waits: waited.waits,
        total_ns: waited.total.as_nanos() as u64,
        longest_ns: waited.longest.as_nanos() as u64,
    }
}
