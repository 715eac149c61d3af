//! `Multinomial` and `StatelessMultinomial`: classes drawn from unnormalized log-probabilities.

use super::key::{infer_seed, seeded};
use super::shards::shards;
use crate::philox::unit_f64;
use crate::philox::{Philox, RESERVED_PER_VALUE, Singles, Stream};
use crate::prelude::*;
use crate::rules::never;
use levada_kernel::Pool;
use levada_ops_core::elementwise::wide_math as wide;
use levada_ops_core::vectorized_for;
use std::ops::Range;

attrs! {
    /// Draws `num_samples` classes per row from the unnormalized log-probabilities `logits`.
    pub struct Multinomial {
        /// First seed; if both seeds are 0, the values differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type of `logits`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of the classes.
        output_dtype: DType = Attr::dtype("output_dtype", sets::INDEX).or_type(DType::I64),
    }
}

pub static MULTINOMIAL: Def<Multinomial> = op("Multinomial")
    .inputs(&[arg("logits", of("T")), arg("num_samples", is(DType::I32))])
    .outputs(&[arg("output", of("output_dtype"))])
    .stateful()
    .shape(|_, cx| infer(cx))
    .gradient(|_, g| never(g))
    .kernel(multinomial)
    .heavy()
    .supports(|op| op.dtype.is_float());

fn multinomial(op: &Multinomial, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stream = cx.node_state(|| Stream::new(op.seed, op.seed2))?;
    sample(cx, op.dtype, op.output_dtype, |steps| stream.reserve(steps))
}

/// The rows of input 0 by the number of samples in input 1.
fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    let rows = cx.with_rank(0, 2)?.dim(0);
    cx.with_rank(1, 0)?;
    let samples = cx.constant_i64s(1).and_then(|n| usize::try_from(*n.first()?).ok());
    cx.output(0, PartialShape::new([rows, samples]));
    Ok(())
}

/// Draws output 0 from the logits in input 0; input 1 is the number of samples. `reserve` returns the generator, given
/// the number of steps to reserve for this run.
fn sample(cx: &mut Cx<'_, '_>, dtype: DType, output: DType, reserve: impl FnOnce(u64) -> Philox) -> Result<()> {
    let (logits, count) = (cx.input(0)?, cx.input(1)?);
    let &[rows, classes] = logits.shape().dims() else {
        return Err(Error::invalid(format!("logits should be a matrix, got shape {}", logits.shape())));
    };
    if !count.shape().is_scalar() {
        return Err(Error::invalid(format!("num_samples should be a scalar, got shape {}", count.shape())));
    }
    let count = count.item::<i32>()?;
    let samples = usize::try_from(count)
        .map_err(|_| Error::invalid(format!("num_samples should be non-negative, got {count}")))?;
    if rows > i32::MAX as usize || classes > i32::MAX as usize {
        return Err(Error::invalid("logits have more than 2147483647 rows or classes"));
    }
    if classes == 0 {
        return Err(Error::invalid("num_classes should be positive, got 0"));
    }
    let shape = Shape::new([rows, samples])?;
    dispatch!(output, index, |Out| cx.produce::<Out>(0, &shape, |cx, out| {
        if out.is_empty() {
            return Ok(());
        }
        // Two 32-bit samples make a double, and rows begin at whole groups of four; TensorFlow counts in int32.
        let doubles = (samples.div_ceil(4) * 4) as i32;
        let values = (rows as i32).wrapping_mul(doubles.wrapping_mul(2));
        let philox = reserve(i64::from(values).wrapping_mul(RESERVED_PER_VALUE as i64) as u64);
        dispatch!(dtype, floats, |T| draw::<T, Out>(cx.pool(), cx.slice(0)?, classes, samples, philox, out),
            else return Err(Error::unimplemented(format!("logits of type {dtype}"))));
        Ok(())
    }), else Err(Error::unimplemented(format!("classes of type {output}"))))
}

fn draw<T: Float, Out: Number>(
    pool: &Pool,
    logits: &[T],
    classes: usize,
    samples: usize,
    philox: Philox,
    out: &mut [Out],
) {
    let rows = out.len() / samples;
    let cost = 50.0 * (samples as f64 * (classes as f64).ln() / 2f64.ln() + classes as f64);
    let pieces: Vec<Range<usize>> = shards(rows, cost as u64).collect();
    let nanos = classes as f64 * 3.0 + samples as f64 * 50.0;
    pool.for_chunks(out, samples, nanos, |first, part| {
        let mut cumulative = vec![0f64; classes];
        for (row, out) in (first..).zip(part.chunks_exact_mut(samples)) {
            let mut singles = place(&pieces, row, samples, philox);
            let total = accumulate(&logits[row * classes..][..classes], &mut cumulative);
            for class in out {
                let high = singles.next();
                let wanted = unit_f64(high, singles.next()) * total;
                *class = Out::from_usize(cumulative.partition_point(|&c| c <= wanted));
            }
        }
    });
}

/// Returns the generator at the start of a row's samples: each piece of rows has its own position in the stream, and
/// its rows follow each other from there.
fn place(pieces: &[Range<usize>], row: usize, samples: usize, philox: Philox) -> Singles {
    let piece = pieces.partition_point(|piece| piece.end <= row);
    let start = pieces.get(piece).map_or(0, |piece| piece.start);
    let before = (row - start) as u64 * 2 * samples as u64;
    let mut at = philox;
    at.skip((start * (samples + 3) / 4) as u64 + before / 4);
    let mut singles = at.singles();
    for _ in 0..before % 4 {
        singles.next();
    }
    singles
}

/// Computes the cumulative unnormalized probabilities of a row and returns their total.
fn accumulate<T: Float>(row: &[T], cumulative: &mut [f64]) -> f64 {
    let mut top = f64::NEG_INFINITY;
    vectorized_for!(T, {
        const LANES: usize = 16;
        let mut tops = [f64::NEG_INFINITY; LANES];
        let larger = |top: &mut f64, logit: T| {
            let logit = logit.to_f64();
            *top = if logit.is_finite() && *top < logit { logit } else { *top };
        };
        let (chunks, rest) = row.as_chunks::<LANES>();
        for chunk in chunks {
            for (top, &logit) in tops.iter_mut().zip(chunk) {
                larger(top, logit);
            }
        }
        for (top, &logit) in tops.iter_mut().zip(rest) {
            larger(top, logit);
        }
        top = tops.into_iter().fold(top, f64::max);
        for (slot, &logit) in cumulative.iter_mut().zip(row) {
            let logit = logit.to_f64();
            let probability = wide::exp(logit - top);
            *slot = if logit.is_finite() { probability } else { 0.0 };
        }
    });
    let mut total = 0.0;
    for slot in cumulative {
        total += *slot;
        *slot = total;
    }
    total
}

attrs! {
    /// Draws `num_samples` classes per row from the unnormalized log-probabilities `logits`. The stream is determined
    /// by two seeds.
    pub struct StatelessMultinomial {
        /// Element type of `logits`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
        /// Element type of the classes.
        output_dtype: DType = Attr::dtype("output_dtype", sets::INDEX).or_type(DType::I64),
    }
}

pub static STATELESS_MULTINOMIAL: Def<StatelessMultinomial> = op("StatelessMultinomial")
    .inputs(&[arg("logits", of("T")), arg("num_samples", is(DType::I32)), arg("seed", of("Tseed"))])
    .outputs(&[arg("output", of("output_dtype"))])
    .shape(|_, cx| {
        infer_seed(cx, 2)?;
        infer(cx)
    })
    .gradient(|_, g| never(g))
    .kernel(stateless_multinomial)
    .heavy()
    .supports(|op| op.dtype.is_float());

fn stateless_multinomial(op: &StatelessMultinomial, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = seeded(cx, 2)?;
    sample(cx, op.dtype, op.output_dtype, |_| philox)
}
