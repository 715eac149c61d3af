//! Proves that a trace is one that the graph allows.

use crate::event::{Edge, NodeEvent, StepTrace};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A way in which a trace contradicts its graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A node should have run and did not.
    Missing(Arc<str>),
    /// A node ran that should not have.
    Unexpected(Arc<str>),
    /// A node ran more than once outside of any loop.
    Repeated {
        /// The node.
        node: Arc<str>,
        /// How often it ran.
        times: usize,
    },
    /// A node started before the node at the other end of an edge had ended.
    TooEarly {
        /// Where the edge comes from.
        from: Arc<str>,
        /// Where it goes.
        to: Arc<str>,
        /// When `from` ended.
        end_ns: u64,
        /// When `to` started.
        start_ns: u64,
    },
    /// An event's own times are out of order: ready, start and end must follow each other, within the step.
    Times(Arc<str>),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Missing(node) => write!(f, "{node} did not run"),
            Violation::Unexpected(node) => write!(f, "{node} ran and should not have"),
            Violation::Repeated { node, times } => write!(f, "{node} ran {times} times"),
            Violation::TooEarly { from, to, end_ns, start_ns } => {
                write!(f, "{to} started at {start_ns} ns, before {from} had ended at {end_ns} ns")
            }
            Violation::Times(node) => write!(f, "the times of {node} are out of order"),
        }
    }
}

/// Checks that in `trace` every one of `nodes` ran exactly once and nothing else did, and that no edge's target started
/// before its source had ended. Events inside of loops and functions are not checked; edges of which an end did not run are not either.
///
/// # Errors
/// Every violation found.
pub fn check(trace: &StepTrace, nodes: &[Arc<str>], edges: &[Edge]) -> Result<(), Vec<Violation>> {
    let mut ran: HashMap<&str, Vec<&NodeEvent>> = HashMap::new();
    let mut found = Vec::new();
    for event in trace.events.iter().filter(|e| e.is_single()) {
        ran.entry(&event.node).or_default().push(event);
        if event.ready_ns > event.start_ns || event.start_ns > event.end_ns || event.end_ns > trace.wall_ns {
            found.push(Violation::Times(event.node.clone()));
        }
    }
    let mut expected: HashMap<&str, ()> = HashMap::with_capacity(nodes.len());
    for node in nodes {
        expected.insert(node, ());
        match ran.get(&**node).map_or(0, Vec::len) {
            0 => found.push(Violation::Missing(node.clone())),
            1 => {}
            times => found.push(Violation::Repeated { node: node.clone(), times }),
        }
    }
    let stray = trace.events.iter().filter(|e| e.is_single() && !expected.contains_key(&*e.node));
    found.extend(stray.map(|e| Violation::Unexpected(e.node.clone())));
    for (from, to) in edges {
        let (Some(sources), Some(targets)) = (ran.get(&**from), ran.get(&**to)) else { continue };
        let end_ns = sources.iter().map(|e| e.end_ns).max().unwrap_or(0);
        let start_ns = targets.iter().map(|e| e.start_ns).min().unwrap_or(u64::MAX);
        if start_ns < end_ns {
            found.push(Violation::TooEarly { from: from.clone(), to: to.clone(), end_ns, start_ns });
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(times: &[(&str, u64, u64)]) -> StepTrace {
        let event = |&(node, start_ns, end_ns): &(&str, u64, u64)| NodeEvent {
            ready_ns: start_ns,
            start_ns,
            end_ns,
            ..NodeEvent::new(node.into(), "NoOp")
        };
        StepTrace { wall_ns: 100, events: times.iter().map(event).collect(), ..StepTrace::default() }
    }

    fn names(names: &[&str]) -> Vec<Arc<str>> {
        names.iter().map(|&n| n.into()).collect()
    }

    #[test]
    fn an_allowed_order_passes_and_every_violation_is_reported() {
        let edges: Vec<Edge> = vec![("a".into(), "b".into()), ("a".into(), "c".into())];
        check(&trace(&[("a", 0, 5), ("c", 5, 6), ("b", 7, 9)]), &names(&["a", "b", "c"]), &edges).unwrap();

        let bad = trace(&[("a", 0, 5), ("b", 4, 9), ("b", 9, 10), ("d", 20, 19)]);
        let found = check(&bad, &names(&["a", "b", "c"]), &edges).unwrap_err();
        let expected = [
            Violation::Times("d".into()),
            Violation::Repeated { node: "b".into(), times: 2 },
            Violation::Missing("c".into()),
            Violation::Unexpected("d".into()),
            Violation::TooEarly { from: "a".into(), to: "b".into(), end_ns: 5, start_ns: 4 },
        ];
        assert_eq!(found, expected);
    }
}
