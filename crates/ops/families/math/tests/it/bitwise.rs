//! Bitwise operations on integers.

use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn shifts_are_clamped() {
    let shift = |x: Vec<i8>, y: Vec<i8>| {
        let inputs = || vec![Tensor::vector(x.clone()), Tensor::vector(y.clone())];
        let left = run(LEFT_SHIFT.of(Elementwise { dtype: DType::I8 }), inputs(), &[DType::I8]).unwrap().remove(0);
        let right = run(RIGHT_SHIFT.of(Elementwise { dtype: DType::I8 }), inputs(), &[DType::I8]).unwrap().remove(0);
        (left.slice::<i8>().unwrap().to_vec(), right.slice::<i8>().unwrap().to_vec())
    };
    assert_eq!(shift(vec![1, 1, -100, 5], vec![3, 100, 100, -3]), (vec![8, -128, 0, 5], vec![0, 0, -1, 5]));
}
