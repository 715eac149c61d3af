//! `MaxPoolWithArgmax` and its gradient.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::types::*;

#[test]
fn places_lead_back() {
    let values: Vec<f32> = (0..32).map(|i| ((i * 13) % 32) as f32).collect();
    let x = Tensor::from_vec(Shape::new([2, 2, 4, 2]).unwrap(), values.clone()).unwrap();
    for include_batch_in_index in [false, true] {
        for index in [DType::I32, DType::I64] {
            let dtype = DType::F32;
            let attrs = MaxPoolWithArgmax {
                ksize: vec![1, 2, 2, 1],
                strides: vec![1, 2, 2, 1],
                index,
                padding: "VALID".into(),
                include_batch_in_index,
                dtype,
            };
            let pool = MAX_POOL_WITH_ARGMAX.of(attrs.clone());
            let out = run(pool, vec![x.clone()], &[dtype, index]).unwrap();
            let places = out[1].to_i64s().unwrap();
            for (i, (&place, v)) in places.iter().zip(out[0].slice::<f32>().unwrap()).enumerate() {
                let start = if include_batch_in_index { 0 } else { i / 4 * 16 };
                assert_eq!(values[start + place as usize], *v);
            }
            let grad = MAX_POOL_GRAD_WITH_ARGMAX.of(attrs);
            let back = run(grad.clone(), vec![x.clone(), out[0].clone(), out[1].clone()], &[dtype]).unwrap();
            let back = back[0].slice::<f32>().unwrap();
            assert!(back.iter().zip(&values).all(|(b, v)| *b == 0.0 || b == v));
            assert_eq!(back.iter().filter(|b| **b != 0.0).count(), 8);
            let mut wrong = Tensor::zeros(index, out[1].shape().clone());
            match index {
                DType::I32 => wrong.slice_mut::<i32>().unwrap()[3] = 99,
                _ => wrong.slice_mut::<i64>().unwrap()[3] = -1,
            }
            let error = run(grad, vec![x.clone(), out[0].clone(), wrong], &[dtype]).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument);
        }
    }
}
