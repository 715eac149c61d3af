//! `com.microsoft`: fused operators of ONNX Runtime's optimizers and of exporters.

use super::prelude::*;
use super::quantize::{integer_product, plain};
use super::recurrent::quantized_lstm;
use super::reduce::softmax_of;
use crate::cx::GivenAttrs;
use crate::table::{STANDARD, find};

pub(crate) const OPERATORS: &[Operator] = &[
    ms("Attention", attention),
    ms("BiasGelu", bias_gelu),
    ms("BiasSplitGelu", bias_split_gelu),
    ms("CDist", c_dist),
    ms("DequantizeLinear", |cx| standard(cx, "DequantizeLinear")),
    ms("DynamicQuantizeLSTM", dynamic_quantize_lstm),
    ms("DynamicQuantizeMatMul", dynamic_quantize_matmul),
    ms("EmbedLayerNormalization", embed_layer_normalization),
    ms("ExpandDims", expand_dims),
    ms("FastGelu", fast_gelu),
    ms("FusedConv", |cx| fused(cx, "Conv")),
    ms("FusedGemm", |cx| fused(cx, "Gemm")),
    ms("FusedMatMul", fused_matmul),
    ms("GatherND", |cx| standard(cx, "GatherND")),
    ms("Gelu", bias_gelu),
    ms("GridSample", |cx| older(cx, "GridSample", 16)),
    ms("GroupQueryAttention", group_query_attention),
    ms("Inverse", inverse),
    ms("MatMulIntegerToFloat", matmul_integer_to_float),
    ms("MatMulNBits", matmul_n_bits),
    ms("MultiHeadAttention", multi_head_attention),
    ms("NhwcMaxPool", |cx| channels_last(cx, |cx| older(cx, "MaxPool", 12))),
    ms("Pad", |cx| older(cx, "Pad", 11)),
    ms("QAttention", quantized_attention),
    ms("QEmbedLayerNormalization", quantized_embed_layer_normalization),
    ms("QGemm", q_gemm),
    ms("QLinearAdd", |cx| quantized(cx, "AddV2")),
    ms("QLinearAveragePool", |cx| either_layout(cx, quantized_pool)),
    ms("QLinearConcat", quantized_concat),
    ms("QLinearConv", |cx| either_layout(cx, |cx| standard(cx, "QLinearConv"))),
    ms("QLinearGlobalAveragePool", |cx| either_layout(cx, quantized_mean)),
    ms("QLinearLeakyRelu", quantized_leaky_relu),
    ms("QLinearMul", |cx| quantized(cx, "Mul")),
    ms("QLinearSigmoid", quantized_sigmoid),
    ms("QLinearSoftmax", quantized_softmax),
    ms("QLinearWhere", quantized_where),
    ms("QuantizeLinear", |cx| standard(cx, "QuantizeLinear")),
    ms("QuickGelu", quick_gelu),
    ms("Range", range),
    ms("RotaryEmbedding", rotary_embedding),
    ms("SimplifiedLayerNormalization", simplified_layer_normalization),
    ms("SkipLayerNormalization", |cx| skip_normalization(cx, false)),
    ms("SkipSimplifiedLayerNormalization", |cx| skip_normalization(cx, true)),
    ms("TransposeMatMul", fused_matmul),
    ms("Trilu", |cx| standard(cx, "Trilu")),
    ms("Unique", unique),
    // Written without a domain, although no version of the standard has it.
    op("SimplifiedLayerNormalization", &[1], simplified_layer_normalization),
];

const fn ms(name: &'static str, convert: crate::table::Convert) -> Operator {
    of("com.microsoft", name, &[1], convert)
}

/// Converts it as the standard operator with this name.
fn standard(cx: &mut Cx<'_, '_>, name: &str) -> Result<Vec<Val>> {
    // Its attributes are those of the newest version, since this domain has only one.
    older(cx, name, crate::table::NEWEST)
}

/// Converts it as a version of the standard operator with this name.
fn older(cx: &mut Cx<'_, '_>, name: &str, version: i64) -> Result<Vec<Val>> {
    let operator =
        find(STANDARD, name).ok_or_else(|| Error::unimplemented(format!("the operator {name} is not supported")))?;
    let version = std::mem::replace(&mut cx.version, version);
    let result = (operator.convert)(cx);
    cx.version = version;
    result
}

/// Converts an operator whose attribute says whether channels are the last axis.
fn either_layout(cx: &mut Cx<'_, '_>, convert: crate::table::Convert) -> Result<Vec<Val>> {
    if cx.flag("channels_last", false)? { channels_last(cx, convert) } else { convert(cx) }
}

/// Converts an operator on images whose channels are the last axis as one whose channels come before the spatial axes.
fn channels_last(cx: &mut Cx<'_, '_>, convert: crate::table::Convert) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let rank = cx.rank_needed(&x)?;
    if rank < 2 {
        return Err(Error::invalid("images have axes for batch and channels").found(format!("rank {rank}")));
    }
    let order: Vec<usize> = [0, rank - 1].into_iter().chain(1..rank - 1).collect();
    cx.inputs[0] = Some(cx.transpose(&x, &order)?.like(&x));
    let y = convert(cx)?.swap_remove(0);
    let back: Vec<usize> = [0].into_iter().chain(2..rank).chain([1]).collect();
    Ok(vec![cx.transpose(&y, &back)?.like(&y)])
}

fn gelu(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let scaled = cx.times_number(x, std::f64::consts::FRAC_1_SQRT_2)?;
    let erf = cx.op("Erf", &[&scaled])?;
    let (half, one) = (cx.times_number(x, 0.5)?, cx.plus_number(&erf, 1.0)?);
    cx.times(&half, &one)
}

/// The first input, plus the second if present.
fn with_bias(cx: &mut Cx<'_, '_>) -> Result<Val> {
    let x = cx.input(0)?;
    match cx.optional(1) {
        Some(bias) => cx.plus(&x, &bias),
        None => Ok(x),
    }
}

fn bias_gelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = with_bias(cx)?;
    Ok(vec![gelu(cx, &x)?])
}

fn bias_split_gelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = with_bias(cx)?;
    let halves = split(cx, &x, 2)?;
    let right = gelu(cx, &halves[1])?;
    Ok(vec![cx.times(&halves[0], &right)?])
}

/// Equal parts of a tensor along its last axis.
fn split(cx: &mut Cx<'_, '_>, x: &Val, parts: i64) -> Result<Vec<Val>> {
    let axis = cx.i32(-1)?;
    cx.node("Split").input(&axis).input(x).attr("num_split", parts).all()
}

fn fast_gelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = with_bias(cx)?;
    let square = cx.op("Square", &[&x])?;
    let cubic = cx.times_number(&square, 0.044_715)?;
    let sum = cx.plus_number(&cubic, 1.0)?;
    let scaled = cx.times_number(&x, (2.0 / std::f64::consts::PI).sqrt())?;
    let inner = cx.times(&scaled, &sum)?;
    let tanh = cx.op("Tanh", &[&inner])?;
    let (half, one) = (cx.times_number(&x, 0.5)?, cx.plus_number(&tanh, 1.0)?);
    Ok(vec![cx.times(&half, &one)?])
}

fn quick_gelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, alpha) = (cx.input(0)?, cx.float_or("alpha", 1.702)?);
    let scaled = cx.times_number(&x, f64::from(alpha))?;
    let gate = cx.op("Sigmoid", &[&scaled])?;
    Ok(vec![cx.times(&x, &gate)?])
}

/// A normalized tensor, and its mean and inverse deviation.
struct Normalized {
    y: Val,
    mean: Option<Val>,
    factor: Val,
}

/// Normalizes along the last axis; the mean is subtracted unless `simple`.
fn normalized(cx: &mut Cx<'_, '_>, x: &Val, scale: &Val, bias: Option<&Val>, simple: bool) -> Result<Normalized> {
    let epsilon = f64::from(cx.float_or("epsilon", if simple { 1e-5 } else { 1e-12 })?);
    let axis = cx.rank_needed(x)? as i64 - 1;
    let dtype = cx.dtype(x);
    let wide = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    let mut x = cx.cast(x, wide)?;
    let mut mean = None;
    if !simple {
        let average = cx.reduce("Mean", &x, &[axis], true)?;
        x = cx.minus(&x, &average)?;
        mean = Some(average);
    }
    let squares = cx.op("Square", &[&x])?;
    let variance = cx.reduce("Mean", &squares, &[axis], true)?;
    let variance = cx.plus_number(&variance, epsilon)?;
    let factor = cx.op("Rsqrt", &[&variance])?;
    let scale = cx.cast(scale, wide)?;
    let y = cx.times(&x, &factor)?;
    let mut y = cx.times(&y, &scale)?;
    if let Some(bias) = bias {
        let bias = cx.cast(bias, wide)?;
        y = cx.plus(&y, &bias)?;
    }
    Ok(Normalized { y: cx.cast(&y, dtype)?, mean, factor })
}

fn simplified_layer_normalization(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale) = (cx.input(0)?, cx.input(1)?);
    let (axis, rank) = (cx.int_or("axis", -1)?, cx.rank_needed(&x)? as i64);
    if axis != -1 && axis != rank - 1 {
        return Err(Error::unimplemented("only the last axis is normalized here")
            .attr("axis")
            .expected(-1)
            .found(axis));
    }
    let done = normalized(cx, &x, &scale, None, true)?;
    Ok(vec![done.y, done.factor])
}

fn skip_normalization(cx: &mut Cx<'_, '_>, simple: bool) -> Result<Vec<Val>> {
    let (x, skip, scale) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (beta, bias) = if simple { (None, cx.optional(3)) } else { (cx.optional(3), cx.optional(4)) };
    let mut sum = cx.plus(&x, &skip)?;
    if let Some(bias) = bias {
        sum = cx.plus(&sum, &bias)?;
    }
    let done = normalized(cx, &sum, &scale, beta.as_ref(), simple)?;
    let mean = match done.mean {
        Some(mean) => mean,
        None => done.factor.clone(),
    };
    Ok(vec![done.y, mean, done.factor, sum])
}

/// Rows of a table of embeddings, which may be quantized, with a scale and a zero point.
struct Table {
    rows: Val,
    quantization: Option<(Val, Val)>,
}

impl Table {
    fn gather(&self, cx: &mut Cx<'_, '_>, ids: &Val) -> Result<Val> {
        let zero = cx.i32(0)?;
        let rows = cx.op("GatherV2", &[&self.rows, ids, &zero])?.like(&self.rows);
        match &self.quantization {
            Some((scale, zero)) => dequantized(cx, &rows, scale, Some(zero)),
            None => Ok(rows),
        }
    }
}

fn embed_layer_normalization(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let plain = |rows| Table { rows, quantization: None };
    let (words, positions, segments) = (plain(cx.input(2)?), plain(cx.input(3)?), cx.optional(4).map(plain));
    let (scale, beta, places) = (cx.input(5)?, cx.input(6)?, cx.optional(8));
    embedded(cx, (&words, &positions, segments.as_ref()), places, (&scale, &beta))
}

fn quantized_embed_layer_normalization(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (words, positions) = (table(cx, 2, 8)?, table(cx, 3, 9)?);
    let segments = if cx.optional(4).is_some() { Some(table(cx, 4, 10)?) } else { None };
    let factor = |cx: &mut Cx<'_, '_>, at: usize, scale: usize| -> Result<Val> {
        let (x, scale, zero) = (cx.input(at)?, cx.input(scale)?, cx.input(scale + 5)?);
        dequantized(cx, &x, &scale, Some(&zero))
    };
    let (scale, beta) = (factor(cx, 5, 11)?, factor(cx, 6, 12)?);
    embedded(cx, (&words, &positions, segments.as_ref()), None, (&scale, &beta))
}

/// The quantized table in input `at`, with the scale in input `scale` and the zero point five inputs later.
fn table(cx: &mut Cx<'_, '_>, at: usize, scale: usize) -> Result<Table> {
    Ok(Table { rows: cx.input(at)?, quantization: Some((cx.input(scale)?, cx.input(scale + 5)?)) })
}

/// Sums of embeddings of words, positions and segments, normalized.
fn embedded(
    cx: &mut Cx<'_, '_>,
    (words, positions, segments): (&Table, &Table, Option<&Table>),
    places: Option<Val>,
    (scale, beta): (&Val, &Val),
) -> Result<Vec<Val>> {
    let (ids, segment_ids, mask) = (cx.input(0)?, cx.optional(1), cx.optional(7));
    let places = match places {
        Some(places) => places,
        None => {
            let len = cx.size_of(&ids, 1)?;
            let (from, step) = (cx.i64(0)?, cx.i64(1)?);
            cx.op("Range", &[&from, &len, &step])?.of_elem(Elem::INT64)
        }
    };
    let (word, position) = (words.gather(cx, &ids)?, positions.gather(cx, &places)?);
    let mut sum = cx.plus(&word, &position)?;
    if let (Some(table), Some(ids)) = (segments, segment_ids) {
        let segment = table.gather(cx, &ids)?;
        sum = cx.plus(&sum, &segment)?;
    }
    let done = normalized(cx, &sum, scale, Some(beta), false)?;
    let index = match mask {
        Some(mask) => cx.reduce("Sum", &mask, &[1], false)?,
        None => {
            let batch = cx.size_of(&ids, 0)?;
            let (batch, zero) = (cx.reshape(&batch, &[1])?, cx.i32(0)?);
            cx.op("Fill", &[&batch, &zero])?
        }
    };
    Ok(vec![done.y, index.of_elem(Elem::INT32), sum])
}

/// The standard operator with this name, followed by an activation.
fn fused(cx: &mut Cx<'_, '_>, name: &str) -> Result<Vec<Val>> {
    let mut y = standard(cx, name)?.swap_remove(0);
    if let Some(added) = cx.optional(3).filter(|_| name == "Conv") {
        y = cx.plus(&y, &added)?;
    }
    let constants = cx.floats("activation_params")?.unwrap_or_default();
    let constant = |i: usize, attr: &str, default: f32| -> Result<f64> {
        let given = constants.get(i).copied().map_or_else(|| cx.float(attr), |v| Ok(Some(v)))?;
        Ok(f64::from(given.unwrap_or(default)))
    };
    let (alpha, beta) = (constant(0, "activation_alpha", 0.0)?, constant(1, "activation_beta", 0.0)?);
    let y = match &cx.text_or("activation", "")?[..] {
        "" => y,
        "Relu" => cx.op("Relu", &[&y])?,
        "Sigmoid" => cx.op("Sigmoid", &[&y])?,
        "Tanh" => cx.op("Tanh", &[&y])?,
        "LeakyRelu" => cx.node("LeakyRelu").input(&y).attr("alpha", alpha as f32).add()?,
        "Clip" => {
            let (least, greatest) = (cx.scalar_like(&y, alpha)?, cx.scalar_like(&y, beta)?);
            let y = cx.op("Maximum", &[&y, &least])?;
            cx.op("Minimum", &[&y, &greatest])?
        }
        "HardSigmoid" => {
            let scaled = cx.times_number(&y, alpha)?;
            let moved = cx.plus_number(&scaled, beta)?;
            let (least, greatest) = (cx.scalar_like(&y, 0.0)?, cx.scalar_like(&y, 1.0)?);
            let y = cx.op("Maximum", &[&moved, &least])?;
            cx.op("Minimum", &[&y, &greatest])?
        }
        other => return Err(Error::unimplemented("this activation is not supported").attr("activation").found(other)),
    };
    Ok(vec![y])
}

fn fused_matmul(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    if cx.flag("transBatchA", false)? || cx.flag("transBatchB", false)? {
        return Err(Error::unimplemented("transposed batch axes are not supported").attr("transBatchA"));
    }
    let (ranks, turn_a, turn_b) =
        ([cx.rank_needed(&a)?, cx.rank_needed(&b)?], cx.flag("transA", false)?, cx.flag("transB", false)?);
    if ranks.contains(&1) || ranks.contains(&0) {
        return Err(Error::unimplemented("products with vectors are not supported here").found(format!("{ranks:?}")));
    }
    let alpha = cx.float_or("alpha", 1.0)?;
    let y = cx.node("BatchMatMulV2").input(&a).input(&b).attr("adj_x", turn_a).attr("adj_y", turn_b).add()?;
    Ok(vec![if alpha == 1.0 { y } else { cx.times_number(&y, f64::from(alpha))? }])
}

/// `x` times a matrix, which is transposed if `turned`.
fn product(cx: &mut Cx<'_, '_>, x: &Val, w: &Val, turned: bool) -> Result<Val> {
    cx.node("BatchMatMulV2").input(x).input(w).attr("adj_y", turned).add()
}

fn matmul_n_bits(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b, scales, zeros, order, bias) =
        (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.optional(3), cx.optional(4), cx.optional(5));
    if order.is_some() {
        return Err(Error::unimplemented("weights in another order (g_idx) are not supported"));
    }
    let given = cx.given_ints(GivenAttrs::default(), &["K", "N", "bits", "block_size"])?;
    let zero_type = zeros.as_ref().map_or(DType::U8, |zeros| cx.dtype(zeros));
    let node = cx.node("OnnxDequantizeNBits").input(&b).input(&scales).maybe("num_zero_points", zeros.as_ref());
    let w = node.with(given).attr("T3", zero_type).add()?.of_elem(cx.elem(&scales)?);
    let dtype = cx.dtype(&a);
    let w = cx.cast(&w, dtype)?;
    let y = if cx.rank(&a) == Some(1) {
        let row = cx.expand(&a, 0)?;
        let y = product(cx, &row, &w, true)?;
        cx.squeeze(&y, &[0])?
    } else {
        product(cx, &a, &w, true)?
    };
    Ok(vec![match bias {
        Some(bias) => cx.plus(&y, &bias)?,
        None => y,
    }])
}

/// Integer sums of products as floats: times a scale, plus a bias.
fn scaled(cx: &mut Cx<'_, '_>, sums: &Val, unit: &Val, bias: Option<&Val>) -> Result<Val> {
    let dtype = cx.dtype(unit);
    let sums = cx.cast(sums, dtype)?;
    let y = cx.times(&sums, unit)?;
    match bias {
        Some(bias) => cx.plus(&y, bias),
        None => Ok(y),
    }
}

fn dynamic_quantize_matmul(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b, b_scale, b_zero, bias) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.optional(3), cx.optional(4));
    let parts = cx.node("OnnxDynamicQuantizeLinear").input(&a).all()?;
    let [x, scale, zero] = &parts[..] else { return Err(Error::internal("three outputs are expected")) };
    let (x, zero) = (x.clone().of_elem(Elem::UINT8), zero.clone().of_elem(Elem::UINT8));
    let sums = integer_product(cx, (&x, &b), (Some(&zero), b_zero.as_ref()))?;
    let scale = scale.clone().of_elem(Elem::FLOAT);
    let unit = cx.times(&scale, &b_scale)?;
    Ok(vec![scaled(cx, &sums, &unit, bias.as_ref())?])
}

/// Weights of a recurrent layer, of shape directions, features, gates, quantized per direction or per gate, as floats
/// of shape directions, gates, features.
fn recurrent_weights(cx: &mut Cx<'_, '_>, [w, scale, zero]: [&Val; 3]) -> Result<Val> {
    let along = |cx: &mut Cx<'_, '_>, x: &Val| -> Result<Val> {
        let x = cx.cast(x, DType::F32)?;
        match cx.rank_needed(&x)? {
            1 => cx.reshape(&x, &[-1, 1, 1]),
            _ => cx.expand(&x, 1),
        }
    };
    let (w, scale, zero) = (cx.cast(w, DType::F32)?, along(cx, scale)?, along(cx, zero)?);
    let w = cx.minus(&w, &zero)?;
    let w = cx.times(&w, &scale)?;
    cx.transpose(&w, &[0, 2, 1])
}

fn dynamic_quantize_lstm(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (w, w_scale, w_zero) = (cx.input(1)?, cx.input(8)?, cx.input(9)?);
    let (r, r_scale, r_zero) = (cx.input(2)?, cx.input(10)?, cx.input(11)?);
    let w = recurrent_weights(cx, [&w, &w_scale, &w_zero])?;
    let r = recurrent_weights(cx, [&r, &r_scale, &r_zero])?;
    quantized_lstm(cx, &w, &r)
}

fn matmul_integer_to_float(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b, a_scale, b_scale) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?);
    let (a_zero, b_zero, bias) = (cx.optional(4), cx.optional(5), cx.optional(6));
    let sums = integer_product(cx, (&a, &b), (a_zero.as_ref(), b_zero.as_ref()))?;
    let unit = cx.times(&a_scale, &b_scale)?;
    Ok(vec![scaled(cx, &sums, &unit, bias.as_ref())?])
}

/// Dequantizes a tensor with one scale.
fn dequantized(cx: &mut Cx<'_, '_>, x: &Val, scale: &Val, zero: Option<&Val>) -> Result<Val> {
    let (elem, scale) = (cx.elem(x)?, plain(cx, scale)?);
    let node = cx.node("OnnxDequantizeLinear").input(x).input(&scale).maybe("num_x_zero_point", zero);
    let node = node.attr("T3", DType::F32).attr("input_dtype", i64::from(elem.0));
    Ok(node.add()?.of_elem(Elem::FLOAT))
}

/// Quantizes floats with one scale, to the type of `like`.
fn requantized(cx: &mut Cx<'_, '_>, y: &Val, scale: &Val, zero: Option<&Val>, like: &Val) -> Result<Val> {
    let (elem, dtype) = (cx.elem(like)?, cx.dtype(like));
    let node = cx.node("OnnxQuantizeLinear").input(y).input(scale).maybe("num_y_zero_point", zero);
    Ok(node.attr("T3", dtype).attr("output_dtype", i64::from(elem.0)).add()?.of_elem(elem))
}

fn quantized(cx: &mut Cx<'_, '_>, op: &'static str) -> Result<Vec<Val>> {
    let (a, a_scale, a_zero) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let (b, b_scale, b_zero) = (cx.input(3)?, cx.input(4)?, cx.optional(5));
    let (scale, zero) = (cx.input(6)?, cx.optional(7));
    let x = dequantized(cx, &a, &a_scale, a_zero.as_ref())?;
    let y = dequantized(cx, &b, &b_scale, b_zero.as_ref())?;
    let z = cx.op(op, &[&x, &y])?;
    Ok(vec![requantized(cx, &z, &scale, zero.as_ref(), &a)?])
}

/// `X`, its scale and zero point, then the scale and zero point of `Y`: applies a function to the dequantized values.
fn quantized_unary(cx: &mut Cx<'_, '_>, f: impl FnOnce(&mut Cx<'_, '_>, &Val) -> Result<Val>) -> Result<Vec<Val>> {
    let (a, a_scale, a_zero) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let (scale, zero) = (cx.input(3)?, cx.optional(4));
    let x = dequantized(cx, &a, &a_scale, a_zero.as_ref())?;
    let y = f(cx, &x)?;
    Ok(vec![requantized(cx, &y, &scale, zero.as_ref(), &a)?])
}

fn quantized_sigmoid(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    quantized_unary(cx, |cx, x| cx.op("Sigmoid", &[x]))
}

fn quantized_leaky_relu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let alpha = cx.float_or("alpha", 0.01)?;
    quantized_unary(cx, |cx, x| cx.node("LeakyRelu").input(x).attr("alpha", alpha).add())
}

fn quantized_softmax(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    // Before version 13 of the standard, the axes from this one on were one.
    let version = cx.int_needed("opset")?;
    let own = std::mem::replace(&mut cx.version, version);
    let result = quantized_unary(cx, |cx, x| softmax_of(cx, x, false));
    cx.version = own;
    result
}

fn quantized_where(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (condition, a, b) = (cx.input(0)?, cx.input(1)?, cx.input(4)?);
    let (a_scale, a_zero, b_scale, b_zero) = (cx.input(2)?, cx.input(3)?, cx.input(5)?, cx.input(6)?);
    let (scale, zero) = (cx.input(7)?, cx.input(8)?);
    let x = dequantized(cx, &a, &a_scale, Some(&a_zero))?;
    let y = dequantized(cx, &b, &b_scale, Some(&b_zero))?;
    let z = cx.op("SelectV2", &[&condition, &x, &y])?.like(&x);
    Ok(vec![requantized(cx, &z, &scale, Some(&zero), &a)?])
}

/// The sums are exact, so that only the scales are rounded.
fn quantized_mean(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, x_scale, scale, x_zero) = (cx.input(0)?, cx.input(1)?, cx.input(3)?, cx.optional(2));
    let mut codes = cx.cast(&x, DType::I32)?;
    if let Some(x_zero) = x_zero {
        let x_zero = cx.cast(&x_zero, DType::I32)?;
        codes = cx.minus(&codes, &x_zero)?;
    }
    let axes: Vec<i64> = (2..cx.rank_needed(&x)? as i64).collect();
    let mut count = cx.i64(1)?;
    for &axis in &axes {
        let size = cx.size_of(&x, axis)?;
        count = cx.times(&count, &size)?;
    }
    let (sums, count) = (cx.reduce("Sum", &codes, &axes, true)?, cx.cast(&count, DType::F32)?);
    // As in ONNX Runtime, the zero point is added before rounding.
    let divisor = cx.times(&scale, &count)?;
    let (factor, sums) = (cx.over(&x_scale, &divisor)?, cx.cast(&sums, DType::F32)?);
    let mut y = cx.times(&sums, &factor)?;
    if let Some(zero) = cx.optional(4) {
        let zero = cx.cast(&zero, DType::F32)?;
        y = cx.plus(&y, &zero)?;
    }
    let one = cx.scalar_like(&y, 1.0)?;
    Ok(vec![requantized(cx, &y, &one, None, &x)?])
}

fn quantized_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let given = cx.given_int_lists(GivenAttrs::default(), &["kernel_shape", "strides", "pads"])?;
    let given = cx.given_flags(given, &["ceil_mode", "count_include_pad"])?;
    let given = cx.given_texts(given, &["auto_pad"])?;
    quantized_unary(cx, |cx, x| cx.node("OnnxAveragePool").input(x).with(given).add())
}

fn quantized_concat(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let all = cx.inputs()?;
    let axis = cx.int_needed("axis")?;
    let ([scale, zero], rest) = all.split_first_chunk::<2>().ok_or_else(|| Error::invalid("missing inputs"))?;
    let mut parts = Vec::new();
    for part in rest.chunks(3) {
        let [x, x_scale, x_zero] = part else { return Err(Error::invalid("each tensor has a scale and a zero point")) };
        parts.push(dequantized(cx, x, x_scale, Some(x_zero))?);
    }
    let y = cx.concat(&parts, axis)?;
    Ok(vec![requantized(cx, &y, scale, Some(zero), zero)?])
}

fn q_gemm(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (mut a, a_scale, a_zero) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (mut b, b_scale, b_zero) = (cx.input(3)?, cx.input(4)?, cx.input(5)?);
    let (bias, scale, zero) = (cx.optional(6), cx.optional(7), cx.optional(8));
    if cx.flag("transA", false)? {
        a = cx.transpose(&a, &[1, 0])?.like(&a);
    }
    if cx.flag("transB", false)? {
        b = cx.transpose(&b, &[1, 0])?.like(&b);
    }
    let mut sums = integer_product(cx, (&a, &b), (Some(&a_zero), Some(&b_zero)))?;
    if let Some(bias) = bias {
        sums = cx.plus(&sums, &bias)?;
    }
    let alpha = cx.float_or("alpha", 1.0)?;
    let unit = cx.times(&a_scale, &b_scale)?;
    let unit = cx.times_number(&unit, f64::from(alpha))?;
    let y = scaled(cx, &sums, &unit, None)?;
    Ok(vec![match (scale, zero) {
        (Some(scale), Some(zero)) => requantized(cx, &y, &scale, Some(&zero), &zero)?,
        _ => y,
    }])
}

/// The distances between the rows of two matrices.
fn c_dist(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b, metric) = (cx.input(0)?, cx.input(1)?, cx.text_or("metric", "sqeuclidean")?);
    let (a, b) = (cx.expand(&a, 1)?, cx.expand(&b, 0)?);
    let squares = cx.op("SquaredDifference", &[&a, &b])?;
    let sum = cx.reduce("Sum", &squares, &[2], false)?;
    match &metric[..] {
        "sqeuclidean" => Ok(vec![sum]),
        "euclidean" => Ok(vec![cx.op("Sqrt", &[&sum])?]),
        other => Err(Error::unimplemented("this metric is not supported").attr("metric").found(other)),
    }
}

fn expand_dims(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, axis) = (cx.input(0)?, cx.input(1)?);
    Ok(vec![cx.op("ExpandDims", &[&x, &axis])?.like(&x)])
}

fn inverse(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![cx.op("MatrixInverse", &[&x])?])
}

/// Like the standard operator, but the step may be missing.
fn range(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    if cx.optional(2).is_some() {
        return standard(cx, "Range");
    }
    let (start, limit) = (cx.input(0)?, cx.input(1)?);
    let step = cx.scalar_like(&start, 1.0)?;
    Ok(vec![cx.op("Range", &[&start, &limit, &step])?.like(&start)])
}

/// The distinct elements of a vector in the order of their first positions, the index among them of each element, and
/// their numbers.
fn unique(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let outputs = cx.node("UniqueWithCounts").input(&x).attr("out_idx", DType::I64).all()?;
    let [values, indices, counts] = &outputs[..] else { return Err(Error::internal("three outputs are expected")) };
    let int64 = |val: &Val| val.clone().of_elem(Elem::INT64);
    Ok(vec![values.clone().like(&x), int64(indices), int64(counts)])
}

fn rotary_embedding(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, ids, cos, sin) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?);
    let scale = cx.float_or("scale", 1.0)?;
    if scale != 1.0 {
        return Err(Error::unimplemented("a scale other than 1 is not supported").attr("scale").found(scale));
    }
    let dim = cx.int_or("rotary_embedding_dim", 0)?;
    let (heads, interleaved) = (cx.int_or("num_heads", 0)?, cx.flag("interleaved", false)?);
    let heads = match (heads, cx.shape(&x).dim(2), cx.shape(&cos).dim(1)) {
        // Without a head size, all features of a head are rotated.
        (0, Some(all), Some(half)) if cx.rank(&x) == Some(3) && half > 0 => (all / (2 * half)) as i64,
        _ => heads,
    };
    Ok(vec![turned(cx, &x, &cos, &sin, &ids, (heads, dim, interleaved))?])
}

fn turned(
    cx: &mut Cx<'_, '_>,
    x: &Val,
    cos: &Val,
    sin: &Val,
    ids: &Val,
    (heads, dim, interleaved): (i64, i64, bool),
) -> Result<Val> {
    let node = cx.node("OnnxRotaryEmbedding").input(x).input(cos).input(sin).maybe("num_position_ids", Some(ids));
    let node = node.attr("num_heads", heads).attr("rotary_embedding_dim", dim);
    node.attr("interleaved", interleaved).add()
}

/// Options of the attention kernel.
#[derive(Default)]
struct AttentionAttrs {
    heads: i64,
    kv_heads: i64,
    scale: f32,
    softcap: f32,
    causal: bool,
    mask: Option<Val>,
    past: Option<(Val, Val)>,
    present: bool,
}

fn attend(cx: &mut Cx<'_, '_>, (q, k, v): (&Val, &Val, &Val), asked: AttentionAttrs) -> Result<Vec<Val>> {
    let mask_type = asked.mask.as_ref().map_or(DType::F32, |mask| cx.dtype(mask));
    let node = cx.node("OnnxAttention").input(q).input(k).input(v).attr("U", mask_type);
    let mut node = node.maybe("num_attn_mask", asked.mask.as_ref()).attr("num_past", i64::from(asked.past.is_some()));
    if let Some((key, value)) = &asked.past {
        node = node.input(key).input(value);
    }
    let node = node.attr("num_present", i64::from(asked.present)).attr("is_causal", asked.causal);
    let node = node.attr("q_num_heads", asked.heads).attr("kv_num_heads", asked.kv_heads);
    node.attr("scale", asked.scale).attr("softcap", asked.softcap).all()
}

/// A key mask with a row for each batch, non-zero for visible keys, as bools with axes for heads and queries.
fn key_mask(cx: &mut Cx<'_, '_>, mask: &Val, keys: &Val) -> Result<Val> {
    let zero = cx.scalar_like(mask, 0.0)?;
    let mask = match cx.rank_needed(mask)? {
        // The number of visible keys.
        1 => {
            let dtype = cx.dtype(mask);
            let (keys, step) = (cx.cast(keys, dtype)?, cx.scalar(dtype, 1.0)?);
            let places = cx.op("Range", &[&zero, &keys, &step])?;
            let lens = cx.expand(mask, 1)?;
            cx.op("Less", &[&places, &lens])?
        }
        _ => cx.op("NotEqual", &[mask, &zero])?,
    };
    let mask = mask.of_elem(Elem::BOOL);
    match cx.rank_needed(&mask)? {
        2 => {
            let mask = cx.expand(&mask, 1)?;
            cx.expand(&mask, 1)
        }
        3 => cx.expand(&mask, 1),
        4 => Ok(mask),
        rank => Err(Error::unimplemented("a mask of this rank is not supported").found(rank)),
    }
}

/// Combines a bool mask and an additive mask into an additive one; the first hides its masked positions.
fn combined(cx: &mut Cx<'_, '_>, mask: Option<Val>, added: Option<Val>, like: &Val) -> Result<Option<Val>> {
    let (mask, added) = match (mask, added) {
        (Some(mask), Some(added)) => (mask, added),
        (mask, added) => return Ok(mask.or(added)),
    };
    let (hidden, zero) = (cx.scalar_like(like, f64::NEG_INFINITY)?, cx.scalar_like(like, 0.0)?);
    let numbers = cx.op("SelectV2", &[&mask, &zero, &hidden])?;
    let numbers = numbers.like(like);
    Ok(Some(cx.plus(&numbers, &added)?))
}

/// The number of input and past positions together, as a scalar.
fn keys_of(cx: &mut Cx<'_, '_>, k: &Val, axis: i64, past: Option<&Val>) -> Result<Val> {
    let own = cx.size_of(k, axis)?;
    match past {
        Some(past) => {
            let before = cx.size_of(past, -2)?;
            cx.plus(&own, &before)
        }
        None => Ok(own),
    }
}

fn attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w, bias) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let (mask, past, added) = (cx.optional(3), cx.optional(4), cx.optional(5));
    let mut all = product(cx, &x, &w, false)?;
    if let Some(bias) = bias {
        all = cx.plus(&all, &bias)?;
    }
    attention_of(cx, &all, mask, past, added)
}

fn quantized_attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w, bias, x_scale, w_scale) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?, cx.input(4)?);
    let (mask, x_zero, w_zero, past) = (cx.optional(5), cx.optional(6), cx.optional(7), cx.optional(8));
    let sums = integer_product(cx, (&x, &w), (x_zero.as_ref(), w_zero.as_ref()))?;
    let unit = cx.times(&x_scale, &w_scale)?;
    let all = scaled(cx, &sums, &unit, Some(&bias))?;
    attention_of(cx, &all, mask, past, None)
}

/// Attention over queries, keys and values that are concatenated along the last axis.
fn attention_of(
    cx: &mut Cx<'_, '_>,
    all: &Val,
    mask: Option<Val>,
    past: Option<Val>,
    added: Option<Val>,
) -> Result<Vec<Val>> {
    let heads = cx.int_needed("num_heads")?;
    if cx.flag("do_rotary", false)? {
        return Err(Error::unimplemented("rotary embeddings within Attention are not supported").attr("do_rotary"));
    }
    let parts = match cx.ints("qkv_hidden_sizes")?.filter(|sizes| !sizes.is_empty()) {
        Some(sizes) => {
            let (axis, count) = (cx.i32(-1)?, sizes.len() as i64);
            let sizes = cx.i32s(&sizes)?;
            cx.node("SplitV").input(all).input(&sizes).input(&axis).attr("num_split", count).all()?
        }
        None => split(cx, all, 3)?,
    };
    let [q, k, v] = &parts[..] else {
        return Err(
            Error::invalid("the hidden sizes must be three: for queries, keys and values").attr("qkv_hidden_sizes")
        );
    };
    let past = match past {
        // [2, batch, heads, positions, features]
        Some(past) => {
            let halves = cx.node("Unpack").input(&past).attr("num", 2i64).attr("axis", 0i64).all()?;
            Some((halves[0].clone(), halves[1].clone()))
        }
        None => None,
    };
    let keys = keys_of(cx, k, 1, past.as_ref().map(|past| &past.0))?;
    let mask = mask.map(|mask| key_mask(cx, &mask, &keys)).transpose()?;
    let mask = combined(cx, mask, added, all)?;
    let present = cx.wants(1);
    let causal = cx.flag("unidirectional", false)?;
    let scale = cx.float_or("scale", 0.0)?;
    let asked =
        AttentionAttrs { heads, kv_heads: heads, scale, causal, mask, past, present, ..AttentionAttrs::default() };
    let mut outputs = attend(cx, (q, k, v), asked)?;
    if present {
        let both = cx.node("Pack").input(&outputs[1]).input(&outputs[2]).attr("axis", 0i64).add()?;
        outputs.splice(1.., [both]);
    }
    Ok(outputs)
}

fn multi_head_attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (mut q, k, v, bias) = (cx.input(0)?, cx.optional(1), cx.optional(2), cx.optional(3));
    let (mask, added, key, value) = (cx.optional(4), cx.optional(5), cx.optional(6), cx.optional(7));
    let heads = cx.int_needed("num_heads")?;
    let (mut k, mut v) = match (k, v) {
        (Some(k), Some(v)) => (k, v),
        // [batch, positions, heads, 2, features]
        (Some(pairs), None) => {
            let parts = cx.node("Unpack").input(&pairs).attr("num", 2i64).attr("axis", 3i64).all()?;
            (mixed(cx, &parts[0])?, mixed(cx, &parts[1])?)
        }
        // [batch, positions, heads, 3, features]
        (None, _) => {
            let parts = cx.node("Unpack").input(&q).attr("num", 3i64).attr("axis", 3i64).all()?;
            q = mixed(cx, &parts[0])?;
            (mixed(cx, &parts[1])?, mixed(cx, &parts[2])?)
        }
    };
    if let Some(bias) = bias {
        let sizes = [&q, &k, &v].map(|part| cx.shape(part).dim(-1).map(|n| n as i64));
        let parts = match (sizes, cx.rank(&k)) {
            ([Some(a), Some(b), Some(c)], Some(3)) => {
                let (sizes, axis) = (cx.i32s(&[a, b, c])?, cx.i32(0)?);
                cx.node("SplitV").input(&bias).input(&sizes).input(&axis).attr("num_split", 3i64).all()?
            }
            _ => split(cx, &bias, 3)?,
        };
        q = cx.plus(&q, &parts[0])?;
        if cx.rank(&k) == Some(3) {
            (k, v) = (cx.plus(&k, &parts[1])?, cx.plus(&v, &parts[2])?);
        }
    }
    if cx.rank_needed(&k)? == 4 {
        // Keys and values have a head axis; queries get one.
        q = cx.reshape_heads(&q, heads)?;
    }
    let past = key.zip(value);
    let axis = if cx.rank(&k) == Some(4) { 2 } else { 1 };
    let keys = keys_of(cx, &k, axis, past.as_ref().map(|past| &past.0))?;
    let mask = mask.map(|mask| key_mask(cx, &mask, &keys)).transpose()?;
    let mask = combined(cx, mask, added, &q)?;
    let present = cx.wants(1) || cx.wants(2);
    let (scale, causal) = (cx.float_or("scale", 0.0)?, cx.flag("unidirectional", false)?);
    let is_split = cx.rank(&k) == Some(4);
    let asked =
        AttentionAttrs { heads, kv_heads: heads, scale, causal, mask, past, present, ..AttentionAttrs::default() };
    let mut outputs = attend(cx, (&q, &k, &v), asked)?;
    if is_split {
        let y = cx.transpose(&outputs[0], &[0, 2, 1, 3])?;
        outputs[0] = mixed(cx, &y)?;
    }
    Ok(outputs)
}

/// Merges the last two axes, heads and features.
fn mixed(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let shape = cx.shape_of(x)?;
    let first = cx.range_of(&shape, 0, Some(2))?;
    let rest = cx.i64s(&[-1])?;
    let shape = cx.concat(&[first, rest], 0)?;
    let known = cx.shape(x);
    let y = cx.op("Reshape", &[x, &shape])?;
    let width = known.dim(2).zip(known.dim(3)).and_then(|(a, b)| a.checked_mul(b));
    cx.set_shape(&y, PartialShape::new([known.dim(0), known.dim(1), width]));
    Ok(y)
}

fn group_query_attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (mut q, k, v, key, value) = (cx.input(0)?, cx.optional(1), cx.optional(2), cx.optional(3), cx.optional(4));
    let (lens, total, cos, sin) = (cx.input(5)?, cx.input(6)?, cx.optional(7), cx.optional(8));
    let (heads, kv_heads) = (cx.int_needed("num_heads")?, cx.int_needed("kv_num_heads")?);
    for (i, what) in [(9, "position_ids"), (10, "attention_bias"), (11, "head_sink")] {
        if cx.optional(i).is_some() {
            return Err(Error::unimplemented(format!("the input {what} of GroupQueryAttention is not supported")));
        }
    }
    if cx.flag("smooth_softmax", false)? {
        return Err(Error::unimplemented("the smooth softmax is not supported").attr("smooth_softmax"));
    }
    let (mut k, v) = match (k, v) {
        (Some(k), Some(v)) => (k, v),
        _ => {
            // Queries, keys and values are concatenated.
            let all = cx
                .shape(&q)
                .dim(2)
                .ok_or_else(|| Error::unimplemented("the number of features is not known before the run"))?;
            let size = all as i64 / (heads + 2 * kv_heads).max(1);
            let (sizes, axis) = (cx.i32s(&[heads * size, kv_heads * size, kv_heads * size])?, cx.i32(-1)?);
            let parts = cx.node("SplitV").input(&q).input(&sizes).input(&axis).attr("num_split", 3i64).all()?;
            q = parts[0].clone();
            (parts[1].clone(), parts[2].clone())
        }
    };
    // The first new position of each batch: after those in its cache.
    let (lens, total) = (cx.cast(&lens, DType::I64)?, cx.cast(&total, DType::I64)?);
    let (lens, total) = (cx.reshape(&lens, &[-1])?, cx.reshape(&total, &[])?);
    let len = cx.size_of(&q, 1)?;
    let (end, zero, one) = (cx.plus_number(&lens, 1.0)?, cx.i64(0)?, cx.i64(1)?);
    let start = cx.minus(&end, &len)?;
    let start = cx.op("Maximum", &[&start, &zero])?;
    let steps = cx.op("Range", &[&zero, &len, &one])?.of_elem(Elem::INT64);
    let column = cx.expand(&start, 1)?;
    let places = cx.plus(&column, &steps)?;
    if cx.flag("do_rotary", false)? {
        let (Some(cos), Some(sin)) = (cos, sin) else {
            return Err(Error::invalid("do_rotary needs cos_cache and sin_cache").attr("do_rotary"));
        };
        let interleaved = cx.flag("rotary_interleaved", false)?;
        let half = cx
            .shape(&cos)
            .dim(1)
            .ok_or_else(|| Error::unimplemented("the caches' size is not known before the run"))?;
        let dim = 2 * half as i64;
        q = turned(cx, &q, &cos, &sin, &places, (heads, dim, interleaved))?;
        k = turned(cx, &k, &cos, &sin, &places, (kv_heads, dim, interleaved))?;
    }
    let (k, v) = (cx.reshape_heads(&k, kv_heads)?, cx.reshape_heads(&v, kv_heads)?);
    let q = cx.reshape_heads(&q, heads)?;
    let cache = |cx: &mut Cx<'_, '_>, past: Option<Val>, new: &Val| -> Result<Val> {
        let Some(past) = past else { return Ok(new.clone()) };
        let held = cx.size_of(&past, 2)?;
        let most = cx.op("Maximum", &[&held, &total])?;
        let more = cx.minus(&most, &held)?;
        let paddings = cx.pack(&[
            zero.clone(),
            zero.clone(),
            zero.clone(),
            zero.clone(),
            zero.clone(),
            more,
            zero.clone(),
            zero.clone(),
        ])?;
        let paddings = cx.reshape(&paddings, &[4, 2])?;
        let padded = cx.op("Pad", &[&past, &paddings])?;
        let node = cx.node("OnnxTensorScatter").input(&padded).input(new).maybe("num_write_indices", Some(&start));
        node.attr("axis", 2i64).add()
    };
    let (k, v) = (cache(cx, key, &k)?, cache(cx, value, &v)?);
    // Positions up to the query's own are visible.
    let keys = cx.size_of(&k, 2)?;
    let all = cx.op("Range", &[&zero, &keys, &one])?.of_elem(Elem::INT64);
    let places = cx.expand(&places, -1)?;
    let mut mask = cx.op("LessEqual", &[&all, &places])?.of_elem(Elem::BOOL);
    let window = cx.int_or("local_window_size", -1)?;
    if window > 0 {
        let first = cx.plus_number(&places, -(window as f64))?;
        let near = cx.op("Greater", &[&all, &first])?;
        mask = cx.op("LogicalAnd", &[&mask, &near])?;
    }
    let mask = Some(cx.expand(&mask, 1)?.of_elem(Elem::BOOL));
    let (scale, softcap) = (cx.float_or("scale", 0.0)?, cx.float_or("softcap", 0.0)?);
    let asked = AttentionAttrs { heads, kv_heads, scale, softcap, mask, ..AttentionAttrs::default() };
    let y = attend(cx, (&q, &k, &v), asked)?.swap_remove(0);
    let y = cx.transpose(&y, &[0, 2, 1, 3])?;
    let y = mixed(cx, &y)?;
    Ok(vec![y, k, v])
}

impl Cx<'_, '_> {
    /// Adds a head axis to a tensor of batch, positions, heads and features, before that of positions.
    fn reshape_heads(&mut self, x: &Val, heads: i64) -> Result<Val> {
        let shape = self.shape_of(x)?;
        let first = self.range_of(&shape, 0, Some(2))?;
        let rest = self.i64s(&[heads, -1])?;
        let shape = self.concat(&[first, rest], 0)?;
        let known = self.shape(x);
        let y = self.op("Reshape", &[x, &shape])?;
        let width = known.dim(2).zip(usize::try_from(heads).ok().filter(|&h| h > 0)).map(|(all, heads)| all / heads);
        self.set_shape(&y, PartialShape::new([known.dim(0), known.dim(1), usize::try_from(heads).ok(), width]));
        self.transpose(&y, &[0, 2, 1, 3])
    }
}
