//! `ParameterizedTruncatedNormal` and `StatelessParameterizedTruncatedNormal`: normal samples between bounds.
//!
//! One of three proposal distributions with rejection; see Robert, "Simulation of truncated normal variables", 1995.

use super::binomial::broadcast;
use super::distribution::{Unit, narrow};
use super::gamma::shape_ending_with;
use super::key::{infer_seeded, seeded};
use super::shards::shards;
use crate::philox::{Philox, Stream, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::{ERF, ERFC, GREATER, Handles, LOG, LOG1P, MINIMUM, NONE, SQUARE, never, reduce_to};
use num_traits::Float as _;

const DTYPES: &[DType] = &[DType::F16, DType::F32, DType::F64];
/// Maximum number of consecutive rejected proposals.
const MOST_PROPOSALS: usize = 1000;
/// TensorFlow's cost estimates, in cycles, for the parameters and for a sample in single precision.
const SETUP_COST: u64 = 54;
const SAMPLE_COST: u64 = 67;
/// Number of samples drawn together if all have the same parameters.
const BATCH: usize = 100;

fn div<T: Float>(a: T, b: T) -> T {
    T::of_base(a.base() / b.base())
}

fn neg<T: Float>(a: T) -> T {
    T::of_base(-a.base())
}

fn exp<T: Float>(a: T) -> T {
    T::of_base(a.base().exp())
}

fn sqrt<T: Float>(a: T) -> T {
    T::of_base(a.base().sqrt())
}

/// A distribution, normalized and mirrored so that the lower bound is the one that matters.
#[derive(Clone, Copy)]
struct Bounded<T> {
    mean: T,
    deviation: T,
    low: T,
    high: T,
}

impl<T: Unit> Bounded<T> {
    fn new(mean: T, deviation: T, min: T, max: T) -> Result<Bounded<T>> {
        let finite = |v: T| v.to_f64().is_finite();
        if !(deviation > T::zero() && min < max && (finite(min) || finite(max))) {
            return Err(Error::invalid("Invalid parameters")
                .expected("deviation > 0, minval < maxval, and one of these finite")
                .found(format!("deviation {deviation:?}, minval {min:?}, maxval {max:?}")));
        }
        let mirrored = min == T::MINUS_INFINITY || max < mean;
        let (min, max, deviation) = if mirrored { (max, min, neg(deviation)) } else { (min, max, deviation) };
        let normalized = |bound: T| div(bound.sub(mean), deviation);
        Ok(Bounded { mean, deviation, low: normalized(min), high: normalized(max) })
    }

    /// Draws `count` samples and hands them to `emit`.
    fn draw(&self, philox: &mut Philox, count: usize, mut emit: impl FnMut(T)) -> Result<()> {
        let number = |v: f64| -> T { narrow(v) };
        let (low, high) = (self.low, self.high);
        let (zero, two, four, inside) = (T::zero(), number(2.0), number(4.0), number(1.3));
        let mut left = count;
        let mut rejected = 0;
        // Takes one proposal; returns true once enough samples are accepted.
        let mut take = |value: T, accepted: bool, most: usize, what: &str| -> Result<bool> {
            if accepted {
                emit(value.mul(self.deviation).add(self.mean));
                left -= 1;
                rejected = 0;
                return Ok(left == 0);
            }
            rejected += 1;
            if rejected >= most {
                let message = format!("TruncatedNormal {what} rejection sampler failed to accept a sample.");
                return Err(Error::internal(message));
            }
            Ok(false)
        };
        if count == 0 {
            return Ok(());
        }
        let root = sqrt(low.mul(low).add(four));
        let exponent = number(0.5).add(div(low.mul(low.sub(root)), four));
        let cutoff = div(two.mul(exp(exponent)), low.add(root));
        let width = high.sub(low);
        if low < neg(inside) && high >= zero || high > inside && low <= zero {
            let mut values = [zero; 4];
            loop {
                T::normal(&philox.next(), &mut values);
                for &value in &values[..T::GROUP] {
                    if take(value, value >= low && value <= high, MOST_PROPOSALS + 1, "randn")? {
                        return Ok(());
                    }
                }
            }
        }
        if width < cutoff {
            let plus = if low < zero { zero } else { low.mul(low) };
            loop {
                let (values, chances) = (philox.next(), philox.next());
                for i in 0..T::GROUP {
                    let value = T::unit(&values, i).mul(width).add(low);
                    let chance = exp(div(plus.sub(value.mul(value)), two));
                    if take(value, T::unit(&chances, i) <= chance, MOST_PROPOSALS, "uniform")? {
                        return Ok(());
                    }
                }
            }
        }
        let alpha = div(low.add(root), two);
        loop {
            let bits = philox.next();
            for i in (0..T::GROUP).step_by(2) {
                let logarithm = T::of_base(T::unit(&bits, i).base().ln());
                let value = div(neg(logarithm), alpha).add(low);
                let x = if low < alpha { alpha.sub(value) } else { low.sub(alpha) };
                let chance = exp(div(neg(x).mul(x), two));
                let accepted = T::unit(&bits, i + 1) <= chance && value < high;
                if take(value, accepted, MOST_PROPOSALS, "exponential distribution")? {
                    return Ok(());
                }
            }
        }
    }
}

attrs! {
    /// Draws from normal distributions truncated to bounds, with parameters per row or shared by all rows.
    pub struct ParameterizedTruncatedNormal {
        /// First seed; if both seeds are 0, the values differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", sets::FLOATS),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX),
    }
}

pub static PARAMETERIZED_TRUNCATED_NORMAL: Def<ParameterizedTruncatedNormal> = op("ParameterizedTruncatedNormal")
    .inputs(&[
        arg("shape", of("T")),
        arg("means", of("dtype")),
        arg("stdevs", of("dtype")),
        arg("minvals", of("dtype")),
        arg("maxvals", of("dtype")),
    ])
    .outputs(&[arg("output", of("dtype"))])
    .stateful()
    .shape(parameterized_truncated_normal_shape)
    .gradient(|_, g| never(g))
    .kernel(parameterized_truncated_normal)
    .heavy()
    .supports(|op| DTYPES.contains(&op.dtype));

fn parameterized_truncated_normal_shape(_: &ParameterizedTruncatedNormal, cx: &mut ShapeCx<'_>) -> Result<()> {
    for i in 1..5 {
        if cx.input(i).rank().is_some_and(|r| r > 1) {
            return Err(Error::invalid(format!("input {i} must be a scalar or vector")));
        }
    }
    let shape = shape_of_input(cx, 0)?;
    cx.output(0, shape);
    Ok(())
}

fn parameterized_truncated_normal(op: &ParameterizedTruncatedNormal, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    let Some(&rows) = shape.first() else {
        return Err(Error::invalid("Shape tensor must not be empty"));
    };
    let parameters: Result<Vec<&Tensor>> = (1..5).map(|i| cx.input(i)).collect();
    let parameters = parameters?;
    for (tensor, name) in parameters.iter().zip(["means", "stddevs", "minvals", "maxvals"]) {
        if tensor.shape().rank() > 1 {
            let shape = tensor.shape();
            return Err(Error::invalid(format!("Input {name} should be a scalar or vector, got shape: {shape}")));
        }
    }
    let shared =
        parameters[..2].iter().all(|t| t.num_elements() == 1) && parameters[2..].iter().all(|t| t.shape().is_scalar());
    if !shared {
        for (tensor, name) in parameters.iter().zip(["means", "stddevs", "minvals", "maxvals"]) {
            if tensor.num_elements() != 1 && tensor.num_elements() != rows {
                return Err(Error::invalid(format!(
                    "Input {name} should have length 1 or shape[0], got shape: {}",
                    tensor.shape()
                )));
            }
        }
    }
    let elements = shape.num_elements();
    let (batches, size) =
        if shared { (elements.div_ceil(BATCH), BATCH) } else { (rows, elements.checked_div(rows).unwrap_or(0)) };
    let stream = cx.node_state(|| Stream::new(op.seed, op.seed2))?;
    // TensorFlow counts in int32.
    let steps = (batches as i32).wrapping_mul(2).wrapping_mul(MOST_PROPOSALS as i32);
    let steps = steps.wrapping_mul((size as i32).wrapping_add(3)) / 4;
    let philox = stream.reserve(i64::from(steps) as u64);
    halves_to_doubles!(op.dtype, |T| {
        let columns: Result<Vec<&[T]>> = parameters.iter().map(|t| t.slice::<T>()).collect();
        let columns = columns?;
        let mut out = cx.alloc(op.dtype, &shape)?;
        let values = out.slice_mut::<T>()?;
        let cost = SETUP_COST + 2 * SAMPLE_COST * size as u64;
        for piece in shards(batches, cost) {
            let mut philox = philox;
            philox.skip((piece.start * 2 * MOST_PROPOSALS * (size + 3) / 4) as u64);
            for batch in piece {
                let of = |i: usize| columns[i][if columns[i].len() == 1 { 0 } else { batch }];
                let bounded = Bounded::new(of(0), of(1), of(2), of(3))?;
                let range = (batch * size).min(elements)..((batch + 1) * size).min(elements);
                let mut places = values[range].iter_mut();
                let count = places.len();
                bounded.draw(&mut philox, count, |v| {
                    if let Some(place) = places.next() {
                        *place = v;
                    }
                })?;
            }
        }
        cx.set(0, out);
        Ok(())
    }, else Err(Error::unimplemented(format!("truncated normal numbers of type {}", op.dtype))))
}

attrs! {
    /// Draws from normal distributions truncated to bounds; `shape` ends with the broadcast shape of the parameters.
    pub struct StatelessParameterizedTruncatedNormal {
        /// Element type of `shape`.
        index: DType = Attr::dtype("S", sets::INDEX),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES),
    }
}

pub static STATELESS_PARAMETERIZED_TRUNCATED_NORMAL: Def<StatelessParameterizedTruncatedNormal> =
    op("StatelessParameterizedTruncatedNormal")
        .inputs(&[
            arg("shape", of("S")),
            arg("seed", of("Tseed")),
            arg("means", of("dtype")),
            arg("stddevs", of("dtype")),
            arg("minvals", of("dtype")),
            arg("maxvals", of("dtype")),
        ])
        .outputs(&[arg("output", of("dtype"))])
        .shape(|_, cx| infer_seeded(cx))
        .gradient(|_, g| gradient(g))
        .kernel(stateless_parameterized_truncated_normal)
        .heavy();

fn stateless_parameterized_truncated_normal(
    op: &StatelessParameterizedTruncatedNormal,
    cx: &mut Cx<'_, '_>,
) -> Result<()> {
    let philox = seeded(cx, 1)?;
    let mut together = Shape::scalar();
    for i in 2..6 {
        together = together.broadcast(cx.input(i)?.shape())?;
    }
    let shape = shape_ending_with(cx, 0, &together)?;
    let batches = together.num_elements();
    let size = shape.num_elements().checked_div(batches).unwrap_or(0);
    halves_to_doubles!(op.dtype, |T| {
        let columns: Result<Vec<Vec<T>>> = (2..6).map(|i| broadcast(cx.input(i)?, &together)).collect();
        let columns = columns?;
        let mut out = cx.alloc(op.dtype, &shape)?;
        let values = out.slice_mut::<T>()?;
        let group = <T as Unit>::GROUP;
        for piece in shards(batches * size, SETUP_COST + 2 * SAMPLE_COST) {
            let mut philox = philox;
            philox.skip((piece.start * 2 * MOST_PROPOSALS).div_ceil(group) as u64);
            let mut next = piece.start;
            while next < piece.end {
                let batch = next / size;
                let of = |i: usize| columns[i][batch];
                let bounded = Bounded::new(of(0), of(1), of(2), of(3))?;
                let count = (batch * size + size).min(piece.end) - next;
                let mut place = next % size * batches + batch;
                bounded.draw(&mut philox, count, |v| {
                    values[place] = v;
                    place += batches;
                })?;
                next += count;
            }
        }
        cx.set(0, out);
        Ok(())
    }, else Err(Error::unimplemented(format!("truncated normal numbers of type {}", op.dtype))))
}

/// Returns the cumulative distribution function of the standard normal distribution.
fn normal(x: V<'_>) -> V<'_> {
    let w = x * 0.5f64.sqrt();
    let z = w.abs();
    let tail = z.apply(ERFC);
    let outer = (-tail + 2.0).select(GREATER.call([w, w.like(0.0)]), tail);
    (w.apply(ERF) + 1.0).select(z.less(z.like(0.5f64.sqrt())), outer) * 0.5
}

/// Returns the gradients with respect to the parameters of the distribution.
fn gradient(g: &GradCx) -> Grads {
    let [mean, deviation, low, high] = [2, 3, 4, 5].map(|i| g.input(i));
    let (sample, dy) = (g.output(0), g.dy(0));
    let [low_at, high_at, at] = [low, high, sample].map(|v| (v - mean) / deviation);
    let below = normal(low_at);
    let share = (normal(at) - below) / (normal(high_at) - below);
    // Keeps the probability away from 0 and 1, where the logarithm would be infinite.
    let (tiny, epsilon) = match mean.dtype() {
        DType::F16 => (f64::from(f16::MIN_POSITIVE), f64::from(f16::EPSILON)),
        DType::F64 => (f64::MIN_POSITIVE, f64::EPSILON),
        _ => (f64::from(f32::MIN_POSITIVE), f64::from(f32::EPSILON)),
    };
    let share = MINIMUM.call([share, share.like(1.0 - epsilon)]);
    let share = share.maximum(share.like(tiny));
    let by_bound = |bound: V<'_>, share: V<'_>| {
        let (bound, share) = (g.value(bound.at), g.value(share.at));
        (share + (at.apply(SQUARE) - bound.apply(SQUARE)) * 0.5).exp()
    };
    let by_low = by_bound(low_at, (-share).apply(LOG1P));
    let by_high = by_bound(high_at, share.apply(LOG));
    let part = |slope: V<'_>, of: V<'_>| reduce_to(dy * g.value(slope.at), g.value(of.at)).into();
    vec![NONE, NONE, reduce_to(dy, mean).into(), part(at, deviation), part(by_low, low), part(by_high, high)]
}
