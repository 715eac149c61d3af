//! A pipeline that makes progress is never taken for stalled. `LEVADA_RUNS` sets the number of pipelines, for long
//! tests:
//!
//!     LEVADA_RUNS=100000 cargo test --release --test alarms

use levada::graph::collections;
use levada::{Builder, Code, Coordinator, DType, PartialShape, QueueRunnerDef, Session, SessionOptions, Tensor};
use std::time::Duration;

const RUNNERS: usize = 5;
const ELEMENTS: i64 = 20;

/// Numbers below [`ELEMENTS`], which runners put into a queue that holds few of them.
fn pipeline(capacity: i64) -> Session {
    let mut b = Builder::new(levada::registry());
    let counter = b.node("VarHandleOp").name("counter").attr("dtype", DType::I64).attr("shape", PartialShape::scalar());
    let counter = counter.add();
    let zero = b.constant(Tensor::scalar(0i64));
    b.node("AssignVariableOp").name("init").inputs([counter, zero]).attr("dtype", DType::I64).add();
    let number = b.node("ResourceCountUpTo").name("count").input(counter).attr("limit", ELEMENTS).attr("T", DType::I64);
    let number = number.add();
    let queue = b.node("FIFOQueueV2").name("queue").attr("capacity", capacity);
    let queue = queue.attr("component_types", vec![DType::I64]).attr("shapes", vec![PartialShape::scalar()]).add();
    let types = vec![DType::I64];
    b.node("QueueEnqueueV2").name("put").inputs([queue, number]).attr("Tcomponents", types.clone()).add();
    b.node("QueueDequeueV2").name("take").input(queue).attr("component_types", types).add();
    b.node("QueueCloseV2").name("close").input(queue).add();
    b.node("QueueCloseV2").name("cancel").input(queue).attr("cancel_pending_enqueues", true).add();
    let runner = QueueRunnerDef {
        queue: "queue".to_owned(),
        enqueue: vec!["put".to_owned(); RUNNERS],
        close: "close".to_owned(),
        cancel: "cancel".to_owned(),
        closed_by: vec![Code::OutOfRange],
    };
    collections::add_queue_runner(b.collections_mut(), &runner).unwrap();
    let options = SessionOptions { threads: 8, closed_world: true, ..SessionOptions::default() };
    let session = Session::new(b.finish().unwrap(), options).unwrap();
    session.run(&[], &[], &["init"]).unwrap();
    session
}

#[test]
fn pipelines_that_go_on_raise_no_alarm() {
    let runs = std::env::var("LEVADA_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(300u64);
    for capacity in [1, 3] {
        for run in 0..runs / 2 {
            let session = pipeline(capacity);
            let coordinator = Coordinator::new();
            session.start_queue_runners(&coordinator).unwrap();
            let mut taken = 0;
            let error = loop {
                match session.run(&[], &["take"], &[]) {
                    Ok(_) => taken += 1,
                    Err(error) => break error,
                }
            };
            assert_eq!((error.code(), taken), (Code::OutOfRange, ELEMENTS), "run {run}: {error}");
            coordinator.request_stop();
            coordinator.join(Duration::from_secs(60)).unwrap();
        }
    }
}
