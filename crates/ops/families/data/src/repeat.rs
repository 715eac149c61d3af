//! `RepeatDataset`: repeats a dataset.

use crate::access::{Access, Renumbered};
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, UNKNOWN, input, make_like, scalar, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static REPEAT_DATASET: Def<Plain> = op("RepeatDataset")
    .doc("Repeats a dataset `count` times; indefinitely for -1.")
    .inputs(&[INPUT, arg("count", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, count) = (input(cx, 0)?, scalar(cx, 1, "count")?);
        make_like(cx, &source.clone(), Repeat { source, count })
    });

struct Repeat {
    source: Source,
    count: i64,
}

impl Dataset for Repeat {
    fn kind(&self) -> &'static str {
        match self.count {
            0 => "EmptyRepeat",
            count if count < 0 => "ForeverRepeat",
            _ => "FiniteRepeat",
        }
    }

    fn cardinality(&self) -> i64 {
        repeated(self.source.cardinality(), self.count)
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (input, n) = (setup.warm(false).access(&self.source)?, self.source.cardinality().max(1) as u64);
        Ok(Box::new(Renumbered { input, number: move |i: u64| i % n }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = if self.count == 0 { None } else { Some(setup.make(&self.source)?) };
        Ok(Box::new(RepeatIter { input, source: self.source.clone(), setup, count: self.count, done: 0, first: true }))
    }
}

/// The cardinality of `n` elements repeated `count` times.
pub(crate) fn repeated(n: i64, count: i64) -> i64 {
    match (n, count) {
        (_, 0) | (0, _) => 0,
        (_, count) if count < 0 => INFINITE,
        (INFINITE | UNKNOWN, _) => n,
        (n, count) => n.saturating_mul(count),
    }
}

struct RepeatIter {
    /// `None` at the end.
    input: Option<Box<dyn Iter>>,
    source: Source,
    setup: Setup,
    count: i64,
    /// Number of times that the dataset has ended.
    done: i64,
    /// Whether the current repetition has produced nothing yet.
    first: bool,
}

impl Iter for RepeatIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let Some(input) = &mut self.input else { return Poll::Ready(Ok(None)) };
            let given = ready!(input.poll(turn));
            if !matches!(given, Ok(None)) {
                self.first = false;
                return Poll::Ready(given);
            }
            self.done = self.done.saturating_add(1);
            // An empty dataset would be repeated forever without producing an element.
            let is_over = if self.count < 0 { self.first } else { self.done >= self.count };
            self.input = if is_over { None } else { Some(self.setup.make(&self.source)?) };
            self.first = true;
            ready!(turn.pass());
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.done);
        to.int(self.first);
        to.int(self.input.is_none());
        self.input.as_mut().map_or(Poll::Ready(Ok(())), |input| input.save(turn, to))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.done, self.first) = (from.int()?, from.flag()?);
        if from.flag()? {
            self.input = None;
        }
        self.input.as_mut().map_or(Ok(()), |input| input.restore(from))
    }
}
