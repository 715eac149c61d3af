//! Arithmetic written once for every numeric dtype: integers wrap, half-precision floats compute as `f32`.

use half::{bf16, f16};
use levada_graph::{Complex32, Complex64, Element};

/// A numeric element type with TensorFlow's arithmetic.
pub trait Number: Element + Copy {
    /// The accumulator type of long sums: `f32` for the halves, otherwise the type itself.
    type Wide: Number;
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// Returns the sum; integers wrap around.
    fn add(self, other: Self) -> Self;
    /// Returns the difference; integers wrap around.
    fn sub(self, other: Self) -> Self;
    /// Returns the product; integers wrap around.
    fn mul(self, other: Self) -> Self;
    /// Returns whether the value is 0.
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == Self::zero()
    }
    /// Returns the complex conjugate; the value itself for real types.
    #[inline(always)]
    fn conj(self) -> Self {
        self
    }
    /// Returns the value in the accumulator type.
    fn widen(self) -> Self::Wide;
    /// Returns the nearest value of this type.
    fn narrow(wide: Self::Wide) -> Self;
    /// Converts a count; rounds or wraps if it does not fit.
    fn from_usize(n: usize) -> Self;
}

/// A number type with an order; NaN is unordered.
pub trait Real: Number + PartialOrd {
    /// The lowest finite value.
    const LOWEST: Self;
    /// The highest finite value.
    const HIGHEST: Self;
    /// The identity of max reductions: minus infinity for floats, otherwise the lowest integer.
    const MINUS_INFINITY: Self;
    /// The identity of min reductions.
    const INFINITY: Self;
    /// Returns whether the value is NaN.
    fn is_nan(self) -> bool;
    /// Returns the value as `f64`, rounded if necessary.
    fn to_f64(self) -> f64;
    /// Converts from `f64`, like Rust's `as`.
    fn from_f64(value: f64) -> Self;
}

/// A floating-point type: the four float types.
pub trait Float: Real {
    /// The type in which functions are computed: `f32` for the halves, otherwise the type itself.
    type Base: num_traits::Float + Number;
    /// Returns the value in that type.
    fn base(self) -> Self::Base;
    /// Returns the nearest value of this type.
    fn of_base(base: Self::Base) -> Self;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Wide = $ty;
            #[inline(always)]
            fn zero() -> Self { 0 }
            #[inline(always)]
            fn one() -> Self { 1 }
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn widen(self) -> Self { self }
            #[inline(always)]
            fn narrow(wide: Self) -> Self { wide }
            #[inline(always)]
            fn from_usize(n: usize) -> Self { n as $ty }
        }
        impl Real for $ty {
            const LOWEST: Self = <$ty>::MIN;
            const HIGHEST: Self = <$ty>::MAX;
            const MINUS_INFINITY: Self = <$ty>::MIN;
            const INFINITY: Self = <$ty>::MAX;
            #[inline(always)]
            fn is_nan(self) -> bool { false }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn from_f64(value: f64) -> Self { value as $ty }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! plain_numbers {
    ($($ty:ty: $zero:expr, $one:expr, |$n:ident| $from:expr, |$c:ident| $conj:expr;)*) => {$(
        impl Number for $ty {
            type Wide = $ty;
            #[inline(always)]
            fn zero() -> Self { $zero }
            #[inline(always)]
            fn one() -> Self { $one }
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn conj(self) -> Self { let $c = self; $conj }
            #[inline(always)]
            fn widen(self) -> Self { self }
            #[inline(always)]
            fn narrow(wide: Self) -> Self { wide }
            #[inline(always)]
            fn from_usize($n: usize) -> Self { $from }
        }
    )*};
}

plain_numbers! {
    f32: 0.0, 1.0, |n| n as f32, |c| c;
    f64: 0.0, 1.0, |n| n as f64, |c| c;
    Complex32: Complex32::new(0.0, 0.0), Complex32::new(1.0, 0.0), |n| Complex32::new(n as f32, 0.0), |c| Complex32::conj(&c);
    Complex64: Complex64::new(0.0, 0.0), Complex64::new(1.0, 0.0), |n| Complex64::new(n as f64, 0.0), |c| Complex64::conj(&c);
}

macro_rules! halves {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Wide = f32;
            #[inline(always)]
            fn zero() -> Self { <$ty>::ZERO }
            #[inline(always)]
            fn one() -> Self { <$ty>::ONE }
            #[inline(always)]
            fn add(self, other: Self) -> Self { Self::from_f32(self.to_f32() + other.to_f32()) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { Self::from_f32(self.to_f32() - other.to_f32()) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { Self::from_f32(self.to_f32() * other.to_f32()) }
            #[inline(always)]
            fn widen(self) -> f32 { self.to_f32() }
            #[inline(always)]
            fn narrow(wide: f32) -> Self { Self::from_f32(wide) }
            #[inline(always)]
            fn from_usize(n: usize) -> Self { Self::from_f32(n as f32) }
        }
        impl Float for $ty {
            type Base = f32;
            #[inline(always)]
            fn base(self) -> f32 { self.to_f32() }
            #[inline(always)]
            fn of_base(base: f32) -> Self { Self::from_f32(base) }
        }
    )*};
}

halves!(f16, bf16);

macro_rules! float_reals {
    ($($ty:ty: |$v:ident| $to:expr, |$w:ident| $from:expr;)*) => {$(
        impl Real for $ty {
            const LOWEST: Self = <$ty>::MIN;
            const HIGHEST: Self = <$ty>::MAX;
            const MINUS_INFINITY: Self = <$ty>::NEG_INFINITY;
            const INFINITY: Self = <$ty>::INFINITY;
            #[inline(always)]
            fn is_nan(self) -> bool { self.is_nan() }
            #[inline(always)]
            fn to_f64(self) -> f64 { let $v = self; $to }
            #[inline(always)]
            fn from_f64($w: f64) -> Self { $from }
        }
    )*};
}

float_reals! {
    f32: |v| v as f64, |w| w as f32;
    f64: |v| v, |w| w;
    f16: |v| f16::to_f64(v), |w| f16::from_f64(w);
    bf16: |v| bf16::to_f64(v), |w| bf16::from_f64(w);
}

impl Float for f32 {
    type Base = f32;
    #[inline(always)]
    fn base(self) -> f32 {
        self
    }
    #[inline(always)]
    fn of_base(base: f32) -> Self {
        base
    }
}

impl Float for f64 {
    type Base = f64;
    #[inline(always)]
    fn base(self) -> f64 {
        self
    }
    #[inline(always)]
    fn of_base(base: f64) -> Self {
        base
    }
}
