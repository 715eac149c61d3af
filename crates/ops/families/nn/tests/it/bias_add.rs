//! `BiasAdd` and `BiasAddV1`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::types::*;

#[test]
fn biases_go_to_channels() {
    let value = Tensor::from_vec(Shape::new([2, 3, 2]).unwrap(), (0..12).collect::<Vec<i32>>()).unwrap();
    let op = |format: &'static str| BIAS_ADD.of(BiasAdd { dtype: DType::I32, data_format: format.into() });
    let last = run(op("NHWC"), vec![value.clone(), Tensor::vector(vec![10, 20])], &[DType::I32]).unwrap();
    assert_eq!(last[0].slice::<i32>().unwrap(), [10, 21, 12, 23, 14, 25, 16, 27, 18, 29, 20, 31]);
    let first = run(op("NCHW"), vec![value.clone(), Tensor::vector(vec![10, 20, 30])], &[DType::I32]).unwrap();
    assert_eq!(first[0].slice::<i32>().unwrap(), [10, 11, 22, 23, 34, 35, 16, 17, 28, 29, 40, 41]);
    let halves = |values: &[f32]| Tensor::vector(values.iter().map(|v| f16::from_f32(*v)).collect::<Vec<f16>>());
    for (format, expected) in [("NHWC", [1.0, 1.5, 3.0, 3.5]), ("NCHW", [1.0, 2.0, 2.5, 3.5])] {
        let images = halves(&[0.0, 1.0, 2.0, 3.0]).reshaped(Shape::new([1, 2, 2]).unwrap()).unwrap();
        let op = BIAS_ADD.of(BiasAdd { dtype: DType::F16, data_format: format.into() });
        let out = run(op, vec![images, halves(&[1.0, 0.5])], &[DType::F16]).unwrap();
        assert_eq!(out[0].slice::<f16>().unwrap(), halves(&expected).slice::<f16>().unwrap());
    }
    for wrong in [Tensor::vector(vec![1]), Tensor::scalar(1)] {
        let error = run(op("NHWC"), vec![value.clone(), wrong], &[DType::I32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
}
