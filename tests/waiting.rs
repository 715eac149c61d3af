//! Deadlocked runs: which of them fail immediately and with which report, and which of them continue.

use levada::graph::read;
use levada::session::waiting::Whereabouts;
use levada::{CallableOptions, Code, Error, Session, SessionOptions, Tensor, Waiting};
use std::time::{Duration, Instant};

/// A queue `q` with room for two, an `enqueue` of the placeholder `x`, a `dequeue` and a `close`.
const QUEUE: &str = r#"
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int32"], "capacity": 2}},
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "int32"}},
    {"name": "enqueue", "op": "QueueEnqueueV2", "input": ["q", "x"]},
    {"name": "dequeue", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}},
    {"name": "close", "op": "QueueCloseV2", "input": ["q"]}"#;

fn session(nodes: &str, options: SessionOptions) -> Session {
    let graph = read::json(format!("{{\"node\": [{nodes}]}}").as_bytes(), &levada::registry()).unwrap();
    Session::new(graph, options).unwrap()
}

fn options(threads: usize) -> SessionOptions {
    SessionOptions { threads, ..SessionOptions::default() }
}

fn x(value: i32) -> [(&'static str, Tensor); 1] {
    [("x", Tensor::scalar(value))]
}

fn report(error: &Error) -> &Waiting {
    error.report().unwrap_or_else(|| panic!("no report at {error}"))
}

#[test]
fn a_run_that_waits_for_nobody_fails_at_once() {
    for threads in [1, 2] {
        let session = session(QUEUE, options(threads));
        let start = Instant::now();
        let error = session.run(&[], &["dequeue"], &[]).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(1));
        assert_eq!(error.code(), Code::Aborted);
        assert_eq!(error.fault().node.as_deref(), Some("dequeue"));
        let waiting = report(&error);
        assert!(waiting.stalled);
        let node = &waiting.nodes[0];
        assert_eq!((node.resource.kind, node.resource.name.as_str(), node.resource.size), ("FIFOQueue", "q", 0));
        assert_eq!(node.partners[0].node, "enqueue");
        assert_eq!(node.partners[0].is, Whereabouts::NotRun);
        assert!(waiting.to_dot().contains("\"dequeue\" -> \"FIFOQueue q\""), "{}", waiting.to_dot());
        assert_eq!(waiting.to_json()["nodes"][0]["partners"][0]["is"], "not run");
        // Nothing is lost: the session stays usable.
        session.run(&x(7), &[], &["enqueue"]).unwrap();
        assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap()[0].item::<i32>().unwrap(), 7);
    }
}

#[test]
fn a_run_that_waits_for_itself_names_the_circle() {
    let nodes = format!(
        r#"{QUEUE}, {{"name": "again", "op": "QueueEnqueueV2", "input": ["q", "dequeue"]}},
           {{"name": "other", "op": "QueueSizeV2", "input": ["q", "^again"]}}"#
    );
    let session = session(&nodes, options(2));
    let error = session.run(&[], &["other"], &[]).unwrap_err();
    let partners = &report(&error).nodes[0].partners;
    assert_eq!((partners[0].node.as_str(), &partners[0].is), ("again", &Whereabouts::Behind(1, "dequeue".to_owned())));
    assert!(error.message().contains("comes after `dequeue`"), "{error}");
}

#[test]
fn a_full_queue_that_nobody_empties_is_a_stall() {
    let nodes = format!(
        r#"{QUEUE}, {{"name": "v", "op": "Const", "attr": {{"dtype": "int32", "value": [1, 2, 3]}}}},
           {{"name": "many", "op": "QueueEnqueueManyV2", "input": ["q", "v"]}}"#
    );
    let session = session(&nodes, options(2));
    let error = session.run(&[], &[], &["many"]).unwrap_err();
    let node = &report(&error).nodes[0];
    assert_eq!((node.need.elements, node.need.so_far, node.resource.capacity), (3, 2, Some(2)));
    assert_eq!(node.partners[0].node, "dequeue");
}

#[test]
fn with_a_deadline_it_is_the_deadline_that_is_missed() {
    let session = session(QUEUE, SessionOptions { timeout: Some(Duration::from_secs(100)), ..options(2) });
    let start = Instant::now();
    let error = session.run(&[], &["dequeue"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(!report(&error).is_empty());
}

#[test]
fn what_must_stay_and_what_has_run_is_said() {
    let nodes = r#"
        {"name": "q", "op": "RandomShuffleQueueV2", "attr":
            {"component_types": ["int32"], "shapes": [[]], "capacity": 4, "min_after_dequeue": 3}},
        {"name": "v", "op": "Const", "attr": {"dtype": "int32", "value": [1, 2, 3]}},
        {"name": "many", "op": "QueueEnqueueManyV2", "input": ["q", "v"]},
        {"name": "n", "op": "Const", "attr": {"dtype": "int32", "value": 5}},
        {"name": "batch", "op": "QueueDequeueManyV2", "input": ["q", "n"], "attr": {"component_types": ["int32"]}},
        {"name": "dequeue", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}}"#;
    let session = session(nodes, options(1));
    let error = session.run(&[], &["dequeue"], &["many"]).unwrap_err();
    assert!(error.message().contains("3 of 4 elements, 3 must stay"), "{error}");
    assert_eq!(report(&error).nodes[0].partners[0].is, Whereabouts::Ran(1));
    let error = session.run(&[], &["batch"], &[]).unwrap_err();
    assert!(error.message().contains("it needs 5 but the capacity is 4, of which 3 must stay"), "{error}");
}

#[test]
fn whoever_holds_the_session_may_still_come() {
    for threads in [1, 2] {
        let session = session(QUEUE, options(threads));
        let producer = session.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for i in 0..20 {
                    std::thread::sleep(Duration::from_millis(3));
                    producer.run(&x(i), &[], &["enqueue"]).unwrap();
                }
            });
            for i in 0..20 {
                assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap()[0].item::<i32>().unwrap(), i);
            }
            // The producer ends, drops its session, and that is noticed.
            assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap_err().code(), Code::Aborted);
        });
    }
}

#[test]
fn callers_that_wait_for_each_other_are_all_told() {
    let session = session(QUEUE, options(2));
    let handles: Vec<_> = (0..4)
        .map(|_| {
            let own = session.clone();
            std::thread::spawn(move || own.run(&[], &["dequeue"], &[]).unwrap_err().code())
        })
        .collect();
    while session.waiting().nodes.len() < 4 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!session.waiting().stalled);
    drop(session);
    for handle in handles {
        assert_eq!(handle.join().unwrap(), Code::Aborted);
    }
}

#[test]
fn a_shared_session_never_stalls() {
    let shared = session(QUEUE, options(2)).share();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            shared.session().run(&x(3), &[], &["enqueue"]).unwrap();
        });
        let dequeued = shared.session().run(&[], &["dequeue"], &[]).unwrap();
        assert_eq!(dequeued[0].item::<i32>().unwrap(), 3);
    });
}

#[test]
fn a_callable_on_another_thread_than_its_session_may_still_come() {
    let session = session(QUEUE, options(2));
    let put = session.callable(&CallableOptions::new(["x"], [], ["enqueue"])).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for i in 0..20 {
                std::thread::sleep(Duration::from_millis(3));
                put.run(&[x(i)[0].1.clone()]).unwrap();
            }
        });
        for i in 0..20 {
            assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap()[0].item::<i32>().unwrap(), i);
        }
    });
    // The callable is gone, and with it everything that the other thread could do.
    assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap_err().code(), Code::Aborted);
}

#[test]
fn in_a_closed_world_idle_clones_do_not_count() {
    let session = session(QUEUE, SessionOptions { closed_world: true, ..options(2) });
    let _idle = session.clone();
    assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap_err().code(), Code::Aborted);
}

#[test]
fn healthy_producers_and_consumers_raise_no_alarm() {
    for threads in [1, 2, 4] {
        let session = session(QUEUE, options(threads));
        const PRODUCERS: usize = 3;
        const EACH: usize = 700;
        std::thread::scope(|scope| {
            for producer in 0..PRODUCERS {
                let own = session.clone();
                scope.spawn(move || {
                    for i in 0..EACH {
                        own.run(&x((producer * EACH + i) as i32), &[], &["enqueue"]).unwrap();
                    }
                });
            }
            let mut consumers = Vec::new();
            for _ in 0..PRODUCERS {
                let own = session.clone();
                consumers.push(scope.spawn(move || -> Vec<i32> {
                    let taken = (0..EACH).map(|_| own.run(&[], &["dequeue"], &[]).unwrap()[0].item::<i32>().unwrap());
                    taken.collect()
                }));
            }
            drop(session);
            let mut all: Vec<i32> = consumers.into_iter().flat_map(|c| c.join().unwrap()).collect();
            all.sort_unstable();
            assert_eq!(all, (0..(PRODUCERS * EACH) as i32).collect::<Vec<_>>());
        });
    }
}

#[test]
fn telemetry_says_how_full_a_queue_was_and_who_waited() {
    let session = session(QUEUE, SessionOptions { telemetry: true, ..options(2) });
    let consumer = session.clone();
    let taken = std::thread::spawn(move || consumer.run(&[], &["dequeue"], &[]).unwrap());
    while session.waiting().is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
    session.run(&x(1), &[], &["enqueue"]).unwrap();
    taken.join().unwrap();
    let usage = session.queue_usage();
    let (state, usage) = &usage[0];
    assert_eq!((state.name.as_str(), state.capacity), ("q", Some(2)));
    assert!(usage.empty >= Duration::from_millis(20), "{usage:?}");
    let dequeue = usage.waited.iter().find(|w| w.node == "dequeue").unwrap();
    assert_eq!((dequeue.times, dequeue.waits), (1, 1));
    assert!(dequeue.longest >= Duration::from_millis(20));
}

#[test]
fn long_waits_are_reported_once() {
    let (lines, said) = std::sync::mpsc::channel::<String>();
    let log = move |text: &str| drop(lines.send(text.to_owned()));
    let session = session(
        QUEUE,
        SessionOptions {
            report_waits_after: Some(Duration::from_millis(20)),
            log: Some(std::sync::Arc::new(log)),
            ..options(2)
        },
    );
    let consumer = session.clone();
    let taken = std::thread::spawn(move || consumer.run(&[], &["dequeue"], &[]).unwrap());
    let text = said.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(text.contains("`dequeue` (QueueDequeueV2)") && text.contains("no run in progress includes it"), "{text}");
    session.run(&x(1), &[], &["enqueue"]).unwrap();
    taken.join().unwrap();
    assert!(said.try_recv().is_err());
}

#[test]
fn a_collective_whose_partners_never_come_is_a_stall() {
    let member = |name: &str, device: usize| {
        let keys = r#""group_size": 3, "group_key": 1, "instance_key": 1, "merge_op": "Add", "final_op": "Id", "subdiv_offsets": [0]"#;
        format!(
            r#"{{"name": "{name}", "op": "CollectiveReduce", "input": ["x"], "device": "/cpu:{device}", "attr": {{"T": "float32", {keys}}}}}"#
        )
    };
    let x = r#"{"name": "x", "op": "Const", "attr": {"dtype": "float32", "value": [1, 2]}}"#;
    let nodes = [x.to_owned(), member("left", 0), member("right", 1)].join(",");
    for threads in [1, 2] {
        for timeout in [None, Some(Duration::from_secs(600))] {
            let session = session(&nodes, SessionOptions { cpus: 2, timeout, ..options(threads) });
            let error = session.run(&[], &["left", "right"], &[]).unwrap_err();
            let expected = if timeout.is_some() { Code::DeadlineExceeded } else { Code::Aborted };
            assert_eq!(error.code(), expected, "{error}");
            assert!(error.message().contains("2 of the 3 members of the group have arrived"), "{error}");
            assert_eq!(report(&error).nodes.len(), 2);
        }
    }
}

#[test]
fn functions_that_wait_stall_too() {
    let text = format!(
        r#"{{"node": [{QUEUE},
            {{"name": "call", "op": "StatefulPartitionedCall", "input": ["q"], "attr":
                {{"Tin": ["resource"], "Tout": ["int32"], "f": {{"func": {{"name": "take"}}}}}}}}],
            "library": {{"function": [{{
                "signature": {{"name": "take", "inputArg": [{{"name": "h", "type": "DT_RESOURCE"}}],
                    "outputArg": [{{"name": "e", "type": "DT_INT32"}}], "isStateful": true}},
                "nodeDef": [{{"name": "inner", "op": "QueueDequeueV2", "input": ["h"],
                    "attr": {{"component_types": {{"list": {{"type": ["DT_INT32"]}}}}}}}}],
                "ret": {{"e": "inner:components:0"}}}}]}}}}"#
    );
    let graph = read::json(text.as_bytes(), &levada::registry()).unwrap();
    let session = Session::new(graph, options(2)).unwrap();
    let error = session.run(&[], &["call"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::Aborted);
    assert_eq!(report(&error).nodes[0].node, "inner");
    assert_eq!(report(&error).nodes[0].partners[0].node, "enqueue");
}
