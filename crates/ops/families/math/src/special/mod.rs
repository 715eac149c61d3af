//! Special functions of real numbers in double precision, nearly. Values at the borders of their domains are TensorFlow's.
//!
//! Bessel functions and Fresnel integrals evaluate Chebyshev series that `coefficients.py` computes; the other files name
//! the formulas they follow.

pub(super) mod bessel;
pub(super) mod beta;
mod coefficients;
pub(super) mod error_function;
pub(super) mod gamma;
pub(super) mod incomplete_gamma;
pub(super) mod integrals;
pub(super) mod zeta;

use crate::elementwise::{Map1, Map2};
use crate::prelude::*;

/// A function of elements of any type that is computed in double precision and takes so many nanoseconds.
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
}
