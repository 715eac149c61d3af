//! The stateless uniform, normal and full-range ops: what they draw follows from their inputs alone.

use super::distribution::{self as dist, Distribution, RandomInt, Unit, fill};
use super::key::{infer_key, infer_seed, keyed, seeded};
use crate::philox::{Philox, shape_input, shape_of_input};
use crate::prelude::*;
use levada_kernel::Io;
use std::marker::PhantomData;

/// The dtypes that the full-range ops draw.
pub(super) const WORDS: &[DType] = &[DType::I32, DType::I64, DType::U32, DType::U64];

/// Draws output 0, of the shape that input 0 describes.
fn draw<D: Distribution>(
    cx: &mut Cx<'_, '_>,
    generator: fn(&Io<'_>, usize) -> Result<Philox>,
    dist: D,
) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    let philox = generator(cx, 1)?;
    cx.produce(0, &shape, |cx, out| {
        fill(cx.pool(), philox, &dist, out);
        Ok(())
    })
}

fn floats(
    cx: &mut Cx<'_, '_>,
    dtype: DType,
    generator: fn(&Io<'_>, usize) -> Result<Philox>,
    which: Which,
) -> Result<()> {
    fn go<T: Unit>(
        cx: &mut Cx<'_, '_>,
        generator: fn(&Io<'_>, usize) -> Result<Philox>,
        which: Which,
    ) -> Result<()> {
        match which {
            Which::Uniform => draw(cx, generator, dist::Uniform::<T>(PhantomData)),
            Which::Normal => draw(cx, generator, dist::Normal::<T>(PhantomData)),
            Which::TruncatedNormal => draw(cx, generator, dist::TruncatedNormal::<T>(PhantomData)),
        }
    }
    dispatch!(dtype, floats, |T| go::<T>(cx, generator, which),
        else Err(Error::unimplemented(format!("random numbers of type {dtype}"))))
}

fn words(
    cx: &mut Cx<'_, '_>,
    dtype: DType,
    generator: fn(&Io<'_>, usize) -> Result<Philox>,
    _: Full,
) -> Result<()> {
    fn go<T: RandomInt>(cx: &mut Cx<'_, '_>, generator: fn(&Io<'_>, usize) -> Result<Philox>) -> Result<()> {
        draw(cx, generator, dist::FullInt::<T>(PhantomData))
    }
    match dtype {
        DType::I32 => go::<i32>(cx, generator),
        DType::I64 => go::<i64>(cx, generator),
        DType::U32 => go::<u32>(cx, generator),
        DType::U64 => go::<u64>(cx, generator),
        other => Err(Error::unimplemented(format!("random integers of type {other}"))),
    }
}

/// A distribution of floats.
#[derive(Clone, Copy)]
enum Which {
    Uniform,
    Normal,
    TruncatedNormal,
}

/// The distribution over a type's whole range.
#[derive(Clone, Copy)]
struct Full;

macro_rules! stateless {
    ($($(#[doc = $doc:literal])* $name:ident / $v2:ident: $allowed:expr, $default:expr, $seeds:expr, $go:ident($which:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            /// The stream is that of two seeds.
            pub struct $name {
                /// Element type drawn.
                dtype: DType = Attr::dtype("dtype", $allowed).or_type($default),
                /// Element type of `shape`.
                index: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
                /// Element type of `seed`.
                seed: DType = Attr::dtype("Tseed", $seeds).or_type(DType::I64),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("shape", of("T")), arg("seed", of("Tseed"))],
                outputs: &[arg("output", of("dtype"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer_seed(cx, 1)?;
                let shape = shape_of_input(cx, 0)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $go(cx, self.dtype, seeded, $which)
            }
        }

        attrs! {
            $(#[doc = $doc])*
            /// The stream is that of a key, a counter and an algorithm.
            pub struct $v2 {
                /// Element type drawn.
                dtype: DType = Attr::dtype("dtype", $allowed).or_type($default),
                /// Element type of `shape`.
                index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
            }
        }

        impl Op for $v2 {
            const SPEC: Spec = Spec {
                name: stringify!($v2),
                inputs: &[
                    arg("shape", of("Tshape")),
                    arg("key", is(DType::U64)),
                    arg("counter", is(DType::U64)),
                    arg("alg", is(DType::I32)),
                ],
                outputs: &[arg("output", of("dtype"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer_key(cx, 1)?;
                let shape = shape_of_input(cx, 0)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $v2 {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $go(cx, self.dtype, keyed, $which)
            }
        }
    )*};
}

stateless! {
    /// Draws from the normal distribution with mean 0 and deviation 1.
    StatelessRandomNormal / StatelessRandomNormalV2: sets::FLOATS, DType::F32, sets::INDEX, floats(Which::Normal);
    /// Draws uniformly from `[0, 1)`.
    StatelessRandomUniform / StatelessRandomUniformV2: sets::FLOATS, DType::F32, sets::INDEX, floats(Which::Uniform);
    /// Draws integers uniformly over the whole range of the type.
    StatelessRandomUniformFullInt / StatelessRandomUniformFullIntV2: WORDS, DType::U64, WORDS, words(Full);
    /// Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero.
    StatelessTruncatedNormal / StatelessTruncatedNormalV2: sets::FLOATS, DType::F32, sets::INDEX,
        floats(Which::TruncatedNormal);
}
