//! `ParseExampleDataset`: parses the features of serialized examples.

use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::sparse::held;
use levada_graph::Variant;
use levada_ops_parsing::Features;
use levada_ops_ragged::Ragged;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Poll, ready};

const FEATURES: &[DType] = &[DType::F32, DType::I64, DType::Str];

attrs! {
    /// Parses vectors of serialized examples: a component for each key, in the order of the keys.
    pub struct ParseExampleDataset {
        /// Keys of the sparse features.
        sparse_keys: Vec<Bytes> = Attr::strings("sparse_keys").at_least(0),
        /// Keys of the dense features.
        dense_keys: Vec<Bytes> = Attr::strings("dense_keys").at_least(0),
        /// Dtypes of the sparse features.
        sparse_types: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Dtypes of the dense features.
        dense_types: Vec<DType> = Attr::dtypes("Tdense", FEATURES).at_least(0),
        /// Shapes of the dense features; the first size may be unknown.
        dense_shapes: Vec<PartialShape> = Attr::shapes("dense_shapes").at_least(0),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used: the order is always that of the input.
        sloppy: bool = Attr::bool("sloppy").or_bool(false),
        /// Not used: the order is always that of the input.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Keys of the ragged features.
        ragged_keys: Vec<Bytes> = Attr::strings("ragged_keys").or_empty(),
        /// Dtypes of the ragged features.
        ragged_value_types: Vec<DType> = Attr::dtypes("ragged_value_types", FEATURES).or_empty(),
        /// Dtypes of the ragged features' splits.
        ragged_split_types: Vec<DType> = Attr::dtypes("ragged_split_types", sets::INDEX).or_empty(),
    }
}

pub static PARSE_EXAMPLE_DATASET: Def<ParseExampleDataset> = op("ParseExampleDataset")
    .inputs(&[INPUT, arg("num_parallel_calls", is(DType::I64)), arg("dense_defaults", each("Tdense"))])
    .outputs(DATASET)
    .without(&["deterministic"])
    .also(&[
        form("ParseExampleDatasetV2").without(&["sloppy"]),
        form("ExperimentalParseExampleDataset").without(&[
            "deterministic",
            "ragged_keys",
            "ragged_value_types",
            "ragged_split_types",
        ]),
    ])
    .shape(scalar_output)
    .kernel(parse_example_dataset);

fn parse_example_dataset(op: &ParseExampleDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = input(cx, 0)?;
    if *source.types != [DType::Str] {
        return Err(Error::invalid("Input dataset should be a dataset of vectors of strings")
            .found(format!("{:?}", source.types)));
    }
    let calls: i64 = scalar(cx, 1, "num_parallel_calls")?;
    if calls != -1 && calls <= 0 {
        return Err(Error::invalid("num_parallel_calls must be greater than zero.").found(calls));
    }
    let defaults = (2..cx.num_inputs()).map(|i| cx.input(i).cloned()).collect::<Result<_>>()?;
    let features = Features::new(
        (op.sparse_keys.clone(), &op.sparse_types),
        (op.dense_keys.clone(), &op.dense_shapes, defaults),
        (op.ragged_keys.clone(), &op.ragged_value_types, &op.ragged_split_types),
    )?;
    let keys = op.dense_keys.iter().chain(&op.sparse_keys).chain(&op.ragged_keys);
    let mut places: BTreeMap<&Bytes, usize> = keys.clone().map(|key| (key, 0)).collect();
    if places.len() != keys.clone().count() {
        return Err(Error::invalid("Duplicate key not allowed: each feature is read once"));
    }
    if places.len() != op.types.len() {
        return Err(Error::invalid("there must be a component for each key")
            .expected(places.len())
            .found(op.types.len()));
    }
    for (place, (_, at)) in places.iter_mut().enumerate() {
        *at = place;
    }
    let of = |keys: &[Bytes]| keys.iter().filter_map(|key| places.get(key).copied()).collect::<Vec<usize>>();
    let columns =
        Columns { dense: of(&op.dense_keys), sparse: of(&op.sparse_keys), ragged: of(&op.ragged_keys), features };
    let dataset = ParseExamples { source, columns: Arc::new(columns) };
    make(cx, op.types.clone(), op.shapes.clone(), dataset)
}

/// Features, and the component for each.
struct Columns {
    features: Features,
    dense: Vec<usize>,
    sparse: Vec<usize>,
    ragged: Vec<usize>,
}

impl Columns {
    fn read(&self, examples: &Tensor) -> Result<Tuple> {
        if examples.shape().rank() != 1 {
            return Err(Error::invalid(format!(
                "Input dataset elements must be vectors of examples. Got: {}",
                examples.shape()
            )));
        }
        let read = self.features.read(examples)?;
        let (n, dense) = (self.sparse.len(), self.dense.len());
        let mut components = vec![None; n + dense + self.ragged.len()];
        for (i, &place) in self.sparse.iter().enumerate() {
            let parts = [i, n + i, 2 * n + i].map(|part| held(read[part].clone()));
            components[place] = Some(Tensor::vector(parts.to_vec()));
        }
        for (i, &place) in self.dense.iter().enumerate() {
            components[place] = Some(read[3 * n + i].clone());
        }
        let (first, m) = (3 * n + dense, self.ragged.len());
        for (i, &place) in self.ragged.iter().enumerate() {
            let ragged = Ragged { splits: vec![read[first + m + i].clone()], values: read[first + i].clone() };
            components[place] = Some(Tensor::scalar(Variant::new(ragged)));
        }
        components.into_iter().collect::<Option<_>>().ok_or_else(|| Error::internal("a feature was not read"))
    }
}

struct ParseExamples {
    source: Source,
    columns: Arc<Columns>,
}

impl Dataset for ParseExamples {
    fn kind(&self) -> &'static str {
        "ParseExample"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ParseExamplesIter { input: setup.make(&self.source)?, columns: self.columns.clone() }))
    }
}

struct ParseExamplesIter {
    input: Box<dyn Iter>,
    columns: Arc<Columns>,
}

impl Iter for ParseExamplesIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
        let Some(examples) = element.first() else {
            return Poll::Ready(Err(Error::internal("an element without components")));
        };
        Poll::Ready(self.columns.read(examples).map(Some))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.input.restore(from)
    }
}
