//! What ran when, as the message `RunMetadata` that TensorBoard shows with a graph.

use crate::message::Message;
use levada_trace::{NodeEvent, StepTrace, TensorDescription};
use std::collections::{BTreeMap, BTreeSet};

/// A step as a `RunMetadata` message, with what ran when on each device (`step_stats`).
pub fn run_metadata(step: &StepTrace) -> Vec<u8> {
    let mut devices: BTreeMap<&str, Vec<&NodeEvent>> = BTreeMap::new();
    for event in step.events.iter().filter(|event| !event.dead) {
        devices.entry(&event.device).or_default().push(event);
    }
    let mut stats = Message::default();
    for (name, events) in devices {
        let mut device = Message::default();
        device.text(1, name.as_bytes());
        for event in &events {
            device.bytes(2, &node(step, event).0);
        }
        for worker in events.iter().map(|event| event.worker).collect::<BTreeSet<u32>>() {
            let mut thread = Message::default();
            thread.int(1, i64::from(worker));
            thread.text(2, format!("worker {worker}").as_bytes());
            device.bytes(3, &thread.0);
        }
        stats.bytes(1, &device.0);
    }
    let mut metadata = Message::default();
    metadata.bytes(1, &stats.0);
    metadata.0
}

/// Relative times start when the node became ready, as TensorFlow's start when it was scheduled.
fn node(step: &StepTrace, event: &NodeEvent) -> Message {
    let ready = (step.start_unix_us * 1000 + event.ready_ns) as i64;
    let start = event.wait_ns() as i64;
    let end = start + event.span_ns() as i64;
    let mut message = Message::default();
    message.text(1, event.node.as_bytes());
    for (number, time) in [(2, ready), (3, start), (4, end), (5, end)] {
        message.int(number, time / 1000);
    }
    for (slot, tensor) in event.outputs.iter().enumerate() {
        if let Some(tensor) = tensor {
            let mut output = Message::default();
            output.int(1, slot as i64);
            output.bytes(3, &description(tensor).0);
            message.bytes(7, &output.0);
        }
    }
    message.text(8, format!("{} = {}", event.node, event.op).as_bytes());
    message.int(9, ready / 1000);
    message.int(10, i64::from(event.worker));
    for (number, time) in [(13, ready), (14, start), (15, end), (16, end), (17, ready)] {
        message.int(number, time);
    }
    message
}

fn description(tensor: &TensorDescription) -> Message {
    let mut shape = Message::default();
    for size in tensor.shape.dims() {
        let mut dim = Message::default();
        dim.int(1, *size as i64);
        shape.bytes(2, &dim.0);
    }
    let mut allocation = Message::default();
    allocation.int(1, tensor.bytes as i64);
    let mut message = Message::default();
    message.int(1, i64::from(tensor.dtype.number()));
    message.bytes(2, &shape.0);
    message.bytes(4, &allocation.0);
    message
}
