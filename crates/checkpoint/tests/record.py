"""Writes the checkpoints in `data/` with TensorFlow, and `data/values.json` with their contents.

    pip install tensorflow-cpu
    python crates/checkpoint/tests/record.py

`python crates/checkpoint/tests/record.py --read PREFIX VALUES.json` reads a checkpoint with TensorFlow and compares what is
in it with such a file of values, so that checkpoints that Levada wrote can be checked.
"""

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

PLAIN = ["float32", "float64", "int32", "uint8", "int16", "int8", "complex64", "int64", "bool", "qint8", "quint8",
         "qint32", "bfloat16", "qint16", "quint16", "uint16", "complex128", "float16", "uint32", "uint64"]


def plain():
    """Tensors of every dtype whose elements are bytes."""
    rng = np.random.RandomState(7)
    tensors = {}
    for i, name in enumerate(PLAIN):
        dtype = tf.as_dtype(name)
        shape = [[2, 3], [5], [1, 2, 2]][i % 3]
        if name == "bool":
            value = rng.rand(*shape) < 0.5
        elif dtype.is_complex:
            value = rng.randn(*shape) + 1j * rng.randn(*shape)
        elif dtype.is_floating:
            value = rng.randn(*shape)
        else:
            value = rng.randint(0, 100, shape)
        if dtype.is_quantized:
            plain = tf.as_dtype(name[1:] if name[1] == "u" else name[1:])
            tensors[f"plain/{name}"] = tf.bitcast(tf.constant(value.astype(plain.as_numpy_dtype)), dtype)
        else:
            tensors[f"plain/{name}"] = tf.constant(value.astype(dtype.as_numpy_dtype))
    tensors["odd/scalar"] = tf.constant(2.5)
    tensors["odd/empty"] = tf.constant(np.zeros([0, 3], np.float64))
    tensors["odd/nan"] = tf.constant([np.nan, np.inf, -np.inf, -0.0], tf.float32)
    return tensors


def strings():
    """Strings: short, long and empty, and a tensor without elements."""
    return {
        "scalar": tf.constant(b"levada"),
        "vector": tf.constant([b"", b"\x00\xff", b"x" * 300]),
        "matrix": tf.constant([[b"a", b"b"], [b"c", b"d"]]),
        "none": tf.constant([], tf.string),
        "nearly_scalar": tf.constant([b"one"]),
    }


def many():
    """More keys than fit into a block of the index."""
    return {f"layer_{i:05}/weights/with_a_long_name_{'x' * (i % 37)}": tf.constant([i], tf.int32) for i in range(6000)}


def save(session, prefix, tensors, slices=None):
    names = sorted(tensors)
    session.run(tf.raw_ops.SaveV2(prefix=str(prefix), tensor_names=names,
                                  shape_and_slices=[(slices or {}).get(n, "") for n in names],
                                  tensors=[tensors[n] for n in names]))


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    values = {}
    with tf.Graph().as_default(), v1.Session() as session:
        for make in [plain, strings]:
            tensors = make()
            save(session, DATA / make.__name__, tensors)
            values[make.__name__] = {n: told(session.run(raw(t)), t.dtype) for n, t in tensors.items()}
        # Too large to keep: only the length and a hash of the index.
        save(session, DATA / "many", many())
        (DATA / "many.data-00000-of-00001").unlink()
        index = (DATA / "many.index").read_bytes()
        (DATA / "many.index").unlink()
        values["many"] = {"length": len(index), "fnv1a": str(fnv1a(index))}

        # Parts of one variable in three files, next to a whole one, as a Saver with sharded=True writes them.
        whole = np.arange(42, dtype=np.float32).reshape(7, 6)
        parts = [("7 6 0,3:-", whole[:3]), ("7 6 3,4:0,2", whole[3:, :2]), ("7 6 3,4:2,4", whole[3:, 2:])]
        prefixes = []
        for i, (spec, part) in enumerate(parts):
            prefixes.append(str(DATA / f"temporary/part-{i}-of-3"))
            save(session, prefixes[-1], {"sliced": tf.constant(part), f"whole_{i}": tf.constant([i])}, {"sliced": spec})
        session.run(tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=prefixes, destination_prefix=str(DATA / "sharded")))
        values["sharded"] = {"sliced": told(whole, tf.float32)}
        values["sharded"].update({f"whole_{i}": told(np.array([i], np.int32), tf.int32) for i in range(3)})

        # A list of tensors.
        elements = tf.raw_ops.TensorListFromTensor(tensor=tf.constant([[1.0, 2.0], [3.0, 4.0]]), element_shape=[2])
        save(session, DATA / "variants", {"list": elements, "after": tf.constant(7)})
        values["variants"] = {"after": told(np.int32(7), tf.int32)}

        # The first format.
        old = {"a/float": tf.constant([[1.5, -2.0]]), "a/int64": tf.constant([2**40, -1], tf.int64),
               "b/string": tf.constant([b"x", b"yz"]), "b/bool": tf.constant([True, False, True]),
               "b/scalar": tf.constant(3), "c/half": tf.constant([1.5, 2.5], tf.float16)}
        names = sorted(n for n in old)
        session.run(tf.raw_ops.Save(filename=str(DATA / "old.ckpt"), tensor_names=names, data=[old[n] for n in names]))
        values["old.ckpt"] = {n: told(session.run(old[n]), old[n].dtype) for n in names}
        session.run(tf.raw_ops.SaveSlices(
            filename=str(DATA / "old_slices.ckpt"), tensor_names=["sliced", "sliced"],
            shapes_and_slices=["7 6 0,3:-", "7 6 3,4:-"], data=[tf.constant(whole[:3]), tf.constant(whole[3:])]))
        values["old_slices.ckpt"] = {"sliced": told(whole, tf.float32)}
    (DATA / "values.json").write_text(json.dumps(values, indent=1) + "\n")


def fnv1a(data):
    found = 0xCBF29CE484222325
    for byte in data:
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found


def raw(tensor):
    """Makes the tensor fetchable: TensorFlow returns quantized ones as tuples."""
    if tensor.dtype.is_quantized:
        name = tensor.dtype.name[1:]
        return tf.bitcast(tensor, tf.as_dtype(name))
    return tensor


def told(value, dtype):
    value = np.asarray(value, object if dtype == tf.string else None)
    if dtype == tf.string:
        data = [v.hex() for v in value.reshape(-1)]
    else:
        data = np.ascontiguousarray(value).tobytes().hex()
    return {"dtype": dtype.name, "shape": list(value.shape), "data": data}


def read(prefix, values):
    with tf.Graph().as_default(), v1.Session() as session:
        wanted = json.loads(Path(values).read_text())
        wrong = 0
        for name, want in wanted.items():
            dtype = tf.as_dtype(want["dtype"])
            op = tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=[name], shape_and_slices=[""], dtypes=[dtype])[0]
            found = told(session.run(raw(op)), dtype)
            if found != want:
                wrong += 1
                print(f"{name}: {found} is not {want}")
        print(f"{len(wanted)} tensors, {wrong} wrong")
        return wrong


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--read":
        sys.exit(bool(read(sys.argv[2], sys.argv[3])))
    main()
