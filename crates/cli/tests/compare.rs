//! `levada compare` on changed graphs.

mod common;
use common::{folder, json, levada, root, stdout, written};
use serde_json::{Value, json};
use std::path::Path;

const DIGITS: &str = "graphs/digits/infer.json";
const FEEDS: [&str; 4] =
    ["--feed", "images=@graphs/digits/test_images.npy", "--feed", "labels=@graphs/digits/test_labels.npy"];

/// The digits' graph with one node changed.
fn changed(folder: &Path, name: &str, change: impl Fn(&mut Value)) -> String {
    let text = std::fs::read_to_string(root().join(DIGITS)).unwrap();
    let mut graph: Value = serde_json::from_str(&text).unwrap();
    let nodes = graph["node"].as_array_mut().unwrap();
    change(nodes.iter_mut().find(|node| node["name"] == name).unwrap());
    written(folder, &format!("{}.json", name.replace('/', "_")), &graph.to_string())
}

/// Exit code and JSON of a comparison of the digits' graph with another.
fn compared(other: &str, more: &[&str]) -> (i32, Value) {
    let args = [&["compare", DIGITS, other, "--json"], &FEEDS[..], more].concat();
    let output = levada(&args);
    let text = String::from_utf8(output.stdout).unwrap();
    let json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), json)
}

#[test]
fn a_graph_equals_itself() {
    let (code, report) = compared(DIGITS, &[]);
    assert_eq!((code, &report["equal"]), (0, &Value::Bool(true)));
    assert!(report["outputs"].as_array().unwrap().len() > 30);
    assert_eq!(report["causes"], json!([]));
}

#[test]
fn the_changed_node_is_the_cause() {
    let folder = folder("compare_changed");
    let pooled = changed(&folder, "pool1", |node| node["op"] = "AvgPool".into());
    let (code, report) = compared(&pooled, &["--fetch", "accuracy"]);
    assert_eq!(code, 1);
    assert_eq!(report["causes"], json!([{"node": "pool1", "op": "MaxPool", "output": 0, "other_op": "AvgPool"}]));

    let padded = changed(&folder, "conv1/Conv2D", |node| node["attr"]["padding"] = "VALID".into());
    let (_, report) = compared(&padded, &["--fetch", "logits"]);
    let cause = &report["causes"][0];
    assert_eq!((&cause["node"], &cause["attrs"]), (&"conv1/Conv2D".into(), &json!(["padding"])));

    let picture = folder.join("logits.svg");
    let text = String::from_utf8(
        levada(
            &[&["compare", DIGITS, &pooled, "--fetch", "logits", "--svg", picture.to_str().unwrap()], &FEEDS[..]]
                .concat(),
        )
        .stdout,
    );
    assert!(text.unwrap().contains("pool1 (MaxPool) differs although its inputs do not: in the second it is AvgPool"));
    assert!(std::fs::read_to_string(picture).unwrap().contains("<circle"));
}

#[test]
fn a_node_that_fails_does_not_hide_the_others() {
    let folder = folder("compare_failing");
    let padded = changed(&folder, "conv2/Conv2D", |node| node["attr"]["padding"] = "VALID".into());
    let (code, report) = compared(&padded, &["--fetch", "accuracy"]);
    assert_eq!(code, 1);
    assert_eq!(report["failed_second"][0]["code"], "INVALID_ARGUMENT");
    assert_eq!(report["causes"][0]["node"], "conv2/Conv2D");
    assert!(report["outputs"].as_array().unwrap().iter().any(|row| row["output"] == "pool1" && row["equal"] == true));
}

#[test]
fn a_renamed_node_is_found_by_what_it_takes() {
    let renamed = changed(&folder("compare_renamed"), "probabilities", |node| node["name"] = "p".into());
    let report = compared(&renamed, &["--fetch", "probabilities"]).1;
    let row = report["outputs"].as_array().unwrap().iter().find(|row| row["output"] == "probabilities").unwrap();
    assert_eq!((&row["other"], &row["equal"]), (&"p".into(), &true.into()));
    let (code, report) = compared(&renamed, &[]);
    assert_eq!((code, report["only_first"].as_array().unwrap().len()), (0, 0));
}

#[test]
fn tensors_from_elsewhere_take_the_place_of_a_graph() {
    let dump = folder("compare_dump").join("dump.npz");
    let dump = dump.to_str().unwrap();
    stdout(&[&["run", DIGITS, "--fetch", "logits,conv1/Relu", "--out", dump], &FEEDS[..]].concat());
    let report = json(&[&["compare", DIGITS, dump, "--json", "--fetch", "logits"], &FEEDS[..]].concat());
    assert_eq!(report["outputs"].as_array().unwrap().len(), 2);
    assert_eq!(report["equal"], true);
}

#[test]
fn arithmetic_is_measured_against_float64() {
    let folder = folder("compare_rounding");
    let graph = |dtype: &str| {
        let nodes = format!(
            r#"{{"node": [
                {{"name": "x", "op": "Placeholder", "attr": {{"dtype": "float32"}}}},
                {{"name": "c", "op": "Cast", "input": ["x"], "attr": {{"SrcT": "float32", "DstT": "{dtype}"}}}},
                {{"name": "y", "op": "Exp", "input": ["c"], "attr": {{"T": "{dtype}"}}}}]}}"#
        );
        written(&folder, &format!("{dtype}.json"), &nodes)
    };
    let args =
        ["compare", &graph("float32"), &graph("bfloat16"), "--feed", "x=[0.5, 1.5, 3.0]", "--rtol", "1e-3", "--json"];
    let output = levada(&args);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // The inputs are bfloat16 values: the Cast is exact, and only the arithmetic differs.
    let cause = &report["causes"][0];
    assert_eq!(cause["node"], "y");
    let away = |i: usize| cause["from_float64"][i].as_f64().unwrap();
    assert!(away(1) > 100.0 * away(0), "{cause}");
}
