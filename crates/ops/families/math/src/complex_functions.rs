//! Functions of complex numbers. The inverses follow W. Kahan, "Branch cuts for complex elementary functions, or much
//! ado about nothing's sign bit" (1987).

use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::prelude::*;
use num_complex::Complex;

/// A complex type whose functions can be computed in `Complex64`.
pub(super) trait Through64: Copy {
    fn widen(self) -> Complex64;
    fn narrow(wide: Complex64) -> Self;
}

impl Through64 for Complex32 {
    fn widen(self) -> Complex64 {
        Complex::new(self.re.into(), self.im.into())
    }
    fn narrow(wide: Complex64) -> Complex32 {
        Complex::new(wide.re as f32, wide.im as f32)
    }
}

impl Through64 for Complex64 {
    fn widen(self) -> Complex64 {
        self
    }
    fn narrow(wide: Complex64) -> Complex64 {
        wide
    }
}

pub(super) fn widen<C: Through64>(x: C) -> Complex64 {
    x.widen()
}

/// `f(x)`, computed in double precision.
pub(super) fn by64<C: Through64>(x: C, f: impl FnOnce(Complex64) -> Complex64) -> C {
    C::narrow(f(x.widen()))
}

pub(super) fn exp(x: Complex64) -> Complex64 {
    if x.im == 0.0 {
        // Avoids infinity times zero.
        return Complex::new(x.re.exp(), x.im);
    }
    x.exp()
}

/// [`exp`] of single precision.
#[inline(always)]
pub(super) fn exp32(x: Complex32) -> Complex32 {
    if is_special_exponent(x) { by64(x, exp) } else { exp_of_usual(x) }
}

/// [`exp`] where it is not [special](is_special_exponent), without branches.
#[inline(always)]
pub(super) fn exp_of_usual(x: Complex32) -> Complex32 {
    let size = wide::exp(f64::from(x.re));
    let times = |part: f32| (size * f64::from(part)) as f32;
    Complex::new(times(wide::cos_of_usual(x.im)), times(wide::sin_of_usual(x.im)))
}

#[inline(always)]
pub(super) fn is_special_exponent(x: Complex32) -> bool {
    !x.re.is_finite() || x.im == 0.0 || wide::is_large_angle(x.im)
}

/// The square root. Unlike that from polar coordinates, its smaller part has correct digits.
pub(super) fn sqrt(x: Complex64) -> Complex64 {
    if x.im == 0.0 || !x.re.is_finite() || !x.im.is_finite() {
        return x.sqrt();
    }
    let (re, im) = root(x.re, x.im, x.re.hypot(x.im));
    Complex::new(re, im)
}

/// [`sqrt`] of single precision.
#[inline(always)]
pub(super) fn sqrt32(x: Complex32) -> Complex32 {
    if is_special_radicand(x) { by64(x, sqrt) } else { sqrt_of_usual(x) }
}

/// The reciprocal of the square root.
#[inline(always)]
pub(super) fn rsqrt32(x: Complex32) -> Complex32 {
    if is_special_radicand(x) { by64(x, |x| sqrt(x).inv()) } else { rsqrt_of_usual(x) }
}

/// The square root where it is not [special](is_special_radicand), without branches.
#[inline(always)]
pub(super) fn sqrt_of_usual(x: Complex32) -> Complex32 {
    let (re, im) = root(x.re.into(), x.im.into(), squared(x).sqrt());
    Complex::new(re as f32, im as f32)
}

/// The reciprocal of [`sqrt_of_usual`].
#[inline(always)]
pub(super) fn rsqrt_of_usual(x: Complex32) -> Complex32 {
    let size = squared(x).sqrt();
    let (re, im) = root(x.re.into(), x.im.into(), size);
    Complex::new((re / size) as f32, (-im / size) as f32)
}

/// The parts of the square root of a number of this absolute value.
#[inline(always)]
fn root(re: f64, im: f64, size: f64) -> (f64, f64) {
    // No digits cancel. The smaller part follows from `2 * re(root) * im(root) = im`.
    let greater = (re.abs() / 2.0 + size / 2.0).sqrt();
    let smaller = im.abs() / 2.0 / greater;
    let (real, imaginary) = if re < 0.0 { (smaller, greater) } else { (greater, smaller) };
    (real, imaginary.copysign(im))
}

#[inline(always)]
pub(super) fn is_special_radicand(x: Complex32) -> bool {
    !x.re.is_finite() || !x.im.is_finite() || x.im == 0.0
}

pub(super) fn exp_m1(x: Complex64) -> Complex64 {
    if x.im == 0.0 {
        return Complex::new(x.re.exp_m1(), x.im);
    }
    let half = (x.im / 2.0).sin();
    Complex::new(x.re.exp_m1() * x.im.cos() - 2.0 * half * half, x.re.exp() * x.im.sin())
}

pub(super) fn ln(x: Complex64) -> Complex64 {
    let squared = x.re * x.re + x.im * x.im;
    // Near the unit circle the logarithm of the rounded absolute value has no correct digits left.
    let re = if (0.5..2.0).contains(&squared) {
        let (big, small) = if x.re.abs() > x.im.abs() { (x.re.abs(), x.im) } else { (x.im.abs(), x.re) };
        ((big - 1.0) * (big + 1.0) + small * small).ln_1p() / 2.0
    } else {
        x.re.hypot(x.im).ln()
    };
    Complex::new(re, x.im.atan2(x.re))
}

/// [`ln`] of single precision.
#[inline(always)]
pub(super) fn ln32(x: Complex32) -> Complex32 {
    if is_special_argument(x) { by64(x, ln) } else { ln_of_usual(x) }
}

/// [`ln`] where it is not [special](is_special_argument), without branches.
#[inline(always)]
pub(super) fn ln_of_usual(x: Complex32) -> Complex32 {
    let re = wide::ln(squared(x)) / 2.0;
    Complex::new(re as f32, vector::atan2(x.im, x.re))
}

/// True for numbers near the unit circle as well, for which the square of the absolute value has too few digits.
#[inline(always)]
pub(super) fn is_special_argument(x: Complex32) -> bool {
    !x.re.is_finite() || !x.im.is_finite() || x.im == 0.0 || (squared(x) - 1.0).abs() < 1e-6
}

/// The square of the absolute value.
#[inline(always)]
fn squared(x: Complex32) -> f64 {
    let (re, im) = (f64::from(x.re), f64::from(x.im));
    re * re + im * im
}

pub(super) fn ln_1p(x: Complex64) -> Complex64 {
    if x.re.abs() > 0.5 || x.im.abs() > 0.5 {
        return ln(x + 1.0);
    }
    Complex::new((x.re * (2.0 + x.re) + x.im * x.im).ln_1p() / 2.0, x.im.atan2(1.0 + x.re))
}

/// `exp(y * ln(x))`
pub(super) fn power(x: Complex64, y: Complex64) -> Complex64 {
    exp(y * ln(x))
}

pub(super) fn sinh(x: Complex64) -> Complex64 {
    Complex::new(x.re.sinh() * x.im.cos(), times(x.re.cosh(), x.im.sin()))
}

pub(super) fn cosh(x: Complex64) -> Complex64 {
    Complex::new(x.re.cosh() * x.im.cos(), times(x.re.sinh(), x.im.sin()))
}

/// The product, with 0 times infinity defined as 0.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

pub(super) fn tanh(x: Complex64) -> Complex64 {
    if x.re.abs() > 20.0 {
        let faded = 4.0 * (-2.0 * x.re.abs()).exp();
        return Complex::new(1f64.copysign(x.re), times(faded, x.im.sin() * x.im.cos()));
    }
    // With t = tan(im), s = sinh(re): (sqrt(1 + s^2) * (1 + t^2) * s + i t) / (1 + (1 + t^2) * s^2).
    let (t, s) = (x.im.tan(), x.re.sinh());
    let beta = 1.0 + t * t;
    let denominator = 1.0 + beta * s * s;
    Complex::new((1.0 + s * s).sqrt() * beta * s / denominator, t / denominator)
}

pub(super) fn sin(x: Complex64) -> Complex64 {
    down(sinh(up(x)))
}

pub(super) fn cos(x: Complex64) -> Complex64 {
    cosh(up(x))
}

pub(super) fn tan(x: Complex64) -> Complex64 {
    down(tanh(up(x)))
}

/// `i * x`
fn up(x: Complex64) -> Complex64 {
    Complex::new(-x.im, x.re)
}

/// `-i * x`
fn down(x: Complex64) -> Complex64 {
    Complex::new(x.im, -x.re)
}

/// `1 - x` and `1 + x`, with the signs of zero imaginary parts kept.
fn around_one(x: Complex64) -> (Complex64, Complex64) {
    (Complex::new(1.0 - x.re, -x.im), Complex::new(1.0 + x.re, x.im))
}

pub(super) fn asin(x: Complex64) -> Complex64 {
    let (minus, plus) = around_one(x);
    let (minus, plus) = (sqrt(minus), sqrt(plus));
    Complex::new(x.re.atan2((minus * plus).re), libm::asinh((minus.conj() * plus).im))
}

pub(super) fn acos(x: Complex64) -> Complex64 {
    let (minus, plus) = around_one(x);
    let (minus, plus) = (sqrt(minus), sqrt(plus));
    Complex::new(2.0 * minus.re.atan2(plus.re), libm::asinh((plus.conj() * minus).im))
}

pub(super) fn atan(x: Complex64) -> Complex64 {
    down(atanh(up(x)))
}

pub(super) fn asinh(x: Complex64) -> Complex64 {
    down(asin(up(x)))
}

pub(super) fn acosh(x: Complex64) -> Complex64 {
    let minus = sqrt(Complex::new(x.re - 1.0, x.im));
    let plus = sqrt(Complex::new(x.re + 1.0, x.im));
    Complex::new(libm::asinh((minus.conj() * plus).re), 2.0 * minus.im.atan2(plus.re))
}

pub(super) fn atanh(x: Complex64) -> Complex64 {
    if x.re.abs() > 1e150 || x.im.abs() > 1e150 {
        return Complex::new(x.inv().re, std::f64::consts::FRAC_PI_2.copysign(x.im));
    }
    let far = (1.0 - x.re.abs()).powi(2) + x.im * x.im;
    let re = (4.0 * x.re.abs() / far).ln_1p() / 4.0;
    let im = (2.0 * x.im).atan2((1.0 - x.re) * (1.0 + x.re) - x.im * x.im) / 2.0;
    Complex::new(re.copysign(x.re), im)
}
