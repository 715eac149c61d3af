#!/usr/bin/env python3
"""Writes Keras applications as benchmark folders, each frozen, with random weights.

    pip install tensorflow-cpu
    python benches/keras_applications.py --out DIR [--batch 1,8] [NAME ...]
    python benches/against_tensorflow.py --folder DIR --threads 1,2

Writes DIR/NAME_bBATCH with a graph.pb and the files that against_tensorflow.py reads beside it. Without names: the 25
below, which take about 3 GB for each batch size. Weights are scaled so that no activation vanishes or grows without
bound.
"""
import argparse
import json
import os
import subprocess
import sys

APPLICATIONS = (
    "ConvNeXtTiny DenseNet121 DenseNet169 DenseNet201 EfficientNetB0 EfficientNetB1 EfficientNetB2 EfficientNetB3 "
    "EfficientNetV2B0 EfficientNetV2S InceptionResNetV2 InceptionV3 MobileNet MobileNetV2 MobileNetV3Large "
    "MobileNetV3Small NASNetMobile ResNet101 ResNet101V2 ResNet152 ResNet50 ResNet50V2 VGG16 VGG19 Xception"
).split()


def write(name, batches, out):
    """Writes one application for each batch size."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import numpy as np
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    tf.keras.utils.set_random_seed(1)
    model = getattr(tf.keras.applications, name)(weights=None, classifier_activation=None)
    draw = np.random.default_rng(2).uniform
    for layer in model.layers:
        if isinstance(layer, tf.keras.layers.BatchNormalization):
            low_high = {"gamma": (0.7, 1.1), "beta": (-0.1, 0.1), "moving_mean": (-0.1, 0.1), "moving_variance": (0.6, 1.4)}
            layer.set_weights([draw(*low_high[weight.name], weight.shape) for weight in layer.weights])
    function = tf.function(lambda x: model(x, training=False))
    for batch in batches:
        shape = [batch, *(size or 224 for size in model.input_shape[1:])]
        frozen = convert_variables_to_constants_v2(function.get_concrete_function(tf.TensorSpec(shape, tf.float32, name="x")))
        folder = os.path.join(out, f"{name}_b{batch}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "graph.pb"), "wb") as file:
            file.write(frozen.graph.as_graph_def().SerializeToString())
        np.save(os.path.join(folder, "x.npy"), draw(-1, 1, shape).astype(np.float32))
        meta = {"feeds": {frozen.inputs[0].name: "x.npy"}, "fetches": [frozen.outputs[0].name], "rtol": 1e-2, "atol": 1e-4}
        with open(os.path.join(folder, "meta.json"), "w") as file:
            json.dump(meta, file, indent=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--batch", default="1,8")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    batches = [int(batch) for batch in args.batch.split(",")]
    if len(args.names) == 1:
        return write(args.names[0], batches, args.out)
    # One process each: TensorFlow does not release the memory of a model.
    for name in args.names or APPLICATIONS:
        subprocess.run([sys.executable, __file__, "--out", args.out, "--batch", args.batch, name], check=True)
        print(name, flush=True)


if __name__ == "__main__":
    main()
