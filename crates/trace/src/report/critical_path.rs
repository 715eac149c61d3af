//! The chain of nodes that decided when the step ended.

use super::{order, table};
use crate::event::{Edge, NodeEvent, StepTrace};
use std::collections::HashMap;

/// The chain of events that ends with the one that ended last, in which every event follows the input that arrived last.
/// Shortening anything that is not on it does not make the step shorter.
pub fn critical_path<'a>(step: &'a StepTrace, edges: &[Edge]) -> Vec<&'a NodeEvent> {
    let mut sources: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, to) in edges {
        sources.entry(to).or_default().push(from);
    }
    let mut runs: HashMap<&str, Vec<&NodeEvent>> = HashMap::new();
    for event in &step.events {
        for node in event.nodes() {
            runs.entry(node).or_default().push(event);
        }
    }
    for events in runs.values_mut() {
        events.sort_by_key(|e| e.end_ns);
    }
    let mut path = Vec::new();
    let mut next = step.events.iter().max_by_key(|e| (e.end_ns, e.start_ns));
    while let Some(event) = next {
        path.push(event);
        let before =
            event.nodes().iter().flat_map(|node| sources.get(&**node).into_iter().flatten()).filter_map(|source| {
                let events = runs.get(source)?;
                let ended = events.partition_point(|e| e.end_ns <= event.start_ns);
                // In a loop the same node runs many times; what matters is its last run before this one.
                let last = *events[..ended].last()?;
                (!std::ptr::eq(last, event) && last.start_ns < event.end_ns).then_some(last)
            });
        next = before.max_by_key(|e| e.end_ns).filter(|e| (e.end_ns, e.start_ns) < (event.end_ns, event.start_ns));
    }
    path.reverse();
    path
}

/// [`critical_path`] as a table, with what the path took and what the whole step did.
pub fn critical_path_table(step: &StepTrace, edges: &[Edge]) -> String {
    let path = critical_path(step, edges);
    let micros = order::micros;
    let mut last_end = 0;
    let rows = path.iter().map(|e| {
        let gap = e.start_ns.saturating_sub(last_end);
        last_end = e.end_ns;
        [
            micros(e.start_ns),
            micros(e.duration_ns()),
            micros(gap),
            e.worker.to_string(),
            order::place(e),
            e.op.to_string(),
        ]
    });
    let mut text = table::format(["start us", "took us", "gap us", "worker", "node", "op"], "rrrrll", rows);
    let busy: u64 = path.iter().map(|e| e.duration_ns()).sum();
    text.push_str(&format!(
        "{} nodes, {} us in kernels, of {} us for the step\n",
        path.len(),
        micros(busy),
        micros(step.wall_ns)
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_follows_the_input_that_arrived_last() {
        let event = |node: &'static str, start_ns, end_ns| NodeEvent {
            ready_ns: start_ns,
            start_ns,
            end_ns,
            ..NodeEvent::new(node.into(), "NoOp")
        };
        let events = vec![event("a", 0, 5), event("slow", 5, 50), event("quick", 5, 6), event("b", 51, 60)];
        let step = StepTrace { wall_ns: 61, events, ..StepTrace::default() };
        let edges: Vec<Edge> = [("a", "slow"), ("a", "quick"), ("slow", "b"), ("quick", "b")]
            .iter()
            .map(|&(a, b)| (a.into(), b.into()))
            .collect();
        let names: Vec<&str> = critical_path(&step, &edges).iter().map(|e| &*e.node).collect();
        assert_eq!(names, ["a", "slow", "b"]);
    }
}
