//! `AvgPool` and `AvgPool3D`.

use crate::pooling::{of_images, of_volumes};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::PoolAttrs;
use levada_ops_nn::types::*;

#[test]
fn padding_does_not_count() {
    for (padding, expected) in [("SAME", vec![2.0, 3.5, 6.5, 8.0]), ("VALID", vec![2.0])] {
        let op = AVG_POOL.of(of_images([2, 2], [2, 2], padding));
        let x = Tensor::from_vec(Shape::new([1, 3, 3, 1]).unwrap(), (0..9).map(|i| i as f32).collect()).unwrap();
        assert_eq!(run(op, vec![x], &[DType::F32]).unwrap()[0].slice::<f32>().unwrap(), expected);
    }
}

#[test]
fn means_of_small_and_large_windows_equal_the_naive_loop() {
    let [h, w, c] = [12, 13, 45];
    let x: Vec<f32> = (0..h * w * c).map(|i| ((i * 29) % 31) as f32).collect();
    let input = Tensor::from_vec(Shape::new([1, h, w, c]).unwrap(), x.clone()).unwrap();
    for size in [1, 3, 8, 9] {
        let op = AVG_POOL.of(of_images([size as i64; 2], [1, 1], "VALID"));
        let found = run(op, vec![input.clone()], &[DType::F32]).unwrap();
        let mut found = found[0].slice::<f32>().unwrap().iter();
        for (top, left) in (0..=h - size).flat_map(|top| (0..=w - size).map(move |left| (top, left))) {
            for channel in 0..c {
                let under = (top..top + size).flat_map(|i| (left..left + size).map(move |j| (i * w + j) * c + channel));
                // Integers, so the sum is exact.
                let mean = under.map(|at| x[at]).sum::<f32>() / (size * size) as f32;
                assert_eq!(found.next(), Some(&mean), "{size} at {top}, {left}");
            }
        }
    }
}

#[test]
fn halves_are_added_in_f32() {
    let op = AVG_POOL_3D.of(PoolAttrs { dtype: DType::F16, ..of_volumes([8, 16, 32], "VALID") });
    let x = Tensor::from_vec(Shape::new([1, 8, 16, 32, 1]).unwrap(), vec![f16::from_f32(3.0); 4096]).unwrap();
    assert_eq!(run(op, vec![x], &[DType::F16]).unwrap()[0].slice::<f16>().unwrap(), [f16::from_f32(3.0)]);
}
