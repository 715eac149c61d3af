// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `math`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_graph::{DType, PartialShape};

impl Ops<'_> {
    /// The absolute value; that of the minimum integer is itself.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float, int32, int16, int8, int64.
    pub fn abs(&self, x: impl Input) -> Abs<'_> {
        Abs(Node::new(self, "Abs").input(x))
    }

    /// The elementwise sum of all inputs, which must have the same shape.
    ///
    /// - `inputs`: any number of tensors of `T`
    /// - `shape`: Shape of the inputs and the sum.
    ///
    /// `T` is any number, also quantized.
    pub fn accumulate_n_v2(&self, inputs: impl IntoIterator<Item = impl Input>, shape: impl Into<PartialShape>) -> AccumulateNV2<'_> {
        let mut node = Node::new(self, "AccumulateNV2").list(inputs);
        node.set("shape", Into::<PartialShape>::into(shape));
        AccumulateNV2(node)
    }

    /// The inverse cosine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn acos(&self, x: impl Input) -> Acos<'_> {
        Acos(Node::new(self, "Acos").input(x))
    }

    /// The inverse hyperbolic cosine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn acosh(&self, x: impl Input) -> Acosh<'_> {
        Acosh(Node::new(self, "Acosh").input(x))
    }

    /// `x + y`; strings are concatenated.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, uint8, int16, int8, string, int64.
    pub fn add(&self, x: impl Input, y: impl Input) -> Add<'_> {
        Add(Node::new(self, "Add").input(x).input(y))
    }

    /// The elementwise sum of all inputs, which must have the same shape.
    ///
    /// - `inputs`: any number of tensors of `T`
    ///
    /// `T` is any number, also quantized, variant.
    pub fn add_n(&self, inputs: impl IntoIterator<Item = impl Input>) -> AddN<'_> {
        AddN(Node::new(self, "AddN").list(inputs))
    }

    /// `x + y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn add_v2(&self, x: impl Input, y: impl Input) -> AddV2<'_> {
        AddV2(Node::new(self, "AddV2").input(x).input(y))
    }

    /// The argument (phase angle) of a complex number.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is complex64, complex128.
    pub fn angle(&self, input: impl Input) -> Angle<'_> {
        Angle(Node::new(self, "Angle").input(input))
    }

    /// `|x - y| < tolerance`, for inputs of the same shape.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn approximate_equal(&self, x: impl Input, y: impl Input) -> ApproximateEqual<'_> {
        ApproximateEqual(Node::new(self, "ApproximateEqual").input(x).input(y))
    }

    /// The inverse sine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn asin(&self, x: impl Input) -> Asin<'_> {
        Asin(Node::new(self, "Asin").input(x))
    }

    /// The inverse hyperbolic sine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn asinh(&self, x: impl Input) -> Asinh<'_> {
        Asinh(Node::new(self, "Asinh").input(x))
    }

    /// The inverse tangent.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn atan(&self, x: impl Input) -> Atan<'_> {
        Atan(Node::new(self, "Atan").input(x))
    }

    /// The angle between the positive x axis and the point `(x, y)`, in \[-pi, pi\].
    ///
    /// - `y`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn atan2(&self, y: impl Input, x: impl Input) -> Atan2<'_> {
        Atan2(Node::new(self, "Atan2").input(y).input(x))
    }

    /// The inverse hyperbolic tangent.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn atanh(&self, x: impl Input) -> Atanh<'_> {
        Atanh(Node::new(self, "Atanh").input(x))
    }

    /// The modified Bessel function of the first kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_i0(&self, x: impl Input) -> BesselI0<'_> {
        BesselI0(Node::new(self, "BesselI0").input(x))
    }

    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_i0e(&self, x: impl Input) -> BesselI0e<'_> {
        BesselI0e(Node::new(self, "BesselI0e").input(x))
    }

    /// The modified Bessel function of the first kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_i1(&self, x: impl Input) -> BesselI1<'_> {
        BesselI1(Node::new(self, "BesselI1").input(x))
    }

    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_i1e(&self, x: impl Input) -> BesselI1e<'_> {
        BesselI1e(Node::new(self, "BesselI1e").input(x))
    }

    /// The Bessel function of the first kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_j0(&self, x: impl Input) -> BesselJ0<'_> {
        BesselJ0(Node::new(self, "BesselJ0").input(x))
    }

    /// The Bessel function of the first kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_j1(&self, x: impl Input) -> BesselJ1<'_> {
        BesselJ1(Node::new(self, "BesselJ1").input(x))
    }

    /// The modified Bessel function of the second kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_k0(&self, x: impl Input) -> BesselK0<'_> {
        BesselK0(Node::new(self, "BesselK0").input(x))
    }

    /// `exp(x)` times the modified Bessel function of the second kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_k0e(&self, x: impl Input) -> BesselK0e<'_> {
        BesselK0e(Node::new(self, "BesselK0e").input(x))
    }

    /// The modified Bessel function of the second kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_k1(&self, x: impl Input) -> BesselK1<'_> {
        BesselK1(Node::new(self, "BesselK1").input(x))
    }

    /// `exp(x)` times the modified Bessel function of the second kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_k1e(&self, x: impl Input) -> BesselK1e<'_> {
        BesselK1e(Node::new(self, "BesselK1e").input(x))
    }

    /// The Bessel function of the second kind of order 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_y0(&self, x: impl Input) -> BesselY0<'_> {
        BesselY0(Node::new(self, "BesselY0").input(x))
    }

    /// The Bessel function of the second kind of order 1.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn bessel_y1(&self, x: impl Input) -> BesselY1<'_> {
        BesselY1(Node::new(self, "BesselY1").input(x))
    }

    /// The regularized incomplete beta function `I_x(a, b)`. Inputs have the same shape or are scalars.
    ///
    /// - `a`: a tensor of `T`
    /// - `b`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn betainc(&self, a: impl Input, b: impl Input, x: impl Input) -> Betainc<'_> {
        Betainc(Node::new(self, "Betainc").input(a).input(b).input(x))
    }

    /// Bitwise AND of `x` and `y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn bitwise_and(&self, x: impl Input, y: impl Input) -> BitwiseAnd<'_> {
        BitwiseAnd(Node::new(self, "BitwiseAnd").input(x).input(y))
    }

    /// Bitwise OR of `x` and `y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn bitwise_or(&self, x: impl Input, y: impl Input) -> BitwiseOr<'_> {
        BitwiseOr(Node::new(self, "BitwiseOr").input(x).input(y))
    }

    /// Bitwise XOR of `x` and `y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn bitwise_xor(&self, x: impl Input, y: impl Input) -> BitwiseXor<'_> {
        BitwiseXor(Node::new(self, "BitwiseXor").input(x).input(y))
    }

    /// Converts the elements of `x` to another type.
    ///
    /// Integers wrap, floats are truncated toward zero when converted to integers, complex numbers lose their imaginary part, and any nonzero value converts to true. Floats that an integer type cannot represent, and NaN, become what the scalar x86 conversion returns.
    ///
    /// - `x`: a tensor of `SrcT`
    /// - `dst_t`: Element type of `y`. Allowed: any dtype.
    ///
    /// `SrcT` is any dtype.
    pub fn cast(&self, x: impl Input, dst_t: DType) -> Cast<'_> {
        let mut node = Node::new(self, "Cast").input(x);
        node.set("DstT", dst_t);
        Cast(node)
    }

    /// The smallest integer that is not less than `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn ceil(&self, x: impl Input) -> Ceil<'_> {
        Ceil(Node::new(self, "Ceil").input(x))
    }

    /// `t` clipped to the range from `clip_value_min` to `clip_value_max`; the lower bound wins if they conflict.
    ///
    /// - `t`: a tensor of `T`
    /// - `clip_value_min`: a tensor of `T`
    /// - `clip_value_max`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn clip_by_value(&self, t: impl Input, clip_value_min: impl Input, clip_value_max: impl Input) -> ClipByValue<'_> {
        ClipByValue(Node::new(self, "ClipByValue").input(t).input(clip_value_min).input(clip_value_max))
    }

    /// `real + i * imag`.
    ///
    /// - `real`: a tensor of `T`
    /// - `imag`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn complex(&self, real: impl Input, imag: impl Input) -> Complex<'_> {
        Complex(Node::new(self, "Complex").input(real).input(imag))
    }

    /// The absolute value of a complex number.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is complex64, complex128.
    pub fn complex_abs(&self, x: impl Input) -> ComplexAbs<'_> {
        ComplexAbs(Node::new(self, "ComplexAbs").input(x))
    }

    /// The complex conjugate.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is complex64, complex128, variant.
    pub fn conj(&self, input: impl Input) -> Conj<'_> {
        Conj(Node::new(self, "Conj").input(input))
    }

    /// The cosine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn cos(&self, x: impl Input) -> Cos<'_> {
        Cos(Node::new(self, "Cos").input(x))
    }

    /// The hyperbolic cosine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn cosh(&self, x: impl Input) -> Cosh<'_> {
        Cosh(Node::new(self, "Cosh").input(x))
    }

    /// The cross product of the 3-element vectors along the last axis.
    ///
    /// - `a`: a tensor of `T`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn cross(&self, a: impl Input, b: impl Input) -> Cross<'_> {
        Cross(Node::new(self, "Cross").input(a).input(b))
    }

    /// Dawson's integral.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn dawsn(&self, x: impl Input) -> Dawsn<'_> {
        Dawsn(Node::new(self, "Dawsn").input(x))
    }

    /// The digamma function: the derivative of `Lgamma`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn digamma(&self, x: impl Input) -> Digamma<'_> {
        Digamma(Node::new(self, "Digamma").input(x))
    }

    /// `x / y`; integer quotients are rounded toward zero.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn div(&self, x: impl Input, y: impl Input) -> Div<'_> {
        Div(Node::new(self, "Div").input(x).input(y))
    }

    /// `x / y`, but 0 where `y` is 0.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn div_no_nan(&self, x: impl Input, y: impl Input) -> DivNoNan<'_> {
        DivNoNan(Node::new(self, "DivNoNan").input(x).input(y))
    }

    /// `x == y`; NaN is not equal to NaN.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn equal(&self, x: impl Input, y: impl Input) -> Equal<'_> {
        Equal(Node::new(self, "Equal").input(x).input(y))
    }

    /// The error function.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn erf(&self, x: impl Input) -> Erf<'_> {
        Erf(Node::new(self, "Erf").input(x))
    }

    /// The complementary error function `1 - erf(x)`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn erfc(&self, x: impl Input) -> Erfc<'_> {
        Erfc(Node::new(self, "Erfc").input(x))
    }

    /// The inverse of the error function.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn erfinv(&self, x: impl Input) -> Erfinv<'_> {
        Erfinv(Node::new(self, "Erfinv").input(x))
    }

    /// `e` to the power of `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn exp(&self, x: impl Input) -> Exp<'_> {
        Exp(Node::new(self, "Exp").input(x))
    }

    /// The exponential integral `Ei`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn expint(&self, x: impl Input) -> Expint<'_> {
        Expint(Node::new(self, "Expint").input(x))
    }

    /// `exp(x) - 1`, accurate near 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn expm1(&self, x: impl Input) -> Expm1<'_> {
        Expm1(Node::new(self, "Expm1").input(x))
    }

    /// The largest integer that is not greater than `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn floor(&self, x: impl Input) -> Floor<'_> {
        Floor(Node::new(self, "Floor").input(x))
    }

    /// `x / y`, rounded down.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn floor_div(&self, x: impl Input, y: impl Input) -> FloorDiv<'_> {
        FloorDiv(Node::new(self, "FloorDiv").input(x).input(y))
    }

    /// The remainder of floored division `x / y`; it has the sign of `y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn floor_mod(&self, x: impl Input, y: impl Input) -> FloorMod<'_> {
        FloorMod(Node::new(self, "FloorMod").input(x).input(y))
    }

    /// The Fresnel cosine integral.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn fresnel_cos(&self, x: impl Input) -> FresnelCos<'_> {
        FresnelCos(Node::new(self, "FresnelCos").input(x))
    }

    /// The Fresnel sine integral.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn fresnel_sin(&self, x: impl Input) -> FresnelSin<'_> {
        FresnelSin(Node::new(self, "FresnelSin").input(x))
    }

    /// `x > y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn greater(&self, x: impl Input, y: impl Input) -> Greater<'_> {
        Greater(Node::new(self, "Greater").input(x).input(y))
    }

    /// `x >= y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn greater_equal(&self, x: impl Input, y: impl Input) -> GreaterEqual<'_> {
        GreaterEqual(Node::new(self, "GreaterEqual").input(x).input(y))
    }

    /// The lower regularized incomplete gamma function.
    ///
    /// - `a`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn igamma(&self, a: impl Input, x: impl Input) -> Igamma<'_> {
        Igamma(Node::new(self, "Igamma").input(a).input(x))
    }

    /// The derivative of `Igamma` with respect to `a`.
    ///
    /// - `a`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn igamma_grad_a(&self, a: impl Input, x: impl Input) -> IgammaGradA<'_> {
        IgammaGradA(Node::new(self, "IgammaGradA").input(a).input(x))
    }

    /// The upper regularized incomplete gamma function.
    ///
    /// - `a`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn igammac(&self, a: impl Input, x: impl Input) -> Igammac<'_> {
        Igammac(Node::new(self, "Igammac").input(a).input(x))
    }

    /// The imaginary part of a complex number.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is complex64, complex128.
    pub fn imag(&self, input: impl Input) -> Imag<'_> {
        Imag(Node::new(self, "Imag").input(input))
    }

    /// `1 / x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn inv(&self, x: impl Input) -> Inv<'_> {
        Inv(Node::new(self, "Inv").input(x))
    }

    /// The gradient of `y = 1 / x`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn inv_grad(&self, y: impl Input, dy: impl Input) -> InvGrad<'_> {
        InvGrad(Node::new(self, "InvGrad").input(y).input(dy))
    }

    /// Bitwise NOT of `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn invert(&self, x: impl Input) -> Invert<'_> {
        Invert(Node::new(self, "Invert").input(x))
    }

    /// True for finite values, false for infinities and NaN.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn is_finite(&self, x: impl Input) -> IsFinite<'_> {
        IsFinite(Node::new(self, "IsFinite").input(x))
    }

    /// True for positive and negative infinity.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn is_inf(&self, x: impl Input) -> IsInf<'_> {
        IsInf(Node::new(self, "IsInf").input(x))
    }

    /// True for NaN.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn is_nan(&self, x: impl Input) -> IsNan<'_> {
        IsNan(Node::new(self, "IsNan").input(x))
    }

    /// `x` shifted left by `y` bits; `y` is clamped to \[0, bit width - 1\].
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn left_shift(&self, x: impl Input, y: impl Input) -> LeftShift<'_> {
        LeftShift(Node::new(self, "LeftShift").input(x).input(y))
    }

    /// `x < y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn less(&self, x: impl Input, y: impl Input) -> Less<'_> {
        Less(Node::new(self, "Less").input(x).input(y))
    }

    /// `x <= y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn less_equal(&self, x: impl Input, y: impl Input) -> LessEqual<'_> {
        LessEqual(Node::new(self, "LessEqual").input(x).input(y))
    }

    /// The logarithm of the absolute value of the gamma function.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn lgamma(&self, x: impl Input) -> Lgamma<'_> {
        Lgamma(Node::new(self, "Lgamma").input(x))
    }

    /// The natural logarithm.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn log(&self, x: impl Input) -> Log<'_> {
        Log(Node::new(self, "Log").input(x))
    }

    /// `log(1 + x)`, accurate near 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn log1p(&self, x: impl Input) -> Log1p<'_> {
        Log1p(Node::new(self, "Log1p").input(x))
    }

    /// Logical AND of `x` and `y`.
    ///
    /// - `x`: a tensor of bool
    /// - `y`: a tensor of bool
    pub fn logical_and(&self, x: impl Input, y: impl Input) -> LogicalAnd<'_> {
        LogicalAnd(Node::new(self, "LogicalAnd").input(x).input(y))
    }

    /// Logical NOT of `x`.
    ///
    /// - `x`: a tensor of bool
    pub fn logical_not(&self, x: impl Input) -> LogicalNot<'_> {
        LogicalNot(Node::new(self, "LogicalNot").input(x))
    }

    /// Logical OR of `x` and `y`.
    ///
    /// - `x`: a tensor of bool
    /// - `y`: a tensor of bool
    pub fn logical_or(&self, x: impl Input, y: impl Input) -> LogicalOr<'_> {
        LogicalOr(Node::new(self, "LogicalOr").input(x).input(y))
    }

    /// The elementwise maximum of `x` and `y`; NaN if either is NaN.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn maximum(&self, x: impl Input, y: impl Input) -> Maximum<'_> {
        Maximum(Node::new(self, "Maximum").input(x).input(y))
    }

    /// The elementwise minimum of `x` and `y`; NaN if either is NaN.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn minimum(&self, x: impl Input, y: impl Input) -> Minimum<'_> {
        Minimum(Node::new(self, "Minimum").input(x).input(y))
    }

    /// The remainder of truncated division `x / y`; it has the sign of `x`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float, int32, int64.
    pub fn mod_(&self, x: impl Input, y: impl Input) -> Mod<'_> {
        Mod(Node::new(self, "Mod").input(x).input(y))
    }

    /// `x * y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn mul(&self, x: impl Input, y: impl Input) -> Mul<'_> {
        Mul(Node::new(self, "Mul").input(x).input(y))
    }

    /// `x * y`, but 0 where `y` is 0, even if `x` is infinite or NaN.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn mul_no_nan(&self, x: impl Input, y: impl Input) -> MulNoNan<'_> {
        MulNoNan(Node::new(self, "MulNoNan").input(x).input(y))
    }

    /// The quantile function of the standard normal distribution.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn ndtri(&self, x: impl Input) -> Ndtri<'_> {
        Ndtri(Node::new(self, "Ndtri").input(x))
    }

    /// `-x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn neg(&self, x: impl Input) -> Neg<'_> {
        Neg(Node::new(self, "Neg").input(x))
    }

    /// The next representable float after `x1` in the direction of `x2`.
    ///
    /// - `x1`: a tensor of `T`
    /// - `x2`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn next_after(&self, x1: impl Input, x2: impl Input) -> NextAfter<'_> {
        NextAfter(Node::new(self, "NextAfter").input(x1).input(x2))
    }

    /// `x != y`; NaN is not equal to NaN.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn not_equal(&self, x: impl Input, y: impl Input) -> NotEqual<'_> {
        NotEqual(Node::new(self, "NotEqual").input(x).input(y))
    }

    /// The polygamma function: the `a`-th derivative of `Digamma`.
    ///
    /// - `a`: a tensor of `T`
    /// - `x`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn polygamma(&self, a: impl Input, x: impl Input) -> Polygamma<'_> {
        Polygamma(Node::new(self, "Polygamma").input(a).input(x))
    }

    /// Number of bits set in `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn population_count(&self, x: impl Input) -> PopulationCount<'_> {
        PopulationCount(Node::new(self, "PopulationCount").input(x))
    }

    /// `x` raised to the power of `y`. Integers wrap and cannot be raised to a negative power.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn pow(&self, x: impl Input, y: impl Input) -> Pow<'_> {
        Pow(Node::new(self, "Pow").input(x).input(y))
    }

    /// The derivative of a gamma-distributed sample with respect to the shape parameter `alpha`.
    ///
    /// - `alpha`: a tensor of `T`
    /// - `sample`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn random_gamma_grad(&self, alpha: impl Input, sample: impl Input) -> RandomGammaGrad<'_> {
        RandomGammaGrad(Node::new(self, "RandomGammaGrad").input(alpha).input(sample))
    }

    /// The real part of a complex number.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is complex64, complex128.
    pub fn real(&self, input: impl Input) -> Real<'_> {
        Real(Node::new(self, "Real").input(input))
    }

    /// `x / y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn real_div(&self, x: impl Input, y: impl Input) -> RealDiv<'_> {
        RealDiv(Node::new(self, "RealDiv").input(x).input(y))
    }

    /// `1 / x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn reciprocal(&self, x: impl Input) -> Reciprocal<'_> {
        Reciprocal(Node::new(self, "Reciprocal").input(x))
    }

    /// The gradient of `y = 1 / x`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn reciprocal_grad(&self, y: impl Input, dy: impl Input) -> ReciprocalGrad<'_> {
        ReciprocalGrad(Node::new(self, "ReciprocalGrad").input(y).input(dy))
    }

    /// `x` shifted right by `y` bits, arithmetically for signed types; `y` is clamped to \[0, bit width - 1\].
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any integer.
    pub fn right_shift(&self, x: impl Input, y: impl Input) -> RightShift<'_> {
        RightShift(Node::new(self, "RightShift").input(x).input(y))
    }

    /// The integer nearest to `x`; halfway cases round to even.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn rint(&self, x: impl Input) -> Rint<'_> {
        Rint(Node::new(self, "Rint").input(x))
    }

    /// The integer nearest to `x`; halfway cases round to even.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn round(&self, x: impl Input) -> Round<'_> {
        Round(Node::new(self, "Round").input(x))
    }

    /// `1 / sqrt(x)`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn rsqrt(&self, x: impl Input) -> Rsqrt<'_> {
        Rsqrt(Node::new(self, "Rsqrt").input(x))
    }

    /// The gradient of `y = 1 / sqrt(x)`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn rsqrt_grad(&self, y: impl Input, dy: impl Input) -> RsqrtGrad<'_> {
        RsqrtGrad(Node::new(self, "RsqrtGrad").input(y).input(dy))
    }

    /// `t` where `condition` is true and `e` where it is false. `t` and `e` have the same shape; `condition` has that shape too, or is a scalar, or has one element per row of `t` and `e`.
    ///
    /// - `condition`: a tensor of bool
    /// - `t`: a tensor of `T`
    /// - `e`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn select(&self, condition: impl Input, t: impl Input, e: impl Input) -> Select<'_> {
        Select(Node::new(self, "Select").input(condition).input(t).input(e))
    }

    /// `t` where `condition` is true and `e` where it is false, all three broadcast together.
    ///
    /// - `condition`: a tensor of bool
    /// - `t`: a tensor of `T`
    /// - `e`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn select_v2(&self, condition: impl Input, t: impl Input, e: impl Input) -> SelectV2<'_> {
        SelectV2(Node::new(self, "SelectV2").input(condition).input(t).input(e))
    }

    /// The logistic sigmoid `1 / (1 + exp(-x))`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sigmoid(&self, x: impl Input) -> Sigmoid<'_> {
        Sigmoid(Node::new(self, "Sigmoid").input(x))
    }

    /// The gradient of `y = sigmoid(x)`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sigmoid_grad(&self, y: impl Input, dy: impl Input) -> SigmoidGrad<'_> {
        SigmoidGrad(Node::new(self, "SigmoidGrad").input(y).input(dy))
    }

    /// The sign of `x`: -1, 0 or 1; for complex numbers `x / |x|`, or 0.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int16, int8, int64.
    pub fn sign(&self, x: impl Input) -> Sign<'_> {
        Sign(Node::new(self, "Sign").input(x))
    }

    /// The sine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sin(&self, x: impl Input) -> Sin<'_> {
        Sin(Node::new(self, "Sin").input(x))
    }

    /// The hyperbolic sine.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sinh(&self, x: impl Input) -> Sinh<'_> {
        Sinh(Node::new(self, "Sinh").input(x))
    }

    /// The dilogarithm of `1 - x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn spence(&self, x: impl Input) -> Spence<'_> {
        Spence(Node::new(self, "Spence").input(x))
    }

    /// The square root.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sqrt(&self, x: impl Input) -> Sqrt<'_> {
        Sqrt(Node::new(self, "Sqrt").input(x))
    }

    /// The gradient of `y = sqrt(x)`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn sqrt_grad(&self, y: impl Input, dy: impl Input) -> SqrtGrad<'_> {
        SqrtGrad(Node::new(self, "SqrtGrad").input(y).input(dy))
    }

    /// `x * x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn square(&self, x: impl Input) -> Square<'_> {
        Square(Node::new(self, "Square").input(x))
    }

    /// `conj(x - y) * (x - y)`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn squared_difference(&self, x: impl Input, y: impl Input) -> SquaredDifference<'_> {
        SquaredDifference(Node::new(self, "SquaredDifference").input(x).input(y))
    }

    /// `x - y`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn sub(&self, x: impl Input, y: impl Input) -> Sub<'_> {
        Sub(Node::new(self, "Sub").input(x).input(y))
    }

    /// The tangent.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn tan(&self, x: impl Input) -> Tan<'_> {
        Tan(Node::new(self, "Tan").input(x))
    }

    /// The hyperbolic tangent.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn tanh(&self, x: impl Input) -> Tanh<'_> {
        Tanh(Node::new(self, "Tanh").input(x))
    }

    /// The gradient of `y = tanh(x)`, computed from `y`.
    ///
    /// - `y`: a tensor of `T`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn tanh_grad(&self, y: impl Input, dy: impl Input) -> TanhGrad<'_> {
        TanhGrad(Node::new(self, "TanhGrad").input(y).input(dy))
    }

    /// `x / y`, rounded toward zero.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any number.
    pub fn truncate_div(&self, x: impl Input, y: impl Input) -> TruncateDiv<'_> {
        TruncateDiv(Node::new(self, "TruncateDiv").input(x).input(y))
    }

    /// The remainder of truncated division `x / y`; it has the sign of `x`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float, int32, int64.
    pub fn truncate_mod(&self, x: impl Input, y: impl Input) -> TruncateMod<'_> {
        TruncateMod(Node::new(self, "TruncateMod").input(x).input(y))
    }

    /// `x / y`, but 0 where `x` is 0.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn xdivy(&self, x: impl Input, y: impl Input) -> Xdivy<'_> {
        Xdivy(Node::new(self, "Xdivy").input(x).input(y))
    }

    /// `x * log(1 + y)`, but 0 where `x` is 0.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn xlog1py(&self, x: impl Input, y: impl Input) -> Xlog1py<'_> {
        Xlog1py(Node::new(self, "Xlog1py").input(x).input(y))
    }

    /// `x * log(y)`, but 0 where `x` is 0.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn xlogy(&self, x: impl Input, y: impl Input) -> Xlogy<'_> {
        Xlogy(Node::new(self, "Xlogy").input(x).input(y))
    }

    /// The Hurwitz zeta function.
    ///
    /// - `x`: a tensor of `T`
    /// - `q`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn zeta(&self, x: impl Input, q: impl Input) -> Zeta<'_> {
        Zeta(Node::new(self, "Zeta").input(x).input(q))
    }
}

/// A node of [`Abs`](Ops::abs) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Abs<'a>(Node<'a>);

/// A node of [`AccumulateNV2`](Ops::accumulate_n_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AccumulateNV2<'a>(Node<'a>);

/// A node of [`Acos`](Ops::acos) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Acos<'a>(Node<'a>);

/// A node of [`Acosh`](Ops::acosh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Acosh<'a>(Node<'a>);

/// A node of [`Add`](Ops::add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Add<'a>(Node<'a>);

/// A node of [`AddN`](Ops::add_n) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AddN<'a>(Node<'a>);

/// A node of [`AddV2`](Ops::add_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AddV2<'a>(Node<'a>);

/// A node of [`Angle`](Ops::angle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Angle<'a>(Node<'a>);

impl Angle<'_> {
    /// Element type of the output. Allowed: float32, float64. Default: float32.
    pub fn tout(mut self, tout: DType) -> Self {
        self.0.set("Tout", tout);
        self
    }
}

/// A node of [`ApproximateEqual`](Ops::approximate_equal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApproximateEqual<'a>(Node<'a>);

impl ApproximateEqual<'_> {
    /// Maximum difference between elements considered equal. Default: `1e-5`.
    pub fn tolerance(mut self, tolerance: f32) -> Self {
        self.0.set("tolerance", tolerance);
        self
    }
}

/// A node of [`Asin`](Ops::asin) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Asin<'a>(Node<'a>);

/// A node of [`Asinh`](Ops::asinh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Asinh<'a>(Node<'a>);

/// A node of [`Atan`](Ops::atan) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Atan<'a>(Node<'a>);

/// A node of [`Atan2`](Ops::atan2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Atan2<'a>(Node<'a>);

/// A node of [`Atanh`](Ops::atanh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Atanh<'a>(Node<'a>);

/// A node of [`BesselI0`](Ops::bessel_i0) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselI0<'a>(Node<'a>);

/// A node of [`BesselI0e`](Ops::bessel_i0e) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselI0e<'a>(Node<'a>);

/// A node of [`BesselI1`](Ops::bessel_i1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselI1<'a>(Node<'a>);

/// A node of [`BesselI1e`](Ops::bessel_i1e) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselI1e<'a>(Node<'a>);

/// A node of [`BesselJ0`](Ops::bessel_j0) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselJ0<'a>(Node<'a>);

/// A node of [`BesselJ1`](Ops::bessel_j1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselJ1<'a>(Node<'a>);

/// A node of [`BesselK0`](Ops::bessel_k0) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselK0<'a>(Node<'a>);

/// A node of [`BesselK0e`](Ops::bessel_k0e) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselK0e<'a>(Node<'a>);

/// A node of [`BesselK1`](Ops::bessel_k1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselK1<'a>(Node<'a>);

/// A node of [`BesselK1e`](Ops::bessel_k1e) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselK1e<'a>(Node<'a>);

/// A node of [`BesselY0`](Ops::bessel_y0) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselY0<'a>(Node<'a>);

/// A node of [`BesselY1`](Ops::bessel_y1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BesselY1<'a>(Node<'a>);

/// A node of [`Betainc`](Ops::betainc) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Betainc<'a>(Node<'a>);

/// A node of [`BitwiseAnd`](Ops::bitwise_and) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BitwiseAnd<'a>(Node<'a>);

/// A node of [`BitwiseOr`](Ops::bitwise_or) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BitwiseOr<'a>(Node<'a>);

/// A node of [`BitwiseXor`](Ops::bitwise_xor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BitwiseXor<'a>(Node<'a>);

/// A node of [`Cast`](Ops::cast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cast<'a>(Node<'a>);

impl Cast<'_> {
    /// If true, narrowing float conversions truncate the low bits of the mantissa instead of rounding. Default: `false`.
    pub fn truncate(mut self, truncate: bool) -> Self {
        self.0.set("Truncate", truncate);
        self
    }
}

/// A node of [`Ceil`](Ops::ceil) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Ceil<'a>(Node<'a>);

/// A node of [`ClipByValue`](Ops::clip_by_value) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ClipByValue<'a>(Node<'a>);

/// A node of [`Complex`](Ops::complex) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Complex<'a>(Node<'a>);

impl Complex<'_> {
    /// Element type of the output. Allowed: complex64, complex128. Default: complex64.
    pub fn tout(mut self, tout: DType) -> Self {
        self.0.set("Tout", tout);
        self
    }
}

/// A node of [`ComplexAbs`](Ops::complex_abs) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ComplexAbs<'a>(Node<'a>);

impl ComplexAbs<'_> {
    /// Element type of the output. Allowed: float32, float64. Default: float32.
    pub fn tout(mut self, tout: DType) -> Self {
        self.0.set("Tout", tout);
        self
    }
}

/// A node of [`Conj`](Ops::conj) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Conj<'a>(Node<'a>);

/// A node of [`Cos`](Ops::cos) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cos<'a>(Node<'a>);

/// A node of [`Cosh`](Ops::cosh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cosh<'a>(Node<'a>);

/// A node of [`Cross`](Ops::cross) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cross<'a>(Node<'a>);

/// A node of [`Dawsn`](Ops::dawsn) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Dawsn<'a>(Node<'a>);

/// A node of [`Digamma`](Ops::digamma) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Digamma<'a>(Node<'a>);

/// A node of [`Div`](Ops::div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Div<'a>(Node<'a>);

/// A node of [`DivNoNan`](Ops::div_no_nan) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DivNoNan<'a>(Node<'a>);

/// A node of [`Equal`](Ops::equal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Equal<'a>(Node<'a>);

impl Equal<'_> {
    /// If true, shapes that cannot be broadcast together are an error; otherwise the result is a single bool. Default: `true`.
    pub fn incompatible_shape_error(mut self, incompatible_shape_error: bool) -> Self {
        self.0.set("incompatible_shape_error", incompatible_shape_error);
        self
    }
}

/// A node of [`Erf`](Ops::erf) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Erf<'a>(Node<'a>);

/// A node of [`Erfc`](Ops::erfc) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Erfc<'a>(Node<'a>);

/// A node of [`Erfinv`](Ops::erfinv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Erfinv<'a>(Node<'a>);

/// A node of [`Exp`](Ops::exp) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Exp<'a>(Node<'a>);

/// A node of [`Expint`](Ops::expint) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Expint<'a>(Node<'a>);

/// A node of [`Expm1`](Ops::expm1) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Expm1<'a>(Node<'a>);

/// A node of [`Floor`](Ops::floor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Floor<'a>(Node<'a>);

/// A node of [`FloorDiv`](Ops::floor_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FloorDiv<'a>(Node<'a>);

/// A node of [`FloorMod`](Ops::floor_mod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FloorMod<'a>(Node<'a>);

/// A node of [`FresnelCos`](Ops::fresnel_cos) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FresnelCos<'a>(Node<'a>);

/// A node of [`FresnelSin`](Ops::fresnel_sin) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FresnelSin<'a>(Node<'a>);

/// A node of [`Greater`](Ops::greater) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Greater<'a>(Node<'a>);

/// A node of [`GreaterEqual`](Ops::greater_equal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GreaterEqual<'a>(Node<'a>);

/// A node of [`Igamma`](Ops::igamma) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Igamma<'a>(Node<'a>);

/// A node of [`IgammaGradA`](Ops::igamma_grad_a) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IgammaGradA<'a>(Node<'a>);

/// A node of [`Igammac`](Ops::igammac) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Igammac<'a>(Node<'a>);

/// A node of [`Imag`](Ops::imag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Imag<'a>(Node<'a>);

impl Imag<'_> {
    /// Element type of the output. Allowed: float32, float64. Default: float32.
    pub fn tout(mut self, tout: DType) -> Self {
        self.0.set("Tout", tout);
        self
    }
}

/// A node of [`Inv`](Ops::inv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Inv<'a>(Node<'a>);

/// A node of [`InvGrad`](Ops::inv_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InvGrad<'a>(Node<'a>);

/// A node of [`Invert`](Ops::invert) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Invert<'a>(Node<'a>);

/// A node of [`IsFinite`](Ops::is_finite) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IsFinite<'a>(Node<'a>);

/// A node of [`IsInf`](Ops::is_inf) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IsInf<'a>(Node<'a>);

/// A node of [`IsNan`](Ops::is_nan) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IsNan<'a>(Node<'a>);

/// A node of [`LeftShift`](Ops::left_shift) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LeftShift<'a>(Node<'a>);

/// A node of [`Less`](Ops::less) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Less<'a>(Node<'a>);

/// A node of [`LessEqual`](Ops::less_equal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LessEqual<'a>(Node<'a>);

/// A node of [`Lgamma`](Ops::lgamma) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Lgamma<'a>(Node<'a>);

/// A node of [`Log`](Ops::log) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Log<'a>(Node<'a>);

/// A node of [`Log1p`](Ops::log1p) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Log1p<'a>(Node<'a>);

/// A node of [`LogicalAnd`](Ops::logical_and) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogicalAnd<'a>(Node<'a>);

/// A node of [`LogicalNot`](Ops::logical_not) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogicalNot<'a>(Node<'a>);

/// A node of [`LogicalOr`](Ops::logical_or) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogicalOr<'a>(Node<'a>);

/// A node of [`Maximum`](Ops::maximum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Maximum<'a>(Node<'a>);

/// A node of [`Minimum`](Ops::minimum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Minimum<'a>(Node<'a>);

/// A node of [`Mod`](Ops::mod_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Mod<'a>(Node<'a>);

/// A node of [`Mul`](Ops::mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Mul<'a>(Node<'a>);

/// A node of [`MulNoNan`](Ops::mul_no_nan) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MulNoNan<'a>(Node<'a>);

/// A node of [`Ndtri`](Ops::ndtri) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Ndtri<'a>(Node<'a>);

/// A node of [`Neg`](Ops::neg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Neg<'a>(Node<'a>);

/// A node of [`NextAfter`](Ops::next_after) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NextAfter<'a>(Node<'a>);

/// A node of [`NotEqual`](Ops::not_equal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NotEqual<'a>(Node<'a>);

impl NotEqual<'_> {
    /// If true, shapes that cannot be broadcast together are an error; otherwise the result is a single bool. Default: `true`.
    pub fn incompatible_shape_error(mut self, incompatible_shape_error: bool) -> Self {
        self.0.set("incompatible_shape_error", incompatible_shape_error);
        self
    }
}

/// A node of [`Polygamma`](Ops::polygamma) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Polygamma<'a>(Node<'a>);

/// A node of [`PopulationCount`](Ops::population_count) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PopulationCount<'a>(Node<'a>);

/// A node of [`Pow`](Ops::pow) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Pow<'a>(Node<'a>);

/// A node of [`RandomGammaGrad`](Ops::random_gamma_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomGammaGrad<'a>(Node<'a>);

/// A node of [`Real`](Ops::real) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Real<'a>(Node<'a>);

impl Real<'_> {
    /// Element type of the output. Allowed: float32, float64. Default: float32.
    pub fn tout(mut self, tout: DType) -> Self {
        self.0.set("Tout", tout);
        self
    }
}

/// A node of [`RealDiv`](Ops::real_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RealDiv<'a>(Node<'a>);

/// A node of [`Reciprocal`](Ops::reciprocal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Reciprocal<'a>(Node<'a>);

/// A node of [`ReciprocalGrad`](Ops::reciprocal_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReciprocalGrad<'a>(Node<'a>);

/// A node of [`RightShift`](Ops::right_shift) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RightShift<'a>(Node<'a>);

/// A node of [`Rint`](Ops::rint) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Rint<'a>(Node<'a>);

/// A node of [`Round`](Ops::round) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Round<'a>(Node<'a>);

/// A node of [`Rsqrt`](Ops::rsqrt) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Rsqrt<'a>(Node<'a>);

/// A node of [`RsqrtGrad`](Ops::rsqrt_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RsqrtGrad<'a>(Node<'a>);

/// A node of [`Select`](Ops::select) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Select<'a>(Node<'a>);

/// A node of [`SelectV2`](Ops::select_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SelectV2<'a>(Node<'a>);

/// A node of [`Sigmoid`](Ops::sigmoid) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sigmoid<'a>(Node<'a>);

/// A node of [`SigmoidGrad`](Ops::sigmoid_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SigmoidGrad<'a>(Node<'a>);

/// A node of [`Sign`](Ops::sign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sign<'a>(Node<'a>);

/// A node of [`Sin`](Ops::sin) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sin<'a>(Node<'a>);

/// A node of [`Sinh`](Ops::sinh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sinh<'a>(Node<'a>);

/// A node of [`Spence`](Ops::spence) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Spence<'a>(Node<'a>);

/// A node of [`Sqrt`](Ops::sqrt) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sqrt<'a>(Node<'a>);

/// A node of [`SqrtGrad`](Ops::sqrt_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SqrtGrad<'a>(Node<'a>);

/// A node of [`Square`](Ops::square) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Square<'a>(Node<'a>);

/// A node of [`SquaredDifference`](Ops::squared_difference) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SquaredDifference<'a>(Node<'a>);

/// A node of [`Sub`](Ops::sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sub<'a>(Node<'a>);

/// A node of [`Tan`](Ops::tan) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Tan<'a>(Node<'a>);

/// A node of [`Tanh`](Ops::tanh) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Tanh<'a>(Node<'a>);

/// A node of [`TanhGrad`](Ops::tanh_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TanhGrad<'a>(Node<'a>);

/// A node of [`TruncateDiv`](Ops::truncate_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TruncateDiv<'a>(Node<'a>);

/// A node of [`TruncateMod`](Ops::truncate_mod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TruncateMod<'a>(Node<'a>);

/// A node of [`Xdivy`](Ops::xdivy) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Xdivy<'a>(Node<'a>);

/// A node of [`Xlog1py`](Ops::xlog1py) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Xlog1py<'a>(Node<'a>);

/// A node of [`Xlogy`](Ops::xlogy) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Xlogy<'a>(Node<'a>);

/// A node of [`Zeta`](Ops::zeta) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Zeta<'a>(Node<'a>);

common! {
    Abs
    AccumulateNV2
    Acos
    Acosh
    Add
    AddN
    AddV2
    Angle
    ApproximateEqual
    Asin
    Asinh
    Atan
    Atan2
    Atanh
    BesselI0
    BesselI0e
    BesselI1
    BesselI1e
    BesselJ0
    BesselJ1
    BesselK0
    BesselK0e
    BesselK1
    BesselK1e
    BesselY0
    BesselY1
    Betainc
    BitwiseAnd
    BitwiseOr
    BitwiseXor
    Cast
    Ceil
    ClipByValue
    Complex
    ComplexAbs
    Conj
    Cos
    Cosh
    Cross
    Dawsn
    Digamma
    Div
    DivNoNan
    Equal
    Erf
    Erfc
    Erfinv
    Exp
    Expint
    Expm1
    Floor
    FloorDiv
    FloorMod
    FresnelCos
    FresnelSin
    Greater
    GreaterEqual
    Igamma
    IgammaGradA
    Igammac
    Imag
    Inv
    InvGrad
    Invert
    IsFinite
    IsInf
    IsNan
    LeftShift
    Less
    LessEqual
    Lgamma
    Log
    Log1p
    LogicalAnd
    LogicalNot
    LogicalOr
    Maximum
    Minimum
    Mod
    Mul
    MulNoNan
    Ndtri
    Neg
    NextAfter
    NotEqual
    Polygamma
    PopulationCount
    Pow
    RandomGammaGrad
    Real
    RealDiv
    Reciprocal
    ReciprocalGrad
    RightShift
    Rint
    Round
    Rsqrt
    RsqrtGrad
    Select
    SelectV2
    Sigmoid
    SigmoidGrad
    Sign
    Sin
    Sinh
    Spence
    Sqrt
    SqrtGrad
    Square
    SquaredDifference
    Sub
    Tan
    Tanh
    TanhGrad
    TruncateDiv
    TruncateMod
    Xdivy
    Xlog1py
    Xlogy
    Zeta
}

one_output! {
    Abs
    AccumulateNV2
    Acos
    Acosh
    Add
    AddN
    AddV2
    Angle
    ApproximateEqual
    Asin
    Asinh
    Atan
    Atan2
    Atanh
    BesselI0
    BesselI0e
    BesselI1
    BesselI1e
    BesselJ0
    BesselJ1
    BesselK0
    BesselK0e
    BesselK1
    BesselK1e
    BesselY0
    BesselY1
    Betainc
    BitwiseAnd
    BitwiseOr
    BitwiseXor
    Cast
    Ceil
    ClipByValue
    Complex
    ComplexAbs
    Conj
    Cos
    Cosh
    Cross
    Dawsn
    Digamma
    Div
    DivNoNan
    Equal
    Erf
    Erfc
    Erfinv
    Exp
    Expint
    Expm1
    Floor
    FloorDiv
    FloorMod
    FresnelCos
    FresnelSin
    Greater
    GreaterEqual
    Igamma
    IgammaGradA
    Igammac
    Imag
    Inv
    InvGrad
    Invert
    IsFinite
    IsInf
    IsNan
    LeftShift
    Less
    LessEqual
    Lgamma
    Log
    Log1p
    LogicalAnd
    LogicalNot
    LogicalOr
    Maximum
    Minimum
    Mod
    Mul
    MulNoNan
    Ndtri
    Neg
    NextAfter
    NotEqual
    Polygamma
    PopulationCount
    Pow
    RandomGammaGrad
    Real
    RealDiv
    Reciprocal
    ReciprocalGrad
    RightShift
    Rint
    Round
    Rsqrt
    RsqrtGrad
    Select
    SelectV2
    Sigmoid
    SigmoidGrad
    Sign
    Sin
    Sinh
    Spence
    Sqrt
    SqrtGrad
    Square
    SquaredDifference
    Sub
    Tan
    Tanh
    TanhGrad
    TruncateDiv
    TruncateMod
    Xdivy
    Xlog1py
    Xlogy
    Zeta
}
