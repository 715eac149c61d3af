//! `AssertCardinalityDataset`: fails unless a dataset has a given number of elements.

use crate::access::Access;
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, Tuple, input, make_like, scalar, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static ASSERT_CARDINALITY_DATASET: Def<Plain> = op("AssertCardinalityDataset")
    .doc("Passes on the elements of a dataset; fails unless there are exactly `cardinality` of them, or no end for -1.")
    .inputs(&[INPUT, arg("cardinality", is(DType::I64))])
    .outputs(DATASET)
    .without(&["metadata"])
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, cardinality) = (input(cx, 0)?, scalar(cx, 1, "cardinality")?);
        make_like(cx, &source.clone(), AssertCardinality { source, cardinality })
    });

struct AssertCardinality {
    source: Source,
    cardinality: i64,
}

impl Dataset for AssertCardinality {
    fn kind(&self) -> &'static str {
        "AssertCardinality"
    }

    fn cardinality(&self) -> i64 {
        self.cardinality
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let input = setup.access(&self.source)?;
        Ok(Box::new(AssertCardinalityAccess { input, there: self.source.cardinality(), cardinality: self.cardinality }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(AssertCardinalityIter {
            input: setup.make(&self.source)?,
            cardinality: self.cardinality,
            given: 0,
        }))
    }
}

struct AssertCardinalityAccess {
    input: Box<dyn Access>,
    /// The actual number of elements.
    there: i64,
    cardinality: i64,
}

impl Access for AssertCardinalityAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        if self.there >= 0 && self.there != self.cardinality {
            let (expected, found) = (expected(self.cardinality), elements(self.there));
            return Poll::Ready(Err(Error::failed_precondition(format!(
                "Input dataset was expected to contain {expected} but contained {found}."
            ))));
        }
        self.input.poll(index, turn)
    }
}

struct AssertCardinalityIter {
    input: Box<dyn Iter>,
    cardinality: i64,
    given: i64,
}

/// Formats a number of elements.
fn elements(n: i64) -> String {
    match n {
        1 => "1 element".to_owned(),
        n => format!("{n} elements"),
    }
}

/// Formats the expected number of elements.
fn expected(n: i64) -> String {
    if n == INFINITE { "an infinite number of elements".to_owned() } else { elements(n) }
}

impl Iter for AssertCardinalityIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let element = ready!(self.input.poll(turn))?;
        self.given += i64::from(element.is_some());
        let expected = expected(self.cardinality);
        let fault = |found: String| {
            let text = format!("Input dataset was expected to contain {expected} but contained {found}.");
            Poll::Ready(Err(Error::failed_precondition(text)))
        };
        match element {
            None if self.given != self.cardinality => fault(format!("only {}", elements(self.given))),
            Some(_) if self.cardinality != INFINITE && self.given > self.cardinality => {
                fault(format!("at least {}", elements(self.given)))
            }
            element => Poll::Ready(Ok(element)),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.given);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.given = from.int()?;
        self.input.restore(from)
    }
}
