"""Writes the input of `tests/remap.rs`: vocabularies, matrices in checkpoints, and the results of TensorFlow's ops.

    pip install tensorflow-cpu
    python tests/remap/record.py
"""

import json
import os
import shutil
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()
HERE = Path(__file__).parent
DATA = HERE / "data"

VOCABULARIES = {
    "old": b"a\nb\nc\nd\n",
    "new": b"c\nx\na\ny\nd\nz\n",
    "windows": b"c\r\na\r\nq\r\n",
    "open": b"b\nc",
    "spaces": b"a \n b\nb c\tx\nc\n",
    "blank": b"a\n\nb\n",
    "twice": b"a\nb\na\n",
    "none": b"",
}


def files():
    for name, text in VOCABULARIES.items():
        (DATA / f"{name}.txt").write_bytes(text)
    with tf.Graph().as_default(), v1.Session() as session:
        matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
        tensors = {"matrix": matrix, "vector": np.arange(3, dtype=np.float32), "ints": matrix.astype(np.int32), "cube": matrix.reshape(2, 2, 3)}
        names = sorted(tensors)
        session.run(tf.raw_ops.SaveV2(prefix=str(DATA / "whole"), tensor_names=names, shape_and_slices=[""] * 4, tensors=[tf.constant(tensors[n]) for n in names]))
        parts = [("4 3 0,1:-", matrix[:1]), ("4 3 1,3:0,2", matrix[1:, :2]), ("4 3 1,3:2,1", matrix[1:, 2:])]
        session.run(tf.raw_ops.SaveV2(prefix=str(DATA / "parts"), tensor_names=["matrix"] * 3, shape_and_slices=[s for s, _ in parts],
                                      tensors=[tf.constant(m) for _, m in parts]))
        session.run(tf.raw_ops.Save(filename=str(DATA / "old.ckpt"), tensor_names=["matrix"], data=[tf.constant(matrix)]))


def run(op, inputs, attrs):
    """The result of an op, or the code of its error."""
    with tf.Graph().as_default(), v1.Session() as session:
        try:
            outputs = getattr(tf.raw_ops, op)(**inputs, **attrs)
            outputs = list(outputs) if isinstance(outputs, tuple) else [outputs]
            return {"outputs": [told(o) for o in session.run(outputs)]}
        except tf.errors.OpError as error:
            return {"error": error.error_code}


def told(value):
    return {"dtype": tf.as_dtype(value.dtype).name, "shape": list(value.shape), "data": value.reshape(-1).tolist()}


def vocab(new, old, offset, count, size=-1):
    inputs = {"new_vocab_file": new, "old_vocab_file": old}
    attrs = {"new_vocab_offset": offset, "num_new_vocab": count, "old_vocab_size": size}
    given = {name: str(DATA / f"{file}.txt") if file else "" for name, file in inputs.items()}
    return {"op": "GenerateVocabRemapping", "inputs": inputs, "attrs": attrs, **run("GenerateVocabRemapping", given, attrs)}


def remap(path, name, rows, columns, initial, shape, most=-1):
    inputs = {"row_remapping": rows, "col_remapping": columns, "initializing_values": initial}
    attrs = {"num_rows": shape[0], "num_cols": shape[1], "max_rows_in_memory": most}
    given = {"ckpt_path": str(DATA / path), "old_tensor_name": name, "row_remapping": np.array(rows, np.int64),
             "col_remapping": np.array(columns, np.int64), "initializing_values": np.array(initial, np.float32)}
    return {"op": "LoadAndRemapMatrix", "inputs": {"ckpt_path": path, "old_tensor_name": name, **inputs}, "attrs": attrs,
            **run("LoadAndRemapMatrix", given, attrs)}


def cases():
    yield vocab("new", "old", 0, 6)
    yield vocab("new", "old", 2, 3)
    yield vocab("new", "old", 6, 0)
    yield vocab("new", "old", 0, 0)
    for size in (0, 1, 2, 4, 5):
        yield vocab("new", "old", 0, 6, size)
    yield vocab("new", "old", 1, 6)
    yield vocab("new", "old", 7, 0)
    for new, old in [("windows", "old"), ("old", "windows"), ("open", "old"), ("old", "open"), ("spaces", "old"), ("old", "spaces"),
                     ("blank", "blank"), ("twice", "old"), ("old", "twice"), ("none", "old"), ("old", "none"), ("new", "missing"),
                     ("missing", "old"), ("", "old"), ("new", "")]:
        count = len(VOCABULARIES.get(new, b"").replace(b"\r", b"").rstrip(b"\n").split(b"\n")) if VOCABULARIES.get(new) else 0
        yield vocab(new, old, 0, count)
    for path in ("whole", "parts", "old.ckpt"):
        for most in (-1, 1, 2, 3, 100):
            yield remap(path, "matrix", [3, -1, 0], [2, 0], [9.0, 8.0], [3, 2], most)
    yield remap("whole", "matrix", [0, 1, 2, 3], [], [], [4, 3])
    yield remap("whole", "matrix", [3, 2], [], [], [2, 3])
    yield remap("whole", "matrix", [-1, 2], [], [1.0, 2.0, 3.0], [2, 3])
    yield remap("whole", "matrix", [-1, -1], [0, -1, 2, 1], [float(i) for i in range(8)], [2, 4])
    yield remap("whole", "matrix", [1, -1, 2], [-1, 1, -1], [float(i) for i in range(7)], [3, 3])
    yield remap("whole", "matrix", [], [0], [], [0, 1])
    yield remap("whole", "matrix", [-5, 1], [0, -7], [1.0, 2.0, 3.0], [2, 2])
    yield remap("whole", "matrix", [1, 2], [0, 1], [], [2, 2], 0)
    # Invalid uses. TensorFlow does not check whether there is a column, and reads beyond its row.
    yield remap("whole", "matrix", [0, 1], [0, 1], [], [3, 2])
    yield remap("whole", "matrix", [0, 1], [0, 1, 2], [], [2, 2])
    yield remap("whole", "matrix", [0, 1], [], [], [2, 2])
    yield remap("whole", "matrix", [0, 0], [0, 1], [], [2, 2])
    yield remap("whole", "matrix", [0, 1], [1, 1], [], [2, 2])
    yield remap("whole", "matrix", [0, 4], [0, 1], [], [2, 2])
    yield remap("whole", "matrix", [0, -1], [0, 1], [1.0], [2, 2])
    yield remap("whole", "matrix", [0, -1], [0, 1], [1.0, 2.0, 3.0], [2, 2])
    yield remap("whole", "matrix", [0, -1], [0, 1], [], [2, 2])
    yield remap("whole", "matrix", [0, 1], [0, 1], [1.0], [2, 2])
    for name in ("vector", "ints", "cube", "nothing"):
        yield remap("whole", name, [0, 1], [0, 1], [], [2, 2])
    yield remap("nothing", "matrix", [0, 1], [0, 1], [], [2, 2])
    yield remap("nothing", "matrix", [-1], [0], [1.0], [1, 1])


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    files()
    (DATA / "cases.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in cases()) + "\n]\n")


if __name__ == "__main__":
    main()
