//! Cheap float32 functions in a chain: each takes the output of the one before it in registers.
//!
//! Every function returns the same bits as the loops of the nodes' own functions: there are no fused multiply-adds, and
//! unordered values (NaNs) are selected as they are there.

use crate::stream::{Stream, line, prefetch_later};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// A function of one or two values that takes one or a few instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basic {
    /// `x + y`
    Add,
    /// `x - y`
    Sub,
    /// `x * y`
    Mul,
    /// `x / y`
    Div,
    /// `(x - y) * (x - y)`
    SquaredDifference,
    /// The maximum of `x` and `y`, NaN if either is NaN.
    Maximum,
    /// The minimum of `x` and `y`, NaN if either is NaN.
    Minimum,
    /// `x` itself.
    Identity,
    /// `-x`
    Neg,
    /// `x` without its sign.
    Abs,
    /// `x * x`
    Square,
    /// The square root.
    Sqrt,
    /// `1 / sqrt(x)`
    Rsqrt,
    /// `1 / x`
    Reciprocal,
    /// `1 - x`
    Complement,
    /// `x`, or 0 for negative `x`.
    Relu,
    /// `y` if it is less than `x`, else `x`.
    Capped,
    /// `y` if `x` is less than it, else `x`.
    Raised,
    /// The mask of `x < y`. In a strip, true is a mask with all bits set, and false one with none.
    Less,
    /// The mask of `x <= y`.
    LessEqual,
    /// The mask of `x > y`.
    Greater,
    /// The mask of `x >= y`.
    GreaterEqual,
    /// The mask of `x == y`.
    Equal,
    /// The mask of `x != y`.
    NotEqual,
    /// The mask of `x > 0`.
    Positive,
    /// The mask of `x != 0`.
    Truth,
    /// 1 for a mask with all bits set, and 0 for one with none.
    Unit,
    /// The bits that `x` and `y` have in common.
    And,
    /// The bits of both.
    Or,
    /// The bits in which they differ.
    Xor,
    /// The bits that `x` does not have.
    Not,
}

/// A mask with all bits set.
pub(super) const ALL: f32 = f32::from_bits(u32::MAX);

/// The mask for a condition.
#[inline(always)]
pub(super) fn mask(condition: bool) -> f32 {
    f32::from_bits(0u32.wrapping_sub(u32::from(condition)))
}

impl Basic {
    /// True for a function of two values.
    pub const fn is_of_two(self) -> bool {
        use Basic::*;
        match self {
            Add | Sub | Mul | Div | SquaredDifference | Maximum | Minimum | Capped | Raised => true,
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | And | Or | Xor => true,
            Identity | Neg | Abs | Square | Sqrt | Rsqrt | Reciprocal | Complement => false,
            Relu | Positive | Truth | Unit | Not => false,
        }
    }

    /// Computes it for scalars; functions of one value ignore `y`.
    pub(super) fn of(self, x: f32, y: f32) -> f32 {
        match self {
            Basic::Add => x + y,
            Basic::Sub => x - y,
            Basic::Mul => x * y,
            Basic::Div => x / y,
            Basic::SquaredDifference => (x - y) * (x - y),
            Basic::Maximum => {
                if x.is_nan() || x > y {
                    x
                } else {
                    y
                }
            }
            Basic::Minimum => {
                if x.is_nan() || x < y {
                    x
                } else {
                    y
                }
            }
            Basic::Identity => x,
            Basic::Neg => -x,
            Basic::Abs => x.abs(),
            Basic::Square => x * x,
            Basic::Sqrt => x.sqrt(),
            Basic::Rsqrt => 1.0 / x.sqrt(),
            Basic::Reciprocal => 1.0 / x,
            Basic::Complement => 1.0 - x,
            Basic::Relu => {
                if x < 0.0 {
                    0.0
                } else {
                    x
                }
            }
            Basic::Capped => {
                if y < x {
                    y
                } else {
                    x
                }
            }
            Basic::Raised => {
                if x < y {
                    y
                } else {
                    x
                }
            }
            Basic::Less => mask(x < y),
            Basic::LessEqual => mask(x <= y),
            Basic::Greater => mask(x > y),
            Basic::GreaterEqual => mask(x >= y),
            Basic::Equal => mask(x == y),
            Basic::NotEqual => mask(x != y),
            Basic::Positive => mask(x > 0.0),
            Basic::Truth => mask(x != 0.0),
            Basic::Unit => f32::from_bits(x.to_bits() & 1f32.to_bits()),
            Basic::And => f32::from_bits(x.to_bits() & y.to_bits()),
            Basic::Or => f32::from_bits(x.to_bits() | y.to_bits()),
            Basic::Xor => f32::from_bits(x.to_bits() ^ y.to_bits()),
            Basic::Not => f32::from_bits(!x.to_bits()),
        }
    }
}

/// What a function takes besides the output of the one before it.
#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Number(f32),
    /// As many values as are computed.
    Numbers(&'a [f32]),
}

/// A function of a chain.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub basic: Basic,
    pub other: Operand<'a>,
    /// True if the output of the previous link is the second argument.
    pub is_second: bool,
    /// Its output is also written to this element of [`Chain::also`].
    pub also: Option<usize>,
}

/// A chain of functions, the first of which takes `first`.
pub(super) struct Chain<'a, 'b, 'c> {
    pub first: Operand<'a>,
    pub links: &'b [Link<'a>],
    pub also: &'b mut [&'c mut [f32]],
    /// At a multiple of a cache line if there is a stream.
    pub out: &'b mut [f32],
    /// Stores to `out` bypassing the caches.
    pub stream: Option<&'b mut Stream>,
    /// Values that are read next, as many as are computed.
    pub ahead: Ahead<'b>,
}

/// What is prefetched while something else is computed: the elements of each slice starting at `from`.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    pub of: &'a [&'a [f32]],
    pub from: usize,
}

impl Ahead<'_> {
    /// Prefetches such a range.
    #[inline(always)]
    pub fn fetch(self, range: Range<usize>) {
        for numbers in self.of {
            range.clone().step_by(line::<f32>()).for_each(|at| prefetch_later(numbers, self.from + at));
        }
    }
}

impl Chain<'_, '_, '_> {
    /// Computes all of `out`.
    pub fn compute(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for Chain<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many vectors as leave registers for what a function needs besides them.
        let at = self.blocks::<S, 8>(simd, 0);
        let at = self.blocks::<S, 2>(simd, at);
        let at = self.blocks::<S, 1>(simd, at);
        if at < self.out.len() {
            self.rest(simd, at);
        }
    }
}

impl Chain<'_, '_, '_> {
    /// Computes blocks of `K` vectors starting at `at`; returns where it stopped.
    #[inline(always)]
    fn blocks<S: Simd, const K: usize>(&mut self, simd: S, mut at: usize) -> usize {
        let size = K * S::F32_LANES;
        while at + size <= self.out.len() {
            self.ahead.fetch(at..at + size);
            let mut x = load::<S, K>(simd, self.first, at);
            for link in self.links {
                match link.other {
                    Operand::Number(number) => apply(simd, link, &mut x, Same(simd.splat_f32s(number))),
                    Operand::Numbers(numbers) => apply(simd, link, &mut x, vectors::<S, K>(numbers, at)),
                }
                if let Some(i) = link.also {
                    store(simd, &mut self.also[i][at..at + size], &x);
                }
            }
            let out = &mut self.out[at..at + size];
            match &mut self.stream {
                Some(stream) => stream.vectors(simd, &x, out),
                None => store(simd, out, &x),
            }
            at += size;
        }
        at
    }

    /// Computes the rest starting at `at`, less than a vector.
    #[inline(always)]
    fn rest<S: Simd>(&mut self, simd: S, at: usize) {
        let end = self.out.len();
        let mut x = [partial(simd, self.first, at..end)];
        for link in self.links {
            apply(simd, link, &mut x, Same(partial(simd, link.other, at..end)));
            if let Some(i) = link.also {
                simd.partial_store_f32s(&mut self.also[i][at..end], x[0]);
            }
        }
        simd.partial_store_f32s(&mut self.out[at..end], x[0]);
    }
}

#[inline(always)]
fn load<S: Simd, const K: usize>(simd: S, operand: Operand<'_>, at: usize) -> [S::f32s; K] {
    match operand {
        Operand::Number(number) => [simd.splat_f32s(number); K],
        Operand::Numbers(numbers) => *vectors::<S, K>(numbers, at),
    }
}

#[inline(always)]
fn vectors<S: Simd, const K: usize>(numbers: &[f32], at: usize) -> &[S::f32s; K] {
    let (vectors, _) = S::as_simd_f32s(&numbers[at..at + K * S::F32_LANES]);
    vectors.try_into().expect("as many vectors as were cut out")
}

/// Loads less than a vector.
#[inline(always)]
fn partial<S: Simd>(simd: S, operand: Operand<'_>, range: Range<usize>) -> S::f32s {
    match operand {
        Operand::Number(number) => simd.splat_f32s(number),
        Operand::Numbers(numbers) => simd.partial_load_f32s(&numbers[range]),
    }
}

#[inline(always)]
fn store<S: Simd, const K: usize>(_: S, out: &mut [f32], x: &[S::f32s; K]) {
    S::as_mut_simd_f32s(out).0.copy_from_slice(x);
}

/// The second arguments of a function, which need no registers of their own if they are read where they lie.
trait Seconds<V>: Copy {
    fn nth(self, i: usize) -> V;
}

/// The same vector for all.
#[derive(Clone, Copy)]
struct Same<V>(V);

impl<V: Copy> Seconds<V> for Same<V> {
    #[inline(always)]
    fn nth(self, _: usize) -> V {
        self.0
    }
}

impl<V: Copy, const K: usize> Seconds<V> for &[V; K] {
    #[inline(always)]
    fn nth(self, i: usize) -> V {
        self[i]
    }
}

/// Applies `f` to each vector.
#[inline(always)]
fn one<V: Copy, const K: usize>(x: &mut [V; K], f: impl Fn(V) -> V) {
    for x in x {
        *x = f(*x);
    }
}

/// Applies `f` to each pair of vectors, with the second first if `is_second`.
#[inline(always)]
fn two<V: Copy, const K: usize>(x: &mut [V; K], y: impl Seconds<V>, is_second: bool, f: impl Fn(V, V) -> V) {
    // A branch before the loop, not within it, where each vector would take it.
    if is_second {
        x.iter_mut().enumerate().for_each(|(i, x)| *x = f(y.nth(i), *x));
    } else {
        x.iter_mut().enumerate().for_each(|(i, x)| *x = f(*x, y.nth(i)));
    }
}

#[inline(always)]
fn apply<S: Simd, const K: usize>(simd: S, link: &Link<'_>, x: &mut [S::f32s; K], y: impl Seconds<S::f32s>) {
    let s = simd;
    let second = link.is_second;
    match link.basic {
        Basic::Add => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| s.add_f32s(x, y),
        ),
        Basic::Sub => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.sub_f32s(x, y),
        ),
        Basic::Mul => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| s.mul_f32s(x, y),
        ),
        Basic::Div => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.div_f32s(x, y),
        ),
        Basic::SquaredDifference => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| {
                let difference = s.sub_f32s(x, y);
                s.mul_f32s(difference, difference)
            },
        ),
        Basic::Maximum => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.select_f32s(s.or_m32s(s.greater_than_f32s(x, y), s.not_m32s(s.equal_f32s(x, x))), x, y),
        ),
        Basic::Minimum => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.select_f32s(s.or_m32s(s.less_than_f32s(x, y), s.not_m32s(s.equal_f32s(x, x))), x, y),
        ),
        Basic::Identity => {}
        Basic::Neg => one(
            x,
            #[inline(always)]
            |x| s.neg_f32s(x),
        ),
        Basic::Abs => one(
            x,
            #[inline(always)]
            |x| s.abs_f32s(x),
        ),
        Basic::Square => one(
            x,
            #[inline(always)]
            |x| s.mul_f32s(x, x),
        ),
        Basic::Sqrt => one(
            x,
            #[inline(always)]
            |x| s.sqrt_f32s(x),
        ),
        Basic::Rsqrt => one(
            x,
            #[inline(always)]
            |x| s.div_f32s(s.splat_f32s(1.0), s.sqrt_f32s(x)),
        ),
        Basic::Reciprocal => one(
            x,
            #[inline(always)]
            |x| s.div_f32s(s.splat_f32s(1.0), x),
        ),
        Basic::Complement => one(
            x,
            #[inline(always)]
            |x| s.sub_f32s(s.splat_f32s(1.0), x),
        ),
        Basic::Relu => {
            let zero = s.splat_f32s(0.0);
            one(
                x,
                #[inline(always)]
                |x| s.select_f32s(s.less_than_f32s(x, zero), zero, x),
            );
        }
        Basic::Capped => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.select_f32s(s.less_than_f32s(y, x), y, x),
        ),
        Basic::Raised => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| s.select_f32s(s.less_than_f32s(x, y), y, x),
        ),
        Basic::Less => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| masked(s, s.less_than_f32s(x, y)),
        ),
        Basic::LessEqual => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| masked(s, s.less_than_or_equal_f32s(x, y)),
        ),
        Basic::Greater => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| masked(s, s.greater_than_f32s(x, y)),
        ),
        Basic::GreaterEqual => two(
            x,
            y,
            second,
            #[inline(always)]
            |x, y| masked(s, s.greater_than_or_equal_f32s(x, y)),
        ),
        Basic::Equal => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| masked(s, s.equal_f32s(x, y)),
        ),
        Basic::NotEqual => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| masked(s, s.not_m32s(s.equal_f32s(x, y))),
        ),
        Basic::Positive => one(
            x,
            #[inline(always)]
            |x| masked(s, s.greater_than_f32s(x, s.splat_f32s(0.0))),
        ),
        Basic::Truth => one(
            x,
            #[inline(always)]
            |x| masked(s, s.not_m32s(s.equal_f32s(x, s.splat_f32s(0.0)))),
        ),
        Basic::Unit => one(
            x,
            #[inline(always)]
            |x| bits(s, x, s.splat_f32s(1.0), |x, y| s.and_u32s(x, y)),
        ),
        Basic::And => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| bits(s, x, y, |x, y| s.and_u32s(x, y)),
        ),
        Basic::Or => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| bits(s, x, y, |x, y| s.or_u32s(x, y)),
        ),
        Basic::Xor => two(
            x,
            y,
            false,
            #[inline(always)]
            |x, y| bits(s, x, y, |x, y| s.xor_u32s(x, y)),
        ),
        Basic::Not => one(
            x,
            #[inline(always)]
            |x| bits(s, x, s.splat_f32s(ALL), |x, y| s.xor_u32s(x, y)),
        ),
    }
}

/// All bits where the condition is true, and none elsewhere.
#[inline(always)]
fn masked<S: Simd>(simd: S, condition: S::m32s) -> S::f32s {
    simd.select_f32s(condition, simd.splat_f32s(ALL), simd.splat_f32s(0.0))
}

/// Applies `f` to the bits.
#[inline(always)]
fn bits<S: Simd>(simd: S, x: S::f32s, y: S::f32s, f: impl Fn(S::u32s, S::u32s) -> S::u32s) -> S::f32s {
    simd.transmute_f32s_u32s(f(simd.transmute_u32s_f32s(x), simd.transmute_u32s_f32s(y)))
}
