// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `nn`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// The `k` largest or smallest elements along an axis, and their indices. The result is exact, whatever `recall_target` is.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: Number of elements. At least 0.
    ///
    /// `T` is float32, bfloat16, float16.
    pub fn approx_top_k(&self, input: impl Input, k: i64) -> ApproxTopK<'_> {
        let mut node = Node::new(self, "ApproxTopK").input(input);
        node.set("k", k);
        ApproxTopK(node)
    }

    /// Average pooling over images: the mean of each window; padding is excluded.
    ///
    /// - `value`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 4.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn avg_pool(&self, value: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> AvgPool<'_> {
        let mut node = Node::new(self, "AvgPool").input(value);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        AvgPool(node)
    }

    /// Average pooling over volumes: the mean of each window; padding is excluded.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 5.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 5.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn avg_pool3d(&self, input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> AvgPool3D<'_> {
        let mut node = Node::new(self, "AvgPool3D").input(input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        AvgPool3D(node)
    }

    /// The gradient of `AvgPool3D`.
    ///
    /// - `orig_input_shape`: a tensor of int32
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 5.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 5.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn avg_pool3d_grad(&self, orig_input_shape: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> AvgPool3DGrad<'_> {
        let mut node = Node::new(self, "AvgPool3DGrad").input(orig_input_shape).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        AvgPool3DGrad(node)
    }

    /// The gradient of `AvgPool`.
    ///
    /// - `orig_input_shape`: a tensor of int32
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 4.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn avg_pool_grad(&self, orig_input_shape: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> AvgPoolGrad<'_> {
        let mut node = Node::new(self, "AvgPoolGrad").input(orig_input_shape).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        AvgPoolGrad(node)
    }

    /// Batch normalization of images with a given mean and variance.
    ///
    /// - `t`: a tensor of `T`
    /// - `m`: a tensor of `T`
    /// - `v`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    /// - `gamma`: a tensor of `T`
    /// - `variance_epsilon`: Added to the variance to avoid division by zero.
    /// - `scale_after_normalization`: If true, multiplies by `gamma`.
    ///
    /// `T` is any number, also quantized.
    pub fn batch_norm_with_global_normalization(&self, t: impl Input, m: impl Input, v: impl Input, beta: impl Input, gamma: impl Input, variance_epsilon: f32, scale_after_normalization: bool) -> BatchNormWithGlobalNormalization<'_> {
        let mut node = Node::new(self, "BatchNormWithGlobalNormalization").input(t).input(m).input(v).input(beta).input(gamma);
        node.set("variance_epsilon", variance_epsilon);
        node.set("scale_after_normalization", scale_after_normalization);
        BatchNormWithGlobalNormalization(node)
    }

    /// The gradient of `BatchNormWithGlobalNormalization`.
    ///
    /// - `t`: a tensor of `T`
    /// - `m`: a tensor of `T`
    /// - `v`: a tensor of `T`
    /// - `gamma`: a tensor of `T`
    /// - `backprop`: a tensor of `T`
    /// - `variance_epsilon`: Added to the variance to avoid division by zero.
    /// - `scale_after_normalization`: If true, multiplies by `gamma`.
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn batch_norm_with_global_normalization_grad(&self, t: impl Input, m: impl Input, v: impl Input, gamma: impl Input, backprop: impl Input, variance_epsilon: f32, scale_after_normalization: bool) -> BatchNormWithGlobalNormalizationGrad<'_> {
        let mut node = Node::new(self, "BatchNormWithGlobalNormalizationGrad").input(t).input(m).input(v).input(gamma).input(backprop);
        node.set("variance_epsilon", variance_epsilon);
        node.set("scale_after_normalization", scale_after_normalization);
        BatchNormWithGlobalNormalizationGrad(node)
    }

    /// Adds `bias[c]` to every element of channel `c`.
    ///
    /// - `value`: a tensor of `T`
    /// - `bias`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn bias_add(&self, value: impl Input, bias: impl Input) -> BiasAdd<'_> {
        BiasAdd(Node::new(self, "BiasAdd").input(value).input(bias))
    }

    /// The gradient of `BiasAdd` with respect to the bias: the sum over each channel.
    ///
    /// - `out_backprop`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn bias_add_grad(&self, out_backprop: impl Input) -> BiasAddGrad<'_> {
        BiasAddGrad(Node::new(self, "BiasAddGrad").input(out_backprop))
    }

    /// Adds `bias[c]` to every element of channel `c`, along the last axis.
    ///
    /// - `value`: a tensor of `T`
    /// - `bias`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn bias_add_v1(&self, value: impl Input, bias: impl Input) -> BiasAddV1<'_> {
        BiasAddV1(Node::new(self, "BiasAddV1").input(value).input(bias))
    }

    /// Computes an LSTM over all time steps of sequences.
    ///
    /// - `seq_len_max`: a tensor of int64
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is float32, float16.
    pub fn block_lstm(&self, seq_len_max: impl Input, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input) -> BlockLSTM<'_> {
        BlockLSTM(Node::new(self, "BlockLSTM").input(seq_len_max).input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b))
    }

    /// The gradient of `BlockLSTM`.
    ///
    /// - `seq_len_max`: a tensor of int64
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    /// - `i`: a tensor of `T`
    /// - `cs`: a tensor of `T`
    /// - `f`: a tensor of `T`
    /// - `o`: a tensor of `T`
    /// - `ci`: a tensor of `T`
    /// - `co`: a tensor of `T`
    /// - `h`: a tensor of `T`
    /// - `cs_grad`: a tensor of `T`
    /// - `h_grad`: a tensor of `T`
    /// - `use_peephole`: If true, uses peephole connections from the cell state to the gates.
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn block_lstm_grad(&self, seq_len_max: impl Input, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input, i: impl Input, cs: impl Input, f: impl Input, o: impl Input, ci: impl Input, co: impl Input, h: impl Input, cs_grad: impl Input, h_grad: impl Input, use_peephole: bool) -> BlockLSTMGrad<'_> {
        let mut node = Node::new(self, "BlockLSTMGrad").input(seq_len_max).input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b).input(i).input(cs).input(f).input(o).input(ci).input(co).input(h).input(cs_grad).input(h_grad);
        node.set("use_peephole", use_peephole);
        BlockLSTMGrad(node)
    }

    /// The gradient of `BlockLSTMV2`.
    ///
    /// - `seq_len_max`: a tensor of int64
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    /// - `i`: a tensor of `T`
    /// - `cs`: a tensor of `T`
    /// - `f`: a tensor of `T`
    /// - `o`: a tensor of `T`
    /// - `ci`: a tensor of `T`
    /// - `co`: a tensor of `T`
    /// - `h`: a tensor of `T`
    /// - `cs_grad`: a tensor of `T`
    /// - `h_grad`: a tensor of `T`
    /// - `use_peephole`: If true, uses peephole connections from the cell state to the gates.
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn block_lstm_grad_v2(&self, seq_len_max: impl Input, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input, i: impl Input, cs: impl Input, f: impl Input, o: impl Input, ci: impl Input, co: impl Input, h: impl Input, cs_grad: impl Input, h_grad: impl Input, use_peephole: bool) -> BlockLSTMGradV2<'_> {
        let mut node = Node::new(self, "BlockLSTMGradV2").input(seq_len_max).input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b).input(i).input(cs).input(f).input(o).input(ci).input(co).input(h).input(cs_grad).input(h_grad);
        node.set("use_peephole", use_peephole);
        BlockLSTMGradV2(node)
    }

    /// Computes an LSTM over all time steps of sequences, with gates ordered input, forget, cell, output.
    ///
    /// - `seq_len_max`: a tensor of int64
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is float32, float16.
    pub fn block_lstm_v2(&self, seq_len_max: impl Input, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input) -> BlockLSTMV2<'_> {
        BlockLSTMV2(Node::new(self, "BlockLSTMV2").input(seq_len_max).input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b))
    }

    /// Computes a recurrent network of one or more layers over all time steps of sequences.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn cudnn_rnn(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input) -> CudnnRNN<'_> {
        CudnnRNN(Node::new(self, "CudnnRNN").input(input).input(input_h).input(input_c).input(params))
    }

    /// The gradient of `CudnnRNN`.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    /// - `output`: a tensor of `T`
    /// - `output_h`: a tensor of `T`
    /// - `output_c`: a tensor of `T`
    /// - `output_backprop`: a tensor of `T`
    /// - `output_h_backprop`: a tensor of `T`
    /// - `output_c_backprop`: a tensor of `T`
    /// - `reserve_space`: a tensor of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_backprop(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input, output: impl Input, output_h: impl Input, output_c: impl Input, output_backprop: impl Input, output_h_backprop: impl Input, output_c_backprop: impl Input, reserve_space: impl Input) -> CudnnRNNBackprop<'_> {
        CudnnRNNBackprop(Node::new(self, "CudnnRNNBackprop").input(input).input(input_h).input(input_c).input(params).input(output).input(output_h).input(output_c).input(output_backprop).input(output_h_backprop).input(output_c_backprop).input(reserve_space))
    }

    /// The gradient of `CudnnRNNV2`.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    /// - `output`: a tensor of `T`
    /// - `output_h`: a tensor of `T`
    /// - `output_c`: a tensor of `T`
    /// - `output_backprop`: a tensor of `T`
    /// - `output_h_backprop`: a tensor of `T`
    /// - `output_c_backprop`: a tensor of `T`
    /// - `reserve_space`: a tensor of `T`
    /// - `host_reserved`: a tensor of int8
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_backprop_v2(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input, output: impl Input, output_h: impl Input, output_c: impl Input, output_backprop: impl Input, output_h_backprop: impl Input, output_c_backprop: impl Input, reserve_space: impl Input, host_reserved: impl Input) -> CudnnRNNBackpropV2<'_> {
        CudnnRNNBackpropV2(Node::new(self, "CudnnRNNBackpropV2").input(input).input(input_h).input(input_c).input(params).input(output).input(output_h).input(output_c).input(output_backprop).input(output_h_backprop).input(output_c_backprop).input(reserve_space).input(host_reserved))
    }

    /// The gradient of `CudnnRNNV3`.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    /// - `sequence_lengths`: a tensor of int32
    /// - `output`: a tensor of `T`
    /// - `output_h`: a tensor of `T`
    /// - `output_c`: a tensor of `T`
    /// - `output_backprop`: a tensor of `T`
    /// - `output_h_backprop`: a tensor of `T`
    /// - `output_c_backprop`: a tensor of `T`
    /// - `reserve_space`: a tensor of `T`
    /// - `host_reserved`: a tensor of int8
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_backprop_v3(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input, sequence_lengths: impl Input, output: impl Input, output_h: impl Input, output_c: impl Input, output_backprop: impl Input, output_h_backprop: impl Input, output_c_backprop: impl Input, reserve_space: impl Input, host_reserved: impl Input) -> CudnnRNNBackpropV3<'_> {
        CudnnRNNBackpropV3(Node::new(self, "CudnnRNNBackpropV3").input(input).input(input_h).input(input_c).input(params).input(sequence_lengths).input(output).input(output_h).input(output_c).input(output_backprop).input(output_h_backprop).input(output_c_backprop).input(reserve_space).input(host_reserved))
    }

    /// Packs the weight matrices and biases of each gate of a recurrent network into its parameter vector.
    ///
    /// - `num_layers`: a tensor of int32
    /// - `num_units`: a tensor of int32
    /// - `input_size`: a tensor of int32
    /// - `weights`: any number of tensors of `T`
    /// - `biases`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_canonical_to_params(&self, num_layers: impl Input, num_units: impl Input, input_size: impl Input, weights: impl IntoIterator<Item = impl Input>, biases: impl IntoIterator<Item = impl Input>) -> CudnnRNNCanonicalToParams<'_> {
        CudnnRNNCanonicalToParams(Node::new(self, "CudnnRNNCanonicalToParams").input(num_layers).input(num_units).input(input_size).list(weights).list(biases))
    }

    /// Packs the weight matrices and biases of each gate of a recurrent network into its parameter vector.
    ///
    /// - `num_layers`: a tensor of int32
    /// - `num_units`: a tensor of int32
    /// - `input_size`: a tensor of int32
    /// - `weights`: any number of tensors of `T`
    /// - `biases`: any number of tensors of `T`
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_canonical_to_params_v2(&self, num_layers: impl Input, num_units: impl Input, input_size: impl Input, weights: impl IntoIterator<Item = impl Input>, biases: impl IntoIterator<Item = impl Input>) -> CudnnRNNCanonicalToParamsV2<'_> {
        CudnnRNNCanonicalToParamsV2(Node::new(self, "CudnnRNNCanonicalToParamsV2").input(num_layers).input(num_units).input(input_size).list(weights).list(biases))
    }

    /// The number of parameters of a recurrent network.
    ///
    /// - `num_layers`: a tensor of int32
    /// - `num_units`: a tensor of int32
    /// - `input_size`: a tensor of int32
    /// - `t`: Element type. Allowed: any float.
    /// - `s`: Dtype of the parameter count. Allowed: int32, int64.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_params_size(&self, num_layers: impl Input, num_units: impl Input, input_size: impl Input, t: DType, s: DType) -> CudnnRNNParamsSize<'_> {
        let mut node = Node::new(self, "CudnnRNNParamsSize").input(num_layers).input(num_units).input(input_size);
        node.set("T", t);
        node.set("S", s);
        CudnnRNNParamsSize(node)
    }

    /// Unpacks the parameter vector of a recurrent network into the weight matrices and biases of each gate.
    ///
    /// - `num_layers`: a tensor of int32
    /// - `num_units`: a tensor of int32
    /// - `input_size`: a tensor of int32
    /// - `params`: a tensor of `T`
    /// - `num_params`: Number of weight matrices and of biases, in older forms. At least 1.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_params_to_canonical(&self, num_layers: impl Input, num_units: impl Input, input_size: impl Input, params: impl Input, num_params: i64) -> CudnnRNNParamsToCanonical<'_> {
        let mut node = Node::new(self, "CudnnRNNParamsToCanonical").input(num_layers).input(num_units).input(input_size).input(params);
        node.set("num_params", num_params);
        CudnnRNNParamsToCanonical(node)
    }

    /// Unpacks the parameter vector of a recurrent network into the weight matrices and biases of each gate.
    ///
    /// - `num_layers`: a tensor of int32
    /// - `num_units`: a tensor of int32
    /// - `input_size`: a tensor of int32
    /// - `params`: a tensor of `T`
    /// - `num_params_weights`: Number of weight matrices. At least 1.
    /// - `num_params_biases`: Number of biases. At least 1.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn cudnn_rnn_params_to_canonical_v2(&self, num_layers: impl Input, num_units: impl Input, input_size: impl Input, params: impl Input, num_params_weights: i64, num_params_biases: i64) -> CudnnRNNParamsToCanonicalV2<'_> {
        let mut node = Node::new(self, "CudnnRNNParamsToCanonicalV2").input(num_layers).input(num_units).input(input_size).input(params);
        node.set("num_params_weights", num_params_weights);
        node.set("num_params_biases", num_params_biases);
        CudnnRNNParamsToCanonicalV2(node)
    }

    /// Computes a recurrent network of one or more layers over all time steps of sequences.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn cudnn_rnn_v2(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input) -> CudnnRNNV2<'_> {
        CudnnRNNV2(Node::new(self, "CudnnRNNV2").input(input).input(input_h).input(input_c).input(params))
    }

    /// Computes a recurrent network of one or more layers over all time steps of sequences.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_h`: a tensor of `T`
    /// - `input_c`: a tensor of `T`
    /// - `params`: a tensor of `T`
    /// - `sequence_lengths`: a tensor of int32
    ///
    /// `T` is any float.
    pub fn cudnn_rnn_v3(&self, input: impl Input, input_h: impl Input, input_c: impl Input, params: impl Input, sequence_lengths: impl Input) -> CudnnRNNV3<'_> {
        CudnnRNNV3(Node::new(self, "CudnnRNNV3").input(input).input(input_h).input(input_c).input(params).input(sequence_lengths))
    }

    /// Maps the axis indices in `x` from `src_format` to `dst_format`; negative indices count from the end.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    ///
    /// It has no gradient.
    pub fn data_format_dim_map(&self, x: impl Input) -> DataFormatDimMap<'_> {
        DataFormatDimMap(Node::new(self, "DataFormatDimMap").input(x))
    }

    /// Permutes a vector (or a matrix with two columns) with one row per axis from `src_format` to `dst_format`. The input covers either all axes or only height, width and depth.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    ///
    /// It has no gradient.
    pub fn data_format_vec_permute(&self, x: impl Input) -> DataFormatVecPermute<'_> {
        DataFormatVecPermute(Node::new(self, "DataFormatVecPermute").input(x))
    }

    /// The exponential linear unit: `x`, or `exp(x) - 1` for negative `x`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn elu(&self, features: impl Input) -> Elu<'_> {
        Elu(Node::new(self, "Elu").input(features))
    }

    /// The gradient of `Elu`, computed from its output.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `outputs`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn elu_grad(&self, gradients: impl Input, outputs: impl Input) -> EluGrad<'_> {
        EluGrad(Node::new(self, "EluGrad").input(gradients).input(outputs))
    }

    /// Fractional average pooling: the mean of windows whose average size is `pooling_ratio`.
    ///
    /// - `value`: a tensor of `T`
    /// - `pooling_ratio`: Ratio of input to output size for each axis. Length at least 4.
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn fractional_avg_pool(&self, value: impl Input, pooling_ratio: &[f32]) -> FractionalAvgPool<'_> {
        let mut node = Node::new(self, "FractionalAvgPool").input(value);
        node.set("pooling_ratio", pooling_ratio.to_vec());
        FractionalAvgPool(node)
    }

    /// The gradient of `FractionalAvgPool`.
    ///
    /// - `orig_input_tensor_shape`: a tensor of int64
    /// - `out_backprop`: a tensor of `T`
    /// - `row_pooling_sequence`: a tensor of int64
    /// - `col_pooling_sequence`: a tensor of int64
    ///
    /// `T` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn fractional_avg_pool_grad(&self, orig_input_tensor_shape: impl Input, out_backprop: impl Input, row_pooling_sequence: impl Input, col_pooling_sequence: impl Input) -> FractionalAvgPoolGrad<'_> {
        FractionalAvgPoolGrad(Node::new(self, "FractionalAvgPoolGrad").input(orig_input_tensor_shape).input(out_backprop).input(row_pooling_sequence).input(col_pooling_sequence))
    }

    /// Fractional max pooling: the maximum of windows whose average size is `pooling_ratio`.
    ///
    /// - `value`: a tensor of `T`
    /// - `pooling_ratio`: Ratio of input to output size for each axis. Length at least 4.
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn fractional_max_pool(&self, value: impl Input, pooling_ratio: &[f32]) -> FractionalMaxPool<'_> {
        let mut node = Node::new(self, "FractionalMaxPool").input(value);
        node.set("pooling_ratio", pooling_ratio.to_vec());
        FractionalMaxPool(node)
    }

    /// The gradient of `FractionalMaxPool`.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `row_pooling_sequence`: a tensor of int64
    /// - `col_pooling_sequence`: a tensor of int64
    ///
    /// `T` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn fractional_max_pool_grad(&self, orig_input: impl Input, orig_output: impl Input, out_backprop: impl Input, row_pooling_sequence: impl Input, col_pooling_sequence: impl Input) -> FractionalMaxPoolGrad<'_> {
        FractionalMaxPoolGrad(Node::new(self, "FractionalMaxPoolGrad").input(orig_input).input(orig_output).input(out_backprop).input(row_pooling_sequence).input(col_pooling_sequence))
    }

    /// Batch normalization of images.
    ///
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of `T`
    /// - `offset`: a tensor of `T`
    /// - `mean`: a tensor of `T`
    /// - `variance`: a tensor of `T`
    ///
    /// `T` is float32.
    pub fn fused_batch_norm(&self, x: impl Input, scale: impl Input, offset: impl Input, mean: impl Input, variance: impl Input) -> FusedBatchNorm<'_> {
        FusedBatchNorm(Node::new(self, "FusedBatchNorm").input(x).input(scale).input(offset).input(mean).input(variance))
    }

    /// The gradient of `FusedBatchNorm`.
    ///
    /// - `y_backprop`: a tensor of `T`
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of `T`
    /// - `reserve_space_1`: a tensor of `T`
    /// - `reserve_space_2`: a tensor of `T`
    ///
    /// `T` is float32.
    pub fn fused_batch_norm_grad(&self, y_backprop: impl Input, x: impl Input, scale: impl Input, reserve_space_1: impl Input, reserve_space_2: impl Input) -> FusedBatchNormGrad<'_> {
        FusedBatchNormGrad(Node::new(self, "FusedBatchNormGrad").input(y_backprop).input(x).input(scale).input(reserve_space_1).input(reserve_space_2))
    }

    /// The gradient of `FusedBatchNormV2`.
    ///
    /// - `y_backprop`: a tensor of `T`
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of float32
    /// - `reserve_space_1`: a tensor of `U`
    /// - `reserve_space_2`: a tensor of `U`
    ///
    /// `T` is float32, bfloat16, float16. `U` is float32.
    pub fn fused_batch_norm_grad_v2(&self, y_backprop: impl Input, x: impl Input, scale: impl Input, reserve_space_1: impl Input, reserve_space_2: impl Input) -> FusedBatchNormGradV2<'_> {
        FusedBatchNormGradV2(Node::new(self, "FusedBatchNormGradV2").input(y_backprop).input(x).input(scale).input(reserve_space_1).input(reserve_space_2))
    }

    /// The gradient of `FusedBatchNormV3`.
    ///
    /// - `y_backprop`: a tensor of `T`
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of float32
    /// - `reserve_space_1`: a tensor of `U`
    /// - `reserve_space_2`: a tensor of `U`
    /// - `reserve_space_3`: a tensor of `U`
    ///
    /// `T` is float32, bfloat16, float16. `U` is float32.
    pub fn fused_batch_norm_grad_v3(&self, y_backprop: impl Input, x: impl Input, scale: impl Input, reserve_space_1: impl Input, reserve_space_2: impl Input, reserve_space_3: impl Input) -> FusedBatchNormGradV3<'_> {
        FusedBatchNormGradV3(Node::new(self, "FusedBatchNormGradV3").input(y_backprop).input(x).input(scale).input(reserve_space_1).input(reserve_space_2).input(reserve_space_3))
    }

    /// Batch normalization of images, which may be half precision.
    ///
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of `U`
    /// - `offset`: a tensor of `U`
    /// - `mean`: a tensor of `U`
    /// - `variance`: a tensor of `U`
    ///
    /// `T` is float32, bfloat16, float16. `U` is float32, bfloat16.
    pub fn fused_batch_norm_v2(&self, x: impl Input, scale: impl Input, offset: impl Input, mean: impl Input, variance: impl Input) -> FusedBatchNormV2<'_> {
        FusedBatchNormV2(Node::new(self, "FusedBatchNormV2").input(x).input(scale).input(offset).input(mean).input(variance))
    }

    /// Batch normalization of images or volumes, which may be half precision.
    ///
    /// - `x`: a tensor of `T`
    /// - `scale`: a tensor of `U`
    /// - `offset`: a tensor of `U`
    /// - `mean`: a tensor of `U`
    /// - `variance`: a tensor of `U`
    ///
    /// `T` is float32, bfloat16, float16. `U` is float32, bfloat16.
    pub fn fused_batch_norm_v3(&self, x: impl Input, scale: impl Input, offset: impl Input, mean: impl Input, variance: impl Input) -> FusedBatchNormV3<'_> {
        FusedBatchNormV3(Node::new(self, "FusedBatchNormV3").input(x).input(scale).input(offset).input(mean).input(variance))
    }

    /// Computes one time step of a GRU cell: reset gate, update gate, candidate and new state.
    ///
    /// - `x`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w_ru`: a tensor of `T`
    /// - `w_c`: a tensor of `T`
    /// - `b_ru`: a tensor of `T`
    /// - `b_c`: a tensor of `T`
    ///
    /// `T` is float32.
    pub fn gru_block_cell(&self, x: impl Input, h_prev: impl Input, w_ru: impl Input, w_c: impl Input, b_ru: impl Input, b_c: impl Input) -> GRUBlockCell<'_> {
        GRUBlockCell(Node::new(self, "GRUBlockCell").input(x).input(h_prev).input(w_ru).input(w_c).input(b_ru).input(b_c))
    }

    /// The gradient of `GRUBlockCell`.
    ///
    /// - `x`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w_ru`: a tensor of `T`
    /// - `w_c`: a tensor of `T`
    /// - `b_ru`: a tensor of `T`
    /// - `b_c`: a tensor of `T`
    /// - `r`: a tensor of `T`
    /// - `u`: a tensor of `T`
    /// - `c`: a tensor of `T`
    /// - `d_h`: a tensor of `T`
    ///
    /// `T` is float32.
    ///
    /// It has no gradient.
    pub fn gru_block_cell_grad(&self, x: impl Input, h_prev: impl Input, w_ru: impl Input, w_c: impl Input, b_ru: impl Input, b_c: impl Input, r: impl Input, u: impl Input, c: impl Input, d_h: impl Input) -> GRUBlockCellGrad<'_> {
        GRUBlockCellGrad(Node::new(self, "GRUBlockCellGrad").input(x).input(h_prev).input(w_ru).input(w_c).input(b_ru).input(b_c).input(r).input(u).input(c).input(d_h))
    }

    /// Returns for each row whether its target is among the `k` largest predictions.
    ///
    /// - `predictions`: a tensor of float32
    /// - `targets`: a tensor of `T`
    /// - `k`: Number of top predictions considered.
    ///
    /// `T` is int32, int64.
    pub fn in_top_k(&self, predictions: impl Input, targets: impl Input, k: i64) -> InTopK<'_> {
        let mut node = Node::new(self, "InTopK").input(predictions).input(targets);
        node.set("k", k);
        InTopK(node)
    }

    /// Returns for each row whether its target is among the `k` largest predictions.
    ///
    /// - `predictions`: a tensor of float32
    /// - `targets`: a tensor of `T`
    /// - `k`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn in_top_k_v2(&self, predictions: impl Input, targets: impl Input, k: impl Input) -> InTopKV2<'_> {
        InTopKV2(Node::new(self, "InTopKV2").input(predictions).input(targets).input(k))
    }

    /// Fits a non-increasing sequence to each row (last axis) by least squares; also returns the segment index of each element, where a segment is a run of elements pooled to the same value.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn isotonic_regression(&self, input: impl Input) -> IsotonicRegression<'_> {
        IsotonicRegression(Node::new(self, "IsotonicRegression").input(input))
    }

    /// The `k`-th largest element of each row, in the total order of floats: NaN above infinity, -0 below 0.
    ///
    /// - `input`: a tensor of float32
    /// - `k`: Rank of the element, starting at 1.
    pub fn kth_order_statistic(&self, input: impl Input, k: i64) -> KthOrderStatistic<'_> {
        let mut node = Node::new(self, "KthOrderStatistic").input(input);
        node.set("k", k);
        KthOrderStatistic(node)
    }

    /// Local response normalization: divides each element by a power of the sum of squares over neighboring channels.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, bfloat16, float16.
    pub fn lrn(&self, input: impl Input) -> LRN<'_> {
        LRN(Node::new(self, "LRN").input(input))
    }

    /// The gradient of `LRN`.
    ///
    /// - `input_grads`: a tensor of `T`
    /// - `input_image`: a tensor of `T`
    /// - `output_image`: a tensor of `T`
    ///
    /// `T` is float32, bfloat16, float16.
    ///
    /// It has no gradient.
    pub fn lrn_grad(&self, input_grads: impl Input, input_image: impl Input, output_image: impl Input) -> LRNGrad<'_> {
        LRNGrad(Node::new(self, "LRNGrad").input(input_grads).input(input_image).input(output_image))
    }

    /// Computes one time step of an LSTM cell.
    ///
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is float32, float16.
    pub fn lstm_block_cell(&self, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input) -> LSTMBlockCell<'_> {
        LSTMBlockCell(Node::new(self, "LSTMBlockCell").input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b))
    }

    /// The gradient of `LSTMBlockCell`.
    ///
    /// - `x`: a tensor of `T`
    /// - `cs_prev`: a tensor of `T`
    /// - `h_prev`: a tensor of `T`
    /// - `w`: a tensor of `T`
    /// - `wci`: a tensor of `T`
    /// - `wcf`: a tensor of `T`
    /// - `wco`: a tensor of `T`
    /// - `b`: a tensor of `T`
    /// - `i`: a tensor of `T`
    /// - `cs`: a tensor of `T`
    /// - `f`: a tensor of `T`
    /// - `o`: a tensor of `T`
    /// - `ci`: a tensor of `T`
    /// - `co`: a tensor of `T`
    /// - `cs_grad`: a tensor of `T`
    /// - `h_grad`: a tensor of `T`
    /// - `use_peephole`: If true, uses peephole connections from the cell state to the gates.
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn lstm_block_cell_grad(&self, x: impl Input, cs_prev: impl Input, h_prev: impl Input, w: impl Input, wci: impl Input, wcf: impl Input, wco: impl Input, b: impl Input, i: impl Input, cs: impl Input, f: impl Input, o: impl Input, ci: impl Input, co: impl Input, cs_grad: impl Input, h_grad: impl Input, use_peephole: bool) -> LSTMBlockCellGrad<'_> {
        let mut node = Node::new(self, "LSTMBlockCellGrad").input(x).input(cs_prev).input(h_prev).input(w).input(wci).input(wcf).input(wco).input(b).input(i).input(cs).input(f).input(o).input(ci).input(co).input(cs_grad).input(h_grad);
        node.set("use_peephole", use_peephole);
        LSTMBlockCellGrad(node)
    }

    /// The leaky rectified linear unit: `x`, or `alpha * x` for negative `x`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn leaky_relu(&self, features: impl Input) -> LeakyRelu<'_> {
        LeakyRelu(Node::new(self, "LeakyRelu").input(features))
    }

    /// The gradient of `LeakyRelu`, computed from its input.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn leaky_relu_grad(&self, gradients: impl Input, features: impl Input) -> LeakyReluGrad<'_> {
        LeakyReluGrad(Node::new(self, "LeakyReluGrad").input(gradients).input(features))
    }

    /// The logarithm of the softmax along the last axis.
    ///
    /// - `logits`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn log_softmax(&self, logits: impl Input) -> LogSoftmax<'_> {
        LogSoftmax(Node::new(self, "LogSoftmax").input(logits))
    }

    /// Replaces the low bits of each element of `input` by its column index, so that all values in a row are distinct.
    ///
    /// - `input`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn make_unique(&self, input: impl Input) -> MakeUnique<'_> {
        MakeUnique(Node::new(self, "MakeUnique").input(input))
    }

    /// Max pooling over images.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 4.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any integer or float, qint8.
    pub fn max_pool(&self, input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPool<'_> {
        let mut node = Node::new(self, "MaxPool").input(input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPool(node)
    }

    /// Max pooling over volumes.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 5.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 5.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn max_pool3d(&self, input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPool3D<'_> {
        let mut node = Node::new(self, "MaxPool3D").input(input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPool3D(node)
    }

    /// The gradient of `MaxPool3D`: each window's gradient goes to its maximum element, the first of equal ones.
    ///
    /// - `orig_input`: a tensor of `TInput`
    /// - `orig_output`: a tensor of `TInput`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 5.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 5.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float. `TInput` is any float.
    pub fn max_pool3d_grad(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPool3DGrad<'_> {
        let mut node = Node::new(self, "MaxPool3DGrad").input(orig_input).input(orig_output).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPool3DGrad(node)
    }

    /// The gradient of `MaxPool3DGrad` with respect to `grad`.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 5.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 5.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool3d_grad_grad(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPool3DGradGrad<'_> {
        let mut node = Node::new(self, "MaxPool3DGradGrad").input(orig_input).input(orig_output).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPool3DGradGrad(node)
    }

    /// The gradient of `MaxPool`: each window's gradient goes to its maximum element, the first of equal ones.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 4.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool_grad(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPoolGrad<'_> {
        let mut node = Node::new(self, "MaxPoolGrad").input(orig_input).input(orig_output).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPoolGrad(node)
    }

    /// The gradient of `MaxPoolGrad` with respect to `grad`.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: Size of a window along each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows along each axis of the images. Length at least 4.
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool_grad_grad(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPoolGradGrad<'_> {
        let mut node = Node::new(self, "MaxPoolGradGrad").input(orig_input).input(orig_output).input(grad);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPoolGradGrad(node)
    }

    /// As `MaxPoolGradGrad`, for `MaxPoolV2`.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: a tensor of int32
    /// - `strides`: a tensor of int32
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool_grad_grad_v2(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: impl Input, strides: impl Input, padding: impl AsRef<[u8]>) -> MaxPoolGradGradV2<'_> {
        let mut node = Node::new(self, "MaxPoolGradGradV2").input(orig_input).input(orig_output).input(grad).input(ksize).input(strides);
        node.set("padding", string(padding));
        MaxPoolGradGradV2(node)
    }

    /// As `MaxPoolGrad`, for `MaxPoolV2`.
    ///
    /// - `orig_input`: a tensor of `T`
    /// - `orig_output`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `ksize`: a tensor of int32
    /// - `strides`: a tensor of int32
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool_grad_v2(&self, orig_input: impl Input, orig_output: impl Input, grad: impl Input, ksize: impl Input, strides: impl Input, padding: impl AsRef<[u8]>) -> MaxPoolGradV2<'_> {
        let mut node = Node::new(self, "MaxPoolGradV2").input(orig_input).input(orig_output).input(grad).input(ksize).input(strides);
        node.set("padding", string(padding));
        MaxPoolGradV2(node)
    }

    /// The gradient of `MaxPoolWithArgmax`.
    ///
    /// - `input`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `argmax`: a tensor of `Targmax`
    /// - `ksize`: Size of a window, for each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows, for each axis of the images. Length at least 4.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `Targmax` is int32, int64. `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn max_pool_grad_with_argmax(&self, input: impl Input, grad: impl Input, argmax: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPoolGradWithArgmax<'_> {
        let mut node = Node::new(self, "MaxPoolGradWithArgmax").input(input).input(grad).input(argmax);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPoolGradWithArgmax(node)
    }

    /// Max pooling over images, with window sizes and strides given as inputs.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksize`: a tensor of int32
    /// - `strides`: a tensor of int32
    /// - `padding`: Padding scheme. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float, qint8.
    pub fn max_pool_v2(&self, input: impl Input, ksize: impl Input, strides: impl Input, padding: impl AsRef<[u8]>) -> MaxPoolV2<'_> {
        let mut node = Node::new(self, "MaxPoolV2").input(input).input(ksize).input(strides);
        node.set("padding", string(padding));
        MaxPoolV2(node)
    }

    /// Max pooling over images that also returns the flattened index of each maximum.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksize`: Size of a window, for each axis of the images. Length at least 4.
    /// - `strides`: Distance between windows, for each axis of the images. Length at least 4.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn max_pool_with_argmax(&self, input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> MaxPoolWithArgmax<'_> {
        let mut node = Node::new(self, "MaxPoolWithArgmax").input(input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        MaxPoolWithArgmax(node)
    }

    /// The element that would be at index `n` of each sorted row.
    ///
    /// - `input`: a tensor of `T`
    /// - `n`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn nth_element(&self, input: impl Input, n: impl Input) -> NthElement<'_> {
        NthElement(Node::new(self, "NthElement").input(input).input(n))
    }

    /// The rectified linear unit `max(x, 0)`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any integer or float, qint8.
    pub fn relu(&self, features: impl Input) -> Relu<'_> {
        Relu(Node::new(self, "Relu").input(features))
    }

    /// The rectified linear unit capped at 6: `min(max(x, 0), 6)`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn relu6(&self, features: impl Input) -> Relu6<'_> {
        Relu6(Node::new(self, "Relu6").input(features))
    }

    /// The gradient of `Relu6`, computed from its input or output.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn relu6_grad(&self, gradients: impl Input, features: impl Input) -> Relu6Grad<'_> {
        Relu6Grad(Node::new(self, "Relu6Grad").input(gradients).input(features))
    }

    /// The gradient of `Relu`, computed from its input or output.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn relu_grad(&self, gradients: impl Input, features: impl Input) -> ReluGrad<'_> {
        ReluGrad(Node::new(self, "ReluGrad").input(gradients).input(features))
    }

    /// `Elu` scaled so that mean and variance are preserved across layers.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn selu(&self, features: impl Input) -> Selu<'_> {
        Selu(Node::new(self, "Selu").input(features))
    }

    /// The gradient of `Selu`, computed from its output.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `outputs`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn selu_grad(&self, gradients: impl Input, outputs: impl Input) -> SeluGrad<'_> {
        SeluGrad(Node::new(self, "SeluGrad").input(gradients).input(outputs))
    }

    /// The softmax along the last axis: `exp(x) / sum(exp(x))`.
    ///
    /// - `logits`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softmax(&self, logits: impl Input) -> Softmax<'_> {
        Softmax(Node::new(self, "Softmax").input(logits))
    }

    /// The cross entropy between `labels` and the softmax of `features`, and its gradient with respect to `features`. Both inputs are matrices with one row per example and are broadcast together.
    ///
    /// - `features`: a tensor of `T`
    /// - `labels`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softmax_cross_entropy_with_logits(&self, features: impl Input, labels: impl Input) -> SoftmaxCrossEntropyWithLogits<'_> {
        SoftmaxCrossEntropyWithLogits(Node::new(self, "SoftmaxCrossEntropyWithLogits").input(features).input(labels))
    }

    /// `log(1 + exp(x))`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softplus(&self, features: impl Input) -> Softplus<'_> {
        Softplus(Node::new(self, "Softplus").input(features))
    }

    /// The gradient of `Softplus`, computed from its input.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softplus_grad(&self, gradients: impl Input, features: impl Input) -> SoftplusGrad<'_> {
        SoftplusGrad(Node::new(self, "SoftplusGrad").input(gradients).input(features))
    }

    /// `x / (1 + |x|)`.
    ///
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softsign(&self, features: impl Input) -> Softsign<'_> {
        Softsign(Node::new(self, "Softsign").input(features))
    }

    /// The gradient of `Softsign`, computed from its input.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `features`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn softsign_grad(&self, gradients: impl Input, features: impl Input) -> SoftsignGrad<'_> {
        SoftsignGrad(Node::new(self, "SoftsignGrad").input(gradients).input(features))
    }

    /// The cross entropy between one class label per row and the softmax of that row of `features`, and its gradient with respect to `features`.
    ///
    /// - `features`: a tensor of `T`
    /// - `labels`: a tensor of `Tlabels`
    ///
    /// `T` is any float. `Tlabels` is int32, int64.
    pub fn sparse_softmax_cross_entropy_with_logits(&self, features: impl Input, labels: impl Input) -> SparseSoftmaxCrossEntropyWithLogits<'_> {
        SparseSoftmaxCrossEntropyWithLogits(Node::new(self, "SparseSoftmaxCrossEntropyWithLogits").input(features).input(labels))
    }

    /// The `k` largest elements of each row and their indices; of equal elements the one with the lower index comes first.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: Number of elements. At least 0.
    ///
    /// `T` is any integer or float.
    pub fn top_k(&self, input: impl Input, k: i64) -> TopK<'_> {
        let mut node = Node::new(self, "TopK").input(input);
        node.set("k", k);
        TopK(node)
    }

    /// The `k` largest distinct values of each row, and the column of each value's last occurrence. NaN is skipped; missing values are negative infinity with index -1.
    ///
    /// - `input`: a tensor of float32
    /// - `k`: Number of elements.
    ///
    /// It has no gradient.
    pub fn top_k_unique(&self, input: impl Input, k: i64) -> TopKUnique<'_> {
        let mut node = Node::new(self, "TopKUnique").input(input);
        node.set("k", k);
        TopKUnique(node)
    }

    /// The `k` largest elements of each row and their indices; of equal elements the one with the lower index comes first.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: a tensor of `Tk`
    ///
    /// `T` is any integer or float. `Tk` is int32, int16, int64.
    pub fn top_k_v2(&self, input: impl Input, k: impl Input) -> TopKV2<'_> {
        TopKV2(Node::new(self, "TopKV2").input(input).input(k))
    }

    /// `TopKUnique` applied to the result of `MakeUnique`: the `k` largest elements, whose low bits are their column indices.
    ///
    /// - `input`: a tensor of float32
    /// - `k`: Number of elements.
    ///
    /// It has no gradient.
    pub fn top_k_with_unique(&self, input: impl Input, k: i64) -> TopKWithUnique<'_> {
        let mut node = Node::new(self, "TopKWithUnique").input(input);
        node.set("k", k);
        TopKWithUnique(node)
    }
}

/// A node of [`ApproxTopK`](Ops::approx_top_k) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApproxTopK<'a>(Node<'a>);

impl ApproxTopK<'_> {
    /// The axis; negative values count from the end. Default: `-1`.
    pub fn reduction_dimension(mut self, reduction_dimension: i64) -> Self {
        self.0.set("reduction_dimension", reduction_dimension);
        self
    }

    /// Minimum recall; ignored, since the result is exact. Default: `0.95`.
    pub fn recall_target(mut self, recall_target: f32) -> Self {
        self.0.set("recall_target", recall_target);
        self
    }

    /// If true, finds the largest elements, otherwise the smallest. Default: `true`.
    pub fn is_max_k(mut self, is_max_k: bool) -> Self {
        self.0.set("is_max_k", is_max_k);
        self
    }

    /// Size of the full axis if the input is a slice of it, for the recall computation; -1 for the input's own size. Default: `-1`.
    pub fn reduction_input_size_override(mut self, reduction_input_size_override: i64) -> Self {
        self.0.set("reduction_input_size_override", reduction_input_size_override);
        self
    }

    /// If false, more than `k` elements may be returned. The result always has `k`. Default: `true`.
    pub fn aggregate_to_topk(mut self, aggregate_to_topk: bool) -> Self {
        self.0.set("aggregate_to_topk", aggregate_to_topk);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ApproxTopKOutputs {
        let mut outputs = self.0.outputs();
        ApproxTopKOutputs { values: outputs.one(), indices: outputs.one() }
    }
}

/// The outputs of [`ApproxTopK`](Ops::approx_top_k).
#[derive(Clone, Copy, Debug)]
pub struct ApproxTopKOutputs {
    /// A tensor of `T`.
    pub values: Output,
    /// A tensor of int32.
    pub indices: Output,
}

/// A node of [`AvgPool`](Ops::avg_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AvgPool<'a>(Node<'a>);

impl AvgPool<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`AvgPool3D`](Ops::avg_pool3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AvgPool3D<'a>(Node<'a>);

impl AvgPool3D<'_> {
    /// Layout of the images. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`AvgPool3DGrad`](Ops::avg_pool3d_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AvgPool3DGrad<'a>(Node<'a>);

impl AvgPool3DGrad<'_> {
    /// Layout of the images. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`AvgPoolGrad`](Ops::avg_pool_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AvgPoolGrad<'a>(Node<'a>);

impl AvgPoolGrad<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`BatchNormWithGlobalNormalization`](Ops::batch_norm_with_global_normalization) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchNormWithGlobalNormalization<'a>(Node<'a>);

/// A node of [`BatchNormWithGlobalNormalizationGrad`](Ops::batch_norm_with_global_normalization_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchNormWithGlobalNormalizationGrad<'a>(Node<'a>);

impl BatchNormWithGlobalNormalizationGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BatchNormWithGlobalNormalizationGradOutputs {
        let mut outputs = self.0.outputs();
        BatchNormWithGlobalNormalizationGradOutputs { dx: outputs.one(), dm: outputs.one(), dv: outputs.one(), db: outputs.one(), dg: outputs.one() }
    }
}

/// The outputs of [`BatchNormWithGlobalNormalizationGrad`](Ops::batch_norm_with_global_normalization_grad).
#[derive(Clone, Copy, Debug)]
pub struct BatchNormWithGlobalNormalizationGradOutputs {
    /// A tensor of `T`.
    pub dx: Output,
    /// A tensor of `T`.
    pub dm: Output,
    /// A tensor of `T`.
    pub dv: Output,
    /// A tensor of `T`.
    pub db: Output,
    /// A tensor of `T`.
    pub dg: Output,
}

/// A node of [`BiasAdd`](Ops::bias_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BiasAdd<'a>(Node<'a>);

impl BiasAdd<'_> {
    /// Position of the channel axis: last for `NHWC`, axis 1 for `NCHW`, whatever the rank. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`BiasAddGrad`](Ops::bias_add_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BiasAddGrad<'a>(Node<'a>);

impl BiasAddGrad<'_> {
    /// Position of the channel axis: last for `NHWC`, axis 1 for `NCHW`, whatever the rank. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`BiasAddV1`](Ops::bias_add_v1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BiasAddV1<'a>(Node<'a>);

/// A node of [`BlockLSTM`](Ops::block_lstm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BlockLSTM<'a>(Node<'a>);

impl BlockLSTM<'_> {
    /// Bias added to the forget gate. Default: `1.0`.
    pub fn forget_bias(mut self, forget_bias: f32) -> Self {
        self.0.set("forget_bias", forget_bias);
        self
    }

    /// Limit to which the cell state is clipped; not clipped unless positive. Default: `3.0`.
    pub fn cell_clip(mut self, cell_clip: f32) -> Self {
        self.0.set("cell_clip", cell_clip);
        self
    }

    /// If true, uses peephole connections from the cell state to the gates. Default: `false`.
    pub fn use_peephole(mut self, use_peephole: bool) -> Self {
        self.0.set("use_peephole", use_peephole);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BlockLSTMOutputs {
        let mut outputs = self.0.outputs();
        BlockLSTMOutputs { i: outputs.one(), cs: outputs.one(), f: outputs.one(), o: outputs.one(), ci: outputs.one(), co: outputs.one(), h: outputs.one() }
    }
}

/// The outputs of [`BlockLSTM`](Ops::block_lstm).
#[derive(Clone, Copy, Debug)]
pub struct BlockLSTMOutputs {
    /// A tensor of `T`.
    pub i: Output,
    /// A tensor of `T`.
    pub cs: Output,
    /// A tensor of `T`.
    pub f: Output,
    /// A tensor of `T`.
    pub o: Output,
    /// A tensor of `T`.
    pub ci: Output,
    /// A tensor of `T`.
    pub co: Output,
    /// A tensor of `T`.
    pub h: Output,
}

/// A node of [`BlockLSTMGrad`](Ops::block_lstm_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BlockLSTMGrad<'a>(Node<'a>);

impl BlockLSTMGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BlockLSTMGradOutputs {
        let mut outputs = self.0.outputs();
        BlockLSTMGradOutputs { x_grad: outputs.one(), cs_prev_grad: outputs.one(), h_prev_grad: outputs.one(), w_grad: outputs.one(), wci_grad: outputs.one(), wcf_grad: outputs.one(), wco_grad: outputs.one(), b_grad: outputs.one() }
    }
}

/// The outputs of [`BlockLSTMGrad`](Ops::block_lstm_grad).
#[derive(Clone, Copy, Debug)]
pub struct BlockLSTMGradOutputs {
    /// A tensor of `T`.
    pub x_grad: Output,
    /// A tensor of `T`.
    pub cs_prev_grad: Output,
    /// A tensor of `T`.
    pub h_prev_grad: Output,
    /// A tensor of `T`.
    pub w_grad: Output,
    /// A tensor of `T`.
    pub wci_grad: Output,
    /// A tensor of `T`.
    pub wcf_grad: Output,
    /// A tensor of `T`.
    pub wco_grad: Output,
    /// A tensor of `T`.
    pub b_grad: Output,
}

/// A node of [`BlockLSTMGradV2`](Ops::block_lstm_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BlockLSTMGradV2<'a>(Node<'a>);

impl BlockLSTMGradV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BlockLSTMGradV2Outputs {
        let mut outputs = self.0.outputs();
        BlockLSTMGradV2Outputs { x_grad: outputs.one(), cs_prev_grad: outputs.one(), h_prev_grad: outputs.one(), w_grad: outputs.one(), wci_grad: outputs.one(), wcf_grad: outputs.one(), wco_grad: outputs.one(), b_grad: outputs.one() }
    }
}

/// The outputs of [`BlockLSTMGradV2`](Ops::block_lstm_grad_v2).
#[derive(Clone, Copy, Debug)]
pub struct BlockLSTMGradV2Outputs {
    /// A tensor of `T`.
    pub x_grad: Output,
    /// A tensor of `T`.
    pub cs_prev_grad: Output,
    /// A tensor of `T`.
    pub h_prev_grad: Output,
    /// A tensor of `T`.
    pub w_grad: Output,
    /// A tensor of `T`.
    pub wci_grad: Output,
    /// A tensor of `T`.
    pub wcf_grad: Output,
    /// A tensor of `T`.
    pub wco_grad: Output,
    /// A tensor of `T`.
    pub b_grad: Output,
}

/// A node of [`BlockLSTMV2`](Ops::block_lstm_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BlockLSTMV2<'a>(Node<'a>);

impl BlockLSTMV2<'_> {
    /// Limit to which the cell state is clipped; not clipped unless positive. Default: `0.0`.
    pub fn cell_clip(mut self, cell_clip: f32) -> Self {
        self.0.set("cell_clip", cell_clip);
        self
    }

    /// If true, uses peephole connections from the cell state to the gates. Default: `false`.
    pub fn use_peephole(mut self, use_peephole: bool) -> Self {
        self.0.set("use_peephole", use_peephole);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BlockLSTMV2Outputs {
        let mut outputs = self.0.outputs();
        BlockLSTMV2Outputs { i: outputs.one(), cs: outputs.one(), f: outputs.one(), o: outputs.one(), ci: outputs.one(), co: outputs.one(), h: outputs.one() }
    }
}

/// The outputs of [`BlockLSTMV2`](Ops::block_lstm_v2).
#[derive(Clone, Copy, Debug)]
pub struct BlockLSTMV2Outputs {
    /// A tensor of `T`.
    pub i: Output,
    /// A tensor of `T`.
    pub cs: Output,
    /// A tensor of `T`.
    pub f: Output,
    /// A tensor of `T`.
    pub o: Output,
    /// A tensor of `T`.
    pub ci: Output,
    /// A tensor of `T`.
    pub co: Output,
    /// A tensor of `T`.
    pub h: Output,
}

/// A node of [`CudnnRNN`](Ops::cudnn_rnn) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNN<'a>(Node<'a>);

impl CudnnRNN<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Whether gradients may be requested. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNOutputs {
        let mut outputs = self.0.outputs();
        CudnnRNNOutputs { output: outputs.one(), output_h: outputs.one(), output_c: outputs.one(), reserve_space: outputs.one() }
    }
}

/// The outputs of [`CudnnRNN`](Ops::cudnn_rnn).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `T`.
    pub output_h: Output,
    /// A tensor of `T`.
    pub output_c: Output,
    /// A tensor of `T`.
    pub reserve_space: Output,
}

/// A node of [`CudnnRNNBackprop`](Ops::cudnn_rnn_backprop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNBackprop<'a>(Node<'a>);

impl CudnnRNNBackprop<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNBackpropOutputs {
        let mut outputs = self.0.outputs();
        CudnnRNNBackpropOutputs { input_backprop: outputs.one(), input_h_backprop: outputs.one(), input_c_backprop: outputs.one(), params_backprop: outputs.one() }
    }
}

/// The outputs of [`CudnnRNNBackprop`](Ops::cudnn_rnn_backprop).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNBackpropOutputs {
    /// A tensor of `T`.
    pub input_backprop: Output,
    /// A tensor of `T`.
    pub input_h_backprop: Output,
    /// A tensor of `T`.
    pub input_c_backprop: Output,
    /// A tensor of `T`.
    pub params_backprop: Output,
}

/// A node of [`CudnnRNNBackpropV2`](Ops::cudnn_rnn_backprop_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNBackpropV2<'a>(Node<'a>);

impl CudnnRNNBackpropV2<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNBackpropV2Outputs {
        let mut outputs = self.0.outputs();
        CudnnRNNBackpropV2Outputs { input_backprop: outputs.one(), input_h_backprop: outputs.one(), input_c_backprop: outputs.one(), params_backprop: outputs.one() }
    }
}

/// The outputs of [`CudnnRNNBackpropV2`](Ops::cudnn_rnn_backprop_v2).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNBackpropV2Outputs {
    /// A tensor of `T`.
    pub input_backprop: Output,
    /// A tensor of `T`.
    pub input_h_backprop: Output,
    /// A tensor of `T`.
    pub input_c_backprop: Output,
    /// A tensor of `T`.
    pub params_backprop: Output,
}

/// A node of [`CudnnRNNBackpropV3`](Ops::cudnn_rnn_backprop_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNBackpropV3<'a>(Node<'a>);

impl CudnnRNNBackpropV3<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Size of the recurrent projection; must be 0, since projections are not supported. Default: `0`.
    pub fn num_proj(mut self, num_proj: i64) -> Self {
        self.0.set("num_proj", num_proj);
        self
    }

    /// If true, the first axis of inputs and outputs is time and the second is the batch. Default: `true`.
    pub fn time_major(mut self, time_major: bool) -> Self {
        self.0.set("time_major", time_major);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNBackpropV3Outputs {
        let mut outputs = self.0.outputs();
        CudnnRNNBackpropV3Outputs { input_backprop: outputs.one(), input_h_backprop: outputs.one(), input_c_backprop: outputs.one(), params_backprop: outputs.one() }
    }
}

/// The outputs of [`CudnnRNNBackpropV3`](Ops::cudnn_rnn_backprop_v3).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNBackpropV3Outputs {
    /// A tensor of `T`.
    pub input_backprop: Output,
    /// A tensor of `T`.
    pub input_h_backprop: Output,
    /// A tensor of `T`.
    pub input_c_backprop: Output,
    /// A tensor of `T`.
    pub params_backprop: Output,
}

/// A node of [`CudnnRNNCanonicalToParams`](Ops::cudnn_rnn_canonical_to_params) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNCanonicalToParams<'a>(Node<'a>);

impl CudnnRNNCanonicalToParams<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Ignored. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`CudnnRNNCanonicalToParamsV2`](Ops::cudnn_rnn_canonical_to_params_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNCanonicalToParamsV2<'a>(Node<'a>);

impl CudnnRNNCanonicalToParamsV2<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Ignored. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Size of the recurrent projection; must be 0, since projections are not supported. Default: `0`.
    pub fn num_proj(mut self, num_proj: i64) -> Self {
        self.0.set("num_proj", num_proj);
        self
    }
}

/// A node of [`CudnnRNNParamsSize`](Ops::cudnn_rnn_params_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNParamsSize<'a>(Node<'a>);

impl CudnnRNNParamsSize<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Ignored. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Size of the recurrent projection; must be 0, since projections are not supported. Default: `0`.
    pub fn num_proj(mut self, num_proj: i64) -> Self {
        self.0.set("num_proj", num_proj);
        self
    }
}

/// A node of [`CudnnRNNParamsToCanonical`](Ops::cudnn_rnn_params_to_canonical) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNParamsToCanonical<'a>(Node<'a>);

impl CudnnRNNParamsToCanonical<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Ignored. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNParamsToCanonicalOutputs {
        let mut outputs = self.0.outputs();
        CudnnRNNParamsToCanonicalOutputs { weights: outputs.list(), biases: outputs.list() }
    }
}

/// The outputs of [`CudnnRNNParamsToCanonical`](Ops::cudnn_rnn_params_to_canonical).
#[derive(Clone, Debug)]
pub struct CudnnRNNParamsToCanonicalOutputs {
    /// Any number of tensors of `T`.
    pub weights: Vec<Output>,
    /// Any number of tensors of `T`.
    pub biases: Vec<Output>,
}

/// A node of [`CudnnRNNParamsToCanonicalV2`](Ops::cudnn_rnn_params_to_canonical_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNParamsToCanonicalV2<'a>(Node<'a>);

impl CudnnRNNParamsToCanonicalV2<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Ignored. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Ignored. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Size of the recurrent projection; must be 0, since projections are not supported. Default: `0`.
    pub fn num_proj(mut self, num_proj: i64) -> Self {
        self.0.set("num_proj", num_proj);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNParamsToCanonicalV2Outputs {
        let mut outputs = self.0.outputs();
        CudnnRNNParamsToCanonicalV2Outputs { weights: outputs.list(), biases: outputs.list() }
    }
}

/// The outputs of [`CudnnRNNParamsToCanonicalV2`](Ops::cudnn_rnn_params_to_canonical_v2).
#[derive(Clone, Debug)]
pub struct CudnnRNNParamsToCanonicalV2Outputs {
    /// Any number of tensors of `T`.
    pub weights: Vec<Output>,
    /// Any number of tensors of `T`.
    pub biases: Vec<Output>,
}

/// A node of [`CudnnRNNV2`](Ops::cudnn_rnn_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNV2<'a>(Node<'a>);

impl CudnnRNNV2<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Whether gradients may be requested. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNV2Outputs {
        let mut outputs = self.0.outputs();
        CudnnRNNV2Outputs { output: outputs.one(), output_h: outputs.one(), output_c: outputs.one(), reserve_space: outputs.one(), host_reserved: outputs.one() }
    }
}

/// The outputs of [`CudnnRNNV2`](Ops::cudnn_rnn_v2).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `T`.
    pub output_h: Output,
    /// A tensor of `T`.
    pub output_c: Output,
    /// A tensor of `T`.
    pub reserve_space: Output,
    /// A tensor of int8.
    pub host_reserved: Output,
}

/// A node of [`CudnnRNNV3`](Ops::cudnn_rnn_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CudnnRNNV3<'a>(Node<'a>);

impl CudnnRNNV3<'_> {
    /// Cell type. One of `"rnn_relu"`, `"rnn_tanh"`, `"lstm"`, `"gru"`. Default: `"lstm"`.
    pub fn rnn_mode(mut self, rnn_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("rnn_mode", string(rnn_mode));
        self
    }

    /// Whether the first layer has input weights. One of `"linear_input"`, `"skip_input"`, `"auto_select"`. Default: `"linear_input"`.
    pub fn input_mode(mut self, input_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_mode", string(input_mode));
        self
    }

    /// Whether layers are bidirectional. One of `"unidirectional"`, `"bidirectional"`. Default: `"unidirectional"`.
    pub fn direction(mut self, direction: impl AsRef<[u8]>) -> Self {
        self.0.set("direction", string(direction));
        self
    }

    /// Fraction of each layer's output dropped before the next layer in training. Default: `0.0`.
    pub fn dropout(mut self, dropout: f32) -> Self {
        self.0.set("dropout", dropout);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Size of the recurrent projection; must be 0, since projections are not supported. Default: `0`.
    pub fn num_proj(mut self, num_proj: i64) -> Self {
        self.0.set("num_proj", num_proj);
        self
    }

    /// Whether gradients may be requested. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// If true, the first axis of inputs and outputs is time and the second is the batch. Default: `true`.
    pub fn time_major(mut self, time_major: bool) -> Self {
        self.0.set("time_major", time_major);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CudnnRNNV3Outputs {
        let mut outputs = self.0.outputs();
        CudnnRNNV3Outputs { output: outputs.one(), output_h: outputs.one(), output_c: outputs.one(), reserve_space: outputs.one(), host_reserved: outputs.one() }
    }
}

/// The outputs of [`CudnnRNNV3`](Ops::cudnn_rnn_v3).
#[derive(Clone, Copy, Debug)]
pub struct CudnnRNNV3Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `T`.
    pub output_h: Output,
    /// A tensor of `T`.
    pub output_c: Output,
    /// A tensor of `T`.
    pub reserve_space: Output,
    /// A tensor of int8.
    pub host_reserved: Output,
}

/// A node of [`DataFormatDimMap`](Ops::data_format_dim_map) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DataFormatDimMap<'a>(Node<'a>);

impl DataFormatDimMap<'_> {
    /// Source data format, such as `NHWC` or `NCDHW`. Default: `"NHWC"`.
    pub fn src_format(mut self, src_format: impl AsRef<[u8]>) -> Self {
        self.0.set("src_format", string(src_format));
        self
    }

    /// Destination data format. Default: `"NCHW"`.
    pub fn dst_format(mut self, dst_format: impl AsRef<[u8]>) -> Self {
        self.0.set("dst_format", string(dst_format));
        self
    }
}

/// A node of [`DataFormatVecPermute`](Ops::data_format_vec_permute) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DataFormatVecPermute<'a>(Node<'a>);

impl DataFormatVecPermute<'_> {
    /// Source data format, such as `NHWC` or `NCDHW`. Default: `"NHWC"`.
    pub fn src_format(mut self, src_format: impl AsRef<[u8]>) -> Self {
        self.0.set("src_format", string(src_format));
        self
    }

    /// Destination data format. Default: `"NCHW"`.
    pub fn dst_format(mut self, dst_format: impl AsRef<[u8]>) -> Self {
        self.0.set("dst_format", string(dst_format));
        self
    }
}

/// A node of [`Elu`](Ops::elu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Elu<'a>(Node<'a>);

/// A node of [`EluGrad`](Ops::elu_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EluGrad<'a>(Node<'a>);

/// A node of [`FractionalAvgPool`](Ops::fractional_avg_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FractionalAvgPool<'a>(Node<'a>);

impl FractionalAvgPool<'_> {
    /// If true, windows are placed by the paper's pseudorandom formula, otherwise their sizes are shuffled. Default: `false`.
    pub fn pseudo_random(mut self, pseudo_random: bool) -> Self {
        self.0.set("pseudo_random", pseudo_random);
        self
    }

    /// If true, adjacent windows share an element. Default: `false`.
    pub fn overlapping(mut self, overlapping: bool) -> Self {
        self.0.set("overlapping", overlapping);
        self
    }

    /// If true, every run uses the same windows. Default: `false`.
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.0.set("deterministic", deterministic);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FractionalAvgPoolOutputs {
        let mut outputs = self.0.outputs();
        FractionalAvgPoolOutputs { output: outputs.one(), row_pooling_sequence: outputs.one(), col_pooling_sequence: outputs.one() }
    }
}

/// The outputs of [`FractionalAvgPool`](Ops::fractional_avg_pool).
#[derive(Clone, Copy, Debug)]
pub struct FractionalAvgPoolOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of int64.
    pub row_pooling_sequence: Output,
    /// A tensor of int64.
    pub col_pooling_sequence: Output,
}

/// A node of [`FractionalAvgPoolGrad`](Ops::fractional_avg_pool_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FractionalAvgPoolGrad<'a>(Node<'a>);

impl FractionalAvgPoolGrad<'_> {
    /// Whether adjacent windows share an element. Default: `false`.
    pub fn overlapping(mut self, overlapping: bool) -> Self {
        self.0.set("overlapping", overlapping);
        self
    }
}

/// A node of [`FractionalMaxPool`](Ops::fractional_max_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FractionalMaxPool<'a>(Node<'a>);

impl FractionalMaxPool<'_> {
    /// If true, windows are placed by the paper's pseudorandom formula, otherwise their sizes are shuffled. Default: `false`.
    pub fn pseudo_random(mut self, pseudo_random: bool) -> Self {
        self.0.set("pseudo_random", pseudo_random);
        self
    }

    /// If true, adjacent windows share an element. Default: `false`.
    pub fn overlapping(mut self, overlapping: bool) -> Self {
        self.0.set("overlapping", overlapping);
        self
    }

    /// If true, every run uses the same windows. Default: `false`.
    pub fn deterministic(mut self, deterministic: bool) -> Self {
        self.0.set("deterministic", deterministic);
        self
    }

    /// First seed. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FractionalMaxPoolOutputs {
        let mut outputs = self.0.outputs();
        FractionalMaxPoolOutputs { output: outputs.one(), row_pooling_sequence: outputs.one(), col_pooling_sequence: outputs.one() }
    }
}

/// The outputs of [`FractionalMaxPool`](Ops::fractional_max_pool).
#[derive(Clone, Copy, Debug)]
pub struct FractionalMaxPoolOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of int64.
    pub row_pooling_sequence: Output,
    /// A tensor of int64.
    pub col_pooling_sequence: Output,
}

/// A node of [`FractionalMaxPoolGrad`](Ops::fractional_max_pool_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FractionalMaxPoolGrad<'a>(Node<'a>);

impl FractionalMaxPoolGrad<'_> {
    /// Whether adjacent windows share an element. Default: `false`.
    pub fn overlapping(mut self, overlapping: bool) -> Self {
        self.0.set("overlapping", overlapping);
        self
    }
}

/// A node of [`FusedBatchNorm`](Ops::fused_batch_norm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNorm<'a>(Node<'a>);

impl FusedBatchNorm<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Weight of this batch in the running mean and variance. Default: `1.0`.
    pub fn exponential_avg_factor(mut self, exponential_avg_factor: f32) -> Self {
        self.0.set("exponential_avg_factor", exponential_avg_factor);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormOutputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormOutputs { y: outputs.one(), batch_mean: outputs.one(), batch_variance: outputs.one(), reserve_space_1: outputs.one(), reserve_space_2: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNorm`](Ops::fused_batch_norm).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `T`.
    pub batch_mean: Output,
    /// A tensor of `T`.
    pub batch_variance: Output,
    /// A tensor of `T`.
    pub reserve_space_1: Output,
    /// A tensor of `T`.
    pub reserve_space_2: Output,
}

/// A node of [`FusedBatchNormGrad`](Ops::fused_batch_norm_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNormGrad<'a>(Node<'a>);

impl FusedBatchNormGrad<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormGradOutputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormGradOutputs { x_backprop: outputs.one(), scale_backprop: outputs.one(), offset_backprop: outputs.one(), reserve_space_3: outputs.one(), reserve_space_4: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNormGrad`](Ops::fused_batch_norm_grad).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormGradOutputs {
    /// A tensor of `T`.
    pub x_backprop: Output,
    /// A tensor of `T`.
    pub scale_backprop: Output,
    /// A tensor of `T`.
    pub offset_backprop: Output,
    /// A tensor of `T`.
    pub reserve_space_3: Output,
    /// A tensor of `T`.
    pub reserve_space_4: Output,
}

/// A node of [`FusedBatchNormGradV2`](Ops::fused_batch_norm_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNormGradV2<'a>(Node<'a>);

impl FusedBatchNormGradV2<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormGradV2Outputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormGradV2Outputs { x_backprop: outputs.one(), scale_backprop: outputs.one(), offset_backprop: outputs.one(), reserve_space_3: outputs.one(), reserve_space_4: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNormGradV2`](Ops::fused_batch_norm_grad_v2).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormGradV2Outputs {
    /// A tensor of `T`.
    pub x_backprop: Output,
    /// A tensor of `U`.
    pub scale_backprop: Output,
    /// A tensor of `U`.
    pub offset_backprop: Output,
    /// A tensor of `U`.
    pub reserve_space_3: Output,
    /// A tensor of `U`.
    pub reserve_space_4: Output,
}

/// A node of [`FusedBatchNormGradV3`](Ops::fused_batch_norm_grad_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNormGradV3<'a>(Node<'a>);

impl FusedBatchNormGradV3<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormGradV3Outputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormGradV3Outputs { x_backprop: outputs.one(), scale_backprop: outputs.one(), offset_backprop: outputs.one(), reserve_space_4: outputs.one(), reserve_space_5: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNormGradV3`](Ops::fused_batch_norm_grad_v3).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormGradV3Outputs {
    /// A tensor of `T`.
    pub x_backprop: Output,
    /// A tensor of `U`.
    pub scale_backprop: Output,
    /// A tensor of `U`.
    pub offset_backprop: Output,
    /// A tensor of `U`.
    pub reserve_space_4: Output,
    /// A tensor of `U`.
    pub reserve_space_5: Output,
}

/// A node of [`FusedBatchNormV2`](Ops::fused_batch_norm_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNormV2<'a>(Node<'a>);

impl FusedBatchNormV2<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Weight of this batch in the running mean and variance. Default: `1.0`.
    pub fn exponential_avg_factor(mut self, exponential_avg_factor: f32) -> Self {
        self.0.set("exponential_avg_factor", exponential_avg_factor);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormV2Outputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormV2Outputs { y: outputs.one(), batch_mean: outputs.one(), batch_variance: outputs.one(), reserve_space_1: outputs.one(), reserve_space_2: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNormV2`](Ops::fused_batch_norm_v2).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormV2Outputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `U`.
    pub batch_mean: Output,
    /// A tensor of `U`.
    pub batch_variance: Output,
    /// A tensor of `U`.
    pub reserve_space_1: Output,
    /// A tensor of `U`.
    pub reserve_space_2: Output,
}

/// A node of [`FusedBatchNormV3`](Ops::fused_batch_norm_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedBatchNormV3<'a>(Node<'a>);

impl FusedBatchNormV3<'_> {
    /// Added to the variance to avoid division by zero. Default: `0.0001`.
    pub fn epsilon(mut self, epsilon: f32) -> Self {
        self.0.set("epsilon", epsilon);
        self
    }

    /// Weight of this batch in the running mean and variance. Default: `1.0`.
    pub fn exponential_avg_factor(mut self, exponential_avg_factor: f32) -> Self {
        self.0.set("exponential_avg_factor", exponential_avg_factor);
        self
    }

    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NDHWC"`, `"NCDHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones. Default: `true`.
    pub fn is_training(mut self, is_training: bool) -> Self {
        self.0.set("is_training", is_training);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FusedBatchNormV3Outputs {
        let mut outputs = self.0.outputs();
        FusedBatchNormV3Outputs { y: outputs.one(), batch_mean: outputs.one(), batch_variance: outputs.one(), reserve_space_1: outputs.one(), reserve_space_2: outputs.one(), reserve_space_3: outputs.one() }
    }
}

/// The outputs of [`FusedBatchNormV3`](Ops::fused_batch_norm_v3).
#[derive(Clone, Copy, Debug)]
pub struct FusedBatchNormV3Outputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `U`.
    pub batch_mean: Output,
    /// A tensor of `U`.
    pub batch_variance: Output,
    /// A tensor of `U`.
    pub reserve_space_1: Output,
    /// A tensor of `U`.
    pub reserve_space_2: Output,
    /// A tensor of `U`.
    pub reserve_space_3: Output,
}

/// A node of [`GRUBlockCell`](Ops::gru_block_cell) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GRUBlockCell<'a>(Node<'a>);

impl GRUBlockCell<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> GRUBlockCellOutputs {
        let mut outputs = self.0.outputs();
        GRUBlockCellOutputs { r: outputs.one(), u: outputs.one(), c: outputs.one(), h: outputs.one() }
    }
}

/// The outputs of [`GRUBlockCell`](Ops::gru_block_cell).
#[derive(Clone, Copy, Debug)]
pub struct GRUBlockCellOutputs {
    /// A tensor of `T`.
    pub r: Output,
    /// A tensor of `T`.
    pub u: Output,
    /// A tensor of `T`.
    pub c: Output,
    /// A tensor of `T`.
    pub h: Output,
}

/// A node of [`GRUBlockCellGrad`](Ops::gru_block_cell_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GRUBlockCellGrad<'a>(Node<'a>);

impl GRUBlockCellGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> GRUBlockCellGradOutputs {
        let mut outputs = self.0.outputs();
        GRUBlockCellGradOutputs { d_x: outputs.one(), d_h_prev: outputs.one(), d_c_bar: outputs.one(), d_r_bar_u_bar: outputs.one() }
    }
}

/// The outputs of [`GRUBlockCellGrad`](Ops::gru_block_cell_grad).
#[derive(Clone, Copy, Debug)]
pub struct GRUBlockCellGradOutputs {
    /// A tensor of `T`.
    pub d_x: Output,
    /// A tensor of `T`.
    pub d_h_prev: Output,
    /// A tensor of `T`.
    pub d_c_bar: Output,
    /// A tensor of `T`.
    pub d_r_bar_u_bar: Output,
}

/// A node of [`InTopK`](Ops::in_top_k) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InTopK<'a>(Node<'a>);

/// A node of [`InTopKV2`](Ops::in_top_k_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InTopKV2<'a>(Node<'a>);

/// A node of [`IsotonicRegression`](Ops::isotonic_regression) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IsotonicRegression<'a>(Node<'a>);

impl IsotonicRegression<'_> {
    /// Element type of the result: that of a float `input`, float32 for 8 and 16 bits, float64 for longer integers. Allowed: any float. Default: float32.
    pub fn output_dtype(mut self, output_dtype: DType) -> Self {
        self.0.set("output_dtype", output_dtype);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> IsotonicRegressionOutputs {
        let mut outputs = self.0.outputs();
        IsotonicRegressionOutputs { output: outputs.one(), segments: outputs.one() }
    }
}

/// The outputs of [`IsotonicRegression`](Ops::isotonic_regression).
#[derive(Clone, Copy, Debug)]
pub struct IsotonicRegressionOutputs {
    /// A tensor of `output_dtype`.
    pub output: Output,
    /// A tensor of int32.
    pub segments: Output,
}

/// A node of [`KthOrderStatistic`](Ops::kth_order_statistic) that is being described.
#[must_use = "it is no node before it is added"]
pub struct KthOrderStatistic<'a>(Node<'a>);

/// A node of [`LRN`](Ops::lrn) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LRN<'a>(Node<'a>);

impl LRN<'_> {
    /// Number of neighboring channels on each side. Default: `5`.
    pub fn depth_radius(mut self, depth_radius: i64) -> Self {
        self.0.set("depth_radius", depth_radius);
        self
    }

    /// Added to the scaled sums. Default: `1.0`.
    pub fn bias(mut self, bias: f32) -> Self {
        self.0.set("bias", bias);
        self
    }

    /// Scale of the sums of squares. Default: `1.0`.
    pub fn alpha(mut self, alpha: f32) -> Self {
        self.0.set("alpha", alpha);
        self
    }

    /// Exponent of the norm. Default: `0.5`.
    pub fn beta(mut self, beta: f32) -> Self {
        self.0.set("beta", beta);
        self
    }
}

/// A node of [`LRNGrad`](Ops::lrn_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LRNGrad<'a>(Node<'a>);

impl LRNGrad<'_> {
    /// Number of neighboring channels on each side. Default: `5`.
    pub fn depth_radius(mut self, depth_radius: i64) -> Self {
        self.0.set("depth_radius", depth_radius);
        self
    }

    /// Added to the scaled sums. Default: `1.0`.
    pub fn bias(mut self, bias: f32) -> Self {
        self.0.set("bias", bias);
        self
    }

    /// Scale of the sums of squares. Default: `1.0`.
    pub fn alpha(mut self, alpha: f32) -> Self {
        self.0.set("alpha", alpha);
        self
    }

    /// Exponent of the norm. Default: `0.5`.
    pub fn beta(mut self, beta: f32) -> Self {
        self.0.set("beta", beta);
        self
    }
}

/// A node of [`LSTMBlockCell`](Ops::lstm_block_cell) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LSTMBlockCell<'a>(Node<'a>);

impl LSTMBlockCell<'_> {
    /// Bias added to the forget gate. Default: `1.0`.
    pub fn forget_bias(mut self, forget_bias: f32) -> Self {
        self.0.set("forget_bias", forget_bias);
        self
    }

    /// Limit to which the cell state is clipped; not clipped unless positive. Default: `3.0`.
    pub fn cell_clip(mut self, cell_clip: f32) -> Self {
        self.0.set("cell_clip", cell_clip);
        self
    }

    /// If true, uses peephole connections from the cell state to the gates. Default: `false`.
    pub fn use_peephole(mut self, use_peephole: bool) -> Self {
        self.0.set("use_peephole", use_peephole);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LSTMBlockCellOutputs {
        let mut outputs = self.0.outputs();
        LSTMBlockCellOutputs { i: outputs.one(), cs: outputs.one(), f: outputs.one(), o: outputs.one(), ci: outputs.one(), co: outputs.one(), h: outputs.one() }
    }
}

/// The outputs of [`LSTMBlockCell`](Ops::lstm_block_cell).
#[derive(Clone, Copy, Debug)]
pub struct LSTMBlockCellOutputs {
    /// A tensor of `T`.
    pub i: Output,
    /// A tensor of `T`.
    pub cs: Output,
    /// A tensor of `T`.
    pub f: Output,
    /// A tensor of `T`.
    pub o: Output,
    /// A tensor of `T`.
    pub ci: Output,
    /// A tensor of `T`.
    pub co: Output,
    /// A tensor of `T`.
    pub h: Output,
}

/// A node of [`LSTMBlockCellGrad`](Ops::lstm_block_cell_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LSTMBlockCellGrad<'a>(Node<'a>);

impl LSTMBlockCellGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LSTMBlockCellGradOutputs {
        let mut outputs = self.0.outputs();
        LSTMBlockCellGradOutputs { cs_prev_grad: outputs.one(), dicfo: outputs.one(), wci_grad: outputs.one(), wcf_grad: outputs.one(), wco_grad: outputs.one() }
    }
}

/// The outputs of [`LSTMBlockCellGrad`](Ops::lstm_block_cell_grad).
#[derive(Clone, Copy, Debug)]
pub struct LSTMBlockCellGradOutputs {
    /// A tensor of `T`.
    pub cs_prev_grad: Output,
    /// A tensor of `T`.
    pub dicfo: Output,
    /// A tensor of `T`.
    pub wci_grad: Output,
    /// A tensor of `T`.
    pub wcf_grad: Output,
    /// A tensor of `T`.
    pub wco_grad: Output,
}

/// A node of [`LeakyRelu`](Ops::leaky_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LeakyRelu<'a>(Node<'a>);

impl LeakyRelu<'_> {
    /// Slope for negative inputs. Default: `0.2`.
    pub fn alpha(mut self, alpha: f32) -> Self {
        self.0.set("alpha", alpha);
        self
    }
}

/// A node of [`LeakyReluGrad`](Ops::leaky_relu_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LeakyReluGrad<'a>(Node<'a>);

impl LeakyReluGrad<'_> {
    /// Slope for negative inputs. Default: `0.2`.
    pub fn alpha(mut self, alpha: f32) -> Self {
        self.0.set("alpha", alpha);
        self
    }
}

/// A node of [`LogSoftmax`](Ops::log_softmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogSoftmax<'a>(Node<'a>);

/// A node of [`MakeUnique`](Ops::make_unique) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MakeUnique<'a>(Node<'a>);

/// A node of [`MaxPool`](Ops::max_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPool<'a>(Node<'a>);

impl MaxPool<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }
}

/// A node of [`MaxPool3D`](Ops::max_pool3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPool3D<'a>(Node<'a>);

impl MaxPool3D<'_> {
    /// Layout of the images. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPool3DGrad`](Ops::max_pool3d_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPool3DGrad<'a>(Node<'a>);

impl MaxPool3DGrad<'_> {
    /// Layout of the images. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPool3DGradGrad`](Ops::max_pool3d_grad_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPool3DGradGrad<'a>(Node<'a>);

impl MaxPool3DGradGrad<'_> {
    /// Layout of the images. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPoolGrad`](Ops::max_pool_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolGrad<'a>(Node<'a>);

impl MaxPoolGrad<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }
}

/// A node of [`MaxPoolGradGrad`](Ops::max_pool_grad_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolGradGrad<'a>(Node<'a>);

impl MaxPoolGradGrad<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPoolGradGradV2`](Ops::max_pool_grad_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolGradGradV2<'a>(Node<'a>);

impl MaxPoolGradGradV2<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPoolGradV2`](Ops::max_pool_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolGradV2<'a>(Node<'a>);

impl MaxPoolGradV2<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPoolGradWithArgmax`](Ops::max_pool_grad_with_argmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolGradWithArgmax<'a>(Node<'a>);

impl MaxPoolGradWithArgmax<'_> {
    /// If true, indices count from the start of the tensor, otherwise from the start of the image. Default: `false`.
    pub fn include_batch_in_index(mut self, include_batch_in_index: bool) -> Self {
        self.0.set("include_batch_in_index", include_batch_in_index);
        self
    }
}

/// A node of [`MaxPoolV2`](Ops::max_pool_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolV2<'a>(Node<'a>);

impl MaxPoolV2<'_> {
    /// Layout of the images. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`MaxPoolWithArgmax`](Ops::max_pool_with_argmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxPoolWithArgmax<'a>(Node<'a>);

impl MaxPoolWithArgmax<'_> {
    /// Element type of the argmax indices. Allowed: int32, int64. Default: int64.
    pub fn targmax(mut self, targmax: DType) -> Self {
        self.0.set("Targmax", targmax);
        self
    }

    /// If true, indices count from the start of the tensor, otherwise from the start of the image. Default: `false`.
    pub fn include_batch_in_index(mut self, include_batch_in_index: bool) -> Self {
        self.0.set("include_batch_in_index", include_batch_in_index);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> MaxPoolWithArgmaxOutputs {
        let mut outputs = self.0.outputs();
        MaxPoolWithArgmaxOutputs { output: outputs.one(), argmax: outputs.one() }
    }
}

/// The outputs of [`MaxPoolWithArgmax`](Ops::max_pool_with_argmax).
#[derive(Clone, Copy, Debug)]
pub struct MaxPoolWithArgmaxOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `Targmax`.
    pub argmax: Output,
}

/// A node of [`NthElement`](Ops::nth_element) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NthElement<'a>(Node<'a>);

impl NthElement<'_> {
    /// If true, sorts in descending order. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`Relu`](Ops::relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Relu<'a>(Node<'a>);

/// A node of [`Relu6`](Ops::relu6) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Relu6<'a>(Node<'a>);

/// A node of [`Relu6Grad`](Ops::relu6_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Relu6Grad<'a>(Node<'a>);

/// A node of [`ReluGrad`](Ops::relu_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReluGrad<'a>(Node<'a>);

/// A node of [`Selu`](Ops::selu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Selu<'a>(Node<'a>);

/// A node of [`SeluGrad`](Ops::selu_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SeluGrad<'a>(Node<'a>);

/// A node of [`Softmax`](Ops::softmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Softmax<'a>(Node<'a>);

/// A node of [`SoftmaxCrossEntropyWithLogits`](Ops::softmax_cross_entropy_with_logits) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SoftmaxCrossEntropyWithLogits<'a>(Node<'a>);

impl SoftmaxCrossEntropyWithLogits<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SoftmaxCrossEntropyWithLogitsOutputs {
        let mut outputs = self.0.outputs();
        SoftmaxCrossEntropyWithLogitsOutputs { loss: outputs.one(), backprop: outputs.one() }
    }
}

/// The outputs of [`SoftmaxCrossEntropyWithLogits`](Ops::softmax_cross_entropy_with_logits).
#[derive(Clone, Copy, Debug)]
pub struct SoftmaxCrossEntropyWithLogitsOutputs {
    /// A tensor of `T`.
    pub loss: Output,
    /// A tensor of `T`.
    pub backprop: Output,
}

/// A node of [`Softplus`](Ops::softplus) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Softplus<'a>(Node<'a>);

/// A node of [`SoftplusGrad`](Ops::softplus_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SoftplusGrad<'a>(Node<'a>);

/// A node of [`Softsign`](Ops::softsign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Softsign<'a>(Node<'a>);

/// A node of [`SoftsignGrad`](Ops::softsign_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SoftsignGrad<'a>(Node<'a>);

/// A node of [`SparseSoftmaxCrossEntropyWithLogits`](Ops::sparse_softmax_cross_entropy_with_logits) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSoftmaxCrossEntropyWithLogits<'a>(Node<'a>);

impl SparseSoftmaxCrossEntropyWithLogits<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSoftmaxCrossEntropyWithLogitsOutputs {
        let mut outputs = self.0.outputs();
        SparseSoftmaxCrossEntropyWithLogitsOutputs { loss: outputs.one(), backprop: outputs.one() }
    }
}

/// The outputs of [`SparseSoftmaxCrossEntropyWithLogits`](Ops::sparse_softmax_cross_entropy_with_logits).
#[derive(Clone, Copy, Debug)]
pub struct SparseSoftmaxCrossEntropyWithLogitsOutputs {
    /// A tensor of `T`.
    pub loss: Output,
    /// A tensor of `T`.
    pub backprop: Output,
}

/// A node of [`TopK`](Ops::top_k) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TopK<'a>(Node<'a>);

impl TopK<'_> {
    /// If true, results are sorted in descending order. Default: `true`.
    pub fn sorted(mut self, sorted: bool) -> Self {
        self.0.set("sorted", sorted);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TopKOutputs {
        let mut outputs = self.0.outputs();
        TopKOutputs { values: outputs.one(), indices: outputs.one() }
    }
}

/// The outputs of [`TopK`](Ops::top_k).
#[derive(Clone, Copy, Debug)]
pub struct TopKOutputs {
    /// A tensor of `T`.
    pub values: Output,
    /// A tensor of int32.
    pub indices: Output,
}

/// A node of [`TopKUnique`](Ops::top_k_unique) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TopKUnique<'a>(Node<'a>);

impl TopKUnique<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TopKUniqueOutputs {
        let mut outputs = self.0.outputs();
        TopKUniqueOutputs { topk: outputs.one(), topk_indices: outputs.one() }
    }
}

/// The outputs of [`TopKUnique`](Ops::top_k_unique).
#[derive(Clone, Copy, Debug)]
pub struct TopKUniqueOutputs {
    /// A tensor of float32.
    pub topk: Output,
    /// A tensor of int32.
    pub topk_indices: Output,
}

/// A node of [`TopKV2`](Ops::top_k_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TopKV2<'a>(Node<'a>);

impl TopKV2<'_> {
    /// If true, results are sorted in descending order. Default: `true`.
    pub fn sorted(mut self, sorted: bool) -> Self {
        self.0.set("sorted", sorted);
        self
    }

    /// Element type of the indices. Allowed: int32, int16, int64. Default: int32.
    pub fn index_type(mut self, index_type: DType) -> Self {
        self.0.set("index_type", index_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TopKV2Outputs {
        let mut outputs = self.0.outputs();
        TopKV2Outputs { values: outputs.one(), indices: outputs.one() }
    }
}

/// The outputs of [`TopKV2`](Ops::top_k_v2).
#[derive(Clone, Copy, Debug)]
pub struct TopKV2Outputs {
    /// A tensor of `T`.
    pub values: Output,
    /// A tensor of `index_type`.
    pub indices: Output,
}

/// A node of [`TopKWithUnique`](Ops::top_k_with_unique) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TopKWithUnique<'a>(Node<'a>);

impl TopKWithUnique<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> TopKWithUniqueOutputs {
        let mut outputs = self.0.outputs();
        TopKWithUniqueOutputs { topk: outputs.one(), topk_indices: outputs.one() }
    }
}

/// The outputs of [`TopKWithUnique`](Ops::top_k_with_unique).
#[derive(Clone, Copy, Debug)]
pub struct TopKWithUniqueOutputs {
    /// A tensor of float32.
    pub topk: Output,
    /// A tensor of int32.
    pub topk_indices: Output,
}

common! {
    ApproxTopK
    AvgPool
    AvgPool3D
    AvgPool3DGrad
    AvgPoolGrad
    BatchNormWithGlobalNormalization
    BatchNormWithGlobalNormalizationGrad
    BiasAdd
    BiasAddGrad
    BiasAddV1
    BlockLSTM
    BlockLSTMGrad
    BlockLSTMGradV2
    BlockLSTMV2
    CudnnRNN
    CudnnRNNBackprop
    CudnnRNNBackpropV2
    CudnnRNNBackpropV3
    CudnnRNNCanonicalToParams
    CudnnRNNCanonicalToParamsV2
    CudnnRNNParamsSize
    CudnnRNNParamsToCanonical
    CudnnRNNParamsToCanonicalV2
    CudnnRNNV2
    CudnnRNNV3
    DataFormatDimMap
    DataFormatVecPermute
    Elu
    EluGrad
    FractionalAvgPool
    FractionalAvgPoolGrad
    FractionalMaxPool
    FractionalMaxPoolGrad
    FusedBatchNorm
    FusedBatchNormGrad
    FusedBatchNormGradV2
    FusedBatchNormGradV3
    FusedBatchNormV2
    FusedBatchNormV3
    GRUBlockCell
    GRUBlockCellGrad
    InTopK
    InTopKV2
    IsotonicRegression
    KthOrderStatistic
    LRN
    LRNGrad
    LSTMBlockCell
    LSTMBlockCellGrad
    LeakyRelu
    LeakyReluGrad
    LogSoftmax
    MakeUnique
    MaxPool
    MaxPool3D
    MaxPool3DGrad
    MaxPool3DGradGrad
    MaxPoolGrad
    MaxPoolGradGrad
    MaxPoolGradGradV2
    MaxPoolGradV2
    MaxPoolGradWithArgmax
    MaxPoolV2
    MaxPoolWithArgmax
    NthElement
    Relu
    Relu6
    Relu6Grad
    ReluGrad
    Selu
    SeluGrad
    Softmax
    SoftmaxCrossEntropyWithLogits
    Softplus
    SoftplusGrad
    Softsign
    SoftsignGrad
    SparseSoftmaxCrossEntropyWithLogits
    TopK
    TopKUnique
    TopKV2
    TopKWithUnique
}

one_output! {
    AvgPool
    AvgPool3D
    AvgPool3DGrad
    AvgPoolGrad
    BatchNormWithGlobalNormalization
    BiasAdd
    BiasAddGrad
    BiasAddV1
    CudnnRNNCanonicalToParams
    CudnnRNNCanonicalToParamsV2
    CudnnRNNParamsSize
    DataFormatDimMap
    DataFormatVecPermute
    Elu
    EluGrad
    FractionalAvgPoolGrad
    FractionalMaxPoolGrad
    InTopK
    InTopKV2
    KthOrderStatistic
    LRN
    LRNGrad
    LeakyRelu
    LeakyReluGrad
    LogSoftmax
    MakeUnique
    MaxPool
    MaxPool3D
    MaxPool3DGrad
    MaxPool3DGradGrad
    MaxPoolGrad
    MaxPoolGradGrad
    MaxPoolGradGradV2
    MaxPoolGradV2
    MaxPoolGradWithArgmax
    MaxPoolV2
    NthElement
    Relu
    Relu6
    Relu6Grad
    ReluGrad
    Selu
    SeluGrad
    Softmax
    Softplus
    SoftplusGrad
    Softsign
    SoftsignGrad
}
