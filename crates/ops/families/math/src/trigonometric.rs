//! Sines, cosines, tangents and their inverses.

use super::complex_functions as complex;
use crate::prelude::*;

unary_ops! {
    /// The inverse cosine.
    Acos(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The inverse sine.
    Asin(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The inverse tangent.
    Atan(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The cosine.
    Cos(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The sine.
    Sin(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The tangent.
    Tan(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
}

map1! {
    Acos: [f32, f64] @ 8.0 |x| x.acos();
    Acos: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::acos);
    Asin: [f32, f64] @ 8.0 |x| x.asin();
    Asin: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::asin);
    Atan: [f32, f64] @ 8.0 |x| x.atan();
    Atan: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::atan);
    Cos: [f32, f64] @ 6.0 |x| x.cos();
    Cos: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::cos);
    Sin: [f32, f64] @ 6.0 |x| x.sin();
    Sin: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::sin);
    Tan: [f32, f64] @ 10.0 |x| x.tan();
    Tan: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::tan);
}
