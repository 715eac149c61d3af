//! Races planted in TensorFlow's graphs are found, and its unmodified graphs raise no alarm; `lint/graphs.py` made
//! them.

use flate2::read::GzDecoder;
use levada::compile::Signature;
use levada::graph::read;
use levada::lint::{Finding, Rule, lint};
use levada::{Endpoint, Graph};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};

fn names(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect()
}

/// The run of a case; `None` if it has none.
fn run(case: &Value, graph: &Graph) -> Option<Signature> {
    let find = |name: &str| graph.find(name).unwrap();
    let fetches = names(&case["fetches"]).into_iter().map(|name| Endpoint::from(find(name))).collect::<Vec<_>>();
    let targets = names(&case["targets"]).into_iter().map(find).collect::<Vec<_>>();
    let any = !fetches.is_empty() || !targets.is_empty();
    any.then(|| Signature { fetches, targets, ..Signature::default() })
}

#[test]
fn planted_races_are_found_and_nothing_else_is() {
    let file = File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/lint/graphs.jsonl.gz")).unwrap();
    let registry = levada::registry();
    let (mut clean, mut planted) = (0, 0);
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let case: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let graph = read::json(case["graph"].to_string().as_bytes(), &registry).unwrap();
        let findings = lint(&graph, &registry, run(&case, &graph).as_ref()).unwrap();
        let faults: Vec<BTreeSet<&str>> = findings
            .iter()
            .filter(|f| f.rule.is_fault())
            .map(|f| f.nodes.iter().map(String::as_str).collect())
            .collect();
        let race: BTreeSet<&str> = names(&case["race"]).into_iter().collect();
        if race.is_empty() {
            assert_eq!(faults, [] as [BTreeSet<&str>; 0], "{}", case["name"]);
            clean += 1;
        } else {
            assert!(faults.contains(&race), "{}: {race:?} is not in {faults:?}", case["name"]);
            planted += 1;
        }
    }
    assert!(clean >= 30 && planted >= 14, "{clean} clean, {planted} planted");
}

fn of(nodes: &str) -> Vec<Finding> {
    let registry = levada::registry();
    let graph = read::json(format!(r#"{{"node": [{nodes}]}}"#).as_bytes(), &registry).unwrap();
    lint(&graph, &registry, None).unwrap()
}

fn messages(nodes: &str, rule: Rule) -> Vec<String> {
    of(nodes).into_iter().filter(|f| f.rule == rule).map(|f| f.message).collect()
}

const QUEUE: &str = r#"
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"], "capacity": 1}},
    {"name": "one", "op": "Const", "attr": {"value": 1.0}},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q", "^CONTROL"], "attr": {"component_types": ["float32"]}}"#;

#[test]
fn a_queue_that_nothing_fills_is_a_stall() {
    let nodes = QUEUE.replace("^CONTROL", "^one");
    assert_eq!(messages(&nodes, Rule::Stall), ["nothing puts anything into the queue q: take waits forever"]);
}

#[test]
fn more_elements_than_a_queue_has_room_for_are_a_stall() {
    let put = |name: &str, after: &str| {
        format!(
            r#", {{"name": "{name}", "op": "QueueEnqueueV2", "input": ["q", "one"{after}], "attr": {{"Tcomponents": ["float32"]}}}}"#
        )
    };
    let nodes = QUEUE.replace("^CONTROL", "^b") + &put("a", "") + &put("b", r#", "^a""#);
    let expected = "2 nodes put elements into the queue q before take takes any, and it has room for 1";
    assert_eq!(messages(&nodes, Rule::Stall), [expected]);
    let room = nodes.replace(r#""capacity": 1"#, r#""capacity": 2"#);
    assert_eq!(messages(&room, Rule::Stall), [""; 0]);
    let behind = QUEUE.replace(r#", "^CONTROL""#, "") + &put("a", r#", "^take""#);
    let expected = "every node that puts into the queue q waits for one that takes from it: a for take";
    assert_eq!(messages(&behind, Rule::Stall), [expected]);
}

#[test]
fn waste_is_told_and_is_no_fault() {
    let nodes = r#"
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "left", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "unused", "op": "Const", "attr": {"value": 1.0}},
        {"name": "a", "op": "Neg", "input": ["x"]},
        {"name": "b", "op": "Neg", "input": ["x"]},
        {"name": "c", "op": "Exp", "input": ["a"]},
        {"name": "d", "op": "Log", "input": ["c"]},
        {"name": "wide", "op": "Cast", "input": ["d"], "attr": {"SrcT": "float32", "DstT": "float64"}}"#;
    let found = of(nodes);
    assert!(found.iter().all(|f| !f.rule.is_fault()));
    let told =
        |rule: Rule| found.iter().filter(move |f| f.rule == rule).map(|f| f.nodes[0].as_str()).collect::<Vec<_>>();
    assert_eq!(told(Rule::UnusedFeed), ["left"]);
    assert_eq!(told(Rule::Dead), ["unused"]);
    assert_eq!(told(Rule::Duplicate), ["b"]);
    assert_eq!(told(Rule::Float64), ["wide"]);
}
