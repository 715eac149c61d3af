//! The command as a user runs it: what it prints, what it writes, and its exit codes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A folder for the output of a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn levada(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_levada")).args(args).current_dir(root()).output().unwrap()
}

/// Standard output of a command that succeeds.
fn stdout(args: &[&str]) -> String {
    let output = levada(args);
    assert!(output.status.success(), "{args:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and standard error of a command that fails.
fn failure(args: &[&str]) -> (i32, String) {
    let output = levada(args);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

const DIGITS: [&str; 6] = [
    "run",
    "graphs/digits/infer.json",
    "--feed",
    "images=@graphs/digits/test_images.npy",
    "--feed",
    "labels=@graphs/digits/test_labels.npy",
];
const CONTROL: [&str; 6] = ["run", "graphs/control.json", "--feed", "x=[1, 2, 3]", "--fetch", "last"];

fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(root().join(path)).unwrap()).unwrap()
}

#[test]
fn digits_are_classified_as_tensorflow_does() {
    let folder = folder("digits");
    let (out, trace) = (folder.join("out.npz"), folder.join("digits.trace.json"));
    let (out, trace) = (out.to_str().unwrap(), trace.to_str().unwrap());
    let mut args = DIGITS.to_vec();
    args.extend([
        "--fetch",
        "accuracy",
        "--fetch",
        "confusion",
        "--fetch",
        "predictions",
        "--out",
        out,
        "--trace",
        trace,
    ]);
    let text = stdout(&args);
    let expected = json("graphs/digits/expected.json");
    let accuracy = text.lines().find_map(|l| l.strip_prefix("accuracy")?.split_whitespace().nth(1)).unwrap();
    assert!((accuracy.parse::<f64>().unwrap() - expected["accuracy"].as_f64().unwrap()).abs() < 1e-6, "{text}");

    let rows = text.lines().skip_while(|l| !l.starts_with("confusion")).skip(1).take(10);
    let counts: Vec<Vec<i64>> = rows.map(|l| l.split_whitespace().map(|n| n.parse().unwrap()).collect()).collect();
    assert_eq!(serde_json::to_value(counts).unwrap(), expected["confusion"]);

    // The fetched values are fed back through the archive, to be compared with the classes that TensorFlow predicts.
    let compare = folder.join("compare.json");
    let node = |name: &str, op: &str, input: &[&str], attr: Value| serde_json::json!({"name": name, "op": op, "input": input, "attr": attr});
    let graph = serde_json::json!({"node": [
        node("found", "Placeholder", &[], serde_json::json!({"dtype": "int64", "shape": [null]})),
        node("expected", "Const", &[], serde_json::json!({"dtype": "int64", "value": expected["predictions"]})),
        node("equal", "Equal", &["found", "expected"], serde_json::json!({})),
        node("axis", "Const", &[], serde_json::json!({"dtype": "int32", "value": [0]})),
        node("all", "All", &["equal", "axis"], serde_json::json!({})),
    ]});
    std::fs::write(&compare, graph.to_string()).unwrap();
    let feed = format!("found=@{out}:predictions");
    let text = stdout(&["run", compare.to_str().unwrap(), "--feed", &feed, "--fetch", "all"]);
    assert!(text.starts_with("all  bool[]  true\n"), "{text}");

    let order = stdout(&["trace", trace, "--order"]);
    let line = |node: &str| order.lines().position(|l| l.split_whitespace().any(|w| w == node)).unwrap();
    assert!(line("conv1/Conv2D") < line("conv2/Conv2D") && line("conv2/Conv2D") < line("accuracy"), "{order}");
    assert!(order.lines().next().is_some_and(|l| l.contains("device") && l.contains("last input")), "{order}");
    let by_op = stdout(&["trace", trace, "--by-op"]);
    assert!(by_op.contains("MaxPool") && by_op.contains("Conv2D+BiasAdd+Relu"), "{by_op}");
    // On a busy machine the step may have waited longest for a node that only the confusion matrix needs.
    let path = stdout(&["trace", trace, "--critical-path"]);
    assert!(path.contains("conv1/Conv2D") || path.contains("confusion"), "{path}");
    assert!(path.contains("end of the step"), "{path}");
    assert!(stdout(&["trace", trace]).contains("step 1 took"));
    let chrome = json(trace);
    let event = chrome["traceEvents"].as_array().unwrap().iter().find(|e| e["name"] == "conv1/Relu" && e["ph"] == "X");
    assert_eq!(event.unwrap()["args"]["nodes"], "conv1/Conv2D conv1/BiasAdd conv1/Relu");
    for exporter in levada::trace::export::EXPORTERS {
        let file = folder.join(exporter.name);
        assert_eq!(stdout(&["trace", trace, &format!("--{}", exporter.name), file.to_str().unwrap()]), "");
        assert!(std::fs::read_to_string(&file).unwrap().contains("conv1/Relu"), "{}", exporter.name);
    }
}

#[test]
fn control_dependencies_are_seen_in_the_trace() {
    let trace = folder("control").join("trace.json");
    let trace = trace.to_str().unwrap();
    let mut args = CONTROL.to_vec();
    args.extend(["--target", "done", "--trace", trace]);
    assert!(stdout(&args).starts_with("last  float32[3]  [12.0, 23.0, 34.0]\n"));
    let lines = stdout(&["trace", trace, "--order", "--json"]);
    let nodes: Vec<String> =
        lines.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["node"].as_str().unwrap().to_owned()).collect();
    let at = |node: &str| nodes.iter().position(|n| n == node).unwrap();
    let stages = [&["first"][..], &["second/left", "second/right"], &["third"], &["last"], &["done"]];
    for pair in stages.windows(2) {
        for (a, b) in pair[0].iter().flat_map(|a| pair[1].iter().map(move |b| (a, b))) {
            assert!(at(a) < at(b), "{a} before {b}: {nodes:?}");
        }
    }
}

#[test]
fn several_steps_are_timed() {
    let mut args = CONTROL.to_vec();
    args.extend(["--steps", "5", "--threads", "1"]);
    let text = stdout(&args);
    assert!(text.contains("5 steps, each in ") && text.contains("on 1 thread"), "{text}");
}

#[test]
fn bench_prints_one_object() {
    let args = ["bench", "graphs/control.json", "--feed", "x=[1]", "--fetch", "last", "--steps", "20", "--json"];
    let object: Value = serde_json::from_str(&stdout(&args)).unwrap();
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "compile_ms",
        "load_ms",
        "max_us",
        "median_us",
        "min_us",
        "nodes",
        "p90_us",
        "p99_us",
        "peak_rss_mb",
        "runs",
        "runs_per_s",
    ];
    assert_eq!(keys, expected);
    assert_eq!(object["runs"], 20);
    assert!(object["min_us"].as_f64() <= object["median_us"].as_f64());
}

#[test]
fn inspect_shows_what_is_there_and_all_that_is_not_supported() {
    let text = stdout(&["inspect", "graphs/short.json"]);
    let has = |words: &[&str]| text.lines().any(|l| l.split_whitespace().eq(words.iter().copied()));
    assert!(has(&["x", "float32[?,4]"]) && has(&["MatMul", "2"]) && has(&["class", "int32", "(ArgMax)"]), "{text}");

    let bad = folder("inspect").join("bad.json");
    std::fs::write(&bad, r#"{"node": [{"name": "a", "op": "Fftt"}, {"name": "b", "op": "Matmull"}]}"#).unwrap();
    let output = levada(&["inspect", bad.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("Fftt") && text.contains("Matmull"), "{text}");
}

#[test]
fn verify_counts_and_reports() {
    let rows = folder("verify").join("rows.json");
    let args = ["verify", "tests/golden/session.jsonl", "--filter", "feed", "--json", rows.to_str().unwrap()];
    let text = stdout(&args);
    let written = json(&rows);
    let passed = written.as_array().unwrap().len();
    assert_eq!(text.lines().last().unwrap(), format!("{passed} passed, 0 failed, 0 skipped"));
    assert!(passed > 3 && written.as_array().unwrap().iter().all(|r| r["status"] == "passed"));
}

#[test]
fn what_is_wrong_with_graphs_feeds_and_names_exits_with_1() {
    let folder = folder("wrong");
    let text = folder.join("text.npy");
    std::fs::write(&text, "no array").unwrap();
    let text = format!("x=@{}", text.display());
    let cases: [(&[&str], &str); 9] = [
        (&["run", "graphs/missing.json", "--fetch", "y"], "graphs/missing.json"),
        (&["run", "README.md", "--fetch", "y"], "README.md"),
        (&["run", "graphs/control.json", "--fetch", "last"], "x"),
        (&["run", "graphs/control.json", "--feed", "x=[1]", "--fetch", "lost"], "did you mean \"last\"?"),
        (&["run", "graphs/control.json", "--feed", "y=[1]", "--fetch", "last"], "y is not in the graph"),
        (&["run", "graphs/control.json", "--feed", "x=[[1]]", "--fetch", "last"], "x"),
        (&["run", "graphs/control.json", "--feed", "x=@no.npy", "--fetch", "last"], "no.npy"),
        (&["run", "graphs/control.json", "--feed", &text, "--fetch", "last"], "not a .npy file"),
        (&["trace", "graphs/control.json"], "not a trace"),
    ];
    for (args, part) in cases {
        let (code, error) = failure(args);
        assert!(code == 1 && error.starts_with("error[") && error.contains(part), "{args:?}: {code}\n{error}");
    }
}

#[test]
fn pipelines_run_until_their_input_ends() {
    let runners = ["--queue-runners", "--allow-files", "graphs/pipeline", "--fetch", "rows", "--fetch", "greatest_ink"];
    for (graph, steps) in [("graphs/pipeline/tfrecords.json", "23 steps"), ("graphs/pipeline/csv.json", "12 steps")] {
        for threads in ["1", "4"] {
            let args = [&["run", graph, "--threads", threads], &runners[..]].concat();
            let text = stdout(&args);
            assert!(text.contains("rows 64  greatest_ink 1.0") && text.contains(steps), "{text}");
        }
        let (code, error) = failure(&["run", graph, "--queue-runners", "--fetch", "rows"]);
        assert!(code == 1 && error.contains("permission denied") && error.contains("--allow-files DIR"), "{error}");
        let text = stdout(&[&["run", graph, "--steps", "2"], &runners[..]].concat());
        assert!(text.contains("2 steps"), "{text}");
    }
    let (code, error) =
        failure(&["run", "graphs/control.json", "--queue-runners", "--fetch", "last", "--feed", "x=[1]"]);
    assert!(code == 1 && error.contains("no queue runners"), "{error}");
}

#[test]
fn a_graph_is_trained_from_its_queues_and_then_tested() {
    let out = folder("training").join("out.npz");
    let train =
        ["run", "graphs/digits/train.json", "--queue-runners", "--allow-files", "graphs/digits", "--fetch", "loss"];
    let test = ["images=@graphs/digits/test_images.npy", "labels=@graphs/digits/test_labels.npy"];
    let then = ["--then-fetch", "accuracy", "--then-feed", test[0], "--then-feed", test[1]];
    let more = ["--target", "train_op", "--steps", "60", "--out", out.to_str().unwrap()];
    let text = stdout(&[&train[..], &then, &more].concat());
    let after = |start: &str, skip: usize| -> f64 {
        let line = text.lines().rfind(|l| l.starts_with(start)).unwrap();
        line.split_whitespace().nth(skip).unwrap().parse().unwrap()
    };
    assert!(after("step  1", 3) > 2.0 && after("step 60", 3) < 1.5, "{text}");
    assert!(after("accuracy", 2) > 0.6, "{text}");
    let feed = format!("x=@{}:loss", out.display());
    let (code, error) = failure(&["run", "graphs/control.json", "--feed", &feed, "--fetch", "last"]);
    assert!(code == 1 && error.contains("shape []"), "{error}");

    // Errors of the last run show before the first one.
    let (code, error) = failure(&[&train[..], &["--then-fetch", "acuracy"]].concat());
    assert!(code == 1 && error.contains("did you mean \"accuracy\"?"), "{error}");
    let (code, error) = failure(&[&train[..], &["--then-feed", test[0]]].concat());
    assert!(code == 1 && error.contains("--then-fetch"), "{error}");
}

#[test]
fn wrong_usage_exits_with_2() {
    let cases: [&[&str]; 9] = [
        &[],
        &["walk", "graphs/control.json"],
        &["run"],
        &["run", "graphs/control.json", "--fetch", "last", "--feed", "x"],
        &["run", "graphs/control.json", "--fetch", "last", "--feed", "x=[1,"],
        &["run", "graphs/control.json", "--fetch", "last", "--steps", "0"],
        &["run", "graphs/control.json", "--fetch", "last", "--threads", "none"],
        &["run", "graphs/control.json", "--fetch", "last", "--timeout", "soon"],
        &["run", "graphs/control.json", "--fetch", "last", "--devices", "tpu:1"],
    ];
    for args in cases {
        let (code, error) = failure(args);
        assert!(code == 2 && !error.is_empty(), "{args:?}: {code}\n{error}");
    }
}

/// A graph file with a queue `q` of capacity two, which `fill` fills with three numbers and `take` dequeues one from.
fn queue_graph(folder: &Path) -> PathBuf {
    let path = folder.join("queue.json");
    let graph = serde_json::json!({"node": [
        {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int32"], "shapes": [[]], "capacity": 2}},
        {"name": "v", "op": "Const", "attr": {"dtype": "int32", "value": [1, 2]}},
        {"name": "fill", "op": "QueueEnqueueManyV2", "input": ["q", "v"]},
        {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}},
        {"name": "take_after", "op": "QueueDequeueV2", "input": ["q", "^fill", "^take"],
            "attr": {"component_types": ["int32"]}}]});
    std::fs::write(&path, graph.to_string()).unwrap();
    path
}

#[test]
fn a_run_in_which_everything_waits_says_why() {
    let folder = folder("waiting");
    let graph = queue_graph(&folder);
    let (json_file, dot_file) = (folder.join("waiting.json"), folder.join("waiting.dot"));
    for file in [&json_file, &dot_file] {
        let args = ["run", graph.to_str().unwrap(), "--fetch", "take", "--waiting", file.to_str().unwrap()];
        let (code, text) = failure(&args);
        assert_eq!(code, 1);
        assert!(text.contains("the run would wait forever: `take`"), "{text}");
        assert!(
            text.contains("`fill` (QueueEnqueueManyV2) puts into it, but no run in progress includes it"),
            "{text}"
        );
    }
    let waiting = json(&json_file);
    assert_eq!((&waiting["stalled"], &waiting["nodes"][0]["node"]), (&true.into(), &"take".into()));
    assert!(std::fs::read_to_string(&dot_file).unwrap().starts_with("digraph"));
}

#[test]
fn a_trace_has_all_steps_and_the_queues() {
    let folder = folder("queues");
    let graph = queue_graph(&folder);
    let trace = folder.join("trace.json");
    let trace = trace.to_str().unwrap();
    let args = ["run", graph.to_str().unwrap(), "--target", "fill", "--fetch", "take", "--fetch", "take_after"];
    let text = stdout(&[&args[..], &["--steps", "5", "--trace", trace]].concat());
    assert!(text.contains("in 5 steps and 1 queue"), "{text}");
    let order = stdout(&["trace", trace, "--order", "--json"]);
    assert_eq!(order.lines().filter(|l| l.contains("\"node\":\"fill\"")).count(), 5);
    let queues = stdout(&["trace", trace, "--queues"]);
    assert!(queues.starts_with("FIFOQueue q, capacity 2"), "{queues}");
    for part in ["occupancy", "QueueDequeueV2", "takes", "puts", "empty", "\nlimit: ", "\nconfidence: "] {
        assert!(queues.contains(part), "{queues}");
    }
    let steps: Vec<u64> =
        order.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["step"].as_u64().unwrap()).collect();
    assert!(steps.is_sorted() && steps.first() == Some(&1) && steps.last() == Some(&5), "{steps:?}");
    // The parts of each step's time add up to it.
    let paths: Value = serde_json::from_str(&stdout(&["trace", trace, "--critical-path", "--json"])).unwrap();
    for step in paths["steps"].as_array().unwrap() {
        let spent: f64 = step["spent"].as_object().unwrap().values().map(|us| us.as_f64().unwrap()).sum();
        assert!((spent - step["wall_us"].as_f64().unwrap()).abs() < 0.01, "{step}");
    }
    let paths = stdout(&["trace", trace, "--critical-path"]);
    assert!(paths.contains("5 steps: ") && paths.contains("waiting") | paths.contains("overhead"), "{paths}");
    assert!(stdout(&["trace", trace, "--critical-path", "--step", "3"]).contains("\nstep 3: "));
    let queues: Value = serde_json::from_str(&stdout(&["trace", trace, "--queues", "--json"])).unwrap();
    assert!(queues["bottleneck"]["text"].is_string() && queues["queues"][0]["name"] == "q", "{queues}");
    let chrome = json(trace);
    assert!(chrome["traceEvents"].as_array().unwrap().iter().any(|e| e["name"] == "q" && e["ph"] == "C"));
}

const DIAMOND: &str = r#"{
  "node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [256, 256]}},
    {"name": "left", "op": "MatMul", "input": ["x", "x"], "device": "/cpu:0"},
    {"name": "right", "op": "MatMul", "input": ["x", "x"], "device": "/cpu:1", "attr": {"transpose_a": true}},
    {"name": "right_size", "op": "Size", "input": ["right"]},
    {"name": "after_right", "op": "NoOp", "input": ["^right"], "device": "/cpu:0"},
    {"name": "sum", "op": "AddV2", "input": ["left", "right", "^after_right"], "device": "/cpu:0"},
    {"name": "difference", "op": "Sub", "input": ["left", "right"], "device": "/cpu:0"},
    {"name": "mean", "op": "Maximum", "input": ["sum", "difference"]}
  ]
}"#;

const TORN: &str = r#"{
  "node": [
    {"name": "weights", "op": "VariableV2", "device": "/cpu:0", "attr": {"dtype": "float32", "shape": [2]}},
    {"name": "step", "op": "NoOp", "device": "/cpu:1"},
    {"name": "with_step", "op": "NoOp", "attr": {"_class": ["loc:@step"]}},
    {"name": "torn", "op": "NoOp", "device": "/cpu:0", "attr": {"_class": ["loc:@with_step"]}}
  ]
}"#;

/// A file in the folder of a test.
fn written(test: &str, name: &str, text: &str) -> String {
    let path = folder(test).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn place_shows_where_nodes_go_and_why() {
    let diamond = written("place", "diamond.json", DIAMOND);
    let graph = ["place", &diamond, "--devices", "cpu:2"];
    let stdout_with = |more: &[&str]| stdout(&[&graph, more].concat());
    let table = stdout(&graph);
    assert!(table.lines().any(|l| l.starts_with("right_size") && l.contains("/device:CPU:1") && l.contains("right")));
    assert!(table.ends_with("/device:CPU:0: 6 nodes\n/device:CPU:1: 2 nodes\n"), "{table}");

    let why = stdout_with(&["--explain", "right_size"]);
    assert!(why.contains("it looks only at the shape of right, so it is where right is"), "{why}");

    let placed: Value = serde_json::from_str(&stdout_with(&["--json"])).unwrap();
    assert_eq!(placed["nodes"][2]["device"], "/job:localhost/replica:0/task:0/device:CPU:1");

    let folder = folder("place");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (dot, svg, parts, trace) = (file("g.dot"), file("g.svg"), file("parts"), file("trace.json"));
    let other = file("other.json");
    std::fs::write(&other, placed.to_string()).unwrap();
    stdout_with(&["--dot", &dot, "--svg", &svg, "--partitions", &parts]);
    assert!(std::fs::read_to_string(&dot).unwrap().starts_with("digraph"));
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.ends_with("</svg>\n") && picture.contains("marker-end=\"url(#crosses)\""), "{picture}");
    // Even with this number of nodes it is not wider than a screen.
    stdout(&["place", "graphs/digits/train.json", "--devices", "cpu:2", "--svg", &svg]);
    let picture = std::fs::read_to_string(&svg).unwrap();
    let width = picture.split("width=\"").nth(1).and_then(|w| w.split('"').next()).unwrap();
    assert!(width.parse::<f64>().unwrap() < 2000.0, "{width}");
    let placed: Value =
        serde_json::from_str(&stdout(&["place", "graphs/digits/train.json", "--devices", "cpu:2", "--json"])).unwrap();
    let nodes = placed["nodes"].as_array().unwrap().len();
    assert_eq!(picture.matches("<title>").count() + picture.matches("\nconstant ").count(), nodes + 2);
    for device in 0..2 {
        let part = json(Path::new(&parts).join(format!("job_localhost_replica_0_task_0_device_CPU_{device}.json")));
        assert!(part["node"].as_array().unwrap().iter().any(|n| n["op"] == "_Recv"));
    }
    assert_eq!(stdout_with(&["--diff", &other]), "0 of 8 nodes differ\n");

    let cluster = stdout(&[
        "place",
        "graphs/digits/infer.json",
        "--cluster",
        "graphs/clusters/workstation.json",
        "--placer",
        "m-SCT",
        "--trace",
        &trace,
    ]);
    assert!(cluster.contains("critical path") && cluster.contains("first-fit"), "{cluster}");
    assert!(json(&trace)["traceEvents"].as_array().unwrap().len() > 10);
}

#[test]
fn place_names_what_contradicts_what() {
    let torn = written("conflict", "torn.json", TORN);
    let output = levada(&["place", &torn, "--devices", "cpu:2"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "  - step asks for the device \"/cpu:1\"",
        "  - with_step asks to be colocated with loc:@step (_class)",
        "  - torn asks to be colocated with loc:@with_step (_class)",
        "  - torn asks for the device \"/cpu:0\"",
        "  - set the device of torn to \"/device:CPU:1\"",
        "  - allow soft placement (--soft)",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("weights"), "{text}");
    let output = levada(&["place", &torn, "--devices", "cpu:2", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&value["error"], value["conflicts"][0]["constraints"].as_array().unwrap().len()),
        (&"INVALID_ARGUMENT".into(), 4)
    );
}

/// The output of the command on a machine without GPUs; `None` if there are GPUs that cannot be hidden.
fn without_gpus(args: &[&str]) -> Option<Output> {
    let command = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_levada"));
        // For the Vulkan loader, by its newer name and its older one, and for CUDA.
        let hidden =
            [("VK_DRIVER_FILES", "/none.json"), ("VK_ICD_FILENAMES", "/none.json"), ("CUDA_VISIBLE_DEVICES", "")];
        command.args(args).envs(hidden).current_dir(root()).output().unwrap()
    };
    let found = String::from_utf8(command(&["devices"]).stdout).unwrap();
    (!found.contains("GPU:0")).then(|| command(args))
}

#[test]
fn devices_are_listed_and_where_there_are_none_why() {
    let found = stdout(&["devices"]);
    assert!(found.starts_with("CPU:0"), "{found}");
    assert!(found.contains("GPU:0") || found.contains("no devices from wgpu: "), "{found}");
    let Some(output) = without_gpus(&["devices"]) else { return };
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && found.contains("no devices from wgpu: "), "{found}");
    assert!(found.contains("no devices from cuda: "), "{found}");

    let mut control = CONTROL.to_vec();
    control.extend(["--devices", "gpu:1,cpu:1"]);
    let output = without_gpus(&control).unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && text.contains("this machine has no GPU"), "{text}");
    control.push("--soft");
    assert!(without_gpus(&control).unwrap().status.success());
    let output = without_gpus(&["verify", "tests/golden/session.jsonl", "--device", "/device:GPU:0"]).unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn cases_are_replayed_on_a_device() {
    let found = stdout(&["verify", "tests/golden/session.jsonl", "--device", "/device:CPU:0"]);
    assert!(found.contains("ran on /device:CPU:0"), "{found}");
    if !stdout(&["devices"]).contains("GPU:0") {
        println!("skipped: there is no GPU");
        return;
    }
    let found = stdout(&["verify", "tests/golden/session.jsonl", "--device", "/gpu:0"]);
    let ran: usize = found.lines().find(|l| l.contains("ran on")).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(ran > 0, "{found}");
    let found = stdout(&["inspect", "graphs/digits/train.json", "--devices", "gpu:1"]);
    assert!(found.contains("no kernel on a GPU"), "{found}");
    let found = stdout(&["place", "graphs/digits/infer.json", "--devices", "gpu:1,cpu:1"]);
    assert!(found.contains("device:GPU:0"), "{found}");
}

/// Nodes on a described GPU, and a trace of a step that used it.
const ON_GPU: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "device": "/cpu:0", "attr": {"dtype": "float32", "shape": [1000]}},
    {"name": "y", "op": "Neg", "input": ["x"], "device": "/gpu:0"}
]}"#;
const TRACE: &str = r#"{"traceEvents": [], "levada": {"version": 1, "steps": [{
    "step_id": 1, "start_unix_us": 1700000000000000, "wall_ns": 9000000, "threads": 1,
    "events": [{"node": "y", "op": "Neg", "device": "/job:localhost/replica:0/task:0/device:GPU:0", "worker": 0,
                "ready_ns": 1000, "start_ns": 2000, "end_ns": 4000}],
    "device_events": [
        {"node": "x/_1", "work": "copy_in", "bytes": 4000, "device": "/job:localhost/replica:0/task:0/device:GPU:0",
         "track": "copies in", "worker": 0, "queued_ns": 1000, "start_ns": 2000, "end_ns": 1002000},
        {"node": "y", "work": "kernel", "name": "Neg", "device": "/job:localhost/replica:0/task:0/device:GPU:0",
         "track": "compute 0", "worker": 0, "queued_ns": 3000, "start_ns": 2000000, "end_ns": 7000000}
    ]
}]}}"#;

#[test]
fn a_trace_tells_what_devices_did_and_what_nodes_cost_there() {
    let (graph, trace) = (written("tracks", "graph.json", ON_GPU), written("tracks", "trace.json", TRACE));
    let text = stdout(&["trace", &trace]);
    for part in ["GPU:0: busy 6000.0 us of 9000.0 us", "copies in: 1, 4000 bytes", "queueing: median 1997.0 us", "Neg"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(stdout(&["trace", &trace, "--devices"]).starts_with("GPU:0: busy"));
    assert!(stdout(&["trace", &trace, "--order", "--devices"]).contains("GPU:0 compute 0"));
    assert!(stdout(&["trace", &trace, "--by-op"]).contains("device us"));
    let lines = stdout(&["trace", &trace, "--order", "--json"]);
    assert_eq!(lines.lines().filter(|l| l.contains("\"work\":")).count(), 2);

    // The node costs the device's time, 5 ms, and the copy its own, 1 ms.
    let place = |costs: &[&str]| -> f64 {
        let args = ["place", &graph, "--cluster", "graphs/clusters/workstation.json", "--json"];
        let value: Value = serde_json::from_str(&stdout(&[&args[..], costs].concat())).unwrap();
        value["simulation"]["step_us"].as_f64().unwrap()
    };
    assert!(place(&[]) < 1_000.0);
    let measured = place(&["--costs", &trace]);
    assert!((5_900.0..6_200.0).contains(&measured), "{measured}");
}

#[test]
fn a_run_on_a_gpu_has_its_work_in_the_trace() {
    if !stdout(&["devices"]).contains("GPU:0") {
        println!("skipped: there is no GPU");
        return;
    }
    let trace = folder("gpu_trace").join("trace.json");
    let trace = trace.to_str().unwrap();
    let mut args = DIGITS.to_vec();
    args.extend(["--fetch", "accuracy", "--devices", "gpu:1,cpu:1", "--trace", trace]);
    stdout(&args);
    let text = stdout(&["trace", trace, "--devices"]);
    assert!(text.contains("copies in") && text.contains("conv2d"), "{text}");
    let chrome = json(trace);
    let events = chrome["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|e| e["ph"] == "M" && e["args"]["name"] == "compute 0"));
    assert!(events.iter().any(|e| e["ph"] == "f" && e["name"] == "queued"));
}
