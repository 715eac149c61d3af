//! The Hurwitz zeta function and the polygamma functions.

use super::gamma::{digamma, lgamma};

/// The sum of `(q + k)^-x` over `k >= 0`, by the Euler-Maclaurin formula.
pub fn zeta(x: f64, q: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    if x.is_nan() || q.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if q > 0.0 {
        return from_positive(x, q);
    }
    if q == q.floor() {
        // A pole: the same from both sides only for even exponents.
        return if x == x.floor() && x % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    if x != x.floor() {
        return f64::NAN;
    }
    // The terms below zero are the tail of a series in the opposite direction.
    let fraction = q - q.floor();
    let below = from_positive(x, 1.0 - fraction) - from_positive(x, 1.0 - q);
    from_positive(x, fraction) + if x % 2.0 == 0.0 { below } else { -below }
}

fn from_positive(x: f64, q: f64) -> f64 {
    if x.is_infinite() {
        return if q > 1.0 {
            0.0
        } else if q == 1.0 {
            1.0
        } else {
            f64::INFINITY
        };
    }
    // (2k)! / B(2k)
    const SERIES: [f64; 12] = [
        12.0,
        -720.0,
        30_240.0,
        -1_209_600.0,
        47_900_160.0,
        -1_892_437_580.318_379_3,
        74_724_249_600.0,
        -2_950_130_727_918.164,
        116_467_828_143_500.67,
        -4_597_978_722_407_472.5,
        181_521_054_019_435_460.0,
        -7_166_165_256_175_667_000.0,
    ];
    let (mut sum, mut a) = (0.0, q);
    while a < 10.0 {
        sum += a.powf(-x);
        a += 1.0;
    }
    let last = a.powf(-x);
    sum += last * a / (x - 1.0) + last / 2.0;
    let mut factor = x * last / a;
    for (k, c) in SERIES.iter().enumerate() {
        let term = factor / c;
        sum += term;
        if term.abs() < sum.abs() * f64::EPSILON / 4.0 {
            break;
        }
        let k = 2.0 * k as f64;
        factor *= (x + k + 1.0) * (x + k + 2.0) / (a * a);
    }
    sum
}

/// The `n`-th derivative of the digamma function.
pub fn polygamma(n: f64, x: f64) -> f64 {
    if n != n.floor() {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma(x);
    }
    let zeta = zeta(n + 1.0, x);
    let size = if n < 150.0 { libm::tgamma(n + 1.0) * zeta } else { (lgamma(n + 1.0) + zeta.ln()).exp() };
    if n % 2.0 == 0.0 { -size } else { size }
}
