// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `convolution`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;

impl Ops<'_> {
    /// Convolves images or volumes with a filter.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `strides`: Strides: 1, then one for each spatial axis, then 1 (channels last), or 1, 1, then one for each spatial axis (channels first).
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    ///
    /// It has no gradient.
    pub fn conv(&self, input: impl Input, filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv<'_> {
        let mut node = Node::new(self, "Conv").input(input).input(filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv(node)
    }

    /// Computes a 2-D convolution of `input` with `filter`.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    pub fn conv2d(&self, input: impl Input, filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv2D<'_> {
        let mut node = Node::new(self, "Conv2D").input(input).input(filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv2D(node)
    }

    /// Computes the gradient of `Conv2D` with respect to its filter.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter_sizes`: a tensor of int32
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    pub fn conv2d_backprop_filter(&self, input: impl Input, filter_sizes: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv2DBackpropFilter<'_> {
        let mut node = Node::new(self, "Conv2DBackpropFilter").input(input).input(filter_sizes).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv2DBackpropFilter(node)
    }

    /// Computes the gradient of `Conv2D` with respect to its filter, of which only the shape is used.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    ///
    /// It has no gradient.
    pub fn conv2d_backprop_filter_v2(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv2DBackpropFilterV2<'_> {
        let mut node = Node::new(self, "Conv2DBackpropFilterV2").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv2DBackpropFilterV2(node)
    }

    /// Computes the gradient of `Conv2D` with respect to its input.
    ///
    /// - `input_sizes`: a tensor of int32
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    pub fn conv2d_backprop_input(&self, input_sizes: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv2DBackpropInput<'_> {
        let mut node = Node::new(self, "Conv2DBackpropInput").input(input_sizes).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv2DBackpropInput(node)
    }

    /// Computes the gradient of `Conv2D` with respect to its input, of which only the shape is used.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float, int32.
    ///
    /// It has no gradient.
    pub fn conv2d_backprop_input_v2(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv2DBackpropInputV2<'_> {
        let mut node = Node::new(self, "Conv2DBackpropInputV2").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv2DBackpropInputV2(node)
    }

    /// Computes a 3-D convolution of `input` with `filter`.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the volumes. Length at least 5.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn conv3d(&self, input: impl Input, filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv3D<'_> {
        let mut node = Node::new(self, "Conv3D").input(input).input(filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv3D(node)
    }

    /// Computes the gradient of `Conv3D` with respect to its filter, of which only the shape is used.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the volumes. Length at least 5.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn conv3d_backprop_filter(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv3DBackpropFilter<'_> {
        let mut node = Node::new(self, "Conv3DBackpropFilter").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv3DBackpropFilter(node)
    }

    /// Computes the gradient of `Conv3D` with respect to its filter.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter_sizes`: a tensor of int32
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the volumes. Length at least 5.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    pub fn conv3d_backprop_filter_v2(&self, input: impl Input, filter_sizes: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv3DBackpropFilterV2<'_> {
        let mut node = Node::new(self, "Conv3DBackpropFilterV2").input(input).input(filter_sizes).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv3DBackpropFilterV2(node)
    }

    /// Computes the gradient of `Conv3D` with respect to its input, of which only the shape is used.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the volumes. Length at least 5.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn conv3d_backprop_input(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv3DBackpropInput<'_> {
        let mut node = Node::new(self, "Conv3DBackpropInput").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv3DBackpropInput(node)
    }

    /// Computes the gradient of `Conv3D` with respect to its input.
    ///
    /// - `input_sizes`: a tensor of `Tshape`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the volumes. Length at least 5.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float. `Tshape` is int32, int64.
    pub fn conv3d_backprop_input_v2(&self, input_sizes: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> Conv3DBackpropInputV2<'_> {
        let mut node = Node::new(self, "Conv3DBackpropInputV2").input(input_sizes).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        Conv3DBackpropInputV2(node)
    }

    /// Computes a depthwise 2-D convolution: each channel has filters of its own.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float.
    pub fn depthwise_conv2d_native(&self, input: impl Input, filter: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> DepthwiseConv2dNative<'_> {
        let mut node = Node::new(self, "DepthwiseConv2dNative").input(input).input(filter);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        DepthwiseConv2dNative(node)
    }

    /// Computes the gradient of `DepthwiseConv2dNative` with respect to its filter.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter_sizes`: a tensor of int32
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float.
    pub fn depthwise_conv2d_native_backprop_filter(&self, input: impl Input, filter_sizes: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> DepthwiseConv2dNativeBackpropFilter<'_> {
        let mut node = Node::new(self, "DepthwiseConv2dNativeBackpropFilter").input(input).input(filter_sizes).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        DepthwiseConv2dNativeBackpropFilter(node)
    }

    /// Computes the gradient of `DepthwiseConv2dNative` with respect to its input.
    ///
    /// - `input_sizes`: a tensor of int32
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    ///
    /// `T` is any float.
    pub fn depthwise_conv2d_native_backprop_input(&self, input_sizes: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], padding: impl AsRef<[u8]>) -> DepthwiseConv2dNativeBackpropInput<'_> {
        let mut node = Node::new(self, "DepthwiseConv2dNativeBackpropInput").input(input_sizes).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        DepthwiseConv2dNativeBackpropInput(node)
    }

    /// Computes the grayscale dilation of `input`: the maximum over each window of element plus filter value.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images. Length at least 4.
    /// - `rates`: Dilation rates, one for each axis of the images. Length at least 4.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn dilation2d(&self, input: impl Input, filter: impl Input, strides: &[i64], rates: &[i64], padding: impl AsRef<[u8]>) -> Dilation2D<'_> {
        let mut node = Node::new(self, "Dilation2D").input(input).input(filter);
        node.set("strides", strides.to_vec());
        node.set("rates", rates.to_vec());
        node.set("padding", string(padding));
        Dilation2D(node)
    }

    /// Computes the gradient of `Dilation2D` with respect to its filter.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images. Length at least 4.
    /// - `rates`: Dilation rates, one for each axis of the images. Length at least 4.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn dilation2d_backprop_filter(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], rates: &[i64], padding: impl AsRef<[u8]>) -> Dilation2DBackpropFilter<'_> {
        let mut node = Node::new(self, "Dilation2DBackpropFilter").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("rates", rates.to_vec());
        node.set("padding", string(padding));
        Dilation2DBackpropFilter(node)
    }

    /// Computes the gradient of `Dilation2D` with respect to its input.
    ///
    /// - `input`: a tensor of `T`
    /// - `filter`: a tensor of `T`
    /// - `out_backprop`: a tensor of `T`
    /// - `strides`: Strides, one for each axis of the images. Length at least 4.
    /// - `rates`: Dilation rates, one for each axis of the images. Length at least 4.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn dilation2d_backprop_input(&self, input: impl Input, filter: impl Input, out_backprop: impl Input, strides: &[i64], rates: &[i64], padding: impl AsRef<[u8]>) -> Dilation2DBackpropInput<'_> {
        let mut node = Node::new(self, "Dilation2DBackpropInput").input(input).input(filter).input(out_backprop);
        node.set("strides", strides.to_vec());
        node.set("rates", rates.to_vec());
        node.set("padding", string(padding));
        Dilation2DBackpropInput(node)
    }

    /// Mirror-pads images by `paddings` and computes a `Conv2D` of the result.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of int32
    /// - `filter`: a tensor of `T`
    /// - `mode`: Whether the outermost pixels are mirrored too (`SYMMETRIC`) or not (`REFLECT`). One of `"REFLECT"`, `"SYMMETRIC"`.
    /// - `strides`: As in `Conv2D`.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any float.
    ///
    /// It has no gradient.
    pub fn fused_pad_conv2d(&self, input: impl Input, paddings: impl Input, filter: impl Input, mode: impl AsRef<[u8]>, strides: &[i64], padding: impl AsRef<[u8]>) -> FusedPadConv2D<'_> {
        let mut node = Node::new(self, "FusedPadConv2D").input(input).input(paddings).input(filter);
        node.set("mode", string(mode));
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        FusedPadConv2D(node)
    }

    /// Resizes images to `size` like `ResizeBilinear`, then computes a `FusedPadConv2D` of the result.
    ///
    /// - `input`: a tensor of `T`
    /// - `size`: a tensor of int32
    /// - `paddings`: a tensor of int32
    /// - `filter`: a tensor of `T`
    /// - `mode`: Whether the outermost pixels are mirrored too (`SYMMETRIC`) or not (`REFLECT`). One of `"REFLECT"`, `"SYMMETRIC"`.
    /// - `strides`: As in `Conv2D`.
    /// - `padding`: `SAME` or `VALID`. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is float32, float64, float16.
    ///
    /// It has no gradient.
    pub fn fused_resize_and_pad_conv2d(&self, input: impl Input, size: impl Input, paddings: impl Input, filter: impl Input, mode: impl AsRef<[u8]>, strides: &[i64], padding: impl AsRef<[u8]>) -> FusedResizeAndPadConv2D<'_> {
        let mut node = Node::new(self, "FusedResizeAndPadConv2D").input(input).input(size).input(paddings).input(filter);
        node.set("mode", string(mode));
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        FusedResizeAndPadConv2D(node)
    }

    /// Convolves quint8 images with qint8 filters, adds a bias and an optional side input and applies an activation; returns quantized values or floats.
    ///
    /// A code `c` of the images represents `(c - input_zero_point) * input_scale`, a code `w` of a filter represents `w * filter_scales[j]`, where `j` is its output channel. Sums of products are exact. The epilogue is computed in float32 in this order: the sum times `input_scale * filter_scales[j]`, plus `bias[j]`, plus `(side - side_zero_point) * side_scale`, then the activation; for quantized results, times the reciprocal of `output_scale`, rounded to nearest, plus `output_zero_point`, clamped to the range from 0 to 255.
    ///
    /// - `input`: a tensor of quint8
    /// - `filter`: a tensor of qint8
    /// - `filter_scales`: a tensor of float32
    /// - `bias`: a tensor of float32
    /// - `side`: any number of tensors of quint8
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. Padding represents zero. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    /// - `input_scale`: Scale of the images: the distance between the values of adjacent codes.
    ///
    /// It has no gradient.
    pub fn levada_quantized_conv2d(&self, input: impl Input, filter: impl Input, filter_scales: impl Input, bias: impl Input, side: impl IntoIterator<Item = impl Input>, strides: &[i64], padding: impl AsRef<[u8]>, input_scale: f32) -> LevadaQuantizedConv2D<'_> {
        let mut node = Node::new(self, "LevadaQuantizedConv2D").input(input).input(filter).input(filter_scales).input(bias).list(side);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        node.set("input_scale", input_scale);
        LevadaQuantizedConv2D(node)
    }

    /// Like `LevadaQuantizedConv2D`, for the depthwise filters of `DepthwiseConv2dNative`.
    ///
    /// - `input`: a tensor of quint8
    /// - `filter`: a tensor of qint8
    /// - `filter_scales`: a tensor of float32
    /// - `bias`: a tensor of float32
    /// - `side`: any number of tensors of quint8
    /// - `strides`: Strides, one for each axis of the images.
    /// - `padding`: `SAME`, `VALID` or `EXPLICIT`. Padding represents zero. One of `"SAME"`, `"VALID"`, `"EXPLICIT"`.
    /// - `input_scale`: Scale of the images: the distance between the values of adjacent codes.
    ///
    /// It has no gradient.
    pub fn levada_quantized_depthwise_conv2d(&self, input: impl Input, filter: impl Input, filter_scales: impl Input, bias: impl Input, side: impl IntoIterator<Item = impl Input>, strides: &[i64], padding: impl AsRef<[u8]>, input_scale: f32) -> LevadaQuantizedDepthwiseConv2D<'_> {
        let mut node = Node::new(self, "LevadaQuantizedDepthwiseConv2D").input(input).input(filter).input(filter_scales).input(bias).list(side);
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        node.set("input_scale", input_scale);
        LevadaQuantizedDepthwiseConv2D(node)
    }

    /// Multiplies quint8 matrices by a qint8 matrix, adds a bias and an optional side input and applies an activation; returns quantized values or floats, with the arithmetic of `LevadaQuantizedConv2D`.
    ///
    /// - `input`: a tensor of quint8
    /// - `filter`: a tensor of qint8
    /// - `filter_scales`: a tensor of float32
    /// - `bias`: a tensor of float32
    /// - `side`: any number of tensors of quint8
    /// - `input_scale`: Scale of `input`: the distance between the values of adjacent codes.
    ///
    /// It has no gradient.
    pub fn levada_quantized_mat_mul(&self, input: impl Input, filter: impl Input, filter_scales: impl Input, bias: impl Input, side: impl IntoIterator<Item = impl Input>, input_scale: f32) -> LevadaQuantizedMatMul<'_> {
        let mut node = Node::new(self, "LevadaQuantizedMatMul").input(input).input(filter).input(filter_scales).input(bias).list(side);
        node.set("input_scale", input_scale);
        LevadaQuantizedMatMul(node)
    }
}

/// A node of [`Conv`](Ops::conv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv<'a>(Node<'a>);

impl Conv<'_> {
    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Position of the channel axis. One of `"CHANNELS_FIRST"`, `"CHANNELS_LAST"`. Default: `"CHANNELS_LAST"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, in the same order as `strides`; empty for ones. Default: none.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Number of batch axes. Default: `1`.
    pub fn batch_dims(mut self, batch_dims: i64) -> Self {
        self.0.set("batch_dims", batch_dims);
        self
    }

    /// Number of channel groups. Default: `1`.
    pub fn groups(mut self, groups: i64) -> Self {
        self.0.set("groups", groups);
        self
    }
}

/// A node of [`Conv2D`](Ops::conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv2D<'a>(Node<'a>);

impl Conv2D<'_> {
    /// Ignored. Default: `true`.
    pub fn use_cudnn_on_gpu(mut self, use_cudnn_on_gpu: bool) -> Self {
        self.0.set("use_cudnn_on_gpu", use_cudnn_on_gpu);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv2DBackpropFilter`](Ops::conv2d_backprop_filter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv2DBackpropFilter<'a>(Node<'a>);

impl Conv2DBackpropFilter<'_> {
    /// Ignored. Default: `true`.
    pub fn use_cudnn_on_gpu(mut self, use_cudnn_on_gpu: bool) -> Self {
        self.0.set("use_cudnn_on_gpu", use_cudnn_on_gpu);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv2DBackpropFilterV2`](Ops::conv2d_backprop_filter_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv2DBackpropFilterV2<'a>(Node<'a>);

impl Conv2DBackpropFilterV2<'_> {
    /// Ignored. Default: `true`.
    pub fn use_cudnn_on_gpu(mut self, use_cudnn_on_gpu: bool) -> Self {
        self.0.set("use_cudnn_on_gpu", use_cudnn_on_gpu);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv2DBackpropInput`](Ops::conv2d_backprop_input) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv2DBackpropInput<'a>(Node<'a>);

impl Conv2DBackpropInput<'_> {
    /// Ignored. Default: `true`.
    pub fn use_cudnn_on_gpu(mut self, use_cudnn_on_gpu: bool) -> Self {
        self.0.set("use_cudnn_on_gpu", use_cudnn_on_gpu);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv2DBackpropInputV2`](Ops::conv2d_backprop_input_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv2DBackpropInputV2<'a>(Node<'a>);

impl Conv2DBackpropInputV2<'_> {
    /// Ignored. Default: `true`.
    pub fn use_cudnn_on_gpu(mut self, use_cudnn_on_gpu: bool) -> Self {
        self.0.set("use_cudnn_on_gpu", use_cudnn_on_gpu);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv3D`](Ops::conv3d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv3D<'a>(Node<'a>);

impl Conv3D<'_> {
    /// Order of the axes: `NDHWC` or `NCDHW`. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the volumes. Default: `[1, 1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv3DBackpropFilter`](Ops::conv3d_backprop_filter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv3DBackpropFilter<'a>(Node<'a>);

impl Conv3DBackpropFilter<'_> {
    /// Dilations, one for each axis of the volumes. Default: `[1, 1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv3DBackpropFilterV2`](Ops::conv3d_backprop_filter_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv3DBackpropFilterV2<'a>(Node<'a>);

impl Conv3DBackpropFilterV2<'_> {
    /// Order of the axes: `NDHWC` or `NCDHW`. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the volumes. Default: `[1, 1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv3DBackpropInput`](Ops::conv3d_backprop_input) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv3DBackpropInput<'a>(Node<'a>);

impl Conv3DBackpropInput<'_> {
    /// Dilations, one for each axis of the volumes. Default: `[1, 1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Conv3DBackpropInputV2`](Ops::conv3d_backprop_input_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conv3DBackpropInputV2<'a>(Node<'a>);

impl Conv3DBackpropInputV2<'_> {
    /// Order of the axes: `NDHWC` or `NCDHW`. One of `"NDHWC"`, `"NCDHW"`. Default: `"NDHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the volumes. Default: `[1, 1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`DepthwiseConv2dNative`](Ops::depthwise_conv2d_native) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DepthwiseConv2dNative<'a>(Node<'a>);

impl DepthwiseConv2dNative<'_> {
    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`DepthwiseConv2dNativeBackpropFilter`](Ops::depthwise_conv2d_native_backprop_filter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DepthwiseConv2dNativeBackpropFilter<'a>(Node<'a>);

impl DepthwiseConv2dNativeBackpropFilter<'_> {
    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`DepthwiseConv2dNativeBackpropInput`](Ops::depthwise_conv2d_native_backprop_input) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DepthwiseConv2dNativeBackpropInput<'a>(Node<'a>);

impl DepthwiseConv2dNativeBackpropInput<'_> {
    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Order of the axes: `NHWC` or `NCHW`. One of `"NHWC"`, `"NCHW"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }
}

/// A node of [`Dilation2D`](Ops::dilation2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Dilation2D<'a>(Node<'a>);

/// A node of [`Dilation2DBackpropFilter`](Ops::dilation2d_backprop_filter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Dilation2DBackpropFilter<'a>(Node<'a>);

/// A node of [`Dilation2DBackpropInput`](Ops::dilation2d_backprop_input) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Dilation2DBackpropInput<'a>(Node<'a>);

/// A node of [`FusedPadConv2D`](Ops::fused_pad_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedPadConv2D<'a>(Node<'a>);

/// A node of [`FusedResizeAndPadConv2D`](Ops::fused_resize_and_pad_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FusedResizeAndPadConv2D<'a>(Node<'a>);

impl FusedResizeAndPadConv2D<'_> {
    /// Whether to align the centres of the corner pixels when resizing. Default: `false`.
    pub fn resize_align_corners(mut self, resize_align_corners: bool) -> Self {
        self.0.set("resize_align_corners", resize_align_corners);
        self
    }
}

/// A node of [`LevadaQuantizedConv2D`](Ops::levada_quantized_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LevadaQuantizedConv2D<'a>(Node<'a>);

impl LevadaQuantizedConv2D<'_> {
    /// Type of the result: quint8 for quantized results. Allowed: float32, quint8. Default: float32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero point of the images: the code of zero. Default: `0`.
    pub fn input_zero_point(mut self, input_zero_point: i64) -> Self {
        self.0.set("input_zero_point", input_zero_point);
        self
    }

    /// `Identity`, `Relu` or `Relu6`. One of `"Identity"`, `"Relu"`, `"Relu6"`. Default: `"Identity"`.
    pub fn activation(mut self, activation: impl AsRef<[u8]>) -> Self {
        self.0.set("activation", string(activation));
        self
    }

    /// Scale of the side input. Default: `1.0`.
    pub fn side_scale(mut self, side_scale: f32) -> Self {
        self.0.set("side_scale", side_scale);
        self
    }

    /// Zero point of the side input. Default: `0`.
    pub fn side_zero_point(mut self, side_zero_point: i64) -> Self {
        self.0.set("side_zero_point", side_zero_point);
        self
    }

    /// Scale of the result. Default: `1.0`.
    pub fn output_scale(mut self, output_scale: f32) -> Self {
        self.0.set("output_scale", output_scale);
        self
    }

    /// Zero point of the result. Default: `0`.
    pub fn output_zero_point(mut self, output_zero_point: i64) -> Self {
        self.0.set("output_zero_point", output_zero_point);
        self
    }
}

/// A node of [`LevadaQuantizedDepthwiseConv2D`](Ops::levada_quantized_depthwise_conv2d) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LevadaQuantizedDepthwiseConv2D<'a>(Node<'a>);

impl LevadaQuantizedDepthwiseConv2D<'_> {
    /// Type of the result: quint8 for quantized results. Allowed: float32, quint8. Default: float32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// For `EXPLICIT`: the padding before and after each axis. Default: none.
    pub fn explicit_paddings(mut self, explicit_paddings: &[i64]) -> Self {
        self.0.set("explicit_paddings", explicit_paddings.to_vec());
        self
    }

    /// Dilations, one for each axis of the images. Default: `[1, 1, 1, 1]`.
    pub fn dilations(mut self, dilations: &[i64]) -> Self {
        self.0.set("dilations", dilations.to_vec());
        self
    }

    /// Zero point of the images: the code of zero. Default: `0`.
    pub fn input_zero_point(mut self, input_zero_point: i64) -> Self {
        self.0.set("input_zero_point", input_zero_point);
        self
    }

    /// `Identity`, `Relu` or `Relu6`. One of `"Identity"`, `"Relu"`, `"Relu6"`. Default: `"Identity"`.
    pub fn activation(mut self, activation: impl AsRef<[u8]>) -> Self {
        self.0.set("activation", string(activation));
        self
    }

    /// Scale of the side input. Default: `1.0`.
    pub fn side_scale(mut self, side_scale: f32) -> Self {
        self.0.set("side_scale", side_scale);
        self
    }

    /// Zero point of the side input. Default: `0`.
    pub fn side_zero_point(mut self, side_zero_point: i64) -> Self {
        self.0.set("side_zero_point", side_zero_point);
        self
    }

    /// Scale of the result. Default: `1.0`.
    pub fn output_scale(mut self, output_scale: f32) -> Self {
        self.0.set("output_scale", output_scale);
        self
    }

    /// Zero point of the result. Default: `0`.
    pub fn output_zero_point(mut self, output_zero_point: i64) -> Self {
        self.0.set("output_zero_point", output_zero_point);
        self
    }
}

/// A node of [`LevadaQuantizedMatMul`](Ops::levada_quantized_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LevadaQuantizedMatMul<'a>(Node<'a>);

impl LevadaQuantizedMatMul<'_> {
    /// Type of the result: quint8 for quantized results. Allowed: float32, quint8. Default: float32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Zero point of `input`: the code of zero. Default: `0`.
    pub fn input_zero_point(mut self, input_zero_point: i64) -> Self {
        self.0.set("input_zero_point", input_zero_point);
        self
    }

    /// `Identity`, `Relu` or `Relu6`. One of `"Identity"`, `"Relu"`, `"Relu6"`. Default: `"Identity"`.
    pub fn activation(mut self, activation: impl AsRef<[u8]>) -> Self {
        self.0.set("activation", string(activation));
        self
    }

    /// Scale of the side input. Default: `1.0`.
    pub fn side_scale(mut self, side_scale: f32) -> Self {
        self.0.set("side_scale", side_scale);
        self
    }

    /// Zero point of the side input. Default: `0`.
    pub fn side_zero_point(mut self, side_zero_point: i64) -> Self {
        self.0.set("side_zero_point", side_zero_point);
        self
    }

    /// Scale of the result. Default: `1.0`.
    pub fn output_scale(mut self, output_scale: f32) -> Self {
        self.0.set("output_scale", output_scale);
        self
    }

    /// Zero point of the result. Default: `0`.
    pub fn output_zero_point(mut self, output_zero_point: i64) -> Self {
        self.0.set("output_zero_point", output_zero_point);
        self
    }
}

common! {
    Conv
    Conv2D
    Conv2DBackpropFilter
    Conv2DBackpropFilterV2
    Conv2DBackpropInput
    Conv2DBackpropInputV2
    Conv3D
    Conv3DBackpropFilter
    Conv3DBackpropFilterV2
    Conv3DBackpropInput
    Conv3DBackpropInputV2
    DepthwiseConv2dNative
    DepthwiseConv2dNativeBackpropFilter
    DepthwiseConv2dNativeBackpropInput
    Dilation2D
    Dilation2DBackpropFilter
    Dilation2DBackpropInput
    FusedPadConv2D
    FusedResizeAndPadConv2D
    LevadaQuantizedConv2D
    LevadaQuantizedDepthwiseConv2D
    LevadaQuantizedMatMul
}

one_output! {
    Conv
    Conv2D
    Conv2DBackpropFilter
    Conv2DBackpropFilterV2
    Conv2DBackpropInput
    Conv2DBackpropInputV2
    Conv3D
    Conv3DBackpropFilter
    Conv3DBackpropFilterV2
    Conv3DBackpropInput
    Conv3DBackpropInputV2
    DepthwiseConv2dNative
    DepthwiseConv2dNativeBackpropFilter
    DepthwiseConv2dNativeBackpropInput
    Dilation2D
    Dilation2DBackpropFilter
    Dilation2DBackpropInput
    FusedPadConv2D
    FusedResizeAndPadConv2D
    LevadaQuantizedConv2D
    LevadaQuantizedDepthwiseConv2D
    LevadaQuantizedMatMul
}
