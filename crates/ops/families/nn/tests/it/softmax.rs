//! `Softmax` and `LogSoftmax` along the last axis.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_nn::types::*;

#[test]
fn rows_sum_to_one() {
    for classes in [1, 3, 16, 100, 5000] {
        let x: Vec<f32> = (0..3 * classes).map(|i| (i % 13) as f32 * 3.0 - 50.0).collect();
        let input = Tensor::from_vec(Shape::new([3, classes]).unwrap(), x.clone()).unwrap();
        let soft = run_on(2, SOFTMAX.of(Softmax { dtype: DType::F32 }), vec![input.clone()], &[DType::F32]).unwrap();
        let log = run(LOG_SOFTMAX.of(Softmax { dtype: DType::F32 }), vec![input], &[DType::F32]).unwrap();
        let (soft, log) = (soft[0].slice::<f32>().unwrap(), log[0].slice::<f32>().unwrap());
        for (r, row) in x.chunks(classes).enumerate() {
            let max = row.iter().copied().fold(f32::MIN, f32::max);
            let sum: f64 = row.iter().map(|&v| f64::from(v - max).exp()).sum();
            for (c, &v) in row.iter().enumerate() {
                let expected = f64::from(v - max) - sum.ln();
                assert!((f64::from(log[r * classes + c]) - expected).abs() < 1e-4);
                assert!((f64::from(soft[r * classes + c]) / expected.exp() - 1.0).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn short_rows_give_the_bits_of_rows_one_by_one() {
    for classes in 1..=20 {
        let mut x: Vec<f32> = (0..101 * classes).map(|i| ((i * 37) % 101) as f32 * 0.3 - 12.0).collect();
        x[0] = f32::NAN;
        x[3 * classes] = f32::INFINITY;
        x[7 * classes..8 * classes].fill(f32::NEG_INFINITY);
        for def in [&SOFTMAX, &LOG_SOFTMAX] {
            let soft = |x: &[f32]| {
                let x = Tensor::from_vec(Shape::new([x.len() / classes, classes]).unwrap(), x.to_vec()).unwrap();
                run(def.of(Softmax { dtype: DType::F32 }), vec![x], &[DType::F32]).unwrap().remove(0)
            };
            let found = soft(&x);
            let expected: Vec<f32> =
                x.chunks_exact(classes).flat_map(|row| soft(row).slice::<f32>().unwrap().to_vec()).collect();
            let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            assert!(found.slice::<f32>().unwrap().iter().zip(&expected).all(same), "{classes} classes");
        }
    }
}

#[test]
fn halves_and_special_values() {
    let x = Tensor::vector(vec![f16::from_f32(1.0), f16::NEG_INFINITY]);
    let out = run(SOFTMAX.of(Softmax { dtype: DType::F16 }), vec![x], &[DType::F16]).unwrap();
    assert_eq!(out[0].slice::<f16>().unwrap(), [f16::ONE, f16::ZERO]);
    let x = Tensor::vector(vec![f64::NEG_INFINITY; 2]);
    let out = run(SOFTMAX.of(Softmax { dtype: DType::F64 }), vec![x], &[DType::F64]).unwrap();
    assert!(out[0].slice::<f64>().unwrap().iter().all(|v| v.is_nan()));
    let empty = Tensor::zeros(DType::F32, Shape::new([2, 0]).unwrap());
    assert_eq!(
        run(SOFTMAX.of(Softmax { dtype: DType::F32 }), vec![empty], &[DType::F32]).unwrap()[0].num_elements(),
        0
    );
    let error = run(SOFTMAX.of(Softmax { dtype: DType::F32 }), vec![Tensor::scalar(1f32)], &[DType::F32]).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
}
