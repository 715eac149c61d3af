"""Small networks and TensorFlow's results for them: `nets.jsonl`, for the tests of quantization.

    python tests/quantization/nets.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import numpy as np
import tensorflow as tf
from record import case, step, write

NUMBERS = np.random.RandomState(11)


def normal(*shape, scale=None):
    fan = np.prod(shape[:-1]) if scale is None else scale**-2.0
    return tf.constant((NUMBERS.randn(*shape) / np.sqrt(fan)).astype("float32"))


def uniform(n, low, high):
    return tf.constant(NUMBERS.uniform(low, high, n).astype("float32"))


def norm(x, channels):
    return tf.raw_ops.FusedBatchNormV3(
        x=x, scale=uniform(channels, 0.5, 1.5), offset=uniform(channels, -0.5, 0.5), mean=uniform(channels, -0.5, 0.5),
        variance=uniform(channels, 0.5, 2.0), is_training=False).y


def conv(x, size, before, after, **options):
    options = {"strides": [1, 1, 1, 1], "padding": "SAME", **options}
    return tf.nn.conv2d(x, normal(size, size, before, after), **options)


def images(n, size=16, channels=3):
    """Smooth images with some noise."""
    smooth = NUMBERS.randn(n, size // 4, size // 4, channels).repeat(4, 1).repeat(4, 2)
    return (smooth + 0.2 * NUMBERS.randn(n, size, size, channels)).astype("float32")


def steps(x, fetches, *values):
    return [step(fetches, {x: value}) for value in values]


def residual(tf, v1):
    """Padding, strides, batch norms, sums with a convolution and with a shortcut, pooling, a product at the end."""
    x = v1.placeholder(tf.float32, [None, 16, 16, 3], "x")
    y = tf.pad(x, [[0, 0], [2, 2], [2, 2], [0, 0]])
    y = tf.nn.bias_add(conv(y, 5, 3, 12, strides=[1, 2, 2, 1], padding="VALID", name="first"), uniform(12, -0.5, 0.5))
    y = tf.nn.relu(norm(y, 12), "first_relu")
    y = tf.nn.max_pool2d(tf.pad(y, [[0, 0], [1, 1], [1, 1], [0, 0]]), 3, 2, "VALID")
    short = norm(conv(y, 1, 12, 32, name="short"), 32)
    z = tf.nn.relu(norm(conv(y, 1, 12, 8, name="narrow"), 8))
    z = norm(conv(z, 3, 8, 32, name="wide"), 32)
    y = tf.nn.relu(short + z, "joined")
    z = tf.nn.relu(tf.nn.bias_add(conv(y, 3, 32, 32, name="more"), uniform(32, -0.5, 0.5)))
    y = tf.nn.relu(y + conv(z, 3, 32, 32, name="last"), "sum")
    y = tf.reduce_mean(y, [1, 2])
    logits = tf.add(tf.matmul(y, normal(32, 10), name="product"), uniform(10, -0.5, 0.5), name="logits")
    return steps(x, [logits, tf.argmax(logits, 1, name="best")], images(6), images(3))


def mobile(tf, v1):
    """Depthwise convolutions, Relu6, sums without an activation, groups, a concatenation, transposed weights."""
    x = v1.placeholder(tf.float32, [None, 16, 16, 3], "x")
    y = tf.nn.relu6(norm(conv(x, 3, 3, 16, strides=[1, 2, 2, 1], name="first"), 16))
    y = tf.nn.relu6(norm(tf.nn.depthwise_conv2d(y, normal(3, 3, 16, 1, scale=0.4), [1, 1, 1, 1], "SAME", name="own"), 16))
    y = norm(conv(y, 1, 16, 8, name="down"), 8)
    z = tf.nn.relu6(norm(conv(y, 1, 8, 24, name="up"), 24))
    z = tf.nn.depthwise_conv2d(z, normal(3, 3, 24, 2, scale=0.4), [1, 1, 1, 1], "SAME", dilations=[2, 2], name="two")
    z = norm(conv(tf.nn.relu6(z), 1, 48, 8, name="down_again"), 8)
    y = tf.identity(y + z, "sum")
    a = conv(y, 3, 4, 8, name="groups")
    b = tf.nn.relu(conv(y, 3, 8, 8, dilations=[1, 2, 2, 1], name="dilated"))
    y = tf.reshape(tf.concat([a, b], 3), [-1, 8 * 8 * 16])
    y = tf.nn.relu(tf.raw_ops.MatMul(a=y, b=normal(20, 1024, scale=0.03), transpose_b=True, name="product"))
    y = tf.matmul(tf.tanh(y), normal(20, 5), name="end")
    return steps(x, [tf.nn.softmax(y, name="softmax"), tf.identity(y, "logits")], images(4), images(4))


def rows(tf, v1):
    """Products of sequences, layers of factors and terms, values of both signs, an end that waits for weights."""
    x = v1.placeholder(tf.float32, [None, 7, 10], "x")
    weights = tf.identity(normal(10, 24), "weights")
    y = tf.raw_ops.BatchMatMulV2(x=x, y=weights, name="first") * uniform(24, 0.5, 2.0)
    y = tf.nn.relu(y - uniform(24, -0.5, 0.5) + 0.25)
    y = tf.raw_ops.BatchMatMulV2(x=y, y=normal(16, 24), adj_y=True, name="second") + uniform(16, -1.0, 1.0)
    z = tf.transpose(y, [0, 2, 1])
    y = tf.reshape(z, [-1, 7])
    y = tf.matmul(y, normal(7, 6), name="third")
    with v1.control_dependencies([tf.group(weights, name="read")]):
        y = tf.identity(y, "y")
    return steps(x, [y], NUMBERS.randn(5, 7, 10), NUMBERS.randn(2, 7, 10))


def mixed(tf, v1):
    """A branch, a loop, a constant factor on the left, float64, channels first and a fetch in the middle: left in floats or cut off."""
    x = v1.placeholder(tf.float32, [None, 6], "x")
    first = tf.matmul(x, normal(6, 8), name="first")
    y = tf.nn.relu(first, "relu")
    v1.disable_control_flow_v2()
    y = v1.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(y, normal(8, 8), name="within"), lambda: -y)
    y = tf.matmul(y, normal(8, 8), name="after")
    y += tf.cast(tf.matmul(tf.cast(y, tf.float64), tf.constant(NUMBERS.randn(8, 8)), name="wide"), tf.float32)
    left = tf.matmul(normal(4, 8), first, transpose_b=True, name="left")
    both = tf.matmul(first, first, transpose_b=True, name="both")
    with v1.control_dependencies([first]):
        end = tf.identity(y, "end")
    return steps(x, [first, end, left, both], NUMBERS.randn(3, 6), -np.abs(NUMBERS.randn(2, 6)))


for build in [residual, mobile, rows, mixed]:
    case(build.__name__, build)

write(__file__)
