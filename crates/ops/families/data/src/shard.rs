//! `ShardDataset`: every `n`-th element.

use crate::access::{Access, Renumbered};
use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Setup, Source, Tuple, UNKNOWN, input, make_like, scalar, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::{Poll, ready};

attrs! {
    /// Keeps the elements of a dataset whose index modulo `num_shards` is `index`.
    pub struct ShardDataset {
        /// Whether a shard without elements is an error.
        require_non_empty: bool = Attr::bool("require_non_empty").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static SHARD_DATASET: Def<ShardDataset> = op("ShardDataset")
    .inputs(&[INPUT, arg("num_shards", is(DType::I64)), arg("index", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &ShardDataset, cx| {
        let (shards, index) = (scalar(cx, 1, "num_shards")?, scalar(cx, 2, "index")?);
        let source = input(cx, 0)?;
        let shard = Shard::new(source.clone(), shards, index, op.require_non_empty)?;
        make_like(cx, &source, shard)
    });

/// Value of `num_shards` for which `AutoShardDataset` substitutes the actual number.
pub(crate) const HINT: i64 = -1;

/// A shard of a dataset.
struct Shard {
    source: Source,
    /// 0 if `AutoShardDataset` must set it.
    shards: u64,
    index: u64,
    needs_one: bool,
}

impl Shard {
    /// # Errors
    /// `INVALID_ARGUMENT` if there is no such shard.
    fn new(source: Source, shards: i64, index: i64, needs_one: bool) -> Result<Shard> {
        if shards == HINT {
            return Ok(Shard { source, shards: 0, index: 0, needs_one });
        }
        if shards <= 0 {
            return Err(Error::invalid("Number of shards must be greater than zero").found(shards));
        }
        if index < 0 || index >= shards {
            return Err(Error::invalid(format!(
                "Index must be between 0 and {} (currently index = {index})",
                shards - 1
            )));
        }
        Ok(Shard { source, shards: shards as u64, index: index as u64, needs_one })
    }

    /// Checks that the number of shards is known.
    fn check(&self) -> Result<()> {
        match self.shards {
            0 => Err(Error::failed_precondition(
                "`tf.data.Dataset.shard(SHARD_HINT, ...)` can only be used in \
                 `tf.distribute.Strategy.experimental_distribute_dataset()` with \
                 `tf.data.experimental.AutoShardPolicy.HINT` policy, or tf.data service with \
                 `tf.data.experimental.service.ShardingPolicy.HINT` processing mode.",
            )),
            _ => Ok(()),
        }
    }
}

impl Dataset for Shard {
    fn kind(&self) -> &'static str {
        "Shard"
    }

    fn cardinality(&self) -> i64 {
        match self.source.cardinality() {
            n @ (INFINITE | UNKNOWN) => n,
            _ if self.shards == 0 => UNKNOWN,
            n => {
                let (n, shards) = (n as u64, self.shards);
                (n / shards + u64::from(self.index < n % shards)) as i64
            }
        }
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        self.check()?;
        let (input, shards, index) = (setup.access(&self.source)?, self.shards, self.index);
        Ok(Box::new(Renumbered { input, number: move |i: u64| i.saturating_mul(shards).saturating_add(index) }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        self.check()?;
        let (input, shards, index) = (setup.make(&self.source)?, self.shards, self.index);
        Ok(Box::new(ShardIter { input, shards, index, next: 0, given: !self.needs_one, held: None, ended: false }))
    }
}

struct ShardIter {
    input: Box<dyn Iter>,
    shards: u64,
    index: u64,
    /// Index of the input's next element.
    next: u64,
    /// Whether this shard is known to be valid, so that reaching the end is not an error.
    given: bool,
    /// The first element, held until every shard has one.
    held: Option<Tuple>,
    ended: bool,
}

impl Iter for ShardIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended {
            let Some(element) = ready!(self.input.poll(turn))? else {
                self.ended = true;
                break;
            };
            let number = self.next;
            self.next += 1;
            if number % self.shards == self.index {
                self.held = Some(element);
            }
            // If each shard must have an element, the first one is returned only once every shard has one.
            if (self.given || self.next >= self.shards)
                && let Some(element) = self.held.take()
            {
                self.given = true;
                return Poll::Ready(Ok(Some(element)));
            }
            ready!(turn.pass());
        }
        // A shard without an element of its own just ends.
        if self.held.take().is_some() {
            return Poll::Ready(Err(Error::invalid(format!(
                "Could not apply FILE based sharding: the dataset only has {} file(s), which is not enough for the \
                 required {} shards/workers.",
                self.next, self.shards
            ))));
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.next as i64);
        to.int(self.given);
        to.int(self.ended);
        to.count(self.held.iter().len());
        self.held.iter().for_each(|element| to.element(element));
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.int()? as u64;
        (self.given, self.ended) = (from.flag()?, from.flag()?);
        if from.flag()? {
            self.held = Some(from.element()?);
        }
        self.input.restore(from)
    }
}
