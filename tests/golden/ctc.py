"""Records connectionist temporal classification and edit distances."""

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32"):
    """Feeds an array of this dtype."""
    if dtype == "string":
        return feed(np.asarray(value, object), dtype)
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


def logits(*shape, seed=0):
    return np.round(np.random.RandomState(seed).normal(0, 2, shape) * 16) / 16


def sparse(rows):
    """The indices and the values of a sparse matrix with these rows."""
    indices = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    return np.reshape(indices, [-1, 2]), [v for row in rows for v in row]


LABELS = [[0, 1, 1], [2], [3, 0, 3, 2]]


def loss(dtype="float32", labels=LABELS, lengths=(8, 5, 7), inputs=None, op="CTCLoss", indices=None, **attrs):
    at, values = sparse(labels)
    inputs = logits(8, len(lengths), 5) if inputs is None else inputs
    return lambda tf, v1: list(getattr(tf.raw_ops, op)(
        inputs=fed(inputs, dtype), labels_indices=fed(at if indices is None else indices, "int64"),
        labels_values=fed(values, "int32"), sequence_length=fed(lengths, "int32"), **attrs))


FLAGS = ["preprocess_collapse_repeated", "ctc_merge_repeated", "ignore_longer_outputs_than_inputs"]
for dtype in ["float32", "float64"]:
    # TensorFlow computes one term of the gradient in float32.
    tolerance = {"rtol": 1e-5, "atol": 1e-6}
    for bits in range(8):
        flags = {name: bool(bits >> i & 1) for i, name in enumerate(FLAGS)}
        case(f"CTCLoss/{dtype}/{bits}", loss(dtype, **flags), **tolerance)
    case(f"CTCLoss/{dtype}/one_step", loss(dtype, [[1], [2]], (1, 1), logits(1, 2, 4)), **tolerance)
    case(f"CTCLoss/{dtype}/ends_with_blank", loss(dtype, [[0, 1, 4], [2, 9]], (8, 5)), **tolerance)
    case(f"CTCLoss/{dtype}/longer", loss(dtype, lengths=(2, 0, 7), ignore_longer_outputs_than_inputs=True), **tolerance)
    case(f"CTCLoss/{dtype}/impossible", loss(dtype, [[1, 1, 1]], (3,), logits(3, 1, 4)), **tolerance)
    case(f"CTCLoss/{dtype}/infinite", loss(dtype, [[1, 0]], (4,), np.where(logits(4, 1, 4) > 2, -np.inf, logits(4, 1, 4))),
         **tolerance)
    case(f"CTCLoss/{dtype}/extreme", loss(dtype, [[1, 0]], (4,), logits(4, 1, 4) * 100), **tolerance)
    case(f"CTCLoss/{dtype}/long", loss(dtype, [list(range(5)) * 6, [3] * 10], (60, 44), logits(60, 2, 7)), rtol=1e-4, atol=1e-5)
for name, given in {
        "longer": {"lengths": (2, 5, 7)}, "length": {"lengths": (9, 5, 7)}, "negative_length": {"lengths": (-1, 5, 7)},
        "lengths": {"inputs": logits(8, 4, 5)}, "rank": {"inputs": logits(8, 3)}, "label": {"labels": [[0], [-1], [2]]},
        "no_labels": {"labels": [[], [1], [2]]},
        "after_blank": {"labels": [[0, 4, 1], [1], [2]]}, "batch": {"labels": [[0], [1], [2], [3]]},
        "order": {"labels": [[0, 1], [1], [2]], "indices": [[0, 1], [0, 0], [1, 0], [2, 0]]},
        "negative_index": {"labels": [[0, 1], [1], [2]], "indices": [[-1, 0], [0, 0], [1, 0], [2, 0]]},
        "columns": {"labels": [[0], [1], [2]], "indices": [[0], [1], [2]]},
        "count": {"labels": [[0], [1], [2]], "indices": [[0, 0], [1, 0]]},
        "no_batch": {"labels": [], "lengths": (), "inputs": np.zeros([3, 0, 4])}}.items():
    case(f"CTCLoss/wrong_{name}", loss(**given), error="INVALID_ARGUMENT")


def decode(op, dtype="float32", inputs=None, lengths=(6, 4, 0, 6), **attrs):
    inputs = logits(6, 4, 4, seed=3) if inputs is None else inputs

    def build(tf, v1):
        out = getattr(tf.raw_ops, op)(inputs=fed(inputs, dtype), sequence_length=fed(lengths, "int32"), **attrs)
        return [t for part in out for t in (part if isinstance(part, list) else [part])]
    return build


def uneven(*shape, seed=0):
    """Scores without equal sums: TensorFlow keeps any of two equally probable sequences."""
    return np.random.RandomState(seed).normal(0, 2, shape)


for dtype in ["float32", "float64"]:
    # TensorFlow adds probabilities up in float32.
    tolerance = {"rtol": 1e-5, "atol": 1e-5}
    for merge in [False, True]:
        for blank in [-1, 0, 2, -4]:
            case(f"CTCGreedyDecoder/{dtype}/{merge}/{blank}",
                 decode("CTCGreedyDecoder", dtype, merge_repeated=merge, blank_index=blank))
        for width, paths in [(1, 1), (3, 2), (10, 3), (100, 1)]:
            case(f"CTCBeamSearchDecoder/{dtype}/{merge}/{width}/{paths}", decode(
                "CTCBeamSearchDecoder", dtype, uneven(7, 3, 5, seed=4), (7, 3, 5), merge_repeated=merge,
                beam_width=width, top_paths=paths), **tolerance)
    case(f"CTCGreedyDecoder/{dtype}/ties", decode("CTCGreedyDecoder", dtype, np.zeros([3, 1, 4]), [3]))
    case(f"CTCBeamSearchDecoder/{dtype}/long", decode(
        "CTCBeamSearchDecoder", dtype, uneven(30, 2, 8, seed=5), (30, 25), beam_width=20, top_paths=5,
        merge_repeated=False), rtol=1e-4, atol=1e-5)
    case(f"CTCBeamSearchDecoder/{dtype}/certain", decode(
        "CTCBeamSearchDecoder", dtype, np.log(np.eye(4)[[0, 3, 0, 1, 1, 2]][:, None] + np.abs(uneven(6, 1, 4)) * 1e-6), (6,),
        beam_width=4, top_paths=2, merge_repeated=False), **tolerance)
    case(f"CTCBeamSearchDecoder/{dtype}/impossible", decode(
        "CTCBeamSearchDecoder", dtype, np.where(uneven(5, 1, 4) > 1, -np.inf, uneven(5, 1, 4)), (5,), beam_width=6,
        top_paths=3), **tolerance)
case("CTCGreedyDecoder/nan", decode("CTCGreedyDecoder", inputs=[[[np.nan, 1, 2]], [[1, np.nan, 0]]], lengths=[2]))
case("CTCGreedyDecoder/negative_length", decode("CTCGreedyDecoder", lengths=(-2, 1, 2, 3)))
for op, attrs in {"CTCGreedyDecoder": {}, "CTCBeamSearchDecoder": {"beam_width": 3, "top_paths": 1}}.items():
    for name, given, error in [("rank", {"inputs": logits(6, 4)}, "INVALID_ARGUMENT"),
                               ("empty", {"inputs": np.zeros([0, 4, 4])}, "INVALID_ARGUMENT"),
                               ("vector", {"lengths": [[1, 2, 3, 4]]}, "INVALID_ARGUMENT"),
                               ("lengths", {"lengths": [1, 2]}, "FAILED_PRECONDITION"),
                               ("length", {"lengths": [1, 7, 3, 3]}, "FAILED_PRECONDITION")]:
        case(f"{op}/wrong_{name}", decode(op, **given, **attrs), error=error)
case("CTCGreedyDecoder/wrong_blank", decode("CTCGreedyDecoder", blank_index=4), error="INVALID_ARGUMENT")
case("CTCBeamSearchDecoder/wrong_paths", decode("CTCBeamSearchDecoder", beam_width=2, top_paths=3), error="INVALID_ARGUMENT")
case("CTCBeamSearchDecoder/few_paths", decode("CTCBeamSearchDecoder", beam_width=9, top_paths=3), error="INVALID_ARGUMENT")


def distance(hypothesis, truth, dtype="int64", normalize=True):
    """The distances of sparse tensors, each given as {index: value} and a shape."""
    def build(tf, v1):
        given = {}
        for name, (values, shape) in {"hypothesis": hypothesis, "truth": truth}.items():
            given[f"{name}_indices"] = fed(np.reshape(list(values), [-1, len(shape)]), "int64")
            given[f"{name}_values"] = fed(list(values.values()), dtype)
            given[f"{name}_shape"] = fed(shape, "int64")
        return tf.raw_ops.EditDistance(normalize=normalize, **given)
    return build


def words(*rows):
    return {(i, j): v for i, row in enumerate(rows) for j, v in enumerate(row)}


A, B = words([1, 2, 3], [], [4, 4], [1, 2, 3, 4]), words([1, 3], [5, 6], [], [4, 3, 2, 1, 0])
for normalize in [False, True]:
    for dtype in ["int64", "int32", "uint8", "int16", "int8", "uint16", "uint32", "uint64", "float32", "float64", "float16",
                  "bfloat16", "complex64", "complex128"]:
        case(f"EditDistance/{normalize}/{dtype}", distance((A, [4, 4]), (B, [4, 5]), dtype, normalize))
    text = [words(["a", "b", "c"], ["word"]), words(["a", "c"], ["words", "word"])]
    case(f"EditDistance/{normalize}/string", distance((text[0], [2, 3]), (text[1], [2, 3]), "string", normalize))
    bits = [words([True, False]), words([False, True, True])]
    case(f"EditDistance/{normalize}/bool", distance((bits[0], [1, 3]), (bits[1], [1, 3]), "bool", normalize))
    case(f"EditDistance/{normalize}/shapes", distance((A, [6, 4]), (B, [4, 9]), normalize=normalize))
    deep = [{(0, 0, 0): 1, (0, 0, 1): 2, (0, 2, 0): 3, (1, 1, 0): 1}, {(0, 0, 0): 2, (1, 0, 0): 4, (1, 1, 0): 1}]
    case(f"EditDistance/{normalize}/deep", distance((deep[0], [2, 3, 2]), (deep[1], [2, 2, 4]), normalize=normalize))
    case(f"EditDistance/{normalize}/nothing", distance(({}, [2, 3]), ({}, [3, 2]), normalize=normalize))
case("EditDistance/nan", distance((words([np.nan, 1]), [1, 2]), (words([np.nan, 1]), [1, 2]), "float32"))
case("EditDistance/known_shapes", lambda tf, v1: tf.raw_ops.EditDistance(
    hypothesis_indices=[[0, 0]], hypothesis_values=[1], hypothesis_shape=[1, 1],
    truth_indices=[[1, 0]], truth_values=[1], truth_shape=[2, 1]))
for name, (hypothesis, truth) in {"rank": (({(1,): 1}, [3]), ({(1,): 1}, [3])),
                                  "ranks": ((A, [4, 4]), (deep[1], [2, 2, 4]))}.items():
    case(f"EditDistance/wrong_{name}", distance(hypothesis, truth), error="INVALID_ARGUMENT")
for name, given in {"indices": {"truth_indices": [0, 0]}, "values": {"truth_values": [[1]]}, "shape": {"truth_shape": [[1, 1]]},
                    "count": {"truth_values": [1, 2]}, "columns": {"truth_shape": [1, 1, 1]}}.items():
    def wrong(tf, v1, given=given):
        inputs = {"hypothesis_indices": [[0, 0]], "hypothesis_values": [1], "hypothesis_shape": [1, 1],
                  "truth_indices": [[0, 0]], "truth_values": [1], "truth_shape": [1, 1], **given}
        return tf.raw_ops.EditDistance(**{k: fed(v, "int64") for k, v in inputs.items()})
    case(f"EditDistance/wrong_{name}", wrong, error="INVALID_ARGUMENT")
case("EditDistance/outside", distance(({(5, 0): 1}, [2, 2]), ({(0, 0): 1}, [2, 2])), error="INTERNAL")

write(__file__)
