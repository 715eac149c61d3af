//! The Trace Event Format that chrome://tracing and ui.perfetto.dev open: a track for each worker of each device, a
//! counter for each queue.

use crate::event::{NodeEvent, StepTrace};
use crate::queue::QueueTrace;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The op that takes up what another device has sent.
const RECV: &str = "_Recv";

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
    args: BTreeMap<&'static str, serde_json::Value>,
}

/// The steps and queues as a Chrome trace and nothing else.
pub fn chrome(steps: &[StepTrace], queues: &[QueueTrace]) -> String {
    let trace = serde_json::json!({"displayTimeUnit": "ns", "traceEvents": chrome_events(steps, queues)});
    trace.to_string()
}

/// The steps and queues as `traceEvents`. Times are microseconds since the first of them started.
pub fn chrome_events<'a>(steps: &'a [StepTrace], queues: &'a [QueueTrace]) -> Vec<ChromeEvent<'a>> {
    let tracks: BTreeSet<(&str, u32)> = steps.iter().flat_map(|s| &s.events).map(|e| (&*e.device, e.worker)).collect();
    let devices: BTreeSet<&str> = tracks.iter().map(|(d, _)| *d).collect();
    let pids: BTreeMap<&str, usize> = devices.into_iter().zip(1..).collect();
    let mut events: Vec<ChromeEvent<'_>> = Vec::new();
    for (device, &pid) in &pids {
        let name = if device.is_empty() { "nodes" } else { device };
        events.push(named("process_name", pid, 0, name.to_owned()));
    }
    for (device, worker) in &tracks {
        events.push(named("thread_name", pids[device], *worker, format!("worker {worker}")));
    }
    let starts = steps.iter().map(|s| s.start_unix_us).chain(queues.iter().map(|q| q.start_unix_us));
    let zero = starts.min().unwrap_or(0);
    for step in steps {
        let offset = (step.start_unix_us - zero) as f64;
        events.extend(step.events.iter().map(|e| ChromeEvent {
            name: &e.node,
            cat: &e.op,
            ph: "X",
            pid: pids[&*e.device],
            tid: e.worker,
            ts: Some(offset + e.start_ns as f64 / 1e3),
            dur: Some(e.duration_ns() as f64 / 1e3),
            args: args(step, e),
        }));
        for (device, changes) in waiting(step) {
            let mut bytes = 0;
            for (ns, change) in changes {
                bytes += change;
                events.push(ChromeEvent {
                    name: "bytes waiting",
                    cat: "",
                    ph: "C",
                    pid: pids[device],
                    tid: 0,
                    ts: Some(offset + ns as f64 / 1e3),
                    dur: None,
                    args: BTreeMap::from([("bytes", bytes.into())]),
                });
            }
        }
    }
    let pid = pids.len() + 1;
    if !queues.is_empty() {
        events.push(named("process_name", pid, 0, "queues".to_owned()));
    }
    for queue in queues {
        let offset = (queue.start_unix_us - zero) as f64;
        // The last size holds until the end.
        let end = queue.sizes.last().map(|&(_, size)| (queue.span_ns, size));
        events.extend(queue.sizes.iter().chain(&end).map(|&(ns, size)| ChromeEvent {
            name: &queue.name,
            cat: &queue.kind,
            ph: "C",
            pid,
            tid: 0,
            ts: Some(offset + ns as f64 / 1e3),
            dur: None,
            args: BTreeMap::from([("size", size.into())]),
        }));
    }
    events
}

/// For each device, when bytes arrived there that no receive had taken up yet, and when it took them up.
fn waiting(step: &StepTrace) -> BTreeMap<&str, Vec<(u64, i64)>> {
    let mut devices: BTreeMap<&str, Vec<(u64, i64)>> = BTreeMap::new();
    for event in step.events.iter().filter(|e| e.op == RECV && !e.dead) {
        let bytes: u64 = event.inputs.iter().flatten().map(|t| t.bytes).sum();
        if bytes > 0 {
            let changes = devices.entry(&event.device).or_default();
            changes.extend([(event.ready_ns, bytes as i64), (event.start_ns, -(bytes as i64))]);
        }
    }
    for changes in devices.values_mut() {
        changes.sort_unstable();
        // One entry for one time.
        changes.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            earlier.1 += if same { later.1 } else { 0 };
            same
        });
    }
    devices
}

fn named<'a>(what: &'a str, pid: usize, tid: u32, name: String) -> ChromeEvent<'a> {
    let args = BTreeMap::from([("name", name.into())]);
    ChromeEvent { name: what, cat: "", ph: "M", pid, tid, ts: None, dur: None, args }
}

fn args(step: &StepTrace, event: &NodeEvent) -> BTreeMap<&'static str, serde_json::Value> {
    let mut args = BTreeMap::from([
        ("op", event.op.to_string().into()),
        ("step", step.step_id.into()),
        ("waited_us", (event.wait_ns() as f64 / 1e3).into()),
    ]);
    for (key, tensors) in [("inputs", &event.inputs), ("outputs", &event.outputs)] {
        if !tensors.is_empty() {
            let text: Vec<String> = tensors.iter().flatten().map(ToString::to_string).collect();
            args.insert(key, text.join(" ").into());
        }
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
