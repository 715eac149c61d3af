//! `ShardedFilename` and `ShardedFilespec`: names of sharded files.

use crate::prelude::*;

attrs! {
    /// The attrs of ops that build file names: none.
    pub struct ShardedName {}
}

const BASENAME: Arg = arg("basename", is(DType::Str));
const NUM_SHARDS: Arg = arg("num_shards", is(DType::I32));

const OUTPUTS: &[Arg] = &[arg("filename", is(DType::Str))];

const fn naming(name: &'static str, kernel: fn(&ShardedName, &mut Cx<'_, '_>) -> Result<()>) -> Def<ShardedName> {
    op::<ShardedName>(name)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            for i in 0..cx.num_inputs() {
                cx.with_rank(i, 0)?;
            }
            cx.output_scalar(0);
            Ok(())
        })
        .kernel(kernel)
}

pub static SHARDED_FILENAME: Def<ShardedName> =
    naming("ShardedFilename", |_, cx| put_together(cx, |n| format!("-{:05}-of-{:05}", n[0], n[1])))
        .inputs(&[BASENAME, arg("shard", is(DType::I32)), NUM_SHARDS])
        .doc("The file name of a shard: `basename-00001-of-00007`.");

pub static SHARDED_FILESPEC: Def<ShardedName> =
    naming("ShardedFilespec", |_, cx| put_together(cx, |n| format!("-?????-of-{:05}", n[0])))
        .inputs(&[BASENAME, NUM_SHARDS])
        .doc("The glob pattern that matches all shards: `basename-?????-of-00007`.");

/// Returns the base name on input 0 followed by what `rest` makes of the numbers on the other inputs.
fn put_together(cx: &mut Cx<'_, '_>, rest: fn(&[i32]) -> String) -> Result<()> {
    for i in 0..cx.num_inputs() {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("Input {i} should be scalar, but had shape {shape}")));
        }
    }
    let numbers: Vec<i32> = (1..cx.num_inputs()).map(|i| cx.scalar(i)).collect::<Result<_>>()?;
    let mut name = cx.scalar::<Bytes>(0)?.to_vec();
    name.extend_from_slice(rest(&numbers).as_bytes());
    cx.set(0, Tensor::scalar(Bytes::from(name)));
    Ok(())
}
