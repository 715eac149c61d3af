//! Throughput of queues: `cargo bench -p levada-tests --bench queues [-- --json] [NAME ...]`.
//!
//! `pingpong` is an enqueue and a dequeue of a scalar in two runs. The others are pipelines that make batches of 128
//! vectors of 64 random floats: `batch` enqueues them one by one, `many` 32 at a time, `shuffle` through a shuffling
//! queue, each with 1, 2 and 4 concurrent runs of the pipeline. `ordered` compares batches in a fixed order with the
//! unordered ones of [`levada::train::batch`], for elements that need no work and some work.

use levada::train::{self, Batch, Producer, Shuffle};
use levada::{
    Builder, Callable, CallableOptions, Coordinator, DType, Error, PartialShape, Session, SessionOptions, Tensor,
};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const BATCH: usize = 128;
const DIM: i64 = 64;
/// Time of one measurement.
const TIME: Duration = Duration::from_millis(700);

fn session(threads: usize, build: impl FnOnce(&mut Builder)) -> Result<Session, Error> {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    let session = Session::new(b.finish()?, SessionOptions { threads, ..SessionOptions::default() })?;
    if session.graph().find("init").is_some() {
        session.run(&[], &[], &["init"])?;
    }
    Ok(session)
}

/// Calls per second, for the best of several short intervals.
fn rate(call: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let mut best = 0f64;
    for _ in 0..4 {
        let (start, mut calls) = (Instant::now(), 0u32);
        while start.elapsed() < TIME / 4 {
            for _ in 0..8 {
                call()?;
            }
            calls += 8;
        }
        best = best.max(f64::from(calls) / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn callable(session: &Session, feeds: &[&str], fetch: Option<&str>, target: Option<&str>) -> Result<Callable, Error> {
    session.callable(&CallableOptions::new(feeds.iter().copied(), fetch, target))
}

fn pingpong(threads: usize) -> Result<f64, Error> {
    let session = session(threads, |b| {
        let queue = b
            .node("FIFOQueueV2")
            .name("q")
            .attr("component_types", vec![DType::F32])
            .attr("shapes", vec![PartialShape::scalar()])
            .attr("capacity", 10)
            .add();
        let v = b.placeholder("v", DType::F32, PartialShape::scalar());
        b.node("QueueEnqueueV2").name("put").input(queue).input(v).add();
        b.node("QueueDequeueV2").name("take").input(queue).attr("component_types", vec![DType::F32]).add();
    })?;
    let put = callable(&session, &["v"], None, Some("put"))?;
    let take = callable(&session, &[], Some("take"), None)?;
    let value = Tensor::scalar(3f32);
    rate(&mut || {
        put.run(std::slice::from_ref(&value))?;
        take.run(&[]).map(drop)
    })
}

/// Batches per second of a pipeline with runners.
fn pipeline(threads: usize, build: impl FnOnce(&mut Builder)) -> Result<f64, Error> {
    let session = session(threads, build)?;
    let take = callable(&session, &[], Some("batch"), None)?;
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator)?;
    // Elements that are in the queue at the start were enqueued outside of the timed interval.
    for _ in 0..200 {
        take.run(&[])?;
    }
    let rate = rate(&mut || take.run(&[]).map(drop));
    coordinator.request_stop();
    coordinator.join(Duration::from_secs(20))?;
    rate
}

fn batches(name: &str, threads: usize, runners: usize) -> Result<f64, Error> {
    let per = if name == "many" { 32 } else { 1 };
    let rate = pipeline(threads, |b| {
        let dims: Vec<i32> = if per > 1 { vec![per, DIM as i32] } else { vec![DIM as i32] };
        let shape = b.constant(Tensor::vector(dims));
        let x = b.node("RandomUniform").input(shape).attr("dtype", DType::F32).attr("seed", 5).add();
        let options = Batch {
            num_threads: runners,
            capacity: 10_000,
            enqueue_many: per > 1,
            name: "batch".into(),
            ..Batch::of(BATCH as i32)
        };
        match name {
            "shuffle" => {
                let shuffle = Shuffle { min_after_dequeue: 5_000, seed: Some(5) };
                train::shuffle_batch(b, &[x], shuffle, &options)
            }
            _ => train::batch(b, &[x], &options),
        };
    })?;
    Ok(rate * BATCH as f64)
}

fn ordered(threads: usize, runners: usize, ordered: bool, work: i32) -> Result<f64, Error> {
    let rate = pipeline(threads, |b| {
        let limit = b.constant(Tensor::scalar(1_000_000i32));
        let options = Producer { shuffle: false, capacity: 1 << 12, ..Producer::default() };
        let queue = train::range_input_producer(b, limit, &options);
        let mut number = b.node("QueueDequeueV2").input(queue).attr("component_types", vec![DType::I32]).add();
        if work > 0 {
            // Decoding a record of some kilobytes.
            let size = b.constant(Tensor::vector(vec![100 * work]));
            let many = b.op("BroadcastTo", &[number, size]);
            let text = b.op("AsString", &[many]);
            let back = b.node("StringToNumber").input(text).attr("out_type", DType::I32).add();
            let axis = b.constant(Tensor::scalar(0i32));
            number = b.op("Max", &[back, axis]);
        }
        let batch = Batch { num_threads: runners, ordered, capacity: 1000, name: "batch".into(), ..Batch::of(100) };
        train::batch(b, &[number], &batch);
    })?;
    Ok(rate * 100.0)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let json = args.iter().any(|a| a == "--json");
    let names: Vec<&str> = args.iter().map(String::as_str).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| names.is_empty() || names.contains(&name);
    let tell = |name: &str, threads: usize, runners: usize, unit: &str, rate: f64| match json {
        true => {
            println!(
                r#"{{"name":"{name}","threads":{threads},"runners":{runners},"unit":"{unit}","per_second":{rate:.1}}}"#
            );
        }
        false => println!("{name:20} {threads} threads {runners:2} runners {rate:12.0} {unit}/s"),
    };
    let run = || -> Result<(), Error> {
        if wanted("pingpong") {
            for threads in [1, 2] {
                tell("pingpong", threads, 0, "elements", pingpong(threads)?);
            }
        }
        for name in ["batch", "many", "shuffle"].into_iter().filter(|name| wanted(name)) {
            for runners in [1, 2, 4] {
                tell(name, 2, runners, "examples", batches(name, 2, runners)?);
            }
        }
        if wanted("ordered") {
            for work in [0, 10] {
                for (threads, runners) in [(1, 1), (2, 1), (2, 2), (2, 4), (2, 16)] {
                    let mut best = [0f64; 2];
                    for _ in 0..3 {
                        for (best, is_ordered) in best.iter_mut().zip([false, true]) {
                            *best = best.max(ordered(threads, runners, is_ordered, work)?);
                        }
                    }
                    tell(&format!("as they come, work {work}"), threads, runners, "elements", best[0]);
                    tell(&format!("ordered, work {work}"), threads, runners, "elements", best[1]);
                }
            }
        }
        Ok(())
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
