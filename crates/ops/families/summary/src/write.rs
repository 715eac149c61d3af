//! Ops that write an event to a writer's file.

use super::create::OnWriter;
use super::image::IMAGES;
use crate::numbers::{numbers, scalar};
use crate::prelude::*;
use crate::writer::{on_writer, writer};
use levada_summary::{Event, Summary, tags};

/// Numeric and boolean dtypes.
const COUNTED: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::I32,
    DType::U8,
    DType::I16,
    DType::I8,
    DType::I64,
    DType::BF16,
    DType::U16,
    DType::F16,
    DType::U32,
    DType::U64,
    DType::Bool,
];

/// Writes the summary filled in by `fill`, with the step in input 1.
fn write(cx: &Cx<'_, '_>, fill: impl FnOnce(&mut Summary) -> Result<()>) -> Result<()> {
    let step: i64 = scalar(cx, 1, "step")?;
    let mut summary = Summary::default();
    fill(&mut summary)?;
    writer(cx, 0)?.summary(step, &summary)
}

const WRITER: Arg = arg("writer", is(DType::Resource));
const STEP: Arg = arg("step", is(DType::I64));
const TAG: Arg = arg("tag", is(DType::Str));

attrs! {
    /// Writes a scalar summary.
    pub struct WriteScalarSummary {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

pub static WRITE_SCALAR_SUMMARY: Def<WriteScalarSummary> =
    on_writer("WriteScalarSummary", &[WRITER, STEP, TAG, arg("value", of("T"))], |_, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        match numbers(cx.input(3)?)?[..] {
            [value] => write(cx, |summary| {
                summary.scalar(tag, value as f32);
                Ok(())
            }),
            _ => Err(Error::invalid("value must be a scalar").found(format!("shape {}", cx.input(3)?.shape()))),
        }
    });

attrs! {
    /// Writes a histogram summary.
    pub struct WriteHistogramSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", COUNTED).or_type(DType::F32),
    }
}

pub static WRITE_HISTOGRAM_SUMMARY: Def<WriteHistogramSummary> =
    on_writer("WriteHistogramSummary", &[WRITER, STEP, TAG, arg("values", of("T"))], |_, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let values = numbers(cx.input(3)?)?;
        write(cx, |summary| summary.histogram(tag, values))
    });

attrs! {
    /// Writes a tensor summary.
    pub struct WriteSummary {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static WRITE_SUMMARY: Def<WriteSummary> = on_writer(
    "WriteSummary",
    &[WRITER, STEP, arg("tensor", of("T")), TAG, arg("summary_metadata", is(DType::Str))],
    |_, cx| {
        let (tag, metadata): (Bytes, Bytes) = (scalar(cx, 3, "tag")?, scalar(cx, 4, "summary_metadata")?);
        let metadata = (!metadata.is_empty()).then_some(&metadata[..]);
        write(cx, |summary| summary.tensor(tag, cx.input(2)?, metadata))
    },
);

attrs! {
    /// Writes an image summary.
    pub struct WriteImageSummary {
        /// Maximum number of images.
        max_images: i64 = Attr::int("max_images").or_int(3).at_least(1),
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", IMAGES).or_type(DType::F32),
    }
}

pub static WRITE_IMAGE_SUMMARY: Def<WriteImageSummary> = on_writer(
    "WriteImageSummary",
    &[WRITER, STEP, TAG, arg("tensor", of("T")), arg("bad_color", is(DType::U8))],
    |op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let bad_color = cx.slice::<u8>(4)?;
        write(cx, |summary| summary.images(tag, cx.input(3)?, op.max_images as usize, bad_color))
    },
);

attrs! {
    /// Writes an audio summary.
    pub struct WriteAudioSummary {
        /// Maximum number of clips.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    }
}

pub static WRITE_AUDIO_SUMMARY: Def<WriteAudioSummary> = on_writer(
    "WriteAudioSummary",
    &[WRITER, STEP, TAG, arg("tensor", is(DType::F32)), arg("sample_rate", is(DType::F32))],
    |op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let rate = scalar(cx, 4, "sample_rate")?;
        write(cx, |summary| summary.audio(tag, cx.input(3)?, rate, op.max_outputs as usize))
    },
);

pub static WRITE_RAW_PROTO_SUMMARY: Def<OnWriter> =
    on_writer("WriteRawProtoSummary", &[WRITER, STEP, arg("tensor", is(DType::Str))], |_, cx| {
        write(cx, |summary| {
            for message in cx.slice::<Bytes>(2)? {
                tags(message).map_err(|_| Error::data_loss("Bad tf.compat.v1.Summary binary proto tensor string"))?;
                summary.merge(message);
            }
            Ok(())
        })
    })
    .doc("Writes serialized summaries.");

pub static WRITE_GRAPH_SUMMARY: Def<OnWriter> =
    on_writer("WriteGraphSummary", &[WRITER, STEP, arg("tensor", is(DType::Str))], |_, cx| {
        let (step, graph): (i64, Bytes) = (scalar(cx, 1, "step")?, scalar(cx, 2, "tensor")?);
        levada_graph::read::parse_pb(&graph)
            .map_err(|_| Error::data_loss("Bad tf.GraphDef binary proto tensor string"))?;
        writer(cx, 0)?.event(step, Event::Graph(&graph))
    })
    .doc("Writes a graph, as a serialized `GraphDef`.");

pub static IMPORT_EVENT: Def<OnWriter> = on_writer("ImportEvent", &[WRITER, arg("event", is(DType::Str))], |_, cx| {
    let event: Bytes = scalar(cx, 1, "event")?;
    writer(cx, 0)?.message(&event)
})
.doc("Writes a serialized event.");
