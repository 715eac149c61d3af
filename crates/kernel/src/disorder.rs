//! A random order of ready nodes, for tests: the results of a graph must not depend on the order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// One in this many nodes is delayed before it runs.
const HOLD_UP: usize = 16;

/// Maximum delay of a node, in microseconds.
const LONGEST: usize = 200;

/// Random numbers that determine in which order ready nodes run, which threads run them, and how long they are delayed.
#[derive(Debug)]
pub struct Disorder(AtomicU64);

impl Disorder {
    /// The order for this seed; with one thread it is the same in every run.
    pub fn new(seed: u64) -> Arc<Disorder> {
        Arc::new(Disorder(AtomicU64::new(seed)))
    }

    /// A random number below `most`, which is not 0.
    pub fn below(&self, most: usize) -> usize {
        // SplitMix64: a counter whose bits are mixed.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }

    /// Delays the thread, now and then.
    pub fn hold_up(&self) {
        if levada_sync::MODELED {
            return;
        }
        match self.below(2 * HOLD_UP) {
            0 => std::thread::sleep(Duration::from_micros(self.below(LONGEST) as u64)),
            1 => std::thread::yield_now(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let numbers = |seed| {
            let disorder = Disorder::new(seed);
            [(); 100].map(|()| disorder.below(10))
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!((0..10).all(|n| numbers(7).contains(&n)));
    }
}
