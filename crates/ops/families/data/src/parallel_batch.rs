//! `ParallelBatchDataset`: elements side by side, some of which are computed ahead.

use crate::batch::{Batch, batch_shapes, batch_size};
use crate::dataset::{DATASET, INPUT, input, make, scalar, scalar_output};
use crate::prelude::*;

attrs! {
    /// A dataset whose elements are so many of those of another, each component as rows of one tensor.
    pub struct ParallelBatchDataset {
        /// Not used.
        parallel_copy: bool = Attr::bool("parallel_copy").or_bool(false),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used: the order is always that of the input.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static PARALLEL_BATCH_DATASET: Def<ParallelBatchDataset> = op("ParallelBatchDataset")
    .inputs(&[
        INPUT,
        arg("batch_size", is(DType::I64)),
        arg("num_parallel_calls", is(DType::I64)),
        arg("drop_remainder", is(DType::Bool)),
    ])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_: &ParallelBatchDataset, cx| {
        let (source, size) = (input(cx, 0)?, batch_size(cx, 1)?);
        let calls: i64 = scalar(cx, 2, "num_parallel_calls")?;
        if calls != -1 && calls <= 0 {
            return Err(Error::invalid("num_parallel_calls must be greater than zero.").found(calls));
        }
        let drops = scalar(cx, 3, "drop_remainder")?;
        let (types, shapes) = (source.types.clone(), batch_shapes(&source, size, drops));
        let batch = Batch { kind: "ParallelBatch", source, size, drops, arena: cx.device.arena.clone() };
        make(cx, types, shapes, batch)
    });
