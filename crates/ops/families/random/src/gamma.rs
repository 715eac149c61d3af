//! The gamma distribution: `RandomGamma`, `StatelessRandomGammaV2` and `StatelessRandomGammaV3`.
//!
//! By the method of Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.

use super::distribution::{Doubles, MOST_REJECTIONS, cannot_sample, fill_samples};
use super::key::{infer_key, infer_seeded, keyed, seeded};
use crate::philox::{Philox, RESERVED_PER_VALUE, reserve, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::{RANDOM_GAMMA_GRAD, never, reduce_to};

const DTYPES: &[DType] = &[DType::F16, DType::F32, DType::F64];

/// The values precomputed for each `alpha`.
struct Gamma {
    alpha: f64,
    d: f64,
    c: f64,
}

impl Gamma {
    fn new(alpha: f64) -> Gamma {
        // For alpha below 1, a sample for alpha + 1 is scaled down.
        let d = alpha + if alpha < 1.0 { 2.0 / 3.0 } else { -1.0 / 3.0 };
        Gamma { alpha, d, c: 1.0 / 3.0 / d.sqrt() }
    }

    /// Draws sample number `index` of the stream.
    fn draw(&self, mut philox: Philox, index: u64) -> Result<f64> {
        philox.skip(index.wrapping_mul(RESERVED_PER_VALUE));
        let (mut normals, mut uniforms) = (Doubles::new(), Doubles::new());
        if self.alpha == 1.0 {
            return Ok(-(-uniforms.uniform(&mut philox)).ln_1p());
        }
        if self.d.is_nan() || self.d < 0.0 {
            return Ok(f64::NAN);
        }
        for _ in 0..MOST_REJECTIONS {
            let x = normals.normal(&mut philox);
            let v = 1.0 + self.c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            let u = uniforms.uniform(&mut philox);
            let squeezed = u < 1.0 - 0.0331 * (x * x) * (x * x);
            if squeezed || u.ln() < 0.5 * x * x + self.d * (1.0 - v + v.ln()) {
                let scale = match self.alpha < 1.0 {
                    true => uniforms.uniform(&mut philox).powf(1.0 / self.alpha),
                    false => 1.0,
                };
                return Ok(self.d * v * scale);
            }
        }
        Err(cannot_sample("gamma sample"))
    }
}

/// Fills output 0 of shape `shape` with samples for each element of input `alpha`.
fn draw(cx: &mut Cx<'_, '_>, dtype: DType, philox: Philox, alpha: usize, shape: &Shape) -> Result<()> {
    halves_to_doubles!(dtype, |T| {
        let samplers: Vec<Gamma> = cx.slice::<T>(alpha)?.iter().map(|a| Gamma::new(a.to_f64())).collect();
        cx.produce::<T>(0, shape, |cx, out| {
            fill_samples(cx.pool(), philox, samplers.len(), out, |i, philox, index| samplers[i].draw(philox, index))
        })
    }, else Err(Error::unimplemented(format!("gamma samples of type {dtype}"))))
}

attrs! {
    /// Draws `shape` samples for each element of `alpha`.
    pub struct RandomGamma {
        /// First seed; if both seeds are 0, the values differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type of `shape`.
        index: DType = Attr::dtype("S", sets::INDEX),
        /// Element type of the output.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

pub static RANDOM_GAMMA: Def<RandomGamma> = op("RandomGamma")
    .inputs(&[arg("shape", of("S")), arg("alpha", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .stateful()
    .shape(|_, cx| {
        let shape = shape_of_input(cx, 0)?.concat(&cx.input(1));
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| gradient(g, 1))
    .kernel(random_gamma)
    .heavy();

fn random_gamma(op: &RandomGamma, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = samples_shape(cx, 1)?;
    let philox = reserve(cx, op.seed, op.seed2, shape.num_elements())?;
    draw(cx, op.dtype, philox, 1, &shape)
}

/// Returns the shape given by input 0, followed by that of input `parameter`.
pub(super) fn samples_shape(cx: &Cx<'_, '_>, parameter: usize) -> Result<Shape> {
    let samples = shape_input(cx, 0)?;
    Shape::new(samples.iter().chain(cx.input(parameter)?.shape().iter()).copied())
}

/// Returns the shape given by input 0, which must end with `parameters`.
pub(super) fn shape_ending_with(cx: &Cx<'_, '_>, i: usize, parameters: &Shape) -> Result<Shape> {
    let shape = shape_input(cx, i)?;
    if shape.ends_with(parameters) {
        return Ok(shape);
    }
    Err(Error::invalid("Shape passed in must end with broadcasted shape.")
        .expected(format!("a shape that ends with {parameters}"))
        .found(shape))
}

attrs! {
    /// Draws samples for each element of `alpha`; `shape` ends with the shape of `alpha`. The stream is determined by
    /// two seeds.
    pub struct StatelessRandomGammaV2 {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
    }
}

pub static STATELESS_RANDOM_GAMMA_V2: Def<StatelessRandomGammaV2> = op("StatelessRandomGammaV2")
    .inputs(&[arg("shape", of("T")), arg("seed", of("Tseed")), arg("alpha", of("dtype"))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| infer_seeded(cx))
    .gradient(|_, g| gradient(g, 2))
    .kernel(stateless_random_gamma_v2)
    .heavy();

fn stateless_random_gamma_v2(op: &StatelessRandomGammaV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = seeded(cx, 1)?;
    stateless(cx, op.dtype, philox, 2)
}

attrs! {
    /// Draws samples for each element of `alpha`; `shape` ends with the shape of `alpha`. The stream is determined by
    /// a key, a counter and an algorithm.
    pub struct StatelessRandomGammaV3 {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", DTYPES),
        /// Element type of `shape`.
        index: DType = Attr::dtype("shape_dtype", sets::INDEX).or_type(DType::I32),
    }
}

pub static STATELESS_RANDOM_GAMMA_V3: Def<StatelessRandomGammaV3> = op("StatelessRandomGammaV3")
    .inputs(&[
        arg("shape", of("shape_dtype")),
        arg("key", is(DType::U64)),
        arg("counter", is(DType::U64)),
        arg("alg", is(DType::I32)),
        arg("alpha", of("dtype")),
    ])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| {
        infer_key(cx, 1)?;
        let shape = shape_of_input(cx, 0)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| gradient(g, 4))
    .kernel(stateless_random_gamma_v3)
    .heavy();

fn stateless_random_gamma_v3(op: &StatelessRandomGammaV3, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = keyed(cx, 1)?;
    stateless(cx, op.dtype, philox, 4)
}

fn stateless(cx: &mut Cx<'_, '_>, dtype: DType, philox: Philox, alpha: usize) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    if shape.num_elements() > 0 {
        shape_ending_with(cx, 0, cx.input(alpha)?.shape())?;
    }
    draw(cx, dtype, philox, alpha, &shape)
}

/// Returns the gradient with respect to `alpha`, input `i`, which lacks the leading axes of the samples.
fn gradient(g: &GradCx, i: usize) -> Grads {
    let (alpha, sample) = (g.input(i), g.output(0));
    let slope = RANDOM_GAMMA_GRAD.call([alpha, sample]) * g.dy(0);
    let mut grads = never(g);
    grads[i] = reduce_to(slope, alpha).into();
    grads
}
