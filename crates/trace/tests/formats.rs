//! Output has the form that readers of the format expect, and a trace file is read back unchanged.

use levada_graph::{Shape, Tensor};
use levada_trace::{
    Awaited, DeviceEvent, Iteration, NodeEvent, Origin, Pause, QueueAct, QueueActor, QueueTrace, Recorder, StepTrace,
    TensorDescription, Trace, Track, Work, Workers, device, export, file, report,
};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

const GPU: &str = "/job:localhost/replica:0/task:0/device:GPU:0";

fn work(node: &str, work: Work, track: Track, times: [u64; 3]) -> DeviceEvent {
    let [queued_ns, start_ns, end_ns] = times;
    DeviceEvent {
        node: node.into(),
        work,
        device: GPU.into(),
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

/// A step with a device that copies while it computes.
fn device_step() -> StepTrace {
    let peer = Work::PeerCopy { bytes: 8, from: "/device:GPU:1".to_owned() };
    let device_events = vec![
        work("a", Work::CopyIn { bytes: 4_000 }, Track::CopiesIn, [1_600, 1_700, 2_700]),
        work("a", Work::kernel("add"), Track::Compute(0), [2_000, 2_200, 4_200]),
        DeviceEvent { error_ns: 30, ..work("b", Work::kernel("mul"), Track::Compute(1), [5_500, 6_000, 7_000]) },
        DeviceEvent {
            approximate: true,
            iteration: Some(Iteration { frame: "loop".into(), number: 3 }),
            ..work("b", Work::CopyOut { bytes: 2_000 }, Track::CopiesOut, [5_600, 6_500, 8_500])
        },
        work("b", peer, Track::CopiesIn, [5_600, 7_000, 8_000]),
        work("b", Work::Copy { bytes: 12 }, Track::Compute(1), [5_700, 7_000, 7_100]),
    ];
    StepTrace { device_events, device_events_lost: 2, ..step() }
}

#[test]
fn work_of_devices_comes_back_and_has_tracks() {
    let trace = Trace { steps: vec![device_step()], ..Trace::default() };
    let text = file::write(&trace);
    assert_eq!(file::read(text.as_bytes()).unwrap(), trace);

    let json: Value = serde_json::from_str(&text).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let of = |ph: &str| events.iter().filter(|e| e["ph"] == ph).collect::<Vec<_>>();
    let tracks: Vec<&str> = of("M")
        .iter()
        .filter(|e| e["name"] == "thread_name" && e["tid"].as_u64().unwrap() >= 1_000_000)
        .map(|e| e["args"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(tracks, ["compute 0", "compute 1", "copies in", "copies out"]);
    let copy = of("X").into_iter().find(|e| e["cat"] == "copy in").unwrap();
    assert_eq!((&copy["ts"], &copy["dur"], &copy["args"]["bytes"]), (&1.7.into(), &1.0.into(), &4_000.into()));
    // Arrows from where a node queued work to where it ran.
    let (starts, ends) = (of("s"), of("f"));
    assert_eq!((starts.len(), ends.len()), (2, 2));
    for (start, end) in starts.iter().zip(&ends) {
        assert_eq!((&start["id"], &end["bp"]), (&end["id"], &"e".into()));
        assert!(start["ts"].as_f64() <= end["ts"].as_f64());
    }
    let depths: Vec<i64> =
        of("C").iter().filter(|e| e["name"] == "work queued").map(|e| e["args"]["pieces"].as_i64().unwrap()).collect();
    assert_eq!((depths.iter().max(), depths.last()), (Some(&4), Some(&0)));
}

#[test]
fn work_of_devices_is_in_every_listing() {
    let step = device_step();
    let lines: Vec<Value> = export::json_lines(&step).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((lines.len(), lines.iter().filter(|l| l["work"].is_string()).count()), (9, 6));
    assert!(lines.windows(2).all(|pair| pair[0]["start_ns"].as_u64() <= pair[1]["start_ns"].as_u64()));
    let first = report::device_order(&step).lines().nth(1).unwrap().to_owned();
    assert_eq!(first, "     1.7      1.0        0.1  GPU:0 copies in   copy in 4000 bytes   a");

    let json: Value = serde_json::from_str(&export::step_stats(&step)).unwrap();
    let devices: Vec<&str> = json["devStats"].as_array().unwrap().iter().filter_map(|d| d["device"].as_str()).collect();
    let stream = |name: &str| format!("{GPU}/{name}");
    assert_eq!(devices[1..], [stream("stream:0"), stream("stream:1"), stream("memcpy:in"), stream("memcpy:out")]);
}

#[test]
fn devices_are_summed_up() {
    let steps = [device_step(), device_step()];
    let times = report::device_times(&steps);
    let gpu = &times[0];
    assert_eq!((times.len(), gpu.device.as_str(), gpu.streams), (1, GPU, 2));
    assert_eq!((gpu.wall_ns, gpu.busy_ns, gpu.compute_ns), (18_000, 10_000, 6_200));
    assert_eq!((gpu.copies_in.copies, gpu.copies_in.bytes, gpu.copies_in.busy_ns), (2, 8_000, 2_000));
    assert_eq!((gpu.copies_out.bytes, gpu.peer_copies.bytes), (4_000, 16));
    assert!((gpu.copies_in.bandwidth() - 4e9).abs() < 1.0);
    // 0.5 of the copy in, and 0.6 of the copy out.
    assert_eq!((gpu.copying_ns, gpu.overlap_ns), (6_000, 2_200));
    assert_eq!((gpu.queueing_median_ns, gpu.queueing_max_ns, gpu.deepest), (900, 1_400, 4));
    assert_eq!(gpu.kernels, [("add".to_owned(), 2, 4_000), ("mul".to_owned(), 2, 2_000)]);
    let text = report::devices_text(&steps);
    for part in ["GPU:0: busy 10.0 us of 18.0 us", "copies in: 2, 8000 bytes", "computing: 36.7%", "of 4 more pieces"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(report::devices_text(&[step()]), "");
}

#[test]
fn a_step_waits_for_the_stamps_of_its_devices() {
    let name: Arc<str> = GPU.into();
    assert!(device::queue(&name, Track::CopiesIn, || Work::CopyIn { bytes: 1 }).is_none());
    let recorder = Arc::new(Recorder::new(1, 1));
    let origin =
        || Origin { recorder: recorder.clone(), node: "a".into(), worker: 0, function: "".into(), iteration: None };
    let entered = origin().enter();
    let queue = |name: &Arc<str>| device::queue(name, Track::Compute(0), || Work::kernel("k")).unwrap();
    let (later, lost, never) = (queue(&name), queue(&name), queue(&name));
    drop(entered);
    assert!(!device::is_traced());
    drop(lost);
    let (send, receive) = std::sync::mpsc::channel();
    later.before_waiting(move || send.send(()).unwrap());
    let device = std::thread::spawn(move || {
        // The device does nothing before it is signalled.
        receive.recv().unwrap();
        let start = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        later.ran(start, Instant::now(), Duration::from_nanos(7));
    });
    recorder.settle(Some(Instant::now() + Duration::from_millis(300)));
    device.join().unwrap();
    let trace = recorder.finish();
    drop(never);
    assert_eq!((trace.device_events.len(), trace.device_events_lost), (1, 2));
    let event = &trace.device_events[0];
    assert!(event.duration_ns() >= 5_000_000 && event.end_ns <= trace.wall_ns && event.queued_ns <= event.start_ns);
    assert_eq!((&*event.node, event.error_ns), ("a", 7));
    // Work that was given up is not waited for.
    let _never = origin().queue(&name, Track::Compute(0), Work::kernel("k"));
    recorder.give_up();
    recorder.settle(None);
}

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
        runner: String::new(),
        start_unix_us: 1_700_000_000_000_000,
        start_rest_ns: 0,
        wall_ns: 9_000,
        threads: 2,
        clock_ns: 20,
        events: vec![a, b, c],
        device_events: Vec::new(),
        device_events_lost: 0,
        edges: vec![("a".into(), "b".into()), ("b".into(), "c".into())],
    }
}

#[test]
fn a_trace_file_comes_back_and_is_a_chrome_trace() {
    let trace = Trace { steps: vec![step(), step()], ..Trace::default() };
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
    let trace = Trace { steps: vec![step()], queues: vec![queue], ..Trace::default() };
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
    let trace = Trace { steps: vec![StepTrace { events, ..step() }], ..Trace::default() };
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
fn every_exporter_writes_any_trace() {
    for exporter in export::EXPORTERS {
        assert!(exporter.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", exporter.name);
        let write = |steps| (exporter.write)(&Trace { steps, ..Trace::default() });
        let text = write(vec![device_step(), step()]);
        assert!(["Const", "Switch"].iter().all(|op| text.contains(op)), "{}: {text}", exporter.name);
        write(Vec::new());
    }
}

#[test]
fn the_order_is_a_table() {
    let expected = "\
start us  ran us  waited us  worker  device  node        op      last input  outputs
     1.5     2.5        1.4       0  CPU:0   a           Const               float32[2,3]
     5.0     1.0        0.9       1  CPU:0   b [loop 3]  Switch  a           - float32[2,3]
     7.0     0.0        7.0       0          c           NoOp    b [loop 3]  (dead)
";
    assert_eq!(report::order(&step()), expected);
    assert_eq!(export::json_lines(&step()).lines().count(), 3);
}

/// A step of a queue runner with a node that waited at a queue, and a fused node.
fn step_of_a_runner() -> StepTrace {
    let pause = Pause {
        worker: 1,
        from_ns: 2_000,
        served_ns: 8_000,
        to_ns: 8_500,
        awaited: Awaited::Resource,
        at: "FIFOQueue `q`".to_owned(),
        by: "take".to_owned(),
        elsewhere: true,
    };
    let put = NodeEvent {
        worker: 2,
        ready_ns: 900,
        released_by: "relu".into(),
        start_ns: 1_000,
        end_ns: 9_000,
        pause: Some(Box::new(pause)),
        ..NodeEvent::new("put".into(), "QueueEnqueueV2")
    };
    let names = |names: &[&str]| names.iter().map(|&n| n.into()).collect::<Vec<Arc<str>>>();
    let relu = NodeEvent {
        worker: 1,
        end_ns: 800,
        fused: names(&["conv", "bias", "relu"]),
        fused_ops: ["Conv2D", "BiasAdd", "Relu"].map(Into::into).to_vec(),
        ..NodeEvent::new("relu".into(), "Relu")
    };
    let start_unix_us = 1_700_000_000_000_000;
    StepTrace {
        step_id: 3,
        runner: "put".to_owned(),
        start_unix_us,
        start_rest_ns: 250,
        wall_ns: 9_500,
        threads: 2,
        events: vec![relu, put],
        ..StepTrace::default()
    }
}

#[test]
fn waiting_and_running_are_apart() {
    let workers = Some(Workers { threads: 2, cores: 4, span_ns: 100, busy_ns: 50 });
    let trace = Trace { steps: vec![step(), step_of_a_runner()], workers, steps_left_out: 4, ..Trace::default() };
    let text = file::write(&trace);
    assert_eq!(file::read(text.as_bytes()).unwrap(), trace);
    let json: Value = serde_json::from_str(&text).unwrap();
    let events: Vec<&Value> = json["traceEvents"].as_array().unwrap().iter().filter(|e| e["name"] == "put").collect();
    let parts: Vec<(&str, f64, f64)> = events
        .iter()
        .map(|e| (e["ph"].as_str().unwrap(), e["tid"].as_f64().unwrap(), e["ts"].as_f64().unwrap()))
        .collect();
    assert_eq!(parts, [("X", 1.0, 1.25), ("X", 2.0, 8.75), ("b", 1.0, 2.25), ("e", 1.0, 8.75)]);
    assert_eq!((&events[0]["args"]["runner"], &events[2]["args"]["at"]), (&"put".into(), &"FIFOQueue `q`".into()));
    assert_eq!(events[2]["id"], events[3]["id"]);

    let step = step_of_a_runner();
    let lines: Vec<Value> = export::json_lines(&step).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines.iter().all(|l| l["step"] == 3 && l["runner"] == "put"));
    assert_eq!((&lines[1]["pause"]["served_ns"], &lines[1]["released_by"]), (&8_000.into(), &"relu".into()));
    let put = &step.events[1];
    assert_eq!((put.duration_ns(), put.pause_ns(), put.span_ns()), (1_500, 6_500, 8_000));
    let order = report::order(&step);
    let row = order.lines().nth(2).unwrap();
    assert_eq!(
        row,
        "     1.0     1.5        6.6    1, 2          put                 QueueEnqueueV2       conv + bias + relu"
    );
}

#[test]
fn nodes_that_were_computed_as_one_are_an_op_of_their_own() {
    let mut old = step_of_a_runner();
    old.events[0].fused_ops.clear();
    let ops: Vec<String> = report::by_op(&[step_of_a_runner(), old]).into_iter().map(|o| o.op).collect();
    assert_eq!(ops, ["QueueEnqueueV2", "Conv2D+BiasAdd+Relu", "Relu and others"]);
    let many = NodeEvent { fused_ops: vec!["Mul".into(); 9], ..NodeEvent::new("m".into(), "Mul") };
    assert_eq!(many.op_label(), "Mul+Mul+(6 more)+Mul");
}

#[test]
fn time_by_op_adds_up() {
    let ops = report::by_op(&[step(), step()]);
    let rows: Vec<(&str, usize, u64)> = ops.iter().map(|o| (&*o.op, o.runs, o.total_ns)).collect();
    assert_eq!(rows, [("Const", 2, 5_000), ("Switch", 2, 2_000)]);
}
