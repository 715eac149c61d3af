//! Opens and closes sessions, runs steps and extends a graph, many times, and checks that memory, open files and
//! threads of the process do not grow:
//!
//! ```text
//! cargo run --release -p levada-testkit --example endurance -- --sessions 1000000 --steps 10000000 --extensions 100000
//! ```
//!
//! Each part measures the process after a tenth, when all caches are filled, and at the end. Memory may then be larger
//! by 8 MiB, or a tenth, plus 4 KiB for each node added to a graph. Some sessions are closed while their runs wait,
//! some steps fail, are cancelled or pass their deadline.

use levada::graph::read;
use levada::{CallableOptions, Error, Limits, Result, RunOptions, Session, SessionOptions, Tensor};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

const USAGE: &str = "endurance [--sessions N] [--steps N] [--extensions N]";

/// A graph with a variable, a queue, a loop in a function, a node that fails, and one that waits.
const GRAPH: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [64]}},
    {"name": "v", "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": [64], "shared_name": "v"}},
    {"name": "init", "op": "AssignVariableOp", "input": ["v", "x"]},
    {"name": "add", "op": "AssignAddVariableOp", "input": ["v", "x"]},
    {"name": "read", "op": "ReadVariableOp", "input": ["v", "^add"], "attr": {"dtype": "float32"}},
    {"name": "y", "op": "Tanh", "input": ["read"]},
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"], "shapes": [[64]], "capacity": 8}},
    {"name": "put", "op": "QueueEnqueueV2", "input": ["q", "y"]},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q", "^put"], "attr": {"component_types": ["float32"]}},
    {"name": "wait", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["float32"]}},
    {"name": "wrong", "op": "CheckNumerics", "input": ["x"], "attr": {"message": "not a number"}}
]}"#;

/// Resources held by a process.
#[derive(Clone, Copy, Debug)]
struct Held {
    bytes: usize,
    files: usize,
    threads: usize,
}

/// `None` if the system does not report them.
fn held() -> Option<Held> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let number = |key: &str| status.lines().find_map(|l| l.strip_prefix(key))?.split_whitespace().next()?.parse().ok();
    let files = std::fs::read_dir("/proc/self/fd").ok()?.count();
    Some(Held { bytes: number("VmRSS:")? << 10, files, threads: number("Threads:")? })
}

/// Calls `work` with every number below `times`; returns whether the resources of the process stayed constant. `each`:
/// bytes that each call may keep.
fn endures(name: &str, times: u64, each: usize, mut work: impl FnMut(u64) -> Result<()>) -> Result<bool> {
    let (begin, warm) = (Instant::now(), times / 10);
    let mut before = None;
    for i in 0..times {
        if i == warm {
            before = held();
        }
        work(i)?;
    }
    // Threads of closed sessions end asynchronously.
    thread::sleep(Duration::from_millis(200));
    let seconds = begin.elapsed().as_secs_f64();
    let (Some(before), Some(after)) = (before, held()) else {
        println!("{name}: {times} in {seconds:.1} s; the system does not tell what the process holds");
        return Ok(true);
    };
    let room = (before.bytes / 10).max(8 << 20) + each * (times - warm) as usize;
    let stays = after.bytes <= before.bytes + room && after.files <= before.files && after.threads <= before.threads;
    println!(
        "{name}: {times} in {seconds:.1} s; from {warm} on {} to {} KiB, {} to {} files, {} to {} threads: {}",
        before.bytes >> 10,
        after.bytes >> 10,
        before.files,
        after.files,
        before.threads,
        after.threads,
        if stays { "does not grow" } else { "GROWS" }
    );
    Ok(stays)
}

fn session(options: SessionOptions) -> Result<Session> {
    Session::new(read::json(GRAPH.as_bytes(), &levada::registry())?, options)
}

fn x(value: f32) -> (&'static str, Tensor) {
    ("x", Tensor::vector(vec![value; 64]))
}

/// Opens a session, runs a few steps, and closes it: trusted or not, with runs that wait or without.
fn one_session(i: u64) -> Result<()> {
    let options = match i % 2 {
        0 => SessionOptions { threads: 2, ..SessionOptions::default() },
        _ => SessionOptions { threads: 2, ..SessionOptions::untrusted(Limits::default()) },
    };
    let session = session(options)?;
    session.run(&[x(0.0)], &[], &["init"])?;
    session.run(&[x(0.1)], &["take"], &[])?;
    if i.is_multiple_of(16) {
        let waits = session.clone();
        let waiting = thread::spawn(move || waits.run(&[], &["wait"], &[]).is_err());
        session.close();
        if !waiting.join().unwrap_or(false) {
            return Err(Error::internal("a run of a closed session has ended well"));
        }
    }
    Ok(())
}

fn steps(times: u64) -> Result<bool> {
    let session = session(SessionOptions { threads: 2, ..SessionOptions::default() })?;
    session.run(&[x(0.0)], &[], &["init"])?;
    let good = session.callable(&CallableOptions::new(["x"], Some("take"), None::<&str>))?;
    let bad = session.callable(&CallableOptions::new(["x"], Some("wrong"), None::<&str>))?;
    let waits = session.callable(&CallableOptions::new(None::<&str>, Some("wait"), None::<&str>))?;
    let (one, wrong) = (Tensor::vector(vec![0.001f32; 64]), Tensor::vector(vec![f32::NAN; 64]));
    endures("steps", times, 0, |i| {
        match i % 1000 {
            1 => drop(bad.run(std::slice::from_ref(&wrong))),
            2 => {
                let timeout = Some(Duration::from_micros(50));
                drop(waits.run_with(&RunOptions { timeout, ..RunOptions::default() }, &[]));
            }
            3 => drop(session.run_with(&RunOptions { trace: true, ..RunOptions::default() }, &[x(0.0)], &["y"], &[])),
            _ => drop(good.run(std::slice::from_ref(&one))?),
        }
        Ok(())
    })
}

/// Adds and fetches a node each time, and so compiles another plan each time, of which some are kept.
fn extensions(times: u64) -> Result<bool> {
    let session = session(SessionOptions { threads: 1, plan_limit: 100, ..SessionOptions::default() })?;
    session.run(&[x(0.0)], &[], &["init"])?;
    endures("extensions", times, 4096, |i| {
        let name = format!("more{i}");
        let node = format!(
            r#"{{"node": [{{"name": "{name}", "op": "Neg", "input": ["x"], "attr": {{"T": {{"type": "DT_FLOAT"}}}}}}]}}"#
        );
        session.extend(read::parse(node.as_bytes(), Some(session.registry()))?)?;
        session.run(&[x(1.0)], &[&name], &[]).map(drop)
    })
}

fn main() -> ExitCode {
    let (mut sessions, mut runs, mut grows) = (100_000, 1_000_000, 100_000);
    let args: Vec<String> = std::env::args().skip(1).collect();
    for pair in args.chunks(2) {
        let number = pair.get(1).and_then(|value| value.parse::<u64>().ok());
        match (pair[0].as_str(), number) {
            ("--sessions", Some(n)) => sessions = n,
            ("--steps", Some(n)) => runs = n,
            ("--extensions", Some(n)) => grows = n,
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    let all = || Ok(endures("sessions", sessions, 0, one_session)? & steps(runs)? & extensions(grows)?);
    match all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err::<bool, Error>(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
