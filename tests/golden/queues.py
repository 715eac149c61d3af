"""Queues, and other resources at which ops wait: barriers, staging areas, accumulators, mutexes."""

import numpy as np

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"
CLOSED = "CANCELLED"
EMPTY = "OUT_OF_RANGE"


def case_of(name, **options):
    return lambda build: case(f"queues/{name}", build, **options)


def flat(taken):
    return [taken.indices, taken.keys, *taken.values]


class Queue:
    """A queue in either form."""

    def __init__(self, tf, v2, kind, types, shapes=None, **attrs):
        self.raw, self.v2 = tf.raw_ops, "V2" if v2 else ""
        self.types = [tf.as_dtype(t) for t in types]
        inner = self.types[1:] if kind == "PriorityQueue" else self.types
        if shapes is not None:
            attrs["shapes"] = shapes
        self.q = getattr(self.raw, kind + self.v2)(component_types=inner, **attrs)

    def op(self, name, **args):
        return getattr(self.raw, "Queue" + name + self.v2)(handle=self.q, **args)

    def put(self, *components):
        return self.op("Enqueue", components=list(components))

    def put_many(self, *components):
        return self.op("EnqueueMany", components=list(components))

    def take(self):
        return self.op("Dequeue", component_types=self.types)

    def take_many(self, n, up_to=False):
        return self.op("DequeueUpTo" if up_to else "DequeueMany", n=n, component_types=self.types)

    def size(self):
        return self.op("Size")

    def close(self, cancel=False):
        return self.op("Close", cancel_pending_enqueues=cancel)

    def is_closed(self):
        return self.op("IsClosed")


def both(name, **options):
    """A case for each form: `build(tf, v1, queue)`, where `queue(kind, types, ...)` makes one."""

    def decorate(build):
        for form, v2 in (("reference", False), ("resource", True)):
            case(f"queues/{form}/{name}",
                 lambda tf, v1, v2=v2: build(tf, v1, lambda *args, **kw: Queue(tf, v2, *args, **kw)), **options)

    return decorate


@both("fifo")
def _(tf, v1, queue):
    q = queue("FIFOQueue", ["int32", "string"], capacity=5)
    return [
        step([q.size(), q.is_closed()]),
        step([], targets=[q.put(fed(1), fed("a"))]),
        step([], targets=[q.put_many(tf.constant([2, 3]), tf.constant(["b", "c"]))]),
        step(q.size()),
        step(list(q.take())),
        step([], targets=[q.put(tf.constant([7, 8]), tf.constant("of another shape"))]),
        step(list(q.take())), step(list(q.take())), step(list(q.take())),
        step(q.size()),
        step([], targets=[q.put_many(tf.zeros([0, 2], "int32"), tf.zeros([0], tf.string))]),
        step(q.size()),
    ]


@both("close")
def _(tf, v1, queue):
    q = queue("FIFOQueue", ["int32"], shapes=[[]])
    put = q.put_many(tf.constant([1, 2, 3, 4, 5]))
    return [
        step([], targets=[put]), step([], targets=[q.close()]), step([q.is_closed(), q.size()]),
        step([], targets=[q.put(fed(9))], error=CLOSED), step([], targets=[put], error=CLOSED),
        step(q.take_many(3)), step(q.take_many(3), error=EMPTY), step(q.size()), step(q.take_many(fed(3), up_to=True)),
        step(q.take(), error=EMPTY), step(q.take_many(1, up_to=True), error=EMPTY), step(q.take_many(0)),
        step([], targets=[q.put_many(tf.zeros([0], tf.int32))]),
        step([], targets=[q.close()], error=CLOSED), step([], targets=[q.close(cancel=True)]),
    ]


@both("faults")
def _(tf, v1, queue):
    q = queue("FIFOQueue", ["int32", "float32"], shapes=[[2], []], capacity=10, shared_name="q")
    free = queue("FIFOQueue", ["int32"])
    fails = [
        (q.put(fed([1, 2, 3]), fed(1.0)), INVALID),
        (q.put(fed([1, 2]), fed([1.0])), INVALID),
        (q.put_many(fed([[1, 2]]), fed([1.0, 2.0])), INVALID),
        (q.put_many(fed([1, 2]), fed([1.0, 2.0])), INVALID),
        (q.put_many(fed([[1, 2]]), fed(1.0)), INVALID),
        (q.take_many(fed(-1))[0].op, INVALID),
        (free.take_many(fed(1))[0].op, INVALID),
        (queue("FIFOQueue", ["int32", "float32"], shapes=[[2], []], capacity=9, shared_name="q").size().op, INVALID),
        (queue("FIFOQueue", ["int32", "int32"], shapes=[[2], []], capacity=10, shared_name="q").size().op, INVALID),
        (queue("FIFOQueue", ["int32", "float32"], shapes=[[3], []], capacity=10, shared_name="q").size().op, INVALID),
        (queue("FIFOQueue", ["int32", "float32"], capacity=10, shared_name="q").size().op, INVALID),
        (queue("RandomShuffleQueue", ["int32", "float32"], shapes=[[2], []], capacity=10, shared_name="q").size().op,
         INVALID),
        (queue("RandomShuffleQueue", ["int32"], capacity=10, min_after_dequeue=10).size().op, INVALID),
    ]
    return [step(q.size())] + [step([], targets=[op], error=code) for op, code in fails] + [step(q.size())]


@both("one_name_one_queue")
def _(tf, v1, queue):
    a = queue("FIFOQueue", ["int32"], capacity=3, shared_name="same")
    b = queue("FIFOQueue", ["int32"], capacity=3, shared_name="same")
    return [step([], targets=[a.put(fed(1))]), step([a.size(), b.size()]), step(b.take()), step(a.size())]


for seed in [1, 7]:

    @both(f"shuffle/{seed}")
    def _(tf, v1, queue, seed=seed):
        q = queue("RandomShuffleQueue", ["int64"], shapes=[[]], capacity=40, min_after_dequeue=5, seed=seed, seed2=3)
        return [
            step([], targets=[q.put_many(tf.range(20, dtype="int64"))]), step(q.take_many(7)), step(q.take()),
            step([], targets=[q.put(tf.constant(100, "int64"))]), step(q.take_many(8)), step(q.size()),
            step([], targets=[q.close()]), step(q.take_many(2)),
            step(q.take_many(9, up_to=True)), step(q.take(), error=EMPTY),
        ]


@both("padding")
def _(tf, v1, queue):
    q = queue("PaddingFIFOQueue", ["int32", "string"], shapes=[[None, 2], [None]], capacity=10)
    put = lambda n, m: q.put(fed(np.arange(1, 2 * n + 1, dtype="int32").reshape(n, 2)),
                             fed(np.array([b"x%d" % i for i in range(m)], object), "string"))
    return [
        step([], targets=[put(1, 2)]), step([], targets=[put(3, 0)]), step([], targets=[put(0, 1)]),
        step([], targets=[put(2, 3)]), step(list(q.take())), step(list(q.take_many(3))), step(q.size()),
        step(list(q.take_many(0))),
        step([], targets=[q.put(fed([1, 2]), fed(["a"]))], error=INVALID),
        step([], targets=[q.put_many(fed(np.ones([2, 3, 2], "int32")), fed([["a"], ["b"]], "string"))]),
        step(list(q.take_many(2))),
    ]


@both("priority")
def _(tf, v1, queue):
    q = queue("PriorityQueue", ["int64", "int32"], shapes=[[]], capacity=100)
    first = [4, 2, 2, 4, 0, 3, 1, 0, 1, 0, 2, 3, 1, 3, 4, 0, 4, 1, 0, 1, 3, 2, 1, 3, 1, 0, 1, 4, 4, 3, 1, 1, 0, 0, 1, 1, 1]
    return [
        step([], targets=[q.put_many(tf.constant(first, "int64"), tf.range(len(first)))]),
        step(list(q.take_many(20))),
        step([], targets=[q.put_many(tf.constant([0, 1, 2, 0, 1], "int64"), tf.range(100, 105))]),
        step([], targets=[q.put(fed(-5, "int64"), fed(7))]),
        step(list(q.take())), step(list(q.take_many(22))), step(q.size()),
        step([], targets=[q.put(fed([1], "int64"), fed(7))], error=INVALID),
    ]


@case_of("order_of_nodes")
def _(tf, v1):
    q = Queue(tf, True, "FIFOQueue", ["int32"], shapes=[[]])
    put = q.put(fed(5))
    with tf.control_dependencies([put]):
        taken = q.take()
    late = q.put_many(taken[0] * tf.constant([1, 2, 3]))
    with tf.control_dependencies([late]):
        size = q.size()
    return [step([taken[0], size]), step(q.take_many(3))]


@case_of("consumer_before_producer")
def _(tf, v1):
    """Within one run the consumer waits for the producer."""
    q = Queue(tf, True, "FIFOQueue", ["int32"], shapes=[[]], capacity=1)
    batch = q.take_many(4)
    puts = q.put_many(fed([1, 2, 3, 4]))
    return [step(batch, targets=[puts]), step(q.size())]


@case_of("barrier/many")
def _(tf, v1):
    raw = tf.raw_ops
    b = raw.Barrier(component_types=[tf.int32], shapes=[[2]], shared_name="b")
    keys = tf.constant([b"k%02d" % i for i in range(30)])
    insert = lambda lo, hi: raw.BarrierInsertMany(
        handle=b, keys=keys[lo:hi], values=tf.reshape(tf.range(2 * lo, 2 * hi), [hi - lo, 2]), component_index=0)
    take = lambda n: flat(raw.BarrierTakeMany(handle=b, num_elements=n, component_types=[tf.int32]))
    return [step([], targets=[insert(0, 13)]), step([], targets=[insert(13, 20)]), step(take(9)),
            step([], targets=[insert(20, 30)]), step(take(21)),
            step([], targets=[raw.BarrierClose(handle=b, cancel_pending_enqueues=True)]), step(take(1), error=EMPTY)]


@case_of("barrier/faults")
def _(tf, v1):
    raw = tf.raw_ops
    b = raw.Barrier(component_types=[tf.int32], shapes=[[2]], shared_name="b")
    insert = lambda keys, values: raw.BarrierInsertMany(handle=b, keys=fed(keys, "string"), values=fed(values, "int32"),
                                                        component_index=0)
    close = raw.BarrierClose(handle=b, cancel_pending_enqueues=False)
    return [
        step([], targets=[insert(["a"], [[1, 2, 3]])], error=INVALID),
        step(raw.BarrierReadySize(handle=raw.Barrier(component_types=[tf.int32], shapes=[])), error=INVALID),
        step(raw.BarrierReadySize(handle=raw.Barrier(component_types=[tf.int32], shapes=[[]], capacity=2)), error=INVALID),
        step(raw.BarrierReadySize(handle=raw.Barrier(component_types=[tf.int32], shapes=[[0]]))),
        step([], targets=[close]), step([], targets=[insert(["a"], [[1, 2, 3]])], error=CLOSED),
    ]


@case_of("stage")
def _(tf, v1):
    raw = tf.raw_ops
    types = [tf.int32, tf.string]
    stage = raw.Stage(values=[fed([1, 2]), fed("a")], capacity=2, shared_name="s")
    unstage = list(raw.Unstage(dtypes=types, capacity=2, shared_name="s"))
    index = v1.placeholder(tf.int32, [])
    peek = list(raw.StagePeek(index=index, dtypes=types, capacity=2, shared_name="s"))
    size = raw.StageSize(dtypes=types, capacity=2, shared_name="s")
    clear = raw.StageClear(dtypes=types, capacity=2, shared_name="s")
    return [step(size), step([], targets=[stage]), step([], targets=[stage]), step(size), step(peek, {index: 1}),
            step(unstage), step(size), step(peek, {index: 0}), step([], targets=[clear]), step(size)]


@case_of("stage/memory_limit")
def _(tf, v1):
    raw = tf.raw_ops
    stage = raw.Stage(values=[fed([1, 2, 3])], memory_limit=8, shared_name="s")
    return [step([], targets=[stage], error="RESOURCE_EXHAUSTED")]


for ordered in ["", "Ordered"]:

    @case_of(f"{ordered or 'Unordered'}MapStage")
    def _(tf, v1, ordered=ordered):
        raw = tf.raw_ops
        types = [tf.int32, tf.float32]
        same = dict(shared_name="m")
        op = lambda name: getattr(raw, ordered + name)
        key = lambda k: tf.constant(k, tf.int64)
        put = lambda k, indices, *values: op("MapStage")(key=key(k), indices=indices, values=list(values), dtypes=types, **same)
        get = lambda k, indices, ts=types: list(op("MapUnstage")(key=key(k), indices=indices, dtypes=ts, **same))
        peek = lambda k, indices, ts=types: list(op("MapPeek")(key=key(k), indices=indices, dtypes=ts, **same))
        size, incomplete = op("MapSize")(dtypes=types, **same), op("MapIncompleteSize")(dtypes=types, **same)
        any_of = op("MapUnstageNoKey")(indices=[0, 1], dtypes=types, **same)
        clear = op("MapClear")(dtypes=types, **same)
        both = tf.constant([0, 1])
        return [
            step([size, incomplete]), step([], targets=[put(5, both, tf.constant(50), tf.constant(0.5))]),
            step([], targets=[put(3, both, tf.constant(30), tf.constant(0.3))]), step([size, incomplete]),
            step([], targets=[put(4, tf.constant([1]), tf.constant(0.4))]), step([size, incomplete]),
            step([], targets=[put(4, fed([1]), fed(0.4))], error=INVALID),
            step([], targets=[put(4, tf.constant([0]), tf.constant(40))]), step([size, incomplete]),
            step(peek(5, both)), step(get(5, tf.constant([1]), [tf.float32])), step(size),
            step(get(5, fed([1]), [tf.float32]), error=INVALID), step(get(5, tf.constant([0]), [tf.int32])), step(size),
            step([any_of.key] + list(any_of.values)), step([size, incomplete]),
            step([], targets=[put(9, fed([1, 0]), fed(40), fed(0.4))], error=INVALID),
            step([], targets=[clear]), step([size, incomplete]),
        ]


class Accumulator:
    """A conditional accumulator in either form."""

    def __init__(self, tf, resource, dtype, shape, **attrs):
        self.raw, self.prefix, self.dtype = tf.raw_ops, "Resource" if resource else "", tf.as_dtype(dtype)
        self.a = getattr(self.raw, self.prefix + "ConditionalAccumulator")(dtype=self.dtype, shape=shape, **attrs)

    def op(self, name, **args):
        return getattr(self.raw, self.prefix + "Accumulator" + name)(handle=self.a, **args)

    def add(self, step_, gradient):
        return self.op("ApplyGradient", local_step=step_, gradient=gradient)

    def take(self, n):
        return self.op("TakeGradient", num_required=n, dtype=self.dtype)


for resource in [False, True]:
    for dtype in ["float32", "float16", "float64"]:
        for reduction in ["MEAN", "SUM"]:

            @case_of(f"accumulator/{'resource' if resource else 'reference'}/{dtype}/{reduction}")
            def _(tf, v1, resource=resource, dtype=dtype, reduction=reduction):
                a = Accumulator(tf, resource, dtype, [2], reduction_type=reduction)
                long = lambda i: tf.constant(i, tf.int64)
                add = lambda i, *values: a.add(long(i), tf.constant(values, dtype))
                count, set_step = a.op("NumAccumulated"), a.op("SetGlobalStep", new_global_step=long(7))
                return [
                    step(count), step([], targets=[add(0, 1, 2)]), step([], targets=[add(0, 10, 20)]),
                    step([], targets=[add(5, 0.5, 0.25)]), step(count), step(a.take(2)), step(count),
                    step([], targets=[add(0, 1, 2)]), step(count),                     step([], targets=[add(1, 3, 4)]), step(count), step([], targets=[set_step]),
                    step([], targets=[add(6, 3, 4)]), step(count), step(a.take(1)),
                    step([], targets=[a.add(long(9), fed([1, 2, 3], dtype))], error=INVALID),
                    step(a.take(fed(0)), error=INVALID),
                ]


for reduction in ["MEAN", "SUM"]:

    @case_of(f"accumulator/sparse/{reduction}")
    def _(tf, v1, reduction=reduction):
        raw = tf.raw_ops
        a = raw.SparseConditionalAccumulator(dtype=tf.float32, shape=[6, 2], reduction_type=reduction)

        def add(indices, values, shape=None, make=tf.constant):
            return raw.SparseAccumulatorApplyGradient(
                handle=a, local_step=tf.constant(0, tf.int64), gradient_indices=make(indices, "int64"),
                gradient_values=make(values, "float32"), gradient_shape=tf.constant(shape or [], tf.int64),
                has_known_shape=shape is not None)

        take = lambda n: list(raw.SparseAccumulatorTakeGradient(handle=a, num_required=n, dtype=tf.float32))
        return [
            step([], targets=[add([0, 2, 5], [[1, 2], [3, 4], [5, 6]], [6, 2])]),
            step([], targets=[add([1, 2], [[10, 20], [30, 40]])]), step([], targets=[add([2], [[100, 100]])]),
            step(raw.AccumulatorNumAccumulated(handle=a)), step(take(3)),
            step(raw.AccumulatorNumAccumulated(handle=a)),
        ]


@case_of("mutex")
def _(tf, v1):
    raw = tf.raw_ops
    m = raw.MutexV2(shared_name="m")
    lock = raw.MutexLock(mutex=m)
    with tf.control_dependencies([lock]):
        inside = tf.constant(3) + fed(4)
    with tf.control_dependencies([inside]):
        consume = raw.ConsumeMutexLock(mutex_lock=lock)
    return [step(inside, targets=[consume]), step(inside, targets=[consume]), step([], targets=[consume])]


# The contents of a reference to a queue or barrier: its container and its name.
for name, attrs in {"named": {"shared_name": "n"}, "container": {"shared_name": "n", "container": "c"}}.items():
    case(f"Barrier/reference/{name}", lambda tf, v1, attrs=attrs: tf.raw_ops.Barrier(
        component_types=[tf.float32], shapes=[[]], **attrs))
    case(f"FIFOQueue/reference/{name}", lambda tf, v1, attrs=attrs: tf.raw_ops.FIFOQueue(component_types=[tf.float32], **attrs))


def default_container(tf, v1):
    one = tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shared_name="n", container="localhost")
    other = tf.raw_ops.FIFOQueueV2(component_types=[tf.float32], shared_name="n")
    put = tf.raw_ops.QueueEnqueueV2(handle=one, components=[fed(3.0)])
    return [step(put), step(tf.raw_ops.QueueSizeV2(handle=other))]


case("FIFOQueueV2/default_container", default_container)

write(__file__)
