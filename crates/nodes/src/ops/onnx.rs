// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `onnx`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::{DType, Tensor};
use levada_builder::Output;

impl Ops<'_> {
    /// `Attention` of ONNX: `softmax(scale Q Kᵀ + mask) V` for each head, of inputs of rank 4 (batch, heads, positions, features) or 3 (batch, positions, heads and features).
    ///
    /// - `q`: a tensor of `T1`
    /// - `k`: a tensor of `T1`
    /// - `v`: a tensor of `T2`
    /// - `attn_mask`: tensors of `U`, any number
    /// - `past_key`: tensors of `T1`, any number
    /// - `past_value`: tensors of `T2`, any number
    /// - `nonpad_kv_seqlen`: tensors of int64, any number
    ///
    /// `T1` is any float. `T2` is any float. `U` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_attention(&self, q: impl Input, k: impl Input, v: impl Input, attn_mask: impl IntoIterator<Item = impl Input>, past_key: impl IntoIterator<Item = impl Input>, past_value: impl IntoIterator<Item = impl Input>, nonpad_kv_seqlen: impl IntoIterator<Item = impl Input>) -> OnnxAttention<'_> {
        OnnxAttention(Node::new(self, "OnnxAttention").input(q).input(k).input(v).list(attn_mask).list(past_key).list(past_value).list(nonpad_kv_seqlen))
    }

    /// `AveragePool` of ONNX: the average of the elements under each window.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Sizes of windows.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_average_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxAveragePool<'_> {
        let mut node = Node::new(self, "OnnxAveragePool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxAveragePool(node)
    }

    /// The elements of a tensor of uint8, in their order, as one string.
    ///
    /// - `x`: a tensor of uint8
    ///
    /// It has no gradient.
    pub fn onnx_bytes(&self, x: impl Input) -> OnnxBytes<'_> {
        OnnxBytes(Node::new(self, "OnnxBytes").input(x))
    }

    /// `Cast` of ONNX between types of which one has no dtype: floats of 8, 6 and 4 bits (their codes, in uint8), integers of 4 and 2 bits (in int8 and uint8).
    ///
    /// - `x`: a tensor of `SrcT`
    /// - `dst_t`: Element type that holds `y`. Allowed: any dtype.
    /// - `from`: ONNX's number of the element type of `x`.
    /// - `to`: ONNX's number of the element type of `y`.
    ///
    /// `SrcT` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_cast(&self, x: impl Input, dst_t: DType, from: i64, to: i64) -> OnnxCast<'_> {
        let mut node = Node::new(self, "OnnxCast").input(x);
        node.set("DstT", dst_t);
        node.set("from", from);
        node.set("to", to);
        OnnxCast(node)
    }

    /// `CausalConvWithState` of ONNX: a convolution of each channel with its own filter over this position and those before.
    ///
    /// - `input`: a tensor of `T`
    /// - `weight`: a tensor of `T`
    /// - `bias`: tensors of `T`, any number
    /// - `past_state`: tensors of `T`, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_causal_conv_with_state(&self, input: impl Input, weight: impl Input, bias: impl IntoIterator<Item = impl Input>, past_state: impl IntoIterator<Item = impl Input>) -> OnnxCausalConvWithState<'_> {
        OnnxCausalConvWithState(Node::new(self, "OnnxCausalConvWithState").input(input).input(weight).list(bias).list(past_state))
    }

    /// `Col2Im` of ONNX: adds columns of windows up to images.
    ///
    /// - `input`: a tensor of `T`
    /// - `image_shape`: a tensor of int64
    /// - `block_shape`: a tensor of int64
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_col2_im(&self, input: impl Input, image_shape: impl Input, block_shape: impl Input) -> OnnxCol2Im<'_> {
        OnnxCol2Im(Node::new(self, "OnnxCol2Im").input(input).input(image_shape).input(block_shape))
    }

    /// `ConcatFromSequence` of ONNX: the tensors of a sequence one behind the other, or side by side along a new axis.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `t`: Element type. Allowed: any dtype.
    /// - `axis`: The axis.
    ///
    /// It has no gradient.
    pub fn onnx_concat_from_sequence(&self, input_sequence: impl Input, t: DType, axis: i64) -> OnnxConcatFromSequence<'_> {
        let mut node = Node::new(self, "OnnxConcatFromSequence").input(input_sequence);
        node.set("T", t);
        node.set("axis", axis);
        OnnxConcatFromSequence(node)
    }

    /// `ConvInteger` of ONNX: the convolution of `x - x_zero_point` with `w - w_zero_point`.
    ///
    /// - `x`: a tensor of `T1`
    /// - `w`: a tensor of `T2`
    /// - `x_zero_point`: tensors of `T1`, any number
    /// - `w_zero_point`: tensors of `T2`, any number
    ///
    /// `T1` is uint8, int8. `T2` is uint8, int8.
    ///
    /// It has no gradient.
    pub fn onnx_conv_integer(&self, x: impl Input, w: impl Input, x_zero_point: impl IntoIterator<Item = impl Input>, w_zero_point: impl IntoIterator<Item = impl Input>) -> OnnxConvInteger<'_> {
        OnnxConvInteger(Node::new(self, "OnnxConvInteger").input(x).input(w).list(x_zero_point).list(w_zero_point))
    }

    /// `DeformConv` of ONNX: a convolution in which each element under a window is moved by an offset, and weighted by a mask where there is one.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `offset`: a tensor of `T`
    /// - `b`: tensors of `T`, any number
    /// - `mask`: tensors of `T`, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_deform_conv(&self, x: impl Input, w: impl Input, offset: impl Input, b: impl IntoIterator<Item = impl Input>, mask: impl IntoIterator<Item = impl Input>) -> OnnxDeformConv<'_> {
        OnnxDeformConv(Node::new(self, "OnnxDeformConv").input(x).input(w).input(offset).list(b).list(mask))
    }

    /// `DequantizeLinear` of ONNX: `(x - zero point) * x_scale`; the scale is one number, one for each position along `axis`, or one for each block along it.
    ///
    /// - `x`: a tensor of `T1`
    /// - `x_scale`: a tensor of `T2`
    /// - `x_zero_point`: tensors of `T1`, any number
    /// - `t3`: Element type of `y`. Allowed: any float.
    /// - `input_dtype`: ONNX's number of the element type of `x`.
    ///
    /// `T1` is any integer or float. `T2` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_dequantize_linear(&self, x: impl Input, x_scale: impl Input, x_zero_point: impl IntoIterator<Item = impl Input>, t3: DType, input_dtype: i64) -> OnnxDequantizeLinear<'_> {
        let mut node = Node::new(self, "OnnxDequantizeLinear").input(x).input(x_scale).list(x_zero_point);
        node.set("T3", t3);
        node.set("input_dtype", input_dtype);
        OnnxDequantizeLinear(node)
    }

    /// The weights that `MatMulNBits` of `com.microsoft` multiplies with: a matrix of `N` rows and `K` columns, of which each `block_size` along a row have a scale and a zero point.
    ///
    /// - `b`: a tensor of uint8
    /// - `scales`: a tensor of `T1`
    /// - `zero_points`: tensors of `T3`, any number
    /// - `k`: Columns. At least 1.
    /// - `n`: Rows. At least 1.
    /// - `block_size`: Weights of a row for each scale. At least 1.
    ///
    /// `T1` is any float. `T3` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_dequantize_n_bits(&self, b: impl Input, scales: impl Input, zero_points: impl IntoIterator<Item = impl Input>, k: i64, n: i64, block_size: i64) -> OnnxDequantizeNBits<'_> {
        let mut node = Node::new(self, "OnnxDequantizeNBits").input(b).input(scales).list(zero_points);
        node.set("K", k);
        node.set("N", n);
        node.set("block_size", block_size);
        OnnxDequantizeNBits(node)
    }

    /// `DynamicQuantizeLinear` of ONNX: a tensor as uint8, with the scale and zero point that its range needs.
    ///
    /// - `x`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn onnx_dynamic_quantize_linear(&self, x: impl Input) -> OnnxDynamicQuantizeLinear<'_> {
        OnnxDynamicQuantizeLinear(Node::new(self, "OnnxDynamicQuantizeLinear").input(x))
    }

    /// `GRU` of ONNX: a layer of gated recurrent units over sequences, `X` of sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: tensors of `T`, any number
    /// - `sequence_lens`: tensors of int32, any number
    /// - `initial_h`: tensors of `T`, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_gru(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>) -> OnnxGRU<'_> {
        OnnxGRU(Node::new(self, "OnnxGRU").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h))
    }

    /// `GridSample` of ONNX: elements of `X` at the positions that `grid` gives, from -1 to 1 along each axis, the last axis first.
    ///
    /// - `x`: a tensor of `T1`
    /// - `grid`: a tensor of `T2`
    ///
    /// `T1` is any integer or float. `T2` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_grid_sample(&self, x: impl Input, grid: impl Input) -> OnnxGridSample<'_> {
        OnnxGridSample(Node::new(self, "OnnxGridSample").input(x).input(grid))
    }

    /// `LSTM` of ONNX: a layer of long short-term memory over sequences, `X` of sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: tensors of `T`, any number
    /// - `sequence_lens`: tensors of int32, any number
    /// - `initial_h`: tensors of `T`, any number
    /// - `initial_c`: tensors of `T`, any number
    /// - `p`: tensors of `T`, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_lstm(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>, initial_c: impl IntoIterator<Item = impl Input>, p: impl IntoIterator<Item = impl Input>) -> OnnxLSTM<'_> {
        OnnxLSTM(Node::new(self, "OnnxLSTM").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h).list(initial_c).list(p))
    }

    /// `LabelEncoder` of `ai.onnx.ml`: the value that stands for each element of `X`.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of `Y`. Allowed: any dtype.
    /// - `keys_tensor`: What elements of `X` may be.
    /// - `values_tensor`: What stands for each key.
    /// - `default_tensor`: What stands for other elements.
    ///
    /// `T1` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_label_encoder(&self, x: impl Input, t2: DType, keys_tensor: impl Into<Tensor>, values_tensor: impl Into<Tensor>, default_tensor: impl Into<Tensor>) -> OnnxLabelEncoder<'_> {
        let mut node = Node::new(self, "OnnxLabelEncoder").input(x);
        node.set("T2", t2);
        node.set("keys_tensor", Into::<Tensor>::into(keys_tensor));
        node.set("values_tensor", Into::<Tensor>::into(values_tensor));
        node.set("default_tensor", Into::<Tensor>::into(default_tensor));
        OnnxLabelEncoder(node)
    }

    /// `LinearAttention` of ONNX: attention by a state of each head that every position updates and reads.
    ///
    /// - `query`: a tensor of `T`
    /// - `key`: a tensor of `T`
    /// - `value`: a tensor of `T`
    /// - `past_state`: tensors of `S`, any number
    /// - `decay`: tensors of `T`, any number
    /// - `beta`: tensors of `T`, any number
    /// - `kv_num_heads`: Heads of `key` and `value`. At least 1.
    /// - `q_num_heads`: Heads of `query`. At least 1.
    ///
    /// `T` is any float. `S` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_linear_attention(&self, query: impl Input, key: impl Input, value: impl Input, past_state: impl IntoIterator<Item = impl Input>, decay: impl IntoIterator<Item = impl Input>, beta: impl IntoIterator<Item = impl Input>, kv_num_heads: i64, q_num_heads: i64) -> OnnxLinearAttention<'_> {
        let mut node = Node::new(self, "OnnxLinearAttention").input(query).input(key).input(value).list(past_state).list(decay).list(beta);
        node.set("kv_num_heads", kv_num_heads);
        node.set("q_num_heads", q_num_heads);
        OnnxLinearAttention(node)
    }

    /// `LinearClassifier` of `ai.onnx.ml`: the class of each row of `X` with the greatest score, and the scores of all.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the classes. Allowed: string, int64.
    /// - `coefficients`: A row of weights for each class.
    ///
    /// `T1` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_linear_classifier(&self, x: impl Input, t2: DType, coefficients: &[f32]) -> OnnxLinearClassifier<'_> {
        let mut node = Node::new(self, "OnnxLinearClassifier").input(x);
        node.set("T2", t2);
        node.set("coefficients", coefficients.to_vec());
        OnnxLinearClassifier(node)
    }

    /// `LpPool` of ONNX: the p-norm of the elements under each window.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Sizes of windows.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_lp_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxLpPool<'_> {
        let mut node = Node::new(self, "OnnxLpPool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxLpPool(node)
    }

    /// `MatMulInteger` of ONNX: the product of `A - a_zero_point` and `B - b_zero_point`, as numpy multiplies matrices.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `a_zero_point`: tensors of `T1`, any number
    /// - `b_zero_point`: tensors of `T2`, any number
    ///
    /// `T1` is uint8, int8. `T2` is uint8, int8.
    ///
    /// It has no gradient.
    pub fn onnx_mat_mul_integer(&self, a: impl Input, b: impl Input, a_zero_point: impl IntoIterator<Item = impl Input>, b_zero_point: impl IntoIterator<Item = impl Input>) -> OnnxMatMulInteger<'_> {
        OnnxMatMulInteger(Node::new(self, "OnnxMatMulInteger").input(a).input(b).list(a_zero_point).list(b_zero_point))
    }

    /// `MaxPool` of ONNX: the greatest element under each window, and where in `X` it is.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Sizes of windows.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_max_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxMaxPool<'_> {
        let mut node = Node::new(self, "OnnxMaxPool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxMaxPool(node)
    }

    /// `MaxRoiPool` of ONNX: the greatest elements of the cells of each region of interest. Rows of `rois` are the number of the image, x1, y1, x2, y2.
    ///
    /// - `x`: a tensor of `T`
    /// - `rois`: a tensor of `T`
    /// - `pooled_shape`: Cells from top to bottom and from left to right. At least 2 of them.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_max_roi_pool(&self, x: impl Input, rois: impl Input, pooled_shape: &[i64]) -> OnnxMaxRoiPool<'_> {
        let mut node = Node::new(self, "OnnxMaxRoiPool").input(x).input(rois);
        node.set("pooled_shape", pooled_shape.to_vec());
        OnnxMaxRoiPool(node)
    }

    /// `MaxUnpool` of ONNX: puts the elements of `X` where `I`, which `MaxPool` gives, says; zeros elsewhere. `output_shape` may be empty: the shape then follows from the attrs.
    ///
    /// - `x`: a tensor of `T`
    /// - `i`: a tensor of int64
    /// - `output_shape`: a tensor of int64
    /// - `kernel_shape`: Sizes of windows.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_max_unpool(&self, x: impl Input, i: impl Input, output_shape: impl Input, kernel_shape: &[i64]) -> OnnxMaxUnpool<'_> {
        let mut node = Node::new(self, "OnnxMaxUnpool").input(x).input(i).input(output_shape);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxMaxUnpool(node)
    }

    /// `NonMaxSuppression` of ONNX: for each batch and class the boxes with the greatest scores of which none overlaps one before it too much. Rows of the output are batch, class and box.
    ///
    /// - `boxes`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_boxes_per_class`: a tensor of int64
    /// - `iou_threshold`: a tensor of float32
    /// - `score_threshold`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn onnx_non_max_suppression(&self, boxes: impl Input, scores: impl Input, max_output_boxes_per_class: impl Input, iou_threshold: impl Input, score_threshold: impl Input) -> OnnxNonMaxSuppression<'_> {
        OnnxNonMaxSuppression(Node::new(self, "OnnxNonMaxSuppression").input(boxes).input(scores).input(max_output_boxes_per_class).input(iou_threshold).input(score_threshold))
    }

    /// `QuantizeLinear` of ONNX: `x / y_scale`, rounded to even, plus the zero point, saturated; the scale is one number, one for each position along `axis`, or one for each block along it.
    ///
    /// - `x`: a tensor of `T1`
    /// - `y_scale`: a tensor of `T2`
    /// - `y_zero_point`: tensors of `T3`, any number
    /// - `output_dtype`: ONNX's number of the element type of `y`.
    ///
    /// `T1` is any integer or float. `T2` is any integer or float. `T3` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_quantize_linear(&self, x: impl Input, y_scale: impl Input, y_zero_point: impl IntoIterator<Item = impl Input>, output_dtype: i64) -> OnnxQuantizeLinear<'_> {
        let mut node = Node::new(self, "OnnxQuantizeLinear").input(x).input(y_scale).list(y_zero_point);
        node.set("output_dtype", output_dtype);
        OnnxQuantizeLinear(node)
    }

    /// `RNN` of ONNX: a layer of plain recurrent cells over sequences, `X` of sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: tensors of `T`, any number
    /// - `sequence_lens`: tensors of int32, any number
    /// - `initial_h`: tensors of `T`, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_rnn(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>) -> OnnxRNN<'_> {
        OnnxRNN(Node::new(self, "OnnxRNN").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h))
    }

    /// Sums of products of quantized numbers as quantized numbers: `x * scale`, rounded to even, plus the zero point, saturated. `scale` and the zero point broadcast to `x`.
    ///
    /// - `x`: a tensor of int32
    /// - `scale`: a tensor of float32
    /// - `y_zero_point`: a tensor of `T`
    ///
    /// `T` is uint8, int16, int8, uint16.
    ///
    /// It has no gradient.
    pub fn onnx_requantize(&self, x: impl Input, scale: impl Input, y_zero_point: impl Input) -> OnnxRequantize<'_> {
        OnnxRequantize(Node::new(self, "OnnxRequantize").input(x).input(scale).input(y_zero_point))
    }

    /// `Resize` of ONNX: resamples `X` along its axes. `roi` is `[start..., end...]` in units of the sizes and counts for `tf_crop_and_resize` only; of `scales` and `sizes` one is empty.
    ///
    /// - `x`: a tensor of `T`
    /// - `roi`: a tensor of float32
    /// - `scales`: a tensor of float32
    /// - `sizes`: a tensor of int64
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_resize(&self, x: impl Input, roi: impl Input, scales: impl Input, sizes: impl Input) -> OnnxResize<'_> {
        OnnxResize(Node::new(self, "OnnxResize").input(x).input(roi).input(scales).input(sizes))
    }

    /// `RoiAlign` of ONNX: pools each region of interest by samples between the elements. Rows of `rois` are x1, y1, x2, y2.
    ///
    /// - `x`: a tensor of `T1`
    /// - `rois`: a tensor of `T1`
    /// - `batch_indices`: a tensor of int64
    ///
    /// `T1` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_roi_align(&self, x: impl Input, rois: impl Input, batch_indices: impl Input) -> OnnxRoiAlign<'_> {
        OnnxRoiAlign(Node::new(self, "OnnxRoiAlign").input(x).input(rois).input(batch_indices))
    }

    /// `RotaryEmbedding` of ONNX: turns pairs of features by angles of which `cos_cache` and `sin_cache` are cosine and sine. `X` is of rank 4 (batch, heads, positions, features) or 3 (batch, positions, heads and features).
    ///
    /// - `x`: a tensor of `T`
    /// - `cos_cache`: a tensor of `T`
    /// - `sin_cache`: a tensor of `T`
    /// - `position_ids`: tensors of int64, any number
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_rotary_embedding(&self, x: impl Input, cos_cache: impl Input, sin_cache: impl Input, position_ids: impl IntoIterator<Item = impl Input>) -> OnnxRotaryEmbedding<'_> {
        OnnxRotaryEmbedding(Node::new(self, "OnnxRotaryEmbedding").input(x).input(cos_cache).input(sin_cache).list(position_ids))
    }

    /// `SVMClassifier` of `ai.onnx.ml`: the class of each row of `X` by support vectors, and scores.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the classes. Allowed: string, int64.
    /// - `coefficients`: Weights of the support vectors.
    /// - `rho`: What is added to each score.
    ///
    /// `T1` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_svm_classifier(&self, x: impl Input, t2: DType, coefficients: &[f32], rho: &[f32]) -> OnnxSVMClassifier<'_> {
        let mut node = Node::new(self, "OnnxSVMClassifier").input(x);
        node.set("T2", t2);
        node.set("coefficients", coefficients.to_vec());
        node.set("rho", rho.to_vec());
        OnnxSVMClassifier(node)
    }

    /// `SVMRegressor` of `ai.onnx.ml`: a number for each row of `X` by support vectors.
    ///
    /// - `x`: a tensor of `T`
    /// - `coefficients`: Weights of the support vectors.
    /// - `rho`: What is added to the result.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_svm_regressor(&self, x: impl Input, coefficients: &[f32], rho: &[f32]) -> OnnxSVMRegressor<'_> {
        let mut node = Node::new(self, "OnnxSVMRegressor").input(x);
        node.set("coefficients", coefficients.to_vec());
        node.set("rho", rho.to_vec());
        OnnxSVMRegressor(node)
    }

    /// `SequenceAt` of ONNX: the tensor at a position.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `position`: a tensor of int64
    /// - `t`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_at(&self, input_sequence: impl Input, position: impl Input, t: DType) -> OnnxSequenceAt<'_> {
        let mut node = Node::new(self, "OnnxSequenceAt").input(input_sequence).input(position);
        node.set("T", t);
        OnnxSequenceAt(node)
    }

    /// `SequenceConstruct` of ONNX: a sequence of the inputs.
    ///
    /// - `inputs`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_construct(&self, inputs: impl IntoIterator<Item = impl Input>) -> OnnxSequenceConstruct<'_> {
        OnnxSequenceConstruct(Node::new(self, "OnnxSequenceConstruct").list(inputs))
    }

    /// `SequenceEmpty` of ONNX.
    ///
    /// - `t`: Element type of the tensors that the sequence is for. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_empty(&self, t: DType) -> OnnxSequenceEmpty<'_> {
        let mut node = Node::new(self, "OnnxSequenceEmpty");
        node.set("T", t);
        OnnxSequenceEmpty(node)
    }

    /// `SequenceErase` of ONNX: a sequence without the tensor at a position, or without the last.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `position`: tensors of int64, any number
    ///
    /// It has no gradient.
    pub fn onnx_sequence_erase(&self, input_sequence: impl Input, position: impl IntoIterator<Item = impl Input>) -> OnnxSequenceErase<'_> {
        OnnxSequenceErase(Node::new(self, "OnnxSequenceErase").input(input_sequence).list(position))
    }

    /// `SequenceInsert` of ONNX: a sequence with one more tensor, at a position or at the end.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `tensor`: a tensor of `T`
    /// - `position`: tensors of int64, any number
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_insert(&self, input_sequence: impl Input, tensor: impl Input, position: impl IntoIterator<Item = impl Input>) -> OnnxSequenceInsert<'_> {
        OnnxSequenceInsert(Node::new(self, "OnnxSequenceInsert").input(input_sequence).input(tensor).list(position))
    }

    /// `SequenceLength` of ONNX.
    ///
    /// - `input_sequence`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn onnx_sequence_length(&self, input_sequence: impl Input) -> OnnxSequenceLength<'_> {
        OnnxSequenceLength(Node::new(self, "OnnxSequenceLength").input(input_sequence))
    }

    /// `SplitToSequence` of ONNX: the parts of a tensor along an axis; `split` is the size of all or of each, and parts are single elements without it.
    ///
    /// - `input`: a tensor of `T`
    /// - `split`: tensors of int64, any number
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_split_to_sequence(&self, input: impl Input, split: impl IntoIterator<Item = impl Input>) -> OnnxSplitToSequence<'_> {
        OnnxSplitToSequence(Node::new(self, "OnnxSplitToSequence").input(input).list(split))
    }

    /// `StringConcat` of ONNX: pairs of strings put together, with broadcasting.
    ///
    /// - `x`: a tensor of string
    /// - `y`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_concat(&self, x: impl Input, y: impl Input) -> OnnxStringConcat<'_> {
        OnnxStringConcat(Node::new(self, "OnnxStringConcat").input(x).input(y))
    }

    /// `StringNormalizer` of ONNX: leaves stop words out and changes the case of the others.
    ///
    /// - `x`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_normalizer(&self, x: impl Input) -> OnnxStringNormalizer<'_> {
        OnnxStringNormalizer(Node::new(self, "OnnxStringNormalizer").input(x))
    }

    /// `StringSplit` of ONNX: the parts of strings between delimiters, filled up with empty strings, and their numbers.
    ///
    /// - `x`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_split(&self, x: impl Input) -> OnnxStringSplit<'_> {
        OnnxStringSplit(Node::new(self, "OnnxStringSplit").input(x))
    }

    /// `TensorScatter` of ONNX: a cache with `update` written into each batch from a position on.
    ///
    /// - `past_cache`: a tensor of `T`
    /// - `update`: a tensor of `T`
    /// - `write_indices`: tensors of int64, any number
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_tensor_scatter(&self, past_cache: impl Input, update: impl Input, write_indices: impl IntoIterator<Item = impl Input>) -> OnnxTensorScatter<'_> {
        OnnxTensorScatter(Node::new(self, "OnnxTensorScatter").input(past_cache).input(update).list(write_indices))
    }

    /// `TfIdfVectorizer` of ONNX: how often the n-grams of a pool are in each row of `X`.
    ///
    /// - `x`: a tensor of `T`
    /// - `max_gram_length`: The most elements of an n-gram. At least 1.
    /// - `max_skip_count`: The most elements between two neighbours. At least 0.
    /// - `min_gram_length`: The least elements of an n-gram. At least 1.
    /// - `mode`: Counts, weights of those that are there, or counts times weights. One of `"TF"`, `"IDF"`, `"TFIDF"`.
    ///
    /// `T` is int32, string, int64.
    ///
    /// It has no gradient.
    pub fn onnx_tf_idf_vectorizer(&self, x: impl Input, max_gram_length: i64, max_skip_count: i64, min_gram_length: i64, mode: impl AsRef<[u8]>) -> OnnxTfIdfVectorizer<'_> {
        let mut node = Node::new(self, "OnnxTfIdfVectorizer").input(x);
        node.set("max_gram_length", max_gram_length);
        node.set("max_skip_count", max_skip_count);
        node.set("min_gram_length", min_gram_length);
        node.set("mode", string(mode));
        OnnxTfIdfVectorizer(node)
    }

    /// `TreeEnsemble` of `ai.onnx.ml`: for each row of `X` the weights of the leaves that it reaches, put together target by target.
    ///
    /// - `x`: a tensor of `T`
    /// - `leaf_weights`: The weight of each leaf.
    /// - `nodes_modes`: How each node compares: less or equal, less, greater or equal, greater, equal, unequal, member.
    /// - `nodes_splits`: What each node compares with.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_tree_ensemble(&self, x: impl Input, leaf_weights: impl Into<Tensor>, nodes_modes: impl Into<Tensor>, nodes_splits: impl Into<Tensor>) -> OnnxTreeEnsemble<'_> {
        let mut node = Node::new(self, "OnnxTreeEnsemble").input(x);
        node.set("leaf_weights", Into::<Tensor>::into(leaf_weights));
        node.set("nodes_modes", Into::<Tensor>::into(nodes_modes));
        node.set("nodes_splits", Into::<Tensor>::into(nodes_splits));
        OnnxTreeEnsemble(node)
    }

    /// `TreeEnsembleClassifier` of `ai.onnx.ml`: the class of each row of `X` by the sum of the weights of the leaves that it reaches, and the scores of all classes.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the classes. Allowed: string, int64.
    ///
    /// `T1` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_tree_ensemble_classifier(&self, x: impl Input, t2: DType) -> OnnxTreeEnsembleClassifier<'_> {
        let mut node = Node::new(self, "OnnxTreeEnsembleClassifier").input(x);
        node.set("T2", t2);
        OnnxTreeEnsembleClassifier(node)
    }

    /// `TreeEnsembleRegressor` of `ai.onnx.ml`: for each row of `X` the weights of the leaves that it reaches, put together target by target.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_tree_ensemble_regressor(&self, x: impl Input) -> OnnxTreeEnsembleRegressor<'_> {
        OnnxTreeEnsembleRegressor(Node::new(self, "OnnxTreeEnsembleRegressor").input(x))
    }

    /// What `Unique` of ONNX says of `X`: where each of the slices that differ is first, which of them every slice is, and how often each is there.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_unique(&self, x: impl Input) -> OnnxUnique<'_> {
        OnnxUnique(Node::new(self, "OnnxUnique").input(x))
    }
}

/// A node of [`OnnxAttention`](Ops::onnx_attention) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxAttention<'a>(Node<'a>);

impl OnnxAttention<'_> {
    /// 1 where `present_key` and `present_value` are wanted. At least 0. Default: `0`.
    pub fn num_present(mut self, num_present: i64) -> Self {
        self.0.set("num_present", num_present);
        self
    }

    /// 1 where `qk_matmul_output` is wanted. At least 0. Default: `0`.
    pub fn num_qk_matmul_output(mut self, num_qk_matmul_output: i64) -> Self {
        self.0.set("num_qk_matmul_output", num_qk_matmul_output);
        self
    }

    /// Lets no position look at those behind it. Default: `false`.
    pub fn is_causal(mut self, is_causal: bool) -> Self {
        self.0.set("is_causal", is_causal);
        self
    }

    /// Heads of `Q`, for rank 3. Default: `0`.
    pub fn q_num_heads(mut self, q_num_heads: i64) -> Self {
        self.0.set("q_num_heads", q_num_heads);
        self
    }

    /// Heads of `K` and `V`, for rank 3. Default: `0`.
    pub fn kv_num_heads(mut self, kv_num_heads: i64) -> Self {
        self.0.set("kv_num_heads", kv_num_heads);
        self
    }

    /// What products are multiplied with; 0 for one by the root of the number of features. Default: `0.0`.
    pub fn scale(mut self, scale: f32) -> Self {
        self.0.set("scale", scale);
        self
    }

    /// What products are softly capped at; 0 for no cap. Default: `0.0`.
    pub fn softcap(mut self, softcap: f32) -> Self {
        self.0.set("softcap", softcap);
        self
    }

    /// What `qk_matmul_output` is: 0 the products, 1 those capped, 2 those with the mask, 3 the softmax. Default: `0`.
    pub fn qk_matmul_output_mode(mut self, qk_matmul_output_mode: i64) -> Self {
        self.0.set("qk_matmul_output_mode", qk_matmul_output_mode);
        self
    }

    /// Positions that one looks at before itself; -1 for all. Default: `-1`.
    pub fn left_window_size(mut self, left_window_size: i64) -> Self {
        self.0.set("left_window_size", left_window_size);
        self
    }

    /// Positions that one looks at behind itself; -1 for all. Default: `-1`.
    pub fn right_window_size(mut self, right_window_size: i64) -> Self {
        self.0.set("right_window_size", right_window_size);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxAttentionOutputs {
        let mut outputs = self.0.outputs();
        OnnxAttentionOutputs { y: outputs.one(), present_key: outputs.list(), present_value: outputs.list(), qk_matmul_output: outputs.list() }
    }
}

/// The outputs of [`OnnxAttention`](Ops::onnx_attention).
#[derive(Clone, Debug)]
pub struct OnnxAttentionOutputs {
    /// A tensor of `T1`.
    pub y: Output,
    /// Tensors of `T1`, any number.
    pub present_key: Vec<Output>,
    /// Tensors of `T2`, any number.
    pub present_value: Vec<Output>,
    /// Tensors of `T1`, any number.
    pub qk_matmul_output: Vec<Output>,
}

/// A node of [`OnnxAveragePool`](Ops::onnx_average_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxAveragePool<'a>(Node<'a>);

impl OnnxAveragePool<'_> {
    /// How padding follows from the sizes. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// Rounds the number of windows up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// Counts padding as zeros. Default: `false`.
    pub fn count_include_pad(mut self, count_include_pad: bool) -> Self {
        self.0.set("count_include_pad", count_include_pad);
        self
    }

    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxBytes`](Ops::onnx_bytes) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxBytes<'a>(Node<'a>);

/// A node of [`OnnxCast`](Ops::onnx_cast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxCast<'a>(Node<'a>);

impl OnnxCast<'_> {
    /// Takes the largest value for one that is too large. Default: `true`.
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.0.set("saturate", saturate);
        self
    }

    /// How powers of two (E8M0) are rounded. One of `"up"`, `"down"`, `"nearest"`. Default: `"up"`.
    pub fn round_mode(mut self, round_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("round_mode", string(round_mode));
        self
    }
}

/// A node of [`OnnxCausalConvWithState`](Ops::onnx_causal_conv_with_state) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxCausalConvWithState<'a>(Node<'a>);

impl OnnxCausalConvWithState<'_> {
    /// What is done to the result. One of `"none"`, `"silu"`, `"swish"`. Default: `"none"`.
    pub fn activation(mut self, activation: impl AsRef<[u8]>) -> Self {
        self.0.set("activation", string(activation));
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxCausalConvWithStateOutputs {
        let mut outputs = self.0.outputs();
        OnnxCausalConvWithStateOutputs { output: outputs.one(), present_state: outputs.one() }
    }
}

/// The outputs of [`OnnxCausalConvWithState`](Ops::onnx_causal_conv_with_state).
#[derive(Clone, Copy, Debug)]
pub struct OnnxCausalConvWithStateOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `T`.
    pub present_state: Output,
}

/// A node of [`OnnxCol2Im`](Ops::onnx_col2_im) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxCol2Im<'a>(Node<'a>);

impl OnnxCol2Im<'_> {
    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxConcatFromSequence`](Ops::onnx_concat_from_sequence) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxConcatFromSequence<'a>(Node<'a>);

impl OnnxConcatFromSequence<'_> {
    /// Makes a new axis. Default: `false`.
    pub fn new_axis(mut self, new_axis: bool) -> Self {
        self.0.set("new_axis", new_axis);
        self
    }
}

/// A node of [`OnnxConvInteger`](Ops::onnx_conv_integer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxConvInteger<'a>(Node<'a>);

impl OnnxConvInteger<'_> {
    /// How padding follows from the sizes. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Groups of channels. At least 1. Default: `1`.
    pub fn group(mut self, group: i64) -> Self {
        self.0.set("group", group);
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxDeformConv`](Ops::onnx_deform_conv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDeformConv<'a>(Node<'a>);

impl OnnxDeformConv<'_> {
    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Groups of channels. At least 1. Default: `1`.
    pub fn group(mut self, group: i64) -> Self {
        self.0.set("group", group);
        self
    }

    /// Groups of channels with offsets of their own. At least 1. Default: `1`.
    pub fn offset_group(mut self, offset_group: i64) -> Self {
        self.0.set("offset_group", offset_group);
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxDequantizeLinear`](Ops::onnx_dequantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDequantizeLinear<'a>(Node<'a>);

impl OnnxDequantizeLinear<'_> {
    /// The axis of scales that are more than one. Default: `1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Elements along the axis for each scale; 0 where scales are not of blocks. At least 0. Default: `0`.
    pub fn block_size(mut self, block_size: i64) -> Self {
        self.0.set("block_size", block_size);
        self
    }
}

/// A node of [`OnnxDequantizeNBits`](Ops::onnx_dequantize_n_bits) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDequantizeNBits<'a>(Node<'a>);

impl OnnxDequantizeNBits<'_> {
    /// Bits of a weight. Default: `4`.
    pub fn bits(mut self, bits: i64) -> Self {
        self.0.set("bits", bits);
        self
    }
}

/// A node of [`OnnxDynamicQuantizeLinear`](Ops::onnx_dynamic_quantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDynamicQuantizeLinear<'a>(Node<'a>);

impl OnnxDynamicQuantizeLinear<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxDynamicQuantizeLinearOutputs {
        let mut outputs = self.0.outputs();
        OnnxDynamicQuantizeLinearOutputs { y: outputs.one(), y_scale: outputs.one(), y_zero_point: outputs.one() }
    }
}

/// The outputs of [`OnnxDynamicQuantizeLinear`](Ops::onnx_dynamic_quantize_linear).
#[derive(Clone, Copy, Debug)]
pub struct OnnxDynamicQuantizeLinearOutputs {
    /// A tensor of uint8.
    pub y: Output,
    /// A tensor of float32.
    pub y_scale: Output,
    /// A tensor of uint8.
    pub y_zero_point: Output,
}

/// A node of [`OnnxGRU`](Ops::onnx_gru) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxGRU<'a>(Node<'a>);

impl OnnxGRU<'_> {
    /// Constants of the activations that take an alpha. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Constants of the activations that take a beta. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// The two activations of each direction; `Sigmoid`, `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// What gates are clipped to before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Which way sequences are read. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 where the batch is the first axis. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// Multiplies with the reset gate after the linear transformation. Default: `false`.
    pub fn linear_before_reset(mut self, linear_before_reset: bool) -> Self {
        self.0.set("linear_before_reset", linear_before_reset);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxGRUOutputs {
        let mut outputs = self.0.outputs();
        OnnxGRUOutputs { y: outputs.one(), y_h: outputs.one() }
    }
}

/// The outputs of [`OnnxGRU`](Ops::onnx_gru).
#[derive(Clone, Copy, Debug)]
pub struct OnnxGRUOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `T`.
    pub y_h: Output,
}

/// A node of [`OnnxGridSample`](Ops::onnx_grid_sample) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxGridSample<'a>(Node<'a>);

impl OnnxGridSample<'_> {
    /// -1 and 1 are the middles of the elements at the borders, not their edges. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// How elements are interpolated. One of `"linear"`, `"nearest"`, `"cubic"`, `"bilinear"`, `"bicubic"`. Default: `"linear"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// What lies beyond the borders. One of `"zeros"`, `"border"`, `"reflection"`. Default: `"zeros"`.
    pub fn padding_mode(mut self, padding_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("padding_mode", string(padding_mode));
        self
    }
}

/// A node of [`OnnxLSTM`](Ops::onnx_lstm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLSTM<'a>(Node<'a>);

impl OnnxLSTM<'_> {
    /// Constants of the activations that take an alpha. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Constants of the activations that take a beta. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// The three activations of each direction; `Sigmoid`, `Tanh`, `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// What gates are clipped to before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Which way sequences are read. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 where the batch is the first axis. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// Takes 1 less the input gate for the forget gate. Default: `false`.
    pub fn input_forget(mut self, input_forget: bool) -> Self {
        self.0.set("input_forget", input_forget);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxLSTMOutputs {
        let mut outputs = self.0.outputs();
        OnnxLSTMOutputs { y: outputs.one(), y_h: outputs.one(), y_c: outputs.one() }
    }
}

/// The outputs of [`OnnxLSTM`](Ops::onnx_lstm).
#[derive(Clone, Copy, Debug)]
pub struct OnnxLSTMOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `T`.
    pub y_h: Output,
    /// A tensor of `T`.
    pub y_c: Output,
}

/// A node of [`OnnxLabelEncoder`](Ops::onnx_label_encoder) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLabelEncoder<'a>(Node<'a>);

/// A node of [`OnnxLinearAttention`](Ops::onnx_linear_attention) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLinearAttention<'a>(Node<'a>);

impl OnnxLinearAttention<'_> {
    /// What outputs are multiplied with; 0 for one by the root of the number of features. Default: `0.0`.
    pub fn scale(mut self, scale: f32) -> Self {
        self.0.set("scale", scale);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxLinearAttentionOutputs {
        let mut outputs = self.0.outputs();
        OnnxLinearAttentionOutputs { output: outputs.one(), present_state: outputs.one() }
    }
}

/// The outputs of [`OnnxLinearAttention`](Ops::onnx_linear_attention).
#[derive(Clone, Copy, Debug)]
pub struct OnnxLinearAttentionOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `S`.
    pub present_state: Output,
}

/// A node of [`OnnxLinearClassifier`](Ops::onnx_linear_classifier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLinearClassifier<'a>(Node<'a>);

impl OnnxLinearClassifier<'_> {
    /// The classes as numbers. Default: none.
    pub fn classlabels_ints(mut self, classlabels_ints: &[i64]) -> Self {
        self.0.set("classlabels_ints", classlabels_ints.to_vec());
        self
    }

    /// The classes as strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// What is added to the score of each class. Default: none.
    pub fn intercepts(mut self, intercepts: &[f32]) -> Self {
        self.0.set("intercepts", intercepts.to_vec());
        self
    }

    /// What is done to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxLinearClassifierOutputs {
        let mut outputs = self.0.outputs();
        OnnxLinearClassifierOutputs { y: outputs.one(), z: outputs.one() }
    }
}

/// The outputs of [`OnnxLinearClassifier`](Ops::onnx_linear_classifier).
#[derive(Clone, Copy, Debug)]
pub struct OnnxLinearClassifierOutputs {
    /// A tensor of `T2`.
    pub y: Output,
    /// A tensor of float32.
    pub z: Output,
}

/// A node of [`OnnxLpPool`](Ops::onnx_lp_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLpPool<'a>(Node<'a>);

impl OnnxLpPool<'_> {
    /// How padding follows from the sizes. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// Rounds the number of windows up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// The norm. At least 1. Default: `2`.
    pub fn p(mut self, p: i64) -> Self {
        self.0.set("p", p);
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxMatMulInteger`](Ops::onnx_mat_mul_integer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMatMulInteger<'a>(Node<'a>);

/// A node of [`OnnxMaxPool`](Ops::onnx_max_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMaxPool<'a>(Node<'a>);

impl OnnxMaxPool<'_> {
    /// 1 where `Indices` are wanted. At least 0. Default: `0`.
    pub fn num_indices(mut self, num_indices: i64) -> Self {
        self.0.set("num_Indices", num_indices);
        self
    }

    /// How padding follows from the sizes. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// Rounds the number of windows up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// Distances of the elements under a window. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// 1 where `Indices` count columns first. Default: `0`.
    pub fn storage_order(mut self, storage_order: i64) -> Self {
        self.0.set("storage_order", storage_order);
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxMaxPoolOutputs {
        let mut outputs = self.0.outputs();
        OnnxMaxPoolOutputs { y: outputs.one(), indices: outputs.list() }
    }
}

/// The outputs of [`OnnxMaxPool`](Ops::onnx_max_pool).
#[derive(Clone, Debug)]
pub struct OnnxMaxPoolOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// Tensors of int64, any number.
    pub indices: Vec<Output>,
}

/// A node of [`OnnxMaxRoiPool`](Ops::onnx_max_roi_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMaxRoiPool<'a>(Node<'a>);

impl OnnxMaxRoiPool<'_> {
    /// Elements for a unit of `rois`. Default: `1.0`.
    pub fn spatial_scale(mut self, spatial_scale: f32) -> Self {
        self.0.set("spatial_scale", spatial_scale);
        self
    }
}

/// A node of [`OnnxMaxUnpool`](Ops::onnx_max_unpool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMaxUnpool<'a>(Node<'a>);

impl OnnxMaxUnpool<'_> {
    /// Padding before each axis, then behind each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Distances of windows. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxNonMaxSuppression`](Ops::onnx_non_max_suppression) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxNonMaxSuppression<'a>(Node<'a>);

impl OnnxNonMaxSuppression<'_> {
    /// 1 where boxes are given as center, width and height, 0 where by two corners. Default: `0`.
    pub fn center_point_box(mut self, center_point_box: i64) -> Self {
        self.0.set("center_point_box", center_point_box);
        self
    }
}

/// A node of [`OnnxQuantizeLinear`](Ops::onnx_quantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxQuantizeLinear<'a>(Node<'a>);

impl OnnxQuantizeLinear<'_> {
    /// The axis of scales that are more than one. Default: `1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Elements along the axis for each scale; 0 where scales are not of blocks. At least 0. Default: `0`.
    pub fn block_size(mut self, block_size: i64) -> Self {
        self.0.set("block_size", block_size);
        self
    }

    /// Takes the largest float for one that is too large. Default: `true`.
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.0.set("saturate", saturate);
        self
    }
}

/// A node of [`OnnxRNN`](Ops::onnx_rnn) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRNN<'a>(Node<'a>);

impl OnnxRNN<'_> {
    /// Constants of the activations that take an alpha. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Constants of the activations that take a beta. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// The activation of each direction; `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// What gates are clipped to before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Which way sequences are read. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 where the batch is the first axis. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxRNNOutputs {
        let mut outputs = self.0.outputs();
        OnnxRNNOutputs { y: outputs.one(), y_h: outputs.one() }
    }
}

/// The outputs of [`OnnxRNN`](Ops::onnx_rnn).
#[derive(Clone, Copy, Debug)]
pub struct OnnxRNNOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `T`.
    pub y_h: Output,
}

/// A node of [`OnnxRequantize`](Ops::onnx_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRequantize<'a>(Node<'a>);

/// A node of [`OnnxResize`](Ops::onnx_resize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxResize<'a>(Node<'a>);

impl OnnxResize<'_> {
    /// Filters down-sampled axes. Default: `false`.
    pub fn antialias(mut self, antialias: bool) -> Self {
        self.0.set("antialias", antialias);
        self
    }

    /// The axes that `roi`, `scales` and `sizes` speak of; all where it is empty. Default: none.
    pub fn axes(mut self, axes: &[i64]) -> Self {
        self.0.set("axes", axes.to_vec());
        self
    }

    /// How a position in the output becomes one in the input. One of `"half_pixel"`, `"half_pixel_symmetric"`, `"pytorch_half_pixel"`, `"align_corners"`, `"asymmetric"`, `"tf_half_pixel_for_nn"`, `"tf_crop_and_resize"`. Default: `"half_pixel"`.
    pub fn coordinate_transformation_mode(mut self, coordinate_transformation_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("coordinate_transformation_mode", string(coordinate_transformation_mode));
        self
    }

    /// The coefficient of cubic interpolation. Default: `-0.75`.
    pub fn cubic_coeff_a(mut self, cubic_coeff_a: f32) -> Self {
        self.0.set("cubic_coeff_a", cubic_coeff_a);
        self
    }

    /// Leaves elements beyond the border out of the weighted sum, instead of repeating those at the border. Default: `false`.
    pub fn exclude_outside(mut self, exclude_outside: bool) -> Self {
        self.0.set("exclude_outside", exclude_outside);
        self
    }

    /// What `tf_crop_and_resize` takes for positions beyond the border. Default: `0.0`.
    pub fn extrapolation_value(mut self, extrapolation_value: f32) -> Self {
        self.0.set("extrapolation_value", extrapolation_value);
        self
    }

    /// Whether `sizes` are stretched to, or an upper or lower bound with one scale for all axes. One of `"stretch"`, `"not_larger"`, `"not_smaller"`. Default: `"stretch"`.
    pub fn keep_aspect_ratio_policy(mut self, keep_aspect_ratio_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("keep_aspect_ratio_policy", string(keep_aspect_ratio_policy));
        self
    }

    /// How elements are interpolated. One of `"nearest"`, `"linear"`, `"cubic"`. Default: `"nearest"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// How `nearest` rounds. One of `"round_prefer_floor"`, `"round_prefer_ceil"`, `"floor"`, `"ceil"`. Default: `"round_prefer_floor"`.
    pub fn nearest_mode(mut self, nearest_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("nearest_mode", string(nearest_mode));
        self
    }
}

/// A node of [`OnnxRoiAlign`](Ops::onnx_roi_align) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRoiAlign<'a>(Node<'a>);

impl OnnxRoiAlign<'_> {
    /// How positions in images become positions of elements. One of `"half_pixel"`, `"output_half_pixel"`. Default: `"half_pixel"`.
    pub fn coordinate_transformation_mode(mut self, coordinate_transformation_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("coordinate_transformation_mode", string(coordinate_transformation_mode));
        self
    }

    /// What becomes of the samples of a cell. One of `"avg"`, `"max"`. Default: `"avg"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Cells from top to bottom. At least 1. Default: `1`.
    pub fn output_height(mut self, output_height: i64) -> Self {
        self.0.set("output_height", output_height);
        self
    }

    /// Cells from left to right. At least 1. Default: `1`.
    pub fn output_width(mut self, output_width: i64) -> Self {
        self.0.set("output_width", output_width);
        self
    }

    /// Samples of a cell along each axis; 0 for as many as it has elements. At least 0. Default: `0`.
    pub fn sampling_ratio(mut self, sampling_ratio: i64) -> Self {
        self.0.set("sampling_ratio", sampling_ratio);
        self
    }

    /// Elements for a unit of `rois`. Default: `1.0`.
    pub fn spatial_scale(mut self, spatial_scale: f32) -> Self {
        self.0.set("spatial_scale", spatial_scale);
        self
    }
}

/// A node of [`OnnxRotaryEmbedding`](Ops::onnx_rotary_embedding) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRotaryEmbedding<'a>(Node<'a>);

impl OnnxRotaryEmbedding<'_> {
    /// Pairs are neighbours, not features of the two halves. Default: `false`.
    pub fn interleaved(mut self, interleaved: bool) -> Self {
        self.0.set("interleaved", interleaved);
        self
    }

    /// Heads, for rank 3. Default: `0`.
    pub fn num_heads(mut self, num_heads: i64) -> Self {
        self.0.set("num_heads", num_heads);
        self
    }

    /// Features that are turned; 0 for all. At least 0. Default: `0`.
    pub fn rotary_embedding_dim(mut self, rotary_embedding_dim: i64) -> Self {
        self.0.set("rotary_embedding_dim", rotary_embedding_dim);
        self
    }
}

/// A node of [`OnnxSVMClassifier`](Ops::onnx_svm_classifier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSVMClassifier<'a>(Node<'a>);

impl OnnxSVMClassifier<'_> {
    /// The classes as numbers. Default: none.
    pub fn classlabels_ints(mut self, classlabels_ints: &[i64]) -> Self {
        self.0.set("classlabels_ints", classlabels_ints.to_vec());
        self
    }

    /// The classes as strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// Gamma, the constant, the degree. Default: none.
    pub fn kernel_params(mut self, kernel_params: &[f32]) -> Self {
        self.0.set("kernel_params", kernel_params.to_vec());
        self
    }

    /// How two vectors are multiplied. One of `"LINEAR"`, `"POLY"`, `"RBF"`, `"SIGMOID"`. Default: `"LINEAR"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// What is done to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Slopes of the functions that make probabilities of scores. Default: none.
    pub fn prob_a(mut self, prob_a: &[f32]) -> Self {
        self.0.set("prob_a", prob_a.to_vec());
        self
    }

    /// Constants of those functions. Default: none.
    pub fn prob_b(mut self, prob_b: &[f32]) -> Self {
        self.0.set("prob_b", prob_b.to_vec());
        self
    }

    /// The support vectors, one behind the other. Default: none.
    pub fn support_vectors(mut self, support_vectors: &[f32]) -> Self {
        self.0.set("support_vectors", support_vectors.to_vec());
        self
    }

    /// Support vectors of each class. Default: none.
    pub fn vectors_per_class(mut self, vectors_per_class: &[i64]) -> Self {
        self.0.set("vectors_per_class", vectors_per_class.to_vec());
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxSVMClassifierOutputs {
        let mut outputs = self.0.outputs();
        OnnxSVMClassifierOutputs { y: outputs.one(), z: outputs.one() }
    }
}

/// The outputs of [`OnnxSVMClassifier`](Ops::onnx_svm_classifier).
#[derive(Clone, Copy, Debug)]
pub struct OnnxSVMClassifierOutputs {
    /// A tensor of `T2`.
    pub y: Output,
    /// A tensor of float32.
    pub z: Output,
}

/// A node of [`OnnxSVMRegressor`](Ops::onnx_svm_regressor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSVMRegressor<'a>(Node<'a>);

impl OnnxSVMRegressor<'_> {
    /// Gamma, the constant, the degree. Default: none.
    pub fn kernel_params(mut self, kernel_params: &[f32]) -> Self {
        self.0.set("kernel_params", kernel_params.to_vec());
        self
    }

    /// How two vectors are multiplied. One of `"LINEAR"`, `"POLY"`, `"RBF"`, `"SIGMOID"`. Default: `"LINEAR"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// Number of support vectors. At least 0. Default: `0`.
    pub fn n_supports(mut self, n_supports: i64) -> Self {
        self.0.set("n_supports", n_supports);
        self
    }

    /// Gives 1 for what is inside and -1 for what is outside. Default: `false`.
    pub fn one_class(mut self, one_class: bool) -> Self {
        self.0.set("one_class", one_class);
        self
    }

    /// What is done to the result. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// The support vectors, one behind the other. Default: none.
    pub fn support_vectors(mut self, support_vectors: &[f32]) -> Self {
        self.0.set("support_vectors", support_vectors.to_vec());
        self
    }
}

/// A node of [`OnnxSequenceAt`](Ops::onnx_sequence_at) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceAt<'a>(Node<'a>);

/// A node of [`OnnxSequenceConstruct`](Ops::onnx_sequence_construct) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceConstruct<'a>(Node<'a>);

/// A node of [`OnnxSequenceEmpty`](Ops::onnx_sequence_empty) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceEmpty<'a>(Node<'a>);

/// A node of [`OnnxSequenceErase`](Ops::onnx_sequence_erase) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceErase<'a>(Node<'a>);

/// A node of [`OnnxSequenceInsert`](Ops::onnx_sequence_insert) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceInsert<'a>(Node<'a>);

/// A node of [`OnnxSequenceLength`](Ops::onnx_sequence_length) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSequenceLength<'a>(Node<'a>);

/// A node of [`OnnxSplitToSequence`](Ops::onnx_split_to_sequence) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSplitToSequence<'a>(Node<'a>);

impl OnnxSplitToSequence<'_> {
    /// The axis. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Keeps the axis in parts of single elements. Default: `true`.
    pub fn keepdims(mut self, keepdims: bool) -> Self {
        self.0.set("keepdims", keepdims);
        self
    }
}

/// A node of [`OnnxStringConcat`](Ops::onnx_string_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxStringConcat<'a>(Node<'a>);

/// A node of [`OnnxStringNormalizer`](Ops::onnx_string_normalizer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxStringNormalizer<'a>(Node<'a>);

impl OnnxStringNormalizer<'_> {
    /// What becomes of the case. One of `"NONE"`, `"LOWER"`, `"UPPER"`. Default: `"NONE"`.
    pub fn case_change_action(mut self, case_change_action: impl AsRef<[u8]>) -> Self {
        self.0.set("case_change_action", string(case_change_action));
        self
    }

    /// Whether stop words are told by case. Default: `false`.
    pub fn is_case_sensitive(mut self, is_case_sensitive: bool) -> Self {
        self.0.set("is_case_sensitive", is_case_sensitive);
        self
    }

    /// The stop words. Default: none.
    pub fn stopwords(mut self, stopwords: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("stopwords", strings(stopwords));
        self
    }
}

/// A node of [`OnnxStringSplit`](Ops::onnx_string_split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxStringSplit<'a>(Node<'a>);

impl OnnxStringSplit<'_> {
    /// What is between parts; white space where it is empty. Default: `""`.
    pub fn delimiter(mut self, delimiter: impl AsRef<[u8]>) -> Self {
        self.0.set("delimiter", string(delimiter));
        self
    }

    /// The most places to split at; -1 for all. Default: `-1`.
    pub fn maxsplit(mut self, maxsplit: i64) -> Self {
        self.0.set("maxsplit", maxsplit);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxStringSplitOutputs {
        let mut outputs = self.0.outputs();
        OnnxStringSplitOutputs { y: outputs.one(), z: outputs.one() }
    }
}

/// The outputs of [`OnnxStringSplit`](Ops::onnx_string_split).
#[derive(Clone, Copy, Debug)]
pub struct OnnxStringSplitOutputs {
    /// A tensor of string.
    pub y: Output,
    /// A tensor of int64.
    pub z: Output,
}

/// A node of [`OnnxTensorScatter`](Ops::onnx_tensor_scatter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTensorScatter<'a>(Node<'a>);

impl OnnxTensorScatter<'_> {
    /// The axis of positions. Default: `-2`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Whether positions behind the last are those at the beginning. One of `"linear"`, `"circular"`. Default: `"linear"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }
}

/// A node of [`OnnxTfIdfVectorizer`](Ops::onnx_tf_idf_vectorizer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTfIdfVectorizer<'a>(Node<'a>);

impl OnnxTfIdfVectorizer<'_> {
    /// Where the n-grams of each length begin in the pool. Default: none.
    pub fn ngram_counts(mut self, ngram_counts: &[i64]) -> Self {
        self.0.set("ngram_counts", ngram_counts.to_vec());
        self
    }

    /// The element of the output for each n-gram. Default: none.
    pub fn ngram_indexes(mut self, ngram_indexes: &[i64]) -> Self {
        self.0.set("ngram_indexes", ngram_indexes.to_vec());
        self
    }

    /// The n-grams one behind the other, of integers. Default: none.
    pub fn pool_int64s(mut self, pool_int64s: &[i64]) -> Self {
        self.0.set("pool_int64s", pool_int64s.to_vec());
        self
    }

    /// The n-grams one behind the other, of strings. Default: none.
    pub fn pool_strings(mut self, pool_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("pool_strings", strings(pool_strings));
        self
    }

    /// The weight of each n-gram. Default: none.
    pub fn weights(mut self, weights: &[f32]) -> Self {
        self.0.set("weights", weights.to_vec());
        self
    }
}

/// A node of [`OnnxTreeEnsemble`](Ops::onnx_tree_ensemble) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTreeEnsemble<'a>(Node<'a>);

impl OnnxTreeEnsemble<'_> {
    /// How weights are put together: 0 averages, 1 adds, 2 takes the least, 3 the greatest. Default: `1`.
    pub fn aggregate_function(mut self, aggregate_function: i64) -> Self {
        self.0.set("aggregate_function", aggregate_function);
        self
    }

    /// The target of each leaf. Default: none.
    pub fn leaf_targetids(mut self, leaf_targetids: &[i64]) -> Self {
        self.0.set("leaf_targetids", leaf_targetids.to_vec());
        self
    }

    /// Members of the sets of the nodes that test for membership, each ended by NaN. Default: none.
    pub fn membership_values(mut self, membership_values: &[Tensor]) -> Self {
        self.0.set("membership_values", membership_values.to_vec());
        self
    }

    /// Number of targets. At least 1. Default: `1`.
    pub fn n_targets(mut self, n_targets: i64) -> Self {
        self.0.set("n_targets", n_targets);
        self
    }

    /// Whether the node for false is a leaf. Default: none.
    pub fn nodes_falseleafs(mut self, nodes_falseleafs: &[i64]) -> Self {
        self.0.set("nodes_falseleafs", nodes_falseleafs.to_vec());
        self
    }

    /// Where each node goes on for false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// The feature that each node looks at. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether NaN is true at each node. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// Whether the node for true is a leaf. Default: none.
    pub fn nodes_trueleafs(mut self, nodes_trueleafs: &[i64]) -> Self {
        self.0.set("nodes_trueleafs", nodes_trueleafs.to_vec());
        self
    }

    /// Where each node goes on for true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// What is done to the targets: nothing, softmax, logistic function, softmax of what is not zero, probit. Default: `0`.
    pub fn post_transform(mut self, post_transform: i64) -> Self {
        self.0.set("post_transform", post_transform);
        self
    }

    /// The first node of each tree. Default: none.
    pub fn tree_roots(mut self, tree_roots: &[i64]) -> Self {
        self.0.set("tree_roots", tree_roots.to_vec());
        self
    }
}

/// A node of [`OnnxTreeEnsembleClassifier`](Ops::onnx_tree_ensemble_classifier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTreeEnsembleClassifier<'a>(Node<'a>);

impl OnnxTreeEnsembleClassifier<'_> {
    /// What is added to the scores of the classes. Default: none.
    pub fn base_values(mut self, base_values: &[f32]) -> Self {
        self.0.set("base_values", base_values.to_vec());
        self
    }

    /// `base_values` in double precision. Default: none.
    pub fn base_values_as_tensor(mut self, base_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("base_values_as_tensor", base_values_as_tensor.to_vec());
        self
    }

    /// The class of each weight. Default: none.
    pub fn class_ids(mut self, class_ids: &[i64]) -> Self {
        self.0.set("class_ids", class_ids.to_vec());
        self
    }

    /// The node of each weight. Default: none.
    pub fn class_nodeids(mut self, class_nodeids: &[i64]) -> Self {
        self.0.set("class_nodeids", class_nodeids.to_vec());
        self
    }

    /// The tree of each weight. Default: none.
    pub fn class_treeids(mut self, class_treeids: &[i64]) -> Self {
        self.0.set("class_treeids", class_treeids.to_vec());
        self
    }

    /// The weights. Default: none.
    pub fn class_weights(mut self, class_weights: &[f32]) -> Self {
        self.0.set("class_weights", class_weights.to_vec());
        self
    }

    /// `class_weights` in double precision. Default: none.
    pub fn class_weights_as_tensor(mut self, class_weights_as_tensor: &[Tensor]) -> Self {
        self.0.set("class_weights_as_tensor", class_weights_as_tensor.to_vec());
        self
    }

    /// The classes as numbers. Default: none.
    pub fn classlabels_int64s(mut self, classlabels_int64s: &[i64]) -> Self {
        self.0.set("classlabels_int64s", classlabels_int64s.to_vec());
        self
    }

    /// The classes as strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// Where each node goes on for false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// The feature that each node looks at. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether NaN is true at each node. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// How each node compares. Default: none.
    pub fn nodes_modes(mut self, nodes_modes: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("nodes_modes", strings(nodes_modes));
        self
    }

    /// The number of each node in its tree. Default: none.
    pub fn nodes_nodeids(mut self, nodes_nodeids: &[i64]) -> Self {
        self.0.set("nodes_nodeids", nodes_nodeids.to_vec());
        self
    }

    /// The tree of each node. Default: none.
    pub fn nodes_treeids(mut self, nodes_treeids: &[i64]) -> Self {
        self.0.set("nodes_treeids", nodes_treeids.to_vec());
        self
    }

    /// Where each node goes on for true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// What each node compares with. Default: none.
    pub fn nodes_values(mut self, nodes_values: &[f32]) -> Self {
        self.0.set("nodes_values", nodes_values.to_vec());
        self
    }

    /// `nodes_values` in double precision. Default: none.
    pub fn nodes_values_as_tensor(mut self, nodes_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("nodes_values_as_tensor", nodes_values_as_tensor.to_vec());
        self
    }

    /// What is done to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxTreeEnsembleClassifierOutputs {
        let mut outputs = self.0.outputs();
        OnnxTreeEnsembleClassifierOutputs { y: outputs.one(), z: outputs.one() }
    }
}

/// The outputs of [`OnnxTreeEnsembleClassifier`](Ops::onnx_tree_ensemble_classifier).
#[derive(Clone, Copy, Debug)]
pub struct OnnxTreeEnsembleClassifierOutputs {
    /// A tensor of `T2`.
    pub y: Output,
    /// A tensor of float32.
    pub z: Output,
}

/// A node of [`OnnxTreeEnsembleRegressor`](Ops::onnx_tree_ensemble_regressor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTreeEnsembleRegressor<'a>(Node<'a>);

impl OnnxTreeEnsembleRegressor<'_> {
    /// How weights are put together. One of `"AVERAGE"`, `"SUM"`, `"MIN"`, `"MAX"`. Default: `"SUM"`.
    pub fn aggregate_function(mut self, aggregate_function: impl AsRef<[u8]>) -> Self {
        self.0.set("aggregate_function", string(aggregate_function));
        self
    }

    /// What is added to each target. Default: none.
    pub fn base_values(mut self, base_values: &[f32]) -> Self {
        self.0.set("base_values", base_values.to_vec());
        self
    }

    /// `base_values` in double precision. Default: none.
    pub fn base_values_as_tensor(mut self, base_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("base_values_as_tensor", base_values_as_tensor.to_vec());
        self
    }

    /// Number of targets. At least 1. Default: `1`.
    pub fn n_targets(mut self, n_targets: i64) -> Self {
        self.0.set("n_targets", n_targets);
        self
    }

    /// Where each node goes on for false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// The feature that each node looks at. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether NaN is true at each node. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// How each node compares. Default: none.
    pub fn nodes_modes(mut self, nodes_modes: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("nodes_modes", strings(nodes_modes));
        self
    }

    /// The number of each node in its tree. Default: none.
    pub fn nodes_nodeids(mut self, nodes_nodeids: &[i64]) -> Self {
        self.0.set("nodes_nodeids", nodes_nodeids.to_vec());
        self
    }

    /// The tree of each node. Default: none.
    pub fn nodes_treeids(mut self, nodes_treeids: &[i64]) -> Self {
        self.0.set("nodes_treeids", nodes_treeids.to_vec());
        self
    }

    /// Where each node goes on for true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// What each node compares with. Default: none.
    pub fn nodes_values(mut self, nodes_values: &[f32]) -> Self {
        self.0.set("nodes_values", nodes_values.to_vec());
        self
    }

    /// `nodes_values` in double precision. Default: none.
    pub fn nodes_values_as_tensor(mut self, nodes_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("nodes_values_as_tensor", nodes_values_as_tensor.to_vec());
        self
    }

    /// What is done to the targets. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// The target of each weight. Default: none.
    pub fn target_ids(mut self, target_ids: &[i64]) -> Self {
        self.0.set("target_ids", target_ids.to_vec());
        self
    }

    /// The node of each weight. Default: none.
    pub fn target_nodeids(mut self, target_nodeids: &[i64]) -> Self {
        self.0.set("target_nodeids", target_nodeids.to_vec());
        self
    }

    /// The tree of each weight. Default: none.
    pub fn target_treeids(mut self, target_treeids: &[i64]) -> Self {
        self.0.set("target_treeids", target_treeids.to_vec());
        self
    }

    /// The weights. Default: none.
    pub fn target_weights(mut self, target_weights: &[f32]) -> Self {
        self.0.set("target_weights", target_weights.to_vec());
        self
    }

    /// `target_weights` in double precision. Default: none.
    pub fn target_weights_as_tensor(mut self, target_weights_as_tensor: &[Tensor]) -> Self {
        self.0.set("target_weights_as_tensor", target_weights_as_tensor.to_vec());
        self
    }
}

/// A node of [`OnnxUnique`](Ops::onnx_unique) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxUnique<'a>(Node<'a>);

impl OnnxUnique<'_> {
    /// The axis of the slices; slices are single elements where `flat`. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Compares single elements. Default: `false`.
    pub fn flat(mut self, flat: bool) -> Self {
        self.0.set("flat", flat);
        self
    }

    /// In ascending order, rather than in that of `X`. Default: `true`.
    pub fn sorted(mut self, sorted: bool) -> Self {
        self.0.set("sorted", sorted);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> OnnxUniqueOutputs {
        let mut outputs = self.0.outputs();
        OnnxUniqueOutputs { indices: outputs.one(), inverse_indices: outputs.one(), counts: outputs.one() }
    }
}

/// The outputs of [`OnnxUnique`](Ops::onnx_unique).
#[derive(Clone, Copy, Debug)]
pub struct OnnxUniqueOutputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of int64.
    pub inverse_indices: Output,
    /// A tensor of int64.
    pub counts: Output,
}

common! {
    OnnxAttention
    OnnxAveragePool
    OnnxBytes
    OnnxCast
    OnnxCausalConvWithState
    OnnxCol2Im
    OnnxConcatFromSequence
    OnnxConvInteger
    OnnxDeformConv
    OnnxDequantizeLinear
    OnnxDequantizeNBits
    OnnxDynamicQuantizeLinear
    OnnxGRU
    OnnxGridSample
    OnnxLSTM
    OnnxLabelEncoder
    OnnxLinearAttention
    OnnxLinearClassifier
    OnnxLpPool
    OnnxMatMulInteger
    OnnxMaxPool
    OnnxMaxRoiPool
    OnnxMaxUnpool
    OnnxNonMaxSuppression
    OnnxQuantizeLinear
    OnnxRNN
    OnnxRequantize
    OnnxResize
    OnnxRoiAlign
    OnnxRotaryEmbedding
    OnnxSVMClassifier
    OnnxSVMRegressor
    OnnxSequenceAt
    OnnxSequenceConstruct
    OnnxSequenceEmpty
    OnnxSequenceErase
    OnnxSequenceInsert
    OnnxSequenceLength
    OnnxSplitToSequence
    OnnxStringConcat
    OnnxStringNormalizer
    OnnxStringSplit
    OnnxTensorScatter
    OnnxTfIdfVectorizer
    OnnxTreeEnsemble
    OnnxTreeEnsembleClassifier
    OnnxTreeEnsembleRegressor
    OnnxUnique
}

one_output! {
    OnnxAveragePool
    OnnxBytes
    OnnxCast
    OnnxCol2Im
    OnnxConcatFromSequence
    OnnxConvInteger
    OnnxDeformConv
    OnnxDequantizeLinear
    OnnxDequantizeNBits
    OnnxGridSample
    OnnxLabelEncoder
    OnnxLpPool
    OnnxMatMulInteger
    OnnxMaxRoiPool
    OnnxMaxUnpool
    OnnxNonMaxSuppression
    OnnxQuantizeLinear
    OnnxRequantize
    OnnxResize
    OnnxRoiAlign
    OnnxRotaryEmbedding
    OnnxSVMRegressor
    OnnxSequenceAt
    OnnxSequenceConstruct
    OnnxSequenceEmpty
    OnnxSequenceErase
    OnnxSequenceInsert
    OnnxSequenceLength
    OnnxSplitToSequence
    OnnxStringConcat
    OnnxStringNormalizer
    OnnxTensorScatter
    OnnxTfIdfVectorizer
    OnnxTreeEnsemble
    OnnxTreeEnsembleRegressor
}
