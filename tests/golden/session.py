"""The semantics of feeds, fetches and targets of a session, independent of ops."""

from record import case, fed, step, write


def case_of(name, **options):
    return lambda build: case(f"session/{name}", build, **options)


@case_of("several_steps")
def _(tf, v1):
    x = v1.placeholder(tf.float32, [None], name="x")
    y = tf.raw_ops.AddV2(x=x, y=1.0, name="y")
    z = tf.raw_ops.Mul(x=y, y=y, name="z")
    return [step([y, z], {x: [1, 2]}), step(z, {x: []}), step([], {x: [1]}, targets=[z.op])]


@case_of("feed_replaces_any_endpoint")
def _(tf, v1):
    x = v1.placeholder(tf.float32, [], name="never_fed")
    y = tf.raw_ops.AddV2(x=x, y=1.0, name="y")
    z = tf.raw_ops.Mul(x=y, y=y, name="z")
    return [step(z, {y: 5.0}), step([z, y], {z: 7.0, y: 3.0})]


@case_of("feed_one_of_two_outputs")
def _(tf, v1):
    a, b = tf.raw_ops.Split(axis=0, value=fed([1.0, 2.0], "float32"), num_split=2)
    total = tf.raw_ops.AddV2(x=a, y=b)
    return [step([total, a, b]), step([total, a, b], {b: [10.0]})]


@case_of("feed_and_fetch_the_same")
def _(tf, v1):
    x = v1.placeholder(tf.int32, None, name="x")
    return [step([x, x, x], {x: [[1], [2]]}), step([x], {x: 3})]


@case_of("fetch_twice_and_a_constant")
def _(tf, v1):
    c = tf.constant([1, 2, 3])
    d = tf.raw_ops.Neg(x=c)
    return [step([d, c, d, d])]


@case_of("targets_only")
def _(tf, v1):
    a = tf.raw_ops.NoOp(name="a")
    with tf.control_dependencies([a]):
        b = tf.raw_ops.NoOp(name="b")
    return [step([], targets=[b, a, b])]


@case_of("only_what_is_needed_runs")
def _(tf, v1):
    x = v1.placeholder(tf.int32, [], name="x")
    bad = tf.raw_ops.FloorDiv(x=x, y=tf.raw_ops.Sub(x=x, y=x), name="bad")
    good = tf.raw_ops.AddV2(x=x, y=1, name="good")
    return [step(good, {x: 1}), step(bad, {x: 1}, error="INVALID_ARGUMENT"), step(good, {x: 2})]


@case_of("control_dependency_that_fails", error="INVALID_ARGUMENT")
def _(tf, v1):
    x = v1.placeholder(tf.int32, [], name="x")
    bad = tf.raw_ops.FloorMod(x=x, y=tf.raw_ops.Sub(x=x, y=x))
    with tf.control_dependencies([bad]):
        good = tf.raw_ops.Identity(input=x)
    return [step(good, {x: 1})]


@case_of("placeholder_not_fed", error="INVALID_ARGUMENT")
def _(tf, v1):
    x = v1.placeholder(tf.float32, [2], name="x")
    return tf.raw_ops.Neg(x=x)


@case_of("placeholder_fed_the_wrong_shape", error="INVALID_ARGUMENT")
def _(tf, v1):
    x = v1.placeholder(tf.float32, None)
    y = tf.raw_ops.MatMul(a=x, b=[[1.0], [2.0]])
    return [step(y, {x: [[1.0, 2.0]]}), step(y, {x: [[1.0, 2.0, 3.0]]})]


@case_of("placeholder_with_default")
def _(tf, v1):
    x = tf.raw_ops.PlaceholderWithDefault(input=[1, 2], shape=[None])
    y = tf.raw_ops.Neg(x=x)
    return [step(y), step(y, {x: [5]})]


@case_of("constants_next_to_feeds")
def _(tf, v1):
    a = tf.raw_ops.AddV2(x=tf.constant([1.0, 2.0]), y=tf.constant([10.0, 20.0]), name="a")
    b = tf.raw_ops.AddV2(x=tf.constant([1.0, 2.0]), y=tf.constant([10.0, 20.0]), name="b")
    c = tf.raw_ops.Mul(x=a, y=b, name="c")
    return [step([a, b, c]), step(c, {b: [2.0, 2.0]}), step([c, a], {a: [0.0, 1.0]})]


@case_of("control_dependency_on_what_is_fed")
def _(tf, v1):
    x = v1.placeholder(tf.int32, [], name="x")
    y = tf.raw_ops.AddV2(x=x, y=1, name="y")
    bad = tf.raw_ops.FloorDiv(x=x, y=tf.raw_ops.Sub(x=x, y=x), name="bad")
    with tf.control_dependencies([x]):
        after_x = tf.raw_ops.Identity(input=2, name="after_x")
    with tf.control_dependencies([y]):
        after_y = tf.raw_ops.Identity(input=3, name="after_y")
    with tf.control_dependencies([bad]):
        after_bad = tf.raw_ops.Identity(input=4, name="after_bad")
    # The feed replaces a placeholder also as a control dependency; any other node runs although it is fed.
    return [
        step(after_x, {x: 7}),
        step([after_y, y], {x: 7, y: 5}),
        step(after_bad, {x: 7, bad: 5}, error="INVALID_ARGUMENT"),
        step(after_x, {}, error="INVALID_ARGUMENT"),
    ]


@case_of("control_dependency_on_a_default_that_is_fed")
def _(tf, v1):
    bad = tf.raw_ops.FloorDiv(x=1, y=fed(0))
    x = tf.raw_ops.PlaceholderWithDefault(input=bad, shape=[], name="x")
    with tf.control_dependencies([x]):
        after = tf.raw_ops.Identity(input=2, name="after")
    return [step([x, x], {x: 7}), step(after, {x: 7}, error="INVALID_ARGUMENT")]


@case_of("strings")
def _(tf, v1):
    x = v1.placeholder(tf.string, None, name="x")
    y = tf.raw_ops.Identity(input=x)
    return [step(y, {x: [b"", b"\x00\xff", "ü".encode()]}), step(y, {x: b"one"})]


write(__file__)
