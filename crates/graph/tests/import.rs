//! Adding graphs to graphs.

mod common;

use common::{nodes, registry};
use levada_graph::import::Import;
use levada_graph::{Graph, GraphDef, read};

fn def(lines: &[&str]) -> GraphDef {
    let text = format!("{{\"node\": [\n{}\n]}}", lines.join(",\n"));
    read::parse_json(text.as_bytes(), Some(&registry())).unwrap().0
}

fn shown(graph: &Graph) -> Vec<String> {
    graph.to_def().nodes.iter().map(|n| format!("{} = {}({})", n.name, n.op, n.inputs.join(", "))).collect()
}

const BASE: [&str; 2] = [
    r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}}"#,
    r#"{"name": "done", "op": "NoOp", "input": ["^x"]}"#,
];
const PART: [&str; 4] = [
    r#"{"name": "a", "op": "Placeholder", "attr": {"dtype": "float32"}}"#,
    r#"{"name": "b", "op": "Relu", "input": ["a"], "attr": {"_class": ["loc:@a"]}}"#,
    r#"{"name": "c", "op": "AddV2", "input": ["b", "a:0", "^d"]}"#,
    r#"{"name": "d", "op": "NoOp"}"#,
];

#[test]
fn a_graph_grows() {
    let mut graph = nodes(&BASE).unwrap();
    let ids = graph
        .extend(
            def(&[
                r#"{"name": "y", "op": "AddV2", "input": ["x", "z"]}"#,
                r#"{"name": "z", "op": "Relu", "input": ["x", "^done"]}"#,
            ]),
            &registry(),
        )
        .unwrap();
    assert_eq!(ids.len(), 2);
    assert_eq!(shown(&graph), ["x = Placeholder()", "done = NoOp(^x)", "y = AddV2(x, z)", "z = Relu(x, ^done)"]);
    let before = shown(&graph);
    let error = graph
        .extend(
            def(&[
                r#"{"name": "x", "op": "NoOp"}"#,
                r#"{"name": "w", "op": "Relu", "input": ["y:1"]}"#,
                r#"{"name": "v", "op": "Relu", "input": ["yy"]}"#,
            ]),
            &registry(),
        )
        .unwrap_err();
    let messages: Vec<&str> = error.all().map(|e| e.message()).collect();
    assert_eq!(
        messages,
        ["the graph already has a node named x", "y has no such output", "an input names no node of the graph"]
    );
    assert_eq!(error.all().last().unwrap().fault().help.as_deref(), Some("did you mean \"y\"?"));
    assert_eq!(shown(&graph), before);
}

#[test]
fn a_graph_is_imported_under_a_prefix() {
    let mut graph = nodes(&BASE).unwrap();
    let options = Import { prefix: "tower".into(), ..Import::default() };
    let ids = graph.import(def(&PART), &registry(), &options).unwrap();
    assert_eq!(
        shown(&graph)[2..],
        [
            "tower/a = Placeholder()",
            "tower/b = Relu(tower/a)",
            "tower/c = AddV2(tower/b, tower/a, ^tower/d)",
            "tower/d = NoOp()"
        ]
    );
    assert_eq!(&*graph.node(ids[2]).name, "tower/c");
    assert_eq!(common::attr(&graph, "tower/b", "_class"), r#"{"list": {"s": ["bG9jOkB0b3dlci9h"]}}"#);
    // A second time, where the names are taken.
    graph.import(def(&PART), &registry(), &options).unwrap();
    assert_eq!(
        shown(&graph)[6..],
        [
            "tower_1/a = Placeholder()",
            "tower_1/b = Relu(tower_1/a)",
            "tower_1/c = AddV2(tower_1/b, tower_1/a, ^tower_1/d)",
            "tower_1/d = NoOp()"
        ]
    );
    // Without a prefix the nodes get numbers.
    let mut graph = Graph::new();
    graph.import(def(&PART), &registry(), &Import::default()).unwrap();
    graph.import(def(&PART), &registry(), &Import::default()).unwrap();
    assert_eq!(
        shown(&graph)[4..],
        ["a_1 = Placeholder()", "b_1 = Relu(a_1)", "c_1 = AddV2(b_1, a_1, ^d_1)", "d_1 = NoOp()"]
    );
    let options = Import { prefix: String::new(), ..options };
    let exact = Import { exact_names: true, ..options };
    assert_eq!(graph.import(def(&PART), &registry(), &exact).unwrap_err().all().count(), 4);
}

#[test]
fn inputs_are_remapped() {
    let mut graph = nodes(&BASE).unwrap();
    let options = Import {
        prefix: "p".into(),
        input_map: vec![("a:0".into(), "x".into()), ("^d".into(), "^done".into())],
        control_inputs: vec!["done".into()],
        ..Import::default()
    };
    graph.import(def(&PART), &registry(), &options).unwrap();
    assert_eq!(
        shown(&graph)[2..],
        ["p/a = Placeholder(^done)", "p/b = Relu(x, ^done)", "p/c = AddV2(p/b, x, ^done)", "p/d = NoOp(^done)"]
    );
}

#[test]
fn wrong_imports_are_refused_and_change_nothing() {
    let mut graph = nodes(&BASE).unwrap();
    let before = shown(&graph);
    let options = Import {
        prefix: "no good".into(),
        input_map: vec![
            ("a".into(), "nothing".into()),
            ("b".into(), "x:3".into()),
            ("c".into(), "^done".into()),
            ("e:1".into(), "x".into()),
            ("^e".into(), "^x".into()),
        ],
        control_inputs: vec!["nobody".into()],
        ..Import::default()
    };
    let error = graph.import(def(&PART), &registry(), &options).unwrap_err();
    let messages: Vec<&str> = error.all().map(|e| e.message()).collect();
    assert_eq!(
        messages,
        [
            "nothing is not in the graph",
            "the node x has no output 3",
            "a data input cannot replace a control input, nor vice versa",
            "nobody is not in the graph",
            "\"no good\" is not a legal name for a node",
            "the mapped input ^e is not in the imported graph",
            "the mapped input e:1 is not in the imported graph",
        ]
    );
    let help = error.all().find(|e| e.message().starts_with("nobody")).unwrap().fault().help.clone();
    assert_eq!(help.as_deref(), Some("the graph has 2 nodes and ends in done"));
    // Nodes of the graph are not found by name.
    let error = graph.import(def(&[r#"{"name": "e", "op": "Relu", "input": ["x"]}"#]), &registry(), &Import::default());
    assert_eq!(error.unwrap_err().message(), "an input names no node of the graph");
    // A mapped input is checked like any other.
    let map = Import { input_map: vec![("i".into(), "x".into())], ..Import::default() };
    let error = graph.import(def(&[r#"{"name": "e", "op": "LoopCond", "input": ["i"]}"#]), &registry(), &map);
    assert_eq!(error.unwrap_err().message(), "input 0 (input) of LoopCond has the wrong type");
    // An output that the graph does not have is not used either.
    let map = Import { input_map: vec![("a:1".into(), "x".into())], ..Import::default() };
    let error = graph.import(def(&PART), &registry(), &map).unwrap_err();
    assert_eq!(error.message(), "the mapped input a:1 is not in the imported graph");
    assert_eq!(shown(&graph), before);
}

#[test]
fn libraries_are_merged() {
    let library = |body: &str| {
        let text = format!(r#"{{"library": {{"function": [{{"signature": {{"name": "f"}}, "nodeDef": [{body}]}}]}}}}"#);
        read::parse_json(text.as_bytes(), None).unwrap().0
    };
    let mut graph = Graph::new();
    graph.extend(library(""), &registry()).unwrap();
    graph.extend(library(""), &registry()).unwrap();
    assert_eq!(graph.library.functions.len(), 1);
    let error = graph.extend(library(r#"{"name": "n", "op": "NoOp"}"#), &registry()).unwrap_err();
    assert_eq!(error.message(), "the graph has another function named f already");
    // A function that exists already is called by a node that comes later.
    graph.extend(def(&[r#"{"name": "call", "op": "f"}"#]), &registry()).unwrap();
    assert_eq!(graph.unsupported().unwrap().message(), "the op PartitionedCall is not supported");
}
