//! Reductions of contiguous runs.

use super::{Finish, Loops, PIECE, Reduce, short};
use levada_kernel::Pool;
use levada_kernel::stream::{line, needs_hints, prefetch};
use levada_kernel::strips::{PIECE as LEAF, Pieces};
use pulp::{Simd, WithSimd};
use std::marker::PhantomData;

/// Runs that are reduced before results are made of them.
const BLOCK: usize = 64;
/// Bytes of runs that come from far memory.
const FAR: usize = 1 << 18;
/// Bytes that are prefetched.
const AHEAD: usize = 8192;

/// Reduces each run of `size` elements of `x` to one element of `out`.
pub(super) fn reduce<T, A, O>(
    pool: &Pool,
    x: &[T],
    size: usize,
    loops: &Loops<T, A>,
    out: &mut [O],
    finish: Finish<'_, A, O>,
) where
    T: Copy + Send + Sync + 'static,
    A: Copy + Send + Sync,
    O: Send + Sync,
{
    let nanos = 0.05 * size_of::<T>() as f64;
    let pieces = (size / PIECE).min(256);
    if out.len() >= BLOCK || pieces < 2 {
        pool.for_chunks(out, 1, 3.0 + nanos * size as f64, |first, out| {
            let mut accs = [loops.start; BLOCK];
            let mut x = &x[first * size..(first + out.len()) * size];
            for out in out.chunks_mut(BLOCK) {
                let (now, rest) = x.split_at(out.len() * size);
                let accs = &mut accs[..out.len()];
                (loops.runs)(now, size, accs);
                finish(accs, out);
                x = rest;
            }
        });
        return;
    }
    let length = size.div_ceil(pieces);
    let mut partial = vec![loops.start; out.len() * pieces];
    pool.for_chunks(&mut partial, 1, nanos * length as f64, |first, partial| {
        for (i, p) in partial.iter_mut().enumerate() {
            let (row, piece) = ((first + i) / pieces, (first + i) % pieces);
            let x = &x[row * size..(row + 1) * size];
            let x = &x[(piece * length).min(size)..((piece + 1) * length).min(size)];
            (loops.runs)(x, x.len(), std::slice::from_mut(p));
        }
    });
    let accs: Vec<A> = partial.chunks_exact_mut(pieces).map(loops.pairwise).collect();
    finish(&accs, out);
}

/// Reduces each run of `size` elements of `x` to one of `accs`.
pub(super) fn runs<T: Copy + 'static, R: Reduce<T>>(x: &[T], size: usize, accs: &mut [R::Acc]) {
    struct Runs<'a, T, R: Reduce<T>>(&'a [T], usize, &'a mut [R::Acc]);
    impl<T: Copy + 'static, R: Reduce<T>> WithSimd for Runs<'_, T, R> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let Runs(x, size, accs) = self;
            match size {
                _ if const { R::SINGLES.is_none() } => {}
                2 => return short::<T, R, 2>(x, accs),
                3 => return short::<T, R, 3>(x, accs),
                4 => return short::<T, R, 4>(x, accs),
                _ => {}
            }
            let is_far = size_of_val(x) >= FAR && needs_hints();
            for (i, acc) in accs.iter_mut().enumerate() {
                *acc = run::<S, T, R>(simd, &x[i * size..(i + 1) * size], is_far);
            }
        }
    }
    in_vectors::<T, R, _>(Runs::<T, R>(x, size, accs));
}

/// Reduces runs of this many elements, as [`run`] does.
#[inline(always)]
fn short<T: Copy, R: Reduce<T>, const SIZE: usize>(x: &[T], accs: &mut [R::Acc]) {
    for (acc, x) in accs.iter_mut().zip(x.as_chunks::<SIZE>().0) {
        *acc = x.iter().fold(R::start(), |acc, &x| R::merge(acc, R::lift(x)));
    }
}

/// Reduces values that come piece by piece.
pub(super) fn pieces<R: Reduce<f32>>(x: &mut dyn Pieces) -> R::Acc {
    struct All<'a, R>(&'a mut dyn Pieces, PhantomData<R>);
    impl<R: Reduce<f32>> WithSimd for All<'_, R> {
        type Output = R::Acc;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> R::Acc {
            let x = self.0;
            let count = x.count();
            if count <= LEAF {
                return run::<S, f32, R>(simd, x.piece(0..count), false);
            }
            let mut tree = Tree::new();
            for start in (0..count).step_by(LEAF) {
                let leaf = leaf::<f32, R>(x.piece(start..count.min(start + LEAF)), false);
                tree.push::<f32, R>(leaf);
            }
            tree.merged::<f32, R>()
        }
    }
    in_vectors::<f32, R, _>(All::<R>(x, PhantomData))
}

/// As [`compiled`](super::compiled), for a function that names the vectors.
#[inline(always)]
fn in_vectors<T, R: Reduce<T>, F: WithSimd>(f: F) -> F::Output {
    if const { R::VECTOR } { pulp::Arch::new().dispatch(f) } else { f.with_simd(pulp::Scalar::new()) }
}

#[inline(always)]
fn run<S: Simd, T: Copy + 'static, R: Reduce<T>>(simd: S, x: &[T], is_far: bool) -> R::Acc {
    if const { R::EXACT && !R::VECTOR } || x.len() < short::LANES {
        return x.iter().fold(R::start(), |acc, &x| R::merge(acc, R::lift(x)));
    }
    if x.len() <= 256 {
        return match short::lanes::<S, T, R>(simd, x) {
            Some(accs) => merged::<T, R, _>(accs, &[]),
            None => lanes::<T, R, { short::LANES }>(x, is_far),
        };
    }
    if x.len() <= LEAF {
        return leaf::<T, R>(x, is_far);
    }
    let mut tree = Tree::new();
    for piece in x.chunks(LEAF) {
        tree.push::<T, R>(leaf::<T, R>(piece, is_far));
    }
    tree.merged::<T, R>()
}

/// Merges leaves in order as a binary tree does: a binary counter, whose level `i` holds the merged value of 2^i
/// leaves, if there is one.
struct Tree<A> {
    levels: [Option<A>; usize::BITS as usize],
    used: usize,
}

impl<A: Copy> Tree<A> {
    #[inline(always)]
    fn new() -> Tree<A> {
        Tree { levels: [None; usize::BITS as usize], used: 0 }
    }

    #[inline(always)]
    fn push<T, R: Reduce<T, Acc = A>>(&mut self, mut leaf: A) {
        let mut at = 0;
        while let Some(before) = self.levels[at].take() {
            leaf = R::merge(before, leaf);
            at += 1;
        }
        self.levels[at] = Some(leaf);
        self.used = self.used.max(at + 1);
    }

    #[inline(always)]
    fn merged<T, R: Reduce<T, Acc = A>>(self) -> A {
        let mut merged = None;
        for &large in self.levels[..self.used].iter().flatten() {
            merged = Some(merged.map_or(large, |small| R::merge(large, small)));
        }
        merged.unwrap_or_else(R::start)
    }
}

#[inline(always)]
fn leaf<T: Copy, R: Reduce<T>>(x: &[T], is_far: bool) -> R::Acc {
    match size_of::<R::Acc>() {
        0..=4 => lanes::<T, R, 64>(x, is_far),
        5..=8 => lanes::<T, R, 32>(x, is_far),
        _ => lanes::<T, R, 16>(x, is_far),
    }
}

/// Accumulates every `N`th element, then merges the `N` results pairwise.
#[inline(always)]
fn lanes<T: Copy, R: Reduce<T>, const N: usize>(x: &[T], is_far: bool) -> R::Acc {
    let mut accs = [R::start(); N];
    let pieces = x.chunks_exact(N);
    let rest = pieces.remainder();
    for piece in pieces {
        let piece: &[T; N] = piece.try_into().expect("the chunks are of this length");
        if is_far {
            (0..N).step_by(line::<T>()).for_each(|at| prefetch(piece, AHEAD / size_of::<T>() + at));
        }
        for i in 0..N {
            accs[i] = R::merge(accs[i], R::lift(piece[i]));
        }
    }
    // For minima and maxima, elements that are seen twice change nothing.
    if const { matches!(R::SINGLES, Some(short::Merge::Min | short::Merge::Max)) }
        && !rest.is_empty()
        && let Some(last) = x.last_chunk::<N>()
    {
        for i in 0..N {
            accs[i] = R::merge(accs[i], R::lift(last[i]));
        }
        return merged::<T, R, N>(accs, &[]);
    }
    merged::<T, R, N>(accs, rest)
}

/// Merges fewer than `N` more elements with what the lanes have accumulated, then the lanes pairwise.
#[inline(always)]
fn merged<T: Copy, R: Reduce<T>, const N: usize>(mut accs: [R::Acc; N], rest: &[T]) -> R::Acc {
    // Without this branch the lanes would be in memory.
    if !rest.is_empty() {
        let (pieces, few) = rest.as_chunks::<16>();
        let mut at = 0;
        for piece in pieces {
            for i in 0..16 {
                accs[at + i] = R::merge(accs[at + i], R::lift(piece[i]));
            }
            at += 16;
        }
        for (acc, &x) in accs[at..].iter_mut().zip(few) {
            *acc = R::merge(*acc, R::lift(x));
        }
    }
    const { assert!(N == 16 || N == 32 || N == 64) };
    let all = &accs[..];
    let (half, quarter);
    let mut lanes = all;
    if N == 64 {
        half = halved::<T, R, 32>(lanes);
        lanes = &half;
    }
    if N >= 32 {
        quarter = halved::<T, R, 16>(lanes);
        lanes = &quarter;
    }
    let lanes = halved::<T, R, 8>(lanes);
    let lanes = halved::<T, R, 4>(&lanes);
    let lanes = halved::<T, R, 2>(&lanes);
    halved::<T, R, 1>(&lanes)[0]
}

/// Merges each of the first `N` lanes with its counterpart among as many others. A new array stays in registers.
#[inline(always)]
fn halved<T: Copy, R: Reduce<T>, const N: usize>(lanes: &[R::Acc]) -> [R::Acc; N] {
    let (first, second) = (&lanes[..N], &lanes[N..2 * N]);
    let mut half = [R::start(); N];
    for i in 0..N {
        half[i] = R::merge(first[i], second[i]);
    }
    half
}
