//! `Sum`, `Prod`, `Mean`, `Min`, `Max`, `Any`, `All`, `EuclideanNorm`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_reduce::types::*;

macro_rules! reduce {
    ($op:ident, $dtype:expr, $x:expr, $axes:expr) => {{
        let op = $op.of(Reduction { keep_dims: false, dtype: $dtype, index: I32 });
        run(op, vec![$x, Tensor::vector::<i32>($axes)], &[$dtype]).unwrap().remove(0)
    }};
}

#[test]
fn long_sums_stay_accurate() {
    let x = Tensor::vector(vec![0.1f32; 10_000_000]);
    let sum: f32 = reduce!(SUM, F32, x.clone(), vec![0]).item().unwrap();
    assert!((sum - 1e6).abs() < 1.0, "{sum}");
    let columns = x.reshaped(Shape::new([2_000_000, 5]).unwrap()).unwrap();
    for sum in reduce!(SUM, F32, columns, vec![0]).slice::<f32>().unwrap() {
        assert!((sum - 2e5).abs() < 0.2, "{sum}");
    }
    let half = Tensor::vector(vec![f16::ONE; 10_000]);
    assert_eq!(reduce!(SUM, F16, half, vec![0]).item::<f16>().unwrap(), f16::from_f32(1e4));
}

#[test]
fn nan_wins() {
    for n in [3, 17, 300, 5000] {
        for at in [0, n / 2, n - 1] {
            let mut x = vec![1f32; 2 * n];
            x[n + at] = f32::NAN;
            let rows = Tensor::from_vec(Shape::new([2, n]).unwrap(), x.clone()).unwrap();
            let out = reduce!(MAX, F32, rows.clone(), vec![1]);
            assert!(out.slice::<f32>().unwrap()[1].is_nan() && out.slice::<f32>().unwrap()[0] == 1.0);
            let out = reduce!(MIN, F32, rows, vec![0]);
            assert_eq!(out.slice::<f32>().unwrap().iter().filter(|x| x.is_nan()).count(), 1);
            let rows = Tensor::from_vec(Shape::new([n, 2]).unwrap(), x).unwrap();
            assert!(reduce!(MAX, F32, rows.clone(), vec![0]).slice::<f32>().unwrap()[(n + at) % 2].is_nan());
            assert!(reduce!(MIN, F32, rows, vec![0, 1]).item::<f32>().unwrap().is_nan());
        }
    }
}

#[test]
fn integers_wrap_and_round() {
    assert_eq!(reduce!(SUM, I8, Tensor::vector(vec![100i8, 100]), vec![0]).item::<i8>().unwrap(), -56);
    assert_eq!(reduce!(MEAN, I8, Tensor::vector(vec![100i8, 100]), vec![0]).item::<i8>().unwrap(), 100);
    assert_eq!(reduce!(MEAN, I32, Tensor::vector(vec![-3i32, -4]), vec![0]).item::<i32>().unwrap(), -3);
    assert_eq!(reduce!(EUCLIDEAN_NORM, I32, Tensor::vector(vec![3i32, 3]), vec![0]).item::<i32>().unwrap(), 4);
    let x = Tensor::vector(vec![100_000i32, 100_000]);
    assert_eq!(reduce!(EUCLIDEAN_NORM, I32, x, vec![0]).item::<i32>().unwrap(), i32::MIN);
}

#[test]
fn nothing_reduces_to_the_identity() {
    let x = || Tensor::zeros(F32, Shape::new([2, 0]).unwrap());
    assert_eq!(reduce!(SUM, F32, x(), vec![1]).slice::<f32>().unwrap(), [0.0; 2]);
    assert_eq!(reduce!(PROD, F32, x(), vec![1]).slice::<f32>().unwrap(), [1.0; 2]);
    assert_eq!(reduce!(MAX, F32, x(), vec![-1]).slice::<f32>().unwrap(), [f32::NEG_INFINITY; 2]);
    assert!(reduce!(MEAN, F32, x(), vec![1]).slice::<f32>().unwrap().iter().all(|m| m.is_nan()));
    assert_eq!(reduce!(SUM, F32, x(), vec![0]).shape().dims(), [0]);
    assert_eq!(reduce!(EUCLIDEAN_NORM, F32, Tensor::vector(vec![-3f32]), vec![]).slice::<f32>().unwrap(), [3.0]);
}
