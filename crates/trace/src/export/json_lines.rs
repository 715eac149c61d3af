//! A step's nodes in the order in which they started, as JSON lines.

use super::Exporter;
use crate::event::StepTrace;
use serde::Serialize;

pub(super) const EXPORTER: Exporter = Exporter {
    name: "json-lines",
    about: "nodes and work of devices by start, one JSON object a line",
    write: |trace| trace.steps.iter().map(json_lines).collect(),
};

/// An event, with its step.
#[derive(Serialize)]
struct Line<'a, E: Serialize> {
    step: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    runner: &'a str,
    #[serde(flatten)]
    event: &'a E,
}

/// The nodes of a step by start, one JSON object a line, with the number of the step and its queue runner; device work
/// is included, as objects with a key `work`.
pub fn json_lines(step: &StepTrace) -> String {
    fn line<E: Serialize>(step: &StepTrace, event: &E) -> String {
        let line = Line { step: step.step_id, runner: &step.runner, event };
        serde_json::to_string(&line).expect("events have string keys and finite numbers only") + "\n"
    }
    let nodes = step.events.iter().map(|e| (e.start_ns, line(step, e)));
    let devices = step.device_events.iter().map(|e| (e.start_ns, line(step, e)));
    let mut lines: Vec<(u64, String)> = nodes.chain(devices).collect();
    lines.sort_by_key(|&(at, _)| at);
    lines.into_iter().map(|(_, line)| line).collect()
}
