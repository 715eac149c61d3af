//! Batch normalization.

use crate::testing::{agree, random, tensor};
use DType::*;
use levada_graph::{DType, Tensor};
use levada_ops::types::{BatchNorm, FUSED_BATCH_NORM, FUSED_BATCH_NORM_GRAD};

fn inputs(dtype: DType, dims: &[usize], channels: usize) -> Vec<Tensor> {
    let positive: Vec<f64> = (0..channels).map(|i| 0.5 + i as f64 / 3.0).collect();
    let vector = |seed| random(F32, &[channels], seed);
    vec![random(dtype, dims, 1), vector(2), vector(3), vector(4), tensor(F32, &[channels], &positive)]
}

fn attrs(dtype: DType, data_format: &'static str, is_training: bool) -> BatchNorm {
    BatchNorm {
        dtype,
        u: F32,
        epsilon: 0.001,
        exponential_avg_factor: 1.0,
        data_format: data_format.into(),
        is_training,
        version: 3,
    }
}

#[test]
fn images_are_normalized() {
    let cases: &[(&[usize], &'static str, usize)] = &[
        (&[2, 3, 4, 5], "NHWC", 5),
        (&[2, 3, 4, 5], "NCHW", 3),
        (&[2, 3, 2, 2, 5], "NDHWC", 5),
        (&[5, 30, 31, 2], "NHWC", 2),
        (&[0, 3, 4, 5], "NHWC", 5),
        (&[1, 1, 1, 3], "NHWC", 3),
        (&[1, 1, 1, 3], "NHWC", 2),
    ];
    for &(dims, format, channels) in cases {
        for (is_training, exponential_avg_factor) in [(false, 1.0), (true, 1.0), (true, 0.3)] {
            for (dtype, tolerance) in [(F32, 1e-5), (F16, 4e-3), (BF16, 3e-2)] {
                let op = BatchNorm { exponential_avg_factor, ..attrs(dtype, format, is_training) };
                agree(FUSED_BATCH_NORM.of(op), &inputs(dtype, dims, channels), tolerance);
            }
        }
    }
    let op = FUSED_BATCH_NORM.of(BatchNorm { version: 1, ..attrs(F32, "NHWC", true) });
    agree(op, &inputs(F32, &[2, 3, 4, 5], 5), 1e-5);
}

#[test]
fn gradients() {
    for is_training in [false, true] {
        for (dims, format, channels) in
            [([2, 3, 4, 5], "NHWC", 5), ([2, 3, 4, 5], "NCHW", 3), ([0, 3, 4, 5], "NHWC", 5)]
        {
            for (dtype, tolerance) in [(F32, 1e-5), (F16, 4e-3), (BF16, 3e-2)] {
                let given = inputs(dtype, &dims, channels);
                let dy = random(dtype, &dims, 9);
                let op = attrs(dtype, format, is_training);
                let [x, scale, _, mean, variance] = &given[..] else { unreachable!() };
                let mut all = vec![dy, x.clone(), scale.clone(), mean.clone(), variance.clone()];
                let second = BatchNorm { version: 2, ..op.clone() };
                agree(FUSED_BATCH_NORM_GRAD.of(second), &all, tolerance);
                all.push(Tensor::vector(Vec::<f32>::new()));
                agree(FUSED_BATCH_NORM_GRAD.of(op), &all, tolerance);
            }
        }
    }
}
