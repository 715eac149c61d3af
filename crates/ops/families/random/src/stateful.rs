//! `RandomStandardNormal`, `RandomUniform`, `TruncatedNormal`: values from a stream that continues from run to run.

use super::distribution::{self as dist, Distribution, fill};
use crate::philox::{reserve, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::never;
use std::marker::PhantomData;

attrs! {
    /// The attrs of ops that draw floats from a stream that continues from run to run.
    pub struct RandomFloats {
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

/// Draws output 0, of the shape given by input 0.
fn draw<D: Distribution>(op: &RandomFloats, cx: &mut Cx<'_, '_>, dist: D) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    cx.produce(0, &shape, |cx, out| {
        let philox = reserve(cx, op.seed, op.seed2, out.len())?;
        fill(cx.pool(), philox, &dist, out);
        Ok(())
    })
}

fn not_drawn(dtype: DType) -> Result<()> {
    Err(Error::unimplemented(format!("random numbers of type {dtype}")))
}

const INPUTS: &[Arg] = &[arg("shape", of("T"))];
const OUTPUTS: &[Arg] = &[arg("output", of("dtype"))];

const fn drawing(name: &'static str, kernel: fn(&RandomFloats, &mut Cx<'_, '_>) -> Result<()>) -> Def<RandomFloats> {
    op::<RandomFloats>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .effect(Effect::Own)
        .host_inputs(&[0])
        .shape(|_, cx| {
            let shape = shape_of_input(cx, 0)?;
            cx.output(0, shape);
            Ok(())
        })
        .gradient(|_, g| never(g))
        .kernel(kernel)
        .heavy()
}

pub static RANDOM_STANDARD_NORMAL: Def<RandomFloats> = drawing(
    "RandomStandardNormal",
    |op, cx| dispatch!(op.dtype, floats, |T| draw(op, cx, dist::Normal::<T>(PhantomData)), else not_drawn(op.dtype)),
)
.doc("Draws from the standard normal distribution.");

pub static RANDOM_UNIFORM: Def<RandomFloats> = drawing(
    "RandomUniform",
    |op, cx| dispatch!(op.dtype, floats, |T| draw(op, cx, dist::Uniform::<T>(PhantomData)), else not_drawn(op.dtype)),
)
.doc("Draws uniformly from `[0, 1)`.");

pub static TRUNCATED_NORMAL: Def<RandomFloats> = drawing("TruncatedNormal", |op, cx| {
    dispatch!(op.dtype, floats, |T| draw(op, cx, dist::TruncatedNormal::<T>(PhantomData)), else not_drawn(op.dtype))
})
.doc("Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean.");
