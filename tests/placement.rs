//! Placement: the same device for every node as TensorFlow, and the same refusals; conflicts that are minimal and edits that
//! cure them.

use levada::graph::{AttrValue, Graph, NodeId, read};
use levada::placer::{Conflict, Constraint, Edit, Request, Targets, conflicts, first_fit};
use levada::{Code, SessionOptions};
use serde_json::Value;
use std::path::Path;

fn lines() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("placements/placements.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn with_request<R>(graph: &Graph, cpus: usize, soft: bool, look: impl FnOnce(&Request<'_>) -> R) -> R {
    let devices = levada::devices(&SessionOptions { cpus, ..SessionOptions::default() });
    let targets = Targets::of(&devices).unwrap();
    let supports = |node: &levada::graph::graph::Node| targets.supporting(&devices, node);
    look(&Request { graph, targets: &targets, supports: &supports, soft, default: 0 })
}

#[test]
fn nodes_go_where_tensorflow_puts_them() {
    let mut wrong = Vec::new();
    let (mut placed, mut refused, mut skipped) = (0, 0, 0);
    for line in lines() {
        let name = line["name"].as_str().unwrap();
        let (cpus, soft) = (line["cpus"].as_u64().unwrap() as usize, line["soft"].as_bool().unwrap());
        let graph = match read::json(line["graph"].to_string().as_bytes(), &levada::registry()) {
            Ok(graph) => graph,
            Err(error) if error.all().any(|e| e.code() == Code::Unimplemented) => {
                skipped += 1;
                continue;
            }
            Err(error) => {
                if line["error"].as_str() != Some(error.code().name()) {
                    wrong.push(format!("{name}: not read: {error}"));
                }
                continue;
            }
        };
        // TensorFlow's importer is kinder to names than its placer.
        let lenient =
            ["device 'CPU:1'", "device 'cpu:1'", "device '/device:cpu:1'"].iter().any(|l| name.starts_with(l));
        with_request(&graph, cpus, soft, |request| match (first_fit(request), line["error"].as_str()) {
            (Ok(_), Some(_)) if lenient => {}
            (Ok(_), Some(code)) => wrong.push(format!("{name}: placed, expected {code}: {}", line["message"])),
            (Err(refusal), None) => wrong.push(format!("{name}: {}", refusal.error)),
            (Err(refusal), Some(code)) => {
                refused += 1;
                if refusal.error.code().name() != code {
                    wrong.push(format!("{name}: {}, expected {code}", refusal.error));
                }
            }
            (Ok((placement, _)), None) => {
                placed += 1;
                for (id, node) in graph.nodes() {
                    let found = &request.targets.get(placement.device[id.index()]).text;
                    let expected = line["device"][&*node.name].as_str().unwrap();
                    if !found.ends_with(expected) && !lenient {
                        wrong.push(format!("{name}: {} is on {found}, expected {expected}", node.name));
                    }
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{placed} graphs placed, {refused} refused, {skipped} skipped");
    assert!(placed > 200 && refused > 40);
}

/// The graph with only these constraints of those that can be edited away.
fn without(graph: &Graph, dropped: &[Constraint]) -> Graph {
    let mut graph = graph.clone();
    let mut dropped = dropped.to_vec();
    // Later entries of a list first, so that the numbers of the others stay right.
    dropped.sort();
    for constraint in dropped.iter().rev() {
        match *constraint {
            Constraint::Device(id) => graph.node_mut(id).device.clear(),
            Constraint::Class { node, class } => drop_class(&mut graph, node, class),
            Constraint::Edge { .. } | Constraint::Name(_) => unreachable!(),
        }
    }
    graph
}

/// Every device and class that a graph asks for.
fn editable(graph: &Graph) -> Vec<Constraint> {
    let mut all = Vec::new();
    for (id, node) in graph.nodes() {
        if !node.device.is_empty() {
            all.push(Constraint::Device(id));
        }
        if let Some(AttrValue::List(levada::graph::AttrList::S(list))) = node.attrs.get("_class") {
            all.extend((0..list.len() as u32).map(|class| Constraint::Class { node: id, class }));
        }
    }
    all
}

fn drop_class(graph: &mut Graph, node: NodeId, class: u32) {
    let Some(AttrValue::List(levada::graph::AttrList::S(mut list))) = graph.node(node).attrs.get("_class").cloned()
    else {
        panic!("no class")
    };
    list.remove(class as usize);
    graph.node_mut(node).attrs.set("_class", AttrValue::List(levada::graph::AttrList::S(list)));
}

fn places(graph: &Graph, cpus: usize, soft: bool) -> bool {
    with_request(graph, cpus, soft, |request| first_fit(request).is_ok())
}

#[test]
fn conflicts_are_minimal_and_edits_cure_them() {
    let mut looked_at = 0;
    for line in lines().iter().filter(|l| l["error"].is_string()) {
        let (cpus, soft) = (line["cpus"].as_u64().unwrap() as usize, line["soft"].as_bool().unwrap());
        let Ok(graph) = read::json(line["graph"].to_string().as_bytes(), &levada::registry()) else { continue };
        if places(&graph, cpus, soft) {
            continue;
        }
        let found: Vec<Conflict> = with_request(&graph, cpus, soft, conflicts);
        let name = &line["name"];
        assert!(!found.is_empty(), "{name}");
        if found.len() > 1 {
            continue;
        }
        looked_at += 1;
        // Everything else that can be edited away is.
        let set = &found[0].constraints;
        let others: Vec<Constraint> = editable(&graph).into_iter().filter(|c| !set.contains(c)).collect();
        assert!(!places(&without(&graph, &others), cpus, soft), "{name}: {set:?} do not contradict each other");
        for constraint in set.iter().filter(|c| !matches!(c, Constraint::Edge { .. })) {
            let dropped: Vec<Constraint> = others.iter().chain([constraint]).copied().collect();
            assert!(places(&without(&graph, &dropped), cpus, soft), "{name}: without {constraint:?}");
        }
        assert!(!found[0].edits.is_empty(), "{name}");
        for edit in &found[0].edits {
            let mut edited = graph.clone();
            let (mut cpus, mut soft) = (cpus, soft);
            match edit {
                Edit::DropDevice(id) => edited.node_mut(*id).device.clear(),
                Edit::SetDevice(id, device) => edited.node_mut(*id).device.clone_from(device),
                Edit::DropClass(node, class) => drop_class(&mut edited, *node, *class),
                Edit::Soft => soft = true,
                Edit::AddDevice(name) => cpus = name.rsplit(':').next().unwrap().parse::<usize>().unwrap() + 1,
            }
            assert!(places(&edited, cpus, soft), "{name}: {}", edit.describe(&graph));
        }
    }
    assert!(looked_at > 40, "{looked_at}");
}
