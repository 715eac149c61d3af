"""Writes the input of `tests/saver.rs`: a graph with variables of every dtype, saved by TensorFlow's own `Saver`.

    pip install tensorflow-cpu
    python tests/saver/record.py

`python tests/saver/record.py --read PREFIX` restores a checkpoint that Levada wrote of that graph into TensorFlow's variables and
compares them with `values.json`.
"""

import gzip
import json
import os
import shutil
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()
DATA = Path(__file__).parent / "data"

DTYPES = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "bool", "complex64", "complex128", "string"]
# TensorFlow has no kernels that set variables of 16-bit quantized types.
QUANTIZED = ["qint8", "quint8", "qint32"]


def value(name, shape, rng):
    dtype = tf.as_dtype(name)
    if name == "string":
        return np.array([b"", b"\x00\xff", b"x" * 200, b"levada", b"a", b"b"], object).reshape(shape)
    if name == "bool":
        return rng.rand(*shape) < 0.5
    if dtype.is_complex:
        return (rng.randn(*shape) + 1j * rng.randn(*shape)).astype(dtype.as_numpy_dtype)
    if dtype.is_floating:
        return rng.randn(*shape).astype(dtype.as_numpy_dtype)
    return rng.randint(0, 100, shape).astype(dtype.as_numpy_dtype)


def graph():
    """Variables of both kinds, a partitioned one, averages under other names, one that is not saved."""
    rng = np.random.RandomState(3)
    variables = {}
    for name in DTYPES:
        for kind, resource in [("handle", True), ("ref", False)]:
            # References of some dtypes have no kernels on a CPU.
            initial = value(name, (2, 3), rng)
            full = f"{kind}/{name}"
            variables[full] = v1.get_variable(full, initializer=initial, dtype=tf.as_dtype(name), use_resource=resource)
    for name in QUANTIZED:
        plain = np.arange(6).astype(tf.as_dtype(name[1:]).as_numpy_dtype)
        initial = tf.bitcast(tf.constant(plain), tf.as_dtype(name))
        variables[name] = v1.Variable(initial, name=name, use_resource=True)
    for resource in (True, False):
        with v1.variable_scope("parts_handle" if resource else "parts_ref", partitioner=v1.fixed_size_partitioner(3),
                               use_resource=resource):
            initial = v1.random_uniform_initializer(-1, 1, seed=5)
            table = v1.get_variable("table", [7, 4], initializer=initial)
            for i, part in enumerate(table):
                variables[f"{table.name}/part_{i}"] = part
    local = v1.get_variable("local", initializer=1.0, collections=[v1.GraphKeys.LOCAL_VARIABLES], use_resource=True)
    return variables, local


def told(session, tensor):
    dtype = tensor.dtype.base_dtype
    if dtype.is_quantized:
        tensor = tf.bitcast(tensor, tf.as_dtype(dtype.name[1:]))
    found = session.run(tensor)
    if dtype == tf.string:
        return {"dtype": "string", "shape": list(found.shape), "data": [v.hex() for v in found.reshape(-1)]}
    return {"dtype": dtype.name, "shape": list(found.shape), "data": np.ascontiguousarray(found).tobytes().hex()}


def values(session, variables):
    return {v.op.name: told(session, v.read_value() if hasattr(v, "read_value") else v) for v in variables.values()}


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    with tf.Graph().as_default(), v1.Session() as session:
        variables, _ = graph()
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
        expected = values(session, variables)
        saver = v1.train.Saver(max_to_keep=2)
        for step in (1, 2, 3):
            saver.save(session, str(DATA / "model"), global_step=step, write_meta_graph=step == 3)
        (DATA / "model-3.meta").rename(DATA / "graph.meta")
        for file in DATA.glob("model-2.*"):
            file.unlink()
        # The name of the directory on another machine does not matter.
        state = (DATA / "checkpoint").read_text().replace(str(DATA) + "/", "")
        (DATA / "checkpoint").write_text(state)
    # The same graph without save nodes: names and slices then come from its collections.
    with tf.Graph().as_default(), v1.Session() as session:
        variables, _ = graph()
        v1.train.export_meta_graph(str(DATA / "plain.meta"))
    with tf.Graph().as_default(), v1.Session() as session:
        # The same tables in other slices.
        for name, resource, parts, axis in [("parts_handle", True, 2, 0), ("parts_ref", False, 4, 1)]:
            with v1.variable_scope(name, partitioner=v1.fixed_size_partitioner(parts, axis), use_resource=resource):
                v1.get_variable("table", [7, 4])
        saver = v1.train.Saver()
        saver.restore(session, str(DATA / "model-3"))
        v1.train.export_meta_graph(str(DATA / "repartitioned.meta"), saver_def=saver.as_saver_def())
        parts = {v.op.name: told(session, v.read_value() if hasattr(v, "read_value") else v) for v in v1.global_variables()}
        (DATA / "repartitioned.json").write_text(json.dumps(parts, indent=1) + "\n")
    with tf.Graph().as_default(), v1.Session() as session:
        # A saver with its own names.
        a = v1.get_variable("a", initializer=[1.0, 2.0], use_resource=True)
        b = v1.get_variable("b", initializer=[3.0], use_resource=False)
        v1.get_variable("unsaved", initializer=[4.0], use_resource=True)
        session.run(v1.global_variables_initializer())
        v1.train.Saver({"a/average": a, "other/b": b}).save(session, str(DATA / "renamed"), write_state=False)
    for file in DATA.glob("*.meta"):
        # Without the time, so that the same graph is the same file.
        (DATA / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()
    (DATA / "values.json").write_text(json.dumps(expected, indent=1) + "\n")


def read(prefix):
    expected = json.loads((DATA / "values.json").read_text())
    with tf.Graph().as_default(), v1.Session() as session:
        variables, _ = graph()
        v1.train.Saver().restore(session, prefix)
        found = values(session, variables)
    wrong = [name for name in expected if found[name] != expected[name]]
    print(f"{len(expected)} variables, {len(wrong)} wrong: {wrong}")
    return len(wrong)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--read":
        sys.exit(bool(read(sys.argv[2])))
    main()
