//! The ops that ask a reader how far it is and that set it back, in both forms. `ReaderSave` and `ReaderRestore`, which
//! TensorFlow does not have, know readers of every kind within a file.

use super::reader::{Counts, Reader, Task, submit};
use crate::prelude::*;
use crate::handle::input;

macro_rules! ops {
    ($($(#[doc = $doc:literal])* [$v1:ident, $v2:ident] ($($more:expr),*) -> [$($output:expr),*] |$reader:ident, $cx:ident| $body:expr;)*) => {$(
        ops!(@one $(#[doc = $doc])* $v1, [arg("reader_handle", is(DType::Str)).by_ref() $(, $more)*], [$($output),*],
            $reader, $cx, $body);
        ops!(@one $(#[doc = $doc])* $v2, [arg("reader_handle", is(DType::Resource)) $(, $more)*], [$($output),*],
            $reader, $cx, $body);
    )*};
    (@one $(#[doc = $doc:literal])* $name:ident, [$($input:expr),*], [$($output:expr),*], $reader:ident, $cx:ident, $body:expr) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec =
                Spec { name: stringify!($name), inputs: &[$($input),*], outputs: &[$($output),*], ..Spec::STATEFUL };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                (0..cx.num_outputs()).for_each(|i| cx.output_scalar(i));
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $reader = input::<Reader>($cx, 0)?;
                $body
            }
        }
    };
}

/// Refuses to save and restore readers that are in the middle of a file.
fn check_state(reader: &Reader, what: &str) -> Result<()> {
    if reader.format.is_whole() {
        return Ok(());
    }
    Err(Error::unimplemented(format!("Reader {what}: a {} has no state that can be saved", reader.format.name())))
}

ops! {
    /// Number of records that a reader has given.
    [ReaderNumRecordsProduced, ReaderNumRecordsProducedV2] () -> [arg("records_produced", is(DType::I64))]
    |reader, cx| {
        cx.set(0, Tensor::scalar(reader.counts().produced));
        Ok(())
    };
    /// Number of files that a reader has read to the end.
    [ReaderNumWorkUnitsCompleted, ReaderNumWorkUnitsCompletedV2] () -> [arg("units_completed", is(DType::I64))]
    |reader, cx| {
        cx.set(0, Tensor::scalar(reader.counts().finished));
        Ok(())
    };
    /// Sets a reader back to where it has read nothing.
    [ReaderReset, ReaderResetV2] () -> [] |reader, cx| {
        submit(cx, reader, Task::Reset);
        Ok(())
    };
    /// Sets a reader to where it was when `state` was saved.
    [ReaderRestoreState, ReaderRestoreStateV2] (arg("state", is(DType::Str))) -> [] |reader, cx| {
        check_state(&reader, "RestoreState")?;
        let state = cx.scalar::<Bytes>(1)?;
        // As in TensorFlow a reader that cannot be restored starts again.
        let name = reader.format.name();
        match Counts::parse(&state, name).and_then(|counts| counts.check_finished(name)) {
            Ok(counts) => {
                submit(cx, reader, Task::Restore(counts));
                Ok(())
            }
            Err(error) => {
                reader.reset(Counts::default());
                Err(error)
            }
        }
    };
    /// Lets a reader of any kind go on from where it was when it was saved.
    [ReaderRestore, ReaderRestoreV2] (arg("given", is(DType::I64)), arg("state", is(DType::Str))) -> [] |reader, cx| {
        let (given, state) = (cx.scalar::<i64>(1)?, cx.scalar::<Bytes>(2)?);
        let counts = Counts::parse(&state, reader.format.name())?;
        reader.seek(&counts, (given >= 0).then_some(given), &cx.env().files)
    };
    /// Says where a reader of any kind is: how many records of its file it has given, or -1 where it is at none, and what it
    /// has counted.
    [ReaderSave, ReaderSaveV2] () -> [arg("given", is(DType::I64)), arg("state", is(DType::Str))] |reader, cx| {
        // It does not wait for its turn: an op that waits for the name of a file has it.
        cx.set(0, Tensor::scalar(reader.given().unwrap_or(-1)));
        cx.set(1, Tensor::scalar(reader.counts().serialize()));
        Ok(())
    };
    /// Says how far a reader is, in bytes that `ReaderRestoreState` understands.
    [ReaderSerializeState, ReaderSerializeStateV2] () -> [arg("state", is(DType::Str))] |reader, cx| {
        check_state(&reader, "SerializeState")?;
        submit(cx, reader, Task::Serialize);
        Ok(())
    };
}
