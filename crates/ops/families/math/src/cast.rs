//! `Cast`: conversion between element types.

use crate::elementwise::unary::to_typed;
use crate::prelude::*;
use crate::rules::{never, real};
use levada_graph::grad::is_differentiable;
use levada_ops_core::halves::Half;
use levada_ops_core::truncate::Truncate;

attrs! {
    /// Converts the elements of `x` to another type.
    ///
    /// Integers wrap, floats are truncated toward zero when converted to integers, complex numbers lose their imaginary
    /// part, and any nonzero value converts to true. Floats that an integer type cannot represent, and NaN, become what
    /// the scalar x86 conversion returns.
    pub struct Cast {
        /// Element type of `x`.
        from: DType = Attr::dtype("SrcT", sets::ANY),
        /// Element type of `y`.
        to: DType = Attr::dtype("DstT", sets::ANY),
        /// If true, narrowing float conversions truncate the low bits of the mantissa instead of rounding.
        truncate: bool = Attr::bool("Truncate").or_bool(false),
    }
}

pub static CAST: Def<Cast> = op::<Cast>("Cast")
    .inputs(&[arg("x", of("SrcT"))])
    .outputs(&[arg("y", of("DstT"))])
    .primitive(Primitive::Cast)
    .shape(same_as_input)
    .gradient(|op, g| {
        if !is_differentiable(op.from) || !is_differentiable(op.to) {
            return never(g);
        }
        let drops = op.to.is_complex() && !op.from.is_complex();
        let dy = if drops { real(g.dy(0)) } else { g.dy(0) };
        vec![dy.cast(op.from).into()]
    })
    .kernel(convert_elements)
    .supports(|op| op.from == op.to || op.is_plain() && (!op.is_narrow() || has_narrow(op.from, op.to)))
    .piecewise(|op| if op.is_plain() && !op.is_narrow() { Piecewise::Broadcast } else { Piecewise::No })
    .strip(|op| match (op.from, op.to) {
        (DType::Bool, DType::F32) => Some(Strip::Basic(Basic::Unit)),
        (DType::F32, DType::Bool) => Some(Strip::Basic(Basic::Truth)),
        _ => None,
    })
    .batch(elementwise);

impl Cast {
    fn is_plain(&self) -> bool {
        self.from.is_plain() && self.to.is_plain()
    }

    fn is_narrow(&self) -> bool {
        self.from.is_narrow() || self.to.is_narrow()
    }
}

fn convert_elements(op: &Cast, cx: &mut Cx<'_, '_>) -> Result<()> {
    if cx.input(0)?.dtype() != op.from {
        return Err(Error::invalid(format!("cannot cast a {} as {}", cx.input(0)?.dtype(), op.from)));
    }
    if op.from == op.to {
        let x = cx.take(0)?;
        cx.set(0, x);
        return Ok(());
    }
    if op.truncate
        && let Some(y) = truncated(cx.input(0)?, op.to)?
    {
        cx.replace(0, y);
    }
    if op.is_narrow() {
        return narrow(cx, op.to);
    }
    if op.from.storage() == op.to.storage() {
        let y = cx.take(0)?.reinterpreted(op.to)?;
        cx.set(0, y);
        return Ok(());
    }
    let narrow = |c: &Complex64| Complex32::new(c.re as f32, c.im as f32);
    let widen = |c: &Complex32| Complex64::new(c.re.into(), c.im.into());
    match (op.from, op.to) {
        (DType::C128, DType::C64) => to_typed(cx, op.to, 0.2, &|from: &[Complex64], to| {
            to.iter_mut().zip(from).for_each(|(t, f)| *t = narrow(f));
        }),
        (DType::C64, DType::C128) => to_typed(cx, op.to, 0.2, &|from: &[Complex32], to| {
            to.iter_mut().zip(from).for_each(|(t, f)| *t = widen(f));
        }),
        (from, to) => dispatch!(
            from,
            plain,
            |S| dispatch!(to, plain, |D| cast::<S, D>(cx, to), else Err(not_supported(from, to))),
            else Err(not_supported(from, to))
        ),
    }
}

/// Direct conversions between number types; halves go through `f32`, complex numbers through their real part.
trait To<D>: Copy {
    fn to(self) -> D;
}

macro_rules! by_as {
    ($from:ty => $($to:ty),*) => {$(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to { self as $to }
        }
    )*};
}

macro_rules! integers {
    ($($from:ty),*) => {$(
        by_as!($from => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
        impl To<bool> for $from {
            #[inline(always)]
            fn to(self) -> bool { self != 0 }
        }
        impl To<$from> for bool {
            #[inline(always)]
            fn to(self) -> $from { self.into() }
        }
    )*};
}

/// Float conversions as x86 performs them: values outside an `i32` or `i64` become its minimum; narrower types take the
/// low bits of an `i32`, `u32` those of an `i64`, and `u64` is offset by 2^63 where the value requires it.
macro_rules! floats {
    ($($from:ty),*) => {$(
        by_as!($from => f32, f64);
        impl To<i32> for $from {
            #[inline(always)]
            fn to(self) -> i32 { self.to_i32() }
        }
        impl To<i64> for $from {
            #[inline(always)]
            fn to(self) -> i64 { self.to_i64() }
        }
        impl To<u32> for $from {
            #[inline(always)]
            fn to(self) -> u32 { To::<i64>::to(self) as u32 }
        }
        impl To<u64> for $from {
            #[inline(always)]
            fn to(self) -> u64 {
                const HALF: $from = 9223372036854775808.0;
                if self >= HALF { (To::<i64>::to(self - HALF) as u64) | (1 << 63) } else { To::<i64>::to(self) as u64 }
            }
        }
        impl To<bool> for $from {
            #[inline(always)]
            fn to(self) -> bool { self != 0.0 }
        }
        impl To<$from> for bool {
            #[inline(always)]
            fn to(self) -> $from { if self { 1.0 } else { 0.0 } }
        }
        floats!(@narrow $from => i8, i16, u8, u16);
    )*};
    (@narrow $from:ty => $($to:ty),*) => {$(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to { To::<i32>::to(self) as $to }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);
floats!(f32, f64);

impl To<bool> for bool {
    #[inline(always)]
    fn to(self) -> bool {
        self
    }
}

struct Convert<'a, S, D>(&'a [S], &'a mut [D]);

impl<S: To<D>, D> pulp::NullaryFnOnce for Convert<'_, S, D> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        for (out, &x) in self.1.iter_mut().zip(self.0) {
            *out = x.to();
        }
    }
}

/// Conversions whose loops are worth compiling for every vector width: between the types that graphs convert often.
const fn is_wide(from: DType, to: DType) -> bool {
    const fn is_common(dtype: DType) -> bool {
        matches!(dtype, DType::F32 | DType::F64 | DType::I32 | DType::I64 | DType::I8 | DType::U8 | DType::Bool)
    }
    is_common(from) && is_common(to)
}

#[inline(never)]
fn convert<S: Element + To<D>, D: Element>(from: &[S], to: &mut [D]) {
    let job = Convert(from, to);
    if const { is_wide(S::DTYPE, D::DTYPE) } {
        pulp::Arch::new().dispatch(job);
    } else {
        pulp::NullaryFnOnce::call(job);
    }
}

/// Elements converted per block when they go through an intermediate type.
const BLOCK: usize = 512;

/// An element type as the source of a conversion.
trait Source: Element {
    /// The type its elements are converted through.
    type Base: Element + Copy;
    /// Returns the elements as the base type, in `buffer` unless they already have it.
    fn lower<'a>(from: &'a [Self], buffer: &'a mut [Self::Base]) -> &'a [Self::Base];
}

/// An element type as the target of a conversion.
trait Target: Element {
    /// The type its elements are converted through.
    type Base: Element + Copy;
    /// Lets `fill` write the elements as the base type and stores them.
    fn raise(to: &mut [Self], buffer: &mut [Self::Base], fill: impl FnOnce(&mut [Self::Base]));
}

macro_rules! direct {
    ($($ty:ty),*) => {$(
        impl Source for $ty {
            type Base = $ty;
            fn lower<'a>(from: &'a [Self], _: &'a mut [$ty]) -> &'a [$ty] { from }
        }
        impl Target for $ty {
            type Base = $ty;
            fn raise(to: &mut [Self], _: &mut [$ty], fill: impl FnOnce(&mut [$ty])) { fill(to) }
        }
    )*};
}

macro_rules! detour {
    ($($ty:ty as $base:ty: |$from:ident, $lower:ident| $read:expr, |$to:ident, $raise:ident| $write:expr;)*) => {$(
        impl Source for $ty {
            type Base = $base;
            fn lower<'a>($from: &'a [Self], $lower: &'a mut [$base]) -> &'a [$base] { $read; $lower }
        }
        impl Target for $ty {
            type Base = $base;
            fn raise($to: &mut [Self], $raise: &mut [$base], fill: impl FnOnce(&mut [$base])) { fill($raise); $write }
        }
    )*};
}

direct!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool);

detour! {
    f16 as f32: |from, wide| f16::to_singles(from, wide), |to, wide| f16::from_singles(wide, to);
    bf16 as f32: |from, wide| bf16::to_singles(from, wide), |to, wide| bf16::from_singles(wide, to);
    Complex32 as f32: |from, re| from.iter().zip(&mut *re).for_each(|(c, r)| *r = c.re),
        |to, re| to.iter_mut().zip(re).for_each(|(c, r)| *c = Complex32::from(*r));
    Complex64 as f64: |from, re| from.iter().zip(&mut *re).for_each(|(c, r)| *r = c.re),
        |to, re| to.iter_mut().zip(re).for_each(|(c, r)| *c = Complex64::from(*r));
}

fn cast<S: Source, D: Target>(cx: &mut Cx<'_, '_>, to: DType) -> Result<()>
where
    S::Base: To<D::Base>,
{
    to_typed::<S, D>(cx, to, 0.2, &|from, to| {
        let (mut low, mut high) = (vec![S::Base::default(); BLOCK.min(from.len())], Vec::new());
        high.resize(low.len(), D::Base::default());
        for (from, to) in from.chunks(BLOCK).zip(to.chunks_mut(BLOCK)) {
            let n = from.len();
            let low = S::lower(from, &mut low[..n]);
            D::raise(to, &mut high[..n], |high| convert(low, high));
        }
    })
}

/// Clears the bits that the narrower type cannot hold, so that there is nothing left to round.
fn truncated(x: &Tensor, to: DType) -> Result<Option<Tensor>> {
    let bits = |dtype| match dtype {
        DType::F64 => Some(52),
        DType::F32 => Some(23),
        DType::F16 => Some(10),
        DType::BF16 => Some(7),
        DType::F8E4M3 => Some(3),
        DType::F8E5M2 => Some(2),
        _ => None,
    };
    let (Some(wide), Some(narrow)) = (bits(x.dtype()), bits(to)) else { return Ok(None) };
    // These are rounded in any case.
    let is_rounded = to == DType::BF16 && x.dtype() != DType::F32;
    if narrow >= wide || is_rounded {
        return Ok(None);
    }
    let (mut y, low) = (x.clone(), wide - narrow);
    match x.dtype() {
        DType::F32 => y.slice_mut::<f32>()?.iter_mut().filter(|v| !v.is_nan()).for_each(|v| {
            *v = f32::from_bits(v.to_bits() >> low << low);
        }),
        DType::F64 => y.slice_mut::<f64>()?.iter_mut().filter(|v| !v.is_nan()).for_each(|v| {
            *v = f64::from_bits(v.to_bits() >> low << low);
        }),
        DType::F16 => y.slice_mut::<f16>()?.iter_mut().filter(|v| !v.is_nan()).for_each(|v| {
            *v = f16::from_bits(v.to_bits() >> low << low);
        }),
        DType::BF16 => y.slice_mut::<bf16>()?.iter_mut().filter(|v| !v.is_nan()).for_each(|v| {
            *v = bf16::from_bits(v.to_bits() >> low << low);
        }),
        _ => {
            let bytes = y.bytes_mut().ok_or_else(|| Error::internal("a plain tensor has no bytes"))?;
            // The type has one NaN of either sign.
            bytes.iter_mut().filter(|v| **v & 0x7f != 0x7f).for_each(|v| *v = *v >> low << low);
        }
    }
    Ok(Some(y))
}

/// Conversions from or to a narrow type that TensorFlow has: two 8-bit floats from floats and to all plain types, 4-bit
/// integers from and to integers.
fn has_narrow(from: DType, to: DType) -> bool {
    let float8 = |d| matches!(d, DType::F8E5M2 | DType::F8E4M3);
    let integer = |d: DType| matches!(d, DType::I4 | DType::U4) || d.storage().is_integer() && !d.is_narrow();
    (float8(to) && (float8(from) || from.is_float()))
        || (float8(from) && (float8(to) || !to.is_narrow()))
        || (integer(from) && integer(to))
}

/// Casts from or to a narrow type through one that represents all its values.
fn narrow(cx: &mut Cx<'_, '_>, to: DType) -> Result<()> {
    if let Some(wide) = cx.input(0)?.widened() {
        cx.replace(0, wide);
    }
    let from = cx.input(0)?.dtype();
    if !to.is_narrow() {
        return dispatch!(
            from,
            plain,
            |S| dispatch!(to, plain, |D| cast::<S, D>(cx, to), else Err(not_supported(from, to))),
            else Err(not_supported(from, to))
        );
    }
    dispatch!(from, plain, |S| to_narrow::<S>(cx, to), else Err(not_supported(from, to)))
}

fn to_narrow<S: Source>(cx: &mut Cx<'_, '_>, to: DType) -> Result<()>
where
    S::Base: To<f64> + To<u8>,
{
    let mask = 0xff >> (8 - to.narrow_bits());
    to_typed::<S, u8>(cx, to, 2.0, &|from, bytes| {
        let mut low = vec![S::Base::default(); BLOCK.min(from.len())];
        for (from, bytes) in from.chunks(BLOCK).zip(bytes.chunks_mut(BLOCK)) {
            let low = S::lower(from, &mut low[..from.len()]);
            if to.is_narrow_float() {
                bytes.iter_mut().zip(low).for_each(|(byte, x)| *byte = to.narrow_byte(x.to()));
            } else {
                bytes.iter_mut().zip(low).for_each(|(byte, x)| *byte = To::<u8>::to(*x) & mask);
            }
        }
    })
}

#[cold]
fn not_supported(from: DType, to: DType) -> Error {
    Error::unimplemented(format!("Cast {from} to {to} is not supported"))
}
