//! Needless computation and storage.

use crate::access::Kind;
use crate::order::before;
use crate::{Finding, Rule, Subject};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{DType, Endpoint, NodeId};
use std::collections::{HashMap, HashSet};

/// The minimum size in bytes of constants that are reported.
const LARGE: usize = 1 << 16;
/// The maximum number of findings of each kind.
const MOST_TOLD: usize = 20;

/// All waste of a graph.
pub fn find(subject: &Subject<'_>, is_function: bool) -> Vec<Finding> {
    let mut findings = match is_function {
        true => dead_in_function(subject),
        false => unused(subject),
    };
    if !is_function {
        findings.extend(unneeded_feeds(subject));
        findings.extend(duplicates(subject));
    }
    findings.extend(constants(subject));
    findings.extend(doubles(subject));
    findings
}

/// The number of consumers of each node.
fn consumers(subject: &Subject<'_>) -> Vec<u32> {
    let graph = subject.graph;
    let mut count = vec![0; graph.len()];
    for (_, node) in graph.nodes() {
        for from in node.inputs.iter().map(|from| from.node).chain(node.control_inputs.iter().copied()) {
            count[from.index()] += 1;
        }
    }
    count
}

/// Constants and placeholders that nothing uses.
fn unused(subject: &Subject<'_>) -> Vec<Finding> {
    let count = consumers(subject);
    let fetched: HashSet<NodeId> = subject.run.iter().flat_map(|run| run.fetches.iter().map(|e| e.node)).collect();
    let alone = subject.graph.nodes().filter(|(id, _)| count[id.index()] == 0 && !fetched.contains(id));
    let told = alone.filter_map(|(_, node)| {
        let name = node.name.to_string();
        match node.spec().role {
            Role::Const => {
                let message = format!("nothing uses the constant {name}");
                Some(Finding::new(Rule::Dead, vec![name], message))
            }
            Role::Placeholder => {
                let message = format!("nothing uses the placeholder {name}");
                Some(Finding::new(Rule::UnusedFeed, vec![name], message))
            }
            _ => None,
        }
    });
    told.take(MOST_TOLD).collect()
}

/// Nodes in a function's body that no result needs and that have no side effects.
fn dead_in_function(subject: &Subject<'_>) -> Vec<Finding> {
    let runs: HashSet<NodeId> = subject.order.nodes.iter().copied().collect();
    let dead = subject.graph.nodes().filter(|(id, node)| !runs.contains(id) && node.spec().role != Role::Arg);
    let nodes: Vec<String> = dead.map(|(_, node)| node.name.to_string()).collect();
    if nodes.is_empty() {
        return Vec::new();
    }
    let message = format!("no result of the function needs {}", list(&nodes));
    vec![Finding::new(Rule::Dead, nodes, message)]
}

/// Feeds of the run that it does not need.
fn unneeded_feeds(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(run) = subject.run else { return Vec::new() };
    let used: HashSet<Endpoint> =
        subject.order.nodes.iter().flat_map(|id| subject.graph.node(*id).inputs.iter().copied()).collect();
    let told = run.feeds.iter().filter(|feed| !used.contains(feed) && !run.fetches.contains(feed)).map(|feed| {
        let name = subject.graph.endpoint_name(*feed);
        let message = format!("the run does not need the value that {name} is fed");
        Finding::new(Rule::UnusedFeed, vec![name], message)
    });
    told.collect()
}

/// Nodes without consumers that equal another node.
fn duplicates(subject: &Subject<'_>) -> Vec<Finding> {
    let graph = subject.graph;
    let count = consumers(subject);
    let pure = |node: &Node| {
        !node.op.is_stateful()
            && node.unsupported().is_none()
            && node.spec().role == Role::Plain
            && !node.inputs.is_empty()
    };
    let same = |a: &Node, b: &Node| {
        let own = |node: &Node| {
            node.attrs
                .iter()
                .filter(|(name, _)| !name.starts_with('_'))
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect::<Vec<_>>()
        };
        a.control_inputs == b.control_inputs && a.device == b.device && own(a) == own(b)
    };
    let mut by_inputs: HashMap<(&str, &[Endpoint]), Vec<NodeId>> = HashMap::new();
    for (id, node) in graph.nodes().filter(|(_, node)| pure(node)) {
        by_inputs.entry((node.op_name(), &node.inputs)).or_default().push(id);
    }
    let mut findings = Vec::new();
    let mut groups: Vec<Vec<NodeId>> = by_inputs.into_values().filter(|ids| ids.len() > 1).collect();
    groups.sort_unstable();
    for ids in groups {
        let first = graph.node(ids[0]);
        for &id in &ids[1..] {
            let node = graph.node(id);
            if findings.len() < MOST_TOLD && count[id.index()] == 0 && same(first, node) {
                let nodes = vec![node.name.to_string(), first.name.to_string()];
                let message = format!("{} computes the same as {}", node.name, first.name);
                let help = format!("fetch {} instead", first.name);
                findings.push(Finding { help: Some(help), ..Finding::new(Rule::Duplicate, nodes, message) });
            }
        }
    }
    findings
}

/// Large numeric constants in a graph whose variables are trained.
fn constants(subject: &Subject<'_>) -> Vec<Finding> {
    let graph = subject.graph;
    let trains = subject.accesses.users.values().any(|users| {
        let changes = |(id, kind): &(NodeId, Kind)| *kind == Kind::Changes && graph.node(*id).inputs.len() > 2;
        users.iter().any(changes)
    });
    if !trains {
        return Vec::new();
    }
    // Constants used only to initialize variables are fine.
    let changing: HashSet<NodeId> =
        subject.accesses.users.values().flatten().filter(|(_, k)| *k == Kind::Changes).map(|(id, _)| *id).collect();
    let mut initial = vec![true; graph.len()];
    for &id in subject.order.nodes.iter().rev() {
        let passes = changing.contains(&id)
            || (graph.node(id).spec().forwards && initial[id.index()] && subject.order.nodes.len() > 1);
        if !passes {
            before(graph, id).for_each(|from| initial[from.index()] = false);
        }
    }
    let large = graph.nodes().filter_map(|(id, node)| {
        let value = node.op.constant()?;
        let bytes = value.shape().num_elements() * value.dtype().size();
        (value.dtype().is_float() && bytes >= LARGE && !initial[id.index()]).then(|| {
            let name = node.name.to_string();
            let message = format!("{name} is a constant of {bytes} bytes, of shape {}, in a graph that is trained", value.shape());
            let help = "make it a variable if it is a weight, so that it is trained, saved and restored; feed it if it is data";
            Finding { help: Some(help.to_owned()), ..Finding::new(Rule::Constant, vec![name], message) }
        })
    });
    large.take(MOST_TOLD).collect()
}

/// Where float64 begins in a graph that mostly computes in float32.
fn doubles(subject: &Subject<'_>) -> Vec<Finding> {
    let graph = subject.graph;
    let gives = |node: &Node, dtype: DType| node.output_types.iter().any(|ty| ty.dtype == dtype);
    let count = |dtype: DType| graph.nodes().filter(|(_, node)| gives(node, dtype)).count();
    let (singles, doubles) = (count(DType::F32), count(DType::F64));
    if doubles == 0 || doubles * 4 > singles {
        return Vec::new();
    }
    let begins = graph
        .nodes()
        .filter(|(_, node)| gives(node, DType::F64) && !node.input_types.iter().any(|ty| ty.dtype == DType::F64));
    let told = begins.take(MOST_TOLD).map(|(_, node)| {
        let name = node.name.to_string();
        let message = format!("{name} returns float64, while {singles} nodes return float32");
        let help = "cast to float32 there, unless the precision is needed";
        Finding { help: Some(help.to_owned()), ..Finding::new(Rule::Float64, vec![name], message) }
    });
    told.collect()
}

/// Some names, and the number of the rest.
fn list(names: &[String]) -> String {
    let shown = names[..names.len().min(5)].join(", ");
    match names.len().saturating_sub(5) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
