//! Branch-free functions of `f32`, so that loops over them are vectorized. Products are added with fused multiply-add,
//! rounded once, which yields the same bits on every machine; it is an instruction if the loop is compiled for
//! machines that have it ([`vectorized!`](crate::vectorized)). Errors are in units in the last place (ulp) relative to
//! the exact value.

use super::coefficients as of;
use std::f32::consts::{FRAC_PI_2, LOG2_E, PI};

/// Adding this to a float of small magnitude rounds it to an integer, which is then in the low bits.
const ROUND: f32 = 12_582_912.0;
/// The natural logarithm of 2, split so that multiples of the first part are exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Returns `x * y + z`, rounded once.
#[inline(always)]
pub(super) fn fused(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}

/// Returns `r` and `n` with `x = r + n ln(2)`, where `|r| <= ln(2) / 2`.
#[inline(always)]
fn reduce(x: f32) -> (f32, i32) {
    let rounded = fused(x, LOG2_E, ROUND);
    let n = rounded - ROUND;
    let bits = (rounded.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    (fused(n, -LN_2_LOW, fused(n, -LN_2_HIGH, x)), bits)
}

/// Returns `exp(r) - 1`, for `|r| <= ln(2) / 2`.
#[inline(always)]
fn near_zero(r: f32) -> f32 {
    let p = fused(1.987_569_1e-4, r, 1.398_199_9e-3);
    let p = fused(p, r, 8.333_452e-3);
    let p = fused(p, r, 4.166_579_6e-2);
    let p = fused(p, r, 1.666_666_5e-1);
    fused(r * r, fused(p, r, 0.5), r)
}

/// Returns `2^n` for `-126 <= n <= 127`.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// Returns `e^x`, within 1.1 ulp.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // Outside these bounds the result is infinite or zero. The comparisons are false for NaN, which keeps it.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let (r, n) = reduce(x);
    let y = 1.0 + near_zero(r);
    // In two steps, because the power alone may be out of range.
    let half = n >> 1;
    y * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// Returns `e^x` for `x <= 0`: the bits of [`exp`] for normal results, and 0 below.
#[inline(always)]
pub fn exp_below_zero(x: f32) -> f32 {
    // The logarithm of the smallest normal number, rounded up.
    const LEAST: f32 = -87.33;
    let (r, n) = reduce(x);
    let y = (1.0 + near_zero(r)) * power_of_two(n);
    if x < LEAST { 0.0 } else { y }
}

/// Returns `e^x - 1`, within 2 ulp.
#[inline(always)]
pub fn exp_m1(x: f32) -> f32 {
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -18.0 { -18.0 } else { x };
    let (r, n) = reduce(x);
    let near = near_zero(r);
    // The smaller power first: doubling it overflows exactly when the result does.
    let power = power_of_two(n.wrapping_sub(1));
    let y = fused(power, near, power - 0.5) * 2.0;
    if n == 0 { near } else { y }
}

/// Returns the natural logarithm, within 1 ulp.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    const SUBNORMAL: f32 = 8_388_608.0;
    let tiny = x < f32::MIN_POSITIVE;
    let scaled = if tiny { x * SUBNORMAL } else { x };
    // The mantissa in the range from sqrt(1/2) to sqrt(2), and the corresponding exponent.
    let bits = (scaled.to_bits() as i32).wrapping_sub(0x3f35_04f3);
    let exponent = (bits >> 23) as f32 - if tiny { 23.0 } else { 0.0 };
    let m = f32::from_bits(((bits & 0x007f_ffff) + 0x3f35_04f3) as u32) - 1.0;
    let p = fused(7.037_683_6e-2, m, -1.151_461e-1);
    let p = fused(p, m, 1.167_699_84e-1);
    let p = fused(p, m, -1.242_014_1e-1);
    let p = fused(p, m, 1.424_932_3e-1);
    let p = fused(p, m, -1.666_805_8e-1);
    let p = fused(p, m, 2.000_071_4e-1);
    let p = fused(p, m, -2.499_999_4e-1);
    let p = fused(p, m, 3.333_333e-1);
    let square = m * m;
    let tail = fused(-0.5, square, fused(exponent, LN_2_LOW, p * m * square));
    let y = fused(exponent, LN_2_HIGH, m + tail);
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    let y = if x < 0.0 { f32::NAN } else { y };
    if x < f32::INFINITY || x.is_nan() { if x.is_nan() { x } else { y } } else { x }
}

/// Returns `ln(1 + x)`, within 3 ulp.
#[inline(always)]
pub fn ln_1p(x: f32) -> f32 {
    let rounded = 1.0 + x;
    // The rounding error of the argument is compensated by a factor.
    let y = ln(rounded) * (x / (rounded - 1.0));
    let y = if rounded == 1.0 { x } else { y };
    if x == f32::INFINITY { x } else { y }
}

/// Returns `ln(1 + e^x)`, within 3 ulp.
#[inline(always)]
pub fn softplus(x: f32) -> f32 {
    let positive = if x < 0.0 { 0.0 } else { x };
    positive + ln_1p(exp(-x.abs()))
}

/// Returns `1 / (1 + e^-x)`, within 2.5 ulp.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let small = exp(-x.abs());
    let numerator = if x < 0.0 { small } else { 1.0 };
    numerator / (1.0 + small)
}

/// Returns the hyperbolic tangent, within 2.5 ulp.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let size = x.abs();
    let capped = if size > 10.0 { 10.0 } else { size };
    // `e^2x - 1` of an argument that is neither negative nor large.
    let (r, n) = reduce(capped + capped);
    let power = power_of_two(n);
    let y = fused(power, near_zero(r), power - 1.0);
    (y / (y + 2.0)).copysign(x)
}

/// Evaluates a polynomial with these coefficients, constant term first.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = fused(sum, x, coefficients[i]);
    }
    sum
}

/// Defines the complementary error function for a float type, given an argument for which it is 0 and the coefficients
/// for arguments below it.
macro_rules! complementary_error_function {
    ($float:ident, $zero:literal, $coefficients:expr, $error:literal) => {
        #[doc = concat!("Returns `1 - erf(x)`, ", $error, ".")]
        ///
        /// After Shepherd and Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, 1981.
        #[inline(always)]
        pub fn erfc(x: $float) -> $float {
            // The comparison is false for NaN, which keeps it.
            let size = if x.abs() > $zero { $zero } else { x.abs() };
            let (above, scale) = (size + 3.0, fused(size, 2.0, 1.0));
            // One division for both quotients.
            let both = 1.0 / (above * scale);
            let t = (size + size) * scale * both;
            let inverse = above * both;
            let inverse = fused(fused(-scale, inverse, 1.0), inverse, inverse);
            let scaled = fused(polynomial($coefficients, t - 1.0), t, 1.0) * inverse;
            let square = size * size;
            let (r, n) = reduce(-square);
            // Less the rounding error of the square.
            let near = near_zero(r - fused(size, size, -square));
            let half = n >> 1;
            let tail = fused(scaled, near, scaled) * power_of_two(half) * power_of_two(n.wrapping_sub(half));
            if x < 0.0 { 2.0 - tail } else { tail }
        }
    };
}
pub(super) use complementary_error_function;

complementary_error_function!(f32, 10.3, &of::ERFC_F32, "within 3.5 ulp");

/// Defines the inverse tangent and the angle of a vector for a float type, given a size whose double is finite and the
/// coefficients for the tangents of at most `pi / 8`.
macro_rules! angles {
    ($float:ident, $large:literal, $coefficients:expr, $error:literal) => {
        /// Returns the angle of a vector whose components are not negative.
        #[inline(always)]
        fn angle(rise: $float, run: $float) -> $float {
            const TAN_PI_8: $float = std::$float::consts::SQRT_2 - 1.0;
            let is_steep = rise > run;
            let (small, large) = if is_steep { (run, rise) } else { (rise, run) };
            // Sums do not overflow then.
            let scale = if large > $large { 0.25 } else { 1.0 };
            let (small, large) = (scale * small, scale * large);
            let is_middle = small > TAN_PI_8 * large || small == $float::INFINITY;
            // The tangent of an angle that is smaller by a quarter of pi.
            let above = if is_middle { small - large } else { small };
            let above = if small == $float::INFINITY { 0.0 } else { above };
            let below = if is_middle { small + large } else { large };
            let below = if large == 0.0 { 1.0 } else { below };
            let tangent = above / below;
            let square = tangent * tangent;
            let angle = fused(tangent * square, polynomial($coefficients, square), tangent);
            let angle = angle + if is_middle { std::$float::consts::FRAC_PI_4 } else { 0.0 };
            if is_steep { std::$float::consts::FRAC_PI_2 - angle } else { angle }
        }

        #[doc = concat!("Returns the inverse tangent, ", $error, ".")]
        #[inline(always)]
        pub fn atan(x: $float) -> $float {
            angle(x.abs(), 1.0).copysign(x)
        }

        #[doc = concat!("Returns the angle of the vector `(x, y)`, ", $error, ".")]
        #[inline(always)]
        pub fn atan2(y: $float, x: $float) -> $float {
            let angle = angle(y.abs(), x.abs());
            (if x.is_sign_negative() { std::$float::consts::PI - angle } else { angle }).copysign(y)
        }
    };
}
pub(super) use angles;

angles!(f32, 1e38, &of::ATAN_SMALL_F32, "within 2.5 ulp");

/// Returns the inverse sine of a magnitude, or of the square root of half its distance from 1 if the magnitude is above
/// 1/2, and whether it is.
#[inline(always)]
fn asin_of_less(size: f32) -> (f32, bool) {
    let is_large = size > 0.5;
    let square = if is_large { 0.5 * (1.0 - size) } else { size * size };
    let sine = if is_large { square.sqrt() } else { size };
    (fused(sine * square, polynomial(&of::ASIN_F32, square), sine), is_large)
}

/// Returns the inverse sine, within 2.5 ulp.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let (angle, is_large) = asin_of_less(x.abs());
    (if is_large { fused(angle, -2.0, FRAC_PI_2) } else { angle }).copysign(x)
}

/// Returns the inverse cosine, within 2 ulp.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let (angle, is_large) = asin_of_less(x.abs());
    let near_one = 2.0 * angle;
    let near_end = if x < 0.0 { PI - near_one } else { near_one };
    if is_large { near_end } else { FRAC_PI_2 - angle.copysign(x) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the maximum error in ulp over floats sampled from the whole range of bit patterns.
    pub fn worst(
        fast: impl Fn(f32) -> f32,
        exact: impl Fn(f64) -> f64,
        inputs: impl Iterator<Item = f32>,
    ) -> (f64, f32) {
        let mut worst = (0.0, 0.0);
        for x in inputs {
            let (found, expected) = (fast(x), exact(x.into()));
            let rounded = expected as f32;
            if rounded.is_nan() || rounded.is_infinite() || rounded == 0.0 {
                assert!(found.is_nan() == rounded.is_nan(), "{x}: {found}, not {rounded}");
                let near = rounded.is_infinite() && f64::from(found) >= 3.4e38 || rounded == 0.0 && found.abs() < 3e-45;
                assert!(rounded.is_nan() || found == rounded || near, "{x}: {found}, not {rounded}");
                continue;
            }
            let unit = f64::from(rounded.abs().next_up()) - f64::from(rounded.abs());
            let error = (f64::from(found) - expected).abs() / unit;
            if error > worst.0 {
                worst = (error, x);
            }
        }
        worst
    }

    pub fn every(step: usize) -> impl Iterator<Item = f32> {
        (0..=u32::MAX).step_by(step).map(f32::from_bits)
    }

    /// The sampling step: larger in debug builds, which are slow, as is emulated fused multiply-add.
    pub fn step() -> usize {
        if cfg!(debug_assertions) { 40_009 } else { 389 }
    }

    pub fn check(name: &str, limit: f64, (error, at): (f64, f32)) {
        assert!(error <= limit, "{name} is off by {error} units at {at}");
        println!("{name}: {error:.2} units at {at}");
    }

    #[test]
    fn errors_are_small() {
        let step = step();
        check("exp", 1.1, worst(exp, f64::exp, every(step)));
        check("exp_m1", 2.0, worst(exp_m1, f64::exp_m1, every(step)));
        check("ln", 1.0, worst(ln, f64::ln, every(step)));
        check("ln_1p", 3.0, worst(ln_1p, f64::ln_1p, every(step)));
        check("softplus", 3.0, worst(softplus, |x| x.max(0.0) + (-x.abs()).exp().ln_1p() + (x - x), every(step)));
        let exact = |x: f64| if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) };
        check("sigmoid", 2.5, worst(sigmoid, exact, every(step)));
        check("atan", 2.5, worst(atan, f64::atan, every(step)));
        check("atan2", 2.5, worst(|y| atan2(y, -0.7), |y| y.atan2(f64::from(-0.7f32)), every(step)));
        check("asin", 2.5, worst(asin, f64::asin, every(step)));
        check("acos", 2.0, worst(acos, f64::acos, every(step)));
        check("erfc", 3.5, worst(erfc, libm::erfc, every(step)));
        check("tanh", 2.5, worst(tanh, f64::tanh, every(step)));
    }
}
