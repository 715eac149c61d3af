//! `HistogramSummary`: a histogram of values.

use crate::numbers::{numbers, scalar};
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

attrs! {
    /// Creates a summary with a histogram of the values.
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

/// Number of values between checks for cancellation.
const LOOK_EVERY: usize = 1 << 18;

fn histogram_summary(_: &HistogramSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "tags")?;
    let (mut summary, step) = (Summary::default(), cx.step());
    cx.device.arena.check(cx.input(1)?.num_elements().saturating_mul(size_of::<f64>()))?;
    let goes_on = |(i, _): &(usize, f64)| i % LOOK_EVERY != 0 || step.check().is_ok();
    let values = numbers(cx.input(1)?)?.into_iter().enumerate().take_while(goes_on);
    summary.histogram(tag, values.map(|(_, value)| value))?;
    step.check()?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}
