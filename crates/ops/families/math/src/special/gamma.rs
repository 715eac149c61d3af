//! The logarithm of the gamma function and its derivative.

/// The logarithm of the absolute value of the gamma function; infinity at its poles.
pub fn lgamma(x: f64) -> f64 {
    if x.is_infinite() {
        return f64::INFINITY;
    }
    libm::lgamma(x)
}

/// The derivative of the logarithm of the gamma function: recurrence up to 10, the asymptotic series from there
/// (Abramowitz and Stegun 6.3.18), and reflection for negative arguments. NaN at the poles.
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        // The cotangent's period is an interval between poles; measured from the nearest pole, which rounds nothing.
        let fraction = x - x.round();
        if fraction == 0.0 || x.is_infinite() {
            return f64::NAN;
        }
        let angle = std::f64::consts::PI * fraction;
        return digamma(1.0 - x) - std::f64::consts::PI * angle.cos() / angle.sin();
    }
    if x.is_infinite() {
        return x;
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    // B(2k) / 2k
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];
    let square = 1.0 / (x * x);
    let tail = SERIES.iter().rev().fold(0.0, |sum, c| (sum + c) * square);
    sum + x.ln() - 0.5 / x - tail
}

/// `lgamma(a + 1)` minus `(a + 1/2) log(a) - a + log(2 pi) / 2`, for `a >= 10`: Stirling's series.
pub(super) fn stirling(a: f64) -> f64 {
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
    let square = 1.0 / (a * a);
    SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / a
}

/// The log-gamma of a positive number as a value and the argument of a logarithm to subtract from it: by recurrence to
/// where Stirling's series holds. Nearly double precision, except for results near 0.
#[inline(always)]
pub(super) fn lgamma_parts(x: f64) -> (f64, f64) {
    const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;
    let near = x < 10.0;
    let factors = x * (x + 1.0) * ((x + 2.0) * (x + 3.0)) * ((x + 4.0) * (x + 5.0)) * (x + 6.0);
    let (shifted, factor) = if near { (x + 7.0, factors) } else { (x, 1.0) };
    ((shifted - 0.5) * shifted.ln() - shifted + HALF_LN_TAU + stirling(shifted), factor)
}

/// `log(1 + d) - d`, accurate near 0.
pub(super) fn ln_1p_less(d: f64) -> f64 {
    if d.abs() > 0.4 {
        return d.ln_1p() - d;
    }
    let r = d / (2.0 + d);
    let square = r * r;
    let mut sum = 0.0;
    for k in (1..16).rev() {
        sum = sum * square + 1.0 / f64::from(2 * k + 1);
    }
    2.0 * r * square * sum - r * d
}
