//! Element-wise ops of two inputs that are broadcast together.

use super::half_block::{two_to, two_to_half};
use super::{BLOCK, NANOS_PER_BYTE, Operand, no_kernel};
use crate::halves::Half;
use crate::prelude::*;
use crate::simd::is_common;
use levada_kernel::Pool;

/// A function of two elements of type `T`. Ops implement it; their attrs are `self`.
pub trait Map2<T>: Clone + Send + Sync + 'static {
    /// The result type.
    type Out;
    /// Time per element in nanoseconds, beyond loading and storing.
    const NANOS: f64 = 0.0;
    /// Whether the compiler can vectorize a loop over it, so that compiling the loop once per vector width pays off.
    const WIDE: bool = true;
    /// Returns the result for one pair.
    fn call(&self, x: T, y: T) -> Self::Out;
}

struct Loop<'a, F, A, R> {
    f: &'a F,
    a: &'a [A],
    b: &'a [A],
    out: &'a mut [R],
}

impl<A: Copy, R, F: Map2<A, Out = R>> pulp::NullaryFnOnce for Loop<'_, F, A, R> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        for ((out, &a), &b) in self.out.iter_mut().zip(self.a).zip(self.b) {
            *out = self.f.call(a, b);
        }
    }
}

struct LoopInPlace<'a, F, T> {
    f: &'a F,
    out: &'a mut [T],
    b: &'a [T],
}

impl<T: Copy, F: Map2<T, Out = T>> pulp::NullaryFnOnce for LoopInPlace<'_, F, T> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        for (out, &b) in self.out.iter_mut().zip(self.b) {
            *out = self.f.call(*out, b);
        }
    }
}

/// `out[i] = f(a[i], b[i])`
#[inline(never)]
fn each<A: Element + Copy, R, F: Map2<A, Out = R>>(f: &F, a: &[A], b: &[A], out: &mut [R]) {
    let job = Loop { f, a, b, out };
    if const { F::WIDE && is_common::<A>() } { pulp::Arch::new().dispatch(job) } else { pulp::NullaryFnOnce::call(job) }
}

/// `out[i] = f(out[i], b[i])`
#[inline(never)]
fn each_in_place<T: Copy, F: Map2<T, Out = T>>(f: &F, out: &mut [T], b: &[T]) {
    pulp::Arch::new().dispatch(LoopInPlace { f, out, b });
}

/// Computes a piece of the output from the corresponding pieces of both inputs.
pub type Block<'a, A, R> = dyn Fn(&[A], &[A], &mut [R]) + Sync + 'a;

/// Calls `block` with pieces of both inputs, broadcast, and the output until all of it is written.
pub fn drive<A: Element, R: Send>(
    pool: &Pool,
    (x, y): (&Tensor, &Tensor),
    shape: &Shape,
    out: &mut [R],
    nanos: f64,
    block: &Block<'_, A, R>,
) -> Result<()> {
    let (a, b) = (x.slice::<A>()?, y.slice::<A>()?);
    let nanos = nanos + (2 * size_of::<A>() + size_of::<R>()) as f64 * NANOS_PER_BYTE;
    pool.for_chunks(out, 1, nanos, |first, out| {
        let mut left = Operand::new(a, x.shape(), shape, out.len());
        let mut right = Operand::new(b, y.shape(), shape, out.len());
        let mut at = 0;
        while at < out.len() {
            // No longer than the other piece, since the excess would have to be assembled again for the next piece.
            let max = right.span(first + at, out.len() - at);
            let p = left.piece(first + at, max);
            let q = right.piece(first + at, p.len());
            block(&p[..q.len()], q, &mut out[at..at + q.len()]);
            at += q.len();
        }
    });
    Ok(())
}

/// Calls `block` with pieces of the output, which initially holds one of the inputs, and of the other input,
/// broadcast.
fn drive_in_place<T: Element>(
    pool: &Pool,
    other: &Tensor,
    shape: &Shape,
    out: &mut [T],
    nanos: f64,
    block: &(dyn Fn(&mut [T], &[T]) + Sync),
) -> Result<()> {
    let items = other.slice::<T>()?;
    let nanos = nanos + (3 * size_of::<T>()) as f64 * NANOS_PER_BYTE;
    pool.for_chunks(out, 1, nanos, |first, out| {
        let mut operand = Operand::new(items, other.shape(), shape, out.len());
        let mut at = 0;
        while at < out.len() {
            let piece = operand.piece(first + at, out.len() - at);
            block(&mut out[at..at + piece.len()], piece);
            at += piece.len();
        }
    });
    Ok(())
}

/// Calls `block` with a copy of each block of `out` as second operand, so that the block can be overwritten.
fn by_block<T: Copy + Default>(out: &mut [T], a: &[T], block: &Block<'_, T, T>) {
    let mut copy = [T::default(); BLOCK];
    for (out, a) in out.chunks_mut(BLOCK).zip(a.chunks(BLOCK)) {
        copy[..out.len()].copy_from_slice(out);
        block(a, &copy[..a.len()], out);
    }
}

/// The loops of one op on one type: `(a, b) -> out`, and `(out, b) -> out`.
struct Loops<'a, T> {
    block: &'a Block<'a, T, T>,
    in_place: &'a (dyn Fn(&mut [T], &[T]) + Sync),
    nanos: f64,
}

fn same_shaped<T: Element + Copy>(cx: &mut Cx<'_, '_>, loops: &Loops<'_, T>) -> Result<()> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    let (dtype, shape) = (x.dtype(), x.shape().broadcast(y.shape())?);
    let mut out;
    if let Some(taken) = cx.forward(0, dtype, &shape) {
        out = taken;
        drive_in_place(cx.pool(), cx.input(1)?, &shape, out.slice_mut()?, loops.nanos, loops.in_place)?;
    } else if let Some(taken) = cx.forward(1, dtype, &shape) {
        out = taken;
        let block = |out: &mut [T], a: &[T]| by_block(out, a, loops.block);
        drive_in_place(cx.pool(), cx.input(0)?, &shape, out.slice_mut()?, loops.nanos, &block)?;
    } else {
        out = cx.alloc(dtype, &shape)?;
        let inputs = (cx.input(0)?, cx.input(1)?);
        drive(cx.pool(), inputs, &shape, out.slice_mut()?, loops.nanos, loops.block)?;
    }
    cx.set(0, out);
    Ok(())
}

#[inline(always)]
fn scalars<T: Element + Copy>(cx: &Cx<'_, '_>) -> Option<(T, T)> {
    let (x, y) = (cx.input(0).ok()?, cx.input(1).ok()?);
    if !(x.shape().is_scalar() && y.shape().is_scalar()) {
        return None;
    }
    match (x.slice::<T>().ok()?, y.slice::<T>().ok()?) {
        (&[x], &[y]) => Some((x, y)),
        _ => None,
    }
}

#[inline(always)]
fn set_scalar<R: Element + Copy>(cx: &mut Cx<'_, '_>, value: R) -> Result<()> {
    let mut out = Tensor::zeros(R::DTYPE, Shape::scalar());
    out.slice_mut::<R>()?[0] = value;
    cx.set(0, out);
    Ok(())
}

/// Reports to the device what an op computes for scalars.
fn answer<A: Element + Copy, R: Element + Copy, F: Map2<A, Out = R>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    let f = f.clone();
    cx.answer(ScalarFunction::two(move |x, y| f.call(x, y)));
    Ok(())
}

/// An op whose result has the type of its inputs.
#[inline]
pub fn same<T: Element + Copy, F: Map2<T, Out = T>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    match scalars::<T>(cx) {
        Some((x, y)) => set_scalar(cx, f.call(x, y)),
        None if cx.is_asked() => answer(f, cx),
        None => {
            let block = |a: &[T], b: &[T], out: &mut [T]| each(f, a, b, out);
            let in_place = |out: &mut [T], b: &[T]| {
                if const { F::WIDE && is_common::<T>() } {
                    each_in_place(f, out, b);
                } else {
                    by_block(out, b, &|b, a, out| block(a, b, out));
                }
            };
            same_shaped::<T>(cx, &Loops { block: &block, in_place: &in_place, nanos: F::NANOS })
        }
    }
}

/// Like [`same`] for a half type.
pub fn same_half<H: Half, F: Map2<f32, Out = f32>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    let block = |a: &[H], b: &[H], out: &mut [H]| two_to_half(a, b, out, |a, b, out| each(f, a, b, out));
    let in_place = |out: &mut [H], b: &[H]| by_block(out, b, &|b, a, out| block(a, b, out));
    same_shaped::<H>(cx, &Loops { block: &block, in_place: &in_place, nanos: F::NANOS + 0.5 })
}

/// An op whose result has a different type.
#[inline]
pub fn to<A: Element + Copy, R: Element + Copy, F: Map2<A, Out = R>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    match scalars::<A>(cx) {
        Some((x, y)) => set_scalar(cx, f.call(x, y)),
        None if cx.is_asked() => answer(f, cx),
        None => to_shaped::<A, R>(cx, F::NANOS, &|a, b, out| each(f, a, b, out)),
    }
}

/// Like [`to`] for a half type.
pub fn to_half<H: Half, R: Element + Copy, F: Map2<f32, Out = R>>(f: &F, cx: &mut Cx<'_, '_>) -> Result<()> {
    to_shaped::<H, R>(cx, F::NANOS + 0.5, &|a, b, out| two_to(a, b, out, |a, b, out| each(f, a, b, out)))
}

fn to_shaped<A: Element, R: Element + Copy>(cx: &mut Cx<'_, '_>, nanos: f64, block: &Block<'_, A, R>) -> Result<()> {
    let inputs = (cx.input(0)?, cx.input(1)?);
    let shape = inputs.0.shape().broadcast(inputs.1.shape())?;
    let mut out = cx.alloc(R::DTYPE, &shape)?;
    drive(cx.pool(), inputs, &shape, out.slice_mut()?, nanos, block)?;
    cx.set(0, out);
    Ok(())
}

/// Like [`to`] for elements that are not plain data.
pub fn objects<A: Element, R: Element>(cx: &mut Cx<'_, '_>, f: impl Fn(&A, &A) -> R) -> Result<()> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    let shape = x.shape().broadcast(y.shape())?;
    let (a, b) = (x.slice::<A>()?, y.slice::<A>()?);
    let mut out = cx.alloc(R::DTYPE, &shape)?;
    let (mut left, mut right) = (Operand::new(a, x.shape(), &shape, 1), Operand::new(b, y.shape(), &shape, 1));
    for (i, out) in out.slice_mut::<R>()?.iter_mut().enumerate() {
        *out = f(&left.piece(i, 1)[0], &right.piece(i, 1)[0]);
    }
    cx.set(0, out);
    Ok(())
}

/// The runner of a group of dtypes: a trait for ops that have a function for each of them, and a function that selects
/// by dtype.
macro_rules! runner {
    ($(#[doc = $doc:literal])* $run:ident, $bound:ident => $out:tt, [$($v:ident $ty:ty),* $(,)?], [$($hv:ident $half:ty),*]) => {
        /// A function for every dtype of a group.
        pub trait $bound: $(Map2<$ty, Out = runner!(@out $out, $ty)> +)* Sync {}
        impl<F: $(Map2<$ty, Out = runner!(@out $out, $ty)> +)* Sync> $bound for F {}

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
    (@call (), $ty:ty, $f:ident, $cx:ident) => { same::<$ty, F>($f, $cx) };
    (@call bool, $ty:ty, $f:ident, $cx:ident) => { to::<$ty, bool, F>($f, $cx) };
    (@half (), $ty:ty, $f:ident, $cx:ident) => { same_half::<$ty, F>($f, $cx) };
    (@half bool, $ty:ty, $f:ident, $cx:ident) => { to_half::<$ty, bool, F>($f, $cx) };
}

runner! {
    /// Integers, floats and complex numbers to their own type.
    numbers, Numbers => (),
    [F32 f32, I32 i32, F64 f64, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64, C64 Complex32, C128 Complex64],
    [F16 f16, BF16 bf16]
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
    /// Floats and complex numbers to their own type.
    floats_complex, FloatsComplex => (), [F32 f32, F64 f64, C64 Complex32, C128 Complex64], [F16 f16, BF16 bf16]
}
runner! {
    /// Floats to their own type.
    floats, Floats => (), [F32 f32, F64 f64], [F16 f16, BF16 bf16]
}
runner! {
    /// Integers and floats to bool.
    compare_reals, CompareReals => bool,
    [F32 f32, I32 i32, F64 f64, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64], [F16 f16, BF16 bf16]
}
runner! {
    /// Plain elements to bool.
    compare_plain, ComparePlain => bool,
    [F32 f32, I32 i32, F64 f64, I64 i64, U8 u8, I16 i16, I8 i8, U16 u16, U32 u32, U64 u64, C64 Complex32, C128 Complex64,
     Bool bool], [F16 f16, BF16 bf16]
}
