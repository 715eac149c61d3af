//! The ops on a generator's state in a variable: `RngReadAndSkip`, `RngSkip` and the `Stateful` distributions.
//!
//! The state is a vector of int64: two elements of counter and a key; for `StatefulStandardNormal` the algorithm
//! precedes them.

use super::distribution::{self as dist, Distribution, RandomInt, Unit, fill};
use super::uniform_int::{check, range};
use crate::philox::{Philox, RESERVED_PER_VALUE, halves, shape_input, shape_of_input, word};
use crate::prelude::*;
use crate::variable::{Variable, resource_input};
use std::marker::PhantomData;

/// The algorithm of the state.
const PHILOX: i64 = 1;
/// Number of elements of the state.
const STATE: usize = 3;

/// Returns the generator held by the variable in input 0, and advances the variable by `values` values. Without
/// `algorithm`, the variable starts with the algorithm.
pub(super) fn advance(cx: &Cx<'_, '_>, algorithm: Option<i64>, values: u64) -> Result<(Philox, Tensor)> {
    algorithm.map_or(Ok(()), check_algorithm)?;
    let variable = resource_input::<Variable>(cx, 0)?;
    let mut value = variable.value.write();
    let state = value.as_mut().ok_or_else(|| Error::not_found(format!("{} has no value", variable.name)))?;
    if state.dtype() != DType::I64 {
        return Err(Error::invalid(format!("dtype of RNG state variable must be int64, not {}", state.dtype())));
    }
    if state.shape().rank() != 1 {
        let rank = state.shape().rank();
        return Err(Error::invalid(format!("RNG state must have one and only one dimension, not {rank}")));
    }
    let first = usize::from(algorithm.is_none());
    if algorithm.is_none() {
        let found = state.slice::<i64>()?.first();
        check_algorithm(*found.ok_or_else(|| Error::invalid("Size of tensor must be > 0"))?)?;
    }
    let size = state.num_elements();
    if size < first + STATE {
        return Err(Error::invalid(format!(
            "For the Philox algorithm, the size of state must be at least {}; got {size}",
            first + STATE
        )));
    }
    let before = state.clone();
    let words = &mut state.slice_mut::<i64>()?[first..];
    let philox = Philox::keyed(words[2] as u64, [words[0] as u64, words[1] as u64]);
    let mut after = philox;
    after.skip(values.wrapping_mul(RESERVED_PER_VALUE));
    let [a, b, c, d] = after.counter;
    words[0] = word(a, b) as i64;
    words[1] = word(c, d) as i64;
    debug_assert_eq!(halves(words[2] as u64), after.key);
    Ok((philox, before))
}

fn check_algorithm(algorithm: i64) -> Result<()> {
    if algorithm == PHILOX {
        return Ok(());
    }
    Err(Error::invalid(format!("Unsupported algorithm id: {algorithm}")).help("Philox has the id 1"))
}

/// Returns the value of input `i`, which must be a scalar.
pub(super) fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize) -> Result<T> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("input {i} (0-based) must have shape [], not {}", input.shape())));
    }
    input.item()
}

attrs! {
    /// Returns a generator's state and skips the part of its stream that `delta` values take.
    pub struct RngReadAndSkip {}
}

pub static RNG_READ_AND_SKIP: Def<RngReadAndSkip> = op("RngReadAndSkip")
    .inputs(&[arg("resource", is(DType::Resource)), arg("alg", is(DType::I32)), arg("delta", is(DType::U64))])
    .outputs(&[arg("value", is(DType::I64))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0)?;
        cx.output_vector(0, Some(STATE));
        Ok(())
    })
    .kernel(rng_read_and_skip);

fn rng_read_and_skip(_: &RngReadAndSkip, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (algorithm, delta) = (scalar::<i32>(cx, 1)?, scalar::<u64>(cx, 2)?);
    let (_, before) = advance(cx, Some(algorithm.into()), delta)?;
    cx.set(0, before.rows(0..STATE)?);
    Ok(())
}

attrs! {
    /// Skips the part of a generator's stream that `delta` values take.
    pub struct RngSkip {}
}

pub static RNG_SKIP: Def<RngSkip> = op("RngSkip")
    .inputs(&[arg("resource", is(DType::Resource)), arg("algorithm", is(DType::I64)), arg("delta", is(DType::I64))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0).map(drop)
    })
    .kernel(rng_skip);

fn rng_skip(_: &RngSkip, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (algorithm, delta) = (scalar::<i64>(cx, 1)?, scalar::<i64>(cx, 2)?);
    advance(cx, Some(algorithm), delta as u64).map(drop)
}

/// Draws output 0, of the shape in input `shape`, using the generator in input 0.
fn draw<D: Distribution>(cx: &mut Cx<'_, '_>, shape: usize, dist: D) -> Result<()> {
    // In the first version of the ops, the algorithm is part of the state.
    let algorithm = if shape == 1 { None } else { Some(scalar::<i64>(cx, 1)?) };
    let shape = shape_input(cx, shape)?;
    cx.produce(0, &shape, |cx, out| {
        let (philox, _) = advance(cx, algorithm, out.len() as u64)?;
        fill(cx.pool(), philox, &dist, out);
        Ok(())
    })
}

fn wrong_dtype(dtype: DType) -> Error {
    Error::unimplemented(format!("numbers of type {dtype} from a generator")).attr("dtype")
}

fn uniform(cx: &mut Cx<'_, '_>, dtype: DType, shape: usize) -> Result<()> {
    dispatch!(dtype, floats, |T| draw(cx, shape, dist::Uniform::<T>(PhantomData)), else Err(wrong_dtype(dtype)))
}

fn normal(cx: &mut Cx<'_, '_>, dtype: DType, shape: usize) -> Result<()> {
    fn go<T: Unit>(cx: &mut Cx<'_, '_>, shape: usize) -> Result<()> {
        draw(cx, shape, dist::Normal::<T>(PhantomData))
    }
    dispatch!(dtype, floats, |T| go::<T>(cx, shape), else Err(wrong_dtype(dtype)))
}

fn truncated_normal(cx: &mut Cx<'_, '_>, dtype: DType, shape: usize) -> Result<()> {
    dispatch!(dtype, floats, |T| draw(cx, shape, dist::TruncatedNormal::<T>(PhantomData)), else Err(wrong_dtype(dtype)))
}

fn full_int(cx: &mut Cx<'_, '_>, dtype: DType, shape: usize) -> Result<()> {
    match dtype {
        DType::I32 => draw(cx, shape, dist::FullInt::<i32>(PhantomData)),
        DType::I64 => draw(cx, shape, dist::FullInt::<i64>(PhantomData)),
        DType::U32 => draw(cx, shape, dist::FullInt::<u32>(PhantomData)),
        DType::U64 => draw(cx, shape, dist::FullInt::<u64>(PhantomData)),
        other => Err(wrong_dtype(other)),
    }
}

fn ranged_int(cx: &mut Cx<'_, '_>, dtype: DType, shape: usize) -> Result<()> {
    fn go<T: RandomInt + PartialOrd>(cx: &mut Cx<'_, '_>, shape: usize) -> Result<()> {
        let dist = range::<T>(cx, shape + 1)?;
        if shape_input(cx, shape)?.num_elements() > 0 {
            check(&dist)?;
        }
        draw(cx, shape, dist)
    }
    match dtype {
        DType::I32 => go::<i32>(cx, shape),
        DType::I64 => go::<i64>(cx, shape),
        DType::U32 => go::<u32>(cx, shape),
        DType::U64 => go::<u64>(cx, shape),
        other => Err(wrong_dtype(other)),
    }
}

attrs! {
    /// The attrs of ops that draw from a generator held in a variable.
    pub struct GeneratorDraw {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", &[]).or_type(DType::F32),
        /// Element type of `shape`.
        index: DType = Attr::dtype("shape_dtype", &[]).or_type(DType::I64),
    }
}

pub(super) const VARIABLE: Arg = arg("resource", is(DType::Resource));
pub(super) const ALGORITHM: Arg = arg("algorithm", is(DType::I64));
const SHAPE: Arg = arg("shape", of("shape_dtype"));

const OUTPUTS: &[Arg] = &[arg("output", of("dtype"))];

const fn drawing(name: &'static str, kernel: fn(&GeneratorDraw, &mut Cx<'_, '_>) -> Result<()>) -> Def<GeneratorDraw> {
    op::<GeneratorDraw>(name)
        .inputs(&[VARIABLE, ALGORITHM, SHAPE])
        .outputs(OUTPUTS)
        .stateful()
        .shape(|_, cx| {
            let shape = shape_of_input(cx, 2)?;
            cx.output(0, shape);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static STATEFUL_STANDARD_NORMAL: Def<GeneratorDraw> =
    drawing("StatefulStandardNormal", |op, cx| normal(cx, op.dtype, 1))
        .inputs(&[VARIABLE, SHAPE])
        .shape(|_, cx| {
            let shape = shape_of_input(cx, 1)?;
            cx.output(0, shape);
            Ok(())
        })
        .doc("Draws from the standard normal distribution.");

pub static STATEFUL_STANDARD_NORMAL_V2: Def<GeneratorDraw> =
    drawing("StatefulStandardNormalV2", |op, cx| normal(cx, op.dtype, 2))
        .doc("Draws from the standard normal distribution.");

pub static STATEFUL_TRUNCATED_NORMAL: Def<GeneratorDraw> =
    drawing("StatefulTruncatedNormal", |op, cx| truncated_normal(cx, op.dtype, 2)).doc(
        "Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean.",
    );

pub static STATEFUL_UNIFORM: Def<GeneratorDraw> =
    drawing("StatefulUniform", |op, cx| uniform(cx, op.dtype, 2)).doc("Draws uniformly from `[0, 1)`.");

pub static STATEFUL_UNIFORM_FULL_INT: Def<GeneratorDraw> =
    drawing("StatefulUniformFullInt", |op, cx| full_int(cx, op.dtype, 2))
        .attrs(&[Attr::dtype("dtype", &[]).or_type(DType::U64)])
        .doc("Draws integers uniformly from the full range of the type.");

pub static STATEFUL_UNIFORM_INT: Def<GeneratorDraw> =
    drawing("StatefulUniformInt", |op, cx| ranged_int(cx, op.dtype, 2))
        .inputs(&[VARIABLE, ALGORITHM, SHAPE, arg("minval", of("dtype")), arg("maxval", of("dtype"))])
        .attrs(&[Attr::dtype("dtype", &[]).or_type(DType::I64)])
        .doc("Draws integers uniformly from `[minval, maxval)`.");
