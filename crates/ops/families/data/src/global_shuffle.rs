//! `GlobalShuffleDataset`: the elements of a dataset in a uniformly random order.

use crate::access::Numbered;
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, input, make_like, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::seed_generator::generator;
use crate::seeds::SeedGenerator;
use levada_ops_random::shuffled_position;
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// Returns the elements of a dataset that supports random access in a random order.
    pub struct GlobalShuffleDataset {
        /// Whether each iterator has an order of its own.
        reshuffles: bool = Attr::bool("reshuffle_each_iteration").or_bool(true),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static GLOBAL_SHUFFLE_DATASET: Def<GlobalShuffleDataset> = op("GlobalShuffleDataset")
    .inputs(&[
        INPUT,
        arg("seed", is(DType::I64)),
        arg("seed2", is(DType::I64)),
        arg("seed_generator", is(DType::Resource)),
    ])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &GlobalShuffleDataset, cx| {
        let source = input(cx, 0)?;
        if let Err(error) = source.any_order() {
            return Err(Error::failed_precondition(format!(
                "`global_shuffle` requires all upstream transformations be compatible with random access. Got: {error}"
            )));
        }
        let n = source.cardinality();
        if n <= 0 {
            return Err(Error::invalid(format!(
                "`global_shuffle` requires the input dataset to have a non-empty finite cardinality. Got cardinality \
                 {n} for dataset {source:?}"
            )));
        }
        let seeds = match generator(cx, 3)? {
            Some(seeds) => seeds,
            None => {
                let (seed, seed2) = (scalar(cx, 1, "seed")?, scalar(cx, 2, "seed2")?);
                Arc::new(SeedGenerator::new(seed, seed2, op.reshuffles))
            }
        };
        make_like(cx, &source.clone(), GlobalShuffle { source, n: n as u64, seeds })
    });

struct GlobalShuffle {
    source: Source,
    n: u64,
    seeds: Arc<SeedGenerator>,
}

impl Dataset for GlobalShuffle {
    fn kind(&self) -> &'static str {
        "GlobalShuffle"
    }

    fn cardinality(&self) -> i64 {
        self.n as i64
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let [a, b] = self.seeds.next();
        let [c, _] = self.seeds.next();
        let drawn = self.seeds.drawn();
        let n = self.n;
        let numbers = numbers(n, [a, b, c]);
        let numbered = Numbered { access: setup.access(&self.source)?, numbers, next: 0 };
        Ok(Box::new(GlobalShuffleIter { numbered, n, key: [a, b, c], drawn, seeds: self.seeds.clone() }))
    }
}

/// Rounds of the permutation.
const ROUNDS: usize = 8;

type Numbers = Box<dyn FnMut(u64) -> Option<u64> + Send>;

/// Returns the indices of `n` elements, permuted by a key.
fn numbers(n: u64, key: [u64; 3]) -> Numbers {
    let key = key.map(|word| word as u32);
    Box::new(move |i| match n {
        _ if i >= n => None,
        1 => Some(0),
        _ => Some(shuffled_position(i, key, n - 1, ROUNDS)),
    })
}

struct GlobalShuffleIter {
    numbered: Numbered<Numbers>,
    n: u64,
    key: [u64; 3],
    /// How many values the seed generator had returned.
    drawn: u64,
    seeds: Arc<SeedGenerator>,
}

impl Iter for GlobalShuffleIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        self.numbered.poll(turn)
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.drawn as i64);
        self.key.iter().for_each(|&word| to.int(word as i64));
        self.numbered.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.drawn = from.int()? as u64;
        self.seeds.set_drawn(self.drawn);
        for word in &mut self.key {
            *word = from.int()? as u64;
        }
        self.numbered.numbers = numbers(self.n, self.key);
        self.numbered.restore(from)
    }
}
