//! Special functions of real numbers in nearly double precision. Values at the boundaries of their domains are
//! TensorFlow's.
//!
//! Bessel functions and Fresnel integrals evaluate Chebyshev series that `coefficients.py` computes; the other files
//! name the formulas they follow. The most used `f32` functions have less accurate versions: polynomials in
//! `singles.rs`, with coefficients computed by `singles_coefficients.py`, and for series the functions named `_single`.

pub mod bessel;
pub mod beta;
mod coefficients;
pub mod error_function;
pub mod gamma;
pub mod incomplete_gamma;
pub mod integrals;
pub mod singles;
mod singles_coefficients;
pub mod zeta;

use crate::elementwise::{Map1, Map2};
use crate::prelude::*;

/// Series whose sum is rounded to `f32` stop when the relative change falls below this.
const SINGLE: f64 = 1e-10;

/// A function of elements of any type that is computed in double precision and takes `NANOS` nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct InF64<const NANOS: u32, F>(F);

/// See [`InF64`].
pub(crate) const fn in_f64<const NANOS: u32, F>(f: F) -> InF64<NANOS, F> {
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
