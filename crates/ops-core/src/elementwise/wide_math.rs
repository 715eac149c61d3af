//! Branch-free functions computed in `f64`, so that loops over them are vectorized: functions of `f32`, rounded once
//! at the end, and of `f64`. As in [`vector_math`](super::vector_math), products are added with fused multiply-add,
//! which yields the same bits on every machine, and errors are in units in the last place (ulp).

use super::coefficients as of;
use std::f64::consts::{FRAC_PI_2, LOG2_E};

/// Adding this to a value of small magnitude rounds it to an integer, which is then in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// The natural logarithm of 2, split so that multiples of the first part are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Returns `x * y + z`, rounded once.
#[inline(always)]
fn fused(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z)
}

/// Evaluates a polynomial with these coefficients, constant term first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = fused(sum, x, coefficients[i]);
    }
    sum
}

/// Returns the integer nearest to a value of small magnitude, as a float and as an integer.
#[inline(always)]
fn round(x: f64) -> (f64, i64) {
    let rounded = x + ROUND;
    (rounded - ROUND, (rounded.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64))
}

/// Returns `2^n` for `-1022 <= n <= 1023`.
#[inline(always)]
const fn power_of_two(n: i64) -> f64 {
    f64::from_bits((n.wrapping_add(1023) as u64) << 52)
}

/// Returns `2^x + add`, for `-1000 <= x <= 1000`.
#[inline(always)]
fn exp2(x: f64, add: f64) -> f64 {
    let (whole, n) = round(x);
    let rest = x - whole;
    let power = power_of_two(n);
    fused(power, rest * polynomial(&of::EXP2, rest), power + add)
}

/// Clamps a value. The comparisons are false for NaN, which keeps it.
#[inline(always)]
fn within(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Returns the logarithm to the base 2 of a value that is neither negative nor subnormal.
#[inline(always)]
fn log2(x: f64) -> f64 {
    // The mantissa in the range from sqrt(1/2) to sqrt(2), and the corresponding exponent.
    const ROOT: i64 = 0x3fe6_a09e_667f_3bcd;
    let bits = (x.to_bits() as i64).wrapping_sub(ROOT);
    // The exponent is a small integer, so no conversion is needed that some machines lack for vectors.
    let exponent = f64::from_bits(((bits >> 52) as u64).wrapping_add(ROUND.to_bits())) - ROUND;
    let mantissa = f64::from_bits(((bits & 0x000f_ffff_ffff_ffff) + ROOT) as u64);
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    fused(t, polynomial(&of::LOG2, t * t), exponent)
}

/// Returns `x^y`, within 0.6 ulp except for [`cube`]. Exponents 1, 2 and 3 are computed as products.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let (size, exponent) = (f64::from(x.abs()), f64::from(y));
    let logarithm = log2(size);
    let logarithm = if size == 0.0 { f64::NEG_INFINITY } else { logarithm };
    let logarithm = if size == f64::INFINITY { size } else { logarithm };
    let product = exponent * logarithm;
    // 1 to an infinite power is 1.
    let product = if size == 1.0 && exponent.abs() == f64::INFINITY { 0.0 } else { product };
    let power = exp2(within(product, -300.0, 300.0), 0.0);
    let power = if x.is_nan() || y.is_nan() { f32::NAN } else { power as f32 };
    let (is_whole, half) = (y.floor() == y, 0.5 * y);
    let is_odd = is_whole && half.floor() != half;
    let signed = if is_odd { power.copysign(x) } else { power };
    let has_none = x < 0.0 && x > f32::NEG_INFINITY && !is_whole;
    let power = if has_none { f32::NAN } else { signed };
    let power = if x == 1.0 || y == 0.0 { 1.0 } else { power };
    let power = if y == 1.0 { x } else { power };
    let power = if y == 2.0 { x * x } else { power };
    if y == 3.0 { cube(x) } else { power }
}

/// Returns `x^3`, within 1.5 ulp.
#[inline(always)]
pub fn cube(x: f32) -> f32 {
    x * (x * x)
}

/// Returns `1 - erf(x)`, within 0.6 ulp.
#[inline(always)]
pub fn erfc(x: f32) -> f32 {
    let x = f64::from(x);
    let size = if x.abs() > 10.3 { 10.3 } else { x.abs() };
    let t = (size - 3.0) / (size + 3.0);
    let power = exp2(size * size * -LOG2_E, 0.0);
    let tail = power * polynomial(&of::ERFC, t) / fused(size, 2.0, 1.0);
    (if x < 0.0 { 2.0 - tail } else { tail }) as f32
}

/// Returns the inverse tangent, with an error of at most 1e-9.
#[inline(always)]
fn atan_wide(x: f64) -> f64 {
    let size = x.abs();
    let is_large = size > 1.0;
    let small = if is_large { 1.0 / size } else { size };
    let angle = small * polynomial(&of::ATAN, small * small);
    (if is_large { FRAC_PI_2 - angle } else { angle }).copysign(x)
}

/// Returns the inverse tangent, within 0.6 ulp.
#[inline(always)]
pub fn atan(x: f32) -> f32 {
    atan_wide(x.into()) as f32
}

/// Returns the inverse sine, within 0.6 ulp.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let x = f64::from(x);
    atan_wide(x / ((1.0 - x) * (1.0 + x)).sqrt()) as f32
}

/// Returns the inverse cosine, within 0.6 ulp.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let x = f64::from(x);
    (2.0 * atan_wide(((1.0 - x) / (1.0 + x)).sqrt())) as f32
}

/// Returns `e^|x| + add`.
#[inline(always)]
fn exp_of_size(x: f32, add: f64) -> f64 {
    exp2(within(f64::from(x.abs()), 0.0, 200.0) * LOG2_E, add)
}

/// Returns the hyperbolic sine, within 0.6 ulp.
#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let power = exp_of_size(x, -1.0);
    (0.5 * (power + power / (power + 1.0))).copysign(x.into()) as f32
}

/// Returns the hyperbolic cosine, within 0.6 ulp.
#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let power = exp_of_size(x, 0.0);
    (0.5 * (power + 1.0 / power)) as f32
}

/// For each exponent of a float, `2 / pi` times the power of 2 of its last bit, modulo 4: the first 29 bits, whose
/// product with a mantissa is exact, and the next 53. After Payne and Hanek, Radian reduction for trigonometric
/// functions, 1983.
static QUARTERS: [(f64, f64); 256] = {
    /// Returns `count` bits of `2 / pi`, starting at bit `from`.
    const fn bits(from: usize, count: usize) -> f64 {
        let mut found = 0u64;
        let mut i = from;
        while i < from + count {
            found = found << 1 | (of::TWO_OVER_PI[i / 64] >> (63 - i % 64) & 1);
            i += 1;
        }
        found as f64
    }
    let mut quarters = [(0.0, 0.0); 256];
    let mut exponent = 0;
    while exponent < 256 {
        let power = if exponent == 0 { 1 } else { exponent as i64 } - 150;
        let from = if power > 2 { power - 2 } else { 0 };
        let high = bits(from as usize, 29) * power_of_two(power - from - 29);
        let low = bits(from as usize + 29, 53) * power_of_two(power - from - 82);
        quarters[exponent] = (high, low);
        exponent += 1;
    }
    quarters
};

/// Returns the sine and the cosine of the magnitude of a number reduced by a multiple of `pi / 2`, and that multiple,
/// mod 4.
#[inline(always)]
fn turned(x: f32) -> (f64, f64, i64) {
    let bits = x.to_bits() & 0x7fff_ffff;
    let exponent = (bits >> 23) as usize & 0xff;
    let mantissa = bits & 0x007f_ffff | if exponent > 0 { 0x0080_0000 } else { 0 };
    let mantissa = f64::from(mantissa as i32);
    let (high, low) = QUARTERS[exponent];
    let (high, low) = (mantissa * high, mantissa * low);
    let (whole, quarter) = round(high + low);
    let angle = ((high - whole) + low) * FRAC_PI_2;
    let square = angle * angle;
    (angle * polynomial(&of::SIN, square), polynomial(&of::COS, square), quarter)
}

/// Selects the sine or the cosine, with its sign, by the quadrant.
#[inline(always)]
fn of_quarter(sine: f64, cosine: f64, quarter: i64) -> f64 {
    let value = if quarter & 1 == 0 { sine } else { cosine };
    if quarter & 2 == 0 { value } else { -value }
}

/// Returns `value`, or NaN if the argument is not finite.
#[inline(always)]
fn of_finite(x: f32, value: f64) -> f32 {
    if x.abs() < f32::INFINITY { value as f32 } else { f32::NAN }
}

/// Returns the sine, within 0.6 ulp.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    let (sine, cosine, quarter) = turned(x);
    let value = of_quarter(sine, cosine, quarter);
    of_finite(x, if x.is_sign_negative() { -value } else { value })
}

/// Returns the cosine, within 0.6 ulp.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    let (sine, cosine, quarter) = turned(x);
    of_finite(x, of_quarter(sine, cosine, quarter.wrapping_add(1)))
}

/// Returns the tangent, within 0.6 ulp.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    let (sine, cosine, quarter) = turned(x);
    let (sine, cosine) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, -sine) };
    let value = sine / cosine;
    of_finite(x, if x.is_sign_negative() { -value } else { value })
}

/// Returns `e^r - 1` and `n` with `x = r + n ln(2)`, where `|r| <= ln(2) / 2`.
#[inline(always)]
fn reduced(x: f64) -> (f64, i64) {
    let (whole, n) = round(x * LOG2_E);
    let r = fused(whole, -LN_2_LOW, fused(whole, -LN_2_HIGH, x));
    (fused(r * r, polynomial(&of::EXP, r), r), n)
}

/// Returns `e^x`, within 1 ulp.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    // Outside these bounds the result is infinite or zero.
    let (near, n) = reduced(within(x, -746.0, 710.0));
    // In two steps, because the power alone may be out of range.
    let half = n >> 1;
    (1.0 + near) * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// Returns `1 / (1 + e^-x)`, within 2.5 ulp.
#[inline(always)]
pub fn sigmoid(x: f64) -> f64 {
    let small = exp(-x.abs());
    (if x < 0.0 { small } else { 1.0 }) / (1.0 + small)
}

/// Returns the hyperbolic tangent, within 2.5 ulp.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    // `e^2x - 1` of an argument that is neither negative nor large.
    let capped = within(x.abs(), 0.0, 22.0);
    let (near, n) = reduced(capped + capped);
    let power = power_of_two(n);
    let y = fused(power, near, power - 1.0);
    (y / (y + 2.0)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::super::vector_math::tests::{check, every, step, worst};
    use super::*;

    #[test]
    fn errors_are_small() {
        let all = || every(step());
        check("erfc", 0.6, worst(erfc, libm::erfc, all()));
        check("atan", 0.6, worst(atan, f64::atan, all()));
        check("asin", 0.6, worst(asin, f64::asin, all()));
        check("acos", 0.6, worst(acos, f64::acos, all()));
        check("sinh", 0.6, worst(sinh, f64::sinh, all()));
        check("cosh", 0.6, worst(cosh, f64::cosh, all()));
        check("sin", 0.6, worst(sin, f64::sin, all()));
        check("cos", 0.6, worst(cos, f64::cos, all()));
        check("tan", 0.6, worst(tan, f64::tan, all()));
        check("cube", 1.5, worst(cube, |x| x * x * x, all()));
    }

    #[test]
    fn angles_next_to_quarter_turns_keep_their_digits() {
        let turns =
            (1..20_000).map(|n| (f64::from(n) * FRAC_PI_2) as f32).chain((7..128).map(|e| 1.7f32 * 2f32.powi(e)));
        let near = turns.flat_map(|x| [x.next_down(), x, x.next_up()]);
        check("sin", 0.6, worst(sin, f64::sin, near.clone()));
        check("cos", 0.6, worst(cos, f64::cos, near.clone()));
        check("tan", 0.6, worst(tan, f64::tan, near));
    }

    #[test]
    fn powers_are_those_of_the_standard_library() {
        let special =
            [0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 1e-40, 1e30, 3e9, 16_777_217.0, 0.999_999_9, f32::INFINITY, f32::NAN];
        let both = special.into_iter().flat_map(|x| [x, -x]).collect::<Vec<_>>();
        for &y in both.iter().chain(&[2.3, -0.7, 1.0 / 3.0, 17.0, -151.0]) {
            let exact = |x: f64| x.powf(y.into());
            check(
                "pow",
                if y == 3.0 { 1.5 } else { 0.6 },
                worst(|x| pow(x, y), exact, every(37 * step()).chain(both.iter().copied())),
            );
            for &x in &both {
                let (found, expected) = (pow(x, y), x.powf(y));
                assert!(
                    found.to_bits() == expected.to_bits()
                        || found.is_nan() && expected.is_nan()
                        || expected != 0.0 && (found / expected - 1.0).abs() < 1e-6,
                    "{x}^{y} = {found}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn functions_of_doubles_are_within_a_few_units() {
        let special = [0.0, -0.0, 1e-320, 1e-9, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let many = (-80_000..75_000).map(|i| f64::from(i) * 1e-2).chain((-90_000..90_000).map(|i| f64::from(i) * 1e-5));
        let logistic = |x: f64| if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) };
        for x in special.into_iter().chain(many) {
            for (found, expected, limit) in [(exp(x), x.exp(), 2), (tanh(x), x.tanh(), 4), (sigmoid(x), logistic(x), 4)]
            {
                let apart = found.to_bits().abs_diff(expected.to_bits());
                assert!(apart <= limit || found.is_nan() && expected.is_nan(), "{x}: {found:e}, not {expected:e}");
            }
        }
    }
}
