"""Tensors kept in a session between its runs, by handle."""

from record import case, fed, step, write

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def handle(number, node="h"):
    return f"{node};{number};{DEVICE}".encode()


def graph(tf, v1):
    a = v1.placeholder(tf.float32, [None], name="a")
    h = tf.raw_ops.GetSessionHandle(value=tf.raw_ops.Mul(x=a, y=2.0), name="h")
    p = v1.placeholder(tf.string, [], name="p")
    g = tf.raw_ops.GetSessionTensor(handle=p, dtype=tf.float32, name="g")
    d = tf.raw_ops.DeleteSessionTensor(handle=p, name="d")
    return a, h, p, g, d


def case_of(name, **options):
    return lambda build: case(f"handles/{name}", build, **options)


@case_of("kept_read_deleted")
def _(tf, v1):
    a, h, p, g, d = graph(tf, v1)
    return [
        step(h, {a: [1, 2]}),
        step(tf.raw_ops.Neg(x=g), {p: handle(0)}),
        step(h, {a: [7]}),
        step(g, {p: handle(1)}),
        step(g, {p: handle(0)}),
        step([], {p: handle(0)}, targets=[d]),
        step([], {p: handle(0)}, targets=[d], error="INVALID_ARGUMENT"),
        step(g, {p: handle(0)}, error="INVALID_ARGUMENT"),
        step(g, {p: handle(1)}),
    ]


@case_of("only_what_is_fetched_stays")
def _(tf, v1):
    a, h, p, g, d = graph(tf, v1)
    also = tf.raw_ops.Identity(input=h)
    return [
        step(also, {a: [1, 2]}),
        step(g, {p: handle(0)}, error="INVALID_ARGUMENT"),
        step([], {a: [1, 2]}, targets=[h.op]),
        step(g, {p: handle(1)}, error="INVALID_ARGUMENT"),
        step([also, h], {a: [1, 2]}),
        step(g, {p: handle(2)}),
    ]


@case_of("read_and_deleted_in_one_run")
def _(tf, v1):
    a, h, p, g, d = graph(tf, v1)
    with tf.control_dependencies([g]):
        gone = tf.raw_ops.DeleteSessionTensor(handle=p)
    return [step(h, {a: [3]}), step(g, {p: handle(0)}, targets=[gone]), step(g, {p: handle(0)}, error="INVALID_ARGUMENT")]


@case_of("unknown", error="INVALID_ARGUMENT")
def _(tf, v1):
    return tf.raw_ops.GetSessionTensor(handle=fed(b"nothing"), dtype=tf.int32)


@case_of("not_a_scalar", error="INVALID_ARGUMENT")
def _(tf, v1):
    return tf.raw_ops.GetSessionTensor(handle=fed([b"a", b"b"]), dtype=tf.int32)


@case_of("another_type")
def _(tf, v1):
    a, h, p, g, d = graph(tf, v1)
    wrong = tf.raw_ops.GetSessionTensor(handle=p, dtype=tf.int32)
    return [step(h, {a: [1]}), step(wrong, {p: handle(0)}, error="INTERNAL"), step(g, {p: handle(0)})]


for name, value in [("string", [b"a", b""]), ("bool", [True, False]), ("int64", [[1, 2], [3, 4]]), ("float64", []),
                    ("complex64", [1 + 2j])]:
    @case_of(f"type/{name}")
    def _(tf, v1, name=name, value=value):
        h = tf.raw_ops.GetSessionHandle(value=fed(value, name), name="h")
        p = v1.placeholder(tf.string, [], name="p")
        return [step(h), step(tf.raw_ops.GetSessionTensor(handle=p, dtype=tf.as_dtype(name)), {p: handle(0)})]


write(__file__)
