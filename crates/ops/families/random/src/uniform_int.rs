//! `RandomUniformInt`: integers from a stream that continues from run to run.

use super::distribution::{RandomInt, UniformInt, fill};
use crate::philox::{reserve, shape_input, shape_of_input};
use crate::prelude::*;
use crate::rules::never;
use levada_kernel::Io;

attrs! {
    /// Draws integers uniformly from `[minval, maxval)`.
    pub struct RandomUniformInt {
        /// First seed; if both seeds are 0, the values differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type of the output.
        dtype: DType = Attr::dtype("Tout", sets::INDEX),
        /// Element type of `shape`.
        index: DType = Attr::dtype("T", sets::INDEX),
    }
}

pub static RANDOM_UNIFORM_INT: Def<RandomUniformInt> = op("RandomUniformInt")
    .inputs(&[arg("shape", of("T")), arg("minval", of("Tout")), arg("maxval", of("Tout"))])
    .outputs(&[arg("output", of("Tout"))])
    .effect(Effect::Own)
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0)?;
        let shape = shape_of_input(cx, 0)?;
        cx.output(0, shape);
        Ok(())
    })
    .host_inputs(&[0, 1, 2])
    .gradient(|_, g| never(g))
    .kernel(random_uniform_int);

fn random_uniform_int(op: &RandomUniformInt, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    dispatch!(op.dtype, index, |T| {
        let dist = range::<T>(cx, 1)?;
        cx.produce(0, &shape, |cx, out| {
            if !out.is_empty() {
                check(&dist)?;
            }
            fill(cx.pool(), reserve(cx, op.seed, op.seed2, out.len())?, &dist, out);
            Ok(())
        })
    }, else Err(Error::unimplemented(format!("random integers of type {}", op.dtype))))
}

/// Returns the range given by inputs `first` and `first + 1`, both scalars.
pub(super) fn range<T: RandomInt>(cx: &Io<'_>, first: usize) -> Result<UniformInt<T>> {
    for (i, name) in [(first, "minval"), (first + 1, "maxval")] {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("{name} must be 0-D, got shape {shape}")));
        }
    }
    Ok(UniformInt { low: cx.scalar(first)?, high: cx.scalar(first + 1)? })
}

/// Checks that the range is not empty.
pub(super) fn check<T: RandomInt + PartialOrd>(dist: &UniformInt<T>) -> Result<()> {
    if dist.low < dist.high {
        return Ok(());
    }
    Err(Error::invalid(format!("Need minval < maxval, got {:?} >= {:?}", dist.low, dist.high)))
}
