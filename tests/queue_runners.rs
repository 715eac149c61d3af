//! Queue runners: they enqueue until their input ends, end together, and need no threads of their own.

use levada::graph::collections;
use levada::kernel::HostCall;
use levada::trace::report::{Confidence, Limit, bottleneck};
use levada::{
    Builder, Code, Coordinator, DType, Error, Output, PartialShape, QueueRunnerDef, Session, SessionOptions, Tensor,
};
use levada::{RunOptions, StepTrace};
use levada_testkit::WORKERS;
use std::time::{Duration, Instant};

const GRACE: Duration = Duration::from_secs(20);

fn queue(b: &mut Builder, name: &str, capacity: i64) -> Output {
    let queue = b.node("FIFOQueueV2").name(name).attr("capacity", capacity).attr("component_types", vec![DType::I64]);
    queue.attr("shapes", vec![PartialShape::scalar()]).add()
}

fn enqueue(b: &mut Builder, name: &str, queue: Output, value: Output) -> Output {
    b.node("QueueEnqueueV2").name(name).inputs([queue, value]).attr("Tcomponents", vec![DType::I64]).add()
}

fn dequeue(b: &mut Builder, name: &str, queue: Output) -> Output {
    b.node("QueueDequeueV2").name(name).input(queue).attr("component_types", vec![DType::I64]).add()
}

/// A queue with a runner of this number of enqueues of `value`.
fn with_runner(b: &mut Builder, name: &str, capacity: i64, threads: usize, value: Output) -> Output {
    let queue = queue(b, name, capacity);
    enqueue(b, &format!("{name}_enqueue"), queue, value);
    b.node("QueueCloseV2").name(&format!("{name}_close")).input(queue).add();
    let close = b.node("QueueCloseV2").name(&format!("{name}_cancel")).input(queue);
    close.attr("cancel_pending_enqueues", true).add();
    let runner = QueueRunnerDef {
        queue: name.to_owned(),
        enqueue: vec![format!("{name}_enqueue"); threads],
        close: format!("{name}_close"),
        cancel: format!("{name}_cancel"),
        closed_by: vec![Code::OutOfRange],
    };
    collections::add_queue_runner(b.collections_mut(), &runner).unwrap();
    queue
}

/// Numbers from 0 to below `limit`, then `OUT_OF_RANGE`.
fn count(b: &mut Builder, limit: i64) -> Output {
    let counter = b.node("VarHandleOp").name("counter").attr("dtype", DType::I64);
    let counter = counter.attr("shape", PartialShape::scalar()).add();
    let zero = b.constant(Tensor::scalar(0i64));
    b.node("AssignVariableOp").name("init").inputs([counter, zero]).attr("dtype", DType::I64).add();
    b.node("ResourceCountUpTo").name("count").input(counter).attr("limit", limit).attr("T", DType::I64).add()
}

fn session(threads: usize, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    Session::new(b.finish().unwrap(), SessionOptions { threads, ..SessionOptions::default() }).unwrap()
}

fn all(session: &Session, fetch: &str) -> (Vec<i64>, Error) {
    let mut values = Vec::new();
    loop {
        match session.run(&[], &[fetch], &[]) {
            Ok(value) => values.push(value[0].item().unwrap()),
            Err(error) => return (values, error),
        }
    }
}

#[test]
fn everything_passes_a_chain_of_runners_once() {
    for threads in WORKERS {
        let session = session(threads, |b| {
            let number = count(b, 1000);
            let first = with_runner(b, "first", 3, 4, number);
            let number = dequeue(b, "number", first);
            let second = with_runner(b, "second", 7, 5, number);
            dequeue(b, "out", second);
        });
        session.run(&[], &[], &["init"]).unwrap();
        let coordinator = Coordinator::new();
        assert_eq!(session.start_queue_runners(&coordinator).unwrap(), 2);
        assert_eq!(session.start_queue_runners(&coordinator).unwrap(), 0);
        let (mut values, error) = all(&session, "out");
        values.sort_unstable();
        assert!(values.iter().copied().eq(0..1000), "{threads} threads: {} values", values.len());
        assert_eq!(error.code(), Code::OutOfRange, "{error}");
        coordinator.join(GRACE).unwrap();
        assert!(session.queue_runners().iter().all(|r| r.running == 0));
    }
}

#[test]
fn a_stop_ends_runners_that_wait() {
    for threads in WORKERS {
        let session = session(threads, |b| {
            let one = b.constant(Tensor::scalar(1i64));
            let full = with_runner(b, "full", 2, 3, one);
            dequeue(b, "out", full);
            let empty = with_runner(b, "empty", 2, 1, one);
            let never = dequeue(b, "never", empty);
            with_runner(b, "starving", 2, 2, never);
        });
        let coordinator = Coordinator::new();
        session.start_queue_runners(&coordinator).unwrap();
        assert_eq!(session.run(&[], &["out"], &[]).unwrap()[0].item::<i64>().unwrap(), 1);
        assert_eq!(coordinator.running().len(), 6);
        coordinator.request_stop();
        coordinator.join(GRACE).unwrap();
        assert!(coordinator.running().is_empty());
    }
}

#[test]
fn the_first_fault_is_what_join_fails_with() {
    let session = session(2, |b| {
        let number = count(b, 5);
        let limit = b.constant(Tensor::scalar(4i64));
        let small = b.op("Less", &[number, limit]);
        let text = b.constant(Tensor::string("four is too much"));
        let check = b.node("Assert").input(small).input(text).attr("T", vec![DType::Str]).add();
        let checked = b.node("Identity").input(number).after(check).add();
        let queue = with_runner(b, "q", 100, 1, checked);
        dequeue(b, "out", queue);
    });
    session.run(&[], &[], &["init"]).unwrap();
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let (values, _) = all(&session, "out");
    assert_eq!(values, [0, 1, 2, 3]);
    let error = coordinator.join(GRACE).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("Assert")), "{error}");
}

#[test]
fn stragglers_are_named_and_ended() {
    let session = session(2, |b| {
        let empty = queue(b, "empty", 1);
        let never = dequeue(b, "never", empty);
        with_runner(b, "starving", 2, 2, never);
    });
    // A stop that comes before they wait ends them in time.
    let (coordinator, error) = (1..)
        .find_map(|wait| {
            let coordinator = Coordinator::new();
            session.start_queue_runners(&coordinator).unwrap();
            coordinator.wait_for_stop(Duration::from_millis(wait));
            coordinator.request_stop();
            let error = coordinator.join(Duration::from_millis(50)).err()?;
            error.message().contains("(2 times)").then_some((coordinator, error))
        })
        .unwrap();
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert!(error.message().contains("starving_enqueue (2 times)"), "{error}");
    let start = Instant::now();
    while !coordinator.running().is_empty() {
        assert!(start.elapsed() < GRACE);
        std::thread::yield_now();
    }
}

#[test]
fn thousands_of_runners_need_no_threads_and_a_busy_one_keeps_nobody_out() {
    let session = session(1, |b| {
        let one = b.constant(Tensor::scalar(1i64));
        let shared = queue(b, "shared", 10);
        for i in 0..2000 {
            enqueue(b, &format!("add{i}"), shared, one);
        }
        dequeue(b, "out", shared);
        // Drains itself, so that it never waits.
        let busy = with_runner(b, "busy", 2, 1, one);
        let taken = dequeue(b, "taken", busy);
        b.node("NoOp").name("busy_loop").after(taken).add();
    });
    let runner = |name: &str, enqueue: Vec<String>| QueueRunnerDef {
        queue: name.to_owned(),
        enqueue,
        close: String::new(),
        cancel: String::new(),
        closed_by: vec![Code::OutOfRange],
    };
    let coordinator = Coordinator::new();
    session.start_queue_runner(&runner("busy", vec!["busy_enqueue".into(), "busy_loop".into()]), &coordinator).unwrap();
    let before = threads_of_this_process();
    let many = runner("shared", (0..2000).map(|i| format!("add{i}")).collect());
    session.start_queue_runner(&many, &coordinator).unwrap();
    for _ in 0..5000 {
        session.run(&[], &["out"], &[]).unwrap();
    }
    assert_eq!(coordinator.running().len(), 2002);
    assert!(threads_of_this_process() <= before + 4);
    session.close();
    coordinator.join(GRACE).unwrap();
}

fn threads_of_this_process() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// The bottleneck of runners of `threads` threads, on one thread, when elements are dequeued as fast as they come.
fn limit(threads: usize, value: fn(&mut Builder) -> Output) -> (Limit, Confidence, String) {
    let mut b = Builder::new(levada::registry());
    let value = value(&mut b);
    let queue = with_runner(&mut b, "q", 4, threads, value);
    dequeue(&mut b, "out", queue);
    let options = SessionOptions { threads: 1, telemetry: true, ..SessionOptions::default() };
    let session = Session::new(b.finish().unwrap(), options).unwrap();
    session.host().register("slow", |_: HostCall| {
        std::thread::sleep(Duration::from_millis(2));
        Ok(vec![Tensor::scalar(1i64)])
    });
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    for _ in 0..60 {
        session.run(&[], &["out"], &[]).unwrap();
    }
    let found = bottleneck(&session.queue_traces(), session.workers().as_ref()).unwrap();
    coordinator.request_stop();
    coordinator.join(GRACE).unwrap();
    (found.limit, found.confidence, found.text)
}

/// The text of [`limit`] once it is `expected` and not of low confidence. Other load on the machine takes time from the
/// worker, so a single measurement proves nothing.
fn settled(threads: usize, value: fn(&mut Builder) -> Output, expected: &Limit) -> String {
    let mut seen = Vec::new();
    for _ in 0..20 {
        let (found, sure, text) = limit(threads, value);
        if found == *expected && sure >= Confidence::Medium {
            return text;
        }
        seen.push(format!("{found:?}, {sure:?}: {text}"));
    }
    panic!("{threads} threads: never {expected:?}: {seen:#?}");
}

#[test]
fn more_producers_are_advised_only_where_a_thread_is_free_for_them() {
    // Random numbers and their product keep the only thread busy.
    let busy = |b: &mut Builder| {
        let shape = b.constant(Tensor::vector(vec![300, 300]));
        let random = b.node("RandomUniform").input(shape).attr("dtype", DType::F32).attr("T", DType::I32).add();
        let product = b.node("MatMul").inputs([random, random]).attr("T", DType::F32).add();
        b.node("Size").input(product).attr("T", DType::F32).attr("out_type", DType::I64).add()
    };
    // A function that sleeps keeps no thread busy.
    let sleeps =
        |b: &mut Builder| b.node("PyFunc").attr("token", "slow".to_owned()).attr("Tout", vec![DType::I64]).add();
    for threads in [1, 2, 4, 8] {
        let text = settled(threads, busy, &Limit::Threads);
        assert!(text.contains("more producers do not help"), "{text}");
    }
    for threads in [1, 2] {
        let nodes = vec!["q_enqueue".to_owned()];
        let text =
            settled(threads, sleeps, &Limit::Producers { queue: "q".to_owned(), nodes, at_once: threads as u32 });
        assert!(text.contains("more or faster producers help"), "{text}");
    }
}

#[test]
fn the_steps_of_runners_are_traced_up_to_a_limit() {
    let mut b = Builder::new(levada::registry());
    let number = count(&mut b, 1000);
    let queue = with_runner(&mut b, "q", 4, 2, number);
    dequeue(&mut b, "out", queue);
    let options = SessionOptions { threads: 2, telemetry: true, ..SessionOptions::default() };
    let session = Session::new(b.finish().unwrap(), options).unwrap();
    session.run(&[], &[], &["init"]).unwrap();
    session.trace_queue_runners(400);
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let traced = RunOptions { trace: true, ..RunOptions::default() };
    let mut steps = Vec::new();
    for _ in 0..500 {
        steps.extend(session.run_with(&traced, &[], &["out"], &[]).unwrap().1.trace);
    }
    coordinator.request_stop();
    coordinator.join(GRACE).unwrap();
    let trace = session.trace_with(steps);
    let runners: Vec<&StepTrace> = trace.steps.iter().filter(|step| !step.runner.is_empty()).collect();
    assert_eq!(trace.callers().count(), 500);
    assert!(runners.len() > 20 && trace.steps_left_out > 100, "{} {}", runners.len(), trace.steps_left_out);
    assert!(runners.len() as u64 + trace.steps_left_out >= 500);
    let events: usize = runners.iter().map(|step| step.events.len()).sum();
    assert!(events <= 400, "{events}");
    assert!(runners.iter().all(|step| step.runner == "q_enqueue" && step.events.iter().any(|e| &*e.node == "count")));
    assert!(runners.is_sorted_by_key(|step| step.start_unix_ns()));
    let mut numbers: Vec<u64> = runners.iter().map(|step| step.step_id).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert!(numbers.len() == runners.len() && numbers[0] == 1, "{numbers:?}");
    // The node that waited for room reports for what, what it had taken, and which node made room.
    let full = runners.iter().flat_map(|step| &step.events).find(|e| &*e.node == "q_enqueue" && e.pause.is_some());
    let full = full.expect("an enqueue waited");
    let pause = full.pause.as_ref().unwrap();
    assert_eq!((pause.at.as_str(), pause.by.as_str(), pause.elsewhere), ("FIFOQueue `q`", "out", true));
    assert!(full.inputs.len() == 2 && full.start_ns <= pause.from_ns && pause.to_ns <= full.end_ns, "{full:?}");
    assert!(["count", "q"].contains(&&*full.released_by), "{full:?}");
    // It can be taken only once.
    assert_eq!(session.trace_with(Vec::new()).steps.len(), 0);
}
