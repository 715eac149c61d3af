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
    binomial = STATELESS_RANDOM_BINOMIAL;
    candidate_samplers: LearnedUnigramCandidateSampler, LogUniformCandidateSampler, ThreadUnsafeUnigramCandidateSampler, UniformCandidateSampler = ALL_CANDIDATE_SAMPLER, COMPUTE_ACCIDENTAL_HITS, FIXED_UNIGRAM_CANDIDATE_SAMPLER;
    gamma = RANDOM_GAMMA, STATELESS_RANDOM_GAMMA_V2, STATELESS_RANDOM_GAMMA_V3;
    generator: StatefulStandardNormal, StatefulStandardNormalV2, StatefulTruncatedNormal, StatefulUniform, StatefulUniformFullInt, StatefulUniformInt = RNG_READ_AND_SKIP, RNG_SKIP;
    index_shuffle = RANDOM_INDEX_SHUFFLE;
    key: StatelessRandomGetKeyCounter, StatelessRandomGetKeyCounterAlg = STATELESS_RANDOM_GET_ALG;
    multinomial = MULTINOMIAL, STATELESS_MULTINOMIAL;
    non_deterministic = NON_DETERMINISTIC_INTS;
    parameterized_truncated_normal = PARAMETERIZED_TRUNCATED_NORMAL, STATELESS_PARAMETERIZED_TRUNCATED_NORMAL;
    poisson: RandomPoisson, RandomPoissonV2 = STATELESS_RANDOM_POISSON;
    shuffle = RANDOM_SHUFFLE, STATELESS_SHUFFLE;
    sobol_sample = SOBOL_SAMPLE;
    stateful: RandomStandardNormal, RandomUniform, TruncatedNormal;
    stateless: StatelessRandomNormal, StatelessRandomNormalV2, StatelessRandomUniform, StatelessRandomUniformFullInt,
        StatelessRandomUniformFullIntV2, StatelessRandomUniformV2, StatelessTruncatedNormal,
        StatelessTruncatedNormalV2;
    stateless_int = STATELESS_RANDOM_UNIFORM_INT, STATELESS_RANDOM_UNIFORM_INT_V2;
    uniform_int = RANDOM_UNIFORM_INT;
}
