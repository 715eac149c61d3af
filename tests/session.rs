//! What a session promises: errors, cancellation, deadlines, growth, parallel runs.

use levada::session::Session;
use levada::{
    Builder, CallableOptions, CancelToken, Code, DType, Output, PartialShape, RunOptions, SessionOptions, Tensor,
};
use levada_testkit::WORKERS;
use levada_testkit::ops::{gate, session};
use std::time::{Duration, Instant};

fn options(threads: usize) -> SessionOptions {
    SessionOptions { threads, ..SessionOptions::default() }
}

fn x(b: &mut Builder) -> Output {
    b.placeholder("x", DType::F32, PartialShape::Unknown)
}

fn test_op(b: &mut Builder, op: &str, name: &str, input: Output, key: &str) -> Output {
    b.node(op).name(name).input(input).attr("key", key.to_owned()).add()
}

fn one() -> [(&'static str, Tensor); 1] {
    [("x", Tensor::scalar(1f32))]
}

fn value(tensors: &[Tensor]) -> f32 {
    tensors[0].item().unwrap()
}

#[test]
fn a_panic_fails_its_run_only() {
    for threads in WORKERS {
        let session = session(options(threads), |b| {
            let x = x(b);
            test_op(b, "TestPanic", "bad", x, "");
            test_op(b, "TestPass", "good", x, "");
        });
        for _ in 0..3 {
            let error = session.run(&one(), &["bad", "good"], &[]).unwrap_err();
            assert_eq!((error.code(), error.fault().node.as_deref()), (Code::Internal, Some("bad")), "{error}");
            assert!(error.message().contains("panicked on purpose"), "{error}");
            assert_eq!(value(&session.run(&one(), &["good"], &[]).unwrap()), 1.0);
        }
    }
}

#[test]
fn the_first_error_names_its_node_and_ends_what_waits() {
    for threads in WORKERS {
        let key = format!("first_error/{threads}");
        let session = session(options(threads), |b| {
            let x = x(b);
            for i in 0..4 {
                test_op(b, "TestWait", &format!("waiting/{i}"), x, &key);
            }
            test_op(b, "TestFail", "bad", x, "");
        });
        let waiting = ["waiting/0", "waiting/1", "waiting/2", "waiting/3"];
        let start = Instant::now();
        let error = session.run(&one(), &[&waiting[..], &["bad"]].concat(), &[]).unwrap_err();
        assert_eq!((error.code(), error.fault().node.as_deref()), (Code::Aborted, Some("bad")), "{error}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn a_forgotten_completion_is_an_error_not_a_hang() {
    let session = session(options(2), |b| {
        let x = x(b);
        test_op(b, "TestForget", "bad", x, "");
    });
    assert_eq!(session.run(&one(), &["bad"], &[]).unwrap_err().code(), Code::Internal);
}

fn waiting_session(threads: usize, key: &str) -> Session {
    session(options(threads), |b| {
        let x = x(b);
        let waited = test_op(b, "TestWait", "waited", x, key);
        let after = test_op(b, "TestPass", "after", waited, "");
        b.identity("end", after);
        test_op(b, "TestPass", "aside", x, "");
    })
}

#[test]
fn a_deadline_ends_a_run_and_leaves_the_session_usable() {
    for threads in WORKERS {
        let key = format!("deadline/{threads}");
        let session = waiting_session(threads, &key);
        let options = RunOptions { timeout: Some(Duration::from_millis(30)), ..RunOptions::default() };
        let error = session.run_with(&options, &one(), &["end"], &[]).unwrap_err();
        assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
        assert_eq!(value(&session.run(&one(), &["aside"], &[]).unwrap()), 1.0);
        // What was parked belongs to the run that is over: releasing it has no effect.
        gate(&key).release();
        assert_eq!(value(&session.run(&one(), &["aside"], &[]).unwrap()), 1.0);
    }
}

#[test]
fn a_token_cancels_the_run_it_was_given_to() {
    for threads in WORKERS {
        let key = format!("token/{threads}");
        let session = waiting_session(threads, &key);
        let token = CancelToken::new();
        let options = RunOptions { cancel: Some(token.clone()), ..RunOptions::default() };
        std::thread::scope(|scope| {
            let (first, second, options) = (session.clone(), session.clone(), &options);
            let run = scope.spawn(move || first.run_with(options, &one(), &["end"], &[]));
            let other = scope.spawn(move || second.run(&one(), &["end"], &[]));
            gate(&key).wait_for(2);
            token.cancel();
            assert_eq!(run.join().unwrap().unwrap_err().code(), Code::Cancelled);
            gate(&key).release();
            assert_eq!(value(&other.join().unwrap().unwrap()), 1.0);
        });
        let error = session.run_with(&options, &one(), &["aside"], &[]).unwrap_err();
        assert_eq!(error.code(), Code::Cancelled, "a token stays cancelled");
    }
}

#[test]
fn closing_cancels_all_runs_and_refuses_new_ones() {
    let session = waiting_session(2, "close");
    std::thread::scope(|scope| {
        let clones = vec![session.clone(); 3].into_iter();
        let runs: Vec<_> = clones.map(|own| scope.spawn(move || own.run(&one(), &["end"], &[]))).collect();
        gate("close").wait_for(3);
        session.close();
        for run in runs {
            assert_eq!(run.join().unwrap().unwrap_err().code(), Code::Cancelled);
        }
    });
    assert_eq!(session.run(&one(), &["aside"], &[]).unwrap_err().code(), Code::Cancelled);
}

#[test]
fn what_waits_holds_no_thread() {
    for threads in WORKERS {
        let key = format!("no_thread/{threads}");
        let session = session(options(threads), |b| {
            let x = x(b);
            let waits: Vec<Output> = (0..50).map(|i| test_op(b, "TestWait", &format!("w{i}"), x, &key)).collect();
            let sum = waits.into_iter().reduce(|a, w| b.add(a, w)).unwrap();
            b.identity("sum", sum);
        });
        std::thread::scope(|scope| {
            let own = session.clone();
            let run = scope.spawn(move || own.run(&one(), &["sum"], &[]));
            gate(&key).wait_for(50);
            assert_eq!(gate(&key).release(), 50);
            assert_eq!(value(&run.join().unwrap().unwrap()), 50.0);
        });
    }
}

#[test]
fn dear_nodes_run_at_once_and_never_more_than_there_are_threads() {
    for threads in WORKERS {
        let key = format!("meet/{threads}");
        let session = session(options(threads), |b| {
            let x = x(b);
            for i in 0..16 {
                b.node("TestMeet")
                    .name(&format!("m{i}"))
                    .input(x)
                    .attr("key", key.clone())
                    .attr("count", threads as i64)
                    .add();
            }
        });
        let names: Vec<String> = (0..16).map(|i| format!("m{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        session.run(&one(), &names, &[]).unwrap();
        assert_eq!(gate(&key).most_inside(), threads);
    }
}

#[test]
fn with_one_thread_the_order_is_the_same_in_every_run() {
    let session = session(options(1), |b| {
        let x = x(b);
        let mut layer = vec![x];
        for i in 0..200 {
            let input = layer[(i * 7) % layer.len()];
            layer.push(test_op(b, "TestPass", &format!("n{i}"), input, ""));
        }
    });
    let names: Vec<String> = (0..200).map(|i| format!("n{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let order = || -> Vec<String> {
        let options = RunOptions { trace: true, ..RunOptions::default() };
        let (_, metadata) = session.run_with(&options, &one(), &names, &[]).unwrap();
        metadata.trace.unwrap().events.iter().map(|e| e.node.to_string()).collect()
    };
    let first = order();
    assert_eq!(first.len(), 200);
    for _ in 0..5 {
        assert_eq!(order(), first);
    }
}

#[test]
fn a_graph_grows_between_runs_and_during_them() {
    let session = waiting_session(2, "grow");
    let callable = session.callable(&CallableOptions::new(["x"], ["aside"], [])).unwrap();
    std::thread::scope(|scope| {
        let own = session.clone();
        let run = scope.spawn(move || own.run(&one(), &["end"], &[]));
        gate("grow").wait_for(1);
        session
            .grow(|graph, registry| {
                let mut graph = graph.clone();
                let def = levada::NodeDef {
                    name: "new".into(),
                    op: "Neg".into(),
                    inputs: vec!["aside".into()],
                    ..levada::NodeDef::default()
                };
                graph.add(registry, &def)?;
                Ok(graph)
            })
            .unwrap();
        assert_eq!(value(&session.run(&one(), &["new"], &[]).unwrap()), -1.0);
        gate("grow").release();
        assert_eq!(value(&run.join().unwrap().unwrap()), 1.0);
    });
    assert_eq!(value(&callable.run(&[Tensor::scalar(3f32)]).unwrap()), 3.0);
    let refused = session.grow(|_, _| Ok(levada::Graph::new()));
    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(value(&session.run(&one(), &["aside"], &[]).unwrap()), 1.0);
}

#[test]
fn feeds_and_fetches_stay_what_they_are() {
    let session = session(options(1), |b| {
        let x = x(b);
        let c = b.constant(Tensor::vector(vec![1f32; 100]));
        let y = b.add(x, c);
        let y = b.op("Neg", &[y]);
        b.identity("y", y);
        let n = b.op("Neg", &[c]);
        b.identity("n", n);
        b.identity("c", c);
    });
    let fed = Tensor::vector(vec![2f32; 100]);
    let first = session.run(&[("x", fed.clone())], &["y", "x", "c", "n"], &[]).unwrap();
    let again = session.run(&[("x", fed.clone())], &["y", "x", "c", "n"], &[]).unwrap();
    for (tensors, expected) in [(&first, [-3f32, 2.0, 1.0, -1.0]), (&again, [-3.0, 2.0, 1.0, -1.0])] {
        for (tensor, v) in tensors.iter().zip(expected) {
            assert_eq!(tensor.slice::<f32>().unwrap(), [v; 100]);
        }
    }
    assert_eq!(fed.slice::<f32>().unwrap(), [2f32; 100]);
}

#[test]
fn callables_check_what_they_are_given() {
    let session = session(options(1), |b| {
        let x = b.placeholder("x", DType::F32, PartialShape::vector(Some(2)));
        b.identity("y", x);
    });
    let callable = session.callable(&CallableOptions::new(["x"], ["y"], [])).unwrap();
    assert_eq!(callable.run(&[Tensor::vector(vec![1f32, 2.0])]).unwrap().len(), 1);
    let wrong = [
        vec![],
        vec![Tensor::scalar(1f32)],
        vec![Tensor::vector(vec![1i32, 2])],
        vec![Tensor::vector(vec![1f32; 2]); 2],
    ];
    for feeds in wrong {
        assert_eq!(callable.run(&feeds).unwrap_err().code(), Code::InvalidArgument, "{feeds:?}");
    }
    let error = session.callable(&CallableOptions::new(["x", "x:0"], ["y"], [])).err().unwrap();
    assert_eq!(error.code(), Code::InvalidArgument);
    let error = session.callable(&CallableOptions::new(["x"], ["z"], [])).err().unwrap();
    assert_eq!(error.code(), Code::NotFound);
}

#[test]
fn what_functions_run_is_in_the_trace() {
    let graph = r#"{
      "node": [
        {"name": "x", "op": "Const", "attr": {"dtype": "float32", "value": 3.0}},
        {"name": "call", "op": "StatefulPartitionedCall", "input": ["x"],
         "attr": {"Tin": ["float32"], "Tout": ["float32"], "f": {"func": {"name": "twice"}}}}
      ],
      "library": {"function": [{
        "signature": {"name": "twice", "inputArg": [{"name": "a", "type": "DT_FLOAT"}],
                      "outputArg": [{"name": "b", "type": "DT_FLOAT"}]},
        "nodeDef": [{"name": "sum", "op": "AddV2", "input": ["a", "a"], "attr": {"T": {"type": "DT_FLOAT"}}}],
        "ret": {"b": "sum:z:0"}
      }]}
    }"#;
    let graph = levada::graph::read::json(graph.as_bytes(), &levada::registry()).unwrap();
    let session = levada::Session::new(graph, SessionOptions::default()).unwrap();
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let (values, metadata) = session.run_with(&options, &[], &["call"], &[]).unwrap();
    assert_eq!(values[0].item::<f32>().unwrap(), 6.0);
    let trace = metadata.trace.unwrap();
    let sum = trace.events.iter().find(|e| &*e.node == "twice/sum").unwrap();
    assert_eq!((&*sum.function, &*sum.op), ("twice", "AddV2"));
    assert!(trace.events.iter().any(|e| &*e.node == "call" && e.function.is_empty()));
}
