//! `BatchDataset`: combines consecutive elements into batches.

use crate::access::Access;
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::rows;
use levada_kernel::Arena;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor.
    pub struct BatchDataset {
        /// Not used.
        parallel_copy: bool = Attr::bool("parallel_copy").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static BATCH_DATASET: Def<BatchDataset> = op("BatchDataset")
    .inputs(&[INPUT, SIZE])
    .outputs(DATASET)
    .without(&["parallel_copy"])
    .also(&[form("BatchDatasetV2").inputs(&[INPUT, SIZE, DROP])])
    .shape(scalar_output)
    .kernel(|_: &BatchDataset, cx| {
        let size = batch_size(cx, 1)?;
        let drops = cx.num_inputs() > 2 && scalar(cx, 2, "drop_remainder")?;
        let (source, arena) = (input(cx, 0)?, cx.device.arena.clone());
        let (types, shapes) = (source.types.clone(), batch_shapes(&source, size, drops));
        make(cx, types, shapes, Batch { kind: "BatchV2", source, size, drops, arena })
    });

const SIZE: Arg = arg("batch_size", is(DType::I64));
const DROP: Arg = arg("drop_remainder", is(DType::Bool));

/// Reads the batch size from input `i`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is invalid.
pub(crate) fn batch_size(cx: &Cx<'_, '_>, i: usize) -> Result<u64> {
    let size: i64 = scalar(cx, i, "batch_size")?;
    u64::try_from(size)
        .ok()
        .filter(|&size| size > 0)
        .ok_or_else(|| Error::invalid("Batch size must be greater than zero.").found(size))
}

/// Returns the shapes of batches of elements of `source`.
pub(crate) fn batch_shapes(source: &Source, size: u64, drops: bool) -> Vec<PartialShape> {
    let rows = if drops || source.cardinality() == -1 { usize::try_from(size).ok() } else { None };
    source.shapes.iter().map(|shape| PartialShape::vector(rows).concat(shape)).collect()
}

/// Returns the number of batches that `n` elements make.
pub(crate) fn batches(n: i64, size: u64, drops: bool) -> i64 {
    match u64::try_from(n) {
        Ok(n) => (if drops { n / size } else { n.div_ceil(size) }) as i64,
        Err(_) => n,
    }
}

/// A dataset of batches.
pub(crate) struct Batch {
    pub(crate) kind: &'static str,
    pub(crate) source: Source,
    pub(crate) size: u64,
    pub(crate) drops: bool,
    pub(crate) arena: Arc<Arena>,
}

impl Dataset for Batch {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn cardinality(&self) -> i64 {
        batches(self.source.cardinality(), self.size, self.drops)
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (input, total) = (setup.access(&self.source)?, self.source.cardinality().max(0) as u64);
        Ok(Box::new(BatchAccess { input, size: self.size, total, rows: Vec::new(), arena: self.arena.clone() }))
    }

    fn any_order(&self) -> Result<()> {
        if !self.drops {
            let text = format!("{} does not support global shuffling with `drop_remainder=False`.", self.kind);
            return Err(Error::failed_precondition(text));
        }
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let gathered = Gathered {
            input: setup.make(&self.source)?,
            size: self.size,
            drops: self.drops,
            rows: Vec::new(),
            ended: false,
        };
        Ok(Box::new(BatchIter { gathered, arena: self.arena.clone() }))
    }
}

/// Collects the elements of batches.
pub(crate) struct Gathered {
    pub(crate) input: Box<dyn Iter>,
    pub(crate) size: u64,
    pub(crate) drops: bool,
    pub(crate) rows: Vec<Tuple>,
    pub(crate) ended: bool,
}

impl Gathered {
    /// Returns the elements of the next batch; `None` at the end. An error drops those collected so far, as in
    /// TensorFlow.
    pub(crate) fn poll(&mut self, turn: &mut Turn<'_>) -> Poll<Result<Option<Vec<Tuple>>>> {
        while !self.ended && (self.rows.len() as u64) < self.size {
            match ready!(self.input.poll(turn)) {
                Ok(Some(element)) => self.rows.push(element),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.rows.clear();
                    return Poll::Ready(Err(error));
                }
            }
            ready!(turn.pass());
        }
        let rows = std::mem::take(&mut self.rows);
        let is_there = !rows.is_empty() && (rows.len() as u64 == self.size || !self.drops);
        Poll::Ready(Ok(is_there.then_some(rows)))
    }

    pub(crate) fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.count(self.rows.len());
        self.rows.iter().for_each(|row| to.element(row));
        self.input.save(turn, to)
    }

    pub(crate) fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.ended = from.flag()?;
        for _ in 0..from.count()? {
            self.rows.push(from.element()?);
        }
        self.input.restore(from)
    }
}

struct BatchAccess {
    input: Box<dyn Access>,
    size: u64,
    /// Number of elements of the input.
    total: u64,
    /// Rows collected so far for the requested batch.
    rows: Vec<Tuple>,
    arena: Arc<Arena>,
}

impl Access for BatchAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        let first = index.saturating_mul(self.size);
        let rows = self.size.min(self.total.saturating_sub(first));
        while (self.rows.len() as u64) < rows {
            match ready!(self.input.poll(first + self.rows.len() as u64, turn)) {
                Ok(row) => self.rows.push(row),
                Err(error) => {
                    self.rows.clear();
                    return Poll::Ready(Err(error));
                }
            }
            ready!(turn.pass());
        }
        Poll::Ready(batch(&std::mem::take(&mut self.rows), &self.arena))
    }
}

struct BatchIter {
    gathered: Gathered,
    arena: Arc<Arena>,
}

impl Iter for BatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let rows = ready!(self.gathered.poll(turn))?;
        Poll::Ready(rows.map(|rows| batch(&rows, &self.arena)).transpose())
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.gathered.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.gathered.restore(from)
    }
}

/// Combines elements, of which there is at least one, into a batch.
///
/// # Errors
/// `INVALID_ARGUMENT` if their shapes differ.
pub(crate) fn batch(rows: &[Tuple], arena: &Arc<Arena>) -> Result<Tuple> {
    let components = rows.first().map_or(0, Vec::len);
    let one = |i: usize| {
        let parts = || rows.iter().filter_map(move |row| row.get(i));
        let Some(first) = parts().next() else { return Err(Error::internal("a batch without elements")) };
        if let Some((at, other)) = parts().enumerate().find(|(_, part)| part.shape() != first.shape()) {
            return Err(Error::invalid(format!(
                "Cannot batch tensors with different shapes in component {i}. First element had shape {} and element \
                 {at} had shape {}.",
                first.shape(),
                other.shape()
            )));
        }
        rows::join(arena, first.dtype(), rows::batch_shape(rows.len(), first.shape())?, parts())
    };
    (0..components).map(one).collect()
}
