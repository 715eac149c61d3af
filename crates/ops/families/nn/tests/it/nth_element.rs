//! `NthElement`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_nn::types::*;

#[test]
fn places() {
    let at = |n: i32, reverse: bool| {
        let x = Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![3f32, 1., 2., 9., 9., 7.]).unwrap();
        run(NTH_ELEMENT.of(NthElement { reverse, dtype: F32 }), vec![x, Tensor::scalar(n)], &[F32])
    };
    assert_eq!(at(1, false).unwrap()[0], Tensor::vector(vec![2f32, 9.]));
    assert_eq!(at(0, true).unwrap()[0], Tensor::vector(vec![3f32, 9.]));
    assert_eq!(at(3, false).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(at(-1, false).unwrap_err().code(), Code::InvalidArgument);
}
