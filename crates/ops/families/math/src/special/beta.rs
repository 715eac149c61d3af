//! The regularized incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8).

use super::gamma::{lgamma, ln_1p_less, stirling};
use std::f64::consts::PI;

/// In place of a zero in the continued fraction.
const TINY: f64 = 1e-300;
/// Enough for arguments up to about a thousand million.
const TERMS: usize = 200_000;

/// The distribution function of the beta distribution.
pub(crate) fn incomplete(a: f64, b: f64, x: f64) -> f64 {
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

/// `x^a (1 - x)^b / B(a, b)`
fn front(a: f64, b: f64, x: f64) -> f64 {
    let sum = a + b;
    if a < 10.0 || b < 10.0 {
        return (a * x.ln() + b * (-x).ln_1p() + lgamma(sum) - lgamma(a) - lgamma(b)).exp();
    }
    // Around the mode, where the powers nearly cancel the function in front.
    let (left, right) = (x * sum - a, (1.0 - x) * sum - b);
    let exponent = a * ln_1p_less(left / a) + b * ln_1p_less(right / b);
    (exponent + stirling(sum) - stirling(a) - stirling(b)).exp() * (a * b / (2.0 * PI * sum)).sqrt()
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
