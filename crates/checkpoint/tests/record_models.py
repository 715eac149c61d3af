"""Writes the files in `models/`: checkpoints of objects and of types that graphs lack, and safetensors files.

    pip install tensorflow-cpu tf_keras safetensors
    python crates/checkpoint/tests/record_models.py
"""

import json
import os
import shutil
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras
import ml_dtypes
import numpy as np
import safetensors.numpy
import tensorflow as tf
import tf_keras

DATA = Path(__file__).parent / "models"

OTHERS = ["float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "int4", "uint4"]
PLAIN = ["bool", "uint8", "int8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32", "complex64",
         "float64", "int64", "uint64"]


def keras2():
    """The weights of a model, and the model with its optimizer's state, as Keras 2 has TensorFlow save them."""
    tf_keras.utils.set_random_seed(1)
    model = tf_keras.Sequential([
        tf_keras.layers.Dense(3, input_shape=(2,), name="hidden"),
        tf_keras.layers.Dense(1, name="out"),
    ])
    model.compile(tf_keras.optimizers.legacy.Adam(0.01), "mse")
    model.train_on_batch(tf.ones((4, 2)), tf.ones((4, 1)))
    model.save_weights(str(DATA / "weights"))
    tf.train.Checkpoint(model=model, optimizer=model.optimizer).write(str(DATA / "trained"))
    return {w.name.removesuffix(":0"): w.numpy() for w in model.weights + model.optimizer.weights}


def keras3():
    """A model of Keras 3, and a custom object next to it."""
    keras.utils.set_random_seed(2)
    model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(3, name="hidden"), keras.layers.Dense(1, name="out")])
    own = tf.Module()
    own.scale = tf.Variable([1.5, 2.5], name="scale")
    own.layers = [tf.Variable(i, name="same") for i in (7, 8)]
    tf.train.Checkpoint(model=model, own=own).write(str(DATA / "keras3"))
    values = {w.path: w.numpy() for w in model.weights}
    values.update({"own/scale": own.scale.numpy(), "own/layers/0": np.int32(7), "own/layers/1": np.int32(8)})
    return values


def others():
    """Tensors of types that graphs lack."""
    tensors = {}
    for name in OTHERS:
        values = np.array([0, 1, 2, 3, 1, 0]).reshape(2, 3).astype(tf.as_dtype(name).as_numpy_dtype)
        tensors[name] = tf.constant(values)
    names = sorted(tensors)
    tf.raw_ops.SaveV2(prefix=str(DATA / "others"), tensor_names=names, shape_and_slices=[""] * len(names),
                      tensors=[tensors[n] for n in names])
    return {n: t.numpy().view(np.uint8) for n, t in tensors.items()}


def safe():
    """Files written by the safetensors library."""
    rng = np.random.RandomState(4)
    tensors = {}
    for i, name in enumerate(PLAIN):
        shape = [[2, 3], [5], [1, 2, 2], []][i % 4]
        tensors[f"{name}/{i}"] = np.asarray(rng.randint(0, 2 if name == "bool" else 100, shape)).astype(tf.as_dtype(name).as_numpy_dtype)
    tensors["empty"] = np.zeros([0, 3], np.float32)
    tensors['quoted "name" ü'] = np.array([1.5], np.float32)
    safetensors.numpy.save_file(tensors, DATA / "plain.safetensors", metadata={"format": "np", "made \"by\"": "a script"})
    float8 = {name: np.array([0, 1, 2, 3]).astype(getattr(ml_dtypes, name)) for name in ["float8_e4m3fn", "float8_e5m2"]}
    safetensors.numpy.save_file(float8, DATA / "float8.safetensors")
    values = dict(tensors)
    values.update({name: array.view(np.uint8) for name, array in float8.items()})
    return values


def told(value):
    value = np.asarray(value)
    return {"dtype": tf.as_dtype(value.dtype).name, "shape": list(value.shape), "data": np.ascontiguousarray(value).tobytes().hex()}


def main():
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir()
    values = {make.__name__: {n: told(v) for n, v in make().items()} for make in [keras2, keras3, others, safe]}
    (DATA / "checkpoint").unlink()
    for file in DATA.glob("*.safetensors"):
        file.chmod(0o644)
    (DATA / "values.json").write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
