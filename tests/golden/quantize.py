"""Quantization: fake, round trips, and arithmetic on quantized values with ranges or with scales and zero points."""

import os

# With oneDNN, which TensorFlow only uses on some machines, QuantizedAvgPool rounds and Dequantize of qint32 fails.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import numpy as np

from record import case, fed, step, write

rng = np.random.default_rng(14)
QUANTIZED = {"qint8": np.int8, "quint8": np.uint8, "qint16": np.int16, "quint16": np.uint16, "qint32": np.int32}


def numbers(*shape, low=-1.0, high=1.0):
    return rng.uniform(low, high, shape).astype(np.float32)


def codes(name, *shape, low=None, high=None):
    """Random elements of a quantized type, including the extremes, except those of qint32 that TensorFlow
    misinterprets."""
    info = np.iinfo(QUANTIZED[name])
    low, high = info.min if low is None else low, info.max if high is None else high
    high = min(high, 2**31 - 200)
    values = rng.integers(low, high, shape, endpoint=True)
    if values.size > 3 and low == info.min:
        values.reshape(-1)[:2] = [low, high]
    return values


def q(name, value):
    return fed(np.asarray(value).tolist(), name)


def f(value):
    return fed(value, "float32")


def all_of(result):
    return list(result)


# FakeQuant*

FAKE = [("signed", -1.0, 1.0), ("inside", 0.5, 2.0), ("below", -3.1, -1.0), ("default", -6.0, 6.0), ("zero", 0.0, 10.0),
        ("odd", -0.37, 1.91)]
INPUTS = np.concatenate([np.linspace(-7, 7, 15, dtype=np.float32), numbers(12, low=-2.0, high=2.0),
                         np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], np.float32)]).astype(np.float32)
for what, low, high in FAKE:
    for bits in [8, 4, 9, 16]:
        for narrow in [False, True]:
            if what not in ("signed", "odd") and (bits, narrow) not in [(8, False), (16, True)]:
                continue
            attrs = dict(num_bits=bits, narrow_range=narrow)
            name = f"{what}/{bits}/{narrow}"
            case(f"FakeQuantWithMinMaxArgs/{name}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgs(
                inputs=fed(INPUTS), min=low, max=high, **attrs))
            case(f"FakeQuantWithMinMaxVars/{name}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
                inputs=fed(INPUTS), min=f(low), max=f(high), **attrs))
            gradients = numbers(INPUTS.size)
            case(f"FakeQuantWithMinMaxArgsGradient/{name}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgsGradient(
                gradients=fed(gradients), inputs=fed(INPUTS), min=low, max=high, **attrs))
            case(f"FakeQuantWithMinMaxVarsGradient/{name}", lambda tf, v1: all_of(
                tf.raw_ops.FakeQuantWithMinMaxVarsGradient(
                    gradients=fed(gradients[:-5]), inputs=fed(INPUTS[:-5]), min=f(low), max=f(high), **attrs)))
lows, highs = np.array([-1, -3, 0], np.float32), np.array([1, -1, 2.5], np.float32)
for shape in [[3], [5, 3], [2, 2, 3], [2, 3, 2, 3], [0, 3]]:
    x, dy = numbers(*shape, low=-4.0, high=4.0), numbers(*shape)
    for bits in [8, 3]:
        name = f"{len(shape)}/{shape[0]}/{bits}"
        case(f"FakeQuantWithMinMaxVarsPerChannel/{name}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(
            inputs=fed(x), min=fed(lows), max=fed(highs), num_bits=bits, narrow_range=bits == 3))
        case(f"FakeQuantWithMinMaxVarsPerChannelGradient/{name}", lambda tf, v1: all_of(
            tf.raw_ops.FakeQuantWithMinMaxVarsPerChannelGradient(
                gradients=fed(dy), inputs=fed(x), min=fed(lows), max=fed(highs), num_bits=bits)))
case("FakeQuantWithMinMaxArgs/equal", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgs(inputs=f([1.0]), min=1, max=1),
     error="INVALID_ARGUMENT")
for bits in [1, 17]:
    case(f"FakeQuantWithMinMaxArgs/bits/{bits}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgs(
        inputs=f([1.0]), num_bits=bits), error="INVALID_ARGUMENT")
    case(f"FakeQuantWithMinMaxVars/bits/{bits}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
        inputs=f([1.0]), min=f(0.0), max=f(1.0), num_bits=bits), error="INVALID_ARGUMENT")
case("FakeQuantWithMinMaxArgsGradient/shapes", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgsGradient(
    gradients=f([1.0, 2.0]), inputs=f([1.0])), error="INVALID_ARGUMENT")
case("FakeQuantWithMinMaxVarsGradient/shapes", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVarsGradient(
    gradients=f([1.0, 2.0]), inputs=f([1.0]), min=f(0.0), max=f(1.0))[0], error="INVALID_ARGUMENT")
case("FakeQuantWithMinMaxVars/vector", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
    inputs=f([1.0]), min=f([0.0, 1.0]), max=f(1.0)), error="INVALID_ARGUMENT")
case("FakeQuantWithMinMaxVars/equal", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
    inputs=f([1.0, 0.0]), min=f(0.0), max=f(0.0)))
case("FakeQuantWithMinMaxVarsGradient/equal", lambda tf, v1: all_of(tf.raw_ops.FakeQuantWithMinMaxVarsGradient(
    gradients=f([1.0, 2.0]), inputs=f([1.0, 0.0]), min=f(0.0), max=f(0.0))))
case("FakeQuantWithMinMaxVars/point", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
    inputs=f([1.0, 0.0]), min=f(-1.0), max=f(-1.0)))
case("FakeQuantWithMinMaxVarsPerChannel/equal", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(
    inputs=f([[-1.0, 0.0], [2.0, 3.0]]), min=f([0.0, -1.0]), max=f([0.0, 1.0])))
case("FakeQuantWithMinMaxVarsPerChannelGradient/equal", lambda tf, v1: all_of(
    tf.raw_ops.FakeQuantWithMinMaxVarsPerChannelGradient(
        gradients=f([[1.0, 2.0], [3.0, 4.0]]), inputs=f([[-1.0, 0.0], [2.0, 3.0]]), min=f([0.0, -1.0]), max=f([0.0, 1.0]))))
for low, high in [(2, 3), (3, 2)]:
    case(f"FakeQuantWithMinMaxVarsPerChannel/sizes/{low}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(
        inputs=f([[1.0, 2, 3]]), min=f([0.0] * low), max=f([1.0] * high)), error="INVALID_ARGUMENT")

# QuantizeAndDequantize*

FLOATS = ["float32", "float64"]


def typed(value, name):
    return fed(np.asarray(value).astype(name))


X = np.concatenate([numbers(10, low=-2.0, high=2.0), [0.5, -0.5, 1.5, -2.5, 0.0]]).astype(np.float32)


def first_version(tf, x, **attrs):
    """The first version of the op, which current graphs cannot have."""
    old = tf.compat.v1.GraphDef()
    old.versions.producer = 21
    node = old.node.add(name="x", op="Placeholder")
    node.attr["dtype"].type = x.dtype.as_datatype_enum
    node.attr["shape"].shape.unknown_rank = True
    node = old.node.add(name="y", op="QuantizeAndDequantize", input=["x"])
    node.attr["T"].type = x.dtype.as_datatype_enum
    for key, value in attrs.items():
        setattr(node.attr[key], {bool: "b", int: "i", float: "f"}[type(value)], value)
    return tf.import_graph_def(old, {"x": x}, ["y:0"], name="old")[0]


for name in FLOATS:
    for signed in [True, False]:
        for given in [True, False]:
            for bits in [8, 3]:
                attrs = dict(signed_input=signed, range_given=given)
                label = f"{name}/{signed}/{given}/{bits}"
                if bits == 8:
                    case(f"QuantizeAndDequantize/{label}", lambda tf, v1: first_version(
                        tf, typed(X, name), num_bits=bits, input_min=-1.25, input_max=1.5, **attrs))
                for narrow in [True, False]:
                    for mode in ["HALF_TO_EVEN", "HALF_UP"]:
                        case(f"QuantizeAndDequantizeV2/{label}/{narrow}/{mode}",
                             lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
                                 input=typed(X, name), input_min=typed(-1.25, name), input_max=typed(1.5, name),
                                 num_bits=bits, narrow_range=narrow, round_mode=mode, **attrs))
                    case(f"QuantizeAndDequantizeV3/{label}/{narrow}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV3(
                        input=typed(X, name), input_min=typed(-1.5, name), input_max=typed(1.25, name), num_bits=fed(bits),
                        narrow_range=narrow, **attrs))
for name in FLOATS:
    x, low, high = numbers(3, 2, 4, low=-3.0, high=2.0), [-1.0, -2.0], [2.0, 0.5]
    for v in ["V2", "V4"]:
        case(f"QuantizeAndDequantize{v}/axis/{name}", lambda tf, v1: getattr(tf.raw_ops, "QuantizeAndDequantize" + v)(
            input=typed(x, name), input_min=typed(low, name), input_max=typed(high, name), axis=1))
    for given in [True, False]:
        case(f"QuantizeAndDequantizeV3/axis/{name}/{given}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV3(
            input=typed(x, name), input_min=typed(low, name), input_max=typed(high, name), num_bits=fed(5), range_given=given,
            axis=1))
    case(f"QuantizeAndDequantizeV4/{name}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV4(
        input=typed(X, name), input_min=typed(-1.0, name), input_max=typed(1.5, name), range_given=True))
    case(f"QuantizeAndDequantizeV4Grad/{name}", lambda tf, v1: all_of(tf.raw_ops.QuantizeAndDequantizeV4Grad(
        gradients=typed(numbers(X.size), name), input=typed(X, name), input_min=typed(-1.0, name),
        input_max=typed(1.5, name))))
    case(f"QuantizeAndDequantizeV4Grad/axis/{name}", lambda tf, v1: all_of(tf.raw_ops.QuantizeAndDequantizeV4Grad(
        gradients=typed(numbers(3, 2, 4), name), input=typed(x, name), input_min=typed(low, name),
        input_max=typed(high, name), axis=1)))
for label, low, high, signed in [("positive", 0.5, 2.0, True), ("negative", -2.0, -0.5, True), ("zero", 0.0, 0.0, True),
                                 ("below", -2.0, -0.5, False), ("infinite", float("-inf"), float("inf"), True),
                                 ("nan", float("nan"), 1.0, True)]:
    case(f"QuantizeAndDequantizeV2/range/{label}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
        input=fed(X), input_min=f(low), input_max=f(high), range_given=True, signed_input=signed),
         error="INVALID_ARGUMENT" if label == "nan" else None)
for label, x in [("nan", [1.0, np.nan, -2.0]), ("inf", [1.0, np.inf, -2.0]), ("empty", np.zeros([0], np.float32)), ("zeros", [0.0, 0.0]),
                 ("scalar", 1.25)]:
    case(f"QuantizeAndDequantizeV2/input/{label}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
        input=f(x), input_min=f(0.0), input_max=f(0.0)))
for bits in [1, 16, 24, 31, 32, 40, 61]:
    case(f"QuantizeAndDequantizeV2/bits/{bits}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
        input=fed(X), input_min=f(-1.0), input_max=f(1.5), range_given=True, num_bits=bits))
for bits, signed in [(0, True), (62, True), (63, False)]:
    case(f"QuantizeAndDequantizeV2/bits/{bits}/{signed}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
        input=fed(X), input_min=f(-1.0), input_max=f(1.5), num_bits=bits, signed_input=signed), error="INVALID_ARGUMENT")
    case(f"QuantizeAndDequantizeV3/bits/{bits}/{signed}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV3(
        input=fed(X), input_min=f(-1.0), input_max=f(1.5), num_bits=fed(bits), signed_input=signed), error="INVALID_ARGUMENT")
case("QuantizeAndDequantizeV3/bits/vector", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV3(
    input=fed(X), input_min=f(-1.0), input_max=f(1.5), num_bits=fed([8])), error="INVALID_ARGUMENT")
case("QuantizeAndDequantizeV3/range/vector", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV3(
    input=fed(X), input_min=f([-1.0]), input_max=f(1.5), num_bits=fed(8)))
case("QuantizeAndDequantize/range", lambda tf, v1: first_version(
    tf, fed(X), range_given=True, input_min=1.0, input_max=-1.0), error="INVALID_ARGUMENT")
case("QuantizeAndDequantizeV2/order", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
    input=fed(X), input_min=f(1.0), input_max=f(-1.0), range_given=True), error="INVALID_ARGUMENT")
case("QuantizeAndDequantizeV2/vector", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
    input=fed(X), input_min=f([1.0, 2.0]), input_max=f(-1.0), range_given=True), error="INVALID_ARGUMENT")
for axis, error in [(1, "INVALID_ARGUMENT"), (3, "INVALID_ARGUMENT")]:
    case(f"QuantizeAndDequantizeV2/axis/{axis}", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV2(
        input=f([[1.0, 2.0]]), input_min=f([1.0]), input_max=f([2.0]), range_given=True, axis=axis), error=error)
case("QuantizeAndDequantizeV4Grad/shapes", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV4Grad(
    gradients=f([1.0]), input=f([1.0, 2.0]), input_min=f(0.0), input_max=f(1.0))[0], error="INVALID_ARGUMENT")
case("QuantizeAndDequantizeV4Grad/vector", lambda tf, v1: tf.raw_ops.QuantizeAndDequantizeV4Grad(
    gradients=f([1.0]), input=f([1.0]), input_min=f([0.0]), input_max=f([1.0]))[0], error="INVALID_ARGUMENT")

# QuantizeV2 and Dequantize

V = np.concatenate([numbers(10, low=-1.6, high=2.5), [-2, 3, 0, -0.0, 1.0, 0.5, 0.1]]).astype(np.float32)
RANGES = [("around", -1.0, 2.0), ("positive", 0.5, 2.0), ("negative", -1.5, -0.5), ("narrow", 0.0, 0.001), ("zero", 0.0, 0.0)]
for name in QUANTIZED:
    for label, low, high in RANGES:
        for mode in ["MIN_COMBINED", "MIN_FIRST", "SCALED"]:
            if name == "qint32" and mode == "MIN_COMBINED" and label != "around":
                continue
            case(f"QuantizeV2/{name}/{mode}/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizeV2(
                input=fed(V), min_range=f(low), max_range=f(high), T=tf.as_dtype(name), mode=mode)))
            case(f"Dequantize/{name}/{mode}/{label}", lambda tf, v1: tf.raw_ops.Dequantize(
                input=q(name, codes(name, 9)), min_range=f(low), max_range=f(high), mode=mode))
        case(f"QuantizeV2/{name}/even/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizeV2(
            input=fed(V), min_range=f(low), max_range=f(high), T=tf.as_dtype(name), mode="SCALED", round_mode="HALF_TO_EVEN",
            narrow_range=True, ensure_minimum_range=0.5)))
        case(f"Dequantize/{name}/narrow/{label}", lambda tf, v1: tf.raw_ops.Dequantize(
            input=q(name, codes(name, 9)), min_range=f(low), max_range=f(high), mode="SCALED", narrow_range=True))
    case(f"Dequantize/{name}/bfloat16", lambda tf, v1: tf.raw_ops.Dequantize(
        input=q(name, codes(name, 9)), min_range=f(-1.0), max_range=f(2.0), dtype=tf.bfloat16))
    x, low, high = numbers(2, 3, 2, low=-2, high=2), np.array([-1, 0, -2], np.float32), np.array([1, 1.5, 0.25], np.float32)
    for mode in ["MIN_COMBINED", "SCALED"]:
        case(f"QuantizeV2/{name}/axis/{mode}", lambda tf, v1: all_of(tf.raw_ops.QuantizeV2(
            input=fed(x), min_range=fed(low), max_range=fed(high), T=tf.as_dtype(name), mode=mode, axis=1)))
        case(f"Dequantize/{name}/axis/{mode}", lambda tf, v1: tf.raw_ops.Dequantize(
            input=fed(codes(name, 2, 3, 2).tolist(), name, [None, None, None]), min_range=fed(low), max_range=fed(high), mode=mode, axis=1))
for label, attrs, low, high, code in [
        ("order", {}, 2.0, 1.0, "INVALID_ARGUMENT"),
        ("round", dict(round_mode="HALF_TO_EVEN"), 0.0, 1.0, "INVALID_ARGUMENT"),
        ("axis", dict(axis=1), 0.0, 1.0, "INVALID_ARGUMENT"),
        ("first", dict(axis=0, mode="MIN_FIRST"), [0.0] * 3, [1.0] * 3, "UNIMPLEMENTED"),
        ("sizes", dict(axis=0, mode="SCALED"), [0.0] * 2, [1.0] * 3, "INVALID_ARGUMENT"),
        ("nan", {}, float("nan"), 1.0, None)]:
    case(f"QuantizeV2/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizeV2(
        input=f([0.0, 1.0, 2.0]), min_range=f(low), max_range=f(high), T=tf.quint8, **attrs)), error=code)
for label, attrs, low, high, code in [
        ("first", dict(axis=0, mode="MIN_FIRST"), [0.0] * 3, [1.0] * 3, "UNIMPLEMENTED"),
        ("sizes", dict(axis=0, mode="SCALED"), [0.0] * 2, [1.0] * 3, "INVALID_ARGUMENT"),
        ("vector", {}, [0.0] * 2, 1.0, "INVALID_ARGUMENT")]:
    case(f"Dequantize/{label}", lambda tf, v1: tf.raw_ops.Dequantize(
        input=fed([0, 1, 2], "quint8", [None]), min_range=f(low), max_range=f(high), **attrs), error=code)

# Requantize and related ops

WIDE = [("around", -40.0, 60.0), ("far", -1e6, 2e6), ("zero", 0.0, 50.0)]
for label, low, high in WIDE:
    x = codes("qint32", 24)
    x[4:12] = rng.integers(-70000, 70000, 8)
    for kind in ["qint8", "quint8"]:
        for target in [(-1.0, 2.0), (-100.0, 100.0), (0.0, 1.0), (0.0, 0.0), (-2.0, -1.0)]:
            case(f"Requantize/{kind}/{label}/{target[0]}/{target[1]}", lambda tf, v1: all_of(tf.raw_ops.Requantize(
                input=q("qint32", x), input_min=f(low), input_max=f(high), requested_output_min=f(target[0]),
                requested_output_max=f(target[1]), out_type=tf.as_dtype(kind))))
    for size in [24, 5, 0]:
        case(f"RequantizationRange/{label}/{size}", lambda tf, v1: all_of(tf.raw_ops.RequantizationRange(
            input=q("qint32", x[4:4 + size]), input_min=f(low), input_max=f(high))))
        case(f"QuantizeDownAndShrinkRange/{label}/{size}", lambda tf, v1: all_of(tf.raw_ops.QuantizeDownAndShrinkRange(
            input=q("qint32", x[4:4 + size]), input_min=f(low), input_max=f(high), out_type=tf.quint8)))
case("RequantizationRange/positive", lambda tf, v1: all_of(tf.raw_ops.RequantizationRange(
    input=q("qint32", [7000, 9000]), input_min=f(-1.0), input_max=f(1.0))))
for low, high in [(1.0, 2.0), (0.0, -1.0)]:
    case(f"Requantize/requested/{low}/{high}", lambda tf, v1: tf.raw_ops.Requantize(
        input=q("qint32", [1]), input_min=f(0.0), input_max=f(1.0), requested_output_min=f(low), requested_output_max=f(high),
        out_type=tf.quint8)[0], error="INVALID_ARGUMENT")
x4 = codes("qint32", 1, 2, 3, 2, low=-2**30, high=2**30)
for kind in ["qint8", "quint8"]:
    for low in [[-30.0, -20.0], [-1.0, -50.0]]:
        case(f"RequantizePerChannel/{kind}/{low[0]}", lambda tf, v1: all_of(tf.raw_ops.RequantizePerChannel(
            input=q("qint32", x4), input_min=f(low), input_max=f([40.0, 60.0]), requested_output_min=f(-6.0 if kind == "qint8" else 0.0),
            requested_output_max=f(6.0), out_type=tf.as_dtype(kind))))
for clip in [6.0, 1000.0]:
    case(f"RequantizationRangePerChannel/{clip}", lambda tf, v1: all_of(tf.raw_ops.RequantizationRangePerChannel(
        input=q("qint32", x4), input_min=f([-30.0, -20.0]), input_max=f([40.0, 60.0]), clip_value_max=clip)))
case("RequantizationRangePerChannel/positive", lambda tf, v1: all_of(tf.raw_ops.RequantizationRangePerChannel(
    input=q("qint32", np.abs(x4 // 2)), input_min=f([-30.0, -20.0]), input_max=f([40.0, 60.0]), clip_value_max=100.0)))
for label, x, low in [("sizes", x4, [-1.0]), ("rank", x4[0], [-1.0, -1.0]), ("depth", x4[..., :1], [-1.0, -1.0]), ("empty", x4[:0], [-1.0, -1.0])]:
    case(f"RequantizationRangePerChannel/{label}", lambda tf, v1: tf.raw_ops.RequantizationRangePerChannel(
        input=q("qint32", x), input_min=f(low), input_max=f([40.0, 60.0]), clip_value_max=6.0)[0], error="INVALID_ARGUMENT")
case("RequantizePerChannel/sizes", lambda tf, v1: tf.raw_ops.RequantizePerChannel(
    input=q("qint32", x4), input_min=f([-1.0]), input_max=f([40.0, 60.0]), requested_output_min=f(-6.0),
    requested_output_max=f(6.0), out_type=tf.qint8)[0], error="INVALID_ARGUMENT")
case("RequantizePerChannel/one_range", lambda tf, v1: all_of(tf.raw_ops.RequantizePerChannel(
    input=q("qint32", x4), input_min=f([-1.0]), input_max=f([40.0]), requested_output_min=f(-6.0),
    requested_output_max=f(6.0), out_type=tf.qint8)))
case("RequantizePerChannel/positive", lambda tf, v1: tf.raw_ops.RequantizePerChannel(
    input=q("qint32", x4), input_min=f([-1.0, -1.0]), input_max=f([40.0, 60.0]), requested_output_min=f(0.0),
    requested_output_max=f(6.0), out_type=tf.qint8)[0], error="INVALID_ARGUMENT")

# Arithmetic on quantized values with ranges

for ta in [False, True]:
    for tb in [False, True]:
        for label, (la, ha), (lb, hb) in [("around", (-1.0, 2.0), (-3.0, 1.5)), ("off", (1.0, 2.0), (-3.0, -1.0))]:
            a, b = codes("quint8", *((5, 3) if ta else (3, 5))), codes("quint8", *((4, 5) if tb else (5, 4)))
            case(f"QuantizedMatMul/{ta}/{tb}/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizedMatMul(
                a=q("quint8", a), b=q("quint8", b), min_a=f(la), max_a=f(ha), min_b=f(lb), max_b=f(hb), transpose_a=ta,
                transpose_b=tb)))
for label, a, b, la, code in [("rank", [1], [[1]], 0.0, "INVALID_ARGUMENT"), ("sizes", [[1, 2]], [[1]], 0.0, "INVALID_ARGUMENT"),
                              ("range", [[1]], [[1]], 1.0, "INVALID_ARGUMENT"), ("scalar", [[1]], [[1]], [0.0, 0.0], "INVALID_ARGUMENT")]:
    case(f"QuantizedMatMul/{label}", lambda tf, v1: tf.raw_ops.QuantizedMatMul(
        a=q("quint8", a), b=q("quint8", b), min_a=f(la), max_a=f(1.0), min_b=f(0.0), max_b=f(1.0))[0], error=code)
case("QuantizedMatMul/large", lambda tf, v1: all_of(tf.raw_ops.QuantizedMatMul(
    a=q("quint8", codes("quint8", 7, 90)), b=q("quint8", codes("quint8", 90, 9)), min_a=f(0.0), max_a=f(1.0), min_b=f(-1.0),
    max_b=f(1.0))))

for padding in ["SAME", "VALID"]:
    for stride in [1, 2, 3]:
        for size, (la, ha) in [(3, (-1.0, 2.0)), (2, (0.0, 1.0)), (1, (-0.1, 1.0))]:
            case(f"QuantizedConv2D/{padding}/{stride}/{size}", lambda tf, v1: all_of(tf.raw_ops.QuantizedConv2D(
                input=q("quint8", codes("quint8", 2, 5, 6, 2)), filter=q("quint8", codes("quint8", size, size, 2, 3)), min_input=f(la),
                max_input=f(ha), min_filter=f(-2.0), max_filter=f(1.0), strides=[1, stride, stride, 1], padding=padding)))
for label, shape, kernel, strides, code in [
        ("strides", [1, 4, 4, 1], [2, 2, 1, 1], [1, 1, 2, 1], "INVALID_ARGUMENT"),
        ("batch", [1, 4, 4, 1], [2, 2, 1, 1], [2, 1, 1, 1], "INVALID_ARGUMENT"),
        ("rank", [4, 4, 1], [2, 2, 1, 1], [1, 1, 1, 1], "INVALID_ARGUMENT"),
        ("depth", [1, 4, 4, 1], [2, 2, 2, 1], [1, 1, 1, 1], "INVALID_ARGUMENT")]:
    case(f"QuantizedConv2D/{label}", lambda tf, v1: tf.raw_ops.QuantizedConv2D(
        input=q("quint8", codes("quint8", *shape)), filter=q("quint8", codes("quint8", *kernel)), min_input=f(0.0),
        max_input=f(1.0), min_filter=f(0.0), max_filter=f(1.0), strides=strides, padding="VALID")[0], error=code)
case("QuantizedConv2D/below", lambda tf, v1: all_of(tf.raw_ops.QuantizedConv2D(
    input=q("quint8", codes("quint8", 1, 4, 4, 1)), filter=q("quint8", codes("quint8", 3, 3, 1, 2)), min_input=f(1.0),
    max_input=f(2.0), min_filter=f(1.0), max_filter=f(2.0), strides=[1, 1, 1, 1], padding="SAME")))

for kind in ["quint8", "qint8"]:
    for label, (la, ha), (lb, hb) in [("around", (-1.0, 2.0), (-3.0, 1.5)), ("off", (1.0, 2.0), (3.0, 4.0)), ("small", (-1.0, 1.0), (-0.01, 0.01))]:
        case(f"QuantizedBiasAdd/{kind}/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizedBiasAdd(
            input=q(kind, codes(kind, 4, 3)), bias=q(kind, codes(kind, 3)), min_input=f(la), max_input=f(ha), min_bias=f(lb),
            max_bias=f(hb), out_type=tf.qint32)))
for label, a, b in [("rank", [1, 2], [1, 2]), ("bias", [[1, 2]], [[1, 2]]), ("sizes", [[1, 2]], [1, 2, 3])]:
    case(f"QuantizedBiasAdd/{label}", lambda tf, v1: tf.raw_ops.QuantizedBiasAdd(
        input=q("quint8", a), bias=q("quint8", b), min_input=f(0.0), max_input=f(1.0), min_bias=f(0.0), max_bias=f(1.0),
        out_type=tf.qint32)[0], error="INVALID_ARGUMENT")

for kind in ["quint8", "qint32"]:
    for label, low, high in [("around", -3.0, 9.0), ("small", -1.0, 2.0), ("off", 1.0, 10.0), ("zero", 0.0, 6.0)]:
        x = codes(kind, 3, 5)
        case(f"QuantizedRelu/{kind}/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizedRelu(
            features=q(kind, x), min_features=f(low), max_features=f(high), out_type=tf.as_dtype(kind))))
        case(f"QuantizedRelu6/{kind}/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizedRelu6(
            features=q(kind, x), min_features=f(low), max_features=f(high), out_type=tf.as_dtype(kind))))

for op in ["QuantizedAvgPool", "QuantizedMaxPool"]:
    for kind in ["quint8", "qint8"]:
        for padding in ["SAME", "VALID"]:
            for size, stride in [(2, 2), (3, 1), (3, 2)]:
                case(f"{op}/{kind}/{padding}/{size}/{stride}", lambda tf, v1: all_of(getattr(tf.raw_ops, op)(
                    input=q(kind, codes(kind, 2, 5, 6, 3)), min_input=f(-1.0), max_input=f(2.0), ksize=[1, size, size, 1],
                    strides=[1, stride, stride, 1], padding=padding)))
    for label, shape, size in [("batch", [1, 4, 4, 1], [2, 1, 1, 1]), ("depth", [1, 4, 4, 2], [1, 1, 1, 2]), ("rank", [4, 4, 1], [1, 2, 2, 1])]:
        if label == "depth" and op == "QuantizedMaxPool":
            continue
        case(f"{op}/{label}", lambda tf, v1: getattr(tf.raw_ops, op)(
            input=q("quint8", codes("quint8", *shape)), min_input=f(0.0), max_input=f(1.0), ksize=size, strides=[1, 1, 1, size[3]],
            padding="VALID")[0], error="INVALID_ARGUMENT" if label == "rank" else "UNIMPLEMENTED")

for kind in ["quint8", "qint32"]:
    for axis in [0, 1, 2]:
        shapes = [[2, 3, 2], [2, 3, 2], [2, 3, 2]]
        shapes[1][axis] = 1
        parts = [codes(kind, *s) for s in shapes]
        case(f"QuantizedConcat/{kind}/{axis}", lambda tf, v1: all_of(tf.raw_ops.QuantizedConcat(
            concat_dim=fed(axis), values=[q(kind, p) for p in parts], input_mins=[f(-1.0), f(0.0), f(-2.0)],
            input_maxes=[f(1.0), f(2.5), f(0.5)])))
    case(f"QuantizedConcat/{kind}/same", lambda tf, v1: all_of(tf.raw_ops.QuantizedConcat(
        concat_dim=fed(0), values=[q(kind, codes(kind, 2)), q(kind, codes(kind, 3))], input_mins=[f(-1.0), f(-1.0)],
        input_maxes=[f(1.0), f(1.0)])))
    case(f"QuantizedConcat/{kind}/empty", lambda tf, v1: all_of(tf.raw_ops.QuantizedConcat(
        concat_dim=fed(0), values=[q(kind, codes(kind, 3)), q(kind, codes(kind, 0))], input_mins=[f(-1.0), f(-3.0)],
        input_maxes=[f(1.0), f(1.0)])))
for label, dim, a, b in [("dim", 1, [1], [2]), ("negative", -1, [1], [2]), ("rank", 0, [1], [[2]]), ("sizes", 0, [[1]], [[1, 2]])]:
    case(f"QuantizedConcat/{label}", lambda tf, v1: tf.raw_ops.QuantizedConcat(
        concat_dim=fed(dim), values=[q("quint8", a), q("quint8", b)], input_mins=[f(0.0), f(0.0)], input_maxes=[f(1.0), f(1.0)])[0],
         error="INVALID_ARGUMENT")

for kind in ["quint8", "qint32"]:
    case(f"QuantizedReshape/{kind}", lambda tf, v1: all_of(tf.raw_ops.QuantizedReshape(
        tensor=q(kind, codes(kind, 2, 6)), shape=fed([3, -1]), input_min=f(-1.0), input_max=f(2.0))))
case("QuantizedReshape/sizes", lambda tf, v1: tf.raw_ops.QuantizedReshape(
    tensor=q("quint8", [1, 2, 3]), shape=fed([2]), input_min=f(-1.0), input_max=f(2.0))[0], error="INVALID_ARGUMENT")

for op in ["QuantizedAdd", "QuantizedMul"]:
    for label, (la, ha), (lb, hb) in [("around", (-1.0, 2.0), (-3.0, 1.5)), ("off", (1.0, 2.0), (3.0, 4.0)), ("uneven", (-0.01, 0.02), (-100.0, 200.0))]:
        for shape, other in [([2, 3], [2, 3]), ([2, 3], [3]), ([3], [2, 3]), ([2, 3], []), ([1], [4]), ([2, 1, 3], [3]), ([0], [1])]:
            case(f"{op}/{label}/{shape}/{other}", lambda tf, v1: all_of(getattr(tf.raw_ops, op)(
                x=q("quint8", codes("quint8", *shape)), y=q("quint8", codes("quint8", *other)), min_x=f(la), max_x=f(ha), min_y=f(lb),
                max_y=f(hb))))
    for label, shape, other, low, code in [
            ("shapes", [2], [3], 0.0, "INVALID_ARGUMENT"),
            ("range", [2], [2], 1.0, "INVALID_ARGUMENT"), ("vector", [2], [2], [0.0], "INVALID_ARGUMENT")]:
        case(f"{op}/{label}", lambda tf, v1: getattr(tf.raw_ops, op)(
            x=q("quint8", codes("quint8", *shape)), y=q("quint8", codes("quint8", *other)), min_x=f(low), max_x=f(1.0), min_y=f(0.0),
            max_y=f(1.0))[0], error=code)

for label, attrs in [("plain", {}), ("given", dict(output_range_given=True, given_y_min=-2.0, given_y_max=1.0)),
                     ("apart", dict(min_separation=10.0)), ("epsilon", dict(variance_epsilon=0.5))]:
    case(f"QuantizedInstanceNorm/{label}", lambda tf, v1: all_of(tf.raw_ops.QuantizedInstanceNorm(
        x=q("quint8", codes("quint8", 2, 3, 4, 3)), x_min=f(-1.0), x_max=f(3.0), **attrs)))
for label, low, attrs in [("range", 3.0, {}), ("given", 0.0, dict(output_range_given=True, given_y_min=1.0, given_y_max=1.0)),
                          ("vector", [0.0, 1.0], {})]:
    case(f"QuantizedInstanceNorm/{label}/error", lambda tf, v1: tf.raw_ops.QuantizedInstanceNorm(
        x=q("quint8", codes("quint8", 1, 2, 2, 1)), x_min=f(low), x_max=f(3.0), **attrs)[0], error="INVALID_ARGUMENT")

for scale in [True, False]:
    case(f"QuantizedBatchNormWithGlobalNormalization/{scale}", lambda tf, v1: all_of(
        tf.raw_ops.QuantizedBatchNormWithGlobalNormalization(
            t=q("quint8", codes("quint8", 1, 2, 3, 2)), t_min=f(-2.0), t_max=f(3.0), m=q("quint8", [100, 150]), m_min=f(-1.0), m_max=f(1.0),
            v=q("quint8", [20, 200]), v_min=f(0.0), v_max=f(2.0), beta=q("quint8", [3, 90]), beta_min=f(-1.0), beta_max=f(1.0),
            gamma=q("quint8", [30, 9]), gamma_min=f(0.0), gamma_max=f(4.0), out_type=tf.qint32, variance_epsilon=0.001,
            scale_after_normalization=scale)))
case("QuantizedBatchNormWithGlobalNormalization/rank", lambda tf, v1: tf.raw_ops.QuantizedBatchNormWithGlobalNormalization(
    t=q("quint8", [[1]]), t_min=f(-2.0), t_max=f(3.0), m=q("quint8", [100]), m_min=f(-1.0), m_max=f(1.0), v=q("quint8", [20]), v_min=f(0.0),
    v_max=f(2.0), beta=q("quint8", [3]), beta_min=f(-1.0), beta_max=f(1.0), gamma=q("quint8", [30]), gamma_min=f(0.0), gamma_max=f(4.0),
    out_type=tf.qint32, variance_epsilon=0.001, scale_after_normalization=True)[0], error="INVALID_ARGUMENT")

for kind in ["quint8", "qint32", "float32"]:
    for channels in [1, 2, 3]:
        for size in [[7, 9], [2, 3], [4, 5]]:
            for corners, half in [(False, False), (True, False), (False, True)]:
                if channels != 1 and size != [7, 9]:
                    continue
                shape = [2 if channels == 2 else 1, 4, 5, channels]
                images = numbers(*shape) if kind == "float32" else codes(kind, *shape, low=-10**6 if kind == "qint32" else 0)
                case(f"QuantizedResizeBilinear/{kind}/{channels}/{size}/{corners}/{half}", lambda tf, v1: all_of(
                    tf.raw_ops.QuantizedResizeBilinear(
                        images=fed(images) if kind == "float32" else q(kind, images), size=fed(size), min=f(-1.0), max=f(2.0), align_corners=corners,
                        half_pixel_centers=half)))
case("QuantizedResizeBilinear/vector", lambda tf, v1: tf.raw_ops.QuantizedResizeBilinear(
    images=q("quint8", codes("quint8", 1, 2, 2, 1)), size=fed([3, 3]), min=f([0.0]), max=f(1.0))[0], error="INVALID_ARGUMENT")

# Uniform quantization

for kind, low, high in [("qint8", -128, 127), ("quint8", 0, 255), ("qint32", -2**31, 2**31 - 1), ("qint8", -127, 100)]:
    attrs = dict(quantization_min_val=low, quantization_max_val=high)
    x = numbers(2, 3, low=-30, high=30)
    case(f"UniformQuantize/{kind}/{low}", lambda tf, v1: tf.raw_ops.UniformQuantize(
        input=fed(x), scales=f(0.25), zero_points=fed(3), Tout=tf.as_dtype(kind), **attrs))
    case(f"UniformQuantize/{kind}/{low}/axis", lambda tf, v1: tf.raw_ops.UniformQuantize(
        input=fed(x), scales=f([0.25, 0.1, 3.0]), zero_points=fed([3, -20, 0]), Tout=tf.as_dtype(kind), quantization_axis=1, **attrs))
    case(f"UniformDequantize/{kind}/{low}", lambda tf, v1: tf.raw_ops.UniformDequantize(
        input=q(kind, codes(kind, 2, 3)), scales=f(0.25), zero_points=fed(3), Tout=tf.float32, **attrs))
    case(f"UniformDequantize/{kind}/{low}/axis", lambda tf, v1: tf.raw_ops.UniformDequantize(
        input=q(kind, codes(kind, 2, 3)), scales=f([0.25, 0.1, 3.0]), zero_points=fed([3, -20, 0]), Tout=tf.float32, quantization_axis=1,
        **attrs))
EIGHT = dict(quantization_min_val=-128, quantization_max_val=127)
for scale in [0.0, -1.0]:
    case(f"UniformDequantize/scale/{scale}", lambda tf, v1, scale=scale: tf.raw_ops.UniformDequantize(
        input=q("qint8", codes("qint8", 2, 3)), scales=f(scale), zero_points=fed(3), Tout=tf.float32, **EIGHT),
        error="INVALID_ARGUMENT")
for label, scales, zeros, axis in [("shapes", [0.5], 3, -1), ("axis", 0.5, 3, 2), ("vector", [0.5], [3], -1), ("sizes", [0.5], [3], 0),
                                   ("below", 0.5, 3, -2)]:
    case(f"UniformQuantize/{label}", lambda tf, v1: tf.raw_ops.UniformQuantize(
        input=f([[1.0], [2.0]]), scales=f(scales), zero_points=fed(zeros), Tout=tf.qint8, quantization_axis=axis, **EIGHT),
         error="INVALID_ARGUMENT")
for source in ["qint8", "qint32"]:
    x = codes(source, 3, 4, low=-5000 if source == "qint32" else None, high=5000 if source == "qint32" else None)
    attrs = dict(Tout="qint8", input_quantization_min_val=-128, input_quantization_max_val=127, output_quantization_min_val=-100,
                 output_quantization_max_val=120)
    for label, si, zi, so, zo, ai, ao in [
            ("plain", 0.5, 3, 0.2, -4, -1, -1), ("in", [0.5, 0.1, 2.0], [3, 0, -9], 0.2, -4, 0, -1), ("out", 0.5, 3, [0.2, 0.3, 4.0], [0, 1, 2], -1, 0),
            ("both", [0.5, 0.1, 2.0], [3, 0, -9], [0.2, 0.3, 4.0], [0, 1, 2], 0, 0), ("same", 0.5, 3, 0.5, -4, -1, -1)]:
        case(f"UniformRequantize/{source}/{label}", lambda tf, v1: tf.raw_ops.UniformRequantize(
            input=q(source, x), input_scales=f(si), input_zero_points=fed(zi), output_scales=f(so), output_zero_points=fed(zo),
            input_quantization_axis=ai, output_quantization_axis=ao, **{**attrs, "Tout": tf.qint8}))
for label, si, so, ai, ao in [("positive", -0.5, 0.2, -1, -1), ("axes", [0.5] * 2, [0.2] * 2, 0, 1)]:
    case(f"UniformRequantize/{label}", lambda tf, v1: tf.raw_ops.UniformRequantize(
        input=q("qint8", [[1, 2], [3, 4]]), input_scales=f(si), input_zero_points=fed(np.zeros(np.shape(si), np.int32)), output_scales=f(so),
        output_zero_points=fed(np.zeros(np.shape(so), np.int32)), input_quantization_axis=ai, output_quantization_axis=ao, Tout=tf.qint8,
        input_quantization_min_val=-128, input_quantization_max_val=127, output_quantization_min_val=-128,
        output_quantization_max_val=127), error="INVALID_ARGUMENT")

THREE = {f"{side}_quantization_{end}_val": value for side, values in [("lhs", (-128, 127)), ("rhs", (-128, 127)), ("output", (-2**31, 2**31 - 1))]
         for end, value in zip(["min", "max"], values)}
FOUR = {**THREE, "output_quantization_min_val": -1000, "output_quantization_max_val": 2000}
for label, sr, zr, so, zo, ar, ao in [
        ("plain", 0.5, 3, 0.01, -4, -1, -1), ("channel", [0.5, 0.25], [3, -3], 0.01, -4, 1, -1),
        ("both", [0.5, 0.25], [3, -3], [0.01, 0.02], [5, 6], 1, 1)]:
    case(f"UniformQuantizedDot/{label}", lambda tf, v1: tf.raw_ops.UniformQuantizedDot(
        lhs=q("qint8", codes("qint8", 3, 4)), rhs=q("qint8", codes("qint8", 4, 2)), lhs_scales=f(0.25), lhs_zero_points=fed(7), rhs_scales=f(sr),
        rhs_zero_points=fed(zr), output_scales=f(so), output_zero_points=fed(zo), Tout=tf.qint32, rhs_quantization_axis=ar,
        output_quantization_axis=ao, **FOUR))
    case(f"UniformQuantizedDotHybrid/{label}", lambda tf, v1: tf.raw_ops.UniformQuantizedDotHybrid(
        lhs=fed(numbers(3, 4)), rhs=q("qint8", codes("qint8", 4, 2)), rhs_scales=f(sr), rhs_zero_points=fed(zr), Tout=tf.float32,
        rhs_quantization_axis=ar, rhs_quantization_min_val=-128, rhs_quantization_max_val=127))
case("UniformQuantizedDotHybrid/zeros", lambda tf, v1: tf.raw_ops.UniformQuantizedDotHybrid(
    lhs=f([[0.0, 0.0], [1.0, 2.0], [-1.0, -2.0]]), rhs=q("qint8", [[1], [2]]), rhs_scales=f(0.5), rhs_zero_points=fed(1), Tout=tf.float32,
    rhs_quantization_min_val=-128, rhs_quantization_max_val=127))
for label, a, b, sl, zl, axes, code in [
        ("rank", [1], [[1]], 0.5, 0, {}, "INVALID_ARGUMENT"), ("sizes", [[1, 2]], [[1]], 0.5, 0, {}, "INVALID_ARGUMENT"),
        ("scales", [[1]], [[1]], -0.5, 0, {}, "INVALID_ARGUMENT"), ("lhs", [[1]], [[1]], [0.5], [0], dict(lhs_quantization_axis=0), "INVALID_ARGUMENT"),
        ("rhs", [[1]], [[1]], 0.5, 0, dict(rhs_quantization_axis=0), "INVALID_ARGUMENT"),
        ("output", [[1]], [[1]], 0.5, 0, dict(output_quantization_axis=0), "INVALID_ARGUMENT")]:
    case(f"UniformQuantizedDot/{label}", lambda tf, v1: tf.raw_ops.UniformQuantizedDot(
        lhs=q("qint8", a), rhs=q("qint8", b), lhs_scales=f(sl), lhs_zero_points=fed(zl), rhs_scales=f(0.5), rhs_zero_points=fed(0), output_scales=f(0.5),
        output_zero_points=fed(0), Tout=tf.qint32, **{**THREE, **axes}), error=code)

for label, shape, other, axes in [
        ("same", [3, 2], [3, 2], (-1, -1, -1)), ("row", [3, 2], [2], (-1, -1, -1)), ("scalar", [], [2], (-1, -1, -1)),
        ("axis", [3, 2], [2], (1, 0, 1)), ("lhs", [3, 2], [3, 2], (1, -1, -1))]:
    scales = lambda axis: f(0.5) if axis < 0 else f([0.5, 0.2])
    zeros = lambda axis: fed(3) if axis < 0 else fed([3, -4])
    case(f"UniformQuantizedAdd/{label}", lambda tf, v1: tf.raw_ops.UniformQuantizedAdd(
        lhs=q("qint32", codes("qint32", *shape, low=-9000, high=9000)), rhs=q("qint32", codes("qint32", *other, low=-9000, high=9000)),
        lhs_scales=scales(axes[0]), lhs_zero_points=zeros(axes[0]), rhs_scales=f(0.1) if axes[1] < 0 else f([0.1, 0.7]),
        rhs_zero_points=zeros(axes[1]), output_scales=f(0.05) if axes[2] < 0 else f([0.3, 0.02]), output_zero_points=zeros(axes[2]),
        lhs_quantization_axis=axes[0], rhs_quantization_axis=axes[1], output_quantization_axis=axes[2], **{**FOUR, "output_quantization_max_val": 80000}))
for label, shape, other, axes in [("shapes", [3, 2], [3], (-1, -1, -1)), ("axes", [2, 2], [2, 2], (0, -1, 1))]:
    case(f"UniformQuantizedAdd/{label}", lambda tf, v1: tf.raw_ops.UniformQuantizedAdd(
        lhs=q("qint32", codes("qint32", *shape)), rhs=q("qint32", codes("qint32", *other)), lhs_scales=scales(axes[0]),
        lhs_zero_points=zeros(axes[0]), rhs_scales=scales(axes[1]), rhs_zero_points=zeros(axes[1]), output_scales=scales(axes[2]),
        output_zero_points=zeros(axes[2]), lhs_quantization_axis=axes[0], rhs_quantization_axis=axes[1], output_quantization_axis=axes[2], **THREE),
         error="INVALID_ARGUMENT")
x = codes("qint32", 3, 2, low=-100, high=100)
case("UniformQuantizedClipByValue/plain", lambda tf, v1: tf.raw_ops.UniformQuantizedClipByValue(
    operand=q("qint32", x), min=q("qint32", -20), max=q("qint32", 30), scales=f(0.5), zero_points=fed(1), quantization_min_val=-128,
    quantization_max_val=127))
case("UniformQuantizedClipByValue/axis", lambda tf, v1: tf.raw_ops.UniformQuantizedClipByValue(
    operand=q("qint32", x), min=q("qint32", [-20, 0]), max=q("qint32", [30, 5]), scales=f([0.5, 1.0]), zero_points=fed([1, 2]), quantization_axis=1,
    quantization_min_val=-128, quantization_max_val=127))
case("UniformQuantizedClipByValue/shapes", lambda tf, v1: tf.raw_ops.UniformQuantizedClipByValue(
    operand=q("qint32", x), min=q("qint32", [-20]), max=q("qint32", 30), scales=f(0.5), zero_points=fed(1), quantization_min_val=-128,
    quantization_max_val=127), error="INVALID_ARGUMENT")

CONVOLUTION = [
    ("plain", [2, 3, 5, 4], [4, 3, 2, 3], {}), ("same", [1, 2, 5, 5], [3, 2, 3, 3], dict(padding="SAME", window_strides=[2, 2])),
    ("explicit", [1, 2, 4, 4], [2, 2, 3, 2], dict(padding="EXPLICIT", explicit_padding=[1, 0, 2, 1])),
    ("dilated", [1, 2, 4, 4], [2, 2, 2, 2], dict(lhs_dilation=[2, 1], rhs_dilation=[1, 2])),
    ("groups", [2, 4, 4, 4], [4, 2, 2, 2], dict(feature_group_count=2)),
    ("batches", [4, 2, 3, 3], [4, 2, 2, 2], dict(batch_group_count=2)),
    ("line", [2, 3, 6], [4, 3, 2], {}), ("volume", [1, 1, 3, 3, 3], [2, 1, 2, 2, 2], {}),
    ("layout", [1, 4, 5, 3], [2, 2, 3, 4], dict(layout=True)),
]


def numbers_of_dimensions():
    """The serialized message of channels-last dimension numbers."""
    parts = [(1, 0), (2, 3), (3, [1, 2]), (4, 2), (5, 3), (6, [0, 1]), (7, 0), (8, 3), (9, [1, 2])]
    out = b""
    for field, value in parts:
        if isinstance(value, list):
            out += bytes([field << 3 | 2, len(value), *value])
        else:
            out += bytes([field << 3, value])
    return out


for label, shape, kernel, attrs in CONVOLUTION:
    attrs = dict(padding="VALID", **attrs) if "padding" not in attrs else dict(attrs)
    if attrs.pop("layout", False):
        attrs["dimension_numbers"] = numbers_of_dimensions()
    out = kernel[3] if "dimension_numbers" in attrs else kernel[0]
    features = 3 if "dimension_numbers" in attrs else 0
    for channel in [False, True]:
        case(f"UniformQuantizedConvolution/{label}/{channel}", lambda tf, v1: tf.raw_ops.UniformQuantizedConvolution(
            lhs=q("qint8", codes("qint8", *shape)), rhs=q("qint8", codes("qint8", *kernel)), lhs_scales=f(0.25), lhs_zero_points=fed(7),
            rhs_scales=f([0.5, 0.25, 0.125, 1.0][:out]) if channel else f(0.5), rhs_zero_points=fed([3, -3, 0, 9][:out]) if channel else fed(3),
            output_scales=f([0.01, 0.02, 0.5, 0.3][:out]) if channel else f(0.02), output_zero_points=fed([1, 2, 3, 4][:out]) if channel else fed(-5),
            Tout=tf.qint32, rhs_quantization_axis=features if channel else -1,
            output_quantization_axis=(3 if "dimension_numbers" in attrs else 1) if channel else -1, **attrs, **THREE))
        case(f"UniformQuantizedConvolutionHybrid/{label}/{channel}", lambda tf, v1: tf.raw_ops.UniformQuantizedConvolutionHybrid(
            lhs=fed(numbers(*shape)), rhs=q("qint8", codes("qint8", *kernel)), rhs_scales=f([0.5, 0.25, 0.125, 1.0][:out]) if channel else f(0.5),
            rhs_zero_points=fed([3, -3, 0, 9][:out]) if channel else fed(3), Tout=tf.float32, rhs_quantization_axis=features if channel else -1,
            rhs_quantization_min_val=-128, rhs_quantization_max_val=127, **attrs))
for label, shape, kernel, attrs in [
        ("padding", [1, 1, 3, 3], [1, 1, 2, 2], dict(padding="MAYBE")), ("list", [1, 1, 3, 3], [1, 1, 2, 2], dict(padding="SAME", explicit_padding=[1, 1, 1, 1])),
        ("explicit", [1, 1, 3, 3], [1, 1, 2, 2], dict(padding="EXPLICIT", explicit_padding=[1])), ("ranks", [1, 1, 3], [1, 1, 2, 2], dict(padding="VALID")),
        ("features", [1, 3, 3, 3], [1, 2, 2, 2], dict(padding="VALID")), ("strides", [1, 1, 3, 3], [1, 1, 2, 2], dict(padding="VALID", window_strides=[1])),
        ("groups", [1, 3, 3, 3], [2, 1, 2, 2], dict(padding="VALID", feature_group_count=3)),
        ("batches", [3, 1, 3, 3], [2, 1, 2, 2], dict(padding="VALID", batch_group_count=2)),
        ("numbers", [1, 1, 3, 3], [1, 1, 2, 2], dict(padding="VALID", dimension_numbers=b"\xff"))]:
    case(f"UniformQuantizedConvolution/{label}/error", lambda tf, v1: tf.raw_ops.UniformQuantizedConvolution(
        lhs=q("qint8", codes("qint8", *shape)), rhs=q("qint8", codes("qint8", *kernel)), lhs_scales=f(0.25), lhs_zero_points=fed(7),
        rhs_scales=f(0.5), rhs_zero_points=fed(3), output_scales=f(0.02), output_zero_points=fed(-5), Tout=tf.qint32, **attrs, **THREE),
         error="INVALID_ARGUMENT")



# Values halfway between two codes.
MIDDLES = (np.arange(-40, 40) / 2).astype(np.float32)
for bits in [2, 3, 4, 8, 16]:
    for narrow in [False, True]:
        for low, high in [(-1, 1), (-6, 6), (0, 255), (0, 15), (-2, 2), (0, 1)]:
            options = {"num_bits": bits, "narrow_range": narrow}
            case(f"FakeQuantWithMinMaxArgs/middles/{bits}/{narrow}/{low}/{high}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxArgs(
                inputs=fed(MIDDLES), min=low, max=high, **options))
            case(f"FakeQuantWithMinMaxVars/middles/{bits}/{narrow}/{low}/{high}", lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVars(
                inputs=fed(MIDDLES), min=fed(np.float32(low)), max=fed(np.float32(high)), **options))
            case(f"FakeQuantWithMinMaxVarsPerChannel/middles/{bits}/{narrow}/{low}/{high}",
                 lambda tf, v1: tf.raw_ops.FakeQuantWithMinMaxVarsPerChannel(
                     inputs=fed(MIDDLES.reshape(40, 2)), min=fed(np.float32([low, low - 1])), max=fed(np.float32([high, high + 1])), **options))

write(__file__)
