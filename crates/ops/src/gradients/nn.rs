//! Layers of neural networks.

use super::{Grads, NONE, expand, never};
use levada_graph::grad::{Grad, GradCx, Rule, V, attr};

const CONV: &[&str] = &["strides", "padding", "explicit_paddings", "use_cudnn_on_gpu", "data_format", "dilations"];
const CONV3D: &[&str] = &["strides", "padding", "data_format", "dilations"];
const DEPTHWISE: &[&str] = &["strides", "padding", "explicit_paddings", "data_format", "dilations"];
const POOL: &[&str] = &["ksize", "strides", "padding", "data_format"];
const MAX_POOL: &[&str] = &["ksize", "strides", "padding", "explicit_paddings", "data_format"];

fn last_axis_sum<'g>(g: &'g GradCx, x: V<'g>) -> V<'g> {
    x.sum_keep(g.ints(&[-1]))
}

/// The gradients of a convolution of `x` with `filter`, from ops that compute them from shapes.
fn convolution(g: &GradCx, to_input: &str, to_filter: &str, attrs: &[&'static str]) -> Grads {
    let (x, filter, dy) = (g.input(0), g.input(1), g.dy(0));
    let attrs = g.same(attrs);
    let dx = g.node(to_input, &[x.shape_value(), filter, dy], &attrs);
    let df = g.node(to_filter, &[x, filter.shape_value(), dy], &attrs);
    vec![dx.into(), df.into()]
}

/// The same of the op that computes a convolution's gradient by its input.
fn of_input_gradient(g: &GradCx, forward: &str, to_filter: &str, attrs: &[&'static str]) -> Grads {
    let (filter, before, dy) = (g.input(1), g.input(2), g.dy(0));
    let attrs = g.same(attrs);
    let df = g.node(to_filter, &[dy, filter.shape_value(), before], &attrs);
    vec![NONE, df.into(), g.node(forward, &[dy, filter], &attrs).into()]
}

/// The same of the op that computes a convolution's gradient by its filter.
fn of_filter_gradient(g: &GradCx, forward: &str, to_input: &str, attrs: &[&'static str]) -> Grads {
    let (x, before, dy) = (g.input(0), g.input(2), g.dy(0));
    let attrs = g.same(attrs);
    let dx = g.node(to_input, &[x.shape_value(), dy, before], &attrs);
    vec![dx.into(), NONE, g.node(forward, &[x, dy], &attrs).into()]
}

fn batch_norm(g: &GradCx, version: u32) -> Grads {
    let op = match version {
        1 => "FusedBatchNormGrad",
        2 => "FusedBatchNormGradV2",
        _ => "FusedBatchNormGradV3",
    };
    let training = g.flag("is_training");
    let (mean, variance) = if training { (g.output(3), g.output(4)) } else { (g.input(3), g.input(4)) };
    let mut inputs = vec![g.dy(0), g.input(0), g.input(1), mean, variance];
    if version == 3 {
        inputs.push(g.output(5));
    }
    let all = g.node(op, &inputs, &g.same(&["epsilon", "data_format", "is_training"]));
    let mut grads = vec![all.into(), all.out(1).into(), all.out(2).into()];
    grads.resize(g.num_inputs(), NONE);
    grads
}

/// The gradient of the cross entropy by the logits, also where the gradient itself is differentiated.
fn logits<'g>(g: &'g GradCx) -> V<'g> {
    let dx = expand(g, g.dy(0), -1) * g.output(1);
    match g.known_dy(1) {
        None => dx,
        Some(second) => {
            let softmax = g.input(0).op("Softmax");
            dx + (second - last_axis_sum(g, second * softmax)) * softmax
        }
    }
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "BiasAdd" => |g| {
            let db = g.node("BiasAddGrad", &[g.dy(0)], &g.same(&["data_format"]));
            vec![g.dy(0).into(), db.into()]
        },
        "BiasAddV1" => |g| vec![g.dy(0).into(), g.op("BiasAddGrad", &[g.dy(0)]).into()],
        "Softmax" => |g| {
            let (y, dy) = (g.output(0), g.dy(0));
            vec![((dy - last_axis_sum(g, dy * y)) * y).into()]
        },
        "LogSoftmax" => |g| {
            let (y, dy) = (g.output(0), g.dy(0));
            vec![(dy - last_axis_sum(g, dy) * y.op("Exp")).into()]
        },
        "SoftmaxCrossEntropyWithLogits" => |g| {
            let labels = expand(g, g.dy(0), -1) * -g.input(0).op("LogSoftmax");
            vec![logits(g).into(), labels.into()]
        },
        "SparseSoftmaxCrossEntropyWithLogits" => |g| vec![logits(g).into(), NONE],
        "Conv2D" => |g| convolution(g, "Conv2DBackpropInput", "Conv2DBackpropFilter", CONV),
        "Conv2DBackpropInput" => |g| of_input_gradient(g, "Conv2D", "Conv2DBackpropFilter", CONV),
        "Conv2DBackpropFilter" => |g| of_filter_gradient(g, "Conv2D", "Conv2DBackpropInput", CONV),
        "Conv3D" => |g| convolution(g, "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", CONV3D),
        "Conv3DBackpropInputV2" => |g| of_input_gradient(g, "Conv3D", "Conv3DBackpropFilterV2", CONV3D),
        "Conv3DBackpropFilterV2" => |g| of_filter_gradient(g, "Conv3D", "Conv3DBackpropInputV2", CONV3D),
        "DepthwiseConv2dNative" => |g| {
            let (to_input, to_filter) = ("DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter");
            convolution(g, to_input, to_filter, DEPTHWISE)
        },
        "DepthwiseConv2dNativeBackpropInput" => {
            |g| of_input_gradient(g, "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropFilter", DEPTHWISE)
        }
        "DepthwiseConv2dNativeBackpropFilter" => {
            |g| of_filter_gradient(g, "DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", DEPTHWISE)
        }
        "MaxPool" => |g| vec![g.node("MaxPoolGrad", &[g.input(0), g.output(0), g.dy(0)], &g.same(MAX_POOL)).into()],
        "MaxPoolV2" => |g| {
            let inputs = [g.input(0), g.output(0), g.dy(0), g.input(1), g.input(2)];
            vec![g.node("MaxPoolGradV2", &inputs, &g.same(&["padding", "data_format"])).into(), NONE, NONE]
        },
        "MaxPoolGrad" => |g| {
            let (x, y) = (g.input(0), g.input(1));
            let second = g.node("MaxPoolGradGrad", &[x, y, g.dy(0)], &g.same(POOL));
            vec![x.zeros_like().into(), y.zeros_like().into(), second.into()]
        },
        "MaxPoolWithArgmax" => |g| {
            let attrs = g.same(&["ksize", "strides", "padding", "include_batch_in_index"]);
            vec![g.node("MaxPoolGradWithArgmax", &[g.input(0), g.dy(0), g.output(1)], &attrs).into()]
        },
        "AvgPool" => |g| {
            let shape = g.input(0).shape_value();
            vec![g.node("AvgPoolGrad", &[shape, g.dy(0)], &g.same(POOL)).into()]
        },
        "AvgPoolGrad" => |g| vec![NONE, g.node("AvgPool", &[g.dy(0)], &g.same(POOL)).into()],
        "MaxPool3D" => |g| vec![g.node("MaxPool3DGrad", &[g.input(0), g.output(0), g.dy(0)], &g.same(POOL)).into()],
        "MaxPool3DGrad" => |g| {
            let (x, y) = (g.input(0), g.input(1));
            let second = g.node("MaxPool3DGradGrad", &[x, y, g.dy(0)], &g.same(POOL));
            vec![x.zeros_like().into(), y.zeros_like().into(), second.into()]
        },
        "AvgPool3D" => |g| {
            let shape = g.input(0).shape_value();
            vec![g.node("AvgPool3DGrad", &[shape, g.dy(0)], &g.same(POOL)).into()]
        },
        "AvgPool3DGrad" => |g| vec![NONE, g.node("AvgPool3D", &[g.dy(0)], &g.same(POOL)).into()],
        "FractionalMaxPool" => |g| {
            let inputs = [g.input(0), g.output(0), g.dy(0), g.output(1), g.output(2)];
            vec![g.node("FractionalMaxPoolGrad", &inputs, &g.same(&["overlapping"])).into()]
        },
        "FractionalAvgPool" => |g| {
            let shape = g.input(0).op("Shape").cast(levada_graph::DType::I64);
            let inputs = [shape, g.dy(0), g.output(1), g.output(2)];
            vec![g.node("FractionalAvgPoolGrad", &inputs, &g.same(&["overlapping"])).into()]
        },
        "LRN" => |g| {
            let attrs = g.same(&["depth_radius", "bias", "alpha", "beta"]);
            vec![g.node("LRNGrad", &[g.dy(0), g.input(0), g.output(0)], &attrs).into()]
        },
        "FusedBatchNorm" => |g| batch_norm(g, 1),
        "FusedBatchNormV2" => |g| batch_norm(g, 2),
        "FusedBatchNormV3" => |g| batch_norm(g, 3),
        "Dilation2D" => |g| {
            let attrs = g.same(&["strides", "rates", "padding"]);
            let inputs = [g.input(0), g.input(1), g.dy(0)];
            let dx = g.node("Dilation2DBackpropInput", &inputs, &attrs);
            vec![dx.into(), g.node("Dilation2DBackpropFilter", &inputs, &attrs).into()]
        },
        "BiasAddGrad" => |g| {
            let (before, dy) = (g.input(0), g.dy(0));
            let format: String = g.attr("data_format").unwrap_or_default();
            let dy = match format.as_str() {
                "NCHW" => {
                    let ones = (before.rank_value() - 2.0).reshape(g.ints(&[1]));
                    let one = g.constant(levada_graph::Tensor::scalar(1i32));
                    let ones = g.op("Fill", &[ones, one]);
                    dy.reshape(super::concat(g, &[g.ints(&[1, -1]), ones], 0))
                }
                _ => dy,
            };
            vec![g.op("BroadcastTo", &[dy, before.shape_value()]).into()]
        },
        "ResizeBilinear" => |g| {
            let attrs = g.same(&["align_corners", "half_pixel_centers"]);
            vec![g.node("ResizeBilinearGrad", &[g.dy(0), g.input(0)], &attrs).into(), NONE]
        },
        "ResizeBicubic" => |g| {
            let attrs = g.same(&["align_corners", "half_pixel_centers"]);
            vec![g.node("ResizeBicubicGrad", &[g.dy(0), g.input(0)], &attrs).into(), NONE]
        },
        "ResizeNearestNeighbor" => |g| {
            let attrs = g.same(&["align_corners", "half_pixel_centers"]);
            let size = g.input(0).shape_value().slice1(1, 2);
            vec![g.node("ResizeNearestNeighborGrad", &[g.dy(0), size], &attrs).into(), NONE]
        },
        "CropAndResize" => |g| {
            let (image, boxes, places) = (g.input(0), g.input(1), g.input(2));
            let method = g.same(&["method"]);
            let mut with_type = method.clone();
            with_type.push(attr("T", image.dtype()));
            let di = g.node("CropAndResizeGradImage", &[g.dy(0), boxes, places, image.shape_value()], &with_type);
            let db = g.node("CropAndResizeGradBoxes", &[g.dy(0), image, boxes, places], &method);
            vec![di.into(), db.into(), NONE, NONE]
        },
        "InTopK"
        | "InTopKV2"
        | "RandomUniform"
        | "RandomUniformInt"
        | "RandomStandardNormal"
        | "TruncatedNormal"
        | "RandomShuffle"
        | "Multinomial"
        | "StatelessRandomUniform"
        | "StatelessRandomNormal"
        | "StatelessTruncatedNormal"
        | "StatelessRandomUniformV2"
        | "StatelessRandomNormalV2"
        | "ParameterizedTruncatedNormal"
        | "RandomPoisson"
        | "RandomPoissonV2" => never,
        "BlockLSTM" | "BlockLSTMV2" => |g| {
            let op = if g.op_name() == "BlockLSTM" { "BlockLSTMGrad" } else { "BlockLSTMGradV2" };
            let mut inputs = g.inputs();
            inputs.extend((0..7).map(|i| g.output(i)));
            inputs.extend([g.dy(1), g.dy(6)]);
            let back = g.node(op, &inputs, &g.same(&["use_peephole"]));
            std::iter::once(NONE).chain((0..8).map(|i| back.out(i).into())).collect()
        },
        "LSTMBlockCell" => |g| {
            let mut inputs = g.inputs();
            inputs.extend((0..6).map(|i| g.output(i)));
            inputs.extend([g.dy(1), g.dy(6)]);
            let back = g.node("LSTMBlockCellGrad", &inputs, &g.same(&["use_peephole"]));
            let (x, h_prev, gates) = (g.input(0), g.input(2), back.out(1));
            let (dx, dh, dw) = through_weights(g, &[x, h_prev], gates, g.input(3));
            let db = gates.op("BiasAddGrad");
            let grads = [dx, back, dh, dw, back.out(2), back.out(3), back.out(4), db];
            grads.into_iter().map(Option::from).collect()
        },
        "GRUBlockCell" => |g| {
            let mut inputs = g.inputs();
            inputs.extend([g.output(0), g.output(1), g.output(2), g.dy(3)]);
            let back = g.op("GRUBlockCellGrad", &inputs);
            let (x, h_prev) = (g.input(0), g.input(1));
            let weights = |h: V<'_>, grad: V<'_>| {
                let both = super::concat(g, &[x, h], 1).at;
                g.node("MatMul", &[g.value(both), grad], &[attr("transpose_a", true)]).at
            };
            let dw_ru = g.value(weights(h_prev, back.out(3)));
            let dw_c = g.value(weights(h_prev * g.output(0), back.out(2)));
            let (db_ru, db_c) = (back.out(3).op("BiasAddGrad"), back.out(2).op("BiasAddGrad"));
            [back, back.out(1), dw_ru, dw_c, db_ru, db_c].into_iter().map(Option::from).collect()
        },
        "TopK" | "TopKV2" => |g| {
            let (x, places) = (g.input(0), g.output(1));
            let (shape, places_shape) = (x.op("Shape"), places.op("Shape"));
            let last = |shape: V<'_>| {
                let shape = g.value(shape.at);
                let at = (shape.op("Size") - 1.0).reshape(g.ints(&[1]));
                g.op("Slice", &[shape, at, g.ints(&[1])]).reshape(g.ints(&[]))
            };
            let (width, k) = (last(shape), last(places_shape));
            let rows = places.reshape(g.op("Pack", &[width.like(-1.0), k]));
            let count = rows.op("Shape").slice1(0, 1).reshape(g.ints(&[]));
            let starts = g.op("Range", &[width.like(0.0), width * count, width]);
            let flat = (rows + expand(g, starts, -1)).reshape(g.ints(&[-1]));
            let all = shape.prod().reshape(g.ints(&[1]));
            let dx = g.op("ScatterNd", &[expand(g, flat, -1), g.dy(0).reshape(g.ints(&[-1])), all]);
            let mut grads: Vec<Option<Grad>> = vec![dx.reshape(shape).into()];
            grads.resize(g.num_inputs(), NONE);
            grads
        },
        _ => return None,
    })
}

/// The gradients of `x`, `h` and the weights of `[x, h] w`, from that of the product.
fn through_weights<'g>(g: &'g GradCx, both: &[V<'g>; 2], dy: V<'g>, w: V<'g>) -> (V<'g>, V<'g>, V<'g>) {
    let back = g.node("MatMul", &[dy, w], &[attr("transpose_b", true)]);
    let width = both[0].op("Shape").slice1(1, 1).reshape(g.ints(&[]));
    let zero = width.like(0.0);
    let column = |from: V<'g>| g.node("Pack", &[zero, from], &[attr("N", 2i64)]);
    let part = |from: V<'g>, of: V<'g>| g.op("Slice", &[back, column(from), of.op("Shape")]);
    let (dx, dh) = (part(zero, both[0]), part(width, both[1]));
    let joined = super::concat(g, both, 1);
    (dx, dh, g.node("MatMul", &[joined, dy], &[attr("transpose_a", true)]))
}
