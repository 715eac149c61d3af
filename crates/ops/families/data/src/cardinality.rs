//! `DatasetCardinality`: the number of elements of a dataset.

use crate::dataset::{INPUT, Setup, Source, UNKNOWN, input, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::made::MOST_DEEP;
use crate::options::fields;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use std::collections::HashSet;
use std::task::{Poll, ready};

attrs! {
    /// Returns the number of elements of a dataset; -1 if it is infinite, -2 if it is not known.
    pub struct DatasetCardinality {
        /// How much computation is allowed: with a `compute_level` of `CARDINALITY_COMPUTE_MODERATE`, the functions of
        /// a `FlatMapDataset` are called to count the elements of their datasets.
        options: Bytes = Attr::string("cardinality_options").or_str(""),
    }
}

/// Number of the field `compute_level`, and its value that allows calling functions.
const COMPUTE_LEVEL: u64 = 1;
const MODERATE: u64 = 2;

pub static DATASET_CARDINALITY: Def<DatasetCardinality> = op("DatasetCardinality")
    .inputs(&[INPUT])
    .outputs(&[arg("cardinality", is(DType::I64))])
    .also(&[form("ExperimentalDatasetCardinality").without(&["cardinality_options"])])
    .role(Role::Call)
    .shape(scalar_output)
    .kernel(|op: &DatasetCardinality, cx| {
        let source = input(cx, 0)?;
        let options =
            fields(&op.options).ok_or_else(|| Error::invalid("`cardinality_options` is not a valid message"))?;
        let level = options.get(&COMPUTE_LEVEL).and_then(|values| values.last()).map_or(0, |value| value.number);
        let cardinality = source.cardinality();
        if cardinality != UNKNOWN || level < MODERATE {
            cx.set(0, Tensor::scalar(cardinality));
            return Ok(());
        }
        let counted = source.clone();
        let make = |setup: &Setup| -> Result<Box<dyn Iter>> {
            let mut left = Vec::new();
            behind(&counted, &mut left, &mut HashSet::new(), 0)?;
            left.reverse();
            Ok(Box::new(Counts { setup: setup.clone(), left, at: None }))
        };
        // As in TensorFlow, the cardinality is unknown if computing it fails.
        Stream::once(cx, make, move |_| Ok(vec![Tensor::scalar(source.cardinality())]))
    });

/// Collects the datasets that a dataset is made of, followed by itself.
fn behind(source: &Source, all: &mut Vec<Source>, seen: &mut HashSet<usize>, depth: u32) -> Result<()> {
    if depth >= MOST_DEEP {
        return Err(Error::resource_exhausted("a dataset is made of too many others")
            .expected(format!("a nesting depth of at most {MOST_DEEP}")));
    }
    if !seen.insert(source.identity().addr()) {
        return Ok(());
    }
    for input in source.inputs().iter().filter_map(|input| Source::of(input).ok()) {
        behind(&input, all, seen, depth + 1)?;
    }
    all.push(source.clone());
    Ok(())
}

/// Counts the elements of datasets, one after the other.
struct Counts {
    setup: Setup,
    /// The datasets left to count, in reverse order.
    left: Vec<Source>,
    at: Option<Box<dyn Iter>>,
}

impl Iter for Counts {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            if let Some(counts) = &mut self.at {
                // A dataset that cannot be counted stays unknown.
                let counted = ready!(counts.poll(turn));
                self.at = None;
                if counted.is_err() {
                    return Poll::Ready(Ok(None));
                }
            }
            let Some(source) = self.left.pop() else { return Poll::Ready(Ok(None)) };
            self.at = self.setup.count(&source)?;
        }
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::internal("what counts elements has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::internal("what counts elements has no position"))
    }
}
