//! Quantized tensors: quantization, dequantization and arithmetic.
//!
//! [`code`] converts between floats and codes whose smallest and largest stand for the ends of a range, with
//! TensorFlow's rounding; [`product`] multiplies codes. The `Uniform` ops use scales and zero points instead:
//! [`affine`].

// `!(a < b)` is also true for NaN, which is refused as well.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules};
use prelude::*;

mod affine;
mod code;
mod product;
mod window;

family! {
    arithmetic = QUANTIZED_ADD, QUANTIZED_MUL;
    batch_norm = QUANTIZED_BATCH_NORM;
    bias_add = QUANTIZED_BIAS_ADD;
    concat = QUANTIZED_CONCAT;
    convolution = QUANTIZED_CONV2D;
    dequantize = DEQUANTIZE;
    fake_quant = FAKE_QUANT_WITH_MIN_MAX_ARGS, FAKE_QUANT_WITH_MIN_MAX_ARGS_GRADIENT, FAKE_QUANT_WITH_MIN_MAX_VARS,
        FAKE_QUANT_WITH_MIN_MAX_VARS_GRADIENT;
    fused_convolution = FUSED_QUANTIZED_CONV2D;
    fused_product = QUANTIZED_MAT_MUL_WITH_BIAS;
    instance_norm = QUANTIZED_INSTANCE_NORM;
    matmul = QUANTIZED_MATMUL;
    pooling = QUANTIZED_AVG_POOL, QUANTIZED_MAX_POOL;
    quantize = QUANTIZE_V2;
    quantize_and_dequantize = QUANTIZE_AND_DEQUANTIZE, QUANTIZE_AND_DEQUANTIZE_V4_GRAD;
    relu = QUANTIZED_RELU, QUANTIZED_RELU6, QUANTIZED_RELU_X;
    requantization_range = REQUANTIZATION_RANGE, REQUANTIZATION_RANGE_PER_CHANNEL;
    requantize = QUANTIZE_DOWN_AND_SHRINK_RANGE, REQUANTIZE, REQUANTIZE_PER_CHANNEL;
    reshape = QUANTIZED_RESHAPE;
    resize_bilinear = QUANTIZED_RESIZE_BILINEAR;
    uniform = UNIFORM_DEQUANTIZE, UNIFORM_QUANTIZE, UNIFORM_QUANTIZED_ADD, UNIFORM_QUANTIZED_CLIP_BY_VALUE, UNIFORM_REQUANTIZE;
    uniform_convolution = UNIFORM_QUANTIZED_CONVOLUTION, UNIFORM_QUANTIZED_CONVOLUTION_HYBRID;
    uniform_dot = UNIFORM_QUANTIZED_DOT, UNIFORM_QUANTIZED_DOT_HYBRID;
}

/// All quantized types; each op has kernels for some of them.
const QUANTIZED: &[DType] = &[DType::QI8, DType::QU8, DType::QI32, DType::QI16, DType::QU16];

/// Output 0 has the shape of input 0; outputs 1 and 2, the ends of its range, are scalars.
fn same_and_range<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    let shape = cx.input(0);
    cx.output(0, shape);
    range_outputs(cx);
    Ok(())
}

/// Outputs 1 and 2, the ends of the range of output 0, are scalars.
fn range_outputs(cx: &mut ShapeCx<'_>) {
    cx.output_scalar(1);
    cx.output_scalar(2);
}

/// Returns input `i`, an end of a range, which must be a scalar.
fn end_of_range(cx: &Cx<'_, '_>, i: usize) -> Result<f32> {
    let tensor = cx.input(i)?;
    if !tensor.shape().is_scalar() {
        return Err(Error::invalid(format!("input {i}, an end of a range, must be a scalar"))
            .found(format!("shape {}", tensor.shape())));
    }
    tensor.item()
}

/// Inputs `i` and `i + 1`, the ends of a range, which must be scalars.
fn range(cx: &Cx<'_, '_>, i: usize) -> Result<(f32, f32)> {
    Ok((end_of_range(cx, i)?, end_of_range(cx, i + 1)?))
}

/// Inputs `i` and `i + 1`, the ends of a range that must not be empty.
fn proper_range(cx: &Cx<'_, '_>, i: usize) -> Result<(f32, f32)> {
    let (min, max) = range(cx, i)?;
    if max > min {
        return Ok((min, max));
    }
    Err(Error::invalid(format!("the range of inputs {i} and {} must not be empty", i + 1))
        .expected("a maximum that is larger than the minimum")
        .found(format!("{min} to {max}")))
}

/// Sets outputs 1 and 2 to the ends of the range of output 0.
fn set_range(cx: &mut Cx<'_, '_>, (min, max): (f32, f32)) {
    cx.set(1, Tensor::scalar(min));
    cx.set(2, Tensor::scalar(max));
}
