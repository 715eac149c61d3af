#!/usr/bin/env python3
"""Records the graphs that TensorFlow's input pipeline builders make, for `tests/train.rs`.

    pip install tensorflow-cpu
    python tests/train/record.py

writes `pipelines.json` beside this file: a MetaGraphDef for each name. The test makes the same calls in Rust and compares
nodes, inputs, attrs and collections.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import tensorflow as tf
from google.protobuf import json_format

v1 = tf.compat.v1
v1.disable_eager_execution()
# The conditional enqueues of the `maybe_` forms are plain nodes.
v1.disable_control_flow_v2()
v1.logging.set_verbosity(v1.logging.ERROR)
train = v1.train


def placeholder(name, dtype, shape):
    return v1.placeholder(dtype, shape, name=name)


def x(name="x"):
    return placeholder(name, tf.float32, [3])


def rows():
    return placeholder("rows", tf.float32, [5, 2])


def ragged():
    return placeholder("ragged", tf.int64, [None])


def keep(shape):
    return placeholder("keep", tf.bool, shape)


def strings():
    return placeholder("strings", tf.string, [2])


def sparse(name="s", rank=2):
    return tf.SparseTensor(
        placeholder(f"{name}/indices", tf.int64, [None, rank]),
        placeholder(f"{name}/values", tf.float32, [None]),
        placeholder(f"{name}/shape", tf.int64, [rank]))


PIPELINES = {
    "batch": lambda: train.batch([x(), placeholder("y", tf.int64, [])], 4, num_threads=3),
    "batch_twice": lambda: [train.batch([x()], 4), train.batch([x("z")], 2, enqueue_many=True, capacity=7)],
    "batch_pad": lambda: train.batch(
        [ragged()], 4, dynamic_pad=True, allow_smaller_final_batch=True, shared_name="shared", name="named"),
    "batch_shapes": lambda: train.batch([placeholder("any", tf.int32, None)], 4, shapes=[[2, 2]]),
    "batch_join": lambda: train.batch_join([[x()], [x("z")]], 4),
    "maybe_batch": lambda: train.maybe_batch([x()], keep([]), 4),
    "maybe_batch_rows": lambda: train.maybe_batch([rows()], keep([5]), 4, enqueue_many=True),
    "maybe_batch_join": lambda: train.maybe_batch_join([[x()], [x("z")]], keep([]), 4),
    "shuffle_batch": lambda: train.shuffle_batch([x()], 4, 100, 10, seed=7, num_threads=2),
    "shuffle_batch_join": lambda: train.shuffle_batch_join(
        [[x()], [x("z")]], 4, 100, 10, allow_smaller_final_batch=True),
    "maybe_shuffle_batch": lambda: train.maybe_shuffle_batch([x()], 4, 100, 10, keep([])),
    "maybe_shuffle_batch_join": lambda: train.maybe_shuffle_batch_join([[x()], [x("z")]], 4, 100, 10, keep([])),
    "batch_sparse": lambda: train.batch([sparse(), x()], 4),
    "batch_sparse_rows": lambda: train.batch([rows(), sparse()], 4, enqueue_many=True, num_threads=2, name="named"),
    "batch_join_sparse": lambda: train.batch_join([[sparse()], [sparse("t")]], 4, dynamic_pad=True),
    "maybe_batch_sparse": lambda: train.maybe_batch([sparse(), x()], keep([]), 4),
    "maybe_batch_sparse_many": lambda: train.maybe_batch([sparse()], keep([]), 4, enqueue_many=True),
    "maybe_batch_sparse_rows": lambda: train.maybe_batch([sparse(), rows()], keep([5]), 4, enqueue_many=True),
    "shuffle_batch_sparse": lambda: train.shuffle_batch([sparse()], 4, 100, 10, seed=7),
    "maybe_shuffle_batch_join_sparse": lambda: train.maybe_shuffle_batch_join(
        [[sparse(), x()], [sparse("t"), x("z")]], 4, 100, 10, keep([])),
    "input_producer": lambda: train.input_producer(rows(), shuffle=False, capacity=5, summary_name="full"),
    "input_producer_named": lambda: train.input_producer(ragged(), [], num_epochs=3, seed=1, name="named"),
    "string_input_producer": lambda: train.string_input_producer(strings(), num_epochs=2, seed=3),
    "string_input_producer_any": lambda: train.string_input_producer(
        placeholder("strings", tf.string, [None]), shuffle=False),
    "range_input_producer": lambda: train.range_input_producer(placeholder("limit", tf.int32, []), num_epochs=1),
    "slice_input_producer": lambda: train.slice_input_producer([rows(), placeholder("y", tf.int64, [5])], num_epochs=1),
    "slice_input_producer_any": lambda: train.slice_input_producer([ragged()], shuffle=False),
    "limit_epochs": lambda: train.limit_epochs(x(), 2),
    "match_filenames_once": lambda: train.match_filenames_once(placeholder("pattern", tf.string, [])),
}


def main():
    recorded = {}
    for name, build in PIPELINES.items():
        with tf.Graph().as_default():
            build()
            meta = json_format.MessageToDict(train.export_meta_graph())
        meta.pop("metaInfoDef")
        meta["graphDef"].pop("versions", None)
        for node in meta["graphDef"]["node"]:
            # Only newer releases set it.
            node.get("attr", {}).pop("_has_manual_control_dependencies", None)
        recorded[name] = {"graphDef": meta["graphDef"], "collectionDef": meta["collectionDef"]}
    lines = ",\n".join(f"  {json.dumps(n)}: {json.dumps(m, sort_keys=True)}" for n, m in recorded.items())
    Path(__file__).with_name("pipelines.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
