//! The regularized incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8).

use super::SINGLE;
use super::gamma::{lgamma, lgamma_parts, ln_1p_less, stirling};
use std::f64::consts::PI;

/// Replaces a zero in the continued fraction.
const TINY: f64 = 1e-300;
/// Enough for arguments up to about a billion.
const TERMS: usize = 200_000;

/// The cumulative distribution function of the beta distribution.
pub fn incomplete(a: f64, b: f64, x: f64) -> f64 {
    by(a, b, x, front, fraction)
}

/// [`incomplete`] with the given functions for its factors.
#[inline(always)]
fn by(a: f64, b: f64, x: f64, front: fn(f64, f64, f64) -> f64, fraction: fn(f64, f64, f64) -> f64) -> f64 {
    let inside = a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite() && (0.0..=1.0).contains(&x);
    if !inside {
        return f64::NAN;
    }
    if x == 0.0 || x == 1.0 {
        return x;
    }
    let front = front(a, b, x);
    if x < (a + 1.0) / (a + b + 2.0) {
        front / a * fraction(a, b, x)
    } else {
        1.0 - front / b * fraction(b, a, 1.0 - x)
    }
}

/// [`incomplete`], only as accurate as an `f32` needs.
pub fn incomplete_single(a: f32, b: f32, x: f32) -> f32 {
    // The result may be a tiny difference from 1.
    if a.min(b) < 0.1 {
        return incomplete(a.into(), b.into(), x.into()) as f32;
    }
    by(a.into(), b.into(), x.into(), front_single, fraction_single) as f32
}

/// `x^a (1 - x)^b / B(a, b)`
fn front(a: f64, b: f64, x: f64) -> f64 {
    let sum = a + b;
    if a < 10.0 || b < 10.0 {
        return (a * x.ln() + b * (-x).ln_1p() + lgamma(sum) - lgamma(a) - lgamma(b)).exp();
    }
    // Around the mode, where the powers nearly cancel the beta function.
    let (left, right) = (x * sum - a, (1.0 - x) * sum - b);
    let exponent = a * ln_1p_less(left / a) + b * ln_1p_less(right / b);
    (exponent + stirling(sum) - stirling(a) - stirling(b)).exp() * (a * b / (2.0 * PI * sum)).sqrt()
}

/// [`front`] without log-gamma calls.
#[inline(always)]
fn front_single(a: f64, b: f64, x: f64) -> f64 {
    if a >= 10.0 && b >= 10.0 {
        return front(a, b, x);
    }
    let (left, right, sum) = (lgamma_parts(a), lgamma_parts(b), lgamma_parts(a + b));
    let exponent = a * x.ln() + b * (-x).ln_1p() + (sum.0 - left.0 - right.0);
    exponent.exp() * (left.1 * right.1 / sum.1)
}

/// [`fraction`] by the recurrence of its convergents (Abramowitz and Stegun 3.10.1), with one division per two steps.
#[inline(always)]
fn fraction_single(a: f64, b: f64, x: f64) -> f64 {
    let sum = a + b;
    let (mut above, mut below) = ((1.0, 1.0), (1.0, 1.0 - sum * x / (a + 1.0)));
    let (mut m, mut at) = (0.0, a);
    for _ in 1..TERMS {
        m += 1.0;
        at += 2.0;
        let (before, after) = (at - 1.0, at + 1.0);
        let scale = x / (before * at * after);
        let even = m * (b - m) * after * scale;
        let odd = -(a + m) * (sum + m) * before * scale;
        above.0 = above.1 + even * above.0;
        below.0 = below.1 + even * below.0;
        above.1 = above.0 + odd * above.1;
        below.1 = below.0 + odd * below.1;
        let (last, former) = (above.1 * below.0, above.0 * below.1);
        if (last - former).abs() <= SINGLE * last.abs() {
            break;
        }
        let size = below.1.abs();
        if !(1e-100..=1e100).contains(&size) && size > 0.0 {
            above = (above.0 / size, above.1 / size);
            below = (below.0 / size, below.1 / size);
        }
    }
    above.1 / below.1
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for m in 1..TERMS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let delta = d * c;
        h *= delta;
        if (delta - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    h
}
