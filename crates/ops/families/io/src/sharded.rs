//! `ShardedFilename` and `ShardedFilespec`: names of the files that one thing is spread over.

use crate::prelude::*;

/// The scalars on the inputs: a name and numbers.
fn scalars(cx: &Cx<'_, '_>) -> Result<(Vec<u8>, Vec<i32>)> {
    for i in 0..cx.num_inputs() {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("Input {i} should be scalar, but had shape {shape}")));
        }
    }
    let numbers = (1..cx.num_inputs()).map(|i| cx.scalar::<i32>(i)).collect::<Result<_>>()?;
    Ok((cx.scalar::<Bytes>(0)?.to_vec(), numbers))
}

macro_rules! names {
    ($($(#[doc = $doc:literal])* $name:ident($($input:literal),*) |$numbers:ident| $rest:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("basename", is(DType::Str)), $(arg($input, is(DType::I32))),*],
                outputs: &[arg("filename", is(DType::Str))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                for i in 0..cx.num_inputs() {
                    cx.with_rank(i, 0)?;
                }
                cx.output_scalar(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let (mut name, $numbers) = scalars(cx)?;
                name.extend_from_slice($rest.as_bytes());
                cx.set(0, Tensor::scalar(Bytes::from(name)));
                Ok(())
            }
        }
    )*};
}

names! {
    /// The name of a shard's file: `basename-00001-of-00007`.
    ShardedFilename("shard", "num_shards") |n| format!("-{:05}-of-{:05}", n[0], n[1]);
    /// What matches the names of all shards' files: `basename-?????-of-00007`.
    ShardedFilespec("num_shards") |n| format!("-?????-of-{:05}", n[0]);
}
