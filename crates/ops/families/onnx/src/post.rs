//! The final transforms of scores in `ai.onnx.ml` classifiers and regressors.

use crate::base::Base;

/// A transform of a row of scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Post {
    None,
    Softmax,
    Logistic,
    SoftmaxZero,
    Probit,
}

pub(crate) const NAMES: &[&str] = &["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"];

impl Post {
    /// The transform with this name.
    pub(crate) fn of(name: &str) -> Post {
        match name {
            "SOFTMAX" => Post::Softmax,
            "LOGISTIC" => Post::Logistic,
            "SOFTMAX_ZERO" => Post::SoftmaxZero,
            "PROBIT" => Post::Probit,
            _ => Post::None,
        }
    }

    /// Transforms a row in place.
    pub(crate) fn apply<B: Base>(self, row: &mut [B]) {
        let zero = B::of(0.0);
        let greatest = row.iter().fold(B::of(f64::NEG_INFINITY), |m, &v| m.max(v));
        match self {
            Post::None => {}
            Post::Logistic => row.iter_mut().for_each(|v| *v = logistic(*v)),
            Post::Probit => row.iter_mut().for_each(|v| *v = probit(*v)),
            Post::Softmax => {
                row.iter_mut().for_each(|v| *v = (*v - greatest).exp());
                divide(row);
            }
            Post::SoftmaxZero => {
                let scale = (-greatest).exp();
                for v in row.iter_mut() {
                    *v = if v.abs() > B::of(1e-7) { (*v - greatest).exp() } else { *v * scale };
                }
                if row.iter().any(|&v| v != zero) {
                    divide(row);
                }
            }
        }
    }
}

fn divide<B: Base>(row: &mut [B]) {
    let sum = row.iter().fold(B::of(0.0), |sum, &v| sum + v);
    row.iter_mut().for_each(|v| *v = *v / sum);
}

/// The logistic function.
pub(crate) fn logistic<B: Base>(x: B) -> B {
    let one = B::of(1.0);
    let v = one / (one + (-x.abs()).exp());
    if x < B::of(0.0) { one - v } else { v }
}

/// `sqrt(2) erfinv(2x - 1)`, with the approximation of the inverse error function that runtimes use for it.
fn probit<B: Base>(x: B) -> B {
    let x = 2.0 * x.wide() - 1.0;
    let log = ((1.0 - x) * (1.0 + x)).ln();
    let v = 2.0 / (std::f64::consts::PI * 0.147) + 0.5 * log;
    let root = ((v * v - log / 0.147).sqrt() - v).sqrt();
    B::of(std::f64::consts::SQRT_2 * root.copysign(x))
}
