//! `DirectedInterleaveDataset`: elements of several datasets, as directed by a selector.

use crate::dataset::{DATASET, Dataset, INFINITE, Setup, Source, UNKNOWN, input, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

attrs! {
    /// Interleaves the elements of several datasets: each element of the selector is the index of the dataset that the
    /// next element comes from.
    pub struct DirectedInterleaveDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Number of datasets.
        n: i64 = Attr::int("N").at_least(1),
        /// Whether to end with the first dataset that ends; otherwise that one is skipped from then on.
        stops: bool = Attr::bool("stop_on_empty_dataset").or_bool(false),
    }
}

pub static DIRECTED_INTERLEAVE_DATASET: Def<DirectedInterleaveDataset> = op("DirectedInterleaveDataset")
    .inputs(&[
        arg("selector_input_dataset", is(DType::Variant)),
        arg("data_input_datasets", is(DType::Variant)).times("N"),
    ])
    .outputs(DATASET)
    .also(&[form("ExperimentalDirectedInterleaveDataset").without(&["stop_on_empty_dataset"])])
    .shape(scalar_output)
    .kernel(directed_interleave);

fn directed_interleave(op: &DirectedInterleaveDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let selector = input(cx, 0)?;
    if *selector.types != [DType::I64] {
        return Err(Error::invalid("The selector input dataset must have a single scalar component of dtype int64")
            .found(format!("{:?}", selector.types)));
    }
    if selector.shapes[0].rank().is_some_and(|rank| rank != 0) {
        return Err(Error::invalid("The selector input dataset must have a single scalar component of dtype int64")
            .found(format!("shape {}", selector.shapes[0])));
    }
    let sources: Vec<Source> = (1..cx.num_inputs()).map(|i| input(cx, i)).collect::<Result<_>>()?;
    let Some(first) = sources.first() else {
        return Err(Error::invalid("there must be a dataset to choose from"));
    };
    let mut shapes: Vec<PartialShape> = first.shapes.to_vec();
    for (i, source) in sources.iter().enumerate() {
        if source.types != first.types {
            return Err(Error::invalid(format!(
                "All inputs must have the same output_types: those of input {i} differ from those of input 0"
            ))
            .expected(format!("{:?}", first.types))
            .found(format!("{:?}", source.types)));
        }
        shapes.iter_mut().zip(source.shapes.iter()).for_each(|(shape, own)| *shape = shape.relax(own));
    }
    make(cx, first.types.clone(), shapes, Directed { selector, sources: sources.clone(), stops: op.stops })
}

struct Directed {
    selector: Source,
    sources: Vec<Source>,
    stops: bool,
}

impl Dataset for Directed {
    fn kind(&self) -> &'static str {
        "DirectedInterleave"
    }

    fn cardinality(&self) -> i64 {
        match self.sources.iter().any(|source| source.cardinality() == INFINITE) {
            true => INFINITE,
            false => UNKNOWN,
        }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let inputs = self.sources.iter().enumerate().map(|(i, source)| setup.make_nth(source, i).map(Some));
        let inputs = inputs.collect::<Result<_>>()?;
        let selector = setup.make(&self.selector)?;
        Ok(Box::new(DirectedIter { selector, inputs, chosen: None, stops: self.stops, ended: false }))
    }
}

struct DirectedIter {
    selector: Box<dyn Iter>,
    /// The inputs that have not ended.
    inputs: Vec<Option<Box<dyn Iter>>>,
    /// The input whose element is pending.
    chosen: Option<usize>,
    stops: bool,
    ended: bool,
}

impl Iter for DirectedIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended {
            let chosen = match self.chosen {
                Some(chosen) => chosen,
                None => {
                    let Some(choice) = ready!(self.selector.poll(turn))? else {
                        self.ended = true;
                        break;
                    };
                    let n = self.inputs.len();
                    let choice: i64 = choice.first().map_or(Ok(-1), Tensor::item)?;
                    match usize::try_from(choice).ok().filter(|&choice| choice < n) {
                        Some(choice) => *self.chosen.insert(choice),
                        None => {
                            let text = format!("Selector index out of range: {choice} >= {n}");
                            return Poll::Ready(Err(Error::invalid(text)));
                        }
                    }
                }
            };
            if let Some(input) = &mut self.inputs[chosen] {
                let got = ready!(input.poll(turn));
                self.chosen = None;
                if let Some(element) = got? {
                    return Poll::Ready(Ok(Some(element)));
                }
                self.inputs[chosen] = None;
                self.ended = self.stops || self.inputs.iter().all(Option::is_none);
            }
            self.chosen = None;
            ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.int(self.chosen.map_or(-1, |chosen| chosen as i64));
        for input in &mut self.inputs {
            to.int(input.is_some());
            if let Some(input) = input {
                ready!(input.save(turn, to))?;
            }
        }
        self.selector.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.ended = from.flag()?;
        self.chosen = usize::try_from(from.int()?).ok().filter(|&chosen| chosen < self.inputs.len());
        for input in &mut self.inputs {
            match (from.flag()?, input.as_mut()) {
                (true, Some(input)) => input.restore(from)?,
                _ => *input = None,
            }
        }
        self.selector.restore(from)
    }
}
