"""Functions, branches and loops that read and change variables of the graph around them."""

from record import case, step, write


def variables(tf, v1, dtype):
    v = v1.get_variable("v", initializer=tf.constant([1, 2, 3], dtype), use_resource=True)
    w = v1.get_variable("w", initializer=tf.constant([[1, 0, 2], [0, 1, 1], [3, 1, 0]], dtype), use_resource=True)
    return v, w, v1.global_variables_initializer()


def in_call(tf, v, w):
    @tf.function
    def f(x):
        y = v.read_value() * x
        v.assign_add(y)
        return v.read_value() + tf.linalg.matvec(w.read_value(), y)

    return f(tf.constant(3, v.dtype))


def in_calls_in_calls(tf, v, w):
    @tf.function
    def inner(x):
        v.assign_sub(x)
        return v.read_value() * 2

    @tf.function
    def outer(x):
        return inner(tf.linalg.matvec(w.read_value(), x)) + v.read_value()

    return outer(v.read_value())


def in_branch(tf, v, w):
    @tf.function
    def f(x):
        if tf.reduce_sum(v.read_value()) > 10:
            v.assign(v.read_value() - x)
        else:
            v.assign(tf.linalg.matvec(w.read_value(), v.read_value()) + x)
        return v.read_value()

    return f(tf.constant(2, v.dtype))


def in_loop(tf, v, w):
    @tf.function
    def f(x):
        i = tf.constant(0)
        while i < 3:
            v.assign(tf.linalg.matvec(w.read_value(), v.read_value()) - x)
            i += 1
        return v.read_value() + x

    return f(tf.constant(1, v.dtype))


def of_rows(tf, v, w):
    @tf.function
    def f(x):
        w.scatter_add(tf.IndexedSlices(tf.stack([x, x]), tf.constant([2, 0])))
        return tf.gather(w, tf.constant([0, 2, 1]))

    return f(v.read_value())


for build in [in_call, in_calls_in_calls, in_branch, in_loop, of_rows]:
    for dtype in ["float32", "int32", "float64"]:
        def graph(tf, v1, build=build, dtype=dtype):
            v, w, init = variables(tf, v1, tf.as_dtype(dtype))
            y = build(tf, v, w)
            return [step([], targets=[init]), step(y), step(y), step(v.read_value())]

        case(f"captured/{build.__name__}/{dtype}", graph)


def pinned(tf, v1):
    with tf.device("/device:CPU:0"):
        v, w, init = variables(tf, v1, tf.float32)
    y = in_call(tf, v, w)
    return [step([], targets=[init]), step(y), step(v.read_value())]


case("captured/of_a_pinned_variable", pinned)
write(__file__)
