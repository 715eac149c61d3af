"""Fused ops, as TensorFlow's optimizer writes them. Recorded with TensorFlow's own kernels: oneDNN's refuse some of
them."""

import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import numpy as np
import tensorflow as tf
from record import case, internal, write
from record import fed as feed


def fed(value, dtype="float32", shape=None):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype, shape)


def spread(*shape, dtype="float32", low=-2.0, high=2.0):
    count = int(np.prod(shape))
    return (((np.arange(count) * 7919) % 1009) / 1009 * (high - low) + low).reshape(shape).astype("float64").tolist()


ACTIVATIONS = [[], ["Relu"], ["Relu6"], ["Elu"], ["LeakyRelu"], ["Tanh"], ["Sigmoid"]]
for activation in ACTIVATIONS:
    for dtype in ["float32", "bfloat16", "float16"]:
        if dtype == "float16" and activation in (["Tanh"], ["Sigmoid"]):
            continue
        for transposed in ([False, True] if dtype == "float32" else [False]):
            case(f"_FusedMatMul/{dtype}/{'/'.join(activation) or 'none'}/{transposed}",
                 lambda tf, v1, activation=activation, dtype=dtype, transposed=transposed: internal(
                     "_FusedMatMul",
                     [fed(spread(3, 4) if not transposed else spread(4, 3), dtype),
                      fed(spread(4, 5) if not transposed else spread(5, 4), dtype), fed(spread(5), dtype)],
                     [tf.as_dtype(dtype)],
                     {"T": tf.as_dtype(dtype), "num_args": 1, "fused_ops": ["BiasAdd"] + activation, "transpose_a": transposed,
                      "transpose_b": transposed, "leakyrelu_alpha": 0.3}))


def fused_convolution(tf, v1, dtype, fused_ops, args, **attrs):
    dtype = tf.as_dtype(dtype)
    inputs = [fed(spread(2, 5, 6, 3), dtype), fed(spread(3, 2, 3, 4), dtype)] + [fed(arg, dtype) for arg in args]
    attrs = {"strides": [1, 2, 1, 1], "padding": "SAME", "leakyrelu_alpha": 0.3, "epsilon": 0.001, **attrs}
    return internal("_FusedConv2D", inputs, [dtype], {
        "T": dtype, "TArgs": [dtype] * len(args), "num_args": len(args), "num_host_args": 0, "fused_ops": fused_ops, **attrs})


BATCH_NORM = [spread(4), spread(4), spread(4), spread(4, low=0.5, high=2.0)]
for activation in [[], ["Relu"], ["Relu6"], ["Elu"], ["LeakyRelu"]]:
    for dtype in ["float32", "float64"]:
        case(f"_FusedConv2D/{dtype}/bias/{'/'.join(activation) or 'none'}",
             lambda tf, v1, dtype=dtype, activation=activation: fused_convolution(
                 tf, v1, dtype, ["BiasAdd"] + activation, [spread(4)]))
        case(f"_FusedConv2D/{dtype}/batch_norm/{'/'.join(activation) or 'none'}",
             lambda tf, v1, dtype=dtype, activation=activation: fused_convolution(
                 tf, v1, dtype, ["FusedBatchNorm"] + activation, BATCH_NORM))
case("_FusedConv2D/explicit", lambda tf, v1: fused_convolution(
    tf, v1, "float32", ["BiasAdd", "Relu"], [spread(4)], padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0]))
case("_FusedConv2D/valid_dilated", lambda tf, v1: fused_convolution(
    tf, v1, "float32", ["BiasAdd"], [spread(4)], padding="VALID", strides=[1, 1, 1, 1], dilations=[1, 2, 1, 1]))



def padded(resizes, dtype="float32", paddings=((0, 0), (1, 2), (2, 1), (0, 0)), mode="REFLECT", size=(7, 4), corners=False,
           images=(1, 5, 6, 3), filters=(3, 2, 3, 4), stride=1, padding="VALID"):
    """`FusedPadConv2D`, or `FusedResizeAndPadConv2D` if it resizes. With a single image: TensorFlow computes others
    wrongly."""
    def build(tf, v1):
        common = {"paddings": fed(paddings, "int32", [4, 2]), "filter": fed(spread(*filters), dtype, filters), "mode": mode,
                  "strides": [1, stride, stride, 1], "padding": padding}
        x = fed(spread(*images), dtype, images)
        if resizes:
            return tf.raw_ops.FusedResizeAndPadConv2D(input=x, size=fed(size, "int32", [2]), resize_align_corners=corners, **common)
        return tf.raw_ops.FusedPadConv2D(input=x, **common)
    return build


for resizes, op in [(False, "FusedPadConv2D"), (True, "FusedResizeAndPadConv2D")]:
    for dtype in ["float16", "float32", "float64"]:
        for mode in ["REFLECT", "SYMMETRIC"]:
            case(f"{op}/{dtype}/{mode}", padded(resizes, dtype, mode=mode), rtol=1e-2 if dtype == "float16" else None,
                 atol=2e-2 if dtype == "float16" else 1e-5)
    case(f"{op}/same", padded(resizes, padding="SAME", stride=2), atol=1e-5)
    case(f"{op}/none", padded(resizes, paddings=[[0, 0]] * 4), atol=1e-5)
    case(f"{op}/corners", padded(resizes, corners=True, size=(9, 11)), atol=1e-5)
    case(f"{op}/smaller", padded(resizes, size=(3, 4), paddings=[[0, 0], [2, 2], [3, 3], [0, 0]]), atol=1e-5)
    case(f"{op}/whole", padded(resizes, size=(3, 4), images=(1, 3, 4, 3), mode="SYMMETRIC", paddings=[[0, 0], [3, 3], [4, 4], [0, 0]]),
         atol=1e-5)
    for label, wrong in [("batch", {"paddings": [[1, 0], [0, 0], [0, 0], [0, 0]]}), ("negative", {"paddings": [[0, 0], [-1, 0], [0, 0], [0, 0]]}),
                         ("wide", {"size": (4, 4), "paddings": [[0, 0], [6, 0], [0, 0], [0, 0]]})]:
        case(f"{op}/{label}", padded(resizes, **wrong), error="INVALID_ARGUMENT")

write(__file__)
