//! Determines where codes flow and where floats do.

use super::layers::Layer;
use super::{Known, Scope};
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::{DType, Endpoint, NodeId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The parts of a graph that are kept, and which values are needed as codes and which as floats.
#[derive(Default)]
pub(super) struct Flow {
    /// Layers that are needed, by number.
    pub layers: BTreeSet<usize>,
    /// Nodes that stay unchanged.
    pub floats: HashSet<NodeId>,
    /// Nodes that get a copy that works on codes.
    pub movers: HashSet<NodeId>,
    /// Endpoints that are needed as codes.
    pub codes: HashSet<Endpoint>,
    /// Endpoints of layers that are needed as floats.
    pub shown: HashSet<Endpoint>,
    /// The layer that produces an endpoint.
    by_endpoint: HashMap<Endpoint, usize>,
}

/// The source of an endpoint's codes or floats.
pub(super) enum Source {
    /// A layer.
    Layer,
    /// A node that moves codes.
    Mover,
    /// Floats.
    Float,
}

impl Flow {
    pub(super) fn of(scope: &Scope<'_>, known: &Known, layers: &[Layer]) -> Flow {
        let by_endpoint = layers.iter().enumerate().map(|(i, layer)| (layer.last, i)).collect();
        let mut flow = Flow { by_endpoint, ..Flow::default() };
        let last: HashMap<NodeId, Endpoint> = layers.iter().map(|layer| (layer.last.node, layer.last)).collect();
        let ends = |id: NodeId| last.get(&id).copied();
        let mut open: Vec<(Endpoint, bool)> = scope.fetched.iter().chain(&scope.fed).map(|&e| (e, false)).collect();
        let mut nodes: Vec<NodeId> = scope.targets.clone();
        loop {
            // Nodes whose outputs, if any, are not requested by index.
            while let Some(id) = nodes.pop() {
                match ends(id) {
                    Some(endpoint) => open.push((endpoint, false)),
                    None if flow.floats.insert(id) => {
                        let node = scope.graph.node(id);
                        open.extend(node.inputs.iter().map(|&e| (e, false)));
                        nodes.extend(known.waits(scope, id));
                    }
                    None => {}
                }
            }
            let Some((endpoint, as_codes)) = open.pop() else { return flow };
            if let Some(&i) = flow.by_endpoint.get(&endpoint) {
                let set = if as_codes { &mut flow.codes } else { &mut flow.shown };
                set.insert(endpoint);
                if flow.layers.insert(i) {
                    open.push((layers[i].input, true));
                    open.extend(layers[i].side.map(|side| (side, true)));
                    nodes.extend(layers[i].nodes.iter().flat_map(|&id| known.waits(scope, id)));
                }
            } else if !as_codes {
                nodes.push(endpoint.node);
            } else if flow.codes.insert(endpoint) {
                if moves(scope, known, endpoint) {
                    flow.movers.insert(endpoint.node);
                    let node = scope.graph.node(endpoint.node);
                    open.push((node.inputs[0], true));
                    open.extend(node.inputs[1..].iter().map(|&e| (e, false)));
                    nodes.extend(known.waits(scope, endpoint.node));
                } else {
                    open.push((endpoint, false));
                }
            }
        }
    }

    /// The source of an endpoint that is needed as codes.
    pub(super) fn source(&self, endpoint: Endpoint) -> Source {
        if self.by_endpoint.contains_key(&endpoint) {
            Source::Layer
        } else if self.movers.contains(&endpoint.node) {
            Source::Mover
        } else {
            Source::Float
        }
    }

    /// Endpoints whose values need a range, in order.
    pub(super) fn measured(&self) -> Vec<Endpoint> {
        let mut all: Vec<Endpoint> =
            self.codes.iter().copied().filter(|&e| !matches!(self.source(e), Source::Mover)).collect();
        all.sort_unstable_by_key(|e| (e.node.index(), e.output));
        all
    }
}

/// True for an output of a node that only moves the elements of its first input, or takes the maximum: it can do so
/// with codes as well.
fn moves(scope: &Scope<'_>, known: &Known, endpoint: Endpoint) -> bool {
    let node = scope.graph.node(endpoint.node);
    let constant = |i: usize| node.inputs.get(i).and_then(|e| known.constants.get(e));
    let floats = node.output_types.first().map(|t| t.dtype) == Some(DType::F32);
    if endpoint.output != 0 || !floats || scope.conditional.contains(&endpoint.node) || scope.fed.contains(&endpoint) {
        return false;
    }
    match node.op_name() {
        "Identity" | "Reshape" | "Squeeze" | "ExpandDims" | "Transpose" | "Slice" | "StridedSlice" | "Pad" => true,
        "PadV2" => constant(2).and_then(|v| v.item::<f32>().ok()) == Some(0.0),
        "MaxPool" => {
            let batch_and_channels = |name: &str| match scope.attr(endpoint.node, name) {
                Some(AttrValue::List(AttrList::I(v))) => v.len() == 4 && v[0] == 1 && v[3] == 1,
                _ => false,
            };
            scope.text(endpoint.node, "data_format", "NHWC") == "NHWC"
                && scope.text(endpoint.node, "padding", "") != "EXPLICIT"
                && batch_and_channels("ksize")
                && batch_and_channels("strides")
        }
        _ => false,
    }
}
