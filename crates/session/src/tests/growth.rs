//! Graphs that grow while a session runs them.

use super::{COUNTER, messages, session};
use crate::Session;
use levada_graph::{Code, Graph, GraphDef, NodeDef};
use std::sync::Arc;

fn def(nodes: &[(&str, &str, &[&str])]) -> GraphDef {
    let node = |(name, op, inputs): &(&str, &str, &[&str])| NodeDef {
        name: (*name).to_owned(),
        op: (*op).to_owned(),
        inputs: inputs.iter().map(|input| (*input).to_owned()).collect(),
        ..NodeDef::default()
    };
    GraphDef { nodes: nodes.iter().map(node).collect(), ..GraphDef::default() }
}

fn value(session: &Session, fetch: &str) -> i64 {
    session.run(&[], &[fetch], &[]).unwrap()[0].item().unwrap()
}

#[test]
fn an_extension_keeps_state_and_plans() {
    let session = session(COUNTER);
    session.run(&[], &[], &["init"]).unwrap();
    assert_eq!(value(&session, "added"), 1);
    let before = session.inner.prepare(&[], &["added"], &[]).unwrap().0;
    session.extend(def(&[("negated", "Neg", &["read"]), ("twice", "Neg", &["negated"])])).unwrap();
    assert_eq!((value(&session, "negated"), value(&session, "twice")), (-1, 1));
    assert!(Arc::ptr_eq(&before, &session.inner.prepare(&[], &["added"], &[]).unwrap().0));
}

#[test]
fn an_extension_with_faults_changes_nothing() {
    let session = session(COUNTER);
    let nodes = session.graph().len();
    let faults = def(&[("fine", "Neg", &["read"]), ("add", "NoOp", &[]), ("lost", "Neg", &["nowhere"])]);
    let error = session.extend(faults).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    let expected = ["the graph already has a node named add", "an input names no node of the graph"];
    assert_eq!(messages(&error), expected);
    assert_eq!(session.graph().len(), nodes);
    assert!(session.graph().find("fine").is_none());
    session.run(&[], &[], &["init"]).unwrap();
    assert_eq!(value(&session, "read"), 0);
}

#[test]
fn a_graph_that_is_held_stays_as_it_is() {
    let session = session(COUNTER);
    let held = session.graph();
    session.extend(def(&[("negated", "Neg", &["read"])])).unwrap();
    assert!(held.find("negated").is_none());
    assert_eq!(session.graph().len(), held.len() + 1);
}

#[test]
fn growing_refuses_to_lose_nodes() {
    let session = session(COUNTER);
    let nodes = session.graph().len();
    let error = session.grow(|_, _| Ok(Graph::default())).unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (Code::InvalidArgument, "a session's graph can only grow, but the new graph lacks nodes of the old one")
    );
    let failed = session.grow(|_, _| Err(levada_graph::Error::aborted("not today"))).unwrap_err();
    assert_eq!(failed.message(), "not today");
    assert_eq!(session.graph().len(), nodes);
}
