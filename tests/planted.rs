//! Faults planted in graphs made from a seed, and the same graphs without them: the tools name the planted fault, and
//! nothing else. Sessions of such graphs are recorded and replayed.

use levada::compare::{Options, sessions};
use levada::compile::Signature;
use levada::explore::{Request, explore};
use levada::graph::read;
use levada::lint::lint;
use levada::recording::{Recorder, Replay, replay};
use levada::session::{NanOrigin, NanWatch};
use levada::{Endpoint, Error, Graph, Session, SessionOptions, Shape, Tensor};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

const CASES: u64 = 40;
const SESSIONS: u64 = 200;
const SIDE: usize = 4;

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn number(&mut self) -> f64 {
        self.below(4001) as f64 / 1000.0 - 2.0
    }
}

fn node(name: &str, op: &str, inputs: &[&str]) -> Value {
    json!({"name": name, "op": op, "input": inputs, "attr": {}})
}

fn constant(name: &str, value: f64) -> Value {
    json!({"name": name, "op": "Const", "attr": {"dtype": "float32", "value": vec![vec![value; SIDE]; SIDE]}})
}

const BINARY: &[&str] = &["AddV2", "Sub", "Mul", "MatMul", "Maximum", "SquaredDifference"];
const UNARY: &[&str] = &["Tanh", "Sigmoid", "Neg", "Square", "Softplus", "Relu"];

/// Nodes of float32 4 x 4 that compute something from `x`; returns their names.
fn network(random: &mut Random, size: usize) -> (Vec<Value>, Vec<String>) {
    let mut nodes =
        vec![json!({"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [SIDE, SIDE]}})];
    let mut names = vec!["x".to_owned()];
    for i in 0..size {
        let name = format!("n{i}");
        let any = |random: &mut Random| names[random.below(names.len())].clone();
        match random.below(6) {
            0 => nodes.push(constant(&name, random.number())),
            1 | 2 => {
                let x = any(random);
                nodes.push(node(&name, random.pick(UNARY), &[&x]));
            }
            _ => {
                // Kept small, so that nothing overflows.
                let (x, y, raw) = (any(random), any(random), format!("{name}/raw"));
                nodes.push(node(&raw, random.pick(BINARY), &[&x, &y]));
                nodes.push(node(&name, "Tanh", &[&raw]));
            }
        }
        names.push(name);
    }
    (nodes, names)
}

fn graph(nodes: &[Value]) -> Graph {
    read::json(json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap()
}

fn x(random: &mut Random) -> Tensor {
    let values = (0..SIDE * SIDE).map(|_| random.number() as f32).collect();
    Tensor::from_vec(Shape::new([SIDE, SIDE]).unwrap(), values).unwrap()
}

fn open(graph: Graph, options: SessionOptions) -> Result<levada::session::Session, Error> {
    Session::new(graph, options).map(|session| (*session).clone())
}

/// A graph whose uses of a variable or a queue are ordered, except two if a race is planted.
struct Case {
    nodes: Vec<Value>,
    fetches: Vec<String>,
    targets: Vec<String>,
    race: Option<[String; 2]>,
}

fn case(seed: u64, is_planted: bool) -> Case {
    let mut random = Random(seed);
    let size = 5 + random.below(20);
    let (mut nodes, names) = network(&mut random, size);
    nodes.push(constant("start", 0.5));
    let kind = random.below(3);
    let dtype = json!({"dtype": "float32", "shape": [SIDE, SIDE]});
    let (make, assign, add, get) = match kind {
        0 => ("VarHandleOp", "AssignVariableOp", "AssignAddVariableOp", "ReadVariableOp"),
        // A node that reads a reference may share the variable's memory, unless it computes.
        1 => ("VariableV2", "Assign", "AssignAdd", "Neg"),
        _ => ("FIFOQueueV2", "QueueEnqueueV2", "QueueEnqueueV2", "QueueDequeueV2"),
    };
    let is_queue = kind == 2;
    match is_queue {
        true => {
            let attr = json!({"component_types": ["float32"], "shapes": [[SIDE, SIDE]], "capacity": 100});
            nodes.push(json!({"name": "state", "op": make, "attr": attr}));
            nodes.push(node("init", "QueueSizeV2", &["state"]));
        }
        false => {
            nodes.push(json!({"name": "state", "op": make, "attr": dtype}));
            nodes.push(node("init", assign, &["state", "start"]));
        }
    }
    // Operations in order; at `at` and after it two whose order matters, then one that shows it.
    let count = 4 + random.below(5);
    let at = 1 + random.below(count - 3);
    let mut deeds: Vec<&str> = (0..count).map(|_| random.pick(&["assign", "add", "get"])).collect();
    let pairs: &[[&str; 2]] = match is_queue {
        true => &[["assign", "assign"]],
        false => &[["get", "assign"], ["get", "add"], ["assign", "assign"], ["assign", "add"]],
    };
    let mut pair = random.pick(pairs);
    if random.below(2) == 0 {
        pair.reverse();
    }
    (deeds[at], deeds[at + 1], deeds[at + 2]) = (pair[0], pair[1], "get");
    if is_queue {
        // No more elements are dequeued than there are.
        deeds[0] = "assign";
        for i in 1..count {
            let puts = deeds[..i].iter().filter(|deed| **deed != "get").count();
            if deeds[i] == "get" && 2 * puts <= i && i != at + 2 {
                deeds[i] = "assign";
            }
        }
    }
    let mut fetches = Vec::new();
    let mut targets: Vec<String> = Vec::new();
    for (i, deed) in deeds.iter().enumerate() {
        let name = format!("deed{i}");
        let apart = is_planted && i == at + 1;
        let before: Vec<String> = match i {
            0 => Vec::new(),
            _ if apart => vec![format!("^deed{}", i - 2)],
            _ if is_planted && i == at + 2 => vec![format!("^deed{}", i - 1), format!("^deed{}", i - 2)],
            _ => vec![format!("^deed{}", i - 1)],
        };
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let value = format!("value{i}");
        if *deed != "get" {
            // All values are distinct.
            nodes.push(constant(&format!("{value}/apart"), 1.0 + i as f64));
            let from = names[random.below(names.len())].clone();
            nodes.push(node(&value, "AddV2", &[&from, &format!("{value}/apart")]));
        }
        let uses = |op: &str, inputs: &[&str]| node(&name, op, &[inputs, &before].concat());
        nodes.push(match *deed {
            "assign" => uses(assign, &["state", &value]),
            "add" => uses(add, &["state", &value]),
            _ => {
                let mut get = uses(get, &["state"]);
                match kind {
                    0 => get["attr"] = json!({"dtype": "float32"}),
                    2 => get["attr"] = json!({"component_types": ["float32"]}),
                    _ => {}
                }
                get
            }
        });
        match *deed {
            "get" => {
                nodes.push(node(&format!("seen{i}"), "Neg", &[&name]));
                fetches.push(format!("seen{i}"));
            }
            _ => targets.push(name),
        }
    }
    fetches.push(names.last().unwrap().clone());
    let race = is_planted.then(|| [format!("deed{at}"), format!("deed{}", at + 1)]);
    Case { nodes, fetches, targets, race }
}

#[test]
fn lint_finds_races_and_raises_no_alarm_without() {
    let registry = levada::registry();
    let (mut found, mut quiet, mut faults) = (0, 0, Vec::new());
    for seed in 0..CASES {
        for is_planted in [true, false] {
            let case = case(seed, is_planted);
            let graph = graph(&case.nodes);
            let find = |name: &String| graph.find(name).unwrap();
            let fetches = case.fetches.iter().map(|name| Endpoint::from(find(name))).collect();
            let targets = case.targets.iter().map(find).collect();
            let run = Signature { fetches, targets, ..Signature::default() };
            let findings = lint(&graph, &registry, Some(&run)).unwrap();
            let told: Vec<BTreeSet<String>> =
                findings.iter().filter(|f| f.rule.is_fault()).map(|f| f.nodes.iter().cloned().collect()).collect();
            match &case.race {
                Some(race) if told.contains(&race.iter().cloned().collect()) => found += 1,
                None if told.is_empty() => quiet += 1,
                race => faults.push(format!("{seed}: {race:?}, told {told:?}")),
            }
        }
    }
    assert!(faults.is_empty(), "{found} found, {quiet} quiet\n{}", faults.join("\n"));
}

#[test]
fn explore_finds_races_and_no_difference_without() {
    let registry = levada::registry();
    let mut faults = Vec::new();
    for seed in 0..CASES {
        for is_planted in [true, false] {
            let case = case(seed, is_planted);
            let request = Request {
                feeds: vec![("x".to_owned(), x(&mut Random(seed)))],
                fetches: case.fetches,
                targets: case.targets,
                init: vec!["init".to_owned()],
                init_feeds: Vec::new(),
                orders: 40,
                seed,
                timeout: Some(Duration::from_secs(20)),
            };
            let report = explore(graph(&case.nodes), &registry, &request, &open).unwrap();
            if !report.unsteady.is_empty() || report.differences.is_empty() == is_planted {
                faults.push(format!("{seed}: {:?}, told {:?}", case.race, report.differences));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn compare_names_the_node_that_was_changed() {
    let mut faults = Vec::new();
    for seed in 0..CASES {
        let mut random = Random(seed);
        let size = 10 + random.below(30);
        let (nodes, names) = network(&mut random, size);
        let options = || SessionOptions { threads: 1, ..SessionOptions::default() };
        let of = |nodes: &[Value]| Session::new(graph(nodes), options()).unwrap();
        let feed = x(&mut random);
        let value = |nodes: &[Value], of_node: &str| of(nodes).run(&[("x", feed.clone())], &[of_node], &[]).unwrap();
        // Another op may return the same for its inputs: then nothing is planted.
        let (changed, at) = loop {
            let mut changed = nodes.clone();
            let at = 1 + random.below(nodes.len() - 1);
            let (planted, op) = (nodes[at]["name"].as_str().unwrap(), nodes[at]["op"].as_str().unwrap());
            if op == "Const" {
                changed[at] = constant(planted, 3.25);
            } else {
                let among = if nodes[at]["input"].as_array().unwrap().len() == 1 { UNARY } else { BINARY };
                let other = among.iter().position(|o| *o == op).unwrap() + 1 + random.below(3);
                changed[at]["op"] = among[other % among.len()].into();
            }
            if value(&nodes, planted) != value(&changed, planted) {
                break (changed, at);
            }
        };
        let planted = nodes[at]["name"].as_str().unwrap();
        let feeds = vec![("x".to_owned(), feed.clone())];
        let asked = Options { feeds, fetches: names, ..Options::default() };
        let report = sessions(&of(&nodes), &of(&changed), &asked).unwrap();
        let causes: Vec<&str> = report.causes.iter().map(|cause| &*cause.node).collect();
        if causes != [planted] {
            let (before, after) = (&nodes[at]["op"], &changed[at]["op"]);
            faults.push(format!("{seed}: {planted} ({before} to {after}), told {causes:?}"));
        }
        let same = sessions(&of(&nodes), &of(&nodes), &asked).unwrap();
        assert!(same.is_equal() && same.causes.is_empty(), "{seed}");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_node_that_makes_a_nan_is_named() {
    for seed in 0..CASES {
        let mut random = Random(seed);
        let (before, after) = (5 + random.below(15), 3 + random.below(10));
        let (mut nodes, names) = network(&mut random, before);
        let from = names[random.below(names.len())].clone();
        nodes.push(node("squared", "Square", &[&from]));
        nodes.push(constant("one", 1.0));
        nodes.push(node("positive", "AddV2", &["squared", "one"]));
        nodes.push(node("negative", "Neg", &["positive"]));
        nodes.push(node("zero", "Sub", &["squared", "squared"]));
        nodes.push(constant("huge/factor", 1e30));
        nodes.push(node("huge", "Mul", &["positive", "huge/factor"]));
        let (op, inputs): (&str, &[&str]) = random.pick(&[
            ("Log", &["negative"][..]),
            ("Log", &["zero"]),
            ("Sqrt", &["negative"]),
            ("Rsqrt", &["zero"]),
            ("RealDiv", &["positive", "zero"]),
            ("RealDiv", &["zero", "zero"]),
            ("Exp", &["huge"]),
            ("Mul", &["huge", "huge"]),
            ("Square", &["huge"]),
            ("Pow", &["negative", "huge/fraction"]),
            ("Reciprocal", &["zero"]),
        ]);
        nodes.push(constant("huge/fraction", 0.5));
        nodes.push(node("fault", op, inputs));
        // Later nodes mask it in some cases.
        let mut last = "fault".to_owned();
        for i in 0..after {
            let other = names[random.below(names.len())].clone();
            let name = format!("after{i}");
            match random.below(4) {
                0 => nodes.push(node(&name, random.pick(UNARY), &[&last])),
                1 => nodes.push(node(&name, "Minimum", &[&last, &other])),
                _ => nodes.push(node(&name, random.pick(BINARY), &[&last, &other])),
            }
            last = name;
        }
        let feed = x(&mut random);
        for (threads, no_fusion) in [(1, false), (2, true)] {
            let options =
                SessionOptions { threads, no_fusion, watch: Some(NanWatch::default()), ..SessionOptions::default() };
            let session = Session::new(graph(&nodes), options).unwrap();
            let error = session.run(&[("x", feed.clone())], &[&last], &[]).unwrap_err();
            let origin = error.report::<NanOrigin>().unwrap_or_else(|| panic!("{seed}: {error}"));
            assert_eq!(origin.node, "fault", "{seed}: {op}");
            assert_eq!(origin.inputs.len(), inputs.len(), "{seed}: {op}");
        }
    }
}

/// Runs from several threads, with unseeded random numbers and races for a variable and a queue.
#[test]
fn recorded_sessions_have_the_same_bits_again() {
    let registry = levada::registry();
    for seed in 0..SESSIONS {
        let mut case = case(seed, true);
        let shape = json!({"name": "shape", "op": "Const", "attr": {"dtype": "int32", "value": [SIDE, SIDE]}});
        let noise = json!({"name": "noise", "op": "RandomUniform", "input": ["shape"], "attr": {"dtype": "float32"}});
        case.nodes.extend([shape, noise, node("noisy", "MatMul", &["noise", "noise"])]);
        for at in 0..case.nodes.len() {
            let name = case.nodes[at]["name"].as_str().unwrap();
            if name.starts_with("value") && !name.ends_with("apart") {
                case.nodes[at]["input"][0] = "noisy".into();
            }
        }
        case.fetches.push("noisy".to_owned());
        let recorder = Recorder::new();
        let options = SessionOptions { threads: 4, disorder: Some(seed), ..SessionOptions::default() };
        let session = Session::new(graph(&case.nodes), recorder.attach(options)).unwrap();
        session.run(&[], &[], &["init"]).unwrap();
        let feed = x(&mut Random(seed));
        let callers: Vec<_> = (0..1 + seed % 3)
            .map(|_| {
                let (session, feed) = ((*session).clone(), feed.clone());
                let (fetches, targets) = (case.fetches.clone(), case.targets.clone());
                thread::spawn(move || {
                    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
                    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
                    for _ in 0..3 {
                        session.run(&[("x", feed.clone())], &fetches, &targets).unwrap();
                    }
                })
            })
            .collect();
        callers.into_iter().for_each(|caller| caller.join().unwrap());
        let recording = recorder.recording(&session).unwrap();
        for threads in [1, 4] {
            let request = Replay { threads, ..Replay::default() };
            let report = replay(&recording, None, &registry, &request, &open).unwrap();
            assert_eq!(report.changes, [], "session {seed} on {threads} threads");
            assert!(report.compared >= 3 && report.turns_left == 0, "session {seed}: {report:?}");
        }
    }
}
