"""Sessions on two CPU devices: where functions run, and state, loops and branches across devices.

`DevicePlacementOp`, which says where it runs, is one of TensorFlow's test ops."""

from record import case, fed, step, write
from tensorflow.python.framework import test_ops

CONFIG = {"deviceCount": {"CPU": 2}}
SOFT = {**CONFIG, "allowSoftPlacement": True}
PLACES = ["", "/cpu:0", "/cpu:1"]


def case_of(name, config=CONFIG, **options):
    return lambda build: case(f"devices/{name}", build, config=config, **options)


def where():
    return test_ops.device_placement_op()


def function(tf, f, *types):
    concrete = tf.function(f).get_concrete_function(*[tf.TensorSpec([], t) for t in types])
    concrete.add_to_graph()
    return concrete


def places(tf):
    """Functions that report where their nodes run: one without a device request, one for each device."""
    def f():
        with tf.device("/cpu:1"):
            second = where()
        with tf.device("/cpu:0"):
            first = where()
        with tf.device("/job:localhost"):
            local = where()
        with tf.device("/device:CPU:*"):
            cpu = where()
        return where(), first, second, local, cpu
    return function(tf, f)


OUT = 5


@case_of("nodes")
def _(tf, v1):
    out = [where()]
    for device in ["/cpu:1", "/device:CPU:0", "/job:localhost/replica:0/task:0/cpu:1", "/cpu:*", "/task:0/device:CPU:1"]:
        with tf.device(device):
            out.append(where())
    return out


for op in ["PartitionedCall", "StatefulPartitionedCall"]:
    @case_of(op)
    def _(tf, v1):
        f, out = places(tf), []
        for device in PLACES:
            with tf.device(device):
                out += getattr(tf.raw_ops, op)(args=[], Tout=[tf.string] * OUT, f=f)
        return out

    @case_of(f"{op}/nested")
    def _(tf, v1):
        inner, out = places(tf), []

        def f():
            here = getattr(tf.raw_ops, op)(args=[], Tout=[tf.string] * OUT, f=inner)
            with tf.device("/cpu:1"):
                return *here, *getattr(tf.raw_ops, op)(args=[], Tout=[tf.string] * OUT, f=inner)
        outer = function(tf, f)
        for device in PLACES:
            with tf.device(device):
                out += getattr(tf.raw_ops, op)(args=[], Tout=[tf.string] * 2 * OUT, f=outer)
        return out


def lowered(tf, outputs, yes):
    if yes:
        outputs[0].op._set_attr("_lower_using_switch_merge", tf.compat.v1.AttrValue(b=True))
    return outputs


for yes in [False, True]:
    suffix = "/lowered" if yes else ""
    for op in ["If", "StatelessIf"]:
        @case_of(op + suffix)
        def _(tf, v1):
            f, out = places(tf), []
            for device in PLACES:
                with tf.device(device):
                    cond = fed(True)
                    outputs = getattr(tf.raw_ops, op)(cond=cond, input=[], Tout=[tf.string] * OUT, then_branch=f, else_branch=f)
                out += lowered(tf, outputs, yes)
            return out

    @case_of("Case" + suffix)
    def _(tf, v1):
        f, out = places(tf), []
        for device in PLACES:
            with tf.device(device):
                outputs = tf.raw_ops.Case(branch_index=fed(0), input=[], Tout=[tf.string] * OUT, branches=[f, f])
            out += lowered(tf, outputs, yes)
        return out

    @case_of("While" + suffix)
    def _(tf, v1):
        def body(i, here, there, first):
            with tf.device("/cpu:1"):
                there = where()
            with tf.device("/cpu:0"):
                first = where()
            return i + 1, where(), there, first
        types = [tf.int32, tf.string, tf.string, tf.string]
        body = function(tf, body, *types)
        cond = function(tf, lambda i, *_: i < 2, *types)
        out = []
        for device in PLACES:
            with tf.device(device):
                out += lowered(tf, tf.raw_ops.While(input=[0, "", "", ""], cond=cond, body=body), yes)
        return out

    @case_of("If/a_call_inside" + suffix)
    def _(tf, v1):
        inner, out = places(tf), []
        branch = function(tf, lambda: tf.raw_ops.StatefulPartitionedCall(args=[], Tout=[tf.string] * OUT, f=inner))
        for device in PLACES:
            with tf.device(device):
                outputs = tf.raw_ops.If(cond=fed(True), input=[], Tout=[tf.string] * OUT, then_branch=branch, else_branch=branch)
            out += lowered(tf, outputs, yes)
        return out

    @case_of("If/unknown_device_inside" + suffix, error="INVALID_ARGUMENT" if yes else None)
    def _(tf, v1):
        def f():
            with tf.device("/cpu:7"):
                return where()
        f = function(tf, f)
        outputs = tf.raw_ops.If(cond=fed(True), input=[], Tout=[tf.string], then_branch=f, else_branch=f)
        return lowered(tf, outputs, yes)


def remote(tf, target):
    def f(x):
        with tf.device("/cpu:0"):
            return x + 1.0, where()
    return tf.raw_ops.RemoteCall(target=target, args=[1.0], Tout=[tf.float32, tf.string], f=function(tf, f, tf.float32))


@case_of("RemoteCall")
def _(tf, v1):
    targets = ["/job:localhost/replica:0/task:0/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:1",
               "/job:localhost/replica:0/task:0/cpu:1", "/cpu:1", "/device:CPU:1"]
    return [out for target in targets for out in remote(tf, fed(target, "string"))]


case_of("RemoteCall/unknown", error="INTERNAL")(lambda tf, v1: remote(tf, "/cpu:5"))
case_of("RemoteCall/no_name", error="INVALID_ARGUMENT")(lambda tf, v1: remote(tf, "foo"))

for kind, device in [("number", "/cpu:7"), ("type", "/gpu:0"), ("job", "/job:worker"), ("task", "/task:1/cpu:0")]:
    for config, soft in [(CONFIG, ""), (SOFT, "/soft")]:
        error = None if soft and kind in ("number", "type") else "INVALID_ARGUMENT"

        @case_of(f"unknown_{kind}{soft}", config=config, error=error)
        def _(tf, v1):
            with tf.device(device):
                return where()

        @case_of(f"unknown_{kind}/in_a_function{soft}", config=config, error=error)
        def _(tf, v1):
            def f():
                with tf.device(device):
                    return where()
            return tf.raw_ops.StatefulPartitionedCall(args=[], Tout=[tf.string], f=function(tf, f))


@case_of("an_unknown_device_that_is_not_asked_for", error="INVALID_ARGUMENT")
def _(tf, v1):
    with tf.device("/cpu:9"):
        tf.constant(1.0)
    return tf.constant(2.0)


@case_of("variable")
def _(tf, v1):
    out = []
    for resource in [False, True]:
        with tf.device("/cpu:1"):
            v = v1.Variable([1.0, 2.0], use_resource=resource, name=f"v{resource}")
        with tf.device("/cpu:0"):
            x = tf.identity(fed([3.0, 4.0]))
        add = v1.assign_add(v, x)
        with tf.device("/cpu:0"):
            y = v1.identity(v) * 2.0
        out += [step([], targets=[v.initializer]), step([], targets=[add.op]), step(y), step([], targets=[add.op]), step([y, v.value()])]
    return out


@case_of("variable/in_functions")
def _(tf, v1):
    with tf.device("/cpu:1"):
        v = v1.Variable(1.0, use_resource=True, name="v")

    @tf.function
    def f(x):
        with tf.device("/cpu:1"):
            y = x * 2.0
        v.assign_add(y)
        return v.read_value(), where()
    with tf.device("/cpu:0"):
        y, place = f(fed(3.0))
    return [step([], targets=[v.initializer]), step([y, place]), step(y), step(v.value())]


@case_of("variable/on_one_device_used_on_the_other")
def _(tf, v1):
    with tf.device("/cpu:1"):
        handle = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
    assign = tf.raw_ops.AssignVariableOp(resource=handle, value=fed(5.0))
    with tf.device("/cpu:0"):
        read = tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
        twice = read * 2.0
    return [step(twice, error="FAILED_PRECONDITION"), step([], targets=[assign]), step([twice, read])]


@case_of("variable/handles_of_two_devices_to_one_node", error="INVALID_ARGUMENT")
def _(tf, v1):
    handles = []
    for i in range(2):
        with tf.device(f"/cpu:{i}"):
            handles.append(tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name=f"r{i}"))
    return tf.raw_ops.Identity(input=tf.raw_ops.VarIsInitializedOp(resource=tf.raw_ops.Merge(inputs=handles)[0]))


@case_of("queue")
def _(tf, v1):
    with tf.device("/cpu:1"):
        q = v1.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[], [2]], name="q")
    with tf.device("/cpu:0"):
        put = q.enqueue([fed(1.5), fed([1, 2])])
        x, y = q.dequeue()
    with tf.device("/cpu:0"):
        z, w = x + 1.0, y * 2
    size = q.size()
    return [step([], targets=[put]), step([], targets=[put]), step(size), step([z, w]), step([x, y, z, w]), step(size),
            step([], targets=[q.close()]), step(z, error="OUT_OF_RANGE"), step([], targets=[put], error="CANCELLED")]


@case_of("queue/producer_and_consumer_in_one_step")
def _(tf, v1):
    with tf.device("/cpu:1"):
        q = v1.FIFOQueue(1, [tf.float32], shapes=[[]], name="q")
        put = q.enqueue([tf.identity(fed(4.0)) + 1.0])
    with tf.device("/cpu:0"):
        x = q.dequeue()
        y = tf.negative(x)
    return [step([y, put]), step([y, put])]


@case_of("diamond")
def _(tf, v1):
    with tf.device("/cpu:0"):
        top = tf.identity(fed([1.0, 2.0]), name="top")
        left = tf.exp(top)
    with tf.device("/cpu:1"):
        with tf.control_dependencies([left]):
            right = tf.negative(top)
            again = tf.square(top)
        done = tf.group(right, again)
    with tf.device("/cpu:0"), tf.control_dependencies([done]):
        bottom = tf.add_n([left, right, again])
    return [step(bottom), step([bottom, right], targets=[done])]


def loop(tf, v1, swap):
    v1.disable_control_flow_v2()
    with tf.device("/cpu:1"):
        n = tf.identity(fed(5, shape=[]))
        k = tf.identity(fed(3.0, shape=[]))

    def body(i, x, total):
        with tf.device("/cpu:0" if swap else "/cpu:1"):
            y = x * 2.0 + k
        with tf.device("/cpu:1" if swap else "/cpu:0"):
            z = y - 1.0
            with tf.control_dependencies([y]):
                total = total + z
        return i + 1, z, total
    with tf.device("/cpu:0"):
        out = v1.while_loop(lambda i, *_: i < n, body, [tf.constant(0), fed(1.0, shape=[]), tf.constant(0.0)])
    v1.enable_control_flow_v2()
    return list(out)


case_of("loop")(lambda tf, v1: [step(loop(tf, v1, False))] * 2)
case_of("loop/swapped")(lambda tf, v1: loop(tf, v1, True))


@case_of("loop/nested")
def _(tf, v1):
    v1.disable_control_flow_v2()

    def inner(j, x):
        with tf.device("/cpu:1"):
            return j + 1, x * 1.5

    def outer(i, x):
        with tf.device("/cpu:0"):
            x = x + 1.0
        _, x = v1.while_loop(lambda j, x: j < i, inner, [tf.constant(0), x])
        return i + 1, x
    out = v1.while_loop(lambda i, x: i < 4, outer, [tf.constant(0), fed(1.0, shape=[])])
    v1.enable_control_flow_v2()
    return list(out)


@case_of("loop/gradient")
def _(tf, v1):
    v1.disable_control_flow_v2()
    x = fed(1.5, shape=[])

    def body(i, y):
        with tf.device("/cpu:1"):
            z = y * x
        with tf.device("/cpu:0"):
            return i + 1, tf.sin(z)
    _, y = v1.while_loop(lambda i, y: i < 3, body, [tf.constant(0), x])
    grad = v1.gradients(y, x)[0]
    v1.enable_control_flow_v2()
    return [y, grad]


@case_of("conditional")
def _(tf, v1):
    v1.disable_control_flow_v2()
    p = v1.placeholder(tf.bool, [])
    with tf.device("/cpu:1"):
        x = tf.identity(fed(3.0))

    def yes():
        with tf.device("/cpu:1"):
            return tf.negative(x), where()

    def no():
        with tf.device("/cpu:0"):
            return tf.exp(x), where()
    out = list(v1.cond(p, yes, no))
    v1.enable_control_flow_v2()
    return [step(out, {p: True}), step(out, {p: False})]


@case_of("conditional/a_dead_value_over_the_border", error="INVALID_ARGUMENT")
def _(tf, v1):
    with tf.device("/cpu:0"):
        no, yes = tf.raw_ops.Switch(data=fed(1.0), pred=fed(True))
    with tf.device("/cpu:1"):
        return tf.negative(no)


@case_of("tensor_array")
def _(tf, v1):
    v1.disable_control_flow_v2()
    with tf.device("/cpu:1"):
        ta = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    with tf.device("/cpu:0"):
        ta = ta.write(0, fed(1.0)).write(2, fed(3.0)).write(1, 2.0)
        out = ta.read(1) + 1.0
    with tf.device("/cpu:1"):
        all = ta.stack()
    v1.enable_control_flow_v2()
    return [out, all]


@case_of("an_error_on_the_other_device", error="INVALID_ARGUMENT")
def _(tf, v1):
    with tf.device("/cpu:1"):
        bad = tf.raw_ops.FloorDiv(x=fed(1), y=fed(0))
    with tf.device("/cpu:0"):
        return tf.negative(bad)


@case_of("strings_and_bools_cross")
def _(tf, v1):
    with tf.device("/cpu:1"):
        s, b = tf.identity(fed(["a", "bc"], "string")), tf.logical_not(fed([True, False]))
    with tf.device("/cpu:0"):
        return [tf.strings.length(s), tf.logical_not(b), tf.strings.join([s, s])]


@case_of("gradient_across_devices")
def _(tf, v1):
    with tf.device("/cpu:0"):
        x = tf.identity(fed([[1.0, 2.0]]))
    with tf.device("/cpu:1"):
        y = tf.matmul(x, x, transpose_b=True)
    with tf.device("/cpu:0"):
        z = tf.square(y)
    return [z, *v1.gradients(z, [x, y], colocate_gradients_with_ops=True)]


@case_of("random_numbers_do_not_depend_on_the_device")
def _(tf, v1):
    out = []
    for device in PLACES:
        with tf.device(device):
            out += [tf.random.uniform([3], seed=7), tf.random.normal([2], seed=3)]
    return out


@case_of("partial_run_of_a_group")
def _(tf, v1):
    with tf.device("/cpu:1"):
        a = tf.identity(fed(1.0), name="a")
    with v1.colocate_with(a):
        b = where()
    with v1.colocate_with(b.op):
        c = where()
    return [step(b), step([c, b]), step(a)]


def handles(tf, make):
    out = []
    for device in PLACES[1:]:
        with tf.device(device):
            out.append(make())
    return out


@case_of("names_belong_to_devices/resources")
def _(tf, v1):
    h = handles(tf, lambda: tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r"))
    set0, set1 = [tf.raw_ops.AssignVariableOp(resource=h[i], value=float(i)) for i in range(2)]
    reads = [tf.raw_ops.ReadVariableOp(resource=x, dtype=tf.float32) for x in h]
    return [step([], targets=[set0]), step(reads[1], error="FAILED_PRECONDITION"), step([], targets=[set1]), step(reads)]


@case_of("names_belong_to_devices/references")
def _(tf, v1):
    h = handles(tf, lambda: tf.raw_ops.VariableV2(dtype=tf.float32, shape=[], shared_name="r"))
    set0, set1 = [tf.raw_ops.Assign(ref=h[i], value=float(i)) for i in range(2)]
    return [step([], targets=[set0.op]), step(h[1], error="FAILED_PRECONDITION"), step([], targets=[set1.op]), step(h)]


@case_of("names_belong_to_devices/queues")
def _(tf, v1):
    q = handles(tf, lambda: v1.FIFOQueue(3, [tf.float32], shapes=[[]], shared_name="q"))
    r = handles(tf, lambda: tf.raw_ops.FIFOQueue(component_types=[tf.float32], shared_name="p"))
    put = tf.raw_ops.QueueEnqueue(handle=r[1], components=[1.0])
    sizes = [x.size() for x in q] + [tf.raw_ops.QueueSize(handle=x) for x in r]
    return [step([], targets=[q[0].enqueue(1.0)]), step(sizes), step([], targets=[put]), step(sizes)]


@case_of("names_belong_to_devices/stages")
def _(tf, v1):
    with tf.device("/cpu:0"):
        put = tf.raw_ops.Stage(values=[1.0], shared_name="s")
    sizes = handles(tf, lambda: tf.raw_ops.StageSize(dtypes=[tf.float32], shared_name="s"))
    return [step([], targets=[put]), step(sizes)]


@case_of("names_belong_to_devices/in_functions")
def _(tf, v1):
    with tf.device("/cpu:1"):
        h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
    assign = tf.raw_ops.AssignVariableOp(resource=h, value=1.0)

    def named():
        with tf.device("/cpu:1"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        return tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32)
    named = function(tf, named)
    passed = function(tf, lambda h: tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32), tf.resource)
    with tf.device("/cpu:0"):
        out = tf.raw_ops.PartitionedCall(args=[h], Tout=[tf.float32], f=passed)
        out += tf.raw_ops.StatelessIf(cond=fed(True), input=[h], Tout=[tf.float32], then_branch=passed, else_branch=passed)
    out += tf.raw_ops.PartitionedCall(args=[], Tout=[tf.float32], f=named)
    return [step([], targets=[assign]), step(out)]


write(__file__)
