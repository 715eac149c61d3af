//! Ops that make summaries for TensorBoard, and ops that write them to files of events, as far as the caller has granted
//! the files.
//!
//! [`levada_summary`] has the messages and the files. [`numbers`] is what summaries of numbers take, [`writer`] how ops reach
//! the file that they write to.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude};

mod numbers;
mod writer;

family! {
    audio: AudioSummary, AudioSummaryV2;
    create: CloseSummaryWriter, CreateSummaryFileWriter, FlushSummaryWriter, SummaryWriter;
    histogram: HistogramSummary;
    image: ImageSummary;
    merge: MergeSummary;
    scalar: ScalarSummary;
    tensor: TensorSummary, TensorSummaryV2;
    write: ImportEvent, WriteAudioSummary, WriteGraphSummary, WriteHistogramSummary, WriteImageSummary,
        WriteRawProtoSummary, WriteScalarSummary, WriteSummary;
}
