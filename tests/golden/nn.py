"""Records convolutions, pooling, normalization and their gradients."""

import numpy as np
import tensorflow as tf
from record import case, internal, same, write
from record import fed as feed

FLOATS = ["float16", "bfloat16", "float32", "float64"]


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def numbers(*shape, seed=0):
    """Small values with few digits, no two neighbours alike."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 37 + seed * 11) % 29).reshape(shape) - 14) / 8.0


def sizes(*values):
    return fed(values, "int32")


def attrs(op, spatial=2, **given):
    ones = [1] * (spatial + 2)
    return {"strides": ones, "padding": "SAME", **({"dilations": ones} if op.startswith(("Conv", "Depth")) else {}), **given}


def output(input, filter, strides, dilations, padding, explicit=None):
    """Sizes of a convolution's result."""
    out = []
    for i, (n, k) in enumerate(zip(input, filter)):
        extent = (k - 1) * dilations[i] + 1
        if padding == "SAME":
            out.append(-(-n // strides[i]))
        else:
            out.append((n + (sum(explicit[i]) if explicit else 0) - extent) // strides[i] + 1)
    return out


# Convolutions and both gradients.
CONVOLUTIONS = {
    "same": ((2, 5, 4, 3), (3, 2, 3, 4), {}),
    "valid": ((2, 5, 4, 3), (3, 2, 3, 4), {"padding": "VALID"}),
    "strided": ((1, 7, 6, 2), (3, 3, 2, 3), {"strides": [1, 2, 3, 1]}),
    "strided_valid": ((1, 7, 6, 2), (2, 3, 2, 3), {"strides": [1, 2, 2, 1], "padding": "VALID"}),
    "gaps": ((1, 7, 6, 2), (2, 1, 2, 3), {"strides": [1, 3, 2, 1]}),
    "dilated": ((1, 7, 7, 2), (3, 2, 2, 2), {"dilations": [1, 2, 3, 1]}),
    "explicit": ((1, 4, 4, 2), (3, 3, 2, 2), {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 0, 3, 0, 0]}),
    "pointwise": ((2, 3, 3, 4), (1, 1, 4, 5), {}),
    "pointwise_strided": ((2, 4, 5, 3), (1, 1, 3, 2), {"strides": [1, 2, 2, 1]}),
    "large_filter": ((1, 2, 3, 2), (5, 4, 2, 2), {}),
}


def add_convolutions():
    for name, (x, f, given) in CONVOLUTIONS.items():
        a = attrs("Conv2D", **given)
        explicit = a.get("explicit_paddings")
        pads = [explicit[2:4], explicit[4:6]] if explicit else None
        hw = output(x[1:3], f[:2], a["strides"][1:3], a["dilations"][1:3], a["padding"], pads)
        y = (x[0], *hw, f[3])

        def forward(tf, v1, dtype="float32", x=x, f=f, a=a):
            return tf.raw_ops.Conv2D(input=fed(numbers(*x), dtype), filter=fed(numbers(*f, seed=1), dtype), **a)

        case(f"Conv2D/{name}", forward)
        if name in ("same", "strided"):
            for dtype in FLOATS:
                case(f"Conv2D/{name}/{dtype}", lambda tf, v1, dtype=dtype: forward(tf, v1, dtype))
            first = {**a, "data_format": "NCHW", "strides": [1, 1, *a["strides"][1:3]]}
            case(f"Conv2D/{name}/NCHW", lambda tf, v1, first=first: tf.raw_ops.Conv2D(
                input=fed(numbers(*x).transpose(0, 3, 1, 2), "float32"), filter=fed(numbers(*f, seed=1), "float32"), **first))
        case(f"Conv2DBackpropInput/{name}", lambda tf, v1, x=x, f=f, a=a, y=y: tf.raw_ops.Conv2DBackpropInput(
            input_sizes=sizes(*x), filter=fed(numbers(*f), "float32"), out_backprop=fed(numbers(*y), "float32"), **a))
        case(f"Conv2DBackpropFilter/{name}", lambda tf, v1, x=x, f=f, a=a, y=y: tf.raw_ops.Conv2DBackpropFilter(
            input=fed(numbers(*x), "float32"), filter_sizes=sizes(*f), out_backprop=fed(numbers(*y), "float32"), **a))
    case("Conv2D/int32", lambda tf, v1: tf.raw_ops.Conv2D(
        input=fed(np.arange(50).reshape(1, 5, 5, 2), "int32"), filter=fed(np.arange(36).reshape(3, 3, 2, 2), "int32"),
        **attrs("Conv2D")))
    for groups, filters in [(2, 4), (4, 4), (4, 8)]:
        case(f"Conv2D/groups{groups}_{filters}", lambda tf, v1, groups=groups, filters=filters: tf.raw_ops.Conv2D(
            input=fed(numbers(1, 4, 3, 4), "float32"), filter=fed(numbers(2, 3, 4 // groups, filters), "float32"),
            **attrs("Conv2D")))
    for what, x, f in [("channels", (1, 5, 5, 4), (3, 3, 3, 4)), ("groups", (1, 5, 5, 4), (3, 3, 2, 3)),
                       ("no_taps", (1, 5, 5, 3), (0, 3, 3, 2))]:
        case(f"Conv2D/wrong_{what}", lambda tf, v1, x=x, f=f: tf.raw_ops.Conv2D(
            input=fed(numbers(*x), "float32"), filter=fed(numbers(*f), "float32"), **attrs("Conv2D")),
            error="INVALID_ARGUMENT")
    case("Conv2D/wrong_strides", lambda tf, v1: tf.raw_ops.Conv2D(
        input=fed(numbers(1, 5, 5, 2), "float32"), filter=fed(numbers(3, 3, 2, 2), "float32"),
        **attrs("Conv2D", strides=[1, 1, 1, 2])), error="UNIMPLEMENTED")

    # Depthwise.
    for name, (x, f, given) in {
        "same": ((2, 5, 4, 3), (3, 2, 3, 1), {}),
        "multiplier": ((1, 5, 4, 3), (2, 2, 3, 2), {"padding": "VALID"}),
        "strided": ((1, 6, 7, 2), (3, 3, 2, 1), {"strides": [1, 2, 2, 1]}),
        "wide": ((1, 3, 4, 35), (2, 2, 35, 1), {}),
        "explicit": ((1, 4, 4, 2), (3, 3, 2, 2), {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 0, 1, 0, 0]}),
    }.items():
        a = attrs("Depth", **given)
        explicit = a.get("explicit_paddings")
        pads = [explicit[2:4], explicit[4:6]] if explicit else None
        y = (x[0], *output(x[1:3], f[:2], a["strides"][1:3], [1, 1], a["padding"], pads), f[2] * f[3])
        for dtype in FLOATS if name == "same" else ["float32"]:
            case(f"DepthwiseConv2dNative/{name}/{dtype}", lambda tf, v1, x=x, f=f, a=a, dtype=dtype:
                 tf.raw_ops.DepthwiseConv2dNative(
                     input=fed(numbers(*x), dtype), filter=fed(numbers(*f, seed=1), dtype), **a))
        case(f"DepthwiseConv2dNativeBackpropInput/{name}", lambda tf, v1, x=x, f=f, a=a, y=y:
             tf.raw_ops.DepthwiseConv2dNativeBackpropInput(
                 input_sizes=sizes(*x), filter=fed(numbers(*f), "float32"), out_backprop=fed(numbers(*y), "float32"), **a))
        case(f"DepthwiseConv2dNativeBackpropFilter/{name}", lambda tf, v1, x=x, f=f, a=a, y=y:
             tf.raw_ops.DepthwiseConv2dNativeBackpropFilter(
                 input=fed(numbers(*x), "float32"), filter_sizes=sizes(*f), out_backprop=fed(numbers(*y), "float32"), **a))

    # Weights that are not finite, under which zeros around the images would become NaN.
    for channels in [3, 40]:
        weights = np.ones((3, 3, channels, 1))
        weights[0, 0], weights[2, 1] = np.inf, np.nan
        case(f"DepthwiseConv2dNative/infinite/{channels}", lambda tf, v1, w=weights, c=channels:
             tf.raw_ops.DepthwiseConv2dNative(
                 input=fed(numbers(1, 4, 4, c), "float32"), filter=fed(w, "float32"), **attrs("Depth")))

    # Volumes and the generic op.
    for name, given in {"same": {}, "valid": {"padding": "VALID"}, "strided": {"strides": [1, 2, 1, 2, 1]}}.items():
        a = attrs("Conv3D", 3, **given)
        x, f = (1, 3, 4, 3, 2), (2, 3, 2, 2, 2)
        y = (1, *output(x[1:4], f[:3], a["strides"][1:4], [1] * 3, a["padding"]), 2)
        for dtype in FLOATS if name == "same" else ["float32"]:
            case(f"Conv3D/{name}/{dtype}", lambda tf, v1, a=a, dtype=dtype: tf.raw_ops.Conv3D(
                input=fed(numbers(*x), dtype), filter=fed(numbers(*f, seed=1), dtype), **a))
        case(f"Conv3DBackpropInputV2/{name}", lambda tf, v1, a=a, y=y: tf.raw_ops.Conv3DBackpropInputV2(
            input_sizes=sizes(*x), filter=fed(numbers(*f), "float32"), out_backprop=fed(numbers(*y), "float32"), **a))
        case(f"Conv3DBackpropFilterV2/{name}", lambda tf, v1, a=a, y=y: tf.raw_ops.Conv3DBackpropFilterV2(
            input=fed(numbers(*x), "float32"), filter_sizes=sizes(*f), out_backprop=fed(numbers(*y), "float32"), **a))
    case("Conv/batch_dims", lambda tf, v1: tf.raw_ops.Conv(
        input=fed(numbers(2, 1, 4, 4, 2), "float32"), filter=fed(numbers(3, 2, 2, 3), "float32"), strides=[1] * 4,
        padding="SAME", batch_dims=2))
    case("Conv/no_batch", lambda tf, v1: tf.raw_ops.Conv(
        input=fed(numbers(4, 4, 2), "float32"), filter=fed(numbers(3, 2, 2, 3), "float32"), strides=[1] * 4,
        padding="VALID", batch_dims=0))
    case("Conv/volumes", lambda tf, v1: tf.raw_ops.Conv(
        input=fed(numbers(1, 3, 4, 4, 2), "float32"), filter=fed(numbers(2, 3, 2, 2, 3), "float32"), strides=[1] * 5,
        padding="VALID", batch_dims=1))
    case("Conv/wrong_depth", lambda tf, v1: tf.raw_ops.Conv(
        input=fed(numbers(1, 4, 4, 4), "float32"), filter=fed(numbers(3, 2, 2, 3), "float32"), strides=[1] * 4,
        padding="VALID"), error="INVALID_ARGUMENT")


def add_pooling():
    windows = {
        "valid": dict(ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"),
        "same": dict(ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME"),
        "small": dict(ksize=[1, 1, 2, 1], strides=[1, 2, 3, 1], padding="SAME"),
    }
    for name, a in windows.items():
        for dtype in FLOATS + (["int32", "int64", "uint8", "int8", "int16", "uint16"] if name == "same" else []):
            x = numbers(2, 5, 4, 2)
            x = x if dtype in FLOATS else np.abs(x * 8)
            case(f"MaxPool/{name}/{dtype}", lambda tf, v1, a=a, dtype=dtype, x=x: tf.raw_ops.MaxPool(
                input=fed(x, dtype), **a))
        for dtype in FLOATS:
            case(f"AvgPool/{name}/{dtype}", lambda tf, v1, a=a, dtype=dtype: tf.raw_ops.AvgPool(
                value=fed(numbers(2, 5, 4, 2), dtype), **a))
        case(f"MaxPoolV2/{name}", lambda tf, v1, a=a: tf.raw_ops.MaxPoolV2(
            input=fed(numbers(2, 5, 4, 2), "float32"), ksize=sizes(*a["ksize"]), strides=sizes(*a["strides"]),
            padding=a["padding"]))
        for batch in [False, True]:
            case(f"MaxPoolWithArgmax/{name}/{batch}", lambda tf, v1, a=a, batch=batch: list(tf.raw_ops.MaxPoolWithArgmax(
                input=fed(numbers(2, 5, 4, 2), "float32"), include_batch_in_index=batch, **a)))

        case(f"MaxPoolWithArgmax/{name}/empty", lambda tf, v1, a=a: tf.raw_ops.MaxPoolWithArgmax(
            input=fed(numbers(0, 5, 4, 2), "float32"), **a).argmax, error="INVALID_ARGUMENT")

        def grads(tf, v1, a=a, dtype="float32"):
            x = fed(numbers(2, 5, 4, 2), dtype)
            y = tf.raw_ops.MaxPool(input=x, **a)
            dy = tf.sin(tf.cast(tf.reshape(tf.range(tf.size(y)), tf.shape(y)), dtype))
            dx = tf.raw_ops.MaxPoolGrad(orig_input=x, orig_output=y, grad=dy, **a)
            average = tf.raw_ops.AvgPoolGrad(orig_input_shape=tf.shape(x), grad=dy, **a)
            return [dx, average, tf.raw_ops.MaxPoolGradGrad(orig_input=x, orig_output=y, grad=x * x, **a)]

        for dtype in ["float32", "float64"]:
            case(f"MaxPoolGrad/{name}/{dtype}", lambda tf, v1, grads=grads, dtype=dtype: grads(tf, v1, dtype=dtype))
    case("MaxPool/NCHW", lambda tf, v1: tf.raw_ops.MaxPool(
        input=fed(numbers(2, 3, 4, 5), "float32"), ksize=[1, 1, 2, 2], strides=[1, 1, 2, 1], padding="SAME",
        data_format="NCHW"))
    case("MaxPool/explicit", lambda tf, v1: tf.raw_ops.MaxPool(
        input=fed(numbers(1, 4, 4, 2), "float32"), ksize=[1, 3, 2, 1], strides=[1, 1, 2, 1], padding="EXPLICIT",
        explicit_paddings=[0, 0, 2, 1, 0, 1, 0, 0]))
    case("MaxPool/channels", lambda tf, v1: tf.raw_ops.MaxPool(
        input=fed(numbers(1, 2, 3, 4), "float32"), ksize=[1, 1, 1, 2], strides=[1, 1, 1, 2], padding="SAME"))
    case("MaxPool/nan", lambda tf, v1: tf.raw_ops.MaxPool(
        input=fed(np.array([np.nan, 1, 2, np.nan, np.nan, -np.inf]).reshape(1, 1, 6, 1), "float32"),
        ksize=[1, 1, 2, 1], strides=[1, 1, 2, 1], padding="VALID"))
    for what, a, code in [
        ("batch", dict(ksize=[2, 1, 1, 1], strides=[1] * 4), "UNIMPLEMENTED"),
        ("both", dict(ksize=[1, 2, 2, 2], strides=[1, 1, 1, 2]), "UNIMPLEMENTED"),
        ("size", dict(ksize=[1, 0, 2, 1], strides=[1] * 4), "INVALID_ARGUMENT"),
    ]:
        case(f"MaxPool/wrong_{what}", lambda tf, v1, a=a: tf.raw_ops.MaxPool(
            input=fed(numbers(2, 4, 4, 4), "float32"), padding="VALID", **a), error=code)
    case("MaxPoolV2/wrong_strides", lambda tf, v1: tf.raw_ops.MaxPoolV2(
        input=fed(numbers(1, 4, 4, 1), "float32"), ksize=sizes(1, 2, 2, 1), strides=sizes(1, 0, 1, 1), padding="SAME"),
        error="INVALID_ARGUMENT")
    case("MaxPoolGrad/wrong_shape", lambda tf, v1: tf.raw_ops.MaxPoolGrad(
        orig_input=fed(numbers(1, 4, 4, 1), "float32"), orig_output=fed(numbers(1, 2, 2, 1), "float32"),
        grad=fed(numbers(1, 3, 2, 1), "float32"), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"),
        error="INVALID_ARGUMENT")

    volume = dict(ksize=[1, 2, 3, 2, 1], strides=[1, 2, 1, 2, 1], padding="SAME")
    for dtype in ["bfloat16", "float32"]:
        def volumes(tf, v1, dtype=dtype):
            x = fed(numbers(1, 3, 4, 3, 2), dtype)
            y, average = tf.raw_ops.MaxPool3D(input=x, **volume), tf.raw_ops.AvgPool3D(input=x, **volume)
            return [y, average]
        case(f"MaxPool3D/{dtype}", volumes)

    def volume_grads(tf, v1):
        x = fed(np.round(numbers(1, 3, 4, 3, 2)), "float32")
        y = tf.raw_ops.MaxPool3D(input=x, **volume)
        return [tf.raw_ops.MaxPool3DGrad(orig_input=x, orig_output=y, grad=y * y, **volume),
                tf.raw_ops.MaxPool3DGradGrad(orig_input=x, orig_output=y, grad=x * x, **volume),
                tf.raw_ops.AvgPool3DGrad(orig_input_shape=tf.shape(x), grad=y, **volume)]
    case("MaxPool3DGrad/ties", volume_grads)


def add_normalization():
    for dtype in FLOATS + ["int32", "complex64", "uint8"]:
        case(f"BiasAdd/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.BiasAdd(
            value=fed(np.arange(12).reshape(2, 2, 3), dtype), bias=fed([1, 2, 3], dtype)))
        case(f"BiasAddGrad/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.BiasAddGrad(
            out_backprop=fed(np.arange(12).reshape(2, 2, 3), dtype)))
    for rank in [2, 3, 4, 5]:
        shape = [2, 3, 2, 1, 2][:rank]
        case(f"BiasAdd/NCHW{rank}", lambda tf, v1, shape=shape: [
            tf.raw_ops.BiasAdd(value=fed(numbers(*shape), "float32"), bias=fed([1.0, 2.0, 3.0]), data_format="NCHW"),
            tf.raw_ops.BiasAddGrad(out_backprop=fed(numbers(*shape), "float32"), data_format="NCHW")])
    case("BiasAdd/wrong", lambda tf, v1: tf.raw_ops.BiasAdd(value=fed(numbers(2, 3), "float32"), bias=fed([1.0, 2.0])),
         error="INVALID_ARGUMENT")
    case("BiasAdd/vector", lambda tf, v1: tf.raw_ops.BiasAdd(value=fed([1.0, 2.0]), bias=fed([1.0, 2.0])),
         error="INVALID_ARGUMENT")

    vectors = [np.array(v, np.float32) for v in ([1.0, 2.0, 0.5], [0.0, -1.0, 0.25], [0.1, 0.2, -0.3], [1.0, 0.5, 2.0])]
    none = np.zeros([0], np.float32)
    for version, dtypes in [("", ["float32"]), ("V2", ["float16", "float32"]), ("V3", ["float16", "bfloat16", "float32"])]:
        for dtype in dtypes:
            for what, given in {
                "inference": dict(is_training=False),
                "training": dict(is_training=True),
                "average": dict(is_training=True, exponential_avg_factor=0.25),
            }.items():
                def forward(tf, v1, version=version, dtype=dtype, given=given, what=what):
                    mean, variance = (none, none) if what == "training" else vectors[2:]
                    out = getattr(tf.raw_ops, "FusedBatchNorm" + version)(
                        x=fed(numbers(2, 3, 2, 3), dtype), scale=fed(vectors[0]), offset=fed(vectors[1]),
                        mean=fed(mean), variance=fed(variance), epsilon=0.01, **given)
                    return [out.y, out.batch_mean, out.batch_variance]
                case(f"FusedBatchNorm{version}/{what}/{dtype}", forward)
            for training in [False, True]:
                def backward(tf, v1, version=version, dtype=dtype, training=training):
                    third = {"reserve_space_3": fed(none)} if version == "V3" else {}
                    out = getattr(tf.raw_ops, f"FusedBatchNormGrad{version}")(
                        y_backprop=fed(numbers(2, 3, 2, 3, seed=3), dtype), x=fed(numbers(2, 3, 2, 3), dtype),
                        scale=fed(vectors[0]), reserve_space_1=fed(vectors[2]), reserve_space_2=fed(vectors[3]),
                        epsilon=0.01, is_training=training, **third)
                    return [out.x_backprop, out.scale_backprop, out.offset_backprop]
                case(f"FusedBatchNormGrad{version}/{training}/{dtype}", backward, atol=1e-4 if dtype == "float32" else None)
    for training in [False, True]:
        def first(tf, v1, training=training):
            out = tf.raw_ops.FusedBatchNormV3(
                x=fed(numbers(2, 3, 2, 2), "float32"), scale=fed(vectors[0]), offset=fed(vectors[1]),
                mean=fed(vectors[2]), variance=fed(vectors[3]), epsilon=0.01, is_training=training, data_format="NCHW")
            return [out.y, out.batch_mean, out.batch_variance]
        case(f"FusedBatchNormV3/NCHW/{training}", first)
    for what, given in [("scale", {"scale": np.ones(2, np.float32)}), ("mean", {"mean": none}),
                        ("rank", {"x": numbers(2, 3)})]:
        def wrong(tf, v1, given=given):
            given = {"x": numbers(1, 2, 2, 3), "scale": vectors[0], "offset": vectors[1], "mean": vectors[2],
                     "variance": vectors[3], **given}
            return tf.raw_ops.FusedBatchNormV3(
                **{k: fed(np.asarray(v), "float32") for k, v in given.items()}, is_training=False).y
        case(f"FusedBatchNormV3/wrong_{what}", wrong, error="INVALID_ARGUMENT")

    for dtype in ["float16", "float32"]:
        for what, given in {"default": {}, "radius1": dict(depth_radius=1, bias=2.0, alpha=0.5, beta=0.75)}.items():
            case(f"LRN/{what}/{dtype}", lambda tf, v1, dtype=dtype, given=given: tf.raw_ops.LRN(
                input=fed(numbers(1, 2, 2, 5), dtype), **given))
            case(f"LRNGrad/{what}/{dtype}", lambda tf, v1, dtype=dtype, given=given: tf.raw_ops.LRNGrad(
                input_grads=fed(numbers(1, 2, 2, 5, seed=2), dtype), input_image=fed(numbers(1, 2, 2, 5), dtype),
                output_image=fed(numbers(1, 2, 2, 5, seed=3), dtype), **given))


def add_morphology():
    for name, given in {
        "valid": dict(strides=[1] * 4, rates=[1] * 4, padding="VALID"),
        "same": dict(strides=[1, 2, 1, 1], rates=[1, 1, 2, 1], padding="SAME"),
    }.items():
        for dtype in ["float32", "int32", "float16", "uint8"]:
            def cast(v, dtype=dtype):
                return fed(v if dtype.startswith("float") else np.abs(v * 8), dtype)
            case(f"Dilation2D/{name}/{dtype}", lambda tf, v1, cast=cast, given=given: tf.raw_ops.Dilation2D(
                input=cast(numbers(1, 5, 4, 2)), filter=cast(numbers(2, 3, 2, seed=1)), **given))
        y = (1, 4, 2, 2) if name == "valid" else (1, 3, 4, 2)
        for op in ["Dilation2DBackpropInput", "Dilation2DBackpropFilter"]:
            case(f"{op}/{name}", lambda tf, v1, op=op, given=given, y=y: getattr(tf.raw_ops, op)(
                input=fed(numbers(1, 5, 4, 2), "float32"), filter=fed(numbers(2, 3, 2, seed=1), "float32"),
                out_backprop=fed(numbers(*y, seed=2), "float32"), **given))
    case("Dilation2D/wrong_depth", lambda tf, v1: tf.raw_ops.Dilation2D(
        input=fed(numbers(1, 5, 4, 2), "float32"), filter=fed(numbers(2, 3, 3), "float32"), strides=[1] * 4,
        rates=[1] * 4, padding="VALID"), error="INVALID_ARGUMENT")


add_convolutions()
add_pooling()
add_normalization()
add_morphology()
# TensorFlow has kernels for these on TPUs only: rows without equal elements have one order.
ROWS = np.random.RandomState(3).permutation(30).reshape(3, 10).astype("float32") - 12.5


def only(op, x, types, **attrs):
    return internal(op, [x], types, attrs)


def made_unique(x):
    columns = x.shape[1]
    mask = 2 ** int(np.ceil(np.log2(columns))) - 1
    least = tf.where(tf.math.is_nan(1.0 / x) | (tf.math.abs(x) > 0), x, tf.where(1.0 / x > 0, 1.1754943508222875e-38, -1.1754943508222875e-38))
    bits = tf.bitwise.bitwise_and(tf.bitcast(least, tf.int32), ~np.int32(mask))
    return tf.bitcast(tf.bitwise.bitwise_or(bits, tf.range(columns)), tf.float32)


for k in [1, 4, 10]:
    same(f"TopKUnique/{k}", [ROWS], lambda x: only("TopKUnique", x, [tf.float32, tf.int32], k=k), lambda x: list(tf.math.top_k(x, k)))
    same(f"TopKWithUnique/{k}", [np.round(ROWS / 4)], lambda x: only("TopKWithUnique", x, [tf.float32, tf.int32], k=k),
         lambda x: list(tf.math.top_k(made_unique(x), k)), rtol=0, atol=0)
    same(f"KthOrderStatistic/{k}", [np.round(ROWS / 4)], lambda x: only("KthOrderStatistic", x, [tf.float32], k=k),
         lambda x: [tf.math.top_k(x, k).values[:, -1]])
for label, value in [("rows", ROWS), ("equal", np.round(ROWS / 8)), ("one", ROWS[:, :1]), ("zeros", np.float32([[0, -0.0, 1, 0, 0]]))]:
    same(f"MakeUnique/{label}", [value], lambda x: only("MakeUnique", x, [tf.float32]), lambda x: [made_unique(x)], rtol=0, atol=0)

write(__file__)
