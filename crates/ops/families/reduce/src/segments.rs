//! Shared by the segment ops: how rows are reduced, and checks.

use crate::prelude::*;
use crate::rules::{Handles, SELECT_V2, first};

/// How the rows of a segment are reduced to one.
pub(super) trait Fold<T>: 'static {
    /// Accumulator type.
    type Acc: Copy + Send + Sync;
    fn start() -> Self::Acc;
    fn merge(acc: Self::Acc, x: T) -> Self::Acc;
    fn finish(acc: Self::Acc, count: usize) -> T;
    /// Returns the value of a missing segment if the rows determine the number of segments.
    fn missing() -> T;
    /// Returns the result of an empty reduction.
    fn of_nothing() -> T;
}

pub(super) struct SumRows;
pub(super) struct MeanRows;
pub(super) struct ProdRows;
pub(super) struct MinRows;
pub(super) struct MaxRows;

impl<T: Number> Fold<T> for SumRows {
    type Acc = T::Wide;
    fn start() -> T::Wide {
        T::Wide::zero()
    }
    #[inline(always)]
    fn merge(acc: T::Wide, x: T) -> T::Wide {
        acc.add(x.widen())
    }
    #[inline(always)]
    fn finish(acc: T::Wide, _: usize) -> T {
        T::narrow(acc)
    }
    fn missing() -> T {
        T::zero()
    }
    fn of_nothing() -> T {
        T::zero()
    }
}

impl<T: Divided> Fold<T> for MeanRows {
    type Acc = T::Wide;
    fn start() -> T::Wide {
        T::Wide::zero()
    }
    #[inline(always)]
    fn merge(acc: T::Wide, x: T) -> T::Wide {
        acc.add(x.widen())
    }
    #[inline(always)]
    fn finish(acc: T::Wide, count: usize) -> T {
        T::divided(acc, count)
    }
    fn missing() -> T {
        T::zero()
    }
    fn of_nothing() -> T {
        T::zero()
    }
}

impl<T: Number> Fold<T> for ProdRows {
    type Acc = T::Wide;
    fn start() -> T::Wide {
        T::Wide::one()
    }
    #[inline(always)]
    fn merge(acc: T::Wide, x: T) -> T::Wide {
        acc.mul(x.widen())
    }
    #[inline(always)]
    fn finish(acc: T::Wide, _: usize) -> T {
        T::narrow(acc)
    }
    fn missing() -> T {
        T::one()
    }
    fn of_nothing() -> T {
        T::one()
    }
}

impl<T: Real> Fold<T> for MinRows {
    type Acc = T;
    fn start() -> T {
        T::INFINITY
    }
    #[inline(always)]
    fn merge(acc: T, x: T) -> T {
        if x < acc { x } else { acc }
    }
    #[inline(always)]
    fn finish(acc: T, _: usize) -> T {
        acc
    }
    fn missing() -> T {
        T::zero()
    }
    fn of_nothing() -> T {
        T::HIGHEST
    }
}

impl<T: Real> Fold<T> for MaxRows {
    type Acc = T;
    fn start() -> T {
        T::MINUS_INFINITY
    }
    #[inline(always)]
    fn merge(acc: T, x: T) -> T {
        if x > acc { x } else { acc }
    }
    #[inline(always)]
    fn finish(acc: T, _: usize) -> T {
        acc
    }
    fn missing() -> T {
        T::zero()
    }
    fn of_nothing() -> T {
        T::LOWEST
    }
}

/// A type whose values can be divided by a count.
pub(super) trait Divided: Number {
    fn divided(total: Self::Wide, count: usize) -> Self;
}

macro_rules! divided {
    ($($ty:ty: |$t:ident, $n:ident| $result:expr;)*) => {$(
        impl Divided for $ty {
            #[inline(always)]
            fn divided($t: Self::Wide, $n: usize) -> $ty {
                $result
            }
        }
    )*};
}

divided! {
    i8: |t, n| (i64::from(t) / n as i64) as i8;
    i16: |t, n| (i64::from(t) / n as i64) as i16;
    i32: |t, n| (i64::from(t) / n as i64) as i32;
    i64: |t, n| t / n as i64;
    u8: |t, n| (u64::from(t) / n as u64) as u8;
    u16: |t, n| (u64::from(t) / n as u64) as u16;
    u32: |t, n| (u64::from(t) / n as u64) as u32;
    u64: |t, n| t / n as u64;
    f16: |t, n| f16::from_f32(t / n as f32);
    bf16: |t, n| bf16::from_f32(t / n as f32);
    f32: |t, n| t / n as f32;
    f64: |t, n| t / n as f64;
    Complex32: |t, n| t.unscale(n as f32);
    Complex64: |t, n| t.unscale(n as f64);
}

/// Returns the shape of `rows` rows of this shape.
pub(super) fn rows_of(rows: usize, row: &[usize]) -> Result<Shape> {
    Shape::new(std::iter::once(rows).chain(row.iter().copied()))
}

/// Returns the number of segments, from input `i`.
pub(super) fn num_segments(cx: &Cx<'_, '_>, i: usize) -> Result<usize> {
    let t = cx.input(i)?;
    if !t.shape().is_scalar() {
        return Err(Error::invalid(format!("num_segments should be a scalar, not shape {}", t.shape())));
    }
    let n = t.to_i64s()?[0];
    usize::try_from(n).map_err(|_| Error::invalid(format!("num_segments = {n} must not be negative.")))
}

/// Returns the gradient of the minima or maxima of segments, shared by the chosen elements. `get` maps each element to
/// the value of its segment, `sum` is the op that sums segments.
pub(super) fn segment_extremum(g: &GradCx, sum: &str, get: for<'g> fn(V<'g>, V<'g>) -> V<'g>) -> Grads {
    let (x, ids) = (g.input(0), g.input(1));
    let chosen = get(g.output(0), ids).equal(x).cast(x.dtype());
    let mut inputs = g.inputs();
    inputs[0] = chosen;
    let shared = g.dy(0) / g.op(sum, &inputs);
    first(g, get(shared, ids) * chosen)
}

/// Returns the gradient of the products of segments: for each element the product of the others, which is correct for
/// zeros as well. `sum` and `product` reduce rows to segments, `get` maps each element to the value of its segment.
pub(super) fn segment_product<'g>(
    g: &'g GradCx,
    sum: &dyn Fn(V<'g>) -> V<'g>,
    product: &dyn Fn(V<'g>) -> V<'g>,
    get: &dyn Fn(V<'g>) -> V<'g>,
) -> Grads {
    let (x, dy) = (g.input(0), g.dy(0));
    let select = |test: V<'g>, a: V<'g>, b: V<'g>| SELECT_V2.call([test, a, b]);
    let is_zero = x.equal(x.like(0.0));
    let others = select(is_zero, x.ones_like(), x);
    let product_of_others = get(product(others));
    // With two zeros, the product of the others is zero for every element.
    let zeros = get(sum(is_zero.cast(DType::I32)));
    let one_zero = select(is_zero, product_of_others, x.zeros_like());
    let slope = select(zeros.equal(zeros.like(0.0)), product_of_others / others, one_zero);
    let slope = select(zeros.at_least(zeros.like(2.0)), x.zeros_like(), slope);
    first(g, get(dy) * slope)
}
