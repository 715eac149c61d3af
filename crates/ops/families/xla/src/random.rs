//! `XlaRngBitGenerator`: random bits from a key and a counter.

use crate::moves::shape_of_dims;
use crate::prelude::*;
use levada_ops_core::philox::{Philox, halves, word};

/// The number of the algorithm Philox4x32-10.
const PHILOX: i32 = 1;
/// The number of the algorithm Threefry2x32 with 20 rounds.
const THREEFRY: i32 = 2;

attrs! {
    /// Generates a tensor of random bits with Philox (1) or Threefry (2) from the key and the counter in
    /// `initial_state`, and returns the next state.
    pub struct XlaRngBitGenerator {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", TYPES).or_type(DType::U64),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

const TYPES: &[DType] = &[DType::U8, DType::I8, DType::I32, DType::I64, DType::U32, DType::U64];

pub static XLA_RNG_BIT_GENERATOR: Def<XlaRngBitGenerator> = op::<XlaRngBitGenerator>("XlaRngBitGenerator")
    .inputs(&[arg("algorithm", is(DType::I32)), arg("initial_state", is(DType::U64)), arg("shape", of("Tshape"))])
    .outputs(&[arg("output_key", is(DType::U64)), arg("output", of("dtype"))])
    .shape(|_, cx| {
        let state = cx.input(1);
        cx.output(0, state);
        let shape = cx.constant_shape(2);
        cx.output(1, shape);
        Ok(())
    })
    .host_inputs(&[0, 2])
    .kernel(generate)
    .heavy()
    .supports(|op| matches!(op.dtype, DType::U32 | DType::U64));

fn generate(op: &XlaRngBitGenerator, cx: &mut Cx<'_, '_>) -> Result<()> {
    let algorithm: i32 = cx.scalar(0)?;
    let state = cx.slice::<u64>(1)?.to_vec();
    let state_shape = cx.input(1)?.shape().clone();
    let shape = shape_of_dims(cx.input(2)?, "shape")?;
    let sizes: &[usize] = if algorithm == PHILOX { &[2, 3] } else { &[2] };
    if state_shape.rank() != 1 || !sizes.contains(&state.len()) {
        return Err(Error::invalid("initial_state must be a vector of a key and a counter")
            .expected(if algorithm == PHILOX { "2 or 3 elements" } else { "2 elements" })
            .found(format!("shape {state_shape}")));
    }
    let count = shape.num_elements();
    let wide = op.dtype == DType::U64;
    // All bits are generated before they are converted to elements.
    cx.device.arena.check(count.saturating_mul(16))?;
    let (bits, steps) = match algorithm {
        PHILOX => philox(&state, count, wide),
        THREEFRY if wide => (threefry(&state, count).into_iter().map(|[low, high]| word(low, high)).collect(), count),
        THREEFRY => threefry_halves(&state, &shape),
        other => return Err(Error::invalid("algorithm must be Philox (1) or Threefry (2)").found(other)),
    };
    let mut next = state;
    let counter = u128::from(next[1]) | next.get(2).map_or(0, |&high| u128::from(high)) << 64;
    let counter = counter.wrapping_add(steps as u128);
    next[1] = counter as u64;
    if let Some(high) = next.get_mut(2) {
        *high = (counter >> 64) as u64;
    }
    cx.set(0, Tensor::from_vec(state_shape, next)?);
    let out = match wide {
        true => Tensor::from_vec(shape, bits)?,
        false => Tensor::from_vec(shape, bits.iter().map(|&bits| bits as u32).collect())?,
    };
    cx.set(1, out);
    Ok(())
}

/// Returns `count` values of 64 or 32 bits, and the number of steps that the counter advances.
fn philox(state: &[u64], count: usize, wide: bool) -> (Vec<u64>, usize) {
    // Without the high half of the counter, the key is used instead.
    let mut generator = Philox::keyed(state[0], [state[1], state.get(2).copied().unwrap_or(state[0])]);
    let steps = count.div_ceil(if wide { 2 } else { 4 });
    let mut bits = Vec::with_capacity(steps * 4);
    for _ in 0..steps {
        let [a, b, c, d] = generator.next();
        match wide {
            true => bits.extend([word(a, b), word(c, d)]),
            false => bits.extend([a, b, c, d].map(u64::from)),
        }
    }
    bits.truncate(count);
    (bits, steps)
}

/// The outputs of Threefry for the next `count` counters.
fn threefry(state: &[u64], count: usize) -> Vec<[u32; 2]> {
    let key = halves(state[0]);
    (0..count).map(|i| encrypt(key, halves(state[1].wrapping_add(i as u64)))).collect()
}

/// 32-bit values: along one axis, the first of even size or else the largest, the two halves of a Threefry output
/// alternate.
fn threefry_halves(state: &[u64], shape: &Shape) -> (Vec<u64>, usize) {
    let largest = || (0..shape.rank()).rev().max_by_key(|&axis| shape[axis]);
    let axis = shape.iter().position(|size| size.is_multiple_of(2)).or_else(largest);
    let (size, inner) = axis.map_or((1, 1), |axis| (shape[axis], shape[axis + 1..].iter().product()));
    let half = size.div_ceil(2);
    let outer = if size == 0 || inner == 0 { 0 } else { shape.num_elements() / (size * inner) };
    let pairs = threefry(state, outer * half * inner);
    let place = |i: usize| {
        let (block, at, column) = (i / (size * inner), i / inner % size, i % inner);
        pairs[(block * half + at / 2) * inner + column][at % 2].into()
    };
    ((0..shape.num_elements()).map(place).collect(), pairs.len())
}

/// Threefry2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011).
fn encrypt(key: [u32; 2], counter: [u32; 2]) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1bd1_1bda];
    let [mut a, mut b] = [counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1])];
    for round in 0..5 {
        for rotation in ROTATIONS[round % 2] {
            a = a.wrapping_add(b);
            b = b.rotate_left(rotation) ^ a;
        }
        a = a.wrapping_add(keys[(round + 1) % 3]);
        b = b.wrapping_add(keys[(round + 2) % 3]).wrapping_add(round as u32 + 1);
    }
    [a, b]
}
