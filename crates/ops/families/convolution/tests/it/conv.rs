//! `Conv`.

use levada_ops_convolution::types::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;

#[test]
fn batch_axes_may_be_any_number() {
    let numbers = |dims: &[usize]| {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        let values = (0..shape.num_elements()).map(|i| (i % 7) as f32).collect();
        Tensor::from_vec(shape, values).unwrap()
    };
    let op = |batch_dims: i64| Conv {
        dtype: DType::F32,
        strides: vec![1; 4],
        padding: "VALID".into(),
        explicit_paddings: Vec::new(),
        data_format: "CHANNELS_LAST".into(),
        dilations: Vec::new(),
        batch_dims,
        groups: 1,
    };
    let filter = numbers(&[2, 2, 2, 3]);
    let one = run(CONV.of(op(1)), vec![numbers(&[4, 5, 5, 2]), filter.clone()], &[DType::F32]).unwrap();
    let two = run(CONV.of(op(2)), vec![numbers(&[2, 2, 5, 5, 2]), filter.clone()], &[DType::F32]).unwrap();
    assert_eq!(two[0].shape().dims(), [2, 2, 4, 4, 3]);
    assert_eq!(one[0].slice::<f32>().unwrap(), two[0].slice::<f32>().unwrap());
    let none = run(CONV.of(op(0)), vec![numbers(&[5, 5, 2]), filter.clone()], &[DType::F32]).unwrap();
    assert_eq!(none[0].slice::<f32>().unwrap(), one[0].row(0).unwrap().slice::<f32>().unwrap());
    for wrong in [op(-1), op(3), Conv { groups: 2, ..op(1) }, Conv { groups: -1, ..op(1) }] {
        let error = run(CONV.of(wrong), vec![numbers(&[4, 5, 5, 2]), filter.clone()], &[DType::F32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
}
