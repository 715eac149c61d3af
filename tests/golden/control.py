"""Branches, loops and calls: what they check at run time."""

from record import case, fed, step, write


def function(tf, body, *types):
    return tf.function(body, input_signature=[tf.TensorSpec(None, t) for t in types]).get_concrete_function()


def branches(tf):
    return [function(tf, lambda x, k=k: x * k, tf.float32) for k in (2.0, 3.0)]


for name, index in {"scalar": 1, "vector": [1], "empty": []}.items():
    case(f"Case/index/{name}", lambda tf, v1, index=index: tf.raw_ops.Case(
        branch_index=fed(index, "int32"), input=[tf.constant(1.0)], Tout=[tf.float32], branches=branches(tf),
        output_shapes=[[]]), error=None if name == "scalar" else "INVALID_ARGUMENT")

for at, name in enumerate(["start", "limit", "delta"]):
    case(f"For/{name}_not_scalar", lambda tf, v1, at=at: tf.raw_ops.For(
        **{n: fed([v] if at == i else v, "int32") for i, (n, v) in
           enumerate([("start", 0), ("limit", 2), ("delta", 1)])},
        input=[tf.constant(1.0)], body=function(tf, lambda i, x: x * 2.0, tf.int32, tf.float32)), error="INVALID_ARGUMENT")

case("For/scalars", lambda tf, v1: tf.raw_ops.For(
    start=fed(0), limit=fed(3), delta=fed(1), input=[tf.constant(1.0)],
    body=function(tf, lambda i, x: x * 2.0, tf.int32, tf.float32)))

for name, kinds in {"first": ["CPU", "GPU"], "last": ["GPU", "CPU"], "missing": ["GPU", "TPU"], "none": []}.items():
    case(f"DeviceIndex/{name}", lambda tf, v1, kinds=kinds: tf.raw_ops.DeviceIndex(device_names=kinds))

write(__file__)
