//! `LoadAndRemapMatrix` and `GenerateVocabRemapping` return the same as TensorFlow's; `tests/remap/record.py` made the
//! files.

use levada::graph::read;
use levada::{AttrValue, Builder, Code, DType, Files, PartialShape, Session, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("remap/data")
}

/// The value of an input: file names are those of the recorded files.
fn input(name: &str, value: &Value) -> Tensor {
    let file = |end: &str| {
        let name = value.as_str().unwrap();
        Tensor::string(if name.is_empty() {
            String::new()
        } else {
            data().join(format!("{name}{end}")).display().to_string()
        })
    };
    match name {
        "new_vocab_file" | "old_vocab_file" => file(".txt"),
        "ckpt_path" => file(""),
        "old_tensor_name" => Tensor::string(value.as_str().unwrap()),
        "initializing_values" => read::tensor_from_plain(value, Some(DType::F32)).unwrap(),
        _ => read::tensor_from_plain(value, Some(DType::I64)).unwrap(),
    }
}

fn run(case: &Value, files: Files) -> levada::Result<Vec<Tensor>> {
    let mut b = Builder::new(levada::registry());
    let op = case["op"].as_str().unwrap();
    let names: &[&str] = match op {
        "LoadAndRemapMatrix" => {
            &["ckpt_path", "old_tensor_name", "row_remapping", "col_remapping", "initializing_values"]
        }
        _ => &["new_vocab_file", "old_vocab_file"],
    };
    let feeds: Vec<(&str, Tensor)> = names.iter().map(|name| (*name, input(name, &case["inputs"][name]))).collect();
    let inputs: Vec<_> =
        feeds.iter().map(|(name, value)| b.placeholder(name, value.dtype(), PartialShape::Unknown)).collect();
    let mut node = b.node(op).name("op").inputs(inputs);
    for (name, value) in case["attrs"].as_object().unwrap() {
        node = node.attr_value(name, AttrValue::I(value.as_i64().unwrap()));
    }
    node.add();
    let fetches: &[&str] = if op == "LoadAndRemapMatrix" { &["op"] } else { &["op", "op:1"] };
    let session = Session::new(b.finish()?, SessionOptions { files, ..SessionOptions::default() })?;
    session.run(&feeds, fetches, &[])
}

#[test]
fn matrices_and_vocabularies_are_remapped_as_by_tensorflow() {
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(data().join("cases.json")).unwrap()).unwrap();
    assert!(cases.len() > 50);
    for case in &cases {
        let found = run(case, Files::under([data()]).unwrap());
        let Some(outputs) = case["outputs"].as_array() else {
            let code = Code::from_number(case["error"].as_i64().unwrap() as i32).unwrap();
            let error = found.err().unwrap_or_else(|| panic!("{case}"));
            assert_eq!(error.code(), code, "{case}: {error}");
            continue;
        };
        let found = found.unwrap_or_else(|e| panic!("{case}: {e}"));
        for (found, expected) in found.iter().zip(outputs) {
            let dtype = DType::parse(expected["dtype"].as_str().unwrap()).unwrap();
            let flat = read::tensor_from_plain(&expected["data"], Some(dtype)).unwrap();
            assert_eq!(json!(found.shape().dims()), expected["shape"], "{case}");
            assert_eq!((found.dtype(), found.bytes()), (dtype, flat.bytes()), "{case}");
        }
    }
}

#[test]
fn only_files_that_are_granted_are_read() {
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(data().join("cases.json")).unwrap()).unwrap();
    for op in ["LoadAndRemapMatrix", "GenerateVocabRemapping"] {
        let case = cases.iter().find(|case| case["op"] == op).unwrap();
        assert_eq!(run(case, Files::none()).unwrap_err().code(), Code::PermissionDenied, "{op}");
    }
    let beyond = json!({
        "op": "LoadAndRemapMatrix", "attrs": {"num_rows": 1, "num_cols": 1},
        "inputs": {"ckpt_path": "whole", "old_tensor_name": "matrix", "row_remapping": [0], "col_remapping": [3], "initializing_values": []},
    });
    assert_eq!(run(&beyond, Files::under([data()]).unwrap()).unwrap_err().code(), Code::InvalidArgument);
}
