//! `LRN` and `LRNGrad`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::types::*;

fn image(values: &[f32]) -> Tensor {
    Tensor::from_vec(Shape::new([1, 1, 1, values.len()]).unwrap(), values.to_vec()).unwrap()
}

fn lrn(x: &[f32]) -> Vec<f32> {
    let op = LRN.of(Lrn { depth_radius: 1, bias: 2.0, alpha: 0.5, beta: 0.75, dtype: DType::F32 });
    run(op, vec![image(x)], &[DType::F32]).unwrap()[0].slice::<f32>().unwrap().to_vec()
}

#[test]
fn neighbours_normalize() {
    let expected = [0.0, 0.32366118, 0.38490018, 0.36644453, 0.53831196];
    let got = lrn(&[0.0, 1.0, 2.0, 3.0, 4.0]);
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{got:?}");
    let op = LRN.of(Lrn { depth_radius: -1, bias: 1.0, alpha: 1.0, beta: 0.5, dtype: DType::F32 });
    assert_eq!(run(op, vec![image(&[1.0])], &[DType::F32]).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let (x, dy) = ([0.5, -1.0, 2.0, 0.25], [1.0, -2.0, 0.5, 3.0]);
    let op = LRN_GRAD.of(Lrn { depth_radius: 1, bias: 2.0, alpha: 0.5, beta: 0.75, dtype: DType::F32 });
    let got = run(op, vec![image(&dy), image(&x), image(&lrn(&x))], &[DType::F32]).unwrap();
    for (i, g) in got[0].slice::<f32>().unwrap().iter().enumerate() {
        let loss = |by: f32| -> f32 {
            let mut x = x;
            x[i] += by;
            lrn(&x).iter().zip(dy).map(|(a, b)| a * b).sum()
        };
        let expected = (loss(0.01) - loss(-0.01)) / 0.02;
        assert!((g - expected).abs() < 1e-3, "{g} {expected}");
    }
}
