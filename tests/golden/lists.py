"""Lists of tensors, maps of tensors and optional values."""

import struct

import numpy as np
import tensorflow

from record import case, fed, step, write

INVALID = "INVALID_ARGUMENT"
ALL = ["bool", "bfloat16", "int64", "complex128", "string"]


def some(dtype, *shape):
    """Distinct values of any dtype, as an array."""
    counted = np.arange(1, 1 + int(np.prod(shape))).reshape(shape)
    if dtype == "string":
        return np.vectorize(lambda i: b"s%d" % i, otypes=[object])(counted) if counted.size else counted.astype(object)
    if dtype == "bool":
        return counted % 3 == 1
    return (counted * 5 % 13 + 1).astype(tensorflow.as_dtype(dtype).as_numpy_dtype)


class Lists:
    """The ops, with the attrs that they need."""

    def __init__(self, tf, dtype="float32"):
        self.raw, self.dtype = tf.raw_ops, tf.as_dtype(dtype)

    def empty(self, shape=-1, most=-1):
        return self.raw.EmptyTensorList(element_shape=fed(shape, "int32"), max_num_elements=fed(most, "int32"), element_dtype=self.dtype)

    def reserve(self, n, shape=-1, index="int32"):
        return self.raw.TensorListReserve(element_shape=fed(shape, index), num_elements=fed(n, "int32"), element_dtype=self.dtype)

    def from_tensor(self, value, shape=-1):
        return self.raw.TensorListFromTensor(tensor=fed(value, self.dtype.name), element_shape=fed(shape, "int32"))

    def push(self, handle, value):
        return self.raw.TensorListPushBack(input_handle=handle, tensor=fed(value, self.dtype.name))

    def pop(self, handle, shape=-1):
        return self.raw.TensorListPopBack(input_handle=handle, element_shape=fed(shape, "int32"), element_dtype=self.dtype)

    def set(self, handle, i, value, resize=False):
        return self.raw.TensorListSetItem(input_handle=handle, index=fed(i, "int32"), item=fed(value, self.dtype.name), resize_if_index_out_of_bounds=resize)

    def get(self, handle, i, shape=-1):
        return self.raw.TensorListGetItem(input_handle=handle, index=fed(i, "int32"), element_shape=fed(shape, "int32"), element_dtype=self.dtype)

    def stack(self, handle, shape=-1, n=-1):
        return self.raw.TensorListStack(input_handle=handle, element_shape=fed(shape, "int32"), element_dtype=self.dtype, num_elements=n)

    def length(self, handle):
        return self.raw.TensorListLength(input_handle=handle)

    def shape(self, handle, index="int32"):
        return self.raw.TensorListElementShape(input_handle=handle, shape_type=getattr(tensorflow, index))

    def resize(self, handle, n):
        return self.raw.TensorListResize(input_handle=handle, size=fed(n, "int32"))

    def gather(self, handle, indices, shape=-1):
        return self.raw.TensorListGather(input_handle=handle, indices=fed(indices, "int32"), element_shape=fed(shape, "int32"), element_dtype=self.dtype)

    def scatter(self, value, indices, shape=-1, n=None, into=None):
        value, indices = fed(value, self.dtype.name), fed(indices, "int32")
        if into is not None:
            return self.raw.TensorListScatterIntoExistingList(input_handle=into, tensor=value, indices=indices)
        shape = fed(shape, "int32")
        if n is None:
            return self.raw.TensorListScatter(tensor=value, indices=indices, element_shape=shape)
        return self.raw.TensorListScatterV2(tensor=value, indices=indices, element_shape=shape, num_elements=fed(n, "int32"))

    def split(self, value, lengths, shape=-1):
        return self.raw.TensorListSplit(tensor=fed(value, self.dtype.name), element_shape=fed(shape, "int32"), lengths=fed(lengths, "int64"))

    def concat(self, handle, shape=-1, leading=()):
        return self.raw.TensorListConcatV2(input_handle=handle, element_shape=fed(shape, "int32"), leading_dims=fed(np.array(leading, "int64"), "int64"), element_dtype=self.dtype)

    def concat_v1(self, handle, shape=None):
        return self.raw.TensorListConcat(input_handle=handle, element_dtype=self.dtype, element_shape=shape)

    def join(self, a, b):
        return self.raw.TensorListConcatLists(input_a=a, input_b=b, element_dtype=self.dtype)


def lists(name, dtype="float32", **options):
    def decorate(build):
        case(f"lists/{name}", lambda tf, v1: build(Lists(tf, dtype)), **options)
        return build

    return decorate


for dtype in ALL:

    @lists(f"elements/{dtype}", dtype)
    def _(l):
        a = l.reserve(3, [2])
        b = l.set(a, 1, some(l.dtype.name, 2))
        c = l.push(b, some(l.dtype.name, 2))
        d, popped = l.pop(c)
        return [l.stack(b), l.stack(c), popped, l.length(a), l.length(c), l.length(d), l.get(b, 1), l.get(b, 0), l.shape(d),
                l.shape(d, "int64"), l.gather(c, [3, 1, 0, 3])]

    @lists(f"tensors/{dtype}", dtype)
    def _(l):
        t = some(l.dtype.name, 4, 2)
        a = l.from_tensor(t, [2])
        b = l.split(t, [1, 0, 3], [-1, 2])
        c = l.scatter(t, [3, 0, 5, 3], [2])
        d = l.scatter(t, [3, 0, 5, 3], [2], 8)
        e = l.scatter(t, [1, 0, 4, 2], into=a)
        f = l.scatter(t, [1, 0, 3, 2], [-1], -1)
        return [l.stack(a), *l.concat(b), *l.concat_v1(b), l.stack(c), l.stack(d), l.stack(e), l.stack(f), l.stack(l.join(a, a)),
                *l.concat(l.from_tensor(some(l.dtype.name, 2, 3, 1)))]

    @lists(f"zeros/{dtype}", dtype)
    def _(l):
        a = l.set(l.reserve(3), 1, some(l.dtype.name, 2))
        zeros = l.raw.ZerosLike(x=a if l.dtype != tensorflow.string else l.reserve(3))
        return [l.stack(zeros, [2]), l.length(zeros), l.shape(zeros)]


@lists("zeros/strings", "string", error=INVALID)
def _(l):
    return l.length(l.raw.ZerosLike(x=l.from_tensor([b"a"])))


for dtype in ["float16", "int32", "float32", "complex64", "uint8"]:

    @lists(f"sum/{dtype}", dtype)
    def _(l):
        t = some(l.dtype.name, 3, 2)
        a, b = l.from_tensor(t, [-1]), l.set(l.reserve(3), 0, some(l.dtype.name, 2))
        total = l.raw.AddN(inputs=[a, b, a])
        return [l.stack(total), l.shape(total), l.stack(l.raw.AddN(inputs=[b]), [2])]


# Elements that were never set.
for name, shape, asked in [("list", [2], -1), ("op", -1, [2]), ("both", [2, -1], [-1, 3]), ("zero", [0, 2], -1), ("scalar", [], -1)]:

    @lists(f"unset/{name}")
    def _(l):
        a = l.reserve(2, shape)
        return [l.get(a, 1, asked), l.pop(a, asked)[1], l.stack(a, asked), l.gather(a, [0, 0, 1], asked)]


@lists("unset/inferred")
def _(l):
    a = l.set(l.reserve(3), 2, [1, 2])
    return [l.get(a, 0), l.stack(a), l.gather(a, [0, 2])]


for name, of in {
    "get": lambda l: l.get(l.reserve(2), 0),
    "get_partial": lambda l: l.get(l.reserve(2, [-1]), 0, [-1]),
    "pop": lambda l: l.pop(l.reserve(2))[1],
    "pop_beside_set": lambda l: l.pop(l.set(l.reserve(3), 0, [1, 2]))[1],
    "stack": lambda l: l.stack(l.reserve(2)),
    "gather": lambda l: l.gather(l.reserve(2), [0]),
    "gather_unset_of_some": lambda l: l.gather(l.set(l.reserve(2), 1, [1.0]), [0]),
    "gather_none": lambda l: l.gather(l.reserve(2), np.zeros([0], "int32")),
    "gather_none_of_set": lambda l: l.gather(l.from_tensor([[1.0]]), np.zeros([0], "int32")),
    "get_differ": lambda l: l.get(l.set(l.set(l.reserve(3), 1, [1.0]), 2, [1.0, 2.0]), 0),
    "stack_differ": lambda l: l.stack(l.set(l.set(l.reserve(2), 0, [1.0]), 1, [1.0, 2.0])),
    "concat": lambda l: l.concat(l.reserve(2)),
    "concat_no_length": lambda l: l.concat(l.reserve(2, [-1, 2])),
    "concat_few_lengths": lambda l: l.concat(l.reserve(2, [-1, 2]), leading=[1]),
    "concat_two_lengths": lambda l: l.concat(l.set(l.set(l.reserve(3), 0, [1.0]), 1, [1.0, 2.0])),
    "concat_v1": lambda l: l.concat_v1(l.reserve(2)),
    "concat_empty": lambda l: l.concat(l.empty()),
    "concat_empty_v1": lambda l: l.concat_v1(l.empty()),
    "stack_empty": lambda l: l.stack(l.empty()),
    "stack_empty_partial": lambda l: l.stack(l.empty([-1])),
}.items():
    lists(f"unset/refused/{name}", error=INVALID)(of)


@lists("concat/unset")
def _(l):
    a = l.set(l.reserve(3, [-1, 2]), 1, [[1, 2], [3, 4]])
    return [*l.concat(a), *l.concat(a, leading=[1, 9]), *l.concat(a, [-1, 2], [1, 7, 0]), *l.concat(a, [2, -1]), *l.concat(l.empty([-1, 3])), *l.concat(l.empty(), [0, 3]),
            *l.concat(l.empty(), [4, 3]), *l.concat_v1(a)]


@lists("zero/sizes")
def _(l):
    zero = np.zeros([0, 2], "float32")
    a = l.from_tensor(zero)
    b = l.from_tensor(np.zeros([2, 0], "float32"))
    return [l.length(a), l.stack(a, [2]), l.stack(b), *l.concat(b), l.stack(l.split(zero, np.zeros([0], "int64")), [-1, 2][1:]), *l.concat(l.split(zero, [0, 0])),
            l.length(l.scatter(zero, np.zeros([0], "int32"))), l.length(l.scatter(zero, np.zeros([0], "int32"), n=2)), l.gather(a, np.zeros([0], "int32"), [2]),
            l.length(l.resize(l.reserve(2), 0)), l.length(l.reserve(0)), l.stack(l.reserve(0, [3]))]


@lists("resize")
def _(l):
    a = l.from_tensor([[1, 2], [3, 4]])
    return [l.stack(l.resize(a, 1)), l.stack(l.resize(a, 4)), l.stack(l.resize(a, 2)), l.length(a)]


@lists("set/resize")
def _(l):
    a = l.from_tensor([[1, 2], [3, 4]])
    return [l.stack(l.set(a, 4, [5, 6], resize=True)), l.stack(l.set(a, 0, [5, 6], resize=True)), l.stack(a)]


@lists("values_are_values")
def _(l):
    a = l.from_tensor([1, 2])
    b, c = l.push(a, 3), l.push(a, 4)
    d = l.set(b, 0, 9)
    return [l.stack(a), l.stack(b), l.stack(c), l.stack(d)]


@lists("full")
def _(l):
    return [l.stack(l.push(l.push(l.empty(most=2), 1), 2)), l.length(l.push(l.empty(most=-2), 1))]


@lists("shapes")
def _(l):
    return [l.shape(l.empty()), l.shape(l.empty([])), l.shape(l.empty([2, -1, 0])), l.shape(l.reserve(1, [3, -1], "int64"), "int64"),
            l.shape(l.reserve(1), "int64"), l.shape(l.split([1, 2, 3], [1, 2], [-1])), l.shape(l.from_tensor([[1]], [-1])), l.shape(l.scatter([[1]], [0], [-1]))]


@lists("identity")
def _(l):
    a = l.from_tensor([1, 2])
    b, c = l.raw.IdentityN(input=[l.raw.Identity(input=a), l.push(a, 5)])
    return [l.stack(b), l.stack(c), l.raw.Shape(input=c), l.raw.Rank(input=c)]


case("EmptyTensorList/most", lambda tf, v1: tf.raw_ops.TensorListLength(input_handle=tf.raw_ops.EmptyTensorList(
    element_shape=fed(-1, "int32"), max_num_elements=fed([3], "int32"), element_dtype=tf.int32)), error="INVALID_ARGUMENT")


def other(l):
    """A handle to a list of another dtype."""
    made = l.raw.EmptyTensorList(element_shape=fed(-1, "int32"), max_num_elements=-1, element_dtype=tensorflow.int32)
    # Shape inference loses track of it.
    return l.raw.Unpack(value=l.raw.Pack(values=[made]), num=1)[0]


def no_list(l):
    return l.raw.EmptyTensorMap()


def pair(l):
    a = l.from_tensor([1, 2])
    return l.raw.Pack(values=[a, a])


for name, of in {
    "shape/scalar": lambda l: l.empty(3),
    "shape/negative": lambda l: l.empty([-2]),
    "shape/matrix": lambda l: l.empty([[2]]),
    "shape/reserve": lambda l: l.reserve(2, 0),
    "reserve/negative": lambda l: l.reserve(-1),
    "reserve/vector": lambda l: l.reserve([1, 2]),
    "push/shape": lambda l: l.push(l.empty([2]), [1]),
    "push/dtype": lambda l: l.push(other(l), [1]),
    "push/full": lambda l: l.push(l.empty(most=0), 1),
    "push/no_list": lambda l: l.push(no_list(l), 1),
    "push/pair": lambda l: l.push(pair(l), 1),
    "most/vector": lambda l: l.empty(most=[1, 2]),
    "pop/empty": lambda l: l.pop(l.empty())[1],
    "pop/dtype": lambda l: l.pop(other(l))[1],
    "pop/shape": lambda l: l.pop(l.reserve(1, [2]), [3])[1],
    "get/past": lambda l: l.get(l.from_tensor([1, 2]), 2),
    "get/negative": lambda l: l.get(l.from_tensor([1, 2]), -1),
    "get/dtype": lambda l: l.get(other(l), 0),
    "get/unset_shape": lambda l: l.get(l.reserve(1, [2]), 0, [3]),
    "set/past": lambda l: l.set(l.from_tensor([1, 2]), 2, 3),
    "set/negative": lambda l: l.set(l.from_tensor([1, 2]), -1, 3),
    "set/shape": lambda l: l.set(l.reserve(1, [2]), 0, [3]),
    "set/dtype": lambda l: l.set(other(l), 0, 1),
    "resize/negative": lambda l: l.resize(l.reserve(1), -1),
    "stack/count": lambda l: l.stack(l.from_tensor([1, 2]), n=3),
    "stack/shape": lambda l: l.stack(l.from_tensor([[1, 2]]), [3]),
    "stack/list_shape": lambda l: l.stack(l.from_tensor([[1, 2]], [2]), [3]),
    "stack/dtype": lambda l: l.stack(other(l), [1]),
    "stack/no_list": lambda l: l.stack(no_list(l)),
    "length/no_list": lambda l: l.length(no_list(l)),
    "length/pair": lambda l: l.length(pair(l)),
    "gather/past": lambda l: l.gather(l.from_tensor([1, 2]), [0, 2]),
    "gather/negative": lambda l: l.gather(l.from_tensor([1, 2]), [-1]),
    "gather/past_known": lambda l: l.gather(l.from_tensor([1, 2], []), [5]),
    "gather/dtype": lambda l: l.gather(other(l), [0]),
    "from_tensor/scalar": lambda l: l.from_tensor(1),
    "from_tensor/shape": lambda l: l.from_tensor([[1, 2]], [3]),
    "scatter/negative": lambda l: l.scatter([1, 2], [0, -1]),
    "scatter/rows": lambda l: l.scatter([1, 2], [0]),
    "scatter/past": lambda l: l.scatter([1, 2], [0, 2], n=2),
    "scatter/count": lambda l: l.scatter([1, 2], [0, 1], n=-2),
    "scatter/shape": lambda l: l.scatter([1, 2], [0, 1], [1]),
    "scatter/scalar": lambda l: l.scatter(1, [0]),
    "split/lengths": lambda l: l.split([1, 2, 3], [1, 1]),
    "split/long": lambda l: l.split([1, 2, 3], [1, 5]),
    "split/negative": lambda l: l.split([1, 2, 3], [4, -1]),
    "split/scalar": lambda l: l.split(1, [1]),
    "split/scalar_elements": lambda l: l.split([1, 2], [1, 1], []),
    "split/shape": lambda l: l.split([[1, 2]], [1], [-1, 3]),
    "split/lengths_matrix": lambda l: l.split([1, 2], [[2]]),
    "concat/scalars": lambda l: l.concat(l.from_tensor([1, 2])),
    "concat/scalars_v1": lambda l: l.concat_v1(l.from_tensor([1, 2])),
    "concat/scalar_shape": lambda l: l.concat(l.from_tensor([1, 2]), []),
    "concat/rest": lambda l: l.concat(l.from_tensor([[[1, 2]]]), [-1, 3]),
    "concat/first": lambda l: l.concat(l.from_tensor([[[1, 2]]]), [2, 2]),
    "concat/differ": lambda l: l.concat(l.set(l.set(l.reserve(2), 0, [[1.0]]), 1, [[1.0, 2.0]])),
    "concat/dtype": lambda l: l.concat(other(l)),
    "sum/lengths": lambda l: l.raw.AddN(inputs=[l.reserve(1), l.reserve(2)]),
    "sum/shapes": lambda l: l.raw.AddN(inputs=[l.reserve(1, [1]), l.reserve(1, [2])]),
    "sum/item_shapes": lambda l: l.raw.AddN(inputs=[l.from_tensor([[1]]), l.from_tensor([[1, 2]])]),
    "sum/dtypes": lambda l: l.raw.AddN(inputs=[l.empty(), other(l)]),
    "join/dtype": lambda l: l.join(l.empty(), other(l)),
    "join/shapes": lambda l: l.join(l.empty([1]), l.empty()),
    "join/tensor_shapes": lambda l: l.join(pair(l), l.raw.PlaceholderWithDefault(input=l.empty(), shape=None)),
}.items():

    @lists(f"refused/{name}", error=INVALID)
    def _(l):
        got = of(l)
        got = got if isinstance(got, (list, tuple)) else [got]
        return [g for g in got if g.dtype != tensorflow.variant] or l.length(got[0])


@lists("sum/kinds", error="INTERNAL")
def _(l):
    return l.length(l.raw.AddN(inputs=[l.empty(), no_list(l)]))


@lists("sum/strings", "string", error=INVALID)
def _(l):
    return l.length(l.raw.AddN(inputs=[l.from_tensor([b"a"]), l.from_tensor([b"b"])]))


@lists("batch")
def _(l):
    a, b = l.from_tensor([[1, 2]]), l.empty([2])
    pushed = l.raw.TensorListPushBackBatch(input_handles=l.raw.Pack(values=[a, b]), tensor=fed([[5, 6], [7, 8]], "float32"))
    c, d = l.raw.Unpack(value=pushed, num=2)
    joined = l.raw.Unpack(value=l.join(l.raw.Pack(values=[a, b]), l.raw.Pack(values=[a, b])), num=2)
    return [l.stack(c), l.stack(d), l.length(a), l.stack(joined[0]), l.length(joined[1])]


for name, rows in {"count": [[1.0]], "shape": [[1.0, 2.0], [3.0, 4.0]], "scalar": 1.0}.items():

    @lists(f"batch/refused/{name}", error=INVALID)
    def _(l):
        lists = l.raw.Pack(values=[l.empty([1]), l.empty([1])])
        pushed = l.raw.TensorListPushBackBatch(input_handles=lists, tensor=fed(rows, "float32"))
        return l.length(l.raw.Unpack(value=pushed, num=2)[0])


@lists("nested")
def _(l):
    outer = Lists(tensorflow, "variant")
    inner = l.from_tensor([1, 2])
    a = outer.raw.TensorListPushBack(input_handle=outer.empty([]), tensor=inner)
    b = outer.raw.TensorListPushBack(input_handle=a, tensor=l.push(inner, 7))
    rows = l.raw.Unpack(value=outer.stack(b), num=2)
    total = l.raw.AddN(inputs=[b, b])
    zeros = l.raw.ZerosLike(x=b)
    return [l.stack(outer.get(b, 1)), l.stack(rows[0]), l.length(rows[1]), l.stack(outer.get(total, 1)), l.stack(outer.get(zeros, 0))]


@lists("loop/frames")
def _(l):
    def body(i, a):
        return i + 1, l.raw.TensorListSetItem(input_handle=a, index=i, item=tensorflow.cast(i * i, tensorflow.float32))

    v1 = tensorflow.compat.v1
    v1.disable_control_flow_v2()
    _, a = v1.while_loop(lambda i, a: i < 6, body, [tensorflow.constant(0), l.reserve(6, [])])
    return l.stack(a)


@lists("loop/function")
def _(l):
    def body(i, a):
        return i + 1, l.raw.TensorListPushBack(input_handle=a, tensor=tensorflow.cast(i * i, tensorflow.float32))

    v1 = tensorflow.compat.v1
    v1.enable_control_flow_v2()
    _, a = v1.while_loop(lambda i, a: i < 6, body, [tensorflow.constant(0), l.empty([])])
    v1.disable_control_flow_v2()
    return l.stack(a)


class Maps:
    def __init__(self, tf, key="int32", value="float32"):
        self.raw, self.key, self.value = tf.raw_ops, tf.as_dtype(key), tf.as_dtype(value)

    def insert(self, handle, key, value):
        return self.raw.TensorMapInsert(input_handle=handle, key=fed(key, self.key.name), value=fed(value, self.value.name))

    def lookup(self, handle, key):
        return self.raw.TensorMapLookup(input_handle=handle, key=fed(key, self.key.name), value_dtype=self.value)

    def erase(self, handle, key):
        return self.raw.TensorMapErase(input_handle=handle, key=fed(key, self.key.name), value_dtype=self.value)

    def has(self, handle, key):
        return self.raw.TensorMapHasKey(input_handle=handle, key=fed(key, self.key.name))

    def size(self, handle):
        return self.raw.TensorMapSize(input_handle=handle)

    def keys(self, handle):
        return self.raw.TensorMapStackKeys(input_handle=handle, key_dtype=self.key)


def maps(name, key="int32", value="float32", **options):
    def decorate(build):
        case(f"maps/{name}", lambda tf, v1: build(Maps(tf, key, value)), **options)

    return decorate


for dtype in ["int32", "float32", "string", "bool", "int64"]:

    @maps(f"keys/{dtype}", dtype)
    def _(m):
        a, b = some(dtype, 2)
        one = m.insert(m.raw.EmptyTensorMap(), a, [1, 2])
        two = m.insert(one, b, 3)
        over = m.insert(two, a, 9)
        less = m.erase(two, a)
        return [m.lookup(two, a), m.lookup(two, b), m.lookup(over, a), m.size(m.raw.EmptyTensorMap()), m.size(over), m.size(less), m.has(two, b), m.has(one, b),
                m.has(less, a), m.keys(one), m.lookup(one, a)]


@maps("shapes")
def _(m):
    a = m.insert(m.insert(m.raw.EmptyTensorMap(), [1], 2), 1, 3)
    return [m.size(a), m.lookup(a, [1]), m.lookup(a, 1), m.has(a, [[1]])]


@maps("sum")
def _(m):
    a = m.insert(m.insert(m.raw.EmptyTensorMap(), 1, [1, 2]), 2, 5)
    b = m.insert(m.insert(m.raw.EmptyTensorMap(), 3, 7), 1, [10, 20])
    total, zeros = m.raw.AddN(inputs=[a, b]), m.raw.ZerosLike(x=a)
    return [m.lookup(total, 1), m.lookup(total, 2), m.lookup(total, 3), m.size(total), m.size(zeros)]


for name, of in {
    "lookup": lambda m: m.lookup(m.raw.EmptyTensorMap(), 1),
    "erase": lambda m: m.size(m.erase(m.raw.EmptyTensorMap(), 1)),
    "keys_empty": lambda m: m.keys(m.raw.EmptyTensorMap()),
    "keys_shapes": lambda m: m.keys(m.insert(m.insert(m.raw.EmptyTensorMap(), [1], 2), 1, 3)),
    "keys_dtype": lambda m: m.raw.TensorMapStackKeys(input_handle=m.insert(m.raw.EmptyTensorMap(), 1, 2), key_dtype=tensorflow.int64),
    "no_map": lambda m: m.size(Lists(tensorflow).empty()),
    "pair": lambda m: m.size(m.raw.Pack(values=[m.raw.EmptyTensorMap()])),
}.items():
    maps(f"refused/{name}", error=INVALID)(of)


def optional(name, **options):
    def decorate(build):
        case(f"optional/{name}", lambda tf, v1: build(tf.raw_ops), **options)

    return decorate


def value_of(raw, o, types=("float32", "string"), shapes=None):
    shapes = [None] * len(types) if shapes is None else shapes
    return raw.OptionalGetValue(optional=o, output_types=[tensorflow.as_dtype(t) for t in types], output_shapes=shapes)


def an_optional(raw):
    return raw.OptionalFromValue(components=[fed([1.0, 2.0], "float32"), fed(b"x", "string")])


@optional("values")
def _(raw):
    o = an_optional(raw)
    return [*value_of(raw, o), raw.OptionalHasValue(optional=o), raw.OptionalHasValue(optional=raw.OptionalNone()), *value_of(raw, o, shapes=[[None], []])]


@optional("sum")
def _(raw):
    o = raw.OptionalFromValue(components=[fed([1.0, 2.0], "float32"), fed(3, "int64")])
    total, zeros = raw.AddN(inputs=[o, o]), raw.ZerosLike(x=o)
    none = raw.AddN(inputs=[raw.OptionalNone(), raw.ZerosLike(x=raw.OptionalNone())])
    types = ("float32", "int64")
    return [*value_of(raw, total, types), *value_of(raw, zeros, types), raw.OptionalHasValue(optional=none)]


for name, of in {
    "none": lambda raw: value_of(raw, raw.OptionalNone())[0],
    "count": lambda raw: value_of(raw, an_optional(raw), ["float32"])[0],
    "types": lambda raw: value_of(raw, an_optional(raw), ["float32", "int32"])[0],
    "shapes": lambda raw: value_of(raw, an_optional(raw), shapes=[[3], None])[0],
    "no_optional": lambda raw: raw.OptionalHasValue(optional=raw.EmptyTensorMap()),
    "no_optional_value": lambda raw: value_of(raw, raw.EmptyTensorMap())[0],
    "sum": lambda raw: raw.OptionalHasValue(optional=raw.AddN(inputs=[an_optional(raw), raw.OptionalNone()])),
}.items():
    optional(f"refused/{name}", error=INVALID)(of)

# Numbers that must be scalars may not be vectors of one element.
for name, build in {
    "TensorListSetItem/index": lambda tf, one: tf.raw_ops.TensorListSetItem(
        input_handle=tf.raw_ops.TensorListReserve(element_shape=[2], num_elements=2, element_dtype=tf.float32),
        index=one, item=[1.0, 2.0]),
    "TensorListReserve/num_elements": lambda tf, one: tf.raw_ops.TensorListReserve(
        element_shape=[2], num_elements=one, element_dtype=tf.float32),
    "TensorListResize/size": lambda tf, one: tf.raw_ops.TensorListResize(
        input_handle=tf.raw_ops.TensorListReserve(element_shape=[2], num_elements=2, element_dtype=tf.float32), size=one),
}.items():
    case(f"{name}_as_vector", lambda tf, v1, build=build: tf.raw_ops.TensorListLength(
        input_handle=build(tf, fed([1]))), error="INVALID_ARGUMENT")
case("TensorListScatterIntoExistingList/scalar_index", lambda tf, v1: tf.raw_ops.TensorListLength(
    input_handle=tf.raw_ops.TensorListScatterIntoExistingList(
        input_handle=tf.raw_ops.TensorListReserve(element_shape=[2], num_elements=2, element_dtype=tf.float32),
        tensor=fed([[1.0, 2.0]]), indices=fed(1))), error="INVALID_ARGUMENT")
case("TensorMapLookup/other_dtype", lambda tf, v1: tf.raw_ops.TensorMapLookup(
    input_handle=tf.raw_ops.TensorMapInsert(input_handle=tf.raw_ops.EmptyTensorMap(), key=fed(1.0), value=fed(5.0)),
    key=fed(1.0), value_dtype=tf.int32), error="INTERNAL")

def concatenated(tf, shape):
    list_ = tf.raw_ops.TensorListFromTensor(tensor=fed([[1.0, 2.0], [3.0, 4.0]]), element_shape=fed([2]))
    return list(tf.raw_ops.TensorListConcatV2(
        input_handle=list_, element_shape=fed(shape, "int32"), leading_dims=fed([], "int64"), element_dtype=tf.float32))


for name, shape in {"unknown": -1, "any": [-1], "own": [2]}.items():
    case(f"TensorListConcatV2/shape/{name}", lambda tf, v1, shape=shape: concatenated(tf, shape))
for name, shape in {"negative": [-2], "matrix": [[1]], "rank": [2, -1], "scalar": 5, "other": [3], "none": []}.items():
    case(f"TensorListConcatV2/shape/{name}", lambda tf, v1, shape=shape: concatenated(tf, shape), error="INVALID_ARGUMENT")


def concatenated_v1(tf, shape):
    list_ = tf.raw_ops.TensorListFromTensor(tensor=fed([[1.0, 2.0], [3.0, 4.0]]), element_shape=fed([2]))
    return list(tf.raw_ops.TensorListConcat(input_handle=list_, element_dtype=tf.float32, element_shape=shape))


for name, shape in {"any": [None], "own": [2], "other": [3]}.items():
    case(f"TensorListConcat/shape/{name}", lambda tf, v1, shape=shape: concatenated_v1(tf, shape))
case("TensorListConcat/shape/none", lambda tf, v1: concatenated_v1(tf, tf.TensorShape([])), error="INVALID_ARGUMENT")


# Numbers as variants, which graphs hold in encoded form.

ENCODED = {"int": struct.pack("<i", -5), "float": struct.pack("<f", 2.5e8), "double": struct.pack("<d", 1 / 3), "bool": b"\1"}


def encoded(tf, v1, name, value=None):
    """A constant that holds a number, encoded under the name of its type."""
    proto = v1.AttrValue().tensor
    proto.dtype = tf.variant.as_datatype_enum
    proto.tensor_shape.SetInParent()
    proto.variant_val.add(type_name=name, metadata=ENCODED[name] if value is None else value)
    attrs = {"value": v1.AttrValue(tensor=proto), "dtype": v1.AttrValue(type=tf.variant.as_datatype_enum)}
    return v1.get_default_graph().create_op("Const", [], [tf.variant], attrs=attrs).outputs[0]


for name, other in [("int", "float"), ("float", "int"), ("double", "bool"), ("bool", "double")]:
    case(f"AsString/encoded/{name}", lambda tf, v1: tf.raw_ops.AsString(input=encoded(tf, v1, name)))
    case(f"ZerosLike/encoded/{name}", lambda tf, v1: tf.raw_ops.AsString(input=tf.raw_ops.ZerosLike(x=encoded(tf, v1, name))))
    case(f"AddN/encoded/{name}", lambda tf, v1: tf.raw_ops.AsString(
        input=tf.raw_ops.AddN(inputs=[encoded(tf, v1, name), encoded(tf, v1, name), encoded(tf, v1, name)])))
    case(f"AddN/encoded/{name}/{other}", lambda tf, v1: tf.raw_ops.AsString(
        input=tf.raw_ops.AddN(inputs=[encoded(tf, v1, name), encoded(tf, v1, other)])), error="INTERNAL")
case("AddN/encoded/wraps", lambda tf, v1: tf.raw_ops.AsString(
    input=tf.raw_ops.AddN(inputs=[encoded(tf, v1, "int", struct.pack("<i", 2**31 - 1)), encoded(tf, v1, "int", struct.pack("<i", 2))])))
case("AddN/encoded/false", lambda tf, v1: tf.raw_ops.AsString(
    input=tf.raw_ops.AddN(inputs=[encoded(tf, v1, "bool", b"\0"), encoded(tf, v1, "bool", b"\0")])))

write(__file__)
