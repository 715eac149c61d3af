//! A fast hash for keys that are not chosen by an attacker.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes [`QuickHasher`]s.
pub(crate) type Quick = BuildHasherDefault<QuickHasher>;

/// Multiplies and rotates.
#[derive(Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for QuickHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word) ^ chunk.len() as u64);
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        // Hash tables take the bucket from the low bits, which multiplication mixes poorly.
        self.0 ^ (self.0 >> 32)
    }
}
