//! Files that are not graphs are identified.

mod common;

use common::registry;
use levada_graph::read::{self, Kind};

fn zip(name: &str) -> Vec<u8> {
    [b"PK\x03\x04", &[0; 26][..], name.as_bytes()].concat()
}

fn record(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u64).to_le_bytes()[..], &[1; 4], data, &[2; 4]].concat()
}

#[test]
fn other_files_are_called_what_they_are() {
    let table = [&[0; 40][..], &0xdb47_7524_8b80_fb57_u64.to_le_bytes()].concat();
    let tensors = [&2u64.to_le_bytes()[..], b"{}", &[0; 8]].concat();
    let cases: [(&str, Vec<u8>, &str); 16] = [
        ("an HDF5 file", b"\x89HDF\r\n\x1a\n\0\0".to_vec(), "load_model"),
        ("a Keras model", zip("config.json model.weights.h5"), "load_model"),
        ("an archive of arrays", zip("x.npy"), "--feed"),
        ("a PyTorch model", zip("archive/data.pkl"), "TensorFlow"),
        ("a zip archive", zip("readme"), "unpack"),
        ("a gzip archive", b"\x1f\x8b\x08\0".to_vec(), "gunzip"),
        ("an array", b"\x93NUMPY\x01\0".to_vec(), "--feed"),
        ("a TensorFlow Lite model", b"\x1c\0\0\0TFL3\0\0".to_vec(), "converted"),
        ("a checkpoint's index", table, ".meta"),
        ("a list of checkpoints", b"model_checkpoint_path: \"m-5\"\n".to_vec(), ".meta"),
        ("a SavedModel", b"saved_model_schema_version: 1\n".to_vec(), "directory"),
        ("a Python pickle", b"\x80\x04\x95\0\0.".to_vec(), "export_meta_graph"),
        ("a file of tensors", tensors, "values"),
        ("a log of summaries", record(b"\t\0\0\0\0\0\0\0\0\x1a\x0dbrain.Event:2"), "TensorBoard"),
        ("a file of records", [record(b"abc"), record(b"")].concat(), "docs/pipelines.md"),
        ("an ONNX model", b"\x08\x08\x12\x07pytorch:\0".to_vec(), "ONNX"),
    ];
    for (what, bytes, help) in cases {
        for error in [read::bytes(&bytes, &registry()).unwrap_err(), read::survey(&bytes, &registry()).err().unwrap()] {
            assert!(error.message().starts_with(&format!("this is {what}")), "{what}: {error}");
            let advice = error.fault().help.clone().unwrap_or_default();
            assert!(advice.contains(help) || help == "ONNX", "{error}");
        }
    }
}

#[test]
fn directories_and_shards_are_known_by_their_names() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("recognized");
    let model = folder.join("model");
    std::fs::create_dir_all(&model).unwrap();
    let message = |path: &std::path::Path| read::file(path, &registry()).unwrap_err().message().to_owned();
    assert_eq!(message(&folder), "this is a directory, not a graph");
    std::fs::write(model.join("saved_model.pb"), b"\x08\x01\x12\x02\x12\0").unwrap();
    assert_eq!(message(&model), "this is the directory of a SavedModel, not a graph");
    assert_eq!(message(&model.join("saved_model.pb")), "this is a SavedModel (saved_model.pb), not a graph");
    assert_eq!(Kind::of(&model).unwrap(), Kind::SavedModel(model.clone()));
    assert_eq!(Kind::of(model.join("saved_model.pb")).unwrap(), Kind::SavedModel(model.clone()));
    assert_eq!(Kind::of(&folder).unwrap(), Kind::Graph);
    let onnx = folder.join("model.bin");
    std::fs::write(&onnx, b"\x08\x08\x12\x07pytorch:\0").unwrap();
    assert_eq!(Kind::of(&onnx).unwrap(), Kind::Onnx);
    assert_eq!(Kind::of(folder.join("nowhere.pb")).unwrap_err().code(), levada_graph::Code::NotFound);
    let shard = folder.join("m-5.data-00000-of-00001");
    std::fs::write(&shard, [0xff; 64]).unwrap();
    assert_eq!(message(&shard), "this is the values of a checkpoint (.data-00000-of-00001), not a graph");
    assert!(message(&folder.join("nowhere.pb")).starts_with("the file cannot be read"));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_once() {
    let pipe = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pipe-{}", std::process::id()));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let graph = br#"{"node": [{"name": "a", "op": "NoOp"}]}"#;
    assert_eq!(Kind::of(&pipe).unwrap(), Kind::Graph);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| std::fs::write(&pipe, graph));
        assert_eq!(read::file(&pipe, &registry()).unwrap().to_def().nodes.len(), 1);
        writer.join().unwrap().unwrap();
    });
    std::fs::remove_file(&pipe).unwrap();
}
