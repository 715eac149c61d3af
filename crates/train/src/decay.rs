//! Learning rates that change with the number of steps, as `tf.compat.v1.train` computes them. Each is a float32
//! scalar.

use levada_builder::{Builder, Output};
use levada_graph::{DType, Error, Tensor};
use std::f64::consts::PI;

fn number(b: &mut Builder, value: f64) -> Output {
    b.constant(Tensor::scalar(value as f32))
}

/// The number of steps as a float.
fn steps(b: &mut Builder, global_step: Output) -> Output {
    b.node("Cast").input(global_step).attr("DstT", DType::F32).add()
}

/// `global_step / decay_steps`, rounded down if `staircase`.
fn progress(b: &mut Builder, global_step: Output, decay_steps: f64, staircase: bool) -> Output {
    let (step, all) = (steps(b, global_step), number(b, decay_steps));
    let progress = b.op("RealDiv", &[step, all]);
    if staircase { b.op("Floor", &[progress]) } else { progress }
}

/// `learning_rate * decay_rate ^ (global_step / decay_steps)`; `staircase` rounds the exponent down.
pub fn exponential_decay(
    b: &mut Builder,
    learning_rate: f64,
    global_step: Output,
    decay_steps: f64,
    decay_rate: f64,
    staircase: bool,
) -> Output {
    b.new_scope("ExponentialDecay", |b, _| {
        let exponent = progress(b, global_step, decay_steps, staircase);
        let base = number(b, decay_rate);
        let factor = b.op("Pow", &[base, exponent]);
        let rate = number(b, learning_rate);
        b.mul(rate, factor)
    })
}

/// `learning_rate * exp(-decay_rate * global_step / decay_steps)`.
pub fn natural_exp_decay(
    b: &mut Builder,
    learning_rate: f64,
    global_step: Output,
    decay_steps: f64,
    decay_rate: f64,
    staircase: bool,
) -> Output {
    b.new_scope("NaturalExpDecay", |b, _| {
        let progress = progress(b, global_step, decay_steps, staircase);
        let rate = number(b, -decay_rate);
        let exponent = b.mul(rate, progress);
        let factor = b.op("Exp", &[exponent]);
        let rate = number(b, learning_rate);
        b.mul(rate, factor)
    })
}

/// `learning_rate / (1 + decay_rate * global_step / decay_steps)`.
pub fn inverse_time_decay(
    b: &mut Builder,
    learning_rate: f64,
    global_step: Output,
    decay_steps: f64,
    decay_rate: f64,
    staircase: bool,
) -> Output {
    b.new_scope("InverseTimeDecay", |b, _| {
        let progress = progress(b, global_step, decay_steps, staircase);
        let (rate, one) = (number(b, decay_rate), number(b, 1.0));
        let grown = b.mul(rate, progress);
        let divisor = b.add(one, grown);
        let rate = number(b, learning_rate);
        b.op("RealDiv", &[rate, divisor])
    })
}

/// From `learning_rate` to `end_learning_rate` in `decay_steps` steps, along a polynomial.
pub fn polynomial_decay(
    b: &mut Builder,
    learning_rate: f64,
    global_step: Output,
    decay_steps: f64,
    end_learning_rate: f64,
    power: f64,
) -> Output {
    b.new_scope("PolynomialDecay", |b, _| {
        let (step, all) = (steps(b, global_step), number(b, decay_steps));
        let step = b.op("Minimum", &[step, all]);
        let done = b.op("RealDiv", &[step, all]);
        let (one, power) = (number(b, 1.0), number(b, power));
        let left = b.sub(one, done);
        let left = b.op("Pow", &[left, power]);
        let (span, end) = (number(b, learning_rate - end_learning_rate), number(b, end_learning_rate));
        let above = b.mul(span, left);
        b.add(above, end)
    })
}

/// Half a cosine from `learning_rate` to `alpha * learning_rate` in `decay_steps` steps (Loshchilov and Hutter, ICLR
/// 2017).
pub fn cosine_decay(b: &mut Builder, learning_rate: f64, global_step: Output, decay_steps: f64, alpha: f64) -> Output {
    b.new_scope("CosineDecay", |b, _| {
        let (step, all) = (steps(b, global_step), number(b, decay_steps));
        let step = b.op("Minimum", &[step, all]);
        let done = b.op("RealDiv", &[step, all]);
        let (pi, one, half) = (number(b, PI), number(b, 1.0), number(b, 0.5));
        let angle = b.mul(pi, done);
        let cosine = b.op("Cos", &[angle]);
        let sum = b.add(one, cosine);
        let share = b.mul(half, sum);
        let (span, floor) = (number(b, 1.0 - alpha), number(b, alpha));
        let share = b.mul(span, share);
        let share = b.add(share, floor);
        let rate = number(b, learning_rate);
        b.mul(rate, share)
    })
}

/// `values[i]` while `global_step` is at most `boundaries[i]`, and the last value after the last boundary. There is one
/// more value than boundaries.
pub fn piecewise_constant(b: &mut Builder, global_step: Output, boundaries: &[i64], values: &[f64]) -> Output {
    let Some((last, before)) = values.split_last().filter(|(_, before)| before.len() == boundaries.len()) else {
        return b.fault(
            Error::invalid("piecewise_constant needs one more value than boundaries")
                .expected(boundaries.len() + 1)
                .found(values.len()),
        );
    };
    b.new_scope("PiecewiseConstant", |b, _| {
        let step = b.node("Cast").input(global_step).attr("DstT", DType::I64).add();
        let last = number(b, *last);
        // From the last piece to the first: each is selected if the step has not passed its end.
        boundaries.iter().zip(before).rev().fold(last, |later, (&end, &value)| {
            let end = b.constant(Tensor::scalar(end));
            let value = number(b, value);
            let is_before = b.op("LessEqual", &[step, end]);
            b.op("SelectV2", &[is_before, value, later])
        })
    })
}
