"""8-bit and 4-bit floats, 4-bit and 2-bit integers, and quantized integers: stored, moved and cast."""

import ml_dtypes
import numpy as np

from record import case, fed, step, write

FLOAT8 = ["float8_e5m2", "float8_e4m3fn"]
INT4 = ["int4", "uint4"]
STORED = FLOAT8 + INT4 + ["float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "int2", "uint2", "float4_e2m1fn"]
QUANTIZED = ["qint8", "quint8", "qint16", "quint16", "qint32"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
PLAIN = INTEGERS + FLOATS + ["bool", "complex64", "complex128"]
BITS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1fn": 4}


def dtype(tf, name):
    return tf.dtypes.as_dtype(name)


def every(name):
    """Every value of a narrow type."""
    return np.arange(2 ** BITS.get(name, 8), dtype=np.uint8).view(getattr(ml_dtypes, name))


def cast(x, to, source=None, error=None):
    source = source or x.dtype.name
    case(f"Cast/{source}/{to}",
         lambda tf, v1: tf.raw_ops.Cast(x=fed(x, source), DstT=dtype(tf, to)), error=error)


for name in FLOAT8:
    for to in PLAIN + QUANTIZED + FLOAT8:
        # The value of NaN as an uint32 depends on its position in the tensor.
        cast(every(name)[np.isfinite(every(name).astype(np.float32))] if to == "uint32" else every(name), to)
    # Values of the type, midpoints of two, and the neighbours of midpoints; values that are too large, and NaN.
    numbers = np.sort(every(name).astype(np.float64))
    numbers = numbers[np.isfinite(numbers)]
    for source in FLOATS:
        kind = getattr(ml_dtypes, source, None) or np.dtype(source)
        with np.errstate(all="ignore"):
            middle = ((numbers[1:] + numbers[:-1]) / 2).astype(kind)
            wide = np.concatenate([numbers[::5].astype(kind), middle])
            near = [np.nextafter(middle, np.array(way).astype(kind)) for way in (np.inf, -np.inf)]
            ends = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-9, 450, 464, 465, 480, 500, 57344, 61439, 61440, 65000,
                             1e30, -1e30]).astype(kind)
            cast(np.concatenate([wide, *near, ends]), name, source)
MANY = np.random.default_rng(0).standard_normal(60) * np.exp2(np.random.default_rng(1).integers(-9, 8, 60))
for source in FLOATS + FLOAT8:
    others = [to for to in FLOATS + FLOAT8 if to != source]
    case(f"Cast/truncate/{source}", lambda tf, v1: [
        tf.raw_ops.Cast(x=fed(MANY.tolist(), dtype(tf, source)), DstT=dtype(tf, to), Truncate=True) for to in others])
for name in INT4:
    for other in INTEGERS + QUANTIZED + INT4:
        cast(every(name), other)
        if other not in INT4:
            cast(np.array([0, 1, 7, 8, 9, 15, 16, 100, 120]), name, other)
    for other in FLOATS + ["bool"]:
        cast(every(name), other, error="UNIMPLEMENTED")
for source, to in [("int32", "float8_e5m2"), ("float32", "int4"), ("float32", "int2"), ("float32", "float4_e2m1fn"),
                   ("float32", "float8_e4m3fnuz"), ("complex64", "float8_e4m3fn"), ("qint8", "float8_e5m2")]:
    cast(np.array([1, 0]), to, source, error="UNIMPLEMENTED")
for name in ["float4_e2m1fn", "int2", "float8_e5m2fnuz"]:
    cast(every(name), "float32", error="UNIMPLEMENTED")
    cast(every(name), name)
for name in QUANTIZED:
    for other in PLAIN + QUANTIZED:
        cast(np.array([0, 1, 2, 100, 127]), other, name)
    for other in ["float32", "float64", "int64", "complex64", "bool"]:
        cast(np.array([0, 1, -1, 2.5, 127, 128, 255, 256, 40000, 70000]).astype(other), name, other)
    for other in ["float16", "bfloat16"]:
        # The result for values out of range depends on their position in the tensor.
        cast([0, 1, 2.5, 100.5, 127], name, other)


def values(name, shape):
    n = int(np.prod(shape))
    if name in QUANTIZED:
        return (np.arange(n) * 37 % 128).reshape(shape)
    return np.resize(every(name), n).reshape(shape)


for name in STORED + QUANTIZED:
    x = values(name, [2, 3])
    case(f"Identity/{name}", lambda tf, v1: tf.raw_ops.Identity(input=fed(x, name)))
    case(f"Const/{name}", lambda tf, v1: tf.constant(values(name, [7]), dtype(tf, name)))
    if "fnuz" not in name:
        case(f"Const/{name}/repeated", lambda tf, v1: tf.constant(values(name, [2])[1], dtype(tf, name), shape=[3, 2]))
    case(f"Const/{name}/long", lambda tf, v1: tf.constant(values(name, [100]), dtype(tf, name)))
    case(f"Reshape/{name}", lambda tf, v1: tf.raw_ops.Reshape(tensor=fed(x, name), shape=[3, 2]))
    case(f"ExpandDims/{name}", lambda tf, v1: tf.raw_ops.ExpandDims(input=fed(x, name), axis=1))
    case(f"StopGradient/{name}", lambda tf, v1: tf.raw_ops.StopGradient(input=fed(x, name)))

    def queue(tf, v1):
        q = v1.FIFOQueue(4, [dtype(tf, name)], shapes=[[3]])
        put = q.enqueue(fed(x[0], name))
        return [step(put), step(q.dequeue())]

    case(f"FIFOQueue/{name}", queue)
    if name not in ["float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "qint16", "quint16"]:

        def variable(tf, v1):
            handle = tf.raw_ops.VarHandleOp(dtype=dtype(tf, name), shape=[2, 3], container="", shared_name="v")
            return [step(tf.raw_ops.AssignVariableOp(resource=handle, value=fed(x, name))),
                    step(tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype(tf, name)))]

        case(f"AssignVariableOp/{name}", variable)

for name in FLOAT8 + QUANTIZED:
    x, y = values(name, [2, 3]), values(name, [2, 2])
    case(f"ConcatV2/{name}", lambda tf, v1: tf.raw_ops.ConcatV2(values=[fed(x, name), fed(y, name)], axis=1))
    case(f"Pack/{name}", lambda tf, v1: tf.raw_ops.Pack(values=[fed(x, name), fed(x[::-1], name)], axis=1))
    case(f"GatherV2/{name}", lambda tf, v1: tf.raw_ops.GatherV2(params=fed(x, name), indices=fed([2, 0, 2]), axis=1))
for name in FLOAT8 + ["qint8", "quint8", "qint32"]:
    x = values(name, [3, 4])
    case(f"GatherNd/{name}", lambda tf, v1: tf.raw_ops.GatherNd(params=fed(x, name), indices=fed([[2, 1], [0, 3]])))
    case(f"Slice/{name}", lambda tf, v1: tf.raw_ops.Slice(input=fed(x, name), begin=[1, 1], size=[2, -1]))
    case(f"StridedSlice/{name}", lambda tf, v1: fed(x, name)[::-2, 1:3])
    case(f"StridedSliceGrad/{name}", lambda tf, v1: tf.raw_ops.StridedSliceGrad(
        shape=[3, 4], begin=[0, 1], end=[3, 4], strides=[2, 2], dy=fed(values(name, [2, 2]), name)))
for name in FLOAT8:
    x = values(name, [3, 4])
    case(f"Transpose/{name}", lambda tf, v1: tf.raw_ops.Transpose(x=fed(x, name), perm=[1, 0]))
    case(f"ConjugateTranspose/{name}", lambda tf, v1: tf.raw_ops.ConjugateTranspose(x=fed(x, name), perm=[1, 0]))
    case(f"Unpack/{name}", lambda tf, v1: tf.raw_ops.Unpack(value=fed(x, name), num=3))
    case(f"BroadcastTo/{name}", lambda tf, v1: tf.raw_ops.BroadcastTo(input=fed(x, name), shape=[2, 3, 4]))
for name in FLOAT8 + INT4 + ["quint8"]:
    x = values(name, [4, 3])
    case(f"Split/{name}", lambda tf, v1: tf.raw_ops.Split(axis=0, value=fed(x, name), num_split=2))
    case(f"SplitV/{name}", lambda tf, v1: tf.raw_ops.SplitV(value=fed(x, name), size_splits=[1, 3], axis=0, num_split=2))
for name in INT4 + QUANTIZED:
    case(f"Fill/{name}", lambda tf, v1: tf.raw_ops.Fill(dims=[2, 2], value=fed(values(name, [10])[9], name)))
for name in QUANTIZED:
    x, y = values(name, [2, 3]), values(name, [3])
    case(f"Equal/{name}", lambda tf, v1: tf.raw_ops.Equal(x=fed(x, name), y=fed(y, name)))
    case(f"NotEqual/{name}", lambda tf, v1: tf.raw_ops.NotEqual(x=fed(x, name), y=fed(y, name)))
for name in ["qint8", "quint8", "qint32"]:
    x = values(name, [2, 3])
    case(f"Pad/{name}", lambda tf, v1: tf.raw_ops.Pad(input=fed(x, name), paddings=[[1, 0], [0, 2]]))
    case(f"PadV2/{name}", lambda tf, v1: tf.raw_ops.PadV2(
        input=fed(x, name), paddings=[[1, 0], [0, 2]], constant_values=fed(5, name)))
    case(f"MirrorPad/{name}", lambda tf, v1: tf.raw_ops.MirrorPad(
        input=fed(x, name), paddings=[[1, 1], [0, 2]], mode="REFLECT"))
    case(f"Switch/{name}", lambda tf, v1: tf.raw_ops.Switch(data=fed(x, name), pred=fed(True, "bool"))[1])
    case(f"DynamicStitch/{name}", lambda tf, v1: tf.raw_ops.DynamicStitch(
        indices=[fed([2, 0]), fed([1])], data=[fed(x, name), fed(x[:1], name)]))

write(__file__)
