//! `HistogramSummary`: how often values are in which range.

use crate::numbers::{numbers, scalar};
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

attrs! {
    /// A histogram of the values.
    pub struct HistogramSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", sets::REALS).or_type(DType::F32),
    }
}

pub static HISTOGRAM_SUMMARY: Def<HistogramSummary> = op("HistogramSummary")
    .inputs(&[arg("tag", is(DType::Str)), arg("values", of("T"))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(histogram_summary)
    .heavy();

fn histogram_summary(_: &HistogramSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "tags")?;
    let mut summary = Summary::default();
    summary.histogram(tag, numbers(cx.input(1)?)?)?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}
