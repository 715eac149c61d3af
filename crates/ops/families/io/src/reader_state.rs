//! The ops that query and restore a reader's state, in both forms. `ReaderSave` and `ReaderRestore`, which TensorFlow
//! does not have, support readers of every kind, also in the middle of a file.

use super::reader::{Counts, Reader, Task, submit};
use crate::handle::input;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of ops that query or restore a reader: none.
    pub struct ReaderOp {}
}

const READER: Arg = arg("reader_handle", is(DType::Resource));
const READER_REF: Arg = arg("reader_handle", is(DType::Str)).by_ref();
const STATE: Arg = arg("state", is(DType::Str));
const GIVEN: Arg = arg("given", is(DType::I64));

const fn asking(name: &'static str, kernel: fn(&ReaderOp, &mut Cx<'_, '_>) -> Result<()>) -> Def<ReaderOp> {
    op::<ReaderOp>(name)
        .inputs(&[READER_REF])
        .stateful()
        .shape(|_, cx| {
            (0..cx.num_outputs()).for_each(|i| cx.output_scalar(i));
            Ok(())
        })
        .kernel(kernel)
}

/// Rejects saving and restoring readers whose format can stop in the middle of a file.
fn check_state(reader: &Reader, what: &str) -> Result<()> {
    if reader.format.is_whole() {
        return Ok(());
    }
    Err(Error::unimplemented(format!("Reader {what}: a {} has no state that can be saved", reader.format.name())))
}

pub static READER_NUM_RECORDS_PRODUCED: Def<ReaderOp> = asking("ReaderNumRecordsProduced", |_, cx| {
    let produced = input::<Reader>(cx, 0)?.counts().produced;
    cx.set(0, Tensor::scalar(produced));
    Ok(())
})
.doc("Number of records a reader has returned.")
.outputs(&[arg("records_produced", is(DType::I64))])
.also(&[form("ReaderNumRecordsProducedV2").inputs(&[READER]).not_differentiable()])
.gradient(|_, g| never(g));

pub static READER_NUM_WORK_UNITS_COMPLETED: Def<ReaderOp> = asking("ReaderNumWorkUnitsCompleted", |_, cx| {
    let finished = input::<Reader>(cx, 0)?.counts().finished;
    cx.set(0, Tensor::scalar(finished));
    Ok(())
})
.doc("Number of files a reader has finished reading.")
.outputs(&[arg("units_completed", is(DType::I64))])
.also(&[form("ReaderNumWorkUnitsCompletedV2").inputs(&[READER]).not_differentiable()])
.gradient(|_, g| never(g));

pub static READER_RESET: Def<ReaderOp> = asking("ReaderReset", |_, cx| {
    let reader = input::<Reader>(cx, 0)?;
    submit(cx, reader, Task::Reset);
    Ok(())
})
.doc("Resets a reader to its initial state.")
.also(&[form("ReaderResetV2").inputs(&[READER]).not_differentiable()])
.gradient(|_, g| never(g));

pub static READER_RESTORE_STATE: Def<ReaderOp> = asking("ReaderRestoreState", |_, cx| {
    let reader = input::<Reader>(cx, 0)?;
    check_state(&reader, "RestoreState")?;
    let state = cx.scalar::<Bytes>(1)?;
    // As in TensorFlow, a reader that cannot be restored starts over.
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
})
.doc("Restores a reader to the position saved in `state`.")
.inputs(&[READER_REF, STATE])
.also(&[form("ReaderRestoreStateV2").inputs(&[READER, STATE]).not_differentiable()])
.gradient(|_, g| never(g));

pub static READER_RESTORE: Def<ReaderOp> = asking("ReaderRestore", |_, cx| {
    let reader = input::<Reader>(cx, 0)?;
    let (given, state) = (cx.scalar::<i64>(1)?, cx.scalar::<Bytes>(2)?);
    let counts = Counts::parse(&state, reader.format.name())?;
    reader.seek(&counts, (given >= 0).then_some(given), &cx.env().files)
})
.doc("Restores the position of a reader of any kind, as saved by `ReaderSave`.")
.inputs(&[READER_REF, GIVEN, STATE])
.also(&[form("ReaderRestoreV2").inputs(&[READER, GIVEN, STATE])]);

pub static READER_SAVE: Def<ReaderOp> = asking("ReaderSave", |_, cx| {
    // It does not wait for its turn, which an op waiting for a file name may be holding.
    let reader = input::<Reader>(cx, 0)?;
    cx.set(0, Tensor::scalar(reader.given().unwrap_or(-1)));
    cx.set(1, Tensor::scalar(reader.counts().serialize()));
    Ok(())
})
.doc(
    "Saves the position of a reader of any kind: the number of records returned from the current file, or -1 without \
     one, and its counts.",
)
.outputs(&[GIVEN, STATE])
.also(&[form("ReaderSaveV2").inputs(&[READER])]);

pub static READER_SERIALIZE_STATE: Def<ReaderOp> = asking("ReaderSerializeState", |_, cx| {
    let reader = input::<Reader>(cx, 0)?;
    check_state(&reader, "SerializeState")?;
    submit(cx, reader, Task::Serialize);
    Ok(())
})
.doc("Serializes a reader's state for `ReaderRestoreState`.")
.outputs(&[STATE])
.also(&[form("ReaderSerializeStateV2").inputs(&[READER]).not_differentiable()])
.gradient(|_, g| never(g));
