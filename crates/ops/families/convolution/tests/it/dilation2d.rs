//! `Dilation2D` (grayscale morphological dilation) and its gradients.

use levada_ops_convolution::types::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;

fn numbers(dims: &[usize]) -> Tensor {
    let shape = Shape::new(dims.iter().copied()).unwrap();
    let values = (0..shape.num_elements()).map(|i| i as f32).collect();
    Tensor::from_vec(shape, values).unwrap()
}

fn attrs() -> Dilation2D {
    Dilation2D { dtype: DType::F32, strides: vec![1; 4], rates: vec![1; 4], padding: "VALID".into() }
}

#[test]
fn windows_give_their_largest_sum() {
    let op = DILATION2D.of(attrs());
    let out = run(op.clone(), vec![numbers(&[1, 4, 4, 2]), numbers(&[2, 2, 2])], &[DType::F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap()[..6], [16.0, 18.0, 18.0, 20.0, 20.0, 22.0]);
    let wrong = run(op, vec![numbers(&[1, 4, 4, 2]), numbers(&[2, 2, 3])], &[DType::F32]).unwrap_err();
    assert_eq!(wrong.code(), Code::InvalidArgument);
}

#[test]
fn gradients_go_to_the_largest() {
    let inputs = || vec![numbers(&[1, 4, 4, 2]), numbers(&[2, 2, 2]), numbers(&[1, 3, 3, 2])];
    let out = run(DILATION2D_BACKPROP_INPUT.of(attrs()), inputs(), &[DType::F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap()[8..16], [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    let out = run(DILATION2D_BACKPROP_FILTER.of(attrs()), inputs(), &[DType::F32]).unwrap();
    assert_eq!(out[0].slice::<f32>().unwrap(), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 72.0, 81.0]);
}
