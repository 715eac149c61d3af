//! Special functions in single precision.

use crate::ulps::ulps;
use levada_ops_math::special::singles::*;
use levada_ops_math::special::{bessel, error_function, gamma};

/// Compares with the double-precision function at floats spread over the whole range of bit patterns, and at
/// others.
fn check(name: &str, single: fn(f32) -> f32, double: fn(f64) -> f64, limit: f64) {
    let step = if cfg!(debug_assertions) { 400_009 } else { 5_003 };
    let bits = (0..=u32::MAX).step_by(step).map(f32::from_bits);
    let special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 8.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN];
    let near = [1f32.next_down(), -1f32.next_down(), 1f32.next_up(), 2f32.next_up(), 1e-45, -1e-45, 1e-38];
    let dense = (-40_000..40_000).map(|i| i as f32 * 1.001e-3).chain((0..10_000).map(|i| 1.0 - i as f32 * 6e-8));
    let mut worst = (0.0, 0.0);
    for x in bits.chain(special).chain(near).chain(dense) {
        let (found, exact) = (single(x), double(x.into()));
        let error = ulps(found, exact);
        assert!(error <= limit, "{name}({x}) = {found}, not {exact}: {error} units");
        if error > worst.0 {
            worst = (error, x);
        }
    }
    println!("{name}: {:.3} units at {}", worst.0, worst.1);
}

#[test]
fn errors_are_small() {
    check("erfinv", erfinv, error_function::erfinv, 0.51);
    check("ndtri", ndtri, error_function::ndtri, 0.52);
    check("i0", i0, bessel::i0, 0.52);
    check("i1", i1, bessel::i1, 0.52);
    check("i0e", i0e, bessel::i0e, 0.52);
    check("i1e", i1e, bessel::i1e, 0.52);
    check("k0", k0, bessel::k0, 0.52);
    check("k1", k1, bessel::k1, 0.52);
    check("k0e", k0e, bessel::k0e, 0.52);
    check("k1e", k1e, bessel::k1e, 0.52);
    // Near 0, without the reflection, which loses digits there.
    let exact = |x: f64| if x < 0.0 && x > -0.1 { gamma::digamma(1.0 + x) - 1.0 / x } else { gamma::digamma(x) };
    check("digamma", digamma, exact, 0.51);
    check("lgamma", lgamma, gamma::lgamma, 0.51);
}
