//! The example programs learn as in TensorFlow; the `make.py` beside each has recorded the reference values.

use levada::DType::{F32, I32};
use levada::graph::Bytes;
use levada::graph::read;
use levada::replay::compare::compare;
use levada::{Code, Files, Session, SessionOptions, Shape, Tensor};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn graphs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs")
}

fn session(file: &str) -> Session {
    let graph = read::file(graphs().join(file), &levada::registry()).unwrap();
    let files = Files::under(&[graphs()]).unwrap();
    Session::new(graph, SessionOptions { threads: 2, files, ..SessionOptions::default() }).unwrap()
}

fn recorded(file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(graphs().join(file)).unwrap()).unwrap()
}

/// The elements of a `.npy` file of the first version, which must have this type and shape in its header.
fn npy(file: &str, header: &str) -> Vec<u8> {
    let bytes = std::fs::read(graphs().join(file)).unwrap();
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let found = std::str::from_utf8(&bytes[10..start]).unwrap();
    assert!(found.contains(header), "{file}: {found}");
    bytes[start..].to_vec()
}

/// Runs steps of a session: the losses must be the recorded ones within the relative `tolerance`.
fn learns(
    session: &Session,
    losses: &Value,
    steps: usize,
    tolerance: f32,
    feeds: impl Fn(usize) -> Vec<(&'static str, Tensor)>,
) {
    for (step, expected) in losses.as_array().unwrap().iter().take(steps).enumerate() {
        let found: f32 = session.run(&feeds(step), &["loss"], &["train_op"]).unwrap()[0].item().unwrap();
        let expected = expected.as_f64().unwrap() as f32;
        assert!((found - expected).abs() <= tolerance * expected.abs(), "step {step}: {found}, TensorFlow {expected}");
    }
}

#[test]
fn digits_are_learned_as_in_tensorflow() {
    const BATCH: usize = 64;
    const ROWS: usize = 1437;
    let pixels = npy("digits/train_images.npy", "'descr': '|u1', 'fortran_order': False, 'shape': (1437, 8, 8, 1)");
    let labels = npy("digits/train_labels.npy", "'descr': '<i8', 'fortran_order': False, 'shape': (1437,)");
    let batch = |first: usize| {
        let rows = || (first..first + BATCH).map(|row| row % ROWS);
        let ink = rows().flat_map(|r| &pixels[r * 64..][..64]).map(|&p| f32::from(p) / 16.0).collect();
        let labels = rows().map(|r| i64::from_le_bytes(labels[r * 8..][..8].try_into().unwrap())).collect();
        let images = Tensor::from_vec(Shape::new([BATCH, 8, 8, 1]).unwrap(), ink).unwrap();
        vec![("images", images), ("labels", Tensor::vector(labels))]
    };
    let losses = recorded("digits/train_losses.json");
    // No queue runners are started: the fed values need none.
    let session = session("digits/train.json");
    session.run(&[], &[], &["init"]).unwrap();
    learns(&session, &losses["losses"], 100, 1e-4, |step| batch(step * BATCH));
    session.run(&[], &[], &["init"]).unwrap();
    learns(&session, &losses["fixed_batch_losses"], 100, 1e-4, |_| batch(0));
}

#[test]
fn the_lstm_learns_and_writes_as_in_tensorflow() {
    let train = session("lstm/train.json");
    let text = graphs().join("lstm/paradise_lost.txt");
    let file = Tensor::string(text.to_str().unwrap());
    train.run(&[("file", file)], &[], &["init"]).unwrap();
    // All hundred take half a minute in an unoptimized build.
    learns(&train, &recorded("lstm/train_losses.json")["losses"], 12, 1e-4, |_| Vec::new());

    let expected = recorded("lstm/expected.json");
    let feeds: Vec<(&str, Tensor)> =
        [("prompt", None), ("length", Some(I32)), ("temperature", Some(F32)), ("seed", Some(I32))]
            .into_iter()
            .map(|(name, dtype)| (name, read::tensor_from_plain(&expected[name], dtype).unwrap()))
            .collect();
    let written = session("lstm/generate.json").run(&feeds, &["text"], &[]).unwrap();
    let written = &written[0].slice::<Bytes>().unwrap()[0];
    assert_eq!(std::str::from_utf8(written).unwrap(), expected["text"].as_str().unwrap());
}

#[test]
fn the_recursive_net_learns_and_judges_as_in_tensorflow() {
    let train = session("tree/train.json");
    train.run(&[], &[], &["init"]).unwrap();
    learns(&train, &recorded("tree/train_losses.json")["losses"], 10, 1e-4, |_| Vec::new());

    let infer = session("tree/infer.json");
    let close = |found: &Tensor, expected: &Value| {
        let expected = read::tensor_from_plain(expected, Some(F32)).unwrap();
        assert_eq!(compare(found, &expected, 1e-5, 1e-6), None);
    };
    let tree = |row: &Value| -> Vec<(&'static str, Tensor)> {
        ["left", "right", "token"].map(|n| (n, read::tensor_from_plain(&row[n], Some(I32)).unwrap())).to_vec()
    };
    for row in recorded("tree/expected.json")["trees"].as_array().unwrap() {
        let found = infer.run(&tree(row), &["value", "probability"], &[]).unwrap();
        close(&found[0], &row["value"]);
        close(&found[1], &row["probability"]);
    }

    // A node that is its own child is an endless recursion.
    let endless = serde_json::json!({"left": [0], "right": [0], "token": [1]});
    let error = infer.run(&tree(&endless), &["value"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
    assert!(error.message().contains("deep"), "{error}");
    let leaf = serde_json::json!({"left": [-1], "right": [-1], "token": [1]});
    infer.run(&tree(&leaf), &["value"], &[]).unwrap();
}
