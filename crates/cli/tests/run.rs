//! `levada run`: what it takes, what it checks, what it writes, how it ends.

mod common;

use common::{command, failure, folder, levada, stdout};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

const CONTROL: [&str; 6] = ["run", "graphs/control.json", "--feed", "x=[1, 2, 3]", "--fetch", "last"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

/// A graph that counts its steps, sums a batch, and has a queue that ends after two steps.
fn graph(folder: &Path) -> String {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null]}},
        {"name": "k", "op": "Placeholder", "attr": {"dtype": "float32", "shape": []}},
        {"name": "pair", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [2]}},
        {"name": "s", "op": "Placeholder", "attr": {"dtype": "string", "shape": [null]}},
        {"name": "axis", "op": "Const", "attr": {"dtype": "int32", "value": [0]}},
        {"name": "sum", "op": "Sum", "input": ["x", "axis"]},
        {"name": "scaled", "op": "Mul", "input": ["x", "k"]},
        {"name": "same", "op": "Identity", "input": ["x"]},
        {"name": "pair_sum", "op": "Sum", "input": ["pair", "axis"]},
        {"name": "text", "op": "Identity", "input": ["s"]},
        {"name": "one", "op": "Const", "attr": {"dtype": "float32", "value": 1}},
        {"name": "w", "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": [], "shared_name": "w"}},
        {"name": "w/start", "op": "Placeholder", "attr": {"dtype": "float32", "shape": []}},
        {"name": "w/Assign", "op": "AssignVariableOp", "input": ["w", "w/start"]},
        {"name": "w/Read", "op": "ReadVariableOp", "input": ["w"], "attr": {"dtype": "float32"}},
        {"name": "init", "op": "NoOp", "input": ["^w/Assign"]},
        {"name": "count", "op": "AssignAddVariableOp", "input": ["w", "one"]},
        {"name": "counted", "op": "ReadVariableOp", "input": ["w", "^count"], "attr": {"dtype": "float32"}},
        {"name": "train_op", "op": "NoOp", "input": ["^count"]},
        {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"], "shapes": [[]], "capacity": 9}},
        {"name": "fill", "op": "QueueEnqueueManyV2", "input": ["q", "x"]},
        {"name": "close", "op": "QueueCloseV2", "input": ["q", "^fill"]},
        {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["float32"]}}
    ]});
    let path = folder.join("graph.json");
    std::fs::write(&path, graph.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_step_is_a_line_of_json() {
    let graph = graph(&folder("run_json"));
    let run = ["run", &graph, "--init", "init", "--feed", "w/start=0", "--fetch", "counted,train_op", "--steps", "3"];
    let output = levada(&with(&run, &["--json", "--then-fetch", "w/Read"]));
    let expected: Vec<Value> = (1..=3)
        .map(|i| json!({"step": i, "fetch": {"counted": f64::from(i), "train_op": null}}))
        .chain([json!({"then": {"w/Read": 3.0}})])
        .collect();
    assert_eq!(lines(&String::from_utf8(output.stdout).unwrap()), expected);
    assert!(String::from_utf8(output.stderr).unwrap().contains("3 steps, each in"));
    let output = levada(&with(&run, &["--json", "--quiet"]));
    assert!(output.stderr.is_empty() && output.stdout.starts_with(b"{\"step\": 1"));
    assert_eq!(stdout(&with(&run, &["--quiet"])), "");
    assert!(stdout(&run).contains("train_op  ran\n"));
    let special = ["run", &graph, "--feed", "x=[NaN, inf, \"-Infinity\", 0.1]", "--fetch", "same", "--json", "--quiet"];
    assert_eq!(lines(&stdout(&special))[0]["fetch"]["same"], json!(["NaN", "Infinity", "-Infinity", 0.1]));
}

#[test]
fn results_are_written_as_the_name_says() {
    let folder = folder("run_out");
    let graph = graph(&folder);
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = ["run", &graph, "--init", "init", "--feed", "w/start=0", "--feed", "x=[1, 2]", "--feed", "k=3"];
    let steps = with(&run, &["--fetch", "counted,scaled,counted", "--steps", "3", "--then-fetch", "w/Read"]);
    let write = |name: &str, all: bool| {
        let path = file(name);
        let more: &[&str] = if all { &["--out-all"] } else { &[] };
        stdout(&[&steps[..], &["--out", &path], more].concat());
        std::fs::read(&path).unwrap()
    };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let last: Value = serde_json::from_slice(&write("last.json", false)).unwrap();
    assert_eq!(last, json!({"counted": 3.0, "scaled": [3.0, 6.0], "w/Read": 3.0}));
    let all: Value = serde_json::from_slice(&write("all.json", true)).unwrap();
    assert_eq!(all["steps"][1], json!({"step": 2, "fetch": {"counted": 2.0, "scaled": [3.0, 6.0]}}));
    assert_eq!((all["steps"].as_array().unwrap().len(), &all["then"]), (3, &json!({"w/Read": 3.0})));
    assert_eq!(text(write("last.csv", false)), "counted,scaled,w/Read\n3.0,3.0,3.0\n,6.0,\n");
    let rows = "1,1.0,3.0,\n1,,6.0,\n2,2.0,3.0,\n2,,6.0,\n3,3.0,3.0,\n3,,6.0,\n,,,3.0\n";
    assert_eq!(text(write("all.csv", true)), format!("step,counted,scaled,w/Read\n{rows}"));

    // A written value is fed back.
    for (name, all, expected) in [("last.npz", false, "[3.0, 6.0]"), ("all.npz", true, "[1.0, 2.0, 3.0]")] {
        write(name, all);
        let key = if all { "counted" } else { "scaled" };
        let feed = format!("x=@{}:{key}", file(name));
        let shown = stdout(&["run", &graph, "--feed", &feed, "--fetch", "same"]);
        assert!(shown.contains(expected), "{shown}");
    }
    let path = file("one.npy");
    stdout(&with(&run, &["--fetch", "counted", "--steps", "2", "--out", &path, "--out-all"]));
    let shown = stdout(&["run", &graph, "--feed", &format!("x=@{path}"), "--fetch", "same"]);
    assert!(shown.contains("[1.0, 2.0]"), "{shown}");
    // Values of different shapes are kept separately.
    let path = file("each.npz");
    let batches = ["run", &graph, "--feed", "x=[1, 2, 3]", "--batch", "2", "--fetch", "same", "--out-all", "--out"];
    stdout(&with(&batches, &[&path]));
    let shown = stdout(&["run", &graph, "--feed", &format!("x=@{path}:same[2]"), "--fetch", "same"]);
    assert!(shown.contains("[3.0]"), "{shown}");
    let (code, error) = failure(&with(&batches, &[&file("each.npy")]));
    assert!(code == 1 && error.contains("same has another shape in this step"), "{error}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

#[test]
fn everything_that_can_be_wrong_is_told_before_something_runs() {
    let folder = folder("run_before");
    let graph = graph(&folder);
    let (directory, out) = (folder.to_str().unwrap(), folder.join("x.npz"));
    let (out, text) = (out.to_str().unwrap(), folder.join("x.txt"));
    let init = ["run", &graph, "--init", "init", "--feed", "w/start=0", "--target", "count"];
    let cases: [(&[&str], &[&str]); 18] = [
        (
            &["--fetch", "sum"],
            &["there is no value for the placeholder x, which --fetch sum needs", "shape [?]", "--feed 'x=[0.5, 0.5]'"],
        ),
        (&["--then-fetch", "sum"], &["which --then-fetch sum needs", "--then-feed 'x="]),
        (
            &["--fetch", "summ", "--then-fetch", "scald"],
            &["--fetch summ is not", "\"sum\"", "--then-fetch scald is not", "\"scaled\""],
        ),
        (&["--target", "fil"], &["--target fil is not in the graph", "did you mean \"fill\"?"]),
        (&["--then-target", "fil"], &["--then-target fil is not in the graph"]),
        (&["--fetch", "sum:2", "--feed", "x=[1]"], &["--fetch sum:2: the node sum has no output 2"]),
        (&["--feed", "x=[[1]]", "--fetch", "sum"], &["--feed x has the wrong shape", "shape [1,1]", "shape [?]"]),
        (&["--feed", "x=3", "--fetch", "sum"], &["one more pair of brackets"]),
        (&["--then-feed", "x=[[1]]", "--then-fetch", "sum"], &["--then-feed x has the wrong shape"]),
        (&["--feed", "x=[\"a\"]", "--fetch", "sum"], &["--> --feed x at"]),
        (&["--feed", "x=[1]", "--feed", "x=[2]", "--fetch", "sum"], &["--feed x is given twice"]),
        (&["--feed", "w=1"], &["--feed w: a resource cannot be given a value", "--feed w/Read=..."]),
        (&["--out", text.to_str().unwrap()], &["ends in .npz, .npy, .json or .csv", "--out"]),
        (&["--out", directory], &["is a directory"]),
        (
            &["--trace", "no/such/t.json"],
            &["--trace no/such/t.json: the directory no/such does not exist", "mkdir -p no/such"],
        ),
        (&["--fetch", "one", "--out", out, "--trace", out], &["--out and --trace name the same file"]),
        (&["--fetch", "w", "--out", out], &["w is a resource"]),
        (&["--fetch", "one,w/Read", "--out", "x.npy"], &["a .npy file holds one array", "--out x.npz"]),
    ];
    for (args, parts) in cases {
        let (code, error) = failure(&with(&init, args));
        assert!(code == 1 && error.starts_with("error["), "{args:?}: {code}\n{error}");
        for part in parts {
            assert!(error.contains(part), "{args:?}: {part} is not in\n{error}");
        }
    }
    assert!(!Path::new(out).exists());
    // Several errors together.
    let (_, error) = failure(&["run", &graph, "--fetch", "sum,scaled,lost", "--out", "no/x", "--feed", "pair=[1, 2]"]);
    assert_eq!(error.matches("error[").count(), 3, "{error}");
}

#[test]
fn what_is_not_supported_is_told_beside_what_is_not_fed() {
    let folder = folder("run_unsupported");
    let graph = folder.join("graph.json");
    let nodes = r#"{"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "y", "op": "Matmull", "input": ["x", "x"]},
        {"name": "z", "op": "Identity", "input": ["y"], "attr": {"T": "float32"}}
    ]}"#;
    std::fs::write(&graph, nodes).unwrap();
    for fetch in ["z", "x,z"] {
        let (code, error) = failure(&["run", graph.to_str().unwrap(), "--fetch", fetch]);
        assert_eq!(code, 1, "{error}");
        assert!(error.starts_with("error[unimplemented]: the op Matmull is not supported"), "{error}");
        assert!(error.contains("did you mean \"MatMul\"?"), "{error}");
        assert!(error.contains("there is no value for the placeholder x"), "{error}");
    }
    let (_, error) = failure(&["run", graph.to_str().unwrap(), "--fetch", "y"]);
    assert!(error.starts_with("error[unimplemented]: the op Matmull is not supported"), "{error}");
}

#[test]
fn a_variable_without_a_value_is_told_with_the_graphs_own_initializer() {
    let graph = graph(&folder("run_init"));
    let (code, error) = failure(&["run", &graph, "--fetch", "w/Read"]);
    assert!(code == 1 && error.contains("help:     initialize the variables first: --init init\n"), "{error}");
    let (code, error) = failure(&["run", &graph, "--init", "init", "--fetch", "w/Read"]);
    assert!(code == 1 && error.contains("placeholder w/start, which --init init needs"), "{error}");
    // The initializer gets the feeds that it needs, and no others.
    let run = ["run", &graph, "--init", "init", "--feed", "w/start=5", "--feed", "x=[1]", "--fetch", "w/Read,sum"];
    assert!(stdout(&run).starts_with("w/Read  float32[]  5.0\nsum     float32[]  1.0\n"));
}

#[test]
fn files_that_are_not_granted_are_told_with_those_that_are() {
    let root = common::root();
    let granted = root.join("graphs/pipeline");
    let graph = root.join("graphs/pipeline/csv.json");
    let run = ["run", graph.to_str().unwrap(), "--queue-runners", "--fetch", "rows"];
    let (code, error) = failure(&run);
    assert!(code == 1 && error.contains("a file in a granted directory; none is granted"), "{error}");
    assert!(error.contains("--allow-files graphs/pipeline\n"), "{error}");
    let args = with(&run, &["--allow-files", granted.to_str().unwrap()]);
    let output = command(&args).current_dir(folder("run_elsewhere")).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let root = std::fs::canonicalize(root).unwrap();
    assert!(error.contains(&format!("run it in {}", root.display())), "{error}");
    assert!(error.contains(&format!("a file in {}", root.join("graphs/pipeline").display())), "{error}");
}

#[test]
fn feeds_are_cut_into_batches() {
    let folder = folder("run_batches");
    let graph = graph(&folder);
    let run = ["run", &graph, "--feed", "x=[1, 2, 3, 4, 5]", "--json", "--quiet", "--fetch"];
    let sums = |fetch: &str, more: &[&str]| -> Vec<f64> {
        let text = stdout(&[&run[..], &[fetch], more].concat());
        lines(&text).iter().map(|line| line["fetch"][fetch].as_f64().unwrap()).collect()
    };
    assert_eq!(sums("sum", &["--batch", "2"]), [3.0, 7.0, 5.0]);
    assert_eq!(sums("sum", &["--batch", "2", "--drop-remainder", "--epochs", "2"]), [3.0, 7.0, 3.0, 7.0]);
    assert_eq!(sums("sum", &["--batch", "2", "--steps", "5"]), [3.0, 7.0, 5.0, 3.0, 7.0]);
    assert_eq!(sums("sum", &["--batch", "9"]), [15.0]);
    let shuffled = ["--batch", "1", "--shuffle", "3", "--epochs", "2"];
    let order = sums("sum", &shuffled);
    assert_eq!(order, sums("sum", &shuffled));
    assert_ne!(order, [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(order.iter().sum::<f64>(), 30.0);

    let text = stdout(&with(&run[..4], &["--fetch", "sum", "--batch", "2", "--steps", "9", "--epochs", "2"]));
    assert!(text.contains("6 of 9 steps: 2 epochs of 3 batches ended"), "{text}");
    let whole = ["--fetch", "scaled", "--feed", "k=2", "--batch", "5"];
    assert!(stdout(&with(&run[..4], &whole)).contains("[2.0, 4.0, 6.0, 8.0, 10.0]"));
    let pair = ["--fetch", "pair_sum,sum", "--feed", "pair=[1, 2, 3, 4, 5]"];
    let cases: [(&[&str], &str); 5] = [
        (&["--batch", "2"], "--drop-remainder leaves the last batch out"),
        (&["--batch", "3"], "--batch 2"),
        (&["--batch", "2", "--feed", "s=[\"a\"]"], "x has 5, pair has 5, s has 1"),
        (&["--batch", "7", "--drop-remainder", "--feed-whole", "s=[\"a\"]"], "shape [2]"),
        (&[], "shape [2]"),
    ];
    for (args, part) in cases {
        let (code, error) = failure(&[&run[..4], &pair, args].concat());
        assert!(code == 1 && error.contains(part), "{args:?}\n{error}");
    }
    let (code, error) = failure(&["run", &graph, "--fetch", "one", "--batch", "2"]);
    assert!(code == 1 && error.contains("no feed has rows"), "{error}");
    assert_eq!(failure(&with(&run[..4], &["--fetch", "sum", "--epochs", "2"])).0, 2);
}

#[test]
fn feeds_are_converted_where_that_is_asked_for() {
    let folder = folder("run_cast");
    let graph = graph(&folder);
    let path = folder.join("x.npy");
    let header = format!("{:<117}\n", "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }");
    let data =
        [&b"\x93NUMPY\x01\x00\x76\x00"[..], header.as_bytes(), &1i64.to_le_bytes(), &2i64.to_le_bytes()].concat();
    std::fs::write(&path, &data).unwrap();
    let feed = format!("x=@{}", path.display());
    let run = ["run", &graph, "--fetch", "same", "--feed", &feed];
    let (code, error) = failure(&run);
    assert!(code == 1 && error.contains("--cast converts it") && error.contains("expected: float32"), "{error}");
    assert!(stdout(&with(&run, &["--cast"])).starts_with("same  float32[2]  [1.0, 2.0]\n"));

    // The array from standard input, and the graph.
    let piped = |args: &[&str], input: &[u8]| {
        let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let shown = piped(&["run", &graph, "--fetch", "same", "--feed", "x=@-", "--cast"], &data);
    assert!(shown.starts_with("same  float32[2]"), "{shown}");
    let shown = piped(&["run", "-", "--fetch", "one"], &std::fs::read(&graph).unwrap());
    assert!(shown.starts_with("one  float32[]  1.0\n"), "{shown}");
}

#[test]
fn the_end_of_the_input_is_the_end_of_the_run() {
    let folder = folder("run_ends");
    let graph = graph(&folder);
    let out = folder.join("all.csv");
    let out = out.to_str().unwrap();
    let run = ["run", &graph, "--init", "close", "--feed", "x=[1, 2, 3]"];
    let text = stdout(&with(&run, &["--fetch", "take", "--steps", "9", "--out", out, "--out-all"]));
    assert!(text.contains("3 of 9 steps: the input ended"), "{text}");
    assert_eq!(std::fs::read_to_string(out).unwrap(), "step,take\n1,1.0\n2,2.0\n3,3.0\n");
}

#[test]
fn a_full_disk_and_a_reader_that_goes_away_are_no_success() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: there is no /dev/full");
        return;
    }
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let output = command(&CONTROL).stdout(full()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("standard output cannot be written"), "{error}");

    let folder = folder("run_pipe");
    let out = folder.join("out.npz");
    let args = with(&CONTROL, &["--steps", "2000", "--json", "--quiet", "--out", out.to_str().unwrap()]);
    let mut child = command(&args).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141));
    assert!(out.exists() && line.starts_with("{\"step\": 1,"));

    let link = folder.join("full.npz");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let (code, error) = failure(&with(&CONTROL, &["--out", link.to_str().unwrap()]));
    assert!(code == 1 && error.contains("resource exhausted"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_run_after_the_step_under_way() {
    let folder = folder("run_interrupt");
    let graph = graph(&folder);
    let out = folder.join("all.csv");
    let run = ["run", &graph, "--init", "init", "--feed", "w/start=0", "--fetch", "counted", "--json"];
    let more = ["--steps", "1000000000", "--out", out.to_str().unwrap(), "--then-fetch", "w/Read"];
    for signal in ["-INT", "-TERM"] {
        let mut child = command(&with(&run, &more)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let rest: Vec<String> = output.lines().map(Result::unwrap).collect();
        let done = child.wait_with_output().unwrap();
        let errors = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(130), "{errors}");
        assert!(errors.contains(" of 1000000000 steps: interrupted"), "{errors}");
        assert!(rest.last().unwrap().starts_with("{\"then\": {\"w/Read\": "), "{rest:?}");
        assert!(std::fs::read_to_string(&out).unwrap().starts_with("counted,w/Read\n"));
    }
}

#[test]
fn messages_are_coloured_where_that_is_asked_for() {
    let error = |name: &str, value: &str| {
        let output = command(&["run", "graphs/missing.json", "--fetch", "y"]).env(name, value).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error("CLICOLOR_FORCE", "1").starts_with("\x1b[1;31merror[not found]\x1b[0m: "));
    assert!(error("NO_COLOR", "1").starts_with("error[not found]: "));
}

/// The events of the only file in a folder.
fn events(folder: &Path) -> Vec<Vec<u8>> {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() == 1 && files[0].to_str().unwrap().contains("events.out.tfevents."), "{files:?}");
    let bytes = std::fs::read(&files[0]).unwrap();
    levada::records::Reader::new(&bytes[..], levada::records::Compression::None).map(Result::unwrap).collect()
}

#[test]
fn summaries_are_written_for_tensorboard() {
    let folder = folder("run_summaries");
    let graph = json!({
        "graphDef": {"node": [
            {"name": "x", "op": "Placeholder", "attr": {"dtype": {"type": "DT_FLOAT"}}},
            {"name": "unfed", "op": "Placeholder", "attr": {"dtype": {"type": "DT_FLOAT"}}},
            {"name": "tag", "op": "Const", "attr": {"dtype": {"type": "DT_STRING"}, "value": {"tensor":
                {"dtype": "DT_STRING", "tensorShape": {}, "stringVal": ["dGhlIHRhZw=="]}}}},
            {"name": "loss", "op": "Neg", "input": ["x"], "attr": {"T": {"type": "DT_FLOAT"}}},
            {"name": "seen", "op": "ScalarSummary", "input": ["tag", "loss"], "attr": {"T": {"type": "DT_FLOAT"}}},
            {"name": "blind", "op": "ScalarSummary", "input": ["tag", "unfed"], "attr": {"T": {"type": "DT_FLOAT"}}}
        ]},
        "collectionDef": {"summaries": {"nodeList": {"value": ["seen:0", "blind:0"]}}}
    });
    let graph = common::written(&folder, "meta.json", &graph.to_string());
    let logs = folder.join("logs");
    let args =
        ["run", &graph, "--feed", "x=2", "--fetch", "loss", "--steps", "3", "--summaries", logs.to_str().unwrap()];
    let text = stdout(&with(&args, &["--trace", folder.join("trace.json").to_str().unwrap()]));
    assert!(text.contains("loss") && !text.contains("seen") && text.contains("events.out.tfevents."), "{text}");
    let events = events(&logs);
    let holds = |text: &[u8]| events.iter().filter(|event| event.windows(text.len()).any(|w| w == text)).count();
    // Version, graph, the graph with its collections, the beginning, three times a step and its trace, the end.
    assert_eq!(events.len(), 11);
    // The constant that is the tag is in both graphs, and traces have the names of ops.
    assert_eq!((holds(b"brain.Event:2"), holds(b"ScalarSummary"), holds(b"the tag"), holds(b"step_3")), (1, 5, 5, 1));
    // The scalar that is fetched: its tag, and -2 behind it.
    assert_eq!(holds(b"\x0a\x04loss\x15\x00\x00\x00\xc0"), 3);
}

#[test]
fn digits_are_learned_from_arrays() {
    let train = ["run", "graphs/digits/train.json", "--init", "init", "--cast", "--batch", "64", "--epochs", "3"];
    let data = ["--feed", "images=@graphs/digits/train_images.npy", "--feed", "labels=@graphs/digits/train_labels.npy"];
    let test = ["--then-fetch", "accuracy", "--then-feed", "images=@graphs/digits/train_images.npy"];
    let more = ["--then-feed", "labels=@graphs/digits/train_labels.npy", "--fetch", "loss,train_op", "--shuffle", "7"];
    let text = stdout(&[&train[..], &data, &test, &more].concat());
    let accuracy: f64 =
        text.lines().find_map(|l| l.strip_prefix("accuracy")?.split_whitespace().nth(1)).unwrap().parse().unwrap();
    assert!(accuracy > 0.8 && text.contains("69 steps"), "{text}");
}
