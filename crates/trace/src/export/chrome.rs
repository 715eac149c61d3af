//! The Trace Event Format that chrome://tracing and ui.perfetto.dev open: a track for each worker of each device and
//! for each queue of a device, arrows from where work was queued to where it ran, spans of waiting, counters.

use super::Exporter;
use crate::device::{DeviceEvent, Track, Work};
use crate::event::{Awaited, NodeEvent, StepTrace};
use crate::queue::QueueTrace;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "chrome",
    about: "a plain Chrome/Perfetto trace",
    write: |trace| chrome(&trace.steps, &trace.queues),
};

/// The op that receives what another device has sent.
const RECV: &str = "_Recv";

/// Track numbers of device queues start here, above those of workers.
const FIRST_QUEUE: u32 = 1_000_000;

/// One entry of `traceEvents`.
#[derive(Serialize)]
pub struct ChromeEvent<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'a str,
    ph: &'static str,
    pid: usize,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    args: BTreeMap<&'static str, serde_json::Value>,
}

/// The steps and queues as a Chrome trace only.
pub fn chrome(steps: &[StepTrace], queues: &[QueueTrace]) -> String {
    let trace = serde_json::json!({"displayTimeUnit": "ns", "traceEvents": chrome_events(steps, queues)});
    trace.to_string()
}

/// The steps and queues as `traceEvents`. Times are microseconds since the earliest start.
pub fn chrome_events<'a>(steps: &'a [StepTrace], queues: &'a [QueueTrace]) -> Vec<ChromeEvent<'a>> {
    let parts = |e: &'a NodeEvent| e.parts().map(move |(worker, ..)| (&*e.device, worker));
    let tracks: BTreeSet<(&str, u32)> = steps.iter().flat_map(|s| &s.events).flat_map(parts).collect();
    let queued = || steps.iter().flat_map(|s| &s.device_events);
    let own: BTreeSet<(&str, Track)> = queued().map(|e| (&*e.device, e.track)).collect();
    let devices: BTreeSet<&str> = tracks.iter().map(|(d, _)| *d).chain(own.iter().map(|(d, _)| *d)).collect();
    let pids: BTreeMap<&str, usize> = devices.into_iter().zip(1..).collect();
    let mut events: Vec<ChromeEvent<'_>> = Vec::new();
    for (device, &pid) in &pids {
        let name = if device.is_empty() { "nodes" } else { device };
        events.push(named("process_name", pid, 0, name.to_owned()));
    }
    for (device, worker) in &tracks {
        events.push(named("thread_name", pids[device], *worker, format!("worker {worker}")));
    }
    for (device, track) in &own {
        events.push(named("thread_name", pids[device], tid(*track), track.to_string()));
    }
    let of_queues = queues.iter().map(|q| q.start_unix_us.saturating_mul(1000));
    let zero = steps.iter().map(StepTrace::start_unix_ns).chain(of_queues).min().unwrap_or(0);
    for step in steps {
        let offset = (step.start_unix_ns() - zero) as f64 / 1e3;
        events.extend(step.events.iter().flat_map(|e| {
            e.parts().map(move |(worker, from, to)| (e, worker, from, to)).enumerate().map(
                |(part, (e, worker, from, to))| {
                    let mut args = args(step, e);
                    if e.pause.is_some() {
                        args.insert("part", (part + 1).into());
                    }
                    ChromeEvent {
                        name: &e.node,
                        cat: &e.op,
                        ph: "X",
                        pid: pids[&*e.device],
                        tid: worker,
                        ts: Some(offset + from as f64 / 1e3),
                        dur: Some(to.saturating_sub(from) as f64 / 1e3),
                        args,
                        ..ChromeEvent::blank()
                    }
                },
            )
        }));
        for event in &step.events {
            waits(step, event, offset, pids[&*event.device], &mut events);
        }
        events.extend(step.device_events.iter().map(|e| ChromeEvent {
            name: &e.node,
            cat: e.work.name(),
            ph: "X",
            pid: pids[&*e.device],
            tid: tid(e.track),
            ts: Some(offset + e.start_ns as f64 / 1e3),
            dur: Some(e.duration_ns() as f64 / 1e3),
            args: device_args(step, e),
            ..ChromeEvent::blank()
        }));
        arrows(step, offset, &pids, &mut events);
        for (device, changes) in depths(step) {
            let mut depth = 0;
            for (ns, change) in changes {
                depth += change;
                events.push(ChromeEvent {
                    name: "work queued",
                    ph: "C",
                    pid: pids[device],
                    ts: Some(offset + ns as f64 / 1e3),
                    args: BTreeMap::from([("pieces", depth.into())]),
                    ..ChromeEvent::blank()
                });
            }
        }
        for (device, changes) in waiting(step) {
            let mut bytes = 0;
            for (ns, change) in changes {
                bytes += change;
                events.push(ChromeEvent {
                    name: "bytes waiting",
                    ph: "C",
                    pid: pids[device],
                    ts: Some(offset + ns as f64 / 1e3),
                    args: BTreeMap::from([("bytes", bytes.into())]),
                    ..ChromeEvent::blank()
                });
            }
        }
    }
    let pid = pids.len() + 1;
    if !queues.is_empty() {
        events.push(named("process_name", pid, 0, "queues".to_owned()));
    }
    for queue in queues {
        let offset = (queue.start_unix_us.saturating_mul(1000) - zero) as f64 / 1e3;
        // The last size holds until the end.
        let end = queue.sizes.last().map(|&(_, size)| (queue.span_ns, size));
        events.extend(queue.sizes.iter().chain(&end).map(|&(ns, size)| ChromeEvent {
            name: &queue.name,
            cat: &queue.kind,
            ph: "C",
            pid,
            ts: Some(offset + ns as f64 / 1e3),
            args: BTreeMap::from([("size", size.into())]),
            ..ChromeEvent::blank()
        }));
    }
    events
}

/// A span, next to the worker tracks, for the time that a node waited after it had started.
fn waits<'a>(step: &StepTrace, event: &'a NodeEvent, offset: f64, pid: usize, events: &mut Vec<ChromeEvent<'a>>) {
    // Calls already show what they wait for: the nodes of their functions.
    let Some(pause) = event.pause.as_ref().filter(|p| p.awaited != Awaited::Call) else { return };
    let id = Some(events.len());
    let end = |ph, ns: u64, args| ChromeEvent {
        name: &event.node,
        cat: "waiting",
        ph,
        pid,
        tid: pause.worker,
        ts: Some(offset + ns as f64 / 1e3),
        id,
        args,
        ..ChromeEvent::blank()
    };
    let mut args = BTreeMap::from([("step", step.step_id.into())]);
    if !pause.at.is_empty() {
        args.insert("at", pause.at.as_str().into());
    }
    if !pause.by.is_empty() {
        args.insert("until", pause.by.as_str().into());
    }
    events.push(end("b", pause.from_ns, args));
    events.push(end("e", pause.to_ns, BTreeMap::new()));
}

/// For each device, when bytes arrived that no receive had taken yet, and when they were taken.
fn waiting(step: &StepTrace) -> BTreeMap<&str, Vec<(u64, i64)>> {
    let mut devices: BTreeMap<&str, Vec<(u64, i64)>> = BTreeMap::new();
    for event in step.events.iter().filter(|e| e.op == RECV && !e.dead) {
        let bytes: u64 = event.inputs.iter().flatten().map(|t| t.bytes).sum();
        if bytes > 0 {
            let changes = devices.entry(&event.device).or_default();
            // A receive takes them when it resumes; before that it waits for them.
            let (arrived, taken) = match &event.pause {
                Some(pause) => (pause.served_ns, pause.to_ns),
                None => (event.ready_ns, event.start_ns),
            };
            changes.extend([(arrived, bytes as i64), (taken, -(bytes as i64))]);
        }
    }
    devices.values_mut().for_each(by_time);
    devices
}

/// For each device, when work entered one of its queues and when the device finished it.
fn depths(step: &StepTrace) -> BTreeMap<&str, Vec<(u64, i64)>> {
    let mut devices: BTreeMap<&str, Vec<(u64, i64)>> = BTreeMap::new();
    for event in &step.device_events {
        let changes = devices.entry(&event.device).or_default();
        changes.extend([(event.queued_ns, 1), (event.end_ns.max(event.queued_ns), -1)]);
    }
    devices.values_mut().for_each(by_time);
    devices
}

/// Sorts changes and merges those with equal times.
fn by_time(changes: &mut Vec<(u64, i64)>) {
    changes.sort_unstable();
    changes.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        earlier.1 += if same { later.1 } else { 0 };
        same
    });
}

/// The number of a track.
fn tid(track: Track) -> u32 {
    match track {
        Track::CopiesIn => FIRST_QUEUE,
        Track::CopiesOut => FIRST_QUEUE + 1,
        Track::PeerCopies => FIRST_QUEUE + 2,
        Track::Compute(number) => number.saturating_add(FIRST_QUEUE + 3),
    }
}

/// Arrows from the nodes that queued work to where it ran. A node that waits for a copy has an event only after it.
fn arrows<'a>(step: &'a StepTrace, offset: f64, pids: &BTreeMap<&str, usize>, events: &mut Vec<ChromeEvent<'a>>) {
    let mut workers: HashMap<u32, Vec<&NodeEvent>> = HashMap::new();
    for event in &step.events {
        workers.entry(event.worker).or_default().push(event);
        if let Some(pause) = event.pause.as_ref().filter(|p| p.worker != event.worker) {
            workers.entry(pause.worker).or_default().push(event);
        }
    }
    for event in &step.device_events {
        let Some(nodes) = workers.get(&event.worker) else { continue };
        let before = nodes.partition_point(|n| n.start_ns <= event.queued_ns);
        let around =
            nodes[..before].iter().rev().take(16).find(|n| n.end_ns >= event.queued_ns && n.node == event.node);
        let Some(node) = around else { continue };
        let id = Some(events.len());
        let arrow = |ph, pid, tid, ns: u64, bp| ChromeEvent {
            name: "queued",
            cat: "queue",
            ph,
            pid,
            tid,
            ts: Some(offset + ns as f64 / 1e3),
            id,
            bp,
            ..ChromeEvent::blank()
        };
        events.push(arrow("s", pids[&*node.device], event.worker, event.queued_ns, None));
        events.push(arrow("f", pids[&*event.device], tid(event.track), event.start_ns, Some("e")));
    }
}

impl ChromeEvent<'_> {
    fn blank() -> Self {
        ChromeEvent {
            name: "",
            cat: "",
            ph: "",
            pid: 0,
            tid: 0,
            ts: None,
            dur: None,
            id: None,
            bp: None,
            args: BTreeMap::new(),
        }
    }
}

fn named<'a>(what: &'a str, pid: usize, tid: u32, name: String) -> ChromeEvent<'a> {
    let args = BTreeMap::from([("name", name.into())]);
    ChromeEvent { name: what, ph: "M", pid, tid, args, ..ChromeEvent::blank() }
}

fn device_args(step: &StepTrace, event: &DeviceEvent) -> BTreeMap<&'static str, serde_json::Value> {
    let micros = |ns: u64| serde_json::Value::from(ns as f64 / 1e3);
    let mut args = BTreeMap::from([
        ("work", event.work.name().into()),
        ("step", step.step_id.into()),
        ("queueing_us", micros(event.queueing_ns())),
    ]);
    if let Some(bytes) = event.work.bytes() {
        args.insert("bytes", bytes.into());
    }
    if let Work::PeerCopy { from, .. } = &event.work {
        args.insert("from", from.as_str().into());
    }
    if event.error_ns > 0 {
        args.insert("clock_error_us", micros(event.error_ns));
    }
    if event.approximate {
        args.insert("approximate", true.into());
    }
    if let Some(i) = &event.iteration {
        args.insert("iteration", format!("{} {}", i.frame, i.number).into());
    }
    args
}

fn args(step: &StepTrace, event: &NodeEvent) -> BTreeMap<&'static str, serde_json::Value> {
    let mut args = BTreeMap::from([
        ("op", event.op.to_string().into()),
        ("step", step.step_id.into()),
        ("waited_us", (event.wait_ns() as f64 / 1e3).into()),
    ]);
    if !step.runner.is_empty() {
        args.insert("runner", step.runner.as_str().into());
    }
    if !event.released_by.is_empty() {
        args.insert("last_input", event.released_by.to_string().into());
    }
    if let Some(pause) = &event.pause {
        args.insert("paused_us", (event.pause_ns() as f64 / 1e3).into());
        if !pause.at.is_empty() {
            args.insert("waited_at", pause.at.as_str().into());
        }
    }
    for (key, tensors) in [("inputs", &event.inputs), ("outputs", &event.outputs)] {
        if !tensors.is_empty() {
            let text: Vec<String> = tensors.iter().flatten().map(ToString::to_string).collect();
            args.insert(key, text.join(" ").into());
        }
    }
    if !event.fused.is_empty() {
        args.insert("nodes", event.fused.join(" ").into());
        args.insert("ops", event.op_label().into());
    }
    if event.dead {
        args.insert("dead", true.into());
    }
    if let Some(error) = &event.error {
        args.insert("error", error.clone().into());
    }
    if let Some(i) = &event.iteration {
        args.insert("iteration", format!("{} {}", i.frame, i.number).into());
    }
    args
}
