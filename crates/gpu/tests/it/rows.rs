//! Softmax and cross entropy.

use crate::testing::{agree, scaled};
use DType::*;
use levada_graph::{DType, Tensor};
use levada_ops::types::*;

const DTYPES: [(DType, f64); 4] = [(F32, 1e-5), (F16, 2e-3), (BF16, 2e-2), (F64, 1e-12)];

#[test]
fn softmaxes_agree() {
    for (dtype, tolerance) in DTYPES {
        for dims in [&[2, 3, 5][..], &[7], &[300, 3], &[9, 40], &[11, 70], &[2, 1100], &[2, 0], &[0, 3], &[]] {
            let x = scaled(dtype, dims, 1, 20.0);
            agree(SOFTMAX.of(Softmax { dtype }), std::slice::from_ref(&x), tolerance);
            agree(LOG_SOFTMAX.of(Softmax { dtype }), &[x], tolerance);
        }
    }
    let x = Tensor::vector(vec![f64::NEG_INFINITY; 2]);
    agree(SOFTMAX.of(Softmax { dtype: F64 }), &[x], 0.0);
}

#[test]
fn cross_entropies_agree() {
    for (dtype, tolerance) in DTYPES {
        for (x, labels) in [
            (&[3, 10][..], &[3, 10][..]),
            (&[3, 10], &[1, 10]),
            (&[3, 1], &[3, 10]),
            (&[1, 30], &[5, 30]),
            (&[3, 100], &[100]),
            (&[3, 0], &[3, 0]),
            (&[0, 3], &[0, 3]),
            (&[2, 3], &[3, 2]),
            (&[3], &[3]),
        ] {
            let given = [scaled(dtype, x, 1, 5.0), scaled(dtype, labels, 2, 1.0)];
            agree(SOFTMAX_CROSS_ENTROPY_WITH_LOGITS.of(SoftmaxCrossEntropyWithLogits { dtype }), &given, tolerance);
        }
        for (classes, labels) in [(10, vec![0i64, 9, 3]), (100, vec![99, 1]), (3, vec![]), (3, vec![3]), (3, vec![-1])]
        {
            let op = SparseSoftmaxCrossEntropyWithLogits { dtype, labels: I64 };
            let op = SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS.of(op);
            let given = [scaled(dtype, &[labels.len(), classes], 1, 5.0), Tensor::vector(labels)];
            agree(op, &given, tolerance);
        }
    }
}
