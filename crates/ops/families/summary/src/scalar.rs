//! `ScalarSummary`: numbers with tags.

use crate::numbers::numbers;
use crate::prelude::*;
use levada_summary::Summary;

attrs! {
    /// Writes each value with its tag.
    pub struct ScalarSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

impl Op for ScalarSummary {
    const SPEC: Spec = Spec {
        name: "ScalarSummary",
        inputs: &[arg("tags", is(DType::Str)), arg("values", of("T"))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for ScalarSummary {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (tags, values) = (cx.input(0)?, cx.input(1)?);
        if tags.shape() != values.shape() {
            return Err(Error::invalid(format!(
                "tags and values are not the same shape: {} != {}",
                tags.shape(),
                values.shape()
            )));
        }
        let mut summary = Summary::default();
        for (tag, number) in tags.slice::<Bytes>()?.iter().zip(numbers(values)?) {
            summary.scalar(tag, number as f32);
        }
        cx.set(0, Tensor::string(summary.bytes()));
        Ok(())
    }
}
