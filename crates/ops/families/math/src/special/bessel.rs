//! Bessel functions of orders 0 and 1.

use super::chebyshev;
use super::coefficients as c;

/// The position in a series fitted over `[0, end]`.
fn over(x: f64, end: f64) -> f64 {
    x / end * 2.0 - 1.0
}

/// `I0(x) exp(-|x|)`: the modified function of the first kind, of order 0, scaled.
pub fn i0e(x: f64) -> f64 {
    let x = x.abs();
    if x <= 8.0 {
        chebyshev(&c::I0E_SMALL, over(x, 8.0))
    } else {
        chebyshev(&c::I0E_LARGE, over(8.0 / x, 1.0)) / x.sqrt()
    }
}

/// `I1(x) exp(-|x|)`: the modified function of the first kind, of order 1, scaled.
pub fn i1e(x: f64) -> f64 {
    let size = x.abs();
    if size <= 8.0 {
        x * chebyshev(&c::I1E_SMALL, over(size, 8.0))
    } else {
        (chebyshev(&c::I1E_LARGE, over(8.0 / size, 1.0)) / size.sqrt()).copysign(x)
    }
}

/// NaN for infinities, as in TensorFlow, where they are infinity times 0.
pub fn i0(x: f64) -> f64 {
    x.abs().exp() * i0e(x)
}

/// NaN for infinities, as in TensorFlow, where they are infinity times 0.
pub fn i1(x: f64) -> f64 {
    x.abs().exp() * i1e(x)
}

fn k0_small(x: f64) -> f64 {
    chebyshev(&c::K0_SMALL, over(x * x, 4.0)) - (x / 2.0).ln() * i0(x)
}

fn k1_small(x: f64) -> f64 {
    chebyshev(&c::K1_SMALL, over(x * x, 4.0)) / x + (x / 2.0).ln() * i1(x)
}

fn k_large(series: &[f64], x: f64) -> f64 {
    chebyshev(series, over(2.0 / x, 1.0)) / x.sqrt()
}

macro_rules! second_kind {
    ($($name:ident: |$x:ident| $small:expr, $large:expr;)*) => {$(
        /// Infinity for non-positive arguments.
        pub fn $name($x: f64) -> f64 {
            if $x <= 0.0 {
                f64::INFINITY
            } else if $x <= 2.0 {
                $small
            } else {
                $large
            }
        }
    )*};
}

second_kind! {
    k0: |x| k0_small(x), k_large(&c::K0E_LARGE, x) * (-x).exp();
    k1: |x| k1_small(x), k_large(&c::K1E_LARGE, x) * (-x).exp();
    k0e: |x| k0_small(x) * x.exp(), k_large(&c::K0E_LARGE, x);
    k1e: |x| k1_small(x) * x.exp(), k_large(&c::K1E_LARGE, x);
}

macro_rules! oscillating {
    ($($(#[doc = $doc:literal])* $name:ident: |$x:ident| $at_or_below_zero:expr;)*) => {$(
        $(#[doc = $doc])*
        pub fn $name($x: f64) -> f64 {
            if $x.is_infinite() && $x > 0.0 {
                return f64::NAN;
            }
            if $x <= 0.0 { $at_or_below_zero } else { libm::$name($x) }
        }
    )*};
}

oscillating! {
    /// The function of the first kind, of order 0.
    j0: |x| if x.is_infinite() { f64::NAN } else { libm::j0(x) };
    /// The function of the first kind, of order 1.
    j1: |x| if x.is_infinite() { f64::NAN } else { libm::j1(x) };
    /// Negative infinity for non-positive arguments.
    y0: |x| f64::NEG_INFINITY;
    /// Negative infinity for non-positive arguments.
    y1: |x| f64::NEG_INFINITY;
}
