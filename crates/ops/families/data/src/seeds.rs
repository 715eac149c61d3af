//! Seeds for the iterators of datasets that use random numbers.

use crate::philox::{Philox, Singles, entropy};
use parking_lot::Mutex;

/// Gives each iterator its seeds: always the same ones, or different ones for each.
pub(crate) struct SeedGenerator {
    seeds: [u64; 2],
    /// If each iterator has seeds of its own, the generator of these.
    source: Option<Mutex<Drawn>>,
    /// Whether it is behind a resource handle.
    has_handle: bool,
}

/// A random number generator that counts the values it has returned.
pub(crate) struct Drawn {
    seeds: [u64; 2],
    singles: Singles,
    pub(crate) count: u64,
}

impl Drawn {
    /// Returns the generator for a pair of seeds, after `count` values.
    pub(crate) fn new(seeds: [u64; 2], count: u64) -> Drawn {
        let mut philox = Philox::seeded(seeds[0], seeds[1]);
        philox.skip(count / 4);
        let mut singles = philox.singles();
        for _ in 0..count % 4 {
            singles.next();
        }
        Drawn { seeds, singles, count }
    }

    /// Returns the next 32 bits.
    pub(crate) fn next(&mut self) -> u32 {
        self.count += 1;
        self.singles.next()
    }

    /// Its seeds.
    pub(crate) fn seeds(&self) -> [u64; 2] {
        self.seeds
    }
}

impl SeedGenerator {
    /// Creates a generator with these seeds; with random ones if both are 0.
    pub(crate) fn new(seed: i64, seed2: i64, reshuffles: bool) -> SeedGenerator {
        let seeds = match (seed, seed2) {
            (0, 0) => [entropy(), entropy()],
            _ => [seed as u64, seed2 as u64],
        };
        SeedGenerator { seeds, source: reshuffles.then(|| Mutex::new(Drawn::new(seeds, 0))), has_handle: false }
    }

    /// Returns it as one behind a resource handle, which copies of its dataset share.
    pub(crate) fn with_handle(self) -> SeedGenerator {
        SeedGenerator { has_handle: true, ..self }
    }

    /// Whether it gives each iterator seeds of its own, and is its dataset's alone, so that a copy of that starts anew.
    pub(crate) fn is_of_dataset(&self) -> bool {
        self.source.is_some() && !self.has_handle
    }

    /// The seeds that it started with.
    pub(crate) fn first(&self) -> [u64; 2] {
        self.seeds
    }

    /// Returns the seeds of the next iterator.
    pub(crate) fn next(&self) -> [u64; 2] {
        match &self.source {
            None => self.seeds,
            Some(source) => {
                let mut source = source.lock();
                [source.next(), source.next()].map(u64::from)
            }
        }
    }

    /// How many values it has returned.
    pub(crate) fn drawn(&self) -> u64 {
        self.source.as_ref().map_or(0, |source| source.lock().count)
    }

    /// Moves to the state after `count` values.
    pub(crate) fn set_drawn(&self, count: u64) {
        if let Some(source) = &self.source {
            *source.lock() = Drawn::new(self.seeds, count);
        }
    }
}
