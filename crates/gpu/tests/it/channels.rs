//! Biases, sums of channels and losses.

use crate::testing::{agree, random, scaled};
use levada_graph::DType::*;
use levada_ops::types::{BIAS_ADD, BIAS_ADD_GRAD, BiasAdd, L2_LOSS, L2Loss};

#[test]
fn biases() {
    for dtype in [F32, F16, BF16, F64, I32] {
        for (format, channels) in [("NHWC", 5), ("NCHW", 3)] {
            let op = || BIAS_ADD.of(BiasAdd { dtype, data_format: format.into() });
            agree(op(), &[random(dtype, &[2, 3, 4, 5], 1), random(dtype, &[channels], 2)], 0.0);
            agree(op(), &[random(dtype, &[2, 3, 4, 5], 1), random(dtype, &[7], 2)], 0.0);
        }
    }
    let v1 = || BIAS_ADD.called("BiasAddV1", BiasAdd { dtype: F32, data_format: "NHWC".into() }).unwrap();
    agree(v1(), &[random(F32, &[2, 3], 1), random(F32, &[3], 2)], 0.0);
    agree(v1(), &[random(F32, &[3], 1), random(F32, &[3], 2)], 0.0);
    agree(v1(), &[random(F32, &[0, 3], 1), random(F32, &[3], 2)], 0.0);
}

#[test]
fn sums_of_channels() {
    for (dtype, tolerance) in [(F32, 1e-5), (F16, 1e-3), (BF16, 1e-2), (F64, 1e-12), (I32, 0.0), (U8, 0.0)] {
        for format in ["NHWC", "NCHW"] {
            let op = || BIAS_ADD_GRAD.of(BiasAdd { dtype, data_format: format.into() });
            for dims in [&[2, 3, 4, 5][..], &[700, 3], &[3, 40, 500], &[2, 0, 3], &[0, 3], &[4]] {
                agree(op(), &[scaled(dtype, dims, 1, 9.0)], tolerance);
            }
        }
    }
}

#[test]
fn losses() {
    for (dtype, tolerance) in [(F32, 1e-5), (F16, 1e-3), (F64, 1e-12)] {
        for dims in [&[][..], &[0], &[3, 5], &[10_000]] {
            agree(L2_LOSS.of(L2Loss { dtype }), &[random(dtype, dims, 1)], tolerance);
        }
    }
}
