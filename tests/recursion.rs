//! Functions that recurse as deep as memory allows: the depth is on the heap, not on a thread's stack.

use levada::graph::read;
use levada::{CancelToken, Code, Error, RunOptions, Session, SessionOptions, Tensor};
use levada_testkit::WORKERS;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

fn constant(name: &str, value: i32) -> Value {
    json!({"name": name, "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
        "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [value]}}}})
}

fn binary(op: &str, name: &str, inputs: [&str; 2]) -> Value {
    json!({"name": name, "op": op, "input": inputs, "attr": {"T": {"type": "DT_INT32"}}})
}

fn types(count: usize) -> Value {
    json!({"list": {"type": vec!["DT_INT32"; count]}})
}

fn function(name: &str, nodes: &[Value], ret: &str) -> Value {
    json!({
        "signature": {"name": name, "inputArg": [{"name": "n", "type": "DT_INT32"}], "outputArg": [{"name": "r", "type": "DT_INT32"}]},
        "nodeDef": nodes, "ret": {"r": ret}})
}

fn call(name: &str, function: &str, input: &str) -> Value {
    json!({"name": name, "op": "PartitionedCall", "input": [input],
        "attr": {"Tin": types(1), "Tout": types(1), "f": {"func": {"name": function}}}})
}

/// `sum(n)`, which is `more(n)` if `n` is above 0 and else `rest(n)`.
fn branching(lowered: bool) -> Value {
    let choice = json!({"name": "choice", "op": "StatelessIf", "input": ["above:z:0", "n"], "attr": {
        "Tcond": {"type": "DT_BOOL"}, "Tin": types(1), "Tout": types(1), "_lower_using_switch_merge": {"b": lowered},
        "then_branch": {"func": {"name": "more"}}, "else_branch": {"func": {"name": "rest"}}}});
    let nodes = [constant("zero", 0), binary("Greater", "above", ["n", "zero:output:0"]), choice];
    function("sum", &nodes, "choice:output:0")
}

/// The graph `y = sum(n)` with these functions beside `sum`.
fn graph(lowered: bool, functions: Vec<Value>) -> Value {
    let input = json!({"name": "n", "op": "Placeholder", "attr": {"dtype": {"type": "DT_INT32"}}});
    let functions: Vec<Value> = functions.into_iter().chain([branching(lowered)]).collect();
    json!({"node": [input, call("y", "sum", "n")], "library": {"function": functions}})
}

/// `sum(n)` is `n + sum(n - 1)`, and 0 for 0.
fn sums(lowered: bool) -> Value {
    let less = [constant("one", 1), binary("Sub", "less", ["n", "one:output:0"]), call("below", "sum", "less:z:0")];
    let more = [&less[..], &[binary("AddV2", "all", ["n", "below:output:0"])]].concat();
    graph(lowered, vec![function("more", &more, "all:z:0"), function("rest", &[], "n")])
}

fn session(graph: &Value, options: SessionOptions) -> Session {
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap_or_else(|e| panic!("{e}"));
    Session::new(graph, options).unwrap()
}

fn options(threads: usize) -> SessionOptions {
    SessionOptions { threads, ..SessionOptions::default() }
}

fn result(session: &Session, n: i32) -> Result<i32, Error> {
    session.run(&[("n", Tensor::scalar(n))], &["y"], &[]).map(|y| y[0].item().unwrap())
}

/// Runs with a stack that shows whether depth uses any.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn thousands_of_calls_inside_one_another_return() {
    for threads in WORKERS {
        for lowered in [false, true] {
            on_a_small_stack(move || {
                let session = session(&sums(lowered), options(threads));
                for n in [0, 1, 30, 31, 32, 33, 63, 64, 65, 1_000, 10_000, 40] {
                    assert_eq!(result(&session, n).unwrap(), n * (n + 1) / 2, "{threads} threads, {n}");
                }
            });
        }
    }
}

#[test]
fn a_function_that_calls_itself_twice_returns() {
    // fibonacci(n), where n is one less than usual.
    let more = [
        constant("one", 1),
        constant("two", 2),
        binary("Sub", "first", ["n", "one:output:0"]),
        binary("Sub", "second", ["n", "two:output:0"]),
        call("a", "sum", "first:z:0"),
        call("b", "sum", "second:z:0"),
        binary("AddV2", "all", ["a:output:0", "b:output:0"]),
    ];
    let rest = function("rest", &[constant("one", 1)], "one:output:0");
    let graph = graph(false, vec![function("more", &more, "all:z:0"), rest]);
    for threads in WORKERS {
        assert_eq!(result(&session(&graph, options(threads)), 14).unwrap(), 987, "{threads} threads");
    }
}

#[test]
fn a_trace_of_a_deep_recursion_names_the_function_that_ran() {
    on_a_small_stack(|| {
        let session = session(&sums(false), options(2));
        let options = RunOptions { trace: true, ..RunOptions::default() };
        let n = 2_000;
        let (y, metadata) = session.run_with(&options, &[("n", Tensor::scalar(n))], &["y"], &[]).unwrap();
        assert_eq!(y[0].item::<i32>().unwrap(), n * (n + 1) / 2);
        let trace = metadata.trace.unwrap();
        let ran = |name: &str| trace.events.iter().filter(|e| e.node.ends_with(name)).count();
        assert_eq!((ran("/choice"), ran("/all")), (n as usize + 1, n as usize));
        let functions = || trace.events.iter().map(|e| &*e.function);
        assert!(functions().any(|f| f == "sum/more/sum"));
        assert!(
            functions()
                .filter(|f| !f.is_empty())
                .all(|f| f.ends_with("sum") || f.ends_with("more") || f.ends_with("rest"))
        );
        assert!(functions().map(str::len).max().unwrap() < 400);
    });
}

/// An endless recursion: both branches recurse.
fn endless() -> Value {
    let on = |name| function(name, &[call("again", "sum", "n")], "again:output:0");
    graph(true, vec![on("more"), on("rest")])
}

#[test]
fn an_endless_recursion_fails_once_it_keeps_too_much() {
    for threads in WORKERS {
        on_a_small_stack(move || {
            let session = session(&endless(), SessionOptions { call_memory: 20 << 20, ..options(threads) });
            for _ in 0..2 {
                let error = result(&session, 1).unwrap_err();
                assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
                assert!(error.to_string().contains("check that the recursion ends"), "{error}");
                assert!(error.message().contains("deep and keep more than 20971520 bytes"), "{error}");
            }
        });
    }
}

#[test]
fn an_endless_recursion_ends_at_its_deadline_and_when_it_is_cancelled() {
    on_a_small_stack(|| {
        let session = session(&endless(), SessionOptions { call_memory: usize::MAX, ..options(2) });
        let feeds = [("n", Tensor::scalar(1))];
        let in_time = RunOptions { timeout: Some(Duration::from_millis(200)), ..RunOptions::default() };
        let ended = session.run_with(&in_time, &feeds, &["y"], &[]);
        assert_eq!(ended.unwrap_err().code(), Code::DeadlineExceeded);
        let token = CancelToken::new();
        let watched = RunOptions { cancel: Some(token.clone()), ..RunOptions::default() };
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(200));
                token.cancel();
            });
            let ended = session.run_with(&watched, &feeds, &["y"], &[]);
            assert_eq!(ended.unwrap_err().code(), Code::Cancelled);
        });
    });
}
