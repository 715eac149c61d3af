//! The stateless uniform, normal and full-range ops: their outputs are determined by their inputs alone.

use super::distribution::{self as dist, Distribution, fill};
use super::key::{infer_key, infer_seeded, keyed, seeded};
use crate::philox::{Philox, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::never;
use levada_kernel::Io;
use std::marker::PhantomData;

/// The dtypes of the full-range ops.
pub(super) const WORDS: &[DType] = &[DType::I32, DType::I64, DType::U32, DType::U64];

attrs! {
    /// The attrs of ops whose stream is determined by two seeds.
    pub struct SeededDraw {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE).or_type(DType::F32),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", WORDS).or_type(DType::I64),
    }
}

attrs! {
    /// The attrs of ops whose stream is determined by a key, a counter and an algorithm.
    pub struct KeyedDraw {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE).or_type(DType::F32),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

const SEEDED_INPUTS: &[Arg] = &[arg("shape", of("T")), arg("seed", of("Tseed"))];
const OUTPUTS: &[Arg] = &[arg("output", of("dtype"))];

const fn by_seed(name: &'static str, kernel: fn(&SeededDraw, &mut Cx<'_, '_>) -> Result<()>) -> Def<SeededDraw> {
    op::<SeededDraw>(name)
        .inputs(SEEDED_INPUTS)
        .outputs(OUTPUTS)
        .host_inputs(&[0, 1])
        .shape(|_, cx| infer_seeded(cx))
        .gradient(|_, g| never(g))
        .kernel(kernel)
}

const KEYED_INPUTS: &[Arg] = &[
    arg("shape", of("Tshape")),
    arg("key", is(DType::U64)),
    arg("counter", is(DType::U64)),
    arg("alg", is(DType::I32)),
];

const fn by_key(name: &'static str, kernel: fn(&KeyedDraw, &mut Cx<'_, '_>) -> Result<()>) -> Def<KeyedDraw> {
    op::<KeyedDraw>(name)
        .inputs(KEYED_INPUTS)
        .outputs(OUTPUTS)
        .host_inputs(&[0, 1, 2, 3])
        .shape(|_, cx| {
            infer_key(cx, 1)?;
            let shape = shape_of_input(cx, 0)?;
            cx.output(0, shape);
            Ok(())
        })
        .gradient(|_, g| never(g))
        .kernel(kernel)
}

const FLOATS: &[AttrSpec] = &[Attr::dtype("dtype", sets::FLOATS).or_type(DType::F32)];
const SEEDED_FLOATS: &[AttrSpec] =
    &[Attr::dtype("dtype", sets::FLOATS).or_type(DType::F32), Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64)];
const FULL: &[AttrSpec] = &[Attr::dtype("dtype", WORDS).or_type(DType::U64)];

pub static STATELESS_RANDOM_NORMAL: Def<SeededDraw> =
    by_seed("StatelessRandomNormal", |op, cx| normal(cx, op.dtype, seeded)).attrs(SEEDED_FLOATS).doc(
        "Draws from the standard normal distribution. \
         The stream is determined by two seeds.",
    );

pub static STATELESS_RANDOM_NORMAL_V2: Def<KeyedDraw> =
    by_key("StatelessRandomNormalV2", |op, cx| normal(cx, op.dtype, keyed)).attrs(FLOATS).doc(
        "Draws from the standard normal distribution. \
         The stream is determined by a key, a counter and an algorithm.",
    );

pub static STATELESS_RANDOM_UNIFORM: Def<SeededDraw> =
    by_seed("StatelessRandomUniform", |op, cx| uniform(cx, op.dtype, seeded)).attrs(SEEDED_FLOATS).doc(
        "Draws uniformly from `[0, 1)`. \
         The stream is determined by two seeds.",
    );

pub static STATELESS_RANDOM_UNIFORM_V2: Def<KeyedDraw> =
    by_key("StatelessRandomUniformV2", |op, cx| uniform(cx, op.dtype, keyed)).attrs(FLOATS).doc(
        "Draws uniformly from `[0, 1)`. \
         The stream is determined by a key, a counter and an algorithm.",
    );

pub static STATELESS_RANDOM_UNIFORM_FULL_INT: Def<SeededDraw> =
    by_seed("StatelessRandomUniformFullInt", |op, cx| full_int(cx, op.dtype, seeded)).attrs(FULL).doc(
        "Draws integers uniformly from the full range of the type. \
         The stream is determined by two seeds.",
    );

pub static STATELESS_RANDOM_UNIFORM_FULL_INT_V2: Def<KeyedDraw> =
    by_key("StatelessRandomUniformFullIntV2", |op, cx| full_int(cx, op.dtype, keyed)).attrs(FULL).doc(
        "Draws integers uniformly from the full range of the type. \
         The stream is determined by a key, a counter and an algorithm.",
    );

pub static STATELESS_TRUNCATED_NORMAL: Def<SeededDraw> =
    by_seed("StatelessTruncatedNormal", |op, cx| truncated_normal(cx, op.dtype, seeded)).attrs(SEEDED_FLOATS).doc(
        "Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean. \
         The stream is determined by two seeds.",
    );

pub static STATELESS_TRUNCATED_NORMAL_V2: Def<KeyedDraw> =
    by_key("StatelessTruncatedNormalV2", |op, cx| truncated_normal(cx, op.dtype, keyed)).attrs(FLOATS).doc(
        "Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean. \
         The stream is determined by a key, a counter and an algorithm.",
    );

type Generator = fn(&Io<'_>, usize) -> Result<Philox>;

fn normal(cx: &mut Cx<'_, '_>, dtype: DType, generator: Generator) -> Result<()> {
    dispatch!(dtype, floats, |T| draw(cx, generator, dist::Normal::<T>(PhantomData)), else not_drawn(dtype))
}

fn uniform(cx: &mut Cx<'_, '_>, dtype: DType, generator: Generator) -> Result<()> {
    dispatch!(dtype, floats, |T| draw(cx, generator, dist::Uniform::<T>(PhantomData)), else not_drawn(dtype))
}

fn truncated_normal(cx: &mut Cx<'_, '_>, dtype: DType, generator: Generator) -> Result<()> {
    dispatch!(dtype, floats, |T| draw(cx, generator, dist::TruncatedNormal::<T>(PhantomData)), else not_drawn(dtype))
}

fn full_int(cx: &mut Cx<'_, '_>, dtype: DType, generator: Generator) -> Result<()> {
    match dtype {
        DType::I32 => draw(cx, generator, dist::FullInt::<i32>(PhantomData)),
        DType::I64 => draw(cx, generator, dist::FullInt::<i64>(PhantomData)),
        DType::U32 => draw(cx, generator, dist::FullInt::<u32>(PhantomData)),
        DType::U64 => draw(cx, generator, dist::FullInt::<u64>(PhantomData)),
        other => Err(Error::unimplemented(format!("random integers of type {other}"))),
    }
}

fn not_drawn(dtype: DType) -> Result<()> {
    Err(Error::unimplemented(format!("random numbers of type {dtype}")))
}

/// Draws output 0, of the shape given by input 0, using the generator made from the inputs from 1 on.
fn draw<D: Distribution>(cx: &mut Cx<'_, '_>, generator: Generator, dist: D) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    let philox = generator(cx, 1)?;
    cx.produce(0, &shape, |cx, out| {
        fill(cx.pool(), philox, &dist, out);
        Ok(())
    })
}
