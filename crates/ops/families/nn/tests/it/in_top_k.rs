//! `InTopK` and `InTopKV2`.

use levada_ops_core::prelude::DType::{Bool, I32};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::types::*;

#[test]
fn rows() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let cases: &[([f32; 4], i32, i64, bool)] = &[
        ([1., 2., 3., 3.], 2, 1, true),
        ([1., 3., 3., 3.], 3, 2, true),
        ([3., 2., 1., 0.], 1, 1, false),
        ([1., nan, 2., 3.], 0, 4, false),
        ([1., inf, 2., 3.], 0, 4, false),
        ([1., 2., 3., 4.], 7, 4, false),
        ([1., 2., 3., 4.], -1, 4, false),
        ([1., 2., 3., 4.], 3, 0, false),
    ];
    for &(row, target, k, expected) in cases {
        let row = Tensor::from_vec(Shape::new([1, 4]).unwrap(), row.to_vec()).unwrap();
        let out = run(IN_TOP_K.of(InTopK { k, index: I32 }), vec![row, Tensor::vector(vec![target])], &[Bool]).unwrap();
        assert_eq!(out[0].slice::<bool>().unwrap(), [expected], "{target} {k}");
    }
    let wrong = vec![Tensor::vector(vec![1f32]), Tensor::vector(vec![0i32])];
    assert_eq!(
        run(IN_TOP_K.of(InTopK { k: 1, index: I32 }), wrong, &[Bool]).unwrap_err().code(),
        Code::InvalidArgument
    );
}
