//! Resolves the names of a run: endpoints to feed and fetch, and operations to run.

use levada_compile::Signature;
use levada_graph::graph::split_endpoint;
use levada_graph::{Code, Endpoint, Error, Graph, NodeId, Result, Tensor};
use std::collections::HashSet;

/// The resolved feeds, fetches and targets of a run.
pub(crate) struct RunRequest {
    /// Endpoints and nodes. The operations among the fetches are targets.
    pub(crate) signature: Signature,
    /// The positions of the operations among the fetches.
    pub(crate) operations: Box<[usize]>,
}

/// A fetch.
pub(crate) enum Fetch {
    /// A tensor.
    Tensor(Endpoint),
    /// A node, to be run: one without outputs, or any with `^` before its name.
    Operation(NodeId),
}

/// Resolves the names of a run to endpoints and nodes.
///
/// # Errors
/// Every fault of the names.
pub(crate) fn find(graph: &Graph, feeds: &[&str], fetches: &[&str], targets: &[&str]) -> Result<RunRequest> {
    let mut faults = Vec::new();
    let mut signature = Signature::default();
    let mut seen = HashSet::new();
    for name in feeds {
        match feed(graph, name) {
            Ok(endpoint) if !seen.insert(endpoint) => {
                faults.push(Error::invalid(format!("{name} is fed twice")).help("give each feed once"));
            }
            Ok(endpoint) => signature.feeds.push(endpoint),
            Err(error) => faults.push(error),
        }
    }
    let mut operations = Vec::new();
    for (i, name) in fetches.iter().enumerate() {
        match fetch(graph, name) {
            Ok(Fetch::Tensor(endpoint)) => signature.fetches.push(endpoint),
            Ok(Fetch::Operation(node)) => {
                operations.push(i);
                signature.targets.push(node);
            }
            Err(error) => faults.push(error),
        }
    }
    for name in targets {
        let node = name.strip_prefix('^').unwrap_or(name);
        match graph.find(node).or_else(|| graph.find(split_endpoint(node).0)) {
            Some(id) => signature.targets.push(id),
            None => faults.push(graph.unknown_node(&format!("the target {name}"), node)),
        }
    }
    match Error::join(faults) {
        Some(error) => Err(error),
        None => Ok(RunRequest { signature, operations: operations.into() }),
    }
}

/// The endpoint of a feed's name.
///
/// # Errors
/// As [`Graph::endpoint`].
pub(crate) fn feed(graph: &Graph, name: &str) -> Result<Endpoint> {
    graph.endpoint(name).map_err(|error| {
        let has_none = is_operation(graph, split_endpoint(name).0);
        let error = about("feed", error);
        if has_none { error.help("feed an output of a node; this operation has none") } else { error }
    })
}

/// The tensor or operation that a fetch names.
///
/// # Errors
/// As [`Graph::endpoint`].
pub(crate) fn fetch(graph: &Graph, name: &str) -> Result<Fetch> {
    if let Some(node) = name.strip_prefix('^') {
        let found = graph.find(node).map(Fetch::Operation);
        return found.ok_or_else(|| graph.unknown_node(&format!("the fetch {name}"), node));
    }
    if let Some(id) = graph.find(name).filter(|_| is_operation(graph, name)) {
        return Ok(Fetch::Operation(id));
    }
    graph.endpoint(name).map(Fetch::Tensor).map_err(|error| {
        let node = split_endpoint(name).0;
        let has_none = is_operation(graph, node);
        let error = about("fetch", error);
        if has_none { error.help(format!("to run it, fetch {node:?} or name it as a target")) } else { error }
    })
}

/// True if it is the name of a node without outputs, as far as its op is known.
fn is_operation(graph: &Graph, name: &str) -> bool {
    let node = graph.find(name).map(|id| graph.node(id));
    node.is_some_and(|node| node.output_types.is_empty() && node.unsupported().is_none())
}

/// Adds the role of the endpoint at fault. An unsupported feature is a fault of the node, whatever asks for it.
fn about(what: &str, mut error: Error) -> Error {
    if error.code() == Code::Unimplemented {
        return error;
    }
    error.fault_mut().message = format!("the {what} {}", error.message());
    error
}

/// The results of a run: the fetched tensors, with an empty one for each operation.
pub(crate) fn spread(tensors: Vec<Tensor>, operations: &[usize]) -> Vec<Tensor> {
    if operations.is_empty() {
        return tensors;
    }
    let mut all = tensors;
    for &at in operations {
        all.insert(at, Tensor::vector(Vec::<f32>::new()));
    }
    all
}
