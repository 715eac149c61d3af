//! The guarantees of a session: errors, cancellation, deadlines, growth, parallel runs.

use levada::graph::read;
use levada::kernel::observe::{Kept, Ran};
use levada::kernel::{Entry, Nature, Observer, StepCx};
use levada::replay::read_lines;
use levada::session::Session;
use levada::{
    Builder, CallableOptions, CancelToken, Code, DType, Error, Output, PartialShape, RunOptions, SessionOptions, Shape,
    Tensor,
};
use levada_testkit::WORKERS;
use levada_testkit::ops::{gate, session};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
fn subnormal_numbers_are_zeros_in_a_step_but_not_outside() {
    let multiply = |x: f32, y: f32| std::hint::black_box(x) * std::hint::black_box(y);
    for threads in WORKERS {
        let session = session(options(threads), |b| {
            let x = x(b);
            let small = b.constant(Tensor::scalar(1e-10f32));
            for (name, op) in [("product", "Mul"), ("quotient", "RealDiv")] {
                b.node(op).name(name).input(x).input(small).add();
            }
            let zero = b.constant(Tensor::scalar(0f32));
            b.node("Greater").name("positive").input(x).input(zero).add();
        });
        // One number, and enough of them for every thread.
        for count in [1, 300_000] {
            let run = |value: f32, fetch: &str| {
                let x = Tensor::from_vec(Shape::new([count]).unwrap(), vec![value; count]).unwrap();
                session.run(&[("x", x)], &[fetch], &[]).unwrap().remove(0)
            };
            assert!(run(1e-40, "quotient").slice::<f32>().unwrap().iter().all(|&v| v == 0.0));
            assert!(run(1e-30, "product").slice::<f32>().unwrap().iter().all(|&v| v == 0.0));
            assert!(run(1e-40, "positive").slice::<bool>().unwrap().iter().all(|&v| !v));
            assert!(run(1e-30, "positive").slice::<bool>().unwrap().iter().all(|&v| v));
        }
        assert!(multiply(1e-30, 1e-10) > 0.0 && multiply(1e-40, 1e10) > 0.0);
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
        // The parked nodes belong to the run that is over: releasing them has no effect.
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
fn expensive_nodes_run_at_once_and_never_more_than_there_are_threads() {
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

fn neg(name: &str, input: &str) -> levada::NodeDef {
    levada::NodeDef { name: name.into(), op: "Neg".into(), inputs: vec![input.into()], ..levada::NodeDef::default() }
}

fn def(nodes: Vec<levada::NodeDef>) -> levada::GraphDef {
    levada::GraphDef { nodes, ..levada::GraphDef::default() }
}

#[test]
fn an_extension_joins_what_is_there_or_changes_nothing() {
    let cpus = |cpus| SessionOptions { cpus, ..SessionOptions::default() };
    for options in [cpus(1), cpus(2)] {
        let session = levada_testkit::ops::session(options, |b| {
            let x = x(b);
            b.node("Neg").name("y").input(x).device("/device:CPU:0").add();
        });
        let callable = session.callable(&CallableOptions::new(["x"], ["y"], [])).unwrap();
        assert_eq!(value(&callable.run(&[Tensor::scalar(1f32)]).unwrap()), -1.0);
        session.extend(def(vec![neg("a", "y"), neg("b", "a")])).unwrap();
        assert_eq!(value(&session.run(&one(), &["b"], &[]).unwrap()), -1.0);
        let held = session.graph();
        session.extend(def(vec![neg("c", "b")])).unwrap();
        assert_eq!((held.len(), session.graph().len()), (4, 5));
        let lost = levada::NodeDef { device: "/device:CPU:7".into(), ..neg("lost", "c") };
        for wrong in [neg("y", "x"), neg("d", "nothing"), neg("d", "y:5"), lost] {
            let error = session.extend(def(vec![neg("e", "c"), wrong])).unwrap_err();
            assert_eq!(session.graph().len(), 5, "{error}");
            assert!(session.graph().find("e").is_none());
        }
        session.extend(def(vec![neg("e", "c")])).unwrap();
        assert_eq!(value(&session.run(&one(), &["e"], &[]).unwrap()), -1.0);
        assert_eq!(value(&callable.run(&[Tensor::scalar(1f32)]).unwrap()), -1.0);
    }
}

#[test]
#[ignore = "measures: cargo test --test session -- --ignored --nocapture extension"]
fn an_extension_costs_what_is_new() {
    const NODES: usize = 100_000;
    for cpus in [1, 2] {
        let session = levada_testkit::ops::session(SessionOptions { cpus, ..SessionOptions::default() }, |b| {
            let mut last = x(b);
            (0..NODES).for_each(|_| last = b.op("Neg", &[last]));
            b.identity("n0", last);
        });
        session.run(&one(), &["x"], &[]).unwrap();
        let start = Instant::now();
        for i in 1..=1000 {
            session.extend(def(vec![neg(&format!("n{i}"), &format!("n{}", i - 1))])).unwrap();
        }
        println!("{cpus} devices: 1,000 calls of extend in {:?}", start.elapsed());
        let start = Instant::now();
        for i in 1001..=1010 {
            let new = def(vec![neg(&format!("n{i}"), &format!("n{}", i - 1))]);
            let grow = |graph: &levada::Graph, registry: &levada::Registry| {
                let mut graph = graph.clone();
                graph.extend(new, registry).map(|_| graph)
            };
            session.grow(grow).unwrap();
        }
        println!("{cpus} devices: 10 calls of grow in {:?}", start.elapsed());
        let start = Instant::now();
        session.run(&[("n0", Tensor::scalar(1f32))], &["n1"], &[]).unwrap();
        println!("{cpus} devices: the first run of a node that is new in {:?}", start.elapsed());
    }
}

#[test]
fn state_stays_on_its_device_when_a_graph_is_extended() {
    let options = SessionOptions { cpus: 2, ..SessionOptions::default() };
    let session = session(options, |b| {
        let shape = PartialShape::scalar();
        let v = b.node("VarHandleOp").name("v").attr("dtype", DType::F32).attr("shape", shape);
        let v = v.device("/device:CPU:1").add();
        let start = b.constant(Tensor::scalar(5f32));
        b.node("AssignVariableOp").name("init").inputs([v, start]).add();
    });
    session.run(&[], &["init"], &[]).unwrap();
    let read = levada::NodeDef { op: "ReadVariableOp".into(), ..neg("read", "v") };
    let mut read = read;
    read.attrs.set("dtype", levada::AttrValue::Type(DType::F32.value()));
    session.extend(def(vec![read])).unwrap();
    assert_eq!(value(&session.run(&[], &["read"], &[]).unwrap()), 5.0);
}

#[test]
fn a_fetched_operation_runs_and_leaves_its_place_empty() {
    let session = session(options(2), |b| {
        let shape = PartialShape::scalar();
        let v = b.node("VarHandleOp").name("v").attr("dtype", DType::F32).attr("shape", shape).add();
        let [start, one] = [5f32, 1.0].map(|value| b.constant(Tensor::scalar(value)));
        b.node("AssignVariableOp").name("init").inputs([v, start]).add();
        b.node("AssignAddVariableOp").name("train_op").inputs([v, one]).add();
        b.node("ReadVariableOp").name("read").input(v).attr("dtype", DType::F32).add();
    });
    assert_eq!(session.run(&[], &["init"], &[]).unwrap()[0].num_elements(), 0);
    let fetched = session.run(&[], &["v", "train_op", "v:0", "^read"], &[]).unwrap();
    assert_eq!(fetched.iter().map(Tensor::num_elements).collect::<Vec<_>>(), [1, 0, 1, 0]);
    assert_eq!(value(&session.run(&[], &["read"], &[]).unwrap()), 6.0);
    let callable = session.callable(&CallableOptions::new([], ["train_op", "read"], [])).unwrap();
    assert_eq!([0, 1].map(|fetch| callable.is_operation(fetch)), [true, false]);
    assert_eq!(callable.run(&[]).unwrap().len(), 2);
    let error = session.run(&[], &["train_op:0"], &[]).unwrap_err();
    assert_eq!(error.message(), "the fetch train_op is an operation without outputs");
    assert_eq!(error.fault().help.as_deref(), Some("to run it, fetch \"train_op\" or name it as a target"));
    let error = session.run(&[("train_op", Tensor::scalar(1f32))], &["read"], &[]).unwrap_err();
    assert_eq!(error.message(), "the feed train_op is an operation without outputs");
    let error = session.run(&[], &["read:3"], &[]).unwrap_err();
    assert_eq!(error.fault().expected.as_deref(), Some("read, its only output"));
    let error = session.run(&[("v", Tensor::scalar(1f32))], &["read"], &[]).unwrap_err();
    assert_eq!(error.message(), "v is a handle, which cannot be fed a value");
    assert_eq!(session.run(&[], &["^nothing"], &[]).unwrap_err().code(), Code::NotFound);
}

#[test]
fn every_feed_is_checked_against_what_is_known_of_its_shape() {
    let session = session(options(1), |b| {
        let x = b.placeholder("x", DType::F32, PartialShape::from_signed(&[-1, 3]));
        let two = b.constant(Tensor::from_vec(levada::Shape::new([3, 2]).unwrap(), vec![1f32; 6]).unwrap());
        let y = b.node("MatMul").name("y").inputs([x, two]).add();
        b.op("Neg", &[y]);
        b.identity("z", y);
    });
    let fed = |shape: [usize; 2]| {
        Tensor::from_vec(levada::Shape::new(shape).unwrap(), vec![1f32; shape[0] * shape[1]]).unwrap()
    };
    assert_eq!(session.run(&[("y", fed([5, 2]))], &["z"], &[]).unwrap()[0].num_elements(), 10);
    let error = session.run(&[("y", fed([5, 3]))], &["z"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    assert_eq!(error.message(), "Cannot feed value of shape [5,3] for Tensor y, which has shape [?,2]");
}

#[test]
fn tensors_stay_in_a_session_by_handle() {
    let session = session(options(1), |b| {
        let x = x(b);
        b.node("GetSessionHandleV2").name("keep").input(x).add();
        b.node("GetSessionHandle").name("text").input(x).add();
        b.identity("y", x);
    });
    let fetched = session.run(&one(), &["keep", "text"], &[]).unwrap();
    let [kept, text] = [0, 1].map(|i| levada::TensorHandle::of(&fetched[i]).unwrap());
    assert!(text.as_str().starts_with("text;") && text.as_str().ends_with("CPU:0"), "{text}");
    for handle in [&kept, &text] {
        assert_eq!(value(&session.run(&[("x", handle.feed())], &["y"], &[]).unwrap()), 1.0);
        assert_eq!(session.session_tensor(handle).unwrap().item::<f32>().unwrap(), 1.0);
    }
    session.delete_session_tensor(&kept).unwrap();
    assert_eq!(session.delete_session_tensor(&kept).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(session.run(&[("x", kept.feed())], &["y"], &[]).unwrap_err().code(), Code::InvalidArgument);
    let own = session.session_handle(Tensor::scalar(9f32));
    assert_eq!(value(&session.run(&[("x", own.feed())], &["y"], &[]).unwrap()), 9.0);
    session.run(&one(), &["y"], &["keep"]).unwrap();
    assert_eq!(session.env().tensors.len(), 2, "what is not fetched is dropped");
    assert!(levada::TensorHandle::of(&Tensor::scalar(1f32)).is_err());
}

#[test]
fn plans_are_dropped_and_made_anew() {
    let session = session(SessionOptions { plan_limit: 4, ..options(1) }, |b| {
        let x = x(b);
        for i in 0..20 {
            test_op(b, "TestPass", &format!("n{i}"), x, "");
        }
    });
    for _ in 0..2 {
        for i in 0..20 {
            assert_eq!(value(&session.run(&one(), &[&format!("n{i}")], &[]).unwrap()), 1.0);
        }
    }
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

/// Counts the calls of `finalize_func` of a recorded session's generator.
#[derive(Default)]
struct Finalized(AtomicUsize);

impl Observer for Finalized {
    fn starts(&self, nature: &Nature, _: &[Entry], step: &StepCx) -> Option<Kept> {
        let function = step.within.as_deref().unwrap_or_default();
        (nature.changes && function.contains("finalize")).then(Kept::default)
    }

    fn ran(&self, _: &Ran<'_>) -> Result<(), Error> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

#[test]
fn generators_are_finalized_with_their_session() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/data_devices.jsonl");
    let begins = "{\"name\":\"GeneratorDataset/finalized/made_again\"";
    let case = read_lines(&file).unwrap().into_iter().find(|line| line.starts_with(begins)).unwrap();
    let case: serde_json::Value = serde_json::from_str(&case).unwrap();
    for threads in WORKERS {
        for closes in [false, true] {
            let graph = read::json(case["graph"].to_string().as_bytes(), &levada::registry()).unwrap();
            let finalized = Arc::new(Finalized::default());
            let options = SessionOptions { observer: Some(finalized.clone()), ..options(threads) };
            let session = levada::opener(options)(graph).unwrap();
            session.run(&[], &[], &["init"]).unwrap();
            session.run(&[], &[], &["MakeIterator"]).unwrap();
            session.run(&[], &["IteratorGetNext:0"], &[]).unwrap();
            assert_eq!(finalized.0.load(Ordering::SeqCst), 0);
            if closes {
                session.close();
            }
            drop(session);
            assert_eq!(finalized.0.load(Ordering::SeqCst), 1, "{threads} threads, closes: {closes}");
        }
    }
}
