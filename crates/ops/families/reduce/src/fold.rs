//! `Sum`, `Prod`, `Mean`, `Min`, `Max`, `Any`, `All`, `EuclideanNorm`: reductions along axes.

use super::scan::{CUMPROD, Running};
use crate::prelude::*;
use crate::rules::{Handles, INVERT_PERMUTATION, PACK, axes, concat, first, int, kept_shape, never, range};
use levada_kernel::strips::Row;
use levada_ops_core::halves::Half;
use levada_reduction::{Axes, Merge, Reduce, SumOf, is_exact, is_vector, singles};
use std::marker::PhantomData;

attrs! {
    /// The attrs of numeric reductions.
    pub struct Reduction {
        /// Whether to keep the reduced axes, with size 1.
        keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of `reduction_indices`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

const INPUTS: &[Arg] = &[arg("input", of("T")), arg("reduction_indices", of("Tidx"))];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn reduction(name: &'static str, kernel: fn(&Reduction, &mut Cx<'_, '_>) -> Result<()>) -> Def<Reduction> {
    op::<Reduction>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|op, cx| infer(cx, op.keep_dims))
        .host_inputs(&[1])
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype.is_storage())
}

/// How a reduction of float32 is applied to rows in a fused kernel.
fn by_rows<R: Reduce<f32, Out = f32>>(op: &Reduction) -> Option<Strip> {
    let (reduce, reduce_runs) = (levada_reduction::run::<R>, levada_reduction::runs::<R>);
    (op.dtype == DType::F32).then_some(Strip::Row(Row { reduce, reduce_runs, keep_dims: op.keep_dims }))
}

/// Runs [`fold`] with the named fold for the types of the group, in `f32` for half types.
macro_rules! folded {
    ($op:expr, $cx:expr, $group:ident, $fold:ident) => {
        match $op.dtype {
            DType::F16 => fold_half::<f16, $fold<f32>>($cx, $op.keep_dims),
            DType::BF16 => fold_half::<bf16, $fold<f32>>($cx, $op.keep_dims),
            DType::F32 => fold::<f32, $fold<f32>>($cx, $op.keep_dims),
            DType::F64 => fold::<f64, $fold<f64>>($cx, $op.keep_dims),
            dtype => folded!(@$group $op, $cx, dtype, $fold),
        }
    };
    (@numbers $op:expr, $cx:expr, $dtype:ident, $fold:ident) => {
        match $dtype {
            DType::C64 => fold::<Complex32, $fold<Complex32>>($cx, $op.keep_dims),
            DType::C128 => fold::<Complex64, $fold<Complex64>>($cx, $op.keep_dims),
            _ => folded!(@reals $op, $cx, $dtype, $fold),
        }
    };
    (@reals $op:expr, $cx:expr, $dtype:ident, $fold:ident) => {
        dispatch!($dtype, integers, |T| fold::<T, $fold<T>>($cx, $op.keep_dims), else unsupported($cx, $dtype))
    };
}

pub static SUM: Def<Reduction> = reduction("Sum", |op, cx| folded!(op, cx, numbers, SumOf))
    .strip(by_rows::<SumOf<f32>>)
    .doc("Returns the sum of the elements along the axes. Integers wrap.")
    .counts("T")
    .primitive(Primitive::Sum)
    .gradient(|op, g| first(g, spread(op, g.dy(0))))
    .batch(levada_ops_core::batch::along_axes);

pub static PROD: Def<Reduction> = reduction("Prod", |op, cx| folded!(op, cx, numbers, ProdOf))
    .strip(by_rows::<ProdOf<f32>>)
    .doc("Returns the product of the elements along the axes. Integers wrap.")
    .counts("T")
    .primitive(Primitive::Prod)
    .gradient(product)
    .batch(levada_ops_core::batch::along_axes);

pub static MEAN: Def<Reduction> = reduction("Mean", |op, cx| folded!(op, cx, numbers, MeanOf))
    .strip(by_rows::<MeanOf<f32>>)
    .doc("Returns the mean of the elements along the axes, rounded towards zero for integers.")
    .gradient(|op, g| {
        let (x, y) = (g.input(0), g.output(0));
        let sum = spread(op, g.dy(0));
        let count = match (x.shape().known(), y.shape().known()) {
            (Some(x), Some(y)) => sum.like((x.num_elements() / y.num_elements().max(1)) as f64),
            _ => {
                let (all, left) = (x.size(), y.size());
                all.floor_div(left.maximum(left.like(1.0))).cast(sum.dtype())
            }
        };
        first(g, sum / count)
    })
    .batch(levada_ops_core::batch::along_axes);

pub static MIN: Def<Reduction> = reduction("Min", |op, cx| folded!(op, cx, reals, MinOf))
    .strip(by_rows::<MinOf<f32>>)
    .doc("Returns the minimum along the axes, or NaN if any element is NaN.")
    .attrs(&[Attr::dtype("T", REAL_NUMBERTYPE)])
    .counts("T")
    .gradient(extremum)
    .batch(levada_ops_core::batch::along_axes);

pub static MAX: Def<Reduction> = reduction("Max", |op, cx| folded!(op, cx, reals, MaxOf))
    .strip(by_rows::<MaxOf<f32>>)
    .doc("Returns the maximum along the axes, or NaN if any element is NaN.")
    .attrs(&[Attr::dtype("T", REAL_NUMBERTYPE)])
    .counts("T")
    .gradient(extremum)
    .batch(levada_ops_core::batch::along_axes);

pub static EUCLIDEAN_NORM: Def<Reduction> = reduction("EuclideanNorm", |op, cx| folded!(op, cx, numbers, NormOf))
    .strip(by_rows::<NormOf<f32>>)
    .doc("Returns the Euclidean norm of the elements along the axes.")
    .gradient(|op, g| first(g, g.input(0) * keep(op, g.dy(0)).div_no_nan(keep(op, g.output(0)))))
    .batch(levada_ops_core::batch::along_axes);

attrs! {
    /// The attrs of logical reductions.
    pub struct LogicalReduction {
        /// Whether to keep the reduced axes, with size 1.
        keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
        /// Element type of `reduction_indices`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

const LOGICAL_INPUTS: &[Arg] = &[arg("input", is(DType::Bool)), arg("reduction_indices", of("Tidx"))];
const LOGICAL_OUTPUTS: &[Arg] = &[arg("output", is(DType::Bool))];

const fn logical(
    name: &'static str,
    kernel: fn(&LogicalReduction, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<LogicalReduction> {
    op::<LogicalReduction>(name)
        .inputs(LOGICAL_INPUTS)
        .outputs(LOGICAL_OUTPUTS)
        .shape(|op, cx| infer(cx, op.keep_dims))
        .host_inputs(&[1])
        .gradient(|_, g| never(g))
        .kernel(kernel)
}

pub static ANY: Def<LogicalReduction> = logical("Any", |op, cx| fold::<bool, AnyOf>(cx, op.keep_dims))
    .doc("Returns the logical OR of the elements along the axes.")
    .batch(levada_ops_core::batch::along_axes);

pub static ALL: Def<LogicalReduction> = logical("All", |op, cx| fold::<bool, AllOf>(cx, op.keep_dims))
    .doc("Returns the logical AND of the elements along the axes.")
    .batch(levada_ops_core::batch::along_axes);

/// Reshapes `value`, of the shape of the node's output, to the shape with the reduced axes kept.
fn keep<'g>(op: &Reduction, value: V<'g>) -> V<'g> {
    let g = value.cx();
    if op.keep_dims { value } else { value.reshape(kept_shape(g, g.input(0).shape_value(), axes(g, 1))) }
}

/// Broadcasts `value`, of the shape of the node's output, to the shape of the node's input.
fn spread<'g>(op: &Reduction, value: V<'g>) -> V<'g> {
    let shape = value.cx().input(0).shape_value();
    keep(op, value).broadcast_to(shape)
}

/// Returns the gradient is shared equally by the elements equal to the result.
fn extremum(op: &Reduction, g: &GradCx) -> Grads {
    let (x, y, dy) = (g.input(0), keep(op, g.output(0)), keep(op, g.dy(0)));
    let chosen = y.equal(x).cast(x.dtype());
    let number = chosen.sum_keep(axes(g, 1));
    first(g, chosen / number * dy)
}

/// Returns the slope for each element is the product of the others, which is correct for zeros as well.
fn product(op: &Reduction, g: &GradCx) -> Grads {
    let x = g.input(0);
    let shape = x.shape_value();
    let rank = shape.size();
    let axes = axes(g, 1).reshape(g.ints(&[-1]));
    let dy = spread(op, g.dy(0));
    let reduced = (axes + rank).floor_mod(rank);
    let others = range(g, rank).list_diff(reduced);
    let order = concat(g, &[reduced, others], 0);
    let count = |axes: V<'_>| shape.gather(g.value(axes.at)).prod();
    let matrix = PACK.node(g, &[count(reduced), count(others)], &[]);
    let moved = x.transpose(order);
    let flat = moved.reshape(matrix);
    let running = Running { exclusive: true, reverse: false, dtype: op.dtype, index: DType::I32 };
    let left = CUMPROD.node(g, &running, &[flat, int(g, 0)]);
    let right = CUMPROD.node(g, &running.backwards(), &[flat, int(g, 0)]);
    let rest = (left.conj() * right.conj()).reshape(moved.dims());
    let back = rest.transpose(order.apply(INVERT_PERMUTATION));
    first(g, (dy * back).reshape(shape))
}

const REAL_NUMBERTYPE: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64, QI8, QU8, QI32, QI16, QU16]
};

/// Infers the shape of a reduction's result.
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

/// Like [`fold`] for a half type, which is reduced as `f32`.
fn fold_half<T, R>(cx: &mut Cx<'_, '_>, keep_dims: bool) -> Result<()>
where
    T: Half + Float,
    R: Reduce<f32, Out = f32> + Fold,
{
    let axes = Axes::new(cx.input(0)?.shape(), &cx.i64s(1)?, keep_dims)?;
    cx.produce::<T>(0, &axes.shape, |cx, out| {
        let mut wide = vec![0f32; out.len()];
        axes.reduce::<f32, R>(cx.pool(), &T::singles(cx.slice::<T>(0)?), &mut wide);
        T::from_singles(&wide, out);
        Ok(())
    })
}

/// Properties of a reduction that [`fold`] needs.
trait Fold {
    /// Whether the reduction of a single element is the element itself.
    const KEEPS_ONE: bool = true;
}

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
    const SINGLES: Option<Merge> = singles(T::DTYPE, Merge::Sum);
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
    const SINGLES: Option<Merge> = singles(T::DTYPE, Merge::Min);
    fn start() -> T {
        T::INFINITY
    }
    #[inline(always)]
    fn lift(x: T) -> T {
        x
    }
    #[inline(always)]
    fn merge(a: T, b: T) -> T {
        // If `b` is NaN, neither comparison holds and the result is `b`.
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
    const SINGLES: Option<Merge> = singles(T::DTYPE, Merge::Max);
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

/// A type whose elements can be averaged.
trait Averaged: Number {
    /// The type of the sum: 64 bits wide for integers, as in TensorFlow.
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
    // The mean of zero complex numbers is zero, as in TensorFlow.
    Complex32 => Complex32: |t, n| if n == 0 { t } else { t.unscale(n as f32) };
    Complex64 => Complex64: |t, n| if n == 0 { t } else { t.unscale(n as f64) };
}

/// A type whose elements have a norm.
trait Normed: Number {
    /// Returns the squared norm of one element.
    fn square(self) -> Self::Wide;
    /// Returns the norm, from the sum of squares.
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
