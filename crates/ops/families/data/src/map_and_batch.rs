//! `MapAndBatchDataset`: applies a function to several elements concurrently and combines the results into batches.

use crate::batch::{batch, batch_size, batches};
use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Tuple, input, make, scalar, scalar_output};
use crate::function::Function;
use crate::iter::{Iter, Next, Turn};
use crate::parallel_map::{ParallelMap, parallel_calls};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use levada_kernel::Arena;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Applies a function to each element of a dataset and combines the results into batches. `num_parallel_calls`
    /// calls run concurrently; -1 tunes their number.
    pub struct MapAndBatchDataset {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Whether the function must not end the dataset.
        preserve_cardinality: bool = Attr::bool("preserve_cardinality").or_bool(false),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static MAP_AND_BATCH_DATASET: Def<MapAndBatchDataset> = op("MapAndBatchDataset")
    .inputs(&[
        INPUT,
        ARGUMENTS,
        arg("batch_size", is(DType::I64)),
        arg("num_parallel_calls", is(DType::I64)),
        arg("drop_remainder", is(DType::Bool)),
    ])
    .outputs(DATASET)
    .also(&[form("ExperimentalMapAndBatchDataset").without(&["metadata"])])
    .shape(scalar_output)
    .kernel(|op: &MapAndBatchDataset, cx| {
        let first = cx.num_inputs() - 3;
        let map = ParallelMap {
            source: input(cx, 0)?,
            function: Function::of(cx, &op.function, 1..first)?,
            calls: parallel_calls(cx, first + 1)?,
            ordered: true,
            types: op.types.as_slice().into(),
            preserves: op.preserve_cardinality,
        };
        let (size, drops) = (batch_size(cx, first)?, scalar(cx, first + 2, "drop_remainder")?);
        let arena = cx.device.arena.clone();
        make(cx, op.types.clone(), op.shapes.clone(), MapAndBatch { map, size, drops, arena })
    });

struct MapAndBatch {
    map: ParallelMap,
    size: u64,
    drops: bool,
    arena: Arc<Arena>,
}

impl Dataset for MapAndBatch {
    fn kind(&self) -> &'static str {
        "MapAndBatch"
    }

    fn is_tuned(&self) -> bool {
        self.map.is_tuned()
    }

    fn cardinality(&self) -> i64 {
        batches(self.map.cardinality(), self.size, self.drops)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(MapAndBatchIter {
            map: self.map.iterator(setup)?,
            size: self.size,
            drops: self.drops,
            arena: self.arena.clone(),
            taken: 0,
            rows: Vec::new(),
            failed: None,
            ended: false,
        }))
    }
}

struct MapAndBatchIter {
    map: Box<dyn Iter>,
    size: u64,
    drops: bool,
    arena: Arc<Arena>,
    /// Number of elements of this batch so far, including those that failed.
    taken: u64,
    rows: Vec<Tuple>,
    /// The error of the first of these; the batch fails with it once it is complete.
    failed: Option<Error>,
    ended: bool,
}

impl Iter for MapAndBatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended && self.taken < self.size {
            match ready!(self.map.poll(turn)) {
                Ok(Some(element)) => {
                    self.rows.push(element);
                    self.taken += 1;
                }
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.failed.get_or_insert(error);
                    self.taken += 1;
                }
            }
            ready!(turn.pass());
        }
        let taken = std::mem::take(&mut self.taken);
        let rows = std::mem::take(&mut self.rows);
        match self.failed.take() {
            Some(error) => Poll::Ready(Err(error)),
            None if taken == 0 || (taken < self.size && self.drops) => Poll::Ready(Ok(None)),
            None => Poll::Ready(batch(&rows, &self.arena).map(Some)),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.int(self.taken as i64);
        to.count(self.rows.len());
        self.rows.iter().for_each(|row| to.element(row));
        to.int(self.failed.is_some());
        if let Some(error) = &self.failed {
            to.error(error);
        }
        self.map.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.ended, self.taken) = (from.flag()?, from.int()? as u64);
        for _ in 0..from.count()? {
            self.rows.push(from.element()?);
        }
        self.failed = if from.flag()? { Some(from.error()?) } else { None };
        self.map.restore(from)
    }
}
