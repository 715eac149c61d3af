//! `RandomShuffle` and `StatelessShuffle`: random permutations of rows.

use super::key::{infer_key, keyed};
use crate::philox::{Philox, Stream};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Shuffles the rows of `value` randomly.
    pub struct RandomShuffle {
        /// First seed; if both seeds are 0, the order differs from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static RANDOM_SHUFFLE: Def<RandomShuffle> = op("RandomShuffle")
    .inputs(&[arg("value", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(random_shuffle);

fn random_shuffle(op: &RandomShuffle, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stream = cx.node_state(|| Stream::new(op.seed, op.seed2))?;
    shuffle(cx, |steps| stream.reserve(steps))
}

attrs! {
    /// Shuffles the rows of `value` in an order determined by a key, a counter and an algorithm.
    pub struct StatelessShuffle {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static STATELESS_SHUFFLE: Def<StatelessShuffle> = op("StatelessShuffle")
    .inputs(&[
        arg("value", of("T")),
        arg("key", is(DType::U64)),
        arg("counter", is(DType::U64)),
        arg("alg", is(DType::I32)),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        infer_key(cx, 1)?;
        let shape = cx.input(0);
        cx.output(0, shape);
        Ok(())
    })
    .kernel(stateless_shuffle);

fn stateless_shuffle(_: &StatelessShuffle, cx: &mut Cx<'_, '_>) -> Result<()> {
    let philox = keyed(cx, 1)?;
    shuffle(cx, |_| philox)
}

/// Shuffles the rows of input 0. `reserve` returns the generator, given the number of steps to reserve.
fn shuffle(cx: &mut Cx<'_, '_>, reserve: impl FnOnce(u64) -> Philox) -> Result<()> {
    let value = cx.take(0)?;
    let rows = value.shape().first().copied().unwrap_or(0);
    if value.num_elements() <= 1 || rows <= 1 {
        cx.set(0, value);
        return Ok(());
    }
    let order = permutation(rows, reserve((rows as u64 - 1).div_ceil(4)));
    let shape = value.shape().clone();
    let width = value.num_elements() / rows;
    let mut out = cx.alloc(value.dtype(), &shape)?;
    dispatch!(value.dtype(), any, |T| {
        let from = value.slice::<T>()?;
        for (row, &i) in out.slice_mut::<T>()?.chunks_exact_mut(width).zip(&order) {
            row.clone_from_slice(&from[i * width..][..width]);
        }
    }, else return Err(Error::unimplemented(format!("shuffling {}", value.dtype()))));
    cx.set(0, out);
    Ok(())
}

/// Returns the indices below `n` in random order: a Fisher-Yates shuffle from the front.
fn permutation(n: usize, philox: Philox) -> Vec<usize> {
    let mut singles = philox.singles();
    let mut order: Vec<usize> = (0..n).collect();
    for i in 0..n - 1 {
        // TensorFlow draws below the number of remaining rows, as a 32-bit integer.
        let left = (n - i) as u32;
        order.swap(i, i + singles.next().checked_rem(left).unwrap_or(0) as usize);
    }
    order
}
