//! `levada run --watch` and `levada explore`.

mod common;
use common::{command, folder, written};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const LOG: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
    {"name": "one", "op": "Const", "attr": {"value": 1.0}},
    {"name": "less", "op": "Sub", "input": ["x", "one"]},
    {"name": "log", "op": "Log", "input": ["less"]},
    {"name": "y", "op": "Tanh", "input": ["log"]}]}"#;

fn in_folder(folder: &Path, args: &[&str]) -> Output {
    command(args).current_dir(folder).output().unwrap()
}

#[test]
fn a_run_ends_at_the_first_nan_and_keeps_what_it_came_from() {
    let folder = folder("watch");
    let graph = written(&folder, "graph.json", LOG);
    let run = |more: &[&str]| {
        in_folder(&folder, &[&["run", &graph, "--feed", "x=[3, 0.5]", "--fetch", "y", "--watch", "nan"], more].concat())
    };
    let first = run(&["--json"]);
    assert_eq!(first.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&first.stdout).unwrap();
    let nan = &json["nan"];
    assert_eq!((&nan["node"], &nan["op"], &nan["what"]), (&"log".into(), &"Log".into(), &"NaN".into()));
    assert_eq!(nan["first"]["index"], serde_json::json!([1]));
    assert_eq!(nan["path"], serde_json::json!(["x", "less", "log"]));
    assert_eq!(nan["file"], "graph.nan.npz");
    let told = String::from_utf8(first.stderr).unwrap();
    assert!(told.contains("log made NaN out of finite inputs") && told.contains("x -> less -> log"), "{told}");

    // The saved file is not overwritten, and reproduces the result.
    let kept = std::fs::read(folder.join("graph.nan.npz")).unwrap();
    assert_eq!(run(&[]).status.code(), Some(1));
    assert_eq!(std::fs::read(folder.join("graph.nan.npz")).unwrap(), kept);
    assert!(folder.join("graph.nan-2.npz").exists());
    let named = run(&["--watch-out", "graph.nan.npz"]);
    assert!(String::from_utf8(named.stderr).unwrap().contains("this file exists"));
    let again =
        ["run", &graph, "--feed", "less=@graph.nan.npz:less", "--fetch", "log", "--watch", "nan", "--watch-out"];
    let again = in_folder(&folder, &[&again[..], &["b.npz"]].concat());
    assert!(String::from_utf8(again.stderr).unwrap().contains("log made NaN"));
}

#[test]
fn a_run_without_nans_is_as_without_the_flag() {
    let folder = folder("watch_clean");
    let graph = written(&folder, "graph.json", LOG);
    let run = |more: &[&str]| {
        in_folder(
            &folder,
            &[&["run", &graph, "--feed", "x=[3, 2]", "--fetch", "y", "--json", "--quiet"], more].concat(),
        )
    };
    let (plain, watched) = (run(&[]), run(&["--watch", "nan,feeds"]));
    assert!(watched.status.success());
    assert_eq!(plain.stdout, watched.stdout);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

const RACE: &str = r#"{"node": [
    {"name": "v", "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": []}},
    {"name": "one", "op": "Const", "attr": {"value": 1.0}},
    {"name": "init", "op": "AssignVariableOp", "input": ["v", "one"], "attr": {"dtype": "float32"}},
    {"name": "read", "op": "ReadVariableOp", "input": ["v"], "attr": {"dtype": "float32"}},
    {"name": "add", "op": "AssignAddVariableOp", "input": ["v", "one"], "attr": {"dtype": "float32"}},
    {"name": "y", "op": "Neg", "input": ["read"]}]}"#;

#[test]
fn a_race_is_found_by_running_other_orders() {
    let folder = folder("explore");
    let graph = written(&folder, "race.json", RACE);
    let args = ["explore", &graph, "--init", "init", "--fetch", "y", "--target", "add"];
    let told = in_folder(&folder, &args);
    let text = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told.status.code(), Some(1), "{text}");
    assert!(text.contains("y: usually") && text.contains("the first node that differs: read"), "{text}");
    let json = in_folder(&folder, &[&args[..], &["--json"]].concat());
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["differences"][0]["changes"][0]["name"], "y");
    assert_eq!(json["complete"], true);

    let ordered = RACE.replace(r#""input": ["read"]"#, r#""input": ["read", "^add"]"#);
    let ordered = ordered.replace(
        r#""input": ["v", "one"], "attr": {"dtype": "float32"}},
    {"name": "y""#,
        r#""input": ["v", "one", "^read"], "attr": {"dtype": "float32"}},
    {"name": "y""#,
    );
    let graph = written(&folder, "ordered.json", &ordered);
    let clean = in_folder(&folder, &["explore", &graph, "--init", "init", "--fetch", "y"]);
    let text = String::from_utf8(clean.stdout).unwrap();
    assert!(clean.status.success() && text.contains(": all ") && text.contains(", 0 differences"), "{text}");
}
