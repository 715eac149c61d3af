"""Branches, loops and calls: what they check at run time."""

from record import case, fed, step, write


def function(tf, body, *types):
    return tf.function(body, input_signature=[tf.TensorSpec(None, t) for t in types]).get_concrete_function()


def waits_for_a_parameter(tf):
    def body(x, y):
        with tf.control_dependencies([y]):
            return x + 1.0

    return body


def branches(tf):
    return [function(tf, lambda x, k=k: x * k, tf.float32) for k in (2.0, 3.0)]


for name, index in {"scalar": 1, "vector": [1], "empty": []}.items():
    case(f"Case/index/{name}", lambda tf, v1, index=index: tf.raw_ops.Case(
        branch_index=fed(index, "int32"), input=[tf.constant(1.0)], Tout=[tf.float32], branches=branches(tf),
        output_shapes=[[]]), error=None if name == "scalar" else "INVALID_ARGUMENT")

for at, name in enumerate(["start", "limit", "delta"]):
    case(f"For/{name}_not_scalar", lambda tf, v1, at=at: tf.raw_ops.For(
        **{n: fed([v] if at == i else v, "int32") for i, (n, v) in
           enumerate([("start", 0), ("limit", 2), ("delta", 1)])},
        input=[tf.constant(1.0)], body=function(tf, lambda i, x: x * 2.0, tf.int32, tf.float32)), error="INVALID_ARGUMENT")

case("For/scalars", lambda tf, v1: tf.raw_ops.For(
    start=fed(0), limit=fed(3), delta=fed(1), input=[tf.constant(1.0)],
    body=function(tf, lambda i, x: x * 2.0, tf.int32, tf.float32)))

# A parameter is available before anything runs, so nothing waits for it.
case("PartitionedCall/waits_for_a_parameter", lambda tf, v1: tf.raw_ops.StatefulPartitionedCall(
    args=[fed(1.0), fed(2.0)], Tout=[tf.float32], f=function(tf, waits_for_a_parameter(tf), tf.float32, tf.float32)))


def loop(tf, goes_on):
    return tf.raw_ops.While(
        input=[fed(0), fed(1.0)], cond=function(tf, goes_on, tf.int32, tf.float32),
        body=function(tf, lambda i, x: (i + 1, x * 2.0), tf.int32, tf.float32), output_shapes=[], parallel_iterations=10)


for name in ["float64", "int32", "int64", "uint8", "int8", "int16", "bool"]:
    case(f"While/condition/{name}", lambda tf, v1, name=name: loop(tf, lambda i, x: tf.cast(3 - i, name)))
for name in ["float16", "bfloat16", "uint32", "complex64"]:
    case(f"While/condition/{name}", lambda tf, v1, name=name: loop(tf, lambda i, x: tf.cast(3 - i, name)),
         error="INVALID_ARGUMENT")
# A vector is true if it has elements, so this loop is endless.
case("While/condition/vector", lambda tf, v1: [step(
    loop(tf, lambda i, x: tf.reshape(i < 3, [1])), timeout_ms=100)],
     error="DEADLINE_EXCEEDED", deterministic=False)
case("While/condition/empty", lambda tf, v1: loop(tf, lambda i, x: tf.zeros([0], tf.bool)))

for name, kinds in {"first": ["CPU", "GPU"], "last": ["GPU", "CPU"], "missing": ["GPU", "TPU"], "none": []}.items():
    case(f"DeviceIndex/{name}", lambda tf, v1, kinds=kinds: tf.raw_ops.DeviceIndex(device_names=kinds))



def sets_variables(tf, v1, handles, number):
    """A branch whose outputs 0 and 1 wait for one assignment each, whose output 2 waits for two, and one output that is
    not needed."""
    def body():
        done = [tf.raw_ops.AssignVariableOp(resource=handle, value=number) for handle in handles]
        outputs = []
        for waits in [done[:1], done[1:2], done[:2]]:
            with tf.control_dependencies(waits):
                outputs.append(tf.constant(number))
        return [tf.identity(output) for output in outputs]
    return body


def pruned_branches(tf, v1, kind):
    handles = [tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[], shared_name=f"v{i}") for i in range(3)]
    condition = v1.placeholder_with_default(True, [])
    taken, other = (sets_variables(tf, v1, handles, number) for number in (1, 2))
    if kind == "If":
        tf.cond(condition, taken, other)
    elif kind == "Case":
        tf.switch_case(tf.cast(condition, tf.int32), [other, taken])
    else:
        tf.cond(condition, lambda: tf.cond(tf.identity(condition), taken, other), other)
    graph = v1.get_default_graph()
    node = [op for op in graph.get_operations() if op.type in ("If", "Case")][-1]
    # Python would not fetch it: fetched by name, everything in it runs.
    graph._unfetchable_ops.clear()
    consumers = [tf.identity(output) for output in node.outputs]
    with tf.control_dependencies([node]):
        after = tf.no_op()
    reset = tf.group(*[tf.raw_ops.AssignVariableOp(resource=handle, value=7) for handle in handles])
    values = [tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32) for handle in handles]
    steps = []
    for fetches in [consumers[0], consumers[1], consumers[2], consumers[:2], after, [consumers[1], after], node,
                    node.outputs[1], [node, consumers[0]]]:
        steps += [step(reset), step(fetches), step(values)]
    return steps


# A lowered op runs like the rest of the graph: only what a fetch needs.
for kind in ["If", "Case", "nested"]:
    case(f"{kind}/pruned_by_output", lambda tf, v1, kind=kind: pruned_branches(tf, v1, kind))


def pruned_loop(tf, v1):
    """Loop variables that count the iterations, and set a variable of the session in each; the third one is added to
    the second, which the first does not need."""
    handles = [tf.raw_ops.VarHandleOp(dtype=tf.int32, shape=[], shared_name=f"v{i}") for i in range(4)]

    def more(handle, number):
        with tf.control_dependencies([tf.raw_ops.AssignAddVariableOp(resource=handle, value=1)]):
            return tf.identity(number)

    def body(i, a, b, c):
        tf.raw_ops.AssignAddVariableOp(resource=handles[3], value=1)
        return i + 1, more(handles[0], a + 1), more(handles[1], b + c), more(handles[2], c + 1)

    start = [v1.placeholder_with_default(k, []) for k in range(4)]
    tf.while_loop(lambda i, *_: i < 3, body, start)
    graph = v1.get_default_graph()
    node = [op for op in graph.get_operations() if op.type in ("While", "StatelessWhile")][-1]
    graph._unfetchable_ops.clear()
    consumers = [tf.identity(output) for output in node.outputs if output.dtype == tf.int32][-4:]
    with tf.control_dependencies([node]):
        after = tf.no_op()
    reset = tf.group(*[tf.raw_ops.AssignVariableOp(resource=handle, value=7) for handle in handles])
    values = [tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.int32) for handle in handles]
    steps = []
    for fetches in [*consumers, consumers[:2], consumers[1:3], after, [consumers[1], after], node, [node, consumers[3]]]:
        steps += [step(reset), step(fetches), step(values)]
    return steps


# Loop variables that nothing needs are not computed.
case("While/pruned_by_output", pruned_loop)


def folded_branch(tf, v1, is_true):
    """Constants of branches and loops from which more is computed; one of these computations fails, if its branch runs."""
    def fails():
        return x + tf.cast(tf.raw_ops.FloorMod(x=tf.constant(1), y=tf.constant(0)), tf.float32)

    def computes():
        return x * (tf.constant(3.0) * tf.constant(4.0) + tf.constant(1.0))

    def body(i, total):
        six = tf.constant(2.0) * tf.constant(3.0)
        of_even = lambda: total + six * tf.constant(2.0)
        of_odd = lambda: tf.constant(5.0) - tf.constant(1.0)
        return i + 1, v1.cond(tf.equal(i % 2, 0), of_even, of_odd) + tf.constant(1.0) * tf.constant(0.5)

    v1.disable_control_flow_v2()
    x = fed(2.0)
    branch = v1.cond(fed(is_true), fails, computes)
    total = v1.while_loop(lambda i, total: i < 7, body, [tf.constant(0), x])[1]
    v1.enable_control_flow_v2()
    return [branch, total]


case("Switch/folded_constants", lambda tf, v1: folded_branch(tf, v1, False))
case("Switch/folded_constants_that_fail", lambda tf, v1: folded_branch(tf, v1, True), error="INVALID_ARGUMENT")



def gradient_after_result(tf, v1, limit, carries):
    """The gradient of a loop, built under a control dependency on the loop's result: nodes that the gradient adds to the
    loop's body then wait for that result, which an Enter brings into the same loop."""
    v1.disable_control_flow_v2()
    x = fed([1.0, -2.0, 0.5], shape=[3])
    body = lambda i, y: (i + 1, tf.tanh(y) if carries else tf.zeros([3]) + tf.cast(i, tf.float32))
    y = v1.while_loop(lambda i, y: i < limit, body, [tf.constant(0), x * 2.0])[1]
    result = tf.square(y)
    with tf.control_dependencies([result]):
        gradient = tf.gradients(tf.reduce_sum(result), x)[0]
    v1.enable_control_flow_v2()
    return [step([result, gradient]), step(gradient), step(result)]


for limit in [0, 1, 3]:
    for carries in [False, True]:
        case(f"while/gradient_after_result/{limit}/{carries}",
             lambda tf, v1, limit=limit, carries=carries: gradient_after_result(tf, v1, limit, carries))



def enter_to_nowhere(tf, v1):
    v1.disable_control_flow_v2()
    y = v1.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [tf.constant(0), fed(1.5)], name="loop")[1]
    v1.enable_control_flow_v2()
    frame = next(n for n in v1.get_default_graph().get_operations() if n.type == "Enter").get_attr("frame_name")
    enter = tf.raw_ops.Enter(data=fed(1.0), frame_name=frame)
    return [step(y, targets=[enter.op])]


case("Enter/to_nowhere", enter_to_nowhere)


write(__file__)
