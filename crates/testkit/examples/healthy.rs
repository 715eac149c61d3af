//! Runs many steps that wait for slow producers outside of the graph, none of which may be reported as a stall; then
//! lets some wait and prints the processor time that this takes:
//!
//! ```text
//! cargo run --release -p levada-testkit --example healthy -- 100000
//! ```

use levada::graph::read;
use levada::{CallableOptions, Error, Session, SessionOptions, Tensor};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const GRAPH: &str = r#"{"node": [
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int64"], "shapes": [[]], "capacity": 2}},
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "int64"}},
    {"name": "two", "op": "Const", "attr": {"dtype": "int32", "value": 2}},
    {"name": "put", "op": "QueueEnqueueV2", "input": ["q", "x"]},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int64"]}},
    {"name": "pair", "op": "QueueDequeueManyV2", "input": ["q", "two"], "attr": {"component_types": ["int64"]}},
    {"name": "close", "op": "QueueCloseV2", "input": ["q"], "attr": {"cancel_pending_enqueues": true}}]}"#;

fn session(threads: usize) -> Result<Session, Error> {
    let graph = read::json(GRAPH.as_bytes(), &levada::registry())?;
    Session::new(graph, SessionOptions { threads, ..SessionOptions::default() })
}

/// The producer is occasionally late, so that either side comes first at times.
fn produce(session: &Session, elements: u64, mut seed: u64) -> Result<(), Error> {
    let put = session.callable(&CallableOptions::new(["x"], None::<&str>, Some("put")))?;
    for i in 0..elements {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (seed >> 33).is_multiple_of(4) {
            std::thread::sleep(Duration::from_micros((seed >> 40) % 3000));
        }
        put.run(&[Tensor::scalar(i as i64)])?;
    }
    Ok(())
}

/// Runs one consumer and one producer; returns the number of successful runs.
fn pair(threads: usize, fetch: &str, runs: u64, seed: u64) -> Result<u64, Error> {
    let session = session(threads)?;
    let producer = session.clone();
    let elements = runs * if fetch == "pair" { 2 } else { 1 };
    std::thread::scope(|scope| {
        let produced = scope.spawn(move || produce(&producer, elements, seed));
        for _ in 0..runs {
            session.run(&[], &[fetch], &[])?;
        }
        produced.join().map_err(|_| Error::internal("a producer panicked"))??;
        Ok(runs)
    })
}

/// Processor time of this process in clock ticks of ten milliseconds.
fn ticks() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

fn idle() -> Result<(), Error> {
    const WAITING: usize = 64;
    let session = session(2)?;
    std::thread::scope(|scope| {
        let takers: Vec<_> = (0..WAITING)
            .map(|_| {
                let own = session.clone();
                scope.spawn(move || own.run(&[], &["take"], &[]).is_err())
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        let before = ticks();
        std::thread::sleep(Duration::from_secs(3));
        if let (Some(before), Some(after)) = (before, ticks()) {
            println!("{WAITING} runs waited for 3 s and took {} ms of processor time", 10 * (after - before));
        }
        session.run(&[], &[], &["close"])?;
        takers.into_iter().for_each(|taker| drop(taker.join()));
        Ok(())
    })
}

fn main() -> ExitCode {
    let runs: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let start = Instant::now();
    const PAIRS: u64 = 24;
    let outcome: Result<u64, Error> = std::thread::scope(|scope| {
        let pairs: Vec<_> = (0..PAIRS)
            .map(|i| {
                let (threads, fetch) = ([1, 2, 4][(i % 3) as usize], ["take", "pair"][(i % 2) as usize]);
                scope.spawn(move || pair(threads, fetch, runs.div_ceil(PAIRS), i))
            })
            .collect();
        let mut done = 0;
        for thread in pairs {
            done += thread.join().map_err(|_| Error::internal("a consumer panicked"))??;
        }
        Ok(done)
    });
    match outcome.and_then(|done| idle().map(|()| done)) {
        Ok(done) => {
            println!("{done} runs, no false alarm, {:.1} s", start.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
