//! TensorFlow's StepStats in protobuf's JSON mapping, for tools that read `RunMetadata.step_stats`.

use super::Exporter;
use crate::device::{DeviceEvent, Track};
use crate::event::{NodeEvent, StepTrace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "step-stats",
    about: "TensorFlow's StepStats of the last step, in protobuf's JSON mapping",
    write: |trace| {
        let last = trace.callers().last().or(trace.steps.last());
        last.map_or_else(|| json!({"devStats": []}).to_string(), step_stats)
    },
};

/// The step as the JSON of a `StepStats` message.
pub fn step_stats(step: &StepTrace) -> String {
    let mut devices: BTreeMap<&str, Vec<&NodeEvent>> = BTreeMap::new();
    for event in step.events.iter().filter(|e| !e.dead) {
        devices.entry(&event.device).or_default().push(event);
    }
    let device = |(name, events): (&&str, &Vec<&NodeEvent>)| {
        let workers: BTreeSet<u32> = events.iter().map(|e| e.worker).collect();
        let names: BTreeMap<String, String> = workers.iter().map(|w| (w.to_string(), format!("worker {w}"))).collect();
        let nodes: Vec<Value> = events.iter().map(|e| node(step, e)).collect();
        json!({"device": name, "nodeStats": nodes, "threadNames": names})
    };
    let mut queues: BTreeMap<(&str, Track), Vec<Value>> = BTreeMap::new();
    for event in &step.device_events {
        queues.entry((&event.device, event.track)).or_default().push(work(step, event));
    }
    // TensorFlow has a separate device for each stream of a device, and one for copies.
    let queue = |((device, track), nodes): ((&str, Track), Vec<Value>)| {
        let stream = match track {
            Track::Compute(number) => format!("{device}/stream:{number}"),
            Track::CopiesIn => format!("{device}/memcpy:in"),
            Track::CopiesOut => format!("{device}/memcpy:out"),
            Track::PeerCopies => format!("{device}/memcpy:peer"),
        };
        json!({"device": stream, "nodeStats": nodes})
    };
    let all: Vec<Value> = devices.iter().map(device).chain(queues.into_iter().map(queue)).collect();
    json!({"devStats": all}).to_string()
}

/// Relative times start when the work was queued.
fn work(step: &StepTrace, event: &DeviceEvent) -> Value {
    let queued_ns = step.start_unix_us * 1000 + event.queued_ns;
    let start = event.queueing_ns();
    let end = start + event.duration_ns();
    json!({
        "nodeName": &*event.node,
        "allStartMicros": (queued_ns / 1000).to_string(),
        "opStartRelMicros": (start / 1000).to_string(),
        "opEndRelMicros": (end / 1000).to_string(),
        "allEndRelMicros": (end / 1000).to_string(),
        "timelineLabel": format!("{}:{}", event.node, event.work.name()),
        "scheduledMicros": (queued_ns / 1000).to_string(),
        "threadId": event.worker,
        "allStartNanos": queued_ns.to_string(),
        "opStartRelNanos": start.to_string(),
        "opEndRelNanos": end.to_string(),
        "allEndRelNanos": end.to_string(),
        "scheduledNanos": queued_ns.to_string(),
    })
}

/// Relative times start when the node became ready, as TensorFlow's start when it was scheduled and picked up.
fn node(step: &StepTrace, event: &NodeEvent) -> Value {
    let ready_ns = step.start_unix_us * 1000 + event.ready_ns;
    let start = event.wait_ns();
    let end = start + event.span_ns();
    let outputs: Vec<Value> = event.outputs.iter().enumerate().filter_map(|(i, t)| output(i, t.as_ref()?)).collect();
    json!({
        "nodeName": &*event.node,
        "allStartMicros": (ready_ns / 1000).to_string(),
        "opStartRelMicros": (start / 1000).to_string(),
        "opEndRelMicros": (end / 1000).to_string(),
        "allEndRelMicros": (end / 1000).to_string(),
        "output": outputs,
        "timelineLabel": format!("{} = {}({})", event.node, event.op, inputs(event)),
        "scheduledMicros": (ready_ns / 1000).to_string(),
        "threadId": event.worker,
        "allStartNanos": ready_ns.to_string(),
        "opStartRelNanos": start.to_string(),
        "opEndRelNanos": end.to_string(),
        "allEndRelNanos": end.to_string(),
        "scheduledNanos": ready_ns.to_string(),
    })
}

fn inputs(event: &NodeEvent) -> String {
    event.inputs.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn output(slot: usize, tensor: &crate::TensorDescription) -> Option<Value> {
    let dims: Vec<Value> = tensor.shape.iter().map(|d| json!({"size": d.to_string()})).collect();
    Some(json!({
        "slot": slot,
        "tensorDescription": {
            "dtype": tensor.dtype.proto_name(),
            "shape": {"dim": dims},
            "allocationDescription": {"requestedBytes": tensor.bytes.to_string()},
        },
    }))
}
