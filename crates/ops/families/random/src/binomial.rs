//! `StatelessRandomBinomial` and `StatefulRandomBinomial`: samples from binomial distributions.
//!
//! Small expected counts by summing geometric variables; others by Hörmann, "The generation of binomial random
//! variates", 1993.

use super::distribution::{Doubles, MOST_REJECTIONS, cannot_sample, fill_samples};
use super::gamma::shape_ending_with;
use super::generator::{ALGORITHM, VARIABLE, advance, scalar};
use super::key::{infer_seeded, seeded};
use crate::philox::{Philox, RESERVED_PER_VALUE, shape_of_input};
use crate::prelude::*;
use crate::rules::never;

const DTYPES: &[DType] = &[DType::F16, DType::F32, DType::F64, DType::I32, DType::I64];
/// Philox steps reserved per sample of the inversion method.
const STEPS_OF_INVERSION: u64 = 42;

attrs! {
    /// Draws from binomial distributions with `counts` trials of success probability `probs`. `shape` ends with the
    /// broadcast shape of `counts` and `probs`.
    pub struct StatelessRandomBinomial {
        /// Element type of `shape`.
        index: DType = Attr::dtype("S", sets::INDEX),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
        /// Element type of `counts` and `probs`.
        parameter: DType = Attr::dtype("T", DTYPES).or_type(DType::F64),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES).or_type(DType::I64),
    }
}

pub static STATELESS_RANDOM_BINOMIAL: Def<StatelessRandomBinomial> = op("StatelessRandomBinomial")
    .inputs(&[arg("shape", of("S")), arg("seed", of("Tseed")), arg("counts", of("T")), arg("probs", of("T"))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| infer_seeded(cx))
    .gradient(|_, g| never(g))
    .kernel(stateless_random_binomial)
    .heavy()
    .supports(|op| op.parameter.is_float());

attrs! {
    /// Draws from binomial distributions with `counts` trials of success probability `probs`, using the generator
    /// state in a variable. `shape` ends with the broadcast shape of `counts` and `probs`.
    pub struct StatefulRandomBinomial {
        /// Element type of `shape`.
        index: DType = Attr::dtype("S", sets::INDEX),
        /// Element type of `counts` and `probs`.
        parameter: DType = Attr::dtype("T", DTYPES).or_type(DType::F64),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES).or_type(DType::I64),
    }
}

pub static STATEFUL_RANDOM_BINOMIAL: Def<StatefulRandomBinomial> =
    op::<StatefulRandomBinomial>("StatefulRandomBinomial")
        .inputs(&[VARIABLE, ALGORITHM, arg("shape", of("S")), arg("counts", of("T")), arg("probs", of("T"))])
        .outputs(&[arg("output", of("dtype"))])
        .stateful()
        .shape(|_, cx| {
            let shape = shape_of_input(cx, 2)?;
            cx.output(0, shape);
            Ok(())
        })
        .kernel(|op, cx| {
            let algorithm = scalar::<i64>(cx, 1)?;
            let drawn = Drawn::new(op.parameter, cx, 2)?;
            let batches = drawn.samplers.len() as u64;
            let each = (drawn.shape.num_elements() as u64).checked_div(batches).unwrap_or(0);
            let values = batches.saturating_mul(2 * 100).saturating_mul(each + 3) / 4;
            let (philox, _) = advance(cx, Some(algorithm), values)?;
            drawn.draw(op.dtype, cx, philox)
        })
        .heavy()
        .supports(|op| op.parameter.is_float());

fn stateless_random_binomial(op: &StatelessRandomBinomial, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = seeded(cx, 1)?;
    Drawn::new(op.parameter, cx, 0)?.draw(op.dtype, cx, philox)
}

/// What is drawn and from which distributions.
struct Drawn {
    shape: Shape,
    samplers: Vec<Binomial>,
}

impl Drawn {
    /// Describes output 0 of a node with the input `shape`, whose last two inputs are `counts` and `probs`.
    fn new(parameter: DType, cx: &Cx<'_, '_>, shape: usize) -> Result<Drawn> {
        let (counts, probs) = (cx.input(cx.num_inputs() - 2)?, cx.input(cx.num_inputs() - 1)?);
        let parameters = counts.shape().broadcast(probs.shape()).map_err(|_| {
            Error::invalid(format!(
                "counts and probs must have compatible batch dimensions: {} vs. {}",
                counts.shape(),
                probs.shape()
            ))
        })?;
        let shape = shape_ending_with(cx, shape, &parameters)?;
        let samplers: Vec<Binomial> = dispatch!(parameter, floats, |T| {
            let (counts, probs) = (broadcast::<T>(counts, &parameters)?, broadcast::<T>(probs, &parameters)?);
            counts.into_iter().zip(probs).map(|(n, p)| Binomial::new(n, p)).collect()
        }, else return Err(Error::unimplemented(format!("probabilities of type {parameter}"))));
        Ok(Drawn { shape, samplers })
    }

    fn draw(&self, dtype: DType, cx: &mut Cx<'_, '_>, philox: Philox) -> Result<()> {
        let samplers = &self.samplers;
        counts!(dtype, |T| cx.produce::<T>(0, &self.shape, |cx, out| {
            fill_samples(cx.pool(), philox, samplers.len(), out, |i, philox, index| samplers[i].draw(philox, index))
        }), else Err(Error::unimplemented(format!("binomial samples of type {dtype}"))))
    }
}

/// Returns the elements of `tensor`, broadcast to `shape`.
pub(super) fn broadcast<T: Element + Copy>(tensor: &Tensor, shape: &Shape) -> Result<Vec<T>> {
    let view = tensor.view::<T>()?;
    let wide = view.broadcast(shape.dims()).ok_or_else(|| Error::internal("a parameter cannot be broadcast"))?;
    Ok(wide.iter().copied().collect())
}

/// A distribution and the method of sampling it.
enum Binomial {
    /// A constant.
    Always(f64),
    /// By summing geometric variables.
    Inversion { count: f64, prob: f64, flipped: bool },
    /// By transformed rejection.
    Rejection { count: f64, prob: f64, flipped: bool },
}

impl Binomial {
    fn new<T: Float>(count: T, prob: T) -> Binomial {
        let (one, half, ten) = (T::one(), T::from_f64(0.5), T::from_f64(10.0));
        if count <= T::zero() || prob <= T::zero() {
            return Binomial::Always(0.0);
        }
        if prob >= one {
            return Binomial::Always(count.to_f64());
        }
        if prob.is_nan() {
            return Binomial::Always(f64::NAN);
        }
        let flipped = prob > half;
        let rare = if flipped { one.sub(prob) } else { prob };
        let many = count.mul(rare) >= ten;
        let (count, prob) = (count.to_f64(), rare.to_f64());
        if many { Binomial::Rejection { count, prob, flipped } } else { Binomial::Inversion { count, prob, flipped } }
    }

    /// Draws sample number `index` of the stream.
    fn draw(&self, mut philox: Philox, index: u64) -> Result<f64> {
        let (drawn, count, flipped) = match *self {
            Binomial::Always(value) => return Ok(value),
            Binomial::Inversion { count, prob, flipped } => {
                philox.skip(index.wrapping_mul(STEPS_OF_INVERSION));
                (inversion(count, prob, philox)?, count, flipped)
            }
            Binomial::Rejection { count, prob, flipped } => {
                philox.skip(index.wrapping_mul(RESERVED_PER_VALUE));
                (rejection(count, prob, philox)?, count, flipped)
            }
        };
        Ok(if flipped { count - drawn } else { drawn })
    }
}

fn inversion(count: f64, prob: f64, mut philox: Philox) -> Result<f64> {
    let mut uniforms = Doubles::new();
    let mut sum = 0.0;
    for successes in 0..MOST_REJECTIONS {
        sum += (uniforms.uniform(&mut philox).ln() / (-prob).ln_1p()).ceil();
        if sum > count {
            return Ok(successes as f64);
        }
    }
    Err(cannot_sample("binomial sample"))
}

/// Returns the remainder of Stirling's approximation to the logarithm of `k!`.
fn stirling_tail(k: f64) -> f64 {
    const TAILS: [f64; 10] = [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.0104112652619720,
        0.00925546218271273,
        0.00833056343336287,
    ];
    if k <= 9.0 {
        return TAILS[(k as usize).min(9)];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

fn rejection(count: f64, prob: f64, mut philox: Philox) -> Result<f64> {
    let deviation = (count * prob * (1.0 - prob)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * prob;
    let c = count * prob + 0.5;
    let surely = 0.92 - 4.2 / b;
    let odds = prob / (1.0 - prob);
    let alpha = (2.83 + 5.1 / b) * deviation;
    let mode = ((count + 1.0) * prob).floor();
    let mut uniforms = Doubles::new();
    for _ in 0..MOST_REJECTIONS {
        let u = uniforms.uniform(&mut philox) - 0.5;
        let v = uniforms.uniform(&mut philox);
        let shifted = 0.5 - u.abs();
        let k = ((2.0 * a / shifted + b) * u + c).floor();
        if shifted >= 0.07 && v <= surely {
            return Ok(k);
        }
        if k < 0.0 || k > count {
            continue;
        }
        let v = (v * alpha / (a / (shifted * shifted) + b)).ln();
        let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (count - mode + 1.0))).ln()
            + (count + 1.0) * ((count - mode + 1.0) / (count - k + 1.0)).ln()
            + (k + 0.5) * (odds * (count - k + 1.0) / (k + 1.0)).ln()
            + stirling_tail(mode)
            + stirling_tail(count - mode)
            - stirling_tail(k)
            - stirling_tail(count - k);
        if v <= bound {
            return Ok(k);
        }
    }
    Err(cannot_sample("binomial sample"))
}
