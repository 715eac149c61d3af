//! `MatMul`.

use levada_kernel::Bound;
use levada_ops_core::prelude::DType::{F32, I32};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_linalg::types::*;

fn op(dtype: DType, transpose_a: bool, transpose_b: bool) -> Bound<MatMul> {
    MAT_MUL.of(MatMul { transpose_a, transpose_b, dtype, grad_a: false, grad_b: false })
}

fn matrix<T: Element>(rows: usize, cols: usize, values: &[T]) -> Tensor {
    Tensor::from_vec(Shape::new([rows, cols]).unwrap(), values.to_vec()).unwrap()
}

#[test]
fn transposes() {
    let (a, b) = (matrix(2, 3, &[1f32, 2., 3., 4., 5., 6.]), matrix(3, 2, &[1f32, 0., 0., 1., 1., 1.]));
    let (at, bt) = (matrix(3, 2, &[1f32, 4., 2., 5., 3., 6.]), matrix(2, 3, &[1f32, 0., 1., 0., 1., 1.]));
    for (ta, tb) in [(false, false), (true, false), (false, true), (true, true)] {
        let inputs = vec![if ta { at.clone() } else { a.clone() }, if tb { bt.clone() } else { b.clone() }];
        let out = run(op(F32, ta, tb), inputs, &[F32]).unwrap();
        assert_eq!(out[0], matrix(2, 2, &[4f32, 5., 10., 11.]));
    }
}

#[test]
fn an_empty_inner_size_gives_zeros() {
    let out = run(op(I32, false, false), vec![matrix::<i32>(2, 0, &[]), matrix::<i32>(0, 3, &[])], &[I32]);
    assert_eq!(out.unwrap()[0], matrix(2, 3, &[0; 6]));
}

#[test]
fn wrong_shapes_are_refused() {
    let a = matrix(2, 3, &[0f32; 6]);
    let wrong = |inputs| run(op(F32, false, false), inputs, &[F32]).unwrap_err().code();
    assert_eq!(wrong(vec![a.clone(), a.clone()]), Code::InvalidArgument);
    assert_eq!(wrong(vec![a, Tensor::vector(vec![1f32; 3])]), Code::InvalidArgument);
}
