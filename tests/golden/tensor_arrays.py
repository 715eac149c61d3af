"""TensorArrays: results of their ops, one after the other in one run, and refused uses."""

import numpy as np

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"


def case_of(name, **options):
    return lambda build: case(f"tensor_arrays/{name}", build, **options)


class Chain:
    """A TensorArray whose ops run in the order they are written."""

    def __init__(self, tf, size, dtype="float32", **attrs):
        self.tf, self.raw, self.dtype, self.fetches = tf, tf.raw_ops, dtype, []
        self.h, self.flow = self.raw.TensorArrayV3(size=size, dtype=dtype, **attrs)

    def _then(self, name, **args):
        with self.tf.control_dependencies(self.fetches[-1:]):
            flow = self.tf.identity(self.flow)
        return getattr(self.raw, f"TensorArray{name}V3")(handle=self.h, flow_in=flow, **args)

    def write(self, index, value):
        self.flow = self._then("Write", index=index, value=self.tf.constant(value, self.dtype))
        return self

    def scatter(self, indices, value):
        self.flow = self._then("Scatter", indices=fed(indices, "int32"), value=fed(value, self.dtype))
        return self

    def split(self, value, lengths):
        self.flow = self._then("Split", value=fed(value, self.dtype), lengths=fed(lengths, "int64"))
        return self

    def read(self, index):
        self.fetches.append(self._then("Read", index=index, dtype=self.dtype))
        return self

    def gather(self, indices, element_shape=None):
        self.fetches.append(self._then("Gather", indices=fed(indices, "int32"), dtype=self.dtype, element_shape=element_shape))
        return self

    def concat(self):
        self.fetches += list(self._then("Concat", dtype=self.dtype))
        return self

    def size(self):
        self.fetches.append(self._then("Size"))
        return self

    def step(self, error=None):
        return step([self.flow, *self.fetches] if error is None else [*self.fetches, self.flow], error=error)


@case_of("write_read_gather")
def _(tf, v1):
    a = Chain(tf, 3, element_shape=[2], clear_after_read=False).write(0, [1, 2]).write(2, [5, 6]).write(1, [3, 4])
    return [a.read(2).gather([2, 0, 2]).gather([], [2]).concat().size().step()]


@case_of("write_twice", error=INVALID)
def _(tf, v1):
    return Chain(tf, 2).write(0, [1]).write(0, [2]).read(0).fetches


@case_of("read_after_clear", error=INVALID)
def _(tf, v1):
    return Chain(tf, 2, clear_after_read=True).write(0, [1]).read(0).read(0).fetches


@case_of("unwritten")
def _(tf, v1):
    """Elements that were never written read as zeros if the shape is known."""
    known = Chain(tf, 3, element_shape=[2], clear_after_read=False).write(1, [1, 2]).read(0).gather([0, 1, 2]).size()
    unknown = Chain(tf, 3, clear_after_read=False).write(1, [1, 2])
    return [known.step(), unknown.read(0).step(error=INVALID)]


@case_of("grows")
def _(tf, v1):
    a = Chain(tf, 0, dynamic_size=True, clear_after_read=False).write(3, [1]).write(0, [2]).write(1, [3]).write(2, [4])
    return [a.size().gather([0, 1, 2, 3]).step(), Chain(tf, 1).write(1, [1]).size().step(error=INVALID)]


@case_of("shapes")
def _(tf, v1):
    free = Chain(tf, 3, clear_after_read=False).write(0, [1]).write(1, [[2, 3]]).write(2, 4)
    free.read(0).read(1).read(2)
    same = Chain(tf, 2, identical_element_shapes=True).write(0, [1])
    return [
        free.step(), Chain(tf, 2).write(0, [1]).write(1, [1, 2]).gather([0, 1]).step(error=INVALID),
        same.scatter([1], [[1, 2]]).size().step(error=INVALID),
        Chain(tf, 1, element_shape=[3]).scatter([0], [[1, 2]]).size().step(error=INVALID),
    ]


@case_of("scatter")
def _(tf, v1):
    rows = np.arange(6).reshape(3, 2)
    new = lambda **attrs: Chain(tf, 3, clear_after_read=False, **attrs)
    return [
        new().scatter([2, 0, 1], rows).gather([0, 1, 2]).size().step(), new().scatter([], np.zeros([0, 2])).size().step(),
        new().scatter([0, 0, 1], rows).size().step(error=INVALID), new().scatter([0, 1, 3], rows).size().step(error=INVALID),
        new().scatter([0, 1], rows).size().step(error=INVALID), new().scatter([0, 1, -1], rows).size().step(error=INVALID),
        new(dynamic_size=True).scatter([0, 5, 1], rows).size().read(5).step(),
    ]


@case_of("split_concat")
def _(tf, v1):
    rows = np.arange(10).reshape(5, 2)
    new = lambda **attrs: Chain(tf, 3, clear_after_read=False, **attrs)
    return [
        new().split(rows, [2, 0, 3]).read(0).read(1).read(2).concat().step(), new().split(rows, [2, 0, 2]).size().step(error=INVALID),
        new().split(rows, [2, 3]).size().step(error=INVALID), new().split(rows, [5]).size().step(error=INVALID),
        new(dynamic_size=True).split(rows, [1, 1, 1, 2]).size().read(3).step(),
        new().split(np.zeros([0, 2]), [0, 0, 0]).concat().step(), new().split(3, [1, 1, 1]).size().step(error=INVALID),
        Chain(tf, 0, element_shape=[1]).size().step(),
        Chain(tf, 2).write(0, 1).write(1, 2).concat().step(error=INVALID),
    ]


for dtype in ["string", "bool", "int64", "complex64", "bfloat16"]:

    @case_of(f"dtypes/{dtype}")
    def _(tf, v1, dtype=dtype):
        values = [b"a", b"b"] if dtype == "string" else np.array([1, 0]).astype(tf.as_dtype(dtype).as_numpy_dtype)
        return [Chain(tf, 2, dtype, clear_after_read=False).scatter([1, 0], values).read(0).gather([1, 0, 1]).step()]


@case_of("gradient")
def _(tf, v1):
    raw = tf.raw_ops
    a = Chain(tf, 2, clear_after_read=False).write(0, [1, 2]).write(1, [3, 4])
    h, flow = raw.TensorArrayGradV3(handle=a.h, flow_in=a.flow, source="g")
    first = raw.TensorArrayWriteV3(handle=h, index=0, value=tf.constant([1.0, 1]), flow_in=flow)
    # Two writes add up.
    second = raw.TensorArrayWriteV3(handle=h, index=0, value=tf.constant([10.0, 20]), flow_in=first)
    sum_ = raw.TensorArrayReadV3(handle=h, index=0, dtype=tf.float32, flow_in=second)
    never = raw.TensorArrayReadV3(handle=h, index=1, dtype=tf.float32, flow_in=second)
    wrong = raw.TensorArrayWriteV3(handle=h, index=0, value=tf.constant([1.0]), flow_in=second)
    return [step([sum_, never]), step(wrong, error=INVALID)]


write(__file__)
