//! Ops that write an event to a writer's file.

use super::image::IMAGES;
use crate::numbers::{numbers, scalar};
use crate::prelude::*;
use crate::writer::writer;
use levada_summary::{Event, Summary, tags};

/// Numbers and truth values.
const COUNTED: &[DType] = &[
    DType::F32, DType::F64, DType::I32, DType::U8, DType::I16, DType::I8, DType::I64, DType::BF16, DType::U16, DType::F16,
    DType::U32, DType::U64, DType::Bool,
];

/// Writes the summary that `fill` makes, with the step on input 1.
fn write(cx: &Cx<'_, '_>, fill: impl FnOnce(&mut Summary) -> Result<()>) -> Result<()> {
    let step: i64 = scalar(cx, 1, "step")?;
    let mut summary = Summary::default();
    fill(&mut summary)?;
    writer(cx)?.summary(step, &summary)
}

macro_rules! writes {
    ($($(#[doc = $doc:literal])* $name:ident { $($attrs:tt)* } ($($input:expr),*) |$op:ident, $cx:ident| $write:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name { $($attrs)* }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("writer", is(DType::Resource)), $($input),*],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(0, 0).map(drop)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                $write
            }
        }
    )*};
}

writes! {
    /// Writes a number.
    WriteScalarSummary {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    } (arg("step", is(DType::I64)), arg("tag", is(DType::Str)), arg("value", of("T"))) |_op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        match numbers(cx.input(3)?)?[..] {
            [value] => write(cx, |summary| {
                summary.scalar(tag, value as f32);
                Ok(())
            }),
            _ => Err(Error::invalid("value must be a scalar").found(format!("shape {}", cx.input(3)?.shape()))),
        }
    };
    /// Writes a histogram.
    WriteHistogramSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", COUNTED).or_type(DType::F32),
    } (arg("step", is(DType::I64)), arg("tag", is(DType::Str)), arg("values", of("T"))) |_op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let values = numbers(cx.input(3)?)?;
        write(cx, |summary| summary.histogram(tag, values))
    };
    /// Writes a tensor.
    WriteSummary {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    } (arg("step", is(DType::I64)), arg("tensor", of("T")), arg("tag", is(DType::Str)),
       arg("summary_metadata", is(DType::Str))) |_op, cx| {
        let (tag, metadata): (Bytes, Bytes) = (scalar(cx, 3, "tag")?, scalar(cx, 4, "summary_metadata")?);
        let metadata = (!metadata.is_empty()).then_some(&metadata[..]);
        write(cx, |summary| summary.tensor(tag, cx.input(2)?, metadata))
    };
    /// Writes images.
    WriteImageSummary {
        /// How many of the batch, at most.
        max_images: i64 = Attr::int("max_images").or_int(3).at_least(1),
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", IMAGES).or_type(DType::F32),
    } (arg("step", is(DType::I64)), arg("tag", is(DType::Str)), arg("tensor", of("T")), arg("bad_color", is(DType::U8)))
    |op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let bad_color = cx.slice::<u8>(4)?;
        write(cx, |summary| summary.images(tag, cx.input(3)?, op.max_images as usize, bad_color))
    };
    /// Writes sound.
    WriteAudioSummary {
        /// How many clips of the batch, at most.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    } (arg("step", is(DType::I64)), arg("tag", is(DType::Str)), arg("tensor", is(DType::F32)),
       arg("sample_rate", is(DType::F32))) |op, cx| {
        let tag: Bytes = scalar(cx, 2, "tag")?;
        let rate = scalar(cx, 4, "sample_rate")?;
        write(cx, |summary| summary.audio(tag, cx.input(3)?, rate, op.max_outputs as usize))
    };
    /// Writes summaries that are messages already.
    WriteRawProtoSummary {} (arg("step", is(DType::I64)), arg("tensor", is(DType::Str))) |_op, cx| {
        write(cx, |summary| {
            for message in cx.slice::<Bytes>(2)? {
                tags(message).map_err(|_| Error::data_loss("Bad tf.compat.v1.Summary binary proto tensor string"))?;
                summary.merge(message);
            }
            Ok(())
        })
    };
    /// Writes a graph, as a message `GraphDef`.
    WriteGraphSummary {} (arg("step", is(DType::I64)), arg("tensor", is(DType::Str))) |_op, cx| {
        let (step, graph): (i64, Bytes) = (scalar(cx, 1, "step")?, scalar(cx, 2, "tensor")?);
        levada_graph::read::parse_pb(&graph).map_err(|_| Error::data_loss("Bad tf.GraphDef binary proto tensor string"))?;
        writer(cx)?.event(step, Event::Graph(&graph))
    };
    /// Writes an event that is a message already.
    ImportEvent {} (arg("event", is(DType::Str))) |_op, cx| {
        let event: Bytes = scalar(cx, 1, "event")?;
        writer(cx)?.message(&event)
    };
}
