//! `ComputeBatchSize`: the batch size of a dataset, derived from its nodes.

use crate::dataset::{INPUT, Source, input, scalar_output};
use crate::made::MOST_DEEP;
use crate::prelude::*;

attrs! {
    /// Returns the batch size of a dataset as determined by the nodes that it is made of; -1 if it is unknown or
    /// varies.
    pub struct ComputeBatchSize {}
}

pub static COMPUTE_BATCH_SIZE: Def<ComputeBatchSize> =
    op("ComputeBatchSize").inputs(&[INPUT]).outputs(&[arg("batch_size", is(DType::I64))]).shape(scalar_output).kernel(
        |_: &ComputeBatchSize, cx| {
            let size = size(&input(cx, 0)?, 0);
            cx.set(0, Tensor::scalar(size.unwrap_or(-1)));
            Ok(())
        },
    );

/// Returns the batch size; `None` if it is not known.
fn size(source: &Source, depth: u32) -> Option<i64> {
    let made = source.made.as_ref().filter(|_| depth < MOST_DEEP)?;
    let inputs = source.inputs();
    match made.kind() {
        "BatchDataset" | "PaddedBatchDataset" => inputs.get(1)?.item().ok(),
        "ExperimentalMapAndBatchDataset" | "MapAndBatchDataset" => {
            inputs.get(inputs.len().checked_sub(3)?)?.item().ok()
        }
        "ConcatenateDataset" | "ZipDataset" => {
            let mut sizes = inputs.iter().map(|input| size(&Source::of(input).ok()?, depth + 1));
            let first = sizes.next()??;
            sizes.all(|other| other == Some(first)).then_some(first)
        }
        "AssertCardinalityDataset"
        | "CacheDataset"
        | "FilterDataset"
        | "ParseExampleDataset"
        | "PrefetchDataset"
        | "RepeatDataset"
        | "ShardDataset"
        | "ShuffleAndRepeatDataset"
        | "ShuffleDataset"
        | "SkipDataset"
        | "TakeDataset" => size(&source.first()?, depth + 1),
        _ => None,
    }
}
