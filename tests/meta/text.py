"""Writes the MetaGraphs of this directory in protobuf's text format, `dtypes`, a GraphDef with constants of every dtype and attrs
of every kind, in both formats, and SavedModels of `tests/saved_model` in text.

    pip install tensorflow-cpu
    python tests/meta/text.py
"""

import gzip
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.protobuf import saved_model_pb2

v1 = tf.compat.v1
v1.disable_eager_execution()
HERE = Path(__file__).parent
NAMES = ["data_set", "saver_v2", "strategy", "tables", "while_v1", "while_v2"]


def packed(name, data):
    (HERE / name).write_bytes(gzip.compress(data, mtime=0))


def dtypes():
    random = np.random.RandomState(5)
    numbers = np.concatenate([random.randn(5) * 1e3, [0.1, -0.0, np.inf, -np.inf, np.nan, 1e-40, 3e38]])
    integers = np.array([0, 1, 7, 100, 127])
    with tf.Graph().as_default() as graph:
        for dtype in [tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.complex64, tf.complex128]:
            with np.errstate(over="ignore"):
                values = numbers.astype(dtype.as_numpy_dtype)
            tf.constant(values, dtype, name=f"{dtype.name}_content")
            tf.constant(values[0], dtype, name=f"{dtype.name}_value")
        for dtype in [tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64]:
            limits = np.iinfo(dtype.as_numpy_dtype)
            for name, value in [("lowest", limits.min), ("greatest", limits.max)]:
                tf.constant(value, dtype, name=f"{dtype.name}_{name}")
            tf.constant(integers.astype(dtype.as_numpy_dtype), dtype, name=f"{dtype.name}_content")
        tf.constant([True, False], name="bool")
        every = bytes(range(256))
        strings = [b"", every, "\u00fc \U0001f600".encode(), b"'\"\\?\n"]
        tf.constant(strings, name="strings")
        # A value for each element, not in `tensor_content`.
        text = v1.NodeDef(name="listed", op="Const")
        text.attr["dtype"].type = tf.string.as_datatype_enum
        text.attr["value"].tensor.dtype = tf.string.as_datatype_enum
        text.attr["value"].tensor.tensor_shape.dim.add(size=len(strings))
        text.attr["value"].tensor.string_val.extend(strings)
        floats = v1.NodeDef(name="floats", op="Const")
        floats.attr["dtype"].type = tf.float32.as_datatype_enum
        floats.attr["value"].tensor.dtype = tf.float32.as_datatype_enum
        floats.attr["value"].tensor.tensor_shape.dim.add(size=len(numbers))
        with np.errstate(over="ignore"):
            floats.attr["value"].tensor.float_val.extend(numbers.astype(np.float32))
        x = v1.placeholder(tf.float32, [None, 4, 4, 1], name="x")
        v1.placeholder(tf.float32, None, name="unknown")
        v1.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", name="pool")
        tf.queue.FIFOQueue(3, [tf.float32, tf.string], [[], [2]], name="queue")
        variable = v1.Variable([1.0], use_resource=False, name="variable")
        v1.assign_add(variable, [2.0], name="add")
        definition = graph.as_graph_def()
    definition.node.extend([text, floats])
    packed("dtypes.pb.gz", definition.SerializeToString())
    packed("dtypes.pbtxt.gz", text_format.MessageToString(definition).encode())


for name in NAMES:
    message = v1.MetaGraphDef.FromString(gzip.decompress((HERE / f"{name}.meta.gz").read_bytes()))
    packed(f"{name}.pbtxt.gz", text_format.MessageToString(message).encode())
dtypes()
for name in ["tf1_partitioned", "tf1_tables"]:
    model = HERE.parent / "saved_model" / name
    message = saved_model_pb2.SavedModel.FromString(gzip.decompress((model / "saved_model.pb.gz").read_bytes()))
    packed(f"{name}.pbtxt.gz", text_format.MessageToString(message).encode())
