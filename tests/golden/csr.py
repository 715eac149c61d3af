"""Sparse matrices in CSR form."""

import numpy as np
import tensorflow

from record import case, same, write
from record import fed as feed

INVALID = "INVALID_ARGUMENT"
TYPES = ["float32", "float64", "complex64", "complex128"]
SHAPES = {"matrix": [4, 5], "batch": [3, 4, 5], "wide": [2, 7], "tall": [6, 1], "empty": [3, 2], "none": [0, 4], "no_columns": [3, 0]}


def fed(value, dtype=None):
    """A placeholder with the shape of the value: TensorFlow needs the rank."""
    return feed(value, dtype, list(np.shape(value)))


def numbers(dtype, *shape, seed=0):
    rng = np.random.RandomState(seed + sum(shape) + len(shape))
    values = rng.uniform(-2, 2, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.uniform(-2, 2, shape)
    return values.astype(dtype)


def places(shape, seed=0, part=0.4):
    """Indices of some elements, in order."""
    chosen = np.random.RandomState(seed + sum(shape)).uniform(size=shape) < (0 if shape == SHAPES["empty"] else part)
    return np.argwhere(chosen).astype(np.int64).reshape(-1, len(shape))


def sparse(dtype, shape, seed=0, part=0.4):
    """A matrix, as a node and as an array."""
    indices = places(shape, seed, part)
    values = numbers(dtype, len(indices), seed=seed)
    node = tensorflow.raw_ops.SparseTensorToCSRSparseMatrix(
        indices=fed(indices, "int64"), values=fed(values, dtype), dense_shape=fed(shape, "int64"))
    return node


def all_of(matrix, dtype):
    """The contents of a matrix, as a sparse tensor and as a dense one."""
    raw, kind = tensorflow.raw_ops, tensorflow.as_dtype(dtype)
    return [*raw.CSRSparseMatrixToSparseTensor(sparse_matrix=matrix, type=kind), raw.CSRSparseMatrixToDense(sparse_input=matrix, type=kind),
            raw.SparseMatrixNNZ(sparse_matrix=matrix)]


for label, shape in SHAPES.items():
    for dtype in TYPES if label == "matrix" else TYPES[:1]:
        case(f"CSR/{label}/{dtype}", lambda tf, v1: all_of(sparse(dtype, shape), dtype))
        dense = numbers(dtype, *shape)
        case(f"DenseToCSRSparseMatrix/{label}/{dtype}", lambda tf, v1: all_of(
            tf.raw_ops.DenseToCSRSparseMatrix(dense_input=fed(dense, dtype), indices=fed(places(shape), "int64")), dtype))
        for conjugate in [False, True]:
            case(f"SparseMatrixTranspose/{label}/{dtype}/{conjugate}", lambda tf, v1: all_of(
                tf.raw_ops.SparseMatrixTranspose(input=sparse(dtype, shape), conjugate=conjugate, type=tf.as_dtype(dtype)), dtype))
        for index in range(shape[0] if len(shape) == 3 else 1):
            case(f"CSRSparseMatrixComponents/{label}/{dtype}/{index}", lambda tf, v1: list(tf.raw_ops.CSRSparseMatrixComponents(
                csr_sparse_matrix=sparse(dtype, shape), index=fed(index), type=tf.as_dtype(dtype))))
case("CSR/text", lambda tf, v1: tf.strings.as_string(sparse("float32", [3, 4])))
for label, index in [("after", 1), ("before", -1)]:
    case(f"CSRSparseMatrixComponents/{label}", lambda tf, v1: list(tf.raw_ops.CSRSparseMatrixComponents(
        csr_sparse_matrix=sparse("float32", [2, 2]), index=fed(index), type=tf.float32)), error=INVALID)
case("CSRSparseMatrixToDense/type", lambda tf, v1: tf.raw_ops.CSRSparseMatrixToDense(sparse_input=sparse("float32", [2, 2]), type=tf.float64), error=INVALID)
WRONG = {"row": ([[0, 1], [4, 1]], [1, 2], [3, 4]), "column": ([[0, 4], [2, 1]], [1, 2], [3, 4]), "negative": ([[0, -1], [2, 1]], [1, 2], [3, 4]),
         "batch": ([[2, 0, 0]], [1], [2, 3, 4])}
for label, (indices, values, shape) in WRONG.items():
    case(f"CSR/wrong/{label}", lambda tf, v1: tf.raw_ops.SparseMatrixNNZ(sparse_matrix=tf.raw_ops.SparseTensorToCSRSparseMatrix(
        indices=fed(indices, "int64"), values=fed(values, "float32"), dense_shape=fed(shape, "int64"))), error=INVALID)

# Products.

TURNS = [{}, {"transpose_a": True}, {"adjoint_a": True}, {"transpose_b": True}, {"adjoint_b": True}, {"transpose_a": True, "adjoint_b": True},
         {"adjoint_a": True, "transpose_b": True}, {"adjoint_a": True, "adjoint_b": True}, {"transpose_a": True, "transpose_b": True}]
for batch in [[], [2]]:
    for dtype in TYPES if not batch else ["float32", "complex128"]:
        for turns in TURNS:
            name = f"{len(batch)}/{dtype}/{'/'.join(turns) or 'plain'}"
            a = [3, 4] if "adjoint_a" in turns or "transpose_a" in turns else [4, 3]
            b = [2, 3] if "adjoint_b" in turns or "transpose_b" in turns else [3, 2]
            outputs = [{}, {"transpose_output": True}, {"conjugate_output": True}, {"transpose_output": True, "conjugate_output": True}]
            for output in outputs if dtype == "complex128" else outputs[:2]:
                if output == outputs[2] and turns not in TURNS[:3]:
                    continue
                case(f"SparseMatrixMatMul/{name}/{'/'.join(output) or 'plain'}", lambda tf, v1: tf.raw_ops.SparseMatrixMatMul(
                    a=sparse(dtype, batch + a), b=fed(numbers(dtype, *batch, *b), dtype), **turns, **output))
            case(f"SparseMatrixSparseMatMul/{name}", lambda tf, v1: all_of(tf.raw_ops.SparseMatrixSparseMatMul(
                a=sparse(dtype, batch + a), b=sparse(dtype, batch + b, seed=1), type=tf.as_dtype(dtype), **turns), dtype))
# Factors. Any order that makes them sparse is valid, so only its validity is checked.


def positive(dtype, n, batch=()):
    rng = np.random.RandomState(n)
    half = np.where(rng.uniform(size=(*batch, n, n)) < 0.25, numbers(dtype, *batch, n, n), 0)
    return half @ np.conj(np.swapaxes(half, -1, -2)) + 2 * np.eye(n, dtype=dtype)


def factored(tf, matrix, dtype, permutation):
    indices = np.argwhere(matrix != 0).astype(np.int64)
    node = tf.raw_ops.DenseToCSRSparseMatrix(dense_input=fed(matrix.astype(dtype), dtype), indices=fed(indices, "int64"))
    return tf.raw_ops.SparseMatrixSparseCholesky(input=node, permutation=fed(permutation, "int32"), type=tf.as_dtype(dtype)), node


for dtype in TYPES:
    for label, n, batch in [("one", 1, ()), ("small", 4, ()), ("large", 9, ()), ("batch", 5, (3,))]:
        order = np.argsort(np.random.RandomState(n).uniform(size=(*batch, n)), -1)
        case(f"SparseMatrixSparseCholesky/{label}/{dtype}", lambda tf, v1: all_of(factored(tf, positive(dtype, n, batch), dtype, order)[0], dtype),
             rtol=1e-4 if dtype in ("float32", "complex64") else 1e-9, atol=1e-5)
        case(f"SparseMatrixOrderingAMD/{label}/{dtype}", lambda tf, v1: tf.sort(
            tf.raw_ops.SparseMatrixOrderingAMD(input=factored(tf, positive(dtype, n, batch), dtype, order)[1])))
for label, matrix, order in [("negative", -np.eye(3), [0, 1, 2]), ("indefinite", np.array([[1.0, 2], [2, 1]]), [0, 1])]:
    case(f"SparseMatrixSparseCholesky/wrong/{label}", lambda tf, v1: all_of(factored(tf, matrix, "float64", order)[0], "float64"), error=INVALID)

# Ops that TensorFlow only computes on GPUs.


def made(tf, indices, values, shape):
    return tf.raw_ops.SparseTensorToCSRSparseMatrix(indices=indices, values=values, dense_shape=shape)


def dense(tf, indices, values, shape):
    return tf.scatter_nd(indices, values, shape)


def to_dense(tf, matrix, dtype):
    return [tf.raw_ops.CSRSparseMatrixToDense(sparse_input=matrix, type=tf.as_dtype(dtype))]


for dtype in TYPES:
    for shape in [[4, 5], [2, 3, 4]]:
        tf, name = tensorflow, f"{len(shape)}/{dtype}"
        a, b = places(shape), places(shape, seed=1)
        feeds = [numbers(dtype, len(a)), numbers(dtype, len(b), seed=1), numbers(dtype, 2)]
        same(f"SparseMatrixAdd/{name}", feeds, lambda x, y, s: to_dense(tf, tf.raw_ops.SparseMatrixAdd(
            a=made(tf, a, x, shape), b=made(tf, b, y, shape), alpha=s[0], beta=s[1]), dtype),
            lambda x, y, s: [s[0] * dense(tf, a, x, shape) + s[1] * dense(tf, b, y, shape)])
        same(f"AddN/{name}", feeds[:2], lambda x, y: to_dense(tf, tf.raw_ops.AddN(
            inputs=[made(tf, a, x, shape), made(tf, b, y, shape), made(tf, b, y, shape)]), dtype),
            lambda x, y: [dense(tf, a, x, shape) + 2 * dense(tf, b, y, shape)])
        same(f"ZerosLike/{name}", feeds[:1], lambda x: to_dense(tf, tf.raw_ops.ZerosLike(x=made(tf, a, x, shape)), dtype),
             lambda x: [tf.zeros(shape, dtype)])
        same(f"SparseMatrixZeros/{name}", feeds[:1], lambda x: [tf.raw_ops.CSRSparseMatrixToDense(
            sparse_input=tf.raw_ops.SparseMatrixZeros(dense_shape=shape, type=tf.as_dtype(dtype)), type=tf.as_dtype(dtype))], lambda x: [tf.zeros(shape, dtype)])
        same(f"SparseMatrixMul/{name}", [feeds[0], feeds[2]], lambda x, s: to_dense(tf, tf.raw_ops.SparseMatrixMul(
            a=made(tf, a, x, shape), b=s[0] if len(shape) == 2 else tf.reshape(s, [2, 1, 1])), dtype),
            lambda x, s: [dense(tf, a, x, shape) * (s[0] if len(shape) == 2 else tf.reshape(s, [2, 1, 1]))])
        if dtype.startswith("complex"):
            continue

        def softmax(x):
            there = dense(tf, a, tf.ones_like(x), shape) > 0
            powers = tf.where(there, tf.exp(dense(tf, a, x, shape)), tf.zeros(shape, dtype))
            return tf.math.divide_no_nan(powers, tf.reduce_sum(powers, -1, keepdims=True))

        kind = tf.as_dtype(dtype)
        same(f"SparseMatrixSoftmax/{name}", feeds[:1], lambda x: to_dense(tf, tf.raw_ops.SparseMatrixSoftmax(logits=made(tf, a, x, shape), type=kind), dtype),
             lambda x: [softmax(x)])
        same(f"SparseMatrixSoftmaxGrad/{name}", [feeds[0], numbers(dtype, len(a), seed=2)], lambda x, dy: tf.raw_ops.CSRSparseMatrixToSparseTensor(
            sparse_matrix=tf.raw_ops.SparseMatrixSoftmaxGrad(softmax=tf.raw_ops.SparseMatrixSoftmax(logits=made(tf, a, x, shape), type=kind),
                                                             grad_softmax=made(tf, a, dy, shape), type=kind), type=kind)[1:2],
             lambda x, dy: tf.gradients(softmax(x), x, dense(tf, a, dy, shape)))


write(__file__)
