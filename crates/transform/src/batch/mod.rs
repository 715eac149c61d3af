//! Batching: of a graph that computes one example a graph that computes many at once.
//!
//! [`batch`] walks through a graph from its inputs on. What does not depend on them stays as it is. The batch rule of an op
//! ([`levada_graph::batch`]) says what nodes compute it for all examples; a node without a rule is run example by example by
//! one `MapDefun`, which is always right. Functions that nodes call are batched as their callers need them ([`calls`]), and
//! so are loops and conditionals of both versions.
//!
//! This holds of functions that call themselves too. Where examples take different branches, each branch is run once for those
//! that take it ([`partition`]), and calls of one function that do not depend on each other become one ([`siblings`]): trees of
//! any shapes are computed level by level, all nodes of a level at once.
//!
//! A value that is the same for all examples has no axis of examples: [`Batched::varies`] says which values have one.

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

/// A node that cannot be computed for several examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The node.
    pub node: String,
    /// Its op.
    pub op: String,
    /// Why.
    pub reason: String,
}

/// A batched graph.
#[derive(Clone, Debug)]
pub struct Batched {
    /// The graph. Nodes have the names that they had; values that differ between examples have a first axis more.
    pub graph: Graph,
    /// Nodes that are left out, since they cannot be batched or depend on one that cannot.
    pub refused: Vec<Refused>,
    /// Nodes without a rule, those of functions too, and their ops: they run example by example.
    pub one_by_one: Vec<(String, String)>,
    varies: BTreeSet<String>,
}

impl Batched {
    /// True for an endpoint whose value has one part for each example, along a first axis; false for one that is the same
    /// for all.
    pub fn varies(&self, endpoint: &str) -> bool {
        self.varies.contains(endpoint.strip_suffix(":0").unwrap_or(endpoint))
    }
}

/// Batches a graph: in the result `inputs`, which are the outputs of nodes with one output, are placeholders with a first
/// axis for the examples. `fetches` are the values that are needed, and their names stay; without any it is all values that
/// can be had, and what cannot is listed in [`Batched::refused`].
///
/// A random op whose inputs are the same for all examples draws once for all of them.
///
/// # Errors
/// `NOT_FOUND` for names that the graph lacks, `INVALID_ARGUMENT` for inputs that cannot be fed, `UNIMPLEMENTED` where a fetch
/// needs a node that cannot be batched.
pub fn batch(graph: &Graph, registry: &Arc<Registry>, inputs: &[&str], fetches: &[&str]) -> Result<Batched> {
    let named = inputs.iter().map(|name| input(graph, name)).collect::<Result<Vec<Endpoint>>>()?;
    if named.is_empty() {
        return Err(Error::invalid("nothing to batch").expected("at least one input that has examples"));
    }
    let wanted = fetches.iter().map(|name| graph.endpoint(name)).collect::<Result<Vec<Endpoint>>>()?;
    let scope = Scope::new(registry.clone(), graph.library.clone());
    // What computes the inputs is left out, but says something of their shapes.
    let before = prune(graph, &Signature { fetches: named.clone(), ..Signature::default() })?;
    let shapes = infer(graph, &before).0;
    let given = named.iter().map(|&at| (at, Some(shapes.get(at)))).collect();
    let targets = if wanted.is_empty() { graph.ids().collect() } else { wanted.iter().map(|e| e.node).collect() };
    let walk = Walk::run(&scope, graph, given, targets)?;
    if let Some(refused) = wanted.iter().find_map(|e| walk.refused.get(&e.node)) {
        return Err(Error::unimplemented(format!("a value that is fetched cannot be batched: {}", refused.reason))
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

/// The endpoint that an input's name means, which a placeholder can stand for.
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
