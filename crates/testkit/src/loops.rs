//! Random graphs with loops, nested loops and conditionals, and random devices for the nodes of any graph.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A graph with loops, and what to fetch.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The graph, in the short form.
    pub graph: Value,
    /// Endpoints to fetch.
    pub fetches: Vec<String>,
}

/// The random choices for a loop.
#[derive(Clone, Debug)]
struct Seed {
    times: u8,
    parallel: u8,
    invariant: bool,
    body: Vec<(u8, u16, u16)>,
    inner: Option<Box<Seed>>,
}

fn seeds(depth: u32) -> BoxedStrategy<Seed> {
    let body = vec((any::<u8>(), any::<u16>(), any::<u16>()), 1..6);
    let inner =
        if depth == 0 { Just(None).boxed() } else { proptest::option::of(seeds(depth - 1).prop_map(Box::new)).boxed() };
    (0u8..5, 1u8..4, any::<bool>(), body, inner)
        .prop_map(|(times, parallel, invariant, body, inner)| Seed { times, parallel, invariant, body, inner })
        .boxed()
}

/// Graphs with one to three consecutive loops, each possibly with a nested one.
pub fn loops() -> impl Strategy<Value = Loops> {
    vec(seeds(1), 1..4).prop_map(|seeds| {
        let mut build = Build::default();
        let mut values: Vec<String> = (0..3).map(|i| build.constant(i)).collect();
        let mut fetches = Vec::new();
        for seed in &seeds {
            let outputs = build.one_loop(seed, &values);
            fetches.extend(outputs.iter().cloned());
            values.extend(outputs);
        }
        Loops { graph: json!({"node": build.nodes}), fetches }
    })
}

#[derive(Default)]
struct Build {
    nodes: Vec<Value>,
}

impl Build {
    fn add(&mut self, op: &str, inputs: &[&str], attr: Value) -> String {
        let name = format!("n{}", self.nodes.len());
        self.nodes.push(json!({"name": name, "op": op, "input": inputs, "attr": attr}));
        name
    }

    fn constant(&mut self, value: i32) -> String {
        self.add("Const", &[], json!({"dtype": "int32", "value": value}))
    }

    fn binary(&mut self, kind: u8, a: &str, b: &str) -> String {
        let op = ["AddV2", "Sub", "Mul", "Maximum", "Minimum"][kind as usize % 5];
        self.add(op, &[a, b], json!({}))
    }

    /// A loop over a counter and two of `values`; returns its outputs.
    fn one_loop(&mut self, seed: &Seed, values: &[String]) -> Vec<String> {
        let frame = format!("frame{}", self.nodes.len());
        let attr = |constant: bool| json!({"frame_name": frame, "is_constant": constant, "parallel_iterations": seed.parallel});
        let (zero, limit) = (self.constant(0), self.constant(i32::from(seed.times)));
        let starts = [zero, values[0].clone(), values[values.len() - 1].clone()];
        let enters: Vec<String> = starts.iter().map(|s| self.add("Enter", &[s], attr(false))).collect();
        let limit = self.add("Enter", &[&limit], attr(true));
        let outside = self.add("Enter", &[&values[1]], attr(true));
        // The back edges are filled in below.
        let merges: Vec<String> = enters.iter().map(|e| self.add("Merge", &[e, e], json!({}))).collect();
        let less = self.add("Less", &[&merges[0], &limit], json!({}));
        let go_on = self.add("LoopCond", &[&less], json!({}));
        let switches: Vec<String> = merges.iter().map(|m| self.add("Switch", &[m, &go_on], json!({}))).collect();
        let mut inside: Vec<String> =
            switches.iter().map(|s| self.add("Identity", &[&format!("{s}:1")], json!({}))).collect();
        let after = format!("^{}", inside[0]);
        let one = self.add("Const", &[&after], json!({"dtype": "int32", "value": 1}));
        let next = self.add("AddV2", &[&inside[0].clone(), &one], json!({}));
        if seed.invariant {
            // What enters the next iteration must end with the loop.
            inside.push(self.add("Identity", &[&outside, &after], json!({})));
        }
        for (kind, a, b) in &seed.body {
            let pick = |i: u16| inside[i as usize % inside.len()].clone();
            let (a, b) = (pick(*a), pick(*b));
            let made = match kind % 8 {
                6 => self.conditional(*kind, &a, &b),
                7 => {
                    let first = self.binary(*kind, &a, &b);
                    self.add("Identity", &[&b, &format!("^{first}")], json!({}))
                }
                _ => self.binary(*kind, &a, &b),
            };
            inside.push(made);
        }
        if let Some(inner) = &seed.inner {
            let outputs = self.one_loop_inside(inner, &inside);
            inside.extend(outputs);
        }
        let last = inside.len() - 1;
        let nexts = [next, inside[last].clone(), inside[last - 1].clone()];
        for (merge, next) in merges.iter().zip(&nexts) {
            let back = self.add("NextIteration", &[next], json!({}));
            let at: usize = merge[1..].parse().expect("names are numbers");
            self.nodes[at]["input"][1] = back.into();
        }
        switches.iter().map(|s| self.add("Exit", &[s], json!({}))).collect()
    }

    /// As [`Build::one_loop`], for values within a loop: its constants must belong to the same iteration.
    fn one_loop_inside(&mut self, seed: &Seed, values: &[String]) -> Vec<String> {
        let first = self.nodes.len();
        let outputs = self.one_loop(seed, values);
        let after: Value = format!("^{}", values[0]).into();
        for node in &mut self.nodes[first..] {
            if node["op"] == "Const" && node["input"].as_array().is_some_and(Vec::is_empty) {
                node["input"] = json!([after]);
            }
        }
        outputs
    }

    /// One of two results, chosen by the values.
    fn conditional(&mut self, kind: u8, a: &str, b: &str) -> String {
        let which = self.add("Less", &[a, b], json!({}));
        let (x, y) = (self.add("Switch", &[a, &which], json!({})), self.add("Switch", &[b, &which], json!({})));
        let no = self.binary(kind, &x, &y);
        let yes = self.binary(kind / 5, &format!("{x}:1"), &format!("{y}:1"));
        self.add("Merge", &[&no, &yes], json!({}))
    }
}

/// The graph with a device for every node, chosen among `devices` by the pick of the node's number.
pub fn on_devices(graph: &Value, picks: &[u8], devices: &[&str]) -> Value {
    let mut graph = graph.clone();
    for (i, node) in graph["node"].as_array_mut().into_iter().flatten().enumerate() {
        let pick = picks[i % picks.len()].wrapping_add((i / picks.len()) as u8);
        node["device"] = devices[pick as usize % devices.len()].into();
    }
    graph
}
