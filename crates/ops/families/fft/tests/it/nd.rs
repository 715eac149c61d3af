//! `FFTND`.

use levada_ops_core::prelude::{Complex64, DType, Shape, Tensor};
use levada_ops_core::testing::run_on;
use levada_ops_fft::types::*;

#[test]
fn every_axis_gives_what_the_sum_says() {
    let (a, n, inner) = (3, 5, 37);
    let value = |i: usize| Complex64::new((i * i % 11) as f64, (i % 7) as f64 - 3.0);
    for threads in [1, 2] {
        let data = (0..a * n * inner).map(value).collect();
        let data = Tensor::from_vec(Shape::new([a, n, inner]).unwrap(), data).unwrap();
        let op = FFT_ND.of(FourierNd { dtype: DType::C128, inverse: false });
        let inputs = vec![data, Tensor::vector(vec![n as i32]), Tensor::vector(vec![1])];
        let out = run_on(threads, op, inputs, &[DType::C128]).unwrap();
        for (at, found) in out[0].slice::<Complex64>().unwrap().iter().enumerate() {
            let (block, k, c) = (at / (n * inner), at / inner % n, at % inner);
            let sum: Complex64 = (0..n)
                .map(|j| {
                    let angle = -std::f64::consts::TAU * (j * k) as f64 / n as f64;
                    value((block * n + j) * inner + c) * Complex64::from_polar(1.0, angle)
                })
                .sum();
            assert!((sum - found).norm() < 1e-10);
        }
    }
}
