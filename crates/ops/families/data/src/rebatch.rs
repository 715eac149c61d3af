//! `RebatchDataset`, `RebatchDatasetV2`: changes batch sizes.

use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::rows;
use crate::unbatch::rows_of;
use levada_kernel::Arena;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Splits each batch of a dataset into `num_replicas` batches.
    pub struct RebatchDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        use_fallback: bool = Attr::bool("use_fallback").or_bool(true),
    }
}

pub static REBATCH_DATASET: Def<RebatchDataset> = op("RebatchDataset")
    .inputs(&[INPUT, arg("num_replicas", is(DType::I64))])
    .outputs(DATASET)
    .also(&[form("ExperimentalRebatchDataset")])
    .shape(scalar_output)
    .kernel(|op: &RebatchDataset, cx| {
        let (source, replicas): (Source, i64) = (input(cx, 0)?, scalar(cx, 1, "num_replicas")?);
        if replicas <= 0 {
            return Err(Error::invalid("num_replicas must be greater than zero.").found(replicas));
        }
        make(cx, op.types.clone(), op.shapes.clone(), Cut { source, replicas: replicas as usize })
    });

struct Cut {
    source: Source,
    replicas: usize,
}

impl Dataset for Cut {
    fn kind(&self) -> &'static str {
        "Rebatch"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        Ok(Box::new(CutIter { input, replicas: self.replicas, at: 0, element: Vec::new() }))
    }
}

struct CutIter {
    input: Box<dyn Iter>,
    replicas: usize,
    /// Index of the next part; 0 if it belongs to the next element.
    at: usize,
    element: Tuple,
}

impl Iter for CutIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.at == 0 {
            let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
            if let Some(i) = element.iter().position(|component| component.shape().rank() == 0) {
                return Poll::Ready(Err(Error::invalid(format!(
                    "Cannot rebatch dataset: All components must have at least one dimension. Perhaps your input \
                     dataset is not batched? Component {i} is scalar."
                ))));
            }
            self.element = element;
        }
        let (at, replicas) = (self.at, self.replicas);
        let part = |component: &Tensor| {
            let rows = component.shape()[0];
            let each = rows.div_ceil(replicas);
            let end = each.saturating_mul(at + 1).min(rows);
            component.rows(each.saturating_mul(at).min(end)..end)
        };
        let parts = self.element.iter().map(part).collect::<Result<Tuple>>();
        self.at = (at + 1) % replicas;
        Poll::Ready(parts.map(Some))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.at);
        to.element(&self.element);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.element) = (from.count()? % self.replicas, from.element()?);
        self.input.restore(from)
    }
}

attrs! {
    /// Regroups the rows of a dataset's batches into batches of the given sizes, cyclically.
    pub struct RebatchDatasetV2 {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static REBATCH_DATASET_V2: Def<RebatchDatasetV2> = op("RebatchDatasetV2")
    .inputs(&[INPUT, arg("batch_sizes", is(DType::I64)), arg("drop_remainder", is(DType::Bool))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &RebatchDatasetV2, cx| {
        let (source, drops) = (input(cx, 0)?, scalar(cx, 2, "drop_remainder")?);
        let sizes = cx.input(1)?;
        if sizes.shape().rank() > 1 {
            return Err(Error::invalid("`batch_sizes` must be a scalar or a vector."));
        }
        let sizes: Arc<[usize]> =
            sizes.slice::<i64>()?.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
        if sizes.is_empty() {
            return Err(Error::invalid("`batch_sizes` must hold a size.").found("none"));
        }
        let arena = cx.device.arena.clone();
        let shapes: Arc<[PartialShape]> = op.shapes.as_slice().into();
        let dataset =
            Rebatch { source, sizes, drops, shapes: shapes.clone(), types: op.types.as_slice().into(), arena };
        make(cx, op.types.clone(), shapes, dataset)
    });

#[derive(Clone)]
struct Rebatch {
    source: Source,
    sizes: Arc<[usize]>,
    drops: bool,
    types: Arc<[DType]>,
    shapes: Arc<[PartialShape]>,
    arena: Arc<Arena>,
}

impl Dataset for Rebatch {
    fn kind(&self) -> &'static str {
        "RebatchV2"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        Ok(Box::new(RebatchIter {
            of: self.clone(),
            input,
            element: Vec::new(),
            rows: 0,
            at: 0,
            parts: Vec::new(),
            have: 0,
            next: 0,
            ended: false,
        }))
    }
}

struct RebatchIter {
    of: Rebatch,
    input: Box<dyn Iter>,
    /// The current batch of the input, its number of rows, and how many of them have been used.
    element: Tuple,
    rows: usize,
    at: usize,
    /// The parts of the next batch so far, and their number of rows.
    parts: Vec<Tuple>,
    have: usize,
    /// Index of the size of the next batch.
    next: usize,
    ended: bool,
}

impl RebatchIter {
    /// Combines the parts into one batch.
    fn join(&mut self) -> Result<Tuple> {
        let parts = std::mem::take(&mut self.parts);
        let have = std::mem::take(&mut self.have);
        if let [part] = parts.as_slice() {
            return Ok(part.clone());
        }
        let one = |i: usize| {
            let pieces = || parts.iter().filter_map(move |part| part.get(i));
            let Some(first) = pieces().next() else { return self.nothing(i) };
            let shape = Shape::new(std::iter::once(have).chain(first.shape().dims()[1..].iter().copied()))?;
            if pieces().any(|piece| piece.shape().dims()[1..] != shape.dims()[1..]) {
                return Err(Error::invalid(format!(
                    "Cannot rebatch: the rows of component {i} are of different shapes."
                )));
            }
            rows::join(&self.of.arena, first.dtype(), shape, pieces())
        };
        (0..self.of.types.len()).map(one).collect()
    }

    /// Returns component `i` without rows.
    fn nothing(&self, i: usize) -> Result<Tensor> {
        let dims = match self.of.shapes[i].rank() {
            Some(rank) => {
                (0..rank).map(|axis| self.of.shapes[i].dim(axis as isize).filter(|_| axis > 0).unwrap_or(0)).collect()
            }
            None => vec![0],
        };
        Tensor::try_zeros(self.of.types[i], Shape::new(dims)?)
    }
}

impl Iter for RebatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.ended {
            return Poll::Ready(Ok(None));
        }
        let size = self.of.sizes[self.next];
        while self.have < size && !self.ended {
            if self.at == self.rows {
                (self.at, self.rows) = (0, 0);
                match ready!(self.input.poll(turn))? {
                    None => self.ended = true,
                    Some(element) => {
                        self.rows = rows_of(&element)?;
                        self.element = element;
                    }
                }
                ready!(turn.pass());
                continue;
            }
            let end = self.rows.min(self.at + (size - self.have));
            let range = self.at..end;
            let part = self.element.iter().map(|component| component.rows(range.clone())).collect::<Result<Tuple>>()?;
            self.parts.push(part);
            self.have += end - self.at;
            self.at = end;
        }
        self.next = (self.next + 1) % self.of.sizes.len();
        if (self.have == 0 && size > 0) || (self.of.drops && self.have < size) {
            self.parts.clear();
            return Poll::Ready(Ok(None));
        }
        Poll::Ready(self.join().map(Some))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        for n in [self.rows, self.at, self.have, self.next] {
            to.count(n);
        }
        to.int(self.ended);
        to.element(&self.element);
        to.count(self.parts.len());
        self.parts.iter().for_each(|part| to.element(part));
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.rows, self.at, self.have) = (from.count()?, from.count()?, from.count()?);
        self.next = from.count()? % self.of.sizes.len();
        self.ended = from.flag()?;
        self.element = from.element()?;
        for _ in 0..from.count()? {
            self.parts.push(from.element()?);
        }
        self.input.restore(from)
    }
}
