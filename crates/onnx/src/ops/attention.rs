//! Attention, and layers that keep a state along a sequence.

use super::control::noted;
use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Attention", &[23, 24, 25], attention),
    of("ai.onnx.preview", "FlexAttention", &[1], flex_attention),
    op("CausalConvWithState", &[27], causal_conv_with_state),
    op("LinearAttention", &[27], linear_attention),
    op("RotaryEmbedding", &[23], rotary_embedding),
    op("TensorScatter", &[24], tensor_scatter),
];

fn attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (q, k, v, mask) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.optional(3));
    let (key, value, lens) = (cx.optional(4), cx.optional(5), cx.optional(6));
    if key.is_some() != value.is_some() {
        return Err(Error::invalid("past_key and past_value go together"));
    }
    let given = cx.given_flags(GivenAttrs::default(), &["is_causal"])?;
    let given = cx.given_floats(given, &["scale", "softcap"])?;
    let ints = ["q_num_heads", "kv_num_heads", "qk_matmul_output_mode", "left_window_size", "right_window_size"];
    let given = cx.given_ints(given, &ints)?;
    let (present, products) = (cx.wants(1) || cx.wants(2), cx.wants(3));
    let mask_type = mask.as_ref().map_or(DType::F32, |mask| cx.dtype(mask));
    let node = cx.node("OnnxAttention").input(&q).input(&k).input(&v).with(given).attr("U", mask_type);
    let node = node.maybe("num_attn_mask", mask.as_ref()).inputs(&key).inputs(&value);
    let node = node.attr("num_past", i64::from(key.is_some())).maybe("num_nonpad_kv_seqlen", lens.as_ref());
    let node = node.attr("num_present", i64::from(present)).attr("num_qk_matmul_output", i64::from(products));
    let mut all = node.all()?;
    if products && !present {
        // The outputs in between are omitted.
        let last = all[1].clone();
        all.splice(1..1, [last.clone(), last]);
    }
    Ok(all)
}

fn rotary_embedding(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, cos, sin, ids) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.optional(3));
    let given = cx.given_ints(GivenAttrs::default(), &["num_heads", "rotary_embedding_dim"])?;
    let given = cx.given_flags(given, &["interleaved"])?;
    let node = cx.node("OnnxRotaryEmbedding").input(&x).input(&cos).input(&sin).with(given);
    Ok(vec![node.maybe("num_position_ids", ids.as_ref()).add()?])
}

fn linear_attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (q, k, v) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (past, decay, beta) = (cx.optional(3), cx.optional(4), cx.optional(5));
    let given = cx.given_ints(GivenAttrs::default(), &["q_num_heads", "kv_num_heads"])?;
    let given = cx.given_floats(given, &["scale"])?;
    let state = cx.dtype(past.as_ref().unwrap_or(&q));
    let node = cx.node("OnnxLinearAttention").input(&q).input(&k).input(&v).with(given).attr("S", state);
    let node = node.maybe("num_past_state", past.as_ref()).maybe("num_decay", decay.as_ref());
    node.maybe("num_beta", beta.as_ref()).all()
}

fn causal_conv_with_state(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w, bias, past) = (cx.input(0)?, cx.input(1)?, cx.optional(2), cx.optional(3));
    let given = cx.given_texts(GivenAttrs::default(), &["activation"])?;
    let node = cx.node("OnnxCausalConvWithState").input(&x).input(&w).with(given);
    node.maybe("num_bias", bias.as_ref()).maybe("num_past_state", past.as_ref()).all()
}

fn tensor_scatter(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (cache, update, indices) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let given = cx.given_ints(GivenAttrs::default(), &["axis"])?;
    let given = cx.given_texts(given, &["mode"])?;
    let node = cx.node("OnnxTensorScatter").input(&cache).input(&update).with(given);
    Ok(vec![node.maybe("num_write_indices", indices.as_ref()).add()?.like(&cache)])
}

/// Attention whose scores and probabilities are modified by graphs.
fn flex_attention(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (q, mut k, mut v) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let heads = cx.shape(&q).dim(1).zip(cx.shape(&k).dim(1));
    let (q_heads, kv_heads) =
        heads.ok_or_else(|| Error::unimplemented("the number of heads is not known before the run"))?;
    if kv_heads == 0 || !q_heads.is_multiple_of(kv_heads) {
        return Err(
            Error::invalid("the heads of Q are not a multiple of those of K").found(format!("{q_heads}, {kv_heads}"))
        );
    }
    if q_heads != kv_heads {
        // Each head of K and V serves several consecutive heads of Q.
        let places: Vec<i64> = (0..q_heads).map(|head| (head / (q_heads / kv_heads)) as i64).collect();
        let (places, axis) = (cx.i32s(&places)?, cx.i32(1)?);
        k = cx.op("GatherV2", &[&k, &places, &axis])?;
        v = cx.op("GatherV2", &[&v, &places, &axis])?;
    }
    let dtype = cx.dtype(&q);
    let scale = match cx.float("scale")? {
        Some(scale) => cx.scalar(dtype, f64::from(scale).sqrt())?,
        None => {
            let width = cx.size_of(&q, -1)?;
            let width = cx.cast(&width, DType::F32)?;
            let root = cx.op("Sqrt", &[&width])?;
            let scale = cx.op("Rsqrt", &[&root])?;
            cx.cast(&scale, dtype)?
        }
    };
    let (q, k) = (cx.times(&q, &scale)?, cx.times(&k, &scale)?);
    let mut scores = cx.node("BatchMatMulV2").input(&q).input(&k).attr("adj_y", true).add()?;
    let precision = match cx.int("softmax_precision")? {
        Some(number) => Elem(i32::try_from(number).unwrap_or(0)).dtype()?,
        None if dtype == DType::F64 => DType::F64,
        None => DType::F32,
    };
    scores = cx.cast(&scores, precision)?;
    scores = modified(cx, "score_mod", scores)?;
    let probabilities = cx.op("Softmax", &[&scores])?;
    let probabilities = modified(cx, "prob_mod", probabilities)?;
    let v = cx.cast(&v, precision)?;
    let y = cx.op("BatchMatMulV2", &[&probabilities, &v])?;
    Ok(vec![cx.cast(&y, dtype)?])
}

/// Applies the graph of an attribute to a value; without a graph, returns the value.
fn modified(cx: &mut Cx<'_, '_>, attr: &'static str, val: Val) -> Result<Val> {
    if !cx.has(attr) {
        return Ok(val);
    }
    let (graph, prefix) = (cx.graph(attr)?, format!("{}/{attr}/", cx.name));
    let results = cx.importer().inner(graph, &[val], &prefix)?.ok_or_else(noted)?;
    let [result] = &results[..] else {
        return Err(Error::invalid(format!("the graph {attr} must have one output")).attr(attr).found(results.len()));
    };
    Ok(result.clone())
}
