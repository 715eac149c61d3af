//! `WeightedFlatMapDataset`: concatenates several datasets in proportion to their weights.

use crate::dataset::{DATASET, Dataset, INFINITE, Setup, Source, UNKNOWN, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Returns elements of several datasets, one dataset after the other; the number of elements of each is
    /// proportional to its weight, such that one of them is used up.
    pub struct WeightedFlatMapDataset {
        /// Number of datasets.
        n: i64 = Attr::int("N").at_least(2),
        /// Number of weights.
        m: i64 = Attr::int("M").at_least(2),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static WEIGHTED_FLAT_MAP_DATASET: Def<WeightedFlatMapDataset> = op("WeightedFlatMapDataset")
    .inputs(&[arg("input_datasets", is(DType::Variant)).times("N"), arg("weights", is(DType::F64)).times("M")])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(weighted_flat_map);

fn weighted_flat_map(op: &WeightedFlatMapDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = op.n as usize;
    if op.m != op.n {
        return Err(Error::invalid(format!(
            "`input_datasets` and `weights` of the WeightedFlatMap must have the same size. Got {n} datasets and {} \
             weights.",
            op.m
        )));
    }
    let sources: Vec<Source> = (0..n).map(|i| input(cx, i)).collect::<Result<_>>()?;
    let mut shapes = op.shapes.clone();
    for (i, source) in sources.iter().enumerate() {
        if *source.types != *op.types {
            return Err(Error::invalid(format!(
                "All inputs to WeightedFlatMap must have the same output types. Input {i} has output types: {:?}. \
                 Expected: {:?}.",
                source.types, op.types
            )));
        }
        // As in TensorFlow, the first dataset's shapes are not considered.
        for (j, (shape, own)) in shapes.iter_mut().zip(source.shapes.iter()).enumerate().filter(|_| i > 0) {
            *shape = shape.merge(own).map_err(|_| {
                Error::invalid(format!(
                    "All inputs to WeightedFlatMap must have compatible output shapes. Component {j} of input {i} has \
                     shape: {own}. Expected to be compatible with shape: {shape}."
                ))
            })?;
        }
    }
    let mut parts = Vec::with_capacity(n);
    for (i, source) in sources.iter().enumerate() {
        let size = match source.cardinality() {
            unknown @ (INFINITE | UNKNOWN) => {
                let size = if unknown == INFINITE { "INFINITE" } else { "UNKNOWN" };
                return Err(Error::invalid(format!(
                    "Cardinalities of the inputs must be known. Input {i} has {size} cardinality."
                )));
            }
            size => size as u64,
        };
        parts.push((size, scalar::<f64>(cx, n + i, "weights")?));
    }
    for (i, (_, weight)) in parts.iter().enumerate() {
        // NaN is not greater than 0 either.
        if weight.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return Err(Error::invalid(format!(
                "`weights` must be greater than 0.0. Input {i} has a weight of {weight}"
            )));
        }
    }
    let counts = counts(&parts)?;
    make(cx, op.types.clone(), shapes, Weighted { sources, counts: counts.into() })
}

/// Returns the number of elements to take from each dataset, given its size and weight; the dataset that is used up
/// first determines the scale.
///
/// # Errors
/// `INVALID_ARGUMENT` if one is too small.
fn counts(parts: &[(u64, f64)]) -> Result<Vec<u64>> {
    let heaviest = parts.iter().fold(0.0, |most: f64, (_, weight)| most.max(*weight));
    let (mut least, mut of) = (f64::MAX, 1.0);
    for (size, weight) in parts {
        let scaled = *size as f64 * weight / heaviest;
        if least > scaled {
            (least, of) = (scaled, *weight);
        }
    }
    let each = parts.iter().enumerate().map(|(i, (size, weight))| match (least * weight / of) as u64 {
        count if count > *size => Err(Error::invalid(format!(
            "Input {i} needs to have at least {count} elements. It only has {size} elements."
        ))),
        count => Ok(count),
    });
    each.collect()
}

struct Weighted {
    sources: Vec<Source>,
    /// Number of elements of each dataset.
    counts: Arc<[u64]>,
}

impl Dataset for Weighted {
    fn kind(&self) -> &'static str {
        "WeightedFlatMap"
    }

    fn cardinality(&self) -> i64 {
        self.counts.iter().fold(0, |sum: i64, &count| sum.saturating_add_unsigned(count))
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let inputs = self.sources.iter().enumerate().map(|(i, source)| setup.make_nth(source, i));
        Ok(Box::new(WeightedIter {
            inputs: inputs.collect::<Result<_>>()?,
            counts: self.counts.clone(),
            at: 0,
            given: 0,
        }))
    }
}

struct WeightedIter {
    inputs: Vec<Box<dyn Iter>>,
    counts: Arc<[u64]>,
    /// Index of the current input.
    at: usize,
    /// Number of its elements returned so far.
    given: u64,
}

impl Iter for WeightedIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while self.counts.get(self.at).is_some_and(|&count| self.given >= count) {
            (self.at, self.given) = (self.at + 1, 0);
        }
        let Some(input) = self.inputs.get_mut(self.at) else { return Poll::Ready(Ok(None)) };
        let element = ready!(input.poll(turn))?;
        self.given += 1;
        Poll::Ready(Ok(element))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.at);
        to.int(self.given as i64);
        for input in &mut self.inputs {
            ready!(input.save(turn, to))?;
        }
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.given) = (from.count()?, from.int()? as u64);
        self.inputs.iter_mut().try_for_each(|input| input.restore(from))
    }
}
