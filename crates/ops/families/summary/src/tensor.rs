//! `TensorSummary` and `TensorSummaryV2`: tensors as they are.

use crate::numbers::scalar;
use crate::prelude::*;
use levada_summary::Summary;

attrs! {
    /// A tensor, under the node's name.
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

impl Op for TensorSummary {
    const SPEC: Spec = Spec {
        name: "TensorSummary",
        inputs: &[arg("tensor", of("T"))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for TensorSummary {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let mut summary = Summary::default();
        summary.node(&cx.node().name, cx.input(0)?)?;
        cx.set(0, Tensor::string(summary.bytes()));
        Ok(())
    }
}

attrs! {
    /// A tensor with a tag, and what says which plugin shows it.
    pub struct TensorSummaryV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for TensorSummaryV2 {
    const SPEC: Spec = Spec {
        name: "TensorSummaryV2",
        inputs: &[
            arg("tag", is(DType::Str)),
            arg("tensor", of("T")),
            arg("serialized_summary_metadata", is(DType::Str)),
        ],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for TensorSummaryV2 {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let tag: Bytes = scalar(cx, 0, "tag")?;
        let metadata: Bytes = scalar(cx, 2, "serialized_summary_metadata")?;
        let mut summary = Summary::default();
        summary.tensor(tag, cx.input(1)?, Some(&metadata))?;
        cx.set(0, Tensor::string(summary.bytes()));
        Ok(())
    }
}
