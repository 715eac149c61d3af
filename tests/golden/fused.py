"""Several ops as one, as TensorFlow's optimizer writes them. Recorded with TensorFlow's own kernels: oneDNN's refuse some of them."""

import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import numpy as np
import tensorflow as tf
from record import case, internal, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


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

write(__file__)
