//! Winograd convolutions.

use levada_ops_convolution::Tiles;
use levada_ops_convolution::types::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;

/// Values without a pattern, about half of them negative.
fn numbers(shape: &[usize], seed: u64) -> Tensor {
    let shape = Shape::new(shape.iter().copied()).unwrap();
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1 << 23) as f64 - 1.0
    };
    Tensor::from_vec(shape.clone(), (0..shape.num_elements()).map(|_| next()).collect()).unwrap()
}

fn singles(tensor: &Tensor) -> Tensor {
    let values = tensor.slice::<f64>().unwrap().iter().map(|&x| x as f32).collect();
    Tensor::from_vec(tensor.shape().clone(), values).unwrap()
}

fn attrs(dtype: DType, padding: &[i64]) -> Conv2D {
    Conv2D {
        dtype,
        strides: vec![1; 4],
        use_cudnn_on_gpu: true,
        padding: if padding.is_empty() { "SAME" } else { "EXPLICIT" }.into(),
        explicit_paddings: padding.to_vec(),
        data_format: "NHWC".into(),
        dilations: vec![1; 4],
    }
}

/// The root mean square error relative to the root mean square of the expected values.
fn error(found: &Tensor, expected: &Tensor) -> f64 {
    let (found, expected) = (found.slice::<f32>().unwrap(), expected.slice::<f64>().unwrap());
    assert_eq!(found.len(), expected.len());
    let squares = |f: &dyn Fn(usize) -> f64| (0..found.len()).map(|i| f(i).powi(2)).sum::<f64>();
    (squares(&|i| f64::from(found[i]) - expected[i]) / squares(&|i| expected[i])).sqrt()
}

fn tiles(input: [usize; 4], taps: usize, filters: usize, padding: &[i64], constant: bool) -> Option<Tiles> {
    let filter = Shape::new([taps, taps, input[3], filters]).unwrap();
    attrs(DType::F32, padding).convolution(&Shape::new(input).unwrap(), &filter).unwrap().winograd(constant)
}

/// Sizes of images and windows, number of filters, explicit padding, and the expected best tiles.
type Example<'a> = ([usize; 4], usize, usize, &'a [i64], Tiles);

#[test]
fn results_and_gradients_equal_sums_over_windows() {
    let cases: [Example<'_>; 9] = [
        ([1, 14, 14, 64], 3, 64, &[], Tiles::TwoOfThree),
        ([1, 56, 55, 64], 3, 48, &[], Tiles::FourOfThree),
        ([3, 30, 31, 20], 3, 72, &[0, 0, 2, 1, 0, 3, 0, 0], Tiles::FourOfThree),
        ([2, 23, 25, 35], 3, 37, &[0; 8], Tiles::FourOfThree),
        ([1, 13, 13, 33], 3, 130, &[0; 8], Tiles::TwoOfThree),
        ([2, 61, 9, 16], 3, 200, &[], Tiles::FourOfThree),
        ([1, 14, 14, 32], 5, 64, &[], Tiles::TwoOfFive),
        ([2, 33, 31, 24], 5, 40, &[0, 0, 3, 1, 0, 4, 0, 0], Tiles::TwoOfFive),
        ([2, 19, 18, 48], 5, 64, &[0; 8], Tiles::TwoOfFive),
    ];
    for (input, taps, filters, padding, tiles) in cases {
        assert_eq!(self::tiles(input, taps, filters, padding, true), Some(tiles), "{input:?} {filters}");
        let (x, f) = (numbers(&input, 1), numbers(&[taps, taps, input[3], filters], 2));
        let run = |threads, dtype, inputs| {
            run_on(threads, CONV2D.of(attrs(dtype, padding)), inputs, &[dtype]).unwrap().remove(0)
        };
        let expected = run(1, DType::F64, vec![x.clone(), f.clone()]);
        let sizes = Tensor::vector(input.iter().map(|&n| n as i32).collect());
        let dy = numbers(expected.shape().dims(), 3);
        let back = |threads, dtype, inputs| {
            run_on(threads, CONV2D_BACKPROP_INPUT.of(attrs(dtype, padding)), inputs, &[dtype]).unwrap().remove(0)
        };
        let expected_back = back(1, DType::F64, vec![sizes.clone(), f.clone(), dy.clone()]);
        for threads in [1, 2, 3] {
            let found = run(threads, DType::F32, vec![singles(&x), singles(&f)]);
            let most = if tiles == Tiles::TwoOfThree { 6e-7 } else { 1.5e-6 };
            assert!(error(&found, &expected) < most, "{input:?} {threads}: {}", error(&found, &expected));
            let found = back(threads, DType::F32, vec![sizes.clone(), singles(&f), singles(&dy)]);
            assert!(error(&found, &expected_back) < 1.5e-6, "gradient, {input:?} {threads}");
        }
    }
}

#[test]
fn what_is_not_finite_stays_where_it_is() {
    let input = [1, 40, 40, 32];
    assert!(tiles(input, 3, 32, &[], false).is_some());
    let (mut x, f) = (singles(&numbers(&input, 1)), singles(&numbers(&[3, 3, 32, 32], 2)));
    x.slice_mut::<f32>().unwrap()[(20 * 40 + 10) * 32 + 5] = f32::INFINITY;
    let y = run_on(2, CONV2D.of(attrs(DType::F32, &[])), vec![x, f], &[DType::F32]).unwrap().remove(0);
    for (i, y) in y.slice::<f32>().unwrap().iter().enumerate() {
        let (row, column) = (i / 32 / 40, i / 32 % 40);
        let is_near = (19..=21).contains(&row) && (9..=11).contains(&column);
        assert_eq!(y.is_infinite(), is_near, "{row} {column}");
        assert!(!y.is_nan());
    }
}

#[test]
fn small_and_other_convolutions_sum_over_windows() {
    assert_eq!(tiles([1, 7, 7, 512], 3, 512, &[], true), None);
    assert_eq!(tiles([1, 56, 56, 3], 3, 64, &[], true), None);
    assert!(tiles([8, 7, 7, 512], 3, 512, &[], true).is_some());
}
