"""Datasets of several datasets or functions, statistics of elements, and assertions on the composition of a
pipeline."""

import random

import numpy as np
from record import case, fed, step, write

import tensorflow as tf

raw = tf.raw_ops
Data = tf.data.Dataset
v1 = tf.compat.v1

INT = {"output_types": [tf.int64], "output_shapes": [[]]}


def handle(dataset):
    return getattr(dataset, "_variant_tensor", dataset)


def function(f, *args):
    """A function of the graph."""
    made = tf.function(f, autograph=False).get_concrete_function(*[tf.TensorSpec(s, t) for s, t in args])
    made.add_to_graph(v1.get_default_graph())
    return made


def ends(dataset, attrs=INT, more=(), size=False):
    """Steps that read a dataset to its required end, and past errors; then `more`."""
    it = raw.IteratorV2(shared_name="", container="", **attrs)
    make = raw.MakeIterator(dataset=handle(dataset), iterator=it)
    following = list(raw.IteratorGetNext(iterator=it, **attrs))
    steps = [step([], targets=[make])]
    if size:
        steps.insert(0, step(raw.DatasetCardinality(input_dataset=handle(dataset))))
    with v1.Session() as session:
        from record import _feeds
        session.run(make, _feeds)
        for _ in range(100):
            try:
                session.run(following, _feeds)
                steps.append(step(following))
            except tf.errors.OutOfRangeError:
                return [*steps, step(following, error="OUT_OF_RANGE"), step(following, error="OUT_OF_RANGE"), *more]
            except tf.errors.InvalidArgumentError:
                steps.append(step(following, error="INVALID_ARGUMENT"))
    raise ValueError("no end")


def reads(name, build, attrs=INT, size=True):
    case(name, lambda tf, v1: ends(build(), attrs, size=size))


def fails(name, build, error="INVALID_ARGUMENT", attrs=INT):
    """A case whose iterator cannot be made."""

    def steps(tf, v1):
        it = raw.IteratorV2(shared_name="", container="", **attrs)
        return [step([], targets=[raw.MakeIterator(dataset=handle(build()), iterator=it)], error=error)]

    case(name, steps)


def int64(x):
    return tf.constant(x, tf.int64)


# Weights.


def weighted(sizes, weights, last=None):
    def build():
        inputs = [Data.range(100 * i, 100 * i + n) for i, n in enumerate(sizes)]
        if last is not None:
            inputs[-1] = last()
        weight = [fed(w, "float64", []) for w in weights]
        return raw.WeightedFlatMapDataset(input_datasets=[handle(d) for d in inputs], weights=weight, **INT)

    return build


for sizes, weights in [([10, 10, 3], [.2, .3, .5]), ([4, 4], [1, 1]), ([4, 0], [1, 1]), ([10, 10, 3], [.25, .25, .5]), ([7, 11], [1 / 3, 2 / 3]),
                       ([100, 100, 10], [.2, .3, .5]), ([5, 9], [2, 7])]:
    reads(f"WeightedFlatMapDataset/{sizes}, {[round(w, 2) for w in weights]}", weighted(sizes, weights))
fails("WeightedFlatMapDataset/no weight", weighted([4, 4], [1, 0]))
fails("WeightedFlatMapDataset/negative", weighted([4, 4], [1, -1]))
fails("WeightedFlatMapDataset/NaN", weighted([4, 4], [1, np.nan]))
fails("WeightedFlatMapDataset/weights", weighted([4, 4], [1, 1, 1]))
fails("WeightedFlatMapDataset/too small", weighted([10, 10, 3], [.25, .25, 3]))
fails("WeightedFlatMapDataset/without end", weighted([4, 4], [1, 1], lambda: Data.range(3).repeat()))
fails("WeightedFlatMapDataset/unknown", weighted([4, 4], [1, 1], lambda: Data.range(3).filter(lambda x: x > 0)))
fails("WeightedFlatMapDataset/dtypes", weighted([4, 4], [1, 1], lambda: Data.from_tensors("a")))

# Rows by number.


def rows(index, cardinality=6, data=((1, 2), (3, 4), (5, 6)), more=0):
    def build():
        dataset = Data.from_tensor_slices(int64(data))
        row = function(lambda x, k: x + k, ([len(data[0])], tf.int64), ([], tf.int64))
        number = function(lambda i, k: index(i + k), ([], tf.int64), ([], tf.int64))
        return raw.IndexFlatMapDataset(
            input_dataset=handle(dataset), map_func_other_args=[int64(more)], index_map_func_other_args=[int64(0)],
            output_cardinality=int64(cardinality), map_func=row, index_map_func=number, **INT)

    return build


reads("IndexFlatMapDataset/rows", rows(lambda i: (i // 2, i % 2)))
reads("IndexFlatMapDataset/captured", rows(lambda i: (i // 2, i % 2), more=40))
reads("IndexFlatMapDataset/smaller dtypes", rows(lambda i: (tf.cast(i // 2, tf.int32), tf.cast(i % 2, tf.uint32))))
reads("IndexFlatMapDataset/jumps", rows(lambda i: (i * 2, i % 2)))
reads("IndexFlatMapDataset/back", rows(lambda i: (tf.maximum(2 - i // 2, 0) + i // 8 * 9, i % 2)))
for cardinality in [-2, -1, 3, 20]:
    reads(f"IndexFlatMapDataset/cardinality {cardinality}", rows(lambda i: (i // 2, i % 2), cardinality))


def bad_row(index):
    def steps(tf, v1):
        it = raw.IteratorV2(shared_name="", container="", **INT)
        make = raw.MakeIterator(dataset=rows(index)(), iterator=it)
        return [step([], targets=[make]), step(list(raw.IteratorGetNext(iterator=it, **INT)), error="INVALID_ARGUMENT")]

    return steps


case("IndexFlatMapDataset/one number", bad_row(lambda i: (i // 2,)))
case("IndexFlatMapDataset/dtype", bad_row(lambda i: (tf.cast(i // 2, tf.float32), i % 2)))


def shuffled(build):
    return lambda: raw.GlobalShuffleDataset(input_dataset=build(), seed=int64(1), seed2=int64(2), seed_generator=raw.DummySeedGenerator(),
                                            reshuffle_each_iteration=False, **INT)


reads("IndexFlatMapDataset/shuffled", shuffled(rows(lambda i: (i // 2, i % 2))))
fails("WeightedFlatMapDataset/shuffled", shuffled(weighted([4, 4], [1, 1])), "FAILED_PRECONDITION")

# The fastest function. All of them produce the same elements.


def branches(sizes, measured, ratio=(1, 1), n=20, captured=0):
    def build():
        def branch(i):
            def f(dataset, *more):
                made = tf.data.experimental.from_variant(dataset, tf.TensorSpec([], tf.int64))
                made = made.map(lambda x: x * 2 + (more[0] if more else 0), num_parallel_calls=i + 1 if i else None)
                if i:
                    made = made.prefetch(2)
                made = made.batch(ratio[0]) if ratio[0] > 1 else made
                return handle(made)

            return function(f, ([], tf.variant), *[([], tf.int64)] * captured)

        attrs = {"output_types": [tf.int64], "output_shapes": [[None] if ratio[0] > 1 else []]}
        return raw.ChooseFastestBranchDataset(
            input_dataset=handle(Data.range(n)), ratio_numerator=int64(ratio[0]), ratio_denominator=int64(ratio[1]),
            other_arguments=[int64(7)] * (captured * sizes), num_elements_per_branch=measured, branches=[branch(i) for i in range(sizes)],
            other_arguments_lengths=[captured] * sizes, **attrs), attrs

    return build


for name, args in {"two": (2, 3), "all is measured": (2, 10), "more than all": (3, 9), "one": (1, 4)}.items():
    reads(f"ChooseFastestBranchDataset/{name}", lambda args=args: branches(*args)()[0])
reads("ChooseFastestBranchDataset/captured", lambda: branches(2, 3, captured=1)()[0])
reads("ChooseFastestBranchDataset/batches", lambda: branches(2, 2, (4, 1))()[0], {"output_types": [tf.int64], "output_shapes": [[None]]})
for ratio in [(0, 1), (1, 0), (1, -2), (1, 3)]:
    fails(f"ChooseFastestBranchDataset/ratio {ratio}", lambda ratio=ratio: branches(2, 4, ratio)()[0])

# Parallel interleaves: orders where datasets end and fail.


def interleaved(op, seed):
    """Datasets of random sizes, some of which cannot be made."""
    rng = random.Random(seed)
    n, cycle, block = rng.randint(4, 9), rng.choice([2, 3, 4]), rng.choice([1, 2, 3])
    sizes = [rng.choice([0, 1, 2, 5]) for _ in range(n)]
    bad = [rng.random() < 0.15 for _ in range(n)]
    numbers = {} if op == "InterleaveDataset" else {"num_parallel_calls": int64(rng.choice([1, cycle, -1]))}
    buffers = {"buffer_output_elements": int64(rng.choice([1, 4])), "prefetch_input_elements": int64(rng.choice([0, 2]))}
    if op.endswith("V4"):
        numbers |= buffers
    elif op in ("ParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2"):
        numbers = buffers

    def made(x):
        wrong = tf.debugging.check_numerics(tf.where(tf.gather(tf.constant(bad), x), np.float32(np.nan), 0.0), "this one")
        size = tf.gather(int64(sizes), x) + tf.cast(wrong, tf.int64)
        return handle(Data.range(size).map(lambda y: 100 * x + y))

    if op == "ParallelInterleaveDataset":
        numbers["sloppy"] = tf.constant(False)
    return getattr(raw, op)(input_dataset=handle(Data.range(n)), other_arguments=[], cycle_length=int64(cycle), block_length=int64(block),
                            f=function(made, ([], tf.int64)), **numbers, **INT)


for op in ["InterleaveDataset", "ParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2", "ParallelInterleaveDatasetV2",
           "ParallelInterleaveDatasetV3", "ParallelInterleaveDatasetV4"]:
    for seed in range(2):
        reads(f"{op}/order {seed}", lambda op=op, seed=seed: interleaved(op, seed), size=False)

# AUTOTUNE for all numbers, and a cycle as long as declared.
for name, (buffer, inputs) in {"buffers": (-1, -1), "calls": (2, 0)}.items():
    reads(f"ParallelInterleaveDatasetV4/autotuned {name}", lambda buffer=buffer, inputs=inputs: raw.ParallelInterleaveDatasetV4(
        input_dataset=handle(Data.range(6)), other_arguments=[], cycle_length=int64(3), block_length=int64(2),
        buffer_output_elements=int64(buffer), prefetch_input_elements=int64(inputs), num_parallel_calls=int64(-1),
        f=function(lambda x: handle(Data.range(x).map(lambda y: 100 * x + y)), ([], tf.int64)), **INT), size=False)

# Without a guaranteed order; with one dataset at a time there is one.
for op in ["ParallelInterleaveDatasetV2", "ParallelInterleaveDatasetV3"]:
    how = {"sloppy": True} if op.endswith("V2") else {"deterministic": "false"}
    reads(f"{op}/without order", lambda op=op, how=how: getattr(raw, op)(
        input_dataset=handle(Data.range(4)), other_arguments=[], cycle_length=int64(1), block_length=int64(1), num_parallel_calls=int64(1),
        f=function(lambda x: handle(Data.range(x).map(lambda y: 100 * x + y)), ([], tf.int64)), **how, **INT), size=False)

# Statistics.


def collected(prefix, aggregator, components, tag, elements=None):
    def steps(tf, v1):
        data = Data.from_tensor_slices(components())
        attrs = {"output_types": tf.nest.flatten(v1.data.get_output_types(data)),
                 "output_shapes": tf.nest.flatten(v1.data.get_output_shapes(data))}
        collector = getattr(raw, aggregator)(container="", shared_name="")
        measured = getattr(raw, prefix + "BytesProducedStatsDataset")(input_dataset=handle(data), tag="bytes", **attrs)
        sets = getattr(raw, prefix + "SetStatsAggregatorDataset")
        measured = sets(input_dataset=measured, stats_aggregator=collector, tag=tag, counter_prefix="", **attrs)
        summary = getattr(raw, prefix + "StatsAggregatorSummary")(iterator=collector)
        return [step(summary), *ends(measured, attrs, [step(summary)])]

    return steps


case("StatsAggregatorSummary/bytes", collected("", "StatsAggregatorHandle", lambda: fed(np.arange(12, dtype=np.float32).reshape(4, 3), shape=[4, 3]), "t"))
case("StatsAggregatorSummary/no word", collected("", "StatsAggregatorHandle", lambda: fed([1, 2, 3], "int16", [3]), ""))
case("StatsAggregatorSummary/strings", collected("", "StatsAggregatorHandle", lambda: (fed(["a", "", "bcdefghijklmnopqrstuvwxyzbcdefghijklmnopqrstuvwxyz"], "string", [3]),
                                                                                   fed([1, 2, 3], "int64", [3])), "t"))
case("StatsAggregatorSummary/experimental", collected("Experimental", "ExperimentalStatsAggregatorHandle", lambda: fed([1, 2, 3], "int64", [3]), "t"))
case("StatsAggregatorSummary/V2", collected("", "StatsAggregatorHandleV2", lambda: fed([1, 2, 3], "int64", [3]), "t"))
case("StatsAggregatorSummary/none", lambda tf, v1: raw.StatsAggregatorSummary(iterator=raw.IteratorV2(shared_name="", container="", **INT)), error="INVALID_ARGUMENT")


def writes(tf, v1):
    collector = raw.StatsAggregatorHandleV2(container="", shared_name="")
    writer = raw.SummaryWriter(shared_name="", container="")
    return [step([], targets=[raw.StatsAggregatorSetSummaryWriter(stats_aggregator=collector, summary=writer)], error="NOT_FOUND")]


case("StatsAggregatorSetSummaryWriter/not open", writes)
for op in ["LatencyStatsDataset", "ExperimentalLatencyStatsDataset", "BytesProducedStatsDataset"]:
    reads(f"{op}/nothing collects", lambda op=op: getattr(raw, op)(input_dataset=handle(Data.range(3)), tag="t", **INT))

# Threads.


def threads(prefix, n=2):
    def build():
        pool = getattr(raw, prefix + "ThreadPoolHandle")(num_threads=n, display_name="pool", max_intra_op_parallelism=1, container="", shared_name="")
        return getattr(raw, prefix + "ThreadPoolDataset")(input_dataset=handle(Data.range(3)), thread_pool=pool, **INT)

    return build


for prefix in ["", "Experimental"]:
    reads(f"{prefix}ThreadPoolDataset", threads(prefix), size=False)
reads("ThreadPoolDataset/none", threads("", 0), size=False)

# Assertions. Without the optimizer the pipeline is as in the graph.


def asserted(op, texts, behind=lambda d: d, optimized=False):
    def build():
        dataset = Data.range(4).map(lambda x: x + 1).batch(2)
        dataset = getattr(raw, op)(input_dataset=handle(dataset), transformations=tf.constant(texts, tf.string, [len(texts)]),
                                   output_types=[tf.int64], output_shapes=[[None]])
        dataset = behind(tf.data.experimental.from_variant(dataset, tf.TensorSpec([None], tf.int64)))
        if optimized:
            return dataset
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.autotune.enabled = False
        return dataset.with_options(options)

    return build


VECTORS = {"output_types": [tf.int64], "output_shapes": [[None]]}
behind = lambda d: d.map(lambda x: x * 2).prefetch(1)
for texts in [[], ["Map"], ["Map", "Prefetch"], ["Map", "Prefetch", "Root"]]:
    reads(f"AssertNextDataset/{texts}", lambda texts=texts: asserted("AssertNextDataset", texts, behind)(), VECTORS)
reads("ExperimentalAssertNextDataset", lambda: asserted("ExperimentalAssertNextDataset", ["Map"], behind)(), VECTORS)
for texts in [["Prefetch"], ["Map", "Map"], ["Map", "Prefetch", "Root", "Whoops"]]:
    fails(f"AssertNextDataset/{texts}", lambda texts=texts: asserted("AssertNextDataset", texts, behind)(), attrs=VECTORS)
fails("AssertNextDataset/optimized", asserted("AssertNextDataset", ["Whoops"], behind, True), attrs=VECTORS)

BATCH = 'name: "BatchDatasetV2"'
for texts in [[], [BATCH], ['name: "BatchDataset"', 'name: "MapDataset"', 'name: "RangeDataset"'],
              ['name: "BatchDatasetV2"\nattr {\n  key: "parallel_copy"\n  value {\n    b: false\n  }\n}\n'],
              [BATCH, "name: 'MapDataset' attr { key: 'preserve_cardinality' value { b: true } }"]]:
    reads(f"AssertPrevDataset/{texts}", asserted("AssertPrevDataset", texts), VECTORS)
for texts in [['name: "MapDataset"'], [BATCH, BATCH], [BATCH, 'name: "MapDataset"', 'name: "RangeDataset"', 'name: "RangeDataset"'],
              ['name: "BatchDatasetV2" attr { key: "parallel_copy" value { b: true } }'],
              ['name: "BatchDatasetV2" attr { key: "none" value { b: true } }'], ["BatchDatasetV2"]]:
    fails(f"AssertPrevDataset/{texts}", asserted("AssertPrevDataset", texts), attrs=VECTORS)
fails("AssertPrevDataset/optimized", asserted("AssertPrevDataset", ['name: "Whoops"'], optimized=True), attrs=VECTORS)

write(__file__)
