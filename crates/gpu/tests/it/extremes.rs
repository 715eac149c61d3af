//! Searches along an axis, and classes among the greatest.

use crate::testing::{agree, random, scaled, tensor};
use DType::*;
use levada_graph::{DType, Shape, Tensor};
use levada_ops::types::{ARG_MAX, ARG_MIN, IN_TOP_K, InTopK, Search};

#[test]
fn searches_agree() {
    for dtype in [F32, F16, BF16, F64, I32, U8, I8, I64, U64, Bool] {
        for (dims, axis) in [(&[7][..], 0), (&[3, 50, 4], 1), (&[3, 5, 70], -1), (&[1200], 0), (&[2, 300], 0)] {
            let x = scaled(dtype, dims, 1, 5.0);
            let axis = Tensor::scalar(axis);
            agree(ARG_MAX.of(Search { dtype, index: I32, output: I64 }), &[x.clone(), axis.clone()], 0.0);
            agree(ARG_MIN.of(Search { dtype, index: I32, output: I32 }), &[x, axis], 0.0);
        }
    }
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for values in [&[nan, 1., nan, 2., 2.][..], &[nan, nan], &[-inf, -inf, f32::MIN.into(), -inf], &[inf, nan, 5.]] {
        let x = tensor(F32, &[values.len()], values);
        agree(ARG_MAX.of(Search { dtype: F32, index: I32, output: I32 }), &[x.clone(), Tensor::scalar(0)], 0.0);
        agree(ARG_MIN.of(Search { dtype: F32, index: I32, output: I32 }), &[x, Tensor::scalar(0)], 0.0);
    }
    for (dims, axis) in [(&[2, 0][..], 1), (&[2, 2], 2), (&[0, 2], 1), (&[], 0)] {
        let op = ARG_MAX.of(Search { dtype: F32, index: I32, output: I64 });
        agree(op, &[random(F32, dims, 1), Tensor::scalar(axis)], 0.0);
    }
}

#[test]
fn classes_among_the_greatest() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let rows = vec![1., 2., 3., 3., 1., nan, 2., 3., 1., inf, 2., 3., 3., 2., 1., 0., 1., 2., 3., 4.];
    let x = Tensor::from_vec(Shape::new([5, 4]).unwrap(), rows).unwrap();
    let v2 = IN_TOP_K.called("InTopKV2", InTopK { k: 0, index: I64 }).unwrap();
    for k in [-1, 0, 1, 2, 4] {
        for targets in [vec![2, 0, 0, 1, 3], vec![3, 3, 3, 3, 7], vec![0, 1, 2, 3, -1]] {
            agree(IN_TOP_K.of(InTopK { k, index: I32 }), &[x.clone(), Tensor::vector(targets.clone())], 0.0);
            let targets = Tensor::vector(targets.into_iter().map(i64::from).collect::<Vec<_>>());
            agree(v2.clone(), &[x.clone(), targets, Tensor::scalar(k)], 0.0);
        }
    }
    agree(IN_TOP_K.of(InTopK { k: 1, index: I32 }), &[x, Tensor::vector(vec![1])], 0.0);
}
