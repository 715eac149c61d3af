"""Sparse, ragged and set ops."""

import numpy as np
import tensorflow

from record import case, fed, write

INVALID = "INVALID_ARGUMENT"
INTERNAL = "INTERNAL"


def i64(*values):
    return np.array(values, np.int64)


def f32(*values):
    return np.array(values, np.float32)


def text(*values):
    return np.array(values, object)


def scalar(value, dtype=np.int64):
    return np.array(value, dtype)


def none(rank):
    return np.zeros((0, rank), np.int64)


def run(name, op, error=None, **args):
    """A case of one op whose arrays are fed."""

    def build(tf, v1):
        def made(v):
            if isinstance(v, np.ndarray):
                return fed(v, tf.string if v.dtype == object else None)
            return [made(x) for x in v] if isinstance(v, list) and v and isinstance(v[0], np.ndarray) else v

        out = getattr(tf.raw_ops, op)(**{k: made(v) for k, v in args.items()})
        flat = []
        for o in out if isinstance(out, (list, tuple)) else [out]:
            flat.extend(o if isinstance(o, (list, tuple)) else [o])
        return flat

    case(f"{op}/{name}", build, error=error)


AT = i64([0, 1], [1, 0], [1, 2])
OUT_OF_ORDER = i64([1, 2], [0, 1], [1, 0])

# Every kind of element through ops that only move it.
for d in ["bool", "int8", "float16", "bfloat16", "float32", "int64", "complex128", "string"]:
    values = text(b"a", b"b", b"") if d == "string" else np.array([1, 0, 3]).astype(tensorflow.as_dtype(d).as_numpy_dtype)
    default = text(b"z")[0:1].reshape(()) if d == "string" else np.array(1).astype(values.dtype)
    run(d, "SparseReorder", input_indices=OUT_OF_ORDER, input_values=values, input_shape=i64(2, 3))
    run(d, "SparseConcat", indices=[AT, OUT_OF_ORDER], values=[values, values], shapes=[i64(2, 3), i64(2, 4)], concat_dim=-1)
    run(d, "SparseSlice", indices=AT, values=values, shape=i64(2, 3), start=i64(1, 0), size=i64(9, 2))
    run(d, "SparseSplit", split_dim=scalar(1), indices=AT, values=values, shape=i64(2, 3), num_split=2)
    run(d, "SparseFillEmptyRows", indices=AT, values=values, dense_shape=i64(4, 3), default_value=default)
    run(d, "RaggedFillEmptyRows", value_rowids=i64(2, 0, 0), values=values, nrows=scalar(4), default_value=default)
    run(d, "RaggedGather", params_nested_splits=[i64(0, 2, 2, 3)], params_dense_values=values, indices=i64(2, 0, 0), OUTPUT_RAGGED_RANK=1)
    run(d, "RaggedTensorToSparse", rt_nested_splits=[i64(0, 2, 2, 3)], rt_dense_values=values)
    run(d, "RaggedTensorToTensor", shape=i64(-1, 3), values=values, default_value=default,
        row_partition_tensors=[i64(0, 2, 2, 3)], row_partition_types=["ROW_SPLITS"])
for d in ["bool", "int8", "float16", "float32", "int64", "complex64", "string"]:
    values = text(b"a", b"b", b"") if d == "string" else np.array([1, 0, 3]).astype(d)
    default = text(b"z")[0:1].reshape(()) if d == "string" else np.array(1).astype(values.dtype)
    try:
        run(d, "SparseToDense", sparse_indices=AT, output_shape=i64(2, 3), sparse_values=values, default_value=default)
    except Exception:
        pass  # TensorFlow has no kernel.

V = f32(1, 2, 3)
run("length", "SparseReorder", INVALID, input_indices=AT, input_values=f32(1, 2), input_shape=i64(2, 3))
run("rank", "SparseReorder", INVALID, input_indices=AT, input_values=V, input_shape=i64(2, 3, 4))
run("bounds", "SparseReorder", input_indices=i64([9, 1], [0, -7]), input_values=f32(1, 2), input_shape=i64(2, 3))

zero = scalar(0, np.float32)
run("vector", "SparseToDense", sparse_indices=i64(0, 2), output_shape=i64(4), sparse_values=f32(1, 2), default_value=zero)
run("scalar", "SparseToDense", sparse_indices=scalar(1), output_shape=i64(3), sparse_values=scalar(5, np.float32), default_value=zero)
for name, at, shape in [("repeated", i64([0, 1], [0, 1]), i64(2, 2)), ("order", i64([1, 1], [0, 1]), i64(2, 2)), ("bounds", i64([0, 1], [0, 2]), i64(2, 2)),
                        ("negative", i64([0, -1], [0, 1]), i64(2, 2)), ("size", i64([0, 0], [0, 1]), i64(2, -2)),
                        ("overflow", i64([0, 0], [0, 1]), i64(2**40, 2**40)), ("rank", i64([0, 0], [0, 1]), i64(2, 2, 2))]:
    run(name, "SparseToDense", INVALID, sparse_indices=at, output_shape=shape, sparse_values=f32(1, 2), default_value=zero)
run("unchecked", "SparseToDense", sparse_indices=i64([1, 1], [0, 1], [1, 1]), output_shape=i64(2, 2), sparse_values=V, default_value=zero, validate_indices=False)
run("unchecked bounds", "SparseToDense", INVALID, sparse_indices=i64([1, 9]), output_shape=i64(2, 2), sparse_values=f32(1), default_value=zero, validate_indices=False)

for name, at, shape, new in [("same", AT, i64(2, 3), i64(2, 3)), ("inferred", AT, i64(2, 3), i64(3, -1)), ("bounds", i64([5, 1], [-5, 1]), i64(2, 2), i64(1, 4)),
                             ("empty", none(2), i64(0, 2), i64(-1))]:
    run(name, "SparseReshape", input_indices=at, input_shape=shape, new_shape=new)
for name, at, shape, new in [("two unknown", AT, i64(2, 3), i64(-1, -1)), ("indivisible", AT, i64(2, 3), i64(-1, 4)), ("sizes", AT, i64(2, 3), i64(7)),
                             ("overflow", AT, i64(2**32, 2**32), i64(6)), ("new overflow", AT, i64(2, 3), i64(2**32, 2**32)), ("negative", AT, i64(2, -3), i64(6)),
                             ("rank", AT, i64(2, 3, 1), i64(6)), ("no room", i64([0, 0]), i64(0, 2), i64(0)), ("cannot infer", none(2), i64(0, 2), i64(-1, 0))]:
    run(name, "SparseReshape", INVALID, input_indices=at, input_shape=shape, new_shape=new)

run("sizes", "SparseConcat", INVALID, indices=[AT, AT], values=[V, V], shapes=[i64(2, 3), i64(3, 3)], concat_dim=1)
run("axis", "SparseConcat", INVALID, indices=[AT, AT], values=[V, V], shapes=[i64(2, 3), i64(2, 3)], concat_dim=2)
run("overflow", "SparseConcat", INTERNAL, indices=[none(2), none(2)], values=[f32(), f32()], shapes=[i64(2**62, 2), i64(2**62, 2)], concat_dim=0)
for name, start, size in [("before", i64(-1, 0), i64(2, 2)), ("behind", i64(3, 0), i64(2, 2)), ("large", i64(1, 0), i64(2**62, 2**63 - 1)), ("far", i64(2**63 - 1, 0), i64(2**62, 9))]:
    run(name, "SparseSlice", indices=AT, values=V, shape=i64(2, 3), start=start, size=size)
run("negative", "SparseSlice", INVALID, indices=AT, values=V, shape=i64(2, 3), start=i64(0, 0), size=i64(1, -1))
run("rank", "SparseSlice", INVALID, indices=AT, values=V, shape=i64(2, 3), start=i64(0), size=i64(1, 1))
run("part", "SparseSliceGrad", backprop_val_grad=f32(7), input_indices=AT, input_start=i64(1, 1), output_indices=i64([0, 1]))
run("unknown", "SparseSliceGrad", INTERNAL, backprop_val_grad=f32(7), input_indices=AT, input_start=i64(1, 1), output_indices=i64([0, 5]))
run("too many", "SparseSliceGrad", INVALID, backprop_val_grad=f32(7, 8), input_indices=i64([0, 1]), input_start=i64(1, 1), output_indices=i64([0, 5], [1, 1]))
for name, dim, at, shape, n in [("bounds", 1, i64([0, 9]), i64(2, 4), 2), ("negative", 1, i64([0, -9]), i64(2, 4), 2), ("axis", 2, i64([0, 0]), i64(2, 4), 2), ("many", 1, i64([0, 0]), i64(2, 2), 3)]:
    run(name, "SparseSplit", INVALID, split_dim=scalar(dim), indices=at, values=f32(1), shape=shape, num_split=n)
case("SparseSplit/vector", lambda tf, v1: tf.raw_ops.SparseSplit(
    split_dim=fed(i64(1)), indices=fed(AT), values=fed(V), shape=fed(i64(3, 3)), num_split=2)[0][0], error=INVALID)
run("uneven", "SparseSplit", split_dim=scalar(-1), indices=i64([0, 1], [0, 4]), values=f32(1, 2), shape=i64(2, 5), num_split=3)

A = dict(a_indices=i64([0, 0], [1, 1]), a_shape=i64(2, 2))
B = dict(b_indices=i64([0, 1], [1, 1]), b_shape=i64(2, 2))
for d, real in [("float32", "float32"), ("float64", "float64"), ("int64", "int64"), ("int8", "int8"), ("complex64", "float32"), ("complex128", "float64")]:
    run(d, "SparseAdd", **A, **B, a_values=np.array([1, 2], d), b_values=np.array([3, -2], d), thresh=np.array(1, real))
    run(d, "SparseAddGrad", backprop_val_grad=np.array([1, 2, 3], d), a_indices=A["a_indices"], b_indices=B["b_indices"], sum_indices=i64([0, 0], [0, 1], [1, 1]))
run("kept", "SparseAdd", **A, **B, a_values=f32(1, np.nan), b_values=f32(0, 5), thresh=np.float32(1).reshape(()))
for name, change in [("sizes", dict(b_shape=i64(2, 3))), ("ranks", dict(b_shape=i64(2, 2, 2))), ("lengths", dict(b_values=f32(1))), ("threshold", dict(thresh=f32(1)))]:
    run(name, "SparseAdd", INVALID, **{**A, **B, "a_values": f32(1, 2), "b_values": f32(3, 4), "thresh": zero, **change})
for op in ["SparseSparseMaximum", "SparseSparseMinimum"]:
    for d in ["float32", "float16", "int32", "uint8", "int64"]:
        run(d, op, **A, **B, a_values=np.array([1, 2]).astype(d), b_values=np.array([3, 1]).astype(d))
    run("bounds", op, INVALID, **{**A, "a_indices": i64([0, 0], [9, 1])}, **B, a_values=f32(1, 2), b_values=f32(3, 4))

for op in ["SparseDenseCwiseAdd", "SparseDenseCwiseMul", "SparseDenseCwiseDiv"]:
    for d in ["float32", "float16", "int32", "uint8", "int64"]:
        run(d, op, sp_indices=AT, sp_values=np.array([7, 2, 9]).astype(d), sp_shape=i64(2, 3), dense=np.array([3, 5, 2]).astype(d))
    run("column", op, sp_indices=AT, sp_values=V, sp_shape=i64(2, 3), dense=f32([4], [5]))
    run("scalar", op, sp_indices=AT, sp_values=V, sp_shape=i64(2, 3), dense=scalar(4, np.float32))
    run("bounds", op, INVALID, sp_indices=i64([0, 9]), sp_values=f32(1), sp_shape=i64(2, 3), dense=f32(4))
    run("larger", op, INVALID, sp_indices=AT, sp_values=V, sp_shape=i64(2, 3), dense=np.ones((1, 2, 3), np.float32))
    run("overflow", op, INVALID, sp_indices=AT, sp_values=V, sp_shape=i64(2**40, 2**40), dense=f32(4))
run("zero", "SparseDenseCwiseDiv", INVALID, sp_indices=AT, sp_values=V, sp_shape=i64(2, 3), dense=f32(4, 4, 0))
run("nothing_by_zero", "SparseDenseCwiseDiv", sp_indices=none(2), sp_values=f32(), sp_shape=i64(2, 3), dense=f32(4, 4, 0))

for d in ["float32", "float16", "int32", "complex64"]:
    run(d, "SparseTensorDenseAdd", a_indices=AT, a_values=np.array([1, 2, 3]).astype(d), a_shape=i64(2, 3), b=np.ones((2, 3), d))
run("bounds", "SparseTensorDenseAdd", INVALID, a_indices=i64([0, 5]), a_values=f32(1), a_shape=i64(2, 2), b=np.ones((2, 2), np.float32))
run("sizes", "SparseTensorDenseAdd", INVALID, a_indices=i64([0, 0]), a_values=f32(1), a_shape=i64(2, 1), b=np.ones((2, 2), np.float32))
for d in ["float32", "float64", "float16", "bfloat16", "int32", "complex64"]:
    dt = tensorflow.as_dtype(d).as_numpy_dtype
    v = (np.array([1, 2, 3]) * (1 + 2j if d == "complex64" else 1)).astype(dt)
    b = (np.arange(6).reshape(3, 2) * (1 - 1j if d == "complex64" else 1)).astype(dt)
    for adj_a in (False, True):
        for adj_b in (False, True):
            dense = b[:2] if adj_a and not adj_b else b[:2].T if adj_a else b.T if adj_b else b
            run(f"{d}/{adj_a}/{adj_b}", "SparseTensorDenseMatMul", a_indices=AT, a_values=v, a_shape=i64(2, 3), b=np.ascontiguousarray(dense), adjoint_a=adj_a, adjoint_b=adj_b)
b = np.ones((2, 2), np.float32)
for name, at, shape in [("row", i64([5, 0]), i64(2, 2)), ("column", i64([0, 5]), i64(2, 2)), ("negative", i64([-1, 0]), i64(2, 2)), ("inner", i64([0, 0]), i64(2, 3)), ("rank", i64([0, 0]), i64(2, 2, 2))]:
    run(name, "SparseTensorDenseMatMul", INVALID, a_indices=at, a_values=f32(1), a_shape=shape, b=b)
# Many elements, in no order, some of them several times.
random = np.random.RandomState(0)
for name, count, columns in [("few", 40, 3), ("vector", 40, 1), ("many", 600, 120)]:
    at, v = random.randint(0, 9, (count, 2)), random.randint(-4, 5, count)
    for adjoint in (False, True):
        run(f"unordered/{name}/{adjoint}", "SparseTensorDenseMatMul", a_indices=at.astype(np.int64), a_values=v.astype(np.float32), a_shape=i64(9, 9), b=random.randint(-4, 5, (9, columns)).astype(np.float32), adjoint_a=adjoint)
nan = f32([0, 1], [np.nan, 2])
for a_sparse in (False, True):
    for b_sparse in (False, True):
        for ta in (False, True):
            run(f"{a_sparse}/{b_sparse}/{ta}", "SparseMatMul", a=f32([0, 1, 2], [3, 0, 1], [1, 1, 0]), b=np.arange(9, dtype=np.float32).reshape(3, 3), transpose_a=ta, transpose_b=not ta, a_is_sparse=a_sparse, b_is_sparse=b_sparse)
run("zeros", "SparseMatMul", a=f32([0, 1]), b=f32([np.nan], [2]), a_is_sparse=True)
run("bfloat16", "SparseMatMul", a=np.ones((2, 2), tensorflow.bfloat16.as_numpy_dtype), b=np.ones((2, 2), np.float32), a_is_sparse=True)
run("sizes", "SparseMatMul", INVALID, a=f32([0, 1]), b=f32([1], [2], [3]))

for d in ["float16", "float32", "float64"]:
    run(d, "SparseSoftmax", sp_indices=AT, sp_values=np.array([1, 2, 4]).astype(d), sp_shape=i64(2, 3))
run("rank", "SparseSoftmax", INVALID, sp_indices=i64([0], [1]), sp_values=f32(1, 2), sp_shape=i64(2))
for op, types in [("SparseReduceSum", ["float32", "float16", "int32", "complex64"]), ("SparseReduceMax", ["float32", "float16", "int32", "uint8"])]:
    for kind in ["", "Sparse"]:
        for d in types:
            run(d, op + kind, input_indices=OUT_OF_ORDER, input_values=np.array([1, 2, 3]).astype(d), input_shape=i64(2, 3), reduction_axes=np.array([1], np.int32))
        for axes in [[0], [0, 1], [], [-1, -1]]:
            for keep in (False, True):
                run(f"{axes}/{keep}", op + kind, input_indices=AT, input_values=f32(-1, 2, -3), input_shape=i64(2, 4), reduction_axes=np.array(axes, np.int32), keep_dims=keep)
        run("axis", op + kind, INVALID, input_indices=AT, input_values=V, input_shape=i64(2, 3), reduction_axes=np.array([2], np.int32))
        run("overflow", op + kind, INVALID, input_indices=AT, input_values=V, input_shape=i64(2**40, 2**40), reduction_axes=np.array([1], np.int32))
    run("bounds", op, INTERNAL, input_indices=i64([0, 9]), input_values=f32(1), input_shape=i64(2, 3), reduction_axes=np.array([0], np.int32))

default = scalar(9, np.float32)
run("order", "SparseFillEmptyRows", indices=i64([2, 0], [0, 1], [0, 0]), values=V, dense_shape=i64(4, 2), default_value=default)
run("none", "SparseFillEmptyRows", indices=none(2), values=f32(), dense_shape=i64(0, 2), default_value=default)
for name, at, shape in [("row", i64([0, 1], [9, 0]), i64(2, 2)), ("negative", i64([0, 1], [-1, 0]), i64(2, 2)), ("no rows", i64([0, 1], [0, 0]), i64(0, 2)), ("rank", i64([0, 1], [0, 0]), i64(2, 2, 2)), ("size", i64([0, 1], [0, 0]), i64(-2, 2))]:
    run(name, "SparseFillEmptyRows", INVALID, indices=at, values=f32(1, 2), dense_shape=shape, default_value=default)
run("row", "RaggedFillEmptyRows", INVALID, value_rowids=i64(0, 9), values=f32(1, 2), nrows=scalar(2), default_value=default)
run("no rows", "RaggedFillEmptyRows", INVALID, value_rowids=i64(0), values=f32(1), nrows=scalar(0), default_value=default)
for op in ["SparseFillEmptyRowsGrad", "RaggedFillEmptyRowsGrad"]:
    run("part", op, reverse_index_map=i64(1, 0), grad_values=f32(1, 2, 3, 4))
    run("bounds", op, INVALID, reverse_index_map=i64(1, 4), grad_values=f32(1, 2, 3, 4))

columns = dict(indices=[i64([0, 0], [1, 0], [1, 1]), i64([0, 0], [0, 1], [1, 0])], values=[text(b"a", b"b", b"c"), i64(1, 2, 3)], shapes=[i64(2, 2), i64(2, 2)], dense_inputs=[text([b"x"], [b"y"]), i64([7, 8], [9, 10])])
run("texts", "SparseCrossV2", **columns, sep=scalar(b"-", object))
run("batch", "SparseCrossV2", INVALID, **{**columns, "shapes": [i64(2, 2), i64(3, 2)]}, sep=scalar(b"-", object))
# TensorFlow crashes with strong hashes of numbers.
texts = {k: v[:1] for k, v in columns.items()}
for buckets in (0, 100):
    run(f"{buckets}", "SparseCrossHashed", **columns, num_buckets=scalar(buckets), strong_hash=scalar(False, bool), salt=i64(137, 2**62 + 1))
    run(f"{buckets}/strong", "SparseCrossHashed", **texts, num_buckets=scalar(buckets), strong_hash=scalar(True, bool), salt=i64(137, 2**62 + 1))
    run(f"hashed/{buckets}", "SparseCross", **columns, hashed_output=True, num_buckets=buckets, hash_key=956888297470, out_type=tensorflow.int64, internal_type=tensorflow.int64)
run("texts", "SparseCross", **texts, hashed_output=False, num_buckets=0, hash_key=1, out_type=tensorflow.string, internal_type=tensorflow.string)
run("type", "SparseCross", INVALID, **columns, hashed_output=False, num_buckets=0, hash_key=1, out_type=tensorflow.string, internal_type=tensorflow.string)


def there_and_back(form, many, values, dtype=None):
    def build(tf, v1):
        serialize = tf.raw_ops.SerializeManySparse if many else tf.raw_ops.SerializeSparse
        made = serialize(sparse_indices=fed(AT), sparse_values=fed(values, dtype), sparse_shape=fed(i64(3, 3)), out_type=form)
        if not many:
            made = tf.stack([made, made])
        back = tf.raw_ops.DeserializeSparse(serialized_sparse=made, dtype=dtype or values.dtype)
        out = list(back)
        if form == tf.string:
            out += list(tf.raw_ops.DeserializeManySparse(serialized_sparse=made, dtype=dtype or values.dtype))
        return out

    return build


for name, at in {"repeated": [[0, 1], [0, 1], [2, 0]], "rows": [[1, 0], [0, 0], [0, 1]], "columns": [[0, 2], [0, 1], [1, 1]], "outside": [[0, 0], [0, 5], [1, 1]]}.items():
    case(f"SerializeManySparse/{name}", lambda tf, v1: tf.raw_ops.SerializeManySparse(
        sparse_indices=fed(np.int64(at)), sparse_values=fed(V), sparse_shape=fed(i64(3, 3))), error="INVALID_ARGUMENT")
for form in [tensorflow.string, tensorflow.variant]:
    for many in (False, True):
        case(f"SerializeSparse/{form.name}/{many}", there_and_back(form, many, V))
        case(f"SerializeSparse/{form.name}/{many}/strings", there_and_back(form, many, text(b"a", b"", b"c"), tensorflow.string))
run("message", "DeserializeSparse", INVALID, serialized_sparse=text(b"a", b"b", b"c"), dtype=tensorflow.float32)
run("width", "DeserializeManySparse", INVALID, serialized_sparse=text([b"a", b"b"]), dtype=tensorflow.float32)
run("none", "DeserializeManySparse", INVALID, serialized_sparse=np.zeros((0, 3), object), dtype=tensorflow.float32)

for values in [i64(1, 1, 3), i64([1, 1], [0, 2])]:
    for low, high in [(-1, -1), (5, -1), (-1, 2), (5, 0)]:
        for binary in (False, True):
            run(f"{values.ndim}/{low}/{high}/{binary}", "DenseCountSparseOutput", values=values, weights=f32(), binary_output=binary, minlength=low, maxlength=high)
for d in ["int32", "int64", "float32", "float64"]:
    run(f"weights/{d}", "DenseCountSparseOutput", values=i64(1, 1, 3), weights=np.array([1, 2, 5], d), binary_output=False)
run("sparse", "SparseCountSparseOutput", indices=i64([1, 0], [0, 0], [1, 1]), values=i64(1, 2, 1), dense_shape=i64(2, 3), weights=f32(), binary_output=False)
run("vector", "SparseCountSparseOutput", indices=i64([0], [1]), values=i64(1, 2), dense_shape=i64(2), weights=f32(), binary_output=False)
run("ragged", "RaggedCountSparseOutput", splits=i64(0, 2, 2, 3), values=i64(1, 1, 2), weights=f32(), binary_output=False)
for name, op, args in [
    ("negative", "DenseCountSparseOutput", dict(values=i64(-1))), ("rank", "DenseCountSparseOutput", dict(values=scalar(1))),
    ("weights", "DenseCountSparseOutput", dict(values=i64(1), weights=f32(1, 2))), ("no rows", "DenseCountSparseOutput", dict(values=none(2))),
    ("bounds", "SparseCountSparseOutput", dict(indices=i64([5, 0]), values=i64(1), dense_shape=i64(2, 3))),
    ("wide", "SparseCountSparseOutput", dict(indices=none(2), values=i64(), dense_shape=i64(2**40, 3))),
    ("rank", "SparseCountSparseOutput", dict(indices=i64([0, 0]), values=i64(1), dense_shape=i64())),
    ("end", "RaggedCountSparseOutput", dict(splits=i64(0, 2), values=i64(1))), ("start", "RaggedCountSparseOutput", dict(splits=i64(1, 1), values=i64(1))),
    ("short", "RaggedCountSparseOutput", dict(splits=i64(0), values=i64()))]:
    run(name, op, INVALID, **{"weights": f32(), "binary_output": False, **args})

for operation in ["a-b", "b-a", "intersection", "Union"]:
    for d in ["int8", "int16", "int32", "int64", "uint8", "uint16"]:
        run(f"{operation}/{d}", "DenseToDenseSetOperation", set1=np.array([[3, 1, 2], [5, 5, 4]], d), set2=np.array([[2, 3], [4, 6]], d), set_operation=operation)
    run(f"{operation}/string", "DenseToDenseSetOperation", set1=text([b"b", b"a"]), set2=text([b"c", b"a"]), set_operation=operation)
    run(operation, "DenseToSparseSetOperation", set1=i64([3, 1], [5, 5], [1, 1]), set2_indices=i64([0, 0], [0, 2], [2, 0]), set2_values=i64(3, 9, 4), set2_shape=i64(3, 3), set_operation=operation)
    run(operation, "SparseToSparseSetOperation", set1_indices=i64([0, 0], [0, 2], [2, 1]), set1_values=i64(4, 3, 7), set1_shape=i64(3, 3),
        set2_indices=i64([0, 0], [0, 1], [1, 0]), set2_values=i64(3, 9, 4), set2_shape=i64(3, 5), set_operation=operation)
run("unknown", "DenseToDenseSetOperation", INVALID, set1=i64([1]), set2=i64([1]), set_operation="xor")
run("rank", "DenseToDenseSetOperation", INVALID, set1=i64(1), set2=i64(1), set_operation="union")
run("sizes", "DenseToDenseSetOperation", INVALID, set1=i64([1]), set2=i64([1], [2]), set_operation="union")
run("bounds", "DenseToSparseSetOperation", INVALID, set1=i64([3, 1]), set2_indices=i64([0, 9]), set2_values=i64(3), set2_shape=i64(1, 3), set_operation="union")
run("unchecked", "DenseToSparseSetOperation", INTERNAL, set1=i64([3, 1]), set2_indices=i64([0, 9]), set2_values=i64(3), set2_shape=i64(1, 3), set_operation="union", validate_indices=False)
run("sizes", "SetSize", set_indices=i64([0, 0], [0, 2], [2, 1]), set_values=i64(4, 4, 7), set_shape=i64(3, 3))
for name, at, shape in [("order", i64([1, 0], [0, 2]), i64(3, 3)), ("bounds", i64([1, 0], [5, 2]), i64(3, 3)), ("rank", i64([0], [1]), i64(3)), ("overflow", i64([0, 0], [1, 1]), i64(2**40, 2**40))]:
    run(name, "SetSize", INVALID, set_indices=at, set_values=i64(1, 2), set_shape=shape)
run("unchecked", "SetSize", INTERNAL, set_indices=i64([0, 9]), set_values=i64(1), set_shape=i64(3, 3), validate_indices=False)
run("memory", "SetSize", "RESOURCE_EXHAUSTED", set_indices=none(2), set_values=i64(), set_shape=i64(2**40, 2**10))

for d in ["int32", "int64", "float32", "float64"]:
    dt = tensorflow.as_dtype(d).as_numpy_dtype
    run(d, "RaggedRange", starts=np.array([0, 5, 8]).astype(dt), limits=np.array([3, 5, 2]).astype(dt), deltas=np.array([1, 1, -2]).astype(dt))
run("scalars", "RaggedRange", starts=scalar(0), limits=scalar(3), deltas=scalar(2), Tsplits=tensorflow.int32)
run("fractions", "RaggedRange", starts=f32(0, 1), limits=f32(1, 0), deltas=f32(0.3, -0.3))
for name, starts, limits, deltas in [("delta", i64(0), i64(3), i64(0)), ("sizes", i64(0, 1), i64(3), i64(1, 1, 1)), ("rank", i64([1]), i64(3), i64(1)),
                                     ("infinite", f32(0), f32(np.inf), f32(1)), ("nan", f32(0), f32(np.nan), f32(1)), ("wide", i64(-2**63), i64(2**63 - 1), i64(1))]:
    run(name, "RaggedRange", INVALID, starts=starts, limits=limits, deltas=deltas)
run("memory", "RaggedRange", "RESOURCE_EXHAUSTED", starts=i64(0), limits=i64(2**63 - 1), deltas=i64(1))

two = [i64(0, 2, 3), i64(0, 2, 2, 3)]
run("two axes", "RaggedTensorToSparse", rt_nested_splits=two, rt_dense_values=V)
run("inner", "RaggedTensorToSparse", rt_nested_splits=[i64(0, 2, 2, 3)], rt_dense_values=np.arange(6, dtype=np.float32).reshape(3, 2))
for name, splits in [("end", i64(0, 2)), ("start", i64(1, 3)), ("order", i64(0, 3, 1, 3)), ("empty", i64())]:
    run(name, "RaggedTensorToSparse", INVALID, rt_nested_splits=[splits], rt_dense_values=V)
run("two axes", "RaggedGather", params_nested_splits=two, params_dense_values=V, indices=i64(1, 0, 1), OUTPUT_RAGGED_RANK=2)
run("scalar", "RaggedGather", params_nested_splits=two, params_dense_values=V, indices=scalar(0), OUTPUT_RAGGED_RANK=1)
run("matrix", "RaggedGather", params_nested_splits=[i64(0, 2, 2, 3)], params_dense_values=V, indices=i64([2, 0], [1, 0]), OUTPUT_RAGGED_RANK=2)
for name, splits, at in [("bounds", i64(0, 3), i64(1)), ("negative index", i64(0, 3), i64(-1)), ("order", i64(0, 3, 1), i64(0)), ("past", i64(0, 9), i64(0)), ("negative", i64(-1, 3), i64(0)), ("empty", i64(), i64(0))]:
    run(name, "RaggedGather", INVALID, params_nested_splits=[splits], params_dense_values=V, indices=at, OUTPUT_RAGGED_RANK=1)


def dense(name, shape, values, default, parts, kinds, error=None):
    run(name, "RaggedTensorToTensor", error, shape=shape, values=values, default_value=default, row_partition_tensors=parts, row_partition_types=kinds)


S, R, N = "ROW_SPLITS", "VALUE_ROWIDS", "FIRST_DIM_SIZE"
pairs = np.arange(6, dtype=np.float32).reshape(3, 2)
dense("any shape", scalar(-1), V, default, [i64(0, 2, 2, 3)], [S])
dense("cut", i64(2, 1), V, default, [i64(0, 2, 2, 3)], [S])
dense("nothing", i64(0, 0), V, default, [i64(0, 2, 2, 3)], [S])
dense("two axes", i64(-1, -1, -1), V, default, two, [S, S])
dense("row ids", i64(4, -1), V, default, [scalar(4), i64(0, 0, 2)], [N, R])
dense("two row ids", i64(-1, -1, -1), f32(1, 2), default, [scalar(2), i64(0, 1), i64(0, 0)], [N, R, R])
dense("inner", scalar(-1), pairs, f32(7, 8), [i64(0, 2, 2, 3)], [S])
dense("inner broadcast", scalar(-1), pairs, f32(7), [i64(0, 2, 2, 3)], [S])
dense("fewer than values", scalar(-1), V, default, [i64(0, 2, 2)], [S])
dense("no rows", i64(-1, -1), f32(), default, [scalar(0), i64()], [N, R])
for name, shape, values, filler, parts, kinds in [
    ("shape", scalar(-2), V, default, [i64(0, 3)], [S]), ("row id", i64(4, -1), V, default, [scalar(4), i64(0, 0, 7)], [N, R]),
    ("negative row id", i64(4, -1), V, default, [scalar(4), i64(-2, 0, 1)], [N, R]), ("order", scalar(-1), V, default, [i64(0, 2, 1, 3)], [S]),
    ("start", scalar(-1), V, default, [i64(1, 3)], [S]), ("empty", scalar(-1), V, default, [i64()], [S]),
    ("default size", scalar(-1), pairs, f32(7, 8, 9), [i64(0, 3)], [S]), ("default rank", scalar(-1), pairs, f32([7, 8]), [i64(0, 3)], [S]),
    ("inner size", i64(-1, -1, 5), pairs, default, [i64(0, 3)], [S]), ("overflow", i64(2**40, 2**40), V, default, [i64(0, 3)], [S]), ("scalar", scalar(-1), scalar(1, np.float32), default, [i64(0, 1)], [S])]:
    dense(name, shape, values, filler, parts, kinds, INVALID)


def through(name, splits, values, batched, rank, out, take=None, error=None, dtype="float32"):
    def build(tf, v1):
        made = tf.raw_ops.RaggedTensorToVariant(rt_nested_splits=[fed(s, shape=[None]) for s in splits], rt_dense_values=fed(values), batched_input=batched)
        if take is not None:
            made = tf.gather(made, np.array(take, np.int32))
        back = tf.raw_ops.RaggedTensorFromVariant(encoded_ragged=made, input_ragged_rank=rank, output_ragged_rank=out, Tvalues=dtype, Tsplits=tf.int64)
        return list(back.output_nested_splits) + [back.output_dense_values]

    case(f"RaggedTensorToVariant/{name}", build, error=error)


one = [i64(0, 2, 2, 3)]
through("rows", one, V, True, 0, 1)
through("inferred", one, V, True, -1, 1)
through("picked", one, V, True, 0, 1, [2, 0])
through("matrix", one, V, True, -1, 2, [[2, 0], [0, 0]])
through("one row", one, V, True, -1, 0, 0)
through("no rows", one, V, True, 0, 1, [])
through("no rows of rows", one, V, True, 1, 2, [])
through("whole", one, V, False, 1, 1)
through("two axes", two, V, True, 1, 2, [1, 1, 0])
through("dense rows", [], pairs, True, 0, 1)
through("dense", [], pairs, False, 0, 0)
through("rank", one, V, True, 1, 2, error=INVALID)
through("type", one, V, True, 0, 1, error=INVALID, dtype="int32")
for name, splits in [("end", i64(0, 2, 9)), ("order", i64(0, 3, 1)), ("start", i64(1, 3))]:
    through(name, [splits], V, True, 0, 1, error=INVALID)


def composite(parts, types, error=None):
    def build(tf, v1):
        made = tf.raw_ops.CompositeTensorVariantFromComponents(components=[fed(p) for p in parts], metadata="")
        return list(tf.raw_ops.CompositeTensorVariantToComponents(encoded=made, metadata="", Tcomponents=types))

    return build


case("CompositeTensorVariant/parts", composite([V, i64(1)], [tensorflow.float32, tensorflow.int64]))
case("CompositeTensorVariant/count", composite([V, i64(1)], [tensorflow.float32]), error=INVALID)
case("CompositeTensorVariant/type", composite([V, i64(1)], [tensorflow.float32, tensorflow.int32]), error=INVALID)



def ragged_cross(order, hashed, inputs, buckets=0, key=956888297470, splits="int64", out=None):
    """`RaggedCross` of columns, each a letter for its kind and its rows. TensorFlow requires one row splits type for
    all."""
    def build(tf, v1):
        ragged, row_splits, indices, values, shapes, dense = [], [], [], [], [], []
        for rows, letter in zip(inputs, order):
            flat = [x for row in rows for x in row]
            dtype = "string" if any(isinstance(x, str) for x in flat) else "int64"
            if letter == "R":
                ragged.append(fed(flat, dtype))
                row_splits.append(fed(np.cumsum([0] + [len(row) for row in rows]), splits))
            elif letter == "S":
                indices.append(fed([[i, j] for i, row in enumerate(rows) for j in range(len(row))], "int64"))
                values.append(fed(flat, dtype))
                shapes.append(fed([len(rows), max(map(len, rows))], "int64"))
            else:
                dense.append(fed(rows, dtype))
        made = tf.raw_ops.RaggedCross(
            ragged_values=ragged, ragged_row_splits=row_splits, sparse_indices=indices, sparse_values=values, sparse_shape=shapes,
            dense_inputs=dense, input_order=order, hashed_output=hashed, num_buckets=buckets, hash_key=key,
            out_values_type=out or ("int64" if hashed else "string"), out_row_splits_type=splits)
        return list(made)
    return build


TEXTS, NUMBERS, DENSE = [["a", "b"], [], ["c"]], [[1], [2, 3], [4, -5]], [["x", "y"], ["z", "w"], ["u", "v"]]
for label, order, inputs in [("ragged", "RR", [TEXTS, NUMBERS]), ("sparse", "RS", [NUMBERS, TEXTS]),
                             ("all", "DSR", [DENSE, NUMBERS, TEXTS]), ("one", "R", [NUMBERS]),
                             ("dense", "DD", [DENSE, [[7], [8], [9]]]), ("repeated", "RDR", [TEXTS, DENSE, NUMBERS])]:
    case(f"RaggedCross/{label}/texts", ragged_cross(order, False, inputs))
    case(f"RaggedCross/{label}/hashes", ragged_cross(order, True, inputs))
    case(f"RaggedCross/{label}/buckets", ragged_cross(order, True, inputs, buckets=100, key=0, splits="int32"))
case("RaggedCross/rows", ragged_cross("RR", False, [TEXTS, NUMBERS[:2]]), error="INVALID_ARGUMENT")

write(__file__)
