"""Quantized products fused with the ops that follow them, as TensorFlow computes them with oneDNN."""

import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"

import numpy as np
import tensorflow

from record import case, fed, internal, write

raw = tensorflow.raw_ops
TYPES = {"qint8": np.int8, "quint8": np.uint8, "qint32": np.int32}


def codes(dtype, *shape, seed=0):
    info = np.iinfo(TYPES[dtype])
    low, high = (info.min, info.max) if dtype != "qint32" else (-20000, 20000)
    values = np.random.RandomState(seed + sum(shape)).randint(low, high + 1, shape)
    if seed:
        # Filters must be constants.
        kind, v1 = tensorflow.as_dtype(dtype), tensorflow.compat.v1
        proto = tensorflow.make_tensor_proto(values.astype(TYPES[dtype]))
        proto.dtype = kind.as_datatype_enum
        attrs = {"value": v1.AttrValue(tensor=proto), "dtype": v1.AttrValue(type=kind.as_datatype_enum)}
        return v1.get_default_graph().create_op("Const", [], [kind], attrs=attrs).outputs[0]
    return fed(values.tolist(), dtype)


def ranges(channels=None):
    """Ends of the ranges of input and filters, which may have one for each channel."""
    if channels is None:
        return dict(min_input=fed(-0.7), max_input=fed(3.9), min_filter=fed(-1.1), max_filter=fed(0.6))
    values = np.random.RandomState(channels).uniform(0.1, 2, (2, channels)).astype(np.float32)
    return dict(min_input=fed(-0.7), max_input=fed(3.9), min_filter=fed(-values[0]), max_filter=fed(values[1]))


def biases(kind, n):
    return codes("qint32", n) if kind == "qint32" else fed(np.random.RandomState(n).uniform(-9, 9, n).astype(np.float32))


def out_range(low=0.0):
    return dict(min_freezed_output=fed(low), max_freezed_output=fed(7.3))


PLACES = {"valid": dict(strides=[1, 1, 1, 1], padding="VALID"), "same": dict(strides=[1, 1, 1, 1], padding="SAME"),
          "strided": dict(strides=[1, 2, 2, 1], padding="SAME"), "dilated": dict(strides=[1, 1, 1, 1], padding="VALID", dilations=[1, 2, 2, 1]),
          "listed": dict(strides=[1, 1, 1, 1], padding="VALID", padding_list=[0, 0, 1, 2, 2, 1, 0, 0])}
SIZES = [("small", [2, 5, 6, 3], [2, 3, 3, 4]), ("one", [1, 3, 3, 5], [1, 1, 5, 2])]


# The case of a sum halfway between two codes of int32, which may be rounded to either.
BETWEEN = {("QuantizedConv2DWithBias/quint8/channels", "one"), ("QuantizedConv2DAndRelu/quint8/channels", "small"), ("QuantizedConv2DPerChannel", "small"),
           ("QuantizedConv2DWithBias/qint8/whole", "small"), ("QuantizedConv2DWithBiasAndRelu/qint8/whole", "small")}


def each_place(name, build, shapes=SIZES, listed=True):
    for label, images, filters in shapes:
        for place, attrs in PLACES.items():
            if place == "listed" and not listed or label == "one" and place not in ("valid", "same"):
                continue
            if (name, label) in BETWEEN:
                continue
            case(f"{name}/{label}/{place}", lambda tf, v1: list(build(images, filters, attrs)))


for dtype in ["quint8", "qint8"]:
    def operands(images, filters):
        return dict(input=codes(dtype, *images), filter=codes("qint8", *filters, seed=1))

    def channels(filters, ranged):
        return filters[3] if ranged else None

    for ranged in [False, True]:
        name = f"{dtype}/{'channels' if ranged else 'whole'}"
        each_place(f"QuantizedConv2DWithBias/{name}", lambda x, w, attrs: raw.QuantizedConv2DWithBias(
            **operands(x, w), bias=biases("float", w[3]), **ranges(channels(w, ranged)), **attrs))
        each_place(f"QuantizedConv2DWithBiasAndRelu/{name}", lambda x, w, attrs: raw.QuantizedConv2DWithBiasAndRelu(
            **operands(x, w), bias=biases("float", w[3]), **ranges(channels(w, ranged)), **attrs))
        for bias in ["float", "qint32"]:
            each_place(f"QuantizedConv2DWithBiasAndRequantize/{name}/{bias}", lambda x, w, attrs: raw.QuantizedConv2DWithBiasAndRequantize(
                **operands(x, w), bias=biases(bias, w[3]), **ranges(channels(w, ranged)), **out_range(-8.1), **attrs))
            each_place(f"QuantizedConv2DWithBiasAndReluAndRequantize/{name}/{bias}", lambda x, w, attrs: raw.QuantizedConv2DWithBiasAndReluAndRequantize(
                **operands(x, w), bias=biases(bias, w[3]), **ranges(channels(w, ranged)), **out_range(), **attrs))
        if dtype == "qint8":
            continue
        each_place(f"QuantizedConv2DAndRelu/{name}", lambda x, w, attrs: raw.QuantizedConv2DAndRelu(**operands(x, w), **ranges(channels(w, ranged)), **attrs))
        each_place(f"QuantizedConv2DAndRequantize/{name}", lambda x, w, attrs: raw.QuantizedConv2DAndRequantize(
            **operands(x, w), **ranges(channels(w, ranged)), **out_range(-3.0), **attrs))
        each_place(f"QuantizedConv2DAndReluAndRequantize/{name}", lambda x, w, attrs: raw.QuantizedConv2DAndReluAndRequantize(
            **operands(x, w), **ranges(channels(w, ranged)), **out_range(), **attrs))
    if dtype == "quint8":
        each_place("QuantizedConv2DPerChannel", lambda x, w, attrs: raw.QuantizedConv2DPerChannel(**operands(x, w), **ranges(w[3]), **attrs), listed=False)

DEPTHWISE = [("small", [2, 5, 6, 3], [2, 3, 3, 1]), ("one", [1, 3, 3, 5], [1, 1, 5, 1])]
for ranged in [False, True]:
    name = "channels" if ranged else "whole"

    def operands(images, filters):
        ends = ranges(filters[2] if ranged else None)
        return dict(input=codes("quint8", *images), filter=codes("qint8", *filters, seed=1), **ends)

    each_place(f"QuantizedDepthwiseConv2D/{name}", lambda x, w, attrs: raw.QuantizedDepthwiseConv2D(**operands(x, w), **attrs), DEPTHWISE, listed=False)
    each_place(f"QuantizedDepthwiseConv2DWithBias/{name}", lambda x, w, attrs: raw.QuantizedDepthwiseConv2DWithBias(
        **operands(x, w), bias=biases("float", w[2]), **attrs), DEPTHWISE, listed=False)
    each_place(f"QuantizedDepthwiseConv2DWithBiasAndRelu/{name}", lambda x, w, attrs: raw.QuantizedDepthwiseConv2DWithBiasAndRelu(
        **operands(x, w), bias=biases("float", w[2]), **attrs), DEPTHWISE)
    for bias in ["float", "qint32"]:
        each_place(f"QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize/{name}/{bias}", lambda x, w, attrs: raw.QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize(
            **operands(x, w), bias=biases(bias, w[2]), **out_range(), **attrs), DEPTHWISE)


# TensorFlow only has them without transposes, and with ranges that begin at 0.
def factors():
    return dict(a=codes("quint8", 5, 7), b=codes("qint8", 7, 4, seed=1), min_a=fed(0.0), max_a=fed(3.9), min_b=fed(-1.1), max_b=fed(0.6))


for bias in ["float", "qint32"]:
    case(f"QuantizedMatMulWithBias/{bias}", lambda tf, v1: list(raw.QuantizedMatMulWithBias(**factors(), bias=biases(bias, 4))))
    case(f"QuantizedMatMulWithBiasAndRequantize/{bias}", lambda tf, v1: list(raw.QuantizedMatMulWithBiasAndRequantize(
        **factors(), bias=biases(bias, 4), **out_range())))
    case(f"QuantizedMatMulWithBiasAndReluAndRequantize/{bias}", lambda tf, v1: list(raw.QuantizedMatMulWithBiasAndReluAndRequantize(
        **factors(), bias=biases(bias, 4), **out_range())))
    case(f"QuantizedMatMulWithBiasAndDequantize/{bias}", lambda tf, v1: raw.QuantizedMatMulWithBiasAndDequantize(
        **factors(), bias=biases(bias, 4), **out_range(), Toutput=tf.float32))
case("QuantizedMatMulWithBiasAndRelu", lambda tf, v1: list(raw.QuantizedMatMulWithBiasAndRelu(**factors(), bias=biases("float", 4))))


# Transposes are ignored.
case("QuantizedMatMulWithBias/transposed", lambda tf, v1: list(raw.QuantizedMatMulWithBias(
    **factors(), bias=biases("float", 4), transpose_a=True)))
vectors = lambda: {**factors(), "max_b": fed([0.6])}
case("QuantizedMatMulWithBias/vector", lambda tf, v1: list(raw.QuantizedMatMulWithBias(
    **vectors(), bias=biases("float", 4))), error="INVALID_ARGUMENT")


def fused(attrs, bias=None, **more):
    (_, images, filters), *_ = SIZES
    given = dict(input=codes("quint8", *images), filter=codes("qint8", *filters, seed=1), **{**ranges(), **more})
    bias = biases("float", filters[3]) if bias is None else bias
    return list(raw.QuantizedConv2DWithBiasAndRequantize(**given, bias=bias, **out_range(-8.1), **attrs))


case("QuantizedConv2DWithBiasAndRequantize/listed_same", lambda tf, v1: fused({**PLACES["listed"], "padding": "SAME"}))
case("QuantizedConv2DWithBiasAndRequantize/bias_row", lambda tf, v1: fused(PLACES["same"], fed([[1.0, -2.0, 3.0, 4.0]])))
case("QuantizedConv2DWithBiasAndRequantize/range", lambda tf, v1: fused(PLACES["same"], max_filter=fed([0.6])),
     error="INVALID_ARGUMENT")


# Python has no function for the second version of QuantizedConcat, which only has a oneDNN kernel.
def concat(values, axis, ranges):
    mins, maxes = ([fed(float(r[i])) for r in ranges] for i in (0, 1))
    dtype = values[0].dtype
    return internal("QuantizedConcatV2", values + [axis] + mins + maxes, [dtype, tensorflow.float32, tensorflow.float32],
                    {"N": len(values), "T": dtype, "Tidx": axis.dtype})


for kind in ["quint8", "qint8"]:
    for axis in [0, 1, -1]:
        shapes = [[2, 3, 2], [2, 3, 2], [2, 3, 2]]
        shapes[1][axis] = 1
        case(f"QuantizedConcatV2/{kind}/{axis}", lambda tf, v1: concat(
            [codes(kind, *s) for s in shapes], tf.constant(axis), [(-1, 1), (0, 2.5), (-2, 0.5)]))
    for label, ends in [("same", [(0, 10), (0, 10)]), ("below", [(-5, 10), (-5, 10)]), ("above", [(5, 10), (6, 12)])]:
        case(f"QuantizedConcatV2/{kind}/{label}", lambda tf, v1: concat([codes(kind, 2, 9), codes(kind, 2, 9)], tf.constant(1), ends))

write(__file__)
