//! Functions defined by integrals: Dawson's integral, the exponential integral, Fresnel integrals and the dilogarithm.

use super::chebyshev;
use super::coefficients as c;
use std::f64::consts::{FRAC_PI_2, PI};

/// Dawson's integral, `exp(-x^2)` times the integral of `exp(t^2)` from 0 to `x`: G. Rybicki, "Dawson's integral and
/// the sampling theorem" (1989); the series at 0 and at infinity.
pub fn dawson(x: f64) -> f64 {
    const STEP: f64 = 0.25;
    let size = x.abs();
    if size < 0.3 {
        let square = x * x;
        let sum = (1..14).rev().fold(1.0, |sum, k| 1.0 - sum * square * 2.0 / f64::from(2 * k + 1));
        return x * sum;
    }
    if size > 20.0 {
        let inverse = 1.0 / (2.0 * size * size);
        let sum = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0].iter().fold(1.0, |sum, k| 1.0 + sum * inverse * k);
        return 0.5 / x * sum;
    }
    // Centered on the even multiple of the step nearest x, so that the terms on both sides are the odd ones.
    let nearest = 2.0 * (size / STEP / 2.0).round();
    let offset = size - nearest * STEP;
    let mut sum = 0.0;
    for k in 0..14 {
        let n = f64::from(2 * k + 1);
        let term = |n: f64| (-(offset - n * STEP).powi(2)).exp() / (nearest + n);
        sum += term(n) + term(-n);
    }
    (sum / PI.sqrt()).copysign(x)
}

/// The exponential integral `Ei`; NaN for negative arguments and infinity.
pub fn expint(x: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if x < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x <= 40.0 {
        let (mut power, mut sum) = (1.0, 0.0);
        for k in 1..200 {
            let k = f64::from(k);
            power *= x / k;
            sum += power / k;
            if power / k < sum * f64::EPSILON / 4.0 {
                break;
            }
        }
        return EULER + x.ln() + sum;
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        term *= f64::from(k) / x;
        sum += term;
        if term < f64::EPSILON / 4.0 {
            break;
        }
    }
    // The exponential overflows a little before the result does.
    (x / 2.0).exp() * sum / x * (x / 2.0).exp()
}

/// The Fresnel integrals of `sin(pi t^2 / 2)` and `cos(pi t^2 / 2)` from 0 to `x`.
fn fresnel(x: f64) -> (f64, f64) {
    let size = x.abs();
    if size > 1e15 {
        return (0.5f64.copysign(x), 0.5f64.copysign(x));
    }
    if size < 1.5 {
        return fresnel_series(x);
    }
    let square = size * size;
    let (f, g) = if size < 3.0 {
        let t = (2.25 / square).powi(2);
        let t = (t - 0.062_5) / (1.0 - 0.062_5) * 2.0 - 1.0;
        (chebyshev(&c::FRESNEL_F_NEAR, t), chebyshev(&c::FRESNEL_G_NEAR, t))
    } else {
        let t = (9.0 / square).powi(2) * 2.0 - 1.0;
        (chebyshev(&c::FRESNEL_F_FAR, t), chebyshev(&c::FRESNEL_G_FAR, t))
    };
    let (f, g) = (f / (PI * size), g / (PI * PI * size * square));
    // The square modulo 4, free of the square's rounding error.
    let rest = size.mul_add(size, -square);
    let (sin, cos) = (FRAC_PI_2 * (square % 4.0 + rest)).sin_cos();
    ((0.5 - f * cos - g * sin).copysign(x), (0.5 + f * sin - g * cos).copysign(x))
}

/// The power series (Abramowitz and Stegun 7.3.11 and 7.3.13).
fn fresnel_series(x: f64) -> (f64, f64) {
    let angle = FRAC_PI_2 * x * x;
    let square = angle * angle;
    let (mut sin, mut cos) = (0.0, 0.0);
    let mut term = x;
    for k in 0..24 {
        let k = f64::from(k);
        cos += term / (4.0 * k + 1.0);
        sin += term * angle / (2.0 * k + 1.0) / (4.0 * k + 3.0);
        term *= -square / ((2.0 * k + 1.0) * (2.0 * k + 2.0));
    }
    (sin, cos)
}

/// The integral of `sin(pi t^2 / 2)` from 0 to `x`.
pub fn fresnel_sin(x: f64) -> f64 {
    fresnel(x).0
}

/// The integral of `cos(pi t^2 / 2)` from 0 to `x`.
pub fn fresnel_cos(x: f64) -> f64 {
    fresnel(x).1
}

/// The dilogarithm of `1 - x`: reflection and inversion to `[1/2, 2]`, then the series in Bernoulli numbers.
pub fn spence(x: f64) -> f64 {
    if x < 0.0 || x.is_nan() || x.is_infinite() {
        f64::NAN
    } else if x == 0.0 {
        PI * PI / 6.0
    } else if x < 0.5 {
        PI * PI / 6.0 - x.ln() * (-x).ln_1p() - spence(1.0 - x)
    } else if x > 2.0 {
        let log = x.ln();
        -spence(1.0 / x) - log * log / 2.0
    } else {
        // B(2k) / (2k + 1)!
        const SERIES: [f64; 8] = [
            1.0 / 36.0,
            -1.0 / 3600.0,
            1.0 / 211_680.0,
            -1.0 / 10_886_400.0,
            5.0 / (66.0 * 39_916_800.0),
            -691.0 / (2730.0 * 6_227_020_800.0),
            7.0 / (6.0 * 1_307_674_368_000.0),
            -3617.0 / (510.0 * 355_687_428_096_000.0),
        ];
        let u = -x.ln();
        let square = u * u;
        let tail = SERIES.iter().rev().fold(0.0, |sum, c| (sum + c) * square);
        u - square / 4.0 + u * tail
    }
}
