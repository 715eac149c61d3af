"""The ops that make, move and reshape tensors."""

import numpy as np
import tensorflow

from record import case, fed, write

raw = tensorflow.raw_ops

INVALID = "INVALID_ARGUMENT"
# One dtype of every size and kind of element.
KINDS = ["bool", "int8", "float16", "bfloat16", "int32", "float32", "int64", "complex64", "complex128", "string"]
NUMBERS = ["uint8", "int16", "float16", "bfloat16", "int32", "float32", "float64", "complex64"]


def some(dtype, *shape):
    """Distinct values of any dtype, as an array."""
    n = int(np.prod(shape))
    counted = np.arange(1, n + 1).reshape(shape)
    if dtype == "string":
        return np.vectorize(lambda i: b"s%d" % i * (i % 4), otypes=[object])(counted) if n else np.zeros(shape, object)
    if dtype == "bool":
        return counted % 3 == 1
    if dtype.startswith("complex"):
        return (counted - 1j * counted).astype(dtype)
    return (counted * 3 % 17).astype(tensorflow.as_dtype(dtype).as_numpy_dtype)


def ok(name, op, static=False, **args):
    """A case of one op whose arrays are fed, or constants if `static`."""
    case(name, lambda tf, v1: call(tf, op, static, args))


def bad(name, op, error=INVALID, **args):
    """A case of one op whose kernel fails."""
    case(name, lambda tf, v1: call(tf, op, False, args), error=error)


class Lit(tuple):
    """A value for an input, fed with the dtype."""


def lit(value, dtype=None):
    return Lit((value, dtype))


def i32(*values):
    return lit(np.array(values, "int32"))


def scalar(value, dtype="int32"):
    return lit(np.array(value, dtype))


def data(dtype, *shape):
    return lit(some(dtype, *shape), dtype)


def call(tf, op, static, args):
    def made(v):
        if isinstance(v, Lit):
            return tf.constant(v[0], v[1]) if static else fed(v[0], v[1])
        return [made(x) for x in v] if isinstance(v, list) and v and isinstance(v[0], Lit) else v

    out = getattr(tf.raw_ops, op)(**{k: made(v) for k, v in args.items()})
    return list(out) if isinstance(out, (list, tuple)) else out


# Every kind of element through every op that moves elements.
for d in KINDS:
    ok(f"Transpose/{d}", "Transpose", x=data(d, 2, 3, 2), perm=i32(2, 0, 1))
    ok(f"ConjugateTranspose/{d}", "ConjugateTranspose", x=data(d, 2, 3), perm=i32(1, 0))
    ok(f"ConcatV2/{d}", "ConcatV2", values=[data(d, 2, 1), data(d, 2, 3), data(d, 2, 0)], axis=scalar(-1))
    ok(f"Pack/{d}", "Pack", values=[data(d, 2, 2), data(d, 2, 2)], axis=1)
    ok(f"Unpack/{d}", "Unpack", value=data(d, 2, 3), num=3, axis=-1)
    ok(f"StridedSlice/{d}", "StridedSlice", input=data(d, 4, 5), begin=i32(3, -2), end=i32(0, 0), strides=i32(-2, -1))
    ok(f"GatherV2/{d}", "GatherV2", params=data(d, 3, 2), indices=i32([2, 0], [1, 1]), axis=scalar(0))
    ok(f"GatherNd/{d}", "GatherNd", params=data(d, 2, 3), indices=i32([1, 2], [0, 0]))
    ok(f"TensorScatterUpdate/{d}", "TensorScatterUpdate", tensor=data(d, 4), indices=i32([3], [0]), updates=data(d, 2))
    ok(f"Tile/{d}", "Tile", input=data(d, 2, 1), multiples=i32(2, 3))
    ok(f"PadV2/{d}", "PadV2", input=data(d, 1, 2), paddings=i32([1, 0], [0, 2]), constant_values=data(d))
    ok(f"ReverseV2/{d}", "ReverseV2", tensor=data(d, 2, 3), axis=i32(-1))
    ok(f"Roll/{d}", "Roll", input=data(d, 2, 3), shift=i32(4, -1), axis=i32(1, 0))
    ok(f"Fill/{d}", "Fill", dims=i32(2, 2), value=data(d))
    ok(f"BroadcastTo/{d}", "BroadcastTo", input=data(d, 2, 1), shape=i32(3, 2, 2))
    ok(f"DynamicPartition/{d}", "DynamicPartition", data=data(d, 4, 2), partitions=i32(1, 0, 1, 1), num_partitions=3)
    ok(f"DynamicStitch/{d}", "DynamicStitch", indices=[i32(0, 2), i32([1], [2])], data=[data(d, 2, 2), data(d, 2, 1, 2)])
    ok(f"OneHot/{d}", "OneHot", indices=i32(1, -1, 2), depth=scalar(3), on_value=data(d), off_value=lit(some(d, 2)[1], d))
    ok(f"ZerosLike/{d}", "ZerosLike", x=data(d, 2))

# Shapes of tensors.
for d, out in [("float32", "int32"), ("string", "int64")]:
    t = tensorflow.as_dtype(out)
    ok(f"Shape/{d}", "Shape", input=data(d, 2, 0, 3), out_type=t)
    ok(f"ShapeN/{d}", "ShapeN", input=[data(d, 2), data(d)], out_type=t)
    ok(f"Size/{d}", "Size", input=data(d, 2, 3), out_type=t)
    ok(f"Rank/{d}", "Rank", input=data(d, 2, 3))
ok("Reshape/infer", "Reshape", tensor=data("int32", 2, 6), shape=i32(3, -1))
ok("Reshape/scalar_sizes", "Reshape", tensor=data("int32", 4), shape=scalar(-1))
ok("Reshape/empty", "Reshape", tensor=data("int32", 0, 6), shape=i32(0, -1, 2))
ok("Reshape/to_scalar", "Reshape", tensor=data("int32", 1, 1), shape=lit(np.zeros(0, "int64")))
for name, sizes in {"two_unknown": [-1, -1], "uneven": [5, -1], "negative": [-2, 3], "count": [7], "zero": [0, -1]}.items():
    bad(f"Reshape/{name}", "Reshape", tensor=data("int32", 2, 3), shape=i32(*sizes))
ok("ExpandDims/end", "ExpandDims", input=data("int32", 2), axis=scalar(-1))
ok("ExpandDims/one_element_vector", "ExpandDims", input=data("int32", 2), axis=i32(0))
bad("ExpandDims/range", "ExpandDims", input=data("int32", 2), axis=scalar(2))
ok("Squeeze/all", "Squeeze", input=data("int32", 1, 2, 1), axis=[])
ok("Squeeze/some", "Squeeze", input=data("int32", 1, 2, 1), axis=[-1])
bad("Squeeze/not_one", "Squeeze", input=data("int32", 1, 2, 1), axis=[1])
bad("Squeeze/range", "Squeeze", input=data("int32", 1, 2, 1), axis=[3])
ok("EnsureShape/fits", "EnsureShape", input=data("int32", 2, 3), shape=[None, 3])
bad("EnsureShape/differs", "EnsureShape", input=data("int32", 2, 3), shape=[None, 4])

# Evenly spaced numbers.
for d, a, b, c in [("int32", 3, -8, -3), ("int64", 5, 5, 1), ("float32", 0, 1, 0.1), ("float64", 1, -1, -0.25),
                   ("float16", 0, 3, 0.1), ("bfloat16", 0, 3, 0.1)]:
    n = tensorflow.as_dtype(d).as_numpy_dtype
    ok(f"Range/{d}", "Range", start=scalar(a, n), limit=scalar(b, n), delta=scalar(c, n))
for name, v in {"zero": (0, 1, 0), "order": (0, -1, 1), "nan": (0, np.nan, 1), "large": (0, 1e30, 0.1)}.items():
    bad(f"Range/{name}", "Range", **{k: scalar(x, "float32") for k, x in zip(["start", "limit", "delta"], v)})
ok("LinSpace/float32", "LinSpace", start=scalar(1, "float32"), stop=scalar(2, "float32"), num=scalar(4))
ok("LinSpace/one", "LinSpace", start=scalar(1, "float64"), stop=scalar(2, "float64"), num=scalar(1))
bad("LinSpace/none", "LinSpace", start=scalar(1, "float64"), stop=scalar(2, "float64"), num=scalar(0))
bad("Fill/negative", "Fill", dims=i32(-1), value=scalar(1))
bad("Fill/too_many", "Fill", dims=lit(np.array([1 << 40, 1 << 40])), value=scalar(1))
bad("Fill/too_large", "Fill", error="RESOURCE_EXHAUSTED", dims=lit(np.array([1 << 45])), value=scalar(1))

# Joined and split.
ok("ConcatV2/outer", "ConcatV2", values=[data("int32", 1, 2), data("int32", 3, 2)], axis=scalar(0))
ok("Concat/old", "Concat", concat_dim=scalar(1), values=[data("int32", 1, 2), data("int32", 1, 3)])
bad("ConcatV2/scalars", "ConcatV2", values=[scalar(1), scalar(2)], axis=scalar(0))
bad("ConcatV2/ranks", "ConcatV2", values=[data("int32", 1), data("int32", 1, 1)], axis=scalar(0))
bad("ConcatV2/sizes", "ConcatV2", values=[data("int32", 1, 2), data("int32", 1, 3)], axis=scalar(0))
bad("ConcatV2/axis", "ConcatV2", values=[data("int32", 1), data("int32", 1)], axis=scalar(1))
ok("ConcatOffset/three", "ConcatOffset", concat_dim=scalar(1), shape=[i32(2, 3), i32(2, 5), i32(2, 7)])
bad("ConcatOffset/sizes", "ConcatOffset", concat_dim=scalar(-1), shape=[i32(2, 3), i32(3, 5)])
bad("ConcatOffset/axis", "ConcatOffset", concat_dim=scalar(2), shape=[i32(2, 3), i32(2, 5)])
bad("Pack/shapes", "Pack", values=[data("int32", 1), data("int32", 2)], axis=0)
bad("Pack/axis", "Pack", values=[data("int32", 1), data("int32", 1)], axis=2)
ok("Pack/scalars", "Pack", values=[scalar(1), scalar(2), scalar(3)], axis=0)
bad("Unpack/count", "Unpack", value=data("int32", 2), num=3, axis=0)
for axis in (0, 1):
    ok(f"Split/axis{axis}", "Split", axis=scalar(axis), value=data("float32", 4, 2), num_split=2)
bad("Split/uneven", "Split", axis=scalar(0), value=data("float32", 3), num_split=2)
bad("Split/axis", "Split", axis=scalar(1), value=data("float32", 3), num_split=3)
ok("SplitV/rest", "SplitV", value=data("string", 2, 5), size_splits=i32(1, -1, 0), axis=scalar(1), num_split=3)
ok("SplitV/one", "SplitV", value=data("int32", 2), size_splits=i32(2), axis=scalar(0), num_split=1)
bad("SplitV/sum", "SplitV", value=data("int32", 2), size_splits=i32(1, 3), axis=scalar(0), num_split=2)
bad("SplitV/negative", "SplitV", value=data("int32", 2), size_splits=i32(-2, 4), axis=scalar(0), num_split=2)
ok("Slice/box", "Slice", input=data("int32", 3, 4), begin=i32(1, 2), size=i32(-1, 2))
ok("Slice/rows", "Slice", input=data("string", 3, 2), begin=i32(1, 0), size=i32(1, 2))
ok("Slice/empty", "Slice", input=data("int32", 3), begin=i32(3), size=i32(0))
for name, begin, size in [("begin", -1, 1), ("size", 1, 3), ("negative", 0, -2)]:
    bad(f"Slice/{name}", "Slice", input=data("int32", 3), begin=i32(begin), size=i32(size))
bad("Slice/rank", "Slice", input=data("int32", 3), begin=i32(0, 0), size=i32(1, 1))

# Strided slices: name, begin, end, strides, masks (begin, end, ellipsis, new axis, shrink).
SLICES = [
    ("plain", [1, 0, 1], [2, 3, 3], [1, 2, 1], ()),
    ("ellipsis", [0, 1], [0, 2], [1, 1], (0, 0, 1)),
    ("ellipsis_middle", [1, 0, -1], [2, 0, 0], [1, 1, 1], (0, 0, 2, 0, 4)),
    ("new_axes", [0, 0, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1], (0, 0, 1, 10)),
    ("shrink_all", [1, -1, 0], [2, 0, 1], [1, 1, 1], (0, 0, 0, 0, 7)),
    ("shrink_masked", [1], [2], [1], (1, 1, 0, 0, 1)),
    ("backwards", [0, 0], [0, 0], [-1, -2], (3, 3)),
    ("rows", [1], [2], [1], ()),
    ("far_out", [-9, 9], [9, -9], [1, -1], ()),
    ("degenerate", [1], [0], [1], ()),
    ("new_and_shrink", [1, 0], [2, 0], [1, 1], (0, 0, 0, 2, 3)),
    ("large_stride", [0, 1], [2, 3], [2**31 - 1, -(2**31)], ()),
]
for name, begin, end, strides, masks in SLICES:
    m = dict(zip(["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"], masks))
    spec = dict(begin=i32(*begin), end=i32(*end), strides=i32(*strides), **m)
    ok(f"StridedSlice/{name}", "StridedSlice", input=data("int32", 2, 3, 4), **spec)
    ok(f"StridedSlice/{name}/static", "StridedSlice", static=True, input=data("int32", 2, 3, 4), **spec)
    part = np.asarray(some("float32", 2, 3, 4))
    with tensorflow.Graph().as_default(), tensorflow.compat.v1.Session() as s:
        shape = s.run(raw.StridedSlice(input=part, begin=begin, end=end, strides=strides, **m)).shape
    ok(f"StridedSliceGrad/{name}", "StridedSliceGrad", shape=i32(2, 3, 4), dy=data("float32", *shape), **spec)
    ok(f"TensorStridedSliceUpdate/{name}", "TensorStridedSliceUpdate", input=data("int32", 2, 3, 4),
       value=data("int32", *shape), **spec)
for name, begin, end, strides, masks in [
    ("zero_stride", [0], [1], [0], {}),
    ("too_many", [0] * 4, [1] * 4, [1] * 4, {}),
    ("out_of_bounds", [2], [3], [1], {"shrink_axis_mask": 1}),
    ("shrink_backwards", [1], [0], [-1], {"shrink_axis_mask": 1}),
    ("two_ellipses", [0, 0], [1, 1], [1, 1], {"ellipsis_mask": 3}),
    ("lengths", [0, 0], [1], [1], {}),
]:
    bad(f"StridedSlice/{name}", "StridedSlice", input=data("int32", 2, 3, 4), begin=i32(*begin), end=i32(*end),
        strides=i32(*strides), **masks)
bad("StridedSliceGrad/shape", "StridedSliceGrad", shape=i32(3), begin=i32(0), end=i32(1), strides=i32(1),
    dy=data("float32", 2))
ok("TensorStridedSliceUpdate/broadcast", "TensorStridedSliceUpdate", input=data("int32", 2, 3), begin=i32(0, 0),
   end=i32(2, 2), strides=i32(1, 1), value=data("int32", 2, 1))
bad("TensorStridedSliceUpdate/shape", "TensorStridedSliceUpdate", input=data("int32", 3), begin=i32(0), end=i32(2),
    strides=i32(1), value=data("int32", 3))

# Gather and scatter.
for axis, batch, indices in [(1, 0, [[2, 0]]), (-1, 1, [[0], [1]]), (1, 1, [[2, 0, 1], [1, 1, 1]]), (2, -1, [[1], [0]])]:
    ok(f"GatherV2/axis{axis}_batch{batch}", "GatherV2", params=data("float32", 2, 3, 2), indices=i32(*indices),
       axis=scalar(axis), batch_dims=batch)
ok("GatherV2/scalar", "GatherV2", params=data("float32", 3, 2), indices=scalar(1), axis=scalar(0))
ok("GatherV2/nothing", "GatherV2", params=data("float32", 2, 0), indices=i32(5), axis=scalar(0))
ok("Gather/old", "Gather", params=data("string", 3), indices=i32([2], [0]))
bad("GatherV2/range", "GatherV2", params=data("float32", 3), indices=i32(1, 3), axis=scalar(0))
bad("GatherV2/negative", "GatherV2", params=data("float32", 3), indices=i32(-1), axis=scalar(0))
bad("GatherV2/empty", "GatherV2", params=data("float32", 0, 2), indices=i32(0), axis=scalar(0))
bad("GatherV2/axis", "GatherV2", params=data("float32", 3), indices=i32(1), axis=scalar(1))
bad("GatherV2/batch", "GatherV2", params=data("float32", 3, 2), indices=i32([0], [1]), axis=scalar(1), batch_dims=1)
ok("GatherNd/slices", "GatherNd", params=data("float32", 2, 3), indices=lit(np.array([[[1]], [[0]]])))
ok("GatherNd/whole", "GatherNd", params=data("float32", 2), indices=lit(np.zeros((3, 0), "int32")))
ok("GatherNd/ignore", "GatherNd", params=data("float32", 2), indices=i32([7], [0], [-1]), bad_indices_policy="IGNORE")
bad("GatherNd/range", "GatherNd", params=data("float32", 2, 2), indices=i32([0, 2]))
bad("GatherNd/depth", "GatherNd", params=data("float32", 2), indices=i32([0, 0]))
bad("GatherNd/empty", "GatherNd", params=data("float32", 0, 2), indices=i32([0]))
for d in NUMBERS + ["bool", "string"]:
    ok(f"ScatterNd/{d}", "ScatterNd", indices=i32([1], [0], [1]), updates=data(d, 3, 2), shape=i32(3, 2))
for d in NUMBERS:
    ok(f"TensorScatterAdd/{d}", "TensorScatterAdd", tensor=data(d, 4), indices=i32([3], [0], [3]), updates=data(d, 3))
    ok(f"TensorScatterSub/{d}", "TensorScatterSub", tensor=data(d, 4), indices=i32([3], [0], [3]), updates=data(d, 3))
for op in ["TensorScatterMin", "TensorScatterMax"]:
    ok(f"{op}/nan", op, tensor=lit([1, np.nan, 3], "float32"), indices=i32([0], [1], [2]),
       updates=lit([5, 6, np.nan], "float32"))
    ok(f"{op}/int", op, tensor=data("int64", 4), indices=i32([3], [0], [3]), updates=data("int64", 3))
ok("ScatterNdNonAliasingAdd/float32", "ScatterNdNonAliasingAdd", input=data("float32", 3), indices=i32([0], [0]),
   updates=data("float32", 2))
ok("ScatterNd/ignore", "ScatterNd", indices=i32([0], [5]), updates=data("float32", 2), shape=i32(3),
   bad_indices_policy="IGNORE")
ok("ScatterNdNonAliasingAdd/vector", "ScatterNdNonAliasingAdd", input=data("float32", 3), indices=i32(1, 0),
   updates=data("float32", 2))
ok("ScatterNd/none", "ScatterNd", indices=lit(np.zeros((0, 1), "int32")), updates=data("float32", 0), shape=i32(3))
for name, indices, updates, shape in [
    ("range", i32([3]), data("float32", 1), i32(3)),
    ("count", i32([0], [1]), data("float32", 3), i32(3)),
    ("inner", i32([0]), data("float32", 1, 3), i32(3, 2)),
    ("depth", i32([0, 0]), data("float32", 1), i32(3)),
    ("vector", i32(1, 0), data("float32", 2), i32(3)),
    ("vector_of_one_row", i32(1), data("float32", 2), i32(3, 2)),
    ("scalar_indices", scalar(0), data("float32", 1), i32(3)),
    ("empty_output", i32([0]), data("float32", 1), i32(0)),
    ("negative_shape", i32([0]), data("float32", 1), i32(-3)),
]:
    bad(f"ScatterNd/{name}", "ScatterNd", indices=indices, updates=updates, shape=shape)

# Tile, pad, reverse.
ok("Tile/none", "Tile", input=data("int32", 2, 3), multiples=i32(2, 0))
ok("Tile/deep", "Tile", input=data("int32", 2, 1, 3), multiples=i32(1, 2, 2))
bad("Tile/negative", "Tile", input=data("int32", 2), multiples=i32(-1))
bad("Tile/rank", "Tile", input=data("int32", 2), multiples=i32(1, 1))
ok("Pad/three", "Pad", input=data("int32", 1, 2, 2), paddings=i32([0, 1], [1, 0], [0, 0]))
ok("Pad/empty", "Pad", input=data("int32", 0), paddings=i32([1, 1]))
bad("Pad/negative", "Pad", input=data("int32", 2), paddings=i32([1, -1]))
bad("Pad/columns", "Pad", input=data("int32", 2), paddings=i32(1, 1))
bad("Pad/rank", "Pad", input=data("int32", 2), paddings=i32([0, 0], [1, 1]))
for mode in ["REFLECT", "SYMMETRIC"]:
    ok(f"MirrorPad/{mode}", "MirrorPad", input=data("int32", 2, 3), paddings=i32([1, 1], [2, 1]), mode=mode)
    ok(f"MirrorPadGrad/{mode}", "MirrorPadGrad", input=data("float32", 4, 6), paddings=i32([1, 1], [2, 1]), mode=mode)
bad("MirrorPad/reflect_too_far", "MirrorPad", input=data("int32", 2), paddings=i32([2, 0]), mode="REFLECT")
bad("MirrorPad/symmetric_too_far", "MirrorPad", input=data("int32", 2), paddings=i32([3, 0]), mode="SYMMETRIC")
ok("Reverse/old", "Reverse", tensor=data("string", 2, 3), dims=lit([True, False]))
ok("ReverseV2/scalar", "ReverseV2", tensor=data("int32"), axis=i32(0))
bad("ReverseV2/twice", "ReverseV2", tensor=data("int32", 2), axis=i32(0, -1))
bad("ReverseV2/range", "ReverseV2", tensor=data("int32", 2), axis=i32(1))
for seq, batch in [(1, 0), (0, 1), (2, 1)]:
    ok(f"ReverseSequence/{seq}_{batch}", "ReverseSequence", input=data("int32", 3, 3, 3),
       seq_lengths=lit(np.array([1, 3, 0])), seq_dim=seq, batch_dim=batch)
bad("ReverseSequence/too_long", "ReverseSequence", input=data("int32", 2, 2), seq_lengths=lit(np.array([1, 3])), seq_dim=1)
bad("ReverseSequence/count", "ReverseSequence", input=data("int32", 2, 2), seq_lengths=lit(np.array([1])), seq_dim=1)
bad("Roll/axis", "Roll", input=data("int32", 2), shift=scalar(1), axis=scalar(1))
bad("Roll/sizes", "Roll", input=data("int32", 2), shift=i32(1, 1), axis=i32(0))
bad("Roll/scalar", "Roll", input=data("int32"), shift=scalar(1), axis=scalar(0))

# Broadcasting.
bad("BroadcastTo/rank", "BroadcastTo", input=data("int32", 1, 2), shape=i32(2))
bad("BroadcastTo/sizes", "BroadcastTo", input=data("int32", 2), shape=i32(2, 3))
bad("BroadcastTo/empty", "BroadcastTo", input=data("int32", 2), shape=i32(0))
for name, a, b in [("grow", [2, 1], [3]), ("same", [1, 2], [1, 2]), ("ones", [2, 1, 1], [3, 1]), ("zero", [0], [1]),
                   ("none", [], [2, 1])]:
    ok(f"BroadcastArgs/{name}", "BroadcastArgs", s0=lit(np.array(a, "int32")), s1=lit(np.array(b, "int32")))
    ok(f"BroadcastGradientArgs/{name}", "BroadcastGradientArgs", s0=lit(np.array(a, "int64")),
       s1=lit(np.array(b, "int64")))
bad("BroadcastArgs/clash", "BroadcastArgs", s0=i32(2), s1=i32(3))
bad("BroadcastGradientArgs/clash", "BroadcastGradientArgs", s0=i32(2), s1=i32(3))

# Indices and sorts.
for d in ["bool", "float32", "complex64", "uint8", "bfloat16"]:
    ok(f"Where/{d}", "Where", condition=lit(np.array(some(d, 2, 2, 2)) * np.array([0, 1]).astype(some(d, 1).dtype), d))
ok("Where/none", "Where", condition=lit(np.zeros((0, 3), bool)))
bad("Where/scalar", "Where", condition=lit(True))
for axis in (0, 1):
    ok(f"OneHot/axis{axis}", "OneHot", indices=lit(np.array([[0, 2], [-1, 1]])), depth=scalar(3),
       on_value=scalar(5.0, "float32"), off_value=scalar(-1.0, "float32"), axis=axis)
bad("OneHot/depth", "OneHot", indices=i32(1), depth=scalar(-1), on_value=scalar(1), off_value=scalar(0))
bad("DynamicPartition/range", "DynamicPartition", data=data("int32", 2), partitions=i32(0, 2), num_partitions=2)
bad("DynamicPartition/shape", "DynamicPartition", data=data("int32", 2), partitions=i32(0), num_partitions=2)
ok("DynamicPartition/scalar", "DynamicPartition", data=data("int32", 3), partitions=scalar(1), num_partitions=2)
ok("DynamicStitch/last_counts", "DynamicStitch", indices=[i32(1, 1), i32(1, 0)], data=[data("int32", 2), i32(9, 8)])
ok("DynamicStitch/none", "DynamicStitch", indices=[i32()], data=[data("float32", 0, 2)])
ok("ParallelDynamicStitch/two", "ParallelDynamicStitch", indices=[i32(0), i32(2, 1)], data=[data("int32", 1), i32(9, 8)])
bad("DynamicStitch/negative", "DynamicStitch", indices=[i32(-1)], data=[data("int32", 1)])
bad("DynamicStitch/shape", "DynamicStitch", indices=[i32(0), i32(1)], data=[data("int32", 1, 2), data("int32", 1, 3)])
ok("InvertPermutation/three", "InvertPermutation", x=i32(2, 0, 1))
bad("InvertPermutation/twice", "InvertPermutation", x=i32(0, 0))
bad("InvertPermutation/range", "InvertPermutation", x=i32(0, 2))
for d in ["int32", "string", "float32", "bool", "uint8"]:
    ok(f"Unique/{d}", "Unique", x=lit(np.concatenate([some(d, 4), some(d, 3)]), d))
    ok(f"UniqueWithCounts/{d}", "UniqueWithCounts", x=lit(np.concatenate([some(d, 2), some(d, 3)]), d),
       out_idx=tensorflow.int64)
ok("Unique/nan", "Unique", x=lit([np.nan, 1, np.nan, 0.0, -0.0], "float32"))
for axis in (0, 1, -1):
    ok(f"UniqueV2/axis{axis}", "UniqueV2", x=i32([1, 2, 1], [3, 4, 3], [1, 2, 1]), axis=i32(axis))
ok("UniqueV2/no_axis", "UniqueV2", x=i32(1, 1, 2), axis=i32())
ok("UniqueV2/empty_slices", "UniqueV2", x=data("float32", 2, 0), axis=i32(0))
ok("UniqueWithCountsV2/strings", "UniqueWithCountsV2", x=lit([[b"a", b"b"], [b"a", b"b"]], "string"), axis=i32(0))
bad("Unique/matrix", "Unique", x=data("int32", 2, 2))
bad("UniqueV2/axis", "UniqueV2", x=data("int32", 2, 2), axis=i32(2))
for d in ["int32", "string", "float32"]:
    ok(f"ListDiff/{d}", "ListDiff", x=data(d, 5), y=lit(some(d, 5)[1:3], d))
ok("LowerBound/rows", "LowerBound", sorted_inputs=i32([1, 3, 3], [2, 4, 6]), values=i32([3, 0], [7, 4]))
ok("UpperBound/rows", "UpperBound", sorted_inputs=i32([1, 3, 3], [2, 4, 6]), values=i32([3, 0], [7, 4]),
   out_type=tensorflow.int64)
bad("LowerBound/rows_differ", "LowerBound", sorted_inputs=i32([1, 2]), values=i32([1], [2]))
bad("LowerBound/rank", "LowerBound", sorted_inputs=i32(1, 2), values=i32([1]))
for d in ["int32", "int64", "float32", "float64"]:
    ok(f"Bucketize/{d}", "Bucketize", input=lit(np.array([-1, 0, 3, 100], d)), boundaries=[0.0, 2.5, 3.0])
ok("Bucketize/nan", "Bucketize", input=lit([np.nan, -1], "float32"), boundaries=[0.0, 1.0])
ok("UnravelIndex/vector", "UnravelIndex", indices=i32(5, 0, 3), dims=i32(2, 3))
ok("UnravelIndex/scalar", "UnravelIndex", indices=scalar(4), dims=i32(2, 3))
bad("UnravelIndex/range", "UnravelIndex", indices=i32(6), dims=i32(2, 3))
bad("UnravelIndex/negative", "UnravelIndex", indices=i32(4), dims=i32(-2, -3))
bad("UnravelIndex/overflow", "UnravelIndex", indices=i32(6), dims=i32(100, 2**31 - 1))
ok("ReverseV2/empty", "ReverseV2", tensor=data("float32", 2, 0), axis=lit([[7]], "int32"))
for op in ["InplaceUpdate", "InplaceAdd", "InplaceSub"]:
    ok(f"{op}/rows", op, x=data("float32", 3, 2), i=i32(-1, 4), v=data("float32", 2, 2))

# Bitcasts.
for a, b, shape in [("float32", "int32", (2,)), ("float32", "uint8", (2,)), ("uint8", "uint16", (2, 2)),
                    ("complex64", "float32", (2,)), ("int16", "bfloat16", (3,)), ("uint8", "float64", (0, 8))]:
    ok(f"Bitcast/{a}_{b}", "Bitcast", input=data(a, *shape), type=tensorflow.as_dtype(b))
bad("Bitcast/last_axis", "Bitcast", input=data("uint8", 2, 3), type=tensorflow.uint16)

# Diagonals.
for d in ["bool", "float32", "complex64", "int64"]:
    ok(f"MatrixBandPart/{d}", "MatrixBandPart", input=data(d, 2, 3, 4), num_lower=scalar(1, "int64"),
       num_upper=scalar(0, "int64"))
ok("MatrixBandPart/upper", "MatrixBandPart", input=data("int32", 3, 3), num_lower=scalar(0), num_upper=scalar(-1))
bad("MatrixBandPart/lower", "MatrixBandPart", input=data("int32", 2, 3), num_lower=scalar(3), num_upper=scalar(0))
bad("MatrixBandPart/rank", "MatrixBandPart", input=data("int32", 2), num_lower=scalar(0), num_upper=scalar(0))
ok("Diag/matrix", "Diag", diagonal=data("float32", 2, 2))
bad("Diag/scalar", "Diag", diagonal=data("float32"))
ok("DiagPart/matrix", "DiagPart", input=data("float32", 2, 3, 2, 3))
bad("DiagPart/odd", "DiagPart", input=data("float32", 3))
bad("DiagPart/differs", "DiagPart", input=data("float32", 2, 3))
ok("MatrixDiag/batch", "MatrixDiag", diagonal=data("int32", 2, 3))
ok("MatrixDiagPart/wide", "MatrixDiagPart", input=data("int32", 2, 2, 3))
ok("MatrixSetDiag/tall", "MatrixSetDiag", input=data("int32", 3, 2), diagonal=data("int32", 2))
for align in ["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]:
    ok(f"MatrixDiagV3/{align}", "MatrixDiagV3", diagonal=data("int32", 2, 4, 3), k=i32(-1, 2), num_rows=scalar(3),
       num_cols=scalar(4), padding_value=scalar(-7), align=align)
    ok(f"MatrixDiagPartV3/{align}", "MatrixDiagPartV3", input=data("int32", 2, 3, 4), k=i32(-2, 3),
       padding_value=scalar(-7), align=align)
    ok(f"MatrixSetDiagV3/{align}", "MatrixSetDiagV3", input=data("int32", 3, 4), diagonal=data("int32", 3, 3),
       k=i32(-1, 1), align=align)
for k in (-1, 0, 2):
    ok(f"MatrixDiagV2/{k}", "MatrixDiagV2", diagonal=data("float32", 2), k=scalar(k), num_rows=scalar(-1),
       num_cols=scalar(-1), padding_value=scalar(0, "float32"))
    ok(f"MatrixDiagPartV2/{k}", "MatrixDiagPartV2", input=data("float32", 3, 4), k=scalar(k),
       padding_value=scalar(0, "float32"))
ok("MatrixDiagV3/rows_given", "MatrixDiagV3", diagonal=data("float32", 2), k=scalar(0), num_rows=scalar(4),
   num_cols=scalar(-1), padding_value=scalar(9, "float32"))
bad("MatrixDiagV3/size", "MatrixDiagV3", diagonal=data("float32", 2), k=scalar(1), num_rows=scalar(5),
    num_cols=scalar(5), padding_value=scalar(0, "float32"))
bad("MatrixDiagV3/order", "MatrixDiagV3", diagonal=data("float32", 2, 2), k=i32(1, 0), num_rows=scalar(-1),
    num_cols=scalar(-1), padding_value=scalar(0, "float32"))
bad("MatrixDiagPartV3/range", "MatrixDiagPartV3", input=data("float32", 2, 2), k=i32(2), padding_value=scalar(0, "float32"))
bad("MatrixSetDiagV3/shape", "MatrixSetDiagV3", input=data("float32", 2, 2), diagonal=data("float32", 1), k=scalar(0))
ok("MatrixDiagPartV3/empty", "MatrixDiagPartV3", input=data("float32", 0, 2), k=scalar(0), padding_value=scalar(0, "float32"))


# Blocks. The shape functions of these ask for the ranks of their inputs.
def blocks(name, op, x, args, error=None):
    def build(tf, v1):
        made = {k: fed(np.array(v, "int32"), shape=list(np.shape(v))) if isinstance(v, list) else v
                for k, v in args.items()}
        return getattr(tf.raw_ops, op)(input=fed(x[0], x[1], shape=[None] * x[0].ndim), **made)

    case(f"{op}/{name}", build, error=error)


for d in ["float32", "int16", "float64"]:
    blocks(d, "SpaceToBatchND", data(d, 2, 3, 4, 2), dict(block_shape=[2, 2], paddings=[[1, 0], [0, 2]]))
    blocks(d, "BatchToSpaceND", data(d, 6, 2, 1, 2), dict(block_shape=[2, 3], crops=[[1, 0], [0, 1]]))
blocks("margin", "SpaceToBatchND", data("int32", 1, 2), dict(block_shape=[3], paddings=[[4, 3]]))
blocks("plain", "SpaceToBatchND", data("int32", 1, 4, 4), dict(block_shape=[2, 2], paddings=[[0, 0], [0, 0]]))
blocks("one", "BatchToSpaceND", data("int32", 1, 4), dict(block_shape=[1], crops=[[1, 1]]))
blocks("uneven", "SpaceToBatchND", data("int32", 1, 3), dict(block_shape=[2], paddings=[[0, 0]]), INVALID)
blocks("uneven", "BatchToSpaceND", data("int32", 3, 3), dict(block_shape=[2], crops=[[0, 0]]), INVALID)
blocks("crops", "BatchToSpaceND", data("int32", 2, 1), dict(block_shape=[2], crops=[[2, 1]]), INVALID)
blocks("old", "SpaceToBatch", data("int32", 1, 2, 2, 1), dict(paddings=[[0, 0], [1, 1]], block_size=2))
blocks("old", "BatchToSpace", data("int32", 4, 1, 2, 1), dict(crops=[[0, 0], [1, 1]], block_size=2))
for d in ["float32", "string", "int8"]:
    blocks(d, "SpaceToDepth", data(d, 1, 2, 4, 3), dict(block_size=2))
    blocks(d, "DepthToSpace", data(d, 1, 2, 1, 8), dict(block_size=2))
blocks("uneven", "SpaceToDepth", data("int32", 1, 3, 2, 1), dict(block_size=2), INVALID)
blocks("uneven", "DepthToSpace", data("int32", 1, 1, 1, 3), dict(block_size=2), INVALID)


# Lists, and ops that pass their input on.
case("IdentityN/kinds", lambda tf, v1: list(raw.IdentityN(input=[fed([1, 2]), fed([[b"a"]], "string"), fed(True)])))
for name in ["DeepCopy", "GuaranteeConst", "Snapshot", "StopGradient"]:
    key = "x" if name == "DeepCopy" else "input"
    case(f"{name}/float32", lambda tf, v1, op=name, key=key: getattr(raw, op)(**{key: fed([1.0, 2.0])}))
case("OnesLike/kinds", lambda tf, v1: [raw.OnesLike(x=fed(some(d, 2), d)) for d in NUMBERS + ["bool"]])
case("Empty/init", lambda tf, v1: raw.Empty(shape=fed([2, 3]), dtype=tf.float32, init=True))
case("ParallelConcat/rows", lambda tf, v1: raw.ParallelConcat(
    values=[fed([[1, 2]], shape=[1, 2]), fed([[3, 4]], shape=[1, 2])], shape=[2, 2]))

# Large enough to be worth several threads, and compared by sums.
x = np.arange(96 * 130 * 40, dtype=np.int64).reshape(96, 130, 40)
for perm in [(0, 2, 1), (2, 1, 0), (1, 0, 2)]:
    case(f"Transpose/large_{''.join(map(str, perm))}", lambda tf, v1, perm=perm: tf.reduce_sum(
        raw.Transpose(x=raw.Reshape(tensor=raw.Range(start=0, limit=x.size, delta=1), shape=x.shape), perm=perm)
        * raw.Reshape(tensor=raw.Range(start=1, limit=1 + x.size, delta=1), shape=[x.shape[p] for p in perm]) % 1009))

write(__file__)
