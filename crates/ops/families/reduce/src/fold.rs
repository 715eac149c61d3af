//! `Sum`, `Prod`, `Mean`, `Min`, `Max`, `Any`, `All`, `EuclideanNorm`: reductions along axes.

use super::engine::{Axes, Reduce};
use crate::prelude::*;
use half::slice::HalfFloatSliceExt;
use std::marker::PhantomData;

macro_rules! reductions {
    ($($(#[doc = $doc:literal])* $name:ident, $fold:ident, $group:ident, $dtypes:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// True to keep the axes that are reduced, with size 1.
                keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
                /// Element type of `reduction_indices`.
                index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T")), arg("reduction_indices", of("Tidx"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, self.keep_dims)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                self.dtype.storage() == self.dtype
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                match self.dtype {
                    DType::F16 => fold_half::<f16, $fold<f32>>(cx, self.keep_dims),
                    DType::BF16 => fold_half::<bf16, $fold<f32>>(cx, self.keep_dims),
                    dtype => each_dtype!(dtype, $group, |T| fold::<T, $fold<T>>(cx, self.keep_dims)),
                }
            }
        }
    )*};
}

/// Runs `$body` for the types of the group, the halves left out.
macro_rules! each_dtype {
    ($d:expr, numbers, |$T:ident| $body:expr) => {
        match $d {
            DType::C64 => { type $T = Complex32; $body }
            DType::C128 => { type $T = Complex64; $body }
            dtype => each_dtype!(dtype, reals, |$T| $body),
        }
    };
    ($d:expr, reals, |$T:ident| $body:expr) => {
        match $d {
            DType::F32 => { type $T = f32; $body }
            DType::F64 => { type $T = f64; $body }
            dtype => dispatch!(dtype, integers, |$T| $body, else {
                Err(Error::unimplemented(format!("a reduction of {dtype}")))
            }),
        }
    };
}

reductions! {
    /// The sum of the elements along the axes. Integers wrap.
    Sum, SumOf, numbers, sets::NUMBERTYPE;
    /// The product of the elements along the axes. Integers wrap.
    Prod, ProdOf, numbers, sets::NUMBERTYPE;
    /// The mean of the elements along the axes. Of integers it is rounded towards zero.
    Mean, MeanOf, numbers, sets::NUMBERTYPE;
    /// The least element along the axes; NaN where there is one.
    Min, MinOf, reals, REAL_NUMBERTYPE;
    /// The greatest element along the axes; NaN where there is one.
    Max, MaxOf, reals, REAL_NUMBERTYPE;
    /// The square root of the sum of squares along the axes.
    EuclideanNorm, NormOf, numbers, sets::NUMBERTYPE;
}

macro_rules! logical {
    ($($(#[doc = $doc:literal])* $name:ident, $fold:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// True to keep the axes that are reduced, with size 1.
                keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
                /// Element type of `reduction_indices`.
                index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", is(DType::Bool)), arg("reduction_indices", of("Tidx"))],
                outputs: &[arg("output", is(DType::Bool))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, self.keep_dims)
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                fold::<bool, $fold>(cx, self.keep_dims)
            }
        }
    )*};
}

logical! {
    /// True where an element along the axes is.
    Any, AnyOf;
    /// True where every element along the axes is.
    All, AllOf;
}

const REAL_NUMBERTYPE: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64, QI8, QU8, QI32, QI16, QU16]
};

/// What is known of a reduction's result.
fn infer(cx: &mut ShapeCx<'_>, keep_dims: bool) -> Result<()> {
    if let Some(rank) = cx.input(1).rank().filter(|&r| r > 1) {
        return Err(Error::invalid("the axes to reduce must be a scalar or a vector").found(format!("rank {rank}")));
    }
    let input = cx.input(0);
    let shape = match (input.dims(), cx.constant_i64s(1)) {
        (Some(dims), Some(axes)) => {
            let rank = dims.len() as i64;
            let mut reduced = vec![false; dims.len()];
            for axis in axes {
                if axis < -rank || axis >= rank {
                    return Err(Error::invalid(format!(
                        "Invalid reduction dimension {axis} for input with {rank} dimensions."
                    )));
                }
                reduced[axis.rem_euclid(rank) as usize] = true;
            }
            PartialShape::new(dims.iter().zip(reduced).filter_map(|(&d, reduced)| match (reduced, keep_dims) {
                (false, _) => Some(d),
                (true, true) => Some(Some(1)),
                (true, false) => None,
            }))
        }
        (Some(dims), None) if keep_dims => PartialShape::of_rank(dims.len()),
        _ => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

fn fold<T, R>(cx: &mut Cx<'_, '_>, keep_dims: bool) -> Result<()>
where
    T: Element + Copy,
    R: Reduce<T, Out = T> + Fold,
{
    let axes = Axes::new(cx.input(0)?.shape(), &cx.i64s(1)?, keep_dims)?;
    if R::KEEPS_ONE && axes.is_trivial() {
        let out = cx.take(0)?.reshaped(axes.shape)?;
        cx.set(0, out);
        return Ok(());
    }
    cx.produce::<T>(0, &axes.shape, |cx, out| {
        axes.reduce::<T, R>(cx.pool(), cx.slice(0)?, out);
        Ok(())
    })
}

/// As [`fold`] for a half type, which is reduced as `f32`.
fn fold_half<T, R>(cx: &mut Cx<'_, '_>, keep_dims: bool) -> Result<()>
where
    T: Float,
    [T]: HalfFloatSliceExt,
    R: Reduce<f32, Out = f32> + Fold,
{
    let axes = Axes::new(cx.input(0)?.shape(), &cx.i64s(1)?, keep_dims)?;
    cx.produce::<T>(0, &axes.shape, |cx, out| {
        let mut wide = vec![0f32; out.len()];
        axes.reduce::<f32, R>(cx.pool(), &cx.slice::<T>(0)?.to_f32_vec(), &mut wide);
        out.convert_from_f32_slice(&wide);
        Ok(())
    })
}

/// What [`fold`] asks of a reduction.
trait Fold {
    /// True where the reduction of one element is that element.
    const KEEPS_ONE: bool = true;
}

/// Types that profit from wide vectors in simple loops.
const fn is_vector(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64)
}

/// Types whose sums, products and extremes come out the same in every order.
const fn is_exact(dtype: DType) -> bool {
    dtype.is_integer()
}

/// Sums in the wide type.
pub struct SumOf<T>(PhantomData<T>);
struct ProdOf<T>(PhantomData<T>);
struct MeanOf<T>(PhantomData<T>);
struct MinOf<T>(PhantomData<T>);
struct MaxOf<T>(PhantomData<T>);
struct NormOf<T>(PhantomData<T>);
struct AnyOf;
struct AllOf;

impl<T> Fold for SumOf<T> {}
impl<T> Fold for ProdOf<T> {}
impl<T> Fold for MeanOf<T> {}
impl<T> Fold for MinOf<T> {}
impl<T> Fold for MaxOf<T> {}
impl<T> Fold for NormOf<T> {
    const KEEPS_ONE: bool = false;
}
impl Fold for AnyOf {}
impl Fold for AllOf {}

impl<T: Number> Reduce<T> for SumOf<T> {
    type Acc = T::Wide;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T::Wide {
        T::Wide::zero()
    }
    #[inline(always)]
    fn lift(x: T) -> T::Wide {
        x.widen()
    }
    #[inline(always)]
    fn merge(a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(acc: T::Wide, _: usize) -> T {
        T::narrow(acc)
    }
}

impl<T: Number> Reduce<T> for ProdOf<T> {
    type Acc = T::Wide;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T::Wide {
        T::Wide::one()
    }
    #[inline(always)]
    fn lift(x: T) -> T::Wide {
        x.widen()
    }
    #[inline(always)]
    fn merge(a: T::Wide, b: T::Wide) -> T::Wide {
        a.mul(b)
    }
    #[inline(always)]
    fn finish(acc: T::Wide, _: usize) -> T {
        T::narrow(acc)
    }
}

impl<T: Averaged> Reduce<T> for MeanOf<T> {
    type Acc = T::Total;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T::Total {
        T::Total::zero()
    }
    #[inline(always)]
    fn lift(x: T) -> T::Total {
        x.total()
    }
    #[inline(always)]
    fn merge(a: T::Total, b: T::Total) -> T::Total {
        a.add(b)
    }
    #[inline(always)]
    fn finish(acc: T::Total, count: usize) -> T {
        T::mean(acc, count)
    }
}

impl<T: Real> Reduce<T> for MinOf<T> {
    type Acc = T;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T {
        T::INFINITY
    }
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        // Where `b` is NaN neither comparison holds and `b` is the result.
        if a < b || a.is_nan() { a } else { b }
    }
    #[inline(always)]
    fn finish(acc: T, _: usize) -> T {
        acc
    }
}

impl<T: Real> Reduce<T> for MaxOf<T> {
    type Acc = T;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T {
        T::MINUS_INFINITY
    }
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        if a > b || a.is_nan() { a } else { b }
    }
    #[inline(always)]
    fn finish(acc: T, _: usize) -> T {
        acc
    }
}

impl<T: Normed> Reduce<T> for NormOf<T> {
    type Acc = T::Wide;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    fn start() -> T::Wide {
        T::Wide::zero()
    }
    #[inline(always)]
    fn lift(x: T) -> T::Wide {
        x.square()
    }
    #[inline(always)]
    fn merge(a: T::Wide, b: T::Wide) -> T::Wide {
        a.add(b)
    }
    #[inline(always)]
    fn finish(acc: T::Wide, _: usize) -> T {
        T::root(acc)
    }
}

macro_rules! logical_folds {
    ($($name:ident: $start:literal, $op:tt;)*) => {$(
        impl Reduce<bool> for $name {
            type Acc = bool;
            type Out = bool;
            const VECTOR: bool = true;
            const EXACT: bool = true;
            fn start() -> bool {
                $start
            }
            #[inline(always)]
            fn lift(x: bool) -> bool {
                x
            }
            #[inline(always)]
            fn merge(a: bool, b: bool) -> bool {
                a $op b
            }
            #[inline(always)]
            fn finish(acc: bool, _: usize) -> bool {
                acc
            }
        }
    )*};
}

logical_folds! {
    AnyOf: false, |;
    AllOf: true, &;
}

/// A type whose elements have a mean.
trait Averaged: Number {
    /// What is summed: 64 bits wide for integers, as in TensorFlow.
    type Total: Number;
    fn total(self) -> Self::Total;
    fn mean(total: Self::Total, count: usize) -> Self;
}

macro_rules! averaged {
    ($($ty:ty => $total:ty: |$t:ident, $n:ident| $mean:expr;)*) => {$(
        impl Averaged for $ty {
            type Total = $total;
            #[inline(always)]
            fn total(self) -> $total {
                self.into()
            }
            #[inline(always)]
            fn mean($t: $total, $n: usize) -> $ty {
                $mean
            }
        }
    )*};
}

averaged! {
    i8 => i64: |t, n| t.checked_div(n as i64).unwrap_or(0) as i8;
    i16 => i64: |t, n| t.checked_div(n as i64).unwrap_or(0) as i16;
    i32 => i64: |t, n| t.checked_div(n as i64).unwrap_or(0) as i32;
    i64 => i64: |t, n| t.checked_div(n as i64).unwrap_or(0);
    u8 => u64: |t, n| t.checked_div(n as u64).unwrap_or(0) as u8;
    u16 => u64: |t, n| t.checked_div(n as u64).unwrap_or(0) as u16;
    u32 => u64: |t, n| t.checked_div(n as u64).unwrap_or(0) as u32;
    u64 => u64: |t, n| t.checked_div(n as u64).unwrap_or(0);
    f32 => f32: |t, n| t / n as f32;
    f64 => f64: |t, n| t / n as f64;
    // Of nothing, the mean of complex numbers is zero, as in TensorFlow.
    Complex32 => Complex32: |t, n| if n == 0 { t } else { t.unscale(n as f32) };
    Complex64 => Complex64: |t, n| if n == 0 { t } else { t.unscale(n as f64) };
}

/// A type whose elements have a length.
trait Normed: Number {
    /// The square of the length of one.
    fn square(self) -> Self::Wide;
    /// The length, from the sum of squares.
    fn root(sum: Self::Wide) -> Self;
}

macro_rules! normed {
    ($($ty:ty: |$x:ident| $square:expr, |$s:ident| $root:expr;)*) => {$(
        impl Normed for $ty {
            #[inline(always)]
            fn square(self) -> Self::Wide {
                let $x = self;
                $square
            }
            #[inline(always)]
            fn root($s: Self::Wide) -> $ty {
                $root
            }
        }
    )*};
}

normed! {
    // The sum of squares may have wrapped; the root of a negative number converts as on x86.
    i8: |x| x.wrapping_mul(x), |s| if s < 0 { 0 } else { f64::from(s).sqrt() as i8 };
    i16: |x| x.wrapping_mul(x), |s| if s < 0 { 0 } else { f64::from(s).sqrt() as i16 };
    i32: |x| x.wrapping_mul(x), |s| if s < 0 { i32::MIN } else { f64::from(s).sqrt() as i32 };
    i64: |x| x.wrapping_mul(x), |s| if s < 0 { i64::MIN } else { (s as f64).sqrt() as i64 };
    u8: |x| x.wrapping_mul(x), |s| f64::from(s).sqrt() as u8;
    u16: |x| x.wrapping_mul(x), |s| f64::from(s).sqrt() as u16;
    u32: |x| x.wrapping_mul(x), |s| f64::from(s).sqrt() as u32;
    u64: |x| x.wrapping_mul(x), |s| (s as f64).sqrt() as u64;
    f32: |x| x * x, |s| s.sqrt();
    f64: |x| x * x, |s| s.sqrt();
    Complex32: |x| Complex32::new(x.norm_sqr(), 0.0), |s| Complex32::new(s.re.sqrt(), 0.0);
    Complex64: |x| Complex64::new(x.norm_sqr(), 0.0), |s| Complex64::new(s.re.sqrt(), 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;
    use DType::*;

    macro_rules! reduce {
        ($op:ident, $dtype:expr, $x:expr, $axes:expr) => {{
            let op = $op { keep_dims: false, dtype: $dtype, index: I32 };
            run(op, vec![$x, Tensor::vector::<i32>($axes)], &[$dtype]).unwrap().remove(0)
        }};
    }

    #[test]
    fn long_sums_stay_accurate() {
        let x = Tensor::vector(vec![0.1f32; 10_000_000]);
        let sum: f32 = reduce!(Sum, F32, x.clone(), vec![0]).item().unwrap();
        assert!((sum - 1e6).abs() < 1.0, "{sum}");
        let columns = x.reshaped(Shape::new([2_000_000, 5]).unwrap()).unwrap();
        for sum in reduce!(Sum, F32, columns, vec![0]).slice::<f32>().unwrap() {
            assert!((sum - 2e5).abs() < 0.2, "{sum}");
        }
        let half = Tensor::vector(vec![f16::ONE; 10_000]);
        assert_eq!(reduce!(Sum, F16, half, vec![0]).item::<f16>().unwrap(), f16::from_f32(1e4));
    }

    #[test]
    fn nan_wins() {
        for n in [3, 17, 300, 5000] {
            for at in [0, n / 2, n - 1] {
                let mut x = vec![1f32; 2 * n];
                x[n + at] = f32::NAN;
                let rows = Tensor::from_vec(Shape::new([2, n]).unwrap(), x.clone()).unwrap();
                let out = reduce!(Max, F32, rows.clone(), vec![1]);
                assert!(out.slice::<f32>().unwrap()[1].is_nan() && out.slice::<f32>().unwrap()[0] == 1.0);
                let out = reduce!(Min, F32, rows, vec![0]);
                assert_eq!(out.slice::<f32>().unwrap().iter().filter(|x| x.is_nan()).count(), 1);
                let rows = Tensor::from_vec(Shape::new([n, 2]).unwrap(), x).unwrap();
                assert!(reduce!(Max, F32, rows.clone(), vec![0]).slice::<f32>().unwrap()[(n + at) % 2].is_nan());
                assert!(reduce!(Min, F32, rows, vec![0, 1]).item::<f32>().unwrap().is_nan());
            }
        }
    }

    #[test]
    fn integers_wrap_and_round() {
        assert_eq!(reduce!(Sum, I8, Tensor::vector(vec![100i8, 100]), vec![0]).item::<i8>().unwrap(), -56);
        assert_eq!(reduce!(Mean, I8, Tensor::vector(vec![100i8, 100]), vec![0]).item::<i8>().unwrap(), 100);
        assert_eq!(reduce!(Mean, I32, Tensor::vector(vec![-3i32, -4]), vec![0]).item::<i32>().unwrap(), -3);
        assert_eq!(reduce!(EuclideanNorm, I32, Tensor::vector(vec![3i32, 3]), vec![0]).item::<i32>().unwrap(), 4);
        let x = Tensor::vector(vec![100_000i32, 100_000]);
        assert_eq!(reduce!(EuclideanNorm, I32, x, vec![0]).item::<i32>().unwrap(), i32::MIN);
    }

    #[test]
    fn nothing_reduces_to_the_identity() {
        let x = || Tensor::zeros(F32, Shape::new([2, 0]).unwrap());
        assert_eq!(reduce!(Sum, F32, x(), vec![1]).slice::<f32>().unwrap(), [0.0; 2]);
        assert_eq!(reduce!(Prod, F32, x(), vec![1]).slice::<f32>().unwrap(), [1.0; 2]);
        assert_eq!(reduce!(Max, F32, x(), vec![-1]).slice::<f32>().unwrap(), [f32::NEG_INFINITY; 2]);
        assert!(reduce!(Mean, F32, x(), vec![1]).slice::<f32>().unwrap().iter().all(|m| m.is_nan()));
        assert_eq!(reduce!(Sum, F32, x(), vec![0]).shape().dims(), [0]);
        assert_eq!(reduce!(EuclideanNorm, F32, Tensor::vector(vec![-3f32]), vec![]).slice::<f32>().unwrap(), [3.0]);
    }
}
