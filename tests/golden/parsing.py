"""Tensors and examples parsed from protobuf messages."""

import tensorflow as tf
from record import case, fed, step, write

WRONG = "INVALID_ARGUMENT"
STR, INT, FLOAT = "string", "int64", "float32"


def fill(feature, values):
    if values is None:
        return
    if values and isinstance(values[0], float):
        feature.float_list.value.extend(values)
    elif values and isinstance(values[0], int):
        feature.int64_list.value.extend(values)
    else:
        feature.bytes_list.value.extend(values)


def example(**features):
    message = tf.train.Example()
    for name, values in features.items():
        fill(message.features.feature[name], values)
    return message.SerializeToString(deterministic=True)


def sequence(context=None, lists=None):
    message = tf.train.SequenceExample()
    for name, values in (context or {}).items():
        fill(message.context.feature[name], values)
    for name, steps in (lists or {}).items():
        features = message.feature_lists.feature_list[name]
        for values in steps:
            fill(features.feature.add(), values)
    return message.SerializeToString(deterministic=True)


def flat(outputs):
    return [x for o in outputs for x in (o if isinstance(o, (list, tuple)) else [o])]


def keys(names):
    return tf.constant(list(names), tf.string)


def v2(name, serialized, sparse={}, dense={}, ragged={}, names=(), error=None):
    """A ParseExampleV2: sparse {key: dtype}, dense {key: (dtype, default, shape)}, ragged {key: (dtype, splits dtype)}."""
    case(f"ParseExampleV2/{name}", lambda tf, v1: flat(tf.raw_ops.ParseExampleV2(
        serialized=fed(serialized, STR), names=fed(list(names), STR), sparse_keys=keys(sparse), dense_keys=keys(dense),
        ragged_keys=keys(ragged), dense_defaults=[fed(d[1], d[0]) for d in dense.values()], num_sparse=len(sparse),
        sparse_types=list(sparse.values()), ragged_value_types=[r[0] for r in ragged.values()],
        ragged_split_types=[r[1] for r in ragged.values()], dense_shapes=[d[2] for d in dense.values()])), error=error)


A = example(a=[1.0, 2.0], b=[b"x"], c=[1, 2, 3, -4])
B = example(a=[3.0], c=[5, 2**62])
ALL = {"a": FLOAT, "b": STR, "c": INT, "none": INT}
RAGGED = {"a": (FLOAT, "int32"), "b": (STR, "int64"), "none": (INT, "int64")}
VARYING = {"a": (FLOAT, -1.0, [None]), "c": (INT, 0, [None, 2]), "none": (STR, "pad", [None])}
for what, serialized in {"vector": [A, B], "scalar": A, "empty_example": [b"", A], "nothing": []}.items():
    v2(f"sparse/{what}", serialized, sparse=ALL)
    v2(f"ragged/{what}", serialized, ragged=RAGGED)
    v2(f"varying/{what}", serialized, dense=VARYING)
v2("fixed", [A, A], dense={"a": (FLOAT, [], [2]), "c": (INT, [], [2, 2])})
v2("fixed/scalar", A, dense={"a": (FLOAT, [], [2]), "b": (STR, [], [])})
v2("fixed/default", [A, B], dense={"b": (STR, "d", []), "none": (FLOAT, [[1.0, 2.0]], [1, 2])})
v2("everything", [A, B], sparse={"b": STR}, dense={"a": (FLOAT, 0.5, [None])}, ragged={"c": (INT, "int32")})
v2("no_kind", [example(a=None)], sparse={"a": FLOAT}, dense={"b": (FLOAT, [5.0], [1])})
v2("no_kind/dense", [example(a=None)], dense={"a": (FLOAT, [5.0], [1])})
v2("empty_list", [example(a=[])], dense={"a": (STR, "q", [None])})
v2("count", [A, B], dense={"a": (FLOAT, [], [2])}, error=WRONG)
v2("required", [A, B], dense={"b": (STR, [], [])}, names=["one", "two"], error=WRONG)
v2("type/dense", [A], dense={"a": (STR, "x", [])}, error=WRONG)
v2("type/sparse", [A], sparse={"a": STR}, error=WRONG)
v2("type/ragged", [A], ragged={"a": (STR, "int32")}, error=WRONG)
v2("stride", [example(c=[1, 2, 3])], dense={"c": (INT, 0, [None, 2])}, error=WRONG)
v2("default_shape", [B], dense={"b": (FLOAT, [1.0, 2.0], [3])}, error=WRONG)
v2("default_of_two", [B], dense={"b": (FLOAT, [1.0, 2.0], [None])}, error=WRONG)
v2("matrix", [[A]], sparse=ALL, error=WRONG)
v2("names", [A], sparse=ALL, names=["one", "two"], error=WRONG)
case("ParseExample", lambda tf, v1: flat(tf.raw_ops.ParseExample(
    serialized=fed([A, B], STR), names=fed([], STR), sparse_keys=[fed("c"), fed("b")], dense_keys=[fed("a")],
    dense_defaults=[fed(7.0)], sparse_types=[INT, STR], dense_shapes=[[None]])))
case("ParseSingleExample", lambda tf, v1: flat(tf.raw_ops.ParseSingleExample(
    serialized=fed(A, STR), dense_defaults=[fed([], FLOAT), fed([0], INT)], num_sparse=1, sparse_keys=["c"],
    dense_keys=["a", "none"], sparse_types=[INT], dense_shapes=[[2], [1]])))
case("ParseSingleExample/vector", lambda tf, v1: flat(tf.raw_ops.ParseSingleExample(
    serialized=fed([A], STR), dense_defaults=[], num_sparse=1, sparse_keys=["c"], dense_keys=[], sparse_types=[INT],
    dense_shapes=[])), error=WRONG)


def sequence_v2(name, serialized, cs={}, cd={}, cr={}, ls={}, ld={}, lr={}, empty=None, names=(), error=None):
    """A ParseSequenceExampleV2; as `v2` for the context (c) and the lists (l), whose dense are {key: (dtype,
    shape)}."""
    case(f"ParseSequenceExampleV2/{name}", lambda tf, v1: flat(tf.raw_ops.ParseSequenceExampleV2(
        serialized=fed(serialized, STR), debug_name=fed(list(names), STR), context_sparse_keys=keys(cs),
        context_dense_keys=keys(cd), context_ragged_keys=keys(cr), feature_list_sparse_keys=keys(ls),
        feature_list_dense_keys=keys(ld), feature_list_ragged_keys=keys(lr),
        feature_list_dense_missing_assumed_empty=fed(empty or [False] * len(ld), "bool"),
        context_dense_defaults=[fed(d[1], d[0]) for d in cd.values()], Ncontext_sparse=len(cs),
        context_sparse_types=list(cs.values()), context_ragged_value_types=[r[0] for r in cr.values()],
        context_ragged_split_types=[r[1] for r in cr.values()], context_dense_shapes=[d[2] for d in cd.values()],
        Nfeature_list_sparse=len(ls), Nfeature_list_dense=len(ld), feature_list_dense_types=[d[0] for d in ld.values()],
        feature_list_sparse_types=list(ls.values()), feature_list_ragged_value_types=[r[0] for r in lr.values()],
        feature_list_ragged_split_types=[r[1] for r in lr.values()],
        feature_list_dense_shapes=[d[1] for d in ld.values()])), error=error)


S = sequence({"c": [1, 2]}, {"f": [[1.0, 2.0], [3.0, 4.0]], "g": [[b"x"], [b"y", b"z"], []]})
T = sequence({}, {"f": [[5.0, 6.0]]})
HOLES = sequence({}, {"f": [[1.0, 2.0], None, [3.0, 4.0]]})
LISTS = {"f": FLOAT, "g": STR, "none": INT}
for what, serialized in {"vector": [S, T], "scalar": S, "nothing": []}.items():
    sequence_v2(f"context_sparse/{what}", serialized, cs={"c": INT})
    sequence_v2(f"context_dense/{what}", serialized, cd={"c": (INT, [7, 8], [2])})
    sequence_v2(f"sparse/{what}", serialized, ls=LISTS)
    sequence_v2(f"dense/{what}", serialized, ld={"f": (FLOAT, [2]), "none": (STR, [])}, empty=[False, True])
    if what != "scalar":  # where TensorFlow leaves some of the splits unset
        sequence_v2(f"context_ragged/{what}", serialized, cr={"c": (INT, "int32")})
        sequence_v2(f"ragged/{what}", serialized, lr={"f": (FLOAT, "int32"), "g": (STR, "int64"), "none": (INT, "int64")})
sequence_v2("holes/sparse", [HOLES], ls={"f": FLOAT})
sequence_v2("holes/ragged", [HOLES], lr={"f": (FLOAT, "int64")})
sequence_v2("holes/dense", [HOLES], ld={"f": (FLOAT, [2])}, error=WRONG)
sequence_v2("missing", [T], ld={"g": (STR, [])}, error=WRONG)
sequence_v2("count", [S], ld={"g": (STR, [])}, error=WRONG)
sequence_v2("type/sparse", [S], ls={"f": INT}, error=WRONG)
sequence_v2("type/ragged", [S], lr={"f": (INT, "int64")}, error=WRONG)
sequence_v2("type/dense", [S], ld={"f": (INT, [2])}, error=WRONG)
sequence_v2("twice", [S], ls={"f": FLOAT}, ld={"f": (FLOAT, [2])}, error=WRONG)
sequence_v2("context_missing", [T], cd={"c": (INT, [], [2])}, error=WRONG)
sequence_v2("matrix", [[S]], ls=LISTS, error=WRONG)
sequence_v2("names", [S], ls=LISTS, names=["one", "two"], error=WRONG)
case("ParseSequenceExample", lambda tf, v1: flat(tf.raw_ops.ParseSequenceExample(
    serialized=fed([S, T], STR), debug_name=fed([], STR), context_dense_defaults=[fed([0, 0], INT)],
    feature_list_dense_missing_assumed_empty=["none"], context_sparse_keys=[], context_dense_keys=["c"],
    feature_list_sparse_keys=["g"], feature_list_dense_keys=["f", "none"], Ncontext_dense=1, Nfeature_list_sparse=1,
    Nfeature_list_dense=2, feature_list_dense_types=[FLOAT, INT], context_dense_shapes=[[2]],
    feature_list_sparse_types=[STR], feature_list_dense_shapes=[[2], [3]])))
case("ParseSingleSequenceExample", lambda tf, v1: flat(tf.raw_ops.ParseSingleSequenceExample(
    serialized=fed(S, STR), feature_list_dense_missing_assumed_empty=fed(["none"], STR), context_sparse_keys=[fed("c")],
    context_dense_keys=[], feature_list_sparse_keys=[fed("g")], feature_list_dense_keys=[fed("f"), fed("none")],
    context_dense_defaults=[], debug_name=fed("me"), context_sparse_types=[INT], feature_list_dense_types=[FLOAT, INT],
    feature_list_sparse_types=[STR], feature_list_dense_shapes=[[2], [3]])))

for dtype in ["float32", "float64", "float16", "bfloat16", "int8", "uint16", "int64", "bool", "complex64"]:
    case(f"SerializeTensor/{dtype}", lambda tf, v1: tf.raw_ops.SerializeTensor(tensor=fed([[1, 0, 1], [0, 0, 1]], dtype)))
for what, value in {"strings": [b"a", b"", b"a\xff"], "same": ["x", "x"], "scalar": "x", "nothing": []}.items():
    case(f"SerializeTensor/{what}", lambda tf, v1: tf.raw_ops.SerializeTensor(tensor=fed(value, STR)))
case("SerializeTensor/number", lambda tf, v1: tf.raw_ops.SerializeTensor(tensor=fed(5)))
for what, proto in {"values": tf.make_tensor_proto([1.5, 2.5]), "one_value": tf.make_tensor_proto(3, "int32", [2, 2]),
                    "strings": tf.make_tensor_proto(["a", "b"]), "scalar": tf.make_tensor_proto(True)}.items():
    case(f"ParseTensor/{what}", lambda tf, v1: tf.raw_ops.ParseTensor(
        serialized=fed(proto.SerializeToString(), STR), out_type=proto.dtype))
FLOATS = tf.make_tensor_proto([1.5, 2.5]).SerializeToString()
for what, serialized, dtype in [("dtype", FLOATS, "int32"), ("vector", [FLOATS], "float32"), ("empty", b"", "float32"),
                                ("garbage", b"\x07\xff\xff", "float32")]:
    case(f"ParseTensor/wrong_{what}", lambda tf, v1: tf.raw_ops.ParseTensor(serialized=fed(serialized, STR), out_type=dtype),
         error=WRONG)

write(__file__)
