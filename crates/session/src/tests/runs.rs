//! Runs: feeds, fetches, targets, errors, deadlines, the end of a session.

use super::{ARITHMETIC, COUNTER, QUEUE, messages, number, rows, session, session_of, until_waiting};
use crate::{CallableOptions, RunOptions, Session, SessionOptions};
use levada_graph::{Code, Tensor};
use levada_kernel::CancelToken;
use std::time::Duration;

#[test]
fn any_endpoint_may_be_fed_and_fetched() {
    let session = session(ARITHMETIC);
    let fetched = session.run(&[("x", rows(&[[1.0, 2.0]]))], &["z", "x", "y:0", "both"], &[]).unwrap();
    let values: Vec<&[f32]> = fetched.iter().map(|t| t.slice().unwrap()).collect();
    assert_eq!(values, [[-1.0, -4.0], [1.0, 2.0], [1.0, 4.0], [0.0, 0.0]]);
    let fetched = session.run(&[("y", rows(&[[3.0, 5.0]]))], &["z", "y"], &[]).unwrap();
    assert_eq!(fetched[0].slice::<f32>().unwrap(), [-3.0, -5.0], "x is not needed where y is fed");
    assert_eq!(fetched[1].slice::<f32>().unwrap(), [3.0, 5.0]);
}

#[test]
fn all_wrong_names_are_reported_at_once() {
    let session = session(ARITHMETIC);
    let x = || rows(&[[1.0, 2.0]]);
    let error = session.run(&[("x", x()), ("x:0", x()), ("xx", x())], &["y:1", "q"], &["missing"]).unwrap_err();
    let found = messages(&error);
    assert_eq!(found.len(), 5, "{error}");
    for (message, part) in found.iter().zip(["x:0 is fed twice", "the feed", "the fetch", "the fetch", "the target"]) {
        assert!(message.contains(part), "{message:?} does not contain {part:?}");
    }
}

#[test]
fn feeds_are_checked_against_dtype_and_shape() {
    let session = session(ARITHMETIC);
    let faults = [
        ("x", Tensor::vector(vec![1i32, 2]), "the tensor fed to x has the wrong type"),
        ("x", Tensor::vector(vec![1f32, 2.0]), "Cannot feed value of shape [2] for Tensor x"),
        ("y", Tensor::scalar(1f32), "Cannot feed value of shape"),
    ];
    for (name, value, part) in faults {
        let error = session.run(&[(name, value)], &["z"], &[]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(error.message().contains(part), "{error}");
    }
    assert_eq!(session.run(&[("x", rows(&[]))], &["z"], &[]).unwrap()[0].num_elements(), 0);
    let error = session.run(&[], &["z"], &[]).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("x")));
}

#[test]
fn a_failed_run_names_its_node_and_leaves_the_session_usable() {
    let session = session(&[ARITHMETIC, COUNTER].join(","));
    session.run(&[], &[], &["init"]).unwrap();
    let error = session.run(&number(0), &["quotient", "added"], &[]).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("quotient")));
    let before: i64 = session.run(&[], &["read"], &[]).unwrap()[0].item().unwrap();
    let after: i64 = session.run(&number(1), &["quotient", "added"], &[]).unwrap()[1].item().unwrap();
    assert_eq!(after, before + 1, "the variable keeps its value");
}

#[test]
fn operations_run_and_have_an_empty_tensor_as_their_result() {
    let session = session(&[ARITHMETIC, COUNTER].join(","));
    session.run(&[], &["init"], &[]).unwrap();
    let fetched = session.run(&number(1), &["nothing", "quotient", "^step", "add"], &[]).unwrap();
    let sizes: Vec<usize> = fetched.iter().map(Tensor::num_elements).collect();
    assert_eq!(sizes, [0, 1, 0, 0]);
    assert_eq!(session.run(&[], &["read"], &[]).unwrap()[0].item::<i64>().unwrap(), 1);
}

#[test]
fn steps_are_numbered_and_traced_on_request() {
    let session = session(COUNTER);
    let run = |trace| {
        let options = RunOptions { trace, ..RunOptions::default() };
        session.run_with(&options, &[], &[], &["init"]).unwrap().1
    };
    let (plain, traced) = (run(false), run(true));
    assert!(plain.trace.is_none() && plain.step_id < traced.step_id);
    let trace = traced.trace.unwrap();
    assert_eq!(trace.step_id, traced.step_id);
    assert!(trace.events.iter().any(|event| &*event.node == "init"));
}

#[test]
fn concurrent_runs_lose_no_update() {
    for threads in [1, 2, 8] {
        let session = session_of(COUNTER, "", SessionOptions { threads, ..SessionOptions::default() });
        session.run(&[], &[], &["init"]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let own = session.clone();
                scope.spawn(move || {
                    let add = own.callable(&CallableOptions::new([], [], ["add"])).unwrap();
                    (0..25).for_each(|_| drop(add.run(&[]).unwrap()));
                });
            }
        });
        assert_eq!(session.run(&[], &["read"], &[]).unwrap()[0].item::<i64>().unwrap(), 100);
    }
}

/// Takes from the empty queue in a session that another thread could still act on.
fn takes(session: &Session, options: &RunOptions) -> Code {
    let _other = session.share();
    session.run_with(options, &[], &["take"], &[]).unwrap_err().code()
}

#[test]
fn a_deadline_ends_the_run_and_nothing_else() {
    let timeout = Some(Duration::from_millis(20));
    let session = session_of(QUEUE, "", SessionOptions { timeout, ..SessionOptions::default() });
    assert_eq!(takes(&session, &RunOptions::default()), Code::DeadlineExceeded);
    let longer = RunOptions { timeout: Some(Duration::from_millis(30)), ..RunOptions::default() };
    assert_eq!(takes(&session, &longer), Code::DeadlineExceeded, "the run's own timeout counts");
    session.run(&number(5), &[], &["put"]).unwrap();
    assert_eq!(session.run(&[], &["take"], &[]).unwrap()[0].item::<i32>().unwrap(), 5, "no element is lost");
}

#[test]
fn a_token_cancels_its_run_only() {
    let session = session(QUEUE);
    let token = CancelToken::new();
    let options = RunOptions { cancel: Some(token.clone()), ..RunOptions::default() };
    std::thread::scope(|scope| {
        let (first, second) = (session.clone(), session.clone());
        let cancelled = scope.spawn(move || first.run_with(&options, &[], &["take"], &[]).map(drop));
        until_waiting(&session, 1);
        let served = scope.spawn(move || second.run(&[], &["take"], &[]));
        until_waiting(&session, 2);
        token.cancel();
        assert_eq!(cancelled.join().unwrap().unwrap_err().code(), Code::Cancelled);
        session.run(&number(7), &[], &["put"]).unwrap();
        assert_eq!(served.join().unwrap().unwrap()[0].item::<i32>().unwrap(), 7);
    });
}

#[test]
fn closing_cancels_what_runs_and_refuses_what_comes() {
    let session = session(QUEUE);
    let put = session.callable(&CallableOptions::new(["n"], [], ["put"])).unwrap();
    std::thread::scope(|scope| {
        let own = session.clone();
        let run = scope.spawn(move || own.run(&[], &["take"], &[]));
        until_waiting(&session, 1);
        session.close();
        assert_eq!(run.join().unwrap().unwrap_err().code(), Code::Cancelled);
    });
    let error = put.run(&[Tensor::scalar(1i32)]).unwrap_err();
    assert_eq!((error.code(), error.message()), (Code::Cancelled, "the session has been closed"));
    assert_eq!(session.run(&[], &["take"], &[]).unwrap_err().code(), Code::Cancelled);
    assert!(session.partial_run_setup(&["n"], &["n"], &[]).is_err());
}

#[test]
fn a_poll_that_fails_ends_the_run() {
    let session = session(QUEUE);
    let poll: std::sync::Arc<levada_kernel::Ask> =
        std::sync::Arc::new(|| Err(levada_graph::Error::cancelled("interrupted")));
    assert_eq!(takes(&session, &RunOptions { poll: Some(poll), ..RunOptions::default() }), Code::Cancelled);
    session.run(&number(5), &["n"], &["put"]).unwrap();
}
