//! `ShuffleDataset`, `ShuffleAndRepeatDataset`: elements in random order.

use crate::access::{Access, Renumbered};
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make_like, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::repeat::repeated;
use crate::seed_generator::generator;
use crate::seeds::{Drawn, SeedGenerator};
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// The attrs of datasets that return elements in random order.
    pub struct Shuffle {
        /// Whether each iterator has an order of its own.
        reshuffle_each_iteration: bool = Attr::bool("reshuffle_each_iteration").or_bool(true),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

const SIZE: Arg = arg("buffer_size", is(DType::I64));
const SEED: Arg = arg("seed", is(DType::I64));
const SEED2: Arg = arg("seed2", is(DType::I64));
const COUNT: Arg = arg("count", is(DType::I64));
const GENERATOR: Arg = arg("seed_generator", is(DType::Resource));

pub static SHUFFLE_DATASET: Def<Shuffle> = op("ShuffleDataset")
    .doc("Shuffles a dataset: each element is drawn at random from a buffer of the next `buffer_size` elements.")
    .inputs(&[INPUT, SIZE, SEED, SEED2])
    .outputs(DATASET)
    .also(&[
        form("ShuffleDatasetV2").inputs(&[INPUT, SIZE, GENERATOR]).without(&["reshuffle_each_iteration"]),
        form("ShuffleDatasetV3").inputs(&[INPUT, SIZE, SEED, SEED2, GENERATOR]),
    ])
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &Shuffle, cx| {
        let last = cx.num_inputs() - 1;
        let seeds = match last {
            2 => generator(cx, last)?.ok_or_else(|| Error::failed_precondition("seed_generator is a dummy handle"))?,
            3 => Arc::new(seeds(op, cx)?),
            _ => match generator(cx, last)?.filter(|_| op.reshuffle_each_iteration) {
                Some(generator) => generator,
                None => Arc::new(seeds(op, cx)?.with_handle()),
            },
        };
        shuffle(cx, seeds, 1)
    });

pub static SHUFFLE_AND_REPEAT_DATASET: Def<Shuffle> = op("ShuffleAndRepeatDataset")
    .doc(
        "Shuffles a dataset and repeats it `count` times: each element is drawn at random from a buffer of the next \
         `buffer_size` elements. All elements of one repetition come before those of the next.",
    )
    .inputs(&[INPUT, SIZE, SEED, SEED2, COUNT])
    .outputs(DATASET)
    .also(&[form("ShuffleAndRepeatDatasetV2").inputs(&[INPUT, SIZE, SEED, SEED2, COUNT, GENERATOR])])
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &Shuffle, cx| {
        let count: i64 = scalar(cx, 4, "count")?;
        if count != -1 && count <= 0 {
            return Err(Error::invalid("count must be greater than zero or equal to -1.").found(count));
        }
        let has_handle = cx.num_inputs() > 5;
        let given = if has_handle { generator(cx, 5)? } else { None };
        let seeds = match given.filter(|_| op.reshuffle_each_iteration) {
            Some(generator) => generator,
            None if has_handle => Arc::new(seeds(op, cx)?.with_handle()),
            None => Arc::new(seeds(op, cx)?),
        };
        shuffle(cx, seeds, count)
    });

/// Returns the generator of seeds from inputs 2 and 3.
fn seeds(op: &Shuffle, cx: &Cx<'_, '_>) -> Result<SeedGenerator> {
    let (seed, seed2) = (scalar(cx, 2, "seed")?, scalar(cx, 3, "seed2")?);
    Ok(SeedGenerator::new(seed, seed2, op.reshuffle_each_iteration))
}

fn shuffle(cx: &mut Cx<'_, '_>, seeds: Arc<SeedGenerator>, count: i64) -> Result<()> {
    let (source, size): (Source, i64) = (input(cx, 0)?, scalar(cx, 1, "buffer_size")?);
    let size = match size {
        UNKNOWN => None,
        size if size > 0 => Some(size as u64),
        size => {
            return Err(Error::invalid("buffer_size must be greater than zero or equal to UNKNOWN_CARDINALITY (-2).")
                .found(size));
        }
    };
    make_like(cx, &source.clone(), Shuffled { source, size, seeds, count })
}

struct Shuffled {
    source: Source,
    /// `None` for all elements.
    size: Option<u64>,
    seeds: Arc<SeedGenerator>,
    count: i64,
}

impl Dataset for Shuffled {
    fn kind(&self) -> &'static str {
        if self.count == 1 { "Shuffle" } else { "ShuffleAndRepeat" }
    }

    fn cardinality(&self) -> i64 {
        repeated(self.source.cardinality(), self.count)
    }

    fn reseeds(&self) -> bool {
        self.seeds.is_of_dataset()
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let n = usize::try_from(self.cardinality().max(0)).unwrap_or(0);
        let mut order: Vec<u64> = Vec::new();
        order.try_reserve_exact(n).map_err(|_| Error::resource_exhausted("too many elements to shuffle").found(n))?;
        order.extend(0..n as u64);
        let mut random = Drawn::new(self.seeds.first(), 0);
        for i in 0..n {
            let offset = random.next() as usize % (n - i);
            order.swap(i + offset, i);
        }
        let input = setup.access(&self.source)?;
        let last = self.source.cardinality().max(1) as u64;
        Ok(Box::new(Renumbered { input, number: move |i: u64| order[i as usize] % last }))
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ShuffleIter {
            source: self.source.clone(),
            setup,
            input: None,
            size: self.size.unwrap_or(u64::MAX),
            count: self.count,
            epoch: 0,
            first: true,
            random: Drawn::new(self.seeds.next(), 0),
            seeds: self.seeds.clone(),
            epochs: VecDeque::new(),
            buffered: 0,
        }))
    }
}

/// Maximum number of repetitions, minus one, whose elements the buffer may hold.
const MOST_EPOCHS: usize = 3;

struct ShuffleIter {
    source: Source,
    setup: Setup,
    /// `None` before the first repetition, between repetitions, and after the last.
    input: Option<Box<dyn Iter>>,
    size: u64,
    count: i64,
    /// Number of repetitions started.
    epoch: i64,
    /// Whether the input has produced nothing yet.
    first: bool,
    seeds: Arc<SeedGenerator>,
    random: Drawn,
    /// The buffered elements of each repetition.
    epochs: VecDeque<VecDeque<Tuple>>,
    buffered: u64,
}

impl ShuffleIter {
    /// Fills the buffer up to its limits.
    fn fill(&mut self, turn: &mut Turn<'_>) -> Poll<Result<()>> {
        loop {
            let begins = self.input.is_none();
            let is_last = begins && self.count != -1 && self.epoch >= self.count;
            let is_long = self.epochs.len() > MOST_EPOCHS && self.buffered > 0;
            if is_last || is_long || self.buffered >= self.size {
                return Poll::Ready(Ok(()));
            }
            if begins {
                self.input = Some(self.setup.make(&self.source)?);
                self.epochs.push_back(VecDeque::new());
                self.epoch += 1;
            }
            let Some(input) = &mut self.input else { continue };
            match ready!(input.poll(turn))? {
                Some(element) => {
                    self.first = false;
                    self.buffered += 1;
                    if let Some(last) = self.epochs.back_mut() {
                        last.push_back(element);
                    }
                }
                None => {
                    self.input = None;
                    // An empty dataset would be repeated forever without producing an element.
                    if self.first && self.count == -1 {
                        return Poll::Ready(Ok(()));
                    }
                }
            }
            ready!(turn.pass());
        }
    }
}

impl Iter for ShuffleIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        ready!(self.fill(turn))?;
        if self.buffered == 0 {
            return Poll::Ready(Ok(None));
        }
        while self.epochs.front().is_some_and(VecDeque::is_empty) {
            self.epochs.pop_front();
            self.random = Drawn::new(self.seeds.next(), 0);
        }
        let Some(epoch) = self.epochs.front_mut() else { return Poll::Ready(Ok(None)) };
        let chosen = self.random.next() as usize % epoch.len();
        epoch.swap(0, chosen);
        self.buffered -= 1;
        Poll::Ready(Ok(epoch.pop_front()))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.seeds.drawn() as i64);
        self.random.seeds().iter().for_each(|&seed| to.int(seed as i64));
        to.int(self.random.count as i64);
        to.int(self.epoch);
        to.int(self.first);
        to.count(self.epochs.len());
        for epoch in &self.epochs {
            to.count(epoch.len());
            epoch.iter().for_each(|element| to.element(element));
        }
        to.int(self.input.is_some());
        self.input.as_mut().map_or(Poll::Ready(Ok(())), |input| input.save(turn, to))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.seeds.set_drawn(from.int()? as u64);
        let seeds = [from.int()? as u64, from.int()? as u64];
        self.random = Drawn::new(seeds, from.int()? as u64);
        (self.epoch, self.first) = (from.int()?, from.flag()?);
        for _ in 0..from.count()? {
            let elements = (0..from.count()?).map(|_| from.element()).collect::<Result<VecDeque<Tuple>>>()?;
            self.buffered += elements.len() as u64;
            self.epochs.push_back(elements);
        }
        if from.flag()? {
            let mut input = self.setup.make(&self.source)?;
            input.restore(from)?;
            self.input = Some(input);
        }
        Ok(())
    }
}
