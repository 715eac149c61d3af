//! Inverses of the error function: starting values from Abramowitz and Stegun 26.2.22, then Halley's iteration.

use std::f64::consts::{FRAC_2_SQRT_PI, SQRT_2};

/// The `x` with `erf(x) = y`.
pub fn erfinv(y: f64) -> f64 {
    if y.is_nan() || y.abs() > 1.0 {
        return f64::NAN;
    }
    if y.abs() > 0.5 {
        return erfcinv(1.0 - y.abs()).copysign(y);
    }
    // The first terms of the series around 0.
    let s = y * y * std::f64::consts::PI / 4.0;
    let mut x = y / FRAC_2_SQRT_PI * (1.0 + s * (1.0 / 3.0 + s * (7.0 / 30.0 + s * (127.0 / 630.0))));
    for _ in 0..3 {
        let error = (libm::erf(x) - y) / (FRAC_2_SQRT_PI * (-x * x).exp());
        x -= error / (1.0 + x * error);
    }
    x
}

/// The `x` with `erfc(x) = y`, for `0 <= y <= 1`.
fn erfcinv(y: f64) -> f64 {
    if y == 0.0 {
        return f64::INFINITY;
    }
    let t = (-2.0 * (y / 2.0).ln()).sqrt();
    let mut x = (t - (2.307_53 + t * 0.270_61) / (1.0 + t * (0.992_29 + t * 0.044_81))) / SQRT_2;
    for _ in 0..3 {
        let error = (libm::erfc(x) - y) / (FRAC_2_SQRT_PI * (-x * x).exp());
        let step = error / (1.0 - x * error);
        x += if step.is_finite() { step } else { 0.0 };
    }
    x
}

/// The quantile function of the standard normal distribution.
pub fn ndtri(p: f64) -> f64 {
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if (0.25..=0.75).contains(&p) {
        return SQRT_2 * erfinv(2.0 * (p - 0.5));
    }
    if p < 0.5 { -SQRT_2 * erfcinv(2.0 * p) } else { SQRT_2 * erfcinv(2.0 * (1.0 - p)) }
}
