"""Writes graphs.jsonl.gz: graphs built by TensorFlow, each with one node that produces a NaN or an infinity.

    python tests/nan/graphs.py        # needs tensorflow 2.21

A line is {"name", "graph" (GraphDef as JSON), "init", "feeds" (value, dtype), "fetches", "targets", "node" (the faulty
node; null for none), "function", "iteration", "variable", "nan_only" (whether it is found if infinities pass)}.
TensorFlow checks that every input of the node is finite and its result is not, if the node can be fetched.
"""

import gzip
import json
import pathlib

import numpy as np
import tensorflow as tf
from google.protobuf import json_format

v1 = tf.compat.v1
v1.disable_v2_behavior()
OUT = pathlib.Path(__file__).with_name("graphs.jsonl.gz")
lines = []


def number(value):
    value = np.asarray(value)
    return {"value": value.tolist(), "dtype": value.dtype.name}


def finite(value):
    return not np.issubdtype(value.dtype, np.inexact) or bool(np.isfinite(value).all())


def keep(name, graph, node, fetches, feeds=None, targets=(), init=None, nan_only=True, check=True, **more):
    feeds = feeds or {}
    if node and check:
        op = graph.get_operation_by_name(node)
        with v1.Session(graph=graph) as session:
            if init:
                session.run(init)
            fed = {key + ":0": value for key, value in feeds.items()}
            inputs = [t for t in op.inputs if t.dtype.is_floating or t.dtype.is_complex]
            given, made = session.run([inputs, list(op.outputs)], fed)
            assert all(finite(np.asarray(v)) or np.asarray(v).dtype.name == "bfloat16" for v in given), name
            bad = [np.asarray(v).astype(np.complex128) for v in made if np.asarray(v).dtype.kind in "fcV"]
            assert any(not np.isfinite(v).all() for v in bad), name
            assert nan_only == any(np.isnan(v).any() for v in bad), name
    lines.append(
        {
            "name": name,
            "graph": json_format.MessageToDict(graph.as_graph_def()),
            "init": init,
            "feeds": {key: number(value) for key, value in feeds.items()},
            "fetches": list(fetches),
            "targets": list(targets),
            "node": node,
            "nan_only": nan_only,
            "function": more.get("function"),
            "iteration": more.get("iteration"),
            "variable": more.get("variable"),
        }
    )


def case(name):
    """Runs the function immediately, in a separate graph."""

    def run(build):
        with tf.Graph().as_default() as graph:
            build(name, graph)

    return run


# One op each, in all dtypes with NaNs, between nodes that are fused with it.
UNARY = {
    "Log": (tf.math.log, [1.0, -1.0], True),
    "Sqrt": (tf.sqrt, [4.0, -4.0], True),
    "Rsqrt": (tf.math.rsqrt, [1.0, 0.0], False),
    "Exp": (tf.exp, [1.0, 30000.0], False),
    "Reciprocal": (tf.math.reciprocal, [1.0, 0.0], False),
    "Asin": (tf.asin, [0.5, 2.0], True),
    "Acosh": (tf.acosh, [1.5, 0.5], True),
    "Atanh": (tf.atanh, [0.5, 1.0], False),
    "Log1p": (tf.math.log1p, [0.5, -2.0], True),
    "Square": (tf.square, [1.0, 1e30], False),
    "Lgamma": (tf.math.lgamma, [1.5, 0.0], False),
    "Expm1": (tf.math.expm1, [0.5, 30000.0], False),
}
for op, (function, value, nan) in UNARY.items():
    for dtype in (np.float32, np.float64) if op != "Square" else (np.float32,):

        @case(f"{op}_{np.dtype(dtype).name}")
        def _(name, graph):
            x = v1.placeholder(dtype, [None], "x")
            h = tf.add(x, tf.constant(0, dtype), "before")
            h = function(h, name="fault")
            h = tf.multiply(h, tf.constant(2, dtype), "after")
            tf.reduce_sum(tf.tanh(h), name="y")
            keep(name, graph, "fault", ["y"], {"x": np.array(value, dtype)}, nan_only=nan)


@case("half")
def _(name, graph):
    x = v1.placeholder(tf.float16, [None], "x")
    tf.identity(tf.multiply(x + 0, x, name="fault") + 1, "y")
    keep(name, graph, "fault", ["y"], {"x": np.array([1, 1000], np.float16)}, nan_only=False)


@case("bfloat16")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    h = tf.cast(x, tf.bfloat16)
    tf.cast(tf.math.log(h, name="fault") + 1, tf.float32, name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([1, -1], np.float32)})


@case("complex64")
def _(name, graph):
    x = v1.placeholder(tf.complex64, [None], "x")
    tf.abs(tf.divide(x, x - x, name="fault") * 2, name="y")
    # The quotient is NaN in both parts.
    names = [op.name for op in graph.get_operations() if op.type == "RealDiv"]
    (at,) = names
    keep(name, graph, at, ["y"], None, check=False)
    lines[-1]["feeds"] = {"x": {"value": [[1.0, 2.0]], "dtype": "complex64"}}


@case("overflow_of_a_cast")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    tf.cast(tf.cast(x, tf.float16, name="fault"), tf.float32, name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([1, 1e6], np.float32)}, nan_only=False)


@case("zero_by_zero")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    total = tf.reduce_sum(x, name="total")
    tf.realdiv(x, total, name="fault")
    tf.reduce_max(graph.get_tensor_by_name("fault:0"), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.zeros(3, np.float32)})


@case("mean_of_nothing")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    tf.add(tf.reduce_mean(x, name="fault"), 1, "y")
    keep(name, graph, "fault", ["y"], {"x": np.zeros(0, np.float32)})


@case("in_a_constant")
def _(name, graph):
    one = tf.constant([1.0, -1.0], name="one")
    tf.add(tf.math.log(one, name="fault"), 1.0, name="y")
    keep(name, graph, "fault", ["y"])


@case("product")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 2], "x")
    w = tf.constant(np.full([2, 2], 1e30, np.float32))
    h = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w, name="fault"), tf.constant([1.0, 2.0])))
    tf.reduce_sum(h, name="y")
    keep(name, graph, "fault", ["y"], {"x": np.full([2, 2], 1e30, np.float32)}, nan_only=False)


@case("bias_of_a_product")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 2], "x")
    w = tf.constant(np.eye(2, dtype=np.float32))
    h = tf.nn.bias_add(tf.matmul(x, w), tf.constant([3e38, 2.0]), name="fault")
    tf.reduce_sum(tf.nn.relu(h), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.full([2, 2], 3e38, np.float32)}, nan_only=False)


@case("selected_away")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    log = tf.math.log(x, name="fault")
    tf.where(x > 0, log, tf.zeros_like(x), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([1, 0], np.float32)}, nan_only=False)


@case("softmax_of_a_mask")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 3], "x")
    mask = tf.constant(np.array([[0, 0, -np.inf], [-np.inf] * 3], np.float32), name="mask")
    tf.reduce_sum(tf.nn.softmax(tf.add(x, mask, name="masked"), name="fault"), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.ones([2, 3], np.float32)}, check=False)


@case("gradient_of_a_norm")
def _(name, graph):
    x = v1.placeholder(tf.float32, [3], "x")
    norm = tf.sqrt(tf.reduce_sum(tf.square(x)), name="norm")
    (gradient,) = tf.gradients(norm, x)
    tf.identity(gradient, "y")
    at = [op.name for op in graph.get_operations() if op.type == "SqrtGrad"][0]
    keep(name, graph, at, ["y"], {"x": np.zeros(3, np.float32)}, nan_only=False)


@case("cross_entropy")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None, 2], "x")
    p = tf.nn.softmax(x)
    tf.reduce_mean(-tf.reduce_sum(tf.constant([0.0, 1.0]) * tf.math.log(p, name="fault"), 1), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([[200, -200]], np.float32)}, nan_only=False)


@case("cholesky")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 2], "x")
    tf.reduce_sum(tf.linalg.inv(tf.linalg.diag(tf.sqrt(tf.linalg.diag_part(x), name="fault"))), name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([[-1, 0], [0, 1]], np.float32)})


@case("two_at_once")
def _(name, graph):
    x = v1.placeholder(tf.float32, [None], "x")
    first = tf.math.log(x, name="fault")
    tf.add(tf.sqrt(first, name="second"), first, name="y")
    keep(name, graph, "fault", ["y"], {"x": np.array([-1], np.float32)})


# Loops, conditionals and functions.
@case("loop")
def _(name, graph):
    x = v1.placeholder(tf.float32, [], "x")

    def body(i, h):
        return i + 1, tf.math.log(h - 1.0, name="fault")

    _, y = v1.while_loop(lambda i, h: i < 10, body, [tf.constant(0), x])
    tf.identity(y, "y")
    # log(20 - 1) = 2.9, log(1.9) = 0.66, log(-0.34) is NaN
    keep(name, graph, "while/fault", ["y"], {"x": np.float32(20)}, check=False, iteration=2)


@case("nested_loops")
def _(name, graph):
    x = v1.placeholder(tf.float32, [], "x")

    def outer(i, h):
        def inner(j, g):
            return j + 1, tf.multiply(g, g, name="fault")

        return i + 1, v1.while_loop(lambda j, g: j < 2, inner, [tf.constant(0), h])[1]

    y = v1.while_loop(lambda i, h: i < 5, outer, [tf.constant(0), x])[1]
    tf.identity(y, "y")
    # 10 to the powers of 2, 4, 8, 16, 32, 64: the sixth square is the second of the third round.
    keep(name, graph, "while/while/fault", ["y"], {"x": np.float32(10)}, check=False, nan_only=False, iteration=1)


@case("conditional")
def _(name, graph):
    x = v1.placeholder(tf.float32, [], "x")
    y = tf.cond(x < 0, lambda: tf.math.log(x, name="fault"), lambda: x)
    tf.identity(y, "y")
    keep(name, graph, "cond/fault", ["y"], {"x": np.float32(-1)}, check=False)


@case("call")
def _(name, graph):
    x = v1.placeholder(tf.float32, [], "x")

    @tf.function(autograph=False)
    def inner(a):
        return tf.math.log(a - 2.0, name="fault")

    @tf.function(autograph=False)
    def outer(a):
        return inner(a) + 1.0

    tf.identity(outer(x), "y")
    keep(name, graph, "fault", ["y"], {"x": np.float32(1)}, check=False, function="inner")


@case("loop_of_version_2")
def _(name, graph):
    v1.enable_control_flow_v2()
    x = v1.placeholder(tf.float32, [], "x")
    y = tf.while_loop(lambda h: h < 100.0, lambda h: tf.divide(1.0, h - 1.0, name="divided"), [x])[0]
    tf.identity(y, "y")
    v1.disable_control_flow_v2()
    at = [n.name for f in graph.as_graph_def().library.function for n in f.node_def if n.op == "RealDiv"][0]
    keep(name, graph, at, ["y"], {"x": np.float32(1)}, check=False, nan_only=False, function="body")


# Variables, by reference and behind handles.
for resource in (False, True):
    kind = "resource" if resource else "reference"

    @case(f"step_too_large_{kind}")
    def _(name, graph):
        with v1.variable_scope("", use_resource=resource):
            w = v1.get_variable("w", [2], initializer=v1.ones_initializer())
        step = v1.train.GradientDescentOptimizer(3e38).minimize(tf.reduce_sum(100.0 * w), name="train_op")
        v1.global_variables_initializer()
        at = [op.name for op in graph.get_operations() if op.type.endswith("ApplyGradientDescent")][0]
        keep(name, graph, at, [], targets=["train_op"], init="init", check=False, nan_only=False, variable="w")

    @case(f"added_up_{kind}")
    def _(name, graph):
        with v1.variable_scope("", use_resource=resource):
            w = v1.get_variable("w", [2], initializer=v1.constant_initializer(3e38))
        added = v1.assign_add(w, [1.0, 3e38], name="fault")
        with tf.control_dependencies([added]):
            tf.no_op("both")
        v1.global_variables_initializer()
        at = [op.name for op in graph.get_operations() if op.type in ("AssignAdd", "AssignAddVariableOp")][0]
        keep(name, graph, at, [], targets=["both"], init="init", check=False, nan_only=False, variable="w")

    @case(f"adam_{kind}")
    def _(name, graph):
        x = v1.placeholder(tf.float32, [], "x")
        with v1.variable_scope("", use_resource=resource):
            w = v1.get_variable("w", [2], initializer=v1.ones_initializer())
        loss = tf.reduce_sum(tf.sqrt(tf.identity(w) * x, name="root"))
        v1.train.AdamOptimizer(0.01).minimize(loss, name="train_op")
        v1.global_variables_initializer()
        keep(name, graph, "root", [], {"x": np.float32(-1)}, targets=["train_op"], init="init", check=False)

    @case(f"scattered_{kind}")
    def _(name, graph):
        with v1.variable_scope("", use_resource=resource):
            w = v1.get_variable("w", [3], initializer=v1.constant_initializer(3e38))
        if resource:
            op = w.scatter_add(tf.IndexedSlices(tf.constant([3e38]), tf.constant([1])))
        else:
            op = v1.scatter_add(w, [1], [3e38], name="fault")
        with tf.control_dependencies([op]):
            tf.no_op("both")
        v1.global_variables_initializer()
        at = [op.name for op in graph.get_operations() if op.type in ("ScatterAdd", "ResourceScatterAdd")][0]
        keep(name, graph, at, [], targets=["both"], init="init", check=False, nan_only=False, variable="w")


# None of these produces one.
@case("masked")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 3], "x")
    mask = tf.constant(np.array([[0, 0, -np.inf], [0, -np.inf, 0]], np.float32), name="mask")
    tf.reduce_sum(tf.nn.softmax(x + mask), name="y")
    keep(name, graph, None, ["y"], {"x": np.ones([2, 3], np.float32)})


@case("masked_by_a_choice")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2, 3], "x")
    tf.reduce_max(tf.where(x > 0, x, tf.fill([2, 3], np.float32(-np.inf))), name="y")
    keep(name, graph, None, ["y"], {"x": np.array([[1, -1, 2], [0, 3, -2]], np.float32)})


@case("fed")
def _(name, graph):
    x = v1.placeholder(tf.float32, [2], "x")
    w = v1.get_variable("w", [2], initializer=v1.constant_initializer(float("nan")), use_resource=True)
    v1.assign_add(w, x, name="add")
    tf.reduce_sum(tf.math.log(x) + w, name="y")
    v1.global_variables_initializer()
    keep(name, graph, None, ["y"], {"x": np.array([1, 2], np.float32)}, init="init")


with gzip.GzipFile(OUT, "wb", mtime=0) as file:
    for line in lines:
        file.write((json.dumps(line, sort_keys=True) + "\n").encode())
print(f"{len(lines)} graphs, {sum(bool(line['node']) for line in lines)} with a fault")
