//! Ops that create summaries for TensorBoard, and ops that write them to event files, as far as the caller has granted
//! access to the files.
//!
//! [`levada_summary`] has the messages and the files. [`numbers`] converts tensors to the values of summaries,
//! [`writer`] is the resource behind a writer's handle.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude, rules};

mod numbers;
mod writer;

pub use writer::writer;

family! {
    audio = AUDIO_SUMMARY, AUDIO_SUMMARY_V2;
    create = CLOSE_SUMMARY_WRITER, CREATE_SUMMARY_FILE_WRITER, FLUSH_SUMMARY_WRITER, SUMMARY_WRITER;
    histogram = HISTOGRAM_SUMMARY;
    image = IMAGE_SUMMARY;
    merge = MERGE_SUMMARY;
    scalar = SCALAR_SUMMARY;
    tensor = TENSOR_SUMMARY, TENSOR_SUMMARY_V2;
    write = IMPORT_EVENT, WRITE_AUDIO_SUMMARY, WRITE_GRAPH_SUMMARY, WRITE_HISTOGRAM_SUMMARY, WRITE_IMAGE_SUMMARY,
        WRITE_RAW_PROTO_SUMMARY, WRITE_SCALAR_SUMMARY, WRITE_SUMMARY;
}
