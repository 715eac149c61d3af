//! Epilogues.

use levada_gemm::Finisher;
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
                    in_place: false,
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
