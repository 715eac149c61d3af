//! `SparseSegmentSumGrad` and its siblings.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_reduce::types::*;

const ATTRS: SparseSegmentGrad = SparseSegmentGrad { dtype: F32, index: I32, segment: I32 };

fn inputs(indices: &[i32], ids: &[i32], rows: i32) -> Vec<Tensor> {
    let grad = Tensor::from_vec(Shape::new([3, 2]).unwrap(), vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
    vec![grad, Tensor::vector(indices.to_vec()), Tensor::vector(ids.to_vec()), Tensor::scalar(rows)]
}

#[test]
fn picked_rows_get_their_share() {
    let op = SPARSE_SEGMENT_MEAN_GRAD.of(ATTRS);
    let out = run_on(2, op, inputs(&[0, 2, 0], &[0, 0, 2], 4), &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [5.5, 7., 0., 0., 0.5, 1., 0., 0.]);
    let op = SPARSE_SEGMENT_SUM_GRAD.called("SparseSegmentSumGradV2", ATTRS).unwrap();
    let out = run(op, inputs(&[5, 2, 5], &[0, 0, 2], 8), &[F32, I32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [1., 2., 6., 8.]);
    assert_eq!(out[1].slice::<i32>().unwrap(), [2, 5]);
}

#[test]
fn faults() {
    for (indices, ids, rows) in
        [(&[0, 9][..], &[0, 0][..], 4), (&[-1], &[0], 4), (&[0], &[3], 4), (&[0], &[-1], 4), (&[0], &[0], -1)]
    {
        let op = SPARSE_SEGMENT_SUM_GRAD.of(ATTRS);
        assert_eq!(run(op, inputs(indices, ids, rows), &[F32]).unwrap_err().code(), Code::InvalidArgument);
    }
}
