//! Placement: the same device for every node as in TensorFlow, and the same refusals; minimal conflicts, and edits that
//! resolve them.

use levada::graph::{AttrValue, Graph, NodeId, read};
use levada::placer::{Conflict, Constraint, Edit, Request, Targets, conflicts, first_fit};
use levada::{Code, SessionOptions};
use serde_json::{Value, json};
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
        let graph = match read::Options::STRICT.json(line["graph"].to_string().as_bytes(), &levada::registry()) {
            Ok(graph) => graph,
            Err(error) if error.all().any(|e| e.code() == Code::Unimplemented) => {
                skipped += 1;
                continue;
            }
            Err(error) => {
                if line["error"].as_str() != Some(error.code().name()) {
                    wrong.push(format!("{name}: not read: {error}"));
                }
                refused += 1;
                continue;
            }
        };
        // TensorFlow's importer is more lenient with names than its placer.
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

/// The graph with only these of the constraints that can be edited away.
fn without(graph: &Graph, dropped: &[Constraint]) -> Graph {
    let mut graph = graph.clone();
    for constraint in dropped {
        match *constraint {
            Constraint::Device(id) => graph.node_mut(id).device.clear(),
            Constraint::Class { node, class } => drop_class(&mut graph, node, class),
            Constraint::Edge { .. } | Constraint::Name(_) => unreachable!(),
        }
    }
    graph
}

/// Every device and class that a graph requests.
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
    // An entry that names no group, so that the indices of the others stay valid.
    list[class as usize] = b"".as_slice().into();
    graph.node_mut(node).attrs.set("_class", AttrValue::List(levada::graph::AttrList::S(list)));
}

fn places(graph: &Graph, cpus: usize, soft: bool) -> bool {
    with_request(graph, cpus, soft, |request| first_fit(request).is_ok())
}

fn apply(edit: &Edit, graph: &mut Graph, cpus: &mut usize, soft: &mut bool) {
    match edit {
        Edit::DropDevice(ids) => ids.iter().for_each(|&id| graph.node_mut(id).device.clear()),
        Edit::SetDevice(ids, device) => ids.iter().for_each(|&id| graph.node_mut(id).device.clone_from(device)),
        Edit::DropClass(node, class) => drop_class(graph, *node, *class),
        Edit::Soft => *soft = true,
        Edit::AddDevice(name) => *cpus = (*cpus).max(name.rsplit(':').next().unwrap().parse::<usize>().unwrap() + 1),
    }
}

/// Checks the error for a graph that cannot be placed; returns the number of conflicts.
fn check_conflicts(name: &str, graph: &Graph, cpus: usize, soft: bool) -> usize {
    let found: Vec<Conflict> = with_request(graph, cpus, soft, conflicts);
    assert!(!found.is_empty(), "{name}");
    let text = || found.iter().map(|c| format!("{:?} {:?}\n", c.constraints, c.edits)).collect::<String>();
    for conflict in &found {
        // All other constraints that can be edited away are removed.
        let set = &conflict.constraints;
        let others: Vec<Constraint> = editable(graph).into_iter().filter(|c| !set.contains(c)).collect();
        assert!(
            !places(&without(graph, &others), cpus, soft),
            "{name}: {set:?} do not contradict each other\n{}",
            text()
        );
        for constraint in set.iter().filter(|c| !matches!(c, Constraint::Edge { .. })) {
            let dropped: Vec<Constraint> = others.iter().chain([constraint]).copied().collect();
            assert!(places(&without(graph, &dropped), cpus, soft), "{name}: without {constraint:?}\n{}", text());
        }
        assert!(!conflict.edits.is_empty(), "{name}\n{}", text());
        // Each edit, with the first one for each of the other conflicts.
        for edit in &conflict.edits {
            let (mut edited, mut cpus, mut soft) = (graph.clone(), cpus, soft);
            apply(edit, &mut edited, &mut cpus, &mut soft);
            for other in found.iter().filter(|c| !std::ptr::eq(*c, conflict) && !matches!(edit, Edit::Soft)) {
                apply(&other.edits[0], &mut edited, &mut cpus, &mut soft);
            }
            assert!(places(&edited, cpus, soft), "{name}: {}\n{}", edit.describe(graph), text());
        }
    }
    found.len()
}

#[test]
fn conflicts_are_minimal_and_edits_cure_them() {
    let mut looked_at = 0;
    for line in lines().iter().filter(|l| l["error"].is_string()) {
        let (cpus, soft) = (line["cpus"].as_u64().unwrap() as usize, line["soft"].as_bool().unwrap());
        let text = line["graph"].to_string();
        let Ok(graph) = read::Options::STRICT.json(text.as_bytes(), &levada::registry()) else { continue };
        if !places(&graph, cpus, soft) {
            check_conflicts(line["name"].as_str().unwrap(), &graph, cpus, soft);
            looked_at += 1;
        }
    }
    assert!(looked_at > 30, "{looked_at}");
}

#[test]
fn of_many_conflicts_each_is_named() {
    let pair = |i: usize| {
        let device = |cpu: usize| format!("/cpu:{cpu}");
        let class = [format!("loc:@a{i}")];
        [
            json!({"name": format!("a{i}"), "op": "NoOp", "device": device(0)}),
            json!({"name": format!("b{i}"), "op": "NoOp", "device": device(1), "attr": {"_class": class}}),
        ]
    };
    let nodes: Vec<Value> = (0..30).flat_map(pair).collect();
    let graph = read::json(json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap();
    assert_eq!(check_conflicts("30 pairs", &graph, 2, false), 30);
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A graph of nodes that request devices and colocation, and pass on references and resources.
fn random_graph(random: &mut Random) -> Graph {
    const DEVICES: [&str; 14] = [
        "",
        "",
        "",
        "",
        "/cpu:0",
        "/cpu:1",
        "/cpu:1",
        "/device:CPU:*",
        "/job:localhost",
        "/cpu:2",
        "/cpu:9",
        "/gpu:0",
        "/job:worker",
        "/task:0/cpu:1",
    ];
    let wild = 6 + random.below(9);
    let mut nodes: Vec<Value> =
        vec![serde_json::json!({"name": "value", "op": "Const", "attr": {"dtype": "float32", "value": 1}})];
    let (mut names, mut refs, mut handles): (Vec<String>, Vec<String>, Vec<String>) = Default::default();
    for i in 0..3 + random.below(10) {
        let name = format!("n{i}");
        let state = |op: &str| serde_json::json!({"op": op, "attr": {"dtype": "float32", "shape": []}});
        let mut node = match random.below(8) {
            0 => state("VariableV2"),
            1 => state("VarHandleOp"),
            2 if !refs.is_empty() => {
                let from = refs[random.below(refs.len())].clone();
                serde_json::json!({"op": "Assign", "input": [from, "value"], "attr": {"T": "float32"}})
            }
            3 if !refs.is_empty() => {
                let from = refs[random.below(refs.len())].clone();
                serde_json::json!({"op": "RefIdentity", "input": [from], "attr": {"T": "float32"}})
            }
            4 if !handles.is_empty() => {
                let from = handles[random.below(handles.len())].clone();
                serde_json::json!({"op": "ReadVariableOp", "input": [from], "attr": {"dtype": "float32"}})
            }
            5 if !handles.is_empty() => {
                let from = handles[random.below(handles.len())].clone();
                serde_json::json!({"op": "Identity", "input": [from], "attr": {"T": "resource"}})
            }
            _ => serde_json::json!({"op": "NoOp"}),
        };
        match node["op"].as_str().unwrap() {
            "VariableV2" | "RefIdentity" | "Assign" => refs.push(name.clone()),
            "VarHandleOp" => handles.push(name.clone()),
            "Identity" => handles.push(name.clone()),
            _ => {}
        }
        let classes: Vec<String> = (0..random.below(3))
            .filter(|_| !names.is_empty())
            .map(|_| format!("loc:@{}", names[random.below(names.len())]))
            .collect();
        if !classes.is_empty() && random.below(3) > 0 {
            node["attr"]["_class"] = classes.into();
        }
        node["device"] = random.pick(&DEVICES[..wild]).into();
        node["name"] = name.clone().into();
        names.push(name);
        nodes.push(node);
    }
    read::json(serde_json::json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap()
}

#[test]
fn conflicts_of_random_graphs_are_minimal_and_edits_cure_them() {
    let mut random = Random(0x5eed_1e7a);
    let (mut one, mut several) = (0, 0);
    for round in 0..600 {
        let graph = random_graph(&mut random);
        let cpus = 2 + random.below(2);
        if !places(&graph, cpus, false) {
            let written = levada::graph::write::json(&graph.to_def()).unwrap_or_default();
            match check_conflicts(&format!("round {round}\n{written}\n"), &graph, cpus, false) {
                1 => one += 1,
                _ => several += 1,
            }
        }
    }
    println!("{one} graphs with a conflict, {several} with several");
    assert!(one > 50 && several > 50);
}
