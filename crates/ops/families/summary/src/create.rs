//! `SummaryWriter` and the ops that open, flush and close one.

use crate::handle::{input, set_handle};
use crate::numbers::scalar;
use crate::prelude::*;
use crate::writer::{Slot, on_writer, writer};
use levada_summary::Writer;
use std::time::Duration;

attrs! {
    /// Returns a handle to a summary writer, which is initially closed.
    pub struct SummaryWriter {
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Container that holds the writer; empty for the default one.
        container: String = Attr::string("container").or_str(""),
    }
}

pub static SUMMARY_WRITER: Def<SummaryWriter> = op("SummaryWriter")
    .outputs(&[arg("writer", is(DType::Resource))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(|op: &SummaryWriter, cx| set_handle::<Slot>(cx, &op.container, &op.shared_name, |_| Ok(())));

attrs! {
    /// Opens a writer with a new file in a directory, unless it is already open.
    pub struct CreateSummaryFileWriter {}
}

pub static CREATE_SUMMARY_FILE_WRITER: Def<CreateSummaryFileWriter> = op("CreateSummaryFileWriter")
    .inputs(&[
        arg("writer", is(DType::Resource)),
        arg("logdir", is(DType::Str)),
        arg("max_queue", is(DType::I32)),
        arg("flush_millis", is(DType::I32)),
        arg("filename_suffix", is(DType::Str)),
    ])
    .stateful()
    .shape(|_, cx| (0..5).try_for_each(|i| cx.with_rank(i, 0).map(drop)))
    .kernel(create_summary_file_writer)
    .heavy();

fn create_summary_file_writer(_: &CreateSummaryFileWriter, cx: &mut Cx<'_, '_>) -> Result<()> {
    let text = |bytes: Bytes| String::from_utf8_lossy(&bytes).into_owned();
    let directory = text(scalar(cx, 1, "logdir")?);
    let (queue, millis): (i32, i32) = (scalar(cx, 2, "max_queue")?, scalar(cx, 3, "flush_millis")?);
    let mut suffix = text(scalar(cx, 4, "filename_suffix")?);
    // As in TensorFlow, there is a dot even if the suffix is empty.
    if !suffix.starts_with('.') {
        suffix.insert(0, '.');
    }
    if suffix.contains(['/', '\\']) {
        return Err(Error::invalid("filename_suffix is part of a file's name").found(suffix));
    }
    let directory = cx.env().files.resolve(&directory)?;
    let flush_after = Duration::from_millis(millis.max(0) as u64);
    let create = || Ok(Writer::create(&directory, &suffix)?.waiting(queue.max(0) as usize, flush_after));
    input::<Slot>(cx, 0)?.open(create)
}

attrs! {
    /// The attrs of ops on a writer that have no attrs.
    pub struct OnWriter {}
}

pub static FLUSH_SUMMARY_WRITER: Def<OnWriter> =
    on_writer("FlushSummaryWriter", &[arg("writer", is(DType::Resource))], |_, cx| writer(cx, 0)?.flush())
        .doc("Flushes the data of a writer to the file.");

pub static CLOSE_SUMMARY_WRITER: Def<OnWriter> =
    on_writer("CloseSummaryWriter", &[arg("writer", is(DType::Resource))], |_, cx| input::<Slot>(cx, 0)?.close())
        .doc("Closes a writer, which may be opened again.");
