//! `StatelessRandomUniformInt` and `StatelessRandomUniformIntV2`: integers in a range, determined by the inputs alone.

use super::distribution::{RandomInt, fill};
use super::key::{infer_key, infer_seed, keyed, seeded};
use super::stateless::WORDS;
use super::uniform_int::{check, range};
use crate::philox::{Philox, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Draws integers uniformly from `[minval, maxval)`. The stream is determined by two seeds.
    pub struct StatelessRandomUniformInt {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", sets::INDEX),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
    }
}

pub static STATELESS_RANDOM_UNIFORM_INT: Def<StatelessRandomUniformInt> = op("StatelessRandomUniformInt")
    .inputs(&[arg("shape", of("T")), arg("seed", of("Tseed")), arg("minval", of("dtype")), arg("maxval", of("dtype"))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| {
        infer_seed(cx, 1)?;
        infer(cx, 2)
    })
    .gradient(|_, g| never(g))
    .kernel(stateless_random_uniform_int);

fn stateless_random_uniform_int(op: &StatelessRandomUniformInt, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = seeded(cx, 1)?;
    draw(cx, op.dtype, philox, 2)
}

attrs! {
    /// Draws integers uniformly from `[minval, maxval)`. The stream is determined by a key, a counter and an
    /// algorithm.
    pub struct StatelessRandomUniformIntV2 {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", WORDS),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

pub static STATELESS_RANDOM_UNIFORM_INT_V2: Def<StatelessRandomUniformIntV2> = op("StatelessRandomUniformIntV2")
    .inputs(&[
        arg("shape", of("Tshape")),
        arg("key", is(DType::U64)),
        arg("counter", is(DType::U64)),
        arg("alg", is(DType::I32)),
        arg("minval", of("dtype")),
        arg("maxval", of("dtype")),
    ])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|_, cx| {
        infer_key(cx, 1)?;
        infer(cx, 4)
    })
    .gradient(|_, g| never(g))
    .kernel(stateless_random_uniform_int_v2);

fn stateless_random_uniform_int_v2(op: &StatelessRandomUniformIntV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = keyed(cx, 1)?;
    draw(cx, op.dtype, philox, 4)
}

fn infer(cx: &mut ShapeCx<'_>, minval: usize) -> Result<()> {
    cx.with_rank(minval, 0)?;
    cx.with_rank(minval + 1, 0)?;
    let shape = shape_of_input(cx, 0)?;
    cx.output(0, shape);
    Ok(())
}

fn draw(cx: &mut Cx<'_, '_>, dtype: DType, philox: Philox, minval: usize) -> Result<()> {
    fn go<T: RandomInt + PartialOrd>(cx: &mut Cx<'_, '_>, philox: Philox, minval: usize) -> Result<()> {
        let shape = shape_input(cx, 0)?;
        let dist = range::<T>(cx, minval)?;
        cx.produce(0, &shape, |cx, out| {
            if !out.is_empty() {
                check(&dist)?;
            }
            fill(cx.pool(), philox, &dist, out);
            Ok(())
        })
    }
    match dtype {
        DType::I32 => go::<i32>(cx, philox, minval),
        DType::I64 => go::<i64>(cx, philox, minval),
        DType::U32 => go::<u32>(cx, philox, minval),
        DType::U64 => go::<u64>(cx, philox, minval),
        other => Err(Error::unimplemented(format!("random integers of type {other}"))),
    }
}
