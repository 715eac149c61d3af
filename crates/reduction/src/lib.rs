//! Reduces any set of axes of any tensor.
//!
//! [`Axes`] merges neighbouring axes of the same kind, so that the remaining ones alternate between kept and reduced.
//! The innermost reduced group is then either contiguous ([`rows`]) or made of whole rows ([`columns`]); any further
//! groups are reduced from its results. How the work is cut into pieces depends on the shape alone, so the result is
//! the same with any number of threads; sums are added pairwise.

mod columns;
mod rows;
mod short;

use levada_graph::{DType, Error, Result, Shape};
use levada_kernel::Pool;
use levada_kernel::strips::Pieces;
use levada_ops_core::number::Number;
use std::marker::PhantomData;

pub use short::Merge;

/// Elements in a piece of a reduction that is cut because there are few results.
const PIECE: usize = 1 << 16;

/// What a reduction does with elements of type `T`.
pub trait Reduce<T>: Send + Sync + 'static {
    /// Type of the accumulator.
    type Acc: Copy + Send + Sync + 'static;
    /// Type of the result.
    type Out: Copy + Send + Sync;
    /// True if it pays to compile the loops for the vectors of this machine.
    const VECTOR: bool;
    /// True if merging is exact, so that the order in which elements are merged does not matter.
    const EXACT: bool;
    /// The merge operation, if `T` and [`Reduce::Acc`] are `f32` and it is one of these.
    const SINGLES: Option<Merge> = None;
    /// The accumulator of no elements.
    fn start() -> Self::Acc;
    /// The accumulator of one element.
    fn lift(x: T) -> Self::Acc;
    /// Merges two accumulators.
    fn merge(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The result, from the accumulator of `count` elements.
    fn finish(acc: Self::Acc, count: usize) -> Self::Out;
}

/// Runs `f`, which must be `#[inline(always)]`, compiled for the machine's vectors if the reduction asks for it.
#[inline(always)]
fn compiled<T, R: Reduce<T>, O>(f: impl FnOnce() -> O) -> O {
    if const { R::VECTOR } { levada_ops_core::simd::dispatch(f) } else { f() }
}

/// Runs whose accumulators are kept at a time.
const SOME: usize = 64;

/// The loops of a reduction, behind pointers: the code that drives them is compiled once for each type and not for each
/// reduction.
struct Loops<T, A> {
    /// The accumulator of no elements.
    start: A,
    /// Reduces each run of this many elements.
    runs: fn(&[T], usize, &mut [A]),
    /// Accumulates, in order, the first elements of a number of rows with a stride.
    rows: fn(&[T], usize, usize, &mut [A]),
    /// Accumulates one element into each.
    lift: fn(&mut [A], &[T]),
    /// Merges accumulators pairwise: each of the first with the same of the second.
    merge: fn(&mut [A], &[A]),
    /// Merges neighbours, then neighbours of the results, and so on.
    pairwise: fn(&mut [A]) -> A,
}

impl<T: Copy + 'static, A: Copy> Loops<T, A> {
    fn of<R: Reduce<T, Acc = A>>() -> Loops<T, A> {
        Loops {
            start: R::start(),
            runs: rows::runs::<T, R>,
            rows: columns::leaf::<T, R>,
            lift: |accs, x| accs.iter_mut().zip(x).for_each(|(acc, &x)| *acc = R::merge(*acc, R::lift(x))),
            merge: |accs, others| accs.iter_mut().zip(others).for_each(|(acc, &other)| *acc = R::merge(*acc, other)),
            pairwise: pairwise::<T, R>,
        }
    }
}

/// Converts accumulators to results.
type Finish<'a, A, O> = &'a (dyn Fn(&[A], &mut [O]) + Sync);

/// Which axes are reduced.
pub struct Axes {
    /// Sizes of the merged axes with whether they are reduced: the two kinds alternate, and no size is 1.
    pub groups: Vec<(usize, bool)>,
    /// Shape of the result.
    pub shape: Shape,
    /// Number of elements that each result is made of.
    pub count: usize,
}

impl Axes {
    /// The axes `axes` (negative ones count from the end) of a tensor of shape `shape`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an axis that does not exist or occurs twice.
    pub fn new(shape: &Shape, axes: &[i64], keep_dims: bool) -> Result<Axes> {
        let rank = shape.rank() as i64;
        let mut reduced = vec![false; shape.rank()];
        for &axis in axes {
            if axis < -rank || axis >= rank {
                return Err(Error::invalid(format!(
                    "Invalid reduction dimension ({axis} for input with {rank} dimension(s)"
                ))
                .expected(format!("from {} to {}", -rank, rank - 1))
                .found(axis));
            }
            let axis = axis.rem_euclid(rank) as usize;
            if std::mem::replace(&mut reduced[axis], true) {
                return Err(Error::invalid(format!(
                    "Invalid reduction arguments: Axes contains duplicate dimension: {axis}"
                )));
            }
        }
        let mut groups: Vec<(usize, bool)> = Vec::new();
        for (&size, &reduced) in shape.iter().zip(&reduced) {
            match groups.last_mut() {
                _ if size == 1 => {}
                Some((n, kind)) if *kind == reduced => *n *= size,
                _ => groups.push((size, reduced)),
            }
        }
        let kept = shape.iter().zip(&reduced).filter_map(|(&size, &reduced)| match (reduced, keep_dims) {
            (false, _) => Some(size),
            (true, true) => Some(1),
            (true, false) => None,
        });
        let count = groups.iter().filter(|(_, reduced)| *reduced).map(|(n, _)| n).product();
        Ok(Axes { groups, shape: Shape::new(kept)?, count })
    }

    /// True if every result is made of one element.
    pub fn is_trivial(&self) -> bool {
        self.groups.iter().all(|(_, reduced)| !reduced)
    }

    /// Reduces `x` to `out`.
    pub fn reduce<T, R>(&self, pool: &Pool, x: &[T], out: &mut [R::Out])
    where
        T: Copy + Send + Sync + 'static,
        R: Reduce<T>,
    {
        if x.is_empty() {
            out.fill(R::finish(R::start(), self.count));
        } else {
            reduce::<T, R>(pool, x, &self.groups, self.count, out);
        }
    }
}

/// Reduces values that come piece by piece, as [`Axes::reduce`] reduces a contiguous run that is not cut.
pub fn run<R: Reduce<f32>>(x: &mut dyn Pieces) -> R::Out {
    let count = x.count();
    R::finish(rows::pieces::<R>(x), count)
}

/// Reduces each run of `size` values as [`run`] does.
pub fn runs<R: Reduce<f32>>(x: &[f32], size: usize, out: &mut [R::Out]) {
    let mut accs = [R::start(); SOME];
    for (x, out) in x.chunks(SOME * size).zip(out.chunks_mut(SOME)) {
        let accs = &mut accs[..out.len()];
        rows::runs::<f32, R>(x, size, accs);
        out.iter_mut().zip(accs).for_each(|(o, &mut acc)| *o = R::finish(acc, size));
    }
}

fn reduce<T, R>(pool: &Pool, x: &[T], groups: &[(usize, bool)], count: usize, out: &mut [R::Out])
where
    T: Copy + Send + Sync + 'static,
    R: Reduce<T>,
{
    let finish = |accs: &[R::Acc], out: &mut [R::Out]| {
        out.iter_mut().zip(accs).for_each(|(o, &acc)| *o = R::finish(acc, count));
    };
    match groups.iter().rposition(|(_, reduced)| *reduced) {
        Some(inner) => along(pool, x, groups, inner, &Loops::of::<R>(), out, &finish),
        None => out.iter_mut().zip(x).for_each(|(o, &x)| *o = R::finish(R::lift(x), count)),
    }
}

/// Reduces along the groups up to `inner`, the last that is reduced.
fn along<T, A, O>(
    pool: &Pool,
    x: &[T],
    groups: &[(usize, bool)],
    inner: usize,
    loops: &Loops<T, A>,
    out: &mut [O],
    finish: Finish<'_, A, O>,
) where
    T: Copy + Send + Sync + 'static,
    A: Copy + Send + Sync,
    O: Copy + Send + Sync,
{
    let size = groups[inner].0;
    let width: usize = groups[inner + 1..].iter().map(|(n, _)| n).product();
    if groups[..inner].iter().all(|(_, reduced)| !reduced) {
        return group(pool, x, size, width, loops, out, finish);
    }
    // The innermost group first; its results are then merged along the groups further out.
    let mut partial = vec![loops.start; x.len() / size];
    group(pool, x, size, width, loops, &mut partial, &|accs, out| out.copy_from_slice(accs));
    merge_groups(&mut partial, &groups[..inner], width, loops.merge);
    finish(&partial, out);
}

/// Reduces one group: `x` is made of matrices of `size` rows and `width` columns.
fn group<T, A, O>(
    pool: &Pool,
    x: &[T],
    size: usize,
    width: usize,
    loops: &Loops<T, A>,
    out: &mut [O],
    finish: Finish<'_, A, O>,
) where
    T: Copy + Send + Sync + 'static,
    A: Copy + Send + Sync,
    O: Send + Sync,
{
    if width == 1 {
        rows::reduce(pool, x, size, loops, out, finish);
    } else {
        columns::reduce(pool, x, size, width, loops, out, finish);
    }
}

/// Merges the accumulators along the reduced ones of `groups`, which are followed by `width` columns.
fn merge_groups<A: Copy>(x: &mut [A], groups: &[(usize, bool)], mut width: usize, merge: fn(&mut [A], &[A])) {
    let mut len = x.len();
    for &(size, reduced) in groups.iter().rev() {
        if !reduced {
            width *= size;
            continue;
        }
        let matrix = size * width;
        for i in 0..len / matrix {
            let rows = &mut x[i * matrix..(i + 1) * matrix];
            let mut n = size;
            while n > 1 {
                let half = n.div_ceil(2);
                let (left, right) = rows.split_at_mut(half * width);
                merge(left, &right[..(n - half) * width]);
                n = half;
            }
            x.copy_within(i * matrix..i * matrix + width, i * width);
        }
        len /= size;
    }
}

/// Merges neighbours, then neighbours of the results, and so on.
fn pairwise<T, R: Reduce<T>>(accs: &mut [R::Acc]) -> R::Acc {
    let mut n = accs.len();
    if n == 0 {
        return R::start();
    }
    while n > 1 {
        for i in 0..n / 2 {
            accs[i] = R::merge(accs[2 * i], accs[2 * i + 1]);
        }
        if n % 2 == 1 {
            accs[n / 2] = accs[n - 1];
        }
        n = n.div_ceil(2);
    }
    accs[0]
}

/// Types that benefit from wide vectors in simple loops.
pub const fn is_vector(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64)
}

/// Types whose sums, products and extrema are the same in every order.
pub const fn is_exact(dtype: DType) -> bool {
    dtype.is_integer()
}

/// The merge operation of a reduction of elements of this type, if they are `f32`.
pub const fn singles(dtype: DType, merge: Merge) -> Option<Merge> {
    match dtype {
        DType::F32 => Some(merge),
        _ => None,
    }
}

/// Sums in the wide type.
pub struct SumOf<T>(PhantomData<T>);

impl<T: Number> Reduce<T> for SumOf<T> {
    type Acc = T::Wide;
    type Out = T;
    const VECTOR: bool = is_vector(T::DTYPE);
    const EXACT: bool = is_exact(T::DTYPE);
    const SINGLES: Option<Merge> = singles(T::DTYPE, Merge::Sum);
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

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::Code;

    /// Sums, which do not check the order of merging.
    struct Sum;

    impl Reduce<u32> for Sum {
        type Acc = u64;
        type Out = u64;
        const VECTOR: bool = true;
        const EXACT: bool = true;
        fn start() -> u64 {
            0
        }
        fn lift(x: u32) -> u64 {
            x.into()
        }
        fn merge(a: u64, b: u64) -> u64 {
            a + b
        }
        fn finish(acc: u64, count: usize) -> u64 {
            acc * 1000 + count as u64
        }
    }

    fn naive(dims: &[usize], reduced: &[bool], x: &[u32]) -> Vec<u64> {
        let kept: usize = dims.iter().zip(reduced).filter(|(_, r)| !**r).map(|(d, _)| d).product();
        let count: usize = dims.iter().zip(reduced).filter(|(_, r)| **r).map(|(d, _)| d).product();
        let mut out = vec![0u64; kept];
        for (i, &v) in x.iter().enumerate() {
            let (mut rest, mut at, mut stride) = (i, 0, 1);
            for axis in (0..dims.len()).rev() {
                if !reduced[axis] {
                    at += rest % dims[axis] * stride;
                    stride *= dims[axis];
                }
                rest /= dims[axis];
            }
            out[at] += u64::from(v);
        }
        out.into_iter().map(|s| s * 1000 + count as u64).collect()
    }

    #[test]
    fn every_set_of_axes_of_many_shapes() {
        let shapes: &[&[usize]] = &[
            &[],
            &[1],
            &[7],
            &[0],
            &[3, 0, 2],
            &[5, 70],
            &[70, 5],
            &[300, 300],
            &[2, 3, 4, 5],
            &[3, 1, 4, 1, 33],
            &[2, 200, 3, 150],
            &[200_000],
            &[3, 140_000],
            &[140_000, 3],
            &[2, 70_000, 2],
            &[2, 9000],
            &[400, 5000],
            &[40, 300, 40],
        ];
        for dims in shapes {
            let shape = Shape::new(dims.iter().copied()).unwrap();
            let x: Vec<u32> = (0..shape.num_elements() as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect();
            for mask in 0..1u32 << dims.len() {
                let reduced: Vec<bool> = (0..dims.len()).map(|a| mask >> a & 1 == 1).collect();
                let list: Vec<i64> = (0..dims.len()).filter(|&a| reduced[a]).map(|a| a as i64).collect();
                let expected = naive(dims, &reduced, &x);
                let axes = Axes::new(&shape, &list, false).unwrap();
                assert_eq!(axes.shape.num_elements(), expected.len());
                for threads in [1, 3] {
                    let mut out = vec![1u64; expected.len()];
                    axes.reduce::<u32, Sum>(&Pool::new(threads), &x, &mut out);
                    assert!(out == expected, "{dims:?} {reduced:?} with {threads} threads");
                }
            }
        }
    }

    #[test]
    fn shapes_of_results() {
        let shape = Shape::new([2, 3, 4]).unwrap();
        assert_eq!(Axes::new(&shape, &[-1, 0], false).unwrap().shape.dims(), [3]);
        assert_eq!(Axes::new(&shape, &[-1, 0], true).unwrap().shape.dims(), [1, 3, 1]);
        assert_eq!(Axes::new(&shape, &[], true).unwrap().shape.dims(), [2, 3, 4]);
        for wrong in [&[3][..], &[-4], &[0, -3], &[1, 1]] {
            assert_eq!(Axes::new(&shape, wrong, false).err().unwrap().code(), Code::InvalidArgument);
        }
    }
}
