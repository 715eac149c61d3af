//! `ParallelBatchDataset`: batches that are computed ahead.

use crate::access::Access;
use crate::batch::{Batch, batch_shapes, batch_size};
use crate::dataset::{DATASET, Dataset, INPUT, Setup, input, make, scalar, scalar_output};
use crate::iter::Iter;
use crate::parallel_map::{Most, parallel_calls};
use crate::prefetch::{Ahead, Limit};
use crate::prelude::*;

attrs! {
    /// Combines consecutive elements of a dataset into batches; each component becomes the rows of a tensor.
    /// `num_parallel_calls` batches are computed before they are requested; -1 tunes their number.
    pub struct ParallelBatchDataset {
        /// Not used.
        parallel_copy: bool = Attr::bool("parallel_copy").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
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
        let calls = parallel_calls(cx, 2)?;
        let drops = scalar(cx, 3, "drop_remainder")?;
        let (types, shapes) = (source.types.clone(), batch_shapes(&source, size, drops));
        let batch = Batch { kind: "ParallelBatch", source, size, drops, arena: cx.device.arena.clone() };
        make(cx, types, shapes, ParallelBatch { batch, calls })
    });

struct ParallelBatch {
    batch: Batch,
    /// Number of batches to compute ahead.
    calls: Most,
}

impl Dataset for ParallelBatch {
    fn kind(&self) -> &'static str {
        self.batch.kind()
    }

    fn cardinality(&self) -> i64 {
        self.batch.cardinality()
    }

    fn is_tuned(&self) -> bool {
        self.calls.tuned
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        self.batch.access(setup)
    }

    fn any_order(&self) -> Result<()> {
        self.batch.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let batches = setup.ahead(1).part("Batch", |inside| self.batch.iterator(inside))?;
        let limit = Limit { now: self.calls.calls, grows: self.calls.tuned };
        Ok(Box::new(Ahead::new(&setup, batches, limit)))
    }
}
