"""XLA's ops. TensorFlow has no kernels for them: a function that must be compiled by XLA runs them."""

import numpy as np
import tensorflow as tf
from record import case, write
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
    """A case of what `build` makes of these inputs, each a value and its dtype."""
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

# Margins: before, behind, between; negative ones cut off.
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


write(__file__)
