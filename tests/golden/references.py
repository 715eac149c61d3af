"""Values that share the memory of reference variables: late readers see what was written in between."""

from record import case, fed, step, write


def variable(tf, initial=(5.0, 5.0, 5.0)):
    v = tf.raw_ops.VariableV2(shape=[len(initial)], dtype=tf.float32, name="v")
    return v, tf.raw_ops.Assign(ref=v, value=tf.constant(initial, tf.float32), name="init")


def shared(name, carry, change, late=lambda tf, x: tf.raw_ops.AddV2(x=x, y=0.0), **options):
    """Passes on the variable's value, then changes the variable, then reads the value."""

    def build(tf, v1):
        v, init = variable(tf)
        x = carry(tf, v)
        with tf.control_dependencies([x]):
            changed = change(tf, v)
        with tf.control_dependencies([changed]):
            y = late(tf, x)
        return [step([], targets=[init.op]), step([x, y]), step(y)]

    case(f"shared/{name}", build, **options)


def identity(tf, x):
    return tf.raw_ops.Identity(input=x)


def add_one(tf, v):
    return tf.raw_ops.AssignAdd(ref=v, value=[1.0, 1.0, 1.0])


def around_a_loop(tf, v):
    r = tf.raw_ops
    enter = lambda x, constant=False: r.Enter(data=x, frame_name="loop", is_constant=constant)
    x, count = enter(v), enter(tf.constant(0))
    merged = r.Merge(inputs=[x, x])
    counted = r.Merge(inputs=[count, count])
    goes_on = r.LoopCond(input=r.Less(x=counted.output, y=enter(tf.constant(2), True)))
    leaves, stays = r.Switch(data=merged.output, pred=goes_on)
    _, counts = r.Switch(data=counted.output, pred=goes_on)
    again = r.NextIteration(data=identity(tf, stays))
    more = r.NextIteration(data=r.AddV2(x=counts, y=r.OnesLike(x=counts)))
    merged.output.op._update_input(1, again)
    counted.output.op._update_input(1, more)
    return r.Exit(data=leaves)


CARRIERS = {
    "Identity": identity,
    "Identity_twice": lambda tf, v: identity(tf, identity(tf, v)),
    "StopGradient": lambda tf, v: tf.raw_ops.StopGradient(input=v),
    "PreventGradient": lambda tf, v: tf.raw_ops.PreventGradient(input=v),
    "Switch": lambda tf, v: tf.raw_ops.Switch(data=identity(tf, v), pred=fed(True))[1],
    "Switch_of_the_variable": lambda tf, v: tf.raw_ops.Switch(data=tf.raw_ops.StopGradient(input=v), pred=fed(False))[0],
    "Merge": lambda tf, v: tf.raw_ops.Merge(inputs=[
        identity(tf, tf.raw_ops.Switch(data=identity(tf, v), pred=fed(False))[1]), identity(tf, v)])[0],
    "Snapshot_copies": lambda tf, v: tf.raw_ops.Snapshot(input=v),
    "Snapshot_copies_what_is_shared": lambda tf, v: tf.raw_ops.Snapshot(input=identity(tf, v)),
    "AddV2_computes": lambda tf, v: tf.raw_ops.AddV2(x=v, y=0.0),
    "loop": around_a_loop,
}
for name, carry in CARRIERS.items():
    shared(f"through/{name}", carry, add_one)


CHANGES = {
    "Assign": lambda tf, v: tf.raw_ops.Assign(ref=v, value=fed([9.0, 8.0, 7.0])),
    "AssignSub": lambda tf, v: tf.raw_ops.AssignSub(ref=v, value=[1.0, 2.0, 3.0]),
    "ScatterUpdate": lambda tf, v: tf.raw_ops.ScatterUpdate(ref=v, indices=[1], updates=[7.0]),
    "ScatterMul": lambda tf, v: tf.raw_ops.ScatterMul(ref=v, indices=[1, 1], updates=[7.0, 2.0]),
    "ScatterNdAdd": lambda tf, v: tf.raw_ops.ScatterNdAdd(ref=v, indices=[[1]], updates=[7.0]),
    "StridedSliceAssign": lambda tf, v: tf.raw_ops.StridedSliceAssign(
        ref=v, begin=[0], end=[1], strides=[1], value=[4.0]),
    "ApplyGradientDescent": lambda tf, v: tf.raw_ops.ApplyGradientDescent(var=v, alpha=1.0, delta=[1.0, 1.0, 1.0]),
}
for name, change in CHANGES.items():
    shared(f"changed_by/{name}", identity, change)


shared("read_by/Sum", identity, add_one, lambda tf, x: tf.raw_ops.Sum(input=x, axis=[0]))
shared("read_by/Identity", identity, add_one, identity)
shared("read_by/AddN", identity, add_one, lambda tf, x: tf.raw_ops.AddN(inputs=[x, x]))
shared("read_by/Merge_number", identity, add_one, lambda tf, x: tf.raw_ops.Merge(inputs=[x])[1])
shared("changed_by_itself", identity, lambda tf, v: tf.raw_ops.AssignAdd(ref=v, value=identity(tf, v)))


def a_cached_read(tf, v1):
    """The graph that `v + 1.0` builds in scripts: the read does not wait for the assignment, the addition does."""
    v = v1.get_variable("v", [2], tf.float32, v1.zeros_initializer(), use_resource=False)
    with tf.control_dependencies([v1.assign_add(v, [1.0, 2.0])]):
        y = v + 1.0
    return [step([], targets=[v.initializer]), step(y), step(y), step([v, v.value()])]


case("shared/cached_read", a_cached_read)

for name, use in {
    "Identity": lambda tf, v: identity(tf, v),
    "Switch": lambda tf, v: tf.raw_ops.Switch(data=tf.raw_ops.StopGradient(input=v), pred=True)[1],
    "Merge": lambda tf, v: tf.raw_ops.Merge(inputs=[identity(tf, v)])[0],
    "loop": around_a_loop,
}.items():
    case(f"uninitialized/{name}", lambda tf, v1, use=use: use(tf, variable(tf)[0]), error="FAILED_PRECONDITION")

write(__file__)
