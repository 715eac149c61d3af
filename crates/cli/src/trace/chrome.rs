//! Chrome traces without our own section: those of `levada place --trace`, of `levada trace --chrome`, and of
//! TensorFlow's timeline. Each is taken as one step.

use levada::trace::NodeEvent;
use levada::{Error, Result, StepTrace};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The events of a Chrome trace; `None` if the value is not one.
pub fn events(json: &Value) -> Option<&Vec<Value>> {
    json.as_array().or_else(|| json.get("traceEvents")?.as_array())
}

/// The step that a Chrome trace shows.
///
/// # Errors
/// `INVALID_ARGUMENT` if no event in it has a duration.
pub fn step(events: &[Value]) -> Result<StepTrace> {
    let devices = devices(events);
    let spans: Vec<Span<'_>> = events.iter().filter_map(Span::of).collect();
    let Some(zero) = spans.iter().map(|span| span.start).reduce(f64::min) else {
        return Err(Error::invalid("the trace holds no event with a duration")
            .expected("events of the kind \"ph\": \"X\"")
            .found(format!("{} of other kinds", crate::show::count(events.len(), "event"))));
    };
    let nanos = |micros: f64| (micros.max(0.0) * 1e3).round() as u64;
    let nowhere: Arc<str> = Arc::from("");
    let mut step = StepTrace { step_id: 1, ..StepTrace::default() };
    for span in &spans {
        let start = nanos(span.start - zero);
        step.events.push(NodeEvent {
            op: Cow::Owned(span.op.to_owned()),
            device: devices.get(&span.pid).unwrap_or(&nowhere).clone(),
            worker: span.tid,
            ready_ns: start,
            start_ns: start,
            end_ns: start + nanos(span.took),
            ..NodeEvent::new(Arc::from(span.node), "")
        });
    }
    step.events.sort_by_key(|event| event.start_ns);
    step.wall_ns = step.events.iter().map(|event| event.end_ns).max().unwrap_or(0);
    let tracks: BTreeSet<(i64, u32)> = spans.iter().map(|span| (span.pid, span.tid)).collect();
    step.threads = tracks.len() as u32;
    Ok(step)
}

/// Names of processes, which stand for devices.
fn devices(events: &[Value]) -> BTreeMap<i64, Arc<str>> {
    let named = |event: &Value| {
        let name = event["args"]["name"].as_str().filter(|_| event["name"] == "process_name")?;
        Some((event["pid"].as_i64()?, Arc::from(name)))
    };
    events.iter().filter_map(named).collect()
}

/// Something that took time. Times are in microseconds.
struct Span<'a> {
    node: &'a str,
    op: &'a str,
    pid: i64,
    tid: u32,
    start: f64,
    took: f64,
}

impl<'a> Span<'a> {
    /// An event of the kind "X", the only one with a duration.
    fn of(event: &'a Value) -> Option<Span<'a>> {
        let text = |value: &'a Value| value.as_str().filter(|text| !text.is_empty());
        let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok()).filter(|n| n.is_finite());
        if event["ph"] != "X" {
            return None;
        }
        let name = text(&event["name"])?;
        // TensorFlow's timeline names events by op and has the node among the arguments.
        let node = text(&event["args"]["name"]).unwrap_or(name);
        let op = text(&event["args"]["op"]).or_else(|| text(&event["cat"])).unwrap_or(name);
        Some(Span {
            node,
            op,
            pid: event["pid"].as_i64().unwrap_or(0),
            tid: event["tid"].as_u64().and_then(|tid| u32::try_from(tid).ok()).unwrap_or(0),
            start: number(&event["ts"])?,
            took: number(&event["dur"]).unwrap_or(0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_timeline_becomes_a_step() {
        let trace = json!({"traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "/device:CPU:0"}},
            {"ph": "X", "name": "MatMul", "cat": "Op", "pid": 1, "tid": 2, "ts": 110.5, "dur": 4,
             "args": {"name": "dense/MatMul", "op": "MatMul"}},
            {"ph": "X", "name": "y:0", "cat": "transfer", "pid": 2, "tid": 1001, "ts": "100", "dur": 1.5},
            {"ph": "C", "name": "queue", "ts": 1},
        ]});
        let step = step(events(&trace).unwrap()).unwrap();
        assert_eq!((step.wall_ns, step.threads, step.events.len()), (14_500, 2, 2));
        let (copy, product) = (&step.events[0], &step.events[1]);
        assert_eq!((&*copy.node, &*copy.op, copy.start_ns, copy.end_ns), ("y:0", "transfer", 0, 1_500));
        assert_eq!((&*product.node, &*product.op, &*product.device), ("dense/MatMul", "MatMul", "/device:CPU:0"));
        assert!(events(&json!({"node": []})).is_none());
        assert!(super::step(&[]).is_err());
    }
}
