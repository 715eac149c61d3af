//! What the executor records in a trace.

use crate::activation::Task;
use crate::plan::Plan;
use crate::schedule::Aside;
use levada_graph::Error;
use levada_kernel::{Entry, Tracing};
use levada_trace::device::Entered;
use levada_trace::{Edge, Iteration, NodeEvent, Origin, TensorDescription};
use std::borrow::Cow;
use std::sync::Arc;

/// The event of a node that starts now.
pub(crate) fn begin(tracing: &Tracing, plan: &Plan, task: &Task, worker: u32, inputs: &[Entry]) -> NodeEvent {
    let names = &plan.names[task.node as usize];
    let meta = &names.meta;
    let position = task.act.as_ref().and_then(|act| act.position.as_ref());
    let function = tracing.function.clone();
    let full = |name: &Arc<str>| if function.is_empty() { name.clone() } else { format!("{function}/{name}").into() };
    let (name, fused) = (full(&meta.name), names.fused.iter().map(full).collect());
    let released_by = task.by.node().map(|by| full(&plan.meta(by).name));
    let mut event = NodeEvent {
        device: meta.device.clone(),
        worker,
        ready_ns: task.since,
        released_by: released_by.unwrap_or_else(|| "".into()),
        inputs: inputs.iter().map(describe).collect(),
        iteration: position.map(|p| Iteration { frame: p.frame.name.clone(), number: p.iteration }),
        fused,
        fused_ops: names.fused_ops.iter().map(|&op| Cow::Borrowed(op)).collect(),
        function,
        ..NodeEvent::new(name, meta.op)
    };
    // The clock is read last: describing the inputs is not part of the node.
    event.start_ns = tracing.recorder.now();
    event
}

/// Work that this thread submits to devices is attributed to this node until the returned guard is dropped.
pub(crate) fn enter(tracing: &Tracing, event: &NodeEvent) -> Entered {
    let origin = Origin {
        recorder: tracing.recorder.clone(),
        node: event.node.clone(),
        worker: event.worker,
        function: event.function.clone(),
        iteration: event.iteration.clone(),
    };
    origin.enter()
}

/// Records the event of a node that ends now.
pub(crate) fn end(tracing: &Tracing, event: NodeEvent, outputs: &[Entry], error: Option<&Error>) {
    record(tracing, NodeEvent { end_ns: tracing.recorder.now(), ..event }, outputs, error);
}

/// As [`end`], for a node that another thread may have computed.
pub(crate) fn end_aside(
    tracing: &Tracing,
    event: NodeEvent,
    aside: Option<Aside>,
    outputs: &[Entry],
    error: Option<&Error>,
) {
    match aside {
        Some(Aside { worker, start_ns, end_ns }) => {
            let pause = event.pause.map(|mut pause| {
                (pause.served_ns, pause.to_ns) = (start_ns, start_ns);
                pause
            });
            record(tracing, NodeEvent { worker, end_ns, pause, ..event }, outputs, error);
        }
        None => end(tracing, event, outputs, error),
    }
}

fn record(tracing: &Tracing, event: NodeEvent, outputs: &[Entry], error: Option<&Error>) {
    let outputs = outputs.iter().map(describe).collect();
    tracing.recorder.record(NodeEvent { outputs, error: error.map(|e| e.message().to_owned()), ..event });
}

/// The data and control edges between a plan's nodes.
pub(crate) fn edges(plan: &Plan) -> Vec<Edge> {
    let name = |node: u32| plan.meta(node).name.clone();
    let mut edges = Vec::new();
    for (node, from) in plan.nodes.iter().zip(&plan.names) {
        edges.extend(plan.after(node).map(|to| (from.meta.name.clone(), name(to))));
    }
    edges
}

fn describe(entry: &Entry) -> Option<TensorDescription> {
    match entry {
        Entry::Ref(cell) => cell.value.read().as_ref().map(TensorDescription::of),
        other => other.tensor().map(TensorDescription::of),
    }
}
