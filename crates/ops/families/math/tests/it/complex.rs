//! Functions of complex64, which are computed without branches, against those of complex128.

use crate::ulps::ulps;
use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

/// Numbers of all sizes, near the unit circle, and with special parts.
fn numbers() -> Vec<Complex32> {
    let special =
        [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, 1e-45, -1e-38, 88.7, 3e8];
    let pairs = special.iter().flat_map(|&re| special.map(|im| Complex32::new(re, im)));
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 24) as f32
    };
    let mut all: Vec<Complex32> = pairs.collect();
    for i in 0..60_000 {
        let (size, angle) = (2f32.powf(draw() * 60.0 - 30.0), draw() * 7.0 - 3.5);
        let size = if i % 3 == 0 { 1.0 + (draw() - 0.5) * 1e-5 } else { size };
        all.push(Complex32::new(size * angle.cos(), size * angle.sin()));
    }
    all
}

fn check(op: &'static Def<Elementwise>, limit: f64) {
    let narrow = numbers();
    let wide: Vec<Complex64> = narrow.iter().map(|x| Complex64::new(x.re.into(), x.im.into())).collect();
    let of = |dtype, x| run(op.of(Elementwise { dtype }), vec![x], &[dtype]).unwrap().remove(0);
    let found = of(DType::C64, Tensor::vector(narrow.clone()));
    let exact = of(DType::C128, Tensor::vector(wide));
    let pairs = found.slice::<Complex32>().unwrap().iter().zip(exact.slice::<Complex64>().unwrap());
    for (x, (found, exact)) in narrow.iter().zip(pairs) {
        for (found, exact) in [(found.re, exact.re), (found.im, exact.im)] {
            let error = ulps(found, exact);
            assert!(error <= limit, "{x}: {found}, not {exact}: {error} units");
        }
    }
}

#[test]
fn exponentials() {
    check(&EXP, 2.1);
}

#[test]
fn logarithms() {
    check(&LOG, 2.6);
}

#[test]
fn roots() {
    check(&SQRT, 0.51);
    check(&RSQRT, 0.51);
}
