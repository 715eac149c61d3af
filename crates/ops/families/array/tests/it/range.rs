//! `Range`.

use levada_ops_array::types::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;

#[test]
fn counts_over_the_whole_width_of_the_type() {
    let inputs = [i64::MIN, i64::MAX, 1 << 62].map(Tensor::scalar).to_vec();
    let out = run(RANGE.of(Range { dtype: DType::I64 }), inputs, &[DType::I64]).unwrap();
    assert_eq!(out[0].slice::<i64>().unwrap(), [i64::MIN, -1 << 62, 0, 1 << 62]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let range = |a: f32, b: f32, c: f32| {
        run(RANGE.of(Range { dtype: DType::F32 }), [a, b, c].map(Tensor::scalar).to_vec(), &[DType::F32])
            .map_err(|e| e.code())
    };
    assert_eq!(range(0.0, 1e30, 0.1), Err(Code::InvalidArgument));
    assert_eq!(range(0.0, f32::NAN, 0.1), Err(Code::InvalidArgument));
    assert_eq!(range(0.0, 1e17, 0.1), Err(Code::ResourceExhausted));
    assert_eq!(range(0.0, 1.0, f32::INFINITY).unwrap()[0].num_elements(), 0);
}
