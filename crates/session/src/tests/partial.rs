//! Runs that are fed and fetched in several calls.

use super::{ARITHMETIC, COUNTER, number, rows, session};
use crate::{RunOptions, Session};
use levada_graph::{Code, Tensor};
use std::time::Duration;

fn both() -> Session {
    session(&[ARITHMETIC, COUNTER].join(","))
}

#[test]
fn feeds_come_in_any_order_and_nodes_run_once() {
    let session = both();
    session.run(&[], &[], &["init"]).unwrap();
    let mut run = session.partial_run_setup(&["x", "n"], &["z", "quotient", "added"], &[]).unwrap();
    assert_eq!(run.run(&[], &["added"]).unwrap()[0].item::<i64>().unwrap(), 1, "it needs no feed");
    assert_eq!(run.run(&number(1), &["quotient"]).unwrap()[0].item::<i32>().unwrap(), 1);
    assert!(!run.is_over());
    let z = run.run(&[("x", rows(&[[1.0, 2.0]]))], &["z"]).unwrap();
    assert_eq!(z[0].slice::<f32>().unwrap(), [-1.0, -4.0]);
    assert!(run.is_over());
    assert!(run.finish().0.is_ok());
    assert_eq!(session.run(&[], &["read"], &[]).unwrap()[0].item::<i64>().unwrap(), 1);
}

#[test]
fn a_refused_call_leaves_the_run_as_it_was() {
    let mut run = both().partial_run_setup(&["x", "n"], &["z", "quotient"], &[]).unwrap();
    let mut refused = |feeds: &[(&str, Tensor)], fetches: &[&str]| {
        let error = run.run(feeds, fetches).unwrap_err();
        (error.code(), error.message().to_owned())
    };
    let invalid = |message: &str| (Code::InvalidArgument, message.to_owned());
    let early = "Fetch z can't be computed from the feeds that have been fed so far.";
    assert_eq!(refused(&[], &["z"]), invalid(early));
    assert_eq!(refused(&[("y", rows(&[]))], &[]), invalid("The feed y was not specified in partial_run_setup."));
    assert_eq!(refused(&[], &["both"]), invalid("The fetch both was not specified in partial_run_setup."));
    let operation = "the operation ^one cannot be fetched during a partial run";
    assert_eq!(refused(&[], &["^one"]), invalid(operation));
    assert_eq!(refused(&[("x", Tensor::scalar(1i32))], &[]).0, Code::InvalidArgument);
    assert_eq!(run.run(&number(1), &["quotient"]).unwrap()[0].item::<i32>().unwrap(), 1);
    let again = run.run(&number(1), &[]).unwrap_err();
    assert_eq!(again.message(), "The feed n has already been fed.");
}

#[test]
fn a_failing_node_ends_the_run_but_not_the_session() {
    let session = both();
    let mut run = session.partial_run_setup(&["x", "n"], &["z", "quotient"], &[]).unwrap();
    let error = run.run(&number(0), &["quotient"]).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("quotient")));
    assert!(run.is_over());
    assert_eq!(run.finish().0.unwrap_err().fault().node.as_deref(), Some("quotient"));
    assert_eq!(session.run(&number(1), &["quotient"], &[]).unwrap()[0].item::<i32>().unwrap(), 1);
}

#[test]
fn the_setup_is_checked() {
    let session = both();
    let fault = |feeds: &[&str], fetches: &[&str]| match session.partial_run_setup(feeds, fetches, &[]) {
        Ok(_) => panic!("{feeds:?} and {fetches:?} are refused"),
        Err(error) => error.message().to_owned(),
    };
    assert_eq!(fault(&["x"], &[]), "Must specify at least one target to fetch or execute.");
    assert_eq!(fault(&["x"], &["x"]), "x is both fed and fetched.");
    assert!(fault(&["x", "missing"], &["z"]).starts_with("the feed"));
}

#[test]
fn an_unfinished_run_is_cancelled() {
    let session = both();
    let run = session.partial_run_setup(&["x"], &["z"], &[]).unwrap();
    let error = run.finish().0.unwrap_err();
    assert_eq!(error.code(), Code::Cancelled);
    drop(session.partial_run_setup(&["x"], &["z"], &[]).unwrap());
    assert!(session.waiting().nodes.is_empty(), "{}", session.waiting());
    let mut run = session.partial_run_setup(&["x"], &["z"], &[]).unwrap();
    session.close();
    assert_eq!(run.run(&[("x", rows(&[]))], &["z"]).unwrap_err().code(), Code::Cancelled);
}

#[test]
fn the_timeout_is_that_of_each_call() {
    let session = session(super::QUEUE);
    let options = RunOptions { timeout: Some(Duration::from_millis(20)), ..RunOptions::default() };
    let _other = session.share();
    let mut run = session.partial_run_setup_with(&options, &["n"], &["take", "n_is_fed"], &[]);
    assert!(run.is_err(), "n_is_fed does not exist");
    run = session.partial_run_setup_with(&options, &["n"], &["take"], &[]);
    assert_eq!(run.unwrap().run(&[], &["take"]).unwrap_err().code(), Code::DeadlineExceeded);
}
