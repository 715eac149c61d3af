//! Elementwise ops.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{elementwise, prelude};

mod complex_functions;
mod special;

family! {
    add: Add, AddV2;
    add_n: AddN = ACCUMULATE_NV2;
    arithmetic: Mul, MulNoNan, SquaredDifference, Sub;
    atan2: Atan2;
    bessel: BesselI0, BesselI0e, BesselI1, BesselI1e, BesselJ0, BesselJ1, BesselK0, BesselK0e, BesselK1, BesselK1e,
        BesselY0, BesselY1;
    betainc = BETAINC;
    bitwise: BitwiseAnd, BitwiseOr, BitwiseXor, Invert, LeftShift, RightShift = POPULATION_COUNT;
    cast: Cast;
    classify: IsFinite, IsInf, IsNan;
    clip: ClipByValue;
    compare: Greater, GreaterEqual, Less, LessEqual;
    complex: Angle, ComplexAbs, Imag, Real = COMPLEX, CONJ;
    divide: Div, DivNoNan, FloorDiv, RealDiv, TruncateDiv;
    equal: ApproximateEqual, Equal, NotEqual;
    error_function: Erf, Erfc, Erfinv, Ndtri;
    exponential: Exp, Expm1, Log, Log1p, Sigmoid;
    extremum: Maximum, Minimum;
    gamma: Digamma, Igamma, IgammaGradA, Igammac, Lgamma, Polygamma, RandomGammaGrad, Zeta;
    gradients: InvGrad, ReciprocalGrad, RsqrtGrad, SigmoidGrad, SqrtGrad, TanhGrad;
    hyperbolic: Acosh, Asinh, Atanh, Cosh, Sinh, Tanh;
    integrals: Dawsn, Expint, FresnelCos, FresnelSin, Spence;
    log_product: Xdivy, Xlog1py, Xlogy;
    logical: LogicalAnd, LogicalNot, LogicalOr;
    modulo: FloorMod, Mod, TruncateMod;
    next_after = NEXT_AFTER;
    power: Pow;
    roots: Inv, Reciprocal, Rsqrt, Sqrt, Square;
    round: Ceil, Floor, Rint, Round;
    select: Select, SelectV2;
    sign: Abs, Neg, Sign;
    trigonometric: Acos, Asin, Atan, Cos, Sin, Tan;
}
