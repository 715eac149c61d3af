"""Records resizing of images, crops, fractional pooling and changes of colors."""

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def numbers(*shape, seed=0):
    """Small values with few digits, no two neighbours alike."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 37 + seed * 11) % 29).reshape(shape) - 14) / 8.0


ALIGNMENTS = {"plain": (False, False), "corners": (True, False), "half": (False, True)}
SIZES = {"larger": (5, 7), "smaller": (2, 2), "mixed": (1, 6), "same": (3, 4)}

for name, (corners, half) in ALIGNMENTS.items():
    attrs = {"align_corners": corners, "half_pixel_centers": half}
    for what, size in SIZES.items():
        for op in ["ResizeNearestNeighbor", "ResizeBilinear", "ResizeBicubic"]:
            case(f"{op}/{name}/{what}", lambda tf, v1, op=op, attrs=attrs, size=size: getattr(tf.raw_ops, op)(
                images=fed(numbers(2, 3, 4, 2)), size=fed(size, "int32"), **attrs))
        case(f"ResizeNearestNeighborGrad/{name}/{what}", lambda tf, v1, attrs=attrs, size=size:
             tf.raw_ops.ResizeNearestNeighborGrad(grads=fed(numbers(1, *size, 2)), size=fed([3, 4], "int32"), **attrs))
        for op in ["ResizeBilinearGrad", "ResizeBicubicGrad"]:
            for dtype in ["float32", "float64"] + (["float16"] if op == "ResizeBilinearGrad" else []):
                case(f"{op}/{name}/{what}/{dtype}", lambda tf, v1, op=op, attrs=attrs, size=size, dtype=dtype:
                     getattr(tf.raw_ops, op)(grads=fed(numbers(1, *size, 2)), original_image=fed(
                         numbers(1, 3, 4, 2), dtype), **attrs))
for op in ["ResizeNearestNeighbor", "ResizeBilinear", "ResizeBicubic", "ResizeArea"]:
    for dtype in ["uint8", "int8", "int16", "uint16", "int32", "int64", "float16", "float64"]:
        case(f"{op}/{dtype}", lambda tf, v1, op=op, dtype=dtype: getattr(tf.raw_ops, op)(
            images=fed(np.arange(12).reshape(1, 3, 4, 1), dtype), size=fed([4, 3], "int32")))
    for what, images, size in [("size", (1, 2, 2, 1), [0, 2]), ("sizes", (1, 2, 2, 1), [2, 2, 2]),
                               ("rank", (2, 2, 1), [2, 2]), ("empty", (1, 0, 2, 1), [2, 2])]:
        case(f"{op}/wrong_{what}", lambda tf, v1, op=op, images=images, size=size: getattr(tf.raw_ops, op)(
            images=fed(numbers(*images)), size=fed(size, "int32")), error="INVALID_ARGUMENT")
    case(f"{op}/no_images", lambda tf, v1, op=op: getattr(tf.raw_ops, op)(
        images=fed(numbers(0, 2, 2, 1)), size=fed([3, 3], "int32")))
    if op != "ResizeArea":
        case(f"{op}/wrong_alignment", lambda tf, v1, op=op: getattr(tf.raw_ops, op)(
            images=fed(numbers(1, 2, 2, 1)), size=fed([3, 3], "int32"), align_corners=True, half_pixel_centers=True),
            error="INVALID_ARGUMENT")
for name, corners in {"plain": False, "corners": True}.items():
    for what, size in SIZES.items():
        case(f"ResizeArea/{name}/{what}", lambda tf, v1, corners=corners, size=size: tf.raw_ops.ResizeArea(
            images=fed(numbers(2, 3, 4, 2)), size=fed(size, "int32"), align_corners=corners))
for what, images, size in [("row", (1, 1, 3, 2), [4, 5]), ("column", (1, 3, 1, 2), [2, 2]), ("pixel", (1, 1, 1, 3), [2, 3])]:
    case(f"ResizeArea/corners/of_one_{what}", lambda tf, v1, images=images, size=size: tf.raw_ops.ResizeArea(
        images=fed(numbers(*images)), size=fed(size, "int32"), align_corners=True))

BOXES = [[0.0, 0.0, 1.0, 1.0], [0.25, 0.1, 0.7, 0.9], [0.9, 0.8, 0.2, 0.1], [-0.2, 0.3, 1.3, 0.6]]
for method in ["bilinear", "nearest"]:
    for name, size in {"several": (3, 4), "one": (1, 1), "line": (1, 3)}.items():
        case(f"CropAndResize/{method}/{name}", lambda tf, v1, method=method, size=size: tf.raw_ops.CropAndResize(
            image=fed(numbers(2, 4, 5, 2)), boxes=fed(BOXES), box_ind=fed([0, 1, 1, 0], "int32"),
            crop_size=fed(size, "int32"), method=method, extrapolation_value=9.0))
        case(f"CropAndResizeGradImage/{method}/{name}", lambda tf, v1, method=method, size=size:
             tf.raw_ops.CropAndResizeGradImage(
                 grads=fed(numbers(4, *size, 2)), boxes=fed(BOXES), box_ind=fed([0, 1, 1, 0], "int32"),
                 image_size=fed([2, 4, 5, 2], "int32"), T=tf.float32, method=method))
        if method == "bilinear":
            case(f"CropAndResizeGradBoxes/{name}", lambda tf, v1, size=size: tf.raw_ops.CropAndResizeGradBoxes(
                grads=fed(numbers(4, *size, 2)), image=fed(numbers(2, 4, 5, 2)), boxes=fed(BOXES),
                box_ind=fed([0, 1, 1, 0], "int32")))
for dtype in ["uint8", "int8", "int16", "int64", "float16", "float64"]:
    case(f"CropAndResize/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.CropAndResize(
        image=fed(np.arange(12).reshape(1, 3, 4, 1), dtype), boxes=fed(BOXES[:2]), box_ind=fed([0, 0], "int32"),
        crop_size=fed([2, 3], "int32")))
case("CropAndResize/no_boxes", lambda tf, v1: tf.raw_ops.CropAndResize(
    image=fed(numbers(1, 3, 4, 1)), boxes=fed(np.zeros([0, 4])), box_ind=fed(np.zeros([0]), "int32"),
    crop_size=fed([2, 3], "int32")))
for what, given in [("index", {"box_ind": [1]}), ("boxes", {"boxes": [[0.0, 0.0, 1.0]]}), ("size", {"crop_size": [0, 1]}),
                    ("count", {"box_ind": [0, 0]}), ("rank", {"image": numbers(3, 4, 1)})]:
    def wrong(tf, v1, given=given):
        given = {"image": numbers(1, 3, 4, 1), "boxes": BOXES[:1], "box_ind": [0], "crop_size": [2, 3], **given}
        return tf.raw_ops.CropAndResize(**{k: fed(v, "float32" if k in ("image", "boxes") else "int32")
                                           for k, v in given.items()})
    code = "OUT_OF_RANGE" if what == "index" else "INVALID_ARGUMENT"
    case(f"CropAndResize/wrong_{what}", wrong, error=code)

for kind in ["Max", "Avg"]:
    for pseudo_random in [False, True]:
        for overlapping in [False, True]:
            attrs = dict(pooling_ratio=[1.0, 1.44, 1.73, 1.0], pseudo_random=pseudo_random, overlapping=overlapping,
                         deterministic=True, seed=87654321, seed2=341261)
            for dtype in ["float32", "int64"]:
                def pool(tf, v1, kind=kind, attrs=attrs, dtype=dtype):
                    x = fed(numbers(2, 9, 8, 2) * 8, dtype)
                    out = getattr(tf.raw_ops, f"Fractional{kind}Pool")(value=x, **attrs)
                    rows, columns = out.row_pooling_sequence, out.col_pooling_sequence
                    grad = out.output * 2
                    if kind == "Max":
                        back = tf.raw_ops.FractionalMaxPoolGrad(
                            orig_input=x, orig_output=out.output, out_backprop=grad, row_pooling_sequence=rows,
                            col_pooling_sequence=columns, overlapping=attrs["overlapping"])
                    else:
                        back = tf.raw_ops.FractionalAvgPoolGrad(
                            orig_input_tensor_shape=tf.shape(x, out_type=tf.int64), out_backprop=grad,
                            row_pooling_sequence=rows, col_pooling_sequence=columns, overlapping=attrs["overlapping"])
                    return [*out, back]
                case(f"Fractional{kind}Pool/{pseudo_random}/{overlapping}/{dtype}", pool)
    for what, given, code in [("ratio", dict(pooling_ratio=[1.0, 20.0, 1.5, 1.0]), "INVALID_ARGUMENT"),
                              ("batch", dict(pooling_ratio=[2.0, 1.5, 1.5, 1.0]), "UNIMPLEMENTED"),
                              ("seed", dict(pooling_ratio=[1.0, 1.5, 1.5, 1.0], seed=1), "INVALID_ARGUMENT")]:
        case(f"Fractional{kind}Pool/wrong_{what}", lambda tf, v1, kind=kind, given=given: getattr(
            tf.raw_ops, f"Fractional{kind}Pool")(value=fed(numbers(2, 5, 6, 1)), **given), error=code)

def colors(*shape):
    """Colors of every kind: gray, black, pure ones, ties, some outside of 0 to 1."""
    palette = [[0.1, 0.5, 0.3], [0.9, 0.2, 0.25], [0.3, 0.4, 0.8], [0.5, 0.5, 0.5], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1],
               [0.7, 0.7, 0.1], [0.2, 0.6, 0.6], [0.6, 0.1, 0.6], [0.7, 0.3, 0.1], [0.4, 0.8, 0.2], [0.5, 0.25, 0.75],
               [-0.3, -0.5, -0.2], [-1, 2, 3], [1, 1, 1], [0.25, 0.75, 0.5], [120, 30, 250]]
    return np.resize(np.asarray(palette), [*shape, 3])


ADJUST = {"AdjustContrastv2": "contrast_factor", "AdjustHue": "delta", "AdjustSaturation": "scale"}
for op, factor in ADJUST.items():
    def adjust(tf, v1, op=op, factor=factor, images=colors(4, 5), by=0.5):
        return getattr(tf.raw_ops, op)(**{"images": fed(images), factor: fed(by)})
    for by in [0.0, 0.3, 1.0, 1.7, -0.4, -3.25, 40.0]:
        # The remainder of a large hue depends on its last bits.
        case(f"{op}/by/{by}", lambda tf, v1, adjust=adjust, by=by: adjust(tf, v1, by=by), atol=1e-3 if by == 40 else 1e-4)
    for name, images in {"one": colors(1, 1), "odd": colors(3, 7), "batch": colors(2, 3, 2), "batches": colors(2, 1, 2, 3),
                         "none": colors(0, 2, 3), "no_pixels": colors(2, 0, 3)}.items():
        case(f"{op}/images/{name}", lambda tf, v1, adjust=adjust, images=images: adjust(tf, v1, images=images), atol=1e-4)
    case(f"{op}/const", lambda tf, v1, op=op, factor=factor: getattr(tf.raw_ops, op)(
        **{"images": tf.constant(colors(2, 3) / 4, tf.float32), factor: 0.25}), atol=1e-5)
    case(f"{op}/nan", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=[[
        [np.nan, 0.5, 0.3], [0.5, np.nan, 0.3], [0.5, 0.3, np.nan], [0.1, 0.2, 0.3]]]))
    case(f"{op}/wrong_rank", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=colors(3)), error="INVALID_ARGUMENT")
    case(f"{op}/wrong_factor", lambda tf, v1, adjust=adjust: adjust(tf, v1, by=[0.5]), error="INVALID_ARGUMENT")
    if op == "AdjustContrastv2":
        case(f"{op}/channels", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=numbers(2, 3, 3, 21), by=1.5))
        case(f"{op}/gray", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=numbers(4, 5, 1), by=-2.0))
        case(f"{op}/no_channels", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=np.zeros([2, 3, 0])))
    else:
        case(f"{op}/wrong_channels", lambda tf, v1, adjust=adjust: adjust(tf, v1, images=numbers(2, 3, 4)),
             error="INVALID_ARGUMENT")
        case(f"{op}/wrong_channels/const", lambda tf, v1, op=op, factor=factor: getattr(tf.raw_ops, op)(
            **{"images": tf.zeros([2, 3, 1]), factor: 0.5}), error="INVALID_ARGUMENT")

for op in ["RGBToHSV", "HSVToRGB"]:
    for dtype in ["float16", "bfloat16", "float32", "float64"]:
        case(f"{op}/{dtype}", lambda tf, v1, op=op, dtype=dtype: getattr(tf.raw_ops, op)(images=fed(colors(4, 5), dtype)))
    for name, images in {"color": colors(), "line": colors(4), "batch": colors(2, 3, 2), "none": colors(0),
                         "no_images": colors(0, 2, 2)}.items():
        case(f"{op}/images/{name}", lambda tf, v1, op=op, images=images: getattr(tf.raw_ops, op)(images=fed(images)))
    case(f"{op}/const", lambda tf, v1, op=op: getattr(tf.raw_ops, op)(images=tf.constant(colors(2, 3), tf.float32)))
    case(f"{op}/special", lambda tf, v1, op=op: getattr(tf.raw_ops, op)(images=fed([
        [np.nan, 0.5, 0.3], [0.5, np.nan, 0.3], [0.5, 0.3, np.nan], [np.inf, 0.3, 0.2]])))
    case(f"{op}/wrong_rank", lambda tf, v1, op=op: getattr(tf.raw_ops, op)(images=fed(0.5)), error="INVALID_ARGUMENT")
    for channels in [0, 1, 4]:
        case(f"{op}/wrong_channels/{channels}", lambda tf, v1, op=op, channels=channels: getattr(tf.raw_ops, op)(
            images=fed(numbers(2, channels))), error="FAILED_PRECONDITION")

for op in ["ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor", "ResizeArea"]:
    case(f"{op}/no_channels", lambda tf, v1: getattr(tf.raw_ops, op)(
        images=feed(np.zeros((2, 3, 4, 0)), "float32"), size=feed([3, 4])), error="INVALID_ARGUMENT")

write(__file__)
