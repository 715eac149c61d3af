//! `RotaryEmbedding`, `LinearAttention`, `CausalConvWithState` and `TensorScatter` of ONNX.

use crate::base::{Base, Inputs, axis_of, buffer, check, product, read, sizes, write};
use crate::prelude::*;

attrs! {
    /// `RotaryEmbedding` of ONNX: rotates pairs of features by the angles whose cosines and sines are in `cos_cache`
    /// and `sin_cache`. `X` has rank 4 (batch, heads, positions, features) or 3 (batch, positions, heads times
    /// features).
    pub struct OnnxRotaryEmbedding {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `position_ids` are given, otherwise 0. They are rows of the caches, or a single number: the first row.
        ids: i64 = Attr::int("num_position_ids").or_int(0).at_least(0),
        /// If true, pairs are adjacent features, otherwise features from the two halves.
        interleaved: bool = Attr::bool("interleaved").or_bool(false),
        /// Number of heads, for rank 3.
        heads: i64 = Attr::int("num_heads").or_int(0),
        /// Number of features to rotate; 0 for all.
        dim: i64 = Attr::int("rotary_embedding_dim").or_int(0).at_least(0),
    }
}

attrs! {
    /// `LinearAttention` of ONNX: attention through a per-head state that every position updates and reads.
    pub struct OnnxLinearAttention {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Element type of the state.
        state: DType = Attr::dtype("S", sets::FLOATS),
        /// 1 if `past_state` is given, otherwise 0.
        past: i64 = Attr::int("num_past_state").or_int(0).at_least(0),
        /// 1 if `decay` is given, otherwise 0.
        decay: i64 = Attr::int("num_decay").or_int(0).at_least(0),
        /// 1 if `beta` is given, otherwise 0.
        beta: i64 = Attr::int("num_beta").or_int(0).at_least(0),
        /// Number of heads of `key` and `value`.
        kv_heads: i64 = Attr::int("kv_num_heads").at_least(1),
        /// Number of heads of `query`.
        q_heads: i64 = Attr::int("q_num_heads").at_least(1),
        /// Factor of the outputs; 0 for the reciprocal square root of the head size.
        scale: f32 = Attr::float("scale").or_float(0.0),
    }
}

attrs! {
    /// `CausalConvWithState` of ONNX: a depthwise convolution over the current and preceding positions.
    pub struct OnnxCausalConvWithState {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `bias` is given, otherwise 0.
        bias: i64 = Attr::int("num_bias").or_int(0).at_least(0),
        /// 1 if `past_state` is given, otherwise 0.
        past: i64 = Attr::int("num_past_state").or_int(0).at_least(0),
        /// Activation applied to the result.
        activation: String = Attr::one_of("activation", &["none", "silu", "swish"]).or_str("none"),
    }
}

attrs! {
    /// `TensorScatter` of ONNX: writes `update` into each batch of a cache, starting at a position.
    pub struct OnnxTensorScatter {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// 1 if `write_indices` are given, otherwise 0.
        indices: i64 = Attr::int("num_write_indices").or_int(0).at_least(0),
        /// The position axis.
        axis: i64 = Attr::int("axis").or_int(-2),
        /// Whether positions past the end are an error or wrap around.
        mode: String = Attr::one_of("mode", &["linear", "circular"]).or_str("linear"),
    }
}

pub static ONNX_ROTARY_EMBEDDING: Def<OnnxRotaryEmbedding> = op("OnnxRotaryEmbedding")
    .inputs(&[
        arg("X", of("T")),
        arg("cos_cache", of("T")),
        arg("sin_cache", of("T")),
        arg("position_ids", is(DType::I64)).times("num_position_ids"),
    ])
    .outputs(&[arg("Y", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_rotary_embedding)
    .heavy();

fn onnx_rotary_embedding(op: &OnnxRotaryEmbedding, cx: &mut Cx<'_, '_>) -> Result<()> {
    let y = in_base!(op.dtype, |B| op.run::<B>(cx)?);
    cx.set(0, y);
    Ok(())
}

impl OnnxRotaryEmbedding {
    fn run<B: Base>(&self, cx: &Cx<'_, '_>) -> Result<Tensor> {
        let shape = cx.input(0)?.shape().clone();
        let (batch, len, heads, width, mixed) = match *shape.dims() {
            [batch, heads, len, width] => (batch, len, heads, width, false),
            [batch, len, all] => {
                let heads = usize::try_from(self.heads).ok().filter(|&h| h > 0 && all.is_multiple_of(h));
                let heads = heads.ok_or_else(|| {
                    Error::invalid("the features cannot be divided among the heads").attr("num_heads").found(self.heads)
                })?;
                (batch, len, heads, all / heads, true)
            }
            _ => return Err(Error::invalid("X has the wrong rank").expected("rank 3 or 4").found(shape)),
        };
        let turned = match usize::try_from(self.dim).unwrap_or(0) {
            0 => width,
            n => n,
        };
        if turned > width || !turned.is_multiple_of(2) {
            return Err(Error::invalid("the features cannot be rotated in pairs")
                .attr("rotary_embedding_dim")
                .expected(format!("an even number up to {width}"))
                .found(turned));
        }
        let half = turned / 2;
        let caches = cx.input(1)?.shape();
        if cx.input(2)?.shape() != caches || caches.last() != Some(&half) {
            return Err(Error::invalid("the caches have the wrong shape")
                .expected(format!("{half} columns"))
                .found(format!("{caches} and {}", cx.input(2)?.shape())));
        }
        let rows = caches.num_elements() / half.max(1);
        let ids = match Inputs::from(3).optional("num_position_ids", self.ids)? {
            Some(at) => Some(cx.i64s(at)?),
            None => None,
        };
        let row = |b: usize, s: usize| -> Result<usize> {
            let place = match ids.as_deref() {
                Some(&[first]) => usize::try_from(first).ok().and_then(|first| first.checked_add(s)),
                Some(ids) => ids.get(b * len + s).and_then(|&id| usize::try_from(id).ok()),
                None => Some(b * len + s),
            };
            place.filter(|&place| place < rows).ok_or_else(|| {
                Error::invalid("a position has no row in the caches").expected(format!("0 to {rows} (exclusive)"))
            })
        };
        let (x, cos, sin) = (read::<B>(cx.input(0)?)?, read::<B>(cx.input(1)?)?, read::<B>(cx.input(2)?)?);
        cx.device.arena.check(x.len().saturating_mul(size_of::<B>()))?;
        let mut y = x.to_vec();
        for b in 0..batch {
            for s in 0..len {
                let at = row(b, s)?;
                let (cos, sin) = (&cos[at * half..][..half], &sin[at * half..][..half]);
                for h in 0..heads {
                    let start = if mixed { (b * len + s) * heads + h } else { (b * heads + h) * len + s } * width;
                    for (i, (&cos, &sin)) in cos.iter().zip(sin).enumerate() {
                        let (p, q) = if self.interleaved { (2 * i, 2 * i + 1) } else { (i, half + i) };
                        let (u, v) = (x[start + p], x[start + q]);
                        y[start + p] = cos * u - sin * v;
                        y[start + q] = sin * u + cos * v;
                    }
                }
            }
        }
        write(cx, self.dtype, &shape, y)
    }
}

pub static ONNX_LINEAR_ATTENTION: Def<OnnxLinearAttention> = op("OnnxLinearAttention")
    .inputs(&[
        arg("query", of("T")),
        arg("key", of("T")),
        arg("value", of("T")),
        arg("past_state", of("S")).times("num_past_state"),
        arg("decay", of("T")).times("num_decay"),
        arg("beta", of("T")).times("num_beta"),
    ])
    .outputs(&[arg("output", of("T")), arg("present_state", of("S"))])
    .shape(|_, cx| {
        cx.output(0, PartialShape::new([cx.input(0).dim(0), cx.input(0).dim(1), None]));
        cx.output(1, PartialShape::of_rank(4));
        Ok(())
    })
    .kernel(onnx_linear_attention)
    .heavy();

fn onnx_linear_attention(op: &OnnxLinearAttention, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [output, state] = in_base!(op.dtype, |B| op.run::<B>(cx)?);
    cx.set(0, output);
    cx.set(1, state);
    Ok(())
}

impl OnnxLinearAttention {
    fn run<B: Base>(&self, cx: &Cx<'_, '_>) -> Result<[Tensor; 2]> {
        let mut inputs = Inputs::from(3);
        let past = inputs.optional("num_past_state", self.past)?;
        let decay = inputs.optional("num_decay", self.decay)?;
        let beta = inputs.optional("num_beta", self.beta)?;
        let ([batch, len, q_all], [_, _, v_all]) = (sizes(cx, 0, "query")?, sizes(cx, 2, "value")?);
        let heads = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        let (hq, hk) = (heads(self.q_heads), heads(self.kv_heads));
        if !hq.is_multiple_of(hk) || !q_all.is_multiple_of(hq) || !v_all.is_multiple_of(hk) {
            return Err(Error::invalid("the features cannot be divided among the heads").attr("q_num_heads"));
        }
        let (dk, dv) = (q_all / hq, v_all / hk);
        check(cx, 1, "key", &[batch, len, hk * dk])?;
        check(cx, 2, "value", &[batch, len, hk * dv])?;
        let width = |at: usize, name: &str, other: usize| -> Result<usize> {
            match *cx.input(at)?.shape().dims() {
                [b, l, w] if b == batch && l == len && (w == hk || w == other) => Ok(w),
                _ => Err(Error::invalid(format!("{name} has the wrong shape")).found(cx.input(at)?.shape())),
            }
        };
        let decay = decay.map(|at| Ok((width(at, "decay", hk * dk)?, read::<B>(cx.input(at)?)?))).transpose()?;
        let beta = beta.map(|at| Ok((width(at, "beta", 1)?, read::<B>(cx.input(at)?)?))).transpose()?;
        let scale = if self.scale == 0.0 { 1.0 / (dk as f64).sqrt() } else { f64::from(self.scale) };
        let scale = B::of(scale);
        let (q, k, v) = (read::<B>(cx.input(0)?)?, read::<B>(cx.input(1)?)?, read::<B>(cx.input(2)?)?);
        let whole = Shape::new([batch, hk, dk, dv])?;
        let mut state = buffer::<B>(cx, whole.num_elements())?;
        if let Some(at) = past {
            check(cx, at, "past_state", &[batch, hk, dk, dv])?;
            state.copy_from_slice(&read::<B>(cx.input(at)?)?);
        }
        let group = hq / hk;
        let out_shape = Shape::new([batch, len, hq * dv])?;
        let mut out = buffer::<B>(cx, out_shape.num_elements())?;
        for b in 0..batch {
            for t in 0..len {
                let row = b * len + t;
                for h in 0..hk {
                    let state = &mut state[(b * hk + h) * dk * dv..][..dk * dv];
                    let key = &k[(row * hk + h) * dk..][..dk];
                    let mut value = v[(row * hk + h) * dv..][..dv].to_vec();
                    if let Some((w, decay)) = &decay {
                        for d in 0..dk {
                            let g = if *w == hk { decay[row * w + h] } else { decay[row * w + h * dk + d] };
                            state[d * dv..][..dv].iter_mut().for_each(|s| *s = *s * g.exp());
                        }
                    }
                    if let Some((w, beta)) = &beta {
                        let factor = beta[row * w + if *w == hk { h } else { 0 }];
                        for (m, value) in value.iter_mut().enumerate() {
                            let held = (0..dk).fold(B::of(0.0), |sum, d| sum + state[d * dv + m] * key[d]);
                            *value = factor * (*value - held);
                        }
                    }
                    for (d, &key) in key.iter().enumerate() {
                        state[d * dv..][..dv].iter_mut().zip(&value).for_each(|(s, &v)| *s = *s + key * v);
                    }
                    for head in h * group..(h + 1) * group {
                        let query = &q[(row * hq + head) * dk..][..dk];
                        for m in 0..dv {
                            let sum = (0..dk).fold(B::of(0.0), |sum, d| sum + query[d] * state[d * dv + m]);
                            out[(row * hq + head) * dv + m] = scale * sum;
                        }
                    }
                }
            }
        }
        Ok([write(cx, self.dtype, &out_shape, out)?, write(cx, self.state, &whole, state)?])
    }
}

pub static ONNX_CAUSAL_CONV_WITH_STATE: Def<OnnxCausalConvWithState> = op("OnnxCausalConvWithState")
    .inputs(&[
        arg("input", of("T")),
        arg("weight", of("T")),
        arg("bias", of("T")).times("num_bias"),
        arg("past_state", of("T")).times("num_past_state"),
    ])
    .outputs(&[arg("output", of("T")), arg("present_state", of("T"))])
    .shape(|_, cx| {
        let (input, weight) = (cx.with_rank(0, 3)?, cx.with_rank(1, 3)?);
        cx.output(0, input.clone());
        let before = weight.dim(2).and_then(|k| k.checked_sub(1));
        cx.output(1, PartialShape::new([input.dim(0), input.dim(1), before]));
        Ok(())
    })
    .kernel(onnx_causal_conv_with_state)
    .heavy();

fn onnx_causal_conv_with_state(op: &OnnxCausalConvWithState, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [output, state] = in_base!(op.dtype, |B| op.run::<B>(cx)?);
    cx.set(0, output);
    cx.set(1, state);
    Ok(())
}

impl OnnxCausalConvWithState {
    fn run<B: Base>(&self, cx: &Cx<'_, '_>) -> Result<[Tensor; 2]> {
        let mut inputs = Inputs::from(2);
        let bias = inputs.optional("num_bias", self.bias)?;
        let past = inputs.optional("num_past_state", self.past)?;
        let ([batch, channels, len], [_, _, k]) = (sizes(cx, 0, "input")?, sizes(cx, 1, "weight")?);
        check(cx, 1, "weight", &[channels, 1, k])?;
        let before = k.checked_sub(1).ok_or_else(|| Error::invalid("weight has no elements"))?;
        let bias = match bias {
            Some(at) => {
                check(cx, at, "bias", &[channels])?;
                Some(read::<B>(cx.input(at)?)?)
            }
            None => None,
        };
        let past = match past {
            Some(at) => {
                check(cx, at, "past_state", &[batch, channels, before])?;
                Some(read::<B>(cx.input(at)?)?)
            }
            None => None,
        };
        let (x, w) = (read::<B>(cx.input(0)?)?, read::<B>(cx.input(1)?)?);
        let mut out = buffer::<B>(cx, product(&[batch, channels, len])?)?;
        let mut state = buffer::<B>(cx, product(&[batch, channels, before])?)?;
        let mut padded = buffer::<B>(cx, before + len)?;
        for row in 0..batch * channels {
            let channel = row % channels;
            match &past {
                Some(past) => padded[..before].copy_from_slice(&past[row * before..][..before]),
                None => padded[..before].fill(B::of(0.0)),
            }
            padded[before..].copy_from_slice(&x[row * len..][..len]);
            let (filter, first) = (&w[channel * k..][..k], bias.as_ref().map_or(B::of(0.0), |b| b[channel]));
            for (t, out) in out[row * len..][..len].iter_mut().enumerate() {
                let sum = filter.iter().zip(&padded[t..]).fold(first, |sum, (&w, &x)| sum + w * x);
                *out = match self.activation.as_str() {
                    "none" => sum,
                    _ => sum / (B::of(1.0) + (-sum).exp()),
                };
            }
            state[row * before..][..before].copy_from_slice(&padded[len..]);
        }
        let (whole, kept) = (Shape::new([batch, channels, len])?, Shape::new([batch, channels, before])?);
        Ok([write(cx, self.dtype, &whole, out)?, write(cx, self.dtype, &kept, state)?])
    }
}

pub static ONNX_TENSOR_SCATTER: Def<OnnxTensorScatter> = op("OnnxTensorScatter")
    .inputs(&[
        arg("past_cache", of("T")),
        arg("update", of("T")),
        arg("write_indices", is(DType::I64)).times("num_write_indices"),
    ])
    .outputs(&[arg("present_cache", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_tensor_scatter)
    .heavy()
    .supports(|op| op.dtype.is_plain() && !op.dtype.is_narrow());

fn onnx_tensor_scatter(op: &OnnxTensorScatter, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = Inputs::from(2).optional("num_write_indices", op.indices)?;
    let (shape, update) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let axis = axis_of(op.axis, shape.rank())?;
    let fits = update.rank() == shape.rank() && (0..shape.rank()).all(|i| i == axis || shape[i] == update[i]);
    if axis == 0 || !fits || update[axis] > shape[axis] {
        return Err(Error::invalid("update does not match the shape of the cache").expected(shape).found(update));
    }
    let (n, len) = (shape[axis], update[axis]);
    let starts = at.map(|at| cx.i64s(at)).transpose()?.unwrap_or_else(|| vec![0; shape[0]]);
    if starts.len() != shape[0] {
        return Err(Error::invalid("write_indices must have one element per batch")
            .expected(shape[0])
            .found(starts.len()));
    }
    let row = shape[axis + 1..].iter().product::<usize>() * op.dtype.size();
    let each: usize = shape[1..axis].iter().product();
    let source = cx.input(1)?.clone();
    let mut out = cx.take(0)?;
    if let (Some(from), Some(to)) = (source.bytes(), out.bytes_mut()) {
        for prefix in 0..shape[0] * each {
            let start = starts[prefix / each.max(1)];
            for i in 0..len {
                let place = usize::try_from(start).ok().and_then(|start| start.checked_add(i));
                let place = if op.mode == "circular" { place.map(|place| place % n) } else { place };
                let place = place.filter(|&place| place < n).ok_or_else(|| {
                    Error::invalid("update is written outside of the cache")
                        .expected(format!("up to {n} positions"))
                        .found(start)
                })?;
                to[(prefix * n + place) * row..][..row].copy_from_slice(&from[(prefix * len + i) * row..][..row]);
            }
        }
    }
    cx.set(0, out);
    Ok(())
}
