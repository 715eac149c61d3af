//! `levada inspect` on a graph that TensorFlow exported: `data/make_model.py` makes it.

mod common;
use common::{folder, has, json, levada, stdout, written};

const MODEL: &str = "crates/cli/tests/data/model.meta";

#[test]
fn everything_in_a_model_is_listed() {
    let text = stdout(&["inspect", MODEL]);
    for line in [
        "x float32[?,4]",
        "word string[]",
        "serving_default tensorflow/serving/predict",
        "feed rows float32[?,4] x:0",
        "fetch scores float32[?,3] logits:0",
        "saver",
        "restore save/restore_all run",
        "variables: 3, 68 B",
        "w float32[4,3] 48 B, trainable, set by w/Assign",
        "b float32[3] 12 B, trainable, set by b/Assign",
        "steps int64[] 8 B, set by steps/Assign",
        "queues: 1",
        "examples float32[4], int32[] FIFOQueueV2, capacity 32",
        "filled by fill (2 times) 2 threads then examples_Close",
        "words string -> int64 HashTableV2",
        "losses 1 name logits:0",
        "queue_runners 1 message examples",
        "trainable_variables 2 messages w:0, b:0",
        "init sets 3 of 3 variables",
    ] {
        assert!(has(&text, line), "{line} is not in\n{text}");
    }
    assert!(text.contains("(y: float32) -> (identity: float32)"), "{text}");
    assert!(text.contains("/device:CPU:0"), "{text}");
}

#[test]
fn the_object_has_the_same() {
    let all = json(&["inspect", MODEL, "--json"]);
    assert_eq!((&all["version"], &all["file"]), (&1.into(), &MODEL.into()));
    let variable =
        |name: &str| all["variables"].as_array().unwrap().iter().find(|v| v["name"] == name).unwrap().clone();
    let (w, b) = (variable("w"), variable("b"));
    assert_eq!((&w["shape"], &w["bytes"], &w["resource"]), (&serde_json::json!([4, 3]), &48.into(), &false.into()));
    assert_eq!((&b["resource"], &b["trainable"], &b["initializer"]), (&true.into(), &true.into(), &"b/Assign".into()));
    assert_eq!(variable("steps")["trainable"], false);
    let queue = &all["queues"][0];
    assert_eq!((&queue["capacity"], &queue["min_after_dequeue"]), (&32.into(), &serde_json::Value::Null));
    assert_eq!(queue["components"][0], serde_json::json!({"dtype": "float32", "shape": [4]}));
    assert_eq!(queue["runners"][0]["enqueue"], serde_json::json!(["fill", "fill"]));
    assert_eq!(queue["runners"][0]["closed_by"], serde_json::json!(["OUT_OF_RANGE"]));
    let signature = &all["signatures"][0];
    assert_eq!(signature["inputs"][0]["shape"], serde_json::json!([null, 4]));
    assert_eq!(
        (&signature["outputs"][0]["endpoint"], &signature["name"]),
        (&"logits:0".into(), &"serving_default".into())
    );
    assert_eq!(all["tables"][0]["value_dtype"], "int64");
    assert_eq!(all["saver"]["filename"], "save/Const:0");
    assert_eq!((&all["init"][0]["collection"], &all["init"][1]["name"]), (&"table_initializer".into(), &"init".into()));
    assert_eq!(all["functions"][0]["inputs"][0]["type"], "float32");
    let nodes: u64 = all["ops"].as_array().unwrap().iter().map(|op| op["nodes"].as_u64().unwrap()).sum();
    assert_eq!(nodes, all["nodes"].as_u64().unwrap());
}

#[test]
fn lists_are_whole_in_a_pipe() {
    let nodes: Vec<String> = (0..60).map(|i| format!(r#"{{"name": "node_{i}", "op": "NoOp"}}"#)).collect();
    let graph = written(&folder("lists"), "graph.json", &format!(r#"{{"node": [{}]}}"#, nodes.join(",")));
    let text = stdout(&["inspect", &graph]);
    assert!(has(&text, "node_59 (NoOp)") && !text.contains("more"), "{text}");
    assert_eq!(json(&["inspect", &graph, "--json"])["outputs"].as_array().unwrap().len(), 60);
}

#[test]
fn a_graph_comes_in_by_standard_input() {
    let graph = std::fs::File::open(common::root().join("graphs/control.json")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_levada"));
    let output = command.args(["inspect", "-"]).stdin(graph).output().unwrap();
    assert!(has(&String::from_utf8(output.stdout).unwrap(), "x float32[?]"));
}

#[test]
fn an_empty_graph_has_nothing_to_list() {
    let graph = written(&folder("empty"), "graph.json", r#"{"node": []}"#);
    assert!(stdout(&["inspect", &graph]).ends_with("0 nodes, 0 edges, 0 functions\n"));
    let all = json(&["inspect", &graph, "--json"]);
    for list in ["inputs", "outputs", "signatures", "variables", "queues", "tables", "collections", "functions", "ops"]
    {
        assert_eq!(all[list], serde_json::json!([]), "{list}");
    }
    assert_eq!(all["saver"], serde_json::Value::Null);
}

#[test]
fn what_is_not_supported_is_listed_with_its_attrs_in_functions_too() {
    let graph = r#"{
        "node": [
            {"name": "z", "op": "Placeholder", "attr": {"dtype": "complex64"}},
            {"name": "a", "op": "ComplexAbs", "input": ["z"], "attr": {"T": "complex64", "Tout": "float64"}},
            {"name": "b", "op": "ComplexAbs", "input": ["z"], "attr": {"T": "complex64", "Tout": "float32"}},
            {"name": "c", "op": "ComplexAbs", "input": ["z"], "attr": {"T": "complex64", "Tout": "float64"}},
            {"name": "mine", "op": "MyOwnOp", "input": ["z"]}],
        "library": {"function": [{
            "signature": {"name": "f", "inputArg": [{"name": "x", "type": "DT_COMPLEX64"}]},
            "nodeDef": [
                {"name": "inner", "op": "ComplexAbs", "input": ["x"],
                    "attr": {"T": {"type": "DT_COMPLEX64"}, "Tout": {"type": "DT_DOUBLE"}}},
                {"name": "other", "op": "MyOwnOp", "input": ["x"]}]}]}}"#;
    let graph = written(&folder("lacking"), "graph.json", graph);
    let text = String::from_utf8(levada(&["inspect", &graph]).stdout).unwrap();
    for line in [
        "the CPU has no kernel for ComplexAbs with these attrs: T = complex64, Tout = float64  3 nodes  a",
        "not supported: 5 nodes; runs that do not reach them work (and the first node of each)",
    ] {
        assert!(has(&text, line), "{line} is not in\n{text}");
    }
    let value: serde_json::Value = serde_json::from_slice(&levada(&["inspect", &graph, "--json"]).stdout).unwrap();
    let nodes = value["unsupported"].as_array().unwrap().iter().map(|e| e["node"].as_str().unwrap());
    let mut nodes: Vec<&str> = nodes.collect();
    nodes.sort_unstable();
    assert_eq!(nodes, ["a", "c", "f/inner", "f/other", "mine"]);
}
