//! Pooling.

use crate::testing::{Runner, agree, random, scaled};
use DType::*;
use levada_graph::{DType, Tensor};
use levada_ops::sizes::PoolAttrs;
use levada_ops::types::*;
use std::sync::Arc;

/// Images, windows, strides, padding.
type Case = ([usize; 4], [i64; 2], [i64; 2], &'static str);

const CASES: &[Case] = &[
    ([2, 6, 6, 3], [2, 2], [2, 2], "VALID"),
    ([2, 7, 5, 3], [3, 2], [2, 1], "SAME"),
    ([1, 5, 5, 2], [3, 3], [1, 1], "VALID"),
    ([1, 5, 5, 1], [5, 5], [1, 1], "SAME"),
    ([0, 5, 5, 1], [2, 2], [1, 1], "SAME"),
    ([1, 3, 3, 2], [1, 1], [2, 2], "SAME"),
    ([1, 2, 2, 2], [3, 3], [1, 1], "VALID"),
    ([1, 1, 2, 2], [4, 4], [1, 1], "VALID"),
];

/// Pooling of images of float32 by windows of one pixel.
fn images(padding: &'static str) -> PoolAttrs {
    PoolAttrs {
        dtype: F32,
        ksize: vec![1; 4],
        strides: vec![1; 4],
        padding: padding.into(),
        data_format: "NHWC".into(),
        explicit_paddings: Vec::new(),
        images: F32,
        spatial: 2,
        given: false,
    }
}

fn spread([h, w]: [i64; 2], format: &str) -> Vec<i64> {
    if format == "NHWC" { vec![1, h, w, 1] } else { vec![1, 1, h, w] }
}

fn check(dtype: DType, tolerance: f64, format: &'static str) {
    for &([n, h, w, c], ksize, strides, padding) in CASES {
        let dims = if format == "NHWC" { [n, h, w, c] } else { [n, c, h, w] };
        let (ksize, strides) = (spread(ksize, format), spread(strides, format));
        let attrs = PoolAttrs { dtype, ksize, strides, data_format: format.into(), ..images(padding) };
        // Few values, so that there are ties.
        let x = scaled(I32, &dims, 1, 4.0);
        let x = crate::testing::tensor(
            dtype,
            &dims,
            &x.slice::<i32>().unwrap().iter().map(|&v| f64::from(v) / 4.0).collect::<Vec<_>>(),
        );
        let max = MAX_POOL.of(attrs.clone());
        agree(max.clone(), std::slice::from_ref(&x), tolerance);
        agree(AVG_POOL.of(attrs.clone()), std::slice::from_ref(&x), tolerance);
        let y = Runner::cpu().run(&(Arc::new(max) as _), std::slice::from_ref(&x));
        let Ok(y) = y.map(|mut y| y.remove(0)) else { continue };
        let dy = random(dtype, y.shape(), 3);
        let sizes = Tensor::vector(dims.iter().map(|&d| d as i32).collect::<Vec<_>>());
        agree(AVG_POOL_GRAD.of(attrs.clone()), &[sizes, dy.clone()], tolerance);
        let given = [x.clone(), y.clone(), dy];
        agree(MAX_POOL_GRAD.of(attrs.clone()), &given, tolerance);
        agree(MAX_POOL_GRAD_GRAD.of(attrs), &[x, y, random(dtype, &dims, 4)], tolerance);
    }
}

#[test]
fn poolings_agree() {
    check(F32, 1e-5, "NHWC");
    check(F32, 1e-5, "NCHW");
    check(F16, 2e-3, "NHWC");
    check(BF16, 2e-2, "NHWC");
    check(F64, 1e-12, "NHWC");
}

#[test]
fn windows_as_inputs_and_over_channels() {
    let x = random(F32, &[2, 5, 6, 4], 1);
    let list = |values: [i32; 4]| Tensor::vector(values.to_vec());
    let attrs = |dtype| PoolAttrs { dtype, ksize: Vec::new(), strides: Vec::new(), given: true, ..images("SAME") };
    let op = MAX_POOL.of(attrs(F32));
    agree(op.clone(), &[x.clone(), list([1, 2, 3, 1]), list([1, 2, 1, 1])], 0.0);
    agree(op.clone(), &[x.clone(), list([1, 1, 1, 2]), list([1, 1, 1, 2])], 0.0);
    agree(op.clone(), &[x.clone(), list([1, 1, 1, 3]), list([1, 1, 1, 3])], 0.0);
    agree(op, &[x, list([1, 0, 1, 1]), list([1, 1, 1, 1])], 0.0);
    for dtype in [I32, U8, I64] {
        agree(
            MAX_POOL.of(attrs(dtype)),
            &[scaled(dtype, &[2, 5, 6, 4], 1, 100.0), list([1, 2, 3, 1]), list([1, 2, 1, 1])],
            0.0,
        );
    }
}

#[test]
fn volumes() {
    let op = |strides: [i64; 3]| {
        MAX_POOL_3D.of(PoolAttrs {
            ksize: vec![1, 2, 3, 2, 1],
            strides: vec![1, strides[0], strides[1], strides[2], 1],
            data_format: "NDHWC".into(),
            spatial: 3,
            ..images("SAME")
        })
    };
    let x = random(F32, &[2, 3, 4, 5, 2], 1);
    agree(op([1, 2, 2]), std::slice::from_ref(&x), 0.0);
    agree(op([2, 1, 3]), &[x], 0.0);
}
