//! `RandomDataset`: an infinite dataset of random numbers.

use crate::dataset::{DATASET, Dataset, INFINITE, Setup, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::seed_generator::generator;
use crate::seeds::{Drawn, SeedGenerator};
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// An infinite dataset of random 32-bit numbers.
    pub struct RandomDataset {
        /// Whether each iterator has numbers of its own.
        rerandomizes: bool = Attr::bool("rerandomize_each_iteration").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

const SEED: Arg = arg("seed", is(DType::I64));
const SEED2: Arg = arg("seed2", is(DType::I64));
const GENERATOR: Arg = arg("seed_generator", is(DType::Resource));

pub static RANDOM_DATASET: Def<RandomDataset> = op("RandomDataset")
    .inputs(&[SEED, SEED2])
    .outputs(DATASET)
    .without(&["rerandomize_each_iteration"])
    .also(&[
        form("RandomDatasetV2").inputs(&[SEED, SEED2, GENERATOR]),
        form("ExperimentalRandomDataset").without(&["rerandomize_each_iteration", "metadata"]),
    ])
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &RandomDataset, cx| {
        let given = if cx.num_inputs() > 2 { generator(cx, 2)? } else { None };
        let seeds = match given {
            Some(seeds) => seeds,
            None => {
                let (seed, seed2) = (scalar(cx, 0, "seed")?, scalar(cx, 1, "seed2")?);
                Arc::new(SeedGenerator::new(seed, seed2, op.rerandomizes))
            }
        };
        make(cx, vec![DType::I64], vec![PartialShape::scalar()], Random(seeds))
    });

struct Random(Arc<SeedGenerator>);

impl Dataset for Random {
    fn kind(&self) -> &'static str {
        "Random"
    }

    fn cardinality(&self) -> i64 {
        INFINITE
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(RandomIter { numbers: Drawn::new(self.0.next(), 0), drawn: self.0.drawn(), seeds: self.0.clone() }))
    }
}

struct RandomIter {
    numbers: Drawn,
    /// How many values the seed generator had returned.
    drawn: u64,
    seeds: Arc<SeedGenerator>,
}

impl Iter for RandomIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        Poll::Ready(Ok(Some(vec![Tensor::scalar(i64::from(self.numbers.next()))])))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.drawn as i64);
        save_numbers(&self.numbers, to);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.drawn = from.int()? as u64;
        self.seeds.set_drawn(self.drawn);
        self.numbers = restore_numbers(from)?;
        Ok(())
    }
}

/// Saves the position of a stream of random numbers.
pub(crate) fn save_numbers(numbers: &Drawn, to: &mut Saver) {
    let [seed, seed2] = numbers.seeds();
    for word in [seed, seed2, numbers.count] {
        to.int(word as i64);
    }
}

/// Restores a stream of random numbers.
pub(crate) fn restore_numbers(from: &mut Saved) -> Result<Drawn> {
    let seeds = [from.int()? as u64, from.int()? as u64];
    Ok(Drawn::new(seeds, from.int()? as u64))
}
