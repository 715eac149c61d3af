//! Facts about a step before it runs, given the shapes of its feeds: the shapes of all tensors, and the values of small
//! tensors that follow from shapes and constants.
//!
//! This goes further than [`infer`](crate::infer): nodes with known inputs are computed, which often yields the size
//! given to a `Reshape`; a tensor that goes around a loop has the shape with which it returns; the elements read from a
//! tensor array or a stack have the shape of those written to it.

use crate::Pruned;
use crate::evaluate::evaluate;
use crate::infer::{Shapes, outputs};
use levada_graph::graph::Node;
use levada_graph::op::FromAttr;
use levada_graph::spec::{Effect, Role, Store};
use levada_graph::{DType, Endpoint, Graph, NodeId, PartialShape, Tensor};
use levada_kernel::pool::Pool;
use levada_kernel::{AnyDevice, Env, NodeMeta, Resources};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Larger tensors are not computed.
const MOST_ELEMENTS: usize = 4096;
/// Tensors above this many bytes are not allocated only to find their shape.
const MOST_BYTES: usize = 1 << 32;
/// The maximum number of rounds in which shapes are propagated around loops until they are stable; those that still
/// change are unknown.
const ROUNDS: usize = 8;

/// Shapes, and values of small tensors.
#[derive(Clone, Debug, Default)]
pub struct Known {
    shapes: Shapes,
    values: HashMap<Endpoint, Tensor>,
    /// Element shapes of the step's stores, by the node that makes the store.
    elements: BTreeMap<NodeId, PartialShape>,
}

/// What nodes are computed with: a CPU, and the state and services that kernels see.
#[derive(Clone, Copy)]
pub struct Computer<'a> {
    /// The device, which has no memory of its own.
    pub device: &'a Arc<dyn AnyDevice>,
    /// State and services.
    pub env: &'a Arc<Env>,
}

impl Known {
    /// Finds the known shapes and values of a step whose feeds have these shapes.
    pub fn find(
        graph: &Graph,
        pruned: &Pruned,
        feeds: &HashMap<Endpoint, PartialShape>,
        computer: Computer<'_>,
    ) -> Known {
        Known::search(graph, pruned, feeds, Some(computer))
    }

    fn search(
        graph: &Graph,
        pruned: &Pruned,
        feeds: &HashMap<Endpoint, PartialShape>,
        computer: Option<Computer<'_>>,
    ) -> Known {
        let mut search = Search { graph, pruned, feeds, computer, loops: BTreeMap::new() };
        let mut known = Known::default();
        for round in 0..ROUNDS {
            let next = search.round(&known);
            let changed = search.follow_loops(&next, round + 2 >= ROUNDS);
            let settled = !changed && next.elements == known.elements;
            known = next;
            if settled && round > 0 {
                break;
            }
        }
        known
    }

    /// [`Known::find`] outside any session, on the first CPU among `devices`; without a CPU nothing is computed.
    pub fn on(
        devices: &[Arc<dyn AnyDevice>],
        graph: &Graph,
        pruned: &Pruned,
        feeds: &HashMap<Endpoint, PartialShape>,
    ) -> Known {
        let Some(device) = devices.iter().find(|device| device.memory().is_none()) else {
            return Known::search(graph, pruned, feeds, None);
        };
        let env = Arc::new(Env::new(Arc::new(Pool::new(1)), Arc::new(Resources::new())));
        Known::find(graph, pruned, feeds, Computer { device, env: &env })
    }

    /// The known part of an endpoint's shape.
    pub fn shape(&self, endpoint: Endpoint) -> PartialShape {
        self.shapes.get(endpoint)
    }

    /// The value of an endpoint, if it is known.
    pub fn value(&self, endpoint: Endpoint) -> Option<&Tensor> {
        self.values.get(&endpoint)
    }

    /// The known part of the element shape of a tensor array or a stack, by the node that makes it.
    pub fn element(&self, maker: NodeId) -> PartialShape {
        self.elements.get(&maker).cloned().unwrap_or_default()
    }
}

/// The node that makes the store to which an input is a handle.
pub fn maker_of_store(graph: &Graph, handle: Endpoint) -> Option<NodeId> {
    let mut at = handle.node;
    for _ in 0..graph.len() {
        let node = graph.node(at);
        match (node.spec().store, node.spec().role) {
            (Some(Store::Make | Store::Like), _) => return Some(at),
            (Some(_), _) => return None,
            (None, Role::Enter | Role::Exit | Role::Switch | Role::Merge | Role::NextIteration) => {}
            (None, _) if node.spec().forwards => {}
            _ => return None,
        }
        at = node.inputs.first()?.node;
    }
    None
}

struct Search<'a> {
    graph: &'a Graph,
    pruned: &'a Pruned,
    feeds: &'a HashMap<Endpoint, PartialShape>,
    /// What nodes are computed with; `None` to compute none.
    computer: Option<Computer<'a>>,
    /// The assumed shape of each loop-carried tensor, by the node that takes it to the next iteration.
    loops: BTreeMap<NodeId, PartialShape>,
}

impl Search<'_> {
    /// Visits the nodes once, using what the last round found about loops and stores.
    fn round(&self, last: &Known) -> Known {
        let graph = self.graph;
        let mut known = Known::default();
        for &fed in self.feeds.keys() {
            known.shapes.0.insert(fed.node, vec![PartialShape::Unknown; graph.node(fed.node).output_types.len()]);
            known.shapes.feed(fed.node, self.feeds);
        }
        for &id in &self.pruned.order {
            let node = graph.node(id);
            let inputs = self.inputs(&known, node);
            let constants: Vec<Option<&Tensor>> = node.inputs.iter().map(|&e| self.constant(&known, e)).collect();
            let mut shapes = outputs(graph, node, &inputs, &constants).0;
            let values = self.values(&known, node, &inputs, &shapes);
            self.read(node, &mut shapes);
            self.stored(&mut known, last, (id, node), &inputs, &mut shapes);
            for (output, value) in (0..).zip(values.into_iter().flatten()) {
                shapes[output as usize] = value.shape().into();
                let endpoint = Endpoint::new(id, output);
                if !self.pruned.feeds.contains_key(&endpoint) {
                    known.values.insert(endpoint, value);
                }
            }
            known.shapes.0.insert(id, shapes);
            known.shapes.feed(id, self.feeds);
        }
        known
    }

    /// The shapes of a node's inputs. What a loop's back edge carries is not known yet.
    fn inputs(&self, known: &Known, node: &Node) -> Vec<PartialShape> {
        let is_back = |e: &Endpoint| {
            node.spec().role == Role::Merge && self.graph.node(e.node).spec().role == Role::NextIteration
        };
        let first = node.inputs.iter().find(|e| !is_back(e)).map(|&e| known.shape(e)).unwrap_or_default();
        let shape = |&e: &Endpoint| match is_back(&e) {
            true => self.loops.get(&e.node).cloned().unwrap_or_else(|| first.clone()),
            false => known.shape(e),
        };
        node.inputs.iter().map(shape).collect()
    }

    /// Records the shapes of the tensors that return to the start of their loops; true if any of them differs from the
    /// assumed one. `last`: the differing ones become unknown.
    fn follow_loops(&mut self, known: &Known, last: bool) -> bool {
        let mut changed = false;
        let order: Vec<NodeId> = self.pruned.order.clone();
        for id in order.into_iter().filter(|&id| self.graph.node(id).spec().role == Role::NextIteration) {
            let found = known.shape(Endpoint::from(id));
            let taken = self.loops.get(&id);
            let mut next = taken.map_or_else(|| found.clone(), |taken| taken.relax(&found));
            if taken != Some(&next) {
                changed = true;
                if last {
                    next = PartialShape::Unknown;
                }
                self.loops.insert(id, next);
            }
        }
        changed
    }

    fn constant<'k>(&'k self, known: &'k Known, endpoint: Endpoint) -> Option<&'k Tensor> {
        match self.pruned.feeds.contains_key(&endpoint) {
            true => None,
            false => self.graph.node(endpoint.node).op.constant().or_else(|| known.value(endpoint)),
        }
    }

    /// The values of a node's outputs, if they are small and can be computed already.
    fn values(
        &self,
        known: &Known,
        node: &Node,
        inputs: &[PartialShape],
        outputs: &[PartialShape],
    ) -> Option<Box<[Tensor]>> {
        let values = || node.inputs.iter().map(|&e| self.constant(known, e).cloned()).collect::<Option<Vec<Tensor>>>();
        let is_small = |shape: &PartialShape| shape.num_elements().is_some_and(|n| n <= MOST_ELEMENTS);
        match node.spec().role {
            Role::Enter => return Some(values()?.into()),
            Role::Plain if !node.op.is_stateful() && !node.inputs.is_empty() && !outputs.is_empty() => {}
            _ => return None,
        }
        let mut types = node.output_types.iter().chain(&node.input_types);
        if types.any(|t| t.is_ref || !t.dtype.is_plain()) || !outputs.iter().all(is_small) {
            return None;
        }
        let given = match values() {
            Some(values) => values,
            // Only the shapes matter, and memory that is never touched has them too.
            None if node.spec().metadata => {
                let shaped = inputs.iter().zip(&node.input_types).map(|(shape, ty)| {
                    let shape = shape.known()?;
                    let fits = shape.num_elements().checked_mul(ty.dtype.size()).is_some_and(|b| b <= MOST_BYTES);
                    if fits { Tensor::try_zeros(ty.dtype, shape).ok() } else { None }
                });
                shaped.collect::<Option<Vec<Tensor>>>()?
            }
            None => return None,
        };
        let computer = self.computer?;
        let kernel = computer.device.kernel(&node.op)?;
        let meta = NodeMeta {
            name: node.name.clone(),
            op: node.spec().name,
            device: "".into(),
            outputs: node.output_types.iter().map(|t| t.dtype).collect(),
            used: None,
            in_loop: false,
        };
        evaluate(&*kernel, given, &meta, computer.env)
    }

    /// A value read from a variable has the shape that the variable declares.
    fn read(&self, node: &Node, outputs: &mut [PartialShape]) {
        let ([handle], [output], Some(Effect::Reads)) = (&node.inputs[..], outputs, node.spec().effect) else { return };
        // A node that reads only the shape has no such attr.
        if node.attrs.get("dtype").is_none() {
            return;
        }
        let mut maker = handle.node;
        for _ in 0..self.graph.len() {
            let node = self.graph.node(maker);
            match node.inputs.first() {
                Some(from) if node.spec().forwards || node.spec().role == Role::Enter => maker = from.node,
                _ => break,
            }
        }
        let attrs = &self.graph.node(maker).attrs;
        let dtype = attrs.get("dtype").and_then(DType::from_attr);
        if let Some(shape) = attrs.get("shape").and_then(PartialShape::from_attr)
            && dtype == node.output_types.first().map(|t| t.dtype)
        {
            *output = output.merge(&shape).unwrap_or_default();
        }
    }

    /// The shape of the elements that a node writes to a store and of those that it reads from one.
    fn stored(
        &self,
        known: &mut Known,
        last: &Known,
        (id, node): (NodeId, &Node),
        inputs: &[PartialShape],
        outputs: &mut [PartialShape],
    ) {
        let Some(store) = node.spec().store else { return };
        let maker = || node.inputs.first().and_then(|&handle| maker_of_store(self.graph, handle));
        let put = |known: &mut Known, maker: Option<NodeId>, element: PartialShape| {
            let Some(maker) = maker else { return };
            let common = known.elements.get(&maker).map_or_else(|| element.clone(), |other| other.relax(&element));
            known.elements.insert(maker, common);
        };
        match store {
            Store::Make => {
                let shape = node.attrs.get("element_shape").and_then(PartialShape::from_attr).unwrap_or_default();
                if shape.known().is_some() {
                    put(known, Some(id), shape);
                }
            }
            // The array itself is written before its gradient is.
            Store::Like => {
                let like = maker().and_then(|maker| known.elements.get(&maker).or_else(|| last.elements.get(&maker)));
                if let Some(element) = like.cloned() {
                    put(known, Some(id), element);
                }
            }
            Store::Put(input) => put(known, maker(), inputs.get(input).cloned().unwrap_or_default()),
            Store::PutRows(input) => {
                let rows = inputs.get(input).and_then(|s| s.dims());
                let element = rows.filter(|dims| !dims.is_empty());
                let element = element.map(|dims| PartialShape::new(dims[1..].iter().copied()));
                put(known, maker(), element.unwrap_or_default());
            }
            Store::Take | Store::TakeRows => {
                let found = maker().and_then(|m| known.elements.get(&m).or_else(|| last.elements.get(&m)));
                let (Some(element), Some(output)) = (found, outputs.first_mut()) else { return };
                let taken = match store {
                    Store::Take => element.clone(),
                    _ => {
                        let indices = if node.inputs.len() > 2 { inputs.get(1).and_then(|s| s.dim(0)) } else { None };
                        PartialShape::vector(indices).concat(element)
                    }
                };
                *output = output.merge(&taken).unwrap_or_default();
            }
        }
    }
}
