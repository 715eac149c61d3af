"""Records gradients that TensorFlow computes: writes cases.jsonl.gz beside this file.

    pip install tensorflow-cpu
    python tests/gradients/record.py

Each case is a graph without gradients, values for its placeholders, the values to differentiate (`ys`), the values to
differentiate with respect to (`xs`), and the result of `tf.gradients`: a tensor for each of `xs`, or null.
"""
import gzip, json, os, random
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import numpy as np
import tensorflow as tf
from google.protobuf.json_format import MessageToDict
from tensorflow.python.ops import map_ops  # Registers the gradients of maps.
from tensorflow.python.ops import while_v2

tf1 = tf.compat.v1
tf1.disable_eager_execution()
raw = tf.raw_ops
HERE = os.path.dirname(os.path.abspath(__file__))
out = []


def proto(value):
    return MessageToDict(tf.make_tensor_proto(value))


def case(name, inputs, build, second=False, by=None):
    """Records one case. Values that TensorFlow itself cannot differentiate are skipped."""
    try:
        record(name, inputs, build, second, by)
    except (LookupError, TypeError, tf.errors.OpError) as e:
        print("left out:", name, str(e)[:80].replace("\n", " "))


def record(name, inputs, build, second, by):
    """`build` makes the value to differentiate from placeholders for `inputs`."""
    with tf.Graph().as_default() as graph:
        xs = [tf1.placeholder(v.dtype, v.shape, name=f"x{i}") for i, v in enumerate(inputs)]
        ys = build(*xs)
        ys = ys if isinstance(ys, (list, tuple)) else [ys]
        ys = [tf.math.real(y) if y.dtype.is_complex else y for y in ys]
        weighted = []
        for y in ys:
            n = tf.size(y, out_type=tf.int64)
            w = tf.cast(tf.range(n) % 5 + 1, y.dtype)
            weighted.append(tf.reshape(w, tf.shape(y)) * y)
        total = tf.add_n([tf.reduce_sum(w) for w in weighted], name="total")
        by = [x for x in xs if x.dtype.is_floating or x.dtype.is_complex] if by is None else by(graph)
        if second:
            first = [g for g in tf1.gradients(total, by) if g is not None]
            total = tf.add_n([tf.reduce_sum(g * g) for g in map(tf.convert_to_tensor, first)], name="second")
        definition = MessageToDict(graph.as_graph_def())
        grads = tf1.gradients(total, by)
        grads = [None if g is None else tf.convert_to_tensor(g) for g in grads]
        feeds = dict(zip(xs, inputs))
        with tf1.Session() as session:
            session.run(tf1.global_variables_initializer())
            got = session.run([g for g in grads if g is not None], feeds)
        got = iter(got)
        expect = [None if g is None else proto(next(got)) for g in grads]
    out.append(dict(name=name, graph=definition, feeds={x.name: proto(v) for x, v in zip(xs, inputs)},
                    ys=[total.name], xs=[x.name for x in by], expect=expect))


def rand(*shape, low=-2.0, high=2.0, seed=0, dtype=np.float64):
    return np.random.RandomState(seed + 7 * len(shape)).uniform(low, high, shape).astype(dtype)


def positive(*shape, seed=0):
    return rand(*shape, low=0.3, high=2.0, seed=seed)


def inside(*shape, seed=0):
    return rand(*shape, low=-0.9, high=0.9, seed=seed)


UNARY = {
    "Neg": rand, "Abs": rand, "Square": rand, "Sqrt": positive, "Rsqrt": positive, "Exp": rand, "Expm1": rand,
    "Log": positive, "Log1p": positive, "Tanh": rand, "Sigmoid": rand, "Sinh": rand, "Cosh": rand, "Asinh": rand,
    "Atanh": inside, "Sin": rand, "Cos": rand, "Tan": inside, "Asin": inside, "Acos": inside, "Atan": rand, "Erf": rand,
    "Erfc": rand, "Erfinv": inside, "Lgamma": positive, "Digamma": positive, "Reciprocal": positive, "Softplus": rand,
    "Softsign": rand, "Relu": rand, "Relu6": rand, "Elu": rand, "Selu": rand, "Floor": rand, "Sign": rand,
}
for op, values in UNARY.items():
    arg = "features" if op in ("Softplus", "Softsign", "Relu", "Relu6", "Elu", "Selu") else "x"
    f = lambda x, op=op, arg=arg: getattr(raw, op)(**{arg: x})
    case(f"unary/{op}", [values(3, 4)], f)
    if op not in ("Digamma", "Floor", "Sign", "Lgamma"):
        case(f"second/{op}", [values(3, 4)], f, second=op not in ("Abs", "Relu", "Relu6", "Neg", "Selu"))
case("unary/Acosh", [rand(3, 4, low=1.2, high=3.0)], lambda x: raw.Acosh(x=x))
case("unary/Ndtri", [rand(3, 4, low=0.1, high=0.9)], lambda x: raw.Ndtri(x=x))
case("unary/BesselI0e", [positive(3, 4)], lambda x: raw.BesselI0e(x=x))
case("unary/LeakyRelu", [rand(3, 4)], lambda x: raw.LeakyRelu(features=x, alpha=0.3))
case("unary/Cast", [rand(3, 4)], lambda x: tf.cast(x, tf.float32))
case("unary/CastInt", [rand(3, 4)], lambda x: [tf.cast(tf.cast(x, tf.int32), tf.float64), x * 1.0])
z = rand(3, 4) + 1j * rand(3, 4, seed=3)
for name, f in {"Real": tf.math.real, "Imag": tf.math.imag, "Conj": tf.math.conj, "Abs": tf.abs, "Angle": tf.math.angle,
                "Mul": lambda z: z * z * (1 + 2j), "Exp": tf.exp, "Div": lambda z: (2 - 1j) / z, "Square": tf.square,
                "Sin": tf.sin, "Log": tf.math.log, "Tanh": tf.tanh, "Pow": lambda z: tf.pow(z, 2 + 0j)}.items():
    case(f"complex/{name}", [z], f)
case("complex/Complex", [rand(3, 4), rand(4)], lambda a, b: tf.complex(a, tf.broadcast_to(b, [3, 4])) * (1 + 3j))
BINARY = {
    "AddV2": rand, "Sub": rand, "Mul": rand, "RealDiv": positive, "DivNoNan": positive, "Pow": positive, "Maximum": rand,
    "Minimum": rand, "SquaredDifference": rand, "FloorMod": positive, "Atan2": rand, "Xlogy": positive, "Xdivy": positive,
    "Xlog1py": positive, "MulNoNan": rand, "TruncateMod": positive, "Igamma": positive, "NextAfter": rand,
}
for op, values in BINARY.items():
    keys = {"Atan2": ("y", "x"), "Igamma": ("a", "x"), "NextAfter": ("x1", "x2")}.get(op, ("x", "y"))
    f = lambda a, b, op=op, keys=keys: getattr(raw, op)(**{keys[0]: a, keys[1]: b})
    for shapes in (((3, 4), (3, 4)), ((3, 4), (4,)), ((2, 1, 3), (4, 1)), ((), (2, 3))):
        case(f"binary/{op}/{shapes}", [values(*shapes[0]), values(*shapes[1], seed=5)], f)
case("binary/AddN", [rand(2, 3), rand(2, 3, seed=1), rand(2, 3, seed=2)], lambda *a: tf.add_n(a) * a[0])
case("binary/Where", [rand(3, 4), rand(4), rand(3, 1)], lambda c, a, b: tf.where(c > 0, a, b))
case("binary/Select", [rand(3, 4), rand(3, 4), rand(3, 4, seed=2)], lambda c, a, b: raw.Select(condition=c > 0, x=a, y=b))
case("binary/Clip", [rand(3, 4)], lambda x: tf.clip_by_value(x, -0.5, 0.7))
for op in ("Sum", "Mean", "Max", "Min", "Prod", "EuclideanNorm"):
    for axes in ([0], [1], [0, 2], [-1], [0, 1, 2], []):
        for keep in (False, True):
            f = lambda x, op=op, axes=axes, keep=keep: getattr(raw, op)(input=x, axis=np.array(axes, np.int32), keep_dims=keep)
            case(f"reduce/{op}/{axes}/{keep}", [positive(2, 3, 4)], f)
case("reduce/logsumexp", [rand(3, 4)], lambda x: tf.reduce_logsumexp(x, 1))
case("reduce/moments", [rand(3, 4)], lambda x: list(tf.nn.moments(x, [0])))
case("reduce/L2Loss", [rand(3, 4)], tf.nn.l2_loss)
case("reduce/norm", [rand(3, 4)], lambda x: tf.norm(x, axis=1))
for exclusive in (False, True):
    for reverse in (False, True):
        case(f"scan/cumsum/{exclusive}/{reverse}", [rand(3, 4)], lambda x, e=exclusive, r=reverse: tf.cumsum(x, 1, e, r))
        case(f"scan/cumprod/{exclusive}/{reverse}", [positive(3, 4)], lambda x, e=exclusive, r=reverse: tf.math.cumprod(x, 1, e, r))
ids = np.array([0, 0, 1, 3])
for op in ("sum", "mean", "max", "min"):
    case(f"segment/{op}", [rand(4, 3)], lambda x, op=op: getattr(tf.math, f"segment_{op}")(x, ids))
for op in ("sum", "max", "min", "mean"):
    case(f"unsorted_segment/{op}", [rand(4, 3)], lambda x, op=op: getattr(tf.math, f"unsorted_segment_{op}")(x, [2, 0, 2, -1], 4))
ARRAY = {
    "reshape": lambda x: tf.reshape(x, [4, -1]), "expand": lambda x: tf.expand_dims(x, 1),
    "squeeze": lambda x: tf.squeeze(x[:1], 0), "transpose": lambda x: tf.transpose(x, [2, 0, 1]),
    "concat": lambda x: tf.concat([x, x * 2, x[:, :1]], 1), "split": lambda x: tf.split(x, 2, 2)[1] * 3,
    "split_v": lambda x: tf.split(x, [1, 3], 2)[0], "pack": lambda x: tf.stack([x, x * x], -1),
    "unpack": lambda x: tf.unstack(x, axis=1)[2], "slice": lambda x: tf.slice(x, [0, 1, 1], [2, 2, -1]),
    "strided": lambda x: x[:, ::-2, 1:3], "strided_new": lambda x: x[1, tf.newaxis, ..., -1],
    "pad": lambda x: tf.pad(x, [[0, 1], [2, 0], [1, 1]]), "mirror": lambda x: tf.pad(x, [[0, 1], [2, 0], [1, 1]], "REFLECT"),
    "symmetric": lambda x: tf.pad(x, [[0, 1], [2, 0], [1, 1]], "SYMMETRIC"), "tile": lambda x: tf.tile(x, [2, 1, 3]),
    "gather": lambda x: tf.gather(x, [1, 0, 1]), "gather_axis": lambda x: tf.gather(x, [[1, 0], [1, 2]], axis=1),
    "gather_last": lambda x: tf.gather(x, [3, 3, 0], axis=-1), "gather_nd": lambda x: tf.gather_nd(x, [[0, 1], [1, 2], [0, 1]]),
    "broadcast": lambda x: tf.broadcast_to(x[:, :1], [2, 3, 4]),
    "reverse": lambda x: tf.reverse(x, [0, 2]), "reverse_sequence": lambda x: tf.reverse_sequence(x, [2, 1], 1, 0),
    "roll": lambda x: tf.roll(x, [1, 2], [0, 2]), "band": lambda x: tf.linalg.band_part(x, 1, 0),
    "diag": lambda x: tf.linalg.diag(x), "diag_part": lambda x: tf.linalg.diag_part(x),
    "set_diag": lambda x: tf.linalg.set_diag(x, x[:, :, 0]), "identity_n": lambda x: tf.identity_n([x, x * 2])[1],
    "space_to_batch": lambda x: tf.compat.v1.space_to_batch_nd(x, [2], [[0, 1]]),
    "partition": lambda x: tf.dynamic_partition(x, [1, 0], 2)[1] * 2, "stop": lambda x: tf.stop_gradient(x) * x,
    "stitch": lambda x: tf.dynamic_stitch([[0, 2], [1, 3]], [x, x * 3]), "top_k": lambda x: tf.math.top_k(x, 2)[0],
    "scatter_nd": lambda x: tf.scatter_nd([[3], [1]], x, [5, 3, 4]), "fill": lambda x: tf.fill([2, 2], tf.reduce_sum(x)),
    "tensor_scatter": lambda x: tf.tensor_scatter_nd_update(x, [[0, 1]], x[1, :1] * 3),
    "tensor_scatter_add": lambda x: tf.tensor_scatter_nd_add(x, [[0, 1]], x[1, :1] * 3),
    "sort": lambda x: tf.sort(x, axis=-1), "one_use_of_two": lambda x: tf.unstack(x)[0],
    "boolean_mask": lambda x: tf.boolean_mask(x, x > 0), "meshed": lambda x: tf.meshgrid(x[0, 0], x[1, :, 0])[0],
}
for name, f in ARRAY.items():
    case(f"array/{name}", [rand(2, 3, 4)], f)
case("array/gather_twice", [rand(5, 3)], lambda x: tf.gather(x, [0, 4]) * 2 + tf.gather(x, [4, 4]))
for ta in (False, True):
    for tb in (False, True):
        a, b = rand(*((4, 3) if ta else (3, 4))), rand(*((5, 4) if tb else (4, 5)), seed=2)
        case(f"linalg/matmul/{ta}/{tb}", [a, b], lambda a, b, ta=ta, tb=tb: tf.matmul(a, b, ta, tb))
        a, b = rand(*((2, 4, 3) if ta else (2, 3, 4))), rand(*((5, 4) if tb else (4, 5)), seed=2)
        case(f"linalg/batch/{ta}/{tb}", [a, b], lambda a, b, ta=ta, tb=tb: raw.BatchMatMulV2(x=a, y=b, adj_x=ta, adj_y=tb))
for eq, shapes in {"ij,jk->ik": ((3, 4), (4, 5)), "bij,bjk->bik": ((2, 3, 4), (2, 4, 5)), "ij->ji": ((3, 4),), "ij->j": ((3, 4),),
                   "abc,cd->abd": ((2, 3, 4), (4, 5)), "bhqd,bhkd->bhqk": ((2, 2, 3, 4), (2, 2, 5, 4)), "i,j->ij": ((3,), (4,)),
                   "ij,k->i": ((3, 4), (5,))}.items():
    case(f"linalg/einsum/{eq}", [rand(*s, seed=i) for i, s in enumerate(shapes)], lambda *a, eq=eq: raw.Einsum(inputs=a, equation=eq))
NN = {
    "bias_add": ([rand(2, 3, 4), rand(4)], tf.nn.bias_add),
    "softmax": ([rand(3, 4)], tf.nn.softmax), "log_softmax": ([rand(3, 4)], tf.nn.log_softmax),
    "xent": ([rand(3, 4), positive(3, 4)], lambda l, p: tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=l)),
    "sparse_xent": ([rand(3, 4)], lambda l: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 3, 1], logits=l)),
    "sigmoid_xent": ([rand(3, 4), positive(3, 4)], lambda l, p: tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=l)),
    "conv2d": ([rand(1, 5, 6, 2), rand(3, 2, 2, 3)], lambda x, f: tf.nn.conv2d(x, f, [1, 2, 1, 1], "SAME")),
    "conv2d_valid": ([rand(2, 5, 6, 2), rand(2, 2, 2, 3)], lambda x, f: tf.nn.conv2d(x, f, 1, "VALID")),
    "conv2d_transpose": ([rand(1, 3, 3, 2), rand(2, 2, 3, 2)], lambda x, f: tf.nn.conv2d_transpose(x, f, [1, 6, 6, 3], 2)),
    "conv3d": ([rand(1, 3, 4, 4, 2), rand(2, 2, 2, 2, 3)], lambda x, f: tf.nn.conv3d(x, f, [1] * 5, "SAME")),
    "depthwise": ([rand(1, 5, 6, 2), rand(3, 2, 2, 2)], lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME")),
    "max_pool": ([rand(1, 5, 6, 2)], lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME")),
    "avg_pool": ([rand(1, 5, 6, 2)], lambda x: tf.nn.avg_pool2d(x, 2, 2, "SAME")),
    "max_pool3d": ([rand(1, 4, 4, 4, 2, dtype=np.float32)], lambda x: tf.nn.max_pool3d(x, 2, 2, "SAME")),
    "avg_pool3d": ([rand(1, 4, 4, 4, 2, dtype=np.float32)], lambda x: tf.nn.avg_pool3d(x, 2, 2, "SAME")),
    "lrn": ([rand(1, 3, 3, 5, dtype=np.float32)], lambda x: tf.nn.lrn(x, 2)),
    "batch_norm": ([rand(2, 3, 3, 2, dtype=np.float32), rand(2, dtype=np.float32), rand(2, seed=1, dtype=np.float32)],
                   lambda x, s, o: tf1.nn.fused_batch_norm(x, s, o)[0]),
    "batch_norm_inference": ([rand(2, 3, 3, 2, dtype=np.float32), rand(2, dtype=np.float32), rand(2, seed=1, dtype=np.float32)],
                   lambda x, s, o: tf1.nn.fused_batch_norm(x, s, o, mean=[0.1, 0.2], variance=[1.0, 2.0], is_training=False)[0]),
    "dilation": ([rand(1, 5, 5, 2), rand(2, 2, 2)], lambda x, f: raw.Dilation2D(input=x, filter=f, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")),
    "bilinear": ([rand(1, 3, 4, 2, dtype=np.float32)], lambda x: tf1.image.resize_bilinear(x, [5, 7])),
    "nearest": ([rand(1, 3, 4, 2, dtype=np.float32)], lambda x: tf1.image.resize_nearest_neighbor(x, [5, 7])),
    "layer_norm": ([rand(3, 4), rand(4), rand(4, seed=1)], lambda x, s, o: tf.nn.batch_normalization(x, *tf.nn.moments(x, [1], keepdims=True), o, s, 1e-3)),
    "l2_normalize": ([rand(3, 4)], lambda x: tf.nn.l2_normalize(x, 1)),
    "embedding": ([rand(6, 3)], lambda w: tf.nn.embedding_lookup(w, [[1, 2], [5, 1]])),
}
for name, (values, f) in NN.items():
    case(f"nn/{name}", values, f)
for name in ("softmax", "log_softmax", "xent", "sparse_xent", "conv2d", "avg_pool", "max_pool", "bias_add", "depthwise"):
    case(f"nn_second/{name}", NN[name][0], NN[name][1], second=True)


def ta(x):
    array = tf.TensorArray(tf.float64, 3, element_shape=[4], clear_after_read=False)
    array = array.unstack(x)
    return array.read(1) * array.stack()


def control(version):
    case(f"control_{version}/cond", [rand(3)], lambda x: tf1.cond(tf.reduce_sum(x) > 0, lambda: x * x, lambda: tf.exp(x) * x[0]))
    case(f"control_{version}/cond_else", [-positive(3)], lambda x: tf1.cond(tf.reduce_sum(x) > 0, lambda: x * x, lambda: tf.exp(x) * 2.0))
    case(f"control_{version}/nested", [rand(3)], lambda x: tf1.cond(x[0] > 5, lambda: x, lambda: tf1.cond(x[1] > -9, lambda: x * x * 3.0, lambda: x)))


def repeat(body, start, n=3, **options):
    """The values after `n` applications of `body`."""
    start = start if isinstance(start, (list, tuple)) else [start]
    loop = tf1.while_loop(lambda i, *_: i < n, lambda i, *v: (i + 1, *listed(body(*v))), (0, *start), **options)
    return loop[1:] if len(loop) > 2 else loop[1]


def listed(values):
    return values if isinstance(values, (list, tuple)) else [values]


def scanned(x):
    """A recurrence over the rows of x through tensor arrays, as dynamic_rnn does it."""
    steps = tf.TensorArray(tf.float64, 5).unstack(x)
    outputs = tf.TensorArray(tf.float64, 5)

    def body(i, state, outputs):
        state = tf.tanh(steps.read(i) + state * 0.7)
        return i + 1, state, outputs.write(i, state * 2.0)

    _, state, outputs = tf1.while_loop(lambda i, *_: i < 5, body, (0, tf.zeros([3], tf.float64), outputs))
    return [outputs.stack() * state, state]


def growing(x):
    shapes = (tf.TensorShape([]), tf.TensorShape([None, 2]))
    _, y = tf1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.concat([y, y * y], 0)), (0, x), shape_invariants=shapes)
    return y


def until(x):
    """The number of iterations depends on the values."""
    return tf1.while_loop(lambda y: tf.reduce_sum(y) < 40.0, lambda y: y * 1.7 + x, (tf.abs(x),))


def rows(x):
    """Rows of a variable, and the whole of it."""
    v = tf1.get_variable("v", initializer=np.arange(12.0).reshape(4, 3))
    _, y = tf1.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * 0.5 + tf.gather(v, [i, 3 - i, 1])), (0, x))
    return y


def loops(version):
    def loop(name, inputs, build, **options):
        case(f"loops_{version}/{name}", inputs, build, **options)

    loop("power", [rand(3)], lambda x: repeat(lambda y: y * x, x))
    loop("no_iterations", [rand(3)], lambda x: repeat(lambda y: y * x, x, n=0))
    loop("fed_count", [rand(3), np.float64(4.0)], lambda x, n: repeat(lambda y: tf.sin(y) * x, x, n=tf.cast(n, tf.int32)), by=by_x0)
    loop("serial", [rand(3)], lambda x: repeat(lambda y: tf.sin(y * x), x, parallel_iterations=1))
    # TensorFlow's result for the second version of this is not the gradient.
    if version == "v1":
        loop("swap", [rand(3), rand(3, seed=1)], lambda a, b: repeat(lambda a, b: (b, a * b), (a, b)))
    loop("rotate", [rand(3), rand(3, seed=1), rand(3, seed=2)], lambda a, b, c: repeat(lambda a, b, c: (b, c, a), (a, b, c), n=4))
    loop("one_used", [rand(3), rand(3, seed=1)], lambda a, b: repeat(lambda a, b: (tf.sin(a), a * b), (a, b))[0])
    loop("other_used", [rand(3), rand(3, seed=1)], lambda a, b: repeat(lambda a, b: (tf.sin(a), a * b), (a, b))[1])
    loop("unchanged", [rand(3), rand(3, seed=1)], lambda a, b: repeat(lambda a, b: (a * b, b), (a, b)))
    loop("matmul", [rand(3, 3), rand(3, 3, seed=1)], lambda x, w: repeat(lambda y: tf.tanh(y @ w), x))
    loop("broadcast", [rand(3, 4), rand(4)], lambda x, b: repeat(lambda y: y * b + tf.reduce_mean(y, 0), x))
    loop("unknown_shape", [rand(3, 4), rand(4)], lambda x, b: repeat(
        lambda y: y * b, tf1.placeholder_with_default(x, None), shape_invariants=(tf.TensorShape([]), tf.TensorShape(None))))
    loop("growing", [rand(1, 2)], growing)
    loop("until", [rand(3)], until)
    loop("two", [rand(3)], lambda x: repeat(lambda y: y * x, repeat(lambda y: tf.sin(y) + x, x)))
    loop("nested", [rand(3)], lambda x: repeat(lambda y: repeat(lambda z: z * y * x, y, n=2), x))
    loop("nested_count", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, repeat(lambda z: tf.sin(z * x), y, n=i)), (0, x))[1])
    loop("nested_thrice", [rand(2)], lambda x: repeat(lambda y: repeat(lambda z: repeat(lambda u: tf.sin(u + z * y), z, n=2), y * x, n=2), x, n=2))
    loop("nested_no_iterations", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y * repeat(lambda z: z * x, y, n=i - 1)), (0, x))[1])
    loop("cond_inside", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, tf1.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: tf.sin(y) * 2.0)), (0, x))[1])
    loop("cond_without_else", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, tf1.cond(i > 1, lambda: y * tf.exp(x * y), lambda: y)), (0, x))[1])
    loop("cond_nested_inside", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 6, lambda i, y: (i + 1, tf1.cond(tf.equal(i % 2, 0), lambda: tf1.cond(
            i > 2, lambda: y * x, lambda: tf.reshape(tf.reshape(y, [3, 1]) @ tf.reshape(x, [1, 3]), [9])[1:4]), lambda: tf.sin(y))), (0, x))[1])
    loop("inside_cond", [rand(3)], lambda x: tf1.cond(tf.reduce_sum(x) > -9, lambda: repeat(lambda y: y * x, x), lambda: x * 2.0))
    loop("inside_cond_not_taken", [rand(3)], lambda x: tf1.cond(tf.reduce_sum(x) > 99, lambda: repeat(lambda y: y * x, x), lambda: x * 2.0))
    loop("in_cond_in_loop", [rand(3)], lambda x: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, tf1.cond(i > 1, lambda: repeat(lambda z: z * x, y, n=2), lambda: y * x)), (0, x))[1])
    loop("stopped", [rand(3)], lambda x: repeat(lambda y: y * x + tf.stop_gradient(y * y), x))
    loop("tensor_array", [rand(5, 3)], scanned)
    loop("scan", [rand(5, 3)], lambda x: tf.scan(lambda a, b: tf.tanh(a * b + b), x))
    loop("map", [rand(5, 3)], lambda x: tf.map_fn(lambda r: r * tf.reduce_sum(r), x))
    loop("foldl", [rand(5, 3)], lambda x: tf.foldl(lambda a, b: a * b + b, x))
    loop("foldr", [rand(5, 3)], lambda x: tf.foldr(lambda a, b: tf.sin(a) * b, x))
    loop("rows", [rand(3, 3)], rows)
    loop("rows_of_an_input", [rand(4, 3), rand(2, 3)], lambda v, x: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, y * 0.5 + tf.gather(v, [i, 3 - i])), (0, x))[1])
    loop("gather_nd", [rand(4, 3)], lambda v: tf1.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, y * 0.5 + tf.gather_nd(v, [[i], [3 - i]])), (0, tf.zeros([2, 3], tf.float64)))[1])
    loop("slices", [rand(4, 3)], lambda x: repeat(lambda y: tf.concat([y[1:] * 2.0, y[:1] * y[1:2]], 0), x))
    loop("softmax", [rand(2, 4), rand(4, 4, seed=3)], lambda x, w: repeat(lambda y: tf.nn.softmax(tf.nn.relu(y @ w) + x), x))
    loop("maximum_iterations", [rand(3)], lambda x: tf1.while_loop(lambda y: tf.reduce_sum(y) < 1e9, lambda y: y * x, (x,), maximum_iterations=5))


def by_x0(graph):
    return [graph.get_tensor_by_name("x0:0")]


def lists(x):
    """A list through most of its ops."""
    a = raw.TensorListFromTensor(tensor=x, element_shape=[3])
    a = raw.TensorListPushBack(input_handle=a, tensor=x[0] * x[1])
    a = raw.TensorListSetItem(input_handle=a, index=1, item=tf.sin(x[2]))
    a, last = raw.TensorListPopBack(input_handle=a, element_shape=[3], element_dtype=tf.float64)
    a = raw.TensorListResize(input_handle=a, size=6)
    a = raw.TensorListScatterIntoExistingList(input_handle=a, tensor=x[:2] * last, indices=[5, 2])
    rows = raw.TensorListGather(input_handle=a, indices=[0, 5, 2, 4], element_shape=[3], element_dtype=tf.float64)
    item = raw.TensorListGetItem(input_handle=a, index=3, element_shape=[3], element_dtype=tf.float64)
    parts = raw.TensorListSplit(tensor=x * x, element_shape=[-1, 3], lengths=[1, 0, 3])
    joined, lengths = raw.TensorListConcatV2(input_handle=parts, element_shape=[-1, 3], leading_dims=tf.zeros([0], tf.int64), element_dtype=tf.float64)
    b = raw.TensorListScatterV2(tensor=x, indices=[3, 0, 1, 6], element_shape=[3], num_elements=7)
    both = [raw.TensorListStack(input_handle=l, element_shape=[3], element_dtype=tf.float64) for l in (a, b)]
    return [rows * item, joined, both[0], tf.exp(both[1])]


def maps(x):
    a = raw.TensorMapInsert(input_handle=raw.EmptyTensorMap(), key=1, value=x * x)
    a = raw.TensorMapInsert(input_handle=a, key=2, value=tf.sin(x))
    look = lambda m, k: raw.TensorMapLookup(input_handle=m, key=k, value_dtype=tf.float64)
    b = raw.TensorMapInsert(input_handle=a, key=1, value=x * 3.0)
    return look(a, 1) * look(a, 2) + look(b, 1) * look(b, 2)


def optionals(x):
    o = raw.OptionalFromValue(components=[x * x, tf.sin(x)])
    a, b = raw.OptionalGetValue(optional=o, output_types=[tf.float64] * 2, output_shapes=[[3], [3]])
    return a * b + raw.OptionalGetValue(optional=raw.OptionalFromValue(components=[x]), output_types=[tf.float64], output_shapes=[[3]])[0]


case("values/lists", [rand(4, 3)], lists)
case("values/maps", [rand(3)], maps)
case("values/optionals", [rand(3)], optionals)


def block_lstm(x, cs, h, w, b):
    hole = tf.zeros([2], tf.float32)
    out = raw.BlockLSTM(seq_len_max=tf.constant(4, tf.int64), x=x, cs_prev=cs, h_prev=h, w=w, wci=hole, wcf=hole, wco=hole, b=b, cell_clip=-1.0)
    return [out.h, out.cs[3]]


# TensorFlow uses this as the gradient of BlockLSTMV2 too, whose gates have another order.
case("nn/block_lstm", [rand(*s, seed=s[0], dtype=np.float32) for s in ([4, 2, 3], [2, 2], [2, 2], [5, 8], [8])], block_lstm)


def switched(x):
    """Case, whose branches are functions."""
    return sum(tf.switch_case(tf.constant(i), [lambda: x * x, lambda: tf.sin(x) * x[0], lambda: x]) for i in range(3))


def noise(x):
    return tf.random.uniform([3], seed=3, dtype=tf.float64) * x


# Random numbers are the same in the forward and backward pass.
case("functions/drawn_in_call", [rand(3)], tf.function(lambda x: noise(x) * x))
case("functions/drawn_in_branch", [rand(3)], lambda x: tf1.cond(tf.reduce_sum(x) > -9, lambda: noise(x) * x, lambda: x))
case("functions/drawn_in_loop", [rand(3)], lambda x: repeat(lambda y: y * x + noise(y), x))


def captured(build):
    """With respect to x and to a variable that the functions read."""
    def make(x):
        v = tf1.get_variable("v", initializer=np.arange(12.0).reshape(4, 3), use_resource=True)
        return build(x, v)
    return make


def by_variable(graph):
    return [graph.get_tensor_by_name("x0:0"), graph.get_tensor_by_name("v:0")]


for name, build in {
    "call": lambda x, v: tf.function(lambda y: tf.sin(y) * v)(x),
    "branch": lambda x, v: tf1.cond(tf.reduce_sum(x) > -9, lambda: x * v, lambda: x),
    "other_branch": lambda x, v: tf1.cond(tf.reduce_sum(x) > 9, lambda: x * v, lambda: tf.sin(x) * tf.ones([4, 1], tf.float64)),
    "loop": lambda x, v: repeat(lambda y: tf.sin(y) * v[1], x),
    "rows_in_loop": lambda x, v: tf1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.gather(v, [i, 0, i])), (0, x[None] * tf.ones([3, 1], tf.float64)))[1],
    "map": lambda x, v: tf.map_fn(lambda r: r * tf.reduce_sum(v), x),
}.items():
    case(f"functions/captured/{name}", [rand(3)], captured(build), by=by_variable)


case("functions/case", [rand(3)], switched)
case("functions/loop_in_branch_in_call", [rand(3)], tf.function(lambda x: tf1.cond(tf.reduce_sum(x) > -9, lambda: repeat(lambda z: z * x, x), lambda: x)))
case("functions/nested", [rand(3)], lambda x: tf.function(lambda y: tf.function(lambda z: tf.sin(z) * x)(y) * y)(x))
case("functions/loop_in_call", [rand(3)], lambda x: tf.function(lambda y: repeat(lambda z: z * y, y))(x))
control("v2")
loops("v2")
tf1.disable_control_flow_v2()
control("v1")
loops("v1")
case("control_v1/tensor_array", [rand(3, 4)], ta)


def noisy(y):
    """A function that draws random numbers."""
    return tf.function(lambda y: tf.sin(noise(y)) * y)(y)


def second_version(y, x, n=2):
    """A loop of version 2, regardless of its context."""
    return while_v2.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) * x + y), (tf.constant(0), y), return_same_structure=True)[1]


# Random numbers of an iteration are the same in the backward pass.
case("loops_of_calls/drawn", [rand(3)], lambda x: repeat(lambda y: noisy(y) + x, x))
case("loops_of_calls/drawn_nested", [rand(3)], lambda x: repeat(lambda y: repeat(lambda z: noisy(z) * x, y, n=2), x))
case("loops_of_calls/drawn_in_conditional", [rand(3)], lambda x: tf1.while_loop(
    lambda i, y: i < 4, lambda i, y: (i + 1, tf1.cond(i > 1, lambda: noisy(y) * x, lambda: y * x)), (0, x))[1])
case("loops_of_calls/drawn_in_branch", [rand(3)], lambda x: repeat(lambda y: tf.function(
    lambda y: tf.cond(tf.reduce_sum(y) > -99, lambda: noise(y) * y, lambda: y))(y) * x, x))
case("loops_of_calls/drawn_in_case", [rand(3)], lambda x: tf1.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.function(
    lambda i, y: tf.switch_case(i, [lambda: noise(y) * y, lambda: tf.sin(y), lambda: noise(tf.cos(y))]))(i, y) * x), (0, x))[1])
case("loops_of_calls/loop", [rand(3)], lambda x: repeat(lambda y: tf.function(lambda y: repeat(lambda z: noise(z) * y + z, y))(y) * x, x))
case("loops_of_calls/captured", [rand(3)], captured(lambda x, v: repeat(lambda y: tf.function(lambda y: tf.sin(y) * v[1])(y), x)), by=by_variable)
case("loops_of_calls/second_version", [rand(3)], lambda x: repeat(lambda y: second_version(y, x), x))
case("loops_of_calls/second_version_of_y", [rand(3)], lambda x: repeat(lambda y: second_version(y, y), x))
case("loops_of_calls/second_version_nested", [rand(3)], lambda x: repeat(lambda y: repeat(lambda z: second_version(z, y) * x, y, n=2), x, n=2))
case("loops_of_calls/second_version_in_conditional", [rand(3)], lambda x: tf1.while_loop(
    lambda i, y: i < 4, lambda i, y: (i + 1, tf1.cond(i > 1, lambda: second_version(y, x), lambda: y * x)), (0, x))[1])
case("loops_of_calls/second_version_count", [rand(3)], lambda x: tf1.while_loop(
    lambda i, y: i < 4, lambda i, y: (i + 1, second_version(y, x, n=i)), (0, x))[1])


def variables(resource):
    def build(x):
        v = tf1.get_variable("v", initializer=np.arange(12.0).reshape(4, 3), use_resource=resource)
        return tf.gather(v, [0, 2, 2]) @ tf.transpose(v) * x
    return build


for resource in (False, True):
    tf1.disable_resource_variables()
    case(f"variables/{resource}", [rand(3, 4)], variables(resource),
         by=lambda graph: [graph.get_tensor_by_name("x0:0"),
                           graph.get_tensor_by_name("v/read:0" if not graph.get_operation_by_name("v").type.startswith("VarH") else "v:0")])


# Sparse and ragged tensors.
AT = [[0, 1], [1, 0], [1, 2]]
MIXED = [[1, 2], [0, 1], [1, 0]]
case("SparseReorder", [rand(3)], lambda v: raw.SparseReorder(input_indices=MIXED, input_values=v, input_shape=[2, 3])[1])
case("SparseAdd", [rand(2), rand(2)], lambda a, b: raw.SparseAdd(
    a_indices=[[0, 0], [1, 1]], a_values=a, a_shape=[2, 2], b_indices=[[0, 1], [1, 1]], b_values=b, b_shape=[2, 2], thresh=np.array(0, a.dtype.as_numpy_dtype))[1])
case("SparseTensorDenseAdd", [rand(3), rand(2, 3)], lambda v, b: raw.SparseTensorDenseAdd(a_indices=AT, a_values=v, a_shape=[2, 3], b=b))
for axes in [[0], [1], [0, 1], [-1]]:
    for keep in (False, True):
        case(f"SparseReduceSum/{axes}/{keep}", [rand(3)], lambda v: raw.SparseReduceSum(
            input_indices=AT, input_values=v, input_shape=[2, 3], reduction_axes=axes, keep_dims=keep))
case("SparseSlice", [rand(3)], lambda v: raw.SparseSlice(indices=AT, values=v, shape=[2, 3], start=[1, 0], size=[1, 3])[1])
for adj_a in (False, True):
    for adj_b in (False, True):
        case(f"SparseTensorDenseMatMul/{adj_a}/{adj_b}", [rand(3), rand(3, 3)], lambda v, b: raw.SparseTensorDenseMatMul(
            a_indices=AT, a_values=v, a_shape=[3, 3], b=b, adjoint_a=adj_a, adjoint_b=adj_b))
        case(f"SparseMatMul/{adj_a}/{adj_b}", [rand(3, 3).astype("float32"), rand(3, 3).astype("float32")], lambda a, b: raw.SparseMatMul(
            a=a, b=b, transpose_a=adj_a, transpose_b=adj_b, a_is_sparse=True))
for shape in [(2, 3), (3,), (2, 1)]:
    for op in [raw.SparseDenseCwiseMul, raw.SparseDenseCwiseDiv]:
        case(f"{op.__name__}/{shape}", [rand(3), rand(*shape)], lambda v, d: op(sp_indices=AT, sp_values=v, sp_shape=[2, 3], dense=d))
case("SparseSoftmax", [rand(3)], lambda v: raw.SparseSoftmax(sp_indices=AT, sp_values=v, sp_shape=[2, 3]))
case("SparseFillEmptyRows", [rand(3), rand()], lambda v, d: raw.SparseFillEmptyRows(indices=AT, values=v, dense_shape=[4, 3], default_value=d)[1])
case("RaggedFillEmptyRows", [rand(3), rand()], lambda v, d: raw.RaggedFillEmptyRows(value_rowids=[2, 0, 0], values=v, nrows=4, default_value=d)[1])
case("SparseToDense", [rand(3), rand()], lambda v, d: raw.SparseToDense(
    sparse_indices=np.array(AT), output_shape=np.array([2, 3]), sparse_values=v, default_value=d))
case("RaggedTensorToSparse", [rand(3, 2)], lambda v: raw.RaggedTensorToSparse(rt_nested_splits=[np.array([0, 2, 2, 3])], rt_dense_values=v)[1])
for name, shape, inner, default in [("cut", [-1, 1], (), ()), ("filled", [4, 3], (), ()), ("inner", [-1, -1, 2], (2,), (2,)), ("broadcast", [-1, -1, 2], (2,), (1,))]:
    case(f"RaggedTensorToTensor/{name}", [rand(3, *inner), rand(*default)], lambda v, d: raw.RaggedTensorToTensor(
        shape=shape, values=v, default_value=d, row_partition_tensors=[np.array([0, 2, 2, 3])], row_partition_types=["ROW_SPLITS"]))
case("RaggedGather", [rand(3)], lambda v: raw.RaggedGather(
    params_nested_splits=[np.array([0, 1, 3]), np.array([0, 2, 2, 3])], params_dense_values=v, indices=np.array([1, 0, 1]), OUTPUT_RAGGED_RANK=2)[1])
for batched in (False, True):
    case(f"RaggedTensorToVariant/{batched}", [rand(3)], lambda v: raw.RaggedTensorFromVariant(
        encoded_ragged=raw.RaggedTensorToVariant(rt_nested_splits=[np.array([0, 2, 2, 3])], rt_dense_values=v, batched_input=batched),
        input_ragged_rank=-1, output_ragged_rank=1, Tvalues=v.dtype)[1])
case("CompositeTensorVariant", [rand(3), rand(2)], lambda a, b: [v * v for v in raw.CompositeTensorVariantToComponents(
    encoded=raw.CompositeTensorVariantFromComponents(components=[a, b], metadata=""), metadata="", Tcomponents=[a.dtype, b.dtype])])


def expression(seed):
    """A random expression of matrices."""
    r = random.Random(seed)

    def build(*xs):
        pool = list(xs)
        unary = [tf.tanh, tf.sigmoid, tf.sin, lambda a: tf.exp(-a * a), tf.nn.softplus, tf.square, tf.nn.elu,
                 tf.nn.softmax, lambda a: tf.transpose(a), lambda a: tf.cumsum(a, 0), lambda a: a[::-1],
                 lambda a: tf.reshape(a, [3, 3]) * 0.5, lambda a: tf.math.log1p(a * a), tf.math.erf, tf.abs]
        binary = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.matmul, lambda a, b: a / (b * b + 1.0),
                  lambda a, b: tf.where(a > b, a * 2.0, b), lambda a, b: tf.concat([a[:1], b[1:]], 0), tf.math.squared_difference,
                  lambda a, b: a + tf.reduce_mean(b, 0), lambda a, b: a * tf.reduce_max(b, 1, keepdims=True),
                  lambda a, b: tf.gather(a, [2, 0, 2]) - b, lambda a, b: tf.minimum(a, b) * tf.reduce_sum(b)]
        for _ in range(r.randint(4, 12)):
            if r.random() < 0.5:
                pool.append(r.choice(unary)(r.choice(pool)))
            else:
                pool.append(r.choice(binary)(r.choice(pool), r.choice(pool)))
            pool[-1] = tf.tanh(pool[-1]) if r.random() < 0.3 else pool[-1]
        return pool[-1]
    return build

def definite(*shape, seed=0):
    a = rand(*shape, seed=seed)
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])


def joined(*shape, seed=0):
    """Complex numbers, whose parts are two inputs."""
    return [rand(*shape, seed=seed), rand(*shape, seed=seed + 1)]


def of_parts(build, plus=0.0):
    return lambda x, y: build(tf.complex(x, y) + plus)


def both(z):
    return [tf.math.real(z), tf.math.imag(z)]


def matrices():
    square = [rand(2, 3, 3) + 4 * np.eye(3), rand(2, 3, 2)]
    for adjoint in (False, True):
        case(f"matrices/solve/{adjoint}", square, lambda a, b: raw.MatrixSolve(matrix=a, rhs=b, adjoint=adjoint), second=adjoint)
        case(f"matrices/inverse/{adjoint}", square[:1], lambda a: raw.MatrixInverse(input=a, adjoint=adjoint))
        for lower in (False, True):
            case(f"matrices/triangular/{adjoint}{lower}", square,
                 lambda a, b: raw.MatrixTriangularSolve(matrix=a, rhs=b, adjoint=adjoint, lower=lower))
            case(f"matrices/triangular/broadcast/{adjoint}{lower}", [square[0][:1], square[1]],
                 lambda a, b: raw.MatrixTriangularSolve(matrix=a, rhs=b, adjoint=adjoint, lower=lower))
            case(f"matrices/banded/{adjoint}{lower}", [rand(2, 3, 4) + 4, rand(2, 4, 2)],
                 lambda a, b: raw.BandedTriangularSolve(matrix=a, rhs=b, adjoint=adjoint, lower=lower))
    case("matrices/determinant", square[:1], lambda a: raw.MatrixDeterminant(input=a))
    case("matrices/log_determinant", square[:1], lambda a: raw.LogMatrixDeterminant(input=a).log_abs_determinant)
    case("matrices/square_root", [definite(2, 3, 3)], lambda a: raw.MatrixSquareRoot(input=a))
    case("matrices/cholesky", [definite(2, 3, 3)], lambda a: raw.Cholesky(input=a), second=True)
    for shape in [(3, 3), (2, 4, 3), (2, 3, 5)]:
        case(f"matrices/qr/{shape}", [rand(*shape)], lambda a: list(raw.Qr(input=a)))
        case(f"matrices/qr/complex/{shape}", joined(*shape), of_parts(lambda a: sum((both(o) for o in raw.Qr(input=a)), [])))
        case(f"matrices/svd/{shape}", [rand(*shape)], lambda a: (lambda o: [o.s, o.u * o.u, tf.matmul(o.u[..., :2], o.v[..., :2], adjoint_b=True)])(raw.Svd(input=a)))
        case(f"matrices/svd/values/{shape}", [rand(*shape)], lambda a: raw.Svd(input=a, compute_uv=False).s)
        case(f"matrices/svd/complex/{shape}", joined(*shape), of_parts(lambda a: (lambda o: [tf.abs(o.s), tf.abs(o.u), tf.abs(o.v)])(raw.Svd(input=a))))
    case("matrices/svd/full", [rand(3, 4)], lambda a: (lambda o: [o.s, o.u * o.u, o.v * o.v])(raw.Svd(input=a, full_matrices=True)))
    case("matrices/self_adjoint", [definite(2, 3, 3)], lambda a: (lambda o: [o.e, o.v * o.v])(raw.SelfAdjointEigV2(input=a)))
    case("matrices/self_adjoint/values", [definite(2, 3, 3)], lambda a: raw.SelfAdjointEigV2(input=a, compute_v=False).e)
    case("matrices/eig", [rand(4, 4)], lambda a: (lambda o: [tf.math.real(o.e), tf.abs(o.v)])(raw.Eig(input=a, Tout=tf.complex128)))
    case("matrices/eig/values", [rand(4, 4)], lambda a: both(raw.Eig(input=a, compute_v=False, Tout=tf.complex128).e))
    case("matrices/eig/complex", joined(3, 3), of_parts(lambda a: (lambda o: both(o.e) + [tf.abs(o.v)])(raw.Eig(input=a, Tout=tf.complex128))))
    case("matrices/solve/complex", joined(3, 3), of_parts(lambda a: both(raw.MatrixSolve(matrix=a, rhs=a @ a + 1.0, adjoint=True)), 2.0))
    for shape in [(4, 2), (2, 4)]:
        for weight in (0.0, 0.5):
            case(f"matrices/least_squares/{shape}/{weight}", [rand(*shape), rand(shape[0], 2)],
                 lambda a, b: raw.MatrixSolveLs(matrix=a, rhs=b, l2_regularizer=tf.constant(weight, tf.float64)))
    case("matrices/tridiagonal/solve", [rand(2, 3, 4) + [[[0], [6], [0]]], rand(2, 4, 2)], lambda a, b: raw.TridiagonalSolve(diagonals=a, rhs=b))
    case("matrices/tridiagonal/product", [rand(2, 1, 4, seed=i) for i in range(3)] + [rand(2, 4, 3)],
         lambda a, b, c, x: raw.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=x))


def transforms():
    for op, axes in [("FFT", 1), ("FFT2D", 2), ("FFT3D", 3)]:
        for name in (op, "I" + op):
            case(f"transforms/{name}", joined(2, 3, 4), of_parts(lambda z: both(getattr(raw, name)(input=z))), second=axes == 2)
    for op, axes in [("RFFT", 1), ("RFFT2D", 2)]:
        for n in (4, 5):
            lengths = [3, n][-axes:]
            case(f"transforms/{op}/{n}", [rand(2, 3, n)],
                 lambda x: both(getattr(raw, op)(input=x, fft_length=lengths, Tcomplex=tf.complex128)))
            case(f"transforms/I{op}/{n}", joined(2, 3, n // 2 + 1),
                 of_parts(lambda z: getattr(raw, "I" + op)(input=z, fft_length=lengths, Treal=tf.float64)))


matrices()
transforms()

for seed in range(80):
    case(f"expression/{seed}", [inside(3, 3, seed=seed), inside(3, 3, seed=seed + 1), inside(3, 3, seed=seed + 2)], expression(seed))

with gzip.GzipFile(os.path.join(HERE, "cases.jsonl.gz"), "wb", mtime=0) as f:
    for line in out:
        f.write((json.dumps(line, separators=(",", ":")) + "\n").encode())
print(len(out), "cases")
