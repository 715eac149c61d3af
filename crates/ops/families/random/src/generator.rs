//! The ops on a generator's state in a variable: `RngReadAndSkip`, `RngSkip` and the `Stateful` distributions.
//!
//! The state is a vector of int64: a counter of two and a key.

use super::distribution::{self as dist, Distribution, RandomInt, Unit, fill};
use crate::philox::{Philox, RESERVED_PER_VALUE, halves, shape_input, shape_of_input, word};
use super::uniform_int::{check, range};
use crate::prelude::*;
use crate::variable::{Variable, resource_input};
use std::marker::PhantomData;

/// The algorithm with which this state goes.
const PHILOX: i64 = 1;
/// Elements of the state.
const STATE: usize = 3;

/// The generator that the variable on input 0 holds, after which `values` values are left out in the variable.
fn advance(cx: &Cx<'_, '_>, algorithm: i64, values: u64) -> Result<(Philox, Tensor)> {
    if algorithm != PHILOX {
        return Err(Error::invalid(format!("Unsupported algorithm id: {algorithm}")).help("Philox has the id 1"));
    }
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
    if state.num_elements() < STATE {
        let size = state.num_elements();
        return Err(Error::invalid(format!(
            "For the Philox algorithm, the size of state must be at least {STATE}; got {size}"
        )));
    }
    let before = state.clone();
    let words = state.slice_mut::<i64>()?;
    let philox = Philox::keyed(words[2] as u64, [words[0] as u64, words[1] as u64]);
    let mut after = philox;
    after.skip(values.wrapping_mul(RESERVED_PER_VALUE));
    let [a, b, c, d] = after.counter;
    words[0] = word(a, b) as i64;
    words[1] = word(c, d) as i64;
    debug_assert_eq!(halves(words[2] as u64), after.key);
    Ok((philox, before))
}

/// The number in input `i`, which must be a scalar.
fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize) -> Result<T> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("input {i} (0-based) must have shape [], not {}", input.shape())));
    }
    input.item()
}

attrs! {
    /// Gives a generator's state and leaves out as much of its stream as `delta` values take.
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
    let (_, before) = advance(cx, algorithm.into(), delta)?;
    cx.set(0, before.rows(0..STATE)?);
    Ok(())
}

attrs! {
    /// Leaves out as much of a generator's stream as `delta` values take.
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
    advance(cx, algorithm, delta as u64).map(drop)
}

/// Draws output 0, of the shape in input `shape`, from the generator on input 0.
fn draw<D: Distribution>(cx: &mut Cx<'_, '_>, shape: usize, dist: D) -> Result<()> {
    let algorithm = if shape == 1 { PHILOX } else { scalar::<i64>(cx, 1)? };
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

macro_rules! generators {
    ($($(#[doc = $doc:literal])* $name:ident: [$($input:expr),*], $shape:literal, $default:expr, $draw:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type drawn.
                dtype: DType = Attr::dtype("dtype", &[]).or_type($default),
                /// Element type of `shape`.
                index: DType = Attr::dtype("shape_dtype", &[]).or_type(DType::I64),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("resource", is(DType::Resource)), $($input),*],
                outputs: &[arg("output", of("dtype"))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = shape_of_input(cx, $shape)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $draw(cx, self.dtype, $shape)
            }
        }
    )*};
}

generators! {
    /// Draws from the normal distribution with mean 0 and deviation 1.
    StatefulStandardNormal: [arg("shape", of("shape_dtype"))], 1, DType::F32, normal;
    /// Draws from the normal distribution with mean 0 and deviation 1.
    StatefulStandardNormalV2:
        [arg("algorithm", is(DType::I64)), arg("shape", of("shape_dtype"))], 2, DType::F32, normal;
    /// Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero.
    StatefulTruncatedNormal:
        [arg("algorithm", is(DType::I64)), arg("shape", of("shape_dtype"))], 2, DType::F32, truncated_normal;
    /// Draws uniformly from `[0, 1)`.
    StatefulUniform: [arg("algorithm", is(DType::I64)), arg("shape", of("shape_dtype"))], 2, DType::F32, uniform;
    /// Draws integers uniformly over the whole range of the type.
    StatefulUniformFullInt:
        [arg("algorithm", is(DType::I64)), arg("shape", of("shape_dtype"))], 2, DType::U64, full_int;
    /// Draws integers uniformly from `minval` on and less than `maxval`.
    StatefulUniformInt: [
        arg("algorithm", is(DType::I64)), arg("shape", of("shape_dtype")), arg("minval", of("dtype")),
        arg("maxval", of("dtype"))
    ], 2, DType::I64, ranged_int;
}
