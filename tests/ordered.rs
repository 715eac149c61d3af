//! Imported pipelines that keep the order of their input: graphs that TensorFlow made, in `ordered/`.

use levada::graph::attr::Attrs;
use levada::graph::{Collection, collections, read};
use levada::{
    AttrValue, Code, Coordinator, DType, Error, Files, Graph, NodeDef, Session, SessionOptions, Tensor, train,
};
use levada_testkit::WORKERS;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ordered")
}

/// A pipeline whose files are in the folder, with this number of runs of each enqueue that has several.
fn pipeline(name: &str, runs: usize) -> Graph {
    let mut graph = read::file(folder().join(format!("{name}.json")), &levada::registry()).unwrap();
    let mut attrs = Attrs::new();
    attrs.set("dtype", AttrValue::Type(DType::Str.into()));
    let directory = format!("{}/", folder().display());
    attrs.set("value", AttrValue::Tensor(Tensor::scalar(levada::graph::Bytes::from(directory))));
    let def = NodeDef { op: "Const".to_owned(), attrs, ..NodeDef::default() };
    let id = graph.find("directory").unwrap();
    graph.replace(&levada::registry(), id, &def, Vec::new()).unwrap();
    let mut runners = collections::queue_runners(&graph.collections).unwrap();
    graph.collections.insert("queue_runners".to_owned(), Collection::Bytes(Vec::new()));
    for runner in &mut runners {
        let first = runner.enqueue[0].clone();
        if runner.enqueue.len() > 1 && runner.enqueue.iter().all(|e| *e == first) {
            runner.enqueue = vec![first; runs];
        }
        collections::add_queue_runner(&mut graph.collections, runner).unwrap();
    }
    graph
}

fn order(graph: Graph) -> Result<Graph, Error> {
    train::order_queues(graph, &levada::registry())
}

type Batches = Vec<(Vec<i32>, Vec<String>)>;

/// Every batch, until the input ends.
fn batches(graph: Graph, threads: usize) -> Batches {
    let init = collections::nodes(&graph.collections, "local_init_op").to_vec();
    let files = Files::under(&[folder()]).unwrap();
    let options = SessionOptions { threads, files, closed_world: true, ..SessionOptions::default() };
    let session = Session::new(graph, options).unwrap();
    let init: Vec<&str> = init.iter().map(String::as_str).collect();
    session.run(&[], &[], &init).unwrap();
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let mut batches = Batches::new();
    let error = loop {
        match session.run(&[], &["fetch0", "fetch1"], &[]) {
            Ok(batch) => {
                let texts = batch[1].slice::<levada::graph::Bytes>().unwrap();
                let texts = texts.iter().map(|t| String::from_utf8_lossy(t).into_owned()).collect();
                batches.push((batch[0].slice::<i32>().unwrap().to_vec(), texts));
            }
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
    coordinator.request_stop();
    coordinator.join(Duration::from_secs(60)).unwrap();
    batches
}

#[test]
fn batches_are_those_that_tensorflow_gives_with_one_thread() {
    for name in ["batch", "kept", "records", "rows"] {
        let text = std::fs::read_to_string(folder().join(format!("{name}.expected.json"))).unwrap();
        let expected: Batches = serde_json::from_str(&text).unwrap();
        for runs in 1..=5 {
            for threads in 1..=8 {
                let graph = order(pipeline(name, runs)).unwrap();
                assert_eq!(batches(graph, threads), expected, "{name}, {runs} runs, {threads} threads");
            }
        }
    }
}

#[test]
fn several_sources_take_turns_and_shuffles_repeat() {
    for name in ["join", "shuffled"] {
        let expected = batches(order(pipeline(name, 4)).unwrap(), 1);
        let mut numbers: Vec<i32> = expected.iter().flat_map(|(numbers, _)| numbers.clone()).collect();
        assert_ne!(numbers, (0..23).collect::<Vec<_>>(), "{name}");
        numbers.sort_unstable();
        assert_eq!(numbers, (0..23).collect::<Vec<_>>(), "{name}");
        for threads in WORKERS.into_iter().chain(1..=8) {
            assert_eq!(batches(order(pipeline(name, 4)).unwrap(), threads), expected, "{name}, {threads} threads");
        }
    }
    let shuffled = batches(order(pipeline("shuffled", 4)).unwrap(), 2);
    for runs in 1..=5 {
        assert_eq!(batches(order(pipeline("shuffled", runs)).unwrap(), 3), shuffled, "{runs} runs");
    }
}

#[test]
fn what_has_no_order_is_named() {
    for (name, node, text) in [
        ("no_seed", "noise/RandomUniform", "noise/RandomUniform has no seed"),
        ("no_shuffle_seed", "shuffle_batch/random_shuffle_queue", "has no seed"),
        (
            "shared_reader",
            "other",
            "it draws from reader in an undefined order relative to one, which feeds another queue",
        ),
        ("shared_read", "ReaderReadV2", "two enqueues into batch_join/fifo_queue share it"),
        ("conditional_read", "cond/ReaderReadV2", "under a condition"),
        ("prioritized", "by_number", "which of its elements comes first depends on how many are there"),
    ] {
        let error = order(pipeline(name, 4)).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        let said = error.to_string();
        assert!(said.contains(text) && said.contains(&format!("node:     {node}")), "{name}: {said}");
        assert!(said.contains("help:"), "{name}: {said}");
    }
}

#[test]
fn what_has_an_order_stays_as_it_is() {
    let graph = pipeline("batch", 1);
    let ordered = order(pipeline("batch", 1)).unwrap();
    assert_eq!(ordered.len(), graph.len());
    // Once is enough.
    let once = order(pipeline("batch", 4)).unwrap();
    let nodes = once.len();
    assert_eq!(nodes, graph.len() + 3);
    assert_eq!(order(once).unwrap().len(), nodes);
}
