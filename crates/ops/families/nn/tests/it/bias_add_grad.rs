//! `BiasAddGrad`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;
use levada_ops_nn::types::*;

#[test]
fn channels_are_summed() {
    let value = Tensor::from_vec(Shape::new([2, 3, 2]).unwrap(), (0..12).collect::<Vec<i32>>()).unwrap();
    let op = |format: &'static str| BIAS_ADD_GRAD.of(BiasAdd { dtype: DType::I32, data_format: format.into() });
    let out = |format, value: &Tensor| run_on(2, op(format), vec![value.clone()], &[DType::I32]);
    assert_eq!(out("NHWC", &value).unwrap()[0].slice::<i32>().unwrap(), [30, 36]);
    assert_eq!(out("NCHW", &value).unwrap()[0].slice::<i32>().unwrap(), [14, 22, 30]);
    let empty = Tensor::zeros(DType::I32, Shape::new([0, 3]).unwrap());
    assert_eq!(out("NHWC", &empty).unwrap()[0].slice::<i32>().unwrap(), [0, 0, 0]);
    assert_eq!(out("NHWC", &Tensor::vector(vec![1])).unwrap_err().code(), Code::InvalidArgument);
    let tall = Tensor::from_vec(Shape::new([100_000, 2]).unwrap(), vec![1i32; 200_000]).unwrap();
    assert_eq!(out("NHWC", &tall).unwrap()[0].slice::<i32>().unwrap(), [100_000; 2]);
}
