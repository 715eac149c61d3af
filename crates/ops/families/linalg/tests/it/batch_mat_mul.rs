//! `BatchMatMul` and its later versions.

use levada_kernel::Bound;
use levada_ops_core::prelude::DType::{C64, F32, I8, I32, U8};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_linalg::types::*;

fn op(adj_x: bool, adj_y: bool) -> Bound<BatchMatMul> {
    BATCH_MAT_MUL.of(BatchMatMul { dtype: F32, adj_x, adj_y, grad_x: false, grad_y: false, broadcast: true })
}

fn counted(dims: &[usize]) -> Tensor {
    let shape = Shape::new(dims.iter().copied()).unwrap();
    let values = (0..shape.num_elements()).map(|i| (i % 7) as f32 - 2.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

#[test]
fn batches_are_broadcast() {
    let cases: &[(&[usize], &[usize], &[usize])] = &[
        (&[2, 1, 3, 4], &[5, 4, 2], &[2, 5, 3, 2]),
        (&[3, 4], &[5, 4, 2], &[5, 3, 2]),
        (&[5, 3, 4], &[4, 2], &[5, 3, 2]),
        (&[5, 3, 4], &[1, 4, 2], &[5, 3, 2]),
        (&[0, 3, 4], &[4, 2], &[0, 3, 2]),
        (&[1, 1, 3, 4], &[4, 2], &[1, 1, 3, 2]),
    ];
    for (x, y, expected) in cases {
        let (x, y) = (counted(x), counted(y));
        let out = run_on(2, op(false, false), vec![x.clone(), y.clone()], &[F32]).unwrap().remove(0);
        assert_eq!(out.shape().dims(), *expected);
        let batch = Shape::new(expected[..expected.len() - 2].iter().copied()).unwrap();
        let (x_shape, y_shape) = (x.shape().clone(), y.shape().clone());
        let (x, y) = (x.slice::<f32>().unwrap(), y.slice::<f32>().unwrap());
        for (i, matrix) in out.slice::<f32>().unwrap().chunks(6).enumerate() {
            let mut index = vec![0; batch.rank()];
            let mut rest = i;
            for axis in (0..batch.rank()).rev() {
                index[axis] = rest % batch[axis];
                rest /= batch[axis];
            }
            let at = |s: &Shape| {
                let dims = &s[..s.rank() - 2];
                let last = &index[batch.rank() - dims.len()..];
                dims.iter().zip(last).fold(0, |at, (&d, &i)| at * d + if d == 1 { 0 } else { i })
            };
            let (at_x, at_y) = (at(&x_shape), at(&y_shape));
            for (e, value) in matrix.iter().enumerate() {
                let (r, c) = (e / 2, e % 2);
                let sum: f32 = (0..4).map(|k| x[at_x * 12 + r * 4 + k] * y[at_y * 8 + k * 2 + c]).sum();
                assert_eq!(*value, sum);
            }
        }
    }
}

#[test]
fn adjoints_conjugate() {
    let i = Complex32::new(0.0, 1.0);
    let x = Tensor::from_vec(Shape::new([1, 1]).unwrap(), vec![i]).unwrap();
    let y = Tensor::from_vec(Shape::new([1, 1]).unwrap(), vec![Complex32::new(1.0, 2.0)]).unwrap();
    let op = BatchMatMul { dtype: C64, adj_x: true, adj_y: false, grad_x: false, grad_y: false, broadcast: true };
    let out = run(BATCH_MAT_MUL.of(op), vec![x, y], &[C64]).unwrap();
    assert_eq!(out[0].slice::<Complex32>().unwrap(), [Complex32::new(2.0, -1.0)]);
}

#[test]
fn bytes_multiply_to_int32() {
    let op = BatchMatMulV3 { x: U8, y: I8, out: I32, adj_x: false, adj_y: true, grad_x: false, grad_y: false };
    let x = Tensor::from_vec(Shape::new([1, 2]).unwrap(), vec![200u8, 100]).unwrap();
    let y = Tensor::from_vec(Shape::new([1, 2]).unwrap(), vec![100i8, -128]).unwrap();
    assert_eq!(run(BATCH_MAT_MUL_V3.of(op), vec![x, y], &[I32]).unwrap()[0].slice::<i32>().unwrap(), [7200]);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    for (x, y) in [(&[2, 3][..], &[2, 2][..]), (&[3], &[3, 1]), (&[2, 3, 4], &[3, 4, 2])] {
        let error = run(op(false, false), vec![counted(x), counted(y)], &[F32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
}
