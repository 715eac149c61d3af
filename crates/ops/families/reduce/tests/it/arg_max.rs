//! `ArgMax` and `ArgMin`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_reduce::types::*;

fn find(x: Tensor, axis: i32, least: bool) -> Result<Vec<i64>> {
    let attrs = Search { dtype: x.dtype(), index: I32, output: I64 };
    let op = if least { ARG_MIN.of(attrs) } else { ARG_MAX.of(attrs) };
    let out = run(op, vec![x, Tensor::scalar(axis)], &[I64])?;
    Ok(out[0].slice::<i64>()?.to_vec())
}

#[test]
fn the_first_of_equals_and_never_nan() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let row = |x: &[f32]| Tensor::vector(x.to_vec());
    assert_eq!(find(row(&[nan, 1.0, nan, 2.0, 2.0]), 0, false).unwrap(), [3]);
    assert_eq!(find(row(&[nan, 1.0, nan, 2.0, 1.0]), -1, true).unwrap(), [1]);
    assert_eq!(find(row(&[nan, nan]), 0, false).unwrap(), [0]);
    assert_eq!(find(row(&[-inf, -inf, f32::MIN, -inf]), 0, false).unwrap(), [0]);
    assert_eq!(find(row(&[inf, nan, 5.0]), 0, true).unwrap(), [2]);
    assert_eq!(find(Tensor::vector(vec![true, true, false, false]), 0, true).unwrap(), [2]);
}

#[test]
fn axes() {
    let x: Vec<i32> = (0..2 * 100 * 7).map(|i| i * 37 % 101).collect();
    let t = Tensor::from_vec(Shape::new([2, 100, 7]).unwrap(), x.clone()).unwrap();
    for (axis, outer, n, inner) in [(0, 1, 2, 700), (1, 2, 100, 7), (2, 200, 7, 1)] {
        let out = find(t.clone(), axis, false).unwrap();
        for o in 0..outer {
            for j in 0..inner {
                let at = |i: usize| x[(o * n + i) * inner + j];
                let best = (0..n).rev().max_by_key(|&i| at(i)).unwrap();
                assert_eq!(out[o * inner + j], best as i64);
            }
        }
    }
}

#[test]
fn faults() {
    for (dims, axis) in [(&[2, 0][..], 1), (&[2, 2], 2), (&[2, 2], -3), (&[], 0)] {
        let t = Tensor::zeros(F32, Shape::new(dims.iter().copied()).unwrap());
        assert_eq!(find(t, axis, false).unwrap_err().code(), Code::InvalidArgument);
    }
    assert!(find(Tensor::zeros(F32, Shape::new([0, 2]).unwrap()), 1, false).unwrap().is_empty());
}
