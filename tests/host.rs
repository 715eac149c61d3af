//! Host functions that nodes call.

use levada::graph::Shape;
use levada::kernel::HostCall;
use levada::{
    Builder, CancelToken, Code, DType, Error, Output, PartialShape, RunOptions, Session, SessionOptions, Tensor,
};
use std::sync::mpsc;
use std::time::Duration;

fn session(threads: usize, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    Session::new(b.finish().unwrap(), SessionOptions { threads, ..SessionOptions::default() }).unwrap()
}

fn x(b: &mut Builder) -> Output {
    b.placeholder("x", DType::F32, PartialShape::Unknown)
}

fn call(b: &mut Builder, op: &str, name: &str, inputs: &[Output], outputs: &[DType]) -> Output {
    let node = b.node(op).name(name).inputs(inputs.iter().copied()).attr("token", name.to_owned());
    node.attr("Tout", outputs.to_vec()).add()
}

fn double(call: HostCall) -> levada::Result<Vec<Tensor>> {
    Ok(vec![Tensor::scalar(2.0 * call.inputs[0].item::<f32>()?)])
}

const FED: f32 = 3.0;

fn feeds() -> [(&'static str, Tensor); 1] {
    [("x", Tensor::scalar(FED))]
}

#[test]
fn nodes_call_what_is_registered_and_nothing_else() {
    for op in ["PyFunc", "PyFuncStateless", "EagerPyFunc"] {
        let session = session(2, |b| {
            let x = x(b);
            let y = call(b, op, "double", &[x], &[DType::F32]);
            b.identity("y", y);
        });
        let denied = session.run(&feeds(), &["y"], &[]).unwrap_err();
        assert_eq!(
            (denied.code(), denied.fault().node.as_deref()),
            (Code::PermissionDenied, Some("double")),
            "{denied}"
        );
        session.host().register("double", double);
        assert_eq!(session.run(&feeds(), &["y"], &[]).unwrap()[0].item::<f32>().unwrap(), 2.0 * FED);
        session.host().remove("double");
        assert_eq!(session.run(&feeds(), &["y"], &[]).unwrap_err().code(), Code::PermissionDenied);
    }
}

#[test]
fn what_a_function_gives_is_checked_and_its_errors_are_the_nodes() {
    let session = session(1, |b| {
        let x = x(b);
        call(b, "PyFunc", "f", &[x], &[DType::F32, DType::I32]);
    });
    let both = |i: usize| session.run(&feeds(), &["f:0", "f:1"], &[]).map(|v| v[i].clone());
    session.host().register("f", double);
    assert_eq!(both(0).unwrap_err().message(), "f returns 1 values, but expects to see 2 values.");
    session.host().register("f", |_: HostCall| Ok(vec![Tensor::scalar(1f32); 2]));
    assert_eq!(both(0).unwrap_err().message(), "1-th value returned by f is float32, but expects int32");
    session.host().register("f", |_: HostCall| Err(Error::out_of_range("nothing left")));
    let error = both(0).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::OutOfRange, Some("f")));
    session.host().register("f", |_: HostCall| panic!("on purpose"));
    assert_eq!(both(0).unwrap_err().code(), Code::Internal);
    session.host().register("f", |call: HostCall| {
        assert_eq!((&*call.token, &*call.node, call.op, call.outputs.len()), ("f", "f", "PyFunc", 2));
        Ok(vec![call.inputs[0].clone(), Tensor::scalar(7)])
    });
    assert_eq!(both(1).unwrap().item::<i32>().unwrap(), 7);
}

#[test]
fn functions_that_wait_for_each_other_hold_no_thread_of_the_session() {
    let session = session(1, |b| {
        let x = x(b);
        let parts = ["left", "right"].map(|name| call(b, "PyFunc", name, &[x], &[DType::F32]));
        let sum = b.add(parts[0], parts[1]);
        b.identity("sum", sum);
    });
    let (left, right) = (mpsc::channel(), mpsc::channel());
    for (name, to, from) in [("left", left.0, right.1), ("right", right.0, left.1)] {
        // A receiver belongs to one thread.
        let from = std::sync::Mutex::new(from);
        session.host().register(name, move |call: HostCall| {
            to.send(()).unwrap();
            from.lock().unwrap().recv_timeout(Duration::from_secs(60)).unwrap();
            Ok(call.inputs)
        });
    }
    for _ in 0..3 {
        assert_eq!(session.run(&feeds(), &["sum"], &[]).unwrap()[0].item::<f32>().unwrap(), 2.0 * FED);
    }
}

#[test]
fn a_step_that_is_cancelled_does_not_wait_for_its_functions() {
    let session = session(1, |b| {
        let x = x(b);
        call(b, "PyFunc", "slow", &[x], &[DType::F32]);
    });
    let (begun, has_begun) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = std::sync::Mutex::new(may_go_on);
    session.host().register("slow", move |call: HostCall| {
        begun.send(()).unwrap();
        let _ = may_go_on.lock().unwrap().recv_timeout(Duration::from_secs(60));
        assert!(call.cancel.is_cancelled());
        Ok(call.inputs)
    });
    let token = CancelToken::new();
    let cancelling = token.clone();
    let canceller = std::thread::spawn(move || {
        has_begun.recv_timeout(Duration::from_secs(60)).unwrap();
        cancelling.cancel();
    });
    let options = RunOptions { cancel: Some(token), ..RunOptions::default() };
    let error = session.run_with(&options, &feeds(), &["slow"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::Cancelled, "{error}");
    drop(go_on);
    canceller.join().unwrap();
}

#[test]
fn the_time_of_a_function_is_in_the_trace() {
    let session = session(2, |b| {
        let x = x(b);
        call(b, "PyFunc", "slow", &[x], &[DType::F32]);
    });
    let time = Duration::from_millis(20);
    session.host().register("slow", move |call: HostCall| {
        std::thread::sleep(time);
        Ok(call.inputs)
    });
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let (_, metadata) = session.run_with(&options, &feeds(), &["slow"], &[]).unwrap();
    let trace = metadata.trace.unwrap();
    let event = trace.events.iter().find(|event| &*event.node == "slow").unwrap();
    assert!(event.end_ns - event.start_ns >= time.as_nanos() as u64);
}

#[test]
fn the_gradient_of_an_eager_function_is_a_function_too() {
    let session = session(2, |b| {
        let x = x(b);
        let n = b.constant(Tensor::scalar(5i32));
        let y = call(b, "EagerPyFunc", "cube", &[x, n], &[DType::F32]);
        let grads = b.gradients(&[y], &[x]).unwrap();
        b.identity("dx", grads[0].unwrap());
    });
    session.host().register("cube", |call: HostCall| Ok(vec![Tensor::scalar(call.inputs[0].item::<f32>()?.powi(3))]));
    session.host().register("cube:gradient", |call: HostCall| {
        let (x, dy) = (call.inputs[0].item::<f32>()?, call.inputs[2].item::<f32>()?);
        Ok(vec![Tensor::scalar(3.0 * x * x * dy)])
    });
    assert_eq!(session.run(&feeds(), &["dx"], &[]).unwrap()[0].item::<f32>().unwrap(), 27.0);
}

#[test]
fn an_empty_list_of_arguments_or_results_is_one() {
    let session = session(1, |b| {
        let none = call(b, "PyFunc", "source", &[], &[DType::I64]);
        b.identity("y", none);
        let x = x(b);
        call(b, "PyFunc", "sink", &[x], &[]);
    });
    session.host().register("source", |_: HostCall| Ok(vec![Tensor::from_vec(Shape::vector(2), vec![1i64, 2])?]));
    let (sender, received) = mpsc::channel();
    session.host().register("sink", move |call: HostCall| {
        sender.send(call.inputs[0].item::<f32>()?).unwrap();
        Ok(Vec::new())
    });
    assert_eq!(session.run(&[], &["y"], &[]).unwrap()[0].slice::<i64>().unwrap(), [1, 2]);
    session.run(&feeds(), &[], &["sink"]).unwrap();
    assert_eq!(received.recv().unwrap(), FED);
}
