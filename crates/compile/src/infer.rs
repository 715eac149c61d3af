//! Shape inference: what is known about the shape of every endpoint before the run.

use crate::Signature;
use crate::by_node::ByNode;
use crate::prune::{Pruned, prune};
use levada_graph::graph::Node;
use levada_graph::infer::ShapeCx;
use levada_graph::op::FromAttr;
use levada_graph::spec::Role;
use levada_graph::{Act, Endpoint, Error, Graph, NodeId, PartialShape, Tensor};
use std::collections::HashMap;

/// Shapes by node and output.
#[derive(Clone, Debug, Default)]
pub struct Shapes(pub(crate) ByNode<Vec<PartialShape>>);

impl Shapes {
    /// The known part of an endpoint's shape.
    pub fn get(&self, endpoint: Endpoint) -> PartialShape {
        let outputs = self.0.get(&endpoint.node);
        outputs.and_then(|o| o.get(endpoint.output as usize)).cloned().unwrap_or_default()
    }

    /// Sets the shapes of the values that are fed in place of a node's outputs.
    pub(crate) fn feed(&mut self, node: NodeId, feeds: &HashMap<Endpoint, PartialShape>) {
        for (shape, output) in self.0.get_mut(&node).into_iter().flatten().zip(0..) {
            if let Some(fed) = feeds.get(&Endpoint::new(node, output)) {
                shape.clone_from(fed);
            }
        }
    }
}

/// The element shapes of the resource that a node's first input refers to, as declared by the node that makes it.
fn elements(graph: &Graph, node: &Node) -> Vec<PartialShape> {
    let maker = node.inputs.first().map(|handle| graph.node(handle.node));
    let shapes = maker.filter(|maker| maker.spec().act == Some(Act::Make)).and_then(|maker| maker.attrs.get("shapes"));
    shapes.and_then(Vec::<PartialShape>::from_attr).unwrap_or_default()
}

/// Runs every shape function in order. A node whose shape function fails gets unknown shapes, and the error is
/// returned. Whether the run fails is up to the node's kernel, since the node may be on a branch that is never taken.
pub fn infer(graph: &Graph, pruned: &Pruned) -> (Shapes, Vec<Error>) {
    infer_fed(graph, pruned, &HashMap::new())
}

/// [`infer`] with known shapes for some of the feeds.
pub fn infer_fed(graph: &Graph, pruned: &Pruned, feeds: &HashMap<Endpoint, PartialShape>) -> (Shapes, Vec<Error>) {
    let mut shapes = Shapes::default();
    let mut faults = Vec::new();
    for &fed in feeds.keys() {
        shapes.0.insert(fed.node, vec![PartialShape::Unknown; graph.node(fed.node).output_types.len()]);
        shapes.feed(fed.node, feeds);
    }
    for &id in &pruned.order {
        let node = graph.node(id);
        let inputs: Vec<PartialShape> = node.inputs.iter().map(|&e| shapes.get(e)).collect();
        let constants: Vec<Option<&Tensor>> = node
            .inputs
            .iter()
            .map(|e| if pruned.feeds.contains_key(e) { None } else { graph.node(e.node).op.constant() })
            .collect();
        let (outputs, fault) = outputs(graph, node, &inputs, &constants);
        faults.extend(fault);
        shapes.0.insert(id, outputs);
        shapes.feed(id, feeds);
    }
    (shapes, faults)
}

/// The output shapes that a node's shape function infers. If it fails, they are unknown, and the error is returned.
pub(crate) fn outputs(
    graph: &Graph,
    node: &Node,
    inputs: &[PartialShape],
    constants: &[Option<&Tensor>],
) -> (Vec<PartialShape>, Option<Error>) {
    let mut outputs = vec![PartialShape::Unknown; node.output_types.len()];
    let mut cx = ShapeCx::new(inputs, constants, &mut outputs);
    if node.spec().act.is_some() {
        cx = cx.with_elements(elements(graph, node));
    }
    let fault = node.op.shape(&mut cx).err().map(|fault| fault.at_node(&node.name, node.op_name()));
    if fault.is_some() {
        outputs.fill(PartialShape::Unknown);
    }
    (outputs, fault)
}

/// The shapes of the fed endpoints, as far as the graph alone determines them.
pub(crate) fn fed_shapes(graph: &Graph, signature: &Signature) -> Vec<PartialShape> {
    let is_placeholder = |id: NodeId| graph.node(id).spec().role == Role::Placeholder;
    let (placeholders, computed): (Vec<Endpoint>, Vec<Endpoint>) =
        signature.feeds.iter().copied().partition(|e| is_placeholder(e.node));
    // Most runs feed only placeholders, which declare their own shapes.
    let order = placeholders.into_iter().map(|e| e.node).collect();
    let declared = infer(graph, &Pruned { order, ..Pruned::default() }).0;
    let shapes = match computed.is_empty() {
        true => Shapes::default(),
        false => {
            let ancestors = prune(graph, &Signature { fetches: computed, ..Signature::default() });
            ancestors.map(|pruned| infer(graph, &pruned).0).unwrap_or_default()
        }
    };
    let shape = |&e: &Endpoint| if is_placeholder(e.node) { declared.get(e) } else { shapes.get(e) };
    signature.feeds.iter().map(shape).collect()
}
