//! Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011), with keys and
//! counters as in TensorFlow, and the position of a node in its stream.

use crate::prelude::*;
use levada_kernel::Io;
use parking_lot::Mutex;

/// A counter-based generator: each step encrypts the counter and yields 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Philox {
    /// The position in the stream.
    pub counter: [u32; 4],
    /// The stream.
    pub key: [u32; 2],
}

/// Returns the low and high halves of a word.
pub fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// Returns the word with these low and high halves.
pub fn word(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// Returns a value in `[0, 1)` with 23 random bits.
#[inline(always)]
pub fn unit_f32(bits: u32) -> f32 {
    f32::from_bits(127 << 23 | bits & 0x7f_ffff) - 1.0
}

/// Returns a value in `[0, 1)` with 52 random bits.
#[inline(always)]
pub fn unit_f64(high: u32, low: u32) -> f64 {
    f64::from_bits(1023 << 52 | word(low, high & 0xf_ffff)) - 1.0
}

impl Philox {
    /// Returns the generator for a pair of seeds.
    pub fn seeded(seed: u64, seed2: u64) -> Philox {
        let [low, high] = halves(seed2);
        Philox { counter: [0, 0, low, high], key: halves(seed) }
    }

    /// Returns the generator for a key and a counter, given as 64-bit words, low word first.
    pub fn keyed(key: u64, counter: [u64; 2]) -> Philox {
        let ([a, b], [c, d]) = (halves(counter[0]), halves(counter[1]));
        Philox { counter: [a, b, c, d], key: halves(key) }
    }

    /// Returns the generator for a pair of seeds computed by a graph. They are scrambled, so that neither needs to be
    /// a good seed.
    pub fn mixed(seed: u64, seed2: u64) -> Philox {
        let ([a, b], [c, d]) = (halves(seed), halves(seed2));
        let mixed = Philox { counter: [a, b, c, d], key: [0x3ec8_f720, 0x0246_1e29] }.next();
        Philox { counter: [0, 0, mixed[2], mixed[3]], key: [mixed[0], mixed[1]] }
    }

    /// Returns the next 128 bits.
    #[inline]
    // It never ends, so an iterator's `Option` would be pointless.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> [u32; 4] {
        let mut x = self.counter;
        let mut key = self.key;
        for round in 0..10 {
            if round > 0 {
                key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
            }
            let a = u64::from(x[0]) * 0xD251_1F53;
            let b = u64::from(x[2]) * 0xCD9E_8D57;
            x = [(b >> 32) as u32 ^ x[1] ^ key[0], b as u32, (a >> 32) as u32 ^ x[3] ^ key[1], a as u32];
        }
        self.skip(1);
        x
    }

    /// Returns the next `N` times 128 bits, lane by lane: word `i` of lane `l` is `[i][l]`. Vectorized if the caller
    /// is.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "a lane's four words belong together")]
    pub fn next_lanes<const N: usize>(&mut self) -> [[u32; N]; 4] {
        let mut x = [[0; N]; 4];
        if self.counter[0] < u32::MAX - N as u32 {
            for (lane, first) in x[0].iter_mut().enumerate() {
                *first = self.counter[0] + lane as u32;
            }
            for i in 1..4 {
                x[i] = [self.counter[i]; N];
            }
        } else {
            let mut at = *self;
            for lane in 0..N {
                (0..4).for_each(|i| x[i][lane] = at.counter[i]);
                at.skip(1);
            }
        }
        let mut key = self.key;
        for _ in 0..10 {
            for lane in 0..N {
                let a = u64::from(x[0][lane]) * 0xD251_1F53;
                let b = u64::from(x[2][lane]) * 0xCD9E_8D57;
                x[0][lane] = (b >> 32) as u32 ^ x[1][lane] ^ key[0];
                x[1][lane] = b as u32;
                x[2][lane] = (a >> 32) as u32 ^ x[3][lane] ^ key[1];
                x[3][lane] = a as u32;
            }
            key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
        }
        self.skip(N as u64);
        x
    }

    /// Skips `steps` times 128 bits.
    #[inline]
    pub fn skip(&mut self, steps: u64) {
        let [a, b, c, d] = self.counter;
        let counter = u128::from(word(a, b)) | u128::from(word(c, d)) << 64;
        let counter = counter.wrapping_add(u128::from(steps));
        *self = Philox::keyed(word(self.key[0], self.key[1]), [counter as u64, (counter >> 64) as u64]);
    }

    /// Returns a generator of single 32-bit samples.
    pub fn singles(self) -> Singles {
        Singles { philox: self, samples: [0; 4], used: 4 }
    }
}

/// Returns a generator's bits 32 at a time.
pub struct Singles {
    philox: Philox,
    samples: [u32; 4],
    used: usize,
}

impl Singles {
    /// Returns the next 32 bits.
    #[inline]
    // It never ends, so an iterator's `Option` would be pointless.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u32 {
        if self.used == 4 {
            self.samples = self.philox.next();
            self.used = 0;
        }
        self.used += 1;
        self.samples[self.used - 1]
    }

    /// Returns the next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let low = self.next();
        word(low, self.next())
    }

    /// Returns the next value in `[0, 1)`.
    #[inline]
    pub fn unit_f32(&mut self) -> f32 {
        unit_f32(self.next())
    }

    /// Returns the next integer below `n`, from 32 bits at a time, without the bias of a plain remainder.
    pub fn below_u32(&mut self, n: u32) -> u32 {
        below(u64::from(n), u64::from(u32::MAX), || u64::from(self.next())) as u32
    }

    /// Like [`Singles::below_u32`], from 64 bits at a time.
    pub fn below_u64(&mut self, n: u64) -> u64 {
        below(n, u64::MAX, || self.next_u64())
    }
}

/// Returns an integer below `n` made from the results of `next`, which are uniform up to `highest`; zero if `n` is
/// zero.
fn below(n: u64, highest: u64, mut next: impl FnMut() -> u64) -> u64 {
    if n.is_power_of_two() {
        return next() & (n - 1);
    }
    let Some(skew) = highest.checked_rem(n) else { return next() * n };
    loop {
        let drawn = next();
        if drawn > skew {
            return drawn % n;
        }
    }
}

/// A node's stream, whose position is kept from one run of the session to the next.
pub struct Stream(Mutex<Philox>);

impl Stream {
    /// Returns the stream of a node with these seeds; if both are zero, the seeds differ from session to session.
    pub fn new(seed: i64, seed2: i64) -> Stream {
        let philox = match (seed, seed2) {
            (0, 0) => Philox::seeded(entropy(), entropy()),
            (seed, seed2) => Philox::seeded(seed as u64, seed2 as u64),
        };
        Stream(Mutex::new(philox))
    }

    /// Takes `steps` times 128 bits off the stream and returns a generator for them.
    pub fn reserve(&self, steps: u64) -> Philox {
        let mut philox = self.0.lock();
        let reserved = *philox;
        philox.skip(steps);
        reserved
    }
}

pub use levada_kernel::outside::entropy;

/// Number of 128-bit steps that a node takes off its stream per value drawn in a run: far more than needed, and the
/// same in every version of TensorFlow, so that the next run starts where TensorFlow's does.
pub const RESERVED_PER_VALUE: u64 = 256;

/// Takes the bits for `values` values off the stream of the node in `cx`.
///
/// # Errors
/// `INTERNAL` if the node's state is of another type.
pub fn reserve(cx: &Io<'_>, seed: i64, seed2: i64, values: usize) -> Result<Philox> {
    let stream = cx.node_state(|| Stream::new(seed, seed2))?;
    Ok(stream.reserve((values as u64).wrapping_mul(RESERVED_PER_VALUE)))
}

/// Returns the generator for the two seeds in input `i` of a stateless op.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not two integers.
pub fn seeded(cx: &Io<'_>, i: usize) -> Result<Philox> {
    let seed = cx.input(i)?;
    if seed.shape().dims() != [2] {
        return Err(Error::invalid(format!("seed must have shape [2], not {}", seed.shape())));
    }
    // The full-range ops accept unsigned seeds, which TensorFlow then refuses here.
    if !sets::INDEX.contains(&seed.dtype()) {
        return Err(Error::invalid(format!("Invalid seed type: {}", seed.dtype())));
    }
    let seeds = seed.to_i64s()?;
    Ok(Philox::mixed(seeds[0] as u64, seeds[1] as u64))
}

/// Returns the shape given by input `i` of a node.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not a vector of sizes.
pub fn shape_input(cx: &Io<'_>, i: usize) -> Result<Shape> {
    let tensor = cx.input(i)?;
    if tensor.shape().rank() != 1 {
        return Err(Error::invalid(format!("shape must be a vector of {{int32,int64}}, got shape {}", tensor.shape())));
    }
    Shape::from_signed(&tensor.to_i64s()?)
}

/// Returns the statically known shape given by input `i`.
pub fn shape_of_input(cx: &ShapeCx<'_>, i: usize) -> Result<PartialShape> {
    cx.with_rank(i, 1)?;
    Ok(cx.constant_shape(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        // From the test vectors of the reference implementation by the paper's authors.
        let ones = u32::MAX;
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        let cases = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([ones; 4], [ones; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (pi, [0xa409_3822, 0x299f_31d0], [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ];
        for (counter, key, expected) in cases {
            assert_eq!(Philox { counter, key }.next(), expected);
        }
    }

    #[test]
    fn lanes_are_steps() {
        for counter in [[5, 0, 1, 2], [u32::MAX - 3, u32::MAX, 0, 1], [u32::MAX - 16, 1, 2, 3]] {
            let mut one = Philox { counter, key: [3, 4] };
            let mut many = one;
            let lanes = many.next_lanes::<16>();
            (0..16).for_each(|lane| assert_eq!(one.next(), [0, 1, 2, 3].map(|i| lanes[i][lane])));
            assert_eq!(one, many);
        }
    }

    #[test]
    fn skipping_is_stepping() {
        let mut stepped = Philox { counter: [u32::MAX - 1, u32::MAX, u32::MAX, 7], key: [1, 2] };
        let mut skipped = stepped;
        for _ in 0..5 {
            stepped.next();
        }
        skipped.skip(5);
        assert_eq!(stepped, skipped);
        assert_eq!(stepped.counter, [3, 0, 0, 8]);
    }
}
