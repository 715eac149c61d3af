//! Special functions.

use levada_ops_math::special::{bessel, beta, error_function, gamma, incomplete_gamma, integrals, zeta};

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
