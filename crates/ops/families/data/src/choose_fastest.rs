//! `ChooseFastestDataset`: the fastest of several equivalent datasets.

use crate::dataset::{DATASET, Dataset, Setup, Source, Tuple, UNKNOWN, input, make_like, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

attrs! {
    /// Returns the elements of the fastest of several datasets with the same elements; those of the first one until the
    /// fastest is determined.
    pub struct ChooseFastestDataset {
        /// Number of datasets.
        n: i64 = Attr::int("N").at_least(2),
        /// Number of elements of each dataset to measure.
        experiments: i64 = Attr::int("num_experiments"),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static CHOOSE_FASTEST_DATASET: Def<ChooseFastestDataset> = op("ChooseFastestDataset")
    .inputs(&[arg("input_datasets", is(DType::Variant)).times("N")])
    .outputs(DATASET)
    .also(&[form("ExperimentalChooseFastestDataset")])
    .shape(scalar_output)
    .kernel(|op: &ChooseFastestDataset, cx| {
        let sources: Vec<Source> = (0..cx.num_inputs()).map(|i| input(cx, i)).collect::<Result<_>>()?;
        let Some(first) = sources.first().cloned() else {
            return Err(Error::invalid("there must be a dataset to choose from"));
        };
        if sources.iter().any(|source| source.types != first.types) {
            return Err(Error::invalid("The datasets to choose from must have elements of the same dtypes.")
                .expected(format!("{:?}", first.types)));
        }
        make_like(cx, &first, ChooseFastest { sources, experiments: op.experiments })
    });

struct ChooseFastest {
    sources: Vec<Source>,
    experiments: i64,
}

impl Dataset for ChooseFastest {
    fn kind(&self) -> &'static str {
        "ChooseFastest"
    }

    fn cardinality(&self) -> i64 {
        self.sources.iter().map(Source::cardinality).find(|&n| n != UNKNOWN).unwrap_or(UNKNOWN)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let inputs = self.sources.iter().enumerate();
        let inputs: Vec<Box<dyn Iter>> = inputs.map(|(i, source)| setup.make_nth(source, i)).collect::<Result<_>>()?;
        let times = vec![Duration::ZERO; inputs.len()];
        let left = self.experiments;
        Ok(Box::new(ChooseFastestIter { inputs, times, left, chosen: None, at: 0, since: None, first: None }))
    }
}

struct ChooseFastestIter {
    inputs: Vec<Box<dyn Iter>>,
    /// Total time of each dataset.
    times: Vec<Duration>,
    /// Number of elements still to measure.
    left: i64,
    chosen: Option<usize>,
    /// The dataset being measured, and since when.
    at: usize,
    since: Option<Instant>,
    /// The result of the first dataset.
    first: Option<Result<Option<Tuple>>>,
}

impl Iter for ChooseFastestIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.chosen.is_none() && self.left <= 0 {
            let fastest = (0..self.times.len()).min_by_key(|&i| self.times[i]);
            self.chosen = Some(fastest.unwrap_or(0));
        }
        if let Some(chosen) = self.chosen {
            return self.inputs[chosen].poll(turn);
        }
        while self.at < self.inputs.len() {
            let since = *self.since.get_or_insert_with(Instant::now);
            let got = ready!(self.inputs[self.at].poll(turn));
            self.times[self.at] += since.elapsed();
            self.since = None;
            if self.at == 0 {
                self.first = Some(got);
            }
            self.at += 1;
        }
        self.at = 0;
        self.left -= 1;
        Poll::Ready(self.first.take().unwrap_or(Ok(None)))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        // A measurement is not interrupted, so that all datasets are at the same element.
        if self.at != 0 {
            let got = ready!(self.poll(turn));
            self.first = Some(got);
            self.at = self.inputs.len();
            self.left += 1;
        }
        to.int(self.left);
        to.int(self.chosen.map_or(-1, |chosen| chosen as i64));
        to.int(self.first.is_some());
        if let Some(first) = &self.first {
            crate::stream::save_result(to, first);
        }
        for input in &mut self.inputs {
            ready!(input.save(turn, to))?;
        }
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.left = from.int()?;
        self.chosen = usize::try_from(from.int()?).ok().filter(|&chosen| chosen < self.inputs.len());
        if from.flag()? {
            self.first = Some(crate::stream::restore_result(from)?);
            self.at = self.inputs.len();
        }
        self.inputs.iter_mut().try_for_each(|input| input.restore(from))
    }
}
