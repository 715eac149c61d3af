//! SHA-256, of bytes and of tensors.

use levada_graph::{Bytes, DType, Tensor};
use std::fmt::Write;
use std::io::Read;

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// A running hash.
#[derive(Clone)]
pub(crate) struct Sha256 {
    state: [u32; 8],
    block: [u8; 64],
    filled: usize,
    length: u64,
}

impl Sha256 {
    pub(crate) fn new() -> Sha256 {
        let state = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
        Sha256 { state, block: [0; 64], filled: 0, length: 0 }
    }

    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if self.filled > 0 {
            let taken = bytes.len().min(64 - self.filled);
            self.block[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
            self.filled += taken;
            bytes = &bytes[taken..];
            if self.filled < 64 {
                return;
            }
            let block = self.block;
            self.mix(&block);
            self.filled = 0;
        }
        let (blocks, rest) = bytes.as_chunks::<64>();
        blocks.iter().for_each(|block| self.mix(block));
        self.block[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    fn mix(&mut self, block: &[u8; 64]) {
        let mut w = [0u32; 64];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for i in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(K[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(s0).wrapping_add(majority));
        }
        for (state, word) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *state = state.wrapping_add(word);
        }
    }

    /// The hash as hexadecimal digits.
    pub(crate) fn finish(mut self) -> String {
        let bits = self.length.wrapping_mul(8);
        self.add(&[0x80]);
        while self.filled != 56 {
            self.add(&[0]);
        }
        self.add(&bits.to_be_bytes());
        self.state.iter().fold(String::with_capacity(64), |mut text, word| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{word:08x}");
            text
        })
    }
}

pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.add(bytes);
    hash.finish()
}

/// The hash of everything that a reader returns.
pub(crate) fn of_reader(mut from: impl Read) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(hash.finish()),
            n => hash.add(&buffer[..n]),
        }
    }
}

/// The hash of a tensor's dtype, shape and bits; `None` if there are no bits to compare.
pub(crate) fn of_tensor(tensor: &Tensor) -> Option<String> {
    let mut hash = Sha256::new();
    hash.add(format!("{} {:?}\n", tensor.dtype().name(), tensor.shape().dims()).as_bytes());
    match tensor.dtype() {
        DType::Variant | DType::Resource => return None,
        DType::Str => {
            for text in tensor.slice::<Bytes>().ok()? {
                hash.add(&(text.len() as u64).to_le_bytes());
                hash.add(text);
            }
        }
        _ => hash.add(tensor.bytes()?),
    }
    Some(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes() {
        assert_eq!(of_bytes(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(of_bytes(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let long = vec![b'a'; 1_000_000];
        let known = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(of_bytes(&long), known);
        let mut pieces = Sha256::new();
        long.chunks(77).for_each(|piece| pieces.add(piece));
        assert_eq!(pieces.finish(), known);
        assert_eq!(of_reader(&long[..]).unwrap(), known);
    }

    #[test]
    fn tensors_differ_by_dtype_shape_and_bits() {
        let of = |tensor: Tensor| of_tensor(&tensor).unwrap();
        assert_eq!(of(Tensor::vector(vec![1f32, 2.0])), of(Tensor::vector(vec![1f32, 2.0])));
        assert_ne!(of(Tensor::scalar(0f32)), of(Tensor::scalar(-0f32)));
        assert_ne!(of(Tensor::scalar(0f32)), of(Tensor::scalar(0i32)));
        assert_ne!(of(Tensor::scalar(0f32)), of(Tensor::vector(vec![0f32])));
        assert_ne!(of(Tensor::string("a")), of(Tensor::string("b")));
    }
}
