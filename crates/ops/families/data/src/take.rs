//! `TakeDataset`: the first elements of a dataset.

use crate::access::Access;
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, UNKNOWN, input, make_like, scalar, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static TAKE_DATASET: Def<Plain> = op("TakeDataset")
    .doc("Returns the first `count` elements of a dataset; all of them for -1.")
    .inputs(&[INPUT, arg("count", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, count) = (input(cx, 0)?, scalar(cx, 1, "count")?);
        make_like(cx, &source.clone(), Take { source, count })
    });

/// The first elements of a dataset.
pub(crate) struct Take {
    pub(crate) source: Source,
    /// The number of elements; all of them if it is negative.
    pub(crate) count: i64,
}

impl Dataset for Take {
    fn kind(&self) -> &'static str {
        "Take"
    }

    fn cardinality(&self) -> i64 {
        match (self.source.cardinality(), self.count) {
            (n, count) if count < 0 => n,
            (INFINITE, count) => count,
            (UNKNOWN, _) => UNKNOWN,
            (n, count) => n.min(count),
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        setup.access(&self.source)
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let left = u64::try_from(self.count).unwrap_or(u64::MAX);
        Ok(Box::new(TakeIter { input: setup.make(&self.source)?, left }))
    }
}

struct TakeIter {
    input: Box<dyn Iter>,
    left: u64,
}

impl Iter for TakeIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.left == 0 {
            return Poll::Ready(Ok(None));
        }
        let element = ready!(self.input.poll(turn))?;
        self.left = if element.is_some() { self.left - 1 } else { 0 };
        Poll::Ready(Ok(element))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.left as i64);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.left = from.int()? as u64;
        self.input.restore(from)
    }
}
