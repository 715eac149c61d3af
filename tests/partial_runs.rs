//! Partial runs: those recorded from TensorFlow (`partial/record.py`), and how they wait, stall and end.

use levada::{
    Builder, CancelToken, Code, DType, Graph, PartialRun, PartialShape, RunOptions, Session, SessionOptions, Tensor,
};
use levada_testkit::WORKERS;
use serde_json::{Map, Value};
use std::time::Duration;

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

/// A scalar for an endpoint of this graph.
fn scalar(graph: &Graph, name: &str, value: &Value) -> Tensor {
    let endpoint = graph.endpoint(name).unwrap();
    match graph.endpoint_type(endpoint).unwrap().dtype {
        DType::Bool => Tensor::scalar(value.as_bool().unwrap()),
        DType::I32 => Tensor::scalar(value.as_i64().unwrap() as i32),
        _ => Tensor::scalar(value.as_f64().unwrap() as f32),
    }
}

fn number(tensor: &Tensor) -> f64 {
    match tensor.dtype() {
        DType::I32 => f64::from(tensor.item::<i32>().unwrap()),
        _ => f64::from(tensor.item::<f32>().unwrap()),
    }
}

/// Makes a call and compares its results.
fn call(run: &mut PartialRun, graph: &Graph, call: &Value, what: &str) {
    let feeds: &Map<String, Value> = call["feeds"].as_object().unwrap();
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, v)| (n.as_str(), scalar(graph, n, v))).collect();
    let result = run.run(&feeds, &texts(&call["fetches"]));
    match call.get("error").and_then(Value::as_str) {
        Some(code) => {
            let error = result.map(|_| ()).unwrap_err();
            assert_eq!(error.code().name(), code, "{what}: {error}");
        }
        None => {
            let found: Vec<f64> = result.unwrap_or_else(|e| panic!("{what}: {e}")).iter().map(number).collect();
            let expected = call["expect"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap());
            assert_eq!(found, expected.collect::<Vec<f64>>(), "{what}");
        }
    }
}

#[test]
fn partial_runs_are_those_of_tensorflow() {
    let cases: Value = serde_json::from_str(include_str!("partial/cases.json")).unwrap();
    for (name, case) in cases.as_object().unwrap() {
        for (threads, no_fusion, plain) in [(1, false, false), (2, true, false), (8, false, true)] {
            let graph = levada::graph::read::json(case["graph"].to_string().as_bytes(), &levada::registry()).unwrap();
            let options = SessionOptions { threads, no_fusion, plain, ..SessionOptions::default() };
            let session = Session::new(graph, options).unwrap();
            let graph = session.graph();
            session.run(&[], &[], &[case["init"].as_str().unwrap()]).unwrap();
            let mut runs = Vec::new();
            for run in case["runs"].as_array().unwrap() {
                let [feeds, fetches, targets] = ["feeds", "fetches", "targets"].map(|key| texts(&run[key]));
                let set_up = session.partial_run_setup(&feeds, &fetches, &targets);
                let mut partial = match (set_up, run.get("error").and_then(Value::as_str)) {
                    (Ok(partial), None) => partial,
                    (Err(error), Some(code)) => {
                        assert_eq!(error.code().name(), code, "{name}: {error}");
                        continue;
                    }
                    (Ok(_), Some(code)) => panic!("{name}: expected {code}"),
                    (Err(error), None) => panic!("{name}: {error}"),
                };
                for (i, step) in run["calls"].as_array().unwrap().iter().enumerate() {
                    call(&mut partial, &graph, step, &format!("{name}, call {i}, {threads} threads"));
                }
                runs.push(partial);
            }
        }
    }
}

fn sums(b: &mut Builder) {
    let [x, y] = ["x", "y"].map(|name| b.placeholder(name, DType::F32, PartialShape::scalar()));
    let sum = b.add(x, y);
    b.identity("sum", sum);
    b.identity("first", x);
}

fn session(options: SessionOptions, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    Session::new(b.finish().unwrap(), options).unwrap()
}

fn one(name: &'static str) -> [(&'static str, Tensor); 1] {
    [(name, Tensor::scalar(1f32))]
}

#[test]
fn what_is_wrong_with_a_call_leaves_the_run_as_it_was() {
    let session = session(SessionOptions::default(), sums);
    let mut run = session.partial_run_setup(&["x", "y"], &["sum", "first"], &[]).unwrap();
    let message = |run: &mut PartialRun, feeds: &[(&str, Tensor)], fetches: &[&str]| {
        let error = run.run(feeds, fetches).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument, "{error}");
        error.message().to_owned()
    };
    assert_eq!(
        message(&mut run, &one("x"), &["sum"]),
        "Fetch sum can't be computed from the feeds that have been fed so far."
    );
    let vector = [("x", Tensor::vector(vec![1f32]))];
    assert!(message(&mut run, &vector, &[]).starts_with("Cannot feed value of shape [1] for Tensor x"));
    assert_eq!(message(&mut run, &one("sum"), &[]), "The feed sum was not specified in partial_run_setup.");
    assert_eq!(message(&mut run, &[], &["x"]), "The fetch x was not specified in partial_run_setup.");
    assert_eq!(run.run(&one("x"), &["first"]).unwrap()[0].item::<f32>().unwrap(), 1.0);
    assert_eq!(message(&mut run, &one("x"), &[]), "The feed x has already been fed.");
    assert_eq!(message(&mut run, &[], &["first"]), "The fetch first has already been fetched.");
    assert_eq!(run.run(&one("y"), &["sum"]).unwrap()[0].item::<f32>().unwrap(), 2.0);
    assert!(run.is_over());
    assert_eq!(message(&mut run, &[], &[]), "Must run 'setup' before performing partial runs!");
    assert!(run.finish().0.is_ok());
}

#[test]
fn a_run_that_waits_for_feeds_holds_no_thread_and_ends_when_it_is_dropped() {
    for threads in WORKERS {
        let session = session(SessionOptions { threads, ..SessionOptions::default() }, sums);
        let waiting: Vec<PartialRun> =
            (0..20).map(|_| session.partial_run_setup(&["x", "y"], &["sum"], &[]).unwrap()).collect();
        let feeds = [("x", Tensor::scalar(1f32)), ("y", Tensor::scalar(2f32))];
        assert_eq!(session.run(&feeds, &["sum"], &[]).unwrap()[0].item::<f32>().unwrap(), 3.0);
        drop(waiting);
        let run = session.partial_run_setup(&["x", "y"], &["sum"], &[]).unwrap();
        assert_eq!(run.finish().0.unwrap_err().code(), Code::Cancelled);
    }
}

#[test]
fn a_token_and_the_end_of_the_session_end_it() {
    let session = session(SessionOptions::default(), sums);
    let token = CancelToken::new();
    let options = RunOptions { cancel: Some(token.clone()), ..RunOptions::default() };
    let mut cancelled = session.partial_run_setup_with(&options, &["x", "y"], &["sum"], &[]).unwrap();
    let mut other = session.partial_run_setup(&["x", "y"], &["sum"], &[]).unwrap();
    token.cancel();
    let both = [("x", Tensor::scalar(1f32)), ("y", Tensor::scalar(2f32))];
    assert_eq!(cancelled.run(&both, &["sum"]).unwrap_err().code(), Code::Cancelled);
    assert!(other.run(&one("x"), &[]).is_ok());
    session.close();
    assert_eq!(other.run(&one("y"), &["sum"]).unwrap_err().code(), Code::Cancelled);
    assert_eq!(session.partial_run_setup(&["x"], &["sum"], &[]).err().unwrap().code(), Code::Cancelled);
}

/// A queue that only a fed node fills.
fn queue(b: &mut Builder) {
    let types = vec![DType::F32];
    let queue = b.node("FIFOQueueV2").name("queue").attr("component_types", types.clone()).add();
    let x = b.placeholder("x", DType::F32, PartialShape::scalar());
    b.node("QueueEnqueueV2").name("put").inputs([queue, x]).attr("Tcomponents", types.clone()).add();
    b.node("QueueDequeueV2").name("take").input(queue).attr("component_types", types).add();
}

#[test]
fn an_operation_of_the_setup_runs_once_it_is_fed() {
    let session = session(SessionOptions::default(), queue);
    let mut run = session.partial_run_setup(&["x"], &["take", "put"], &[]).unwrap();
    assert_eq!(run.run(&one("x"), &["put"]).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(run.run(&one("x"), &["take"]).unwrap()[0].item::<f32>().unwrap(), 1.0);
}

#[test]
fn a_stall_says_which_feed_is_missing_and_a_deadline_ends_the_wait() {
    let closed = SessionOptions { closed_world: true, ..SessionOptions::default() };
    let stalled = session(closed, queue);
    let mut run = stalled.partial_run_setup(&["x"], &["take"], &["put"]).unwrap();
    let error = run.run(&[], &["take"]).unwrap_err();
    assert_eq!(error.code(), Code::Aborted, "{error}");
    assert!(error.message().contains("it comes after `x`, which waits"), "{error}");
    assert!(run.is_over());

    let timed = session(SessionOptions::default(), queue);
    let options = RunOptions { timeout: Some(Duration::from_millis(20)), ..RunOptions::default() };
    let mut run = timed.partial_run_setup_with(&options, &["x"], &["take"], &["put"]).unwrap();
    assert_eq!(run.run(&[], &["take"]).unwrap_err().code(), Code::DeadlineExceeded);
}

#[test]
fn its_trace_has_every_node() {
    let session = session(SessionOptions::default(), sums);
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let mut run = session.partial_run_setup_with(&options, &["x", "y"], &["sum", "first"], &[]).unwrap();
    run.run(&one("x"), &["first"]).unwrap();
    run.run(&one("y"), &["sum"]).unwrap();
    let (result, metadata) = run.finish();
    result.unwrap();
    let trace = metadata.trace.unwrap();
    for name in ["x", "y", "sum", "first"] {
        assert!(trace.events.iter().any(|e| &*e.node == name), "{name}");
    }
}
