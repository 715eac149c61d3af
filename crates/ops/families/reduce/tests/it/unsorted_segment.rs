//! `UnsortedSegmentSum` and its siblings.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_reduce::types::*;

fn inputs(data: &[f32], ids: &[i32], n: i32) -> Vec<Tensor> {
    vec![Tensor::vector(data.to_vec()), Tensor::vector(ids.to_vec()), Tensor::scalar(n)]
}

#[test]
fn negative_numbers_are_left_out() {
    let op = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
    let out = run_on(2, op, inputs(&[1., 2., 3., 4.], &[2, -1, 0, 2], 4), &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [3., 0., 5., 0.]);
    let op = UNSORTED_SEGMENT_MAX.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
    let out = run(op, inputs(&[1., f32::NAN, 3.], &[1, 1, -1], 2), &[F32]).unwrap();
    let out = out[0].slice::<f32>().unwrap();
    assert!(out[0] == f32::MIN && out[1].is_nan());
}

#[test]
fn numbers_past_the_end_are_refused() {
    for (data, ids, n) in [(&[1., 2.][..], &[0, 5][..], 3), (&[1., 2.], &[0, 1], -1), (&[1., 2.], &[0], 2)] {
        let op = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
        let error = run(op, inputs(data, ids, n), &[F32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
}

#[test]
fn rows_are_added_in_order_on_any_number_of_threads() {
    let (count, segments, width) = (10_000, 77, 70);
    let ids: Vec<i32> = (0..count).map(|i| (i * 7919 % 80 - 2).min(segments - 1)).collect();
    let data: Vec<f32> = (0..count * width).map(|i| (i as f32).sin() * 1e3).collect();
    let mut expected = vec![0f32; (segments * width) as usize];
    for (row, &id) in data.chunks(width as usize).zip(&ids).filter(|(_, id)| **id >= 0) {
        expected.chunks_mut(width as usize).nth(id as usize).unwrap().iter_mut().zip(row).for_each(|(e, x)| *e += x);
    }
    let data = Tensor::from_vec(Shape::new([count as usize, width as usize]).unwrap(), data).unwrap();
    for threads in [1, 2, 8] {
        let op = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
        let inputs = vec![data.clone(), Tensor::vector(ids.clone()), Tensor::scalar(segments)];
        assert_eq!(run_on(threads, op, inputs, &[F32]).unwrap()[0].slice::<f32>().unwrap(), expected);
    }
}

#[test]
fn numbers_of_any_rank() {
    let data = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![1f32, 2., 3., 4.]).unwrap();
    let ids = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![0i32, 1, 1, -1]).unwrap();
    let op = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
    let out = run(op, vec![data.clone(), ids, Tensor::scalar(2i32)], &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [1., 5.]);
    let op = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype: F32, index: I32, num: I32 });
    let out = run(op, vec![data, Tensor::scalar(1i32), Tensor::scalar(2i32)], &[F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [0., 0., 0., 0., 1., 2., 3., 4.]);
}
