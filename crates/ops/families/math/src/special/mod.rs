//! Special functions of real numbers in nearly double precision. Values at the boundaries of their domains are
//! TensorFlow's.
//!
//! Bessel functions and Fresnel integrals evaluate Chebyshev series that `coefficients.py` computes; the other files
//! name the formulas they follow. The most used `f32` functions have less accurate versions: polynomials in
//! `singles.rs`, with coefficients computed by `singles_coefficients.py`, and for series the functions named `_single`.

pub(super) mod bessel;
pub(super) mod beta;
mod coefficients;
pub(super) mod error_function;
pub(super) mod gamma;
pub(super) mod incomplete_gamma;
pub(super) mod integrals;
pub(super) mod singles;
mod singles_coefficients;
pub(super) mod zeta;

use crate::elementwise::{Map1, Map2};
use crate::prelude::*;

/// Series whose sum is rounded to `f32` stop when the relative change falls below this.
const SINGLE: f64 = 1e-10;

/// A function of elements of any type that is computed in double precision and takes `NANOS` nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct InF64<const NANOS: u32, F>(F);

/// See [`InF64`].
pub(super) const fn in_f64<const NANOS: u32, F>(f: F) -> InF64<NANOS, F> {
    InF64(f)
}

impl<const N: u32, T: Real, F: Fn(f64) -> f64 + Clone + Send + Sync + 'static> Map1<T> for InF64<N, F> {
    type Out = T;
    const NANOS: f64 = N as f64;
    const WIDE: bool = false;
    #[inline(always)]
    fn call(&self, x: T) -> T {
        T::from_f64((self.0)(x.to_f64()))
    }
}

impl<const N: u32, T: Real, F: Fn(f64, f64) -> f64 + Clone + Send + Sync + 'static> Map2<T> for InF64<N, F> {
    type Out = T;
    const NANOS: f64 = N as f64;
    const WIDE: bool = false;
    #[inline(always)]
    fn call(&self, x: T, y: T) -> T {
        T::from_f64((self.0)(x.to_f64(), y.to_f64()))
    }
}

/// The Chebyshev series over `[-1, 1]`, by Clenshaw's recurrence.
fn chebyshev(series: &[f64], t: f64) -> f64 {
    let (mut last, mut before) = (0.0, 0.0);
    for c in series[1..].iter().rev() {
        (last, before) = (2.0 * t * last - before + c, last);
    }
    t * last - before + series[0]
}

/// The integral of `f` over `[a, b]` by the Gauss-Legendre rule with 32 points.
fn integrate(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
    let (middle, half) = ((a + b) / 2.0, (b - a) / 2.0);
    let pairs = coefficients::GAUSS_NODES.iter().zip(coefficients::GAUSS_WEIGHTS);
    half * pairs.map(|(x, w)| w * (f(middle + half * x) + f(middle - half * x))).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    include!("reference.rs");

    #[test]
    fn values_agree_with_reference() {
        let mut faults = Vec::new();
        for &(name, f, tolerance, cases) in ONE {
            for &(x, expected) in cases {
                let found = f(x);
                let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
                if error > tolerance && !(found == expected) {
                    faults.push(format!("{name}({x}) = {found}, not {expected}: {error:e}"));
                }
            }
        }
        for &(name, f, tolerance, cases) in TWO {
            for &(a, x, expected) in cases {
                let found = f(a, x);
                let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
                if error > tolerance && !(found == expected) {
                    faults.push(format!("{name}({a}, {x}) = {found}, not {expected}: {error:e}"));
                }
            }
        }
        for &(a, b, x, expected) in BETAINC {
            let found = beta::incomplete(a, b, x);
            let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
            if error > 1e-12 {
                faults.push(format!("betainc({a}, {b}, {x}) = {found}, not {expected}: {error:e}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn functions_to_fewer_digits_agree_with_those_to_all() {
        let sizes = [1e-30, 1e-6, 0.01, 0.1, 0.5, 1.0, 2.5, 9.9, 10.0, 50.0, 1e3, 9_999.0, 2e4];
        let ratios = [1e-3, 0.1, 0.5, 0.9, 1.0, 1.01, 1.5, 3.0, 20.0];
        let check = |what: &str, found: f32, exact: f64| {
            assert!((f64::from(found) - exact).abs() <= 7e-8 * exact.abs() + 1e-14, "{what} = {found}, not {exact}");
        };
        for a in sizes {
            for x in ratios.iter().map(|r| r * a).chain(sizes) {
                let wide = (f64::from(a), f64::from(x));
                let (lower, upper) = (incomplete_gamma::igamma_single(a, x), incomplete_gamma::igammac_single(a, x));
                check(&format!("igamma({a}, {x})"), lower, incomplete_gamma::igamma(wide.0, wide.1));
                check(&format!("igammac({a}, {x})"), upper, incomplete_gamma::igammac(wide.0, wide.1));
            }
            for b in sizes {
                let mean = a / (a + b);
                for x in ratios.iter().map(|r| (r * mean).min(1.0)).chain([0.0, 0.3, 0.999, 1.0]) {
                    let exact = beta::incomplete(a.into(), b.into(), x.into());
                    check(&format!("betainc({a}, {b}, {x})"), beta::incomplete_single(a, b, x), exact);
                }
            }
        }
    }
}
