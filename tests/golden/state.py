"""Variables of both generations."""

import numpy as np
import tensorflow

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"
UNSET = "FAILED_PRECONDITION"
MISSING = "NOT_FOUND"
OVER = "OUT_OF_RANGE"
ANY = ["bool", "int8", "bfloat16", "float32", "int64", "complex128", "string"]
NUMBERS = ["uint8", "float16", "int32", "float32", "complex64"]
ORDERED = ["float16", "bfloat16", "int32", "float32", "float64"]


def some(dtype, *shape, start=1):
    """Distinct values of any dtype, as an array."""
    counted = np.arange(start, start + int(np.prod(shape))).reshape(shape)
    if dtype == "string":
        return np.vectorize(lambda i: b"s%d" % i, otypes=[object])(counted)
    if dtype == "bool":
        return counted % 3 == 1
    if dtype.startswith("complex"):
        return (counted - 2j * counted).astype(dtype)
    return (counted * 5 % 13 + 1).astype(tensorflow.as_dtype(dtype).as_numpy_dtype)


def case_of(name, **options):
    return lambda build: case(f"state/{name}", build, **options)


class Variable:
    """A variable of either generation, with a uniform interface."""

    def __init__(self, tf, resource, dtype, shape, name="v", shared=""):
        self.raw, self.resource, self.dtype = tf.raw_ops, resource, tf.as_dtype(dtype)
        make = self.raw.VarHandleOp if resource else self.raw.VariableV2
        self.v = make(dtype=self.dtype, shape=shape, shared_name=shared or name, container="", name=name)

    def op(self, name, ref_first=True, **args):
        """`name` or its resource form; returns its outputs, or the operation."""
        raw, resource = self.raw, self.resource
        if name in ("AssignAdd", "AssignSub", "Assign"):
            name, key = (name + "VariableOp", "resource") if resource else (name, "ref")
        elif name.startswith("ScatterNd") or name == "StridedSliceAssign":
            name, key = ("Resource" + name if resource else name), "ref"
        else:
            name, key = ("Resource" + name, "resource") if resource else (name, "ref")
        if name == "ResourceCountUpTo":
            args["T"] = self.dtype
        return getattr(raw, name)(**{key: self.v}, **args)

    def read(self):
        raw = self.raw
        return raw.ReadVariableOp(resource=self.v, dtype=self.dtype) if self.resource else raw.Identity(input=self.v)

    def is_set(self):
        raw = self.raw
        return raw.VarIsInitializedOp(resource=self.v) if self.resource else raw.IsVariableInitialized(ref=self.v)


def both(name, **options):
    """A case for each generation: `build(tf, v1, variable)`, where `variable(dtype, shape)` makes one."""

    def decorate(build):
        for kind, resource in (("ref", False), ("resource", True)):

            def made(tf, v1, resource=resource):
                return build(tf, v1, lambda dtype, shape, **kw: Variable(tf, resource, dtype, shape, **kw))

            case(f"state/{kind}/{name}", made, **options)

    return decorate


def done(op):
    """The operation, for a target."""
    return getattr(op, "op", op)


for dtype in ANY:

    @both(f"assign_and_read/{dtype}")
    def _(tf, v1, variable, dtype=dtype):
        v = variable(dtype, [2, 3])
        first = v.op("Assign", value=tf.constant(some(dtype, 2, 3), dtype))
        second = v.op("Assign", value=fed(some(dtype, 2, 3, start=9), dtype))
        return [
            step(v.is_set()),
            step(v.read(), error=UNSET),
            step([], targets=[done(first)]),
            step([v.read(), v.is_set()]),
            step([], targets=[done(second)]),
            step(v.read()),
        ]


for dtype in NUMBERS:

    @both(f"add_and_subtract/{dtype}")
    def _(tf, v1, variable, dtype=dtype):
        v = variable(dtype, [2, 2])
        init = v.op("Assign", value=tf.constant(some(dtype, 2, 2), dtype))
        add = v.op("AssignAdd", value=tf.constant(some(dtype, 2, 2, start=3), dtype))
        sub = v.op("AssignSub", value=tf.constant(some(dtype, 2, 2, start=20), dtype))
        runs = [init, add, sub, add]
        return [s for op in runs for s in (step([], targets=[done(op)]), step(v.read()))]

    for update in ["Add", "Sub", "Mul", "Div", "Update"] + (["Min", "Max"] if dtype in ORDERED else []):

        @both(f"scatter_{update.lower()}/{dtype}")
        def _(tf, v1, variable, dtype=dtype, update=update):
            v = variable(dtype, [4, 2])
            init = v.op("Assign", value=tf.constant(some(dtype, 4, 2, start=30), dtype))
            rows = v.op("Scatter" + update, indices=tf.constant([2, 0, 2]), updates=tf.constant(some(dtype, 3, 2, start=2), dtype))
            scalar = v.op("Scatter" + update, indices=tf.constant([[1], [3]], "int64"), updates=tf.constant(2, dtype))
            runs = [init, rows, scalar]
            return [s for op in runs for s in (step([], targets=[done(op)]), step(v.read()))]

    @lambda build: case(f"ResourceScatterDiv/zeros/{dtype}", build)
    def _(tf, v1, dtype=dtype):
        v = v1.get_variable("v", initializer=tf.constant(some(dtype, 2, 2, start=30), dtype), use_resource=True)
        x = v1.placeholder(dtype, None, "x")
        divide = tf.raw_ops.ResourceScatterDiv(resource=v.handle, indices=tf.constant([1, 0]), updates=x)
        values = [[1, 1], [1, 1]], [[1, 2], [0, 1]], 0
        steps = [step([], targets=[v.initializer])]
        for value, error in zip(values, [None, "INVALID_ARGUMENT", "INVALID_ARGUMENT"]):
            steps += [step([], {x: value}, targets=[divide], error=error), step(v.read_value())]
        return steps

    for update in ["Add", "Sub", "Update"] + ([] if dtype.startswith("complex") else ["Min", "Max"]):

        @both(f"scatter_nd_{update.lower()}/{dtype}")
        def _(tf, v1, variable, dtype=dtype, update=update):
            if dtype == "bfloat16" and update in ("Min", "Max"):
                dtype = "float64"
            v = variable(dtype, [2, 3, 2])
            init = v.op("Assign", value=tf.constant(some(dtype, 2, 3, 2, start=30), dtype))
            slices = v.op("ScatterNd" + update, indices=tf.constant([[1, 0], [0, 2]]), updates=tf.constant(some(dtype, 2, 2), dtype))
            cells = v.op("ScatterNd" + update, indices=tf.constant([[[0, 1, 1]]], "int64"),
                         updates=tf.constant(some(dtype, 1, 1, start=4), dtype))
            runs = [init, slices, cells]
            return [s for op in runs for s in (step([], targets=[done(op)]), step(v.read()))]


@both("scatter_update/string")
def _(tf, v1, variable):
    if not variable("string", [3], name="probe").resource:
        v = variable("int64", [3])
        value, new = tf.constant([1, 2, 3], "int64"), tf.constant([7, 8], "int64")
    else:
        v = variable("string", [3])
        value, new = tf.constant(["a", "b", "c"]), tf.constant(["x", "y"])
    update = v.op("ScatterUpdate", indices=[2, 0], updates=new)
    return [step([], targets=[done(v.op("Assign", value=value))]), step([], targets=[done(update)]), step(v.read())]


@both("faults")
def _(tf, v1, variable):
    v, other, init_dtype = variable("float32", [3]), variable("float32", [3], name="w"), "float32"
    unset = UNSET if not v.resource else MISSING
    init = v.op("Assign", value=tf.constant([1.0, 2.0, 3.0]))
    fails = [
        (other.op("AssignAdd", value=tf.constant([1.0, 2.0, 3.0])), unset),
        (other.op("ScatterAdd", indices=[0], updates=[1.0]), unset),
        (other.op("ScatterNdAdd", indices=[[0]], updates=[1.0]), unset),
        (other.op("StridedSliceAssign", begin=[0], end=[1], strides=[1], value=[1.0]), unset),
        (v.op("AssignAdd", value=fed([1.0, 2.0])), INVALID),
        (v.op("AssignSub", value=fed([[1.0, 2.0, 3.0]])), INVALID),
        (v.op("ScatterUpdate", indices=fed([0, 3]), updates=fed([7.0, 8.0])), INVALID),
        (v.op("ScatterUpdate", indices=fed([-1]), updates=fed([7.0])), INVALID),
        (v.op("ScatterUpdate", indices=fed([0, 1]), updates=fed([7.0, 8.0, 9.0])), INVALID),
        (v.op("ScatterNdUpdate", indices=fed([[3]]), updates=fed([7.0])), INVALID),
        (v.op("ScatterNdUpdate", indices=fed([[0, 0]]), updates=fed([7.0])), INVALID),
        (v.op("StridedSliceAssign", begin=[0], end=[2], strides=[1], value=fed([1.0, 2.0, 3.0])), INVALID),
        (v.op("CountUpTo", limit=3) if False else v.op("AssignAdd", value=fed(1.0)), INVALID),
    ]
    steps = [step([], targets=[done(init)])]
    for op, code in fails:
        steps.append(step([], targets=[done(op)], error=code))
    # The part of a scatter before the wrong index stays done.
    return steps + [step(v.read())]


@both("empty")
def _(tf, v1, variable):
    v = variable("float32", [0, 3])
    init = v.op("Assign", value=tf.zeros([0, 3]))
    add = v.op("AssignAdd", value=tf.zeros([0, 3]))
    none = v.op("ScatterAdd", indices=tf.zeros([0], "int32"), updates=tf.zeros([0, 3]))
    wrong = v.op("ScatterAdd", indices=fed([0]), updates=fed([[1.0, 2.0, 3.0]]))
    return [step([], targets=[done(init)]), step([], targets=[done(add)]), step([], targets=[done(none)]),
            step([], targets=[done(wrong)], error=INVALID), step(v.read())]


@both("shape_of_a_new_value")
def _(tf, v1, variable):
    v = variable("int32", None if variable("int32", [], name="probe").resource else [2])
    assign = lambda value, check: v.op("Assign", value=value, validate_shape=check)
    return [
        step([], targets=[done(assign(fed([1, 2]), True))]),
        step([], targets=[done(assign(fed([1, 2, 3]), True))], error=INVALID),
        step(v.read()),
        step([], targets=[done(assign(fed([[1, 2, 3]]), False))]),
        step(v.read()),
        step([], targets=[done(assign(fed(4), False))]),
        step(v.read()),
    ]


@both("strided_slice_assign")
def _(tf, v1, variable):
    v = variable("int32", [3, 4])
    init = v.op("Assign", value=tf.reshape(tf.range(12), [3, 4]))
    part = v.op("StridedSliceAssign", begin=[0, 3], end=[3, 0], strides=[2, -2], value=fed([[50, 51], [52, 53]]))
    row = v.op("StridedSliceAssign", begin=[1, 0], end=[2, 0], strides=[1, 1], value=fed([60, 61, 62, 63]),
               shrink_axis_mask=1, end_mask=2)
    one = v.op("StridedSliceAssign", begin=fed([-1, -1]), end=fed([0, 0]), strides=[1, 1], value=fed(70),
               shrink_axis_mask=3)
    return [s for op in [init, part, row, one] for s in (step([], targets=[done(op)]), step(v.read()))]


for dtype in ["int32", "int64"]:

    @both(f"count_up_to/{dtype}")
    def _(tf, v1, variable, dtype=dtype):
        v = variable(dtype, [])
        unset = MISSING if v.resource else UNSET
        count = v.op("CountUpTo", limit=2)
        return [step(count, error=unset), step([], targets=[done(v.op("Assign", value=tf.constant(0, dtype)))]),
                step(count), step([count]), step(count, error=OVER), step(v.read())]


@both("one_name_one_variable")
def _(tf, v1, variable):
    a, b = variable("float32", [], shared="same"), variable("float32", [], name="b", shared="same")
    return [step([], targets=[done(a.op("Assign", value=fed(5.0)))]), step([a.read(), b.read()]),
            step([], targets=[done(b.op("AssignAdd", value=fed(1.0)))]), step([a.read(), b.read()])]


@both("order_by_control_edges")
def _(tf, v1, variable):
    v = variable("float32", [2])
    init = done(v.op("Assign", value=tf.constant([1.0, 2.0])))
    before = v.read()
    if not v.resource:
        before = before + 0.0
    with tf.control_dependencies([before]):
        first = done(v.op("AssignAdd", value=tf.constant([10.0, 10.0])))
    with tf.control_dependencies([first]):
        between = v.read()
        between = between if v.resource else between + 0.0
    with tf.control_dependencies([between]):
        second = done(v.op("ScatterUpdate", indices=[0], updates=[0.0]))
    with tf.control_dependencies([second]):
        after = v.read() + 0.0
    return [step([], targets=[init]), step([before, between, after]), step([before, between, after])]


@case_of("ref/fetch_and_feed")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VariableV2(dtype=tf.float32, shape=[2], shared_name="", container="", name="v")
    init = raw.Assign(ref=v, value=[1.0, 2.0])
    same = raw.RefIdentity(input=v)
    return [step(v, error=UNSET), step(init), step([v, same]), step(raw.AssignAdd(ref=same, value=[1.0, 1.0])),
            step([raw.Neg(x=v), raw.Shape(input=v)]), step(raw.Neg(x=v), {v: [7.0, 8.0]})]


@case_of("ref/select")
def _(tf, v1):
    raw = tf.raw_ops
    make = lambda name: raw.VariableV2(dtype=tf.int32, shape=[], shared_name="", container="", name=name)
    a, b = make("a"), make("b")
    index = v1.placeholder(tf.int32, None)
    chosen = raw.RefSelect(index=index, inputs=[a, b])
    add = raw.AssignAdd(ref=chosen, value=1)
    init = [raw.Assign(ref=a, value=10), raw.Assign(ref=b, value=20)]
    return [step(init), step(add, {index: 1}), step(add, {index: 0}), step(add, {index: 1}), step([a, b]),
            step(add, {index: 2}, error=INVALID), step(add, {index: -1}, error=INVALID),
            step(add, {index: [0]}, error=INVALID)]


@case_of("ref/switch_and_merge")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VariableV2(dtype=tf.int32, shape=[], shared_name="", container="", name="v")
    pred = v1.placeholder(tf.bool, [])
    off, on = raw.RefSwitch(data=v, pred=pred)
    merged, index = raw.RefMerge(inputs=[raw.AssignAdd(ref=off, value=1), raw.AssignAdd(ref=on, value=100)])
    return [step(raw.Assign(ref=v, value=0)), step([merged, index], {pred: True}), step([merged, index], {pred: False}), step(v)]


@case_of("ref/first_variable")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.Variable(dtype=tf.float32, shape=[2], shared_name="", container="", name="v")
    return [step(raw.IsVariableInitialized(ref=v)), step(raw.Assign(ref=v, value=[1.0, 2.0])), step(v),
            step(raw.IsVariableInitialized(ref=v))]


@case_of("ref/temporary_variable")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.TemporaryVariable(dtype=tf.float32, shape=[2], var_name="t")
    v = raw.Assign(ref=v, value=fed([1.0, 2.0]))
    v = raw.AssignAdd(ref=v, value=[10.0, 10.0])
    value = raw.DestroyTemporaryVariable(ref=v, var_name="t")
    other = raw.DestroyTemporaryVariable(ref=v, var_name="other")
    return [step(value), step(value), step(other, error=MISSING), step(value)]


@case_of("ref/declared_shape")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VariableV2(dtype=tf.float32, shape=[2], shared_name="", container="", name="v")
    return [step(raw.Assign(ref=v, value=fed([1.0, 2.0, 3.0])), error=INVALID), step(v, error=UNSET),
            step(raw.Assign(ref=v, value=fed([1.0, 2.0, 3.0]), validate_shape=False)), step(v),
            step(raw.Assign(ref=v, value=fed([1.0, 2.0])), error=INVALID)]


@case_of("resource/dtypes_must_agree")
def _(tf, v1):
    raw = tf.raw_ops
    make = lambda dtype: raw.VarHandleOp(dtype=dtype, shape=[], shared_name="same", container="")
    f, i = make(tf.float32), make(tf.int32)
    return [step([], targets=[raw.AssignVariableOp(resource=f, value=1.0)]),
            step([], targets=[raw.AssignVariableOp(resource=i, value=1)], error=INVALID),
            step([], targets=[raw.AssignAddVariableOp(resource=i, value=1)], error=INVALID),
            step(raw.ReadVariableOp(resource=i, dtype=tf.int32), error=INVALID),
            step(raw.ReadVariableOp(resource=f, dtype=tf.float32))]


@case_of("resource/shape")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VarHandleOp(dtype=tf.float32, shape=None, shared_name="v", container="")
    shapes = [raw.VariableShape(input=v, out_type=t) for t in (tf.int32, tf.int64)]
    return [step(shapes, error=MISSING), step([], targets=[raw.AssignVariableOp(resource=v, value=fed([[1.0], [2.0]]))]),
            step(shapes), step([], targets=[raw.AssignVariableOp(resource=v, value=fed(3.0))]), step(shapes)]


@case_of("resource/destroy")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VarHandleOp(dtype=tf.float32, shape=[], shared_name="v", container="")
    strict = raw.DestroyResourceOp(resource=v, ignore_lookup_error=False)
    lax = raw.DestroyResourceOp(resource=v, ignore_lookup_error=True)
    assign, read = raw.AssignVariableOp(resource=v, value=2.0), raw.ReadVariableOp(resource=v, dtype=tf.float32)
    is_set = raw.VarIsInitializedOp(resource=v)
    return [step([], targets=[lax]), step([], targets=[strict], error=MISSING), step([], targets=[assign]),
            step([read, is_set]), step([], targets=[strict]), step(is_set), step(read, error=UNSET),
            step([], targets=[assign]), step(read), step([], targets=[lax]), step(is_set)]


@case_of("resource/gather")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VarHandleOp(dtype=tf.float32, shape=[2, 3, 2], shared_name="v", container="")
    gather = lambda indices, **kw: raw.ResourceGather(resource=v, indices=indices, dtype=tf.float32, **kw)
    gather_nd = lambda indices: raw.ResourceGatherNd(resource=v, indices=indices, dtype=tf.float32)
    value = np.arange(12, dtype="float32").reshape(2, 3, 2)
    return [step(gather([0]), error=MISSING), step(gather_nd([[0]]), error=MISSING),
            step([], targets=[raw.AssignVariableOp(resource=v, value=value)]),
            step([gather(fed([1, 0, 1])), gather(fed([[0]], "int64")), gather(fed(1))]),
            step(gather(fed([[2, 0], [1, 1]]), batch_dims=1)),
            step([gather_nd(fed([[1, 2], [0, 0]])), gather_nd(fed([[[1, 2, 1]]], "int64"))]),
            step(gather(fed([2])), error=INVALID), step(gather_nd(fed([[0, 3]])), error=INVALID)]


@case_of("resource/copy_on_write")
def _(tf, v1):
    """A value that was read does not change when the variable changes."""
    raw = tf.raw_ops
    v = raw.VarHandleOp(dtype=tf.float32, shape=[2], shared_name="v", container="")
    init = raw.AssignVariableOp(resource=v, value=[1.0, 2.0])
    old = raw.ReadVariableOp(resource=v, dtype=tf.float32)
    with tf.control_dependencies([old]):
        change = raw.ResourceScatterAdd(resource=v, indices=[1], updates=[5.0])
    with tf.control_dependencies([change]):
        new = raw.ReadVariableOp(resource=v, dtype=tf.float32)
        both = raw.Pack(values=[old, new])
    return [step([], targets=[init]), step([both, old, new]), step([both, old, new])]


@case_of("resource/bad_indices_policy")
def _(tf, v1):
    raw = tf.raw_ops
    v = raw.VarHandleOp(dtype=tf.float32, shape=[3], shared_name="v", container="")
    update = lambda policy: raw.ResourceScatterNdUpdate(
        ref=v, indices=fed([[0], [7]]), updates=fed([10.0, 20.0]), bad_indices_policy=policy)
    read = raw.ReadVariableOp(resource=v, dtype=tf.float32)
    return [step([], targets=[raw.AssignVariableOp(resource=v, value=[1.0, 2.0, 3.0])]),
            step([], targets=[update("IGNORE")]), step(read), step([], targets=[update("ERROR")], error=INVALID)]


@case_of("guarantee_const")
def _(tf, v1):
    return tf.raw_ops.GuaranteeConst(input=fed([1.0, 2.0]))


@case_of("stack")
def _(tf, v1):
    raw = tf.raw_ops
    # Made here: a placeholder under a control dependency would take it from the op it feeds.
    three, four, five, integer = fed(3.0), fed(4.0), fed(5.0), fed(4)
    s = raw.StackV2(max_size=fed(2), elem_type=tf.float32, stack_name="s")
    a = raw.StackPushV2(handle=s, elem=fed([1.0, 2.0]))
    with tf.control_dependencies([a]):
        b = raw.StackPushV2(handle=s, elem=three)
    with tf.control_dependencies([b]):
        c = raw.StackPushV2(handle=s, elem=four)
        x = raw.StackPopV2(handle=s, elem_type=tf.float32)
    with tf.control_dependencies([x]):
        y = raw.StackPopV2(handle=s, elem_type=tf.float32)
    with tf.control_dependencies([y]):
        z = raw.StackPopV2(handle=s, elem_type=tf.float32)
        close = raw.StackCloseV2(handle=s)
    with tf.control_dependencies([close]):
        late = raw.StackPushV2(handle=s, elem=five)
    wrong = raw.StackPushV2(handle=s, elem=integer)
    return [step([x, y]), step(c, error=INVALID), step(z, error=INVALID), step(late, error=INVALID),
            step(wrong, error=INVALID), step([a, x, y], targets=[close])]


@case_of("stack/by_reference")
def _(tf, v1):
    raw = tf.raw_ops
    s = raw.Stack(elem_type=tf.string, stack_name="")
    a = raw.StackPush(handle=s, elem=fed("a"))
    with tf.control_dependencies([a]):
        x = raw.StackPop(handle=s, elem_type=tf.string)
    with tf.control_dependencies([x]):
        y = raw.StackPop(handle=s, elem_type=tf.string)
    return [step(x), step(y, error=INVALID), step(x)]


@case_of("sparse_tensors_map")
def _(tf, v1):
    raw = tf.raw_ops
    add = raw.AddSparseToTensorsMap(sparse_indices=fed([[0, 1], [2, 0]], "int64"), sparse_values=fed([5.0, 6.0]),
                                    sparse_shape=fed([3, 2], "int64"), shared_name="m")
    many = raw.AddManySparseToTensorsMap(
        sparse_indices=fed([[0, 0, 1], [2, 1, 0], [2, 1, 1]], "int64"), sparse_values=fed([1.0, 2.0, 3.0]),
        sparse_shape=fed([3, 2, 4], "int64"), shared_name="m")
    numbers = v1.placeholder(tf.int64, None)
    take = raw.TakeManySparseFromTensorsMap(sparse_handles=numbers, dtype=tf.float32, shared_name="m")
    rank_one = raw.AddManySparseToTensorsMap(sparse_indices=fed([[0]], "int64"), sparse_values=fed([1.0]),
                                             sparse_shape=fed([1], "int64"), shared_name="m")
    return [step(add), step(many), step(list(take), {numbers: [0, 3, 1]}), step(list(take), {numbers: [2]}),
            step(list(take), {numbers: [0]}, error=INVALID), step(list(take), {numbers: []}, error=INVALID),
            step(rank_one, error=INVALID), step(add)]


@case_of("odd_scatters")
def _(tf, v1):
    raw = tf.raw_ops
    v = Variable(tf, True, "float32", None)
    x, i = v1.placeholder(tf.float32, None), v1.placeholder(tf.int32, None)
    add, add_nd = v.op("ScatterAdd", indices=i, updates=x), v.op("ScatterNdAdd", indices=i, updates=x)
    gather = raw.ResourceGather(resource=v.v, indices=i, dtype=tf.float32)
    assign = v.op("Assign", value=x)
    none = np.zeros([2, 0])
    return [
        # A scalar passes for one row.
        step([], {x: 3}, [assign]), step([], {x: 1, i: [0, 0]}, [add]), step(v.read()),
        step([], {x: [1], i: [0]}, [add], error=INVALID), step([], {x: [1], i: [[0]]}, [add_nd], error=INVALID),
        step([], {x: np.zeros([3, 2])}, [assign]), step([], {x: np.ones([2, 3, 2]), i: none}, [add_nd], error=INVALID),
        # A wrong index does not prevent the use of the others.
        step([], {x: [1, 2, 3], i: [[0, 0], [3, 0], [2, 1]]}, [add_nd], error=INVALID), step(v.read()),
        # Indices are checked even if there is nothing to copy.
        step([], {x: none}, [assign]), step(gather, {i: 5}, error=INVALID), step(gather, {i: [1, 0]}),
        step([], {x: none.T}, [assign]), step(gather, {i: 0}, error=INVALID), step(gather, {i: np.zeros([0])}),
    ]


@case_of("without_elements")
def _(tf, v1):
    v = Variable(tf, False, "float32", [2, 0])
    return [step([v.is_set(), v.read()])]


@case_of("any_shape")
def _(tf, v1):
    v = Variable(tf, False, "float32", None)
    x = v1.placeholder(tf.float32, None)
    strict, free = v.op("Assign", value=x), v.op("Assign", value=x, validate_shape=False)
    return [
        step([], {x: [1, 2]}, [strict.op], error=INVALID), step(free, {x: [1, 2]}), step(strict, {x: [3, 4]}),
        step([], {x: [1]}, [strict.op], error=INVALID), step(v.read()),
    ]


def scatters_bools(tf, op, updates):
    handle = tf.raw_ops.VarHandleOp(dtype=tf.bool, shape=[4], shared_name="v")
    assigned = tf.raw_ops.AssignVariableOp(resource=handle, value=tf.constant([True, False, True, False]))
    # Made outside: nodes that wait for a placeholder inside would be taken to wait for the assignment.
    indices, updates = fed([[0], [1], [3]]), fed(updates, "bool")
    with tf.control_dependencies([assigned]):
        done = getattr(tf.raw_ops, op)(ref=handle, indices=indices, updates=updates)
    with tf.control_dependencies([done]):
        return tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.bool)


for op in ["ResourceScatterNdAdd", "ResourceScatterNdSub", "ResourceScatterNdUpdate"]:
    for name, updates in [("true", [True, True, True]), ("mixed", [False, True, False])]:
        case(f"{op}/bool/{name}", lambda tf, v1, op=op, updates=updates: scatters_bools(tf, op, updates))

# An invalid policy is refused when the node runs, not before.
for name, error in [("IGNORE", None), ("whatever", "INVALID_ARGUMENT")]:
    case(f"ScatterNd/bad_indices_policy/{name}", lambda tf, v1, name=name: tf.raw_ops.ScatterNd(
        indices=fed([[1], [7]]), updates=fed([1.0, 2.0]), shape=fed([2]), bad_indices_policy=name), error=error)
    case(f"TensorScatterUpdate/bad_indices_policy/{name}", lambda tf, v1, name=name: tf.raw_ops.TensorScatterUpdate(
        tensor=fed([5.0, 6.0]), indices=fed([[1], [7]]), updates=fed([1.0, 2.0]), bad_indices_policy=name), error=error)


def beside(tf, v1):
    tf.raw_ops.ScatterNd(indices=fed([[1]]), updates=fed([1.0]), shape=fed([2]), bad_indices_policy="whatever")
    return fed([3.0]) * 2.0


case("ScatterNd/bad_indices_policy/beside", beside)
case("GuaranteeConst/float", lambda tf, v1: tf.raw_ops.GuaranteeConst(input=fed([1.0])))
case("GuaranteeConst/resource", lambda tf, v1: tf.raw_ops.ReadVariableOp(
    resource=tf.raw_ops.GuaranteeConst(input=tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="v")), dtype=tf.float32), error="INVALID_ARGUMENT")

write(__file__)
