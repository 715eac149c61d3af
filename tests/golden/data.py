"""Datasets, and the iterators that they are read with."""

import numpy as np
from record import case, fed, step, write

import tensorflow as tf

raw = tf.raw_ops
Data = tf.data.Dataset
v1 = tf.compat.v1

SCALAR = ([], "int64")


def spec(*elements):
    """The attrs `output_types` and `output_shapes` of components, each a shape and a dtype."""
    return {"output_types": [tf.as_dtype(t) for _, t in elements],
            "output_shapes": [tf.TensorShape(s) for s, _ in elements]}


def of(dataset):
    """The attrs of a dataset's elements."""
    types = tf.nest.flatten(v1.data.get_output_types(dataset))
    shapes = [tf.TensorShape([]) if isinstance(s, tf.data.DatasetSpec) else s for s in tf.nest.flatten(v1.data.get_output_shapes(dataset))]
    return {"output_types": [t if isinstance(t, tf.DType) else tf.variant for t in types], "output_shapes": shapes}


def handle(dataset):
    return getattr(dataset, "_variant_tensor", dataset)


def iterator(attrs, name=""):
    return raw.IteratorV2(shared_name=name, container="", **attrs)


def elements(dataset, n, attrs=None, then="OUT_OF_RANGE", turns=1):
    """Steps that make an iterator, read `n` elements, and then reach the end or another error."""
    attrs = attrs or of(dataset)
    it = iterator(attrs)
    make = raw.MakeIterator(dataset=handle(dataset), iterator=it)
    following = list(raw.IteratorGetNext(iterator=it, **attrs))
    turn = [step([], targets=[make]), *[step(following) for _ in range(n)]]
    if then:
        turn.append(step(following, error=then))
        if then == "OUT_OF_RANGE":
            turn.append(step(following, error=then))
    return turn * turns


def reads(name, build, n, then="OUT_OF_RANGE", turns=1):
    """A case that reads the result of `build()`: a dataset, or a variant and its attrs."""

    def steps(tf, v1):
        v1.set_random_seed(7)
        built = build()
        dataset, attrs = built if isinstance(built, tuple) else (built, None)
        return elements(dataset, n, attrs, then, turns)

    case(name, steps)


def fails(name, build, error):
    """A case whose iterator cannot be made."""

    def steps(tf, v1):
        built = build()
        dataset, attrs = built if isinstance(built, tuple) else (built, None)
        it = iterator(attrs or of(dataset))
        return [step([], targets=[raw.MakeIterator(dataset=handle(dataset), iterator=it)], error=error)]

    case(name, steps)


def op(name, dataset, attrs=None, **args):
    """The op `name` on a dataset, with elements like those of it or with `attrs`."""
    attrs = attrs or of(dataset)
    return getattr(raw, name)(input_dataset=handle(dataset), **args, **attrs), attrs


def within(build, attrs):
    """A dataset of an op that TensorFlow cannot serialize to a graph, as it does with the outermost ones."""
    specs = tuple(tf.TensorSpec(s, t) for s, t in zip(attrs["output_shapes"], attrs["output_types"]))
    return Data.range(1).flat_map(lambda _: tf.data.experimental.from_variant(build(), specs if len(specs) > 1 else specs[0]))


def function(f, *args):
    """A function of the graph, for ops that have no method of `Dataset`."""
    made = tf.function(f, autograph=False).get_concrete_function(*[tf.TensorSpec(s, t) for s, t in args])
    made.add_to_graph(v1.get_default_graph())
    return made


def given(x, dtype):
    """A feed, or a constant within a function."""
    return fed(x, dtype) if v1.get_default_graph().building_function is False else tf.constant(x, dtype)


def number(x, dtype="int64"):
    return given(x, dtype)


NUMBERS = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
           "uint64", "bool", "complex64", "complex128"]

# Sources.

for dtype in NUMBERS:
    reads(f"TensorSliceDataset/{dtype}", lambda dtype=dtype: Data.from_tensor_slices(fed([[0, 1], [1, 0], [2, 3]], dtype, [3, 2])), 3)
    reads(f"TensorDataset/{dtype}", lambda dtype=dtype: Data.from_tensors(fed([[0, 1], [1, 0]], dtype, [2, 2])), 1)
reads("TensorSliceDataset/string", lambda: Data.from_tensor_slices(fed(["a", "", "b\0c"], "string", [3])), 3)
reads("TensorSliceDataset/pair", lambda: Data.from_tensor_slices((fed([1, 2]), fed([["a"], ["b"]], "string"))), 2)
reads("TensorSliceDataset/none", lambda: Data.from_tensor_slices(fed(np.zeros([0, 3], np.float32))), 0)
fails("TensorSliceDataset/lengths", lambda: Data.from_tensor_slices((fed([1, 2]), fed([1, 2, 3]))), "INVALID_ARGUMENT")
fails("TensorSliceDataset/scalar", lambda: Data.from_tensor_slices(fed(1)), "INVALID_ARGUMENT")
reads("TensorDataset/nested", lambda: Data.from_tensors({"a": fed(1), "b": (fed("x"), fed([1.5]))}), 1)

for start, stop, delta in [(0, 3, 1), (2, 9, 3), (5, 0, -2), (0, 0, 1), (3, 1, 1), (1, 3, -1)]:
    reads(f"RangeDataset/{start},{stop},{delta}", lambda a=start, b=stop, c=delta: Data.range(number(a), number(b), number(c)),
          len(range(start, stop, delta)))
for dtype in ["int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "float16", "bfloat16"]:
    reads(f"RangeDataset/{dtype}", lambda dtype=dtype: Data.range(1, 4, output_type=tf.as_dtype(dtype)), 3)
fails("RangeDataset/step", lambda: Data.range(number(1), number(3), number(0)), "INVALID_ARGUMENT")
fails("RangeDataset/vector", lambda: Data.range(number([1, 2]), number(3), number(1)), "INVALID_ARGUMENT")

for name in ["", "Experimental"]:
    reads(f"{name}RandomDataset", lambda name=name: within(
        lambda: getattr(raw, name + "RandomDataset")(seed=number(3), seed2=number(5), **spec(SCALAR)), spec(SCALAR)), 5, None, 2)
reads("RandomDataset/zeros", lambda: (raw.RandomDataset(seed=number(0), seed2=number(4), **spec(SCALAR)), spec(SCALAR)), 3, None)
for again in [False, True]:
    reads(f"RandomDatasetV2/{again}", lambda again=again: Data.random(seed=4, rerandomize_each_iteration=again), 4, None, 3)
reads("RandomDatasetV2/repeat", lambda: Data.random(seed=4, rerandomize_each_iteration=True).take(3).repeat(3), 9)

sparse = spec(([None, 2], "int64"), ([None], "float32"), ([2], "int64"))
sparse_of = lambda dtype: spec(([None, 2], "int64"), ([None], dtype), ([2], "int64"))
for dtype, values in [(t, [1, 0, 1]) for t in NUMBERS] + [("string", ["a", "b", "c"])]:
    reads(f"SparseTensorSliceDataset/{dtype}", lambda dtype=dtype, values=values: (raw.SparseTensorSliceDataset(
        indices=number([[0, 0, 1], [0, 1, 1], [2, 3, 0]]), values=fed(values, dtype), dense_shape=number([4, 5, 6])),
        sparse_of(dtype)), 4)
fails("SparseTensorSliceDataset/order", lambda: (raw.SparseTensorSliceDataset(
    indices=number([[1, 0, 0], [0, 0, 0]]), values=fed([1.0, 2.0]), dense_shape=number([4, 5, 6])), sparse), "UNIMPLEMENTED")
for name, indices, shape in [("rank", [[0, 0], [1, 0], [2, 0]], [4, 5, 6]),
                             ("values", [[0, 0, 0]], [4, 5, 6]), ("matrix", [0, 0, 0], [4, 5, 6])]:
    fails(f"SparseTensorSliceDataset/{name}", lambda indices=indices, shape=shape: (raw.SparseTensorSliceDataset(
        indices=number(indices), values=fed([1.0, 2.0, 3.0]), dense_shape=number(shape)), sparse), "INVALID_ARGUMENT")
reads("SparseTensorSliceDataset/none", lambda: (raw.SparseTensorSliceDataset(
    indices=number(np.zeros([0, 3])), values=fed(np.zeros([0], np.float32)), dense_shape=number([2, 1, 1])), sparse), 2)

reads("ListDataset", lambda: (raw.ListDataset(tensors=[fed(1, "int64"), fed(2, "int64"), fed(3, "int64")], **spec(SCALAR)), spec(SCALAR)), 3)
pair = spec(([], "int32"), ([None], "string"))
reads("ListDataset/pairs", lambda: (raw.ListDataset(
    tensors=[fed(1), fed(["a"], "string"), fed(2), fed([], "string")], **pair), pair), 2)

reads("TextLineDataset/none", lambda: v1.data.TextLineDataset(fed([], "string")), 0)
reads("TFRecordDataset/none", lambda: v1.data.TFRecordDataset(fed([], "string")), 0)
reads("FixedLengthRecordDataset/none", lambda: v1.data.FixedLengthRecordDataset(fed([], "string"), 3), 0)
for name, sizes in [("record", (0, 0, 0)), ("header", (-1, 3, 0)), ("footer", (0, 3, -1))]:
    fails(f"FixedLengthRecordDataset/{name}", lambda sizes=sizes: (raw.FixedLengthRecordDatasetV2(
        filenames=fed([], "string"), header_bytes=number(sizes[0]), record_bytes=number(sizes[1]), footer_bytes=number(sizes[2]),
        buffer_size=number(0), compression_type=fed("")), spec(([], "string"))), "INVALID_ARGUMENT")
reads("FixedLengthRecordDataset/first", lambda: within(lambda: raw.FixedLengthRecordDataset(
    filenames=given([], "string"), header_bytes=number(0), record_bytes=number(1), footer_bytes=number(0),
    buffer_size=number(0)), spec(([], "string"))), 0)
for name in ["TextLineDataset"]:
    fails(f"{name}/compression", lambda name=name: (getattr(raw, name)(
        filenames=fed([], "string"), compression_type=fed("LZ4"), buffer_size=number(0)), spec(([], "string"))), "INVALID_ARGUMENT")
reads("TFRecordDatasetV2/none", lambda: within(lambda: raw.TFRecordDatasetV2(
    filenames=given([], "string"), compression_type=given("", "string"), buffer_size=number(0), byte_offsets=number([])), spec(([], "string"))), 0)

# Elements one by one.

reads("MapDataset", lambda: Data.range(3).map(lambda x: (x * x, tf.as_string(x))), 3)
reads("MapDataset/captured", lambda: (lambda k: Data.range(3).map(lambda x: x + k))(number(10)), 3)
reads("MapDataset/fails", lambda: Data.from_tensor_slices([1, 0, 2]).map(
    lambda x: tf.debugging.check_numerics(1 / tf.cast(x, tf.float32), "bad")), 1, "INVALID_ARGUMENT")
reads("MapDataset/stateful", lambda: Data.range(4).map(lambda x: tf.random.uniform([], seed=3)), 4)
reads("MapDataset/nested", lambda: Data.range(2).map(lambda x: {"a": x, "b": Data.range(x).reduce(np.int64(0), lambda s, y: s + y)}), 2)
reads("MapDataset/tuple", lambda: Data.range(2).map(lambda x: (x, {"b": [x, x + 1]})), 2)
for how in [None, True, False]:
    reads(f"ParallelMapDatasetV2/{how}", lambda how=how: Data.range(6).map(
        lambda x: x * 2, num_parallel_calls=1 if how is False else 3, deterministic=how), 6)
reads("ParallelMapDatasetV2/auto", lambda: Data.range(6).map(lambda x: x * 2, num_parallel_calls=tf.data.AUTOTUNE), 6)
reads("ParallelMapDatasetV2/fails", lambda: Data.range(4).map(
    lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "bad"), num_parallel_calls=2), 2, "INVALID_ARGUMENT")
fails("ParallelMapDatasetV2/number", lambda: Data.range(6).map(lambda x: x, num_parallel_calls=number(0)), "INVALID_ARGUMENT")
reads("ParallelMapDataset", lambda: op("ParallelMapDataset", Data.range(4), other_arguments=[], num_parallel_calls=fed(2),
                                       f=function(lambda x: x + 1, SCALAR)), 4)
reads("FilterDataset", lambda: Data.range(10).filter(lambda x: tf.equal(x % 3, 0)), 4)
reads("FilterDataset/fails", lambda: Data.range(4).filter(
    lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 1, tf.float32), "bad") < 5.0), 1, "INVALID_ARGUMENT")
reads("ParallelFilterDataset", lambda: within(lambda: op(
    "ParallelFilterDataset", Data.range(9), other_arguments=[], num_parallel_calls=number(3),
    predicate=function(lambda x: tf.equal(x % 2, 0), SCALAR))[0], spec(SCALAR)), 5)
reads("TakeWhileDataset", lambda: Data.range(10).take_while(lambda x: x < 4), 4)
reads("ExperimentalTakeWhileDataset", lambda: op("ExperimentalTakeWhileDataset", Data.range(9), other_arguments=[number(2)],
                                                 predicate=function(lambda x, y: x < y, SCALAR, SCALAR)), 2)
reads("ScanDataset", lambda: Data.range(5).scan((np.int64(0), 1.0), lambda s, x: ((s[0] + x, s[1] * 2), (s[0], s[1], x))), 5)
reads("ScanDataset/shape", lambda: Data.range(3).scan(tf.zeros([1], tf.int64), lambda s, x: (tf.concat([s, [x]], 0), s)), 3)
reads("ExperimentalScanDataset", lambda: op(
    "ExperimentalScanDataset", Data.range(4), initial_state=[number(1)], other_arguments=[],
    f=function(lambda s, x: (s + x, s), SCALAR, SCALAR)), 4)
reads("ShardDataset", lambda: Data.range(10).shard(number(3), number(1)), 3)
for name, n, i in [("zero", 0, 0), ("index", 2, 2), ("negative", 2, -1)]:
    fails(f"ShardDataset/{name}", lambda n=n, i=i: Data.range(10).shard(number(n), number(i)), "INVALID_ARGUMENT")
reads("ShardDataset/non_empty", lambda: op("ShardDataset", Data.range(1), num_shards=number(3), index=number(0),
                                           require_non_empty=True), 0, "INVALID_ARGUMENT")
for count in [-1, 0, 2, 9]:
    reads(f"TakeDataset/{count}", lambda n=count: Data.range(4).take(number(n)), 4 if count in (-1, 9) else count)
    reads(f"SkipDataset/{count}", lambda n=count: Data.range(4).skip(number(n)), max(0, 4 - count) if count >= 0 else 0)
for count in [0, 1, 3]:
    reads(f"RepeatDataset/{count}", lambda n=count: Data.range(2).repeat(number(n)), 2 * count, turns=2)
reads("RepeatDataset/forever", lambda: Data.range(2).repeat(), 5, None)
reads("RepeatDataset/empty", lambda: Data.range(0).repeat(), 0)
reads("ConcatenateDataset", lambda: Data.range(2).concatenate(Data.range(7, 9)), 4, turns=2)
reads("ConcatenateDataset/shapes", lambda: Data.from_tensors([1, 2]).concatenate(Data.from_tensors([3])), 2)
reads("ZipDataset", lambda: Data.zip((Data.range(3), Data.range(5, 7), Data.from_tensors("a").repeat())), 2)
reads("EnumerateDataset", lambda: Data.from_tensor_slices(["a", "b"]).enumerate(5), 2)
for name in ["", "Experimental"]:
    reads(f"{name}UniqueDataset", lambda name=name: op(name + "UniqueDataset", Data.from_tensor_slices(fed([1, 2, 1, 3, 2], "int64", [5]))), 3)
    reads(f"{name}AssertNextDataset", lambda name=name: op(name + "AssertNextDataset", Data.range(2), transformations=fed([], "string")), 2)
    reads(f"{name}MaxIntraOpParallelismDataset", lambda name=name: op(
        name + "MaxIntraOpParallelismDataset", Data.range(2), max_intra_op_parallelism=number(1)), 2)
    reads(f"{name}PrivateThreadPoolDataset", lambda name=name: op(name + "PrivateThreadPoolDataset", Data.range(2), num_threads=number(1)), 2)
    reads(f"{name}NonSerializableDataset", lambda name=name: op(name + "NonSerializableDataset", Data.range(2)), 2)
    reads(f"{name}LatencyStatsDataset", lambda name=name: op(name + "LatencyStatsDataset", Data.range(2), tag=fed("a")), 2)
    reads(f"{name}BytesProducedStatsDataset", lambda name=name: op(name + "BytesProducedStatsDataset", Data.range(2), tag=fed("a")), 2)
    reads(f"{name}IgnoreErrorsDataset", lambda name=name: op(
        name + "IgnoreErrorsDataset",
        Data.from_tensor_slices([1.0, 0.0, 2.0, 0.0]).map(lambda x: tf.debugging.check_numerics(1 / x, "bad"))), 2)
    reads(f"{name}ChooseFastestDataset", lambda name=name: (getattr(raw, name + "ChooseFastestDataset")(
        input_datasets=[handle(Data.range(4)), handle(Data.range(4))], num_experiments=2, **spec(SCALAR)), spec(SCALAR)), 4)
    reads(f"{name}DirectedInterleaveDataset", lambda name=name: (getattr(raw, name + "DirectedInterleaveDataset")(
        selector_input_dataset=handle(Data.from_tensor_slices(np.array([0, 1, 1, 0, 1, 0, 0], np.int64))),
        data_input_datasets=[handle(Data.range(2)), handle(Data.range(5, 9))], **spec(SCALAR)), spec(SCALAR)), 5)
    reads(f"{name}AutoShardDataset", lambda name=name: op(
        name + "AutoShardDataset", Data.range(7), num_workers=number(3), index=number(1), auto_shard_policy=2), 2)
for dtype, values in [("int32", [3, 3, 1]), ("string", ["a", "b", "a"])]:
    reads(f"UniqueDataset/{dtype}", lambda dtype=dtype, values=values: Data.from_tensor_slices(fed(values, dtype, [3])).unique(), 2)
fails("MaxIntraOpParallelismDataset/zero", lambda: op("MaxIntraOpParallelismDataset", Data.range(2), max_intra_op_parallelism=number(-1)), "INVALID_ARGUMENT")
fails("PrivateThreadPoolDataset/negative", lambda: op("PrivateThreadPoolDataset", Data.range(2), num_threads=number(-1)), "INVALID_ARGUMENT")
reads("DirectedInterleaveDataset/stop", lambda: (raw.DirectedInterleaveDataset(
    selector_input_dataset=handle(Data.from_tensor_slices(np.array([0, 1, 0, 0, 1], np.int64))),
    data_input_datasets=[handle(Data.range(2)), handle(Data.range(5, 9))], stop_on_empty_dataset=True, **spec(SCALAR)), spec(SCALAR)), 3)
reads("DirectedInterleaveDataset/index", lambda: (raw.DirectedInterleaveDataset(
    selector_input_dataset=handle(Data.from_tensor_slices(np.array([0, 2], np.int64))),
    data_input_datasets=[handle(Data.range(2)), handle(Data.range(5, 9))], **spec(SCALAR)), spec(SCALAR)), 1, "INVALID_ARGUMENT")
reads("DirectedInterleaveDataset/sampled", lambda: Data.sample_from_datasets(
    [Data.range(20), Data.range(100, 120)], [0.3, 0.7], seed=5, stop_on_empty_dataset=True), 12, None)
for expected, n, then in [(3, 3, "OUT_OF_RANGE"), (2, 2, "FAILED_PRECONDITION"), (5, 3, "FAILED_PRECONDITION"), (-1, 3, "FAILED_PRECONDITION"),
                          (-2, 0, "FAILED_PRECONDITION")]:
    reads(f"AssertCardinalityDataset/{expected}", lambda k=expected: op("AssertCardinalityDataset", Data.range(3), cardinality=number(k)), n, then)
for seeds in [(3, 5), (0, 1)]:
    for rate in [0.0, 0.4, 1.0]:
        reads(f"SamplingDataset/{rate},{seeds[0]}", lambda rate=rate, seeds=seeds: op(
            "SamplingDataset", Data.range(30).repeat(), rate=fed(rate), seed=number(seeds[0]), seed2=number(seeds[1])),
            12 if rate else 0, None, 2 if rate else 1)
reads("ModelDataset", lambda: op("ModelDataset", Data.range(2)), 2)
reads("OptimizeDataset", lambda: op("OptimizeDataset", Data.range(2), optimizations=fed([], "string")), 2)
reads("OptimizeDatasetV2", lambda: op("OptimizeDatasetV2", Data.range(2), optimizations_enabled=fed([], "string"),
                                      optimizations_disabled=fed([], "string"), optimizations_default=fed([], "string")), 2)
reads("FinalizeDataset", lambda: op("FinalizeDataset", Data.range(2)), 2)
reads("OptionsDataset", lambda: op("OptionsDataset", Data.range(2), serialized_options=b""), 2)


def with_options():
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 1
    return Data.range(3).map(lambda x: x + 1).with_options(options)


reads("OptionsDataset/threads", with_options, 3)
reads("wrapped", lambda: (raw.UnwrapDatasetVariant(input_handle=raw.WrapDatasetVariant(input_handle=handle(Data.range(2)))), spec(SCALAR)), 2)
fails("UnwrapDatasetVariant/another", lambda: (raw.UnwrapDatasetVariant(input_handle=raw.OptionalNone()), spec(SCALAR)), "INVALID_ARGUMENT")
fails("RepeatDataset/another", lambda: (raw.RepeatDataset(input_dataset=raw.OptionalNone(), count=number(1), **spec(SCALAR)), spec(SCALAR)), "INVALID_ARGUMENT")
reads("AssertPrevDataset", lambda: op("AssertPrevDataset", Data.range(2), transformations=fed([], "string")), 2)

# Several elements in one.

for dtype in [*NUMBERS, "string"]:
    values = ["a", "b", "c"] if dtype == "string" else [[0, 1], [1, 0], [1, 1]]
    reads(f"BatchDatasetV2/{dtype}", lambda dtype=dtype, values=values: Data.from_tensor_slices(fed(values, dtype, np.shape(values))).batch(2), 2)
for dtype in [*NUMBERS, "string"]:
    pad = "-" if dtype == "string" else 1
    first, second = (["a"], ["b", "c"]) if dtype == "string" else ([0], [1, 0])
    reads(f"PaddedBatchDatasetV2/{dtype}", lambda dtype=dtype, pad=pad, first=first, second=second: Data.from_tensors(
        fed(first, dtype, [None])).concatenate(Data.from_tensors(fed(second, dtype, [None]))).padded_batch(
        2, padded_shapes=[None], padding_values=tf.cast(pad, dtype) if dtype != "string" else pad), 1)
reads("BatchDataset", lambda: (lambda n: within(lambda: op(
    "BatchDataset", Data.range(5), spec(([None], "int64")), batch_size=n)[0], spec(([None], "int64"))))(number(2)), 3)
for drop in [False, True]:
    reads(f"BatchDatasetV2/drop_{drop}", lambda drop=drop: Data.range(5).batch(number(2), drop_remainder=drop), 2 if drop else 3)
    reads(f"ParallelBatchDataset/drop_{drop}", lambda drop=drop: Data.range(5).batch(2, drop, num_parallel_calls=2), 2 if drop else 3)
    reads(f"ParallelBatchDataset/auto_{drop}", lambda drop=drop: Data.range(5).batch(3, drop, num_parallel_calls=tf.data.AUTOTUNE, deterministic=drop), 1 if drop else 2)
for size in [0, -1]:
    fails(f"BatchDatasetV2/{size}", lambda size=size: Data.range(5).batch(number(size)), "INVALID_ARGUMENT")
    fails(f"ParallelBatchDataset/{size}", lambda size=size: Data.range(5).batch(number(size), num_parallel_calls=2), "INVALID_ARGUMENT")
    fails(f"PaddedBatchDatasetV2/{size}", lambda size=size: Data.range(5).padded_batch(number(size), []), "INVALID_ARGUMENT")
unequal = lambda: Data.range(1, 5).map(lambda x: tf.fill([x], x))
reads("BatchDatasetV2/unequal", lambda: unequal().batch(2), 0, "INVALID_ARGUMENT")
reads("ParallelBatchDataset/unequal", lambda: unequal().batch(2, num_parallel_calls=2), 0, "INVALID_ARGUMENT")
reads("BatchDatasetV2/none", lambda: Data.range(0).batch(2), 0)
reads("BatchDatasetV2/fails", lambda: Data.from_tensor_slices([1.0, 0.0, 2.0]).map(
    lambda x: tf.debugging.check_numerics(1 / x, "bad")).batch(3), 0, "INVALID_ARGUMENT")
reads("BatchDatasetV2/pair", lambda: Data.from_tensor_slices(([1, 2, 3], ["a", "b", "c"])).batch(2), 2)
reads("PaddedBatchDatasetV2/to_longest", lambda: unequal().padded_batch(3, [None]), 2)
reads("PaddedBatchDatasetV2/to_given", lambda: unequal().padded_batch(3, [5], drop_remainder=True), 1)
reads("PaddedBatchDatasetV2/too_long", lambda: unequal().padded_batch(3, [2]), 0, "DATA_LOSS")
reads("PaddedBatchDatasetV2/rank", lambda: (lambda d: (raw.PaddedBatchDatasetV2(
    input_dataset=handle(d), batch_size=number(2), padded_shapes=[number([2, 2])], padding_values=[number(0)],
    drop_remainder=fed(False), output_shapes=[tf.TensorShape(None)]), spec((None, "int64"))))(unequal()), 0, "INVALID_ARGUMENT")
reads("PaddedBatchDataset", lambda: within(lambda: raw.PaddedBatchDataset(
    input_dataset=handle(unequal()), batch_size=number(3), padded_shapes=[number([-1])], padding_values=[number(-7)],
    output_shapes=[tf.TensorShape([None, None])]), spec(([None, None], "int64"))), 2)
reads("PaddedBatchDatasetV2/matrix", lambda: Data.range(1, 4).map(lambda x: tf.fill([x, 2], x)).padded_batch(3, [None, 3], np.int64(9)), 1)
for name in ["", "Experimental"]:
    reads(f"{name}UnbatchDataset", lambda name=name: op(
        name + "UnbatchDataset", Data.from_tensor_slices(([[1, 2], [3, 4]], [["a", "b"], ["c", "d"]])), spec(([], "int32"), ([], "string"))), 4)
    reads(f"{name}MapAndBatchDataset", lambda name=name: op(
        name + "MapAndBatchDataset", Data.range(5), spec(([None], "int64")), other_arguments=[], batch_size=number(2),
        num_parallel_calls=number(2), drop_remainder=fed(False), f=function(lambda x: x * 3, SCALAR)), 3)
    reads(f"{name}DenseToSparseBatchDataset", lambda name=name: op(
        name + "DenseToSparseBatchDataset", unequal(), spec(([None, None], "variant")), batch_size=number(2), row_shape=number([-1])), 0, None)
    for n, size in [(2, 2), (3, 4), (1, 3)]:
        reads(f"{name}RebatchDataset/{n},{size}", lambda name=name, n=n, size=size: op(
            name + "RebatchDataset", Data.range(9).batch(size), spec(([None], "int64")), num_replicas=number(n)), 3, None)
reads("UnbatchDataset/none", lambda: Data.from_tensors(np.zeros([0, 2], np.float32)).unbatch(), 0)
reads("UnbatchDataset/lengths", lambda: Data.from_tensors((fed([1, 2], shape=[None]), fed([1, 2, 3], shape=[None]))).unbatch(), 0, "INVALID_ARGUMENT")
reads("UnbatchDataset/several", lambda: Data.from_tensors([1, 2]).concatenate(Data.from_tensors([3])).unbatch(), 3)
for drop in [False, True]:
    reads(f"MapAndBatchDataset/drop_{drop}", lambda drop=drop: op(
        "MapAndBatchDataset", Data.range(7), spec(([None], "int64")), other_arguments=[number(2)], batch_size=number(3),
        num_parallel_calls=number(4), drop_remainder=fed(drop), f=function(lambda x, k: x + k, SCALAR, SCALAR)), 2 if drop else 3)
reads("MapAndBatchDataset/fails", lambda: op(
    "MapAndBatchDataset", Data.range(4), spec(([None], "float32")), other_arguments=[], batch_size=number(2), num_parallel_calls=number(2),
    drop_remainder=fed(False), f=function(lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x - 3, tf.float32), "bad"), SCALAR)), 1, "INVALID_ARGUMENT")
for sizes in [[2], [1, 3], [3, 0, 1]]:
    for drop in [False, True]:
        reads(f"RebatchDatasetV2/{sizes},{drop}", lambda sizes=sizes, drop=drop: op(
            "RebatchDatasetV2", Data.range(8).batch(3), spec(([None], "int64")), batch_sizes=number(sizes), drop_remainder=fed(drop)), 3, None)

for size, shift, stride, drop in [(2, 2, 1, False), (3, 1, 2, True), (3, 2, 1, False), (2, 3, 2, True)]:
    reads(f"WindowDataset/{size},{shift},{stride},{drop}", lambda a=size, b=shift, c=stride, d=drop: Data.range(7).window(
        number(a), number(b), number(c), d).flat_map(lambda w: w.batch(4)), 2, None)
for name, size, shift, stride in [("size", 0, 1, 1), ("shift", 1, 0, 1), ("stride", 1, 1, 0)]:
    fails(f"WindowDataset/{name}", lambda a=size, b=shift, c=stride: Data.range(7).window(number(a), number(b), number(c)), "INVALID_ARGUMENT")
# Datasets in datasets.

inner = lambda x: Data.from_tensors(x).repeat(x)
reads("FlatMapDataset", lambda: Data.range(4).flat_map(inner), 6, turns=2)
reads("FlatMapDataset/fails", lambda: Data.range(3).flat_map(lambda x: Data.range(2).map(
    lambda y: tf.debugging.check_numerics(1.0 / tf.cast(x - 1, tf.float32), "bad"))), 2, "INVALID_ARGUMENT")
for cycle, block in [(1, 1), (2, 1), (2, 3), (5, 2)]:
    reads(f"InterleaveDataset/{cycle},{block}", lambda a=cycle, b=block: Data.range(1, 5).interleave(inner, number(a), number(b)), 10)
    reads(f"ParallelInterleaveDatasetV4/{cycle},{block}", lambda a=cycle, b=block: Data.range(1, 5).interleave(
        inner, number(a), number(b), num_parallel_calls=min(a, 2)), 10)
for name, cycle, block in [("cycle", 0, 1), ("block", 1, 0)]:
    fails(f"InterleaveDataset/{name}", lambda a=cycle, b=block: Data.range(1, 5).interleave(inner, number(a), number(b)), "INVALID_ARGUMENT")
    fails(f"ParallelInterleaveDatasetV4/{name}", lambda a=cycle, b=block: Data.range(1, 5).interleave(
        inner, number(a), number(b), num_parallel_calls=1), "INVALID_ARGUMENT")


def dataset_function():
    f = tf.function(lambda x: handle(inner(x)), autograph=False).get_concrete_function(tf.TensorSpec([], tf.int64))
    f.add_to_graph(v1.get_default_graph())
    return f


for name in ["ParallelInterleaveDatasetV2", "ParallelInterleaveDatasetV3"]:
    reads(name, lambda name=name: op(name, Data.range(1, 5), other_arguments=[], cycle_length=number(2), block_length=number(2),
                                     num_parallel_calls=number(2), f=dataset_function()), 10)
for name in ["ParallelInterleaveDataset", "ExperimentalParallelInterleaveDataset"]:
    reads(name, lambda name=name: op(name, Data.range(1, 5), other_arguments=[], cycle_length=number(2), block_length=number(2),
                                     sloppy=fed(False), buffer_output_elements=number(2), prefetch_input_elements=number(1),
                                     f=dataset_function()), 10)
reads("LegacyParallelInterleaveDatasetV2", lambda: op(
    "LegacyParallelInterleaveDatasetV2", Data.range(1, 5), other_arguments=[], cycle_length=number(2), block_length=number(2),
    buffer_output_elements=number(2), prefetch_input_elements=number(1), f=dataset_function()), 10)
reads("GroupByWindowDataset", lambda: Data.range(10).group_by_window(lambda x: x % 3, lambda k, w: w.batch(4), 2), 5, None)
reads("GroupByWindowDataset/sizes", lambda: Data.range(8).group_by_window(
    lambda x: x % 2, lambda k, w: w.batch(8), window_size_func=lambda k: k + 1), 6)
reads("GroupByWindowDataset/key", lambda: Data.range(4).group_by_window(
    lambda x: x % 2, lambda k, w: w.batch(8), window_size_func=lambda k: k), 0, "INVALID_ARGUMENT")
reads("GroupByWindowDataset/lengths", lambda: unequal().concatenate(unequal()).bucket_by_sequence_length(
    lambda x: tf.shape(x)[0], [2, 4], [2, 3, 1]), 5, None)


def reducer():
    return tf.data.experimental.Reducer(lambda k: (k, np.int64(0)), lambda s, x: (s[0], s[1] + x), lambda s, t: s * 100 + t)


reads("GroupByReducerDataset", lambda: Data.range(7).apply(tf.data.experimental.group_by_reducer(lambda x: x % 3, reducer())), 3)
reads("ExperimentalGroupByReducerDataset", lambda: op(
    "ExperimentalGroupByReducerDataset", Data.range(5), key_func_other_arguments=[], init_func_other_arguments=[],
    reduce_func_other_arguments=[], finalize_func_other_arguments=[], key_func=function(lambda x: x % 2, SCALAR),
    init_func=function(lambda k: k * 10, SCALAR), reduce_func=function(lambda s, x: s + x, SCALAR, SCALAR),
    finalize_func=function(lambda s: s, SCALAR)), 2)

# Buffers and orders.

for seeds in [(3, 5), (0, 7)]:
    for size in [1, 3, 20]:
        for again in [False, True]:
            reads(f"ShuffleDatasetV3/{seeds[0]},{size},{again}", lambda seeds=seeds, size=size, again=again: Data.range(8).shuffle(
                number(size), seed=seeds[1], reshuffle_each_iteration=again).repeat(2), 16, turns=2)
            reads(f"ShuffleDataset/{seeds[0]},{size},{again}", lambda seeds=seeds, size=size, again=again: op(
                "ShuffleDataset", Data.range(8), buffer_size=number(size), seed=number(seeds[0]), seed2=number(seeds[1]),
                reshuffle_each_iteration=again), 8, turns=2)
reads("ShuffleDataset/repeated", lambda: (lambda d: (raw.RepeatDataset(input_dataset=d[0], count=number(3), **d[1]), d[1]))(op(
    "ShuffleDataset", Data.range(5), buffer_size=number(3), seed=number(1), seed2=number(2))), 15, turns=2)
fails("ShuffleDatasetV3/size", lambda: Data.range(8).shuffle(number(0), seed=1), "INVALID_ARGUMENT")
fails("ShuffleDataset/size", lambda: op("ShuffleDataset", Data.range(8), buffer_size=number(0), seed=number(1), seed2=number(2)), "INVALID_ARGUMENT")
for again in [False, True]:
    for count in [1, 3, -1]:
        reads(f"ShuffleAndRepeatDataset/{again},{count}", lambda again=again, count=count: op(
            "ShuffleAndRepeatDataset", Data.range(4), buffer_size=number(3), seed=number(4), seed2=number(6), count=number(count),
            reshuffle_each_iteration=again), 10 if count < 0 else 4 * count, None if count < 0 else "OUT_OF_RANGE", 2)


reads("ShuffleAndRepeatDatasetV2", lambda: op(
    "ShuffleAndRepeatDatasetV2", Data.range(4), buffer_size=number(3), seed=number(4), seed2=number(6), count=number(3),
    seed_generator=raw.DummySeedGenerator(), reshuffle_each_iteration=True), 12, turns=2)
reads("ShuffleDatasetV3/dummy", lambda: op(
    "ShuffleDatasetV3", Data.range(4), buffer_size=number(3), seed=number(4), seed2=number(6), seed_generator=raw.DummySeedGenerator()), 4, turns=2)
for size in [-1, 0, 1, 4]:
    reads(f"PrefetchDataset/{size}", lambda size=size: Data.range(6).prefetch(number(size)), 6, turns=2)
fails("PrefetchDataset/negative", lambda: Data.range(6).prefetch(number(-2)), "INVALID_ARGUMENT")
reads("PrefetchDataset/fails", lambda: Data.from_tensor_slices([1.0, 0.0, 2.0]).map(
    lambda x: tf.debugging.check_numerics(1 / x, "bad")).prefetch(3), 1, "INVALID_ARGUMENT")
reads("CacheDatasetV2", lambda: Data.range(3).map(lambda x: x + tf.random.uniform([], 0, 1000, tf.int64, seed=2)).cache().repeat(2), 6)
reads("CacheDataset", lambda: op("CacheDataset", Data.range(3), filename=fed("")), 3, turns=2)
reads("CacheDatasetV2/dummy", lambda: op("CacheDatasetV2", Data.range(3), filename=fed(""), cache=raw.DummyMemoryCache()), 3)

# Other kinds of elements.

ragged = lambda: Data.range(3).map(lambda x: tf.RaggedTensor.from_row_lengths(tf.range(x + 2), [x, 2]))
reads("ragged", lambda: ragged().map(lambda r: r.to_tensor()), 3)
reads("ragged/batch", lambda: ragged().batch(2).map(lambda r: (r.flat_values, r.nested_row_splits)), 2)
reads("ragged/unbatch", lambda: ragged().unbatch().map(lambda r: r.to_tensor() if isinstance(r, tf.RaggedTensor) else r), 6)
reads("ragged/dense_to_ragged", lambda: Data.range(4).map(lambda x: tf.range(x)).ragged_batch(3).map(lambda r: (r.flat_values, r.row_splits)), 2)
dense = lambda s: tf.sparse.to_dense(s)
sparse_source = lambda: Data.from_tensor_slices(tf.SparseTensor(number([[0, 1], [1, 0], [1, 2]]), fed([1.0, 2.0, 3.0]), [3, 4]))
reads("sparse", lambda: sparse_source().map(dense), 3)
reads("sparse/batch", lambda: sparse_source().batch(2).map(dense), 2)
reads("sparse/unbatch", lambda: sparse_source().batch(2).unbatch().map(dense), 3)
reads("sparse/dense_to_sparse_batch", lambda: unequal().sparse_batch(3, [5]).map(lambda s: (s.indices, s.values, s.dense_shape)), 2)
reads("sparse/dense_to_sparse_batch/unknown", lambda: unequal().sparse_batch(3, [None]).map(lambda s: (s.indices, s.values, s.dense_shape)), 2)
reads("sparse/dense_to_sparse_batch/too_long", lambda: unequal().sparse_batch(3, [2]).map(dense), 0, "DATA_LOSS")
reads("optional", lambda: Data.range(2).map(lambda x: tf.experimental.Optional.from_value(x + 1)).map(lambda o: o.get_value()), 2)
reads("dataset", lambda: Data.from_tensors(Data.range(3)).flat_map(lambda d: d), 3)
reads("CompressElement", lambda: (lambda c: (raw.TensorDataset(components=list(raw.UncompressElement(
    compressed=c, **pair)), output_shapes=pair["output_shapes"]), pair))(raw.CompressElement(components=[fed(5), fed(["a", "bc"], "string")])), 1)

# Examples of features by name.

def example(**features):
    return tf.train.Example(features=tf.train.Features(feature={
        k: tf.train.Feature(int64_list=tf.train.Int64List(value=v)) if isinstance(v[0], int)
        else tf.train.Feature(float_list=tf.train.FloatList(value=v)) if isinstance(v[0], float)
        else tf.train.Feature(bytes_list=tf.train.BytesList(value=v)) for k, v in features.items()})).SerializeToString()


EXAMPLES = [example(a=[1, 2], b=[0.5], c=[b"x", b"y"]), example(a=[3, 4], c=[b"z"]), example(a=[5, 6], b=[2.5])]
FEATURES = {"a": tf.io.FixedLenFeature([2], tf.int64), "b": tf.io.FixedLenFeature([], tf.float32, default_value=-1.0)}
parse = tf.data.experimental.parse_example_dataset
examples = lambda values=EXAMPLES: Data.from_tensor_slices(fed(values, "string", [len(values)]))
for how in [None, True]:
    reads(f"ParseExampleDatasetV2/{how}", lambda how=how: examples().batch(2).apply(parse(FEATURES, 2, deterministic=how)), 2)
reads("ParseExampleDatasetV2/sparse", lambda: examples().batch(2).apply(parse({**FEATURES, "c": tf.io.VarLenFeature(tf.string)})).map(
    lambda e: (e["a"], e["c"].indices, e["c"].values, e["c"].dense_shape)), 2)
reads("ParseExampleDatasetV2/ragged", lambda: examples().batch(3).apply(parse({"c": tf.io.RaggedFeature(tf.string)})).map(
    lambda e: (e["c"].flat_values, e["c"].row_splits)), 1)
reads("ParseExampleDatasetV2/missing", lambda: examples().batch(3).apply(parse({"q": tf.io.FixedLenFeature([], tf.int64)})), 0, "INVALID_ARGUMENT")
reads("ParseExampleDatasetV2/bytes", lambda: examples([b"x"]).batch(3).apply(parse(FEATURES)), 0, "INVALID_ARGUMENT")
for name in ["ParseExampleDataset", "ExperimentalParseExampleDataset"]:
    attrs = spec(([None, 2], "int64"), ([None], "float32"))
    reads(name, lambda name=name, attrs=attrs: op(
        name, examples().batch(2), attrs, num_parallel_calls=number(1), dense_defaults=[number([]), fed(-1.0)], sparse_keys=[],
        dense_keys=["a", "b"], sparse_types=[], dense_shapes=[[2], []]), 2)

# Sinks.

case("ReduceDataset", lambda tf, v1: Data.range(5).reduce(np.int64(0), lambda s, x: s + x))
case("ReduceDataset/pair", lambda tf, v1: list(Data.range(5).reduce((np.int64(0), 1.0), lambda s, x: (s[0] + x, s[1] * 2))))
case("ReduceDataset/none", lambda tf, v1: Data.range(0).reduce(np.int64(3), lambda s, x: s + x))
case("ReduceDataset/captured", lambda tf, v1: (lambda k: Data.range(3).reduce(np.int64(0), lambda s, x: s + x * k))(number(5)))
case("ReduceDataset/fails", lambda tf, v1: Data.range(3).reduce(
    1.0, lambda s, x: tf.debugging.check_numerics(s / tf.cast(x - 1, tf.float32), "bad")), error="INVALID_ARGUMENT")
case("DatasetToSingleElement", lambda tf, v1: list(Data.from_tensors((fed(1), fed("a"))).get_single_element()))
case("DatasetToSingleElement/none", lambda tf, v1: Data.range(0).get_single_element(), error="INVALID_ARGUMENT")
case("DatasetToSingleElement/several", lambda tf, v1: Data.range(2).get_single_element(), error="INVALID_ARGUMENT")


def cardinalities():
    return [Data.range(5), Data.range(5).repeat(), Data.range(5).filter(lambda x: x > 2), Data.range(5).batch(2), Data.range(5).batch(2, True),
            Data.range(5).map(lambda x: x), Data.range(5).take(3), Data.range(5).take(-1), Data.range(5).repeat().take(3), Data.range(5).skip(2),
            Data.range(5).skip(9), Data.range(5).repeat(3), Data.range(0).repeat(), Data.zip((Data.range(5), Data.range(3))),
            Data.zip((Data.range(5), Data.range(3).repeat())), Data.range(5).concatenate(Data.range(3)), Data.range(5).shuffle(2),
            Data.range(5).prefetch(1), Data.range(5).cache(), Data.range(5).shard(3, 1), Data.range(5).shard(2, 0).repeat(), Data.range(7).window(3, 2),
            Data.range(7).window(3, 2, drop_remainder=True), Data.range(5).flat_map(lambda x: Data.range(x)), Data.range(6).padded_batch(4, []),
            Data.from_tensors(1), Data.from_tensor_slices([1, 2, 3]), Data.range(4).batch(2).unbatch(), Data.range(5).scan(np.int64(0), lambda s, x: (s, x)),
            Data.range(5).take_while(lambda x: x < 3), Data.random(seed=1), Data.range(5).unique(), Data.range(5).enumerate(),
            Data.range(5).batch(2, num_parallel_calls=2), Data.range(5).interleave(lambda x: Data.range(x), 2)]


def batched():
    tens = Data.range(10)
    return [tens.batch(3), tens, tens.batch(4).prefetch(1).repeat(2), tens.batch(2).map(lambda x: x), Data.zip((tens.batch(5), tens.batch(5))),
            Data.zip((tens.batch(5), tens.batch(4))), tens.batch(3).concatenate(tens.batch(3)), tens.padded_batch(6).skip(1).shuffle(2),
            tens.batch(7).filter(lambda x: True).cache().take(1), tens.apply(tf.data.experimental.map_and_batch(lambda x: x, 9))]


case("ComputeBatchSize", lambda tf, v1: [raw.ComputeBatchSize(input_dataset=handle(d)) for d in batched()])


def evens_above_five():
    five = tf.constant(5, tf.int64)
    above = Data.range(6).map(lambda x: x + five)
    return above.filter(lambda x: tf.equal(x % 2, 0))


def graphs():
    return {
        "slices": lambda: Data.from_tensor_slices((np.arange(4), ["a", "b", "c", "d"])),
        "functions": lambda: evens_above_five().batch(2),
        "nested": lambda: Data.range(3).flat_map(lambda x: Data.from_tensors(x).repeat(x)),
        "shared": lambda: (lambda d: Data.zip((d, d.concatenate(d))))(Data.range(3)),
        "scan": lambda: Data.range(4).scan(np.int64(2), lambda s, x: (s * 2, s + x)),
        "options": lambda: Data.range(2).with_options(tf.data.Options()),
    }


for name, build in graphs().items():
    def through(build=build, version=2):
        dataset = build()
        graph = raw.DatasetToGraphV2(input_dataset=handle(dataset)) if version == 2 else raw.DatasetToGraph(input_dataset=handle(dataset))
        return raw.DatasetFromGraph(graph_def=graph), of(dataset)
    n = {"slices": 4, "functions": 2, "nested": 3, "shared": 3, "scan": 4, "options": 2}[name]
    reads(f"DatasetToGraphV2/{name}", through, n)
    reads(f"DatasetToGraph/{name}", lambda through=through: through(version=1), n)

case("DatasetFromGraph/nothing", lambda tf, v1: [step([raw.DatasetCardinality(input_dataset=raw.DatasetFromGraph(graph_def=fed(b"", "string")))],
                                                     error="NOT_FOUND")])


for name in ("", "Experimental"):
    reads(f"{name}SleepDataset", lambda name=name: op(name + "SleepDataset", Data.range(2), sleep_microseconds=number(1)), 2)

    def windows(size, shift, stride, name=name, **attrs):
        return getattr(raw, name + "SlidingWindowDataset")(
            input_dataset=handle(Data.range(7)), window_size=number(size), window_shift=number(shift), window_stride=number(stride),
            **spec(([None], "int64")), **attrs), spec(([None], "int64"))

    def sliding(size, shift, stride, n, name=name, windows=windows, **attrs):
        reads(f"{name}SlidingWindowDataset/{size}/{shift}/{stride}{'/rest' if attrs else ''}",
              lambda: windows(size, shift, stride, **attrs), n)

    def bad_window(size, shift, stride, name=name, windows=windows):
        def steps(tf, v1):
            dataset, attrs = windows(size, shift, stride)
            return [step([], targets=[raw.MakeIterator(dataset=dataset, iterator=iterator(attrs))], error="INVALID_ARGUMENT")]

        case(f"{name}SlidingWindowDataset/{size}/{shift}/{stride}", steps)

    sliding(3, 1, 1, 5)
    sliding(2, 3, 2, 2)
    sliding(2, 5, 1, 2)
    sliding(9, 1, 1, 0)
    bad_window(0, 1, 1)
    bad_window(1, 0, 1)
    bad_window(1, 1, 0)
    if not name:
        sliding(3, 2, 1, 4, drop_remainder=False)
        sliding(3, 3, 2, 3, drop_remainder=False)

def filled(build, keys):
    def steps(tf, v1):
        table = raw.HashTableV2(key_dtype=tf.int64, value_dtype=tf.string, container="", shared_name="", use_node_name_sharing=True)
        fill = raw.InitializeTableFromDataset(table_handle=table, dataset=handle(build()))
        found = raw.LookupTableFindV2(table_handle=table, keys=tf.constant(keys, tf.int64), default_value="none")
        size = raw.LookupTableSizeV2(table_handle=table)
        return [step([], targets=[fill]), step([found, size])]
    return steps


case("InitializeTableFromDataset", filled(lambda: Data.range(3).map(lambda x: (x, tf.strings.as_string(x * x))), [2, 1, 5]))
def fingerprints(tf, v1):
    number = lambda d: tf.bitcast(raw.DatasetFingerprint(input_dataset=handle(d)), tf.int64)
    same = [(f(), f()) for f in (lambda: Data.range(3), lambda: Data.range(4).map(lambda x: x + 1), lambda: Data.from_tensors("a").repeat(2))]
    other = [(Data.range(3), Data.range(4)), (Data.range(3).map(lambda x: x + 1), Data.range(3).map(lambda x: x + 2)),
             (Data.range(3).batch(2), Data.range(3).batch(2, drop_remainder=True))]
    return [tf.equal(number(a), number(b)) for a, b in same + other]


case("DatasetFingerprint", fingerprints)

case("DatasetCardinality", lambda tf, v1: [raw.DatasetCardinality(input_dataset=handle(d)) for d in cardinalities()])
case("ExperimentalDatasetCardinality", lambda tf, v1: [raw.ExperimentalDatasetCardinality(input_dataset=handle(d)) for d in cardinalities()[:4]])
for index in [0, 4]:
    case(f"GetElementAtIndex/{index}", lambda tf, v1, index=index: [
        list(raw.GetElementAtIndex(dataset=handle(d), index=number(index), **of(d)))[0] for d in
        [Data.range(5), Data.range(5).map(lambda x: x * x), Data.range(3, 9).take(5), Data.range(9).skip(4), Data.range(3).repeat(2),
         Data.range(5).concatenate(Data.range(3)), Data.range(10).batch(2), Data.from_tensor_slices([1, 2, 3, 4, 5])]])
case("GetElementAtIndex/beyond", lambda tf, v1: list(raw.GetElementAtIndex(dataset=handle(Data.range(3)), index=number(3), **spec(SCALAR))),
     error="OUT_OF_RANGE")

# Iterators.


def one_shot(tf, v1):
    it = v1.data.make_one_shot_iterator(Data.range(2).map(lambda x: x + 5))
    following = it.get_next()
    return [step(following), step(following), step(following, error="OUT_OF_RANGE"), step(following, error="OUT_OF_RANGE")]


case("OneShotIterator", one_shot)


def not_initialized(tf, v1):
    return [step(list(raw.IteratorGetNext(iterator=iterator(spec(SCALAR)), **spec(SCALAR))), error="FAILED_PRECONDITION")]


case("IteratorGetNext/not_initialized", not_initialized)


def other_types(tf, v1):
    it = iterator(spec(SCALAR))
    wrong = raw.MakeIterator(dataset=handle(Data.from_tensors("a")), iterator=it)
    shape = raw.MakeIterator(dataset=handle(Data.from_tensors(np.zeros([2], np.int64))), iterator=it)
    return [step([], targets=[wrong], error="INVALID_ARGUMENT"), step([], targets=[shape], error="INVALID_ARGUMENT")]


case("MakeIterator/types", other_types)


def reinitialized(tf, v1):
    attrs = spec(([None], "int64"))
    it = iterator(attrs)
    following = list(raw.IteratorGetNext(iterator=it, **attrs))
    first, second = (raw.MakeIterator(dataset=handle(Data.range(n).batch(2)), iterator=it) for n in (3, 5))
    return [step([], targets=[first]), step(following), step([], targets=[second]), step(following), step(following), step([], targets=[first]),
            step(following), step(following), step(following, error="OUT_OF_RANGE"), step([], targets=[second]), step(following)]


case("MakeIterator/again", reinitialized)


def shared(tf, v1):
    a, b = iterator(spec(SCALAR), "both"), iterator(spec(SCALAR), "both")
    make = raw.MakeIterator(dataset=handle(Data.range(4)), iterator=a)
    following = [list(raw.IteratorGetNext(iterator=i, **spec(SCALAR)))[0] for i in (a, b)]
    return [step([], targets=[make]), step(following[0]), step(following[1]), step(following[0])]


case("IteratorV2/shared", shared)


def first_iterator(tf, v1):
    it = raw.Iterator(shared_name="i", container="", **spec(SCALAR))
    make = raw.MakeIterator(dataset=handle(Data.range(2)), iterator=it)
    following = list(raw.IteratorGetNextSync(iterator=it, **spec(SCALAR)))
    return [step([], targets=[make]), step(following), step(following), step(following, error="OUT_OF_RANGE")]


case("Iterator", first_iterator)


def feedable(tf, v1):
    its = [v1.data.make_initializable_iterator(Data.range(n, n + 3)) for n in (0, 10)]
    strings = [it.string_handle() for it in its]
    results = []
    for version in ["IteratorFromStringHandle", "IteratorFromStringHandleV2"]:
        chosen = tf.where(fed(True, shape=[], name="which" + version), strings[0], strings[1])
        found = getattr(raw, version)(string_handle=chosen, **spec(SCALAR))
        results.append((list(raw.IteratorGetNext(iterator=found, **spec(SCALAR))), chosen.op.inputs[0]))
    (a, which), (b, _) = results
    return [step([], targets=[it.initializer for it in its]), step(a), step(a, {which: False}), step(b), step(a, {which: False}), step(a),
            step(a, error="OUT_OF_RANGE")]


case("IteratorFromStringHandle", feedable)
case("IteratorFromStringHandle/text", lambda tf, v1: list(raw.IteratorGetNext(
    iterator=raw.IteratorFromStringHandleV2(string_handle=fed("nothing"), **spec(SCALAR)), **spec(SCALAR))), error="INVALID_ARGUMENT")


def as_optional(tf, v1):
    it = iterator(spec(SCALAR))
    make = raw.MakeIterator(dataset=handle(Data.range(2)), iterator=it)
    found = raw.IteratorGetNextAsOptional(iterator=it, **spec(SCALAR))
    there = raw.OptionalHasValue(optional=found)
    value = list(raw.OptionalGetValue(optional=found, **spec(SCALAR)))
    return [step([], targets=[make]), step([there, *value]), step([there, *value]), step(there), step(value, error="INVALID_ARGUMENT")]


case("IteratorGetNextAsOptional", as_optional)

for name in ["IteratorGetDevice", "ExperimentalIteratorGetDevice"]:
    case(name, lambda tf, v1, name=name: getattr(raw, name)(resource=iterator(spec(SCALAR))))


def anonymous(version):
    def build(tf, v1):
        made = getattr(raw, "AnonymousIterator" + version)(**spec(SCALAR))
        it = made.handle if version == "V2" else made
        make = raw.MakeIterator(dataset=handle(Data.range(3)), iterator=it)
        with tf.control_dependencies([make]):
            first = list(raw.IteratorGetNext(iterator=it, **spec(SCALAR)))[0]
        with tf.control_dependencies([first]):
            second = list(raw.IteratorGetNext(iterator=it, **spec(SCALAR)))[0]
        after = [first, second]
        if version == "V2":
            with tf.control_dependencies([second]):
                after.append(raw.DeleteIterator(handle=it, deleter=made.deleter))
        return [step(after), step(after)]

    return build


for version in ["", "V2", "V3"]:
    case(f"AnonymousIterator{version}", anonymous(version))


def saved(dataset, n):
    """Saves the position after `n` elements, continues, and returns to it, within a session."""

    def build(tf, v1):
        v1.set_random_seed(7)
        d = dataset()
        attrs = of(d)
        it = iterator(attrs)
        make = raw.MakeIterator(dataset=handle(d), iterator=it)
        following = list(raw.IteratorGetNext(iterator=it, **attrs))
        state = raw.SerializeIterator(resource_handle=it)
        kept = tf.raw_ops.FIFOQueueV2(component_types=[tf.variant])
        save = raw.QueueEnqueueV2(handle=kept, components=[state])
        restore = raw.DeserializeIterator(resource_handle=it, serialized=raw.QueueDequeueV2(handle=kept, component_types=[tf.variant])[0])
        return [step([], targets=[make]), *[step(following)] * n, step([], targets=[save]), step(following), step(following),
                step([], targets=[restore]), step(following), step(following)]

    return build


for name, dataset, n in [
    ("range", lambda: Data.range(9), 2), ("shuffle", lambda: Data.range(9).shuffle(4, seed=2), 3),
    ("shuffle_repeat", lambda: Data.range(4).shuffle(4, seed=2).repeat(), 5),
    ("map", lambda: Data.range(9).map(lambda x: x * 2, num_parallel_calls=2).prefetch(2), 3),
    ("interleave", lambda: Data.range(1, 6).interleave(lambda x: Data.from_tensors(x).repeat(x), 2, 2), 4),
    ("flat_map", lambda: Data.range(6).flat_map(lambda x: Data.range(x)), 4),
    ("scan", lambda: Data.range(9).scan(np.int64(0), lambda s, x: (s + x, s)), 3),
    ("batch", lambda: Data.range(20).batch(3), 2), ("window", lambda: Data.range(20).window(3).flat_map(lambda w: w.batch(3)), 2),
    ("zip", lambda: Data.zip((Data.range(9), Data.range(5, 12))), 2), ("concatenate", lambda: Data.range(2).concatenate(Data.range(8)), 3),
    ("unbatch", lambda: Data.range(20).batch(4).unbatch(), 5), ("random", lambda: Data.random(seed=3), 2),
    ("group_by_window", lambda: Data.range(20).group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), 3), 2),
    ("cache", lambda: Data.range(5).cache().repeat(2), 6), ("take_skip", lambda: Data.range(20).skip(3).take(9), 2),
    ("filter", lambda: Data.range(20).filter(lambda x: tf.equal(x % 2, 0)), 2), ("padded_batch", lambda: unequal().repeat(2).padded_batch(2, [5]), 1),
    ("parallel_interleave", lambda: Data.range(1, 6).interleave(lambda x: Data.from_tensors(x).repeat(x), 2, 2, num_parallel_calls=2), 4),
    ("sampled", lambda: Data.sample_from_datasets([Data.range(20), Data.range(50, 70)], [0.5, 0.5], seed=3), 4),
    ("slices", lambda: Data.from_tensor_slices(np.arange(9)), 4), ("shard", lambda: Data.range(30).shard(3, 1), 2),
    ("unique", lambda: Data.range(20).map(lambda x: x % 7).unique(), 2), ("rebatch", lambda: Data.range(20).batch(4).rebatch(3), 2),
]:
    case(f"SerializeIterator/{name}", saved(dataset, n))


def devices(tf, v1):
    it = raw.MultiDeviceIterator(devices=["/cpu:0", "/cpu:1"], shared_name="m", container="", **spec(SCALAR))
    start = raw.MultiDeviceIteratorInit(dataset=handle(Data.range(5)), multi_device_iterator=it, max_buffer_size=number(1))
    incarnation = fed(1, "int64")
    following = [list(raw.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=it, shard_num=fed(i), incarnation_id=incarnation, **spec(SCALAR)))[0] for i in (0, 1)]
    late = {incarnation: 2}
    return [step(start), step(following[0]), step(following[1]), step(following[1]), step(following[0]), step(following[0]),
            step(following[1], error="OUT_OF_RANGE"), step(start), step(following[1], late), step(following[0], error="INVALID_ARGUMENT")]


case("MultiDeviceIterator", devices, config={"deviceCount": {"CPU": 2}})


def device_strings(tf, v1):
    it = raw.MultiDeviceIterator(devices=["/cpu:0"], shared_name="m", container="", **spec(SCALAR))
    again = raw.MultiDeviceIteratorFromStringHandle(string_handle=raw.MultiDeviceIteratorToStringHandle(multi_device_iterator=it), **spec(SCALAR))
    start = raw.MultiDeviceIteratorInit(dataset=handle(Data.range(2)), multi_device_iterator=it, max_buffer_size=number(1))
    following = list(raw.MultiDeviceIteratorGetNextFromShard(
        multi_device_iterator=again, shard_num=fed(0), incarnation_id=fed(1, "int64"), **spec(SCALAR)))
    return [step(start), step(following), step(following), step(following, error="OUT_OF_RANGE")]


case("MultiDeviceIterator/string", device_strings)


for again in [False, True]:
    for name in ["ShuffleDatasetV2", "ShuffleDatasetV3"]:
        reads(f"{name}/generator_{again}", lambda name=name, again=again: op(
            name, Data.range(6), buffer_size=number(4),
            seed_generator=raw.AnonymousSeedGenerator(seed=number(2), seed2=number(8), reshuffle=fed(again)).handle,
            **({} if name.endswith("V2") else {"seed": number(0), "seed2": number(0)})), 6)
for again in [False, True]:
    reads(f"GlobalShuffleDataset/{again}", lambda again=again: op(
        "GlobalShuffleDataset", Data.range(9).batch(2, drop_remainder=True), seed=number(3), seed2=number(5),
        seed_generator=raw.DummySeedGenerator(), reshuffle_each_iteration=again), 4, turns=2)
for name, build, error in [
    ("filter", lambda: Data.range(9).filter(lambda x: x > 2), "FAILED_PRECONDITION"), ("empty", lambda: Data.range(0), "INVALID_ARGUMENT"),
    ("remainder", lambda: Data.range(9).batch(2), "FAILED_PRECONDITION"),
]:
    fails(f"GlobalShuffleDataset/{name}", lambda build=build: op(
        "GlobalShuffleDataset", build(), seed=number(3), seed2=number(5), seed_generator=raw.DummySeedGenerator()), error)


reads("CacheDatasetV2/anonymous", lambda: op(
    "CacheDatasetV2", Data.range(3), filename=fed(""), cache=raw.AnonymousMemoryCache().handle), 3)


def windowed():
    f = tf.function(lambda k, w: raw.BatchDatasetV2(
        input_dataset=w, batch_size=tf.constant(4, tf.int64), drop_remainder=False, **spec(([None], "int64"))), autograph=False)
    f = f.get_concrete_function(tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.variant))
    f.add_to_graph(v1.get_default_graph())
    return f


reads("ExperimentalGroupByWindowDataset", lambda: op(
    "ExperimentalGroupByWindowDataset", Data.range(8), spec(([None], "int64")), key_func_other_arguments=[],
    reduce_func_other_arguments=[], window_size_func_other_arguments=[], key_func=function(lambda x: x % 3, SCALAR),
    reduce_func=windowed(), window_size_func=function(lambda k: k + 2, SCALAR)), 4)
reads("GroupByReducerDataset/last", lambda: op(
    "GroupByReducerDataset", Data.range(5), key_func_other_arguments=[], init_func_other_arguments=[], reduce_func_other_arguments=[],
    finalize_func_other_arguments=[], key_func=function(lambda x: x % 2, SCALAR), init_func=function(lambda k: k * 10, SCALAR),
    reduce_func=function(lambda s, x: s + x, SCALAR, SCALAR), finalize_func=function(lambda s: s, SCALAR)), 2)
reads("GeneratorDataset", lambda: (raw.GeneratorDataset(
    init_func_other_args=[], next_func_other_args=[number(7)], finalize_func_other_args=[],
    init_func=function(lambda: tf.constant(5, tf.int64)), next_func=function(lambda s, k: s + k, SCALAR, SCALAR),
    finalize_func=function(lambda s: s, SCALAR), **spec(SCALAR)), spec(SCALAR)), 2, None)


def anonymous_devices(version):
    def build(tf, v1):
        made = getattr(raw, "AnonymousMultiDeviceIterator" + version)(devices=["/cpu:0"], **spec(SCALAR))
        it = made if version else made.handle
        start = raw.MultiDeviceIteratorInit(dataset=handle(Data.range(3)), multi_device_iterator=it, max_buffer_size=number(1))
        first = list(raw.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=it, shard_num=fed(0), incarnation_id=start, **spec(SCALAR)))[0]
        after = [first]
        if not version:
            with tf.control_dependencies([first]):
                after.append(raw.DeleteMultiDeviceIterator(multi_device_iterator=it, iterators=[], deleter=made.deleter))
        return [step(after), step(after)]

    return build


for version in ["", "V3"]:
    case(f"AnonymousMultiDeviceIterator{version}", anonymous_devices(version))

# Functions over rows.

case("MapDefun", lambda tf, v1: list(raw.MapDefun(
    arguments=[fed([[1, 2], [3, 4], [5, 6]], "int64")], captured_inputs=[number(10)], output_types=[tf.int64], output_shapes=[[2]],
    f=function(lambda x, k: x * k, ([2], "int64"), SCALAR))))
case("MapDefun/fails", lambda tf, v1: list(raw.MapDefun(
    arguments=[fed([1.0, 0.0])], captured_inputs=[], output_types=[tf.float32], output_shapes=[[]],
    f=function(lambda x: tf.debugging.check_numerics(1 / x, "bad"), ([], "float32")))), error="INVALID_ARGUMENT")
case("MapDefun/lengths", lambda tf, v1: list(raw.MapDefun(
    arguments=[fed([1, 2], "int64"), fed([1, 2, 3], "int64")], captured_inputs=[], output_types=[tf.int64], output_shapes=[[]],
    f=function(lambda x, y: x + y, SCALAR, SCALAR))), error="INVALID_ARGUMENT")



def options(*changes):
    """Options with these fields set."""
    made = tf.data.Options()
    for name, value in changes:
        at = made
        *path, last = name.split(".")
        for part in path:
            at = getattr(at, part)
        setattr(at, last, value)
    return made


def get_options(dataset):
    return raw.GetOptions(input_dataset=handle(dataset))


case("GetOptions/none", lambda tf, v1: get_options(Data.range(1)))
case("GetOptions/one", lambda tf, v1: get_options(
    Data.range(1).with_options(options(("deterministic", False), ("threading.private_threadpool_size", 300))).map(lambda x: x)))
case("GetOptions/of_several", lambda tf, v1: get_options(Data.zip((
    Data.range(1).with_options(options(("deterministic", True), ("threading.private_threadpool_size", 3), ("autotune.enabled", True))),
    Data.range(2).with_options(options(("deterministic", False), ("threading.max_intra_op_parallelism", 2), ("experimental_slack", True))),
)).with_options(options(("experimental_warm_start", True)))))
case("GetOptions/within_an_element", lambda tf, v1: get_options(
    Data.from_tensors(Data.range(1).with_options(options(("deterministic", False))))))

def warm(starts):
    """With this option a prefetch under a global shuffle does not see the order."""
    shuffled, _ = op("GlobalShuffleDataset", Data.range(6).map(lambda x: x + 1).prefetch(1), seed=fed(3, "int64"), seed2=fed(4, "int64"),
                     seed_generator=raw.DummySeedGenerator(), reshuffle_each_iteration=True)
    attrs = of(Data.range(6))
    serialized = options(("experimental_warm_start", starts))._to_proto().SerializeToString()
    return raw.OptionsDataset(input_dataset=shuffled, serialized_options=serialized, **attrs), attrs


for starts in [False, True]:
    reads(f"GlobalShuffleDataset/warm_start={starts}", lambda starts=starts: warm(starts), 6)


def auto(dataset, workers, index, policy=0):
    return op("AutoShardDataset", dataset, num_workers=fed(workers, "int64"), index=fed(index, "int64"), auto_shard_policy=policy)


reads("AutoShardDataset/auto", lambda: auto(Data.range(10).batch(2).prefetch(1), 2, 1), 2)
reads("AutoShardDataset/auto/batches", lambda: auto(Data.range(10).map(lambda x: x + 1), 3, 2), 3)
reads("AutoShardDataset/auto/one", lambda: auto(Data.range(3), 1, 0), 3)
for policy in [0, 2]:
    reads(f"AutoShardDataset/too_few/{policy}", lambda policy=policy: auto(Data.range(2), 4, 1, policy), 0, "INVALID_ARGUMENT")
    reads(f"AutoShardDataset/none/{policy}", lambda policy=policy: auto(Data.range(2), 4, 3, policy), 0)

# Datasets that several others are made of. The optimizer makes one of each use, with random numbers of its own.


def used_twice(between=lambda d: d, join=lambda a, b: Data.zip((a, b)), source=lambda: Data.range(6).shuffle(6, seed=3), **changed):
    def build():
        shuffled = between(source())
        joined = join(shuffled, shuffled)
        return joined.with_options(options(*changed.items())) if changed else joined

    return build


def noisy(x):
    return x + tf.random.uniform([], 0, 1000, tf.int64, seed=4)


NOT_REWRITTEN = {"experimental_optimization.apply_default_optimizations": False}
for name, changed in {
    "": {}, "/not_rewritten": NOT_REWRITTEN, "/deterministic": {**NOT_REWRITTEN, "deterministic": True},
    "/not_deterministic": {**NOT_REWRITTEN, "deterministic": False}, "/slack": {**NOT_REWRITTEN, "experimental_slack": True},
    "/one_pass": {**NOT_REWRITTEN, "experimental_optimization.noop_elimination": True},
    "/not_this_pass": {**NOT_REWRITTEN, "experimental_optimization.noop_elimination": False},
}.items():
    reads(f"ShuffleDataset/used_twice{name}", used_twice(**changed), 6, turns=2)
for name, between in {
    "repeated": lambda d: d.repeat(2), "cached": lambda d: d.cache().repeat(2), "shuffled": lambda d: d.shuffle(3, seed=5),
    "mapped": lambda d: d.map(lambda x: x * 2), "nested": lambda d: Data.zip((d, d)), "batched": lambda d: d.batch(2).prefetch(1),
    "grouped": lambda d: d.group_by_window(lambda x: x % 2, lambda _, w: w.batch(2), 2), "noisy": lambda d: d.map(noisy),
    "options": lambda d: d.with_options(options(("experimental_slack", False))),
}.items():
    reads(f"ShuffleDataset/used_twice/{name}", used_twice(between), 3, None)
reads("ShuffleDataset/used_twice/captured", lambda: used_twice(lambda d: d.map(lambda x, y=fed(3, "int64"): x * y))(), 6)
reads("ShuffleDataset/used_twice/concatenated", used_twice(join=lambda a, b: a.concatenate(b.take(3))), 9, turns=2)
reads("ShuffleDataset/used_twice/chosen", used_twice(join=lambda a, b: Data.choose_from_datasets([a, b], Data.from_tensor_slices(np.array([0, 1, 1, 0])))), 4)
for rewritten in [True, False]:
    changed = {} if rewritten else NOT_REWRITTEN
    reads(f"MapDataset/stateful/used_twice/{rewritten}", used_twice(lambda d: d.map(noisy), source=lambda: Data.range(6), **changed), 6, turns=2)
reads("MapDataset/stateful/one_function", lambda: Data.zip(tuple(Data.range(3).map(noisy) for _ in range(2))), 3, turns=2)
reads("MapDataset/stateful/inside", lambda: Data.range(2).flat_map(lambda _: Data.range(2).map(noisy)), 4, turns=2)


def with_generator(op):
    """Two uses of a dataset whose generator of seeds is a resource."""
    def build():
        seeds = {"seed": fed(3, "int64"), "seed2": fed(5, "int64")}
        generator = raw.AnonymousSeedGenerator(reshuffle=True, **seeds)[0]
        attrs = {"output_types": [tf.int64], "output_shapes": [[]]}
        more = seeds if op == raw.ShuffleDatasetV3 else {}
        shuffled = op(input_dataset=handle(Data.range(6)), buffer_size=fed(6, "int64"), seed_generator=generator, **more, **attrs)
        both = {"output_types": [tf.int64] * 2, "output_shapes": [[]] * 2}
        return raw.ZipDataset(input_datasets=[shuffled] * 2, **both), both

    return build


reads("ShuffleDatasetV2/used_twice", with_generator(raw.ShuffleDatasetV2), 6)
reads("ShuffleDatasetV3/used_twice", with_generator(raw.ShuffleDatasetV3), 6)


def reduced(tf, v1):
    v1.set_random_seed(7)
    shuffled, numbers = Data.range(6).shuffle(6, seed=3), Data.range(3).map(noisy)
    pairs = Data.zip((shuffled, shuffled)).reduce(tf.constant(0, tf.int64), lambda total, x: total * 7 + x[0] * 2 - x[1])
    sums = numbers.reduce(tf.constant(0, tf.int64), lambda total, x: total * 1000 + x)
    return [step([pairs, sums]), step([pairs, sums])]


case("ReduceDataset/used_twice", reduced)


def one_shot_of_two(tf, v1):
    v1.set_random_seed(7)
    mapped = Data.range(4).map(noisy)
    following = list(v1.data.make_one_shot_iterator(Data.zip((mapped, mapped))).get_next())
    return [step(following), step(following)]


case("OneShotIterator/used_twice", one_shot_of_two)

def split(rewritten):
    """Two iterators, made in one step, over the parts of a shuffled dataset."""

    def steps(tf, v1):
        v1.set_random_seed(7)
        shuffled, attrs, makes, following = Data.range(8).shuffle(8, seed=3), spec(SCALAR), [], []
        for part in (shuffled.take(5), shuffled.skip(5)):
            it = iterator(attrs)
            part = part if rewritten else part.with_options(options(*NOT_REWRITTEN.items()))
            makes.append(raw.MakeIterator(dataset=handle(part), iterator=it))
            following += raw.IteratorGetNext(iterator=it, **attrs)
        first = [step([], targets=makes)] if rewritten else [step([], targets=[make]) for make in makes]
        return [*first, *[step(following) for _ in range(3)], *first, step(following)]

    return steps


for rewritten in [True, False]:
    case(f"MakeIterator/two_of_one/{rewritten}", split(rewritten))

write(__file__)
