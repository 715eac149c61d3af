//! Costs for the placer from the measurements of traced steps.

use levada::StepTrace;
use levada::kernel::transfer::{RECV, SEND};
use levada::placer::{Cluster, Measured};
use levada::trace::{NodeEvent, Work};
use std::collections::{BTreeSet, HashMap};

/// The median time of a send and its receive, less the time of reading the clock; `None` if there were none.
pub fn measured_hop(steps: &[StepTrace]) -> Option<f64> {
    let median = |op: &str| -> Option<f64> {
        let events =
            steps.iter().flat_map(|s| s.events.iter().map(|e| (e, e.duration_ns().saturating_sub(s.clock_ns))));
        let mut times: Vec<u64> = events.filter(|(e, _)| &*e.op == op).map(|(_, ns)| ns).collect();
        times.sort_unstable();
        times.get(times.len() / 2).map(|&ns| ns as f64)
    };
    Some(median(SEND)? + median(RECV)?)
}

/// Copies of up to `SMALL_COPY` bytes determine the latency of a copy, and those of at least `LARGE_COPY` the
/// bandwidth.
const SMALL_COPY: u64 = 4 << 10;
const LARGE_COPY: u64 = 1 << 20;

/// Adopts the median times of copies to and from devices with their own memory.
pub fn measure_copies(cluster: &mut Cluster, steps: &[StepTrace]) {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let events = || steps.iter().flat_map(|s| &s.device_events);
    let names: BTreeSet<&str> = events().map(|e| &*e.device).collect();
    for name in names {
        let parsed = levada::graph::device::DeviceName::parse(name).unwrap_or_default();
        let Some(device) = cluster.targets.find(&parsed) else { continue };
        for to_it in [true, false] {
            let copies: Vec<(u64, f64)> = events()
                .filter(|e| &*e.device == name && e.duration_ns() > 0)
                .filter_map(|e| match e.work {
                    Work::CopyIn { bytes } if to_it => Some((bytes, e.duration_ns() as f64)),
                    Work::CopyOut { bytes } if !to_it => Some((bytes, e.duration_ns() as f64)),
                    _ => None,
                })
                .collect();
            let latency = median(copies.iter().filter(|c| c.0 <= SMALL_COPY).map(|c| c.1).collect());
            let rates = copies.iter().filter(|c| c.0 >= LARGE_COPY).map(|c| c.0 as f64 * 1e9 / c.1);
            cluster.measure_copies(device, to_it, latency, median(rates.collect()));
        }
    }
}

/// Nodes that take at least this many nanoseconds are assumed to be split over all threads.
const WIDE_NS: u64 = 50_000;

/// The time that each node would have taken with all threads to itself, less the time of reading the clock. Concurrent
/// long nodes shared the threads.
fn alone(step: &StepTrace) -> Vec<f64> {
    let mut nanos: Vec<f64> =
        step.events.iter().map(|e| e.duration_ns().saturating_sub(step.clock_ns) as f64).collect();
    let wide: Vec<usize> = (0..nanos.len()).filter(|&i| step.events[i].duration_ns() >= WIDE_NS).collect();
    let mut edges: Vec<(u64, usize, bool)> = Vec::new();
    for &i in &wide {
        nanos[i] = 0.0;
        edges.extend(step.events[i].parts().flat_map(|(_, from, to)| [(from, i, true), (to, i, false)]));
    }
    edges.sort_unstable();
    let mut running: Vec<usize> = Vec::new();
    let mut before = 0;
    for (at, i, starts) in edges {
        let share = (at - before) as f64 / running.len().max(1) as f64;
        running.iter().for_each(|&r| nanos[r] += share);
        before = at;
        if starts {
            running.push(i);
        } else {
            running.retain(|&r| r != i);
        }
    }
    nanos
}

/// The time that devices with their own queues computed for each node.
fn on_devices(step: &StepTrace) -> HashMap<&str, f64> {
    let mut nanos: HashMap<&str, f64> = HashMap::new();
    for event in &step.device_events {
        if matches!(event.work, Work::Kernel { .. } | Work::Copy { .. }) {
            *nanos.entry(&event.node).or_default() += event.duration_ns() as f64;
        }
    }
    nanos
}

/// The measurements of traced steps: the median over the later half of the steps, since the first ones warm up, less
/// the time of reading the clock.
pub fn measured(steps: &[StepTrace]) -> HashMap<String, Measured> {
    let steps = &steps[steps.len() / 2..];
    let mut all: HashMap<String, Measured> = HashMap::new();
    let mut times: HashMap<&str, Vec<f64>> = HashMap::new();
    for (i, step) in steps.iter().enumerate() {
        for (event, nanos) in step.events.iter().zip(alone(step)) {
            // Fused nodes share the time, and their outputs are assumed to have the same size.
            for node in event.nodes() {
                let entry = all.entry(node.to_string()).or_default();
                entry.device = event.device.to_string();
                entry.outputs = event.outputs.iter().map(|o| o.as_ref().map_or(0, |t| t.bytes)).collect();
                entry.runs += 1.0 / steps.len() as f64;
                let times = times.entry(node).or_default();
                times.resize(steps.len(), 0.0);
                times[i] += nanos / event.nodes().len() as f64;
                entry.wide |= step.threads > 1 && event.duration_ns() >= WIDE_NS;
            }
        }
        // A node that only queues work costs what the device takes for it.
        let groups: HashMap<&str, &NodeEvent> = step.events.iter().map(|e| (&*e.node, e)).collect();
        for (node, nanos) in on_devices(step) {
            let nodes = groups.get(node).map_or(&[][..], |event| event.nodes());
            for node in nodes {
                if let (Some(times), Some(entry)) = (times.get_mut(&**node), all.get_mut(&**node)) {
                    times[i] = nanos / nodes.len() as f64;
                    entry.wide = false;
                }
            }
        }
    }
    for (node, mut times) in times {
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        let median = if times.len() % 2 == 0 { (times[middle - 1] + times[middle]) / 2.0 } else { times[middle] };
        all.entry(node.to_owned()).and_modify(|m| m.nanos = median);
    }
    all
}
