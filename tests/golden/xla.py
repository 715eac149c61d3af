"""XLA's ops. TensorFlow has no kernels for them: a function that must be compiled by XLA runs them."""

import numpy as np
import tensorflow as tf
from record import case, same, write
from record import fed as feed
from tensorflow.compiler.tf2xla.ops import gen_xla_ops as xla
from tensorflow.compiler.xla import xla_data_pb2


def fed(value, dtype="float32"):
    value = np.asarray(value)
    if dtype.startswith("complex"):
        value = value + 1j * (np.cos(np.arange(value.size)) * 0.5).reshape(value.shape)
    value = value.astype(tf.as_dtype(dtype).as_numpy_dtype)
    return feed(value, dtype, list(value.shape))


def spread(*shape):
    return np.random.RandomState(len(shape) + sum(shape)).uniform(-4, 4, shape)


def compiled(name, build, *inputs, **options):
    """A case of the result of `build` on these inputs, each a value and its dtype."""
    def graph(tf, v1):
        return tf.function(build, jit_compile=True)(*[fed(*given) for given in inputs])
    case(name, graph, **options)


def dot(batch, summed):
    numbers = xla_data_pb2.DotDimensionNumbers()
    for axes, (ours, theirs) in [(batch, (numbers.lhs_batch_dimensions, numbers.rhs_batch_dimensions)),
                                 (summed, (numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions))]:
        ours.extend(axes[0])
        theirs.extend(axes[1])
    return numbers.SerializeToString()


DOTS = [("matrices", [3, 4], [4, 5], [[], []], [[1], [0]]), ("vectors", [6], [6], [[], []], [[0], [0]]),
        ("outer", [3], [4], [[], []], [[], []]), ("batch", [2, 3, 4], [2, 4, 5], [[0], [0]], [[2], [1]]),
        ("inner_batch", [3, 2, 4], [4, 5, 2], [[1], [2]], [[2], [0]]), ("two", [2, 3, 4, 5], [5, 3, 6], [[], []], [[1, 3], [1, 0]]),
        ("two_batches", [2, 3, 4], [3, 2, 4], [[0, 1], [1, 0]], [[2], [2]]), ("empty", [0, 4], [4, 2], [[], []], [[1], [0]])]
for label, a, b, batch, summed in DOTS:
    compiled(f"XlaDot/{label}", lambda x, y: xla.xla_dot(x, y, dot(batch, summed), b""), (spread(*a), "float32"), (spread(*b), "float32"),
             rtol=1e-4, atol=1e-4)
for dtype in ["float64", "bfloat16", "float16", "int32", "int64", "complex64", "complex128"]:
    compiled(f"XlaDot/{dtype}", lambda x, y: xla.xla_dot(x, y, dot([[], []], [[1], [0]]), b""), (spread(3, 4), dtype), (spread(4, 5), dtype),
             rtol=3e-2 if dtype.endswith("16") else 1e-4, atol=1e-1 if dtype.endswith("16") else 1e-4)
for a, b, to in [("float32", "float32", "float32"), ("int8", "int8", "int32"), ("bfloat16", "bfloat16", "float32"), ("uint8", "int32", "int32")]:
    compiled(f"XlaDotV2/{a}_{b}_{to}", lambda x, y: xla.xla_dot_v2(x, y, dot([[], []], [[1], [0]]), b"", tf.as_dtype(to)),
             (np.abs(spread(3, 4)), a), (spread(4, 5), b), rtol=1e-2 if a == "bfloat16" else 1e-4, atol=1e-2 if a == "bfloat16" else 1e-4)
for label, equation, a, b in [("matrices", "ij,jk->ik", [3, 4], [4, 5]), ("batch", "bij,bkj->bik", [2, 3, 4], [2, 5, 4])]:
    for dtype in ["float32", "complex64"]:
        compiled(f"XlaEinsum/{label}/{dtype}", lambda x, y: xla.xla_einsum(x, y, equation), (spread(*a), dtype), (spread(*b), dtype),
                 rtol=1e-4, atol=1e-4)

# Padding: low, high, interior; negative padding crops.
PADS = [("around", [2, 3], [1, 0], [2, 1], [0, 0]), ("between", [2, 3], [0, 1], [0, 2], [1, 2]), ("cut", [4, 5], [-1, -2], [0, -1], [0, 0]),
        ("cut_between", [4, 3], [-1, -2], [-3, 1], [2, 1]), ("both", [3, 4], [-1, 2], [2, -3], [0, 0]), ("none", [2, 2], [0, 0], [0, 0], [0, 0]),
        ("vector", [3], [2], [1], [3]), ("scalar", [], [], [], []), ("empty", [0, 2], [1, 0], [1, 0], [2, 0]), ("all", [3], [-5], [6], [0])]
for label, shape, low, high, inside in PADS:
    compiled(f"XlaPad/{label}", lambda x, value: xla.xla_pad(x, value, np.int32(low).reshape(-1), np.int32(high).reshape(-1), np.int32(inside).reshape(-1)),
             (spread(*shape), "float32"), (7.5, "float32"))
for dtype in ["uint8", "int64", "bfloat16", "complex128", "bool"]:
    compiled(f"XlaPad/{dtype}", lambda x, value: xla.xla_pad(x, value, np.int64([1, 0]), np.int64([0, 2]), np.int64([1, 0])),
             (spread(2, 3), dtype), (1, dtype))

for label, shape, start, size in [("inside", [4, 5], [1, 2], [2, 3]), ("moved", [4, 5], [3, 4], [2, 3]), ("before", [4, 5], [-7, 1], [3, 2]),
                                  ("whole", [4, 5], [2, 2], [4, 5]), ("nothing", [4, 5], [1, 1], [0, 2]), ("vector", [6], [2], [3])]:
    for index in ["int32", "int64"]:
        compiled(f"XlaDynamicSlice/{label}/{index}", lambda x, at: xla.xla_dynamic_slice(x, at, tf.constant(size, index)),
                 (spread(*shape), "float32"), (start, index))
        compiled(f"XlaDynamicUpdateSlice/{label}/{index}", lambda x, update, at: xla.xla_dynamic_update_slice(x, update, at),
                 (spread(*shape), "float32"), (10 + spread(*size), "float32"), (start, index))
for dtype in ["int8", "float16", "float64", "bool"]:
    compiled(f"XlaDynamicUpdateSlice/{dtype}", lambda x, update, at: xla.xla_dynamic_update_slice(x, update, at),
             (spread(3, 2, 4), dtype), (1 + spread(2, 1, 2), dtype), ([0, 1, 3], "int32"))
    compiled(f"XlaDynamicSlice/{dtype}", lambda x, at: xla.xla_dynamic_slice(x, at, tf.constant([2, 1, 2])),
             (spread(3, 2, 4), dtype), ([0, 1, 3], "int32"))


def gather(offset, collapsed, starts, vector, batch=((), ())):
    numbers = xla_data_pb2.GatherDimensionNumbers()
    numbers.offset_dims.extend(offset)
    numbers.collapsed_slice_dims.extend(collapsed)
    numbers.start_index_map.extend(starts)
    numbers.index_vector_dim = vector
    numbers.operand_batching_dims.extend(batch[0])
    numbers.start_indices_batching_dims.extend(batch[1])
    return numbers.SerializeToString()


GATHERS = [("rows", [5, 3], [[4], [0], [2]], [1, 3], gather([1], [0], [0], 1)),
           ("implicit", [5, 3], [4, 0, 9], [1, 3], gather([1], [0], [0], 1)),
           ("elements", [3, 4], [[0, 3], [2, 1]], [1, 1], gather([], [0, 1], [0, 1], 1)),
           ("windows", [5, 6], [[1, 2], [4, 5], [-3, 0]], [2, 3], gather([1, 2], [], [0, 1], 1)),
           ("swapped", [5, 6], [[1, 2], [3, 0]], [2, 3], gather([0, 2], [], [1, 0], 1)),
           ("first", [5, 6], [[1, 3, 0], [2, 4, 5]], [1, 2], gather([1], [0], [0, 1], 0)),
           ("columns", [3, 5], [[[1], [4]], [[0], [2]]], [3, 1], gather([0], [1], [1], 2)),
           ("one", [4, 5], [2, 3], [1, 2], gather([0], [0], [0, 1], 0)),
           ("deep", [3, 4, 5], [[[1, 2]], [[0, 3]]], [1, 4, 2], gather([1, 3], [0], [0, 2], 2)),
           ("batch", [2, 5, 3], [[[4], [1]], [[0], [2]]], [1, 1, 3], gather([2], [1], [1], 2, ([0], [0]))),
           ("none", [4, 2], np.zeros([0, 1]), [1, 2], gather([1], [0], [0], 1))]
for label, shape, at, sizes, numbers in GATHERS:
    for index in ["int32", "int64"]:
        compiled(f"XlaGather/{label}/{index}", lambda x, at: xla.xla_gather(x, at, tf.constant(sizes, index), numbers, False),
                 (spread(*shape), "float32"), (at, index))
for dtype in ["uint8", "float16", "int64", "complex128", "bool"]:
    compiled(f"XlaGather/{dtype}", lambda x, at: xla.xla_gather(x, at, tf.constant([1, 3]), gather([1], [0], [0], 1), True),
             (spread(5, 3), dtype), ([[1], [3]], "int32"))

for dtype in ["float32", "float64", "bfloat16", "int32", "uint8", "int64"]:
    compiled(f"XlaSort/{dtype}", xla.xla_sort, (np.abs(spread(3, 7)) * 9, dtype))
    compiled(f"XlaKeyValueSort/{dtype}", lambda keys, values: list(xla.xla_key_value_sort(keys, values)),
             (np.array([[7, 2, 5, 1, 9], [0, 4, 3, 8, 6]]), dtype), (np.arange(10).reshape(2, 5), "int32"))
compiled("XlaSort/special", xla.xla_sort, ([[np.nan, 1, -np.inf, np.inf, 0, -0.0, 2]], "float32"))
compiled("XlaSort/vector", xla.xla_sort, (spread(9), "float32"))
compiled("XlaSort/empty", xla.xla_sort, (spread(3, 0), "float32"))

compiled("XlaSharding", lambda x: xla.xla_sharding(x), (spread(2, 3), "float32"))
compiled("XlaOptimizationBarrier", lambda x, y: list(xla.xla_optimization_barrier([x, y])), (spread(2, 3), "float32"), ([1, 2], "int32"))


def axes(images, kernel, output):
    """Axes from strings: N and C of images, I and O of filters, digits for those of space."""
    numbers = xla_data_pb2.ConvolutionDimensionNumbers()
    space = sorted(set(images) - set("NC"))
    numbers.input_batch_dimension, numbers.input_feature_dimension = images.index("N"), images.index("C")
    numbers.output_batch_dimension, numbers.output_feature_dimension = output.index("N"), output.index("C")
    numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension = kernel.index("I"), kernel.index("O")
    for axis in space:
        numbers.input_spatial_dimensions.append(images.index(axis))
        numbers.kernel_spatial_dimensions.append(kernel.index(axis))
        numbers.output_spatial_dimensions.append(output.index(axis))
    return numbers.SerializeToString()


NHWC, NCHW = axes("N01C", "01IO", "N01C"), axes("NC01", "OI01", "NC01")
CONVOLUTIONS = [
    ("nhwc", [2, 5, 6, 3], [3, 2, 3, 4], [1, 1], [[0, 0], [0, 0]], [1, 1], [1, 1], 1, NHWC),
    ("padded", [2, 5, 6, 3], [3, 2, 3, 4], [2, 1], [[1, 2], [0, 3]], [1, 1], [1, 1], 1, NHWC),
    ("nchw", [2, 3, 5, 6], [4, 3, 3, 2], [1, 2], [[1, 1], [1, 0]], [1, 1], [2, 1], 1, NCHW),
    ("transposed", [1, 4, 5, 2], [3, 3, 2, 3], [1, 1], [[2, 2], [1, 3]], [2, 3], [1, 1], 1, NHWC),
    ("groups", [2, 5, 4, 6], [2, 2, 3, 4], [1, 1], [[0, 1], [1, 0]], [1, 1], [1, 1], 2, NHWC),
    ("depthwise", [2, 5, 4, 3], [2, 2, 1, 6], [1, 1], [[0, 1], [1, 0]], [1, 1], [1, 1], 3, NHWC),
    ("cut", [1, 6, 6, 2], [2, 2, 2, 3], [1, 1], [[-1, 0], [1, -2]], [1, 1], [1, 1], 1, NHWC),
    ("mixed", [5, 2, 3, 6], [2, 4, 3, 3], [1, 1], [[1, 1], [0, 0]], [1, 1], [1, 1], 1, axes("0NC1", "1OI0", "C1N0")),
    ("line", [2, 7, 3], [3, 3, 4], [2], [[1, 1]], [1], [1], 1, axes("N0C", "0IO", "N0C")),
    ("volume", [1, 4, 3, 5, 2], [2, 2, 3, 2, 3], [1, 1, 2], [[0, 1], [1, 0], [1, 1]], [1, 1, 1], [1, 1, 1], 1, axes("N012C", "012IO", "N012C")),
]
for label, images, filters, strides, padding, apart, dilations, groups, numbers in CONVOLUTIONS:
    def numbers_of(index):
        return [tf.constant(x, index) for x in (strides, padding, apart, dilations, groups)]
    for index in ["int32", "int64"]:
        compiled(f"XlaConv/{label}/{index}", lambda x, w: xla.xla_conv(x, w, *numbers_of(index), numbers, b""),
                 (spread(*images), "float32"), (spread(*filters), "float32"), rtol=1e-4, atol=1e-4)
for a, b, to in [("float32", "float32", "float32"), ("float64", "float64", "float64"), ("bfloat16", "bfloat16", "float32"), ("int8", "int8", "int32")]:
    compiled(f"XlaConvV2/{a}_{b}_{to}", lambda x, w: xla.xla_conv_v2(
        x, w, tf.constant([1, 2]), tf.constant([[1, 1], [0, 1]]), tf.constant([1, 1]), tf.constant([1, 1]), tf.constant(1), NHWC, b"", tf.as_dtype(to), 1),
        (spread(2, 5, 6, 3), a), (spread(3, 2, 3, 4), b), rtol=1e-2 if a == "bfloat16" else 1e-4, atol=1e-2 if a == "bfloat16" else 1e-4)


# Ops that call functions of elements.

def function(f, *dtypes):
    """A function of scalars of these types."""
    return tf.function(f).get_concrete_function(*[tf.TensorSpec([], dtype) for dtype in dtypes])


def of_scalars(x, y):
    """A sum computed with vectors, which is not a function of one element at a time."""
    return tf.reduce_sum(tf.stack([x, y]))


PAIRS = {"add": lambda x, y: x + y, "mul": lambda x, y: x * y, "max": tf.maximum, "min": tf.minimum,
         "largest": lambda x, y: tf.where(tf.abs(x) > tf.abs(y), x, y), "stacked": of_scalars}
for what, f in PAIRS.items():
    for label, shape, axes in [("rows", [3, 4], [1]), ("columns", [5, 3], [0]), ("all", [2, 3], [0, 1]), ("none", [2, 2], []),
                               ("outer", [3, 2, 7], [2, 0]), ("empty", [0, 3], [0]), ("nothing", [0, 3], [1]), ("scalar", [], [])]:
        if what not in ("add", "stacked") and label not in ("rows", "outer"):
            continue
        compiled(f"XlaReduce/{what}/{label}", lambda x, init: xla.xla_reduce(x, init, axes, function(f, "float32", "float32")),
                 (spread(*shape) / 2, "float32"), (0.5, "float32"), rtol=1e-5, atol=1e-5)
for dtype in ["float64", "bfloat16", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "complex64", "complex128"]:
    compiled(f"XlaReduce/{dtype}", lambda x, init: xla.xla_reduce(x, init, [0], function(lambda x, y: x + y, dtype, dtype)),
             (np.abs(spread(5, 3)), dtype), (1, dtype), rtol=3e-2 if dtype.endswith("16") else 1e-5, atol=1e-5)
compiled("XlaReduce/bool", lambda x, init: xla.xla_reduce(x, init, [1], function(tf.logical_or, "bool", "bool")),
         ([[1, 0, 0], [0, 0, 0]], "bool"), (0, "bool"))


def largest(a, i, b, j):
    """The larger of two numbers and its index, the first of equal ones."""
    takes = tf.logical_or(a > b, tf.logical_and(tf.equal(a, b), i < j))
    return tf.where(takes, a, b), tf.where(takes, i, j)


for label, shape, axes in [("rows", [3, 5], [1]), ("all", [4, 3], [0, 1]), ("outer", [4, 3], [0])]:
    places = np.arange(np.prod(shape)).reshape(shape)
    for index in ["int32", "int64"]:
        compiled(f"XlaVariadicReduceV2/{label}/{index}", lambda x, at, init, nowhere: xla.xla_variadic_reduce_v2(
            [x, at], [init, nowhere], axes, function(largest, "float32", index, "float32", index)),
            (np.round(spread(*shape)), "float32"), (places, index), (-np.inf, "float32"), (1000, index))
    compiled(f"XlaVariadicReduce/{label}", lambda x, y, first, second: xla.xla_variadic_reduce(
        [x, y], [first, second], axes, function(lambda a, b, c, d: (a + c, b * d), *["float32"] * 4)),
        (spread(*shape), "float32"), (spread(*shape) / 2, "float32"), (0, "float32"), (1, "float32"), rtol=1e-4, atol=1e-5)

# Sizes, strides, base dilations, window dilations, padding.
WINDOWS = [("pool", [4, 6], [2, 3], [2, 3], [1, 1], [1, 1], [[0, 0], [0, 0]]), ("overlap", [5, 4], [3, 2], [1, 1], [1, 1], [1, 1], [[1, 1], [0, 1]]),
           ("dilated", [6, 5], [2, 2], [1, 2], [1, 1], [3, 2], [[0, 2], [1, 0]]), ("apart", [3, 4], [2, 3], [1, 1], [2, 3], [1, 1], [[0, 1], [2, 0]]),
           ("cut", [5, 5], [2, 2], [1, 1], [1, 1], [1, 1], [[-1, 0], [0, -2]]), ("line", [7], [3], [2], [1], [1], [[2, 1]]),
           ("too_large", [2, 2], [3, 1], [1, 1], [1, 1], [1, 1], [[0, 0], [0, 0]])]
for label, shape, *rest in WINDOWS:
    for what in ["add", "max", "stacked"]:
        for index in ["int32", "int64"][:2 if what == "add" else 1]:
            compiled(f"XlaReduceWindow/{label}/{what}/{index}", lambda x, init: xla.xla_reduce_window(
                x, init, *[tf.constant(x, index) for x in rest], computation=function(PAIRS[what], "float32", "float32")),
                (spread(*shape), "float32"), (-np.inf if what == "max" else 0, "float32"), rtol=1e-5, atol=1e-5)
for dtype in ["bfloat16", "int8", "uint64", "complex64"]:
    compiled(f"XlaReduceWindow/{dtype}", lambda x, init: xla.xla_reduce_window(
        x, init, *[tf.constant(x) for x in ([2, 2], [1, 1], [1, 1], [1, 1], [[0, 1], [0, 0]])], computation=function(PAIRS["add"], dtype, dtype)),
        (np.abs(spread(3, 4)), dtype), (0, dtype), rtol=3e-2 if dtype == "bfloat16" else 1e-5, atol=1e-5)
for label, shape, width, strides, padding in [("pool", [4, 6], [2, 3], [2, 3], [[0, 0], [0, 0]]), ("overlap", [5, 6], [3, 2], [1, 2], [[0, 0], [0, 0]]),
                                              ("padded", [4, 5], [2, 2], [2, 2], [[0, 0], [1, 0]]), ("line", [8], [3], [1], [[1, 1]])]:
    count = [(n + low + high - w) // s + 1 for n, w, s, (low, high) in zip(shape, width, strides, padding)]
    for what, f in [("greater", tf.greater_equal), ("less", tf.less_equal)]:
        compiled(f"XlaSelectAndScatter/{label}/{what}", lambda x, source, init: xla.xla_select_and_scatter(
            x, tf.constant(width), tf.constant(strides), tf.constant(padding), source, init,
            select=function(f, "float32", "float32"), scatter=function(PAIRS["add"], "float32", "float32")),
            (np.round(spread(*shape)), "float32"), (spread(*count), "float32"), (0.5, "float32"), rtol=1e-5, atol=1e-5)


def scattered(window, inserted, axes, vector, batch=((), ())):
    # The message's fields: TensorFlow has no Python class for it.
    fields = [(1, window), (2, inserted), (3, axes), (5, batch[0]), (6, batch[1])]
    packed = b"".join(bytes([number << 3 | 2, len(values), *values]) for number, values in fields if values)
    return packed + bytes([4 << 3, vector])


SCATTERS = [("rows", [5, 3], [[0], [3], [3]], [3, 3], scattered([1], [0], [0], 1)), ("elements", [4, 5], [[1, 2], [3, 4], [0, 0]], [3], scattered([], [0, 1], [0, 1], 1)),
            ("parts", [5, 6], [[1, 2], [2, 1]], [2, 2, 3], scattered([1, 2], [], [0, 1], 1)), ("outside", [4, 4], [[3, 1], [-1, 0], [1, 9], [2, 2]], [4, 2, 2], scattered([1, 2], [], [0, 1], 1)),
            ("turned", [4, 3], [[0, 2, 2]], [3, 3], scattered([0], [0], [0], 0)), ("one", [5], [2], [], scattered([], [0], [0], 0)),
            ("all", [3], [[1], [1], [1], [1]], [4], scattered([], [0], [0], 1)), ("places", [6, 2], [[1, 4], [0, 1]], [2, 2, 2], scattered([2], [0], [0], 2))]
for label, shape, places, updates, numbers in SCATTERS:
    for what in ["add", "largest", "stacked"]:
        for index in ["int32", "int64"][:2 if what == "add" else 1]:
            compiled(f"XlaScatter/{label}/{what}/{index}", lambda x, at, update: xla.xla_scatter(
                x, at, update, function(PAIRS[what], "float32", "float32"), numbers, False),
                (spread(*shape), "float32"), (places, index), (spread(*updates) * 2, "float32"), rtol=1e-5, atol=1e-5)
compiled("XlaScatter/set", lambda x, at, update: xla.xla_scatter(x, at, update, function(lambda x, y: y, "int64", "int64"), SCATTERS[0][4], True),
         (spread(4, 3), "int64"), ([[2], [0]], "int32"), (spread(2, 3), "int64"))
for dtype in ["bool", "uint8", "complex128"]:
    f = tf.logical_or if dtype == "bool" else PAIRS["add"]
    compiled(f"XlaScatter/{dtype}", lambda x, at, update: xla.xla_scatter(x, at, update, function(f, dtype, dtype), SCATTERS[0][4], False),
             (np.abs(spread(5, 3)), dtype), ([[1], [1], [4]], "int32"), (np.abs(spread(3, 3)), dtype))

for label, shape, axis in [("rows", [3, 9], 1), ("columns", [7, 2], 0), ("inner", [2, 5, 3], 1), ("one", [1], 0), ("empty", [0, 2], 0), ("vector", [17], 0)]:
    keys, values = np.round(spread(*shape)), np.arange(np.prod(shape)).reshape(shape)
    compiled(f"XlaVariadicSort/{label}", lambda x, y: xla.xla_variadic_sort(
        [x, y], axis, function(lambda a, b, c, d: a < b, "float32", "float32", "int32", "int32"), is_stable=True), (keys, "float32"), (values, "int32"))
    compiled(f"XlaVariadicSort/{label}/backwards", lambda x, y, z: xla.xla_variadic_sort(
        [x, y, z], axis, function(lambda a, b, c, d, e, f: tf.logical_or(c > d, tf.logical_and(tf.equal(c, d), a < b)), "int64", "int64", "float64", "float64", "bool", "bool"), is_stable=False),
        (values, "int64"), (keys, "float64"), (keys > 0, "bool"))
compiled("XlaVariadicSort/scalars", lambda x: xla.xla_variadic_sort([x], 0, function(lambda a, b: tf.reduce_max(tf.stack([a, b])) > a, "float32", "float32"), is_stable=True),
         (np.round(spread(9)), "float32"))

for limit in [0, 1, 9]:
    specs = [tf.TensorSpec([], "int32"), tf.TensorSpec([2], "float32"), tf.TensorSpec([], "int32")]
    compiled(f"XlaWhile/{limit}", lambda i, x, n: xla.xla_while(
        [i, x, n], tf.function(lambda i, x, n: i < n).get_concrete_function(*specs),
        tf.function(lambda i, x, n: (i + 1, x * 1.5, n)).get_concrete_function(*specs)), (0, "int32"), (spread(2), "float32"), (limit, "int32"))

# Rounded to fewer bits: to zero, to the largest and to infinity, ties to even.
ROUNDED = [1.0001, 70000, 65519.9, 65520, 6.2e-5, 6.1e-5, 6e-8, 1e-42, -3.14159, 1 + 1 / 256, 1 + 3 / 256, 0, -0.0, np.nan, np.inf, -np.inf, 3.4e38]
for dtype in ["float32", "float64", "bfloat16", "float16"]:
    for exponent, mantissa in [(5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (11, 52), (3, 0), (2, 5), (1, 4)]:
        compiled(f"XlaReducePrecision/{dtype}/{exponent}_{mantissa}", lambda x: xla.xla_reduce_precision(x, exponent, mantissa), (ROUNDED, dtype))

GRIDS = [("plain", [2, 2], [2, 2], [0, 0]), ("padded", [2, 3], [2, 2], [1, 2]), ("line", [3], [4], [2]), ("deep", [2, 1, 2], [1, 3, 2], [0, 1, 1]),
         ("all", [2, 2], [2, 2], [3, 0]), ("whole", [3, 2], [1, 1], [0, 0])]
for label, block, counts, paddings in GRIDS:
    blocks = [(10 * i + np.arange(np.prod(block)).reshape(block), "float32") for i in range(int(np.prod(counts)))]
    compiled(f"XlaConcatND/{label}", lambda *x: tf.raw_ops.XlaConcatND(inputs=list(x), num_concats=counts, paddings=paddings), *blocks)
    shape = [b * c - p for b, c, p in zip(block, counts, paddings)]
    compiled(f"XlaSplitND/{label}", lambda x: tf.raw_ops.XlaSplitND(input=x, N=int(np.prod(counts)), num_splits=counts, paddings=paddings),
             (np.arange(np.prod(shape)).reshape(shape) + 1, "float32"))
for dtype in ["bool", "int64", "bfloat16", "complex64"]:
    compiled(f"XlaConcatND/{dtype}", lambda *x: tf.raw_ops.XlaConcatND(inputs=list(x), num_concats=[2], paddings=[1]), ([1, 0], dtype), ([0, 1], dtype))
    compiled(f"XlaSplitND/{dtype}", lambda x: tf.raw_ops.XlaSplitND(input=x, N=2, num_splits=[2], paddings=[1]), ([1, 0, 1], dtype))

for label, algorithm, state in [("philox2", 1, [7, 11]), ("philox3", 1, [2**63 + 5, 2**64 - 2, 13]), ("threefry", 2, [2**40 + 7, 2**32 - 2])]:
    for shape in [[], [2], [5], [2, 3], [3, 5], [2, 2, 2], [3, 1, 2], [0, 2]]:
        for dtype in ["uint32", "uint64"]:
            name = "x".join(map(str, shape)) or "scalar"
            compiled(f"XlaRngBitGenerator/{label}/{name}/{dtype}", lambda s: list(xla.xla_rng_bit_generator(algorithm, s, np.array(shape, "int32"), tf.as_dtype(dtype))),
                     (np.array(state, "uint64"), "uint64"))

# Vectors up to their signs: compared by the reconstructed matrices.
SYMMETRIC = spread(4, 4) + spread(4, 4).T
for dtype in ["float32", "float64"]:
    def eigen(a, lower):
        w, v = xla.xla_self_adjoint_eig(a, lower, 100, 1e-6)
        return [w, tf.matmul(v * tf.expand_dims(w, -2), v, adjoint_b=True), tf.abs(v)]
    for label, value in [("one", SYMMETRIC), ("two", np.stack([SYMMETRIC, np.diag([3.0, 1, 2, 5])]))]:
        for lower in [True, False]:
            compiled(f"XlaSelfAdjointEig/{label}/{dtype}/{lower}", lambda a: eigen(a, lower), (np.tril(value) if lower else np.triu(value), dtype), rtol=1e-3, atol=1e-3)
for dtype in ["float32", "float64"]:
    def factored(a):
        s, u, v = xla.xla_svd(a, 100, 1e-6, b"")
        n = min(a.shape[-2:])
        return [s, tf.matmul(u[..., :n] * tf.expand_dims(s, -2), v[..., :n], adjoint_b=True), tf.matmul(u, u, adjoint_a=True), tf.matmul(v, v, adjoint_a=True)]
    for shape in [[3, 3], [4, 2], [2, 4], [2, 3, 2]]:
        compiled(f"XlaSvd/{'x'.join(map(str, shape))}/{dtype}", factored, (spread(*shape), dtype), rtol=1e-3, atol=1e-3)

# TensorFlow ends the process if there is no replica number; a session is one replica.
same("XlaReplicaId", [], lambda: [xla.xla_replica_id()], lambda: [tf.constant(0)])

write(__file__)
