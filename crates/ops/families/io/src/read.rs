//! `ReaderRead`, `ReaderReadUpTo` and their V2 forms.

use super::reader::{Reader, Task, submit};
use crate::handle::input;
use crate::prelude::*;
use crate::rules::never;
use levada_ops_queues::create::queue_input;

const READER: Arg = arg("reader_handle", is(DType::Resource));
const READER_REF: Arg = arg("reader_handle", is(DType::Str)).by_ref();
const QUEUE: Arg = arg("queue_handle", is(DType::Resource));
const QUEUE_REF: Arg = arg("queue_handle", is(DType::Str)).by_ref();

attrs! {
    /// Returns the next record, moving on to the next file name from `queue_handle` when the current file is exhausted.
    pub struct ReaderRead {}
}

pub static READER_READ: Def<ReaderRead> = op("ReaderRead")
    .inputs(&[READER_REF, QUEUE_REF])
    .outputs(&[arg("key", is(DType::Str)), arg("value", is(DType::Str))])
    .also(&[form("ReaderReadV2").inputs(&[READER, QUEUE]).not_differentiable()])
    .act(Act::Take)
    .shape(|_, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let (reader, queue) = (input::<Reader>(cx, 0)?, queue_input(cx, 1)?);
        submit(cx, reader, Task::Read(queue));
        Ok(())
    });

const NUM_RECORDS: Arg = arg("num_records", is(DType::I64));

attrs! {
    /// Returns the next `num_records` records, or fewer if the file ends first.
    pub struct ReaderReadUpTo {}
}

pub static READER_READ_UP_TO: Def<ReaderReadUpTo> = op("ReaderReadUpTo")
    .inputs(&[READER_REF, QUEUE_REF, NUM_RECORDS])
    .outputs(&[arg("keys", is(DType::Str)), arg("values", is(DType::Str))])
    .also(&[form("ReaderReadUpToV2").inputs(&[READER, QUEUE, NUM_RECORDS]).not_differentiable()])
    .act(Act::Take)
    .shape(|_, cx| {
        cx.with_rank(2, 0)?;
        cx.output_vector(0, None);
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let (reader, queue) = (input::<Reader>(cx, 0)?, queue_input(cx, 1)?);
        let n = cx.scalar::<i64>(2)?;
        let n =
            usize::try_from(n).map_err(|_| Error::invalid(format!("num_records must not be negative, but is {n}")))?;
        submit(cx, reader, Task::ReadUpTo(queue, n));
        Ok(())
    });
