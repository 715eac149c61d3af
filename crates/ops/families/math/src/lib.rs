//! Elementwise ops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{elementwise, prelude, rules};

mod complex_functions;
pub mod special;

family! {
    add = ADD_V2;
    add_n = ACCUMULATE_NV2, ADD_N;
    arithmetic = MUL, MUL_NO_NAN, SQUARED_DIFFERENCE, SUB;
    atan2 = ATAN2;
    bessel = BESSEL_I0, BESSEL_I0E, BESSEL_I1, BESSEL_I1E, BESSEL_J0, BESSEL_J1, BESSEL_K0, BESSEL_K0E, BESSEL_K1,
        BESSEL_K1E, BESSEL_Y0, BESSEL_Y1;
    betainc = BETAINC;
    bitwise = BITWISE_AND, BITWISE_OR, BITWISE_XOR, INVERT, LEFT_SHIFT, POPULATION_COUNT, RIGHT_SHIFT;
    cast = CAST;
    classify = IS_FINITE, IS_INF, IS_NAN;
    clip = CLIP_BY_VALUE;
    compare = GREATER, GREATER_EQUAL, LESS, LESS_EQUAL;
    complex = ANGLE, COMPLEX, COMPLEX_ABS, CONJ, IMAG, REAL;
    cross = CROSS;
    divide = DIV, DIV_NO_NAN, FLOOR_DIV, REAL_DIV, TRUNCATE_DIV;
    equal = APPROXIMATE_EQUAL, EQUAL, NOT_EQUAL;
    error_function = ERF, ERFC, ERFINV, NDTRI;
    exponential = EXP, EXPM1, LOG, LOG1P, SIGMOID;
    extremum = MAXIMUM, MINIMUM;
    gamma = DIGAMMA, IGAMMA, IGAMMAC, IGAMMA_GRAD_A, LGAMMA, POLYGAMMA, RANDOM_GAMMA_GRAD, ZETA;
    gradients = RECIPROCAL_GRAD, RSQRT_GRAD, SIGMOID_GRAD, SQRT_GRAD, TANH_GRAD;
    hyperbolic = ACOSH, ASINH, ATANH, COSH, SINH, TANH;
    integrals = DAWSN, EXPINT, FRESNEL_COS, FRESNEL_SIN, SPENCE;
    log_product = XDIVY, XLOG1PY, XLOGY;
    logical = LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR;
    modulo = FLOOR_MOD, MOD, TRUNCATE_MOD;
    next_after = NEXT_AFTER;
    power = POW;
    roots = RECIPROCAL, RSQRT, SQRT, SQUARE;
    round = CEIL, FLOOR, RINT, ROUND;
    select = SELECT, SELECT_V2;
    sign = ABS, NEG, SIGN;
    trigonometric = ACOS, ASIN, ATAN, COS, SIN, TAN;
}
