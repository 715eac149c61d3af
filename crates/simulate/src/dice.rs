//! Random numbers determined by a seed.

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    /// The numbers for one part of what a seed determines.
    pub(crate) fn of(seed: u64, part: u64) -> Dice {
        let mut dice = Dice(seed ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Dice(dice.next() ^ seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    /// True once in this many times; never for 0.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        times > 0 && self.below(times) == 0
    }

    /// A random element of these.
    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
