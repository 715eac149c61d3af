//! `levada record` and `levada replay`, and `levada time`.

mod common;
use common::{failure, folder, json, levada, stdout, written};
use std::path::Path;

/// Adds unseeded random numbers to a variable.
const NOISE: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [3]}},
    {"name": "shape", "op": "Const", "attr": {"dtype": "int32", "value": [3]}},
    {"name": "random", "op": "RandomUniform", "input": ["shape"], "attr": {"dtype": "float32", "T": "int32"}},
    {"name": "zeros", "op": "Const", "attr": {"dtype": "float32", "value": [0, 0, 0]}},
    {"name": "sum", "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": [3]}},
    {"name": "init", "op": "AssignVariableOp", "input": ["sum", "zeros"], "attr": {"dtype": "float32"}},
    {"name": "noise", "op": "Mul", "input": ["x", "random"]},
    {"name": "add", "op": "AssignAddVariableOp", "input": ["sum", "noise"], "attr": {"dtype": "float32"}},
    {"name": "read", "op": "ReadVariableOp", "input": ["sum", "^add"], "attr": {"dtype": "float32"}}]}"#;

/// Records steps of that graph into a file of a folder, with additional flags; returns the fetched values.
fn recorded(folder: &Path, more: &[&str]) -> (String, String, Vec<String>) {
    let graph = written(folder, "noise.json", NOISE);
    let recording = folder.join("noise.recording").to_str().unwrap().to_owned();
    let base = ["record", &graph, "--init", "init", "--feed", "x=[1, 2, 3]", "--fetch", "read", "--steps", "4"];
    let text = stdout(&[&base[..], &["--threads", "4", "--json", "--recording", &recording], more].concat());
    (graph, recording, text.lines().map(str::to_owned).collect())
}

#[test]
fn a_recording_is_replayed_on_any_number_of_threads() {
    let folder = folder("replayed");
    let (_, recording, steps) = recorded(&folder, &[]);
    assert_eq!(steps.len(), 4);
    for threads in [&[][..], &["--threads", "1"], &["--threads", "2"]] {
        let text = stdout(&[&["replay", &recording], threads].concat());
        assert!(text.contains("5 runs, ") && text.contains("4 tensors with the same bits"), "{text}");
        let object = json(&[&["replay", &recording, "--json"], threads].concat());
        assert_eq!((&object["same"], &object["runs"], &object["compared"]), (&true.into(), &5.into(), &4.into()));
        assert_eq!((&object["turns_left"], object["changes"].as_array().unwrap().len()), (&0.into(), 0));
    }
    // Without a recording each run draws other random numbers.
    assert_ne!(recorded(&folder, &[]).2, steps);
}

#[test]
fn a_replay_stops_at_a_node_and_keeps_what_it_took_and_gave() {
    let folder = folder("stopped");
    let (_, recording, _) = recorded(&folder, &[]);
    let out = folder.join("noise.npz").to_str().unwrap().to_owned();
    let text = stdout(&["replay", &recording, "--until", "noise", "--run", "3", "--out", &out]);
    assert!(text.contains("stopped at noise (Mul) in run 3") && text.contains("[1.0, 2.0, 3.0]"), "{text}");
    assert!(std::fs::metadata(&out).unwrap().len() > 0);
    let object = json(&["replay", &recording, "--until", "noise", "--run", "3", "--json"]);
    assert!(object["stopped"].is_object(), "{object}");
    let (code, error) = failure(&["replay", &recording, "--until", "nois"]);
    assert!(code == 1 && error.contains("did you mean \"noise\"?"), "{error}");
}

#[test]
fn what_is_not_as_it_was_recorded_is_said() {
    let folder = folder("differs");
    let (graph, recording, _) = recorded(&folder, &["--without-graph"]);
    let (code, error) = failure(&["replay", &recording]);
    assert!(code == 1 && error.contains("--graph FILE"), "{error}");
    assert!(stdout(&["replay", &recording, "--graph", &graph]).contains("the same bits"));
    let other = written(&folder, "other.json", &NOISE.replace("[0, 0, 0]", "[0, 0, 1]"));
    let (code, error) = failure(&["replay", &recording, "--graph", &other]);
    assert!(code == 1 && error.contains("this is not the graph that was recorded"), "{error}");

    let whole = std::fs::read_to_string(&recording).unwrap();
    let half = written(&folder, "half.recording", &whole[..whole.len() / 2]);
    let (code, error) = failure(&["replay", &half, "--graph", &graph]);
    assert!(code == 1 && error.starts_with("error[data loss]"), "{error}");
}

/// Checks only the consistency of the times.
#[test]
fn expected_times_are_told_with_their_errors() {
    let base = ["time", "graphs/short.json", "--feed", "x=64x4", "--fetch", "class", "--steps", "5"];
    let object = json(&[&base[..], &["--threads", "1,2,4", "--check", "--json"]].concat());
    let rows = object["steps"].as_array().unwrap();
    let threads: Vec<u64> = rows.iter().map(|row| row["threads"].as_u64().unwrap()).collect();
    assert!([1, 2, 4, object["costs_from_threads"].as_u64().unwrap()].iter().all(|n| threads.contains(n)), "{object}");
    for row in rows {
        let at = |key: &str| row[key].as_f64().unwrap();
        assert!(at("expected_ns") > 0.0 && at("measured_ns") > 0.0, "{row}");
        assert!((at("error") - (at("expected_ns") / at("measured_ns") - 1.0)).abs() < 1e-9, "{row}");
    }
    // Without --check only the thread count that the costs are from is measured.
    let object = json(&[&base[..], &["--threads", "1,2,4", "--json"]].concat());
    for row in object["steps"].as_array().unwrap() {
        let is_measured = row["threads"] == object["costs_from_threads"];
        assert_eq!((row["measured_ns"].is_f64(), row["error"].is_f64()), (is_measured, is_measured), "{row}");
    }
    let text = stdout(&[&base[..], &["--threads", "1,2"]].concat());
    assert!(["expected", "measured", "error"].iter().all(|column| text.contains(column)), "{text}");

    // From a trace, without running a step.
    let trace = folder("times").join("step.trace.json").to_str().unwrap().to_owned();
    let x = format!("x={:?}", vec![[1.0; 4]; 64]);
    let run = ["run", "graphs/short.json", "--feed", &x, "--fetch", "class", "--threads", "2", "--trace", &trace];
    assert!(levada(&run).status.success());
    let object = json(&[&base[..6], &["--threads", "1,2", "--trace", &trace, "--json"]].concat());
    assert_eq!((&object["costs_from_threads"], object["steps"].as_array().unwrap().len()), (&2.into(), 2), "{object}");
}
