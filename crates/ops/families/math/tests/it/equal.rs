//! `Equal`, `NotEqual` and `ApproximateEqual`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

#[test]
fn shapes_that_do_not_fit_are_unequal_where_asked() {
    let (x, y) = (Tensor::vector(vec![1i32, 2]), Tensor::vector(vec![1i32, 2, 3]));
    let equal = |strict| EQUAL.of(Equality { dtype: DType::I32, incompatible_shape_error: strict });
    let inputs = || vec![x.clone(), y.clone()];
    assert_eq!(run(equal(false), inputs(), &[DType::Bool]).unwrap()[0], Tensor::scalar(false));
    assert_eq!(run(equal(true), inputs(), &[DType::Bool]).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn strings_and_quantized_integers_compare() {
    let op = |dtype| NOT_EQUAL.of(Equality { dtype, incompatible_shape_error: true });
    let words = Tensor::vector(vec![Bytes::from("a"), Bytes::from("b")]);
    let z = run(op(DType::Str), vec![words, Tensor::string("b")], &[DType::Bool]).unwrap();
    assert_eq!(z[0], Tensor::vector(vec![true, false]));
    let q = |v: Vec<i8>| Tensor::vector(v).reinterpreted(DType::QI8).unwrap();
    let z = run(op(DType::QI8), vec![q(vec![1, 2]), q(vec![1, 3])], &[DType::Bool]).unwrap();
    assert_eq!(z[0], Tensor::vector(vec![false, true]));
}
