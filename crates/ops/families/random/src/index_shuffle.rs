//! `RandomIndexShuffle`: maps an index through a random permutation without materializing the permutation.
//!
//! The permutation is a Simon cipher (Beaulieu and others, "The SIMON and SPECK families of lightweight block
//! ciphers", 2013) with few rounds and any even block size, applied repeatedly until the result is in range.

use crate::prelude::*;
use crate::rules::never;

const DTYPES: &[DType] = &[DType::I32, DType::U32, DType::I64, DType::U64];

/// Number of rounds between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 20;

attrs! {
    /// Returns the position of `index` in the permutation of `[0, max_index]` determined by `seed`.
    pub struct RandomIndexShuffle {
        /// Number of rounds of the cipher, which must be even.
        rounds: i64 = Attr::int("rounds").or_int(4),
        /// Element type of the indices.
        dtype: DType = Attr::dtype("dtype", DTYPES),
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", DTYPES),
    }
}

pub static RANDOM_INDEX_SHUFFLE: Def<RandomIndexShuffle> = op("RandomIndexShuffle")
    .inputs(&[arg("index", of("dtype")), arg("seed", of("Tseed")), arg("max_index", of("dtype"))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(random_index_shuffle);

fn shape(_: &RandomIndexShuffle, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (index, seed, max) = (cx.input(0), cx.input(1), cx.input(2));
    if let (Some(i), Some(s), Some(m)) = (index.rank(), seed.rank(), max.rank()) {
        let scalar = i == 0 && s <= 1 && m == 0;
        let size = index.dim(0).filter(|_| i == 1).or(max.dim(0).filter(|_| m == 1));
        let size = size.or(seed.dim(0).filter(|_| s == 2));
        cx.output(0, if scalar { PartialShape::scalar() } else { PartialShape::vector(size) });
    }
    Ok(())
}

fn random_index_shuffle(op: &RandomIndexShuffle, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (index, seed, max) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let n = index.num_elements().max(max.num_elements()).max(seed.num_elements() / 3);
    let fits = |t: &Tensor| t.shape().is_scalar() || t.shape().dims() == [n];
    if !fits(index) {
        return Err(Error::invalid(format!("Index must be a scalar or vector, got shape {}", index.shape())));
    }
    if seed.shape().dims() != [3] && seed.shape().dims() != [n, 3] {
        return Err(Error::invalid(format!(
            "Seed must be a vector of size [3] or a matrix of size [{n}, 3] but got {}.",
            seed.shape()
        )));
    }
    if !fits(max) {
        return Err(Error::invalid(format!(
            "Maxval must be a scalar or a vector of the same size as index but got {}",
            max.shape()
        )));
    }
    if op.rounds < 4 || op.rounds % 2 != 0 || op.rounds > 1 << 20 {
        let error = Error::invalid("the rounds of RandomIndexShuffle must be an even number from 4 on");
        return Err(error.attr("rounds").found(op.rounds));
    }
    let scalar = index.shape().is_scalar() && seed.shape().rank() == 1 && max.shape().is_scalar();
    let shape = if scalar { Shape::scalar() } else { Shape::vector(n) };
    let (indices, seeds, maxima) = (integers(index)?, integers(seed)?, integers(max)?);
    let mut out = Vec::with_capacity(n);
    let mut work = 0;
    for i in 0..n {
        let of = |v: &[(u64, bool)]| if v.len() == 1 { v[0] } else { v[i] };
        let ((index, index_negative), (max, max_negative)) = (of(&indices), of(&maxima));
        if index_negative {
            return Err(Error::invalid(format!("index must be >= 0 but was {}", index as i64)));
        }
        if max_negative {
            return Err(Error::invalid(format!("max_index must be >= 0 but was {}", max as i64)));
        }
        if max < index {
            return Err(Error::invalid(format!("max_index must be >= index, but {max} < {index}")));
        }
        let row = if seeds.len() == 3 { 0 } else { i };
        let key = [0, 1, 2].map(|k| seeds[3 * row + k].0 as u32);
        // With many rounds, each index takes long.
        work += op.rounds as usize;
        if work >= LOOK_EVERY {
            work = 0;
            cx.step().check()?;
        }
        let cipher = Simon::of(key, max, op.rounds as usize);
        out.push(cipher.walk(index, max, || cx.step().check())?);
    }
    let out = match op.dtype {
        DType::I32 => Tensor::from_vec(shape, out.into_iter().map(|v| v as i32).collect()),
        DType::U32 => Tensor::from_vec(shape, out.into_iter().map(|v| v as u32).collect()),
        DType::I64 => Tensor::from_vec(shape, out.into_iter().map(|v| v as i64).collect()),
        _ => Tensor::from_vec(shape, out),
    };
    cx.set(0, out?);
    Ok(())
}

/// Integers of any of the dtypes, wrapped to 64 bits, each with whether it is negative.
fn integers(tensor: &Tensor) -> Result<Vec<(u64, bool)>> {
    match tensor.dtype() {
        DType::U64 => Ok(tensor.slice::<u64>()?.iter().map(|&v| (v, false)).collect()),
        _ => Ok(tensor.to_i64s()?.into_iter().map(|v| (v as u64, v < 0)).collect()),
    }
}

/// Returns the position of `index`, which is at most `max`, in the permutation of `0..=max` determined by `key`.
pub fn position(index: u64, key: [u32; 3], max: u64, rounds: usize) -> u64 {
    // The walk fails only if it is cancelled.
    Simon::of(key, max, rounds).walk(index, max, || Ok(())).unwrap_or(index)
}

/// The cipher on blocks of two words.
struct Simon {
    /// Number of bits of a word, from 8 to 32.
    width: u32,
    keys: Vec<u64>,
}

impl Simon {
    /// Returns the cipher of the permutation of `0..=max`.
    fn of(key: [u32; 3], max: u64, rounds: usize) -> Simon {
        let bits = (max as f64).log2().ceil() as u32;
        Simon::new((bits + bits % 2).clamp(16, 64) / 2, key, rounds)
    }

    /// Returns the position of `index`, which is at most `max`. `goes_on` is called now and then to check for
    /// cancellation.
    fn walk(&self, index: u64, max: u64, goes_on: impl Fn() -> Result<()>) -> Result<u64> {
        if max == 0 {
            return Ok(0);
        }
        let (mut position, mut work) = (index, 0);
        // The cipher is a permutation, so the walk eventually returns to `index`.
        loop {
            position = self.encrypt(position);
            if position <= max {
                return Ok(position);
            }
            work += self.keys.len();
            if work >= LOOK_EVERY {
                work = 0;
                goes_on()?;
            }
        }
    }

    fn new(width: u32, key: [u32; 3], rounds: usize) -> Simon {
        let mut simon = Simon { width, keys: Vec::with_capacity(rounds.max(3)) };
        simon.keys.extend(key.map(|k| u64::from(k) & simon.mask()));
        let mut sequence = 0x7369_f885_192c_0ef5 & simon.mask();
        for i in 3..rounds {
            let before = simon.keys[i - 1];
            let mixed = simon.rotate(before, width - 3) ^ simon.rotate(before, width - 4);
            let next = 0xffff_fffc & simon.mask() ^ sequence & 1 ^ simon.keys[i - 3] ^ mixed;
            simon.keys.push(next);
            sequence >>= 1;
        }
        simon
    }

    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Rotates a word to the left.
    fn rotate(&self, word: u64, by: u32) -> u64 {
        let by = by % self.width;
        (word << by | word >> (self.width - by)) & self.mask()
    }

    fn encrypt(&self, block: u64) -> u64 {
        let mix = |word| self.rotate(word, 1) & self.rotate(word, 8) ^ self.rotate(word, 2);
        let (mut left, mut right) = (block >> self.width & self.mask(), block & self.mask());
        for keys in self.keys.chunks_exact(2) {
            left ^= mix(right) ^ keys[0];
            right ^= mix(left) ^ keys[1];
        }
        left << self.width | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_tensorflow() {
        let positions: Vec<u64> = (0..4).map(|i| position(i, [1, 2, 3], 3, 4)).collect();
        assert_eq!(positions, [2, 0, 3, 1]);
        assert_eq!(position(3, [1, 2, 3], 10, 4), 4);
    }
}
