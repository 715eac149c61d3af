//! `TopK` and `TopKV2`.

use levada_ops_core::prelude::DType::{F32, I16, I32};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_nn::types::*;

fn top(x: &[f32], k: i32, sorted: bool) -> Result<(Vec<f32>, Vec<i32>)> {
    let op = TOP_K.called("TopKV2", TopK { k: 0, sorted, dtype: F32, count: I32, index: I32 }).unwrap();
    let out = run(op, vec![Tensor::vector(x.to_vec()), Tensor::scalar(k)], &[F32, I32])?;
    Ok((out[0].slice()?.to_vec(), out[1].slice()?.to_vec()))
}

#[test]
fn sorted_with_the_first_of_equals_first() {
    let x = [1., 5., 2., 5., 3., 1.];
    assert_eq!(top(&x, 3, true).unwrap(), (vec![5., 5., 3.], vec![1, 3, 4]));
    assert_eq!(top(&x, 1, true).unwrap(), (vec![5.], vec![1]));
    assert_eq!(top(&x, 6, false).unwrap().1, [1, 3, 4, 2, 0, 5]);
    assert_eq!(top(&x, 0, true).unwrap(), (vec![], vec![]));
    for k in [-1, 7] {
        assert_eq!(top(&x, k, true).unwrap_err().code(), Code::InvalidArgument);
    }
}

#[test]
fn unsorted_in_the_order_of_the_heap() {
    let x = [1., 5., 2., 8., 3., 9., 4., 7.];
    assert_eq!(top(&x, 5, false).unwrap(), (vec![4., 5., 9., 8., 7.], vec![6, 1, 5, 3, 7]));
}

#[test]
fn rows_of_integers() {
    let x: Vec<i16> = (0..200 * 50).map(|i: i32| (i * 7919 % 1009) as i16).collect();
    let input = Tensor::from_vec(Shape::new([10, 20, 50]).unwrap(), x.clone()).unwrap();
    let op = TOP_K.of(TopK { k: 7, sorted: true, dtype: I16, count: I32, index: I32 });
    let out = run_on(2, op, vec![input], &[I16, I32]).unwrap();
    assert_eq!(out[0].shape().dims(), [10, 20, 7]);
    for (r, (row, found)) in x.chunks(50).zip(out[1].slice::<i32>().unwrap().chunks(7)).enumerate() {
        let mut order: Vec<i32> = (0..50).collect();
        order.sort_by_key(|&i| -row[i as usize]);
        assert_eq!(order[..7], *found, "row {r}");
    }
}

#[test]
fn every_dtype_is_ordered() {
    fn check<T: Element>(descending: &[T]) {
        let n = descending.len();
        // From the outside to the inside.
        let order: Vec<usize> = (0..n).map(|i| if i % 2 == 0 { i / 2 } else { n - 1 - i / 2 }).collect();
        let x: Vec<T> = order.iter().map(|&i| descending[i].clone()).collect();
        let op = TOP_K.of(TopK { k: n as i64, sorted: true, dtype: T::DTYPE, count: I32, index: I32 });
        let found = run(op, vec![Tensor::vector(x)], &[T::DTYPE, I32]).unwrap();
        let found: Vec<usize> = found[1].slice::<i32>().unwrap().iter().map(|&i| order[i as usize]).collect();
        assert_eq!(found, (0..n).collect::<Vec<_>>(), "{}", T::DTYPE);
    }
    check(&[f64::NAN, f64::INFINITY, f64::MAX, 1.0, f64::MIN_POSITIVE, 0.0, -1e-300, -1.0, f64::NEG_INFINITY]);
    check(&[f16::NAN, f16::INFINITY, f16::ONE, f16::ZERO, f16::NEG_ONE, f16::NEG_INFINITY]);
    check(&[i64::MAX, 1 << 60, (1 << 60) - 1, 1, 0, -1, i64::MIN]);
    check(&[u64::MAX, u64::MAX - 1, 1 << 63, 1, 0]);
    check(&[i8::MAX, 1, 0, -1, i8::MIN]);
}

#[test]
fn zeros_of_either_sign_are_equal() {
    assert_eq!(top(&[-0.0, 0.0, -0.0], 3, true).unwrap().1, [0, 1, 2]);
}
