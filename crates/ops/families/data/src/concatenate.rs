//! `ConcatenateDataset`: one dataset followed by another.

use crate::access::Access;
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

pub static CONCATENATE_DATASET: Def<Plain> = op("ConcatenateDataset")
    .doc("Returns the elements of one dataset, followed by those of another.")
    .inputs(&[INPUT, arg("another_dataset", is(DType::Variant))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (first, second) = (input(cx, 0)?, input(cx, 1)?);
        if first.types != second.types {
            return Err(Error::invalid("input dataset and dataset to be concatenated have different output_types")
                .expected(format!("{:?}", first.types))
                .found(format!("{:?}", second.types)));
        }
        let shapes: Vec<PartialShape> =
            first.shapes.iter().zip(second.shapes.iter()).map(|(a, b)| a.relax(b)).collect();
        make(cx, first.types.clone(), shapes, Concatenate([first, second]))
    });

struct Concatenate([Source; 2]);

impl Dataset for Concatenate {
    fn kind(&self) -> &'static str {
        "Concatenate"
    }

    fn cardinality(&self) -> i64 {
        match [self.0[0].cardinality(), self.0[1].cardinality()] {
            [INFINITE, _] | [_, INFINITE] => INFINITE,
            [UNKNOWN, _] | [_, UNKNOWN] => UNKNOWN,
            [a, b] => a.saturating_add(b),
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let inputs = [setup.access(&self.0[0])?, setup.access(&self.0[1])?];
        Ok(Box::new(ConcatenateAccess { inputs, first: self.0[0].cardinality().max(0) as u64 }))
    }

    fn any_order(&self) -> Result<()> {
        self.0.iter().try_for_each(Source::any_order)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make_nth(&self.0[0], 0)?;
        Ok(Box::new(ConcatenateIter { input, second: Some(self.0[1].clone()), setup }))
    }
}

struct ConcatenateAccess {
    inputs: [Box<dyn Access>; 2],
    /// Number of elements of the first dataset.
    first: u64,
}

impl Access for ConcatenateAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        match index.checked_sub(self.first) {
            None => self.inputs[0].poll(index, turn),
            Some(index) => self.inputs[1].poll(index, turn),
        }
    }
}

struct ConcatenateIter {
    input: Box<dyn Iter>,
    /// The dataset that follows.
    second: Option<Source>,
    setup: Setup,
}

impl Iter for ConcatenateIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let element = ready!(self.input.poll(turn))?;
            match self.second.take_if(|_| element.is_none()) {
                Some(second) => self.input = self.setup.make_nth(&second, 1)?,
                None => return Poll::Ready(Ok(element)),
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.second.is_none());
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        if from.flag()?
            && let Some(second) = self.second.take()
        {
            self.input = self.setup.make_nth(&second, 1)?;
        }
        self.input.restore(from)
    }
}
