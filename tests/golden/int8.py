"""Quantized layers, which TensorFlow's ops do not include. The expected results are computed with TensorFlow's ops: the
sums of products in float64, where they are exact, and the rest in float32, with one op for each operation."""

import base64

import numpy as np
import record
import tensorflow as tf
from record import v1, write

KINDS = {np.dtype("uint8"): tf.quint8, np.dtype("int8"): tf.qint8, np.dtype("float32"): tf.float32}
NUMBERS = np.random.RandomState(7)


def codes(*shape):
    """Codes of quint8, with the extreme ones more frequent."""
    return np.clip(NUMBERS.randint(-40, 296, shape), 0, 255).astype("uint8")


def weights(*shape):
    return np.clip(NUMBERS.randint(-150, 151, shape), -128, 127).astype("int8")


def floats(*shape, low=-1.0, high=1.0):
    return NUMBERS.uniform(low, high, shape).astype("float32")


def attr(value):
    if isinstance(value, tf.DType):
        return {"type": f"DT_{'FLOAT' if value == tf.float32 else value.name.upper()}"}
    if isinstance(value, str):
        return {"s": base64.b64encode(value.encode()).decode()}
    if isinstance(value, list):
        return {"list": {"i": [str(v) for v in value]}}
    if isinstance(value, float):
        return {"f": value if np.isfinite(value) else "NaN"}
    return {"i": str(value)}


def case(name, op, inputs, attrs, product, constant=(), error=None, steps=1):
    """A case of `op`: `inputs` by name; those in `constant` are constants of the graph. `product` is the sum of
    products as a float64 tensor, computed from the codes of input 0 minus the zero point."""
    nodes, feeds = [], {}
    for label, value in inputs.items():
        kind = KINDS[value.dtype]
        node = {"name": label, "op": "Placeholder", "attr": {"dtype": attr(kind)}}
        if label in constant:
            node = {"name": label, "op": "Const", "attr": {"dtype": attr(kind), "value": {"tensor": record._tensor(value, kind)}}}
        else:
            feeds[f"{label}:0"] = record._tensor(value, kind)
        nodes.append(node)
    nodes.append({"name": "layer", "op": op, "input": list(inputs), "attr": {k: attr(v) for k, v in attrs.items()}})
    run = {"feeds": feeds, "fetches": ["layer:0"], "targets": []}
    out_type = attrs.get("out_type", tf.float32)
    if error:
        run["error"] = error
    else:
        run["expect"] = [record._tensor(reference(list(inputs.values()), attrs, product), out_type)]
    record._written[name] = {"name": name, "graph": {"node": nodes, "versions": {"producer": 2474}}, "steps": [run] * steps,
                             "ops": sorted({node["op"] for node in nodes}), "rtol": 0.0, "atol": 0.0}


def reference(inputs, attrs, product):
    input, filter, scales, bias, *side = inputs
    with tf.Graph().as_default() as graph:
        centered = tf.cast(tf.constant(input), tf.float64) - float(attrs.get("input_zero_point", 0))
        sums = tf.cast(product(centered, tf.cast(tf.constant(filter), tf.float64)), tf.int32)
        factors = tf.constant(attrs["input_scale"], tf.float32) * tf.constant(scales)
        y = tf.cast(sums, tf.float32) * factors + tf.constant(bias)
        if side:
            zero = attrs.get("side_zero_point", 0)
            y += tf.cast(tf.cast(tf.constant(side[0]), tf.int32) - zero, tf.float32) * tf.constant(
                attrs.get("side_scale", 1.0), tf.float32)
        y = {"Identity": tf.identity, "Relu": tf.nn.relu, "Relu6": tf.nn.relu6}[attrs.get("activation", "Identity")](y)
        if attrs.get("out_type", tf.float32) == tf.quint8:
            reciprocal = tf.constant(1.0, tf.float32) / tf.constant(attrs.get("output_scale", 1.0), tf.float32)
            code = tf.round(y * reciprocal) + float(attrs.get("output_zero_point", 0))
            y = tf.cast(tf.clip_by_value(code, 0.0, 255.0), tf.uint8)
        with v1.Session(graph=graph, config=record._config(None)) as session:
            return session.run(y)


def conv2d(name, shape, filter, attrs, product=None, **options):
    attrs = {"strides": [1, 1, 1, 1], "padding": "SAME", "input_scale": 0.02, "input_zero_point": 37, **attrs}
    channels = filter[3] if product is None else filter[2] * filter[3]
    inputs = {"input": codes(*shape), "filter": weights(*filter), "filter_scales": floats(channels, low=0.001, high=0.01),
              "bias": floats(channels)}
    op = "LevadaQuantizedConv2D" if product is None else "LevadaQuantizedDepthwiseConv2D"
    explicit = attrs.get("explicit_paddings")
    padding = np.reshape(explicit, [4, 2]).tolist() if explicit else attrs["padding"]
    dilations = attrs.get("dilations", [1, 1, 1, 1])

    def convolution(x, w):
        return tf.nn.conv2d(x, w, attrs["strides"], padding, dilations=dilations)

    def own_filters(x, w):
        return tf.nn.depthwise_conv2d(x, w, attrs["strides"], padding, dilations=dilations[1:3])

    attrs["num_sides"] = attrs.get("num_sides", 0)
    if attrs["num_sides"]:
        with tf.Graph().as_default():
            side = (product and own_filters or convolution)(tf.zeros(shape), tf.zeros(filter)).shape
        inputs["side"] = codes(*side)
    inputs.update(options.pop("instead", {}))
    case(f"{op}/{name}", op, inputs, attrs, own_filters if product else convolution, **options)


AS_CODES = {"out_type": tf.quint8, "output_scale": 0.05, "output_zero_point": 101}
SIDE = {"num_sides": 1, "side_scale": 0.013, "side_zero_point": 5}
for activation in ["Identity", "Relu", "Relu6"]:
    for label, attrs in {"floats": {}, "codes": AS_CODES, "floats_side": SIDE, "codes_side": {**AS_CODES, **SIDE}}.items():
        conv2d(f"{activation}/{label}", [2, 5, 6, 3], [3, 2, 3, 20], {"activation": activation, **attrs})
        conv2d(f"{activation}/{label}", [2, 5, 6, 5], [3, 2, 5, 2], {"activation": activation, **attrs}, product=True)
EXPLICIT = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 3, 0, 0, 0]}
for label, attrs in {
    "valid": {"padding": "VALID"},
    "strides": {"strides": [1, 2, 3, 1]},
    "explicit": EXPLICIT,
    "dilated": {"dilations": [1, 2, 2, 1]},
    "dilated_columns": {"padding": "VALID", "dilations": [1, 1, 2, 1]},
    "zero_point_0": {"input_zero_point": 0, "out_type": tf.quint8, "output_scale": 0.03, "activation": "Relu"},
    "zero_point_255": {"input_zero_point": 255},
}.items():
    conv2d(label, [2, 7, 8, 3], [3, 3, 3, 4], attrs, constant=["filter"])
    if label != "strides":
        conv2d(label, [2, 7, 8, 3], [3, 3, 3, 1], attrs, product=True, constant=["filter"])
conv2d("strides", [1, 7, 8, 70], [3, 3, 70, 1], {"strides": [1, 2, 2, 1], **AS_CODES}, product=True)
conv2d("one_by_one", [1, 5, 5, 8], [1, 1, 8, 70], {**AS_CODES, **SIDE}, constant=["filter"])
conv2d("one_by_one_odd", [1, 3, 4, 7], [1, 1, 7, 33], {})
conv2d("one_by_one_strided", [1, 5, 5, 8], [1, 1, 8, 16], {"strides": [1, 2, 2, 1]})
conv2d("groups", [1, 5, 4, 12], [3, 3, 4, 9], {**AS_CODES, **SIDE})
conv2d("groups_dilated", [1, 5, 4, 6], [2, 2, 3, 8], {"dilations": [1, 1, 2, 1]})
conv2d("kept", [1, 4, 4, 16], [3, 3, 16, 24], AS_CODES, constant=["filter", "filter_scales", "bias"], steps=2)
conv2d("no_images", [0, 4, 4, 3], [3, 3, 3, 4], {})
conv2d("no_images", [0, 4, 4, 3], [3, 3, 3, 1], AS_CODES, product=True)
FAULTS = {
    "scale": {"input_scale": 0.0}, "scale_nan": {"input_scale": float("nan")}, "zero_point": {"input_zero_point": 256},
    "output_scale": {"output_scale": -1.0}, "output_zero_point": {"output_zero_point": -1},
    "side_zero_point": {"num_sides": 1, "side_zero_point": 300},
}
for label, attrs in FAULTS.items():
    conv2d(label, [1, 3, 3, 2], [2, 2, 2, 3], attrs, error="INVALID_ARGUMENT")
for label, instead in {
    "bias": {"bias": floats(2)}, "bias_rank": {"bias": floats(3, 1)}, "scales": {"filter_scales": floats(4)},
    "depth": {"input": codes(1, 3, 3, 3)}, "rank": {"input": codes(3, 3, 2)}, "filter_rank": {"filter": weights(2, 2, 6)},
}.items():
    conv2d(label, [1, 3, 3, 2], [2, 2, 2, 3], {}, instead=instead, error="INVALID_ARGUMENT")
    if label != "filter_rank":
        conv2d(label, [1, 3, 3, 2], [2, 2, 2, 3], {}, product=True, instead=instead, error="INVALID_ARGUMENT")
conv2d("side", [1, 3, 3, 2], [2, 2, 2, 3], SIDE, instead={"side": codes(1, 3, 3, 2)}, error="INVALID_ARGUMENT")


def mat_mul(name, shape, columns, attrs, **options):
    attrs = {"input_scale": 0.02, "input_zero_point": 130, "num_sides": 0, **attrs}
    inputs = {"input": codes(*shape), "filter": weights(shape[-1], columns),
              "filter_scales": floats(columns, low=0.001, high=0.01), "bias": floats(columns)}
    if attrs["num_sides"]:
        inputs["side"] = codes(*shape[:-1], columns)
    inputs.update(options.pop("instead", {}))
    case(f"LevadaQuantizedMatMul/{name}", "LevadaQuantizedMatMul", inputs, attrs,
         lambda x, w: tf.linalg.matmul(x, tf.broadcast_to(w, x.shape[:-2] + w.shape)), **options)


for activation in ["Identity", "Relu", "Relu6"]:
    for label, attrs in {"floats": {}, "codes": AS_CODES, "codes_side": {**AS_CODES, **SIDE}}.items():
        mat_mul(f"{activation}/{label}", [3, 9], 20, {"activation": activation, **attrs})
mat_mul("one_row", [1, 64], 40, AS_CODES, constant=["filter"], steps=2)
mat_mul("many_rows", [30, 8], 5, {})
mat_mul("batch", [2, 3, 4], 5, SIDE)
mat_mul("empty", [0, 4], 5, {})
mat_mul("no_columns", [2, 4], 0, {})
mat_mul("no_depth", [2, 0], 3, AS_CODES)
for label, attrs in FAULTS.items():
    mat_mul(label, [2, 4], 5, attrs, error="INVALID_ARGUMENT")
for label, instead in {
    "bias": {"bias": floats(2)}, "scales": {"filter_scales": floats(5, 1)}, "depth": {"input": codes(2, 3)},
    "filter_rank": {"filter": weights(20)},
}.items():
    mat_mul(label, [2, 4], 5, {}, instead=instead, error="INVALID_ARGUMENT")
mat_mul("side", [2, 4], 5, SIDE, instead={"side": codes(2, 4)}, error="INVALID_ARGUMENT")
mat_mul("deep", [0, 65537], 0, {}, error="UNIMPLEMENTED")

write(__file__)
