//! Concurrent steps of one session that change the same variables: kernels that hold a variable share their work with
//! threads that may wait for it.

use levada::{Builder, DType, PartialShape, Session, SessionOptions, Shape, Tensor};
use std::sync::mpsc::channel;
use std::time::Duration;

const ELEMENTS: usize = 400_000;
const VARIABLES: usize = 6;

/// A session in which each of `change0`, `change1`, ... performs a step on a large variable, or adds to it.
fn session(threads: usize) -> Session {
    let mut b = Builder::new(levada::registry());
    let shape = b.constant(Tensor::vector(vec![ELEMENTS as i32]));
    let number = |b: &mut Builder, value: f32| b.constant(Tensor::scalar(value));
    let (zero, one, rate) = (number(&mut b, 0.0), number(&mut b, 1.0), number(&mut b, -1.0));
    let zeros = b.node("Fill").name("zeros").inputs([shape, zero]).add();
    let fed = b.placeholder("x", DType::F32, PartialShape::vector(Some(ELEMENTS)));
    for i in 0..VARIABLES {
        let size = PartialShape::vector(Some(ELEMENTS));
        let (name, change) = (format!("variable{i}"), format!("change{i}"));
        let variable = b.node("VariableV2").name(&name).attr("dtype", DType::F32).attr("shape", size).add();
        b.node("Assign").name(&format!("init{i}")).inputs([variable, zeros]).add();
        let grown = b.node("Exp").name(&format!("grown{i}")).input(fed).add();
        let added = b.node("Mul").name(&format!("added{i}")).inputs([grown, one]).add();
        match i % 2 {
            0 => b.node("ApplyGradientDescent").name(&change).inputs([variable, rate, added]).add(),
            _ => b.node("AssignAdd").name(&change).inputs([variable, added]).add(),
        };
        b.node("Identity").name(&format!("read{i}")).input(variable).add();
    }
    let session = Session::new(b.finish().unwrap(), SessionOptions { threads, ..SessionOptions::default() }).unwrap();
    session.run(&[], &[], &named("init")).unwrap();
    session
}

/// The nodes of all variables whose names begin with this.
fn named(kind: &str) -> Vec<&'static str> {
    (0..VARIABLES).map(|i| &*format!("{kind}{i}").leak()).collect()
}

#[test]
fn steps_that_change_the_same_variables_end() {
    const STEPS: usize = 100;
    const CALLERS: usize = 4;
    for threads in [2, 4] {
        let session = session(threads);
        let (done, all) = channel();
        for _ in 0..CALLERS {
            let (session, done) = (session.clone(), done.clone());
            std::thread::spawn(move || {
                let x = Tensor::zeros(DType::F32, Shape::vector(ELEMENTS));
                for _ in 0..STEPS {
                    session.run(&[("x", x.clone())], &[], &named("change")).unwrap();
                }
                done.send(()).unwrap();
            });
        }
        for _ in 0..CALLERS {
            all.recv_timeout(Duration::from_secs(120)).expect("steps wait for each other");
        }
        let values = session.run(&[], &named("read"), &[]).unwrap();
        let steps = (STEPS * CALLERS) as f32;
        assert!(values.iter().all(|value| value.slice::<f32>().unwrap().iter().all(|&v| v == steps)));
    }
}
