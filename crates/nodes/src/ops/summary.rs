// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `summary`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string, strings};
use levada_graph::Tensor;

impl Ops<'_> {
    /// Creates a summary of the first clips of a batch of audio.
    ///
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of float32
    /// - `sample_rate`: Sample rate in samples per second.
    pub fn audio_summary(&self, tag: impl Input, tensor: impl Input, sample_rate: f32) -> AudioSummary<'_> {
        let mut node = Node::new(self, "AudioSummary").input(tag).input(tensor);
        node.set("sample_rate", sample_rate);
        AudioSummary(node)
    }

    /// Creates a summary of the first clips of a batch of audio; the sample rate is an input.
    ///
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of float32
    /// - `sample_rate`: a tensor of float32
    pub fn audio_summary_v2(&self, tag: impl Input, tensor: impl Input, sample_rate: impl Input) -> AudioSummaryV2<'_> {
        AudioSummaryV2(Node::new(self, "AudioSummaryV2").input(tag).input(tensor).input(sample_rate))
    }

    /// Closes a writer, which may be opened again.
    ///
    /// - `writer`: a tensor of resource
    pub fn close_summary_writer(&self, writer: impl Input) -> CloseSummaryWriter<'_> {
        CloseSummaryWriter(Node::new(self, "CloseSummaryWriter").input(writer))
    }

    /// Opens a writer with a new file in a directory, unless it is already open.
    ///
    /// - `writer`: a tensor of resource
    /// - `logdir`: a tensor of string
    /// - `max_queue`: a tensor of int32
    /// - `flush_millis`: a tensor of int32
    /// - `filename_suffix`: a tensor of string
    pub fn create_summary_file_writer(&self, writer: impl Input, logdir: impl Input, max_queue: impl Input, flush_millis: impl Input, filename_suffix: impl Input) -> CreateSummaryFileWriter<'_> {
        CreateSummaryFileWriter(Node::new(self, "CreateSummaryFileWriter").input(writer).input(logdir).input(max_queue).input(flush_millis).input(filename_suffix))
    }

    /// Flushes the data of a writer to the file.
    ///
    /// - `writer`: a tensor of resource
    pub fn flush_summary_writer(&self, writer: impl Input) -> FlushSummaryWriter<'_> {
        FlushSummaryWriter(Node::new(self, "FlushSummaryWriter").input(writer))
    }

    /// Creates a summary with a histogram of the values.
    ///
    /// - `tag`: a tensor of string
    /// - `values`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn histogram_summary(&self, tag: impl Input, values: impl Input) -> HistogramSummary<'_> {
        HistogramSummary(Node::new(self, "HistogramSummary").input(tag).input(values))
    }

    /// Creates a summary of the first images of a batch.
    ///
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of `T`
    ///
    /// `T` is float32, float64, uint8, float16.
    pub fn image_summary(&self, tag: impl Input, tensor: impl Input) -> ImageSummary<'_> {
        ImageSummary(Node::new(self, "ImageSummary").input(tag).input(tensor))
    }

    /// Writes a serialized event.
    ///
    /// - `writer`: a tensor of resource
    /// - `event`: a tensor of string
    pub fn import_event(&self, writer: impl Input, event: impl Input) -> ImportEvent<'_> {
        ImportEvent(Node::new(self, "ImportEvent").input(writer).input(event))
    }

    /// Merges summaries. Tags must be unique.
    ///
    /// - `inputs`: any number of tensors of string
    pub fn merge_summary(&self, inputs: impl IntoIterator<Item = impl Input>) -> MergeSummary<'_> {
        MergeSummary(Node::new(self, "MergeSummary").list(inputs))
    }

    /// Creates a summary of scalars, each with its tag.
    ///
    /// - `tags`: a tensor of string
    /// - `values`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn scalar_summary(&self, tags: impl Input, values: impl Input) -> ScalarSummary<'_> {
        ScalarSummary(Node::new(self, "ScalarSummary").input(tags).input(values))
    }

    /// Returns a handle to a summary writer, which is initially closed.
    ///
    /// It has no gradient.
    pub fn summary_writer(&self) -> SummaryWriter<'_> {
        SummaryWriter(Node::new(self, "SummaryWriter"))
    }

    /// Creates a summary of a tensor, tagged with the node's name.
    ///
    /// - `tensor`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn tensor_summary(&self, tensor: impl Input) -> TensorSummary<'_> {
        TensorSummary(Node::new(self, "TensorSummary").input(tensor))
    }

    /// Creates a summary of a tensor, with a tag and plugin metadata.
    ///
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of `T`
    /// - `serialized_summary_metadata`: a tensor of string
    ///
    /// `T` is any dtype.
    pub fn tensor_summary_v2(&self, tag: impl Input, tensor: impl Input, serialized_summary_metadata: impl Input) -> TensorSummaryV2<'_> {
        TensorSummaryV2(Node::new(self, "TensorSummaryV2").input(tag).input(tensor).input(serialized_summary_metadata))
    }

    /// Writes an audio summary.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of float32
    /// - `sample_rate`: a tensor of float32
    pub fn write_audio_summary(&self, writer: impl Input, step: impl Input, tag: impl Input, tensor: impl Input, sample_rate: impl Input) -> WriteAudioSummary<'_> {
        WriteAudioSummary(Node::new(self, "WriteAudioSummary").input(writer).input(step).input(tag).input(tensor).input(sample_rate))
    }

    /// Writes a graph, as a serialized `GraphDef`.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tensor`: a tensor of string
    pub fn write_graph_summary(&self, writer: impl Input, step: impl Input, tensor: impl Input) -> WriteGraphSummary<'_> {
        WriteGraphSummary(Node::new(self, "WriteGraphSummary").input(writer).input(step).input(tensor))
    }

    /// Writes a histogram summary.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tag`: a tensor of string
    /// - `values`: a tensor of `T`
    ///
    /// `T` is any integer or float, bool.
    pub fn write_histogram_summary(&self, writer: impl Input, step: impl Input, tag: impl Input, values: impl Input) -> WriteHistogramSummary<'_> {
        WriteHistogramSummary(Node::new(self, "WriteHistogramSummary").input(writer).input(step).input(tag).input(values))
    }

    /// Writes an image summary.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tag`: a tensor of string
    /// - `tensor`: a tensor of `T`
    /// - `bad_color`: a tensor of uint8
    ///
    /// `T` is float32, float64, uint8, float16.
    pub fn write_image_summary(&self, writer: impl Input, step: impl Input, tag: impl Input, tensor: impl Input, bad_color: impl Input) -> WriteImageSummary<'_> {
        WriteImageSummary(Node::new(self, "WriteImageSummary").input(writer).input(step).input(tag).input(tensor).input(bad_color))
    }

    /// Writes serialized summaries.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tensor`: a tensor of string
    pub fn write_raw_proto_summary(&self, writer: impl Input, step: impl Input, tensor: impl Input) -> WriteRawProtoSummary<'_> {
        WriteRawProtoSummary(Node::new(self, "WriteRawProtoSummary").input(writer).input(step).input(tensor))
    }

    /// Writes a scalar summary.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tag`: a tensor of string
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any integer or float.
    pub fn write_scalar_summary(&self, writer: impl Input, step: impl Input, tag: impl Input, value: impl Input) -> WriteScalarSummary<'_> {
        WriteScalarSummary(Node::new(self, "WriteScalarSummary").input(writer).input(step).input(tag).input(value))
    }

    /// Writes a tensor summary.
    ///
    /// - `writer`: a tensor of resource
    /// - `step`: a tensor of int64
    /// - `tensor`: a tensor of `T`
    /// - `tag`: a tensor of string
    /// - `summary_metadata`: a tensor of string
    ///
    /// `T` is any dtype.
    pub fn write_summary(&self, writer: impl Input, step: impl Input, tensor: impl Input, tag: impl Input, summary_metadata: impl Input) -> WriteSummary<'_> {
        WriteSummary(Node::new(self, "WriteSummary").input(writer).input(step).input(tensor).input(tag).input(summary_metadata))
    }
}

/// A node of [`AudioSummary`](Ops::audio_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AudioSummary<'a>(Node<'a>);

impl AudioSummary<'_> {
    /// Maximum number of clips. At least 1. Default: `3`.
    pub fn max_outputs(mut self, max_outputs: i64) -> Self {
        self.0.set("max_outputs", max_outputs);
        self
    }
}

/// A node of [`AudioSummaryV2`](Ops::audio_summary_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AudioSummaryV2<'a>(Node<'a>);

impl AudioSummaryV2<'_> {
    /// Maximum number of clips. At least 1. Default: `3`.
    pub fn max_outputs(mut self, max_outputs: i64) -> Self {
        self.0.set("max_outputs", max_outputs);
        self
    }
}

/// A node of [`CloseSummaryWriter`](Ops::close_summary_writer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CloseSummaryWriter<'a>(Node<'a>);

/// A node of [`CreateSummaryFileWriter`](Ops::create_summary_file_writer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CreateSummaryFileWriter<'a>(Node<'a>);

/// A node of [`FlushSummaryWriter`](Ops::flush_summary_writer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FlushSummaryWriter<'a>(Node<'a>);

/// A node of [`HistogramSummary`](Ops::histogram_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct HistogramSummary<'a>(Node<'a>);

/// A node of [`ImageSummary`](Ops::image_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ImageSummary<'a>(Node<'a>);

impl ImageSummary<'_> {
    /// Maximum number of images. At least 1. Default: `3`.
    pub fn max_images(mut self, max_images: i64) -> Self {
        self.0.set("max_images", max_images);
        self
    }

    /// Color of pixels that are not finite. Default: `[255, 0, 0, 255]`.
    pub fn bad_color(mut self, bad_color: impl Into<Tensor>) -> Self {
        self.0.set("bad_color", Into::<Tensor>::into(bad_color));
        self
    }
}

/// A node of [`ImportEvent`](Ops::import_event) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ImportEvent<'a>(Node<'a>);

/// A node of [`MergeSummary`](Ops::merge_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MergeSummary<'a>(Node<'a>);

/// A node of [`ScalarSummary`](Ops::scalar_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScalarSummary<'a>(Node<'a>);

/// A node of [`SummaryWriter`](Ops::summary_writer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SummaryWriter<'a>(Node<'a>);

impl SummaryWriter<'_> {
    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Container that holds the writer; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }
}

/// A node of [`TensorSummary`](Ops::tensor_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorSummary<'a>(Node<'a>);

impl TensorSummary<'_> {
    /// Not used. Default: `""`.
    pub fn description(mut self, description: impl AsRef<[u8]>) -> Self {
        self.0.set("description", string(description));
        self
    }

    /// Not used. Default: none.
    pub fn labels(mut self, labels: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("labels", strings(labels));
        self
    }

    /// Not used. Default: `""`.
    pub fn display_name(mut self, display_name: impl AsRef<[u8]>) -> Self {
        self.0.set("display_name", string(display_name));
        self
    }
}

/// A node of [`TensorSummaryV2`](Ops::tensor_summary_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorSummaryV2<'a>(Node<'a>);

/// A node of [`WriteAudioSummary`](Ops::write_audio_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteAudioSummary<'a>(Node<'a>);

impl WriteAudioSummary<'_> {
    /// Maximum number of clips. At least 1. Default: `3`.
    pub fn max_outputs(mut self, max_outputs: i64) -> Self {
        self.0.set("max_outputs", max_outputs);
        self
    }
}

/// A node of [`WriteGraphSummary`](Ops::write_graph_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteGraphSummary<'a>(Node<'a>);

/// A node of [`WriteHistogramSummary`](Ops::write_histogram_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteHistogramSummary<'a>(Node<'a>);

/// A node of [`WriteImageSummary`](Ops::write_image_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteImageSummary<'a>(Node<'a>);

impl WriteImageSummary<'_> {
    /// Maximum number of images. At least 1. Default: `3`.
    pub fn max_images(mut self, max_images: i64) -> Self {
        self.0.set("max_images", max_images);
        self
    }
}

/// A node of [`WriteRawProtoSummary`](Ops::write_raw_proto_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteRawProtoSummary<'a>(Node<'a>);

/// A node of [`WriteScalarSummary`](Ops::write_scalar_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteScalarSummary<'a>(Node<'a>);

/// A node of [`WriteSummary`](Ops::write_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteSummary<'a>(Node<'a>);

common! {
    AudioSummary
    AudioSummaryV2
    CloseSummaryWriter
    CreateSummaryFileWriter
    FlushSummaryWriter
    HistogramSummary
    ImageSummary
    ImportEvent
    MergeSummary
    ScalarSummary
    SummaryWriter
    TensorSummary
    TensorSummaryV2
    WriteAudioSummary
    WriteGraphSummary
    WriteHistogramSummary
    WriteImageSummary
    WriteRawProtoSummary
    WriteScalarSummary
    WriteSummary
}

no_output! {
    CloseSummaryWriter
    CreateSummaryFileWriter
    FlushSummaryWriter
    ImportEvent
    WriteAudioSummary
    WriteGraphSummary
    WriteHistogramSummary
    WriteImageSummary
    WriteRawProtoSummary
    WriteScalarSummary
    WriteSummary
}

one_output! {
    AudioSummary
    AudioSummaryV2
    HistogramSummary
    ImageSummary
    MergeSummary
    ScalarSummary
    SummaryWriter
    TensorSummary
    TensorSummaryV2
}
