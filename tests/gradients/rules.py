"""Records a case for every op whose gradient TensorFlow knows, in every dtype that it computes: writes rules.jsonl.gz and
registry.json beside this file.

    pip install tensorflow-cpu
    python tests/gradients/rules.py

A case is a graph, values for its placeholders, the value to differentiate (`y`, a sum with a distinct weight for each
element) and the values to differentiate with respect to (`xs`). `first` is the result of `tf.gradients`: a tensor for
each of `xs`, or null. `second` is the same for the sum of the squares of `first`, and is absent if TensorFlow cannot
differentiate twice. `rough` says that finite differences cannot be taken: the op has jumps, draws random numbers,
computes in another dtype, or TensorFlow's gradient is by definition another one, such as that of complex numbers
without the conjugate.

registry.json has the name of every op in TensorFlow's registry of gradients: true if it has a gradient, false if it is
treated as constant.
"""
import gzip, importlib, json, os, pkgutil, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow as tf
import tensorflow.python.ops as python_ops
from google.protobuf.json_format import MessageToDict
from tensorflow.python.framework import function, ops
from tensorflow.python.ops import functional_ops, while_v2

for module in pkgutil.iter_modules(python_ops.__path__):
    if module.name.endswith(("_grad", "_ops")) and not module.name.startswith("gen_"):
        importlib.import_module("tensorflow.python.ops." + module.name)

tf1 = tf.compat.v1
tf1.disable_eager_execution()
tf1.disable_control_flow_v2()
raw = tf.raw_ops
HERE = os.path.dirname(os.path.abspath(__file__))
DTYPES = [tf.float64, tf.float32, tf.float16, tf.bfloat16, tf.complex128, tf.complex64]
FLOATS = DTYPES[:4]
out, left_out = [], []


def proto(value):
    return MessageToDict(tf.make_tensor_proto(value))


def given(grads):
    return [None if g is None else tf.convert_to_tensor(g) for g in grads]


def squares(grads):
    parts = [g for g in grads if g is not None]
    parts = [tf.math.real(g * tf.math.conj(g)) if g.dtype.is_complex else g * g for g in parts]
    return tf.add_n([tf.cast(tf.reduce_sum(p), tf.float64) for p in parts]) if parts else None


def rule(name, inputs, build, dtypes=DTYPES, rough=False, patch=None, known=True):
    """Records an op in these dtypes. `build` makes the values to differentiate from placeholders for `inputs`. `rough`
    is True, False, or "complex" if only the complex cases are rough. `patch` changes the recorded nodes, for ops that
    TensorFlow does not add to new graphs or cannot differentiate; if that changes the result, the gradients are not
    `known`."""
    found = 0
    for dtype in dtypes:
        try:
            record(name, inputs, build, dtype, rough, patch, known)
            found += 1
        except (LookupError, TypeError, ValueError, NotImplementedError, tf.errors.OpError) as e:
            why = str(e).split("\n")[0][:100]
            left_out.append(f"{name}/{dtype.name}: {type(e).__name__} {why}")
    if not found:
        print("no case:", *left_out[-len(dtypes):], sep="\n    ")


def record(name, inputs, build, dtype, rough, patch, known):
    feeds = {}
    with tf.Graph().as_default() as graph:
        xs = []
        for i, value in enumerate(inputs):
            value = np.asarray(value)
            if value.dtype == np.float64:
                if dtype.is_complex:
                    value = value + 1j * (np.cos(np.arange(value.size)) * 0.5).reshape(value.shape)
                value = value.astype(dtype.as_numpy_dtype)
            xs.append(tf1.placeholder(value.dtype, value.shape, name=f"x{i}"))
            feeds[xs[-1]] = value
        ys = build(*xs)
        ys = ys if isinstance(ys, (list, tuple)) else [ys]
        parts = []
        for y in ys:
            n = tf.size(y, out_type=tf.int64)
            weights = tf.cast(tf.range(n) % 5 + 1, y.dtype) * tf.constant(0.25, y.dtype)
            if y.dtype.is_complex:
                weights *= tf.constant(1 - 0.5j, y.dtype)
            part = tf.reduce_sum(tf.reshape(weights, tf.shape(y)) * y)
            parts.append(tf.cast(tf.math.real(part) if y.dtype.is_complex else part, tf.float64))
        y = tf.add_n(parts, name="y")
        xs = [x for x in xs if x.dtype.is_floating or x.dtype.is_complex]
        for extra in graph.get_collection("by"):
            xs.append(extra)
        definition = MessageToDict(graph.as_graph_def())
        if patch:
            patch({node["name"]: node for node in definition["node"]}, dtype)
        first = given(tf1.gradients(y, xs)) if known else None
        second = None
        try:
            total = squares(first or [])
            second = given(tf1.gradients(total, xs)) if total is not None else None
        except (LookupError, TypeError, ValueError, NotImplementedError) as e:
            left_out.append(f"{name}/{dtype.name}, second: {str(e).splitlines()[0][:100]}")
        case = dict(name=f"{name}/{dtype.name}", graph=definition, feeds={x.name: proto(v) for x, v in feeds.items()},
                    y=y.name, xs=[x.name for x in xs])
        if rough is True or rough == "complex" and dtype.is_complex:
            case["rough"] = True
        init = tf1.global_variables_initializer()
        for key, grads in (("first", first), ("second", second)):
            if grads is None:
                continue
            try:
                with tf1.Session() as session:
                    session.run(init)
                    got = iter(session.run([g for g in grads if g is not None], feeds))
            except tf.errors.OpError as e:
                if key == "first":
                    raise
                left_out.append(f"{name}/{dtype.name}, second: {str(e).splitlines()[0][:100]}")
                continue
            case[key] = [None if g is None else proto(next(got)) for g in grads]
    out.append(case)


def rand(*shape, low=-2.0, high=2.0, seed=0):
    return np.random.RandomState(seed + 7 * len(shape)).uniform(low, high, shape)


def positive(*shape, seed=0):
    return rand(*shape, low=0.3, high=2.0, seed=seed)


def inside(*shape, seed=0):
    return rand(*shape, low=-0.9, high=0.9, seed=seed)


def like(x, *values):
    return tf.constant(values[0] if len(values) == 1 else values, x.dtype)


def stand_in(op, inputs, shape, **attrs):
    """A node that TensorFlow does not add to new graphs, with an output like the first input, and a patch that puts it
    in its place."""
    def patch(nodes, dtype):
        node = nodes["stand_in"]
        node.update(op=op, input=[name.replace(":0", "") for name in inputs])
        node["attr"] = {"T": {"type": tf.as_dtype(dtype).as_datatype_enum}, **attrs}
    return lambda *xs: tf1.placeholder(xs[0].dtype, shape, name="stand_in"), patch


# Elementwise functions of one argument.
X = [rand(2, 3)]
UNARY = {
    "x": dict(
        Neg=rand, Abs=rand, Square=rand, Sqrt=positive, Rsqrt=positive, Exp=rand, Expm1=rand, Log=positive, Log1p=positive, Tanh=rand,
        Sigmoid=rand, Sinh=rand, Cosh=rand, Asinh=rand, Atanh=inside, Sin=rand, Cos=rand, Tan=inside, Asin=inside, Acos=inside,
        Atan=rand, Erf=rand, Erfc=rand, Erfinv=inside, Lgamma=positive, Digamma=positive, Reciprocal=positive, Inv=positive, BesselI0=rand,
        BesselI0e=rand, BesselI1=rand, BesselI1e=rand, BesselJ0=positive, BesselJ1=positive, BesselK0=positive, BesselK0e=positive,
        BesselK1=positive, BesselK1e=positive, BesselY0=positive, BesselY1=positive, Dawsn=rand, Expint=positive, FresnelCos=rand,
        FresnelSin=rand, Spence=positive),
    "features": dict(Softplus=rand, Softsign=rand, Relu=rand, Relu6=lambda *s: rand(*s, high=8.0), Elu=rand, Selu=rand, LeakyRelu=rand),
    "logits": dict(Softmax=rand, LogSoftmax=rand),
}
for arg, names in UNARY.items():
    for op, values in names.items():
        rule(op, [values(2, 3)], lambda x: getattr(raw, op)(**{arg: x}))
rule("Acosh", [rand(2, 3, low=1.2, high=3.0)], lambda x: raw.Acosh(x=x))
rule("Ndtri", [rand(2, 3, low=0.1, high=0.9)], lambda x: raw.Ndtri(x=x))
for op in ("Floor", "Ceil", "Round", "Rint", "Sign"):
    rule(op, X, lambda x: [getattr(raw, op)(x=x), x], rough=True)
for op in ("BesselI1", "BesselI1e", "BesselJ1"):
    rule(op + "/zero", [np.array([0.0, 0.5])], lambda x: getattr(raw, op)(x=x), rough=True)
rule("Conj", X, lambda x: raw.Conj(input=x), DTYPES[4:])
rule("Real", X, lambda x: tf.math.real(x), DTYPES[4:])
rule("Imag", X, lambda x: tf.math.imag(x), DTYPES[4:])
rule("Angle", X, lambda x: tf.math.angle(x), DTYPES[4:])
rule("ComplexAbs", X, lambda x: tf.abs(x), DTYPES[4:])
rule("Complex", [rand(2, 3), rand(3)], lambda a, b: raw.Complex(real=a, imag=b, Tout=tf.complex128 if a.dtype == tf.float64 else tf.complex64), DTYPES[:2])
for to in DTYPES:
    rule(f"Cast/{to.name}", X, lambda x: raw.Cast(x=x, DstT=to), rough=True)
rule("CheckNumerics", X, lambda x: raw.CheckNumerics(tensor=x, message="") ** 2)
rule("CheckNumericsV2", X, lambda x: raw.CheckNumericsV2(tensor=x, message="") ** 2)
rule("L2Loss", X, lambda x: raw.L2Loss(t=x))

# Functions of two arguments, broadcast.
BINARY = {
    "Add": rand, "AddV2": rand, "Sub": rand, "Mul": rand, "Div": positive, "RealDiv": positive, "DivNoNan": positive, "Pow": positive,
    "Maximum": rand, "Minimum": rand, "SquaredDifference": rand, "FloorMod": positive,
    "Xlogy": positive, "Xdivy": positive, "Xlog1py": positive, "MulNoNan": rand, "Atan2": rand, "Igamma": positive, "Igammac": positive,
    "NextAfter": rand, "Zeta": lambda *s, seed=0: positive(*s, seed=seed) + 1.5,
}
ARGS = {"Atan2": ("y", "x"), "Igamma": ("a", "x"), "Igammac": ("a", "x"), "NextAfter": ("x1", "x2"), "Zeta": ("x", "q")}
for op, values in BINARY.items():
    a, b = ARGS.get(op, ("x", "y"))
    # Modulus jumps where the quotient is an integer; zeta has no gradient with respect to its parameter.
    rough = op in ("FloorMod", "NextAfter", "Zeta")
    rough = rough or "complex" if op in ("SquaredDifference", "Xlogy", "Xdivy", "Xlog1py", "MulNoNan") else rough
    for name, shapes in {"same": ((2, 3), (2, 3)), "row": ((2, 3), (3,)), "column": ((3,), (2, 1)), "scalar": ((), (2,))}.items():
        rule(f"{op}/{name}", [values(*shapes[0]), values(*shapes[1], seed=5)], lambda x, y: getattr(raw, op)(**{a: x, b: y}), rough=rough)
for op in ("Mod", "TruncateMod"):
    build, patch = stand_in(op, ["x0", "x1"], [2, 3])
    rule(op, [positive(2, 3), positive(3, seed=5)], lambda x, y: build(x) ** 2, FLOATS[:1], patch=patch, known=False)
rule("Polygamma", [np.array([1.0, 2.0]), positive(3, 2)], lambda a, x: raw.Polygamma(a=a, x=x), rough=True)
rule("Betainc", [positive(2, 3), positive(2, 3, seed=1), rand(2, 3, low=0.1, high=0.9)], lambda a, b, x: raw.Betainc(a=a, b=b, x=x), rough=True)
rule("AddN", [rand(2, 3), rand(2, 3, seed=1)], lambda a, b: raw.AddN(inputs=[a, b, a]) * a)
rule("AccumulateNV2", [rand(2, 3), rand(2, 3, seed=1)], lambda a, b: raw.AccumulateNV2(inputs=[a, b, a], shape=[2, 3]) * a)
rule("Select", [rand(2, 3), rand(2, 3, seed=1)], lambda a, b: raw.Select(condition=[[True, False, True], [False] * 3], x=a * a, y=b))
rule("SelectV2", [rand(2, 3), rand(3)], lambda a, b: raw.SelectV2(condition=[[True], [False]], t=a * a, e=b))
rule("ClipByValue", [rand(2, 3), inside(seed=3), positive(2, 3)], lambda x, a, b: raw.ClipByValue(t=x, clip_value_min=a, clip_value_max=b))

# Reductions and segments.
for op in ("Sum", "Mean", "Max", "Min", "Prod", "EuclideanNorm"):
    for axes, keep in (([1], False), ([0, 2], True), ([0, 1, 2], False), ([-1], False)):
        rule(f"{op}/{axes}", [positive(2, 3, 2)], lambda x: getattr(raw, op)(input=x, axis=axes, keep_dims=keep), rough=op in ("Prod", "EuclideanNorm") and "complex")
rule("Prod/zeros", [np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0]])], lambda x: raw.Prod(input=x, axis=[1]), rough="complex")
for exclusive in (False, True):
    for reverse in (False, True):
        options = dict(axis=1, exclusive=exclusive, reverse=reverse)
        rule(f"Cumsum/{exclusive}/{reverse}", [rand(2, 4)], lambda x: raw.Cumsum(x=x * x, **options))
        rule(f"Cumprod/{exclusive}/{reverse}", [positive(2, 4)], lambda x: raw.Cumprod(x=x, **options), rough="complex")
        part = slice(None) if not exclusive else slice(0, 3) if reverse else slice(1, 4)
        rule(f"CumulativeLogsumexp/{exclusive}/{reverse}", [rand(2, 4)], lambda x: raw.CumulativeLogsumexp(x=x, **options)[:, part] * like(x, 1.0, -2.0, 1.0, 0.5)[part])
IDS = np.array([0, 0, 1, 3, 3])
for op in ("Sum", "Mean", "Max", "Min", "Prod"):
    rule("Segment" + op, [positive(5, 2)], lambda x: getattr(raw, "Segment" + op)(data=x, segment_ids=IDS), rough=op == "Prod" and "complex")
    if op != "Mean":
        rule("UnsortedSegment" + op, [positive(5, 2)], lambda x: getattr(raw, "UnsortedSegment" + op)(data=x, segment_ids=[2, 0, 2, -1, 1], num_segments=3), rough=op == "Prod" and "complex")
ZEROS = np.array([[0.0, 2.0], [3.0, 0.0], [0.0, 0.5], [1.5, 0.5], [2.5, -1.0]])
rule("SegmentProd/zeros", [ZEROS], lambda x: raw.SegmentProd(data=x, segment_ids=[0, 0, 0, 1, 1]), rough="complex")
for op in ("Sum", "Mean", "SqrtN"):
    pick = dict(indices=[0, 2, 2, 3], segment_ids=[0, 0, 1, 3])
    rule("SparseSegment" + op, [rand(4, 2)], lambda x: getattr(raw, "SparseSegment" + op)(data=x, **pick))
    rule(f"SparseSegment{op}/sparse", [rand(4, 2)], lambda x: getattr(raw, "SparseSegment" + op)(data=x, sparse_gradient=True, **pick))
    rule(f"SparseSegment{op}WithNumSegments", [rand(4, 2)], lambda x: getattr(raw, f"SparseSegment{op}WithNumSegments")(data=x, num_segments=5, **pick))
    rule(f"SparseSegment{op}WithNumSegments/sparse", [rand(4, 2)], lambda x: getattr(raw, f"SparseSegment{op}WithNumSegments")(data=x, num_segments=5, sparse_gradient=True, **pick))
rule("NthElement", [np.array([[1.0, 3.0, 2.0], [2.0, 2.0, 2.0], [0.5, 0.25, 4.0]])], lambda x: raw.NthElement(input=x, n=1) ** 2, rough=True)
rule("NthElement/reverse", [rand(2, 4)], lambda x: raw.NthElement(input=x, n=1, reverse=True) ** 2)
rule("TopKV2", [rand(2, 4)], lambda x: raw.TopKV2(input=x, k=2)[0] ** 2)
build, patch = stand_in("TopK", ["x0"], [2, 2], k={"i": "2"})
rule("TopK", [rand(2, 4)], lambda x: build(x) ** 2, FLOATS[:1], patch=patch, known=False)

# Moving elements.
BLOCK = dict(block_shape=[2], crops=[[0, 1]])
MOVES = {
    "Identity": lambda x: raw.Identity(input=x), "IdentityN": lambda x: raw.IdentityN(input=[x, x * x])[1],
    "PlaceholderWithDefault": lambda x: raw.PlaceholderWithDefault(input=x, shape=[2, 3, 4]), "EnsureShape": lambda x: raw.EnsureShape(input=x, shape=[2, 3, None]),
    "StopGradient": lambda x: raw.StopGradient(input=x) * x,
    "Reshape": lambda x: raw.Reshape(tensor=x, shape=[4, -1]), "ExpandDims": lambda x: raw.ExpandDims(input=x, axis=1),
    "Squeeze": lambda x: raw.Squeeze(input=x[:1], axis=[0]), "Transpose": lambda x: raw.Transpose(x=x, perm=[2, 0, 1]),
    "ConjugateTranspose": lambda x: raw.ConjugateTranspose(x=x, perm=[2, 0, 1]), "Concat": lambda x: raw.Concat(concat_dim=1, values=[x, x * x, x[:, :1]]),
    "ConcatV2": lambda x: raw.ConcatV2(values=[x, x * x, x[:, :1]], axis=-2), "Split": lambda x: raw.Split(axis=2, value=x, num_split=2)[1],
    "SplitV": lambda x: raw.SplitV(value=x, size_splits=[1, 3], axis=2, num_split=2)[0], "Pack": lambda x: raw.Pack(values=[x, x * x], axis=-1),
    "Unpack": lambda x: raw.Unpack(value=x, num=3, axis=1)[2], "Slice": lambda x: raw.Slice(input=x, begin=[0, 1, 1], size=[2, 2, -1]),
    "StridedSlice": lambda x: x[:, ::-2, tf.newaxis, 1:3], "Pad": lambda x: raw.Pad(input=x, paddings=[[0, 1], [2, 0], [1, 1]]),
    "MirrorPad/reflect": lambda x: raw.MirrorPad(input=x, paddings=[[0, 1], [2, 0], [1, 1]], mode="REFLECT"),
    "MirrorPad/symmetric": lambda x: raw.MirrorPad(input=x, paddings=[[0, 1], [2, 0], [1, 1]], mode="SYMMETRIC"),
    "Tile": lambda x: raw.Tile(input=x, multiples=[2, 1, 3]), "Gather": lambda x: raw.Gather(params=x, indices=[1, 0, 1]),
    "GatherV2": lambda x: raw.GatherV2(params=x, indices=[1, 0, 1], axis=0), "GatherV2/inner": lambda x: raw.GatherV2(params=x, indices=[[1, 0], [1, 2]], axis=1),
    "GatherV2/last": lambda x: raw.GatherV2(params=x, indices=np.array([3, 3, 0]), axis=-1),
    "GatherV2/batch": lambda x: raw.GatherV2(params=x, indices=[[2, 0, 2], [1, 1, 0]], axis=1, batch_dims=1),
    "GatherV2/batch_inner": lambda x: raw.GatherV2(params=x, indices=[[2, 0], [1, 1]], axis=2, batch_dims=1),
    "GatherV2/batch_two": lambda x: raw.GatherV2(params=x, indices=[[[2, 0], [1, 1], [0, 3]], [[2, 2], [3, 1], [0, 0]]], axis=2, batch_dims=2),
    "GatherV2/batch_negative": lambda x: raw.GatherV2(params=x, indices=[[2, 0], [1, 1]], axis=-1, batch_dims=-1),
    "GatherV2/computed_axis": lambda x: raw.GatherV2(params=x, indices=[1, 0, 1], axis=tf1.placeholder_with_default(-2, [])),
    "GatherV2/unknown_rank": lambda x: raw.GatherV2(params=tf1.placeholder_with_default(x, None), indices=[1, 0, 1], axis=1),
    "GatherNd": lambda x: raw.GatherNd(params=x, indices=[[0, 1], [1, 2], [0, 1]]), "BroadcastTo": lambda x: raw.BroadcastTo(input=x[:, :1], shape=[2, 3, 4]),
    "Reverse": lambda x: raw.Reverse(tensor=x, dims=[True, False, True]), "ReverseV2": lambda x: raw.ReverseV2(tensor=x, axis=[0, 2]),
    "ReverseSequence": lambda x: raw.ReverseSequence(input=x, seq_lengths=[2, 3], seq_dim=1, batch_dim=0), "Roll": lambda x: raw.Roll(input=x, shift=[1, 2], axis=[0, 2]),
    "MatrixBandPart": lambda x: raw.MatrixBandPart(input=x, num_lower=1, num_upper=0), "Diag": lambda x: raw.Diag(diagonal=x[0]),
    "DiagPart": lambda x: raw.DiagPart(input=tf.reshape(x[:, :2], [2, 2, 2, 2])),
    "MatrixDiag": lambda x: raw.MatrixDiag(diagonal=x), "MatrixDiagPart": lambda x: raw.MatrixDiagPart(input=x),
    "MatrixSetDiag": lambda x: raw.MatrixSetDiag(input=x * x, diagonal=x[:, :, 0]),
    "MatrixDiagV2": lambda x: raw.MatrixDiagV2(diagonal=x[0], k=1, num_rows=-1, num_cols=-1, padding_value=like(x, 0)),
    "MatrixDiagPartV2": lambda x: raw.MatrixDiagPartV2(input=x, k=-1, padding_value=like(x, 0)),
    "MatrixDiagPartV2/unknown": lambda x: raw.MatrixDiagPartV2(input=tf1.placeholder_with_default(x, None), k=1, padding_value=like(x, 0)),
    "MatrixSetDiagV2": lambda x: raw.MatrixSetDiagV2(input=x * x, diagonal=x[:, :, 0], k=1),
    "MatrixDiagV3": lambda x: raw.MatrixDiagV3(diagonal=x[:, :2], k=[0, 1], num_rows=-1, num_cols=-1, padding_value=like(x, 0)),
    "MatrixDiagPartV3": lambda x: raw.MatrixDiagPartV3(input=x, k=[-1, 1], padding_value=like(x, 0), align="LEFT_RIGHT"),
    "MatrixSetDiagV3": lambda x: raw.MatrixSetDiagV3(input=x * x, diagonal=x[:, :2, :3], k=[0, 1]),
    "SpaceToBatchND": lambda x: raw.SpaceToBatchND(input=x, block_shape=[2], paddings=[[0, 1]]),
    "BatchToSpaceND": lambda x: raw.BatchToSpaceND(input=x, **BLOCK), "SpaceToBatch": lambda x: raw.SpaceToBatch(input=tf.reshape(x, [1, 4, 6, 1]), paddings=[[0, 0], [0, 0]], block_size=2),
    "BatchToSpace": lambda x: raw.BatchToSpace(input=tf.reshape(x, [4, 2, 3, 1]), crops=[[0, 1], [0, 0]], block_size=2),
    "SpaceToDepth": lambda x: raw.SpaceToDepth(input=tf.reshape(x, [1, 4, 6, 1]), block_size=2), "DepthToSpace": lambda x: raw.DepthToSpace(input=tf.reshape(x, [1, 2, 3, 4]), block_size=2),
    "DynamicPartition": lambda x: raw.DynamicPartition(data=x, partitions=[1, 0], num_partitions=2)[1],
    "DynamicStitch": lambda x: raw.DynamicStitch(indices=[[0, 2], [1, 3]], data=[x, x * x]), "ParallelDynamicStitch": lambda x: raw.ParallelDynamicStitch(indices=[[0, 2], [1, 3]], data=[x, x * x]),
    "Fill": lambda x: raw.Fill(dims=[2, 2], value=tf.reduce_sum(x)), "ScatterNd": lambda x: raw.ScatterNd(indices=[[3], [1]], updates=x, shape=[5, 3, 4]),
    "ScatterNdNonAliasingAdd": lambda x: raw.ScatterNdNonAliasingAdd(input=x, indices=[[0, 1]], updates=x[1, :1] ** 2),
    "TensorScatterUpdate": lambda x: raw.TensorScatterUpdate(tensor=x, indices=[[0, 1]], updates=x[1, :1] ** 2),
    "TensorScatterAdd": lambda x: raw.TensorScatterAdd(tensor=x, indices=[[0, 1]], updates=x[1, :1] ** 2),
    "TensorScatterSub": lambda x: raw.TensorScatterSub(tensor=x, indices=[[0, 1]], updates=x[1, :1] ** 2),
    "TensorScatterMax": lambda x: raw.TensorScatterMax(tensor=x, indices=[[0, 1], [1, 2]], updates=x[1, :2] ** 2),
    "TensorScatterMin": lambda x: raw.TensorScatterMin(tensor=x, indices=[[0, 1], [1, 2]], updates=x[1, :2] ** 2),
    "TensorStridedSliceUpdate": lambda x: raw.TensorStridedSliceUpdate(input=x, begin=[0, 1], end=[2, 3], strides=[1, 1], value=x[:, 1:2] ** 2),
    "Switch": lambda x: raw.Merge(inputs=[f(s) for f, s in zip((tf.sin, tf.exp), raw.Switch(data=x, pred=tf.reduce_sum(tf.abs(x)) > 0))])[0],
}
for name, build in MOVES.items():
    rule(name, [rand(2, 3, 4)], lambda x: build(x) ** 2, rough=name == "StopGradient")
rule("PadV2", [rand(2, 3), rand()], lambda x, v: raw.PadV2(input=x, paddings=[[0, 1], [2, 0]], constant_values=v) ** 2, rough=True)
rule("TensorScatterMax/equal", [np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 0.0])],
     lambda x, u: raw.TensorScatterMax(tensor=x, indices=[[1], [1], [2]], updates=u) ** 2, rough=True)

# Products of matrices.
for ta in (False, True):
    for tb in (False, True):
        shapes = ((3, 2) if ta else (2, 3)), ((4, 3) if tb else (3, 4))
        rule(f"MatMul/{ta}/{tb}", [rand(*shapes[0]), rand(*shapes[1], seed=2)], lambda a, b: raw.MatMul(a=a, b=b, transpose_a=ta, transpose_b=tb))
        for op, batch in {"BatchMatMul": ((2,), (2,)), "BatchMatMulV2": ((2, 1), (3,)), "BatchMatMulV3": ((2,), ())}.items():
            extra = lambda a: dict(Tout=a.dtype) if op == "BatchMatMulV3" else {}
            rule(f"{op}/{ta}/{tb}", [rand(*batch[0], *shapes[0]), rand(*batch[1], *shapes[1], seed=2)], lambda a, b: getattr(raw, op)(x=a, y=b, adj_x=ta, adj_y=tb, **extra(a)))
EINSUM = {
    "ij,jk->ik": ((2, 3), (3, 4)), "bij,bjk->bik": ((2, 2, 3), (2, 3, 4)), "ij->ji": ((2, 3),), "ij->j": ((2, 3),), "i,j->ij": ((3,), (4,)), "ij,k->i": ((2, 3), (4,)),
    "...ij,...jk->...ik": ((2, 1, 2, 3), (3, 3, 4)), "...ij,jk->...ik": ((2, 2, 3), (3, 4)), "ij,...jk->...ik": ((2, 3), (2, 2, 3, 4)), "ab...,b...->...a": ((2, 3, 1, 4), (3, 5, 4)),
    "...i->...": ((2, 3, 4),), "i...j->j...": ((2, 3, 4),), "a...b,c->a...": ((2, 3, 4), (3,)), "ii->i": ((3, 3),), "ii->": ((3, 3),), "i->ii": ((3,),), "iij,jk->ik": ((2, 2, 3), (3, 4)),
    "iij->j": ((2, 2, 3),), "aab,b->": ((2, 2, 3), (3,)), "...ii,...i->...": ((2, 3, 3), (1, 3)), "...a,...a->...": ((3, 4), (2, 3, 4)), "ij,ij->": ((2, 3), (2, 3)),
    "...,...->...": ((2, 1), (3,)), "a...,->...a": ((2, 3), ()),
}
for equation, shapes in EINSUM.items():
    rule(f"Einsum/{equation}", [rand(*s, seed=i) for i, s in enumerate(shapes)], lambda *a: raw.Einsum(inputs=a, equation=equation))
rule("Einsum/unknown", [rand(2, 1, 2, 3), rand(3, 3, 4)], lambda a, b: raw.Einsum(
    inputs=[tf1.placeholder_with_default(a, None), tf1.placeholder_with_default(b, None)], equation="...ij,...jk->...ik"))

# Decompositions: functions of them that do not depend on signs.
def definite(*shape, seed=0):
    a = rand(*shape, seed=seed)
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])


SQUARE = rand(2, 3, 3) + 4 * np.eye(3)
for adjoint in (False, True):
    rule(f"MatrixSolve/{adjoint}", [SQUARE, rand(2, 3, 2)], lambda a, b: raw.MatrixSolve(matrix=a, rhs=b, adjoint=adjoint))
    rule(f"MatrixInverse/{adjoint}", [SQUARE], lambda a: raw.MatrixInverse(input=a, adjoint=adjoint))
    for lower in (False, True):
        rule(f"MatrixTriangularSolve/{adjoint}/{lower}", [SQUARE, rand(2, 3, 2)], lambda a, b: raw.MatrixTriangularSolve(matrix=a, rhs=b, adjoint=adjoint, lower=lower))
        rule(f"BandedTriangularSolve/{adjoint}/{lower}", [rand(2, 2, 4) + 4, rand(2, 4, 2)], lambda a, b: raw.BandedTriangularSolve(matrix=a, rhs=b, adjoint=adjoint, lower=lower))
rule("MatrixDeterminant", [SQUARE], lambda a: raw.MatrixDeterminant(input=a), rough="complex")
rule("LogMatrixDeterminant", [SQUARE], lambda a: raw.LogMatrixDeterminant(input=a).log_abs_determinant, rough="complex")
rule("MatrixSquareRoot", [definite(2, 2, 2)], lambda a: raw.MatrixSquareRoot(input=a), rough=True)
rule("Cholesky", [definite(2, 3, 3)], lambda a: raw.Cholesky(input=(a + tf.linalg.adjoint(a)) * 0.5 if a.dtype.is_floating else a @ tf.linalg.adjoint(a)))
rule("Qr", [rand(2, 4, 3)], lambda a: [o ** 2 for o in raw.Qr(input=a)], FLOATS)
rule("Svd", [rand(2, 3, 2)], lambda a: (lambda o: [o.s, o.u ** 2])(raw.Svd(input=a)), FLOATS)
rule("SelfAdjointEigV2", [definite(2, 3, 3)], lambda a: (lambda o: [o.e, o.v ** 2])(raw.SelfAdjointEigV2(input=(a + tf.linalg.adjoint(a)) * 0.5)), FLOATS)
rule("Eig", [np.diag([1.0, 2.0, 4.0]) + 0.3 * rand(3, 3)], lambda a: (lambda o: [tf.math.real(o.e), tf.abs(o.v)])(raw.Eig(input=a, Tout=tf.complex128 if a.dtype in (tf.float64, tf.complex128) else tf.complex64)))
rule("MatrixSolveLs", [rand(3, 2), rand(3, 2, seed=1)], lambda a, b: raw.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=tf.constant(0.5, tf.float64)), FLOATS)
rule("TridiagonalSolve", [rand(2, 3, 4) + [[[0], [6], [0]]], rand(2, 4, 2)], lambda a, b: raw.TridiagonalSolve(diagonals=a, rhs=b), rough="complex")
rule("TridiagonalMatMul", [rand(2, 1, 4, seed=i) for i in range(3)] + [rand(2, 4, 3)], lambda a, b, c, x: raw.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=x))
for op, axes in {"FFT": 1, "FFT2D": 2, "FFT3D": 3}.items():
    for name in (op, "I" + op):
        rule(name, [rand(2, 2, 3)], lambda z: getattr(raw, name)(input=z), DTYPES[4:])
for op, axes in {"RFFT": 1, "RFFT2D": 2}.items():
    lengths = [2, 2, 3][-axes:]
    rule(op, [rand(2, 2, 3)], lambda x: getattr(raw, op)(input=x, fft_length=lengths, Tcomplex=tf.complex128 if x.dtype == tf.float64 else tf.complex64), FLOATS[:2])
    rule("I" + op, [rand(2, 2, 2)], lambda x: getattr(raw, "I" + op)(input=x, fft_length=lengths, Treal=tf.float64 if x.dtype == tf.complex128 else tf.float32), DTYPES[4:])

# Layers.
IMAGE = rand(2, 4, 5, 2)
CONV = dict(strides=[1, 2, 1, 1], padding="SAME")
POOL = dict(ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="SAME")
POOL3D = dict(ksize=[1, 2, 2, 2, 1], strides=[1, 2, 1, 1, 1], padding="SAME")
SHAPE = [2, 4, 5, 2]
LAYERS = {
    "BiasAdd": ([rand(2, 3, 4), rand(4)], lambda x, b: raw.BiasAdd(value=x, bias=b) ** 2),
    "BiasAdd/NCHW": ([rand(2, 3, 4, 2), rand(3)], lambda x, b: raw.BiasAdd(value=x, bias=b, data_format="NCHW") ** 2),
    "BiasAddV1": ([rand(2, 3), rand(3)], lambda x, b: raw.BiasAddV1(value=x, bias=b) ** 2),
    "SoftmaxCrossEntropyWithLogits": ([rand(3, 4), rand(3, 4, seed=1)], lambda l, p: raw.SoftmaxCrossEntropyWithLogits(features=l, labels=raw.Softmax(logits=p)).loss),
    "SparseSoftmaxCrossEntropyWithLogits": ([rand(3, 4)], lambda l: raw.SparseSoftmaxCrossEntropyWithLogits(features=l, labels=[0, 3, 1]).loss),
    "Conv2D": ([IMAGE, rand(3, 2, 2, 3)], lambda x, f: raw.Conv2D(input=x, filter=f, **CONV)),
    "Conv2D/explicit": ([IMAGE, rand(3, 2, 2, 3)], lambda x, f: raw.Conv2D(input=x, filter=f, strides=[1] * 4, padding="EXPLICIT", explicit_paddings=[0, 0, 1, 0, 0, 1, 0, 0])),
    "Conv2D/dilated": ([IMAGE, rand(2, 2, 2, 3)], lambda x, f: raw.Conv2D(input=x, filter=f, strides=[1] * 4, padding="VALID", dilations=[1, 2, 2, 1])),
    "Conv2DBackpropInput": ([rand(3, 2, 2, 3), rand(2, 2, 5, 3)], lambda f, y: raw.Conv2DBackpropInput(input_sizes=SHAPE, filter=f, out_backprop=y, **CONV)),
    "Conv2DBackpropFilter": ([IMAGE, rand(2, 2, 5, 3)], lambda x, y: raw.Conv2DBackpropFilter(input=x, filter_sizes=[3, 2, 2, 3], out_backprop=y, **CONV)),
    "Conv3D": ([rand(1, 2, 3, 3, 2), rand(2, 2, 2, 2, 3)], lambda x, f: raw.Conv3D(input=x, filter=f, strides=[1] * 5, padding="SAME")),
    "Conv3DBackpropInputV2": ([rand(2, 2, 2, 2, 3), rand(1, 2, 3, 3, 3)], lambda f, y: raw.Conv3DBackpropInputV2(input_sizes=[1, 2, 3, 3, 2], filter=f, out_backprop=y, strides=[1] * 5, padding="SAME")),
    "Conv3DBackpropFilterV2": ([rand(1, 2, 3, 3, 2), rand(1, 2, 3, 3, 3)], lambda x, y: raw.Conv3DBackpropFilterV2(input=x, filter_sizes=[2, 2, 2, 2, 3], out_backprop=y, strides=[1] * 5, padding="SAME")),
    "DepthwiseConv2dNative": ([IMAGE, rand(3, 2, 2, 2)], lambda x, f: raw.DepthwiseConv2dNative(input=x, filter=f, strides=[1] * 4, padding="SAME")),
    "DepthwiseConv2dNativeBackpropInput": ([rand(3, 2, 2, 2), rand(2, 4, 5, 4)], lambda f, y: raw.DepthwiseConv2dNativeBackpropInput(input_sizes=SHAPE, filter=f, out_backprop=y, strides=[1] * 4, padding="SAME")),
    "DepthwiseConv2dNativeBackpropFilter": ([IMAGE, rand(2, 4, 5, 4)], lambda x, y: raw.DepthwiseConv2dNativeBackpropFilter(input=x, filter_sizes=[3, 2, 2, 2], out_backprop=y, strides=[1] * 4, padding="SAME")),
    "MaxPool": ([IMAGE], lambda x: raw.MaxPool(input=x, **POOL) ** 2), "AvgPool": ([IMAGE], lambda x: raw.AvgPool(value=x, **POOL) ** 2),
    "MaxPoolV2": ([IMAGE], lambda x: raw.MaxPoolV2(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="SAME") ** 2),
    "MaxPoolGrad": ([IMAGE, rand(2, 2, 5, 2)], lambda x, y: raw.MaxPoolGrad(orig_input=x, orig_output=raw.MaxPool(input=x, **POOL), grad=y, **POOL) ** 2),
    "MaxPoolGradV2": ([IMAGE, rand(2, 2, 5, 2)], lambda x, y: raw.MaxPoolGradV2(orig_input=x, orig_output=raw.MaxPool(input=x, **POOL), grad=y, **POOL) ** 2),
    "MaxPoolGradGrad": ([IMAGE, rand(*SHAPE, seed=1)], lambda x, y: raw.MaxPoolGradGrad(orig_input=x, orig_output=raw.MaxPool(input=x, **POOL), grad=y, **POOL) ** 2),
    "MaxPoolWithArgmax": ([IMAGE], lambda x: raw.MaxPoolWithArgmax(input=x, **POOL).output ** 2),
    "AvgPoolGrad": ([rand(2, 2, 5, 2)], lambda y: raw.AvgPoolGrad(orig_input_shape=SHAPE, grad=y, **POOL) ** 2),
    "MaxPool3D": ([rand(1, 3, 3, 3, 2)], lambda x: raw.MaxPool3D(input=x, **POOL3D) ** 2), "AvgPool3D": ([rand(1, 3, 3, 3, 2)], lambda x: raw.AvgPool3D(input=x, **POOL3D) ** 2),
    "MaxPool3DGrad": ([rand(1, 3, 3, 3, 2), rand(1, 2, 3, 3, 2)], lambda x, y: raw.MaxPool3DGrad(orig_input=x, orig_output=raw.MaxPool3D(input=x, **POOL3D), grad=y, **POOL3D) ** 2),
    "MaxPool3DGradGrad": ([rand(1, 3, 3, 3, 2), rand(1, 3, 3, 3, 2, seed=1)], lambda x, y: raw.MaxPool3DGradGrad(orig_input=x, orig_output=raw.MaxPool3D(input=x, **POOL3D), grad=y, **POOL3D) ** 2),
    "AvgPool3DGrad": ([rand(1, 2, 3, 3, 2)], lambda y: raw.AvgPool3DGrad(orig_input_shape=[1, 3, 3, 3, 2], grad=y, **POOL3D) ** 2),
    "FractionalMaxPool": ([IMAGE], lambda x: raw.FractionalMaxPool(value=x, pooling_ratio=[1.0, 1.4, 1.5, 1.0], deterministic=True, seed=3, seed2=5)[0] ** 2),
    "FractionalAvgPool": ([IMAGE], lambda x: raw.FractionalAvgPool(value=x, pooling_ratio=[1.0, 1.4, 1.5, 1.0], deterministic=True, seed=3, seed2=5)[0] ** 2),
    "LRN": ([rand(1, 2, 3, 5)], lambda x: raw.LRN(input=x, depth_radius=2)),
    "Dilation2D": ([IMAGE, rand(2, 2, 2)], lambda x, f: raw.Dilation2D(input=x, filter=f, strides=[1] * 4, rates=[1] * 4, padding="SAME")),
    "ResizeNearestNeighbor": ([IMAGE], lambda x: raw.ResizeNearestNeighbor(images=x, size=[6, 3]) ** 2),
    "BlockLSTM": ([rand(3, 2, 2), rand(2, 2, seed=1), rand(2, 2, seed=2), rand(4, 8), rand(8)], lambda x, c, h, w, b: (lambda o: [o.h, o.cs[2]])(raw.BlockLSTM(
        seq_len_max=tf.constant(3, tf.int64), x=x, cs_prev=c, h_prev=h, w=w, wci=tf.zeros([2], x.dtype), wcf=tf.zeros([2], x.dtype), wco=tf.zeros([2], x.dtype), b=b, cell_clip=-1.0))),
}
for name, (inputs, build) in LAYERS.items():
    # If the labels do not add up to 1, the cross entropy has another gradient; pooling of volumes divides it among
    # equal elements.
    rule(name, inputs, build, [d for d in DTYPES if not (name.startswith("MaxPool3D") and d == tf.bfloat16)], rough=name == "SoftmaxCrossEntropyWithLogits")
rule("ResizeBilinear", [IMAGE], lambda x: raw.ResizeBilinear(images=x, size=[6, 3], half_pixel_centers=True), rough=True)
rule("ResizeBicubic", [IMAGE], lambda x: raw.ResizeBicubic(images=x, size=[6, 3]), rough=True)
rule("RGBToHSV", [positive(4, 3)], lambda x: raw.RGBToHSV(images=x * 0.5), FLOATS[:2])
rule("CropAndResize", [rand(2, 4, 5, 1), np.array([[0.1, 0.2, 0.8, 0.7], [0.0, 0.3, 0.6, 1.0]])],
     lambda x, b: raw.CropAndResize(image=x, boxes=tf.cast(b, tf.float32), box_ind=[1, 0], crop_size=[3, 3]), FLOATS[1:], rough=True)
# Parts of images and volumes, and transformed images.
WINDOW = dict(ksizes=[1, 2, 3, 1], strides=[1, 2, 1, 1])
for padding in ("SAME", "VALID"):
    rule(f"ExtractImagePatches/{padding}", [IMAGE], lambda x: raw.ExtractImagePatches(images=x, rates=[1, 1, 2, 1], padding=padding, **WINDOW) ** 2)
    rule(f"ExtractVolumePatches/{padding}", [rand(1, 3, 4, 3, 2)], lambda x: raw.ExtractVolumePatches(input=x, ksizes=[1, 2, 2, 3, 1], strides=[1, 1, 2, 1, 1], padding=padding) ** 2)
MOVED = np.array([[1.1, 0.2, -0.5, 0.1, 0.9, 0.3, 0.01, -0.02], [0.8, 0.0, 0.7, -0.3, 1.2, -0.4, 0.0, 0.0]], np.float32)
for interpolation, dtypes in (("NEAREST", FLOATS), ("BILINEAR", FLOATS[1:])):
    # The transformations are of float32, and so are their inverses.
    for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST"):
        moved = dict(transforms=MOVED, output_shape=[3, 6], interpolation=interpolation, fill_mode=mode)
        # The gradient is by definition the inverse transformation, which is not the derivative.
        rule(f"ImageProjectiveTransformV2/{interpolation}/{mode}", [IMAGE], lambda x: raw.ImageProjectiveTransformV2(images=x, **moved) ** 2, dtypes, rough=True)
        rule(f"ImageProjectiveTransformV3/{interpolation}/{mode}", [IMAGE], lambda x: raw.ImageProjectiveTransformV3(images=x, fill_value=0.5, **moved) ** 2, dtypes, rough=True)
rule("ImageProjectiveTransformV3/one", [IMAGE], lambda x: raw.ImageProjectiveTransformV3(
    images=x, transforms=MOVED[:1], output_shape=[4, 5], interpolation="BILINEAR", fill_mode="CONSTANT", fill_value=0.0) ** 2, FLOATS[1:], rough=True)
for kernel in ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic"):
    for antialias in (False, True):
        rule(f"ScaleAndTranslate/{kernel}/{antialias}", [IMAGE], lambda x: raw.ScaleAndTranslate(
            images=x, size=[6, 3], scale=[1.4, 0.7], translation=[0.3, -0.2], kernel_type=kernel, antialias=antialias) ** 2, rough=True)
rule("IsotonicRegression", [np.array([[3.0, 1.0, 2.0, -1.0], [1.0, 2.0, 2.5, 0.5]])], lambda x: raw.IsotonicRegression(input=x, output_dtype=x.dtype)[0] ** 2)
# TensorFlow's CPU kernel only supports the maximum along the last axis.
rule("ApproxTopK", [rand(3, 5)], lambda x: raw.ApproxTopK(input=x, k=2, recall_target=1.0, aggregate_to_topk=True)[0] ** 2, FLOATS[1:])

# Roundings that pass gradients where the values are in range.
SPREAD = np.array([[-1.5, -0.6, 0.0, 0.3], [0.9, 1.1, 2.5, -1.0]])
for bits, narrow in ((8, False), (4, True)):
    options = dict(num_bits=bits, narrow_range=narrow)
    rule(f"FakeQuantWithMinMaxArgs/{bits}", [SPREAD], lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x * x, min=-1.0, max=1.2, **options) ** 2, rough=True)
    rule(f"FakeQuantWithMinMaxVars/{bits}", [SPREAD, np.array(-1.0), np.array(1.2)], lambda x, a, b: raw.FakeQuantWithMinMaxVars(inputs=x * x, min=a, max=b, **options) ** 2, rough=True)
    rule(f"FakeQuantWithMinMaxVarsPerChannel/{bits}", [SPREAD, np.array([-1.0, -0.5, 0.0, -2.0]), np.array([1.0, 0.5, 2.0, 0.25])],
         lambda x, a, b: raw.FakeQuantWithMinMaxVarsPerChannel(inputs=x * x, min=a, max=b, **options) ** 2, rough=True)
for ranged in (True, False):
    rule(f"QuantizeAndDequantizeV2/{ranged}", [SPREAD], lambda x: raw.QuantizeAndDequantizeV2(input=x * x, input_min=like(x, -1), input_max=like(x, 1.25), range_given=ranged) ** 2, rough=True)
    rule(f"QuantizeAndDequantizeV3/{ranged}", [SPREAD], lambda x: raw.QuantizeAndDequantizeV3(input=x * x, input_min=like(x, -1), input_max=like(x, 1.25), num_bits=5, range_given=ranged) ** 2, rough=True)
    rule(f"QuantizeAndDequantizeV4/{ranged}", [SPREAD, np.array(-1.0), np.array(1.25)], lambda x, a, b: raw.QuantizeAndDequantizeV4(input=x * x, input_min=a, input_max=b, range_given=ranged) ** 2, rough=True)
# TensorFlow's rule takes two gradients, but is given four.
rule("QuantizeAndDequantizeV4Grad", [SPREAD, rand(2, 4), np.array(-1.0), np.array(1.25)],
     lambda g, x, a, b: [d ** 2 for d in raw.QuantizeAndDequantizeV4Grad(gradients=g, input=x, input_min=a, input_max=b)], FLOATS[:1], known=False)


def first_version(nodes, dtype):
    """QuantizeAndDequantize, which TensorFlow does not add to new graphs, in place of its second version: they have the
    same gradient."""
    node = nodes["stand_in"]
    node.update(op="QuantizeAndDequantize", input=node["input"][:1])
    node["attr"] = {"T": node["attr"]["T"], "range_given": {"b": True}, "input_min": {"f": -1.0}, "input_max": {"f": 1.25}}


rule("QuantizeAndDequantize", [SPREAD], lambda x: raw.QuantizeAndDequantizeV2(
    input=x * x, input_min=like(x, -1), input_max=like(x, 1.25), range_given=True, name="stand_in"), rough=True, patch=first_version)
build, patch = stand_in("_EagerConst", ["x0"], [2, 3])
rule("_EagerConst", [rand(2, 3)], lambda x: build(x) ** 2, FLOATS[:1], patch=patch, known=False)

for name, format, shape in (("", "NHWC", (2, 2, 3, 2)), ("V2", "NHWC", (2, 2, 3, 2)), ("V3", "NHWC", (2, 2, 3, 2)), ("V3", "NDHWC", (2, 2, 2, 1, 2))):
    for training in (True, False):
        def normalized(x, s, o, m, v, training=training, name=name):
            half = [m, v] if not training else [tf.zeros([0], s.dtype)] * 2
            return getattr(raw, "FusedBatchNorm" + name)(x=x, scale=s, offset=o, mean=half[0], variance=half[1], is_training=training, data_format=format)[0] ** 2
        values = [rand(*shape), rand(2), rand(2, seed=1), rand(2, seed=2), positive(2)]
        rule(f"FusedBatchNorm{name}/{format}/{training}", values, normalized, rough=not training)
        if name:
            rule(f"FusedBatchNorm{name}/{format}/{training}/half", values, lambda x, *rest: normalized(tf.cast(x, tf.float16), *rest), [tf.float32], rough=True)
for scales in (False, True):
    build, patch = stand_in("BatchNormWithGlobalNormalization", [f"x{i}" for i in range(5)], [2, 2, 3, 2], variance_epsilon={"f": 0.1}, scale_after_normalization={"b": scales})
    rule(f"BatchNormWithGlobalNormalization/{scales}", [rand(2, 2, 3, 2), rand(2), positive(2), rand(2, seed=1), rand(2, seed=2)], lambda *x: build(*x) ** 2, FLOATS[:1], patch=patch, known=False)

# Samples.
rule("RandomGamma", [positive(2, 2) * 3], lambda a: raw.RandomGamma(shape=[3], alpha=a, seed=3, seed2=5), rough=True)
rule("StatelessRandomGammaV2", [positive(2, 2) * 3], lambda a: raw.StatelessRandomGammaV2(shape=[3, 2, 2], seed=[3, 5], alpha=a), rough=True)
rule("StatelessRandomGammaV3", [positive(2) * 3], lambda a: raw.StatelessRandomGammaV3(shape=[3, 2, 2], key=[3], counter=[1, 2], alg=1, alpha=a), rough=True)
rule("StatelessParameterizedTruncatedNormal", [rand(2), positive(3, 1), rand(2) - 3, rand(3, 1) + 4],
     lambda m, d, a, b: raw.StatelessParameterizedTruncatedNormal(shape=[4, 3, 2], seed=[3, 5], means=m, stddevs=d, minvals=a, maxvals=b), rough=True)

# Sparse and ragged tensors.
AT = np.array([[0, 1], [1, 0], [1, 2]])
MIXED = np.array([[1, 2], [0, 1], [1, 0]])
SPARSE = {
    "SparseReorder": ([rand(3)], lambda v: raw.SparseReorder(input_indices=MIXED, input_values=v, input_shape=[2, 3])[1]),
    "SparseAdd": ([rand(2), rand(2, seed=1)], lambda a, b: raw.SparseAdd(a_indices=[[0, 0], [1, 1]], a_values=a, a_shape=[2, 2], b_indices=[[0, 1], [1, 1]], b_values=b, b_shape=[2, 2],
                                                                 thresh=np.array(0, a.dtype.real_dtype.as_numpy_dtype))[1]),
    "SparseTensorDenseAdd": ([rand(3), rand(2, 3)], lambda v, b: raw.SparseTensorDenseAdd(a_indices=AT, a_values=v, a_shape=np.array([2, 3]), b=b)),
    "SparseReduceSum": ([rand(3)], lambda v: raw.SparseReduceSum(input_indices=AT, input_values=v, input_shape=[2, 3], reduction_axes=[1])),
    "SparseSlice": ([rand(3)], lambda v: raw.SparseSlice(indices=AT, values=v, shape=[2, 3], start=[1, 0], size=[1, 3])[1]),
    "SparseTensorDenseMatMul": ([rand(3), rand(3, 2)], lambda v, b: raw.SparseTensorDenseMatMul(a_indices=AT, a_values=v, a_shape=[2, 3], b=b)),
    "SparseMatMul": ([rand(2, 3), rand(3, 2)], lambda a, b: raw.SparseMatMul(a=a, b=b, a_is_sparse=True)),
    "SparseDenseCwiseMul": ([rand(3), rand(3, seed=1)], lambda v, d: raw.SparseDenseCwiseMul(sp_indices=AT, sp_values=v, sp_shape=[2, 3], dense=d)),
    "SparseDenseCwiseDiv": ([rand(3), positive(2, 1)], lambda v, d: raw.SparseDenseCwiseDiv(sp_indices=AT, sp_values=v, sp_shape=[2, 3], dense=d)),
    "SparseSoftmax": ([rand(3)], lambda v: raw.SparseSoftmax(sp_indices=AT, sp_values=v, sp_shape=[2, 3])),
    "SparseFillEmptyRows": ([rand(3), rand()], lambda v, d: raw.SparseFillEmptyRows(indices=AT, values=v, dense_shape=[4, 3], default_value=d)[1]),
    "RaggedFillEmptyRows": ([rand(3), rand()], lambda v, d: raw.RaggedFillEmptyRows(value_rowids=[2, 0, 0], values=v, nrows=4, default_value=d)[1]),
    "SparseToDense": ([rand(3), rand()], lambda v, d: raw.SparseToDense(sparse_indices=AT, output_shape=np.array([2, 3]), sparse_values=v, default_value=d)),
    "RaggedTensorToSparse": ([rand(3, 2)], lambda v: raw.RaggedTensorToSparse(rt_nested_splits=[np.array([0, 2, 2, 3])], rt_dense_values=v)[1]),
    "RaggedTensorToTensor": ([rand(3), rand()], lambda v, d: raw.RaggedTensorToTensor(shape=[4, 3], values=v, default_value=d, row_partition_tensors=[np.array([0, 2, 2, 3])], row_partition_types=["ROW_SPLITS"])),
    "RaggedGather": ([rand(3)], lambda v: raw.RaggedGather(params_nested_splits=[np.array([0, 1, 3]), np.array([0, 2, 2, 3])], params_dense_values=v, indices=np.array([1, 0, 1]), OUTPUT_RAGGED_RANK=2)[1]),
    "RaggedTensorToVariant": ([rand(3)], lambda v: raw.RaggedTensorFromVariant(encoded_ragged=raw.RaggedTensorToVariant(rt_nested_splits=[np.array([0, 2, 2, 3])], rt_dense_values=v, batched_input=True),
                                                                              input_ragged_rank=-1, output_ragged_rank=1, Tvalues=v.dtype)[1]),
}
for name, (inputs, build) in SPARSE.items():
    rule(name, inputs, lambda *a: build(*a) ** 2)


# Variables.
def variable(build, resource=True):
    def make(x):
        v = tf1.get_variable("v", initializer=tf.constant(np.arange(12.0).reshape(4, 3) * 0.1, x.dtype), use_resource=resource)
        if resource:
            tf1.add_to_collection("by", v.handle)
        else:
            tf1.add_to_collection("by", v.value())
        return build(v.handle if resource else v.value(), x)
    return make


VARIABLES = {
    "ReadVariableOp": lambda v, x: raw.ReadVariableOp(resource=v, dtype=x.dtype) * x, "ResourceGather": lambda v, x: raw.ResourceGather(resource=v, indices=[0, 2, 2], dtype=x.dtype) * x,
    "ResourceGatherNd": lambda v, x: raw.ResourceGatherNd(resource=v, indices=[[0, 1], [2, 2], [0, 1]], dtype=x.dtype) * x,
    "ResourceGatherNd/rows": lambda v, x: raw.ResourceGatherNd(resource=v, indices=[[0], [2], [0]], dtype=x.dtype) * x,
}
for name, build in VARIABLES.items():
    # The values of the variable are not fed.
    rule(name, [rand(3)], variable(build), rough=True)


def batched(nodes, dtype):
    """ResourceGather in place of a ReadVariableOp and a GatherV2."""
    node = nodes["stand_in"]
    node.update(op="ResourceGather", input=["v", node["input"][1]])
    node["attr"] = {"batch_dims": {"i": "1"}, "dtype": node["attr"]["Tparams"], "Tindices": node["attr"]["Tindices"]}


rule("ResourceGather/batch", [rand(2)], variable(lambda v, x: tf.identity(raw.GatherV2(
    params=raw.ReadVariableOp(resource=v, dtype=x.dtype), indices=[[0, 2], [1, 1], [2, 0], [0, 0]], axis=1, batch_dims=1, name="stand_in")) * x), rough=True, patch=batched)


def reference(x):
    v = tf1.get_variable("v", initializer=tf.constant(np.arange(3.0), x.dtype), use_resource=False)
    tf1.add_to_collection("by", v._variable)
    f, t = raw.RefSwitch(data=v._variable, pred=tf.reduce_sum(tf.abs(x)) > 0)
    return raw.Merge(inputs=[f * 2, t * t])[0] * raw.RefIdentity(input=v._variable) * x


rule("RefSwitch", [rand(3)], reference, rough=True)


def counted(x, steps=(0, 6, 2)):
    """`For`, whose gradient TensorFlow does not know."""
    @function.Defun(tf.int32, x.dtype, x.dtype)
    def body(i, y, z):
        return tf.sin(y) * tf.cast(i + 1, y.dtype) + z, z * y

    return functional_ops.For(*steps, [x, x * x], body)


rule("For", [rand(3)], counted, FLOATS[:1], known=False)
rule("For/down", [rand(3)], lambda x: counted(x, (3, -1, -1)), FLOATS[:1], known=False)
rule("For/never", [rand(3)], lambda x: counted(x, (3, 3, 1)), FLOATS[:1], known=False)
rule("Print", [rand(3)], lambda x: raw.Print(input=x, data=[x], message="", first_n=0) ** 2)


# Values that hold tensors.
def arrays(x):
    a = tf.TensorArray(x.dtype, 3, element_shape=[2], clear_after_read=False).unstack(x)
    b = tf.TensorArray(x.dtype, 2, infer_shape=False).split(x, [1, 2])
    c = tf.TensorArray(x.dtype, 2).write(0, x[0] * x[1]).write(1, x[2])
    return [a.read(1) * a.gather([0, 2]), b.concat() * x, c.stack()]


def lists(x):
    a = raw.TensorListFromTensor(tensor=x, element_shape=[2])
    a = raw.TensorListPushBack(input_handle=a, tensor=x[0] * x[1])
    a = raw.TensorListSetItem(input_handle=a, index=1, item=x[2] * x[2])
    a, last = raw.TensorListPopBack(input_handle=a, element_shape=[2], element_dtype=x.dtype)
    a = raw.TensorListResize(input_handle=a, size=6)
    a = raw.TensorListScatterIntoExistingList(input_handle=a, tensor=x[:2] * last, indices=[5, 2])
    of = dict(element_shape=[2], element_dtype=x.dtype)
    rows = raw.TensorListGather(input_handle=a, indices=[0, 5, 2], **of)
    item = raw.TensorListGetItem(input_handle=a, index=2, **of)
    parts = raw.TensorListSplit(tensor=x * x, element_shape=[-1, 2], lengths=[1, 0, 2])
    joined, _ = raw.TensorListConcatV2(input_handle=parts, element_shape=[-1, 2], leading_dims=tf.zeros([0], tf.int64), element_dtype=x.dtype)
    also, _ = raw.TensorListConcat(input_handle=parts, element_dtype=x.dtype)
    b = raw.TensorListScatterV2(tensor=x, indices=[3, 0, 1], element_shape=[2], num_elements=7)
    c = raw.TensorListScatter(tensor=x, indices=[2, 0, 1], element_shape=[2])
    return [rows * item, joined * also, *(raw.TensorListStack(input_handle=l, **of) ** 2 for l in (a, b, c))]


def maps(x):
    a = raw.TensorMapInsert(input_handle=raw.EmptyTensorMap(), key=1, value=x * x)
    a = raw.TensorMapInsert(input_handle=a, key=2, value=x * x[0])
    a = raw.TensorMapErase(input_handle=raw.TensorMapInsert(input_handle=a, key=3, value=x), key=3, value_dtype=x.dtype)
    look = lambda k: raw.TensorMapLookup(input_handle=a, key=k, value_dtype=x.dtype)
    return look(1) * look(2)


def optionals(x):
    o = raw.OptionalFromValue(components=[x * x, x * x[0]])
    a, b = raw.OptionalGetValue(optional=o, output_types=[x.dtype] * 2, output_shapes=[[3, 2]] * 2)
    return a * b


def composites(x):
    e = raw.CompositeTensorVariantFromComponents(components=[x, x[0]], metadata="")
    a, b = raw.CompositeTensorVariantToComponents(encoded=e, metadata="", Tcomponents=[x.dtype] * 2)
    return a * b


def older(version):
    """Tensor arrays of an older version in place of those of the third, with strings as handles."""
    def patch(nodes, dtype):
        for node in nodes.values():
            if node["op"].startswith("TensorArray"):
                node["op"] = node["op"].replace("V3", version)
                node["attr"].pop("identical_element_shapes", None)
        # Their first op has no flow.
        flows = [n["name"] + ":1" for n in nodes.values() if n["op"] == "TensorArray" + version]
        for node in nodes.values():
            node["input"] = ["flow" if name in flows else name for name in node.get("input", [])]
    return patch


def older_arrays(x):
    tf.constant(0.0, name="flow")
    return arrays(x)


for version in ("", "V2"):
    rule("TensorArray" + version, [rand(3, 2)], older_arrays, patch=older(version))
for name, build in {"TensorArrayV3": arrays, "TensorList": lists, "TensorMap": maps, "Optional": optionals, "CompositeTensorVariant": composites}.items():
    rule(name, [rand(3, 2)], build)

registry = {name: entry["type"] is not None for name, entry in ops.gradient_registry._registry.items()}


def second_version(y, x, n=2):
    """A loop of version 2, regardless of its context."""
    return while_v2.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) * x + y), (tf.constant(0), y), return_same_structure=True)[1]


def repeat(body, start, n=3):
    """The value after `n` applications of `body`, in a loop of version 1."""
    return tf1.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, body(i, y)), (0, start))[1]


# Loops of version 2 in those of version 1, which TensorFlow cannot differentiate.
LOOPS = {
    "same": lambda x: repeat(lambda i, y: second_version(y, x), x), "changing": lambda x: repeat(lambda i, y: second_version(y, y), x),
    "nested": lambda x: repeat(lambda i, y: repeat(lambda j, z: second_version(z, y) * x, y, n=2), x, n=2),
    "count": lambda x: repeat(lambda i, y: second_version(y, x, n=i), x, n=4),
}
for name, build in LOOPS.items():
    rule(f"While/{name}", [rand(3)], build, FLOATS[:1], known=False)

# Collectives between GPUs, which TensorFlow's CPU does not run.
def all_reduce(x):
    return [raw.NcclAllReduce(input=y, reduction="sum", num_devices=2, shared_name="all") for y in (x * x, tf.sin(x))]


rule("NcclAllReduce", [rand(2, 3)], all_reduce, FLOATS[:1], known=False)
rule("NcclReduce", [rand(2, 3)], lambda x: raw.NcclReduce(input=[x * x, tf.sin(x)], reduction="sum"), FLOATS[:1], known=False)
rule("NcclBroadcast", [rand(2, 3)], lambda x: raw.NcclBroadcast(input=x * x, shape=[2, 3]), FLOATS[:1], known=False)

# CSR matrices: with respect to the values of the elements of two of them, and to a dense one.
ROWS = np.array([[0, 0, 1], [0, 2, 0], [0, 2, 3], [1, 0, 2], [1, 1, 1], [1, 2, 2]])
OTHERS = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 2, 0], [0, 3, 1], [1, 1, 0], [1, 2, 1]])


def csr(values, indices=ROWS, shape=(2, 3, 4), rank=3):
    if rank == 2:
        indices, shape = np.unique(indices[:, 1:], axis=0), shape[1:]
        values = tf.concat([values, values], 0)[:len(indices)]
    return raw.SparseTensorToCSRSparseMatrix(indices=tf.constant(indices, tf.int64), values=values, dense_shape=tf.constant(shape, tf.int64))


def of_csr(matrix, x):
    return raw.CSRSparseMatrixToSparseTensor(sparse_matrix=matrix, type=x.dtype).values


def csr_product(turn_a, turn_b, rank, sparse, **output):
    """A product whose factors are transposed so that they fit."""
    def build(x, y):
        a = csr(x, ROWS if not turn_a else ROWS[:, [0, 2, 1]], (2, 3, 4) if not turn_a else (2, 4, 3), rank)
        turns = {name: True for name in (turn_a, turn_b) if name}
        if sparse:
            b = csr(y, OTHERS if not turn_b else OTHERS[:, [0, 2, 1]], (2, 4, 2) if not turn_b else (2, 2, 4), rank)
            return raw.CSRSparseMatrixToDense(sparse_input=raw.SparseMatrixSparseMatMul(a=a, b=b, type=x.dtype, **turns), type=x.dtype)
        b = tf.reshape(tf.concat([y, y, y], 0)[:16], [2, 4, 2] if not turn_b else [2, 2, 4])
        return raw.SparseMatrixMatMul(a=a, b=b if rank == 3 else b[0], **turns, **output)
    return build


for rank in (2, 3):
    for turn_a in (None, "transpose_a", "adjoint_a"):
        for turn_b in (None, "transpose_b", "adjoint_b"):
            kinds = [tf.float64, tf.complex128] if rank == 3 else [tf.float64]
            name = f"{rank}/{turn_a}/{turn_b}"
            for label, output in [("plain", {}), ("transposed", {"transpose_output": True}), ("both", {"transpose_output": True, "conjugate_output": True})]:
                if rank == 3 or not output:
                    rule(f"SparseMatrixMatMul/{name}/{label}", [rand(6), rand(7)], csr_product(turn_a, turn_b, rank, False, **output), kinds, known=False)
            rule(f"SparseMatrixSparseMatMul/{name}", [rand(6), rand(7)], csr_product(turn_a, turn_b, rank, True), kinds, known=False)
rule("CSRSparseMatrixToDense", [rand(6)], lambda x: raw.CSRSparseMatrixToDense(sparse_input=csr(x), type=x.dtype), [tf.float64, tf.complex128])
rule("CSRSparseMatrixToSparseTensor", [rand(6)], lambda x: of_csr(csr(x * x), x), [tf.float64, tf.complex128])
rule("DenseToCSRSparseMatrix", [rand(2, 3, 4)], lambda x: of_csr(raw.DenseToCSRSparseMatrix(dense_input=x, indices=tf.constant(ROWS, tf.int64)), x), [tf.float64, tf.complex128])
for conjugate in (False, True):
    rule(f"SparseMatrixTranspose/{conjugate}", [rand(6)], lambda x: of_csr(raw.SparseMatrixTranspose(input=csr(x * x), type=x.dtype, conjugate=conjugate), x),
         [tf.float64, tf.complex128])
rule("SparseMatrixAdd", [rand(6), rand(6, seed=1)], lambda x, y: of_csr(raw.SparseMatrixAdd(
    a=csr(x), b=csr(y, np.minimum(OTHERS, [1, 2, 3])[[0, 1, 2, 3, 5, 6]]), alpha=tf.constant(2.0, x.dtype), beta=tf.constant(-0.5, x.dtype)), x), [tf.float64], known=False)
rule("SparseMatrixMul/scalar", [rand(6), rand()], lambda x, y: of_csr(raw.SparseMatrixMul(a=csr(x), b=y), x), [tf.float64, tf.complex128], known=False)
rule("SparseMatrixMul/batch", [rand(6), rand(2, 1, 1)], lambda x, y: of_csr(raw.SparseMatrixMul(a=csr(x), b=y), x), [tf.float64, tf.complex128], known=False)
rule("SparseMatrixSoftmax", [rand(6)], lambda x: of_csr(raw.SparseMatrixSoftmax(logits=csr(x), type=x.dtype), x), [tf.float64], known=False)


# Recurrent networks in cuDNN's form.
def cudnn(mode, directions, version, **attrs):
    def build(x, h, c, params):
        common = dict(input=x, input_h=h, input_c=c, params=params, rnn_mode=mode, direction="bidirectional" if directions == 2 else "unidirectional")
        if version == 3:
            outputs = raw.CudnnRNNV3(sequence_lengths=[2, 1], **common, **attrs)
        else:
            outputs = (raw.CudnnRNN if version == 1 else raw.CudnnRNNV2)(**common)
        return outputs[:3 if mode == "lstm" else 2]
    return build


for mode, gates in {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}.items():
    for directions, version in [(1, 1), (2, 2), (2, 3)]:
        inputs, units, layers = 2, 3, 2
        count = sum((n + units + 2) * units * gates * directions for n in (inputs, units * directions))
        states = [rand(layers * directions, 2, units), rand(layers * directions, 2, units, seed=1)]
        rule(f"CudnnRNN/{mode}/{directions}/{version}", [rand(2, 2, inputs), *states, rand(count, seed=2)], cudnn(mode, directions, version), FLOATS[:1], known=False)


with open(os.path.join(HERE, "registry.json"), "w") as f:
    json.dump(dict(sorted(registry.items())), f, indent=0)
    f.write("\n")
with gzip.GzipFile(os.path.join(HERE, "rules.jsonl.gz"), "wb", mtime=0) as f:
    for line in out:
        f.write((json.dumps(line, separators=(",", ":")) + "\n").encode())
if "-v" in sys.argv:
    print(*left_out, sep="\n")
held = {node["op"] for case in out for node in case["graph"]["node"]}
print(len(out), "cases; no case for", *sorted(name for name, known in registry.items() if known and name not in held))
