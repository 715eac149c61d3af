//! `HistogramSummary`: how often values are in which range.

use crate::numbers::{numbers, scalar};
use crate::prelude::*;
use levada_summary::Summary;

attrs! {
    /// A histogram of the values.
    pub struct HistogramSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", sets::REALS).or_type(DType::F32),
    }
}

impl Op for HistogramSummary {
    const SPEC: Spec = Spec {
        name: "HistogramSummary",
        inputs: &[arg("tag", is(DType::Str)), arg("values", of("T"))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for HistogramSummary {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let tag: Bytes = scalar(cx, 0, "tags")?;
        let mut summary = Summary::default();
        summary.histogram(tag, numbers(cx.input(1)?)?)?;
        cx.set(0, Tensor::string(summary.bytes()));
        Ok(())
    }
}
