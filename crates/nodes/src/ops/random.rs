// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `random`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Returns every class once.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes. At least 1.
    /// - `unique`: Has no effect.
    ///
    /// It has no gradient.
    pub fn all_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool) -> AllCandidateSampler<'_> {
        let mut node = Node::new(self, "AllCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        AllCandidateSampler(node)
    }

    /// Finds the sampled classes that are among the true classes of each row.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `sampled_candidates`: a tensor of int64
    /// - `num_true`: Number of true classes per row.
    ///
    /// It has no gradient.
    pub fn compute_accidental_hits(&self, true_classes: impl Input, sampled_candidates: impl Input, num_true: i64) -> ComputeAccidentalHits<'_> {
        let mut node = Node::new(self, "ComputeAccidentalHits").input(true_classes).input(sampled_candidates);
        node.set("num_true", num_true);
        ComputeAccidentalHits(node)
    }

    /// Draws classes in proportion to fixed weights.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes to draw. At least 1.
    /// - `unique`: Whether to draw without replacement.
    /// - `range_max`: Number of classes. At least 1.
    ///
    /// It has no gradient.
    pub fn fixed_unigram_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool, range_max: i64) -> FixedUnigramCandidateSampler<'_> {
        let mut node = Node::new(self, "FixedUnigramCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        node.set("range_max", range_max);
        FixedUnigramCandidateSampler(node)
    }

    /// Draws classes in proportion to their frequency among the true classes of earlier runs.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes to draw. At least 1.
    /// - `unique`: Whether to draw without replacement.
    /// - `range_max`: Number of classes. At least 1.
    ///
    /// It has no gradient.
    pub fn learned_unigram_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool, range_max: i64) -> LearnedUnigramCandidateSampler<'_> {
        let mut node = Node::new(self, "LearnedUnigramCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        node.set("range_max", range_max);
        LearnedUnigramCandidateSampler(node)
    }

    /// Draws classes from the log-uniform distribution, which favors low class numbers.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes to draw. At least 1.
    /// - `unique`: Whether to draw without replacement.
    /// - `range_max`: Number of classes. At least 1.
    ///
    /// It has no gradient.
    pub fn log_uniform_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool, range_max: i64) -> LogUniformCandidateSampler<'_> {
        let mut node = Node::new(self, "LogUniformCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        node.set("range_max", range_max);
        LogUniformCandidateSampler(node)
    }

    /// Draws `num_samples` classes per row from the unnormalized log-probabilities `logits`.
    ///
    /// - `logits`: a tensor of `T`
    /// - `num_samples`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn multinomial(&self, logits: impl Input, num_samples: impl Input) -> Multinomial<'_> {
        Multinomial(Node::new(self, "Multinomial").input(logits).input(num_samples))
    }

    /// Draws integers that differ from run to run.
    ///
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn non_deterministic_ints(&self, shape: impl Input) -> NonDeterministicInts<'_> {
        NonDeterministicInts(Node::new(self, "NonDeterministicInts").input(shape))
    }

    /// Draws from normal distributions truncated to bounds, with parameters per row or shared by all rows.
    ///
    /// - `shape`: a tensor of `T`
    /// - `means`: a tensor of `dtype`
    /// - `stdevs`: a tensor of `dtype`
    /// - `minvals`: a tensor of `dtype`
    /// - `maxvals`: a tensor of `dtype`
    ///
    /// `dtype` is any float. `T` is int32, int64.
    pub fn parameterized_truncated_normal(&self, shape: impl Input, means: impl Input, stdevs: impl Input, minvals: impl Input, maxvals: impl Input) -> ParameterizedTruncatedNormal<'_> {
        ParameterizedTruncatedNormal(Node::new(self, "ParameterizedTruncatedNormal").input(shape).input(means).input(stdevs).input(minvals).input(maxvals))
    }

    /// Draws `shape` samples for each element of `alpha`.
    ///
    /// - `shape`: a tensor of `S`
    /// - `alpha`: a tensor of `T`
    ///
    /// `S` is int32, int64. `T` is float32, float64, float16.
    pub fn random_gamma(&self, shape: impl Input, alpha: impl Input) -> RandomGamma<'_> {
        RandomGamma(Node::new(self, "RandomGamma").input(shape).input(alpha))
    }

    /// Returns the position of `index` in the permutation of `[0, max_index]` determined by `seed`.
    ///
    /// - `index`: a tensor of `dtype`
    /// - `seed`: a tensor of `Tseed`
    /// - `max_index`: a tensor of `dtype`
    ///
    /// `dtype` is int32, int64, uint32, uint64. `Tseed` is int32, int64, uint32, uint64.
    pub fn random_index_shuffle(&self, index: impl Input, seed: impl Input, max_index: impl Input) -> RandomIndexShuffle<'_> {
        RandomIndexShuffle(Node::new(self, "RandomIndexShuffle").input(index).input(seed).input(max_index))
    }

    /// Draws `shape` samples for each element of `rate`.
    ///
    /// - `shape`: a tensor of `S`
    /// - `rate`: a tensor of `dtype`
    ///
    /// `S` is int32, int64. `dtype` is float32, float64, float16.
    pub fn random_poisson(&self, shape: impl Input, rate: impl Input) -> RandomPoisson<'_> {
        RandomPoisson(Node::new(self, "RandomPoisson").input(shape).input(rate))
    }

    /// Draws `shape` samples for each element of `rate`.
    ///
    /// - `shape`: a tensor of `S`
    /// - `rate`: a tensor of `R`
    ///
    /// `S` is int32, int64. `R` is float32, float64, int32, int64, float16.
    pub fn random_poisson_v2(&self, shape: impl Input, rate: impl Input) -> RandomPoissonV2<'_> {
        RandomPoissonV2(Node::new(self, "RandomPoissonV2").input(shape).input(rate))
    }

    /// Shuffles the rows of `value` randomly.
    ///
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn random_shuffle(&self, value: impl Input) -> RandomShuffle<'_> {
        RandomShuffle(Node::new(self, "RandomShuffle").input(value))
    }

    /// Draws from the standard normal distribution.
    ///
    /// - `shape`: a tensor of `T`
    /// - `dtype`: Element type of the output. Allowed: any float.
    ///
    /// `T` is int32, int64.
    pub fn random_standard_normal(&self, shape: impl Input, dtype: DType) -> RandomStandardNormal<'_> {
        let mut node = Node::new(self, "RandomStandardNormal").input(shape);
        node.set("dtype", dtype);
        RandomStandardNormal(node)
    }

    /// Draws uniformly from `[0, 1)`.
    ///
    /// - `shape`: a tensor of `T`
    /// - `dtype`: Element type of the output. Allowed: any float.
    ///
    /// `T` is int32, int64.
    pub fn random_uniform(&self, shape: impl Input, dtype: DType) -> RandomUniform<'_> {
        let mut node = Node::new(self, "RandomUniform").input(shape);
        node.set("dtype", dtype);
        RandomUniform(node)
    }

    /// Draws integers uniformly from `[minval, maxval)`.
    ///
    /// - `shape`: a tensor of `T`
    /// - `minval`: a tensor of `Tout`
    /// - `maxval`: a tensor of `Tout`
    ///
    /// `Tout` is int32, int64. `T` is int32, int64.
    pub fn random_uniform_int(&self, shape: impl Input, minval: impl Input, maxval: impl Input) -> RandomUniformInt<'_> {
        RandomUniformInt(Node::new(self, "RandomUniformInt").input(shape).input(minval).input(maxval))
    }

    /// Returns a generator's state and skips the part of its stream that `delta` values take.
    ///
    /// - `resource`: a tensor of resource
    /// - `alg`: a tensor of int32
    /// - `delta`: a tensor of uint64
    ///
    /// It has no gradient.
    pub fn rng_read_and_skip(&self, resource: impl Input, alg: impl Input, delta: impl Input) -> RngReadAndSkip<'_> {
        RngReadAndSkip(Node::new(self, "RngReadAndSkip").input(resource).input(alg).input(delta))
    }

    /// Skips the part of a generator's stream that `delta` values take.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `delta`: a tensor of int64
    pub fn rng_skip(&self, resource: impl Input, algorithm: impl Input, delta: impl Input) -> RngSkip<'_> {
        RngSkip(Node::new(self, "RngSkip").input(resource).input(algorithm).input(delta))
    }

    /// Returns `num_results` points of the Sobol sequence in the `dim`-dimensional unit cube, skipping the first `skip`.
    ///
    /// - `dim`: a tensor of int32
    /// - `num_results`: a tensor of int32
    /// - `skip`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn sobol_sample(&self, dim: impl Input, num_results: impl Input, skip: impl Input) -> SobolSample<'_> {
        SobolSample(Node::new(self, "SobolSample").input(dim).input(num_results).input(skip))
    }

    /// Draws from binomial distributions with `counts` trials of success probability `probs`, using the generator state in a variable. `shape` ends with the broadcast shape of `counts` and `probs`.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `S`
    /// - `counts`: a tensor of `T`
    /// - `probs`: a tensor of `T`
    ///
    /// `S` is int32, int64. `T` is float32, float64, int32, int64, float16.
    ///
    /// It has no gradient.
    pub fn stateful_random_binomial(&self, resource: impl Input, algorithm: impl Input, shape: impl Input, counts: impl Input, probs: impl Input) -> StatefulRandomBinomial<'_> {
        StatefulRandomBinomial(Node::new(self, "StatefulRandomBinomial").input(resource).input(algorithm).input(shape).input(counts).input(probs))
    }

    /// Draws from the standard normal distribution.
    ///
    /// - `resource`: a tensor of resource
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_standard_normal(&self, resource: impl Input, shape: impl Input) -> StatefulStandardNormal<'_> {
        StatefulStandardNormal(Node::new(self, "StatefulStandardNormal").input(resource).input(shape))
    }

    /// Draws from the standard normal distribution.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_standard_normal_v2(&self, resource: impl Input, algorithm: impl Input, shape: impl Input) -> StatefulStandardNormalV2<'_> {
        StatefulStandardNormalV2(Node::new(self, "StatefulStandardNormalV2").input(resource).input(algorithm).input(shape))
    }

    /// Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_truncated_normal(&self, resource: impl Input, algorithm: impl Input, shape: impl Input) -> StatefulTruncatedNormal<'_> {
        StatefulTruncatedNormal(Node::new(self, "StatefulTruncatedNormal").input(resource).input(algorithm).input(shape))
    }

    /// Draws uniformly from `[0, 1)`.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_uniform(&self, resource: impl Input, algorithm: impl Input, shape: impl Input) -> StatefulUniform<'_> {
        StatefulUniform(Node::new(self, "StatefulUniform").input(resource).input(algorithm).input(shape))
    }

    /// Draws integers uniformly from the full range of the type.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `shape_dtype`
    ///
    /// `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_uniform_full_int(&self, resource: impl Input, algorithm: impl Input, shape: impl Input) -> StatefulUniformFullInt<'_> {
        StatefulUniformFullInt(Node::new(self, "StatefulUniformFullInt").input(resource).input(algorithm).input(shape))
    }

    /// Draws integers uniformly from `[minval, maxval)`.
    ///
    /// - `resource`: a tensor of resource
    /// - `algorithm`: a tensor of int64
    /// - `shape`: a tensor of `shape_dtype`
    /// - `minval`: a tensor of `dtype`
    /// - `maxval`: a tensor of `dtype`
    ///
    /// `dtype` is any dtype. `shape_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateful_uniform_int(&self, resource: impl Input, algorithm: impl Input, shape: impl Input, minval: impl Input, maxval: impl Input) -> StatefulUniformInt<'_> {
        StatefulUniformInt(Node::new(self, "StatefulUniformInt").input(resource).input(algorithm).input(shape).input(minval).input(maxval))
    }

    /// Draws `num_samples` classes per row from the unnormalized log-probabilities `logits`. The stream is determined by two seeds.
    ///
    /// - `logits`: a tensor of `T`
    /// - `num_samples`: a tensor of int32
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is any integer or float. `Tseed` is int32, int64.
    pub fn stateless_multinomial(&self, logits: impl Input, num_samples: impl Input, seed: impl Input) -> StatelessMultinomial<'_> {
        StatelessMultinomial(Node::new(self, "StatelessMultinomial").input(logits).input(num_samples).input(seed))
    }

    /// Draws from normal distributions truncated to bounds; `shape` ends with the broadcast shape of the parameters.
    ///
    /// - `shape`: a tensor of `S`
    /// - `seed`: a tensor of `Tseed`
    /// - `means`: a tensor of `dtype`
    /// - `stddevs`: a tensor of `dtype`
    /// - `minvals`: a tensor of `dtype`
    /// - `maxvals`: a tensor of `dtype`
    ///
    /// `S` is int32, int64. `Tseed` is int32, int64. `dtype` is float32, float64, float16.
    pub fn stateless_parameterized_truncated_normal(&self, shape: impl Input, seed: impl Input, means: impl Input, stddevs: impl Input, minvals: impl Input, maxvals: impl Input) -> StatelessParameterizedTruncatedNormal<'_> {
        StatelessParameterizedTruncatedNormal(Node::new(self, "StatelessParameterizedTruncatedNormal").input(shape).input(seed).input(means).input(stddevs).input(minvals).input(maxvals))
    }

    /// Draws from binomial distributions with `counts` trials of success probability `probs`. `shape` ends with the broadcast shape of `counts` and `probs`.
    ///
    /// - `shape`: a tensor of `S`
    /// - `seed`: a tensor of `Tseed`
    /// - `counts`: a tensor of `T`
    /// - `probs`: a tensor of `T`
    ///
    /// `S` is int32, int64. `Tseed` is int32, int64. `T` is float32, float64, int32, int64, float16.
    pub fn stateless_random_binomial(&self, shape: impl Input, seed: impl Input, counts: impl Input, probs: impl Input) -> StatelessRandomBinomial<'_> {
        StatelessRandomBinomial(Node::new(self, "StatelessRandomBinomial").input(shape).input(seed).input(counts).input(probs))
    }

    /// Draws samples for each element of `alpha`; `shape` ends with the shape of `alpha`. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    /// - `alpha`: a tensor of `dtype`
    ///
    /// `dtype` is float32, float64, float16. `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_random_gamma_v2(&self, shape: impl Input, seed: impl Input, alpha: impl Input) -> StatelessRandomGammaV2<'_> {
        StatelessRandomGammaV2(Node::new(self, "StatelessRandomGammaV2").input(shape).input(seed).input(alpha))
    }

    /// Draws samples for each element of `alpha`; `shape` ends with the shape of `alpha`. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `shape_dtype`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    /// - `alpha`: a tensor of `dtype`
    ///
    /// `dtype` is float32, float64, float16. `shape_dtype` is int32, int64.
    pub fn stateless_random_gamma_v3(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input, alpha: impl Input) -> StatelessRandomGammaV3<'_> {
        StatelessRandomGammaV3(Node::new(self, "StatelessRandomGammaV3").input(shape).input(key).input(counter).input(alg).input(alpha))
    }

    /// Returns the best algorithm.
    ///
    /// It has no gradient.
    pub fn stateless_random_get_alg(&self) -> StatelessRandomGetAlg<'_> {
        StatelessRandomGetAlg(Node::new(self, "StatelessRandomGetAlg"))
    }

    /// Converts seeds to a key and a counter.
    ///
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `Tseed` is int32, int64.
    ///
    /// It has no gradient.
    pub fn stateless_random_get_key_counter(&self, seed: impl Input) -> StatelessRandomGetKeyCounter<'_> {
        StatelessRandomGetKeyCounter(Node::new(self, "StatelessRandomGetKeyCounter").input(seed))
    }

    /// Converts seeds to a key, a counter and the best algorithm.
    ///
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `Tseed` is int32, int64.
    ///
    /// It has no gradient.
    pub fn stateless_random_get_key_counter_alg(&self, seed: impl Input) -> StatelessRandomGetKeyCounterAlg<'_> {
        StatelessRandomGetKeyCounterAlg(Node::new(self, "StatelessRandomGetKeyCounterAlg").input(seed))
    }

    /// Draws from the standard normal distribution. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_random_normal(&self, shape: impl Input, seed: impl Input) -> StatelessRandomNormal<'_> {
        StatelessRandomNormal(Node::new(self, "StatelessRandomNormal").input(shape).input(seed))
    }

    /// Draws from the standard normal distribution. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    ///
    /// `Tshape` is int32, int64.
    pub fn stateless_random_normal_v2(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input) -> StatelessRandomNormalV2<'_> {
        StatelessRandomNormalV2(Node::new(self, "StatelessRandomNormalV2").input(shape).input(key).input(counter).input(alg))
    }

    /// Draws samples for each element of `lam`; `shape` ends with the shape of `lam`. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    /// - `lam`: a tensor of `Rtype`
    /// - `dtype`: Element type of the output. Allowed: float32, float64, int32, int64, float16.
    ///
    /// `Rtype` is float32, float64, int32, int64, float16. `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_random_poisson(&self, shape: impl Input, seed: impl Input, lam: impl Input, dtype: DType) -> StatelessRandomPoisson<'_> {
        let mut node = Node::new(self, "StatelessRandomPoisson").input(shape).input(seed).input(lam);
        node.set("dtype", dtype);
        StatelessRandomPoisson(node)
    }

    /// Draws uniformly from `[0, 1)`. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_random_uniform(&self, shape: impl Input, seed: impl Input) -> StatelessRandomUniform<'_> {
        StatelessRandomUniform(Node::new(self, "StatelessRandomUniform").input(shape).input(seed))
    }

    /// Draws integers uniformly from the full range of the type. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is int32, int64. `Tseed` is int32, int64, uint32, uint64.
    pub fn stateless_random_uniform_full_int(&self, shape: impl Input, seed: impl Input) -> StatelessRandomUniformFullInt<'_> {
        StatelessRandomUniformFullInt(Node::new(self, "StatelessRandomUniformFullInt").input(shape).input(seed))
    }

    /// Draws integers uniformly from the full range of the type. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    ///
    /// `Tshape` is int32, int64.
    pub fn stateless_random_uniform_full_int_v2(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input) -> StatelessRandomUniformFullIntV2<'_> {
        StatelessRandomUniformFullIntV2(Node::new(self, "StatelessRandomUniformFullIntV2").input(shape).input(key).input(counter).input(alg))
    }

    /// Draws integers uniformly from `[minval, maxval)`. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    /// - `minval`: a tensor of `dtype`
    /// - `maxval`: a tensor of `dtype`
    ///
    /// `dtype` is int32, int64. `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_random_uniform_int(&self, shape: impl Input, seed: impl Input, minval: impl Input, maxval: impl Input) -> StatelessRandomUniformInt<'_> {
        StatelessRandomUniformInt(Node::new(self, "StatelessRandomUniformInt").input(shape).input(seed).input(minval).input(maxval))
    }

    /// Draws integers uniformly from `[minval, maxval)`. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    /// - `minval`: a tensor of `dtype`
    /// - `maxval`: a tensor of `dtype`
    ///
    /// `dtype` is int32, int64, uint32, uint64. `Tshape` is int32, int64.
    pub fn stateless_random_uniform_int_v2(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input, minval: impl Input, maxval: impl Input) -> StatelessRandomUniformIntV2<'_> {
        StatelessRandomUniformIntV2(Node::new(self, "StatelessRandomUniformIntV2").input(shape).input(key).input(counter).input(alg).input(minval).input(maxval))
    }

    /// Draws uniformly from `[0, 1)`. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    ///
    /// `Tshape` is int32, int64.
    pub fn stateless_random_uniform_v2(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input) -> StatelessRandomUniformV2<'_> {
        StatelessRandomUniformV2(Node::new(self, "StatelessRandomUniformV2").input(shape).input(key).input(counter).input(alg))
    }

    /// Shuffles the rows of `value` in an order determined by a key, a counter and an algorithm.
    ///
    /// - `value`: a tensor of `T`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn stateless_shuffle(&self, value: impl Input, key: impl Input, counter: impl Input, alg: impl Input) -> StatelessShuffle<'_> {
        StatelessShuffle(Node::new(self, "StatelessShuffle").input(value).input(key).input(counter).input(alg))
    }

    /// Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean. The stream is determined by two seeds.
    ///
    /// - `shape`: a tensor of `T`
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is int32, int64. `Tseed` is int32, int64.
    pub fn stateless_truncated_normal(&self, shape: impl Input, seed: impl Input) -> StatelessTruncatedNormal<'_> {
        StatelessTruncatedNormal(Node::new(self, "StatelessTruncatedNormal").input(shape).input(seed))
    }

    /// Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean. The stream is determined by a key, a counter and an algorithm.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `key`: a tensor of uint64
    /// - `counter`: a tensor of uint64
    /// - `alg`: a tensor of int32
    ///
    /// `Tshape` is int32, int64.
    pub fn stateless_truncated_normal_v2(&self, shape: impl Input, key: impl Input, counter: impl Input, alg: impl Input) -> StatelessTruncatedNormalV2<'_> {
        StatelessTruncatedNormalV2(Node::new(self, "StatelessTruncatedNormalV2").input(shape).input(key).input(counter).input(alg))
    }

    /// Draws classes in proportion to their frequency among the true classes of earlier runs.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes to draw. At least 1.
    /// - `unique`: Whether to draw without replacement.
    /// - `range_max`: Number of classes. At least 1.
    ///
    /// It has no gradient.
    pub fn thread_unsafe_unigram_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool, range_max: i64) -> ThreadUnsafeUnigramCandidateSampler<'_> {
        let mut node = Node::new(self, "ThreadUnsafeUnigramCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        node.set("range_max", range_max);
        ThreadUnsafeUnigramCandidateSampler(node)
    }

    /// Draws from the standard normal distribution, redrawing values at least 2 standard deviations from the mean.
    ///
    /// - `shape`: a tensor of `T`
    /// - `dtype`: Element type of the output. Allowed: any float.
    ///
    /// `T` is int32, int64.
    pub fn truncated_normal(&self, shape: impl Input, dtype: DType) -> TruncatedNormal<'_> {
        let mut node = Node::new(self, "TruncatedNormal").input(shape);
        node.set("dtype", dtype);
        TruncatedNormal(node)
    }

    /// Draws classes from the uniform distribution.
    ///
    /// - `true_classes`: a tensor of int64
    /// - `num_true`: Number of true classes per row. At least 1.
    /// - `num_sampled`: Number of classes to draw. At least 1.
    /// - `unique`: Whether to draw without replacement.
    /// - `range_max`: Number of classes. At least 1.
    ///
    /// It has no gradient.
    pub fn uniform_candidate_sampler(&self, true_classes: impl Input, num_true: i64, num_sampled: i64, unique: bool, range_max: i64) -> UniformCandidateSampler<'_> {
        let mut node = Node::new(self, "UniformCandidateSampler").input(true_classes);
        node.set("num_true", num_true);
        node.set("num_sampled", num_sampled);
        node.set("unique", unique);
        node.set("range_max", range_max);
        UniformCandidateSampler(node)
    }
}

/// A node of [`AllCandidateSampler`](Ops::all_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AllCandidateSampler<'a>(Node<'a>);

impl AllCandidateSampler<'_> {
    /// Has no effect. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Has no effect. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AllCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        AllCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`AllCandidateSampler`](Ops::all_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct AllCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

/// A node of [`ComputeAccidentalHits`](Ops::compute_accidental_hits) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ComputeAccidentalHits<'a>(Node<'a>);

impl ComputeAccidentalHits<'_> {
    /// Has no effect. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Has no effect. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ComputeAccidentalHitsOutputs {
        let mut outputs = self.0.outputs();
        ComputeAccidentalHitsOutputs { indices: outputs.one(), ids: outputs.one(), weights: outputs.one() }
    }
}

/// The outputs of [`ComputeAccidentalHits`](Ops::compute_accidental_hits).
#[derive(Clone, Copy, Debug)]
pub struct ComputeAccidentalHitsOutputs {
    /// A tensor of int32.
    pub indices: Output,
    /// A tensor of int64.
    pub ids: Output,
    /// A tensor of float32.
    pub weights: Output,
}

/// A node of [`FixedUnigramCandidateSampler`](Ops::fixed_unigram_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FixedUnigramCandidateSampler<'a>(Node<'a>);

impl FixedUnigramCandidateSampler<'_> {
    /// File that contains the weights. Default: `""`.
    pub fn vocab_file(mut self, vocab_file: impl AsRef<[u8]>) -> Self {
        self.0.set("vocab_file", string(vocab_file));
        self
    }

    /// Power to which the weights are raised. Default: `1.0`.
    pub fn distortion(mut self, distortion: f32) -> Self {
        self.0.set("distortion", distortion);
        self
    }

    /// Number of leading classes that are never drawn. Default: `0`.
    pub fn num_reserved_ids(mut self, num_reserved_ids: i64) -> Self {
        self.0.set("num_reserved_ids", num_reserved_ids);
        self
    }

    /// Number of samplers that the classes are divided among. At least 1. Default: `1`.
    pub fn num_shards(mut self, num_shards: i64) -> Self {
        self.0.set("num_shards", num_shards);
        self
    }

    /// Index of this sampler among them. At least 0. Default: `0`.
    pub fn shard(mut self, shard: i64) -> Self {
        self.0.set("shard", shard);
        self
    }

    /// The weights. Default: none.
    pub fn unigrams(mut self, unigrams: &[f32]) -> Self {
        self.0.set("unigrams", unigrams.to_vec());
        self
    }

    /// First seed; if both seeds are 0, the classes differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> FixedUnigramCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        FixedUnigramCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`FixedUnigramCandidateSampler`](Ops::fixed_unigram_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct FixedUnigramCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

/// A node of [`LearnedUnigramCandidateSampler`](Ops::learned_unigram_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LearnedUnigramCandidateSampler<'a>(Node<'a>);

impl LearnedUnigramCandidateSampler<'_> {
    /// First seed; if both seeds are 0, the classes differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LearnedUnigramCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        LearnedUnigramCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`LearnedUnigramCandidateSampler`](Ops::learned_unigram_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct LearnedUnigramCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

/// A node of [`LogUniformCandidateSampler`](Ops::log_uniform_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogUniformCandidateSampler<'a>(Node<'a>);

impl LogUniformCandidateSampler<'_> {
    /// First seed; if both seeds are 0, the classes differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LogUniformCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        LogUniformCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`LogUniformCandidateSampler`](Ops::log_uniform_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct LogUniformCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

/// A node of [`Multinomial`](Ops::multinomial) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Multinomial<'a>(Node<'a>);

impl Multinomial<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Element type of the classes. Allowed: int32, int64. Default: int64.
    pub fn output_dtype(mut self, output_dtype: DType) -> Self {
        self.0.set("output_dtype", output_dtype);
        self
    }
}

/// A node of [`NonDeterministicInts`](Ops::non_deterministic_ints) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonDeterministicInts<'a>(Node<'a>);

impl NonDeterministicInts<'_> {
    /// Element type of the output. Default: int64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`ParameterizedTruncatedNormal`](Ops::parameterized_truncated_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParameterizedTruncatedNormal<'a>(Node<'a>);

impl ParameterizedTruncatedNormal<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomGamma`](Ops::random_gamma) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomGamma<'a>(Node<'a>);

impl RandomGamma<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomIndexShuffle`](Ops::random_index_shuffle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomIndexShuffle<'a>(Node<'a>);

impl RandomIndexShuffle<'_> {
    /// Number of rounds of the cipher, which must be even. Default: `4`.
    pub fn rounds(mut self, rounds: i64) -> Self {
        self.0.set("rounds", rounds);
        self
    }
}

/// A node of [`RandomPoisson`](Ops::random_poisson) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomPoisson<'a>(Node<'a>);

impl RandomPoisson<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomPoissonV2`](Ops::random_poisson_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomPoissonV2<'a>(Node<'a>);

impl RandomPoissonV2<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Element type of the output. Allowed: float32, float64, int32, int64, float16. Default: int64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`RandomShuffle`](Ops::random_shuffle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomShuffle<'a>(Node<'a>);

impl RandomShuffle<'_> {
    /// First seed; if both seeds are 0, the order differs from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomStandardNormal`](Ops::random_standard_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomStandardNormal<'a>(Node<'a>);

impl RandomStandardNormal<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomUniform`](Ops::random_uniform) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomUniform<'a>(Node<'a>);

impl RandomUniform<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomUniformInt`](Ops::random_uniform_int) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomUniformInt<'a>(Node<'a>);

impl RandomUniformInt<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RngReadAndSkip`](Ops::rng_read_and_skip) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RngReadAndSkip<'a>(Node<'a>);

/// A node of [`RngSkip`](Ops::rng_skip) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RngSkip<'a>(Node<'a>);

/// A node of [`SobolSample`](Ops::sobol_sample) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SobolSample<'a>(Node<'a>);

impl SobolSample<'_> {
    /// Element type of the points. Allowed: float32, float64. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulRandomBinomial`](Ops::stateful_random_binomial) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulRandomBinomial<'a>(Node<'a>);

impl StatefulRandomBinomial<'_> {
    /// Element type of the output. Allowed: float32, float64, int32, int64, float16. Default: int64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulStandardNormal`](Ops::stateful_standard_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulStandardNormal<'a>(Node<'a>);

impl StatefulStandardNormal<'_> {
    /// Element type of the output. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulStandardNormalV2`](Ops::stateful_standard_normal_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulStandardNormalV2<'a>(Node<'a>);

impl StatefulStandardNormalV2<'_> {
    /// Element type of the output. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulTruncatedNormal`](Ops::stateful_truncated_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulTruncatedNormal<'a>(Node<'a>);

impl StatefulTruncatedNormal<'_> {
    /// Element type of the output. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulUniform`](Ops::stateful_uniform) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulUniform<'a>(Node<'a>);

impl StatefulUniform<'_> {
    /// Element type of the output. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulUniformFullInt`](Ops::stateful_uniform_full_int) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulUniformFullInt<'a>(Node<'a>);

impl StatefulUniformFullInt<'_> {
    /// Element type of the output. Default: uint64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatefulUniformInt`](Ops::stateful_uniform_int) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatefulUniformInt<'a>(Node<'a>);

/// A node of [`StatelessMultinomial`](Ops::stateless_multinomial) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessMultinomial<'a>(Node<'a>);

impl StatelessMultinomial<'_> {
    /// Element type of the classes. Allowed: int32, int64. Default: int64.
    pub fn output_dtype(mut self, output_dtype: DType) -> Self {
        self.0.set("output_dtype", output_dtype);
        self
    }
}

/// A node of [`StatelessParameterizedTruncatedNormal`](Ops::stateless_parameterized_truncated_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessParameterizedTruncatedNormal<'a>(Node<'a>);

/// A node of [`StatelessRandomBinomial`](Ops::stateless_random_binomial) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomBinomial<'a>(Node<'a>);

impl StatelessRandomBinomial<'_> {
    /// Element type of the output. Allowed: float32, float64, int32, int64, float16. Default: int64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomGammaV2`](Ops::stateless_random_gamma_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomGammaV2<'a>(Node<'a>);

/// A node of [`StatelessRandomGammaV3`](Ops::stateless_random_gamma_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomGammaV3<'a>(Node<'a>);

/// A node of [`StatelessRandomGetAlg`](Ops::stateless_random_get_alg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomGetAlg<'a>(Node<'a>);

/// A node of [`StatelessRandomGetKeyCounter`](Ops::stateless_random_get_key_counter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomGetKeyCounter<'a>(Node<'a>);

impl StatelessRandomGetKeyCounter<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StatelessRandomGetKeyCounterOutputs {
        let mut outputs = self.0.outputs();
        StatelessRandomGetKeyCounterOutputs { key: outputs.one(), counter: outputs.one() }
    }
}

/// The outputs of [`StatelessRandomGetKeyCounter`](Ops::stateless_random_get_key_counter).
#[derive(Clone, Copy, Debug)]
pub struct StatelessRandomGetKeyCounterOutputs {
    /// A tensor of uint64.
    pub key: Output,
    /// A tensor of uint64.
    pub counter: Output,
}

/// A node of [`StatelessRandomGetKeyCounterAlg`](Ops::stateless_random_get_key_counter_alg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomGetKeyCounterAlg<'a>(Node<'a>);

impl StatelessRandomGetKeyCounterAlg<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StatelessRandomGetKeyCounterAlgOutputs {
        let mut outputs = self.0.outputs();
        StatelessRandomGetKeyCounterAlgOutputs { key: outputs.one(), counter: outputs.one(), alg: outputs.one() }
    }
}

/// The outputs of [`StatelessRandomGetKeyCounterAlg`](Ops::stateless_random_get_key_counter_alg).
#[derive(Clone, Copy, Debug)]
pub struct StatelessRandomGetKeyCounterAlgOutputs {
    /// A tensor of uint64.
    pub key: Output,
    /// A tensor of uint64.
    pub counter: Output,
    /// A tensor of int32.
    pub alg: Output,
}

/// A node of [`StatelessRandomNormal`](Ops::stateless_random_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomNormal<'a>(Node<'a>);

impl StatelessRandomNormal<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomNormalV2`](Ops::stateless_random_normal_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomNormalV2<'a>(Node<'a>);

impl StatelessRandomNormalV2<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomPoisson`](Ops::stateless_random_poisson) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomPoisson<'a>(Node<'a>);

/// A node of [`StatelessRandomUniform`](Ops::stateless_random_uniform) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniform<'a>(Node<'a>);

impl StatelessRandomUniform<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomUniformFullInt`](Ops::stateless_random_uniform_full_int) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniformFullInt<'a>(Node<'a>);

impl StatelessRandomUniformFullInt<'_> {
    /// Element type of the output. Allowed: int32, int64, uint32, uint64. Default: uint64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomUniformFullIntV2`](Ops::stateless_random_uniform_full_int_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniformFullIntV2<'a>(Node<'a>);

impl StatelessRandomUniformFullIntV2<'_> {
    /// Element type of the output. Allowed: int32, int64, uint32, uint64. Default: uint64.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessRandomUniformInt`](Ops::stateless_random_uniform_int) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniformInt<'a>(Node<'a>);

/// A node of [`StatelessRandomUniformIntV2`](Ops::stateless_random_uniform_int_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniformIntV2<'a>(Node<'a>);

/// A node of [`StatelessRandomUniformV2`](Ops::stateless_random_uniform_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessRandomUniformV2<'a>(Node<'a>);

impl StatelessRandomUniformV2<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessShuffle`](Ops::stateless_shuffle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessShuffle<'a>(Node<'a>);

/// A node of [`StatelessTruncatedNormal`](Ops::stateless_truncated_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessTruncatedNormal<'a>(Node<'a>);

impl StatelessTruncatedNormal<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`StatelessTruncatedNormalV2`](Ops::stateless_truncated_normal_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessTruncatedNormalV2<'a>(Node<'a>);

impl StatelessTruncatedNormalV2<'_> {
    /// Element type of the output. Allowed: any float. Default: float32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`ThreadUnsafeUnigramCandidateSampler`](Ops::thread_unsafe_unigram_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ThreadUnsafeUnigramCandidateSampler<'a>(Node<'a>);

impl ThreadUnsafeUnigramCandidateSampler<'_> {
    /// First seed; if both seeds are 0, the classes differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ThreadUnsafeUnigramCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        ThreadUnsafeUnigramCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`ThreadUnsafeUnigramCandidateSampler`](Ops::thread_unsafe_unigram_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct ThreadUnsafeUnigramCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

/// A node of [`TruncatedNormal`](Ops::truncated_normal) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TruncatedNormal<'a>(Node<'a>);

impl TruncatedNormal<'_> {
    /// First seed; if both seeds are 0, the values differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`UniformCandidateSampler`](Ops::uniform_candidate_sampler) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniformCandidateSampler<'a>(Node<'a>);

impl UniformCandidateSampler<'_> {
    /// First seed; if both seeds are 0, the classes differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UniformCandidateSamplerOutputs {
        let mut outputs = self.0.outputs();
        UniformCandidateSamplerOutputs { sampled_candidates: outputs.one(), true_expected_count: outputs.one(), sampled_expected_count: outputs.one() }
    }
}

/// The outputs of [`UniformCandidateSampler`](Ops::uniform_candidate_sampler).
#[derive(Clone, Copy, Debug)]
pub struct UniformCandidateSamplerOutputs {
    /// A tensor of int64.
    pub sampled_candidates: Output,
    /// A tensor of float32.
    pub true_expected_count: Output,
    /// A tensor of float32.
    pub sampled_expected_count: Output,
}

common! {
    AllCandidateSampler
    ComputeAccidentalHits
    FixedUnigramCandidateSampler
    LearnedUnigramCandidateSampler
    LogUniformCandidateSampler
    Multinomial
    NonDeterministicInts
    ParameterizedTruncatedNormal
    RandomGamma
    RandomIndexShuffle
    RandomPoisson
    RandomPoissonV2
    RandomShuffle
    RandomStandardNormal
    RandomUniform
    RandomUniformInt
    RngReadAndSkip
    RngSkip
    SobolSample
    StatefulRandomBinomial
    StatefulStandardNormal
    StatefulStandardNormalV2
    StatefulTruncatedNormal
    StatefulUniform
    StatefulUniformFullInt
    StatefulUniformInt
    StatelessMultinomial
    StatelessParameterizedTruncatedNormal
    StatelessRandomBinomial
    StatelessRandomGammaV2
    StatelessRandomGammaV3
    StatelessRandomGetAlg
    StatelessRandomGetKeyCounter
    StatelessRandomGetKeyCounterAlg
    StatelessRandomNormal
    StatelessRandomNormalV2
    StatelessRandomPoisson
    StatelessRandomUniform
    StatelessRandomUniformFullInt
    StatelessRandomUniformFullIntV2
    StatelessRandomUniformInt
    StatelessRandomUniformIntV2
    StatelessRandomUniformV2
    StatelessShuffle
    StatelessTruncatedNormal
    StatelessTruncatedNormalV2
    ThreadUnsafeUnigramCandidateSampler
    TruncatedNormal
    UniformCandidateSampler
}

no_output! {
    RngSkip
}

one_output! {
    Multinomial
    NonDeterministicInts
    ParameterizedTruncatedNormal
    RandomGamma
    RandomIndexShuffle
    RandomPoisson
    RandomPoissonV2
    RandomShuffle
    RandomStandardNormal
    RandomUniform
    RandomUniformInt
    RngReadAndSkip
    SobolSample
    StatefulRandomBinomial
    StatefulStandardNormal
    StatefulStandardNormalV2
    StatefulTruncatedNormal
    StatefulUniform
    StatefulUniformFullInt
    StatefulUniformInt
    StatelessMultinomial
    StatelessParameterizedTruncatedNormal
    StatelessRandomBinomial
    StatelessRandomGammaV2
    StatelessRandomGammaV3
    StatelessRandomGetAlg
    StatelessRandomNormal
    StatelessRandomNormalV2
    StatelessRandomPoisson
    StatelessRandomUniform
    StatelessRandomUniformFullInt
    StatelessRandomUniformFullIntV2
    StatelessRandomUniformInt
    StatelessRandomUniformIntV2
    StatelessRandomUniformV2
    StatelessShuffle
    StatelessTruncatedNormal
    StatelessTruncatedNormalV2
    TruncatedNormal
}
