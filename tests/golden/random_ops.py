"""Random ops: the same seeds give the same values, also from run to run of a session."""

import tensorflow as tf
from record import case, fed, step, write

# Some ops split large work by the number of threads, and their values depend on it: two, as in
# crates/ops/families/random. The first session of a process determines the number.
tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(intra_op_parallelism_threads=2)).close()

FLOATS = ["float16", "bfloat16", "float32", "float64"]
SEEDS = [(0, 7), (-5, 2**40 + 3)]


def runs(name, build, times=2, **options):
    """A case that runs the same fetches several times."""

    def steps(tf, v1):
        fetches = build(tf)
        return [step(fetches) for _ in range(times)]

    case(name, steps, **options)


for op in ["RandomUniform", "RandomStandardNormal", "TruncatedNormal"]:
    for dtype in FLOATS:
        for seed, seed2 in SEEDS:
            runs(f"{op}/{dtype}/{seed},{seed2}", lambda tf: [
                getattr(tf.raw_ops, op)(shape=fed(shape), dtype=dtype, seed=seed, seed2=seed2)
                for shape in ([2, 3], [9], [0])
            ])
    runs(f"{op}/scalar", lambda tf: getattr(tf.raw_ops, op)(
        shape=tf.constant([], tf.int64), dtype="float32", seed=3, seed2=4))
    for what, shape in [("not_a_vector", 3), ("matrix", [[3]]), ("negative", [2, -1])]:
        case(f"{op}/{what}", lambda tf, v1: getattr(tf.raw_ops, op)(shape=fed(shape), dtype="float32", seed=1),
             error="INVALID_ARGUMENT")
    case(f"{op}/too_large", lambda tf, v1: getattr(tf.raw_ops, op)(
        shape=fed([2**40, 2**40], "int64"), dtype="float32", seed=1), error="INVALID_ARGUMENT")

for dtype in ["int32", "int64"]:
    top = 2**31 - 1 if dtype == "int32" else 2**63 - 1
    for low, high in [(0, 10), (-5, 6), (-top - 1, top), (7, 8)]:
        runs(f"RandomUniformInt/{dtype}/{low},{high}", lambda tf: tf.raw_ops.RandomUniformInt(
            shape=fed([3, 3]), minval=fed(low, dtype), maxval=fed(high, dtype), seed=1, seed2=2))
case("RandomUniformInt/empty_range", lambda tf, v1: tf.raw_ops.RandomUniformInt(
    shape=fed([2]), minval=fed(5), maxval=fed(5), seed=1), error="INVALID_ARGUMENT")
case("RandomUniformInt/empty_range_of_nothing", lambda tf, v1: tf.raw_ops.RandomUniformInt(
    shape=fed([0]), minval=fed(5), maxval=fed(5), seed=1))
case("RandomUniformInt/minval_a_vector", lambda tf, v1: tf.raw_ops.RandomUniformInt(
    shape=fed([2]), minval=fed([5]), maxval=fed(6), seed=1), error="INVALID_ARGUMENT")

NAN, INF = float("nan"), float("inf")
for dtype in FLOATS:
    for out in ["int32", "int64"]:
        runs(f"Multinomial/{dtype}/{out}", lambda tf: tf.raw_ops.Multinomial(
            logits=fed([[0.0, 1.0, 2.0, -1.0], [5.0, -INF, NAN, 5.0], [-3.0, -2.0, 0.5, INF]], dtype),
            num_samples=fed(7), seed=1, seed2=9, output_dtype=out))
runs("Multinomial/nothing_finite", lambda tf: tf.raw_ops.Multinomial(
    logits=fed([[NAN, -INF]], "float32"), num_samples=fed(3), seed=1))
runs("Multinomial/no_samples", lambda tf: tf.raw_ops.Multinomial(
    logits=fed([[1.0, 2.0]]), num_samples=fed(0), seed=1))
runs("Multinomial/pieces", lambda tf: tf.raw_ops.Sum(input=tf.raw_ops.Multinomial(
    logits=tf.zeros([400, 2]), num_samples=fed(10), seed=1), axis=1))
for what, logits, samples in [("no_classes", [[]], 1), ("negative", [[1.0]], -1), ("vector", [1.0], 1),
                              ("samples_a_vector", [[1.0]], [1])]:
    case(f"Multinomial/{what}", lambda tf, v1: tf.raw_ops.Multinomial(
        logits=fed(logits, "float32"), num_samples=fed(samples), seed=1), error="INVALID_ARGUMENT")

ALPHAS = [0.1, 0.5, 0.999, 1.0, 1.5, 3.0, 30.0, 1000.0]
for dtype in ["float16", "float32", "float64"]:
    runs(f"RandomGamma/{dtype}", lambda tf: tf.raw_ops.RandomGamma(
        shape=fed([4]), alpha=fed(ALPHAS, dtype), seed=1, seed2=2))
    case(f"StatelessRandomGammaV2/{dtype}", lambda tf, v1: tf.raw_ops.StatelessRandomGammaV2(
        shape=fed([4, 8]), seed=fed([3, -4]), alpha=fed(ALPHAS, dtype)))
    case(f"StatelessRandomGammaV3/{dtype}", lambda tf, v1: tf.raw_ops.StatelessRandomGammaV3(
        shape=fed([4, 8]), key=fed([3], "uint64"), counter=fed([5, 6], "uint64"), alg=fed(1), alpha=fed(ALPHAS, dtype)))
case("RandomGamma/odd_alphas", lambda tf, v1: tf.raw_ops.RandomGamma(
    shape=fed([2]), alpha=fed([-1.0, NAN, 0.0, INF]), seed=1))
case("RandomGamma/nothing", lambda tf, v1: tf.raw_ops.RandomGamma(
    shape=fed([2]), alpha=fed([], "float32"), seed=1))
case("RandomGamma/scalar_shape", lambda tf, v1: tf.raw_ops.RandomGamma(
    shape=fed(2), alpha=fed([1.0]), seed=1), error="INVALID_ARGUMENT")
case("StatelessRandomGammaV2/shape_does_not_end_with_alpha", lambda tf, v1: tf.raw_ops.StatelessRandomGammaV2(
    shape=fed([2, 2]), seed=fed([1, 2]), alpha=fed([1.0, 2.0, 3.0])), error="INVALID_ARGUMENT")

RATES = [0.0, 0.3, 1.0, 4.5, 9.99, 10.0, 25.5, 100.0, 1000.0]
for dtype in ["float16", "float32", "float64", "int32", "int64"]:
    for rate in ["float16", "float32", "float64", "int32", "int64"]:
        if "float64" not in (rate, dtype):
            continue
        rates = [int(r) for r in RATES] if rate.startswith("int") else RATES
        runs(f"RandomPoissonV2/{rate}/{dtype}", lambda tf: tf.raw_ops.RandomPoissonV2(
            shape=fed([3]), rate=fed(rates, rate), dtype=dtype, seed=1, seed2=2), times=2)
    case(f"StatelessRandomPoisson/{dtype}", lambda tf, v1: tf.raw_ops.StatelessRandomPoisson(
        shape=fed([3, 9]), seed=fed([5, 6]), lam=fed(RATES, "float64"), dtype=dtype))
case("RandomPoissonV2/negative", lambda tf, v1: tf.raw_ops.RandomPoissonV2(
    shape=fed([3]), rate=fed(-1.0, "float64"), dtype="int32", seed=1))
case("RandomPoissonV2/infinite", lambda tf, v1: tf.raw_ops.RandomPoissonV2(
    shape=fed([3]), rate=fed(INF, "float64"), dtype="float32", seed=1))
case("StatelessRandomPoisson/shape_does_not_end_with_lam", lambda tf, v1: tf.raw_ops.StatelessRandomPoisson(
    shape=fed([2, 2]), seed=fed([1, 2]), lam=fed([1.0, 2.0, 3.0]), dtype="int32"), error="INVALID_ARGUMENT")

COUNTS, PROBS = [1.0, 5.0, 50.0, 1000.0, 0.0, -2.0], [[0.1], [0.5], [0.51], [0.9], [1.0], [0.0], [1.5]]
for dtype in ["float16", "float32", "float64"]:
    case(f"StatelessRandomBinomial/{dtype}", lambda tf, v1: tf.raw_ops.StatelessRandomBinomial(
        shape=fed([3, 7, 6]), seed=fed([5, 6]), counts=fed(COUNTS, dtype), probs=fed(PROBS, dtype), dtype=dtype))
for dtype in ["int32", "int64"]:
    case(f"StatelessRandomBinomial/{dtype}", lambda tf, v1: tf.raw_ops.StatelessRandomBinomial(
        shape=fed([4]), seed=fed([5, 6]), counts=fed(20.0), probs=fed(0.3), dtype=dtype))
case("StatelessRandomBinomial/nan", lambda tf, v1: tf.raw_ops.StatelessRandomBinomial(
    shape=fed([2]), seed=fed([5, 6]), counts=fed(20.0), probs=fed(NAN), dtype="float32"))
case("StatelessRandomBinomial/shape", lambda tf, v1: tf.raw_ops.StatelessRandomBinomial(
    shape=fed([2]), seed=fed([5, 6]), counts=fed([20.0, 1.0, 2.0]), probs=fed(0.5)), error="INVALID_ARGUMENT")
case("StatelessRandomBinomial/parameters", lambda tf, v1: tf.raw_ops.StatelessRandomBinomial(
    shape=fed([3]), seed=fed([5, 6]), counts=fed([20.0, 1.0, 2.0]), probs=fed([0.5, 0.1])), error="INVALID_ARGUMENT")

BOUNDS = {"wide": (0.0, 1.0, -2.0, 3.0), "narrow": (1.0, 2.0, 0.9, 1.4), "tail": (0.0, 1.0, 4.0, INF),
          "left_tail": (0.0, 0.5, -INF, -2.0), "one_side": (3.0, 1.0, 2.5, INF), "far": (-1.0, 1.0, 5.0, 5.5)}
for what, (mean, deviation, low, high) in BOUNDS.items():
    for dtype in ["float16", "float32", "float64"]:
        runs(f"ParameterizedTruncatedNormal/{what}/{dtype}", lambda tf: tf.raw_ops.ParameterizedTruncatedNormal(
            shape=fed([9]), means=fed(mean, dtype), stdevs=fed(deviation, dtype), minvals=fed(low, dtype),
            maxvals=fed(high, dtype), seed=1, seed2=5))
        case(f"StatelessParameterizedTruncatedNormal/{what}/{dtype}", lambda tf, v1:
             tf.raw_ops.StatelessParameterizedTruncatedNormal(
                 shape=fed([9]), seed=fed([1, 5]), means=fed(mean, dtype), stddevs=fed(deviation, dtype),
                 minvals=fed(low, dtype), maxvals=fed(high, dtype)))
runs("ParameterizedTruncatedNormal/per_row", lambda tf: tf.raw_ops.ParameterizedTruncatedNormal(
    shape=fed([3, 5]), means=fed([0.0, 1.0, -1.0]), stdevs=fed([1.0]), minvals=fed(-1.0),
    maxvals=fed([0.5, 2.0, 7.0]), seed=1, seed2=5))
runs("ParameterizedTruncatedNormal/batches", lambda tf: tf.raw_ops.ParameterizedTruncatedNormal(
    shape=fed([3, 70]), means=fed(0.0), stdevs=fed(1.0), minvals=fed(-1.0), maxvals=fed(1.0), seed=1, seed2=5), times=2)
runs("ParameterizedTruncatedNormal/pieces", lambda tf: tf.raw_ops.ParameterizedTruncatedNormal(
    shape=fed([2000]), means=fed(0.0), stdevs=fed(1.0), minvals=fed(-1.0), maxvals=fed(1.0), seed=1, seed2=5)[::50])
case("StatelessParameterizedTruncatedNormal/pieces", lambda tf, v1: tf.raw_ops.StatelessParameterizedTruncatedNormal(
    shape=fed([1000, 2]), seed=fed([1, 2]), means=fed(0.0), stddevs=fed(1.0), minvals=fed(-1.0), maxvals=fed([1.0, 2.0]))[::25])
case("StatelessParameterizedTruncatedNormal/broadcast", lambda tf, v1: tf.raw_ops.StatelessParameterizedTruncatedNormal(
    shape=fed([2, 3, 2]), seed=fed([1, 5]), means=fed([0.0, 1.0]), stddevs=fed(2.0),
    minvals=fed([[-1.0], [0.0], [1.0]]), maxvals=fed([3.0])))
for what, parameters in {"deviation": (0.0, -1.0, -1.0, 1.0), "bounds": (0.0, 1.0, 1.0, 1.0),
                         "unbounded": (0.0, 1.0, -INF, INF)}.items():
    case(f"ParameterizedTruncatedNormal/wrong_{what}", lambda tf, v1: tf.raw_ops.ParameterizedTruncatedNormal(
        shape=fed([2]), means=fed(parameters[0]), stdevs=fed(parameters[1]), minvals=fed(parameters[2]),
        maxvals=fed(parameters[3]), seed=1), error="INVALID_ARGUMENT")
case("ParameterizedTruncatedNormal/wrong_length", lambda tf, v1: tf.raw_ops.ParameterizedTruncatedNormal(
    shape=fed([2, 3]), means=fed(0.0), stdevs=fed(1.0), minvals=fed(-1.0), maxvals=fed([1.0, 2.0, 3.0]), seed=1),
    error="INVALID_ARGUMENT")
case("ParameterizedTruncatedNormal/scalar", lambda tf, v1: tf.raw_ops.ParameterizedTruncatedNormal(
    shape=fed([], "int32"), means=fed(0.0), stdevs=fed(1.0), minvals=fed(-1.0), maxvals=fed(1.0), seed=1),
    error="INVALID_ARGUMENT")

for dtype in ["float32", "int8", "bool"]:
    runs(f"RandomShuffle/{dtype}", lambda tf: tf.raw_ops.RandomShuffle(
        value=fed([0, 1, 0, 1, 1, 0, 0, 0, 1, 1], dtype), seed=1, seed2=2))
runs("RandomShuffle/vector", lambda tf: tf.raw_ops.RandomShuffle(value=fed(list(range(23))), seed=1, seed2=2))
runs("RandomShuffle/rows", lambda tf: tf.raw_ops.RandomShuffle(
    value=fed([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]]), seed=1, seed2=2))
runs("RandomShuffle/strings", lambda tf: tf.raw_ops.RandomShuffle(value=fed(["a", "b", "c", "d"]), seed=1, seed2=2))
for what, value in {"scalar": 5, "one_row": [[1, 2]], "nothing": [[], []]}.items():
    runs(f"RandomShuffle/{what}", lambda tf: tf.raw_ops.RandomShuffle(value=fed(value), seed=1, seed2=2))
case("StatelessShuffle/vector", lambda tf, v1: tf.raw_ops.StatelessShuffle(
    value=fed(list(range(23))), key=fed([3], "uint64"), counter=fed([5, 6], "uint64"), alg=fed(1)))

for seed in [[0, 0], [1, 2], [-1, 2**31 - 1]]:
    for dtype in ["int32", "int64"]:
        case(f"StatelessRandomGetKeyCounter/{dtype}/{seed}", lambda tf, v1: list(
            tf.raw_ops.StatelessRandomGetKeyCounter(seed=fed(seed, dtype))))
        for op in ["StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"]:
            case(f"{op}/{dtype}/{seed}", lambda tf, v1: [
                getattr(tf.raw_ops, op)(shape=fed([9]), seed=fed(seed, dtype), dtype=out) for out in FLOATS])
        case(f"StatelessRandomUniformInt/{dtype}/{seed}", lambda tf, v1: [
            tf.raw_ops.StatelessRandomUniformInt(shape=fed([9]), seed=fed(seed, dtype), minval=fed(-5, out),
                                                 maxval=fed(50, out)) for out in ["int32", "int64"]])
case("StatelessRandomGetKeyCounter/three_seeds", lambda tf, v1: list(
    tf.raw_ops.StatelessRandomGetKeyCounter(seed=fed([1, 2, 3]))), error="INVALID_ARGUMENT")
case("StatelessRandomGetKeyCounterAlg", lambda tf, v1: list(
    tf.raw_ops.StatelessRandomGetKeyCounterAlg(seed=fed([7, 8]))))
case("StatelessRandomGetAlg", lambda tf, v1: tf.raw_ops.StatelessRandomGetAlg())
for seed in ["int32", "int64", "uint32", "uint64"]:
    case(f"StatelessRandomUniformFullInt/{seed}", lambda tf, v1: [
        tf.raw_ops.StatelessRandomUniformFullInt(shape=fed([5]), seed=fed([1, 2], seed), dtype=out)
        for out in ["int32", "int64", "uint32", "uint64"]], error="INVALID_ARGUMENT" if "u" in seed else None)


def keyed():
    return {"key": fed([3], "uint64"), "counter": fed([5, 2**64 - 1], "uint64"), "alg": fed(1)}


for op in ["StatelessRandomUniformV2", "StatelessRandomNormalV2", "StatelessTruncatedNormalV2"]:
    case(op, lambda tf, v1: [getattr(tf.raw_ops, op)(shape=fed([9]), **keyed(), dtype=out) for out in FLOATS])
INTS = ["int32", "int64", "uint32", "uint64"]
case("StatelessRandomUniformFullIntV2", lambda tf, v1: [
    tf.raw_ops.StatelessRandomUniformFullIntV2(shape=fed([9]), **keyed(), dtype=out) for out in INTS])
case("StatelessRandomUniformIntV2", lambda tf, v1: [
    tf.raw_ops.StatelessRandomUniformIntV2(shape=fed([9]), **keyed(), minval=fed(3, out), maxval=fed(103, out))
    for out in ["int32", "int64"]])
WRONG = {"algorithm": {"alg": 2}, "algorithm_vector": {"alg": [1]}, "key": {"key": 3}, "shape": {"shape": 2}}
for what, wrong in WRONG.items():
    arguments = {"shape": [2], "key": [3], "counter": [1, 2], "alg": 1, **wrong}
    dtypes = {"shape": "int32", "key": "uint64", "counter": "uint64", "alg": "int32"}
    case(f"StatelessRandomUniformV2/wrong_{what}", lambda tf, v1: tf.raw_ops.StatelessRandomUniformV2(
        **{k: fed(v, dtypes[k]) for k, v in arguments.items()}), error="INVALID_ARGUMENT")
case("StatelessRandomUniformV2/long_counter", lambda tf, v1: tf.raw_ops.StatelessRandomUniformV2(
    shape=fed([3]), key=fed([3], "uint64"), counter=fed([5, 6, 7], "uint64"), alg=fed(3)))
for dtype in FLOATS:
    case(f"StatelessMultinomial/{dtype}", lambda tf, v1: tf.raw_ops.StatelessMultinomial(
        logits=fed([[0.0, 1.0, 2.0], [5.0, -INF, NAN]], dtype), num_samples=fed(6), seed=fed([1, 2])))

for dtype in INTS:
    for top in [1, 5, 15, 1000, 65536, 10**9]:
        case(f"RandomIndexShuffle/{dtype}/{top}", lambda tf, v1: tf.raw_ops.RandomIndexShuffle(
            index=fed([0, 1, top // 2, top], dtype), seed=fed([1, 2, 2**31 - 1], dtype), max_index=fed(top, dtype)))
case("RandomIndexShuffle/wide", lambda tf, v1: tf.raw_ops.RandomIndexShuffle(
    index=fed([0, 2**40, 2**62], "int64"), seed=fed([-1, 2, 3], "int64"), max_index=fed(2**62 + 5, "int64"), rounds=8))
case("RandomIndexShuffle/seeds", lambda tf, v1: tf.raw_ops.RandomIndexShuffle(
    index=fed([0, 1]), seed=fed([[1, 2, 3], [4, 5, 6]]), max_index=fed([10, 20])))
case("RandomIndexShuffle/scalar", lambda tf, v1: tf.raw_ops.RandomIndexShuffle(
    index=fed(3), seed=fed([1, 2, 3]), max_index=fed(10)))
for what, index, top in [("above", 30, 10), ("negative", -1, 10), ("negative_top", 0, -1), ("matrix", [[0]], 10)]:
    case(f"RandomIndexShuffle/{what}", lambda tf, v1: tf.raw_ops.RandomIndexShuffle(
        index=fed(index), seed=fed([1, 2, 3]), max_index=fed(top)), error="INVALID_ARGUMENT")

for op in ["LogUniformCandidateSampler", "UniformCandidateSampler", "LearnedUnigramCandidateSampler",
           "ThreadUnsafeUnigramCandidateSampler"]:
    for unique in [True, False]:
        for top in [7, 50]:
            runs(f"{op}/{top}/{unique}", lambda tf: list(getattr(tf.raw_ops, op)(
                true_classes=fed([[1, 2], [0, 6], [2, 2]], "int64"), num_true=2, num_sampled=5, unique=unique,
                range_max=top, seed=1, seed2=2)), times=3)
for unique in [True, False]:
    runs(f"FixedUnigramCandidateSampler/{unique}", lambda tf: list(tf.raw_ops.FixedUnigramCandidateSampler(
        true_classes=fed([[1, 3], [5, 4]], "int64"), num_true=2, num_sampled=4, unique=unique, range_max=6,
        unigrams=[0.5, 3.0, 0.1, 2.0, 1.0], num_reserved_ids=1, distortion=0.8, seed=1, seed2=2)))
runs("AllCandidateSampler", lambda tf: list(tf.raw_ops.AllCandidateSampler(
    true_classes=fed([[1], [2]], "int64"), num_true=1, num_sampled=4, unique=True, seed=1)))
for what, classes, sampled in [("above", [[9]], 3), ("negative", [[-1]], 3), ("vector", [1], 3), ("columns", [[1, 2]], 3),
                               ("too_many", [[1]], 10)]:
    case(f"UniformCandidateSampler/{what}", lambda tf, v1: list(tf.raw_ops.UniformCandidateSampler(
        true_classes=fed(classes, "int64"), num_true=1, num_sampled=sampled, unique=True, range_max=9, seed=1)),
        error="INVALID_ARGUMENT")
case("ComputeAccidentalHits/rows", lambda tf, v1: list(tf.raw_ops.ComputeAccidentalHits(
    true_classes=fed([[1, 2], [0, 4], [3, 3]], "int64"), sampled_candidates=fed([1, 0, 3], "int64"), num_true=2)))


def generator(name, build, error=None):
    """A case on a generator whose state is a variable: once set, the fetches of `build(handle)` run three times."""

    def steps(tf, v1):
        handle = tf.raw_ops.VarHandleOp(dtype="int64", shape=[None], shared_name="state")
        # Computed: TensorFlow's binomial does not change a constant state.
        init = tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant([5, -1, 77], tf.int64) * 1)
        fetches = build(tf, handle)
        state = tf.raw_ops.ReadVariableOp(resource=handle, dtype="int64")
        if error:
            return [step([], targets=[init]), step(fetches, error=error)]
        return [step([], targets=[init])] + [step(fetches), step(state)] * 3

    case(name, steps)


for dtype in FLOATS:
    for op in ["StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"]:
        generator(f"{op}/{dtype}", lambda tf, handle: getattr(tf.raw_ops, op)(
            resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([5]), dtype=dtype))
for dtype in ["int32", "int64"]:
    generator(f"StatefulUniformInt/{dtype}", lambda tf, handle: tf.raw_ops.StatefulUniformInt(
        resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([5]), minval=fed(-3, dtype), maxval=fed(9, dtype)))
for dtype in INTS:
    generator(f"StatefulUniformFullInt/{dtype}", lambda tf, handle: tf.raw_ops.StatefulUniformFullInt(
        resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([5]), dtype=dtype))
generator("RngReadAndSkip", lambda tf, handle: tf.raw_ops.RngReadAndSkip(
    resource=handle, alg=fed(1), delta=fed(2**62, "uint64")))
generator("RngSkip", lambda tf, handle: tf.raw_ops.RngSkip(
    resource=handle, algorithm=tf.constant(1, tf.int64), delta=fed(10, "int64")))
generator("RngReadAndSkip/algorithm", lambda tf, handle: tf.raw_ops.RngReadAndSkip(
    resource=handle, alg=fed(9), delta=fed(3, "uint64")), error="INVALID_ARGUMENT")
for dtype, parameter in [("float32", "float32"), ("float64", "float64"), ("int32", "float64"), ("int64", "float32"), ("float16", "float16")]:
    generator(f"StatefulRandomBinomial/{dtype}", lambda tf, handle: tf.raw_ops.StatefulRandomBinomial(
        resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([5, 2]), counts=fed([10.0, 60.0], parameter),
        probs=fed([0.3, 0.6], parameter), dtype=dtype))
generator("StatefulRandomBinomial/scalars", lambda tf, handle: tf.raw_ops.StatefulRandomBinomial(
    resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([7]), counts=fed(20.0), probs=fed(0.25)))
generator("StatefulRandomBinomial/broadcast", lambda tf, handle: tf.raw_ops.StatefulRandomBinomial(
    resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([2, 3, 2]), counts=fed([[5.0], [50.0], [500.0]], "float64"),
    probs=fed([0.5, 0.1], "float64")))
generator("StatefulRandomBinomial/algorithm", lambda tf, handle: tf.raw_ops.StatefulRandomBinomial(
    resource=handle, algorithm=tf.constant(9, tf.int64), shape=fed([5]), counts=fed(1.0), probs=fed(0.5)), error="INVALID_ARGUMENT")
generator("StatefulRandomBinomial/shape", lambda tf, handle: tf.raw_ops.StatefulRandomBinomial(
    resource=handle, algorithm=tf.constant(1, tf.int64), shape=fed([3]), counts=fed([1.0, 2.0]), probs=fed(0.5)),
    error="INVALID_ARGUMENT")
generator("StatefulUniform/algorithm", lambda tf, handle: tf.raw_ops.StatefulUniform(
    resource=handle, algorithm=tf.constant(9, tf.int64), shape=fed([5])), error="INVALID_ARGUMENT")


def by_plans(tf, v1):
    """Runs with other fetches continue a node's numbers."""
    x = tf.random.uniform([2], seed=3)
    return [step(x * float(i)) for i in range(1, 9)]


case("RandomUniform/other_fetches", by_plans)

write(__file__)
