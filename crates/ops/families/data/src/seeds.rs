//! Seeds of the iterators of datasets that draw random numbers.

use crate::philox::{Philox, Singles, entropy};
use parking_lot::Mutex;

/// Gives each iterator its seeds: always the same ones, or ever other ones.
pub(crate) struct SeedGenerator {
    seeds: [u64; 2],
    /// Where each iterator has seeds of its own, their source and how many numbers it has given.
    source: Option<Mutex<Drawn>>,
}

/// A source of random numbers that knows how many it has given.
pub(crate) struct Drawn {
    seeds: [u64; 2],
    singles: Singles,
    pub(crate) count: u64,
}

impl Drawn {
    /// The stream of a pair of seeds, after `count` numbers.
    pub(crate) fn new(seeds: [u64; 2], count: u64) -> Drawn {
        let mut philox = Philox::seeded(seeds[0], seeds[1]);
        philox.skip(count / 4);
        let mut singles = philox.singles();
        for _ in 0..count % 4 {
            singles.next();
        }
        Drawn { seeds, singles, count }
    }

    /// The next 32 bits.
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
    /// A generator that begins with these seeds; with any where both are 0.
    pub(crate) fn new(seed: i64, seed2: i64, reshuffles: bool) -> SeedGenerator {
        let seeds = match (seed, seed2) {
            (0, 0) => [entropy(), entropy()],
            _ => [seed as u64, seed2 as u64],
        };
        SeedGenerator { seeds, source: reshuffles.then(|| Mutex::new(Drawn::new(seeds, 0))) }
    }

    /// The seeds that it began with.
    pub(crate) fn first(&self) -> [u64; 2] {
        self.seeds
    }

    /// The seeds of the next iterator.
    pub(crate) fn next(&self) -> [u64; 2] {
        match &self.source {
            None => self.seeds,
            Some(source) => {
                let mut source = source.lock();
                [source.next(), source.next()].map(u64::from)
            }
        }
    }

    /// How many numbers it has given.
    pub(crate) fn drawn(&self) -> u64 {
        self.source.as_ref().map_or(0, |source| source.lock().count)
    }

    /// Goes to where it has given so many numbers.
    pub(crate) fn set_drawn(&self, count: u64) {
        if let Some(source) = &self.source {
            *source.lock() = Drawn::new(self.seeds, count);
        }
    }
}
