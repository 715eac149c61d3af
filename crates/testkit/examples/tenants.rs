//! One honest session beside several of untrusted graphs, in one process: prints how much of its fair share the honest
//! one keeps.
//!
//! ```text
//! cargo run --release -p levada-testkit --example tenants -- --tenants 3 --callers 4 --seconds 5
//! ```
//!
//! Each tenant does one thing as hard as it can: loops, memory, small steps, queues, recursion, large products, wide
//! graphs, prefetching input pipelines, texts. The fair share is the throughput of the honest session when it runs
//! alone, times its equal share of the processors (those that the process gets, divided by the number of sessions),
//! relative to the processors that it uses alone. A tenant has one caller, or as many as `--callers` says. If the
//! honest session keeps less than 80% of that, the program fails.

use levada::graph::read;
use levada::{CallableOptions, Error, Limits, Result, Session, SessionOptions, Shape, Tensor};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const USAGE: &str =
    "tenants [--tenants N] [--callers N] [--threads N] [--seconds N] [--only NAME] [--honest small|layers|products]";

/// The part of its fair share that the honest session must keep.
const KEPT: f64 = 0.8;

struct Options {
    tenants: usize,
    callers: usize,
    /// Threads of each session; 0 for one per core.
    threads: usize,
    seconds: u64,
    only: Option<String>,
    honest: String,
}

fn options() -> Option<Options> {
    let mut options =
        Options { tenants: 3, callers: 1, threads: 0, seconds: 3, only: None, honest: "layers".to_owned() };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next()?;
        match flag.as_str() {
            "--tenants" => options.tenants = value.parse().ok()?,
            "--callers" => options.callers = value.parse().ok()?,
            "--threads" => options.threads = value.parse().ok()?,
            "--seconds" => options.seconds = value.parse().ok()?,
            "--only" => options.only = Some(value),
            "--honest" => options.honest = value,
            _ => return None,
        }
    }
    Some(options)
}

/// A session's work: a graph, its feeds and its targets.
struct Work {
    name: &'static str,
    graph: Value,
    feeds: Vec<(&'static str, Tensor)>,
    fetch: &'static str,
}

fn constant(name: &str, dtype: &str, value: Value) -> Value {
    json!({"name": name, "op": "Const", "attr": {"dtype": dtype, "value": value}})
}

fn node(name: &str, op: &str, input: &[&str]) -> Value {
    json!({"name": name, "op": op, "input": input})
}

/// An endless loop that applies `body` to `merge`; the body's first node takes `switch:1`, its last is `last`.
fn endless(start: &str, dtype: &str, body: Vec<Value>) -> Vec<Value> {
    let enter = |name: &str, of: &str| json!({"name": name, "op": "Enter", "input": [of], "attr": {"frame_name": "loop", "T": dtype}});
    let mut nodes = vec![
        enter("start", start),
        node("merge", "Merge", &["start", "next"]),
        json!({"name": "yes", "op": "Const", "input": ["^merge"], "attr": {"dtype": "bool", "value": true}}),
        node("cond", "LoopCond", &["yes"]),
        node("switch", "Switch", &["merge", "cond"]),
    ];
    nodes.extend(body);
    nodes.push(node("next", "NextIteration", &["last"]));
    nodes.push(node("out", "Exit", &["switch"]));
    nodes
}

/// Functions from int32 to int32: a name and the nodes, the last of which is called `r`.
fn call(name: &str, function: &str, input: &str) -> Value {
    json!({"name": name, "op": "PartitionedCall", "input": [input],
        "attr": {"Tin": {"list": {"type": ["DT_INT32"]}}, "Tout": {"list": {"type": ["DT_INT32"]}}, "f": {"func": {"name": function}}}})
}

fn function(name: &str, nodes: &[Value], ret: &str) -> Value {
    json!({"signature": {"name": name, "inputArg": [{"name": "n", "type": "DT_INT32"}], "outputArg": [{"name": "r", "type": "DT_INT32"}]},
        "nodeDef": nodes, "ret": {"r": ret}})
}

fn square(side: usize) -> Result<Tensor> {
    Tensor::from_vec(Shape::new([side, side])?, vec![0.001f32; side * side])
}

/// Names of the kinds of tenants.
fn hostile() -> Result<Vec<Work>> {
    let int = |name: &str, value: i64| constant(name, "int32", json!(value));
    let i32 = || Tensor::scalar(1i32);
    let fed = |name: &str, dtype: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": dtype}});
    let of = |nodes: Vec<Value>| json!({ "node": nodes });
    let add = |input: [&str; 2]| vec![node("last", "AddV2", &input)];
    let mut wide = vec![fed("x", "float32")];
    wide.extend((0..2000).map(|i| node(&format!("exp{i}"), "Exp", &["x"])));
    let all: Vec<String> = (0..2000).map(|i| format!("exp{i}")).collect();
    wide.push(json!({"name": "out", "op": "AddN", "input": all}));
    let again = function("again", &[call("c", "again", "n")], "c:output:0");
    let twice = function(
        "twice",
        &[
            call("a", "twice", "n"),
            call("b", "twice", "n"),
            json!({"name": "s", "op": "AddV2",
        "input": ["a:output:0", "b:output:0"], "attr": {"T": {"type": "DT_INT32"}}}),
        ],
        "s:z:0",
    );
    let forever = json!({"name": "forever", "op": "RepeatDataset", "input": ["range", "most"],
        "attr": {"output_types": ["int64"], "output_shapes": [[]]}});
    let heavy = json!({"signature": {"name": "heavy", "inputArg": [{"name": "n", "type": "DT_INT64"}],
        "outputArg": [{"name": "r", "type": "DT_FLOAT"}]},
        "nodeDef": [
            {"name": "d", "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
                "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {"dim": [{"size": "2"}]}, "intVal": [256, 256]}}}},
            {"name": "v", "op": "Const", "attr": {"dtype": {"type": "DT_FLOAT"},
                "value": {"tensor": {"dtype": "DT_FLOAT", "tensorShape": {}, "floatVal": [0.01]}}}},
            {"name": "f", "op": "Cast", "input": ["n"], "attr": {"SrcT": {"type": "DT_INT64"}, "DstT": {"type": "DT_FLOAT"}}},
            {"name": "m", "op": "Fill", "input": ["d:output:0", "f:y:0"],
                "attr": {"T": {"type": "DT_FLOAT"}, "index_type": {"type": "DT_INT32"}}},
            {"name": "p", "op": "MatMul", "input": ["m:output:0", "m:output:0"], "attr": {"T": {"type": "DT_FLOAT"}}},
        ], "ret": {"r": "p:product:0"}});
    let ahead = json!({"node": [
        constant("zero", "int64", json!(0)), constant("end", "int64", json!(1_000_000_000i64)),
        constant("one", "int64", json!(1)), constant("most", "int64", json!(-1)), constant("calls", "int64", json!(16)),
        {"name": "range", "op": "RangeDataset", "input": ["zero", "end", "one"],
            "attr": {"output_types": ["int64"], "output_shapes": [[]]}},
        forever,
        {"name": "map", "op": "ParallelMapDatasetV2", "input": ["forever", "calls"],
            "attr": {"f": {"func": {"name": "heavy"}}, "Targuments": {"list": {"type": []}},
                "output_types": ["float32"], "output_shapes": [[256, 256]]}},
        {"name": "prefetch", "op": "PrefetchDataset", "input": ["map", "calls"],
            "attr": {"output_types": ["float32"], "output_shapes": [[256, 256]]}},
        {"name": "iterator", "op": "IteratorV2", "attr": {"shared_name": "i", "container": "",
            "output_types": ["float32"], "output_shapes": [[256, 256]]}},
        {"name": "make", "op": "MakeIterator", "input": ["prefetch", "iterator"]},
        {"name": "out", "op": "IteratorGetNext", "input": ["iterator"], "attr": {"output_types": ["float32"], "output_shapes": [[256, 256]]}}
    ], "library": {"function": [heavy]}});
    Ok(vec![
        Work {
            name: "loop",
            graph: of([vec![fed("x", "int32")], endless("x", "int32", add(["switch:1", "switch:1"]))].concat()),
            feeds: vec![("x", i32())],
            fetch: "out",
        },
        Work {
            name: "memory",
            graph: of([
                vec![fed("x", "float32")],
                endless(
                    "x",
                    "float32",
                    vec![
                        json!({"name": "dims", "op": "Const", "input": ["^switch"], "attr": {"dtype": "int32", "value": [25_000_000]}}),
                        node("fill", "Fill", &["dims", "switch:1"]),
                        json!({"name": "axis", "op": "Const", "input": ["^switch"], "attr": {"dtype": "int32", "value": [0]}}),
                        node("last", "Max", &["fill", "axis"]),
                    ],
                ),
            ]
            .concat()),
            feeds: vec![("x", Tensor::scalar(1f32))],
            fetch: "out",
        },
        Work { name: "steps", graph: of(vec![fed("x", "int32"), node("out", "AddV2", &["x", "x"])]), feeds: vec![("x", i32())], fetch: "out" },
        Work {
            name: "queue",
            graph: of(vec![
                fed("x", "float32"),
                json!({"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"], "capacity": 100_000}}),
                json!({"name": "put", "op": "QueueEnqueueManyV2", "input": ["q", "x"]}),
                json!({"name": "n", "op": "Const", "attr": {"dtype": "int32", "value": 1000}}),
                json!({"name": "out", "op": "QueueDequeueManyV2", "input": ["q", "n", "^put"], "attr": {"component_types": ["float32"]}}),
            ]),
            feeds: vec![("x", Tensor::vector(vec![1f32; 1000]))],
            fetch: "out",
        },
        Work {
            name: "recursion",
            graph: json!({"node": [int("one", 1), call("out", "again", "one")], "library": {"function": [again]}}),
            feeds: vec![],
            fetch: "out",
        },
        Work {
            name: "doubling",
            graph: json!({"node": [int("one", 1), call("out", "twice", "one")], "library": {"function": [twice]}}),
            feeds: vec![],
            fetch: "out",
        },
        Work {
            name: "products",
            graph: of(vec![fed("x", "float32"), node("out", "MatMul", &["x", "x"])]),
            feeds: vec![("x", square(1500)?)],
            fetch: "out",
        },
        Work { name: "wide", graph: of(wide), feeds: vec![("x", Tensor::vector(vec![1f32; 10_000]))], fetch: "out" },
        Work {
            name: "texts",
            graph: of((0..40).fold(vec![constant("t0", "string", json!("ab"))], |mut nodes, i| {
                let from = format!("t{i}");
                let name = if i == 39 { "out".to_owned() } else { format!("t{}", i + 1) };
                nodes.push(json!({"name": name, "op": "StringJoin", "input": [from.clone(), from], "attr": {"separator": "x"}}));
                nodes
            })),
            feeds: vec![],
            fetch: "out",
        },
        Work { name: "ahead", graph: ahead, feeds: vec![], fetch: "out" },
    ])
}

/// The work of the honest session.
fn honest(kind: &str) -> Result<Option<Work>> {
    let fed = json!({"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}});
    let work = |name, nodes: Vec<Value>, x: Tensor| Work {
        name,
        graph: json!({ "node": nodes }),
        feeds: vec![("x", x)],
        fetch: "out",
    };
    Ok(match kind {
        "small" => Some(work("small", vec![fed, node("out", "AddV2", &["x", "x"])], Tensor::scalar(1f32))),
        "layers" => {
            let mut nodes = vec![fed, node("h0", "Identity", &["x"])];
            for i in 0..8 {
                nodes.push(node(&format!("m{i}"), "MatMul", &[&format!("h{i}"), "x"]));
                nodes.push(node(&format!("h{}", i + 1), "Tanh", &[&format!("m{i}")]));
            }
            nodes.push(node("out", "Identity", &["h8"]));
            Some(work("layers", nodes, square(64)?))
        }
        "products" => Some(work("products", vec![fed, node("out", "MatMul", &["x", "x"])], square(700)?)),
        _ => None,
    })
}

fn session(work: &Work, options: SessionOptions) -> Result<Session> {
    let graph = read::json(work.graph.to_string().as_bytes(), &levada::registry())?;
    Session::new(graph, options)
}

/// Runs steps until it is told to stop; counts those that end, successfully or not.
fn runs(session: &Session, work: &Work, stop: &AtomicBool, count: &AtomicU64, must_succeed: bool) -> Result<()> {
    let feeds: Vec<&str> = work.feeds.iter().map(|(name, _)| *name).collect();
    let callable = session.callable(&CallableOptions::new(feeds, Some(work.fetch), None::<&str>))?;
    let values: Vec<Tensor> = work.feeds.iter().map(|(_, value)| value.clone()).collect();
    if work.name == "ahead" {
        session.run(&[], &[], &["make"])?;
    }
    while !stop.load(Ordering::Relaxed) {
        match callable.run(&values) {
            Err(error) if must_succeed => return Err(error),
            _ => count.fetch_add(1, Ordering::Relaxed),
        };
    }
    Ok(())
}

/// Processor time of the process in seconds, if the system reports it.
fn processor_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(ticks as f64 / 100.0)
}

/// Steps per second of the honest session, and the processors that the process used.
fn throughput(session: &Session, work: &Work, time: Duration) -> Result<(f64, f64)> {
    let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let caller = scope.spawn({
            let (session, stop, count) = (session.clone(), &stop, &count);
            move || runs(&session, work, stop, count, true)
        });
        thread::sleep(Duration::from_millis(300));
        let (begin, before, used) = (Instant::now(), count.load(Ordering::Relaxed), processor_time());
        thread::sleep(time);
        let taken = begin.elapsed().as_secs_f64();
        let steps = count.load(Ordering::Relaxed) - before;
        let used = used.zip(processor_time()).map_or(1.0, |(before, after)| (after - before) / taken);
        stop.store(true, Ordering::Relaxed);
        caller.join().map_err(|_| Error::internal("the honest caller panicked"))??;
        Ok((steps as f64 / taken, used))
    })
}

fn measure(options: &Options) -> Result<bool> {
    let Some(good) = honest(&options.honest)? else {
        return Err(Error::invalid("no such honest session").found(&options.honest));
    };
    let time = Duration::from_secs(options.seconds);
    let cores = thread::available_parallelism().map_or(1, usize::from) as f64;
    let fine = session(&good, SessionOptions { threads: options.threads, ..SessionOptions::default() })?;
    let mut worst = f64::INFINITY;
    for work in hostile()?.iter().filter(|work| options.only.as_deref().is_none_or(|only| only == work.name)) {
        // The baseline is measured right before, since machines vary over time.
        let (alone, used) = throughput(&fine, &good, time)?;
        let limits =
            Limits { memory: 512 << 20, memory_of_step: 512 << 20, time: Duration::from_secs(2), ..Limits::default() };
        let tenants = (0..options.tenants)
            .map(|_| {
                session(work, SessionOptions { threads: options.threads, ..SessionOptions::untrusted(limits.clone()) })
            })
            .collect::<Result<Vec<_>>>()?;
        let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
        let beside = thread::scope(|scope| {
            for tenant in &tenants {
                for _ in 0..options.callers {
                    let (tenant, stop, count) = (tenant.clone(), &stop, &count);
                    scope.spawn(move || runs(&tenant, work, stop, count, false));
                }
            }
            let beside = throughput(&fine, &good, time);
            stop.store(true, Ordering::Relaxed);
            tenants.iter().for_each(|tenant| tenant.close());
            beside
        })?;
        // If other processes use the processors too, the sessions share those that this process gets.
        let share = (beside.1.max(used).min(cores) / (options.tenants + 1) as f64 / used).min(1.0);
        let kept = beside.0 / (alone * share);
        worst = worst.min(kept);
        println!(
            "{:10} {alone:9.0} steps/s alone on {used:.2} processors, {:9.0} beside {} on {:.2} ({} of their runs ended): {:.0}% of its fair share",
            work.name,
            beside.0,
            options.tenants,
            beside.1,
            count.load(Ordering::Relaxed),
            kept * 100.0
        );
    }
    println!("{}: at least {:.0}% of its fair share", good.name, worst * 100.0);
    Ok(worst >= KEPT)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match measure(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
