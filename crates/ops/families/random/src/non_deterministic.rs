//! `NonDeterministicInts`: unpredictable integers.

use super::distribution::{FullInt, RandomInt, fill};
use crate::philox::{Philox, entropy, shape_input, shape_of_input};
use crate::prelude::*;
use std::marker::PhantomData;

attrs! {
    /// Draws integers that differ from run to run.
    pub struct NonDeterministicInts {
        /// Element type of the output.
        dtype: DType = Attr::dtype("dtype", &[]).or_type(DType::I64),
        /// Element type of `shape`.
        index: DType = Attr::dtype("shape_dtype", &[]).or_type(DType::I64),
    }
}

pub static NON_DETERMINISTIC_INTS: Def<NonDeterministicInts> = op("NonDeterministicInts")
    .inputs(&[arg("shape", of("shape_dtype"))])
    .outputs(&[arg("output", of("dtype"))])
    .stateful()
    .shape(|_, cx| {
        let shape = shape_of_input(cx, 0)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(non_deterministic_ints);

fn non_deterministic_ints(op: &NonDeterministicInts, cx: &mut Cx<'_, '_>) -> Result<()> {
    fn go<T: RandomInt>(cx: &mut Cx<'_, '_>) -> Result<()> {
        let shape = shape_input(cx, 0)?;
        let philox = Philox::keyed(entropy(), [entropy(), entropy()]);
        cx.produce(0, &shape, |cx, out| {
            fill(cx.pool(), philox, &FullInt::<T>(PhantomData), out);
            Ok(())
        })
    }
    match op.dtype {
        DType::I32 => go::<i32>(cx),
        DType::I64 => go::<i64>(cx),
        DType::U32 => go::<u32>(cx),
        DType::U64 => go::<u64>(cx),
        other => Err(Error::invalid(format!("unsupported dtype {other}")).attr("dtype")),
    }
}
