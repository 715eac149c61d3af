//! `AddN` and `AccumulateNV2`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn sums_and_refuses_other_shapes() {
    let op = || ADD_N.of(AddN { n: 3, dtype: DType::I32 });
    let v = |x: i32| Tensor::vector(vec![x; 3000]);
    let shared = v(1);
    for inputs in [vec![v(1), v(2), v(3)], vec![shared.clone(), v(2), v(3)]] {
        assert_eq!(run(op(), inputs, &[DType::I32]).unwrap()[0], v(6));
    }
    assert_eq!(shared, v(1));
    let wrong = vec![v(1), Tensor::scalar(1i32), v(2)];
    assert_eq!(run(op(), wrong, &[DType::I32]).unwrap_err().code(), Code::InvalidArgument);
}
