//! The outputs of all nodes of a graph in one run.

use crate::{Failure, Options};
use levada_compile::Signature;
use levada_graph::spec::Role;
use levada_graph::{DType, Endpoint, Error, Graph, NodeId, Result, Tensor};
use levada_lint::order::{Order, back_edge, before};
use levada_session::Session;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The values of a run.
pub(crate) struct Values {
    pub graph: Arc<Graph>,
    /// By output. Values inside loops and conditional branches are missing: they cannot be fetched.
    pub of: HashMap<Endpoint, Tensor>,
    /// The outputs that were compared, in topological order.
    pub order: Vec<Endpoint>,
    /// Nodes that failed, with their errors. What depends on them has no value.
    pub failures: Vec<(NodeId, Error)>,
}

/// The maximum number of nodes that may fail before the comparison does.
const MOST_FAILURES: usize = 32;

impl Values {
    /// Runs what `options` request and fetches every intermediate value; repeats without a node that failed and what
    /// depends on it.
    pub fn of(session: &Session, options: &Options) -> Result<Values> {
        let graph = session.graph();
        let feeds: Vec<(&str, Tensor)> = options
            .feeds
            .iter()
            .filter(|(name, _)| graph.endpoint(name).is_ok())
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        let fed: HashSet<Endpoint> = feeds.iter().filter_map(|(name, _)| graph.endpoint(name).ok()).collect();
        let mut signature = Signature { feeds: fed.iter().copied().collect(), ..Signature::default() };
        for name in &options.fetches {
            match graph.find(name).filter(|id| graph.node(*id).output_types.is_empty()) {
                Some(node) => signature.targets.push(node),
                None => signature.fetches.push(graph.endpoint(name)?),
            }
        }
        if options.fetches.is_empty() {
            signature.targets = computable(&graph, &fed)?;
        }
        let order = Order::of(&graph, Some(&signature))?;
        let inside = inside_loops(&graph, &order);
        let visible = |id: &NodeId| !inside.contains(id) && order.around(*id).next().is_none();
        let outputs = |id: NodeId| (0..graph.node(id).output_types.len() as u32).map(move |i| Endpoint::new(id, i));
        let is_shown = |endpoint: &Endpoint| {
            let ty = graph.endpoint_type(*endpoint);
            let node = graph.node(endpoint.node);
            ty.is_some_and(|ty| !ty.is_ref && !matches!(ty.dtype, DType::Resource | DType::Variant))
                && node.spec().role != Role::Switch
                && !fed.contains(endpoint)
        };
        let endpoints: Vec<Endpoint> =
            order.nodes.iter().copied().filter(visible).flat_map(outputs).filter(is_shown).collect();
        let (mut of, mut failures, mut lost) = (HashMap::new(), Vec::new(), HashSet::new());
        loop {
            let wanted: Vec<Endpoint> = endpoints.iter().copied().filter(|e| !lost.contains(&e.node)).collect();
            let names: Vec<String> = wanted.iter().map(|endpoint| graph.endpoint_name(*endpoint)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let targets = signature.targets.iter().filter(|id| !lost.contains(*id)).map(|id| &*graph.node(*id).name);
            match session.run(&feeds, &names, &targets.collect::<Vec<_>>()) {
                Ok(tensors) => {
                    of.extend(wanted.into_iter().zip(tensors));
                    break;
                }
                Err(error) => {
                    // A run returns all or nothing: the next one leaves out the failed node and what depends on it.
                    let node = error.fault().node.as_deref().and_then(|name| graph.find(name));
                    let Some(node) = node.filter(|id| failures.len() < MOST_FAILURES && !lost.contains(id)) else {
                        return Err(error);
                    };
                    lost.insert(node);
                    for &id in &order.nodes {
                        if before(&graph, id).any(|from| lost.contains(&from)) {
                            lost.insert(id);
                        }
                    }
                    failures.push((node, error));
                }
            }
        }
        if of.is_empty() && failures.is_empty() {
            return Err(Error::invalid("there is nothing to compare")
                .found("no output of the run that can be fetched")
                .help("name what to fetch, and feed its placeholders"));
        }
        Ok(Values { graph, of, order: endpoints, failures })
    }

    /// The nodes that failed.
    pub fn failures(&self) -> Vec<Failure> {
        let failure = |(id, error): &(NodeId, Error)| Failure {
            node: self.graph.node(*id).name.to_string(),
            error: error.clone(),
        };
        self.failures.iter().map(failure).collect()
    }

    /// The names of some of the outputs, in order.
    pub fn names(&self, wanted: impl Fn(Endpoint) -> bool) -> Vec<String> {
        self.order.iter().filter(|e| wanted(**e)).map(|e| self.graph.endpoint_name(*e)).collect()
    }
}

/// The nodes without consumers that can be computed without a missing feed or a change of state.
fn computable(graph: &Graph, fed: &HashSet<Endpoint>) -> Result<Vec<NodeId>> {
    let order = Order::of(graph, None)?;
    let mut is_left_out = vec![false; graph.len()];
    let mut is_used = vec![false; graph.len()];
    for &id in &order.nodes {
        let node = graph.node(id);
        let is_fed = !node.output_types.is_empty() && fed.contains(&Endpoint::from(id));
        let lacks = node.spec().role == Role::Placeholder && node.inputs.is_empty();
        let changes =
            node.op.is_stateful() && (node.output_types.is_empty() || node.input_types.iter().any(|ty| ty.is_ref));
        is_left_out[id.index()] =
            !is_fed && (lacks || changes || before(graph, id).any(|from| is_left_out[from.index()]));
        before(graph, id).for_each(|from| is_used[from.index()] |= !is_left_out[id.index()]);
    }
    Ok(order.nodes.into_iter().filter(|id| !is_left_out[id.index()] && !is_used[id.index()]).collect())
}

/// The nodes that run once for each loop iteration.
fn inside_loops(graph: &Graph, order: &Order) -> HashSet<NodeId> {
    let mut depth = vec![0usize; graph.len()];
    for &id in &order.nodes {
        let node = graph.node(id);
        let data = node.inputs.iter().filter(|from| !back_edge(graph, from.node, id)).map(|from| from.node);
        let own = data.chain(node.control_inputs.iter().copied()).map(|from| depth[from.index()]).max().unwrap_or(0);
        depth[id.index()] = match node.spec().role {
            Role::Enter => own + 1,
            Role::Exit => own.saturating_sub(1),
            _ => own,
        };
    }
    order.nodes.iter().copied().filter(|id| depth[id.index()] > 0).collect()
}
