//! Generators of the stateless ops, made from seeds, or from a key, a counter and an algorithm.

pub use crate::philox::seeded;
use crate::philox::{Philox, shape_of_input, word};
use crate::prelude::*;
use levada_kernel::Io;

/// Philox, the algorithm that stateless ops use on the CPU.
const PHILOX: i32 = 1;
/// Leaves the choice of the algorithm to the op.
const AUTO_SELECT: i32 = 3;

/// Returns the generator with the key in input `i`, the counter in the next input and the algorithm in the one after
/// that.
///
/// # Errors
/// `INVALID_ARGUMENT` for other shapes, and for an algorithm that is not Philox.
pub fn keyed(cx: &Io<'_>, i: usize) -> Result<Philox> {
    let (key, counter, algorithm) = (cx.input(i)?, cx.input(i + 1)?, cx.input(i + 2)?);
    if !algorithm.shape().is_scalar() {
        return Err(Error::invalid(format!("the algorithm must have shape [], not {}", algorithm.shape())));
    }
    if key.shape().dims() != [1] {
        return Err(Error::invalid(format!("key must have shape [1], not {}", key.shape())));
    }
    let (key, words) = (key.item::<u64>()?, counter.slice::<u64>()?);
    let (1, &[low, high, ..]) = (counter.shape().rank(), words) else {
        return Err(Error::invalid(format!(
            "counter must be a vector with length at least 2; got shape: {}",
            counter.shape()
        )));
    };
    match algorithm.item::<i32>()? {
        PHILOX | AUTO_SELECT => Ok(Philox::keyed(key, [low, high])),
        other => Err(Error::invalid(format!("Unsupported algorithm id: {other}")).help("Philox has the id 1")),
    }
}

/// Checks the statically known shape of the seed in input `i`.
pub(super) fn infer_seed(cx: &ShapeCx<'_>, i: usize) -> Result<()> {
    cx.input(i).merge(&PartialShape::vector(Some(2))).map(drop)
}

/// Infers the output shape of an op whose input 0 is the shape and input 1 the seed.
pub(super) fn infer_seeded(cx: &mut ShapeCx<'_>) -> Result<()> {
    infer_seed(cx, 1)?;
    let shape = shape_of_input(cx, 0)?;
    cx.output(0, shape);
    Ok(())
}

/// Checks the statically known shapes of key, counter and algorithm, starting at input `i`.
pub(super) fn infer_key(cx: &ShapeCx<'_>, i: usize) -> Result<()> {
    cx.with_rank(i, 1)?;
    cx.with_rank(i + 1, 1)?;
    cx.with_rank(i + 2, 0).map(drop)
}

attrs! {
    /// Converts seeds to a key and a counter.
    pub struct StatelessRandomGetKeyCounter {
        /// Element type of `seed`.
        seed: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
    }
}

pub static STATELESS_RANDOM_GET_KEY_COUNTER: Def<StatelessRandomGetKeyCounter> = op("StatelessRandomGetKeyCounter")
    .inputs(&[arg("seed", of("Tseed"))])
    .outputs(&[arg("key", is(DType::U64)), arg("counter", is(DType::U64))])
    .also(&[form("StatelessRandomGetKeyCounterAlg")
        .outputs(&[arg("key", is(DType::U64)), arg("counter", is(DType::U64)), arg("alg", is(DType::I32))])
        .doc("Converts seeds to a key, a counter and the best algorithm.")])
    .shape(|_, cx| {
        infer_seed(cx, 0)?;
        cx.output_vector(0, Some(1));
        cx.output_vector(1, Some(2));
        cx.output_scalar(2);
        Ok(())
    })
    .kernel(|_, cx| {
        let Philox { counter: [a, b, c, d], key } = seeded(cx, 0)?;
        cx.set(0, Tensor::vector(vec![word(key[0], key[1])]));
        cx.set(1, Tensor::vector(vec![word(a, b), word(c, d)]));
        if cx.num_outputs() > 2 {
            cx.set(2, Tensor::scalar(PHILOX));
        }
        Ok(())
    });

attrs! {
    /// Returns the best algorithm.
    pub struct StatelessRandomGetAlg {}
}

pub static STATELESS_RANDOM_GET_ALG: Def<StatelessRandomGetAlg> = op("StatelessRandomGetAlg")
    .outputs(&[arg("alg", is(DType::I32))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(stateless_random_get_alg);

fn stateless_random_get_alg(_: &StatelessRandomGetAlg, cx: &mut Cx<'_, '_>) -> Result<()> {
    cx.set(0, Tensor::scalar(PHILOX));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_mixed_as_in_tensorflow() {
        let op = STATELESS_RANDOM_GET_KEY_COUNTER.of(StatelessRandomGetKeyCounter { seed: DType::I32 });
        let out = crate::testing::run(op, vec![Tensor::vector(vec![-1, 2])], &[DType::U64, DType::U64]).unwrap();
        assert_eq!(out[0].slice::<u64>().unwrap(), [17920545180917238815]);
        assert_eq!(out[1].slice::<u64>().unwrap(), [0, 139143306436182141]);
    }
}
