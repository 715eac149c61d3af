//! Branch-free special functions of `f32`, so that loops over them vectorize: computed in `f64` and rounded once at the
//! end, as in [`wide_math`](crate::elementwise::wide_math). Errors are in units in the last place.
//!
//! The polynomials are fitted to the functions by `singles_coefficients.py`, over the intervals that its output names.
//! That the inverse error function divided by its argument is nearly a polynomial in `log(1 - y^2)`, and farther out in
//! its square root, is from Giles, "Approximating the erfinv function" (GPU Computing Gems, 2011). Zeros, infinities
//! and NaN occur for the same arguments as in the `f64` versions.

use super::singles_coefficients as of;
use crate::elementwise::wide_math::exp;
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// The polynomial with these coefficients, constant term first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum.mul_add(x, coefficients[i]);
    }
    sum
}

/// The polynomial fitted over `[low, high]`.
#[inline(always)]
fn fitted<const N: usize>(coefficients: &[f64; N], x: f64, low: f64, high: f64) -> f64 {
    polynomial(coefficients, x.mul_add(2.0 / (high - low), -(high + low) / (high - low)))
}

/// The natural logarithm of a positive, normal, finite number, within about 2 units of `f64`.
#[inline(always)]
fn ln(x: f64) -> f64 {
    // Adding this to a small integer leaves the integer in the low bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    // The natural logarithm of 2, split so that multiples of the first part are exact.
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // The series of the inverse hyperbolic tangent.
    const SERIES: [f64; 10] = [
        2.0 / 3.0,
        2.0 / 5.0,
        2.0 / 7.0,
        2.0 / 9.0,
        2.0 / 11.0,
        2.0 / 13.0,
        2.0 / 15.0,
        2.0 / 17.0,
        2.0 / 19.0,
        2.0 / 21.0,
    ];
    // The mantissa between sqrt(1/2) and sqrt(2), and the matching exponent.
    const ROOT: i64 = FRAC_1_SQRT_2.to_bits() as i64;
    let bits = (x.to_bits() as i64).wrapping_sub(ROOT);
    let exponent = f64::from_bits(((bits >> 52) as u64).wrapping_add(WHOLE.to_bits())) - WHOLE;
    let less = f64::from_bits(((bits & 0x000f_ffff_ffff_ffff) + ROOT) as u64) - 1.0;
    let t = less / (less + 2.0);
    let square = t * t;
    // `log(1 + d) = d - t (d - tail)` for `t = d / (2 + d)`.
    let tail = square * polynomial(&SERIES, square);
    let near = t.mul_add(tail - less, less);
    exponent.mul_add(LN_2_HIGH, exponent.mul_add(LN_2_LOW, near))
}

/// The inverse of the error function, within 0.51 units.
#[inline(always)]
pub fn erfinv(y: f32) -> f32 {
    let y = f64::from(y);
    let size = y.abs();
    let inside = if size < 1.0 { size } else { 0.5 };
    let w = -ln(inside.mul_add(-inside, 1.0));
    let near = fitted(&of::ERFINV_NEAR, w, 0.0, 6.0);
    let far = fitted(&of::ERFINV_FAR, w.sqrt(), 2.4, 4.1);
    let x = y * if w < 6.0 { near } else { far };
    let x = if size < 1.0 { x } else { f64::NAN };
    (if size == 1.0 { f64::INFINITY.copysign(y) } else { x }) as f32
}

/// The quantile function of the standard normal distribution, within 0.52 units.
#[inline(always)]
pub fn ndtri(p: f32) -> f32 {
    let p = f64::from(p);
    let is_inside = p > 0.0 && p < 1.0;
    let inside = if is_inside { p } else { 0.5 };
    // The inverse error function at `2 p - 1`; 1 minus the square of that argument is `4 p (1 - p)`.
    let w = -ln(4.0 * inside * (1.0 - inside));
    let root = w.sqrt();
    let near = fitted(&of::ERFINV_NEAR, w, 0.0, 6.0);
    let far = fitted(&of::ERFINV_FAR, root, 2.4, 4.1);
    let farthest = fitted(&of::NDTRI_FAR, root, 4.0, 10.3);
    let far = if w < 16.5 { far } else { farthest };
    let x = (p - 0.5) * (2.0 * SQRT_2) * if w < 6.0 { near } else { far };
    let x = if is_inside { x } else { f64::NAN };
    let x = if p == 0.0 { f64::NEG_INFINITY } else { x };
    (if p == 1.0 { f64::INFINITY } else { x }) as f32
}

#[inline(always)]
fn i0e_wide(size: f64) -> f64 {
    let near = fitted(&of::I0E_NEAR, size, 0.0, 8.0);
    let far = fitted(&of::I0E_FAR, 8.0 / size, 0.0, 1.0) / size.sqrt();
    if size <= 8.0 { near } else { far }
}

#[inline(always)]
fn i1e_wide(size: f64) -> f64 {
    let near = size * fitted(&of::I1E_NEAR, size, 0.0, 8.0);
    let far = fitted(&of::I1E_FAR, 8.0 / size, 0.0, 1.0) / size.sqrt();
    if size <= 8.0 { near } else { far }
}

/// `exp(-|x|) I0(x)`, within 0.52 units.
#[inline(always)]
pub fn i0e(x: f32) -> f32 {
    i0e_wide(f64::from(x.abs())) as f32
}

/// `exp(-|x|) I1(x)`, within 0.52 units.
#[inline(always)]
pub fn i1e(x: f32) -> f32 {
    i1e_wide(f64::from(x.abs())).copysign(x.into()) as f32
}

/// The modified Bessel function of the first kind of order 0, within 0.52 units. NaN for infinities.
#[inline(always)]
pub fn i0(x: f32) -> f32 {
    let size = f64::from(x.abs());
    (exp(size) * i0e_wide(size)) as f32
}

/// The modified Bessel function of the first kind of order 1, within 0.52 units. NaN for infinities.
#[inline(always)]
pub fn i1(x: f32) -> f32 {
    let size = f64::from(x.abs());
    (exp(size) * i1e_wide(size)).copysign(x.into()) as f32
}

/// A function of the second kind: `near` up to 2 and the series `far` from there on, each times its scale.
#[inline(always)]
fn second_kind(x: f32, near: impl Fn(f64) -> f64, far: &[f64; 13], scales: (f64, f64)) -> f32 {
    let x = f64::from(x);
    let inside = if x > 0.0 { x } else { 1.0 };
    let near = near(if inside <= 2.0 { inside } else { 2.0 }) * scales.0;
    let far = fitted(far, 2.0 / inside, 0.0, 1.0) / inside.sqrt() * scales.1;
    let value = if x > 2.0 { far } else { near };
    let value = if x <= 0.0 { f64::INFINITY } else { value };
    (if x.is_nan() { x } else { value }) as f32
}

#[inline(always)]
fn k0_near(x: f64) -> f64 {
    let square = x * x;
    fitted(&of::K0_NEAR, square, 0.0, 4.0) - ln(x / 2.0) * fitted(&of::I0_LEAST, square, 0.0, 4.0)
}

#[inline(always)]
fn k1_near(x: f64) -> f64 {
    let square = x * x;
    fitted(&of::K1_NEAR, square, 0.0, 4.0) / x + ln(x / 2.0) * x * fitted(&of::I1_LEAST, square, 0.0, 4.0)
}

/// The modified Bessel function of the second kind of order 0, within 0.52 units.
#[inline(always)]
pub fn k0(x: f32) -> f32 {
    second_kind(x, k0_near, &of::K0E_FAR, (1.0, exp(-f64::from(x))))
}

/// The modified Bessel function of the second kind of order 1, within 0.52 units.
#[inline(always)]
pub fn k1(x: f32) -> f32 {
    second_kind(x, k1_near, &of::K1E_FAR, (1.0, exp(-f64::from(x))))
}

/// `exp(x) K0(x)`, within 0.52 units.
#[inline(always)]
pub fn k0e(x: f32) -> f32 {
    second_kind(x, k0_near, &of::K0E_FAR, (exp(x.into()), 1.0))
}

/// `exp(x) K1(x)`, within 0.52 units.
#[inline(always)]
pub fn k1e(x: f32) -> f32 {
    second_kind(x, k1_near, &of::K1E_FAR, (exp(x.into()), 1.0))
}

/// The sine and the cosine of `pi |x|`, for `|x| <= 1/2`.
#[inline(always)]
fn of_half_turns(x: f64) -> (f64, f64) {
    // Taylor series of the sine and the cosine.
    const SINE: [f64; 8] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    const COSINE: [f64; 8] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
    ];
    let size = x.abs();
    let is_small = size < 0.25;
    let angle = PI * if is_small { size } else { 0.5 - size };
    let square = angle * angle;
    let (sine, cosine) = (angle * polynomial(&SINE, square), polynomial(&COSINE, square));
    if is_small { (sine, cosine) } else { (cosine, sine) }
}

/// `pi / tan(pi x)` for `|x| <= 1/2` other than 0.
#[inline(always)]
fn pi_over_tangent(x: f64) -> f64 {
    let (sine, cosine) = of_half_turns(x);
    (PI * cosine / sine).copysign(x)
}

/// The derivative of the logarithm of the gamma function, within 0.51 units except for a few more next to its zeros: by
/// reflection for negative arguments, by recurrence, and from 6 on by the asymptotic series (Abramowitz and Stegun
/// 6.3.7, 6.3.5 and 6.3.18).
#[inline(always)]
pub fn digamma(x: f32) -> f32 {
    // B(2k) / 2k
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32_760.0,
        1.0 / 12.0,
        -3617.0 / 8_160.0,
    ];
    let x = f64::from(x);
    let is_finite = x.abs() < f64::INFINITY;
    let inside = if is_finite { x } else { 1.0 };
    let positive = if inside > 0.0 { inside } else { 1.0 - inside };
    // The sum of `1 / (x + k)` as one fraction. For large arguments it is negligible, and its parts would overflow.
    let capped = if positive < 1e30 { positive } else { 1e30 };
    let (mut above, mut below) = (1f64, capped);
    for k in 1..6 {
        let next = capped + f64::from(k);
        above = above.mul_add(next, below);
        below *= next;
    }
    let shifted = positive + 6.0;
    let inverse = 1.0 / shifted;
    let square = inverse * inverse;
    let tail = inverse.mul_add(0.5, square * polynomial(&SERIES, square));
    let value = ln(shifted) - above / below - tail;
    let rest = inside - inside.round_ties_even();
    let reflected = value - pi_over_tangent(rest);
    let reflected = if rest == 0.0 { f64::NAN } else { reflected };
    let value = if inside > 0.0 { value } else { reflected };
    let other = if x > 0.0 { x } else { f64::NAN };
    (if is_finite { value } else { other }) as f32
}

/// The logarithm of the absolute value of the gamma function, within 0.51 units except for a few more next to its zeros
/// below 0: by a polynomial next to its zeros at 1 and 2, by reflection for negative arguments, by recurrence, and from 8
/// on by Stirling's series (Abramowitz and Stegun 6.1.17, 6.1.15 and 6.1.41).
#[inline(always)]
pub fn lgamma(x: f32) -> f32 {
    // B(2k) / (2k (2k - 1))
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1_260.0,
        -1.0 / 1_680.0,
        1.0 / 1_188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
        -3617.0 / 122_400.0,
    ];
    /// Half the logarithm of `2 pi`.
    const HALF_LN_TAU: f64 = 0.918_938_533_204_672_7;
    let x = f64::from(x);
    let is_finite = x.abs() < f64::INFINITY;
    let inside = if is_finite { x } else { 1.5 };
    let is_positive = inside > 0.0;
    let positive = if is_positive { inside } else { 1.0 - inside };
    // For large arguments the product is negligible, and would overflow.
    let capped = if positive < 1e30 { positive } else { 1e30 };
    let product = (1..8).fold(capped, |product, k| product * (capped + f64::from(k)));
    let rest = inside - inside.round_ties_even();
    let is_pole = !is_positive && rest == 0.0;
    let sine = of_half_turns(if is_pole { 0.5 } else { rest }).0;
    let factor = if is_positive { product } else { product * PI / sine };
    let shifted = positive + 8.0;
    let inverse = 1.0 / shifted;
    let tail = inverse * polynomial(&SERIES, inverse * inverse);
    let stirling = (shifted - 0.5).mul_add(ln(shifted), -shifted) + (HALF_LN_TAU + tail);
    let value = stirling - ln(factor);
    let value = if is_positive { value } else { -value };
    // The sum has no negative zeros.
    let near = (inside - 1.0) * (inside - 2.0) * fitted(&of::LGAMMA_NEAR, inside, 0.9, 2.1) + 0.0;
    let value = if inside > 0.9 && inside < 2.1 { near } else { value };
    let value = if is_pole { f64::INFINITY } else { value };
    let other = if x.is_nan() { x } else { f64::INFINITY };
    (if is_finite { value } else { other }) as f32
}
