//! `L2Loss`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_reduce::types::*;

#[test]
fn half_the_sum_of_squares() {
    let loss =
        |t: Tensor| run(L2_LOSS.of(L2Loss { dtype: t.dtype() }), vec![t.clone()], &[t.dtype()]).unwrap().remove(0);
    assert_eq!(loss(Tensor::vector(vec![3f32, -4.0])), Tensor::scalar(12.5f32));
    assert_eq!(loss(Tensor::scalar(4f64)), Tensor::scalar(8f64));
    assert_eq!(loss(Tensor::vector::<f32>(vec![])), Tensor::scalar(0f32));
    assert_eq!(loss(Tensor::vector(vec![f16::ONE; 10_000])), Tensor::scalar(f16::from_f32(5000.0)));
}
