//! `RandomShuffleQueue`: elements leave in random order.

use super::create::{Create, HANDLES, config, maker};
use super::order::Order;
use super::queue::{Config, Element, Kind, Queue};
use crate::philox::{Philox, Singles, entropy};
use crate::prelude::*;

static SHUFFLE: Kind =
    Kind { order: |seeds| Box::new(Shuffle::new(seeds.0, seeds.1)), ..Kind::named("RandomShuffleQueue") };

attrs! {
    /// Creates a queue that returns elements in random order.
    pub struct RandomShuffleQueue {
        /// Maximum number of elements; negative for no limit.
        capacity: i64 = Attr::int("capacity").or_int(-1),
        /// Container that holds the queue; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Shapes of the components; empty if they may have any shape.
        shapes: Vec<PartialShape> = Attr::shapes("shapes").or_empty(),
        /// Minimum number of elements that remain after a dequeue while the queue is open, to choose from.
        min_after_dequeue: i64 = Attr::int("min_after_dequeue").or_int(0),
        /// First seed; if both seeds are 0, the order differs from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

pub static RANDOM_SHUFFLE_QUEUE: Def<RandomShuffleQueue> =
    maker(SHUFFLE.name, &[form("RandomShuffleQueueV2").outputs(HANDLES)], make);

fn make(op: &RandomShuffleQueue, cx: &mut Cx<'_, '_>) -> Result<()> {
    crate::handle::set::<Queue>(cx, &op.container, &op.shared_name, |cx| shuffled(op, cx))
}

fn shuffled(op: &RandomShuffleQueue, cx: &Cx<'_, '_>) -> Result<Config> {
    let RandomShuffleQueue { capacity, container, shared_name, types, shapes, .. } = op.clone();
    let create = Create { capacity, container, shared_name, types, shapes };
    let mut config = config(&create, cx, &SHUFFLE)?;
    let keep = usize::try_from(op.min_after_dequeue).map_err(|_| {
        Error::invalid(format!("min_after_dequeue {} must be >= 0", op.min_after_dequeue)).attr("min_after_dequeue")
    })?;
    if let Some(capacity) = config.capacity.filter(|&capacity| keep >= capacity) {
        return Err(
            Error::invalid(format!("min_after_dequeue {keep} must be < capacity {capacity}")).attr("min_after_dequeue")
        );
    }
    config.min_after_dequeue = keep;
    config.seeds = (op.seed, op.seed2);
    Ok(config)
}

/// Chooses uniformly among all elements.
pub(crate) struct Shuffle {
    elements: Vec<Element>,
    /// Start of the stream of random values.
    start: Philox,
    random: Singles,
    drawn: u64,
}

impl Shuffle {
    /// If both seeds are 0, random seeds are used.
    pub(crate) fn new(seed: i64, seed2: i64) -> Shuffle {
        let philox = match (seed, seed2) {
            (0, 0) => Philox::seeded(entropy(), entropy()),
            _ => Philox::seeded(seed as u64, seed2 as u64),
        };
        Shuffle { elements: Vec::new(), start: philox, random: philox.singles(), drawn: 0 }
    }
}

impl Order for Shuffle {
    fn len(&self) -> usize {
        self.elements.len()
    }
    fn push(&mut self, element: Element) {
        self.elements.push(element);
    }
    fn pop(&mut self) -> Option<Element> {
        if self.elements.is_empty() {
            return None;
        }
        let at = self.random.next() as usize % self.elements.len();
        self.drawn = self.drawn.wrapping_add(1);
        Some(self.elements.swap_remove(at))
    }
    fn put_back(&mut self, element: Element) {
        self.elements.push(element);
    }
    fn all(&self) -> Vec<Element> {
        self.elements.clone()
    }
    fn drawn(&self) -> u64 {
        self.drawn
    }
    fn reset(&mut self, drawn: u64) {
        self.elements.clear();
        // Each value takes a quarter of a generator step.
        let mut at = self.start;
        at.skip(drawn / 4);
        self.random = at.singles();
        for _ in 0..drawn % 4 {
            self.random.next();
        }
        self.drawn = drawn;
    }
}
