//! A single-threaded program, which a test harness is not: its session and callables count as one handle, so a stall is
//! reported if only they could have ended the wait; but not once there is another thread.

use levada::graph::read;
use levada::{CallableOptions, Code, RunOptions, Session, SessionOptions, Tensor};
use std::sync::mpsc;
use std::time::Duration;

/// A queue `q` with room for two, an `enqueue` of the placeholder `x`, and a `dequeue`.
const QUEUE: &str = r#"{"node": [
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int32"], "capacity": 2}},
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "int32"}},
    {"name": "enqueue", "op": "QueueEnqueueV2", "input": ["q", "x"]},
    {"name": "dequeue", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}}]}"#;

fn main() {
    if !cfg!(target_os = "linux") {
        println!("skipped: this system does not tell the number of threads");
        return;
    }
    for threads in [1, 2] {
        let graph = read::json(QUEUE.as_bytes(), &levada::registry()).unwrap();
        let session = Session::new(graph, SessionOptions { threads, ..SessionOptions::default() }).unwrap();
        let take = session.callable(&CallableOptions::new([""; 0], ["dequeue"], [])).unwrap();
        let put = session.callable(&CallableOptions::new(["x"], [], ["enqueue"])).unwrap();
        put.run(&[Tensor::scalar(3i32)]).unwrap();
        assert_eq!(take.run(&[]).unwrap()[0].item::<i32>().unwrap(), 3);
        assert_eq!(take.run(&[]).unwrap_err().code(), Code::Aborted);
        assert_eq!(session.run(&[], &["dequeue"], &[]).unwrap_err().code(), Code::Aborted);

        // Longer than the session waits for progress: the other thread may still enqueue an element.
        let (end, ended) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            ended.recv().unwrap_err();
            put.run(&[Tensor::scalar(4i32)]).unwrap();
        });
        let patient = RunOptions { timeout: Some(Duration::from_secs(5)), ..RunOptions::default() };
        let error = take.run_with(&patient, &[]).0.unwrap_err();
        assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
        drop(end);
        assert_eq!(take.run(&[]).unwrap()[0].item::<i32>().unwrap(), 4);
        thread.join().unwrap();
    }
    println!("a session and its callables on one thread are one handle: ok");
}
