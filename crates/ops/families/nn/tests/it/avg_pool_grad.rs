//! The gradients of `AvgPool` and `AvgPool3D`.

use crate::pooling::of_images;
use levada_kernel::Bound;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_nn::PoolAttrs;
use levada_ops_nn::types::*;

fn op(padding: &'static str) -> Bound<PoolAttrs> {
    AVG_POOL_GRAD.of(of_images([2, 2], [2, 2], padding))
}

fn numbers(dims: [usize; 4]) -> Tensor {
    let shape = Shape::new(dims).unwrap();
    let values = (0..shape.num_elements()).map(|i| i as f32 + 1.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

#[test]
fn every_element_gets_its_part() {
    let sizes = || Tensor::vector(vec![1, 3, 3, 1]);
    let out = run_on(2, op("SAME"), vec![sizes(), numbers([1, 2, 2, 1])], &[DType::F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [0.25, 0.25, 1.0, 0.25, 0.25, 1.0, 1.5, 1.5, 4.0]);
    let out = run(op("VALID"), vec![sizes(), numbers([1, 1, 1, 1])], &[DType::F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [0.25, 0.25, 0.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn wrong_sizes_are_refused() {
    for sizes in [vec![1, 3, 3], vec![1, 3, -3, 1], vec![2, 3, 3, 1], vec![i32::MAX; 4], vec![1, 4, 4, 1]] {
        let inputs = vec![Tensor::vector(sizes), numbers([1, 1, 1, 1])];
        assert_eq!(run(op("VALID"), inputs, &[DType::F32]).unwrap_err().code(), Code::InvalidArgument);
    }
}
