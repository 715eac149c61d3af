//! Distributions: how random bits become values, bit for bit as TensorFlow's CPU kernels do it.

use crate::philox::{Philox, RESERVED_PER_VALUE, unit_f32, unit_f64, word};
use crate::prelude::*;
use levada_kernel::{Pool, lane};
use parking_lot::Mutex;

/// Draws values in groups of fixed size.
pub(crate) trait Distribution: Sync {
    /// The type of the values.
    type Out: Element + Copy;
    /// Number of values in a group: 2 or 4.
    const GROUP: usize;
    /// Maximum number of 128-bit steps that a group takes. Each group starts this far after the previous one.
    const STEPS: u64 = 1;
    /// Approximate time per value, in nanoseconds.
    const NANOS: f64 = 10.0;
    /// Makes the first [`Self::GROUP`] values from the bits of one step. Called only if a group takes one step.
    fn make(&self, bits: &[u32; 4], out: &mut [Self::Out; 4]) {
        let _ = (bits, out);
    }
    /// Draws one group into the first [`Self::GROUP`] elements.
    #[inline(always)]
    fn draw(&self, philox: &mut Philox, out: &mut [Self::Out; 4]) {
        self.make(&philox.next(), out);
    }
}

/// Fills `out` with values from `philox`; the result does not depend on the number of threads.
pub(crate) fn fill<D: Distribution>(pool: &Pool, philox: Philox, dist: &D, out: &mut [D::Out]) {
    let nanos = D::NANOS * D::GROUP as f64;
    let _cut = lane::only_outputs();
    pool.for_chunks(out, D::GROUP, nanos, |first, piece| {
        let mut start = philox;
        start.skip((first as u64).wrapping_mul(D::STEPS));
        match D::STEPS {
            1 => vectorized!(fill_lanes(start, dist, piece)),
            _ => fill_groups(start, dist, piece),
        }
    });
}

fn fill_groups<D: Distribution>(mut start: Philox, dist: &D, out: &mut [D::Out]) {
    let mut group = [D::Out::default(); 4];
    for values in out.chunks_mut(D::GROUP) {
        let mut generator = start;
        dist.draw(&mut generator, &mut group);
        values.copy_from_slice(&group[..values.len()]);
        start.skip(D::STEPS);
    }
}

/// [`fill_groups`] for groups of one step, many at a time.
#[inline(always)]
fn fill_lanes<D: Distribution>(mut philox: Philox, dist: &D, out: &mut [D::Out]) {
    const LANES: usize = 16;
    let mut chunks = out.chunks_exact_mut(LANES * D::GROUP);
    for chunk in &mut chunks {
        let lanes = philox.next_lanes::<LANES>();
        for (lane, values) in chunk.chunks_exact_mut(D::GROUP).enumerate() {
            let mut group = [D::Out::default(); 4];
            dist.make(&[lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]], &mut group);
            values.copy_from_slice(&group[..D::GROUP]);
        }
    }
    fill_groups(philox, dist, chunks.into_remainder());
}

/// Floats made from random bits: a random mantissa of a value in `[1, 2)`, minus one.
pub(crate) trait Unit: Float {
    /// Number of values made from 128 bits.
    const GROUP: usize;
    /// Returns value number `i` of a group, in `[0, 1)`.
    fn unit(bits: &[u32; 4], i: usize) -> Self;
    /// The standard normal values of a group, in pairs by the Box-Muller method.
    fn normal(bits: &[u32; 4], out: &mut [Self; 4]);
    /// Draws from the standard normal distribution until a group of values lies within 2 of zero.
    fn truncated_normal(philox: Philox, out: &mut [Self; 4]);
}

fn box_muller_f32(a: u32, b: u32) -> [f32; 2] {
    let u = unit_f32(a).max(1.0e-7);
    // The product is taken in double precision, as C does with M_PI.
    let angle = (2.0 * std::f64::consts::PI * f64::from(unit_f32(b))) as f32;
    let radius = (-2.0 * u.ln()).sqrt();
    let (sin, cos) = angle.sin_cos();
    [sin * radius, cos * radius]
}

fn box_muller_f64(bits: [u32; 4]) -> [f64; 2] {
    let u = unit_f64(bits[0], bits[1]).max(1.0e-7);
    let angle = 2.0 * std::f64::consts::PI * unit_f64(bits[2], bits[3]);
    let radius = (-2.0 * u.ln()).sqrt();
    let (sin, cos) = angle.sin_cos();
    [sin * radius, cos * radius]
}

macro_rules! single_precision_units {
    ($($ty:ty: |$bits:ident| $unit:expr, |$value:ident| $narrow:expr;)*) => {$(
        impl Unit for $ty {
            const GROUP: usize = 4;
            #[inline(always)]
            fn unit(bits: &[u32; 4], i: usize) -> $ty {
                let $bits = bits[i];
                $unit
            }
            fn normal(bits: &[u32; 4], out: &mut [$ty; 4]) {
                for pair in 0..2 {
                    let values = box_muller_f32(bits[2 * pair], bits[2 * pair + 1]);
                    for (i, $value) in values.into_iter().enumerate() {
                        out[2 * pair + i] = $narrow;
                    }
                }
            }
            fn truncated_normal(philox: Philox, out: &mut [$ty; 4]) {
                let mut singles = philox.singles();
                let mut found = 0;
                loop {
                    let a = singles.next();
                    for $value in box_muller_f32(a, singles.next()) {
                        if $value.abs() < 2.0 {
                            out[found] = $narrow;
                            found += 1;
                            if found == 4 {
                                return;
                            }
                        }
                    }
                }
            }
        }
    )*};
}

single_precision_units! {
    f32: |bits| unit_f32(bits), |value| value;
    f16: |bits| f16::from_f32(f16::from_bits(15 << 10 | bits as u16 & 0x3ff).to_f32() - 1.0), |value| f16::from_f32(value);
    bf16: |bits| bf16::from_f32(bf16::from_bits(127 << 7 | bits as u16 & 0x7f).to_f32() - 1.0),
        |value| bf16::from_f32(value);
}

impl Unit for f64 {
    const GROUP: usize = 2;
    #[inline(always)]
    fn unit(bits: &[u32; 4], i: usize) -> f64 {
        unit_f64(bits[2 * i], bits[2 * i + 1])
    }
    fn normal(bits: &[u32; 4], out: &mut [f64; 4]) {
        out[..2].copy_from_slice(&box_muller_f64(*bits));
    }
    fn truncated_normal(mut philox: Philox, out: &mut [f64; 4]) {
        let mut found = 0;
        loop {
            for value in box_muller_f64(philox.next()) {
                if value.abs() < 2.0 {
                    out[found] = value;
                    found += 1;
                    if found == 2 {
                        return;
                    }
                }
            }
        }
    }
}

/// Uniform in `[0, 1)`.
pub(crate) struct Uniform<T>(pub std::marker::PhantomData<T>);

impl<T: Unit> Distribution for Uniform<T> {
    type Out = T;
    const GROUP: usize = T::GROUP;
    const NANOS: f64 = 1.0;
    #[inline(always)]
    fn make(&self, bits: &[u32; 4], out: &mut [T; 4]) {
        for (i, value) in out[..T::GROUP].iter_mut().enumerate() {
            *value = T::unit(bits, i);
        }
    }
}

/// Normal with mean 0 and standard deviation 1.
pub(crate) struct Normal<T>(pub std::marker::PhantomData<T>);

impl<T: Unit> Distribution for Normal<T> {
    type Out = T;
    const GROUP: usize = T::GROUP;
    fn make(&self, bits: &[u32; 4], out: &mut [T; 4]) {
        T::normal(bits, out);
    }
}

/// Normal with mean 0 and standard deviation 1, truncated to within 2 of zero.
pub(crate) struct TruncatedNormal<T>(pub std::marker::PhantomData<T>);

impl<T: Unit> Distribution for TruncatedNormal<T> {
    type Out = T;
    const GROUP: usize = T::GROUP;
    const STEPS: u64 = T::GROUP as u64 * RESERVED_PER_VALUE / 4;
    fn draw(&self, philox: &mut Philox, out: &mut [T; 4]) {
        T::truncated_normal(*philox, out);
    }
}

/// Integers whose bits are all random.
pub(crate) trait RandomInt: Number {
    /// Number of values made from 128 bits.
    const GROUP: usize;
    /// Returns value number `i` of a group, from the full range of the type.
    fn full(bits: &[u32; 4], i: usize) -> Self;
    /// Returns value number `i` of a group, in `[low, high)`; `low` must be less than `high`.
    fn ranged(bits: &[u32; 4], i: usize, low: Self, high: Self) -> Self;
}

macro_rules! random_ints {
    ($($ty:ty as $unsigned:ty: $group:literal, |$bits:ident, $i:ident| $full:expr;)*) => {$(
        impl RandomInt for $ty {
            const GROUP: usize = $group;
            #[inline(always)]
            fn full($bits: &[u32; 4], $i: usize) -> $ty {
                ($full) as $ty
            }
            #[inline(always)]
            fn ranged(bits: &[u32; 4], i: usize, low: $ty, high: $ty) -> $ty {
                let range = (high as $unsigned).wrapping_sub(low as $unsigned);
                low.wrapping_add((Self::full(bits, i) as $unsigned).checked_rem(range).unwrap_or(0) as $ty)
            }
        }
    )*};
}

random_ints! {
    i32 as u32: 4, |bits, i| bits[i];
    u32 as u32: 4, |bits, i| bits[i];
    i64 as u64: 2, |bits, i| word(bits[2 * i], bits[2 * i + 1]);
    u64 as u64: 2, |bits, i| word(bits[2 * i], bits[2 * i + 1]);
}

/// Uniform integers in `[low, high)`.
pub(crate) struct UniformInt<T> {
    pub low: T,
    pub high: T,
}

impl<T: RandomInt> Distribution for UniformInt<T> {
    type Out = T;
    const GROUP: usize = T::GROUP;
    const NANOS: f64 = 1.0;
    #[inline(always)]
    fn make(&self, bits: &[u32; 4], out: &mut [T; 4]) {
        for (i, value) in out[..T::GROUP].iter_mut().enumerate() {
            *value = T::ranged(bits, i, self.low, self.high);
        }
    }
}

/// Uniform integers over the full range of the type.
pub(crate) struct FullInt<T>(pub std::marker::PhantomData<T>);

impl<T: RandomInt> Distribution for FullInt<T> {
    type Out = T;
    const GROUP: usize = T::GROUP;
    const NANOS: f64 = 1.0;
    #[inline(always)]
    fn make(&self, bits: &[u32; 4], out: &mut [T; 4]) {
        for (i, value) in out[..T::GROUP].iter_mut().enumerate() {
            *value = T::full(bits, i);
        }
    }
}

/// Doubles drawn one at a time from a generator. Of each pair made from 128 bits, the second comes first.
pub(crate) struct Doubles {
    pair: [f64; 2],
    left: usize,
}

impl Doubles {
    pub(crate) fn new() -> Doubles {
        Doubles { pair: [0.0; 2], left: 0 }
    }

    fn next(&mut self, draw: impl FnOnce() -> [f64; 2]) -> f64 {
        if self.left == 0 {
            self.pair = draw();
            self.left = 2;
        }
        self.left -= 1;
        self.pair[self.left]
    }

    /// Returns the next uniform value in `[0, 1)`.
    pub(crate) fn uniform(&mut self, philox: &mut Philox) -> f64 {
        self.next(|| {
            let bits = philox.next();
            [unit_f64(bits[0], bits[1]), unit_f64(bits[2], bits[3])]
        })
    }

    /// Returns the next standard normal value.
    pub(crate) fn normal(&mut self, philox: &mut Philox) -> f64 {
        self.next(|| box_muller_f64(philox.next()))
    }
}

/// Maximum number of consecutive rejections of a rejection method. Parameters such as infinities would cause it to
/// reject forever.
pub(crate) const MOST_REJECTIONS: usize = 1_000_000;

/// Returns the error after [`MOST_REJECTIONS`] rejections.
pub(crate) fn cannot_sample(what: &str) -> Error {
    Error::invalid(format!("no {what} can be drawn with these parameters"))
}

/// Converts a double as C does: to half precision through single, to integers by dropping the fraction; values out of
/// range become the lowest integer.
pub(crate) fn narrow<T: Real>(value: f64) -> T {
    if T::DTYPE == DType::F64 {
        T::from_f64(value)
    } else if T::DTYPE.is_float() {
        T::from_f64(f64::from(value as f32))
    } else if value.trunc() >= T::LOWEST.to_f64() && value.trunc() <= T::HIGHEST.to_f64() {
        T::from_f64(value)
    } else {
        T::LOWEST
    }
}

/// Fills `out`, which holds the same number of samples for each of `parameters` distributions, the innermost axis.
/// `draw` gets the index of the distribution and a separate generator for each sample.
pub(crate) fn fill_samples<T: Real>(
    pool: &Pool,
    philox: Philox,
    parameters: usize,
    out: &mut [T],
    draw: impl Fn(usize, Philox, u64) -> Result<f64> + Sync,
) -> Result<()> {
    let samples = out.len().checked_div(parameters).unwrap_or(0);
    let failed = Mutex::new(None);
    let _cut = lane::only_outputs();
    pool.for_chunks(out, 1, 200.0, |first, piece| {
        // Finding out that sampling fails takes long, so it is done only once.
        if failed.lock().is_some() {
            return;
        }
        for (i, value) in piece.iter_mut().enumerate() {
            let (sample, parameter) = ((first + i) / parameters, (first + i) % parameters);
            match draw(parameter, philox, (parameter * samples + sample) as u64) {
                Ok(drawn) => *value = narrow(drawn),
                Err(error) => {
                    failed.lock().get_or_insert(error);
                    return;
                }
            }
        }
    });
    failed.into_inner().map_or(Ok(()), Err)
}
