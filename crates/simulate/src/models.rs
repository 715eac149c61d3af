//! Lives of sessions, and small sessions whose threads meet where lives rarely do.

use crate::world::machine;
use crate::{Lived, live};
use levada_graph::{Code, QueueRunnerDef, Tensor, read};
use levada_kernel::CancelToken;
use levada_session::{Coordinator, RunOptions, Session, SessionOptions};
use levada_sync::atomic::{AtomicUsize, Ordering};
use levada_sync::{simulate, thread};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of steps of the threads of a small session.
const STEPS: usize = 1_000_000;

fn schedules() -> u64 {
    std::env::var("LEVADA_SCHEDULES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000) / 4
}

/// Runs a program under many schedules.
fn explore(program: fn()) {
    for seed in 1..=schedules() {
        simulate(seed, STEPS, program);
    }
}

/// What is put into `s` is passed on by a runner to `q`, which has room for one, as ten divided by it.
fn session() -> Session {
    let (registry, devices) = machine();
    let graph = r#"{"node": [
        {"name": "s", "op": "FIFOQueueV2", "attr": {"component_types": ["int64"], "shapes": [[]]}},
        {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int64"], "shapes": [[]], "capacity": 1}},
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "int64"}},
        {"name": "put", "op": "QueueEnqueueV2", "input": ["s", "x"]},
        {"name": "left", "op": "QueueSizeV2", "input": ["s"]},
        {"name": "ten", "op": "Const", "attr": {"dtype": "int64", "value": 10}},
        {"name": "next", "op": "QueueDequeueV2", "input": ["s"], "attr": {"component_types": ["int64"]}},
        {"name": "part", "op": "FloorDiv", "input": ["ten", "next"]},
        {"name": "pass_on", "op": "QueueEnqueueV2", "input": ["q", "part"]},
        {"name": "close", "op": "QueueCloseV2", "input": ["q"]},
        {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int64"]}}
    ]}"#;
    let graph = read::json(graph.as_bytes(), &registry).unwrap();
    Session::with_devices(graph, registry, devices, SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap()
}

fn runner() -> QueueRunnerDef {
    QueueRunnerDef {
        queue: "q".to_owned(),
        enqueue: vec!["pass_on".to_owned()],
        close: "close".to_owned(),
        cancel: String::new(),
        closed_by: vec![Code::OutOfRange],
    }
}

fn put(session: &Session, value: i64) {
    session.run(&[("x", Tensor::scalar(value))], &[], &["put"]).unwrap();
}

#[test]
fn sessions_live_as_the_model_says() {
    let lives = schedules();
    let mut all = Lived::default();
    (1..=lives).for_each(|seed| all += live(seed, false));
    println!("{all}");
    assert!(all.operations > lives);
}

#[test]
fn a_seed_gives_the_same_life_again() {
    (1..=50).for_each(|seed| assert_eq!(live(seed, false), live(seed, false), "seed {seed}"));
}

#[test]
fn a_callback_that_comes_as_a_stop_is_requested_is_called() {
    explore(|| {
        let coordinator = Coordinator::new();
        let stops = coordinator.clone();
        let stops = thread::spawn(move || stops.request_stop());
        let called = Arc::new(AtomicUsize::new(0));
        let calls = called.clone();
        coordinator.on_stop(move || {
            calls.fetch_add(1, Ordering::SeqCst);
        });
        stops.join().unwrap();
        assert_eq!(called.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn the_last_member_that_ends_lets_a_coordinator_join() {
    explore(|| {
        let coordinator = Coordinator::new();
        let member = coordinator.register("a thread");
        let ends = thread::spawn(move || drop(member));
        coordinator.join(Duration::from_secs(1)).unwrap();
        ends.join().unwrap();
    });
}

/// A step that fails is a runner's last, although another thread ends it as the call that runs it returns.
#[test]
fn a_runner_runs_no_step_after_one_that_has_failed() {
    explore(|| {
        let (session, coordinator) = (session(), Coordinator::new());
        session.start_queue_runner(&runner(), &coordinator).unwrap();
        [0, 5].into_iter().for_each(|value| put(&session, value));
        assert!(coordinator.join(Duration::from_secs(1)).is_err());
        assert_eq!(session.run(&[], &["left"], &[]).unwrap()[0].item::<i32>().unwrap(), 1);
        session.close();
    });
}

#[test]
fn the_end_of_a_session_ends_a_run_with_a_token_of_its_own() {
    explore(|| {
        let session = session();
        let closes = session.clone();
        let closes = thread::spawn(move || closes.close());
        let options = RunOptions { cancel: Some(CancelToken::new()), ..RunOptions::default() };
        let result = session.run_with(&options, &[], &["take"], &[]);
        assert_eq!(result.map(drop).unwrap_err().code(), Code::Cancelled);
        closes.join().unwrap();
    });
}
