//! Ops that draw random numbers from TensorFlow's Philox streams: equal seeds produce equal numbers.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{philox, prelude, rules, variable};

/// [`dispatch!`](levada_graph::dispatch) over float16, float32, float64, and the dtypes of counts.
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

pub use index_shuffle::position as shuffled_position;
pub use key::{keyed, seeded};

family! {
    binomial = STATEFUL_RANDOM_BINOMIAL, STATELESS_RANDOM_BINOMIAL;
    candidate_samplers = ALL_CANDIDATE_SAMPLER, COMPUTE_ACCIDENTAL_HITS, FIXED_UNIGRAM_CANDIDATE_SAMPLER,
        LEARNED_UNIGRAM_CANDIDATE_SAMPLER, LOG_UNIFORM_CANDIDATE_SAMPLER, UNIFORM_CANDIDATE_SAMPLER;
    gamma = RANDOM_GAMMA, STATELESS_RANDOM_GAMMA_V2, STATELESS_RANDOM_GAMMA_V3;
    generator = RNG_READ_AND_SKIP, RNG_SKIP, STATEFUL_STANDARD_NORMAL, STATEFUL_STANDARD_NORMAL_V2,
        STATEFUL_TRUNCATED_NORMAL, STATEFUL_UNIFORM, STATEFUL_UNIFORM_FULL_INT, STATEFUL_UNIFORM_INT;
    index_shuffle = RANDOM_INDEX_SHUFFLE;
    key = STATELESS_RANDOM_GET_ALG, STATELESS_RANDOM_GET_KEY_COUNTER;
    multinomial = MULTINOMIAL, STATELESS_MULTINOMIAL;
    non_deterministic = NON_DETERMINISTIC_INTS;
    parameterized_truncated_normal = PARAMETERIZED_TRUNCATED_NORMAL, STATELESS_PARAMETERIZED_TRUNCATED_NORMAL;
    poisson = RANDOM_POISSON_V2, STATELESS_RANDOM_POISSON;
    shuffle = RANDOM_SHUFFLE, STATELESS_SHUFFLE;
    sobol_sample = SOBOL_SAMPLE;
    stateful = RANDOM_STANDARD_NORMAL, RANDOM_UNIFORM, TRUNCATED_NORMAL;
    stateless = STATELESS_RANDOM_NORMAL, STATELESS_RANDOM_NORMAL_V2, STATELESS_RANDOM_UNIFORM,
        STATELESS_RANDOM_UNIFORM_FULL_INT, STATELESS_RANDOM_UNIFORM_FULL_INT_V2, STATELESS_RANDOM_UNIFORM_V2,
        STATELESS_TRUNCATED_NORMAL, STATELESS_TRUNCATED_NORMAL_V2;
    stateless_int = STATELESS_RANDOM_UNIFORM_INT, STATELESS_RANDOM_UNIFORM_INT_V2;
    uniform_int = RANDOM_UNIFORM_INT;
}
