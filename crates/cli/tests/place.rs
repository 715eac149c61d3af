//! `levada place` for a step, what it says of a device that does not exist, and traces of others.

mod common;
use common::{failure, folder, has, json, levada, stdout, written};

/// A variable with its initializer, and a step that multiplies.
const STEP: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, 64]}},
    {"name": "w", "op": "VariableV2", "attr": {"dtype": "float32", "shape": [64, 8]}},
    {"name": "zeros", "op": "Const", "attr": {"dtype": "float32", "value": [[0]]}},
    {"name": "axes", "op": "Const", "attr": {"dtype": "int32", "value": [64, 8]}},
    {"name": "first", "op": "Tile", "input": ["zeros", "axes"]},
    {"name": "w/Assign", "op": "Assign", "input": ["w", "first"]},
    {"name": "w/read", "op": "Identity", "input": ["w"]},
    {"name": "y", "op": "MatMul", "input": ["x", "w/read"]},
    {"name": "z", "op": "Relu", "input": ["y"]}]}"#;

#[test]
fn a_step_is_what_its_fetches_need() {
    let graph = written(&folder("step"), "step.json", STEP);
    let names = |args: &[&str]| -> Vec<String> {
        let placed = json(&[&["place", &graph, "--json"], args].concat());
        placed["nodes"].as_array().unwrap().iter().map(|n| n["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&[]).len(), 9);
    assert_eq!(names(&["--fetch", "z"]), ["x", "w", "w/read", "y", "z"]);
    assert_eq!(names(&["--fetch", "z", "--feed", "y"]), ["y", "z"]);
    assert_eq!(names(&["--target", "w/Assign"]), ["w", "zeros", "axes", "first", "w/Assign"]);

    let text = stdout(&["place", &graph, "--fetch", "z"]);
    assert!(text.ends_with("/device:CPU:0: 5 nodes\n") && !text.contains("Assign"), "{text}");
    for (args, says) in [
        (&["--feed", "x=2x64"][..], "--feed x feeds nothing that runs"),
        (&["--fetch", "zz"], "zz is not in the graph"),
        (&["--fetch", "z", "--feed", "x=2x63"], "a shape that the graph does not allow"),
        (&["--fetch", "z", "--explain", "first"], "the step does not run this node"),
    ] {
        let (code, error) = failure(&[&["place", &graph], args].concat());
        assert!(code == 1 && error.contains(says), "{args:?}: {error}");
    }
    assert_eq!(failure(&["place", &graph, "--fetch", "z", "--feed", "x=2by3"]).0, 2);
}

#[test]
fn the_shapes_of_feeds_say_how_long_a_step_takes() {
    let dir = folder("shapes");
    let graph = written(&dir, "step.json", STEP);
    let cluster = "graphs/clusters/workstation.json";
    let step = |more: &[&str]| -> f64 {
        let base = ["place", &graph, "--cluster", cluster, "--json", "--fetch", "z"];
        json(&[&base[..], more].concat())["simulation"]["step_us"].as_f64().unwrap()
    };
    let (small, large) = (step(&["--feed", "x=1x64"]), step(&["--feed", "x=100000x64"]));
    assert!(large > 2.0 * small, "{small} {large}");
    for placer in ["heft", "m-ETF", "m-SCT"] {
        assert!(step(&["--feed", "x=[10, 64]", "--placer", placer]) > 0.0, "{placer}");
    }
    let text = stdout(&["place", &graph, "--cluster", cluster, "--fetch", "z"]);
    assert!(text.contains("5 of 9 nodes run") && text.contains("the size of x is not known"), "{text}");
    let text = stdout(&["place", &graph, "--cluster", cluster]);
    assert!(text.contains("every node of the graph runs once"), "{text}");

    // A written trace can be read back.
    let trace = dir.join("trace.json");
    let trace = trace.to_str().unwrap();
    stdout(&["place", &graph, "--cluster", cluster, "--fetch", "z", "--feed", "x=10x64", "--trace", trace]);
    let text = stdout(&["trace", trace]);
    assert!(text.starts_with("step 1 took ") && text.contains("MatMul"), "{text}");
    assert!(stdout(&["trace", trace, "--order"]).contains("w/read"));
    let (code, error) = failure(&["trace", trace, "--critical-path"]);
    assert!(code == 1 && error.contains("which nodes depend on which"), "{error}");
    let (code, error) = failure(&["trace", trace, "--step", "7"]);
    assert!(code == 1 && error.contains("has no step 7") && error.contains("only step 1"), "{error}");
}

#[test]
fn a_variable_behind_a_handle_is_as_large_as_its_handle_says() {
    // Its value is read, and a size is computed from that of the feed.
    let graph = r#"{"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, 1000]}},
        {"name": "w", "op": "VarHandleOp", "attr": {"dtype": "float32", "shape": [1000, 1000]}},
        {"name": "read", "op": "ReadVariableOp", "input": ["w"], "attr": {"dtype": "float32"}},
        {"name": "shape", "op": "Shape", "input": ["x"]},
        {"name": "same", "op": "Reshape", "input": ["x", "shape"]},
        {"name": "y", "op": "MatMul", "input": ["same", "read"]}]}"#;
    let dir = folder("handles");
    let graph = written(&dir, "handles.json", graph);
    // 2 * 32 * 1000 * 1000 operations, and memory for the variable once.
    let cluster =
        r#"{"devices": [{"type": "CPU", "gflops": 100, "memory_gbps": 100, "memory_gb": 0.005, "threads": 1}]}"#;
    let cluster = written(&dir, "cluster.json", cluster);
    for placer in ["first-fit", "heft"] {
        let args = ["place", &graph, "--cluster", &cluster, "--placer", placer, "--json", "--fetch", "y"];
        let placed = json(&[&args[..], &["--feed", "x=32x1000"]].concat());
        let step = placed["simulation"]["step_us"].as_f64().unwrap();
        assert!((640.0..650.0).contains(&step), "{step}");
    }
}

#[test]
fn a_device_that_is_missing_is_missing_once() {
    let nodes: Vec<String> =
        (0..20).map(|i| format!(r#"{{"name": "n{i}", "op": "NoOp", "device": "/cpu:1"}}"#)).collect();
    let graph = written(&folder("missing"), "graph.json", &format!(r#"{{"node": [{}]}}"#, nodes.join(",")));
    let output = levada(&["place", &graph]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for line in [
        "conflict 1 of 1: this cannot be met",
        "- 20 nodes ask for the device \"/cpu:1\": n0, n1, n2 and 17 more",
        "- set the device of n0, n1, n2 and 17 more to \"/device:CPU:0\"",
        "- remove the device from n0, n1, n2 and 17 more",
        "- use more devices (--devices cpu:2)",
        "- allow soft placement (--soft)",
    ] {
        assert!(has(&text, line), "{line} is not in\n{text}");
    }
    let value: serde_json::Value = serde_json::from_slice(&levada(&["place", &graph, "--json"]).stdout).unwrap();
    let conflict = &value["conflicts"][0];
    assert_eq!((value["conflicts"].as_array().unwrap().len(), conflict["same"].as_array().unwrap().len()), (1, 19));
    assert_eq!(conflict["edits"][0]["nodes"].as_array().unwrap().len(), 20);
}

#[test]
fn what_is_no_trace_is_said_to_be_what_it_is() {
    let dir = folder("no_trace");
    let placement = written(&dir, "placement.json", r#"{"version": 1, "placer": "heft", "nodes": []}"#);
    let list = written(&dir, "list.json", r#"[{"ph": "X", "name": "MatMul", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]"#);
    let counters = written(&dir, "counters.json", r#"{"traceEvents": [{"ph": "C", "name": "q", "ts": 1}]}"#);
    let empty = written(&dir, "empty.json", "");
    for (file, says) in [
        ("graphs/control.json", "a graph"),
        (&placement, "a placement"),
        (&counters, "no event with a duration"),
        (&empty, "the file is empty"),
        ("graphs/digits/train-00000-of-00004.tfrecord.gz", "compressed"),
        ("graphs/digits/test_images.npy", "not a trace"),
        ("README.md", "not a trace"),
        ("nowhere.json", "cannot be read"),
    ] {
        let (code, error) = failure(&["trace", file]);
        assert!(code == 1 && error.contains(says) && error.contains(file), "{file}: {error}");
    }
    assert!(stdout(&["trace", &list, "--by-op"]).contains("MatMul"));
}

#[test]
fn what_soft_placement_drops_is_said() {
    let nodes = r#"{"node": [
        {"name": "a", "op": "NoOp", "device": "/gpu:7"},
        {"name": "b", "op": "NoOp", "device": "/cpu:0"},
        {"name": "c", "op": "NoOp"}]}"#;
    let graph = written(&folder("soft"), "graph.json", nodes);
    let text = stdout(&["place", &graph, "--soft"]);
    assert!(text.contains("its request for \"/gpu:7\" cannot be met: there is no such device"), "{text}");
    assert!(text.ends_with("not placed as requested: a (--explain NODE says why)\n"), "{text}");
    let text = stdout(&["place", &graph, "--soft", "--explain", "a"]);
    assert!(has(&text, "its request for \"/gpu:7\" cannot be met: there is no such device"), "{text}");
    let placed = json(&["place", &graph, "--soft", "--json"]);
    let unmet: Vec<bool> = placed["nodes"].as_array().unwrap().iter().map(|n| n["unmet"].is_array()).collect();
    assert_eq!(unmet, [true, false, false]);
}

#[test]
fn state_of_one_name_is_the_reason_where_it_is() {
    let variable = |name: &str| {
        format!(
            r#"{{"name": "{name}", "op": "VarHandleOp", "attr": {{"dtype": "float32", "shape": [4], "shared_name": "v"}}}}"#
        )
    };
    let text = format!(r#"{{"node": [{}, {}]}}"#, variable("first"), variable("second"));
    let graph = written(&folder("shared_name"), "graph.json", &text);
    let cluster = "graphs/clusters/two-cpus.json";
    let text = stdout(&["place", &graph, "--cluster", cluster, "--placer", "heft", "--explain", "second"]);
    assert!(text.contains("second and first have the shared_name \"v\", whose state is on one device"), "{text}");
}

#[test]
fn constants_and_variables_take_their_memory_and_links_carry_them() {
    let dir = folder("memory");
    let value = vec!["0"; 1000].join(",");
    // 4 kB of each, on a device that has room for one of them.
    let graph = |device: &str| {
        format!(
            r#"{{"node": [
            {{"name": "c", "op": "Const", "device": "/gpu:0", "attr": {{"dtype": "float32", "value": [{value}]}}}},
            {{"name": "v", "op": "VariableV2", "device": "/gpu:0", "attr": {{"dtype": "float32", "shape": [1000]}}}},
            {{"name": "h", "op": "VarHandleOp", "device": "/gpu:0", "attr": {{"dtype": "float32", "shape": [1000]}}}},
            {{"name": "y", "op": "Neg", "device": "{device}", "input": ["c"]}}]}}"#
        )
    };
    let cluster = |bytes: f64| {
        let text = format!(
            r#"{{"devices": [{{"type": "GPU", "count": 2, "gflops": 1, "memory_gbps": 1, "memory_gb": {}}}],
                "links": [{{"from": "/gpu:*", "to": "/gpu:*", "gbps": 1, "latency_us": 1}}]}}"#,
            bytes / 1e9
        );
        written(&dir, &format!("{bytes}.json"), &text)
    };
    let peaks = |device: &str| -> (Vec<f64>, f64) {
        let graph = written(&dir, "graph.json", &graph(device));
        let placed = json(&["place", &graph, "--cluster", &cluster(1e6), "--json", "--placer", "heft"]);
        let simulation = &placed["simulation"];
        let peak = |i: usize| simulation["devices"][i]["peak_bytes"].as_f64().unwrap();
        (vec![peak(0), peak(1)], simulation["links"][0]["bytes"].as_f64().unwrap_or(0.0))
    };
    let (here, nothing) = peaks("/gpu:0");
    // The handle itself takes a few bytes.
    assert!((16_000.0..16_100.0).contains(&here[0]) && here[1] == 0.0 && nothing == 0.0, "{here:?}");
    let (there, carried) = peaks("/gpu:1");
    assert!((12_000.0..12_100.0).contains(&there[0]) && there[1] == 8_000.0 && carried == 4_000.0, "{there:?}");
    let graph = written(&dir, "graph.json", &graph("/gpu:0"));
    let (code, error) = failure(&["place", &graph, "--cluster", &cluster(12_500.0), "--placer", "m-ETF"]);
    assert!(code == 1 && error.contains("does not fit"), "{error}");
}

#[test]
fn what_gives_a_reference_takes_no_memory_of_its_own() {
    let graph = r#"{"node": [
        {"name": "v", "op": "VariableV2", "attr": {"dtype": "float32", "shape": [1000]}},
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [1000]}},
        {"name": "set", "op": "Assign", "input": ["v", "x"]},
        {"name": "more", "op": "AssignAdd", "input": ["set", "x"]}]}"#;
    let dir = folder("references");
    let graph = written(&dir, "graph.json", graph);
    // Memory for the variable and for the assigned value.
    let cluster = r#"{"devices": [{"type": "CPU", "gflops": 1, "memory_gbps": 1, "memory_gb": 0.00000801}]}"#;
    let cluster = written(&dir, "cluster.json", cluster);
    for placer in ["first-fit", "heft"] {
        let placed = json(&["place", &graph, "--cluster", &cluster, "--placer", placer, "--json"]);
        assert_eq!(placed["simulation"]["devices"][0]["peak_bytes"].as_f64().unwrap(), 8_000.0);
    }
}

#[test]
fn a_constant_that_is_passed_on_takes_no_more_memory_nor_time() {
    let value = vec!["0"; 1000].join(",");
    let graph = format!(
        r#"{{"node": [
        {{"name": "c", "op": "Const", "attr": {{"dtype": "float32", "value": [{value}]}}}},
        {{"name": "read", "op": "Identity", "input": ["c"]}},
        {{"name": "y", "op": "Neg", "input": ["read"]}}]}}"#
    );
    let dir = folder("passed");
    let graph = written(&dir, "graph.json", &graph);
    let cluster = r#"{"devices": [{"type": "CPU", "gflops": 1, "memory_gbps": 1, "memory_gb": 0.00000801}]}"#;
    let cluster = written(&dir, "cluster.json", cluster);
    for placer in ["first-fit", "heft"] {
        let placed = json(&["place", &graph, "--cluster", &cluster, "--placer", placer, "--json"]);
        let simulation = &placed["simulation"];
        assert_eq!(simulation["devices"][0]["peak_bytes"].as_f64().unwrap(), 8_000.0);
        // Neg reads and writes 4 kB at 1 GB/s.
        assert_eq!(simulation["step_us"].as_f64().unwrap(), 8.0);
    }
}

#[test]
fn a_whole_graph_of_unknown_sizes_is_said_to_be_too_fast() {
    let graph = written(&folder("whole"), "step.json", STEP);
    let text = stdout(&["place", &graph, "--cluster", "graphs/clusters/workstation.json"]);
    assert!(text.contains("the size of x is not known") && text.contains("--feed x=SIZExSIZE with --fetch"), "{text}");
}
