"""Records TensorFlow's answers in cases that read and write files: positions of iterators in checkpoints, caches,
datasets in directories, CSV. File names are relative; a case finds the files of the cases before it.

    python tests/files/record.py
"""

import gzip
import os
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parent.parent / "golden"))

from record import case, fed, step, write  # noqa: E402

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

raw = tf.raw_ops
Data = tf.data.Dataset
v1 = tf.compat.v1

os.chdir(tempfile.mkdtemp())


def of(dataset):
    """The attrs of a dataset's elements."""
    types = tf.nest.flatten(v1.data.get_output_types(dataset))
    shapes = [tf.TensorShape([]) if isinstance(s, tf.data.DatasetSpec) else s
              for s in tf.nest.flatten(v1.data.get_output_shapes(dataset))]
    return {"output_types": [t if isinstance(t, tf.DType) else tf.variant for t in types], "output_shapes": shapes}


def of_components(*elements):
    return {"output_types": [tf.as_dtype(t) for _, t in elements],
            "output_shapes": [tf.TensorShape(s) for s, _ in elements]}


class Reads:
    """An iterator, and the node that reads it."""

    def __init__(self, dataset, attrs=None):
        attrs = attrs or of(dataset)
        self.iterator = raw.IteratorV2(shared_name="", container="", **attrs)
        self.make = raw.MakeIterator(dataset=getattr(dataset, "_variant_tensor", dataset), iterator=self.iterator)
        self.next = list(raw.IteratorGetNext(iterator=self.iterator, **attrs))

    def begin(self):
        return [step([], targets=[self.make])]

    def read(self, n, end=None):
        steps = [step(self.next) for _ in range(n)]
        return steps + ([step(self.next, error=end)] if end else [])

    def save(self, prefix):
        state = raw.SerializeIterator(resource_handle=self.iterator)
        saved = raw.SaveV2(prefix=prefix, tensor_names=["iterator", "weights"], shape_and_slices=["", ""],
                           tensors=[state, tf.constant([1.0, 2.0])])
        return [step([], targets=[saved])]

    def restore(self, prefix):
        state, weights = raw.RestoreV2(prefix=prefix, tensor_names=["iterator", "weights"], shape_and_slices=["", ""],
                                       dtypes=[tf.variant, tf.float32])
        return [step([weights], targets=[raw.DeserializeIterator(resource_handle=self.iterator, serialized=state)])]


def files(**contents):
    """A step that writes files."""
    return step([], targets=[raw.WriteFile(filename=name, contents=contents) for name, contents in contents.items()])


# Positions in checkpoints: saved by one session, read by the next, which continues.

def position(name, build, before, after, end="OUT_OF_RANGE"):
    prefix = f"positions/{name}"

    def save(tf, v1):
        v1.set_random_seed(7)
        reads = Reads(build())
        return [*reads.begin(), *reads.read(before), *reads.save(prefix), *reads.read(min(after, 1))]

    def restore(tf, v1):
        v1.set_random_seed(7)
        reads = Reads(build())
        return [*reads.begin(), *reads.restore(prefix), *reads.read(after, end)]

    case(f"position/{name}/save", save)
    case(f"position/{name}/restore", restore)


def optionals():
    some = lambda x: tf.experimental.Optional.from_value(x)
    return Data.range(6).map(some).shuffle(4, seed=2).map(lambda o: o.get_value())


position("range", lambda: Data.range(5), 2, 3)
position("unread", lambda: Data.range(3), 0, 3)
position("at_the_end", lambda: Data.range(3), 3, 0)
position("parallel", lambda: Data.range(12).shuffle(5, seed=3).map(lambda x: x * x, num_parallel_calls=3).batch(2).prefetch(2), 2, 4)
position("strings", lambda: Data.from_tensor_slices(["a", "bb", ""]).repeat(2).prefetch(1), 2, 4)
position("interleave", lambda: Data.range(4).interleave(lambda x: Data.range(x, x + 3), cycle_length=2, block_length=2), 5, 7)
position("flat_map", lambda: Data.from_tensors(Data.range(4)).repeat(2).flat_map(lambda ds: ds), 5, 3)
position("slices", lambda: Data.from_tensors(Data.from_tensor_slices([[1, 2], [3, 4], [5, 6]])).flat_map(lambda ds: ds), 1, 2)
position("window", lambda: Data.range(9).window(3, shift=2).shuffle(3, seed=4).flat_map(lambda w: w.batch(3)), 2, 3)
position("optional", optionals, 2, 4)
position("sparse", lambda: Data.range(4).map(lambda x: tf.SparseTensor([[x]], [x], [9])).shuffle(3, seed=5).map(tf.sparse.to_dense), 1, 3)
position("ragged", lambda: Data.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4]])).shuffle(3, seed=6).map(
    lambda r: tf.concat([r, [9]], 0)), 1, 3)
position("group", lambda: Data.range(8).group_by_window(lambda x: x % 2, lambda k, w: w.batch(3), 3), 1, 3)
position("prefetch_map", lambda: Data.range(7).prefetch(1).map(lambda x: x + 1), 3, 4)

# Files of comma-separated values.

CSV_INPUTS = dict(compression_type="", buffer_size=64, header=False, field_delim=",", use_quote_delim=True, na_value="",
                  select_cols=np.array([], np.int64))


def csv(name, contents, defaults, n, end="OUT_OF_RANGE", op="CSVDatasetV2", fails=None, **inputs):
    def build(tf, v1):
        written = files(**{f"{name}.csv": contents})
        given = [tf.constant(value, dtype) if value is not None else tf.constant([], dtype) for dtype, value in defaults]
        attrs = of_components(*[([], dtype) for dtype, _ in defaults])
        every = {**CSV_INPUTS, **inputs}
        if op == "CSVDatasetV2":
            every.setdefault("exclude_cols", np.array([], np.int64))
        dataset = getattr(raw, op)(filenames=[f"{name}.csv"], record_defaults=given, output_shapes=attrs["output_shapes"], **every)
        reads = Reads(dataset, attrs)
        if fails:
            made = reads.begin()
            made[0]["error"] = fails
            return [written, *made]
        wrong = n if isinstance(n, list) else [None] * n
        steps = [step(reads.next, error=error) for error in wrong]
        return [written, *reads.begin(), *steps, *reads.read(0, end)]

    case(f"{op}/{name}", build)


NUMBERS = [("int32", 7), ("int64", 8), ("float32", 0.5), ("float64", None), ("string", "x")]
BAD = "INVALID_ARGUMENT"
csv("types", "1,2,3.5,4e3,five\n,,,6,\n-1,-2,-3,-4,\"a,b\"\n", NUMBERS, 3)
csv("v1", "1,2\n3,4\n", [("int32", None), ("int32", None)], 2, op="CSVDataset")
csv("experimental", "1,2\n3,4\n", [("int32", None), ("int32", None)], 2, op="ExperimentalCSVDataset")
csv("required", "1,\n2,3\n", [("int32", None), ("int32", None)], [BAD, None])
csv("header", "a,b\n1,2\r\n3,4", [("int32", None), ("int32", None)], 2, header=True)
csv("no_header", "", [("int32", None)], [BAD], header=True)
csv("quotes", '"a ""q""",b\n"line\nbreak",c\n"",d\n', [("string", "e"), ("string", None)], 3)
csv("bad_quotes", 'a"b,c\n"a"b,c\nd,e\n"open,f\n', [("string", "x"), ("string", "y")], [BAD, BAD])
csv("without_quotes", 'a"b,"c"\n', [("string", "x"), ("string", "y")], 1, use_quote_delim=False)
csv("delimiter", "1|2\n3|4\n", [("int32", None), ("int32", None)], 2, field_delim="|")
csv("missing", "NA,1\n2,NA\n", [("int32", 5), ("int32", 6)], 2, na_value="NA")
csv("selected", "1,2,3\n4,5,6\n", [("int32", None), ("int32", None)], 2, select_cols=np.array([0, 2], np.int64))
csv("excluded", "1,2,3\n4,5,6\n", [("int32", None), ("int32", None)], 2, exclude_cols=np.array([1], np.int64))
csv("few", "1\n2,3\n", [("int32", None), ("int32", None)], [BAD, None])
csv("many", "1,2,3\n2,3\n", [("int32", None), ("int32", None)], [BAD, None])
csv("no_number", "a\n1\n99999999999\n1.5\n 3\n", [("int32", None)], [BAD, None, BAD, BAD, None])
csv("blank_lines", "1\n\n2\n", [("int32", 9)], 3)
csv("small_buffer", '"ab""cd",ef\ngh,ij\r\nkl,mn', [("string", None), ("string", None)], 3, buffer_size=1)
csv("gzip", gzip.compress(b"1,2\n3,4\n", mtime=0), [("int32", None), ("int32", None)], 2, compression_type="GZIP")
csv("zlib", zlib.compress(b"1,2\n3,4\n"), [("int32", None), ("int32", None)], 2, compression_type="ZLIB")
csv("bad_compression", "", [("int32", None)], 0, fails=BAD, compression_type="LZ")
csv("bad_delimiter", "", [("int32", None)], 0, fails=BAD, field_delim=",,")
csv("bad_buffer", "", [("int32", None)], 0, fails=BAD, buffer_size=0)
csv("bad_selection", "", [("int32", None)] * 2, 0, fails=BAD, select_cols=np.array([1, 0], np.int64))
csv("bad_count", "", [("int32", None)], 0, fails=BAD, select_cols=np.array([1, 2], np.int64))
csv("both_columns", "", [("int32", None)], 0, fails=BAD, select_cols=np.array([1], np.int64), exclude_cols=np.array([0], np.int64))


def csv_position(tf, v1):
    written = files(**{"position.csv": "1\n2\nx\n3\n"})
    reads = Reads(raw.CSVDatasetV2(
        filenames=["position.csv"] * 2, record_defaults=[tf.constant([], tf.int32)], exclude_cols=np.array([], np.int64),
        output_shapes=[[]], **CSV_INPUTS), of_components(([], "int32")))
    bad = step(reads.next, error=BAD)
    end = [*reads.read(1), *reads.read(2), bad, *reads.read(1, "OUT_OF_RANGE")]
    return [written, *reads.begin(), *reads.read(2), bad, *reads.save("positions/csv"), *end,
            *reads.begin(), *reads.restore("positions/csv"), *end]


case("CSVDatasetV2/position", csv_position)

# Caches in files.

def cached(name, n=4):
    return Data.range(n).map(lambda x: (x, tf.strings.as_string(x))).cache(f"caches/{name}")


def twice(tf, v1):
    reads = Reads(cached("twice"))
    turn = [*reads.begin(), *reads.read(4, "OUT_OF_RANGE")]
    # The directory must exist.
    there = files(**{"caches/there": ""})
    return [there, *turn, *turn]


def again(tf, v1):
    # The contents of the file count, not the dataset.
    reads = Reads(cached("twice", 9))
    return [*reads.begin(), *reads.read(4, "OUT_OF_RANGE")]


def concurrent(tf, v1):
    one, two = Reads(cached("concurrent")), Reads(cached("concurrent"))
    return [*one.begin(), *two.begin(), *one.read(1), step(two.next, error="ALREADY_EXISTS"), *one.read(2)]


def partial(tf, v1):
    reads = Reads(cached("partial"))
    return [*reads.begin(), *reads.read(2), *reads.begin(), *reads.read(4, "OUT_OF_RANGE")]


def cardinality(tf, v1):
    return raw.DatasetCardinality(input_dataset=cached("cardinality")._variant_tensor)


case("CacheDataset/twice", twice)
case("CacheDataset/again", again)
case("CacheDataset/concurrent", concurrent)
case("CacheDataset/partial", partial)
case("CacheDataset/cardinality", cardinality)


def cache_position(name, ends):
    def build(tf, v1):
        reads, prefix = Reads(cached(name, 5)), f"positions/{name}"
        # The file is complete when the iterator is restored, or not yet.
        first = reads.read(3, "OUT_OF_RANGE") if ends else []
        return [*reads.begin(), *reads.read(2), *reads.save(prefix), *first,
                *reads.begin(), *reads.restore(prefix), *reads.read(3, "OUT_OF_RANGE"), *reads.begin(), *reads.read(5, "OUT_OF_RANGE")]

    case(f"CacheDataset/{name}", build)


cache_position("position_read", True)
cache_position("position_written", False)

# Datasets in directories.

def shard_of(*types):
    @tf.function(input_signature=[tf.TensorSpec(s, t) for s, t in types])
    def shard(*element):
        return tf.cast(element[0] % 2, tf.int64)
    return shard.get_concrete_function()


def saves(name, build, **attrs):
    def save(tf, v1):
        dataset = build()
        elements = [(s, t) for s, t in zip(of(dataset)["output_shapes"], of(dataset)["output_types"])]
        uses = attrs.get("use_shard_func", True)
        saved = raw.SaveDataset(input_dataset=dataset._variant_tensor, path=f"saved/{name}", shard_func_other_args=[],
                                shard_func=shard_of(*elements), **{"use_shard_func": uses, **attrs})
        return [step([], targets=[saved])]

    case(f"SaveDataset/{name}", save)


def loads(name, build, n, **attrs):
    def load(tf, v1):
        spec = tf.data.DatasetSpec(build().element_spec)

        @tf.function(input_signature=[tf.data.DatasetSpec(spec)])
        def reader(shards):
            return shards.flat_map(lambda x: x)._variant_tensor

        loaded = raw.LoadDataset(path=f"saved/{name}", reader_func_other_args=[], reader_func=reader.get_concrete_function(),
                                 **of(build()), **attrs)
        reads = Reads(loaded, of(build()))
        return [*reads.begin(), *reads.read(n, "OUT_OF_RANGE"), step(raw.DatasetCardinality(input_dataset=loaded))]

    case(f"LoadDataset/{name}", load)


pairs = lambda: Data.range(5).map(lambda x: (x, tf.strings.as_string(x)))
saves("pairs", pairs)
loads("pairs", pairs, 5)
saves("one", lambda: Data.range(4), use_shard_func=False)
loads("one", lambda: Data.range(4), 4)
saves("gzip", lambda: Data.range(4), compression="GZIP")
loads("gzip", lambda: Data.range(4), 4, compression="GZIP")
saves("empty", lambda: Data.range(0))
loads("empty", lambda: Data.range(0), 0)


def passes_on(tf, v1):
    dataset = Data.range(5)
    elements = [([], tf.int64)]
    saved = raw.SaveDatasetV2(input_dataset=dataset._variant_tensor, path="saved/v2", shard_func_other_args=[],
                              shard_func=shard_of(*elements), use_shard_func=True, **of(dataset))
    reads = Reads(saved, of(dataset))
    return [*reads.begin(), *reads.read(5, "OUT_OF_RANGE"), step(raw.DatasetCardinality(input_dataset=saved))]


case("SaveDatasetV2/passes_on", passes_on)
loads("v2", lambda: Data.range(5), 5)

# Snapshots: written when a dataset is read for the first time, and read from files from then on. An order that differs
# each time shows whether it was.

@tf.function(input_signature=[tf.TensorSpec([], tf.int64)])
def all_in_one(x):
    return tf.zeros([], tf.int64)


@tf.function(input_signature=[tf.TensorSpec([], tf.int64)])
def by_twos(x):
    return x % 2


@tf.function(input_signature=[tf.data.DatasetSpec(tf.data.DatasetSpec(tf.TensorSpec([], tf.int64)))])
def one_after_the_other(shards):
    return shards.flat_map(lambda x: x)._variant_tensor


def numbers():
    return Data.range(8).shuffle(8, seed=3, reshuffle_each_iteration=True)


def snapshot(path, shard=all_in_one, compression="", **attrs):
    dataset = numbers()
    made = raw.SnapshotDatasetV2(
        input_dataset=dataset._variant_tensor, path=f"snapshots/{path}", reader_func_other_args=[], shard_func_other_args=[],
        compression=compression, reader_func=one_after_the_other.get_concrete_function(),
        shard_func=shard.get_concrete_function(), **of(dataset), **attrs)
    return Reads(made, of(dataset))


def older(path, **attrs):
    dataset = numbers()
    made = raw.SnapshotDataset(input_dataset=dataset._variant_tensor, path=f"snapshots/{path}", **of(dataset), **attrs)
    return Reads(made, of(dataset))


def read_twice(name, make, **how):
    def build(tf, v1):
        reads = make()
        turn = [*reads.begin(), *reads.read(8, "OUT_OF_RANGE")]
        return [*turn, *turn]

    case(name, build, **how)


for compression in ("", "GZIP", "SNAPPY", "AUTO"):
    read_twice(f"SnapshotDatasetV2/{compression or 'plain'}", lambda: snapshot(f"v2{compression}", compression=compression))
read_twice("SnapshotDatasetV2/shards", lambda: snapshot("shards", by_twos), deterministic=False)
read_twice("SnapshotDatasetV2/named", lambda: snapshot("named", hash_valid=True, hash=7))
for compression in ("", "GZIP", "SNAPPY"):
    read_twice(f"SnapshotDataset/{compression or 'plain'}", lambda: older(f"v1{compression}", compression=compression))
read_twice("SnapshotDataset/named", lambda: older("older", snapshot_name="name"))
read_twice("SnapshotDataset/small_files", lambda: older("small", shard_size_bytes=16))
read_twice("SnapshotDataset/passthrough", lambda: older("none", mode="passthrough"))
read_twice("SnapshotDataset/write", lambda: older("twice", mode="write"))


def half(tf, v1):
    # Another process may still be writing.
    reads = older("half")
    return [*reads.begin(), *reads.read(3), *reads.begin(), *reads.read(8, "OUT_OF_RANGE")]


def half_v2(tf, v1):
    reads = snapshot("half_v2")
    return [*reads.begin(), *reads.read(3), *reads.begin(), *reads.read(8, "OUT_OF_RANGE"), *reads.begin(), *reads.read(8)]


def last_one(tf, v1):
    # Everything is written once the last element was returned.
    reads = older("last")
    return [*reads.begin(), *reads.read(8), *reads.begin(), *reads.read(8, "OUT_OF_RANGE")]


def fails(error, **attrs):
    def build(tf, v1):
        reads = older("fails", **attrs)
        return [step([], targets=[reads.make], error=error)]
    return build


def nothing_to_read(tf, v1):
    reads = older("nothing", mode="read")
    return [*reads.begin(), step(reads.next, error="NOT_FOUND")]


def snapshot_position(make):
    def build(tf, v1):
        reads, prefix = make(), f"positions/snapshot_{make.__name__}"
        return [*reads.begin(), *reads.read(3), *reads.save(prefix), *reads.begin(), *reads.restore(prefix),
                *reads.read(5, "OUT_OF_RANGE"), *reads.begin(), *reads.read(8, "OUT_OF_RANGE")]
    return build


def written_position():
    return snapshot("position", by_twos)


case("SnapshotDataset/half", half)
case("SnapshotDatasetV2/half", half_v2)
case("SnapshotDataset/last", last_one)
case("SnapshotDataset/bad_compression", fails("INVALID_ARGUMENT", compression="ZLIB"))
case("SnapshotDataset/bad_mode", fails("INVALID_ARGUMENT", mode="often"))
case("SnapshotDataset/bad_expiry", fails("INVALID_ARGUMENT", pending_snapshot_expiry_seconds=0))
case("SnapshotDataset/nothing", nothing_to_read)
case("SnapshotDatasetV2/position", snapshot_position(written_position), deterministic=False)


def records(compression, values):
    """A file of a snapshot, as TensorFlow writes it."""
    path = os.path.join(os.getcwd(), f"written.{compression}")
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(compression_type=compression)) if compression != "SNAPPY" else \
            snappy_writer(path) as file:
        for value in values:
            file.write(tf.make_tensor_proto(value).SerializeToString())
    return Path(path).read_bytes()


def snappy_writer(path):
    from tensorflow.python.lib.io import _pywrap_record_io
    options = _pywrap_record_io.RecordWriterOptions("SNAPPY")
    return _pywrap_record_io.RecordWriter(path, options)


def chunk(compression):
    def build(tf, v1):
        values = [np.arange(5, dtype=np.int64), np.arange(20000 if compression == "SNAPPY" else 50, dtype=np.int64) // 7, np.array([-1], np.int64)]
        names = {f"chunks/{compression}/00000000.snapshot": records(compression, values)}
        attrs = of_components(([None], "int64"))
        # TensorFlow folds nodes that read a constant file before the run, and then fails.
        plain = tf.data.Options()
        plain.experimental_optimization.apply_default_optimizations = False
        plain.autotune.enabled = False
        as_it_is = lambda made: raw.OptionsDataset(input_dataset=made, serialized_options=plain._to_proto().SerializeToString(), **attrs)
        one = Reads(as_it_is(raw.SnapshotChunkDataset(chunk_file=fed(list(names)[0], "string"), compression=compression, **attrs)), attrs)
        shard = f"chunks/{compression}"
        two = Reads(as_it_is(raw.SnapshotDatasetReader(shard_dir=fed(shard, "string"), start_index=1, compression=compression, version=2, **attrs)), attrs)
        one.next, two.next = [tf.reduce_sum(one.next[0])], [tf.reduce_sum(two.next[0])]
        return [files(**names), *one.begin(), *one.read(3, "OUT_OF_RANGE"), *two.begin(), *two.read(2, "OUT_OF_RANGE")]
    return build


for compression in ("", "GZIP", "SNAPPY"):
    case(f"SnapshotChunkDataset/{compression or 'plain'}", chunk(compression))


def nested(tf, v1):
    attrs = of_components(([], "int64"))
    ranges = [Data.range(3)._variant_tensor, Data.range(5, 7)._variant_tensor]
    made = raw.SnapshotNestedDatasetReader(inputs=ranges, **attrs)
    size = raw.DatasetCardinality(input_dataset=made)
    return [step(size)]


case("SnapshotNestedDatasetReader", nested)

# Files, divided among workers.

AUTO, FILE, HINT = 0, 1, 3


def lines(names):
    return names.flat_map(lambda name: tf.data.TextLineDataset(name))


def auto_shard(name, build, n, policy=FILE, workers=2, index=1, end="OUT_OF_RANGE", fails=None, op="AutoShardDataset", **attrs):
    def steps(tf, v1):
        v1.set_random_seed(7)
        written = files(**{f"parts/{i}": f"{i}a\n{i}b\n{i}c\n" for i in range(5)})
        dataset = build(Data.from_tensor_slices([f"parts/{i}" for i in range(5)]))
        made = getattr(raw, op)(input_dataset=dataset._variant_tensor, num_workers=workers, index=index, auto_shard_policy=policy,
                                **of(dataset), **attrs)
        reads = Reads(made, of(dataset))
        if fails:
            return [written, step([], targets=[reads.make], error=fails)]
        return [written, *reads.begin(), *reads.read(n, end)]

    case(f"{op}/{name}", steps)


auto_shard("files", lambda names: lines(names), 6)
auto_shard("files/first", lambda names: lines(names), 9, index=0)
auto_shard("files/auto", lambda names: lines(names).batch(2).prefetch(1), 3, policy=AUTO)
auto_shard("files/shuffled", lambda names: lines(names.shuffle(5, seed=3)).map(tf.strings.upper), 6)
auto_shard("files/interleaved", lambda names: names.interleave(tf.data.TextLineDataset, cycle_length=2), 6)
auto_shard("files/parallel", lambda names: names.interleave(tf.data.TextLineDataset, cycle_length=2, num_parallel_calls=2), 6)
auto_shard("files/nested", lambda names: names.interleave(
    lambda name: Data.from_tensors(name).flat_map(tf.data.TextLineDataset), cycle_length=1), 6, policy=AUTO)
auto_shard("files/zip", lambda names: Data.zip((lines(names), lines(names).skip(1))), 5)
auto_shard("files/concatenate", lambda names: lines(names).concatenate(lines(names.skip(1))), 12)
auto_shard("files/through", lambda names: lines(names).filter(lambda x: tf.strings.regex_full_match(x, ".[ab]")).cache().repeat(2)
           .take(7).padded_batch(2).unbatch().shuffle(2, seed=1), 7)
auto_shard("files/cardinality", lambda names: lines(names).apply(tf.data.experimental.assert_cardinality(15)), 6)
auto_shard("files/too_few", lambda names: lines(names), 0, workers=6, index=2, end="INVALID_ARGUMENT")
auto_shard("files/none", lambda names: names, 0, fails="NOT_FOUND")
auto_shard("files/not_through", lambda names: lines(names).take_while(lambda x: True), 0, fails="NOT_FOUND")
auto_shard("files/auto/not_through", lambda names: lines(names).take_while(lambda x: True), 7, policy=AUTO)
auto_shard("files/of_datasets", lambda names: names.map(tf.data.TextLineDataset).interleave(lambda x: x, cycle_length=3), 6)
auto_shard("files/experimental", lambda names: lines(names), 6, op="ExperimentalAutoShardDataset")
auto_shard("hint", lambda names: lines(names.shard(-1, -1).map(tf.strings.lower)), 6, policy=HINT)
auto_shard("hint/none", lambda names: lines(names), 15, policy=HINT)
auto_shard("data", lambda names: lines(names).prefetch(1), 7, policy=2)
auto_shard("data/rebatched", lambda names: lines(names).batch(6).rebatch(3), 3, policy=2, num_replicas=2)
auto_shard("data/replicas", lambda names: lines(names).batch(6).rebatch(3), 0, policy=2, fails="INVALID_ARGUMENT")
auto_shard("policy", lambda names: lines(names), 0, policy=9, fails="INVALID_ARGUMENT")
auto_shard("off", lambda names: lines(names), 15, policy=-1)


def hint_alone(tf, v1):
    reads = Reads(Data.range(3).shard(-1, -1))
    return [step([], targets=[reads.make], error="FAILED_PRECONDITION")]


case("ShardDataset/hint", hint_alone)

# A dataset as a file of records.

def to_records(op, compression):
    def build(tf, v1):
        dataset = Data.from_tensor_slices(["one", "", "three" * 50])
        name = f"records.{op}.{compression}"
        written = getattr(raw, op)(input_dataset=dataset._variant_tensor, filename=name, compression_type=compression)
        reads = Reads(raw.TFRecordDataset(filenames=[name], compression_type=compression, buffer_size=0), of(dataset))
        return [step([], targets=[written]), *reads.begin(), *reads.read(3, "OUT_OF_RANGE")]
    return build


for op in ("DatasetToTFRecord", "ExperimentalDatasetToTFRecord"):
    for compression in ("", "GZIP", "ZLIB"):
        case(f"{op}/{compression or 'plain'}", to_records(op, compression))

write(str(HERE))
