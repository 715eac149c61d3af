//! The incomplete gamma functions and their derivative with respect to the first argument: the power series below `a +
//! 1`, Lentz's evaluation of the continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31), and for large `a`,
//! where both are slow, quadrature of the density over the nearer tail.

use super::gamma::{digamma, lgamma, lgamma_parts, ln_1p_less, stirling};
use super::{SINGLE, integrate};
use std::f64::consts::PI;

/// Quadrature is used from this `a` on.
const LARGE: f64 = 10_000.0;
/// More terms than any argument below [`LARGE`] needs.
const TERMS: usize = 20_000;
/// Replaces a zero in the continued fraction.
const TINY: f64 = 1e-300;
/// Convergents are scaled down when they exceed this.
const HUGE: f64 = 1e100;

/// `x^a e^-x / gamma(a + 1)`
fn power(a: f64, x: f64) -> f64 {
    if a < 10.0 {
        return (a * x.ln() - x - lgamma(a + 1.0)).exp();
    }
    (a * ln_1p_less((x - a) / a) - stirling(a)).exp() / (2.0 * PI * a).sqrt()
}

/// The lower function, which is the cumulative distribution function of the gamma distribution.
pub fn igamma(a: f64, x: f64) -> f64 {
    lower_by(a, x, lower, upper)
}

/// The upper function: 1 minus the lower one.
pub fn igammac(a: f64, x: f64) -> f64 {
    upper_by(a, x, lower, upper)
}

/// [`igamma`], only as accurate as an `f32` needs.
pub fn igamma_single(a: f32, x: f32) -> f32 {
    lower_by(a.into(), x.into(), lower_single, upper_single) as f32
}

/// [`igammac`], only as accurate as an `f32` needs. The lower function it subtracts from 1 is computed in full
/// precision, since the difference is tiny for small `a`.
pub fn igammac_single(a: f32, x: f32) -> f32 {
    upper_by(a.into(), x.into(), lower, upper_single) as f32
}

/// The lower function, given functions that compute the smaller of the two.
#[inline(always)]
fn lower_by(a: f64, x: f64, lower: fn(f64, f64) -> f64, upper: fn(f64, f64) -> f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    match border(a, x) {
        Some(value) => value,
        None if x < a + 1.0 => lower(a, x),
        None => 1.0 - upper(a, x),
    }
}

/// The upper function, given functions that compute the smaller of the two.
#[inline(always)]
fn upper_by(a: f64, x: f64, lower: fn(f64, f64) -> f64, upper: fn(f64, f64) -> f64) -> f64 {
    if a.is_infinite() && x.is_infinite() {
        // TensorFlow returns 0 for both functions.
        return 0.0;
    }
    match border(a, x) {
        Some(value) => 1.0 - value,
        None if x == 0.0 => 1.0,
        None if x < a + 1.0 => 1.0 - lower(a, x),
        None => upper(a, x),
    }
}

/// [`igamma`] outside its domain and on its boundary.
fn border(a: f64, x: f64) -> Option<f64> {
    if a.is_nan() || x.is_nan() || a <= 0.0 || x < 0.0 {
        Some(f64::NAN)
    } else if a.is_infinite() {
        Some(0.0)
    } else if x.is_infinite() {
        Some(1.0)
    } else {
        None
    }
}

fn lower(a: f64, x: f64) -> f64 {
    if a > LARGE {
        return left_tail(a, x, |_| 1.0);
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..TERMS {
        term *= x / (a + k as f64);
        sum += term;
        if term < sum * f64::EPSILON / 4.0 {
            break;
        }
    }
    power(a, x) * sum
}

fn upper(a: f64, x: f64) -> f64 {
    if a > LARGE {
        return right_tail(a, x, |_| 1.0);
    }
    power(a, x) * a * fraction(a, x).0
}

/// [`power`] without log-gamma calls.
#[inline(always)]
fn power_single(a: f64, x: f64) -> f64 {
    if a < 10.0 {
        let (exponent, factor) = lgamma_parts(a + 1.0);
        return (a * x.ln() - x - exponent).exp() * factor;
    }
    power(a, x)
}

#[inline(always)]
fn lower_single(a: f64, x: f64) -> f64 {
    if a > LARGE {
        return lower(a, x);
    }
    let (mut term, mut sum, mut k) = (1.0, 1.0, a);
    let fourth_power = x * x * (x * x);
    // Four terms at a time, with one division.
    for _ in 1..TERMS {
        let (first, second, third, fourth) = (k + 1.0, k + 2.0, k + 3.0, k + 4.0);
        let part = term / (first * second * (third * fourth));
        sum += part * (x * (third * fourth * second + x * (third * fourth + x * (fourth + x))));
        term = part * fourth_power;
        k = fourth;
        if term < sum * SINGLE {
            break;
        }
    }
    power_single(a, x) * sum
}

/// The continued fraction by the recurrence of its convergents (Abramowitz and Stegun 3.10.1), with a single division.
#[inline(always)]
fn upper_single(a: f64, x: f64) -> f64 {
    if a > LARGE {
        return upper(a, x);
    }
    let mut b = x + 1.0 - a;
    let (mut above, mut below) = ((0.0, 1.0), (1.0, b));
    let mut i = 0.0;
    for _ in 1..TERMS {
        i += 1.0;
        b += 2.0;
        let numerator = i * (a - i);
        above = (above.1, b * above.1 + numerator * above.0);
        below = (below.1, b * below.1 + numerator * below.0);
        let (last, before) = (above.1 * below.0, above.0 * below.1);
        if (last - before).abs() <= SINGLE * last.abs() {
            break;
        }
        if below.1.abs() > HUGE {
            above = (above.0 / HUGE, above.1 / HUGE);
            below = (below.0 / HUGE, below.1 / HUGE);
        }
    }
    power_single(a, x) * a * above.1 / below.1
}

/// The continued fraction of the upper function and its derivative with respect to `a`: Lentz's method on dual numbers.
fn fraction(a: f64, x: f64) -> (f64, f64) {
    let mut b = (x + 1.0 - a, -1.0);
    let mut c = (1.0 / TINY, 0.0);
    let mut d = inverse(b);
    let mut h = d;
    for i in 1..TERMS {
        let i = i as f64;
        let numerator = (-i * (i - a), i);
        b.0 += 2.0;
        d = inverse(add(times(numerator, d), b));
        c = add(b, times(numerator, inverse(c)));
        let delta = times(c, d);
        h = times(h, delta);
        if (delta.0 - 1.0).abs() < f64::EPSILON && delta.1.abs() < f64::EPSILON {
            break;
        }
    }
    h
}

fn add(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    (x.0 + y.0, x.1 + y.1)
}

fn times(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
    (x.0 * y.0, x.1 * y.0 + x.0 * y.1)
}

fn inverse(x: (f64, f64)) -> (f64, f64) {
    let value = 1.0 / if x.0.abs() < TINY { TINY } else { x.0 };
    (value, -x.1 * value * value)
}

/// The density of the gamma distribution.
fn density(a: f64, x: f64) -> f64 {
    power(a, x) * a / x
}

/// The integral of the density times `weight` from far left of the mean to `x`.
fn left_tail(a: f64, x: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let deviation = a.sqrt();
    let far = (x.min(a) - 9.0 * deviation).max(0.0);
    in_panels(a, far, x, weight)
}

/// The integral of the density times `weight` from `x` to far right of the mean.
fn right_tail(a: f64, x: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let deviation = a.sqrt();
    in_panels(a, x, x.max(a) + 10.0 * deviation, weight)
}

fn in_panels(a: f64, from: f64, to: f64, weight: impl Fn(f64) -> f64) -> f64 {
    const PANELS: usize = 4;
    let width = (to - from) / PANELS as f64;
    let panel = |i: usize| {
        let start = from + i as f64 * width;
        integrate(|t| if t > 0.0 { density(a, t) * weight(t) } else { 0.0 }, start, start + width)
    };
    (0..PANELS).map(panel).sum()
}

/// The derivative of [`igamma`] with respect to `a`.
pub fn igamma_grad_a(a: f64, x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    if let Some(value) = border(a, x) {
        return if value.is_nan() { value } else { 0.0 };
    }
    if a > LARGE {
        let center = digamma(a);
        let weight = |t: f64| t.ln() - center;
        return if x < a { left_tail(a, x, weight) } else { -right_tail(a, x, weight) };
    }
    if x < a + 1.0 {
        let (mut term, mut sum, mut harmonic, mut derivative) = (1.0, 1.0, 0.0, 0.0);
        for k in 1..TERMS {
            let k = a + k as f64;
            term *= x / k;
            harmonic += 1.0 / k;
            sum += term;
            derivative -= term * harmonic;
            if term * harmonic.max(1.0) < sum * f64::EPSILON / 4.0 {
                break;
            }
        }
        return power(a, x) * ((x.ln() - digamma(a + 1.0)) * sum + derivative);
    }
    let (value, derivative) = fraction(a, x);
    -power(a, x) * a * ((x.ln() - digamma(a)) * value + derivative)
}

/// The derivative of a gamma-distributed sample with respect to `a`, at a fixed quantile.
pub fn sample_grad_a(a: f64, sample: f64) -> f64 {
    if sample == 0.0 {
        return 0.0;
    }
    if let Some(value) = border(a, sample) {
        return if value.is_nan() { value } else { 0.0 };
    }
    -igamma_grad_a(a, sample) / density(a, sample)
}
