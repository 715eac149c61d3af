//! `RandomUniform`, `RandomStandardNormal` and `TruncatedNormal`: floats from a stream that goes on from run to run.

use super::distribution::{self as dist, Distribution, Unit, fill};
use crate::philox::{reserve, shape_input, shape_of_input};
use crate::prelude::*;
use std::marker::PhantomData;

/// Draws output 0, of the shape that input 0 describes.
fn draw<D: Distribution>(cx: &mut Cx<'_, '_>, seed: i64, seed2: i64, dist: D) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    cx.produce(0, &shape, |cx, out| {
        let philox = reserve(cx, seed, seed2, out.len())?;
        fill(cx.pool(), philox, &dist, out);
        Ok(())
    })
}

macro_rules! stateful {
    ($($(#[doc = $doc:literal])* $name:ident: $dist:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// First seed; where both are 0, the numbers differ from session to session.
                seed: i64 = Attr::int("seed").or_int(0),
                /// Second seed.
                seed2: i64 = Attr::int("seed2").or_int(0),
                /// Element type drawn.
                dtype: DType = Attr::dtype("dtype", sets::FLOATS),
                /// Element type of `shape`.
                index: DType = Attr::dtype("T", sets::INDEX),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("shape", of("T"))],
                outputs: &[arg("output", of("dtype"))],
                effect: Some(Effect::Own),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = shape_of_input(cx, 0)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                fn go<T: Unit>(cx: &mut Cx<'_, '_>, seed: i64, seed2: i64) -> Result<()> {
                    draw(cx, seed, seed2, dist::$dist::<T>(PhantomData))
                }
                dispatch!(self.dtype, floats, |T| go::<T>(cx, self.seed, self.seed2),
                    else Err(Error::unimplemented(format!("random numbers of type {}", self.dtype))))
            }
        }
    )*};
}

stateful! {
    /// Draws from the normal distribution with mean 0 and deviation 1.
    RandomStandardNormal: Normal;
    /// Draws uniformly from `[0, 1)`.
    RandomUniform: Uniform;
    /// Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero.
    TruncatedNormal: TruncatedNormal;
}
