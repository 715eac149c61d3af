"""Records sliding windows, glimpses and resampling of images."""

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def numbers(*shape, seed=0):
    """Small values with few digits, no two neighbours alike."""
    return (((np.arange(int(np.prod(shape))) * 37 + seed * 11) % 29).reshape(shape) - 14) / 8


def patches(images, sizes, strides, rates=(1, 1), padding="VALID", dtype="float32"):
    return lambda tf, v1: tf.raw_ops.ExtractImagePatches(
        images=fed(images, dtype), ksizes=[1, *sizes, 1], strides=[1, *strides, 1], rates=[1, *rates, 1], padding=padding)


for padding in ["VALID", "SAME"]:
    for sizes, strides, rates in [((2, 3), (1, 1), (1, 1)), ((3, 2), (2, 3), (1, 1)), ((2, 2), (1, 2), (2, 2)), ((3, 3), (2, 1), (1, 2)),
                                  ((1, 1), (1, 1), (1, 1)), ((5, 6), (4, 4), (1, 1)), ((2, 2), (3, 4), (1, 3))]:
        name = "x".join(map(str, sizes + strides + rates))
        case(f"ExtractImagePatches/{padding}/{name}", patches(numbers(2, 5, 6, 3), sizes, strides, rates, padding))
    for dtype in ["bfloat16", "float16", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                  "complex64", "complex128"]:
        values = numbers(1, 3, 3, 2) * 8
        case(f"ExtractImagePatches/{padding}/{dtype}", patches(np.abs(values) if dtype[0] == "u" else values, (2, 2), (1, 1),
                                                              padding=padding, dtype=dtype))
    case(f"ExtractImagePatches/{padding}/no_images", patches(np.zeros([0, 4, 4, 1]), (2, 2), (1, 1), padding=padding))
    case(f"ExtractImagePatches/{padding}/no_channels", patches(np.zeros([1, 4, 4, 0]), (2, 2), (1, 1), padding=padding))
    case(f"ExtractImagePatches/{padding}/unknown_size", lambda tf, v1, padding=padding: tf.raw_ops.ExtractImagePatches(
        images=feed(numbers(1, 4, 4, 1).astype(np.float32), "float32", [None, None, 4, 1]), ksizes=[1, 3, 3, 1],
        strides=[1, 2, 2, 1], rates=[1, 1, 1, 1], padding=padding))
case("ExtractImagePatches/just_too_large", patches(numbers(1, 4, 4, 1), (5, 2), (1, 1)))
case("ExtractImagePatches/too_large_by_a_stride", patches(numbers(1, 4, 4, 1), (7, 2), (2, 1)))
case("ExtractImagePatches/wrong_rank", patches(numbers(4, 4, 1), (2, 2), (1, 1)), error="INVALID_ARGUMENT")
case("ExtractImagePatches/wrong_size", patches(numbers(1, 4, 4, 1), (7, 2), (1, 1)), error="INVALID_ARGUMENT")


def volumes(images, sizes, strides, padding="VALID", dtype="float32"):
    return lambda tf, v1: tf.raw_ops.ExtractVolumePatches(
        input=fed(images, dtype), ksizes=[1, *sizes, 1], strides=[1, *strides, 1], padding=padding)


for padding in ["VALID", "SAME"]:
    for sizes, strides in [((2, 2, 3), (1, 1, 1)), ((1, 3, 2), (2, 3, 1)), ((1, 1, 1), (1, 1, 1)), ((3, 4, 5), (2, 2, 2))]:
        case(f"ExtractVolumePatches/{padding}/" + "x".join(map(str, sizes + strides)),
             volumes(numbers(2, 3, 4, 5, 2), sizes, strides, padding))
    for dtype in ["bfloat16", "float16", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
        values = np.abs(numbers(1, 2, 3, 3, 2)) * 8
        case(f"ExtractVolumePatches/{padding}/{dtype}", volumes(values, (2, 2, 2), (1, 1, 1), padding, dtype))
    case(f"ExtractVolumePatches/{padding}/none", volumes(np.zeros([0, 2, 2, 2, 1]), (2, 2, 2), (1, 1, 1), padding))
case("ExtractVolumePatches/wrong_rank", volumes(numbers(1, 4, 4, 1), (2, 2, 2), (1, 1, 1)), error="INVALID_ARGUMENT")
case("ExtractVolumePatches/wrong_size", volumes(numbers(1, 2, 4, 4, 1), (5, 2, 2), (1, 1, 1)), error="INVALID_ARGUMENT")


def glimpse(op, size, offsets, images=numbers(2, 6, 7, 1), noise="zero", uniform_noise=False, **attrs):
    return lambda tf, v1: getattr(tf.raw_ops, op)(
        input=fed(images), size=fed(size, "int32"), offsets=fed(offsets), noise=noise, uniform_noise=uniform_noise, **attrs)


INSIDE = {"normalized": [[0.2, -0.1], [-0.25, 0.3]], "pixels": [[1.0, -1.0], [0.5, 2.0]]}
for op in ["ExtractGlimpse", "ExtractGlimpseV2"]:
    for centered in [True, False]:
        for name, offsets in INSIDE.items():
            attrs = {"centered": centered, "normalized": name == "normalized"}
            for size in [(3, 3), (2, 4), (8, 9)]:
                case(f"{op}/{centered}/{name}/{size[0]}x{size[1]}", glimpse(op, size, offsets, **attrs))
    for name, offsets in {"before": [[-2.0, -3.0], [-0.9, 0.0]], "behind": [[2.0, 3.0], [0.0, 0.9]],
                          "far": [[1e9, 0.0], [0.0, -1e9]]}.items():
        case(f"{op}/{name}", glimpse(op, (3, 4), offsets))
    for noise, uniform in [("uniform", True), ("", True), ("", False), ("gaussian", False), ("uniform", False)]:
        case(f"{op}/within/{noise}/{uniform}", glimpse(op, (2, 2), [[0.0, 0.0], [0.1, 0.1]], noise=noise, uniform_noise=uniform))
        case(f"{op}/even/{noise}/{uniform}", glimpse(op, (4, 4), [[0.9, 0.9]], np.ones([1, 5, 5, 2]), noise, uniform))
    case(f"{op}/nothing", glimpse(op, (2, 2), np.zeros([0, 2]), np.zeros([0, 3, 3, 1])))
    case(f"{op}/no_size", glimpse(op, (0, 2), [[0.0, 0.0]], numbers(1, 3, 3, 1)))
    for name, given in {"rank": {"images": numbers(6, 7, 2)}, "size": {"size": [3]}, "offsets": {"offsets": [0.0, 0.0]},
                        "batch": {"offsets": [[0.0, 0.0]]}, "columns": {"offsets": np.zeros([2, 3])},
                        "noise": {"noise": "pink"},
                        "negative": {"size": [-1, 2]}}.items():
        case(f"{op}/wrong_{name}", glimpse(op, **{"size": (2, 2), "offsets": np.zeros([2, 2]), **given}),
             error="INVALID_ARGUMENT")

KERNELS = ["lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic"]


def resample(size, scale, translation, images=numbers(1, 5, 6, 1), dtype="float32", **attrs):
    return lambda tf, v1: tf.raw_ops.ScaleAndTranslate(
        images=fed(images, dtype), size=fed(size, "int32"), scale=fed(scale), translation=fed(translation), **attrs)


def resample_grad(size, scale, translation, **attrs):
    return lambda tf, v1: tf.raw_ops.ScaleAndTranslateGrad(
        grads=fed(numbers(1, *size, 1)), original_image=fed(numbers(1, 5, 6, 1)), scale=fed(scale), translation=fed(translation), **attrs)


MOVES = {"larger": [(8, 9), (1.6, 1.5), (0.0, 0.0)], "smaller": [(3, 2), (0.6, 0.4), (0.0, 0.0)],
         "moved": [(5, 6), (1.0, 1.0), (1.3, -2.0)], "outside": [(4, 4), (0.5, 2.0), (-30.0, 3.0)],
         "both": [(7, 3), (1.3, 0.4), (-0.5, 0.7)]}
for kernel in KERNELS:
    for antialias in [True, False]:
        for name, (size, scale, translation) in MOVES.items():
            if not antialias and name not in ("smaller", "both"):
                continue
            attrs = {"kernel_type": kernel, "antialias": antialias}
            case(f"ScaleAndTranslate/{kernel}/{antialias}/{name}", resample(size, scale, translation, **attrs), atol=3e-6)
            case(f"ScaleAndTranslateGrad/{kernel}/{antialias}/{name}", resample_grad(size, scale, translation, **attrs), atol=3e-6)
for dtype in ["int8", "uint8", "int16", "uint16", "int32", "int64", "bfloat16", "float16", "float64"]:
    case(f"ScaleAndTranslate/{dtype}", resample((4, 7), (0.8, 1.2), (0.2, 0.1), np.abs(numbers(1, 5, 6, 1)) * 8, dtype), atol=1e-5)
case("ScaleAndTranslate/several", resample((4, 7), (0.8, 1.2), (0.2, 0.1), numbers(2, 5, 6, 2)), atol=3e-6)
case("ScaleAndTranslate/capitals", resample((4, 7), (0.8, 1.2), (0.2, 0.1), kernel_type="Triangle"))
case("ScaleAndTranslate/no_images", resample((4, 7), (0.8, 1.2), (0.2, 0.1), np.zeros([0, 3, 3, 1])))
case("ScaleAndTranslate/nan", resample((3, 3), (1.0, 1.0), (np.nan, 0.0)))
case("ScaleAndTranslate/infinite", resample((3, 3), (1.0, 1.0), (0.4, 0.0), np.where(numbers(1, 5, 6, 1) > 1, np.inf, 0.5)))
for name, given in {"rank": {"images": numbers(5, 6, 2)}, "size": {"size": (3,)}, "zero": {"size": (0, 3)}, "scale": {"scale": (0.0, 1.0)},
                    "scales": {"scale": (1.0,)}, "nan_scale": {"scale": (np.nan, 1.0)}, "translation": {"translation": (1.0, 2.0, 3.0)},
                    "pixels": {"images": np.zeros([1, 0, 3, 1])}, "channels": {"images": np.zeros([1, 3, 3, 0])}}.items():
    given = {"size": (4, 4), "scale": (1.0, 1.0), "translation": (0.0, 0.0), **given}
    case(f"ScaleAndTranslate/wrong_{name}", resample(**given), error="INVALID_ARGUMENT")
case("ScaleAndTranslate/wrong_kernel", resample((4, 4), (1.0, 1.0), (0.0, 0.0), kernel_type="cubic"), error="INVALID_ARGUMENT")


def project(transforms, size=(5, 6), images=numbers(2, 4, 5, 1), dtype="float32", interpolation="BILINEAR", fill_mode="CONSTANT",
            fill_value=None):
    def build(tf, v1):
        inputs = {"images": fed(images, dtype), "transforms": fed(transforms), "output_shape": fed(size, "int32")}
        attrs = {"interpolation": interpolation, "fill_mode": fill_mode}
        if fill_value is None:
            return tf.raw_ops.ImageProjectiveTransformV2(**inputs, **attrs)
        return tf.raw_ops.ImageProjectiveTransformV3(**inputs, fill_value=fed(fill_value), **attrs)
    return build


TURNED = [[0.8, -0.6, 2.0, 0.6, 0.8, -1.5, 0.0, 0.0]]
SEEN = [[1.1, 0.2, -1.0, 0.1, 0.9, 0.5, 0.02, -0.03], [1.5, 0.0, -7.5, 0.0, 1.5, 3.25, 0.0, 0.0]]
for mode in ["CONSTANT", "REFLECT", "WRAP", "NEAREST"]:
    for interpolation in ["NEAREST", "BILINEAR"]:
        for name, transforms in {"turned": TURNED, "seen": SEEN, "far": [[3.0, 0, -40.3, 0, 4.0, 33.7, 0, 0]]}.items():
            given = {"interpolation": interpolation, "fill_mode": mode}
            case(f"ImageProjectiveTransformV2/{mode}/{interpolation}/{name}", project(transforms, **given))
            if mode == "CONSTANT":
                case(f"ImageProjectiveTransformV3/{interpolation}/{name}", project(transforms, fill_value=0.75, **given))
        for images in [(2, 1, 1, 1), (1, 2, 1, 2), (1, 1, 5, 1)]:
            case(f"ImageProjectiveTransformV2/{mode}/{interpolation}/" + "x".join(map(str, images)), project(
                TURNED, (3, 4), numbers(*images), **given))
    for dtype in ["uint8", "int32", "int64", "float16", "bfloat16", "float64"]:
        case(f"ImageProjectiveTransformV3/{mode}/{dtype}", project(
            SEEN, images=np.abs(numbers(2, 4, 5, 2)) * 16, dtype=dtype, fill_mode=mode, fill_value=7.5))
case("ImageProjectiveTransformV2/infinite", project([[1, 0, 0, 0, 1, 0, -0.5, 0]]))
case("ImageProjectiveTransformV2/nan", project([[np.nan, 0, 0, 0, 1, 0, 0, 0]], interpolation="NEAREST"))
case("ImageProjectiveTransformV2/no_images", project(TURNED, images=np.zeros([0, 3, 3, 1])))
for name, given in {"rank": {"images": numbers(5, 6, 2)}, "transforms": {"transforms": TURNED * 3}, "columns": {"transforms": [[1.0] * 9]},
                    "vector": {"transforms": TURNED[0]}, "size": {"size": (3,)}, "zero": {"size": (0, 3)},
                    "fill": {"fill_value": [0.5]}}.items():
    case(f"ImageProjectiveTransform/wrong_{name}", project(**{"transforms": TURNED, **given}), error="INVALID_ARGUMENT")

write(__file__)
