"""Batches of several runs; here each run is alone. The recorded sessions of several threads cover the rest."""

import numpy as np

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"
UNFIT = "FAILED_PRECONDITION"


def case_of(name, **options):
    return lambda build: case(f"batching/{name}", build, **options)


def ints(*values):
    return np.array(values, "int32")


@case_of("BatchFunction")
def _(tf, v1):
    x = v1.placeholder(tf.int32, None)

    def call(body, outputs=(tf.int32,), captured=(), **attrs):
        tensors = [x, *captured]
        function = tf.function(body).get_concrete_function(*[tf.TensorSpec(None, t.dtype) for t in tensors])
        args = dict(num_batch_threads=1, max_batch_size=4, batch_timeout_micros=1000, allowed_batch_sizes=[],
                    enable_large_batch_splitting=False)
        return tf.raw_ops.BatchFunction(in_tensors=[x], captured_tensors=list(captured), f=function, Tout=list(outputs),
                                        **{**args, **attrs})

    plain = call(lambda x: x + 1)
    scaled = call(lambda x, c: (x * c, tf.cast(x, tf.float32) / 2), [tf.int32, tf.float32], [tf.constant(3)],
                  allowed_batch_sizes=[2, 4])
    split = call(lambda x: x * 10, allowed_batch_sizes=[1, 2], enable_large_batch_splitting=True)
    # The padding shows in ops that see the whole batch.
    seen = call(lambda x: x * 0 + tf.reduce_sum(x), allowed_batch_sizes=[3, 4])
    return [
        step(plain, {x: ints(1, 2)}), step(plain, {x: ints()}), step(plain, {x: np.zeros([0, 3], "int32")}),
        step(plain, {x: np.ones([2, 0, 3], "int32")}), step(plain, {x: np.int32(1)}, error=INVALID),
        step(plain, {x: ints(1, 1, 1, 1, 1)}, error=INVALID),
        step(scaled, {x: ints(5)}), step(scaled, {x: ints(5, 6, 7)}), step(seen, {x: ints(5)}), step(seen, {x: ints(5, 6, 7)}),
        step(split, {x: ints(1, 2, 3)}), step(split, {x: ints(1, 2, 3, 4, 5)}, error=INVALID),
        step(call(lambda x: tf.reduce_sum(x)), {x: ints(1)}, error=UNFIT),
        step(call(lambda x: x[1:]), {x: ints(1, 2)}, error=UNFIT),
        step(call(lambda x: x, allowed_batch_sizes=[4, 2]), {x: ints(1)}, error=INVALID),
        step(call(lambda x: x, allowed_batch_sizes=[2, 3]), {x: ints(1)}, error=INVALID),
    ]


@case_of("Batch")
def _(tf, v1):
    x, y = v1.placeholder(tf.int32, None), v1.placeholder(tf.int32, None)
    batch = tf.raw_ops.Batch(in_tensors=[x, y], num_batch_threads=1, max_batch_size=4, batch_timeout_micros=0,
                             grad_timeout_micros=0, allowed_batch_sizes=[2, 4])
    # Ids are random.
    index = batch.batch_index[:, 1:]
    xy = lambda a, b: {x: np.array(a, "int32"), y: np.array(b, "int32")}
    return [
        step([*batch.batched_tensors, index], xy([1], [[2, 3]])), step([*batch.batched_tensors, index], xy([1, 2, 3], [4, 5, 6])),
        step([*batch.batched_tensors, batch.batch_index, batch.id], xy([], [])),
        step(batch.id, xy([1] * 5, [1] * 5), error=INVALID), step(batch.id, xy([1], [1, 2]), error=INVALID),
        step(batch.id, xy([1], 1), error=INVALID),
    ]


@case_of("Unbatch")
def _(tf, v1):
    raw = tf.raw_ops
    x, index, own = v1.placeholder(tf.int32, None), v1.placeholder(tf.int64, None), v1.placeholder(tf.int64, None)
    rows = raw.Unbatch(batched_tensor=x, batch_index=index, id=own, timeout_micros=50_000, shared_name="u")
    grad = raw.UnbatchGrad(original_input=x, batch_index=index, grad=x, id=own, shared_name="g")
    none = np.zeros([0, 3], "int64")
    feeds = lambda x_, index_, own_: {x: np.array(x_, "int32"), index: np.array(index_, "int64"), own: np.int64(own_)}
    return [
        step(rows, feeds([5, 6], [[7, 0, 2]], 7)), step(rows, feeds([5, 6, 7], [[7, 0, 1], [8, 1, 3]], 7)),
        # The rows that the previous run left are there for the run with that id, once.
        step(rows, feeds([], none, 8)), step(rows, feeds([], none, 8), error="DEADLINE_EXCEEDED"),
        step(grad, feeds([1, 2], [[7, 0, 2]], 7)), step(grad, feeds([1, 2], none, 9), error=INVALID),
    ]


write(__file__)
