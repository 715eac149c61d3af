//! Kernels on the interpreting backend against those of the CPU: products by equations, cells, images, rows and sums.

use crate::testing::{F32, I32, agree, int, ints, random, scaled, tensor};
use levada_graph::{DType, Shape, Tensor};
use levada_ops::shared::Resizing;
use levada_ops::types::*;

#[test]
fn equations() {
    let cases: &[(&str, &[&[usize]])] = &[
        ("ij->ji", &[&[3, 4]]),
        ("ii->i", &[&[4, 4]]),
        ("iij->ji", &[&[3, 3, 4]]),
        ("ij->j", &[&[30, 4]]),
        ("ij->", &[&[3, 4]]),
        ("->", &[&[]]),
        ("ij,jk->ki", &[&[3, 4], &[4, 5]]),
        ("bij,bkj->bik", &[&[2, 3, 4], &[2, 5, 4]]),
        ("abij,acjb->ica", &[&[2, 3, 4, 5], &[2, 6, 5, 3]]),
        ("bthk,bshk->bhts", &[&[2, 3, 4, 5], &[2, 6, 4, 5]]),
        ("btd,dhk->bthk", &[&[2, 3, 4], &[4, 2, 5]]),
        ("i,j->ij", &[&[3], &[4]]),
        ("i,i->", &[&[7], &[7]]),
        ("ij,k->i", &[&[3, 4], &[5]]),
        ("ij,jk->ik", &[&[3, 0], &[0, 5]]),
        ("ij,jk->ik", &[&[0, 3], &[3, 5]]),
        ("...ij,...jk->...ik", &[&[2, 1, 2, 3], &[4, 3, 5]]),
        ("...i,...i->...", &[&[2, 1, 4], &[3, 4]]),
        ("...i->i...", &[&[2, 3, 4]]),
        ("ij,jk->ik", &[&[2, 1], &[4, 5]]),
        ("ij->i", &[&[2, 3, 4]]),
    ];
    for (equation, dims) in cases {
        for (dtype, tolerance) in [(F32, 1e-5), (DType::F16, 5e-3), (I32, 0.0)] {
            let op = Einsum { equation: (*equation).to_owned(), n: dims.len() as i64, dtype };
            let by = if dtype == I32 { 9.0 } else { 1.0 };
            let inputs: Vec<Tensor> = dims.iter().enumerate().map(|(i, d)| scaled(dtype, d, i as u64, by)).collect();
            agree(EINSUM.of(op), &inputs, tolerance);
        }
    }
}

#[test]
fn recurrent_cells() {
    for (dtype, tolerance) in [(F32, 1e-5), (DType::F16, 4e-3)] {
        for use_holes in [false, true] {
            let (time, batch, input, n) = (4, 3, 5, 6);
            let hole = [n];
            let holes = [&hole[..]; 3];
            let shapes: Vec<&[usize]> = vec![&[3, 5], &[3, 6], &[3, 6], &[11, 24]];
            let mut inputs: Vec<Tensor> =
                shapes.iter().chain(&holes).enumerate().map(|(i, s)| random(dtype, s, i as u64)).collect();
            inputs.push(random(dtype, &[4 * n], 9));
            let attrs = Lstm { forget_bias: 1.0, cell_clip: 0.5, peephole: use_holes, dtype, forget_second: false };
            let op = LSTM_BLOCK_CELL.of(attrs.clone());
            agree(op, &inputs, tolerance);
            inputs[0] = random(dtype, &[time, batch, input], 1);
            for moments in [4i64, 2, 0, 5] {
                let all: Vec<Tensor> = [Tensor::scalar(moments)].into_iter().chain(inputs.iter().cloned()).collect();
                agree(BLOCK_LSTM.of(Lstm { cell_clip: 3.0, ..attrs.clone() }), &all, tolerance);
                let second = Lstm { forget_bias: 0.0, cell_clip: 0.0, forget_second: true, ..attrs.clone() };
                agree(BLOCK_LSTM.of(second), &all, tolerance);
            }
        }
    }
    let shapes: [&[usize]; 6] = [&[3, 5], &[3, 6], &[11, 12], &[11, 6], &[12], &[6]];
    let inputs: Vec<Tensor> = shapes.iter().enumerate().map(|(i, s)| random(F32, s, i as u64)).collect();
    agree(GRU_BLOCK_CELL.of(Gru { dtype: F32 }), &inputs, 1e-5);
    agree(GRU_BLOCK_CELL.of(Gru { dtype: F32 }), &[&inputs[..5], &[random(F32, &[7], 1)]].concat(), 1e-5);
}

#[test]
fn images_are_resized() {
    for (align_corners, half_pixel_centers) in [(false, false), (true, false), (false, true), (true, true)] {
        for (dtype, tolerance) in [(F32, 1e-5), (DType::F16, 4e-3)] {
            let x = random(dtype, &[2, 5, 7, 3], 1);
            for size in [[8, 9], [3, 2], [5, 7], [1, 1], [0, 3]] {
                let inputs = [x.clone(), ints(&size)];
                let attrs = Resizing { dtype, align_corners, half_pixel_centers };
                agree(RESIZE_BILINEAR.of(attrs.clone()), &inputs, tolerance);
                agree(RESIZE_NEAREST_NEIGHBOR.of(attrs.clone()), &inputs, 0.0);
                agree(RESIZE_NEAREST_NEIGHBOR_GRAD.of(attrs.clone()), &inputs, tolerance * 4.0);
                let grads = random(F32, &[2, size[0] as usize, size[1] as usize, 3], 2);
                let op = RESIZE_BILINEAR_GRAD.of(attrs);
                agree(op, &[grads, x.clone()], tolerance * 4.0);
            }
        }
    }
}

#[test]
fn greatest_elements() {
    for dtype in [F32, DType::F16, I32, DType::U8] {
        for (dims, k) in
            [(&[7][..], 3), (&[2, 3, 5], 5), (&[2, 700], 9), (&[3, 4], 1), (&[3, 4], 0), (&[3, 4], 5), (&[0, 4], 2)]
        {
            let x = scaled(dtype, dims, 3, 20.0);
            let attrs = TopK { k: i64::from(k), sorted: true, dtype, count: I32, index: I32 };
            let op = TOP_K.called("TopKV2", attrs.clone()).unwrap();
            agree(op, &[x.clone(), int(k)], 0.0);
            agree(TOP_K.of(attrs), &[x], 0.0);
        }
    }
    let mut values = [-1.0, f64::NAN, 3.0, f64::NEG_INFINITY, 3.0];
    let op = TopK { k: 0, sorted: true, dtype: F32, count: I32, index: I32 };
    let op = TOP_K.called("TopKV2", op).unwrap();
    agree(op.clone(), &[tensor(F32, &[5], &values), int(1)], 0.0);
    values[1] = 8.0;
    agree(op, &[tensor(F32, &[5], &values), int(4)], 0.0);
}

#[test]
fn bands_of_matrices() {
    for dtype in [F32, DType::BF16, DType::I64, DType::Bool] {
        for dims in [&[4, 6][..], &[2, 5, 3], &[0, 3], &[3]] {
            for (lower, upper) in [(-1, 0), (0, -1), (1, 2), (0, 0), (3, 3), (9, 0)] {
                let op = MATRIX_BAND_PART.of(MatrixBandPart { dtype, index: I32 });
                agree(op, &[scaled(dtype, dims, 1, 9.0), int(lower), int(upper)], 0.0);
            }
        }
    }
}

#[test]
fn slices_are_stitched() {
    for dtype in [F32, DType::F16, DType::I64] {
        let op = DYNAMIC_STITCH.of(Stitch { count: 3, dtype });
        let grid = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![5, 1, 3, 1]).unwrap();
        let data = |dims: &[usize], seed| scaled(dtype, dims, seed, 9.0);
        let inputs = |last: &[i32]| {
            let n = last.len();
            let indices = [int(0), ints(last), grid.clone()];
            indices.into_iter().chain([data(&[3], 1), data(&[n, 3], 2), data(&[2, 2, 3], 3)]).collect::<Vec<_>>()
        };
        agree(op.clone(), &inputs(&[4, 2]), 0.0);
        agree(op.clone(), &inputs(&[7, 1, 7]), 0.0);
        agree(op.clone(), &inputs(&[]), 0.0);
        agree(op.clone(), &inputs(&[-1]), 0.0);
        let mut wrong = inputs(&[4, 2]);
        wrong[3] = data(&[4], 1);
        agree(op, &wrong, 0.0);
    }
}

#[test]
fn selections_sums_shifts_and_remainders() {
    for dtype in [F32, DType::F16, DType::I64] {
        let (t, e) = (scaled(dtype, &[3, 4], 1, 9.0), scaled(dtype, &[3, 4], 2, 9.0));
        for dims in [&[][..], &[3], &[3, 4], &[4], &[2]] {
            let condition = scaled(DType::Bool, dims, 5, 1.0);
            agree(SELECT.of(Selection { dtype }), &[condition, t.clone(), e.clone()], 0.0);
        }
        agree(
            SELECT.of(Selection { dtype }),
            &[scaled(DType::Bool, &[3], 1, 1.0), t, scaled(dtype, &[4, 3], 2, 9.0)],
            0.0,
        );
        for count in [1, 7, 8, 13, 30] {
            let terms: Vec<Tensor> = (0..count).map(|i| scaled(dtype, &[5, 3], i, 9.0)).collect();
            let tolerance = if dtype == DType::F16 { 2e-2 } else { 1e-5 };
            agree(ADD_N.of(AddN { n: count as i64, dtype }), &terms, tolerance);
        }
    }
    for dtype in [F32, DType::F16] {
        let (x, y) = (scaled(dtype, &[40], 1, 9.0), scaled(dtype, &[40], 2, 4.0));
        agree(FLOOR_MOD.of(Elementwise { dtype }), &[x.clone(), y.clone()], 1e-6);
        agree(MOD.of(Elementwise { dtype }), &[x.clone(), y.clone()], 1e-6);
        agree(DIV.of(Elementwise { dtype }), &[x, y], 1e-6);
    }
    for dtype in [DType::I8, I32, DType::U16, DType::I64] {
        let (x, y) = (scaled(dtype, &[40], 1, 90.0), scaled(dtype, &[40], 2, 40.0));
        agree(LEFT_SHIFT.of(Elementwise { dtype }), &[x.clone(), y.clone()], 0.0);
        agree(RIGHT_SHIFT.of(Elementwise { dtype }), &[x, y], 0.0);
    }
}
