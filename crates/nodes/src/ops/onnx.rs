// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `onnx`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::{DType, Tensor};
use levada_session::Output;

impl Ops<'_> {
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
}

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

/// A node of [`OnnxMatMulInteger`](Ops::onnx_mat_mul_integer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnnxMatMulInteger<'a>(Node<'a>);

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

common! {
    OnnxCast
    OnnxConvInteger
    OnnxDequantizeLinear
    OnnxDynamicQuantizeLinear
    OnnxGRU
    OnnxLSTM
    OnnxMatMulInteger
    OnnxNonMaxSuppression
    OnnxQuantizeLinear
    OnnxRNN
    OnnxRequantize
    OnnxResize
    OnnxTreeEnsemble
    OnnxTreeEnsembleClassifier
    OnnxTreeEnsembleRegressor
}

one_output! {
    OnnxCast
    OnnxConvInteger
    OnnxDequantizeLinear
    OnnxMatMulInteger
    OnnxNonMaxSuppression
    OnnxQuantizeLinear
    OnnxRequantize
    OnnxResize
    OnnxTreeEnsemble
    OnnxTreeEnsembleRegressor
}
