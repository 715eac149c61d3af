//! Element-wise ops of one input.

use super::half_block::{one_to, one_to_half};
use super::{BLOCK, NANOS_PER_BYTE, no_kernel};
use crate::halves::Half;
use crate::prelude::*;
use crate::simd::is_common;
use crate::vectorized;

/// A function of one element of type `T`. Ops implement it; their attrs are `self`.
pub trait Map1<T>: Clone + Send + Sync + 'static {
    /// The result type.
    type Out;
    /// Time per element in nanoseconds, beyond loading and storing.
    const NANOS: f64 = 0.0;
    /// Whether the compiler can vectorize a loop over it.
    const WIDE: bool = true;
    /// Whether a loop computes a block by [`Map1::usual`] first, and then elements that are rare one by one.
    const HAS_RARE: bool = false;
    /// Returns the result for one element.
    fn call(&self, x: T) -> Self::Out;
    /// True for elements that [`Map1::usual`] is not defined for.
    #[inline(always)]
    fn is_rare(&self, _x: T) -> bool {
        false
    }
    /// The same as [`Map1::call`] for elements that are not rare. Unlike `call` it has no branches.
    #[inline(always)]
    fn usual(&self, x: T) -> Self::Out {
        self.call(x)
    }
}

struct Loop<'a, F, A, R> {
    f: &'a F,
    a: &'a [A],
    out: &'a mut [R],
}

impl<A: Copy, R, F: Map1<A, Out = R>> pulp::NullaryFnOnce for Loop<'_, F, A, R> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        if !F::HAS_RARE {
            return usual(self.f, self.a, self.out);
        }
        for (a, out) in self.a.chunks(BLOCK).zip(self.out.chunks_mut(BLOCK)) {
            usual(self.f, a, out);
            if a.iter().fold(false, |any, &a| any | self.f.is_rare(a)) {
                let rare = out.iter_mut().zip(a).filter(|&(_, &a)| self.f.is_rare(a));
                rare.for_each(|(out, &a)| *out = self.f.call(a));
            }
        }
    }
}

#[inline(always)]
fn usual<A: Copy, R, F: Map1<A, Out = R>>(f: &F, a: &[A], out: &mut [R]) {
    for (out, &a) in out.iter_mut().zip(a) {
        *out = f.usual(a);
    }
}

struct LoopInPlace<'a, F, T> {
    f: &'a F,
    out: &'a mut [T],
}

impl<T: Copy, F: Map1<T, Out = T>> pulp::NullaryFnOnce for LoopInPlace<'_, F, T> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        for out in self.out {
            *out = self.f.call(*out);
        }
    }
}

/// Returns `f(a)`, computed by the loops below if that is faster: expensive functions use instructions that not every
/// machine has.
#[inline]
fn single<A: Element + Copy, F: Map1<A>>(f: &F, a: A) -> F::Out {
    if const { F::WIDE && F::NANOS > 0.0 && is_common::<A>() } { vectorized!(f.call(a)) } else { f.call(a) }
}

/// `out[i] = f(a[i])`
#[inline(never)]
pub fn each<A: Element + Copy, R, F: Map1<A, Out = R>>(f: &F, a: &[A], out: &mut [R]) {
    let job = Loop { f, a, out };
    if const { F::WIDE && (F::HAS_RARE || is_common::<A>()) } {
        pulp::Arch::new().dispatch(job)
    } else {
        pulp::NullaryFnOnce::call(job)
    }
}

/// `out[i] = f(out[i])`, for a function without rare elements.
#[inline(never)]
fn each_in_place<T: Copy, F: Map1<T, Out = T>>(f: &F, out: &mut [T]) {
    pulp::Arch::new().dispatch(LoopInPlace { f, out });
}

fn cost<A, R>(nanos: f64) -> f64 {
    nanos + (size_of::<A>() + size_of::<R>()) as f64 * NANOS_PER_BYTE
}

/// An op whose result has the type of its input.
#[inline]
pub fn same<T: Element + Copy, F: Map1<T, Out = T>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    if cx.is_asked() {
        let f = f.clone();
        cx.answer(ScalarFunction::one(move |x| single(&f, x)));
        return Ok(());
    }
    let block = |a: &[T], out: &mut [T]| each(f, a, out);
    let in_place = |out: &mut [T]| {
        if const { F::WIDE && !F::HAS_RARE && is_common::<T>() } {
            each_in_place(f, out);
        } else {
            by_block(out, &block);
        }
    };
    same_typed::<T>(cx, F::NANOS, &block, &in_place)
}

/// Like [`same`] for a half type.
pub fn same_half<H: Half, F: Map1<f32, Out = f32>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    let block = |a: &[H], out: &mut [H]| one_to_half(a, out, |a, out| each(f, a, out));
    same_typed::<H>(cx, F::NANOS + 0.3, &block, &|out| by_block(out, &block))
}

/// Calls `block` with a copy of each block of `out` as input, so that the block can be overwritten.
fn by_block<T: Copy + Default>(out: &mut [T], block: &dyn Fn(&[T], &mut [T])) {
    let mut copy = [T::default(); BLOCK];
    for out in out.chunks_mut(BLOCK) {
        copy[..out.len()].copy_from_slice(out);
        block(&copy[..out.len()], out);
    }
}

fn same_typed<T: Element + Copy>(
    cx: &mut Cx<'_, '_>,
    nanos: f64,
    block: &(dyn Fn(&[T], &mut [T]) + Sync),
    in_place: &(dyn Fn(&mut [T]) + Sync),
) -> Result<()> {
    let x = cx.input(0)?;
    let (dtype, shape) = (x.dtype(), x.shape().clone());
    let (mut out, taken) = cx.forward_or_alloc(0, dtype, &shape)?;
    if taken {
        cx.pool().for_chunks(out.slice_mut::<T>()?, 1, cost::<T, T>(nanos), |_, out| in_place(out));
    } else {
        let a = cx.slice::<T>(0)?;
        let part = |first: usize, out: &mut [T]| block(&a[first..first + out.len()], out);
        cx.pool().for_chunks(out.slice_mut::<T>()?, 1, cost::<T, T>(nanos), part);
    }
    cx.set(0, out);
    Ok(())
}

/// An op whose result has a different type; `dtype` is that of the output.
pub fn to<A: Element + Copy, R: Element + Copy, F: Map1<A, Out = R>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    if cx.is_asked() {
        let f = f.clone();
        cx.answer(ScalarFunction::one(move |x| single(&f, x)));
        return Ok(());
    }
    to_typed::<A, R>(cx, R::DTYPE, F::NANOS, &|a, out| each(f, a, out))
}

/// Like [`to`] for a half type.
pub fn to_half<H: Half, R: Element + Copy, F: Map1<f32, Out = R>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    to_typed::<H, R>(cx, R::DTYPE, F::NANOS + 0.3, &|a, out| one_to(a, out, |a, out| each(f, a, out)))
}

/// A loop whose result has a different type; `dtype` is that of the output.
pub fn to_typed<A: Element, R: Element>(
    cx: &mut Cx<'_, '_>,
    dtype: DType,
    nanos: f64,
    block: &(dyn Fn(&[A], &mut [R]) + Sync),
) -> Result<()> {
    let (a, shape) = (cx.slice::<A>(0)?, cx.input(0)?.shape());
    let mut out = cx.alloc(dtype, shape)?;
    let part = |first: usize, out: &mut [R]| block(&a[first..first + out.len()], out);
    cx.pool().for_chunks(out.slice_mut::<R>()?, 1, cost::<A, R>(nanos), part);
    cx.set(0, out);
    Ok(())
}

/// The runner of a group of dtypes: a trait for ops that have a function for each of them, and a function that selects
/// by dtype.
macro_rules! runner {
    ($(#[doc = $doc:literal])* $run:ident, $bound:ident => $out:tt, [$($v:ident $ty:ty),* $(,)?], [$($hv:ident $half:ty),*]) => {
        /// A function for every dtype of a group.
        pub trait $bound: $(Map1<$ty, Out = runner!(@out $out, $ty)> +)* Sync {}
        impl<F: $(Map1<$ty, Out = runner!(@out $out, $ty)> +)* Sync> $bound for F {}

        $(#[doc = $doc])*
        pub fn $run<F: $bound>(f: &F, dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
            match dtype {
                $(DType::$v => runner!(@call $out, $ty, f, cx),)*
                $(DType::$hv => runner!(@half $out, $half, f, cx),)*
                _ => Err(no_kernel(dtype)),
            }
        }
    };
    (@out (), $ty:ty) => { $ty };
    (@out bool, $ty:ty) => { bool };
    (@out u8, $ty:ty) => { u8 };
    (@call (), $ty:ty, $f:ident, $cx:ident) => { same::<$ty, F>($f, $cx) };
    (@call $out:tt, $ty:ty, $f:ident, $cx:ident) => { to::<$ty, $out, F>($f, $cx) };
    (@half (), $ty:ty, $f:ident, $cx:ident) => { same_half::<$ty, F>($f, $cx) };
    (@half $out:tt, $ty:ty, $f:ident, $cx:ident) => { to_half::<$ty, $out, F>($f, $cx) };
}

runner! {
    /// Integers, floats and complex numbers to their own type.
    numbers, Numbers => (),
    [F32 f32, I32 i32, F64 f64, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64, C64 Complex32, C128 Complex64],
    [F16 f16, BF16 bf16]
}
runner! {
    /// Signed integers, floats and complex numbers to their own type.
    signed, Signed => (), [F32 f32, I32 i32, F64 f64, I64 i64, I16 i16, I8 i8, C64 Complex32, C128 Complex64],
    [F16 f16, BF16 bf16]
}
runner! {
    /// Signed integers and floats to their own type.
    signed_reals, SignedReals => (), [F32 f32, I32 i32, F64 f64, I64 i64, I16 i16, I8 i8], [F16 f16, BF16 bf16]
}
runner! {
    /// Integers and floats to their own type.
    reals, Reals => (), [F32 f32, I32 i32, F64 f64, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64],
    [F16 f16, BF16 bf16]
}
runner! {
    /// Integers to their own type.
    integers, Integers => (), [I32 i32, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64], []
}
runner! {
    /// Integers to small counts.
    count_integers, CountIntegers => u8, [I32 i32, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64], []
}
runner! {
    /// Floats and complex numbers to their own type.
    floats_complex, FloatsComplex => (), [F32 f32, F64 f64, C64 Complex32, C128 Complex64], [F16 f16, BF16 bf16]
}
runner! {
    /// Floats to their own type.
    floats, Floats => (), [F32 f32, F64 f64], [F16 f16, BF16 bf16]
}
runner! {
    /// Floats to bool.
    test_floats, TestFloats => bool, [F32 f32, F64 f64], [F16 f16, BF16 bf16]
}
