//! Local response normalization.

use crate::testing::{agree, random};
use DType::*;
use levada_graph::DType;
use levada_ops::types::{LRN, LRN_GRAD, Lrn};

#[test]
fn neighbours_normalize() {
    for (dtype, tolerance) in [(F32, 1e-5), (F16, 4e-3), (BF16, 3e-2)] {
        for (dims, depth_radius) in
            [([2, 2, 3, 7], 2), ([1, 1, 2, 3], 100), ([1, 1, 1, 5], 0), ([0, 1, 1, 5], 1), ([1, 1, 1, 5], -1)]
        {
            let op = LRN.of(Lrn { depth_radius, bias: 1.5, alpha: 0.5, beta: 0.75, dtype });
            agree(op, &[random(dtype, &dims, 1)], tolerance);
            let op = LRN_GRAD.of(Lrn { depth_radius, bias: 1.5, alpha: 0.5, beta: 0.75, dtype });
            agree(op, &[1, 2, 3].map(|seed| random(dtype, &dims, seed)), tolerance);
        }
    }
    let op = LRN.of(Lrn { depth_radius: 1, bias: 1.0, alpha: 1.0, beta: 0.5, dtype: F32 });
    agree(op, &[random(F32, &[2, 3], 1)], 0.0);
}
