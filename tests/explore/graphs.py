"""Writes graphs.jsonl.gz: graphs that TensorFlow builds, some with a race planted, some without.

    python tests/explore/graphs.py        # needs tensorflow 2.21

A line is {"name", "graph" (GraphDef as JSON), "init", "feeds", "fetches", "targets", "race" (whether something depends on the order)}.
"""

import gzip
import json
import pathlib

import numpy as np
import tensorflow as tf
from google.protobuf import json_format
from tensorflow.python.ops import data_flow_ops, gen_data_flow_ops, lookup_ops, stateful_random_ops

v1 = tf.compat.v1
v1.disable_v2_behavior()
OUT = pathlib.Path(__file__).with_name("graphs.jsonl.gz")
lines = []


def keep(name, graph, fetches, race, targets=(), init=None, feeds=None):
    lines.append(
        {
            "name": name,
            "graph": json_format.MessageToDict(graph.as_graph_def()),
            "init": init,
            "feeds": {key: np.asarray(value, np.float32).tolist() for key, value in (feeds or {}).items()},
            "fetches": list(fetches),
            "targets": list(targets),
            "race": race,
        }
    )


def variable(resource, value, shape=(), name="v"):
    return v1.get_variable(name, shape, initializer=v1.constant_initializer(value), use_resource=resource)


def read(v, resource, name):
    return tf.identity(v.read_value(), name) if resource else tf.add(v, 0.0, name)


# Each builder takes whether variables are resources, and a context manager that orders later nodes after its arguments,
# or does not.
CASES = {}


def case(build):
    CASES[build.__name__] = build


@case
def read_beside_update(resource, behind):
    v = variable(resource, 1.0)
    with behind(v1.assign_add(v, 2.0)):
        read(v, resource, "y")
    return ["y"], ["last"]


@case
def two_assignments(resource, behind):
    v = variable(resource, 1.0)
    with behind(v1.assign(v, 2.0)):
        v1.assign(v, 3.0)
    return [], ["last"]


@case
def assign_beside_add(resource, behind):
    v = variable(resource, 1.0)
    with behind(v1.assign(v, 5.0)):
        v1.assign_add(v, 2.0)
    return [], ["last"]


@case
def product_beside_sum(resource, behind):
    v = variable(resource, 3.0)
    doubled = v1.assign(v, read(v, resource, "before") * 2.0)
    with behind(doubled):
        v1.assign_add(v, 1.0)
    return [], ["last"]


@case
def two_sums_of_floats(resource, behind):
    v = variable(resource, -1e8)
    with behind(v1.assign_add(v, 1e8)):
        v1.assign_add(v, 1.0)
    return [], ["last"]


@case
def two_updates_of_a_row(resource, behind):
    v = variable(resource, 0.0, [4, 2])
    update = lambda value: (
        v.scatter_update(tf.IndexedSlices(tf.constant([[value, value]]), tf.constant([1])))
        if resource
        else v1.scatter_update(v, [1], [[value, value]])
    )
    with behind(update(1.0)):
        update(2.0)
    return [], ["last"]


@case
def step_beside_penalty(resource, behind):
    w = variable(resource, 1.0, [3], "w")
    loss = tf.reduce_sum(tf.square(w))
    with behind(v1.train.GradientDescentOptimizer(0.1).minimize(loss)):
        tf.reduce_sum(tf.abs(read(w, resource, "again")), name="y")
    return ["y"], ["last"]


@case
def rate_beside_count(resource, behind):
    step = variable(resource, 0.0, name="step")
    w = variable(resource, 1.0, name="w")
    with behind(v1.assign_add(step, 1.0)):
        v1.assign_sub(w, 0.1 / (1.0 + read(step, resource, "rate")))
    return [], ["last"]


@case
def average_beside_step(resource, behind):
    w, mean = variable(resource, 1.0, [2], "w"), variable(resource, 0.0, [2], "mean")
    with behind(v1.assign_sub(w, [0.5, 0.25])):
        v1.assign(mean, 0.9 * read(mean, resource, "old") + 0.1 * read(w, resource, "new"))
    return [], ["last"]


@case
def branch_beside_update(resource, behind):
    v, p = variable(resource, 1.0), v1.placeholder(tf.float32, [], "p")
    with behind(v1.assign_add(v, 1.0)):
        y = tf.cond(p > 0, lambda: read(v, resource, "inside") * 2.0, lambda: tf.constant(0.0))
    tf.identity(y, "y")
    return ["y"], ["last"], {"p": 1.0}


@case
def loop_beside_update(resource, behind):
    v = variable(resource, 1.0)

    def body(i, total):
        added = v1.assign_add(v, 1.0)
        with tf.control_dependencies([added]):
            i = i + 1
        with behind(added):
            return i, total + read(v, resource, "inside")

    y = v1.while_loop(lambda i, t: i < 3, body, [tf.constant(0), tf.constant(0.0)], parallel_iterations=1)[1]
    tf.identity(y, "y")
    return ["y"], []


@case
def two_enqueues(resource, behind):
    q = v1.FIFOQueue(10, [tf.float32], [[]])
    with behind(q.enqueue(1.0)):
        q.enqueue(2.0)
    return [], ["last"]


@case
def enqueue_beside_size(resource, behind):
    q = v1.FIFOQueue(10, [tf.float32], [[]])
    with behind(q.enqueue(1.0)):
        tf.identity(q.size(), "y")
    return ["y"], ["last"]


@case
def two_dequeues(resource, behind):
    q = v1.FIFOQueue(10, [tf.float32], [[]])
    filled = q.enqueue_many([[1.0, 2.0]])
    with tf.control_dependencies([filled]):
        first = q.dequeue()
    with behind(first), tf.control_dependencies([filled]):
        second = q.dequeue()
    tf.stack([first, second * 10.0], name="y")
    return ["y"], []


@case
def enqueue_beside_close(resource, behind):
    q = v1.FIFOQueue(10, [tf.float32], [[]])
    with behind(q.enqueue(1.0)):
        q.close()
    return [], ["last"]


@case
def one_generator(resource, behind):
    generator = stateful_random_ops.Generator.from_seed(7, alg="philox")
    first = generator.normal([2], name="first")
    with behind(first.op):
        second = generator.normal([2])
    tf.stack([first, second], name="y")
    return ["y"], []


@case
def two_insertions(resource, behind):
    table = lookup_ops.MutableHashTable(tf.int64, tf.float32, -1.0)
    with behind(table.insert(tf.constant([1], tf.int64), [1.0])):
        table.insert(tf.constant([1], tf.int64), [2.0])
    return [], ["last"]


@case
def lookup_beside_insertion(resource, behind):
    table = lookup_ops.MutableHashTable(tf.int64, tf.float32, -1.0)
    with behind(table.insert(tf.constant([1], tf.int64), [1.0])):
        tf.identity(table.lookup(tf.constant([1], tf.int64)), "y")
    return ["y"], ["last"]


@case
def two_pushes(resource, behind):
    stack = gen_data_flow_ops.stack_v2(10, elem_type=tf.float32)
    first = gen_data_flow_ops.stack_push_v2(stack, 1.0)
    with behind(first.op):
        second = gen_data_flow_ops.stack_push_v2(stack, 2.0)
    with tf.control_dependencies([first, second]):
        tf.identity(gen_data_flow_ops.stack_pop_v2(stack, elem_type=tf.float32), "y")
    return ["y"], []


@case
def two_stages(resource, behind):
    area = data_flow_ops.StagingArea([tf.float32], [[]])
    first = area.put([tf.constant(1.0)])
    with behind(first):
        second = area.put([tf.constant(2.0)])
    with tf.control_dependencies([first, second]):
        tf.identity(area.get(), "y")
    return ["y"], []


@case
def gradients_taken_early(resource, behind):
    accumulator = v1.ConditionalAccumulator(tf.float32, [])
    first = accumulator.apply_grad(1.0)
    with tf.control_dependencies([first]):
        second = accumulator.apply_grad(3.0)
    with behind(second):
        with tf.control_dependencies([first]):
            tf.identity(accumulator.num_accumulated(), "y")
    return ["y"], ["last"]


@case
def calls(resource, behind):
    v = variable(True, 1.0)
    function = lambda change: tf.function(change, autograph=False)

    @function
    def add(handle):
        tf.raw_ops.AssignAddVariableOp(resource=handle, value=1.0)
        return tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)

    first = add(v.handle)
    with behind(first.op):
        second = add(v.handle)
    tf.stack([first, second * 10.0], name="y")
    return ["y"], []


class Behind:
    def __init__(self, ordered):
        self.ordered = ordered

    def __call__(self, what):
        outer = self

        class Context:
            ordered = outer.ordered

            def __enter__(self):
                self.context = tf.control_dependencies([what] if outer.ordered else [])
                self.context.__enter__()

            def __exit__(self, *error):
                return self.context.__exit__(*error)

        return Context()


# Those without both kinds of variables.
ONE_KIND = {
    "two_enqueues", "enqueue_beside_size", "two_dequeues", "enqueue_beside_close", "one_generator",
    "two_insertions", "lookup_beside_insertion", "two_pushes", "two_stages", "gradients_taken_early", "calls",
}  # fmt: skip

for name, build in CASES.items():
    for resource in (False, True):
        if resource and name in ONE_KIND:
            continue
        for ordered in (False, True):
            with tf.Graph().as_default() as graph:
                fetches, targets, *feeds = build(resource, Behind(ordered))
                state = [op for op in graph.get_operations() if not op.outputs or op.type.startswith(("Assign", "Scatter"))]
                ends = [op for op in state if "Initializer" not in op.name and not op.name.endswith("/Assign")]
                if targets:
                    tf.group(*ends, name="last")
                if name == "one_generator":
                    made = [op for op in graph.get_operations() if op.type == "AssignVariableOp"]
                    tf.group(*made, name="init")
                elif v1.global_variables():
                    v1.global_variables_initializer()
                init = "init" if any(op.name == "init" for op in graph.get_operations()) else None
                kind = "" if name in ONE_KIND else "_resource" if resource else "_reference"
                keep(f"{name}{kind}{'_in_order' if ordered else ''}", graph, fetches, not ordered, targets, init, *feeds)

# Unmodified training, in any order: random numbers, sums, gradients, several updates.
for resource in (False, True):
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        x = v1.placeholder(tf.float32, [4, 3], "x")
        w = v1.get_variable("w", [3, 5], initializer=v1.truncated_normal_initializer(seed=1))
        b = v1.get_variable("b", [5], initializer=v1.zeros_initializer())
        h = v1.nn.dropout(tf.nn.relu(x @ w + b), rate=0.5)
        loss = tf.reduce_mean(tf.square(h - tf.random.uniform([4, 5])), name="loss")
        step = v1.train.get_or_create_global_step()
        v1.train.AdamOptimizer(0.01).minimize(loss, global_step=step, name="train_op")
        v1.global_variables_initializer()
        feeds = {"x": np.arange(12).reshape(4, 3) / 12}
        keep(f"training_{'resource' if resource else 'reference'}", graph, ["loss"], False, ["train_op"], "init", feeds)

with gzip.GzipFile(OUT, "wb", mtime=0) as file:
    for line in lines:
        file.write((json.dumps(line, sort_keys=True) + "\n").encode())
print(f"{len(lines)} graphs, {sum(line['race'] for line in lines)} with a race")
