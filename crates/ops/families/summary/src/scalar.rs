//! `ScalarSummary`: tagged scalars.

use crate::numbers::numbers;
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

attrs! {
    /// Creates a summary of scalars, each with its tag.
    pub struct ScalarSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

pub static SCALAR_SUMMARY: Def<ScalarSummary> = op("ScalarSummary")
    .inputs(&[arg("tags", is(DType::Str)), arg("values", of("T"))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(scalar_summary);

fn scalar_summary(_: &ScalarSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
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
