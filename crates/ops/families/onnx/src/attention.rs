//! `Attention` of ONNX.

use crate::base::{Base, Inputs, buffer, product, read, write};
use crate::prelude::*;
use levada_gemm::{Mat, Size, multiply_here};
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

attrs! {
    /// `Attention` of ONNX: `softmax(scale Q Kᵀ + mask) V` for each head, with inputs of rank 4 (batch, heads,
    /// positions, features) or rank 3 (batch, positions, heads times features).
    pub struct OnnxAttention {
        /// Element type of `Q`.
        dtype: DType = Attr::dtype("T1", sets::FLOATS),
        /// Element type of `V`.
        value: DType = Attr::dtype("T2", sets::FLOATS),
        /// Element type of the mask.
        mask_type: DType = Attr::dtype("U", sets::ANY).or_type(DType::F32),
        /// 1 if `attn_mask` is given, otherwise 0.
        mask: i64 = Attr::int("num_attn_mask").or_int(0).at_least(0),
        /// 1 if `past_key` and `past_value` are given, otherwise 0.
        past: i64 = Attr::int("num_past").or_int(0).at_least(0),
        /// 1 if `nonpad_kv_seqlen` is given, otherwise 0.
        lens: i64 = Attr::int("num_nonpad_kv_seqlen").or_int(0).at_least(0),
        /// 1 if `present_key` and `present_value` are requested, otherwise 0.
        present: i64 = Attr::int("num_present").or_int(0).at_least(0),
        /// 1 if `qk_matmul_output` is requested, otherwise 0.
        products: i64 = Attr::int("num_qk_matmul_output").or_int(0).at_least(0),
        /// If true, positions attend only to themselves and preceding positions.
        causal: bool = Attr::bool("is_causal").or_bool(false),
        /// Number of heads of `Q`, for rank 3.
        q_heads: i64 = Attr::int("q_num_heads").or_int(0),
        /// Number of heads of `K` and `V`, for rank 3.
        kv_heads: i64 = Attr::int("kv_num_heads").or_int(0),
        /// Factor of the attention scores; 0 for the reciprocal square root of the head size.
        scale: f32 = Attr::float("scale").or_float(0.0),
        /// Soft cap of the attention scores; 0 for no cap.
        softcap: f32 = Attr::float("softcap").or_float(0.0),
        /// Contents of `qk_matmul_output`: 0 for the raw scores, 1 after the soft cap, 2 after the mask, 3 after the
        /// softmax.
        mode: i64 = Attr::int("qk_matmul_output_mode").or_int(0),
        /// Number of preceding positions a position attends to; -1 for all.
        left: i64 = Attr::int("left_window_size").or_int(-1),
        /// Number of following positions a position attends to; -1 for all.
        right: i64 = Attr::int("right_window_size").or_int(-1),
    }
}

pub static ONNX_ATTENTION: Def<OnnxAttention> = op("OnnxAttention")
    .inputs(&[
        arg("Q", of("T1")),
        arg("K", of("T1")),
        arg("V", of("T2")),
        arg("attn_mask", of("U")).times("num_attn_mask"),
        arg("past_key", of("T1")).times("num_past"),
        arg("past_value", of("T2")).times("num_past"),
        arg("nonpad_kv_seqlen", is(DType::I64)).times("num_nonpad_kv_seqlen"),
    ])
    .outputs(&[
        arg("Y", of("T1")),
        arg("present_key", of("T1")).times("num_present"),
        arg("present_value", of("T2")).times("num_present"),
        arg("qk_matmul_output", of("T1")).times("num_qk_matmul_output"),
    ])
    .shape(shape)
    .kernel(onnx_attention)
    .heavy();

fn shape(op: &OnnxAttention, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (q, v) = (cx.input(0), cx.input(2));
    match q.rank() {
        Some(4) => cx.output(0, PartialShape::new([q.dim(0), q.dim(1), q.dim(2), v.dim(3)])),
        Some(3) => {
            let heads = |n: i64| usize::try_from(n).ok().filter(|&n| n > 0);
            let width = v.dim(2).zip(heads(op.kv_heads)).zip(heads(op.q_heads));
            let width = width.and_then(|((v, kv), q)| (v / kv).checked_mul(q));
            cx.output(0, PartialShape::new([q.dim(0), q.dim(1), width]));
        }
        _ => {}
    }
    for i in 1..cx.num_outputs() {
        cx.output(i, PartialShape::of_rank(4));
    }
    Ok(())
}

fn onnx_attention(op: &OnnxAttention, cx: &mut Cx<'_, '_>) -> Result<()> {
    let outputs = in_base!(op.dtype, |B| op.run::<B>(cx)?);
    for (i, output) in outputs.into_iter().enumerate() {
        cx.set(i, output);
    }
    Ok(())
}

/// A tensor viewed as heads: rows of `width` features per head and position.
struct Heads<'a, B: Base> {
    data: Cow<'a, [B]>,
    heads: usize,
    len: usize,
    width: usize,
    /// Whether the position axis precedes the head axis.
    mixed: bool,
}

impl<'a, B: Base> Heads<'a, B> {
    fn of(tensor: &'a Tensor, name: &str, heads: i64) -> Result<Heads<'a, B>> {
        let data = read::<B>(tensor)?;
        match *tensor.shape().dims() {
            [_, heads, len, width] => Ok(Heads { data, heads, len, width, mixed: false }),
            [_, len, width] => {
                let heads =
                    usize::try_from(heads).ok().filter(|&h| h > 0 && width.is_multiple_of(h)).ok_or_else(|| {
                        Error::invalid(format!("the features of {name} cannot be divided among the heads"))
                            .attr("q_num_heads")
                            .expected(format!("a divisor of {width}"))
                            .found(heads)
                    })?;
                Ok(Heads { data, heads, len, width: width / heads, mixed: true })
            }
            _ => {
                Err(Error::invalid(format!("{name} has the wrong rank")).expected("rank 3 or 4").found(tensor.shape()))
            }
        }
    }

    /// The matrix of a head, one row per position.
    fn head(&self, batch: usize, head: usize) -> Mat<'_, B> {
        let (start, row) = match self.mixed {
            true => ((batch * self.len * self.heads + head) * self.width, self.heads * self.width),
            false => ((batch * self.heads + head) * self.len * self.width, self.width),
        };
        Mat { data: &self.data[start.min(self.data.len())..], row, col: 1, conj: false }
    }

    /// Moves the position axis after the head axis and prepends the positions of `past`.
    fn behind(self, cx: &Cx<'_, '_>, batches: usize, past: Option<&Tensor>) -> Result<Heads<'a, B>> {
        if past.is_none() && !self.mixed {
            return Ok(self);
        }
        let before = match past {
            Some(past) => match *past.shape().dims() {
                [b, h, len, width] if (b, h, width) == (batches, self.heads, self.width) => len,
                _ => {
                    return Err(Error::invalid("the cache has the wrong shape")
                        .expected(format!("[{batches},{},?,{}]", self.heads, self.width))
                        .found(past.shape()));
                }
            },
            None => 0,
        };
        let len = before + self.len;
        let mut data = buffer::<B>(cx, product(&[batches, self.heads, len, self.width])?)?;
        let past = past.map(read::<B>).transpose()?;
        let w = self.width;
        for (number, out) in data.chunks_exact_mut((len * w).max(1)).enumerate() {
            let (first, rest) = out.split_at_mut(before * w);
            if let Some(past) = &past {
                first.copy_from_slice(&past[number * before * w..][..before * w]);
            }
            let own = self.head(number / self.heads, number % self.heads);
            for (i, row) in rest.chunks_exact_mut(w.max(1)).enumerate() {
                row.copy_from_slice(&own.data[i * own.row..][..w]);
            }
        }
        Ok(Heads { data: Cow::Owned(data), heads: self.heads, len, width: w, mixed: false })
    }
}

/// The bias added to the attention scores.
struct Bias<'a, B: Base> {
    mask: Option<(Cow<'a, [B]>, bool)>,
    /// The mask's strides for batch, head, query and key.
    strides: [usize; 4],
    /// Number of keys the mask covers.
    known: usize,
    /// Position of the first query in key positions, per batch.
    offset: Vec<i64>,
    /// Number of keys that are not padding, per batch.
    lens: Option<Vec<i64>>,
}

impl OnnxAttention {
    fn bias<'a, B: Base>(
        &self,
        cx: &'a Cx<'_, '_>,
        [batches, heads, queries, keys]: [usize; 4],
        before: usize,
        (mask, lens): (Option<usize>, Option<usize>),
    ) -> Result<Bias<'a, B>> {
        // Beyond this limit all positions are equivalent.
        let within = |lens: Vec<i64>| lens.into_iter().map(|n| n.clamp(-(1 << 40), 1 << 40)).collect::<Vec<i64>>();
        let lens = lens.map(|at| cx.i64s(at)).transpose()?.map(within);
        if let Some(lens) = &lens
            && lens.len() != batches
        {
            return Err(Error::invalid("nonpad_kv_seqlen must have one element per batch")
                .expected(batches)
                .found(lens.len()));
        }
        let offset = match &lens {
            Some(lens) if before == 0 => lens.iter().map(|&n| n - queries as i64).collect(),
            _ => vec![before as i64; batches],
        };
        let Some(at) = mask else { return Ok(Bias { mask: None, strides: [0; 4], known: keys, offset, lens }) };
        let mask = cx.input(at)?;
        let shape = mask.shape();
        let whole = [batches, heads, queries, keys];
        let mut strides = [0; 4];
        let skip = 4usize.checked_sub(shape.rank());
        for (i, (&n, s)) in shape.iter().zip(shape.strides()).enumerate() {
            let axis = skip.map(|skip| skip + i);
            match axis {
                Some(3) if n <= keys => strides[3] = s,
                Some(axis) if n == whole[axis] => strides[axis] = s,
                Some(_) if n == 1 => {}
                _ => {
                    return Err(Error::invalid("the mask has the wrong shape")
                        .expected(format!("{whole:?}"))
                        .found(shape));
                }
            }
        }
        let known = shape.last().copied().unwrap_or(keys);
        let is_bool = mask.dtype() == DType::Bool;
        Ok(Bias { mask: Some((read::<B>(mask)?, is_bool)), strides, known, offset, lens })
    }

    /// Adds the bias to a row of scores; returns false if no key is visible.
    fn add<B: Base>(&self, bias: &Bias<'_, B>, (batch, head, query): (usize, usize, usize), row: &mut [B]) -> bool {
        let minus = B::of(f64::NEG_INFINITY);
        let place = query as i64 + bias.offset[batch];
        let start = batch * bias.strides[0] + head * bias.strides[1] + query * bias.strides[2];
        let mut any = false;
        for (j, v) in row.iter_mut().enumerate() {
            let ahead = j as i64 - place;
            let hidden = (self.causal && ahead > 0)
                || (self.left >= 0 && -ahead > self.left)
                || (self.right >= 0 && ahead > self.right)
                || bias.lens.as_ref().is_some_and(|lens| j as i64 >= lens[batch]);
            let added = match &bias.mask {
                _ if hidden => minus,
                Some(_) if j >= bias.known => minus,
                Some((mask, true)) if mask[start + j * bias.strides[3]] == B::of(0.0) => minus,
                Some((_, true)) | None => B::of(0.0),
                Some((mask, false)) => mask[start + j * bias.strides[3]],
            };
            any |= added > minus;
            *v = *v + added;
        }
        any
    }

    /// Computes the outputs.
    fn run<B: Base>(&self, cx: &Cx<'_, '_>) -> Result<Vec<Tensor>> {
        let mut inputs = Inputs::from(3);
        let mask = inputs.optional("num_attn_mask", self.mask)?;
        let past_key = inputs.optional("num_past", self.past)?;
        let past_value = inputs.optional("num_past", self.past)?;
        let lens = inputs.optional("num_nonpad_kv_seqlen", self.lens)?;
        let (q_shape, k_shape, v_shape) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?.shape());
        if q_shape.rank() != k_shape.rank() || q_shape.rank() != v_shape.rank() {
            return Err(
                Error::invalid("Q, K and V must have the same rank").found(format!("{q_shape}, {k_shape}, {v_shape}"))
            );
        }
        let q = Heads::<B>::of(cx.input(0)?, "Q", self.q_heads)?;
        let k = Heads::<B>::of(cx.input(1)?, "K", self.kv_heads)?;
        let v = Heads::<B>::of(cx.input(2)?, "V", self.kv_heads)?;
        let batches = q_shape[0];
        let agree = k.heads == v.heads && k.len == v.len && k.width == q.width && k.heads > 0;
        if !agree || k_shape[0] != batches || v_shape[0] != batches || !q.heads.is_multiple_of(k.heads) {
            return Err(Error::invalid("the shapes of Q, K and V do not agree")
                .found(format!("{q_shape}, {k_shape} and {v_shape}")));
        }
        let new = k.len;
        let keep = self.present > 0;
        let (k, v) = match past_key.zip(past_value) {
            Some((key, value)) => {
                (k.behind(cx, batches, Some(cx.input(key)?))?, v.behind(cx, batches, Some(cx.input(value)?))?)
            }
            None if keep => (k.behind(cx, batches, None)?, v.behind(cx, batches, None)?),
            None => (k, v),
        };
        if k.len != v.len {
            return Err(Error::invalid("past_key and past_value have the same length"));
        }
        let (heads, queries, keys, width) = (q.heads, q.len, k.len, v.width);
        let bias = self.bias::<B>(cx, [batches, heads, queries, keys], keys - new, (mask, lens))?;
        let scale = if self.scale == 0.0 { 1.0 / (q.width as f64).sqrt() } else { f64::from(self.scale) };
        let cells = product(&[queries, keys])?;
        cx.device.arena.check(cells.saturating_mul(size_of::<B>()).saturating_mul(cx.pool().threads()))?;
        let mut out = buffer::<B>(cx, product(&[batches, heads, queries, width])?)?;
        let wants = self.products > 0;
        let mut shown = buffer::<B>(cx, if wants { product(&[batches, heads, queries, keys])? } else { 0 })?;
        let group = heads / k.heads;
        let (scale, cap) = (B::of(scale), B::of(f64::from(self.softcap)));
        // Computes the scores of a head, then the weighted sum of its values.
        let one = |number: usize, scores: &mut [B], out: &mut [B], mut shown: Option<&mut [B]>| -> Result<()> {
            let (batch, head) = (number / heads, number % heads);
            let (keys_of, values_of) = (k.head(batch, head / group), v.head(batch, head / group));
            let mut show = |mode: i64, scores: &[B]| {
                if let Some(shown) = shown.as_mut().filter(|_| mode == self.mode) {
                    shown.copy_from_slice(scores);
                }
            };
            multiply_here(
                Size { m: queries, n: keys, k: q.width },
                q.head(batch, head),
                keys_of.t(),
                scores,
                keys,
                false,
            )?;
            scores.iter_mut().for_each(|s| *s = *s * scale);
            if cap > B::of(0.0) {
                scores.iter_mut().for_each(|s| *s = (*s / cap).tanh() * cap);
            }
            show(0, scores);
            show(1, scores);
            let mut visible = vec![false; queries];
            for (query, row) in scores.chunks_exact_mut(keys.max(1)).enumerate() {
                visible[query] = self.add(&bias, (batch, head, query), row);
            }
            show(2, scores);
            for (row, visible) in scores.chunks_exact_mut(keys.max(1)).zip(visible) {
                softmax(row, visible);
            }
            show(3, scores);
            multiply_here(Size { m: queries, n: width, k: keys }, Mat::new(scores, keys), values_of, out, width, false)
        };
        let chunk = queries * width;
        let failed = Mutex::new(None);
        if wants {
            let mut scores = vec![B::of(0.0); cells];
            for (number, out) in out.chunks_exact_mut(chunk.max(1)).enumerate() {
                one(number, &mut scores, out, shown.get_mut(number * cells..(number + 1) * cells))?;
            }
        } else {
            let cost = (cells * (q.width + width)) as f64 * 0.1;
            cx.pool().for_chunks(&mut out, chunk, cost, |first, piece| {
                let mut scores = vec![B::of(0.0); cells];
                for (i, out) in piece.chunks_exact_mut(chunk).enumerate() {
                    if let Err(error) = one(first + i, &mut scores, out, None) {
                        // The lock is held only briefly, and only on errors.
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                }
            });
        }
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        self.give(cx, [batches, heads, queries, keys, width], q.mixed, out, shown, (k, v))
    }

    /// Converts the outputs to tensors.
    fn give<B: Base>(
        &self,
        cx: &Cx<'_, '_>,
        [batches, heads, queries, keys, width]: [usize; 5],
        mixed: bool,
        mut out: Vec<B>,
        shown: Vec<B>,
        (k, v): (Heads<'_, B>, Heads<'_, B>),
    ) -> Result<Vec<Tensor>> {
        let mut shape = Shape::new([batches, heads, queries, width])?;
        if mixed {
            let mut moved = buffer::<B>(cx, out.len())?;
            for (row, from) in out.chunks_exact(width.max(1)).enumerate() {
                let (batch, head, query) = (row / queries / heads, row / queries % heads, row % queries);
                moved[((batch * queries + query) * heads + head) * width..][..width].copy_from_slice(from);
            }
            out = moved;
            shape = Shape::new([batches, queries, heads * width])?;
        }
        let mut outputs = vec![write(cx, self.dtype, &shape, out)?];
        if self.present > 0 {
            let cache = |heads: &Heads<'_, B>| Shape::new([batches, heads.heads, heads.len, heads.width]);
            outputs.push(write(cx, self.dtype, &cache(&k)?, k.data.into_owned())?);
            outputs.push(write(cx, self.value, &cache(&v)?, v.data.into_owned())?);
        }
        if self.products > 0 {
            outputs.push(write(cx, self.dtype, &Shape::new([batches, heads, queries, keys])?, shown)?);
        }
        Ok(outputs)
    }
}

/// The softmax of a row; zeros if nothing in it is visible.
fn softmax<B: Base>(row: &mut [B], visible: bool) {
    if !visible {
        return row.fill(B::of(0.0));
    }
    let greatest = row.iter().fold(B::of(f64::NEG_INFINITY), |m, &v| m.max(v));
    row.iter_mut().for_each(|v| *v = (*v - greatest).exp());
    let sum = row.iter().fold(B::of(0.0), |sum, &v| sum + v);
    row.iter_mut().for_each(|v| *v = *v / sum);
}
