//! `SparseSegmentSum` and its siblings.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_reduce::types::*;

const ATTRS: SparseSegment = SparseSegment { dtype: F32, index: I32, num: I32, segment: I32, sparse_gradient: false };

fn inputs(indices: &[i32], ids: &[i32]) -> Vec<Tensor> {
    let data = Tensor::from_vec(Shape::new([3, 2]).unwrap(), vec![1f32, 2., 3., 4., 5., 6.]).unwrap();
    vec![data, Tensor::vector(indices.to_vec()), Tensor::vector(ids.to_vec())]
}

#[test]
fn rows_are_picked() {
    let op = SPARSE_SEGMENT_SUM.of(ATTRS);
    let out = run_on(2, op, inputs(&[0, 2, 1], &[0, 0, 2]), &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [6., 8., 0., 0., 3., 4.]);
    let op = SPARSE_SEGMENT_SQRT_N.of(ATTRS);
    let out = run(op, inputs(&[0, 2, 1], &[0, 0, 2]), &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [6. / 2f32.sqrt(), 8. / 2f32.sqrt(), 0., 0., 3., 4.]);
    let op = SPARSE_SEGMENT_MEAN.called("SparseSegmentMeanWithNumSegments", ATTRS).unwrap();
    let mut with_num = inputs(&[0, 2], &[0, 0]);
    with_num.push(Tensor::scalar(2i32));
    assert_eq!(run(op, with_num, &[F32]).unwrap()[0].slice::<f32>().unwrap(), [3., 4., 0., 0.]);
}

#[test]
fn faults() {
    for (indices, ids) in
        [(&[0, 3][..], &[0, 0][..]), (&[0, -1], &[0, 0]), (&[0, 1], &[1, 0]), (&[0], &[-1]), (&[0], &[0, 1])]
    {
        let op = SPARSE_SEGMENT_SUM.of(ATTRS);
        assert_eq!(run(op, inputs(indices, ids), &[F32]).unwrap_err().code(), Code::InvalidArgument);
    }
    let op = SPARSE_SEGMENT_SUM.called("SparseSegmentSumWithNumSegments", ATTRS).unwrap();
    let mut few = inputs(&[0, 1], &[0, 1]);
    few.push(Tensor::scalar(1i32));
    assert_eq!(run(op, few, &[F32]).unwrap_err().code(), Code::InvalidArgument);
}
