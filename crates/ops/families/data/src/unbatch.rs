//! `UnbatchDataset`: splits elements into their rows.

use crate::access::Access;
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static UNBATCH_DATASET: Def<Plain> = op("UnbatchDataset")
    .doc("Splits each element of a dataset into its rows.")
    .inputs(&[INPUT])
    .outputs(DATASET)
    .also(&[form("ExperimentalUnbatchDataset").without(&["metadata"])])
    .shape(scalar_output)
    .kernel(|_, cx| {
        let source = input(cx, 0)?;
        let shapes: Vec<PartialShape> = source.shapes.iter().map(row_shape).collect();
        let rows = source.shapes.iter().find_map(|shape| shape.dim(0));
        make(cx, source.types.clone(), shapes, Unbatch { source, rows })
    });

fn row_shape(shape: &PartialShape) -> PartialShape {
    match shape.rank() {
        Some(rank) if rank > 0 => PartialShape::new((1..rank).map(|axis| shape.dim(axis as isize))),
        _ => PartialShape::Unknown,
    }
}

struct Unbatch {
    source: Source,
    /// Number of rows per element, if it is known.
    rows: Option<usize>,
}

impl Dataset for Unbatch {
    fn kind(&self) -> &'static str {
        "Unbatch"
    }

    fn cardinality(&self) -> i64 {
        match (self.source.cardinality(), self.rows) {
            (n @ (INFINITE | UNKNOWN), _) => n,
            (n, Some(rows)) if rows > 0 => n.saturating_mul(rows as i64),
            _ => UNKNOWN,
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let Some(rows) = self.rows.filter(|&rows| rows > 0) else {
            return Err(Error::failed_precondition(
                "Random access for the `unbatch` dataset requires a known batch size.",
            ));
        };
        Ok(Box::new(UnbatchAccess { input: setup.access(&self.source)?, rows: rows as u64 }))
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(UnbatchIter {
            input: setup.make(&self.source)?,
            element: Vec::new(),
            at: 0,
            rows: 0,
            ended: false,
        }))
    }
}

/// Returns the number of rows of all components of an element.
///
/// # Errors
/// `INVALID_ARGUMENT` if they have no rows, or different numbers of rows.
pub(crate) fn rows_of(element: &[Tensor]) -> Result<usize> {
    let mut rows = None;
    for (i, component) in element.iter().enumerate() {
        let Some(&own) = component.shape().first() else {
            return Err(Error::invalid("Input element must have a non-scalar value in each component."));
        };
        let first = *rows.get_or_insert(own);
        if own != first {
            return Err(Error::invalid(format!(
                "Input element must have the same batch size in each component. Component 0 had size {first} but \
                 component {i} had size, {own}."
            )));
        }
    }
    Ok(rows.unwrap_or(0))
}

struct UnbatchAccess {
    input: Box<dyn Access>,
    /// Number of rows per element.
    rows: u64,
}

impl Access for UnbatchAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        let element = ready!(self.input.poll(index / self.rows, turn))?;
        Poll::Ready(element.iter().map(|component| component.row((index % self.rows) as usize)).collect())
    }
}

struct UnbatchIter {
    input: Box<dyn Iter>,
    /// The element whose rows are being returned.
    element: Tuple,
    at: usize,
    rows: usize,
    ended: bool,
}

impl Iter for UnbatchIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended {
            if self.at < self.rows {
                let row = self.element.iter().map(|component| component.row(self.at)).collect::<Result<Tuple>>();
                self.at += 1;
                return Poll::Ready(row.map(Some));
            }
            (self.at, self.rows) = (0, 0);
            self.element.clear();
            match ready!(self.input.poll(turn))? {
                None => self.ended = true,
                Some(element) => {
                    self.rows = rows_of(&element)?;
                    self.element = element;
                }
            }
            ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.at);
        to.count(self.rows);
        to.int(self.ended);
        to.element(&self.element);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.rows, self.ended) = (from.count()?, from.count()?, from.flag()?);
        self.element = from.element()?;
        self.input.restore(from)
    }
}
