"""Records separate ops on axes, lines and rows: layouts, cross products, regressions, fingerprints, Sobol sequences,
compressed strings."""

import gzip
import zlib

import numpy as np
import tensorflow as tf
from record import case, write
from record import fed as feed


def fed(value, dtype="float32", shape=None):
    """Feeds an array of this dtype."""
    if dtype == "string":
        return feed(np.asarray(value, object), dtype)
    return feed(np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype, shape)


def numbers(*shape, seed=0):
    """Small values with few digits."""
    return (((np.arange(int(np.prod(shape))) * 37 + seed * 11) % 29).reshape(shape) - 14) / 8


REALS = ["float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def layout(op, x, source="NHWC", target="NCHW", dtype="int32"):
    return lambda tf, v1: getattr(tf.raw_ops, op)(x=fed(x, dtype), src_format=source, dst_format=target)


for dtype in ["int32", "int64"]:
    for source, target in [("NHWC", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "NHWC"), ("HWNC", "CWHN"), ("NDHWC", "NCDHW"),
                           ("NCDHW", "NDHWC"), ("ABCDE", "EDCBA")]:
        axes, name = len(source), f"{dtype}/{source}_{target}"
        case(f"DataFormatDimMap/{name}", layout("DataFormatDimMap", np.arange(-axes, axes), source, target, dtype))
        case(f"DataFormatVecPermute/{name}", layout("DataFormatVecPermute", np.arange(axes) * 3, source, target, dtype))
        case(f"DataFormatVecPermute/pairs/{name}", layout(
            "DataFormatVecPermute", np.arange(2 * axes).reshape(axes, 2), source, target, dtype))
        if "A" not in source:
            case(f"DataFormatVecPermute/space/{name}", layout(
                "DataFormatVecPermute", np.arange(axes - 2) * 3, source, target, dtype))
            case(f"DataFormatVecPermute/space_pairs/{name}", layout(
                "DataFormatVecPermute", np.arange(2 * axes - 4).reshape(-1, 2), source, target, dtype))
case("DataFormatDimMap/no_axes", layout("DataFormatDimMap", [-9, -5, 4, 7, 100]))
case("DataFormatDimMap/scalar", layout("DataFormatDimMap", 2))
case("DataFormatDimMap/matrix", layout("DataFormatDimMap", [[0, 1], [2, 3]]))
case("DataFormatDimMap/nothing", layout("DataFormatDimMap", []))
for op in ["DataFormatDimMap", "DataFormatVecPermute"]:
    for name, formats in {"short": ("NHW", "NHW"), "lengths": ("NHWC", "NCDHW"), "repeated": ("NHHC", "NCHH"),
                          "others": ("NHWC", "NCHD")}.items():
        case(f"{op}/wrong_{name}", layout(op, [0, 1, 2, 3], *formats), error="INVALID_ARGUMENT")
for name, x in {"scalar": 3, "size": [1, 2, 3], "rows": [[1, 2]], "columns": np.zeros([4, 3]), "rank": np.zeros([4, 2, 1])}.items():
    case(f"DataFormatVecPermute/wrong_{name}", layout("DataFormatVecPermute", x), error="INVALID_ARGUMENT")
case("DataFormatVecPermute/wrong_letters", layout("DataFormatVecPermute", [1, 2], "ABCD", "DCBA"), error="INVALID_ARGUMENT")


def top(x, k=3, dtype="float32", **attrs):
    return lambda tf, v1: list(tf.raw_ops.ApproxTopK(input=fed(x, dtype, np.shape(x)), k=k, **attrs))


ODD = [[1, 5, 5, np.nan, 3, 2], [0, -1, 7, 7, np.inf, -np.inf]]
for dtype in ["float32", "float16", "bfloat16"]:
    for k in [0, 1, 3, 6]:
        case(f"ApproxTopK/{dtype}/{k}", top(numbers(2, 3, 6), k, dtype))
case("ApproxTopK/ties", top(np.round(numbers(2, 40) * 2), 10))
case("ApproxTopK/odd", top(ODD, 3))
case("ApproxTopK/attrs", top(numbers(4, 50), 5, recall_target=0.1, aggregate_to_topk=False, reduction_input_size_override=100))
case("ApproxTopK/vector", top(numbers(9), 2))
case("ApproxTopK/no_rows", top(np.zeros([0, 4]), 2))


def isotonic(x, dtype="float32", output="float32"):
    return lambda tf, v1: list(tf.raw_ops.IsotonicRegression(input=fed(x, dtype), output_dtype=tf.as_dtype(output)))


for dtype, output in [("float32", "float32"), ("float64", "float64"), ("float16", "float16"), ("bfloat16", "bfloat16"),
                      ("int8", "float32"), ("int16", "float32"), ("int32", "float64"), ("int64", "float64")]:
    case(f"IsotonicRegression/{dtype}", isotonic(numbers(4, 9) * 8, dtype, output))
case("IsotonicRegression/vector", isotonic([3, 1, 2, 5, 4, -1]))
case("IsotonicRegression/scalar", isotonic(3.0))
case("IsotonicRegression/deep", isotonic(numbers(2, 1, 3, 4)))
case("IsotonicRegression/equal", isotonic(np.ones([2, 5])))
case("IsotonicRegression/rising", isotonic([np.arange(7)]))
case("IsotonicRegression/nothing", isotonic(np.zeros([2, 0])))
case("IsotonicRegression/no_rows", isotonic(np.zeros([0, 3])))
case("IsotonicRegression/odd", isotonic([[1, np.nan, 3, 2], [np.inf, 1, 2, -np.inf], [1, np.inf, 2, 3]]))


def cross(a, b, dtype="float32"):
    return lambda tf, v1: tf.raw_ops.Cross(a=fed(a, dtype), b=fed(b, dtype))


for dtype in REALS:
    case(f"Cross/{dtype}", cross(np.abs(numbers(2, 2, 3)) * 8, np.abs(numbers(2, 2, 3, seed=3)) * 8, dtype))
case("Cross/vector", cross([1, 2, 3], [4, 5, 6]))
case("Cross/negative", cross(numbers(5, 3), numbers(5, 3, seed=1)))
case("Cross/odd", cross([np.nan, 1, np.inf], [1, np.inf, 2]))
case("Cross/wraps", cross([2**31 - 1, 5, 7], [3, 2**30, 9], "int32"))
case("Cross/nothing", cross(np.zeros([0, 3]), np.zeros([0, 3])))
case("Cross/wrong_shape", cross(np.zeros([2, 3]), np.zeros([3])), error="INVALID_ARGUMENT")
case("Cross/wrong_rank", cross(1.0, 1.0), error="INVALID_ARGUMENT")
case("Cross/wrong_size", cross(np.zeros([2, 2]), np.zeros([2, 2])), error="FAILED_PRECONDITION")


def fingerprint(data, dtype="float32", method="farmhash64"):
    return lambda tf, v1: tf.raw_ops.Fingerprint(data=fed(data, dtype), method=fed(method, "string"))


for dtype in REALS + ["complex64", "complex128"]:
    case(f"Fingerprint/{dtype}", fingerprint(np.abs(numbers(3, 5)) * 8, dtype))
case("Fingerprint/bool", fingerprint([True, False], "bool"))
for size in [0, 1, 5, 9, 17, 33, 65, 200]:
    case(f"Fingerprint/bytes/{size}", fingerprint(np.arange(2 * size).reshape(2, size) % 251, "uint8"))
case("Fingerprint/strings", fingerprint(["", "a", "hello", "x" * 100], "string"))
case("Fingerprint/rows_of_strings", fingerprint([["a", "b"], ["", "word"]], "string"))
case("Fingerprint/columns_of_strings", fingerprint([["a"], ["b"]], "string"))
case("Fingerprint/deep", fingerprint(numbers(2, 2, 2)))
case("Fingerprint/no_rows", fingerprint(np.zeros([0, 3])))
case("Fingerprint/wrong_rank", fingerprint(1.0), error="INVALID_ARGUMENT")
case("Fingerprint/wrong_method", fingerprint([1.0], method="md5"), error="INVALID_ARGUMENT")
case("Fingerprint/wrong_methods", fingerprint([1.0], method=["farmhash64"]), error="INVALID_ARGUMENT")


def sobol(dim, count, skip, dtype="float32"):
    return lambda tf, v1: tf.raw_ops.SobolSample(
        dim=fed(dim, "int32"), num_results=fed(count, "int32"), skip=fed(skip, "int32"), dtype=tf.as_dtype(dtype))


for dtype in ["float32", "float64"]:
    for dim, count, skip in [(1, 1, 0), (1, 9, 0), (5, 20, 0), (5, 7, 13), (20, 3, 1000), (3, 2, 2**24 + 5), (40, 2, 12345),
                             (3, 2, 2**29 - 7)]:
        case(f"SobolSample/{dtype}/{dim}x{count}+{skip}", sobol(dim, count, skip, dtype), rtol=0.0, atol=0.0)
for dim in [337, 1111, 5715]:
    case(f"SobolSample/sums/{dim}", lambda tf, v1, dim=dim: tf.reduce_sum(tf.reshape(tf.raw_ops.SobolSample(
        dim=dim, num_results=5, skip=2**20, dtype=tf.float64)[:, -300:], [5, 30, 10]), -1), rtol=1e-12)
case("SobolSample/sums/21200", lambda tf, v1: tf.reduce_sum(tf.reshape(tf.raw_ops.SobolSample(
    dim=21200, num_results=3, skip=2**20, dtype=tf.float64), [3, 212, 100]), -1), rtol=1e-12)
for name, given in {"dim": (0, 1, 0), "dims": (21201, 1, 0), "count": (1, 0, 0), "skip": (1, 1, -1), "end": (1, 5, 2**31 - 6),
                    "vector": ([1], 1, 0)}.items():
    case(f"SobolSample/wrong_{name}", sobol(*given), error="INVALID_ARGUMENT")

TEXT = b"some text that is there again and again and again"
PACKED = {"ZLIB": zlib.compress(TEXT), "GZIP": gzip.compress(TEXT, mtime=0)}


def decompress(data, kind):
    return lambda tf, v1: tf.raw_ops.DecodeCompressed(bytes=fed(data, "string"), compression_type=kind)


for kind, packed in PACKED.items():
    case(f"DecodeCompressed/{kind}", decompress([[packed, packed]], kind))
    case(f"DecodeCompressed/{kind}/empty", decompress([b""], kind))
    case(f"DecodeCompressed/{kind}/nothing", decompress([], kind))
    case(f"DecodeCompressed/{kind}/cut", decompress([packed[:-3]], kind))
    case(f"DecodeCompressed/{kind}/wrong_header", decompress([b"no such thing at all"], kind), error="DATA_LOSS")
    case(f"DecodeCompressed/{kind}/short_header", decompress([b"na"], kind), error="DATA_LOSS")
    case(f"DecodeCompressed/{kind}/byte", decompress([b"n", packed[:1]], kind))
case("DecodeCompressed/none", decompress([TEXT, b""], ""))
case("DecodeCompressed/several", decompress(PACKED["GZIP"] * 2, "GZIP"))
case("DecodeCompressed/rest", decompress(PACKED["ZLIB"] + b"abc", "ZLIB"))
case("DecodeCompressed/wrong_rest", decompress(PACKED["GZIP"] + b"abcdefghijklmn", "GZIP"), error="DATA_LOSS")
case("DecodeCompressed/wrong_kind", decompress([b"x"], "LZW"), error="INVALID_ARGUMENT")


def constants(tf, v1):
    return [tf.raw_ops.FakeParam(dtype=tf.float32, shape=[None, 3]), tf.raw_ops.FakeParam(dtype=tf.string, shape=[2])]


case("FakeParam/shapes", constants)

write(__file__)
