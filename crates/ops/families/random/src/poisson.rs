//! The Poisson distribution: `RandomPoisson`, `RandomPoissonV2` and `StatelessRandomPoisson`.
//!
//! Small rates use Knuth's product of uniforms, others Hörmann, "The transformed rejection method for generating
//! Poisson random variables", 1993.

use super::distribution::{Doubles, MOST_REJECTIONS, cannot_sample, fill_samples};
use super::gamma::{samples_shape, shape_ending_with};
use super::key::{infer_seeded, seeded};
use crate::philox::{Philox, RESERVED_PER_VALUE, reserve, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::never;

const DTYPES: &[DType] = &[DType::F16, DType::F32, DType::F64, DType::I32, DType::I64];

/// Draws sample number `index` of the stream, at most `highest`.
fn sample(rate: f64, highest: f64, mut philox: Philox, index: u64) -> Result<f64> {
    philox.skip(index.wrapping_mul(RESERVED_PER_VALUE));
    let mut uniforms = Doubles::new();
    if rate < 10.0 {
        let limit = (-rate).exp();
        let mut product = 1.0;
        for count in 0..MOST_REJECTIONS {
            product *= uniforms.uniform(&mut philox);
            if product <= limit && count as f64 <= highest {
                return Ok(count as f64);
            }
        }
        return Err(cannot_sample("Poisson sample"));
    }
    if rate.is_infinite() && highest.is_infinite() {
        return Ok(rate);
    }
    let b = 0.931 + 2.53 * rate.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    for _ in 0..MOST_REJECTIONS {
        let u = uniforms.uniform(&mut philox) - 0.5;
        let v = uniforms.uniform(&mut philox);
        let shifted = 0.5 - u.abs();
        let k = ((2.0 * a / shifted + b) * u + rate + 0.43).floor();
        if k > highest {
            continue;
        }
        if shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2.0) {
            return Ok(k);
        }
        if k < 0.0 || shifted < 0.013 && v > shifted {
            continue;
        }
        let s = (v * inverse_alpha / (a / (shifted * shifted) + b)).ln();
        if s <= -rate + k * rate.ln() - ln_factorial(k) {
            return Ok(k);
        }
    }
    Err(cannot_sample("Poisson sample"))
}

/// Returns the logarithm of `k!`, by Stirling's series from 15 on.
fn ln_factorial(k: f64) -> f64 {
    let (mut x, mut product) = (k + 1.0, 1.0);
    while x < 15.0 {
        product *= x;
        x += 1.0;
    }
    let square = x * x;
    let series = 1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series / x - f64::ln(product)
}

/// Fills output 0 of shape `shape` with samples for each rate in input `rate`.
fn draw(cx: &mut Cx<'_, '_>, dtype: DType, philox: Philox, rate: usize, shape: &Shape) -> Result<()> {
    let rates = cx.input(rate)?;
    let rates: Vec<f64> = counts!(rates.dtype(), |R| rates.slice::<R>()?.iter().map(|r| r.to_f64()).collect(),
        else return Err(Error::unimplemented(format!("rates of type {}", rates.dtype()))));
    counts!(dtype, |T| {
        // TensorFlow's maximum is the largest finite float, yet an infinite rate yields infinity.
        let highest = |rate: f64| if rate.is_infinite() { T::INFINITY.to_f64() } else { T::HIGHEST.to_f64() };
        cx.produce::<T>(0, shape, |cx, out| {
            fill_samples(cx.pool(), philox, rates.len(), out, |i, philox, index| {
                sample(rates[i], highest(rates[i]), philox, index)
            })
        })
    }, else Err(Error::unimplemented(format!("Poisson samples of type {dtype}"))))
}

attrs! {
    /// Draws `shape` samples for each element of `rate`.
    pub struct RandomPoissonV2 {
        /// First seed; if both seeds are 0, the values differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type of `shape`.
        index: DType = Attr::dtype("S", sets::INDEX),
        /// Element type of `rate`.
        rate: DType = Attr::dtype("R", DTYPES).or_type(DType::F64),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES).or_type(DType::I64),
    }
}

pub static RANDOM_POISSON_V2: Def<RandomPoissonV2> = op::<RandomPoissonV2>("RandomPoissonV2")
    .inputs(&[arg("shape", of("S")), arg("rate", of("R"))])
    .outputs(&[arg("output", of("dtype"))])
    .also(&[form("RandomPoisson")
        .inputs(&[arg("shape", of("S")), arg("rate", of("dtype"))])
        .attrs(&[Attr::dtype("dtype", &[DType::F16, DType::F32, DType::F64])])
        .without(&["R"])])
    .stateful()
    .shape(|_, cx| {
        let shape = shape_of_input(cx, 0)?.concat(&cx.input(1));
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let shape = samples_shape(cx, 1)?;
        let philox = reserve(cx, op.seed, op.seed2, shape.num_elements())?;
        draw(cx, op.dtype, philox, 1, &shape)
    })
    .heavy();

attrs! {
    /// Draws samples for each element of `lam`; `shape` ends with the shape of `lam`. The stream is determined by two
    /// seeds.
    pub struct StatelessRandomPoisson {
        /// Element type of `lam`.
        rate: DType = Attr::dtype("Rtype", DTYPES),
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
    }
}

pub static STATELESS_RANDOM_POISSON: Def<StatelessRandomPoisson> = op("StatelessRandomPoisson")
    .inputs(&[arg("shape", of("T")), arg("seed", of("Tseed")), arg("lam", of("Rtype"))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| infer_seeded(cx))
    .gradient(|_, g| never(g))
    .kernel(stateless_random_poisson)
    .heavy();

fn stateless_random_poisson(op: &StatelessRandomPoisson, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = seeded(cx, 1)?;
    let shape = shape_input(cx, 0)?;
    if shape.num_elements() > 0 {
        shape_ending_with(cx, 0, cx.input(2)?.shape())?;
    }
    draw(cx, op.dtype, philox, 2, &shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_have_their_logarithms() {
        let mut exact = 0f64;
        for k in 1..200 {
            exact += f64::from(k).ln();
            assert!((ln_factorial(f64::from(k)) - exact).abs() <= 1e-13 * exact.max(1.0), "{k}");
        }
        assert!(ln_factorial(0.0).abs() < 1e-13);
    }
}
