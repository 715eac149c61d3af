//! `Select` and `SelectV2`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

fn table(values: [i32; 4]) -> Tensor {
    Tensor::from_vec(Shape::new([2, 2]).unwrap(), values.to_vec()).unwrap()
}

#[test]
fn rows_or_elements() {
    let select = |condition: Tensor| {
        let inputs = vec![condition, table([1, 2, 3, 4]), table([5, 6, 7, 8])];
        Ok::<_, Error>(run(SELECT.of(Selection { dtype: DType::I32 }), inputs, &[DType::I32])?.remove(0))
    };
    assert_eq!(select(Tensor::vector(vec![true, false])).unwrap(), table([1, 2, 7, 8]));
    assert_eq!(select(Tensor::scalar(false)).unwrap(), table([5, 6, 7, 8]));
    let each = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![true, false, false, true]).unwrap();
    assert_eq!(select(each).unwrap(), table([1, 6, 7, 4]));
    assert_eq!(select(Tensor::vector(vec![true])).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn three_shapes_broadcast() {
    let condition = Tensor::from_vec(Shape::new([2, 1]).unwrap(), vec![true, false]).unwrap();
    let words = Tensor::vector(vec![Bytes::from("a"), Bytes::from("b")]);
    let out =
        run(SELECT_V2.of(Selection { dtype: DType::Str }), vec![condition, words, Tensor::string("c")], &[DType::Str]);
    let expected = ["a", "b", "c", "c"].map(Bytes::from).to_vec();
    assert_eq!(out.unwrap()[0], Tensor::from_vec(Shape::new([2, 2]).unwrap(), expected).unwrap());
}
