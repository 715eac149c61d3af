"""Subnormal numbers: TensorFlow's threads treat them as zeros, and operations have none as results.

Left out is what differs from op to op, or with the length of a row, because TensorFlow calls functions that look at bits:
whether a subnormal result of `Maximum`, `MulNoNan` or `ReluGrad` stays one, and what `Atan2`,
`FloorMod`, `Sinh`, and `Pow` in float64 make of one.
"""

import inspect

import numpy as np
from record import case, fed, tf, write

UNARY = (
    "Abs Acos Acosh Asin Atan Atanh Ceil Cos Cosh Erf Erfc Exp Floor Identity Inv IsFinite IsInf IsNan Log Neg "
    "Reciprocal Relu Relu6 Rint Round Rsqrt Sigmoid Sin Softplus Softsign Sqrt Square Tanh"
).split()
BINARY = (
    "AddV2 Div DivNoNan Equal FloorDiv Greater GreaterEqual Less LessEqual Mul NotEqual RealDiv SquaredDifference Sub "
    "TruncateDiv Xdivy Xlogy"
).split()
REDUCTIONS = ["Mean", "Prod", "Sum"]
# Below the smallest normal number, at it, and values whose product, square or exponential falls below.
VALUES = {
    "float32": [1e-40, -1e-40, 1.4e-45, 1.1754944e-38, -1.1754944e-38, 3e-38, 1e-25, -1e-25, 0.0, -0.0, 1.0, -95.0],
    "float64": [1e-310, -1e-310, 5e-324, 2.2250738585072014e-308, -2.2250738585072014e-308, 5e-308, 1e-200, -1e-200, 0.0, -0.0, 1.0, -720.0],
}


def raw(op, *inputs, **attrs):
    function = getattr(tf.raw_ops, op)
    return function(**dict(zip(inspect.signature(function).parameters, inputs)), **attrs)


for dtype, values in VALUES.items():
    small = np.array(values[:8] * 2, dtype)
    every = np.array(values * 2, dtype)
    ones = np.ones(len(small), dtype)
    for op in UNARY:
        case(f"{op}/{dtype}", lambda tf, v1: raw(op, fed(every, dtype)), atol=0)
    for op in BINARY:
        for name, other in [("itself", small), ("one", ones), ("reversed", small[::-1].copy())]:
            case(f"{op}/{name}/{dtype}", lambda tf, v1: raw(op, fed(small, dtype), fed(other, dtype)), atol=0)
    if dtype == "float32":
        case(f"Pow/{dtype}", lambda tf, v1: raw("Pow", fed(small, dtype), fed([0.5], dtype)), atol=0)
    for op in REDUCTIONS:
        case(f"{op}/{dtype}", lambda tf, v1: raw(op, fed(small[:3], dtype), [0]), atol=0)
        case(f"{op}/rows/{dtype}", lambda tf, v1: raw(op, fed(small.reshape(2, 8)[:, :3], dtype), [1]), atol=0)
    # What underflows is zero for the next node, fused with it or not.
    case(f"fused/{dtype}", lambda tf, v1: tf.math.log((fed(small, dtype) * 1.0 + 0.0) * 1.0), atol=0)
    case(f"fused_inverse/{dtype}", lambda tf, v1: 1 / tf.abs(fed(small, dtype) * 1.0), atol=0)
    case(f"fused_exp/{dtype}", lambda tf, v1: tf.math.log(tf.exp(fed(every[-1:], dtype))), atol=0)
    case(f"folded/{dtype}", lambda tf, v1: 1 / (tf.constant(small) * tf.constant(ones)), atol=0)
    case(f"MatMul/{dtype}", lambda tf, v1: tf.matmul(fed(small.reshape(2, 8), dtype), fed(np.eye(8) * 1e30, dtype)), atol=0)
    case(
        f"Conv2D/{dtype}",
        lambda tf, v1: tf.nn.conv2d(fed(small.reshape(1, 2, 4, 2), dtype), fed(np.full((1, 1, 2, 3), [[1e30], [1e29]]), dtype), 1, "VALID"),
        atol=0,
    )
    case(f"BiasAdd/{dtype}", lambda tf, v1: 1 / tf.nn.bias_add(fed(small.reshape(2, 8), dtype), fed(0 * small[:8], dtype)), atol=0)
    case(f"Softmax/{dtype}", lambda tf, v1: tf.nn.softmax(fed([values[-1], 0.0], dtype)), atol=0)
    case(f"Cumsum/{dtype}", lambda tf, v1: 1 / tf.cumsum(fed(small[:3], dtype)), atol=0)
    case(f"AddN/{dtype}", lambda tf, v1: 1 / tf.add_n([fed(small[:3], dtype), fed(0 * small[:3], dtype)]), atol=0)
    case(f"Select/{dtype}", lambda tf, v1: tf.where(fed(small, dtype) > 0, fed(small, dtype), fed(-ones, dtype)), atol=0)
    case(f"UnsortedSegmentSum/{dtype}", lambda tf, v1: 1 / tf.math.unsorted_segment_sum(fed(small[:3], dtype), [0, 0, 1], 2), atol=0)
    for grad in ["SigmoidGrad", "TanhGrad", "ReciprocalGrad", "SoftplusGrad", "EluGrad"]:
        case(f"{grad}/{dtype}", lambda tf, v1: raw(grad, fed(small, dtype), fed(small[::-1].copy(), dtype)), atol=0)
    for to in ["float32", "float64", "float16", "bfloat16", "bool", "int32"]:
        case(f"Cast/{dtype}/{to}", lambda tf, v1: tf.cast(fed(small, dtype), to), atol=0)
    for op in ["Gather", "Concat", "Transpose", "Tile"]:
        moves = {
            "Gather": lambda x: tf.gather(x, [2, 0]),
            "Concat": lambda x: tf.concat([x, x], 0),
            "Transpose": lambda x: tf.transpose(tf.reshape(x, [2, 8])),
            "Tile": lambda x: tf.tile(x, [2]),
        }
        case(f"{op}/{dtype}", lambda tf, v1: moves[op](fed(small, dtype)), atol=0)

for dtype, values in {"float16": [6e-8, 1e-7, -1e-7, 6.1e-5, 1e-4], "bfloat16": [1e-40, -1e-40, 1.2e-38, 1e-25, 1.0]}.items():
    values = np.array(values * 4).astype(tf.as_dtype(dtype).as_numpy_dtype)
    for op in ["Abs", "Exp", "Floor", "Neg", "Sqrt", "Square", "Reciprocal"]:
        case(f"{op}/{dtype}", lambda tf, v1: raw(op, fed(values, dtype)), atol=0)
    for op in ["AddV2", "Equal", "Greater", "Mul", "RealDiv", "Sub"]:
        case(f"{op}/{dtype}", lambda tf, v1: raw(op, fed(values, dtype), fed(values[::-1].copy(), dtype)), atol=0)
    for to in ["float32", "float64"]:
        case(f"Cast/{dtype}/{to}", lambda tf, v1: tf.cast(fed(values, dtype), to), atol=0)

# Algorithms that are right only if subnormal numbers are kept.
for dtype in ["complex64", "complex128", "float64"]:
    draw = np.random.default_rng(1).uniform
    matrices = draw(-1, 1, (2, 12, 11)) + (1j * draw(-1, 1, (2, 12, 11)) if "complex" in dtype else 0)

    def product(tf, v1):
        s, u, v = tf.raw_ops.Svd(input=fed(matrices, dtype))
        return [s, tf.matmul(u * tf.cast(s, dtype)[:, None, :], v, adjoint_b=True)]

    case(f"Svd/{dtype}", product)
    case(f"SelfAdjointEigV2/{dtype}", lambda tf, v1: tf.linalg.eigvalsh(fed(np.matmul(matrices, matrices.conj().swapaxes(1, 2)), dtype)))

write(__file__)
