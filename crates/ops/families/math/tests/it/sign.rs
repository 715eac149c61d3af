//! `Abs`, `Neg` and `Sign`.

use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn lowest_integer_wraps() {
    let x = Tensor::vector(vec![i8::MIN, -1, 0, 5]);
    assert_eq!(
        run(ABS.of(Elementwise { dtype: DType::I8 }), vec![x.clone()], &[DType::I8]).unwrap()[0].slice::<i8>().unwrap(),
        [-128, 1, 0, 5]
    );
    assert_eq!(
        run(NEG.of(Elementwise { dtype: DType::I8 }), vec![x], &[DType::I8]).unwrap()[0].slice::<i8>().unwrap(),
        [-128, 1, 0, -5]
    );
}
