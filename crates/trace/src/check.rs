//! Checks that a trace is consistent with its graph.

use crate::device::{DeviceEvent, Track, Work};
use crate::event::{Edge, NodeEvent, StepTrace};
use std::collections::{BTreeMap, HashMap, HashSet};
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
        /// The source of the edge.
        from: Arc<str>,
        /// The target of the edge.
        to: Arc<str>,
        /// When `from` ended.
        end_ns: u64,
        /// When `to` started.
        start_ns: u64,
    },
    /// An event's own times are out of order: ready, start and end must follow each other, within the step.
    Times(Arc<str>),
    /// A device did work for a node that did not run.
    Stray(Arc<str>),
    /// The times of a device's work for a node are out of order: queued, start and end must follow each other, within
    /// the step, and a copy to the host must finish before the node ends.
    DeviceTimes(Arc<str>),
    /// Two pieces of work on one track of a device ran at the same time.
    Overlap {
        /// The track.
        track: Track,
        /// The node of the earlier work.
        first: Arc<str>,
        /// The node of the later work.
        second: Arc<str>,
    },
    /// A device started work for a node before the work for the node at the other end of an edge had ended.
    DeviceTooEarly {
        /// The source of the edge.
        from: Arc<str>,
        /// The target of the edge.
        to: Arc<str>,
        /// When the work for `from` ended.
        end_ns: u64,
        /// When the work for `to` started.
        start_ns: u64,
    },
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
            Violation::Stray(node) => write!(f, "a device worked for {node}, which did not run"),
            Violation::DeviceTimes(node) => write!(f, "the times of a device's work for {node} are out of order"),
            Violation::Overlap { track, first, second } => {
                write!(f, "work for {first} and {second} overlaps on track {track} of a device")
            }
            Violation::DeviceTooEarly { from, to, end_ns, start_ns } => {
                write!(f, "a device started with {to} at {start_ns} ns, before it had finished {from} at {end_ns} ns")
            }
        }
    }
}

/// Checks that in `trace` each of `nodes` ran exactly once and nothing else did, and that no edge's target started
/// before its source had ended, either on the host or on devices. Events inside loops and functions are not checked,
/// nor are edges with an end that did not run.
///
/// # Errors
/// Every violation found.
pub fn check(trace: &StepTrace, nodes: &[Arc<str>], edges: &[Edge]) -> Result<(), Vec<Violation>> {
    let mut ran: HashMap<&str, Vec<&NodeEvent>> = HashMap::new();
    let mut found = Vec::new();
    for event in trace.events.iter().filter(|e| e.is_single()) {
        for node in event.nodes() {
            ran.entry(node).or_default().push(event);
        }
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
    let single = trace.events.iter().filter(|e| e.is_single()).flat_map(NodeEvent::nodes);
    let stray = single.filter(|node| !expected.contains_key(&***node));
    found.extend(stray.map(|node| Violation::Unexpected(node.clone())));
    for (from, to) in edges {
        let (Some(sources), Some(targets)) = (ran.get(&**from), ran.get(&**to)) else { continue };
        // Fused nodes have one event, in which they follow each other.
        if let ([source], [target]) = (&sources[..], &targets[..])
            && std::ptr::eq(*source, *target)
        {
            continue;
        }
        let end_ns = sources.iter().map(|e| e.end_ns).max().unwrap_or(0);
        let start_ns = targets.iter().map(|e| e.start_ns).min().unwrap_or(u64::MAX);
        if start_ns < end_ns {
            found.push(Violation::TooEarly { from: from.clone(), to: to.clone(), end_ns, start_ns });
        }
    }
    check_devices(trace, &ran, edges, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Checks what devices did: that times follow each other, that no track did two things at the same time, and that work
/// started after the work for its node's inputs. Clock errors stated by the events are tolerated.
fn check_devices(trace: &StepTrace, ran: &HashMap<&str, Vec<&NodeEvent>>, edges: &[Edge], found: &mut Vec<Violation>) {
    let events = &trace.device_events;
    if events.is_empty() {
        return;
    }
    let nodes: HashSet<&str> = trace.events.iter().map(|e| &*e.node).collect();
    let mut tracks: BTreeMap<(&str, Track), Vec<&DeviceEvent>> = BTreeMap::new();
    let mut works: HashMap<&str, Vec<&DeviceEvent>> = HashMap::new();
    for event in events {
        if !nodes.contains(&*event.node) {
            found.push(Violation::Stray(event.node.clone()));
        }
        let slack = event.error_ns;
        let late = event.is_single()
            && matches!(event.work, Work::CopyOut { .. })
            && ran.get(&*event.node).is_some_and(|n| n.iter().all(|n| n.end_ns + slack < event.end_ns));
        if event.start_ns + slack < event.queued_ns
            || event.end_ns < event.start_ns
            || event.end_ns > trace.wall_ns + slack
            || late
        {
            found.push(Violation::DeviceTimes(event.node.clone()));
        }
        tracks.entry((&event.device, event.track)).or_default().push(event);
        if event.is_single() {
            works.entry(&event.node).or_default().push(event);
        }
    }
    for ((_, track), mut events) in tracks {
        events.sort_by_key(|e| (e.start_ns, e.end_ns));
        for pair in events.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            // A clock has one error, which different events may know with different precision.
            if second.start_ns + first.error_ns.max(second.error_ns) < first.end_ns {
                let (first, second) = (first.node.clone(), second.node.clone());
                found.push(Violation::Overlap { track, first, second });
            }
        }
    }
    // A send has no work of its own: the value it sends is its source's.
    let sent: HashMap<&str, &str> = edges
        .iter()
        .filter(|(_, to)| ran.get(&**to).is_some_and(|e| e.iter().any(|e| e.op == SEND)))
        .map(|(from, to)| (&**to, &**from))
        .collect();
    // The work of fused nodes belongs to the node that their event is named after.
    let mut as_one: HashMap<&str, &str> = HashMap::new();
    for event in &trace.events {
        as_one.extend(event.fused.iter().map(|node| (&**node, &*event.node)));
    }
    for (from, to) in edges {
        let maker = sent.get(&**from).copied().unwrap_or(from);
        let [maker, taker] = [maker, to].map(|node| as_one.get(node).copied().unwrap_or(node));
        if maker == taker {
            continue;
        }
        let (Some(before), Some(after)) = (works.get(maker), works.get(taker)) else { continue };
        // A kernel's copies from the host do not wait for its inputs.
        let after = after.iter().filter(|e| !matches!(e.work, Work::CopyIn { .. }));
        let (Some(first), Some(last)) = (after.min_by_key(|e| e.start_ns), before.iter().max_by_key(|e| e.end_ns))
        else {
            continue;
        };
        if first.start_ns + first.error_ns + last.error_ns < last.end_ns {
            let (end_ns, start_ns) = (last.end_ns, first.start_ns);
            found.push(Violation::DeviceTooEarly { from: from.clone(), to: to.clone(), end_ns, start_ns });
        }
    }
}

/// The op that sends a value to another device.
const SEND: &str = "_Send";

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

    fn work(node: &str, work: Work, track: Track, times: [u64; 3]) -> DeviceEvent {
        let [queued_ns, start_ns, end_ns] = times;
        DeviceEvent {
            node: node.into(),
            work,
            device: "/gpu:0".into(),
            track,
            worker: 0,
            queued_ns,
            start_ns,
            end_ns,
            error_ns: 0,
            approximate: false,
            function: "".into(),
            iteration: None,
        }
    }

    #[test]
    fn devices_keep_the_order_of_their_tracks_and_of_the_graph() {
        let (all, edges) = (names(&["a", "b"]), vec![("a".into(), "b".into())]);
        let kernel = |node, times| work(node, Work::kernel("k"), Track::Compute(0), times);
        let copy = |node, times| work(node, Work::CopyOut { bytes: 4 }, Track::CopiesOut, times);
        let nodes = || trace(&[("a", 0, 5), ("b", 5, 60)]);
        let run = |events| check(&StepTrace { device_events: events, ..nodes() }, &all, &edges);
        run(vec![kernel("a", [1, 4, 20]), kernel("b", [6, 20, 30]), copy("b", [6, 31, 50])]).unwrap();
        // The clock may be off by this much.
        run(vec![DeviceEvent { error_ns: 3, ..kernel("a", [4, 2, 20]) }]).unwrap();

        let cases = [
            (vec![kernel("c", [1, 4, 20])], Violation::Stray("c".into())),
            (vec![kernel("a", [4, 2, 20])], Violation::DeviceTimes("a".into())),
            (vec![kernel("a", [4, 5, 101])], Violation::DeviceTimes("a".into())),
            (vec![copy("a", [4, 5, 30])], Violation::DeviceTimes("a".into())),
            (
                vec![kernel("a", [1, 4, 20]), kernel("a", [6, 19, 30])],
                Violation::Overlap { track: Track::Compute(0), first: "a".into(), second: "a".into() },
            ),
            (
                vec![kernel("a", [1, 4, 20]), work("b", Work::kernel("k"), Track::Compute(1), [6, 19, 30])],
                Violation::DeviceTooEarly { from: "a".into(), to: "b".into(), end_ns: 20, start_ns: 19 },
            ),
        ];
        for (events, expected) in cases {
            assert_eq!(run(events).unwrap_err(), [expected]);
        }
        // Fused nodes.
        let mut as_one = nodes();
        as_one.events[1].fused = names(&["c", "b"]);
        as_one.device_events =
            vec![kernel("a", [1, 4, 20]), work("b", Work::kernel("k"), Track::Compute(1), [6, 19, 30])];
        let edges = vec![("a".into(), "c".into()), ("c".into(), "b".into())];
        let too_early = Violation::DeviceTooEarly { from: "a".into(), to: "c".into(), end_ns: 20, start_ns: 19 };
        assert_eq!(check(&as_one, &names(&["a", "b", "c"]), &edges).unwrap_err(), [too_early]);
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
