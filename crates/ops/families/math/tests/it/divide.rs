//! Division ops.

use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn integers() {
    let divide = |x: Vec<i32>, y: Vec<i32>| {
        let z = run(
            FLOOR_DIV.of(Elementwise { dtype: DType::I32 }),
            vec![Tensor::vector(x), Tensor::vector(y)],
            &[DType::I32],
        )?;
        Ok::<_, Error>(z[0].slice::<i32>()?.to_vec())
    };
    assert_eq!(
        divide(vec![7, -7, 7, -7, i32::MIN, -6], vec![2, 2, -2, -2, -1, 3]).unwrap(),
        [3, -4, -4, 3, i32::MIN, -2]
    );
    assert_eq!(divide(vec![1, 1], vec![1, 0]).unwrap_err().code(), Code::InvalidArgument);
    assert!(divide(vec![], vec![0]).unwrap().is_empty());
}
