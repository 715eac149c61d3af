//! The quantized graph: the remaining nodes of the graph, and the layers as ops on codes.

use super::flow::{Flow, Source};
use super::layers::{Layer, Product};
use super::ranges::Scale;
use super::report::Shown;
use super::{Known, Scope};
use levada_graph::attr::{AttrList, AttrValue, Attrs};
use levada_graph::collections::Collections;
use levada_graph::meta::Meta;
use levada_graph::{DType, Element, Endpoint, Error, GraphDef, NodeDef, NodeId, Result, Shape, Tensor};
use std::collections::{HashMap, HashSet};

/// A quantized graph, and the endpoints with the outputs of the layers.
pub(super) struct Made {
    pub def: GraphDef,
    pub shown: Vec<Shown>,
}

pub(super) fn emit(
    scope: &Scope<'_>,
    known: &Known,
    layers: &[Layer],
    flow: &Flow,
    scales: &HashMap<Endpoint, Scale>,
) -> Result<Made> {
    let whole = scope.graph.to_def();
    let names = whole.nodes.iter().map(|node| node.name.clone()).collect();
    let mut writer = Writer {
        scope,
        known,
        flow,
        layers,
        scales,
        names,
        nodes: Vec::new(),
        codes: HashMap::new(),
        ends: HashMap::new(),
    };
    let floats = scope.graph.ids().zip(&whole.nodes).filter(|(id, _)| flow.floats.contains(id));
    for (id, node) in floats {
        let data = node.inputs.iter().filter(|input| !input.starts_with('^')).cloned();
        let inputs = data.chain(writer.waits(&[id])).collect();
        writer.nodes.push(NodeDef { inputs, ..node.clone() });
    }
    let mut shown = Vec::new();
    for &i in &flow.layers {
        let at = writer.layer(i)?;
        let layer = &layers[i];
        shown.push(Shown {
            node: scope.name(layer.start).to_owned(),
            op: scope.op(layer.start).to_owned(),
            before: scope.graph.endpoint_name(layer.last),
            after: at,
            scale: flow.codes.contains(&layer.last).then(|| scales[&layer.last]),
        });
    }
    let nodes = writer.nodes;
    let def = GraphDef { nodes, collections: Collections::default(), meta: Meta::default(), ..whole };
    Ok(Made { def, shown })
}

struct Writer<'a, 'g> {
    scope: &'a Scope<'g>,
    known: &'a Known,
    flow: &'a Flow,
    layers: &'a [Layer],
    scales: &'a HashMap<Endpoint, Scale>,
    names: HashSet<String>,
    nodes: Vec<NodeDef>,
    /// Inputs that are the codes of an endpoint, and their scale.
    codes: HashMap<Endpoint, (String, Scale)>,
    /// The constants for the bounds of ranges, by the bits of the scale and the zero point.
    ends: HashMap<(u32, u8), [String; 2]>,
}

/// The attrs of a node.
fn attrs<const N: usize>(list: [(&str, AttrValue); N]) -> Attrs {
    let mut attrs = Attrs::new();
    for (name, value) in list {
        attrs.set(name, value);
    }
    attrs
}

fn ty(dtype: DType) -> AttrValue {
    AttrValue::Type(dtype.value())
}

fn text(value: &str) -> AttrValue {
    AttrValue::S(value.to_owned().into())
}

fn list(values: &[i64]) -> AttrValue {
    AttrValue::List(AttrList::I(values.to_vec()))
}

impl Writer<'_, '_> {
    /// The control inputs for the replacements of some nodes.
    fn waits(&self, nodes: &[NodeId]) -> Vec<String> {
        let all = nodes.iter().flat_map(|&id| self.known.waits(self.scope, id));
        let mut before: Vec<NodeId> = all.filter(|id| !nodes.contains(id)).collect();
        before.sort_unstable();
        before.dedup();
        before.into_iter().map(|id| format!("^{}", self.scope.name(id))).collect()
    }

    /// An unused node name.
    fn name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    /// Adds a node and returns its name.
    fn node(&mut self, name: String, op: &str, inputs: Vec<String>, device: String, attrs: Attrs) -> String {
        self.nodes.push(NodeDef { name: name.clone(), op: op.to_owned(), inputs, device, attrs });
        name
    }

    fn constant(&mut self, wanted: &str, value: Tensor) -> String {
        let name = self.name(wanted);
        let attrs = attrs([("dtype", ty(value.dtype())), ("value", AttrValue::Tensor(value))]);
        self.node(name, "Const", Vec::new(), String::new(), attrs)
    }

    fn values<T: Element>(&mut self, wanted: &str, dtype: DType, shape: &[usize], values: Vec<T>) -> Result<String> {
        let tensor = Tensor::from_vec(Shape::new(shape.iter().copied())?, values)?.reinterpreted(dtype)?;
        Ok(self.constant(wanted, tensor))
    }

    /// The bounds of the range of a scale, as inputs.
    fn ends(&mut self, scale: Scale) -> [String; 2] {
        let key = (scale.scale.to_bits(), scale.zero);
        if let Some(names) = self.ends.get(&key) {
            return names.clone();
        }
        let (min, max) = scale.ends();
        let names = [("int8/min", min), ("int8/max", max)].map(|(name, end)| self.constant(name, Tensor::scalar(end)));
        self.ends.insert(key, names.clone());
        names
    }

    /// The codes of an endpoint as an input, and their scale.
    fn codes(&mut self, endpoint: Endpoint) -> Result<(String, Scale)> {
        // A chain of nodes that move codes, from its end to where codes are produced.
        let mut chain = vec![endpoint];
        loop {
            let end = chain[chain.len() - 1];
            if self.codes.contains_key(&end) || !matches!(self.flow.source(end), Source::Mover) {
                break;
            }
            chain.push(self.scope.graph.node(end.node).inputs[0]);
        }
        let mut made = None;
        for end in chain.into_iter().rev() {
            let codes = match (self.codes.get(&end).cloned(), made) {
                (Some(codes), _) => codes,
                (None, Some(input)) => self.moved(end.node, input)?,
                (None, None) => self.source(end),
            };
            self.codes.insert(end, codes.clone());
            made = Some(codes);
        }
        made.ok_or_else(|| Error::internal("a chain of codes has an end"))
    }

    /// The codes of an endpoint where they are produced, not moved.
    fn source(&mut self, endpoint: Endpoint) -> (String, Scale) {
        let scale = self.scales[&endpoint];
        let node = self.scope.graph.node(endpoint.node);
        let wanted = match endpoint.output {
            0 => format!("{}/int8", node.name),
            output => format!("{}/int8_{output}", node.name),
        };
        let name = self.name(&wanted);
        if let Source::Layer = self.flow.source(endpoint) {
            // The layer produces them.
            return (name, scale);
        }
        let [min, max] = self.ends(scale);
        let attrs =
            attrs([("T", ty(DType::QU8)), ("mode", text("MIN_FIRST")), ("ensure_minimum_range", AttrValue::F(0.0))]);
        let inputs = vec![self.scope.graph.endpoint_name(endpoint), min, max];
        (self.node(name, "QuantizeV2", inputs, node.device.clone(), attrs), scale)
    }

    /// Applies a node that moves elements to codes.
    fn moved(&mut self, id: NodeId, (input, scale): (String, Scale)) -> Result<(String, Scale)> {
        let node = self.scope.graph.node(id);
        let mut attrs = node.attrs.clone();
        attrs.remove("_class");
        attrs.set("T", ty(DType::QU8));
        let mut inputs = vec![input];
        inputs.extend(node.inputs[1..].iter().map(|&e| self.scope.graph.endpoint_name(e)));
        let mut op = node.op_name();
        match op {
            "MaxPool" => {
                op = "QuantizedMaxPool";
                attrs.remove("data_format");
                attrs.remove("explicit_paddings");
                inputs.extend(self.ends(scale));
            }
            "Pad" | "PadV2" => {
                op = "PadV2";
                let zero = self.values(&format!("{}/int8_zero", node.name), DType::QU8, &[], vec![scale.zero])?;
                inputs.truncate(2);
                inputs.push(zero);
            }
            _ => {}
        }
        inputs.extend(self.waits(&[id]));
        let name = self.name(&format!("{}/int8", node.name));
        Ok((self.node(name, op, inputs, node.device.clone(), attrs), scale))
    }

    /// Adds layer `i`, and returns the endpoint of its output.
    fn layer(&mut self, i: usize) -> Result<String> {
        let layer = &self.layers[i];
        let (start, last) = (self.scope.graph.node(layer.start), self.scope.graph.node(layer.last.node));
        let (input, from) = self.codes(layer.input)?;
        let mut inputs = vec![input];
        inputs.extend(self.weights(layer)?);
        let mut attrs = attrs([
            ("input_scale", AttrValue::F(from.scale)),
            ("input_zero_point", AttrValue::I(from.zero.into())),
            ("activation", text(layer.activation)),
            ("num_sides", AttrValue::I(layer.side.is_some().into())),
        ]);
        if let Some(side) = layer.side {
            let (side, scale) = self.codes(side)?;
            inputs.push(side);
            attrs.set("side_scale", AttrValue::F(scale.scale));
            attrs.set("side_zero_point", AttrValue::I(scale.zero.into()));
        }
        let op = match &layer.product {
            Product::Matrix => "LevadaQuantizedMatMul",
            Product::Convolution { depthwise, strides, dilations, padding, paddings } => {
                attrs.set("strides", list(strides));
                attrs.set("dilations", list(dilations));
                attrs.set("padding", AttrValue::S(padding.clone()));
                attrs.set("explicit_paddings", list(paddings));
                if *depthwise { "LevadaQuantizedDepthwiseConv2D" } else { "LevadaQuantizedConv2D" }
            }
        };
        inputs.extend(self.waits(&layer.nodes));
        let device = start.device.clone();
        if !self.flow.codes.contains(&layer.last) {
            attrs.set("out_type", ty(DType::F32));
            return Ok(self.node(last.name.to_string(), op, inputs, device, attrs));
        }
        let (codes, scale) = self.codes(layer.last)?;
        attrs.set("out_type", ty(DType::QU8));
        attrs.set("output_scale", AttrValue::F(scale.scale));
        attrs.set("output_zero_point", AttrValue::I(scale.zero.into()));
        let name = self.node(codes, op, inputs, device.clone(), attrs);
        if self.flow.shown.contains(&layer.last) {
            let [min, max] = self.ends(scale);
            let attrs = self::attrs([("T", ty(DType::QU8)), ("mode", text("MIN_FIRST"))]);
            self.node(last.name.to_string(), "Dequantize", vec![name.clone(), min, max], device, attrs);
        }
        Ok(name)
    }

    /// The weights of a layer as codes, their scales, and the bias.
    fn weights(&mut self, layer: &Layer) -> Result<[String; 3]> {
        let channels = layer.channels();
        let mut largest = vec![0f32; channels];
        for row in layer.weights.chunks_exact(channels) {
            largest.iter_mut().zip(row).for_each(|(l, w)| *l = l.max(w.abs()));
        }
        let scale = |l: &f32| if (l / 127.0).is_normal() { l / 127.0 } else { 1.0 };
        let scales: Vec<f32> = largest.iter().map(scale).collect();
        let code = |(i, w): (usize, &f32)| (w / scales[i % channels]).round_ties_even().clamp(-127.0, 127.0) as i8;
        let codes: Vec<i8> = layer.weights.iter().enumerate().map(code).collect();
        let start = self.scope.name(layer.start).to_owned();
        Ok([
            self.values(&format!("{start}/int8_filter"), DType::QI8, &layer.shape, codes)?,
            self.values(&format!("{start}/int8_scales"), DType::F32, &[channels], scales)?,
            self.values(&format!("{start}/int8_bias"), DType::F32, &[channels], layer.bias.clone())?,
        ])
    }
}
