//! Random graphs of integer ops without loops, and a reference that computes them node by node.
//!
//! Integers wrap, so every order of additions gives the same bits, and results are compared exactly.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A graph and a step on it.
#[derive(Clone, Debug)]
pub struct Dag {
    /// Nodes; inputs have lower numbers.
    pub nodes: Vec<Node>,
    /// Endpoints to feed besides the placeholders, which are always fed: node, output and value.
    pub feeds: Vec<(usize, usize, Vec<i32>)>,
    /// Endpoints to fetch, with repetitions.
    pub fetches: Vec<(usize, usize)>,
    /// Nodes to run.
    pub targets: Vec<usize>,
    /// Number of elements of every tensor.
    pub width: usize,
}

/// A node. Inputs are endpoints: node and output.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its op.
    pub op: Op,
    /// Nodes that must have run before.
    pub controls: Vec<usize>,
}

/// The op of a node.
#[derive(Clone, Debug)]
pub enum Op {
    /// A constant with equal elements.
    Const(i32),
    /// A placeholder and its fed value.
    Placeholder(i32),
    /// One of the ops with one input.
    Unary(&'static str, (usize, usize)),
    /// One of the ops with two inputs.
    Binary(&'static str, (usize, usize), (usize, usize)),
    /// Passes its inputs through; one output each.
    IdentityN(Vec<(usize, usize)>),
    /// No value, only ordering.
    NoOp,
}

const UNARY: [&str; 4] = ["Neg", "Identity", "Abs", "StopGradient"];
const BINARY: [&str; 5] = ["AddV2", "Sub", "Mul", "Maximum", "Minimum"];

/// The raw choices from which a node is made once the numbers of its inputs are known.
type Seed = (u8, i32, [u16; 3], Vec<u16>);

/// Graphs of at most `nodes` nodes with tensors of `width` elements.
pub fn dags(nodes: usize, width: usize) -> impl Strategy<Value = Dag> {
    let seed = (any::<u8>(), -9..9i32, any::<[u16; 3]>(), vec(any::<u16>(), 0..3));
    let feeds = vec((any::<u16>(), -9..9i32), 0..3);
    let step = (feeds, vec(any::<u16>(), 0..6), vec(any::<u16>(), 0..3));
    (vec(seed, 1..nodes), step)
        .prop_map(move |(seeds, (feeds, fetches, targets))| build(&seeds, &feeds, &fetches, &targets, width))
}

fn build(seeds: &[Seed], feeds: &[(u16, i32)], fetches: &[u16], targets: &[u16], width: usize) -> Dag {
    let mut nodes: Vec<Node> = Vec::new();
    let mut endpoints: Vec<(usize, usize)> = Vec::new();
    for (kind, value, picks, controls) in seeds {
        let pick = |i: usize| endpoints[picks[i] as usize % endpoints.len()];
        let op = match kind % 16 {
            _ if endpoints.is_empty() => Op::Placeholder(*value),
            0 => Op::Const(*value),
            1 => Op::Placeholder(*value),
            2..=4 => Op::Unary(UNARY[picks[2] as usize % UNARY.len()], pick(0)),
            5 | 6 => Op::IdentityN(vec![pick(0), pick(1)]),
            8 => Op::NoOp,
            _ => Op::Binary(BINARY[picks[2] as usize % BINARY.len()], pick(0), pick(1)),
        };
        let source = matches!(op, Op::Const(_) | Op::Placeholder(_));
        let controls = if source { &[][..] } else { controls };
        let controls: BTreeSet<usize> = controls.iter().map(|&c| c as usize % nodes.len()).collect();
        let node = Node { op, controls: controls.into_iter().collect() };
        endpoints.extend((0..node.outputs()).map(|output| (nodes.len(), output)));
        nodes.push(node);
    }
    let endpoint = |&i: &u16| endpoints[i as usize % endpoints.len()];
    let mut fed: BTreeMap<(usize, usize), i32> = feeds.iter().map(|(e, v)| (endpoint(e), *v)).collect();
    fed.retain(|(node, _), _| !matches!(nodes[*node].op, Op::Placeholder(_)));
    // A placeholder that must run has no value, so it cannot be a target.
    let targets = targets.iter().map(|&t| t as usize % nodes.len());
    let targets = targets.filter(|&t| !matches!(nodes[t].op, Op::Placeholder(_))).collect();
    let value = |v: i32| (0..width as i32).map(|i| v.wrapping_add(i)).collect();
    Dag {
        feeds: fed.into_iter().map(|((node, output), v)| (node, output, value(v))).collect(),
        fetches: fetches.iter().map(endpoint).collect(),
        targets,
        width,
        nodes,
    }
}

impl Node {
    /// The data inputs.
    pub fn inputs(&self) -> Vec<(usize, usize)> {
        match &self.op {
            Op::Const(_) | Op::Placeholder(_) | Op::NoOp => vec![],
            Op::Unary(_, a) => vec![*a],
            Op::Binary(_, a, b) => vec![*a, *b],
            Op::IdentityN(all) => all.clone(),
        }
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        match &self.op {
            Op::NoOp => 0,
            Op::IdentityN(all) => all.len(),
            _ => 1,
        }
    }

    fn op_name(&self) -> &'static str {
        match &self.op {
            Op::Const(_) => "Const",
            Op::Placeholder(_) => "Placeholder",
            Op::Unary(name, _) | Op::Binary(name, ..) => name,
            Op::IdentityN(_) => "IdentityN",
            Op::NoOp => "NoOp",
        }
    }

    fn compute(&self, inputs: &[&Vec<i32>], width: usize) -> Vec<Vec<i32>> {
        let spread = |v: i32| (0..width as i32).map(|i| v.wrapping_add(i)).collect();
        let zip = |f: fn(i32, i32) -> i32| vec![inputs[0].iter().zip(inputs[1]).map(|(&a, &b)| f(a, b)).collect()];
        match &self.op {
            Op::Const(v) | Op::Placeholder(v) => vec![spread(*v)],
            Op::Unary("Neg", _) => vec![inputs[0].iter().map(|v| v.wrapping_neg()).collect()],
            Op::Unary("Abs", _) => vec![inputs[0].iter().map(|v| v.wrapping_abs()).collect()],
            Op::Unary(..) => vec![inputs[0].clone()],
            Op::Binary("AddV2", ..) => zip(i32::wrapping_add),
            Op::Binary("Sub", ..) => zip(i32::wrapping_sub),
            Op::Binary("Mul", ..) => zip(i32::wrapping_mul),
            Op::Binary("Maximum", ..) => zip(i32::max),
            Op::Binary(..) => zip(i32::min),
            Op::IdentityN(_) => inputs.iter().map(|v| (*v).clone()).collect(),
            Op::NoOp => vec![],
        }
    }
}

impl Dag {
    /// Name of node `i`.
    pub fn name(i: usize) -> String {
        format!("n{i}")
    }

    /// The graph, in the short form.
    pub fn json(&self) -> Value {
        let endpoint = |&(node, output): &(usize, usize)| match output {
            0 => Dag::name(node),
            _ => format!("{}:{output}", Dag::name(node)),
        };
        let nodes = self.nodes.iter().enumerate().map(|(i, node)| {
            let data = node.inputs();
            let controls = node.controls.iter().map(|&c| format!("^{}", Dag::name(c)));
            let inputs: Vec<String> = data.iter().map(endpoint).chain(controls).collect();
            let attr = match &node.op {
                Op::Const(_) => json!({"dtype": "int32", "value": node.compute(&[], self.width)[0]}),
                Op::Placeholder(_) => json!({"dtype": "int32", "shape": [self.width]}),
                _ => json!({}),
            };
            json!({"name": Dag::name(i), "op": node.op_name(), "input": inputs, "attr": attr})
        });
        json!({"node": nodes.collect::<Vec<_>>()})
    }

    /// Everything to feed: endpoint and value.
    pub fn feeds(&self) -> Vec<(String, Vec<i32>)> {
        let placeholders = self.nodes.iter().enumerate().filter(|(_, n)| matches!(n.op, Op::Placeholder(_)));
        let placeholders = placeholders.map(|(i, n)| (format!("n{i}:0"), n.compute(&[], self.width).remove(0)));
        placeholders.chain(self.feeds.iter().map(|(n, o, v)| (format!("n{n}:{o}"), v.clone()))).collect()
    }

    /// Names of the endpoints to fetch.
    pub fn fetches(&self) -> Vec<String> {
        self.fetches.iter().map(|(node, output)| format!("n{node}:{output}")).collect()
    }

    /// Names of the nodes to run.
    pub fn targets(&self) -> Vec<String> {
        self.targets.iter().map(|&t| Dag::name(t)).collect()
    }

    fn is_fed(&self, endpoint: (usize, usize)) -> bool {
        matches!(self.nodes[endpoint.0].op, Op::Placeholder(_))
            || self.feeds.iter().any(|&(node, output, _)| (node, output) == endpoint)
    }

    /// The values of the fetches, computed node by node.
    pub fn expected(&self) -> Vec<Vec<i32>> {
        let fed: BTreeMap<(usize, usize), &Vec<i32>> = self.feeds.iter().map(|(n, o, v)| ((*n, *o), v)).collect();
        let mut values: BTreeMap<(usize, usize), Vec<i32>> = BTreeMap::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let inputs: Vec<&Vec<i32>> = node.inputs().iter().map(|e| &values[e]).collect();
            let outputs = node.compute(&inputs, self.width);
            for (output, value) in outputs.into_iter().enumerate() {
                let value = fed.get(&(i, output)).map_or(value, |&v| v.clone());
                values.insert((i, output), value);
            }
        }
        self.fetches.iter().map(|e| values[e].clone()).collect()
    }

    /// The nodes that must run, in order: all that the fetches and targets need, except those behind a feed.
    pub fn needed(&self) -> BTreeSet<usize> {
        let mut needed: BTreeSet<usize> = self.fetches.iter().filter(|&&e| !self.is_fed(e)).map(|e| e.0).collect();
        needed.extend(&self.targets);
        for i in (0..self.nodes.len()).rev().filter(|i| !matches!(self.nodes[*i].op, Op::Placeholder(_))) {
            if needed.contains(&i) {
                needed.extend(self.nodes[i].inputs().iter().filter(|&&e| !self.is_fed(e)).map(|e| e.0));
                needed.extend(&self.nodes[i].controls);
            }
        }
        // The feed replaces the placeholder, also as a control dependency.
        needed.retain(|&i| !matches!(self.nodes[i].op, Op::Placeholder(_)));
        needed
    }

    /// The needed nodes that appear in a trace without folding: constants that are neither fed nor targets do not run.
    pub fn traced(&self) -> BTreeSet<usize> {
        let mut traced = self.needed();
        traced
            .retain(|&i| !matches!(self.nodes[i].op, Op::Const(_)) || self.is_fed((i, 0)) || self.targets.contains(&i));
        traced
    }

    /// Data edges that are not cut by a feed, and control edges, as numbers of nodes.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let edges = self.nodes.iter().enumerate().flat_map(|(i, node)| {
            let data = node.inputs().into_iter().filter(|&e| !self.is_fed(e)).map(|e| e.0);
            let all: Vec<(usize, usize)> = data.chain(node.controls.iter().copied()).map(|from| (from, i)).collect();
            all
        });
        edges.collect()
    }
}
