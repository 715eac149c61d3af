//! `SamplingDataset`: a random sample of the elements.

use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, UNKNOWN, input, make_like, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::philox::unit_f32;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::random_dataset::{restore_numbers, save_numbers};
use crate::seeds::{Drawn, SeedGenerator};
use std::task::{Poll, ready};

pub static SAMPLING_DATASET: Def<Plain> = op("SamplingDataset")
    .doc("Keeps each element of a dataset with probability `rate`.")
    .inputs(&[INPUT, arg("rate", is(DType::F32)), arg("seed", is(DType::I64)), arg("seed2", is(DType::I64))])
    .outputs(DATASET)
    .without(&["metadata"])
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, rate) = (input(cx, 0)?, scalar(cx, 1, "rate")?);
        let seeds = SeedGenerator::new(scalar(cx, 2, "seed")?, scalar(cx, 3, "seed2")?, false);
        make_like(cx, &source.clone(), Sampling { source, rate, seeds })
    });

struct Sampling {
    source: Source,
    rate: f32,
    seeds: SeedGenerator,
}

impl Dataset for Sampling {
    fn kind(&self) -> &'static str {
        "Sampling"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let numbers = Drawn::new(self.seeds.next(), 0);
        Ok(Box::new(SamplingIter { input: setup.make(&self.source)?, rate: self.rate, numbers, ended: false }))
    }
}

struct SamplingIter {
    input: Box<dyn Iter>,
    rate: f32,
    numbers: Drawn,
    ended: bool,
}

impl Iter for SamplingIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended {
            match ready!(self.input.poll(turn))? {
                None => self.ended = true,
                Some(element) if unit_f32(self.numbers.next()) < self.rate => return Poll::Ready(Ok(Some(element))),
                Some(_) => ready!(turn.pass()),
            }
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        save_numbers(&self.numbers, to);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.ended = from.flag()?;
        self.numbers = restore_numbers(from)?;
        self.input.restore(from)
    }
}
