//! Convolutions.

use crate::testing::{agree, random};
use levada_graph::DType::{self, *};
use levada_graph::Tensor;
use levada_ops::types::*;

/// Images as (batch, height, width, channels), filter, strides, dilations, padding.
type Case = ([usize; 4], [usize; 4], [i64; 2], [i64; 2], &'static str);

const CASES: &[Case] = &[
    ([2, 5, 6, 3], [3, 3, 3, 4], [1, 1], [1, 1], "SAME"),
    ([2, 5, 6, 3], [3, 2, 3, 4], [2, 2], [1, 1], "VALID"),
    ([1, 9, 7, 4], [3, 3, 2, 6], [1, 1], [2, 2], "SAME"),
    ([1, 6, 6, 4], [2, 3, 1, 8], [2, 1], [1, 1], "SAME"),
    ([1, 4, 4, 2], [3, 3, 2, 18], [3, 2], [1, 1], "EXPLICIT"),
    ([2, 13, 12, 1], [3, 3, 1, 2], [1, 1], [1, 1], "SAME"),
    ([0, 5, 6, 3], [3, 3, 3, 4], [1, 1], [1, 1], "SAME"),
    ([2, 5, 6, 3], [3, 3, 2, 4], [1, 1], [1, 1], "SAME"),
    ([1, 2, 2, 3], [3, 3, 3, 0], [1, 1], [1, 1], "SAME"),
];

fn laid_out([n, h, w, c]: [usize; 4], format: &str) -> [usize; 4] {
    if format == "NHWC" { [n, h, w, c] } else { [n, c, h, w] }
}

fn spread([h, w]: [i64; 2], format: &str) -> Vec<i64> {
    if format == "NHWC" { vec![1, h, w, 1] } else { vec![1, 1, h, w] }
}

fn sizes(dims: &[usize]) -> Tensor {
    Tensor::vector(dims.iter().map(|&d| d as i32).collect::<Vec<_>>())
}

/// The attrs of a case.
fn attrs(&(_, _, strides, dilations, padding): &Case, dtype: DType, format: &'static str) -> Conv2D {
    let explicit_paddings = match (padding, format) {
        ("EXPLICIT", "NHWC") => vec![0, 0, 2, 1, 1, 2, 0, 0],
        ("EXPLICIT", _) => vec![0, 0, 0, 0, 2, 1, 1, 2],
        _ => Vec::new(),
    };
    Conv2D {
        dtype,
        strides: spread(strides, format),
        use_cudnn_on_gpu: true,
        padding: padding.into(),
        explicit_paddings,
        data_format: format.into(),
        dilations: spread(dilations, format),
    }
}

fn check(case: &Case, dtype: DType, tolerance: f64, format: &'static str) {
    let op = attrs(case, dtype, format);
    let (images, filter) = (laid_out(case.0, format), case.1);
    let (x, w) = (random(dtype, &images, 1), random(dtype, &filter, 2));
    agree(CONV2D.of(op.clone()), &[x.clone(), w.clone()], tolerance);
    let Ok(shape) = op.convolution(x.shape(), w.shape()).and_then(|c| c.output_shape()) else { return };
    let dy = random(dtype, &shape, 3);
    agree(CONV2D_BACKPROP_INPUT.of(op.clone()), &[sizes(&images), w.clone(), dy.clone()], tolerance);
    agree(CONV2D_BACKPROP_INPUT_V2.of(op.clone()), &[x.clone(), w.clone(), dy.clone()], tolerance);
    agree(CONV2D_BACKPROP_FILTER.of(op.clone()), &[x.clone(), sizes(&filter), dy.clone()], tolerance);
    agree(CONV2D_BACKPROP_FILTER_V2.of(op), &[x, w, dy], tolerance);
}

fn check_depthwise(case: &Case, dtype: DType, tolerance: f64, format: &'static str) {
    let Conv2D { strides, padding, explicit_paddings, data_format, dilations, .. } = attrs(case, dtype, format);
    let op = DepthwiseConv2D { dtype, strides, padding, explicit_paddings, data_format, dilations };
    let (images, filter) = (laid_out(case.0, format), case.1);
    let (x, w) = (random(dtype, &images, 1), random(dtype, &filter, 2));
    agree(DEPTHWISE_CONV2D_NATIVE.of(op.clone()), &[x.clone(), w.clone()], tolerance);
    let Ok(shape) = op.convolution(x.shape(), w.shape()).and_then(|c| c.output_shape()) else { return };
    let dy = random(dtype, &shape, 3);
    let by_input = DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT.of(op.clone());
    agree(by_input, &[sizes(&images), w, dy.clone()], tolerance);
    agree(DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER.of(op), &[x, sizes(&filter), dy], tolerance);
}

#[test]
fn convolutions_agree() {
    for case in CASES {
        for format in ["NHWC", "NCHW"] {
            check(case, F32, 1e-5, format);
        }
    }
    for (dtype, tolerance) in [(F16, 5e-3), (BF16, 4e-2), (F64, 1e-12), (I32, 0.0)] {
        check(&CASES[0], dtype, tolerance, "NHWC");
    }
}

#[test]
fn convolutions_of_single_channels_agree() {
    for &(input, filter, strides, dilations, padding) in CASES {
        for multiplier in [1, 3] {
            let filter = [filter[0], filter[1], input[3], multiplier];
            for format in ["NHWC", "NCHW"] {
                check_depthwise(&(input, filter, strides, dilations, padding), F32, 1e-5, format);
            }
        }
    }
    let case = ([2, 30, 30, 4], [3, 3, 4, 1], [1, 1], [1, 1], "SAME");
    check_depthwise(&case, F16, 5e-3, "NHWC");
}
