//! Matrix products.

use crate::testing::{agree, random, scaled};
use DType::*;
use levada_graph::DType;
use levada_kernel::Bound;
use levada_ops::types::{BATCH_MAT_MUL, BATCH_MAT_MUL_V3, MAT_MUL};
use levada_ops::types::{BatchMatMul, BatchMatMulV3, MatMul};

fn mat_mul(dtype: DType, transpose_a: bool, transpose_b: bool) -> Bound<MatMul> {
    MAT_MUL.of(MatMul { transpose_a, transpose_b, dtype, grad_a: false, grad_b: false })
}

fn batch_mat_mul(dtype: DType, adj_x: bool, adj_y: bool, broadcast: bool) -> Bound<BatchMatMul> {
    BATCH_MAT_MUL.of(BatchMatMul { dtype, adj_x, adj_y, grad_x: false, grad_y: false, broadcast })
}

#[test]
fn matrices_are_multiplied() {
    let cases = [(1, 1, 1), (3, 5, 7), (17, 20, 33), (40, 37, 50), (2, 70, 300), (70, 3, 20), (0, 3, 2), (3, 2, 0)];
    for (i, &(m, n, k)) in cases.iter().enumerate() {
        for flags in 0..4 {
            let (transpose_a, transpose_b) = (flags & 1 != 0, flags & 2 != 0);
            let a = random(F32, &if transpose_a { [k, m] } else { [m, k] }, i as u64);
            let b = random(F32, &if transpose_b { [n, k] } else { [k, n] }, 100);
            agree(mat_mul(F32, transpose_a, transpose_b), &[a, b], 1e-5);
        }
    }
}

#[test]
fn in_every_dtype() {
    for (dtype, tolerance) in [(F16, 2e-3), (BF16, 2e-2), (F64, 1e-12), (I32, 0.0), (I64, 0.0), (U8, 0.0)] {
        let inputs = [scaled(dtype, &[20, 40], 1, 3.0), scaled(dtype, &[18, 40], 2, 3.0)];
        agree(mat_mul(dtype, false, true), &inputs, tolerance);
    }
    let op = mat_mul(F32, false, false);
    agree(op.clone(), &[random(F32, &[2, 3], 1), random(F32, &[2, 3], 1)], 0.0);
    agree(op, &[random(F32, &[2, 3], 1), random(F32, &[3], 1)], 0.0);
}

#[test]
fn batches_are_broadcast() {
    let cases: &[(&[usize], &[usize])] = &[
        (&[2, 1, 3, 4], &[5, 4, 2]),
        (&[3, 4], &[5, 4, 2]),
        (&[5, 3, 4], &[4, 2]),
        (&[0, 3, 4], &[4, 2]),
        (&[2, 3, 3, 4], &[2, 3, 4, 20]),
        (&[2, 3, 4], &[3, 4, 2]),
        (&[3], &[3, 1]),
    ];
    for (x, y) in cases {
        agree(batch_mat_mul(F32, false, false, true), &[random(F32, x, 1), random(F32, y, 2)], 1e-5);
    }
    for flags in 0..4 {
        let (adj_x, adj_y) = (flags & 1 != 0, flags & 2 != 0);
        let x = random(F64, &if adj_x { [3, 5, 4] } else { [3, 4, 5] }, 1);
        let y = random(F64, &if adj_y { [3, 6, 5] } else { [3, 5, 6] }, 2);
        agree(batch_mat_mul(F64, adj_x, adj_y, false), &[x, y], 1e-12);
    }
    let op = BatchMatMulV3 { x: U8, y: I8, out: I32, adj_x: false, adj_y: true, grad_x: false, grad_y: false };
    agree(BATCH_MAT_MUL_V3.of(op), &[scaled(U8, &[2, 4, 5], 1, 255.0), scaled(I8, &[2, 3, 5], 2, 127.0)], 0.0);
}
