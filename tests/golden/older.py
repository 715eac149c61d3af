"""Ops that TensorFlow does not add to new graphs, under the names in old graphs, and rare forms of ops."""

import numpy as np
import tensorflow as tf

from record import case, same, step, write
from record import fed as placeholder

raw = tf.raw_ops
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def attr(value):
    """A value of an attr: a dtype, shape, bool, int, float, string or list of ints."""
    found = tf.compat.v1.AttrValue()
    if isinstance(value, tf.DType):
        found.type = value.as_datatype_enum
    elif isinstance(value, tf.TensorShape):
        found.shape.CopyFrom(value.as_proto())
    elif isinstance(value, (list, tuple)):
        found.list.i.extend(value)
    else:
        kind = {bool: "b", int: "i", float: "f", str: "s"}[type(value)]
        setattr(found, kind, value.encode() if kind == "s" else value)
    return found


def old(op, *inputs, outputs=1, producer=8, **attrs):
    """The outputs of a node as in an old graph; the operation if it has none."""
    graph = tf.compat.v1.GraphDef()
    graph.versions.producer = producer
    node = graph.node.add(name="old", op=op, input=[f"x{i}" for i in range(len(inputs))])
    for name, value in attrs.items():
        node.attr[name].CopyFrom(attr(value))
    made = tf.import_graph_def(graph, {f"x{i}": x for i, x in enumerate(inputs)}, [f"old:{i}" for i in range(outputs)] or ["old"], name=op.lstrip("_"))
    return made[0] if outputs <= 1 else made


def fed(value, dtype=None, **options):
    """A placeholder fed with the value as this dtype, arrays too."""
    if dtype is not None and dtype != "string":
        value = np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype)
    return placeholder(value, dtype, **options)


def rand(*shape, seed=0):
    return np.random.RandomState(seed + len(shape)).uniform(-2, 2, shape)


def of(value, dtype):
    """A value fed as this dtype; complex ones have imaginary parts too."""
    value = np.asarray(value)
    if dtype.startswith("complex"):
        value = value + 1j * (np.cos(np.arange(value.size)) * 0.5).reshape(value.shape)
    return fed(value, dtype)


# Names of ops on batches of matrices.
def unary(op, value, dtypes, outputs=1, pick=lambda out: out, label="", error=None, **attrs):
    for dtype in dtypes:
        def build(tf, v1, dtype=dtype):
            x = of(value, dtype)
            out = old(op, x, outputs=outputs, T=tf.as_dtype(dtype), **attrs)
            return pick(out)
        case(f"{op}/{dtype}{label}", build, error=error, rtol=1e-4 if dtype in ("float32", "complex64") else None, atol=1e-4 if dtype in ("float32", "complex64") else None)


def definite(*shape):
    a = rand(*shape)
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])


SQUARE = rand(2, 3, 3) + 4 * np.eye(3)
for dtype in ["int32", "float16", "complex64"]:
    case(f"BatchMatrixBandPart/{dtype}", lambda tf, v1: old(
        "BatchMatrixBandPart", of(np.arange(1, 25).reshape(2, 3, 4), dtype), fed(np.int64(1)), fed(np.int64(0)), T=tf.as_dtype(dtype)))
    case(f"BatchMatrixDiag/{dtype}", lambda tf, v1: old("BatchMatrixDiag", of([[1, 2, 3], [4, 5, 6]], dtype), T=tf.as_dtype(dtype)))
    case(f"BatchMatrixDiagPart/{dtype}", lambda tf, v1: old("BatchMatrixDiagPart", of(np.arange(1, 25).reshape(2, 3, 4), dtype), T=tf.as_dtype(dtype)))
    case(f"BatchMatrixSetDiag/{dtype}", lambda tf, v1: old(
        "BatchMatrixSetDiag", of(np.arange(1, 25).reshape(2, 3, 4), dtype), of([[7, 8, 9], [1, 0, 1]], dtype), T=tf.as_dtype(dtype)))
case("BatchMatrixBandPart/vector", lambda tf, v1: old(
    "BatchMatrixBandPart", fed([1.0]), fed(np.int64(1)), fed(np.int64(0)), T=tf.float32), error="INVALID_ARGUMENT")
case("BatchMatrixBandPart/limits", lambda tf, v1: old(
    "BatchMatrixBandPart", fed([[1.0]]), fed(np.int64(5)), fed(np.int64(0)), T=tf.float32), error="INVALID_ARGUMENT")
case("BatchMatrixDiag/scalar", lambda tf, v1: old("BatchMatrixDiag", fed(1.0), T=tf.float32), error="INVALID_ARGUMENT")
case("BatchMatrixDiagPart/vector", lambda tf, v1: old("BatchMatrixDiagPart", fed([1.0]), T=tf.float32), error="INVALID_ARGUMENT")
case("BatchMatrixSetDiag/shapes", lambda tf, v1: old("BatchMatrixSetDiag", fed([[1.0]]), fed([1.0, 2.0]), T=tf.float32), error="INVALID_ARGUMENT")
case("BatchMatrixDiag/empty", lambda tf, v1: old("BatchMatrixDiag", fed(np.zeros((0, 2), np.float32)), T=tf.float32))

NAN = np.array([[[np.nan, 1.0], [2.0, 3.0]]])
for label, value in {"": SQUARE, "/empty": np.zeros((0, 3, 3)), "/none": np.zeros((2, 0, 0))}.items():
    unary("BatchMatrixDeterminant", value, FLOATS + COMPLEX, label=label)
    for adjoint in (False, True):
        unary("BatchMatrixInverse", value, FLOATS, label=f"/{adjoint}{label}", adjoint=adjoint)
for label, value in {"": definite(2, 3, 3), "/empty": np.zeros((0, 3, 3)), "/none": np.zeros((2, 0, 0))}.items():
    unary("BatchCholesky", value, FLOATS, label=label)
    unary("BatchSelfAdjointEig", value, FLOATS, label=label, pick=lambda x: x ** 2)
    unary("BatchSelfAdjointEigV2", value, FLOATS, 2, label=label, pick=lambda out: [out[0], out[1] ** 2])
    unary("BatchSelfAdjointEigV2", value, FLOATS, 2, label=label + "/values", pick=lambda out: out[0], compute_v=False)
unary("SelfAdjointEig", definite(3, 3), FLOATS, pick=lambda x: x ** 2)
unary("SelfAdjointEig", np.zeros((0, 0)), FLOATS, label="/none")
unary("SelfAdjointEig", rand(2, 3), FLOATS[:1], label="/oblong", error="INVALID_ARGUMENT")
for op in ("BatchMatrixDeterminant", "BatchMatrixInverse", "BatchCholesky"):
    unary(op, rand(2, 3), FLOATS[:1], label="/oblong", error="INVALID_ARGUMENT")
    unary(op, rand(3), FLOATS[:1], label="/vector", error="INVALID_ARGUMENT")
unary("BatchMatrixInverse", np.zeros((1, 2, 2)), FLOATS, label="/singular", error="INVALID_ARGUMENT")
unary("BatchCholesky", -np.ones((1, 1, 1)), FLOATS, label="/negative")
unary("BatchSelfAdjointEig", rand(2, 3), FLOATS[:1], label="/oblong", error="INVALID_ARGUMENT")
for label, value in {"": rand(2, 3, 2), "/wide": rand(2, 2, 3), "/empty": np.zeros((0, 3, 2))}.items():
    unary("BatchSvd", value, FLOATS, 3, label=label, pick=lambda out: [out[0], out[1] ** 2, out[2] ** 2])
    unary("BatchSvd", value, FLOATS, 3, label=label + "/values", pick=lambda out: out[0], compute_uv=False)
    unary("BatchSvd", value, FLOATS[1:], 3, label=label + "/full", pick=lambda out: out[0], full_matrices=True)
for dtype in FLOATS:
    low = np.linalg.cholesky(definite(2, 3, 3))
    case(f"BatchCholeskyGrad/{dtype}", lambda tf, v1: old("BatchCholeskyGrad", fed(low, dtype), fed(rand(2, 3, 3), dtype), T=tf.as_dtype(dtype)), rtol=1e-4, atol=1e-4)
    for adjoint in (False, True):
        case(f"BatchMatrixSolve/{dtype}/{adjoint}", lambda tf, v1: old(
            "BatchMatrixSolve", fed(SQUARE, dtype), fed(rand(2, 3, 2), dtype), T=tf.as_dtype(dtype), adjoint=adjoint), rtol=1e-4, atol=1e-4)
        for lower in (False, True):
            case(f"BatchMatrixTriangularSolve/{dtype}/{adjoint}/{lower}", lambda tf, v1: old(
                "BatchMatrixTriangularSolve", fed(SQUARE, dtype), fed(rand(2, 3, 2), dtype), T=tf.as_dtype(dtype), adjoint=adjoint, lower=lower), rtol=1e-4, atol=1e-4)
    for fast in (False, True):
        case(f"BatchMatrixSolveLs/{dtype}/{fast}", lambda tf, v1: old(
            "BatchMatrixSolveLs", fed(rand(2, 3, 2), dtype), fed(rand(2, 3, 2, seed=1), dtype), fed(0.5, "float64"), T=tf.as_dtype(dtype), fast=fast), rtol=1e-4, atol=1e-4)
case("BatchMatrixSolve/singular", lambda tf, v1: old("BatchMatrixSolve", fed(np.zeros((1, 2, 2))), fed(np.ones((1, 2, 1))), T=tf.float64), error="INVALID_ARGUMENT")
case("BatchMatrixSolve/shapes", lambda tf, v1: old("BatchMatrixSolve", fed(np.eye(2)), fed(np.ones((3, 1))), T=tf.float64), error="INVALID_ARGUMENT")
for label, value in {"": SQUARE * 0.2, "/empty": np.zeros((0, 3, 3)), "/none": np.zeros((2, 0, 0))}.items():
    unary("MatrixExponential", value, FLOATS + COMPLEX, label=label)
unary("MatrixExponential", rand(2, 3), FLOATS[:1], label="/oblong", error="INVALID_ARGUMENT")

# Layers.
VOLUME = rand(1, 2, 3, 3, 2)
for dtype in FLOATS + ["float16"]:
    # TensorFlow adds float16 values in float16.
    rough = dict(rtol=1e-2, atol=1e-2) if dtype == "float16" else {}
    for padding in ("SAME", "VALID"):
        out = [1, 2, 3, 3, 3] if padding == "SAME" else [1, 1, 2, 2, 3]
        case(f"Conv3DBackpropFilter/{dtype}/{padding}", lambda tf, v1: old(
            "Conv3DBackpropFilter", fed(VOLUME, dtype), fed(rand(2, 2, 2, 2, 3), dtype), fed(rand(*out), dtype), T=tf.as_dtype(dtype), strides=[1] * 5, padding=padding), **rough)
        case(f"Conv3DBackpropInput/{dtype}/{padding}", lambda tf, v1: old(
            "Conv3DBackpropInput", fed(VOLUME, dtype), fed(rand(2, 2, 2, 2, 3), dtype), fed(rand(*out), dtype), T=tf.as_dtype(dtype), strides=[1] * 5, padding=padding), **rough)
case("Conv3DBackpropFilter/shapes", lambda tf, v1: old(
    "Conv3DBackpropFilter", fed(VOLUME), fed(rand(2, 2, 2, 2, 3)), fed(rand(1, 1, 1, 1, 3)), T=tf.float64, strides=[1] * 5, padding="SAME"), error="INVALID_ARGUMENT")
IMAGE = rand(2, 4, 5, 2)
POOL = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="SAME")
for dtype in ["float32", "float64", "float16", "bfloat16", "int32", "uint8"]:
    image = np.abs(np.round(IMAGE * 3))
    pooled = np.abs(np.round(rand(2, 2, 5, 2) * 3))

    def gradient_twice(tf, v1, dtype=dtype):
        x = fed(image, dtype)
        y = raw.MaxPool(input=x, **POOL)
        return raw.MaxPoolGradGradV2(orig_input=x, orig_output=y, grad=fed(image[..., ::-1].copy(), dtype), padding="SAME", ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1])

    case(f"MaxPoolGradGradV2/{dtype}", gradient_twice)
    for within in (False, True):
        def with_argmax(tf, v1, dtype=dtype, within=within):
            x = fed(image, dtype)
            _, argmax = raw.MaxPoolWithArgmax(input=x, include_batch_in_index=within, **POOL)
            return raw.MaxPoolGradWithArgmax(input=x, grad=fed(pooled, dtype), argmax=argmax, include_batch_in_index=within, **POOL)

        case(f"MaxPoolGradWithArgmax/{dtype}/{within}", with_argmax)
case("MaxPoolGradGradV2/ksize", lambda tf, v1: raw.MaxPoolGradGradV2(
    orig_input=fed(IMAGE), orig_output=fed(rand(2, 2, 5, 2)), grad=fed(IMAGE), padding="SAME", ksize=fed([1, 2, 2]), strides=fed([1, 2, 1, 1])), error="INVALID_ARGUMENT")
for target in ["int32", "int64"]:
    scores = [[0.1, 0.3, 0.2, 0.4], [0.1, 0.3, np.inf, 0.3], [np.nan, 0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.1]]
    for k in (0, 1, 2, 9):
        case(f"InTopK/{target}/{k}", lambda tf, v1: raw.InTopK(predictions=fed(scores), targets=fed([1, 3, 2, 0], target), k=k))
        case(f"InTopKV2/{target}/{k}", lambda tf, v1: raw.InTopKV2(predictions=fed(scores), targets=fed([1, 3, 2, 7], target), k=fed(k, target)))
    case(f"InTopKV2/{target}/shapes", lambda tf, v1: raw.InTopKV2(predictions=fed(scores), targets=fed([1], target), k=fed(1, target)), error="INVALID_ARGUMENT")
    case(f"InTopK/{target}/empty", lambda tf, v1: raw.InTopK(predictions=fed(np.zeros((0, 3), np.float32)), targets=fed([], target), k=1))
case("InTopKV2/k", lambda tf, v1: raw.InTopKV2(predictions=fed([[1.0]]), targets=fed([0]), k=fed([1, 2])), error="INVALID_ARGUMENT")

# Counts.
for dtype in ["int32", "int64", "float32", "float64"]:
    for size in (0, 3, 6):
        case(f"Bincount/{dtype}/{size}", lambda tf, v1: [
            raw.Bincount(arr=fed([1, 0, 5, 1, 1]), size=fed(size), weights=fed([], dtype)),
            raw.Bincount(arr=fed([[1, 0], [5, 1]]), size=fed(size), weights=fed([[2, 3], [4, 5]], dtype))])
case("Bincount/negative", lambda tf, v1: raw.Bincount(arr=fed([1, -1]), size=fed(3), weights=fed([], "int32")), error="INVALID_ARGUMENT")
case("Bincount/negative_size", lambda tf, v1: raw.Bincount(arr=fed([1]), size=fed(-3), weights=fed([], "int32")), error="INVALID_ARGUMENT")
case("Bincount/weights", lambda tf, v1: raw.Bincount(arr=fed([1, 2]), size=fed(3), weights=fed([1, 2, 3], "int32")), error="INVALID_ARGUMENT")
case("Bincount/vector_size", lambda tf, v1: raw.Bincount(arr=fed([1, 2]), size=fed([3]), weights=fed([], "int32")), error="INVALID_ARGUMENT")

# Ops that pass values on.
for dtype in ["float32", "string", "bool", "int8", "complex64"]:
    value = [b"a", b""] if dtype == "string" else [1, 0]
    case(f"Copy/{dtype}", lambda tf, v1: raw.Copy(input=fed(value, dtype)))
    case(f"CopyHost/{dtype}", lambda tf, v1: raw.CopyHost(input=fed(value, dtype)))
    case(f"DebugGradientIdentity/{dtype}", lambda tf, v1: raw.DebugGradientIdentity(input=fed(value, dtype)))
case("PlaceholderV2/fed", lambda tf, v1: (lambda p: [step(p + 1.0, {p: [1.0, 2.0]})])(old("PlaceholderV2", dtype=tf.float32, shape=tf.TensorShape([2]))))
case("PlaceholderV2/not_fed", lambda tf, v1: old("PlaceholderV2", dtype=tf.float32, shape=tf.TensorShape([2])) + 1.0, error="INVALID_ARGUMENT")
case("Timestamp/later", lambda tf, v1: raw.Timestamp() > 1e9)
case("GetSessionHandleV2/name", lambda tf, v1: tf.size(raw.GetSessionHandleV2(value=fed([1.0]))))


def disabled(tf, v1):
    v = v1.get_variable("v", initializer=tf.constant([1.0, 2.0]), use_resource=True)
    disable = raw.DisableCopyOnRead(resource=v.handle)
    add = raw.AssignAddVariableOp(resource=v.handle, value=fed([1.0, 1.0]))
    read = raw.ReadVariableOp(resource=v.handle, dtype=tf.float32)
    return [step([], targets=[disable], error="FAILED_PRECONDITION"), step([], targets=[v.initializer]), step([], targets=[disable]), step([], targets=[add]), step(read)]


case("DisableCopyOnRead", disabled)


def ref_loop(tf, v1):
    v = v1.get_variable("v", initializer=tf.constant(1.0), use_resource=False)
    inside = lambda value: raw.Enter(data=tf.constant(value), frame_name="loop", is_constant=True)
    n, one, two = inside(3), inside(1), inside(2.0)
    start = raw.Enter(data=tf.constant(0), frame_name="loop")
    enter = raw.RefEnter(data=v._variable, frame_name="loop")
    count, ref = raw.Merge(inputs=[start, start]), raw.RefMerge(inputs=[enter, enter])
    more = raw.LoopCond(input=raw.Less(x=count.output, y=n))
    switch, ref_switch = raw.Switch(data=count.output, pred=more), raw.RefSwitch(data=ref.output, pred=more)
    doubled = raw.AssignAdd(ref=ref_switch.output_true, value=two)
    following = raw.RefNextIteration(data=doubled)
    count.output.op._update_input(1, raw.NextIteration(data=switch.output_true + one))
    ref.output.op._update_input(1, following)
    left = raw.RefExit(data=ref_switch.output_false)
    return [step([], targets=[v.initializer]), step(left), step(v._variable), step(left), step(v._variable)]


case("RefNextIteration/loop", ref_loop)

# Samples.
for dtype in ["float16", "float32", "float64"]:
    case(f"RandomPoisson/{dtype}", lambda tf, v1: (lambda p: [step(p), step(p)])(old(
        "RandomPoisson", fed([3, 2]), fed([0.5, 3.0, 20.0], dtype), S=tf.int32, dtype=tf.as_dtype(dtype), seed=3, seed2=5)))
case("RandomPoisson/shape", lambda tf, v1: old("RandomPoisson", fed([[3, 2]]), fed([0.5]), S=tf.int32, dtype=tf.float32), error="INVALID_ARGUMENT")
for dtype in ["int32", "int64", "uint32", "uint64"]:
    case(f"NonDeterministicInts/{dtype}", lambda tf, v1: tf.shape(raw.NonDeterministicInts(shape=fed(np.array([2, 3])), dtype=tf.as_dtype(dtype))))
case("NonDeterministicInts/negative", lambda tf, v1: raw.NonDeterministicInts(shape=fed(np.array([-2])), dtype=tf.int32), error="INVALID_ARGUMENT")


def from_state(tf, v1, dtype, state=(1, 5, 6, 7), error=None):
    """The first element of the state is the algorithm."""
    v = v1.get_variable("v", initializer=tf.constant(np.array(state, np.int64)), use_resource=True)
    drawn = old("StatefulStandardNormal", v.handle, fed(np.array([5])), dtype=tf.as_dtype(dtype), shape_dtype=tf.int64)
    state = raw.ReadVariableOp(resource=v.handle, dtype=tf.int64)
    return [step([], targets=[v.initializer]), *([step(drawn, error=error)] if error else [step(drawn), step(state), step(drawn), step(state)])]


for dtype in ["float16", "bfloat16", "float32", "float64"]:
    case(f"StatefulStandardNormal/{dtype}", lambda tf, v1: from_state(tf, v1, dtype))
case("StatefulStandardNormal/longer", lambda tf, v1: from_state(tf, v1, "float32", (1, 5, 6, 7, 8)))
case("StatefulStandardNormal/short", lambda tf, v1: from_state(tf, v1, "float32", (1, 5, 6), "INVALID_ARGUMENT"))
case("StatefulStandardNormal/empty", lambda tf, v1: from_state(tf, v1, "float32", (), "INVALID_ARGUMENT"))
case("StatefulStandardNormal/algorithm", lambda tf, v1: from_state(tf, v1, "float32", (7, 5, 6, 7), "INVALID_ARGUMENT"))

# Values that hold tensors.
case("StackClose", lambda tf, v1: (lambda s: [step([], targets=[raw.StackClose(handle=s)])])(raw.Stack(elem_type=tf.float32)))


def batched_variant(tf, v1, splits=(0, 2, 2, 3), dtype=np.float32):
    values = fed(np.arange(3, dtype=dtype))
    splits = fed(np.array(splits))
    parts = raw.RaggedTensorToVariant(rt_nested_splits=[splits], rt_dense_values=values, batched_input=True)
    return raw.RaggedTensorToVariantGradient(encoded_ragged_grad=parts, row_splits=splits, dense_values_shape=[3], Tvalues=tf.as_dtype(dtype))


for dtype in (np.float32, np.int64, np.complex64):
    case(f"RaggedTensorToVariantGradient/{np.dtype(dtype).name}", lambda tf, v1: batched_variant(tf, v1, dtype=dtype))


def first_arrays(tf, v1):
    """Tensor arrays of version 1."""
    a = old("TensorArray", fed(3), dtype=tf.float32, clear_after_read=False)
    flow = old("TensorArrayUnpack", a, fed([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), fed(0.0), T=tf.float32)
    size = old("TensorArraySize", a, flow)
    packed = old("TensorArrayPack", a, flow, dtype=tf.float32, element_shape=tf.TensorShape([2]))
    read = old("TensorArrayRead", a, fed(1), flow, dtype=tf.float32)
    return [step([size, packed, read]), step(packed)]


case("TensorArrayPack/of_unpacked", first_arrays)
case("TensorArrayUnpack/rows", lambda tf, v1: old("TensorArrayUnpack", old("TensorArray", fed(2), dtype=tf.float32), fed([[1.0]]), fed(0.0), T=tf.float32), error="INVALID_ARGUMENT")
case("TensorArrayUnpack/scalar", lambda tf, v1: old("TensorArrayUnpack", old("TensorArray", fed(2), dtype=tf.float32), fed(1.0), fed(0.0), T=tf.float32), error="INVALID_ARGUMENT")
case("TensorArrayPack/not_written", lambda tf, v1: old("TensorArrayPack", old("TensorArray", fed(2), dtype=tf.float32), fed(0.0), dtype=tf.float32), error="INVALID_ARGUMENT")
case("TensorArraySize/older", lambda tf, v1: [
    old("TensorArraySize", old("TensorArray", fed(2), dtype=tf.float32), fed(0.0)),
    old("TensorArraySizeV2", old("TensorArrayV2", fed(4), dtype=tf.float32), fed(0.0))])


def gradient_arrays(tf, v1, version):
    a = old("TensorArray" + version, fed(2), dtype=tf.float32, clear_after_read=False)
    flow = old("TensorArrayWrite" + version, a, fed(0), fed([1.0]), fed(0.0), T=tf.float32)
    flow = old("TensorArrayWrite" + version, a, fed(1), fed([5.0]), flow, T=tf.float32)
    g = old("TensorArrayGrad" + version, a, flow, source="g")
    added = old("TensorArrayWrite" + version, g, fed(1), fed([2.0]), flow, T=tf.float32)
    added = old("TensorArrayWrite" + version, g, fed(1), fed([3.0]), added, T=tf.float32)
    return old("TensorArrayRead" + version, g, fed(1), added, dtype=tf.float32)


for version in ("", "V2"):
    case(f"TensorArrayGrad{version}/adds", lambda tf, v1: gradient_arrays(tf, v1, version))
    for container, name in [("a", "b"), ("", "b"), ("_tensor_array_grads", "b")]:
        case(f"TensorArrayGrad{version}/made_up/{container}", lambda tf, v1: old("TensorArrayGrad" + version, fed([container, name], "string"),
             fed(0.0), source="g"), error="INVALID_ARGUMENT")

    def closed(tf, v1, version=version):
        a = old("TensorArray" + version, fed(2), dtype=tf.float32)
        with tf.control_dependencies([old("TensorArrayClose" + version, a, outputs=0)]):
            return tf.constant(1)

    case(f"TensorArrayClose{version}", closed)


def closed(tf, v1):
    a = raw.TensorArrayV3(size=2, dtype=tf.float32)
    with tf.control_dependencies([raw.TensorArrayCloseV3(handle=a.handle)]):
        return raw.TensorArraySizeV3(handle=a.handle, flow_in=a.flow)


case("TensorArrayCloseV3/used", closed, error="INVALID_ARGUMENT")


# Tables by reference.
def table(tf, v1, op, **attrs):
    keys, values = tf.string, tf.int64
    t = getattr(raw, op)(key_dtype=keys, value_dtype=values, **attrs)
    put = raw.LookupTableInsert(table_handle=t, keys=fed([b"a", b"b"], name="keys"), values=fed(attrs and [[1, 2], [3, 4]] or [1, 2], "int64", name="values"))
    found = raw.LookupTableFind(table_handle=t, keys=fed([b"b", b"c"]), default_value=fed(attrs and [9, 9] or 9, "int64"))
    size = raw.LookupTableSize(table_handle=t)
    exported = raw.LookupTableExport(table_handle=t, Tkeys=keys, Tvalues=values)
    imported = raw.LookupTableImport(table_handle=t, keys=fed([b"z"]), values=fed(attrs and [[7, 8]] or [7], "int64"))
    return [step(size), step([], targets=[put]), step([found, size]), step([], targets=[imported]), step([found, size]), step(list(exported))]


case("MutableHashTable/reference", lambda tf, v1: table(tf, v1, "MutableHashTable"))
case("MutableHashTableOfTensors/reference", lambda tf, v1: table(tf, v1, "MutableHashTableOfTensors", value_shape=[2]))



def reader(tf, v1):
    """A reader and a queue by reference."""
    queue = raw.FIFOQueue(component_types=[tf.string], shapes=[[]], capacity=20)
    put = raw.QueueEnqueueMany(handle=queue, components=[fed([b"a", b"b", b"c"], "string", shape=[None])])
    made = old("IdentityReader")
    read = list(raw.ReaderRead(reader_handle=made, queue_handle=queue))
    many = list(raw.ReaderReadUpTo(reader_handle=made, queue_handle=queue, num_records=2))
    counts = [raw.ReaderNumRecordsProduced(reader_handle=made), raw.ReaderNumWorkUnitsCompleted(reader_handle=made)]
    saved = raw.ReaderSerializeState(reader_handle=made)
    given = v1.placeholder(tf.string, [])
    restore, reset = raw.ReaderRestoreState(reader_handle=made, state=given), raw.ReaderReset(reader_handle=made)
    return [step(counts), step([], targets=[put]), step(read), step(counts), step(saved), step(many), step(counts),
            step([], {given: b"\x08\x05\x10\x05\x18\x09\x22\x01z"}, [restore]), step(counts), step(saved),
            step([], {given: b"BOGUS"}, [restore], error="INVALID_ARGUMENT"), step(counts), step([], targets=[reset]), step(counts)]


case("readers/reference", reader)
case("AudioSummary", lambda tf, v1: [old(
    "AudioSummary", fed(b"tag", "string"), fed(rand(n, 4, 2), "float32"), sample_rate=8000.0, max_outputs=most) for n, most in [(1, 3), (2, 3), (2, 1)]])
case("AudioSummary/tags", lambda tf, v1: old("AudioSummary", fed([b"tag"], "string"), fed(rand(1, 4), "float32"), sample_rate=8000.0), error="INVALID_ARGUMENT")


def normalized(tf, v1, training):
    """As written by TensorFlow's optimizer; its CPU kernel only supports Relu, without another input to add."""
    mean, variance = ([], []) if training else ([0.5, -0.25, 0.0, 1.0], [1.0, 2.0, 0.5, 0.25])
    inputs = [rand(2, 3, 2, 4), [1.5, -0.5, 2.0, 1.0], [0.25, 0.5, -1.0, 0.0], mean, variance]
    return list(old("_FusedBatchNormEx", *(fed(x, "float32") for x in inputs), outputs=5, T=tf.float32, U=tf.float32, epsilon=0.01,
                    num_side_inputs=0, activation_mode="Relu", is_training=training, data_format="NHWC"))


for training in [False, True]:
    case(f"_FusedBatchNormEx/{'training' if training else 'inference'}", lambda tf, v1: normalized(tf, v1, training))


# A part of an image, somewhere.
for dtype in ["uint8", "int8", "int16", "int32", "int64", "float32", "float64"]:
    def crops(tf, v1):
        image = fed(np.arange(60).reshape(5, 6, 2), dtype)
        crop = old("RandomCrop", image, fed([2, 3], "int64"), T=tf.as_dtype(dtype), producer=2, seed=3, seed2=9)
        return [step(crop), step(crop), step(crop)]
    case(f"RandomCrop/{dtype}", crops)
for label, shape, size in [("whole", [3, 4, 1], [3, 4]), ("rows", [3, 9, 1], [3, 2]), ("columns", [9, 3, 2], [4, 3])]:
    def crops(tf, v1):
        crop = old("RandomCrop", fed(rand(*shape), "float32"), fed(size, "int64"), T=tf.float32, producer=2, seed=5)
        return [step(crop), step(crop)]
    case(f"RandomCrop/{label}", crops)
for label, shape, size, error in [("rank", [3, 4], [3, 4], "INVALID_ARGUMENT"), ("size", [3, 4, 1], [3], "INVALID_ARGUMENT"),
                                  ("high", [3, 4, 1], [4, 4], "FAILED_PRECONDITION"), ("wide", [3, 4, 1], [3, 5], "FAILED_PRECONDITION")]:
    case(f"RandomCrop/{label}", lambda tf, v1: old(
        "RandomCrop", fed(rand(*shape), "float32"), fed(size, "int64"), T=tf.float32, producer=2), error=error)

# The gradient of Tile: TensorFlow's kernels require an attr that the op does not have, so none fits.
def summed(x, multiples):
    pairs = [n for size, times in zip(x.shape, multiples) for n in (times, size // times)]
    return [tf.reduce_sum(tf.reshape(x, pairs), list(range(0, len(pairs), 2)))]


for dtype in ["float32", "float64", "float16", "bfloat16", "int32", "int64", "int16", "uint8", "complex64", "complex128"]:
    same(f"TileGrad/{dtype}", [np.arange(24).reshape(4, 6).astype(tf.as_dtype(dtype).as_numpy_dtype)],
         lambda x: [old("TileGrad", x, tf.constant([2, 3]), T=tf.as_dtype(dtype), producer=2)], lambda x: summed(x, [2, 3]))
for label, shape, multiples in [("deep", [2, 3, 4, 2], [1, 3, 2, 2]), ("one", [4, 3], [1, 1]), ("vector", [6], [6]), ("rows", [6, 2], [3, 1]),
                                ("cube", [4, 2, 2], [2, 2, 1])]:
    same(f"TileGrad/{label}", [rand(*shape)], lambda x: [old("TileGrad", x, tf.constant(multiples), T=tf.float64, producer=2)],
         lambda x: summed(x, multiples))

# Contrast within limits.
for dtype in ["uint8", "int8", "int16", "int32", "float32", "float64"]:
    for by in [0.5, 3.0]:
        case(f"AdjustContrast/{dtype}/{by}", lambda tf, v1: old(
            "AdjustContrast", fed(np.abs(rand(2, 3, 4, 2)) * 60, dtype), fed(by, "float32"), fed(10, "float32"), fed(100, "float32"), T=tf.as_dtype(dtype), producer=1),
            rtol=1e-4, atol=1e-4)
case("AdjustContrast/rank", lambda tf, v1: old(
    "AdjustContrast", fed(rand(3, 2), "float32"), fed(2.0, "float32"), fed(-1, "float32"), fed(1, "float32"), T=tf.float32, producer=1), error="INVALID_ARGUMENT")
case("AdjustContrast/factor", lambda tf, v1: old(
    "AdjustContrast", fed(rand(3, 2, 1), "float32"), fed([2.0], "float32"), fed(-1, "float32"), fed(1, "float32"), T=tf.float32, producer=1), error="INVALID_ARGUMENT")

# Functional control flow, as TensorFlow lowers it from function calls.
def with_functions(node, inputs, defined, outputs):
    """The outputs of a node that calls functions."""
    graph = tf.compat.v1.GraphDef()
    graph.versions.producer = tf.compat.v1.GRAPH_DEF_VERSION
    for name, function in defined.items():
        graph.library.function.add().CopyFrom(function)
        graph.library.function[-1].signature.name = name
    graph.node.add().CopyFrom(node)
    return tf.import_graph_def(graph, inputs, [f"{node.name}:{i}" for i in range(outputs)], name="by_name")


def defined(build, *types):
    """A function in the form that graphs store."""
    from tensorflow.python.framework.graph_to_function_def import graph_to_function_def
    with tf.Graph().as_default() as graph:
        inputs = [tf.compat.v1.placeholder(t) for t in types]
        outputs = [tf.identity(out) for out in build(*inputs)]
        operations = [op for op in graph.get_operations() if op.type != "Placeholder"]
        return graph_to_function_def(graph, operations, inputs, outputs)


def types(*all):
    found = tf.compat.v1.AttrValue()
    found.list.type.extend(t.as_datatype_enum for t in all)
    return found


for label, condition in [("true", True), ("false", False)]:
    def build(tf, v1):
        node = v1.NodeDef(name="branch", op="_If", input=["cond", "x"])
        node.attr["Tcond"].type = tf.bool.as_datatype_enum
        node.attr["Tin"].CopyFrom(types(tf.float32))
        node.attr["Tout"].CopyFrom(types(tf.float32, tf.float32))
        node.attr["then_branch"].func.name = "Twice"
        node.attr["else_branch"].func.name = "Squared"
        made = {"Twice": defined(lambda x: [x + x, x + 1.0], tf.float32), "Squared": defined(lambda x: [x * x, x], tf.float32)}
        return with_functions(node, {"cond": fed(condition, "bool"), "x": fed([1.5, -2.0], "float32")}, made, 2)
    case(f"_If/{label}", build)
for label, limit in [("some", 5), ("none", 0)]:
    def build(tf, v1):
        node = v1.NodeDef(name="loop", op="_While", input=["i", "x"])
        node.attr["T"].CopyFrom(types(tf.int32, tf.float32))
        node.attr["cond"].func.name = "Goes"
        node.attr["body"].func.name = "Step"
        made = {"Goes": defined(lambda i, x: [i < limit], tf.int32, tf.float32),
                "Step": defined(lambda i, x: [i + 1, x * 1.5], tf.int32, tf.float32)}
        return with_functions(node, {"i": fed(0, "int32"), "x": fed([1.5, -2.0], "float32")}, made, 2)
    case(f"_While/{label}", build)

write(__file__)
