//! `SegmentSum` and its siblings.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_reduce::types::*;

const F32_BY_I32: Segment = Segment { dtype: F32, index: I32, num: I32 };

fn rows(values: &[f32]) -> Tensor {
    Tensor::from_vec(Shape::new([values.len() / 2, 2]).unwrap(), values.to_vec()).unwrap()
}

fn ids(values: &[i32]) -> Tensor {
    Tensor::vector(values.to_vec())
}

#[test]
fn gaps_are_filled() {
    let data = rows(&[3., 2., 4., 4., 5., 6.]);
    let inputs = || vec![data.clone(), ids(&[1, 1, 3])];
    let out = run_on(2, SEGMENT_SUM.of(F32_BY_I32), inputs(), &[F32]).unwrap();
    assert_eq!(out[0], rows(&[0., 0., 7., 6., 0., 0., 5., 6.]));
    let out = run(SEGMENT_PROD.of(F32_BY_I32), inputs(), &[F32]).unwrap();
    assert_eq!(out[0], rows(&[1., 1., 12., 8., 1., 1., 5., 6.]));
    let out = run(SEGMENT_MAX.of(F32_BY_I32), inputs(), &[F32]).unwrap();
    assert_eq!(out[0], rows(&[0., 0., 4., 4., 0., 0., 5., 6.]));
    let out = run(SEGMENT_MEAN.of(F32_BY_I32), inputs(), &[F32]).unwrap();
    assert_eq!(out[0], rows(&[0., 0., 3.5, 3., 0., 0., 5., 6.]));
    let mut inputs = inputs();
    inputs.push(Tensor::scalar(5i32));
    let out = run(SEGMENT_PROD.called("SegmentProdV2", F32_BY_I32).unwrap(), inputs, &[F32]).unwrap();
    assert_eq!(out[0], rows(&[1., 1., 12., 8., 1., 1., 5., 6., 1., 1.]));
}

#[test]
fn faults() {
    for wrong in [&[0, 2, 1][..], &[-1, 0, 1], &[0, 1, -3], &[0, 1], &[0, 3, 1, 3]] {
        let inputs = vec![rows(&[1., 2., 3., 4., 5., 6.]), ids(wrong)];
        let error = run(SEGMENT_SUM.of(F32_BY_I32), inputs, &[F32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
    let none = vec![Tensor::zeros(F32, Shape::new([0, 2]).unwrap()), ids(&[])];
    let out = run(SEGMENT_SUM.of(F32_BY_I32), none, &[F32]).unwrap();
    assert_eq!(out[0].shape().dims(), [0, 2]);
}
