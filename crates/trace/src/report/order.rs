//! A step's nodes, and the work of devices, in the order in which they started.

use super::{Causes, table};
use crate::event::{NodeEvent, StepTrace};

/// The nodes of a step by start, one a line: start, how long it ran and how long it waited in microseconds, worker,
/// device, node, op, the input that arrived last, outputs.
pub fn order(step: &StepTrace) -> String {
    let causes = Causes::of(step);
    let rows = step.events.iter().enumerate().map(|(i, e)| {
        let worker = match &e.pause {
            Some(pause) if pause.worker != e.worker => format!("{}, {}", pause.worker, e.worker),
            _ => e.worker.to_string(),
        };
        let released = causes.released(i).map(|by| place(&step.events[by]));
        [
            micros(e.start_ns),
            micros(e.duration_ns()),
            micros(e.wait_ns() + e.pause_ns()),
            worker,
            short(&e.device).to_owned(),
            place(e),
            e.op_label(),
            released.unwrap_or_else(|| e.released_by.to_string()),
            e.error.clone().unwrap_or_else(|| outputs(e)),
        ]
    });
    let header = ["start us", "ran us", "waited us", "worker", "device", "node", "op", "last input", "outputs"];
    table::format(header, "rrrrlllll", rows)
}

/// Device work by start, one piece a line: start and duration in microseconds, how long it was queued, device and
/// track, kind, node.
pub fn device_order(step: &StepTrace) -> String {
    let rows = step.device_events.iter().map(|e| {
        let about = if e.approximate { "~" } else { "" };
        let node = match &e.iteration {
            Some(i) => format!("{} [{} {}]", e.node, i.frame, i.number),
            None => e.node.to_string(),
        };
        [
            format!("{about}{}", micros(e.start_ns)),
            format!("{about}{}", micros(e.duration_ns())),
            micros(e.queueing_ns()),
            format!("{} {}", short(&e.device), e.track),
            match e.work.bytes() {
                Some(bytes) => format!("{} {bytes} bytes", e.work.name()),
                None => e.work.name().to_owned(),
            },
            node,
        ]
    });
    table::format(["start us", "took us", "queued us", "track", "work", "node"], "rrrlll", rows)
}

/// A device's name without the part that all devices of a session share.
pub(crate) fn short(device: &str) -> &str {
    device.rsplit_once("/device:").map_or(device, |(_, name)| name)
}

pub(crate) fn micros(ns: u64) -> String {
    format!("{:.1}", ns as f64 / 1e3)
}

/// The number of fused nodes that are named.
const NAMED: usize = 4;

/// The names of the nodes, and where they ran.
pub(crate) fn place(event: &NodeEvent) -> String {
    let names = match event.nodes() {
        few if few.len() <= NAMED => few.join(" + "),
        many => format!("{} and {} before it", event.node, many.len() - 1),
    };
    match &event.iteration {
        Some(i) => format!("{names} [{} {}]", i.frame, i.number),
        None => names,
    }
}

fn outputs(event: &NodeEvent) -> String {
    if event.dead {
        return "(dead)".to_owned();
    }
    let text = |t: &Option<crate::TensorDescription>| t.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
    event.outputs.iter().map(text).collect::<Vec<_>>().join(" ")
}
