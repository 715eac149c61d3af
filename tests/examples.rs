//! The example programs learn as they do in TensorFlow; the `make.py` beside each has recorded what that gave.

use levada::graph::read;
use levada::{Files, Session, SessionOptions, Shape, Tensor};
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

/// Runs steps of a session: the losses must be the recorded ones, `tolerance` relative.
fn learns(
    session: &Session,
    losses: &Value,
    steps: usize,
    tolerance: f32,
    feeds: impl Fn(usize) -> Vec<(&'static str, Tensor)>,
) {
    let losses = losses.as_array().unwrap();
    for step in 0..steps.min(losses.len()) {
        let found: f32 = session.run(&feeds(step), &["loss"], &["train_op"]).unwrap()[0].item().unwrap();
        let expected = losses[step].as_f64().unwrap() as f32;
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
    // No queue runners are started: what is fed needs none.
    let session = session("digits/train.json");
    session.run(&[], &[], &["init"]).unwrap();
    learns(&session, &losses["losses"], 100, 1e-4, |step| batch(step * BATCH));
    session.run(&[], &[], &["init"]).unwrap();
    learns(&session, &losses["fixed_batch_losses"], 100, 1e-4, |_| batch(0));
}
