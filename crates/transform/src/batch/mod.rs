//! Batching: turns a graph that processes one example into one that processes many.
//!
//! [`batch`] walks through a graph from its inputs. Nodes that do not depend on them are unchanged. The batch rule of
//! an op ([`levada_graph::batch`]) determines the nodes that compute it for all examples; a node without a rule runs
//! example by example in a `MapDefun`, which is always correct. Functions that nodes call are batched as their callers
//! need them ([`calls`]), and so are loops and conditionals of both versions.
//!
//! This includes recursive functions. If examples take different branches, each branch runs once for those that take it
//! ([`partition`]), and independent calls of one function are merged ([`siblings`]): trees of any shape are computed
//! level by level, all nodes of a level together.
//!
//! A value that is the same for all examples has no example axis: [`Batched::varies`] tells which values have one.

mod calls;
mod functions;
mod one_by_one;
mod partition;
mod siblings;
mod walk;

use levada_compile::infer::infer;
use levada_compile::{Signature, prune};
use levada_graph::{Endpoint, Error, Graph, GraphDef, Registry, Result};
use std::collections::BTreeSet;
use std::sync::Arc;
use walk::{Scope, Walk};

/// A node that cannot be batched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The node.
    pub node: String,
    /// Its op.
    pub op: String,
    /// The reason.
    pub reason: String,
}

/// A batched graph.
#[derive(Clone, Debug)]
pub struct Batched {
    /// The graph. Nodes keep their names; values that differ between examples have an additional first axis.
    pub graph: Graph,
    /// Nodes that are left out, since they cannot be batched or depend on one that cannot.
    pub refused: Vec<Refused>,
    /// Nodes without a rule, including those of functions, and their ops: they run example by example.
    pub one_by_one: Vec<(String, String)>,
    varies: BTreeSet<String>,
}

impl Batched {
    /// True for an endpoint whose value has one part for each example, along the first axis; false for one that is the
    /// same for all.
    pub fn varies(&self, endpoint: &str) -> bool {
        self.varies.contains(endpoint.strip_suffix(":0").unwrap_or(endpoint))
    }
}

/// Batches a graph: in the result `inputs`, which are the outputs of nodes with one output, are placeholders with a
/// leading axis for the examples. `fetches` are the required values, which keep their names; if it is empty, all values
/// that can be batched are kept, and the others are listed in [`Batched::refused`].
///
/// A random op whose inputs are the same for all examples draws once for all of them.
///
/// # Errors
/// `NOT_FOUND` for names that the graph lacks, `INVALID_ARGUMENT` for inputs that cannot be fed, `UNIMPLEMENTED` if a
/// fetch needs a node that cannot be batched.
pub fn batch(graph: &Graph, registry: &Arc<Registry>, inputs: &[&str], fetches: &[&str]) -> Result<Batched> {
    let named = inputs.iter().map(|name| input(graph, name)).collect::<Result<Vec<Endpoint>>>()?;
    if named.is_empty() {
        return Err(Error::invalid("nothing to batch").expected("at least one input that has examples"));
    }
    let wanted = fetches.iter().map(|name| graph.endpoint(name)).collect::<Result<Vec<Endpoint>>>()?;
    let scope = Scope::new(registry.clone(), graph.library.clone());
    // The nodes that compute the inputs are left out, but their shapes are used.
    let before = prune(graph, &Signature { fetches: named.clone(), ..Signature::default() })?;
    let shapes = infer(graph, &before).0;
    let given = named.iter().map(|&at| (at, Some(shapes.get(at)))).collect();
    let targets = if wanted.is_empty() { graph.ids().collect() } else { wanted.iter().map(|e| e.node).collect() };
    let walk = Walk::run(&scope, graph, given, targets)?;
    if let Some(refused) = wanted.iter().find_map(|e| walk.refused.get(&e.node)) {
        return Err(Error::unimplemented(format!("a fetched value cannot be batched: {}", refused.reason))
            .at_node(&refused.node, &refused.op));
    }
    let whole = graph.endpoint_names_of(&walk);
    let mut refused: Vec<Refused> = walk.refused.values().cloned().collect();
    refused.sort_by(|a, b| a.node.cmp(&b.node));
    let one_by_one = walk.one_by_one.clone();
    let def = GraphDef {
        nodes: walk.nodes()?,
        versions: graph.versions.clone(),
        library: (*scope.library()).clone(),
        ..GraphDef::default()
    };
    Ok(Batched { graph: Graph::from_def(def, registry)?, refused, one_by_one, varies: whole })
}

/// The endpoint of an input's name, which a placeholder can replace.
fn input(graph: &Graph, name: &str) -> Result<Endpoint> {
    let at = graph.endpoint(name)?;
    let node = graph.node(at.node);
    let fault = match &node.output_types[..] {
        [ty] if ty.is_ref => "a reference to a variable",
        [_] => return Ok(at),
        _ => "one of several outputs of a node",
    };
    Err(Error::invalid(format!("{fault} cannot be an input of a batched graph")).at_node(&node.name, node.op_name()))
}

/// The names of the endpoints that vary.
trait Varying {
    fn endpoint_names_of(&self, walk: &Walk<'_>) -> BTreeSet<String>;
}

impl Varying for Graph {
    fn endpoint_names_of(&self, walk: &Walk<'_>) -> BTreeSet<String> {
        walk.varying().map(|at| self.endpoint_name(at)).collect()
    }
}
