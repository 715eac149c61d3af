//! Folds constants and merges stateless nodes that compute the same.

use crate::prune::Pruned;
use crate::{CompileOptions, Places, Signature};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Error, Graph, NodeId, Tensor};
use levada_kernel::{AnyKernel, Completion, Entry, Env, Io, NodeMeta, Parker, StepCx, Wait};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Folded tensors above this many bytes are not kept: they would cost more memory than they save time.
const MAX_FOLDED: usize = 10 << 20;
/// Constants above this many bytes are not compared with one another.
const MAX_COMPARED: usize = 4096;

/// What became of the nodes.
pub(crate) struct Rewritten {
    /// By node number: the outputs of a node whose value is known before the run, which then does not run.
    constants: Vec<Option<Vec<Tensor>>>,
    /// By node number: the node that runs in its place; itself for most.
    stands_for: Vec<NodeId>,
    /// Nodes whose consumers take what it is given instead of what it gives; true for those that run all the same.
    forwarded: HashMap<NodeId, (Endpoint, bool)>,
}

impl Rewritten {
    /// The endpoint to use instead of `endpoint`.
    pub(crate) fn source(&self, endpoint: Endpoint) -> Endpoint {
        let mut source = Endpoint::new(self.stands_for[endpoint.node.index()], endpoint.output);
        while let Some((given, _)) = self.forwarded.get(&source.node) {
            source = Endpoint::new(self.stands_for[given.node.index()], given.output);
        }
        source
    }

    /// Lets the consumers of `node` take `given` instead; `runs` where it must run all the same.
    pub(crate) fn forward(&mut self, node: NodeId, given: Endpoint, runs: bool) {
        self.forwarded.insert(node, (given, runs));
    }

    /// Says that the output of `node` is known.
    pub(crate) fn set_constant(&mut self, node: NodeId, value: Tensor) {
        self.constants[node.index()] = Some(vec![value]);
    }

    /// True where the node runs.
    pub(crate) fn runs(&self, node: NodeId) -> bool {
        self.stands_for[node.index()] == node && self.forwarded.get(&node).is_none_or(|(_, runs)| *runs)
    }

    /// The node that runs in place of `node`.
    pub(crate) fn runs_as(&self, node: NodeId) -> NodeId {
        self.stands_for[node.index()]
    }

    /// The value of an endpoint, where it is known before the run.
    pub(crate) fn constant(&self, endpoint: Endpoint) -> Option<&Tensor> {
        self.constants[endpoint.node.index()].as_ref()?.get(endpoint.output as usize)
    }

    /// True where the node's outputs are known before the run.
    pub(crate) fn is_constant(&self, node: NodeId) -> bool {
        self.constants[node.index()].is_some()
    }
}

pub(crate) fn rewrite(
    graph: &Graph,
    signature: &Signature,
    pruned: &Pruned,
    kernels: &[Option<Arc<dyn AnyKernel>>],
    places: &Places<'_>,
    env: &Arc<Env>,
    options: &CompileOptions,
) -> Rewritten {
    let mut out =
        Rewritten { constants: vec![None; graph.len()], stands_for: graph.ids().collect(), forwarded: HashMap::new() };
    let targets: HashSet<NodeId> = signature.targets.iter().copied().collect();
    let fed: HashSet<NodeId> = signature.feeds.iter().map(|e| e.node).collect();
    let mut seen: HashMap<u64, Vec<NodeId>> = HashMap::new();
    for &id in &pruned.order {
        let node = graph.node(id);
        if fed.contains(&id) || targets.contains(&id) {
            continue;
        }
        // A node with control inputs runs when these have run, or not at all: it stays.
        if node.control_inputs.iter().any(|&c| !out.is_constant(c)) {
            continue;
        }
        match node.spec().role {
            Role::Const => {
                if let Some(value) = node.op.constant().filter(|v| v.dtype() == node.output_types[0].dtype) {
                    out.constants[id.index()] = Some(vec![value.clone()]);
                }
            }
            Role::Plain if !node.op.is_stateful() && !node.output_types.is_empty() => {
                if options.fold_constants {
                    // What is known before the run is computed on the host, wherever the node is.
                    let elsewhere = places.of(id).memory().is_some();
                    let host =
                        elsewhere.then(|| places.devices.iter().find(|d| d.memory().is_none())?.kernel(&node.op));
                    let kernel = match &host {
                        Some(kernel) => kernel.as_ref(),
                        None => kernels[id.index()].as_ref(),
                    };
                    out.constants[id.index()] = fold(node, &out, &pruned.feeds, kernel, env);
                }
            }
            _ => continue,
        }
        if options.merge_duplicates && !node.output_types.iter().any(|t| t.is_ref) {
            let candidates = seen.entry(hash(node, &out)).or_default();
            match candidates.iter().find(|&&c| places.number(c) == places.number(id) && same(graph, &out, c, id)) {
                Some(&first) => out.stands_for[id.index()] = first,
                None => candidates.push(id),
            }
        }
    }
    out
}

struct NeverParks;

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// Computes a node whose inputs are all known. `None` where they are not, or where computing fails: the node then fails
/// when it runs, if it ever does.
fn fold(
    node: &Node,
    known: &Rewritten,
    feeds: &HashMap<Endpoint, usize>,
    kernel: Option<&Arc<dyn AnyKernel>>,
    env: &Arc<Env>,
) -> Option<Vec<Tensor>> {
    if node.inputs.is_empty()
        || node.output_types.iter().chain(&node.input_types).any(|t| t.is_ref || !is_value(t.dtype))
    {
        return None;
    }
    let value = |e: &Endpoint| if feeds.contains_key(e) { None } else { known.constant(*e).cloned() };
    let inputs: Option<Vec<Tensor>> = node.inputs.iter().map(value).collect();
    let mut inputs: Vec<Entry> = inputs?.into_iter().map(Entry::Constant).collect();
    let mut outputs = vec![Entry::Empty; node.output_types.len()];
    let meta = meta(node, "".into());
    let cx = StepCx::alone(env.clone());
    let mut parker = NeverParks;
    let mut io = Io::new(&mut inputs, &mut outputs, &meta, &cx, &mut parker);
    let computed = catch_unwind(AssertUnwindSafe(|| {
        let result = kernel.ok_or_else(|| Error::internal("no kernel")).and_then(|k| k.compute(&mut io));
        if io.is_deferred() { Err(Error::internal("deferred")) } else { result }
    }));
    if !matches!(computed, Ok(Ok(()))) {
        return None;
    }
    let tensors: Option<Vec<Tensor>> = outputs.iter().map(|o| o.tensor().cloned()).collect();
    tensors.filter(|ts| ts.iter().map(Tensor::num_bytes).sum::<usize>() <= MAX_FOLDED)
}

fn is_value(dtype: levada_graph::DType) -> bool {
    !matches!(dtype, levada_graph::DType::Resource | levada_graph::DType::Variant)
}

/// Names of a node.
pub(crate) fn meta(node: &Node, device: Arc<str>) -> NodeMeta {
    NodeMeta {
        name: node.name.clone(),
        op: node.spec().name,
        device,
        outputs: node.output_types.iter().map(|t| t.dtype).collect(),
    }
}

fn hash(node: &Node, known: &Rewritten) -> u64 {
    let mut hasher = DefaultHasher::new();
    node.op_name().hash(&mut hasher);
    node.device.hash(&mut hasher);
    for &input in &node.inputs {
        known.source(input).hash(&mut hasher);
    }
    if let Some(value) = node.op.constant() {
        value.shape().hash(&mut hasher);
        value.bytes().map(|b| &b[..b.len().min(64)]).hash(&mut hasher);
    }
    hasher.finish()
}

/// True where two nodes are sure to compute the same.
fn same(graph: &Graph, known: &Rewritten, a: NodeId, b: NodeId) -> bool {
    let (x, y) = (graph.node(a), graph.node(b));
    let small = |n: &Node| n.op.constant().is_none_or(|v| v.num_bytes() <= MAX_COMPARED);
    x.op_name() == y.op_name()
        && x.device == y.device
        && x.output_types == y.output_types
        && x.inputs.len() == y.inputs.len()
        && x.inputs.iter().zip(&y.inputs).all(|(&i, &j)| known.source(i) == known.source(j))
        && small(x)
        && small(y)
        && x.op.encode() == y.op.encode()
}
