//! `TensorSummary` and `TensorSummaryV2`: tensors in full.

use crate::numbers::scalar;
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

attrs! {
    /// Creates a summary of a tensor, tagged with the node's name.
    pub struct TensorSummary {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Not used.
        description: Bytes = Attr::string("description").or_str(""),
        /// Not used.
        labels: Vec<Bytes> = Attr::strings("labels").or_empty(),
        /// Not used.
        display_name: Bytes = Attr::string("display_name").or_str(""),
    }
}

pub static TENSOR_SUMMARY: Def<TensorSummary> = op("TensorSummary")
    .inputs(&[arg("tensor", of("T"))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_summary);

fn tensor_summary(_: &TensorSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut summary = Summary::default();
    summary.node(&cx.node().name, cx.input(0)?)?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}

attrs! {
    /// Creates a summary of a tensor, with a tag and plugin metadata.
    pub struct TensorSummaryV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static TENSOR_SUMMARY_V2: Def<TensorSummaryV2> = op("TensorSummaryV2")
    .inputs(&[arg("tag", is(DType::Str)), arg("tensor", of("T")), arg("serialized_summary_metadata", is(DType::Str))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_summary_v2);

fn tensor_summary_v2(_: &TensorSummaryV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "tag")?;
    let metadata: Bytes = scalar(cx, 2, "serialized_summary_metadata")?;
    let mut summary = Summary::default();
    summary.tensor(tag, cx.input(1)?, Some(&metadata))?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}
