//! Replayed sessions: the same bits on other numbers of threads, whatever was random when they were recorded.

use levada::graph::{collections, read};
use levada::kernel::{Host, HostCall};
use levada::recording::{Event, Recorder, Recording, Replay, Report, file, replay};
use levada::{
    Builder, CancelToken, Code, Coordinator, DType, Error, Graph, Output, PartialShape, QueueRunnerDef, RunOptions,
    Session, SessionOptions, Shape, Tensor,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

const SEEDS: u64 = 8;
const THREADS: [usize; 3] = [1, 2, 4];
const GRACE: Duration = Duration::from_secs(20);

fn graph(build: impl FnOnce(&mut Builder)) -> Graph {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    b.finish().unwrap()
}

fn record(graph: Graph, seed: u64, act: impl FnOnce(&Session)) -> Recording {
    let recorder = Recorder::new();
    let options = SessionOptions { threads: 4, disorder: Some(seed), ..SessionOptions::default() };
    let session = Session::new(graph, recorder.attach(options)).unwrap();
    act(&session);
    recorder.recording(&session).unwrap()
}

fn repeat(recording: &Recording, request: &Replay) -> Result<Report, Error> {
    let open = |graph: Graph, options: SessionOptions| Session::new(graph, options).map(|session| (*session).clone());
    replay(recording, None, &levada::registry(), request, &open)
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("levada-recording-{}-{name}", std::process::id()))
}

/// The recording after a round trip through a file.
fn written(recording: &Recording, name: &str) -> Recording {
    let path = path(name);
    file::write(&path, recording).unwrap();
    let read = file::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    read
}

fn is_repeated(name: &str, recording: &Recording, least: usize) {
    let read = written(recording, name);
    assert_eq!((read.events.len(), &read.setup), (recording.events.len(), &recording.setup));
    assert!(
        read.events
            .iter()
            .zip(&recording.events)
            .all(|(a, b)| a == b || matches!((a, b), (Event::Cut(_), Event::Cut(_))))
    );
    for threads in THREADS {
        let report = repeat(&read, &Replay { threads, ..Replay::default() }).unwrap();
        assert_eq!(report.changes, [], "{name} on {threads} threads");
        assert!(report.compared >= least, "{name}: {} tensors", report.compared);
    }
}

/// An unseeded random number.
fn random(b: &mut Builder, name: &str) -> Output {
    let shape = b.constant(Tensor::vector(vec![3i32]));
    b.node("RandomUniform").name(name).input(shape).attr("dtype", DType::F32).add()
}

fn variable(b: &mut Builder, name: &str) -> Output {
    let handle = b.node("VarHandleOp").name(name).attr("dtype", DType::F32).attr("shape", PartialShape::Unknown).add();
    let zeros = b.constant(Tensor::vector(vec![0f32; 3]));
    b.node("AssignVariableOp").name(&format!("{name}/init")).inputs([handle, zeros]).attr("dtype", DType::F32).add();
    handle
}

fn queue(b: &mut Builder, op: &str, name: &str) -> Output {
    let queue = b.node(op).name(name).attr("component_types", vec![DType::F32]).attr("capacity", 4i64);
    queue.attr("shapes", vec![PartialShape::new([Some(3)])]).add()
}

fn enqueue(b: &mut Builder, name: &str, queue: Output, value: Output) -> Output {
    b.node("QueueEnqueueV2").name(name).inputs([queue, value]).attr("Tcomponents", vec![DType::F32]).add()
}

fn dequeue(b: &mut Builder, name: &str, queue: Output) -> Output {
    b.node("QueueDequeueV2").name(name).input(queue).attr("component_types", vec![DType::F32]).add()
}

fn add_to(b: &mut Builder, name: &str, variable: Output, value: Output) -> Output {
    b.node("AssignAddVariableOp").name(name).inputs([variable, value]).attr("dtype", DType::F32).add()
}

fn read(b: &mut Builder, name: &str, variable: Output) -> Output {
    b.node("ReadVariableOp").name(name).input(variable).attr("dtype", DType::F32).add()
}

/// Runs these targets and fetches, each from its own thread, several times.
fn callers(session: &Session, each: &[(&str, &str)], times: usize) {
    let threads: Vec<_> = each
        .iter()
        .map(|(target, fetch)| {
            let (session, target, fetch) = (session.clone(), (*target).to_owned(), (*fetch).to_owned());
            thread::spawn(move || {
                for _ in 0..times {
                    let fetches: Vec<&str> = Some(&*fetch).filter(|name| !name.is_empty()).into_iter().collect();
                    let targets: Vec<&str> = Some(&*target).filter(|name| !name.is_empty()).into_iter().collect();
                    session.run(&[], &fetches, &targets).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn callers_that_race_for_queues_and_variables() {
    for (seed, op) in (0..SEEDS).zip(["FIFOQueueV2", "RandomShuffleQueueV2"].iter().cycle()) {
        let graph = graph(|b| {
            let (queue, sum) = (queue(b, op, "queue"), variable(b, "sum"));
            for name in ["left", "right"] {
                let value = random(b, &format!("{name}/value"));
                enqueue(b, name, queue, value);
            }
            let taken = dequeue(b, "taken", queue);
            add_to(b, "add", sum, taken);
            // Unordered: the read comes before or after the sum.
            read(b, "read", sum);
        });
        let recording = record(graph, seed, |session| {
            session.run(&[], &[], &["sum/init"]).unwrap();
            let each = [("left", ""), ("right", "read"), ("add", "taken"), ("add", "read")];
            callers(session, &each, 10);
            session.run(&[], &["read"], &[]).unwrap();
        });
        is_repeated("callers", &recording, 31);
    }
}

#[test]
fn queue_runners_between_callers() {
    for seed in 0..SEEDS {
        let graph = graph(|b| {
            let queue = queue(b, "FIFOQueueV2", "queue");
            let value = random(b, "value");
            let count = variable(b, "count");
            let one = b.constant(Tensor::vector(vec![1f32; 3]));
            let counted = add_to(b, "counted", count, one);
            let put = b.node("QueueEnqueueV2").name("put").inputs([queue, value]).attr("Tcomponents", vec![DType::F32]);
            put.after(counted).add();
            for (name, cancel) in [("close", false), ("cancel", true)] {
                b.node("QueueCloseV2").name(name).input(queue).attr("cancel_pending_enqueues", cancel).add();
            }
            dequeue(b, "taken", queue);
            let runner = QueueRunnerDef {
                queue: "queue".to_owned(),
                enqueue: vec!["put".to_owned(); 3],
                close: "close".to_owned(),
                cancel: "cancel".to_owned(),
                closed_by: vec![Code::OutOfRange],
            };
            collections::add_queue_runner(b.collections_mut(), &runner).unwrap();
        });
        let recording = record(graph, seed, |session| {
            session.run(&[], &[], &["count/init"]).unwrap();
            let coordinator = Coordinator::new();
            session.start_queue_runners(&coordinator).unwrap();
            for _ in 0..20 {
                session.run(&[], &["taken"], &[]).unwrap();
            }
            coordinator.request_stop();
            coordinator.join(GRACE).unwrap();
        });
        is_repeated("runners", &recording, 20);
    }
}

#[test]
fn what_comes_from_outside_comes_from_the_recording() {
    let graph = graph(|b| {
        let seen = b.constant(Tensor::scalar(0i64));
        let call = b.node("PyFunc").name("called").input(seen).attr("token", "count".to_owned());
        call.attr("Tout", vec![DType::I64]).add();
        b.node("Timestamp").name("now").add();
        random(b, "value");
    });
    let recorder = Recorder::new();
    let (host, calls) = (Host::default(), AtomicI64::new(0));
    host.register("count", move |_: HostCall| Ok(vec![Tensor::scalar(calls.fetch_add(1, Ordering::Relaxed))]));
    let options = SessionOptions { threads: 4, host: Some(Arc::new(host)), ..SessionOptions::default() };
    let session = Session::new(graph, recorder.attach(options)).unwrap();
    callers(&session, &[("", "called"), ("", "called"), ("", "now"), ("", "value")], 10);
    // The host of the replay has no functions.
    is_repeated("outside", &recorder.recording(&session).unwrap(), 40);
}

#[test]
fn runs_that_fail_and_runs_that_are_cancelled() {
    for seed in 0..SEEDS {
        let graph = graph(|b| {
            let (queue, sum) = (queue(b, "FIFOQueueV2", "queue"), variable(b, "sum"));
            let value = random(b, "value");
            enqueue(b, "put", queue, value);
            dequeue(b, "taken", queue);
            b.node("QueueSizeV2").name("size").input(queue).add();
            let add = add_to(b, "add", sum, value);
            let no = b.constant(Tensor::scalar(false));
            let why = b.constant(Tensor::string("no"));
            let fails = b.node("Assert").name("fails").inputs([no, why]).attr("T", vec![DType::Str]).add();
            b.node("NoOp").name("both").after(fails).after(add).add();
            read(b, "read", sum);
        });
        let recording = record(graph, seed, |session| {
            session.run(&[], &[], &["sum/init"]).unwrap();
            for _ in 0..5 {
                let cancel = CancelToken::new();
                let (waiting, token) = (session.clone(), cancel.clone());
                let waiter = thread::spawn(move || {
                    let options = RunOptions { cancel: Some(token), ..RunOptions::default() };
                    waiting.run_with(&options, &[], &["taken"], &[]).map(drop)
                });
                let putter = session.clone();
                let put = thread::spawn(move || putter.run(&[], &[], &["put"]).map(drop));
                cancel.cancel();
                // Which of the two comes first varies.
                let _ = waiter.join().unwrap();
                put.join().unwrap().unwrap();
                session.run(&[], &[], &["both"]).unwrap_err();
                session.run(&[], &["read"], &[]).unwrap();
                session
                    .run_with(
                        &RunOptions { timeout: Some(Duration::from_millis(1)), ..RunOptions::default() },
                        &[],
                        &["read"],
                        &["put"],
                    )
                    .map(drop)
                    .unwrap_or_default();
                while session.run(&[], &["size"], &[]).is_ok_and(|size| size[0].item::<i32>().unwrap() > 0) {
                    session.run(&[], &["taken"], &[]).unwrap();
                }
            }
        });
        is_repeated("failures", &recording, 5);
    }
}

/// Training of a convolutional network: products and sums that are large enough to be divided among threads.
#[test]
fn training_has_the_same_bits_on_any_number_of_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/digits");
    // The elements of a `.npy` file of the first version.
    let npy = |file: &str, dtype: DType, shape: &[usize]| {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        Tensor::from_bytes(dtype, Shape::new(shape.to_vec()).unwrap(), &bytes[start..]).unwrap()
    };
    let images = npy("test_images.npy", DType::F32, &[360, 8, 8, 1]);
    let labels = npy("test_labels.npy", DType::I64, &[360]);
    let graph = read::file(folder.join("train.json"), &levada::registry()).unwrap();
    let recording = record(graph, 5, |session| {
        session.run(&[], &[], &["init"]).unwrap();
        for _ in 0..12 {
            let feeds = [("images", images.clone()), ("labels", labels.clone())];
            session.run(&feeds, &["loss", "logits"], &["train_op"]).unwrap();
        }
    });
    is_repeated("training", &recording, 24);
}

#[test]
fn it_stops_at_a_node_and_shows_what_it_took_and_gave() {
    let graph = graph(|b| {
        let x = b.placeholder("x", DType::F32, PartialShape::Unknown);
        let value = random(b, "value");
        let sum = b.node("AddV2").name("sum").inputs([x, value]).add();
        b.node("Neg").name("minus").input(sum).add();
    });
    let mut fetched = Vec::new();
    let recording = record(graph, 0, |session| {
        for i in 0..3 {
            let fed = Tensor::vector(vec![i as f32; 3]);
            fetched.push(session.run(&[("x", fed)], &["minus", "value"], &[]).unwrap());
        }
    });
    let at = |node: &str, run| repeat(&recording, &Replay { until: Some(node.to_owned()), run, ..Replay::default() });
    let second = *recording.runs.keys().nth(1).unwrap();
    let stop = at("sum", Some(second)).unwrap().stopped.unwrap();
    assert_eq!((&*stop.node, &*stop.op, stop.run), ("sum", "AddV2", second));
    assert_eq!(stop.inputs[1], Some(fetched[1][1].clone()));
    let negative: Vec<f32> = stop.outputs[0].as_ref().unwrap().slice::<f32>().unwrap().iter().map(|x| -x).collect();
    assert_eq!(negative, fetched[1][0].slice::<f32>().unwrap());
    assert_eq!(at("value", None).unwrap().stopped.unwrap().outputs[0], Some(fetched[0][1].clone()));
    assert_eq!(at("nowhere", None).unwrap_err().code(), Code::NotFound);
    assert_eq!(at("sum", Some(u64::MAX)).unwrap_err().code(), Code::NotFound);
}

#[test]
fn damaged_files_and_other_graphs_are_refused() {
    let small = |name: &str| {
        graph(|b| {
            random(b, name);
        })
    };
    let recording = record(small("value"), 0, |session| drop(session.run(&[], &["value"], &[]).unwrap()));
    let path = path("damaged");
    file::write(&path, &recording).unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let code = |bytes: &[u8]| file::read_from(bytes).unwrap_err().code();
    assert!(file::read_from(&whole[..]).is_ok());
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    for cut in 1..lines.len() {
        assert_eq!(code(&lines[..cut].concat()), Code::DataLoss, "{cut} lines");
    }
    for byte in (0..whole.len()).step_by(7).filter(|byte| whole[*byte].is_ascii_digit()) {
        let mut other = whole.clone();
        other[byte] = if other[byte] == b'9' { b'8' } else { other[byte] + 1 };
        assert!(file::read_from(&other[..]).is_err(), "byte {byte}");
    }
    assert_eq!(code(b""), Code::InvalidArgument);
    assert_eq!(code(b"{\"node\": []}\n"), Code::InvalidArgument);
    assert_eq!(code(b"{\"levada_recording\": 2}\n"), Code::Unimplemented);

    let without = recording.clone().without_graph();
    let open = |graph: Graph, options: SessionOptions| Session::new(graph, options).map(|session| (*session).clone());
    let with = |graph: Option<Graph>| replay(&without, graph, &levada::registry(), &Replay::default(), &open);
    assert_eq!(with(Some(small("value"))).unwrap().changes, []);
    assert_eq!(with(Some(small("other"))).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(with(None).unwrap_err().code(), Code::InvalidArgument);
}
