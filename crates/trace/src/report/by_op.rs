//! Where the time went, by op.

use super::{order, table};
use crate::event::StepTrace;
use std::collections::{BTreeMap, HashMap};

/// The times of the nodes of one op.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpTime {
    /// Name of the op; for fused nodes the names of all ops.
    pub op: String,
    /// How often a node of it ran.
    pub runs: usize,
    /// Nanoseconds in its kernels.
    pub total_ns: u64,
    /// Nanoseconds that devices with queues of their own spent on work of its nodes.
    pub device_ns: u64,
    /// Nanoseconds of the longest run.
    pub max_ns: u64,
    /// Nanoseconds that its nodes were ready but waited for a worker, or had started and waited for something else.
    pub wait_ns: u64,
    /// Bytes of all outputs.
    pub output_bytes: u64,
}

/// Times of all steps by op, the most expensive first; nodes that were computed as one count as an op of their own.
/// Dead nodes do not count.
pub fn by_op(steps: &[StepTrace]) -> Vec<OpTime> {
    let mut ops: BTreeMap<String, OpTime> = BTreeMap::new();
    for event in steps.iter().flat_map(|s| &s.events).filter(|e| !e.dead) {
        let op = ops.entry(event.op_label()).or_insert_with_key(|op| OpTime {
            op: op.clone(),
            runs: 0,
            total_ns: 0,
            device_ns: 0,
            max_ns: 0,
            wait_ns: 0,
            output_bytes: 0,
        });
        op.runs += 1;
        op.total_ns += event.duration_ns();
        op.max_ns = op.max_ns.max(event.duration_ns());
        op.wait_ns += event.wait_ns() + event.pause_ns();
        op.output_bytes += event.output_bytes();
    }
    for step in steps.iter().filter(|s| !s.device_events.is_empty()) {
        let of: HashMap<&str, String> = step.events.iter().map(|e| (&*e.node, e.op_label())).collect();
        for event in &step.device_events {
            if let Some(op) = of.get(&*event.node).and_then(|op| ops.get_mut(op)) {
                op.device_ns += event.duration_ns();
            }
        }
    }
    let mut ops: Vec<OpTime> = ops.into_values().collect();
    ops.sort_by(|a, b| (b.total_ns + b.device_ns).cmp(&(a.total_ns + a.device_ns)).then_with(|| a.op.cmp(&b.op)));
    ops
}

/// [`by_op`] as a table.
pub fn by_op_table(steps: &[StepTrace]) -> String {
    let ops = by_op(steps);
    let all = ops.iter().map(|o| o.total_ns).sum::<u64>().max(1) as f64;
    let micros = order::micros;
    let row = |o: &OpTime| {
        [
            o.op.clone(),
            o.runs.to_string(),
            micros(o.total_ns),
            format!("{:.1}", 100.0 * o.total_ns as f64 / all),
            micros(o.total_ns / o.runs as u64),
            micros(o.max_ns),
            micros(o.wait_ns),
            o.output_bytes.to_string(),
        ]
    };
    let header = ["op", "runs", "total us", "%", "mean us", "max us", "waited us", "output bytes"];
    if ops.iter().all(|o| o.device_ns == 0) {
        return table::format(header, "lrrrrrrr", ops.iter().map(row));
    }
    let [op, runs, total, share, mean, max, waited, bytes] = header;
    let header = [op, runs, "device us", total, share, mean, max, waited, bytes];
    let with_devices = |o: &OpTime| {
        let [op, runs, total, share, mean, max, waited, bytes] = row(o);
        [op, runs, micros(o.device_ns), total, share, mean, max, waited, bytes]
    };
    table::format(header, "lrrrrrrrr", ops.iter().map(with_devices))
}
