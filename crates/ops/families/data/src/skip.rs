//! `SkipDataset`: skips the first elements of a dataset.

use crate::access::{Access, Renumbered};
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, UNKNOWN, input, make_like, scalar, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static SKIP_DATASET: Def<Plain> = op("SkipDataset")
    .doc("Skips the first `count` elements of a dataset; all of them for -1.")
    .inputs(&[INPUT, arg("count", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, count) = (input(cx, 0)?, scalar(cx, 1, "count")?);
        make_like(cx, &source.clone(), Skip { source, count })
    });

struct Skip {
    source: Source,
    count: i64,
}

impl Dataset for Skip {
    fn kind(&self) -> &'static str {
        "Skip"
    }

    fn cardinality(&self) -> i64 {
        match self.source.cardinality() {
            _ if self.count < 0 => 0,
            n @ (INFINITE | UNKNOWN) => n,
            n => (n - self.count).max(0),
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (input, count) = (setup.access(&self.source)?, self.count.max(0) as u64);
        Ok(Box::new(Renumbered { input, number: move |i: u64| i + count }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let ended = self.count < 0;
        Ok(Box::new(SkipIter { input: setup.make(&self.source)?, left: self.count.max(0) as u64, ended }))
    }
}

struct SkipIter {
    input: Box<dyn Iter>,
    left: u64,
    ended: bool,
}

impl Iter for SkipIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while self.left > 0 && !self.ended {
            ready!(turn.pass());
            self.ended = ready!(self.input.poll(turn))?.is_none();
            self.left -= 1;
        }
        if self.ended { Poll::Ready(Ok(None)) } else { self.input.poll(turn) }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.left as i64);
        to.int(self.ended);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.left = from.int()? as u64;
        self.ended = from.flag()?;
        self.input.restore(from)
    }
}
