//! `MergeSummary`: merges summaries.

use crate::prelude::*;
use crate::rules::never;
use levada_summary::{Summary, tags};
use std::collections::HashSet;

attrs! {
    /// Merges summaries. Tags must be unique.
    pub struct MergeSummary {
        /// Number of summaries.
        n: i64 = Attr::int("N").at_least(1),
    }
}

pub static MERGE_SUMMARY: Def<MergeSummary> = op("MergeSummary")
    .inputs(&[arg("inputs", is(DType::Str)).times("N")])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(merge_summary);

fn merge_summary(_: &MergeSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (mut merged, mut seen) = (Summary::default(), HashSet::new());
    for input in cx.inputs_from(0)? {
        for summary in input.slice::<Bytes>()? {
            let tags = tags(summary).map_err(|_| Error::invalid("Could not parse one of the summary inputs"))?;
            // The values of `TensorSummary` have no tag.
            for tag in tags.into_iter().filter(|tag| !tag.is_empty()) {
                if !seen.insert(tag.to_vec()) {
                    let tag = String::from_utf8_lossy(tag).into_owned();
                    return Err(Error::invalid(format!("Duplicate tag {tag} found in summary inputs")));
                }
            }
            merged.merge(summary);
        }
    }
    cx.set(0, Tensor::string(merged.bytes()));
    Ok(())
}
