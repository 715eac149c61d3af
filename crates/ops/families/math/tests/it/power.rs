//! `Pow`.

use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn integers() {
    let pow = |x: Vec<i32>, y: Vec<i32>| {
        let z =
            run(POW.of(Elementwise { dtype: DType::I32 }), vec![Tensor::vector(x), Tensor::vector(y)], &[DType::I32])?;
        Ok::<_, Error>(z[0].slice::<i32>()?.to_vec())
    };
    assert_eq!(pow(vec![-2, 0, 3, 2, 2], vec![3, 0, 2, 31, 33]).unwrap(), [-8, 1, 9, i32::MIN, 0]);
    assert_eq!(pow(vec![1], vec![-1]).unwrap_err().code(), Code::InvalidArgument);
}
