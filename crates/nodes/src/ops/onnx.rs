// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `onnx`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::{DType, Tensor};
use levada_builder::Output;

impl Ops<'_> {
    /// `Attention` of ONNX: `softmax(scale Q Kᵀ + mask) V` for each head, with inputs of rank 4 (batch, heads, positions, features) or rank 3 (batch, positions, heads times features).
    ///
    /// - `q`: a tensor of `T1`
    /// - `k`: a tensor of `T1`
    /// - `v`: a tensor of `T2`
    /// - `attn_mask`: any number of tensors of `U`
    /// - `past_key`: any number of tensors of `T1`
    /// - `past_value`: any number of tensors of `T2`
    /// - `nonpad_kv_seqlen`: any number of tensors of int64
    ///
    /// `T1` is any float. `T2` is any float. `U` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_attention(&self, q: impl Input, k: impl Input, v: impl Input, attn_mask: impl IntoIterator<Item = impl Input>, past_key: impl IntoIterator<Item = impl Input>, past_value: impl IntoIterator<Item = impl Input>, nonpad_kv_seqlen: impl IntoIterator<Item = impl Input>) -> OnnxAttention<'_> {
        OnnxAttention(Node::new(self, "OnnxAttention").input(q).input(k).input(v).list(attn_mask).list(past_key).list(past_value).list(nonpad_kv_seqlen))
    }

    /// `AveragePool` of ONNX: the mean of each window.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Window size along each spatial axis.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_average_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxAveragePool<'_> {
        let mut node = Node::new(self, "OnnxAveragePool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxAveragePool(node)
    }

    /// Concatenates the elements of a uint8 tensor, in order, into one string.
    ///
    /// - `x`: a tensor of uint8
    ///
    /// It has no gradient.
    pub fn onnx_bytes(&self, x: impl Input) -> OnnxBytes<'_> {
        OnnxBytes(Node::new(self, "OnnxBytes").input(x))
    }

    /// `Cast` of ONNX if either type has no dtype: floats of 8, 6 and 4 bits (as codes in uint8), integers of 4 and 2 bits (in int8 and uint8).
    ///
    /// - `x`: a tensor of `SrcT`
    /// - `dst_t`: Element type that holds `y`. Allowed: any dtype.
    /// - `from`: ONNX element type of `x`, as its number in `TensorProto.DataType`.
    /// - `to`: ONNX element type of `y`, as its number in `TensorProto.DataType`.
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

    /// `CausalConvWithState` of ONNX: a depthwise convolution over the current and preceding positions.
    ///
    /// - `input`: a tensor of `T`
    /// - `weight`: a tensor of `T`
    /// - `bias`: any number of tensors of `T`
    /// - `past_state`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_causal_conv_with_state(&self, input: impl Input, weight: impl Input, bias: impl IntoIterator<Item = impl Input>, past_state: impl IntoIterator<Item = impl Input>) -> OnnxCausalConvWithState<'_> {
        OnnxCausalConvWithState(Node::new(self, "OnnxCausalConvWithState").input(input).input(weight).list(bias).list(past_state))
    }

    /// `Col2Im` of ONNX: accumulates columns of window elements into images.
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

    /// `ConcatFromSequence` of ONNX: concatenates the tensors of a sequence, or stacks them along a new axis.
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
    /// - `x_zero_point`: any number of tensors of `T1`
    /// - `w_zero_point`: any number of tensors of `T2`
    ///
    /// `T1` is uint8, int8. `T2` is uint8, int8.
    ///
    /// It has no gradient.
    pub fn onnx_conv_integer(&self, x: impl Input, w: impl Input, x_zero_point: impl IntoIterator<Item = impl Input>, w_zero_point: impl IntoIterator<Item = impl Input>) -> OnnxConvInteger<'_> {
        OnnxConvInteger(Node::new(self, "OnnxConvInteger").input(x).input(w).list(x_zero_point).list(w_zero_point))
    }

    /// `DeformConv` of ONNX: a deformable convolution, in which each sampled element is displaced by an offset and optionally weighted by a mask.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `offset`: a tensor of `T`
    /// - `b`: any number of tensors of `T`
    /// - `mask`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_deform_conv(&self, x: impl Input, w: impl Input, offset: impl Input, b: impl IntoIterator<Item = impl Input>, mask: impl IntoIterator<Item = impl Input>) -> OnnxDeformConv<'_> {
        OnnxDeformConv(Node::new(self, "OnnxDeformConv").input(x).input(w).input(offset).list(b).list(mask))
    }

    /// `DequantizeLinear` of ONNX: `(x - zero point) * x_scale`. The scale is a scalar, or has one element per position along `axis` or per block along it.
    ///
    /// - `x`: a tensor of `T1`
    /// - `x_scale`: a tensor of `T2`
    /// - `x_zero_point`: any number of tensors of `T1`
    /// - `t3`: Element type of `y`. Allowed: any float.
    /// - `input_dtype`: ONNX element type of `x`, as its number in `TensorProto.DataType`.
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

    /// Dequantizes the weights of `MatMulNBits` of `com.microsoft`: a matrix of `N` rows and `K` columns, in which each run of `block_size` elements along a row has its own scale and zero point.
    ///
    /// - `b`: a tensor of uint8
    /// - `scales`: a tensor of `T1`
    /// - `zero_points`: any number of tensors of `T3`
    /// - `k`: Number of columns. At least 1.
    /// - `n`: Number of rows. At least 1.
    /// - `block_size`: Number of weights in a row per scale. At least 1.
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

    /// `DynamicQuantizeLinear` of ONNX: quantizes a tensor to uint8 with a scale and zero point derived from its range.
    ///
    /// - `x`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn onnx_dynamic_quantize_linear(&self, x: impl Input) -> OnnxDynamicQuantizeLinear<'_> {
        OnnxDynamicQuantizeLinear(Node::new(self, "OnnxDynamicQuantizeLinear").input(x))
    }

    /// `GRU` of ONNX: a gated recurrent unit layer over sequences, with `X` of shape sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: any number of tensors of `T`
    /// - `sequence_lens`: any number of tensors of int32
    /// - `initial_h`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_gru(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>) -> OnnxGRU<'_> {
        OnnxGRU(Node::new(self, "OnnxGRU").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h))
    }

    /// `GridSample` of ONNX: samples `X` at the positions in `grid`, normalized to the range -1 to 1 along each axis, last axis first.
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

    /// `LSTM` of ONNX: a long short-term memory layer over sequences, with `X` of shape sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: any number of tensors of `T`
    /// - `sequence_lens`: any number of tensors of int32
    /// - `initial_h`: any number of tensors of `T`
    /// - `initial_c`: any number of tensors of `T`
    /// - `p`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_lstm(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>, initial_c: impl IntoIterator<Item = impl Input>, p: impl IntoIterator<Item = impl Input>) -> OnnxLSTM<'_> {
        OnnxLSTM(Node::new(self, "OnnxLSTM").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h).list(initial_c).list(p))
    }

    /// `LabelEncoder` of `ai.onnx.ml`: maps each element of `X` to the value for its key.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of `Y`. Allowed: any dtype.
    /// - `keys_tensor`: The keys.
    /// - `values_tensor`: The value of each key.
    /// - `default_tensor`: The value for elements that are not keys.
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

    /// `LinearAttention` of ONNX: attention through a per-head state that every position updates and reads.
    ///
    /// - `query`: a tensor of `T`
    /// - `key`: a tensor of `T`
    /// - `value`: a tensor of `T`
    /// - `past_state`: any number of tensors of `S`
    /// - `decay`: any number of tensors of `T`
    /// - `beta`: any number of tensors of `T`
    /// - `kv_num_heads`: Number of heads of `key` and `value`. At least 1.
    /// - `q_num_heads`: Number of heads of `query`. At least 1.
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

    /// `LinearClassifier` of `ai.onnx.ml`: returns the class with the highest score for each row of `X`, and the scores of all classes.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the class labels. Allowed: string, int64.
    /// - `coefficients`: Weights, one row per class.
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

    /// `LpPool` of ONNX: the p-norm of each window.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Window size along each spatial axis.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_lp_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxLpPool<'_> {
        let mut node = Node::new(self, "OnnxLpPool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxLpPool(node)
    }

    /// `MatMulInteger` of ONNX: the product of `A - a_zero_point` and `B - b_zero_point`, with NumPy's `matmul` semantics.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `a_zero_point`: any number of tensors of `T1`
    /// - `b_zero_point`: any number of tensors of `T2`
    ///
    /// `T1` is uint8, int8. `T2` is uint8, int8.
    ///
    /// It has no gradient.
    pub fn onnx_mat_mul_integer(&self, a: impl Input, b: impl Input, a_zero_point: impl IntoIterator<Item = impl Input>, b_zero_point: impl IntoIterator<Item = impl Input>) -> OnnxMatMulInteger<'_> {
        OnnxMatMulInteger(Node::new(self, "OnnxMatMulInteger").input(a).input(b).list(a_zero_point).list(b_zero_point))
    }

    /// `MaxPool` of ONNX: the maximum of each window, and its index in `X`.
    ///
    /// - `x`: a tensor of `T`
    /// - `kernel_shape`: Window size along each spatial axis.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_max_pool(&self, x: impl Input, kernel_shape: &[i64]) -> OnnxMaxPool<'_> {
        let mut node = Node::new(self, "OnnxMaxPool").input(x);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxMaxPool(node)
    }

    /// `MaxRoiPool` of ONNX: the maximum of each cell of each region of interest. Rows of `rois` are image index, x1, y1, x2, y2.
    ///
    /// - `x`: a tensor of `T`
    /// - `rois`: a tensor of `T`
    /// - `pooled_shape`: Number of cell rows and columns. Length at least 2.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_max_roi_pool(&self, x: impl Input, rois: impl Input, pooled_shape: &[i64]) -> OnnxMaxRoiPool<'_> {
        let mut node = Node::new(self, "OnnxMaxRoiPool").input(x).input(rois);
        node.set("pooled_shape", pooled_shape.to_vec());
        OnnxMaxRoiPool(node)
    }

    /// `MaxUnpool` of ONNX: writes the elements of `X` to the positions in `I`, as returned by `MaxPool`, and zeros elsewhere. If `output_shape` is empty, the shape is derived from the attrs.
    ///
    /// - `x`: a tensor of `T`
    /// - `i`: a tensor of int64
    /// - `output_shape`: a tensor of int64
    /// - `kernel_shape`: Window size along each spatial axis.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_max_unpool(&self, x: impl Input, i: impl Input, output_shape: impl Input, kernel_shape: &[i64]) -> OnnxMaxUnpool<'_> {
        let mut node = Node::new(self, "OnnxMaxUnpool").input(x).input(i).input(output_shape);
        node.set("kernel_shape", kernel_shape.to_vec());
        OnnxMaxUnpool(node)
    }

    /// `NonMaxSuppression` of ONNX: selects, for each batch and class, boxes in descending score order, skipping those that overlap a selected box too much. Rows of the output are batch, class and box.
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

    /// `QuantizeLinear` of ONNX: `x / y_scale`, rounded half to even, plus the zero point, saturated. The scale is a scalar, or has one element per position along `axis` or per block along it.
    ///
    /// - `x`: a tensor of `T1`
    /// - `y_scale`: a tensor of `T2`
    /// - `y_zero_point`: any number of tensors of `T3`
    /// - `output_dtype`: ONNX element type of `y`, as its number in `TensorProto.DataType`.
    ///
    /// `T1` is any integer or float. `T2` is any integer or float. `T3` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_quantize_linear(&self, x: impl Input, y_scale: impl Input, y_zero_point: impl IntoIterator<Item = impl Input>, output_dtype: i64) -> OnnxQuantizeLinear<'_> {
        let mut node = Node::new(self, "OnnxQuantizeLinear").input(x).input(y_scale).list(y_zero_point);
        node.set("output_dtype", output_dtype);
        OnnxQuantizeLinear(node)
    }

    /// `RNN` of ONNX: a simple recurrent layer over sequences, with `X` of shape sequence length, batch, features.
    ///
    /// - `x`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `b`: any number of tensors of `T`
    /// - `sequence_lens`: any number of tensors of int32
    /// - `initial_h`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_rnn(&self, x: impl Input, w: impl Input, r: impl Input, b: impl IntoIterator<Item = impl Input>, sequence_lens: impl IntoIterator<Item = impl Input>, initial_h: impl IntoIterator<Item = impl Input>) -> OnnxRNN<'_> {
        OnnxRNN(Node::new(self, "OnnxRNN").input(x).input(w).input(r).list(b).list(sequence_lens).list(initial_h))
    }

    /// Requantizes sums of products of quantized values: `x * scale`, rounded half to even, plus the zero point, saturated. `scale` and the zero point broadcast to `x`.
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

    /// `Resize` of ONNX: resamples `X` along its axes. `roi` is `[start..., end...]` normalized to the sizes and is used by `tf_crop_and_resize` only; one of `scales` and `sizes` is empty.
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

    /// `RoiAlign` of ONNX: pools each region of interest from interpolated samples. Rows of `rois` are x1, y1, x2, y2.
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

    /// `RotaryEmbedding` of ONNX: rotates pairs of features by the angles whose cosines and sines are in `cos_cache` and `sin_cache`. `X` has rank 4 (batch, heads, positions, features) or 3 (batch, positions, heads times features).
    ///
    /// - `x`: a tensor of `T`
    /// - `cos_cache`: a tensor of `T`
    /// - `sin_cache`: a tensor of `T`
    /// - `position_ids`: any number of tensors of int64
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn onnx_rotary_embedding(&self, x: impl Input, cos_cache: impl Input, sin_cache: impl Input, position_ids: impl IntoIterator<Item = impl Input>) -> OnnxRotaryEmbedding<'_> {
        OnnxRotaryEmbedding(Node::new(self, "OnnxRotaryEmbedding").input(x).input(cos_cache).input(sin_cache).list(position_ids))
    }

    /// `SVMClassifier` of `ai.onnx.ml`: classifies each row of `X` with a support vector machine, and returns its scores.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the class labels. Allowed: string, int64.
    /// - `coefficients`: Coefficients of the support vectors.
    /// - `rho`: Constants added to the scores.
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

    /// `SVMRegressor` of `ai.onnx.ml`: support vector regression of each row of `X`.
    ///
    /// - `x`: a tensor of `T`
    /// - `coefficients`: Coefficients of the support vectors.
    /// - `rho`: Constant added to the result.
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
    /// - `inputs`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_construct(&self, inputs: impl IntoIterator<Item = impl Input>) -> OnnxSequenceConstruct<'_> {
        OnnxSequenceConstruct(Node::new(self, "OnnxSequenceConstruct").list(inputs))
    }

    /// `SequenceEmpty` of ONNX: an empty sequence.
    ///
    /// - `t`: Element type of the sequence's tensors. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_empty(&self, t: DType) -> OnnxSequenceEmpty<'_> {
        let mut node = Node::new(self, "OnnxSequenceEmpty");
        node.set("T", t);
        OnnxSequenceEmpty(node)
    }

    /// `SequenceErase` of ONNX: removes the tensor at a position, or the last one.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `position`: any number of tensors of int64
    ///
    /// It has no gradient.
    pub fn onnx_sequence_erase(&self, input_sequence: impl Input, position: impl IntoIterator<Item = impl Input>) -> OnnxSequenceErase<'_> {
        OnnxSequenceErase(Node::new(self, "OnnxSequenceErase").input(input_sequence).list(position))
    }

    /// `SequenceInsert` of ONNX: inserts a tensor into a sequence at a position, or appends it.
    ///
    /// - `input_sequence`: a tensor of variant
    /// - `tensor`: a tensor of `T`
    /// - `position`: any number of tensors of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_sequence_insert(&self, input_sequence: impl Input, tensor: impl Input, position: impl IntoIterator<Item = impl Input>) -> OnnxSequenceInsert<'_> {
        OnnxSequenceInsert(Node::new(self, "OnnxSequenceInsert").input(input_sequence).input(tensor).list(position))
    }

    /// `SequenceLength` of ONNX: the number of tensors in a sequence.
    ///
    /// - `input_sequence`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn onnx_sequence_length(&self, input_sequence: impl Input) -> OnnxSequenceLength<'_> {
        OnnxSequenceLength(Node::new(self, "OnnxSequenceLength").input(input_sequence))
    }

    /// `SplitToSequence` of ONNX: splits a tensor along an axis. `split` is the size of all parts or of each; without it, parts are single elements.
    ///
    /// - `input`: a tensor of `T`
    /// - `split`: any number of tensors of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_split_to_sequence(&self, input: impl Input, split: impl IntoIterator<Item = impl Input>) -> OnnxSplitToSequence<'_> {
        OnnxSplitToSequence(Node::new(self, "OnnxSplitToSequence").input(input).list(split))
    }

    /// `StringConcat` of ONNX: concatenates strings elementwise, with broadcasting.
    ///
    /// - `x`: a tensor of string
    /// - `y`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_concat(&self, x: impl Input, y: impl Input) -> OnnxStringConcat<'_> {
        OnnxStringConcat(Node::new(self, "OnnxStringConcat").input(x).input(y))
    }

    /// `StringNormalizer` of ONNX: removes stop words and changes the case of the remaining words.
    ///
    /// - `x`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_normalizer(&self, x: impl Input) -> OnnxStringNormalizer<'_> {
        OnnxStringNormalizer(Node::new(self, "OnnxStringNormalizer").input(x))
    }

    /// `StringSplit` of ONNX: splits strings at a delimiter; returns the parts, padded with empty strings, and their counts.
    ///
    /// - `x`: a tensor of string
    ///
    /// It has no gradient.
    pub fn onnx_string_split(&self, x: impl Input) -> OnnxStringSplit<'_> {
        OnnxStringSplit(Node::new(self, "OnnxStringSplit").input(x))
    }

    /// `TensorScatter` of ONNX: writes `update` into each batch of a cache, starting at a position.
    ///
    /// - `past_cache`: a tensor of `T`
    /// - `update`: a tensor of `T`
    /// - `write_indices`: any number of tensors of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn onnx_tensor_scatter(&self, past_cache: impl Input, update: impl Input, write_indices: impl IntoIterator<Item = impl Input>) -> OnnxTensorScatter<'_> {
        OnnxTensorScatter(Node::new(self, "OnnxTensorScatter").input(past_cache).input(update).list(write_indices))
    }

    /// `TfIdfVectorizer` of ONNX: counts the occurrences of a pool's n-grams in each row of `X`.
    ///
    /// - `x`: a tensor of `T`
    /// - `max_gram_length`: Maximum length of an n-gram. At least 1.
    /// - `max_skip_count`: Maximum number of elements skipped between two elements of an n-gram. At least 0.
    /// - `min_gram_length`: Minimum length of an n-gram. At least 1.
    /// - `mode`: `TF` for counts, `IDF` for the weights of n-grams that occur, `TFIDF` for counts times weights. One of `"TF"`, `"IDF"`, `"TFIDF"`.
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

    /// `TreeEnsemble` of `ai.onnx.ml`: aggregates, per target, the weights of the leaves that each row of `X` reaches.
    ///
    /// - `x`: a tensor of `T`
    /// - `leaf_weights`: Weight of each leaf.
    /// - `nodes_modes`: Comparison of each node: less or equal, less, greater or equal, greater, equal, not equal, member.
    /// - `nodes_splits`: Value each node compares with.
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

    /// `TreeEnsembleClassifier` of `ai.onnx.ml`: classifies each row of `X` by the summed weights of the leaves it reaches, and returns the scores of all classes.
    ///
    /// - `x`: a tensor of `T1`
    /// - `t2`: Element type of the class labels. Allowed: string, int64.
    ///
    /// `T1` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_tree_ensemble_classifier(&self, x: impl Input, t2: DType) -> OnnxTreeEnsembleClassifier<'_> {
        let mut node = Node::new(self, "OnnxTreeEnsembleClassifier").input(x);
        node.set("T2", t2);
        OnnxTreeEnsembleClassifier(node)
    }

    /// `TreeEnsembleRegressor` of `ai.onnx.ml`: aggregates, per target, the weights of the leaves that each row of `X` reaches.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn onnx_tree_ensemble_regressor(&self, x: impl Input) -> OnnxTreeEnsembleRegressor<'_> {
        OnnxTreeEnsembleRegressor(Node::new(self, "OnnxTreeEnsembleRegressor").input(x))
    }

    /// The index outputs of `Unique` of ONNX for `X`: the first occurrence of each distinct slice, the distinct slice that each slice equals, and the number of occurrences.
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
    /// 1 if `present_key` and `present_value` are requested, otherwise 0. At least 0. Default: `0`.
    pub fn num_present(mut self, num_present: i64) -> Self {
        self.0.set("num_present", num_present);
        self
    }

    /// 1 if `qk_matmul_output` is requested, otherwise 0. At least 0. Default: `0`.
    pub fn num_qk_matmul_output(mut self, num_qk_matmul_output: i64) -> Self {
        self.0.set("num_qk_matmul_output", num_qk_matmul_output);
        self
    }

    /// If true, positions attend only to themselves and preceding positions. Default: `false`.
    pub fn is_causal(mut self, is_causal: bool) -> Self {
        self.0.set("is_causal", is_causal);
        self
    }

    /// Number of heads of `Q`, for rank 3. Default: `0`.
    pub fn q_num_heads(mut self, q_num_heads: i64) -> Self {
        self.0.set("q_num_heads", q_num_heads);
        self
    }

    /// Number of heads of `K` and `V`, for rank 3. Default: `0`.
    pub fn kv_num_heads(mut self, kv_num_heads: i64) -> Self {
        self.0.set("kv_num_heads", kv_num_heads);
        self
    }

    /// Factor of the attention scores; 0 for the reciprocal square root of the head size. Default: `0.0`.
    pub fn scale(mut self, scale: f32) -> Self {
        self.0.set("scale", scale);
        self
    }

    /// Soft cap of the attention scores; 0 for no cap. Default: `0.0`.
    pub fn softcap(mut self, softcap: f32) -> Self {
        self.0.set("softcap", softcap);
        self
    }

    /// Contents of `qk_matmul_output`: 0 for the raw scores, 1 after the soft cap, 2 after the mask, 3 after the softmax. Default: `0`.
    pub fn qk_matmul_output_mode(mut self, qk_matmul_output_mode: i64) -> Self {
        self.0.set("qk_matmul_output_mode", qk_matmul_output_mode);
        self
    }

    /// Number of preceding positions a position attends to; -1 for all. Default: `-1`.
    pub fn left_window_size(mut self, left_window_size: i64) -> Self {
        self.0.set("left_window_size", left_window_size);
        self
    }

    /// Number of following positions a position attends to; -1 for all. Default: `-1`.
    pub fn right_window_size(mut self, right_window_size: i64) -> Self {
        self.0.set("right_window_size", right_window_size);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Any number of tensors of `T1`.
    pub present_key: Vec<Output>,
    /// Any number of tensors of `T2`.
    pub present_value: Vec<Output>,
    /// Any number of tensors of `T1`.
    pub qk_matmul_output: Vec<Output>,
}

/// A node of [`OnnxAveragePool`](Ops::onnx_average_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxAveragePool<'a>(Node<'a>);

impl OnnxAveragePool<'_> {
    /// Automatic padding mode; `NOTSET` uses `pads`. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// If true, the number of windows is rounded up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// If true, padding is included as zeros. Default: `false`.
    pub fn count_include_pad(mut self, count_include_pad: bool) -> Self {
        self.0.set("count_include_pad", count_include_pad);
        self
    }

    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
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
    /// If true, out-of-range values become the maximum finite value. Default: `true`.
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.0.set("saturate", saturate);
        self
    }

    /// Rounding of powers of two (E8M0). One of `"up"`, `"down"`, `"nearest"`. Default: `"up"`.
    pub fn round_mode(mut self, round_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("round_mode", string(round_mode));
        self
    }
}

/// A node of [`OnnxCausalConvWithState`](Ops::onnx_causal_conv_with_state) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxCausalConvWithState<'a>(Node<'a>);

impl OnnxCausalConvWithState<'_> {
    /// Activation applied to the result. One of `"none"`, `"silu"`, `"swish"`. Default: `"none"`.
    pub fn activation(mut self, activation: impl AsRef<[u8]>) -> Self {
        self.0.set("activation", string(activation));
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxConcatFromSequence`](Ops::onnx_concat_from_sequence) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxConcatFromSequence<'a>(Node<'a>);

impl OnnxConcatFromSequence<'_> {
    /// If true, stacks along a new axis. Default: `false`.
    pub fn new_axis(mut self, new_axis: bool) -> Self {
        self.0.set("new_axis", new_axis);
        self
    }
}

/// A node of [`OnnxConvInteger`](Ops::onnx_conv_integer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxConvInteger<'a>(Node<'a>);

impl OnnxConvInteger<'_> {
    /// Automatic padding mode; `NOTSET` uses `pads`. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Number of channel groups. At least 1. Default: `1`.
    pub fn group(mut self, group: i64) -> Self {
        self.0.set("group", group);
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxDeformConv`](Ops::onnx_deform_conv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDeformConv<'a>(Node<'a>);

impl OnnxDeformConv<'_> {
    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Number of channel groups. At least 1. Default: `1`.
    pub fn group(mut self, group: i64) -> Self {
        self.0.set("group", group);
        self
    }

    /// Number of channel groups with separate offsets. At least 1. Default: `1`.
    pub fn offset_group(mut self, offset_group: i64) -> Self {
        self.0.set("offset_group", offset_group);
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxDequantizeLinear`](Ops::onnx_dequantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDequantizeLinear<'a>(Node<'a>);

impl OnnxDequantizeLinear<'_> {
    /// The axis along which scales vary. Default: `1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Elements along the axis per scale for blocked quantization; otherwise 0. At least 0. Default: `0`.
    pub fn block_size(mut self, block_size: i64) -> Self {
        self.0.set("block_size", block_size);
        self
    }
}

/// A node of [`OnnxDequantizeNBits`](Ops::onnx_dequantize_n_bits) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDequantizeNBits<'a>(Node<'a>);

impl OnnxDequantizeNBits<'_> {
    /// Bits per weight. Default: `4`.
    pub fn bits(mut self, bits: i64) -> Self {
        self.0.set("bits", bits);
        self
    }
}

/// A node of [`OnnxDynamicQuantizeLinear`](Ops::onnx_dynamic_quantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxDynamicQuantizeLinear<'a>(Node<'a>);

impl OnnxDynamicQuantizeLinear<'_> {
    /// Adds the node to the graph; returns its outputs.
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
    /// Alpha values of the activations that have one. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Beta values of the activations that have one. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// Activations of each direction; `Sigmoid`, `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// Limit to which gates are clipped before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Direction in which sequences are processed. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 if the batch is the first axis, otherwise 0. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// If true, the reset gate is applied after the linear transformation. Default: `false`.
    pub fn linear_before_reset(mut self, linear_before_reset: bool) -> Self {
        self.0.set("linear_before_reset", linear_before_reset);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// If true, -1 and 1 refer to the centers of the border elements, otherwise to their outer edges. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// Interpolation mode. One of `"linear"`, `"nearest"`, `"cubic"`, `"bilinear"`, `"bicubic"`. Default: `"linear"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Padding mode for positions outside of `X`. One of `"zeros"`, `"border"`, `"reflection"`. Default: `"zeros"`.
    pub fn padding_mode(mut self, padding_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("padding_mode", string(padding_mode));
        self
    }
}

/// A node of [`OnnxLSTM`](Ops::onnx_lstm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxLSTM<'a>(Node<'a>);

impl OnnxLSTM<'_> {
    /// Alpha values of the activations that have one. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Beta values of the activations that have one. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// Activations of each direction; `Sigmoid`, `Tanh`, `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// Limit to which gates are clipped before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Direction in which sequences are processed. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 if the batch is the first axis, otherwise 0. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// If true, the forget gate is 1 minus the input gate. Default: `false`.
    pub fn input_forget(mut self, input_forget: bool) -> Self {
        self.0.set("input_forget", input_forget);
        self
    }

    /// If true, `X` and the output of each step are rounded as by `DynamicQuantizeLinear`. Default: `false`.
    pub fn dynamic_quantization(mut self, dynamic_quantization: bool) -> Self {
        self.0.set("dynamic_quantization", dynamic_quantization);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Factor of the outputs; 0 for the reciprocal square root of the head size. Default: `0.0`.
    pub fn scale(mut self, scale: f32) -> Self {
        self.0.set("scale", scale);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Class labels, if they are integers. Default: none.
    pub fn classlabels_ints(mut self, classlabels_ints: &[i64]) -> Self {
        self.0.set("classlabels_ints", classlabels_ints.to_vec());
        self
    }

    /// Class labels, if they are strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// Intercept added to the score of each class. Default: none.
    pub fn intercepts(mut self, intercepts: &[f32]) -> Self {
        self.0.set("intercepts", intercepts.to_vec());
        self
    }

    /// Transform applied to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Automatic padding mode; `NOTSET` uses `pads`. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// If true, the number of windows is rounded up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// The exponent p. At least 1. Default: `2`.
    pub fn p(mut self, p: i64) -> Self {
        self.0.set("p", p);
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
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
    /// 1 if `Indices` are requested, otherwise 0. At least 0. Default: `0`.
    pub fn num_indices(mut self, num_indices: i64) -> Self {
        self.0.set("num_Indices", num_indices);
        self
    }

    /// Automatic padding mode; `NOTSET` uses `pads`. One of `"NOTSET"`, `"SAME_UPPER"`, `"SAME_LOWER"`, `"VALID"`. Default: `"NOTSET"`.
    pub fn auto_pad(mut self, auto_pad: impl AsRef<[u8]>) -> Self {
        self.0.set("auto_pad", string(auto_pad));
        self
    }

    /// If true, the number of windows is rounded up. Default: `false`.
    pub fn ceil_mode(mut self, ceil_mode: bool) -> Self {
        self.0.set("ceil_mode", ceil_mode);
        self
    }

    /// Dilation of the window along each spatial axis. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// 1 if `Indices` are column-major, otherwise 0. Default: `0`.
    pub fn storage_order(mut self, storage_order: i64) -> Self {
        self.0.set("storage_order", storage_order);
        self
    }

    /// Stride along each spatial axis. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Any number of tensors of int64.
    pub indices: Vec<Output>,
}

/// A node of [`OnnxMaxRoiPool`](Ops::onnx_max_roi_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMaxRoiPool<'a>(Node<'a>);

impl OnnxMaxRoiPool<'_> {
    /// Number of elements per unit of `rois`. Default: `1.0`.
    pub fn spatial_scale(mut self, spatial_scale: f32) -> Self {
        self.0.set("spatial_scale", spatial_scale);
        self
    }
}

/// A node of [`OnnxMaxUnpool`](Ops::onnx_max_unpool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMaxUnpool<'a>(Node<'a>);

impl OnnxMaxUnpool<'_> {
    /// Padding before each spatial axis, followed by the padding after each. Default: none.
    pub fn pads(mut self, pads: &[i64]) -> Self {
        self.0.set("pads", pads.to_vec());
        self
    }

    /// Stride along each spatial axis. Default: none.
    pub fn strides(mut self, strides: &[i64]) -> Self {
        self.0.set("strides", strides.to_vec());
        self
    }
}

/// A node of [`OnnxNonMaxSuppression`](Ops::onnx_non_max_suppression) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxNonMaxSuppression<'a>(Node<'a>);

impl OnnxNonMaxSuppression<'_> {
    /// Box format: 1 for center, width and height; 0 for two corners. Default: `0`.
    pub fn center_point_box(mut self, center_point_box: i64) -> Self {
        self.0.set("center_point_box", center_point_box);
        self
    }
}

/// A node of [`OnnxQuantizeLinear`](Ops::onnx_quantize_linear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxQuantizeLinear<'a>(Node<'a>);

impl OnnxQuantizeLinear<'_> {
    /// The axis along which scales vary. Default: `1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Elements along the axis per scale for blocked quantization; otherwise 0. At least 0. Default: `0`.
    pub fn block_size(mut self, block_size: i64) -> Self {
        self.0.set("block_size", block_size);
        self
    }

    /// If true, out-of-range floats become the maximum finite value. Default: `true`.
    pub fn saturate(mut self, saturate: bool) -> Self {
        self.0.set("saturate", saturate);
        self
    }
}

/// A node of [`OnnxRNN`](Ops::onnx_rnn) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRNN<'a>(Node<'a>);

impl OnnxRNN<'_> {
    /// Alpha values of the activations that have one. Default: none.
    pub fn activation_alpha(mut self, activation_alpha: &[f32]) -> Self {
        self.0.set("activation_alpha", activation_alpha.to_vec());
        self
    }

    /// Beta values of the activations that have one. Default: none.
    pub fn activation_beta(mut self, activation_beta: &[f32]) -> Self {
        self.0.set("activation_beta", activation_beta.to_vec());
        self
    }

    /// Activation of each direction; `Tanh` by default. Default: none.
    pub fn activations(mut self, activations: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("activations", strings(activations));
        self
    }

    /// Limit to which gates are clipped before the activation; 0 for no clipping. Default: `0.0`.
    pub fn clip(mut self, clip: f32) -> Self {
        self.0.set("clip", clip);
        self
    }

    /// Direction in which sequences are processed. One of `"forward"`, `"reverse"`, `"bidirectional"`. Default: `"forward"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// 1 if the batch is the first axis, otherwise 0. Default: `0`.
    pub fn layout(mut self, layout: i64) -> Self {
        self.0.set("layout", layout);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// If true, downsampled axes are antialiased. Default: `false`.
    pub fn antialias(mut self, antialias: bool) -> Self {
        self.0.set("antialias", antialias);
        self
    }

    /// The axes that `roi`, `scales` and `sizes` refer to; all if empty. Default: none.
    pub fn axes(mut self, axes: &[i64]) -> Self {
        self.0.set("axes", axes.to_vec());
        self
    }

    /// Mapping from output to input coordinates. One of `"half_pixel"`, `"half_pixel_symmetric"`, `"pytorch_half_pixel"`, `"align_corners"`, `"asymmetric"`, `"tf_half_pixel_for_nn"`, `"tf_crop_and_resize"`. Default: `"half_pixel"`.
    pub fn coordinate_transformation_mode(mut self, coordinate_transformation_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("coordinate_transformation_mode", string(coordinate_transformation_mode));
        self
    }

    /// Coefficient of cubic interpolation. Default: `-0.75`.
    pub fn cubic_coeff_a(mut self, cubic_coeff_a: f32) -> Self {
        self.0.set("cubic_coeff_a", cubic_coeff_a);
        self
    }

    /// If true, elements outside of the input are excluded from the weighted sum, otherwise the border is repeated. Default: `false`.
    pub fn exclude_outside(mut self, exclude_outside: bool) -> Self {
        self.0.set("exclude_outside", exclude_outside);
        self
    }

    /// Value `tf_crop_and_resize` uses for positions outside of the input. Default: `0.0`.
    pub fn extrapolation_value(mut self, extrapolation_value: f32) -> Self {
        self.0.set("extrapolation_value", extrapolation_value);
        self
    }

    /// Whether `sizes` are stretched to, or treated as an upper or lower bound with a common scale for all axes. One of `"stretch"`, `"not_larger"`, `"not_smaller"`. Default: `"stretch"`.
    pub fn keep_aspect_ratio_policy(mut self, keep_aspect_ratio_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("keep_aspect_ratio_policy", string(keep_aspect_ratio_policy));
        self
    }

    /// Interpolation mode. One of `"nearest"`, `"linear"`, `"cubic"`. Default: `"nearest"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Rounding of `nearest`. One of `"round_prefer_floor"`, `"round_prefer_ceil"`, `"floor"`, `"ceil"`. Default: `"round_prefer_floor"`.
    pub fn nearest_mode(mut self, nearest_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("nearest_mode", string(nearest_mode));
        self
    }
}

/// A node of [`OnnxRoiAlign`](Ops::onnx_roi_align) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRoiAlign<'a>(Node<'a>);

impl OnnxRoiAlign<'_> {
    /// Mapping from image coordinates to element coordinates. One of `"half_pixel"`, `"output_half_pixel"`. Default: `"half_pixel"`.
    pub fn coordinate_transformation_mode(mut self, coordinate_transformation_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("coordinate_transformation_mode", string(coordinate_transformation_mode));
        self
    }

    /// Reduction of a cell's samples. One of `"avg"`, `"max"`. Default: `"avg"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Number of cells per column of the output. At least 1. Default: `1`.
    pub fn output_height(mut self, output_height: i64) -> Self {
        self.0.set("output_height", output_height);
        self
    }

    /// Number of cells per row of the output. At least 1. Default: `1`.
    pub fn output_width(mut self, output_width: i64) -> Self {
        self.0.set("output_width", output_width);
        self
    }

    /// Samples per cell along each axis; 0 for as many as the cell has elements. At least 0. Default: `0`.
    pub fn sampling_ratio(mut self, sampling_ratio: i64) -> Self {
        self.0.set("sampling_ratio", sampling_ratio);
        self
    }

    /// Number of elements per unit of `rois`. Default: `1.0`.
    pub fn spatial_scale(mut self, spatial_scale: f32) -> Self {
        self.0.set("spatial_scale", spatial_scale);
        self
    }
}

/// A node of [`OnnxRotaryEmbedding`](Ops::onnx_rotary_embedding) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxRotaryEmbedding<'a>(Node<'a>);

impl OnnxRotaryEmbedding<'_> {
    /// If true, pairs are adjacent features, otherwise features from the two halves. Default: `false`.
    pub fn interleaved(mut self, interleaved: bool) -> Self {
        self.0.set("interleaved", interleaved);
        self
    }

    /// Number of heads, for rank 3. Default: `0`.
    pub fn num_heads(mut self, num_heads: i64) -> Self {
        self.0.set("num_heads", num_heads);
        self
    }

    /// Number of features to rotate; 0 for all. At least 0. Default: `0`.
    pub fn rotary_embedding_dim(mut self, rotary_embedding_dim: i64) -> Self {
        self.0.set("rotary_embedding_dim", rotary_embedding_dim);
        self
    }
}

/// A node of [`OnnxSVMClassifier`](Ops::onnx_svm_classifier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxSVMClassifier<'a>(Node<'a>);

impl OnnxSVMClassifier<'_> {
    /// Class labels, if they are integers. Default: none.
    pub fn classlabels_ints(mut self, classlabels_ints: &[i64]) -> Self {
        self.0.set("classlabels_ints", classlabels_ints.to_vec());
        self
    }

    /// Class labels, if they are strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// Kernel parameters: gamma, coef0 and degree. Default: none.
    pub fn kernel_params(mut self, kernel_params: &[f32]) -> Self {
        self.0.set("kernel_params", kernel_params.to_vec());
        self
    }

    /// Kernel function. One of `"LINEAR"`, `"POLY"`, `"RBF"`, `"SIGMOID"`. Default: `"LINEAR"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// Transform applied to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Slopes of the functions that convert scores to probabilities. Default: none.
    pub fn prob_a(mut self, prob_a: &[f32]) -> Self {
        self.0.set("prob_a", prob_a.to_vec());
        self
    }

    /// Intercepts of those functions. Default: none.
    pub fn prob_b(mut self, prob_b: &[f32]) -> Self {
        self.0.set("prob_b", prob_b.to_vec());
        self
    }

    /// The support vectors, concatenated. Default: none.
    pub fn support_vectors(mut self, support_vectors: &[f32]) -> Self {
        self.0.set("support_vectors", support_vectors.to_vec());
        self
    }

    /// Number of support vectors per class. Default: none.
    pub fn vectors_per_class(mut self, vectors_per_class: &[i64]) -> Self {
        self.0.set("vectors_per_class", vectors_per_class.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Kernel parameters: gamma, coef0 and degree. Default: none.
    pub fn kernel_params(mut self, kernel_params: &[f32]) -> Self {
        self.0.set("kernel_params", kernel_params.to_vec());
        self
    }

    /// Kernel function. One of `"LINEAR"`, `"POLY"`, `"RBF"`, `"SIGMOID"`. Default: `"LINEAR"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// Number of support vectors. At least 0. Default: `0`.
    pub fn n_supports(mut self, n_supports: i64) -> Self {
        self.0.set("n_supports", n_supports);
        self
    }

    /// If true, returns 1 for inliers and -1 for outliers. Default: `false`.
    pub fn one_class(mut self, one_class: bool) -> Self {
        self.0.set("one_class", one_class);
        self
    }

    /// Transform applied to the result. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// The support vectors, concatenated. Default: none.
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

    /// If true, parts that are single elements keep the axis. Default: `true`.
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
    /// Case conversion. One of `"NONE"`, `"LOWER"`, `"UPPER"`. Default: `"NONE"`.
    pub fn case_change_action(mut self, case_change_action: impl AsRef<[u8]>) -> Self {
        self.0.set("case_change_action", string(case_change_action));
        self
    }

    /// Whether stop words are matched case-sensitively. Default: `false`.
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
    /// The delimiter; empty for white space. Default: `""`.
    pub fn delimiter(mut self, delimiter: impl AsRef<[u8]>) -> Self {
        self.0.set("delimiter", string(delimiter));
        self
    }

    /// Maximum number of splits; -1 for no limit. Default: `-1`.
    pub fn maxsplit(mut self, maxsplit: i64) -> Self {
        self.0.set("maxsplit", maxsplit);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// The position axis. Default: `-2`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Whether positions past the end are an error or wrap around. One of `"linear"`, `"circular"`. Default: `"linear"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }
}

/// A node of [`OnnxTfIdfVectorizer`](Ops::onnx_tf_idf_vectorizer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTfIdfVectorizer<'a>(Node<'a>);

impl OnnxTfIdfVectorizer<'_> {
    /// Start of the n-grams of each length in the pool. Default: none.
    pub fn ngram_counts(mut self, ngram_counts: &[i64]) -> Self {
        self.0.set("ngram_counts", ngram_counts.to_vec());
        self
    }

    /// Output index of each n-gram. Default: none.
    pub fn ngram_indexes(mut self, ngram_indexes: &[i64]) -> Self {
        self.0.set("ngram_indexes", ngram_indexes.to_vec());
        self
    }

    /// The pool of concatenated integer n-grams. Default: none.
    pub fn pool_int64s(mut self, pool_int64s: &[i64]) -> Self {
        self.0.set("pool_int64s", pool_int64s.to_vec());
        self
    }

    /// The pool of concatenated string n-grams. Default: none.
    pub fn pool_strings(mut self, pool_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("pool_strings", strings(pool_strings));
        self
    }

    /// Weight of each n-gram. Default: none.
    pub fn weights(mut self, weights: &[f32]) -> Self {
        self.0.set("weights", weights.to_vec());
        self
    }
}

/// A node of [`OnnxTreeEnsemble`](Ops::onnx_tree_ensemble) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTreeEnsemble<'a>(Node<'a>);

impl OnnxTreeEnsemble<'_> {
    /// Aggregation of weights: 0 for the average, 1 for the sum, 2 for the minimum, 3 for the maximum. Default: `1`.
    pub fn aggregate_function(mut self, aggregate_function: i64) -> Self {
        self.0.set("aggregate_function", aggregate_function);
        self
    }

    /// Target id of each leaf. Default: none.
    pub fn leaf_targetids(mut self, leaf_targetids: &[i64]) -> Self {
        self.0.set("leaf_targetids", leaf_targetids.to_vec());
        self
    }

    /// Member sets of the nodes that test for membership, each terminated by NaN. Default: none.
    pub fn membership_values(mut self, membership_values: &[Tensor]) -> Self {
        self.0.set("membership_values", membership_values.to_vec());
        self
    }

    /// Number of targets. At least 1. Default: `1`.
    pub fn n_targets(mut self, n_targets: i64) -> Self {
        self.0.set("n_targets", n_targets);
        self
    }

    /// Whether the next node for false is a leaf. Default: none.
    pub fn nodes_falseleafs(mut self, nodes_falseleafs: &[i64]) -> Self {
        self.0.set("nodes_falseleafs", nodes_falseleafs.to_vec());
        self
    }

    /// Next node of each node if its test is false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// Feature index tested by each node. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether each node's test is true for NaN. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// Whether the next node for true is a leaf. Default: none.
    pub fn nodes_trueleafs(mut self, nodes_trueleafs: &[i64]) -> Self {
        self.0.set("nodes_trueleafs", nodes_trueleafs.to_vec());
        self
    }

    /// Next node of each node if its test is true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// Transform applied to the targets: 0 for none, 1 softmax, 2 logistic, 3 softmax of the nonzero scores, 4 probit. Default: `0`.
    pub fn post_transform(mut self, post_transform: i64) -> Self {
        self.0.set("post_transform", post_transform);
        self
    }

    /// Root node of each tree. Default: none.
    pub fn tree_roots(mut self, tree_roots: &[i64]) -> Self {
        self.0.set("tree_roots", tree_roots.to_vec());
        self
    }
}

/// A node of [`OnnxTreeEnsembleClassifier`](Ops::onnx_tree_ensemble_classifier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxTreeEnsembleClassifier<'a>(Node<'a>);

impl OnnxTreeEnsembleClassifier<'_> {
    /// Base values added to the class scores. Default: none.
    pub fn base_values(mut self, base_values: &[f32]) -> Self {
        self.0.set("base_values", base_values.to_vec());
        self
    }

    /// `base_values` in double precision. Default: none.
    pub fn base_values_as_tensor(mut self, base_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("base_values_as_tensor", base_values_as_tensor.to_vec());
        self
    }

    /// Class id of each weight. Default: none.
    pub fn class_ids(mut self, class_ids: &[i64]) -> Self {
        self.0.set("class_ids", class_ids.to_vec());
        self
    }

    /// Node id of each weight. Default: none.
    pub fn class_nodeids(mut self, class_nodeids: &[i64]) -> Self {
        self.0.set("class_nodeids", class_nodeids.to_vec());
        self
    }

    /// Tree id of each weight. Default: none.
    pub fn class_treeids(mut self, class_treeids: &[i64]) -> Self {
        self.0.set("class_treeids", class_treeids.to_vec());
        self
    }

    /// Weights of the leaves. Default: none.
    pub fn class_weights(mut self, class_weights: &[f32]) -> Self {
        self.0.set("class_weights", class_weights.to_vec());
        self
    }

    /// `class_weights` in double precision. Default: none.
    pub fn class_weights_as_tensor(mut self, class_weights_as_tensor: &[Tensor]) -> Self {
        self.0.set("class_weights_as_tensor", class_weights_as_tensor.to_vec());
        self
    }

    /// Class labels, if they are integers. Default: none.
    pub fn classlabels_int64s(mut self, classlabels_int64s: &[i64]) -> Self {
        self.0.set("classlabels_int64s", classlabels_int64s.to_vec());
        self
    }

    /// Class labels, if they are strings. Default: none.
    pub fn classlabels_strings(mut self, classlabels_strings: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("classlabels_strings", strings(classlabels_strings));
        self
    }

    /// Next node of each node if its test is false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// Feature index tested by each node. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether each node's test is true for NaN. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// Comparison of each node. Default: none.
    pub fn nodes_modes(mut self, nodes_modes: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("nodes_modes", strings(nodes_modes));
        self
    }

    /// Id of each node within its tree. Default: none.
    pub fn nodes_nodeids(mut self, nodes_nodeids: &[i64]) -> Self {
        self.0.set("nodes_nodeids", nodes_nodeids.to_vec());
        self
    }

    /// Tree id of each node. Default: none.
    pub fn nodes_treeids(mut self, nodes_treeids: &[i64]) -> Self {
        self.0.set("nodes_treeids", nodes_treeids.to_vec());
        self
    }

    /// Next node of each node if its test is true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// Value each node compares with. Default: none.
    pub fn nodes_values(mut self, nodes_values: &[f32]) -> Self {
        self.0.set("nodes_values", nodes_values.to_vec());
        self
    }

    /// `nodes_values` in double precision. Default: none.
    pub fn nodes_values_as_tensor(mut self, nodes_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("nodes_values_as_tensor", nodes_values_as_tensor.to_vec());
        self
    }

    /// Transform applied to the scores. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Function that aggregates the leaf weights. One of `"AVERAGE"`, `"SUM"`, `"MIN"`, `"MAX"`. Default: `"SUM"`.
    pub fn aggregate_function(mut self, aggregate_function: impl AsRef<[u8]>) -> Self {
        self.0.set("aggregate_function", string(aggregate_function));
        self
    }

    /// Base value added to each target. Default: none.
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

    /// Next node of each node if its test is false. Default: none.
    pub fn nodes_falsenodeids(mut self, nodes_falsenodeids: &[i64]) -> Self {
        self.0.set("nodes_falsenodeids", nodes_falsenodeids.to_vec());
        self
    }

    /// Feature index tested by each node. Default: none.
    pub fn nodes_featureids(mut self, nodes_featureids: &[i64]) -> Self {
        self.0.set("nodes_featureids", nodes_featureids.to_vec());
        self
    }

    /// Whether each node's test is true for NaN. Default: none.
    pub fn nodes_missing_value_tracks_true(mut self, nodes_missing_value_tracks_true: &[i64]) -> Self {
        self.0.set("nodes_missing_value_tracks_true", nodes_missing_value_tracks_true.to_vec());
        self
    }

    /// Comparison of each node. Default: none.
    pub fn nodes_modes(mut self, nodes_modes: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("nodes_modes", strings(nodes_modes));
        self
    }

    /// Id of each node within its tree. Default: none.
    pub fn nodes_nodeids(mut self, nodes_nodeids: &[i64]) -> Self {
        self.0.set("nodes_nodeids", nodes_nodeids.to_vec());
        self
    }

    /// Tree id of each node. Default: none.
    pub fn nodes_treeids(mut self, nodes_treeids: &[i64]) -> Self {
        self.0.set("nodes_treeids", nodes_treeids.to_vec());
        self
    }

    /// Next node of each node if its test is true. Default: none.
    pub fn nodes_truenodeids(mut self, nodes_truenodeids: &[i64]) -> Self {
        self.0.set("nodes_truenodeids", nodes_truenodeids.to_vec());
        self
    }

    /// Value each node compares with. Default: none.
    pub fn nodes_values(mut self, nodes_values: &[f32]) -> Self {
        self.0.set("nodes_values", nodes_values.to_vec());
        self
    }

    /// `nodes_values` in double precision. Default: none.
    pub fn nodes_values_as_tensor(mut self, nodes_values_as_tensor: &[Tensor]) -> Self {
        self.0.set("nodes_values_as_tensor", nodes_values_as_tensor.to_vec());
        self
    }

    /// Transform applied to the targets. One of `"NONE"`, `"SOFTMAX"`, `"LOGISTIC"`, `"SOFTMAX_ZERO"`, `"PROBIT"`. Default: `"NONE"`.
    pub fn post_transform(mut self, post_transform: impl AsRef<[u8]>) -> Self {
        self.0.set("post_transform", string(post_transform));
        self
    }

    /// Target id of each weight. Default: none.
    pub fn target_ids(mut self, target_ids: &[i64]) -> Self {
        self.0.set("target_ids", target_ids.to_vec());
        self
    }

    /// Node id of each weight. Default: none.
    pub fn target_nodeids(mut self, target_nodeids: &[i64]) -> Self {
        self.0.set("target_nodeids", target_nodeids.to_vec());
        self
    }

    /// Tree id of each weight. Default: none.
    pub fn target_treeids(mut self, target_treeids: &[i64]) -> Self {
        self.0.set("target_treeids", target_treeids.to_vec());
        self
    }

    /// Weights of the leaves. Default: none.
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
    /// The axis of the slices; ignored if `flat`. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// If true, compares single elements. Default: `false`.
    pub fn flat(mut self, flat: bool) -> Self {
        self.0.set("flat", flat);
        self
    }

    /// If true, results are in ascending order, otherwise in the order of first occurrence. Default: `true`.
    pub fn sorted(mut self, sorted: bool) -> Self {
        self.0.set("sorted", sorted);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
