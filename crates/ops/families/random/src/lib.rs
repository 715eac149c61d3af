//! Ops that draw random numbers, from TensorFlow's Philox streams: the same seeds give the same numbers.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{philox, prelude, variable};

/// [`dispatch!`](levada_graph::dispatch) over float16, float32, float64, and the dtypes that count.
macro_rules! counts {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        dispatch!(@go $dtype, $T, $body, $else, [F16 f16, F32 f32, F64 f64, I32 i32, I64 i64])
    };
}

/// [`dispatch!`](levada_graph::dispatch) over float16, float32, float64.
macro_rules! halves_to_doubles {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        dispatch!(@go $dtype, $T, $body, $else, [F16 f16, F32 f32, F64 f64])
    };
}

mod candidates;
mod distribution;
mod shards;

pub use key::{keyed, seeded};

family! {
    binomial: StatelessRandomBinomial;
    candidate_samplers: AllCandidateSampler, ComputeAccidentalHits, FixedUnigramCandidateSampler,
        LearnedUnigramCandidateSampler, LogUniformCandidateSampler, ThreadUnsafeUnigramCandidateSampler,
        UniformCandidateSampler;
    gamma: RandomGamma, StatelessRandomGammaV2, StatelessRandomGammaV3;
    generator: RngReadAndSkip, RngSkip, StatefulStandardNormal, StatefulStandardNormalV2, StatefulTruncatedNormal,
        StatefulUniform, StatefulUniformFullInt, StatefulUniformInt;
    index_shuffle: RandomIndexShuffle;
    key: StatelessRandomGetAlg, StatelessRandomGetKeyCounter, StatelessRandomGetKeyCounterAlg;
    multinomial: Multinomial, StatelessMultinomial;
    non_deterministic: NonDeterministicInts;
    parameterized_truncated_normal: ParameterizedTruncatedNormal, StatelessParameterizedTruncatedNormal;
    poisson: RandomPoisson, RandomPoissonV2, StatelessRandomPoisson;
    shuffle: RandomShuffle, StatelessShuffle;
    stateful: RandomStandardNormal, RandomUniform, TruncatedNormal;
    stateless: StatelessRandomNormal, StatelessRandomNormalV2, StatelessRandomUniform, StatelessRandomUniformFullInt,
        StatelessRandomUniformFullIntV2, StatelessRandomUniformV2, StatelessTruncatedNormal,
        StatelessTruncatedNormalV2;
    stateless_int: StatelessRandomUniformInt, StatelessRandomUniformIntV2;
    uniform_int: RandomUniformInt;
}
