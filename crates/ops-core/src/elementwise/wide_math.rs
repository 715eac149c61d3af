//! Branch-free functions computed in `f64`, so that loops over them are vectorized: functions of `f32`, rounded once
//! at the end, and of `f64`. As in [`vector_math`](super::vector_math), products are added with fused multiply-add,
//! which yields the same bits on every machine, and errors are in units in the last place (ulp).

use super::coefficients as of;
use super::vector_math as single;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, LOG2_E};

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
    integer(x + ROUND)
}

/// Returns the integer in the sum of it and [`ROUND`], as [`round`] does.
#[inline(always)]
fn integer(rounded: f64) -> (f64, i64) {
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

/// The exponent and the mantissa, between sqrt(1/2) and sqrt(2), of a positive value that is not subnormal.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    const ROOT: i64 = 0x3fe6_a09e_667f_3bcd;
    let bits = (x.to_bits() as i64).wrapping_sub(ROOT);
    // The exponent is a small integer, so no conversion is needed that some machines lack for vectors.
    let exponent = f64::from_bits(((bits >> 52) as u64).wrapping_add(ROUND.to_bits())) - ROUND;
    (exponent, f64::from_bits(((bits & 0x000f_ffff_ffff_ffff) + ROOT) as u64))
}

/// Returns the logarithm to the base 2 of a value that is neither negative nor subnormal.
#[inline(always)]
fn log2(x: f64) -> f64 {
    let (exponent, mantissa) = parts(x);
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
    // Comparisons of `x` itself would be compiled to one of its bits, which are not zero for a subnormal number in a step.
    let twice = 2.0 * f64::from(x);
    let has_none = twice < 0.0 && twice > f64::NEG_INFINITY && !is_whole;
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

/// Returns the error function, within 0.6 ulp.
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let x = within(x.into(), -4.0, 4.0);
    let square = x * x;
    (x * polynomial(&of::ERF, square) / polynomial(&of::ERF_BELOW, square)) as f32
}

/// Returns the error function, within 2 ulp.
#[inline(always)]
pub fn erf_64(x: f64) -> f64 {
    let size = x.abs();
    let small = size * polynomial(&of::ERF_SMALL, size * size);
    (if size < 0.8 { small } else { 1.0 - erfc(size) }).copysign(x)
}

single::complementary_error_function!(f64, 27.3, &of::ERFC, "within 4 ulp");

single::angles!(f64, 1e300, &of::ATAN_SMALL, "within 2 ulp");

/// Returns the inverse hyperbolic tangent, within 5 ulp.
#[inline(always)]
pub fn atanh(x: f64) -> f64 {
    const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    let size = x.abs();
    // The result is half the logarithm of `high / low`: of a power of 2, and of a quotient between sqrt(1/2) and sqrt(2).
    let (high, low) = (1.0 + size, 1.0 - size);
    let exponent = (high / low).to_bits().wrapping_sub(ROOT) >> 52;
    let whole = f64::from_bits(exponent.wrapping_add(ROUND.to_bits())) - ROUND;
    let low = low * power_of_two(exponent as i64);
    let t = (high - low) / (high + low);
    let t = if size < 0.17 { size } else { t };
    let y = 0.5 * logarithm(whole, t);
    let y = if size == 1.0 { f64::INFINITY } else { y };
    (if size > 1.0 { f64::NAN } else { y }).copysign(x)
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

/// An angle of a magnitude of at most `pi / 4`, and a number of quarter turns, mod 4, to add to it.
type Turned = (f64, i64);

/// True for an angle that is too large for [`sin_of_usual`] and the other functions of usual angles, or not finite.
#[inline(always)]
pub fn is_large_angle(x: f32) -> bool {
    let is_usual = x.abs() < 268_435_456.0;
    !is_usual
}

/// Reduces the magnitude of an angle that is not [large](is_large_angle) by quarter turns. After Cody and Waite,
/// Software manual for the elementary functions, 1980: fused multiply-add makes the first difference exact.
#[inline(always)]
fn turned(x: f32) -> Turned {
    /// `FRAC_PI_2 + REST` is half of pi to 107 bits.
    const REST: f64 = 6.123_233_995_736_766e-17;
    let size = f64::from(x.abs());
    let (whole, quarter) = integer(fused(size, FRAC_2_PI, ROUND));
    (fused(whole, -REST, fused(whole, -FRAC_PI_2, size)), quarter)
}

/// As [`turned`], for all angles.
#[inline(always)]
fn turned_by_table(x: f32) -> Turned {
    let bits = x.to_bits() & 0x7fff_ffff;
    let exponent = (bits >> 23) as usize & 0xff;
    let mantissa = bits & 0x007f_ffff | if exponent > 0 { 0x0080_0000 } else { 0 };
    let mantissa = f64::from(mantissa as i32);
    let (high, low) = QUARTERS[exponent];
    let (high, low) = (mantissa * high, mantissa * low);
    let (whole, quarter) = round(high + low);
    (((high - whole) + low) * FRAC_PI_2, quarter)
}

/// Reduces an angle, which may be large. The branch keeps loops from being vectorized.
#[inline(always)]
fn turned_any(x: f32) -> Turned {
    match is_large_angle(x) {
        true if !x.is_finite() => (f64::NAN, 0),
        true => turned_by_table(x),
        false => turned(x),
    }
}

/// Returns the sine of an angle, negated if the highest bit of `sign` is set. The angle is rounded to single precision
/// once it is small.
#[inline(always)]
fn sine((angle, quarter): Turned, sign: u32) -> f32 {
    let (angle, quarter) = (angle as f32, quarter as u32);
    let square = angle * angle;
    let sine = single::fused(angle * square, single::polynomial(&of::SIN_F32, square), angle);
    let cosine = single::fused(square, single::polynomial(&of::COS_F32, square), 1.0);
    let value = if quarter & 1 == 0 { sine } else { cosine };
    f32::from_bits(value.to_bits() ^ (quarter & 2) << 30 ^ sign & 1 << 31)
}

#[inline(always)]
fn sin_of(x: f32, turned: Turned) -> f32 {
    sine(turned, x.to_bits())
}

#[inline(always)]
fn cos_of((angle, quarter): Turned) -> f32 {
    sine((angle, quarter.wrapping_add(1)), 0)
}

#[inline(always)]
fn tan_of(x: f32, (angle, quarter): Turned) -> f32 {
    let square = angle * angle;
    let (sine, cosine) = (angle * polynomial(&of::SIN, square), polynomial(&of::COS, square));
    let (sine, cosine) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, -sine) };
    let value = sine / cosine;
    (if x.is_sign_negative() { -value } else { value }) as f32
}

/// Returns the sine, within 1.5 ulp.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    sin_of(x, turned_any(x))
}

/// The same as [`sin`] of an angle that is not [large](is_large_angle), without branches.
#[inline(always)]
pub fn sin_of_usual(x: f32) -> f32 {
    sin_of(x, turned(x))
}

/// Returns the cosine, within 1.5 ulp.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    cos_of(turned_any(x))
}

/// The same as [`cos`] of an angle that is not [large](is_large_angle), without branches.
#[inline(always)]
pub fn cos_of_usual(x: f32) -> f32 {
    cos_of(turned(x))
}

/// Returns the tangent, within 0.6 ulp.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    tan_of(x, turned_any(x))
}

/// The same as [`tan`] of an angle that is not [large](is_large_angle), without branches.
#[inline(always)]
pub fn tan_of_usual(x: f32) -> f32 {
    tan_of(x, turned(x))
}

/// Returns `r` and `n` with `x = r + n ln(2)`, where `|r| <= ln(2) / 2`.
#[inline(always)]
fn reduce(x: f64) -> (f64, i64) {
    let (whole, n) = round(x * LOG2_E);
    (fused(whole, -LN_2_LOW, fused(whole, -LN_2_HIGH, x)), n)
}

/// Returns `e^r - 1`, for `|r| <= ln(2) / 2`.
#[inline(always)]
fn near_zero(r: f64) -> f64 {
    fused(r * r, polynomial(&of::EXP, r), r)
}

/// Returns `e^r - 1` and `n` with `x = r + n ln(2)`, where `|r| <= ln(2) / 2`.
#[inline(always)]
fn reduced(x: f64) -> (f64, i64) {
    let (r, n) = reduce(x);
    (near_zero(r), n)
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

/// Returns `e^x - 1`, within 2 ulp.
#[inline(always)]
pub fn exp_m1(x: f64) -> f64 {
    let (near, n) = reduced(within(x, -40.0, 710.0));
    // The smaller power first: doubling it overflows exactly when the result does.
    let power = power_of_two(n.wrapping_sub(1));
    let y = fused(power, near, power - 0.5) * 2.0;
    let near = if x == 0.0 { x } else { near };
    if n == 0 { near } else { y }
}

/// Returns `n ln(2)` plus the logarithm of `(1 + t) / (1 - t)`, for `|t| <= 0.1716`.
#[inline(always)]
fn logarithm(n: f64, t: f64) -> f64 {
    let (double, square) = (t + t, t * t);
    let less = fused(double * square, polynomial(&of::ATANH, square), n * LN_2_LOW);
    fused(n, LN_2_HIGH, double) + less
}

/// Returns the natural logarithm, within 2 ulp.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    const SUBNORMAL: f64 = 18_014_398_509_481_984.0;
    let is_tiny = x < f64::MIN_POSITIVE;
    let (exponent, m) = parts(if is_tiny { x * SUBNORMAL } else { x });
    let y = logarithm(exponent - if is_tiny { 54.0 } else { 0.0 }, (m - 1.0) / (m + 1.0));
    let y = if x == 0.0 { f64::NEG_INFINITY } else { y };
    let y = if x < 0.0 { f64::NAN } else { y };
    if x < f64::INFINITY { y } else { x }
}

/// Returns `ln(1 + x)`, within 2 ulp.
#[inline(always)]
pub fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    let (exponent, m) = parts(sum);
    let is_near = exponent == 0.0;
    let (above, below) = (if is_near { x } else { m - 1.0 }, if is_near { x + 2.0 } else { m + 1.0 });
    // What the sum lost by rounding.
    let lost = if is_near { 0.0 } else { (x - (sum - 1.0)) / sum };
    let y = logarithm(exponent, above / below) + if x > 1.0 { 0.0 } else { lost };
    let y = if x == 0.0 { x } else { y };
    let y = if x == -1.0 { f64::NEG_INFINITY } else { y };
    let y = if x < -1.0 { f64::NAN } else { y };
    if x < f64::INFINITY { y } else { x }
}

/// Returns `ln(1 + e^x)`, within 3 ulp.
#[inline(always)]
pub fn softplus(x: f64) -> f64 {
    let positive = if x < 0.0 { 0.0 } else { x };
    positive + ln_1p(exp(-x.abs()))
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
        check("erf", 0.6, worst(erf, libm::erf, all()));
        check("atanh", 0.6, worst(|x| atanh(x.into()) as f32, libm::atanh, all()));
        check("sinh", 0.6, worst(sinh, f64::sinh, all()));
        check("cosh", 0.6, worst(cosh, f64::cosh, all()));
        check("sin", 1.5, worst(sin, f64::sin, all()));
        check("cos", 1.5, worst(cos, f64::cos, all()));
        check("tan", 0.6, worst(tan, f64::tan, all()));
        check("cube", 1.5, worst(cube, |x| x * x * x, all()));
    }

    #[test]
    fn usual_angles_have_the_same_functions_without_branches() {
        for x in every(step()).chain([268_435_440.0, -268_435_440.0]).filter(|&x| !is_large_angle(x)) {
            let pairs = [(sin(x), sin_of_usual(x)), (cos(x), cos_of_usual(x)), (tan(x), tan_of_usual(x))];
            assert!(pairs.iter().all(|(any, usual)| any.to_bits() == usual.to_bits()), "{x}: {pairs:?}");
        }
        assert!([f32::NAN, f32::INFINITY, -268_435_456.0].into_iter().all(is_large_angle));
    }

    #[test]
    fn special_angles_are_those_of_the_standard_library() {
        let special = [0.0, 1e-300, 0.3, 1.0, 7.0, 1e305, 1.7e308, f64::INFINITY, f64::NAN];
        let both = || special.into_iter().flat_map(|x| [x, -x]);
        for y in both() {
            let (found, expected) = (atan(y), y.atan());
            assert!(found.is_nan() == expected.is_nan(), "{y}: {found}, not {expected}");
            for x in both() {
                let (found, expected) = (atan2(y, x), y.atan2(x));
                assert!(
                    found.is_nan() && expected.is_nan() || (found - expected).abs() <= 1e-15 * expected.abs(),
                    "{y}, {x}: {found}, not {expected}"
                );
                let (found, expected) = (single::atan2(y as f32, x as f32), (y as f32).atan2(x as f32));
                assert!(
                    found.is_nan() && expected.is_nan()
                        || (found - expected).abs() <= 1e-6 * expected.abs()
                            && found.is_sign_negative() == expected.is_sign_negative(),
                    "{y}, {x}: {found}, not {expected}"
                );
            }
        }
        assert_eq!((erf(30.0), erf(-4.0), erf(-0.0).to_bits()), (1.0, -1.0, (-0.0f32).to_bits()));
        assert!([1.5, -f64::INFINITY, f64::NAN].into_iter().all(|x| atanh(x).is_nan()));
        assert_eq!([1.0, -1.0].map(atanh), [f64::INFINITY, f64::NEG_INFINITY]);
    }

    #[test]
    fn angles_next_to_quarter_turns_keep_their_digits() {
        let turns =
            (1..20_000).map(|n| (f64::from(n) * FRAC_PI_2) as f32).chain((7..128).map(|e| 1.7f32 * 2f32.powi(e)));
        let near = turns.flat_map(|x| [x.next_down(), x, x.next_up()]);
        check("sin", 1.5, worst(sin, f64::sin, near.clone()));
        check("cos", 1.5, worst(cos, f64::cos, near.clone()));
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
            let functions = [
                (exp(x), x.exp(), 2),
                (tanh(x), x.tanh(), 4),
                (sigmoid(x), logistic(x), 4),
                (exp_m1(x), x.exp_m1(), 2),
                (ln(x.abs()), x.abs().ln(), 2),
                (ln_1p(x), x.ln_1p(), 2),
                (softplus(x), x.max(0.0) + (-x.abs()).exp().ln_1p() + (x - x).min(0.0), 3),
                (atan(x), x.atan(), 2),
                (atan2(x, -0.7), x.atan2(-0.7), 2),
                (atanh(x), libm::atanh(x), 5),
                (erf_64(x), libm::erf(x), 3),
                (erfc(x), libm::erfc(x), 5),
            ];
            for (found, expected, limit) in functions {
                let apart = found.to_bits().abs_diff(expected.to_bits());
                assert!(apart <= limit || found.is_nan() && expected.is_nan(), "{x}: {found:e}, not {expected:e}");
            }
        }
    }
}
