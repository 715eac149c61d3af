"""Reads with TensorFlow what Levada wrote and vice versa: snapshots and saved datasets, uncompressed, in gzip and in
snappy.

    python tests/files/both_ways.py LEVADA

with the command `levada`. Prints a line for each of them, and fails if other elements are read than were written.
"""

import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from google.protobuf import json_format

v1 = tf.compat.v1
v1.disable_eager_execution()
raw = tf.raw_ops
Data = tf.data.Dataset

SIZE, WIDTH = 20, 300
ATTRS = {"output_types": [tf.int64, tf.string, tf.float32], "output_shapes": [[], [], [WIDTH]]}
SPEC = (tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.string), tf.TensorSpec([WIDTH], tf.float32))
EXPECTED = [[i, str(i), [float(i)] * WIDTH] for i in range(SIZE)]


def source():
    return Data.range(SIZE).map(lambda x: (x, tf.strings.as_string(x), tf.fill([WIDTH], tf.cast(x, tf.float32))))._variant_tensor


def shard_func():
    return tf.function(lambda *_: tf.constant(0, tf.int64), input_signature=list(SPEC)).get_concrete_function()


def reader_func():
    read = tf.function(lambda shards: shards.interleave(lambda shard: shard)._variant_tensor,
                       input_signature=[tf.data.DatasetSpec(tf.data.DatasetSpec(SPEC))])
    return read.get_concrete_function()


def snapshot(path, compression):
    # The same hash for both, so that each finds the other's files.
    return raw.SnapshotDatasetV2(
        input_dataset=source(), path=path, reader_func_other_args=[], shard_func_other_args=[], compression=compression, hash=7,
        hash_valid=True, reader_prefix="", writer_prefix="", reader_func=reader_func(), shard_func=shard_func(), **ATTRS)


def save(path, compression):
    return raw.SaveDatasetV2(input_dataset=source(), path=path, shard_func_other_args=[], compression=compression,
                             shard_func=shard_func(), use_shard_func=True, **ATTRS)


def load(path, compression):
    return raw.LoadDataset(path=path, reader_func_other_args=[], compression=compression, reader_func=reader_func(), **ATTRS)


def graph(build, *args):
    made = tf.Graph()
    with made.as_default():
        iterator = raw.IteratorV2(shared_name="", container="", name="iterator", **ATTRS)
        tf.group(raw.MakeIterator(dataset=build(*args), iterator=iterator), name="init")
        raw.IteratorGetNext(iterator=iterator, name="next", **ATTRS)
    return made


def tensorflow(made):
    elements = []
    with v1.Session(graph=made) as session:
        session.run("init")
        while True:
            try:
                n, name, values = session.run(["next:0", "next:1", "next:2"])
            except tf.errors.OutOfRangeError:
                return elements
            elements.append([int(n), name.decode(), values.tolist()])


def levada(made):
    with open("graph.json", "w") as f:
        f.write(json_format.MessageToJson(made.as_graph_def()))
    command = [sys.argv[1], "data", "graph.json", "--iterator", "iterator", "--take", str(SIZE + 1), "--allow-files", "."]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [[json.loads(line)["components"][f"next:{i}"] for i in range(3)] for line in lines]


def main():
    sys.argv[1] = os.path.abspath(sys.argv[1])
    os.chdir(tempfile.mkdtemp())
    failed = False
    for compression in ["", "GZIP", "SNAPPY"]:
        for write, read in [(snapshot, snapshot), (save, load)]:
            for writer, reader in [(tensorflow, levada), (levada, tensorflow)]:
                path = f"{writer.__name__}/{write.__name__}/{compression}"
                found = [run(graph(build, path, compression)) == EXPECTED for run, build in [(writer, write), (reader, read)]]
                failed |= not all(found)
                print(path, "read by", reader.__name__, "ok" if all(found) else f"FAILED: {found}")
    sys.exit(failed)


main()
