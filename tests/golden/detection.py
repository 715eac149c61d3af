"""Records ops on boxes in images."""

import numpy as np
import tensorflow as tf
from record import case, step, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def boxes(count, seed=0, scale=1.0):
    """Boxes with much overlap; every third has its corners swapped."""
    random = np.random.RandomState(seed)
    low = random.uniform(0, 0.7, [count, 2])
    both = np.concatenate([low, low + random.uniform(0.05, 0.5, [count, 2])], 1)
    both[::3] = both[::3][:, [2, 3, 0, 1]]
    return np.round(both * 64) / 64 * scale


def scores(count, seed=1):
    """Distinct scores between -1 and 1."""
    return (np.random.RandomState(seed).permutation(count) * 2 + 1) / count - 1


def suppress(op, dtype="float32", threshold=None, **given):
    """A case of an op on 20 boxes, with some inputs and attrs given."""
    version = int(op[-1]) if op[-1].isdigit() else 1
    defaults = {"boxes": boxes(20), "scores": scores(20), "max_output_size": 30, "iou_threshold": 0.3}
    defaults.update([("score_threshold", -0.5)] * (version > 2) + [("soft_nms_sigma", 0.0)] * (version > 4))
    given = {**defaults, **given}
    attrs = {k: given.pop(k) for k in ["pad_to_max_output_size"] + ["iou_threshold"] * (version == 1) if k in given}
    dtypes = {"max_output_size": "int32", "boxes": dtype, "scores": dtype}
    return lambda tf, v1: getattr(tf.raw_ops, op)(
        **{k: fed(v, dtypes.get(k, threshold or dtype)) for k, v in given.items()}, **attrs)


OPS = ["NonMaxSuppression"] + [f"NonMaxSuppressionV{n}" for n in range(2, 6)]
for op in OPS:
    case(f"{op}/several", suppress(op))
    case(f"{op}/few", suppress(op, max_output_size=3))
    case(f"{op}/none", suppress(op, max_output_size=0))
    case(f"{op}/no_boxes", suppress(op, boxes=np.zeros([0, 4]), scores=np.zeros([0])))
    case(f"{op}/threshold_zero", suppress(op, iou_threshold=0.0))
    case(f"{op}/threshold_one", suppress(op, iou_threshold=1.0))
    case(f"{op}/equal_scores", suppress(op, scores=np.round(scores(20) * 2) / 2))
    case(f"{op}/equal_boxes", suppress(op, boxes=np.repeat(boxes(4), 5, 0)))
    odd = scores(20)
    odd[[2, 5, 7, 9]] = [np.nan, np.inf, -np.inf, -3e38]
    case(f"{op}/odd_scores", suppress(op, scores=odd))
    odd = boxes(20)
    odd[[2, 5, 7], [0, 1, 2]] = [np.nan, np.inf, -np.inf]
    case(f"{op}/odd_boxes", suppress(op, boxes=odd))
    case(f"{op}/flat_boxes", suppress(op, boxes=boxes(20) * [1, 0, 1, 0]))
    for what, wrong in {"size": {"max_output_size": -1}, "low": {"iou_threshold": -0.1}, "high": {"iou_threshold": 1.1},
                        "nan": {"iou_threshold": np.nan}, "columns": {"boxes": np.zeros([20, 3])},
                        "rank": {"boxes": np.zeros([80])}, "scores": {"scores": np.zeros([19])},
                        "matrix": {"scores": np.zeros([20, 1])}, "vector": {"max_output_size": [3]}}.items():
        case(f"{op}/wrong_{what}", suppress(op, **wrong), error="INVALID_ARGUMENT")
    if op[-1] in "2345":
        case(f"{op}/float16", suppress(op, dtype="float16"))
        case(f"{op}/wrong_threshold", suppress(op, iou_threshold=[0.5]), error="INVALID_ARGUMENT")
    if op[-1] in "234":
        case(f"{op}/float16_boxes", suppress(op, dtype="float16", threshold="float32"))
        case(f"{op}/float16_threshold", suppress(op, dtype="float32", threshold="float16"))
    if op[-1] in "345":
        case(f"{op}/all_scores", suppress(op, score_threshold=-np.inf))
        case(f"{op}/no_scores", suppress(op, score_threshold=np.nan))
        case(f"{op}/wrong_score_threshold", suppress(op, score_threshold=[0.5]), error="INVALID_ARGUMENT")
    if op[-1] in "45":
        case(f"{op}/padded", suppress(op, pad_to_max_output_size=True))
        case(f"{op}/full", suppress(op, pad_to_max_output_size=True, max_output_size=2))
    if op[-1] in "5":
        for dtype in ["float32", "float16"]:
            for sigma in [0.1, 0.5, 3.0]:
                case(f"{op}/soft/{dtype}/{sigma}", suppress(op, soft_nms_sigma=sigma, dtype=dtype))
        case(f"{op}/soft/padded", suppress(op, soft_nms_sigma=0.5, pad_to_max_output_size=True))
        case(f"{op}/wrong_sigma", suppress(op, soft_nms_sigma=-0.5), error="INVALID_ARGUMENT")

overlaps = np.random.RandomState(5).uniform(0, 1, [12, 12])
for name, given in {"several": {}, "few": {"max_output_size": 2}, "tight": {"overlap_threshold": 0.1},
                    "above": {"score_threshold": 0.2}, "odd": {"overlaps": np.where(overlaps > 0.8, np.inf, -overlaps)},
                    "nan": {"overlaps": np.where(overlaps > 0.8, np.nan, overlaps)},
                    "wrong_square": {"overlaps": overlaps[:11]}, "wrong_scores": {"scores": scores(11)},
                    "wrong_rank": {"overlaps": overlaps[0]}, "wrong_size": {"max_output_size": -3},
                    "wrong_threshold": {"overlap_threshold": [0.5]}}.items():
    given = {"overlaps": overlaps, "scores": scores(12), "max_output_size": 20, "overlap_threshold": 0.5,
             "score_threshold": -0.8, **given}
    case(f"NonMaxSuppressionWithOverlaps/{name}", lambda tf, v1, given=given: tf.raw_ops.NonMaxSuppressionWithOverlaps(
        **{k: fed(v, "int32" if k == "max_output_size" else "float32") for k, v in given.items()}),
        error="INVALID_ARGUMENT" if name.startswith("wrong") else None)


def combined(**given):
    attrs = {k: given.pop(k) for k in ("pad_per_class", "clip_boxes") if k in given}
    given = {"boxes": boxes(30).reshape(2, 15, 1, 4), "scores": scores(90).reshape(2, 15, 3) / 2 + 0.5,
             "max_output_size_per_class": 4, "max_total_size": 8, "iou_threshold": 0.3, "score_threshold": 0.2, **given}
    return lambda tf, v1: tf.raw_ops.CombinedNonMaxSuppression(
        **{k: fed(v, "int32" if k.startswith("max") else "float32") for k, v in given.items()}, **attrs)


for name, given in {
        "several": {}, "each_class": {"boxes": boxes(90).reshape(2, 15, 3, 4)}, "per_class": {"pad_per_class": True},
        "per_class_less": {"pad_per_class": True, "max_output_size_per_class": 2, "max_total_size": 100},
        "many": {"max_total_size": 60, "max_output_size_per_class": 100}, "one": {"max_total_size": 1},
        "unclipped": {"boxes": boxes(30, scale=1.5).reshape(2, 15, 1, 4) - 0.25, "clip_boxes": False},
        "clipped": {"boxes": boxes(30, scale=1.5).reshape(2, 15, 1, 4) - 0.25},
        "none_good": {"score_threshold": 2.0}, "no_boxes": {"boxes": np.zeros([2, 0, 1, 4]), "scores": np.zeros([2, 0, 3])},
        "no_images": {"boxes": np.zeros([0, 5, 1, 4]), "scores": np.zeros([0, 5, 3])},
        "nan_score": {"scores": np.where(scores(90) > 0.8, np.nan, scores(90)).reshape(2, 15, 3)},
        "nan_box": {"boxes": np.where(boxes(30) > 0.9, np.nan, boxes(30)).reshape(2, 15, 1, 4)}}.items():
    case(f"CombinedNonMaxSuppression/{name}", combined(**given))
for name, given in {
        "boxes": {"boxes": boxes(15)}, "scores": {"scores": np.zeros([15, 3])}, "kinds": {"boxes": np.zeros([2, 15, 2, 4])},
        "columns": {"boxes": np.zeros([2, 15, 1, 3])}, "count": {"scores": np.zeros([2, 14, 3])},
        "batch": {"scores": np.zeros([1, 15, 3])}, "size": {"max_output_size_per_class": 0}, "total": {"max_total_size": 0},
        "threshold": {"iou_threshold": 1.5}, "vector": {"score_threshold": [0.5]}}.items():
    case(f"CombinedNonMaxSuppression/wrong_{name}", combined(**given), error="INVALID_ARGUMENT")

IMAGES = (np.arange(2 * 6 * 7 * 3) % 11 / 16).reshape(2, 6, 7, 3)
DRAWN = np.array([[[0, 0, 1, 1], [0.2, 0.3, 0.7, 0.8], [0.5, 0.5, 0.5, 0.5]],
                  [[-0.5, 0.2, 0.6, 1.4], [0.8, 0.1, 0.3, 0.5], [1.2, 1.2, 1.6, 1.5]]])
for name, images in {"rgb": IMAGES, "rgba": np.concatenate([IMAGES, IMAGES[..., :1]], -1), "grey": IMAGES[..., 1:2]}.items():
    for dtype in ["float32", "float16"]:
        case(f"DrawBoundingBoxes/{name}/{dtype}", lambda tf, v1, images=images, dtype=dtype: tf.raw_ops.DrawBoundingBoxes(
            images=fed(images, dtype), boxes=fed(DRAWN)))
        for what, colors in {"two": [[0.9, 0.1, 0.8, 0.2], [0.1, 0.6, 0.3, 0.4]], "none": np.zeros([0, 4])}.items():
            case(f"DrawBoundingBoxesV2/{name}/{dtype}/{what}", lambda tf, v1, images=images, dtype=dtype, colors=colors:
                 tf.raw_ops.DrawBoundingBoxesV2(images=fed(images, dtype), boxes=fed(DRAWN), colors=fed(colors)))
for name, drawn in {"many": boxes(24, scale=1.4).reshape(2, 12, 4) - 0.2, "none": np.zeros([2, 0, 4]),
                    "odd": [[[np.nan, 0, 1, 1], [0, np.inf, 1, 1]], [[-np.inf, 0, 1, 1], [0, -1e30, 1, 1e30]]]}.items():
    case(f"DrawBoundingBoxes/{name}", lambda tf, v1, drawn=drawn: tf.raw_ops.DrawBoundingBoxes(
        images=fed(IMAGES), boxes=fed(drawn)))
case("DrawBoundingBoxes/no_images", lambda tf, v1: tf.raw_ops.DrawBoundingBoxes(
    images=fed(np.zeros([0, 3, 3, 3])), boxes=fed(np.zeros([0, 2, 4]))))
for name, (images, drawn) in {"rank": (IMAGES[0], DRAWN), "boxes": (IMAGES, DRAWN[0]), "batch": (IMAGES, DRAWN[:1]),
                              "depth": (IMAGES[..., :2], DRAWN), "corners": (IMAGES, DRAWN[..., :3])}.items():
    case(f"DrawBoundingBoxes/wrong_{name}", lambda tf, v1, images=images, drawn=drawn: tf.raw_ops.DrawBoundingBoxes(
        images=fed(images), boxes=fed(drawn)), error="INVALID_ARGUMENT")
for name, colors in {"rank": [0.5, 0.5, 0.5], "channels": [[0.5, 0.5]]}.items():
    case(f"DrawBoundingBoxesV2/wrong_{name}", lambda tf, v1, colors=colors: tf.raw_ops.DrawBoundingBoxesV2(
        images=fed(IMAGES), boxes=fed(DRAWN), colors=fed(colors)), error="INVALID_ARGUMENT")

SOME = [[[0.1, 0.2, 0.6, 0.9], [0.5, 0.5, 0.9, 0.7]]]


def distorted(op, dtype="int32", size=(40, 60, 3), boxes=SOME, covered=0.3, seeds=(7, 5), seed_dtype="int32", **attrs):
    def build(tf, v1):
        inputs = {"image_size": fed(size, dtype), "bounding_boxes": fed(boxes)}
        if op != "SampleDistortedBoundingBox":
            inputs["min_object_covered"] = fed(covered)
        if op.startswith("Stateless"):
            inputs["seed"] = fed(seeds, seed_dtype)
        elif seeds:
            attrs.update(seed=seeds[0], seed2=seeds[1])
        return getattr(tf.raw_ops, op)(**inputs, **attrs)
    return build


DISTORTED = ["SampleDistortedBoundingBox", "SampleDistortedBoundingBoxV2", "StatelessSampleDistortedBoundingBox"]
for op in DISTORTED:
    for dtype in ["uint8", "int8", "int16", "int32", "int64"]:
        case(f"{op}/{dtype}", distorted(op, dtype))
    for seed in range(6):
        case(f"{op}/seed/{seed}", distorted(op, seeds=(seed, 2 * seed + 1), size=(201, 333, 3)))
    case(f"{op}/no_boxes", distorted(op, boxes=np.zeros([1, 0, 4]), use_image_if_no_bounding_boxes=True))
    case(f"{op}/wide", distorted(op, aspect_ratio_range=[2.5, 4.0], area_range=[0.01, 0.4]))
    case(f"{op}/whole", distorted(op, area_range=[0.9, 1.0], aspect_ratio_range=[0.2, 0.3]))
    case(f"{op}/one_attempt", distorted(op, max_attempts=1, area_range=[0.05, 0.06]))
    case(f"{op}/small_image", distorted(op, size=(3, 2, 1), area_range=[0.2, 1.0]))
    case(f"{op}/no_image", distorted(op, size=(0, 0, 3)))
    for name, given in {"boxes": {"boxes": np.zeros([1, 0, 4])}, "range": {"boxes": [[[0, 0, 1.5, 1]]]},
                        "nan": {"boxes": [[[0, 0, np.nan, 1]]]}, "rank": {"boxes": [[0, 0, 1, 1]]},
                        "corners": {"boxes": [[[0, 0, 1]]]}, "size": {"size": (3, 4)}, "negative": {"size": (-3, 4, 3)},
                        "ratios": {"aspect_ratio_range": [1.0]}, "ratio": {"aspect_ratio_range": [0.0, 1.0]},
                        "areas": {"area_range": [0.1, 0.2, 0.3]}, "area": {"area_range": [0.5, 1.5]},
                        "attempts": {"max_attempts": 0}}.items():
        case(f"{op}/wrong_{name}", distorted(op, **given), error="INVALID_ARGUMENT")
    if op != "SampleDistortedBoundingBox":
        for covered in [0.0, 0.9, 1.0]:
            case(f"{op}/covered/{covered}", distorted(op, covered=covered))
        case(f"{op}/wrong_covered", distorted(op, covered=-0.1), error="INVALID_ARGUMENT")
        case(f"{op}/wrong_vector", distorted(op, covered=[0.1]), error="INVALID_ARGUMENT")
case("SampleDistortedBoundingBox/covered", distorted("SampleDistortedBoundingBox", min_object_covered=0.8))
case("SampleDistortedBoundingBox/wrong_covered", distorted("SampleDistortedBoundingBox", min_object_covered=-0.8),
     error="INVALID_ARGUMENT")
case("StatelessSampleDistortedBoundingBox/int64_seed", distorted(DISTORTED[2], seeds=(-1, 2**40), seed_dtype="int64"))
case("StatelessSampleDistortedBoundingBox/wrong_seed", distorted(DISTORTED[2], seeds=(1, 2, 3)), error="INVALID_ARGUMENT")


def again(tf, v1):
    begin, size, box = tf.raw_ops.SampleDistortedBoundingBoxV2(
        image_size=fed([201, 333, 3], "int32"), bounding_boxes=fed(SOME), min_object_covered=fed(0.3), seed=3, seed2=9)
    return [step([begin, size, box]) for _ in range(4)]


case("SampleDistortedBoundingBoxV2/run_after_run", again)

write(__file__)
