//! What is written is what a reader of the format expects, and a trace file comes back as it was.

use levada_graph::{Shape, Tensor};
use levada_trace::{
    Iteration, NodeEvent, QueueAct, QueueActor, QueueTrace, StepTrace, TensorDescription, Trace, export, file, report,
};
use serde_json::Value;

fn step() -> StepTrace {
    let tensor = Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![0f32; 6]).unwrap();
    let described = Some(TensorDescription::of(&tensor));
    let device = "/job:localhost/replica:0/task:0/device:CPU:0";
    let a = NodeEvent {
        device: device.into(),
        ready_ns: 100,
        start_ns: 1_500,
        end_ns: 4_000,
        outputs: vec![described.clone()],
        ..NodeEvent::new("a".into(), "Const")
    };
    let b = NodeEvent {
        device: device.into(),
        worker: 1,
        ready_ns: 4_100,
        start_ns: 5_000,
        end_ns: 6_000,
        inputs: vec![described.clone(), None],
        outputs: vec![None, described],
        iteration: Some(Iteration { frame: "loop".into(), number: 3 }),
        ..NodeEvent::new("b".into(), "Switch")
    };
    let c = NodeEvent { dead: true, start_ns: 7_000, end_ns: 7_000, ..NodeEvent::new("c".into(), "NoOp") };
    StepTrace {
        step_id: 7,
        start_unix_us: 1_700_000_000_000_000,
        wall_ns: 9_000,
        threads: 2,
        clock_ns: 20,
        events: vec![a, b, c],
        edges: vec![("a".into(), "b".into()), ("b".into(), "c".into())],
    }
}

#[test]
fn a_trace_file_comes_back_and_is_a_chrome_trace() {
    let trace = Trace { steps: vec![step(), step()], queues: Vec::new() };
    let text = file::write(&trace);
    assert_eq!(file::read(text.as_bytes()).unwrap(), trace);

    let json: Value = serde_json::from_str(&text).unwrap();
    let complete: Vec<&Value> = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X").collect();
    assert_eq!(complete.len(), 6);
    assert_eq!(
        (&complete[0]["name"], &complete[0]["ts"], &complete[0]["dur"]),
        (&"a".into(), &1.5.into(), &2.5.into())
    );
}

#[test]
fn queues_come_back_and_are_counters() {
    let actor = QueueActor { node: "enqueue".to_owned(), act: QueueAct::Put, times: 2, ..QueueActor::default() };
    let queue = QueueTrace {
        name: "q".to_owned(),
        kind: "FIFOQueue".to_owned(),
        capacity: Some(4),
        start_unix_us: 1_700_000_000_000_010,
        span_ns: 9_000,
        sizes: vec![(0, 0), (2_000, 3)],
        actors: vec![actor],
        ..QueueTrace::default()
    };
    let trace = Trace { steps: vec![step()], queues: vec![queue] };
    let text = file::write(&trace);
    assert_eq!(file::read(text.as_bytes()).unwrap(), trace);

    let json: Value = serde_json::from_str(&text).unwrap();
    let counters: Vec<&Value> = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "C").collect();
    let points: Vec<(&Value, &Value)> = counters.iter().map(|e| (&e["ts"], &e["args"]["size"])).collect();
    assert_eq!(points, [(&10.0.into(), &0.into()), (&12.0.into(), &3.into()), (&19.0.into(), &3.into())]);
    assert!(counters.iter().all(|e| e["name"] == "q" && e["pid"] == counters[0]["pid"]));
}

#[test]
fn bytes_that_wait_for_a_receive_are_a_counter() {
    let recv = |name: &str, ready_ns, start_ns| NodeEvent {
        device: "/cpu:1".into(),
        ready_ns,
        start_ns,
        end_ns: start_ns + 100,
        inputs: vec![Some(TensorDescription::of(&Tensor::vector(vec![0f32; 4])))],
        ..NodeEvent::new(name.into(), "_Recv")
    };
    let events = vec![recv("a/_1", 1_000, 2_000), recv("b/_1", 1_500, 2_100)];
    let trace = Trace { steps: vec![StepTrace { events, ..step() }], queues: Vec::new() };
    let json: Value = serde_json::from_str(&file::write(&trace)).unwrap();
    let counts: Vec<(f64, i64)> = json["traceEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["ph"] == "C" && e["name"] == "bytes waiting")
        .map(|e| (e["ts"].as_f64().unwrap(), e["args"]["bytes"].as_i64().unwrap()))
        .collect();
    assert_eq!(counts, [(1.0, 16), (1.5, 32), (2.0, 16), (2.1, 0)]);
}

#[test]
fn what_is_no_trace_is_refused() {
    for bytes in [&b"{}"[..], b"[1]", b"\xff", b"{\"levada\": {\"version\": 9, \"steps\": []}}"] {
        assert_eq!(file::read(bytes).unwrap_err().code().name(), "INVALID_ARGUMENT");
    }
}

#[test]
fn step_stats_has_the_fields_of_the_message() {
    let json: Value = serde_json::from_str(&export::step_stats(&step())).unwrap();
    let nodes = &json["devStats"][0]["nodeStats"];
    assert_eq!(nodes[0]["nodeName"], "a");
    assert_eq!(nodes[0]["opStartRelNanos"], "1400");
    assert_eq!(nodes[0]["opEndRelNanos"], "3900");
    assert_eq!(nodes[0]["output"][0]["tensorDescription"]["shape"]["dim"][1]["size"], "3");
    assert_eq!(nodes[1]["timelineLabel"], "b = Switch(float32[2,3])");
    assert_eq!(nodes.as_array().unwrap().len(), 2, "a dead node did not run");
}

#[test]
fn the_order_is_a_table() {
    let expected = "\
start us  took us  worker  node        op      outputs
     1.5      2.5       0  a           Const   float32[2,3]
     5.0      1.0       1  b [loop 3]  Switch  - float32[2,3]
     7.0      0.0       0  c           NoOp    (dead)
";
    assert_eq!(export::order(&step()), expected);
    assert_eq!(export::json_lines(&step()).lines().count(), 3);
}

#[test]
fn time_by_op_adds_up() {
    let ops = report::by_op(&[step(), step()]);
    let rows: Vec<(&str, usize, u64)> = ops.iter().map(|o| (&*o.op, o.runs, o.total_ns)).collect();
    assert_eq!(rows, [("Const", 2, 5_000), ("Switch", 2, 2_000)]);
}
