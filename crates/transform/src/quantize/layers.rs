//! Layers of a graph: a convolution or matrix product with constant weights, and the following nodes that one op can
//! include.

use super::report::Left;
use super::{Known, Scope};
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::{Bytes, DType, Endpoint, NodeId, Tensor};
use std::collections::HashSet;

/// Maximum number of products in a sum of codes.
const DEEPEST: usize = 65_536;

/// The operation of a layer before anything is added.
pub(super) enum Product {
    /// A convolution, possibly depthwise.
    Convolution { depthwise: bool, strides: Vec<i64>, dilations: Vec<i64>, padding: Bytes, paddings: Vec<i64> },
    /// A matrix product whose rows are the inputs.
    Matrix,
}

/// A layer that can be quantized.
pub(super) struct Layer {
    /// The convolution or product.
    pub start: NodeId,
    /// The output of the layer: an output of its last node.
    pub last: Endpoint,
    pub product: Product,
    pub input: Endpoint,
    /// The shape of the weights, output channels last.
    pub shape: Vec<usize>,
    /// The weights, multiplied by the factors of a batch norm.
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
    /// The value added before the activation.
    pub side: Option<Endpoint>,
    pub activation: &'static str,
    /// The nodes that the layer replaces.
    pub nodes: Vec<NodeId>,
}

/// The layers of a graph, in its order, and the nodes that stay in floats.
pub(super) struct Found {
    pub layers: Vec<Layer>,
    pub left: Vec<Left>,
}

/// True for ops whose constant inputs layers may read.
pub(super) fn reads_constants(op: &str) -> bool {
    is_layer(op)
        || matches!(op, "BiasAdd" | "Add" | "AddV2" | "Sub" | "Mul" | "Pad" | "PadV2")
        || op.starts_with("FusedBatchNorm")
}

fn is_layer(op: &str) -> bool {
    matches!(op, "Conv2D" | "DepthwiseConv2dNative" | "MatMul" | "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3")
}

/// Finds the layers.
pub(super) fn find(scope: &Scope<'_>, known: &Known, keep: &[String]) -> Found {
    let mut found = Found { layers: Vec::new(), left: Vec::new() };
    let mut taken = HashSet::new();
    for id in scope.nodes() {
        let node = scope.graph.node(id);
        let leave = |reason: String| Left { node: node.name.to_string(), op: node.op_name().to_owned(), reason };
        if !is_layer(node.op_name()) {
            let within = function_with_layers(scope, id);
            found.left.extend(within.map(|name| {
                leave(format!("the function {name} has layers; only those of the graph itself are quantized"))
            }));
            continue;
        }
        let layer = if keep.iter().any(|name| **name == *node.name) {
            Err("it is kept in floats on request".to_owned())
        } else {
            start(scope, known, id)
        };
        match layer.and_then(|layer| Chain { scope, known, taken: &taken, layer }.follow()) {
            Ok(layer) => {
                taken.extend(&layer.nodes);
                found.layers.push(layer);
            }
            Err(reason) => found.left.push(leave(reason)),
        }
    }
    found
}

/// A function that a node calls and that contains convolutions or products.
fn function_with_layers(scope: &Scope<'_>, id: NodeId) -> Option<String> {
    let functions = scope.graph.node(id).attrs.iter().filter_map(|(_, value)| match value {
        AttrValue::Func(func) => Some(&func.name),
        _ => None,
    });
    let has = |name: &&String| {
        let body = scope.graph.library.function(name);
        body.is_some_and(|body| body.nodes.iter().any(|node| is_layer(&node.op)))
    };
    functions.filter(has).map(|name| name.to_string()).next()
}

fn ints(value: Option<&AttrValue>) -> Vec<i64> {
    match value {
        Some(AttrValue::List(AttrList::I(list))) => list.clone(),
        _ => Vec::new(),
    }
}

/// The layer of a convolution or product alone; or the reason why it is not a layer.
fn start(scope: &Scope<'_>, known: &Known, id: NodeId) -> Result<Layer, String> {
    let node = scope.graph.node(id);
    if node.output_types.first().map(|t| t.dtype) != Some(DType::F32) {
        return Err("it does not compute in float32".to_owned());
    }
    if scope.conditional.contains(&id) {
        return Err("it is in or after a branch or a loop of version 1".to_owned());
    }
    let &[input, filter] = &node.inputs[..] else { return Err("it does not have two inputs".to_owned()) };
    let Some(weights) = known.constants.get(&filter) else { return Err("its weights are not constant".to_owned()) };
    if known.constants.contains_key(&input) {
        return Err("both of its inputs are constant".to_owned());
    }
    let dims = weights.shape().dims().to_vec();
    let values = weights.slice::<f32>().map_err(|e| e.message().to_owned())?;
    if values.is_empty() {
        return Err("it has no weights".to_owned());
    }
    let (product, shape, values) = match node.op_name() {
        op @ ("Conv2D" | "DepthwiseConv2dNative") => {
            if scope.text(id, "data_format", "NHWC") != "NHWC" {
                return Err("its channels are not last".to_owned());
            }
            if dims.len() != 4 {
                return Err("its filter does not have four dimensions".to_owned());
            }
            let product = Product::Convolution {
                depthwise: op == "DepthwiseConv2dNative",
                strides: ints(scope.attr(id, "strides")),
                dilations: Some(ints(scope.attr(id, "dilations"))).filter(|d| !d.is_empty()).unwrap_or(vec![1; 4]),
                padding: scope.text(id, "padding", "VALID").into(),
                paddings: ints(scope.attr(id, "explicit_paddings")),
            };
            (product, dims, values.to_vec())
        }
        op => {
            let (left, right) = match op {
                "MatMul" => ("transpose_a", "transpose_b"),
                _ => ("adj_x", "adj_y"),
            };
            let &[rows, columns] = &dims[..] else { return Err("its weights are several matrices".to_owned()) };
            if scope.flag(id, left, false) {
                return Err("its input is transposed".to_owned());
            }
            if scope.flag(id, right, false) {
                let transposed = (0..columns).flat_map(|k| (0..rows).map(move |j| values[j * columns + k]));
                (Product::Matrix, vec![columns, rows], transposed.collect())
            } else {
                (Product::Matrix, dims, values.to_vec())
            }
        }
    };
    let layer = Layer {
        start: id,
        last: Endpoint::new(id, 0),
        product,
        input,
        bias: vec![0.0; channels(&shape, node.op_name())],
        shape,
        weights: values,
        side: None,
        activation: "Identity",
        nodes: vec![id],
    };
    if layer.weights.len() / layer.shape.last().copied().unwrap_or(1).max(1) > DEEPEST && !layer.is_depthwise() {
        return Err(format!("it adds up more than {DEEPEST} products"));
    }
    Ok(layer)
}

fn channels(shape: &[usize], op: &str) -> usize {
    let last = shape.last().copied().unwrap_or(0);
    if op == "DepthwiseConv2dNative" { shape[2] * last } else { last }
}

impl Layer {
    /// Number of output channels.
    pub(super) fn channels(&self) -> usize {
        self.bias.len()
    }

    fn is_depthwise(&self) -> bool {
        matches!(self.product, Product::Convolution { depthwise: true, .. })
    }
}

/// Merges the following nodes into a layer, one after the other.
struct Chain<'a, 'g> {
    scope: &'a Scope<'g>,
    known: &'a Known,
    taken: &'a HashSet<NodeId>,
    layer: Layer,
}

impl Chain<'_, '_> {
    fn follow(mut self) -> Result<Layer, String> {
        self.padding();
        let channels = self.layer.channels();
        let (mut factors, mut terms) = (vec![1f64; channels], vec![0f64; channels]);
        while let Some((next, i)) = self.scope.only_consumer(self.layer.last) {
            if self.taken.contains(&next) || self.scope.conditional.contains(&next) {
                break;
            }
            let op = self.scope.op(next);
            let affine = if self.layer.side.is_none() { self.affine(next, i) } else { None };
            let activation = match op {
                "Relu" => Some("Relu"),
                "Relu6" => Some("Relu6"),
                _ => None,
            };
            if let Some((factor, term)) = affine {
                for c in 0..channels {
                    factors[c] *= factor[c];
                    terms[c] = terms[c] * factor[c] + term[c];
                }
            } else if let Some(side) = self.side(next, i) {
                self.layer.side = Some(side);
            } else if activation.is_none() && op != "Identity" {
                break;
            }
            self.layer.nodes.push(next);
            self.layer.last = Endpoint::new(next, 0);
            if let Some(activation) = activation {
                self.layer.activation = activation;
                break;
            }
        }
        for row in self.layer.weights.chunks_exact_mut(channels) {
            row.iter_mut().zip(&factors).for_each(|(w, factor)| *w = (f64::from(*w) * factor) as f32);
        }
        self.layer.bias = terms.into_iter().map(|term| term as f32).collect();
        if self.layer.weights.iter().chain(&self.layer.bias).all(|w| w.is_finite()) {
            Ok(self.layer)
        } else {
            Err("its weights are not finite".to_owned())
        }
    }

    /// Merges the padding before a convolution into it.
    fn padding(&mut self) {
        let input = self.layer.input;
        let before = input.node;
        let Product::Convolution { padding, paddings, .. } = &mut self.layer.product else { return };
        let zero = |e: &Endpoint| self.known.constants.get(e).and_then(|v| v.item::<f32>().ok()) == Some(0.0);
        let node = self.scope.graph.node(before);
        let pads = match node.op_name() {
            "Pad" => true,
            "PadV2" => node.inputs.get(2).is_some_and(zero),
            _ => false,
        };
        if !pads || &padding[..] != b"VALID" || self.scope.only_consumer(input).is_none() {
            return;
        }
        let Some(sizes) = self.known.constants.get(&node.inputs[1]).and_then(|sizes| sizes.to_i64s().ok()) else {
            return;
        };
        if let &[0, 0, _, _, _, _, 0, 0] = &sizes[..] {
            (*padding, *paddings) = ("EXPLICIT".into(), sizes);
            self.layer.input = node.inputs[0];
            self.layer.nodes.push(before);
        }
    }

    /// The effect of a node on each channel of its input `i`: a factor and a term.
    fn affine(&self, id: NodeId, i: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let channels = self.layer.channels();
        let node = self.scope.graph.node(id);
        let (ones, zeros) = (vec![1.0; channels], vec![0.0; channels]);
        let vector = |i: usize| self.vector(self.known.constants.get(node.inputs.get(i)?)?);
        let other = || vector(1 - i.min(1));
        let last = || self.scope.text(id, "data_format", "NHWC") == "NHWC";
        match node.op_name() {
            "BiasAdd" if i == 0 && last() => Some((ones, vector(1)?)),
            "Add" | "AddV2" => Some((ones, other()?)),
            "Sub" if i == 0 => Some((ones, other()?.into_iter().map(|v| -v).collect())),
            "Mul" => Some((other()?, zeros)),
            "FusedBatchNorm" | "FusedBatchNormV2" | "FusedBatchNormV3"
                if i == 0 && last() && !self.scope.flag(id, "is_training", true) =>
            {
                let epsilon = match node.attrs.get("epsilon") {
                    Some(&AttrValue::F(epsilon)) => f64::from(epsilon),
                    _ => 0.0001,
                };
                let (scale, offset, mean, variance) = (vector(1)?, vector(2)?, vector(3)?, vector(4)?);
                let factors: Vec<f64> = scale.iter().zip(&variance).map(|(s, v)| s / (v + epsilon).sqrt()).collect();
                let terms = (0..channels).map(|c| offset[c] - mean[c] * factors[c]).collect();
                Some((factors, terms))
            }
            _ => None,
        }
    }

    /// One value for each channel, if a constant has that form for results of the layer's rank.
    fn vector(&self, value: &Tensor) -> Option<Vec<f64>> {
        let (channels, dims) = (self.layer.channels(), value.shape().dims());
        let rank = if matches!(self.layer.product, Product::Matrix) { 2 } else { 4 };
        let values = value.slice::<f32>().ok()?;
        match dims.split_last() {
            // A single value, if it adds no dimensions.
            _ if values.len() == 1 && dims.len() <= rank => Some(vec![values[0].into(); channels]),
            Some((&last, before)) if last == channels && dims.len() <= rank && before.iter().all(|&d| d == 1) => {
                Some(values.iter().map(|&v| v.into()).collect())
            }
            _ => None,
        }
    }

    /// The value that a node adds to its input `i`, of the same shape.
    fn side(&self, id: NodeId, i: usize) -> Option<Endpoint> {
        let node = self.scope.graph.node(id);
        if self.layer.side.is_some() || !matches!(node.op_name(), "Add" | "AddV2") {
            return None;
        }
        let (&own, &other) = (node.inputs.get(i)?, node.inputs.get(1 - i.min(1))?);
        let shape = |e: &Endpoint| self.known.shapes.get(e);
        (own != other && shape(&own)? == shape(&other)?).then_some(other)
    }
}
