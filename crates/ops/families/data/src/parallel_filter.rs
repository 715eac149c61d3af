//! `ParallelFilterDataset`: the elements that satisfy a predicate, evaluated for several elements concurrently.

use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, UNKNOWN, input, make_like, scalar_output};
use crate::filter::answer;
use crate::function::Function;
use crate::iter::{Iter, Next, Turn};
use crate::parallel_map::{Most, Parallel, is_ordered, parallel_calls};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::task::{Poll, ready};

attrs! {
    /// Keeps the elements of a dataset for which a predicate is true. `num_parallel_calls` calls run concurrently; -1
    /// tunes their number.
    pub struct ParallelFilterDataset {
        /// The predicate.
        predicate: Func = Attr::func("predicate"),
        /// `false` to allow elements out of order.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static PARALLEL_FILTER_DATASET: Def<ParallelFilterDataset> = op("ParallelFilterDataset")
    .inputs(&[INPUT, ARGUMENTS, arg("num_parallel_calls", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &ParallelFilterDataset, cx| {
        let last = cx.num_inputs() - 1;
        let (calls, source) = (parallel_calls(cx, last)?, input(cx, 0)?);
        let predicate = Function::of(cx, &op.predicate, 1..last)?;
        let ordered = is_ordered(&op.deterministic)?;
        make_like(cx, &source.clone(), ParallelFilter { source, predicate, calls, ordered })
    });

struct ParallelFilter {
    source: Source,
    predicate: Function,
    calls: Most,
    /// Whether elements keep their order.
    ordered: bool,
}

impl Dataset for ParallelFilter {
    fn kind(&self) -> &'static str {
        "ParallelFilter"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn is_tuned(&self) -> bool {
        self.calls.tuned
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let parallel = Parallel::new(&setup, &self.source, &self.predicate, self.calls, (self.ordered, true))?;
        Ok(Box::new(ParallelFilterIter(parallel)))
    }
}

struct ParallelFilterIter(Parallel);

impl Iter for ParallelFilterIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match ready!(self.0.poll(turn)) {
                None => return Poll::Ready(Ok(None)),
                Some((element, results)) => {
                    if answer(&results?, self.0.name())? {
                        return Poll::Ready(Ok(element));
                    }
                    ready!(turn.pass());
                }
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.0.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.0.restore(from)
    }
}
