//! `FusedBatchNorm`, its versions 2 and 3, and their gradients.

use levada_kernel::Bound;
use levada_kernel::Pool;
use levada_ops_core::images::swap;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_nn::types::*;

const OUT: [DType; 6] = [DType::F32; 6];

fn op(data_format: &'static str, is_training: bool, exponential_avg_factor: f32) -> Bound<BatchNorm> {
    FUSED_BATCH_NORM.of(attrs(data_format, is_training, exponential_avg_factor))
}

fn attrs(data_format: &'static str, is_training: bool, exponential_avg_factor: f32) -> BatchNorm {
    BatchNorm {
        dtype: DType::F32,
        u: DType::F32,
        epsilon: 0.001,
        exponential_avg_factor,
        data_format: data_format.into(),
        is_training,
        version: 3,
    }
}

fn images(dims: [usize; 4]) -> Tensor {
    let shape = Shape::new(dims).unwrap();
    let values = (0..shape.num_elements()).map(|i| ((i * 37) % 23) as f32 * 0.25 - 2.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

fn vector(n: usize, from: f32) -> Tensor {
    Tensor::vector((0..n).map(|i| from + i as f32 * 0.5).collect())
}

fn close(a: &Tensor, b: &[f32]) {
    let a = a.slice::<f32>().unwrap();
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() <= 1e-4 * (1.0 + b.abs()), "{a} {b}"));
}

#[test]
fn batches_are_normalized_by_their_moments() {
    let (n, c) = (2 * 5 * 7, 3);
    let x = images([2, 5, 7, 3]);
    let inputs = vec![x.clone(), vector(c, 1.0), vector(c, -1.0), vector(c, 2.0), vector(c, 3.0)];
    let out = run_on(2, op("NHWC", true, 0.25), inputs, &OUT).unwrap();
    let data = x.slice::<f32>().unwrap();
    let (mut y, mut mean, mut variance) = (vec![0.0; n * c], vec![0.0; c], vec![0.0; c]);
    for ch in 0..c {
        let channel: Vec<f32> = (0..n).map(|i| data[i * c + ch]).collect();
        mean[ch] = channel.iter().sum::<f32>() / n as f32;
        variance[ch] = channel.iter().map(|v| (v - mean[ch]).powi(2)).sum::<f32>() / n as f32;
        let (scale, offset) = (1.0 + ch as f32 * 0.5, -1.0 + ch as f32 * 0.5);
        for i in 0..n {
            y[i * c + ch] = (channel[i] - mean[ch]) / (variance[ch] + 0.001).sqrt() * scale + offset;
        }
    }
    close(&out[0], &y);
    let mix = |old: f32, new: f32| 0.75 * old + 0.25 * new;
    close(&out[1], &(0..c).map(|i| mix(2.0 + i as f32 * 0.5, mean[i])).collect::<Vec<_>>());
    let unbiased = n as f32 / (n as f32 - 1.0);
    close(&out[2], &(0..c).map(|i| mix(3.0 + i as f32 * 0.5, variance[i] * unbiased)).collect::<Vec<_>>());
    close(&out[3], &mean);
    close(&out[4], &variance);
}

#[test]
fn channels_may_come_first() {
    let c = 3;
    let parameters = || vec![vector(c, 1.0), vector(c, -1.0), vector(c, 2.0), vector(c, 3.0)];
    for training in [false, true] {
        let x = images([2, 3, 4, 5]);
        let mut last = vec![0f32; x.num_elements()];
        swap(&Pool::new(1), x.slice::<f32>().unwrap(), &mut last, c, 20);
        let last = Tensor::from_vec(Shape::new([2, 4, 5, 3]).unwrap(), last).unwrap();
        let first = run(op("NCHW", training, 1.0), [vec![x], parameters()].concat(), &OUT).unwrap();
        let last = run(op("NHWC", training, 1.0), [vec![last], parameters()].concat(), &OUT).unwrap();
        let mut back = vec![0f32; 2 * 3 * 20];
        swap(&Pool::new(1), last[0].slice::<f32>().unwrap(), &mut back, 20, c);
        close(&first[0], &back);
        close(&first[4], last[4].slice().unwrap());
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let (shape, c) = ([2, 2, 3, 2], 2);
    let (x, dy) = (images(shape), images([1, 1, 24, 1]).reshaped(Shape::new(shape).unwrap()).unwrap());
    let (scale, offset) = (vector(c, 1.5), vector(c, 0.0));
    let forward = |x: &Tensor, scale: &Tensor, training: bool| {
        let inputs = vec![x.clone(), scale.clone(), offset.clone(), vector(c, 0.2), vector(c, 1.0)];
        run(op("NHWC", training, 1.0), inputs, &OUT).unwrap()
    };
    let loss = |y: &Tensor| -> f64 {
        let (y, dy) = (y.slice::<f32>().unwrap(), dy.slice::<f32>().unwrap());
        y.iter().zip(dy).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let differences = |t: &Tensor, f: &dyn Fn(&Tensor) -> f64| -> Vec<f32> {
        let nudged = |i: usize, by: f32| {
            let mut t = t.clone();
            t.slice_mut::<f32>().unwrap()[i] += by;
            f(&t)
        };
        (0..t.num_elements()).map(|i| ((nudged(i, 0.01) - nudged(i, -0.01)) / 0.02) as f32).collect()
    };
    for training in [false, true] {
        let out = forward(&x, &scale, training);
        let grad = FUSED_BATCH_NORM_GRAD.of(attrs("NHWC", training, 1.0));
        let inputs = vec![dy.clone(), x.clone(), scale.clone(), out[3].clone(), out[4].clone(), out[5].clone()];
        let got = run(grad, inputs, &OUT[..5]).unwrap();
        let near = |a: &Tensor, b: Vec<f32>| {
            let each = a.slice::<f32>().unwrap().iter().zip(&b);
            each.for_each(|(a, b)| assert!((a - b).abs() < 0.02, "{a} {b} {training}"));
        };
        near(&got[0], differences(&x, &|x| loss(&forward(x, &scale, training)[0])));
        near(&got[1], differences(&scale, &|s| loss(&forward(&x, s, training)[0])));
    }
}

#[test]
fn parameters_must_fit() {
    let x = || images([1, 2, 2, 2]);
    let good = || vector(2, 1.0);
    let none = || Tensor::vector(Vec::<f32>::new());
    let fails = |op, inputs| assert_eq!(run(op, inputs, &OUT).unwrap_err().code(), Code::InvalidArgument);
    fails(op("NHWC", true, 1.0), vec![x(), vector(3, 1.0), good(), none(), none()]);
    fails(op("NHWC", false, 1.0), vec![x(), good(), good(), none(), none()]);
    fails(op("NHWC", true, 0.5), vec![x(), good(), good(), none(), good()]);
    fails(op("NHWC", true, 1.0), vec![good(), good(), good(), none(), none()]);
    assert!(run(op("NHWC", true, 1.0), vec![x(), good(), good(), none(), none()], &OUT).is_ok());
    let empty = run(op("NHWC", true, 1.0), vec![images([0, 2, 2, 2]), good(), good(), none(), none()], &OUT);
    assert!(empty.unwrap()[1].slice::<f32>().unwrap().iter().all(|v| v.is_nan()));
}
