//! A step's nodes in the order in which they started, as JSON lines.

use super::Exporter;
use crate::event::StepTrace;

pub(super) const EXPORTER: Exporter = Exporter {
    name: "json-lines",
    about: "nodes and work of devices by start, one JSON object a line",
    write: |trace| trace.steps.iter().map(json_lines).collect(),
};

/// The nodes of a step by start, one JSON object a line; what devices did is among them, as objects with a key `work`.
pub fn json_lines(step: &StepTrace) -> String {
    let line = |at, json: serde_json::Result<String>| {
        (at, json.expect("events have string keys and finite numbers only") + "\n")
    };
    let nodes = step.events.iter().map(|e| line(e.start_ns, serde_json::to_string(e)));
    let devices = step.device_events.iter().map(|e| line(e.start_ns, serde_json::to_string(e)));
    let mut lines: Vec<(u64, String)> = nodes.chain(devices).collect();
    lines.sort_by_key(|&(at, _)| at);
    lines.into_iter().map(|(_, line)| line).collect()
}
