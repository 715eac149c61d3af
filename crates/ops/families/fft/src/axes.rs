//! Transforms along one axis, over every row.

use crate::prelude::*;
use levada_kernel::Pool;
use num_complex::Complex;
use parking_lot::Mutex;
use realfft::{FftError, RealFftPlanner};
use rustfft::{FftNum, FftPlanner};
use std::cell::RefCell;
use std::sync::Arc;

/// Columns transformed together, so that rows are read in contiguous pieces rather than one element at a time. Not more,
/// because columns whose size is a power of two share a set of the first-level cache, which has 8 lines on many machines.
const COLUMNS: usize = 8;

/// Maximum number of plans a thread keeps before it discards them all.
const PLANS: usize = 64;

/// A real type that transforms are computed in.
pub(super) trait Part: FftNum + Element + Default {
    /// Calls `f` with this thread's planners.
    fn with_planners<R>(f: impl FnOnce(&mut Planners<Self>) -> R) -> R;
    fn of(value: f64) -> Self;
}

/// Caches the plans for transform lengths.
pub(super) struct Planners<T: FftNum> {
    complex: FftPlanner<T>,
    real: RealFftPlanner<T>,
    made: usize,
}

impl<T: FftNum> Planners<T> {
    fn new() -> Planners<T> {
        Planners { complex: FftPlanner::new(), real: RealFftPlanner::new(), made: 0 }
    }

    /// Discards all plans when there are too many.
    fn tidy(&mut self) {
        self.made += 1;
        if self.made > PLANS {
            *self = Planners::new();
        }
    }
}

macro_rules! parts {
    ($($ty:ty, $name:ident;)*) => {$(
        thread_local! {
            static $name: RefCell<Planners<$ty>> = RefCell::new(Planners::new());
        }
        impl Part for $ty {
            fn with_planners<R>(f: impl FnOnce(&mut Planners<Self>) -> R) -> R {
                $name.with_borrow_mut(|planners| {
                    planners.tidy();
                    f(planners)
                })
            }
            fn of(value: f64) -> Self {
                value as $ty
            }
        }
    )*};
}

parts! {
    f32, F32_PLANNERS;
    f64, F64_PLANNERS;
}

/// Allocates `n` zero elements.
pub(super) fn room<T: Clone + Default>(n: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(n)
        .map_err(|_| Error::resource_exhausted(format!("no memory for a transform of {n} elements")))?;
    vec.resize(n, T::default());
    Ok(vec)
}

/// Rough cost of one transform of length `n`, in nanoseconds.
fn nanos(n: usize) -> f64 {
    n as f64 * (n as f64 + 1.0).log2() * 1.0 + 20.0
}

/// The first error of several parallel parts.
#[derive(Default)]
struct First(Mutex<Option<Error>>);

impl First {
    fn note(&self, result: Result<()>) {
        if let Err(error) = result {
            self.0.lock().get_or_insert(error);
        }
    }

    fn end(self) -> Result<()> {
        self.0.into_inner().map_or(Ok(()), Err)
    }
}

/// Transforms `data` along rows of `n` elements spaced `inner` apart.
pub(super) fn along<T: Part>(
    pool: &Pool,
    data: &mut [Complex<T>],
    n: usize,
    inner: usize,
    inverse: bool,
) -> Result<()> {
    if data.is_empty() || n <= 1 {
        return Ok(());
    }
    let plan = T::with_planners(|planners| match inverse {
        true => planners.complex.plan_fft_inverse(n),
        false => planners.complex.plan_fft_forward(n),
    });
    let first = First::default();
    let scratch_size = plan.get_inplace_scratch_len();
    if inner == 1 {
        pool.for_chunks(data, n, nanos(n), |_, rows| {
            first.note(room(scratch_size).map(|mut scratch| plan.process_with_scratch(rows, &mut scratch)));
        });
        return first.end();
    }
    // A block of `n` rows of `inner` elements is transformed column by column.
    let columns = |rows: &mut [&mut [Complex<T>]]| -> Result<()> {
        let (mut scratch, mut turned) = (room(scratch_size)?, room(n * COLUMNS)?);
        let width = rows.first().map_or(0, |row| row.len());
        for begin in (0..width).step_by(COLUMNS) {
            let size = COLUMNS.min(width - begin);
            let turned = &mut turned[..n * size];
            for (i, row) in rows.iter().enumerate() {
                row[begin..begin + size].iter().enumerate().for_each(|(c, v)| turned[c * n + i] = *v);
            }
            plan.process_with_scratch(turned, &mut scratch);
            for (i, row) in rows.iter_mut().enumerate() {
                row[begin..begin + size].iter_mut().enumerate().for_each(|(c, v)| *v = turned[c * n + i]);
            }
        }
        Ok(())
    };
    let blocks = data.len() / (n * inner);
    let cost = nanos(n) * inner as f64;
    if blocks >= pool.shares() || pool.parts(blocks * inner, nanos(n)) == 1 {
        pool.for_chunks(data, n * inner, cost, |_, blocks| {
            for block in blocks.chunks_exact_mut(n * inner) {
                let mut rows: Vec<&mut [Complex<T>]> = block.chunks_exact_mut(inner).collect();
                first.note(columns(&mut rows));
            }
        });
        return first.end();
    }
    // Few large blocks: each is split into stripes of columns.
    let parts = pool.parts(inner, nanos(n)).max(1);
    let stripe = inner.div_ceil(parts).next_multiple_of(COLUMNS);
    for block in data.chunks_exact_mut(n * inner) {
        let mut stripes: Vec<Vec<&mut [Complex<T>]>> = Vec::new();
        for row in block.chunks_exact_mut(inner) {
            for (s, part) in row.chunks_mut(stripe).enumerate() {
                match stripes.get_mut(s) {
                    Some(rows) => rows.push(part),
                    None => stripes.push(vec![part]),
                }
            }
        }
        pool.for_chunks(&mut stripes, 1, nanos(n) * stripe as f64, |_, stripes| {
            stripes.iter_mut().for_each(|rows| first.note(columns(rows)));
        });
    }
    first.end()
}

/// Transforms rows of `n` real values, each of which starts at an element that `start` returns; returns only the first
/// half of each row, as the rest are conjugates.
pub(super) fn to_complex<T: Part>(
    pool: &Pool,
    from: &[T],
    start: impl Fn(usize) -> usize + Sync,
    n: usize,
    to: &mut [Complex<T>],
) -> Result<()> {
    if to.is_empty() {
        return Ok(());
    }
    let plan = T::with_planners(|planners| Arc::clone(&planners.real.plan_fft_forward(n)));
    each(pool, n, n / 2 + 1, plan.get_scratch_len(), to, |at, row, to, scratch| {
        row.copy_from_slice(&from[start(at)..][..n]);
        plan.process_with_scratch(row, to, scratch)
    })
}

/// The inverse of [`to_complex`], scaled by `n`, of rows of the first halves.
pub(super) fn to_real<T: Part>(
    pool: &Pool,
    from: &[Complex<T>],
    start: impl Fn(usize) -> usize + Sync,
    n: usize,
    to: &mut [T],
) -> Result<()> {
    if to.is_empty() {
        return Ok(());
    }
    let plan = T::with_planners(|planners| Arc::clone(&planners.real.plan_fft_inverse(n)));
    let half = n / 2 + 1;
    each(pool, half, n, plan.get_scratch_len(), to, |at, row: &mut [Complex<T>], to, scratch| {
        row.copy_from_slice(&from[start(at)..][..half]);
        // These are real in the transform of real values; any imaginary part given is ignored.
        row[0].im = T::default();
        if n.is_multiple_of(2) {
            row[half - 1].im = T::default();
        }
        plan.process_with_scratch(row, to, scratch)
    })
}

/// Transforms rows of `n` elements to rows of `size` elements, each with a row of its own and some scratch.
fn each<A: Clone + Default, B: Send, T: Part>(
    pool: &Pool,
    n: usize,
    size: usize,
    scratch: usize,
    to: &mut [B],
    f: impl Fn(usize, &mut [A], &mut [B], &mut [Complex<T>]) -> Result<(), FftError> + Sync + Send,
) -> Result<()> {
    let first = First::default();
    pool.for_chunks(to, size, nanos(n.max(size)) * 0.6, |begin, to| {
        let (mut row, mut scratch) = match (room(n), room(scratch)) {
            (Ok(row), Ok(scratch)) => (row, scratch),
            (Err(error), _) | (_, Err(error)) => return first.note(Err(error)),
        };
        for (at, to) in (begin..).zip(to.chunks_exact_mut(size)) {
            first.note(f(at, &mut row, to, &mut scratch).map_err(|error| Error::internal(error.to_string())));
        }
    });
    first.end()
}
