//! Mutated files: bytes changed, truncated, repeated and spliced.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Number of mutants of each file, multiplied by `LEVADA_MUTANTS` if it is set.
const MUTANTS: u64 = 400;

/// Random numbers: SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most.max(1) as u64) as usize
    }
}

/// Extreme values of types, as text and as bytes, which replace sizes.
const ENDS: [&[u8]; 10] = [
    b"-1",
    b"2147483648",
    b"9223372036854775807",
    b"1e999",
    b"[]",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff\x0f",
    b"\0\0\0\0\0\0\0\x80",
    b"\"\"",
];

/// The file with a few changes, determined by the seed.
pub fn mutant(file: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let mut bytes = file.to_vec();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len());
        let len = dice.below(64).min(bytes.len() - at);
        match dice.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + len)),
            2 => {
                let part = bytes[at..at + len].to_vec();
                let to = dice.below(bytes.len());
                drop(bytes.splice(to..to, part));
            }
            3 => {
                let end = ENDS[dice.below(ENDS.len())];
                drop(bytes.splice(at..(at + end.len()).min(bytes.len()), end.iter().copied()));
            }
            _ if bytes.is_empty() => {}
            4 => bytes[at] = dice.below(256) as u8,
            5 => bytes[at] ^= 1 << dice.below(8),
            _ => bytes[at] = [0, 0x7f, 0x80, 0xff][dice.below(4)],
        }
    }
    bytes
}

/// Calls `read` with mutants of these files; prints their number.
///
/// # Panics
/// If `read` does, naming the file and the seed.
pub fn mutate(what: &str, files: &[Vec<u8>], mut read: impl FnMut(&[u8])) {
    let times = std::env::var("LEVADA_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut executions = 0;
    for (i, file) in files.iter().enumerate() {
        for seed in 0..MUTANTS * times {
            let bytes = mutant(file, seed << 8 | i as u64);
            let survived = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            assert!(survived.is_ok(), "{what}: file {i}, seed {seed}");
            executions += 1;
        }
    }
    println!("{what}: {executions} executions");
    assert!(executions > 0, "{what}: there are no files");
}
