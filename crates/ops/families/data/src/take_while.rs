//! `TakeWhileDataset`: the elements before the first one that does not satisfy a predicate.

use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, UNKNOWN, input, make_like, scalar_output};
use crate::filter::{Asked, Predicate};
use crate::function::Function;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static TAKE_WHILE_DATASET: Def<Predicate> = op("TakeWhileDataset")
    .doc("Returns the elements of a dataset until a predicate is false.")
    .inputs(&[INPUT, ARGUMENTS])
    .outputs(DATASET)
    .also(&[form("ExperimentalTakeWhileDataset").without(&["metadata"])])
    .shape(scalar_output)
    .kernel(|op: &Predicate, cx| {
        let source = input(cx, 0)?;
        let predicate = Function::of(cx, &op.predicate, 1..cx.num_inputs())?;
        make_like(cx, &source.clone(), TakeWhile { source, predicate })
    });

struct TakeWhile {
    source: Source,
    predicate: Function,
}

impl Dataset for TakeWhile {
    fn kind(&self) -> &'static str {
        "TakeWhile"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let asked = Asked { input: setup.make(&self.source)?, calls: self.predicate.at(&setup), pending: None };
        Ok(Box::new(TakeWhileIter { asked, ended: false }))
    }
}

struct TakeWhileIter {
    asked: Asked,
    ended: bool,
}

impl Iter for TakeWhileIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.ended {
            return Poll::Ready(Ok(None));
        }
        match ready!(self.asked.poll(turn))? {
            Some((element, true)) => Poll::Ready(Ok(Some(element))),
            _ => {
                self.ended = true;
                Poll::Ready(Ok(None))
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        self.asked.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.ended = from.flag()?;
        self.asked.restore(from)
    }
}
