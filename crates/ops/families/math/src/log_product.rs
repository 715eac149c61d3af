//! Products and quotients that are 0 wherever their first factor is.

use super::complex_functions as complex;
use crate::prelude::*;

binary_ops! {
    /// `x / y`, and 0 where `x` is 0.
    Xdivy(x, y) -> z: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `x * log(1 + y)`, and 0 where `x` is 0.
    Xlog1py(x, y) -> z: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// `x * log(y)`, and 0 where `x` is 0.
    Xlogy(x, y) -> z: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
}

map2! {
    Xdivy: [f32, f64] |x, y| if x == 0.0 { 0.0 } else { x / y };
    Xdivy: [Complex32, Complex64] |x, y| if x.re == 0.0 && x.im == 0.0 { x } else { x / y };
    Xlog1py: [f32, f64] @ 6.0 |x, y| if x == 0.0 { 0.0 } else { x * y.ln_1p() };
    Xlog1py: [Complex32, Complex64] @ 40.0 |x, y| {
        if x.re == 0.0 && x.im == 0.0 { x } else { x * complex::by64(y, complex::ln_1p) }
    };
    Xlogy: [f32, f64] @ 6.0 |x, y| if x == 0.0 { 0.0 } else { x * y.ln() };
    Xlogy: [Complex32, Complex64] @ 40.0 |x, y| {
        if x.re == 0.0 && x.im == 0.0 { x } else { x * complex::by64(y, complex::ln) }
    };
}
