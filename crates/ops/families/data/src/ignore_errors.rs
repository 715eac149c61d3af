//! `IgnoreErrorsDataset`: skips elements that fail.

use crate::dataset::{DATASET, Dataset, INFINITE, INPUT, Setup, Source, UNKNOWN, input, make_like, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Returns the elements of a dataset, skipping those that fail.
    pub struct IgnoreErrorsDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Whether to log each error.
        logs: bool = Attr::bool("log_warning").or_bool(false),
    }
}

pub static IGNORE_ERRORS_DATASET: Def<IgnoreErrorsDataset> = op("IgnoreErrorsDataset")
    .inputs(&[INPUT])
    .outputs(DATASET)
    .also(&[form("ExperimentalIgnoreErrorsDataset")])
    .shape(scalar_output)
    .kernel(|op: &IgnoreErrorsDataset, cx| {
        let source = input(cx, 0)?;
        let log = op.logs.then(|| cx.env().log.clone());
        make_like(cx, &source.clone(), IgnoreErrors { source, log })
    });

type Log = Arc<levada_kernel::env::Log>;

struct IgnoreErrors {
    source: Source,
    log: Option<Log>,
}

impl Dataset for IgnoreErrors {
    fn kind(&self) -> &'static str {
        "IgnoreErrors"
    }

    fn cardinality(&self) -> i64 {
        match self.source.cardinality() {
            n @ (INFINITE | 0) => n,
            _ => UNKNOWN,
        }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(IgnoreErrorsIter { input: setup.make(&self.source)?, log: self.log.clone() }))
    }
}

struct IgnoreErrorsIter {
    input: Box<dyn Iter>,
    log: Option<Log>,
}

impl Iter for IgnoreErrorsIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match ready!(self.input.poll(turn)) {
                // A cancelled run does not mean that the element failed.
                Err(error) if error.code() != Code::Cancelled => {
                    if let Some(log) = &self.log {
                        log(&format!("Error raised with error message {error}"));
                    }
                }
                got => return Poll::Ready(got),
            }
            ready!(turn.pass());
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.input.restore(from)
    }
}
