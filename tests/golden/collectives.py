"""Records collectives on several devices of one session."""

import numpy as np
import tensorflow as tf

from record import case, write
from record import fed as feed

raw = tf.raw_ops


def fed(value, dtype=None):
    """A value fed as this dtype, arrays too."""
    return feed(value if dtype is None else np.asarray(value).astype(tf.as_dtype(dtype).as_numpy_dtype), dtype)


DEVICES = {"deviceCount": {"CPU": 4}}
KEYS = {"group_key": 1, "instance_key": 1}


def on_devices(make, values, order=None):
    """The results of `make` for each value, one per device."""
    def build(tf, v1):
        made = [None] * len(values)
        for i in order or range(len(values)):
            with tf.device(f"/device:CPU:{i}"):
                made[i] = make(values[i], len(values))
        return [m for m in made if isinstance(m, tf.Tensor)]
    return build


def reduced(merge, final, dtype="float32", **keys):
    return lambda v, n: raw.CollectiveReduce(
        input=fed(v, dtype), **{"group_size": n, **KEYS, **keys}, merge_op=merge, final_op=final, subdiv_offsets=[0])


VALUES = [[1, 2, -7], [5, 9, 3], [4, -8, 2]]
for dtype in ["float16", "bfloat16", "float32", "float64", "int32", "int64"]:
    for merge in ["Add", "Mul", "Min", "Max"]:
        case(f"CollectiveReduce/{merge}/{dtype}", on_devices(reduced(merge, "Id", dtype), VALUES), config=DEVICES)
    case(f"CollectiveReduce/mean/{dtype}", on_devices(reduced("Add", "Div", dtype), VALUES), config=DEVICES)
for name, values in {"one": [[1, 2]], "scalars": [3, 4], "matrices": [np.eye(3), np.ones([3, 3])],
                     "four": [[1], [2], [3], [4]]}.items():
    case(f"CollectiveReduce/{name}", on_devices(reduced("Add", "Div"), values), config=DEVICES)
case("CollectiveReduce/shapes", on_devices(reduced("Add", "Id"), [[1, 2], [5]]), config=DEVICES, error="INVALID_ARGUMENT")
case("CollectiveReduce/no_size", on_devices(reduced("Add", "Id", group_size=0), [[1]]), config=DEVICES, error="INVALID_ARGUMENT")


def sizes(tf, v1):
    out = []
    for i in range(2):
        with tf.device(f"/device:CPU:{i}"):
            out.append(reduced("Add", "Id", group_size=2 + i)([1], 2))
    return out


def types(tf, v1):
    out = []
    for i in range(2):
        with tf.device(f"/device:CPU:{i}"):
            out.append(reduced("Add", "Id", ["float32", "float64"][i])([1], 2))
    return out


def several(tf, v1):
    """Two groups of two devices, two collectives in each, the later waiting for the first."""
    out = []
    for i in range(4):
        with tf.device(f"/device:CPU:{i}"):
            first = reduced("Add", "Id", group_size=2, group_key=i % 2)([i, 10 * i], 2)
            out.append(raw.CollectiveReduceV2(input=first * (1.0 + i), group_size=2, group_key=7 + i // 2, instance_key=5, ordering_token=[],
                                              merge_op="Max", final_op="Id"))
    return out


def failing(tf, v1):
    out = []
    for i in range(2):
        with tf.device(f"/device:CPU:{i}"):
            x = fed([1.0])
            x = tf.debugging.check_numerics(x / 0.0, "bad") if i else x
            out.append(raw.CollectiveReduce(input=x, group_size=2, **KEYS, merge_op="Add", final_op="Id", subdiv_offsets=[0]))
    return out


case("CollectiveReduce/sizes", sizes, config=DEVICES, error="INTERNAL")
case("CollectiveReduce/types", types, config=DEVICES, error="INTERNAL")
case("CollectiveReduce/several", several, config=DEVICES)
case("CollectiveReduce/failing", failing, config=DEVICES, error="INVALID_ARGUMENT")


def by_inputs(op, dtype="float32", **attrs):
    return lambda v, n: getattr(raw, op)(input=fed(v, dtype), group_size=fed(n), group_key=fed(3), instance_key=fed(4), ordering_token=[], **attrs)


for dtype in ["float16", "float32", "float64", "int32", "int64"]:
    case(f"CollectiveReduceV2/{dtype}", on_devices(by_inputs("CollectiveReduceV2", dtype, merge_op="Add", final_op="Div"), VALUES), config=DEVICES)
    case(f"CollectiveGather/{dtype}", on_devices(lambda v, n: raw.CollectiveGather(
        input=fed([v], dtype), group_size=n, **KEYS, shape=[n, 3]), VALUES), config=DEVICES)
    case(f"CollectiveGatherV2/{dtype}", on_devices(by_inputs("CollectiveGatherV2", dtype), VALUES), config=DEVICES)
case("CollectiveGatherV2/matrices", on_devices(by_inputs("CollectiveGatherV2"), [np.arange(6).reshape(2, 3), np.arange(6, 12).reshape(2, 3)]), config=DEVICES)
case("CollectiveGatherV2/uneven", on_devices(by_inputs("CollectiveGatherV2"), [[[1]], [[1], [2]]]), config=DEVICES, error="INVALID_ARGUMENT")


def broadcast(v, n, dtype="float32", keys=KEYS):
    if v is None:
        return raw.CollectiveBcastRecv(T=tf.as_dtype(dtype), group_size=n, **keys, shape=[2])
    return raw.CollectiveBcastSend(input=fed(v, dtype), group_size=n, **keys, shape=[2])


def broadcast_v2(v, n, shape=(2,)):
    keys = {"group_size": fed(n), "group_key": fed(1), "instance_key": fed(2)}
    if v is None:
        return raw.CollectiveBcastRecvV2(T=tf.float32, **keys, shape=fed(list(shape)))
    return raw.CollectiveBcastSendV2(input=fed(v, "float32"), **keys)


for dtype in ["bool", "float16", "float32", "float64", "int32", "int64"]:
    case(f"CollectiveBcast/{dtype}", on_devices(lambda v, n: broadcast(v, n, dtype), [None, [1, 0], None]), config=DEVICES)
for values, name, error in [([[1, 2], [3, 4]], "two", "INTERNAL"), ([None, None], "none", "INTERNAL")]:
    case(f"CollectiveBcast/{name}", on_devices(broadcast, values), config=DEVICES, error=error)
case("CollectiveBcastV2", on_devices(broadcast_v2, [[1, 2], None, None]), config=DEVICES)
case("CollectiveBcastV2/last", on_devices(broadcast_v2, [None, [1, 2]]), config=DEVICES)
case("CollectiveBcastV2/shape", on_devices(lambda v, n: broadcast_v2(v, n, (3,)), [[1, 2], None]), config=DEVICES, error="INVALID_ARGUMENT")
for device in range(4):
    case(f"CollectiveAssignGroupV2/{device}", lambda tf, v1: list(raw.CollectiveAssignGroupV2(
        group_assignment=fed([[0, 2], [1, 3]]), device_index=fed(device), base_key=fed(5))))
case("CollectiveAssignGroupV2/none", lambda tf, v1: list(raw.CollectiveAssignGroupV2(
    group_assignment=fed([[0, 2], [1, 3]]), device_index=fed(4), base_key=fed(5))), error="INVALID_ARGUMENT")
write(__file__)
