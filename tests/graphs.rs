//! The example graphs return the same as in TensorFlow; see `graphs/make_expected.py`.

use levada::graph::read;
use levada::replay::compare::compare;
use levada::{DType, Session, SessionOptions, Tensor};
use serde_json::Value;
use std::path::Path;

fn tensor(written: &Value) -> Tensor {
    let dtype = DType::parse(written["dtype"].as_str().unwrap());
    read::tensor_from_plain(&written["value"], dtype).unwrap()
}

#[test]
fn example_graphs_give_what_tensorflow_gives() {
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs");
    let expected: Value = serde_json::from_slice(&std::fs::read(graphs.join("expected.json")).unwrap()).unwrap();
    for (file, run) in expected.as_object().unwrap() {
        let graph = read::file(graphs.join(file), &levada::registry()).unwrap();
        let session = Session::new(graph, SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap();
        let feeds: Vec<(&str, Tensor)> =
            run["feeds"].as_object().unwrap().iter().map(|(name, t)| (name.as_str(), tensor(t))).collect();
        let expect = run["expect"].as_object().unwrap();
        let fetches: Vec<&str> = expect.keys().map(String::as_str).collect();
        let targets: Vec<&str> = run["targets"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        let found = session.run(&feeds, &fetches, &targets).unwrap();
        for ((name, expected), found) in expect.iter().zip(&found) {
            if let Some(difference) = compare(found, &tensor(expected), 1e-5, 1e-6) {
                panic!("{file}: {name}: {difference}");
            }
        }
    }
}
