// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `quantize`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Converts the quantized values of `input` to floats in the range from `min_range` to `max_range`.
    ///
    /// - `input`: a tensor of `T`
    /// - `min_range`: a tensor of float32
    /// - `max_range`: a tensor of float32
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn dequantize(&self, input: impl Input, min_range: impl Input, max_range: impl Input) -> Dequantize<'_> {
        Dequantize(Node::new(self, "Dequantize").input(input).input(min_range).input(max_range))
    }

    /// Clamps `inputs` to the range from `min` to `max`, shifted so that zero is exact, and rounds them to `num_bits`-bit quantized values.
    ///
    /// - `inputs`: a tensor of float32
    pub fn fake_quant_with_min_max_args(&self, inputs: impl Input) -> FakeQuantWithMinMaxArgs<'_> {
        FakeQuantWithMinMaxArgs(Node::new(self, "FakeQuantWithMinMaxArgs").input(inputs))
    }

    /// Computes the gradient of `FakeQuantWithMinMaxArgs`: `gradients` where `inputs` is in the range, 0 elsewhere.
    ///
    /// - `gradients`: a tensor of float32
    /// - `inputs`: a tensor of float32
    pub fn fake_quant_with_min_max_args_gradient(&self, gradients: impl Input, inputs: impl Input) -> FakeQuantWithMinMaxArgsGradient<'_> {
        FakeQuantWithMinMaxArgsGradient(Node::new(self, "FakeQuantWithMinMaxArgsGradient").input(gradients).input(inputs))
    }

    /// Clamps `inputs` to the range from `min` to `max`, shifted so that zero is exact, and rounds them to `num_bits`-bit quantized values.
    ///
    /// - `inputs`: a tensor of float32
    /// - `min`: a tensor of float32
    /// - `max`: a tensor of float32
    pub fn fake_quant_with_min_max_vars(&self, inputs: impl Input, min: impl Input, max: impl Input) -> FakeQuantWithMinMaxVars<'_> {
        FakeQuantWithMinMaxVars(Node::new(self, "FakeQuantWithMinMaxVars").input(inputs).input(min).input(max))
    }

    /// Computes the gradients of `FakeQuantWithMinMaxVars`; that of `min` is the sum of the gradients where the inputs are below the range, that of `max` where they are above.
    ///
    /// - `gradients`: a tensor of float32
    /// - `inputs`: a tensor of float32
    /// - `min`: a tensor of float32
    /// - `max`: a tensor of float32
    pub fn fake_quant_with_min_max_vars_gradient(&self, gradients: impl Input, inputs: impl Input, min: impl Input, max: impl Input) -> FakeQuantWithMinMaxVarsGradient<'_> {
        FakeQuantWithMinMaxVarsGradient(Node::new(self, "FakeQuantWithMinMaxVarsGradient").input(gradients).input(inputs).input(min).input(max))
    }

    /// Like `FakeQuantWithMinMaxVars`, with one range per index of the last axis.
    ///
    /// - `inputs`: a tensor of float32
    /// - `min`: a tensor of float32
    /// - `max`: a tensor of float32
    pub fn fake_quant_with_min_max_vars_per_channel(&self, inputs: impl Input, min: impl Input, max: impl Input) -> FakeQuantWithMinMaxVarsPerChannel<'_> {
        FakeQuantWithMinMaxVarsPerChannel(Node::new(self, "FakeQuantWithMinMaxVarsPerChannel").input(inputs).input(min).input(max))
    }

    /// Computes the gradients of `FakeQuantWithMinMaxVarsPerChannel`.
    ///
    /// - `gradients`: a tensor of float32
    /// - `inputs`: a tensor of float32
    /// - `min`: a tensor of float32
    /// - `max`: a tensor of float32
    pub fn fake_quant_with_min_max_vars_per_channel_gradient(&self, gradients: impl Input, inputs: impl Input, min: impl Input, max: impl Input) -> FakeQuantWithMinMaxVarsPerChannelGradient<'_> {
        FakeQuantWithMinMaxVarsPerChannelGradient(Node::new(self, "FakeQuantWithMinMaxVarsPerChannelGradient").input(gradients).input(inputs).input(min).input(max))
    }

    /// Rounds `input` to the values that `num_bits`-bit integers can represent, scaled so that the range from `input_min` to `input_max` fits and 0 remains exact.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn quantize_and_dequantize(&self, input: impl Input) -> QuantizeAndDequantize<'_> {
        QuantizeAndDequantize(Node::new(self, "QuantizeAndDequantize").input(input))
    }

    /// Rounds `input` to the values that `num_bits`-bit integers can represent, scaled so that the range from `input_min` to `input_max` fits and 0 remains exact.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of `T`
    /// - `input_max`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn quantize_and_dequantize_v2(&self, input: impl Input, input_min: impl Input, input_max: impl Input) -> QuantizeAndDequantizeV2<'_> {
        QuantizeAndDequantizeV2(Node::new(self, "QuantizeAndDequantizeV2").input(input).input(input_min).input(input_max))
    }

    /// Rounds `input` to the values that `num_bits`-bit integers can represent, scaled so that the range from `input_min` to `input_max` fits and 0 remains exact.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of `T`
    /// - `input_max`: a tensor of `T`
    /// - `num_bits`: a tensor of int32
    ///
    /// `T` is any float.
    pub fn quantize_and_dequantize_v3(&self, input: impl Input, input_min: impl Input, input_max: impl Input, num_bits: impl Input) -> QuantizeAndDequantizeV3<'_> {
        QuantizeAndDequantizeV3(Node::new(self, "QuantizeAndDequantizeV3").input(input).input(input_min).input(input_max).input(num_bits))
    }

    /// Rounds `input` to the values that `num_bits`-bit integers can represent, scaled so that the range from `input_min` to `input_max` fits and 0 remains exact.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of `T`
    /// - `input_max`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn quantize_and_dequantize_v4(&self, input: impl Input, input_min: impl Input, input_max: impl Input) -> QuantizeAndDequantizeV4<'_> {
        QuantizeAndDequantizeV4(Node::new(self, "QuantizeAndDequantizeV4").input(input).input(input_min).input(input_max))
    }

    /// Computes the gradients of `QuantizeAndDequantizeV4`: that of the output where the input is in the range and 0 elsewhere; 0 for the range.
    ///
    /// - `gradients`: a tensor of `T`
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of `T`
    /// - `input_max`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn quantize_and_dequantize_v4_grad(&self, gradients: impl Input, input: impl Input, input_min: impl Input, input_max: impl Input) -> QuantizeAndDequantizeV4Grad<'_> {
        QuantizeAndDequantizeV4Grad(Node::new(self, "QuantizeAndDequantizeV4Grad").input(gradients).input(input).input(input_min).input(input_max))
    }

    /// Requantizes `input` to the range of its actual values, extended to contain zero.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    /// - `out_type`: Quantized type of `output`. Allowed: qint8, quint8, qint32, qint16, quint16.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantize_down_and_shrink_range(&self, input: impl Input, input_min: impl Input, input_max: impl Input, out_type: DType) -> QuantizeDownAndShrinkRange<'_> {
        let mut node = Node::new(self, "QuantizeDownAndShrinkRange").input(input).input(input_min).input(input_max);
        node.set("out_type", out_type);
        QuantizeDownAndShrinkRange(node)
    }

    /// Quantizes `input` to `T`. The range from `min_range` to `max_range` is extended to contain zero and to be at least as wide as `ensure_minimum_range` requires. The outputs `output_min` and `output_max` are the actual range of `output`.
    ///
    /// - `input`: a tensor of float32
    /// - `min_range`: a tensor of float32
    /// - `max_range`: a tensor of float32
    /// - `t`: Quantized type. Allowed: qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantize_v2(&self, input: impl Input, min_range: impl Input, max_range: impl Input, t: DType) -> QuantizeV2<'_> {
        let mut node = Node::new(self, "QuantizeV2").input(input).input(min_range).input(max_range);
        node.set("T", t);
        QuantizeV2(node)
    }

    /// Returns the element-wise sum of the quantized tensors `x` and `y`, with broadcasting.
    ///
    /// - `x`: a tensor of `T1`
    /// - `y`: a tensor of `T2`
    /// - `min_x`: a tensor of float32
    /// - `max_x`: a tensor of float32
    /// - `min_y`: a tensor of float32
    /// - `max_y`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_add(&self, x: impl Input, y: impl Input, min_x: impl Input, max_x: impl Input, min_y: impl Input, max_y: impl Input) -> QuantizedAdd<'_> {
        QuantizedAdd(Node::new(self, "QuantizedAdd").input(x).input(y).input(min_x).input(max_x).input(min_y).input(max_y))
    }

    /// Returns the mean of the quantized values in each window, rounded towards zero.
    ///
    /// - `input`: a tensor of `T`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `ksize`: Size of a window along each axis.
    /// - `strides`: Stride of the window along each axis.
    /// - `padding`: `SAME` for windows that may extend beyond the image, `VALID` for windows inside it. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_avg_pool(&self, input: impl Input, min_input: impl Input, max_input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedAvgPool<'_> {
        let mut node = Node::new(self, "QuantizedAvgPool").input(input).input(min_input).input(max_input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedAvgPool(node)
    }

    /// Normalizes `t` with one mean and one variance per channel; all inputs are quantized.
    ///
    /// - `t`: a tensor of `Tinput`
    /// - `t_min`: a tensor of float32
    /// - `t_max`: a tensor of float32
    /// - `m`: a tensor of `Tinput`
    /// - `m_min`: a tensor of float32
    /// - `m_max`: a tensor of float32
    /// - `v`: a tensor of `Tinput`
    /// - `v_min`: a tensor of float32
    /// - `v_max`: a tensor of float32
    /// - `beta`: a tensor of `Tinput`
    /// - `beta_min`: a tensor of float32
    /// - `beta_max`: a tensor of float32
    /// - `gamma`: a tensor of `Tinput`
    /// - `gamma_min`: a tensor of float32
    /// - `gamma_max`: a tensor of float32
    /// - `out_type`: Quantized type of the output. Allowed: qint8, quint8, qint32, qint16, quint16.
    /// - `variance_epsilon`: Added to the variance to avoid division by zero.
    /// - `scale_after_normalization`: Whether to multiply the normalized values by `gamma`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_batch_norm_with_global_normalization(&self, t: impl Input, t_min: impl Input, t_max: impl Input, m: impl Input, m_min: impl Input, m_max: impl Input, v: impl Input, v_min: impl Input, v_max: impl Input, beta: impl Input, beta_min: impl Input, beta_max: impl Input, gamma: impl Input, gamma_min: impl Input, gamma_max: impl Input, out_type: DType, variance_epsilon: f32, scale_after_normalization: bool) -> QuantizedBatchNormWithGlobalNormalization<'_> {
        let mut node = Node::new(self, "QuantizedBatchNormWithGlobalNormalization").input(t).input(t_min).input(t_max).input(m).input(m_min).input(m_max).input(v).input(v_min).input(v_max).input(beta).input(beta_min).input(beta_max).input(gamma).input(gamma_min).input(gamma_max);
        node.set("out_type", out_type);
        node.set("variance_epsilon", variance_epsilon);
        node.set("scale_after_normalization", scale_after_normalization);
        QuantizedBatchNormWithGlobalNormalization(node)
    }

    /// Adds the vector `bias` along the last axis of `input`. The result is qint32, with a range that holds every sum.
    ///
    /// - `input`: a tensor of `T1`
    /// - `bias`: a tensor of `T2`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_bias`: a tensor of float32
    /// - `max_bias`: a tensor of float32
    /// - `out_type`: Quantized type of the output. Allowed: qint8, quint8, qint32, qint16, quint16.
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_bias_add(&self, input: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_bias: impl Input, max_bias: impl Input, out_type: DType) -> QuantizedBiasAdd<'_> {
        let mut node = Node::new(self, "QuantizedBiasAdd").input(input).input(bias).input(min_input).input(max_input).input(min_bias).input(max_bias);
        node.set("out_type", out_type);
        QuantizedBiasAdd(node)
    }

    /// Concatenates `values` along an axis, in the range from the minimum of `input_mins` to the maximum of `input_maxes`.
    ///
    /// - `concat_dim`: a tensor of int32
    /// - `values`: any number of tensors of `T`
    /// - `input_mins`: any number of tensors of float32
    /// - `input_maxes`: any number of tensors of float32
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn quantized_concat(&self, concat_dim: impl Input, values: impl IntoIterator<Item = impl Input>, input_mins: impl IntoIterator<Item = impl Input>, input_maxes: impl IntoIterator<Item = impl Input>) -> QuantizedConcat<'_> {
        QuantizedConcat(Node::new(self, "QuantizedConcat").input(concat_dim).list(values).list(input_mins).list(input_maxes))
    }

    /// Concatenates `values` along an axis, which may be negative to count from the end; the range of an unsigned type begins at 0.
    ///
    /// - `values`: any number of tensors of `T`
    /// - `axis`: a tensor of `Tidx`
    /// - `input_mins`: any number of tensors of float32
    /// - `input_maxes`: any number of tensors of float32
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    ///
    /// It has no gradient.
    pub fn quantized_concat_v2(&self, values: impl IntoIterator<Item = impl Input>, axis: impl Input, input_mins: impl IntoIterator<Item = impl Input>, input_maxes: impl IntoIterator<Item = impl Input>) -> QuantizedConcatV2<'_> {
        QuantizedConcatV2(Node::new(self, "QuantizedConcatV2").list(values).input(axis).list(input_mins).list(input_maxes))
    }

    /// Convolves quantized images with quantized filters. The result is qint32, in a range wide enough for all products.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels, the same for rows and columns.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2D<'_> {
        let mut node = Node::new(self, "QuantizedConv2D").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2D(node)
    }

    /// Convolves quantized images with quantized filters and applies ReLU.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_and_relu(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DAndRelu<'_> {
        let mut node = Node::new(self, "QuantizedConv2DAndRelu").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DAndRelu(node)
    }

    /// Convolves quantized images with quantized filters, applies ReLU and requantizes the result.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_and_relu_and_requantize(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DAndReluAndRequantize<'_> {
        let mut node = Node::new(self, "QuantizedConv2DAndReluAndRequantize").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter).input(min_freezed_output).input(max_freezed_output);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DAndReluAndRequantize(node)
    }

    /// Convolves quantized images with quantized filters and requantizes the result.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_and_requantize(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DAndRequantize<'_> {
        let mut node = Node::new(self, "QuantizedConv2DAndRequantize").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter).input(min_freezed_output).input(max_freezed_output);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DAndRequantize(node)
    }

    /// Convolves quantized images with quantized filters, with one range per output channel of the filters.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_per_channel(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DPerChannel<'_> {
        let mut node = Node::new(self, "QuantizedConv2DPerChannel").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DPerChannel(node)
    }

    /// Convolves quantized images with quantized filters and adds a bias.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of float32
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_with_bias(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DWithBias<'_> {
        let mut node = Node::new(self, "QuantizedConv2DWithBias").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DWithBias(node)
    }

    /// Convolves quantized images with quantized filters, adds a bias and applies ReLU.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of float32
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_with_bias_and_relu(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DWithBiasAndRelu<'_> {
        let mut node = Node::new(self, "QuantizedConv2DWithBiasAndRelu").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DWithBiasAndRelu(node)
    }

    /// Convolves quantized images with quantized filters, adds a bias, applies ReLU and requantizes the result.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_with_bias_and_relu_and_requantize(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DWithBiasAndReluAndRequantize<'_> {
        let mut node = Node::new(self, "QuantizedConv2DWithBiasAndReluAndRequantize").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter).input(min_freezed_output).input(max_freezed_output);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DWithBiasAndReluAndRequantize(node)
    }

    /// Convolves quantized images with quantized filters, adds a bias and requantizes the result.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_conv2d_with_bias_and_requantize(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedConv2DWithBiasAndRequantize<'_> {
        let mut node = Node::new(self, "QuantizedConv2DWithBiasAndRequantize").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter).input(min_freezed_output).input(max_freezed_output);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedConv2DWithBiasAndRequantize(node)
    }

    /// Computes the depthwise convolution of quantized images with quantized filters.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_depthwise_conv2d(&self, input: impl Input, filter: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedDepthwiseConv2D<'_> {
        let mut node = Node::new(self, "QuantizedDepthwiseConv2D").input(input).input(filter).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedDepthwiseConv2D(node)
    }

    /// Computes the depthwise convolution of quantized images with quantized filters and adds a bias.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of float32
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_depthwise_conv2d_with_bias(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedDepthwiseConv2DWithBias<'_> {
        let mut node = Node::new(self, "QuantizedDepthwiseConv2DWithBias").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedDepthwiseConv2DWithBias(node)
    }

    /// Computes the depthwise convolution of quantized images with quantized filters, adds a bias and applies ReLU.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of float32
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_depthwise_conv2d_with_bias_and_relu(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedDepthwiseConv2DWithBiasAndRelu<'_> {
        let mut node = Node::new(self, "QuantizedDepthwiseConv2DWithBiasAndRelu").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedDepthwiseConv2DWithBiasAndRelu(node)
    }

    /// Computes the depthwise convolution of quantized images with quantized filters, adds a bias, applies ReLU and requantizes the result.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `filter`: a tensor of `Tfilter`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `min_filter`: a tensor of float32
    /// - `max_filter`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `strides`: Strides of the filter: 1 for the batch and the channels.
    /// - `padding`: `SAME` to pad the images with zeros, `VALID` for no padding. One of `"SAME"`, `"VALID"`.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16. `Tfilter` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_depthwise_conv2d_with_bias_and_relu_and_requantize(&self, input: impl Input, filter: impl Input, bias: impl Input, min_input: impl Input, max_input: impl Input, min_filter: impl Input, max_filter: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize<'_> {
        let mut node = Node::new(self, "QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize").input(input).input(filter).input(bias).input(min_input).input(max_input).input(min_filter).input(max_filter).input(min_freezed_output).input(max_freezed_output);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize(node)
    }

    /// Normalizes each channel of each quantized image in `x` to mean 0 and variance 1.
    ///
    /// - `x`: a tensor of `T`
    /// - `x_min`: a tensor of float32
    /// - `x_max`: a tensor of float32
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_instance_norm(&self, x: impl Input, x_min: impl Input, x_max: impl Input) -> QuantizedInstanceNorm<'_> {
        QuantizedInstanceNorm(Node::new(self, "QuantizedInstanceNorm").input(x).input(x_min).input(x_max))
    }

    /// Multiplies two quantized matrices. The result is qint32, in a range wide enough for all products.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul(&self, a: impl Input, b: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input) -> QuantizedMatMul<'_> {
        QuantizedMatMul(Node::new(self, "QuantizedMatMul").input(a).input(b).input(min_a).input(max_a).input(min_b).input(max_b))
    }

    /// Multiplies two quantized matrices and adds a bias.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul_with_bias(&self, a: impl Input, b: impl Input, bias: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input) -> QuantizedMatMulWithBias<'_> {
        QuantizedMatMulWithBias(Node::new(self, "QuantizedMatMulWithBias").input(a).input(b).input(bias).input(min_a).input(max_a).input(min_b).input(max_b))
    }

    /// Multiplies two quantized matrices, adds a bias and dequantizes the result.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    /// - `toutput`: Type of the output. Allowed: float32.
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul_with_bias_and_dequantize(&self, a: impl Input, b: impl Input, bias: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input, toutput: DType) -> QuantizedMatMulWithBiasAndDequantize<'_> {
        let mut node = Node::new(self, "QuantizedMatMulWithBiasAndDequantize").input(a).input(b).input(bias).input(min_a).input(max_a).input(min_b).input(max_b).input(min_freezed_output).input(max_freezed_output);
        node.set("Toutput", toutput);
        QuantizedMatMulWithBiasAndDequantize(node)
    }

    /// Multiplies two quantized matrices, adds a bias and applies ReLU.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `bias`: a tensor of float32
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul_with_bias_and_relu(&self, a: impl Input, b: impl Input, bias: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input) -> QuantizedMatMulWithBiasAndRelu<'_> {
        QuantizedMatMulWithBiasAndRelu(Node::new(self, "QuantizedMatMulWithBiasAndRelu").input(a).input(b).input(bias).input(min_a).input(max_a).input(min_b).input(max_b))
    }

    /// Multiplies two quantized matrices, adds a bias, applies ReLU and requantizes the result.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul_with_bias_and_relu_and_requantize(&self, a: impl Input, b: impl Input, bias: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input) -> QuantizedMatMulWithBiasAndReluAndRequantize<'_> {
        QuantizedMatMulWithBiasAndReluAndRequantize(Node::new(self, "QuantizedMatMulWithBiasAndReluAndRequantize").input(a).input(b).input(bias).input(min_a).input(max_a).input(min_b).input(max_b).input(min_freezed_output).input(max_freezed_output))
    }

    /// Multiplies two quantized matrices, adds a bias and requantizes the result.
    ///
    /// - `a`: a tensor of `T1`
    /// - `b`: a tensor of `T2`
    /// - `bias`: a tensor of `Tbias`
    /// - `min_a`: a tensor of float32
    /// - `max_a`: a tensor of float32
    /// - `min_b`: a tensor of float32
    /// - `max_b`: a tensor of float32
    /// - `min_freezed_output`: a tensor of float32
    /// - `max_freezed_output`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16. `Tbias` is float32, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_mat_mul_with_bias_and_requantize(&self, a: impl Input, b: impl Input, bias: impl Input, min_a: impl Input, max_a: impl Input, min_b: impl Input, max_b: impl Input, min_freezed_output: impl Input, max_freezed_output: impl Input) -> QuantizedMatMulWithBiasAndRequantize<'_> {
        QuantizedMatMulWithBiasAndRequantize(Node::new(self, "QuantizedMatMulWithBiasAndRequantize").input(a).input(b).input(bias).input(min_a).input(max_a).input(min_b).input(max_b).input(min_freezed_output).input(max_freezed_output))
    }

    /// Returns the maximum of the quantized values in each window.
    ///
    /// - `input`: a tensor of `T`
    /// - `min_input`: a tensor of float32
    /// - `max_input`: a tensor of float32
    /// - `ksize`: Size of a window along each axis.
    /// - `strides`: Stride of the window along each axis.
    /// - `padding`: `SAME` for windows that may extend beyond the image, `VALID` for windows inside it. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_max_pool(&self, input: impl Input, min_input: impl Input, max_input: impl Input, ksize: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> QuantizedMaxPool<'_> {
        let mut node = Node::new(self, "QuantizedMaxPool").input(input).input(min_input).input(max_input);
        node.set("ksize", ksize.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        QuantizedMaxPool(node)
    }

    /// Returns the element-wise product of the quantized tensors `x` and `y`, with broadcasting.
    ///
    /// - `x`: a tensor of `T1`
    /// - `y`: a tensor of `T2`
    /// - `min_x`: a tensor of float32
    /// - `max_x`: a tensor of float32
    /// - `min_y`: a tensor of float32
    /// - `max_y`: a tensor of float32
    ///
    /// `T1` is qint8, quint8, qint32, qint16, quint16. `T2` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_mul(&self, x: impl Input, y: impl Input, min_x: impl Input, max_x: impl Input, min_y: impl Input, max_y: impl Input) -> QuantizedMul<'_> {
        QuantizedMul(Node::new(self, "QuantizedMul").input(x).input(y).input(min_x).input(max_x).input(min_y).input(max_y))
    }

    /// Computes ReLU of the quantized tensor `features`.
    ///
    /// - `features`: a tensor of `Tinput`
    /// - `min_features`: a tensor of float32
    /// - `max_features`: a tensor of float32
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_relu(&self, features: impl Input, min_features: impl Input, max_features: impl Input) -> QuantizedRelu<'_> {
        QuantizedRelu(Node::new(self, "QuantizedRelu").input(features).input(min_features).input(max_features))
    }

    /// Computes ReLU6 of the quantized tensor `features`: clamps it to the range from 0 to 6.
    ///
    /// - `features`: a tensor of `Tinput`
    /// - `min_features`: a tensor of float32
    /// - `max_features`: a tensor of float32
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_relu6(&self, features: impl Input, min_features: impl Input, max_features: impl Input) -> QuantizedRelu6<'_> {
        QuantizedRelu6(Node::new(self, "QuantizedRelu6").input(features).input(min_features).input(max_features))
    }

    /// Clamps the quantized tensor `features` to the range from 0 to `max_value`.
    ///
    /// - `features`: a tensor of `Tinput`
    /// - `max_value`: a tensor of float32
    /// - `min_features`: a tensor of float32
    /// - `max_features`: a tensor of float32
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn quantized_relu_x(&self, features: impl Input, max_value: impl Input, min_features: impl Input, max_features: impl Input) -> QuantizedReluX<'_> {
        QuantizedReluX(Node::new(self, "QuantizedReluX").input(features).input(max_value).input(min_features).input(max_features))
    }

    /// Reshapes `tensor` to `shape`, in which one size may be -1 and is inferred from the others. The range is unchanged.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `shape`: a tensor of `Tshape`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    ///
    /// `T` is any dtype. `Tshape` is int32, int64.
    ///
    /// It has no gradient.
    pub fn quantized_reshape(&self, tensor: impl Input, shape: impl Input, input_min: impl Input, input_max: impl Input) -> QuantizedReshape<'_> {
        QuantizedReshape(Node::new(self, "QuantizedReshape").input(tensor).input(shape).input(input_min).input(input_max))
    }

    /// Resizes images to `size` by bilinear interpolation; quantized types use fixed-point arithmetic.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    /// - `min`: a tensor of float32
    /// - `max`: a tensor of float32
    ///
    /// `T` is float32, quint8, qint32.
    ///
    /// It has no gradient.
    pub fn quantized_resize_bilinear(&self, images: impl Input, size: impl Input, min: impl Input, max: impl Input) -> QuantizedResizeBilinear<'_> {
        QuantizedResizeBilinear(Node::new(self, "QuantizedResizeBilinear").input(images).input(size).input(min).input(max))
    }

    /// Computes the actual range of the quantized values of `input`, extended to contain zero.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn requantization_range(&self, input: impl Input, input_min: impl Input, input_max: impl Input) -> RequantizationRange<'_> {
        RequantizationRange(Node::new(self, "RequantizationRange").input(input).input(input_min).input(input_max))
    }

    /// Computes the actual range, symmetric around zero, of `input`, whose channels have separate ranges.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    /// - `clip_value_max`: Upper bound for the maximum of the range.
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn requantization_range_per_channel(&self, input: impl Input, input_min: impl Input, input_max: impl Input, clip_value_max: f32) -> RequantizationRangePerChannel<'_> {
        let mut node = Node::new(self, "RequantizationRangePerChannel").input(input).input(input_min).input(input_max);
        node.set("clip_value_max", clip_value_max);
        RequantizationRangePerChannel(node)
    }

    /// Requantizes `input` to the range from `requested_output_min` to `requested_output_max`.
    ///
    /// - `input`: a tensor of `Tinput`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    /// - `requested_output_min`: a tensor of float32
    /// - `requested_output_max`: a tensor of float32
    /// - `out_type`: Quantized type of `output`. Allowed: qint8, quint8, qint32, qint16, quint16.
    ///
    /// `Tinput` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn requantize(&self, input: impl Input, input_min: impl Input, input_max: impl Input, requested_output_min: impl Input, requested_output_max: impl Input, out_type: DType) -> Requantize<'_> {
        let mut node = Node::new(self, "Requantize").input(input).input(input_min).input(input_max).input(requested_output_min).input(requested_output_max);
        node.set("out_type", out_type);
        Requantize(node)
    }

    /// Requantizes `input`, whose channels have separate ranges, to the range from `requested_output_min` to `requested_output_max`, scaled by whichever is further from 0.
    ///
    /// - `input`: a tensor of `T`
    /// - `input_min`: a tensor of float32
    /// - `input_max`: a tensor of float32
    /// - `requested_output_min`: a tensor of float32
    /// - `requested_output_max`: a tensor of float32
    ///
    /// `T` is qint8, quint8, qint32, qint16, quint16.
    ///
    /// It has no gradient.
    pub fn requantize_per_channel(&self, input: impl Input, input_min: impl Input, input_max: impl Input, requested_output_min: impl Input, requested_output_max: impl Input) -> RequantizePerChannel<'_> {
        RequantizePerChannel(Node::new(self, "RequantizePerChannel").input(input).input(input_min).input(input_max).input(requested_output_min).input(requested_output_max))
    }

    /// Dequantizes `input`: subtracts `zero_points` and multiplies by `scales`.
    ///
    /// - `input`: a tensor of `Tin`
    /// - `scales`: a tensor of float32
    /// - `zero_points`: a tensor of int32
    /// - `tout`: Element type of the output. Allowed: float32.
    /// - `quantization_min_val`: Smallest quantized value.
    /// - `quantization_max_val`: Largest quantized value.
    ///
    /// `Tin` is qint8, quint8, qint32.
    ///
    /// It has no gradient.
    pub fn uniform_dequantize(&self, input: impl Input, scales: impl Input, zero_points: impl Input, tout: DType, quantization_min_val: i64, quantization_max_val: i64) -> UniformDequantize<'_> {
        let mut node = Node::new(self, "UniformDequantize").input(input).input(scales).input(zero_points);
        node.set("Tout", tout);
        node.set("quantization_min_val", quantization_min_val);
        node.set("quantization_max_val", quantization_max_val);
        UniformDequantize(node)
    }

    /// Quantizes `input`: divides by `scales`, rounds, and adds `zero_points`.
    ///
    /// - `input`: a tensor of `Tin`
    /// - `scales`: a tensor of float32
    /// - `zero_points`: a tensor of int32
    /// - `tout`: Quantized type. Allowed: qint8, quint8, qint32.
    /// - `quantization_min_val`: Smallest quantized value.
    /// - `quantization_max_val`: Largest quantized value.
    ///
    /// `Tin` is float32.
    ///
    /// It has no gradient.
    pub fn uniform_quantize(&self, input: impl Input, scales: impl Input, zero_points: impl Input, tout: DType, quantization_min_val: i64, quantization_max_val: i64) -> UniformQuantize<'_> {
        let mut node = Node::new(self, "UniformQuantize").input(input).input(scales).input(zero_points);
        node.set("Tout", tout);
        node.set("quantization_min_val", quantization_min_val);
        node.set("quantization_max_val", quantization_max_val);
        UniformQuantize(node)
    }

    /// Adds `lhs` and `rhs`, both qint32, with broadcasting, and quantizes the sum with the output's scale and zero point.
    ///
    /// - `lhs`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    /// - `lhs_scales`: a tensor of float32
    /// - `lhs_zero_points`: a tensor of int32
    /// - `rhs_scales`: a tensor of float32
    /// - `rhs_zero_points`: a tensor of int32
    /// - `output_scales`: a tensor of float32
    /// - `output_zero_points`: a tensor of int32
    /// - `lhs_quantization_min_val`: Smallest quantized value of `lhs`.
    /// - `lhs_quantization_max_val`: Largest quantized value of `lhs`.
    /// - `rhs_quantization_min_val`: Smallest quantized value of `rhs`.
    /// - `rhs_quantization_max_val`: Largest quantized value of `rhs`.
    /// - `output_quantization_min_val`: Smallest quantized value of the output.
    /// - `output_quantization_max_val`: Largest quantized value of the output.
    ///
    /// `T` is qint32.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_add(&self, lhs: impl Input, rhs: impl Input, lhs_scales: impl Input, lhs_zero_points: impl Input, rhs_scales: impl Input, rhs_zero_points: impl Input, output_scales: impl Input, output_zero_points: impl Input, lhs_quantization_min_val: i64, lhs_quantization_max_val: i64, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64, output_quantization_min_val: i64, output_quantization_max_val: i64) -> UniformQuantizedAdd<'_> {
        let mut node = Node::new(self, "UniformQuantizedAdd").input(lhs).input(rhs).input(lhs_scales).input(lhs_zero_points).input(rhs_scales).input(rhs_zero_points).input(output_scales).input(output_zero_points);
        node.set("lhs_quantization_min_val", lhs_quantization_min_val);
        node.set("lhs_quantization_max_val", lhs_quantization_max_val);
        node.set("rhs_quantization_min_val", rhs_quantization_min_val);
        node.set("rhs_quantization_max_val", rhs_quantization_max_val);
        node.set("output_quantization_min_val", output_quantization_min_val);
        node.set("output_quantization_max_val", output_quantization_max_val);
        UniformQuantizedAdd(node)
    }

    /// Clamps `operand` to the quantized values from `min` to `max`.
    ///
    /// - `operand`: a tensor of `T`
    /// - `min`: a tensor of `T`
    /// - `max`: a tensor of `T`
    /// - `scales`: a tensor of float32
    /// - `zero_points`: a tensor of int32
    /// - `quantization_min_val`: Smallest quantized value.
    /// - `quantization_max_val`: Largest quantized value.
    ///
    /// `T` is qint32.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_clip_by_value(&self, operand: impl Input, min: impl Input, max: impl Input, scales: impl Input, zero_points: impl Input, quantization_min_val: i64, quantization_max_val: i64) -> UniformQuantizedClipByValue<'_> {
        let mut node = Node::new(self, "UniformQuantizedClipByValue").input(operand).input(min).input(max).input(scales).input(zero_points);
        node.set("quantization_min_val", quantization_min_val);
        node.set("quantization_max_val", quantization_max_val);
        UniformQuantizedClipByValue(node)
    }

    /// Computes the convolution of quantized tensors, quantized with the output's scale and zero point.
    ///
    /// - `lhs`: a tensor of `Tin`
    /// - `rhs`: a tensor of `Tin`
    /// - `lhs_scales`: a tensor of float32
    /// - `lhs_zero_points`: a tensor of int32
    /// - `rhs_scales`: a tensor of float32
    /// - `rhs_zero_points`: a tensor of int32
    /// - `output_scales`: a tensor of float32
    /// - `output_zero_points`: a tensor of int32
    /// - `tout`: Quantized type of the output. Allowed: qint32.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`.
    /// - `lhs_quantization_min_val`: Smallest quantized value of `lhs`.
    /// - `lhs_quantization_max_val`: Largest quantized value of `lhs`.
    /// - `rhs_quantization_min_val`: Smallest quantized value of `rhs`.
    /// - `rhs_quantization_max_val`: Largest quantized value of `rhs`.
    /// - `output_quantization_min_val`: Smallest quantized value of the output.
    /// - `output_quantization_max_val`: Largest quantized value of the output.
    ///
    /// `Tin` is qint8.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_convolution(&self, lhs: impl Input, rhs: impl Input, lhs_scales: impl Input, lhs_zero_points: impl Input, rhs_scales: impl Input, rhs_zero_points: impl Input, output_scales: impl Input, output_zero_points: impl Input, tout: DType, padding: impl AsRef<[u8]>, lhs_quantization_min_val: i64, lhs_quantization_max_val: i64, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64, output_quantization_min_val: i64, output_quantization_max_val: i64) -> UniformQuantizedConvolution<'_> {
        let mut node = Node::new(self, "UniformQuantizedConvolution").input(lhs).input(rhs).input(lhs_scales).input(lhs_zero_points).input(rhs_scales).input(rhs_zero_points).input(output_scales).input(output_zero_points);
        node.set("Tout", tout);
        node.set("padding", string(padding));
        node.set("lhs_quantization_min_val", lhs_quantization_min_val);
        node.set("lhs_quantization_max_val", lhs_quantization_max_val);
        node.set("rhs_quantization_min_val", rhs_quantization_min_val);
        node.set("rhs_quantization_max_val", rhs_quantization_max_val);
        node.set("output_quantization_min_val", output_quantization_min_val);
        node.set("output_quantization_max_val", output_quantization_max_val);
        UniformQuantizedConvolution(node)
    }

    /// Computes the convolution of float images, each quantized dynamically by its range, with quantized filters.
    ///
    /// - `lhs`: a tensor of `Tlhs`
    /// - `rhs`: a tensor of `Trhs`
    /// - `rhs_scales`: a tensor of float32
    /// - `rhs_zero_points`: a tensor of int32
    /// - `tout`: Element type of the output. Allowed: float32.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`.
    /// - `rhs_quantization_min_val`: Smallest quantized value of `rhs`.
    /// - `rhs_quantization_max_val`: Largest quantized value of `rhs`.
    ///
    /// `Tlhs` is float32. `Trhs` is qint8.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_convolution_hybrid(&self, lhs: impl Input, rhs: impl Input, rhs_scales: impl Input, rhs_zero_points: impl Input, tout: DType, padding: impl AsRef<[u8]>, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64) -> UniformQuantizedConvolutionHybrid<'_> {
        let mut node = Node::new(self, "UniformQuantizedConvolutionHybrid").input(lhs).input(rhs).input(rhs_scales).input(rhs_zero_points);
        node.set("Tout", tout);
        node.set("padding", string(padding));
        node.set("rhs_quantization_min_val", rhs_quantization_min_val);
        node.set("rhs_quantization_max_val", rhs_quantization_max_val);
        UniformQuantizedConvolutionHybrid(node)
    }

    /// Multiplies two quantized matrices; the product is quantized with the output's scale and zero point.
    ///
    /// - `lhs`: a tensor of `Tin`
    /// - `rhs`: a tensor of `Tin`
    /// - `lhs_scales`: a tensor of float32
    /// - `lhs_zero_points`: a tensor of int32
    /// - `rhs_scales`: a tensor of float32
    /// - `rhs_zero_points`: a tensor of int32
    /// - `output_scales`: a tensor of float32
    /// - `output_zero_points`: a tensor of int32
    /// - `tout`: Quantized type of the output. Allowed: qint32.
    /// - `lhs_quantization_min_val`: Smallest quantized value of `lhs`.
    /// - `lhs_quantization_max_val`: Largest quantized value of `lhs`.
    /// - `rhs_quantization_min_val`: Smallest quantized value of `rhs`.
    /// - `rhs_quantization_max_val`: Largest quantized value of `rhs`.
    /// - `output_quantization_min_val`: Smallest quantized value of the output.
    /// - `output_quantization_max_val`: Largest quantized value of the output.
    ///
    /// `Tin` is qint8.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_dot(&self, lhs: impl Input, rhs: impl Input, lhs_scales: impl Input, lhs_zero_points: impl Input, rhs_scales: impl Input, rhs_zero_points: impl Input, output_scales: impl Input, output_zero_points: impl Input, tout: DType, lhs_quantization_min_val: i64, lhs_quantization_max_val: i64, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64, output_quantization_min_val: i64, output_quantization_max_val: i64) -> UniformQuantizedDot<'_> {
        let mut node = Node::new(self, "UniformQuantizedDot").input(lhs).input(rhs).input(lhs_scales).input(lhs_zero_points).input(rhs_scales).input(rhs_zero_points).input(output_scales).input(output_zero_points);
        node.set("Tout", tout);
        node.set("lhs_quantization_min_val", lhs_quantization_min_val);
        node.set("lhs_quantization_max_val", lhs_quantization_max_val);
        node.set("rhs_quantization_min_val", rhs_quantization_min_val);
        node.set("rhs_quantization_max_val", rhs_quantization_max_val);
        node.set("output_quantization_min_val", output_quantization_min_val);
        node.set("output_quantization_max_val", output_quantization_max_val);
        UniformQuantizedDot(node)
    }

    /// Multiplies a matrix of floats, each row quantized dynamically by its range, by a quantized matrix.
    ///
    /// - `lhs`: a tensor of `Tlhs`
    /// - `rhs`: a tensor of `Trhs`
    /// - `rhs_scales`: a tensor of float32
    /// - `rhs_zero_points`: a tensor of int32
    /// - `tout`: Element type of the output. Allowed: float32.
    /// - `rhs_quantization_min_val`: Smallest quantized value of `rhs`.
    /// - `rhs_quantization_max_val`: Largest quantized value of `rhs`.
    ///
    /// `Tlhs` is float32. `Trhs` is qint8.
    ///
    /// It has no gradient.
    pub fn uniform_quantized_dot_hybrid(&self, lhs: impl Input, rhs: impl Input, rhs_scales: impl Input, rhs_zero_points: impl Input, tout: DType, rhs_quantization_min_val: i64, rhs_quantization_max_val: i64) -> UniformQuantizedDotHybrid<'_> {
        let mut node = Node::new(self, "UniformQuantizedDotHybrid").input(lhs).input(rhs).input(rhs_scales).input(rhs_zero_points);
        node.set("Tout", tout);
        node.set("rhs_quantization_min_val", rhs_quantization_min_val);
        node.set("rhs_quantization_max_val", rhs_quantization_max_val);
        UniformQuantizedDotHybrid(node)
    }

    /// Requantizes `input` from one scale and zero point to another.
    ///
    /// - `input`: a tensor of `Tin`
    /// - `input_scales`: a tensor of float32
    /// - `input_zero_points`: a tensor of int32
    /// - `output_scales`: a tensor of float32
    /// - `output_zero_points`: a tensor of int32
    /// - `tout`: Quantized type of the output. Allowed: qint8, qint32.
    /// - `input_quantization_min_val`: Smallest quantized value of `input`.
    /// - `input_quantization_max_val`: Largest quantized value of `input`.
    /// - `output_quantization_min_val`: Smallest quantized value of the output.
    /// - `output_quantization_max_val`: Largest quantized value of the output.
    ///
    /// `Tin` is qint8, qint32.
    ///
    /// It has no gradient.
    pub fn uniform_requantize(&self, input: impl Input, input_scales: impl Input, input_zero_points: impl Input, output_scales: impl Input, output_zero_points: impl Input, tout: DType, input_quantization_min_val: i64, input_quantization_max_val: i64, output_quantization_min_val: i64, output_quantization_max_val: i64) -> UniformRequantize<'_> {
        let mut node = Node::new(self, "UniformRequantize").input(input).input(input_scales).input(input_zero_points).input(output_scales).input(output_zero_points);
        node.set("Tout", tout);
        node.set("input_quantization_min_val", input_quantization_min_val);
        node.set("input_quantization_max_val", input_quantization_max_val);
        node.set("output_quantization_min_val", output_quantization_min_val);
        node.set("output_quantization_max_val", output_quantization_max_val);
        UniformRequantize(node)
    }
}

/// A node of [`Dequantize`](Ops::dequantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Dequantize<'a>(Node<'a>);

impl Dequantize<'_> {
    /// Quantization mode, as in `QuantizeV2`. One of `"MIN_COMBINED"`, `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_COMBINED"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Whether `SCALED` left the smallest quantized value unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Element type of the output. Allowed: float32, bfloat16. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`FakeQuantWithMinMaxArgs`](Ops::fake_quant_with_min_max_args) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxArgs<'a>(Node<'a>);

impl FakeQuantWithMinMaxArgs<'_> {
    /// Minimum of the range. Default: `-6.0`.
    pub fn min(mut self, min: f32) -> Self {
        self.0.set("min", min);
        self
    }

    /// Maximum of the range. Default: `6.0`.
    pub fn max(mut self, max: f32) -> Self {
        self.0.set("max", max);
        self
    }

    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }
}

/// A node of [`FakeQuantWithMinMaxArgsGradient`](Ops::fake_quant_with_min_max_args_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxArgsGradient<'a>(Node<'a>);

impl FakeQuantWithMinMaxArgsGradient<'_> {
    /// Minimum of the range. Default: `-6.0`.
    pub fn min(mut self, min: f32) -> Self {
        self.0.set("min", min);
        self
    }

    /// Maximum of the range. Default: `6.0`.
    pub fn max(mut self, max: f32) -> Self {
        self.0.set("max", max);
        self
    }

    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }
}

/// A node of [`FakeQuantWithMinMaxVars`](Ops::fake_quant_with_min_max_vars) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxVars<'a>(Node<'a>);

impl FakeQuantWithMinMaxVars<'_> {
    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }
}

/// A node of [`FakeQuantWithMinMaxVarsGradient`](Ops::fake_quant_with_min_max_vars_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxVarsGradient<'a>(Node<'a>);

impl FakeQuantWithMinMaxVarsGradient<'_> {
    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FakeQuantWithMinMaxVarsGradientOutputs {
        let mut outputs = self.0.outputs();
        FakeQuantWithMinMaxVarsGradientOutputs { backprops_wrt_input: outputs.one(), backprop_wrt_min: outputs.one(), backprop_wrt_max: outputs.one() }
    }
}

/// The outputs of [`FakeQuantWithMinMaxVarsGradient`](Ops::fake_quant_with_min_max_vars_gradient).
#[derive(Clone, Copy, Debug)]
pub struct FakeQuantWithMinMaxVarsGradientOutputs {
    /// A tensor of float32.
    pub backprops_wrt_input: Output,
    /// A tensor of float32.
    pub backprop_wrt_min: Output,
    /// A tensor of float32.
    pub backprop_wrt_max: Output,
}

/// A node of [`FakeQuantWithMinMaxVarsPerChannel`](Ops::fake_quant_with_min_max_vars_per_channel) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxVarsPerChannel<'a>(Node<'a>);

impl FakeQuantWithMinMaxVarsPerChannel<'_> {
    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }
}

/// A node of [`FakeQuantWithMinMaxVarsPerChannelGradient`](Ops::fake_quant_with_min_max_vars_per_channel_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeQuantWithMinMaxVarsPerChannelGradient<'a>(Node<'a>);

impl FakeQuantWithMinMaxVarsPerChannelGradient<'_> {
    /// Number of bits of a quantized value, 2 to 16. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the smallest quantized value is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FakeQuantWithMinMaxVarsPerChannelGradientOutputs {
        let mut outputs = self.0.outputs();
        FakeQuantWithMinMaxVarsPerChannelGradientOutputs { backprops_wrt_input: outputs.one(), backprop_wrt_min: outputs.one(), backprop_wrt_max: outputs.one() }
    }
}

/// The outputs of [`FakeQuantWithMinMaxVarsPerChannelGradient`](Ops::fake_quant_with_min_max_vars_per_channel_gradient).
#[derive(Clone, Copy, Debug)]
pub struct FakeQuantWithMinMaxVarsPerChannelGradientOutputs {
    /// A tensor of float32.
    pub backprops_wrt_input: Output,
    /// A tensor of float32.
    pub backprop_wrt_min: Output,
    /// A tensor of float32.
    pub backprop_wrt_max: Output,
}

/// A node of [`QuantizeAndDequantize`](Ops::quantize_and_dequantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeAndDequantize<'a>(Node<'a>);

impl QuantizeAndDequantize<'_> {
    /// Whether the integers are signed. Default: `true`.
    pub fn signed_input(mut self, signed_input: bool) -> Self {
        self.0.set("signed_input", signed_input);
        self
    }

    /// Number of bits of an integer, including the sign. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the range is given; otherwise it is that of the elements. Default: `false`.
    pub fn range_given(mut self, range_given: bool) -> Self {
        self.0.set("range_given", range_given);
        self
    }

    /// Minimum of the given range. Default: `0.0`.
    pub fn input_min(mut self, input_min: f32) -> Self {
        self.0.set("input_min", input_min);
        self
    }

    /// Maximum of the given range. Default: `0.0`.
    pub fn input_max(mut self, input_max: f32) -> Self {
        self.0.set("input_max", input_max);
        self
    }
}

/// A node of [`QuantizeAndDequantizeV2`](Ops::quantize_and_dequantize_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeAndDequantizeV2<'a>(Node<'a>);

impl QuantizeAndDequantizeV2<'_> {
    /// Whether the integers are signed. Default: `true`.
    pub fn signed_input(mut self, signed_input: bool) -> Self {
        self.0.set("signed_input", signed_input);
        self
    }

    /// Number of bits of an integer, including the sign. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the range is given; otherwise it is that of the elements. Default: `false`.
    pub fn range_given(mut self, range_given: bool) -> Self {
        self.0.set("range_given", range_given);
        self
    }

    /// Rounding of halves. One of `"HALF_TO_EVEN"`, `"HALF_UP"`. Default: `"HALF_TO_EVEN"`.
    pub fn round_mode(mut self, round_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("round_mode", string(round_mode));
        self
    }

    /// Whether the smallest signed integer is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }
}

/// A node of [`QuantizeAndDequantizeV3`](Ops::quantize_and_dequantize_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeAndDequantizeV3<'a>(Node<'a>);

impl QuantizeAndDequantizeV3<'_> {
    /// Whether the integers are signed. Default: `true`.
    pub fn signed_input(mut self, signed_input: bool) -> Self {
        self.0.set("signed_input", signed_input);
        self
    }

    /// Whether the range is given; otherwise it is that of the elements. Default: `true`.
    pub fn range_given(mut self, range_given: bool) -> Self {
        self.0.set("range_given", range_given);
        self
    }

    /// Whether the smallest signed integer is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }
}

/// A node of [`QuantizeAndDequantizeV4`](Ops::quantize_and_dequantize_v4) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeAndDequantizeV4<'a>(Node<'a>);

impl QuantizeAndDequantizeV4<'_> {
    /// Whether the integers are signed. Default: `true`.
    pub fn signed_input(mut self, signed_input: bool) -> Self {
        self.0.set("signed_input", signed_input);
        self
    }

    /// Number of bits of an integer, including the sign. Default: `8`.
    pub fn num_bits(mut self, num_bits: i64) -> Self {
        self.0.set("num_bits", num_bits);
        self
    }

    /// Whether the range is given; otherwise it is that of the elements. Default: `false`.
    pub fn range_given(mut self, range_given: bool) -> Self {
        self.0.set("range_given", range_given);
        self
    }

    /// Rounding of halves. One of `"HALF_TO_EVEN"`, `"HALF_UP"`. Default: `"HALF_TO_EVEN"`.
    pub fn round_mode(mut self, round_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("round_mode", string(round_mode));
        self
    }

    /// Whether the smallest signed integer is left unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }
}

/// A node of [`QuantizeAndDequantizeV4Grad`](Ops::quantize_and_dequantize_v4_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeAndDequantizeV4Grad<'a>(Node<'a>);

impl QuantizeAndDequantizeV4Grad<'_> {
    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizeAndDequantizeV4GradOutputs {
        let mut outputs = self.0.outputs();
        QuantizeAndDequantizeV4GradOutputs { input_backprop: outputs.one(), input_min_backprop: outputs.one(), input_max_backprop: outputs.one() }
    }
}

/// The outputs of [`QuantizeAndDequantizeV4Grad`](Ops::quantize_and_dequantize_v4_grad).
#[derive(Clone, Copy, Debug)]
pub struct QuantizeAndDequantizeV4GradOutputs {
    /// A tensor of `T`.
    pub input_backprop: Output,
    /// A tensor of `T`.
    pub input_min_backprop: Output,
    /// A tensor of `T`.
    pub input_max_backprop: Output,
}

/// A node of [`QuantizeDownAndShrinkRange`](Ops::quantize_down_and_shrink_range) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeDownAndShrinkRange<'a>(Node<'a>);

impl QuantizeDownAndShrinkRange<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizeDownAndShrinkRangeOutputs {
        let mut outputs = self.0.outputs();
        QuantizeDownAndShrinkRangeOutputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`QuantizeDownAndShrinkRange`](Ops::quantize_down_and_shrink_range).
#[derive(Clone, Copy, Debug)]
pub struct QuantizeDownAndShrinkRangeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`QuantizeV2`](Ops::quantize_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizeV2<'a>(Node<'a>);

impl QuantizeV2<'_> {
    /// Quantization mode: `MIN_COMBINED` counts from the minimum, `MIN_FIRST` also represents zero exactly, and `SCALED` scales symmetrically around zero. One of `"MIN_COMBINED"`, `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_COMBINED"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Rounding of halves; `HALF_TO_EVEN` only with `SCALED`. One of `"HALF_AWAY_FROM_ZERO"`, `"HALF_TO_EVEN"`. Default: `"HALF_AWAY_FROM_ZERO"`.
    pub fn round_mode(mut self, round_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("round_mode", string(round_mode));
        self
    }

    /// Whether `SCALED` leaves the smallest quantized value unused. Default: `false`.
    pub fn narrow_range(mut self, narrow_range: bool) -> Self {
        self.0.set("narrow_range", narrow_range);
        self
    }

    /// Axis with one range per index; -1 for a single range. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Minimum width of a range, relative to its ends and to 1. Default: `0.01`.
    pub fn ensure_minimum_range(mut self, ensure_minimum_range: f32) -> Self {
        self.0.set("ensure_minimum_range", ensure_minimum_range);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizeV2Outputs {
        let mut outputs = self.0.outputs();
        QuantizeV2Outputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`QuantizeV2`](Ops::quantize_v2).
#[derive(Clone, Copy, Debug)]
pub struct QuantizeV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`QuantizedAdd`](Ops::quantized_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedAdd<'a>(Node<'a>);

impl QuantizedAdd<'_> {
    /// Quantized type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedAddOutputs {
        let mut outputs = self.0.outputs();
        QuantizedAddOutputs { z: outputs.one(), min_z: outputs.one(), max_z: outputs.one() }
    }
}

/// The outputs of [`QuantizedAdd`](Ops::quantized_add).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedAddOutputs {
    /// A tensor of `Toutput`.
    pub z: Output,
    /// A tensor of float32.
    pub min_z: Output,
    /// A tensor of float32.
    pub max_z: Output,
}

/// A node of [`QuantizedAvgPool`](Ops::quantized_avg_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedAvgPool<'a>(Node<'a>);

impl QuantizedAvgPool<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedAvgPoolOutputs {
        let mut outputs = self.0.outputs();
        QuantizedAvgPoolOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedAvgPool`](Ops::quantized_avg_pool).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedAvgPoolOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedBatchNormWithGlobalNormalization`](Ops::quantized_batch_norm_with_global_normalization) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedBatchNormWithGlobalNormalization<'a>(Node<'a>);

impl QuantizedBatchNormWithGlobalNormalization<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedBatchNormWithGlobalNormalizationOutputs {
        let mut outputs = self.0.outputs();
        QuantizedBatchNormWithGlobalNormalizationOutputs { result: outputs.one(), result_min: outputs.one(), result_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedBatchNormWithGlobalNormalization`](Ops::quantized_batch_norm_with_global_normalization).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedBatchNormWithGlobalNormalizationOutputs {
    /// A tensor of `out_type`.
    pub result: Output,
    /// A tensor of float32.
    pub result_min: Output,
    /// A tensor of float32.
    pub result_max: Output,
}

/// A node of [`QuantizedBiasAdd`](Ops::quantized_bias_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedBiasAdd<'a>(Node<'a>);

impl QuantizedBiasAdd<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedBiasAddOutputs {
        let mut outputs = self.0.outputs();
        QuantizedBiasAddOutputs { output: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedBiasAdd`](Ops::quantized_bias_add).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedBiasAddOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedConcat`](Ops::quantized_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConcat<'a>(Node<'a>);

impl QuantizedConcat<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConcatOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConcatOutputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedConcat`](Ops::quantized_concat).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConcatOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`QuantizedConcatV2`](Ops::quantized_concat_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConcatV2<'a>(Node<'a>);

impl QuantizedConcatV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConcatV2Outputs {
        let mut outputs = self.0.outputs();
        QuantizedConcatV2Outputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedConcatV2`](Ops::quantized_concat_v2).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConcatV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`QuantizedConv2D`](Ops::quantized_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2D<'a>(Node<'a>);

impl QuantizedConv2D<'_> {
    /// Quantized type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter, which must be 1. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2D`](Ops::quantized_conv2d).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DAndRelu`](Ops::quantized_conv2d_and_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DAndRelu<'a>(Node<'a>);

impl QuantizedConv2DAndRelu<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DAndReluOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DAndReluOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DAndRelu`](Ops::quantized_conv2d_and_relu).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DAndReluOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DAndReluAndRequantize`](Ops::quantized_conv2d_and_relu_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DAndReluAndRequantize<'a>(Node<'a>);

impl QuantizedConv2DAndReluAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DAndReluAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DAndReluAndRequantizeOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DAndReluAndRequantize`](Ops::quantized_conv2d_and_relu_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DAndReluAndRequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DAndRequantize`](Ops::quantized_conv2d_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DAndRequantize<'a>(Node<'a>);

impl QuantizedConv2DAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DAndRequantizeOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DAndRequantize`](Ops::quantized_conv2d_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DAndRequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DPerChannel`](Ops::quantized_conv2d_per_channel) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DPerChannel<'a>(Node<'a>);

impl QuantizedConv2DPerChannel<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DPerChannelOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DPerChannelOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DPerChannel`](Ops::quantized_conv2d_per_channel).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DPerChannelOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DWithBias`](Ops::quantized_conv2d_with_bias) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DWithBias<'a>(Node<'a>);

impl QuantizedConv2DWithBias<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DWithBiasOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DWithBiasOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DWithBias`](Ops::quantized_conv2d_with_bias).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DWithBiasOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DWithBiasAndRelu`](Ops::quantized_conv2d_with_bias_and_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DWithBiasAndRelu<'a>(Node<'a>);

impl QuantizedConv2DWithBiasAndRelu<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DWithBiasAndReluOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DWithBiasAndReluOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DWithBiasAndRelu`](Ops::quantized_conv2d_with_bias_and_relu).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DWithBiasAndReluOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DWithBiasAndReluAndRequantize`](Ops::quantized_conv2d_with_bias_and_relu_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DWithBiasAndReluAndRequantize<'a>(Node<'a>);

impl QuantizedConv2DWithBiasAndReluAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DWithBiasAndReluAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DWithBiasAndReluAndRequantizeOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DWithBiasAndReluAndRequantize`](Ops::quantized_conv2d_with_bias_and_relu_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DWithBiasAndReluAndRequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedConv2DWithBiasAndRequantize`](Ops::quantized_conv2d_with_bias_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedConv2DWithBiasAndRequantize<'a>(Node<'a>);

impl QuantizedConv2DWithBiasAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedConv2DWithBiasAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedConv2DWithBiasAndRequantizeOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedConv2DWithBiasAndRequantize`](Ops::quantized_conv2d_with_bias_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedConv2DWithBiasAndRequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedDepthwiseConv2D`](Ops::quantized_depthwise_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedDepthwiseConv2D<'a>(Node<'a>);

impl QuantizedDepthwiseConv2D<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedDepthwiseConv2DOutputs {
        let mut outputs = self.0.outputs();
        QuantizedDepthwiseConv2DOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedDepthwiseConv2D`](Ops::quantized_depthwise_conv2d).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedDepthwiseConv2DOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedDepthwiseConv2DWithBias`](Ops::quantized_depthwise_conv2d_with_bias) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedDepthwiseConv2DWithBias<'a>(Node<'a>);

impl QuantizedDepthwiseConv2DWithBias<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedDepthwiseConv2DWithBiasOutputs {
        let mut outputs = self.0.outputs();
        QuantizedDepthwiseConv2DWithBiasOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedDepthwiseConv2DWithBias`](Ops::quantized_depthwise_conv2d_with_bias).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedDepthwiseConv2DWithBiasOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedDepthwiseConv2DWithBiasAndRelu`](Ops::quantized_depthwise_conv2d_with_bias_and_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedDepthwiseConv2DWithBiasAndRelu<'a>(Node<'a>);

impl QuantizedDepthwiseConv2DWithBiasAndRelu<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedDepthwiseConv2DWithBiasAndReluOutputs {
        let mut outputs = self.0.outputs();
        QuantizedDepthwiseConv2DWithBiasAndReluOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedDepthwiseConv2DWithBiasAndRelu`](Ops::quantized_depthwise_conv2d_with_bias_and_relu).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedDepthwiseConv2DWithBiasAndReluOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize`](Ops::quantized_depthwise_conv2d_with_bias_and_relu_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize<'a>(Node<'a>);

impl QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Dilations of the filter. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero padding before and after each axis; empty for that of `padding`. Default: none.
    pub fn padding_list(mut self, padding_list: &[i64]) -> Self {
        self.0.set("padding_list", padding_list.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedDepthwiseConv2DWithBiasAndReluAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedDepthwiseConv2DWithBiasAndReluAndRequantizeOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize`](Ops::quantized_depthwise_conv2d_with_bias_and_relu_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedDepthwiseConv2DWithBiasAndReluAndRequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedInstanceNorm`](Ops::quantized_instance_norm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedInstanceNorm<'a>(Node<'a>);

impl QuantizedInstanceNorm<'_> {
    /// Whether the output range is given; otherwise it is computed from the results. Default: `false`.
    pub fn output_range_given(mut self, output_range_given: bool) -> Self {
        self.0.set("output_range_given", output_range_given);
        self
    }

    /// Minimum of the given output range. Default: `0.0`.
    pub fn given_y_min(mut self, given_y_min: f32) -> Self {
        self.0.set("given_y_min", given_y_min);
        self
    }

    /// Maximum of the given output range. Default: `0.0`.
    pub fn given_y_max(mut self, given_y_max: f32) -> Self {
        self.0.set("given_y_max", given_y_max);
        self
    }

    /// Added to the variance to avoid division by zero. Default: `1e-5`.
    pub fn variance_epsilon(mut self, variance_epsilon: f32) -> Self {
        self.0.set("variance_epsilon", variance_epsilon);
        self
    }

    /// Minimum width of the output range. Default: `0.001`.
    pub fn min_separation(mut self, min_separation: f32) -> Self {
        self.0.set("min_separation", min_separation);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedInstanceNormOutputs {
        let mut outputs = self.0.outputs();
        QuantizedInstanceNormOutputs { y: outputs.one(), y_min: outputs.one(), y_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedInstanceNorm`](Ops::quantized_instance_norm).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedInstanceNormOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of float32.
    pub y_min: Output,
    /// A tensor of float32.
    pub y_max: Output,
}

/// A node of [`QuantizedMatMul`](Ops::quantized_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMul<'a>(Node<'a>);

impl QuantizedMatMul<'_> {
    /// Quantized type of the product. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Whether `a` is transposed before multiplication. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` is transposed before multiplication. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantized type of the activation that follows; not used. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn tactivation(mut self, tactivation: DType) -> Self {
        self.0.set("Tactivation", tactivation);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMatMulOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMatMulOutputs { out: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedMatMul`](Ops::quantized_mat_mul).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMatMulOutputs {
    /// A tensor of `Toutput`.
    pub out: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedMatMulWithBias`](Ops::quantized_mat_mul_with_bias) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMulWithBias<'a>(Node<'a>);

impl QuantizedMatMulWithBias<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Whether `a` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`. One of `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_FIRST"`.
    pub fn input_quant_mode(mut self, input_quant_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_quant_mode", string(input_quant_mode));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMatMulWithBiasOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMatMulWithBiasOutputs { out: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedMatMulWithBias`](Ops::quantized_mat_mul_with_bias).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMatMulWithBiasOutputs {
    /// A tensor of `Toutput`.
    pub out: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedMatMulWithBiasAndDequantize`](Ops::quantized_mat_mul_with_bias_and_dequantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMulWithBiasAndDequantize<'a>(Node<'a>);

impl QuantizedMatMulWithBiasAndDequantize<'_> {
    /// Whether `a` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`. One of `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_FIRST"`.
    pub fn input_quant_mode(mut self, input_quant_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_quant_mode", string(input_quant_mode));
        self
    }
}

/// A node of [`QuantizedMatMulWithBiasAndRelu`](Ops::quantized_mat_mul_with_bias_and_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMulWithBiasAndRelu<'a>(Node<'a>);

impl QuantizedMatMulWithBiasAndRelu<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Whether `a` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`. One of `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_FIRST"`.
    pub fn input_quant_mode(mut self, input_quant_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_quant_mode", string(input_quant_mode));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMatMulWithBiasAndReluOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMatMulWithBiasAndReluOutputs { out: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedMatMulWithBiasAndRelu`](Ops::quantized_mat_mul_with_bias_and_relu).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMatMulWithBiasAndReluOutputs {
    /// A tensor of `Toutput`.
    pub out: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedMatMulWithBiasAndReluAndRequantize`](Ops::quantized_mat_mul_with_bias_and_relu_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMulWithBiasAndReluAndRequantize<'a>(Node<'a>);

impl QuantizedMatMulWithBiasAndReluAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Whether `a` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`. One of `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_FIRST"`.
    pub fn input_quant_mode(mut self, input_quant_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_quant_mode", string(input_quant_mode));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMatMulWithBiasAndReluAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMatMulWithBiasAndReluAndRequantizeOutputs { out: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedMatMulWithBiasAndReluAndRequantize`](Ops::quantized_mat_mul_with_bias_and_relu_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMatMulWithBiasAndReluAndRequantizeOutputs {
    /// A tensor of `Toutput`.
    pub out: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedMatMulWithBiasAndRequantize`](Ops::quantized_mat_mul_with_bias_and_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMatMulWithBiasAndRequantize<'a>(Node<'a>);

impl QuantizedMatMulWithBiasAndRequantize<'_> {
    /// Type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Whether `a` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` was to be transposed before multiplication; it is not. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`. One of `"MIN_FIRST"`, `"SCALED"`. Default: `"MIN_FIRST"`.
    pub fn input_quant_mode(mut self, input_quant_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("input_quant_mode", string(input_quant_mode));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMatMulWithBiasAndRequantizeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMatMulWithBiasAndRequantizeOutputs { out: outputs.one(), min_out: outputs.one(), max_out: outputs.one() }
    }
}

/// The outputs of [`QuantizedMatMulWithBiasAndRequantize`](Ops::quantized_mat_mul_with_bias_and_requantize).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMatMulWithBiasAndRequantizeOutputs {
    /// A tensor of `Toutput`.
    pub out: Output,
    /// A tensor of float32.
    pub min_out: Output,
    /// A tensor of float32.
    pub max_out: Output,
}

/// A node of [`QuantizedMaxPool`](Ops::quantized_max_pool) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMaxPool<'a>(Node<'a>);

impl QuantizedMaxPool<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMaxPoolOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMaxPoolOutputs { output: outputs.one(), min_output: outputs.one(), max_output: outputs.one() }
    }
}

/// The outputs of [`QuantizedMaxPool`](Ops::quantized_max_pool).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMaxPoolOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub min_output: Output,
    /// A tensor of float32.
    pub max_output: Output,
}

/// A node of [`QuantizedMul`](Ops::quantized_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedMul<'a>(Node<'a>);

impl QuantizedMul<'_> {
    /// Quantized type of the output. Allowed: qint8, quint8, qint32, qint16, quint16. Default: qint32.
    pub fn toutput(mut self, toutput: DType) -> Self {
        self.0.set("Toutput", toutput);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedMulOutputs {
        let mut outputs = self.0.outputs();
        QuantizedMulOutputs { z: outputs.one(), min_z: outputs.one(), max_z: outputs.one() }
    }
}

/// The outputs of [`QuantizedMul`](Ops::quantized_mul).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedMulOutputs {
    /// A tensor of `Toutput`.
    pub z: Output,
    /// A tensor of float32.
    pub min_z: Output,
    /// A tensor of float32.
    pub max_z: Output,
}

/// A node of [`QuantizedRelu`](Ops::quantized_relu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedRelu<'a>(Node<'a>);

impl QuantizedRelu<'_> {
    /// Quantized type of the output, which must be that of `features`. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedReluOutputs {
        let mut outputs = self.0.outputs();
        QuantizedReluOutputs { activations: outputs.one(), min_activations: outputs.one(), max_activations: outputs.one() }
    }
}

/// The outputs of [`QuantizedRelu`](Ops::quantized_relu).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedReluOutputs {
    /// A tensor of `out_type`.
    pub activations: Output,
    /// A tensor of float32.
    pub min_activations: Output,
    /// A tensor of float32.
    pub max_activations: Output,
}

/// A node of [`QuantizedRelu6`](Ops::quantized_relu6) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedRelu6<'a>(Node<'a>);

impl QuantizedRelu6<'_> {
    /// Quantized type of the output, which must be that of `features`. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedRelu6Outputs {
        let mut outputs = self.0.outputs();
        QuantizedRelu6Outputs { activations: outputs.one(), min_activations: outputs.one(), max_activations: outputs.one() }
    }
}

/// The outputs of [`QuantizedRelu6`](Ops::quantized_relu6).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedRelu6Outputs {
    /// A tensor of `out_type`.
    pub activations: Output,
    /// A tensor of float32.
    pub min_activations: Output,
    /// A tensor of float32.
    pub max_activations: Output,
}

/// A node of [`QuantizedReluX`](Ops::quantized_relu_x) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedReluX<'a>(Node<'a>);

impl QuantizedReluX<'_> {
    /// Quantized type of the output, which must be that of `features`. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedReluXOutputs {
        let mut outputs = self.0.outputs();
        QuantizedReluXOutputs { activations: outputs.one(), min_activations: outputs.one(), max_activations: outputs.one() }
    }
}

/// The outputs of [`QuantizedReluX`](Ops::quantized_relu_x).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedReluXOutputs {
    /// A tensor of `out_type`.
    pub activations: Output,
    /// A tensor of float32.
    pub min_activations: Output,
    /// A tensor of float32.
    pub max_activations: Output,
}

/// A node of [`QuantizedReshape`](Ops::quantized_reshape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedReshape<'a>(Node<'a>);

impl QuantizedReshape<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedReshapeOutputs {
        let mut outputs = self.0.outputs();
        QuantizedReshapeOutputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedReshape`](Ops::quantized_reshape).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedReshapeOutputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`QuantizedResizeBilinear`](Ops::quantized_resize_bilinear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QuantizedResizeBilinear<'a>(Node<'a>);

impl QuantizedResizeBilinear<'_> {
    /// Whether the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// Whether pixel centers are at half-integer coordinates. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QuantizedResizeBilinearOutputs {
        let mut outputs = self.0.outputs();
        QuantizedResizeBilinearOutputs { resized_images: outputs.one(), out_min: outputs.one(), out_max: outputs.one() }
    }
}

/// The outputs of [`QuantizedResizeBilinear`](Ops::quantized_resize_bilinear).
#[derive(Clone, Copy, Debug)]
pub struct QuantizedResizeBilinearOutputs {
    /// A tensor of `T`.
    pub resized_images: Output,
    /// A tensor of float32.
    pub out_min: Output,
    /// A tensor of float32.
    pub out_max: Output,
}

/// A node of [`RequantizationRange`](Ops::requantization_range) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RequantizationRange<'a>(Node<'a>);

impl RequantizationRange<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RequantizationRangeOutputs {
        let mut outputs = self.0.outputs();
        RequantizationRangeOutputs { output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`RequantizationRange`](Ops::requantization_range).
#[derive(Clone, Copy, Debug)]
pub struct RequantizationRangeOutputs {
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`RequantizationRangePerChannel`](Ops::requantization_range_per_channel) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RequantizationRangePerChannel<'a>(Node<'a>);

impl RequantizationRangePerChannel<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RequantizationRangePerChannelOutputs {
        let mut outputs = self.0.outputs();
        RequantizationRangePerChannelOutputs { output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`RequantizationRangePerChannel`](Ops::requantization_range_per_channel).
#[derive(Clone, Copy, Debug)]
pub struct RequantizationRangePerChannelOutputs {
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`Requantize`](Ops::requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Requantize<'a>(Node<'a>);

impl Requantize<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RequantizeOutputs {
        let mut outputs = self.0.outputs();
        RequantizeOutputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`Requantize`](Ops::requantize).
#[derive(Clone, Copy, Debug)]
pub struct RequantizeOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`RequantizePerChannel`](Ops::requantize_per_channel) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RequantizePerChannel<'a>(Node<'a>);

impl RequantizePerChannel<'_> {
    /// Quantized type of `output`. Allowed: qint8, quint8, qint32, qint16, quint16. Default: quint8.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RequantizePerChannelOutputs {
        let mut outputs = self.0.outputs();
        RequantizePerChannelOutputs { output: outputs.one(), output_min: outputs.one(), output_max: outputs.one() }
    }
}

/// The outputs of [`RequantizePerChannel`](Ops::requantize_per_channel).
#[derive(Clone, Copy, Debug)]
pub struct RequantizePerChannelOutputs {
    /// A tensor of `out_type`.
    pub output: Output,
    /// A tensor of float32.
    pub output_min: Output,
    /// A tensor of float32.
    pub output_max: Output,
}

/// A node of [`UniformDequantize`](Ops::uniform_dequantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformDequantize<'a>(Node<'a>);

impl UniformDequantize<'_> {
    /// Quantization axis, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn quantization_axis(mut self, quantization_axis: i64) -> Self {
        self.0.set("quantization_axis", quantization_axis);
        self
    }
}

/// A node of [`UniformQuantize`](Ops::uniform_quantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantize<'a>(Node<'a>);

impl UniformQuantize<'_> {
    /// Quantization axis, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn quantization_axis(mut self, quantization_axis: i64) -> Self {
        self.0.set("quantization_axis", quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedAdd`](Ops::uniform_quantized_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedAdd<'a>(Node<'a>);

impl UniformQuantizedAdd<'_> {
    /// Quantization axis of `lhs`, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn lhs_quantization_axis(mut self, lhs_quantization_axis: i64) -> Self {
        self.0.set("lhs_quantization_axis", lhs_quantization_axis);
        self
    }

    /// Quantization axis of `rhs`, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn rhs_quantization_axis(mut self, rhs_quantization_axis: i64) -> Self {
        self.0.set("rhs_quantization_axis", rhs_quantization_axis);
        self
    }

    /// Quantization axis of the output, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn output_quantization_axis(mut self, output_quantization_axis: i64) -> Self {
        self.0.set("output_quantization_axis", output_quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedClipByValue`](Ops::uniform_quantized_clip_by_value) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedClipByValue<'a>(Node<'a>);

impl UniformQuantizedClipByValue<'_> {
    /// Quantization axis, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn quantization_axis(mut self, quantization_axis: i64) -> Self {
        self.0.set("quantization_axis", quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedConvolution`](Ops::uniform_quantized_convolution) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedConvolution<'a>(Node<'a>);

impl UniformQuantizedConvolution<'_> {
    /// Stride along each spatial dimension; 1 if empty. Default: none.
    pub fn window_strides(mut self, window_strides: &[i64]) -> Self {
        self.0.set("window_strides", window_strides.to_vec());
        self
    }

    /// Padding before and after each spatial dimension, for `EXPLICIT`. Default: none.
    pub fn explicit_padding(mut self, explicit_padding: &[i64]) -> Self {
        self.0.set("explicit_padding", explicit_padding.to_vec());
        self
    }

    /// Dilation of `lhs` along each spatial dimension; 1 if empty. Default: none.
    pub fn lhs_dilation(mut self, lhs_dilation: &[i64]) -> Self {
        self.0.set("lhs_dilation", lhs_dilation.to_vec());
        self
    }

    /// Dilation of the filter along each spatial dimension; 1 if empty. Default: none.
    pub fn rhs_dilation(mut self, rhs_dilation: &[i64]) -> Self {
        self.0.set("rhs_dilation", rhs_dilation.to_vec());
        self
    }

    /// Number of groups that the batch is split into, each with its own filters. Default: `1`.
    pub fn batch_group_count(mut self, batch_group_count: i64) -> Self {
        self.0.set("batch_group_count", batch_group_count);
        self
    }

    /// Number of groups that the input features are split into, each with its own filters. Default: `1`.
    pub fn feature_group_count(mut self, feature_group_count: i64) -> Self {
        self.0.set("feature_group_count", feature_group_count);
        self
    }

    /// Dimension numbers as a serialized message; batch, features, spatial dimensions if empty. Default: `""`.
    pub fn dimension_numbers(mut self, dimension_numbers: impl AsRef<[u8]>) -> Self {
        self.0.set("dimension_numbers", string(dimension_numbers));
        self
    }

    /// Must be -1: `lhs` is quantized per tensor. Default: `-1`.
    pub fn lhs_quantization_axis(mut self, lhs_quantization_axis: i64) -> Self {
        self.0.set("lhs_quantization_axis", lhs_quantization_axis);
        self
    }

    /// Output feature dimension of `rhs` for per-channel quantization, -1 for per-tensor quantization. Default: `-1`.
    pub fn rhs_quantization_axis(mut self, rhs_quantization_axis: i64) -> Self {
        self.0.set("rhs_quantization_axis", rhs_quantization_axis);
        self
    }

    /// Feature dimension of the output for per-channel quantization, -1 for per-tensor quantization. Default: `-1`.
    pub fn output_quantization_axis(mut self, output_quantization_axis: i64) -> Self {
        self.0.set("output_quantization_axis", output_quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedConvolutionHybrid`](Ops::uniform_quantized_convolution_hybrid) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedConvolutionHybrid<'a>(Node<'a>);

impl UniformQuantizedConvolutionHybrid<'_> {
    /// Stride along each spatial dimension; 1 if empty. Default: none.
    pub fn window_strides(mut self, window_strides: &[i64]) -> Self {
        self.0.set("window_strides", window_strides.to_vec());
        self
    }

    /// Padding before and after each spatial dimension, for `EXPLICIT`. Default: none.
    pub fn explicit_padding(mut self, explicit_padding: &[i64]) -> Self {
        self.0.set("explicit_padding", explicit_padding.to_vec());
        self
    }

    /// Dilation of `lhs` along each spatial dimension; 1 if empty. Default: none.
    pub fn lhs_dilation(mut self, lhs_dilation: &[i64]) -> Self {
        self.0.set("lhs_dilation", lhs_dilation.to_vec());
        self
    }

    /// Dilation of the filter along each spatial dimension; 1 if empty. Default: none.
    pub fn rhs_dilation(mut self, rhs_dilation: &[i64]) -> Self {
        self.0.set("rhs_dilation", rhs_dilation.to_vec());
        self
    }

    /// Number of groups that the batch is split into, each with its own filters. Default: `1`.
    pub fn batch_group_count(mut self, batch_group_count: i64) -> Self {
        self.0.set("batch_group_count", batch_group_count);
        self
    }

    /// Number of groups that the input features are split into, each with its own filters. Default: `1`.
    pub fn feature_group_count(mut self, feature_group_count: i64) -> Self {
        self.0.set("feature_group_count", feature_group_count);
        self
    }

    /// Dimension numbers as a serialized message; batch, features, spatial dimensions if empty. Default: `""`.
    pub fn dimension_numbers(mut self, dimension_numbers: impl AsRef<[u8]>) -> Self {
        self.0.set("dimension_numbers", string(dimension_numbers));
        self
    }

    /// Output feature dimension of `rhs` for per-channel quantization, -1 for per-tensor quantization. Default: `-1`.
    pub fn rhs_quantization_axis(mut self, rhs_quantization_axis: i64) -> Self {
        self.0.set("rhs_quantization_axis", rhs_quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedDot`](Ops::uniform_quantized_dot) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedDot<'a>(Node<'a>);

impl UniformQuantizedDot<'_> {
    /// Must be -1: `lhs` is quantized per tensor. Default: `-1`.
    pub fn lhs_quantization_axis(mut self, lhs_quantization_axis: i64) -> Self {
        self.0.set("lhs_quantization_axis", lhs_quantization_axis);
        self
    }

    /// 1 if `rhs` has one scale per column, -1 for a single scale. Default: `-1`.
    pub fn rhs_quantization_axis(mut self, rhs_quantization_axis: i64) -> Self {
        self.0.set("rhs_quantization_axis", rhs_quantization_axis);
        self
    }

    /// 1 if the output has one scale per column, -1 for a single scale. Default: `-1`.
    pub fn output_quantization_axis(mut self, output_quantization_axis: i64) -> Self {
        self.0.set("output_quantization_axis", output_quantization_axis);
        self
    }
}

/// A node of [`UniformQuantizedDotHybrid`](Ops::uniform_quantized_dot_hybrid) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformQuantizedDotHybrid<'a>(Node<'a>);

impl UniformQuantizedDotHybrid<'_> {
    /// 1 if `rhs` has one scale per column, -1 for a single scale. Default: `-1`.
    pub fn rhs_quantization_axis(mut self, rhs_quantization_axis: i64) -> Self {
        self.0.set("rhs_quantization_axis", rhs_quantization_axis);
        self
    }
}

/// A node of [`UniformRequantize`](Ops::uniform_requantize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformRequantize<'a>(Node<'a>);

impl UniformRequantize<'_> {
    /// Quantization axis of `input`, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn input_quantization_axis(mut self, input_quantization_axis: i64) -> Self {
        self.0.set("input_quantization_axis", input_quantization_axis);
        self
    }

    /// Quantization axis of the output, with one scale per index; -1 for per-tensor quantization. Default: `-1`.
    pub fn output_quantization_axis(mut self, output_quantization_axis: i64) -> Self {
        self.0.set("output_quantization_axis", output_quantization_axis);
        self
    }
}

common! {
    Dequantize
    FakeQuantWithMinMaxArgs
    FakeQuantWithMinMaxArgsGradient
    FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsGradient
    FakeQuantWithMinMaxVarsPerChannel
    FakeQuantWithMinMaxVarsPerChannelGradient
    QuantizeAndDequantize
    QuantizeAndDequantizeV2
    QuantizeAndDequantizeV3
    QuantizeAndDequantizeV4
    QuantizeAndDequantizeV4Grad
    QuantizeDownAndShrinkRange
    QuantizeV2
    QuantizedAdd
    QuantizedAvgPool
    QuantizedBatchNormWithGlobalNormalization
    QuantizedBiasAdd
    QuantizedConcat
    QuantizedConcatV2
    QuantizedConv2D
    QuantizedConv2DAndRelu
    QuantizedConv2DAndReluAndRequantize
    QuantizedConv2DAndRequantize
    QuantizedConv2DPerChannel
    QuantizedConv2DWithBias
    QuantizedConv2DWithBiasAndRelu
    QuantizedConv2DWithBiasAndReluAndRequantize
    QuantizedConv2DWithBiasAndRequantize
    QuantizedDepthwiseConv2D
    QuantizedDepthwiseConv2DWithBias
    QuantizedDepthwiseConv2DWithBiasAndRelu
    QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize
    QuantizedInstanceNorm
    QuantizedMatMul
    QuantizedMatMulWithBias
    QuantizedMatMulWithBiasAndDequantize
    QuantizedMatMulWithBiasAndRelu
    QuantizedMatMulWithBiasAndReluAndRequantize
    QuantizedMatMulWithBiasAndRequantize
    QuantizedMaxPool
    QuantizedMul
    QuantizedRelu
    QuantizedRelu6
    QuantizedReluX
    QuantizedReshape
    QuantizedResizeBilinear
    RequantizationRange
    RequantizationRangePerChannel
    Requantize
    RequantizePerChannel
    UniformDequantize
    UniformQuantize
    UniformQuantizedAdd
    UniformQuantizedClipByValue
    UniformQuantizedConvolution
    UniformQuantizedConvolutionHybrid
    UniformQuantizedDot
    UniformQuantizedDotHybrid
    UniformRequantize
}

one_output! {
    Dequantize
    FakeQuantWithMinMaxArgs
    FakeQuantWithMinMaxArgsGradient
    FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsPerChannel
    QuantizeAndDequantize
    QuantizeAndDequantizeV2
    QuantizeAndDequantizeV3
    QuantizeAndDequantizeV4
    QuantizedMatMulWithBiasAndDequantize
    UniformDequantize
    UniformQuantize
    UniformQuantizedAdd
    UniformQuantizedClipByValue
    UniformQuantizedConvolution
    UniformQuantizedConvolutionHybrid
    UniformQuantizedDot
    UniformQuantizedDotHybrid
    UniformRequantize
}
