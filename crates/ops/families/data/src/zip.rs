//! `ZipDataset`: combines the elements of several datasets.

use crate::access::Access;
use crate::dataset::{DATASET, Dataset, INFINITE, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::{restore_result, save_result};
use std::task::{Poll, ready};

attrs! {
    /// Returns elements that combine one element of each of several datasets, until one of these ends.
    pub struct ZipDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Number of datasets.
        n: i64 = Attr::int("N").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static ZIP_DATASET: Def<ZipDataset> = op("ZipDataset")
    .inputs(&[arg("input_datasets", is(DType::Variant)).times("N")])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_: &ZipDataset, cx| {
        let sources: Vec<Source> = (0..cx.num_inputs()).map(|i| input(cx, i)).collect::<Result<_>>()?;
        let types: Vec<DType> = sources.iter().flat_map(|source| source.types.iter().copied()).collect();
        let shapes: Vec<PartialShape> = sources.iter().flat_map(|source| source.shapes.iter().cloned()).collect();
        make(cx, types, shapes, Zip(sources))
    });

struct Zip(Vec<Source>);

impl Dataset for Zip {
    fn kind(&self) -> &'static str {
        "Zip"
    }

    fn cardinality(&self) -> i64 {
        let all = || self.0.iter().map(Source::cardinality);
        match all().filter(|&n| n >= 0).min() {
            _ if all().any(|n| n == UNKNOWN) => UNKNOWN,
            Some(least) => least,
            None => INFINITE,
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let inputs = self.0.iter().map(|source| setup.access(source)).collect::<Result<_>>()?;
        Ok(Box::new(ZipAccess { inputs, got: Vec::new() }))
    }

    fn any_order(&self) -> Result<()> {
        self.0.iter().try_for_each(Source::any_order)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let inputs = self.0.iter().enumerate().map(|(i, source)| setup.make_nth(source, i)).collect::<Result<_>>()?;
        Ok(Box::new(ZipIter { inputs, got: Vec::new(), ended: false }))
    }
}

struct ZipAccess {
    inputs: Vec<Box<dyn Access>>,
    /// The results of the first inputs.
    got: Vec<Tuple>,
}

impl Access for ZipAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        while let Some(input) = self.inputs.get_mut(self.got.len()) {
            match ready!(input.poll(index, turn)) {
                Ok(part) => self.got.push(part),
                Err(error) => {
                    self.got.clear();
                    return Poll::Ready(Err(error));
                }
            }
        }
        Poll::Ready(Ok(std::mem::take(&mut self.got).concat()))
    }
}

struct ZipIter {
    inputs: Vec<Box<dyn Iter>>,
    /// The results of the first inputs for the next element.
    got: Vec<Result<Option<Tuple>>>,
    ended: bool,
}

impl Iter for ZipIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.ended {
            return Poll::Ready(Ok(None));
        }
        // All inputs advance by one, even if one of them fails or ends, so that they stay in step.
        while let Some(input) = self.inputs.get_mut(self.got.len()) {
            let got = ready!(input.poll(turn));
            self.got.push(got);
        }
        let got = std::mem::take(&mut self.got);
        self.ended = got.iter().any(|one| matches!(one, Ok(None)));
        let parts = got.into_iter().collect::<Result<Option<Vec<Tuple>>>>();
        Poll::Ready(parts.map(|parts| parts.map(|parts| parts.concat())))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.count(self.got.len());
        self.got.iter().for_each(|one| save_result(to, one));
        for input in &mut self.inputs {
            ready!(input.save(turn, to))?;
        }
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.ended = from.flag()?;
        for _ in 0..from.count()? {
            self.got.push(restore_result(from)?);
        }
        self.inputs.iter_mut().try_for_each(|input| input.restore(from))
    }
}
