//! Layers of neural networks.

use super::{Grads, NONE, expand, never};
use levada_graph::DType;
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

/// The derivatives of a batch norm's gradients by the gradient of its result, its input and its scale. For the first of
/// them with respect to `dy`, in training, with means over all axes but the channels':
/// `dx = scale r (dy - mean(dy) - x̂ mean(dy x̂))`, where `x̂ = (x - mean(x)) r` and `r = 1 / sqrt(variance + epsilon)`.
fn batch_norm_grad(g: &GradCx) -> Grads {
    let format: String = g.attr("data_format").unwrap_or_default();
    let epsilon: f32 = g.attr("epsilon").unwrap_or_default();
    let rank = format.len() as i32;
    let channels_first = format.starts_with("NC");
    let axes: Vec<i32> = (0..rank).filter(|&a| a != if channels_first { 1 } else { rank - 1 }).collect();
    let axes = g.ints(&axes);
    // Vectors of a number for each channel, as they broadcast.
    let wide = |v: V<'_>| {
        let v = g.value(v.at);
        let spread = [&[-1][..], &vec![1; format.len().saturating_sub(2)]].concat();
        if channels_first { v.reshape(g.ints(&spread)) } else { v }
    };
    let mean = |v: V<'_>| g.node("Mean", &[g.value(v.at), axes], &[attr("keep_dims", true)]);
    let (dtype, dtype_of_scale) = (g.input(1).dtype(), g.input(2).dtype());
    let (dy, x) = (g.input(0).cast(dtype_of_scale), g.input(1).cast(dtype_of_scale));
    let scale = wide(g.input(2));
    let by_x = g.known_dy(0).map(|v| v.cast(dtype_of_scale));
    let by_scale = g.known_dy(1).map(wide);
    let by_offset = g.known_dy(2).map(wide);
    let training = g.flag("is_training");
    let (center, variance) = match training {
        true => {
            let center = mean(x);
            (center, mean((x - center).op("Square")))
        }
        false => (wide(g.input(3)), wide(g.input(4))),
    };
    let r = (variance + f64::from(epsilon)).op("Rsqrt");
    let normal = (x - center) * r;
    let along = mean(dy * normal);
    // What is left of a gradient without the parts that the mean and the variance take.
    let rest = |v: V<'_>, along: V<'_>| {
        let v = g.value(v.at);
        v - mean(v) - normal * g.value(along.at)
    };
    let rest_of_dy = if training { rest(dy, along) } else { dy };
    let (mut of_dy, mut of_x, mut of_scale) = (Vec::new(), Vec::new(), NONE);
    if let Some(by_x) = by_x {
        of_scale = (by_x * rest_of_dy * r).sum(axes).into();
        if training {
            let along_x = mean(by_x * normal);
            let rest_of_x = rest(by_x, along_x);
            of_dy.push(scale * r * rest_of_x);
            let bend = mean(by_x * rest_of_dy) * normal + rest_of_x * along + rest_of_dy * along_x;
            of_x.push(-(scale * r * r * bend));
        } else {
            of_dy.push(scale * r * by_x);
        }
    }
    if let Some(by_scale) = by_scale {
        of_dy.push(by_scale * normal);
        of_x.push(by_scale * r * rest_of_dy);
    }
    if let Some(by_offset) = by_offset {
        of_dy.push(by_offset + dy.zeros_like());
    }
    let total = |parts: Vec<V<'_>>| {
        let sum = parts.into_iter().map(|v| v.at).reduce(|a, b| (g.value(a) + g.value(b)).at);
        sum.and_then(|at| Option::from(g.value(at).cast(dtype)))
    };
    let mut grads = vec![total(of_dy), total(of_x), of_scale];
    grads.resize(g.num_inputs(), NONE);
    grads
}

/// The gradient of samples of a gamma distribution by its parameter, which has fewer axes in front; input `i` is the
/// parameter.
fn gamma(g: &GradCx, i: usize) -> Grads {
    let (alpha, sample) = (g.input(i), g.output(0));
    let slope = g.op("RandomGammaGrad", &[alpha, sample]) * g.dy(0);
    let mut grads = never(g);
    grads[i] = super::math::reduce_to(g, slope, alpha).into();
    grads
}

/// The distribution function of a normal distribution.
fn normal(x: V<'_>) -> V<'_> {
    let g = x.cx();
    let w = x * 0.5f64.sqrt();
    let z = w.op("Abs");
    let tail = z.op("Erfc");
    let op = |op: &str, a: V<'_>, b: V<'_>| g.op(op, &[g.value(a.at), g.value(b.at)]);
    let outer = g.op("SelectV2", &[op("Greater", w, w.like(0.0)), -tail + 2.0, tail]);
    g.op("SelectV2", &[op("Less", z, z.like(0.5f64.sqrt())), w.op("Erf") + 1.0, outer]) * 0.5
}

/// The gradient of samples of a truncated normal distribution by the numbers that describe it.
fn truncated_normal(g: &GradCx) -> Grads {
    let [mean, deviation, low, high] = [2, 3, 4, 5].map(|i| g.input(i));
    let (sample, dy) = (g.output(0), g.dy(0));
    let [low_at, high_at, at] = [low, high, sample].map(|v| (v - mean) / deviation);
    let below = normal(low_at);
    let share = (normal(at) - below) / (normal(high_at) - below);
    // Neither 0 nor 1, whose logarithms are infinite.
    let (tiny, epsilon) = match mean.dtype() {
        DType::F16 => (f64::from(levada_graph::f16::MIN_POSITIVE), f64::from(levada_graph::f16::EPSILON)),
        DType::BF16 => (f64::from(levada_graph::bf16::MIN_POSITIVE), f64::from(levada_graph::bf16::EPSILON)),
        DType::F64 => (f64::MIN_POSITIVE, f64::EPSILON),
        _ => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
    };
    let share = g.op("Minimum", &[share, share.like(1.0 - epsilon)]);
    let share = g.op("Maximum", &[share, share.like(tiny)]);
    let by_bound = |bound: V<'_>, share: V<'_>| {
        let (bound, share) = (g.value(bound.at), g.value(share.at));
        (share + (at.op("Square") - bound.op("Square")) * 0.5).op("Exp")
    };
    let by_low = by_bound(low_at, (-share).op("Log1p"));
    let by_high = by_bound(high_at, share.op("Log"));
    let part = |slope: V<'_>, of: V<'_>| super::math::reduce_to(g, dy * g.value(slope.at), g.value(of.at)).into();
    vec![
        NONE,
        NONE,
        super::math::reduce_to(g, dy, mean).into(),
        part(at, deviation),
        part(by_low, low),
        part(by_high, high),
    ]
}

/// The gradient of hue, saturation and value by red, green and blue. Of equal channels the first counts as the greatest and the
/// last as the least.
fn rgb_to_hsv(g: &GradCx) -> Grads {
    let channels = |v: V<'_>| {
        let parts = g.node("Unpack", &[g.value(v.at)], &[attr("num", 3i64), attr("axis", -1i64)]);
        [parts, parts.out(1), parts.out(2)]
    };
    let colors @ [red, green, blue] = channels(g.input(0));
    let [dh, ds, dv] = channels(g.dy(0));
    let both = |(op, a, b): (&str, V<'_>, V<'_>), (op2, c, d): (&str, V<'_>, V<'_>)| {
        let test = |op: &str, a: V<'_>, b: V<'_>| g.op(op, &[g.value(a.at), g.value(b.at)]);
        g.op("LogicalAnd", &[test(op, a, b), test(op2, c, d)]).cast(red.dtype())
    };
    let greatest = [
        both(("GreaterEqual", red, green), ("GreaterEqual", red, blue)),
        both(("Greater", green, red), ("GreaterEqual", green, blue)),
        both(("Greater", blue, red), ("Greater", blue, green)),
    ];
    let least = [
        both(("Less", red, green), ("Less", red, blue)),
        both(("LessEqual", green, red), ("Less", green, blue)),
        both(("LessEqual", blue, red), ("LessEqual", blue, green)),
    ];
    let value = channels(g.output(0))[2];
    let over = |a: V<'_>, b: V<'_>| g.op("DivNoNan", &[g.value(a.at), g.value(b.at)]);
    let low = red * least[0] + green * least[1] + blue * least[2];
    let range = value - low;
    // The hue is a sixth of `turn / range`, from where the greatest channel begins.
    let turn = (green - blue) * greatest[0] + (blue - red) * greatest[1] + (red - green) * greatest[2];
    let dx: Vec<V<'_>> = (0..3)
        .map(|i| {
            let of_turn = greatest[(i + 2) % 3] - greatest[(i + 1) % 3];
            let of_range = greatest[i] - least[i];
            let hue = (over(of_turn, range) - over(turn * of_range, range.op("Square"))) * (1.0 / 6.0);
            let saturation = over(of_range, value) - over(range * greatest[i], value.op("Square"));
            let positive = g.op("Greater", &[colors[i], colors[i].like(0.0)]).cast(red.dtype());
            dh * hue + ds * saturation * positive + dv * greatest[i]
        })
        .collect();
    vec![g.node("Pack", &dx, &[attr("N", 3i64), attr("axis", -1i64)]).into()]
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
        "MaxPoolGradGrad" => |g| {
            let (x, y) = (g.input(0), g.input(1));
            let back = g.node("MaxPoolGrad", &[x, y, g.dy(0)], &g.same(POOL));
            vec![x.zeros_like().into(), y.zeros_like().into(), back.into()]
        },
        "MaxPoolGradV2" | "MaxPoolGradGradV2" => |g| {
            let op = if g.op_name() == "MaxPoolGradV2" { "MaxPoolGradGradV2" } else { "MaxPoolGradV2" };
            let (x, y) = (g.input(0), g.input(1));
            let inputs = [x, y, g.dy(0), g.input(3), g.input(4)];
            let back = g.node(op, &inputs, &g.same(&["padding", "data_format"]));
            vec![x.zeros_like().into(), y.zeros_like().into(), back.into(), NONE, NONE]
        },
        "MaxPool3DGradGrad" => |g| {
            let (x, y) = (g.input(0), g.input(1));
            let back = g.node("MaxPool3DGrad", &[x, y, g.dy(0)], &g.same(POOL));
            vec![x.zeros_like().into(), y.zeros_like().into(), back.into()]
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
            let shape = g.input(0).op("Shape").cast(DType::I64);
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
        "FusedBatchNormGrad" | "FusedBatchNormGradV2" | "FusedBatchNormGradV3" => batch_norm_grad,
        "BatchNormWithGlobalNormalization" => |g| {
            let inputs = [g.input(0), g.input(1), g.input(2), g.input(4), g.dy(0)];
            let attrs = g.same(&["variance_epsilon", "scale_after_normalization"]);
            let all = g.node("BatchNormWithGlobalNormalizationGrad", &inputs, &attrs);
            (0..5).map(|i| all.out(i).into()).collect()
        },
        "NthElement" => |g| {
            // Equal elements share the gradient.
            let x = g.input(0);
            let chosen = g.op("Equal", &[expand(g, g.output(0), -1), x]).cast(x.dtype());
            let share = chosen / last_axis_sum(g, chosen);
            vec![(share * expand(g, g.dy(0), -1)).into(), NONE]
        },
        "RandomGamma" => |g| gamma(g, 1),
        "StatelessRandomGammaV2" => |g| gamma(g, 2),
        "StatelessRandomGammaV3" => |g| gamma(g, 4),
        "StatelessParameterizedTruncatedNormal" => truncated_normal,
        "RGBToHSV" => rgb_to_hsv,
        "Print" => super::pass,
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
        "ResizeBilinearGrad" | "ResizeBicubicGrad" => |g| {
            let op = if g.op_name() == "ResizeBilinearGrad" { "ResizeBilinear" } else { "ResizeBicubic" };
            let (before, x) = (g.input(0), g.input(1));
            let size = before.shape_value().slice1(1, 2);
            let dx = g.node(op, &[g.dy(0), size], &g.same(&["align_corners", "half_pixel_centers"]));
            vec![dx.cast(before.dtype()).into(), x.zeros_like().into()]
        },
        "ResizeNearestNeighborGrad" => |g| {
            let attrs = g.same(&["align_corners", "half_pixel_centers"]);
            let size = g.input(0).shape_value().slice1(1, 2);
            vec![g.node("ResizeNearestNeighbor", &[g.dy(0), size], &attrs).into(), NONE]
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
