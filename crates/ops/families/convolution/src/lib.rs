//! Convolutions and their gradients, and the convolutions and matrix products that TensorFlow's optimizer fuses with
//! other ops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules};

mod codes;
mod convolution;
mod depthwise;
mod direct;
mod gather;
mod gradients;
mod grouped;
mod halves;
mod parameters;
mod product;
mod winograd;
mod workspace;

pub use convolution::{Convolution, check_filter, convolve_inside};
pub use winograd::Tiles;

family! {
    conv = CONV;
    conv2d = CONV2D, CONV2D_BACKPROP_FILTER, CONV2D_BACKPROP_FILTER_V2, CONV2D_BACKPROP_INPUT, CONV2D_BACKPROP_INPUT_V2;
    conv3d = CONV3D, CONV3D_BACKPROP_FILTER, CONV3D_BACKPROP_INPUT;
    depthwise_conv2d = DEPTHWISE_CONV2D_NATIVE, DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER,
        DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT;
    dilation2d = DILATION2D, DILATION2D_BACKPROP_FILTER, DILATION2D_BACKPROP_INPUT;
    fused = FUSED_CONV2D, FUSED_MAT_MUL;
    fused_pad = FUSED_PAD_CONV2D, FUSED_RESIZE_AND_PAD_CONV2D;
    quantized_conv2d = LEVADA_QUANTIZED_CONV2D, LEVADA_QUANTIZED_DEPTHWISE_CONV2D;
    quantized_mat_mul = LEVADA_QUANTIZED_MAT_MUL;
}
