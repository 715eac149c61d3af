//! Runs that wait: stalls, handles that may still act, queue runners.

use super::{QUEUE, number, session, session_of, until_waiting};
use crate::waiting::Whereabouts;
use crate::{Coordinator, Session, SessionOptions, Waiting};
use levada_graph::{Code, Error};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

fn report(error: &Error) -> &Waiting {
    assert_eq!(error.code(), Code::Aborted, "{error}");
    error.report().unwrap()
}

#[test]
fn a_run_that_nothing_can_wake_fails_and_says_why() {
    let session = session(QUEUE);
    let error = session.run(&[], &["take"], &[]).unwrap_err();
    let waiting = report(&error);
    let [node] = &waiting.nodes[..] else { panic!("{waiting}") };
    assert_eq!((node.node.as_str(), node.resource.name.as_str(), node.resource.size), ("take", "q", 0));
    assert_eq!(node.partners[0].is, Whereabouts::NotRun);
    let text = error.message();
    assert!(text.starts_with("the run would wait forever: `take` (QueueDequeueV2)"), "{text}");
    assert!(text.contains("`put` (QueueEnqueueV2) puts into it, but no run in progress includes it"), "{text}");
    assert_eq!(error.fault().help.as_deref(), Some("run `put` in this run, from another thread, or before"));
    session.run(&number(3), &[], &["put"]).unwrap();
    assert_eq!(session.run(&[], &["take"], &[]).unwrap()[0].item::<i32>().unwrap(), 3);
}

#[test]
fn another_handle_may_still_act_until_it_is_dropped() {
    let session = session(QUEUE);
    std::thread::scope(|scope| {
        let (taker, other) = (session.clone(), session.clone());
        let run = scope.spawn(move || taker.run(&[], &["take"], &[]));
        until_waiting(&session, 1);
        assert!(!session.waiting().stalled);
        drop(session);
        assert!(!run.is_finished(), "another handle is left");
        drop(other);
        report(&run.join().unwrap().unwrap_err());
    });
}

#[test]
fn in_a_closed_world_only_runs_count() {
    let session = session_of(QUEUE, "", SessionOptions { closed_world: true, ..SessionOptions::default() });
    let _other = session.clone();
    report(&session.run(&[], &["take"], &[]).unwrap_err());
}

#[test]
fn callers_that_all_wait_all_fail() {
    let session = session(QUEUE);
    let errors: Vec<Error> = std::thread::scope(|scope| {
        let clones = vec![session.clone(); 3];
        drop(session);
        let runs = clones.into_iter().map(|own| scope.spawn(move || own.run(&[], &["take"], &[]).unwrap_err()));
        runs.collect::<Vec<_>>().into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(errors.iter().all(|error| !report(error).nodes.is_empty()));
}

/// A queue that its runner fills with the numbers from 0 to 4, then closes.
const RUNNER: &str = r#"
    {"name": "counter", "op": "VarHandleOp", "attr": {"dtype": "int32", "shape": []}},
    {"name": "zero", "op": "Const", "attr": {"dtype": "int32", "value": 0}},
    {"name": "init", "op": "AssignVariableOp", "input": ["counter", "zero"]},
    {"name": "next", "op": "ResourceCountUpTo", "input": ["counter"], "attr": {"limit": 5, "T": "int32"}},
    {"name": "fill", "op": "QueueEnqueueV2", "input": ["q", "next"]}"#;

const COLLECTION: &str = r#", "collectionDef": {"queue_runners": [
    {"queueName": "q", "enqueueOpName": ["fill"], "closeOpName": "close", "cancelOpName": "close"}]}"#;

fn with_runner() -> Session {
    let session = session_of(&[QUEUE, RUNNER].join(","), COLLECTION, SessionOptions::default());
    session.run(&[], &[], &["init"]).unwrap();
    session
}

#[test]
fn a_queue_runner_fills_its_queue_and_closes_it() {
    let session = with_runner();
    let coordinator = Coordinator::new();
    assert_eq!(session.start_queue_runners(&coordinator).unwrap(), 1);
    assert_eq!(session.start_queue_runners(&coordinator).unwrap(), 0, "it runs already");
    let taken: Vec<i32> = (0..5).map(|_| session.run(&[], &["take"], &[]).unwrap()[0].item().unwrap()).collect();
    assert_eq!(taken, [0, 1, 2, 3, 4]);
    assert_eq!(session.run(&[], &["take"], &[]).unwrap_err().code(), Code::OutOfRange);
    coordinator.join(PATIENCE).unwrap();
}

#[test]
fn a_stall_says_that_the_queue_runner_was_not_started() {
    let session = with_runner();
    let error = session.run(&[], &["take"], &[]).unwrap_err();
    let partners = &report(&error).nodes[0].partners;
    let fill = partners.iter().find(|partner| partner.node == "fill").unwrap();
    assert!(fill.to_string().contains("its queue runner was never started"), "{fill}");
}

#[test]
fn the_error_of_a_runner_is_that_of_the_coordinator() {
    let session = session_of(&[QUEUE, RUNNER].join(","), COLLECTION, SessionOptions::default());
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let error = coordinator.join(PATIENCE).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::NotFound, Some("next")));
    session.run(&[], &[], &["init"]).unwrap();
}

#[test]
fn paused_runners_begin_no_step() {
    let session = with_runner();
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    // The runner has put 0 and 1, and waits in its third step.
    until_waiting(&session, 1);
    let paused = session.pause_queue_runners(PATIENCE).unwrap();
    let take = || session.run(&[], &["take"], &[]).unwrap()[0].item::<i32>().unwrap();
    assert_eq!([take(), take(), take()], [0, 1, 2], "the step that waited for room ends");
    assert_eq!(session.run(&[], &["size"], &[]).unwrap()[0].item::<i32>().unwrap(), 0);
    drop(paused);
    assert_eq!([take(), take()], [3, 4]);
    coordinator.join(PATIENCE).unwrap();
}
