//! `Cumsum`, `Cumprod`, `CumulativeLogsumexp`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_reduce::types::*;

fn sum(x: Tensor, axis: i32, exclusive: bool, reverse: bool) -> Result<Vec<i32>> {
    let op = CUMSUM.of(Running { exclusive, reverse, dtype: I32, index: I32 });
    Ok(run(op, vec![x, Tensor::scalar(axis)], &[I32])?[0].slice()?.to_vec())
}

#[test]
fn directions_and_axes() {
    let x = || Tensor::from_vec(Shape::new([2, 3]).unwrap(), vec![1, 2, 3, 10, 20, 30]).unwrap();
    assert_eq!(sum(x(), 1, false, false).unwrap(), [1, 3, 6, 10, 30, 60]);
    assert_eq!(sum(x(), -1, true, false).unwrap(), [0, 1, 3, 0, 10, 30]);
    assert_eq!(sum(x(), 1, false, true).unwrap(), [6, 5, 3, 60, 50, 30]);
    assert_eq!(sum(x(), 1, true, true).unwrap(), [5, 3, 0, 50, 30, 0]);
    assert_eq!(sum(x(), 0, false, false).unwrap(), [1, 2, 3, 11, 22, 33]);
    assert_eq!(sum(x(), -2, true, true).unwrap(), [10, 20, 30, 0, 0, 0]);
    assert_eq!(sum(x(), 2, false, false).unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(sum(Tensor::scalar(1), 0, false, false).unwrap_err().code(), Code::InvalidArgument);
    assert!(sum(Tensor::zeros(I32, Shape::new([0, 3]).unwrap()), 0, false, false).unwrap().is_empty());
}

#[test]
fn log_sum_exp() {
    let op = CUMULATIVE_LOGSUMEXP.of(Running { exclusive: false, reverse: false, dtype: F32, index: I32 });
    let x = Tensor::vector(vec![f32::NEG_INFINITY, 1.0, 2.0, 1000.0]);
    let out = run(op, vec![x, Tensor::scalar(0)], &[F32]).unwrap();
    let out = out[0].slice::<f32>().unwrap();
    assert_eq!((out[0], out[1], out[3]), (f32::NEG_INFINITY, 1.0, 1000.0));
    assert!((out[2] - 2.313_261_7).abs() < 1e-6);
}
