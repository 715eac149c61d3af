//! MetaGraphs exported by TensorFlow 1 training scripts: each loads, whatever else is in it, and its training step
//! returns the same as in TensorFlow. `tests/meta/make.py` wrote them.

use flate2::read::GzDecoder;
use levada::graph::{read, write};
use levada::{Coordinator, DType, Session, SessionOptions, Tensor};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("meta")
}

fn unpacked(file: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = File::open(folder().join(format!("{file}.gz"))).unwrap();
    GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    bytes
}

fn meta(name: &str) -> Vec<u8> {
    unpacked(&format!("{name}.meta"))
}

fn cases() -> Vec<Value> {
    serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap()
}

fn tensor(value: &Value) -> Tensor {
    read::tensor_from_plain(&value["value"], DType::parse(value["dtype"].as_str().unwrap())).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

fn feeds(case: &Value) -> Vec<(&str, Tensor)> {
    case["feeds"].as_object().unwrap().iter().map(|(k, v)| (k.as_str(), tensor(v))).collect()
}

fn check(case: &Value) {
    let name = case["name"].as_str().unwrap();
    let graph = read::pb(&meta(name), &levada::registry()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let session = Session::new(graph, SessionOptions { threads: 1, ..SessionOptions::default() }).unwrap();
    session.run(&[], &[], &["init_all"]).unwrap_or_else(|e| panic!("{name}: {e}"));
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let feeds = feeds(case);
    for (step, expected) in case["steps"].as_array().unwrap().iter().enumerate() {
        let found = session.run(&feeds, &texts(&case["fetches"]), &["train_op"]);
        let found = found.unwrap_or_else(|e| panic!("{name}, step {step}: {e}"));
        for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
            let expected = tensor(expected);
            let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5 + 1e-4 * b.abs();
            let (a, b) = (found.slice::<f32>().unwrap(), expected.slice::<f32>().unwrap());
            let same = found.shape() == expected.shape() && a.iter().zip(b).all(close);
            assert!(same, "{name}, step {step}: {a:?}, not {b:?}");
        }
    }
    coordinator.request_stop();
}

#[test]
fn training_steps_give_what_tensorflow_gave() {
    let cases = cases();
    assert!(cases.len() >= 15, "{}", cases.len());
    cases.iter().for_each(check);
}

#[test]
fn a_callback_that_is_not_granted_is_an_error_of_the_runs_that_reach_it() {
    let registry = levada::registry();
    let graph = read::pb(&meta("py_func"), &registry).unwrap();
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    session.run(&[], &[], &["init_all"]).unwrap();
    let cases = cases();
    let case = cases.iter().find(|case| case["name"] == "py_func").unwrap();
    let error = session.run(&feeds(case), &["plotted_summary"], &[]).unwrap_err();
    assert_eq!(error.fault().node.as_deref(), Some("plotted"), "{error}");
    assert_eq!(error.code(), levada::Code::PermissionDenied);
    // Its result can be fed.
    session.run(&[("plotted", Tensor::scalar(4f32))], &["Sqrt"], &[]).unwrap();
    let graph = read::pb(&meta("py_func"), &registry).unwrap();
    assert_eq!(
        graph.to_def(),
        read::pb(&levada::graph::write::pb(&graph.to_def()).unwrap(), &registry).unwrap().to_def()
    );
}

/// `text.py` wrote the files.
#[test]
fn text_holds_the_same_graph() {
    let names = ["data_set", "saver_v2", "strategy", "tables", "while_v1", "while_v2"];
    let metas = names.map(|name| (format!("{name}.meta"), format!("{name}.pbtxt")));
    for (binary, text) in metas.into_iter().chain([("dtypes.pb".to_owned(), "dtypes.pbtxt".to_owned())]) {
        let [binary, text] =
            [binary, text].map(|file| read::parse(&unpacked(&file), None).unwrap_or_else(|e| panic!("{file}: {e}")));
        assert_eq!(binary.meta, text.meta);
        assert_eq!(binary.collections, text.collections);
        // NaN differs from itself, its bytes do not.
        assert_eq!(write::pb(&binary).unwrap(), write::pb(&text).unwrap());
        assert!(!text.nodes.is_empty());
    }
    // The whole way, from a file.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("while_v2.pbtxt");
    fs::write(&path, unpacked("while_v2.pbtxt")).unwrap();
    let graph = read::file(&path, &levada::registry()).unwrap();
    Session::new(graph, SessionOptions::default()).unwrap().run(&[], &[], &["init_all"]).unwrap();
}
