//! `Bincount`, `DenseBincount`, `RaggedBincount`, `SparseBincount`.

use levada_ops_core::prelude::DType::I32;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_reduce::types::*;

fn dense(values: Tensor, size: i32, weights: Tensor, binary_output: bool) -> Result<Tensor> {
    let op = DENSE_BINCOUNT.of(Counts { index: I32, dtype: weights.dtype(), binary_output });
    let dtype = weights.dtype();
    Ok(run(op, vec![values, Tensor::scalar(size), weights], &[dtype])?.remove(0))
}

#[test]
fn counts() {
    let none = || Tensor::vector::<f32>(vec![]);
    let x = || Tensor::vector(vec![1, 1, 7, 3]);
    assert_eq!(dense(x(), 5, none(), false).unwrap(), Tensor::vector(vec![0f32, 2., 0., 1., 0.]));
    assert_eq!(dense(x(), 5, none(), true).unwrap(), Tensor::vector(vec![0f32, 1., 0., 1., 0.]));
    let weights = Tensor::vector(vec![1f32, 2., 3., 0.5]);
    assert_eq!(dense(x(), 5, weights, false).unwrap(), Tensor::vector(vec![0f32, 3., 0., 0.5, 0.]));
    let rows = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![1, 1, 2, 9]).unwrap();
    let out = dense(rows, 3, none(), false).unwrap();
    assert_eq!(out, Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![0f32, 2., 0., 0., 0., 1.]).unwrap());
    for wrong in [
        dense(Tensor::vector(vec![-1]), 5, none(), false),
        dense(x(), -1, none(), false),
        dense(x(), 5, Tensor::vector(vec![1f32]), false),
    ] {
        assert_eq!(wrong.unwrap_err().code(), Code::InvalidArgument);
    }
}

#[test]
fn ragged_rows() {
    let ragged = |splits: &[i64]| {
        let op = RAGGED_BINCOUNT.of(Counts { index: I32, dtype: I32, binary_output: false });
        let values = Tensor::vector(vec![1, 1, 2]);
        run(op, vec![Tensor::vector(splits.to_vec()), values, Tensor::scalar(3), Tensor::vector::<i32>(vec![])], &[I32])
    };
    let out = ragged(&[0, 2, 2, 3]).unwrap();
    assert_eq!(out[0].slice::<i32>().unwrap(), [0, 2, 0, 0, 0, 0, 0, 0, 1]);
    for splits in [&[][..], &[1, 3], &[0, 2], &[0, 9], &[0, 2, 1, 3]] {
        assert_eq!(ragged(splits).unwrap_err().code(), Code::InvalidArgument);
    }
}

#[test]
fn sparse_rows() {
    let sparse = |at: [i64; 4]| {
        let op = SPARSE_BINCOUNT.of(Counts { index: I32, dtype: I32, binary_output: false });
        let indices = Tensor::from_vec(Shape::new([2, 2]).unwrap(), at.to_vec()).unwrap();
        let (values, dense) = (Tensor::vector(vec![1, 1]), Tensor::vector(vec![3i64, 2]));
        run(op, vec![indices, values, dense, Tensor::scalar(2), Tensor::vector::<i32>(vec![])], &[I32])
    };
    assert_eq!(sparse([0, 1, 2, 0]).unwrap()[0].slice::<i32>().unwrap(), [0, 1, 0, 0, 0, 1]);
    assert_eq!(sparse([0, 1, 3, 0]).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(sparse([0, 1, -1, 0]).unwrap_err().code(), Code::InvalidArgument);
}
