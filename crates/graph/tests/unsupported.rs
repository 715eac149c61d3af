//! Unsupported nodes: they are kept in the graph, and runs that reach them fail.

mod common;

use common::registry;
use levada_graph::{Code, DType, Graph, read, write};

fn load(nodes: &[&str]) -> Graph {
    let text = format!("{{\"node\": [\n{}\n]}}", nodes.join(",\n"));
    read::json(text.as_bytes(), &registry()).unwrap()
}

const X: &str = r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [2, 2]}}"#;

#[test]
fn what_is_not_supported_does_not_refuse_the_graph() {
    let cases = [
        (r#"{"name": "a", "op": "SaveV2", "input": ["x"]}"#, "the op SaveV2 is not supported"),
        (r#"{"name": "a", "op": "Relu", "input": ["x"], "attr": {"fast": true}}"#, "Relu has no attr fast"),
        (r#"{"name": "a", "op": "Relu", "attr": {"T": "string"}}"#, "the attr T of Relu has an invalid value"),
    ];
    for (node, message) in cases {
        let graph = match node.contains("string") {
            true => load(&[
                r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "string"}}"#,
                &node.replace("\"attr\"", "\"input\": [\"x\"], \"attr\""),
            ]),
            false => load(&[X, node]),
        };
        let error = graph.unsupported().unwrap();
        assert_eq!((error.message(), error.code()), (message, Code::Unimplemented), "{error}");
        assert_eq!((error.fault().node.as_deref(), error.fault().line), (Some("a"), Some(3)), "{error}");
        assert!(graph.unsupported_among(graph.find("x")).is_none());
        let text = format!("{{\"node\": [\n{X},\n{node}\n]}}");
        if !node.contains("string") {
            let strict = read::Options::STRICT.json(text.as_bytes(), &registry()).unwrap_err();
            assert_eq!(strict.to_string(), error.to_string());
        }
    }
}

#[test]
fn nodes_that_cannot_be_known_blame_the_node_that_lacks_something() {
    let graph = load(&[
        X,
        r#"{"name": "lost", "op": "Mystery", "input": ["x"]}"#,
        r#"{"name": "b", "op": "Relu", "input": ["lost:1"]}"#,
        r#"{"name": "c", "op": "Relu", "input": ["b"]}"#,
        r#"{"name": "d", "op": "Relu", "input": ["x", "^c"]}"#,
    ]);
    for name in ["b", "c"] {
        let node = graph.node(graph.find(name).unwrap());
        let unsupported = node.unsupported().unwrap();
        assert!(!unsupported.is_own());
        assert_eq!(unsupported.error().fault().node.as_deref(), Some("lost"));
    }
    assert!(graph.node(graph.find("d").unwrap()).unsupported().is_none());
    assert_eq!(graph.unsupported().unwrap().all().count(), 1);
}

#[test]
fn outputs_are_what_their_consumers_take() {
    let graph = load(&[
        r#"{"name": "next", "op": "IteratorGetNext"}"#,
        r#"{"name": "b", "op": "Relu", "input": ["next:2"], "attr": {"T": "float64"}}"#,
    ]);
    let endpoint = graph.endpoint("next:2").unwrap();
    assert_eq!(graph.endpoint_type(endpoint).unwrap().dtype, DType::F64);
    assert!(graph.endpoint_type(graph.endpoint("next:1").unwrap()).is_none());
    let error = graph.endpoint("next:3").unwrap_err();
    assert_eq!(error.message(), "the op IteratorGetNext is not supported");
    assert!(error.fault().help.as_deref().unwrap().starts_with("docs/data.md lists"), "{error}");
}

#[test]
fn such_nodes_are_written_as_they_were_read() {
    let text = concat!(
        "{\n  \"node\": [\n",
        r#"    {"name": "x", "op": "Placeholder", "attr": {"dtype": {"type": "DT_FLOAT"}, "shape": {"shape": {}}}},"#,
        "\n",
        r#"    {"name": "a", "op": "Mystery", "input": ["x", "^x"], "device": "/cpu:0", "attr": {"k": {"list": {"i": ["1"]}}}},"#,
        "\n",
        r#"    {"name": "b", "op": "Relu", "input": ["a:3"], "attr": {"T": {"type": "DT_FLOAT"}}}"#,
        "\n  ]\n}\n",
    );
    let graph = read::json(text.as_bytes(), &registry()).unwrap();
    let def = graph.to_def();
    assert_eq!(def, read::parse_json(text.as_bytes(), None).unwrap().0);
    assert_eq!(read::pb(&write::pb(&def).unwrap(), &registry()).unwrap().to_def(), def);
    let mut other = load(&[X]);
    other.import(def, &registry(), &levada_graph::import::Import { prefix: "p".into(), ..Default::default() }).unwrap();
    assert_eq!(other.unsupported().unwrap().fault().op.as_deref(), Some("Mystery"));
}

#[test]
fn other_faults_still_refuse_the_graph_and_are_listed_with_what_is_not_supported() {
    let text = format!(
        "{{\"node\": [\n{X},\n{},\n{}\n]}}",
        r#"{"name": "a", "op": "SaveV2", "input": ["x"]}"#, r#"{"name": "b", "op": "Relu", "input": ["y"]}"#
    );
    let error = read::json(text.as_bytes(), &registry()).unwrap_err();
    let messages: Vec<&str> = error.all().map(levada_graph::Error::message).collect();
    assert_eq!(messages, ["the op SaveV2 is not supported", "an input names no node of the graph"]);
}

#[test]
fn only_what_may_be_meant_is_suggested() {
    let help = |op: &str| {
        let graph = load(&[&format!(r#"{{"name": "a", "op": "{op}"}}"#)]);
        graph.unsupported().unwrap().fault().help.clone().unwrap()
    };
    assert_eq!(help("MatMull"), "did you mean \"MatMul\"?");
    // TensorFlow ops that are not implemented get advice.
    assert!(help("BatchDatasetV2").starts_with("docs/data.md lists"));
    assert!(help("SqlDataset").starts_with("databases are not read"));
    assert!(help("SomethingElseEntirely").contains("--feed"));
}
