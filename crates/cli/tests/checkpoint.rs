//! `levada checkpoint`, and `levada run` with `--restore`, `--save` and `--save-every`.

mod common;

use common::{command, failure, folder, has, json, levada, root, stdout};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const MODELS: &str = "crates/checkpoint/tests/models";

/// Variables `w` and `steps`, which `train` adds 1 to; `count` is the sum of all.
fn graph(folder: &Path) -> String {
    let variable = |name: &str, shape: Value| {
        json!([
            {"name": name, "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": shape, "shared_name": name}},
            {"name": format!("{name}/Assign"), "op": "AssignVariableOp", "input": [name, format!("zero/{name}")]},
            {"name": format!("{name}/Read"), "op": "ReadVariableOp", "input": [name], "attr": {"dtype": "float32"}},
            {"name": format!("{name}/Add"), "op": "AssignAddVariableOp", "input": [name, format!("one/{name}")]},
        ])
    };
    let mut nodes = vec![
        json!({"name": "zero/w", "op": "Const", "attr": {"dtype": "float32", "value": [0, 0, 0]}}),
        json!({"name": "one/w", "op": "Const", "attr": {"dtype": "float32", "value": [1, 1, 1]}}),
        json!({"name": "zero/steps", "op": "Const", "attr": {"dtype": "float32", "value": 0}}),
        json!({"name": "one/steps", "op": "Const", "attr": {"dtype": "float32", "value": 1}}),
        json!({"name": "init", "op": "NoOp", "input": ["^w/Assign", "^steps/Assign"]}),
        json!({"name": "train", "op": "NoOp", "input": ["^w/Add", "^steps/Add"]}),
        json!({"name": "counted", "op": "ReadVariableOp", "input": ["steps", "^train"], "attr": {"dtype": "float32"}}),
    ];
    for variable in [variable("w", json!([3])), variable("steps", json!([]))] {
        nodes.extend(variable.as_array().unwrap().iter().cloned());
    }
    let path = folder.join("graph.json");
    fs::write(&path, json!({"node": nodes}).to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// The values of the only fetch of a run with `--json`, step by step.
fn fetched(args: &[&str]) -> Vec<f64> {
    let text = stdout(&[args, &["--json", "--quiet"]].concat());
    let value = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["fetch"].as_object().unwrap().values().next().unwrap().as_f64().unwrap()
    };
    text.lines().map(value).collect()
}

#[test]
fn what_a_file_has_is_listed() {
    let keras = format!("{MODELS}/trained");
    let text = stdout(&["checkpoint", &keras, "--select", "hidden/*"]);
    assert!(
        has(&text, "hidden/kernel float32 [2,3] 24 B model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE"),
        "{text}"
    );
    assert!(text.contains("2 tensors, 9 elements, 36 B"), "{text}");
    let value = json(&["checkpoint", &format!("{MODELS}/keras3.index"), "--json"]);
    let find = |value: &Value, name: &str| {
        value["tensors"]
            .as_array()
            .unwrap()
            .iter()
            .find(|t| t["variable"] == name || t["name"] == name)
            .cloned()
            .unwrap()
    };
    let kernel = find(&value, "sequential/hidden/kernel");
    assert_eq!((&kernel["dtype"], &kernel["shape"], &kernel["bytes"]), (&json!("float32"), &json!([2, 3]), &json!(24)));
    assert_eq!(find(&value, "own/layers/1")["dtype"], "int32");
    let parts = json(&["checkpoint", "tests/saver/data", "--json", "--select", "parts_*"]);
    assert_eq!(parts["tensors"][0]["parts"], json!(["0,3:0,4", "3,2:0,4", "5,2:0,4"]));
    assert!(stdout(&["checkpoint", &format!("{MODELS}/others")]).contains("float8_e4m3fn"));
    assert!(stdout(&["checkpoint", &format!("{MODELS}/plain.safetensors")]).contains("safetensors, format: np"));
    assert!(stdout(&["checkpoint", "crates/checkpoint/tests/data/old.ckpt"]).contains("first format"));
    let printed = json(&["checkpoint", &keras, "--print", "Adam/iter,layer-0/bias", "--json"]);
    assert_eq!(printed["Adam/iter"], 1);
    assert_eq!(printed["layer-0/bias"].as_array().unwrap().len(), 3);
    for (args, part) in [
        (vec!["checkpoint", "nothing/here"], "nothing/here"),
        (vec!["checkpoint", "tests"], "no latest checkpoint"),
        (vec!["checkpoint", &keras, "--print", "hiden/kernel"], "did you mean \"hidden/kernel\"?"),
        (vec!["checkpoint", &keras, "--select", "nothing*"], "--select"),
    ] {
        let (code, text) = failure(&args);
        assert!(code == 1 && text.contains(part), "{args:?}: {text}");
    }
}

#[test]
fn files_become_other_files_and_are_the_same() {
    let folder = folder("checkpoint_convert");
    let out = |name: &str| path(&folder, name);
    let convert = |from: &str, to: &str, more: &[&str]| {
        stdout(&[&["checkpoint", from, "--out", to], more].concat());
    };
    let selected = |a: &str, b: &str, tensors: usize, select: &[&str]| {
        let value = json(&[&["checkpoint", a, "--compare", b, "--json"], select].concat());
        assert_eq!((&value["same"], &value["differences"]), (&json!(tensors), &json!({})), "{a} {b}");
    };
    let same = |a: &str, b: &str, tensors: usize| selected(a, b, tensors, &[]);
    // A round trip through a checkpoint of the first format, with every dtype that it supports.
    let all = "tests/saver/data";
    let plain = ["--select", "handle/*,ref/*,parts*"];
    for (name, more) in [("v1", &["--format", "v1"][..]), ("v2", &[]), ("x.npz", &[])] {
        convert(all, &out(name), &[&plain[..], more].concat());
        selected(&out(name), all, 34, &plain);
        convert(&out(name), &out(&format!("{name}.again")), &[]);
        same(&out(&format!("{name}.again")), &out(name), 34);
    }
    let (code, text) = failure(&["checkpoint", all, "--out", &out("x.safetensors")]);
    assert!(code == 1 && text.contains("handle/string") && text.contains("handle/complex128"), "{text}");
    assert!(!Path::new(&out("x.safetensors")).exists());
    // Variables of objects by their names, and types that graphs do not have.
    convert(&format!("{MODELS}/trained"), &out("keras.safetensors"), &[]);
    same(&out("keras.safetensors"), &format!("{MODELS}/trained"), 17);
    convert(&format!("{MODELS}/float8.safetensors"), &out("float8"), &[]);
    convert(&out("float8"), &out("float8.safetensors"), &[]);
    let bytes = |file: &str| fs::read(root().join(file)).unwrap();
    assert_eq!(bytes(&out("float8.safetensors")), bytes(&format!("{MODELS}/float8.safetensors")));
    let (code, text) = failure(&["checkpoint", &out("float8"), "--out", &out("float8.npz")]);
    assert!(code == 1 && text.contains("float8_e4m3fn"), "{text}");
    let (code, text) = failure(&["checkpoint", &out("v2"), "--out", &out("v2")]);
    assert!(code == 1 && text.contains("overwrite"), "{text}");
}

#[test]
fn differences_are_told_and_are_exit_code_1() {
    let folder = folder("checkpoint_compare");
    let (graph, a, b) = (graph(&folder), path(&folder, "a"), path(&folder, "b"));
    for (save, steps) in [(&a, "1"), (&b, "2")] {
        stdout(&["run", &graph, "--init", "init", "--target", "train", "--steps", steps, "--save", save]);
    }
    let output = levada(&["checkpoint", &a, "--compare", &b]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("3 of 3 elements differ, by 1.000e0 at most"), "{text}");
    assert!(levada(&["checkpoint", &a, "--compare", &b, "--tolerance", "1"]).status.success());
    let other = format!("{MODELS}/weights");
    let text = String::from_utf8(levada(&["checkpoint", &a, "--compare", &other]).stdout).unwrap();
    assert!(text.contains(&format!("only in {a}")) && text.contains(&format!("only in {other}")), "{text}");
}

#[test]
fn a_run_goes_on_where_the_one_before_ended() {
    let folder = folder("checkpoint_run");
    let (graph, dir) = (graph(&folder), path(&folder, "saved"));
    let model = format!("{dir}/model");
    let run = ["run", &graph, "--fetch", "counted", "--save", &model, "--save-every", "2"];
    assert_eq!(fetched(&[&run[..], &["--init", "init", "--steps", "7"]].concat()), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    // The number of steps continues too, and the last five stay.
    let more = [&run[..], &["--init", "init", "--restore", &dir, "--steps", "7"]].concat();
    assert_eq!(fetched(&more), [8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0]);
    let state = fs::read_to_string(format!("{dir}/checkpoint")).unwrap();
    let listed: Vec<&str> = state.lines().filter_map(|l| l.strip_prefix("all_model_checkpoint_paths: ")).collect();
    assert_eq!(listed, ["\"model-7\"", "\"model-9\"", "\"model-11\"", "\"model-13\"", "\"model-14\""]);
    // One file of every kind, without intermediate saves.
    for file in ["x", "x.safetensors", "x.npz"] {
        let file = path(&folder, file);
        let text = stdout(&["run", &graph, "--restore", &dir, "--save", &file]);
        assert!(text.contains("2 variables (16 B) restored from") && text.contains("2 variables saved in"), "{text}");
        assert_eq!(fetched(&["run", &graph, "--restore", &file, "--fetch", "steps/Read"]), [14.0]);
        assert!(stdout(&["checkpoint", &file, "--compare", &dir]).contains("2 tensors the same, 0 different"));
    }
    // Nothing is restored partially.
    let (code, text) = failure(&["run", &graph, "--restore", &format!("{MODELS}/weights"), "--fetch", "counted"]);
    assert!(code == 1 && text.contains("Key w not found") && text.contains("Key steps not found"), "{text}");
    let w = path(&folder, "w");
    stdout(&["checkpoint", &dir, "--select", "w", "--out", &w]);
    let partly = ["run", &graph, "--init", "init", "--fetch", "counted", "--restore", &w];
    let (code, text) = failure(&partly);
    assert!(code == 1 && text.contains("--restore-partial"), "{text}");
    assert_eq!(fetched(&[&partly[..], &["--restore-partial"]].concat()), [1.0]);
    let renamed = ["--restore-name", "steps=w"];
    assert!(failure(&[&partly[..], &renamed].concat()).1.contains("a different shape"));
    for (args, part) in [
        (["--save", dir.as_str(), "--steps", "1"], "directory"),
        (["--save", "no/where.npz", "--steps", "1"], "does not exist"),
        (["--save", "x.npz", "--save-every", "1"], "--save x"),
        (["--restore", "no/where", "--steps", "1"], "no/where"),
    ] {
        let (code, text) = failure(&[&["run", &graph, "--init", "init", "--target", "train"][..], &args].concat());
        assert!(code == 1 && text.contains(part), "{args:?}: {text}");
    }
}

#[test]
fn keras_weights_load_by_name() {
    let folder = folder("checkpoint_keras");
    let variable = |name: &str, shape: Value| {
        json!([
            {"name": name, "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": shape, "shared_name": name}},
            {"name": format!("{name}/Read"), "op": "ReadVariableOp", "input": [name], "attr": {"dtype": "float32"}},
        ])
    };
    let nodes = [variable("hidden/kernel", json!([2, 3])), variable("hidden/bias", json!([3]))];
    let nodes: Vec<Value> = nodes.iter().flat_map(|v| v.as_array().unwrap().clone()).collect();
    let graph = common::written(&folder, "graph.json", &json!({"node": nodes}).to_string());
    for (file, name) in
        [("weights", "hidden/kernel"), ("trained", "hidden/kernel"), ("keras3", "sequential/hidden/kernel")]
    {
        let file = format!("{MODELS}/{file}");
        let run = json(&["run", &graph, "--restore", &file, "--fetch", "hidden/kernel/Read", "--json", "--quiet"]);
        let printed = json(&["checkpoint", &file, "--print", name, "--json"]);
        assert_eq!(run["fetch"]["hidden/kernel/Read"], printed[name], "{file}");
    }
    let by_path = ["--restore-name", "hidden/bias=layer-1/bias"];
    let (code, text) = failure(
        &[&["run", &graph, "--restore", &format!("{MODELS}/weights"), "--fetch", "hidden/bias/Read"][..], &by_path]
            .concat(),
    );
    assert!(code == 1 && text.contains("shape [1]"), "{text}");
}

/// A run that saves after every step, forever.
fn endless(graph: &str, dir: &Path, restore: bool) -> Command {
    let (dir, model) = (dir.to_str().unwrap(), dir.join("model"));
    let mut args = vec!["run", graph, "--init", "init", "--fetch", "counted", "--json", "--quiet"];
    args.extend(["--steps", "1000000", "--save", model.to_str().unwrap(), "--save-every", "1"]);
    if restore {
        args.extend(["--restore", dir]);
    }
    let mut command = command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The step count in the latest checkpoint, all tensors of which must be readable.
fn saved(dir: &Path) -> f64 {
    let printed = json(&["checkpoint", dir.to_str().unwrap(), "--print", "steps,w", "--json"]);
    let steps = printed["steps"].as_f64().unwrap();
    assert_eq!(printed["w"], json!([steps, steps, steps]));
    steps
}

#[test]
fn a_run_that_is_killed_at_any_moment_goes_on_from_its_last_checkpoint() {
    let kills = std::env::var("LEVADA_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let folder = folder("checkpoint_kill");
    let (graph, dir) = (graph(&folder), folder.join("saved"));
    let mut before = 0.0;
    for kill in 0..kills {
        let mut child = endless(&graph, &dir, kill > 0).spawn().unwrap();
        // After a varying number of steps, and so during different parts of a save.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut seen = 0.0;
        for _ in 0..2 + kill * 7 % 13 {
            let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            seen = line["fetch"]["counted"].as_f64().unwrap();
        }
        (0..kill * 997 % 4001).for_each(|_| std::hint::spin_loop());
        child.kill().unwrap();
        child.wait().unwrap();
        // The save of a step begins when the previous one is done.
        let found = saved(&dir);
        assert!(found >= seen - 2.0 && found >= before, "kill {kill}: {found} after {seen}, before {before}");
        before = found;
    }
    let names = fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let left = names.filter(|name| name.contains("tempstate")).count();
    assert!(left <= 2, "{left} files of killed runs");
}

#[cfg(unix)]
#[test]
fn what_was_asked_for_is_saved_where_a_run_is_interrupted() {
    let folder = folder("checkpoint_interrupt");
    let (graph, dir) = (graph(&folder), folder.join("saved"));
    for signal in ["-INT", "-TERM"] {
        let mut child = endless(&graph, &dir, false).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().unwrap().unwrap();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let last = lines.map_while(Result::ok).last().unwrap_or_default();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let last: Value = serde_json::from_str(&last).unwrap_or(json!({"fetch": {"counted": 1.0}}));
        assert_eq!(saved(&dir), last["fetch"]["counted"].as_f64().unwrap(), "{signal}");
    }
}
