//! Coordinators without a session.

use crate::Coordinator;
use levada_graph::{Code, Error};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[test]
fn the_first_error_wins() {
    let coordinator = Coordinator::new();
    let member = coordinator.register("worker");
    coordinator.fail(Error::data_loss("the cause"));
    coordinator.fail(Error::cancelled("a consequence"));
    assert!(member.should_stop());
    drop(member);
    assert_eq!(coordinator.join(Duration::ZERO).unwrap_err().message(), "the cause");
}

#[test]
fn the_end_of_the_input_is_a_normal_end() {
    let coordinator = Coordinator::new();
    coordinator.fail(Error::out_of_range("the input ended"));
    assert!(coordinator.should_stop() && coordinator.error().is_none());
    coordinator.join(Duration::ZERO).unwrap();
    let strict = Coordinator::with_clean([Code::Aborted]);
    strict.fail(Error::out_of_range("the input ended"));
    assert_eq!(strict.join(Duration::ZERO).unwrap_err().code(), Code::OutOfRange);
}

#[test]
fn join_names_the_members_that_have_not_ended() {
    let coordinator = Coordinator::new();
    let members = [coordinator.register("a"), coordinator.register("b"), coordinator.register("b")];
    coordinator.request_stop();
    let error = coordinator.join(Duration::ZERO).unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert_eq!(error.message(), "a, b (2 times) are still running 0ns after a stop was requested");
    drop(members);
    coordinator.join(Duration::ZERO).unwrap();
}

#[test]
fn callbacks_run_once_and_at_once_after_a_stop() {
    let coordinator = Coordinator::new();
    let calls = Arc::new(AtomicUsize::new(0));
    let count = |calls: &Arc<AtomicUsize>| {
        let calls = calls.clone();
        move || {
            calls.fetch_add(1, Ordering::SeqCst);
        }
    };
    coordinator.on_stop(count(&calls));
    assert!(!coordinator.wait_for_stop(Duration::ZERO));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    coordinator.request_stop();
    coordinator.request_stop();
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    coordinator.on_stop(count(&calls));
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    assert!(coordinator.wait_for_stop(Duration::ZERO));
}

#[test]
fn after_a_withdrawn_stop_others_can_run() {
    let coordinator = Coordinator::new();
    coordinator.fail(Error::internal("the first round"));
    coordinator.clear_stop();
    assert!(!coordinator.should_stop() && coordinator.error().is_none());
    drop(coordinator.register("second round"));
    coordinator.join(Duration::ZERO).unwrap();
}
