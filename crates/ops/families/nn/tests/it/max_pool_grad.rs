//! The gradients of `MaxPool`, `MaxPoolV2` and `MaxPool3D`, and the gradients of those.

use crate::pooling::{of_images, of_volumes};
use levada_kernel::Bound;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_nn::PoolAttrs;
use levada_ops_nn::types::*;

fn op(size: i64, stride: i64) -> Bound<PoolAttrs> {
    MAX_POOL_GRAD.of(of_images([size; 2], [stride; 2], "VALID"))
}

fn numbers(dims: [usize; 4], values: &[f32]) -> Tensor {
    Tensor::from_vec(Shape::new(dims).unwrap(), values.to_vec()).unwrap()
}

#[test]
fn the_first_largest_gets_the_gradient() {
    let (zeros, ones) = (numbers([1, 4, 4, 1], &[0.0; 16]), numbers([1, 2, 2, 1], &[1.0, 2.0, 3.0, 4.0]));
    let out = run(op(2, 2), vec![zeros.clone(), ones.clone(), ones.clone()], &[DType::F32]).unwrap();
    let expected = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(out[0].slice::<f32>().unwrap(), expected);
    let rising: Vec<f32> = (0..32).map(|i| i as f32).collect();
    let two = numbers([2, 4, 4, 1], &rising);
    let grad = numbers([2, 2, 2, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let out = run_on(2, op(3, 1), vec![two, grad.clone(), grad], &[DType::F32]).unwrap();
    let out = out[0].slice::<f32>().unwrap();
    assert_eq!([out[10], out[11], out[14], out[15]], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!([out[26], out[27], out[30], out[31]], [5.0, 6.0, 7.0, 8.0]);
    let wrong = numbers([1, 3, 2, 1], &[0.0; 6]);
    let error = run(op(2, 2), vec![zeros, ones, wrong], &[DType::F32]).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
}

#[test]
fn volumes_give_it_to_the_first_as_well() {
    let op = MAX_POOL_3D_GRAD.of(of_volumes([1, 1, 2], "VALID"));
    let volume =
        |n: usize, values: &[f32]| Tensor::from_vec(Shape::new([1, 1, 1, n, 1]).unwrap(), values.to_vec()).unwrap();
    let inputs = vec![volume(3, &[5.0, 5.0, 2.0]), volume(2, &[5.0, 5.0]), volume(2, &[1.0, 10.0])];
    assert_eq!(run(op, inputs, &[DType::F32]).unwrap()[0].slice::<f32>().unwrap(), [1.0, 10.0, 0.0]);
}
