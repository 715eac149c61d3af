//! Compares two graphs node by node: the same graph on other devices, in other dtypes or versions, or a graph and
//! tensors that another runtime computed for its nodes. Reports where they first differ, and whose arithmetic is at
//! fault.

mod blame;
mod measure;
mod values;

pub use blame::{Blame, Cause};
pub use measure::{Distance, Tolerance, numbers};

use levada_graph::{DType, Endpoint, Error, Graph, NodeId, Result, Shape, Tensor};
use levada_session::Session;
use std::collections::{BTreeMap, HashMap, HashSet};
use values::Values;

/// What to run, and the tolerance.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Values of endpoints, by name; each graph uses the ones that it has.
    pub feeds: Vec<(String, Tensor)>,
    /// The purpose of the run: everything that these need is compared. If empty, everything that can be computed from
    /// the feeds without changing state.
    pub fetches: Vec<String>,
    /// When values count as equal.
    pub tolerance: Tolerance,
}

impl Options {
    /// The same options with the names of the second graph.
    fn translated(&self, a: &Graph, b: &Graph, matches: &HashMap<NodeId, NodeId>) -> Options {
        let translate = |name: &str| {
            let endpoint = a.endpoint(name).ok()?;
            Some(b.endpoint_name(Endpoint::new(*matches.get(&endpoint.node)?, endpoint.output)))
        };
        let or_same = |name: &String| translate(name).unwrap_or_else(|| name.clone());
        let feeds = self.feeds.iter().map(|(name, value)| (or_same(name), value.clone())).collect();
        Options { feeds, fetches: self.fetches.iter().map(or_same).collect(), tolerance: self.tolerance }
    }
}

/// An output of a node of the first graph and its counterpart.
#[derive(Clone, Debug)]
pub struct Row {
    /// The output in the first graph.
    pub name: String,
    /// Its counterpart's name.
    pub other: String,
    /// The op of the node in the first graph.
    pub op: String,
    /// Dtypes of both.
    pub dtypes: (DType, DType),
    /// Shapes of both.
    pub shapes: (Shape, Shape),
    /// Their distance; `None` if the shapes differ or the values are not numeric.
    pub distance: Option<Distance>,
    /// True if they count as equal.
    pub is_equal: bool,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All outputs that both graphs have, in topological order.
    pub rows: Vec<Row>,
    /// The nodes that differ although their inputs do not, in the same order: the causes of all other differences.
    pub causes: Vec<Cause>,
    /// Outputs of the first graph without a counterpart.
    pub only_first: Vec<String>,
    /// Outputs of the second graph without a counterpart.
    pub only_second: Vec<String>,
    /// Nodes of the first graph that failed.
    pub failed_first: Vec<Failure>,
    /// Nodes of the second graph that failed.
    pub failed_second: Vec<Failure>,
    /// The two values of the first output that differs numerically, for a picture.
    pub sample: Option<(String, Tensor, Tensor)>,
}

/// A node that failed. What depends on it was not computed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The node.
    pub node: String,
    /// Its error.
    pub error: Error,
}

impl Report {
    /// True if nothing differs, and nothing failed.
    pub fn is_equal(&self) -> bool {
        self.rows.iter().all(|row| row.is_equal) && self.failed_first.is_empty() && self.failed_second.is_empty()
    }
}

/// Runs both graphs and compares their nodes' outputs.
///
/// # Errors
/// An error for names that the first graph does not have, and the errors of the runs.
pub fn sessions(first: &Session, second: &Session, options: &Options) -> Result<Report> {
    let matches = matches(&first.graph(), &second.graph());
    let a = Values::of(first, options)?;
    let b = Values::of(second, &options.translated(&a.graph, &second.graph(), &matches))?;
    let other = |endpoint: Endpoint| matches.get(&endpoint.node).map(|node| Endpoint::new(*node, endpoint.output));
    let mut report = compare(&a, options, |endpoint| {
        let other = other(endpoint)?;
        Some((b.graph.endpoint_name(other), b.of.get(&other)?))
    })?;
    let matched: HashSet<Endpoint> = a.of.keys().filter_map(|endpoint| other(*endpoint)).collect();
    report.only_second = b.names(|endpoint| !matched.contains(&endpoint));
    report.failed_second = b.failures();
    for cause in &mut report.causes {
        let Some(id) = a.graph.find(&cause.node) else { continue };
        let Some(counterpart) = matches.get(&id) else { continue };
        cause.blame = blame::of(first, (a.graph.node(id), &a), (b.graph.node(*counterpart), &b), cause.output);
    }
    Ok(report)
}

/// Runs a graph and compares its nodes' outputs with tensors from elsewhere, by the names of nodes and outputs.
///
/// # Errors
/// The errors of [`sessions`].
pub fn tensors(first: &Session, second: &BTreeMap<String, Tensor>, options: &Options) -> Result<Report> {
    let a = Values::of(first, options)?;
    let mut report = compare(&a, options, |endpoint| {
        let name = a.graph.endpoint_name(endpoint);
        let long = format!("{}:{}", a.graph.node(endpoint.node).name, endpoint.output);
        [name, long].into_iter().find_map(|name| second.get(&name).map(|tensor| (name, tensor)))
    })?;
    let seen: HashSet<&str> = report.rows.iter().map(|row| row.other.as_str()).collect();
    report.only_second = second.keys().filter(|name| !seen.contains(name.as_str())).cloned().collect();
    Ok(report)
}

fn compare<'a>(
    a: &Values,
    options: &Options,
    counterpart: impl Fn(Endpoint) -> Option<(String, &'a Tensor)>,
) -> Result<Report> {
    let mut report = Report { failed_first: a.failures(), ..Report::default() };
    let mut differing = HashSet::new();
    for &endpoint in &a.order {
        let Some(x) = a.of.get(&endpoint) else { continue };
        let name = a.graph.endpoint_name(endpoint);
        let Some((other, y)) = counterpart(endpoint) else {
            report.only_first.push(name);
            continue;
        };
        let node = a.graph.node(endpoint.node);
        let (distance, is_equal) = measure::compare(x, y, &options.tolerance);
        if !is_equal {
            differing.insert(endpoint);
            let inherits = node.inputs.iter().any(|from| differing.contains(from));
            if !inherits && report.causes.iter().all(|cause| *cause.node != *node.name) {
                report.causes.push(Cause {
                    node: node.name.to_string(),
                    op: node.op_name().to_owned(),
                    output: endpoint.output,
                    blame: Blame::Unknown,
                });
            }
            if report.sample.is_none() && distance.is_some() {
                report.sample = Some((name.clone(), x.clone(), y.clone()));
            }
        }
        report.rows.push(Row {
            name,
            other,
            op: node.op_name().to_owned(),
            dtypes: (x.dtype(), y.dtype()),
            shapes: (x.shape().clone(), y.shape().clone()),
            distance,
            is_equal,
        });
    }
    Ok(report)
}

/// The node of `b` for each node of `a`: the one of the same name, or of the same op with the same inputs.
fn matches(a: &Graph, b: &Graph) -> HashMap<NodeId, NodeId> {
    let mut found: HashMap<NodeId, NodeId> = HashMap::new();
    let mut taken = HashSet::new();
    for (id, node) in a.nodes() {
        if let Some(other) = b.find(&node.name) {
            found.insert(id, other);
            taken.insert(other);
        }
    }
    let mut by_inputs: HashMap<(&str, Vec<Endpoint>), Vec<NodeId>> = HashMap::new();
    for (id, node) in b.nodes().filter(|(id, node)| !taken.contains(id) && !node.inputs.is_empty()) {
        by_inputs.entry((node.op_name(), node.inputs.clone())).or_default().push(id);
    }
    // Inputs mostly come before their consumers; a second round finds the rest.
    for _ in 0..2 {
        for (id, node) in a.nodes() {
            if found.contains_key(&id) {
                continue;
            }
            let input = |from: &Endpoint| Some(Endpoint::new(*found.get(&from.node)?, from.output));
            let Some(inputs) = node.inputs.iter().map(input).collect::<Option<Vec<_>>>() else { continue };
            if let Some(other) = by_inputs.get_mut(&(node.op_name(), inputs)).and_then(Vec::pop) {
                found.insert(id, other);
            }
        }
    }
    found
}
