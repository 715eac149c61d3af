//! Epilogues.

use levada_gemm::{Factor, Finisher, Mat, Packed, Size, multiply_packed};
use levada_graph::{DType, Shape, Tensor};
use levada_kernel::{Finish, Function, Pool};
use levada_ops_core::elementwise::vector_math as vector;

fn numbers(n: usize, seed: usize) -> Vec<f32> {
    (0..n).map(|i| ((i * 37 + seed * 11) % 101) as f32 / 16.0 - 3.0).collect()
}

#[test]
fn every_part_is_applied_in_order() {
    let functions = [
        None,
        Some(Function::Relu),
        Some(Function::Relu6),
        Some(Function::LeakyRelu(0.25)),
        Some(Function::Elu),
        Some(Function::Sigmoid),
        Some(Function::Tanh),
        Some(Function::Swish),
        Some(Function::HardSwish),
    ];
    let apply = |function: Option<Function>, x: f32| match function {
        None => x,
        Some(Function::Relu) => x.max(0.0),
        Some(Function::Relu6) => x.clamp(0.0, 6.0),
        Some(Function::LeakyRelu(slope)) => x.max(slope * x),
        Some(Function::Elu) => {
            if x < 0.0 {
                vector::exp_m1(x)
            } else {
                x
            }
        }
        Some(Function::Sigmoid) => vector::sigmoid(x),
        Some(Function::Tanh) => vector::tanh(x),
        Some(Function::Swish) => x * vector::sigmoid(x),
        Some(Function::HardSwish) => x * ((x + 3.0).clamp(0.0, 6.0) / 6.0),
    };
    let pool = Pool::new(2);
    for (rows, channels) in [(1, 1), (7, 3), (40, 24), (3, 100), (5, 1030), (200, 16)] {
        let shape = Shape::new([rows, channels]).unwrap();
        let (scale, shift) = (numbers(channels, 1), numbers(channels, 2));
        let other = Tensor::from_vec(shape.clone(), numbers(rows * channels, 3)).unwrap();
        for function in functions {
            for mask in 0..8 {
                let on = |bit: u32| mask >> bit & 1 == 1;
                let finish = Finish {
                    scale: on(0).then_some(&scale[..]),
                    shift: on(1).then_some(&shift[..]),
                    addend: on(2).then_some(&other),
                    function,
                    of_images: false,
                    rank: 0,
                };
                let finisher = Finisher::new(&finish, &shape, DType::F32).unwrap();
                let start = numbers(rows * channels, 4);
                let expected: Vec<f32> = (0..rows * channels)
                    .map(|i| {
                        let x = start[i] * if on(0) { scale[i % channels] } else { 1.0 };
                        let x = x + if on(1) { shift[i % channels] } else { 0.0 };
                        apply(function, x + if on(2) { other.slice::<f32>().unwrap()[i] } else { 0.0 })
                    })
                    .collect();
                let mut whole = start.clone();
                finisher.all(&pool, &mut whole);
                assert_eq!(whole, expected, "{rows} x {channels} {finish:?}");
                let mut parts = start;
                for (row, out) in parts.chunks_mut(channels).enumerate() {
                    let (left, right) = out.split_at_mut(channels / 2);
                    finisher.part(row, 0, left);
                    finisher.part(row, channels / 2, right);
                }
                assert_eq!(parts, expected);
            }
        }
    }
}

#[test]
fn other_shapes_are_refused() {
    let (shape, three) = (Shape::new([2, 4]).unwrap(), [1f32; 3]);
    assert!(Finisher::new(&Finish { scale: Some(&three), ..Finish::default() }, &shape, DType::F32).is_none());
    assert!(Finisher::new(&Finish { of_images: true, ..Finish::default() }, &shape, DType::F32).is_none());
    assert!(Finisher::new(&Finish { rank: 3, ..Finish::default() }, &shape, DType::F32).is_none());
    let other = Tensor::vector(vec![1f32; 8]);
    assert!(Finisher::new(&Finish { addend: Some(&other), ..Finish::default() }, &shape, DType::F32).is_none());
    assert!(Finisher::new(&Finish::default(), &Shape::new([0, 4]).unwrap(), DType::F32).is_none());
}

/// Finishing in registers yields the same bits as finishing what was written, also for NaN, infinities and both zeros.
#[test]
fn sums_in_registers_are_finished_as_others() {
    let pool = Pool::new(2);
    let functions =
        [None, Some(Function::Relu), Some(Function::Relu6), Some(Function::LeakyRelu(0.25)), Some(Function::Elu)];
    for (m, n, k) in [(1, 16, 1), (25, 17, 16), (40, 64, 20), (31, 70, 300), (26, 200, 1000), (30, 33, 1100)] {
        let (mut a, b) = (numbers(m * k, 3), numbers(k * n, 4));
        for (row, special) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0].into_iter().enumerate().take(m) {
            a[row * k..][..k].fill(special);
        }
        let (a, b) = (Mat::new(&a, k), Mat::new(&b, n));
        let packed = Packed::new(&pool, b, (k, n)).unwrap();
        let shape = Shape::new([m, n]).unwrap();
        let size = Size { m, n, k };
        let (scale, mut shift) = (numbers(n, 5), numbers(n, 6));
        shift[n / 2] = -0.0;
        for (scale, shift) in [(None, None), (None, Some(&shift)), (Some(&scale), None), (Some(&scale), Some(&shift))] {
            for function in functions {
                let finish = Finish {
                    scale: scale.map(Vec::as_slice),
                    shift: shift.map(Vec::as_slice),
                    function,
                    ..Finish::default()
                };
                let finisher = Finisher::new(&finish, &shape, DType::F32).unwrap();
                assert_eq!(finisher.ending().is_none(), function == Some(Function::Elu));
                for factor in [Factor::Matrix(b), Factor::Packed(&packed)] {
                    let (mut found, mut expected) = (vec![1.0; m * n], vec![1.0; m * n]);
                    multiply_packed(&pool, size, (a, factor), &mut found, Some(&finisher)).unwrap();
                    multiply_packed(&pool, size, (a, factor), &mut expected, None).unwrap();
                    finisher.rows(0, &mut expected);
                    let bits = |all: Vec<f32>| all.into_iter().map(f32::to_bits).collect::<Vec<_>>();
                    assert_eq!(bits(found), bits(expected), "{size:?} {finish:?}");
                }
            }
        }
    }
}
