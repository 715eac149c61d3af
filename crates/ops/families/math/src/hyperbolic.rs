//! Hyperbolic sines, cosines, tangents and their inverses.

use super::complex_functions as complex;
use crate::elementwise::vector_math as vector;
use crate::prelude::*;

unary_ops! {
    /// The inverse hyperbolic cosine.
    Acosh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The inverse hyperbolic sine.
    Asinh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The inverse hyperbolic tangent.
    Atanh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The hyperbolic cosine.
    Cosh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The hyperbolic sine.
    Sinh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
    /// The hyperbolic tangent.
    Tanh(x) -> y: sets::FLOATS_COMPLEX, floats_complex FLOATS_COMPLEX;
}

map1! {
    Acosh: [f32] @ 10.0 |x| f64::from(x).acosh() as f32;
    Acosh: [f64] @ 20.0 |x| libm::acosh(x);
    Acosh: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::acosh);
    Asinh: [f32] @ 10.0 |x| libm::asinh(x.into()) as f32;
    Asinh: [f64] @ 20.0 |x| libm::asinh(x);
    Asinh: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::asinh);
    Atanh: [f32] @ 10.0 |x| libm::atanh(x.into()) as f32;
    Atanh: [f64] @ 20.0 |x| libm::atanh(x);
    Atanh: [Complex32, Complex64] @ 80.0 |x| complex::by64(x, complex::atanh);
    Cosh: [f32, f64] @ 10.0 |x| x.cosh();
    Cosh: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::cosh);
    Sinh: [f32, f64] @ 10.0 |x| x.sinh();
    Sinh: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::sinh);
    Tanh: [f32] |x| vector::tanh(x);
    Tanh: [f64] @ 8.0 |x| x.tanh();
    Tanh: [Complex32, Complex64] @ 60.0 |x| complex::by64(x, complex::tanh);
}
